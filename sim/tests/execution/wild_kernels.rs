//! Every kind of failing kernel has the same error at the same location on the model, on the circuits at every lane
//! count and on their Verilog, in lockstep and alone, and in the host registers.

use crate::common::{assemble, options, run_on, with_verilog, LANES};
use flexgrip_hdl::big_stack::on_big_stack;
use flexgrip_hdl::chip::gpgpu::Gpgpu;
use flexgrip_isa::Program;
use flexgrip_machine::host_map as map;
use flexgrip_machine::trace::Event;
use flexgrip_machine::{ErrorKind, KernelError, Launch};
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::interface::{Core, HostDrive, HostSample, MemoryRequest};
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::native::test_bench;
use flexgrip_sim::trace::ending::Ending;
use hdlkit::prelude::*;
use ErrorKind::*;

/// The beginning of the kernels: all warps end except warp 1 of block 2, which continues with R0 = lane.
const HEAD: &str = "
        I2I.U32.U16 R10, g[6].U16       // ctaid.x
        IADD R10, R10, R10
        SHR R11, R0, 5
        IADD R10, R10, R11
        MVI R11, 5
        ISET.C3 o[0x7f], R10, R11, EQ
        BRA C3.NE, wild
        RET
wild:   LOP32I.AND R0, R0, 31
";

/// A word that is not an instruction.
const ILLEGAL: [u32; 2] = [0xf000_0001, 0x0000_0780];
/// A short word that is not an instruction.
const ILLEGAL_SHORT: u32 = 0x8000_0000;

/// The bytes of a block's shared memory, the minimum.
const SHARED_BYTES: u32 = 64;

/// A kernel that fails.
struct Wild {
    program: Program,
    launch: Launch,
    /// The block of the faulting warp.
    block: u32,
    warp: u32,
}

impl Wild {
    #[track_caller]
    fn new(text: &str, grid: u32, threads: u32, block: u32, warp: u32) -> Self {
        let program = assemble(text);
        let launch = Launch {
            name: "wild".into(),
            program: program.words.clone(),
            registers: 16,
            grid: [grid, 1],
            block: [threads, 1, 1],
            shared_bytes: SHARED_BYTES,
            ..Launch::default()
        };
        Wild {
            program,
            launch,
            block,
            warp,
        }
    }

    /// A kernel of three blocks of two warps. Only warp 1 of block 2 executes this text.
    #[track_caller]
    fn one_of_many(text: &str) -> Self {
        Wild::new(&format!("{HEAD}{text}"), 3, 64, 2, 1)
    }

    /// A kernel of a single warp that executes this text.
    #[track_caller]
    fn alone(text: &str) -> Self {
        Wild::new(text, 1, 32, 0, 0)
    }

    /// The byte address of a label.
    #[track_caller]
    fn at(&self, label: &str) -> u32 {
        *self.program.labels.get(label).expect("a label of the program")
    }

    /// Replaces words of the program, starting at a label.
    #[track_caller]
    fn patched(mut self, label: &str, words: &[u32]) -> Self {
        let first = self.at(label) as usize / 4;
        self.launch.program[first..first + words.len()].copy_from_slice(words);
        self
    }

    /// The expected error, at a byte address of the program.
    fn error(&self, kind: ErrorKind, pc: u32, address: Option<u32>) -> KernelError {
        let word = |index: usize| u64::from(self.launch.program[index]);
        let first = pc as usize / 4;
        KernelError {
            kind,
            capability: self.launch.capability,
            sm: 0,
            block: self.block,
            warp_in_block: self.warp,
            pc,
            word: match kind {
                ProgramCounter => 0,
                _ if word(first) & 1 == 1 => word(first + 1) << 32 | word(first),
                _ => word(first),
            },
            address,
        }
    }

    /// Checks that the kernel fails with this error on every engine.
    #[track_caller]
    fn fails(&self, kind: ErrorKind, pc: u32, address: Option<u32>) {
        let expected = self.error(kind, pc, address);
        for (place, ending) in endings(&self.launch, true) {
            assert_eq!(ending, Ending::Failed(expected), "{place}");
        }
    }

