//! Operands of the arithmetic instructions, each in this table's notation and in applegpu's.
//!
//! The names of operands consist of the class, the operand, and the position of its upper bits: `FA42` is the
//! floating-point source A with upper bits at bit 42. In this table, hints are `$` and `^` before a register and a pair
//! of registers is `dr4`; in applegpu's notation, hints are `.cache` and `.discard` after it and a pair is `r4_r5`.

use crate::set::*;

/// An operand's pieces in this table's notation and in applegpu's.
#[derive(Clone, Copy)]
pub(super) struct Both {
    pub own: &'static [Piece],
    pub up: &'static [Piece],
}

/// An operand that both notations write alike.
pub(super) const fn same(pieces: &'static [Piece]) -> Both {
    Both {
        own: pieces,
        up: pieces,
    }
}

/// Operands with commas between them, in one of the notations.
macro_rules! operands {
    ($notation:ident: $first:expr $(, $more:expr)*) => {
        Pieces(&[SP, Pieces($first.$notation) $(, C, Pieces($more.$notation))*])
    };
}
pub(super) use operands;

/// A register or a uniform by its number.
pub(super) const fn numbered(prefix: &'static str) -> Format {
    Format::Register {
        prefix,
        scale: 1,
        top: None,
    }
}

/// A run of `count` consecutive registers.
pub(super) const fn run(prefix: &'static str, halves: bool, count: u8) -> Format {
    Format::Run {
        prefix,
        halves,
        scale: 1,
        count: Count::Fixed(count),
    }
}

pub(super) const R: Format = numbered("r");
pub(super) const DR: Format = numbered("dr");
pub(super) const U: Format = numbered("u");
pub(super) const DU: Format = numbered("du");
/// One half of a register or of a uniform; the field includes the bit that selects the half.
pub(super) const RH: Format = run("r", true, 1);
pub(super) const UH: Format = run("u", true, 1);
/// A pair of registers or of uniforms, as applegpu writes them.
pub(super) const RR: Format = run("r", false, 2);
pub(super) const UU: Format = run("u", false, 2);
pub(super) const DECIMAL: Format = Format::Decimal { scale: 1 };
pub(super) const SIGNED: Format = Format::Signed { scale: 1 };
const MINI: Format = Format::Float {
    kind: Float::Mini,
    low: 0,
};

pub(super) const SP: Piece = Text(" ");
pub(super) const C: Piece = Text(", ");

/// `ALUDst` with the field's upper bits at `$x`: 16 bits or 32 bits. `$odd` and `$pair` give the meaning of an odd
/// number in each notation.
macro_rules! destination {
    ($name:ident, $x:literal, [$($odd:expr, $pair:expr)?]) => {
        pub(super) const $name: Both = {
            const SIZE: Field = bits("Dt", 8, 1);
            const REGISTER: Field = bits("D", 10, 5).and($x, 2);
            const HALF: Field = bits("D", 9, 6).and($x, 2);
            Both {
                own: &[
                    Flag(bits("Dt", 7, 1), 1, "$"),
                    Cases(&[
                        when(SIZE, 0, &[Number(HALF, RH)]),
                        $(when(SIZE, 1, &[Number(REGISTER, $odd)]).with(bits("D", 9, 1), 1),)?
                        when(SIZE, 1, &[Number(REGISTER, R)]),
                    ]),
                ],
                up: &[
                    Cases(&[
                        when(SIZE, 0, &[Number(HALF, RH)]),
                        $(when(SIZE, 1, &[Number(REGISTER, $pair)]).with(bits("D", 9, 1), 1),)?
                        when(SIZE, 1, &[Number(REGISTER, R)]),
                    ]),
                    Flag(bits("Dt", 7, 1), 1, ".cache"),
                ],
            }
        };
    };
}

destination!(D28, 28, []);
destination!(D44, 44, []);
destination!(D60, 60, []);
destination!(D76, 76, []);
destination!(DD44, 44, [DR, RR]);
destination!(DD60, 60, [DR, RR]);

