//! Tests of `--protect`: flips in protected register files and shared memories are corrected, or stop the grid with
//! error 16, flips in one of two schedulers stop it with error 17; without flips, protected circuits take the same
//! cycles as unprotected ones and give the same results.

use crate::common::{build, configuration, root, GLOBAL_BYTES};
use flexgrip_faults::{Fault, Model, Outcome, Parameters, Sample};
use flexgrip_isa::assemble;
use flexgrip_machine::sizes::Lanes;
use flexgrip_machine::{Capability, ErrorKind, Launch, Protect, Retire};
use flexgrip_sim::engines::engine::{Engine, Observer, Options};
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::faults::circuits::bench::FaultBench;
use flexgrip_sim::faults::circuits::replay::{replay, Files};
use flexgrip_sim::faults::setup::Setup;
use flexgrip_sim::fuzz::generate::Mix;
use flexgrip_sim::fuzz::{fuzz, FuzzOptions};
use flexgrip_sim::trace::ending::Ending;
use flexgrip_sim::Kernel;
use std::collections::BTreeMap;

/// Thread t has 1024 + 4 t in R2. After instructions that take time, one of these reads it; R3, its result if it has
/// one, is stored in word 128 + t. Each entry also has the bits of R2 that the reader uses.
const READERS: [(&str, u32); 7] = [
    (READER_OF_A, u32::MAX),
    ("IADD R3, R1, R2", u32::MAX),
    ("IMAD.U16 R3, R1L, R1L, R2", u32::MAX),
    ("I2I.U32.U16 R3, R2L", 0x0000_ffff),
    ("I2I.U32.U16 R3, R2H", 0xffff_0000),
    ("GST.U32 global14[R4], R2", u32::MAX),
    ("GLD.U32 R3, global14[R2]", u32::MAX),
];
const READER_OF_A: &str = "IADD32I R3, R2, 5";

fn program(reader: &str) -> String {
    format!(
        "SHL R4, R0, 2\n\
         MVI R1, 1024\n\
         IADD R2, R1, R4\n\
         MVI R5, 128\n\
         IADD R5, R5, R5\n\
         IADD R5, R5, R5\n\
         MVI R3, 0\n\
         IADD R5, R5, R4\n\
         {reader}\n\
         GST.U32 global14[R5], R3\n\
         RET\n"
    )
}

/// Like [`program`], with 1.0 in R2 and thread 13 inactive for instructions with the guard `(C1.NE)`.
fn guarded(reader: &str) -> String {
    format!(
        "SHL R4, R0, 2\n\
         MVI R1, 13\n\
         MVI R2, 0x3f800000\n\
         ISET.C1 o[0x7f], R0, R1, NE\n\
         MVI R5, 128\n\
         IADD R5, R5, R5\n\
         IADD R5, R5, R5\n\
         IADD R5, R5, R4\n\
         {reader}\n\
         GST.U32 global14[R5], R3\n\
         RET\n"
    )
}

/// Thread t has 1024 + 4 t in word t of shared memory. After instructions that take time, one of these reads the word
/// of [`SHARED_THREAD`], each thread's own word or a part of it. Each entry also has the bits of the word that the
/// reader uses.
const SHARED_READERS: [(&str, u32); 9] = [
    (READER_OF_WORDS, u32::MAX),
    ("IADD R3, g[5], R1", u32::MAX),
    ("MOV.U16 R3L, g[10].U16", 0x0000_ffff),
    ("MOV.U16 R3L, g[11].U16", 0xffff_0000),
    ("IADD R3, g[10].S16, R1", 0x0000_ffff),
    ("IADD R3, g[11].S16, R1", 0xffff_0000),
    ("IADD R3, g[21].U8, R1", 0x0000_ff00),
    ("IADD R3, g[A1 + 1].U16, R1", 0xffff_0000),
    ("IADD R3, g[A1 + 2].U8, R1", 0x00ff_0000),
];
const READER_OF_WORDS: &str = "MOV R3, g[A1 + 0]";
const SHARED_THREAD: u32 = 5;

fn shared_program(reader: &str) -> String {
    format!(
        "SHL R4, R0, 2\n\
         MVI R1, 1024\n\
         R2A A1, R4, 0\n\
         IADD R2, R1, R4\n\
         R2G.U32.U32 g[A1 + 0], R2\n\
         MVI R5, 128\n\
         MVI R6, {SHARED_THREAD}\n\
         ISET.C1 o[0x7f], R0, R6, NE\n\
         ISET.C2 o[0x7f], R0, R0, NE\n\
         IADD R5, R5, R5\n\
         IADD R5, R5, R5\n\
         MVI R3, 0\n\
         IADD R5, R5, R4\n\
         {reader}\n\
         GST.U32 global14[R5], R3\n\
         RET\n"
    )
}

