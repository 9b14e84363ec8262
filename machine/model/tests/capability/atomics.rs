//! GATOM and GRED: order of lanes, destinations, conditions, errors, several blocks, and findings of the checker.

use super::running::{configuration, fails, launch, machine, record, run, words, LIMIT};
use flexgrip_isa::Capability;
use flexgrip_machine::{ErrorKind, MemorySpace};
use flexgrip_model::check::{Fault, Origin, Use};
use flexgrip_model::{InTurns, Machine};
use std::num::NonZeroUsize;

/// The address of each thread's own word in R1, its number in R2.
const OWN: &str = "I2I.U32.U16 R2, R0L\nSHL R1, R2, 0x2\n";

#[test]
fn lanes_are_served_in_order_at_one_address() {
    let text = format!("{OWN}MVI R3, 0\nMVI R4, 3\nGATOM.IADD.U32 R5, global14[R3], R4\nIADD32I R1, R1, 0x100\nGST.U32 global14[R1], R5\nRET");
    let (machine, records) = run(launch(&text, 32, &[100]));
    assert_eq!(words(&machine, 1), [100 + 32 * 3]);
    let old: Vec<u32> = machine.global().words_from(64).take(32).collect();
    assert_eq!(old, (0..32).map(|lane| 100 + 3 * lane).collect::<Vec<u32>>());
    // The record has a load and a store for each lane, in lane order.
    let effects = &record(&records, 4).memory;
    assert_eq!(effects.len(), 64);
    for (at, effect) in effects.iter().enumerate() {
        let lane = at as u32 / 2;
        assert_eq!(
            (effect.space, effect.lane, effect.store),
            (MemorySpace::Global, lane as u8, at % 2 == 1)
        );
        assert_eq!((effect.address, effect.bytes), (0, 4));
        assert_eq!(effect.data, u128::from(100 + 3 * (lane + at as u32 % 2)));
    }
    assert_eq!(
        record(&records, 4).destination.as_ref().map(|write| write.register),
        Some(5)
    );
    assert!(record(&records, 4).cc.is_none());
}

/// Executes each operation, on a separate word for each lane: memory, operand b, then the results.
#[test]
fn operations_have_their_results() {
    let minus_one = u32::MAX;
    for (operation, memory, b, expected) in [
        ("IADD.U32", 5, 7, 12),
        ("IADD.S32", minus_one, 3, 2),
        ("EXCH.U32", 5, 7, 7),
        ("INC.U32", 7, 7, 0),
        ("INC.U32", 6, 7, 7),
        ("DEC.U32", 0, 7, 7),
        ("DEC.U32", 9, 7, 7),
        ("DEC.U32", 7, 7, 6),
        ("IMAX.U32", minus_one, 1, minus_one),
        ("IMAX.S32", minus_one, 1, 1),
        ("IMIN.U32", minus_one, 1, 1),
        ("IMIN.S32", minus_one, 1, minus_one),
        ("IAND.U32", 0b1100, 0b1010, 0b1000),
        ("IOR.U32", 0b1100, 0b1010, 0b1110),
        ("IXOR.U32", 0b1100, 0b1010, 0b0110),
    ] {
        let text = format!(
            "MVI R1, 0\nMVI R2, {b}\nGATOM.{operation} R3, global14[R1], R2\nMVI R1, 4\nGST.U32 global14[R1], R3\nRET"
        );
        let (machine, _) = run(launch(&text, 1, &[memory]));
        assert_eq!(words(&machine, 2), [expected, memory], "{operation}");
        if !operation.starts_with("EXCH") {
            let text = format!("MVI R1, 0\nMVI R2, {b}\nGRED.{operation} global14[R1], R2\nRET");
            let (machine, _) = run(launch(&text, 1, &[memory, 77]));
            assert_eq!(words(&machine, 2), [expected, 77], "{operation}");
        }
    }
}

