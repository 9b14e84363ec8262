//! Assigns an instruction of the unit to each cycle.

use crate::gates::record::Recorded;
use crate::gates::windows::{sm_of, windows};
use flexgrip_faults::gates::results::WindowRow;
use flexgrip_faults::gates::Window;
use std::collections::BTreeSet;

/// The instructions in a unit, with the owner of each cycle, from 0.
pub(super) struct Owners {
    /// The cycles of each instruction of each warp in the unit.
    pub windows: Vec<WindowRow>,
    of_cycle: Vec<Option<usize>>,
}

impl Owners {
    /// If several instructions are in the unit, the one that leaves it first owns the cycle, because the outputs of the
    /// unit belong to it.
    pub fn new(recorded: &Recorded, path: &str) -> Owners {
        let sm = sm_of(path);
        let of_sm = recorded.records.iter().filter(|record| Some(record.sm) == sm);
        let warps: BTreeSet<u32> = of_sm.map(|record| record.warp).collect();
        let all = match sm {
            None => windows(recorded, path, None),
            Some(_) => warps
                .iter()
                .flat_map(|warp| windows(recorded, path, Some(*warp)))
                .collect(),
        };
        Owners::of_windows(all, recorded.stages.len())
    }

    fn of_windows(windows: Vec<WindowRow>, cycles: usize) -> Owners {
        let mut of_cycle: Vec<Option<usize>> = vec![None; cycles];
        for (number, window) in windows.iter().enumerate() {
            let end = cycles.min(window.last_cycle + 1);
            for owner in of_cycle.get_mut(window.first_cycle..end).unwrap_or_default() {
                if owner.is_none_or(|owner| windows[owner].last_cycle > window.last_cycle) {
                    *owner = Some(number);
                }
            }
        }
        Owners { windows, of_cycle }
    }

    /// The instruction that owns a cycle.
    pub fn of(&self, cycle: usize) -> Option<&WindowRow> {
        Some(&self.windows[(*self.of_cycle.get(cycle)?)?])
    }

    /// The cycles in which the unit holds an instruction, in as few windows as possible.
    pub fn busy(&self) -> Vec<Window> {
        let owned = self.of_cycle.iter().map(|owner| owner.map(|_| 0));
        runs(owned).into_iter().map(|(window, _)| window).collect()
    }

    /// Windows with a single owner each, with its index in `windows`.
    pub fn each(&self) -> Vec<(Window, usize)> {
        runs(self.of_cycle.iter().copied())
    }
}

/// Runs of consecutive cycles with the same owner.
fn runs(owners: impl Iterator<Item = Option<usize>>) -> Vec<(Window, usize)> {
    let mut found: Vec<(Window, usize)> = vec![];
    for (cycle, owner) in owners.enumerate() {
        let Some(owner) = owner else { continue };
        match found.last_mut() {
            Some((window, of)) if *of == owner && window.1 + 1 == cycle => window.1 = cycle,
            _ => found.push(((cycle, cycle), owner)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(first_cycle: usize, last_cycle: usize) -> WindowRow {
        WindowRow {
            window: 0,
            warp: Some(0),
            pc: Some(8 * first_cycle as u32),
            instruction: String::new(),
            first_cycle,
            last_cycle,
            detected: 0,
        }
    }

    #[test]
    fn first_to_leave_owns_the_cycle() {
        let owners = Owners::of_windows(vec![window(1, 6), window(2, 3), window(8, 20)], 10);
        let pcs: Vec<Option<u32>> = (0..11).map(|cycle| owners.of(cycle)?.pc).collect();
        let (a, b, c) = (Some(8), Some(16), Some(64));
        assert_eq!(pcs, [None, a, b, b, a, a, a, None, c, c, None]);
        assert_eq!(owners.busy(), [(1, 6), (8, 9)]);
        assert_eq!(owners.each(), [((1, 1), 0), ((2, 3), 1), ((4, 6), 0), ((8, 9), 2)]);
    }

    #[test]
    fn earlier_window_owns_cycles_of_equal_ends() {
        let owners = Owners::of_windows(vec![window(0, 4), window(2, 4)], 5);
        assert_eq!(owners.each(), [((0, 4), 0)]);
    }
}