/// The numbers of the instruction during whose issue bits of R2 flip, and of the instruction that then reads R2.
/// `SHARED` has the numbers for a word of shared memory.
const REGISTER: Numbers = Numbers { middle: 5, reader: 8 };
const SHARED: Numbers = Numbers { middle: 11, reader: 13 };

#[derive(Clone, Copy)]
struct Numbers {
    middle: usize,
    reader: usize,
}

/// The thread with flipped bits.
const THREAD: u32 = 13;
const LANES: u32 = 8;

fn launch(program: &str) -> Launch {
    Launch {
        name: "t".into(),
        program: assemble(program, "t").unwrap().words,
        registers: 7,
        shared_bytes: 256,
        block: [32, 1, 1],
        ..Launch::default()
    }
}

fn with<T>(program: &str, protect: Protect, work: impl FnOnce(&Setup) -> T) -> T {
    let (launch, floats) = (launch(program), BTreeMap::new());
    let options = Options {
        configuration: configuration(LANES, GLOBAL_BYTES),
        protect,
        ..Options::default()
    };
    work(&Setup {
        launch: &launch,
        options: &options,
        factor: 2.0,
        floats: &floats,
        gates: None,
    })
}

/// A flip of `bits` bits of R2 of [`THREAD`], from `bit` upward, in this memory of the register file.
fn flip(memory: &str, bit: u32, bits: u32, cycle: u64) -> Fault {
    flip_of(THREAD, memory, bit, bits, cycle)
}

fn flip_of(thread: u32, memory: &str, bit: u32, bits: u32, cycle: u64) -> Fault {
    Fault {
        id: 0,
        model: Model::Flip,
        site: format!("sm[0].register_file.{memory}[{}]", thread % LANES),
        element: 2 * (32 / LANES) + thread / LANES,
        bit,
        bits,
        cycle,
        until: None,
        parameters: Parameters::default(),
        weight: 1,
    }
}

/// A flip of `bits` bits of the word of [`SHARED_THREAD`] or of its check bits, from `bit` upward.
fn shared_flip(memory: &str, bit: u32, bits: u32, cycle: u64) -> Fault {
    Fault {
        site: format!("sm[0].shared_memory.{memory}[{SHARED_THREAD}]"),
        element: 0,
        ..flip(memory, bit, bits, cycle)
    }
}

/// The run without a fault: the cycle in which bits flip, the PCs of the instruction that issues in this cycle and of
/// the instruction that reads the bits, and the total cycles.
#[derive(Debug, PartialEq)]
struct Golden {
    flip: u64,
    issues: u32,
    reads: u32,
    cycles: u64,
}

fn golden(setup: &Setup) -> Golden {
    golden_of_sm(setup, REGISTER, 0)
}

fn golden_of_sm(setup: &Setup, numbers: Numbers, sm: u32) -> Golden {
    let nothing = flip("bank", 0, 1, 1);
    let replayed = replay(setup, &nothing, [Files::default(), Files::default()]).unwrap();
    let records = replayed.golden.all().iter();
    let records: Vec<&Retire> = records.filter(|record| record.sm == sm).collect();
    Golden {
        flip: records[numbers.middle].issue_cycle.unwrap(),
        issues: records[numbers.middle].pc,
        reads: records[numbers.reader].pc,
        cycles: setup.facts().unwrap().cycles,
    }
}

fn outcomes(setup: &Setup, faults: &[Fault]) -> Vec<Outcome> {
    FaultBench::with(setup, |bench| {
        let sites = bench.sites().unwrap();
        let injections = faults.iter().map(|fault| bench.injection(fault, &sites).unwrap());
        let injections: Vec<_> = injections.collect();
        let mut outcomes = vec![None; faults.len()];
        bench.run(&injections, |index, verdict| {
            outcomes[index] = Some(verdict.outcome);
            Ok(())
        })?;
        Ok(outcomes.into_iter().map(Option::unwrap).collect())
    })
    .unwrap()
}

