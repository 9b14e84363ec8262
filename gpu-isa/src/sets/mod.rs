//! The tables of the instruction sets.

pub mod fermi;
pub mod g13;
pub mod kepler;
pub mod maxwell;
pub mod usse;

use crate::set::Set;

/// All sets.
pub fn sets() -> &'static [&'static Set] {
    static SETS: [&Set; 8] = [
        &g13::G13,
        &usse::USSE,
        &maxwell::SM50,
        &maxwell::SM52,
        &maxwell::SM60,
        &kepler::SM35,
        &fermi::SM30,
        &fermi::SM20,
    ];
    &SETS
}

/// The set with a name.
pub fn set(name: &str) -> Option<&'static Set> {
    sets().iter().copied().find(|set| set.name == name)
}
