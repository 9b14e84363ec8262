//! Writes the machine's circuits as Verilog.

#![warn(clippy::unwrap_used)]

use clap::Parser;
use flexgrip_export::c_header::c_header;
use flexgrip_export::decoder::{decoder_verilog, module_name, row_names};
use flexgrip_export::register_map::svd;
use flexgrip_export::size_arguments::{capability, lanes, protect, sms};
use flexgrip_export::verilog::{verilog_with_sizes, Top};
use flexgrip_gpu_isa::Set;
use flexgrip_hdl::board::gpgpu_board::BoardSizes;
use flexgrip_hdl::memory::MemorySizes;
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::{Capability, Protect};
use hdlkit::output::{note, write_atomically};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  export-verilog                                   into build/verilog/gpgpu_8.v
  export-verilog --sms 4                           into build/verilog/gpgpu_8x4.v
  export-verilog --lanes 32 -o gpgpu.v --header flexgrip_host_map.h --svd flexgrip.svd
  export-verilog --capability 1.2                  with votes; into build/verilog/gpgpu_8_sm_12.v
  export-verilog --protect secded                  corrects flipped bits of registers; into
                                                   build/verilog/gpgpu_8_secded.v
  export-verilog --top gpgpu_axi --sms 2           the chip on AXI buses, into build/verilog/gpgpu_axi_8x2.v
  export-verilog --instruction-bytes 32768 --constant-bytes 8192 -o small.v
                                                   for an FPGA with less than 320 KiB of memory
  export-verilog --top board --clocks-per-bit 434   with a serial line of 115200 baud at 50 MHz, into
                                                   build/verilog/board_8.v
  export-verilog --top lane_board --clocks-per-bit 12
                                                   one integer lane with a serial line of 1000000 baud at 12 MHz
  export-verilog --top integer_lane -o - | less
  export-verilog --isa g13                         the decoder of Apple G13, into build/verilog/g13_decode.v
  export-verilog --isa sm60 --rows sm60_rows.txt   another decoder, and its rows' names for GTKWave's translate filter";

/// Writes the machine's circuits as Verilog-2005. Prints the path of the written file.
#[derive(Parser)]
#[command(name = "export-verilog", version, after_help = EXAMPLES)]
struct Cli {
    /// Scalar processors per streaming multiprocessor
    #[arg(long, default_value_t, value_parser = lanes())]
    lanes: Lanes,
    /// Streaming multiprocessors
    #[arg(long, default_value_t, value_parser = sms())]
    sms: Sms,
    /// Compute capability of the circuits
    #[arg(long, value_name = "VERSION", default_value_t, value_parser = capability())]
    capability: Capability,
    /// Protection of the circuits from flipped bits
    #[arg(long, value_name = "CODE", default_value_t, value_parser = protect())]
    protect: Protect,
    /// The top module
    #[arg(long, default_value = "gpgpu", value_parser = Top::ALL.map(Top::name))]
    top: String,
    /// Export the decoder of another instruction set, from its table, instead of the machine
    #[arg(long, value_name = "NAME", value_parser = set, conflicts_with_all = MACHINE_ONLY)]
    isa: Option<&'static Set>,
    /// Also write the names of the decoder's rows, as a translate file for GTKWave
    #[arg(long, value_name = "FILE", requires = "isa")]
    rows: Option<PathBuf>,
    /// Instruction memory, in bytes: a power of two [default: 262144, for a board 16384]
    #[arg(long, value_name = "BYTES")]
    instruction_bytes: Option<u32>,
    /// Constant memory, in bytes: a power of two; addresses beyond it in the 16 banks of 4 KiB read as 0 [default:
    /// 65536, for a board 8192]
    #[arg(long, value_name = "BYTES")]
    constant_bytes: Option<u32>,
    /// Registers of an SM: 4096, 8192 or 16384 [default: 16384, for a board 8192]
    #[arg(long, value_name = "N")]
    registers: Option<u32>,
    /// Global memory of a board, in bytes: a power of two [default: 65536]
    #[arg(long, value_name = "BYTES")]
    global_bytes: Option<u32>,
    /// Clock cycles per bit on a board's serial line: the clock frequency divided by the baud rate [default: 217]
    #[arg(long, value_name = "N")]
    clocks_per_bit: Option<u32>,
    /// Output file; - is standard output [default: build/verilog/TOP_LANES.v, with several SMs TOP_LANESxSMS.v, of a
    /// later capability TOP_LANES_sm_12.v, protected TOP_LANES_secded.v, of a decoder NAME_decode.v]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Also write the host's address map as a C header
    #[arg(long, value_name = "FILE")]
    header: Option<PathBuf>,
    /// Also write the host's address map as a CMSIS-SVD file
    #[arg(long, value_name = "FILE")]
    svd: Option<PathBuf>,
}

