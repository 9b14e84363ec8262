//! The scoreboard: one pending bit for each register that an instruction in flight will write. An instruction may issue
//! when no register that it reads (RAW hazard) or writes (WAW) is pending. WAR needs no check: a warp's instructions
//! read their operands in issue order, before any later one writes. The scoreboard also records the registers that have
//! ever been written.
//!
//! Each condition-code and address register of a warp has a pending bit. General registers whose numbers differ by 64
//! share one. Few kernels have more than 64 registers; in those, an instruction that needs one of a pair also waits for
//! the other. The bits are the XOR of two memories, so that each has one write port: issue flips a destination's bit in
//! `issued`, and the release of its result flips it in `released`. A register is pending where the two differ.
//!
//! ```text
//! cycle   s3 (s_query)                                                            s4
//!         issued[warp]   ─┐
//!                         ├─ XOR ─> pending ─> bits of a, b, c, destination ──> clear    s_issue: the sets with the
//!         released[warp] ─┘                                                              instruction's destinations
//!         written[warp]  ─────────────────────────────────────────────────────> a_live   are written
//! ```
//! `written` lets registers start at 0 without clearing them: a register that the warp has not written yet reads as 0,
//! and its first write fills the threads and halves that the instruction does not write with zeros. Registers past the
//! launch's count are never written, so they also read as 0.
//!
//! An answer is valid from the cycle after its query until the next query. A release in cycle t is visible to queries
//! in cycle t+1 and later. An old answer is safe: between an instruction's query and its issue, no other instruction of
//! the warp issues, so only releases change the warp's sets, and a register may seem pending that no longer is.

use crate::bundles::*;
use flexgrip_machine::Capability;
use hdlkit::prelude::*;

/// Pipeline register between s2 and s3: a decoded instruction.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DecodedInstruction {
    pub valid: Bit,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    pub word: Bits<64>,
    pub decoded: Decoded,
}

/// A set of a warp's registers, one bit each.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct RegisterSet {
    /// R0 to R63.
    pub low: Bits<64>,
    /// R64 to R127.
    pub high: Bits<64>,
    /// C0 to C3.
    pub conditions: Bits<4>,
    /// A1 to A4.
    pub addresses: Bits<4>,
}

/// A warp's bits in `issued` or in `released`; where these differ, the pending registers.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct PendingSet {
    /// Bit i: R\[i\] and R\[i + 64\].
    pub registers: Bits<64>,
    /// C0 to C3.
    pub conditions: Bits<4>,
    /// A1 to A4.
    pub addresses: Bits<4>,
}

/// The scoreboard's answer for an instruction.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ScoreboardAnswer {
    /// No register that the instruction reads or writes is pending.
    pub clear: Bit,
    /// No register of the warp is pending. An instruction that may end the warp waits for this.
    pub drained: Bit,
    /// The operand's register has been written before; otherwise it reads as 0.
    pub a_live: Bit,
    pub b_live: Bit,
    pub c_live: Bit,
    /// The destination's number is below the launch's count; the destination has been written before.
    pub destination_exists: Bit,
    pub destination_live: Bit,
    /// Bit i of a store: register b + i + 1 has been written before. An atomic operation has bits for b + 1, c, c + 1,
    /// a double instruction for b + 1, a + 1, c + 1.
    pub b_further_live: Bits<3>,
    /// Bit i of a result of more than 32 bits: the instruction also writes register destination + i + 1; that register
    /// has been written before.
    pub further: Bits<3>,
    pub further_live: Bits<3>,
    /// The condition-code registers to read and to write have been written before.
    pub condition_live: Bit,
    pub condition_destination_live: Bit,
    /// The address registers to read and to write have been written before. A register that an operand increments
    /// counts as read.
    pub address_live: Bit,
    pub address_destination_live: Bit,
}

/// A warp's sets after the issue of the queried instruction.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SetsAfterIssue {
    pub warp: Bits<5>,
    pub issued: PendingSet,
    pub written: RegisterSet,
}

/// Returns the bits in which two sets differ.
#[hdl_fn]
fn difference(a: PendingSet, b: PendingSet) -> PendingSet {
    PendingSet {
        registers: a.registers ^ b.registers,
        conditions: a.conditions ^ b.conditions,
        addresses: a.addresses ^ b.addresses,
    }
}

/// Returns a register's bit in a set.
#[hdl_fn]
fn member(set: RegisterSet, register: Bits<7>) -> Bit {
    let place = register.low::<6>();
    if register.get_bit(6) {
        set.high.get_bit(place.index())
    } else {
        set.low.get_bit(place.index())
    }
}

