//! The predicate file: four condition-code registers of four bits for every thread.
//!
//! A condition is evaluated for a whole warp at once, so the file gives and takes a register of a warp as four planes of
//! 32 bits: Z, S, C, O. [`evaluate`](Condition) then is bitwise logic on planes. Each thread has its own write enable,
//! which is why the memory is a block of its own: in Verilog it is eight block RAMs, of a nibble for each of four threads.
//!
//! ```text
//! cycle   t                                 t+1
//! read    read_enable, read_address         planes, until the next read
//! write   write_threads, write_address      seen by reads of t+1
//! ```
//! The scoreboard keeps instructions away from a register that is being written, so nobody uses what is read of it then.

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

/// The condition-code registers of an SM's 32 warps; an address is warp * 4 + register.
#[derive(Clone, Debug, LogicBlock, Ports)]
pub struct PredicateFile {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    pub read_address: Signal<In, Bits<7>>,
    pub read_zero: Signal<Out, Bits<32>>,
    pub read_sign: Signal<Out, Bits<32>>,
    pub read_carry: Signal<Out, Bits<32>>,
    pub read_overflow: Signal<Out, Bits<32>>,
    pub write_address: Signal<In, Bits<7>>,
    /// Threads that are written.
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
    /// The rising edge; true if an output changed.
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
}

impl Logic for PredicateFile {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.edge();
        }
    }
    fn connect(&mut self) {
        self.read_zero.connect();
        self.read_sign.connect();
        self.read_carry.connect();
        self.read_overflow.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
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
        ))
    }
}

impl Cycle for PredicateFile {
    fn tick(&mut self) -> bool {
        self.edge()
    }
    fn settle(&mut self) -> bool {
        self.read_enable.commit_in();
        self.read_address.commit_in();
        self.write_address.commit_in();
        self.write_threads.commit_in();
        self.write_zero.commit_in();
        self.write_sign.commit_in();
        self.write_carry.commit_in();
        self.write_overflow.commit_in();
        self.read_zero.commit_out()
            | self.read_sign.commit_out()
            | self.read_carry.commit_out()
            | self.read_overflow.commit_out()
    }
    fn primitives(&self, found: &mut Vec<Primitive>) {
        found.push(Primitive::opaque(self, &[]));
    }
}

/// A condition (bits 43..39 of an instruction) for a whole warp. Combinational; codes as in the encoding document.
#[derive(LogicBlock, Cycle, Blank)]
pub struct Condition {
    pub code: Signal<In, Bits<5>>,
    pub zero: Signal<In, Bits<32>>,
    pub sign: Signal<In, Bits<32>>,
    pub carry: Signal<In, Bits<32>>,
    pub overflow: Signal<In, Bits<32>>,
    /// Threads for which the condition holds.
    pub holds: Signal<Out, Bits<32>>,
    less: Signal<Local, Bits<32>>,
    not_zero: Signal<Local, Bits<32>>,
    not_sign: Signal<Local, Bits<32>>,
    zero_or_overflow: Signal<Local, Bits<32>>,
    result: Signal<Local, Bits<32>>,
    ones: Constant<Bits<32>>,
    _activity: Activity,
}

impl Condition {
    /// The evaluator.
    pub fn new() -> Self {
        Condition {
            ones: Constant::new(0xffff_ffff.into()),
            ..Default::default()
        }
    }
}

impl Logic for Condition {
    #[hdl_gen]
    fn update(&mut self) {
        self.not_zero.next = !self.zero.val();
        self.not_sign.next = !self.sign.val();
        self.less.next = self.sign.val() ^ self.overflow.val();
        self.zero_or_overflow.next = self.zero.val() | self.overflow.val();
        self.result.next = 0.into();
        match self.code.val().index() {
            1 => self.result.next = (self.sign.val() & self.not_zero.val()) ^ self.overflow.val(),
            2 => self.result.next = self.zero.val() & self.not_sign.val(),
            3 => self.result.next = self.sign.val() ^ self.zero_or_overflow.val(),
            4 => self.result.next = self.not_zero.val() & !self.less.val(),
            5 => self.result.next = self.not_zero.val(),
            6 => self.result.next = !self.less.val(),
            7 => self.result.next = self.not_zero.val() | self.not_sign.val(),
            8 => self.result.next = self.zero.val() & self.sign.val(),
            9 => self.result.next = self.less.val(),
            10 => self.result.next = self.zero.val(),
            11 => self.result.next = self.zero.val() | self.less.val(),
            12 => self.result.next = self.not_sign.val() ^ self.zero_or_overflow.val(),
            13 => self.result.next = self.not_zero.val() | self.sign.val(),
            14 => self.result.next = (self.not_sign.val() | self.zero.val()) ^ self.overflow.val(),
            15 => self.result.next = self.ones.val(),
            16 => self.result.next = self.overflow.val(),
            17 => self.result.next = self.carry.val(),
            18 => self.result.next = self.not_zero.val() & self.carry.val(),
            19 => self.result.next = self.sign.val(),
            28 => self.result.next = self.not_sign.val(),
            29 => self.result.next = self.zero.val() | !self.carry.val(),
            30 => self.result.next = !self.carry.val(),
            31 => self.result.next = !self.overflow.val(),
            _ => {}
        }
        self.holds.next = self.result.val();
    }
}
