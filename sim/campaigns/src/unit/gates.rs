//! The gates of a block of the machine.

use super::error::UnitError;
use flexgrip_engines::big_stack::on_big_stack;
use flexgrip_engines::error::RunError;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_hdl::tops::machine;
use hdlkit::gates::Unit;
use std::path::Path;

/// The folder in which the command line caches yosys's results.
pub const FOLDER: &str = "build/gates";

/// The gates of a block of the machine, by its path, such as `sm[0].scheduler.decode`. `folder` caches yosys's results.
///
/// # Errors
/// The block does not exist, it is a memory, or yosys cannot be run.
pub fn unit(path: &str, parameters: MachineParameters, folder: &Path) -> Result<Unit, UnitError> {
    on_big_stack(
        |panic| UnitError::Run(RunError::Bench(panic)),
        || Ok(Unit::of(&*machine(parameters), path, folder)?),
    )
}
