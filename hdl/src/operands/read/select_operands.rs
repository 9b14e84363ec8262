//! Stage r1: finds faults, and selects each lane's operands from the words that have arrived.

use super::operand_lane::UniformBeat;
use super::{Read, ReadBeat, SharedGates};
use crate::bundles::*;
use flexgrip_machine::code;
use hdlkit::prelude::*;

/// Returns the operand that is selected from a shared word.
#[hdl_fn]
fn shared_operand(gates: SharedGates, word: Bits<32>) -> Bits<32> {
    let negative = gates.sign_of_lower && word.get_bit(15) || gates.sign_of_upper && word.get_bit(31);
    mask(gates.lowest.get_bit(0), word & 0xff)
        | mask(gates.lowest.get_bit(1), (word >> 8) & 0xff)
        | mask(gates.lowest.get_bit(2), (word >> 16) & 0xff)
        | mask(gates.lowest.get_bit(3), word >> 24)
        | mask(gates.second_of_lower, word & 0xff00)
        | mask(gates.second_of_upper, (word >> 16) & 0xff00)
        | mask(gates.upper, word & 0xffff_0000)
        | mask(negative, bits(0xffff_0000))
}

impl<const LANES: usize> Read<LANES> {
    /// Finds a fault: a uniform operand outside shared memory, if any thread executes. True if the beat proceeds: a
    /// faulting instruction has no effect.
    #[hdl_part]
    pub(super) fn find_fault(&mut self, beat: ReadBeat) -> Bit {
        let found = beat.first && beat.shared_outside && self.r1_executed.q.val().any();
        let fault = if beat.first { found } else { self.r1_fault.q.val() };
        self.r1_fault.d.next = fault;
        self.r_error.next = if found {
            KernelError {
                code: bits(code::SHARED_RANGE as u64),
                warp: beat.issued.warp,
                pc: beat.issued.pc,
                address: beat.issued.decoded.shared_offset.resize(),
            }
        } else {
            KernelError::default()
        };
        beat.valid && !fault
    }

    /// Reports an uncorrectable word of the register file or of shared memory, if the beat uses the part that is wrong.
    #[hdl_part]
    pub(super) fn check_words(&mut self, beat: ReadBeat) {
        let faults = self.register_faults[0].val();
        let threads = beat.participants.threads;
        let instruction = beat.issued.decoded;
        let quad = instruction.quad;
        // FSWZ passes operand b of one thread, which need not be active, to all threads of its quad.
        let pairs = threads | (threads >> 1);
        let active_quads = (pairs | (pairs >> 2)) & 0x1111_1111;
        let sources_b = if quad.exchanges { active_quads << quad.thread } else { threads };
        let wrong_a = mask(beat.a.register_lower, faults.lower_1)
            | mask(beat.a.register_upper || beat.a.register_high, faults.upper_1);
        let wrong_b = mask(beat.b.register_lower, faults.lower_2)
            | mask(beat.b.register_upper || beat.b.register_high, faults.upper_2);
        let wrong_c = mask(beat.c.register_lower, faults.lower_3) | mask(beat.c.register_upper, faults.upper_3);
        // The gates also select a register for an operand that the instruction does not have.
        let used = mask(instruction.a.register_used, wrong_a & threads)
            | mask(instruction.b.register_used, wrong_b & sources_b)
            | mask(instruction.c.register_used, wrong_c & threads);
        // The shared word arrives with the first beat, for all threads. A fault of its address has an error of its own.
        let gates = beat.shared;
        let bytes = gates.lowest
            | mask(gates.second_of_lower, bits(0b0010))
            | mask(gates.second_of_upper, bits(0b1000))
            | mask(gates.upper, bits(0b1100));
        let executes = beat.first && !beat.shared_outside && self.r1_executed.q.val().any();
        let shared = mask(executes, bytes & self.shared_faults[0].val());
        self.r_uncorrectable[0].next = if beat.valid && (used.any() || shared.any()) {
            uncorrectable_error(beat.issued.warp, beat.issued.pc)
        } else {
            KernelError::default()
        };
    }

    /// Drives each lane with the uniform part of the operands and with its own words. Words of shared and constant
    /// memory are kept for later beats.
    #[hdl_part]
    pub(super) fn merge_lanes(&mut self, beat: ReadBeat) {
        // Shared memory delivers 0 without a request, and no word is kept past the last beat, so the word is the OR of
        // both.
        let shared_word = self.uniform.word.val() | self.r1_shared.q.val();
        self.r1_shared.d.next = mask(beat.valid && !beat.last, shared_word);
        let constant_word = if beat.first { self.r_constant_word.val() } else { self.r1_constant.q.val() };
        self.r1_constant.d.next = constant_word;
        let constant = if !beat.issued.decoded.constant_narrow {
            constant_word
        } else if beat.constant_upper {
            constant_word >> 16
        } else {
            constant_word & 0xffff
        };
        let immediate = beat.issued.decoded.immediate;
        let uniform = UniformBeat {
            a: beat.a,
            b: beat.b,
            c: beat.c,
            value: Operands {
                a: beat.value | shared_operand(beat.shared, shared_word),
                b: mask(beat.b.immediate, immediate) | mask(beat.b.constant, constant),
                c: mask(beat.c.immediate, immediate) | mask(beat.c.constant, constant),
            },
            // Also set for a faulting beat, because the fault is known too late; its operands are not used.
            for_integer: beat.for_integer,
            for_float: beat.for_float || beat.for_special,
            for_memory: beat.for_memory,
        };
        // The collector's buffer.
        let gathers = beat.valid && beat.issued.decoded.indexing.gathers;
        self.collected.buffer.next = gathers && beat.issued.buffer;
        self.collected.beat.next = mask(gathers, beat.beat);
        let codes = beat.participants.codes;
        for i in 0..LANES {
            let mut code = bits::<5>(0);
            code = code.replace_bit(0, codes.zero.get_bit(i));
            code = code.replace_bit(1, codes.sign.get_bit(i));
            code = code.replace_bit(2, codes.carry.get_bit(i));
            code = code.replace_bit(3, codes.overflow.get_bit(i));
            self.lane[i].r1_code.next = if beat.a_number { bits(i as u64) } else { mask(beat.a_code, code) };
            self.lane[i].r1.next = uniform;
            self.lane[i].r1_register_1.next = self.registers.data_1[i].val();
            self.lane[i].r1_register_2.next = self.registers.data_2[i].val();
            self.lane[i].r1_register_3.next = self.registers.data_3[i].val();
            self.lane[i].c_address.next = self.collected.address[i].val();
            self.lane[i].c_gathered.next = self.collected.gathered[i].val();
            self.x.operands[i].next = self.lane[i].x_operands.val();
            self.x.float_operands[i].next = self.lane[i].x_float_operands.val();
            self.m.address[i].next = self.lane[i].m_address.val();
            self.m.data[i].next = self.lane[i].m_data.val();
        }
    }
}
