//! Bits, sums of products of bytes, and multiplication and addition of integers: groups 0x50 to 0x70 and 0x80 to 0xd8.

use super::operands::*;
use crate::set::*;

const S1_FILE: Field = bits("source_1_file", 30, 2).and(49, 1);
const S2_FILE: Field = bits("source_2_file", 28, 2).and(48, 1);

/// 16 bits in three parts, 5 bits of rotation, inversion.
const IMMEDIATE: Field = bits("immediate", 0, 7).and(14, 7).and(36, 8);

macro_rules! bitwise {
    ($width:literal, $($more:expr),*) => {
        &[
            Text(" "),
            plain_scalar!(DESTINATION_7),
            Text(" "),
            scalar!(SOURCE_1_7),
            Text(" "),
            Cases(&[
                when(
                    S2_FILE,
                    6,
                    &[
                        Number(IMMEDIATE, Format::Rotated { width: $width }),
                        unseen!("rotation" 38 .. 42, "inverted" 43),
                    ],
                ),
                otherwise(&[
                    Piece::Register(&SOURCE_2_7),
                    Piece::Channels(&fixed("mask", X, "xyzw")),
                    unseen!("rotation" 38 .. 42, "inverted" 43, "selection" 14 .. 20, "upper" 36 .. 37),
                ]),
            ]),
            BITWISE_REST,
            $($more),*
        ]
    };
}

const BITWISE_REST: Piece = unseen!(
    "skipinv" 55, "nosched" 54, "repeat_sel" 53, "syncstart" 52, "end" 50, "repeat" 44 .. 47,
);

const BITS_32: &[Piece] = bitwise!(32,);
const BITS_16: &[Piece] = bitwise!(16,);
const XOR_32: &[Piece] = bitwise!(32, unseen!("second" 35));
const XOR_16: &[Piece] = bitwise!(16, unseen!("second" 35));

/// Bits 61..59 and, except for XOR, bit 35 select the operation, bit 34 the width.
const fn bits_row(mnemonic: &'static str, operation: u128, second: u128, half: u128, about: &'static str) -> Row {
    let exclusive = operation == 0x58;
    let pieces = match (half, exclusive) {
        (0, false) => BITS_32,
        (0, true) => XOR_32,
        (_, false) => BITS_16,
        (_, true) => XOR_16,
    };
    let decides = if exclusive { 1 << 34 } else { 3 << 34 };
    group(
        mnemonic,
        GROUP | decides,
        operation << 56 | second << 35 | half << 34,
        pieces,
    )
    .lead(EXTENDED)
    .about(about)
    .source("usse_full.json, VBW")
    .notes(&[
        "An immediate is printed with its effective value. The unread bits show its encoding, if this is not the value \
         itself or the smallest rotation of 16 bits; `0x8ce6, rol 4, not` gives the encoding explicitly.",
    ])
}

pub const BITWISE: &[Row] = &[
    bits_row("AND", 0x50, 0, 0, "bitwise and"),
    bits_row("AND16", 0x50, 0, 1, "bitwise and of 16 bits"),
    bits_row("OR", 0x50, 1, 0, "bitwise or"),
    bits_row("OR16", 0x50, 1, 1, "bitwise or of 16 bits"),
    bits_row("XOR", 0x58, 0, 0, "bitwise exclusive or"),
    bits_row("XOR16", 0x58, 0, 1, "bitwise exclusive or of 16 bits"),
    bits_row("SHL", 0x60, 0, 0, "shifts to the left"),
    bits_row("SHL16", 0x60, 0, 1, "shifts 16 bits to the left"),
    bits_row("ROL", 0x60, 1, 0, "rotates to the left"),
    bits_row("ROL16", 0x60, 1, 1, "rotates 16 bits to the left"),
    bits_row("SHR", 0x68, 0, 0, "shifts to the right"),
    bits_row("SHR16", 0x68, 0, 1, "shifts 16 bits to the right"),
    bits_row("ASR", 0x68, 1, 0, "arithmetic shift to the right"),
    bits_row("ASR16", 0x68, 1, 1, "arithmetic shift of 16 bits to the right"),
    group("VBW", GROUP, 0x70 << 56, &[BITWISE_REST])
        .lead(EXTENDED)
        .about("an unknown bitwise operation")
        .source("usse_full.json, VBW"),
];

/// Immediates of the bitwise operations, as stored: `0x8ce6, rol 4, not`.
const STORED_PIECES: &[Piece] = &[
    Text(" "),
    plain_scalar!(DESTINATION_7),
    Text(" "),
    scalar!(SOURCE_1_7),
    Text(" "),
    Number(bits("immediate", 0, 7).and(14, 7).and(36, 2), Format::Hex { scale: 1 }),
    Cases(&[
        when(bits("rotation", 38, 5), 0, &[]),
        otherwise(&[Text(", rol "), Number(bits("rotation", 38, 5), DECIMAL)]),
    ]),
    Flag(bits("inverted", 43, 1), 1, ", not"),
];

