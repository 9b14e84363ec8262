//! Every circuit against its own Verilog under random stimulus: outputs must be equal in every cycle.
//!
//! The other tests check a block's function; here it only has to compute the same in both worlds. The lanes' units are
//! compared in their own tests: `integer.rs`, `float.rs`, `special_function.rs`.

use flexgrip_hdl::bundles::*;
use flexgrip_hdl::{
    arbiter::RoundRobinArbiter, chip::clock_register::ClockRegister, control::barrier::BarrierUnit,
    control::branch::BranchUnit, control::divergence_stack::*, execute::float_pipeline::*,
    execute::integer::IntegerResult, execute::late_results::*, execute::quad_exchange::*,
    execute::special_function_queue::*, execute::writeback::Writeback, execute::Execute, issue::credits::Credits,
    issue::decode::Decode, issue::fetch::Fetch, issue::scoreboard::Scoreboard, issue::warp_scheduler::WarpScheduler,
    memory::constant::ConstantMemory, memory::instruction::InstructionMemory, memory::shared::SharedMemory,
    operands::operand_collector::address_file::AddressFile, operands::operand_collector::bank_select::BankSelect,
    operands::operand_collector::gather_buffer::GatherBuffer, operands::operand_collector::warp_queue::WarpQueue,
    operands::operand_collector::OperandCollector, operands::predicate_file::*, operands::read::Read,
    operands::register_file::RegisterFile,
};
use hdlkit::prelude::*;
use hdlkit_compiled::cosim::cosim;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Random = ChaCha8Rng;

/// Random bits; all zeros or all ones one time in four.
fn any<const N: usize>(rng: &mut Random) -> Bits<N> {
    match rng.gen_range(0..8) {
        0 => Bits::default(),
        1 => !Bits::default(),
        _ => Bits::from_wide(rng.gen()),
    }
}

/// What writeback tells the scoreboard, of one of these warps.
fn release(rng: &mut Random, warps: std::ops::Range<u64>) -> Release {
    Release {
        valid: rng.gen(),
        warp: Bits::new(rng.gen_range(warps)),
        register_enable: rng.gen(),
        register: any(rng),
        condition_enable: rng.gen(),
        condition: any(rng),
        address_enable: rng.gen(),
        address: any(rng),
    }
}

/// Random bits, about one in four set.
fn sparse<const N: usize>(rng: &mut Random) -> Bits<N> {
    Bits::from_wide(rng.gen::<u128>() & rng.gen::<u128>())
}

/// Random instruction words, mostly legal ones.
fn word(rng: &mut Random) -> u64 {
    let rows = flexgrip_isa::table::ROWS;
    let pattern = rows[rng.gen_range(0..rows.len())].pattern;
    let word = pattern.value | (rng.gen::<u64>() & !pattern.mask);
    if rng.gen_bool(0.5) {
        // A defined condition, no address register, no output register.
        (word & !(0x1f << 39 | 0xf << 24 | 1 << 34 | 1 << 35)) | 0xf << 39 | (pattern.value & (0xf << 24))
    } else {
        word
    }
}

/// Instructions as the decode stage outputs them.
struct Decoder(CycleEngine<Decode>);

impl Decoder {
    fn new() -> Self {
        Decoder(CycleEngine::new(Box::default()))
    }
    fn decoded(&mut self, rng: &mut Random) -> Decoded {
        self.0.block.d_word.next = Bits::new(word(rng));
        self.0.settle();
        self.0.block.d_decoded.val()
    }
    fn issued(&mut self, rng: &mut Random) -> Issued {
        Issued {
            valid: rng.gen_bool(0.6),
            tag: any(rng),
            warp: any(rng),
            pc: any(rng),
            decoded: self.decoded(rng),
            a_live: rng.gen(),
            b_live: rng.gen(),
            c_live: rng.gen(),
            condition_live: rng.gen(),
            fill: rng.gen(),
            condition_fill: rng.gen(),
            b_further_live: any(rng),
            further: any(rng),
            further_fill: any(rng),
            address_live: rng.gen(),
            address_fill: rng.gen(),
            buffer: rng.gen(),
        }
    }
}