    /// Like [`Wild::fails`], at the label `here`.
    #[track_caller]
    fn fails_here(&self, kind: ErrorKind, address: Option<u32>) {
        self.fails(kind, self.at("here"), address);
    }
}

/// The ending of a run on a single engine.
#[track_caller]
fn ending(engine: &mut dyn Engine, launch: &Launch, options: &Options) -> Ending {
    let report = engine.run(launch, options, None);
    report
        .unwrap_or_else(|error| panic!("{}: {error}", engine.name()))
        .ending
}

/// The endings of a kernel on all engines; in lockstep, the model must agree. With `alone`, the kernel also runs
/// without an observer.
#[track_caller]
fn endings(launch: &Launch, alone: bool) -> Vec<(String, Ending)> {
    endings_on(launch, &LANES, alone)
}

/// Like [`endings`], natively with these numbers of lanes.
#[track_caller]
fn endings_on(launch: &Launch, lanes: &[u32], alone: bool) -> Vec<(String, Ending)> {
    let mut found = vec![("model".into(), ending(&mut ModelEngine, launch, &options(8)))];
    for &lanes in lanes {
        let (report, _) = run_on(&mut RtlEngine, launch, lanes);
        found.push((format!("rtl, {lanes} lanes, lockstep"), report.ending));
    }
    let verilog = with_verilog(|engine| run_on(engine, launch, 8).0.ending);
    found.extend(verilog.map(|ending| ("verilator, lockstep".into(), ending)));
    if alone {
        found.push(("rtl".into(), ending(&mut RtlEngine, launch, &options(8))));
        let verilog = with_verilog(|engine| ending(engine, launch, &options(8)));
        found.extend(verilog.map(|ending| ("verilator".into(), ending)));
    }
    found
}

/// Runs each of `(set-up, faulting instruction, kind, address)` in turn.
#[track_caller]
fn all_fail(cases: &[(&str, &str, ErrorKind, u32)]) {
    for (index, (set_up, here, kind, address)) in cases.iter().enumerate() {
        println!("{set_up}; {here}");
        let wild = Wild::one_of_many(&format!("{set_up}\nhere: {here}\nRET\n"));
        let expected = wild.error(*kind, wild.at("here"), Some(*address));
        // Cycles through the numbers of lanes.
        for (place, ending) in endings_on(&wild.launch, &[LANES[index % 3]], index % 3 == 0) {
            assert_eq!(ending, Ending::Failed(expected), "{place}");
        }
    }
}

#[test]
fn illegal_instructions_are_reported() {
    Wild::one_of_many("NOP\nhere: NOP\nRET\n")
        .patched("here", &ILLEGAL)
        .fails_here(IllegalInstruction, None);
    // The first instruction of the program.
    let entry = Wild::new("here: NOP\nRET\n", 1, 32, 0, 0).patched("here", &ILLEGAL);
    entry.fails_here(IllegalInstruction, None);
    // A short illegal instruction after a short instruction, in the upper half of a fetched word.
    let short = Wild::one_of_many("MOV32 R0, R0\nhere: MOV32 R1, R1\nRET\n").patched("here", &[ILLEGAL_SHORT]);
    assert_eq!(short.at("here") % 8, 4);
    short.fails_here(IllegalInstruction, None);
    // An illegal instruction that is skipped, or on a path without threads, is not an error.
    for text in [
        "BRA end\nhere: NOP\nend: RET\n",
        "ISET.C0 o[0x7f], R0, R0, NE\nBRA C0.NE, here\nRET\nhere: NOP\nRET\n",
    ] {
        let around = Wild::alone(text).patched("here", &ILLEGAL);
        for (place, ending) in endings(&around.launch, false) {
            assert_eq!(ending, Ending::Complete, "{text}: {place}");
        }
    }
}

#[test]
fn program_counters_out_of_range_are_reported() {
    let behind = |text: &str| {
        let wild = Wild::one_of_many(text);
        let end = wild.launch.program.len() as u32 * 4;
        wild.fails(ProgramCounter, end, None);
    };
    behind("NOP\n");
    behind("MOV32 R0, R0\nMOV32 R1, R1\n");
    behind("SSY end\nBRA end\nend: NOP.S\n");
    let to = |text: &str, pc| Wild::one_of_many(text).fails(ProgramCounter, pc, None);
    to("BRA 0x1000\nRET\n", 0x1000);
    to("CAL.NOINC 0x2000\nRET\n", 0x2000);
    to("PBK 0x3000\nBRK\nRET\n", 0x3000);
    // The PC of a stack entry is checked when it is popped.
    to(
        "MVI R1, 4\nISET.C0 o[0x7f], R0, R1, LT\nBRA C0.NE, side\nBRA 0x4000\nside: RET\n",
        0x4000,
    );
}

