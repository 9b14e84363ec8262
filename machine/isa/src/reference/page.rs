//! The page of an instruction, with all its forms.

use super::diagram::{diagram, key};
use super::document::{joined, sentence, Document};
use super::names::*;
use crate::instruction::{decode_at, encode, Instruction};
use crate::table::field::{Field, Kind};
use crate::table::manual::MARKERS;
use crate::table::*;
use crate::text::layout::columns;
use crate::text::suggestions::nearest;

/// Values of fields in an example, by name, chosen to show something simple; all other fields are 0.
const EXAMPLE_VALUES: &[(&str, u32)] = &[
    ("condition", 15),
    ("32-bit", 1),
    ("type", 1),
    ("comparison", 1),
    ("access", 6),
    ("global space", 14),
    ("condition code write", 0),
    ("destination", 2),
    ("source 1", 4),
    ("source 2", 6),
    ("source 3", 8),
    ("address register", 1),
    ("immediate", 0x10),
    ("shift count", 4),
    ("special register", 1),
    ("target", 0x10),
    ("thread mask", 0xfff),
    ("arrive", 1),
    ("wait", 1),
    ("vote", 1),
    ("components", 15),
    ("coordinates", 1),
];

/// The error for a mnemonic without an entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no instruction `{name}`{}", hint(.elsewhere, .suggestion))]
pub struct UnknownInstruction {
    /// The requested name.
    pub name: String,
    /// A name from the table with a similar spelling.
    pub suggestion: Option<&'static str>,
    /// The reason why the table does not have the name, if other chips or programs have such an instruction.
    pub elsewhere: Option<&'static str>,
}

fn hint(elsewhere: &Option<&str>, suggestion: &Option<&str>) -> String {
    match (elsewhere, suggestion) {
        (Some(reason), _) => format!(": it is {reason}"),
        (None, Some(name)) => format!("; did you mean {name}?"),
        (None, None) => String::new(),
    }
}

/// The page of an instruction as plain text. Any form's name is accepted, in upper or lower case; suffixes after a dot
/// are ignored.
///
/// # Errors
/// No instruction has the name.
pub fn text_page(name: &str) -> Result<String, UnknownInstruction> {
    let mnemonic = name.trim().split('.').next().unwrap_or("").to_ascii_uppercase();
    if all_rows().any(|row| row.name == mnemonic) {
        return Ok(page(base(&mnemonic), false));
    }
    Err(UnknownInstruction {
        name: name.to_string(),
        suggestion: nearest(&mnemonic, all_rows().map(|row| row.name)),
        elsewhere: ABSENT
            .iter()
            .find(|absent| absent.name == mnemonic)
            .map(|absent| absent.reason),
    })
}

/// All rows of the table, one per line.
pub fn text_overview() -> String {
    let lines: Vec<Vec<String>> = all_rows()
        .map(|row| {
            vec![
                full_name(row),
                row.form().name().into(),
                row.since.to_string(),
                executed(row).into(),
                row.semantics.into(),
            ]
        })
        .collect();
    columns(&["name", "form", "since", "executed", "means"], &lines)
}

/// Short name of an operand in the syntax line.
fn symbol(slot: &Slot) -> String {
    match slot.role {
        Role::Destination => "dst".into(),
        Role::Source1 => "src1".into(),
        Role::Source2 => "src2".into(),
        Role::Source3 => "src3".into(),
        Role::Inherent => format!("<{}>", slot.name()),
    }
}

