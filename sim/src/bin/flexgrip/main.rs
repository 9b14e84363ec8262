//! The command line: runs kernels, compares engines, assembles and lists programs.

use clap::{Args, Parser, Subcommand, ValueEnum};
use flexgrip_isa::reference::{text_overview, text_page};
use flexgrip_isa::Style;
use flexgrip_model::{Configuration, Launch, Retire};
use flexgrip_sim::board::{self, BoardOptions, Client, Port, ANSWER_SECONDS, BAUD, GRID_SECONDS};
use flexgrip_sim::dump::Dump;
use flexgrip_sim::engine::{
    processors, Coalescing, Ending, Engine, Options, RunError, RunReport, WaveFile, MAX_CYCLES, MEMORY_LATENCY,
};
use flexgrip_sim::file_error::FileError;
use flexgrip_sim::file_output::{note, write_file};
use flexgrip_sim::fuzz::generate::Mix;
use flexgrip_sim::fuzz::summary::FuzzSummary;
use flexgrip_sim::fuzz::{fuzz, FuzzOptions};
use flexgrip_sim::gtkwave_filter;
use flexgrip_sim::isa_commands::explanations;
use flexgrip_sim::iverilog::{job, IverilogEngine};
use flexgrip_sim::lane_test::{self, LANE_ANSWER_SECONDS, OPERATIONS};
use flexgrip_sim::launch_file::{Kernel, LAUNCH_FORMAT};
use flexgrip_sim::lockstep;
use flexgrip_sim::model_engine::ModelEngine;
use flexgrip_sim::program::{assemble_file, hex_text, load_program, program_file, program_listing, words_file};
use flexgrip_sim::progress::Watch;
use flexgrip_sim::realign::realign_file;
use flexgrip_sim::report::{grouped, Summary};
use flexgrip_sim::rtl::{configuration, CompiledEngine, KernelEngine, RtlEngine};
use flexgrip_sim::simulated_board;
use flexgrip_sim::verilator::VerilatorEngine;
use flexgrip_sim::verilog::{circuit_hash, machine_signals};
use flexgrip_sim::wave_view::write_gtkwave_saves;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

const RUN_EXAMPLES: &str = "\
Examples:
  flexgrip run kernels/vectoradd                       the circuits, natively, with 8 lanes
  flexgrip run kernels/sort --engine verilator --lanes 32
  flexgrip run kernels/life --sms 4 --stats            with where the cycles of each SM went
  flexgrip run kernels/saxpy_int --json | jq .cycles
  flexgrip run kernels/sort --unaligned-code           also code with long instructions off 8-byte boundaries, as FlexGripPlus
  flexgrip run kernels/sobel --engine model --jobs     blocks side by side, on all processors
  flexgrip run kernels/sobel --dump sobel.pgm@6288+6160
                                                       with the picture that it leaves
  flexgrip run kernels/divergence --trace -            every executed instruction, on standard output
  flexgrip run kernels/vectoradd --wave vectoradd.vcd  then: gtkwave vectoradd.gtkw
  flexgrip run kernels/sha256 --wave sha.fst --wave-from 5000 --wave-to 5200
  flexgrip run kernels/sort --wave sort.fst --wave-scope 'top.sm[0].scheduler,top.sm[0].trace'

Beside the waves there are save files for GTKWave: .gtkw with all stages of the pipeline, .scheduler.gtkw with the warp
scheduler, .memory.gtkw with memory.

Exit code 0: the result matches, or there is nothing to check; 1: it does not, or an error; 2: wrong usage.";

const BOARD_EXAMPLES: &str = "\
Examples:
  flexgrip board kernels/vectoradd --port /dev/ttyUSB1
  flexgrip board kernels/vectoradd --port 'pipe:flexgrip simulated-board'
                                                       without a board: its circuits, simulated
  flexgrip board kernels/sobel --port COM3 --baud 115200 --dump sobel.pgm@6288+6160
  flexgrip board kernels/sort --port 'pipe:ssh lab socat - /dev/ttyUSB1,raw,b1000000' --json

The board is what export-verilog --top board writes; docs/board.md tells how it is wired and what goes over the line. Of
global memory only what the kernel's expectations and --dump name is read back.

Exit code 0: the result matches, or there is nothing to check; 1: it does not, or an error; 2: wrong usage.";

const SIMULATED_BOARD_EXAMPLES: &str = "\
Examples:
  flexgrip board kernels/vectoradd --port 'pipe:flexgrip simulated-board'
  flexgrip board kernels/sort --port 'pipe:flexgrip simulated-board --lanes 32'
  flexgrip lane-test --port 'pipe:flexgrip simulated-board --top lane_board'

Standard input and output are the two directions of the board's serial line. The board is at rest while nothing comes, and
ends with its input.

Exit code 0: the input has ended; 1: an error; 2: wrong usage.";

const LANE_TEST_EXAMPLES: &str = "\
Examples:
  flexgrip lane-test --port /dev/ttyUSB1
  flexgrip lane-test --port 'pipe:flexgrip simulated-board --top lane_board'
                                                       without a board: its circuits, simulated
  flexgrip lane-test --port /dev/ttyUSB1 --count 100000 --seed 7
  flexgrip lane-test --port COM3 --json | jq .difference

