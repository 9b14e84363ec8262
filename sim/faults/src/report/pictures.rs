//! Pictures as SVG in the page. Text has the page's colour, so that it is readable in dark and light themes.

use super::histogram::{Bin, Shown};
use super::html::escape;
use crate::results::outcome::Outcome;
use hdlkit::output::grouped;
use svg::node::element::{Group, Line, Polyline, Rectangle, Text, Title};
use svg::node::Text as Characters;
use svg::Document;

/// The width of all pictures, in SVG units, like all sizes here.
const WIDTH: f64 = 900.0;
/// The width of the labels on the left.
const LABELS: f64 = 260.0;
/// The number of characters that fit into a label.
const LABEL_CHARACTERS: usize = 40;
/// The width of the notes on the right.
const NOTES: f64 = 80.0;
/// The width of bars and curves.
const PLOT: f64 = WIDTH - LABELS - NOTES;
/// The height of a line of bars or squares.
const LINE: f64 = 20.0;
/// The ends of the scales of shares; a quarter of each has a short decimal representation.
const SCALES: [f64; 8] = [0.004, 0.008, 0.02, 0.04, 0.08, 0.2, 0.4, 0.8];
/// The maximum number of lines of a picture; the table has all lines.
const MOST_LINES: usize = 40;
/// The colour of histograms and curves.
pub(super) const PLAIN: &str = "#0072b2";

/// Reduces a picture to the lines with the most faults, in their order. Returns a note if lines are left out.
pub(super) fn most_lines<T>(lines: &mut Vec<T>, faults: impl Fn(&T) -> u64) -> Vec<String> {
    if lines.len() <= MOST_LINES {
        return Vec::new();
    }
    let mut counts: Vec<u64> = lines.iter().map(&faults).collect();
    counts.sort_unstable_by(|one, other| other.cmp(one));
    let least = counts[MOST_LINES - 1];
    let note = format!(
        "The picture has the {MOST_LINES} lines with the most faults, of {}.",
        lines.len()
    );
    lines.retain(|line| faults(line) >= least);
    // Several lines may have as many faults as the last one.
    lines.truncate(MOST_LINES);
    vec![note]
}

/// The colour of an outcome. The colours can be told apart by colour-blind readers, on white and on black.
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

/// A segment of a bar.
pub(super) struct BarSegment {
    /// The size as a share of the whole width, from 0 to 1.
    pub(super) size: f64,
    /// The fill colour.
    pub(super) colour: &'static str,
    /// The tooltip.
    pub(super) title: String,
}

/// A line of a bar chart.
pub(super) struct Bar {
    /// The text before the bar.
    pub(super) label: String,
    /// The segments from left to right.
    pub(super) segments: Vec<BarSegment>,
    /// The text after the bar.
    pub(super) note: String,
}

/// Rounds to a tenth, so that the picture is the same on every machine; 0 for NaN or infinity.
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

/// The label of a line. A label that is too long is shortened in the middle, with the whole text as a tooltip.
fn label(y: f64, characters: &str) -> Group {
    let count = characters.chars().count();
    let shown: String = match count > LABEL_CHARACTERS {
        false => characters.to_string(),
        true => {
            let begin = LABEL_CHARACTERS / 2;
            let end = LABEL_CHARACTERS - begin - 1;
            let first = characters.chars().take(begin).chain(['…']);
            first.chain(characters.chars().skip(count - end)).collect()
        }
    };
    let line = text(LABELS - 8.0, y + 12.0, "end", &shown);
    Group::new().add(title(characters)).add(line)
}

/// The title of an axis.
fn axis(x: f64, y: f64, anchor: &str, characters: &str) -> Text {
    text(x, y, anchor, characters).set("font-style", "italic")
}

/// A bar chart with horizontal bars, below the titles of labels and bars.
pub(super) fn bars(bars: &[Bar], (of_labels, of_bars): (&str, &str), about: &str) -> String {
    let mut picture = document(LINE * (bars.len() + 1) as f64 + 4.0, about)
        .add(axis(LABELS - 8.0, 12.0, "end", of_labels))
        .add(axis(LABELS, 12.0, "start", of_bars));
    for (number, bar) in bars.iter().enumerate() {
        let y = LINE * (number + 1) as f64 + 2.0;
        picture = picture.add(label(y, &bar.label));
        let mut x = LABELS;
        for segment in &bar.segments {
            let width = segment.size * PLOT;
            let drawn = rectangle(x, y, width, segment.colour);
            picture = picture.add(Group::new().add(title(&segment.title)).add(drawn));
            x += width;
        }
        picture = picture.add(text(x + 6.0, y + 12.0, "start", &bar.note));
    }
    format!("{picture}\n")
}

