//! One instruction's text as a word, driven by the table's rows: the inverse of `print`.

use crate::instruction::{decode, Instruction};
use crate::operation::*;
use crate::table::field::{Conflict, Field, Writer};
use crate::table::*;
use crate::text::expression::{evaluate, Symbol, Symbols};

/// A piece of source text: where it starts (0-based byte column in its line) and what it says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub column: usize,
    pub text: &'a str,
}

impl<'a> Piece<'a> {
    /// Without blanks around it.
    pub fn trim(self) -> Self {
        let text = self.text.trim_start();
        Piece {
            column: self.column + (self.text.len() - text.len()),
            text: text.trim_end(),
        }
    }

    /// The part from byte `from` on.
    fn from(self, from: usize) -> Self {
        Piece {
            column: self.column + from,
            text: &self.text[from..],
        }
    }

    /// The first `to` bytes.
    fn to(self, to: usize) -> Self {
        Piece {
            column: self.column,
            text: &self.text[..to],
        }
    }

    /// Splits at commas outside of brackets.
    pub fn split_commas(self) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        let mut depth = 0i32;
        let mut start = 0;
        for (at, c) in self.text.char_indices() {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                ',' if depth <= 0 => {
                    pieces.push(self.from(start).to(at - start).trim());
                    start = at + 1;
                }
                _ => {}
            }
        }
        let last = self.from(start).trim();
        if !(pieces.is_empty() && last.text.is_empty()) {
            pieces.push(last);
        }
        pieces
    }
}

/// What is wrong, and with which part of the text.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub column: usize,
    pub text: String,
    pub message: String,
    pub suggestion: Option<String>,
    /// The instruction does not exist in this form: what forms there are would help.
    pub of_form: bool,
}

impl Problem {
    pub fn new(piece: Piece, message: impl Into<String>) -> Self {
        Problem {
            column: piece.column,
            text: piece.text.to_string(),
            message: message.into(),
            suggestion: None,
            of_form: false,
        }
    }

    /// A suffix or an operand that the instruction does not have.
    fn of_form(piece: Piece, message: impl Into<String>) -> Self {
        Problem {
            of_form: true,
            ..Self::new(piece, message)
        }
    }
}

/// A statement of an instruction, taken apart as far as that goes without looking at operands.
#[derive(Debug, Clone)]
pub(crate) struct Statement<'a> {
    /// Parts of the mnemonic between dots; the first is the name.
    mnemonic: Vec<Piece<'a>>,
    operands: Vec<Piece<'a>>,
    rows: Vec<&'static Row>,
}

impl<'a> Statement<'a> {
    /// Finds the rows of the mnemonic.
    pub fn new(piece: Piece<'a>) -> Result<Self, Problem> {
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
        let rows: Vec<_> = ROWS
            .iter()
            .filter(|row| row.name.eq_ignore_ascii_case(name.text))
            .collect();
        if rows.is_empty() {
            let mut problem = Problem::new(name, format!("there is no instruction `{}`", name.text));
            problem.suggestion = nearest(&name.text.to_ascii_uppercase(), ROWS.iter().map(|row| row.name))
                .map(|name| format!("did you mean {name}?"));
            return Err(problem);
        }
        Ok(Statement {
            mnemonic,
            operands: piece.from(end).trim().split_commas(),
            rows,
        })
    }

    /// Bytes that the instruction takes.
    pub fn size(&self) -> u32 {
        // There is at least one row, and rows of one name have one size.
        self.rows[0].form().size()
    }

