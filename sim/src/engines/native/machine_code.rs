//! The circuits' machine code. Each circuit is compiled once per process, because compiling takes longer than most
//! runs.

use flexgrip_hdl::tops::Top;
use flexgrip_machine::sizes::{Lanes, Sms};
use hdlkit::Structure;
use hdlkit_compiled::gates::Gates;
use hdlkit_compiled::{Code, CompileError};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The code for the circuits of a key; `None` until it is compiled.
type CodeOfKey = Arc<Mutex<Option<Arc<Code>>>>;

/// Code that is compiled once for each key.
struct Known<K>(Mutex<BTreeMap<K, CodeOfKey>>);

impl<K: Ord> Known<K> {
    const fn new() -> Self {
        Known(Mutex::new(BTreeMap::new()))
    }

    fn get(&self, key: K, compile: impl FnOnce() -> Result<Code, CompileError>) -> Result<Arc<Code>, CompileError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_key = known.entry(key).or_default().clone();
        drop(known);
        // Callers with the same key wait for one compilation; callers with other keys do not.
        let mut of_key = of_key.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(code) = &*of_key {
            return Ok(code.clone());
        }
        let code = Arc::new(compile()?);
        *of_key = Some(code.clone());
        Ok(code)
    }
}

/// Keyed by top (its number), lanes, SMs, and whether all signals are shown.
static CODE: Known<(u8, Lanes, Sms, bool)> = Known::new();

/// The machine code of `circuit`, which must be at rest, and the same each time for `top` with these lanes and SMs.
pub(crate) fn of(top: Top, circuit: &dyn Structure, lanes: Lanes, sms: Sms) -> Result<Arc<Code>, CompileError> {
    CODE.get((top as u8, lanes, sms, false), || Code::compile(circuit))
}

/// The machine code with all signals visible; `shown` must be true for each signal.
pub(crate) fn showing(
    top: Top,
    circuit: &dyn Structure,
    lanes: Lanes,
    sms: Sms,
    shown: &[bool],
) -> Result<Arc<Code>, CompileError> {
    CODE.get((top as u8, lanes, sms, true), || Code::compile_showing(circuit, shown))
}

/// Keyed by lanes, SMs, and the signals that are shown.
static WATCHED: Known<(Lanes, Sms, Vec<bool>)> = Known::new();

/// The machine code of the whole machine with some signals visible.
pub(crate) fn watched(
    circuit: &dyn Structure,
    lanes: Lanes,
    sms: Sms,
    shown: Vec<bool>,
) -> Result<Arc<Code>, CompileError> {
    WATCHED.get((lanes, sms, shown.clone()), || Code::compile_showing(circuit, &shown))
}

/// A block of the circuits as gates, in place of its kernel.
pub struct GateLevel {
    gates: Gates,
    /// The code of the circuits with these gates, by their sizes.
    code: Known<(Lanes, Sms)>,
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
    pub(crate) fn code(&self, circuit: &dyn Structure, lanes: Lanes, sms: Sms) -> Result<Arc<Code>, CompileError> {
        let gates = std::slice::from_ref(&self.gates);
        let compile = || Code::compile_with_gates(circuit, &[], gates);
        self.code.get((lanes, sms), compile)
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
