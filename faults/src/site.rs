//! Sites: the registers and memories of the circuits, in which faults are injected.

use crate::named::named;
use serde::{Deserialize, Serialize};

named! {
    /// The purpose of a site's bits. The rules are at [`Kind::of`].
    Kind {
        /// States, counters, valid bits, masks: everything that is not of another kind.
        Control "control",
        /// Operands and results of instructions on their way.
        Data "data",
        /// Addresses, program counters, indices.
        Address "address",
        /// What a program can name: registers, predicates, address registers, shared and constant memory.
        Architectural "architectural",
    }
}

named! {
    /// How a site stores its bits.
    Storage {
        /// Flip-flops: one element.
        Register "register",
        /// A memory with an element for each address.
        Memory "memory",
    }
}

/// Memories with one of these texts anywhere in their path are architectural.
const ARCHITECTURAL: [&str; 6] = [
    "register_file",
    "shared",
    "constant",
    "predicate",
    "flags",
    "address_registers",
];
/// Words of the path's last component, and the kind that they mean; the first row that matches counts.
const WORDS: [(Kind, &[&str]); 2] = [
    (Kind::Address, &["address", "pc", "base", "pointer", "index"]),
    (
        Kind::Data,
        &["data", "operand", "result", "value", "sum", "product", "word"],
    ),
];

impl Kind {
    /// The kind of a site, from its path:
    ///
    /// 1. a memory with `register_file`, `shared`, `constant`, `predicate`, `flags` or `address_registers` in its path is
    ///    architectural;
    /// 2. a last component with the word `address`, `pc`, `base`, `pointer` or `index` is an address;
    /// 3. a last component with the word `data`, `operand`, `result`, `value`, `sum`, `product` or `word` is data;
    /// 4. everything else is control.
    ///
    /// Words are separated by `_`, and may be plurals or have a number at the end: `read_addresses`, `operand2[1]`. They
    /// are compared as a whole, because `consumed` contains `sum`.
    pub fn of(name: &str, storage: Storage) -> Kind {
        if storage == Storage::Memory && ARCHITECTURAL.iter().any(|text| name.contains(text)) {
            return Kind::Architectural;
        }
        let last = name.rsplit('.').next().unwrap_or(name);
        let last = last.split('[').next().unwrap_or(last);
        let words: Vec<&str> = last
            .split('_')
            .map(|word| word.trim_end_matches(|digit: char| digit.is_ascii_digit()))
            .collect();
        let means = |known: &&str| {
            words
                .iter()
                .filter_map(|word| word.strip_prefix(*known))
                .any(|rest| ["", "s", "es"].contains(&rest))
        };
        let row = WORDS.iter().find(|(_, known)| known.iter().any(means));
        row.map_or(Kind::Control, |(kind, _)| *kind)
    }
}

/// A register or memory of the circuits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// The path, as `sm[0].register_file.bank[3]`.
    pub name: String,
    /// The module that contains the site: the path without its last component; empty for a site of the top.
    pub module: String,
    /// The purpose of the bits.
    pub kind: Kind,
    /// Register or memory.
    pub storage: Storage,
    /// The number under which the simulation knows the register or memory.
    pub number: u32,
    /// Bits of an element, at least 1.
    pub width: u32,
    /// Elements, at least 1; 1 for a register.
    pub elements: u32,
}

impl Site {
    /// A site with the module and kind that follow from its path.
    pub fn new(name: impl Into<String>, storage: Storage, number: u32, width: u32, elements: u32) -> Site {
        let name = name.into();
        let module = name.rsplit_once('.').map_or("", |(module, _)| module);
        Site {
            module: module.to_string(),
            kind: Kind::of(&name, storage),
            storage,
            number,
            width,
            elements,
            name,
        }
    }

    /// Bits of all elements.
    pub fn bits(&self) -> u64 {
        u64::from(self.width) * u64::from(self.elements)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_follow_the_rules_in_order() {
        for (name, storage, kind) in [
            ("sm[0].register_file.bank[3]", Storage::Memory, Kind::Architectural),
            ("sm[0].address_registers.words", Storage::Memory, Kind::Architectural),
            ("sm[0].register_file.bank_valid", Storage::Register, Kind::Control),
            ("sm[0].scheduler.candidate.pc", Storage::Register, Kind::Address),
            ("sm[0].memory.read_addresses[2]", Storage::Register, Kind::Address),
            ("sm[0].memory.data_address", Storage::Register, Kind::Address),
            ("sm[0].lane[7].operand2", Storage::Register, Kind::Data),
            ("sm[0].lane[7].results", Storage::Register, Kind::Data),
            ("sm[0].queue.words", Storage::Memory, Kind::Data),
            ("sm[0].queue.consumed", Storage::Register, Kind::Control),
            ("sm[0].data.valid", Storage::Register, Kind::Control),
            ("", Storage::Register, Kind::Control),
        ] {
            assert_eq!(Kind::of(name, storage), kind, "{name}");
        }
    }

    #[test]
    fn module_is_the_path_before_the_name() {
        assert_eq!(Site::new("sm[0].a.b[1]", Storage::Register, 0, 4, 1).module, "sm[0].a");
        assert_eq!(Site::new("cycle", Storage::Register, 0, 4, 1).module, "");
    }

    #[test]
    fn largest_memory_does_not_overflow() {
        let site = Site::new("m", Storage::Memory, 0, u32::MAX, u32::MAX);
        assert_eq!(site.bits(), 0xffff_fffe_0000_0001);
    }
}