#[test]
fn compare_and_swap_and_64_bits() {
    // 32 bits: equal, then different.
    let text = "MVI R1, 0\nMVI R2, 5\nMVI R3, 9\nGATOM.CAS.U32 R4, global14[R1], R2, R3\nGATOM.CAS.U32 R5, global14[R1], R2, R3\n\
        MVI R1, 4\nGST.U32 global14[R1], R4\nMVI R1, 8\nGST.U32 global14[R1], R5\nRET";
    let (machine, _) = run(launch(text, 1, &[5]));
    assert_eq!(words(&machine, 3), [9, 5, 9]);
    // 64 bits: the carry goes into the high word; the operands are pairs.
    let text = "MVI R1, 0\nMVI R2, 1\nMVI R3, 2\nGATOM.IADD.S64 R4, global14[R1], R2\nMVI R1, 8\nGST.S64 global14[R1], R4\n\
        MVI R1, 16\nGATOM.CAS.S64 R6, global14[R1], R2, R4\nGRED.IADD.S64 global14[R1], R2\nMVI R1, 24\nGATOM.EXCH.S64 R8, global14[R1], R6\nRET";
    let (machine, records) = run(launch(text, 1, &[0xffff_ffff, 7, 0, 0, 1, 2, 3, 4]));
    assert_eq!(words(&machine, 8), [0, 10, 0xffff_ffff, 7, 0, 10, 1, 2]);
    let record = record(&records, 3);
    assert_eq!(record.destination.as_ref().map(|write| write.register), Some(4));
    assert_eq!(
        record.further.iter().map(|write| write.register).collect::<Vec<_>>(),
        [5]
    );
}

/// Operands are read before the destination is written: it may be the address or an operand. Threads outside the
/// execution mask do nothing, and a destination past the launch's registers drops the value.
#[test]
fn destinations_may_be_operands_with_inactive_lanes() {
    let text = format!(
        "{OWN}MOV R3, R1\nGATOM.IADD.U32 R3, global14[R3], R2\nMOV R4, R2\nISET.U32.C0 o[0x7f], R2, R5, LT\n\
         MVI R5, 16\nISET.C0 o[0x7f], R2, R5, LT\nGATOM.EXCH.U32 R4 (C0.LT), global14[R1], R4\nGRED.IADD.U32 global14[R1], R3\n\
         GATOM.IADD.U32 R100, global14[R1], R4\nRET"
    );
    let text = text.replace("ISET.U32.C0 o[0x7f], R2, R5, LT\n", "");
    let start: Vec<u32> = (0..32).map(|lane| 1000 * lane).collect();
    let (machine, records) = run(launch(&text, 32, &start));
    let expected: Vec<u32> = (0..32u32)
        .map(|lane| {
            let (first, old) = (1000 * lane + lane, 1000 * lane);
            let (memory, r4) = if lane < 16 { (lane, first) } else { (first, lane) };
            memory + old + r4
        })
        .collect();
    assert_eq!(words(&machine, 32), expected);
    let exchange = record(&records, 7);
    assert_eq!((exchange.executed, exchange.memory.len()), (0xffff, 32));
    let last = record(&records, 9);
    assert!(last.destination.is_none() && last.memory.len() == 64);
}

#[test]
fn invalid_addresses_are_errors_of_the_lowest_lane() {
    for (operation, step, kind, address) in [
        ("GRED.IADD.U32 global14[R1], R2", 2, ErrorKind::GlobalMisaligned, 2),
        ("GATOM.IADD.S64 R4, global14[R1], R2", 4, ErrorKind::GlobalMisaligned, 4),
        (
            "GATOM.INC.U32 R4, global14[R1], R2",
            1 << 18,
            ErrorKind::GlobalRange,
            1 << 20,
        ),
        (
            "GRED.IADD.S64 global14[R1], R2",
            1 << 19,
            ErrorKind::GlobalRange,
            1 << 20,
        ),
    ] {
        let shift = u32::trailing_zeros(step);
        let text = format!("I2I.U32.U16 R3, R0L\nSHL R1, R3, {shift}\nMVI R2, 1\n{operation}\nRET");
        let error = fails(launch(&text, 32, &[0; 4]));
        assert_eq!(
            (error.kind, error.address, error.pc),
            (kind, Some(address), 0x18),
            "{operation}"
        );
        assert!(error.to_string().contains(operation), "{error}");
    }
}

