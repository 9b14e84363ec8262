//! Writes the file with the kernel that drives the units' lines.

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

/// A piece of the kernel: its name, what it does, its statements.
struct Part {
    name: String,
    text: String,
    statements: String,
}

/// The units that have lines: the prefix of their lines' paths, and the owner.
const UNITS: [(&str, &str); 3] = [
    ("integer", "the integer lanes"),
    ("float", "the float lanes"),
    ("special", "the special function unit"),
];

/// A line's unit and its name there.
fn unit_of(path: &str) -> (&str, &str) {
    path.split_once('.').unwrap_or((path, ""))
}

/// The table's information about lines, as pieces of the kernel.
#[derive(Default)]
struct Kernel<'a> {
    /// The block's signals, as fields of its struct.
    locals: Vec<String>,
    /// By the unit of a field's first line: statements that read fields.
    fields: Vec<(&'a str, String)>,
    /// By one-bit line: the expressions that set it.
    bits: BTreeMap<&'a str, Vec<String>>,
    /// Statements that drive lines of several bits.
    others: String,
}

impl<'a> Kernel<'a> {
    /// Lines that are 1 for some rows.
    fn set(&mut self, path: &'a str) {
        let term = format!("self.d_row.val().{}", name_of(path));
        let terms = self.bits.entry(path).or_default();
        if !terms.contains(&term) {
            terms.push(term);
        }
    }

    /// Statements that read a field.
    fn fields_of(&mut self, reading: &'a Reading) -> &mut String {
        let unit = reading.lines.first().map_or("", |line| unit_of(line.path()).0);
        let place = self
            .fields
            .iter()
            .position(|(known, _)| *known == unit)
            .unwrap_or_else(|| {
                self.fields.push((unit, String::new()));
                self.fields.len() - 1
            });
        // Statements stay in the table's order.
        assert_eq!(
            place + 1,
            self.fields.len(),
            "{}: a field of an earlier unit",
            reading.name
        );
        &mut self.fields[place].1
    }

    /// Reads a field, from its place in long words and its place in the others.
    fn read(&mut self, reading: &'a Reading, long: Option<Field>, short: Option<Field>) {
        let (name, width) = (reading.name, reading.field.width());
        let typed = if width == 1 {
            "Bit".into()
        } else {
            format!("Bits<{width}>")
        };
        self.locals.push(format!("{name}: Signal<Local, {typed}>"));
        let body = self.fields_of(reading);
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
        for line in reading.lines {
            self.drive(reading, line);
        }
    }

