//! The lookup of a word's row: a decision tree over groups of adjacent bits, built once for each set.

use crate::field::ones;
use crate::row::{stem, Length, Row};
use std::collections::HashMap;
use std::sync::OnceLock;

/// The cell in a set for its lookup structures.
#[derive(Debug, Default)]
pub struct Built(pub(crate) OnceLock<Index>);

impl Built {
    /// An empty cell.
    pub const fn new() -> Built {
        Built(OnceLock::new())
    }
}

/// Limit for the bits that one node of the tree selects by.
const WIDEST: u32 = 8;
/// Up to this many rows are compared one after another.
const LEAF: usize = 3;

/// A node: the child is `nodes[first + (word >> shift & mask)]`, or, if `leaf` is not 0, the rows are
/// `entries[first .. first + leaf]`.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    first: u32,
    leaf: u16,
    shift: u8,
    mask: u8,
}

/// A row in a leaf.
#[derive(Clone, Copy, Debug)]
struct Entry {
    mask: u128,
    value: u128,
    row: u32,
}

/// The lookup structures of a set.
#[derive(Debug)]
pub(crate) struct Index {
    /// The rows of this version of the set, in the table's order.
    pub rows: Vec<&'static Row>,
    /// By stem of the mnemonic: rows with the numbers of their notations, in the table's order. The rows' own texts
    /// precede the aliases.
    pub stems: HashMap<&'static str, Vec<(u32, u8)>>,
    /// The lookup structures of the control words.
    pub control: Option<Box<Index>>,
    nodes: Vec<Node>,
    entries: Vec<Entry>,
    /// Length by first halfword; `None` where it is unknown.
    pub lengths: Vec<Option<Length>>,
}

impl Index {
    /// Builds the lookup structures of these rows.
    pub fn new(rows: Vec<&'static Row>) -> Index {
        let mut order: Vec<Entry> = rows
            .iter()
            .zip(0..)
            .map(|(row, number)| Entry {
                mask: row.mask,
                value: row.value,
                row: number,
            })
            .collect();
        order.sort_by_key(|entry| std::cmp::Reverse(rows[entry.row as usize].rank));
        let mut stems: HashMap<_, Vec<(u32, u8)>> = HashMap::new();
        for (row, number) in rows.iter().zip(0..) {
            stems.entry(row.stem()).or_default().push((number, 0));
        }
        for (row, number) in rows.iter().zip(0..) {
            for (alias, notation) in row.also.iter().zip(1..) {
                stems.entry(stem(alias.mnemonic)).or_default().push((number, notation));
            }
        }
        let mut index = Index {
            rows,
            stems,
            control: None,
            nodes: vec![Node::default()],
            entries: Vec::new(),
            lengths: Vec::new(),
        };
        index.build(0, &order, 0);
        index
    }

    /// Fills a node with the tree for the entries; the bits of `known` have been compared above it.
    fn build(&mut self, node: usize, entries: &[Entry], known: u128) {
        // An entry that matches whenever this node is reached hides the entries of lower rank after it.
        let end = entries
            .iter()
            .position(|entry| entry.mask & !known == 0)
            .map_or(entries.len(), |at| at + 1);
        let entries = &entries[..end];
        let best = if entries.len() > LEAF {
            best_group(entries, known)
        } else {
            None
        };
        let Some((shift, width)) = best else {
            self.nodes[node] = Node {
                first: self.entries.len() as u32,
                leaf: entries.len() as u16 + 1,
                shift: 0,
                mask: 0,
            };
            self.entries.extend_from_slice(entries);
            return;
        };
        let first = self.nodes.len();
        self.nodes[node] = Node {
            first: first as u32,
            leaf: 0,
            shift: shift as u8,
            mask: ones(width) as u8,
        };
        self.nodes.resize(first + (1 << width), Node::default());
        let group = ones(width) << shift;
        for value in 0..1u128 << width {
            let part: Vec<Entry> = entries
                .iter()
                .filter(|entry| (entry.value ^ value << shift) & entry.mask & group == 0)
                .copied()
                .collect();
            self.build(first + value as usize, &part, known | group);
        }
    }

    /// The number of the row that matches the word.
    pub fn find(&self, word: u128) -> Option<u32> {
        let mut node = self.nodes[0];
        while node.leaf == 0 {
            node = self.nodes[node.first as usize + ((word >> node.shift) as usize & node.mask as usize)];
        }
        let first = node.first as usize;
        self.entries[first..first + node.leaf as usize - 1]
            .iter()
            .find(|entry| word & entry.mask == entry.value)
            .map(|entry| entry.row)
    }
}

/// The group of bits, as shift and width, that leaves the fewest rows to compare; `None` if no bit helps.
fn best_group(entries: &[Entry], known: u128) -> Option<(u32, u32)> {
    let all = entries.iter().fold(0, |mask, entry| mask | entry.mask) & !known;
    let mut best: Option<(f64, u32, u32)> = None;
    for shift in 0..128 {
        if all >> shift & 1 == 0 {
            continue;
        }
        for width in 1..=WIDEST.min(128 - shift) {
            if all >> (shift + width - 1) & 1 == 0 {
                continue;
            }
            let mut counts = [0u32; 1 << WIDEST];
            for entry in entries {
                let mask = entry.mask >> shift & ones(width);
                let free = ones(width) & !mask;
                let fixed = entry.value >> shift & mask;
                // Enumerates all values of the free bits.
                let mut some = free;
                loop {
                    counts[(fixed | some) as usize] += 1;
                    if some == 0 {
                        break;
                    }
                    some = (some - 1) & free;
                }
            }
            let counts = &counts[..1 << width];
            let most = counts.iter().copied().max().unwrap_or(0);
            if most as usize >= entries.len() && counts.iter().all(|&count| count as usize == entries.len()) {
                continue;
            }
            // The average number of rows left, squared because a deeper tree costs more, plus the table's size.
            let square: f64 = counts.iter().map(|&count| f64::from(count) * f64::from(count)).sum();
            let cost = square / counts.len() as f64 + f64::from(width) * 0.05;
            if best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, shift, width));
            }
        }
    }
    best.map(|(_, shift, width)| (shift, width))
}
