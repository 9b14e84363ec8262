//! The file with the kernel that tells the rows apart.

use super::entries::entries;
use super::entry::{Check, Entry, GROUPS};
use super::flags::flags;
use super::source::{bits_expression, unit_names, HEAD};
use super::words::{is_control, mask_text, opcodes, pieces, residue, residue_name, shares_key, subops, value_of};
use crate::table::{Form, Unit};
use std::fmt::Write;

/// The committed file with the rows.
pub const ROWS_PATH: &str = "hdl/src/issue/decode/rows.rs";

/// One arm, or what stands in it: which row it is, by what is fixed beyond the key.
fn choose(out: &mut String, indent: usize, arm: &str, rows: &[&Entry]) {
    let pad = " ".repeat(indent);
    let first = rows[0];
    if rows
        .iter()
        .all(|other| other.flags == first.flags && other.row.control.operation == first.row.control.operation)
    {
        let names: Vec<&str> = rows.iter().map(|entry| entry.row.name).collect();
        let line = format!("{pad}{arm}self.row.next = self.{}.val(),", first.name);
        let mut names = names;
        names.dedup();
        let _ = writeln!(out, "{line:<76} // {:<28} {}", mask_text(first.row), names.join(", "));
        return;
    }
    let mask = rows.iter().fold(0, |mask, entry| mask | residue(entry.row));
    let parts = pieces(mask);
    let width: u32 = parts.iter().map(|(_, width)| width).sum();
    let name = residue_name(mask);
    if width == 1 {
        // A match on a single bit is no match.
        let is = |bit: u32| {
            rows.iter()
                .find(|entry| value_of(&parts, entry.row.pattern.value) == bit)
        };
        let (Some(zero), Some(one)) = (is(0), is(1)) else {
            panic!("{}: rows without the rest of the words", first.row.name)
        };
        let _ = writeln!(out, "{pad}{arm}{{");
        let statement = |entry: &Entry, indent: usize| {
            let line = format!("{}self.row.next = self.{}.val();", " ".repeat(indent), entry.name);
            format!("{line:<76} // {:<28} {}\n", mask_text(entry.row), entry.row.name)
        };
        out.push_str(&statement(zero, indent + 4));
        let _ = writeln!(out, "{pad}    if self.{name}.val() {{");
        out.push_str(&statement(one, indent + 8));
        let _ = writeln!(out, "{pad}    }}\n{pad}}}");
        return;
    }
    let _ = writeln!(out, "{pad}{arm}match self.{name}.val().index() {{");
    for value in 0..1u32 << width {
        let of = |entry: &&&Entry| {
            let (mask, fixed) = (
                value_of(&parts, residue(entry.row)),
                value_of(&parts, entry.row.pattern.value),
            );
            (value ^ fixed) & mask == 0
        };
        let Some(entry) = rows.iter().find(of) else { continue };
        let arm = if value + 1 == 1 << width {
            "_ => ".into()
        } else {
            format!("{value} => ")
        };
        choose(out, indent + 4, &arm, &[entry]);
    }
    let _ = writeln!(out, "{pad}}},");
}

