//! Tests flips of architectural bits whose results follow from the program: in a register, a condition code, shared
//! memory and the program itself. The memory bits of each thread are derived here from the layout of the circuits.

use crate::common::{configuration, GLOBAL_BYTES};
use flexgrip_faults::{Fault, Model, Outcome, Parameters};
use flexgrip_isa::{assemble, Condition};
use flexgrip_machine::{Launch, Retire};
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::faults::circuits::bench::FaultBench;
use flexgrip_sim::faults::circuits::replay::{replay, Files};
use flexgrip_sim::faults::setup::Setup;
use flexgrip_sim::faults::verdict::{Damage, Verdict};
use flexgrip_sim::faults::writers::Owners;
use flexgrip_sim::trace::ending::Ending;
use std::collections::BTreeMap;

/// Instructions that take time and only access R5.
const WAIT: &str = "\
    MVI R5, 1\n\
    IADD R5, R5, R5\n\
    IADD R5, R5, R5\n\
    IADD R5, R5, R5\n\
    IADD R5, R5, R5\n";
/// The index of the middle one of the waiting instructions, counted from their first.
const MIDDLE: usize = 3;

/// A kernel with one part before and one after the flip. Thread t has 4 t in R4, and stores R3 there.
fn kernel(before: &str, after: &str) -> String {
    format!("SHL R4, R0, 2\n{before}{WAIT}{after}GST.U32 global14[R4], R3\nRET\n")
}

fn launch(text: &str) -> Launch {
    Launch {
        name: "t".into(),
        program: assemble(text, "t").unwrap().words,
        registers: 6,
        shared_bytes: 256,
        block: [32, 1, 1],
        ..Launch::default()
    }
}

fn flip(site: String, element: u32, bit: u32, cycle: u64) -> Fault {
    Fault {
        id: 0,
        model: Model::Flip,
        site,
        element,
        bit,
        bits: 1,
        cycle,
        until: None,
        parameters: Parameters::default(),
        weight: 1,
    }
}

/// Calls `work` with the setup of a launch on circuits with this number of lanes.
fn with<T>(launch: &Launch, lanes: u32, work: impl FnOnce(&Setup) -> T) -> T {
    let options = Options {
        configuration: configuration(lanes, GLOBAL_BYTES),
        ..Options::default()
    };
    let floats = BTreeMap::new();
    work(&Setup {
        launch,
        options: &options,
        // Some flipped programs end with an error only after many iterations of a loop.
        factor: 50.0,
        floats: &floats,
        gates: None,
    })
}

/// The verdicts of a campaign on some flips, in their order.
fn verdicts(setup: &Setup, faults: &[Fault]) -> Vec<Verdict> {
    FaultBench::with(setup, |bench| {
        let sites = bench.sites().unwrap();
        let injections = faults.iter().map(|fault| bench.injection(fault, &sites).unwrap());
        let injections: Vec<_> = injections.collect();
        let mut verdicts = vec![None; faults.len()];
        bench.run(&injections, |index, verdict| {
            verdicts[index] = Some(verdict);
            Ok(())
        })?;
        Ok(verdicts.into_iter().map(Option::unwrap).collect())
    })
    .unwrap()
}

/// The golden run's records, in program order.
fn records(setup: &Setup) -> Vec<Retire> {
    let nothing = flip("sm[0].register_file.bank[0]".into(), 2047 / 4, 0, 1);
    replay(setup, &nothing, [Files::default(), Files::default()])
        .unwrap()
        .golden
        .all()
        .to_vec()
}

/// The damage of wrong words. Thread t of the only warp stores word t; no other words are stored.
fn damage(words: impl Iterator<Item = (u32, u32, u32)>, setup: &Setup) -> Damage {
    let damage = Damage::of(words, setup.floats);
    let threads = damage.places.iter().filter(|place| **place < 32).count() as u64;
    let owners = Owners {
        threads,
        warps: threads.min(1),
        blocks: threads.min(1),
    };
    Damage { owners, ..damage }
}

