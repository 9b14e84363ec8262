//! Tests of branches, the divergence stack and barriers.

use super::stimulus::*;
use flexgrip_hdl::bundles::*;
use flexgrip_hdl::control::barrier::{BarrierUnit, IssuedBarrier};
use flexgrip_hdl::control::branch::BranchUnit;
use flexgrip_hdl::control::divergence_stack::*;
use hdlkit::prelude::*;
use rand::Rng;

#[test]
fn divergence_stack_equals_verilog() {
    equal!(DivergenceStack::default(), 3000, |b: &mut DivergenceStack, r: &mut Random, _| {
        let kinds = [StackKind::Join, StackKind::Diverged, StackKind::Call, StackKind::Break];
        b.read_warp.next = Bits::new(r.gen_range(0..2));
        b.read_depth.next = Bits::new(r.gen_range(0..4));
        b.push.next = r.gen();
        b.push_warp.next = Bits::new(r.gen_range(0..2));
        b.push_depth.next = Bits::new(r.gen_range(0..4));
        b.push_entry.next = StackEntry { kind: kinds[r.gen_range(0..4)], mask: any(r), pc: any(r) };
    });
}

#[test]
fn branch_unit_equals_verilog() {
    let controls = [
        ControlOperation::Marker,
        ControlOperation::Branch,
        ControlOperation::PushJoin,
        ControlOperation::Return,
        ControlOperation::Call,
        ControlOperation::PushBreak,
        ControlOperation::Break,
        ControlOperation::Kill,
        ControlOperation::Trap,
        ControlOperation::Breakpoint,
    ];
    equal!(BranchUnit::default(), 10_000, |b: &mut BranchUnit, r: &mut Random, _| {
        let control = controls[r.gen_range(0..controls.len())];
        let active: Bits<32> = any(r);
        let plain = control == ControlOperation::Marker;
        b.r_warp.next = Bits::new(r.gen_range(0..2));
        b.begins.next = WarpBegin { valid: r.gen_bool(0.03), launch: launch(r) };
        b.r_control.next = ControlRequest {
            valid: r.gen_bool(0.5) && !b.begins.next.valid,
            tag: any(r),
            warp: Bits::new(r.gen_range(0..2)),
            pc: any(r),
            control,
            exit_marker: plain && r.gen(),
            join_marker: plain && r.gen(),
            target: any(r),
            active,
            executed: active & any::<32>(r),
        };
    });
}

#[test]
fn barrier_equals_verilog() {
    equal!(BarrierUnit::default(), 20000, |b: &mut BarrierUnit, r: &mut Random, cycle| {
        b.bar_clear.next = cycle == 0 || r.gen_bool(0.002);
        let ended = r.gen_bool(0.1);
        b.b_resolved.next = Resolved { valid: ended, ended, warp: any(r), ..Default::default() };
        let index = Bits::new(r.gen_range(0..3));
        let launch = WarpLaunch { index, block_warps: Bits::new(r.gen_range(1..5)), ..launch(r) };
        b.begins.next = WarpBegin { valid: !ended && r.gen_bool(0.3), launch };
        let control = BarrierControl {
            barrier: Bits::new(r.gen_range(0..3)),
            threads: if r.gen() { !Bits::default() } else { Bits::new(r.gen_range(0..200)) },
            arrives: r.gen_bool(0.7),
            waits: r.gen_bool(0.7),
        };
        b.s_barrier.next = IssuedBarrier { valid: r.gen_bool(0.3), warp: any(r), pc: any(r), control };
    });
}
