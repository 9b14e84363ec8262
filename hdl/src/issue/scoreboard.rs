//! The scoreboard: which registers of each warp wait for a result, and which have been written at all.
//!
//! Every condition-code and address register of every warp has a pending bit, and so has every pair of general
//! registers whose numbers differ by 64. Few kernels have more than 64; in those an instruction that needs one of a
//! pair also waits for the other. The bits are the XOR of two memories, so that each has one writer: the issue side
//! flips a bit when an instruction with that destination issues, the release side flips its own when the result is
//! written; a register is pending where the two differ.
//!
//! ```text
//! cycle   s3 (s_ask)                                                                s4
//!         issued[warp]   ─┐
//!                         ├─ XOR ─> pending ─> bits of a, b, c, destination, .. ──> s_clear    s_issue: the sets with the
//!         released[warp] ─┘                                                                    instruction's destinations
//!         written[warp]  ─────────────────────────────────────────────────────────> s_a_live   are written
//! ```
//! `written` zeroes registers at entry without clearing them: a register that the warp has not written yet reads as 0,
//! and its first write fills the threads and halves that the instruction does not write with zeros. Registers past the
//! launch's count are never written, so they also read as 0.
//!
//! Answers come in the cycle after the query, and stay until the next query. A release in cycle t is seen by queries of
//! t+1. An answer may be out of date by then, but only on the safe side: a warp's sets change by its own issues, of
//! which there are none between a query and the issue that it is for, and by releases, after which a register may still
//! seem pending.

use crate::bundles::*;
use hdlkit::prelude::*;

/// A set of a warp's registers, a bit each.
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

/// One side's set of a warp's pending registers, a bit each.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct PendingSet {
    /// Bit i: R\[i\] or R\[i + 64\].
    pub registers: Bits<64>,
    /// C0 to C3.
    pub conditions: Bits<4>,
    /// A1 to A4.
    pub addresses: Bits<4>,
}

/// The scoreboard's answer for an instruction.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ScoreboardAnswer {
    /// The instruction's warp.
    pub warp: Bits<5>,
    // As the scoreboard's outputs.
    pub clear: Bit,
    pub drained: Bit,
    pub a_live: Bit,
    pub b_live: Bit,
    pub c_live: Bit,
    pub destination_exists: Bit,
    pub destination_live: Bit,
    pub b_further_live: Bits<3>,
    pub further: Bits<3>,
    pub further_live: Bits<3>,
    pub condition_live: Bit,
    pub condition_destination_live: Bit,
    pub address_live: Bit,
    pub address_destination_live: Bit,
    /// The warp's sets after the instruction has issued.
    pub issued: PendingSet,
    pub written: RegisterSet,
}

/// Selects a register's bit in a set. Combinational.
#[derive(LogicBlock, Cycle, Blank)]
pub struct SetMember {
    pub low: Signal<In, Bits<64>>,
    pub high: Signal<In, Bits<64>>,
    pub register: Signal<In, Bits<7>>,
    pub member: Signal<Out, Bit>,
    place: Signal<Local, Bits<6>>,
    _activity: Activity,
}

impl Logic for SetMember {
    #[hdl_gen]
    fn update(&mut self) {
        self.place.next = self.register.val().get_bits::<6>(0);
        if self.register.val().get_bit(6) {
            self.member.next = self.high.val().get_bit(self.place.val().index());
        } else {
            self.member.next = self.low.val().get_bit(self.place.val().index());
        }
    }
}

/// Selects a register's bit and those of the next three in a set; there is none after R127. Combinational.
#[derive(LogicBlock, Cycle, Blank)]
pub struct SetGroup {
    pub low: Signal<In, Bits<64>>,
    pub high: Signal<In, Bits<64>>,
    pub register: Signal<In, Bits<7>>,
    /// Bit 0 is the register's own.
    pub members: Signal<Out, Bits<4>>,
    place: Signal<Local, Bits<6>>,
    half: Signal<Local, Bits<64>>,
    within_32: Signal<Local, Bits<64>>,
    within_16: Signal<Local, Bits<64>>,
    within_8: Signal<Local, Bits<64>>,
    shifted: Signal<Local, Bits<64>>,
    next_half: Signal<Local, Bits<4>>,
    behind: Signal<Local, Bits<4>>,
    _activity: Activity,
}

