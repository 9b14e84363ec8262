//! Opens a session on a machine.

use crate::debug::circuits::CircuitTarget;
use crate::debug::code::Code;
use crate::debug::model::ModelTarget;
use crate::debug::session::Session;
use crate::debug::target::Target;
use crate::debug::verilog::VerilogTarget;
use flexgrip_engines::big_stack::on_big_stack;
use flexgrip_engines::engine::Options;
use flexgrip_engines::error::RunError;
use flexgrip_engines::outside::IoError;
use flexgrip_machine::Launch;

/// The machines that can be debugged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// The golden model.
    Model,
    /// The circuits, as machine code.
    Circuits,
    /// The circuits' Verilog, compiled by Verilator: forward only.
    Verilog,
}

/// Opens a session at the beginning of a launch and passes it to `work`, on a separate thread with a stack large enough
/// to build the circuits. A command takes at most [`Options::max_cycles`] steps; it ends early when `interrupted`,
/// which is called now and then, returns true.
///
/// # Errors
/// The launch cannot be run on this machine, or an error of `work`.
pub fn with_session<T: Send, E: From<RunError> + From<IoError> + Send>(
    machine: Machine,
    launch: &Launch,
    code: Code,
    options: &Options,
    interrupted: impl Fn() -> bool + Send + 'static,
    work: impl FnOnce(Session) -> Result<T, E> + Send,
) -> Result<T, E> {
    on_big_stack(
        |panic| RunError::Bench(panic).into(),
        || {
            let target: Box<dyn Target> = match machine {
                Machine::Model => {
                    let configuration = options.configuration.clone();
                    Box::new(ModelTarget::new(launch.clone(), configuration).map_err(RunError::from)?)
                }
                Machine::Circuits => Box::new(CircuitTarget::new(launch, options)?),
                Machine::Verilog => Box::new(VerilogTarget::new(launch, options)?),
            };
            work(Session::new(target, code, options.max_cycles, Box::new(interrupted)))
        },
    )
}