The board is what make bitstream BOARD=icebreaker writes (export-verilog --top lane_board); docs/board.md tells more. The
operations are all kinds that a lane has, in turn, with random operands: what the board makes of each is compared with the
arithmetic of the golden model.

Exit code 0: all are equal; 1: one differs, or an error; 2: wrong usage.";

const LOCKSTEP_EXAMPLES: &str = "\
Examples:
  flexgrip lockstep kernels/sort
  flexgrip lockstep kernels/sort --engine verilator --lanes 16

Exit code 0: every record, the end and global memory are equal; 1: they are not, or an error; 2: wrong usage.";

const JOB_EXAMPLES: &str = "\
Examples:
  flexgrip job kernels/vectoradd -o job.txt

The job is for testbench/verilog/gpgpu_tb.v, whose README.md has the commands for iverilog. It is the same for 8, 16 and
32 lanes.

Exit code 0: written; 1: an error; 2: wrong usage.";

const FUZZ_EXAMPLES: &str = "\
Examples:
  flexgrip fuzz                                    100 random programs on the native circuits
  flexgrip fuzz --seed 7 --count 10000
  flexgrip fuzz --engine verilator --lanes 32
  flexgrip fuzz --seed 7 --first 4711 --count 1    one program again
  flexgrip fuzz --mix float --seed 51 --count 200  a million warp instructions on floats
  flexgrip fuzz --count 10000 --json | jq .not_reached

A program that runs otherwise than on the golden model is made as small as possible and written as a kernel folder.
Exit code 0: no difference; 1: a difference, or an error; 2: wrong usage.";

const ASM_EXAMPLES: &str = "\
Examples:
  flexgrip asm kernel.sass                          words in hexadecimal, on standard output
  flexgrip asm kernel.sass -o sort.cubin            an ELF cubin for sm_10, with its kernels' names
  flexgrip asm kernel.sass -o sort.mif              a memory initialisation file for Quartus
  flexgrip asm kernel.sass -o TP_instructions.vhd   the instruction memory of FlexGripPlus
  flexgrip asm --realign kernel.hex -o kernel.hex   long instructions moved to 8-byte boundaries
  flexgrip asm --realign TP_instructions.vhd --entry 0x24 -o kernel.hex --json

The extension says what is written. Only a .cubin keeps the kernels' names and needs, and the constants.

--realign puts a filler, MOV32 R0, R0, before each long instruction that would not lie on a boundary, and mends all branch
targets; it tells what has moved, and where --entry is now. A target that is no instruction's start is an error.";

const DISASM_EXAMPLES: &str = "\
Examples:
  flexgrip disasm kernel.hex
  flexgrip disasm matrixMul.cubin          every kernel, with its registers and memory
  flexgrip disasm TP_instructions.vhd      a program of FlexGripPlus
  flexgrip disasm kernel.hex --style vendor";

const EXAMPLES: &str = "\
Examples:
  flexgrip run kernels/vectoradd
  flexgrip lockstep kernels/sort --engine verilator
  flexgrip asm kernels/sort/kernel.sass
  flexgrip explain 0x04000780a0000005
  flexgrip isa IADD
  flexgrip help format     what a kernel on disk looks like";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  flexgrip explain 0x04000780a0000005      a long instruction: high word, low word
  flexgrip explain a0000005 04000780       the same, as listings show it
  flexgrip explain 10008000                a short instruction

Exit code 0: explained, also where a word is not an instruction; 1: an argument is not a word; 2: wrong usage.";

const ISA_EXAMPLES: &str = "\
Examples:
  flexgrip isa                   one line for each instruction
  flexgrip isa IADD              its forms, bits, operands, modifiers and sources
  flexgrip isa imad32i           any form's name leads to the page

Exit code 0: printed; 1: no instruction has the name; 2: wrong usage.";

const FILTER_EXAMPLES: &str = "\
Examples:
  echo 04000780a0000005 | flexgrip gtkwave-filter
  echo 3 | flexgrip gtkwave-filter --kind IssueCause

Values are hexadecimal (also with $ or 0x), or binary (with %, or more than 16 digits, all 0 or 1). What is no value of the
kind is answered unchanged. The save files that --wave writes name this filter; GTKWave starts it.

Exit code 0: all lines are answered; 1: an unknown kind, or an error; 2: wrong usage.";

