//! A block of the circuits as gates, for the circuits as machine code.

use crate::known::Known;
use flexgrip_hdl::parameters::MachineParameters;
use hdlkit::Structure;
use hdlkit_compiled::gates::Gates;
use hdlkit_compiled::{Code, CompileError};
use std::fmt;
use std::sync::Arc;

/// A block of the circuits as gates, with the machine code of the circuits that contain them.
pub struct GateLevel {
    gates: Gates,
    /// The code of the circuits with these gates, by their parameters.
    code: Known<MachineParameters>,
}

impl GateLevel {
    /// The gate level of one block.
    pub fn new(gates: Gates) -> Self {
        let code = Known::new();
        GateLevel { gates, code }
    }

    /// The gates of the block.
    pub fn gates(&self) -> &Gates {
        &self.gates
    }

    /// The machine code of `circuit`, which must be at rest and the same each time, with this block.
    pub fn code(&self, circuit: &dyn Structure, parameters: MachineParameters) -> Result<Arc<Code>, CompileError> {
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
