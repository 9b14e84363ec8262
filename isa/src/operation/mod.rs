//! What an instruction does, in types: everything that the bits say, so that an executor matches on these and never
//! looks at an instruction word. The arithmetic itself is in the `arith` crate.

use std::fmt;

pub use crate::semantics::Plain;
pub use flexgrip_arith::convert::Float;
pub use flexgrip_arith::float::{FloatOrder, Quad, Rounding, Sign};
pub use flexgrip_arith::integer::{Integer, Logic, Order, Product, Sum};
pub use flexgrip_arith::special::Function as SpecialFunction;
pub use flexgrip_arith::Width;

/// Size of an access to global or local memory, and how the loaded value fills its 32-bit register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryAccess {
    /// One byte, zero-extended.
    U8,
    /// One byte, sign-extended.
    S8,
    /// Two bytes, zero-extended.
    U16,
    /// Two bytes, sign-extended.
    S16,
    /// Eight bytes, two registers.
    B64,
    /// Sixteen bytes, four registers.
    B128,
    /// Four bytes.
    B32,
}

impl MemoryAccess {
    /// Number of bytes.
    pub fn bytes(self) -> u32 {
        match self {
            MemoryAccess::U8 | MemoryAccess::S8 => 1,
            MemoryAccess::U16 | MemoryAccess::S16 => 2,
            MemoryAccess::B32 => 4,
            MemoryAccess::B64 => 8,
            MemoryAccess::B128 => 16,
        }
    }

    pub(crate) fn from_bits(bits: u32) -> Self {
        match bits & 7 {
            0 => MemoryAccess::U8,
            1 => MemoryAccess::S8,
            2 => MemoryAccess::U16,
            3 => MemoryAccess::S16,
            4 => MemoryAccess::B64,
            5 => MemoryAccess::B128,
            // 7 is undefined and never gets here: the rows' names for the field have no entry for it.
            _ => MemoryAccess::B32,
        }
    }
}