const fn stored_row(mnemonic: &'static str, operation: u128, second: u128, half: u128) -> Row {
    let decides = if operation == 0x58 { 1 << 34 } else { 3 << 34 };
    group(
        mnemonic,
        GROUP | decides | S2_FILE.mask(),
        operation << 56 | second << 35 | half << 34 | S2_FILE.put(6),
        STORED_PIECES,
    )
    .lead(EXTENDED)
    .source("usse_full.json, VBW")
}

pub const STORED: &[Row] = &[
    stored_row("AND", 0x50, 0, 0),
    stored_row("AND16", 0x50, 0, 1),
    stored_row("OR", 0x50, 1, 0),
    stored_row("OR16", 0x50, 1, 1),
    stored_row("XOR", 0x58, 0, 0),
    stored_row("XOR16", 0x58, 0, 1),
    stored_row("SHL", 0x60, 0, 0),
    stored_row("SHL16", 0x60, 0, 1),
    stored_row("ROL", 0x60, 1, 0),
    stored_row("ROL16", 0x60, 1, 1),
    stored_row("SHR", 0x68, 0, 0),
    stored_row("SHR16", 0x68, 0, 1),
    stored_row("ASR", 0x68, 1, 0),
    stored_row("ASR16", 0x68, 1, 1),
];

const OPERATIONS: &[Option<&str>] = &[Some(":FADD"), Some(":FSUB"), Some(":FMIN"), Some(":FMAX")];
/// Operands of bytes that the text does not show.
const HIDDEN_OPERANDS: Piece = Unseen(&[
    Piece::Register(&DESTINATION_7),
    Piece::Register(&SOURCE_1_7),
    Piece::Register(&SOURCE_2_7),
]);

const fn product(mnemonic: &'static str, group_byte: u128, pieces: &'static [Piece]) -> Row {
    group(mnemonic, GROUP, group_byte << 56, pieces)
        .lead(SHORT)
        .about("sums of products of bytes, first of the colours, then of the alphas")
}

/// The factor of source 1 of a product, in groups 0x88 and 0x90.
const SELECTED: &[Option<&str>] = &[
    Some("zero"),
    Some("saturated alpha"),
    Some("source 1"),
    Some("alpha of source 1"),
    Some("source 0"),
    Some("alpha of source 0"),
    Some("source 2"),
    Some("alpha of source 2"),
];

pub const PRODUCTS: &[Row] = &[
    product(
        "SOP2",
        0x80,
        &[
            Names(bits("colour_operation", 18, 2), OPERATIONS),
            Text(" SOP2"),
            Names(bits("alpha_operation", 16, 2), OPERATIONS),
            HIDDEN_OPERANDS,
            unseen!(
                "colour_selection_1" 38 .. 40, "colour_selection_2" 35 .. 37, "colour_complement_1" 56, "colour_complement_2" 47,
                "alpha_selection_1" 52 .. 53, "alpha_selection_2" 41 .. 42, "alpha_complement_1" 43, "alpha_complement_2" 34,
                "source_1_complement" 20, "source_1_alpha_complement" 15, "destination_modifier" 14, "skipinv" 55, "nosched" 54,
                "end" 50, "repeat" 44 .. 46,
            ),
        ],
    )
    .source("usse_full.json, SOP2")
    .notes(&[
        "A colour is multiplied by: 0 zero, 1 and 2 the colour of source 1 and 2, 3 and 4 their alpha, 5 saturated alpha, 6 the \
         scale of alpha or zero minus one half; an alpha by: 0 zero, 1 and 2 the alpha of source 1 and 2, 3 the other's scale \
         or zero minus one half. A complement is one minus it.",
    ]),
    product(
        "SOP3",
        0x88,
        &[
            Names(bits("colour_operation", 52, 2), OPERATIONS),
            Text(" SOP3"),
            Names(bits("alpha_operation", 41, 2), OPERATIONS),
            HIDDEN_OPERANDS,
            Unseen(&[
                Piece::Register(&SOURCE_0_7),
                Names(bits("colour_selection_1", 38, 3), SELECTED),
                Names(bits("colour_selection_2", 35, 3), SELECTED),
            ]),
            unseen!(
                "colour_complement_1" 56, "colour_complement_2" 47, "alpha_complement_1" 46, "alpha_selection_1" 44 .. 45,
                "destination_modifier" 43, "skipinv" 55, "nosched" 54, "end" 50,
            ),
        ],
    )
    .source("usse_full.json, SOP3"),
    product(
        "SOP2M",
        0x90,
        &[
            Names(bits("colour_operation", 52, 2), OPERATIONS),
            Text(" SOP2M"),
            Names(bits("alpha_operation", 41, 2), OPERATIONS),
            HIDDEN_OPERANDS,
            Unseen(&[
                Names(bits("selection_1", 38, 3), SELECTED),
                Names(bits("selection_2", 35, 3), SELECTED),
            ]),
            unseen!(
                "complement_1" 56, "complement_2" 47, "mask" 43 .. 46, "skipinv" 55, "nosched" 54, "end" 50,
            ),
        ],
    )
    .source("usse_full.json, SOP2M")
    .notes(&["Bit 0 of the mask is alpha; x, y and z follow. Selections 4 and 5 are unknown."]),
];

