//! Pictures as SVG inside the page. Text has the page's colour, so that it can be read in dark and light.

use super::page::escape;
use crate::outcome::Outcome;
use svg::node::element::{Group, Line, Polyline, Rectangle, Text, Title};
use svg::node::Text as Characters;
use svg::Document;

/// Width of all pictures.
const WIDTH: f64 = 900.0;
/// Width of the labels at the left.
const LABELS: f64 = 260.0;
/// Characters that fit there.
const LABEL_CHARACTERS: usize = 40;
/// Width of the notes at the right.
const NOTES: f64 = 80.0;
/// Width of bars and curves.
const PLOT: f64 = WIDTH - LABELS - NOTES;
/// Height of a line of bars or squares.
const LINE: f64 = 20.0;
/// The colour of histograms and curves.
pub(super) const PLAIN: &str = "#0072b2";

/// The colour of an outcome. Distinguishable without red and green, on white and on black.
pub(super) fn colour(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NotExcited => "#c8c8c8",
        Outcome::Masked => "#8f8f8f",
        Outcome::MaskedOtherCycles => "#56b4e9",
        Outcome::Latent => "#0072b2",
        Outcome::SilentCorruption => "#d55e00",
        Outcome::Detected => "#009e73",
        Outcome::Hang => "#e69f00",
    }
}

/// A bar, or a part of one.
pub(super) struct Part {
    /// From 0 to 1 of the whole width.
    pub(super) size: f64,
    /// The colour.
    pub(super) colour: &'static str,
    /// What the mouse shows.
    pub(super) title: String,
}

/// A line of a bar chart.
pub(super) struct Bar {
    /// The text before the bar.
    pub(super) label: String,
    /// The parts from left to right.
    pub(super) parts: Vec<Part>,
    /// The text after the bar.
    pub(super) note: String,
}

/// Rounded to a tenth, so that the picture is the same wherever it is drawn; 0 if it is not a number.
fn tenth(value: f64) -> f64 {
    match value.is_finite() {
        true => (value * 10.0).round() / 10.0,
        false => 0.0,
    }
}

fn document(height: f64, about: &str) -> Document {
    Document::new()
        .set("viewBox", format!("0 0 {WIDTH} {height}"))
        .set("width", WIDTH)
        .set("height", height)
        .set("role", "img")
        .add(title(about))
}

fn title(text: &str) -> Title {
    Title::new().add(Characters::new(escape(text)))
}

fn text(x: f64, y: f64, anchor: &str, characters: &str) -> Text {
    Text::new()
        .set("x", tenth(x))
        .set("y", tenth(y))
        .set("text-anchor", anchor)
        .set("font-size", 12)
        .set("fill", "currentColor")
        .add(Characters::new(escape(characters)))
}

fn rectangle(x: f64, y: f64, width: f64, colour: &str) -> Rectangle {
    Rectangle::new()
        .set("x", tenth(x))
        .set("y", tenth(y))
        .set("width", tenth(width))
        .set("height", LINE - 4.0)
        .set("fill", colour)
}

/// The label of a line; if it is too long, its end, and all of it under the mouse.
fn label(y: f64, characters: &str) -> Group {
    let count = characters.chars().count();
    let shown: String = match count.checked_sub(LABEL_CHARACTERS) {
        None | Some(0) => characters.to_string(),
        Some(more) => "…".chars().chain(characters.chars().skip(more + 1)).collect(),
    };
    let line = text(LABELS - 8.0, y + 12.0, "end", &shown);
    Group::new().add(title(characters)).add(line)
}

/// A bar chart with horizontal bars.
pub(super) fn bars(bars: &[Bar], about: &str) -> String {
    let mut picture = document(LINE * bars.len() as f64 + 4.0, about);
    for (number, bar) in bars.iter().enumerate() {
        let y = LINE * number as f64 + 2.0;
        picture = picture.add(label(y, &bar.label));
        let mut x = LABELS;
        for part in &bar.parts {
            let width = part.size * PLOT;
            let drawn = rectangle(x, y, width, part.colour);
            picture = picture.add(Group::new().add(title(&part.title)).add(drawn));
            x += width;
        }
        picture = picture.add(text(x + 6.0, y + 12.0, "start", &bar.note));
    }
    format!("{picture}\n")
}

/// Counts as bars; the longest one fills the width.
pub(super) fn histogram(counts: &[(String, u64)], about: &str) -> String {
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let bar = |(label, count): &(String, u64)| Bar {
        label: label.clone(),
        parts: vec![Part {
            size: *count as f64 / most as f64,
            colour: PLAIN,
            title: format!("{label}: {count}"),
        }],
        note: count.to_string(),
    };
    bars(&counts.iter().map(bar).collect::<Vec<_>>(), about)
}