/// An open G80 GPU: runs SM 1.0 kernels on its circuits, their Verilog, or the golden model.
#[derive(Parser)]
#[command(name = "flexgrip", version, after_help = EXAMPLES, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a kernel and check its result
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArguments),
    /// Run a kernel on a board at the end of a serial line and check its result
    #[command(after_help = BOARD_EXAMPLES)]
    Board(BoardArguments),
    /// Try an integer lane on a board at the end of a serial line against the arithmetic
    #[command(after_help = LANE_TEST_EXAMPLES)]
    LaneTest(LaneTestArguments),
    /// Simulate a board, with its serial line on standard input and output
    #[command(after_help = SIMULATED_BOARD_EXAMPLES)]
    SimulatedBoard(SimulatedBoardArguments),
    /// Compare an engine with the golden model, instruction by instruction
    #[command(after_help = LOCKSTEP_EXAMPLES)]
    Lockstep(LockstepArguments),
    /// Write a kernel as a job for the test bench in plain Verilog
    #[command(after_help = JOB_EXAMPLES)]
    Job(JobArguments),
    /// Run random programs and compare with the golden model
    #[command(after_help = FUZZ_EXAMPLES)]
    Fuzz(FuzzArguments),
    /// Assemble a .sass program into a .hex, .cubin, .mif or .vhd file, or realign the code of one
    #[command(after_help = ASM_EXAMPLES)]
    Asm(AsmArguments),
    /// List a .hex, .cubin or .vhd program as assembly text
    #[command(after_help = DISASM_EXAMPLES)]
    Disasm(DisasmArguments),
    /// Explain instruction words bit by bit
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArguments),
    /// Describe the instructions: all, or one with its forms, bits and sources
    #[command(after_help = ISA_EXAMPLES)]
    Isa(IsaArguments),
    /// Answer values, one a line, with the instructions or states that they stand for: a process filter for GTKWave
    #[command(after_help = FILTER_EXAMPLES)]
    GtkwaveFilter(FilterArguments),
    /// Describe a topic: format
    Help(HelpArguments),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// The golden model: no clock, fastest
    Model,
    /// The circuits, natively: cycle-accurate. Long runs go on as machine code
    Rtl,
    /// As rtl, never as machine code
    Kernels,
    /// As rtl, as machine code from the start
    Compiled,
    /// The circuits' Verilog, compiled: cycle-accurate
    Verilator,
    /// The circuits' Verilog under Icarus Verilog: cycle-accurate, slow
    Iverilog,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CoalescingName {
    /// A request for each segment of the memory port's width that a beat's threads touch
    Segment,
    /// Compute capability 1.0: half-warps in the order of their threads, any other thread by thread
    G80,
}

