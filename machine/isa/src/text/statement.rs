//! Parser of statements: turns an instruction's text into a word, driven by the table's rows, the inverse of `print`.

use crate::instruction::{decode_at, Instruction};
use crate::operation::*;
use crate::table::field::{Conflict, Writer};
use crate::table::*;
use crate::text::expression::{no_symbols, Symbols};
use crate::text::operand::{encode_slot, numbered, parse_predicate};
use crate::text::piece::{Piece, Problem};
use crate::text::suggestions::{expected, nearest, suffixes};

/// An instruction's statement, parsed as far as possible without looking at operands.
#[derive(Debug, Clone)]
pub(crate) struct Statement<'a> {
    /// Parts of the mnemonic between dots; the first is the name.
    mnemonic: Vec<Piece<'a>>,
    operands: Vec<Piece<'a>>,
    /// The rows with the mnemonic at the capability: all have one size.
    rows: Vec<&'static Row>,
    capability: Capability,
}

impl<'a> Statement<'a> {
    /// Finds the rows of the mnemonic at a capability.
    pub fn new(piece: Piece<'a>, capability: Capability) -> Result<Self, Problem> {
        let piece = piece.trim();
        let end = piece.text.find(char::is_whitespace).unwrap_or(piece.text.len());
        let mut mnemonic = Vec::new();
        let mut start = 0;
        for part in piece.text[..end].split('.') {
            mnemonic.push(piece.from(start).to(part.len()));
            start += part.len() + 1;
        }
        // `split` gives at least one part.
        let name = mnemonic[0];
        let named = |row: &&Row| row.name.eq_ignore_ascii_case(name.text);
        let statement = Statement {
            rows: rows_at(capability).filter(named).collect(),
            operands: piece.from(end).trim().split_commas(),
            mnemonic,
            capability,
        };
        if !statement.rows.is_empty() {
            return Ok(statement);
        }
        if let Some(row) = all_rows().find(named) {
            let since = statement.later(&no_symbols).unwrap_or(row.since);
            return Err(needs(name, row.name, since, capability));
        }
        let mut problem = Problem::new(name, format!("there is no instruction `{}`", name.text));
        let names = rows_at(capability).map(|row| row.name);
        problem.suggestion =
            nearest(&name.text.to_ascii_uppercase(), names).map(|name| format!("did you mean {name}?"));
        Err(problem)
    }

    /// The instruction's size in bytes.
    pub fn size(&self) -> u32 {
        // There is at least one row, and rows of one name have one size.
        self.rows[0].form().size()
    }

    /// The same instruction in its short form, if one has exactly the same meaning. `None` also if an operand is not
    /// yet defined.
    pub fn shortened(&self, symbols: Symbols) -> Option<Self> {
        let name = format!("{}32", self.mnemonic[0].text.to_ascii_uppercase());
        let rows: Vec<_> = rows_at(self.capability)
            .filter(|row| row.name == name && row.form() == Form::Short)
            .collect();
        if rows.is_empty() {
            return None;
        }
        let short = Statement { rows, ..self.clone() };
        let meaning = |statement: &Statement| statement.encode(symbols).ok().map(|instruction| instruction.meaning());
        let wanted = meaning(self)?;
        (meaning(&short)? == wanted).then_some(short)
    }

    /// Encodes the statement.
    pub fn encode(&self, symbols: Symbols) -> Result<Instruction, Problem> {
        // The problem, whether the row has the mnemonic, and the row.
        let mut problem: Option<(Problem, bool, &Row)> = None;
        for row in &self.rows {
            match self.encode_row(row, self.capability, symbols) {
                Ok(word) => {
                    let decoded = decode_at(word, self.capability);
                    return decoded.map_err(|error| Problem::new(self.mnemonic[0], error.to_string()));
                }
                // The row that parsed the most text has the best message. A missing operand has no position in the
                // text.
                Err(new) => {
                    let named = self.has_mnemonic(row);
                    let better = |(old, of, _): &(Problem, bool, &Row)| (named, new.column) > (*of, old.column);
                    if problem.as_ref().is_none_or(better) {
                        problem = Some((new, named, row));
                    }
                }
            }
        }
        if let Some(since) = self.later(symbols) {
            let name = self.mnemonic[0];
            return Err(needs(name, "this form of the instruction", since, self.capability));
        }
        let Some((mut problem, _, row)) = problem else {
            return Err(Problem::new(self.mnemonic[0], "this instruction does not exist"));
        };
        if problem.of_form && problem.suggestion.is_none() {
            problem.suggestion = Some(self.usage(row));
        }
        Err(problem)
    }

    /// True if the row has the statement's suffixes.
    fn has_mnemonic(&self, row: &Row) -> bool {
        let mut writer = Writer {
            word: row.pattern.value,
            used: row.pattern.mask,
        };
        self.encode_mnemonic(row, &mut writer).is_ok()
    }

