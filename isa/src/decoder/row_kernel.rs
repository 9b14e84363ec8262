//! The kernel that tells the rows apart, in pieces: the row of a word, and whether the word is legal in that row.

use super::entry::{Check, Entry};
use super::source::bits_expression;
use super::words::{is_control, mask_text, opcodes, pieces, residue, residue_name, subops, value_of};
use crate::table::Form;
use std::fmt::Write;

/// One arm, or its body: the row, chosen by the fixed bits beyond the key.
fn choose(out: &mut String, indent: usize, arm: &str, rows: &[&Entry]) {
    let pad = " ".repeat(indent);
    let first = rows[0];
    if rows
        .iter()
        .all(|other| other.flags == first.flags && other.row.control.operation == first.row.control.operation)
    {
        let mut names: Vec<&str> = rows.iter().map(|entry| entry.row.name).collect();
        names.dedup();
        let line = format!("{pad}{arm}self.row.next = self.{}.val(),", first.name);
        let _ = writeln!(out, "{line:<76} // {:<28} {}", mask_text(first.row), names.join(", "));
        return;
    }
    let mask = rows.iter().fold(0, |mask, entry| mask | residue(entry.row));
    let parts = pieces(mask);
    let width: u32 = parts.iter().map(|(_, width)| width).sum();
    let name = residue_name(mask);
    if width == 1 {
        // A match on a single bit becomes an if.
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

/// The entries of one form and opcode; `control` selects the short words with bit 1 set, or those without.
fn of(entries: &[Entry], control: bool, opcode: u32, form: Form) -> Vec<&Entry> {
    let own = |entry: &&Entry| {
        is_control(entry.row) == control && entry.row.form() == form && opcodes(entry.row).contains(&opcode)
    };
    entries.iter().filter(own).collect()
}

/// The first lines of a piece of the kernel.
fn open_part(out: &mut String, text: &str, name: &str) {
    let _ = write!(out, "\n    /// {text}\n    #[hdl_part]\n    fn {name}(&mut self) {{\n");
}

/// The piece that tells control words' rows apart.
fn control_part(out: &mut String, entries: &[Entry]) {
    open_part(out, "The row of a control word.", "control_row");
    out.push_str("        match self.opcode.val().index() {\n");
    for opcode in 0..16 {
        let (long, short) = (
            of(entries, true, opcode, Form::Control),
            of(entries, true, opcode, Form::Short),
        );
        match (long.first(), short.first()) {
            (None, None) => {}
            (Some(row), None) | (None, Some(row)) => choose(out, 12, &format!("{opcode} => "), &[row]),
            (Some(long), Some(short)) if long.flags == short.flags => {
                choose(out, 12, &format!("{opcode} => "), &[long, short]);
            }
            (Some(long), Some(short)) => {
                let _ = writeln!(out, "            {opcode} => {{");
                for (entry, open) in [(long, false), (short, true)] {
                    if open {
                        out.push_str("                if !self.d_layout.val().is_long {\n");
                    }
                    let line = format!(
                        "                {}self.row.next = self.{}.val();",
                        if open { "    " } else { "" },
                        entry.name
                    );
                    let _ = writeln!(out, "{line:<76} // {:<28} {}", mask_text(entry.row), entry.row.name);
                }
                out.push_str("                }\n            }\n");
            }
        }
    }
    out.push_str("            _ => {}\n        }\n    }\n");
}

/// Long rows of one opcode, grouped by the sub-opcodes that have the same rows.
fn by_subop<'a>(rows: &[&'a Entry]) -> Vec<(Vec<u32>, Vec<&'a Entry>)> {
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
    keys
}

/// The text before and after a choice: `4 => ` and a comma in an arm, nothing as a statement.
type Around<'a> = (&'a str, &'a str);

/// A choice among long rows of one opcode.
fn choose_subop(out: &mut String, indent: usize, (arm, end): Around, rows: &[&Entry]) {
    let keys = by_subop(rows);
    if let [(_, own)] = &keys[..] {
        return choose(out, indent, arm, own);
    }
    // The group with the most sub-opcodes becomes the default arm.
    let most = keys.iter().map(|(subops, _)| subops.len()).max();
    let rest = keys
        .iter()
        .position(|(subops, _)| Some(subops.len()) == most)
        .unwrap_or(0);
    let pad = " ".repeat(indent);
    let _ = writeln!(out, "{pad}{arm}match self.subop.val().index() {{");
    for (_, (subops, own)) in keys.iter().enumerate().filter(|(place, _)| *place != rest) {
        for subop in subops {
            choose(out, indent + 4, &format!("{subop} => "), own);
        }
    }
    choose(out, indent + 4, "_ => ", &keys[rest].1);
    let _ = writeln!(out, "{pad}}}{end}");
}

/// A choice among all rows of one opcode, by form first.
fn choose_form(out: &mut String, indent: usize, (arm, end): Around, forms: &[(Form, Vec<&Entry>)]) {
    if let [(form, rows)] = forms {
        return match form {
            Form::Long => choose_subop(out, indent, (arm, end), rows),
            _ => choose(out, indent, arm, rows),
        };
    }
    let pad = " ".repeat(indent);
    let _ = writeln!(out, "{pad}{arm}match self.d_layout.val().form.index() {{");
    for (place, (form, rows)) in forms.iter().enumerate() {
        let arm = match (place + 1 == forms.len(), form) {
            (true, _) => "_ => ",
            (_, Form::Short) => "0 => ",
            (_, Form::Immediate) => "3 => ",
            _ => "1 => ",
        };
        match form {
            Form::Long => choose_subop(out, indent + 4, (arm, ","), rows),
            _ => choose(out, indent + 4, arm, rows),
        }
    }
    let _ = writeln!(out, "{pad}}}{end}");
}

