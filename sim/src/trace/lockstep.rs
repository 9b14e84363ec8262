//! Compares another engine with the golden model, record by record, while it runs.
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

use crate::engine::{Ending, Engine, Options, RunError, RunReport};
use crate::program::disassemble;
use flexgrip_model::{ErrorKind, FieldDifference, KernelError, Launch, LaunchError, Machine, Placement, Retire};
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
    pub fn new(launch: &Launch, options: &Options) -> Result<Self, LaunchError> {
        let machine = Machine::new(launch.clone(), options.configuration.clone())?;
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

    /// The verdict after the run: the first difference, if any.
    pub fn finish(mut self, report: &RunReport) -> Option<Difference> {
        if self.difference.is_some() {
            return self.difference;
        }
        if let Some((difference, own)) = self.refused {
            return match &report.ending {
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
        match &report.ending {
            Ending::Stopped => None,
            Ending::Complete if !self.machine.ended() => Some(Difference::Ending {
                engine: ended(true).into(),
                model: ended(false).into(),
            }),
            Ending::Complete => {
                let words = report.global.iter().zip(self.machine.global().words());
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
            Ending::Failed(KernelError {
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

/// Runs a launch on `engine` with the model beside it. `observer` sees the records, too. Gives the run's report, how many
/// records agreed, and the first difference.
///
/// # Errors
/// As [`Engine::run`].
pub fn run(
    engine: &mut dyn Engine,
    launch: &Launch,
    options: &Options,
    mut observer: impl FnMut(&Retire) + Send,
) -> Result<(RunReport, u64, Option<Difference>), RunError> {
    let mut lockstep = Lockstep::new(launch, options)?;
    let report = engine.run(
        launch,
        options,
        Some(&mut |record| {
            observer(record);
            lockstep.record(record)
        }),
    )?;
    let compared = lockstep.compared();
    let difference = lockstep.finish(&report);
    Ok((report, compared, difference))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Observer;
    use crate::model_engine::ModelEngine;

    /// The model, with a defect.
    struct Defective<R: FnMut(u64, &mut Retire), E: FnMut(&mut RunReport)>(R, E);

    impl<R: FnMut(u64, &mut Retire) + Send, E: FnMut(&mut RunReport)> Engine for Defective<R, E> {
        fn name(&self) -> &'static str {
            "defective"
        }

        fn run(
            &mut self,
            launch: &Launch,
            options: &Options,
            observer: Option<&mut Observer>,
        ) -> Result<RunReport, RunError> {
            let observer = observer.expect("lockstep observes");
            let mut index = 0;
            let mut report = ModelEngine.run(
                launch,
                options,
                Some(&mut |record| {
                    let mut record = record.clone();
                    (self.0)(index, &mut record);
                    index += 1;
                    observer(&record)
                }),
            )?;
            (self.1)(&mut report);
            Ok(report)
        }
    }

    fn difference(
        program: &str,
        record: impl FnMut(u64, &mut Retire) + Send,
        report: impl FnMut(&mut RunReport),
    ) -> Option<String> {
        let program = flexgrip_isa::assemble(program, "t").unwrap().words;
        let launch = Launch {
            program,
            block: [64, 1, 1],
            registers: 16,
            ..Launch::default()
        };
        let options = Options {
            max_cycles: 1000,
            ..Options::default()
        };
        let (_, _, difference) = run(&mut Defective(record, report), &launch, &options, |_| {}).unwrap();
        difference.map(|difference| difference.to_string())
    }

    const GOOD: &str = "SHL R1, R0, 2\nGST.U32 global14[R1], R0\nRET\n";
    const BAD: &str = "MVI R1, 2\nGST.U32 global14[R1], R0\nRET\n";

    #[test]
    fn equal_runs_have_no_difference() {
        assert_eq!(difference(GOOD, |_, _| {}, |_| {}), None);
        assert_eq!(difference(BAD, |_, _| {}, |_| {}), None);
    }

    #[test]
    fn the_first_different_record_is_shown_with_both_values() {
        let spoil = |index, record: &mut Retire| {
            if let (1, Some(destination)) = (index, &mut record.destination) {
                destination.values[5] ^= 1;
            }
        };
        let text = difference(GOOD, spoil, |_| {}).unwrap();
        for part in [
            "after 1 equal records: block 0, warp 1",
            "PC 0x0000",
            "SHL R1, R0, 0x2",
            "destination.values of lane 5",
        ] {
            assert!(text.contains(part), "no `{part}` in {text}");
        }
        assert!(
            text.contains("engine       00000095\n  model        00000094"),
            "{text}"
        );
    }

    #[test]
    fn records_of_no_warp_or_behind_its_end() {
        let text = difference(GOOD, |_, record| record.warp_in_block = 7, |_| {}).unwrap();
        assert!(text.contains("no such warp"), "{text}");
        // Records of the two warps mixed up: the model comes to the end of one before the engine does.
        let text = difference(
            GOOD,
            |index, record| record.warp_in_block = u32::from(index != 5),
            |_| {},
        )
        .unwrap();
        assert!(text.contains("model"), "{text}");
    }

    #[test]
    fn the_end_and_memory_are_compared() {
        let text = difference(GOOD, |_, _| {}, |report| report.global[3] ^= 8).unwrap();
        assert!(text.contains("memory at 0xc") && text.contains("0000000b"), "{text}");
        let text = difference(BAD, |_, _| {}, |report| report.ending = Ending::Complete).unwrap();
        assert!(text.contains("still running"), "{text}");
        let other = |report: &mut RunReport| {
            if let Ending::Failed(error) = &mut report.ending {
                error.address = Some(6);
            }
        };
        let text = difference(BAD, |_, _| {}, other).unwrap();
        assert!(
            text.contains("at address 0x6") && text.contains("at address 0x2"),
            "{text}"
        );
    }
}