/// The syntax of the row's instructions: `[]` is optional, `{}` is a choice.
fn syntax(row: &Row) -> String {
    let mut text = row.name.to_string();
    if row.form() == Form::Long {
        text.push_str("[.S|.EXIT]");
    }
    for suffix in row.suffixes {
        match suffix {
            Suffix::Names(_, names) | Suffix::WithoutEffect(_, _, names) => {
                let shown: Vec<String> = names
                    .iter()
                    .flatten()
                    .filter(|name| !name.is_empty())
                    .map(|name| format!(".{name}"))
                    .collect();
                let (open, close) = if names.contains(&Some("")) {
                    ('[', ']')
                } else {
                    ('{', '}')
                };
                text.push_str(&format!("{open}{}{close}", shown.join("|")));
            }
            Suffix::When(_, _, name) => text.push_str(&format!("[.{name}]")),
            Suffix::Fixed(name) => text.push_str(&format!(".{name}")),
            Suffix::Carry(..) => text.push_str("[.CARRYn]"),
            Suffix::Carry0(_) => text.push_str("[.CARRY0]"),
            Suffix::Alias(names) => {
                let names: Vec<String> = names.iter().map(|name| format!(".{name}")).collect();
                text.push_str(&format!("{{{}}}", names.join("|")));
            }
            Suffix::Code(_) => text.push_str(".Cn"),
        }
    }
    if row.writes_cc {
        text.push_str("[.Cn]");
    }
    let conditional = row.guard == Guard::Conditional;
    let mut separator = " ";
    if conditional && row.form() == Form::Control {
        text.push_str(if row.slots.is_empty() {
            " [Cn.condition]"
        } else {
            " [Cn.condition,]"
        });
    }
    for (i, slot) in row.slots.iter().enumerate() {
        let mut operand = symbol(slot);
        let optional = matches!(slot.location, Location::Select(_, locations)
            if locations.iter().any(|location| matches!(location, Location::Nothing)));
        for (mark, open, close) in [
            (Mark::Absolute, "[|]", "[|]"),
            (Mark::Invert, "[~]", ""),
            (Mark::Negate, "[-]", ""),
        ] {
            if slot.marks.iter().any(|entry| entry.0 == mark) {
                operand = format!("{open}{operand}{close}");
            }
        }
        if optional || matches!(slot.location, Location::OptionalNumber(_)) {
            text.push_str(&format!("[{separator}{operand}]"));
        } else {
            text.push_str(separator);
            text.push_str(&operand);
        }
        separator = ", ";
        if i == 0 && conditional && row.form() != Form::Control {
            text.push_str(" [(Cn.condition)]");
        }
    }
    text
}

/// The instruction of a word in the row that decodes and shows something simple.
pub fn example(row: &'static Row) -> Option<Instruction> {
    let mut word = row.pattern.value;
    let mut settled = row.pattern.mask;
    let mut place = |word: &mut u64, field: Field, value: u32| {
        // Bits set by an earlier field stay.
        let mask = field.mask() & !settled;
        let value = value & (u32::MAX >> (32 - field.width()));
        *word = *word & !mask | field.place(value) & mask;
        settled |= field.mask();
    };
    // Some fields exist only for certain values of others. The deciding fields are set first, and the loop repeats for
    // the fields that they add.
    for _ in 0..3 {
        for field in row.fields_of(word) {
            let value = EXAMPLE_VALUES
                .iter()
                .find(|(name, _)| *name == field.name)
                .map_or(0, |&(_, value)| value);
            place(&mut word, field, value);
        }
    }
    decode_at(word, row.since.min(row.until))
        .ok()
        .filter(|instruction| std::ptr::eq(instruction.row(), row))
}

/// Values with their texts and meanings: of choices, and of fields that the text names.
fn values(row: &Row, field: Field) -> Vec<Vec<String>> {
    // The text that a value adds to the instruction; `None`, or empty, if it adds nothing.
    let texts: Vec<Option<&str>> = row
        .suffixes
        .iter()
        .find_map(|suffix| suffix.names().filter(|(at, _)| *at == field))
        .map(|(_, names)| names.to_vec())
        .or_else(|| {
            row.slots.iter().find_map(|slot| match slot.location {
                Location::Named(at, names) if at == field => Some(names.to_vec()),
                _ => None,
            })
        })
        .unwrap_or_default();
    let suffix = row
        .suffixes
        .iter()
        .any(|suffix| suffix.names().is_some_and(|(at, _)| at == field));
    let words: Vec<&str> = match field.kind {
        Kind::Choice(words) => words.to_vec(),
        Kind::Flag if !texts.is_empty() => vec!["no", "yes"],
        _ => Vec::new(),
    };
    let count = words.len().max(texts.len());
    (0..count)
        .filter_map(|value| {
            let text = texts.get(value).copied().flatten();
            let mut text = match text {
                Some(text) if suffix && !text.is_empty() => format!(".{text}"),
                text => text.unwrap_or("").to_string(),
            };
            for other in row.suffixes {
                match *other {
                    Suffix::When(at, when, name) if at == field && when as usize == value => {
                        text = format!(".{name}");
                    }
                    Suffix::Carry(at, _) if at == field && value == 3 => text = ".CARRYn".into(),
                    Suffix::Carry0(at) if at == field && value == 3 => text = ".CARRY0".into(),
                    _ => {}
                }
            }
            let meaning = words.get(value).copied().unwrap_or("");
            if text.is_empty() && meaning.is_empty() {
                return None;
            }
            Some(vec![field.name.into(), value.to_string(), text, meaning.into()])
        })
        .collect()
}

