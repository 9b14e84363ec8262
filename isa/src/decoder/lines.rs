//! The file with the kernel that drives the units' lines.

use super::source::{bits_expression, name_of, HEAD};
use crate::table::control::{Line, Reading};
use crate::table::field::Field;
use crate::table::{Form, ROWS};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The committed file with the units' lines.
pub const LINES_PATH: &str = "hdl/src/issue/decode/lines.rs";

/// Readings by name, with the field in long words and in the others.
fn readings() -> Vec<(&'static Reading, Option<Field>, Option<Field>)> {
    let mut all: Vec<(&'static Reading, Option<Field>, Option<Field>)> = vec![];
    for row in ROWS.iter().filter(|row| row.executes()) {
        for reading in row.control.reads {
            let place = all
                .iter()
                .position(|(known, ..)| known.name == reading.name)
                .unwrap_or_else(|| {
                    all.push((reading, None, None));
                    all.len() - 1
                });
            assert_eq!(
                all[place].0.lines, reading.lines,
                "{}: two readings of one name",
                reading.name
            );
            let field = if row.form() == Form::Long {
                &mut all[place].1
            } else {
                &mut all[place].2
            };
            let known = field.get_or_insert(reading.field);
            assert_eq!(known.parts, reading.field.parts, "{}: two fields", reading.name);
        }
    }
    all
}

/// The kernel that drives the units' lines.
pub fn lines_file() -> String {
    let readings = readings();
    let width_of = |reading: &Reading| reading.field.width();
    let mut locals: Vec<String> = vec![];
    let mut body = String::new();
    // By line: what is 1 where it is.
    let mut bits: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut others = String::new();
    for row in ROWS.iter().filter(|row| row.executes()) {
        for path in row.control.sets.iter().filter(|path| path.contains('.')) {
            let term = format!("self.d_row.val().{}", name_of(path));
            let terms = bits.entry(path).or_default();
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
    }
    for (reading, long, short) in &readings {
        let name = reading.name;
        let width = width_of(reading);
        let typed = if width == 1 {
            "Bit".into()
        } else {
            format!("Bits<{width}>")
        };
        locals.push(format!("{name}: Signal<Local, {typed}>"));
        match (long, short) {
            (Some(long), Some(short)) if long.parts == short.parts => {
                let _ = writeln!(body, "        self.{name}.next = {};", bits_expression(long.parts));
            }
            (Some(long), Some(short)) => {
                let _ = writeln!(body, "        self.{name}.next = {};", bits_expression(short.parts));
                let _ = writeln!(
                    body,
                    "        if self.d_layout.val().is_full {{\n            self.{name}.next = {};\n        }}",
                    bits_expression(long.parts)
                );
            }
            (Some(field), None) | (None, Some(field)) => {
                let _ = writeln!(body, "        self.{name}.next = {};", bits_expression(field.parts));
            }
            (None, None) => {}
        }
        let chosen = format!("self.d_row.val().{name}");
        for line in reading.lines {
            match line {
                Line::Bit(path) => bits
                    .entry(path)
                    .or_default()
                    .push(format!("({chosen} && self.{name}.val())")),
                Line::When(path, values) => {
                    let set = (0..1u32 << width)
                        .filter(|value| values.contains(value))
                        .collect::<Vec<_>>();
                    let single = (0..width)
                        .find(|bit| (0..1u32 << width).all(|value| set.contains(&value) == (value >> bit & 1 == 1)));
                    let term = match (single, &set[..]) {
                        (Some(bit), _) => format!("self.{name}.val().get_bit({bit})"),
                        (None, [value]) => format!("(self.{name}.val() == {value})"),
                        _ => {
                            let local = format!("{name}_{}", name_of(path));
                            if !locals.iter().any(|known| known.starts_with(&format!("{local}:"))) {
                                locals.push(format!("{local}: Signal<Local, Bit>"));
                                let _ = writeln!(
                                    body,
                                    "        self.{local}.next = false;\n        match self.{name}.val().index() {{"
                                );
                                for value in &set {
                                    let _ = writeln!(body, "            {value} => self.{local}.next = true,");
                                }
                                body.push_str("            _ => {}\n        }\n");
                            }
                            format!("self.{local}.val()")
                        }
                    };
                    bits.entry(path).or_default().push(format!("({chosen} && {term})"));
                }
                Line::Number(path) => {
                    let (unit, line) = path.split_once('.').unwrap_or((path, ""));
                    let _ = writeln!(others, "        if {chosen} {{\n            self.{unit}_lines.next.{line} = self.{name}.val();\n        }}");
                }
                Line::Variant(path, kind, variants) => {
                    let (unit, line) = path.split_once('.').unwrap_or((path, ""));
                    let _ = writeln!(others, "        if {chosen} {{");
                    if let [zero, one] = variants {
                        let _ = writeln!(others, "            self.{unit}_lines.next.{line} = {kind}::{zero};");
                        let _ = writeln!(others, "            if self.{name}.val() {{\n                self.{unit}_lines.next.{line} = {kind}::{one};\n            }}");
                    } else {
                        let _ = writeln!(others, "            match self.{name}.val().index() {{");
                        let last = variants.len() - 1;
                        for (value, variant) in variants.iter().enumerate() {
                            let arm = if value == last { "_".into() } else { value.to_string() };
                            let _ = writeln!(
                                others,
                                "                {arm} => self.{unit}_lines.next.{line} = {kind}::{variant},"
                            );
                        }
                        others.push_str("            }\n");
                    }
                    others.push_str("        }\n");
                }
            }
        }
    }
    let mut out = String::from(HEAD);
    out.push_str(
        "\n//! The lines of the units' control that the word's fields drive, each for the rows that ask for it.\n\n\
         use super::layout::Layout;\nuse super::rows::Row;\nuse crate::bundles::*;\nuse crate::execute::float::{FloatControl, FloatOperation};\n\
         use crate::execute::special_function::SpecialControl;\nuse hdlkit::prelude::*;\n\n\
         /// The units' lines. Those of a unit that the instruction does not go to mean nothing.\n\
         #[derive(LogicBlock, Cycle, Blank)]\npub struct Lines {\n    pub d_word: Signal<In, Bits<64>>,\n    pub d_layout: Signal<In, Layout>,\n    \
         pub d_row: Signal<In, Row>,\n    pub d_integer: Signal<Out, IntegerControl>,\n    pub d_float: Signal<Out, FloatControl>,\n    \
         pub d_special: Signal<Out, SpecialControl>,\n    integer_lines: Signal<Local, IntegerControl>,\n    float_lines: Signal<Local, FloatControl>,\n    \
         special_lines: Signal<Local, SpecialControl>,\n    no_integer: Constant<IntegerControl>,\n    no_float: Constant<FloatControl>,\n    \
         no_special: Constant<SpecialControl>,\n",
    );
    for local in &locals {
        let _ = writeln!(out, "    {local},");
    }
    out.push_str("    _activity: Activity,\n}\n\nimpl Logic for Lines {\n    #[hdl_gen]\n    fn update(&mut self) {\n        // The fields.\n");
    out.push_str(&body);
    out.push_str(
        "\n        // The lines.\n        self.integer_lines.next = self.no_integer.val();\n        self.float_lines.next = self.no_float.val();\n        \
         self.special_lines.next = self.no_special.val();\n        self.integer_lines.next.operation = self.d_row.val().integer;\n        \
         self.float_lines.next.operation = self.d_row.val().float;\n        self.special_lines.next.operation = self.d_row.val().special;\n        \
         self.integer_lines.next.narrow =\n            (self.d_row.val().sized || self.d_row.val().sized_a) && !self.d_layout.val().wide;\n",
    );
    for (path, terms) in &bits {
        let (unit, line) = path.split_once('.').unwrap_or((path, ""));
        match &terms[..] {
            [one] => {
                let one = one
                    .strip_prefix('(')
                    .and_then(|one| one.strip_suffix(')'))
                    .unwrap_or(one);
                let _ = writeln!(out, "        self.{unit}_lines.next.{line} = {one};");
            }
            _ => {
                let _ = writeln!(
                    out,
                    "        self.{unit}_lines.next.{line} = {};",
                    terms.join("\n            || ")
                );
            }
        }
    }
    out.push_str(&others);
    out.push_str(
        "        self.d_integer.next = self.integer_lines.val();\n        self.d_float.next = self.float_lines.val();\n        \
         self.d_special.next = self.special_lines.val();\n    }\n}\n",
    );
    out
}
