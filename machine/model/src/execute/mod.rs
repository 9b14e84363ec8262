//! One warp instruction: read, compute, write, and continue.
//!
//! The order of steps is defined by the machine's contract (`docs/machine.md`, "One instruction"). The operation itself
//! computes the values, lane by lane; [`compute`] reads operands and writes results.

mod atomic;
mod compute;
mod context;
mod memory_access;
mod operands;
mod wide;

use crate::barrier::BarrierUse;
use crate::inject::{Injector, Issue};
use crate::program::{codes_of, Fetched, PostIncrement, Program};
use crate::warp::Warp;
use atomic::{atomic, load_locked, store_unlocking};
use compute::compute;
use context::Cause;
pub(crate) use context::{Fault, LaneAccesses, Memories, Recorder, Surroundings};
use flexgrip_isa::{Marker, Meaning, Operation};
use flexgrip_machine::{Entry, EntryKind, ErrorKind, StackOperation};
pub(crate) use memory_access::{access_addresses, registers_of, shared_addresses};
use memory_access::{load, store, store_shared};
use operands::write_address;
pub(crate) use operands::{addresses, register, source};
use wide::{double, vote};

/// The result of an executed instruction for its block.
pub(crate) struct ExecutedInstruction {
    /// The execution mask.
    pub executed: u32,
    /// True for a branch that has split the warp.
    pub split: bool,
    /// The use of a barrier, which the block executes.
    pub barrier: Option<BarrierUse>,
}