/// Simulates flips after the first part of a kernel, each in bits of one thread. Word t must be the result of
/// `expected` for thread t and the flipped bit; all other words must be right.
fn compare(
    (before, after): (&str, &str),
    bits: &[u32],
    place: impl Fn(u32, u32) -> (String, u32, u32),
    expected: impl Fn(u32, Option<u32>) -> u32,
) {
    let text = kernel(before, after);
    let launch = launch(&text);
    // The number of an instruction in the middle of the waiting ones, after the instructions before them.
    let middle = 1 + before.lines().count() + MIDDLE;
    for lanes in [8, 32] {
        with(&launch, lanes, |setup| {
            let records = records(setup);
            let cycle = records[middle].issue_cycle.unwrap();
            assert!(records[middle - MIDDLE - 1].retire_cycle.unwrap() < cycle);
            let threads = [0, 1, 13, 31];
            let places = threads
                .iter()
                .flat_map(|thread| bits.iter().map(move |bit| (*thread, *bit)));
            let places: Vec<(u32, u32)> = places.collect();
            let faults: Vec<Fault> = places
                .iter()
                .map(|(thread, bit)| {
                    let (site, element, at) = place(lanes, *thread);
                    flip(site, element, at + bit, cycle)
                })
                .collect();
            let found = verdicts(setup, &faults);
            for (((thread, bit), fault), verdict) in places.iter().zip(&faults).zip(&found) {
                let (golden, faulty) = (expected(*thread, None), expected(*thread, Some(*bit)));
                let words = [(*thread, golden, faulty)].into_iter();
                let damage = damage(words.filter(|_| golden != faulty), setup);
                let outcome = match golden == faulty {
                    true => [Outcome::Masked, Outcome::Latent],
                    false => [Outcome::SilentCorruption; 2],
                };
                assert!(
                    outcome.contains(&verdict.outcome),
                    "{lanes} lanes, {fault:?}: {verdict:?}"
                );
                assert_eq!(verdict.damage, damage, "{lanes} lanes, {fault:?}");
                if let Some(first) = verdict.first_record.as_ref().filter(|_| golden != faulty) {
                    assert_eq!(first.thread, Some(*thread), "{lanes} lanes, {fault:?}");
                }
            }
            // The words of memory after one of the flips.
            let (thread, bit) = places[places.len() / 2];
            let end = replay(setup, &faults[places.len() / 2], [Files::default(), Files::default()])
                .unwrap()
                .end
                .unwrap();
            for (word, found) in (0..32).zip(&end.global) {
                let bit = Some(bit).filter(|_| word == thread);
                assert_eq!(*found, expected(word, bit), "{lanes} lanes, word {word}");
            }
        });
    }
}

/// The location of a register of the first warp: memory, element and lowest bit.
fn register(number: u32, lanes: u32, thread: u32) -> (String, u32, u32) {
    let site = format!("sm[0].register_file.bank[{}]", thread % lanes);
    (site, number * (32 / lanes) + thread / lanes, 0)
}

#[test]
fn flipped_register_changes_the_sum() {
    compare(
        ("MVI R1, 1000\nIADD R2, R1, R0\n", "IADD32I R3, R2, 5\n"),
        &[0, 3, 16, 31],
        |lanes, thread| register(2, lanes, thread),
        |thread, bit| ((1000 + thread) ^ bit.map_or(0, |bit| 1 << bit)).wrapping_add(5),
    );
}

#[test]
fn flipped_condition_code_changes_the_execution() {
    let holds = |thread: u32, bit: Option<u32>| {
        // The condition code of thread > 0, which compares as -1 or 0.
        let code = if thread > 0 { 0b0010 } else { 0b0001 };
        Condition::Ne.holds(code ^ bit.map_or(0, |bit| 1 << bit))
    };
    compare(
        (
            "MVI R1, 10\nMVI R3, 3\nISET.S32.C0 o[0x7f], R0, R124, GT\n",
            "IADD R3 (C0.NE), R1, R0\n",
        ),
        &[0, 1, 2, 3],
        |_, thread| (format!("sm[0].predicate_file.group[{}]", thread / 4), 0, thread % 4 * 4),
        |thread, bit| if holds(thread, bit) { 10 + thread } else { 3 },
    );
}

#[test]
fn flipped_shared_memory_changes_the_sum() {
    // Word 8 + t of shared memory.
    compare(
        (
            "R2A A1, R0, 2\nIADD32I R2, R0, 1000\nR2G.U32.U32 g[A1 + 8], R2\n",
            "IADD R3, g[A1 + 8], R0\n",
        ),
        &[0, 9, 30],
        |_, thread| {
            let word = 8 + thread;
            (format!("sm[0].shared_memory.bank[{}]", word % 16), word / 16, 0)
        },
        |thread, bit| ((1000 + thread) ^ bit.map_or(0, |bit| 1 << bit)).wrapping_add(thread),
    );
}

