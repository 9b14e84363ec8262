//! Faults in passes, against whole machines of which each has one fault.

use flexgrip_faults::{Model, Outcome, Sample};
use flexgrip_sim::engines::engine::Options;
use flexgrip_sim::faults::bench::FaultBench;
use flexgrip_sim::faults::inject::Injection;
use flexgrip_sim::faults::verdict::Verdict;
use flexgrip_sim::Kernel;
use std::collections::BTreeMap;
use std::path::Path;

/// Random faults of a kernel, in a pass and one by one.
fn compare(name: &str, model: Model, seed: u64, count: u64) -> BTreeMap<Outcome, u32> {
    let launch = Kernel::load(&Path::new("../kernels").join(name)).unwrap().launch;
    FaultBench::with(&launch, &Options::default(), 2.0, |bench| {
        let (sites, code) = (bench.sites().unwrap(), bench.code());
        let sample = Sample {
            pattern: "*".into(),
            model,
            bits: 1,
            seed,
        };
        let faults = sample.draw(&sites, bench.golden().cycles, count).unwrap();
        let injections: Vec<Injection> = faults
            .iter()
            .map(|fault| Injection::new(fault, &sites, &code).unwrap())
            .collect();
        let clock = std::time::Instant::now();
        let mut verdicts: Vec<Option<Verdict>> = vec![None; injections.len()];
        bench.run(&injections, |index, verdict| {
            assert!(verdicts[index].replace(verdict).is_none());
            Ok(())
        })?;
        println!("pass {:?}", clock.elapsed());
        let clock = std::time::Instant::now();
        let mut outcomes = BTreeMap::new();
        for (index, (injection, verdict)) in injections.iter().zip(verdicts).enumerate() {
            let verdict = verdict.unwrap();
            let mut whole = bench.run_whole(injection)?;
            // Which a whole machine cannot tell from one that is masked.
            if verdict.outcome == Outcome::NotExcited {
                assert_eq!(whole.outcome, Outcome::Masked);
                whole.outcome = Outcome::NotExcited;
            }
            let found = Verdict {
                first_record: None,
                first_store: None,
                ..verdict.clone()
            };
            assert_eq!(found, whole, "{name}, {index}: {:?}", faults[index]);
            *outcomes.entry(verdict.outcome).or_insert(0) += 1;
        }
        println!("whole {:?} {outcomes:?}", clock.elapsed());
        Ok(outcomes)
    })
    .unwrap()
}

#[test]
fn flips_do_what_they_do_in_a_whole_machine() {
    compare("vectoradd", Model::Flip, 1, 300);
}
