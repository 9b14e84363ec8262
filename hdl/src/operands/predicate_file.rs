//! The predicate file: four condition-code registers of four bits for every thread.
//!
//! A condition is evaluated for a whole warp at once, so the file reads and writes a warp's register as four planes of
//! 32 bits: Z, S, C, O. [`condition_holds`] is then bitwise logic on planes. Each thread has its own write enable: the file
//! is eight block RAMs, each with a nibble for each of four threads.
//!
//! ```text
//! cycle   t                                 t+1
//! read    read_enable, read_address         planes, until the next read
//! write   write_threads, write_address      seen by reads of t+1
//! ```
//! The scoreboard keeps instructions away from a register that is being written, so its contents are not used then.

use hdlkit::prelude::*;

/// A condition-code register of a warp, as planes: bit t of each belongs to thread t.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct CodePlanes {
    pub zero: Bits<32>,
    pub sign: Bits<32>,
    pub carry: Bits<32>,
    pub overflow: Bits<32>,
}

/// The condition-code registers of an SM's 32 warps; an address is warp * 4 + register.
#[circuit]
pub struct PredicateFile {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    pub read_address: Signal<In, Bits<7>>,
    pub read_zero: Signal<Out, Bits<32>>,
    pub read_sign: Signal<Out, Bits<32>>,
    pub read_carry: Signal<Out, Bits<32>>,
    pub read_overflow: Signal<Out, Bits<32>>,
    pub write_address: Signal<In, Bits<7>>,
    /// Threads to write.
    pub write_threads: Signal<In, Bits<32>>,
    pub write_zero: Signal<In, Bits<32>>,
    pub write_sign: Signal<In, Bits<32>>,
    pub write_carry: Signal<In, Bits<32>>,
    pub write_overflow: Signal<In, Bits<32>>,

    /// Thread t is nibble t % 4 of group t / 4: Z = bit 0, S, C, O.
    group: [BlockRam<7, 16, 4>; 8],
}

impl PredicateFile {
    /// A predicate file with all codes 0.
    pub fn new() -> Self {
        PredicateFile { group: std::array::from_fn(|_| BlockRam::blank().collision_free()), ..Default::default() }
    }
}

impl Logic for PredicateFile {
    #[hdl_gen]
    fn update(&mut self) {
        let mut zero = bits::<32>(0);
        let mut sign = bits::<32>(0);
        let mut carry = bits::<32>(0);
        let mut overflow = bits::<32>(0);
        for g in 0..8 {
            let read = self.group[g].read_data.val();
            let mut written = bits::<16>(0);
            for t in 0..4 {
                zero = zero.replace_bit(4 * g + t, read.get_bit(4 * t));
                sign = sign.replace_bit(4 * g + t, read.get_bit(4 * t + 1));
                carry = carry.replace_bit(4 * g + t, read.get_bit(4 * t + 2));
                overflow = overflow.replace_bit(4 * g + t, read.get_bit(4 * t + 3));
                written = written.replace_bit(4 * t, self.write_zero.val().get_bit(4 * g + t));
                written = written.replace_bit(4 * t + 1, self.write_sign.val().get_bit(4 * g + t));
                written = written.replace_bit(4 * t + 2, self.write_carry.val().get_bit(4 * g + t));
                written = written.replace_bit(4 * t + 3, self.write_overflow.val().get_bit(4 * g + t));
            }
            self.group[g].read_enable.next = self.read_enable.val();
            self.group[g].read_address.next = self.read_address.val();
            self.group[g].write_enable.next = self.write_threads.val().bits::<4>(4 * g);
            self.group[g].write_address.next = self.write_address.val();
            self.group[g].write_data.next = written;
        }
        self.read_zero.next = zero;
        self.read_sign.next = sign;
        self.read_carry.next = carry;
        self.read_overflow.next = overflow;
    }
}

/// The threads of a warp for which a condition (bits 43..39 of an instruction) holds; codes as in the encoding document.
///
/// ```text
/// code ─> table: for each O, S, Z whether the condition holds ──┐
/// Z, O, and S or C of a thread ─────────────────────────────────┴─> one of its eight bits
/// ```
/// No condition tests both the carry and the sign or overflow, so the carry takes the sign's place. This takes six LUTs
/// of four inputs per thread, against twenty if each thread decodes the code itself.
#[hdl_fn]
pub fn condition_holds(condition: Bits<5>, codes: CodePlanes) -> Bits<32> {
    // Bit 4 * O + 2 * (S, or C) + Z of the table: whether the condition holds. And whether it tests the carry.
    let (table, of_carry) = match condition.index() {
        // (S & !Z) ^ O
        1 => (bits::<8>(0b1011_0100), false),
        // Z & !S
        2 => (bits(0b0010_0010), false),
        // S ^ (Z | O)
        3 => (bits(0b0011_0110), false),
        // !Z & !(S ^ O)
        4 => (bits(0b0100_0001), false),
        // !Z
        5 => (bits(0b0101_0101), false),
        // !(S ^ O)
        6 => (bits(0b1100_0011), false),
        // !Z | !S
        7 => (bits(0b0111_0111), false),
        // Z & S
        8 => (bits(0b1000_1000), false),
        // S ^ O
        9 => (bits(0b0011_1100), false),
        // Z
        10 => (bits(0b1010_1010), false),
        // Z | (S ^ O)
        11 => (bits(0b1011_1110), false),
        // !S ^ (Z | O)
        12 => (bits(0b1100_1001), false),
        // !Z | S
        13 => (bits(0b1101_1101), false),
        // (!S | Z) ^ O
        14 => (bits(0b0100_1011), false),
        // Always.
        15 => (bits(0b1111_1111), false),
        // O
        16 => (bits(0b1111_0000), false),
        // C
        17 => (bits(0b1100_1100), true),
        // !Z & C
        18 => (bits(0b0100_0100), true),
        // S
        19 => (bits(0b1100_1100), false),
        // !S
        28 => (bits(0b0011_0011), false),
        // Z | !C
        29 => (bits(0b1011_1011), true),
        // !C
        30 => (bits(0b0011_0011), true),
        // !O
        31 => (bits(0b0000_1111), false),
        _ => (bits(0), false),
    };
    let zero = codes.zero;
    let overflow = codes.overflow;
    let second = if of_carry { codes.carry } else { codes.sign };
    // By O and by S or C: the condition as a function of Z.
    let mut by_zero = [Bits::<32>::ZERO; 4];
    for i in 0..4 {
        by_zero[i] = mask(table.get_bit(2 * i), !zero) | mask(table.get_bit(2 * i + 1), zero);
    }
    let without_overflow = (by_zero[0] & !second) | (by_zero[1] & second);
    let with_overflow = (by_zero[2] & !second) | (by_zero[3] & second);
    (without_overflow & !overflow) | (with_overflow & overflow)
}
