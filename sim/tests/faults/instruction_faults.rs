//! Tests faults in instructions: each model on a tiny kernel whose results follow from the model's definition, and the
//! shortcuts of a campaign (snapshots, early ends) in comparison with complete runs.

use crate::common::root;
use flexgrip_faults::campaign::sample::below;
use flexgrip_faults::{Engine, Fault, Model, OfGoldenModel, Outcome, Parameters, PowerLaw, Sample};
use flexgrip_isa::assemble;
use flexgrip_machine::Launch;
use flexgrip_model::Machine;
use flexgrip_sim::engines::engine::Options;
use flexgrip_sim::faults::instruction::bench::InstructionBench;
use flexgrip_sim::faults::setup::Setup;
use flexgrip_sim::faults::verdict::Verdict;
use flexgrip_sim::trace::ending::Ending;
use flexgrip_sim::Kernel;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Thread t stores 15 + t to word t.
const SUM: &str = "\
    MVI R1, 10\n\
    IADD R2, R1, R0\n\
    IADD32I R3, R2, 5\n\
    SHL R4, R0, 2\n\
    GST.U32 global14[R4], R3\n\
    RET\n";

/// Thread t stores 10 + t to word t, thread 0 stores 0.
const CONDITION: &str = "\
    MVI R1, 10\n\
    ISET.S32.C0 o[0x7f], R0, R124, GT\n\
    IADD R2 (C0.NE), R1, R0\n\
    SHL R4, R0, 2\n\
    GST.U32 global14[R4], R2\n\
    RET\n";

/// Block b stores 7 to word b.
const BLOCKS: &str = "\
    I2I.U32.U16 R1, g[6].U16\n\
    MVI R2, 7\n\
    SHL R4, R1, 2\n\
    GST.U32 global14[R4], R2\n\
    RET\n";

/// Thread t stores 1.5 x (2 + t), as a float.
const FLOATS: &str = "\
    I2F.F32.U32 R1, R0\n\
    FADD32I R1, R1, 2.0\n\
    FMUL32I R2, R1, 1.5\n\
    SHL R4, R0, 2\n\
    GST.U32 global14[R4], R2\n\
    RET\n";

fn launch(text: &str, blocks: u32, threads: u32) -> Launch {
    Launch {
        program: assemble(text, "t").unwrap().words,
        registers: 5,
        grid: [blocks, 1],
        block: [threads, 1, 1],
        ..Launch::default()
    }
}

/// Calls `work` with the bench of a launch.
fn with<T>(launch: &Launch, work: impl FnOnce(&InstructionBench) -> T) -> T {
    let (options, floats) = (Options::default(), BTreeMap::new());
    let setup = Setup {
        launch,
        options: &options,
        factor: 2.0,
        floats: &floats,
        gates: None,
    };
    work(&InstructionBench::new(&setup).unwrap())
}

/// A fault in the instruction with this number, from 1; with 0, a permanent fault.
fn fault(bench: &InstructionBench, model: Model, number: u64, (lane, bit): (u32, u32), parameters: &str) -> Fault {
    let site = match number {
        0 => "sm[0]".to_string(),
        _ => bench.sites().iter().nth(number as usize - 1).unwrap().name.clone(),
    };
    Fault {
        id: 0,
        model,
        site,
        element: lane,
        bit,
        bits: 1,
        cycle: number.max(1),
        until: None,
        parameters: Parameters::read(parameters).unwrap(),
        weight: 1,
    }
}

/// Checks that a complete run has the same verdict. Compared as text, because the relative error may be NaN.
fn is_whole(bench: &InstructionBench, fault: &Fault, verdict: &Verdict) {
    let whole = bench.run_whole(fault).unwrap();
    assert_eq!(format!("{verdict:?}"), format!("{whole:?}"), "{fault:?}");
}

