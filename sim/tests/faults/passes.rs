//! Compares faults in passes with whole machines that each have one of the faults.

use crate::common::root;
use flexgrip_faults::{Fault, Model, Models, Outcome, Sample};
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::native::compiled::CompiledEngine;
use flexgrip_sim::faults::circuits::bench::FaultBench;
use flexgrip_sim::faults::circuits::injection::Injection;
use flexgrip_sim::faults::setup::Setup;
use flexgrip_sim::faults::unit::pins::GateFaults;
use flexgrip_sim::faults::unit::FOLDER;
use flexgrip_sim::faults::verdict::Verdict;
use flexgrip_sim::Kernel;
use flexgrip_testbench::tools::{found, YOSYS};
use std::collections::{BTreeMap, BTreeSet};

/// Simulates random faults of a kernel in some sites, changed by `change`, in a pass and one by one. Returns the
/// outcomes.
fn compare(
    name: &str,
    sample: (&str, impl Into<Models>, u32),
    count: u64,
    change: impl Fn(&mut Fault) + Sync,
) -> BTreeSet<Outcome> {
    compare_with(name, None, sample, count, change)
}

/// Like [`compare`], with one block simulated as gates.
fn compare_with(
    name: &str,
    gates: Option<&GateFaults>,
    (pattern, models, bits): (&str, impl Into<Models>, u32),
    count: u64,
    change: impl Fn(&mut Fault) + Sync,
) -> BTreeSet<Outcome> {
    let launch = Kernel::load(&root().join("kernels").join(name)).unwrap().launch;
    let options = Options {
        gates: gates.map(GateFaults::level),
        ..Options::default()
    };
    let setup = Setup {
        launch: &launch,
        options: &options,
        factor: 2.0,
        floats: &BTreeMap::new(),
        gates,
    };
    let model = models.into();
    FaultBench::with(&setup, |bench| {
        let sites = bench.sites().unwrap();
        let sample = Sample {
            pattern: pattern.into(),
            model,
            bits,
            seed: 1,
            golden_model: None,
            classes: false,
        };
        let mut faults = sample.draw(&sites, bench.golden().cycles, count).unwrap();
        faults.iter_mut().for_each(&change);
        let injections = faults.iter().map(|fault| bench.injection(fault, &sites).unwrap());
        let injections: Vec<Injection> = injections.collect();
        let mut verdicts: Vec<Option<Verdict>> = vec![None; injections.len()];
        bench.run(&injections, |index, verdict| {
            assert!(verdicts[index].replace(verdict).is_none());
            Ok(())
        })?;
        let mut outcomes = BTreeSet::new();
        for ((fault, injection), verdict) in faults.iter().zip(&injections).zip(verdicts) {
            let verdict = verdict.unwrap();
            let mut whole = bench.run_whole(injection)?;
            // A whole machine does not distinguish this from a masked fault.
            if verdict.outcome == Outcome::NotExcited && whole.outcome == Outcome::Masked {
                whole.outcome = Outcome::NotExcited;
            }
            let found = Verdict {
                first_record: None,
                first_store: None,
                ..verdict.clone()
            };
            // The rows are compared as text, because the relative error may be NaN.
            assert_eq!(format!("{found:?}"), format!("{whole:?}"), "{name}: {fault:?}");
            outcomes.insert(verdict.outcome);
        }
        Ok(outcomes)
    })
    .unwrap()
}

/// The number of faults, ten times as many in the soak tier.
fn many(count: u64) -> u64 {
    if cfg!(feature = "soak") {
        10 * count
    } else {
        count
    }
}

#[test]
fn flips_match_a_whole_machine() {
    let outcomes = compare("vectoradd", ("register:", Model::Flip, 1), many(500), |_| ());
    assert!(outcomes.len() >= 5, "{outcomes:?}");
    compare("sort", ("control:", Model::Flip, 2), many(40), |_| ());
    if cfg!(feature = "soak") {
        for name in ["reduction", "divergence", "histogram", "sgemm_tiled"] {
            compare(name, ("register:", Model::Flip, 1), 500, |_| ());
        }
    }
}

#[test]
fn memory_flips_match_a_whole_machine() {
    let used = "sm[0].register_file,sm[0].shared_memory,sm[0].instruction_memory,memory:sm[0].scheduler";
    // In some elements, adjacent bits are in two fields.
    compare("vectoradd", (used, Model::Flip, 3), many(200), |fault| {
        // The kernel uses the first elements.
        fault.element %= 16;
    });
}