/// `FloatDst16`: halves only.
macro_rules! destination16 {
    ($name:ident, $x:literal) => {
        pub(super) const $name: Both = {
            const VALUE: Piece = Cases(&[when(
                bits("Dt", 8, 1),
                0,
                &[Number(bits("D", 9, 6).and($x, 2), RH)],
            )]);
            const HINT: Field = bits("Dt", 7, 1);
            Both {
                own: &[Flag(HINT, 1, "$"), VALUE],
                up: &[VALUE, Flag(HINT, 1, ".cache")],
            }
        };
    };
}

destination16!(H44, 44);
destination16!(H60, 60);

/// `PairedALUDst`: two registers in a row.
pub(super) const PD60: Both = {
    const VALUE: Piece = Cases(&[
        when(
            bits("Dt", 8, 1),
            0,
            &[Number(bits("D", 9, 6).and(60, 2), run("r", true, 2))],
        ),
        when(bits("Dt", 8, 1), 1, &[Number(bits("D", 10, 5).and(60, 2), RR)]),
    ]);
    const HINT: Field = bits("Dt", 7, 1);
    Both {
        own: &[Flag(HINT, 1, "$"), VALUE],
        up: &[VALUE, Flag(HINT, 1, ".cache")],
    }
};

/// A source with four flags at `$t`: value at `$low` and `$x`, immediates as `$immediate`, `$after` a register or
/// uniform, and, if it may be 64 bits wide, `$pair` in this notation and `$run` in the other.
macro_rules! source {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal, $immediate:expr,
     $after:expr, [$($pair:expr, $run:expr)?]) => {
        pub(super) const $name: Both = {
            const KIND: Field = bits($flags, $t, 4);
            const WIDE: Field = bits($flags, $t + 1, 3);
            const VALUE: Field = bits($letter, $low, 6).and($x, 2);
            const REGISTER: Field = bits($letter, $low + 1, 5).and($x, 2);
            const AFTER: Piece = Pieces($after);
            const NUMBER: Case = when(KIND, 0b0000, &[Number(VALUE, $immediate)]);
            const UNIFORM16: Case = when(WIDE, 0b010, &[Number(VALUE.and($t, 1), UH), AFTER]);
            const UNIFORM32: Case = when(WIDE, 0b011, &[Number(REGISTER.and($t, 1), U), AFTER]);
            const NONE: Case = otherwise(&[Text("_")]);
            Both {
                own: &[Cases(&[
                    NUMBER,
                    when(KIND, 0b0001, &[Number(VALUE, RH), AFTER]),
                    when(KIND, 0b0010, &[Text("$"), Number(VALUE, RH), AFTER]),
                    when(KIND, 0b0011, &[Text("^"), Number(VALUE, RH), AFTER]),
                    UNIFORM16,
                    UNIFORM32,
                    when(KIND, 0b1001, &[Number(REGISTER, R), AFTER]),
                    when(KIND, 0b1010, &[Text("$"), Number(REGISTER, R), AFTER]),
                    when(KIND, 0b1011, &[Text("^"), Number(REGISTER, R), AFTER]),
                    $(
                        when(KIND, 0b1101, &[Number(REGISTER, $pair), AFTER]),
                        when(KIND, 0b1110, &[Text("$"), Number(REGISTER, $pair), AFTER]),
                        when(KIND, 0b1111, &[Text("^"), Number(REGISTER, $pair), AFTER]),
                    )?
                    NONE,
                ])],
                up: &[Cases(&[
                    NUMBER,
                    when(KIND, 0b0001, &[Number(VALUE, RH), AFTER]),
                    when(KIND, 0b0010, &[Number(VALUE, RH), Text(".cache"), AFTER]),
                    when(KIND, 0b0011, &[Number(VALUE, RH), Text(".discard"), AFTER]),
                    UNIFORM16,
                    UNIFORM32,
                    when(KIND, 0b1001, &[Number(REGISTER, R), AFTER]),
                    when(KIND, 0b1010, &[Number(REGISTER, R), Text(".cache"), AFTER]),
                    when(KIND, 0b1011, &[Number(REGISTER, R), Text(".discard"), AFTER]),
                    $(
                        when(KIND, 0b1101, &[Number(REGISTER, $run), AFTER]),
                        when(KIND, 0b1110, &[Number(REGISTER, $run), Text(".cache"), AFTER]),
                        when(KIND, 0b1111, &[Number(REGISTER, $run), Text(".discard"), AFTER]),
                    )?
                    NONE,
                ])],
            }
        };
    };
}