/// What an instruction does with its sources. Sources are named as in [`crate::Instruction::sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `destination = source 1` (MOV, MOV32, MVI).
    Mov {
        /// Width of the move.
        width: Width,
    },
    /// Source 1, taken as `from`; then absolute value; then negation; then clamped to the range of `to`.
    I2i {
        /// Type of the source; a `from` narrower than the operand takes its low bits.
        from: Integer,
        /// Type of the result.
        to: Integer,
        /// Width of the destination, all of which a `to` of 8 bits writes, too.
        width: Width,
        /// Take the absolute value.
        absolute: bool,
        /// Negate (after `absolute`).
        negate: bool,
    },
    /// Source 1 and source 3 added as `sum` says. There is no source 2.
    Iadd {
        /// Addition, subtraction, with carry.
        sum: Sum,
        /// Condition-code register (0..3) whose bit C is the carry. Only [`Sum::AddCarry`] reads it; 0 for the others.
        carry: u8,
        /// Width.
        width: Width,
        /// Clamp to the signed range on overflow.
        saturate: bool,
    },
    /// Bits 15..0 of source 1 times bits 15..0 of source 2: the whole 32-bit product.
    Imul16 {
        /// Source 1 is signed.
        signed1: bool,
        /// Source 2 is signed.
        signed2: bool,
    },
    /// Bits 23..0 of source 1 times bits 23..0 of source 2: 32 bits of the 48-bit product.
    Imul24 {
        /// Both sources are signed.
        signed: bool,
        /// Bits 47..16 of the product instead of 31..0.
        high: bool,
    },
    /// Source 1 times source 2, combined with source 3.
    Imad {
        /// Which product, and whether the sum saturates.
        product: Product,
        /// How source 3 is added.
        sum: Sum,
        /// As in [`Operation::Iadd`].
        carry: u8,
    },
    /// `source 3 + |source 1 - source 2|`.
    Isad {
        /// Width of sources 1 and 2.
        width: Width,
        /// They are signed.
        signed: bool,
    },
    /// Source 1 shifted left by source 2 (count unsigned, not taken modulo the width).
    Shl {
        /// Width.
        width: Width,
    },
    /// Source 1 shifted right by source 2.
    Shr {
        /// Width.
        width: Width,
        /// Shift in copies of the sign.
        signed: bool,
    },
    /// Bitwise logic of source 1 and source 2.
    Logic {
        /// Which.
        logic: Logic,
        /// Width.
        width: Width,
        /// Invert source 1 first.
        invert1: bool,
        /// Invert source 2 first.
        invert2: bool,
    },
    /// All ones if the order of source 1 and source 2 is in `order`, else 0.
    Iset {
        /// Orders for which it is true.
        order: Order,
        /// Width.
        width: Width,
        /// Compare as signed.
        signed: bool,
    },
    /// The smaller of source 1 and source 2.
    Imin {
        /// Width.
        width: Width,
        /// Compare as signed.
        signed: bool,
    },
    /// The larger of source 1 and source 2.
    Imax {
        /// Width.
        width: Width,
        /// Compare as signed.
        signed: bool,
    },

    /// Branch of the threads whose condition holds.
    Bra {
        /// Byte address.
        target: u32,
    },
    /// Push the join point.
    Ssy {
        /// Byte address of the join instruction.
        target: u32,
    },
    /// Call a subroutine.
    Cal {
        /// Byte address.
        target: u32,
        /// Counts against the call limit (no `.NOINC`).
        limited: bool,
    },
    /// Return from a subroutine, or leave.
    Ret,
    /// Push the break address.
    Pbk {
        /// Byte address.
        target: u32,
    },
    /// Break to the address that PBK pushed.
    Brk,
    /// Drop fragments (graphics).
    Kil,
    /// Breakpoint.
    Bpt,
    /// Barrier of the block.
    Bar {
        /// Barrier, 0..15.
        barrier: u8,
        /// Thread-count mask; 0xfff is the whole block.
        mask: u16,
        /// Arrive (`.ARV`).
        arrive: bool,
        /// Wait (`.WAIT`).
        wait: bool,
    },
    /// Stop with an error.
    Trap,
    /// Nothing (but the marker still counts).
    Nop,
    /// Performance-monitor event; no other effect.
    PmTrigger {
        /// Event, 0..15.
        event: u8,
    },

    /// Load from global memory at source 1.
    Gld {
        /// Global space, 0..15; programs use 14.
        space: u8,
        /// Size.
        access: MemoryAccess,
    },
    /// Store source 3 to global memory at source 1.
    Gst {
        /// Global space, 0..15; programs use 14.
        space: u8,
        /// Size.
        access: MemoryAccess,
    },
    /// Load from local memory (source 1 is the place).
    Lld {
        /// Size.
        access: MemoryAccess,
    },
    /// Store source 3 to local memory (source 1 is the place).
    Lst {
        /// Size.
        access: MemoryAccess,
    },
    /// Store source 3 to shared memory (source 1 is the place).
    R2g,
    /// Load from constant memory (source 1 is the place).
    Mvc {
        /// Width of the destination.
        width: Width,
    },
    /// Address register = source 1 shifted left by `shift`.
    R2a {
        /// 0..15.
        shift: u8,
    },
    /// Register = address register (source 1).
    A2r,
    /// Condition-code register = low four bits of source 1.
    R2c,
    /// Register = condition-code register (source 1).
    C2r,
    /// Register = special register (source 1).
    S2r,

    /// `±source 1 ± source 3`.
    Fadd {
        /// Nearest or Zero.
        rounding: Rounding,
        /// Clamp to [0, 1].
        saturate: bool,
        /// Negate source 1.
        negate1: bool,
        /// Negate source 3.
        negate3: bool,
    },
    /// `±source 1 * ±source 2`. Nothing clamps it, whatever its text says.
    Fmul {
        /// Nearest or Zero.
        rounding: Rounding,
        /// Negate source 1.
        negate1: bool,
        /// Negate source 2.
        negate2: bool,
    },
    /// `±(source 1 * source 2) ± source 3`, the product truncated.
    Fmad {
        /// Clamp to [0, 1].
        saturate: bool,
        /// Negate the product.
        negate_product: bool,
        /// Negate source 3.
        negate3: bool,
    },
    /// All ones if the order of source 1 and source 2 is in `order`, else 0.
    Fset {
        /// Orders for which it is true.
        order: FloatOrder,
        /// Sign handling of source 1.
        sign1: Sign,
        /// Sign handling of source 2.
        sign2: Sign,
    },
    /// The smaller of source 1 and source 2.
    Fmin {
        /// Sign handling of source 1.
        sign1: Sign,
        /// Sign handling of source 2.
        sign2: Sign,
    },
    /// The larger of source 1 and source 2.
    Fmax {
        /// Sign handling of source 1.
        sign1: Sign,
        /// Sign handling of source 2.
        sign2: Sign,
    },
    /// Source 1 if source 3, a float, is 0 or above; source 2 if it is negative or NaN.
    Fslct {
        /// Negate source 3.
        negate3: bool,
    },
    /// Threads in fours: source 1 of one of them, combined with source 3 of each as its number says.
    Fswz {
        /// Whose source 1, 0 to 3; none where only pixel programs have an exchange, and the result is +0.
        thread: Option<u8>,
        /// What threads 0 to 3 of the four compute.
        operations: [Quad; 4],
    },
    /// Float to float.
    F2f {
        /// Source.
        from: Float,
        /// Result.
        to: Float,
        /// Sign handling of source 1.
        sign: Sign,
        /// Rounding, to an integral value or to 16 bits.
        rounding: Rounding,
        /// Round to an integral value.
        integral: bool,
        /// Clamp to [0, 1].
        saturate: bool,
    },
    /// Float to integer.
    F2i {
        /// Source.
        from: Float,
        /// Width of the result.
        width: Width,
        /// The result is signed.
        signed: bool,
        /// Sign handling of source 1.
        sign: Sign,
        /// Rounding.
        rounding: Rounding,
    },
    /// Integer to float.
    I2f {
        /// Source.
        from: Integer,
        /// Result.
        to: Float,
        /// Sign handling of source 1.
        sign: Sign,
        /// Rounding.
        rounding: Rounding,
        /// Clamp to [0, 1].
        saturate: bool,
    },
    /// Special function of source 1.
    Special {
        /// Which.
        function: SpecialFunction,
        /// Sign handling of source 1.
        sign: Sign,
        /// Clamp to [0, 1] (EX2 only).
        saturate: bool,
    },
    /// Range reduction of source 1, for SIN and COS or for EX2.
    Rro {
        /// For EX2 (else for SIN and COS).
        ex2: bool,
        /// Sign handling of source 1.
        sign: Sign,
    },
    /// An operation of the lanes that has no modifiers, or none that anything but its arithmetic looks at.
    Plain(Plain),
    /// Texture access. Source 1 is the first of the registers with the coordinates, the destination the first of the
    /// results.
    Texture(Texture),
}

