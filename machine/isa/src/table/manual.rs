//! Errors in the FlexGripPlus SM 1.0 programmer's manual, section by section, for readers who use it next to the table.
//! Rows name their sections ([`crate::Row::manual`]); the encoding itself is in [`crate::table`] alone.
//!
//! Every entry is one error of the manual, in the order of the encoding notes' list. Where the notes say nothing, the
//! manual's table is right.

/// A section of the manual.
#[derive(Debug, PartialEq, Eq)]
pub struct Section {
    /// The section's title.
    pub name: &'static str,
    /// The section's errors, each with its correction.
    pub errors: &'static [&'static str],
}

/// The error that most sections share.
pub const MARKERS: &str = "The marker's values are swapped in the table: it prints 01 as join and 10 as exit. Real \
    code, the hardware, and the manual's own tables of GST and MOV have 01 = exit and 10 = join.";

const FADD_OPCODE: &str = "The opcode is printed as 0xD; it is 0xB, as in the examples.";
const SHARED_24: &str = "Bit 24 selects s[] for source 1, not c[].";

/// Defines a static for each section, named like the section, with the section's errors.
macro_rules! sections {
    ($($name:ident: [$($error:expr),* $(,)?],)*) => {$(
        #[doc = concat!("The manual's section ", stringify!($name), ".")]
        pub static $name: Section = Section {
            name: stringify!($name),
            errors: &[$($error),*],
        };
    )*};
}

