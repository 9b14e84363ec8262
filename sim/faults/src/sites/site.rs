//! Sites: the registers and memories of the circuits, in which faults are injected.

use crate::models::engine::Engine;
use crate::models::model::Model;
use crate::text::named::named;
use serde::{Deserialize, Serialize};

named! {
    /// The purpose of a site's bits. The rules are at [`Kind::of`].
    Kind {
        /// State, counters, valid bits, masks, and all bits of no other kind.
        Control "control",
        /// Operands and results of instructions in flight.
        Data "data",
        /// Addresses, program counters, indices.
        Address "address",
        /// Architectural state: registers, predicates, address registers, shared and constant memory.
        Architectural "architectural",
        /// Instructions of the float lanes. This kind and all kinds below are only on the golden model.
        Float "float",
        /// Instructions of the special function units.
        Special "special",
        /// Instructions of the integer lanes, moves included.
        Integer "integer",
        /// Branches, barriers, and other instructions that only affect control flow.
        Branch "branch",
        /// Loads from global and local memory.
        Load "load",
        /// Stores to global, local and shared memory.
        Store "store",
        /// All instructions of a streaming multiprocessor.
        All "all",
    }
}

named! {
    /// The kind of storage of a site.
    Storage {
        /// Flip-flops: one element.
        Register "register",
        /// A memory with an element for each address.
        Memory "memory",
        /// A pin of a gate, in a block that is simulated as gates; stores nothing.
        Gate "gate",
        /// An instruction of the program on the golden model, by its address: an element for each lane.
        Instruction "instruction",
        /// A streaming multiprocessor of the golden model, for permanent faults.
        Multiprocessor "multiprocessor",
    }
}

/// Words of names with the kind that they imply. [`Kind::of`] uses the first row with a word of the name.
const WORDS: [(Kind, &[&str]); 3] = [
    // Flags and sizes of an address or a result, which contain neither.
    (Kind::Control, &["enable", "valid", "live", "width"]),
    (Kind::Address, &["address", "pc", "base", "pointer", "index"]),
    (
        Kind::Data,
        &[
            "data",
            "operand",
            "result",
            "value",
            "word",
            "response",
            "immediate",
            "parameter",
            "sum",
            "product",
            "addend",
            "augend",
            "coefficient",
            "magnitude",
            "exponent",
        ],
    ),
];
/// A memory is architectural if a component of its path contains one of these names.
const ARCHITECTURAL: &[&str] = &[
    "register_file",
    "address_file",
    "predicate_file",
    "shared_memory",
    "constant_memory",
    "instruction_memory",
];

impl Storage {
    /// The engine that has sites with this storage.
    pub fn engine(self) -> Engine {
        match self {
            Storage::Register | Storage::Memory | Storage::Gate => Engine::Circuits,
            Storage::Instruction | Storage::Multiprocessor => Engine::GoldenModel,
        }
    }
}

impl Kind {
    /// The engine that has sites of this kind.
    pub fn engine(self) -> Engine {
        match self {
            Kind::Control | Kind::Data | Kind::Address | Kind::Architectural => Engine::Circuits,
            _ => Engine::GoldenModel,
        }
    }

    /// The kind of a site, from the words of its path:
    ///
    /// | kind | words |
    /// |---|---|
    /// | architectural | memories with `register_file`, `address_file`, `predicate_file`, `shared_memory`, `constant_memory` or `instruction_memory` in any component |
    /// | control | `enable`, `valid`, `live`, `width` |
    /// | address | `address`, `pc`, `base`, `pointer`, `index` |
    /// | data | `data`, `operand`, `result`, `value`, `word`, `response`, `immediate`, `parameter`, `sum`, `product`, `addend`, `augend`, `coefficient`, `magnitude`, `exponent` |
    /// | control | everything else |
    ///
    /// The first matching line decides. From the second line on, only the last component is matched: `data.valid` is
    /// control. The last components of a memory's path are often banks (`words.even[0]`, `responses.groups[3]`), so its
    /// last component with any of the words decides.
    ///
    /// Words are separated by `_`, and may be plural or end in a number: `read_addresses`, `operand2[1]`. Only whole
    /// words match, because `consumed` contains `sum`.
    pub fn of(name: &str, storage: Storage) -> Kind {
        let of_words = |component: &str| {
            let row = WORDS
                .iter()
                .find(|(_, known)| known.iter().any(|known| has(component, known)));
            row.map(|(kind, _)| *kind)
        };
        let mut components = name.rsplit('.');
        let kind = match storage {
            Storage::Memory
                if name
                    .split('.')
                    .any(|part| ARCHITECTURAL.iter().any(|known| has(part, known))) =>
            {
                Some(Kind::Architectural)
            }
            Storage::Memory => components.find_map(of_words),
            Storage::Register => components.next().and_then(of_words),
            // The name of the pin follows the name of the net that the gate drives.
            Storage::Gate => components.nth(1).and_then(of_words),
            Storage::Instruction | Storage::Multiprocessor => Some(Kind::All),
        };
        kind.unwrap_or(Kind::Control)
    }
}

/// True if the words of `known` are adjacent words of a component of a path.
fn has(component: &str, known: &str) -> bool {
    let component = component.split('[').next().unwrap_or(component);
    let words: Vec<&str> = component
        .split('_')
        .map(|word| word.trim_end_matches(|digit: char| digit.is_ascii_digit()))
        .collect();
    let known: Vec<&str> = known.split('_').collect();
    let same = |(word, known): (&&str, &&str)| {
        let rest = word.strip_prefix(known);
        rest.is_some_and(|rest| ["", "s", "es"].contains(&rest))
    };
    words
        .windows(known.len())
        .any(|words| words.iter().zip(&known).all(same))
}