/// `ALUSrc`: letter, its flags' name, low bit, bit of the upper bits, flags.
macro_rules! alu {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal) => {
        source!($name, $letter, $flags, $low, $x, $t, DECIMAL, &[], []);
    };
}
/// `ALUSrc64`: an `ALUSrc` that may be 64 bits wide.
macro_rules! wide {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal) => {
        source!($name, $letter, $flags, $low, $x, $t, DECIMAL, &[], [DR, RR]);
    };
}
/// `MulSrc`: an `ALUSrc` with sign extension. Its bit is `$s`.
macro_rules! mul {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal, $sign:literal, $s:literal) => {
        source!(
            $name,
            $letter,
            $flags,
            $low,
            $x,
            $t,
            DECIMAL,
            &[Flag(bits($sign, $s, 1), 1, ".sx")],
            []
        );
    };
}
/// `AddSrc`: a `MulSrc` that may be 64 bits wide.
macro_rules! add {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal, $sign:literal, $s:literal) => {
        source!(
            $name,
            $letter,
            $flags,
            $low,
            $x,
            $t,
            DECIMAL,
            &[Flag(bits($sign, $s, 1), 1, ".sx")],
            [DR, RR]
        );
    };
}
/// A value with the absolute value and the negative as modifiers.
macro_rules! modified {
    ($value:expr, $m:literal, $at:literal) => {{
        const ABSOLUTE: Piece = Flag(bits($m, $at, 1), 1, ".abs");
        const NEGATIVE: Piece = Flag(bits($m, $at + 1, 1), 1, ".neg");
        Both {
            own: &[Pieces($value.own), ABSOLUTE, NEGATIVE],
            up: &[Pieces($value.up), ABSOLUTE, NEGATIVE],
        }
    }};
}
/// `FloatSrc`: an `ALUSrc` with floating-point immediates and modifiers. The two bits of the modifiers begin at bit
/// `$at`.
macro_rules! float {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal, $m:literal, $at:literal) => {
        pub(super) const $name: Both = {
            source!(VALUE, $letter, $flags, $low, $x, $t, MINI, &[], []);
            modified!(VALUE, $m, $at)
        };
    };
}
/// A source with fewer kinds of operands. Of a register's flags, 1 is plain, 2 hints to keep it and 3 to discard it;
/// other cases follow, and then the default.
macro_rules! hinted {
    ($kind:expr, $plain:literal, $register:expr, [$($case:expr),*]) => {
        Both {
            own: &[Cases(&[
                when($kind, $plain, &[$register]),
                when($kind, $plain + 1, &[Text("$"), $register]),
                when($kind, $plain + 2, &[Text("^"), $register]),
                $($case,)*
                otherwise(&[Text("_")]),
            ])],
            up: &[Cases(&[
                when($kind, $plain, &[$register]),
                when($kind, $plain + 1, &[$register, Text(".cache")]),
                when($kind, $plain + 2, &[$register, Text(".discard")]),
                $($case,)*
                otherwise(&[Text("_")]),
            ])],
        }
    };
}
/// `FloatSrc16`: three flags, 16-bit registers only.
macro_rules! half {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal, $m:literal, $at:literal) => {
        pub(super) const $name: Both = {
            const VALUE: Field = bits($letter, $low, 6).and($x, 2);
            const HALF: Both = hinted!(
                bits($flags, $t, 3),
                0b001,
                Number(VALUE, RH),
                [
                    when(bits($flags, $t, 3), 0b000, &[Number(VALUE, MINI)]),
                    when(bits($flags, $t + 1, 2), 0b10, &[Number(VALUE.and($t, 1), UH)])
                ]
            );
            modified!(HALF, $m, $at)
        };
    };
}
/// `ALUSrc16`: four flags, 16 bits.
macro_rules! alu16 {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal) => {
        pub(super) const $name: Both = {
            const VALUE: Field = bits($letter, $low, 6).and($x, 2);
            hinted!(
                bits($flags, $t, 4),
                0b0001,
                Number(VALUE, RH),
                [
                    when(bits($flags, $t, 4), 0b0000, &[Number(VALUE, DECIMAL)]),
                    when(bits($flags, $t + 1, 3), 0b010, &[Number(VALUE.and($t, 1), UH)])
                ]
            )
        };
    };
}
/// `PairedFloatSrc`: two consecutive registers of 16 or 32 bits each.
macro_rules! paired {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal, $m:literal, $at:literal) => {
        pub(super) const $name: Both = {
            const VALUE: Field = bits($letter, $low, 6).and($x, 2);
            const REGISTER: Field = bits($letter, $low + 1, 5).and($x, 2);
            const WIDE: Both = hinted!(bits($flags, $t, 4), 0b1001, Number(REGISTER, RR), []);
            const HALVES: Piece = Number(VALUE, run("r", true, 2));
            const KIND: Field = bits($flags, $t, 4);
            const PAIR: Both = Both {
                own: &[Cases(&[
                    when(KIND, 0b0001, &[HALVES]),
                    when(KIND, 0b0010, &[Text("$"), HALVES]),
                    when(KIND, 0b0011, &[Text("^"), HALVES]),
                    otherwise(WIDE.own),
                ])],
                up: &[Cases(&[
                    when(KIND, 0b0001, &[HALVES]),
                    when(KIND, 0b0010, &[HALVES, Text(".cache")]),
                    when(KIND, 0b0011, &[HALVES, Text(".discard")]),
                    otherwise(WIDE.up),
                ])],
            };
            modified!(PAIR, $m, $at)
        };
    };
}
/// `CmpselSrc`: three flags, with the width of the destination. Bit 8 of a uniform's number is the lowest flag,
/// according to the document and Mesa; applegpu's own disassembler omits it.
macro_rules! select {
    ($name:ident, $letter:literal, $flags:literal, $low:literal, $x:literal, $t:literal) => {
        pub(super) const $name: Both = {
            const VALUE: Field = bits($letter, $low, 6).and($x, 2);
            const REGISTER: Field = bits($letter, $low + 1, 5).and($x, 2);
            const WIDE: Field = bits("Dt", 8, 1);
            const SIZED: Piece = Cases(&[
                when(WIDE, 1, &[Number(REGISTER, R)]),
                when(WIDE, 0, &[Number(VALUE, RH)]),
            ]);
            const UNIFORM: Piece = Cases(&[
                when(WIDE, 1, &[Number(REGISTER.and($t, 1), U)]),
                when(WIDE, 0, &[Number(VALUE.and($t, 1), UH)]),
            ]);
            hinted!(
                bits($flags, $t, 3),
                0b001,
                SIZED,
                [
                    when(bits($flags, $t, 3), 0b100, &[Number(VALUE, DECIMAL)]),
                    when(bits($flags, $t + 1, 2), 0b11, &[UNIFORM])
                ]
            )
        };
    };
}

