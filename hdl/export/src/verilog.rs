//! The circuits as Verilog: which of them can be exported as a top module, and what their modules are called.
//!
//! The exporter names a module by its instance; the names here say what it is. They go by the module that holds the
//! instance and the instance's name, so that one entry serves every lane and every top.

use flexgrip_hdl::big_stack::{on_big_stack, BigStackError};
use flexgrip_hdl::board::gpgpu_board::{BoardSizes, GLOBAL_BYTES};
use flexgrip_hdl::board::CLOCKS_PER_BIT;
use flexgrip_hdl::memory::{are_registers, MemorySizes, LEAST_REGISTERS, REGISTERS};
pub use flexgrip_hdl::tops::Top;
use flexgrip_machine::sizes::{Lanes, Sms};
use hdlkit::verilog::{export, ExportError, ExportOptions};
use sha2::{Digest, Sha256};

/// Why there is no Verilog.
#[derive(Debug, thiserror::Error)]
pub enum VerilogError {
    /// There is no machine of these sizes.
    #[error("{0}")]
    Machine(String),
    /// A defect in the circuits or in the exporter.
    #[error("Verilog export: {0}")]
    Export(#[from] ExportError),
    #[error("Verilog export: {0}")]
    Stack(#[from] BigStackError),
}

/// Names of modules: the module that holds the instance, the instance (of an array without its index), the name. Others
/// are called as their instances.
const MODULES: &[(&str, &str, &str)] = &[
    ("board", "receiver", "uart_receiver"),
    ("board", "transmitter", "uart_transmitter"),
    ("board", "host", "serial_host"),
    ("board", "memory", "block_memory"),
    ("serial_host", "reader", "frame_reader"),
    ("serial_host", "writer", "frame_writer"),
    ("serial_host", "buffer", "frame_buffer"),
    ("block_memory", "memory", "global_memory_bank"),
    ("gpgpu_wishbone", "master", "wishbone_master"),
    ("gpgpu_axi", "master", "axi4_master"),
    ("gpgpu_axi", "slave", "axi4_lite_slave"),
    ("wishbone_master", "awaited", "awaited_word_queue"),
    ("axi4_master", "bursts", "awaited_burst_queue"),
    ("gpgpu", "host", "host_interface"),
    ("gpgpu", "sm", "streaming_multiprocessor"),
    ("gpgpu", "accounts", "issue_account"),
    ("gpgpu", "clocks", "clock_register"),
    ("gpgpu", "events", "event_counters"),
    ("issue_account", "account", "counting_memory"),
    ("host_interface", "parameters", "parameter_memory"),
    ("block_scheduler", "lanes", "thread_index_lane"),
    ("block_scheduler", "tid_sum", "thread_index_sum"),
    ("block_scheduler", "warp_places", "warp_place_table"),
    ("block_scheduler", "slot_places", "block_slot_table"),
    ("block_scheduler", "slots", "block_slots"),
    ("block_slots", "remaining", "remaining_warps_table"),
    ("block_slots", "slot_of", "slot_of_warp_table"),
    ("port_arbiter", "owners", "request_owner_queue"),
    ("thread_index_lane", "sum", "thread_index_sum"),
    ("streaming_multiprocessor", "scheduler", "warp_scheduler"),
    ("streaming_multiprocessor", "branch", "branch_unit"),
    ("streaming_multiprocessor", "barriers", "barrier_unit"),
    ("streaming_multiprocessor", "memory", "global_memory_unit"),
    ("streaming_multiprocessor", "identity", "warp_identity_table"),
    ("decode", "take_layout", "decode_layout"),
    ("decode", "rows", "decode_rows"),
    ("decode", "lines", "decode_lines"),
    ("decode", "operands", "decode_operands"),
    ("decode", "places", "decode_places"),
    ("fetch", "arbiter", "round_robin_arbiter"),
    ("fetch", "next_word", "fetch_address_table"),
    ("fetch", "lower", "instruction_half_buffer"),
    ("fetch", "upper", "instruction_half_buffer"),
    ("instruction_memory", "memory", "instruction_ram"),
    ("constant_memory", "memory", "constant_ram"),
    ("shared_memory", "bank", "shared_memory_bank"),
    ("register_file", "bank", "register_bank"),
    ("warp_scheduler", "arbiter", "round_robin_arbiter"),
    ("warp_scheduler", "pc", "pc_table"),
    ("scoreboard", "issued", "issued_set_table"),
    ("scoreboard", "written", "written_set_table"),
    ("scoreboard", "released", "released_set_table"),
    ("scoreboard", "live_a", "set_member"),
    ("scoreboard", "pending_b", "set_group"),
    ("read", "warp_context", "warp_context_table"),
    ("read", "condition", "condition_test"),
    ("read", "lane", "operand_lane"),
    ("streaming_multiprocessor", "collector", "operand_collector"),
    ("operand_collector", "shared_row", "shared_row_table"),
    ("operand_collector", "instructions", "collected_instruction_table"),
    ("operand_collector", "gathered_place", "gathered_place_table"),
    ("operand_collector", "addresses", "warp_address_queue"),
    ("operand_collector", "data", "warp_data_queue"),
    ("operand_collector", "select", "bank_select"),
    ("operand_collector", "buffer", "gather_buffer"),
    ("address_file", "bank", "address_bank"),
    (
        "streaming_multiprocessor",
        "special_functions",
        "special_function_queue",
    ),
    ("execute", "lane", "integer_lane"),
    ("lane_board", "host", "lane_host"),
    ("lane_host", "lane", "integer_lane"),
    ("execute", "floats", "float_pipeline"),
    ("execute", "late", "late_results"),
    ("float_pipeline", "lane", "float_lane"),
    ("late_results", "lane", "late_result_lane"),
    ("float_lane", "unpack", "float_unpack"),
    ("float_lane", "pack", "float_pack"),
    ("float_pack", "normaliser", "float_normaliser"),
    ("special_function_queue", "first_unit", "special_function_unit"),
    ("special_function_queue", "second_unit", "special_function_unit"),
    ("special_function_queue", "operands", "lane_word_queue"),
    ("special_function_queue", "results", "special_result_queue"),
    ("special_function_queue", "writes", "special_write_queue"),
    ("special_function_queue", "controls", "special_control_queue"),
    ("special_function_unit", "normaliser", "special_normaliser"),
    ("coefficients", "memory", "coefficient_ram"),
    ("special_function_unit", "linear", "special_product"),
    ("special_function_unit", "quadratic", "special_product"),
    ("writeback", "lane", "write_lane"),
    ("branch_unit", "stack", "divergence_stack"),
    ("branch_unit", "active", "warp_mask_table"),
    ("branch_unit", "depth", "stack_depth_table"),
    ("barrier_unit", "slots", "warp_slot_table"),
    ("barrier_unit", "pcs", "pc_table"),
    ("barrier_unit", "live", "live_warps_table"),
    ("barrier_unit", "marks", "barrier_marks_table"),
    ("barrier_unit", "entries", "barrier_table"),
    ("divergence_stack", "memory", "divergence_ram"),
    ("global_memory_unit", "check", "access_check"),
    ("global_memory_unit", "queue", "access_queue"),
    ("global_memory_unit", "addresses", "lane_address_queue"),
    ("global_memory_unit", "first", "leader"),
    ("global_memory_unit", "following", "leader"),
    ("global_memory_unit", "words", "store_words"),
    ("global_memory_unit", "records", "load_record_queue"),
    ("global_memory_unit", "record_lanes", "load_record_lane_queue"),
    ("global_memory_unit", "responses", "response_queue"),
    ("global_memory_unit", "load_data", "load_assembly"),
];

/// The module's name for the block at a path such as `gpgpu.sm.execute.lane[3]`.
fn module_name(path: &str) -> Option<String> {
    let mut names = path
        .split('.')
        .map(|segment| segment.split('[').next().unwrap_or(segment));
    let mut module = names.next()?;
    for instance in names {
        let known = MODULES
            .iter()
            .find(|(parent, child, _)| (*parent, *child) == (module, instance));
        module = known.map_or(instance, |(_, _, name)| name);
    }
    Some(module.to_owned())
}

fn text(top: Top, lanes: Lanes, sms: Sms, sizes: BoardSizes) -> Result<String, VerilogError> {
    let mut options = ExportOptions::new(top.name());
    options.header = format!(
        "FlexGrip, an open G80 GPU: {}, {lanes} scalar processors in a streaming multiprocessor{}.\n\
         Written by export-verilog; the circuits are in hdl/src. MIT or Apache-2.0.",
        top.name(),
        if top.has_sms() && sms != Sms::One {
            format!(", {sms} of them")
        } else {
            String::new()
        }
    );
    options.name_of = Box::new(module_name);
    Ok(export(&*top.circuit(lanes, sms, sizes), &options)?)
}

/// The Verilog of a circuit of a machine with `lanes` lanes in each of `sms` SMs.
///
/// # Errors
/// There is no such circuit, as a board with several SMs, or it has no exact Verilog.
pub fn verilog(top: Top, lanes: Lanes, sms: Sms) -> Result<String, VerilogError> {
    verilog_with_memories(top, lanes, sms, top.memories())
}

/// What says which circuits a check was made with: the SHA-256 of the Verilog of [`Top::Gpgpu`], in hexadecimal.
///
/// # Errors
/// As [`verilog`].
pub fn circuit_hash(lanes: Lanes, sms: Sms) -> Result<String, VerilogError> {
    let digest = Sha256::digest(verilog(Top::Gpgpu, lanes, sms)?);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// As [`verilog`], with memories of these sizes, powers of two.
///
/// # Errors
/// As [`verilog`], and memories that do not fit the host's map.
pub fn verilog_with_memories(top: Top, lanes: Lanes, sms: Sms, memories: MemorySizes) -> Result<String, VerilogError> {
    let sizes = BoardSizes {
        memories,
        ..BoardSizes::SMALL
    };
    verilog_with_sizes(top, lanes, sms, sizes)
}

/// The Verilog of the module `board`: a [`Board`](flexgrip_hdl::board::gpgpu_board::Board) with `lanes` lanes, a serial line of `clocks_per_bit` clock
/// cycles a bit, 4 to 65,536, and the memories of [`BoardSizes::SMALL`].
///
/// # Errors
/// There is no such board, or the circuits have no exact Verilog.
pub fn board_verilog(lanes: Lanes, clocks_per_bit: u32) -> Result<String, VerilogError> {
    let sizes = BoardSizes {
        clocks_per_bit,
        ..BoardSizes::SMALL
    };
    verilog_with_sizes(Top::Board, lanes, Sms::One, sizes)
}

/// The Verilog of the module `lane_board`: a [`LaneBoard`](flexgrip_hdl::board::lane_board::LaneBoard) with a serial line of `clocks_per_bit` clock cycles a bit, 4 to 65,536.
///
/// # Errors
/// There is no such line, or the circuits have no exact Verilog.
pub fn lane_board_verilog(clocks_per_bit: u32) -> Result<String, VerilogError> {
    let sizes = BoardSizes {
        clocks_per_bit,
        ..BoardSizes::SMALL
    };
    verilog_with_sizes(Top::LaneBoard, Lanes::Eight, Sms::One, sizes)
}

/// As [`verilog_with_memories`], with all sizes that a board has; only [`Top::Board`] has others than the memories', and
/// [`Top::LaneBoard`] has a serial line.
///
/// # Errors
/// As [`verilog_with_memories`], and a serial line or a global memory that no board has.
pub fn verilog_with_sizes(top: Top, lanes: Lanes, sms: Sms, sizes: BoardSizes) -> Result<String, VerilogError> {
    let BoardSizes {
        memories,
        clocks_per_bit,
        global_bytes,
    } = sizes;
    if !CLOCKS_PER_BIT.contains(&clocks_per_bit) {
        return Err(VerilogError::Machine(format!(
            "a bit on the serial line has {} to {} clock cycles, not {clocks_per_bit}",
            CLOCKS_PER_BIT.start(),
            CLOCKS_PER_BIT.end()
        )));
    }
    if !global_bytes.is_power_of_two() || !GLOBAL_BYTES.contains(&global_bytes) {
        return Err(VerilogError::Machine(format!(
            "global memory on a board has a power of two of {} to {} bytes, not {global_bytes}",
            GLOBAL_BYTES.start(),
            GLOBAL_BYTES.end()
        )));
    }
    let fits = |bytes: u32, most: u32| bytes.is_power_of_two() && (16..=most).contains(&bytes);
    let most = MemorySizes::MOST;
    if !fits(memories.instructions, most.instructions) || !fits(memories.constants, most.constants) {
        return Err(VerilogError::Machine(format!(
            "instruction and constant memory have a power of two of at least 16 bytes, at most {} and {}; {} and {} are asked for",
            most.instructions, most.constants, memories.instructions, memories.constants
        )));
    }
    let registers = memories.registers;
    if !are_registers(registers) {
        return Err(VerilogError::Machine(format!(
            "an SM has a power of two of {LEAST_REGISTERS} to {REGISTERS} registers, not {registers}"
        )));
    }
    if top == Top::Board && sms != Sms::One {
        return Err(VerilogError::Machine(format!("a board has 1 SM, not {sms}")));
    }
    on_big_stack(|| text(top, lanes, sms, sizes))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_by_place() {
        let name = |path| module_name(path).unwrap();
        assert_eq!(name("gpgpu"), "gpgpu");
        assert_eq!(name("gpgpu.sm[1]"), "streaming_multiprocessor");
        assert_eq!(name("gpgpu.sm[1].execute.lane[3]"), "integer_lane");
        assert_eq!(name("gpgpu.sm[1].execute.lane[3].multiplier"), "multiplier");
        assert_eq!(name("lane_board.host.lane.multiplier"), "multiplier");
        assert_eq!(name("streaming_multiprocessor.memory.queue"), "access_queue");
    }

    /// The names of the modules that a text defines.
    fn modules(verilog: &str) -> Vec<&str> {
        verilog
            .lines()
            .filter_map(|line| line.strip_prefix("module ")?.split([' ', '(']).next())
            .collect()
    }

    #[test]
    fn every_top_is_exported_under_its_name_and_no_name_needs_a_number() {
        for top in Top::ALL {
            let verilog = verilog(top, Lanes::Eight, if top == Top::Board { Sms::One } else { Sms::Two }).unwrap();
            let modules = modules(&verilog);
            assert_eq!(modules.first(), Some(&top.name()));
            for module in &modules {
                let numbered = module.trim_end_matches(|c: char| c.is_ascii_digit()).ends_with('_');
                assert!(!numbered, "{module}: its name does not tell what it is: {modules:?}");
            }
        }
    }

    #[test]
    fn every_listed_name_is_used() {
        let chips =
            [Top::Gpgpu, Top::GpgpuWishbone, Top::GpgpuAxi].map(|top| verilog(top, Lanes::Eight, Sms::Two).unwrap());
        let boards = [
            board_verilog(Lanes::Eight, 217).unwrap(),
            lane_board_verilog(12).unwrap(),
        ];
        let chips = chips.into_iter().chain(boards);
        let chips: Vec<String> = chips.collect();
        let modules: Vec<&str> = chips.iter().flat_map(|verilog| modules(verilog)).collect();
        for (parent, instance, name) in MODULES {
            // Instances that share a body share the first one's name.
            assert!(
                modules.contains(name),
                "{parent}.{instance} is no module {name}: {modules:?}"
            );
        }
    }

    #[test]
    fn machines_that_do_not_exist() {
        assert!(verilog(Top::Board, Lanes::Eight, Sms::Two).is_err());
        for clocks_per_bit in [3, 65_537, u32::MAX] {
            assert!(board_verilog(Lanes::Eight, clocks_per_bit).is_err());
        }
        assert!(lane_board_verilog(3).is_err());
        for global_bytes in [0, 128, 3 << 10, 1 << 22] {
            let sizes = BoardSizes {
                global_bytes,
                ..BoardSizes::SMALL
            };
            assert!(verilog_with_sizes(Top::Board, Lanes::Eight, Sms::One, sizes).is_err());
        }
    }
}
