//! Machine code in lockstep with the block that it was made from.

use super::code::Code;
use super::state::Machine;
use super::words::words;
use crate::error::CompileError;
use hdlkit::kernel::has_kernel;
use hdlkit::Structure;
use num_bigint::BigUint;
use std::sync::Arc;

/// Machine code in lockstep with a block, for tests: it has the same inputs, and its outputs are compared. If the code
/// has vectors, there is also a machine without vectors, as on other processors.
pub(crate) struct Shadow(Vec<Machine>);

/// An output that machine code computes differently.
pub(crate) struct Deviation {
    /// The name, such as `bus$data`.
    pub port: String,
    /// The field's bits from the block and from its code.
    pub native: BigUint,
    pub compiled: BigUint,
}

impl Shadow {
    /// Shadows `block`, which has settled. `None` if its Verilog is handwritten, because such a block is not compiled.
    pub fn new(block: &dyn Structure) -> Result<Option<Self>, CompileError> {
        if !has_kernel(block) {
            return Ok(None);
        }
        let mut codes = vec![Code::compile(block)?];
        if codes[0].counts().vectors > 0 {
            codes.push(Code::compile_as(block, &[], &[], false)?);
        }
        let machines = codes.into_iter().map(|code| Machine::new(block, Arc::new(code)));
        Ok(Some(Shadow(machines.collect())))
    }

    /// Runs a cycle up to its edge. `values`: the block's own signals, after it has settled.
    pub fn settle(&mut self, values: &[BigUint]) -> Vec<Deviation> {
        self.0.iter_mut().flat_map(|machine| settle(machine, values)).collect()
    }

    pub fn tick(&mut self) {
        self.0.iter_mut().for_each(Machine::tick);
    }
}

fn settle(machine: &mut Machine, values: &[BigUint]) -> Vec<Deviation> {
    let code = machine.code.clone();
    let first = machine.ports.start;
    for port in code.design.ports.iter().filter(|port| port.input) {
        for (low, width, place) in &port.fields {
            let words = words(&values[port.atom], *low, *width);
            machine.state[first + *place as usize..][..words.len()].copy_from_slice(&words);
        }
    }
    machine.look();
    machine.settle();
    let mut deviations = vec![];
    for port in code.design.ports.iter().filter(|port| !port.input) {
        let native = &values[port.atom];
        let mut compiled = BigUint::default();
        for (low, width, place) in &port.fields {
            let words = &machine.state[first + *place as usize..];
            let high = if *width > 64 { words[1] } else { 0 };
            compiled |= BigUint::from(u128::from(high) << 64 | u128::from(words[0])) << low;
        }
        if *native != compiled {
            deviations.push(Deviation {
                port: port.key.clone(),
                native: native.clone(),
                compiled,
            });
        }
    }
    deviations
}
