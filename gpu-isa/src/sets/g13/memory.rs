//! Loads, stores and atomic operations: device memory, stack, threadgroup, uniforms; barriers and waits.

use super::operands::*;
use super::places::*;
use crate::set::*;

const SOURCE: &str = "applegpu.py, Memory and Stack Instructions; Mesa, AGX2.xml";
const WAITS: &str = "applegpu.py, Wait Instructions";
const UNKNOWN: &str = "The effect of the unread bits is unknown.";
const HIDDEN: &str = "Bit 16 distinguishes it from a load or store, as in Mesa; applegpu's disassembler never reaches \
    this row.";

unknown! {
    G30: bits("g", 30, 1);
    U1: bits("u1", 26, 1);
    U3: bits("u3", 28, 2);
    U4: bits("u4", 44, 3);
    U4_STORE: bits("u4", 45, 2);
    U5: bits("u5", 50, 2);
    U6: bits("u6", 44, 1);
    UNIFORM_U: bits("unk", 25, 2);
    UNIFORM_B: bits("b", 44, 3);
    I0: bits("i0", 8, 2);
    I1: bits("i1", 26, 1);
    I2: bits("i2", 36, 3);
    I3: bits("i3", 44, 3);
    I4: bits("i4", 50, 6);
    I5: bits("i5", 44, 3);
    I6: bits("i6", 30, 1);
    ATOMIC_U2: bits("u2", 28, 2);
    ATOMIC_U3: bits("u3", 31, 1);
    ATOMIC_U4: bits("u4", 42, 3);
    ATOMIC_U5: bits("u5", 45, 2);
    LOCAL_U1: bits("u1", 6, 2);
    LOCAL_U3: bits("u3", 35, 3);
    LOCAL_U4: bits("u4", 40, 8);
    LOCAL_U5: bits("u5", 72, 8);
    PIX_I: bits("i", 8, 10);
    PIX_J: bits("j", 22, 2);
    BARRIER_A: bits("a", 10, 2);
    BARRIER_B: bits("b", 8, 2);
    BARRIER_C: bits("c", 12, 4);
    DOORBELL: bits("imm", 8, 8);
}

/// The operands in applegpu's order: group, format, components, registers, address.
const DEVICE_UP: &[Piece] = &[
    EITHER_S,
    operands!(up: G30, F7),
    components(52),
    Pieces(R10.up),
    C,
    Pieces(BASE.up),
    C,
    Pieces(EXTENDED_INDEX.up),
    INDEX_SHIFT,
];
/// Registers, address, format, components, coherency, group.
const DEVICE: &[Piece] = &[
    L48S,
    SP,
    Pieces(R10.own),
    Pieces(BASE.own),
    C,
    Pieces(EXTENDED_INDEX.own),
    INDEX_SHIFT,
    Pieces(F7.own),
    components(52),
    COHERENCY,
    group(30),
];
/// An access to the stack with an index.
macro_rules! stack {
    ($index:expr) => {
        &[
            L48S,
            SP,
            Pieces(R10.own),
            $index,
            Pieces(F8.own),
            components(52),
            group(30),
        ]
    };
}

/// A row with six bytes, or eight bytes if bit 47 is set.
const fn device(mnemonic: &'static str, value: u128) -> Row {
    row(mnemonic, 0x7f, value, 8, DEVICE)
        .short(47, 6)
        .usual(0x4000_0400_0000)
        .source(SOURCE)
        .notes(&[
            "Without a component there are no registers.",
            "The format gives the element size; a shift of 3 acts like a shift of 2.",
        ])
}

/// An access to the memory of the threadgroup; bits 4 and 7 are ignored.
macro_rules! local {
    ($mnemonic:literal, $value:literal, $about:literal) => {
        row(
            $mnemonic,
            0x6f,
            $value,
            8,
            &[
                L48,
                SP,
                Pieces(R9_36.own),
                Pieces(LOCAL_BASE.own),
                Pieces(LOCAL_INDEX.own),
                Pieces(F24.own),
                components(36),
            ],
        )
        .short(15, 6)
        .also(&[alias(
            $mnemonic,
            &[
                EITHER,
                SP,
                Pieces(F24.up),
                components(36),
                Pieces(R9_36.up),
                C,
                Pieces(LOCAL_BASE.up),
                C,
                Pieces(LOCAL_INDEX.up),
            ],
        )])
        .about($about)
        .source(SOURCE)
    };
}