impl Logic for SetGroup {
    #[hdl_gen]
    fn update(&mut self) {
        self.place.next = self.register.val().get_bits::<6>(0);
        self.half.next = self.low.val();
        self.next_half.next = self.high.val().get_bits::<4>(0);
        if self.register.val().get_bit(6) {
            self.half.next = self.high.val();
            self.next_half.next = 0.into();
        }
        // The long steps first: each step keeps only the bits that later ones can reach, half as many LUTs as in one
        // shift.
        self.within_32.next = self.half.val();
        if self.place.val().get_bit(5) {
            self.within_32.next = self.half.val() >> 32;
        }
        self.within_16.next = self.within_32.val();
        if self.place.val().get_bit(4) {
            self.within_16.next = self.within_32.val() >> 16;
        }
        self.within_8.next = self.within_16.val();
        if self.place.val().get_bit(3) {
            self.within_8.next = self.within_16.val() >> 8;
        }
        self.shifted.next = self.within_8.val() >> self.place.val().get_bits::<3>(0);
        self.behind.next = 0.into();
        match self.place.val().index() {
            61 => self.behind.next = self.next_half.val() << 3,
            62 => self.behind.next = self.next_half.val() << 2,
            63 => self.behind.next = self.next_half.val() << 1,
            _ => {}
        }
        self.members.next = self.shifted.val().get_bits::<4>(0) | self.behind.val();
    }
}

/// The scoreboard of an SM.
#[derive(LogicBlock, Cycle, Blank)]
pub struct Scoreboard {
    pub clock: Signal<In, Clock>,
    /// Registers per thread in this launch.
    pub registers: Signal<In, Bits<8>>,
    // Query: may this instruction of this warp issue? The answer is for the latest cycle with `s_ask`.
    pub s_ask: Signal<In, Bit>,
    pub s_warp: Signal<In, Bits<5>>,
    pub s_decoded: Signal<In, Decoded>,
    /// No operand and no destination waits for a result.
    pub s_clear: Signal<Out, Bit>,
    /// No register of the warp waits for a result.
    pub s_drained: Signal<Out, Bit>,
    /// The register has been written; else it reads as 0.
    pub s_a_live: Signal<Out, Bit>,
    pub s_b_live: Signal<Out, Bit>,
    pub s_c_live: Signal<Out, Bit>,
    /// Whether the destination exists (its number is below `registers`), and whether it has been written before.
    pub s_destination_exists: Signal<Out, Bit>,
    pub s_destination_live: Signal<Out, Bit>,
    // Accesses of several registers.
    /// Which of the three registers after b have been written.
    pub s_b_further_live: Signal<Out, Bits<3>>,
    /// Which of the registers after the destination the instruction writes, and which have been written before.
    pub s_further: Signal<Out, Bits<3>>,
    pub s_further_live: Signal<Out, Bits<3>>,
    /// Whether the condition-code registers to read and to write have been written before.
    pub s_condition_live: Signal<Out, Bit>,
    pub s_condition_destination_live: Signal<Out, Bit>,
    /// The same for the address registers. One that an operand increments counts as read.
    pub s_address_live: Signal<Out, Bit>,
    pub s_address_destination_live: Signal<Out, Bit>,
    /// The instruction of the current answer issues in this cycle.
    pub s_issue: Signal<In, Bit>,
    // A warp begins: only R0 is written, nothing is pending. Not in a cycle with an issue or a query.
    pub s_launch: Signal<In, Bit>,
    pub s_launch_warp: Signal<In, Bits<5>>,
    /// A result has been written.
    pub s_release: Signal<In, Release>,

    issued: LutRam<5, PendingSet>,
    released: LutRam2R<5, PendingSet>,
    written: LutRam<5, RegisterSet>,
    pending_b: SetGroup,
    pending_destination: SetGroup,
    live_a: SetMember,
    live_b: SetGroup,
    live_c: SetMember,
    live_destination: SetGroup,
    answer: DFF<ScoreboardAnswer>,

