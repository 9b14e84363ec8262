//! The predicate file: four condition-code registers of four bits for every thread.
//!
//! A condition is evaluated for a whole warp at once, so the file reads and writes a warp's register as four planes of
//! 32 bits: Z, S, C, O. [`evaluate`](ConditionTest) is then bitwise logic on planes. Each thread has its own write
//! enable, so this memory is its own block: in Verilog it is eight block RAMs, each with a nibble for each of four
//! threads.
//!
//! ```text
//! cycle   t                                 t+1
//! read    read_enable, read_address         planes, until the next read
//! write   write_threads, write_address      seen by reads of t+1
//! ```
//! The scoreboard keeps instructions away from a register that is being written, so its contents are not used then.

use hdlkit::memory::{collision_free_read, BLOCK_COLLISION_FREE};
use hdlkit::prelude::*;

/// One condition-code register of a warp, as planes: bit t of each belongs to thread t.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Planes {
    pub zero: Bits<32>,
    pub sign: Bits<32>,
    pub carry: Bits<32>,
    pub overflow: Bits<32>,
}

impl Planes {
    /// A thread's code: Z = bit 0, S, C, O.
    pub fn thread(&self, thread: usize) -> u8 {
        let planes = [self.zero, self.sign, self.carry, self.overflow];
        let bits = planes
            .iter()
            .zip(0..)
            .map(|(plane, bit)| u8::from(plane.get_bit(thread)) << bit);
        bits.sum()
    }
}

/// The condition-code registers of an SM's 32 warps; an address is warp * 4 + register.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports)]
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
    _memory: Vec<Planes>,
}

impl Default for PredicateFile {
    fn default() -> Self {
        PredicateFile {
            clock: Default::default(),
            read_enable: Default::default(),
            read_address: Default::default(),
            read_zero: Default::default(),
            read_sign: Default::default(),
            read_carry: Default::default(),
            read_overflow: Default::default(),
            write_address: Default::default(),
            write_threads: Default::default(),
            write_zero: Default::default(),
            write_sign: Default::default(),
            write_carry: Default::default(),
            write_overflow: Default::default(),
            _memory: vec![Planes::default(); 128],
        }
    }
}

impl Blank for PredicateFile {
    fn blank() -> Self {
        Self::default()
    }
}

impl PredicateFile {
    /// The word at an address, from 0 to 127, for a debugger.
    pub fn word(&self, address: usize) -> Planes {
        self._memory[address]
    }

    /// Changes the word at an address: each thread's code.
    pub fn set_word(&mut self, address: usize, codes: [u8; 32]) {
        let plane = |bit: u32| {
            let bits = codes
                .iter()
                .zip(0..)
                .map(|(code, thread)| u64::from(code >> bit & 1) << thread);
            Bits::new(bits.sum())
        };
        self._memory[address] = Planes {
            zero: plane(0),
            sign: plane(1),
            carry: plane(2),
            overflow: plane(3),
        };
    }
}

impl Leaf for PredicateFile {
    fn edge(&mut self) -> bool {
        let mut changed = false;
        if self.read_enable.val() {
            let Planes {
                zero,
                sign,
                carry,
                overflow,
            } = self._memory[self.read_address.val().index()];
            changed = self.read_zero.next != zero
                || self.read_sign.next != sign
                || self.read_carry.next != carry
                || self.read_overflow.next != overflow;
            self.read_zero.next = zero;
            self.read_sign.next = sign;
            self.read_carry.next = carry;
            self.read_overflow.next = overflow;
        }
        let threads = self.write_threads.val();
        if threads.any() {
            let merge = |old: Bits<32>, new: Bits<32>| (old & !threads) | (new & threads);
            let planes = &mut self._memory[self.write_address.val().index()];
            planes.zero = merge(planes.zero, self.write_zero.val());
            planes.sign = merge(planes.sign, self.write_sign.val());
            planes.carry = merge(planes.carry, self.write_carry.val());
            planes.overflow = merge(planes.overflow, self.write_overflow.val());
        }
        changed
    }
    fn verilog(&self) -> String {
        format!(
            "\
genvar g;
genvar t;
generate
    for (g = 0; g < 8; g = g + 1) begin : group
        {BLOCK_COLLISION_FREE}
        reg [15:0] memory [0:127];
        reg [15:0] planes;
        integer i;
        initial
            for (i = 0; i < 128; i = i + 1)
                memory[i] = 16'd0;
{read}        always @(posedge clock)
            for (i = 0; i < 4; i = i + 1)
                if (write_threads[4 * g + i])
                    memory[write_address][4 * i +: 4] <= {{write_overflow[4 * g + i], write_carry[4 * g + i],
                        write_sign[4 * g + i], write_zero[4 * g + i]}};
        for (t = 0; t < 4; t = t + 1) begin : thread
            assign {{read_overflow[4 * g + t], read_carry[4 * g + t], read_sign[4 * g + t], read_zero[4 * g + t]}}
                = planes[4 * t +: 4];
        end
    end
endgenerate
",
            read = collision_free_read(
                16,
                "planes",
                "memory",
                "read_address",
                "|write_threads[4 * g +: 4]",
                "write_address"
            ),
        )
    }
}

