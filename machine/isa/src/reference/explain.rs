//! Explains an instruction word: its text, every field with its bits, value and meaning, the fixed and the ignored
//! bits, its inputs and outputs, and the source of this knowledge.

use crate::effects::Resource;
use crate::instruction::{decode_at, DecodeError, Instruction};
use crate::operation::*;
use crate::table::field::{Field, Kind};
use crate::table::*;
use crate::text::layout::{columns, wrap};
use std::fmt::Write;

/// Width of the text.
pub(crate) const TEXT_WIDTH: usize = 100;

/// Explains `word` for capability 1.0, like [`explain_at`].
///
/// ```
/// let text = flexgrip_isa::explain(0x0400_0780_a000_0005);
/// assert!(text.contains("I2I.U32.U16 R1, R0L"));
/// ```
pub fn explain(word: u64) -> String {
    explain_at(word, Capability::V1_0)
}

/// Explains `word` for a capability. A word of a later capability is explained for that one. The low half is in bits
/// 31..0, the only half that matters in a short instruction. Every word has an explanation: for a word that is not an
/// instruction, it names the undefined part and similar instructions.
pub fn explain_at(word: u64, capability: Capability) -> String {
    let mut text = String::new();
    let form = Form::of(word);
    let word = if form == Form::Short { word & 0xffff_ffff } else { word };
    // Writing to a string cannot fail.
    let _ = match form {
        Form::Short => writeln!(text, "{word:#010x}"),
        _ => writeln!(
            text,
            "{word:#018x}: low word {:08x}, high word {:08x}",
            word as u32,
            word >> 32
        ),
    };
    let _ = writeln!(text);
    match decode_at(word, capability) {
        Ok(instruction) => explain_instruction(&mut text, word, &instruction),
        Err(error @ DecodeError::Later { since, .. }) => {
            let _ = writeln!(text, "{error}\n");
            if let Ok(instruction) = decode_at(word, since) {
                explain_instruction(&mut text, word, &instruction);
            }
        }
        Err(error @ DecodeError::NoRow { .. }) => explain_no_row(&mut text, word, &error),
        Err(error @ DecodeError::Undefined { row, field, value, .. }) => {
            explain_undefined(&mut text, (word, capability), &error, row, field, value);
        }
    }
    text
}

/// Writes a line of the head: a name, and a text that may wrap.
fn head(text: &mut String, name: &str, value: &str) {
    const INDENT: usize = 14;
    for (i, line) in wrap(value, TEXT_WIDTH - INDENT).iter().enumerate() {
        let name = if i == 0 { name } else { "" };
        let _ = writeln!(text, "{name:<INDENT$}{line}");
    }
}

fn resources(all: &[Resource]) -> String {
    if all.is_empty() {
        return "nothing".into();
    }
    let all: Vec<String> = all.iter().map(Resource::to_string).collect();
    all.join(", ")
}

fn explain_instruction(text: &mut String, word: u64, instruction: &Instruction) {
    let row = instruction.row();
    let _ = writeln!(text, "{instruction}");
    let _ = writeln!(text);
    head(text, "means", row.semantics);
    head(text, "form", &form_text(row.form()));
    head(text, "reads", &resources(&instruction.reads()));
    head(text, "writes", &resources(&instruction.writes()));
    head(text, "unit", &row.unit.to_string());
    head(text, "executed", &execution(instruction));
    row_sources(text, row);
    let _ = writeln!(text);
    let ignored = match row.form() {
        Form::Short => 0xffff_ffff & !instruction.meaningful_bits(),
        _ => !instruction.meaningful_bits(),
    };
    bit_table(text, row, word, ignored, None);
    remarks(text, row);
}

fn row_sources(text: &mut String, row: &Row) {
    head(text, "since", &format!("compute capability {}", row.since));
    head(text, "source", row.source);
}

fn form_text(form: Form) -> String {
    format!("{}, {} bytes", form.name(), form.size())
}

/// A sentence that says whether this core executes the instruction, and if not, why.
fn execution(instruction: &Instruction) -> String {
    if instruction.executed() {
        return "yes".into();
    }
    let row = instruction.row();
    let refused = match row.execution {
        Execution::NotYet => Some(row.name.to_string()),
        Execution::Only(restrictions) => restrictions
            .iter()
            .find(|(field, values)| !values.contains(&instruction.field(*field)))
            .map(|(field, _)| format!("{} with this {}", row.name, field.name)),
        Execution::Full => None,
    };
    let refused = refused.unwrap_or_else(|| "an address register in an operand".into());
    format!("no: this core does not execute {refused} yet; it stops a kernel as an illegal instruction")
}