impl From<CoalescingName> for Coalescing {
    fn from(name: CoalescingName) -> Self {
        match name {
            CoalescingName::Segment => Coalescing::Segment,
            CoalescingName::G80 => Coalescing::G80,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ClockedEngineName {
    /// The circuits, natively
    Rtl,
    /// As rtl, never as machine code
    Kernels,
    /// As rtl, as machine code from the start
    Compiled,
    /// The circuits' Verilog, compiled
    Verilator,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MixName {
    /// All instructions alike, with floats as data in part of the programs
    Any,
    /// Mostly instructions on floats, and floats as data
    Float,
}

impl From<MixName> for Mix {
    fn from(name: MixName) -> Self {
        match name {
            MixName::Any => Mix::Any,
            MixName::Float => Mix::Float,
        }
    }
}

impl From<ClockedEngineName> for EngineName {
    fn from(name: ClockedEngineName) -> Self {
        match name {
            ClockedEngineName::Rtl => EngineName::Rtl,
            ClockedEngineName::Kernels => EngineName::Kernels,
            ClockedEngineName::Compiled => EngineName::Compiled,
            ClockedEngineName::Verilator => EngineName::Verilator,
        }
    }
}

#[derive(Args)]
struct KernelArguments {
    /// Folder with a launch.toml, or a launch file
    kernel: PathBuf,
    /// Let long instructions begin at any multiple of 4, as FlexGripPlus does, not on 8-byte boundaries only
    #[arg(long)]
    unaligned_code: bool,
}

impl KernelArguments {
    /// Loads the kernel. If a file is missing, the error says where it was looked for, which depends on the current folder.
    fn load(&self) -> Result<Kernel, FileError> {
        let mut kernel = Kernel::load(&self.kernel).map_err(|mut error| {
            if error.path.is_relative() && !error.path.exists() {
                if let Ok(place) = std::path::absolute(&error.path) {
                    error.message += &format!(", looked for at {}", place.display());
                }
            }
            error
        })?;
        kernel.launch.unaligned_code |= self.unaligned_code;
        Ok(kernel)
    }
}

#[derive(Args)]
struct MachineArguments {
    #[command(flatten)]
    kernel: KernelArguments,
    /// Scalar processors of a streaming multiprocessor
    #[arg(long, default_value = "8", value_parser = ["8", "16", "32"])]
    lanes: String,
    /// Streaming multiprocessors
    #[arg(long, default_value = "1", value_parser = ["1", "2", "4"])]
    sms: String,
    /// Write waves, .vcd or .fst; run writes save files for GTKWave (.gtkw) beside them
    #[arg(long, value_name = "FILE")]
    wave: Option<PathBuf>,
    /// First cycle of the waves, numbered as the trace's
    #[arg(long, value_name = "CYCLE", default_value_t = 0, requires = "wave")]
    wave_from: u64,
    /// Last cycle of the waves; the end if left out
    #[arg(long, value_name = "CYCLE", requires = "wave")]
    wave_to: Option<u64>,
    /// Blocks or signals that the waves show, such as top.sm[0].fetch, with all that is in them; everything if left out
    #[arg(long, value_name = "PATH", value_delimiter = ',', requires = "wave")]
    wave_scope: Vec<String>,
    /// Write one line for each executed warp instruction; - is standard output
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Give up after so many cycles (model: warp instructions)
    #[arg(long, value_name = "N", default_value_t = MAX_CYCLES)]
    max_cycles: u64,
    /// Cycles from a read request to its answer in global memory
    #[arg(long, value_name = "N", default_value_t = MEMORY_LATENCY, value_parser = clap::value_parser!(u32).range(1..))]
    memory_latency: u32,
    /// How global accesses become requests: by segments, or by the strict rule of the G80's half-warps
    #[arg(long, value_enum, default_value_t = CoalescingName::Segment)]
    coalescing: CoalescingName,
    /// Size of global memory, a multiple of 64
    #[arg(long, value_name = "BYTES", default_value_t = GLOBAL_BYTES)]
    global_size: u32,
    /// Where compiled Verilog is kept
    #[arg(long, value_name = "FOLDER", default_value = "build")]
    build_dir: PathBuf,
}

/// What is done with what a run has come to.
#[derive(Args)]
struct OutcomeArguments {
    /// Write bytes of global memory to a file when the kernel has ended; may be repeated
    #[arg(long, value_name = "FILE@ADDRESS+BYTES")]
    dump: Vec<Dump>,
    /// Print the outcome as one JSON object
    #[arg(long)]
    json: bool,
    /// Print what each SM counted: where its cycles went, memory transactions, divergence, barriers
    #[arg(long)]
    stats: bool,
}

#[derive(Args)]
struct RunArguments {
    #[command(flatten)]
    machine: MachineArguments,
    /// What to run on
    #[arg(long, value_enum, default_value_t = EngineName::Rtl)]
    engine: EngineName,
    /// With the model, run blocks that are independent of each other on N threads, or on all processors
    #[arg(long, value_name = "N", num_args = 0..=1)]
    jobs: Option<Option<NonZeroUsize>>,
    #[command(flatten)]
    outcome: OutcomeArguments,
}

#[derive(Args)]
struct BoardArguments {
    #[command(flatten)]
    kernel: KernelArguments,
    /// Serial device, or pipe:COMMAND for a command of the shell whose standard input and output are the line
    #[arg(long, value_name = "PORT")]
    port: Port,
    /// Bits a second of a serial device
    #[arg(long, value_name = "N", default_value_t = BAUD)]
    baud: u32,
    /// How global accesses become requests: by segments, or by the strict rule of the G80's half-warps
    #[arg(long, value_enum, default_value_t = CoalescingName::Segment)]
    coalescing: CoalescingName,
    /// Size of the kernel's global memory, a multiple of 64; all of the board's, but for local memories, if left out
    #[arg(long, value_name = "BYTES")]
    global_size: Option<u32>,
    /// How long an answer may take before it is asked for again
    #[arg(long, value_name = "SECONDS", default_value_t = ANSWER_SECONDS, value_parser = seconds)]
    answer_timeout: f64,
    /// How long the grid may take before it is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = GRID_SECONDS, value_parser = seconds)]
    grid_timeout: f64,
    #[command(flatten)]
    outcome: OutcomeArguments,
}

#[derive(Args)]
struct LaneTestArguments {
    /// Serial device, or pipe:COMMAND for a command of the shell whose standard input and output are the line
    #[arg(long, value_name = "PORT")]
    port: Port,
    /// Bits a second of a serial device
    #[arg(long, value_name = "N", default_value_t = BAUD)]
    baud: u32,
    /// Operations
    #[arg(long, value_name = "N", default_value_t = OPERATIONS, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// Makes the operations: the same seed gives the same ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How long an answer may take before it is asked for again
    #[arg(long, value_name = "SECONDS", default_value_t = LANE_ANSWER_SECONDS, value_parser = seconds)]
    answer_timeout: f64,
    /// Print the outcome as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BoardName {
    /// The chip with its memories
    #[value(name = "board")]
    Board,
    /// An integer lane alone
    #[value(name = "lane_board")]
    Lane,
}

#[derive(Args)]
struct SimulatedBoardArguments {
    /// The board's circuit, by the name that export-verilog has for it
    #[arg(long, value_enum, default_value_t = BoardName::Board)]
    top: BoardName,
    /// Scalar processors of its streaming multiprocessor
    #[arg(long, default_value = "8", value_parser = ["8", "16", "32"])]
    lanes: String,
}

/// Seconds, more than none and at most a day.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err("expected seconds, above 0 and at most 86400".into()),
    }
}

/// A byte address, decimal or hexadecimal.
fn address(text: &str) -> Result<u32, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "expected a byte address, as 36 or 0x24".into())
}

#[derive(Args)]
struct LockstepArguments {
    #[command(flatten)]
    machine: MachineArguments,
    /// What to compare with the model
    #[arg(long, value_enum, default_value_t = ClockedEngineName::Rtl)]
    engine: ClockedEngineName,
}

