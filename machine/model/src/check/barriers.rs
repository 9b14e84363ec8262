//! Barriers of a whole block: a check that all threads arrive, at the same instruction.

use super::checker::Checker;
use super::finding::{BarrierFault, Fault, Finding, Thread};
use super::shadow::gathering::{Arrival, Bar, Gathering};
use crate::block::Block;
use crate::lanes::lanes_of;
use flexgrip_machine::sizes::BARRIERS;
use flexgrip_machine::{EntryKind, Fence};

impl Checker {
    /// Updates the barriers after an instruction of a warp.
    pub(crate) fn done(&mut self, (index, warp): (u32, u32), state: &Block) {
        let bar = self.bar.take();
        let ended = state.warps.get(warp as usize).is_some_and(|warp| warp.ended);
        if bar.is_none() && !ended {
            return;
        }
        let all_needed = self.launch.launch.facts.work_items.is_some();
        let Some((block, _)) = self.blocks.get_mut(&index) else {
            return;
        };
        let gathering = &mut block.gathering;
        if let Some(bar) = bar {
            if bar.arrive {
                for order in &mut block.order {
                    order.arrive(warp, bar.barrier);
                }
                let Bar { lanes, pc, fence, .. } = bar;
                let arrival = Arrival { warp, lanes, pc, fence };
                gathering.arrivals.push((bar.barrier, arrival));
                if !bar.for_all {
                    gathering.counted |= 1 << (bar.barrier & 15);
                }
            }
            if bar.wait {
                gathering.waiting.push((bar.barrier, warp));
            }
        }
        for barrier in 0..BARRIERS as u8 {
            let arrived = gathering.arrivals.iter().any(|(number, _)| *number == barrier);
            if !arrived || state.barriers[usize::from(barrier)].arrivals() != 0 {
                continue;
            }
            let fences = gathering.arrivals.iter().filter(|(number, _)| *number == barrier);
            let fence = fences.fold(Fence::ALL, |fence, (_, arrival)| Fence {
                global: fence.global && arrival.fence.global,
                shared: fence.shared && arrival.fence.shared,
            });
            for (order, ordered) in block.order.iter_mut().zip([fence.global, fence.shared]) {
                let released = gathering.waiting.iter();
                let released = released.filter(|(number, _)| ordered && *number == barrier);
                order.open(barrier, released.map(|(_, warp)| *warp));
            }
            if gathering.counted >> barrier & 1 == 0 {
                for finding in faults(gathering, barrier, (index, all_needed), state) {
                    self.launch.findings.add(finding);
                }
            }
            gathering.arrivals.retain(|(number, _)| *number != barrier);
            gathering.waiting.retain(|(number, _)| *number != barrier);
            gathering.counted &= !(1 << barrier);
        }
    }

    /// Reports that all warps of a block that have not ended wait forever.
    pub(crate) fn deadlock(&mut self, index: u32, state: &Block) {
        let all_needed = self.launch.launch.facts.work_items.is_some();
        let Some((block, _)) = self.blocks.get_mut(&index) else {
            return;
        };
        let mut barriers: Vec<u8> = block.gathering.arrivals.iter().map(|(number, _)| *number).collect();
        barriers.dedup();
        for barrier in barriers {
            if block.gathering.counted >> barrier & 1 == 0 {
                for finding in faults(&block.gathering, barrier, (index, all_needed), state) {
                    self.launch.findings.add(finding);
                }
            }
        }
        block.gathering.arrivals.clear();
    }
}

/// The faults of the threads that have arrived at a barrier.
///
/// The machine's barrier does not wait for threads that have ended, and code for it may rely on that; in OpenCL
/// (`all_needed`) all work-items of a group must arrive.
fn faults(gathering: &Gathering, barrier: u8, (block, all_needed): (u32, bool), state: &Block) -> Vec<Finding> {
    let arrivals = || gathering.arrivals.iter().filter(|(number, _)| *number == barrier);
    let Some((_, first)) = arrivals().next() else {
        return Vec::new();
    };
    let threads = |warp: u32, lanes: u32| lanes_of(lanes).map(move |lane| 32 * warp + lane as u32);
    let mut here = Vec::new();
    let mut arrived = vec![0u32; state.warps.len()];
    // By instruction: threads that have arrived at another one, and threads that have not arrived.
    let mut elsewhere: Vec<(u32, Vec<u32>)> = Vec::new();
    let mut add = |pc: u32, thread: u32| match elsewhere.iter_mut().find(|(other, _)| *other == pc) {
        Some((_, threads)) => threads.push(thread),
        None => elsewhere.push((pc, vec![thread])),
    };
    for (_, arrival) in arrivals() {
        if let Some(arrived) = arrived.get_mut(arrival.warp as usize) {
            *arrived |= arrival.lanes;
        }
        for thread in threads(arrival.warp, arrival.lanes) {
            if arrival.pc == first.pc {
                here.push(thread);
            } else {
                add(arrival.pc, thread);
            }
        }
    }
    let mut ended = Vec::new();
    for ((index, warp), arrived) in (0..).zip(&state.warps).zip(&arrived) {
        let missing = warp.threads & !arrived;
        for lane in lanes_of(missing) {
            let thread = 32 * index + lane as u32;
            if warp.ended || warp.gone.exited >> lane & 1 != 0 {
                ended.push(thread);
                continue;
            }
            let waits = warp
                .stack
                .entries()
                .iter()
                .rev()
                .find(|entry| entry.mask >> lane & 1 != 0);
            let pc = match waits {
                _ if warp.active >> lane & 1 != 0 => warp.waiting.map_or(warp.pc, |waiting| waiting.pc),
                Some(entry) if entry.kind != EntryKind::Join || warp.active >> lane & 1 == 0 => entry.pc,
                _ => warp.pc,
            };
            add(pc, thread);
        }
    }
    let lowest = here.first().copied().unwrap_or(0);
    let finding = |missing: Vec<u32>, fault: BarrierFault| Finding {
        thread: Thread {
            block,
            warp: lowest / 32,
            lane: lowest % 32,
        },
        pc: first.pc,
        fault: Fault::Barrier {
            here: here.clone(),
            missing,
            fault,
        },
    };
    let mut all: Vec<Finding> = elsewhere
        .into_iter()
        .map(|(pc, threads)| finding(threads, BarrierFault::Elsewhere { pc }))
        .collect();
    if all_needed && !ended.is_empty() {
        all.push(finding(ended, BarrierFault::Ended));
    }
    all
}