    one_64: Constant<Bits<64>>,
    one_4: Constant<Bits<4>>,
    instruction: Signal<Local, Decoded>,
    a: Signal<Local, Operand>,
    b: Signal<Local, Operand>,
    c: Signal<Local, Operand>,
    issued_set: Signal<Local, PendingSet>,
    released_set: Signal<Local, PendingSet>,
    written_set: Signal<Local, RegisterSet>,
    pending: Signal<Local, Bits<64>>,
    pending_conditions: Signal<Local, Bits<4>>,
    condition_read: Signal<Local, Bits<4>>,
    condition_write: Signal<Local, Bits<4>>,
    condition_blocked: Signal<Local, Bits<4>>,
    live_conditions: Signal<Local, Bits<4>>,
    group: Signal<Local, Bits<4>>,
    group_b: Signal<Local, Bits<4>>,
    left: Signal<Local, Bits<8>>,
    existing: Signal<Local, Bits<4>>,
    written_group: Signal<Local, Bits<4>>,
    group_live: Signal<Local, Bits<4>>,
    crossing: Signal<Local, Bits<4>>,
    exists: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
    place_a: Signal<Local, Bits<6>>,
    place_c: Signal<Local, Bits<6>>,
    blocked_a: Signal<Local, Bit>,
    blocked_b: Signal<Local, Bit>,
    blocked_c: Signal<Local, Bit>,
    blocked_destination: Signal<Local, Bit>,
    place: Signal<Local, Bits<6>>,
    flip_low: Signal<Local, Bits<64>>,
    flip_high: Signal<Local, Bits<64>>,
    flips: Signal<Local, Bits<64>>,
    issue_set: Signal<Local, PendingSet>,
    write_set: Signal<Local, RegisterSet>,
    found: Signal<Local, ScoreboardAnswer>,
    answered: Signal<Local, ScoreboardAnswer>,
    old_set: Signal<Local, PendingSet>,
    release_set: Signal<Local, PendingSet>,
    release_place: Signal<Local, Bits<6>>,
    release_register: Signal<Local, Bits<64>>,
    release_condition: Signal<Local, Bits<4>>,
    release_address: Signal<Local, Bits<4>>,
    indexing: Signal<Local, Indexing>,
    pending_addresses: Signal<Local, Bits<4>>,
    live_addresses: Signal<Local, Bits<4>>,
    address_read: Signal<Local, Bits<4>>,
    address_write: Signal<Local, Bits<4>>,
    address_blocked: Signal<Local, Bits<4>>,
    address_increment: Signal<Local, Bits<4>>,
    only_r0: Constant<RegisterSet>,
    _activity: Activity,
}

impl Scoreboard {
    /// A scoreboard with nothing pending.
    pub fn new() -> Self {
        Scoreboard {
            one_64: Constant::new(1.into()),
            one_4: Constant::new(1.into()),
            only_r0: Constant::new(RegisterSet {
                low: 1.into(),
                ..Default::default()
            }),
            ..Default::default()
        }
    }
}

impl Logic for Scoreboard {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, answer);
        clock!(self, clock, issued, released, written);
        self.instruction.next = self.s_decoded.val();
        self.a.next = self.instruction.val().a;
        self.b.next = self.instruction.val().b;
        self.c.next = self.instruction.val().c;

        self.look_up_sets();
        self.find_sources();
        self.find_wide_registers();
        self.sets_after_issue();
        self.answer();
        self.release();
    }
}

impl Scoreboard {
    /// The sets of the warp in the scheduler's query.
    #[hdl_part]
    fn look_up_sets(&mut self) {
        self.issued.read_address.next = self.s_warp.val();
        self.released.read_address_1.next = self.s_warp.val();
        if self.s_launch.val() {
            self.released.read_address_1.next = self.s_launch_warp.val();
        }
        self.written.read_address.next = self.s_warp.val();
        self.issued_set.next = self.issued.read_data.val();
        self.released_set.next = self.released.read_data_1.val();
        self.written_set.next = self.written.read_data.val();
        self.pending.next = self.issued_set.val().registers ^ self.released_set.val().registers;
        self.pending_conditions.next = self.issued_set.val().conditions ^ self.released_set.val().conditions;
        self.live_conditions.next = self.written_set.val().conditions;
        self.pending_addresses.next = self.issued_set.val().addresses ^ self.released_set.val().addresses;
        self.live_addresses.next = self.written_set.val().addresses;
    }

    /// Whether the sources are pending, and which of them have been written.
    #[hdl_part]
    fn find_sources(&mut self) {
        self.place_a.next = self.a.val().register.get_bits::<6>(0);
        self.place_c.next = self.c.val().register.get_bits::<6>(0);
        self.pending_b.low.next = self.pending.val();
        self.pending_b.high.next = self.pending.val();
        self.pending_b.register.next = self.b.val().register;
        self.pending_destination.low.next = self.pending.val();
        self.pending_destination.high.next = self.pending.val();
        self.pending_destination.register.next = self.instruction.val().register;
        self.live_a.low.next = self.written_set.val().low;
        self.live_a.high.next = self.written_set.val().high;
        self.live_a.register.next = self.a.val().register;
        self.live_b.low.next = self.written_set.val().low;
        self.live_b.high.next = self.written_set.val().high;
        self.live_b.register.next = self.b.val().register;
        self.live_c.low.next = self.written_set.val().low;
        self.live_c.high.next = self.written_set.val().high;
        self.live_c.register.next = self.c.val().register;
        self.live_destination.low.next = self.written_set.val().low;
        self.live_destination.high.next = self.written_set.val().high;
        self.live_destination.register.next = self.instruction.val().register;
    }

