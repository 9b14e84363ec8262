//! The branch unit executes control instructions: it updates a warp's active mask and determines its next PC, and
//! handles divergence and reconvergence with a stack for each warp. Branches, joins, calls, breaks, exits and traps are
//! resolved here.
//!
//! ```text
//! cycle   r0                         b (= r1 of the first beat)          b+1
//!         active mask to the read    decide; push, or pop the top;       resolved: the scheduler
//!         stage; stack top looked    masks written                       and fetch follow
//!         up
//! ```
//! It handles one instruction at a time, most in one cycle. If all threads of a popped entry have left, it pops again,
//! one entry per two cycles (the next top is looked up, then popped), and stays busy until it finds threads or the
//! stack is empty. Rules: `docs/machine.md`, "Divergence".

use crate::bundles::*;
use crate::control::divergence_stack::{DivergenceStack, StackEntry, StackKind};
use flexgrip_machine::code;
use hdlkit::prelude::*;

/// The threads of a warp that have left the current path.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LeftThreads {
    /// Number of subroutine calls that the warp has not returned from.
    pub calls: Bits<6>,
    /// Threads that have exited; that have returned and continue after the subroutine; that have broken out of the loop
    /// and continue after it.
    pub exited: Bits<32>,
    pub returned: Bits<32>,
    pub broken: Bits<32>,
}

/// A warp's state in stage b; in `popping`, the state between two pops of one instruction.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BranchState {
    pub valid: Bit,
    pub tag: Bits<16>,
    pub warp: Bits<5>,
    /// PC of the next instruction.
    pub pc: Bits<24>,
    /// The pop is for a join marker; otherwise because no thread is left.
    pub joining: Bit,
    /// The threads that join.
    pub active: Bits<32>,
    pub depth: Bits<6>,
    pub left: LeftThreads,
}

/// The action of an instruction, or of a further pop, in stage b.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BranchAction {
    /// The warp's state, including the threads that leave with this instruction.
    pub state: BranchState,
    /// An entry is pushed if the stack is not full.
    pub wants_push: Bit,
    pub entry: StackEntry,
    /// An entry is popped if there is one.
    pub pop: Bit,
    /// If no entry is popped: the new active mask, and the PC if the warp is redirected.
    pub active: Bits<32>,
    pub redirected: Bit,
    pub pc: Bits<24>,
    /// The error code of a trap or breakpoint; 0 for none.
    pub trap: Bits<4>,
}

/// A push or pop, for the trace.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct StackEvent {
    pub valid: Bit,
    pub tag: Bits<16>,
    pub push: Bit,
    pub entry: StackEntry,
}

/// The action of an instruction; `state` is the warp's state before it.
#[hdl_fn]
fn action_of(request: ControlRequest, state: BranchState) -> BranchAction {
    let executed = request.executed;
    let remaining = request.active & !executed;
    let next_pc = state.pc;
    let mut action = BranchAction { state, active: request.active, ..Default::default() };
    let mut leaves = false;
    match request.control {
        ControlOperation::Branch => {
            if executed.any() {
                action.active = executed;
                action.redirected = true;
                action.pc = request.target;
                if remaining.any() {
                    action.wants_push = true;
                    action.entry = StackEntry { kind: StackKind::Diverged, mask: remaining, pc: next_pc };
                }
            }
        }
        ControlOperation::PushJoin => {
            action.wants_push = true;
            action.entry = StackEntry { kind: StackKind::Join, mask: request.active, pc: request.target };
        }
        ControlOperation::PushBreak => {
            action.wants_push = true;
            action.entry = StackEntry { kind: StackKind::Break, mask: request.active, pc: request.target };
        }
        ControlOperation::Call => {
            action.wants_push = true;
            action.entry = StackEntry { kind: StackKind::Call, mask: request.active, pc: next_pc };
            action.state.left.calls = state.left.calls + 1;
            action.redirected = true;
            action.pc = request.target;
        }
        ControlOperation::Return => {
            leaves = true;
            if state.left.calls.any() {
                action.state.left.returned = state.left.returned | executed;
            } else {
                action.state.left.exited = state.left.exited | executed;
            }
        }
        ControlOperation::Break => {
            leaves = true;
            action.state.left.broken = state.left.broken | executed;
        }
        ControlOperation::Kill => {
            leaves = true;
            action.state.left.exited = state.left.exited | executed;
        }
        ControlOperation::Trap => action.trap = bits(code::TRAP as u64),
        ControlOperation::Breakpoint => action.trap = mask(executed.any(), bits(code::BREAKPOINT as u64)),
        // A join or exit marker on an instruction of another unit.
        _ => {
            action.pop = true;
            if request.exit_marker {
                action.active = 0.into();
                action.state.left.exited = state.left.exited | request.active;
            }
        }
    }
    if leaves {
        action.active = remaining;
        action.pop = !remaining.any();
    }
    action
}

