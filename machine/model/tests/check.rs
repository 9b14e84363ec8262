//! The checker on short programs: its findings, with location, thread and cause, and correct programs without findings.

mod common;

use common::{kernel, ProgramLaunch, LIMIT};
use flexgrip_machine::{ErrorKind, ImageSpace, MemoryImage, MemorySpace, Region, RegionKind};
use flexgrip_model::check::{BarrierFault, Fault, Finding, Origin, Report, Thread, Use};
use flexgrip_model::Machine;

/// Runs with a checker, to the end or to an error.
fn checked(kernel: &ProgramLaunch) -> Machine {
    let mut machine = kernel.machine();
    machine.check();
    let _ = machine.run(LIMIT);
    machine
}

/// Returns the first finding at each location, and the number of findings there.
fn found(kernel: &ProgramLaunch) -> Vec<(Finding, u64)> {
    let machine = checked(kernel);
    let places = machine.checker().expect("a checker").findings().groups();
    places.iter().map(|place| (place.first.clone(), place.count)).collect()
}

/// Returns the only finding, and its count.
#[track_caller]
fn only(kernel: &ProgramLaunch) -> (Finding, u64) {
    match found(kernel).as_slice() {
        [one] => one.clone(),
        others => panic!("{others:#?}"),
    }
}

#[track_caller]
fn silent(kernel: &ProgramLaunch) {
    assert_eq!(found(kernel), []);
}

fn with_contents(mut kernel: ProgramLaunch, words: usize) -> ProgramLaunch {
    kernel.launch.memory.push(MemoryImage {
        space: ImageSpace::Global,
        address: 0,
        words: vec![0; words],
    });
    kernel
}

/// Two buffers of 64 words, at 0x100 and 0x200, whose addresses are the parameters.
fn with_buffers(mut kernel: ProgramLaunch) -> ProgramLaunch {
    kernel.launch.params = vec![0x100, 0x200];
    for (index, address) in (0..).zip([0x100, 0x200]) {
        kernel.launch.facts.regions.push(Region {
            name: ["a", "b"][index as usize].into(),
            kind: RegionKind::Buffer,
            argument: Some(index),
            parameter: Some(index),
            address,
            bytes: 256,
            element: 4,
            written: std::iter::once(address..address + 256).collect(),
        });
    }
    kernel
}

fn thread(warp: u32, lane: u32) -> Thread {
    Thread { block: 0, warp, lane }
}

#[test]
fn unwritten_register_is_reported_at_its_use() {
    let stored = kernel(1, "MVI R1, 0\nuse: GST.U32 global14[R1], R5\nRET\n");
    let (finding, count) = only(&stored);
    let Fault::Unwritten { used, origin, .. } = finding.fault else {
        panic!("{finding:?}");
    };
    assert_eq!((used, origin), (Use::Store, Origin::Register(5)));
    assert_eq!((finding.pc, count), (stored.at("use"), 1));
    let (finding, _) = only(&kernel(1, "GLD.U32 R2, global14[R5]\nRET\n"));
    assert!(matches!(finding.fault, Fault::Unwritten { used: Use::Address, .. }));
    let branch = kernel(1, "ISET.C0 o[0x7f], R5, R0, EQ\nuse: BRA C0.NE, end\nNOP\nend: RET\n");
    let (finding, _) = only(&branch);
    assert!(matches!(finding.fault, Fault::Unwritten { used: Use::Branch, .. }));
    assert_eq!(finding.pc, branch.at("use"));
}

#[test]
fn values_that_do_not_matter_are_silent() {
    // Moved, added and never used; masked by a defined 0; overwritten; R124 is zero.
    silent(&kernel(
        1,
        "MVI R1, 0\nMOV R2, R5\nIADD R3, R2, R5\nMVI R6, 0\nLOP.AND R4, R5, R6\nGST.U32 global14[R1], R4\n\
         MVI R5, 7\nGST.U32 global14[R1], R5\nGST.U32 global14[R1], R124\nRET\n",
    ));
}