#[test]
fn misaligned_long_instructions_are_reported() {
    // The first half of a long instruction after a short one, four bytes off.
    let mut wild = Wild::one_of_many("here: NOP\nNOP\nRET\n");
    let first = wild.at("here") as usize / 4;
    let long = wild.launch.program[first];
    wild.launch.program[first] = 0x1000_8000;
    wild.launch.program[first + 1] = long;
    wild.fails(ProgramCounter, wild.at("here") + 4, None);
    // The last word of the program is the first half of a long instruction.
    let mut wild = Wild::one_of_many("here: RET\n");
    wild.launch.program.pop();
    wild.fails(ProgramCounter, wild.at("here"), None);
}

#[test]
fn divergence_stack_overflow_is_reported() {
    for text in [
        "here: CAL.NOINC here\n",
        "here: SSY here\nBRA here\n",
        "here: PBK here\nBRA here\n",
        // In each iteration a different thread diverges: 31 of them, on top of two entries.
        "SSY join\nSSY join\nMVI R1, 0\nagain: ISET.C0 o[0x7f], R0, R1, GT\nhere: BRA C0.NE, next\njoin: NOP.S\nRET\n\
         next: IADD32I R1, R1, 1\nBRA again\n",
    ] {
        println!("{text}");
        Wild::one_of_many(text).fails_here(StackOverflow, None);
    }
    // 32 entries still fit.
    let full = Wild::alone(&format!("{}RET\nend: RET\n", "SSY end\n".repeat(32)));
    for (place, ending) in endings(&full.launch, false) {
        assert_eq!(ending, Ending::Complete, "{place}");
    }
}

#[test]
fn divergence_stack_underflow_is_reported() {
    for text in [
        "NOP\nhere: BRK\nRET\n",
        "PBK out\nCAL.NOINC sub\nout: RET\nsub: NOP\nhere: BRK\nRET\n",
        // Some threads break; the error is detected when the others exit.
        "MVI R1, 4\nISET.C0 o[0x7f], R0, R1, LT\nBRK C0.NE\nhere: RET\n",
        "MVI R1, 4\nISET.C0 o[0x7f], R0, R1, LT\nBRK C0.NE\nhere: NOP.EXIT\n",
    ] {
        println!("{text}");
        Wild::one_of_many(text).fails_here(StackUnderflow, None);
    }
}

#[test]
fn wrong_global_accesses_are_reported() {
    let end = crate::common::GLOBAL_BYTES;
    for access in ["GLD", "GST"] {
        // The size in bytes, with the types of this size.
        for (bytes, types) in [(1, &["U8", "S8"][..]), (2, &["U16", "S16"]), (4, &["U32"])] {
            for of_type in types
                .iter()
                .filter(|of_type| access == "GLD" || of_type.starts_with('U'))
            {
                let at = |address: u32, kind| {
                    let here = match access {
                        "GLD" => format!("GLD.{of_type} R2, global14[R1]"),
                        _ => format!("GST.{of_type} global14[R1], R2"),
                    };
                    all_fail(&[(&format!("MVI R1, {address:#x}"), &here, kind, address)]);
                };
                at(end, GlobalRange);
                at(0_u32.wrapping_sub(bytes), GlobalRange);
                if bytes > 1 {
                    at(0x100 + bytes / 2, GlobalMisaligned);
                    // Misalignment takes priority over range.
                    at(end + bytes / 2, GlobalMisaligned);
                }
            }
        }
    }
}

