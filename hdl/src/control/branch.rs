//! The branch unit: active masks, divergence, joins, calls, breaks, exits, traps.
//!
//! ```text
//! cycle   r0                         b (= r1 of the first beat)          b+1
//!         active mask to the read    decide; push, or pop the top;       resolved: the scheduler
//!         stage; stack top looked    masks written                       and fetch follow
//!         up
//! ```
//! One instruction at a time. Most take one cycle. A pop that finds only threads that have left keeps popping, one
//! entry per two cycles (the next top is looked up, then popped), and the unit stays busy meanwhile. Rules:
//! `docs/machine.md`, "Divergence".

use crate::bundles::*;
use crate::control::divergence_stack::{DivergenceStack, StackEntry, StackKind};
use hdlkit::prelude::*;

/// A pop in progress.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Popping {
    pub valid: Bit,
    pub tag: Bits<16>,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    /// Popping for a join marker; else because no thread is left.
    pub joining: Bit,
    /// The threads that join.
    pub active: Bits<32>,
    pub depth: Bits<6>,
    pub calls: Bits<6>,
    pub exited: Bits<32>,
    pub returned: Bits<32>,
    pub broken: Bits<32>,
}

/// A stack operation, for the trace.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct StackEvent {
    pub valid: Bit,
    pub tag: Bits<16>,
    pub push: Bit,
    pub entry: StackEntry,
}

/// The branch unit of an SM.
#[derive(LogicBlock, Cycle, Blank)]
pub struct BranchUnit {
    pub clock: Signal<In, Clock>,
    // A warp begins. Not in a cycle in which `b_busy` is high.
    pub b_launch: Signal<In, Bit>,
    pub b_launch_warp: Signal<In, WarpLaunch>,
    // The read stage's query for a warp, r0.
    pub r_warp: Signal<In, Bits<5>>,
    pub r_active: Signal<Out, Bits<32>>,
    pub b_request: Signal<In, ControlRequest>,
    /// The unit is working in this cycle, and may write.
    pub b_busy: Signal<Out, Bit>,
    pub b_resolved: Signal<Out, Resolved>,
    pub b_error: Signal<Out, KernelError>,
    pub b_event: Signal<Out, StackEvent>,

    stack: DivergenceStack,
    active: LutRam<5, Bits<32>>,
    existing: LutRam<5, Bits<32>>,
    exited: LutRam<5, Bits<32>>,
    returned: LutRam<5, Bits<32>>,
    broken: LutRam<5, Bits<32>>,
    depth: LutRam<5, Bits<6>>,
    calls: LutRam<5, Bits<6>>,
    b_depth: DFF<Bits<6>>,
    popping: DFF<Popping>,
    /// The next entry has been looked up.
    looked_up: DFF<Bit>,
    resolved: DFF<Resolved>,

    no_resolved: Constant<Resolved>,
    no_event: Constant<StackEvent>,
    no_error: Constant<KernelError>,
    codes: Constant<ErrorCodes>,
    no_entry: Constant<StackEntry>,
    launched: Signal<Local, WarpLaunch>,
    request: Signal<Local, ControlRequest>,
    going_on: Signal<Local, Popping>,
    work: Signal<Local, Popping>,
    busy: Signal<Local, Bit>,
    looks_up: Signal<Local, Bit>,
    works: Signal<Local, Bit>,
    remaining: Signal<Local, Bits<32>>,
    now_active: Signal<Local, Bits<32>>,
    next_pc: Signal<Local, Bits<24>>,
    asked_active: Signal<Local, Bits<32>>,
    asked_result: Signal<Local, Resolved>,
    trap: Signal<Local, Bits<4>>,
    underflow: Signal<Local, Bit>,
    wants_push: Signal<Local, Bit>,
    overflow: Signal<Local, Bit>,
    push: Signal<Local, Bit>,
    pop: Signal<Local, Bit>,
    entry: Signal<Local, StackEntry>,
    top: Signal<Local, StackEntry>,
    waiting: Signal<Local, Bits<32>>,
    leave: Signal<Local, Bit>,
    gone: Signal<Local, Bits<32>>,
    barred: Signal<Local, Bits<32>>,
    unbroken: Signal<Local, Bits<32>>,
    others: Signal<Local, Bits<32>>,
    stays: Signal<Local, Bit>,
    popped: Signal<Local, Bit>,
    now_exited: Signal<Local, Bits<32>>,
    now_returned: Signal<Local, Bits<32>>,
    now_broken: Signal<Local, Bits<32>>,
    now_calls: Signal<Local, Bits<6>>,
    pc_behind: Signal<Local, Bits<24>>,
    go_on: Signal<Local, Bit>,
    now_depth: Signal<Local, Bits<6>>,
    result: Signal<Local, Resolved>,
    stack_event: Signal<Local, StackEvent>,
    error: Signal<Local, KernelError>,
    _activity: Activity,
}