/// A source of bytes: its colour, or its alpha for all channels.
macro_rules! bytes {
    ($register:expr, $file:expr, $alpha:expr) => {
        Pieces(&[
            Piece::Register(&$register),
            Piece::Channels(&swizzle(XYZW, $alpha, &[&["xyzw", "wwww"]]).of($file)),
        ])
    };
}

const ALPHA_1: Field = bits("source_1_alpha", 37, 1);
const COLOUR: Field = bits("added_colour", 52, 2);

const BYTE_MAD: &[Piece] = &[
    Text(" "),
    Piece::Register(&DESTINATION_7),
    Piece::Channels(&fixed("mask", XYZW, "xyzw")),
    Text(" "),
    bytes!(SOURCE_1_7, S1_FILE, ALPHA_1),
    Text(" "),
    bytes!(SOURCE_2_7, S2_FILE, bits("source_2_alpha", 36, 1)),
    Text(" "),
    Flag(bits("negative", 35, 1), 1, "-"),
    Text("("),
    Silent(&[
        when(
            COLOUR,
            0,
            &[
                Piece::Register(&SOURCE_0_7),
                Piece::Channels(&fixed("mask", XYZ, "xyz")),
            ],
        ),
        when(
            COLOUR,
            1,
            &[
                Piece::Register(&SOURCE_1_7),
                Cases(&[
                    case(S1_FILE.mask(), S1_FILE.put(6), &[]),
                    when(ALPHA_1, 1, &[Piece::Channels(&fixed("mask", XYZ, "www"))]),
                    otherwise(&[Piece::Channels(&fixed("mask", XYZ, "xyz"))]),
                ]),
            ],
        ),
        when(
            COLOUR,
            2,
            &[
                Piece::Register(&SOURCE_0_7),
                Piece::Channels(&fixed("mask", XYZ, "www")),
            ],
        ),
        otherwise(&[
            Piece::Register(&SOURCE_1_7),
            Piece::Channels(&fixed("mask", XYZ, "www").of(S1_FILE)),
        ]),
    ]),
    Text(", "),
    Silent(&[
        when(
            bits("added_alpha", 41, 1),
            0,
            &[
                Piece::Register(&SOURCE_0_7),
                Piece::Channels(&fixed("mask", FOURTH, "wwww")),
            ],
        ),
        otherwise(&[
            Piece::Register(&SOURCE_1_7),
            Piece::Channels(&fixed("mask", FOURTH, "wwww").of(S1_FILE)),
        ]),
    ]),
    Text(")"),
    unseen!(
        "added_colour" 52 .. 53, "added_alpha" 41, "colour_complement_1" 56, "colour_complement_2" 47, "colour_complement_0" 42,
        "alpha_complement_2" 40, "alpha_complement_1" 39, "alpha_complement_0" 38, "saturated" 43, "skipinv" 55, "nosched" 54,
        "end" 50, "repeat" 44 .. 46,
    ),
];

/// A source of 16 bits or, in formats other than 0, one of its bytes.
macro_rules! halves {
    ($register:expr, $file:expr, $format:expr, $upper:expr) => {
        Pieces(&[
            Piece::Register(&$register),
            Cases(&[
                when($format, 0, &[Piece::Channels(&fixed("mask", X, "xyzw").of($file))]),
                otherwise(&[
                    Cases(&[
                        case($file.mask(), $file.put(6), &[]),
                        when($upper, 1, &[Piece::Channels(&fixed("mask", SECOND, "xyzw"))]),
                        otherwise(&[Piece::Channels(&fixed("mask", X, "xyzw"))]),
                    ]),
                    Text("-8bits"),
                ]),
            ]),
            Unseen(&[Number($format, DECIMAL), Number($upper, DECIMAL)]),
        ])
    };
}

