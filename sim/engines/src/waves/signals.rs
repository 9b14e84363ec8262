//! The machine's signals, with their Verilog names; `flexgrip-export` has the Verilog itself.

use crate::big_stack::on_big_stack;
use crate::waves::error::WavesError;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_hdl::tops::{machine, Top};
use hdlkit::waves::{verilog_signals, VerilogSignal};
use hdlkit::Structure;

/// Calls `look` with a machine at rest.
pub fn at_rest<T: Send>(
    parameters: MachineParameters,
    look: impl FnOnce(&dyn Structure) -> Result<T, WavesError> + Send,
) -> Result<T, WavesError> {
    on_big_stack(WavesError::Circuits, || look(&*machine(parameters)))
}

/// The signals of a machine, with their Verilog names.
pub fn signals_of(machine: &dyn Structure) -> Vec<VerilogSignal> {
    verilog_signals(machine, Top::Gpgpu.name())
}

/// The signals of the machine of these parameters, with their Verilog names.
///
/// # Errors
/// The circuits could not be built.
pub fn machine_signals(parameters: MachineParameters) -> Result<Vec<VerilogSignal>, WavesError> {
    at_rest(parameters, |machine| Ok(signals_of(machine)))
}