/// Counts by name and outcome as squares, each as opaque as its share of the line.
pub(super) fn heat_map(lines: &[(String, Vec<u64>)], about: &str) -> String {
    let width = (WIDTH - LABELS) / Outcome::ALL.len() as f64;
    let mut picture = document(LINE * (lines.len() + 1) as f64 + 4.0, about);
    let x = |column: usize| LABELS + width * column as f64;
    for (column, outcome) in Outcome::ALL.iter().enumerate() {
        // The longest name is wider than the squares at 12 units.
        let heading = text(x(column) + width / 2.0, 12.0, "middle", outcome.name()).set("font-size", 9);
        picture = picture.add(heading);
    }
    for (number, (name, counts)) in lines.iter().enumerate() {
        let y = LINE * (number + 1) as f64 + 2.0;
        let all: u64 = counts.iter().sum::<u64>().max(1);
        picture = picture.add(label(y, name));
        for (column, (outcome, count)) in Outcome::ALL.iter().zip(counts).enumerate() {
            let share = *count as f64 / all as f64;
            let square = rectangle(x(column), y, width - 2.0, colour(*outcome))
                // Half at most: the number is read on top of it.
                .set("fill-opacity", tenth(share * 5.0) / 10.0);
            let about = title(&format!("{name}, {outcome}: {count} of {all}"));
            picture = picture.add(Group::new().add(about).add(square));
            if *count > 0 {
                picture = picture.add(text(x(column) + width / 2.0, y + 12.0, "middle", &count.to_string()));
            }
        }
    }
    format!("{picture}\n")
}

/// A curve of shares, from 0 to 1, that rises in steps at cycles, up to `last`.
pub(super) fn curve(steps: &[(u64, f64)], last: u64, about: &str) -> String {
    let (top, height) = (10.0, 200.0);
    let (left, width) = (50.0, WIDTH - 50.0 - 30.0);
    let last = steps.iter().map(|step| step.0).chain([last, 1]).max().unwrap_or(1);
    let most = steps.iter().map(|step| step.1).fold(0.0, f64::max);
    // The scale ends at a multiple of 10 %, above the highest share.
    let scale = ((most * 10.0).ceil() / 10.0).clamp(0.1, 1.0);
    let x_of = |cycle: u64| tenth(left + cycle as f64 / last as f64 * width);
    let y_of = |share: f64| tenth(top + height - share / scale * height);
    let mut picture = document(top + height + 30.0, about);
    for quarter in 0..=4_u64 {
        let share = scale * quarter as f64 / 4.0;
        let y = y_of(share);
        let line = Line::new()
            .set("x1", left)
            .set("y1", y)
            .set("x2", left + width)
            .set("y2", y);
        let percent = format!("{} %", tenth(share * 100.0));
        let cycle = (u128::from(last) * u128::from(quarter) / 4) as u64;
        picture = picture
            .add(line.set("stroke", "currentColor").set("stroke-opacity", 0.2))
            .add(text(left - 6.0, y + 4.0, "end", &percent))
            .add(text(x_of(cycle), top + height + 18.0, "middle", &cycle.to_string()));
    }
    let mut points = vec![format!("{},{}", x_of(0), y_of(0.0))];
    let mut before = 0.0;
    for (cycle, share) in steps.iter().copied().chain([(last, most)]) {
        points.push(format!("{0},{1} {0},{2}", x_of(cycle), y_of(before), y_of(share)));
        before = share;
    }
    let line = Polyline::new()
        .set("points", points.join(" "))
        .set("fill", "none")
        .set("stroke", PLAIN)
        .set("stroke-width", 2);
    format!("{}\n", picture.add(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(picture: &str) -> roxmltree::Document<'_> {
        roxmltree::Document::parse(picture).unwrap()
    }

    fn sum(picture: &roxmltree::Document, attribute: &str) -> f64 {
        let rectangles = picture.descendants().filter(|node| node.has_tag_name((SVG, "rect")));
        rectangles
            .map(|node| node.attribute(attribute).unwrap().parse::<f64>().unwrap())
            .sum()
    }

    const SVG: &str = "http://www.w3.org/2000/svg";

    #[test]
    fn longest_bar_fills_the_width() {
        let counts = [("<b> & \"c\"".to_string(), 4), ("d".to_string(), 1)];
        let picture = histogram(&counts, "about '\"<>&");
        assert_eq!(sum(&parse(&picture), "width"), PLOT * 1.25);
    }

    #[test]
    fn empty_pictures_are_well_formed() {
        for picture in [
            bars(&[], ""),
            histogram(&[], ""),
            histogram(&[("a".into(), 0)], ""),
            heat_map(&[], ""),
            heat_map(&[("a".into(), vec![0; 7])], ""),
            curve(&[], 0, ""),
            curve(&[(u64::MAX, 1.0)], 5, ""),
        ] {
            parse(&picture);
            assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
        }
    }

    #[test]
    fn long_labels_show_their_end() {
        let name = "a".repeat(60) + "zé";
        let shown = label(0.0, &name).to_string();
        assert!(shown.contains(&format!("…{}zé", "a".repeat(37))), "{shown}");
        assert!(shown.contains(&name));
    }

    #[test]
    fn curve_rises_in_steps() {
        let picture = curve(&[(10, 0.05), (20, 0.1)], 100, "");
        let points = "50,210 132,210 132,110 214,110 214,10 870,10 870,10";
        assert!(picture.contains(points), "{picture}");
    }
}