/// The histogram of `values`, with those bins that are drawn as bars; the longest bar has the full width.
pub(super) fn histogram(bins: &[Bin], values: &str, about: &str) -> String {
    let drawn: Vec<&Bin> = bins.iter().filter(|bin| bin.shown == Shown::Bar).collect();
    let most = drawn.iter().map(|bin| bin.count).max().unwrap_or(0).max(1);
    let bar = |bin: &&Bin| Bar {
        label: bin.label.clone(),
        segments: vec![BarSegment {
            size: bin.count as f64 / most as f64,
            colour: PLAIN,
            title: format!("{}: {}", bin.label, grouped(bin.count)),
        }],
        note: grouped(bin.count),
    };
    let drawn: Vec<Bar> = drawn.iter().map(bar).collect();
    bars(&drawn, (values, "faults"), about)
}

/// Faults by name and outcome, as squares whose opacity is their share of the line.
pub(super) fn heat_map(lines: &[(String, Vec<u64>)], of_labels: &str, about: &str) -> String {
    let width = (WIDTH - LABELS) / Outcome::ALL.len() as f64;
    let mut picture = document(LINE * (lines.len() + 1) as f64 + 4.0, about);
    picture = picture.add(axis(LABELS - 8.0, 12.0, "end", of_labels));
    let x = |column: usize| LABELS + width * column as f64;
    for (column, outcome) in Outcome::ALL.iter().enumerate() {
        // The longest name at a font size of 12 is wider than the squares.
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
                // The opacity is at most a half, because a number is drawn on top.
                .set("fill-opacity", tenth(share * 5.0) / 10.0);
            let about = title(&format!("{name}, {outcome}: {} of {}", grouped(*count), grouped(all)));
            picture = picture.add(Group::new().add(about).add(square));
            if *count > 0 {
                picture = picture.add(text(x(column) + width / 2.0, y + 12.0, "middle", &grouped(*count)));
            }
        }
    }
    format!("{picture}\n")
}

/// A step curve of shares, from 0 to 1, over cycles up to `last`.
pub(crate) fn curve(steps: &[(u64, f64)], last: u64, about: &str) -> String {
    // The plot begins below the title of the shares.
    let (top, height) = (26.0, 200.0);
    let (left, width) = (50.0, WIDTH - 50.0 - 30.0);
    let last = steps.iter().map(|step| step.0).chain([last, 1]).max().unwrap_or(1);
    let most = steps.iter().map(|step| step.1).fold(0.0, f64::max);
    let scale = SCALES.into_iter().find(|scale| *scale >= most).unwrap_or(1.0);
    let x_of = |cycle: u64| tenth(left + cycle as f64 / last as f64 * width);
    let y_of = |share: f64| tenth(top + height - share / scale * height);
    let mut picture = document(top + height + 44.0, about)
        .add(axis(0.0, 12.0, "start", "share of all faults"))
        .add(axis(left + width / 2.0, top + height + 36.0, "middle", "cycle"));
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
            .add(text(x_of(cycle), top + height + 18.0, "middle", &grouped(cycle)));
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
        let bin = |label: &str, count, shown| Bin {
            label: label.into(),
            count,
            shown,
        };
        let bins = [
            bin("<b> & \"c\"", 4_000, Shown::Bar),
            bin("d", 1_000, Shown::Bar),
            bin("e", 900_000, Shown::Absent),
            bin("f", 900_000, Shown::Beside),
        ];
        let picture = histogram(&bins, "letter", "about '\"<>&");
        assert_eq!(sum(&parse(&picture), "width"), PLOT * 1.25);
        for expected in [">\nletter\n<", ">\nfaults\n<", ">\n4,000\n<"] {
            assert!(picture.contains(expected), "{expected}: {picture}");
        }
    }

    #[test]
    fn empty_pictures_are_well_formed() {
        for picture in [
            bars(&[], ("", ""), ""),
            histogram(&[], "", ""),
            heat_map(&[], "", ""),
            heat_map(&[("a".into(), vec![0; 7])], "", ""),
            curve(&[], 0, ""),
            curve(&[(u64::MAX, 1.0)], 5, ""),
            curve(&[(1, 1e-9)], 5, ""),
        ] {
            parse(&picture);
            assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
        }
    }

    #[test]
    fn long_labels_show_both_ends() {
        let name = "é".to_string() + &"a".repeat(60) + "zé";
        let shown = label(0.0, &name).to_string();
        assert!(
            shown.contains(&format!("\né{}…{}zé\n", "a".repeat(19), "a".repeat(17))),
            "{shown}"
        );
        assert!(shown.contains(&name));
        let fits = "a".repeat(40);
        assert!(!label(0.0, &fits).to_string().contains('…'));
    }

    #[test]
    fn curve_rises_in_steps() {
        let picture = curve(&[(10, 0.1), (20, 0.2)], 100, "");
        let points = "50,226 132,226 132,126 214,126 214,26 870,26 870,26";
        assert!(picture.contains(points), "{picture}");
        assert!(picture.contains("\ncycle\n") && picture.contains("\nshare of all faults\n"));
    }
}
