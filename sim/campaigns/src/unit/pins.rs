//! A block of the circuits as gates, with stuck-at faults of its pins.

use super::error::UnitError;
use super::gates::unit;
use flexgrip_engines::gate_level::GateLevel;
use flexgrip_engines::native::snapshot::hash;
use flexgrip_faults::gates::FaultList;
use flexgrip_faults::{Model, Site};
use flexgrip_hdl::parameters::MachineParameters;
use hdlkit::gates::Unit;
use hdlkit_compiled::gates::Gates;
use hdlkit_compiled::{Code, Target};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A block as gates, with the faults of all of its pins.
#[derive(Debug)]
pub struct GateFaults {
    level: Arc<GateLevel>,
    list: FaultList,
    /// The prime faults, ascending. The index is the number of the fault's switch.
    primes: Vec<usize>,
    /// For each prime fault, the number of equivalent faults, itself included; 0 for other faults.
    equivalent: Vec<usize>,
}

/// Blocks by path.
type Blocks = BTreeMap<String, Arc<GateFaults>>;

/// The blocks converted so far, by parameters of the machine.
static KNOWN: Mutex<BTreeMap<MachineParameters, Blocks>> = Mutex::new(BTreeMap::new());

impl GateFaults {
    /// The block at a path without the top's name, such as `sm[0].fetch`, in circuits of these parameters. Cached,
    /// because compiling the circuits with it takes seconds. `folder` caches yosys's results.
    ///
    /// # Errors
    /// The errors of [`unit`].
    pub fn of(parameters: MachineParameters, path: &str, folder: &Path) -> Result<Arc<Self>, UnitError> {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let of_machine = known.entry(parameters).or_default();
        if let Some(gates) = of_machine.get(path) {
            return Ok(gates.clone());
        }
        let gates = Arc::new(GateFaults::new(unit(path, parameters, folder)?));
        of_machine.insert(path.into(), gates.clone());
        Ok(gates)
    }

    fn new(unit: Unit) -> Self {
        let list = FaultList::of(&unit);
        let primes: Vec<usize> = list.primes().collect();
        let faults = primes.iter().map(|prime| list.fault(*prime)).collect();
        let mut equivalent = vec![0; list.len()];
        (0..list.len()).for_each(|fault| equivalent[list.prime(fault)] += 1);
        GateFaults {
            equivalent,
            level: Arc::new(GateLevel::new(Gates { unit, faults })),
            primes,
            list,
        }
    }

    /// The block, in the form of a run's options.
    pub fn level(&self) -> Arc<GateLevel> {
        self.level.clone()
    }

    /// The gates of the block.
    pub fn unit(&self) -> &Unit {
        &self.level.gates().unit
    }

    /// The faults of all pins of the block.
    pub fn list(&self) -> &FaultList {
        &self.list
    }

    /// The number of faults that a prime fault represents, itself included; 0 for other faults.
    pub fn equivalent(&self, fault: usize) -> usize {
        self.equivalent.get(fault).copied().unwrap_or_default()
    }

    /// The hash of circuits with this block as gates, from the hash of their Verilog.
    pub fn hash(&self, verilog: &str) -> String {
        hash(format!("{verilog} {:?}", self.unit()))
    }

    /// The pins as sites. A stuck-at value is listed if it is a prime fault.
    pub fn sites(&self) -> impl Iterator<Item = Site> + '_ {
        let unit = self.unit();
        (0..).zip(self.list.pins()).map(|(number, pin)| {
            let stuck = [0, 1].map(|value| self.primes.binary_search(&(2 * number as usize + value)).is_ok());
            Site::pin(&unit.path, pin.name(unit), number, stuck)
        })
    }

    /// The register with the fault's switch, and its bit; `None` for a fault that does not exist or is not prime.
    pub(crate) fn switch(&self, pin: u32, model: Model, code: &Code) -> Option<(Target, u128)> {
        let value = match model {
            Model::StuckAt0 => 0,
            Model::StuckAt1 => 1,
            _ => return None,
        };
        let switch = self.primes.binary_search(&(2 * pin as usize + value)).ok()?;
        code.gate_fault(&self.level.gates().path(), switch as u32)
    }
}
