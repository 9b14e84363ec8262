//! Operands of the instructions that use memory: registers by a mask of components, addresses, formats.

use super::operands::*;
use crate::set::*;

/// One register for each component in the mask: the low six bits at `$low`, two more at `$x`, the bit for 32 instead of
/// 16 bits at `$t`. applegpu's notation also omits the comma of an absent operand. `own` is first, with a comma after
/// it; `up` is later in the text.
macro_rules! registers {
    ($name:ident, $low:literal, $x:literal, $t:literal, $mask:literal) => {
        pub(super) const $name: Both = {
            const MASK: Field = bits("mask", $mask, 4);
            const SIZE: Field = bits("Rt", $t, 1);
            const WIDE: Piece = Number(bits("R", $low + 1, 5).and($x, 2), by_mask(false, &MASK));
            const HALVES: Piece = Number(bits("R", $low, 6).and($x, 2), by_mask(true, &MASK));
            Both {
                own: &[Cases(&[
                    when(MASK, 0, &[]),
                    when(SIZE, 1, &[WIDE, C]),
                    when(SIZE, 0, &[HALVES, C]),
                ])],
                up: &[Cases(&[
                    when(MASK, 0, &[]),
                    when(SIZE, 1, &[C, WIDE]),
                    when(SIZE, 0, &[C, HALVES]),
                ])],
            }
        };
    };
}

const fn by_mask(halves: bool, mask: &'static Field) -> Format {
    Format::Run {
        prefix: "r",
        halves,
        scale: 1,
        count: Count::Ones(mask),
    }
}

registers!(R10, 10, 40, 49, 52);
registers!(R9_36, 9, 60, 8, 36);
registers!(R9_48, 9, 72, 8, 48);

/// A 16-bit register or an immediate of eight bits; the bit at `$t` is 1 for an immediate.
macro_rules! half_or_number {
    ($name:ident, $letter:literal, $low:literal, $x:literal, $t:literal) => {
        pub(super) const $name: Both = same(&[Cases(&[
            when(
                bits(concat!($letter, "t"), $t, 1),
                1,
                &[Number(bits($letter, $low, 6).and($x, 2), DECIMAL)],
            ),
            when(
                bits(concat!($letter, "t"), $t, 1),
                0,
                &[Number(bits($letter, $low, 6).and($x, 2), RH)],
            ),
        ])]);
    };
}
half_or_number!(I26, "I", 16, 26, 23);
half_or_number!(M26, "M", 16, 26, 23);
half_or_number!(S24, "S", 9, 24, 8);
half_or_number!(D60_31, "D", 24, 60, 31);

/// The names of formats in memory, each with a text before it.
macro_rules! formats {
    ($name:ident, $before:literal, $nine:expr, $eleven:expr) => {
        const $name: &[Option<&str>] = &[
            Some(concat!($before, "i8")),
            Some(concat!($before, "i16")),
            Some(concat!($before, "i32")),
            Some(concat!($before, "f16")),
            Some(concat!($before, "u8norm")),
            Some(concat!($before, "s8norm")),
            Some(concat!($before, "u16norm")),
            Some(concat!($before, "s16norm")),
            Some(concat!($before, "rgb10a2")),
            $nine,
            Some(concat!($before, "srgba8")),
            $eleven,
            Some(concat!($before, "rg11b10f")),
            Some(concat!($before, "rgb9e5")),
            Some(concat!($before, "rg11b10f.rtz")),
            Some(concat!($before, "rgb9e5.rtz")),
        ];
    };
}
formats!(FORMATS, ", ", None, None);
formats!(FORMATS_UP, "", Some("9"), Some("11"));
/// The formats of uniform_store, whose field has two bits.
const FEW: &[Option<&str>] = FORMATS.split_at(4).0;
const FEW_UP: &[Option<&str>] = FORMATS_UP.split_at(4).0;

/// A format: a piece at the end in this table's notation, an operand in applegpu's.
const fn format(own: &'static [Piece], up: &'static [Piece]) -> Both {
    Both { own, up }
}
macro_rules! format {
    ($name:ident, $field:expr) => {
        pub(super) const $name: Both = format(&[Names($field, FORMATS)], &[Names($field, FORMATS_UP)]);
    };
}
format!(F7, bits("F", 7, 3).and(48, 1));
format!(F8, bits("F", 8, 2).and(50, 2));
format!(F24, bits("F", 24, 4));
format!(F64, bits("F", 8, 1).and(64, 3));
pub(super) const F2: Both = format(&[Names(bits("F", 7, 2), FEW)], &[Names(bits("F", 7, 2), FEW_UP)]);

