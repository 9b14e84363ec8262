//! Values in commands: numbers, registers, memory words, signals; and conditions on them.
//!
//! ```text
//! R5              the session's lane; R5[3] lane 3; R5[*] some active lane, in conditions
//! R5.s  R5.f      as a signed number, as a float; R5 alone is unsigned. Likewise C0, A1
//! global:0x100    a word; shared: the warp's block's, local: the lane's, const2: bank 2
//! global:0x100.u8 a byte; also .u16 .s8 .s16 .s .f
//! pc active time  the warp's next instruction, its active mask, the session's time
//! top.sm[0].idle  a signal of the circuits
//! ReadSlot        in conditions, a variant of the enum that is the other side's signal
//! 17 0x11 -1 1.5  numbers
//! ```

use crate::debug::target::{Register, Space, Target, WarpId};
use flexgrip_machine::sizes::CONSTANT_BANKS;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The unsigned number in up to four bytes of a memory.
pub fn little_endian(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u32::from(*byte))
}

/// The interpretation of bits as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// An unsigned number of this many bytes: 1, 2 or 4.
    Unsigned(u32),
    /// A two's complement number of this many bytes: 1, 2 or 4.
    Signed(u32),
    /// A single-precision float.
    Float,
}

impl Type {
    /// The size in bytes.
    pub const fn bytes(self) -> u32 {
        match self {
            Type::Unsigned(bytes) | Type::Signed(bytes) => bytes,
            Type::Float => 4,
        }
    }

    /// The number that these bits represent.
    pub fn number(self, bits: u32) -> Number {
        let shift = 32 - 8 * self.bytes();
        match self {
            Type::Unsigned(_) => Number::Integer(i128::from(bits << shift >> shift)),
            Type::Signed(_) => Number::Integer(i128::from((bits << shift) as i32 >> shift)),
            Type::Float => Number::Float(f32::from_bits(bits).into()),
        }
    }

    /// The bits as text: unsigned numbers in hexadecimal, with all digits.
    pub fn text(self, bits: u32) -> String {
        match (self, self.number(bits)) {
            (Type::Unsigned(bytes), _) => {
                let shift = 32 - 8 * bytes;
                format!("{:0width$x}", bits << shift >> shift, width = 2 * bytes as usize)
            }
            (_, Number::Integer(number)) => number.to_string(),
            (_, Number::Float(_)) => format!("{:?}", f32::from_bits(bits)),
        }
    }
}

impl fmt::Display for Type {
    /// The suffix after the dot in a term.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Unsigned(4) => f.write_str("u"),
            Type::Signed(4) => f.write_str("s"),
            Type::Unsigned(bytes) => write!(f, "u{}", 8 * bytes),
            Type::Signed(bytes) => write!(f, "s{}", 8 * bytes),
            Type::Float => f.write_str("f"),
        }
    }
}

impl FromStr for Type {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "u8" => Type::Unsigned(1),
            "u16" => Type::Unsigned(2),
            "u" | "u32" => Type::Unsigned(4),
            "s8" => Type::Signed(1),
            "s16" => Type::Signed(2),
            "s" | "s32" => Type::Signed(4),
            "f" | "f32" => Type::Float,
            _ => {
                return Err(format!(
                    "`.{text}` is not a type; expected .u, .s, .f, .u8, .s8, .u16 or .s16"
                ))
            }
        })
    }
}

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An exact integer.
    Integer(i128),
    /// A float.
    Float(f64),
}

impl Number {
    /// The 32 bits of a register or memory word that contains the number as `of`.
    ///
    /// # Errors
    /// The number does not fit.
    pub fn bits(self, of: Type) -> Result<u32, String> {
        match (self, of) {
            (Number::Integer(number), Type::Float) => Ok((number as f32).to_bits()),
            (Number::Float(number), Type::Float) => Ok((number as f32).to_bits()),
            (Number::Float(number), _) => Ok((number as f32).to_bits()),
            (Number::Integer(number), _) => {
                let bits = 8 * of.bytes();
                let (least, most) = (-(1i128 << (bits - 1)), (1i128 << bits) - 1);
                if !(least..=most).contains(&number) {
                    return Err(format!("{number} does not fit in {bits} bits"));
                }
                Ok(number as u32)
            }
        }
    }