    /// The existing registers of an access of 64 or 128 bits. A register that does not exist is never pending or live.
    #[hdl_part]
    fn find_wide_registers(&mut self) {
        self.exists.next = bit_cast::<8, 7>(self.instruction.val().register) < self.registers.val();
        self.writes.next = self.instruction.val().register_enable && self.exists.val();
        self.group.next = 1.into();
        match self.instruction.val().further_registers.index() {
            1 => self.group.next = 3.into(),
            3 => self.group.next = 15.into(),
            _ => {}
        }
        self.left.next = self.registers.val() - bit_cast::<8, 7>(self.instruction.val().register);
        self.existing.next = 15.into();
        match self.left.val().index() {
            1 => self.existing.next = 1.into(),
            2 => self.existing.next = 3.into(),
            3 => self.existing.next = 7.into(),
            _ => {}
        }
        self.written_group.next = 0.into();
        if self.writes.val() {
            self.written_group.next = self.group.val() & self.existing.val();
        }
        self.blocked_a.next = self.a.val().register_used && self.pending.val().get_bit(self.place_a.val().index());
        self.group_b.next = self.group.val() & self.pending_b.members.val();
        self.blocked_b.next = self.b.val().register_used && self.group_b.val().any();
        self.blocked_c.next = self.c.val().register_used && self.pending.val().get_bit(self.place_c.val().index());
        self.group_live.next = self.written_group.val() & self.pending_destination.members.val();
        self.blocked_destination.next = self.group_live.val().any();
        self.condition_read.next = 0.into();
        if self.instruction.val().condition_used {
            self.condition_read.next = self.one_4.val() << self.instruction.val().condition_source;
        }
        self.condition_write.next = 0.into();
        if self.instruction.val().condition_enable {
            self.condition_write.next = self.one_4.val() << self.instruction.val().condition_register;
        }
        self.condition_blocked.next = self.condition_read.val() | self.condition_write.val();
        self.condition_blocked.next = self.condition_blocked.val() & self.pending_conditions.val();
        self.indexing.next = self.instruction.val().indexing;
        self.address_read.next = 0.into();
        if self.indexing.val().register_used {
            self.address_read.next = self.one_4.val() << self.indexing.val().register;
        }
        self.address_increment.next = 0.into();
        if self.indexing.val().increments {
            self.address_increment.next = self.address_read.val();
        }
        self.address_write.next = 0.into();
        if self.instruction.val().address_enable {
            self.address_write.next = self.one_4.val() << self.instruction.val().address_register;
        }
        self.address_blocked.next = self.address_read.val() | self.address_write.val();
        self.address_blocked.next = self.address_blocked.val() & self.pending_addresses.val();
        self.found.next.warp = self.s_warp.val();
        self.found.next.clear = !self.blocked_a.val()
            && !self.blocked_b.val()
            && !self.blocked_c.val()
            && !self.blocked_destination.val()
            && !self.condition_blocked.val().any()
            && !self.address_blocked.val().any();
        self.found.next.drained =
            !self.pending.val().any() && !self.pending_conditions.val().any() && !self.pending_addresses.val().any();
        self.found.next.a_live = self.live_a.member.val();
        self.group_b.next = self.live_b.members.val();
        self.found.next.b_live = self.group_b.val().get_bit(0);
        self.found.next.b_further_live = self.group_b.val().get_bits::<3>(1);
        self.found.next.c_live = self.live_c.member.val();
        self.found.next.destination_exists = self.exists.val();
        self.group_live.next = self.live_destination.members.val();
        self.found.next.destination_live = self.group_live.val().get_bit(0);
        self.found.next.further_live = self.group_live.val().get_bits::<3>(1);
        self.found.next.further = self.written_group.val().get_bits::<3>(1);
        self.condition_read.next = self.condition_read.val() & self.live_conditions.val();
        self.found.next.condition_live = self.condition_read.val().any();
        self.condition_blocked.next = self.condition_write.val() & self.live_conditions.val();
        self.found.next.condition_destination_live = self.condition_blocked.val().any();
        self.address_read.next = self.address_read.val() & self.live_addresses.val();
        self.found.next.address_live = self.address_read.val().any();
        self.address_blocked.next = self.address_write.val() & self.live_addresses.val();
        self.found.next.address_destination_live = self.address_blocked.val().any();
    }

