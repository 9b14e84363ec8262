//! The kernel that identifies rows, as functions: the row of a word, and whether the word is legal in that row.

use super::entry::{Check, Entry};
use super::source::{bits_expression, is_among, open_function, WORD_AND_LAYOUT};
use super::words::{is_control, mask_text, opcodes, pieces, residue, subops, value_of};
use flexgrip_isa::table::Form;
use std::fmt::Write;

/// The expressions for opcode and sub-opcode.
const OPCODE: &str = "word.bits::<4>(28)";
const SUBOP: &str = "word.bits::<3>(61)";

/// The name of a row's constant.
pub(super) fn constant_name(entry: &Entry) -> String {
    entry.name.to_uppercase()
}

/// Writes one arm, or its body: the row, selected by the fixed bits beyond the key.
fn choose(out: &mut String, indent: usize, arm: &str, rows: &[&Entry]) {
    let pad = " ".repeat(indent);
    let first = rows[0];
    if rows.iter().all(|other| other.flags == first.flags && other.control.operation == first.control.operation) {
        let mut names: Vec<&str> = rows.iter().map(|entry| entry.row.name).collect();
        names.dedup();
        let end = if arm.is_empty() { "" } else { "," };
        let line = format!("{pad}{arm}{}{end}", constant_name(first));
        let _ = writeln!(out, "{line:<48} // {:<28} {}", mask_text(first.row), names.join(", "));
        return;
    }
    let mask = rows.iter().fold(0, |mask, entry| mask | residue(entry.row));
    let parts = pieces(mask);
    let width: u32 = parts.iter().map(|(_, width)| width).sum();
    let bits = bits_expression(&parts);
    if width == 1 {
        // A match on a single bit becomes an if.
        let is = |bit: u32| rows.iter().find(|entry| value_of(&parts, entry.row.pattern.value) == bit);
        let (Some(zero), Some(one)) = (is(0), is(1)) else {
            panic!("{}: the opcode has a row for only one value of the bit", first.row.name)
        };
        let _ = writeln!(out, "{pad}{arm}if {bits} {{");
        choose(out, indent + 4, "", &[one]);
        let _ = writeln!(out, "{pad}}} else {{");
        choose(out, indent + 4, "", &[zero]);
        let _ = writeln!(out, "{pad}}}");
        return;
    }
    let _ = writeln!(out, "{pad}{arm}match {bits}.index() {{");
    for value in 0..1u32 << width {
        let of = |entry: &&&Entry| {
            let (mask, fixed) = (value_of(&parts, residue(entry.row)), value_of(&parts, entry.row.pattern.value));
            (value ^ fixed) & mask == 0
        };
        let Some(entry) = rows.iter().find(of) else { continue };
        let arm = if value + 1 == 1 << width { "_ => ".into() } else { format!("{value} => ") };
        choose(out, indent + 4, &arm, &[entry]);
    }
    let _ = writeln!(out, "{pad}}}{}", if arm.is_empty() { "" } else { "," });
}

/// The entries of one form and opcode; `control` selects the short words with bit 1 set, or those without.
fn of(entries: &[Entry], control: bool, opcode: u32, form: Form) -> Vec<&Entry> {
    let own = |entry: &&Entry| {
        is_control(entry.row) == control && entry.row.form() == form && opcodes(entry.row).contains(&opcode)
    };
    entries.iter().filter(own).collect()
}

/// Writes the first line of a match on a word's opcode.
fn match_opcode(out: &mut String) {
    let _ = writeln!(out, "    match {OPCODE}.index() {{");
}

/// Writes the last lines of such a match: a word with any other opcode is not an instruction, so any row will do.
fn end_match(out: &mut String, entries: &[Entry]) {
    let _ = writeln!(out, "        _ => {},\n    }}\n}}", constant_name(&entries[0]));
}

/// Writes the function that identifies the rows of control words.
fn control_function(out: &mut String, entries: &[Entry]) {
    open_function(out, "The row of a control word.", "control_row", WORD_AND_LAYOUT, "Row");
    match_opcode(out);
    for opcode in 0..16 {
        let (long, short) = (of(entries, true, opcode, Form::Control), of(entries, true, opcode, Form::Short));
        match (long.first(), short.first()) {
            (None, None) => {}
            (Some(row), None) | (None, Some(row)) => choose(out, 8, &format!("{opcode} => "), &[row]),
            (Some(long), Some(short)) if long.flags == short.flags => {
                choose(out, 8, &format!("{opcode} => "), &[long, short]);
            }
            (Some(long), Some(short)) => {
                let _ = writeln!(out, "        {opcode} => if layout.is_long {{");
                choose(out, 12, "", &[long]);
                out.push_str("        } else {\n");
                choose(out, 12, "", &[short]);
                out.push_str("        }\n");
            }
        }
    }
    end_match(out, entries);
}

