//! Storage of the divergence stacks (reconvergence stacks): 32 entries for each of 32 warps, in block RAM.
//!
//! ```text
//! cycle    t                          t+1
//! read     warp, depth                top entry (entry depth - 1)
//! push     warp, depth, entry         seen by reads of t+1
//! ```
//! The branch unit (`control/branch.rs`) keeps the depth of each stack and interprets the entries.

use hdlkit::prelude::*;

/// The kind of an entry, by the instruction that pushed it.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum StackKind {
    /// SSY: the reconvergence point.
    Join,
    /// A divergent branch: the side that has not run yet.
    Diverged,
    /// CAL: the return address of the subroutine.
    Call,
    /// PBK: the target of the loop's breaks.
    Break,
}

/// An entry of a divergence stack.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct StackEntry {
    pub kind: StackKind,
    /// The threads that may continue when the entry is popped.
    pub mask: Bits<32>,
    /// The instruction at which they continue; of a join, the one with the join marker, after which they continue.
    pub pc: Bits<24>,
}

/// The code of a kind in the trace.
#[hdl_fn]
pub fn code_of(kind: StackKind) -> Bits<2> {
    match kind {
        StackKind::Join => bits(0),
        StackKind::Diverged => bits(1),
        StackKind::Call => bits(2),
        StackKind::Break => bits(3),
    }
}

/// The stacks of an SM's warps.
#[circuit]
pub struct DivergenceStack {
    pub clock: Signal<In, Clock>,
    pub read_warp: Signal<In, Bits<5>>,
    /// Number of entries on that warp's stack.
    pub read_depth: Signal<In, Bits<6>>,
    pub top: Signal<Out, StackEntry>,
    pub push: Signal<In, Bit>,
    pub push_warp: Signal<In, Bits<5>>,
    /// Number of entries on the stack before the push.
    pub push_depth: Signal<In, Bits<6>>,
    pub push_entry: Signal<In, StackEntry>,
    memory: BundleRam<10, StackEntry>,
}

impl Logic for DivergenceStack {
    #[hdl_gen]
    fn update(&mut self) {
        let top_index = self.read_depth.val() - 1;
        self.memory.fetch(true, self.read_warp.val().concat(top_index.low::<5>()));
        self.top.next = self.memory.read_data.val();
        self.memory.write(
            self.push.val(),
            self.push_warp.val().concat(self.push_depth.val().low::<5>()),
            self.push_entry.val(),
        );
    }
}
