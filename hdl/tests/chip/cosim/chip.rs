//! Tests of the arbiter and the clock register, which belong to no stage.

use super::stimulus::*;
use flexgrip_hdl::arbiter::RoundRobinArbiter;
use flexgrip_hdl::chip::clock_register::ClockRegister;
use hdlkit::prelude::Blank;
use rand::Rng;

#[test]
fn arbiter_equals_verilog() {
    equal!(RoundRobinArbiter::default(), 2000, |b: &mut RoundRobinArbiter, r: &mut Random, _| {
        b.request.next = sparse(r);
        b.take.next = r.gen();
    });
}

#[test]
fn clock_register_equals_verilog() {
    equal!(ClockRegister::blank(), 1000, |b: &mut ClockRegister, r: &mut Random, _| {
        b.clear.next = r.gen_bool(0.02);
        b.sample.next = r.gen_bool(0.3);
    });
}