/// The branch unit of an SM.
#[circuit]
pub struct BranchUnit {
    pub clock: Signal<In, Clock>,
    /// A warp that begins, never in a cycle with `b_busy`.
    pub begins: Signal<In, WarpBegin>,
    // The warp that the read stage looks up in r0, and its active mask.
    pub r_warp: Signal<In, Bits<5>>,
    pub r_active: Signal<Out, Bits<32>>,
    pub r_control: Signal<In, ControlRequest>,
    /// An instruction is in stage b, and may write the unit's state.
    pub b_busy: Signal<Out, Bit>,
    pub b_resolved: Signal<Out, Resolved>,
    pub b_error: Signal<Out, KernelError>,
    pub b_event: Signal<Out, StackEvent>,

    stack: DivergenceStack,
    active: LutRam<5, Bits<32>>,
    /// The threads with which each warp began.
    existing: LutRam<5, Bits<32>>,
    left: LutRam<5, LeftThreads>,
    depth: LutRam<5, Bits<6>>,
    b_depth: DFF<Bits<6>>,
    popping: DFF<BranchState>,
    /// True if the next top of the stack has been looked up.
    looked_up: DFF<Bit>,
    resolved: DFF<Resolved>,
}

impl Logic for BranchUnit {
    #[hdl_gen]
    fn update(&mut self) {
        let request = self.r_control.val();
        let popping = self.popping.q.val();
        // Stage b: a new request, or a further pop in every second cycle.
        let busy = request.valid || popping.valid;
        let looks_up = popping.valid && !self.looked_up.q.val();
        let works = busy && !looks_up;
        self.looked_up.d.next = looks_up;
        self.b_busy.next = busy;

        let requested = self.look_up_state(request, popping);
        let action = if popping.valid {
            BranchAction { state: popping, pop: self.looked_up.q.val(), active: request.active, ..Default::default() }
        } else if request.valid {
            action_of(request, requested)
        } else {
            BranchAction { state: requested, active: request.active, ..Default::default() }
        };
        let pc = if popping.valid { popping.pc - 8 } else { request.pc };
        self.work(action, works, pc);
        self.look_up_top(popping);
    }
}

impl BranchUnit {
    /// Stage r0 reads the active mask, the depth of the stack, and its top; while popping, the next top. The stack's
    /// address depends only on registers, because block RAM needs it early in the cycle.
    #[hdl_part]
    fn look_up_top(&mut self, popping: BranchState) {
        self.r_active.next = self.active.read(self.r_warp.val());
        let r0_depth = self.depth.read(self.r_warp.val());
        self.b_depth.d.next = r0_depth;
        let (warp, depth) = if popping.valid { (popping.warp, popping.depth) } else { (self.r_warp.val(), r0_depth) };
        self.stack.read_warp.next = warp;
        self.stack.read_depth.next = depth;
    }

    /// Stage b reads the state of the request's warp.
    #[hdl_part]
    fn look_up_state(&mut self, request: ControlRequest, popping: BranchState) -> BranchState {
        self.existing.read_address.next = if popping.valid { popping.warp } else { request.warp };
        BranchState {
            valid: request.valid,
            tag: request.tag,
            warp: request.warp,
            // All instructions of this unit are long, except short TRAP and BPT, which end in an error.
            pc: request.pc + 8,
            joining: request.join_marker,
            active: request.active,
            depth: self.b_depth.q.val(),
            left: self.left.read(request.warp),
        }
    }

