//! Compares grades of kernels with campaigns and whole machines.

use crate::common::{launch, root};
use flexgrip_faults::gates::grade::{Observe, Status};
use flexgrip_faults::gates::results::sample;
use flexgrip_faults::{Fault, Model, Outcome, Parameters};
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_machine::Launch;
use flexgrip_sim::engines::engine::Options;
use flexgrip_sim::faults::circuits::bench::FaultBench;
use flexgrip_sim::faults::gates::campaign::{run, How as HowOfCampaign, Ran};
use flexgrip_sim::faults::grade::{grade, How};
use flexgrip_sim::faults::setup::Setup;
use flexgrip_sim::faults::unit::pins::GateFaults;
use flexgrip_sim::faults::unit::FOLDER;
use flexgrip_sim::faults::verdict::Verdict;
use flexgrip_sim::Kernel;
use flexgrip_testbench::tools::{found, YOSYS};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

fn gates(path: &str) -> Arc<GateFaults> {
    GateFaults::of(MachineParameters::default(), path, &root().join(FOLDER)).unwrap()
}

/// Calls `work` with the setup of a launch on circuits in which one block is simulated as gates.
fn with<T>(launch: &Launch, gates: &GateFaults, work: impl FnOnce(&Setup) -> T) -> T {
    let options = Options {
        gates: Some(gates.level()),
        ..Options::default()
    };
    work(&Setup {
        launch,
        options: &options,
        factor: 2.0,
        floats: &BTreeMap::new(),
        gates: Some(gates),
    })
}

fn how(observe: Observe) -> How {
    How {
        observe,
        memory: None,
        drops: true,
        jobs: NonZeroUsize::new(2).unwrap(),
    }
}

fn some(gates: &GateFaults, count: usize) -> Vec<usize> {
    let primes: Vec<usize> = gates.list().primes().collect();
    sample(&primes, 3, count, "").unwrap()
}

/// The verdicts on faults, each simulated in full, without the shortcuts of grading.
fn verdicts(setup: &Setup, gates: &GateFaults, faults: &[usize]) -> Vec<Verdict> {
    FaultBench::with(setup, |bench| {
        let sites = bench.sites().unwrap();
        let injections = faults.iter().map(|number| {
            let stuck = gates.list().fault(*number);
            let fault = Fault {
                id: 0,
                model: if stuck.value { Model::StuckAt1 } else { Model::StuckAt0 },
                site: stuck.pin.name(gates.unit()),
                element: 0,
                bit: 0,
                bits: 1,
                cycle: 1,
                until: None,
                parameters: Parameters::default(),
                weight: 1,
            };
            bench.injection(&fault, &sites).unwrap()
        });
        let injections: Vec<_> = injections.collect();
        let mut verdicts = vec![None; faults.len()];
        bench.run(&injections, |place, verdict| {
            verdicts[place] = Some(verdict);
            Ok(())
        })?;
        Ok(verdicts.into_iter().map(Option::unwrap).collect())
    })
    .unwrap()
}

