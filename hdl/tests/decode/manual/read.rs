//! A decoder written from the manual's bit tables with the corrections of the encoding notes, and from other sources on
//! the G80 for instructions that the manual omits. It shares no table, field or type with the `isa` crate.
//!
//! It reads an instruction as the manual does: layout, opcode, sub-opcode, and then the meaning of each bit for that
//! opcode.

/// The part of the multiprocessor that executes the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Integer,
    Float,
    SpecialFunction,
    Memory,
    Flow,
}

/// A register, or half of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Half {
    Whole,
    Low,
    High,
}

/// Address register of a memory operand, 0 for none; `steps` if the sum is written back to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pointer {
    pub register: u32,
    pub steps: bool,
}

/// Location of an operand. Offsets are bytes modulo 2^16; accesses are 0 u8, 1 u16, 2 s16, 3 b32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OperandLocation {
    Register(u32, Half),
    Shared {
        offset: u32,
        access: u32,
        pointer: Pointer,
    },
    /// Each bank takes 4096 bytes of the address.
    Constant {
        address: u32,
        access: u32,
        pointer: Pointer,
    },
    Local {
        offset: u32,
        pointer: Pointer,
    },
    Number(u32),
    Address(u32),
    Code(u32),
    Special(u32),
}

/// Destination of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Result {
    Nowhere,
    Register(u32, Half),
    Address(u32),
}

/// The reading of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The mnemonic of the long form.
    pub family: &'static str,
    pub unit: Unit,
    /// Condition and condition-code register of a conditional instruction. For "never" the register is 0.
    pub condition: Option<(u32, u32)>,
    pub result: Result,
    /// The condition-code register that is written.
    pub writes_code: Option<u32>,
    /// The sources, in no particular order.
    pub sources: Vec<OperandLocation>,
}

/// An instruction word.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    /// Bits `low..=high`, in the manual's notation.
    fn at(self, low: u32, high: u32) -> u32 {
        (self.0 >> low & ((1 << (high - low + 1)) - 1)) as u32
    }

    fn is(self, bit: u32) -> bool {
        self.at(bit, bit) == 1
    }

    fn is_long(self) -> bool {
        self.at(0, 1) == 1 && self.at(32, 33) != 3
    }

    fn is_short(self) -> bool {
        !self.is(0)
    }

    fn opcode(self) -> u32 {
        self.at(28, 31)
    }

    fn subop(self) -> u32 {
        self.at(61, 63)
    }

    /// The $a fields. Only $a1 to $a4 exist.
    fn pointer(self) -> Option<Pointer> {
        let high = if self.is_long() || self.at(0, 1) == 3 { self.at(34, 34) << 2 } else { 0 };
        let register = self.at(26, 27) | high;
        (register <= 4).then_some(Pointer { register, steps: self.is(25) })
    }

    fn number(self) -> u32 {
        self.at(16, 21) | self.at(34, 59) << 6
    }
}

/// A register field; for a half, the lowest bit selects it.
fn register(field: u32, whole: bool) -> OperandLocation {
    let half = if field & 1 == 1 { Half::High } else { Half::Low };
    if whole {
        OperandLocation::Register(field, Half::Whole)
    } else {
        OperandLocation::Register(field >> 1, half)
    }
}

/// log2 of an access's size in bytes.
fn log_bytes(access: u32) -> u32 {
    [0, 1, 1, 2][access as usize]
}

/// An offset in units of the access size; signed if it steps $a.
fn offset(units: u32, width: u32, access: u32, pointer: Pointer) -> u32 {
    let negative = pointer.steps && units >> (width - 1) & 1 == 1;
    let units = if negative { units.wrapping_sub(1 << width) } else { units };
    (units << log_bytes(access)) & 0xffff
}

/// Source 1. In a long word: bits 9..15, or s[] if bit 53 is set. In other words: bits 9..14 and 24.
fn source_1(word: Word, whole: bool) -> Option<OperandLocation> {
    let (chosen, low, high) = if word.is_long() { (53, 13, 15) } else { (24, 12, 14) };
    if !word.is(chosen) {
        return Some(register(word.at(9, high), whole));
    }
    let (pointer, access) = (word.pointer()?, word.at(high - 1, high));
    let offset = offset(word.at(9, low), low - 8, access, pointer);
    Some(OperandLocation::Shared { offset, access, pointer })
}

fn has_shared(word: Word) -> bool {
    word.is(if word.is_long() { 53 } else { 24 })
}