#[test]
fn wrong_shared_accesses_are_reported() {
    all_fail(&[
        // Without an address register: a word that all threads read, a half-word, a byte.
        ("", "MOV R1, g[0x10]", SharedRange, 64),
        ("", "MOV R1, g[0x1f]", SharedRange, 124),
        ("", "IADD R1, g[0x1f], R0", SharedRange, 124),
        ("", "R2G.U32.U32 g[0x10], R0", SharedRange, 64),
        ("", "R2G.U32.U16 g[0x20], R0", SharedRange, 64),
        ("", "R2G.U16.U8 g[0x40], R0L", SharedRange, 64),
        // With an address register: a different address in each thread.
        ("R2A A1, R0, 4", "MOV R1, g[A1+0]", SharedRange, 64),
        ("R2A A2, R0, 4", "MOV R1, g[A2+1].U8", SharedRange, 65),
        ("R2A A3, R0, 4", "MOV R1, g[A3+1].U16", SharedRange, 66),
        ("R2A A2, R0, 4", "MOV32 R1, g[A2+1]", SharedRange, 68),
        ("R2A A1, R0, 4", "R2G.U32.U32 g[A1+0], R0", SharedRange, 64),
        ("R2A A1, R0, 4", "R2G.U32.U8 g[A1+++1], R0", SharedRange, 64),
        ("R2A A1, R0", "MOV R1, g[A1+4]", SharedMisaligned, 17),
        ("R2A A1, R0", "MOV R1, g[A1+4].S16", SharedMisaligned, 9),
        ("R2A A1, R0", "IADD32 R1, g[A1+1], R0", SharedMisaligned, 5),
        ("R2A A1, R0", "MOV R1, g[A1+++4]", SharedMisaligned, 1),
        ("R2A A1, R0", "R2G.U32.U32 g[A1+4], R0", SharedMisaligned, 17),
        ("R2A A1, R0", "R2G.U32.U16 g[A1+++4], R0", SharedMisaligned, 1),
        // An offset that wraps around. Within a thread, misalignment takes priority over range.
        ("ADA A1, A0, 0xfffc", "MOV R1, g[A1+0]", SharedRange, 0xfffc),
        ("ADA A1, A0, 0xfffd", "MOV R1, g[A1+0]", SharedMisaligned, 0xfffd),
        // Source 2 is in another memory.
        ("R2A A1, R0, 4", "IADD R1, g[A1+0], c[0][1]", SharedRange, 64),
    ]);
}

#[test]
fn wrong_constant_accesses_are_reported() {
    all_fail(&[
        ("", "MVC R1, c[3][0x400]", ConstantRange, 4096),
        ("", "MVC R1, c[15][0x800].U16", ConstantRange, 4096),
        ("", "MVC R1, c[0][0x1000].U8", ConstantRange, 4096),
        ("R2A A1, R0, 8", "MVC R1, c[3][A1+0]", ConstantRange, 4096),
        ("R2A A1, R0, 8", "MVC R1, c[0][A1+++1].U8", ConstantRange, 4096),
        ("R2A A1, R0, 8", "IADD R1, R0, c[3][A1+2]", ConstantRange, 4104),
        ("R2A A1, R0", "MVC R1, c[3][A1+4]", ConstantMisaligned, 17),
        ("R2A A1, R0", "MVC R1, c[3][A1+4].U16", ConstantMisaligned, 9),
        ("R2A A1, R0", "MVC R1, c[3][A1+++4]", ConstantMisaligned, 1),
        ("R2A A1, R0", "IADD R1, R0, c[3][A1+2]", ConstantMisaligned, 9),
        ("ADA A1, A0, 0xfffe", "MVC R1, c[3][A1+0]", ConstantMisaligned, 0xfffe),
    ]);
}

