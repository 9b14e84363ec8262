//! Boolean functions as ordered binary decision diagrams. Two functions are equal exactly if their [`Function`]s are
//! equal, so a comparison is a proof over all inputs. Differences can be counted and shown.
//!
//! A diagram tests the variables in order, beginning with 0. Edges may be inverted: a function and its inverse share a
//! node. The edge for a variable of 0 is never inverted, which makes diagrams unique.

use crate::logic::{Graph, Literal, Node as Gate};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A function of the variables of a [`Diagrams`]: the index of a node, and in the lowest bit 1 if it is inverted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Function(u32);

impl Function {
    /// The function that is false everywhere.
    pub const FALSE: Function = Function(0);
    /// The function that is true everywhere.
    pub const TRUE: Function = Function(1);

    /// A constant function.
    pub const fn constant(value: bool) -> Function {
        Function(value as u32)
    }

    const fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    const fn inverted_if(self, is: bool) -> Function {
        Function(self.0 ^ is as u32)
    }

    const fn inverted(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Function {
    type Output = Function;

    fn not(self) -> Function {
        self.inverted_if(true)
    }
}

/// A node: the function equals `low` where the variable is 0, otherwise `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    low: Function,
    high: Function,
}

/// The variable of the constant's node, after all others.
const NO_VARIABLE: u32 = u32::MAX;

/// A hash function for a few small numbers.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0.rotate_left(23) ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// Functions and their nodes. Nodes are never freed.
#[derive(Debug)]
pub struct Diagrams {
    nodes: Vec<Node>,
    known: Map<Node, u32>,
    products: Map<(Function, Function), Function>,
    sums: Map<(Function, Function), Function>,
}

impl Default for Diagrams {
    fn default() -> Self {
        Diagrams {
            nodes: vec![Node {
                variable: NO_VARIABLE,
                low: Function::FALSE,
                high: Function::FALSE,
            }],
            known: Map::default(),
            products: Map::default(),
            sums: Map::default(),
        }
    }
}

impl Diagrams {
    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The function that equals `low` where the variable is 0, otherwise `high`. Both may only depend on later
    /// variables.
    fn node(&mut self, variable: u32, low: Function, high: Function) -> Function {
        if low == high {
            return low;
        }
        let inverted = low.inverted();
        let node = Node {
            variable,
            low: low.inverted_if(inverted),
            high: high.inverted_if(inverted),
        };
        let nodes = &mut self.nodes;
        let index = *self.known.entry(node).or_insert_with(|| {
            nodes.push(node);
            (nodes.len() - 1) as u32
        });
        Function(index << 1).inverted_if(inverted)
    }

    fn first_variable(&self, function: Function) -> u32 {
        self.nodes[function.node()].variable
    }

    /// The function for the variable at 0 and at 1. The variable must not be after the function's first one.
    fn halves(&self, function: Function, variable: u32) -> (Function, Function) {
        let node = self.nodes[function.node()];
        if node.variable != variable {
            return (function, function);
        }
        let inverted = function.inverted();
        (node.low.inverted_if(inverted), node.high.inverted_if(inverted))
    }

    /// The function that equals a variable.
    pub fn variable(&mut self, variable: u32) -> Function {
        self.node(variable, Function::FALSE, Function::TRUE)
    }

    /// The function that is true where both are.
    pub fn and(&mut self, a: Function, b: Function) -> Function {
        let (a, b) = (a.min(b), a.max(b));
        match a {
            Function::FALSE => return Function::FALSE,
            Function::TRUE => return b,
            _ if a == b => return a,
            _ if a == !b => return Function::FALSE,
            _ => {}
        }
        if let Some(known) = self.products.get(&(a, b)) {
            return *known;
        }
        let variable = self.first_variable(a).min(self.first_variable(b));
        let ((a_low, a_high), (b_low, b_high)) = (self.halves(a, variable), self.halves(b, variable));
        let (low, high) = (self.and(a_low, b_low), self.and(a_high, b_high));
        let result = self.node(variable, low, high);
        self.products.insert((a, b), result);
        result
    }

    /// The function that is true where at least one is.
    pub fn or(&mut self, a: Function, b: Function) -> Function {
        !self.and(!a, !b)
    }

