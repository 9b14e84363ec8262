//! The listings of the program: its source, and its instructions.

use crate::debug::points::Trigger;
use crate::debug::session::Session;
use crate::debug::terminal::keys::Motion;
use crate::debug::terminal::look::Role;
use crate::debug::terminal::panes::{draw_row, row, Hit, Pane, Scene, Scroll};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use std::collections::BTreeSet;

/// Byte addresses of breakpoints.
pub fn stops(session: &Session) -> BTreeSet<u32> {
    let places = session.points().iter().filter_map(|point| match &point.trigger {
        Trigger::Instruction(places, _) => Some(places),
        _ => None,
    });
    places.flatten().copied().collect()
}

/// A row of a listing.
struct Row<'a> {
    /// The address or line number, or a label.
    head: String,
    text: &'a str,
    is_current: bool,
    is_point: bool,
    has_other: bool,
    hit: Option<Hit>,
}

/// The common state of both listings.
#[derive(Default)]
struct Listing {
    scroll: Scroll,
    /// True once the cursor has been moved: the visible rows follow it.
    follows: bool,
}

impl Listing {
    /// Draws the visible rows of `count`; `make` makes a row. `cursor` is the row with the cursor.
    fn draw<'a>(
        &mut self,
        scene: &Scene,
        area: Rect,
        buffer: &mut Buffer,
        cursor: Option<usize>,
        count: usize,
        make: impl Fn(usize) -> Row<'a>,
    ) -> Vec<(Rect, Hit)> {
        let height = usize::from(area.height);
        self.scroll.fit(count, height);
        if let (Some(cursor), true) = (cursor, self.follows) {
            // Show some rows around the cursor if they fit.
            let around = 2.min(height.saturating_sub(1) / 2);
            self.scroll.show(cursor.saturating_sub(around));
            self.scroll.show((cursor + around).min(count.saturating_sub(1)));
            self.scroll.show(cursor);
        }
        self.scroll.fit(count, height);
        let mut hits = Vec::new();
        for (place, index) in (self.scroll.top..count).take(height).enumerate() {
            let made = make(index);
            let look = scene.look;
            let (mark, role) = match (made.is_current, made.has_other) {
                (true, _) => (look.current(), Role::Current),
                (false, true) => (look.other(), Role::Head),
                (false, false) => (" ", Role::Plain),
            };
            let point = if made.is_point { look.point() } else { " " };
            let text = self.scroll.cut(made.text);
            let mut line = Line::from(vec![
                scene.span(Role::Current, mark),
                scene.span(Role::Point, point),
                scene.span(if made.is_current { Role::Current } else { Role::Dim }, made.head),
                scene.span(if role == Role::Current { role } else { Role::Plain }, text),
            ]);
            if cursor == Some(index) {
                line = line.patch_style(look.style(Role::Cursor));
            }
            draw_row(buffer, area, place, &line);
            hits.extend(made.hit.map(|hit| (row(area, place), hit)));
        }
        hits
    }

    /// Moves the cursor, or the text sideways; returns the cursor's row.
    fn motion(&mut self, row: usize, motion: Motion) -> usize {
        self.scroll.sideways(motion);
        self.follows = true;
        self.scroll.moved(row, motion)
    }
}

/// The source text.
#[derive(Default)]
pub struct SourcePane {
    listing: Listing,
    /// The cursor's line, from 1.
    pub cursor: u32,
}

impl SourcePane {
    /// Puts the cursor on a line.
    pub fn go_to(&mut self, line: u32) {
        self.cursor = line;
        self.listing.follows = true;
    }
}

impl Pane for SourcePane {
    fn title(&self, scene: &Scene) -> String {
        let source = scene.session.code().source.as_ref();
        let name = source.and_then(|source| source.path.file_name());
        name.map_or("source".into(), |name| name.to_string_lossy().into_owned())
    }

