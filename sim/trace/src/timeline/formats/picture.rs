//! A picture of the pipeline, as SVG: a line for each instruction, in the order of issue, with its stages over time.

use crate::timeline::formats::format::{About, Format};
use crate::timeline::instruction::{Instruction, Need, Unit};
use crate::timeline::stages::Stage;
use std::io::Write;
use svg::node::element::{Group, Line, Rectangle, Text, Title};
use svg::node::Text as Characters;
use svg::Document;

/// Maximum number of instructions in a picture; more are not readable. The picture notes that the rest of the run is
/// left out.
const MOST: usize = 120;
/// The widths of the picture, of its labels and of its time axis.
const WIDTH: f64 = 980.0;
const LABELS: f64 = 270.0;
const TIME: f64 = WIDTH - LABELS - 14.0;
/// Maximum number of characters of a label.
const LABEL_CHARACTERS: usize = 47;
/// The height of a line, and of the head above the first.
const LINE: f64 = 11.0;
const HEAD: f64 = 66.0;
/// Maximum number of marks on the time axis.
const MARKS: u64 = 12;

/// The stages, their colours and descriptions. The colours differ for readers who cannot tell red from green.
const STAGES: [(Stage, &str, &str); 7] = [
    (Stage::Issue, "#222222", "issue"),
    (Stage::Collector, "#cc79a7", "operand collector"),
    (Stage::Read, "#56b4e9", "read"),
    (Stage::Execute, "#0072b2", "execute"),
    (Stage::SpecialFunction, "#009e73", "special function unit"),
    (Stage::Memory, "#e69f00", "memory"),
    (Stage::Writeback, "#d55e00", "writeback"),
];

/// An instruction's line.
struct Row {
    label: String,
    about: String,
    /// The stages with their start times; the last ends with the line.
    stages: Vec<(Stage, u64)>,
    end: u64,
}

/// The encoder, which draws the picture at the end.
pub(in crate::timeline) struct Picture {
    title: String,
    unit: String,
    sms: u32,
    rows: Vec<Row>,
    /// The number of instructions of the run.
    count: u64,
}

fn escaped(characters: &str) -> Characters {
    Characters::new(
        characters
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;"),
    )
}

fn text(x: f64, y: f64, size: u32, characters: &str) -> Text {
    Text::new()
        .set("x", x)
        .set("y", y)
        .set("font-size", size)
        .set("fill", "#222222")
        .add(escaped(characters))
}

fn colour(stage: Stage) -> &'static str {
    let known = STAGES.iter().find(|(known, ..)| *known == stage);
    known.map_or("#222222", |(_, colour, _)| colour)
}

/// The distance of marks on an axis of `span` units of time: 1, 2 or 5 times a power of ten.
fn distance(span: u64) -> u64 {
    let powers = std::iter::successors(Some(1_u64), |power| power.checked_mul(10));
    let mut distances = powers.flat_map(|power| [1, 2, 5].map(|times| power.saturating_mul(times)));
    distances.find(|distance| span / distance <= MARKS).unwrap_or(u64::MAX)
}

impl Picture {
    /// A picture for a machine with `sms` streaming multiprocessors.
    pub(in crate::timeline) fn new(sms: u32) -> Self {
        Picture {
            title: String::new(),
            unit: String::new(),
            sms,
            rows: Vec::new(),
            count: 0,
        }
    }

    /// The horizontal position of a time in a picture of `from..to`, rounded so that it is the same on every machine.
    fn place(time: u64, (from, to): (u64, u64)) -> f64 {
        let share = (time - from) as f64 / (to - from).max(1) as f64;
        LABELS + (10.0 * TIME * share).round() / 10.0
    }

    fn legend(&self) -> Group {
        let mut legend = Group::new();
        let mut x = LABELS;
        for (stage, colour, name) in STAGES {
            if !self
                .rows
                .iter()
                .any(|row| row.stages.iter().any(|(own, _)| *own == stage))
            {
                continue;
            }
            let square = Rectangle::new()
                .set("x", x)
                .set("y", 27)
                .set("width", 9)
                .set("height", 9);
            legend = legend
                .add(square.set("fill", colour))
                .add(text(x + 13.0, 36.0, 12, name));
            x += 32.0 + 6.5 * name.len() as f64;
        }
        legend
    }

    fn row(row: &Row, y: f64, span: (u64, u64)) -> Group {
        let label = text(10.0, y + 9.0, 9, &row.label)
            .set("font-family", "monospace")
            .set("xml:space", "preserve");
        let mut group = Group::new().add(Title::new().add(escaped(&row.about))).add(label);
        let ends = row.stages.iter().skip(1).map(|(_, begin)| *begin).chain([row.end]);
        for ((stage, begin), end) in row.stages.iter().zip(ends) {
            let (left, right) = (Self::place(*begin, span), Self::place(end, span));
            let width = (10.0 * (right - left)).round() / 10.0;
            let part = Rectangle::new().set("x", left).set("y", y + 1.0).set("width", width);
            group = group.add(part.set("height", LINE - 2.0).set("fill", colour(*stage)));
        }
        group
    }