#[test]
fn undefined_bits_follow_values() {
    // Only the low byte of the loaded word is defined, and only this byte is stored at first.
    let mut halves = kernel(
        1,
        "MVI R1, 0\nMVI R2, 5\nLST.U8 local[0], R2\nLLD.U32 R3, local[0]\nGST.U8 global14[R1], R3\n\
         SHR R4, R3, 4\nuse: GST.U8 global14[R1], R4\nRET\n",
    );
    halves.launch.local_bytes = 16;
    let (finding, _) = only(&halves);
    assert_eq!(finding.pc, halves.at("use"));
    let Fault::Unwritten { origin, .. } = finding.fault else {
        panic!("{finding:?}");
    };
    assert!(matches!(
        origin,
        Origin::Memory {
            space: MemorySpace::Local,
            address: 0,
            ..
        }
    ));
}

#[test]
fn unwritten_memory_is_reported() {
    let copy = "MVI R1, 64\nMVI R2, 0\nGLD.U32 R3, global14[R1]\nuse: GST.U32 global14[R2], R3\nRET\n";
    silent(&with_contents(kernel(1, copy), 64));
    let (finding, _) = only(&with_contents(kernel(1, copy), 16));
    assert!(matches!(
        finding.fault,
        Fault::Unwritten {
            origin: Origin::Memory {
                space: MemorySpace::Global,
                address: 64,
                ..
            },
            ..
        }
    ));
    let mut shared = kernel(1, "MVI R1, 0\nMOV R3, g[12]\nGST.U32 global14[R1], R3\nRET\n");
    shared.launch.shared_bytes = 64;
    let (finding, _) = only(&shared);
    assert!(matches!(
        finding.fault,
        Fault::Unwritten {
            origin: Origin::Memory {
                space: MemorySpace::Shared,
                address: 48,
                ..
            },
            ..
        }
    ));
}

#[test]
fn addresses_belong_to_their_source_buffer() {
    // The element a[65] would be in b.
    let text = "SHL R1, R0, 2\nIADD R2, g[4], R1\nMVI R3, 7\nuse: GST.U32 global14[R2], R3\nRET\n";
    silent(&with_buffers(kernel(64, text)));
    let mut far = with_buffers(kernel(66, text));
    far.launch.params = vec![0x100, 0x200];
    let (finding, count) = only(&far);
    let Fault::OutOfBounds(accessed) = finding.fault else {
        panic!("{finding:?}");
    };
    assert_eq!(
        (accessed.address, accessed.region, accessed.store),
        (0x200, Some(0), true)
    );
    assert_eq!((finding.thread, count), (thread(2, 0), 2));
    let machine = checked(&far);
    let checker = machine.checker().unwrap();
    let report = Report {
        launch: checker.launch(),
        place: &|pc| Some(format!("k.sass:{pc}")),
    };
    let text = report.text(checker.findings());
    assert!(
        text.starts_with(
            "k.sass:24: kernel : error: store of 4 bytes outside argument 0 (a): index 64 of 64, which is in argument 1 (b)\n    \
             thread (64, 0, 0) of block (0, 0), warp 2, lane 0, PC 0x0018\n"
        ),
        "{text}"
    );
    assert!(text.ends_with("2 errors, at 1 place\n"), "{text}");
}

#[test]
fn accesses_that_stop_the_machine_are_reported_first() {
    let misaligned = with_buffers(kernel(1, "IADD32I R2, R0, 0x101\nGLD.U32 R3, global14[R2]\nRET\n"));
    let (finding, _) = only(&misaligned);
    assert!(matches!(finding.fault, Fault::Misaligned(accessed) if accessed.address == 0x101));
    let outside = with_buffers(kernel(1, "MVI R2, 0x7fffff00\nGLD.U32 R3, global14[R2]\nRET\n"));
    let (finding, _) = only(&outside);
    assert!(matches!(finding.fault, Fault::OutOfBounds(accessed) if accessed.address == 0x7fff_ff00));
    let error = outside.run().result.unwrap_err();
    assert_eq!(error.kind, ErrorKind::GlobalRange);
}

/// 64 threads store to shared words, and load the words of the opposite threads.
fn across(barrier: &str) -> ProgramLaunch {
    let text = format!(
        "MVI R1, 63\nIADD R1, -R0, R1\nSHL R2, R0, 2\nR2A A1, R2\nSHL R3, R1, 2\nR2A A2, R3\n\
         store: R2G.U32.U32 g[A1 + 0x10], R0\n{barrier}\nload: MOV R4, g[A2 + 0x10]\n\
         GST.U32 global14[R2], R4\nRET\n"
    );
    let mut kernel = kernel(64, &text);
    kernel.launch.shared_bytes = 0x40 + 64 * 4;
    kernel
}