    /// The sets after the instruction has issued: its destinations are pending and written.
    #[hdl_part]
    fn sets_after_issue(&mut self) {
        self.place.next = self.instruction.val().register.get_bits::<6>(0);
        self.flip_low.next = 0.into();
        self.flip_high.next = 0.into();
        self.crossing.next = 0.into();
        match self.place.val().index() {
            61 => self.crossing.next = self.written_group.val() >> 3,
            62 => self.crossing.next = self.written_group.val() >> 2,
            63 => self.crossing.next = self.written_group.val() >> 1,
            _ => {}
        }
        if self.instruction.val().register.get_bit(6) {
            self.flip_high.next = bit_cast::<64, 4>(self.written_group.val()) << self.place.val();
        } else {
            self.flip_low.next = bit_cast::<64, 4>(self.written_group.val()) << self.place.val();
            self.flip_high.next = bit_cast::<64, 4>(self.crossing.val());
        }
        self.flips.next = self.flip_low.val() | self.flip_high.val();
        self.issue_set.next.registers = self.issued_set.val().registers ^ self.flips.val();
        self.issue_set.next.conditions = self.issued_set.val().conditions ^ self.condition_write.val();
        self.issue_set.next.addresses = self.issued_set.val().addresses ^ self.address_write.val();
        self.write_set.next.low = self.written_set.val().low | self.flip_low.val();
        self.write_set.next.high = self.written_set.val().high | self.flip_high.val();
        self.write_set.next.conditions = self.written_set.val().conditions | self.condition_write.val();
        self.address_write.next = self.address_write.val() | self.address_increment.val();
        self.write_set.next.addresses = self.written_set.val().addresses | self.address_write.val();
        self.found.next.issued = self.issue_set.val();
        self.found.next.written = self.write_set.val();
        if self.s_ask.val() {
            self.answer.d.next = self.found.val();
        }
    }

    /// The answer, and the sets' update at issue.
    #[hdl_part]
    fn answer(&mut self) {
        self.answered.next = self.answer.q.val();
        self.s_clear.next = self.answered.val().clear;
        self.s_drained.next = self.answered.val().drained;
        self.s_a_live.next = self.answered.val().a_live;
        self.s_b_live.next = self.answered.val().b_live;
        self.s_c_live.next = self.answered.val().c_live;
        self.s_destination_exists.next = self.answered.val().destination_exists;
        self.s_destination_live.next = self.answered.val().destination_live;
        self.s_b_further_live.next = self.answered.val().b_further_live;
        self.s_further.next = self.answered.val().further;
        self.s_further_live.next = self.answered.val().further_live;
        self.s_condition_live.next = self.answered.val().condition_live;
        self.s_condition_destination_live.next = self.answered.val().condition_destination_live;
        self.s_address_live.next = self.answered.val().address_live;
        self.s_address_destination_live.next = self.answered.val().address_destination_live;
        self.issued.write_enable.next = self.s_issue.val();
        self.issued.write_address.next = self.answered.val().warp;
        self.issued.write_data.next = self.answered.val().issued;
        if self.s_launch.val() {
            // Nothing is pending, even if an error has left bits set.
            self.issued.write_enable.next = true;
            self.issued.write_address.next = self.s_launch_warp.val();
            self.issued.write_data.next = self.released_set.val();
        }
        self.written.write_enable.next = self.s_issue.val() || self.s_launch.val();
        self.written.write_address.next = self.answered.val().warp;
        self.written.write_data.next = self.answered.val().written;
        if self.s_launch.val() {
            self.written.write_address.next = self.s_launch_warp.val();
            self.written.write_data.next = self.only_r0.val();
        }
    }

    /// Written results release their destinations.
    #[hdl_part]
    fn release(&mut self) {
        self.released.read_address_2.next = self.s_release.val().warp;
        self.old_set.next = self.released.read_data_2.val();
        self.release_place.next = self.s_release.val().register.get_bits::<6>(0);
        self.release_register.next = 0.into();
        if self.s_release.val().register_enable {
            self.release_register.next = self.one_64.val() << self.release_place.val();
        }
        self.release_condition.next = 0.into();
        if self.s_release.val().condition_enable {
            self.release_condition.next = self.one_4.val() << self.s_release.val().condition;
        }
        self.release_set.next.registers = self.old_set.val().registers ^ self.release_register.val();
        self.release_set.next.conditions = self.old_set.val().conditions ^ self.release_condition.val();
        self.release_address.next = 0.into();
        if self.s_release.val().address_enable {
            self.release_address.next = self.one_4.val() << self.s_release.val().address;
        }
        self.release_set.next.addresses = self.old_set.val().addresses ^ self.release_address.val();
        self.released.write_enable.next = self.s_release.val().valid;
        self.released.write_address.next = self.s_release.val().warp;
        self.released.write_data.next = self.release_set.val();
    }
}