const COMPONENTS: &[Option<&str>] = &[
    Some(""),
    Some(", x"),
    Some(", y"),
    Some(", xy"),
    Some(", z"),
    Some(", xz"),
    Some(", yz"),
    Some(", xyz"),
    Some(", w"),
    Some(", xw"),
    Some(", yw"),
    Some(", xyw"),
    Some(", zw"),
    Some(", xzw"),
    Some(", yzw"),
    Some(", xyzw"),
];
/// The components, after a comma if there are any.
pub(super) const fn components(low: u8) -> Piece {
    Names(bits("mask", low, 4), COMPONENTS)
}

/// The group of loads, one of two, that `wait` waits for: a letter at the end here, a number in applegpu's notation.
pub(super) const fn group(bit: u8) -> Piece {
    Names(bits("g", bit, 1), &[Some(", a"), Some(", b")])
}

/// The coherency of caches.
pub(super) const COHERENCY: Piece = Names(
    bits("coherency", 44, 2),
    &[Some(""), Some(", coherent1"), Some(", coherent2"), Some(", coherent")],
);

/// The address's base: a pair of registers or of uniforms.
pub(super) const BASE: Both = {
    const VALUE: Field = bits("A", 17, 3).and(36, 4);
    const KIND: Field = bits("At", 27, 1);
    Both {
        own: &[Cases(&[
            when(KIND, 1, &[Number(VALUE, DU)]),
            when(KIND, 0, &[Number(VALUE, DR)]),
        ])],
        up: &[Cases(&[
            when(KIND, 1, &[Number(VALUE, UU)]),
            when(KIND, 0, &[Number(VALUE, RR)]),
        ])],
    }
};

const INDEX: Field = bits("O", 20, 4).and(32, 4).and(56, 8);
const INDEX_REGISTER: Field = bits("O", 21, 3).and(32, 4);
const IS_NUMBER: Field = bits("Ot", 24, 1);
const UNSIGNED: Field = bits("Ou", 25, 1);

/// The address's index: a number or a register, extended with zeros or with its sign.
pub(super) const EXTENDED_INDEX: Both = Both {
    own: &[Cases(&[
        when(IS_NUMBER, 1, &[Number(INDEX, DECIMAL), Text(".zx")]).with(UNSIGNED, 1),
        when(IS_NUMBER, 1, &[Number(INDEX, SIGNED)]).with(UNSIGNED, 0),
        when(IS_NUMBER, 0, &[Number(INDEX_REGISTER, R), Flag(UNSIGNED, 0, ".sx")]),
    ])],
    up: &[
        Cases(&[
            when(IS_NUMBER, 1, &[Number(INDEX, SIGNED)]),
            when(IS_NUMBER, 0, &[Number(INDEX_REGISTER, R)]),
        ]),
        Names(UNSIGNED, &[Some(", signed"), Some(", unsigned")]),
    ],
};
/// An index without a bit for its extension.
pub(super) const PLAIN_INDEX: Both = same(&[Cases(&[
    when(IS_NUMBER, 1, &[Number(INDEX, SIGNED)]),
    when(IS_NUMBER, 0, &[Number(INDEX_REGISTER, R)]),
])]);

/// The index of a load from the stack: a plain index, with a suffix for the extension bit.
pub(super) const STACK_INDEX: Piece = Pieces(&[Pieces(PLAIN_INDEX.own), Flag(UNSIGNED, 1, ".zx"), INDEX_SHIFT]);

/// The left shift of the index, in bits; 3 acts as 2.
pub(super) const INDEX_SHIFT: Piece = Names(
    bits("s", 42, 2),
    &[Some(""), Some(", lsl 1"), Some(", lsl 2"), Some(", lsl 3")],
);

