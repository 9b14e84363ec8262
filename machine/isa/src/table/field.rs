//! Bit fields of an instruction word, and reading and writing them while tracking the bits touched.
//!
//! Tracking makes decode and encode inverses of each other. [`Reader`] notes every bit that it reads, so the rest is
//! known to be ignored. [`Writer`] refuses to give a bit two values, so constraints between operands (a short
//! instruction's third source *is* its destination; only one operand may be a constant) need no special code.

/// The kind of a field's value and, for numbers, its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Number of a register; for a half, twice the register's number, plus 1 for the high half.
    Register,
    /// Number of an address register; 0 means no register, or A0, which reads 0.
    AddressRegister,
    /// Number of a condition-code register.
    ConditionCode,
    /// Number of a special register.
    SpecialRegister,
    /// Offset in a memory, in units of the access size; signed if the address register is incremented afterwards.
    Offset,
    /// Bank of constant memory.
    Bank,
    /// Number of a global space.
    Space,
    /// An immediate that the operation uses unchanged.
    Number,
    /// Byte address of an instruction, divided by 4.
    Target,
    /// Code of a condition.
    Condition,
    /// Number of a barrier.
    Barrier,
    /// A bit mask: one bit for each masked item.
    Mask,
    /// 1: yes; 0: no.
    Flag,
    /// One of these meanings, by value; an empty text is undefined, as are values beyond the last.
    Choice(&'static [&'static str]),
    /// Number of a texture.
    Texture,
    /// Number of a texture sampler.
    Sampler,
    /// Offsets of a texel, 4 bits each in two's complement: x, y, z from bit 0.
    TexelOffset,
}

impl Kind {
    /// The kind in a few words, with the unit.
    pub const fn description(&self) -> &'static str {
        match self {
            Kind::Register => "register (for a half: twice its number, + 1 if high)",
            Kind::AddressRegister => "address register",
            Kind::ConditionCode => "condition-code register",
            Kind::SpecialRegister => "special register",
            Kind::Offset => "offset, in units of the access size",
            Kind::Bank => "constant bank",
            Kind::Space => "global space",
            Kind::Number => "number",
            Kind::Target => "byte address / 4",
            Kind::Condition => "condition code",
            Kind::Barrier => "barrier",
            Kind::Mask => "mask",
            Kind::Flag => "flag",
            Kind::Choice(_) => "choice",
            Kind::Texture => "texture",
            Kind::Sampler => "sampler",
            Kind::TexelOffset => "texel offsets x, y, z, 4 signed bits each",
        }
    }
}

/// A named field of an instruction word, possibly in several pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Name, as printed in documentation and error messages.
    pub name: &'static str,
    /// Pieces `(lowest bit, number of bits)`, least significant piece first. Bits 0..31 are the low word.
    pub parts: &'static [(u32, u32)],
    /// Kind of the value.
    pub kind: Kind,
    /// The field's bits in the word.
    mask: u64,
    /// Lowest bit, if there is one piece.
    low: u32,
    /// True if there is only one piece, the usual case.
    whole: bool,
}

impl Field {
    /// A field with this name, these pieces and this kind.
    pub const fn new(name: &'static str, parts: &'static [(u32, u32)], kind: Kind) -> Self {
        let mut mask = 0;
        let mut i = 0;
        while i < parts.len() {
            let (low, width) = parts[i];
            mask |= ((1 << width) - 1) << low;
            i += 1;
        }
        Self {
            name,
            parts,
            kind,
            mask,
            low: parts[0].0,
            whole: parts.len() == 1,
        }
    }

    /// The pieces as documentation shows them, most significant first: `51..46, 26..11` for
    /// `[(11, 16), (46, 6)]`.
    pub fn bits(&self) -> String {
        let mut pieces = Vec::new();
        for &(low, width) in self.parts.iter().rev() {
            pieces.push(match width {
                1 => low.to_string(),
                _ => format!("{}..{low}", low + width - 1),
            });
        }
        pieces.join(", ")
    }

    /// Number of bits.
    pub const fn width(&self) -> u32 {
        let mut width = 0;
        let mut i = 0;
        while i < self.parts.len() {
            width += self.parts[i].1;
            i += 1;
        }
        width
    }

    /// The bits of the instruction word that belong to the field.
    pub const fn mask(&self) -> u64 {
        self.mask
    }

    /// The field's value in `word`.
    #[inline]
    pub const fn get(&self, word: u64) -> u32 {
        // No field is wider than 32 bits (asserted by the table's test).
        if self.whole {
            return ((word & self.mask) >> self.low) as u32;
        }
        let mut value = 0u64;
        let mut at = 0;
        let mut i = 0;
        while i < self.parts.len() {
            let (low, width) = self.parts[i];
            value |= ((word >> low) & ((1 << width) - 1)) << at;
            at += width;
            i += 1;
        }
        value as u32
    }

    /// `value` placed in the field, all other bits 0. Bits of `value` beyond the field are ignored.
    pub fn place(&self, value: u32) -> u64 {
        let mut word = 0;
        let mut rest = u64::from(value);
        for &(low, width) in self.parts {
            word |= (rest & ((1 << width) - 1)) << low;
            rest >>= width;
        }
        word
    }
}

/// Reads fields and remembers which bits were read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader {
    pub word: u64,
    pub used: u64,
}

impl Reader {
    #[inline]
    pub fn get(&mut self, field: &Field) -> u32 {
        self.used |= field.mask();
        field.get(self.word)
    }
}

/// Two parts of one instruction need different values in one field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conflict(pub Field);

/// Writes fields and refuses to give a bit two values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Writer {
    pub word: u64,
    pub used: u64,
}

impl Writer {
    pub fn set(&mut self, field: Field, value: u32) -> Result<(), Conflict> {
        let mask = field.mask();
        let placed = field.place(value);
        if (self.word ^ placed) & mask & self.used != 0 {
            return Err(Conflict(field));
        }
        self.word |= placed;
        self.used |= mask;
        Ok(())
    }

    /// Gives the field `value` if nothing has set it yet.
    pub fn set_default(&mut self, field: Field, value: u32) {
        if self.used & field.mask() == 0 {
            self.word |= field.place(value);
            self.used |= field.mask();
        }
    }
}
