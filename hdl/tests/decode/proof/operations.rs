//! A row's operations, as functions of the bits that select them.

use super::reference::{is_named, Reference, BITS};
use crate::controls::Controls;
use flexgrip_exhaustive::bdd::Function;
use flexgrip_isa as isa;
use isa::table::{Location, Role, Suffix};
use isa::Row;

/// Maximum number of bits that select a row's operation: all their values are tried.
const MOST_OPERATION_BITS: usize = 24;
/// The outputs that hold an operation's numbers. Numbers do not form classes like controls, because there would be too
/// many.
const NUMBERS: [&str; 7] = [
    "target",
    "barrier.barrier",
    "barrier.threads",
    "barrier.arrives",
    "barrier.waits",
    "quad.thread",
    "quad.operations",
];

/// Operations of a row that require the same control lines.
pub struct Class {
    pub when: Function,
    /// The common control lines, without the numbers.
    pub controls: Controls,
    pub numbers: Vec<(&'static str, Vec<Function>)>,
}

impl Reference {
    /// The row's operations over all values of the bits that select them, grouped by the control lines that they
    /// require.
    pub fn classes(&mut self, row: &Row) -> Vec<Class> {
        let free = row.operation_bits() & !row.pattern.mask;
        // The first bit in the diagrams' order is the highest bit of an index.
        let mut order: Vec<u32> = (0..BITS).filter(|bit| free >> bit & 1 == 1).collect();
        order.sort_by_key(|bit| self.levels[*bit as usize]);
        assert!(order.len() <= MOST_OPERATION_BITS, "{}: too many operations", row.name);
        let spread = Spread::new(&order);
        let looked_at = LookedAt::new(row);
        let widths = NUMBERS.map(|name| self.fields_of(name).iter().map(|field| field.width).sum::<usize>());
        // All numbers, and quad.exchanges, which is not a number.
        let numbers = ["target", "barrier", "quad"].map(|name| self.fields_of(name).len());
        assert_eq!(numbers.iter().sum::<usize>(), NUMBERS.len() + 1);

        const NONE: u16 = u16::MAX;
        let mut found: Vec<(Controls, [bool; NUMBERS.len()])> = vec![];
        let (mut kinds, mut numbers) = (vec![], vec![]);
        let mut last = 0;
        for index in 0..1usize << order.len() {
            let word = row.pattern.value | spread.word(index);
            if !looked_at.defined(word) {
                kinds.push(NONE);
                numbers.push(0);
                continue;
            }
            let operation = (row.operation)(word);
            if let Some(less) = looked_at.less(word) {
                assert_eq!(operation, (row.operation)(less), "{}: {word:#x} and {less:#x}", row.name);
            }
            let mut controls = Controls::of(row, operation);
            let number = [
                controls.target.take().map(u64::from),
                controls.barrier.map(|barrier| barrier.barrier.raw()),
                controls.barrier.map(|barrier| barrier.threads.raw()),
                controls.barrier.map(|barrier| u64::from(barrier.arrives)),
                controls.barrier.take().map(|barrier| u64::from(barrier.waits)),
                controls.quad.map(|quad| quad.thread.raw()),
                controls.quad.map(|quad| quad.operations.raw()),
            ];
            if let Some(quad) = &mut controls.quad {
                (quad.thread, quad.operations) = Default::default();
            }
            let (mut packed, mut low) = (0, 0);
            for (number, width) in number.iter().zip(widths) {
                let number = number.unwrap_or(0);
                assert_eq!(number >> width, 0, "{}: {operation:?}", row.name);
                packed |= number << low;
                low += width;
            }
            let class = (controls, number.map(|number| number.is_some()));
            if found.get(last) != Some(&class) {
                last = found.iter().position(|known| *known == class).unwrap_or_else(|| {
                    found.push(class);
                    found.len() - 1
                });
            }
            kinds.push(last as u16);
            numbers.push(packed);
        }
        assert!(found.len() < usize::from(NONE));

        let variables: Vec<u32> = order.iter().map(|bit| self.levels[*bit as usize]).collect();
        let numbers = self.numbers(&order, &variables, &kinds, NONE, &numbers, widths.iter().sum());
        let mut classes = vec![];
        for (kind, (controls, which)) in found.into_iter().enumerate() {
            let table: Vec<bool> = kinds.iter().map(|is| usize::from(*is) == kind).collect();
            let (mut own, mut low) = (vec![], 0);
            for ((name, width), is) in NUMBERS.into_iter().zip(widths).zip(which) {
                if is {
                    own.push((name, numbers[low..low + width].to_vec()));
                }
                low += width;
            }
            classes.push(Class { when: self.diagrams.of_table(&variables, &table), controls, numbers: own });
        }
        classes
    }

