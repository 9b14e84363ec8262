//! Runs the instructions of compute capabilities 1.1 and 1.2 on the circuits in lockstep with the model, and on their
//! Verilog.

use crate::common::{
    configuration, launch as launch_of, launch_at as launch, options, verilator_of, with_verilog_of, LANES,
};
use flexgrip_isa::{assemble_at, Capability};
use flexgrip_machine::host_map::SmCounter;
use flexgrip_machine::{Configuration, ErrorKind, Launch, Retire};
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::lockstep;
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::kernels::KernelEngine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::outcome::counters::total;
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::engines::verilog::verilator::VerilatorEngine;
use flexgrip_sim::performance::accesses::Accesses;
use flexgrip_sim::trace::ending::Ending;

/// The options of a machine of a capability.
fn options_at(capability: Capability, lanes: u32) -> Options {
    let options = options(lanes);
    Options {
        configuration: Configuration {
            capability,
            ..options.configuration
        },
        ..options
    }
}

/// Runs a kernel in lockstep with the model, which must agree. Its accesses must be the requests that were counted.
#[track_caller]
pub(super) fn run_on(engine: &mut dyn Engine, launch: &Launch, lanes: u32) -> (RunReport, Vec<Retire>) {
    let mut records = Vec::new();
    let options = options_at(launch.capability, lanes);
    let (report, _, difference) =
        lockstep::run(engine, launch, &options, |record| records.push(record.clone())).unwrap();
    assert!(difference.is_none(), "{lanes} lanes: {}", difference.unwrap());
    if report.ending == Ending::Complete {
        let mut accesses = Accesses::new(&options);
        records.iter().for_each(|record| accesses.record(record));
        let all = accesses.finish(None).pop();
        assert_eq!(
            all.map(|all| all.machine.transactions),
            Some(total(&report.counters, SmCounter::MemoryTransactions)),
            "{}, {lanes} lanes",
            engine.name()
        );
    }
    (report, records)
}

/// The capability whose Verilog runs in this tier. The circuits of each capability take Verilator a minute of processor
/// time, so the quick tier runs programs of the earlier ones on the last, which has all of their instructions.
fn verilog_of(capability: Capability) -> Capability {
    match cfg!(feature = "soak") {
        true => capability,
        false => Capability::V1_3,
    }
}

/// Runs a kernel on the native circuits of every size, and the smallest as kernels and as Verilog.
#[track_caller]
pub(super) fn run_all(launch: &Launch, ending: &Ending, check: impl Fn(&[u32])) {
    let own = launch.capability;
    for lanes in LANES {
        let (report, records) = run_on(&mut RtlEngine, launch, lanes);
        assert_eq!(report.ending, *ending, "{lanes} lanes");
        check(&report.global);
        if lanes == 8 {
            let (other, other_records) = run_on(&mut KernelEngine, launch, lanes);
            assert_eq!((&records, report.cycles), (&other_records, other.cycles));
        }
        with_verilog_of(lanes, |engine: &mut VerilatorEngine| {
            let launch = Launch {
                capability: verilog_of(launch.capability),
                ..launch.clone()
            };
            let (other, other_records) = run_on(engine, &launch, lanes);
            let (report, records) = match launch.capability == own {
                true => (report, records),
                false => run_on(&mut RtlEngine, &launch, lanes),
            };
            assert_eq!((&records, report.cycles), (&other_records, other.cycles));
            assert_eq!((other.ending, &report.global), (*ending, &other.global));
        });
    }
}

