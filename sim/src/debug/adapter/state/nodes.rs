//! Numbers of everything that a client can expand.

use crate::debug::target::{Register, WarpId};
use std::collections::HashMap;

/// An item that a client can expand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::debug::adapter) enum Node {
    /// A frame: its warp, `None` for the grid's frame, and its depth, 0 for the innermost.
    Frame(Option<WarpId>, usize),
    /// The registers of a lane.
    Lane(WarpId, u8),
    /// A register of a lane, in other types.
    Types(WarpId, u8, Register),
    /// All registers, each with its lanes.
    Lanes(WarpId),
    /// The lanes of a register.
    LanesOf(WarpId, Register),
    /// The condition codes of a lane.
    Conditions(WarpId, u8),
    /// The address registers of a lane.
    Addresses(WarpId, u8),
    /// The other state of a warp.
    Warp(WarpId),
    /// The divergence stack of a warp.
    Stack(WarpId),
    /// The instructions in flight of a warp.
    InFlight(WarpId),
    /// The memories that a lane sees.
    Memories(WarpId, u8),
    /// The signals whose paths begin with this text; all if it is empty.
    Signals(String),
}

/// The numbers of nodes. They are valid until the kernel runs; then new nodes get other numbers, so outdated numbers
/// are recognised.
#[derive(Debug)]
pub(in crate::debug::adapter) struct Nodes {
    nodes: Vec<Node>,
    numbers: HashMap<Node, i64>,
    first: i64,
}

/// The protocol has numbers below 2^31; beyond this limit, they start again.
const MOST_NUMBERS: i64 = 1 << 30;

impl Nodes {
    /// Creates an empty table.
    pub fn new() -> Self {
        Nodes {
            nodes: Vec::new(),
            numbers: HashMap::new(),
            first: 1,
        }
    }

    /// The number of a node.
    pub fn number(&mut self, node: Node) -> i64 {
        let next = self.first + self.nodes.len() as i64;
        *self.numbers.entry(node).or_insert_with_key(|node| {
            self.nodes.push(node.clone());
            next
        })
    }

    /// The node with a number.
    ///
    /// # Errors
    /// There is no such node, or it is outdated.
    pub fn get(&self, number: i64) -> Result<Node, String> {
        let index = number
            .checked_sub(self.first)
            .and_then(|index| usize::try_from(index).ok());
        let node = index.and_then(|index| self.nodes.get(index));
        node.cloned()
            .ok_or_else(|| format!("{number} is not a valid reference; references become invalid when the kernel runs"))
    }

    /// Invalidates all numbers.
    pub fn clear(&mut self) {
        self.first += self.nodes.len() as i64;
        if self.first > MOST_NUMBERS {
            self.first = 1;
        }
        self.nodes.clear();
        self.numbers.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outdated_numbers_are_recognised() {
        let mut nodes = Nodes::new();
        let id = WarpId { block: 0, warp: 0 };
        let number = nodes.number(Node::Lanes(id));
        assert_eq!(nodes.number(Node::Lanes(id)), number);
        let other = nodes.number(Node::Warp(id));
        assert_ne!(other, number);
        assert_eq!(nodes.get(other), Ok(Node::Warp(id)));
        nodes.clear();
        let later = nodes.number(Node::Stack(id));
        assert!(nodes.get(number).is_err() && nodes.get(other).is_err());
        assert_eq!(nodes.get(later), Ok(Node::Stack(id)));
        assert!(nodes.get(0).is_err() && nodes.get(i64::MIN).is_err() && nodes.get(i64::MAX).is_err());
    }
}
