//! Measures the speed of the golden model in thread instructions per second.
//!
//! First it runs endless loops on a full SM: integer instructions, float instructions, global memory, shared memory,
//! and a mixture of these, which also runs with records, in single steps, and with a checker. Then it runs whole grids,
//! on one thread and on two: saxpy of a million items, and matrix products from global memory (floats) and in tiles in
//! shared memory (integers).
//!
//! `cargo run --release -p flexgrip-model --example speed [PART OF A NAME]`

use flexgrip_machine::{Configuration, ErrorKind, ImageSpace, Launch, MemoryImage};
use flexgrip_model::{Machine, Stepped};
use std::error::Error;
use std::num::NonZeroUsize;
use std::time::Instant;

/// Warp instructions of an endless loop.
const LIMIT: u64 = 2_000_000;

/// Code before each loop. R1 is the address of the thread's word in global memory, A1 the address of its word in shared
/// memory, and R4 is 0.
const BEFORE: &str = "SHL R1, R0, 2; R2A A1, R1, 0; MVI R4, 0; MVI R5, 3; MVI R6, 0x3f800001; MVI R7, 0x3f7fffff";

const INTEGER: &str = "
    loop: IADD R2, R2, R1
    IMAD.U16 R3, R2L, R1L, R2
    SHL R4, R3, R5
    LOP.XOR R2, R2, R4
    ISET.S32.C0 o[0x7f], R2, R3, GE
    IADD R4 (C0.EQU), R4, R1
    IADD32I R4, R4, 0x1234
    IMUL.U16.U16 R5, R5L, R4L
    BRA loop";

const FLOAT: &str = "
    loop: FADD R2, R6, R7
    FMUL R3, R2, R7
    FMAD R4, R3, R6, R4
    FMUL R6, R6, R7
    FADD R2, R2, R3
    FMAD R3, R2, R7, R3
    BRA loop";

const GLOBAL: &str = "
    loop: GLD.U32 R2, global14[R1]
    GST.U32 global14[R1], R2
    GLD.S64 R2, global14[R4]
    GST.U8 global14[R1], R3
    BRA loop";

const SHARED: &str = "
    loop: MOV R2, g[A1+7]
    R2G.U32.U32 g[A1+7], R2
    IADD R3, g[8], R2
    BRA loop";

const MIXED: &str = "
    loop: GLD.U32 R2, global14[R1]
    IADD R2, R2, R1
    IMAD.U16 R3, R2L, R1L, R2
    ISET.S32.C0 o[0x7f], R4, R3, GE
    IADD R4 (C0.EQU), R4, R1
    GST.U32 global14[R1], R2
    BRA loop";

/// The way in which a loop is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Plain,
    Observed,
    Stepped,
    Checked,
}

fn endless(name: &str, body: &str, threads: u32, mode: Mode) -> Result<(), Box<dyn Error>> {
    let launch = Launch {
        program: assembled(&format!("{BEFORE}\n{body}"))?,
        block: [threads, 1, 1],
        grid: [4, 1],
        registers: 8,
        shared_bytes: 2048,
        ..Launch::default()
    };
    let start;
    let outcome = if mode == Mode::Stepped {
        let mut stepped = Stepped::new(launch, Configuration::default())?;
        start = Instant::now();
        for _ in 0..LIMIT {
            stepped.step()?.ok_or("the loop ended")?;
        }
        stepped.machine().outcome()
    } else {
        let mut machine = Machine::new(launch, Configuration::default())?;
        if mode == Mode::Checked {
            machine.check();
        }
        start = Instant::now();
        let mut records = 0u64;
        let result = match mode {
            Mode::Observed => machine.run_observed(LIMIT, |_| records += 1),
            _ => machine.run(LIMIT),
        };
        if !matches!(result, Err(error) if error.kind == (ErrorKind::Endless { limit: LIMIT })) {
            return Err(format!("the loop ended: {result:?}").into());
        }
        machine.outcome()
    };
    report(name, outcome.thread_instructions, start);
    Ok(())
}

