//! Partition of a kernel into units of Verilog: continuous assignments and always blocks.
//!
//! A kernel is one sequence of statements. A signal's value between two assignments becomes a signal of its own if it
//! is read there. After that, statements that assign the same signal belong to one group, and groups are independent,
//! because every reader sees the final value.

use crate::kernel::expression::Expr;
use crate::kernel::resolve::{SigId, Table};
use crate::kernel::statement::Stmt;
use std::collections::{BTreeMap, BTreeSet};

/// An independent part of a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Comments before its first statement.
    pub comments: Vec<String>,
    pub form: Form,
}

#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// One signal that always has one value.
    Assign { target: SigId, value: Expr },
    /// Statements in order.
    Always { targets: BTreeSet<SigId>, body: Vec<Stmt> },
}

/// Turns a signal's value between two assignments into a separate signal, where another statement reads it there.
///
/// Rust runs a kernel from top to bottom; in Verilog every reader outside of an always block sees the final value.
pub(crate) fn versions(mut kernel: Vec<Stmt>, table: &mut Table) -> Vec<Stmt> {
    while let Some((sig, assigned, next)) = early_read(&kernel) {
        let early = table.add_early(sig);
        for (index, s) in kernel.iter_mut().enumerate().take(next) {
            let mut targets = BTreeSet::new();
            s.targets(&mut targets);
            if targets.contains(&sig) {
                s.rename(sig, early, true);
            } else if index > assigned {
                s.rename(sig, early, false);
            }
        }
        let value = Expr::signal(early, 0, table.sigs[sig].width());
        let again = Stmt::Assign {
            target: sig,
            low: 0,
            value,
        };
        kernel.insert(next, again);
    }
    kernel
}

/// Finds a signal, a statement that assigns it, and the next statement that assigns it, with a statement in between
/// that only reads the signal.
fn early_read(kernel: &[Stmt]) -> Option<(SigId, usize, usize)> {
    let mut assigned: BTreeMap<SigId, usize> = BTreeMap::new();
    // Signals read since their last assignment.
    let mut read: BTreeSet<SigId> = BTreeSet::new();
    for (index, s) in kernel.iter().enumerate() {
        let mut targets = BTreeSet::new();
        s.targets(&mut targets);
        for target in &targets {
            if let (Some(before), true) = (assigned.get(target), read.contains(target)) {
                return Some((*target, *before, index));
            }
        }
        s.expressions(&mut |e| {
            e.reads(&mut |sig, _, _| {
                if assigned.contains_key(&sig) && !targets.contains(&sig) {
                    read.insert(sig);
                }
            })
        });
        assigned.extend(targets.into_iter().map(|t| (t, index)));
    }
    None
}

struct Sets(Vec<usize>);

impl Sets {
    fn root(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        // The first statement stays the root, so that groups keep their order.
        self.0[a.max(b)] = a.min(b);
    }
}

/// The groups of a kernel, in the order of their first statements. `width` returns a signal's width.
pub(crate) fn groups(kernel: Vec<Stmt>, width: &dyn Fn(SigId) -> usize) -> Vec<Group> {
    let mut comments: Vec<Vec<String>> = vec![];
    let mut statements = vec![];
    let mut pending = vec![];
    for s in kernel {
        match s {
            Stmt::Comment(text) => pending.push(text),
            s => {
                comments.push(std::mem::take(&mut pending));
                statements.push(s);
            }
        }
    }
    let alive: Vec<bool> = (0..statements.len())
        .map(|i| !overwritten(&statements, i, width))
        .collect();
    let mut keep = alive.iter();
    comments.retain(|_| keep.next() == Some(&true));
    let mut keep = alive.iter();
    statements.retain(|_| keep.next() == Some(&true));
    let targets: Vec<BTreeSet<SigId>> = statements
        .iter()
        .map(|s| {
            let mut found = BTreeSet::new();
            s.targets(&mut found);
            found
        })
        .collect();
    let mut sets = Sets((0..statements.len()).collect());
    let mut last = BTreeMap::new();
    for (index, found) in targets.iter().enumerate() {
        for target in found {
            if let Some(before) = last.insert(*target, index) {
                sets.join(before, index);
            }
        }
    }
    for (index, s) in statements.iter().enumerate() {
        s.expressions(&mut |e| {
            e.reads(&mut |sig, _, _| {
                if let Some(&assigned) = last.get(&sig) {
                    if assigned > index {
                        sets.join(assigned, index);
                    }
                }
            })
        });
    }
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..statements.len() {
        members.entry(sets.root(index)).or_default().push(index);
    }
    let mut statements: Vec<Option<Stmt>> = statements.into_iter().map(Some).collect();
    members
        .into_values()
        .map(|indices| {
            let comments = indices.iter().flat_map(|&i| comments[i].clone()).collect();
            let targets = indices.iter().flat_map(|&i| targets[i].iter().copied()).collect();
            let body: Vec<Stmt> = indices.iter().filter_map(|&i| statements[i].take()).collect();
            let form = match as_assignment(&body, width) {
                Some((target, value)) => Form::Assign { target, value },
                None => Form::Always { targets, body },
            };
            Group { comments, form }
        })
        .collect()
}

