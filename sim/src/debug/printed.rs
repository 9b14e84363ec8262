//! The output of `printf` while a kernel is debugged: each call's text as soon as it has executed.

use crate::debug::target::{Space, Target, WarpId};
use flexgrip_compiler::printf::records::{Extent, Printer};
use flexgrip_machine::MemorySpace;
use std::collections::BTreeSet;
use std::ops::Range;

/// The calls of a launch, and the text that has not been shown yet.
pub(super) struct Prints {
    printer: Printer,
    extent: Extent,
    /// The addresses of the buffer.
    range: Range<u32>,
    /// Warps with records that may not be complete.
    open: BTreeSet<WarpId>,
    text: Vec<u8>,
    /// Calls that are known to be lost.
    lost: u64,
}

impl Prints {
    /// Creates the state before the first call.
    pub fn new((printer, extent): (Printer, Extent)) -> Self {
        Prints {
            range: printer.range(&extent),
            printer,
            extent,
            open: BTreeSet::new(),
            text: Vec::new(),
            lost: 0,
        }
    }

    /// Collects the output of the last step, in which a store may have completed a record. On the circuits, a store may
    /// reach memory some cycles after its instruction has retired, so a warp is checked in each step until its records
    /// are complete.
    pub fn step(&mut self, target: &dyn Target) {
        for record in target.retired() {
            let stores = record.memory.iter().any(|effect| {
                effect.store && effect.space == MemorySpace::Global && self.range.contains(&effect.address)
            });
            if stores {
                self.open.insert(WarpId {
                    block: record.block,
                    warp: record.warp_in_block,
                });
            }
        }
        if self.open.is_empty() {
            return;
        }
        let (printer, extent, text) = (&mut self.printer, &self.extent, &mut self.text);
        self.open.retain(|warp| {
            let mut read = |at, bytes| target.read(Space::Global, at, bytes).ok();
            let (more, is_complete) = printer.newly(extent, (warp.block, warp.warp), &mut read);
            text.extend(more);
            !is_complete
        });
    }

    /// Handles a manual change: forgets records that are no longer in the buffer, because the launch may print others.
    pub fn changed(&mut self, target: &dyn Target) {
        let mut read = |at, bytes| target.read(Space::Global, at, bytes).ok();
        self.printer.forget_later(&mut read);
        self.lost = self.printer.lost(&self.extent, &mut read).calls;
    }

    /// The text since the last call, in whole lines. At the end of the grid it includes a message if calls were lost.
    pub fn take(&mut self, target: &dyn Target) -> String {
        let mut text = String::from_utf8_lossy(&std::mem::take(&mut self.text)).into_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        if target.ending().is_some() {
            let mut read = |at, bytes| target.read(Space::Global, at, bytes).ok();
            let lost = self.printer.lost(&self.extent, &mut read);
            if lost.calls > self.lost {
                self.lost = lost.calls;
                text += &format!("{lost}\n");
            }
        }
        text
    }
}
