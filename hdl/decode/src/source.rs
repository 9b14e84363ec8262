//! Building blocks of the circuit's source text.

use flexgrip_isa::table::Unit;
use std::fmt::Write;

/// The first line of each file.
pub(super) const HEAD: &str = "// Written by `cargo xtask update reference`. Do not edit.\n";

pub(super) fn name_of(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The enumeration of a unit's operations, and its field in the row bundle.
pub(super) fn unit_names(unit: Unit) -> (&'static str, &'static str, &'static str) {
    match unit {
        Unit::Integer => ("Integer", "integer", "IntegerOperation"),
        Unit::Float => ("Float", "float", "FloatOperation"),
        Unit::SpecialFunction => ("SpecialFunction", "special", "SpecialOperation"),
        Unit::Branch => ("Control", "control", "ControlOperation"),
        Unit::Memory => ("Memory", "", ""),
        Unit::Texture | Unit::Double => panic!("the decoder has no unit {unit}"),
    }
}

/// A kernel's expression for bits of the word, the lowest first: one bit as a `Bit`, several as `Bits<WIDTH>`.
pub(super) fn bits_expression(parts: &[(u32, u32)]) -> String {
    if let [(low, 1)] = parts {
        return format!("word.get_bit({low})");
    }
    let mut width = 0;
    let mut bits = String::new();
    for (low, part) in parts {
        let piece = format!("word.bits::<{part}>({low})");
        bits = match width {
            0 => piece,
            _ => format!("{piece}.concat::<{width}, {}>({bits})", width + part),
        };
        width += part;
    }
    bits
}

/// The parameters of the decoder's functions that look at the word and its layout.
pub(super) const WORD_AND_LAYOUT: &str = "word: Bits<64>, layout: Layout";

/// Writes the first lines of a pure function of the kernel.
pub(super) fn open_function(out: &mut String, text: &str, name: &str, parameters: &str, result: &str) {
    let _ = write!(out, "\n/// {text}\n#[hdl_fn]\nfn {name}({parameters}) -> {result} {{\n");
}

/// A kernel's expression that is true if the value is among these.
pub(super) fn is_among(value: &str, width: u32, values: &[u32]) -> String {
    let (set, others): (Vec<u32>, Vec<u32>) = (0..1 << width).partition(|value| values.contains(value));
    let (listed, sign, between) = if set.len() <= others.len() { (set, "==", " || ") } else { (others, "!=", " && ") };
    let terms: Vec<String> = listed.iter().map(|listed| format!("{value} {sign} {listed}")).collect();
    terms.join(between)
}
