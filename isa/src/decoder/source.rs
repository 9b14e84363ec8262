//! Building blocks of the circuit's source text.

use crate::table::Unit;

/// First lines of both files.
pub(super) const HEAD: &str = "// Written by `make reference`. Do not edit.\n";

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
        Unit::Texture => panic!("the decoder knows no texture unit"),
    }
}

/// A kernel's expression for bits of the word: one bit as a `Bit`, several as `Bits<WIDTH>`.
pub(super) fn bits_expression(parts: &[(u32, u32)]) -> String {
    let width: u32 = parts.iter().map(|(_, width)| width).sum();
    if let [(low, width)] = parts {
        return match width {
            1 => format!("self.d_word.val().get_bit({low})"),
            _ => format!("self.d_word.val().get_bits::<{width}>({low})"),
        };
    }
    let mut at = 0;
    let mut terms = vec![];
    for (low, part) in parts {
        let bits = format!("bit_cast::<{width}, {part}>(self.d_word.val().get_bits::<{part}>({low}))");
        terms.push(if at == 0 { bits } else { format!("({bits} << {at})") });
        at += part;
    }
    terms.join(" | ")
}
