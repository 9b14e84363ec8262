//! Generator of the file with the kernel that drives the units' lines.

use super::control::{Line, Reading};
use super::entries::entries;
use super::entry::Entry;
use super::source::{bits_expression, is_among, name_of, open_function, HEAD, WORD_AND_LAYOUT};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The committed file with the units' lines.
pub const LINES_PATH: &str = "hdl/src/issue/decode/lines.rs";

/// All readings, without repetition.
fn readings(entries: &[Entry]) -> Vec<&'static Reading> {
    let mut all: Vec<&Reading> = vec![];
    for reading in entries.iter().flat_map(|entry| entry.control.reads) {
        match all.iter().find(|known| known.name == reading.name) {
            None => all.push(reading),
            Some(known) => assert_eq!(*known, reading, "two readings have the same name"),
        }
    }
    all
}

/// A unit that has lines: the prefix of their paths, the unit in words, and the bundle of its lines.
struct UnitLines {
    prefix: &'static str,
    text: &'static str,
    bundle: &'static str,
}

const UNITS: [UnitLines; 3] = [
    UnitLines { prefix: "integer", text: "the integer lanes", bundle: "IntegerControl" },
    UnitLines { prefix: "float", text: "the float lanes", bundle: "FloatControl" },
    UnitLines { prefix: "special", text: "the special function unit", bundle: "SpecialControl" },
];

/// The name of a line in its unit; `None` if it belongs to another unit.
fn line_of<'a>(path: &'a str, unit: &UnitLines) -> Option<&'a str> {
    path.strip_prefix(unit.prefix)?.strip_prefix('.')
}

/// The table's information about a unit's lines.
#[derive(Default)]
struct LineExpressions<'a> {
    /// Let statements that read fields.
    fields: String,
    /// The expressions that set each one-bit line.
    bits: BTreeMap<&'a str, Vec<String>>,
    /// For each wider line, the rows' flags that request a value, with the value.
    others: BTreeMap<&'a str, Vec<(String, String)>>,
}

impl<'a> LineExpressions<'a> {
    /// Sets a line to 1 for some rows.
    fn set(&mut self, line: &'a str, path: &str) {
        let term = format!("row.{}", name_of(path));
        let terms = self.bits.entry(line).or_default();
        if !terms.contains(&term) {
            terms.push(term);
        }
    }

    /// Adds the expression that reads a field, in long words and in other words.
    fn read(&mut self, unit: &UnitLines, reading: &'a Reading) {
        let name = reading.name;
        if !reading.lines.iter().any(|line| line_of(line.path(), unit).is_some()) {
            return;
        }
        let value = match (reading.long, reading.short) {
            (Some(long), Some(short)) if long.parts != short.parts => format!(
                "if layout.is_full {{\n        {}\n    }} else {{\n        {}\n    }}",
                bits_expression(long.parts),
                bits_expression(short.parts)
            ),
            (Some(field), _) | (None, Some(field)) => bits_expression(field.parts),
            (None, None) => return,
        };
        let _ = writeln!(self.fields, "    let {name} = {value};");
        for line in reading.lines {
            if let Some(of_unit) = line_of(line.path(), unit) {
                self.drive(of_unit, reading, line);
            }
        }
    }

    /// An expression that is true if the field has one of these values.
    fn term(&mut self, reading: &Reading, line: &str, values: &[u32]) -> String {
        let (name, width) = (reading.name, reading.width());
        let set = (0..1u32 << width).filter(|value| values.contains(value)).collect::<Vec<_>>();
        let single =
            (0..width).find(|bit| (0..1u32 << width).all(|value| set.contains(&value) == (value >> bit & 1 == 1)));
        match (single, &set[..]) {
            (Some(bit), _) => return format!("{name}.get_bit({bit})"),
            (None, [value]) => return format!("{name} == {value}"),
            _ => {}
        }
        let local = format!("{name}_{line}");
        let _ = writeln!(self.fields, "    let {local} = {};", is_among(name, width, &set));
        local
    }

