//! Positions of a circuit's ports among its words.

use crate::design::words_of;
use hdlkit::kernel::scope::collect_signals;
use hdlkit::kernel::syntax::source_text::pretty;
use hdlkit::Structure;
use std::collections::BTreeMap;

/// The positions of a block's ports in its words.
pub struct PortPlaces {
    places: BTreeMap<String, usize>,
    words: usize,
}

impl PortPlaces {
    /// The first word of a port, named as in the source: `trace[0].issue_valid`; for an array, the first word of its
    /// first element.
    ///
    /// # Panics
    /// If there is no such port.
    pub fn place(&self, name: &str) -> usize {
        let place = self.places.get(name).or_else(|| self.places.get(&format!("{name}[0]")));
        *place.unwrap_or_else(|| panic!("the circuit has no port `{name}`"))
    }

    /// The number of words of all ports.
    pub fn words(&self) -> usize {
        self.words
    }
}

/// The positions of a block's ports in the words of [`Ports`](hdlkit::Ports) and
/// [`MachineCode::ports`](crate::MachineCode::ports).
pub fn port_places(block: &dyn Structure) -> PortPlaces {
    let mut place = 0;
    let mut places = BTreeMap::new();
    let scope = collect_signals(block, "top");
    let atoms = scope.iter().flat_map(|top| &top.atoms);
    for atom in atoms.filter(|atom| atom.kind.is_parameter()) {
        places.insert(pretty(&atom.key), place);
        let leaves = atom.shape.leaves().into_iter();
        place += leaves
            .map(|(_, _, leaf)| words_of(leaf.width() as u32) as usize)
            .sum::<usize>();
    }
    PortPlaces { places, words: place }
}
