//! The machine's signals, with their Verilog names; `flexgrip-export` has the Verilog itself.

use crate::big_stack::on_big_stack;
use crate::waves::error::WavesError;
use flexgrip_hdl::tops::{machine, Top};
use flexgrip_machine::sizes::{Lanes, Sms};
use hdlkit::waves::{verilog_signals, VerilogSignal};
use hdlkit::Structure;

/// Calls `look` with a machine at rest.
pub(crate) fn at_rest<T: Send>(
    lanes: Lanes,
    sms: Sms,
    look: impl FnOnce(&dyn Structure) -> Result<T, WavesError> + Send,
) -> Result<T, WavesError> {
    on_big_stack(WavesError::Circuits, || look(&*machine(lanes, sms)))
}

/// The signals of a machine, with their Verilog names.
pub(crate) fn signals_of(machine: &dyn Structure) -> Vec<VerilogSignal> {
    verilog_signals(machine, Top::Gpgpu.name())
}

/// The signals of the machine with `lanes` lanes in each of `sms` SMs, with their Verilog names.
///
/// # Errors
/// The circuits could not be built.
pub fn machine_signals(lanes: Lanes, sms: Sms) -> Result<Vec<VerilogSignal>, WavesError> {
    at_rest(lanes, sms, |machine| Ok(signals_of(machine)))
}