/// The unit that contains a site: the part of the chip below the top, or below an SM. `sm[0].scheduler.s2.word` is in
/// `sm[0].scheduler`, `host_interface.answer.valid` in `host_interface`; a register of the top is its own unit.
pub fn unit(site: &str) -> &str {
    let mut dots = site.match_indices('.').map(|(at, _)| at);
    let end = match site.starts_with("sm[") {
        true => dots.nth(1),
        false => dots.next(),
    };
    end.map_or(site, |end| &site[..end])
}

/// The bits of the longest result or instruction word in which a fault can be: a load of 128 bits, with its address
/// register and condition code.
const INSTRUCTION_BITS: u32 = 128 + 16 + 4;

/// A register or memory of the circuits, or an instruction of the golden model.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// The path, such as `sm[0].register_file.bank[3]`.
    pub name: String,
    /// The module that contains the site: the path without its last component; empty for a site of the top.
    pub module: String,
    /// The purpose of the bits.
    pub kind: Kind,
    /// The storage of the bits.
    pub storage: Storage,
    /// The number of the register or memory in the simulation.
    pub number: u32,
    /// The width of an element in bits, at least 1.
    pub width: u32,
    /// The number of elements, at least 1; 1 for a register.
    pub elements: u32,
    /// For stuck-at-0 and stuck-at-1: true if the fault is listed. At a pin of a gate it may be equivalent to another
    /// fault, which represents both.
    #[serde(default = "both", skip_serializing_if = "is_both")]
    pub stuck: [bool; 2],
}

fn both() -> [bool; 2] {
    [true; 2]
}

fn is_both(stuck: &[bool; 2]) -> bool {
    *stuck == both()
}

impl Site {
    /// A site with the module and kind derived from its path.
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
            stuck: both(),
        }
    }

    /// A pin in a module of gates, with the stuck-at values that are listed.
    pub fn pin(module: impl Into<String>, name: impl Into<String>, number: u32, stuck: [bool; 2]) -> Site {
        Site {
            module: module.into(),
            stuck,
            ..Site::new(name, Storage::Gate, number, 1, 1)
        }
    }

    /// True if its bits can have a fault of this model.
    pub fn has(&self, model: Model) -> bool {
        match model {
            Model::Flip | Model::Delayed => self.storage != Storage::Gate,
            Model::StuckAt0 => self.stuck[0],
            Model::StuckAt1 => self.stuck[1],
            _ => true,
        }
    }

    /// An instruction of the golden model's program, of this kind, at byte address `pc`; `mnemonic` is its module.
    pub fn instruction(mnemonic: &str, kind: Kind, pc: u32) -> Site {
        let name = format!("{mnemonic}.{pc:#06x}");
        Site {
            module: mnemonic.to_string(),
            kind,
            ..Site::new(name, Storage::Instruction, pc / 4, INSTRUCTION_BITS, 32)
        }
    }

    /// The instructions of one kind, or all, that a multiprocessor of the golden model executes.
    pub fn multiprocessor(number: u32, kind: Kind) -> Site {
        let part = if kind == Kind::All {
            String::new()
        } else {
            format!(".{kind}")
        };
        let name = format!("sm[{number}]{part}");
        Site {
            module: format!("sm[{number}]"),
            kind,
            ..Site::new(name, Storage::Multiprocessor, number, INSTRUCTION_BITS, 1)
        }
    }

    /// The engine that has the site.
    pub fn engine(&self) -> Engine {
        self.storage.engine()
    }

    /// The number of bits of all elements.
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
            (
                "sm[0].collector.address_file.bank[1]",
                Storage::Memory,
                Kind::Architectural,
            ),
            ("sm[0].instruction_memory.memory", Storage::Memory, Kind::Architectural),
            ("sm[0].predicate_file.group[0]", Storage::Memory, Kind::Architectural),
            ("sm[0].collector.shared_row", Storage::Memory, Kind::Control),
            ("sm[0].memory_unit.words.even[0]", Storage::Memory, Kind::Data),
            ("sm[0].memory_unit.responses.groups[3]", Storage::Memory, Kind::Data),
            ("sm[0].collector.addresses.pair[1]", Storage::Memory, Kind::Address),
            ("sm[0].branch.stack.memory", Storage::Memory, Kind::Control),
            ("sm[0].execute.lane[7].x3.addend", Storage::Register, Kind::Data),
            ("sm[0].execute.lane[7].x3.augend", Storage::Register, Kind::Data),
            ("host_interface.write_data", Storage::Register, Kind::Data),
            ("sm[0].memory_unit.response", Storage::Register, Kind::Data),
            ("sm[0].read.r0.address_enable", Storage::Register, Kind::Control),
            ("sm[0].read.r0.result_width", Storage::Register, Kind::Control),
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
    fn unit_is_below_the_chip_or_an_sm() {
        for (name, expected) in [
            ("sm[0].scheduler.s2.word", "sm[0].scheduler"),
            ("sm[12].lane[3].sum", "sm[12].lane[3]"),
            ("sm[0].idle", "sm[0].idle"),
            ("host_interface.answer.valid", "host_interface"),
            ("events[0].counts", "events[0]"),
            ("failed", "failed"),
            ("", ""),
        ] {
            assert_eq!(unit(name), expected);
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