    fn compare(self, other: Number) -> Option<Ordering> {
        let float = |number| match number {
            Number::Integer(number) => number as f64,
            Number::Float(number) => number,
        };
        match (self, other) {
            (Number::Integer(this), Number::Integer(other)) => Some(this.cmp(&other)),
            (this, other) => float(this).partial_cmp(&float(other)),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Integer(number) if *number > 9 => write!(f, "{number} = {number:#x}"),
            Number::Integer(number) => write!(f, "{number}"),
            Number::Float(number) => write!(f, "{number}"),
        }
    }
}

impl FromStr for Number {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a number");
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text),
        };
        if let Some(digits) = digits.strip_prefix("0x") {
            let number = u64::from_str_radix(digits, 16).map_err(|_| wrong())?;
            return Ok(Number::Integer(sign * i128::from(number)));
        }
        if !digits.starts_with(|first: char| first.is_ascii_digit()) {
            return Err(wrong());
        }
        match digits.parse::<u64>() {
            Ok(number) => Ok(Number::Integer(sign * i128::from(number))),
            Err(_) => text.parse().map(Number::Float).map_err(|_| wrong()),
        }
    }
}

/// The lane of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// The session's lane.
    Present,
    /// The lane with this number.
    Number(u8),
    /// Any active lane.
    Any,
}

/// A memory, as seen from a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceName {
    /// Global memory.
    Global,
    /// The block's shared memory.
    Shared,
    /// The lane's local memory.
    Local,
    /// A constant bank.
    Constant(u32),
}

impl fmt::Display for SpaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpaceName::Global => f.write_str("global"),
            SpaceName::Shared => f.write_str("shared"),
            SpaceName::Local => f.write_str("local"),
            SpaceName::Constant(bank) => write!(f, "const{bank}"),
        }
    }
}

impl FromStr for SpaceName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "global" => Ok(SpaceName::Global),
            "shared" => Ok(SpaceName::Shared),
            "local" => Ok(SpaceName::Local),
            _ => {
                let bank = text.strip_prefix("const").and_then(|bank| bank.parse().ok());
                let wrong = || format!("`{text}` is not a memory; expected global, shared, local or const0 to const15");
                Ok(SpaceName::Constant(
                    bank.filter(|bank| *bank < CONSTANT_BANKS as u32).ok_or_else(wrong)?,
                ))
            }
        }
    }
}

/// The context in which values are looked up.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The machine.
    pub target: &'a dyn Target,
    /// The warp, if one is selected.
    pub warp: Option<WarpId>,
    /// The selected lane, 0 to 31.
    pub lane: u8,
}

impl Context<'_> {
    /// The selected warp.
    ///
    /// # Errors
    /// No warp is selected.
    pub fn warp(&self) -> Result<WarpId, String> {
        self.warp
            .ok_or_else(|| "no warp is selected; `warp BLOCK.WARP` selects one".into())
    }

    /// A memory as seen from this warp and lane.
    ///
    /// # Errors
    /// The errors of [`Context::warp`].
    pub fn space(&self, name: SpaceName) -> Result<Space, String> {
        Ok(match name {
            SpaceName::Global => Space::Global,
            SpaceName::Constant(bank) => Space::Constant(bank),
            SpaceName::Shared => Space::Shared(self.warp()?.block),
            SpaceName::Local => Space::Local(self.warp()?, self.lane),
        })
    }
}

/// A value in a command.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A number.
    Number(Number),
    /// A register.
    Register(Register, Lane, Type),
    /// Bytes of a memory, from an address.
    Memory(SpaceName, u32, Type),
    /// The byte address of the warp's next instruction.
    Pc,
    /// The warp's active mask.
    Active,
    /// The session's time.
    Time,
    /// A signal.
    Signal(String),
    /// A variant of a signal's enum; only in conditions, opposite to the signal.
    Variant(String),
}