/// A condition (bits 43..39 of an instruction) for a whole warp. Combinational; codes as in the encoding document.
///
/// ```text
/// code ─> table: for each O, S, Z whether the condition holds ──┐
/// Z, O, and S or C of a thread ─────────────────────────────────┴─> one of its eight bits
/// ```
/// No condition tests both the carry and the sign or overflow, so the carry takes the sign's place. This takes six LUTs
/// of four inputs per thread, against twenty if each thread decodes the code itself.
#[derive(LogicBlock, Cycle, Blank)]
pub struct ConditionTest {
    pub code: Signal<In, Bits<5>>,
    pub zero: Signal<In, Bits<32>>,
    pub sign: Signal<In, Bits<32>>,
    pub carry: Signal<In, Bits<32>>,
    pub overflow: Signal<In, Bits<32>>,
    /// Threads for which the condition holds.
    pub holds: Signal<Out, Bits<32>>,
    /// Bit 4 * O + 2 * (S, or C) + Z.
    truth: Signal<Local, Bits<8>>,
    of_carry: Signal<Local, Bit>,
    second: Signal<Local, Bits<32>>,
    not_zero: Signal<Local, Bits<32>>,
    not_second: Signal<Local, Bits<32>>,
    not_overflow: Signal<Local, Bits<32>>,
    /// Indexed by O and S: the result as a function of Z.
    by_zero: [Signal<Local, Bits<32>>; 4],
    without_overflow: Signal<Local, Bits<32>>,
    with_overflow: Signal<Local, Bits<32>>,
    _activity: Activity,
}

impl ConditionTest {
    /// The evaluator.
    pub fn new() -> Self {
        Blank::blank()
    }
}

impl Logic for ConditionTest {
    #[hdl_gen]
    fn update(&mut self) {
        self.truth.next = 0.into();
        self.of_carry.next = false;
        match self.code.val().index() {
            // (S & !Z) ^ O
            1 => self.truth.next = 0b1011_0100.into(),
            // Z & !S
            2 => self.truth.next = 0b0010_0010.into(),
            // S ^ (Z | O)
            3 => self.truth.next = 0b0011_0110.into(),
            // !Z & !(S ^ O)
            4 => self.truth.next = 0b0100_0001.into(),
            // !Z
            5 => self.truth.next = 0b0101_0101.into(),
            // !(S ^ O)
            6 => self.truth.next = 0b1100_0011.into(),
            // !Z | !S
            7 => self.truth.next = 0b0111_0111.into(),
            // Z & S
            8 => self.truth.next = 0b1000_1000.into(),
            // S ^ O
            9 => self.truth.next = 0b0011_1100.into(),
            // Z
            10 => self.truth.next = 0b1010_1010.into(),
            // Z | (S ^ O)
            11 => self.truth.next = 0b1011_1110.into(),
            // !S ^ (Z | O)
            12 => self.truth.next = 0b1100_1001.into(),
            // !Z | S
            13 => self.truth.next = 0b1101_1101.into(),
            // (!S | Z) ^ O
            14 => self.truth.next = 0b0100_1011.into(),
            // Always.
            15 => self.truth.next = 0b1111_1111.into(),
            // O
            16 => self.truth.next = 0b1111_0000.into(),
            // C
            17 => {
                self.truth.next = 0b1100_1100.into();
                self.of_carry.next = true;
            }
            // !Z & C
            18 => {
                self.truth.next = 0b0100_0100.into();
                self.of_carry.next = true;
            }
            // S
            19 => self.truth.next = 0b1100_1100.into(),
            // !S
            28 => self.truth.next = 0b0011_0011.into(),
            // Z | !C
            29 => {
                self.truth.next = 0b1011_1011.into();
                self.of_carry.next = true;
            }
            // !C
            30 => {
                self.truth.next = 0b0011_0011.into();
                self.of_carry.next = true;
            }
            // !O
            31 => self.truth.next = 0b0000_1111.into(),
            _ => {}
        }
        self.second.next = self.sign.val();
        if self.of_carry.val() {
            self.second.next = self.carry.val();
        }
        self.not_zero.next = !self.zero.val();
        self.not_second.next = !self.second.val();
        self.not_overflow.next = !self.overflow.val();
        for i in 0..4 {
            self.by_zero[i].next = 0.into();
            if self.truth.val().get_bit(2 * i) {
                self.by_zero[i].next = self.not_zero.val();
            }
            if self.truth.val().get_bit(2 * i + 1) {
                self.by_zero[i].next = self.by_zero[i].val() | self.zero.val();
            }
        }
        self.without_overflow.next =
            (self.by_zero[0].val() & self.not_second.val()) | (self.by_zero[1].val() & self.second.val());
        self.with_overflow.next =
            (self.by_zero[2].val() & self.not_second.val()) | (self.by_zero[3].val() & self.second.val());
        self.holds.next =
            (self.without_overflow.val() & self.not_overflow.val()) | (self.with_overflow.val() & self.overflow.val());
    }
}