    /// An expression for: the field has one of these values.
    fn is_among(&mut self, reading: &'a Reading, path: &str, values: &[u32]) -> String {
        let (name, width) = (reading.name, reading.field.width());
        let set = (0..1u32 << width)
            .filter(|value| values.contains(value))
            .collect::<Vec<_>>();
        let single =
            (0..width).find(|bit| (0..1u32 << width).all(|value| set.contains(&value) == (value >> bit & 1 == 1)));
        match (single, &set[..]) {
            (Some(bit), _) => return format!("self.{name}.val().get_bit({bit})"),
            (None, [value]) => return format!("(self.{name}.val() == {value})"),
            _ => {}
        }
        let local = format!("{name}_{}", name_of(path));
        if !self.locals.iter().any(|known| known.starts_with(&format!("{local}:"))) {
            self.locals.push(format!("{local}: Signal<Local, Bit>"));
            let body = self.fields_of(reading);
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

    /// A line that a field drives.
    fn drive(&mut self, reading: &'a Reading, line: &'a Line) {
        let name = reading.name;
        let chosen = format!("self.d_row.val().{name}");
        let (unit, of_unit) = unit_of(line.path());
        match line {
            Line::Bit(path) => self
                .bits
                .entry(path)
                .or_default()
                .push(format!("({chosen} && self.{name}.val())")),
            Line::When(path, values) => {
                let term = self.is_among(reading, path, values);
                self.bits.entry(path).or_default().push(format!("({chosen} && {term})"));
            }
            Line::Number(_) => {
                let _ = writeln!(
                    self.others,
                    "        if {chosen} {{\n            self.{unit}_lines.next.{of_unit} = self.{name}.val();\n        }}"
                );
            }
            Line::Variant(_, kind, variants) => {
                let target = format!("self.{unit}_lines.next.{of_unit} = {kind}");
                let others = &mut self.others;
                let _ = writeln!(others, "        if {chosen} {{");
                if let [zero, one] = variants {
                    let _ = writeln!(others, "            {target}::{zero};");
                    let _ = writeln!(
                        others,
                        "            if self.{name}.val() {{\n                {target}::{one};\n            }}"
                    );
                } else {
                    let _ = writeln!(others, "            match self.{name}.val().index() {{");
                    let last = variants.len() - 1;
                    for (value, variant) in variants.iter().enumerate() {
                        let arm = if value == last { "_".into() } else { value.to_string() };
                        let _ = writeln!(others, "                {arm} => {target}::{variant},");
                    }
                    others.push_str("            }\n");
                }
                others.push_str("        }\n");
            }
        }
    }

    /// The pieces: the units' fields, their one-bit lines, and all wider lines.
    fn parts(self) -> (Vec<Part>, Vec<Part>) {
        let whose = |unit: &str| {
            UNITS
                .iter()
                .find(|(known, _)| *known == unit)
                .map_or("", |(_, whose)| whose)
        };
        let fields = self.fields.iter().map(|(unit, statements)| Part {
            name: format!("{unit}_fields"),
            text: format!("The fields of the word that drive lines of {}.", whose(unit)),
            statements: statements.clone(),
        });
        let mut lines: Vec<Part> = vec![];
        for (path, terms) in &self.bits {
            let (unit, line) = unit_of(path);
            let name = format!("{unit}_bits");
            if lines.last().is_none_or(|part| part.name != name) {
                let text = format!("The lines of {} that are one bit.", whose(unit));
                let statements = String::new();
                lines.push(Part { name, text, statements });
            }
            let Some(part) = lines.last_mut() else { continue };
            let value = match &terms[..] {
                [one] => one
                    .strip_prefix('(')
                    .and_then(|one| one.strip_suffix(')'))
                    .unwrap_or(one)
                    .to_string(),
                _ => terms.join("\n            || "),
            };
            let _ = writeln!(part.statements, "        self.{unit}_lines.next.{line} = {value};");
        }
        lines.push(Part {
            name: "numbers".into(),
            text: "The lines of all units that are numbers or one of several names.".into(),
            statements: self.others,
        });
        (fields.collect(), lines)
    }
}

/// The file with the kernel that drives the units' lines.
pub fn lines_file() -> String {
    let readings = readings();
    let mut kernel = Kernel::default();
    for row in ROWS.iter().filter(|row| row.executes()) {
        for path in row.control.sets.iter().filter(|path| path.contains('.')) {
            kernel.set(path);
        }
    }
    for (reading, long, short) in &readings {
        kernel.read(reading, *long, *short);
    }
    let mut out = String::from(HEAD);
    out.push_str(
        "\n//! The lines of the units' control that the word's fields drive, each for the rows that ask for it.\n\n\
         use super::layout::Layout;\nuse super::rows::Row;\nuse crate::bundles::*;\nuse crate::execute::float::{FloatControl, FloatOperation};\n\
         use crate::execute::special_function::SpecialControl;\nuse hdlkit::prelude::*;\n\n\
         /// The units' lines. Those of a unit that the instruction does not go to mean nothing.\n\
         #[derive(LogicBlock, Cycle, Blank)]\npub struct DecodeLines {\n    pub d_word: Signal<In, Bits<64>>,\n    pub d_layout: Signal<In, Layout>,\n    \
         pub d_row: Signal<In, Row>,\n    pub d_integer: Signal<Out, IntegerControl>,\n    pub d_float: Signal<Out, FloatControl>,\n    \
         pub d_special: Signal<Out, SpecialControl>,\n    integer_lines: Signal<Local, IntegerControl>,\n    float_lines: Signal<Local, FloatControl>,\n    \
         special_lines: Signal<Local, SpecialControl>,\n    no_integer: Constant<IntegerControl>,\n    no_float: Constant<FloatControl>,\n    \
         no_special: Constant<SpecialControl>,\n",
    );
    for local in &kernel.locals {
        let _ = writeln!(out, "    {local},");
    }
    let (fields, lines) = kernel.parts();
    out.push_str("    _activity: Activity,\n}\n\nimpl Logic for DecodeLines {\n    #[hdl_gen]\n    fn update(&mut self) {\n        // A field that drives lines of several units is with the first of them.\n");
    for part in &fields {
        let _ = writeln!(out, "        self.{}();", part.name);
    }
    out.push_str(
        "\n        self.integer_lines.next = self.no_integer.val();\n        self.float_lines.next = self.no_float.val();\n        \
         self.special_lines.next = self.no_special.val();\n        self.integer_lines.next.operation = self.d_row.val().integer;\n        \
         self.float_lines.next.operation = self.d_row.val().float;\n        self.special_lines.next.operation = self.d_row.val().special;\n        \
         self.integer_lines.next.narrow =\n            (self.d_row.val().sized || self.d_row.val().sized_a) && !self.d_layout.val().wide;\n",
    );
    for part in &lines {
        let _ = writeln!(out, "        self.{}();", part.name);
    }
    out.push_str(
        "        self.d_integer.next = self.integer_lines.val();\n        self.d_float.next = self.float_lines.val();\n        \
         self.d_special.next = self.special_lines.val();\n    }\n}\n\nimpl DecodeLines {",
    );
    for part in fields.iter().chain(&lines) {
        let Part { name, text, statements } = part;
        let _ = write!(
            out,
            "\n    /// {text}\n    #[hdl_part]\n    fn {name}(&mut self) {{\n{statements}    }}\n"
        );
    }
    out.push_str("}\n");
    out
}
