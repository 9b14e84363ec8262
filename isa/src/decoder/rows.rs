//! Writes the file with the kernel that tells the rows apart.

use super::entries::entries;
use super::entry::{Check, Entry, GROUPS};
use super::flags::flags;
use super::row_kernel::kernel;
use super::source::{unit_names, HEAD};
use super::words::{pieces, residue, residue_name, shares_key};
use crate::table::Unit;
use std::fmt::Write;

/// The committed file with the rows.
pub const ROWS_PATH: &str = "hdl/src/issue/decode/rows.rs";

/// The bits that tell rows of one form, opcode and sub-opcode apart: a signal's name, and the bits.
fn selectors(entries: &[Entry]) -> Vec<(String, Vec<(u32, u32)>)> {
    let mut selectors: Vec<(String, Vec<(u32, u32)>)> = vec![];
    for entry in entries {
        let alike: Vec<&Entry> = entries
            .iter()
            .filter(|other| shares_key(entry.row, other.row))
            .collect();
        let differ = alike.iter().any(|other| other.flags != entry.flags);
        let mask = alike.iter().fold(0, |mask, other| mask | residue(other.row));
        if differ && !selectors.iter().any(|(name, _)| *name == residue_name(mask)) {
            selectors.push((residue_name(mask), pieces(mask)));
        }
    }
    selectors
}

/// All checks, without repetition.
fn checks(entries: &[Entry]) -> Vec<Check> {
    let mut checks: Vec<Check> = vec![];
    for check in entries.iter().flat_map(|entry| &entry.checks) {
        match checks.iter().find(|known| known.name == check.name) {
            None => checks.push(check.clone()),
            Some(known) => assert_eq!(known, check, "two checks of one name"),
        }
    }
    checks
}

/// The block's signals, as fields of its struct.
fn locals(selectors: &[(String, Vec<(u32, u32)>)], checks: &[Check]) -> Vec<String> {
    let mut locals = vec![
        "opcode: Signal<Local, Bits<4>>".to_string(),
        "subop: Signal<Local, Bits<3>>".into(),
    ];
    let typed = |parts: &[(u32, u32)]| match parts.iter().map(|(_, width)| width).sum::<u32>() {
        1 => "Bit".to_string(),
        width => format!("Bits<{width}>"),
    };
    for (name, parts) in selectors {
        locals.push(format!("{name}: Signal<Local, {}>", typed(parts)));
    }
    for check in checks {
        locals.push(format!(
            "{}: Signal<Local, {}>",
            &check.name["checks_".len()..],
            typed(&check.parts)
        ));
        locals.push(format!(
            "{}_defined: Signal<Local, Bit>",
            &check.name["checks_".len()..]
        ));
    }
    locals.push("opcodes: Signal<Local, Bits<16>>".into());
    locals.push("subops: Signal<Local, Bits<8>>".into());
    locals.push("exists: Signal<Local, Bit>".into());
    locals.push("row: Signal<Local, Row>".into());
    locals
}

/// The head of the file: imports, and the bundle of all flags.
fn bundle(out: &mut String, entries: &[Entry]) {
    out.push_str(
        "\n//! The rows of the ISA table, as the decoder sees them: which word is of which row, and what the row asks for.\n\n\
         use super::layout::Layout;\nuse crate::bundles::*;\nuse crate::execute::float::FloatOperation;\n\
         use crate::execute::special_function::SpecialOperation;\nuse hdlkit::prelude::*;\n\n\
         /// What a row asks for.\n#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]\npub struct Row {\n    \
         pub unit: Unit,\n    pub integer: IntegerOperation,\n    pub float: FloatOperation,\n    pub special: SpecialOperation,\n    \
         pub control: ControlOperation,\n",
    );
    for (flag, text) in &flags(entries) {
        let _ = writeln!(out, "    /// {text}\n    pub {flag}: Bit,");
    }
    out.push_str("}\n\n");
}