#[derive(Args)]
struct JobArguments {
    #[command(flatten)]
    kernel: KernelArguments,
    /// Where to write the job; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Args)]
struct FuzzArguments {
    /// Makes the programs: the same seed and number give the same program
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of the first program
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    /// Programs to run
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: u64,
    /// What the programs are made of
    #[arg(long, value_enum, default_value_t = MixName::Any)]
    mix: MixName,
    /// What to compare with the model
    #[arg(long, value_enum, default_value_t = ClockedEngineName::Rtl)]
    engine: ClockedEngineName,
    /// Scalar processors; random for each program if left out
    #[arg(long, value_parser = ["8", "16", "32"])]
    lanes: Option<String>,
    /// Where a failing program's folder is written
    #[arg(long, value_name = "FOLDER", default_value = "build/fuzz")]
    output: PathBuf,
    /// Print the outcome as one JSON object
    #[arg(long)]
    json: bool,
    /// Where compiled Verilog is kept
    #[arg(long, value_name = "FOLDER", default_value = "build")]
    build_dir: PathBuf,
}

#[derive(Args)]
struct AsmArguments {
    /// The .sass program; with --realign, a .hex or a .vhd
    program: PathBuf,
    /// Where to write the program, .hex, .cubin, .mif or .vhd; words on standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Move the code of a .hex or a .vhd so that all long instructions lie on 8-byte boundaries
    #[arg(long)]
    realign: bool,
    /// With --realign, byte address of the launch's entry
    #[arg(long, value_name = "ADDRESS", requires = "realign", default_value = "0", value_parser = address)]
    entry: u32,
    /// With --realign and -o, print what has changed as one JSON object
    #[arg(long, requires_all = ["realign", "output"])]
    json: bool,
}

#[derive(Args)]
struct DisasmArguments {
    /// The program, .hex, .cubin, .vhd or .sass
    program: PathBuf,
    /// How to write instructions
    #[arg(long, value_enum, default_value_t = StyleName::Plain)]
    style: StyleName,
}

/// Styles of disassembly.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StyleName {
    /// Every bit that matters shows; no blanks before brackets
    Plain,
    /// As cuobjdump printed
    Vendor,
    /// As its earlier versions printed
    EarlyVendor,
}

impl From<StyleName> for Style {
    fn from(name: StyleName) -> Self {
        match name {
            StyleName::Plain => Style::Plain,
            StyleName::Vendor => Style::Vendor,
            StyleName::EarlyVendor => Style::EarlyVendor,
        }
    }
}

#[derive(Args)]
struct ExplainArguments {
    /// Words in hexadecimal: 64 bits, or 32 bits as in listings, a long instruction's low word first
    #[arg(required = true, value_name = "WORD")]
    words: Vec<String>,
}

#[derive(Args)]
struct IsaArguments {
    /// The instruction
    mnemonic: Option<String>,
}

#[derive(Args)]
struct FilterArguments {
    /// What the values are: instruction, or an enum of the circuits, such as IssueCause
    #[arg(long, value_name = "KIND", default_value = gtkwave_filter::INSTRUCTION)]
    kind: String,
}

#[derive(Args)]
struct HelpArguments {
    #[arg(value_parser = ["format"])]
    topic: Option<String>,
}

/// Where the trace goes, and the first error in writing it.
struct Trace {
    path: PathBuf,
    out: Box<dyn Write + Send>,
    error: Option<io::Error>,
}

impl Trace {
    fn open(path: &Path) -> Result<Self, RunError> {
        let out: Box<dyn Write + Send> = if path == Path::new("-") {
            Box::new(BufWriter::new(io::stdout()))
        } else {
            let file = File::create(path);
            let what = format!("cannot write the trace {}", path.display());
            Box::new(BufWriter::new(file.map_err(|error| RunError::Io { what, error })?))
        };
        Ok(Trace {
            path: path.into(),
            out,
            error: None,
        })
    }

    fn record(&mut self, record: &Retire) -> ControlFlow<()> {
        match writeln!(self.out, "{record}") {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.error.get_or_insert(error);
                ControlFlow::Break(())
            }
        }
    }

    fn close(mut self) -> Result<(), RunError> {
        let flushed = self.out.flush();
        match self.error.map_or(flushed, Err) {
            // Who closes the pipe has seen enough.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(RunError::Io {
                what: format!("cannot write the trace {}", self.path.display()),
                error,
            }),
            _ => Ok(()),
        }
    }
}

/// Where global memory ends unless the command line says otherwise.
const GLOBAL_BYTES: u32 = 1 << 20;

impl MachineArguments {
    /// Whether the trace takes standard output.
    fn trace_is_printed(&self) -> bool {
        self.trace.as_deref() == Some(Path::new("-"))
    }

    /// The kernel and the machine, as another command takes them.
    fn again(&self) -> String {
        let mut words = shell_word(self.kernel.kernel.as_os_str());
        for (option, value, usual) in [("lanes", &self.lanes, "8"), ("sms", &self.sms, "1")] {
            if value != usual {
                words += &format!(" --{option} {value}");
            }
        }
        if self.global_size != GLOBAL_BYTES {
            words += &format!(" --global-size {}", self.global_size);
        }
        if self.kernel.unaligned_code {
            words += " --unaligned-code";
        }
        words
    }

    /// The waves to write to `path`.
    fn waves(&self, path: &Path) -> Result<WaveFile, RunError> {
        Ok(WaveFile {
            scopes: self.wave_scope.clone(),
            from: self.wave_from,
            to: self.wave_to.unwrap_or(u64::MAX),
            ..WaveFile::new(path)?
        })
    }

    fn load(&self) -> Result<(Kernel, Options), RunError> {
        let kernel = self.kernel.load()?;
        // The parser admits only numbers.
        let lanes = self.lanes.parse().unwrap_or(8);
        let sms = self.sms.parse().unwrap_or(1);
        let options = Options {
            configuration: Configuration {
                sms,
                ..configuration(lanes, self.global_size)
            },
            max_cycles: self.max_cycles,
            memory_latency: self.memory_latency,
            coalescing: self.coalescing.into(),
            wave: self.wave.as_deref().map(|path| self.waves(path)).transpose()?,
            build: self.build_dir.clone(),
            ..Options::default()
        };
        kernel.check(&options.configuration)?;
        Ok((kernel, options))
    }
}

