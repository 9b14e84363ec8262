//! Stage r1 to x1: the beat's control for the lanes, the special function units, the memory unit and writeback.

use super::{Read, ReadBeat};
use crate::bundles::*;
use hdlkit::prelude::*;

impl<const LANES: usize> Read<LANES> {
    /// Registers the beat, and the control of its unit, which changes only for the unit's own beats.
    #[hdl_part]
    pub(super) fn dispatch(&mut self, beat: ReadBeat, proceeds: Bit) {
        let issued = beat.issued;
        let instruction = issued.decoded;
        let for_memory = instruction.unit == Unit::Memory;
        self.x1.d.next = DispatchedBeat {
            write: WriteControl {
                valid: proceeds && beat.complete,
                tag: issued.tag,
                warp: issued.warp,
                beat: beat.beat,
                last: beat.last,
                row: beat.row,
                register: instruction.register,
                halves: instruction.halves,
                register_enable: instruction.register_enable,
                fill: issued.fill,
                condition_register: instruction.condition_register,
                condition_enable: instruction.condition_enable,
                condition_fill: issued.condition_fill,
                address_register: instruction.address_register,
                address_enable: instruction.address_enable,
                address_fill: issued.address_fill,
                elsewhere: instruction.unit == Unit::SpecialFunction || (for_memory && !instruction.store),
            },
            lanes: beat.participants.threads,
            carries: beat.participants.codes.carry,
            for_float: proceeds && beat.for_float,
            for_special: proceeds && beat.for_special,
            for_memory: proceeds && for_memory,
        };
        if beat.for_integer {
            self.x1_integer.d.next = instruction.integer;
        }
        if beat.for_float {
            self.x1_float.d.next = instruction.float;
            self.x1_quad.d.next = instruction.quad;
        }
        if beat.for_special {
            self.x1_special.d.next = instruction.special;
        }
        if beat.for_memory {
            self.m1_control.d.next = MemoryControl {
                beat: MemoryBeat {
                    tag: issued.tag,
                    warp: issued.warp,
                    beat: beat.beat,
                    last: beat.last,
                    row: beat.row,
                    register: instruction.register,
                    // A load into a register that does not exist writes no half.
                    halves: mask(instruction.register_enable, instruction.halves),
                    fill: issued.fill,
                    further: issued.further,
                    further_fill: issued.further_fill,
                },
                pc: issued.pc,
                store: instruction.store,
                local: instruction.indexing.local,
                size: instruction.size,
                is_signed: instruction.load_signed,
                part: beat.part,
                complete: beat.complete,
            };
            self.m1_lanes.d.next = beat.participants.threads;
        }
        self.x.beat.next = self.x1.q.val();
        self.x.integer.next = self.x1_integer.q.val();
        self.x.float.next = self.x1_float.q.val();
        self.x.quad.next = self.x1_quad.q.val();
        self.x_special.next = self.x1_special.q.val();
        self.m.enqueue.next = self.x1.q.val().for_memory;
        self.m.control.next = self.m1_control.q.val();
        self.m.lanes.next = self.m1_lanes.q.val();
    }

    /// Determines the operation of an atomic beat. Decode passes the word's fields in the immediate, where bit i of the
    /// word is bit i - 28.
    #[hdl_part]
    pub(super) fn dispatch_atomic(&mut self, beat: ReadBeat) {
        let instruction = beat.issued.decoded;
        let wide = instruction.size == 6;
        if beat.for_memory {
            self.m1_atomic[0].d.next = AtomicOperation {
                valid: is_atomic(instruction),
                number: instruction.immediate.bits::<4>(34 - 28),
                is_signed: instruction.immediate.get_bit(53 - 28),
                wide,
            };
        }
        if beat.for_memory && is_atomic(instruction) {
            self.m1_control.d.next.size = if wide { bits(3) } else { bits(2) };
        }
        self.m_atomic[0].next = self.m1_atomic[0].q.val();
    }

    /// Sends a double beat to the double-precision unit instead of the special function units.
    #[hdl_part]
    pub(super) fn dispatch_double(&mut self, beat: ReadBeat, proceeds: Bit) {
        let issued = beat.issued;
        let doubles = beat.for_special && is_double(issued.decoded);
        if doubles {
            self.x1.d.next.for_special = false;
        }
        self.x1_double[0].d.next = DoubleBeat {
            valid: proceeds && doubles,
            high: beat.part.get_bit(0),
            control: control_of(issued.decoded.float),
            wide: issued.decoded.further_registers.get_bit(0),
            second: issued.further.get_bit(0),
            second_fill: issued.further_fill.get_bit(0),
        };
        self.x_double[0].next = self.x1_double[0].q.val();
    }

    /// In a G2R.LCK, the lanes' carries are 1 for the lane that got the lock. `address_enable`, although it writes no
    /// address register, tells writeback that only this lane writes the register.
    #[hdl_part]
    pub(super) fn dispatch_lock(&mut self, beat: ReadBeat) {
        let instruction = beat.issued.decoded;
        self.lock_warp[0].next = beat.issued.warp;
        if instruction.indexing.gathers && is_locked(instruction.indexing) {
            let winner = self.lock_winner[0].val();
            let first_thread = beat.beat.resize::<5>() << (clog2(LANES) as u64);
            let threads = mask(winner.valid, winner.thread.one_hot::<32>());
            self.x1.d.next.carries = (threads >> first_thread) & Self::LANE_MASK;
            self.x1.d.next.write.address_enable = instruction.register_enable;
        }
    }
}