/// True if statement `index` assigns a whole signal that is always assigned again before any read: a dead default.
fn overwritten(statements: &[Stmt], index: usize, width: &dyn Fn(SigId) -> usize) -> bool {
    let whole = |s: &Stmt| match s {
        Stmt::Assign { target, value, .. } if value.width == width(*target) => Some(*target),
        _ => None,
    };
    let Some(signal) = whole(&statements[index]) else {
        return false;
    };
    for later in &statements[index + 1..] {
        let mut read = false;
        later.expressions(&mut |e| e.reads(&mut |sig, _, _| read |= sig == signal));
        if read {
            return false;
        }
        if whole(later) == Some(signal) {
            return true;
        }
    }
    false
}

/// Returns the target and value if `body` is one whole assignment, or one for each of a signal's fields.
fn as_assignment(body: &[Stmt], width: &dyn Fn(SigId) -> usize) -> Option<(SigId, Expr)> {
    let mut parts: Vec<(usize, &Expr)> = vec![];
    let mut of = None;
    for s in body {
        let Stmt::Assign { target, low, value } = s else {
            return None;
        };
        if *of.get_or_insert(*target) != *target {
            return None;
        }
        let mut own = false;
        value.reads(&mut |sig, _, _| own |= sig == *target);
        if own {
            return None;
        }
        parts.push((*low, value));
    }
    let target = of?;
    parts.sort_by_key(|(low, _)| std::cmp::Reverse(*low));
    let mut top = width(target);
    for (low, value) in &parts {
        if low + value.width != top {
            return None;
        }
        top = *low;
    }
    (top == 0).then(|| {
        (
            target,
            Expr::concat(parts.into_iter().map(|(_, value)| value.clone()).collect()),
        )
    })
}

/// Data flow within a cycle: the signals that a signal's value reaches.
#[derive(Default)]
pub(crate) struct Flow {
    next: BTreeMap<SigId, BTreeSet<SigId>>,
}

impl Flow {
    /// The paths of a kernel from the signals that it reads to the signals that it assigns.
    pub fn of(kernel: &[Stmt]) -> Flow {
        let mut flow = Flow::default();
        for s in kernel {
            let mut targets = BTreeSet::new();
            s.targets(&mut targets);
            for target in targets {
                if let Some(own) = project(s, &BTreeSet::from([target])) {
                    own.expressions(&mut |e| e.reads(&mut |sig, _, _| flow.add(sig, target)));
                }
            }
        }
        flow
    }

    /// Adds a path, for example a part's.
    pub fn add(&mut self, from: SigId, to: SigId) {
        self.next.entry(from).or_default().insert(to);
    }

    /// All signals that `from` reaches.
    pub fn reach(&self, from: SigId) -> BTreeSet<SigId> {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(sig) = open.pop() {
            for next in self.next.get(&sig).into_iter().flatten() {
                if seen.insert(*next) {
                    open.push(*next);
                }
            }
        }
        seen
    }
}

/// `s` without assignments to signals outside `keep`; `None` if nothing is left.
fn project(s: &Stmt, keep: &BTreeSet<SigId>) -> Option<Stmt> {
    let block = |body: &[Stmt]| -> Vec<Stmt> {
        let kept: Vec<Stmt> = body.iter().filter_map(|s| project(s, keep)).collect();
        match kept.iter().all(|s| matches!(s, Stmt::Comment(_))) {
            true => vec![],
            false => kept,
        }
    };
    match s {
        Stmt::Assign { target, .. } => keep.contains(target).then(|| s.clone()),
        Stmt::Comment(_) => Some(s.clone()),
        Stmt::If { test, then, other } => {
            let (then, other) = (block(then), block(other));
            match (then.is_empty(), other.is_empty()) {
                (true, true) => None,
                (true, false) => Some(Stmt::If {
                    test: test.clone().inverted(),
                    then: other,
                    other: vec![],
                }),
                _ => Some(Stmt::If {
                    test: test.clone(),
                    then,
                    other,
                }),
            }
        }
        Stmt::Case { subject, arms, default } => {
            let arms: Vec<_> = arms.iter().map(|(label, body)| (label.clone(), block(body))).collect();
            let default = default.as_ref().map(|body| block(body));
            let empty = arms.iter().all(|(_, body)| body.is_empty()) && default.iter().all(|body| body.is_empty());
            (!empty).then(|| Stmt::Case {
                subject: subject.clone(),
                arms,
                default,
            })
        }
    }
}