    /// Pushes an entry, or pops one; its kind determines which of its threads continue. Then the warp continues, ends,
    /// pops again, or stops with an error at `pc`.
    #[hdl_part]
    fn work(&mut self, action: BranchAction, works: Bit, pc: Bits<24>) {
        let state = action.state;
        let left = state.left;
        let top = self.stack.top.val();
        let ended = left.exited | left.returned;
        let overflow = action.wants_push && state.depth.get_bit(5);
        let push = action.wants_push && !overflow;
        let popped = action.pop && state.depth.any();
        // Threads that join do not leave their subroutine or loop.
        let stays = popped && state.joining && (top.kind == StackKind::Call || top.kind == StackKind::Break);

        let mut next = BranchState { valid: false, ..state };
        let mut resolved = Resolved {
            tag: state.tag,
            warp: state.warp,
            redirected: action.redirected,
            pc: action.pc,
            active: action.active,
            ..Default::default()
        };
        let mut underflow = false;
        if push {
            next.depth = state.depth + 1;
        } else if stays {
            resolved.active = state.active;
        } else if popped {
            let mut gone = ended | left.broken;
            match top.kind {
                StackKind::Call => {
                    gone = left.exited;
                    next.left.returned = left.returned & !top.mask;
                    next.left.calls = left.calls - 1;
                    underflow = (top.mask & left.broken).any();
                }
                StackKind::Break => {
                    gone = ended;
                    next.left.broken = left.broken & !top.mask;
                }
                _ => {}
            }
            next.depth = state.depth - 1;
            resolved.active = top.mask & !gone;
            // `resolved.active` is known last, so it decides only between a result and another pop.
            next.valid = !resolved.active.any();
            // Joining threads continue after their instruction. If all threads have left, the waiting threads have
            // already executed the join instruction, which is 8 bytes long.
            let is_join = top.kind == StackKind::Join;
            resolved.redirected = !is_join || !state.joining;
            resolved.pc = if is_join { top.pc + 8 } else { top.pc };
        } else if action.pop && state.joining {
            resolved.active = self.existing.read_data.val() & !(ended | left.broken);
        } else if action.pop {
            resolved.active = 0.into();
            resolved.ended = true;
            underflow = left.broken.any();
        }
        if !resolved.redirected {
            resolved.pc = state.pc;
        }

        let error_code = if overflow {
            bits(code::STACK_OVERFLOW as u64)
        } else if underflow {
            bits(code::STACK_UNDERFLOW as u64)
        } else {
            action.trap
        };
        self.b_error.next = KernelError { code: error_code, warp: state.warp, pc, address: 0.into() };
        // An instruction that ends in an error has no successor.
        resolved.valid = works && !next.valid && !error_code.any();
        self.resolved.d.next = resolved;
        self.b_resolved.next = self.resolved.q.val();
        // The register is written for every action, because the need for another pop is known last.
        if works {
            self.popping.d.next = next;
        }

        self.stack.push.next = push;
        self.stack.push_warp.next = state.warp;
        self.stack.push_depth.next = state.depth;
        self.stack.push_entry.next = action.entry;
        let entry = if push { action.entry } else { top };
        self.b_event.next = if push || popped && !stays {
            StackEvent { valid: true, tag: state.tag, push, entry }
        } else {
            StackEvent::default()
        };
        self.write_states(works, resolved.active, next);
    }

    /// Writes the warps' states. A warp begins with all of its threads active and an empty stack.
    #[hdl_part]
    fn write_states(&mut self, works: Bit, active: Bits<32>, state: BranchState) {
        let begins = self.begins.val();
        let launch = begins.launch;
        let writes = works || begins.valid;
        let warp = if begins.valid { launch.warp } else { state.warp };
        let written = if begins.valid { BranchState::default() } else { state };
        self.active.write(writes, warp, if begins.valid { launch.mask } else { active });
        self.left.write(writes, warp, written.left);
        self.depth.write(writes, warp, written.depth);
        self.existing.write(begins.valid, launch.warp, launch.mask);
    }
}
