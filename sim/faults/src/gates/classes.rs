//! The error classes of the study to which units are compared (SC 2023), derived from the unit outputs that differ.

use crate::sites::pattern;
use crate::text::named::named;
use hdlkit::gates::Unit;
use std::fmt::Write;

named! {
    /// An error class, with its published name.
    Class {
        /// Incorrect operation code: another valid operation, or an instruction at another PC.
        Ioc "IOC",
        /// Invalid operation code: the word is not an instruction.
        Ivoc "IVOC",
        /// Incorrect register addressed: the warp's allocation in the register file.
        Ira "IRA",
        /// Invalid register addressed: the number of a register.
        Ivra "IVRA",
        /// Incorrect immediate operand.
        Iio "IIO",
        /// Incorrect parallel parameters of the warp or block.
        Ipp "IPP",
        /// Wrong control flow.
        Wv "WV",
        /// Incorrect active threads.
        Iat "IAT",
        /// Incorrect active warp.
        Iaw "IAW",
        /// Incorrect active block.
        Iac "IAC",
        /// Incorrect active lanes.
        Ial "IAL",
        /// Incorrect memory source: the location of operands.
        Ims "IMS",
        /// Incorrect memory destination: the location of results.
        Imd "IMD",
        /// Incorrect functional unit or modifiers of its operation.
        Ifu "IFU",
    }
}

/// The meaning of an output that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// An error of this class.
    Class(Class),
    /// An error of [`Class::Ioc`] if the faulty word is an instruction, otherwise of [`Class::Ivoc`].
    Word,
    /// An error of no class.
    Nothing,
}

/// The meaning of each output: the first row with a pattern that matches the output's path below the unit decides. `*`
/// matches any text.
pub const TABLE: &[(&[&str], Meaning, &str)] = &[
    (
        &["heads.lower", "heads.upper", "s_issued_word"],
        Meaning::Word,
        "the instruction word",
    ),
    (
        &["*.illegal", "s_error*"],
        Meaning::Class(Class::Ivoc),
        "refused: not an instruction, or a wrong PC",
    ),
    (
        &["*.tag", "s_cause*", "*.fill", "*_fill", "*.buffer"],
        Meaning::Nothing,
        "numbers for traces, counters, first writes of registers",
    ),
    (
        &[
            "*.integer.operation",
            "*.float.operation",
            "*.special.operation",
            "*.quad*",
            "*.long",
        ],
        Meaning::Class(Class::Ioc),
        "operation and length",
    ),
    (
        &[
            "*.predicated",
            "*.condition*",
            "*.address_register",
            "*.address_enable",
            "*.indexing.register*",
            "*.size",
        ],
        Meaning::Class(Class::Ioc),
        "condition, address register, size of a move",
    ),
    (
        &["*.pc", "instruction.address", "instruction.enable", "heads.read_odd"],
        Meaning::Class(Class::Ioc),
        "program counter and address of the word",
    ),
    (
        &["*_live", "*.further", "*.row", "*.registers"],
        Meaning::Class(Class::Ira),
        "number and location of the warp's registers",
    ),
    (
        &[
            "*.a.register",
            "*.b.register",
            "*.c.register",
            "d_decoded.register",
            "*.decoded.register",
        ],
        Meaning::Class(Class::Ivra),
        "number of a source or of the result's register",
    ),
    (&["*.immediate"], Meaning::Class(Class::Iio), "immediate operand"),
    (
        &["*.shared_row", "*.shared_rows", "*.block_warps"],
        Meaning::Class(Class::Ipp),
        "shared memory and warps of a block",
    ),
    (
        &[
            "*.control",
            "*.target",
            "*.barrier*",
            "*.exit_marker",
            "*.join_marker",
            "*.ended",
            "*.redirected",
        ],
        Meaning::Class(Class::Wv),
        "branch, barrier, markers",
    ),
    (
        &[
            "*.register_enable",
            "*.halves",
            "*.store",
            "*.further_registers",
            "*.scatters",
        ],
        Meaning::Class(Class::Imd),
        "whether and where the result is written",
    ),
    (
        &[
            "*.source",
            "*.register_used",
            "*.part",
            "*.shared_offset",
            "*.shared_access",
            "*.constant_*",
            "*.indexing*",
            "*.load_signed",
            "collect.takes_place",
            "collect.holds",
        ],
        Meaning::Class(Class::Ims),
        "memory, address and size of a source",
    ),
    (
        &["*.unit", "*.integer*", "*.float*", "*.special*"],
        Meaning::Class(Class::Ifu),
        "unit, and the modifiers of its operation",
    ),
    (
        &["*active*", "*executed*", "*.mask"],
        Meaning::Class(Class::Iat),
        "thread masks",
    ),
    (&["*.block", "*.slot"], Meaning::Class(Class::Iac), "block"),
    (
        &["*.lanes", "*.beat", "*.carries"],
        Meaning::Class(Class::Ial),
        "lanes and beat",
    ),
    (
        &[
            "*.warp",
            "*.valid",
            "heads.available",
            "heads.both",
            "heads.read_warp",
            "s_reads",
            "s_idle",
            "*release*",
        ],
        Meaning::Class(Class::Iaw),
        "the warp, and whether there is one",
    ),
];