#[test]
fn g2r_loads_shared_memory_beyond_the_operands_reach() {
    let kernel = "
        I2I.U32.U16 R1, R0L
        SHL R2, R1, 2
        R2A A1, R2, 0
        MVI R3, 0x89ab8000
        IADD R3, R3, R1
        R2G.U32.U32 g[A1+0x40], R3      // thread i: word 64 + i
        BAR.ARV.WAIT b0, 0xfff
        G2R R4, g[A1+0x40]
        G2R.U16 R5L, g[A1+0x100].U8
        MVI R6, 0
        G2R R6, g[A1+0x80].S16
        G2R R7, g[0x5f]                 // the same for all threads
        GST.U32 global14[R2], R4
        IADD32I R2, R2, 0x100
        I2I.U32.U16 R5, R5L
        GST.U32 global14[R2], R5
        IADD32I R2, R2, 0x100
        GST.U32 global14[R2], R6
        IADD32I R2, R2, 0x100
        GST.U32 global14[R2], R7
        RET
    ";
    let value = |thread: u32| 0x89ab_8000 + thread;
    run_all(
        &launch(Capability::V1_1, kernel, 1, 64, vec![]),
        &Ending::Complete,
        |global| {
            for thread in 0..64 {
                let row = |row: u32| global[(row * 64 + thread) as usize];
                assert_eq!(row(0), value(thread));
                assert_eq!(row(1), value(thread) & 0xff);
                assert_eq!(row(2), value(thread) as u16 as i16 as u32);
                assert_eq!(row(3), value(0x5f - 0x40));
            }
        },
    );
}

#[test]
fn votes_count_active_threads() {
    let kernel = "
        I2I.U32.U16 R1, R0L
        SHL R2, R1, 2
        MVI R3, 5
        ISET.C0 o[0x7f], R1, R3, LT     // threads 0 to 4 of the first warp
        VOTE.ANY C1, C0.NE
        C2R R4, C1
        VOTE.ALL C1, C0.NE
        C2R R5, C1
        MVI R6, 0
        SSY join
        BRA C0.EQ, join
        VOTE.ALL C2, C0.NE              // only threads with the condition are active
        C2R R6, C2
        join: NOP.S
        VOTE.ALL C3, C0.TRUE
        C2R R7, C3
        SHL R4, R4, 12
        SHL R5, R5, 8
        SHL R6, R6, 4
        IADD R4, R4, R5
        IADD R4, R4, R6
        IADD R4, R4, R7
        GST.U32 global14[R2], R4
        RET
    ";
    run_all(
        &launch(Capability::V1_2, kernel, 1, 64, vec![]),
        &Ending::Complete,
        |global| {
            for (thread, word) in global[..64].iter().enumerate() {
                let want = match thread {
                    0..=4 => 0x2122,
                    5..=31 => 0x2102,
                    _ => 0x1102,
                };
                assert_eq!(*word, want, "thread {thread}");
            }
        },
    );
}

#[test]
fn products_saturate_from_1_2_on() {
    let kernel = "
        I2I.U32.U16 R1, R0L
        SHL R2, R1, 2
        GLD.U32 R3, global14[R2]
        IADD32I R2, R2, 0x100
        GLD.U32 R4, global14[R2]
        FMUL.SAT.C0 R5, R3, R4
        C2R R6, C0
        MOV R7, R3
        FMUL32.SAT R7, R7, R4
        FMUL.SAT.TRUNC R8, -R3, R4
        IADD32I R2, R2, 0x100
        GST.U32 global14[R2], R5
        IADD32I R2, R2, 0x100
        GST.U32 global14[R2], R6
        IADD32I R2, R2, 0x100
        GST.U32 global14[R2], R7
        IADD32I R2, R2, 0x100
        GST.U32 global14[R2], R8
        RET
    ";
    let floats = [
        0.0f32,
        -0.0,
        0.5,
        -0.5,
        1.0,
        3.0,
        -3.0,
        f32::MIN_POSITIVE,
        f32::INFINITY,
        f32::NAN,
        0.1,
        1e-30,
    ];
    let value = |i: usize| floats[i % floats.len()].to_bits();
    let memory: Vec<u32> = (0..64).map(value).chain((0..64).map(|i| value(i / 5 + 2))).collect();
    let inputs = memory.clone();
    run_all(
        &launch(Capability::V1_2, kernel, 1, 64, memory),
        &Ending::Complete,
        |global| {
            for thread in 0..64 {
                let [a, b] = [0, 64].map(|row| f32::from_bits(inputs[row + thread]));
                let product = a * b;
                let flushed = if product.is_subnormal() { 0.0 } else { product };
                let want = if flushed.is_nan() {
                    0x7fff_ffff
                } else {
                    (flushed.clamp(0.0, 1.0) + 0.0).to_bits()
                };
                assert_eq!(global[128 + thread], want, "{a} * {b}");
                assert_eq!(global[256 + thread], want, "{a} * {b}, short");
                let code = if flushed.is_nan() { 3 } else { u32::from(want == 0) };
                assert_eq!(global[192 + thread], code, "{a} * {b}");
            }
        },
    );
}

