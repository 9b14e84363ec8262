//! Compares flips in passes with the same flips in the circuits' exported Verilog, which Verilator has compiled with
//! its registers and memories as public signals.

use crate::common::{build, root, verilator};
use flexgrip_faults::{Fault, Model, Outcome, Sample, Sites};
use flexgrip_machine::Protect;
use flexgrip_sim::engines::engine::{processors, Options};
use flexgrip_sim::faults::circuits::bench::FaultBench;
use flexgrip_sim::faults::circuits::injection::Injection;
use flexgrip_sim::faults::setup::Setup;
use flexgrip_sim::faults::verdict::Verdict;
use flexgrip_sim::faults::verilog;
use flexgrip_sim::Kernel;
use std::collections::BTreeMap;

/// Memories that kernels use.
const USED: &str = "memory:sm[0],!sm[0].instruction_memory";
/// Kernels of 450 to 4,000 cycles, with the numbers of flips in registers and in memories, of one and of two bits:
/// 2,000 in all.
const KERNELS: [(&str, [u64; 2]); 8] = [
    ("vectoradd", [200, 120]),
    ("float_pitfalls", [200, 120]),
    ("saxpy_int", [180, 60]),
    ("divide_sqrt", [180, 60]),
    ("divergence", [160, 60]),
    ("stencil_1d", [160, 60]),
    ("sort", [160, 60]),
    ("reduction", [160, 60]),
];

fn of_campaign(setup: &Setup, pattern: &str, bits: u32, count: u64) -> (Sites, Vec<(Fault, Verdict)>, u64) {
    FaultBench::with(setup, |bench| {
        let sites = bench.sites().unwrap();
        let sample = Sample {
            pattern: pattern.into(),
            model: Model::Flip.into(),
            bits,
            seed: 1,
            golden_model: None,
            classes: false,
        };
        let cycles = bench.golden().cycles;
        let mut faults = sample.draw(&sites, cycles, count).unwrap();
        // Elements that are used are the first ones.
        faults.iter_mut().for_each(|fault| fault.element %= 16);
        let injections = faults.iter().map(|fault| bench.injection(fault, &sites).unwrap());
        let injections: Vec<Injection> = injections.collect();
        let mut verdicts = vec![None; faults.len()];
        bench.run(&injections, |index, verdict| {
            verdicts[index] = Some(verdict);
            Ok(())
        })?;
        let verdicts = verdicts.into_iter().map(Option::unwrap);
        Ok((sites, faults.into_iter().zip(verdicts).collect(), cycles))
    })
    .unwrap()
}

/// The fields of a verdict that both simulations determine.
fn common(verdict: &Verdict) -> (Outcome, Option<&str>, Option<u64>, u64, u64) {
    let damage = &verdict.damage;
    (
        verdict.outcome,
        verdict.code.as_deref(),
        verdict.cycles,
        damage.words,
        damage.bits,
    )
}

/// Compares flips in these kernels. Returns the number of flips with each outcome.
fn compare(kernels: &[(&str, [u64; 2])], protect: Protect) -> BTreeMap<Outcome, u64> {
    let mut outcomes: BTreeMap<Outcome, u64> = BTreeMap::new();
    for (name, counts) in kernels {
        let launch = Kernel::load(&root().join("kernels").join(name)).unwrap().launch;
        let options = Options {
            build: build(),
            protect,
            ..Options::default()
        };
        let setup = Setup {
            launch: &launch,
            options: &options,
            factor: 2.0,
            floats: &BTreeMap::new(),
            gates: None,
        };
        for (pattern, bits, count) in [("register:", 1, counts[0]), (USED, 2, counts[1])] {
            let (sites, found, cycles) = of_campaign(&setup, pattern, bits, count);
            let faults: Vec<&Fault> = found.iter().map(|(fault, _)| fault).collect();
            let others = verilog::run(&setup, cycles, &sites, &faults, processors()).unwrap();
            assert_eq!(others.len(), found.len());
            for ((fault, verdict), other) in found.iter().zip(&others) {
                assert_eq!(common(other), common(verdict), "{name}, {protect}: {fault:?}");
                *outcomes.entry(verdict.outcome).or_default() += 1;
            }
        }
    }
    outcomes
}

#[test]
fn flips_have_the_same_outcome_in_verilator() {
    if !verilator() {
        return;
    }
    let outcomes = compare(&KERNELS, Protect::None);
    assert_eq!(outcomes.values().sum::<u64>(), 2_000);
    // A flip has every outcome except `not-excited`.
    assert_eq!(outcomes.len(), Outcome::ALL.len() - 1, "{outcomes:?}");
}

/// Check bits and second schedulers are sites, too.
#[test]
fn protected_flips_have_the_same_outcome_in_verilator() {
    if !verilator() {
        return;
    }
    let outcomes = compare(&[("vectoradd", [200, 200]), ("reduction", [200, 100])], Protect::Full);
    assert!(outcomes[&Outcome::Detected] > 50, "{outcomes:?}");
}