impl FromStr for Term {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        match text {
            "pc" => return Ok(Term::Pc),
            "active" => return Ok(Term::Active),
            "time" => return Ok(Term::Time),
            "" => return Err("expected a value".into()),
            _ => {}
        }
        if text.starts_with("top.") {
            return Ok(Term::Signal(text.into()));
        }
        if let Some((space, rest)) = text.split_once(':') {
            let (address, of) = typed(rest)?;
            let Number::Integer(address) = address.parse()? else {
                return Err(format!("`{address}` is not an address"));
            };
            let address = u32::try_from(address).map_err(|_| format!("{address} is not a 32-bit address"))?;
            return Ok(Term::Memory(space.parse()?, address, of));
        }
        if text.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
            return Ok(Term::Number(text.parse()?));
        }
        let (name, lane) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
            None => (text, Lane::Present),
            Some((name, "*")) => (name, Lane::Any),
            Some((name, lane)) => {
                let number = lane.parse().ok().filter(|lane| *lane < 32);
                let number = number
                    .ok_or_else(|| format!("`{lane}` is not a lane; expected 0 to 31, or * for any active lane"))?;
                (name, Lane::Number(number))
            }
        };
        let (name, of) = typed(name)?;
        let register = name.parse().map_err(|()| {
            format!("`{text}` is not a value; expected a register such as R5 or R5.f[3], memory such as global:0x100, or a number")
        })?;
        Ok(Term::Register(register, lane, of))
    }
}

/// Splits off the type; without one it is an unsigned word.
fn typed(text: &str) -> Result<(&str, Type), String> {
    match text.split_once('.') {
        Some((name, of)) => Ok((name, of.parse()?)),
        None => Ok((text, Type::Unsigned(4))),
    }
}

impl Term {
    /// Evaluates the term.
    ///
    /// # Errors
    /// The value does not exist now, or the term is for any lane.
    pub fn value(&self, context: &Context) -> Result<Number, String> {
        let target = context.target;
        match self {
            Term::Number(number) => Ok(*number),
            Term::Register(..) | Term::Memory(..) => {
                let (bits, of) = self.bits(context)?;
                Ok(of.number(bits))
            }
            Term::Pc => {
                let warp = target.warp(context.warp()?)?;
                let pc = warp
                    .pc
                    .ok_or_else(|| format!("warp {} has no next instruction now", warp.id))?;
                Ok(Number::Integer(pc.into()))
            }
            Term::Active => Ok(Number::Integer(target.warp(context.warp()?)?.active.into())),
            Term::Time => Ok(Number::Integer(target.time().into())),
            Term::Variant(name) => Err(format!("`{name}` is not a number")),
            Term::Signal(name) => {
                let signal = target.signal(name)?;
                let digits = signal.value.trim_start_matches("0x");
                let number = u128::from_str_radix(digits, 16).ok();
                let number = number.and_then(|number| i128::try_from(number).ok());
                let number =
                    number.ok_or_else(|| format!("the value of {name} is `{}`, not a number", signal.value))?;
                Ok(Number::Integer(number))
            }
        }
    }

    /// The bits of a register or a memory word, and their type.
    ///
    /// # Errors
    /// The value does not exist now, the term is for any lane, or it is neither a register nor memory.
    pub fn bits(&self, context: &Context) -> Result<(u32, Type), String> {
        match self {
            Term::Register(register, lane, of) => {
                let lanes = context.target.lanes(context.warp()?, *register)?;
                let lane = match lane {
                    Lane::Present => context.lane,
                    Lane::Number(lane) => *lane,
                    Lane::Any => return Err("[*], any active lane, is for conditions only".into()),
                };
                Ok((lanes[usize::from(lane) % 32], *of))
            }
            Term::Memory(space, address, of) => {
                let bytes = context.target.read(context.space(*space)?, *address, of.bytes())?;
                Ok((little_endian(&bytes), *of))
            }
            _ => Err("expected a register or memory".into()),
        }
    }