fn launch(rng: &mut Random) -> WarpLaunch {
    WarpLaunch {
        warp: any(rng),
        mask: any(rng),
        row: any(rng),
        shared_row: any(rng),
        block: any(rng),
        index: any(rng),
        slot: any(rng),
        block_warps: any(rng),
    }
}

fn write_control(rng: &mut Random) -> WriteControl {
    WriteControl {
        valid: rng.gen(),
        tag: any(rng),
        warp: any(rng),
        beat: any(rng),
        last: rng.gen(),
        row: any(rng),
        register: any(rng),
        halves: any(rng),
        register_enable: rng.gen(),
        fill: rng.gen(),
        condition_register: any(rng),
        condition_enable: rng.gen(),
        condition_fill: rng.gen(),
        address_register: any(rng),
        address_enable: rng.gen(),
        address_fill: rng.gen(),
        elsewhere: rng.gen(),
    }
}

fn resolved(rng: &mut Random) -> Resolved {
    Resolved {
        valid: rng.gen_bool(0.3),
        tag: any(rng),
        warp: any(rng),
        ended: rng.gen_bool(0.2),
        redirected: rng.gen(),
        pc: any(rng),
        active: any(rng),
    }
}

/// Fails with the difference, and also if no output ever changed.
macro_rules! equal {
    ($make:expr, $cycles:literal, $stimulus:expr) => {{
        // Only the soak tier runs all cycles.
        let cycles = if cfg!(feature = "soak") { $cycles } else { $cycles / 4 };
        let report = match cosim(|| Box::new($make), cycles, 1, $stimulus) {
            Ok(report) => report,
            Err(error) => panic!("{error}"),
        };
        assert!(
            report.outputs_that_changed * 2 > report.outputs,
            "the stimulus moves only {} of {} outputs",
            report.outputs_that_changed,
            report.outputs
        );
    }};
}

#[test]
fn arbiter() {
    equal!(
        RoundRobinArbiter::default(),
        2000,
        |b: &mut RoundRobinArbiter, r: &mut Random, _| {
            b.request.next = sparse(r);
            b.take.next = r.gen();
        }
    );
}

#[test]
fn decode() {
    equal!(Decode::default(), 20000, |b: &mut Decode, r: &mut Random, _| {
        b.d_word.next = Bits::new(if r.gen_bool(0.2) { r.gen() } else { word(r) });
    });
}

