//! The machine's signals, with their names in its Verilog; the Verilog itself is `flexgrip-export`'s.

use crate::engine::RunError;
use crate::rtl::at_rest;
use flexgrip_export::verilog::VerilogError;
pub use flexgrip_export::verilog::{
    board_verilog, circuit_hash, lane_board_verilog, verilog, verilog_with_memories, verilog_with_sizes, Top,
};
use hdlkit::waves::{verilog_signals, VerilogSignal};
use hdlkit::Structure;

impl From<VerilogError> for RunError {
    fn from(error: VerilogError) -> Self {
        match error {
            VerilogError::Machine(error) => RunError::Machine(error),
            VerilogError::Export(_) | VerilogError::Stack(_) => RunError::Bench(error.to_string()),
        }
    }
}

/// The signals of a machine, with their names in its Verilog.
pub(crate) fn signals_of(machine: &dyn Structure) -> Vec<VerilogSignal> {
    verilog_signals(machine, Top::Gpgpu.name())
}

/// The signals of the machine with `lanes` lanes (8, 16 or 32) in each of `sms` SMs, one of [`SMS`], with their names in its
/// Verilog.
///
/// # Errors
/// The circuits could not be built.
pub fn machine_signals(lanes: u32, sms: u32) -> Result<Vec<VerilogSignal>, RunError> {
    at_rest(lanes, sms, |machine| Ok(signals_of(machine)))
}