const POINTER: Both = same(&[Number(bits("R", 11, 5).and(40, 2), R)]);
const ADJUSTMENT: Both = same(&[Number(bits("r", 21, 3).and(32, 4), R)]);

/// Loads a texture's or sampler's state into a state register.
macro_rules! state {
    ($mnemonic:literal, $value:literal, $state:ident, $about:literal) => {
        row($mnemonic, 0x10_00ff, $value, 8, &[operands!(own: $state, STATE_BASE, STATE_OFFSET)])
            .also(&[alias($mnemonic, &[operands!(up: $state, STATE_BASE, STATE_OFFSET)])])
            .about($about)
            .source(SOURCE)
            .notes(&[UNKNOWN])
    };
}
const TEXTURE_STATE: Both = same(&[Number(bits("TS", 8, 7), numbered("ts"))]);
const SAMPLER_STATE: Both = same(&[Number(bits("SS", 8, 5), numbered("ss"))]);
const STATE_BASE: Both = Both {
    own: &[Number(bits("B", 58, 6), DU)],
    up: &[Number(bits("B", 58, 6), UU)],
};
const STATE_OFFSET: Both = same(&[Number(bits("O", 27, 7), R)]);

/// The source or destination of an asynchronous copy, with its parameters.
const COPY: Both = {
    const VALUE: Field = bits("R", 10, 5);
    const KIND: Field = bits("Rt", 8, 1);
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
const COPY_PLANES: Field = bits("planes", 47, 1);
const COPY_PARAMETERS: Both = {
    const VALUE: Field = bits("A", 16, 4).and(36, 4);
    const UNIFORM: Field = bits("At", 25, 1);
    same(&[Cases(&[
        when(UNIFORM, 0, &[Number(VALUE, run("r", false, 3))]).with(COPY_PLANES, 0),
        when(UNIFORM, 0, &[Number(VALUE, run("r", false, 5))]).with(COPY_PLANES, 1),
        when(UNIFORM, 1, &[Number(VALUE, run("u", false, 3))]).with(COPY_PLANES, 0),
        when(UNIFORM, 1, &[Number(VALUE, run("u", false, 5))]).with(COPY_PLANES, 1),
    ])])
};
const COPY_KIND: Both = same(&[Names(COPY_PLANES, &[Some("copy_1d"), Some("copy_2d")])]);

macro_rules! copy {
    ($mnemonic:literal, $value:literal, $about:literal) => {
        row($mnemonic, 0x7f, $value, 8, &[operands!(own: COPY, COPY_PARAMETERS, COPY_KIND)])
            .also(&[alias($mnemonic, &[operands!(up: COPY_KIND, COPY, COPY_PARAMETERS)])])
            .about($about)
            .source(SOURCE)
            .notes(&[UNKNOWN])
    };
}

pub(super) const ROWS: &[Row] = &[
    device("device_load", 0x05)
        .also(&[
            alias("device_load", DEVICE_UP)
                .only(U1_FIELD, 1)
                .only(bits("u3", 28, 2), 0)
                .only(bits("u4", 44, 3), 0b100)
                .only(bits("u5", 50, 2), 0),
            alias("device_load.TODO", {
                const MORE: &[Piece] = &[Pieces(DEVICE_UP), C, Pieces(U1.up), C, Pieces(U3.up), C, Pieces(U4.up), C, Pieces(U5.up)];
                MORE
            }),
        ])
        .about("load from device memory at base + (index << shift) elements of the format"),
    row(
        "uniform_store",
        0xc_00f0_380f_027f,
        0x3800_0045,
        8,
        &[
            L48S,
            SP,
            Pieces(R10.own),
            Pieces(PLAIN_INDEX.own),
            INDEX_SHIFT,
            Pieces(F2.own),
            components(52),
        ],
    )
    .short(47, 6)
    .usual(0x400_0000)
    .rank(1)
    .also(&[alias(
        "uniform_store",
        &[
            EITHER_S,
            operands!(up: UNIFORM_U, F2),
            components(52),
            C,
            Pieces(UNIFORM_B.up),
            Pieces(R10.up),
            C,
            Pieces(PLAIN_INDEX.up),
            INDEX_SHIFT,
        ],
    )])
    .about("store to uniforms; the index counts uniforms of 16 bits")
    .source(SOURCE)
    .notes(&["Real code has the format i16 and one, two or four components."]),
    device("device_store", 0x45)
        .also(&[
            alias("device_store", &[Pieces(DEVICE_UP), C, Pieces(U6.up)])
                .only(U1_FIELD, 1)
                .only(bits("u3", 28, 2), 0)
                .only(bits("u4", 45, 2), 0b10)
                .only(bits("u5", 50, 2), 0),
            alias(
                "device_store.TODO",
                &[
                    Pieces(DEVICE_UP),
                    C,
                    Pieces(U6.up),
                    C,
                    Pieces(U1.up),
                    C,
                    Pieces(U3.up),
                    C,
                    Pieces(U4_STORE.up),
                    C,
                    Pieces(U5.up),
                ],
            ),
        ])
        .about("store to device memory at base + (index << shift) elements of the format"),
    row("stack_load", 0xff, 0x35, 8, stack!(STACK_INDEX))
        .short(47, 6)
        .usual(0x4000_0400_0000)
        .also(&[alias(
            "stack_load",
            &[
                EITHER_S,
                SP,
                Pieces(R10.own),
                Pieces(F8.up),
                C,
                Pieces(I1.up),
                C,
                Pieces(I2.up),
                components(52),
                C,
                Pieces(I5.up),
                C,
                Pieces(PLAIN_INDEX.up),
                C,
                Pieces(I6.up),
            ],
        )])
        .about("load from the stack")
        .source(SOURCE)
        .notes(&[
            "Shift and extension of the index are as in device_load, according to Mesa; applegpu does not have them.",
            UNKNOWN,
        ]),
    row("stack_store", 0xff, 0xb5, 8, stack!(Pieces(PLAIN_INDEX.own)))
        .short(47, 6)
        .usual(0x4000_0400_0000)
        .also(&[alias(
            "stack_store",
            &[
                EITHER_S,
                operands!(up: F8, I1, I2),
                components(52),
                C,
                Pieces(I5.up),
                Pieces(R10.up),
                C,
                Pieces(PLAIN_INDEX.up),
                C,
                Pieces(I6.up),
            ],
        )])
        .about("store to the stack")
        .source(SOURCE)
        .notes(&[UNKNOWN]),
    row("stack_get_ptr", 0x3_0000_000f_00ff, 0x2_0000_0001_0035, 8, &[L48S, operands!(own: POINTER)])
        .short(47, 6)
        .rank(1)
        .also(&[alias(
            "stack_get_ptr",
            &[EITHER_S, operands!(up: I0, I1, I2, I4, I3, POINTER)],
        )])
        .about("the stack's address")
        .source(SOURCE)
        .notes(&[HIDDEN]),
    row("stack_adjust", 0x30f_00ff, 0x101_00b5, 8, &[L48S, operands!(own: V16)])
        .short(47, 6)
        .usual(0x20_0400_0000)
        .rank(1)
        .also(&[alias(
            "TODO.stack_adjust",
            &[EITHER_S, operands!(up: I0, I1, I2, I3, I4, V16)],
        )])
        .about("move the end of the stack by a number of bytes")
        .source(SOURCE)
        .notes(&[HIDDEN]),
    row("stack_adjust_reg", 0x30f_00ff, 0x1_00b5, 8, &[L48S, operands!(own: ADJUSTMENT)])
        .short(47, 6)
        .rank(1)
        .also(&[alias(
            "TODO.stack_adjust2",
            &[EITHER_S, operands!(up: I0, I1, I2, I3, I4, ADJUSTMENT)],
        )])
        .about("move the end of the stack by a register")
        .source(SOURCE)
        .notes(&[HIDDEN]),
    local!(
        "threadgroup_load",
        0x69,
        "load from threadgroup memory at base + index elements of the format"
    ),
    local!(
        "threadgroup_store",
        0x29,
        "store to threadgroup memory at base + index elements of the format"
    ),
    row(
        "atomic",
        0x3f,
        0x15,
        8,
        &[
            operands!(own: RESULT, OPERAND, BASE, EXTENDED_INDEX),
            Pieces(OPERATION.own),
            COHERENCY,
            group(30),
        ],
    )
    .usual(0x4000_8400_0000)
    .also(&[alias(
        "atomic",
        &[
            operands!(up: OPERATION, G30, RESULT, BASE, EXTENDED_INDEX, OPERAND, U1, ATOMIC_U2, ATOMIC_U3, ATOMIC_U4, ATOMIC_U5),
        ],
    )])
    .about("atomic operation in device memory; _ for no result")
    .source(SOURCE)
    .notes(&["cmpxchg has a pair: the value for the comparison, and the new value."]),
    row(
        "threadgroup_atomic",
        0x3f,
        0x19,
        10,
        &[
            L48W,
            operands!(own: LOCAL_RESULT, LOCAL_OPERAND),
            C,
            Pieces(LOCAL_BASE.own),
            Pieces(LOCAL_INDEX.own),
            Pieces(LOCAL_OPERATION.own),
        ],
    )
    .short(15, 6)
    .usual(0x8010_0000_0000)
    .also(&[alias(
        "threadgroup_atomic",
        &[
            EITHER,
            operands!(up: LOCAL_OPERATION, LOCAL_RESULT, LOCAL_BASE, LOCAL_INDEX, LOCAL_OPERAND, LOCAL_U1, LOCAL_U3, LOCAL_U4, LOCAL_U5),
        ],
    )])
    .about("atomic operation in threadgroup memory; _ for no result")
    .source(SOURCE)
    .notes(&["cmpxchg has a pair: the value for the comparison, and the new value."]),
    copy!("async_store", 0x65, "asynchronous copy to device memory"),
    copy!("async_load", 0x25, "asynchronous copy from device memory"),
    state!("tex_state_store", 0x10_00ed, TEXTURE_STATE, "write a texture's state to a state register"),
    state!("sampler_state_store", 0x10_00ad, SAMPLER_STATE, "write a sampler's state to a state register"),
];

const U1_FIELD: Field = bits("u1", 26, 1);

pub(super) const WAIT_ROWS: &[Row] = &[
    row(
        "wait",
        0xff,
        0x38,
        2,
        &[SP, Names(bits("i", 8, 1), &[Some("a"), Some("b")])],
    )
    .also(&[alias("wait", &[SP, Number(bits("i", 8, 1), DECIMAL)])])
    .about("wait for the loads of a group")
    .source(WAITS),
    row("wait_pix", 0xff, 0x48, 4, &[operands!(own: PIX_I, PIX_J)])
        .about("wait for earlier fragments at the same pixel")
        .source(WAITS)
        .notes(&["The meaning of the numbers is unknown."]),
    row("signal_pix", 0xff, 0x58, 4, &[operands!(own: PIX_I, PIX_J)])
        .about("let later fragments at the same pixel continue")
        .source(WAITS)
        .notes(&["The meaning of the numbers is unknown."]),
    row("threadgroup_barrier", 0xff, 0x68, 2, &[])
        .about("wait for all threads of the threadgroup")
        .source(SOURCE),
    row(
        "memory_barrier",
        0xff,
        0xf5,
        2,
        &[operands!(own: BARRIER_A, BARRIER_B, BARRIER_C)],
    )
    .about("order memory accesses")
    .source(SOURCE)
    .notes(&["Twelve triples of numbers occur in real code; 1, 2, 9 orders device memory, 2, 2, 10 images."]),
    row("doorbell", 0xff, 0x28, 2, &[operands!(own: DOORBELL)])
        .about("ring the doorbell of the firmware")
        .source(SOURCE),
];
