//! Condition codes, conditions on them, and the marker that acts on the warp after an instruction.

use std::fmt;

/// The effect on the warp after a long instruction (bits 33..32).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Marker {
    /// Nothing.
    #[default]
    None,
    /// The active threads exit. Text: `.EXIT` (the vendor's text omits it).
    Exit,
    /// Pop the divergence stack to reconverge. Text: `.S`.
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
            /// All conditions, by code.
            pub const ALL: &'static [Condition] = &[$(Condition::$variant),*];

            /// The condition with this code (0..31), if there is one.
            pub fn from_code(code: u32) -> Option<Self> {
                match code {
                    $($code => Some(Condition::$variant),)*
                    _ => None,
                }
            }

            /// Name in assembly text.
            pub fn text(self) -> &'static str {
                match self {
                    $(Condition::$variant => $text,)*
                }
            }

            /// The meaning after a comparison or another operation, in a few words.
            pub fn description(self) -> &'static str {
                match self {
                    $(Condition::$variant => $doc.trim_ascii(),)*
                }
            }

            /// The condition as a Boolean expression over the bits `z`, `s`, `c` and `o` of the register.
            pub fn formula(self) -> &'static str {
                match self {
                    $(Condition::$variant => stringify!($formula),)*
                }
            }

            /// True if the condition holds for the condition code `cc` (bits Z, S, C, O from bit 0; higher bits are
            /// ignored).
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
    /// The condition on this register.
    pub condition: Condition,
}

impl Predicate {
    /// Always true.
    pub const ALWAYS: Predicate = Predicate {
        register: 0,
        condition: Condition::True,
    };
}
