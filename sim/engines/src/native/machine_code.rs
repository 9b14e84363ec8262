//! The circuits' machine code. Each circuit is compiled once per process, because compiling takes longer than most
//! runs.

use crate::known::Known;
use crate::native::ports::Ports;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_hdl::tops::{machine, Top};
use hdlkit::Structure;
use hdlkit_compiled::{port_places, Code, CompileError, MachineCode};
use std::sync::{Arc, Mutex, PoisonError};

/// The codes of circuits, by top (its number), parameters, and whether all signals are shown.
static CODE: Known<(u8, MachineParameters, bool)> = Known::new();

/// The machine code of `circuit`, which must be at rest, and the same each time for `top` with these parameters.
pub fn of(top: Top, circuit: &dyn Structure, parameters: MachineParameters) -> Result<Arc<Code>, CompileError> {
    CODE.get((top as u8, parameters, false), || Code::compile(circuit))
}

/// The whole machine after reset. It is copied for each run, because building it takes longer than short runs.
struct AtRest {
    machine: Mutex<MachineCode>,
    ports: Ports,
}

/// The machines after reset, by parameters.
static AT_REST: Known<MachineParameters, AtRest> = Known::new();

/// The whole machine after reset, and the places of its ports.
pub(super) fn at_rest(parameters: MachineParameters) -> Result<(MachineCode, Ports), CompileError> {
    let at_rest = AT_REST.get(parameters, || {
        let chip = machine(parameters);
        let code = of(Top::Gpgpu, &*chip, parameters)?;
        Ok(AtRest {
            machine: Mutex::new(MachineCode::new(&*chip, code)),
            ports: Ports::new(&port_places(&*chip), parameters.lanes.count(), parameters.sms.count()),
        })
    })?;
    let machine = at_rest.machine.lock().unwrap_or_else(PoisonError::into_inner);
    Ok((machine.clone(), at_rest.ports.clone()))
}

/// The machine code with all signals visible; `shown` must be true for each signal.
pub fn showing(
    top: Top,
    circuit: &dyn Structure,
    parameters: MachineParameters,
    shown: &[bool],
) -> Result<Arc<Code>, CompileError> {
    CODE.get((top as u8, parameters, true), || Code::compile_showing(circuit, shown))
}

/// The codes of the whole machine, by parameters and the signals that are shown.
static WATCHED: Known<(MachineParameters, Vec<bool>)> = Known::new();

/// The machine code of the whole machine with some signals visible.
pub fn watched(
    circuit: &dyn Structure,
    parameters: MachineParameters,
    shown: Vec<bool>,
) -> Result<Arc<Code>, CompileError> {
    WATCHED.get((parameters, shown.clone()), || Code::compile_showing(circuit, &shown))
}
