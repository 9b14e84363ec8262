//! Storage of the divergence stacks: 32 entries for each of 32 warps, in block RAM.
//!
//! ```text
//! cycle    t                          t+1
//! read     warp, depth                top entry (entry depth - 1)
//! push     warp, depth, entry         seen by reads of t+1
//! ```
//! The branch unit (`control/branch.rs`) knows what the entries mean and how deep each stack is.

use hdlkit::prelude::*;

/// Why an entry was pushed.
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
    pub mask: Bits<32>,
    pub pc: Bits<24>,
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
    memory: BlockRam<10, 58, 1>,
    index: Signal<Local, Bits<6>>,
    place: Signal<Local, Bits<10>>,
    entry: Signal<Local, StackEntry>,
    word: Signal<Local, Bits<58>>,
    kind_bits: Signal<Local, Bits<58>>,
    mask_bits: Signal<Local, Bits<58>>,
    pc_bits: Signal<Local, Bits<58>>,
    kind_code: Signal<Local, Bits<2>>,
    kind: Signal<Local, StackKind>,
    enabled: Constant<Bit>,
}

impl DivergenceStack {
    /// Empty stacks.
    pub fn new() -> Self {
        DivergenceStack {
            enabled: Constant::new(true),
            ..Default::default()
        }
    }
}

impl Logic for DivergenceStack {
    #[hdl_gen]
    fn update(&mut self) {
        self.memory.read_enable.next = self.enabled.val();
        self.index.next = self.read_depth.val() - 1;
        self.place.next = bit_cast::<10, 5>(self.read_warp.val()) << 5;
        self.place.next = self.place.val() | bit_cast::<10, 5>(self.index.val().get_bits::<5>(0));
        self.memory.read_address.next = self.place.val();
        self.word.next = self.memory.read_data.val();
        match self.word.val().get_bits::<2>(0).index() {
            1 => self.kind.next = StackKind::Diverged,
            2 => self.kind.next = StackKind::Call,
            3 => self.kind.next = StackKind::Break,
            _ => self.kind.next = StackKind::Join,
        }
        self.top.next.kind = self.kind.val();
        self.top.next.mask = self.word.val().get_bits::<32>(2);
        self.top.next.pc = self.word.val().get_bits::<24>(34);

        self.entry.next = self.push_entry.val();
        match self.entry.val().kind {
            StackKind::Diverged => self.kind_code.next = 1.into(),
            StackKind::Call => self.kind_code.next = 2.into(),
            StackKind::Break => self.kind_code.next = 3.into(),
            _ => self.kind_code.next = 0.into(),
        }
        self.kind_bits.next = bit_cast::<58, 2>(self.kind_code.val());
        self.mask_bits.next = bit_cast::<58, 32>(self.entry.val().mask) << 2;
        self.pc_bits.next = bit_cast::<58, 24>(self.entry.val().pc) << 34;
        self.place.next = bit_cast::<10, 5>(self.push_warp.val()) << 5;
        self.place.next = self.place.val() | bit_cast::<10, 5>(self.push_depth.val().get_bits::<5>(0));
        self.memory.write_address.next = self.place.val();
        self.memory.write_data.next = (self.kind_bits.val() | self.mask_bits.val()) | self.pc_bits.val();
        self.memory.write_enable.next = 0.into();
        if self.push.val() {
            self.memory.write_enable.next = 1.into();
        }
    }
}
