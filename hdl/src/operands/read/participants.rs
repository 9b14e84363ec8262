//! Stage r0: counts the beats, computes the execution mask and VOTE, and sends the request to the branch unit.

use super::{BeatPosition, Participants, Read};
use crate::bundles::*;
use crate::operands::predicate_file::{codes_of, condition_holds, CodePlanes};
use hdlkit::prelude::*;

impl<const LANES: usize> Read<LANES> {
    /// Returns the beat's position within its instruction, and determines the next beat.
    #[hdl_part]
    pub(super) fn count_beats(&mut self, issued: Issued) -> BeatPosition {
        let beat = self.r0_beat.q.val();
        let part = self.r0_part.q.val();
        // A store of 64 or 128 bits repeats each beat for each register.
        let mut complete = part == mask(issued.decoded.store, issued.decoded.further_registers);
        if self.atomics.val() {
            // An atomic operation sends b alone or, on 64 bits or with operand c, two registers each of b and c.
            let has_four = issued.decoded.size == 6 || issued.decoded.c.register_used;
            if is_atomic(issued.decoded) {
                complete = !has_four || part == 3;
            }
        }
        if self.doubles.val() {
            // The first registers of all operands, then the second ones; an operand of 32 bits has no second one.
            if is_double(issued.decoded) {
                complete = issued.decoded.float.source_half || part.get_bit(0);
            }
        }
        let last = beat == (32 / LANES - 1) as u64 && complete;
        let ends = !issued.valid || last;
        self.r_slot.next = ends;
        if ends {
            self.r0.d.next = self.r_issued.val();
        }
        let next_beat = if complete { beat + 1 } else { beat };
        self.r0_beat.d.next = mask(!ends, next_beat);
        self.r0_part.d.next = mask(!ends && !complete, part + 1);
        BeatPosition { first: issued.valid && !beat.any() && !part.any(), last, complete }
    }

    /// Computes the execution mask: active threads whose condition holds. It is computed for the whole warp in the
    /// first beat and kept, as are the condition codes.
    #[hdl_part]
    pub(super) fn find_participants(&mut self, issued: Issued, position: BeatPosition) -> Participants {
        let collector_query = self.collected.query.val();
        let query = if collector_query.valid {
            collector_query
        } else {
            MaskQuery {
                valid: position.first,
                warp: issued.warp,
                predicated: issued.decoded.predicated,
                condition: issued.decoded.condition,
                condition_live: issued.condition_live,
            }
        };
        self.r_warp.next = query.warp;
        let active = self.r_active.val();
        let warp_codes = codes_of(self.r_codes.val(), query.condition_live.fill::<32>());
        let executed = if query.predicated { active & condition_holds(query.condition, warp_codes) } else { active };
        self.collected.executed.next = mask(collector_query.valid, executed);
        self.r_executed.next = mask(position.first, executed);
        self.r_mask_valid.next = position.first;
        self.r_mask_tag.next = issued.tag;
        self.r1_executed.d.next = executed;

        let (threads, codes) = if position.first {
            (executed, warp_codes)
        } else {
            (self.r0_participants.q.val().threads, self.r0_participants.q.val().codes)
        };
        self.r0_participants.d.next = Participants {
            threads: if position.complete { threads >> (LANES as u64) } else { threads },
            // Also before the last part: no instruction with several parts reads the codes of its lanes.
            codes: CodePlanes {
                zero: codes.zero >> (LANES as u64),
                sign: codes.sign >> (LANES as u64),
                carry: codes.carry >> (LANES as u64),
                overflow: codes.overflow >> (LANES as u64),
            },
        };
        Participants { threads: threads & Self::LANE_MASK, codes: codes_of(codes, Self::LANE_MASK) }
    }

    /// VOTE sets operand a of all threads to the same condition code: S if the condition holds for any or all of the
    /// active threads, else Z. The first beat computes it, and the later beats copy it in the next cycles.
    #[hdl_part]
    pub(super) fn vote(&mut self, issued: Issued, first: Bit) {
        let decoded = issued.decoded;
        let active = self.r_active.val();
        let codes = codes_of(self.r_codes.val(), issued.condition_live.fill::<32>());
        let holding = condition_holds(decoded.condition, codes);
        let of_all = decoded.a.register.get_bit(0);
        let result = if of_all { !(active & !holding).any() } else { (active & holding).any() };
        let code = if result { bits::<32>(2) } else { bits(1) };
        if decoded.a.source == Source::Vote {
            self.r1.d.next.value = if first { code } else { self.r1.q.val().value };
        }
    }

    /// Sends the request to the branch unit, in the first beat.
    #[hdl_part]
    pub(super) fn request_control(&mut self, issued: Issued, first: Bit) {
        let instruction = issued.decoded;
        let is_control = instruction.exit_marker
            || instruction.join_marker
            || (instruction.control != ControlOperation::Marker && instruction.control != ControlOperation::Barrier);
        self.r1_control.d.next = if first && is_control {
            ControlRequest {
                valid: true,
                tag: issued.tag,
                warp: issued.warp,
                pc: issued.pc,
                control: instruction.control,
                exit_marker: instruction.exit_marker,
                join_marker: instruction.join_marker,
                target: instruction.target,
                active: self.r_active.val(),
                executed: self.r_executed.val(),
            }
        } else {
            ControlRequest::default()
        };
        self.r_control.next = self.r1_control.q.val();
    }
}
