//! The order of clusters, and the registers that take their next values in place.
//!
//! A cluster of the edge may write a register as soon as it has computed its next value, if all clusters that read the
//! register come before it. In a pipeline the last stage comes first:
//!
//! ```text
//! write-back: reads x        execute: reads r, writes x        read: writes r
//! ```
//! Registers for which that would be a circle keep their next values until the end of the edge.

use super::activity::{Cluster, Item};
use super::groups::Sources;
use crate::design::graph::Id;
use crate::design::Design;

/// A set of clusters.
#[derive(Clone)]
struct Set(Vec<u64>);

impl Set {
    fn has(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn extend(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }
}

/// Orders clusters, which are in any order in which each is after the clusters that it needs. Otherwise the order is
/// that of the circuit's registers: registers of one unit are next to each other and usually active together.
/// Returns true for each group whose registers are written in place. `parts`: clusters of more items are computed in
/// parts.
pub(in crate::code) fn order(
    design: &Design,
    sources: &Sources,
    clusters: Vec<Cluster>,
    parts: usize,
) -> (Vec<Cluster>, Vec<bool>) {
    let mut cluster_of = vec![usize::MAX; design.graph.nodes.len()];
    for (number, cluster) in clusters.iter().enumerate() {
        for item in &cluster.items {
            if let Item::Node(id) = item {
                cluster_of[*id as usize] = number;
            }
        }
    }
    let mut before = vec![vec![]; clusters.len()];
    let mut place = vec![usize::MAX; clusters.len()];
    for (number, cluster) in clusters.iter().enumerate() {
        let mut need = |id: Id| match cluster_of[id as usize] {
            usize::MAX => {}
            other if other == number || before[number].last() == Some(&other) => {}
            other => before[number].push(other),
        };
        for item in &cluster.items {
            item.needs(design, &mut need);
            if let Item::Register(index) = *item {
                place[number] = place[number].min(index);
            }
        }
    }
    let in_place = in_place(sources, &clusters, &mut before, parts);
    let mut order: Vec<usize> = (0..clusters.len()).collect();
    order.sort_by_key(|number| (!clusters[*number].settles, place[*number]));
    let mut clusters: Vec<Option<Cluster>> = clusters.into_iter().map(Some).collect();
    let mut sorted = vec![];
    let mut open: Vec<(usize, bool)> = order.into_iter().rev().map(|number| (number, false)).collect();
    while let Some((number, ready)) = open.pop() {
        if clusters[number].is_none() {
            continue;
        }
        if ready {
            sorted.extend(clusters[number].take());
            continue;
        }
        open.push((number, true));
        open.extend(before[number].iter().rev().map(|other| (*other, false)));
    }
    (sorted, in_place)
}

/// True for each group whose registers are written in place; `before` gets the clusters that must be computed before
/// the group's own.
fn in_place(sources: &Sources, clusters: &[Cluster], before: &mut [Vec<usize>], parts: usize) -> Vec<bool> {
    let none = Set(vec![0; clusters.len().div_ceil(64)]);
    let mut after = vec![none; clusters.len()];
    for number in (0..clusters.len()).rev() {
        let mut later = after[number].clone();
        later.insert(number);
        before[number].iter().for_each(|other| after[*other].extend(&later));
    }
    let groups = sources.count as usize;
    let (mut writers, mut readers) = (vec![vec![]; groups], vec![vec![]; groups]);
    for (number, cluster) in clusters.iter().enumerate() {
        cluster
            .registers
            .iter()
            .for_each(|group| writers[*group as usize].push(number));
        // Clusters that settle come before all others.
        if !cluster.settles {
            cluster
                .follows
                .iter()
                .for_each(|group| readers[group as usize].push(number));
        }
    }
    let mut in_place = vec![false; groups];
    for (group, (writers, readers)) in writers.iter().zip(&readers).enumerate() {
        let [writer] = writers[..] else { continue };
        let in_parts = clusters[writer].items.len() > parts && readers.contains(&writer);
        if in_parts || readers.iter().any(|reader| after[writer].has(*reader)) {
            continue;
        }
        in_place[group] = true;
        let mut later = after[writer].clone();
        later.insert(writer);
        for reader in readers.iter().filter(|reader| **reader != writer) {
            before[writer].push(*reader);
            if after[*reader].has(writer) {
                continue;
            }
            for (number, set) in after.iter_mut().enumerate() {
                if number == *reader || set.has(*reader) {
                    set.extend(&later);
                }
            }
        }
    }
    in_place
}
