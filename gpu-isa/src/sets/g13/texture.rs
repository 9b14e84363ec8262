//! Textures and images.

use super::operands::*;
use super::places::*;
use crate::set::*;

const SOURCE: &str = "applegpu.py, Memory and Stack Instructions; Mesa, AGX2.xml";

/// The number of coordinates of a texture, with its names in each notation.
macro_rules! dimensions {
    ($name:ident, $field:expr) => {
        const $name: Both = Both {
            own: &[Names(
                $field,
                &[
                    Some(", 1d"),
                    Some(", 1d_array"),
                    Some(", 2d"),
                    Some(", 2d_array"),
                    Some(", 2d_ms"),
                    Some(", 3d"),
                    Some(", cube"),
                    Some(", cube_array"),
                    Some(", 2d_ms_array"),
                ],
            )],
            up: &[Number(
                $field,
                Format::Listed {
                    names: &[
                        (0, "tex_1d"),
                        (1, "tex_1d_array"),
                        (2, "tex_2d"),
                        (3, "tex_2d_array"),
                        (4, "tex_2d_ms"),
                        (5, "tex_3d"),
                        (6, "tex_cube"),
                        (7, "tex_cube_array"),
                        (8, "tex_2d_ms_array"),
                    ],
                    prefix: "",
                },
            )],
        };
    };
}
/// The number of dimensions, in texture instructions and in image stores.
const TEXTURE_N: Field = bits("n", 40, 3).and(71, 1);
const IMAGE_N: Field = bits("n", 40, 3).and(55, 1);
dimensions!(TEXTURE_DIMENSIONS, TEXTURE_N);
dimensions!(IMAGE_DIMENSIONS, IMAGE_N);

/// The coordinates: registers of 32 or 16 bits. With a layer or sample next to 32-bit coordinates, all are counted in
/// 16-bit registers. `Cs` is set if all have 16 bits, `Ct` if they are discarded.
macro_rules! coordinates {
    ($name:ident, $n:expr, $x:literal) => {
        const $name: Both = {
            const NARROW: Field = bits("Cs", 47, 1);
            const DISCARD: Field = bits("Ct", 22, 1);
            const WIDE: Field = bits("C", 17, 5).and($x, 2);
            const HALF: Field = bits("C", 16, 6).and($x, 2);
            const VALUE: Piece = Cases(&[
                when($n, 0, &[Number(HALF, run("r", true, 1))]).with(NARROW, 1),
                when($n, 1, &[Number(HALF, run("r", true, 2))]).with(NARROW, 1),
                when($n, 2, &[Number(HALF, run("r", true, 2))]).with(NARROW, 1),
                when($n, 3, &[Number(HALF, run("r", true, 3))]).with(NARROW, 1),
                when($n, 4, &[Number(HALF, run("r", true, 3))]).with(NARROW, 1),
                when($n, 5, &[Number(HALF, run("r", true, 3))]).with(NARROW, 1),
                when($n, 6, &[Number(HALF, run("r", true, 3))]).with(NARROW, 1),
                when($n, 7, &[Number(HALF, run("r", true, 4))]).with(NARROW, 1),
                when($n, 8, &[Number(HALF, run("r", true, 4))]).with(NARROW, 1),
                when($n, 0, &[Number(WIDE, run("r", false, 1))]).with(NARROW, 0),
                when($n, 1, &[Number(HALF, run("r", true, 3))]).with(NARROW, 0),
                when($n, 2, &[Number(WIDE, run("r", false, 2))]).with(NARROW, 0),
                when($n, 3, &[Number(HALF, run("r", true, 5))]).with(NARROW, 0),
                when($n, 4, &[Number(HALF, run("r", true, 5))]).with(NARROW, 0),
                when($n, 5, &[Number(WIDE, run("r", false, 3))]).with(NARROW, 0),
                when($n, 6, &[Number(WIDE, run("r", false, 3))]).with(NARROW, 0),
                when($n, 7, &[Number(HALF, run("r", true, 7))]).with(NARROW, 0),
                when($n, 8, &[Number(HALF, run("r", true, 5))]).with(NARROW, 0),
                otherwise(&[Text("_")]),
            ]);
            Both {
                own: &[Flag(DISCARD, 1, "^"), VALUE],
                up: &[VALUE, Flag(DISCARD, 1, ".discard")],
            }
        };
    };
}
coordinates!(TEXTURE_COORDINATES, TEXTURE_N, 74);
coordinates!(IMAGE_COORDINATES, IMAGE_N, 58);