/// Returns the bits of a register (bit 0) and of the next three in a set; 0 past R127.
#[hdl_fn]
fn group_in(low: Bits<64>, high: Bits<64>, register: Bits<7>) -> Bits<4> {
    let place = register.low::<6>();
    let (half, next_half) = if register.get_bit(6) { (high, bits::<4>(0)) } else { (low, high.low::<4>()) };
    // The long shifts first: each step keeps only the bits that later ones can reach, half as many LUTs as in one
    // shift.
    let within_32 = if place.get_bit(5) { half >> 32 } else { half };
    let within_16 = if place.get_bit(4) { within_32 >> 16 } else { within_32 };
    let within_8 = if place.get_bit(3) { within_16 >> 8 } else { within_16 };
    let shifted = within_8 >> place.low::<3>();
    let from_next_half = match place.index() {
        61 => next_half << 3,
        62 => next_half << 2,
        63 => next_half << 1,
        _ => bits(0),
    };
    shifted.low::<4>() | from_next_half
}

/// The scoreboard of an SM.
#[circuit]
pub struct Scoreboard {
    pub clock: Signal<In, Clock>,
    /// Registers per thread in this launch, 1 to 128.
    pub registers: Signal<In, Bits<8>>,
    /// The instruction to look up. The answer is for the latest valid query.
    pub s_query: Signal<In, DecodedInstruction>,
    pub s_answer: Signal<Out, ScoreboardAnswer>,
    /// The instruction of the current answer issues in this cycle.
    pub s_issue: Signal<In, Bit>,
    /// A warp begins: R0 counts as written, nothing is pending. Never in a cycle with an issue or a query.
    pub s_launch: Signal<In, WarpSelect>,
    /// Destinations whose result has been written.
    pub w_release: Signal<In, Release>,

    issued: LutRam<5, PendingSet>,
    released: LutRam2R<5, PendingSet>,
    written: LutRam<5, RegisterSet>,
    answer: DFF<ScoreboardAnswer>,
    after_issue: DFF<SetsAfterIssue>,

    /// Atomic operations exist: capability 1.1. Double instructions exist: capability 1.3.
    atomics: Constant<Bit>,
    doubles: Constant<Bit>,
}

impl Logic for Scoreboard {
    #[hdl_gen]
    fn update(&mut self) {
        // The queried warp's sets. At a launch, the released set is copied to the issued one.
        let query = self.s_query.val();
        let launch = self.s_launch.val();
        let issued = self.issued.read(query.warp);
        let released = self.released.read_1(if launch.valid { launch.warp } else { query.warp });
        let (answer, after_issue) = self.find(issued, difference(issued, released));
        if query.valid {
            self.answer.d.next = answer;
            self.after_issue.d.next = after_issue;
        }
        if self.atomics.val() {
            self.find_operand_c(difference(issued, released));
        }
        if self.doubles.val() {
            self.find_register_pairs(difference(issued, released));
        }
        self.s_answer.next = self.answer.q.val();
        self.write_sets(launch, released);
    }
}

impl Scoreboard {
    /// Returns a scoreboard for the instructions of this capability.
    pub fn new(capability: Capability) -> Self {
        Scoreboard {
            atomics: Constant::new(capability.has_atomics()),
            doubles: Constant::new(capability.has_doubles()),
            ..Default::default()
        }
    }

    /// Finds whether the second registers of a double instruction's operands have been written before. Unless its
    /// sources have 32 bits, the instruction waits for these registers, too.
    #[hdl_part]
    fn find_register_pairs(&mut self, pending: PendingSet) {
        let query = self.s_query.val();
        let written = self.written.read_data.val();
        let instruction = query.decoded;
        let a = instruction.a.register | 1;
        let b = instruction.b.register | 1;
        let c = instruction.c.register | 1;
        let blocked = instruction.a.register_used && pending.registers.get_bit(a.low::<6>().index())
            || instruction.b.register_used && pending.registers.get_bit(b.low::<6>().index())
            || instruction.c.register_used && pending.registers.get_bit(c.low::<6>().index());
        if query.valid && is_double(instruction) {
            let mut live = bits::<3>(0);
            live = live.replace_bit(0, member(written, b));
            live = live.replace_bit(1, member(written, a));
            live = live.replace_bit(2, member(written, c));
            self.answer.d.next.b_further_live = live;
            if !instruction.float.source_half && blocked {
                self.answer.d.next.clear = false;
            }
        }
    }

    /// An atomic operation sends up to four registers to the memory unit: b, b + 1, c and c + 1. Finds whether the last
    /// three have been written before. On 64 bits, the instruction waits for c + 1, too.
    #[hdl_part]
    fn find_operand_c(&mut self, pending: PendingSet) {
        let query = self.s_query.val();
        let written = self.written.read_data.val();
        let b = query.decoded.b;
        let c = query.decoded.c;
        let second_c = c.register | 1;
        let pending_c = c.register_used && pending.registers.get_bit(second_c.low::<6>().index());
        if query.valid && is_atomic(query.decoded) {
            let mut live = bits::<3>(0);
            live = live.replace_bit(0, member(written, b.register | 1));
            live = live.replace_bit(1, member(written, c.register));
            live = live.replace_bit(2, member(written, second_c));
            self.answer.d.next.b_further_live = live;
            if query.decoded.size == 6 && pending_c {
                self.answer.d.next.clear = false;
            }
        }
    }