alu!(A42, "A", "At", 16, 42, 22);
alu!(A58, "A", "At", 16, 58, 22);
alu!(A74, "A", "At", 16, 74, 22);
alu!(B40, "B", "Bt", 28, 40, 34);
alu!(B56, "B", "Bt", 28, 56, 34);
alu!(B72, "B", "Bt", 28, 72, 34);
alu!(C54, "C", "Ct", 40, 54, 46);
alu!(SRC, "src", "srct", 28, 40, 34);
alu16!(IB40, "B", "Bt", 28, 40, 34);
wide!(WA42, "A", "At", 16, 42, 22);
wide!(WB40, "B", "Bt", 28, 40, 34);
mul!(MA58, "A", "At", 16, 58, 22, "As", 26);
mul!(MB56, "B", "Bt", 28, 56, 34, "Bs", 38);
add!(AA42, "A", "At", 16, 42, 22, "As", 26);
add!(AB40, "B", "Bt", 28, 40, 34, "Bs", 38);
add!(AC54, "C", "Ct", 40, 54, 46, "Cs", 50);
float!(FA42, "A", "At", 16, 42, 22, "Am", 26);
float!(FA58, "A", "At", 16, 58, 22, "Am", 26);
float!(FA74, "A", "At", 16, 74, 22, "Am", 26);
float!(FB40, "B", "Bt", 28, 40, 34, "Bm", 38);
float!(FB56, "B", "Bt", 28, 56, 34, "Bm", 38);
float!(FB72, "B", "Bt", 28, 72, 34, "Bm", 38);
float!(FC54, "C", "Ct", 40, 54, 46, "Cm", 50);
half!(HA42, "A", "At", 16, 42, 22, "Am", 25);
half!(HA58, "A", "At", 16, 58, 22, "Am", 25);
half!(HB40, "B", "Bt", 28, 40, 34, "Bm", 37);
half!(HB56, "B", "Bt", 28, 56, 34, "Bm", 37);
half!(HC54, "C", "Ct", 40, 54, 46, "Cm", 49);
paired!(PA58, "A", "At", 16, 58, 22, "Am", 52);
paired!(PB56, "B", "Bt", 28, 56, 34, "Bm", 38);
paired!(PC54, "C", "Ct", 40, 54, 46, "Cm", 50);
select!(X70, "X", "Xt", 40, 70, 46);
select!(Y68, "Y", "Yt", 52, 68, 58);