    fn document(&self) -> Document {
        let height = HEAD + LINE * self.rows.len() as f64 + 10.0;
        let first = self.rows.iter().filter_map(|row| row.stages.first());
        let from = first.map(|(_, begin)| *begin).min().unwrap_or(0);
        let span = (from, self.rows.iter().map(|row| row.end).max().unwrap_or(from + 1));
        let left_out = self.count - self.rows.len() as u64;
        let rest = match left_out {
            0 => String::new(),
            _ => format!("; {left_out} later instructions are left out"),
        };
        let heading = format!("{}: each row is a warp instruction{rest}", self.title);
        let mut document = Document::new()
            .set("viewBox", format!("0 0 {WIDTH} {height}"))
            .set("width", WIDTH)
            .set("height", height)
            .set("font-family", "sans-serif")
            .add(
                Rectangle::new()
                    .set("width", WIDTH)
                    .set("height", height)
                    .set("fill", "white"),
            )
            .add(text(10.0, 18.0, 13, &heading))
            .add(self.legend())
            .add(text(LABELS - 6.0, HEAD - 12.0, 11, &self.unit).set("text-anchor", "end"));
        let distance = distance(span.1 - span.0);
        let marks = (span.0.div_ceil(distance)..).map(|mark| mark * distance);
        for mark in marks.take_while(|mark| *mark <= span.1) {
            let x = Self::place(mark, span);
            let line = Line::new()
                .set("x1", x)
                .set("x2", x)
                .set("y1", HEAD - 8.0)
                .set("y2", height - 8.0);
            document = document
                .add(line.set("stroke", "#dddddd"))
                .add(text(x, HEAD - 12.0, 11, &mark.to_string()).set("text-anchor", "middle"));
        }
        for (number, row) in self.rows.iter().enumerate() {
            document = document.add(Self::row(row, HEAD + LINE * number as f64, span));
        }
        document
    }
}

impl Format for Picture {
    fn begin(&mut self, about: &About, _: &mut Vec<u8>) {
        self.title = format!("{}, {}", about.title, about.machine);
        self.unit = match about.unit {
            Unit::Cycles => "cycle".into(),
            Unit::Instructions => "warp instruction".into(),
        };
    }

    fn instruction(&mut self, instruction: &Instruction, _: &[Need], _: &mut Vec<u8>) {
        self.count += 1;
        if self.rows.len() == MOST {
            return;
        }
        let Instruction { sm, warp, pc, .. } = *instruction;
        let code = &instruction.code.text;
        let place = match self.sms {
            1 => String::new(),
            _ => format!("SM {sm} "),
        };
        let label = format!("{place}warp {warp:<2} {pc:04x} {code}");
        self.rows.push(Row {
            label: label.chars().take(LABEL_CHARACTERS).collect(),
            about: format!(
                "block {}, warp {} in it, {} lanes: {code}, {} to {}",
                instruction.block,
                instruction.warp_in_block,
                instruction.executed.count_ones(),
                instruction.begin,
                instruction.end - 1
            ),
            stages: instruction.stages.iter().collect(),
            end: instruction.end,
        });
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        // Writing to memory does not fail.
        let _ = writeln!(out, "{}", self.document());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::instruction::tests::instruction;

    fn about(unit: Unit) -> About {
        About {
            title: "a < b".into(),
            machine: "8 lanes, 1 SM".into(),
            unit,
            interval: 100,
        }
    }

    /// The stages' rectangles: left, width.
    fn parts(picture: &str) -> Vec<(f64, f64)> {
        let value = |line: &str, name: &str| -> f64 {
            let (_, after) = line.split_once(&format!(" {name}=\"")).unwrap();
            after.split('"').next().unwrap().parse().unwrap()
        };
        let stages = picture
            .lines()
            .filter(|line| line.contains("height=\"9\"") && !line.contains("y=\"27\""));
        stages.map(|line| (value(line, "x"), value(line, "width"))).collect()
    }

    #[test]
    fn lines_lie_over_their_time() {
        let mut out = Vec::new();
        let mut picture = Picture::new(1);
        picture.begin(&about(Unit::Cycles), &mut out);
        picture.instruction(&instruction(0, "RET", 100, 110), &[], &mut out);
        picture.instruction(&instruction(1, "RET", 105, 120), &[], &mut out);
        picture.end(&mut out);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            parts(&text),
            [(LABELS, TIME / 2.0), (LABELS + TIME / 4.0, 3.0 * TIME / 4.0)]
        );
        assert!(
            text.contains("a &lt; b, 8 lanes, 1 SM: each row is a warp instruction\n"),
            "{text}"
        );
        assert!(text.contains("\nexecute\n") && !text.contains("\nmemory\n"), "{text}");
        assert!(text.contains("\nwarp 0  0008 RET\n"), "{text}");
    }

    #[test]
    fn marks_are_round_and_few() {
        assert_eq!([1, 12, 13, 25, 26, 120, 484].map(distance), [1, 1, 2, 2, 5, 10, 50]);
        assert!((1..10_000).all(|span| span / distance(span) <= MARKS));
    }

    #[test]
    fn empty_and_long_runs_are_drawn() {
        for count in [0, MOST as u64, MOST as u64 + 5] {
            let mut out = Vec::new();
            let mut picture = Picture::new(2);
            picture.begin(&about(Unit::Instructions), &mut out);
            for number in 0..count {
                picture.instruction(&instruction(number, "RET", number, number + 1), &[], &mut out);
            }
            picture.end(&mut out);
            let text = String::from_utf8(out).unwrap();
            assert_eq!(parts(&text).len() as u64, count.min(MOST as u64));
            assert_eq!(
                text.contains("; 5 later instructions are left out"),
                count > MOST as u64
            );
            assert_eq!(text.contains("SM 0 warp 0  0000 RET"), count > 0);
        }
    }
}