#[test]
fn fetch() {
    equal!(Fetch::new(), 3000, |b: &mut Fetch, r: &mut Random, _| {
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
fn scoreboard() {
    let mut decoder = Decoder::new();
    equal!(Scoreboard::new(), 3000, |b: &mut Scoreboard, r: &mut Random, _| {
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
fn credits() {
    equal!(Credits::<3>::new(5), 2000, |b: &mut Credits<3>, r: &mut Random, _| {
        b.clear.next = r.gen_bool(0.05);
        b.take.next = r.gen();
        b.give.next = r.gen();
    });
}

#[test]
fn predicate_file() {
    equal!(
        PredicateFile::default(),
        3000,
        |b: &mut PredicateFile, r: &mut Random, _| {
            b.read_enable.next = r.gen();
            b.read_address.next = Bits::new(r.gen_range(0..8));
            b.write_address.next = Bits::new(r.gen_range(0..8));
            b.write_threads.next = sparse(r);
            b.write_zero.next = any(r);
            b.write_sign.next = any(r);
            b.write_carry.next = any(r);
            b.write_overflow.next = any(r);
        }
    );
}

#[test]
fn condition() {
    equal!(ConditionTest::new(), 3000, |b: &mut ConditionTest,
                                        r: &mut Random,
                                        _| {
        b.code.next = any(r);
        b.zero.next = any(r);
        b.sign.next = any(r);
        b.carry.next = any(r);
        b.overflow.next = any(r);
    });
}

fn register_file<const LANES: usize>() {
    equal!(
        RegisterFile::<LANES>::new(flexgrip_hdl::memory::REGISTERS),
        3000,
        |b: &mut RegisterFile<LANES>, r: &mut Random, _| {
            let beats = 32 / LANES as u64;
            b.read_enable.next = r.gen_bool(0.8);
            b.read_beat.next = Bits::new(r.gen_range(0..beats));
            b.read_row_1.next = Bits::new(r.gen_range(0..8));
            b.read_row_2.next = Bits::new(r.gen_range(0..8));
            b.read_row_3.next = Bits::new(r.gen_range(0..8));
            b.write_row.next = Bits::new(r.gen_range(0..8));
            b.write_beat.next = Bits::new(r.gen_range(0..beats));
            for lane in 0..LANES {
                b.write_halves[lane].next = any(r);
                b.write_data[lane].next = any(r);
            }
        }
    );
}

#[test]
fn register_file_8() {
    register_file::<8>();
}

#[test]
fn register_file_32() {
    register_file::<32>();
}

#[test]
fn warp_scheduler() {
    equal!(
        WarpScheduler::new(4),
        4000,
        |b: &mut WarpScheduler, r: &mut Random, cycle| {
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
        }
    );
}

fn read<const LANES: usize>() {
    let mut decoder = Decoder::new();
    equal!(Read::<LANES>::new(), 3000, |b: &mut Read<LANES>, r: &mut Random, _| {
        b.shared_rows.next = Bits::new(r.gen_range(1..3));
        b.r_launch.next = r.gen_bool(0.2);
        b.r_launch_warp.next = launch(r);
        b.r_issued.next = decoder.issued(r);
        b.r_active.next = any(r);
        b.r_zero.next = any(r);
        b.r_sign.next = any(r);
        b.r_carry.next = any(r);
        b.r_overflow.next = any(r);
        b.r_shared_word.next = any(r);
        b.r_constant_word.next = any(r);
        b.r_multiprocessor.next = any(r);
        b.r_clock.next = any(r);
        b.c_first.next = r.gen_bool(0.2);
        b.c_query.next = MaskQuery {
            warp: any(r),
            predicated: r.gen(),
            condition: any(r),
            condition_live: r.gen(),
        };
        for lane in 0..LANES {
            b.c_gathered[lane].next = any(r);
            b.c_address[lane].next = any(r);
            b.r_register_1[lane].next = any(r);
            b.r_register_2[lane].next = any(r);
            b.r_register_3[lane].next = any(r);
        }
    });
}

#[test]
fn read_8() {
    read::<8>();
}

#[test]
fn read_32() {
    read::<32>();
}

#[test]
fn divergence_stack() {
    equal!(
        DivergenceStack::new(),
        3000,
        |b: &mut DivergenceStack, r: &mut Random, _| {
            let kinds = [StackKind::Join, StackKind::Diverged, StackKind::Call, StackKind::Break];
            b.read_warp.next = Bits::new(r.gen_range(0..2));
            b.read_depth.next = Bits::new(r.gen_range(0..4));
            b.push.next = r.gen();
            b.push_warp.next = Bits::new(r.gen_range(0..2));
            b.push_depth.next = Bits::new(r.gen_range(0..4));
            b.push_entry.next = StackEntry {
                kind: kinds[r.gen_range(0..4)],
                mask: any(r),
                pc: any(r),
            };
        }
    );
}

#[test]
fn branch_unit() {
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
    equal!(BranchUnit::new(), 10_000, |b: &mut BranchUnit, r: &mut Random, _| {
        let control = controls[r.gen_range(0..controls.len())];
        let active: Bits<32> = any(r);
        let plain = control == ControlOperation::Marker;
        b.r_warp.next = Bits::new(r.gen_range(0..2));
        b.b_launch.next = r.gen_bool(0.03);
        b.b_launch_warp.next = launch(r);
        b.b_request.next = ControlRequest {
            valid: r.gen_bool(0.5) && !b.b_launch.next,
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
fn barrier() {
    equal!(
        BarrierUnit::new(),
        20000,
        |b: &mut BarrierUnit, r: &mut Random, cycle| {
            b.bar_clear.next = cycle == 0 || r.gen_bool(0.002);
            b.bar_ended.next = r.gen_bool(0.1);
            b.bar_ended_warp.next = any(r);
            b.bar_launch.next = !b.bar_ended.next && r.gen_bool(0.3);
            b.bar_launch_warp.next = launch(r);
            b.bar_launch_warp.next.index = Bits::new(r.gen_range(0..3));
            b.bar_launch_warp.next.block_warps = Bits::new(r.gen_range(1..5));
            b.bar_issue.next = r.gen_bool(0.3);
            b.bar_warp.next = any(r);
            b.bar_pc.next = any(r);
            b.bar_control.next = BarrierControl {
                barrier: Bits::new(r.gen_range(0..3)),
                threads: if r.gen() {
                    !Bits::default()
                } else {
                    Bits::new(r.gen_range(0..200))
                },
                arrives: r.gen_bool(0.7),
                waits: r.gen_bool(0.7),
            };
        }
    );
}

fn execute<const LANES: usize>() {
    let mut decoder = Decoder::new();
    equal!(
        Execute::<LANES>::default(),
        2000,
        |b: &mut Execute<LANES>, r: &mut Random, _| {
            b.x_write.next = write_control(r);
            b.x_write.next.beat = Bits::new(r.gen_range(0..2));
            b.x_is_float.next = r.gen_bool(0.3);
            let decoded = decoder.decoded(r);
            b.x_integer.next = decoded.integer;
            b.x_float.next = decoded.float;
            b.x_quad.next = decoded.quad;
            b.x_lanes.next = any(r);
            b.x_carries.next = any(r);
            for lane in 0..LANES {
                b.x_a[lane].next = any(r);
                b.x_b[lane].next = any(r);
                b.x_c[lane].next = any(r);
                b.x_float_a[lane].next = any(r);
                b.x_float_b[lane].next = any(r);
                b.x_float_c[lane].next = any(r);
            }
        }
    );
}

#[test]
fn float_pipeline() {
    let mut decoder = Decoder::new();
    equal!(
        FloatPipeline::<8>::default(),
        5000,
        |b: &mut FloatPipeline<8>, r: &mut Random, _| {
            b.x_float.next = decoder.decoded(r).float;
            for lane in 0..8 {
                b.x_a[lane].next = any(r);
                b.x_b[lane].next = any(r);
                b.x_c[lane].next = any(r);
                b.x3_product[lane].next = any(r);
            }
        }
    );
}

#[test]
fn quad_exchange() {
    equal!(
        QuadExchange::<8>::default(),
        2000,
        |b: &mut QuadExchange<8>, r: &mut Random, _| {
            b.x_quad.next = QuadControl {
                exchanges: r.gen(),
                thread: any(r),
                operations: any(r),
            };
            for lane in 0..8 {
                b.x_a[lane].next = any(r);
                b.x_b[lane].next = any(r);
                b.x_c[lane].next = any(r);
            }
        }
    );
}

#[test]
fn late_results() {
    equal!(
        LateResults::<8>::default(),
        1000,
        |b: &mut LateResults<8>, r: &mut Random, _| {
            b.x5_keep.next = r.gen();
            b.x6_keep.next = r.gen();
            b.x7_keep.next = r.gen();
            for lane in 0..8 {
                b.x5_result[lane].next = IntegerResult {
                    value: any(r),
                    condition: any(r),
                };
            }
        }
    );
}

#[test]
fn clock_register() {
    equal!(
        ClockRegister::blank(),
        1000,
        |b: &mut ClockRegister, r: &mut Random, _| {
            b.clear.next = r.gen_bool(0.02);
            b.sample.next = r.gen_bool(0.3);
        }
    );
}

/// Instructions arrive whenever there is room, and results leave now and then.
fn special_function_queue<const LANES: usize>() {
    let mut decoder = Decoder::new();
    let beats = 32 / LANES as u64;
    let (mut places, mut beat) = (PLACES, 0);
    equal!(
        SpecialFunctionQueue::<LANES>::new(),
        4000,
        |b: &mut SpecialFunctionQueue<LANES>, r: &mut Random, _| {
            places += usize::from(b.sf_dequeued.val());
            let begins = beat == 0 && places > 0 && r.gen_bool(0.3);
            places -= usize::from(begins);
            b.x_enqueue.next = begins || beat > 0;
            b.x_special.next = decoder.decoded(r).special;
            b.x_write.next = write_control(r);
            b.x_write.next.beat = Bits::new(beat);
            b.x_write.next.last = beat + 1 == beats;
            if b.x_enqueue.next {
                beat = (beat + 1) % beats;
            }
            b.x_lanes.next = any(r);
            b.sf_ready.next = r.gen_bool(0.7);
            for lane in 0..LANES {
                b.x_a[lane].next = any(r);
            }
        }
    );
}

#[test]
fn special_function_queue_8() {
    special_function_queue::<8>();
}

#[test]
fn special_function_queue_32() {
    special_function_queue::<32>();
}

#[test]
fn execute_8() {
    execute::<8>();
}

fn writeback<const LANES: usize>() {
    equal!(
        Writeback::<LANES>::new(),
        2000,
        |b: &mut Writeback<LANES>, r: &mut Random, _| {
            let lanes = Bits::<32>::new(0xffff_ffff >> (32 - LANES));
            let beats = 32 / LANES as u64;
            b.w_pipeline.next = write_control(r);
            b.w_pipeline.next.beat = Bits::new(r.gen_range(0..beats));
            b.w_lanes.next = any::<32>(r) & lanes;
            b.init_valid.next = r.gen_bool(0.3);
            b.init_row.next = any(r);
            b.init_beat.next = Bits::new(r.gen_range(0..beats));
            b.sf_valid.next = r.gen_bool(0.3);
            b.sf_control.next = write_control(r);
            b.sf_control.next.beat = Bits::new(r.gen_range(0..beats));
            b.sf_lanes.next = any::<32>(r) & lanes;
            b.l_valid.next = r.gen();
            b.l_control.next = write_control(r);
            b.l_control.next.beat = Bits::new(r.gen_range(0..beats));
            b.l_lanes.next = any::<32>(r) & lanes;
            for lane in 0..LANES {
                b.w_result[lane].next = any(r);
                b.w_condition[lane].next = any(r);
                b.init_data[lane].next = any(r);
                b.sf_data[lane].next = any(r);
                b.l_data[lane].next = any(r);
            }
        }
    );
}

#[test]
fn writeback_8() {
    writeback::<8>();
}

#[test]
fn writeback_32() {
    writeback::<32>();
}

#[test]
fn instruction_memory() {
    equal!(
        InstructionMemory::default(),
        2000,
        |b: &mut InstructionMemory, r: &mut Random, _| {
            b.instruction_enable.next = r.gen();
            b.instruction_address.next = Bits::new(r.gen_range(0..8));
            b.load_enable.next = r.gen();
            b.load_address.next = Bits::new(r.gen_range(0..16) * 4);
            b.load_data.next = any(r);
        }
    );
}

#[test]
fn constant_memory() {
    equal!(
        ConstantMemory::default(),
        2000,
        |b: &mut ConstantMemory, r: &mut Random, _| {
            b.read_enable.next = r.gen();
            b.read_address.next = Bits::new(r.gen_range(0..64));
            b.load_enable.next = r.gen();
            b.load_address.next = Bits::new(r.gen_range(0..16) * 4);
            b.load_data.next = any(r);
        }
    );
}

#[test]
fn shared_memory() {
    equal!(SharedMemory::new(), 3000, |b: &mut SharedMemory, r: &mut Random, _| {
        b.read_enable.next = r.gen();
        b.read_address.next = Bits::new(r.gen_range(0..256));
        b.access_banks.next = any(r);
        b.access_store.next = r.gen();
        for bank in 0..16 {
            b.access_row[bank].next = Bits::new(r.gen_range(0..4));
            b.access_bytes[bank].next = any(r);
            b.access_word[bank].next = any(r);
        }
        b.init_enable.next = r.gen();
        b.init_clear.next = r.gen_bool(0.1);
        b.init_address.next = Bits::new(r.gen_range(0..64) * 4);
        b.init_data.next = any(r);
    });
}

fn bank_select_of<const LANES: usize>() {
    equal!(
        BankSelect::<LANES>::blank(),
        5000,
        |b: &mut BankSelect<LANES>, r: &mut Random, _| {
            b.pending.next = any(r);
            b.odd.next = r.gen();
            b.store.next = r.gen();
            b.constant.next = r.gen_bool(0.2);
            b.access.next = any(r);
            b.base.next = any(r);
            b.capture.next = r.gen();
            // A few words of a few banks, or anything.
            let near = r.gen();
            for thread in 0..16 {
                b.address[thread].next = if near {
                    Bits::new(r.gen_range(0..4) * 64 + r.gen_range(0..16))
                } else {
                    any(r)
                };
                b.data[thread].next = any(r);
            }
        }
    );
}

#[test]
fn bank_select() {
    bank_select_of::<8>();
    bank_select_of::<16>();
    bank_select_of::<32>();
}

fn warp_queue<const D: usize, const LANES: usize>() {
    equal!(
        WarpQueue::<D, LANES>::blank(),
        2000,
        |b: &mut WarpQueue<D, LANES>, r: &mut Random, _| {
            b.write_enable.next = r.gen_bool(0.7);
            b.write_place.next = any(r);
            b.write_beat.next = Bits::new(r.gen_range(0..32 / LANES as u64));
            for lane in 0..LANES {
                b.write_data[lane].next = any(r);
            }
            b.take.next = r.gen_bool(0.7);
            b.take_place.next = any(r);
            b.take_upper.next = r.gen();
        }
    );
}

#[test]
fn warp_queues() {
    warp_queue::<18, 8>();
    warp_queue::<18, 16>();
    warp_queue::<18, 32>();
    warp_queue::<32, 8>();
    warp_queue::<32, 16>();
    warp_queue::<32, 32>();
}

fn gather_buffer<const LANES: usize>() {
    equal!(
        GatherBuffer::<LANES>::blank(),
        2000,
        |b: &mut GatherBuffer<LANES>, r: &mut Random, _| {
            b.write_buffer.next = r.gen();
            b.write_upper.next = r.gen();
            b.write_odd.next = r.gen();
            b.write_threads.next = any(r);
            b.access.next = any(r);
            b.constant.next = r.gen_bool(0.3);
            b.constant_word.next = any(r);
            for thread in 0..16 {
                b.place[thread].next = any(r);
                b.word[thread].next = any(r);
            }
            b.read_buffer.next = r.gen();
            b.read_beat.next = Bits::new(r.gen_range(0..32 / LANES as u64));
        }
    );
}

#[test]
fn gather_buffers() {
    gather_buffer::<8>();
    gather_buffer::<16>();
    gather_buffer::<32>();
}

fn address_file<const LANES: usize>() {
    equal!(
        AddressFile::<LANES>::new(),
        2000,
        |b: &mut AddressFile<LANES>, r: &mut Random, _| {
            let beats = 32 / LANES as u64;
            b.read_enable.next = r.gen_bool(0.8);
            b.read_warp.next = Bits::new(r.gen_range(0..2) * 31);
            b.read_register.next = any(r);
            b.read_beat.next = Bits::new(r.gen_range(0..beats));
            b.write_lanes.next = any(r);
            b.write_warp.next = Bits::new(r.gen_range(0..2) * 31);
            b.write_register.next = any(r);
            b.write_beat.next = Bits::new(r.gen_range(0..beats));
            for lane in 0..LANES {
                b.write_data[lane].next = any(r);
            }
        }
    );
}

#[test]
fn address_files() {
    address_file::<8>();
    address_file::<16>();
    address_file::<32>();
}

/// An instruction for the collector: any use of the address file, mostly with valid addresses.
fn collected(rng: &mut Random) -> Issued {
    let access = rng.gen_range(0..4);
    let alignment = [1, 2, 2, 4][access as usize];
    let (gathers, scatters) = [(true, false), (true, false), (false, true), (false, false)][rng.gen_range(0..4)];
    let mut issued = Issued {
        valid: true,
        tag: any(rng),
        warp: Bits::new(rng.gen_range(0..4)),
        pc: any(rng),
        address_live: rng.gen_bool(0.7),
        ..Issued::default()
    };
    issued.decoded.predicated = rng.gen();
    issued.decoded.condition = any(rng);
    issued.decoded.condition_source = any(rng);
    issued.decoded.store = !gathers && !scatters && rng.gen();
    issued.decoded.further_registers = Bits::new([0, 0, 1, 3][rng.gen_range(0..4)]);
    issued.decoded.indexing = Indexing {
        gathers,
        scatters,
        local: !gathers && !scatters && rng.gen(),
        constant: gathers && rng.gen_bool(0.3),
        bank: any(rng),
        access: Bits::new(access),
        offset: if rng.gen_bool(0.01) {
            any(rng)
        } else {
            Bits::new(rng.gen_range(0..64) * alignment)
        },
        post_increment: rng.gen_bool(0.2),
        increments: rng.gen_bool(0.3),
        register: any(rng),
        register_used: rng.gen_bool(0.9),
    };
    issued
}

fn operand_collector<const LANES: usize>() {
    equal!(
        OperandCollector::<LANES>::new(),
        4000,
        |b: &mut OperandCollector<LANES>, r: &mut Random, cycle| {
            b.c_clear.next = cycle == 0 || r.gen_bool(0.005);
            b.shared_rows.next = Bits::new(64);
            b.c_launch.next = r.gen_bool(0.05);
            b.c_launch_warp.next = launch(r);
            b.c_launch_warp.next.warp = Bits::new(r.gen_range(0..4));
            b.c_issued.next = collected(r);
            b.c_take.next = r.gen() && b.c_slot.val() && b.c_room.val();
            let indexing = b.c_issued.next.decoded.indexing;
            b.c_takes_place.next = b.c_take.next && (indexing.gathers || indexing.scatters);
            b.c_holds.next = b.c_take.next && indexing.gathers;
            b.c_executed.next = any(r);
            b.c_inject_ready.next = r.gen();
            b.c_read_buffer.next = r.gen();
            b.c_read_beat.next = Bits::new(r.gen_range(0..32 / LANES as u64));
            b.w_address_lanes.next = if r.gen_bool(0.3) { any(r) } else { Bits::default() };
            b.w_address_warp.next = Bits::new(r.gen_range(0..4));
            b.w_address_register.next = any(r);
            b.w_address_beat.next = Bits::new(r.gen_range(0..32 / LANES as u64));
            b.shared_busy.next = r.gen_bool(0.2);
            b.shared_init_busy.next = r.gen_bool(0.2);
            b.constant_busy.next = r.gen_bool(0.2);
            b.constant_word.next = any(r);
            for lane in 0..LANES {
                b.c_data[lane].next = any(r);
                // Close to each other, word-aligned.
                b.w_address_data[lane].next = Bits::new(r.gen_range(0..64) * 4);
            }
            for bank in 0..16 {
                b.bank_word[bank].next = any(r);
            }
        }
    );
}

#[test]
fn operand_collector_8() {
    operand_collector::<8>();
}

#[test]
fn operand_collector_16() {
    operand_collector::<16>();
}

#[test]
fn operand_collector_32() {
    operand_collector::<32>();
}

#[test]
fn stimulus_is_repeatable() {
    let mut first = Random::seed_from_u64(7);
    let mut second = Random::seed_from_u64(7);
    assert!((0..100).all(|_| word(&mut first) == word(&mut second)));
}