/// An operand in c[], from the field that begins at `low`. If there is an operand in s[], $a belongs to it.
fn constant(word: Word, low: u32, whole: bool) -> Option<OperandLocation> {
    let (bank, width) = if word.is_long() { (word.at(54, 57), 7) } else { (word.at(21, 21), 5) };
    if word.is_short() && has_shared(word) {
        return None;
    }
    let pointer = if has_shared(word) { Pointer::default() } else { word.pointer()? };
    let access = if whole { 3 } else { 1 };
    let offset = offset(word.at(low, low + width - 1), width, access, pointer);
    Some(OperandLocation::Constant { address: bank * 4096 + offset, access, pointer })
}

/// Source 2: bits 16..22, in short words 16..21; bit 23 makes it c[]; in immediate words it is the immediate.
fn source_2(word: Word, whole: bool) -> Option<OperandLocation> {
    if !word.is_long() && !word.is_short() {
        return Some(OperandLocation::Number(if whole { word.number() } else { word.number() & 0xffff }));
    }
    let high = if word.is_long() { 22 } else { 21 };
    if word.is(23) {
        constant(word, 16, whole)
    } else {
        Some(register(word.at(16, high), whole))
    }
}

/// Source 3 of a long word: bits 46..52; bit 24 makes it c[].
fn source_3(word: Word, whole: bool) -> Option<OperandLocation> {
    if word.is(24) {
        constant(word, 46, whole)
    } else {
        Some(register(word.at(46, 52), whole))
    }
}

/// Three sources, at most one of them in c[]. In other forms source 3 is the destination.
fn three(word: Word, whole: bool) -> Option<Vec<OperandLocation>> {
    if !word.is_long() {
        return Some(vec![source_1(word, whole)?, source_2(word, whole)?, register(word.at(2, 7), true)]);
    }
    if word.is(23) && word.is(24) {
        return None;
    }
    Some(vec![source_1(word, whole)?, source_2(word, whole)?, source_3(word, true)?])
}

/// The destination: bits 2..8, in short and immediate words 2..7. Bit 35 of a long word makes it o[], where only 0x7f
/// exists.
fn result(word: Word, whole: bool) -> Option<Result> {
    if word.is_long() && word.is(35) {
        return (word.at(2, 8) == 0x7f).then_some(Result::Nowhere);
    }
    Some(plain_result(word.at(2, if word.is_long() { 8 } else { 7 }), whole))
}

fn plain_result(field: u32, whole: bool) -> Result {
    match register(field, whole) {
        OperandLocation::Register(number, half) => Result::Register(number, half),
        _ => Result::Nowhere,
    }
}

/// The condition, bits 39..45 of a long or flow word.
fn condition(word: Word) -> Option<Option<(u32, u32)>> {
    match word.at(39, 43) {
        0x14..=0x1b => None,
        15 => Some(None),
        0 => Some(Some((0, 0))),
        code => Some(Some((code, word.at(44, 45)))),
    }
}

/// The condition-code register that is written, from bits 36..38.
fn code_written(word: Word) -> Option<u32> {
    (word.is_long() && word.is(38)).then(|| word.at(36, 37))
}

/// An instruction executed by the lanes.
fn lanes(
    word: Word,
    family: &'static str,
    unit: Unit,
    result: Result,
    sources: Vec<OperandLocation>,
) -> Option<Reading> {
    let condition = if word.is_long() { condition(word)? } else { None };
    let writes_code = code_written(word);
    Some(Reading { family, unit, condition, result, writes_code, sources })
}

/// The reading of an instruction that never writes a condition code.
fn without_code(reading: Option<Reading>) -> Option<Reading> {
    Some(Reading { writes_code: None, ..reading? })
}

/// Flow instructions: bits 1..0 are 11; two of them have a short form with 10.
fn flow(word: Word) -> Option<Reading> {
    let (family, asks) = match word.opcode() {
        0 => ("KIL", true),
        1 => ("BRA", true),
        2 => ("CAL", false),
        3 => ("RET", true),
        4 => ("PBK", false),
        5 => ("BRK", true),
        8 => ("BAR", false),
        9 => ("TRAP", false),
        10 => ("SSY", false),
        11 => ("BPT", true),
        _ => return None,
    };
    let condition = if asks && word.is(0) { condition(word)? } else { None };
    (word.is(0) || matches!(family, "TRAP" | "BPT")).then_some(Reading {
        family,
        unit: Unit::Flow,
        condition,
        result: Result::Nowhere,
        writes_code: None,
        sources: vec![],
    })
}

