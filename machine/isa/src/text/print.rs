//! The disassembler: an instruction as text.
//!
//! The style follows the vendor's `cuobjdump`: `IADD R0 (C0.EQU), g[0x4], R2`. Offsets of `g[]` and `c[]` operands are
//! in units of the access size, as in the word. Versions of `cuobjdump` differ in where they put blanks, and their text
//! loses bits, so that it cannot be assembled back. [`Style`] has two of their styles and the project's, which
//! [`Instruction`]'s `Display` prints:
//!
//! - `g[0x1]`, `c[0x1][0x2]`, `o[0x7f]` without a blank before a bracket;
//! - an exit marker as `.EXIT`, like the join marker's `.S`: the vendor's tool omits it;
//! - `(C2.TRUE)` if the condition is always true but its register is not C0, so that no bit is lost;
//! - `.SUB` on a subtraction of an immediate, `.NEG` on float operations that negate an immediate, because a minus
//!   there belongs to the immediate;
//! - `.BEXT` after the type of an 8-bit result, as the vendor has it after the type of an 8-bit source.

use crate::instruction::{decode_at, encode, Instruction};
use crate::operation::*;
use crate::table::field::Field;
use crate::table::*;
use std::fmt::{self, Display, Formatter};

/// Style of an instruction's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Style {
    /// The project's style: no spaces before brackets, and every meaningful bit is visible.
    #[default]
    Plain,
    /// `cuobjdump`'s style: a space before the bracket of a shared operand (`g [0x4]`), and between the brackets of
    /// MVC's operand (`c[0x1] [0x2]`). An exit marker is not shown.
    Vendor,
    /// The style of earlier versions of `cuobjdump`: a space before every bracket (`c [0x1] [0x2]`, `o [0x7f]`), and
    /// two spaces in an unconditional BRA. An exit marker is not shown.
    EarlyVendor,
}

impl Instruction {
    /// The text in a style; `Display` prints [`Style::Plain`]. The assembler accepts all styles.
    pub fn text(&self, style: Style) -> impl Display + '_ {
        Text {
            instruction: self,
            style,
        }
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.text(Style::Plain).fmt(f)
    }
}

struct Text<'a> {
    instruction: &'a Instruction,
    style: Style,
}

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let &Text { instruction, style } = self;
        let row = instruction.row();
        f.write_str(row.name)?;
        match instruction.marker() {
            Marker::None => {}
            Marker::Exit if style != Style::Plain => {}
            Marker::Exit => f.write_str(".EXIT")?,
            Marker::Join => f.write_str(".S")?,
        }
        for suffix in row.suffixes {
            match *suffix {
                Suffix::Names(field, names) => {
                    let name = name_of(instruction, field, names);
                    if !name.is_empty() {
                        write!(f, ".{name}")?;
                    }
                }
                Suffix::WithoutEffect(flags, field, names) => {
                    let name = name_of(instruction, field, names);
                    if !name.is_empty() && flags.iter().all(|flag| instruction.field(*flag) == 0) {
                        write!(f, ".{name}")?;
                    }
                }
                Suffix::When(field, value, name) => {
                    if instruction.field(field) == value {
                        write!(f, ".{name}")?;
                    }
                }
                Suffix::Fixed(name) => write!(f, ".{name}")?,
                Suffix::Alias(names) => write!(f, ".{}", names.first().unwrap_or(&""))?,
                Suffix::Code(field) => write!(f, ".C{}", instruction.field(field))?,
                Suffix::Carry(field, register) => {
                    if instruction.field(field) == 3 {
                        write!(f, ".CARRY{}", instruction.field(register))?;
                    }
                }
                Suffix::Carry0(field) => {
                    if instruction.field(field) == 3 {
                        f.write_str(".CARRY0")?;
                    }
                }
            }
        }
        if let Some(register) = instruction.cc_write().filter(|_| row.writes_cc) {
            write!(f, ".C{register}")?;
        }

        let condition = condition(instruction);
        let mut separator = " ";
        if style == Style::EarlyVendor
            && condition.is_none()
            && matches!(instruction.operation(), Operation::Bra { .. })
        {
            separator = "  ";
        }
        if row.form() == Form::Control {
            if let Some(Predicate { register, condition }) = condition {
                write!(f, "{separator}C{register}.{condition}")?;
                separator = ", ";
            }
        }
        for (i, slot) in row.slots.iter().enumerate() {
            let location = slot.location.resolve(encode(instruction));
            if let Location::OptionalNumber(field) = location {
                if instruction.field(field) == 0 {
                    continue;
                }
            }
            if matches!(location, Location::Nothing) {
                continue;
            }
            f.write_str(separator)?;
            separator = ", ";
            print_slot(instruction, slot, &location, style, f)?;
            if i == 0 && row.form() != Form::Control {
                if let Some(Predicate { register, condition }) = condition {
                    write!(f, " (C{register}.{condition})")?;
                }
            }
        }
        Ok(())
    }
}

