//! Fetch, decode and issue.

use crate::stimulus::*;
use flexgrip_hdl::issue::credits::Credits;
use flexgrip_hdl::issue::decode::Decode;
use flexgrip_hdl::issue::fetch::Fetch;
use flexgrip_hdl::issue::scoreboard::Scoreboard;
use flexgrip_hdl::issue::warp_scheduler::WarpScheduler;
use hdlkit::prelude::*;
use rand::Rng;

#[test]
fn decode() {
    equal!(Decode::default(), 20000, |b: &mut Decode, r: &mut Random, _| {
        b.d_word.next = Bits::new(if r.gen_bool(0.2) { r.gen() } else { word(r) });
    });
}

#[test]
fn fetch() {
    equal!(Fetch::default(), 3000, |b: &mut Fetch, r: &mut Random, _| {
        b.f_clear.next = r.gen_bool(0.005);
        b.f_restart.next = r.gen_bool(0.2);
        b.f_restart_warp.next = any(r);
        b.f_restart_stop.next = r.gen_bool(0.3);
        b.f_restart_pc.next = any(r);
        b.instruction_data.next = any(r);
        b.f_read_warp.next = any(r);
        b.f_read_odd.next = r.gen();
        b.f_pop_warp.next = any(r);
        b.f_pop.next = r.gen() && b.f_available.val().get_bit(b.f_pop_warp.next.index());
    });
}

#[test]
fn credits() {
    equal!(Credits::<3>::default(), 2000, |b: &mut Credits<3>, r: &mut Random, _| {
        b.places.next = Bits::new(5);
        b.clear.next = r.gen_bool(0.05);
        b.take.next = r.gen();
        b.give.next = r.gen();
    });
}

#[test]
fn scoreboard() {
    let mut decoder = Decoder::new();
    equal!(Scoreboard::blank(), 3000, |b: &mut Scoreboard, r: &mut Random, _| {
        b.registers.next = Bits::new(r.gen_range(1..=128));
        b.s_warp.next = Bits::new(r.gen_range(0..3));
        b.s_decoded.next = decoder.decoded(r);
        b.s_launch.next = r.gen_bool(0.1);
        b.s_ask.next = !b.s_launch.next && r.gen_bool(0.8);
        b.s_issue.next = !b.s_launch.next && r.gen();
        b.s_launch_warp.next = Bits::new(r.gen_range(0..3));
        b.s_release.next = release(r, 0..3);
    });
}

#[test]
fn warp_scheduler() {
    equal!(WarpScheduler::new(4), 4000, |b: &mut WarpScheduler, r: &mut Random, cycle| {
        b.s_clear.next = cycle == 0 || r.gen_bool(0.003);
        b.registers.next = Bits::new(r.gen_range(1..=128));
        b.code_end.next = if r.gen_bool(0.9) { !Bits::default() } else { any(r) };
        b.entry.next = Bits::new(r.gen_range(0..100) * 4);
        b.s_stop.next = r.gen_bool(0.02);
        b.s_launch.next = r.gen_bool(0.1);
        b.s_launch_warp.next = any(r);
        b.f_available.next = any(r);
        b.unaligned_code.next = r.gen();
        let word = word(r);
        let (low, high) = (Bits::new(word & 0xffff_ffff), Bits::new(word >> 32));
        // As fetch delivers an instruction that begins in the lower half, or in the upper one.
        (b.f_read_lower.next, b.f_read_upper.next) = if r.gen() { (low, high) } else { (high, low) };
        b.f_read_both.next = r.gen_bool(0.7);
        b.s_slot.next = r.gen_bool(0.7);
        b.s_hold.next = r.gen_bool(0.1);
        b.s_memory_dequeued.next = r.gen_bool(0.1);
        b.s_special_dequeued.next = r.gen_bool(0.1);
        b.s_control_done.next = r.gen_bool(0.3);
        b.s_resolved.next = resolved(r);
        b.s_barrier_release.next = sparse(r);
        b.s_barrier_busy.next = r.gen_bool(0.2);
        b.s_release.next = release(r, 0..32);
        b.s_address_done.next = r.gen_bool(0.2);
        b.c_slot.next = r.gen_bool(0.8);
        b.c_room.next = r.gen_bool(0.8);
        b.c_storing.next = r.gen_bool(0.2);
        b.c_incrementing.next = r.gen_bool(0.2);
        b.c_held.next = sparse(r);
        b.c_injects.next = r.gen_bool(0.2);
        b.c_injected.next = b.c_injects.next && r.gen();
        b.s_late_store.next = r.gen_bool(0.2);
    });
}
