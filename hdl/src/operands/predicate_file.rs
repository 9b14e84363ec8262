//! The predicate file: four condition-code registers of four bits for every thread.
//!
//! A condition is evaluated for a whole warp at once, so the file reads and writes a warp's register as four planes of
//! 32 bits: Z, S, C, O. [`condition_holds`] is then bitwise logic on planes. Each thread has its own write enable: the
//! file is eight block RAMs, each with a nibble for each of four threads.
//!
//! ```text
//! cycle   t                                 t+1
//! read    read_enable, read_address         planes, until the next read
//! write   write.threads, write.address      seen by reads of t+1
//! ```
//! A read in the cycle of a write to the same register is never used: the scoreboard blocks instructions that need it.

use hdlkit::prelude::*;

/// A condition-code register of a warp, as planes: bit t of each belongs to thread t.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct CodePlanes {
    pub zero: Bits<32>,
    pub sign: Bits<32>,
    pub carry: Bits<32>,
    pub overflow: Bits<32>,
}

/// Returns the codes of `threads`; 0 for the others.
#[hdl_fn]
pub fn codes_of(codes: CodePlanes, threads: Bits<32>) -> CodePlanes {
    CodePlanes {
        zero: codes.zero & threads,
        sign: codes.sign & threads,
        carry: codes.carry & threads,
        overflow: codes.overflow & threads,
    }
}

/// A write of the codes of some threads of a warp.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct CodeWrite {
    pub address: Bits<7>,
    pub threads: Bits<32>,
    pub codes: CodePlanes,
}

/// The condition-code registers of an SM's 32 warps; an address is warp * 4 + register.
#[circuit]
pub struct PredicateFile {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    pub read_address: Signal<In, Bits<7>>,
    pub read_codes: Signal<Out, CodePlanes>,
    pub write: Signal<In, CodeWrite>,

    /// Thread t is nibble t % 4 of group t / 4: Z = bit 0, S, C, O.
    #[blank(std::array::from_fn(|_| BlockRam::blank().collision_free()))]
    group: [BlockRam<7, 16, 4>; 8],
}

impl Logic for PredicateFile {
    #[hdl_gen]
    fn update(&mut self) {
        let write = self.write.val();
        let mut codes = CodePlanes::default();
        for g in 0..8 {
            let read = self.group[g].read_data.val();
            let mut written = bits::<16>(0);
            for t in 0..4 {
                codes.zero = codes.zero.replace_bit(4 * g + t, read.get_bit(4 * t));
                codes.sign = codes.sign.replace_bit(4 * g + t, read.get_bit(4 * t + 1));
                codes.carry = codes.carry.replace_bit(4 * g + t, read.get_bit(4 * t + 2));
                codes.overflow = codes.overflow.replace_bit(4 * g + t, read.get_bit(4 * t + 3));
                written = written.replace_bit(4 * t, write.codes.zero.get_bit(4 * g + t));
                written = written.replace_bit(4 * t + 1, write.codes.sign.get_bit(4 * g + t));
                written = written.replace_bit(4 * t + 2, write.codes.carry.get_bit(4 * g + t));
                written = written.replace_bit(4 * t + 3, write.codes.overflow.get_bit(4 * g + t));
            }
            self.group[g].fetch(self.read_enable.val(), self.read_address.val());
            self.group[g].write(write.threads.bits::<4>(4 * g), write.address, written);
        }
        self.read_codes.next = codes;
    }
}

/// Returns the threads of a warp for which a condition (bits 43..39 of an instruction) holds.
///
/// ```text
/// condition ─> its truth table over O, S (or C), Z ──┐
/// O, S (or C), Z of a thread ────────────────────────┴─> one of its eight bits
/// ```
/// No condition tests both the carry and the sign or overflow, so the carry takes the sign's place. This takes six LUTs
/// of four inputs per thread, against twenty if each thread decodes the condition itself.
#[hdl_fn]
pub fn condition_holds(condition: Bits<5>, codes: CodePlanes) -> Bits<32> {
    // Truth table: bit 4 * O + 2 * (S, or C) + Z is high if the condition holds. `of_carry`: the condition tests the
    // carry.
    let (table, of_carry) = match condition.index() {
        1 => (bits::<8>(0b1011_0100), false), // (S & !Z) ^ O
        2 => (bits(0b0010_0010), false),      // Z & !S
        3 => (bits(0b0011_0110), false),      // S ^ (Z | O)
        4 => (bits(0b0100_0001), false),      // !Z & !(S ^ O)
        5 => (bits(0b0101_0101), false),      // !Z
        6 => (bits(0b1100_0011), false),      // !(S ^ O)
        7 => (bits(0b0111_0111), false),      // !Z | !S
        8 => (bits(0b1000_1000), false),      // Z & S
        9 => (bits(0b0011_1100), false),      // S ^ O
        10 => (bits(0b1010_1010), false),     // Z
        11 => (bits(0b1011_1110), false),     // Z | (S ^ O)
        12 => (bits(0b1100_1001), false),     // !S ^ (Z | O)
        13 => (bits(0b1101_1101), false),     // !Z | S
        14 => (bits(0b0100_1011), false),     // (!S | Z) ^ O
        15 => (bits(0b1111_1111), false),     // Always.
        16 => (bits(0b1111_0000), false),     // O
        17 => (bits(0b1100_1100), true),      // C
        18 => (bits(0b0100_0100), true),      // !Z & C
        19 => (bits(0b1100_1100), false),     // S
        28 => (bits(0b0011_0011), false),     // !S
        29 => (bits(0b1011_1011), true),      // Z | !C
        30 => (bits(0b0011_0011), true),      // !C
        31 => (bits(0b0000_1111), false),     // !O
        _ => (bits(0), false),
    };
    let zero = codes.zero;
    let overflow = codes.overflow;
    let second = if of_carry { codes.carry } else { codes.sign };
    // The condition as a function of Z, for each O and S (or C).
    let mut by_zero = [Bits::<32>::ZERO; 4];
    for i in 0..4 {
        by_zero[i] = mask(table.get_bit(2 * i), !zero) | mask(table.get_bit(2 * i + 1), zero);
    }
    let without_overflow = (by_zero[0] & !second) | (by_zero[1] & second);
    let with_overflow = (by_zero[2] & !second) | (by_zero[3] & second);
    (without_overflow & !overflow) | (with_overflow & overflow)
}
