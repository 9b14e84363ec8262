//! The tables of the instruction sets.

pub mod fermi;
pub mod g13;
pub mod kepler;
pub mod maxwell;
mod nvidia;
pub mod usse;

use crate::set::Set;

/// All sets.
pub fn sets() -> &'static [&'static Set] {
    static SETS: [&Set; 8] = [
        &g13::G13,
        &usse::USSE,
        &fermi::SM20,
        &fermi::SM30,
        &kepler::SM35,
        &maxwell::SM50,
        &maxwell::SM52,
        &maxwell::SM60,
    ];
    &SETS
}

/// The set with a name.
pub fn set(name: &str) -> Option<&'static Set> {
    sets().iter().copied().find(|set| set.name == name)
}

/// The names of all sets, for messages: `g13, usse, ...`.
pub fn set_names() -> String {
    let names: Vec<&str> = sets().iter().map(|set| set.name).collect();
    names.join(", ")
}

/// The set of an NVIDIA architecture, by its number: the latest set of the same generation that is not newer. 53
/// (sm_53) selects `sm52`, 37 selects `sm35`. `None` for architectures without a set.
pub fn of_architecture(number: u32) -> Option<&'static Set> {
    let same = |set: &&Set| set.version != 0 && u32::from(set.version) / 10 == number / 10;
    let earlier = sets()
        .iter()
        .copied()
        .filter(same)
        .filter(|set| u32::from(set.version) <= number);
    earlier.max_by_key(|set| set.version)
}