/// An address in a program with its contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<'a> {
    /// Byte address.
    pub address: usize,
    /// One word, or the two of a long instruction.
    pub words: &'a [u32],
    /// The instruction, or the reason why the word is not one.
    pub instruction: Result<Instruction, String>,
}

impl Listed<'_> {
    /// The statement that assembles to it: the instruction in the given style, or `.word`.
    pub fn statement(&self, style: Style) -> String {
        match (&self.instruction, self.words) {
            (Ok(instruction), _) => instruction.text(style).to_string(),
            (Err(_), [word, ..]) => format!(".word {word:#010x}"),
            (Err(_), []) => String::new(),
        }
    }
}

/// The instructions of a program of capability 1.0, like [`instructions_at`].
pub fn instructions(words: &[u32]) -> impl Iterator<Item = Listed<'_>> {
    instructions_at(words, Capability::V1_0)
}

/// The instructions of a program in order, decoded for a capability. A word that is not an instruction is listed alone,
/// and so is the low half of a long instruction off its 8-byte boundary.
pub fn instructions_at(words: &[u32], capability: Capability) -> impl Iterator<Item = Listed<'_>> {
    let decode = move |word| decode_at(word, capability);
    let mut at = 0;
    std::iter::from_fn(move || {
        let &low = words.get(at)?;
        let high = words.get(at + 1);
        let instruction = match (Form::of(u64::from(low)).size(), high) {
            (4, _) => decode(u64::from(low)).map_err(|error| error.to_string()),
            (_, Some(_)) if at % 2 != 0 => Err("a long instruction off its boundary".to_string()),
            (_, Some(&high)) => decode(u64::from(high) << 32 | u64::from(low)).map_err(|error| error.to_string()),
            (_, None) => Err("half of a long instruction".to_string()),
        };
        let length = instruction
            .as_ref()
            .map_or(1, |instruction| instruction.size() as usize / 4);
        let listed = Listed {
            address: 4 * at,
            words: &words[at..at + length],
            instruction,
        };
        at += length;
        Some(listed)
    })
}

/// The first capability at which code has the meaning that it has at `capability`: 1.0 unless it has instructions of a
/// later one.
pub fn needed_capability(words: &[u32], capability: Capability) -> Capability {
    let same = |earlier: &Capability| {
        instructions_at(words, capability).all(|listed| match listed.instruction {
            // A product has one row up to 1.1 and another from 1.2 on, so rows are not compared.
            Ok(instruction) => decode_at(encode(&instruction), *earlier)
                .is_ok_and(|other| (other.form(), other.meaning()) == (instruction.form(), instruction.meaning())),
            Err(_) => true,
        })
    };
    let mut earlier = Capability::ALL.iter().copied().filter(|earlier| *earlier < capability);
    earlier.find(same).unwrap_or(capability)
}

/// Lists a program of capability 1.0, like [`listing_at`].
pub fn listing(words: &[u32], style: Style) -> String {
    listing_at(words, style, Capability::V1_0)
}

/// Lists a program of a capability, one instruction per line: `/*0008*/  RET;  /* 0x0000078030000003 */`. A word that
/// is not an instruction becomes `.word`, with the reason, so that [`crate::assemble_at`] accepts any listing. (A long
/// instruction off its 8-byte boundary also becomes `.word`s.)
pub fn listing_at(words: &[u32], style: Style, capability: Capability) -> String {
    let mut text = String::new();
    for listed in instructions_at(words, capability) {
        let comment = match &listed.instruction {
            Ok(_) => {
                let digits: String = listed.words.iter().rev().map(|word| format!("{word:08x}")).collect();
                format!("0x{digits}")
            }
            Err(reason) => reason.clone(),
        };
        let statement = listed.statement(style) + ";";
        text.push_str(&format!(
            "/*{:04x}*/  {statement:<54}  /* {comment} */\n",
            listed.address
        ));
    }
    text
}

/// The condition, if the text shows it.
fn condition(instruction: &Instruction) -> Option<Predicate> {
    let row = instruction.row();
    let predicate = instruction.predicate();
    if row.guard == Guard::Always {
        return None;
    }
    if predicate.condition != Condition::True {
        return Some(predicate);
    }
    (predicate.register != 0 && !shows_condition_register(instruction)).then_some(predicate)
}

/// True if a carry suffix or an operand shows the condition register.
fn shows_condition_register(instruction: &Instruction) -> bool {
    let row = instruction.row();
    row.suffixes.iter().any(|suffix| match *suffix {
        Suffix::Carry(field, _) => instruction.field(field) == 3,
        _ => false,
    }) || row
        .slots
        .iter()
        .any(|slot| matches!(slot.location, Location::ConditionCode(field) if field == CONDITION_REGISTER))
}