/// The error of the run with a fault, with its PC, and the stored results.
fn end(setup: &Setup, fault: &Fault) -> (Option<(ErrorKind, u32)>, Vec<u32>) {
    let end = replay(setup, fault, [Files::default(), Files::default()])
        .unwrap()
        .end
        .unwrap();
    let error = match &end.ending {
        Ending::Failed(error) => Some((error.kind, error.pc)),
        _ => None,
    };
    (error, end.global[128..160].to_vec())
}

/// The circuits with check bits.
struct Protected(Protect);

impl Engine for Protected {
    fn name(&self) -> &'static str {
        "protected"
    }

    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        let options = Options {
            protect: self.0,
            ..options.clone()
        };
        RtlEngine.run(launch, &options, observer)
    }
}

/// Programs also write halves, and the registers of only some threads: the check bits must always match the data.
#[test]
fn random_programs_have_no_errors() {
    for protect in [Protect::Parity, Protect::Full] {
        let options = FuzzOptions {
            seed: 8,
            first: 0,
            count: if cfg!(feature = "soak") { 40 } else { 15 },
            mix: Mix::Any,
            capability: Capability::V1_0,
            lanes: Some(Lanes::Eight),
            build: build(),
            output: std::env::temp_dir(),
        };
        let report = fuzz(&mut Protected(protect), &options, |_| {}).unwrap();
        assert!(report.failure.is_none(), "{protect}: {:#?}", report.failure);
        assert!(report.warp_instructions > 10_000, "{}", report.warp_instructions);
    }
}

#[test]
fn protection_does_not_change_cycles() {
    for (program, numbers) in [
        (program(READER_OF_A), REGISTER),
        (shared_program(READER_OF_WORDS), SHARED),
    ] {
        let golden = |setup: &Setup| golden_of_sm(setup, numbers, 0);
        let [none, protected @ ..] = Protect::ALL.map(|protect| with(&program, protect, golden));
        for (found, protect) in protected.iter().zip(&Protect::ALL[1..]) {
            assert_eq!(*found, none, "{protect}");
        }
    }
}

/// Flips one bit with parity and two with SECDED, starting at each of these bits. A flip is detected, with the reader's
/// PC, if the instruction uses its bits.
fn uncorrectable_flips_in_use_are_detected(
    program: &str,
    numbers: Numbers,
    used: u32,
    places: &[u32],
    flip: impl Fn(u32, u32, u64) -> Fault,
) {
    for (protect, bits) in [(Protect::Parity, 1), (Protect::Secded, 2)] {
        with(program, protect, |setup| {
            let golden = golden_of_sm(setup, numbers, 0);
            let faults: Vec<Fault> = places.iter().map(|bit| flip(*bit, bits, golden.flip)).collect();
            for (fault, found) in faults.iter().zip(outcomes(setup, &faults)) {
                let (outcome, error) = if used >> fault.bit & 1 == 1 {
                    (Outcome::Detected, Some((ErrorKind::Uncorrectable, golden.reads)))
                } else {
                    (Outcome::Latent, None)
                };
                assert_eq!(found, outcome, "{protect}: {fault:?}\n{program}");
                assert_eq!(end(setup, fault).0, error, "{protect}: {fault:?}\n{program}");
            }
        });
    }
}

#[test]
fn uncorrectable_halves_in_use_are_detected() {
    for (reader, used) in READERS {
        let flip = |bit, bits, cycle| flip("bank", bit, bits, cycle);
        let places = [0, 7, 14, 16, 23, 30];
        uncorrectable_flips_in_use_are_detected(&program(reader), REGISTER, used, &places, flip);
    }
}

#[test]
fn uncorrectable_bytes_in_use_are_detected() {
    for (reader, used) in SHARED_READERS {
        let flip = |bit, bits, cycle| shared_flip("bank", bit, bits, cycle);
        let places = [0, 6, 8, 14, 17, 22, 24, 30];
        uncorrectable_flips_in_use_are_detected(&shared_program(reader), SHARED, used, &places, flip);
    }
}

#[test]
fn secded_corrects_single_flips_of_shared_words() {
    for (reader, _) in SHARED_READERS {
        with(&shared_program(reader), Protect::Secded, |setup| {
            let cycle = golden_of_sm(setup, SHARED, 0).flip;
            let data = (0..32).map(|bit| shared_flip("bank", bit, 1, cycle));
            let check = (0..20).map(|bit| shared_flip("check", bit, 1, cycle));
            let faults: Vec<Fault> = data.chain(check).collect();
            for (fault, outcome) in faults.iter().zip(outcomes(setup, &faults)) {
                assert_eq!(outcome, Outcome::Latent, "{reader}: {fault:?}");
            }
        });
    }
}