/// Splits an always block that reads signals which depend on its own outputs through a part or an assignment.
///
/// An always block misses the events that it causes while it runs, because Icarus Verilog propagates a value through
/// parts at once. The block would then keep the stale value. If this cannot happen, its signals stay in one block.
pub(crate) fn split(group: Group, flow: &Flow) -> Vec<Group> {
    let Form::Always { targets, body } = &group.form else {
        return vec![group];
    };
    let reads_of = |body: &[Stmt]| {
        let mut reads = BTreeSet::new();
        for s in body {
            s.expressions(&mut |e| {
                e.reads(&mut |sig, _, _| {
                    reads.insert(sig);
                })
            });
        }
        reads
    };
    let reach: BTreeMap<SigId, BTreeSet<SigId>> = targets.iter().map(|t| (*t, flow.reach(*t))).collect();
    let hazard = |targets: &BTreeSet<SigId>, body: &[Stmt]| {
        let reads = reads_of(body);
        reads
            .difference(targets)
            .any(|read| targets.iter().any(|t| reach[t].contains(read)))
    };
    if targets.len() < 2 || !hazard(targets, body) {
        return vec![group];
    }

    // A signal that one statement reads before another's last assignment stays with that assignment.
    let order: Vec<SigId> = targets.iter().copied().collect();
    let place = |sig: SigId| order.binary_search(&sig).unwrap_or(0);
    let mut last = BTreeMap::new();
    for (index, s) in body.iter().enumerate() {
        let mut found = BTreeSet::new();
        s.targets(&mut found);
        last.extend(found.into_iter().map(|t| (t, index)));
    }
    let mut sets = Sets((0..order.len()).collect());
    for (index, s) in body.iter().enumerate() {
        let mut found = BTreeSet::new();
        s.targets(&mut found);
        for target in found {
            if let Some(own) = project(s, &BTreeSet::from([target])) {
                for read in reads_of(&[own]) {
                    if last.get(&read).is_some_and(|last| *last >= index) {
                        sets.join(place(read), place(target));
                    }
                }
            }
        }
    }
    let mut units: BTreeMap<usize, BTreeSet<SigId>> = BTreeMap::new();
    for sig in &order {
        units.entry(sets.root(place(*sig))).or_default().insert(*sig);
    }
    let only = |targets: &BTreeSet<SigId>| -> Vec<Stmt> { body.iter().filter_map(|s| project(s, targets)).collect() };
    let mut blocks: Vec<BTreeSet<SigId>> = vec![];
    for unit in units.into_values() {
        let fits = blocks.iter().position(|block| {
            let both: BTreeSet<SigId> = block.union(&unit).copied().collect();
            !hazard(&both, &only(&both))
        });
        match fits {
            Some(index) => blocks[index].extend(unit),
            None => blocks.push(unit),
        }
    }
    // Blocks that read each other would trigger each other endlessly, because a value that is set and overwritten
    // changes twice. Such blocks are merged.
    while let Some((first, second)) = (0..blocks.len())
        .flat_map(|second| (0..second).map(move |first| (first, second)))
        .find(|(first, second)| {
            let (first, second) = (&blocks[*first], &blocks[*second]);
            let both: BTreeSet<SigId> = first.union(second).copied().collect();
            !reads_of(&only(first)).is_disjoint(second)
                && !reads_of(&only(second)).is_disjoint(first)
                && !hazard(&both, &only(&both))
        })
    {
        let other = blocks.remove(second);
        blocks[first].extend(other);
    }
    let mut comments = group.comments.clone();
    blocks
        .into_iter()
        .map(|targets| Group {
            comments: std::mem::take(&mut comments),
            form: Form::Always {
                body: only(&targets),
                targets,
            },
        })
        .collect()
}