    /// The first later capability at which the statement is an instruction.
    fn later(&self, symbols: Symbols) -> Option<Capability> {
        let fits = |capability: Capability| {
            let mut rows = rows_at(capability).filter(|row| row.name.eq_ignore_ascii_case(self.mnemonic[0].text));
            rows.any(|row| self.encode_row(row, capability, symbols).is_ok())
        };
        let mut later = Capability::ALL.iter().filter(|later| **later > self.capability);
        later.find(|later| fits(**later)).copied()
    }

    /// The instruction's syntax with its current suffixes: `IADD takes a register or o[0x7f], a register or g[], a
    /// register or c[][]`.
    fn usage(&self, row: &Row) -> String {
        let mut writer = Writer {
            word: row.pattern.value,
            used: row.pattern.mask,
        };
        // After a wrong suffix the remaining ones are ignored.
        let _ = self.encode_mnemonic(row, &mut writer);
        let operands: Vec<_> = row.slots.iter().map(|slot| expected(&slot.location, &writer)).collect();
        match operands.len() {
            0 => format!("{} takes no operands", row.name),
            _ => format!("{} takes {}", row.name, operands.join(", ")),
        }
    }

    fn encode_row(&self, row: &Row, capability: Capability, symbols: Symbols) -> Result<u64, Problem> {
        let pattern = row.pattern_at(capability);
        let mut writer = Writer {
            word: pattern.value,
            used: pattern.mask,
        };
        self.encode_mnemonic(row, &mut writer)?;

        let name = self.mnemonic[0];
        let mut operands = self.operands.as_slice();
        let mut predicate = None;
        if row.guard == Guard::Conditional && row.form() == Form::Control {
            if let Some((first, rest)) = operands.split_first() {
                predicate = parse_predicate(*first)?;
                if predicate.is_some() {
                    operands = rest;
                }
            }
        }
        let mut operands = operands.iter().copied().enumerate();
        for slot in row.slots {
            // Only the mnemonic decides whether there is an operand.
            if matches!(slot.location.resolve(writer.word), Location::Nothing) {
                continue;
            }
            let Some((i, mut operand)) = operands.next() else {
                if matches!(slot.location, Location::OptionalNumber(_)) {
                    break;
                }
                return Err(Problem::of_form(
                    name,
                    format!("an operand is missing; expected {}", expected(&slot.location, &writer)),
                ));
            };
            if i == 0 && row.guard == Guard::Conditional && row.form() != Form::Control {
                if let Some(open) = operand
                    .text
                    .rfind('(')
                    .filter(|&open| open > 0 && operand.text.ends_with(')'))
                {
                    let condition = operand.from(open + 1);
                    let condition = condition.to(condition.text.len() - 1).trim();
                    predicate = parse_predicate(condition)?;
                    if predicate.is_some() {
                        operand = operand.to(open).trim();
                    }
                }
            }
            encode_slot(slot, operand, &mut writer, symbols)?;
        }
        if let Some((_, extra)) = operands.next() {
            return Err(Problem::of_form(extra, format!("{} takes no more operands", row.name)));
        }

        if row.guard == Guard::Conditional {
            let Predicate { register, condition } = predicate.unwrap_or(Predicate::ALWAYS);
            writer.set_default(CONDITION, condition.code());
            if predicate.is_some() {
                writer
                    .set(CONDITION_REGISTER, u32::from(register))
                    .map_err(|Conflict(_)| {
                        Problem::new(
                            name,
                            "the condition and another part of the instruction must use the same C register",
                        )
                    })?;
            }
        }
        // Fields without text are 0: the fields of absent marks.
        Ok(writer.word)
    }

