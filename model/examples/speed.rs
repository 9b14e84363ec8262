//! The speed of the golden model: thread instructions per second in an endless loop of integer instructions and accesses
//! to global memory, on a full SM; with records, and with a checker. `cargo run --release -p flexgrip-model --example speed`

use flexgrip_machine::{Configuration, ErrorKind, Launch};
use flexgrip_model::Machine;
use std::time::Instant;

/// The loop, behind its first instruction. Each thread works on its own word of global memory.
const PROGRAM: [(u32, u32); 9] = [
    (0x1000_8011, 0x0000_0003), // MVI R4, 0x0
    (0x3002_0005, 0xc410_0780), // SHL R1, R0, 0x2
    (0xd00e_0209, 0x80c0_0780), // GLD.U32 R2, global14[R1]
    (0x2000_0409, 0x0400_4780), // IADD R2, R2, R1
    (0x6002_040d, 0x0000_8780), // IMAD.U16 R3, R2L, R1L, R2
    (0x3003_09fd, 0x6401_87c8), // ISET.C0 o[0x7f], R4, R3, GE
    (0x2000_0811, 0x0400_4500), // IADD R4 (C0.EQU), R4, R1
    (0xd00e_0209, 0xa0c0_0780), // GST.U32 global14[R1], R2
    (0x1000_2003, 0x0000_0780), // BRA 0x8
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const LIMIT: u64 = 2_000_000;
    let program = PROGRAM.iter().flat_map(|&(low, high)| [low, high]).collect();
    let launch = Launch {
        program,
        block: [256, 1, 1],
        grid: [4, 1],
        registers: 8,
        ..Launch::default()
    };
    for (observed, checked) in [(false, false), (true, false), (false, true)] {
        let mut machine = Machine::new(launch.clone(), Configuration::default())?;
        if checked {
            machine.check();
        }
        let mut records = 0u64;
        let start = Instant::now();
        let result = match observed {
            false => machine.run(LIMIT),
            true => machine.run_observed(LIMIT, |_| records += 1),
        };
        let seconds = start.elapsed().as_secs_f64();
        if !matches!(result, Err(error) if error.kind == (ErrorKind::Endless { limit: LIMIT })) {
            return Err(format!("the loop ended: {result:?}").into());
        }
        let threads = machine.outcome().thread_instructions;
        let rate = threads as f64 / seconds / 1e6;
        let looked = if checked { ", checked" } else { "" };
        println!(
            "{threads} thread instructions, {records} records{looked}, in {seconds:.2} s: {rate:.0} million a second"
        );
    }
    Ok(())
}