/// Every instruction is illegal on an earlier machine, with the reason; a launch for a later one is refused.
#[test]
fn earlier_machines_refuse_them() {
    for (text, since) in [
        ("GATOM.IADD.U32 R0, global14[R1], R2", Capability::V1_1),
        ("GRED.IMAX.S32 global14[R1], R2", Capability::V1_1),
        ("G2R R1, g[0x10]", Capability::V1_1),
        ("GRED.IADD.S64 global14[R1], R2", Capability::V1_2),
        ("G2R.LCK.C0 R1, g[0x10]", Capability::V1_2),
        ("VOTE.ANY C0, C0.TRUE", Capability::V1_2),
        ("DFMA R0, R2, R4, R6", Capability::V1_3),
    ] {
        let wanted = launch(&format!("{text}\nRET"), 1, &[0; 8]);
        for &capability in Capability::ALL {
            let mut launch = wanted.clone();
            assert_eq!(
                Machine::new(launch.clone(), configuration(capability)).is_ok(),
                capability == Capability::V1_3
            );
            launch.capability = Capability::V1_0;
            let mut machine = Machine::new(launch, configuration(capability)).unwrap();
            match machine.run(LIMIT) {
                Ok(_) => assert!(capability >= since, "{text} at {capability}"),
                Err(error) => {
                    assert!(capability < since, "{text} at {capability}: {error}");
                    assert_eq!(error.kind, ErrorKind::IllegalInstruction);
                    let reason = format!("needs {since} (--capability {since})");
                    assert!(
                        error.to_string().contains(text) && error.to_string().contains(&reason),
                        "{error}"
                    );
                }
            }
        }
    }
    // BRX, PRERET and textures decode and are refused.
    for text in ["BRX c[0x1][0x10]", "PRERET 0x0"] {
        assert_eq!(
            fails(launch(&format!("{text}\nRET"), 1, &[])).kind,
            ErrorKind::IllegalInstruction,
            "{text}"
        );
    }
}

/// A histogram of several blocks: each thread adds 1 to the bin of its number, by GATOM and by GRED.
const HISTOGRAM: &str = "\
    I2I.U32.U16 R1, R0L\n\
    LOP32I.AND R2, R1, 0x7\n\
    SHL R2, R2, 0x2\n\
    MVI R3, 0x1\n\
    GATOM.IADD.U32 R4, global14[R2], R3\n\
    IADD32I R2, R2, 0x100\n\
    GRED.IADD.U32 global14[R2], R3\n\
    RET\n";

#[test]
fn histogram_over_several_blocks() {
    let mut launch = launch(HISTOGRAM, 100, &[0; 8]);
    launch.grid = [6, 2];
    let expected: Vec<u32> = (0..8).map(|bin| 12 * (bin..100).step_by(8).count() as u32).collect();
    let (machine, _) = run(launch.clone());
    assert_eq!(words(&machine, 8), expected);
    assert_eq!(machine.global().words_from(64).take(8).collect::<Vec<u32>>(), expected);
    // On several threads the blocks share words, so that they run in turns, with the same results.
    let mut parallel = super::running::machine(launch.clone());
    let jobs = NonZeroUsize::new(3).unwrap();
    let (_, reason) = parallel.run_parallel(LIMIT, jobs).unwrap();
    assert!(matches!(reason, Some(InTurns::Shared { .. })), "{reason:?}");
    assert_eq!(parallel.global(), machine.global());
    // Atomic operations do not race.
    let mut checked = super::running::machine(launch);
    checked.check();
    checked.run(LIMIT).unwrap();
    let places = checked.checker().unwrap().findings().groups();
    assert!(
        places.is_empty()
            || places
                .iter()
                .all(|place| !matches!(place.first.fault, Fault::Race { .. })),
        "{places:?}"
    );
}

