//! The sites of the circuits: registers, memories, and the pins of a block that is simulated as gates.

use crate::error::CampaignError;
use crate::unit::pins::GateFaults;
use flexgrip_engines::big_stack::on_big_stack;
use flexgrip_engines::error::RunError;
use flexgrip_engines::native::compiled::failed;
use flexgrip_engines::native::machine_code;
use flexgrip_faults::{Error, Site, Sites, Storage};
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_hdl::tops::{machine, Top};
use hdlkit_compiled::Code;

/// The sites of circuits: all registers and memories, named as in waves and in the debugger but without the top's name,
/// and the pins of a block that is simulated as gates.
///
/// # Errors
/// Two sites have the same name.
pub fn sites(code: &Code, gates: Option<&GateFaults>) -> Result<Sites, Error> {
    let own = |name: &str| name.strip_prefix("top.").unwrap_or(name).to_string();
    let registers = (0..).zip(code.flip_flops());
    let registers = registers
        .filter(|(number, _)| !code.is_gate_faults(*number as usize))
        .map(|(number, register)| Site::new(own(&register.name), Storage::Register, number, register.width, 1));
    let memories = (0..).zip(code.memories()).map(|(number, memory)| {
        let width = code.word_widths(number as usize).unwrap_or_default().iter().sum();
        Site::new(own(memory.name), Storage::Memory, number, width, memory.elements)
    });
    let pins = gates.into_iter().flat_map(GateFaults::sites);
    Sites::new(registers.chain(memories).chain(pins).collect())
}

/// The sites of the circuits of these parameters.
///
/// # Errors
/// The circuits cannot be compiled for this processor.
pub fn sites_of(parameters: MachineParameters, gates: Option<&GateFaults>) -> Result<Sites, CampaignError> {
    let sites = on_big_stack(RunError::Bench, || {
        let chip = machine(parameters);
        let code = match gates {
            None => machine_code::of(Top::Gpgpu, &*chip, parameters),
            Some(gates) => gates.level().code(&*chip, parameters),
        };
        Ok(sites(&*code.map_err(failed)?, gates))
    })?;
    Ok(sites?)
}
