//! Gates as a graph without duplicates. A gate with fixed or equal inputs is simplified when it is added.

use std::collections::HashMap;

/// A signal of a graph, or its inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(u32);

impl Literal {
    /// The constant 0.
    pub const FALSE: Literal = Literal(0);
    /// The constant 1.
    pub const TRUE: Literal = Literal(1);

    /// A constant signal.
    pub const fn constant(value: bool) -> Literal {
        Literal(value as u32)
    }

    /// The index of the node in [`Graph::nodes`].
    pub const fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// True if the signal is the inverse of its node.
    pub const fn inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal, inverted if `is` is true.
    const fn inverted_if(self, is: bool) -> Literal {
        Literal(self.0 ^ is as u32)
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        self.inverted_if(true)
    }
}

/// The definition of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The constant 0; always node 0.
    False,
    /// The input with this number.
    Input(u32),
    /// The conjunction of two signals.
    And(Literal, Literal),
    /// The exclusive or of two signals that are not inverted.
    Xor(Literal, Literal),
    /// The second signal if the first is 1, otherwise the third. Neither the first nor the third is inverted.
    Choose(Literal, Literal, Literal),
}

impl Node {
    /// The signals that the node uses.
    pub fn operands(self) -> impl Iterator<Item = Literal> {
        let operands = match self {
            Node::False | Node::Input(_) => [None; 3],
            Node::And(a, b) | Node::Xor(a, b) => [Some(a), Some(b), None],
            Node::Choose(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }
}

/// A graph of gates. Every node is after the nodes that it uses.
#[derive(Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    known: HashMap<Node, Literal>,
}

impl Default for Graph {
    fn default() -> Self {
        Graph {
            nodes: vec![Node::False],
            known: HashMap::from([(Node::False, Literal::FALSE)]),
        }
    }
}

impl Graph {
    /// All nodes, in topological order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// For each node, true if the outputs depend on it.
    pub fn needed(&self, outputs: &[Literal]) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        for output in outputs {
            needed[output.node()] = true;
        }
        for (place, node) in self.nodes.iter().enumerate().rev() {
            // Users of a node are after it, so they have been visited.
            if needed[place] {
                node.operands().for_each(|operand| needed[operand.node()] = true);
            }
        }
        needed
    }

    /// The gates on which the outputs depend, without inputs.
    pub fn gates(&self, outputs: &[Literal]) -> Vec<usize> {
        let needed = self.needed(outputs);
        let is_gate = |place: &usize| needed[*place] && self.nodes[*place].operands().next().is_some();
        (0..self.nodes.len()).filter(is_gate).collect()
    }

    /// The same graph and outputs with one node inverted: an intentionally wrong circuit.
    pub fn with_inverted(&self, outputs: &[Literal], broken: usize) -> (Graph, Vec<Literal>) {
        self.rebuilt(outputs, Some(broken), |_| None)
    }

    /// The same outputs with some inputs fixed: the inputs for which `fixed` gives a value. Fewer variable inputs leave
    /// fewer gates.
    pub fn with_fixed(&self, outputs: &[Literal], fixed: impl Fn(u32) -> Option<bool>) -> (Graph, Vec<Literal>) {
        self.rebuilt(outputs, None, fixed)
    }

    /// Adds the nodes on which the outputs depend to a new graph. The node with index `broken` is inverted, and inputs
    /// have the values that `fixed` gives them.
    fn rebuilt(
        &self,
        outputs: &[Literal],
        broken: Option<usize>,
        fixed: impl Fn(u32) -> Option<bool>,
    ) -> (Graph, Vec<Literal>) {
        let needed = self.needed(outputs);
        let mut graph = Graph::default();
        let mut known = vec![Literal::FALSE; self.nodes.len()];
        let read = |known: &[Literal], from: Literal| known[from.node()].inverted_if(from.inverted());
        for (place, node) in self.nodes.iter().enumerate().filter(|(place, _)| needed[*place]) {
            let signal = match *node {
                Node::False => Literal::FALSE,
                Node::Input(number) => fixed(number).map_or_else(|| graph.input(number), Literal::constant),
                Node::And(a, b) => graph.and(read(&known, a), read(&known, b)),
                Node::Xor(a, b) => graph.xor(read(&known, a), read(&known, b)),
                Node::Choose(a, b, c) => graph.choose(read(&known, a), read(&known, b), read(&known, c)),
            };
            known[place] = signal.inverted_if(broken == Some(place));
        }
        let outputs = outputs.iter().map(|output| read(&known, *output)).collect();
        (graph, outputs)
    }