#[test]
fn shared_words_of_inactive_threads_are_not_used() {
    // The guard excludes the thread, all others, or all threads.
    for (reader, outcome) in [
        ("MOV R3 (C1.NE), g[A1 + 0]", Outcome::Latent),
        ("MOV R3 (C1.EQ), g[A1 + 0]", Outcome::Detected),
        ("IADD R3 (C1.NE), g[5], R1", Outcome::Detected),
        ("IADD R3 (C2.NE), g[5], R1", Outcome::Latent),
    ] {
        with(&shared_program(reader), Protect::Parity, |setup| {
            let fault = shared_flip("bank", 3, 1, golden_of_sm(setup, SHARED, 0).flip);
            assert_eq!(outcomes(setup, &[fault]), [outcome], "{reader}");
        });
    }
}

#[test]
fn a_store_of_a_byte_leaves_the_other_bytes_wrong() {
    let reader = "R2G.U32.U8 g[A1 + 1], R5\nMOV R3, g[A1 + 0]";
    with(&shared_program(reader), Protect::Parity, |setup| {
        let cycle = golden_of_sm(setup, SHARED, 0).flip;
        let faults = [3, 9, 17].map(|bit| shared_flip("bank", bit, 1, cycle));
        let expected = [Outcome::Detected, Outcome::Masked, Outcome::Detected];
        assert_eq!(outcomes(setup, &faults), expected);
    });
}

/// Random flips in the registers of a scheduler while a kernel runs, and their outcomes.
fn flips_in(scheduler: &str, protect: Protect, count: u64) -> Vec<(Fault, Outcome)> {
    let kernel = Kernel::load(&root().join("kernels/vectoradd")).unwrap();
    let options = Options {
        protect,
        ..Options::default()
    };
    let setup = Setup {
        launch: &kernel.launch,
        options: &options,
        factor: 2.0,
        floats: &BTreeMap::new(),
        gates: None,
    };
    let facts = setup.facts().unwrap();
    let sample = Sample {
        pattern: scheduler.into(),
        model: Model::Flip.into(),
        bits: 1,
        seed: 1,
        golden_model: None,
        classes: false,
    };
    let faults = sample.draw(&facts.sites, facts.cycles, count).unwrap();
    let outcomes = outcomes(&setup, &faults);
    faults.into_iter().zip(outcomes).collect()
}

/// A flip that corrupts the results or ends the program without protection is detected with two schedulers.
#[test]
fn flips_in_schedulers_are_detected() {
    let count = if cfg!(feature = "soak") { 10_000 } else { 1_000 };
    let harms = |outcome: &Outcome| matches!(outcome, Outcome::SilentCorruption | Outcome::Detected | Outcome::Hang);
    let alone = flips_in("sm[0].scheduler", Protect::None, count);
    let first = flips_in("sm[0].scheduler", Protect::Scheduler, count);
    let mut harmful = 0;
    for ((fault, without), (same, outcome)) in alone.iter().zip(&first) {
        assert_eq!(fault, same);
        assert!(
            !harms(without) || *outcome == Outcome::Detected,
            "{without:?}, {outcome:?}: {fault:?}"
        );
        assert!(
            !matches!(outcome, Outcome::SilentCorruption | Outcome::Hang),
            "{fault:?}"
        );
        harmful += u64::from(harms(without));
    }
    assert!(harmful > count / 50, "{harmful} of {count}");
    // The second scheduler drives nothing.
    let second = flips_in("sm[0].second_scheduler[0]", Protect::Scheduler, count);
    for (fault, outcome) in &second {
        assert!(
            !matches!(outcome, Outcome::SilentCorruption | Outcome::Hang),
            "{fault:?}"
        );
    }
    assert!(second.iter().any(|(_, outcome)| *outcome == Outcome::Detected));
}

#[test]
fn error_of_schedulers_names_the_instruction() {
    with(&shared_program(READER_OF_WORDS), Protect::Full, |setup| {
        let golden = golden_of_sm(setup, SHARED, 0);
        for scheduler in ["scheduler", "second_scheduler[0]"] {
            let fault = Fault {
                site: format!("sm[0].{scheduler}.s4.decoded.immediate"),
                element: 0,
                ..flip("bank", 0, 1, golden.flip)
            };
            let error = Some((ErrorKind::SchedulersDiffer, golden.issues));
            assert_eq!(end(setup, &fault).0, error, "{scheduler}");
        }
    });
}

