//! Machine code of the circuits compiled in this process. Each is compiled once: compiling takes longer than most runs.

use flexgrip_hdl::tops::Top;
use flexgrip_machine::sizes::{Lanes, Sms};
use hdlkit::Structure;
use hdlkit_compiled::{Code, CompileError};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The code for circuits of one size, once compiled.
type CodeOfSize = Arc<Mutex<Option<Arc<Code>>>>;

/// Keyed by top (its number), lanes, SMs, and whether all signals are shown.
static CODE: Mutex<BTreeMap<(u8, Lanes, Sms, bool), CodeOfSize>> = Mutex::new(BTreeMap::new());

/// The machine code of `circuit`, which must be at rest, and the same each time for `top` with these lanes and SMs.
pub(crate) fn of(top: Top, circuit: &dyn Structure, lanes: Lanes, sms: Sms) -> Result<Arc<Code>, CompileError> {
    compiled((top as u8, lanes, sms, false), || Code::compile(circuit))
}

/// The same with all signals visible; `shown` says so for each.
pub(crate) fn showing(
    top: Top,
    circuit: &dyn Structure,
    lanes: Lanes,
    sms: Sms,
    shown: &[bool],
) -> Result<Arc<Code>, CompileError> {
    compiled((top as u8, lanes, sms, true), || Code::compile_showing(circuit, shown))
}

fn compiled(
    key: (u8, Lanes, Sms, bool),
    compile: impl FnOnce() -> Result<Code, CompileError>,
) -> Result<Arc<Code>, CompileError> {
    let mut known = CODE.lock().unwrap_or_else(PoisonError::into_inner);
    let of_size = known.entry(key).or_default().clone();
    drop(known);
    // A second caller waits for the first one's code, but not for that of another size.
    let mut of_size = of_size.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(code) = &*of_size {
        return Ok(code.clone());
    }
    let code = Arc::new(compile()?);
    *of_size = Some(code.clone());
    Ok(code)
}