/// Tests each operation of 32 and of 64 bits, with all threads at few addresses: the records have every thread's old
/// and new value.
#[test]
fn atomic_operations_follow_the_lanes() {
    let operations = [
        "IADD.U32", "EXCH.U32", "INC.U32", "DEC.U32", "IMAX.U32", "IMIN.U32", "IMAX.S32", "IMIN.S32", "IADD.S32",
        "IAND.U32", "IOR.U32", "IXOR.U32",
    ];
    let mut kernel = "
        I2I.U32.U16 R1, R0L
        LOP32I.AND R2, R1, 0x7
        SHL R2, R2, 2                   // eight words for all threads
        SHL R3, R1, 2
        IADD32I R3, R3, 0x40
        GLD.U32 R4, global14[R3]
    "
    .to_string();
    for operation in operations {
        kernel += &format!("GATOM.{operation} R5, global14[R2], R4\n");
        if !operation.starts_with("EXCH") {
            kernel += &format!("GRED.{operation} global14[R2], R5\n");
        }
    }
    kernel += "
        MVI R6, 3
        GATOM.CAS.U32 R7, global14[R2], R5, R6
        GATOM.CAS.U32 R5, global14[R2], R7, R4
        LOP32I.AND R2, R1, 0x3
        SHL R2, R2, 3
        GATOM.IADD.S64 R8, global14[R2], R4
        GRED.IADD.S64 global14[R2], R8
        GATOM.EXCH.S64 R10, global14[R2], R8
        GATOM.CAS.S64 R12, global14[R2], R10, R8
        GATOM.CAS.S64 R8, global14[R2], R12, R10
        GST.U32 global14[R3], R5
        RET
    ";
    let memory: Vec<u32> = (0..80u32).map(|i| i.wrapping_mul(0x9e37_79b9) >> (i % 32)).collect();
    run_all(
        &launch(Capability::V1_2, &kernel, 1, 64, memory),
        &Ending::Complete,
        |_| {},
    );
}

#[test]
fn faulting_atomics_end_the_kernel() {
    for (address, operation, kind) in [
        (2, "GATOM.IADD.U32 R2, global14[R1], R1", ErrorKind::GlobalMisaligned),
        (4, "GRED.IADD.S64 global14[R1], R2", ErrorKind::GlobalMisaligned),
        (0x7000_0000, "GRED.IADD.U32 global14[R1], R1", ErrorKind::GlobalRange),
    ] {
        let kernel = format!("MVI R1, {address}\n{operation}\nRET");
        let launch = launch(Capability::V1_2, &kernel, 1, 32, vec![]);
        for lanes in LANES {
            let (report, _) = run_on(&mut RtlEngine, &launch, lanes);
            let Ending::Failed(error) = report.ending else {
                panic!("{:?}", report.ending)
            };
            assert_eq!((error.kind, error.address), (kind, Some(address)), "{lanes} lanes");
        }
    }
}