    /// The same instruction in its short form, if there is one with exactly the same meaning. `None` too if an operand
    /// is not known yet.
    pub fn shortened(&self, symbols: Symbols) -> Option<Self> {
        let name = format!("{}32", self.mnemonic[0].text.to_ascii_uppercase());
        let rows: Vec<_> = ROWS
            .iter()
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

    /// The instruction.
    pub fn encode(&self, symbols: Symbols) -> Result<Instruction, Problem> {
        let mut problem: Option<(Problem, &Row)> = None;
        for row in &self.rows {
            match self.encode_row(row, symbols) {
                Ok(word) => return decode(word).map_err(|error| Problem::new(self.mnemonic[0], error.to_string())),
                // The row that understood most of the text has the best message.
                Err(new) if problem.as_ref().is_none_or(|(old, _)| new.column > old.column) => {
                    problem = Some((new, row));
                }
                Err(_) => {}
            }
        }
        let Some((mut problem, row)) = problem else {
            return Err(Problem::new(self.mnemonic[0], "no such instruction"));
        };
        if problem.of_form && problem.suggestion.is_none() {
            problem.suggestion = Some(self.usage(row));
        }
        Err(problem)
    }

    /// How the instruction looks, with the suffixes that it has: `IADD takes a register or o[0x7f], a register or g[],
    /// a register or c[][]`.
    fn usage(&self, row: &Row) -> String {
        let mut writer = Writer {
            word: row.pattern.value,
            used: row.pattern.mask,
        };
        // A wrong suffix leaves the rest open.
        let _ = self.encode_mnemonic(row, &mut writer);
        let operands: Vec<_> = row.slots.iter().map(|slot| expected(&slot.location, &writer)).collect();
        match operands.len() {
            0 => format!("{} takes no operands", row.name),
            _ => format!("{} takes {}", row.name, operands.join(", ")),
        }
    }

    fn encode_row(&self, row: &Row, symbols: Symbols) -> Result<u64, Problem> {
        let mut writer = Writer {
            word: row.pattern.value,
            used: row.pattern.mask,
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
            let Some((i, mut operand)) = operands.next() else {
                if matches!(slot.location, Location::OptionalNumber(_)) {
                    break;
                }
                return Err(Problem::of_form(
                    name,
                    format!("an operand is missing: {}", expected(&slot.location, &writer)),
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
            return Err(Problem::of_form(
                extra,
                format!("{} takes no further operand", row.name),
            ));
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
        // What the text left open is 0: fields of marks that are not there.
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
                Suffix::Names(field, names) => {
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
                    writer.set(field, value).map_err(conflict)?;
                }
                Suffix::When(field, value, text) => {
                    if let Some(length) = match_parts(parts, text) {
                        parts = &parts[length..];
                        writer.set(field, value).map_err(conflict)?;
                    }
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
                let mut problem = Problem::of_form(*part, format!("{} has no .{} here", row.name, part.text));
                let text = part.text.to_ascii_uppercase();
                problem.suggestion = nearest(&text, suffixes(row).into_iter()).map(|suffix| match suffix == text {
                    true => format!("suffixes have an order, in which .{suffix} comes earlier"),
                    false => format!("did you mean .{suffix}?"),
                });
                Err(problem)
            }
        }
    }
}

/// How many of `parts` the dotted `name` takes, if they start with it.
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

/// `n` of `PREFIXn`, if it is a decimal number of at most `largest`.
fn numbered(text: &str, prefix: &str, largest: u32) -> Option<u32> {
    let (head, digits) = text.split_at_checked(prefix.len())?;
    if !head.eq_ignore_ascii_case(prefix) || digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|&n| n <= largest)
}

/// `C0.NE`; `None` if it does not look like a condition at all.
fn parse_predicate(piece: Piece) -> Result<Option<Predicate>, Problem> {
    let Some((register, condition)) = piece.text.split_once('.') else {
        return Ok(None);
    };
    let Some(register) = numbered(register.trim(), "C", 3) else {
        return Ok(None);
    };
    let condition = condition.trim();
    match Condition::from_text(condition) {
        Some(condition) => Ok(Some(Predicate {
            register: register as u8,
            condition,
        })),
        None => {
            let mut problem = Problem::new(piece, format!("there is no condition `{condition}`"));
            problem.suggestion = nearest(
                &condition.to_ascii_uppercase(),
                Condition::ALL.iter().map(|condition| condition.text()),
            )
            .map(|name| format!("did you mean {name}?"));
            Err(problem)
        }
    }
}

/// The inside of an operand's brackets.
#[derive(Debug, Clone, Copy)]
struct Inside<'a> {
    register: u32,
    post_increment: bool,
    /// Offset expression, which may be empty.
    offset: Piece<'a>,
}

/// An operand's text as far as it can be understood by itself.
#[derive(Debug, Clone, Copy)]
enum Atom<'a> {
    Register {
        index: u32,
        part: Part,
    },
    Output(Piece<'a>),
    Shared(Inside<'a>, Option<Access>),
    Constant(Piece<'a>, Inside<'a>, Option<Access>),
    Local(Inside<'a>),
    Global {
        space: u32,
        register: u32,
    },
    Address(u32),
    ConditionCode(u32),
    Special(u32),
    Barrier(u32),
    /// A number, a name or an expression.
    Other(Piece<'a>),
}

fn register_of(text: &str) -> Option<(u32, Part)> {
    let (digits, part) = match text.as_bytes().last()?.to_ascii_uppercase() {
        b'L' => (&text[..text.len() - 1], Part::Low),
        b'H' => (&text[..text.len() - 1], Part::High),
        _ => (text, Part::Full),
    };
    Some((numbered(digits, "R", 127)?, part))
}

/// Whether the text is an operand other than an expression, so that it cannot be a label's name.
pub(crate) fn is_reserved(text: &str) -> bool {
    register_of(text).is_some()
        || numbered(text, "A", 7).is_some()
        || numbered(text, "C", 3).is_some()
        || numbered(text, "SR", 15).is_some()
        || numbered(text, "b", 15).is_some()
}

impl<'a> Atom<'a> {
    fn parse(piece: Piece<'a>) -> Result<Self, Problem> {
        let text = piece.text;
        if let Some((index, part)) = register_of(text) {
            return Ok(Atom::Register { index, part });
        }
        if let Some(index) = numbered(text, "A", 7) {
            return Ok(Atom::Address(index));
        }
        if let Some(index) = numbered(text, "C", 3) {
            return Ok(Atom::ConditionCode(index));
        }
        if let Some(index) = numbered(text, "SR", 15) {
            return Ok(Atom::Special(index));
        }
        if let Some(index) = numbered(text, "b", 15) {
            return Ok(Atom::Barrier(index));
        }
        let Some(open) = text.find('[') else {
            return Ok(Atom::Other(piece));
        };
        let space = text[..open].trim();
        let Some(close) = text.find(']') else {
            return Err(Problem::new(piece, "`]` is missing"));
        };
        if close < open {
            return Err(Problem::new(piece, "`]` without `[`"));
        }
        let inside = piece.from(open + 1).to(close - open - 1).trim();
        let behind = piece.from(close + 1).trim();
        let nothing_behind = |atom| {
            if behind.text.is_empty() {
                Ok(atom)
            } else {
                Err(Problem::new(behind, "nothing may follow here"))
            }
        };
        if space.eq_ignore_ascii_case("g") {
            return Ok(Atom::Shared(Inside::parse(inside)?, access_of(behind)?));
        }
        if space.eq_ignore_ascii_case("o") {
            return nothing_behind(Atom::Output(inside));
        }
        if space.eq_ignore_ascii_case("local") {
            return nothing_behind(Atom::Local(Inside::parse(inside)?));
        }
        if let Some(space) = numbered(space, "global", 15) {
            return match register_of(inside.text) {
                Some((register, Part::Full)) => nothing_behind(Atom::Global { space, register }),
                _ => Err(Problem::new(inside, "expected a register that holds the address")),
            };
        }
        if space.eq_ignore_ascii_case("c") {
            let second = behind.text.find(']').filter(|_| behind.text.starts_with('['));
            let Some(second) = second else {
                return Err(Problem::new(piece, "expected c[BANK][OFFSET]"));
            };
            let offset = behind.from(1).to(second - 1).trim();
            return Ok(Atom::Constant(
                inside,
                Inside::parse(offset)?,
                access_of(behind.from(second + 1).trim())?,
            ));
        }
        Err(Problem::new(piece, "expected g[], c[][], local[], global14[] or o[]"))
    }
}

fn access_of(piece: Piece) -> Result<Option<Access>, Problem> {
    let text = piece.text;
    if text.is_empty() {
        Ok(None)
    } else if text.eq_ignore_ascii_case(".U8") {
        Ok(Some(Access::U8))
    } else if text.eq_ignore_ascii_case(".U16") {
        Ok(Some(Access::U16))
    } else if text.eq_ignore_ascii_case(".S16") {
        Ok(Some(Access::S16))
    } else if text.eq_ignore_ascii_case(".U32") {
        Ok(Some(Access::B32))
    } else {
        Err(Problem::new(
            piece,
            "expected .U8, .U16, .S16 or nothing after the bracket",
        ))
    }
}

impl<'a> Inside<'a> {
    fn parse(piece: Piece<'a>) -> Result<Self, Problem> {
        let text = piece.text;
        let end = text
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(text.len());
        let Some(register) = numbered(&text[..end], "A", 7) else {
            return Ok(Inside {
                register: 0,
                post_increment: false,
                offset: piece,
            });
        };
        let mut rest = piece.from(end).trim();
        let post_increment = rest.text.starts_with("++");
        if post_increment {
            rest = rest.from(2).trim();
        }
        if !rest.text.is_empty() && !rest.text.starts_with(['+', '-']) {
            return Err(Problem::new(rest, "expected + or - and an offset"));
        }
        Ok(Inside {
            register,
            post_increment,
            offset: rest,
        })
    }

    fn offset(&self, unit: u32, symbols: Symbols) -> Result<i64, Problem> {
        if self.offset.text.is_empty() && (self.register != 0 || self.post_increment) {
            return Ok(0);
        }
        evaluate(self.offset.text, unit, symbols).map_err(|message| Problem::new(self.offset, message))
    }
}

/// Why an operand does not go into a location.
enum Misfit {
    /// It is of another kind, or other fields stand against it: another alternative may do.
    Kind,
    /// It is of the right kind, but wrong.
    Wrong(Problem),
}

impl From<Conflict> for Misfit {
    fn from(_: Conflict) -> Self {
        Misfit::Kind
    }
}

impl From<Problem> for Misfit {
    fn from(problem: Problem) -> Self {
        Misfit::Wrong(problem)
    }
}

fn encode_slot(slot: &Slot, operand: Piece, writer: &mut Writer, symbols: Symbols) -> Result<(), Problem> {
    let mut inner = operand;
    let mut found = Vec::new();
    // Marks are written in one order, -|x|, and each at most once.
    for (mark, open, close) in [
        (Mark::Negate, '-', None),
        (Mark::Invert, '~', None),
        (Mark::Absolute, '|', Some('|')),
    ] {
        let Some(&entry) = slot.marks.iter().find(|entry| entry.0 == mark) else {
            continue;
        };
        if !inner.text.starts_with(open) {
            continue;
        }
        inner = inner.from(1);
        if let Some(close) = close {
            if !inner.text.ends_with(close) {
                return Err(Problem::new(operand, format!("`{close}` is missing")));
            }
            inner = inner.to(inner.text.len() - 1);
        }
        inner = inner.trim();
        found.push(entry);
    }
    let atom = Atom::parse(inner)?;
    match encode_location(&slot.location, inner, atom, writer, symbols) {
        Ok(()) => {}
        Err(Misfit::Wrong(problem)) => return Err(problem),
        Err(Misfit::Kind) => {
            let mut problem = Problem::of_form(
                operand,
                format!(
                    "`{}` does not fit: expected {}",
                    operand.text,
                    expected(&slot.location, writer)
                ),
            );
            if let Location::Named(_, names) = slot.location {
                problem.suggestion = nearest(&operand.text.to_ascii_uppercase(), names.iter().flatten().copied())
                    .map(|name| format!("did you mean {name}?"));
            }
            return Err(problem);
        }
    }
    for (_, field, value) in found {
        writer.set(field, value).map_err(|Conflict(_)| {
            Problem::new(operand, "this sign cannot be combined with the rest of the instruction")
        })?;
    }
    Ok(())
}

fn encode_location(
    location: &Location,
    piece: Piece,
    atom: Atom,
    writer: &mut Writer,
    symbols: Symbols,
) -> Result<(), Misfit> {
    match (*location, atom) {
        (Location::Select(field, locations), _) => {
            for (value, location) in (0u32..).zip(locations) {
                let mut trial = *writer;
                if trial.set(field, value).is_err() {
                    continue;
                }
                match encode_location(location, piece, atom, &mut trial, symbols) {
                    Ok(()) => {
                        *writer = trial;
                        return Ok(());
                    }
                    Err(Misfit::Kind) => {}
                    Err(wrong) => return Err(wrong),
                }
            }
            Err(Misfit::Kind)
        }
        (
            Location::Word(field),
            Atom::Register {
                index,
                part: Part::Full,
            },
        ) => set_register(field, index, index, piece, writer),
        (
            Location::Half(field),
            Atom::Register {
                index,
                part: part @ (Part::Low | Part::High),
            },
        ) => set_register(field, index << 1 | u32::from(part == Part::High), index, piece, writer),
        (Location::Discard(field), Atom::Output(number)) => {
            let value = evaluate(number.text, 1, symbols).map_err(|message| Problem::new(number, message))?;
            if value != 0x7f {
                return Err(Problem::new(piece, "the only o[] is o[0x7f], which discards").into());
            }
            writer.set(field, 0x7f)?;
            Ok(())
        }
        (
            Location::Shared {
                offset,
                access,
                indirect,
                explicit,
            },
            Atom::Shared(inside, written),
        ) => {
            if !access_fits(access, explicit, written) {
                return Err(Misfit::Kind);
            }
            set_inside(inside, offset, access.bytes(), Some(indirect), piece, writer, symbols)
        }
        (
            Location::Constant {
                bank,
                offset,
                access,
                indirect,
                explicit,
            },
            Atom::Constant(number, inside, written),
        ) => {
            if !access_fits(access, explicit, written) {
                return Err(Misfit::Kind);
            }
            let value = evaluate(number.text, 1, symbols).map_err(|message| Problem::new(number, message))?;
            set_number(bank, value, number, writer)?;
            set_inside(inside, offset, access.bytes(), indirect, piece, writer, symbols)
        }
        (Location::Local { offset, indirect }, Atom::Local(inside)) => {
            set_inside(inside, offset, 1, Some(indirect), piece, writer, symbols)
        }
        (Location::Global(space_field, register_field), Atom::Global { space, register }) => {
            writer.set(space_field, space)?;
            set_register(register_field, register, register, piece, writer)
        }
        (Location::Number(field) | Location::OptionalNumber(field), Atom::Other(text)) => {
            let value = evaluate(text.text, 1, symbols).map_err(|message| Problem::new(text, message))?;
            set_number(field, value, text, writer)
        }
        (Location::FloatNumber(field), Atom::Other(text)) => {
            // A decimal fraction is a float; anything else is the bits.
            let decimal = text.text.contains('.').then(|| text.text.parse::<f32>().ok());
            let value = match decimal.flatten() {
                Some(float) => i64::from(float.to_bits()),
                None => evaluate(text.text, 1, symbols).map_err(|message| Problem::new(text, message))?,
            };
            set_number(field, value, text, writer)
        }
        (Location::Target(field), Atom::Other(text)) => {
            let value = evaluate(text.text, 1, symbols).map_err(|message| Problem::new(text, message))?;
            if value % 4 != 0 {
                return Err(Problem::new(text, "a branch target is a multiple of 4").into());
            }
            set_in(field, value / 4, 0, text, writer)
        }
        (Location::Address(field), Atom::Address(index)) => {
            if index > 4 {
                return Err(Problem::new(piece, "there are address registers A0 to A4").into());
            }
            writer.set(field, index)?;
            Ok(())
        }
        (Location::ConditionCode(field), Atom::ConditionCode(index))
        | (Location::Special(field), Atom::Special(index))
        | (Location::Barrier(field), Atom::Barrier(index)) => {
            writer.set(field, index)?;
            Ok(())
        }
        (Location::Named(field, names), Atom::Other(text)) => {
            let value = (0u32..)
                .zip(names)
                .find(|(_, name)| name.is_some_and(|name| name.eq_ignore_ascii_case(text.text)));
            match value {
                Some((value, _)) => Ok(writer.set(field, value)?),
                None => Err(Misfit::Kind),
            }
        }
        _ => Err(Misfit::Kind),
    }
}

fn access_fits(access: Access, explicit: bool, written: Option<Access>) -> bool {
    match written {
        Some(written) => written == access,
        None => !explicit || access == Access::B32,
    }
}

fn set_register(field: Field, value: u32, index: u32, piece: Piece, writer: &mut Writer) -> Result<(), Misfit> {
    if value >> field.width() != 0 {
        let largest = ((1 << field.width()) - 1) * index / value;
        return Err(Problem::new(piece, format!("R{index} does not fit: registers here go to R{largest}")).into());
    }
    writer.set(field, value)?;
    Ok(())
}

/// A number, which may be written as a negative one if the field is wide; a negative shift count is surely a mistake.
fn set_number(field: Field, value: i64, piece: Piece, writer: &mut Writer) -> Result<(), Misfit> {
    let smallest = match field.width() {
        width @ 16.. => -(1i64 << (width - 1)),
        _ => 0,
    };
    set_in(field, value, smallest, piece, writer)
}

fn set_in(field: Field, value: i64, smallest: i64, piece: Piece, writer: &mut Writer) -> Result<(), Misfit> {
    let width = field.width();
    let largest = (1i64 << width) - 1;
    if value < smallest || value > largest {
        return Err(Problem::new(
            piece,
            format!(
                "{value} does not fit: the {} goes from {smallest} to {largest}",
                field.name
            ),
        )
        .into());
    }
    // Truncation to the field's width is two's complement.
    writer.set(field, (value & largest) as u32)?;
    Ok(())
}

fn set_inside(
    inside: Inside,
    field: Field,
    unit: u32,
    indirect: Option<IndirectFields>,
    piece: Piece,
    writer: &mut Writer,
    symbols: Symbols,
) -> Result<(), Misfit> {
    match indirect {
        Some(fields) => {
            if inside.register > 4 {
                return Err(Problem::new(piece, "there are address registers A1 to A4").into());
            }
            let fits = |Conflict(_)| Problem::new(piece, "this address register cannot be used here");
            if inside.register >> fields.register.width() != 0 {
                return Err(Problem::new(
                    piece,
                    format!("A{} does not fit into this instruction", inside.register),
                )
                .into());
            }
            writer.set(fields.register, inside.register).map_err(fits)?;
            writer
                .set(fields.post_increment, u32::from(inside.post_increment))
                .map_err(fits)?;
        }
        None if inside.register != 0 || inside.post_increment => {
            return Err(Problem::new(piece, "beside a g[] operand, c[] cannot have an address register").into());
        }
        None => {}
    }
    let value = inside.offset(unit, symbols)?;
    let width = field.width();
    let (smallest, largest) = if inside.post_increment {
        (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1)
    } else {
        (0, (1i64 << width) - 1)
    };
    if value < smallest || value > largest {
        return Err(Problem::new(
            inside.offset,
            format!("offset {value} does not fit: it goes from {smallest} to {largest} units of {unit} bytes"),
        )
        .into());
    }
    writer.set(field, (value & ((1i64 << width) - 1)) as u32)?;
    Ok(())
}

/// What a location accepts, in words, as far as the fields already set allow it.
fn expected(location: &Location, writer: &Writer) -> String {
    fn walk(location: &Location, writer: &Writer, kinds: &mut Vec<String>) {
        let kind = match *location {
            Location::Select(field, locations) => {
                for (value, location) in (0u32..).zip(locations) {
                    let mut trial = *writer;
                    if trial.set(field, value).is_ok() {
                        walk(location, &trial, kinds);
                    }
                }
                return;
            }
            Location::Word(_) => "a register".to_string(),
            Location::Half(_) => "a register half (R0L, R0H)".to_string(),
            Location::Discard(_) => "o[0x7f]".to_string(),
            Location::Shared { .. } => "g[]".to_string(),
            Location::Constant { .. } => "c[][]".to_string(),
            Location::Local { .. } => "local[]".to_string(),
            Location::Global(..) => "global14[]".to_string(),
            Location::Number(_) | Location::FloatNumber(_) | Location::OptionalNumber(_) => "a number".to_string(),
            Location::Target(_) => "an address or a label".to_string(),
            Location::Address(_) => "an address register".to_string(),
            Location::ConditionCode(_) => "a condition-code register (C0)".to_string(),
            Location::Special(_) => "a special register (SR1)".to_string(),
            Location::Barrier(_) => "a barrier (b0)".to_string(),
            Location::Named(_, names) => {
                let names: Vec<_> = names.iter().flatten().copied().collect();
                format!("one of {}", names.join(" "))
            }
            Location::Undefined => return,
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let mut kinds = Vec::new();
    walk(location, writer, &mut kinds);
    if kinds.is_empty() {
        "nothing: the other operands exclude it".to_string()
    } else {
        kinds.join(" or ")
    }
}

/// All that may follow the row's name after a dot.
fn suffixes(row: &Row) -> Vec<&'static str> {
    let mut suffixes = Vec::new();
    if row.form() == Form::Long {
        suffixes.extend(["S", "EXIT"]);
    }
    for suffix in row.suffixes {
        match *suffix {
            Suffix::Names(_, names) => suffixes.extend(names.iter().flatten().filter(|name| !name.is_empty())),
            Suffix::When(_, _, name) | Suffix::Fixed(name) => suffixes.push(name),
            Suffix::Carry(..) => suffixes.extend(["CARRY0", "CARRY1", "CARRY2", "CARRY3"]),
            Suffix::Carry0(_) => suffixes.push("CARRY0"),
        }
    }
    if row.writes_cc {
        suffixes.extend(["C0", "C1", "C2", "C3"]);
    }
    suffixes
}

/// The nearest of `names` by edit distance, if it is near at all.
pub(crate) fn nearest<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // Nothing long is a misspelt mnemonic, and the distance costs the product of the lengths.
    if text.len() > 32 {
        return None;
    }
    let distance = |name: &str| {
        let name: Vec<char> = name.chars().collect();
        let mut row: Vec<usize> = (0..=name.len()).collect();
        for (i, a) in text.chars().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, b) in name.iter().enumerate() {
                let substitution = diagonal + usize::from(a != *b);
                diagonal = row[j + 1];
                row[j + 1] = substitution.min(row[j] + 1).min(diagonal + 1);
            }
        }
        row[name.len()]
    };
    names
        .map(|name| (distance(name), name))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, name)| distance <= 2 && distance < name.len())
        .map(|(_, name)| name)
}

/// No names are known.
pub(crate) fn no_symbols(_: &str) -> Option<Symbol> {
    None
}