#[test]
fn stuck_bits_match_a_whole_machine() {
    for model in [Model::StuckAt0, Model::StuckAt1] {
        let outcomes = compare("vectoradd", ("register:", model, 1), many(60), |fault| {
            // Some faults begin later, and some end.
            fault.cycle = 1 + fault.id % 3 * 100;
            fault.until = (fault.id % 2 == 0).then_some(fault.cycle + 1 + fault.id % 40);
        });
        assert!(outcomes.contains(&Outcome::NotExcited), "{outcomes:?}");
        compare("vectoradd", ("memory:sm[0]", model, 1), many(40), |fault| {
            fault.element %= 16
        });
    }
}

#[test]
fn delayed_bits_match_a_whole_machine() {
    // Enough faults that some machines leave their pass while a bit is delayed.
    let outcomes = compare("vectoradd", ("register:", Model::Delayed, 1), many(400), |fault| {
        // Some faults begin later, and some end, some of them after one late transition.
        if fault.id % 4 == 0 {
            fault.cycle = 1 + fault.id % 3 * 100;
            fault.until = Some(fault.cycle + 1 + fault.id % 40);
        }
    });
    assert!(outcomes.len() >= 5, "{outcomes:?}");
    let used = "sm[0].register_file,sm[0].shared_memory,memory:sm[0].scheduler";
    let outcomes = compare("vectoradd", (used, Model::Delayed, 8), many(60), |fault| {
        fault.element %= 16
    });
    assert!(outcomes.contains(&Outcome::SilentCorruption), "{outcomes:?}");
}

/// A bit that is delayed for one cycle behaves like a flip in this cycle if it should change there; otherwise nothing
/// happens.
#[test]
fn one_late_transition_is_a_flip_or_nothing() {
    let launch = Kernel::load(&root().join("kernels/vectoradd")).unwrap().launch;
    let options = Options::default();
    let setup = Setup {
        launch: &launch,
        options: &options,
        factor: 2.0,
        floats: &BTreeMap::new(),
        gates: None,
    };
    FaultBench::with(&setup, |bench| {
        let sites = bench.sites().unwrap();
        let sample = Sample {
            pattern: "register:sm[0].scheduler,register:sm[0].execute".into(),
            model: Model::Flip.into(),
            bits: 1,
            seed: 2,
            golden_model: None,
            classes: false,
        };
        let flips = sample.draw(&sites, bench.golden().cycles, many(1200)).unwrap();
        let mut outcomes = BTreeMap::new();
        for model in [Model::Flip, Model::Delayed] {
            let faults = flips.iter().map(|flip| Fault {
                model,
                until: (model == Model::Delayed).then_some(flip.cycle + 1),
                ..flip.clone()
            });
            let injections = faults.map(|fault| bench.injection(&fault, &sites).unwrap());
            let injections: Vec<Injection> = injections.collect();
            bench.run(&injections, |index, verdict| {
                outcomes.insert((model, index), format!("{verdict:?}"));
                Ok(())
            })?;
        }
        let mut late = 0;
        for (index, flip) in flips.iter().enumerate() {
            let (flipped, delayed) = (&outcomes[&(Model::Flip, index)], &outcomes[&(Model::Delayed, index)]);
            if !delayed.contains("NotExcited") {
                assert_eq!(delayed, flipped, "{flip:?}");
                late += 1;
            }
        }
        assert!((5..flips.len() / 2).contains(&late), "{late}");
        Ok(())
    })
    .unwrap();
}

/// A block as gates behaves like the block. Its stuck-at faults, some of which begin later or end, have the same
/// verdicts in a pass as on a whole machine.
#[test]
fn stuck_gates_match_a_whole_machine() {
    if !found(YOSYS) {
        return;
    }
    let golden = |gates: Option<&GateFaults>| {
        let launch = Kernel::load(&root().join("kernels/vectoradd")).unwrap().launch;
        let options = Options {
            gates: gates.map(GateFaults::level),
            ..Options::default()
        };
        CompiledEngine.run(&launch, &options, None).unwrap()
    };
    let expected = golden(None);
    for block in ["sm[0].scheduler.decode", "sm[0].fetch", "sm[0].branch"] {
        let gates = GateFaults::of(MachineParameters::default(), block, &root().join(FOLDER)).unwrap();
        let report = golden(Some(&gates));
        assert_eq!(
            (report.cycles, &report.global),
            (expected.cycles, &expected.global),
            "{block}"
        );
        let outcomes = compare_with(
            "vectoradd",
            Some(&gates),
            ("gate:", Models::StuckAt, 1),
            many(40),
            |fault| {
                fault.cycle = 1 + fault.id % 3 * 100;
                fault.until = (fault.id % 4 == 0).then_some(fault.cycle + 1 + fault.id % 40);
            },
        );
        assert!(outcomes.len() >= 4, "{block}: {outcomes:?}");
    }
}