impl BranchUnit {
    /// The branch unit, with empty stacks.
    pub fn new() -> Self {
        BranchUnit {
            stack: DivergenceStack::new(),
            ..Default::default()
        }
    }
}

impl Logic for BranchUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, b_depth, popping, looked_up, resolved);
        clock!(self, clock, stack, active, existing, exited, returned, broken, depth, calls);
        self.launched.next = self.b_launch_warp.val();
        self.request.next = self.b_request.val();
        self.going_on.next = self.popping.q.val();

        self.look_up_mask();
        self.decide();
        self.pop();
        self.resolve();
        self.drive_stack();
        self.write_states();
    }
}

impl BranchUnit {
    /// Stage r0: the active mask, and the stack's top for the next cycle.
    #[hdl_part]
    fn look_up_mask(&mut self) {
        self.active.read_address.next = self.r_warp.val();
        self.r_active.next = self.active.read_data.val();
        self.depth.read_address.next = self.r_warp.val();
        self.b_depth.d.next = self.depth.read_data.val();
    }

    /// Stage b: a new request, or a pop that continues.
    #[hdl_part]
    fn decide(&mut self) {
        self.busy.next = self.request.val().valid || self.going_on.val().valid;
        self.looks_up.next = self.going_on.val().valid && !self.looked_up.q.val();
        self.looked_up.d.next = self.looks_up.val();
        self.works.next = self.busy.val() && !self.looks_up.val();
        self.existing.read_address.next = self.request.val().warp;
        self.exited.read_address.next = self.request.val().warp;
        self.returned.read_address.next = self.request.val().warp;
        self.broken.read_address.next = self.request.val().warp;
        self.calls.read_address.next = self.request.val().warp;
        if self.going_on.val().valid {
            self.existing.read_address.next = self.going_on.val().warp;
        }
        self.next_pc.next = self.request.val().pc + 8;
        self.work.next.valid = self.request.val().valid;
        self.work.next.tag = self.request.val().tag;
        self.work.next.warp = self.request.val().warp;
        self.work.next.pc = self.next_pc.val();
        self.work.next.joining = self.request.val().join_marker;
        self.work.next.active = self.request.val().active;
        self.work.next.depth = self.b_depth.q.val();
        self.work.next.calls = self.calls.read_data.val();
        self.work.next.exited = self.exited.read_data.val();
        self.work.next.returned = self.returned.read_data.val();
        self.work.next.broken = self.broken.read_data.val();
        self.remaining.next = self.request.val().active & !self.request.val().executed;
        self.asked_active.next = self.request.val().active;
        self.wants_push.next = false;
        self.pop.next = false;
        self.leave.next = false;
        self.entry.next = self.no_entry.val();
        self.asked_result.next = self.no_resolved.val();
        self.trap.next = 0.into();
        if self.going_on.val().valid {
            self.work.next = self.going_on.val();
            self.pop.next = self.looked_up.q.val();
        } else if self.request.val().valid {
            match self.request.val().control {
                ControlOperation::Branch => {
                    if self.request.val().executed.any() {
                        self.asked_active.next = self.request.val().executed;
                        self.asked_result.next.redirected = true;
                        self.asked_result.next.pc = self.request.val().target;
                        if self.remaining.val().any() {
                            self.wants_push.next = true;
                            self.entry.next.kind = StackKind::Diverged;
                            self.entry.next.mask = self.remaining.val();
                            self.entry.next.pc = self.next_pc.val();
                        }
                    }
                }
                ControlOperation::PushJoin => {
                    self.wants_push.next = true;
                    self.entry.next.kind = StackKind::Join;
                    self.entry.next.mask = self.request.val().active;
                    self.entry.next.pc = self.request.val().target;
                }
                ControlOperation::PushBreak => {
                    self.wants_push.next = true;
                    self.entry.next.kind = StackKind::Break;
                    self.entry.next.mask = self.request.val().active;
                    self.entry.next.pc = self.request.val().target;
                }
                ControlOperation::Call => {
                    self.wants_push.next = true;
                    self.entry.next.kind = StackKind::Call;
                    self.entry.next.mask = self.request.val().active;
                    self.entry.next.pc = self.next_pc.val();
                    self.work.next.calls = self.calls.read_data.val() + 1;
                    self.asked_result.next.redirected = true;
                    self.asked_result.next.pc = self.request.val().target;
                }
                ControlOperation::Return => {
                    self.leave.next = true;
                    if self.calls.read_data.val().any() {
                        self.work.next.returned = self.returned.read_data.val() | self.request.val().executed;
                    } else {
                        self.work.next.exited = self.exited.read_data.val() | self.request.val().executed;
                    }
                }
                ControlOperation::Break => {
                    self.leave.next = true;
                    self.work.next.broken = self.broken.read_data.val() | self.request.val().executed;
                }
                ControlOperation::Kill => {
                    self.leave.next = true;
                    self.work.next.exited = self.exited.read_data.val() | self.request.val().executed;
                }
                ControlOperation::Trap => {
                    self.trap.next = self.codes.val().trap;
                }
                ControlOperation::Breakpoint => {
                    if self.request.val().executed.any() {
                        self.trap.next = self.codes.val().breakpoint;
                    }
                }
                _ => {
                    self.pop.next = true;
                    if self.request.val().exit_marker {
                        self.asked_active.next = 0.into();
                        self.work.next.exited = self.exited.read_data.val() | self.request.val().active;
                    }
                }
            }
            if self.leave.val() {
                self.asked_active.next = self.remaining.val();
                self.pop.next = !self.remaining.val().any();
            }
        }
    }