/// What a texture instruction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextureKind {
    /// Filtered access (TEX).
    Sample,
    /// The same, the last coordinate being added to the level of detail (TEX.LB).
    SampleBias,
    /// The same, the last coordinate being the level of detail (TEX.LL).
    SampleLevel,
    /// One texel at integer coordinates (TLD).
    Fetch,
    /// Size of the texture (TXQ).
    Size,
}

/// A texture access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Texture {
    /// Which access.
    pub kind: TextureKind,
    /// The texture is a cube map.
    pub cube: bool,
    /// Number of the texture.
    pub texture: u8,
    /// Number of the sampler, 0..31.
    pub sampler: u8,
    /// Number of coordinate registers, 1..4.
    pub coordinates: u8,
    /// Components written, x in bit 0 to w in bit 3; each takes one register, without gaps.
    pub components: u8,
    /// Only threads whose fragment is seen take part.
    pub live_only: bool,
    /// Derivatives come from the coordinates of the quad's threads.
    pub derivatives: bool,
    /// Offsets of the texel in x, y and z, -8..7.
    pub offset: [i8; 3],
}

/// The part of a register that an operand names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// All 32 bits.
    Full,
    /// Bits 15..0 (`R3L`).
    Low,
    /// Bits 31..16 (`R3H`).
    High,
}

/// Access size of an `s[]` or `c[]` operand. The value read is extended to 32 bits; a 16-bit operation uses the low
/// 16 of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// One byte, zero-extended.
    U8,
    /// Two bytes, zero-extended.
    U16,
    /// Two bytes, sign-extended.
    S16,
    /// Four bytes.
    B32,
}

