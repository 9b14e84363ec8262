//! Ignored bits of instruction words, and the subset that hardware is known to ignore.
//!
//! The hardware tests of the envytools project (`hwtest`, groups `g80_fp`, `g80_int` and `g80_sfu`) set the bits that
//! they treat as modifiers at random, run the words on a G80 and compare its results with the expected ones. A bit that
//! they vary without an effect on the expectation is ignored by silicon. For all other ignored bits, the only evidence
//! is that real code does not set them.

use super::pattern::Form;
use super::row::Row;

/// Bits that a hardware test sets at random: mnemonics, bits of the low word, bits of the high word.
const VARIED: &[(&[&str], u64, u64)] = &[
    (&["FADD"], 0x0e7d_0000, 0x3fc0_3004),
    (&["FSET"], 0x0e00_0000, 0x1fdf_f004),
    (&["FMIN", "FMAX"], 0x0e00_0000, 0x3fdf_f004),
    (&["FMUL"], 0x0e00_0000, 0x1fdf_7004),
    (&["FSLCT"], 0x0e00_0000, 0x3fc0_3004),
    (&["FSWZ"], 0x0eff_0000, 0x1fc0_3004),
    (&["FMAD"], 0x0e00_0000, 0x3fc0_0004),
    (&["FADD32", "FMUL32", "FMAD32", "IMUL32", "ISAD32"], 0x0e40_8100, 0),
    (&["IADD32", "IMAD32"], 0x1e40_8100, 0),
    (
        &["FADD32I", "FMUL32I", "FMAD32I", "IMUL32I", "LOP32I"],
        0x0e7f_8100,
        0x1fff_fffc,
    ),
    (&["IADD32I", "IMAD32I"], 0x1e7f_8100, 0x1fff_fffc),
    (&["I2I", "I2F", "F2I", "F2F"], 0x0fff_0000, 0x3fdf_f004),
    (&["IADD"], 0x1e7f_0000, 0x1fc0_0004),
    (&["ISET", "IMUL", "LOP"], 0x0e00_0000, 0x1fdf_c004),
    (&["IMIN", "IMAX"], 0x0e00_0000, 0x3fdf_c004),
    (&["SHL", "SHR"], 0x0e7f_0000, 0x3fdf_c004),
    (&["ISAD"], 0x0e00_0000, 0x1fc0_0004),
    (&["RCP", "RSQ", "LG2", "EX2", "RRO"], 0x0fff_0000, 0x1fdf_f074),
    (&["SIN", "COS"], 0x0fff_0000, 0x3fdf_f074),
    (&["RCP32"], 0x0eff_8100, 0),
    (&["IMAD"], 0x1e00_0000, 0xffc0_0004),
    (&["GATOM"], 0x0800_0000, 0x1f1f_c040),
    (&["GRED"], 0x0ff0_0000, 0x1f1f_c040),
    (&["DFMA"], 0x0e00_0000, 0x1300_0004),
    (&["DADD"], 0x0e7c_0000, 0x13c0_0004),
    (&["DMUL"], 0x0e00_0000, 0x1bd9_c004),
    (&["DMIN", "DMAX"], 0x0e00_0000, 0x13c7_c004),
    (&["DSET"], 0x0e00_0000, 0x13c4_0004),
];

/// The bits that are neither in the row's pattern nor in any of its fields. Bits 63..32 are left out for a short
/// instruction, which does not have them.
pub fn ignored_bits(row: &Row) -> u64 {
    let read = row
        .fields()
        .iter()
        .fold(row.pattern.mask, |bits, field| bits | field.mask());
    match row.form() {
        Form::Short => !read & 0xffff_ffff,
        _ => !read,
    }
}

/// The bits of [`ignored_bits`] that hardware tests show to be ignored.
pub fn ignored_by_hardware(row: &Row) -> u64 {
    let varied = VARIED.iter().find(|(names, ..)| names.contains(&row.name));
    varied.map_or(0, |(_, low, high)| (low | high << 32) & ignored_bits(row))
}