#[test]
fn lowest_faulting_thread_is_reported() {
    // The first thread whose access is out of range: 13; and 21, so only threads of the upper half-warp fault.
    for (first, address) in [(13, 0x3fc0), (21, 0x3fc0)] {
        let away = format!(
            "MVI R1, {first}\nISET.C0 o[0x7f], R0, R1, GE\nSHL R2, R0, 2\nMVI R3, {address:#x}\n\
             LOP32I.AND R2, R2, 31\nIADD R2 (C0.NE), R2, R3\nR2A A1, R2\nMVI R4, 0x100000\nIADD R4 (C0.NE), R4, R2\nIADD R4 (C0.EQ), R124, R2"
        );
        let at = address + 4 * (first % 8);
        all_fail(&[
            (&away, "MOV R5, g[A1+0]", SharedRange, at),
            (&away, "R2G.U32.U32 g[A1+0], R0", SharedRange, at),
            (&away, "MVC R5, c[1][A1+0]", ConstantRange, at),
            (&away, "GLD.U32 R5, global14[R4]", GlobalRange, 0x10_0000 + at),
            (&away, "GST.U8 global14[R4], R5", GlobalRange, 0x10_0000 + at),
        ]);
    }
    // If the lowest threads are inactive, the lowest active one is reported.
    let some = "MVI R1, 20\nISET.C0 o[0x7f], R0, R1, GE\nR2A A1, R0, 6\nSHL R4, R0, 16";
    all_fail(&[
        (some, "MOV R5 (C0.NE), g[A1+0]", SharedRange, 20 * 64),
        (some, "R2G.U32.U32 g[A1+0] (C0.NE), R0", SharedRange, 20 * 64),
        (some, "GLD.U32 R5 (C0.NE), global14[R4]", GlobalRange, 20 << 16),
        (some, "GST.U32 global14[R4] (C0.NE), R0", GlobalRange, 20 << 16),
    ]);
}

#[test]
fn inactive_threads_do_not_fault() {
    // Threads 15 and up would fault; then there are no active threads.
    let good = Wild::alone(
        "R2A A1, R0, 2
         MVI R1, 15; ISET.C0 o[0x7f], R0, R1, LT; ISET.C1 o[0x7f], R0, R0, NE
         SHL R2, R0, 12; MVI R3, 0x102
         MOV R4 (C0.NE), g[A1+0]
         R2G.U32.U32 g[A1+1] (C0.NE), R0
         GLD.U32 R4 (C0.NE), global14[R2]
         GST.U32 global14[R2] (C0.NE), R0
         R2A A2, R0, 8
         MVC R4 (C0.NE), c[1][A2+0]
         MOV R4 (C1.NE), g[0x10]
         MOV R4 (C1.NE), g[A2+0]
         R2G.U32.U32 g[A2+1] (C1.NE), R0
         R2G.U32.U32 g[0x10] (C1.NE), R0
         MVC R4 (C1.NE), c[1][0x400]
         GLD.U32 R4 (C1.NE), global14[R3]
         GST.U32 global14[R3] (C1.NE), R0
         BPT C1.NE
         BRA C1.NE, 0x4000
         BRK C1.NE
         RET\n",
    );
    for (place, ending) in endings(&good.launch, true) {
        assert_eq!(ending, Ending::Complete, "{place}");
    }
}

#[test]
fn traps_and_breakpoints_are_reported() {
    Wild::one_of_many("NOP\nhere: TRAP\nRET\n").fails_here(Trap, None);
    // TRAP ignores its condition.
    let mut conditional = Wild::one_of_many("NOP\nhere: TRAP\nRET\n");
    let condition = conditional.at("here") as usize / 4 + 1;
    // Changes the condition from TRUE to FALSE.
    conditional.launch.program[condition] &= !(0x1f << 7);
    conditional.fails_here(Trap, None);
    Wild::one_of_many("MOV32 R1, R1\nhere: TRAP32\nRET\n").fails_here(Trap, None);
    Wild::one_of_many("ISET.C0 o[0x7f], R0, R0, NE\nBPT C0.NE\nhere: BPT\nRET\n").fails_here(Breakpoint, None);
}

#[test]
fn deadlock_names_the_lowest_warp_and_bar() {
    // Warp 0 exits, 1 and 2 wait at different barriers, and 3 at one that needs more threads than exist.
    let wild = Wild::new(
        "
        SHR R1, R0, 5
        IADD.C1 o[0x7f], R1, R124
        BRA C1.EQ, leave
        MVI R3, 2
        ISET.C1 o[0x7f], R1, R3, EQ
        ISET.C2 o[0x7f], R1, R3, LT
        BRA C1.NE, second
        BRA C2.NE, here
        BAR.ARV.WAIT b2, 512
here:   BAR.ARV.WAIT b0, 0xfff
        RET
second: BAR.WAIT b1, 64
leave:  RET
        ",
        5,
        128,
        0,
        1,
    );
    // The first block in which all warps wait depends on the engine.
    for (place, ending) in endings(&wild.launch, true) {
        let Ending::Failed(error) = ending else {
            panic!("{place}: {ending:?}");
        };
        let expected = wild.error(BarrierDeadlock, wild.at("here"), None);
        let block = error.block;
        assert!(block < 5, "{place}: {error}");
        assert_eq!(error, KernelError { block, ..expected }, "{place}");
    }
    Wild::one_of_many("here: BAR.ARV.WAIT b0, 64\nRET\n").fails_here(BarrierDeadlock, None);
    Wild::one_of_many("BAR.ARV b0, 32\nhere: BAR.WAIT b0, 32\nRET\n").fails_here(BarrierDeadlock, None);
}

