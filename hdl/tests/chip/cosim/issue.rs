//! Tests of fetch, decode and issue.

use super::stimulus::*;
use flexgrip_hdl::bundles::*;
use flexgrip_hdl::issue::credits::Credits;
use flexgrip_hdl::issue::decode::Decode;
use flexgrip_hdl::issue::fetch::{Fetch, FetchRestart};
use flexgrip_hdl::issue::scoreboard::{DecodedInstruction, Scoreboard};
use flexgrip_hdl::issue::warp_scheduler::WarpScheduler;
use flexgrip_isa::Capability;
use hdlkit::prelude::*;
use rand::Rng;

#[test]
fn decode_equals_verilog() {
    equal!(Decode::default(), 20000, |b: &mut Decode, r: &mut Random, _| {
        b.d_word.next = Bits::new(if r.gen_bool(0.2) { r.gen() } else { word(r) });
    });
}

#[test]
fn later_decode_equals_verilog() {
    for last in [Capability::V1_2, Capability::V1_3] {
        equal!(Decode::new(last), 20000, |b: &mut Decode, r: &mut Random, _| {
            let later = r.gen_bool(0.7);
            b.d_word.next = Bits::new(if later { later_word(Capability::V1_1, last, r) } else { word(r) });
        });
    }
}

#[test]
fn fetch_equals_verilog() {
    equal!(Fetch::default(), 3000, |b: &mut Fetch, r: &mut Random, _| {
        b.f_clear.next = r.gen_bool(0.005);
        b.f_restart.next = FetchRestart { valid: r.gen_bool(0.2), warp: any(r), stop: r.gen_bool(0.3), pc: any(r) };
        b.instruction.data.next = any(r);
        b.heads.read_warp.next = any(r);
        b.heads.read_odd.next = r.gen();
        let warp: Bits<5> = any(r);
        b.heads.pop.next = WarpSelect { valid: r.gen() && b.heads.available.val().get_bit(warp.index()), warp };
    });
}

#[test]
fn credits_equal_verilog() {
    equal!(Credits::<3>::default(), 2000, |b: &mut Credits<3>, r: &mut Random, _| {
        b.places.next = Bits::new(5);
        b.clear.next = r.gen_bool(0.05);
        b.take.next = r.gen();
        b.give.next = r.gen();
    });
}

#[test]
fn scoreboard_equals_verilog() {
    scoreboard_of(Capability::V1_0, Decoder::new());
    for last in [Capability::V1_2, Capability::V1_3] {
        scoreboard_of(last, Decoder::later(Capability::V1_1, last));
    }
}

fn scoreboard_of(capability: Capability, mut decoder: Decoder) {
    equal!(Scoreboard::new(capability), 3000, |b: &mut Scoreboard, r: &mut Random, _| {
        b.registers.next = Bits::new(r.gen_range(1..=128));
        let launches = r.gen_bool(0.1);
        b.s_launch.next = WarpSelect { valid: launches, warp: Bits::new(r.gen_range(0..3)) };
        b.s_query.next = DecodedInstruction {
            valid: !launches && r.gen_bool(0.8),
            warp: Bits::new(r.gen_range(0..3)),
            decoded: decoder.decoded(r),
            ..Default::default()
        };
        b.s_issue.next = !launches && r.gen();
        b.w_release.next = release(r, 0..3);
    });
}

#[test]
fn warp_scheduler_equals_verilog() {
    equal!(WarpScheduler::default(), 4000, |b: &mut WarpScheduler, r: &mut Random, cycle| {
        b.s_clear.next = cycle == 0 || r.gen_bool(0.003);
        b.configuration.next = LaunchConfiguration {
            registers: Bits::new(r.gen_range(1..=128)),
            code_end: if r.gen_bool(0.9) { !Bits::default() } else { any(r) },
            entry: Bits::new(r.gen_range(0..100) * 4),
            unaligned_code: r.gen(),
            ..Default::default()
        };
        b.s_stop.next = r.gen_bool(0.02);
        b.begins.next = WarpBegin { valid: r.gen_bool(0.1), launch: launch(r) };
        b.heads.available.next = any(r);
        let word = word(r);
        let (low, high) = (Bits::new(word & 0xffff_ffff), Bits::new(word >> 32));
        // Fetch delivers an instruction that begins in the lower half of its word, or in the upper half.
        (b.heads.lower.next, b.heads.upper.next) = if r.gen() { (low, high) } else { (high, low) };
        b.heads.both.next = r.gen_bool(0.7);
        b.r_slot.next = r.gen_bool(0.7);
        b.s_hold.next = r.gen_bool(0.1);
        b.memory_places.next = Bits::new(4);
        b.m_dequeued.next = r.gen_bool(0.1);
        b.s_special_dequeued.next = r.gen_bool(0.1);
        b.b_resolved.next = resolved(r);
        b.bar_release.next = sparse(r);
        b.bar_busy.next = r.gen_bool(0.2);
        b.w_release.next = release(r, 0..32);
        b.w_address_done.next = r.gen_bool(0.2);
        b.collect.slot.next = r.gen_bool(0.8);
        b.collect.room.next = r.gen_bool(0.8);
        b.collect.storing.next = r.gen_bool(0.2);
        b.collect.incrementing.next = r.gen_bool(0.2);
        b.collect.held.next = sparse(r);
        b.c_injects.next = r.gen_bool(0.2);
        b.c_injected.next = b.c_injects.next && r.gen();
        b.s_late_store.next = r.gen_bool(0.2);
    });
}
