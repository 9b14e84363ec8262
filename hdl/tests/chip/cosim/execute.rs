//! Tests of the lanes with their pipelines, special functions and writeback.

use super::stimulus::*;
use flexgrip_hdl::bundles::{control_of, Decoded, DoubleBeat, QuadControl};
use flexgrip_hdl::execute::float_pipeline::*;
use flexgrip_hdl::execute::integer::IntegerResult;
use flexgrip_hdl::execute::late_results::*;
use flexgrip_hdl::execute::quad_exchange::*;
use flexgrip_hdl::execute::special_function_queue::*;
use flexgrip_hdl::execute::writeback::Writeback;
use flexgrip_hdl::execute::Execute;
use flexgrip_isa::Capability;
use hdlkit::prelude::*;
use rand::Rng;

fn execute<const LANES: usize>() {
    let mut decoder = Decoder::new();
    equal!(Execute::<LANES>::default(), 2000, |b: &mut Execute<LANES>, r: &mut Random, _| {
        b.x.beat.next.write = write_control(r);
        b.x.beat.next.write.beat = Bits::new(r.gen_range(0..2));
        b.x.beat.next.for_float = r.gen_bool(0.3);
        let decoded = decoder.decoded(r);
        b.x.integer.next = decoded.integer;
        b.x.float.next = decoded.float;
        b.x.quad.next = decoded.quad;
        b.x.beat.next.lanes = any(r);
        b.x.beat.next.carries = any(r);
        for lane in 0..LANES {
            b.x.operands[lane].next.a = any(r);
            b.x.operands[lane].next.b = any(r);
            b.x.operands[lane].next.c = any(r);
            b.x.float_operands[lane].next.a = any(r);
            b.x.float_operands[lane].next.b = any(r);
            b.x.float_operands[lane].next.c = any(r);
        }
    });
}

#[test]
fn execute_8_equals_verilog() {
    execute::<8>();
}

#[test]
fn float_pipeline_equals_verilog() {
    let mut decoder = Decoder::new();
    equal!(FloatPipeline::<8>::default(), 5000, |b: &mut FloatPipeline<8>, r: &mut Random, _| {
        b.x_float.next = decoder.decoded(r).float;
        for lane in 0..8 {
            b.x_operands[lane].next.a = any(r);
            b.x_operands[lane].next.b = any(r);
            b.x_operands[lane].next.c = any(r);
            b.x3_product[lane].next = any(r);
        }
    });
}

#[test]
fn quad_exchange_equals_verilog() {
    equal!(QuadExchange::<8>::default(), 2000, |b: &mut QuadExchange<8>, r: &mut Random, _| {
        b.x_quad.next = QuadControl { exchanges: r.gen(), thread: any(r), operations: any(r) };
        for lane in 0..8 {
            b.x_operands[lane].next.a = any(r);
            b.x_operands[lane].next.b = any(r);
            b.x_operands[lane].next.c = any(r);
        }
    });
}

#[test]
fn late_results_equal_verilog() {
    equal!(LateResults::<8>::default(), 1000, |b: &mut LateResults<8>, r: &mut Random, _| {
        b.x5_keep.next = r.gen();
        b.x6_keep.next = r.gen();
        b.x7_keep.next = r.gen();
        for lane in 0..8 {
            b.x5_result[lane].next = IntegerResult { value: any(r), condition: any(r) };
        }
    });
}

/// Instructions arrive while the queue has free entries, and results leave at random.
fn special_function_queue<const LANES: usize>() {
    let mut decoder = Decoder::new();
    let beats = 32 / LANES as u64;
    let (mut places, mut beat) = (PLACES, 0);
    equal!(SpecialFunctionQueue::<LANES>::default(), 4000, |b: &mut SpecialFunctionQueue<LANES>, r: &mut Random, _| {
        places += usize::from(b.sf_dequeued.val());
        let begins = beat == 0 && places > 0 && r.gen_bool(0.3);
        places -= usize::from(begins);
        b.x_beat.next.for_special = begins || beat > 0;
        b.x_special.next = decoder.decoded(r).special;
        b.x_beat.next.write = write_control(r);
        b.x_beat.next.write.beat = Bits::new(beat);
        b.x_beat.next.write.last = beat + 1 == beats;
        if b.x_beat.next.for_special {
            beat = (beat + 1) % beats;
        }
        b.x_beat.next.lanes = any(r);
        b.specials.ready.next = r.gen_bool(0.7);
        for lane in 0..LANES {
            b.x_a[lane].next = any(r);
        }
    });
}

