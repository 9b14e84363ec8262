//! Compares records with the golden model's, one by one, while an engine runs ([`crate::lockstep`] drives it).
//!
//! The model follows the engine's order of events: for each record it executes the next instruction of the same warp of
//! the same block, so warps race in the model as they did in the circuits. The first difference ends the run. The model
//! has neither SMs nor a clock, so it takes the physical id from the record's SM and warp slot, and the clock from the
//! lowest executing thread of the record. Clocks are therefore compared only between the threads of a warp.
//!
//! If the kernel fails, the model must fail in the same way; otherwise both memories must be equal at the end. A store
//! emits its record before the memory unit checks its addresses. So if the model rejects a store, the engine must end
//! with the same error, and its records until then are not compared.

use crate::check::Checked;
use crate::files::program::disassemble;
use crate::trace::ending::Ending;
use flexgrip_machine::{ErrorKind, FieldDifference, KernelError, Placement, Retire};
use flexgrip_model::Machine;
use std::fmt;
use std::ops::ControlFlow;

/// An upper bound on a warp's instructions in flight.
const IN_FLIGHT: usize = 256;

/// The reason why the model rejects a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The model's record differs.
    Field(FieldDifference),
    /// The model's instruction ended the kernel.
    ModelFailed(KernelError),
    /// The model's warp has ended, waits at a barrier, or is not in the grid.
    NoSuchWarp,
}

/// The first difference between an engine and the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockstepDifference {
    /// A record differs, or the model has none.
    Record {
        /// Records that agreed before it.
        after: u64,
        /// The engine's record.
        record: Box<Retire>,
        /// The model's record, if there is one.
        model: Option<Box<Retire>>,
        /// The reason.
        cause: Cause,
    },
    /// The endings of the runs differ.
    Ending {
        /// The engine's ending, in words.
        engine: String,
        /// The model's ending.
        model: String,
    },
    /// A word of global memory differs after the run.
    Memory {
        /// Byte address.
        address: u32,
        /// The engine's word.
        engine: u32,
        /// The model's word.
        model: u32,
    },
}

impl fmt::Display for LockstepDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LockstepDifference::Record { after, record, model, cause } => {
                let Retire { block, warp_in_block, warp, pc, word, .. } = &**record;
                writeln!(f, "after {after} equal records: block {block}, warp {warp_in_block} (slot {warp}), PC {pc:#06x}")?;
                writeln!(f, "  instruction  {}", disassemble(*word))?;
                match cause {
                    Cause::Field(FieldDifference { field, lane, this, other }) => {
                        let lane = lane.map_or(String::new(), |lane| format!(" of lane {lane}"));
                        writeln!(f, "  differs in   {field}{lane}")?;
                        writeln!(f, "  engine       {this}")?;
                        writeln!(f, "  model        {other}")?;
                    }
                    Cause::ModelFailed(error) => writeln!(f, "  the model stopped here: {error}")?,
                    Cause::NoSuchWarp => writeln!(f, "  the model has no such warp, or it has ended or waits at a barrier")?,
                }
                write!(f, "  engine's record  {record}")?;
                if let Some(model) = model {
                    write!(f, "\n  model's record   {model}")?;
                }
                Ok(())
            }
            LockstepDifference::Ending { engine, model } => {
                write!(f, "at the end\n  engine       {engine}\n  model        {model}")
            }
            LockstepDifference::Memory { address, engine, model } => write!(
                f,
                "all records are equal, but not global memory at {address:#x}\n  engine       {engine:08x}\n  model        \
                 {model:08x}"
            ),
        }
    }
}

/// The model in lockstep with an engine.
pub struct Lockstep {
    machine: Machine,
    compared: u64,
    difference: Option<LockstepDifference>,
    /// A store that the model rejected: a difference, unless the engine ends with the same error.
    refused: Option<(LockstepDifference, KernelError)>,
}

impl Lockstep {
    /// Compares with a model that has loaded the same launch.
    pub fn new(machine: Machine) -> Self {
        Lockstep {
            machine,
            compared: 0,
            difference: None,
            refused: None,
        }
    }

    /// The findings of the model's checker, if it is attached.
    pub fn checked(&self) -> Option<Checked> {
        self.machine.checker().map(Checked::of)
    }

    /// The number of records that agreed so far.
    pub fn compared(&self) -> u64 {
        self.compared
    }

    /// Compares the engine's next record; breaks on a difference.
    pub fn record(&mut self, record: &Retire) -> ControlFlow<()> {
        if self.refused.is_some() {
            return ControlFlow::Continue(());
        }
        let (model, cause) = match self.machine.follow(record) {
            Ok(model) => match record.difference(&model, Placement::Ignore) {
                None => {
                    self.compared += 1;
                    return ControlFlow::Continue(());
                }
                Some(difference) => (Some(Box::new(model)), Cause::Field(difference)),
            },
            Err(KernelError {
                kind: ErrorKind::NoSuchWarp,
                ..
            }) => (None, Cause::NoSuchWarp),
            Err(error) => (None, Cause::ModelFailed(error)),
        };
        let stores = record.memory.iter().any(|effect| effect.store);
        let refused = match cause {
            Cause::ModelFailed(error) if stores && error.kind.has_address() => Some(error),
            _ => None,
        };
        let difference = LockstepDifference::Record {
            after: self.compared,
            record: Box::new(record.clone()),
            model,
            cause,
        };
        if let Some(error) = refused {
            self.refused = Some((difference, error));
            return ControlFlow::Continue(());
        }
        self.difference = Some(difference);
        ControlFlow::Break(())
    }

    /// The verdict after a run that left `global` in memory: the first difference, if any.
    pub fn finish(mut self, ending: &Ending, global: &[u32]) -> Option<LockstepDifference> {
        if self.difference.is_some() {
            return self.difference;
        }
        if let Some((difference, own)) = self.refused {
            return match ending {
                Ending::Failed(error) if own == (KernelError { sm: own.sm, ..*error }) => None,
                _ => Some(difference),
            };
        }
        let ended = |ended| {
            if ended {
                "all blocks have ended"
            } else {
                "blocks are still running"
            }
        };
        match ending {
            Ending::Stopped => None,
            Ending::Complete if !self.machine.ended() => Some(LockstepDifference::Ending {
                engine: ended(true).into(),
                model: ended(false).into(),
            }),
            Ending::Complete => {
                let words = global.iter().zip(self.machine.global().words());
                words
                    .enumerate()
                    .find(|(_, (engine, model))| *engine != model)
                    .map(|(index, (&engine, model))| LockstepDifference::Memory {
                        address: (index * 4) as u32,
                        engine,
                        model,
                    })
            }
            // A run that was cut off ends in an arbitrary state; its records have been compared.
            Ending::OutOfTime(_)
            | Ending::Failed(KernelError {
                kind: ErrorKind::Endless { .. },
                ..
            }) => None,
            Ending::Failed(error) => {
                // Earlier instructions of the failing warp may be in flight without a record.
                let mut model = "it continues".to_string();
                for _ in 0..IN_FLIGHT {
                    match self.machine.step_warp(error.block, error.warp_in_block) {
                        Ok(_) => continue,
                        Err(own) if own == (KernelError { sm: own.sm, ..*error }) => return None,
                        Err(own) => {
                            model = own.to_string();
                            break;
                        }
                    }
                }
                Some(LockstepDifference::Ending {
                    engine: error.to_string(),
                    model,
                })
            }
        }
    }
}