    /// The function that is true where exactly one is.
    pub fn xor(&mut self, a: Function, b: Function) -> Function {
        let inverted = a.inverted() != b.inverted();
        let (a, b) = (a.inverted_if(a.inverted()), b.inverted_if(b.inverted()));
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            return Function::constant(inverted);
        }
        if a == Function::FALSE {
            return b.inverted_if(inverted);
        }
        if let Some(known) = self.sums.get(&(a, b)) {
            return known.inverted_if(inverted);
        }
        let variable = self.first_variable(a).min(self.first_variable(b));
        let ((a_low, a_high), (b_low, b_high)) = (self.halves(a, variable), self.halves(b, variable));
        let (low, high) = (self.xor(a_low, b_low), self.xor(a_high, b_high));
        let result = self.node(variable, low, high);
        self.sums.insert((a, b), result);
        result.inverted_if(inverted)
    }

    /// The function that equals `yes` where `select` is true, otherwise `no`.
    pub fn choose(&mut self, select: Function, yes: Function, no: Function) -> Function {
        let (yes, no) = (self.and(select, yes), self.and(!select, no));
        self.or(yes, no)
    }

    /// The conjunction of all functions.
    pub fn all(&mut self, functions: impl IntoIterator<Item = Function>) -> Function {
        functions
            .into_iter()
            .fold(Function::TRUE, |all, next| self.and(all, next))
    }

    /// True where the variables, lowest bit first, equal this number, which must not have further bits.
    pub fn is(&mut self, bits: &[Function], number: u64) -> Function {
        let beyond = number.checked_shr(bits.len() as u32).unwrap_or(0);
        if beyond != 0 {
            return Function::FALSE;
        }
        let equal = bits.iter().enumerate();
        self.all(equal.map(|(place, bit)| bit.inverted_if(number >> place & 1 == 0)))
    }

    /// The function with a truth table: the value at index `i` is for variables equal to the bits of `i`, with the
    /// lowest bit for the last variable. `variables` must be ascending, and there must be 2^n values.
    pub fn of_table(&mut self, variables: &[u32], values: &[bool]) -> Function {
        let Some((variable, rest)) = variables.split_first() else {
            return Function::constant(values.first().copied().unwrap_or(false));
        };
        let (low, high) = values.split_at(values.len() / 2);
        if low.iter().chain(high).all(|value| values.first() == Some(value)) {
            return Function::constant(values.first() == Some(&true));
        }
        let (low, high) = (self.of_table(rest, low), self.of_table(rest, high));
        self.node(*variable, low, high)
    }

    /// The functions of a graph's outputs, with these functions as its inputs.
    pub fn of_gates(
        &mut self,
        graph: &Graph,
        outputs: &[Literal],
        mut input: impl FnMut(&mut Diagrams, u32) -> Function,
    ) -> Vec<Function> {
        let needed = graph.needed(outputs);
        let mut functions = vec![Function::FALSE; graph.nodes().len()];
        let read = |functions: &[Function], from: Literal| functions[from.node()].inverted_if(from.inverted());
        for (place, gate) in graph.nodes().iter().enumerate() {
            if !needed[place] {
                continue;
            }
            functions[place] = match *gate {
                Gate::False => Function::FALSE,
                Gate::Input(number) => input(self, number),
                Gate::And(a, b) => self.and(read(&functions, a), read(&functions, b)),
                Gate::Xor(a, b) => self.xor(read(&functions, a), read(&functions, b)),
                Gate::Choose(a, b, c) => self.choose(read(&functions, a), read(&functions, b), read(&functions, c)),
            };
        }
        outputs.iter().map(|output| read(&functions, *output)).collect()
    }

    /// The number of assignments to `variables` variables for which the function is true.
    pub fn count(&self, function: Function, variables: u32) -> u128 {
        // Counts for the node without inversion, over the variables after its own.
        fn below(diagrams: &Diagrams, function: Function, from: u32, end: u32, known: &mut Map<u32, u128>) -> u128 {
            let node = diagrams.nodes[function.node()];
            let first = node.variable.min(end);
            let of_node = if function.node() == 0 {
                0
            } else if let Some(count) = known.get(&(function.node() as u32)) {
                *count
            } else {
                let count = below(diagrams, node.low, first + 1, end, known)
                    + below(diagrams, node.high, first + 1, end, known);
                known.insert(function.node() as u32, count);
                count
            };
            let of_node = if function.inverted() {
                (1 << (end - first)) - of_node
            } else {
                of_node
            };
            of_node << (first - from)
        }
        below(self, function, 0, variables, &mut Map::default())
    }

    /// An assignment for which the function is true, if there is one. Variables that are not listed are irrelevant.
    pub fn example(&self, function: Function) -> Option<Vec<(u32, bool)>> {
        let mut values = vec![];
        let mut at = function;
        while at.node() != 0 {
            let variable = self.first_variable(at);
            let (low, high) = self.halves(at, variable);
            // Every function except false is true somewhere.
            let value = low == Function::FALSE;
            values.push((variable, value));
            at = if value { high } else { low };
        }
        (at == Function::TRUE).then_some(values)
    }