/// Computes a histogram on all SMs: the model has the same counts. A separate word of every thread counts its rank, so
/// the old values are a permutation.
#[test]
fn sms_share_counters() {
    let kernel = "
        MOV.U16 R0H, g[1].U16
        I2I.U32.U16 R1, R0L
        IMAD.U16 R1, g[6].U16, R0H, R1  // number in the grid
        MVI R2, 1
        MVI R3, 0
        GATOM.IADD.U32 R4, global14[R3], R2
        SHL R4, R4, 2
        IADD32I R4, R4, 0x100
        GRED.IADD.U32 global14[R4], R2
        LOP32I.AND R5, R1, 0xf
        SHL R5, R5, 2
        IADD32I R5, R5, 0x40
        GRED.IADD.U32 global14[R5], R2
        RET
    ";
    let launch = launch(Capability::V1_1, kernel, 12, 96, vec![]);
    let threads = 12 * 96;
    let check = |global: &[u32], context: &str| {
        assert_eq!(global[0], threads, "{context}");
        assert!(
            global[16..32].iter().all(|count| *count == threads / 16),
            "{context}: {:?}",
            &global[16..32]
        );
        let ranks = &global[64..64 + threads as usize];
        assert!(ranks.iter().all(|count| *count == 1), "{context}");
    };
    let all = LANES.iter().flat_map(|&lanes| [1, 2, 4].map(|sms| (lanes, sms)));
    let quick = [(8, 1), (8, 4), (16, 2), (32, 1)];
    for (lanes, sms) in all.filter(|machine| cfg!(feature = "soak") || quick.contains(machine)) {
        let options = |capability| Options {
            configuration: Configuration {
                capability,
                sms,
                ..configuration(lanes, 1 << 20)
            },
            ..options(lanes)
        };
        let own = Capability::V1_1;
        let mut engines: Vec<(Capability, Box<dyn Engine>)> =
            vec![(own, Box::new(ModelEngine)), (own, Box::new(RtlEngine))];
        if verilator_of(lanes, sms) {
            engines.push((verilog_of(own), Box::new(VerilatorEngine::default())));
        }
        for (capability, mut engine) in engines {
            let launch = Launch {
                capability,
                ..launch.clone()
            };
            let report = engine.run(&launch, &options(capability), None).unwrap();
            let context = format!("{}, {lanes} lanes, {sms} SMs", engine.name());
            assert_eq!(report.ending, Ending::Complete, "{context}");
            check(&report.global, &context);
        }
    }
}

/// A word of a later capability is an illegal instruction.
#[test]
fn earlier_circuits_refuse_later_instructions() {
    let words = |program: &str| assemble_at(program, "t", Capability::V1_2).unwrap().words;
    for (capability, program) in [
        (Capability::V1_0, "G2R R1, g[0x44]\nRET"),
        (Capability::V1_0, "GRED.IADD.U32 global14[R1], R1\nRET"),
        (Capability::V1_1, "VOTE.ANY C0, C0.NE\nRET"),
        (Capability::V1_1, "GRED.IADD.S64 global14[R2], R2\nRET"),
    ] {
        let launch = Launch {
            program: words(program),
            capability,
            ..launch_of("RET", 1, 32, vec![])
        };
        let (report, _) = run_on(&mut RtlEngine, &launch, 8);
        let Ending::Failed(error) = report.ending else {
            panic!("{program}: {:?}", report.ending)
        };
        assert_eq!(error.kind, ErrorKind::IllegalInstruction, "{program}");
    }
    // FMUL ignores SAT.
    let launch = Launch {
        program: words("MVI R1, 0x40000000\nFMUL.SAT R2, R1, R1\nMVI R1, 0\nGST.U32 global14[R1], R2\nRET"),
        capability: Capability::V1_1,
        ..launch_of("RET", 1, 32, vec![])
    };
    let (report, _) = run_on(&mut RtlEngine, &launch, 8);
    assert_eq!(report.global[0], 4f32.to_bits());
}