#[test]
fn endless_kernels_are_stopped() {
    let wild = Wild::alone("NOP\nhere: BRA here\n");
    let limited = |engine: &mut dyn Engine, lanes| {
        let options = Options {
            max_cycles: 1_000,
            ..options(lanes)
        };
        ending(engine, &wild.launch, &options)
    };
    let mut found = vec![limited(&mut ModelEngine, 8)];
    found.extend(LANES.map(|lanes| limited(&mut RtlEngine, lanes)));
    found.extend(with_verilog(|engine| limited(engine, 8)));
    let expected = wild.error(Endless { limit: 1_000 }, wild.at("here"), None);
    for ending in found {
        assert_eq!(ending, Ending::Failed(expected));
    }
}

// ---- Two faults in a warp, the second directly after the first ----

/// The code before both faults: addresses at which global and shared accesses fault, and bank conflicts that keep
/// stores to shared memory busy.
const BEFORE: &str = "
        MVI R1, 0x102
        MVI R3, 0x203
        R2A A2, R0, 4                   // threads from 4 upward are out of range
        R2A A1, R0                      // four bytes of each word
";

/// Three slow stores.
const BUSY: &str = "R2G.U32.U8 g[A1+0], R0\nR2G.U32.U8 g[A1+0], R0\nR2G.U32.U8 g[A1+0], R0\n";

/// Faulting instructions with their set-up; some take long to fault.
fn first_faults() -> Vec<(String, &'static str, ErrorKind, Option<u32>)> {
    vec![
        (String::new(), "GLD.U32 R2, global14[R1]", GlobalMisaligned, Some(0x102)),
        (String::new(), "GST.U32 global14[R1], R2", GlobalMisaligned, Some(0x102)),
        (String::new(), "MOV R2, g[0x10]", SharedRange, Some(64)),
        (String::new(), "MOV R2, g[A2+0]", SharedRange, Some(64)),
        (String::new(), "MVC R2, c[3][0x400]", ConstantRange, Some(4096)),
        (String::new(), "R2G.U32.U32 g[A2+0], R0", SharedRange, Some(64)),
        (BUSY.into(), "R2G.U32.U32 g[A2+0], R0", SharedRange, Some(64)),
        ("SSY end\n".repeat(32), "SSY end", StackOverflow, None),
        ("PBK end\n".repeat(32), "PBK end", StackOverflow, None),
    ]
}

/// Instructions that fault, end the warp, or wait forever.
const SECOND_FAULTS: [&str; 15] = [
    "patched: NOP",
    "MOV R5, g[0x11]",
    "MOV R5, g[A2+1]",
    "MVC R5, c[3][0x401]",
    "TRAP",
    "BPT",
    "BRK",
    "BRA 0x4000",
    "R2G.U32.U32 g[A2+1], R0",
    "GLD.U16 R5, global14[R3]",
    "GST.U16 global14[R3], R5",
    "BAR.ARV.WAIT b0, 96",
    "CAL.NOINC 0x4000",
    "RET",
    "NOP.EXIT",
];

