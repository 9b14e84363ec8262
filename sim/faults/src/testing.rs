//! A small campaign for the crate's tests.

use crate::{Fault, FirstRecord, Model, Outcome, Plan, Row, Sample, Site, Sites, Storage};

/// 2,081 bits in four sites of three modules, one site of each kind of the circuits.
pub(crate) fn sites() -> Sites {
    Sites::new(vec![
        Site::new("sm[0].fetch.pc", Storage::Register, 0, 16, 1),
        Site::new("sm[0].fetch.valid", Storage::Register, 1, 1, 1),
        Site::new("sm[0].lane.operand", Storage::Register, 2, 16, 1),
        Site::new("sm[0].register_file.bank[0]", Storage::Memory, 0, 32, 64),
    ])
    .unwrap()
}

/// A flip of bit 3 of the program counter in cycle 10.
pub(crate) fn fault(id: u64) -> Fault {
    Fault {
        id,
        model: Model::Flip,
        site: "sm[0].fetch.pc".into(),
        element: 0,
        bit: 3,
        bits: 1,
        cycle: 10,
        until: None,
        parameters: crate::Parameters::default(),
        weight: 1,
    }
}

/// A row of [`fault`] with the outcome `masked`.
pub(crate) fn row(id: u64) -> Row {
    Row::new(fault(id), &sites(), Outcome::Masked).unwrap()
}

/// A row of [`fault`] with a value in every field.
pub(crate) fn full_row(id: u64) -> Row {
    Row {
        code: Some("illegal instruction, \"quoted\"".into()),
        cycles: Some(120),
        corrupted_words: 3,
        corrupted_bits: 17,
        bit_positions: 0x80ff,
        zero_words: 1,
        nan_words: 2,
        corrupted_threads: 3,
        corrupted_warps: 2,
        corrupted_blocks: 1,
        relative_error: Some(1.5e-3),
        geometry: Some("row".into()),
        first_record: Some(FirstRecord {
            cycle: 14,
            sm: 1,
            warp: 2,
            pc: 0x48,
            instruction: "IADD R1, R2, R3".into(),
            thread: Some(7),
        }),
        first_store: Some(40),
        outcome: Outcome::SilentCorruption,
        fault: Fault {
            weight: 25,
            ..fault(id)
        },
        ..row(id)
    }
}

/// A plan of `count` sampled flips anywhere, with its faults.
pub(crate) fn plan(count: u64) -> (Plan, Vec<Fault>) {
    let sample = Sample {
        pattern: "*".into(),
        model: Model::Flip.into(),
        bits: 1,
        seed: 7,
        golden_model: None,
        classes: false,
    };
    let faults = sample.draw(&sites(), 100, count).unwrap();
    let mut plan = Plan {
        kernel: "kernels/sort".into(),
        options: [("lanes".to_string(), "8".to_string())].into(),
        circuits: "c1".into(),
        golden: "g1".into(),
        golden_cycles: 100,
        limit: 300,
        sample: Some(sample),
        ..Plan::default()
    };
    plan.set_faults(&faults);
    (plan, faults)
}