/// The texture: a state register, or an index in a 32-bit or 16-bit register that is added to a heap's base. `$heap` is
/// the text of a 16-bit register with a heap, which must differ from one without a heap.
macro_rules! texture {
    ($name:ident, $x:literal, [$($heap:expr)?]) => {
        const $name: Both = {
            const KIND: Field = bits("Tt", 38, 2);
            const VALUE: Field = bits("T", 32, 6).and($x, 2);
            same(&[Cases(&[
                when(KIND, 0b00, &[Number(VALUE, numbered("ts"))]),
                when(KIND, 0b01, &[Number(VALUE, RH)]),
                when(KIND, 0b10, &[Text("0")]).with(VALUE, 0),
                $(when(KIND, 0b10, &[Number(VALUE, $heap)]),)?
                when(KIND, 0b11, &[Number(bits("T", 33, 5).and($x, 2), R)]),
                otherwise(&[Text("_")]),
            ])])
        };
    };
}
texture!(TEXTURE, 78, [RH]);
texture!(IMAGE, 62, [RH]);
texture!(BLOCK_IMAGE, 62, []);

/// The heap, a pair of uniforms, if the texture has one. In this notation its comma follows it.
macro_rules! heap {
    ($name:ident, $low:literal) => {
        const $name: Both = {
            const THERE: Field = bits("Tt", 39, 1);
            const VALUE: Field = bits("U", $low, 5);
            const OWN: Format = Format::Register {
                prefix: "du",
                scale: 2,
                top: None,
            };
            const PAIR: Format = Format::Run {
                prefix: "u",
                halves: false,
                scale: 2,
                count: Count::Fixed(2),
            };
            Both {
                own: &[Cases(&[
                    when(THERE, 0, &[]),
                    when(THERE, 1, &[Number(VALUE, OWN), C]),
                ])],
                up: &[Cases(&[
                    when(THERE, 0, &[Text("None")]),
                    when(THERE, 1, &[Number(VALUE, PAIR)]),
                ])],
            }
        };
    };
}
heap!(TEXTURE_HEAP, 64);
heap!(IMAGE_HEAP, 48);

const SAMPLER: Both = {
    const KIND: Field = bits("St", 62, 1);
    const VALUE: Field = bits("S", 56, 6).and(92, 2);
    same(&[Cases(&[
        when(KIND, 0, &[Number(VALUE, numbered("ss"))]),
        when(KIND, 1, &[Number(VALUE, RH)]),
    ])])
};

const LOD: Field = bits("lod", 52, 4);
/// The source of the level of detail.
const LOD_NAME: Piece = Names(
    LOD,
    &[
        Some(", auto_lod"),
        Some(", auto_lod_bias"),
        Some(", lod_min"),
        None,
        Some(", lod_grad"),
        Some(", auto_lod_bias"),
        Some(", lod_min"),
        None,
        None,
        Some(", auto_lod_bias_min"),
        None,
        None,
        Some(", lod_grad_min"),
        Some(", auto_lod_bias_min"),
    ],
);
const LOD_NAME_UP: Piece = Names(
    LOD,
    &[
        Some("auto_lod"),
        Some("auto_lod_bias"),
        Some("lod_min"),
        Some("3"),
        Some("lod_grad"),
        Some("auto_lod_bias"),
        Some("lod_min"),
        Some("7"),
        Some("8"),
        Some("9"),
        Some("10"),
        Some("11"),
        Some("lod_grad_min"),
        Some("13"),
        Some("14"),
        Some("15"),
    ],
);

/// The level of detail: none, a number in a half uniform or register, two of them, or gradients. Gradients are two
/// numbers for each coordinate, and one more with a minimum.
const LEVEL: Piece = {
    const HALF: Field = bits("D", 24, 6).and(76, 2);
    const WIDE: Field = bits("D", 25, 5).and(76, 2);
    /// Gradients with or without a minimum, by the number of dimensions.
    macro_rules! gradients {
        ($lod:literal, $one:literal, $two:literal, $three:literal) => {
            Cases(&[
                when(TEXTURE_N, 0, &[Number(WIDE, run("r", false, $one))]),
                when(TEXTURE_N, 1, &[Number(WIDE, run("r", false, $one))]),
                when(TEXTURE_N, 2, &[Number(WIDE, run("r", false, $two))]),
                when(TEXTURE_N, 3, &[Number(WIDE, run("r", false, $two))]),
                when(TEXTURE_N, 4, &[Number(WIDE, run("r", false, $two))]),
                when(TEXTURE_N, 5, &[Number(WIDE, run("r", false, $three))]),
                when(TEXTURE_N, 6, &[Number(WIDE, run("r", false, $three))]),
                when(TEXTURE_N, 7, &[Number(WIDE, run("r", false, $three))]),
                when(TEXTURE_N, 8, &[Number(WIDE, run("r", false, $two))]),
                otherwise(&[Text("_")]),
            ])
        };
    }
    Cases(&[
        when(LOD, 0, &[Text("0")]),
        when(LOD, 1, &[Number(HALF, UH)]),
        when(LOD, 2, &[Number(HALF, UH)]),
        when(LOD, 5, &[Number(HALF, RH)]),
        when(LOD, 6, &[Number(HALF, RH)]),
        when(LOD, 4, &[gradients!(4, 2, 4, 6)]),
        when(LOD, 12, &[gradients!(12, 3, 5, 7)]),
        when(LOD, 9, &[Number(HALF, run("u", true, 2))]),
        when(LOD, 13, &[Number(HALF, run("r", true, 2))]),
        otherwise(&[Text("_")]),
    ])
};