fn grid(name: &str, wanted: &str, launch: &Launch, global_bytes: u32) -> Result<(), Box<dyn Error>> {
    for jobs in [1, 2] {
        let name = format!("{name}, threads: {jobs}");
        if !name.contains(wanted) {
            continue;
        }
        let configuration = Configuration {
            global_bytes,
            ..Configuration::default()
        };
        let mut machine = Machine::new(launch.clone(), configuration)?;
        let jobs = NonZeroUsize::new(jobs).ok_or("no thread")?;
        let start = Instant::now();
        let (outcome, in_turns) = machine.run_parallel(u64::MAX, jobs)?;
        if let Some(reason) = in_turns {
            return Err(format!("{name} ran in turns: {reason}").into());
        }
        report(&name, outcome.thread_instructions, start);
    }
    Ok(())
}

fn report(name: &str, instructions: u64, start: Instant) {
    let seconds = start.elapsed().as_secs_f64();
    let rate = instructions as f64 / seconds / 1e6;
    println!("{name:40} {:8.1} ms {rate:7.0} million a second", 1e3 * seconds);
}

fn assembled(text: &str) -> Result<Vec<u32>, Box<dyn Error>> {
    let program = flexgrip_isa::assemble(text, "speed")
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
    Ok(program.words)
}

/// Returns a kernel of the suite with changed constants.
fn changed(text: &str, changes: &[(&str, &str)]) -> Result<Vec<u32>, Box<dyn Error>> {
    let mut text = text.to_owned();
    for (old, new) in changes {
        if !text.contains(old) {
            return Err(format!("the kernel has no `{old}`").into());
        }
        text = text.replace(old, new);
    }
    assembled(&text)
}

/// Words of global memory after the first 64 bytes: floats between 1 and 2, with small integers in their low bits.
fn numbers(count: u32) -> Vec<MemoryImage> {
    vec![MemoryImage {
        space: ImageSpace::Global,
        address: 64,
        words: (0..count)
            .map(|i| 0x3f80_0000 | i.wrapping_mul(0x9e37_79b1) >> 12)
            .collect(),
    }]
}

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let loops = [
        ("integer", INTEGER, 256, Mode::Plain),
        ("integer, 20 of 32 lanes", INTEGER, 20, Mode::Plain),
        ("float", FLOAT, 256, Mode::Plain),
        ("global memory", GLOBAL, 256, Mode::Plain),
        ("shared memory", SHARED, 256, Mode::Plain),
        ("mixed", MIXED, 256, Mode::Plain),
        ("mixed, records", MIXED, 256, Mode::Observed),
        ("mixed, single steps", MIXED, 256, Mode::Stepped),
        ("mixed, checked", MIXED, 256, Mode::Checked),
    ];
    for (name, body, threads, mode) in loops {
        if name.contains(&wanted) {
            endless(name, body, threads, mode)?;
        }
    }

    const ITEMS: u32 = 1 << 20;
    let launch = Launch {
        program: changed(include_str!("../../../kernels/saxpy/kernel.sass"), &[])?,
        block: [128, 1, 1],
        grid: [ITEMS / 128, 1],
        registers: 5,
        params: vec![ITEMS, 0x3fc0_0000, 64, 64 + 4 * ITEMS],
        memory: numbers(2 * ITEMS),
        ..Launch::default()
    };
    grid("saxpy", &wanted, &launch, 8 * ITEMS + 64)?;

    const SIDE: u32 = 256;
    let matrices = [0, 1, 2].map(|matrix| 64 + 4 * SIDE * SIDE * matrix);
    let products = [
        (
            "matrix product, global memory",
            changed(
                include_str!("../../../kernels/sgemm_naive/kernel.sass"),
                &[("4 * 32", "4 * 256"), ("SHL R2, R2, 7", "SHL R2, R2, 10")],
            )?,
        ),
        (
            "matrix product, tiles",
            changed(
                include_str!("../../../kernels/matrix_multiply/kernel.sass"),
                &[
                    (".equ SIZE, 32", ".equ SIZE, 256"),
                    ("SHL R4, R4, 7", "SHL R4, R4, 10"),
                    ("SHL R2, R2, 7", "SHL R2, R2, 10"),
                ],
            )?,
        ),
    ];
    for (name, program) in products {
        let launch = Launch {
            program,
            block: [16, 16, 1],
            grid: [SIDE / 16, SIDE / 16],
            registers: 13,
            shared_bytes: 2076,
            params: matrices.to_vec(),
            memory: numbers(2 * SIDE * SIDE),
            ..Launch::default()
        };
        grid(name, &wanted, &launch, 12 * SIDE * SIDE + 64)?;
    }
    Ok(())
}