/// The meaning of the pattern's bits that start at `low`.
fn fixed_name(form: Form, low: u32) -> &'static str {
    match (form, low) {
        (_, 0) => "form",
        (Form::Immediate, 32) => "form",
        (_, 28 | 29) => "opcode",
        (_, 61 | 62) => "sub-opcode",
        _ => "fixed",
    }
}

/// Runs of set bits, `(lowest, number)`, ascending, split where another meaning starts.
fn runs(mask: u64) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for bit in (0..64).filter(|bit| mask >> bit & 1 == 1) {
        match runs.last_mut() {
            Some((low, width)) if *low + *width == bit && ![28, 32, 61].contains(&bit) => *width += 1,
            _ => runs.push((bit, 1)),
        }
    }
    runs
}

fn range(low: u32, width: u32) -> String {
    match width {
        1 => low.to_string(),
        _ => format!("{}..{low}", low + width - 1),
    }
}

/// Writes the word's bits as a table, from bit 0 upwards. `undefined` marks a field.
fn bit_table(text: &mut String, row: &Row, word: u64, ignored: u64, undefined: Option<&str>) {
    let mut lines: Vec<(u32, Vec<String>)> = Vec::new();
    for (low, width) in runs(row.pattern.mask) {
        let value = word >> low & ((1 << width) - 1);
        let meaning = match fixed_name(row.form(), low) {
            "form" => row.form().name().to_string(),
            "opcode" | "sub-opcode" => row.name.to_string(),
            _ => "the same in all of these words".into(),
        };
        lines.push((
            low,
            vec![
                range(low, width),
                fixed_name(row.form(), low).into(),
                format!("{value:#x}"),
                format!("{value:0width$b}", width = width as usize),
                meaning,
            ],
        ));
    }
    for field in row.fields_of(word) {
        let value = field.get(word);
        let mut meaning = meaning(row, word, field);
        if undefined == Some(field.name) {
            meaning = format!("UNDEFINED: {meaning}");
        }
        lines.push((
            field.parts.iter().map(|&(low, _)| low).min().unwrap_or(0),
            vec![
                field.bits(),
                field.name.into(),
                format!("{value:#x}"),
                format!("{value:0width$b}", width = field.width() as usize),
                meaning,
            ],
        ));
    }
    for (low, width) in runs(ignored) {
        let value = word >> low & (u64::MAX >> (64 - width));
        lines.push((
            low,
            vec![
                range(low, width),
                "-".into(),
                format!("{value:#x}"),
                format!("{value:0width$b}", width = width as usize),
                "ignored".into(),
            ],
        ));
    }
    lines.sort_by_key(|&(low, _)| low);
    let lines: Vec<Vec<String>> = lines.into_iter().map(|(_, line)| line).collect();
    text.push_str(&columns(&["bits", "field", "value", "binary", "meaning"], &lines));
}

fn remarks(text: &mut String, row: &Row) {
    for note in row.notes {
        let _ = writeln!(text);
        for line in wrap(note, TEXT_WIDTH) {
            let _ = writeln!(text, "{line}");
        }
    }
    for section in row.manual {
        if section.errors.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\nErrors in the manual's section {}:", section.name);
        for error in section.errors {
            for (i, line) in wrap(error, TEXT_WIDTH - 2).iter().enumerate() {
                let _ = writeln!(text, "{} {line}", if i == 0 { "-" } else { " " });
            }
        }
    }
}