fn name_of(instruction: &Instruction, field: Field, names: &'static [Option<&'static str>]) -> &'static str {
    // A decoded instruction has no undefined values.
    names
        .get(instruction.field(field) as usize)
        .copied()
        .flatten()
        .unwrap_or("")
}

/// True if the operand is a store address.
fn stores(instruction: &Instruction, role: Role) -> bool {
    role == Role::Source1 && matches!(instruction.operation(), Operation::R2g | Operation::R2gUnlock)
}

fn print_slot(
    instruction: &Instruction,
    slot: &Slot,
    location: &Location,
    style: Style,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    let has = |wanted| {
        slot.marks
            .iter()
            .any(|&(mark, field, value)| mark == wanted && instruction.field(field) == value)
    };
    if has(Mark::Negate) {
        f.write_str("-")?;
    }
    if has(Mark::Invert) {
        f.write_str("~")?;
    }
    let absolute = has(Mark::Absolute);
    if absolute {
        f.write_str("|")?;
    }
    print_location(instruction, slot.role, location, style, f)?;
    if absolute {
        f.write_str("|")?;
    }
    Ok(())
}

fn print_location(
    instruction: &Instruction,
    role: Role,
    location: &Location,
    style: Style,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    let get = |field: Field| instruction.field(field);
    let early = if style == Style::EarlyVendor { " " } else { "" };
    match *location {
        Location::Word(field) | Location::Pair(field) => write!(f, "R{}", get(field)),
        Location::Half(field) => {
            let value = get(field);
            write!(f, "R{}{}", value >> 1, if value & 1 == 0 { 'L' } else { 'H' })
        }
        Location::Discard(field) => write!(f, "o{early}[{:#x}]", get(field)),
        Location::Shared {
            offset,
            access,
            indirect,
            explicit,
        } => {
            // A store address has the blank only in the earlier versions.
            let blank = style == Style::EarlyVendor || (style == Style::Vendor && !stores(instruction, role));
            f.write_str(if blank { "g [" } else { "g[" })?;
            print_offset(instruction, offset, Some(indirect), f)?;
            f.write_str("]")?;
            if explicit {
                print_access(access, f)?;
            }
            Ok(())
        }
        Location::Constant {
            bank,
            offset,
            access,
            indirect,
            explicit,
        } => {
            let moves = matches!(instruction.operation(), Operation::Mvc { .. });
            let between = if style == Style::Vendor && moves { " " } else { early };
            write!(f, "c{early}[{:#x}]{between}[", get(bank))?;
            print_offset(instruction, offset, indirect, f)?;
            f.write_str("]")?;
            if explicit {
                print_access(access, f)?;
            }
            Ok(())
        }
        Location::Local { offset, indirect } => {
            write!(f, "local{early}[")?;
            print_offset(instruction, offset, Some(indirect), f)?;
            f.write_str("]")
        }
        Location::Global(space, register) => {
            write!(f, "global{}{early}[R{}]", get(space), get(register))
        }
        Location::Number(field) | Location::OptionalNumber(field) => {
            write!(f, "{:#x}", get(field))
        }
        Location::FloatNumber(field) => {
            let value = get(field);
            if value >> 31 != 0 {
                write!(f, "-{:#x}", value.wrapping_neg())
            } else {
                write!(f, "{value:#x}")
            }
        }
        Location::Target(field) => write!(f, "{:#x}", get(field) << 2),
        Location::Address(field) => write!(f, "A{}", get(field)),
        Location::ConditionCode(field) => write!(f, "C{}", get(field)),
        Location::Special(field) => write!(f, "SR{}", get(field)),
        Location::Barrier(field) => write!(f, "b{}", get(field)),
        Location::Named(field, names) => f.write_str(name_of(instruction, field, names)),
        // Unreachable: `Location::resolve` has replaced selections, and a decoded instruction has no undefined ones.
        Location::Condition(register, field) => {
            // A decoded instruction has no undefined conditions.
            let condition = Condition::from_code(get(field)).unwrap_or(Condition::True);
            write!(f, "C{}.{condition}", get(register))
        }
        Location::Nothing | Location::Select(..) | Location::Undefined => Ok(()),
    }
}

fn print_offset(
    instruction: &Instruction,
    offset: Field,
    indirect: Option<IndirectFields>,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    let value = instruction.field(offset);
    let Some(fields) = indirect else {
        return write!(f, "{value:#x}");
    };
    let register = instruction.field(fields.register);
    if instruction.field(fields.post_increment) != 0 {
        let width = offset.width();
        if value >> (width - 1) != 0 {
            write!(f, "A{register}++-{:#x}", (1u32 << width) - value)
        } else {
            write!(f, "A{register}+++{value:#x}")
        }
    } else if register != 0 {
        write!(f, "A{register}+{value:#x}")
    } else {
        write!(f, "{value:#x}")
    }
}

fn print_access(access: Access, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(match access {
        Access::U8 => ".U8",
        Access::U16 => ".U16",
        Access::S16 => ".S16",
        Access::B32 => "",
    })
}
