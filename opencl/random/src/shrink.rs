//! Reduces a kernel that shows a difference: fewer statements, simpler expressions, fewer parameters. A smaller kernel
//! is kept if it still shows the difference.

use crate::tree::{Kernel, Node, Statement};
use crate::types::Type;

/// Returns the smallest kernel found for which `differs` still returns true, with at most `most_tries` calls of it. A
/// reduced kernel may be invalid OpenCL C; `differs` must then return false.
pub fn shrink(kernel: Kernel, most_tries: usize, mut differs: impl FnMut(&Kernel) -> bool) -> Kernel {
    let mut tries = 0;
    let mut best = kernel;
    loop {
        let before = best.clone();
        for reduction in [
            Reduction::Pieces,
            Reduction::Unwrap,
            Reduction::Expressions,
            Reduction::Unused,
        ] {
            let mut at = 0;
            loop {
                let edits = edits(&best, reduction);
                let Some(smaller) = edits.get(at) else { break };
                if tries >= most_tries {
                    return best;
                }
                tries += 1;
                if differs(smaller) {
                    // The next edit has moved to this index.
                    best = smaller.clone();
                } else {
                    at += 1;
                }
            }
        }
        if best == before {
            return best;
        }
    }
}

/// Kinds of reductions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reduction {
    /// Removes consecutive statements, long sequences first.
    Pieces,
    /// Replaces a statement by its contents.
    Unwrap,
    /// Replaces an expression by a literal or by one of its operands.
    Expressions,
    /// Removes functions, parameters and items that are not used.
    Unused,
}

/// Returns all kernels that are one edit smaller.
fn edits(kernel: &Kernel, reduction: Reduction) -> Vec<Kernel> {
    let mut found = Vec::new();
    if reduction == Reduction::Unused {
        return without_unused(kernel);
    }
    for at in 0..kernel.functions.len() {
        let function = &kernel.functions[at];
        let mut with = |change: &dyn Fn(&mut crate::tree::Function)| {
            let mut smaller = kernel.clone();
            change(&mut smaller.functions[at]);
            found.push(smaller);
        };
        for body in of_list(&function.body, reduction) {
            with(&|function| function.body.clone_from(&body));
        }
        if reduction == Reduction::Expressions {
            for result in of_node(&function.result) {
                with(&|function| function.result.clone_from(&result));
            }
        }
    }
    for body in of_list(&kernel.body, reduction) {
        found.push(Kernel { body, ..kernel.clone() });
    }
    found
}

/// Returns all smaller versions of a list of statements.
fn of_list(list: &[Statement], reduction: Reduction) -> Vec<Vec<Statement>> {
    let mut found = Vec::new();
    if reduction == Reduction::Pieces {
        let mut length = list.len();
        while length > 0 {
            for from in (0..list.len()).step_by(length) {
                let to = (from + length).min(list.len());
                found.push([&list[..from], &list[to..]].concat());
            }
            length /= 2;
        }
    }
    for (at, statement) in list.iter().enumerate() {
        let mut with = |inside: &[Statement]| found.push([&list[..at], inside, &list[at + 1..]].concat());
        if reduction == Reduction::Unwrap {
            for inside in contents(statement) {
                with(inside);
            }
        }
        for smaller in of_statement(statement, reduction) {
            with(&[smaller]);
        }
    }
    found
}

/// Returns the lists of statements inside a statement.
fn contents(statement: &Statement) -> Vec<&[Statement]> {
    match statement {
        Statement::Simple(_) => Vec::new(),
        Statement::If { then, otherwise, .. } => vec![then, otherwise],
        Statement::Loop { body, .. } | Statement::Block { body, .. } => vec![body],
        Statement::Switch { cases, .. } => cases.iter().map(|case| case.body.as_slice()).collect(),
    }
}