#[test]
fn missing_barrier_is_a_race() {
    let race = across("");
    let (finding, count) = only(&race);
    let Fault::Race {
        access,
        other,
        pc,
        store,
        lockstep,
    } = finding.fault
    else {
        panic!("{finding:?}");
    };
    assert_eq!((finding.pc, pc), (race.at("load"), race.at("store")));
    assert!(!access.store && store && !lockstep && access.space == MemorySpace::Shared);
    // The word that the opposite thread has stored.
    assert_eq!(finding.thread.in_block() + other.in_block(), 63);
    assert!(count > 0);
    silent(&across("BAR.ARV.WAIT b0, 0xfff"));
    // A barrier of both warps by their number of threads.
    silent(&across("BAR.ARV.WAIT b3, 64"));
}

#[test]
fn lockstep_orders_a_warp_and_is_a_note() {
    let text = "MVI R1, 31\nIADD R1, -R0, R1\nSHL R2, R0, 2\nSHL R3, R1, 2\nGST.U32 global14[R2], R0\n\
                GLD.U32 R4, global14[R3]\nRET\n";
    let (finding, _) = only(&kernel(32, text));
    assert!(finding.is_note());
    let machine = checked(&kernel(32, text));
    assert_eq!(machine.checker().unwrap().findings().errors(), 0);
}

#[test]
fn different_stores_to_one_word_race() {
    let text = |value| format!("MVI R1, 64\nMVI R2, 5\nGST.U32 global14[R1], {value}\nRET\n");
    let (finding, count) = only(&kernel(64, &text("R0")));
    assert!(matches!(finding.fault, Fault::Race { lockstep: false, .. }));
    assert_eq!(count, 63);
    silent(&kernel(64, &text("R2")));
    // Different bytes of a word do not conflict.
    silent(&kernel(64, "GST.U8 global14[R0], R0\nRET\n"));
}

#[test]
fn blocks_are_never_ordered() {
    let mut race = kernel(
        1,
        "I2I.U32.U16 R1, g[6].U16\nMVI R2, 0\nGST.U32 global14[R2], R1\nRET\n",
    );
    race.launch.grid = [3, 1];
    let (finding, count) = only(&race);
    let Fault::Race { other, .. } = finding.fault else {
        panic!("{finding:?}");
    };
    assert_eq!((finding.thread.block, other.block, count), (1, 0, 2));
}

#[test]
fn a_barrier_that_a_part_reaches() {
    let text = "MVI R1, 8\nISET.C0 o[0x7f], R0, R1, LT\nSSY end\nBRA C0.EQ, end\n\
                here: BAR.ARV.WAIT b0, 0xfff\nend: NOP.S\nRET\n";
    let part = kernel(32, text);
    let (finding, _) = only(&part);
    let Fault::Barrier { here, missing, fault } = finding.fault else {
        panic!("{finding:?}");
    };
    assert_eq!((here.len() + missing.len(), finding.pc), (32, part.at("here")));
    assert!(matches!(fault, BarrierFault::Elsewhere { .. }));
    silent(&kernel(64, "BAR.ARV.WAIT b0, 0xfff\nRET\n"));
}

#[test]
fn a_marked_divisor_that_is_zero() {
    let mut division = kernel(32, "divide: I2F.F32.U32 R1, R0\nRET\n");
    division.launch.facts.divisors = vec![division.at("divide")];
    let (finding, count) = only(&division);
    assert_eq!(
        (finding.fault, finding.thread, count),
        (Fault::DivisionByZero, thread(0, 0), 1)
    );
}

#[test]
fn checked_runs_are_repeatable_and_equal_unchecked_runs() {
    let race = across("");
    let (one, other) = (checked(&race), checked(&race));
    let findings = |machine: &Machine| machine.checker().unwrap().findings().clone();
    assert_eq!(findings(&one), findings(&other));
    let plain = race.run().machine;
    assert_eq!(plain.global(), one.global());
    assert_eq!(plain.outcome(), one.outcome());
    // Several threads are requested, but a checker runs the blocks one after another.
    let mut parallel = across("").machine();
    parallel.check();
    parallel.run_parallel(LIMIT, 4.try_into().unwrap()).unwrap();
    assert_eq!(findings(&parallel), findings(&one));
}