impl Access {
    /// Number of bytes: also the unit of the offset in the instruction word and in the text.
    pub fn bytes(self) -> u32 {
        match self {
            Access::U8 => 1,
            Access::U16 | Access::S16 => 2,
            Access::B32 => 4,
        }
    }
}

/// An address register in a memory operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Indirect {
    /// 0..4; A0 reads 0 (and only comes here with `post_increment`).
    pub register: u8,
    /// The operand is at the register's address; the (signed) offset is added to the register afterwards.
    pub post_increment: bool,
}

/// Where an operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A register or half of one.
    Register {
        /// 0..127.
        index: u8,
        /// Which part.
        part: Part,
    },
    /// Shared memory of the block (`g[...]` in the text).
    Shared {
        /// Byte offset (negative only with post-increment).
        offset: i32,
        /// Size.
        access: Access,
        /// Address register, if any.
        indirect: Option<Indirect>,
    },
    /// Constant memory.
    Constant {
        /// Bank, 0..15.
        bank: u8,
        /// Byte offset in the bank (negative only with post-increment).
        offset: i32,
        /// Size.
        access: Access,
        /// Address register, if any.
        indirect: Option<Indirect>,
    },
    /// Local memory of the thread.
    Local {
        /// Byte offset (negative only with post-increment).
        offset: i32,
        /// Address register, if any.
        indirect: Option<Indirect>,
    },
    /// A number. A 16-bit operation uses the low 16 bits.
    Immediate(u32),
    /// An address register, 0..7 (A0 reads 0).
    Address(u8),
    /// A condition-code register, 0..3.
    ConditionCode(u8),
    /// A special register, 0..15.
    Special(u8),
}

impl Operand {
    /// The operand's address register, if it has one.
    pub fn indirect(&self) -> Option<Indirect> {
        match *self {
            Operand::Shared { indirect, .. } | Operand::Constant { indirect, .. } | Operand::Local { indirect, .. } => {
                indirect
            }
            _ => None,
        }
    }
}

/// Where a result goes. Stores have no destination: the place is their source 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Destination {
    /// The instruction has no result.
    None,
    /// `o[0x7f]`: the result is dropped (condition codes are still written).
    Discard,
    /// A register or half of one; the other half stays.
    Register {
        /// 0..127.
        index: u8,
        /// Which part.
        part: Part,
    },
    /// An address register, 0..7.
    Address(u8),
    /// A condition-code register, 0..3.
    ConditionCode(u8),
}

/// What happens to the warp after a long instruction (bits 33..32).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Marker {
    /// Nothing.
    #[default]
    None,
    /// The active threads end. Text: `.EXIT` (the vendor's text does not show it).
    Exit,
    /// Pop the divergence stack for joining. Text: `.S`.
    Join,
}

/// Bit Z of a condition code: the result is zero.
pub const CC_ZERO: u8 = 1;
/// Bit S of a condition code: the result is negative.
pub const CC_SIGN: u8 = 2;
/// Bit C of a condition code: carry.
pub const CC_CARRY: u8 = 4;
/// Bit O of a condition code: signed overflow.
pub const CC_OVERFLOW: u8 = 8;

/// Declares the 24 conditions once: variant, code, name in the text, formula (over `z s c o`).
macro_rules! conditions {
    ($(#[doc = $doc:literal] $variant:ident = $code:literal, $text:literal, |$z:ident, $s:ident, $c:ident, $o:ident| $formula:expr;)*) => {
        /// A condition on a condition-code register: bits 43..39 of a long or control instruction. Codes 0x14..0x1b
        /// do not exist.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Condition {
            $(
                #[doc = $doc]
                $variant = $code,
            )*
        }

        impl Condition {
            /// All of them, by code.
            pub const ALL: &'static [Condition] = &[$(Condition::$variant),*];

            /// The condition with this code (0..31), if there is one.
            pub fn from_code(code: u32) -> Option<Self> {
                match code {
                    $($code => Some(Condition::$variant),)*
                    _ => None,
                }
            }

            /// Name in the assembly text.
            pub fn text(self) -> &'static str {
                match self {
                    $(Condition::$variant => $text,)*
                }
            }

            /// What it means after a comparison or another operation, in a few words.
            pub fn description(self) -> &'static str {
                match self {
                    $(Condition::$variant => $doc.trim_ascii(),)*
                }
            }

            /// When it holds, as a Boolean expression over the bits `z`, `s`, `c` and `o` of the register.
            pub fn formula(self) -> &'static str {
                match self {
                    $(Condition::$variant => stringify!($formula),)*
                }
            }

            /// Whether it holds for the condition code `cc` (bits Z, S, C, O from bit 0; higher bits are ignored).
            pub fn holds(self, cc: u8) -> bool {
                let zero = cc & CC_ZERO != 0;
                let sign = cc & CC_SIGN != 0;
                let carry = cc & CC_CARRY != 0;
                let overflow = cc & CC_OVERFLOW != 0;
                match self {
                    $(Condition::$variant => {
                        let ($z, $s, $c, $o) = (zero, sign, carry, overflow);
                        $formula
                    })*
                }
            }
        }
    };
}