#[test]
fn parity_detects_only_odd_flips() {
    with(&program(READER_OF_A), Protect::Parity, |setup| {
        let cycle = golden(setup).flip;
        let faults = [
            flip("parity", 0, 1, cycle),
            flip("parity", 1, 1, cycle),
            flip("bank", 3, 2, cycle),
        ];
        let expected = [Outcome::Detected, Outcome::Detected, Outcome::SilentCorruption];
        assert_eq!(outcomes(setup, &faults), expected);
    });
}

#[test]
fn secded_corrects_single_flips_of_all_operands() {
    for (reader, _) in READERS {
        with(&program(reader), Protect::Secded, |setup| {
            let cycle = golden(setup).flip;
            let data = (0..32).map(|bit| flip("bank", bit, 1, cycle));
            let faults: Vec<Fault> = data.chain((0..12).map(|bit| flip("check", bit, 1, cycle))).collect();
            for (fault, outcome) in faults.iter().zip(outcomes(setup, &faults)) {
                // The result is right. The memory keeps the flip, since the word is not written back.
                assert_eq!(outcome, Outcome::Latent, "{reader}: {fault:?}");
            }
        });
    }
}

#[test]
fn secded_detects_two_flips_of_check_bits() {
    with(&program(READER_OF_A), Protect::Secded, |setup| {
        let golden = golden(setup);
        let faults = [("check", 0), ("check", 10), ("check", 5), ("bank", 15)];
        let faults = faults.map(|(memory, bit)| flip(memory, bit, 2, golden.flip));
        // The last two have one flip in each half.
        let expected = [Outcome::Detected, Outcome::Detected, Outcome::Latent, Outcome::Latent];
        assert_eq!(outcomes(setup, &faults), expected);
        let stored: Vec<u32> = (0..32).map(|thread| 1029 + 4 * thread).collect();
        assert_eq!(end(setup, &faults[3]), (None, stored));
    });
}

#[test]
fn flips_that_nothing_reads_are_no_errors() {
    for protect in [Protect::Parity, Protect::Secded] {
        with(&program(READER_OF_A), protect, |setup| {
            // R0 of a thread after its last use, and a register of no thread.
            let cycle = golden(setup).flip;
            let unused = Fault {
                element: 0,
                ..flip("bank", 3, 2, cycle + 1)
            };
            let other = Fault {
                element: 1000,
                ..flip("bank", 3, 1, cycle)
            };
            let outcomes = outcomes(setup, &[unused, other]);
            assert_eq!(outcomes, [Outcome::Latent; 2], "{protect}");
        });
    }
}

#[test]
fn inactive_threads_count_only_in_swizzles() {
    let outcomes_of = |reader: &str| {
        with(&guarded(reader), Protect::Parity, |setup| {
            let cycle = golden(setup).flip;
            let faults = [THREAD, THREAD + 1].map(|thread| flip_of(thread, "bank", 3, 1, cycle));
            outcomes(setup, &faults)
        })
    };
    assert_eq!(
        outcomes_of("IADD R3 (C1.NE), R2, R4"),
        [Outcome::Latent, Outcome::Detected]
    );
    // L1 passes R2 of thread 13 to the threads of its quad, and R2 of no other thread of the quad.
    let swizzle = "FSWZ.L1 R3 (C1.NE), R2, R4, ADD, ADD, ADD, ADD";
    assert_eq!(outcomes_of(swizzle), [Outcome::Detected, Outcome::Latent]);
}

#[test]
fn error_of_another_sm_is_reported() {
    let (launch, floats) = (launch(&program(READER_OF_A)), BTreeMap::new());
    let launch = Launch { grid: [2, 1], ..launch };
    let mut options = Options {
        configuration: configuration(LANES, GLOBAL_BYTES),
        protect: Protect::Parity,
        ..Options::default()
    };
    options.configuration.sms = 2;
    let setup = Setup {
        launch: &launch,
        options: &options,
        factor: 2.0,
        floats: &floats,
        gates: None,
    };
    for sm in 0..2 {
        let fault = Fault {
            site: format!("sm[{sm}].register_file.bank[{}]", THREAD % LANES),
            ..flip("bank", 3, 1, golden_of_sm(&setup, REGISTER, sm).flip)
        };
        let error = end(&setup, &fault).0;
        assert_eq!(error.map(|(kind, _)| kind), Some(ErrorKind::Uncorrectable), "SM {sm}");
    }
}
