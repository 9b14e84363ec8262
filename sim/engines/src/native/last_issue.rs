//! The places of the last issued instructions, for errors of kernels that do not end and for watches.

use crate::circuits::host::IssuePlace;
use flexgrip_machine::trace::{Event, IssueEvent, LaunchEvent};
use flexgrip_machine::WarpPlace;

/// A warp, and the PC of its last issued instruction.
type IssuingWarp = (LaunchEvent, Option<u32>);

/// Tracks the places of issued instructions.
pub(super) struct LastIssue {
    /// The warps in each SM's slots.
    warps: Vec<[Option<IssuingWarp>; 32]>,
    last: Option<(u32, IssueEvent)>,
}

impl LastIssue {
    /// A tracker for a machine of `sms` SMs that has issued no instruction.
    pub fn new(sms: u32) -> Self {
        LastIssue {
            warps: vec![[None; 32]; sms as usize],
            last: None,
        }
    }

    /// Events with their SMs that bring a new tracker to this state.
    pub fn events(&self) -> Vec<(u32, Event)> {
        let mut events = Vec::new();
        let issue = |warp, pc| IssueEvent {
            tag: 0,
            warp,
            pc,
            word: 0,
        };
        for (sm, warps) in (0..).zip(&self.warps) {
            for (launch, pc) in warps.iter().flatten() {
                events.push((sm, Event::Launch(*launch)));
                events.extend(pc.map(|pc| (sm, Event::Issue(issue(launch.warp, pc)))));
            }
        }
        events.extend(self.last.map(|(sm, last)| (sm, Event::Issue(last))));
        events
    }

    pub fn note(&mut self, sm: u32, event: &Event) {
        match event {
            Event::Launch(launch) => {
                let warps = self.warps.get_mut(sm as usize);
                if let Some(slot) = warps.and_then(|warps| warps.get_mut(launch.warp as usize)) {
                    *slot = Some((*launch, None));
                }
            }
            Event::Issue(issue) => {
                let warps = self.warps.get_mut(sm as usize);
                if let Some(Some((_, pc))) = warps.and_then(|warps| warps.get_mut(issue.warp as usize)) {
                    *pc = Some(issue.pc);
                }
                self.last = Some((sm, *issue));
            }
            _ => {}
        }
    }

    pub fn place(&self) -> Option<IssuePlace> {
        let (sm, issue) = self.last?;
        let warps = self.warps.get(sm as usize);
        let warp = warps.and_then(|warps| warps.get(issue.warp as usize).copied().flatten());
        Some(IssuePlace {
            sm,
            block: warp.map_or(0, |(warp, _)| warp.block),
            warp_in_block: warp.map_or(0, |(warp, _)| warp.index),
            pc: issue.pc,
        })
    }

    /// The place of each warp's last issue. Warps that have ended are included, because their end is not tracked.
    pub fn places(&self) -> impl Iterator<Item = WarpPlace> + '_ {
        (0u32..).zip(&self.warps).flat_map(|(sm, warps)| {
            let warps = warps.iter().flatten();
            warps.filter_map(move |(warp, pc)| {
                Some(WarpPlace {
                    sm,
                    block: warp.block,
                    warp_in_block: warp.index,
                    pc: (*pc)?,
                })
            })
        })
    }
}