    /// Pops an entry. Which of its threads may continue depends on why it was pushed.
    #[hdl_part]
    fn pop(&mut self) {
        self.top.next = self.stack.top.val();
        self.others.next = self.work.val().exited | self.work.val().returned;
        self.gone.next = self.others.val() | self.work.val().broken;
        self.barred.next = self.gone.val();
        self.stays.next = false;
        self.now_exited.next = self.work.val().exited;
        self.now_returned.next = self.work.val().returned;
        self.now_broken.next = self.work.val().broken;
        self.now_calls.next = self.work.val().calls;
        self.unbroken.next = self.top.val().mask & self.work.val().broken;
        self.underflow.next = false;
        self.pc_behind.next = self.going_on.val().pc - 8;
        self.popped.next = self.pop.val() && self.work.val().depth.any();
        if self.popped.val() {
            match self.top.val().kind {
                StackKind::Call => {
                    self.barred.next = self.work.val().exited;
                    if self.work.val().joining {
                        self.stays.next = true;
                    } else {
                        self.now_returned.next = self.work.val().returned & !self.top.val().mask;
                        self.now_calls.next = self.work.val().calls - 1;
                        self.underflow.next = self.unbroken.val().any();
                    }
                }
                StackKind::Break => {
                    self.barred.next = self.others.val();
                    if self.work.val().joining {
                        self.stays.next = true;
                    } else {
                        self.now_broken.next = self.work.val().broken & !self.top.val().mask;
                    }
                }
                _ => {}
            }
        } else if self.pop.val() {
            self.underflow.next = !self.work.val().joining && self.work.val().broken.any();
        }
        self.waiting.next = self.top.val().mask & !self.barred.val();
        self.overflow.next = self.wants_push.val() && self.work.val().depth.get_bit(5);
        self.push.next = self.wants_push.val() && !self.overflow.val();
        self.now_active.next = self.asked_active.val();
        self.result.next = self.asked_result.val();
        self.now_depth.next = self.work.val().depth;
        self.go_on.next = false;
        if self.push.val() {
            self.now_depth.next = self.work.val().depth + 1;
        } else if self.stays.val() {
            self.now_active.next = self.work.val().active;
        } else if self.popped.val() {
            self.now_depth.next = self.work.val().depth - 1;
            self.now_active.next = self.waiting.val();
            // Whether any thread continues is known last, and decides only whether this is a result.
            self.go_on.next = !self.waiting.val().any();
            if self.top.val().kind == StackKind::Join {
                // Joining threads continue after their instruction; if all have left, the waiting threads have already
                // executed the join instruction (a long one).
                self.result.next.redirected = !self.work.val().joining;
                self.result.next.pc = self.top.val().pc + 8;
            } else {
                self.result.next.redirected = true;
                self.result.next.pc = self.top.val().pc;
            }
        } else if self.pop.val() {
            if self.work.val().joining {
                self.now_active.next = self.existing.read_data.val() & !self.gone.val();
            } else {
                self.now_active.next = 0.into();
                self.result.next.ended = true;
            }
        }
    }