/// The macro for a row's constant.
fn row_macro(out: &mut String) {
    out.push_str(
        "/// A row: its unit and operation, and its flags.\nmacro_rules! row {\n    \
         (Memory $operation:ident $(| $($flag:ident)*)*) => {\n        \
         row!(@ Row { unit: Unit::Memory, ..Row::default() }; $($($flag)*)*)\n    };\n",
    );
    for unit in [Unit::Integer, Unit::Float, Unit::SpecialFunction, Unit::Branch] {
        let (unit, field, kind) = unit_names(unit);
        let _ = writeln!(
            out,
            "    ({unit} $operation:ident $(| $($flag:ident)*)*) => {{\n        \
             row!(@ Row {{ unit: Unit::{unit}, {field}: {kind}::$operation, ..Row::default() }}; $($($flag)*)*)\n    }};"
        );
    }
    out.push_str(
        "    (@ $row:expr; $($flag:ident)*) => {\n        Constant::new(Row { $($flag: true,)* ..$row })\n    };\n}\n\n",
    );
}

/// The initial values of the block: the rows' constants, one per line, and its signals.
fn rest(out: &mut String, entries: &[Entry], locals: &[String]) {
    let unit_text = |entry: &Entry| format!("{:<15} {}", unit_names(entry.row.unit).0, entry.row.control.operation);
    let name_width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0) + 1;
    let unit_width = entries.iter().map(|entry| unit_text(entry).len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..GROUPS.len())
        .map(|group| {
            if group + 2 < GROUPS.len() {
                entries
                    .iter()
                    .map(|entry| entry.flags[group].join(" ").len())
                    .max()
                    .unwrap_or(0)
            } else {
                0
            }
        })
        .collect();
    out.push_str("impl Default for DecodeRows {\n    fn default() -> Self {\n        DecodeRows {\n");
    let mut head = format!(
        "            // {:name_width$}     {:<unit_width$}",
        "row", "unit, operation"
    );
    for (group, width) in GROUPS.iter().zip(&widths) {
        let _ = write!(head, " | {group:<width$}");
    }
    let _ = writeln!(out, "{}", head.trim_end());
    for entry in entries {
        let name = format!("{}:", entry.name);
        let mut line = format!(
            "            {name:name_width$} row!(  {:<unit_width$}",
            unit_text(entry)
        );
        for (flags, width) in entry.flags.iter().zip(&widths) {
            let _ = write!(line, " | {:<width$}", flags.join(" "));
        }
        let _ = writeln!(out, "{}),", line.trim_end_matches([' ', '|']));
    }
    for local in locals {
        let name = local.split(':').next().unwrap_or("");
        let _ = writeln!(out, "            {name}: Signal::default(),");
    }
    out.push_str(
        "            d_word: Signal::default(),\n            d_layout: Signal::default(),\n            d_row: Signal::default(),\n            \
         d_exists: Signal::default(),\n            _activity: Activity::default(),\n        }\n    }\n}\n\n\
         impl Blank for DecodeRows {\n    fn blank() -> Self {\n        DecodeRows::default()\n    }\n}\n\n",
    );
}

/// The block's struct.
fn block(out: &mut String, entries: &[Entry], locals: &[String]) {
    out.push_str(
        "/// Which row a word is of. Where the word is none's, `d_exists` is 0 and the row is any.\n\
         #[derive(LogicBlock, Cycle)]\npub struct DecodeRows {\n    pub d_word: Signal<In, Bits<64>>,\n    pub d_layout: Signal<In, Layout>,\n    \
         pub d_row: Signal<Out, Row>,\n    pub d_exists: Signal<Out, Bit>,\n",
    );
    for entry in entries {
        let _ = writeln!(out, "    {}: Constant<Row>,", entry.name);
    }
    for local in locals {
        let _ = writeln!(out, "    {local},");
    }
    out.push_str("    _activity: Activity,\n}\n\n");
}

/// The file with the kernel that tells the rows apart.
pub fn rows_file() -> String {
    let entries = entries();
    let (selectors, checks) = (selectors(&entries), checks(&entries));
    let locals = locals(&selectors, &checks);
    let mut out = String::from(HEAD);
    bundle(&mut out, &entries);
    row_macro(&mut out);
    rest(&mut out, &entries, &locals);
    block(&mut out, &entries, &locals);
    out.push_str(&kernel(&entries, &selectors, &checks));
    out
}