/// The pieces that tell the other words' rows apart: one for all opcodes, and one for each opcode whose long rows have
/// sub-opcodes.
fn other_parts(out: &mut String, entries: &[Entry]) {
    let mut parts = String::new();
    open_part(out, "The row of a word that is no control word.", "other_row");
    out.push_str("        match self.opcode.val().index() {\n");
    for opcode in 0..16 {
        let mut forms = [Form::Short, Form::Immediate, Form::Long]
            .map(|form| (form, of(entries, false, opcode, form)))
            .to_vec();
        forms.retain(|(_, rows)| !rows.is_empty());
        if forms.is_empty() {
            continue;
        }
        let long = of(entries, false, opcode, Form::Long);
        if by_subop(&long).len() < 2 {
            choose_form(out, 12, (&format!("{opcode} => "), ","), &forms);
            continue;
        }
        let mut names: Vec<&str> = forms
            .iter()
            .flat_map(|(_, rows)| rows)
            .map(|entry| entry.row.name)
            .collect();
        names.dedup();
        let _ = writeln!(out, "            {opcode} => self.opcode_{opcode}_row(),");
        let text = format!("The row of a word with opcode {opcode}: {}.", names.join(", "));
        open_part(&mut parts, &text, &format!("opcode_{opcode}_row"));
        choose_form(&mut parts, 8, ("", ""), &forms);
        parts.push_str("    }\n");
    }
    out.push_str("            _ => {}\n        }\n    }\n");
    out.push_str(&parts);
}

/// The piece that tells whether opcode and sub-opcode exist.
fn opcode_part(out: &mut String, entries: &[Entry]) {
    open_part(
        out,
        "Whether the opcode exists in the word's form; of a long word, whether the sub-opcode does.",
        "find_opcode",
    );
    out.push_str("        self.opcodes.next = 0.into();\n        self.subops.next = 0.into();\n");
    let opcode_set = |control: bool, form: Form| -> Vec<u32> {
        (0..16)
            .filter(|opcode| !of(entries, control, *opcode, form).is_empty())
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
    for opcode in opcode_set(false, Form::Long) {
        let subops = of(entries, false, opcode, Form::Long)
            .iter()
            .flat_map(|entry| subops(entry.row))
            .fold(0, |set, subop| set | 1 << subop);
        let _ = writeln!(
            out,
            "                {opcode:>2} => self.subops.next = {subops:>3}.into(), // {subops:#010b}"
        );
    }
    out.push_str(
        "                _ => {}\n            }\n        }\n        self.exists.next = self.opcodes.val().get_bit(self.opcode.val().index());\n        \
         if self.d_layout.val().is_full {\n            self.exists.next = self.subops.val().get_bit(self.subop.val().index());\n        }\n    }\n",
    );
}

/// The piece that refuses words whose fields have undefined values.
fn check_part(out: &mut String, entries: &[Entry], checks: &[Check]) {
    open_part(
        out,
        "Refuses words of which a field that the row checks has an undefined value.",
        "check_fields",
    );
    for (place, check) in checks.iter().enumerate() {
        let name = &check.name["checks_".len()..];
        let width: u32 = check.parts.iter().map(|(_, width)| width).sum();
        let rows: Vec<&str> = entries
            .iter()
            .filter(|entry| entry.has(&check.name))
            .map(|entry| entry.row.name)
            .collect();
        if place > 0 {
            out.push('\n');
        }
        let _ = writeln!(out, "        // {}", rows.join(", "));
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
        let _ = writeln!(
            out,
            "        if self.row.val().{} && !self.{name}_defined.val() {{\n            self.exists.next = false;\n        }}",
            check.name
        );
    }
    out.push_str("    }\n");
}

/// The kernel, with its pieces.
pub(super) fn kernel(entries: &[Entry], selectors: &[(String, Vec<(u32, u32)>)], checks: &[Check]) -> String {
    let mut out = String::from("impl Logic for DecodeRows {\n    #[hdl_gen]\n    fn update(&mut self) {\n");
    for (name, parts) in [("opcode".to_string(), vec![(28, 4)]), ("subop".into(), vec![(61, 3)])]
        .iter()
        .chain(selectors)
    {
        let _ = writeln!(out, "        self.{name}.next = {};", bits_expression(parts));
    }
    let _ = write!(
        out,
        "\n        // Which row. Rows are told apart by as few bits as will do: whether the word is one of the row is below.\n        \
         self.row.next = self.{}.val();\n        if self.d_layout.val().is_control {{\n            self.control_row();\n        \
         }} else {{\n            self.other_row();\n        }}\n        self.d_row.next = self.row.val();\n\n        \
         // Whether the word is one.\n        self.find_opcode();\n        self.check_fields();\n        \
         self.d_exists.next = self.exists.val();\n    }}\n}}\n\nimpl DecodeRows {{",
        entries[0].name
    );
    control_part(&mut out, entries);
    other_parts(&mut out, entries);
    opcode_part(&mut out, entries);
    check_part(&mut out, entries, checks);
    out.push_str("}\n");
    out
}
