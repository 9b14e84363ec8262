//! Graph algorithms: reverse post-order, predecessors, reachability, post-dominators.

/// A graph by the successors of each node; node 0 is the entry.
pub type Successors = [Vec<usize>];

/// The predecessors of each node, each once.
pub fn predecessors(successors: &Successors) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (from, to) in successors.iter().enumerate() {
        for &to in to {
            if !predecessors[to].contains(&from) {
                predecessors[to].push(from);
            }
        }
    }
    predecessors
}

/// The reachable nodes in reverse post-order from the entry.
pub fn reverse_post_order(successors: &Successors) -> Vec<usize> {
    let mut order = match successors.is_empty() {
        true => Vec::new(),
        false => post_order(successors, 0),
    };
    order.reverse();
    order
}

/// The nodes reachable from `start`, each after its successors, except along back edges.
fn post_order(successors: &Successors, start: usize) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::with_capacity(successors.len());
    seen[start] = true;
    let mut stack = vec![(start, 0)];
    while let Some((node, next)) = stack.pop() {
        match successors[node].get(next) {
            Some(&to) => {
                stack.push((node, next + 1));
                if !seen[to] {
                    seen[to] = true;
                    stack.push((to, 0));
                }
            }
            None => order.push(node),
        }
    }
    order
}

/// The nodes reachable from `start` without entering `stop`, including `start`.
pub fn reachable(successors: &Successors, start: usize, stop: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; successors.len()];
    if Some(start) == stop {
        return seen;
    }
    seen[start] = true;
    let mut stack = vec![start];
    while let Some(node) = stack.pop() {
        for &to in &successors[node] {
            if Some(to) != stop && !seen[to] {
                seen[to] = true;
                stack.push(to);
            }
        }
    }
    seen
}

/// The immediate post-dominator of each node; `None` for the end of the program, and for unreachable nodes.
///
/// A node without successors leads to the end. A loop without an exit gets an edge to the end from its last node.
/// (Algorithm: Cooper, Harvey and Kennedy, on the reversed graph.)
pub fn post_dominators(successors: &Successors) -> Vec<Option<usize>> {
    post_dominators_of(successors, &reverse_post_order(successors))
}

/// Post-dominators of a graph that is entered at any node of `order`.
pub fn post_dominators_of(successors: &Successors, order: &[usize]) -> Vec<Option<usize>> {
    let count = successors.len();
    let end = count;
    // The reversed graph, with the end as its entry.
    let mut reversed: Vec<Vec<usize>> = predecessors(successors);
    reversed.push(Vec::new());
    for &node in order {
        if successors[node].is_empty() {
            reversed[end].push(node);
        }
    }
    loop {
        let leads_out = reachable(&reversed, end, None);
        match order.iter().rev().find(|&&node| !leads_out[node]) {
            Some(&node) => reversed[end].push(node),
            None => break,
        }
    }
    let mut forward = vec![Vec::new(); count + 1];
    for (to, from) in reversed.iter().enumerate() {
        for &from in from {
            forward[from].push(to);
        }
    }
    let post = post_order(&reversed, end);
    let mut number = vec![usize::MAX; count + 1];
    for (place, &node) in post.iter().enumerate() {
        number[node] = place;
    }
    let mut immediate = vec![usize::MAX; count + 1];
    immediate[end] = end;
    let mut changed = true;
    while changed {
        changed = false;
        for &node in post.iter().rev().filter(|&&node| node != end) {
            let mut new = usize::MAX;
            for &to in &forward[node] {
                if immediate[to] == usize::MAX {
                    continue;
                }
                new = if new == usize::MAX {
                    to
                } else {
                    let (mut a, mut b) = (new, to);
                    while a != b {
                        while number[a] < number[b] {
                            a = immediate[a];
                        }
                        while number[b] < number[a] {
                            b = immediate[b];
                        }
                    }
                    a
                };
            }
            if immediate[node] != new {
                immediate[node] = new;
                changed = true;
            }
        }
    }
    (0..count)
        .map(|node| Some(immediate[node]).filter(|&to| to < end))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition: `to` post-dominates `node` if every path from `node` to an end contains `to`.
    fn post_dominates(successors: &Successors, node: usize, to: usize) -> bool {
        let around = reachable(successors, node, Some(to));
        !(0..successors.len()).any(|other| around[other] && successors[other].is_empty())
    }

    #[test]
    fn a_diamond_joins_and_a_loop_leaves() {
        let diamond = [vec![1, 2], vec![3], vec![3], vec![]];
        assert_eq!(post_dominators(&diamond), [Some(3), Some(3), Some(3), None]);
        let endless = [vec![1, 3], vec![2], vec![1], vec![]];
        assert_eq!(post_dominators(&endless), [None, Some(2), None, None]);
    }

    proptest! {
        /// Random graphs in which every node reaches an end.
        #[test]
        fn post_dominators_are_as_defined(edges in prop::collection::vec((0usize..9, 0usize..9), 0..16)) {
            let mut successors = vec![Vec::new(); 10];
            for (node, to) in successors.iter_mut().enumerate().take(9) {
                to.push(node + 1);
            }
            for (from, to) in edges {
                if !successors[from].contains(&to) {
                    successors[from].push(to);
                }
            }
            let found = post_dominators(&successors);
            for (node, found) in found.iter().enumerate().take(9) {
                let all: Vec<usize> = (0..10)
                    .filter(|&to| to != node && post_dominates(&successors, node, to))
                    .collect();
                // All other post-dominators post-dominate the immediate one.
                let immediate = all.iter().copied().find(|&candidate| {
                    all.iter().all(|&other| other == candidate || post_dominates(&successors, candidate, other))
                });
                prop_assert_eq!(*found, immediate);
            }
        }
    }
}
