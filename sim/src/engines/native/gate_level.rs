//! The circuits with blocks as gates.

use flexgrip_machine::sizes::{Lanes, Sms};
use hdlkit::Structure;
use hdlkit_compiled::gates::Gates;
use hdlkit_compiled::{Code, CompileError};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Blocks of the circuits as gates, in place of their kernels.
#[derive(Default)]
pub struct GateLevel {
    gates: Vec<Gates>,
    /// The code for circuits of each size, once compiled.
    code: Mutex<BTreeMap<(Lanes, Sms), Arc<Code>>>,
}

impl GateLevel {
    /// These blocks.
    pub fn new(gates: Vec<Gates>) -> Self {
        GateLevel {
            gates,
            ..GateLevel::default()
        }
    }

    /// The blocks.
    pub fn gates(&self) -> &[Gates] {
        &self.gates
    }

    /// The machine code of `circuit`, which must be at rest and the same each time, with these blocks.
    pub(crate) fn code(&self, circuit: &dyn Structure, lanes: Lanes, sms: Sms) -> Result<Arc<Code>, CompileError> {
        let mut known = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(code) = known.get(&(lanes, sms)) {
            return Ok(code.clone());
        }
        let code = Arc::new(Code::compile_with_gates(circuit, &[], &self.gates)?);
        known.insert((lanes, sms), code.clone());
        Ok(code)
    }
}

impl fmt::Debug for GateLevel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.gates.iter().map(Gates::path)).finish()
    }
}

impl PartialEq for GateLevel {
    fn eq(&self, other: &Self) -> bool {
        self.gates == other.gates
    }
}

impl Eq for GateLevel {}
