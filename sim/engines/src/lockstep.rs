//! An engine in lockstep with the golden model, compared record by record while it runs ([`crate::trace::lockstep`]).

use crate::engine::{Engine, Options};
use crate::error::RunError;
use crate::model::loaded;
use crate::outcome::RunReport;
use crate::trace::lockstep::{Lockstep, LockstepDifference};
use flexgrip_machine::{Launch, Retire};

/// Runs a launch on `engine` in lockstep with the model. `observer` also gets the records. Returns the run's report,
/// the number of records that agreed, and the first difference.
///
/// # Errors
/// The errors of [`Engine::run`].
pub fn run(
    engine: &mut dyn Engine,
    launch: &Launch,
    options: &Options,
    mut observer: impl FnMut(&Retire) + Send,
) -> Result<(RunReport, u64, Option<LockstepDifference>), RunError> {
    let mut lockstep = Lockstep::new(loaded(launch, options)?);
    let mut report = engine.run(
        launch,
        options,
        Some(&mut |record| {
            observer(record);
            lockstep.record(record)
        }),
    )?;
    let compared = lockstep.compared();
    report.check = lockstep.checked();
    let difference = lockstep.finish(&report.ending, &report.global);
    Ok((report, compared, difference))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Observer;
    use crate::model::ModelEngine;
    use crate::trace::ending::Ending;

    /// A model with a defect.
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
        // The records of the two warps are mixed up: the model reaches the end of one before the engine does.
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