conditions! {
    /// Never.
    False = 0x00, "FALSE", |_z, _s, _c, _o| false;
    /// Less.
    Lt = 0x01, "LT", |z, s, _c, o| (s && !z) ^ o;
    /// Equal.
    Eq = 0x02, "EQ", |z, s, _c, _o| z && !s;
    /// Less or equal.
    Le = 0x03, "LE", |z, s, _c, o| s ^ (z || o);
    /// Greater.
    Gt = 0x04, "GT", |z, s, _c, o| !z && !(s ^ o);
    /// Not equal.
    Ne = 0x05, "NE", |z, _s, _c, _o| !z;
    /// Greater or equal.
    Ge = 0x06, "GE", |_z, s, _c, o| !(s ^ o);
    /// Ordered: not a NaN.
    Leg = 0x07, "LEG", |z, s, _c, _o| !z || !s;
    /// Unordered: a NaN.
    Nan = 0x08, "NAN", |z, s, _c, _o| z && s;
    /// Less or unordered.
    Ltu = 0x09, "LTU", |_z, s, _c, o| s ^ o;
    /// Equal or unordered.
    Equ = 0x0a, "EQU", |z, _s, _c, _o| z;
    /// Less, equal or unordered.
    Leu = 0x0b, "LEU", |z, s, _c, o| z || (s ^ o);
    /// Greater or unordered.
    Gtu = 0x0c, "GTU", |z, s, _c, o| !s ^ (z || o);
    /// Not equal or unordered.
    Neu = 0x0d, "NEU", |z, s, _c, _o| !z || s;
    /// Greater, equal or unordered.
    Geu = 0x0e, "GEU", |z, s, _c, o| (!s || z) ^ o;
    /// Always.
    True = 0x0f, "TRUE", |_z, _s, _c, _o| true;
    /// Overflow.
    Off = 0x10, "OFF", |_z, _s, _c, o| o;
    /// Carry.
    Carry = 0x11, "CARRY", |_z, _s, c, _o| c;
    /// Unsigned above: carry and not zero.
    Above = 0x12, "A", |z, _s, c, _o| !z && c;
    /// Sign.
    Sign = 0x13, "SIGN", |_z, s, _c, _o| s;
    /// No sign.
    NotSign = 0x1c, "NOT_SIGN", |_z, s, _c, _o| !s;
    /// Unsigned not above.
    NotAbove = 0x1d, "NA", |z, _s, c, _o| z || !c;
    /// No carry.
    NotCarry = 0x1e, "NCARRY", |_z, _s, c, _o| !c;
    /// No overflow.
    NotOff = 0x1f, "NOFF", |_z, _s, _c, o| !o;
}

impl Condition {
    /// The condition's code, bits 43..39.
    pub fn code(self) -> u32 {
        self as u32
    }

    pub(crate) fn from_text(text: &str) -> Option<Self> {
        // The vendor's text has two names for code 7.
        if text.eq_ignore_ascii_case("NUM") {
            return Some(Condition::Leg);
        }
        Self::ALL
            .iter()
            .copied()
            .find(|condition| condition.text().eq_ignore_ascii_case(text))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// The condition under which a thread executes an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Predicate {
    /// Condition-code register, 0..3.
    pub register: u8,
    /// Condition on it.
    pub condition: Condition,
}

impl Predicate {
    /// Always true.
    pub const ALWAYS: Predicate = Predicate {
        register: 0,
        condition: Condition::True,
    };
}