/// The meaning of `field`'s value in `word`, which belongs to the row.
fn meaning(row: &Row, word: u64, field: Field) -> String {
    let value = field.get(word);
    let mut meaning = match field.kind {
        Kind::Flag => if value == 0 { "no" } else { "yes" }.to_string(),
        Kind::Choice(words) => match words.get(value as usize) {
            Some(words) if !words.is_empty() => (*words).to_string(),
            _ => "no meaning".into(),
        },
        Kind::AddressRegister => match value {
            0 => "none, or A0, which reads 0".into(),
            _ => format!("A{value}"),
        },
        Kind::ConditionCode => format!("C{value}"),
        Kind::SpecialRegister => match SPECIAL_REGISTERS.get(value as usize) {
            Some(("", meaning)) => format!("SR{value}: {meaning}"),
            Some((name, meaning)) => format!("SR{value}, {name}: {meaning}"),
            None => format!("SR{value}: unknown"),
        },
        Kind::Bank => format!("c[{value:#x}]"),
        Kind::Space => format!("global{value}"),
        Kind::Target => format!("to byte address {:#x}", u64::from(value) * 4),
        Kind::Barrier => format!("b{value}"),
        Kind::Mask => match mask_name(row, field, value) {
            Some(name) => name.to_string(),
            None if value.count_ones() == field.width() => "all".into(),
            None => format!("{value:#x}"),
        },
        Kind::Texture => format!("texture {value}"),
        Kind::Sampler => format!("sampler {value}"),
        Kind::TexelOffset => {
            let signed = |at: u32| {
                let nibble = (value >> at & 15) as i32;
                nibble - if nibble > 7 { 16 } else { 0 }
            };
            format!("x {}, y {}, z {}", signed(0), signed(4), signed(8))
        }
        Kind::Condition => match Condition::from_code(value) {
            Some(condition) => format!("{condition}: {}", lower_first(condition.description())),
            None => "no condition has this code".into(),
        },
        Kind::Number => match row.slots.iter().find(|slot| is_at(slot, word, field)) {
            Some(Slot {
                location: Location::FloatNumber(_),
                ..
            }) => format!("{:?}", f32::from_bits(value)),
            _ => value.to_string(),
        },
        Kind::Register => String::new(),
        Kind::Offset => offset(row, word, field),
    };
    for slot in row.slots {
        let register = match slot.location.resolve(word) {
            Location::Word(at) | Location::Global(_, at) if at == field => format!("R{value}"),
            Location::Pair(at) if at == field => format!("R{value} and R{}", value + 1),
            Location::Half(at) if at == field => format!("R{}{}", value >> 1, if value & 1 == 0 { "L" } else { "H" }),
            Location::Discard(at) if at == field => "o[0x7f]: the result is dropped".into(),
            _ => continue,
        };
        if meaning.is_empty() {
            meaning = register;
        }
        // Names the operand if it differs from the field's name.
        if slot.name() != field.name {
            meaning = format!("{meaning}, {}", slot.name());
        }
    }
    for suffix in row.suffixes {
        let suffix = match *suffix {
            Suffix::Names(at, names) | Suffix::WithoutEffect(_, at, names) if at == field => {
                names.get(value as usize).copied().flatten()
            }
            Suffix::When(at, when, name) if at == field && when == value => Some(name),
            Suffix::Carry0(at) if at == field && value == 3 => Some("CARRY0"),
            Suffix::Carry(at, _) if at == field && value == 3 => Some("CARRYn"),
            Suffix::Code(at) if at == field => Some("Cn"),
            _ => None,
        };
        if let Some(suffix) = suffix.filter(|suffix| !suffix.is_empty()) {
            meaning = format!("{meaning} (.{suffix})");
        }
    }
    meaning
}

fn lower_first(text: &str) -> String {
    let mut characters = text.trim_end_matches('.').chars();
    match characters.next() {
        Some(first) => first.to_lowercase().chain(characters).collect(),
        None => String::new(),
    }
}

fn mask_name(row: &Row, field: Field, value: u32) -> Option<&'static str> {
    row.slots.iter().find_map(|slot| match slot.location {
        Location::Named(at, names) if at == field => names.get(value as usize).copied().flatten(),
        _ => None,
    })
}

/// True if the slot's operand in `word` is the immediate in `field`.
fn is_at(slot: &Slot, word: u64, field: Field) -> bool {
    matches!(
        slot.location.resolve(word),
        Location::Number(at) | Location::FloatNumber(at) | Location::OptionalNumber(at) if at == field
    )
}

