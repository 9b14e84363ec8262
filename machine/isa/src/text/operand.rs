//! Parser of operands: turns an operand's text into fields of a word, the inverse of `print`.

use crate::operation::*;
use crate::table::field::{Conflict, Field, Writer};
use crate::table::*;
use crate::text::expression::{evaluate, Symbols};
use crate::text::piece::{Piece, Problem};
use crate::text::suggestions::{expected, nearest};

/// `n` of `PREFIXn`, if it is a decimal number of at most `largest`.
pub(super) fn numbered(text: &str, prefix: &str, largest: u32) -> Option<u32> {
    let (head, digits) = text.split_at_checked(prefix.len())?;
    if !head.eq_ignore_ascii_case(prefix) || digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|&n| n <= largest)
}

/// The inside of an operand's brackets.
#[derive(Debug, Clone, Copy)]
struct Inside<'a> {
    register: u32,
    post_increment: bool,
    /// Offset expression, which may be empty.
    offset: Piece<'a>,
}

/// An operand's text, parsed as far as possible without its context.
#[derive(Debug, Clone, Copy)]
enum Atom<'a> {
    Register {
        index: u32,
        part: RegisterPart,
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

fn register_of(text: &str) -> Option<(u32, RegisterPart)> {
    let (digits, part) = match text.as_bytes().last()?.to_ascii_uppercase() {
        b'L' => (&text[..text.len() - 1], RegisterPart::Low),
        b'H' => (&text[..text.len() - 1], RegisterPart::High),
        _ => (text, RegisterPart::Full),
    };
    Some((numbered(digits, "R", 127)?, part))
}

/// True if the text is an operand other than an expression, and so cannot be a label's name.
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
                Err(Problem::new(behind, "unexpected text after the operand"))
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
                Some((register, RegisterPart::Full)) => nothing_behind(Atom::Global { space, register }),
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

/// The reason why an operand does not fit a location.
enum Misfit {
    /// The operand is of another kind, or conflicts with other fields: another alternative may fit.
    Kind,
    /// The operand is of the right kind, but invalid.
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

pub(super) fn encode_slot(slot: &Slot, operand: Piece, writer: &mut Writer, symbols: Symbols) -> Result<(), Problem> {
    let mut inner = operand;
    let mut found = Vec::new();
    // Marks have one order, -|x|, and each occurs at most once.
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
                part: RegisterPart::Full,
            },
        ) => set_register(field, index, index, piece, writer),
        (
            Location::Pair(field),
            Atom::Register {
                index,
                part: RegisterPart::Full,
            },
        ) => {
            if index % 2 != 0 {
                let message = format!("R{index} does not fit: a 64-bit value begins at an even register");
                return Err(Problem::new(piece, message).into());
            }
            set_register(field, index, index, piece, writer)
        }
        (
            Location::Half(field),
            Atom::Register {
                index,
                part: part @ (RegisterPart::Low | RegisterPart::High),
            },
        ) => set_register(
            field,
            index << 1 | u32::from(part == RegisterPart::High),
            index,
            piece,
            writer,
        ),
        (Location::Discard(field), Atom::Output(number)) => {
            let value = evaluate(number.text, 1, symbols).map_err(|message| Problem::new(number, message))?;
            if value != 0x7f {
                return Err(Problem::new(piece, "the only o[] is o[0x7f], which discards the result").into());
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
            // A decimal fraction is a float; anything else is the raw bits.
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
                return Err(Problem::new(text, "a branch target must be a multiple of 4").into());
            }
            set_in(field, value / 4, 0, text, writer)
        }
        (Location::Address(field), Atom::Address(index)) => {
            if index > 4 {
                return Err(Problem::new(piece, "there is no such address register; expected A0 to A4").into());
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
        (Location::Condition(register, field), Atom::Other(text)) => {
            let Some(Predicate {
                register: number,
                condition,
            }) = parse_predicate(text)?
            else {
                return Err(Misfit::Kind);
            };
            writer.set(register, number.into())?;
            writer.set(field, condition.code())?;
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
        return Err(Problem::new(
            piece,
            format!("R{index} does not fit: registers here go up to R{largest}"),
        )
        .into());
    }
    writer.set(field, value)?;
    Ok(())
}

/// Sets a number, which may be negative if the field is wide; a negative shift count is treated as a mistake.
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
                "{value} does not fit: the {} ranges from {smallest} to {largest}",
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
                return Err(Problem::new(piece, "there is no such address register; expected A1 to A4").into());
            }
            let fits = |Conflict(_)| Problem::new(piece, "this address register cannot be used here");
            if inside.register >> fields.register.width() != 0 {
                return Err(
                    Problem::new(piece, format!("A{} does not fit in this instruction", inside.register)).into(),
                );
            }
            writer.set(fields.register, inside.register).map_err(fits)?;
            writer
                .set(fields.post_increment, u32::from(inside.post_increment))
                .map_err(fits)?;
        }
        None if inside.register != 0 || inside.post_increment => {
            return Err(Problem::new(piece, "next to a g[] operand, c[] cannot have an address register").into());
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
            format!("offset {value} does not fit: it ranges from {smallest} to {largest} units of {unit} bytes"),
        )
        .into());
    }
    writer.set(field, (value & ((1i64 << width) - 1)) as u32)?;
    Ok(())
}

/// `C0.NE`; `None` if the text does not look like a condition.
pub(super) fn parse_predicate(piece: Piece) -> Result<Option<Predicate>, Problem> {
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