const COMPARE: Field = bits("compare", 23, 1);
const OFFSET: Field = bits("Ot", 91, 1);
/// The reference value of a shadow comparison, in a register, and the texel offset, in a 16-bit register, after a
/// comma.
const REFERENCE: Piece = {
    const WIDE: Field = bits("O", 81, 5).and(94, 2);
    const HALF: Field = bits("O", 80, 6).and(94, 2);
    Cases(&[
        when(COMPARE, 0, &[]).with(OFFSET, 0),
        when(COMPARE, 1, &[C, Number(WIDE, R)]).with(OFFSET, 0),
        when(COMPARE, 0, &[C, Number(HALF, RH)]).with(OFFSET, 1),
        when(
            COMPARE,
            1,
            &[
                C,
                Number(WIDE, R),
                Text("_"),
                Number(WIDE, Format::Next { prefix: "r", add: 1 }),
                Text("l"),
            ],
        )
        .with(OFFSET, 1),
    ])
};

const GATHER: Field = bits("q6", 86, 5);
const GATHER_NAME: Piece = Names(
    GATHER,
    &[
        Some(""),
        Some(", compare"),
        Some(", gather_r"),
        Some(", gather_depth"),
        None,
        None,
        Some(", gather_g"),
        None,
        None,
        None,
        Some(", gather_b"),
        None,
        None,
        None,
        Some(", gather_a"),
    ],
);
const GATHER_UP: Piece = Number(
    GATHER,
    Format::Listed {
        names: &[
            (0, "none"),
            (1, "compare"),
            (2, "gather_r"),
            (3, "gather_depth"),
            (6, "gather_g"),
            (10, "gather_b"),
            (14, "gather_a"),
        ],
        prefix: "",
    },
);

const MODE: Field = bits("mode", 30, 2);
const MASK: Field = bits("mask", 48, 4);

const SAMPLE: &[Piece] = &[
    L64W,
    SP,
    Pieces(R9_48.own),
    Pieces(TEXTURE_HEAP.own),
    Pieces(TEXTURE.own),
    C,
    Pieces(SAMPLER.own),
    C,
    Pieces(TEXTURE_COORDINATES.own),
    C,
    LEVEL,
    REFERENCE,
    Flag(COMPARE, 1, ", shadow"),
    Names(MODE, &[Some(""), None, Some(", query_lod")]),
    Flag(bits("rw", 43, 1), 1, ", rw"),
    Flag(bits("coherent", 44, 1), 1, ", coherent"),
    Flag(bits("sparse", 70, 1), 1, ", sparse"),
    Flag(bits("kill", 69, 1), 1, ", kill"),
    Pieces(TEXTURE_DIMENSIONS.own),
    components(48),
    LOD_NAME,
    GATHER_NAME,
    Names(bits("slot", 63, 1), &[Some(", a"), Some(", b")]),
];
const SAMPLE_UP: &[Piece] = &[
    EITHER,
    SP,
    Number(COMPARE, DECIMAL),
    Names(MODE, &[Some(""), Some(", 1"), Some(", query_lod"), Some(", 3")]),
    C,
    Number(bits("q3", 43, 4), Format::Binary),
    C,
    Number(bits("slot", 63, 1), Format::Binary),
    C,
    GATHER_UP,
    // An empty mask is printed as 0, unlike in loads.
    Cases(&[when(MASK, 0, &[Text(", 0")]), otherwise(&[components(48)])]),
    C,
    Number(bits("kill", 69, 2), Format::Binary),
    Pieces(R9_48.up),
    C,
    Pieces(TEXTURE_HEAP.up),
    C,
    Pieces(TEXTURE.up),
    C,
    Pieces(SAMPLER.up),
    C,
    Pieces(TEXTURE_DIMENSIONS.up),
    C,
    Pieces(TEXTURE_COORDINATES.up),
    C,
    LOD_NAME_UP,
    C,
    LEVEL,
    REFERENCE,
];