    fn node(&mut self, node: Node) -> Literal {
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            Literal(((self.nodes.len() - 1) << 1) as u32)
        })
    }

    /// The input with this number; the same literal at each call.
    pub fn input(&mut self, number: u32) -> Literal {
        self.node(Node::Input(number))
    }

    /// The signal that is 1 if both are.
    pub fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = (a.min(b), a.max(b));
        match a {
            Literal::FALSE => Literal::FALSE,
            Literal::TRUE => b,
            _ if a == b => a,
            _ if a == !b => Literal::FALSE,
            _ => self.node(Node::And(a, b)),
        }
    }

    /// The signal that is 1 if at least one is.
    pub fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    /// The signal that is 1 if exactly one is.
    pub fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let inverted = a.inverted() != b.inverted();
        let (a, b) = (a.inverted_if(a.inverted()), b.inverted_if(b.inverted()));
        let (a, b) = (a.min(b), a.max(b));
        let plain = if a == b {
            Literal::FALSE
        } else if a == Literal::FALSE {
            b
        } else {
            self.node(Node::Xor(a, b))
        };
        plain.inverted_if(inverted)
    }

    /// The signal that equals `yes` if `select` is 1, otherwise `no`.
    pub fn choose(&mut self, select: Literal, yes: Literal, no: Literal) -> Literal {
        if select.inverted() {
            return self.choose(!select, no, yes);
        }
        if select == Literal::FALSE || yes == no {
            return no;
        }
        if yes == !no {
            return self.xor(select, no);
        }
        if yes == Literal::FALSE || yes == !select {
            return self.and(!select, no);
        }
        if yes == Literal::TRUE || yes == select {
            return self.or(select, no);
        }
        if no == Literal::FALSE || no == select {
            return self.and(select, yes);
        }
        if no == Literal::TRUE || no == !select {
            return self.or(!select, yes);
        }
        let inverted = no.inverted();
        self.node(Node::Choose(
            select,
            yes.inverted_if(inverted),
            no.inverted_if(inverted),
        ))
        .inverted_if(inverted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(graph: &Graph, literal: Literal, inputs: u32) -> bool {
        let plain = match graph.nodes()[literal.node()] {
            Node::False => false,
            Node::Input(number) => inputs >> number & 1 == 1,
            Node::And(a, b) => value(graph, a, inputs) && value(graph, b, inputs),
            Node::Xor(a, b) => value(graph, a, inputs) != value(graph, b, inputs),
            Node::Choose(s, yes, no) => value(graph, if value(graph, s, inputs) { yes } else { no }, inputs),
        };
        plain != literal.inverted()
    }

    #[test]
    fn only_the_chosen_gate_is_inverted() {
        let mut graph = Graph::default();
        let [a, b, c] = [0, 1, 2].map(|number| graph.input(number));
        let product = graph.and(a, b);
        let outputs = [graph.xor(product, c), !product];
        graph.and(b, c);
        let gates = graph.gates(&outputs);
        assert_eq!(gates, [product.node(), outputs[0].node()]);
        let outputs_of = |graph: &Graph, outputs: &[Literal], x| -> Vec<bool> {
            outputs.iter().map(|output| value(graph, *output, x)).collect()
        };
        let (first, first_outputs) = graph.with_inverted(&outputs, gates[0]);
        let (second, second_outputs) = graph.with_inverted(&outputs, gates[1]);
        for x in 0..8 {
            let whole = outputs_of(&graph, &outputs, x);
            assert_eq!(outputs_of(&first, &first_outputs, x), [!whole[0], !whole[1]]);
            assert_eq!(outputs_of(&second, &second_outputs, x), [!whole[0], whole[1]]);
        }
    }

    #[test]
    fn fixed_input_leaves_fewer_gates() {
        let mut graph = Graph::default();
        let [a, b, c] = [0, 1, 2].map(|number| graph.input(number));
        let chosen = graph.choose(c, a, b);
        let outputs = [graph.xor(chosen, b), graph.and(!chosen, c)];
        for value_of_c in [false, true] {
            let (fixed, fixed_outputs) = graph.with_fixed(&outputs, |number| (number == 2).then_some(value_of_c));
            assert!(fixed.gates(&fixed_outputs).len() < graph.gates(&outputs).len());
            for x in (0..4).map(|low| low | u32::from(value_of_c) << 2) {
                for (before, after) in outputs.iter().zip(&fixed_outputs) {
                    assert_eq!(value(&graph, *before, x), value(&fixed, *after, x & 3));
                }
            }
        }
    }

    #[test]
    fn simplification_keeps_the_values() {
        let mut graph = Graph::default();
        let inputs: Vec<Literal> = (0..3).map(|number| graph.input(number)).collect();
        // Each literal with its values for all eight inputs.
        let mut all = vec![(Literal::FALSE, 0u8), (Literal::TRUE, 0xff)];
        for (input, values) in inputs.into_iter().zip([0xaa, 0xcc, 0xf0]) {
            all.extend([(input, values), (!input, !values)]);
        }
        let table = |graph: &Graph, literal| (0..8).fold(0, |bits, x| bits | (value(graph, literal, x) as u8) << x);
        for &(a, x) in &all {
            for &(b, y) in &all {
                let (and, or, xor) = (graph.and(a, b), graph.or(a, b), graph.xor(a, b));
                assert_eq!(table(&graph, and), x & y);
                assert_eq!(table(&graph, or), x | y);
                assert_eq!(table(&graph, xor), x ^ y);
                for &(c, z) in &all {
                    let choice = graph.choose(a, b, c);
                    assert_eq!(table(&graph, choice), x & y | !x & z);
                }
            }
        }
    }

    #[test]
    fn equal_gates_are_shared() {
        let mut graph = Graph::default();
        let (a, b) = (graph.input(0), graph.input(1));
        assert_eq!(graph.and(a, b), graph.and(b, a));
        assert_eq!(graph.xor(a, !b), !graph.xor(b, a));
        assert_eq!(graph.choose(a, b, !b), !graph.xor(a, b));
        assert_eq!(graph.nodes().len(), 5);
    }
}