    /// Returns the answer to the query, and the warp's sets after the instruction's issue.
    #[hdl_part]
    fn find(&mut self, issued: PendingSet, pending: PendingSet) -> (ScoreboardAnswer, SetsAfterIssue) {
        let query = self.s_query.val();
        let written = self.written.read(query.warp);
        let instruction = query.decoded;
        let a = instruction.a;
        let b = instruction.b;
        let c = instruction.c;
        let destination = instruction.register;

        // The destination registers that exist, up to four. The others must not become pending: writes to them are
        // dropped, so nothing would release them.
        let exists = destination.resize::<8>() < self.registers.val();
        let group = match instruction.further_registers.index() {
            1 => bits::<4>(0b0011),
            3 => bits(0b1111),
            _ => bits(0b0001),
        };
        let left = self.registers.val() - destination.resize::<8>();
        let existing = match left.index() {
            1 => bits::<4>(0b0001),
            2 => bits(0b0011),
            3 => bits(0b0111),
            _ => bits(0b1111),
        };
        let destinations = mask(instruction.register_enable && exists, group & existing);

        // The condition-code and address registers.
        let condition_read = mask(instruction.condition_used, instruction.condition_source.one_hot::<4>());
        let condition_write = mask(instruction.condition_enable, instruction.condition_register.one_hot::<4>());
        let indexing = instruction.indexing;
        let address_read = mask(indexing.register_used, indexing.register.one_hot::<4>());
        let address_write = mask(instruction.address_enable, instruction.address_register.one_hot::<4>());
        let incremented = mask(indexing.increments, address_read);

        // RAW and WAW hazards: the instruction reads or writes a pending register.
        let pending_b = group_in(pending.registers, pending.registers, b.register);
        let pending_destinations = group_in(pending.registers, pending.registers, destination);
        let blocked = a.register_used && pending.registers.get_bit(a.register.low::<6>().index())
            || b.register_used && (group & pending_b).any()
            || c.register_used && pending.registers.get_bit(c.register.low::<6>().index())
            || (destinations & pending_destinations).any()
            || ((condition_read | condition_write) & pending.conditions).any()
            || ((address_read | address_write) & pending.addresses).any();

        // The destinations as a set.
        let place = destination.low::<6>();
        let shifted = destinations.resize::<64>() << place;
        let into_next_half = match place.index() {
            61 => destinations >> 3,
            62 => destinations >> 2,
            63 => destinations >> 1,
            _ => bits(0),
        };
        let (low, high) =
            if destination.get_bit(6) { (bits::<64>(0), shifted) } else { (shifted, into_next_half.resize::<64>()) };

        let live_b = group_in(written.low, written.high, b.register);
        let live_destinations = group_in(written.low, written.high, destination);
        let answer = ScoreboardAnswer {
            clear: !blocked,
            drained: !pending.registers.any() && !pending.conditions.any() && !pending.addresses.any(),
            a_live: member(written, a.register),
            b_live: live_b.get_bit(0),
            c_live: member(written, c.register),
            destination_exists: exists,
            destination_live: live_destinations.get_bit(0),
            b_further_live: live_b.bits::<3>(1),
            further: destinations.bits::<3>(1),
            further_live: live_destinations.bits::<3>(1),
            condition_live: (condition_read & written.conditions).any(),
            condition_destination_live: (condition_write & written.conditions).any(),
            address_live: (address_read & written.addresses).any(),
            address_destination_live: (address_write & written.addresses).any(),
        };
        let taken = PendingSet { registers: low | high, conditions: condition_write, addresses: address_write };
        let after_issue = SetsAfterIssue {
            warp: query.warp,
            issued: difference(issued, taken),
            written: RegisterSet {
                low: written.low | low,
                high: written.high | high,
                conditions: written.conditions | condition_write,
                addresses: written.addresses | address_write | incremented,
            },
        };
        (answer, after_issue)
    }

    /// Writes the sets. At issue, they become the sets found for the query. At a launch nothing is pending, even if an
    /// error has left bits set, and only R0 counts as written. Written results release their destinations.
    #[hdl_part]
    fn write_sets(&mut self, launch: WarpSelect, released: PendingSet) {
        let r0 = RegisterSet { low: 1.into(), ..Default::default() };
        let after = if launch.valid {
            SetsAfterIssue { warp: launch.warp, issued: released, written: r0 }
        } else {
            self.after_issue.q.val()
        };
        let writes = self.s_issue.val() || launch.valid;
        self.issued.write(writes, after.warp, after.issued);
        self.written.write(writes, after.warp, after.written);

        let release = self.w_release.val();
        let written = PendingSet {
            registers: mask(release.register_enable, release.register.low::<6>().one_hot::<64>()),
            conditions: mask(release.condition_enable, release.condition.one_hot::<4>()),
            addresses: mask(release.address_enable, release.address.one_hot::<4>()),
        };
        let old = self.released.read_2(release.warp);
        self.released.write(release.valid, release.warp, difference(old, written));
    }
}