    fn draw(&mut self, scene: &Scene, area: Rect, buffer: &mut Buffer) -> Vec<(Rect, Hit)> {
        let code = scene.session.code();
        let Some(source) = &code.source else {
            let text = scene.span(Role::Dim, "the program has no line information");
            draw_row(buffer, area, 0, &text.into());
            return Vec::new();
        };
        let line_of = |pc: Option<u32>| pc.and_then(|pc| code.line(pc));
        let current = line_of(scene.chosen().and_then(|warp| warp.pc));
        let others: BTreeSet<u32> = scene.warps.iter().filter_map(|warp| line_of(warp.pc)).collect();
        let points: BTreeSet<u32> = stops(scene.session).iter().filter_map(|pc| code.line(*pc)).collect();
        let digits = source.lines.len().to_string().len();
        let cursor = (self.cursor as usize).checked_sub(1);
        self.listing
            .draw(scene, area, buffer, cursor, source.lines.len(), |index| {
                let number = index as u32 + 1;
                Row {
                    head: format!("{number:>digits$} "),
                    text: &source.lines[index],
                    is_current: current == Some(number),
                    is_point: points.contains(&number),
                    has_other: others.contains(&number),
                    hit: Some(Hit::Line(number)),
                }
            })
    }

    fn motion(&mut self, _: &Session, motion: Motion) {
        let row = (self.cursor as usize).saturating_sub(1);
        self.cursor = self.listing.motion(row, motion) as u32 + 1;
    }
}

/// The instructions.
#[derive(Default)]
pub struct CodePane {
    listing: Listing,
    /// The cursor's byte address.
    pub cursor: u32,
}

/// The rows for the instructions and their labels: byte address, true for a label, and the text.
fn rows(session: &Session) -> Vec<(u32, bool, &str)> {
    let code = session.code();
    let mut rows = Vec::new();
    for (pc, statement) in code.statements() {
        rows.extend(code.label(pc).map(|label| (pc, true, label)));
        rows.push((pc, false, statement));
    }
    rows
}

fn row_of(rows: &[(u32, bool, &str)], pc: u32) -> Option<usize> {
    rows.iter().position(|(at, is_label, _)| *at == pc && !is_label)
}

impl CodePane {
    /// Puts the cursor on an instruction.
    pub fn go_to(&mut self, pc: u32) {
        self.cursor = pc;
        self.listing.follows = true;
    }
}

impl Pane for CodePane {
    fn title(&self, _: &Scene) -> String {
        "SASS".into()
    }

    fn draw(&mut self, scene: &Scene, area: Rect, buffer: &mut Buffer) -> Vec<(Rect, Hit)> {
        let rows = rows(scene.session);
        let current = scene.chosen().and_then(|warp| warp.pc);
        let others: BTreeSet<u32> = scene.warps.iter().filter_map(|warp| warp.pc).collect();
        let points = stops(scene.session);
        let cursor = row_of(&rows, self.cursor);
        self.listing.draw(scene, area, buffer, cursor, rows.len(), |index| {
            let (pc, is_label, text) = rows[index];
            if is_label {
                return Row {
                    head: format!("{text}:"),
                    text: "",
                    is_current: false,
                    is_point: false,
                    has_other: false,
                    hit: None,
                };
            }
            Row {
                head: format!("{pc:04x}  "),
                text,
                is_current: current == Some(pc),
                is_point: points.contains(&pc),
                has_other: others.contains(&pc),
                hit: Some(Hit::Instruction(pc)),
            }
        })
    }

    fn motion(&mut self, session: &Session, motion: Motion) {
        let rows = rows(session);
        let from = row_of(&rows, self.cursor).unwrap_or(0);
        let mut to = self.listing.motion(from, motion);
        // The cursor cannot be on a label, so it moves on to the next instruction, or to the one before.
        if rows.get(to).is_some_and(|(_, is_label, _)| *is_label) {
            let up = matches!(motion, Motion::Up | Motion::PageUp) && to > 0;
            to = if up { to - 1 } else { to + 1 };
        }
        if let Some((pc, ..)) = rows.get(to) {
            self.cursor = *pc;
        }
    }
}
