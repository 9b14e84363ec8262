//! The circuits as Verilog: the available top modules, and their sizes.

use flexgrip_hdl::big_stack::{on_big_stack, BigStackError};
pub use flexgrip_hdl::board::gpgpu_board::BoardSizes;
use flexgrip_hdl::board::gpgpu_board::GLOBAL_BYTES;
use flexgrip_hdl::board::CLOCKS_PER_BIT;
use flexgrip_hdl::memory::{are_registers, MemorySizes, LEAST_REGISTERS, REGISTERS};
use flexgrip_hdl::parameters::MachineParameters;
pub use flexgrip_hdl::tops::Top;
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::{Capability, Protect};
use hdlkit::verilog::{export, ExportError, ExportOptions};
use sha2::{Digest, Sha256};

/// The reason why there is no Verilog.
#[derive(Debug, thiserror::Error)]
pub enum VerilogError {
    /// There is no machine of these sizes.
    #[error("{0}")]
    Machine(String),
    /// A defect in the circuits or in the exporter.
    #[error("Verilog export: {0}")]
    Export(#[from] ExportError),
    /// A thread with a large stack cannot be started, or the circuits panicked.
    #[error("Verilog export: {0}")]
    Stack(#[from] BigStackError),
}

fn text(top: Top, lanes: Lanes, sms: Sms, sizes: BoardSizes, own_registers: bool) -> Result<String, VerilogError> {
    let mut options = ExportOptions::new(top.name());
    options.own_registers = own_registers;
    options.header = format!(
        "FlexGrip, an open G80 GPU: {}, {lanes} scalar processors in a streaming multiprocessor{}{}{}.\n\
         Written by export-verilog; the circuits are in hdl/src. MIT or Apache-2.0.",
        top.name(),
        if top.has_sms() && sms != Sms::One { format!(", {sms} of them") } else { String::new() },
        match sizes.capability {
            Capability::V1_0 => String::new(),
            later => format!(", compute capability {later}"),
        },
        match sizes.protect {
            Protect::None => String::new(),
            protect => format!(", protected: {protect}"),
        }
    );
    Ok(export(&*top.circuit(lanes, sms, sizes), &options)?)
}

/// The Verilog of a circuit of a machine of capability 1.0 with `lanes` lanes in each of `sms` SMs.
///
/// # Errors
/// There is no such circuit, for example a board with several SMs, or it has no exact Verilog.
pub fn verilog(top: Top, lanes: Lanes, sms: Sms) -> Result<String, VerilogError> {
    verilog_with_memories(top, lanes, sms, top.memories())
}

/// The Verilog of a whole machine, [`Top::Gpgpu`].
///
/// # Errors
/// The circuits do not have the capability, or have no exact Verilog.
pub fn machine_verilog(parameters: MachineParameters) -> Result<String, VerilogError> {
    verilog_with_sizes(Top::Gpgpu, parameters.lanes, parameters.sms, sizes_of(parameters))
}

/// The sizes of a whole machine.
fn sizes_of(MachineParameters { capability, protect, .. }: MachineParameters) -> BoardSizes {
    BoardSizes { memories: Top::Gpgpu.memories(), capability, protect, ..BoardSizes::SMALL }
}

/// Returns the SHA-256 of the Verilog of [`Top::Gpgpu`], in hexadecimal. It identifies the circuits of a test run.
///
/// # Errors
/// The errors of [`machine_verilog`].
pub fn circuit_hash(parameters: MachineParameters) -> Result<String, VerilogError> {
    let digest = Sha256::digest(machine_verilog(parameters)?);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Like [`verilog`], with memories of these sizes, which are powers of two.
///
/// # Errors
/// The errors of [`verilog`], and memories that do not fit the host's map.
pub fn verilog_with_memories(top: Top, lanes: Lanes, sms: Sms, memories: MemorySizes) -> Result<String, VerilogError> {
    let sizes = BoardSizes { memories, ..BoardSizes::SMALL };
    verilog_with_sizes(top, lanes, sms, sizes)
}

/// Like [`verilog_with_memories`], with all sizes of a board. [`Top::LaneBoard`] uses only `clocks_per_bit`; the other
/// tops except [`Top::Board`] use only the memory sizes.
///
/// # Errors
/// The errors of [`verilog_with_memories`], or no board has this serial line or global memory.
pub fn verilog_with_sizes(top: Top, lanes: Lanes, sms: Sms, sizes: BoardSizes) -> Result<String, VerilogError> {
    let BoardSizes { memories, clocks_per_bit, global_bytes, .. } = sizes;
    if !CLOCKS_PER_BIT.contains(&clocks_per_bit) {
        return Err(VerilogError::Machine(format!(
            "the serial line has {clocks_per_bit} clock cycles per bit; expected {} to {}",
            CLOCKS_PER_BIT.start(),
            CLOCKS_PER_BIT.end()
        )));
    }
    if !global_bytes.is_power_of_two() || !GLOBAL_BYTES.contains(&global_bytes) {
        return Err(VerilogError::Machine(format!(
            "a board has {global_bytes} bytes of global memory; expected a power of two from {} to {}",
            GLOBAL_BYTES.start(),
            GLOBAL_BYTES.end()
        )));
    }
    let fits = |bytes: u32, most: u32| bytes.is_power_of_two() && (16..=most).contains(&bytes);
    let most = MemorySizes::MOST;
    if !fits(memories.instructions, most.instructions) || !fits(memories.constants, most.constants) {
        return Err(VerilogError::Machine(format!(
            "instruction and constant memory have {} and {} bytes; expected a power of two of at least 16, at most {} \
             and {}",
            memories.instructions, memories.constants, most.instructions, most.constants
        )));
    }
    let registers = memories.registers;
    if !are_registers(registers) {
        return Err(VerilogError::Machine(format!(
            "an SM has {registers} registers; expected a power of two from {LEAST_REGISTERS} to {REGISTERS}"
        )));
    }
    if top == Top::Board && sms != Sms::One {
        return Err(VerilogError::Machine(format!("a board has {sms} SMs; expected 1")));
    }
    let duplicates = sizes.protect.has_second_scheduler();
    if sizes.protect != Protect::None && (!top.has_registers() || duplicates && top == Top::RegisterFile) {
        return Err(VerilogError::Machine(format!(
            "{} cannot be protected with {}; expected a top with an SM{}",
            top.name(),
            sizes.protect,
            if duplicates { "" } else { ", or register_file" }
        )));
    }
    on_big_stack(|| text(top, lanes, sms, sizes, false))?
}

/// The Verilog of [`Top::Gpgpu`] with a separate signal for every register, so faults can be injected in it. Otherwise
/// a register that only drives an output port has the port's name.
///
/// # Errors
/// The errors of [`machine_verilog`].
pub fn verilog_with_registers(parameters: MachineParameters) -> Result<String, VerilogError> {
    let sizes = sizes_of(parameters);
    on_big_stack(|| text(Top::Gpgpu, parameters.lanes, parameters.sms, sizes, true))?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the modules defined in a text.
    fn modules(verilog: &str) -> Vec<&str> {
        verilog.lines().filter_map(|line| line.strip_prefix("module ")?.split([' ', '(']).next()).collect()
    }

    #[test]
    fn modules_and_memories_have_readable_names() {
        let verilog = verilog(Top::Gpgpu, Lanes::Eight, Sms::Two).unwrap();
        let modules = modules(&verilog);
        for name in ["operand_lane", "integer_lane", "warp_scheduler_pc", "register_file_bank"] {
            assert_eq!(modules.iter().filter(|module| **module == name).count(), 1, "{name}: {modules:?}");
        }
    }

    #[test]
    fn tops_and_modules_have_names_without_numbers() {
        for top in Top::ALL {
            let verilog = verilog(top, Lanes::Eight, if top == Top::Board { Sms::One } else { Sms::Two }).unwrap();
            let modules = modules(&verilog);
            assert_eq!(modules.first(), Some(&top.name()));
            for module in &modules {
                let numbered = module.trim_end_matches(|c: char| c.is_ascii_digit()).ends_with('_');
                assert!(!numbered, "{module}: the name does not describe the module: {modules:?}");
            }
        }
    }

    #[test]
    fn impossible_machines_are_errors() {
        assert!(verilog(Top::Board, Lanes::Eight, Sms::Two).is_err());
        for clocks_per_bit in [3, 65_537, u32::MAX] {
            let sizes = BoardSizes { clocks_per_bit, ..BoardSizes::SMALL };
            for top in [Top::Board, Top::LaneBoard] {
                assert!(verilog_with_sizes(top, Lanes::Eight, Sms::One, sizes).is_err());
            }
        }
        for (top, protect) in [(Top::IntegerLane, Protect::Parity), (Top::RegisterFile, Protect::Full)] {
            let protected = BoardSizes { protect, ..BoardSizes::SMALL };
            assert!(verilog_with_sizes(top, Lanes::Eight, Sms::One, protected).is_err());
        }
        for global_bytes in [0, 128, 3 << 10, 1 << 22] {
            let sizes = BoardSizes { global_bytes, ..BoardSizes::SMALL };
            assert!(verilog_with_sizes(Top::Board, Lanes::Eight, Sms::One, sizes).is_err());
        }
    }
}