/// A base in the memory of the threadgroup: a half register or uniform, or none, which applegpu writes as 0. In this
/// notation its comma follows it.
pub(super) const LOCAL_BASE: Both = {
    const KIND: Field = bits("At", 22, 2);
    const UNIFORM: Field = bits("At", 22, 1);
    const VALUE: Field = bits("A", 16, 6).and(58, 2);
    Both {
        own: &[Cases(&[
            when(KIND, 0b00, &[Number(VALUE, RH), C]),
            when(KIND, 0b10, &[]),
            when(UNIFORM, 1, &[Number(VALUE.and(23, 1), UH), C]),
        ])],
        up: &[Cases(&[
            when(KIND, 0b00, &[Number(VALUE, RH)]),
            when(KIND, 0b10, &[Text("0")]),
            when(UNIFORM, 1, &[Number(VALUE.and(23, 1), UH)]),
        ])],
    }
};
/// An index in the memory of the threadgroup.
pub(super) const LOCAL_INDEX: Both = same(&[Cases(&[
    when(bits("Ot", 34, 1), 1, &[Number(bits("O", 28, 6).and(48, 10), SIGNED)]),
    when(bits("Ot", 34, 1), 0, &[Number(bits("O", 28, 6).and(48, 2), RH)]),
])]);

/// A signed immediate of 16 bits.
pub(super) const V16: Both = same(&[Number(bits("v", 20, 4).and(32, 4).and(56, 8), SIGNED)]);

/// The name of an atomic operation.
macro_rules! operation {
    ($name:ident, $field:expr) => {
        pub(super) const $name: Both = Both {
            own: &[Names(
                $field,
                &[
                    Some(", add"),
                    Some(", sub"),
                    Some(", xchg"),
                    Some(", cmpxchg"),
                    Some(", umin"),
                    Some(", imin"),
                    Some(", umax"),
                    Some(", imax"),
                    Some(", and"),
                    Some(", or"),
                    Some(", xor"),
                ],
            )],
            up: &[Number(
                $field,
                Format::Listed {
                    names: &[
                        (0, "add"),
                        (1, "sub"),
                        (2, "xchg"),
                        (3, "cmpxchg"),
                        (4, "umin"),
                        (5, "imin"),
                        (6, "umax"),
                        (7, "imax"),
                        (8, "and"),
                        (9, "or"),
                        (10, "xor"),
                    ],
                    prefix: "",
                },
            )],
        };
    };
}
operation!(OPERATION, bits("op", 6, 4));
operation!(LOCAL_OPERATION, bits("op", 24, 4));

/// The operand of an atomic operation, two registers for a comparison.
macro_rules! operand {
    ($name:ident, $op:expr, $low:literal) => {
        pub(super) const $name: Both = same(&[Cases(&[
            when($op, 3, &[Number(bits("S", $low + 1, 7), RR)]),
            otherwise(&[Number(bits("S", $low + 1, 7), R)]),
        ])]);
    };
}
operand!(OPERAND, bits("op", 6, 4), 48);
operand!(LOCAL_OPERAND, bits("op", 24, 4), 64);

/// The result of an atomic operation, or none.
pub(super) const RESULT: Both = {
    const THERE: Field = bits("Rt", 47, 1);
    const REGISTER: Case = when(THERE, 1, &[Number(bits("R", 11, 5).and(40, 2), R)]);
    Both {
        own: &[Cases(&[when(THERE, 0, &[Text("_")]), REGISTER])],
        up: &[Cases(&[when(THERE, 0, &[Text("None")]), REGISTER])],
    }
};
pub(super) const LOCAL_RESULT: Both = {
    const THERE: Field = bits("Ra", 38, 1);
    const SIZE: Field = bits("Rt", 8, 1);
    const WIDE: Case = when(SIZE, 1, &[Number(bits("R", 10, 5).and(60, 2), R)]).with(THERE, 1);
    const HALF: Case = when(SIZE, 0, &[Number(bits("R", 9, 6).and(60, 2), RH)]).with(THERE, 1);
    Both {
        own: &[Cases(&[when(THERE, 0, &[Text("_")]), WIDE, HALF])],
        up: &[Cases(&[when(THERE, 0, &[Text("None")]), WIDE, HALF])],
    }
};

/// Fields without a known meaning, which applegpu prints as numbers.
macro_rules! unknown {
    ($($name:ident: $field:expr;)*) => {
        $(pub(super) const $name: Both = same(&[Number($field, DECIMAL)]);)*
    };
}
pub(super) use unknown;