/// Flips a bit in a register with an address: the word is stored to a different address, or the store fails.
#[test]
fn flipped_address_stores_elsewhere() {
    let text = kernel("MVI R3, 7\n", "");
    let launch = launch(&text);
    for lanes in [8, 32] {
        with(&launch, lanes, |setup| {
            let cycle = records(setup)[2 + MIDDLE].issue_cycle.unwrap();
            let (thread, bits) = (5, [7, 12, 16, 1]);
            let faults = bits.map(|bit| {
                let (site, element, _) = register(4, lanes, thread);
                flip(site, element, bit, cycle)
            });
            let found = verdicts(setup, &faults);
            for (bit, verdict) in bits.iter().zip(&found).take(2) {
                let other = ((4 * thread) ^ (1 << bit)) / 4;
                let words = [(thread, 7, 0), (other, 0, 7)];
                assert_eq!(verdict.outcome, Outcome::SilentCorruption, "{lanes} lanes, bit {bit}");
                assert_eq!(
                    verdict.damage,
                    damage(words.into_iter(), setup),
                    "{lanes} lanes, bit {bit}"
                );
            }
            // Global memory has 64 KiB.
            assert_eq!(found[2].code.as_deref(), Some("GLOBAL_RANGE"), "{lanes} lanes");
            assert_eq!(found[3].code.as_deref(), Some("GLOBAL_MISALIGNED"), "{lanes} lanes");
        });
    }
}

/// Flips every bit of a program: the outcome equals the golden model's on the changed program.
#[test]
fn flipped_instruction_matches_the_changed_program() {
    let text = "\
        SHL R4, R0, 2\n\
        MVI R1, 1000\n\
        ISET.S32.C0 o[0x7f], R0, R124, GT\n\
        IADD R3 (C0.NE), R1, R0\n\
        FMUL32I R3, R3, 1.5\n\
        GST.U32 global14[R4], R3\n\
        RET\n";
    let launch = launch(text);
    for lanes in [8, 32] {
        with(&launch, lanes, |setup| {
            let places = (0..launch.program.len()).flat_map(|word| (0..32).map(move |bit| (word, bit)));
            let places: Vec<(usize, u32)> = places.collect();
            let site = "sm[0].instruction_memory.memory";
            let fault = |(word, bit): &(usize, u32)| {
                let bit = (word % 2) as u32 * 32 + bit;
                flip(site.into(), (word / 2) as u32, bit, 1)
            };
            let faults: Vec<Fault> = places.iter().map(fault).collect();
            let found = verdicts(setup, &faults);
            let golden = model(&launch, setup.options).unwrap();
            let mut outcomes = BTreeMap::new();
            for ((word, bit), verdict) in places.into_iter().zip(found) {
                let mut other = launch.clone();
                other.program[word] ^= 1 << bit;
                let expected = match model(&other, setup.options) {
                    Ok(global) => {
                        let words = (0..).zip(golden.iter().zip(&global));
                        let words = words.filter(|(_, (golden, faulty))| golden != faulty);
                        let damage = damage(words.map(|(at, (a, b))| (at, *a, *b)), setup);
                        (None, format!("{damage:?}"))
                    }
                    Err(code) => (Some(code), format!("{:?}", Damage::default())),
                };
                let code = match verdict.outcome {
                    Outcome::Hang => Some("hang".to_string()),
                    _ => verdict.code.clone(),
                };
                // The rows are compared as text, because the relative error may be NaN.
                let found = (code, format!("{:?}", verdict.damage));
                assert_eq!(found, expected, "{lanes} lanes, word {word}, bit {bit}: {verdict:?}");
                *outcomes.entry(verdict.outcome).or_insert(0) += 1;
            }
            assert!(outcomes.len() >= 3, "{outcomes:?}");
        });
    }
}

/// Global memory after a run on the golden model, or the name of the error.
fn model(launch: &Launch, options: &Options) -> Result<Vec<u32>, String> {
    let options = Options {
        max_cycles: 10_000,
        ..options.clone()
    };
    let report = ModelEngine.run(launch, &options, None).unwrap();
    match report.ending {
        Ending::Failed(error) => Err(error.kind.name().unwrap_or("hang").into()),
        _ => Ok(report.global),
    }
}