/// An offset in bytes, with its memory and whether it is added to the address register afterwards.
fn offset(row: &Row, word: u64, field: Field) -> String {
    for slot in row.slots {
        let (at, memory, unit, indirect) = match slot.location.resolve(word) {
            Location::Shared {
                offset,
                access,
                indirect,
                ..
            } => (offset, "g[]", access.bytes(), Some(indirect)),
            Location::Constant {
                offset,
                access,
                indirect,
                ..
            } => (offset, "c[][]", access.bytes(), indirect),
            Location::Local { offset, indirect } => (offset, "local[]", 1, Some(indirect)),
            _ => continue,
        };
        if at != field {
            continue;
        }
        let value = i64::from(field.get(word));
        let incremented = indirect.is_some_and(|fields| fields.post_increment.get(word) != 0);
        return if incremented {
            let width = field.width();
            let value = if value >> (width - 1) != 0 {
                value - (1 << width)
            } else {
                value
            };
            format!(
                "{memory}: {} bytes added to the address register afterwards",
                value * i64::from(unit)
            )
        } else {
            format!("{memory}: byte {:#x}", value * i64::from(unit))
        };
    }
    String::new()
}

fn explain_no_row(text: &mut String, word: u64, error: &DecodeError) {
    let form = Form::of(word);
    head(text, "undefined", &error.to_string());
    head(text, "form", &form_text(form));
    let opcode = word >> 28 & 15;
    head(text, "opcode", &format!("{opcode:#x}, bits 31..28"));
    let long = form == Form::Long;
    if long {
        head(text, "sub-opcode", &format!("{:#x}, bits 63..61", word >> 61));
    }
    if let Some(absent) = ABSENT.iter().find(|absent| absent.pattern.matches(word)) {
        head(
            text,
            "elsewhere",
            &format!("{}, {} ({})", absent.name, absent.reason, absent.source),
        );
    }
    // Candidates: the rows that agree in the opcode, or else in most bits of the pattern.
    let wrong = |row: &Row| (word ^ row.pattern.value) & row.pattern.mask;
    let distance = |row: &Row| {
        let wrong = wrong(row);
        (wrong & 0xf000_0000 != 0, wrong >> 61 != 0, wrong.count_ones())
    };
    let rows = || all_rows().filter(|row| row.form() == form);
    let nearest = rows().map(distance).min();
    let near: Vec<Vec<String>> = rows()
        .filter(|row| Some(distance(row)) == nearest)
        .map(|row| {
            let bits: Vec<String> = runs(wrong(row))
                .into_iter()
                .map(|(low, width)| range(low, width))
                .collect();
            vec![row.name.to_string(), bits.join(", "), row.semantics.to_string()]
        })
        .collect();
    let _ = writeln!(text, "\nNearest instructions:\n");
    text.push_str(&columns(&["name", "other bits", "means"], &near));
}

fn explain_undefined(
    text: &mut String,
    (word, capability): (u64, Capability),
    error: &DecodeError,
    name: &str,
    field: &str,
    value: u32,
) {
    head(text, "undefined", &error.to_string());
    let Some(row) = rows_at(capability).find(|row| row.pattern_at(capability).matches(word)) else {
        return;
    };
    head(text, "means", &format!("{name}: {}", row.semantics));
    head(text, "form", &form_text(row.form()));
    let defined = defined_values(row, (word, capability), field);
    if !defined.is_empty() {
        head(
            text,
            "defined",
            &format!(
                "{field} {value:#x} is undefined; expected one of: {}",
                defined.join(", ")
            ),
        );
    }
    row_sources(text, row);
    let _ = writeln!(text);
    let fields = row
        .fields_of(word)
        .iter()
        .fold(row.pattern.mask, |mask, field| mask | field.mask());
    let ignored = if row.form() == Form::Short {
        0xffff_ffff & !fields
    } else {
        !fields
    };
    bit_table(text, row, word, ignored, Some(field));
    remarks(text, row);
}

/// The values of the named field for which the word would not be refused because of that field.
fn defined_values(row: &Row, (word, capability): (u64, Capability), name: &str) -> Vec<String> {
    let Some(field) = row.fields().into_iter().find(|field| field.name == name) else {
        return Vec::new();
    };
    // Wider fields have too many values to list.
    if field.width() > 5 {
        return Vec::new();
    }
    (0..1u32 << field.width())
        .filter(|&value| {
            let tried = word & !field.mask() | field.place(value);
            !matches!(decode_at(tried, capability), Err(DecodeError::Undefined { field, .. }) if field == name)
        })
        .map(|value| format!("{value:#x}"))
        .collect()
}