    /// The functions for the bits of numbers, from the numbers for all values of `order`'s bits, except values of kind
    /// `none`.
    fn numbers(
        &mut self,
        order: &[u32],
        variables: &[u32],
        kinds: &[u16],
        none: u16,
        numbers: &[u64],
        width: usize,
    ) -> Vec<Function> {
        // Usually each bit equals a bit of the word, which is found by changing single bits. The guess is then checked
        // for all values.
        let first = numbers[0];
        let changes: Vec<u64> = (0..order.len()).map(|place| first ^ numbers[1 << (order.len() - 1 - place)]).collect();
        let half = order.len() / 2;
        let combined = |places: std::ops::Range<usize>| -> Vec<u64> {
            let end = places.end;
            let index = |index: usize| {
                let set = places.clone().filter(move |place| index >> (end - 1 - place) & 1 == 1);
                set.fold(0, |change, place| change ^ changes[place])
            };
            (0..1usize << places.len()).map(index).collect()
        };
        let (upper, lower) = (combined(0..half), combined(half..order.len()));
        let low_bits = order.len() - half;
        let mut all = numbers.iter().zip(kinds).enumerate();
        let linear = all.all(|(index, (number, kind))| {
            *kind == none || *number == first ^ upper[index >> low_bits] ^ lower[index & ((1 << low_bits) - 1)]
        });
        let mut functions = vec![];
        for bit in 0..width {
            functions.push(if linear {
                let mut function = Function::constant(first >> bit & 1 == 1);
                for (place, change) in changes.iter().enumerate() {
                    if change >> bit & 1 == 1 {
                        function = self.diagrams.xor(function, self.word[order[place] as usize]);
                    }
                }
                function
            } else {
                let table: Vec<bool> = numbers.iter().map(|number| number >> bit & 1 == 1).collect();
                self.diagrams.of_table(variables, &table)
            });
        }
        functions
    }
}

/// Spreads the bits of numbers to positions in a word.
struct Spread {
    upper: Vec<u64>,
    lower: Vec<u64>,
    lower_bits: usize,
}

impl Spread {
    /// The first entry of `order` is the position of a number's highest bit.
    fn new(order: &[u32]) -> Self {
        let (upper, lower) = order.split_at(order.len() / 2);
        let table = |order: &[u32]| {
            let set = |number: usize| {
                let places = order.iter().rev().enumerate();
                places.fold(0, |word, (place, bit)| word | (number as u64 >> place & 1) << bit)
            };
            (0..1usize << order.len()).map(set).collect()
        };
        Spread { upper: table(upper), lower: table(lower), lower_bits: lower.len() }
    }

    fn word(&self, number: usize) -> u64 {
        self.upper[number >> self.lower_bits] | self.lower[number & (self.lower.len() - 1)]
    }
}

/// The operation bits of a row that are fields of a word.
struct LookedAt<'a> {
    row: &'a Row,
    /// Bits that are fields in only some words.
    sometimes: u64,
}

impl<'a> LookedAt<'a> {
    fn new(row: &'a Row) -> Self {
        let mut looked_at = LookedAt { row, sometimes: 0 };
        let registers = row.suffixes.iter().map(|suffix| match suffix {
            Suffix::Carry(_, register) => register.mask(),
            _ => 0,
        });
        looked_at.sometimes = registers.fold(0, |bits, register| bits | register) & !row.pattern.mask;
        let nested = row.slots.iter().any(|slot| {
            slot.role == Role::Inherent && matches!(slot.location, Location::Select(..) | Location::Undefined)
        });
        assert!(!nested, "{}: operation bits in a location that is selected", row.name);
        looked_at
    }

    /// True if the fields that select the operation are defined.
    fn defined(&self, word: u64) -> bool {
        let suffixes = self.row.suffixes.iter().all(|suffix| match suffix {
            Suffix::Names(field, names) => is_named(names, field.get(word)),
            _ => true,
        });
        suffixes
            && self.row.slots.iter().all(|slot| match slot.location {
                Location::Named(field, names) => is_named(names, field.get(word)),
                _ => true,
            })
    }

    /// The word without operation bits outside its fields, if there are any.
    fn less(&self, word: u64) -> Option<u64> {
        let carries = self.row.suffixes.iter().any(|suffix| match suffix {
            Suffix::Carry(field, _) => field.get(word) == 3,
            _ => false,
        });
        (word & self.sometimes != 0 && !carries).then_some(word & !self.sometimes)
    }
}
