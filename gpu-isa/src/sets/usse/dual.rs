//! Two operations in one word: groups 0x20 and 0x28.
//!
//! One of the two writes an internal register, the other a register of a file. One operand is in a register file (`U`),
//! the others are the internal registers `gpi0`, `gpi1` and `gpi2` (`0`, `1`, `2`). `src_config` and the numbers of
//! sources of both operations determine the sources of each. The text does not show bits 59 (four channels), 42 (which
//! operation writes the file) and 17..16 (`src_config`).

use super::operands::*;
use crate::set::*;

const SOURCES: Field = bits("src_config", 16, 2);
const OPERATION_2: Field = bits("operation_2", 18, 3).and(43, 1);
const HALF: Field = bits("type_f16", 53, 1);

const D_FILE: Field = bits("destination_file", 32, 2);
const U_FILE: Field = bits("source_file", 30, 2);
const D: Register = destination(bits("destination", 21, 7), D_FILE, 1);
const U: Register = source(bits("source", 0, 7), U_FILE, 1);
const INTERNAL: Format = Format::Register {
    prefix: "i",
    scale: 1,
    top: None,
};

/// The mask of the internal destination, with three and with four channels.
const MASK3: &[Mask] = &[each(bits("mask", 7, 3))];
const MASK4: &[Mask] = &[each(bits("mask", 7, 3).and(54, 1))];
/// The channels of the other destination: halves are twice as many, and a scalar's are half as many as a vector's.
const FILE_VECTOR: &[Mask] = &[
    Mask {
        base: 3,
        ..Mask::at(X[0], HALF.mask(), 0)
    },
    XYZW[0],
];
const FILE_SCALAR: &[Mask] = &[Mask::at(X[0], HALF.mask(), 0), XY[0]];

/// The internal destination.
macro_rules! internal {
    ($mask:expr) => {
        Pieces(&[
            Number(bits("internal_destination", 28, 2), INTERNAL),
            Piece::Channels(&written($mask)),
        ])
    };
}

/// The destination in a file.
macro_rules! file {
    ($mask:expr, $scale:literal) => {
        Pieces(&[
            Piece::Register(&D.times($scale)),
            Cases(&[
                when(HALF, 0, &[Piece::Channels(&written($mask))]),
                otherwise(&[Piece::Channels(&written($mask))]),
            ]),
        ])
    };
}

/// The source of a file. If the first operation has one source, bits 14 and 15 make it absolute and extend its swizzle.
macro_rules! unified {
    (1, $scale:literal, $mask:expr, $table:ident $both:ident) => {
        Pieces(&[
            Names(bits("source_modifier", 47, 1).and(14, 1), MODIFIER),
            Piece::Register(&U.times($scale)),
            Flag(bits("source_absolute", 14, 1), 1, ")"),
            Piece::Channels(&swizzle($mask, bits("source_swizzle", 48, 4).and(15, 1), &[&$both])),
        ])
    };
    ($n:tt, $scale:literal, $mask:expr, $table:ident $both:ident) => {
        Pieces(&[
            Flag(bits("source_negative", 47, 1), 1, "-"),
            Piece::Register(&U.times($scale)),
            Piece::Channels(&swizzle($mask, bits("source_swizzle", 48, 4), &[&$table])),
        ])
    };
}

macro_rules! gpi0 {
    ($mask:expr, $table:ident) => {
        Pieces(&[
            Number(bits("gpi0", 10, 2), INTERNAL),
            Piece::Channels(&swizzle($mask, bits("gpi0_swizzle", 38, 4), &[&$table])),
        ])
    };
}

macro_rules! gpi1 {
    ($mask:expr, $both:ident) => {
        Pieces(&[
            Flag(bits("gpi1_negative", 58, 1), 1, "-"),
            Number(bits("gpi1", 12, 2), INTERNAL),
            Piece::Channels(&swizzle($mask, bits("gpi1_swizzle", 34, 4).and(52, 1), &[&$both])),
        ])
    };
}

