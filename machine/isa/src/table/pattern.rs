//! The words that belong to a row: the word layouts and the fixed bits.

/// The four word layouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// 32 bits: bit 0 is 0.
    Short,
    /// 64 bits: bits 1..0 are 01 and bits 33..32 are not 11.
    Long,
    /// 64 bits with a 32-bit immediate: bits 1..0 are 01 and bits 33..32 are 11.
    Immediate,
    /// 64 bits, flow control: bits 1..0 are 11.
    Control,
}

impl Form {
    /// The form of an instruction word.
    pub const fn of(word: u64) -> Form {
        match word & 3 {
            0 | 2 => Form::Short,
            3 => Form::Control,
            _ => {
                if (word >> 32) & 3 == 3 {
                    Form::Immediate
                } else {
                    Form::Long
                }
            }
        }
    }

    /// `short`, `long`, `immediate` or `control`.
    pub const fn name(self) -> &'static str {
        match self {
            Form::Short => "short",
            Form::Long => "long",
            Form::Immediate => "immediate",
            Form::Control => "control",
        }
    }

    /// Bytes that an instruction of this form takes: 4 or 8.
    pub const fn size(self) -> u32 {
        match self {
            Form::Short => 4,
            _ => 8,
        }
    }
}

/// The words of a row: the words of its form with `word & mask == value`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    /// The form of the words.
    pub form: Form,
    /// Bits that must match.
    pub mask: u64,
    /// The required value of these bits.
    pub value: u64,
}

impl Pattern {
    /// True if `word` belongs to the row.
    pub const fn matches(&self, word: u64) -> bool {
        // `Form::of` is a constant function without PartialEq in const context; compare by discriminant.
        Form::of(word) as u8 == self.form as u8 && word & self.mask == self.value
    }

    /// The pattern with `width` bits from `low` also fixed to `value`.
    pub(super) const fn and(self, low: u32, width: u32, value: u64) -> Pattern {
        Pattern {
            form: self.form,
            mask: self.mask | (((1 << width) - 1) << low),
            value: self.value | (value << low),
        }
    }

    /// The pattern with bit 28 free, for operations with a modifier in the lowest opcode bit.
    pub(super) const fn without_bit_28(self) -> Pattern {
        Pattern {
            form: self.form,
            mask: self.mask & !(1 << 28),
            value: self.value & !(1 << 28),
        }
    }
}

pub(super) const fn pattern(form: Form, low_bits: u64, low_mask: u64, opcode: u64) -> Pattern {
    Pattern {
        form,
        mask: low_mask | 0xf000_0000,
        value: low_bits | (opcode << 28),
    }
}
/// Short: bits 1..0 = 00, opcode in 31..28.
pub(super) const fn short(opcode: u64) -> Pattern {
    pattern(Form::Short, 0, 3, opcode)
}
/// Long: bits 1..0 = 01, opcode in 31..28, sub-opcode in 63..61.
pub(super) const fn long(opcode: u64, subop: u64) -> Pattern {
    pattern(Form::Long, 1, 3, opcode).and(61, 3, subop)
}
/// Long without a fixed sub-opcode.
pub(super) const fn long_any(opcode: u64) -> Pattern {
    pattern(Form::Long, 1, 3, opcode)
}
/// Immediate: bits 1..0 = 01, bits 33..32 = 11, opcode in 31..28.
pub(super) const fn immediate(opcode: u64) -> Pattern {
    pattern(Form::Immediate, 1 | 3 << 32, 3 | 3 << 32, opcode)
}
/// Control: bits 1..0 = 11, opcode in 31..28.
pub(super) const fn control(opcode: u64) -> Pattern {
    pattern(Form::Control, 3, 3, opcode)
}