#[test]
fn special_function_queue_8_equals_verilog() {
    special_function_queue::<8>();
}

#[test]
fn special_function_queue_32_equals_verilog() {
    special_function_queue::<32>();
}

/// Double instructions arrive while the queue has free entries, among other beats; results leave in gaps.
fn execute_doubles<const LANES: usize>() {
    let mut decoder = Decoder::later(Capability::V1_3, Capability::V1_3);
    let beats = 32 / LANES as u64;
    let (mut places, mut beat, mut high) = (PLACES, 0, false);
    let mut instruction = Decoded::default();
    equal!(Execute::<LANES>::new(Capability::V1_3), 2000, |b: &mut Execute<LANES>, r: &mut Random, _| {
        places += usize::from(b.double_events[0].val().dequeued);
        let begins = beat == 0 && !high && places > 0 && r.gen_bool(0.3);
        if begins {
            places -= 1;
            instruction = decoder.decoded(r);
        }
        let double = begins || beat > 0 || high;
        let control = control_of(instruction.float);
        let complete = control.source_short || high;
        b.x.beat.next.write = write_control(r);
        b.x_double[0].next = DoubleBeat {
            valid: double,
            high,
            control,
            wide: instruction.further_registers.get_bit(0),
            second: r.gen(),
            second_fill: r.gen(),
        };
        if double {
            b.x.beat.next.write.valid = complete;
            b.x.beat.next.write.beat = Bits::new(beat);
            b.x.beat.next.write.last = complete && beat + 1 == beats;
            b.x.beat.next.write.elsewhere = true;
            high = !complete;
            beat = if complete { (beat + 1) % beats } else { beat };
        }
        b.x.beat.next.lanes = any(r);
        for lane in 0..LANES {
            b.x.operands[lane].next.a = any(r);
            b.x.float_operands[lane].next.a = any(r);
            b.x.float_operands[lane].next.b = any(r);
            b.x.float_operands[lane].next.c = any(r);
        }
    });
}

#[test]
fn execute_8_with_doubles_equals_verilog() {
    execute_doubles::<8>();
}

#[test]
fn execute_32_with_doubles_equals_verilog() {
    execute_doubles::<32>();
}

fn writeback<const LANES: usize>() {
    equal!(Writeback::<LANES>::default(), 2000, |b: &mut Writeback<LANES>, r: &mut Random, _| {
        let lanes = Bits::<32>::new(0xffff_ffff >> (32 - LANES));
        let beats = 32 / LANES as u64;
        b.pipeline.write.next = write_control(r);
        b.pipeline.write.next.beat = Bits::new(r.gen_range(0..beats));
        b.pipeline.lanes.next = any::<32>(r) & lanes;
        b.init_valid.next = r.gen_bool(0.3);
        b.init_row.next = any(r);
        b.init_beat.next = Bits::new(r.gen_range(0..beats));
        b.specials.valid.next = r.gen_bool(0.3);
        b.specials.control.next = write_control(r);
        b.specials.control.next.beat = Bits::new(r.gen_range(0..beats));
        b.specials.lanes.next = any::<32>(r) & lanes;
        b.loads.valid.next = r.gen();
        b.loads.control.next = write_control(r);
        b.loads.control.next.beat = Bits::new(r.gen_range(0..beats));
        b.loads.lanes.next = any::<32>(r) & lanes;
        for lane in 0..LANES {
            b.pipeline.result[lane].next = any(r);
            b.pipeline.condition[lane].next = any(r);
            b.init_data[lane].next = any(r);
            b.specials.data[lane].next = any(r);
            b.loads.data[lane].next = any(r);
        }
    });
}

#[test]
fn writeback_8_equals_verilog() {
    writeback::<8>();
}

#[test]
fn writeback_32_equals_verilog() {
    writeback::<32>();
}
