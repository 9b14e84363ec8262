//! What an SM tells of each instruction that it carries out, for simulation: left open on a board, it costs nothing.
//!
//! Each group of ports belongs to the cycle in which its `valid` is high. A tag is the 16-bit running number of an
//! instruction in flight. Lane l of beat b is thread b * LANES + l of the warp. `sim/src/records.rs` puts the groups
//! together.

use hdlkit::prelude::*;
use rust_hdl_core::ast::VerilogLink;

/// The trace ports of an SM with LANES scalar processors.
#[derive(Clone, Debug, LogicInterface, CycleInterface, Blank, Ports)]
pub struct Trace<const LANES: usize> {
    // A warp begins: its slot, its block, its index in the block.
    pub launch_valid: Signal<Out, Bit>,
    pub launch_warp: Signal<Out, Bits<5>>,
    pub launch_block: Signal<Out, Bits<32>>,
    pub launch_index: Signal<Out, Bits<5>>,
    // An instruction is issued; a long one's word has its high half in bits 63..32.
    pub issue_valid: Signal<Out, Bit>,
    pub issue_tag: Signal<Out, Bits<16>>,
    pub issue_warp: Signal<Out, Bits<5>>,
    pub issue_pc: Signal<Out, Bits<24>>,
    pub issue_word: Signal<Out, Bits<64>>,
    // The active mask and the execution mask of an instruction.
    pub mask_valid: Signal<Out, Bit>,
    pub mask_tag: Signal<Out, Bits<16>>,
    pub mask_active: Signal<Out, Bits<32>>,
    pub mask_executed: Signal<Out, Bits<32>>,
    // A beat of results; every instruction has all its beats here once, also if it writes nothing.
    pub write_valid: Signal<Out, Bit>,
    pub write_tag: Signal<Out, Bits<16>>,
    pub write_beat: Signal<Out, Bits<2>>,
    pub write_last: Signal<Out, Bit>,
    pub write_lanes: Signal<Out, Bits<32>>,
    pub write_register: Signal<Out, Bits<7>>,
    pub write_register_enable: Signal<Out, Bit>,
    pub write_halves: Signal<Out, Bits<2>>,
    pub write_condition_register: Signal<Out, Bits<2>>,
    pub write_condition_enable: Signal<Out, Bit>,
    pub write_address_register: Signal<Out, Bits<2>>,
    pub write_address_enable: Signal<Out, Bit>,
    pub write_data: [Signal<Out, Bits<32>>; LANES],
    pub write_condition: [Signal<Out, Bits<4>>; LANES],
    // A beat of a global or local access; data only of a store.
    pub memory_valid: Signal<Out, Bit>,
    pub memory_tag: Signal<Out, Bits<16>>,
    pub memory_beat: Signal<Out, Bits<2>>,
    pub memory_store: Signal<Out, Bit>,
    pub memory_local: Signal<Out, Bit>,
    pub memory_size: Signal<Out, Bits<3>>,
    pub memory_lanes: Signal<Out, Bits<32>>,
    pub memory_address: [Signal<Out, Bits<32>>; LANES],
    pub memory_data: [Signal<Out, Bits<32>>; LANES],
    // Half a warp's stores to shared memory: threads 16 to 31 or 0 to 15; access 0 a byte, 1 two, 3 four.
    pub shared_valid: Signal<Out, Bit>,
    pub shared_tag: Signal<Out, Bits<16>>,
    pub shared_upper: Signal<Out, Bit>,
    pub shared_access: Signal<Out, Bits<2>>,
    pub shared_threads: Signal<Out, Bits<16>>,
    pub shared_address: [Signal<Out, Bits<16>>; 16],
    pub shared_data: [Signal<Out, Bits<32>>; 16],
    // A beat of a post-increment: what the address register (A1 is 0) holds then.
    pub increment_valid: Signal<Out, Bit>,
    pub increment_tag: Signal<Out, Bits<16>>,
    pub increment_beat: Signal<Out, Bits<2>>,
    pub increment_lanes: Signal<Out, Bits<32>>,
    pub increment_register: Signal<Out, Bits<2>>,
    pub increment_data: [Signal<Out, Bits<16>>; LANES],
    // A push or pop of the divergence stack; kind 0 join, 1 diverged, 2 call, 3 break.
    pub stack_valid: Signal<Out, Bit>,
    pub stack_tag: Signal<Out, Bits<16>>,
    pub stack_push: Signal<Out, Bit>,
    pub stack_kind: Signal<Out, Bits<2>>,
    pub stack_mask: Signal<Out, Bits<32>>,
    pub stack_pc: Signal<Out, Bits<24>>,
    // Where a warp goes on, after control instructions and markers.
    pub next_valid: Signal<Out, Bit>,
    pub next_tag: Signal<Out, Bits<16>>,
    pub next_ended: Signal<Out, Bit>,
    pub next_pc: Signal<Out, Bits<24>>,
    pub next_active: Signal<Out, Bits<32>>,
}

/// rust-hdl links interfaces of signals; this lets them hold arrays of signals, too. The names are those that its derive
/// calls.
trait LinkArray {
    fn link(&mut self, other: &mut Self);
    fn link_hdl(name: &str, this: &str, that: &str) -> Vec<VerilogLink>;
    fn link_connect_source(&mut self);
    fn link_connect_dest(&mut self);
    fn join_connect(&mut self);
    fn join_hdl(name: &str, this: &str, that: &str) -> Vec<VerilogLink>;
}

impl<D: Synth, const N: usize> LinkArray for [Signal<Out, D>; N] {
    fn link(&mut self, other: &mut Self) {
        for (outer, inner) in self.iter_mut().zip(other) {
            outer.link(inner);
        }
    }
    fn link_hdl(name: &str, this: &str, that: &str) -> Vec<VerilogLink> {
        let link = |index| <Signal<Out, D> as LogicLink>::link_hdl(&format!("{name}[{index}]"), this, that);
        (0..N).flat_map(link).collect()
    }
    fn link_connect_source(&mut self) {
        self.iter_mut().for_each(LogicLink::link_connect_source);
    }
    fn link_connect_dest(&mut self) {
        self.iter_mut().for_each(LogicLink::link_connect_dest);
    }
    fn join_connect(&mut self) {
        self.iter_mut().for_each(LogicJoin::join_connect);
    }
    fn join_hdl(name: &str, this: &str, that: &str) -> Vec<VerilogLink> {
        let join = |index| Signal::<Out, D>::join_hdl(&format!("{name}[{index}]"), this, that);
        (0..N).flat_map(join).collect()
    }
}
