//! The circuits' machine code. Each circuit is compiled once per process, because compiling takes longer than most
//! runs.

use crate::known::Known;
use crate::native::ports::Ports;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_hdl::tops::{machine, Top};
use hdlkit::{waves, Structure};
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

impl AtRest {
    fn new(
        parameters: MachineParameters,
        code: impl FnOnce(&dyn Structure) -> Result<Arc<Code>, CompileError>,
    ) -> Result<Self, CompileError> {
        let chip = machine(parameters);
        Ok(AtRest {
            machine: Mutex::new(MachineCode::new(&*chip, code(&*chip)?)),
            ports: Ports::new(&port_places(&*chip), parameters.lanes.count(), parameters.sms.count()),
        })
    }

    fn copy(&self) -> (MachineCode, Ports) {
        let machine = self.machine.lock().unwrap_or_else(PoisonError::into_inner);
        (machine.clone(), self.ports.clone())
    }
}

/// The machines after reset, by parameters.
static AT_REST: Known<MachineParameters, AtRest> = Known::new();

/// The whole machine after reset, and the places of its ports.
pub(super) fn at_rest(parameters: MachineParameters) -> Result<(MachineCode, Ports), CompileError> {
    let at_rest = AT_REST.get(parameters, || {
        AtRest::new(parameters, |chip| of(Top::Gpgpu, chip, parameters))
    })?;
    Ok(at_rest.copy())
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

/// The paths of all signals of the whole machine, by parameters.
static PATHS: Known<MachineParameters, Vec<String>> = Known::new();

/// The paths of all signals of the whole machine, in the order of [`waves::paths`], which parses every kernel.
pub fn paths(parameters: MachineParameters) -> Result<Arc<Vec<String>>, CompileError> {
    PATHS.get(parameters, || Ok(waves::paths(&*machine(parameters))))
}

/// The machines after reset with some signals visible, by parameters and the signals.
static WATCHED: Known<(MachineParameters, Vec<bool>), AtRest> = Known::new();

/// Like [`at_rest`], with some signals visible: `shown` selects them, in the order of [`paths`].
pub(super) fn watched(
    parameters: MachineParameters,
    shown: impl FnOnce(&[String]) -> Vec<bool>,
) -> Result<(MachineCode, Ports), CompileError> {
    let shown = shown(&paths(parameters)?);
    let watched = WATCHED.get((parameters, shown.clone()), || {
        AtRest::new(parameters, |chip| Ok(Arc::new(Code::compile_showing(chip, &shown)?)))
    })?;
    Ok(watched.copy())
}