/// The outcome of a fault, which must be the same with and without shortcuts, and the first words of memory at the end.
fn outcome<const N: usize>(bench: &InstructionBench, fault: &Fault) -> (Outcome, Option<String>, [u32; N]) {
    let verdict = bench.run(fault).unwrap();
    is_whole(bench, fault, &verdict);
    let end = bench.replay(fault).unwrap().end.unwrap();
    let words = std::array::from_fn(|at| end.global[at]);
    (verdict.outcome, verdict.code, words)
}

/// A model, the number of its instruction or 0, lane and bit, parameters, and the first words of memory at the end.
type Case<const N: usize> = (Model, u64, (u32, u32), &'static str, [u32; N]);

#[test]
fn each_model_has_its_defined_effect() {
    use Model::*;
    let sums: [Case<6>; 25] = [
        (FlipDestination, 2, (1, 4), "", [15, 32, 17, 18, 0, 0]),
        (FlipDestination, 2, (1, 4), "lanes=0x6", [15, 32, 33, 18, 0, 0]),
        (FlipDestination, 4, (0, 4), "", [0, 16, 17, 18, 15, 0]),
        // Source 1 is R1, source 3 is R0. The next instruction computes the address from the correct value again.
        (FlipSource, 2, (0, 0), "", [16, 16, 17, 18, 0, 0]),
        (FlipSource, 2, (2, 33), "", [15, 16, 15, 18, 0, 0]),
        (FlipSource, 5, (2, 32), "", [15, 16, 16, 18, 0, 0]),
        (FlipMask, 2, (3, 0), "", [15, 16, 17, 5, 0, 0]),
        (FlipMask, 2, (9, 0), "", [15, 16, 17, 18, 0, 0]),
        (FlipImmediate, 3, (0, 3), "", [23, 24, 25, 26, 0, 0]),
        // Stuck bits of the thread's index, inverted where they already have the value: lane 1 becomes 3, and lane 3
        // stores last.
        (Iat, 0, (0, 1), "lanes=0x2 stuck=1", [15, 0, 17, 18, 0, 0]),
        (Iat, 0, (0, 0), "lanes=0x2 stuck=0", [15, 0, 17, 18, 0, 0]),
        (Iat, 0, (0, 2), "lanes=0x6 stuck=0", [15, 0, 0, 18, 0, 20]),
        (Iat, 0, (0, 1), "lanes=0x2 stuck=1 warps=0x2", [15, 16, 17, 18, 0, 0]),
        // All threads exchange their indices.
        (Iaw, 0, (0, 0), "stuck=1", [15, 16, 17, 18, 0, 0]),
        (Iaw, 0, (0, 2), "stuck=1", [0, 0, 0, 0, 19, 20]),
        // Source 1 is R3, which is 0.
        (Ira, 2, (0, 0), "operand=1 mask=0x2", [5, 6, 7, 8, 0, 0]),
        (Ira, 2, (0, 0), "operand=0 mask=0x1", [5, 5, 5, 5, 0, 0]),
        (Ims, 2, (0, 1), "operand=1 lanes=0x4", [15, 16, 15, 18, 0, 0]),
        (Imd, 4, (0, 4), "register=3 lanes=0x2", [15, 0, 17, 18, 0, 4]),
        (Imd, 0, (0, 4), "register=0 lanes=0x10", [15, 16, 17, 18, 0, 0]),
        (Ial, 2, (0, 0), "stuck=0 lanes=0x8", [15, 16, 17, 5, 0, 0]),
        (Ial, 0, (0, 0), "stuck=0 lanes=0x8", [15, 16, 17, 0, 0, 0]),
        (Ioc, 2, (0, 0), "operation=LOP.OR", [15, 16, 15, 16, 0, 0]),
        (Iio, 3, (0, 2), "", [11, 20, 21, 22, 0, 0]),
        (RelativeError, 2, (0, 0), "factor=1.5", [20, 16, 17, 18, 0, 0]),
    ];
    with(&launch(SUM, 1, 4), |bench| {
        let golden = [15, 16, 17, 18, 0, 0];
        for (model, number, place, parameters, expected) in sums {
            let fault = fault(bench, model, number, place, parameters);
            let (found, _, words) = outcome(bench, &fault);
            assert_eq!(words, expected, "{model} {number} {place:?} {parameters}");
            assert_eq!(
                found == Outcome::SilentCorruption,
                words != golden,
                "{model} {parameters}: {found}"
            );
        }
        for (model, number, parameters, expected) in [
            (Ira, 2, "operand=1 mask=0x80", "ILLEGAL_INSTRUCTION"),
            // The fault is in every instruction: the store's address, its first source, becomes odd.
            (Ims, 0, "operand=0 lanes=0x8", "GLOBAL_MISALIGNED"),
            // SHL becomes a sum, so thread t stores to address t + 2.
            (Ioc, 0, "operation=IADD", "GLOBAL_MISALIGNED"),
        ] {
            let fault = fault(bench, model, number, (0, 0), parameters);
            let (found, code, _) = outcome::<1>(bench, &fault);
            assert_eq!((found, code.as_deref()), (Outcome::Detected, Some(expected)), "{model}");
        }
    });
    let conditions: [Case<4>; 7] = [
        (Wv, 2, (0, 0), "stuck=1 lanes=0x2", [0, 0, 12, 13]),
        (Wv, 0, (0, 0), "stuck=1 lanes=0x2", [0, 0, 12, 13]),
        (Wv, 2, (0, 0), "stuck=0 lanes=0x1", [10, 11, 12, 13]),
        (Ial, 3, (0, 0), "stuck=1 lanes=0x1", [10, 11, 12, 13]),
        (FlipSource, 3, (1, 64), "", [0, 0, 12, 13]),
        (FlipDestination, 2, (1, 0), "", [0, 0, 12, 13]),
        (FlipMask, 3, (0, 0), "", [10, 11, 12, 13]),
    ];
    with(&launch(CONDITION, 1, 4), |bench| {
        for (model, number, place, parameters, expected) in conditions {
            let fault = fault(bench, model, number, place, parameters);
            assert_eq!(outcome(bench, &fault).2, expected, "{model} {number} {parameters}");
        }
        // The bit already has this value.
        let nothing = fault(bench, Wv, 2, (0, 0), "stuck=1 lanes=0x1");
        assert_eq!(outcome::<1>(bench, &nothing).0, Outcome::NotExcited);
    });
    with(&launch(BLOCKS, 2, 1), |bench| {
        // Both blocks have a single warp, in slots 0 and 1.
        for (model, parameters, expected) in [
            (Iac, "stuck=1 warps=0x1", [0, 7, 0]),
            (Iac, "stuck=0 warps=0x2", [7, 0, 0]),
            (Iaw, "stuck=1 warps=0x1", [0, 7, 0]),
        ] {
            let fault = fault(bench, model, 0, (0, 0), parameters);
            assert_eq!(outcome(bench, &fault).2, expected, "{model} {parameters}");
        }
    });
    with(&launch(FLOATS, 1, 2), |bench| {
        let fault = fault(bench, RelativeError, 3, (1, 0), "factor=-0.5");
        assert_eq!(outcome(bench, &fault).2.map(f32::from_bits), [3.0, -2.25]);
    });
}

/// Replaces each bit of each word: the verdict equals a run of the program with the other word, unless that word
/// executes itself again.
#[test]
fn flipped_words_match_the_changed_program() {
    let launch = launch(SUM, 1, 4);
    let places: Vec<(u64, usize)> = (1..).zip((0..launch.program.len()).step_by(2)).collect();
    let (mut ends, mut codes, mut loops) = (BTreeSet::new(), BTreeSet::new(), 0);
    with(&launch, |bench| {
        for (number, at) in places {
            for bit in 0..64 {
                let mut other = launch.clone();
                other.program[at + bit as usize / 32] ^= 1 << (bit % 32);
                let mut machine = Machine::new(other, Options::default().configuration).unwrap();
                let mut times = 0;
                let ended = machine.run_observed(1012, |record| times += u32::from(record.pc == 4 * at as u32));
                if times > 1 {
                    loops += 1;
                    continue;
                }
                let expected = ended.map(|_| ()).map_err(|error| error.kind.name());
                let fault = fault(bench, Model::FlipWord, number, (0, bit), "");
                let verdict = bench.run(&fault).unwrap();
                let end = bench.replay(&fault).unwrap().end.unwrap();
                match expected {
                    Ok(()) => assert!(
                        end.ending == Ending::Complete
                            && end
                                .global
                                .iter()
                                .eq(machine.global().words().collect::<Vec<_>>().iter())
                    ),
                    Err(name) => assert_eq!(verdict.code.as_deref(), name, "bit {bit} of {number}"),
                }
                codes.extend(verdict.code);
                ends.insert(verdict.outcome);
            }
        }
    });
    assert!(loops < 10, "{loops}");
    use Outcome::{Detected, Masked, MaskedOtherCycles, SilentCorruption};
    let all = [Masked, MaskedOtherCycles, SilentCorruption, Detected];
    assert_eq!(ends, all.into());
    assert!(
        codes.contains("ILLEGAL_INSTRUCTION") && codes.contains("PROGRAM_COUNTER"),
        "{codes:?}"
    );
}

fn sample(model: Model, permanent: bool, threads: u32, seed: u64) -> Sample {
    let law = |instruction: &str| PowerLaw {
        instruction: instruction.into(),
        size: flexgrip_faults::models::law::Size::Common,
        x_min: 1e-6,
        alpha: 1.1,
    };
    Sample {
        pattern: "*".into(),
        model: model.into(),
        bits: 1,
        seed,
        classes: false,
        golden_model: Some(OfGoldenModel {
            thread_instructions: 0,
            permanent,
            threads,
            laws: ["IADD", "FADD", "FMUL", "FMAD", "IMAD"].map(law).to_vec(),
        }),
    }
}

/// Injects random faults of every model into kernels with loops, barriers and divergence.
#[test]
fn shortcuts_match_complete_runs() {
    let count = if cfg!(feature = "soak") { 1_000 } else { 12 };
    let mut outcomes = BTreeSet::new();
    for name in ["reduction", "saxpy", "divergence"] {
        let kernel = Kernel::load(&root().join("kernels").join(name)).unwrap();
        with(&kernel.launch, |bench| {
            for model in Model::of(Engine::GoldenModel) {
                for permanent in [false, true] {
                    let sample = sample(model, permanent, 1 + u32::from(!permanent) * 2, 1);
                    // Some kernels have no block index, condition code or law.
                    let Ok(sample) = bench.complete(sample) else { continue };
                    if !permanent && matches!(model, Model::Iat | Model::Iaw) {
                        continue;
                    }
                    let faults = bench.draw(&sample, count).unwrap();
                    assert_eq!(faults[..5], bench.draw(&sample, 5).unwrap());
                    for mut fault in faults {
                        if permanent && fault.id % 3 > 0 {
                            // Some faults begin later, and some end.
                            fault.cycle = 1 + 40 * (fault.id % 12);
                            fault.until = (fault.id % 3 == 1).then_some(fault.cycle + 20 * (fault.id % 12));
                        }
                        let verdict = bench.run(&fault).unwrap();
                        is_whole(bench, &fault, &verdict);
                        outcomes.insert(verdict.outcome);
                    }
                }
            }
        });
    }
    assert!(outcomes.len() >= 5, "{outcomes:?}");
}

#[test]
fn faults_of_other_kernels_are_refused() {
    with(&launch(SUM, 1, 4), |bench| {
        let good = fault(bench, Model::FlipDestination, 2, (1, 4), "");
        for (wrong, expected) in [
            (
                Fault {
                    cycle: 3,
                    ..good.clone()
                },
                "cycle 3, which is the instruction at 0x0010; expected the number of",
            ),
            (
                Fault {
                    cycle: 7,
                    ..good.clone()
                },
                "cycle 7; expected a cycle of the golden run, from 1 to 6",
            ),
            (
                Fault {
                    bit: 32,
                    ..good.clone()
                },
                "bit 32; expected a bit from 0 to 31",
            ),
            (
                Fault {
                    element: 32,
                    ..good.clone()
                },
                "element 32; expected an element from 0 to 31",
            ),
            (
                Fault {
                    until: Some(9),
                    ..good.clone()
                },
                "until 9; expected nothing",
            ),
            (
                Fault {
                    model: Model::Flip,
                    ..good.clone()
                },
                "model flip; expected a model of this site: flip-destination,",
            ),
            (
                Fault {
                    model: Model::Wv,
                    ..good.clone()
                },
                "expected an instruction with a condition code as a result",
            ),
            (
                Fault {
                    model: Model::Ioc,
                    ..good.clone()
                },
                "parameters operation is missing; expected operation, which ioc needs",
            ),
            (
                Fault {
                    model: Model::Iat,
                    ..fault(bench, Model::Iat, 2, (0, 0), "stuck=1")
                },
                "site IADD.0x0008; expected sm[N]",
            ),
            (
                fault(bench, Model::Ioc, 2, (0, 0), "operation=NOP"),
                "parameters operation=NOP; expected one of IADD",
            ),
        ] {
            let message = bench.run(&wrong).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
        let error = bench.complete(sample(Model::Wv, false, 1, 1)).unwrap_err().to_string();
        assert!(
            error.contains("no executed instruction has a condition code as a result"),
            "{error}"
        );
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(feature = "soak") { 20_000 } else { 300 }))]

    /// Any accepted fault ends with a verdict, which is the same with and without shortcuts.
    #[test]
    fn any_parameters_end_with_a_verdict(
        model in 0usize..18, number in 0u64..6, lane in 0u32..32, bit in 0u32..150, bits in 1u32..40,
        warps in prop::option::of(1u64..), lanes in prop::option::of(1u32..), stuck in any::<bool>(),
        operand in 0u8..16, register in 0u8..128, mask in any::<u8>(), operation in 0usize..4,
        factor in prop_oneof![-3.0..3.0f64, any::<f64>().prop_filter("a number", |factor| !factor.is_nan())],
    ) {
        let models = Model::of(Engine::GoldenModel);
        prop_assert_eq!(models.len(), 18);
        let texts = [SUM, CONDITION, BLOCKS, FLOATS];
        let launch = launch(texts[operation], 1, 40);
        with(&launch, |bench| {
            let operation = ["RCP", "SHL", "FSLCT", "IMAD.S24"][operation];
            let words = [
                warps.map(|warps| format!("warps={warps:#x} ")).unwrap_or_default(),
                lanes.map(|lanes| format!("lanes={lanes:#x} ")).unwrap_or_default(),
                format!("stuck={} operand={operand} register={register} mask={mask:#x} ", u8::from(stuck)),
                format!("operation={operation} factor={factor}"),
            ];
            let mut fault = fault(bench, models[model], number.min(5), (lane, bit), &words.concat());
            fault.bits = bits;
            // Two warps issue alternately.
            fault.cycle = if number == 0 { 1 } else { 2 * number - 1 };
            fault.element = if number == 0 { 0 } else { lane };
            if let Ok(verdict) = bench.run(&fault) {
                is_whole(bench, &fault, &verdict);
            }
        });
    }
}

#[test]
fn draws_are_uniform_over_thread_instructions() {
    // Six instructions of four threads, five of which have a result or a source.
    with(&launch(SUM, 1, 4), |bench| {
        let sample = bench.complete(sample(Model::FlipWord, false, 1, 3)).unwrap();
        assert_eq!(sample.golden_model.as_ref().unwrap().thread_instructions, 24);
        let mut counts = [[0u32; 4]; 6];
        for fault in bench.draw(&sample, 4_800).unwrap() {
            counts[fault.cycle as usize - 1][fault.element as usize] += 1;
        }
        // The expected count is 200 each, with a standard deviation of 14.
        assert!(
            counts.as_flattened().iter().all(|count| (140..260).contains(count)),
            "{counts:?}"
        );
    });
    let mut random = sample(Model::FlipWord, false, 1, 3).random();
    assert!(below(&mut random, 24) < 24);
}