/// The options that conflict with `--isa`.
const MACHINE_ONLY: [&str; 12] = [
    "lanes",
    "sms",
    "capability",
    "protect",
    "top",
    "instruction_bytes",
    "constant_bytes",
    "registers",
    "global_bytes",
    "clocks_per_bit",
    "header",
    "svd",
];

/// The instruction set of this name.
fn set(name: &str) -> Result<&'static Set, String> {
    flexgrip_gpu_isa::set(name).ok_or_else(|| format!("expected one of {}", flexgrip_gpu_isa::set_names()))
}

/// Writes the files; `-` is standard output.
fn write(files: Vec<(PathBuf, String)>) -> ExitCode {
    for (path, text) in files {
        if path == Path::new("-") {
            // A closed pipe means that the reader has seen enough.
            use std::io::Write;
            let _ = std::io::stdout().write_all(text.as_bytes());
        } else if let Err(error) = write_atomically(&path, &text) {
            note(format_args!("error: cannot write {}: {error}", path.display()));
            return ExitCode::FAILURE;
        } else {
            note(format_args!("wrote {}", path.display()));
        }
    }
    ExitCode::SUCCESS
}

/// Writes the decoder of a set.
fn export_decoder(set: &'static Set, output: Option<PathBuf>, rows: Option<PathBuf>) -> ExitCode {
    match decoder_verilog(set) {
        Ok(verilog) => {
            let path = output.unwrap_or_else(|| format!("build/verilog/{}.v", module_name(set)).into());
            let rows = rows.map(|path| (path, row_names(set)));
            write(std::iter::once((path, verilog)).chain(rows).collect())
        }
        Err(error) => {
            note(format_args!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Some(set) = cli.isa {
        return export_decoder(set, cli.output, cli.rows);
    }
    let (lanes, sms) = (cli.lanes, cli.sms);
    let top = Top::ALL.into_iter().find(|top| top.name() == cli.top).unwrap_or(Top::Gpgpu);
    if top != Top::Board && cli.global_bytes.is_some() {
        note(format_args!("error: --global-bytes is for --top board, not {}", top.name()));
        return ExitCode::from(2);
    }
    if !top.has_line() && cli.clocks_per_bit.is_some() {
        note(format_args!("error: --clocks-per-bit is for --top board and --top lane_board, not {}", top.name()));
        return ExitCode::from(2);
    }
    let sizes = BoardSizes {
        clocks_per_bit: cli.clocks_per_bit.unwrap_or(BoardSizes::SMALL.clocks_per_bit),
        memories: MemorySizes {
            instructions: cli.instruction_bytes.unwrap_or(top.memories().instructions),
            constants: cli.constant_bytes.unwrap_or(top.memories().constants),
            registers: cli.registers.unwrap_or(top.memories().registers),
        },
        capability: cli.capability,
        protect: cli.protect,
        global_bytes: cli.global_bytes.unwrap_or(BoardSizes::SMALL.global_bytes),
    };
    let verilog = match verilog_with_sizes(top, lanes, sms, sizes) {
        Ok(verilog) => verilog,
        Err(error) => {
            note(format_args!("error: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let path = cli.output.unwrap_or_else(|| {
        let sizes = if sms == Sms::One { lanes.to_string() } else { format!("{lanes}x{sms}") };
        let later = cli.capability.suffix();
        let protected = cli.protect.suffix();
        PathBuf::from(format!("build/verilog/{}_{sizes}{later}{protected}.v", top.name()))
    });
    let mut files = vec![(path, verilog)];
    files.extend(cli.header.map(|path| (path, c_header())));
    files.extend(cli.svd.map(|path| (path, svd(lanes, sms))));
    write(files)
}