const WORD_MAD: &[Piece] = &[
    Text(" "),
    plain_scalar!(DESTINATION_7),
    Text(" "),
    plain_scalar!(SOURCE_0_7),
    Text(" "),
    halves!(
        SOURCE_1_7,
        S1_FILE,
        bits("source_1_format", 38, 2),
        bits("source_1_upper", 52, 1)
    ),
    Text(" "),
    halves!(
        SOURCE_2_7,
        S2_FILE,
        bits("source_2_format", 40, 2),
        bits("source_2_upper", 37, 1)
    ),
    Unseen(&[Names(
        bits("mode", 42, 2),
        &[Some("u16"), Some("u16, saturated"), Some("s16"), Some("s16, saturated")],
    )]),
    unseen!("absolute" 56, "source_2_negative" 53, "or_shift" 35 .. 36, "skipinv" 55, "nosched" 54, "end" 50, "repeat" 44 .. 46),
];

const DOUBLE_WORD_MAD: &[Piece] = &[
    Text(" "),
    plain_scalar!(DESTINATION_7),
    Text(" "),
    plain_scalar!(SOURCE_0_7),
    Text(" "),
    scalar!(SOURCE_1_7),
    Text(" "),
    scalar!(SOURCE_2_7),
    unseen!(
        "signed" 43, "saturated" 42, "source_0_high" 56, "source_1_high" 53, "source_2_high" 52, "source_2_type" 38 .. 39,
        "nosched" 54, "end" 50, "repeat" 44 .. 46,
    ),
];

const DOUBLE_WORD_MAD_2: &[Piece] = &[
    Text(" "),
    plain_scalar!(DESTINATION_7),
    Text(" "),
    plain_scalar!(source_0(
        bits("source_0", 14, 7),
        bits("source_0_file", 34, 1).and(47, 1),
        1
    )),
    Text(" "),
    Flag(bits("source_1_negative", 40, 1), 1, "-"),
    scalar!(SOURCE_1_7),
    Text(" "),
    Flag(bits("source_2_negative", 39, 1), 1, "-"),
    scalar!(SOURCE_2_7),
    Text(" [sn="),
    Number(bits("sn", 52, 2), DECIMAL),
    Text("]"),
    unseen!("signed" 41, "nosched" 54, "end" 50, "repeat" 44 .. 46),
];

/// Bits that are fixed in groups 0xa8 and 0xd0; words of these groups with one of them set are unknown.
const DOUBLE_WORD_FIXED: u128 = 0x0000_8338_0000_0000;
const DOUBLE_WORD_2_FIXED: u128 = 0x0000_0c78_0000_0000;

pub const MADS: &[Row] = &[
    group("IMA8", GROUP, 0x98 << 56, BYTE_MAD)
        .lead(SHORT)
        .about("multiplies and adds bytes; the sum's colour and alpha follow in brackets")
        .source("usse_full.json, I8MAD"),
    group("IMAD16", GROUP, 0xa0 << 56, WORD_MAD)
        .lead(SHORT)
        .about("multiplies and adds 16 bits")
        .source("usse_full.json, I16MAD")
        .usual(1 << 38 | 1 << 40),
    group("IMAD2", GROUP | DOUBLE_WORD_FIXED, 0xa8 << 56, DOUBLE_WORD_MAD)
        .lead(SHORT)
        .about("multiplies and adds 32 bits")
        .source("usse_full.json, I32MAD")
        .rank(1),
    group("IMAD", GROUP | DOUBLE_WORD_2_FIXED, 0xd0 << 56, DOUBLE_WORD_MAD_2)
        .lead(EXTENDED)
        .about("multiplies and adds 32 bits")
        .source("usse_full.json, I32MAD2")
        .rank(1),
];

/// A group, or words of a group, with an unknown layout.
const fn unknown(mnemonic: &'static str, source: &'static str, group_byte: u128, about: &'static str) -> Row {
    group(mnemonic, GROUP, group_byte << 56, &[])
        .about(about)
        .source(source)
        .notes(&["The layout of these words is unknown."])
}

pub const UNKNOWN: &[Row] = &[
    unknown(
        "I8MAD2",
        "usse_full.json, I8MAD2",
        0xc8,
        "multiplies and adds bytes, in an unknown layout",
    ),
    unknown("ILLEGAL22", "usse_full.json, ILLEGAL22", 0xb0, "not an instruction"),
    unknown("ILLEGAL23", "usse_full.json, ILLEGAL23", 0xb8, "not an instruction"),
    unknown("ILLEGAL24", "usse_full.json, ILLEGAL24", 0xc0, "not an instruction"),
    unknown("ILLEGAL27", "usse_full.json, ILLEGAL27", 0xd8, "not an instruction"),
    unknown(
        "I32MAD",
        "usse_full.json, I32MAD",
        0xa8,
        "a word of the group with a wrong value of a fixed bit",
    ),
    unknown(
        "I32MAD2",
        "usse_full.json, I32MAD2",
        0xd0,
        "a word of the group with a wrong value of a fixed bit",
    ),
];