/// In the closed loop, each fault has the status of its run on the whole machine. Faults that never reach an output of
/// the unit are not simulated, and have no effect.
#[test]
fn closed_loop_grades_match_whole_machines() {
    if !found(YOSYS) {
        return;
    }
    let launch = Kernel::load(&root().join("kernels/vectoradd")).unwrap().launch;
    for (path, count) in [("sm[0].scheduler.decode", 160), ("sm[0].fetch", 120)] {
        let gates = gates(path);
        let faults = some(&gates, count);
        with(&launch, &gates, |setup| {
            let expected = verdicts(setup, &gates, &faults);
            let state = grade(setup, &faults, &how(Observe::State)).unwrap();
            let memory = grade(setup, &faults, &how(Observe::Memory)).unwrap();
            let first_word = How {
                memory: Some(0..4),
                ..how(Observe::Memory)
            };
            let first_word = grade(setup, &faults, &first_word).unwrap();
            let (mut left_out, mut wrong) = (0, 0);
            let grades = state.faults.iter().zip(&memory.faults).zip(&first_word.faults);
            for (verdict, ((state, memory), first_word)) in expected.iter().zip(grades) {
                assert_eq!(state.outcome, memory.outcome);
                let Some(outcome) = state.outcome else {
                    left_out += 1;
                    let harmless = [Outcome::NotExcited, Outcome::Masked, Outcome::Latent];
                    assert!(harmless.contains(&verdict.outcome), "{state:?}: {verdict:?}");
                    assert!(
                        verdict.first_record.is_none() && verdict.first_store.is_none(),
                        "{state:?}"
                    );
                    continue;
                };
                assert_eq!(outcome, verdict.outcome, "{state:?}");
                let record = verdict.first_record.as_ref();
                let first = state.first.as_ref();
                assert_eq!(
                    first.and_then(|first| first.thread),
                    record.and_then(|record| record.thread)
                );
                assert_eq!(
                    first.and_then(|first| first.pc.map(u64::from)),
                    record.map(|record| record.pc),
                    "{state:?}"
                );
                assert_eq!(memory.status == Status::Detected, outcome == Outcome::SilentCorruption);
                // Only the first word is observed, which few faults change.
                let is_there = outcome == Outcome::SilentCorruption && verdict.damage.places.contains(&0);
                assert_eq!(first_word.status == Status::Detected, is_there, "{first_word:?}");
                wrong += usize::from(memory.status == Status::Detected);
            }
            assert!(left_out > count / 10 && wrong > 0, "{path}: {left_out} and {wrong}");
        });
    }
}

/// With a single warp, decode holds one instruction at a time, so its first detections equal the first detections of a
/// campaign for this warp.
#[test]
fn open_loop_grades_match_a_campaign() {
    if !found(YOSYS) {
        return;
    }
    let program = "\
        SHL R1, R0, 2
        LOP32I.AND R1, R1, 0x7c
        IADD32I R2, R1, 0x1234
        ISET.S32.C0 o[0x7f], R1, R124, GT
        IADD R2 (C0.NE), R2, R1
        GST.EXIT.U32 global14[R1], R2";
    let launch = launch(program, 1, 32, vec![0; 64]);
    let gates = gates("sm[0].scheduler.decode");
    let faults: Vec<usize> = gates.list().primes().collect();
    with(&launch, &gates, |setup| {
        let graded = grade(setup, &faults, &how(Observe::Outputs)).unwrap();
        let all = How {
            drops: false,
            ..how(Observe::Outputs)
        };
        let all = grade(setup, &faults, &all).unwrap();
        let options = Options::default();
        let of_warp = HowOfCampaign {
            warp: Some(0),
            drops: false,
            jobs: NonZeroUsize::MIN,
        };
        let ran = run((&launch, &options), gates.unit(), gates.list(), &faults, of_warp, None).unwrap();
        let Ran::All(campaign) = ran else { panic!("a shard") };
        let mut detected = 0;
        for ((fault, all), row) in graded.faults.iter().zip(&all.faults).zip(&campaign.rows) {
            let first = fault.first.as_ref();
            let expected = (row.cycle, row.pc, row.warp, row.output.as_str());
            let found = (
                first.map(|first| first.cycle as usize),
                first.and_then(|first| first.pc),
                first.and_then(|first| first.warp),
                first.map_or("", |first| &first.output),
            );
            assert_eq!(found, expected, "{fault:?}");
            assert_eq!(fault.first, all.first);
            let status = match row.state {
                "detected" => Status::Detected,
                "untestable" => Status::Untestable,
                "not-excited" => Status::NotExcited,
                _ => Status::NotObserved,
            };
            assert_eq!(fault.status, status, "{fault:?}");
            let instructions = all.instructions.as_ref().map_or(0, Vec::len);
            // Each instruction of the program is executed once.
            assert_eq!(instructions, row.windows, "{fault:?}");
            detected += usize::from(row.state == "detected");
        }
        assert!(detected > 1_000, "{detected}");
    });
}