    fn encode_mnemonic(&self, row: &Row, writer: &mut Writer) -> Result<(), Problem> {
        let mut parts = &self.mnemonic[1..];
        let name = self.mnemonic[0];
        let conflict = |Conflict(field): Conflict| Problem::new(name, format!("contradictory {}", field.name));
        if row.form() == Form::Long {
            let marker = match parts.first().map(|part| part.text) {
                Some(text) if text.eq_ignore_ascii_case("S") => 2,
                Some(text) if text.eq_ignore_ascii_case("EXIT") => 1,
                _ => 0,
            };
            if marker != 0 {
                parts = &parts[1..];
            }
            writer.set(MARKER, marker).map_err(conflict)?;
        }
        for suffix in row.suffixes {
            match *suffix {
                Suffix::Names(field, names) | Suffix::WithoutEffect(_, field, names) => {
                    let mut best: Option<(usize, u32)> = None;
                    for (value, name) in (0u32..).zip(names) {
                        if let Some(length) = name.and_then(|name| match_parts(parts, name)) {
                            if best.is_none_or(|(longest, _)| length > longest) {
                                best = Some((length, value));
                            }
                        }
                    }
                    let Some((length, value)) = best else {
                        let known: Vec<_> = names.iter().flatten().map(|name| format!(".{name}")).collect();
                        let part = parts.first().copied();
                        let mut problem =
                            Problem::of_form(part.unwrap_or(name), format!("expected one of {}", known.join(", ")));
                        problem.suggestion = part
                            .and_then(|part| nearest(&part.text.to_ascii_uppercase(), names.iter().flatten().copied()))
                            .map(|suffix| format!("did you mean .{suffix}?"));
                        return Err(problem);
                    };
                    parts = &parts[length..];
                    if let Suffix::WithoutEffect(flags, ..) = suffix {
                        // Without a name the bits may belong to an operand.
                        if value == 0 {
                            continue;
                        }
                        for flag in *flags {
                            writer.set(*flag, 0).map_err(conflict)?;
                        }
                    }
                    writer.set(field, value).map_err(conflict)?;
                }
                Suffix::When(field, value, text) => {
                    if let Some(length) = match_parts(parts, text) {
                        parts = &parts[length..];
                        writer.set(field, value).map_err(conflict)?;
                    }
                }
                Suffix::Alias(texts) => {
                    let Some(length) = texts.iter().find_map(|text| match_parts(parts, text)) else {
                        let known: Vec<_> = texts.iter().map(|text| format!(".{text}")).collect();
                        return Err(Problem::of_form(
                            parts.first().copied().unwrap_or(name),
                            format!("expected {}", known.join(" or ")),
                        ));
                    };
                    parts = &parts[length..];
                }
                Suffix::Code(field) => {
                    let Some(register) = parts.first().and_then(|part| numbered(part.text, "C", 3)) else {
                        // Without a part, the position after the last one, so that other rows do not have more text.
                        let last = self.mnemonic.last().map(|part| part.from(part.text.len()));
                        return Err(Problem::of_form(
                            parts.first().copied().or(last).unwrap_or(name),
                            "expected .C0, .C1, .C2 or .C3: the instruction always writes one".to_string(),
                        ));
                    };
                    parts = &parts[1..];
                    writer.set(field, register).map_err(conflict)?;
                }
                Suffix::Fixed(text) => {
                    let Some(length) = match_parts(parts, text) else {
                        return Err(Problem::of_form(
                            parts.first().copied().unwrap_or(name),
                            format!("expected .{text}"),
                        ));
                    };
                    parts = &parts[length..];
                }
                Suffix::Carry(field, register) => {
                    if let Some(n) = parts.first().and_then(|part| numbered(part.text, "CARRY", 3)) {
                        parts = &parts[1..];
                        writer.set(field, 3).map_err(conflict)?;
                        writer.set(register, n).map_err(conflict)?;
                    }
                }
                Suffix::Carry0(field) => {
                    if let Some(length) = match_parts(parts, "CARRY0") {
                        parts = &parts[length..];
                        writer.set(field, 3).map_err(conflict)?;
                    }
                }
            }
        }
        if row.writes_cc {
            let register = parts.first().and_then(|part| numbered(part.text, "C", 3));
            if let Some(register) = register {
                parts = &parts[1..];
                writer.set(CC_REGISTER, register).map_err(conflict)?;
            }
            writer.set(CC_ENABLE, u32::from(register.is_some())).map_err(conflict)?;
        }
        match parts.first() {
            None => Ok(()),
            Some(part) => {
                let mut problem = Problem::of_form(*part, format!("{} does not take .{} here", row.name, part.text));
                let text = part.text.to_ascii_uppercase();
                problem.suggestion = nearest(&text, suffixes(row).into_iter()).map(|suffix| match suffix == text {
                    true => format!("suffixes have a fixed order: .{suffix} comes earlier"),
                    false => format!("did you mean .{suffix}?"),
                });
                Err(problem)
            }
        }
    }
}

/// Number of `parts` that make up the dotted `name`, if they start with it.
fn match_parts(parts: &[Piece], name: &str) -> Option<usize> {
    if name.is_empty() {
        return Some(0);
    }
    let mut taken = 0;
    for wanted in name.split('.') {
        if !parts.get(taken)?.text.eq_ignore_ascii_case(wanted) {
            return None;
        }
        taken += 1;
    }
    Some(taken)
}

/// The error for an instruction of a later capability.
fn needs(piece: Piece, what: &str, since: Capability, capability: Capability) -> Problem {
    let mut problem = Problem::new(
        piece,
        format!("{what} needs compute capability {since}; this program is for {capability}"),
    );
    problem.suggestion = Some(format!("--capability {since} allows it"));
    problem
}
