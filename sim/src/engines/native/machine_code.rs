//! The circuits' machine code. Each circuit is compiled once per process, because compiling takes longer than most
//! runs.

use crate::engines::native::ports::Ports;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_hdl::tops::{machine, Top};
use hdlkit::Structure;
use hdlkit_compiled::gates::Gates;
use hdlkit_compiled::{port_places, Code, CompileError, MachineCode};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The value of a key; `None` until it is made.
type OfKey<V> = Arc<Mutex<Option<Arc<V>>>>;

/// Values that are made once for each key: code that is compiled, unless stated otherwise.
struct Known<K, V = Code>(Mutex<BTreeMap<K, OfKey<V>>>);

impl<K: Ord, V> Known<K, V> {
    const fn new() -> Self {
        Known(Mutex::new(BTreeMap::new()))
    }

    fn get(&self, key: K, make: impl FnOnce() -> Result<V, CompileError>) -> Result<Arc<V>, CompileError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_key = known.entry(key).or_default().clone();
        drop(known);
        // Callers with the same key wait for one to make it; callers with other keys do not.
        let mut of_key = of_key.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*of_key {
            return Ok(made.clone());
        }
        let made = Arc::new(make()?);
        *of_key = Some(made.clone());
        Ok(made)
    }
}

/// The codes of circuits, by top (its number), parameters, and whether all signals are shown.
static CODE: Known<(u8, MachineParameters, bool)> = Known::new();

/// The machine code of `circuit`, which must be at rest, and the same each time for `top` with these parameters.
pub(crate) fn of(top: Top, circuit: &dyn Structure, parameters: MachineParameters) -> Result<Arc<Code>, CompileError> {
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
pub(crate) fn showing(
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
pub(crate) fn watched(
    circuit: &dyn Structure,
    parameters: MachineParameters,
    shown: Vec<bool>,
) -> Result<Arc<Code>, CompileError> {
    WATCHED.get((parameters, shown.clone()), || Code::compile_showing(circuit, &shown))
}

/// A block of the circuits as gates, in place of its kernel.
pub struct GateLevel {
    gates: Gates,
    /// The code of the circuits with these gates, by their parameters.
    code: Known<MachineParameters>,
}

impl GateLevel {
    /// A block in place of its kernel.
    pub fn new(gates: Gates) -> Self {
        let code = Known::new();
        GateLevel { gates, code }
    }

    /// The gates of the block.
    pub fn gates(&self) -> &Gates {
        &self.gates
    }

    /// The machine code of `circuit`, which must be at rest and the same each time, with this block.
    pub(crate) fn code(
        &self,
        circuit: &dyn Structure,
        parameters: MachineParameters,
    ) -> Result<Arc<Code>, CompileError> {
        let gates = std::slice::from_ref(&self.gates);
        let compile = || Code::compile_with_gates(circuit, &[], gates);
        self.code.get(parameters, compile)
    }
}

impl fmt::Debug for GateLevel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("GateLevel").field(&self.gates.path()).finish()
    }
}

impl PartialEq for GateLevel {
    fn eq(&self, other: &Self) -> bool {
        self.gates == other.gates
    }
}

impl Eq for GateLevel {}