/// The meaning of an output by its path below the unit; [`Meaning::Nothing`] if no row matches.
pub fn meaning(path: &str) -> Meaning {
    let is_of = |patterns: &[&str]| patterns.iter().any(|pattern| pattern::matches(pattern, path));
    let row = TABLE.iter().find(|(patterns, ..)| is_of(patterns));
    row.map_or(Meaning::Nothing, |(_, meaning, _)| *meaning)
}

/// The meaning of each bit of a unit's output ports, indexed over all ports.
pub fn meanings(unit: &Unit) -> Vec<Meaning> {
    let names = unit.outputs.iter().flat_map(|port| &port.names);
    let below = |name: &String| {
        let name = name.strip_prefix(&unit.path).unwrap_or(name).trim_start_matches('.');
        // The path without the index of the bit.
        let end = name.rfind('[').filter(|_| name.ends_with(']')).unwrap_or(name.len());
        name[..end].to_string()
    };
    names.map(|name| meaning(&below(name))).collect()
}

/// The table in Markdown, as in `docs/reliability.md`.
pub fn table() -> String {
    let mut text = String::from("| class | outputs that differ | what they are |\n|---|---|---|\n");
    for (patterns, meaning, about) in TABLE {
        let class = match meaning {
            Meaning::Class(class) => class.name(),
            Meaning::Word => "IOC or IVOC",
            Meaning::Nothing => "none",
        };
        let patterns: Vec<String> = patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {class} | {} | {about} |", patterns.join(", "));
    }
    text
}

/// A set of classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Classes(u16);

impl Classes {
    /// Adds a class.
    pub fn insert(&mut self, class: Class) {
        self.0 |= 1 << class as u16;
    }

    /// The union of both sets.
    pub fn union(self, other: Classes) -> Classes {
        Classes(self.0 | other.0)
    }

    /// The classes in the order of tables.
    pub fn iter(self) -> impl Iterator<Item = Class> {
        Class::ALL
            .iter()
            .copied()
            .filter(move |class| self.0 >> *class as u16 & 1 == 1)
    }

    /// The names, separated by blanks.
    pub fn names(self) -> String {
        let names: Vec<&str> = self.iter().map(Class::name).collect();
        names.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_matching_row_decides() {
        for (path, expected) in [
            ("d_decoded.integer.operation", Meaning::Class(Class::Ioc)),
            ("d_decoded.integer.saturate", Meaning::Class(Class::Ifu)),
            ("s_issued.decoded.register", Meaning::Class(Class::Ivra)),
            ("s_issued.decoded.a.register", Meaning::Class(Class::Ivra)),
            ("s_issued.decoded.a.register_used", Meaning::Class(Class::Ims)),
            ("s_issued.decoded.indexing.register", Meaning::Class(Class::Ioc)),
            ("s_issued.decoded.register_enable", Meaning::Class(Class::Imd)),
            ("s_issued.a_live", Meaning::Class(Class::Ira)),
            ("heads.lower", Meaning::Word),
            ("heads.pop.warp", Meaning::Class(Class::Iaw)),
            ("s_issued.tag", Meaning::Nothing),
            ("an.unknown.output", Meaning::Nothing),
        ] {
            assert_eq!(meaning(path), expected, "{path}");
        }
    }

    #[test]
    fn manual_contains_the_table() {
        let manual = include_str!("../../../../docs/reliability.md");
        assert!(manual.contains(&table()), "docs/reliability.md lacks\n{}", table());
    }

    #[test]
    fn sets_of_classes_have_names() {
        let mut classes = Classes::default();
        assert_eq!(classes.names(), "");
        classes.insert(Class::Ifu);
        classes.insert(Class::Ioc);
        assert_eq!(classes.names(), "IOC IFU");
        assert_eq!(classes.union(classes), classes);
    }
}
