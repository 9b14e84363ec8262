//! Pruned campaigns against unpruned ones: the same rows, byte for byte; and classes against all flips for which they stand.

use crate::common::{configuration, root, GLOBAL_BYTES};
use flexgrip_faults::row::write;
use flexgrip_faults::statistics::faults as flips_of;
use flexgrip_faults::{Campaign, Engine, Fault, Model, Outcome, Plan, Row, Sample};
use flexgrip_sim::engines::engine::Options;
use flexgrip_sim::faults::bench::{FaultBench, Setup};
use flexgrip_sim::faults::campaign::{row, run};
use flexgrip_sim::faults::pruning::Fate;
use flexgrip_sim::Kernel;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

/// Memories that kernels use, of all kinds.
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

/// The rows of faults that are simulated one by one, in one pass.
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

/// The rows of a campaign.
fn pruned(setup: &Setup, faults: Vec<Fault>, sample: Option<Sample>) -> Vec<Row> {
    let folder = tempfile::tempdir().unwrap();
    let facts = setup.facts().unwrap();
    let mut plan = Plan {
        golden: facts.golden,
        golden_cycles: facts.cycles,
        limit: facts.limit,
        sample,
        ..Plan::default()
    };
    plan.set_faults(&faults);
    let campaign = Campaign::create(folder.path(), plan, faults).unwrap();
    let jobs = NonZeroUsize::new(2).unwrap();
    run(setup, &campaign, None, jobs, |_| ()).unwrap().0
}

/// What becomes of faults, by the golden run alone.
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

/// A flip in an instruction that nothing has fetched yet is seen at the same instruction, in whatever cycle it comes: with
/// other instructions under way, too.
#[test]
fn first_records_do_not_depend_on_the_cycle() {
    with("vectoradd", 8, |setup| {
        let faults: Vec<Fault> = (0..4)
            .map(|id| Fault {
                id,
                site: "sm[0].instruction_memory.memory".into(),
                element: 3,
                bit: 34,
                cycle: 1 + 15 * id,
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
fn pruned_campaigns_have_the_rows_of_unpruned_ones() {
    for (name, lanes, bits, count) in [
        ("vectoradd", 8, 1, 2500),
        ("reduction", 32, 1, 700),
        // Neighbouring bits are in two fields and words of some elements, and partly overwritten.
        ("vectoradd", 32, 3, 1200),
        ("divergence", 8, 2, 700),
    ] {
        with(name, lanes, |setup| {
            let facts = setup.facts().unwrap();
            let mut faults = sample(USED, bits, false)
                .draw(&facts.sites, facts.cycles, count)
                .unwrap();
            for fault in &mut faults {
                // Few places, so that many flips are of one class, among those that are used.
                fault.element %= 4;
                fault.bit -= fault.bit.min(fault.id as u32 % 2 * 64) / 2;
            }
            let fates = fates(setup, &faults);
            let count = |is: fn(&Fate) -> bool| fates.iter().filter(|fate| is(fate)).count();
            let counts = [
                count(|fate| matches!(fate, Fate::Overwritten(_))),
                count(|fate| matches!(fate, Fate::Unused)),
                count(|fate| matches!(fate, Fate::As(_))),
            ];
            assert!(counts.iter().all(|count| *count > 20), "{name}: {counts:?}");
            let moved = faults
                .iter()
                .zip(&fates)
                .filter(|(fault, fate)| matches!(fate, Fate::As(cycle) if *cycle > fault.cycle));
            assert!(moved.count() > 20, "{name}");
            let (alone, rows) = (unpruned(setup, &faults), pruned(setup, faults, None));
            let [alone, rows] = [alone, rows].map(|rows| write(&rows, "p", Engine::Circuits));
            for (alone, pruned) in alone.lines().zip(rows.lines()) {
                assert_eq!(pruned, alone, "{name}, {lanes} lanes");
            }
            assert_eq!(rows, alone);
        });
    }
}

/// Classes of small memories, against all flips.
#[test]
fn classes_stand_for_all_flips() {
    let pattern = "sm[0].collector.gathered_place,sm[0].barriers.remaining,sm[0].branch.depth";
    with("vectoradd", 8, |setup| {
        let facts = setup.facts().unwrap();
        let sample = sample(pattern, 1, true);
        let all = sample.population(&facts.sites, facts.cycles).unwrap();
        let classes = setup.classes(&sample).unwrap();
        assert!(
            classes.len() > 10 && (classes.len() as u64) < all / 2,
            "{}",
            classes.len()
        );
        let rows = pruned(setup, classes, Some(sample.clone()));
        assert_eq!(flips_of(&rows), all);
        let flips = Sample {
            classes: false,
            ..sample
        }
        .draw(&facts.sites, facts.cycles, all)
        .unwrap();
        let alone = unpruned(setup, &flips);
        let count = |rows: &[Row], site: &str, outcome| {
            flips_of(
                rows.iter()
                    .filter(|row| row.fault.site == site && row.outcome == outcome),
            )
        };
        let sites: BTreeSet<&str> = rows.iter().map(|row| row.fault.site.as_str()).collect();
        assert_eq!(sites.len(), 3);
        for site in sites {
            for outcome in Outcome::ALL {
                assert_eq!(
                    count(&rows, site, *outcome),
                    count(&alone, site, *outcome),
                    "{site}: {outcome}"
                );
            }
        }
        // Each flip, not only their number.
        let found = |flip: &Fault| {
            rows.iter().find(|row| {
                let Fault { cycle, weight, .. } = row.fault;
                let is_same =
                    (&row.fault.site, row.fault.element, row.fault.bit) == (&flip.site, flip.element, flip.bit);
                is_same && row.first_record.is_some() && (cycle + 1 - weight..=cycle).contains(&flip.cycle)
            })
        };
        let visible: Vec<&Row> = alone.iter().filter(|row| row.first_record.is_some()).collect();
        assert!(visible.len() > 20);
        for row in visible {
            let class = found(&row.fault).unwrap();
            let [one, other] = [&row.fault, &class.fault].map(|fault| {
                let fault = Fault {
                    weight: 1,
                    ..fault.clone()
                };
                let same = Fault {
                    id: 0,
                    cycle: 1,
                    ..fault
                };
                same
            });
            assert_eq!(one, other);
            assert_eq!(
                (class.outcome, &class.first_record, class.first_store),
                (row.outcome, &row.first_record, row.first_store)
            );
        }
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