#[test]
fn older_fault_of_a_warp_is_reported() {
    let mut wrong = Vec::new();
    for (turn, (before, first, kind, address)) in first_faults().into_iter().enumerate() {
        for (index, second) in SECOND_FAULTS.into_iter().enumerate() {
            // `make test` takes every third pair.
            if !cfg!(feature = "soak") && (turn + index) % 3 != 0 {
                continue;
            }
            let mut wild = Wild::alone(&format!("{BEFORE}{before}here: {first}\n{second}\nend: RET\n"));
            if second.starts_with("patched") {
                wild = wild.patched("patched", &ILLEGAL);
            }
            let expected = Ending::Failed(wild.error(kind, wild.at("here"), address));
            let busy = if before == BUSY { "busy; " } else { "" };
            // Stores to shared memory fault late, and other instructions of their warp may pass them. They are tested
            // at all numbers of lanes, others at one number of lanes in turn.
            let lanes = if first.starts_with("R2G") {
                &LANES[..]
            } else {
                &LANES[index % 3..][..1]
            };
            for (place, ending) in loose_endings(&wild.launch, lanes) {
                if ending != expected {
                    wrong.push(format!("{busy}{first}; {second}: {place}: {ending:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Like [`endings`], without lockstep.
fn loose_endings(launch: &Launch, lanes: &[u32]) -> Vec<(String, Ending)> {
    let mut found = vec![("model".into(), ending(&mut ModelEngine, launch, &options(8)))];
    for &lanes in lanes {
        let own = ending(&mut RtlEngine, launch, &options(lanes));
        found.push((format!("rtl, {lanes} lanes"), own));
    }
    let verilog = with_verilog(|engine| ending(engine, launch, &options(8)));
    found.extend(verilog.map(|ending| ("verilator".into(), ending)));
    found
}

// ---- The host registers ----

/// The circuits as seen by a host: one chip for several launches, with registers that can be read at any time.
struct Board(CycleEngine<Gpgpu<8, 1>>);

impl Board {
    fn new() -> Self {
        let mut gpgpu = Box::new(Gpgpu::<8, 1>::new());
        gpgpu.memory.request_ready.next = true;
        Board(CycleEngine::new(gpgpu))
    }

    fn read(&mut self, address: u32) -> u32 {
        let drive = HostDrive {
            strobe: true,
            address,
            ..HostDrive::default()
        };
        for _ in 0..100 {
            self.drive(&drive, None);
            self.0.settle();
            let sample = self.host();
            self.0.tick();
            assert!(!sample.error, "refused at {address:#x}");
            if sample.acknowledge {
                return sample.data;
            }
        }
        panic!("no answer at {address:#x}");
    }
}

impl Core for Board {
    fn lanes(&self) -> u32 {
        8
    }

    fn sms(&self) -> u32 {
        1
    }

    fn drive(&mut self, host: &HostDrive, response: Option<&[u32; 32]>) {
        let gpgpu = &mut self.0.block;
        gpgpu.host.cycle.next = host.strobe;
        gpgpu.host.strobe.next = host.strobe;
        gpgpu.host.write.next = host.write;
        gpgpu.host.address.next = Bits::new(host.address.into());
        gpgpu.host.write_data.next = Bits::new(host.data.into());
        gpgpu.memory.response_valid.next = response.is_some();
        for (lane, word) in response.into_iter().flatten().take(8).enumerate() {
            gpgpu.memory.response_data[lane].next = Bits::new((*word).into());
        }
    }

    fn settle(&mut self) {
        self.0.settle();
    }

    fn host(&self) -> HostSample {
        let gpgpu = &self.0.block;
        HostSample {
            acknowledge: gpgpu.host.acknowledge.val(),
            error: gpgpu.host.error.val(),
            data: gpgpu.host.read_data.val().raw() as u32,
            interrupt: gpgpu.interrupt.val(),
        }
    }

    fn request(&self) -> Option<MemoryRequest> {
        let gpgpu = &self.0.block;
        let (mut data, mut enable) = ([0; 32], [0; 32]);
        for lane in 0..8 {
            data[lane] = gpgpu.memory.request_data[lane].val().raw() as u32;
            enable[lane] = gpgpu.memory.request_enable[lane].val().raw() as u8;
        }
        gpgpu.memory.request_valid.val().then(|| MemoryRequest {
            write: gpgpu.memory.request_write.val(),
            address: gpgpu.memory.request_address.val().raw() as u32,
            data,
            enable,
        })
    }

    fn events(&self, _all: bool, _sink: &mut dyn FnMut(u32, &Event)) {}

    fn tick(&mut self, _cycle: Option<u64>) -> Result<(), RunError> {
        self.0.tick();
        Ok(())
    }
}

/// A kernel that uses all state that failed kernels may leave behind. Each thread's result is 3 t + 1.
const TAME: &str = "
        SHL R1, R0, 2
        R2A A1, R1
        R2G.U32.U32 g[A1+8], R0
        BAR.ARV.WAIT b0, 0xfff
        MOV R2, g[A1+8]
        MVI R3, 7
        ISET.C0 o[0x7f], R0, R3, GT
        SSY join
        BRA C0.NE, join
        NOP
join:   NOP.S
        CAL.NOINC sub
        IADD R2, g[A1+8], R2
        GST.U32 global14[R1], R2
        RET
sub:    IADD R2, R2, R0
        IADD32I R2, R2, 1
        RET
";

#[test]
fn host_reads_the_error_and_continues() {
    let kernels = [
        (
            Wild::one_of_many("here: NOP\nRET\n").patched("here", &ILLEGAL),
            IllegalInstruction,
            None,
        ),
        (Wild::one_of_many("here: BRK\nRET\n"), StackUnderflow, None),
        (Wild::one_of_many("here: SSY here\nBRA here\n"), StackOverflow, None),
        (
            Wild::one_of_many("MVI R1, 0x102\nhere: GLD.U32 R2, global14[R1]\nRET\n"),
            GlobalMisaligned,
            Some(0x102),
        ),
        (
            Wild::one_of_many("MVI R1, 0x123456\nhere: GST.U8 global14[R1], R2\nRET\n"),
            GlobalRange,
            Some(0x12_3456),
        ),
        (Wild::one_of_many("here: MOV R1, g[0x10]\nRET\n"), SharedRange, Some(64)),
        (
            Wild::one_of_many("R2A A1, R0, 1\nhere: MOV R1, g[A1+0]\nRET\n"),
            SharedMisaligned,
            Some(2),
        ),
        (
            Wild::one_of_many(&format!("R2A A1, R0, 4\nhere: {BUSY}RET\n")),
            SharedRange,
            Some(64),
        ),
        (
            Wild::one_of_many("here: MVC R1, c[3][0x400]\nRET\n"),
            ConstantRange,
            Some(4096),
        ),
        (
            Wild::one_of_many("R2A A1, R0\nhere: MVC R1, c[3][A1+0]\nRET\n"),
            ConstantMisaligned,
            Some(1),
        ),
        (
            Wild::one_of_many("here: BAR.ARV.WAIT b0, 64\nRET\n"),
            BarrierDeadlock,
            None,
        ),
        (Wild::one_of_many("here: TRAP\nRET\n"), Trap, None),
        (Wild::one_of_many("here: BPT\nRET\n"), Breakpoint, None),
    ];
    let tame = crate::common::launch(TAME, 2, 64, vec![]);
    let tame = Launch {
        shared_bytes: 512,
        ..tame
    };
    on_big_stack(|| {
        let mut board = Board::new();
        for (wild, kind, address) in kernels {
            let here = wild.at("here");
            let expected = wild.error(kind, here, address);
            let report = test_bench::run(&mut board, &wild.launch, &options(8), None).expect("a run");
            assert_eq!(report.ending, Ending::Failed(expected));
            assert_eq!(board.read(map::STATUS), map::STATUS_DONE | map::STATUS_ERROR);
            assert_eq!(
                board.read(map::ERROR_CODE),
                u32::from(kind.code().expect("the machine's"))
            );
            assert_eq!(board.read(map::ERROR_SM), 0);
            assert_eq!(board.read(map::ERROR_BLOCK), 2);
            assert_eq!(board.read(map::ERROR_WARP) & 31, 1);
            assert_eq!(board.read(map::ERROR_PC), here);
            if let Some(address) = address {
                assert_eq!(board.read(map::ERROR_ADDRESS), address);
            }
            let report = test_bench::run(&mut board, &tame, &options(8), None).expect("a run");
            assert_eq!(report.ending, Ending::Complete, "after {expected}");
            assert_eq!(board.read(map::STATUS), map::STATUS_DONE);
            let results: Vec<u32> = (0..64).map(|thread| 3 * thread + 1).collect();
            assert_eq!(report.global[..64], results, "after {expected}");
        }
    })
    .expect("no panic");
}