fn engine(name: EngineName) -> Box<dyn Engine> {
    match name {
        EngineName::Model => Box::new(ModelEngine),
        EngineName::Rtl => Box::new(RtlEngine),
        EngineName::Kernels => Box::new(KernelEngine),
        EngineName::Compiled => Box::new(CompiledEngine),
        EngineName::Verilator => Box::new(VerilatorEngine::default()),
        EngineName::Iverilog => Box::new(IverilogEngine),
    }
}

impl EngineName {
    /// What the engine does first, before it says so itself.
    fn begins_with(self) -> &'static str {
        match self {
            EngineName::Model => "running",
            EngineName::Rtl | EngineName::Compiled => "making machine code of the circuits",
            EngineName::Kernels => "building the circuits",
            EngineName::Verilator => "exporting the Verilog",
            EngineName::Iverilog => "compiling and running the Verilog",
        }
    }
}

/// A word for the shell, in quotes if it needs them.
fn shell_word(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |letter: char| letter.is_alphanumeric() || "_-./:,+=@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// How this program was started, so that what is proposed can be pasted.
fn invocation() -> String {
    // Cargo tells what it runs.
    let by_cargo = std::env::var_os("CARGO_PKG_NAME").is_some_and(|name| name == env!("CARGO_PKG_NAME"));
    if !by_cargo {
        let program = std::env::args_os().next();
        return program.map_or("flexgrip".into(), |program| shell_word(&program));
    }
    // The folder is named by the profile.
    let program = std::env::current_exe().unwrap_or_default();
    let folder = program.parent().and_then(Path::file_name).unwrap_or_default();
    match folder.to_string_lossy().as_ref() {
        "debug" | "" => "cargo run --".into(),
        "release" => "cargo run --release --".into(),
        profile => format!("cargo run --profile {profile} --"),
    }
}

/// What to try after a run that went well.
fn next_step(arguments: &RunArguments) -> String {
    let (program, again) = (invocation(), arguments.machine.again());
    if let Some(wave) = &arguments.machine.wave {
        let save = shell_word(wave.with_extension("gtkw").as_os_str());
        return format!("next: gtkwave {save} shows the waves, stage by stage of the pipeline");
    }
    let lockstep = |engine, more| {
        format!("next: {program} lockstep {again}{engine} compares every instruction with the model{more}")
    };
    match arguments.engine {
        EngineName::Model => format!("next: {program} run {again} runs it on the circuits, cycle by cycle"),
        // Waves would be another compilation, of minutes.
        EngineName::Verilator => lockstep(" --engine verilator", ""),
        // Lockstep is not for Icarus Verilog, and the native engines do the same.
        _ => lockstep("", "; --wave w.vcd shows every signal"),
    }
}

/// Text in colour if somebody looks at it.
fn coloured(text: &str, code: &str, terminal: bool) -> String {
    let plain = !terminal || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if plain {
        text.into()
    } else {
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

const GREEN: &str = "32";
const RED: &str = "31";

fn run(arguments: &RunArguments) -> Result<bool, RunError> {
    let (kernel, mut options) = arguments.machine.load()?;
    if let Some(jobs) = arguments.jobs {
        options.jobs = jobs.unwrap_or_else(processors);
    }
    for dump in &arguments.outcome.dump {
        dump.check(options.configuration.global_bytes)?;
    }
    let mut engine = engine(arguments.engine);
    let mut trace = arguments.machine.trace.as_deref().map(Trace::open).transpose()?;
    let for_people = !arguments.outcome.json && !arguments.machine.trace_is_printed();
    let watch = Watch::start(for_people, engine.name(), arguments.engine.begins_with());
    options.progress = watch.progress();
    let report = match &mut trace {
        None => engine.run(&kernel.launch, &options, None)?,
        Some(trace) => engine.run(&kernel.launch, &options, Some(&mut |record| trace.record(record)))?,
    };
    drop(watch);
    trace.map_or(Ok(()), Trace::close)?;
    if let Some(wave) = &options.wave {
        write_saves(wave, arguments.engine, &options.configuration)?;
        if let Some(cycles) = report.cycles.filter(|cycles| *cycles < wave.from) {
            let (path, from) = (wave.path.display(), wave.from);
            note(format_args!(
                "note: the grid ended in cycle {cycles}; {path} begins with cycle {from}, behind it"
            ));
        }
    }
    let configuration = &options.configuration;
    let summary = Summary::new(&kernel, engine.name(), configuration.lanes, configuration.sms, &report);
    let success = finish(&kernel.launch, &report, &summary, &arguments.outcome)?;
    if success && for_people && io::stderr().is_terminal() {
        note(next_step(arguments));
    }
    Ok(success)
}

/// Dumps and prints what a run has come to.
fn finish(
    launch: &Launch,
    report: &RunReport,
    summary: &Summary,
    arguments: &OutcomeArguments,
) -> Result<bool, RunError> {
    if report.ending == Ending::Complete {
        for dump in &arguments.dump {
            dump.write(&report.global)?;
        }
    }
    if arguments.json {
        print_json(summary)?;
    } else {
        print(&summary.to_string())?;
        if arguments.stats {
            print(&summary.stats())?;
        }
    }
    if let Ending::Failed(error) = report.ending {
        return Err(RunError::of_kernel(launch, error));
    }
    if !arguments.json {
        let colour = if summary.success() { GREEN } else { RED };
        print(&format!(
            "{}\n",
            coloured(&summary.verdict(), colour, io::stdout().is_terminal())
        ))?;
    }
    Ok(summary.success())
}

/// Says that the line is not quite well.
fn tell_repeated(repeated: u32) {
    if repeated > 0 {
        note(format_args!(
            "note: {repeated} requests had to be repeated: noise on the line"
        ));
    }
}

fn run_on_board(arguments: &BoardArguments) -> Result<bool, RunError> {
    let kernel = arguments.kernel.load()?;
    let options = BoardOptions {
        coalescing: arguments.coalescing.into(),
        global_bytes: arguments.global_size,
        grid_time: Duration::from_secs_f64(arguments.grid_timeout),
    };
    let line = arguments.port.open(arguments.baud)?;
    let mut client = Client::new(line, Duration::from_secs_f64(arguments.answer_timeout));
    let (report, machine) = board::run(&mut client, &kernel, &arguments.outcome.dump, &options)?;
    tell_repeated(client.repeated());
    let summary = Summary::new(&kernel, "board", machine.lanes, machine.sms, &report);
    finish(&kernel.launch, &report, &summary, &arguments.outcome)
}

fn simulate_board(arguments: &SimulatedBoardArguments) -> Result<bool, RunError> {
    match arguments.top {
        // The parser admits only numbers.
        BoardName::Board => simulated_board::serve(arguments.lanes.parse().unwrap_or(8), io::stdin(), io::stdout())?,
        BoardName::Lane => simulated_board::serve_lane(io::stdin(), io::stdout())?,
    }
    Ok(true)
}

fn try_lane(arguments: &LaneTestArguments) -> Result<bool, RunError> {
    let line = arguments.port.open(arguments.baud)?;
    let mut client = Client::new(line, Duration::from_secs_f64(arguments.answer_timeout));
    let report = lane_test::run(&mut client, arguments.seed, arguments.count)?;
    tell_repeated(report.repeated);
    if arguments.json {
        print_json(&report)?;
        return Ok(report.r#match);
    }
    let (verdict, colour) = match report.r#match {
        true => ("the board's lane and the arithmetic agree", GREEN),
        false => ("the board's lane and the arithmetic differ", RED),
    };
    let verdict = coloured(verdict, colour, io::stdout().is_terminal());
    print(&format!("{report}{verdict}\n"))?;
    Ok(report.r#match)
}

/// The save files beside waves.
fn write_saves(wave: &WaveFile, engine: EngineName, machine: &Configuration) -> Result<(), RunError> {
    let verilog = match engine {
        EngineName::Verilator => Some(machine_signals(machine.lanes, machine.sms)?),
        _ => None,
    };
    let what = format!("cannot write the save files of {}", wave.path.display());
    write_gtkwave_saves(wave, verilog.as_deref()).map_err(RunError::io(what))?;
    Ok(())
}

fn compare(arguments: &LockstepArguments) -> Result<bool, RunError> {
    let (kernel, mut options) = arguments.machine.load()?;
    let name = EngineName::from(arguments.engine);
    let mut engine = engine(name);
    let mut trace = arguments.machine.trace.as_deref().map(Trace::open).transpose()?;
    let for_people = !arguments.machine.trace_is_printed();
    let watch = Watch::start(for_people, engine.name(), name.begins_with());
    options.progress = watch.progress();
    let (report, compared, difference) = lockstep::run(&mut *engine, &kernel.launch, &options, |record| {
        if let Some(trace) = &mut trace {
            // An error in writing is reported when the trace is closed; the comparison goes on.
            let _ = trace.record(record);
        }
    })?;
    drop(watch);
    trace.map_or(Ok(()), Trace::close)?;
    let terminal = io::stdout().is_terminal();
    let (text, colour) = match &difference {
        Some(difference) => (format!("{} and the model differ: {difference}", engine.name()), RED),
        None => (
            format!("{} and the model agree in {} records", engine.name(), grouped(compared)),
            GREEN,
        ),
    };
    print(&format!("{}\n", coloured(&text, colour, terminal)))?;
    if let (None, Ending::Failed(error)) = (&difference, &report.ending) {
        return Err(RunError::of_kernel(&kernel.launch, *error));
    }
    Ok(difference.is_none())
}

fn run_fuzz(arguments: &FuzzArguments) -> Result<bool, RunError> {
    let mut engine = engine(arguments.engine.into());
    let options = FuzzOptions {
        seed: arguments.seed,
        first: arguments.first,
        count: arguments.count,
        mix: arguments.mix.into(),
        // The parser admits only numbers.
        lanes: arguments.lanes.as_ref().map(|lanes| lanes.parse().unwrap_or(8)),
        build: arguments.build_dir.clone(),
        output: arguments.output.clone(),
    };
    // Before the long part, so that what hinders it is known at once.
    let circuit = circuit_hash(8, 1).map_err(RunError::from)?;
    // On a terminal only; hidden otherwise.
    let bar = indicatif::ProgressBar::new(options.count);
    let report = fuzz(&mut *engine, &options, |report| bar.set_position(report.programs))?;
    bar.finish_and_clear();
    let summary = FuzzSummary::new(engine.name(), circuit, &options, &report);
    if arguments.json {
        print_json(&summary)?;
    } else {
        print(&summary.to_string())?;
        let colour = if summary.matches { GREEN } else { RED };
        print(&format!(
            "{}\n",
            coloured(&summary.verdict(), colour, io::stdout().is_terminal())
        ))?;
    }
    Ok(summary.matches)
}

/// Prints as one JSON object.
fn print_json(value: &impl serde::Serialize) -> Result<(), RunError> {
    let json = serde_json::to_string(value).map_err(|error| RunError::Io {
        what: "cannot make JSON".into(),
        error: error.into(),
    })?;
    print(&format!("{json}\n"))
}

/// Prints; who closes the pipe has seen enough.
fn print(text: &str) -> Result<(), RunError> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(RunError::Io {
            what: "cannot write to standard output".into(),
            error,
        }),
        _ => Ok(()),
    }
}

/// Prints a text, or the error that there is instead of one.
fn print_or_refuse<E: std::fmt::Display>(text: Result<String, E>) -> Result<bool, RunError> {
    match text {
        Ok(text) => print(&text).map(|()| true),
        Err(error) => {
            refuse(&error);
            Ok(false)
        }
    }
}

/// Says on standard error what is wrong.
fn refuse(error: &impl std::fmt::Display) {
    let label = coloured("error:", RED, io::stderr().is_terminal());
    note(format_args!("{label} {error}"));
}

fn asm(arguments: &AsmArguments) -> Result<bool, RunError> {
    if arguments.realign {
        return move_code(arguments);
    }
    let program = assemble_file(&arguments.program)?;
    match &arguments.output {
        None => print(&hex_text(&program.words))?,
        Some(path) => write_file(path, &program_file(&program, path)?)?,
    }
    Ok(true)
}

fn move_code(arguments: &AsmArguments) -> Result<bool, RunError> {
    let (words, changes) = realign_file(&arguments.program, arguments.entry)?;
    match &arguments.output {
        None => {
            print(&hex_text(&words))?;
            note(changes.to_string().trim_end());
        }
        Some(path) => {
            write_file(path, &words_file(&words, path)?)?;
            if arguments.json {
                print_json(&changes)?;
            } else {
                print(&changes.to_string())?;
            }
        }
    }
    Ok(true)
}

fn write_job(arguments: &JobArguments) -> Result<bool, RunError> {
    let kernel = arguments.kernel.load()?;
    let options = Options::default();
    kernel.check(&options.configuration)?;
    let text = job(&kernel.launch, &options);
    match &arguments.output {
        None => print(&text)?,
        Some(path) => write_file(path, &text)?,
    }
    Ok(true)
}

fn filter(arguments: &FilterArguments) -> Result<(), RunError> {
    let kind = gtkwave_filter::Kind::named(&arguments.kind)?;
    let what = "cannot answer GTKWave";
    gtkwave_filter::serve(&kind, io::stdin().lock(), io::stdout().lock()).map_err(RunError::io(what))
}

/// The arguments of this process. GTKWave hands over all that stands behind a filter's program as one argument.
fn arguments() -> Vec<OsString> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let [program, one] = &arguments[..] {
        let words: Vec<&str> = one.to_str().unwrap_or_default().split_whitespace().collect();
        if words.len() > 1 && words[0] == gtkwave_filter::COMMAND {
            return std::iter::once(program.clone())
                .chain(words.into_iter().map(OsString::from))
                .collect();
        }
    }
    arguments
}

fn main() -> ExitCode {
    let cli = Cli::parse_from(arguments());
    let result = match &cli.command {
        Command::Run(arguments) => run(arguments),
        Command::Board(arguments) => run_on_board(arguments),
        Command::LaneTest(arguments) => try_lane(arguments),
        Command::SimulatedBoard(arguments) => simulate_board(arguments),
        Command::Lockstep(arguments) => compare(arguments),
        Command::Fuzz(arguments) => run_fuzz(arguments),
        Command::Job(arguments) => write_job(arguments),
        Command::Asm(arguments) => asm(arguments),
        Command::Disasm(arguments) => load_program(&arguments.program)
            .map_err(RunError::from)
            .and_then(|program| print(&program_listing(&program, arguments.style.into())))
            .map(|()| true),
        Command::Explain(ExplainArguments { words }) => print_or_refuse(explanations(words)),
        Command::Isa(IsaArguments { mnemonic: None }) => print(&text_overview()).map(|()| true),
        Command::Isa(IsaArguments { mnemonic: Some(name) }) => print_or_refuse(text_page(name)),
        Command::GtkwaveFilter(arguments) => filter(arguments).map(|()| true),
        Command::Help(HelpArguments { topic: Some(_) }) => print(LAUNCH_FORMAT).map(|()| true),
        Command::Help(HelpArguments { topic: None }) => {
            use clap::CommandFactory;
            print(&Cli::command().render_help().to_string()).map(|()| true)
        }
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            refuse(&error);
            ExitCode::FAILURE
        }
    }
}