/// Returns versions of a statement with smaller contents.
fn of_statement(statement: &Statement, reduction: Reduction) -> Vec<Statement> {
    let mut found = Vec::new();
    let expressions = |node: &Node| {
        if reduction == Reduction::Expressions {
            of_node(node)
        } else {
            Vec::new()
        }
    };
    match statement {
        Statement::Simple(node) => {
            for at in 0..node.arguments.len() {
                for smaller in expressions(&node.arguments[at]) {
                    let mut node = node.clone();
                    node.arguments[at] = smaller;
                    found.push(Statement::Simple(node));
                }
            }
        }
        Statement::If {
            condition,
            then,
            otherwise,
        } => {
            let parts = |condition: &Node, then: &[Statement], otherwise: &[Statement]| Statement::If {
                condition: condition.clone(),
                then: then.to_vec(),
                otherwise: otherwise.to_vec(),
            };
            found.extend(
                expressions(condition)
                    .iter()
                    .map(|smaller| parts(smaller, then, otherwise)),
            );
            found.extend(
                of_list(then, reduction)
                    .iter()
                    .map(|smaller| parts(condition, smaller, otherwise)),
            );
            found.extend(
                of_list(otherwise, reduction)
                    .iter()
                    .map(|smaller| parts(condition, then, smaller)),
            );
        }
        Statement::Loop {
            form,
            counter,
            rounds,
            body,
        } => {
            let parts = |rounds: &Node, body: &[Statement]| Statement::Loop {
                form: *form,
                counter: counter.clone(),
                rounds: rounds.clone(),
                body: body.to_vec(),
            };
            found.extend(expressions(rounds).iter().map(|smaller| parts(smaller, body)));
            found.extend(of_list(body, reduction).iter().map(|smaller| parts(rounds, smaller)));
        }
        Statement::Switch { value, cases } => {
            for smaller in expressions(value) {
                found.push(Statement::Switch {
                    value: smaller,
                    cases: cases.clone(),
                });
            }
            for at in 0..cases.len() {
                let mut with = |cases| {
                    found.push(Statement::Switch {
                        value: value.clone(),
                        cases,
                    });
                };
                if reduction == Reduction::Pieces {
                    with([&cases[..at], &cases[at + 1..]].concat());
                }
                for body in of_list(&cases[at].body, reduction) {
                    let mut cases = cases.clone();
                    cases[at].body = body;
                    with(cases);
                }
            }
        }
        Statement::Block { label, body } => {
            found.extend(of_list(body, reduction).into_iter().map(|body| Statement::Block {
                label: label.clone(),
                body,
            }));
        }
    }
    found
}

/// Returns simpler expressions of the same type, the simplest first.
fn of_node(node: &Node) -> Vec<Node> {
    let mut found = Vec::new();
    let Some(ty) = node.ty else { return found };
    let simplest = ["1", "0"].map(|number| Node::leaf(ty, literal(ty, number)));
    // Otherwise `0` and `1` would replace each other endlessly.
    if simplest.contains(node) {
        return found;
    }
    found.extend(simplest);
    of_this_type(node, ty, &mut found);
    for at in 0..node.arguments.len() {
        for smaller in of_node(&node.arguments[at]) {
            let mut node = node.clone();
            node.arguments[at] = smaller;
            found.push(node);
        }
    }
    found
}

fn literal(ty: Type, number: &str) -> String {
    match (ty.is_vector(), ty.is_real()) {
        (_, true) => format!("(({ty})({number}.0f))"),
        (_, false) => format!("(({ty})({number}))"),
    }
}

/// Finds the outermost subexpressions of a type.
fn of_this_type(node: &Node, ty: Type, found: &mut Vec<Node>) {
    for argument in &node.arguments {
        if argument.ty == Some(ty) {
            found.push(argument.clone());
        } else {
            of_this_type(argument, ty, found);
        }
    }
}

/// Removes unused items: first all of them at once, then each alone.
fn without_unused(kernel: &Kernel) -> Vec<Kernel> {
    let text = kernel.text();
    // A name occurs once in its declaration and again at each use. Arrays in shared memory also occur once in their
    // initialisation.
    let is_unused = |name: &str, written: usize| words(&text).filter(|word| *word == name).count() <= written;
    let mut all = kernel.clone();
    let mut found = Vec::new();
    macro_rules! left_out {
        ($list:ident, $written:expr) => {
            all.$list.retain(|one| !is_unused(&one.name, $written));
            for at in 0..kernel.$list.len() {
                if is_unused(&kernel.$list[at].name, $written) {
                    let mut smaller = kernel.clone();
                    smaller.$list.remove(at);
                    found.push(smaller);
                }
            }
        };
    }
    left_out!(functions, 1);
    left_out!(items, 1);
    left_out!(parameters, 1);
    left_out!(locals, 2);
    if !found.is_empty() {
        found.insert(0, all);
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    /// The comparison is replaced by a search for a text in the kernel.
    #[test]
    fn kernel_shrinks_to_the_relevant_part() {
        for what in ["div_ulong(", "do {", "mad_sat("] {
            // The definition of a function is not a use.
            let has = |kernel: &Kernel| kernel.text().matches(what).count() > usize::from(what.starts_with("div"));
            let kernel = (0..500)
                .map(|number| generate::kernel(3, number))
                .find(|kernel| has(kernel) && kernel.statements() > 10);
            let kernel = kernel.expect("a kernel with the text");
            let mut tries = 0;
            let smaller = shrink(kernel.clone(), 5000, |kernel| {
                tries += 1;
                has(kernel)
            });
            let text = smaller.text();
            assert!(text.contains(what), "{text}");
            assert!(smaller.statements() <= 3, "{what}, {tries} tries: {text}");
            assert!(text.lines().count() <= 10, "{what}, {tries} tries: {text}");
        }
    }

    #[test]
    fn tries_are_limited() {
        let kernel = generate::kernel(1, 1);
        let mut tries = 0;
        let same = shrink(kernel.clone(), 7, |_| {
            tries += 1;
            false
        });
        assert_eq!((same, tries), (kernel, 7));
    }
}