/// Opcode 0: moves between different kinds of registers.
fn special_moves(word: Word) -> Option<Reading> {
    let whole = plain_result(word.at(2, 8), true);
    let from = |family, source| lanes(word, family, Unit::Integer, whole, vec![source]);
    without_code(match word.subop() {
        1 => from("C2R", OperandLocation::Code(word.at(44, 45))),
        2 => from("A2R", OperandLocation::Address(word.pointer()?.register)),
        3 if matches!(word.at(46, 49), 0..=2 | 4..=7) => from("S2R", OperandLocation::Special(word.at(46, 49))),
        5 => {
            let reading = lanes(word, "R2C", Unit::Integer, Result::Nowhere, vec![register(word.at(9, 15), true)])?;
            return Some(Reading { writes_code: Some(word.at(36, 37)), ..reading });
        }
        6 if word.at(2, 4) <= 4 => {
            let sources = vec![source_1(word, true)?, OperandLocation::Number(word.at(16, 19))];
            lanes(word, "R2A", Unit::Integer, Result::Address(word.at(2, 4)), sources)
        }
        7 => {
            let (access, width) = match (word.is(54), word.is(58)) {
                (true, true) => return None,
                (true, false) => (0, 16),
                (false, true) => (3, 14),
                (false, false) => (1, 15),
            };
            let pointer = word.pointer()?;
            let offset = offset(word.at(9, 8 + width), width, access, pointer);
            let sources =
                vec![OperandLocation::Shared { offset, access, pointer }, register(word.at(46, 52), word.is(53))];
            lanes(word, "R2G", Unit::Integer, Result::Nowhere, sources)
        }
        _ => None,
    })
}

/// MVC: an offset of 14 to 16 bits.
fn constant_move(word: Word) -> Option<Reading> {
    let (access, pointer) = (word.at(46, 47), word.pointer()?);
    let width = 16 - log_bytes(access);
    let address = word.at(54, 57) * 4096 + offset(word.at(9, 8 + width), width, access, pointer);
    let sources = vec![OperandLocation::Constant { address, access, pointer }];
    without_code(lanes(word, "MVC", Unit::Integer, result(word, word.is(58))?, sources))
}

/// SHL and SHR: with bit 52 the count is the immediate in bits 16..22.
fn shift(word: Word, family: &'static str) -> Option<Reading> {
    let wide = word.is(58);
    let count = if word.is(52) { OperandLocation::Number(word.at(16, 22)) } else { source_2(word, wide)? };
    lanes(word, family, Unit::Integer, result(word, wide)?, vec![source_1(word, wide)?, count])
}

/// Global and local memory: bits 53..55 are the access, of which 111 is undefined; global space 14.
fn memory(word: Word, family: &'static str) -> Option<Reading> {
    let (is_local, stores) = (family.starts_with('L'), family.ends_with("ST"));
    if word.at(53, 55) == 7 || !is_local && word.at(16, 19) != 14 {
        return None;
    }
    let location = if is_local {
        let pointer = word.pointer()?;
        OperandLocation::Local { offset: word.at(9, 24), pointer }
    } else {
        register(word.at(9, 15), true)
    };
    let data = word.at(2, 8);
    let (result, sources) = if stores {
        (Result::Nowhere, vec![location, register(data, true)])
    } else {
        (plain_result(data, true), vec![location])
    };
    without_code(lanes(word, family, Unit::Memory, result, sources))
}

fn special_function(word: Word) -> Option<Reading> {
    let family = match word.subop() {
        _ if word.is_short() => "RCP",
        0 => "RCP",
        2 => "RSQ",
        3 => "LG2",
        4 => "SIN",
        5 => "COS",
        6 => "EX2",
        _ => return None,
    };
    let source = register(word.at(9, if word.is_long() { 15 } else { 14 }), true);
    without_code(lanes(word, family, Unit::SpecialFunction, result(word, true)?, vec![source]))
}

fn conversion(word: Word) -> Option<Reading> {
    let (family, unit) = [("I2I", Unit::Integer), ("I2F", Unit::Float), ("F2I", Unit::Float), ("F2F", Unit::Float)]
        [word.at(62, 63) as usize];
    lanes(word, family, unit, result(word, word.is(58))?, vec![source_1(word, word.is(46))?])
}

/// Rounding modes of sums and products: to nearest and toward zero.
fn rounds(mode: u32) -> bool {
    matches!(mode, 0 | 3)
}

