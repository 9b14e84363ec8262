//! Compares pruned campaigns with unpruned ones, which must have identical rows, and classes with all flips that they
//! represent.

use crate::common::{configuration, root, GLOBAL_BYTES};
use flexgrip_faults::results::row::write;
use flexgrip_faults::{Campaign, Engine, Fault, Model, Plan, Row, Sample};
use flexgrip_sim::engines::engine::Options;
use flexgrip_sim::faults::campaign::{row, run};
use flexgrip_sim::faults::circuits::bench::FaultBench;
use flexgrip_sim::faults::circuits::memory_uses::Fate;
use flexgrip_sim::faults::setup::Setup;
use flexgrip_sim::Kernel;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// The memories that kernels use, of all kinds.
const USED: &str = "sm[0].register_file,sm[0].predicate_file,sm[0].shared_memory,sm[0].instruction_memory,\
    memory:sm[0].scheduler,memory:sm[0].fetch,memory:sm[0].collector,memory:sm[0].branch,memory:sm[0].memory_unit,\
    memory:block_scheduler,memory:host_interface,accounts[0].counts";

fn with<T>(name: &str, lanes: u32, work: impl FnOnce(&Setup) -> T) -> T {
    let launch = Kernel::load(&root().join("kernels").join(name)).unwrap().launch;
    let options = Options {
        configuration: configuration(lanes, GLOBAL_BYTES),
        ..Options::default()
    };
    let floats = BTreeMap::new();
    work(&Setup {
        launch: &launch,
        options: &options,
        factor: 2.0,
        floats: &floats,
        gates: None,
    })
}

fn sample(pattern: &str, bits: u32, classes: bool) -> Sample {
    Sample {
        pattern: pattern.into(),
        model: Model::Flip.into(),
        bits,
        seed: 5,
        classes,
        golden_model: None,
    }
}

/// The rows of faults that are simulated individually in one pass.
fn unpruned(setup: &Setup, faults: &[Fault]) -> Vec<Row> {
    FaultBench::with(setup, |bench| {
        let sites = bench.sites().unwrap();
        let injections = faults.iter().map(|fault| bench.injection(fault, &sites).unwrap());
        let injections: Vec<_> = injections.collect();
        let mut rows = vec![None; faults.len()];
        bench.run(&injections, |index, verdict| {
            rows[index] = Some(row(&faults[index], &sites, verdict).unwrap());
            Ok(())
        })?;
        Ok(rows.into_iter().map(Option::unwrap).collect())
    })
    .unwrap()
}

/// The rows of a campaign with pruning.
fn pruned(setup: &Setup, faults: Vec<Fault>) -> Vec<Row> {
    let folder = tempfile::tempdir().unwrap();
    let facts = setup.facts().unwrap();
    let mut plan = Plan {
        golden: facts.golden,
        golden_cycles: facts.cycles,
        limit: facts.limit,
        ..Plan::default()
    };
    plan.set_faults(&faults);
    let campaign = Campaign::create(folder.path(), plan, faults).unwrap();
    let jobs = NonZeroUsize::new(2).unwrap();
    run(setup, &campaign, None, jobs, |_| ()).unwrap().0
}

/// The fates of faults according to the golden run.
fn fates(setup: &Setup, faults: &[Fault]) -> Vec<Fate> {
    FaultBench::with(setup, |bench| {
        let sites = bench.sites().unwrap();
        let uses = bench.memory_uses()?;
        let fates = faults
            .iter()
            .map(|fault| uses.fate(&bench.injection(fault, &sites).unwrap()));
        Ok(fates.collect())
    })
    .unwrap()
}

/// A flip in an instruction that has not been fetched yet is first visible at the same instruction, independently of
/// its cycle and of the other instructions in flight.
#[test]
fn first_records_do_not_depend_on_the_cycle() {
    with("vectoradd", 8, |setup| {
        let faults: Vec<Fault> = (0..4)
            .map(|id| Fault {
                id,
                site: "sm[0].instruction_memory.memory".into(),
                element: 3,
                bit: 34,
                cycle: 1 + 9 * id,
                ..sample("memory:", 1, false)
                    .draw(&setup.facts().unwrap().sites, 1, 1)
                    .unwrap()[0]
                    .clone()
            })
            .collect();
        for row in unpruned(setup, &faults) {
            let first = row.first_record.unwrap();
            assert_eq!((first.warp, first.pc), (0, 0x18), "{:?}", row.fault);
        }
    });
}