/// A number in both notations.
macro_rules! number {
    ($name:ident, $field:expr) => {
        pub(super) const $name: Both = same(&[Number($field, DECIMAL)]);
    };
}
number!(IMM16, bits("imm16", 16, 16));
number!(IMM32, bits("imm32", 16, 32));
number!(N, bits("n", 11, 2));

/// The result is written to r0l; only applegpu's notation names it.
pub(super) const R0L: Both = Both {
    own: &[],
    up: &[Text("r0l"), Flag(bits("Dt", 7, 1), 1, ".cache")],
};
pub(super) const CACHE: Piece = Flag(bits("Dt", 7, 1), 1, ", cache");

pub(super) const SATURATE: Piece = Flag(bits("S", 6, 1), 1, ", sat");
/// Saturation, which applegpu writes after the mnemonic.
pub(super) const SAT: Piece = Flag(bits("S", 6, 1), 1, ".sat");

/// The mark of a long form whose last bytes are all 0, to distinguish it from the short form. `$bit` is the bit of the
/// length, `$low` the first bit of these bytes and `$width` their size in bits.
macro_rules! long {
    ($name:ident, $bit:literal, $low:literal, $width:literal) => {
        pub(super) const $name: Piece = Cases(&[
            when(bits("L", $bit, 1), 0, &[]),
            when(bits("L", $bit, 1), 1, &[Text(".long")]).with(bits("omitted", $low, $width), 0),
            when(bits("L", $bit, 1), 1, &[]),
        ]);
    };
}
long!(L32, 15, 32, 16);
long!(L48, 15, 48, 16);
long!(L64, 15, 64, 16);
long!(L32W, 15, 32, 32);
long!(L48W, 15, 48, 32);
long!(L64W, 15, 64, 32);
long!(L48S, 47, 48, 16);

/// Either form: applegpu's notation does not distinguish them. The assembler selects the short one if the word fits.
pub(super) const EITHER: Piece = Cases(&[when(bits("L", 15, 1), 0, &[]), when(bits("L", 15, 1), 1, &[])]);
/// Like `EITHER`, with bit 47 for the length.
pub(super) const EITHER_S: Piece = Cases(&[when(bits("L", 47, 1), 0, &[]), when(bits("L", 47, 1), 1, &[])]);