/// If the first operation has one source, `gpi2` is `i2`.
macro_rules! gpi2 {
    (1, $mask:expr) => {
        Pieces(&[Text("i2"), Piece::Channels(&fixed("mask", $mask, "xyzw"))])
    };
    ($n:tt, $mask:expr) => {
        Pieces(&[
            Number(bits("gpi2", 14, 2), INTERNAL),
            Piece::Channels(&fixed("mask", $mask, "xyzw")),
        ])
    };
}

/// A source of an operation, by its letter.
macro_rules! one {
    (U $n:tt $scale:literal $mask:ident $table:ident $both:ident) => { unified!($n, $scale, $mask, $table $both) };
    (A $n:tt $scale:literal $mask:ident $table:ident $both:ident) => { gpi0!($mask, $table) };
    (B $n:tt $scale:literal $mask:ident $table:ident $both:ident) => { gpi1!($mask, $both) };
    (C $n:tt $scale:literal $mask:ident $table:ident $both:ident) => { gpi2!($n, $mask) };
}

/// The sources of an operation for each `src_config`: U the file's, A, B, C the internal ones.
macro_rules! sources {
    ($args:tt $([$($letter:ident)*])*) => {
        Silent(&numbered([$(sources!(@ $args $($letter)*)),*]))
    };
    (@ ($n:tt $scale:literal $mask:ident $table:ident $both:ident) $($letter:ident)*) => {
        &[$(Text(" "), one!($letter $n $scale $mask $table $both)),*]
    };
}