/// Blocks that use different words do run in parallel.
#[test]
fn independent_blocks_run_in_parallel() {
    let text = "MOV R1, g[0x6].U16\nSHL R1, R1, 0x8\nMVI R2, 0x5\nGATOM.IADD.U32 R3, global14[R1], R2\nIADD32I R1, R1, 0x4\nGST.U32 global14[R1], R3\nRET";
    let mut launch = launch(text, 8, &[0; 1024]);
    launch.grid = [16, 1];
    let (expected, _) = run(launch.clone());
    let mut parallel = machine(launch);
    let (_, reason) = parallel.run_parallel(LIMIT, NonZeroUsize::new(2).unwrap()).unwrap();
    assert_eq!(reason, None);
    assert_eq!(parallel.global(), expected.global());
    assert_eq!(parallel.global().read(0x300, 4), Ok(40));
}

fn faults(text: &str, threads: u32, words: &[u32]) -> Vec<Fault> {
    let mut machine = machine(launch(text, threads, words));
    machine.check();
    machine.run(LIMIT).unwrap();
    let places = machine.checker().unwrap().findings().groups();
    places.iter().map(|place| place.first.fault.clone()).collect()
}

#[test]
fn checker_reports_races_and_undefined_values() {
    let atomic = "MVI R3, 0\nMVI R4, 1\nGRED.IADD.U32 global14[R3], R4\n";
    assert_eq!(faults(&format!("{atomic}RET"), 64, &[0]), []);
    // Before a barrier the atomic operations are ordered before plain loads; without it they race.
    let load = "GLD.U32 R5, global14[R3]\nRET";
    assert_eq!(faults(&format!("{atomic}BAR.ARV.WAIT b0, 0xfff\n{load}"), 64, &[0]), []);
    let found = faults(&format!("{atomic}{load}"), 64, &[0]);
    let is_race = |fault: &Fault| {
        matches!(
            fault,
            Fault::Race {
                store: true,
                pc: 0x10,
                ..
            }
        )
    };
    assert!(!found.is_empty() && found.iter().all(is_race), "{found:?}");
    let found = faults(
        "MVI R3, 0\nMVI R4, 1\nGST.U32 global14[R3], R4\nGRED.IADD.U32 global14[R3], R4\nRET",
        64,
        &[0],
    );
    assert!(
        found.iter().any(|fault| matches!(fault, Fault::Race { .. })),
        "{found:?}"
    );
    // An operand that was never written is stored.
    let found = faults("MVI R3, 0\nGRED.IADD.U32 global14[R3], R9\nRET", 1, &[0]);
    let unwritten = |fault: &Fault| {
        matches!(
            fault,
            Fault::Unwritten {
                used: Use::Store,
                origin: Origin::Register(9),
                ..
            }
        )
    };
    assert!(found.iter().any(unwritten), "{found:?}");
    // Memory that was never written makes the old value undefined, and the sum; an exchange defines it.
    let text = "MVI R3, 64\nMVI R4, 1\nGATOM.IADD.U32 R5, global14[R3], R4\nISET.C0 o[0x7f], R5, R4, LT\nBRA C0.LT, 0x30\nNOP\nRET";
    let found = faults(text, 1, &[0]);
    assert!(
        matches!(found[..], [Fault::Unwritten { used: Use::Branch, .. }]),
        "{found:?}"
    );
    let text = "MVI R3, 64\nMVI R4, 1\nGATOM.EXCH.U32 R5, global14[R3], R4\nGATOM.IADD.U32 R5, global14[R3], R4\n\
        ISET.C0 o[0x7f], R5, R4, LT\nBRA C0.LT, 0x38\nNOP\nRET";
    assert_eq!(faults(text, 1, &[0]), []);
}