sections! {
    BRA: [
        "Bits 9-10 belong to no field and must be 0: the target is a word address in bits 11-26 and 46-51.",
        "The prose has the marker in bits (1-0); it means 33-32, and control instructions have none.",
        MARKERS,
    ],
    BAR: [
        "Bits 2-27 are printed as one constant, 0x61FFE0; they are the fields of the barrier, the threads, .ARV and \
            .WAIT.",
        MARKERS,
    ],
    RET: ["The condition, printed as \"(39 - 42) 5\", is in bits 39-43.", MARKERS],
    SSY: [
        "The target is in bits 11-26 and 46-51, not 9-24.",
        "The condition that the table lists is ignored.",
        MARKERS,
    ],
    NOP: [
        "The marker's meanings are swapped: 01, printed as plain NOP, is an exit; 10, NOP.S, is a join.",
        "Widths 26 and 4 are printed for fields of 27 and 3 bits.",
        MARKERS,
    ],
    TRAP: ["Bits 61-63, three of them, are printed with width 4.", MARKERS],
    CAL: ["The target is in bits 11-26 (and 46-51), not 9-27.", MARKERS],
    I2I: [
        "Size and sign of the destination are printed at bits 59 and 60; they are bits 58 and 59, as in the manual's \
            own examples (58/59).",
        "Source types 011 and 111 are not U32: they are 8-bit sources in a 32-bit register.",
        "The source register is in bits 9-15 (bit 9 is the half, for 8-bit and 16-bit sources only); bits 16-22 are \
            unused.",
        "Bit 45 is listed twice.",
        "Negation (bit 61), absolute value (52) and the 8-bit destination (51) are missing; bits 61-63 are printed as \
            000 although the example with -R1 has 001.",
        MARKERS,
    ],
    IMUL: [
        "\"28 size, 29-31 opcode 0x2\" is one field: the opcode, bits 28-31, is 4.",
        "In the long form bit 24 does not select source 1; bit 53 does.",
        "Bits 46-52, \"not used\", contain the signs and select 24 bits.",
        "Bit 53 belongs to source 1, not to source 2.",
        "Bits 54-57 are the bank of c[].",
        MARKERS,
    ],
    IMUL32: [
        "The destination is in bits 2-7 and source 1 in 9-14: bits 8 and 15 are modifiers, not register bits.",
    ],
    IMUL32I: [
        "Bit 8 makes source 2 signed, bit 15 makes source 1 signed, bit 22 selects 24 bits; the table omits them and \
            has no example.",
        MARKERS,
    ],
    IADD: [
        "Bit 59 saturates; it is not a sign of source 2. Negation is in bits 22 and 28.",
        "The second operand is in bits 46-52 (7 bits); bit 53 belongs to source 1.",
        "Bit 22 alone subtracts, bit 28 alone subtracts in reverse; a carry needs both.",
        MARKERS,
    ],
    IADD32: [
        "The destination is in bits 2-7, source 1 in 9-14 (15 is the size), the second operand in 16-21 (22 negates \
            it).",
        "Bit 15, the size, is shown as the highest register bit: R0, encoded as in the table, gives IADD32.U16.",
    ],
    IADD32I: [
        "The high part of the immediate is in bits 34-59, not 36-59: 34 and 35 belong to it.",
        "Bit 15 is the size here, too, and shown as a register bit.",
        MARKERS,
    ],
    IMAD: [
        "The opcode is printed as \"(23-31) 3\"; it is 6, or 7 for HI.SAT.S24, in bits 28-31.",
        "Bit 28 is part of the opcode.",
        "Bits 61-63 are the type, not 000.",
        "Bit 25 is the address register's post-increment, not \"address register or immediate\".",
        "Bits 58 and 59 (58/59) are swapped: 58 negates source 3, 59 the product, both together \
            add a carry.",
        "Bit 56 is one of the bits of the c[] bank, 54-57.",
        MARKERS,
    ],
    IMAD32: [
        "Both examples print high halves (H) for fields whose lowest bit is 0, which are low halves (L).",
        "The table's default for the length is wrong: the instruction is short.",
    ],
    IMAD32I: [
        "All three examples print high halves (H) where the bits say low ones (L).",
        "Bit 8 selects signed 16 bits, bit 15 saturation or 24 bits; the table omits them.",
        MARKERS,
    ],
    LOP: [
        "The inversions are printed at bits 50/51 as \"not working\"; they are bits 48/49 (the example with ~R4 has \
            49 set).",
        "Operation 11 is PASS_B, which returns source 2; NOT is PASS_B of an inverted source 2.",
        "The c[] bank is in bits 54-57.",
        MARKERS,
    ],
    ISET: [
        "The comparison has 3 bits (46-48), not 5.",
        "Bits 54-57 are the c[] bank.",
        MARKERS,
    ],
    MVC: [
        "The offset is printed with 7 bits; it has 14, 15 or 16, by the access size.",
        "Bit 54, \"immediate address vs address register\", is bit 0 of the bank: c[0x1] sets it, c[0x0][A1+...] does \
            not.",
        "Bit 59 is not a sign.",
        MARKERS,
    ],
    GLD: [
        "The number of the global space has 4 bits (16-19).",
        "Access 111 is not S32: it is undefined for loads and stores.",
        "Accesses 100/101 are 64 and 128 bits wide; the vendor's tool prints S64 and S128.",
        MARKERS,
    ],
    GST: ["The table of the sub-opcode is copied from another section; it is 101."],
    MOV: [
        "Bits 46-48, \"size of movement\", and 49, \"??\", are the mask of the quad's lanes, 1111; the access size of \
            s[] is in bits 14-15.",
        "The sub-opcode is 000.",
    ],
    MOV32: [
        "Bit 15 is the size (0 = MOV32.U16).",
        "Bit 17, which the table omits, only routes the move through the special function unit.",
    ],
    MVI: [
        "Bits 9-15 are printed as \"not used 0\", contrary to the examples: bit 15 must be 1 for a 32-bit MVI.",
        "The row of the opcode says GLD.",
        MARKERS,
    ],
    R2G: [
        "The offset is printed in bits 7-19; it starts at bit 9 and ends with 22, 23 or 24, by the access size.",
        "The widths of the store and of the source are wrong: 32 bits are stored when bit 58 is set, 8 when 54 is, and \
            the source is a whole register when 53 is.",
        MARKERS,
    ],
    R2A: [
        "The prose \"Ax <- Rx + Imm\" is wrong: the address register is the source shifted left by the immediate.",
        "The immediate has 4 bits.",
        "The table of the sub-opcode is copied from another section; it is 110.",
        MARKERS,
    ],
    A2R: [
        "There is no immediate.",
        "The highest bit of the address register is bit 34.",
        MARKERS,
    ],
    ADA: [
        "Destinations A0 to A15 are impossible: the field has 3 bits.",
        "Source A4 needs bit 34.",
        MARKERS,
    ],
    FADD32: [FADD_OPCODE],
    FADD: [
        FADD_OPCODE,
        "The second operand is in bits 46-52; bit 53 selects s[] for source 1.",
        "Saturation is bit 61.",
        MARKERS,
    ],
    FADD32I: [
        FADD_OPCODE,
        SHARED_24,
        MARKERS,
    ],
    FMUL: [
        "Bits 23-27 are not the c[] bank: bit 23 selects c[] for source 2, and the bank is in bits 54-57.",
        "Bit 53 belongs to source 1.",
        MARKERS,
    ],
    FMUL32: [],
    FMUL32I: [SHARED_24, MARKERS],
    FMAD32I: [SHARED_24, MARKERS],
    F2F: [
        "Bit 58 is not a sign: it selects an F32 destination. The sign is bit 61, which the table omits although the \
            examples with -R4 set it.",
        "The line of the mnemonic says FMAD.",
        MARKERS,
    ],
    F2I: [
        "Signedness is printed at bit 58; it is bit 59 (the U32 example, 84..., has 58 set).",
        MARKERS,
    ],
    I2F: [
        "Bit 58 is not \"signed\": it selects an F32 destination.",
        "Bits 46-48 are one field, the source's type.",
        "The row of the opcode says F2I.",
        MARKERS,
    ],
    FSET: [
        "The comparison has 4 bits.",
        "The c[] bank is in bits 54-57, and bit 23 selects c[] for source 2.",
        MARKERS,
    ],
    RCP: [
        "The sub-opcode is printed as 011, which is LG2; it is 000, as in the examples.",
        MARKERS,
    ],
    RCP32: [],
    SIN: [MARKERS],
    COS: [MARKERS],
    RRO: ["The selector is bit 46 alone, not 46-47.", MARKERS],
    LG2: [MARKERS],
    EX2: [MARKERS],
    RSQ: ["The example \"RSQ R0, R0\" has R2 in its bits.", MARKERS],
}

/// The manual's section SHL/SHR.
pub static SHIFTS: Section = Section {
    name: "SHL/SHR",
    errors: &[
        "The shift count has 7 bits (16-22), not 5; counts of 32 and above are legal and give 0 or copies of the sign.",
        "Bit 24 does not select source 1; bit 53 does.",
        "Bits 36-38 are the condition-code register written and its enable.",
        "The line with the mnemonic LOP is copied from another section.",
        MARKERS,
    ],
};

/// The manual's section FMAD32, which describes the long FMAD.
pub static FMAD: Section = Section {
    name: "FMAD32",
    errors: &[
        "The section is titled FMAD32, but its table and every example are the long FMAD; the short FMAD32 (opcode \
            0xe, source 3 is the destination) is not described.",
        "Bit 53 belongs to source 1.",
        MARKERS,
    ],
};