    /// Connects a line to a field.
    fn drive(&mut self, of_unit: &'a str, reading: &Reading, line: &Line) {
        let name = reading.name;
        let chosen = format!("row.{name}");
        let value = match line {
            Line::Bit(_) => {
                let terms = self.bits.entry(of_unit).or_default();
                return terms.push(format!("{chosen} && {name}"));
            }
            Line::When(_, values) => {
                let term = self.term(reading, of_unit, values);
                let terms = self.bits.entry(of_unit).or_default();
                return terms.push(format!("{chosen} && {term}"));
            }
            Line::Number(_) => format!("            {name}\n"),
            Line::Variant(_, kind, [zero, one]) => format!(
                "            if {name} {{\n                {kind}::{one}\n            }} else {{\n                \
                 {kind}::{zero}\n            }}\n"
            ),
            Line::Variant(_, kind, variants) => {
                let mut arms: Vec<(&str, Vec<String>)> = vec![];
                for (value, variant) in variants.iter().enumerate() {
                    match arms.iter_mut().find(|(known, _)| known == variant) {
                        Some((_, values)) => values.push(value.to_string()),
                        None => arms.push((variant, vec![value.to_string()])),
                    }
                }
                let mut text = format!("            match {name}.index() {{\n");
                let last = arms.len() - 1;
                for (place, (variant, values)) in arms.iter().enumerate() {
                    let pattern = if place == last { "_".into() } else { values.join(" | ") };
                    let _ = writeln!(text, "                {pattern} => {kind}::{variant},");
                }
                text + "            }\n"
            }
        };
        self.others.entry(of_unit).or_default().push((chosen, value));
    }

    /// The function that makes a unit's bundle.
    fn function(self, unit: &UnitLines) -> String {
        let UnitLines { prefix, text, bundle } = unit;
        let mut out = String::new();
        open_function(
            &mut out,
            &format!("The lines of {text}."),
            &format!("{prefix}_lines"),
            &format!("{WORD_AND_LAYOUT}, row: Row"),
            bundle,
        );
        let _ = writeln!(out, "{}    {bundle} {{", self.fields);
        if !self.others.contains_key("operation") {
            let _ = writeln!(out, "        operation: row.{prefix},");
        }
        if *prefix == "integer" {
            out.push_str("        narrow: (row.sized || row.sized_a) && !layout.wide,\n");
        }
        for (line, terms) in &self.bits {
            let value = match &terms[..] {
                [one] => one.clone(),
                _ => terms
                    .iter()
                    .map(|term| if term.contains(' ') { format!("({term})") } else { term.clone() })
                    .collect::<Vec<_>>()
                    .join("\n            || "),
            };
            let _ = writeln!(out, "        {line}: {value},");
        }
        for (line, values) in &self.others {
            let _ = write!(out, "        {line}: ");
            // If several are chosen, the last one has priority.
            for (chosen, value) in values.iter().rev() {
                let _ = write!(out, "if {chosen} {{\n{value}        }} else ");
            }
            let otherwise = match *line {
                "operation" => format!("row.{prefix}"),
                line if line.ends_with("width") => "IntegerWidth::default()".into(),
                _ => "bits(0)".into(),
            };
            let _ = writeln!(out, "{{\n            {otherwise}\n        }},");
        }
        out.push_str("    }\n}\n");
        out
    }
}

/// The file with the kernel that drives the units' lines.
pub fn lines_file() -> String {
    let entries = entries();
    let readings = readings(&entries);
    let mut out = String::from(HEAD);
    out.push_str(
        "\n//! Drives the control lines of the units from the fields of the word that the row requests.\n\n\
         use super::layout::Layout;\nuse super::row::Row;\nuse crate::bundles::*;\nuse hdlkit::prelude::*;\n",
    );
    for unit in &UNITS {
        let mut kernel = LineExpressions::default();
        for path in entries.iter().flat_map(|entry| entry.control.sets) {
            if let Some(line) = line_of(path, unit) {
                kernel.set(line, path);
            }
        }
        for reading in &readings {
            kernel.read(unit, reading);
        }
        out.push_str(&kernel.function(unit));
    }
    out.push_str(
        "\n/// Drives the control lines of all units. The lines of a unit that does not execute the instruction are meaningless.\n\
         #[circuit]\npub struct DecodeLines {\n    pub d_word: Signal<In, Bits<64>>,\n    \
         pub d_layout: Signal<In, Layout>,\n    pub d_row: Signal<In, Row>,\n    \
         pub d_integer: Signal<Out, IntegerControl>,\n    pub d_float: Signal<Out, FloatControl>,\n    \
         pub d_special: Signal<Out, SpecialControl>,\n}\n\n\
         impl Logic for DecodeLines {\n    #[hdl_gen]\n    fn update(&mut self) {\n        \
         let word = self.d_word.val();\n        let layout = self.d_layout.val();\n        \
         let row = self.d_row.val();\n        self.d_integer.next = integer_lines(word, layout, row);\n        \
         self.d_float.next = float_lines(word, layout, row);\n        \
         self.d_special.next = special_lines(word, layout, row);\n    }\n}\n",
    );
    out
}