/// A case for each value of `src_config` from 0 up.
const fn numbered<const N: usize>(pieces: [&'static [Piece]; N]) -> [Case; N] {
    let mut cases = [otherwise(&[]); N];
    let mut number = 0;
    while number < N {
        cases[number] = when(SOURCES, number as u128, pieces[number]);
        number += 1;
    }
    cases
}

/// The sources of the first operation, by their count.
macro_rules! first {
    (1 $scale:literal $mask:ident $table:ident $both:ident) => {
        sources!((1 $scale $mask $table $both) [U] [A] [B] [C])
    };
    (2 $scale:literal $mask:ident $table:ident $both:ident) => {
        sources!((2 $scale $mask $table $both) [U B] [A U] [A B])
    };
    (3 $scale:literal $mask:ident $table:ident $both:ident) => {
        sources!((3 $scale $mask $table $both) [U B C] [A U C] [A B U] [A B C])
    };
}

/// The sources of the second operation, by the numbers of sources of the first and of the second.
macro_rules! second {
    (1 1 $($args:tt)*) => { sources!((1 $($args)*) [A] [U] [U] [U]) };
    (1 2 $($args:tt)*) => { sources!((1 $($args)*) [A B] [U B] [A U] [B U]) };
    (1 3 $($args:tt)*) => { sources!((1 $($args)*) [A B C] [U B C] [A U C] [A U B]) };
    (2 1 $($args:tt)*) => { sources!((2 $($args)*) [A] [B] [U]) };
    (2 2 $($args:tt)*) => { sources!((2 $($args)*) [A C] [B C] [C U]) };
    (3 1 $($args:tt)*) => { sources!((3 $($args)*) [A] [B] [C] [U]) };
    ($($none:tt)*) => { Text("") };
}

/// A whole operation of the second half: its value and name, the destination, the sources.
macro_rules! operation {
    ($value:literal $name:literal $destination:expr, $($sources:tt)*) => {
        when(OPERATION_2, $value, &[Text(" + "), Text($name), Text(" "), $destination, second!($($sources)*)])
    };
}

/// The second operation, by the number of sources of the first. `v` are the masks of vectors, `d` of dot products, `s`
/// of scalars: first the mask of the destination, then of the sources.
macro_rules! half {
    ($n:tt, $vd:expr, $dd:expr, $sd:expr, $vs:ident $ds:ident $ss:ident $table:ident $both:ident) => {
        Cases(&[
            operation!(1 "VDP" $dd, $n 2 2 $ds $table $both),
            operation!(2 "VSSQ" $dd, $n 1 2 $ds $table $both),
            operation!(3 "VMUL" $vd, $n 2 2 $vs $table $both),
            operation!(4 "VADD" $vd, $n 2 2 $vs $table $both),
            operation!(5 "VMOV" $vd, $n 1 2 $vs $table $both),
            operation!(6 "FRSQ" $sd, $n 1 1 $ss $table $both),
            operation!(7 "FRCP" $sd, $n 1 1 $ss $table $both),
            operation!(8 "FMAD" $sd, $n 3 1 $ss $table $both),
            operation!(9 "FADD" $sd, $n 2 1 $ss $table $both),
            operation!(10 "FMUL" $sd, $n 2 1 $ss $table $both),
            operation!(11 "FSUBFLR" $sd, $n 2 1 $ss $table $both),
            operation!(12 "FEXP" $sd, $n 1 1 $ss $table $both),
            operation!(13 "FLOG" $sd, $n 1 1 $ss $table $both),
        ])
    };
}

/// The second operations: with three or four channels, with the internal or the other destination.
macro_rules! halves {
    ($n:tt $internal3:ident $file3:ident $internal4:ident $file4:ident) => {
        const $internal3: Piece = half!($n, internal!(MASK3), internal!(MASK3), internal!(MASK3), MASK3 XYZ X DUAL3 DUAL3_BOTH);
        const $file3: Piece = half!($n, file!(FILE_VECTOR, 2), file!(FILE_SCALAR, 1), file!(FILE_SCALAR, 1), FILE_VECTOR XYZ X DUAL3 DUAL3_BOTH);
        const $internal4: Piece = half!($n, internal!(MASK4), internal!(MASK4), internal!(MASK4), MASK4 XYZW X DUAL4 DUAL4_BOTH);
        const $file4: Piece = half!($n, file!(FILE_VECTOR, 2), file!(FILE_SCALAR, 1), file!(FILE_SCALAR, 1), FILE_VECTOR XYZW X DUAL4 DUAL4_BOTH);
    };
}

halves!(1 INTERNAL3_AFTER_1 FILE3_AFTER_1 INTERNAL4_AFTER_1 FILE4_AFTER_1);
halves!(2 INTERNAL3_AFTER_2 FILE3_AFTER_2 INTERNAL4_AFTER_2 FILE4_AFTER_2);
halves!(3 INTERNAL3_AFTER_3 FILE3_AFTER_3 INTERNAL4_AFTER_3 FILE4_AFTER_3);

const REST: Piece = Unseen(&[
    Number(bits("skipinv", 55, 1), DECIMAL),
    Number(SOURCES, DECIMAL),
    Number(bits("four_channels", 59, 1), DECIMAL),
    Number(bits("file_is_first", 42, 1), DECIMAL),
    // Fields that the second operation does not use.
    Number(bits("source_absolute_or_gpi2", 14, 1), DECIMAL),
    Number(bits("source_swizzle_extension_or_gpi2", 15, 1), DECIMAL),
]);

macro_rules! whole {
    ($destination:expr, $first:expr, $second:expr) => {
        &[Text(" "), $destination, $first, $second, REST]
    };
}

/// The fixed bits of the rows: the group, the operation, four channels, the file's destination in the first half.
const FIXED: u128 = 0xf << 60 | 1 << 59 | 7 << 44 | 1 << 42;
const UNTOLD: u128 = 1 << 59 | 1 << 42;

const fn dual(mnemonic: &'static str, fixed: u128, pieces: &'static [Piece]) -> Row {
    group(mnemonic, FIXED, 2 << 60 | fixed, pieces)
        .lead(VECTOR_SHORT)
        .about("two operations; the text's first half is the first")
        .source("usse_full.json, VDUAL")
        .rank(1)
        .untold(UNTOLD)
        .notes(&["Vita3K prints no predicate here."])
}

/// A row with three channels: bit 54 selects the second list of operations.
const fn three(mut row: Row, second_list: u128) -> Row {
    row.mask |= 1 << 54;
    row.value |= second_list << 54;
    row.untold |= 1 << 54;
    row
}

/// The four rows of an operation of the first list: its name, number and number of sources, its masks.
macro_rules! rows {
    ($name:literal $number:literal $n:tt vector $($second:ident)*) => {
        rows!(@ $name $number $n 2 (MASK3 MASK4 FILE_VECTOR FILE_VECTOR) FILE_VECTOR $($second)*)
    };
    ($name:literal $number:literal $n:tt dot $($second:ident)*) => {
        rows!(@ $name $number $n 2 (XYZ XYZW XYZ XYZW) FILE_SCALAR 1 $($second)*)
    };
    ($name:literal $number:literal $n:tt scalar $($second:ident)*) => {
        rows!(@ $name $number $n 1 (X X X X) FILE_SCALAR 1 $($second)*)
    };
    (@ $name:literal $number:literal $n:tt $scale:literal ($m3:ident $m4:ident $f3:ident $f4:ident) FILE_VECTOR $($second:ident)*) => {
        rows!(@ $name $number $n $scale ($m3 $m4 $f3 $f4) FILE_VECTOR 2 $($second)*)
    };
    (@ $name:literal $number:literal $n:tt $scale:literal ($m3:ident $m4:ident $f3:ident $f4:ident) $file:ident $times:literal
        $internal3:ident $file3:ident $internal4:ident $file4:ident) => {
        &[
            three(dual($name, $number << 44, whole!(
                internal!(MASK3), first!($n $scale $m3 DUAL3 DUAL3_BOTH), $file3
            )), 0),
            three(dual($name, $number << 44 | 1 << 42, whole!(
                file!($file, $times), first!($n $scale $f3 DUAL3 DUAL3_BOTH), $internal3
            )), 0),
            dual($name, $number << 44 | 1 << 59, whole!(
                internal!(MASK4), first!($n $scale $m4 DUAL4 DUAL4_BOTH), $file4
            )),
            dual($name, $number << 44 | 1 << 59 | 1 << 42, whole!(
                file!($file, $times), first!($n $scale $f4 DUAL4 DUAL4_BOTH), $internal4
            )),
        ]
    };
    ($name:literal $number:literal $n:tt more $internal3:ident $file3:ident $internal4:ident $file4:ident) => {
        &[
            three(dual($name, $number << 44, whole!(
                internal!(MASK3), first!($n 1 X DUAL3 DUAL3_BOTH), $file3
            )), 1),
            three(dual($name, $number << 44 | 1 << 42, whole!(
                file!(FILE_SCALAR, 1), first!($n 1 X DUAL3 DUAL3_BOTH), $internal3
            )), 1),
        ]
    };
}

pub const FIRST_LIST: [&[Row]; 8] = [
    rows!("VMAD" 0 3 vector INTERNAL3_AFTER_3 FILE3_AFTER_3 INTERNAL4_AFTER_3 FILE4_AFTER_3),
    rows!("VDP" 1 2 dot INTERNAL3_AFTER_2 FILE3_AFTER_2 INTERNAL4_AFTER_2 FILE4_AFTER_2),
    rows!("VSSQ" 2 1 dot INTERNAL3_AFTER_1 FILE3_AFTER_1 INTERNAL4_AFTER_1 FILE4_AFTER_1),
    rows!("VMUL" 3 2 vector INTERNAL3_AFTER_2 FILE3_AFTER_2 INTERNAL4_AFTER_2 FILE4_AFTER_2),
    rows!("VADD" 4 2 vector INTERNAL3_AFTER_2 FILE3_AFTER_2 INTERNAL4_AFTER_2 FILE4_AFTER_2),
    rows!("VMOV" 5 1 vector INTERNAL3_AFTER_1 FILE3_AFTER_1 INTERNAL4_AFTER_1 FILE4_AFTER_1),
    rows!("FRSQ" 6 1 scalar INTERNAL3_AFTER_1 FILE3_AFTER_1 INTERNAL4_AFTER_1 FILE4_AFTER_1),
    rows!("FRCP" 7 1 scalar INTERNAL3_AFTER_1 FILE3_AFTER_1 INTERNAL4_AFTER_1 FILE4_AFTER_1),
];

/// The operations of three channels with bit 54 set.
pub const SECOND_LIST: [&[Row]; 6] = [
    rows!("FMAD" 0 3 more INTERNAL3_AFTER_3 FILE3_AFTER_3 INTERNAL4_AFTER_3 FILE4_AFTER_3),
    rows!("FADD" 1 2 more INTERNAL3_AFTER_2 FILE3_AFTER_2 INTERNAL4_AFTER_2 FILE4_AFTER_2),
    rows!("FMUL" 2 2 more INTERNAL3_AFTER_2 FILE3_AFTER_2 INTERNAL4_AFTER_2 FILE4_AFTER_2),
    rows!("FSUBFLR" 3 2 more INTERNAL3_AFTER_2 FILE3_AFTER_2 INTERNAL4_AFTER_2 FILE4_AFTER_2),
    rows!("FEXP" 4 1 more INTERNAL3_AFTER_1 FILE3_AFTER_1 INTERNAL4_AFTER_1 FILE4_AFTER_1),
    rows!("FLOG" 5 1 more INTERNAL3_AFTER_1 FILE3_AFTER_1 INTERNAL4_AFTER_1 FILE4_AFTER_1),
];

/// Words with unknown operations or sources. Their text shows only the group.
const fn unknown(rank: u8, mask: u128, value: u128) -> Row {
    group("VDUAL", 0xf << 60 | mask, 2 << 60 | value, &[])
        .about("two operations, one of which, or its sources, is unknown")
        .source("usse_full.json, VDUAL")
        .rank(rank)
        .untold(mask)
}

/// The second operation's bits.
const fn second_is(value: u128) -> u128 {
    OPERATION_2.put(value)
}

/// The operations with two sources, each as mask and value: of the first list, with three and with four channels, and
/// of the second list.
const TWO_SOURCES: [(u128, u128); 5] = [
    (7 << 44, 1 << 44),
    (7 << 44, 3 << 44),
    (7 << 44 | 1 << 59, 4 << 44 | 1 << 59),
    (7 << 44 | 1 << 59 | 1 << 54, 4 << 44),
    (7 << 44 | 1 << 59 | 1 << 54, 2 << 44 | 1 << 54),
];

/// The rows of operations with two sources that have some more bits.
const fn after_two(rank: u8, mask: u128, value: u128) -> [Row; 5] {
    let mut rows = [unknown(rank, 0, 0); 5];
    let mut number = 0;
    while number < 5 {
        let (own_mask, own) = TWO_SOURCES[number];
        rows[number] = unknown(rank, own_mask | mask, own | value);
        number += 1;
    }
    rows
}

/// Undefined operations: second operations 0, 14 and 15, and first operations above 5 of the second list.
pub const NO_OPERATION: &[Row] = &[
    unknown(2, second_is(15), second_is(0)),
    unknown(2, second_is(14), second_is(14)),
    unknown(3, 1 << 59 | 1 << 54 | 6 << 44, 1 << 54 | 6 << 44),
];
/// After a first operation with three sources, the second has one.
pub const AFTER_THREE: &[Row] = &[
    unknown(4, 7 << 44 | second_is(13), second_is(1)),
    unknown(4, 7 << 44 | second_is(15), second_is(4)),
    unknown(4, 7 << 44 | second_is(12), second_is(8)),
];
/// After a first operation with two sources, the second has two, with three of the four ways to select them.
pub const AFTER_TWO: &[Row] = &after_two(5, second_is(15), second_is(8));
pub const AFTER_TWO_WAYS: &[Row] = &after_two(6, SOURCES.mask(), SOURCES.put(3));
