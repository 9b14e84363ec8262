//! Compares records with the golden model's, one by one, while an engine runs ([`crate::engines::lockstep`] does that).
//!
//! The model follows the engine's order of events: for each record it executes the next instruction of the same warp of
//! the same block, so that racing warps race in the model as they did in the circuits. The first difference ends the run.
//! What only a machine with places and a clock can know the model takes from the record: the physical id is that of the
//! record's SM and warp slot, and the clock is what the record's lowest executing thread read, so that clocks are compared
//! between the threads of a warp and not with anything else.
//!
//! Where the kernel goes wrong, the model must go wrong in the same way, and at the end both memories must be equal. A store
//! leaves its record when it goes to the memory unit, which then may find it wrong: where the model refuses it the engine
//! must end with that error, and what it still does until then is not compared.

use crate::files::program::disassemble;
use crate::trace::ending::Ending;
use flexgrip_machine::{
    Configuration, ErrorKind, FieldDifference, KernelError, Launch, LaunchError, Placement, Retire,
};
use flexgrip_model::Machine;
use std::fmt;
use std::ops::ControlFlow;

/// More instructions than one warp ever has in flight.
const IN_FLIGHT: usize = 256;

/// What the model said to a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The model's record is another one.
    Field(FieldDifference),
    /// The model's instruction ended the kernel.
    ModelFailed(KernelError),
    /// The model's warp had ended, waits at a barrier, or is none of the grid.
    NoSuchWarp,
}

/// The first difference between an engine and the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// In a record.
    Record {
        /// How many records agreed before it.
        after: u64,
        /// The engine's record.
        record: Box<Retire>,
        /// The model's record, if it has one.
        model: Option<Box<Retire>>,
        /// What differs.
        cause: Cause,
    },
    /// In how the run ended.
    Ending {
        /// The engine's end, in words.
        engine: String,
        /// The model's.
        model: String,
    },
    /// In global memory after the run.
    Memory {
        /// Byte address.
        address: u32,
        /// The engine's word.
        engine: u32,
        /// The model's word.
        model: u32,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Record { after, record, model, cause } => {
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
                    Cause::NoSuchWarp => writeln!(f, "  the model has no such warp, or it had ended or waits at a barrier")?,
                }
                write!(f, "  engine's record  {record}")?;
                if let Some(model) = model {
                    write!(f, "\n  model's record   {model}")?;
                }
                Ok(())
            }
            Difference::Ending { engine, model } => {
                write!(f, "at the end\n  engine       {engine}\n  model        {model}")
            }
            Difference::Memory { address, engine, model } => write!(
                f,
                "all records are equal, but not global memory at {address:#x}\n  engine       {engine:08x}\n  model        \
                 {model:08x}"
            ),
        }
    }
}

/// The model beside an engine.
pub struct Lockstep {
    machine: Machine,
    compared: u64,
    difference: Option<Difference>,
    /// A store that the model refused: a difference, unless the engine ends with the model's error.
    refused: Option<(Difference, KernelError)>,
}

impl Lockstep {
    /// Loads the same launch into the model.
    ///
    /// # Errors
    /// The launch does not fit.
    pub fn new(launch: &Launch, configuration: &Configuration) -> Result<Self, LaunchError> {
        let machine = Machine::new(launch.clone(), configuration.clone())?;
        Ok(Lockstep {
            machine,
            compared: 0,
            difference: None,
            refused: None,
        })
    }

    /// Records that agreed so far.
    pub fn compared(&self) -> u64 {
        self.compared
    }

    /// Compares the engine's next record; breaks at a difference.
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
        let difference = Difference::Record {
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

    /// The verdict after the run, which left this in global memory: the first difference, if any.
    pub fn finish(mut self, ending: &Ending, global: &[u32]) -> Option<Difference> {
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
            Ending::Complete if !self.machine.ended() => Some(Difference::Ending {
                engine: ended(true).into(),
                model: ended(false).into(),
            }),
            Ending::Complete => {
                let words = global.iter().zip(self.machine.global().words());
                words
                    .enumerate()
                    .find(|(_, (engine, model))| *engine != model)
                    .map(|(index, (&engine, model))| Difference::Memory {
                        address: (index * 4) as u32,
                        engine,
                        model,
                    })
            }
            // Nothing is claimed of where a run is that was cut off; its records were compared.
            Ending::OutOfTime(_)
            | Ending::Failed(KernelError {
                kind: ErrorKind::Endless { .. },
                ..
            }) => None,
            Ending::Failed(error) => {
                // The warp at fault may still have had earlier instructions in flight that left no record.
                let mut model = "it goes on".to_string();
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
                Some(Difference::Ending {
                    engine: error.to_string(),
                    model,
                })
            }
        }
    }
}