    /// The value of the function for an assignment.
    pub fn value(&self, function: Function, mut variable: impl FnMut(u32) -> bool) -> bool {
        let mut at = function;
        while at.node() != 0 {
            let first = self.first_variable(at);
            let (low, high) = self.halves(at, first);
            at = if variable(first) { high } else { low };
        }
        at == Function::TRUE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const VARIABLES: u32 = 7;

    /// The truth table of the function, one bit for each assignment.
    fn table(diagrams: &Diagrams, function: Function) -> u128 {
        (0..1 << VARIABLES).fold(0, |table, index: u32| {
            let value = diagrams.value(function, |variable| index >> variable & 1 == 1);
            table | u128::from(value) << index
        })
    }

    #[test]
    fn functions_match_tables_and_are_unique() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut diagrams = Diagrams::default();
        let mut known: HashMap<u128, Function> = HashMap::from([(0, Function::FALSE), (u128::MAX, Function::TRUE)]);
        let mut all: Vec<(Function, u128)> = (0..VARIABLES)
            .map(|variable| {
                let function = diagrams.variable(variable);
                (function, table(&diagrams, function))
            })
            .collect();
        for _ in 0..20_000 {
            let mut pick = || {
                let (function, table) = all[rng.gen_range(0..all.len())];
                if rng.gen() {
                    (function, table)
                } else {
                    (!function, !table)
                }
            };
            let ((a, x), (b, y), (c, z)) = (pick(), pick(), pick());
            let (function, expected) = match rng.gen_range(0..4) {
                0 => (diagrams.and(a, b), x & y),
                1 => (diagrams.or(a, b), x | y),
                2 => (diagrams.xor(a, b), x ^ y),
                _ => (diagrams.choose(a, b, c), x & y | !x & z),
            };
            assert_eq!(table(&diagrams, function), expected);
            assert_eq!(*known.entry(expected).or_insert(function), function);
            let count = diagrams.count(function, VARIABLES);
            assert_eq!(count, u128::from(expected.count_ones()));
            match diagrams.example(function) {
                None => assert_eq!(expected, 0),
                Some(values) => {
                    let index = values
                        .iter()
                        .fold(0, |index, (variable, value)| index | u32::from(*value) << variable);
                    assert_eq!(expected >> index & 1, 1);
                }
            }
            all.push((function, expected));
            if all.len() > 300 {
                all.swap_remove(rng.gen_range(0..all.len()));
            }
        }
    }

    #[test]
    fn functions_follow_tables_and_numbers() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut diagrams = Diagrams::default();
        let variables = [1, 3, 4, 6];
        for _ in 0..200 {
            let values: Vec<bool> = (0..16).map(|_| rng.gen()).collect();
            let function = diagrams.of_table(&variables, &values);
            for (index, expected) in values.iter().enumerate() {
                let value = diagrams.value(function, |variable| {
                    let place = variables.iter().position(|known| *known == variable).unwrap();
                    index >> (3 - place) & 1 == 1
                });
                assert_eq!(value, *expected);
            }
        }
        let bits = [5, 2, 0].map(|variable| diagrams.variable(variable));
        let is_6 = diagrams.is(&bits, 6);
        assert_eq!(diagrams.example(is_6).unwrap(), [(0, true), (2, true), (5, false)]);
        assert_eq!(diagrams.is(&bits, 8), Function::FALSE);
        assert_eq!(diagrams.count(is_6, 64), 1 << 61);
        assert_eq!(diagrams.count(Function::TRUE, 64), 1 << 64);
        assert_eq!(diagrams.count(Function::FALSE, 64), 0);
    }

    #[test]
    fn gates_become_their_functions() {
        let (mut graph, mut diagrams) = (Graph::default(), Diagrams::default());
        let [a, b, c] = [0, 1, 2].map(|number| graph.input(number));
        let product = graph.and(a, !b);
        let outputs = [graph.choose(c, !product, a), graph.xor(product, c), !c, Literal::TRUE];
        let functions = diagrams.of_gates(&graph, &outputs, |diagrams, number| diagrams.variable(number));
        for index in 0..8 {
            let [a, b, c] = [0, 1, 2].map(|place| index >> place & 1 == 1);
            let product = a && !b;
            let expected = [if c { !product } else { a }, product != c, !c, true];
            let values = functions
                .iter()
                .map(|function| diagrams.value(*function, |variable| index >> variable & 1 == 1));
            assert_eq!(values.collect::<Vec<_>>(), expected);
        }
    }
}
