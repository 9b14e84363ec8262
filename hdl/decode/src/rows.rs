//! Generator of the files with the requests of a row, and with the kernel that identifies rows.

use super::entries::entries;
use super::entry::{Check, Entry, GROUPS};
use super::flags::flags;
use super::row_kernel::{constant_name, kernel};
use super::source::{unit_names, HEAD};
use flexgrip_isa::table::Unit;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The committed file with the requests of a row.
pub const ROW_PATH: &str = "hdl/src/issue/decode/row.rs";
/// The committed file with the rows.
pub const ROWS_PATH: &str = "hdl/src/issue/decode/rows.rs";

/// All checks, without duplicates.
fn checks(entries: &[Entry]) -> Vec<Check> {
    let mut checks: Vec<Check> = vec![];
    for check in entries.iter().flat_map(|entry| &entry.checks) {
        match checks.iter().find(|known| known.name == check.name) {
            None => checks.push(check.clone()),
            Some(known) => assert_eq!(known, check, "two checks have the same name"),
        }
    }
    checks
}

/// Writes the bundle of all flags.
fn bundle(out: &mut String, entries: &[Entry]) {
    out.push_str(
        "\n//! The requests of a row of the ISA table in the decoder.\n\n\
         use crate::bundles::*;\nuse hdlkit::prelude::*;\n\n\
         /// The requests of a row: its unit, the unit's operation, and flags.\n#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]\npub struct Row {\n    \
         pub unit: Unit,\n    pub integer: IntegerOperation,\n    pub float: FloatOperation,\n    pub special: SpecialOperation,\n    \
         pub control: ControlOperation,\n",
    );
    for (flag, text) in &flags(entries) {
        let _ = writeln!(out, "    /// {text}\n    pub {flag}: Bit,");
    }
    out.push_str("}\n\n");
}

/// Writes the row without any request.
fn no_row(out: &mut String, entries: &[Entry]) {
    out.push_str(
        "/// The row without any request.\npub(super) const NO_ROW: Row = Row {\n    unit: Unit::Integer,\n    \
         integer: IntegerOperation::Move,\n    float: FloatOperation::MultiplyAdd,\n    \
         special: SpecialOperation::Reciprocal,\n    control: ControlOperation::Marker,\n",
    );
    let mut line = String::from("   ");
    for (flag, _) in &flags(entries) {
        if line.len() + flag.len() > 110 {
            let _ = writeln!(out, "{line}");
            line = String::from("   ");
        }
        let _ = write!(line, " {flag}: false,");
    }
    let _ = writeln!(out, "{line}\n}};");
}

/// Writes the head of the file with the rows: imports, and the macro for rows.
fn row_macro(out: &mut String) {
    out.push_str(
        "\n//! The rows of the ISA table in the decoder, and the kernel that finds the row of a word.\n\n\
         use super::doubles::{double_exists, double_instruction, double_row};\nuse super::later::{is_lock, is_unlock, later_exists, later_instruction, later_row, unlock_exists};\nuse super::layout::Layout;\n\
         use super::row::{Row, NO_ROW};\nuse crate::bundles::*;\nuse hdlkit::prelude::*;\n\n",
    );
    out.push_str(
        "/// A row: its unit and operation, and its flags.\nmacro_rules! row {\n    \
         (Memory $operation:ident $(| $($flag:ident)*)*) => {\n        \
         Row { unit: Unit::Memory, $($($flag: true,)*)* ..NO_ROW }\n    };\n",
    );
    for unit in [Unit::Integer, Unit::Float, Unit::SpecialFunction, Unit::Branch] {
        let (unit, field, kind) = unit_names(unit);
        let _ = writeln!(
            out,
            "    ({unit} $operation:ident $(| $($flag:ident)*)*) => {{\n        \
             Row {{ unit: Unit::{unit}, {field}: {kind}::$operation, $($($flag: true,)*)* ..NO_ROW }}\n    }};"
        );
    }
    out.push_str("}\n\n");
}

/// Writes the table: a constant for each row, one per line.
fn table<'a>(out: &mut String, entries: impl Iterator<Item = &'a Entry>) {
    let entries: Vec<&Entry> = entries.collect();
    let unit_text = |entry: &Entry| format!("{:<15} {}", unit_names(entry.row.unit).0, entry.control.operation);
    let name_width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0) + 1;
    let unit_width = entries.iter().map(|entry| unit_text(entry).len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..GROUPS.len())
        .map(|group| {
            if group + 2 < GROUPS.len() {
                entries.iter().map(|entry| entry.flags[group].join(" ").len()).max().unwrap_or(0)
            } else {
                0
            }
        })
        .collect();
    let mut head = format!("//    {:name_width$}             {:<unit_width$}", "row", "unit, operation");
    for (group, width) in GROUPS.iter().zip(&widths) {
        let _ = write!(head, " | {group:<width$}");
    }
    let _ = writeln!(out, "{}", head.trim_end());
    for entry in entries {
        let name = format!("{}:", constant_name(entry));
        let mut line = format!("const {name:name_width$} Row = row!(  {:<unit_width$}", unit_text(entry));
        for (flags, width) in entry.flags.iter().zip(&widths) {
            let _ = write!(line, " | {:<width$}", flags.join(" "));
        }
        let _ = writeln!(out, "{});", line.trim_end_matches([' ', '|']));
    }
}

/// The file with the requests of a row.
pub fn row_file() -> String {
    let entries = entries();
    let mut out = String::from(HEAD);
    bundle(&mut out, &entries);
    no_row(&mut out, &entries);
    out
}

/// The file with the kernel that identifies rows.
pub fn rows_file() -> String {
    let entries = entries();
    let checks = checks(&entries);
    let mut out = String::from(HEAD);
    row_macro(&mut out);
    // Rows with equal requests share a constant: the table omits rows that the kernel does not name.
    let kernel = kernel(&entries, &checks);
    let code = kernel.lines().filter_map(|line| line.split("//").next());
    let named: BTreeSet<&str> =
        code.flat_map(|code| code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')).collect();
    table(&mut out, entries.iter().filter(|entry| named.contains(&*constant_name(entry))));
    out.push_str(&kernel);
    out
}