/// Executes the next instruction of `warp`, which must be able to run. `inspect` is called with its mask before it has
/// any effect.
// This function is compiled for each recorder and injector: calls took 0.8 % more instructions in a run without either.
#[inline(always)]
pub(crate) fn step(
    warp: &mut Warp,
    program: &Program,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
    injector: &mut impl Injector,
    inspect: impl FnOnce(&Warp, &Fetched, u32, &Memories<'_>),
) -> Result<ExecutedInstruction, Fault> {
    let fetched = program.fetch(warp.pc).map_err(|kind| Fault {
        kind,
        word: 0,
        address: None,
    })?;
    let replaced = injector.before(&mut Issue {
        warp,
        shared: memories.shared,
        fetched,
    });
    let fetched = match &replaced {
        None => fetched,
        Some(Ok(decoded)) => &decoded.0,
        Some(Err(kind)) => {
            return Err(Fault {
                kind: *kind,
                word: fetched.word,
                address: None,
            })
        }
    };
    let fault = |cause: Cause| Fault {
        kind: cause.kind,
        word: fetched.word,
        address: cause.address,
    };
    let Some(instruction) = &fetched.meaning else {
        return Err(fault(Cause::of(ErrorKind::IllegalInstruction)));
    };
    let behind = warp.pc.wrapping_add(fetched.bytes);
    let executed = match fetched.condition {
        None => warp.active,
        Some(condition) => warp.active & holding(condition, warp, instruction.predicate.register),
    };
    let executed = injector.mask(warp.active, executed);
    inspect(warp, fetched, executed, memories);
    recorder.begin(warp.pc, fetched.word, warp.active, executed);
    let is_branch = matches!(instruction.operation, Operation::Bra { .. });
    let split = is_branch && executed != 0 && executed != warp.active;
    let post_increment = fetched.post_increment;
    execute(warp, instruction, post_increment, executed, behind, memories, recorder).map_err(fault)?;
    let barrier = match instruction.operation {
        Operation::Bar {
            barrier,
            mask: threads,
            arrive,
            wait,
        } if arrive || wait => Some(BarrierUse {
            barrier,
            threads,
            arrive,
            wait,
        }),
        _ => None,
    };
    Ok(ExecutedInstruction {
        executed,
        split,
        barrier,
    })
}

/// The lanes with a condition code in a set of codes, bit 0 for code 0.
fn holding(condition: u16, warp: &Warp, register: u8) -> u32 {
    // The register number has two bits, so the register exists.
    let codes = &warp.cc[usize::from(register & 3)];
    let mut mask = 0;
    // This is computed for all lanes, without a branch, so that the loop is vectorised.
    for (lane, code) in codes.iter().enumerate() {
        mask |= (u32::from(condition) >> (code & 15) & 1) << lane;
    }
    mask
}

#[inline(always)]
fn execute(
    warp: &mut Warp,
    instruction: &Meaning,
    post_increment: Option<PostIncrement>,
    executed: u32,
    behind: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    match instruction.operation {
        Operation::Bra { target } => {
            if executed == 0 {
                warp.pc = behind;
            } else if executed == warp.active {
                warp.pc = target;
            } else {
                let entry = Entry {
                    kind: EntryKind::Diverged,
                    mask: warp.active & !executed,
                    pc: behind,
                };
                push(warp, entry, recorder)?;
                warp.active = executed;
                warp.pc = target;
            }
            return Ok(());
        }
        Operation::Ret | Operation::Kil | Operation::Brk => {
            let gone = match instruction.operation {
                Operation::Brk => &mut warp.gone.broken,
                Operation::Ret if warp.stack.calls() > 0 => &mut warp.gone.returned,
                _ => &mut warp.gone.exited,
            };
            *gone |= executed;
            warp.leave(executed, behind, |operation| recorder.stack(operation))?;
            return Ok(());
        }
        Operation::Cal { target, .. } => {
            push_active(warp, EntryKind::Call, behind, recorder)?;
            warp.pc = target;
            return Ok(());
        }
        Operation::Ssy { target } => push_active(warp, EntryKind::Join, target, recorder)?,
        Operation::Pbk { target } => push_active(warp, EntryKind::Break, target, recorder)?,
        Operation::Trap => return Err(Cause::of(ErrorKind::Trap)),
        Operation::Bpt if executed != 0 => return Err(Cause::of(ErrorKind::Breakpoint)),
        Operation::Bpt | Operation::Nop | Operation::PmTrigger { .. } | Operation::Bar { .. } => {}
        Operation::R2g => store_shared(warp, instruction, executed, memories, recorder)?,
        Operation::R2gUnlock => store_unlocking(warp, instruction, executed, memories, recorder)?,
        Operation::G2rLock { .. } => load_locked(warp, instruction, executed, memories, recorder)?,
        Operation::Atomic { atomic: operation, .. } => {
            atomic(warp, instruction, operation, executed, memories, recorder)?
        }
        Operation::Double(operation) => double(warp, instruction, operation, executed, memories, recorder)?,
        Operation::Vote { all, condition } => {
            let holding = match codes_of(condition.condition) {
                None => u32::MAX,
                Some(codes) => holding(codes, warp, condition.register),
            };
            vote(warp, instruction, all, (executed, holding), recorder)
        }
        Operation::Gld { access, .. } | Operation::Lld { access } => {
            load(warp, instruction, access, executed, memories, recorder)?
        }
        Operation::Gst { access, .. } | Operation::Lst { access } => {
            store(warp, instruction, access, executed, memories, recorder)?
        }
        _ => compute(warp, instruction, executed, memories, recorder)?,
    }
    if let Some(PostIncrement { register, step }) = post_increment {
        if let Some(write) = write_address(warp, register, executed, |_, old| old.wrapping_add(step)) {
            recorder.post_increment(write);
        }
    }
    match instruction.marker {
        Marker::None => warp.pc = behind,
        Marker::Join => warp.join(behind, |operation| recorder.stack(operation)),
        Marker::Exit => {
            warp.gone.exited |= warp.active;
            warp.leave(warp.active, behind, |operation| recorder.stack(operation))?;
        }
    }
    Ok(())
}

/// Pushes the threads of the current path.
fn push_active(warp: &mut Warp, kind: EntryKind, pc: u32, recorder: &mut impl Recorder) -> Result<(), Cause> {
    let mask = warp.active;
    push(warp, Entry { kind, mask, pc }, recorder)
}

fn push(warp: &mut Warp, entry: Entry, recorder: &mut impl Recorder) -> Result<(), Cause> {
    warp.stack
        .push(entry)
        .map_err(|_| Cause::of(ErrorKind::StackOverflow))?;
    recorder.stack(StackOperation::Push(entry));
    Ok(())
}
