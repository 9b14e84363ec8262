//! Draws a screen as a picture: characters with their colours on a dark background.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use svg::node::element::{Rectangle, Text};
use svg::node::Text as Characters;
use svg::Document;

/// The size of a character cell, in pixels.
const WIDTH: f32 = 8.0;
const HEIGHT: f32 = 17.0;
const MARGIN: f32 = 10.0;

fn colour(cell: &Cell) -> &'static str {
    match cell.fg {
        Color::Cyan => "#56c8d8",
        Color::Green => "#8fce6b",
        Color::Red => "#f0716c",
        Color::Yellow => "#e5c07b",
        Color::DarkGray => "#7d8590",
        _ => "#d7dae0",
    }
}

/// The screen as SVG. Characters with the same style form one text of exact length, independent of the reader's font.
pub fn svg(buffer: &Buffer) -> String {
    let (columns, rows) = (usize::from(buffer.area.width), usize::from(buffer.area.height));
    let (width, height) = (
        columns as f32 * WIDTH + 2.0 * MARGIN,
        rows as f32 * HEIGHT + 2.0 * MARGIN,
    );
    let mut document = Document::new()
        .set("viewBox", (0, 0, width as i32, height as i32))
        .set("font-family", "DejaVu Sans Mono, Menlo, Consolas, monospace")
        .set("font-size", 13)
        .add(
            Rectangle::new()
                .set("width", "100%")
                .set("height", "100%")
                .set("fill", "#1b1e24"),
        );
    for (row, cells) in buffer.content.chunks(columns).enumerate() {
        let y = MARGIN + (row as f32 + 0.75) * HEIGHT;
        let mut column = 0;
        while column < columns {
            let first = &cells[column];
            let same = cells[column..]
                .iter()
                .take_while(|cell| cell.fg == first.fg && cell.modifier == first.modifier);
            let count = same.count();
            let run: String = cells[column..column + count].iter().map(Cell::symbol).collect();
            let blanks = run.len() - run.trim_start().len();
            // Browsers collapse several blanks into one.
            let run = run.trim().replace(' ', "\u{a0}");
            let length = run.chars().count() as f32 * WIDTH;
            let run = run.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            if !run.is_empty() {
                let mut text = Text::new()
                    .set("x", MARGIN + (column + blanks) as f32 * WIDTH)
                    .set("y", y)
                    .set("textLength", length)
                    .set("fill", colour(first))
                    .add(Characters::new(run));
                if first.modifier.contains(Modifier::BOLD) {
                    text = text.set("font-weight", "bold");
                }
                if first.modifier.contains(Modifier::UNDERLINED) {
                    text = text.set("text-decoration", "underline");
                }
                document = document.add(text);
            }
            column += count;
        }
    }
    document.to_string() + "\n"
}