/// An instruction that reads a texture.
macro_rules! sample {
    ($mnemonic:literal, $value:literal, $about:literal) => {
        row($mnemonic, 0xff, $value, 12, SAMPLE)
            .short(15, 8)
            .usual(0x6000_0000_0000)
            .also(&[alias($mnemonic, SAMPLE_UP)])
            .about($about)
            .source(SOURCE)
            .notes(&["A sparse access has an additional register, which the text does not show."])
    };
}

/// Four registers with the data of a texel.
const TEXEL: Both = {
    const SIZE: Field = bits("Rt", 8, 1);
    same(&[Cases(&[
        when(SIZE, 1, &[Number(bits("R", 10, 5).and(56, 2), run("r", false, 4))]),
        when(SIZE, 0, &[Number(bits("R", 9, 6).and(56, 2), run("r", true, 4))]),
    ])])
};
const BLOCK_REGISTER: Both = same(&[Number(bits("R", 9, 6).and(56, 2), RH)]);
const ROUND: Both = Both {
    own: &[Flag(bits("round", 53, 1), 1, ", rtz")],
    up: &[Names(bits("round", 53, 1), &[Some("rte"), Some("rtz")])],
};

/// The mark of a long form, like `L48W`, except that bit 67 is usually set and never shown.
const LONG_BLOCK: Piece = {
    const LONG: Field = bits("L", 15, 1);
    Cases(&[
        when(LONG, 0, &[]),
        when(LONG, 1, &[Text(".long")]).with(bits("omitted", 48, 19).and(68, 12), 0),
        when(LONG, 1, &[]),
    ])
};
const BLOCK_USUAL: u128 = 0x8_0000_4800_0000_0000;

unknown! {
    U1: bits("u1", 23, 1);
    U2: bits("u2", 30, 1);
    U3: bits("u3", 43, 4);
    U5: bits("u5", 54, 1);
    Q0: bits("q0", 23, 1);
    Q1: bits("q1", 43, 4);
    Q2: bits("q2", 67, 1);
}

pub(super) const ROWS: &[Row] = &[
    sample!("texture_sample", 0x31, "read a texture through a sampler"),
    sample!("texture_load", 0x71, "read a texel at integer coordinates"),
    row(
        "image_write",
        0xff,
        0xf1,
        8,
        &[
            L48,
            SP,
            Pieces(TEXEL.own),
            C,
            Pieces(IMAGE_HEAP.own),
            Pieces(IMAGE.own),
            C,
            Pieces(IMAGE_COORDINATES.own),
            C,
            Pieces(D60_31.own),
            Pieces(IMAGE_DIMENSIONS.own),
            Pieces(ROUND.own),
            COHERENCY,
        ],
    )
    .short(15, 6)
    .usual(0x4800_0080_0000)
    .also(&[alias(
        "image_write",
        &[
            EITHER,
            operands!(up: TEXEL, IMAGE_COORDINATES, D60_31, IMAGE_HEAP, IMAGE, IMAGE_DIMENSIONS, ROUND, U1, U2, U3, U5),
        ],
    )])
    .about("write a texel")
    .source(SOURCE),
    row(
        "image_write_block",
        0x3ff0_001f_0000_0000_00ff,
        0xb1,
        10,
        &[
            LONG_BLOCK,
            SP,
            Pieces(BLOCK_REGISTER.own),
            C,
            Pieces(BLOCK_IMAGE.own),
            C,
            Pieces(IMAGE_COORDINATES.own),
            C,
            Pieces(D60_31.own),
            Flag(bits("q0", 23, 1), 1, ", explicit_coords"),
            Pieces(IMAGE_DIMENSIONS.own),
            Pieces(F64.own),
            Pieces(ROUND.own),
        ],
    )
    .short(15, 6)
    .usual(BLOCK_USUAL)
    .also(&[alias(
        "image_write_block",
        &[
            EITHER,
            operands!(up: BLOCK_REGISTER, IMAGE_COORDINATES, D60_31, BLOCK_IMAGE, IMAGE_DIMENSIONS, ROUND, F64, Q0, Q1, Q2),
        ],
    )])
    .about("write a block of a tile to an image; the register has its offset in the tile")
    .source(SOURCE),
];