/// Long rows of one opcode, grouped by the sub-opcodes that have the same rows.
fn by_subop<'a>(rows: &[&'a Entry]) -> Vec<(Vec<u32>, Vec<&'a Entry>)> {
    let mut keys: Vec<(Vec<u32>, Vec<&Entry>)> = vec![];
    for subop in 0..8 {
        let own: Vec<&Entry> = rows.iter().copied().filter(|entry| subops(entry.row).contains(&subop)).collect();
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

/// The text before and after a choice: `4 => ` and a comma in an arm, nothing at the end of a function.
type Around<'a> = (&'a str, &'a str);

/// Writes the match that selects among the long rows of one opcode.
fn choose_subop(out: &mut String, indent: usize, (arm, end): Around, rows: &[&Entry]) {
    let keys = by_subop(rows);
    if let [(_, own)] = &keys[..] {
        return choose(out, indent, arm, own);
    }
    // The group with the most sub-opcodes becomes the default arm.
    let most = keys.iter().map(|(subops, _)| subops.len()).max();
    let rest = keys.iter().position(|(subops, _)| Some(subops.len()) == most).unwrap_or(0);
    let pad = " ".repeat(indent);
    let _ = writeln!(out, "{pad}{arm}match {SUBOP}.index() {{");
    for (_, (subops, own)) in keys.iter().enumerate().filter(|(place, _)| *place != rest) {
        let subops: Vec<String> = subops.iter().map(ToString::to_string).collect();
        choose(out, indent + 4, &format!("{} => ", subops.join(" | ")), own);
    }
    choose(out, indent + 4, "_ => ", &keys[rest].1);
    let _ = writeln!(out, "{pad}}}{end}");
}

/// Writes the match that selects among all rows of one opcode, by form first.
fn choose_form(out: &mut String, indent: usize, (arm, end): Around, forms: &[(Form, Vec<&Entry>)]) {
    if let [(form, rows)] = forms {
        return match form {
            Form::Long => choose_subop(out, indent, (arm, end), rows),
            _ => choose(out, indent, arm, rows),
        };
    }
    let pad = " ".repeat(indent);
    let _ = writeln!(out, "{pad}{arm}match layout.form.index() {{");
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

/// Writes the functions that identify the rows of the other words: one for all opcodes, and one for each opcode with
/// sub-opcodes in its long rows.
fn other_functions(out: &mut String, entries: &[Entry]) {
    let mut choice = String::new();
    for opcode in 0..16 {
        let mut forms =
            [Form::Short, Form::Immediate, Form::Long].map(|form| (form, of(entries, false, opcode, form))).to_vec();
        forms.retain(|(_, rows)| !rows.is_empty());
        if forms.is_empty() {
            continue;
        }
        let long = of(entries, false, opcode, Form::Long);
        if by_subop(&long).len() < 2 {
            choose_form(&mut choice, 8, (&format!("{opcode} => "), ","), &forms);
            continue;
        }
        let mut names: Vec<&str> = forms.iter().flat_map(|(_, rows)| rows).map(|entry| entry.row.name).collect();
        names.dedup();
        let (name, parameters) = match &forms[..] {
            [_] => (format!("opcode_{opcode}_row"), "word: Bits<64>"),
            _ => (format!("opcode_{opcode}_row"), WORD_AND_LAYOUT),
        };
        let arguments = if forms.len() == 1 { "word" } else { "word, layout" };
        let _ = writeln!(choice, "        {opcode} => {name}({arguments}),");
        let text = format!("The row of a word with opcode {opcode}: {}.", names.join(", "));
        open_function(out, &text, &name, parameters, "Row");
        choose_form(out, 4, ("", ""), &forms);
        out.push_str("}\n");
    }
    open_function(out, "The row of a word that is not a control word.", "other_row", WORD_AND_LAYOUT, "Row");
    match_opcode(out);
    out.push_str(&choice);
    end_match(out, entries);
}

/// Writes the function that is true if opcode and sub-opcode exist.
fn opcode_function(out: &mut String, entries: &[Entry]) {
    let text = "True if the opcode exists in the word's form; of a long word, if the sub-opcode does.";
    open_function(out, text, "opcode_exists", WORD_AND_LAYOUT, "Bit");
    let opcode_set = |control: bool, form: Form| -> Vec<u32> {
        (0..16).filter(|opcode| !of(entries, control, *opcode, form).is_empty()).collect()
    };
    let _ = writeln!(
        out,
        "    let opcode = {OPCODE};\n    if layout.is_full {{\n        let subops = match opcode.index() {{"
    );
    for opcode in opcode_set(false, Form::Long) {
        let subops = of(entries, false, opcode, Form::Long)
            .iter()
            .flat_map(|entry| subops(entry.row))
            .fold(0, |set, subop| set | 1 << subop);
        let _ = writeln!(out, "            {opcode:>2} => bits::<8>({subops:#010b}),");
    }
    let _ = writeln!(
        out,
        "            _ => bits(0),\n        }};\n        subops.get_bit({SUBOP}.index())\n    }} else {{"
    );
    for (test, control, form) in [
        ("let opcodes = if layout.is_control && layout.is_long", true, Form::Control),
        ("} else if layout.is_control", true, Form::Short),
        ("} else if layout.is_short", false, Form::Short),
        ("} else", false, Form::Immediate),
    ] {
        let set = opcode_set(control, form).iter().fold(0, |set, opcode| set | 1 << opcode);
        let _ = writeln!(out, "        {test} {{\n            bits::<16>({set:#018b})");
    }
    out.push_str("        };\n        opcodes.get_bit(opcode.index())\n    }\n}\n");
}

/// Writes the function that refuses words with undefined field values.
fn check_function(out: &mut String, entries: &[Entry], checks: &[Check]) {
    let text = "True if all fields that the row checks have defined values.";
    open_function(out, text, "fields_exist", "word: Bits<64>, row: Row", "Bit");
    for check in checks {
        let name = &check.name["checks_".len()..];
        let width: u32 = check.parts.iter().map(|(_, width)| width).sum();
        let rows: Vec<&str> =
            entries.iter().filter(|entry| entry.has(&check.name)).map(|entry| entry.row.name).collect();
        let _ = writeln!(out, "    // {}", rows.join(", "));
        let bits = bits_expression(&check.parts);
        let _ = writeln!(out, "    let field = {bits};\n    let {name} = {};", is_among("field", width, &check.values));
    }
    let terms = checks.iter().map(|check| {
        let name = &check.name["checks_".len()..];
        format!("(!row.{} || {name})", check.name)
    });
    let _ = writeln!(out, "    {}\n}}", terms.collect::<Vec<_>>().join("\n        && "));
}

/// The kernel, with its functions.
pub(super) fn kernel(entries: &[Entry], checks: &[Check]) -> String {
    let mut out = String::new();
    control_function(&mut out, entries);
    other_functions(&mut out, entries);
    opcode_function(&mut out, entries);
    check_function(&mut out, entries, checks);
    out.push_str(
        "\n/// Identifies the row of a word. `d_exists` is 0 if the word is not an instruction; the row is then arbitrary.\n\
         #[circuit]\npub struct DecodeRows {\n    pub d_word: Signal<In, Bits<64>>,\n    \
         pub d_layout: Signal<In, Layout>,\n    pub d_row: Signal<Out, Row>,\n    pub d_exists: Signal<Out, Bit>,\n\n    \
         /// True if the capability is at least 1.1; 1.2; 1.3.\n    pub(super) since_1_1: Constant<Bit>,\n    \
         pub(super) since_1_2: Constant<Bit>,\n    pub(super) since_1_3: Constant<Bit>,\n}\n\n\
         impl Logic for DecodeRows {\n    #[hdl_gen]\n    fn update(&mut self) {\n        \
         let word = self.d_word.val();\n        let layout = self.d_layout.val();\n        \
         // Only bits that distinguish the rows select the row. `d_exists` checks the other fixed bits.\n        \
         let row = if layout.is_control {\n            control_row(word, layout)\n        } else {\n            \
         other_row(word, layout)\n        };\n        self.d_row.next = row;\n        \
         self.d_exists.next = opcode_exists(word, layout) && fields_exist(word, row);\n        \
         if self.since_1_1.val() {\n            let later = later_instruction(word, layout);\n            \
         if later.loads_shared || later.votes || later.reduces || later.exchanges {\n                self.d_row.next = later_row(later);\n                \
         self.d_exists.next = later_exists(word, later, self.since_1_2.val());\n            }\n        }\n        \
         if self.since_1_2.val() {\n            let unlocks = is_unlock(word, layout);\n            \
         if unlocks && !unlock_exists(word, layout) {\n                self.d_exists.next = false;\n            }\n            \
         if is_lock(word, layout) {\n                self.d_exists.next = true;\n            }\n        }\n        \
         if self.since_1_3.val() {\n            let double = double_instruction(word, layout);\n            \
         if double.computes || double.converts {\n                let row = double_row(word, double);\n                \
         self.d_row.next = row;\n                \
         self.d_exists.next = double_exists(word, layout, double, row);\n            }\n        }\n    }\n}\n",
    );
    out
}