    /// The value in each lane: the same in all lanes, unless the term is for any lane.
    fn in_lanes(&self, context: &Context) -> Result<[Number; 32], String> {
        match self {
            Term::Register(register, Lane::Any, of) => {
                let lanes = context.target.lanes(context.warp()?, *register)?;
                Ok(lanes.map(|bits| of.number(bits)))
            }
            _ => Ok([self.value(context)?; 32]),
        }
    }

    fn is_of_any_lane(&self) -> bool {
        matches!(self, Term::Register(_, Lane::Any, _))
    }
}

/// True for the orderings that an operator accepts.
type Holds = fn(Ordering) -> bool;

/// The operators of comparisons, longer ones first.
const OPERATORS: [(&str, Holds); 5] = [
    ("==", Ordering::is_eq),
    ("<=", Ordering::is_le),
    (">=", Ordering::is_ge),
    ("<", Ordering::is_lt),
    (">", Ordering::is_gt),
];

/// A comparison of two values.
#[derive(Clone, Debug)]
pub struct Condition {
    left: Term,
    /// `None` for `!=`, which is also true if a value is NaN.
    holds: Option<Holds>,
    right: Term,
    text: String,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Parses a side of a condition. An unknown name is a variant if the other side is a signal.
fn side(text: &str, other: &str) -> Result<Term, String> {
    text.parse().or_else(|error| {
        let name = text.trim();
        let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.chars().all(|next| next.is_ascii_alphanumeric() || next == '_');
        if is_name && other.trim().starts_with("top.") {
            Ok(Term::Variant(name.into()))
        } else {
            Err(error)
        }
    })
}

/// The signal and the variant of a comparison that has a variant.
fn variant<'a>(left: &'a Term, right: &'a Term) -> Option<(&'a str, &'a str)> {
    match (left, right) {
        (Term::Signal(signal), Term::Variant(variant)) | (Term::Variant(variant), Term::Signal(signal)) => {
            Some((signal, variant))
        }
        _ => None,
    }
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let condition = |left: &str, holds: Option<Holds>, right: &str| {
            let condition = Condition {
                left: side(left, right)?,
                holds,
                right: side(right, left)?,
                text: text.into(),
            };
            // An enum's variants have no order.
            match variant(&condition.left, &condition.right) {
                Some((signal, _)) if holds.is_some_and(|holds| holds(Ordering::Less) || holds(Ordering::Greater)) => {
                    Err(format!("{signal} can be compared with a variant by == or != only"))
                }
                _ => Ok(condition),
            }
        };
        if let Some((left, right)) = text.split_once("!=") {
            return condition(left, None, right);
        }
        for (operator, holds) in OPERATORS {
            if let Some((left, right)) = text.split_once(operator) {
                return condition(left, Some(holds), right);
            }
        }
        Err(format!(
            "`{text}` is not a condition; expected VALUE == VALUE, or !=, <, <=, > or >= instead of =="
        ))
    }
}