/// The kernel that tells the rows apart.
pub fn rows_file() -> String {
    let entries = entries();
    let flags = flags(&entries);
    let mut out = String::from(HEAD);
    out.push_str(
        "\n//! The rows of the ISA table, as the decoder sees them: which word is of which row, and what the row asks for.\n\n\
         use super::layout::Layout;\nuse crate::bundles::*;\nuse crate::execute::float::FloatOperation;\n\
         use crate::execute::special_function::SpecialOperation;\nuse hdlkit::prelude::*;\n\n\
         /// What a row asks for.\n#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]\npub struct Row {\n    \
         pub unit: Unit,\n    pub integer: IntegerOperation,\n    pub float: FloatOperation,\n    pub special: SpecialOperation,\n    \
         pub control: ControlOperation,\n",
    );
    for (flag, text) in &flags {
        let _ = writeln!(out, "    /// {text}\n    pub {flag}: Bit,");
    }
    out.push_str("}\n\n");

    // The constants.
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
    out.push_str("impl Default for Rows {\n    fn default() -> Self {\n        Rows {\n");
    let mut head = format!(
        "            // {:name_width$}     {:<unit_width$}",
        "row", "unit, operation"
    );
    for (group, width) in GROUPS.iter().zip(&widths) {
        let _ = write!(head, " | {group:<width$}");
    }
    let _ = writeln!(out, "{}", head.trim_end());
    for entry in &entries {
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
    let mut locals = vec![
        "opcode: Signal<Local, Bits<4>>".to_string(),
        "subop: Signal<Local, Bits<3>>".into(),
    ];
    let mut selectors: Vec<(String, Vec<(u32, u32)>)> = vec![];
    for entry in &entries {
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
    let mut checks: Vec<Check> = vec![];
    for check in entries.iter().flat_map(|entry| &entry.checks) {
        match checks.iter().find(|known| known.name == check.name) {
            None => checks.push(check.clone()),
            Some(known) => assert_eq!(known, check, "two checks of one name"),
        }
    }
    let typed = |parts: &[(u32, u32)]| match parts.iter().map(|(_, width)| width).sum::<u32>() {
        1 => "Bit".to_string(),
        width => format!("Bits<{width}>"),
    };
    for (name, parts) in &selectors {
        locals.push(format!("{name}: Signal<Local, {}>", typed(parts)));
    }
    for check in &checks {
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
    for local in &locals {
        let name = local.split(':').next().unwrap_or("");
        let _ = writeln!(out, "            {name}: Signal::default(),");
    }
    out.push_str(
        "            d_word: Signal::default(),\n            d_layout: Signal::default(),\n            d_row: Signal::default(),\n            \
         d_exists: Signal::default(),\n            _activity: Activity::default(),\n        }\n    }\n}\n\n\
         impl Blank for Rows {\n    fn blank() -> Self {\n        Rows::default()\n    }\n}\n\n",
    );

    // The block.
    out.push_str(
        "/// Which row a word is of. Where the word is none's, `d_exists` is 0 and the row is any.\n\
         #[derive(LogicBlock, Cycle)]\npub struct Rows {\n    pub d_word: Signal<In, Bits<64>>,\n    pub d_layout: Signal<In, Layout>,\n    \
         pub d_row: Signal<Out, Row>,\n    pub d_exists: Signal<Out, Bit>,\n",
    );
    for entry in &entries {
        let _ = writeln!(out, "    {}: Constant<Row>,", entry.name);
    }
    for local in &locals {
        let _ = writeln!(out, "    {local},");
    }
    out.push_str("    _activity: Activity,\n}\n\n");

    // The kernel.
    out.push_str("impl Logic for Rows {\n    #[hdl_gen]\n    fn update(&mut self) {\n");
    for (name, parts) in [("opcode".to_string(), vec![(28, 4)]), ("subop".into(), vec![(61, 3)])]
        .iter()
        .chain(&selectors)
    {
        let _ = writeln!(out, "        self.{name}.next = {};", bits_expression(parts));
    }
    out.push_str("\n        // Which row. Rows are told apart by as few bits as will do: whether the word is one of the row is below.\n");
    let default = &entries[0];
    let _ = writeln!(out, "        self.row.next = self.{}.val();", default.name);
    let of = |control: bool, opcode: u32, form: Form| -> Vec<&Entry> {
        let own = |entry: &&Entry| {
            is_control(entry.row) == control && entry.row.form() == form && opcodes(entry.row).contains(&opcode)
        };
        entries.iter().filter(own).collect()
    };
    out.push_str("        if self.d_layout.val().is_control {\n            match self.opcode.val().index() {\n");
    for opcode in 0..16 {
        let (long, short) = (of(true, opcode, Form::Control), of(true, opcode, Form::Short));
        match (long.first(), short.first()) {
            (None, None) => {}
            (Some(row), None) | (None, Some(row)) => choose(&mut out, 16, &format!("{opcode} => "), &[row]),
            (Some(long), Some(short)) if long.flags == short.flags => {
                choose(&mut out, 16, &format!("{opcode} => "), &[long, short]);
            }
            (Some(long), Some(short)) => {
                let _ = writeln!(out, "                {opcode} => {{");
                for (entry, open) in [(long, false), (short, true)] {
                    if open {
                        out.push_str("                    if !self.d_layout.val().is_long {\n");
                    }
                    let line = format!(
                        "                    {}self.row.next = self.{}.val();",
                        if open { "    " } else { "" },
                        entry.name
                    );
                    let _ = writeln!(out, "{line:<76} // {:<28} {}", mask_text(entry.row), entry.row.name);
                }
                out.push_str("                    }\n                }\n");
            }
        }
    }
    out.push_str(
        "                _ => {}\n            }\n        } else {\n            match self.opcode.val().index() {\n",
    );
    for opcode in 0..16 {
        let forms = [Form::Short, Form::Immediate, Form::Long].map(|form| (form, of(false, opcode, form)));
        let used: Vec<_> = forms.iter().filter(|(_, rows)| !rows.is_empty()).collect();
        if used.is_empty() {
            continue;
        }
        let single = used.len() == 1;
        let indent = if single { 16 } else { 20 };
        if !single {
            let _ = writeln!(
                out,
                "                {opcode} => match self.d_layout.val().form.index() {{"
            );
        }
        for (place, (form, rows)) in used.iter().enumerate() {
            let arm = match (single, place + 1 == used.len(), form) {
                (true, ..) => format!("{opcode} => "),
                (_, true, _) => "_ => ".into(),
                (_, _, Form::Short) => "0 => ".into(),
                (_, _, Form::Immediate) => "3 => ".into(),
                _ => "1 => ".into(),
            };
            if *form != Form::Long {
                choose(&mut out, indent, &arm, rows);
                continue;
            }
            let mut keys: Vec<(Vec<u32>, Vec<&Entry>)> = vec![];
            for subop in 0..8 {
                let own: Vec<&Entry> = rows
                    .iter()
                    .copied()
                    .filter(|entry| subops(entry.row).contains(&subop))
                    .collect();
                if own.is_empty() {
                    continue;
                }
                let same = |known: &&mut (Vec<u32>, Vec<&Entry>)| {
                    known.1.len() == own.len() && known.1.iter().zip(&own).all(|(one, other)| one.name == other.name)
                };
                match keys.iter_mut().find(same) {
                    Some((subops, _)) => subops.push(subop),
                    None => keys.push((vec![subop], own)),
                }
            }
            if let [(_, own)] = &keys[..] {
                choose(&mut out, indent, &arm, own);
                continue;
            }
            // The one with most sub-opcodes is what is left over.
            let most = keys.iter().map(|(subops, _)| subops.len()).max();
            let rest = keys
                .iter()
                .position(|(subops, _)| Some(subops.len()) == most)
                .unwrap_or(0);
            let _ = writeln!(out, "{}{arm}match self.subop.val().index() {{", " ".repeat(indent));
            for (_, (subops, own)) in keys.iter().enumerate().filter(|(place, _)| *place != rest) {
                for subop in subops {
                    choose(&mut out, indent + 4, &format!("{subop} => "), own);
                }
            }
            choose(&mut out, indent + 4, "_ => ", &keys[rest].1);
            let _ = writeln!(out, "{}}},", " ".repeat(indent));
        }
        if !single {
            out.push_str("                },\n");
        }
    }
    out.push_str("                _ => {}\n            }\n        }\n        self.d_row.next = self.row.val();\n\n");

    // Which exist.
    out.push_str("        // Which opcodes exist; of long words, which sub-opcodes.\n        self.opcodes.next = 0.into();\n        self.subops.next = 0.into();\n");
    let opcode_set = |control: bool, form: Form| -> Vec<u32> {
        (0..16)
            .filter(|opcode| !of(control, *opcode, form).is_empty())
            .collect()
    };
    for (test, control, form) in [
        ("is_control && self.d_layout.val().is_long", true, Form::Control),
        ("is_control", true, Form::Short),
        ("is_short", false, Form::Short),
        ("is_immediate", false, Form::Immediate),
    ] {
        let set = opcode_set(control, form)
            .iter()
            .fold(0, |set, opcode| set | 1 << opcode);
        let open = if form == Form::Control {
            "        if "
        } else {
            "        } else if "
        };
        let _ = writeln!(
            out,
            "{open}self.d_layout.val().{test} {{\n            self.opcodes.next = {set:>5}.into(); // {set:#018b}"
        );
    }
    out.push_str("        } else {\n            match self.opcode.val().index() {\n");
    let mut long: Vec<(u32, u32)> = vec![];
    for opcode in opcode_set(false, Form::Long) {
        let subops = of(false, opcode, Form::Long)
            .iter()
            .flat_map(|entry| subops(entry.row))
            .fold(0, |set, subop| set | 1 << subop);
        long.push((opcode, subops));
    }
    for (opcode, subops) in &long {
        let _ = writeln!(
            out,
            "                {opcode:>2} => self.subops.next = {subops:>3}.into(), // {subops:#010b}"
        );
    }
    out.push_str(
        "                _ => {}\n            }\n        }\n        self.exists.next = self.opcodes.val().get_bit(self.opcode.val().index());\n        \
         if self.d_layout.val().is_full {\n            self.exists.next = self.subops.val().get_bit(self.subop.val().index());\n        }\n",
    );
    for check in &checks {
        let name = &check.name["checks_".len()..];
        let width: u32 = check.parts.iter().map(|(_, width)| width).sum();
        let rows: Vec<&str> = entries
            .iter()
            .filter(|entry| entry.has(&check.name))
            .map(|entry| entry.row.name)
            .collect();
        let _ = writeln!(out, "\n        // {}", rows.join(", "));
        let _ = writeln!(out, "        self.{name}.next = {};", bits_expression(&check.parts));
        let refused = check.values.len() * 2 > 1 << width;
        let listed: Vec<u32> = (0..1u32 << width)
            .filter(|value| check.values.contains(value) != refused)
            .collect();
        if let [value] = listed[..] {
            let sign = if refused { "!=" } else { "==" };
            let _ = writeln!(
                out,
                "        self.{name}_defined.next = self.{name}.val() {sign} {value};"
            );
        } else {
            let _ = writeln!(out, "        self.{name}_defined.next = {refused};");
            let _ = writeln!(out, "        match self.{name}.val().index() {{");
            for value in listed {
                let _ = writeln!(out, "            {value} => self.{name}_defined.next = {},", !refused);
            }
            out.push_str("            _ => {}\n        }\n");
        }
        let _ = writeln!(out, "        if self.row.val().{} && !self.{name}_defined.val() {{\n            self.exists.next = false;\n        }}", check.name);
    }
    out.push_str("        self.d_exists.next = self.exists.val();\n    }\n}\n");
    out
}
