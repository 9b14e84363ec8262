//! A circuit that runs as machine code: the public interface.

use super::code::Code;
use super::state::Machine;
use crate::design::words_of;
use hdlkit::Structure;
use num_bigint::BigUint;
use rust_hdl_core::prelude::VCDValue;
use std::sync::Arc;

/// A circuit that runs as machine code, with words as ports. A clone has its own state.
#[derive(Clone)]
pub struct MachineCode(pub(super) Box<Machine>);

impl MachineCode {
    /// Copies the state of `block`, which must have settled. Its inputs are 0 until they are set.
    ///
    /// # Panics
    /// If `block` differs from the circuit that `code` was compiled from: other memories, another number of registers.
    pub fn new(block: &dyn Structure, code: Arc<Code>) -> Self {
        MachineCode(Box::new(Machine::new(block, code)))
    }

    /// The words of the top block's ports, in the order of its fields, as in [`Ports`](hdlkit::Ports).
    /// [`port_places`](crate::port_places) gives each port's position.
    pub fn ports(&self) -> &[u64] {
        let ports = self.0.code.design.port_words as usize;
        &self.0.state[self.0.ports.clone()][..ports]
    }

    /// The words of the top block's ports, for setting the inputs.
    pub fn ports_mut(&mut self) -> &mut [u64] {
        let words = self.0.code.design.port_words as usize;
        let ports = self.0.ports.clone();
        &mut self.0.state[ports][..words]
    }

    /// Calls `change` for every [shown](Code::shown) signal that has changed since the last call, with the new value.
    pub fn changes(&mut self, change: &mut dyn FnMut(usize, VCDValue)) {
        let Machine {
            code,
            state,
            ports,
            told,
            ..
        } = &mut *self.0;
        let design = &code.design;
        let words = &state[ports.clone()][design.port_words as usize..];
        let first = std::mem::take(&mut told.1);
        for shown in &design.shown {
            let places = shown.fields.iter().map(|&(_, width, _, place)| {
                let start = (place - design.port_words) as usize;
                start..start + words_of(width) as usize
            });
            let changed = places.clone().any(|place| words[place.clone()] != told.0[place]);
            if changed || first {
                let mut value = BigUint::default();
                for (&(low, ..), place) in shown.fields.iter().zip(places) {
                    let word = |index: usize| BigUint::from(words[place.start + index]) << (64 * index);
                    value |= (0..place.len()).map(word).sum::<BigUint>() << low;
                }
                change(shown.atom, shown.shape.value(&value));
            }
        }
        told.0.copy_from_slice(words);
    }

    /// Evaluates combinational logic; the outputs are valid afterwards.
    pub fn settle(&mut self) {
        self.0.look();
        self.0.settle();
    }

    /// Simulates the rising edge of the clock, after [`MachineCode::settle`]: it evaluates the logic that only registers and
    /// memories need.
    pub fn tick(&mut self) {
        self.0.tick();
    }

    /// Skips up to `most` cycles in which the circuit only repeats itself and counts, with the inputs of the last
    /// cycle. Returns the number of skipped cycles. It compares successive states, so call it after each edge; the
    /// first calls skip nothing. Outputs are also periodic. The ports keep the words of the last cycle.
    ///
    /// Circuits with called blocks or with shown signals skip nothing.
    pub fn skip_idle(&mut self, most: u64) -> u64 {
        self.0.skip_idle(most)
    }
}