    /// Errors, and the result: where the warp continues, or that it pops again.
    #[hdl_part]
    fn resolve(&mut self) {
        self.error.next = self.no_error.val();
        self.error.next.code = self.trap.val();
        self.error.next.warp = self.work.val().warp;
        self.error.next.pc = self.request.val().pc;
        if self.going_on.val().valid {
            self.error.next.pc = self.pc_behind.val();
        }
        if self.overflow.val() {
            self.error.next.code = self.codes.val().stack_overflow;
        } else if self.underflow.val() {
            self.error.next.code = self.codes.val().stack_underflow;
        }
        self.b_error.next = self.error.val();
        // Kept in any case, because whether the pop continues is known last.
        if self.works.val() {
            self.popping.d.next = self.work.val();
            self.popping.d.next.valid = self.go_on.val();
            self.popping.d.next.depth = self.now_depth.val();
            self.popping.d.next.calls = self.now_calls.val();
            self.popping.d.next.returned = self.now_returned.val();
            self.popping.d.next.broken = self.now_broken.val();
        }
        // An instruction that ends in an error has no successor.
        self.result.next.valid = self.works.val() && !self.go_on.val() && !self.error.val().code.any();
        self.result.next.tag = self.work.val().tag;
        self.result.next.warp = self.work.val().warp;
        self.result.next.active = self.now_active.val();
        if !self.result.val().redirected {
            self.result.next.pc = self.work.val().pc;
        }
        self.resolved.d.next = self.result.val();
        self.b_resolved.next = self.resolved.q.val();
        self.stack_event.next = self.no_event.val();
        if self.push.val() {
            self.stack_event.next.valid = true;
            self.stack_event.next.push = true;
            self.stack_event.next.tag = self.work.val().tag;
            self.stack_event.next.entry = self.entry.val();
        } else if self.popped.val() && !self.stays.val() {
            self.stack_event.next.valid = true;
            self.stack_event.next.tag = self.work.val().tag;
            self.stack_event.next.entry = self.top.val();
        }
        self.b_event.next = self.stack_event.val();
        self.b_busy.next = self.busy.val();
    }

    /// The stack: the next top while popping, else the top of the warp in r0. The choice depends only on registers: the
    /// stack is block RAM and needs its address early.
    #[hdl_part]
    fn drive_stack(&mut self) {
        self.stack.read_warp.next = self.r_warp.val();
        self.stack.read_depth.next = self.depth.read_data.val();
        if self.going_on.val().valid {
            self.stack.read_warp.next = self.going_on.val().warp;
            self.stack.read_depth.next = self.going_on.val().depth;
        }
        self.stack.push.next = self.push.val();
        self.stack.push_warp.next = self.work.val().warp;
        self.stack.push_depth.next = self.work.val().depth;
        self.stack.push_entry.next = self.entry.val();
    }

    /// The warps' states.
    #[hdl_part]
    fn write_states(&mut self) {
        self.active.write_enable.next = self.works.val() || self.b_launch.val();
        self.active.write_address.next = self.work.val().warp;
        self.active.write_data.next = self.now_active.val();
        self.exited.write_enable.next = self.works.val() || self.b_launch.val();
        self.exited.write_address.next = self.work.val().warp;
        self.exited.write_data.next = self.now_exited.val();
        self.returned.write_enable.next = self.works.val() || self.b_launch.val();
        self.returned.write_address.next = self.work.val().warp;
        self.returned.write_data.next = self.now_returned.val();
        self.broken.write_enable.next = self.works.val() || self.b_launch.val();
        self.broken.write_address.next = self.work.val().warp;
        self.broken.write_data.next = self.now_broken.val();
        self.calls.write_enable.next = self.works.val() || self.b_launch.val();
        self.calls.write_address.next = self.work.val().warp;
        self.calls.write_data.next = self.now_calls.val();
        self.depth.write_enable.next = self.works.val() || self.b_launch.val();
        self.depth.write_address.next = self.work.val().warp;
        self.depth.write_data.next = self.now_depth.val();
        self.existing.write_enable.next = self.b_launch.val();
        self.existing.write_address.next = self.launched.val().warp;
        self.existing.write_data.next = self.launched.val().mask;
        if self.b_launch.val() {
            self.active.write_address.next = self.launched.val().warp;
            self.active.write_data.next = self.launched.val().mask;
            self.exited.write_address.next = self.launched.val().warp;
            self.exited.write_data.next = 0.into();
            self.returned.write_address.next = self.launched.val().warp;
            self.returned.write_data.next = 0.into();
            self.broken.write_address.next = self.launched.val().warp;
            self.broken.write_data.next = 0.into();
            self.calls.write_address.next = self.launched.val().warp;
            self.calls.write_data.next = 0.into();
            self.depth.write_address.next = self.launched.val().warp;
            self.depth.write_data.next = 0.into();
        }
    }
}