#[test]
fn pruned_and_unpruned_campaigns_have_equal_rows() {
    // The numbers of flips that are overwritten, unused, and moved to a later cycle.
    let mut counts = [0; 3];
    for (name, lanes, bits, count) in [
        ("vectoradd", 8, 1, 1000),
        ("reduction", 32, 1, 300),
        // In some elements, adjacent bits are in two fields or words, and only partly overwritten.
        ("vectoradd", 32, 3, 500),
        ("divergence", 8, 2, 300),
    ] {
        with(name, lanes, |setup| {
            let facts = setup.facts().unwrap();
            let mut faults = sample(USED, bits, false)
                .draw(&facts.sites, facts.cycles, count)
                .unwrap();
            for fault in &mut faults {
                // Only a few elements have flips, all of them used, so many flips belong to one class.
                fault.element %= 4;
                fault.bit -= fault.bit.min(fault.id as u32 % 2 * 64) / 2;
            }
            for (fault, fate) in faults.iter().zip(fates(setup, &faults)) {
                let is = [
                    matches!(fate, Fate::Overwritten(_)),
                    matches!(fate, Fate::Unused),
                    matches!(fate, Fate::As(cycle) if cycle > fault.cycle),
                ];
                counts
                    .iter_mut()
                    .zip(is)
                    .for_each(|(count, is)| *count += usize::from(is));
            }
            let (alone, rows) = (unpruned(setup, &faults), pruned(setup, faults));
            let [alone, rows] = [alone, rows].map(|rows| write(&rows, "p", Engine::Circuits));
            for (alone, pruned) in alone.lines().zip(rows.lines()) {
                assert_eq!(pruned, alone, "{name}, {lanes} lanes");
            }
            assert_eq!(rows, alone);
        });
    }
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
}

/// Compares classes of elements of some memories with all flips of these elements.
#[test]
fn classes_represent_all_their_flips() {
    let pattern = "sm[0].collector.gathered_place,sm[0].barriers.remaining,sm[0].branch.depth";
    with("vectoradd", 8, |setup| {
        let facts = setup.facts().unwrap();
        let sample = sample(pattern, 1, true);
        let all = sample.population(&facts.sites, facts.cycles).unwrap();
        let classes = setup.classes(&sample).unwrap();
        assert!((classes.len() as u64) < all / 2, "{} of {all}", classes.len());
        assert_eq!(classes.iter().map(|class| class.weight).sum::<u64>(), all);
        // Only one element is compared: decided flips of other elements belong to the same classes.
        let flips = Sample {
            classes: false,
            ..sample
        };
        let flips = flips.draw(&facts.sites, facts.cycles, all).unwrap();
        let flips: Vec<Fault> = flips.into_iter().filter(|flip| flip.element == 0).collect();
        let decided = self::fates(setup, &classes);
        let classes = classes.into_iter().zip(decided);
        let classes = classes.filter(|(class, fate)| class.element == 0 || !matches!(fate, Fate::As(_)));
        let classes: Vec<Fault> = classes.map(|(class, _)| class).collect();
        let fates = fates(setup, &flips);
        let (alone, rows) = (unpruned(setup, &flips), unpruned(setup, &classes));
        let mut seen = 0;
        for (flip, fate) in alone.iter().zip(fates) {
            let is_class = |row: &&Row| {
                let Fault { cycle, weight, .. } = row.fault;
                let place = |fault: &Fault| (fault.site.clone(), fault.element, fault.bit);
                match fate {
                    Fate::As(_) => {
                        place(&row.fault) == place(&flip.fault)
                            && (cycle + 1 - weight.min(cycle)..=cycle).contains(&flip.fault.cycle)
                    }
                    _ => row.fault.site == flip.fault.site && row.outcome == flip.outcome && row.first_record.is_none(),
                }
            };
            let what = |row: &Row| Row {
                fault: flip.fault.clone(),
                ..row.clone()
            };
            let found = rows.iter().filter(is_class).any(|row| what(row) == *flip);
            assert!(found, "{flip:?}");
            seen += usize::from(flip.first_record.is_some());
        }
        assert!(seen > 20, "{seen}");
    });
}

#[test]
fn registers_have_no_classes() {
    with("vectoradd", 8, |setup| {
        let error = setup
            .classes(&sample("sm[0].scheduler", 1, true))
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("sample of `sm[0].scheduler`: `sm[0].scheduler.") && error.contains(" is a register;"),
            "{error}"
        );
    });
}