/// The reading of a word as a long instruction.
fn long(word: Word) -> Option<Reading> {
    let (wide, subop) = (word.is(58), word.subop());
    let integer = |family, result, sources| lanes(word, family, Unit::Integer, result, sources);
    let float = |family, sources| lanes(word, family, Unit::Float, result(word, true)?, sources);
    let two = |whole| Some(vec![source_1(word, whole)?, source_2(word, whole)?]);
    match (word.opcode(), subop) {
        (0x0, _) => special_moves(word),
        (0x1, 0) if word.at(46, 49) == 15 => {
            without_code(integer("MOV", result(word, wide)?, vec![source_1(word, wide)?]))
        }
        (0x1, 1) => constant_move(word),
        (0x2 | 0x3, 0) => integer("IADD", result(word, wide)?, vec![source_1(word, wide)?, source_3(word, wide)?]),
        (0x3, 3) => integer("ISET", result(word, wide)?, two(wide)?),
        (0x3, 4) => integer("IMAX", result(word, wide)?, two(wide)?),
        (0x3, 5) => integer("IMIN", result(word, wide)?, two(wide)?),
        (0x3, 6) => shift(word, "SHL"),
        (0x3, 7) => shift(word, "SHR"),
        (0x4, 0) => integer("IMUL", result(word, true)?, two(word.is(48))?),
        (0x5, 0) => integer("ISAD", result(word, true)?, three(word, wide)?),
        // The sub-opcode is the type: 16 bits up to SAT.S16, then 24; opcode 7 has only 24 bits.
        (0x6, _) => integer("IMAD", result(word, true)?, three(word, subop >= 3)?),
        (0x7, _) => integer("IMAD", result(word, true)?, three(word, true)?),
        (0x9, _) => special_function(word),
        (0xa, _) => conversion(word),
        (0xb, 0 | 1) if rounds(word.at(16, 17)) => float("FADD", vec![source_1(word, true)?, source_3(word, true)?]),
        (0xb, 3) => float("FSET", two(true)?),
        (0xb, 4) => float("FMAX", two(true)?),
        (0xb, 5) => float("FMIN", two(true)?),
        (0xb, 6) => without_code(float("RRO", vec![source_1(word, true)?])),
        (0xc, 0) if rounds(word.at(46, 47)) => float("FMUL", two(true)?),
        (0xc, 2 | 3) => float("FSLCT", three(word, true)?),
        (0xc, 4) => {
            let mut sources = vec![register(word.at(9, 15), true)];
            // With bit 18, source 1 is a neighbouring pixel's, and nothing is added.
            if !word.is(18) {
                sources.push(register(word.at(46, 52), true));
            }
            float("FSWZ", sources)
        }
        (0xd, 0) => integer("LOP", result(word, wide)?, two(wide)?),
        (0xd, 1) if word.at(2, 4) <= 4 => {
            let sources =
                vec![OperandLocation::Address(word.pointer()?.register), OperandLocation::Number(word.at(9, 24))];
            without_code(integer("ADA", Result::Address(word.at(2, 4)), sources))
        }
        (0xd, 2) => memory(word, "LLD"),
        (0xd, 3) => memory(word, "LST"),
        (0xd, 4) => memory(word, "GLD"),
        (0xd, 5) => memory(word, "GST"),
        (0xe, 0 | 1) => float("FMAD", three(word, true)?),
        (0xf, 7) => Some(Reading {
            family: "NOP",
            unit: Unit::Integer,
            condition: None,
            result: Result::Nowhere,
            writes_code: None,
            sources: vec![],
        }),
        _ => None,
    }
}

/// The reading of a short or immediate word. They share their fields, except for source 2.
fn compact(word: Word) -> Option<Reading> {
    let (wide, is_short) = (word.is(15), word.is_short());
    let integer = |family, whole, sources| lanes(word, family, Unit::Integer, result(word, whole)?, sources);
    let float = |family, sources| lanes(word, family, Unit::Float, result(word, true)?, sources);
    let two = |whole| Some(vec![source_1(word, whole)?, source_2(word, whole)?]);
    match word.opcode() {
        0x1 if is_short => integer("MOV", wide, vec![source_1(word, wide)?]),
        // Only MVI has a destination of seven bits.
        0x1 => {
            let number = if wide { word.number() } else { word.number() & 0xffff };
            lanes(word, "MOV", Unit::Integer, plain_result(word.at(2, 8), wide), vec![OperandLocation::Number(number)])
        }
        0x2 | 0x3 => integer("IADD", wide, two(wide)?),
        0x4 => integer("IMUL", true, two(word.is(22))?),
        0x5 if is_short => {
            let sources = [(9, 14, wide), (16, 21, wide), (2, 7, true)];
            integer("ISAD", true, sources.map(|(low, high, whole)| register(word.at(low, high), whole)).into())
        }
        // Bits 15 and 8 are the type; 11 is U24.
        0x6 | 0x7 => integer("IMAD", true, three(word, word.is(15) && word.is(8))?),
        0x9 if is_short => special_function(word),
        0xb => float("FADD", two(true)?),
        0xc => float("FMUL", two(true)?),
        0xd if !is_short => integer("LOP", true, two(true)?),
        0xe => float("FMAD", three(word, true)?),
        _ => None,
    }
}

/// The reading of a word; `None` if it is not an instruction, or not an instruction of kernels on this machine.
pub fn read(word: u64) -> Option<Reading> {
    let word = Word(word);
    match word.at(0, 1) {
        2 | 3 => flow(word),
        _ if word.is_long() => long(word),
        _ => compact(word),
    }
}
