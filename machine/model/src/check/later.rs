//! The check of instructions that compute capabilities 1.1 to 1.3 add: atomic operations, locked accesses, doubles,
//! votes.

use super::access::Stored;
use super::at::At;
use super::finding::Origin;
use super::shadow::written::bits_of;
use crate::execute::{registers_of, shared_addresses};
use crate::lanes::lanes_of;
use crate::program::codes_of;
use flexgrip_isa::{Atomic, Destination, Double, Operand, Operation, Predicate};

impl At<'_> {
    /// The second register that a result of 64 bits is written to.
    pub(super) fn second_destination(&self) -> Option<usize> {
        match (self.meaning.operation, self.meaning.destination) {
            (Operation::Double(double), Destination::Register { index, .. }) if double.has_wide_result() => {
                Some(usize::from(index | 1))
            }
            _ => None,
        }
    }

    /// Checks an atomic operation. Undefined operands, and undefined memory if the new value depends on it, make the
    /// new value undefined.
    pub(super) fn atomic(&mut self, atomic: Atomic) {
        let bytes = atomic.bytes();
        let [Some(address), b, c] = self.meaning.sources else {
            return;
        };
        let mut stored = match b {
            Some(Operand::Register { index, .. }) => self.stored(index, bytes),
            _ => Stored::default(),
        };
        if let Some(Operand::Register { index, .. }) = c {
            self.add_undefined(&mut stored, index, bytes);
        }
        let Some(loaded) = self.access_by(address, bytes, Some(stored)) else {
            return;
        };
        let Destination::Register { index, .. } = self.meaning.destination else {
            return;
        };
        for (part, number) in registers_of(index, bytes).enumerate() {
            let missing = |lane: usize| bits_of(loaded.missing[lane] >> (4 * part));
            self.define_register(number, loaded.unwritten, missing, |lane| loaded.origin(lane));
        }
    }

    /// Checks a load under a lock, of the lane that gets the lock. All lanes get a code.
    pub(super) fn load_locked(&mut self) {
        let executed = self.executed;
        let (Some(address), Some(addresses)) = (self.meaning.sources[0], shared_addresses(self.warp, self.meaning))
        else {
            return;
        };
        if let Some(code) = self.meaning.cc_write {
            self.shadow.registers.codes[usize::from(code & 3)].define(executed, u32::MAX);
        }
        let Some(lane) = self.memories.locks.winner(self.memories.warp, executed, &addresses) else {
            return;
        };
        self.executed = 1 << lane;
        let loaded = self.access_by(address, 4, None);
        if let (Some(loaded), Destination::Register { index, .. }) = (loaded, self.meaning.destination) {
            let missing = |lane: usize| bits_of(loaded.missing[lane]);
            self.define_register(index, loaded.unwritten, missing, |lane| loaded.origin(lane));
        }
        self.executed = executed;
    }

    /// Checks a double-precision operation: the result is undefined in the lanes with an undefined bit in an operand.
    pub(super) fn double(&mut self, double: Double) {
        let mut lanes = std::mem::take(&mut self.shadow.undecided);
        let mut origin = self.shadow.undecided_origin;
        for number in 0..3 {
            if self.meaning.sources[number].is_none() {
                continue;
            }
            let first = self.source(number);
            let second = match self.meaning.sources[number] {
                Some(Operand::Register { index, .. }) if double.is_wide() => {
                    self.shadow.registers.general.get(usize::from(index | 1))
                }
                _ => None,
            };
            let second = second.map_or((0, origin), |cell| (cell.lanes, cell.origin));
            for (more, from) in [(first.lanes, first.origin), second] {
                if lanes == 0 && more & self.executed != 0 {
                    origin = from;
                }
                lanes |= more & self.executed;
            }
        }
        if let Destination::Register { index, .. } = self.meaning.destination {
            self.define_register(index, lanes, |_| u32::MAX, |_| origin);
        }
        if let Some(second) = self.second_destination() {
            self.define_register(second as u8, lanes, |_| u32::MAX, |_| origin);
        }
        self.define_code(self.meaning.cc_write, lanes, origin);
    }

    /// Checks a vote: its code is undefined in all lanes if the condition is undefined in one of them.
    pub(super) fn vote(&mut self, Predicate { register, condition }: Predicate) {
        let number = usize::from(register & 3);
        let undecided = codes_of(condition).map_or(0, |codes| self.undecided(codes, number) & self.executed);
        let lanes = if undecided == 0 { 0 } else { self.executed };
        let origin = self.shadow.registers.codes[number].origin;
        if let Destination::ConditionCode(code) = self.meaning.destination {
            self.define_code(Some(code), lanes, origin);
        }
    }

    /// Marks a condition-code register as defined in the executing lanes, except for some lanes.
    fn define_code(&mut self, code: Option<u8>, lanes: u32, origin: Origin) {
        let Some(code) = code else { return };
        let cell = &mut self.shadow.registers.codes[usize::from(code & 3)];
        cell.define(self.executed, u32::MAX);
        lanes_of(lanes).for_each(|lane| cell.set(lane, 15, 15, origin));
    }
}