/// Writes the section of a row: its syntax, bits, fields, operands and the rest.
fn form_section(document: &mut Document, row: &'static Row) {
    document.heading(2, &heading(row));
    document.code(&format!("{}\n", syntax(row)));
    document.paragraph(&sentence(row.semantics));

    let fields = row.fields();
    document.code(&diagram(row, &fields));
    let lines: Vec<Vec<String>> = fields
        .iter()
        .enumerate()
        .map(|(index, field)| {
            vec![
                document.quoted(&key(index).to_string()),
                field.bits(),
                field.name.into(),
                field.kind.description().into(),
            ]
        })
        .collect();
    document.table(&["", "bits", "field", "meaning"], &lines);

    let operands: Vec<Vec<String>> = row
        .slots
        .iter()
        .map(|slot| {
            let mut notations = Vec::new();
            for location in slot.location.alternatives() {
                if !notations.contains(&location.notation()) {
                    notations.push(location.notation());
                }
            }
            let signs: Vec<&str> = slot
                .marks
                .iter()
                .map(|(mark, ..)| match mark {
                    Mark::Negate => "negated",
                    Mark::Absolute => "absolute value",
                    Mark::Invert => "inverted",
                })
                .collect();
            vec![
                document.quoted(&symbol(slot)),
                slot.name().into(),
                document.quoted(&notations.join("  ")),
                signs.join(", "),
            ]
        })
        .collect();
    document.table(&["operand", "is", "may be", "and"], &operands);

    // The marker is the same everywhere and is described with the forms.
    let values: Vec<Vec<String>> = fields
        .iter()
        .filter(|field| **field != MARKER)
        .flat_map(|field| values(row, *field))
        .map(|mut line| {
            line[2] = document.quoted(&line[2]);
            line
        })
        .collect();
    document.table(&["field", "value", "text", "meaning"], &values);

    let mut facts = vec![
        format!("Reads: {}.", joined(&row.reads())),
        format!("Writes: {}.", joined(&row.writes())),
        format!("Unit: {}.", row.unit),
        format!("Executed by this core: {}.", restrictions(row)),
        capability(row),
        format!("Source: {}.", row.source),
    ];
    if let Some(instruction) = example(row) {
        let word = encode(&instruction);
        let words = match row.form() {
            Form::Short => format!("{word:08x}"),
            _ => format!("{:08x} {:08x}", word & 0xffff_ffff, word >> 32),
        };
        facts.push(format!(
            "Example: {} is {}.",
            document.quoted(&words),
            document.quoted(&instruction.to_string())
        ));
    }
    document.list(&facts);
    for note in row.notes {
        document.paragraph(note);
    }
}

/// The capabilities that include the row.
fn capability(row: &Row) -> String {
    if row.until < Capability::LATEST {
        return format!("Compute capability {} to {}.", row.since, row.until);
    }
    let mut text = format!("Since compute capability {}.", row.since);
    if let Some((since, field)) = row.narrowed {
        text.push_str(&format!(" From {since} on only words with bit {} 0.", field.bits()));
    }
    text
}

fn restrictions(row: &Row) -> String {
    match row.execution {
        Execution::Full => "yes".into(),
        Execution::NotYet => "not yet; it stops a kernel as an illegal instruction".into(),
        Execution::Only(restrictions) => {
            let all: Vec<String> = restrictions
                .iter()
                .map(|(field, values)| {
                    let values: Vec<String> = values.iter().map(u32::to_string).collect();
                    format!("{} {}", field.name, values.join(" or "))
                })
                .collect();
            format!("only with {}", all.join(" and "))
        }
    }
}

/// The page of an instruction, one of [`instructions`].
pub(super) fn page(name: &str, markdown: bool) -> String {
    let rows = rows(name);
    let mut document = Document::new(markdown);
    document.heading(1, name);
    for row in &rows {
        form_section(&mut document, row);
    }
    let wrong: Vec<_> = sections(&rows)
        .into_iter()
        .filter(|section| !section.errors.is_empty())
        .collect();
    if !wrong.is_empty() {
        document.heading(2, "Errors in the manual");
        for section in wrong {
            document.paragraph(&format!("In section {}:", section.name));
            let errors: Vec<String> = section
                .errors
                .iter()
                .map(|error| match (*error, markdown) {
                    (MARKERS, true) => "The marker's values are swapped, [as in most sections](manual.md).".into(),
                    (error, _) => error.to_string(),
                })
                .collect();
            document.list(&errors);
        }
    }
    document.text
}