impl Condition {
    /// Checks that the machine has the signals, and that an enum is compared with one of its variants.
    ///
    /// # Errors
    /// The machine has no such signal, or the signal's enum has no such variant.
    pub fn check(&self, target: &dyn Target) -> Result<(), String> {
        let given = variant(&self.left, &self.right);
        for side in [&self.left, &self.right] {
            let Term::Signal(name) = side else { continue };
            let variants = target.signal(name)?.variants;
            match given {
                Some((_, given)) if !variants.iter().any(|variant| variant == given) => {
                    let expected = match variants.is_empty() {
                        true => "a number".to_string(),
                        false => variants.join(", "),
                    };
                    return Err(format!("{name} is never `{given}`; expected {expected}"));
                }
                None if !variants.is_empty() => {
                    return Err(format!(
                        "{name} is an enum; compare it with one of {}",
                        variants.join(", ")
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// True if the condition holds now; for a term of any lane, if it holds in some active lane.
    ///
    /// # Errors
    /// A value does not exist now.
    pub fn holds(&self, context: &Context) -> Result<bool, String> {
        if let Some((signal, variant)) = variant(&self.left, &self.right) {
            return Ok((context.target.signal(signal)?.value == variant) == self.holds.is_some());
        }
        if !self.left.is_of_any_lane() && !self.right.is_of_any_lane() {
            return Ok(self.compare(self.left.value(context)?, self.right.value(context)?));
        }
        let active = context.target.warp(context.warp()?)?.active;
        let (left, right) = (self.left.in_lanes(context)?, self.right.in_lanes(context)?);
        let mut lanes = (0..32).filter(|lane| active >> lane & 1 == 1);
        Ok(lanes.any(|lane| self.compare(left[lane], right[lane])))
    }

    fn compare(&self, left: Number, right: Number) -> bool {
        let ordering = left.compare(right);
        match self.holds {
            None => ordering != Some(Ordering::Equal),
            Some(holds) => ordering.is_some_and(holds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_read() {
        let register = |number, lane, of| Ok(Term::Register(Register::General(number), lane, of));
        assert_eq!("R5".parse(), register(5, Lane::Present, Type::Unsigned(4)));
        assert_eq!("R5.f[3]".parse(), register(5, Lane::Number(3), Type::Float));
        assert_eq!("r0[*]".parse(), register(0, Lane::Any, Type::Unsigned(4)));
        assert_eq!(
            "shared:0x10.s8".parse(),
            Ok(Term::Memory(SpaceName::Shared, 16, Type::Signed(1)))
        );
        assert_eq!("-0x10".parse(), Ok(Term::Number(Number::Integer(-16))));
        assert_eq!("1.5".parse(), Ok(Term::Number(Number::Float(1.5))));
        for (text, says) in [
            ("R128", "is not a value"),
            ("R5[32]", "0 to 31"),
            ("R5.q", "not a type"),
            ("heap:4", "not a memory"),
            ("const16:0", "not a memory"),
            ("global:x", "not a number"),
            ("global:0x100000000", "32-bit address"),
            ("", "expected a value"),
        ] {
            let error = text.parse::<Term>().unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn bits_are_numbers_of_their_type() {
        assert_eq!(Type::Signed(1).number(0x1ff), Number::Integer(-1));
        assert_eq!(Type::Unsigned(1).number(0x1ff), Number::Integer(255));
        assert_eq!(Type::Signed(4).number(u32::MAX), Number::Integer(-1));
        assert_eq!(Type::Float.number(0x3fc0_0000), Number::Float(1.5));
        assert_eq!(Type::Float.text(0x3fc0_0000), "1.5");
        assert_eq!(Type::Unsigned(2).text(0x12345), "2345");
        assert_eq!(Number::Integer(-1).bits(Type::Signed(4)), Ok(u32::MAX));
        assert_eq!(Number::Integer(1).bits(Type::Float), Ok(0x3f80_0000));
        assert!(Number::Integer(256).bits(Type::Unsigned(1)).is_err());
    }

    #[test]
    fn conditions_need_an_operator() {
        assert_eq!("R1 <= 3".parse::<Condition>().unwrap().to_string(), "R1 <= 3");
        assert!("R1".parse::<Condition>().unwrap_err().contains("VALUE == VALUE"));
        assert!("R1 == ".parse::<Condition>().unwrap_err().contains("expected a value"));
    }

    #[test]
    fn variants_are_compared_with_signals_only() {
        let sides = |text: &str| {
            text.parse::<Condition>()
                .map(|condition| (condition.left, condition.right))
        };
        let (signal, variant) = (Term::Signal("top.s".into()), Term::Variant("ReadSlot".into()));
        assert_eq!(sides("top.s == ReadSlot"), Ok((signal.clone(), variant.clone())));
        assert_eq!(sides("ReadSlot != top.s"), Ok((variant, signal)));
        assert_eq!(sides("top.s == R5").unwrap().1, "R5".parse().unwrap());
        for (text, says) in [
            ("R5 == ReadSlot", "`ReadSlot` is not a value"),
            ("top.s == Read-Slot", "`Read-Slot` is not a value"),
            ("top.s < ReadSlot", "by == or != only"),
            ("ReadSlot >= top.s", "by == or != only"),
        ] {
            let error = sides(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
