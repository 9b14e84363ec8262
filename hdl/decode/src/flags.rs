//! The columns of the decoder: all flags of rows.

use super::entry::Entry;
use super::source::name_of;
use super::words::range;

/// Flags that follow from operands, with their meanings, in the order of the file. They are the interface to the
/// hand-written part.
const FLAGS: &[(&str, &str)] = &[
    ("uses_a", "Operand a is a register or, with `shared_a`, a location in s[]."),
    ("shared_a", "Bit 53 or 24 makes operand a a location in s[]."),
    ("sized_a", "Operand a is a half unless bit 58 or 15 is set."),
    ("from_a", "Operand a is a half unless bit 46 is set."),
    ("product", "Operands a and b are halves unless the product has factors of 24 bits."),
    ("a_is_3", "Operand a is in source 3's field."),
    ("a_is_number", "Operand a is the 32-bit immediate."),
    ("reads_address", "Operand a is an address register, or a location in local memory."),
    ("is_local", "Operand a is a location in local memory."),
    ("reads_code", "Operand a is a condition-code register."),
    ("reads_special", "Operand a is a special register."),
    ("moves_constant", "Operand a is a location in c[] with a 16-bit offset."),
    ("scatters", "Source 1 is a location in s[] that operand b is stored to."),
    ("uses_b", "Operand b is a register or, with `constant_b`, a location in c[]."),
    ("constant_b", "Bit 23, or 24 of source 3, makes operand b a location in c[]."),
    ("sized_b", "Operand b is a half unless bit 58 or 15 is set."),
    ("word_b", "Operand b is a half unless bit 53 is set."),
    ("b_is_1", "Operand b is in source 1's field."),
    ("b_is_3", "Operand b is in source 3's field."),
    ("b_is_destination", "Operand b is in the destination's field."),
    ("b_is_number", "Operand b is the 32-bit immediate."),
    ("b_is_count", "Bit 52 makes operand b the 7-bit immediate in source 2's field."),
    ("b_is_shift", "Operand b is the 4-bit immediate that begins at bit 16."),
    ("b_is_offset", "Operand b is the 16-bit immediate that begins at bit 9."),
    ("uses_c", "Operand c is a register or, with `constant_c`, a location in c[]."),
    ("constant_c", "Bit 24, or 23 of source 2, makes operand c a location in c[]."),
    ("c_is_2", "Operand c is in source 2's field."),
    ("c_is_destination", "Operand c is in the destination's field."),
    ("c_is_number", "Operand c is the 32-bit immediate."),
    ("writes", "The destination is a register."),
    ("sized", "The destination is a half unless bit 58 or 15 is set."),
    ("seven_bits", "The destination's field has seven bits, although the form is not long."),
    ("discards", "Bit 35 makes the destination o[]: only o[0x7f], which discards the result, exists."),
    ("writes_address", "The destination is an address register."),
    ("writes_code", "The destination is a condition-code register."),
    ("sets_cc", "Bit 38 also writes a condition-code register."),
    ("guarded", "The instruction is predicated by the condition in bits 43..39."),
    ("store", "The instruction stores to memory."),
];

/// All flags of rows, with their meanings, in the order of the file.
pub(super) fn flags(entries: &[Entry]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> =
        FLAGS.iter().map(|(flag, text)| (flag.to_string(), text.to_string())).collect();
    for entry in entries {
        for path in entry.control.sets {
            let text = format!("Sets {path}.");
            if !all.iter().any(|(known, _)| known == name_of(path)) {
                all.push((name_of(path).into(), text));
            }
        }
        for reading in entry.control.reads {
            if !all.iter().any(|(known, _)| known == reading.name) {
                let mut lines: Vec<&str> = reading.lines.iter().map(|line| line.path()).collect();
                lines.sort();
                let field = reading.long.or(reading.short).map_or("", |field| field.name);
                all.push((reading.name.into(), format!("The field \"{field}\" drives {}.", lines.join(", "))));
            }
        }
        for check in &entry.checks {
            if !all.iter().any(|(known, _)| *known == check.name) {
                let bits: Vec<String> = check.parts.iter().map(|(low, width)| range(*low, *width)).collect();
                all.push((check.name.clone(), format!("Not all values of bits {} are defined.", bits.join(", "))));
            }
        }
    }
    let is_set = |name: &str| entries.iter().any(|entry| entry.control.sets.iter().any(|path| name_of(path) == name));
    let is_derived = |name: &str| FLAGS.iter().any(|(known, _)| *known == name);
    for name in entries.iter().flat_map(|entry| entry.control.reads).map(|reading| reading.name) {
        assert!(!is_set(name) && !is_derived(name), "{name} names a reading and another flag");
    }
    for entry in entries {
        let mut own: Vec<&String> = entry.flags.iter().flatten().collect();
        own.sort();
        let count = own.len();
        own.dedup();
        assert_eq!(own.len(), count, "the flag {} has two meanings", entry.row.name);
    }
    all
}
