//! Tests of registers, predicates, the read stage and the operand collector with its parts.

use super::stimulus::*;
use flexgrip_hdl::bundles::*;
use flexgrip_hdl::operands::operand_collector::address_file::{AddressFile, AddressPlace};
use flexgrip_hdl::operands::operand_collector::bank_select::BankSelect;
use flexgrip_hdl::operands::operand_collector::gather_buffer::{GatherBuffer, GatherStep};
use flexgrip_hdl::operands::operand_collector::warp_queue::{QueueWrite, WarpQueue};
use flexgrip_hdl::operands::operand_collector::OperandCollector;
use flexgrip_hdl::operands::predicate_file::{CodePlanes, CodeWrite, PredicateFile};
use flexgrip_hdl::operands::read::Read;
use flexgrip_hdl::operands::register_file::{RegisterFaults, RegisterFile};
use flexgrip_isa::Capability;
use flexgrip_machine::Protect;
use hdlkit::prelude::*;
use rand::Rng;

fn codes(r: &mut Random) -> CodePlanes {
    CodePlanes { zero: any(r), sign: any(r), carry: any(r), overflow: any(r) }
}

#[test]
fn predicate_file_equals_verilog() {
    equal!(PredicateFile::default(), 3000, |b: &mut PredicateFile, r: &mut Random, _| {
        b.read_enable.next = r.gen();
        b.read_address.next = Bits::new(r.gen_range(0..8));
        b.write.next = CodeWrite { address: Bits::new(r.gen_range(0..8)), threads: sparse(r), codes: codes(r) };
    });
}

fn register_file<const LANES: usize>(protect: Protect) {
    equal!(
        RegisterFile::<LANES>::new(flexgrip_hdl::memory::REGISTERS, protect),
        3000,
        |b: &mut RegisterFile<LANES>, r: &mut Random, _| {
            let beats = 32 / LANES as u64;
            b.registers.enable.next = r.gen_bool(0.8);
            b.registers.beat.next = Bits::new(r.gen_range(0..beats));
            b.registers.row_1.next = Bits::new(r.gen_range(0..8));
            b.registers.row_2.next = Bits::new(r.gen_range(0..8));
            b.registers.row_3.next = Bits::new(r.gen_range(0..8));
            b.write.row.next = Bits::new(r.gen_range(0..8));
            b.write.beat.next = Bits::new(r.gen_range(0..beats));
            for lane in 0..LANES {
                b.write.halves[lane].next = any(r);
                b.write.data[lane].next = any(r);
            }
        }
    );
}

#[test]
fn register_file_8_equals_verilog() {
    register_file::<8>(Protect::None);
}

#[test]
fn register_file_32_equals_verilog() {
    register_file::<32>(Protect::None);
}

// The faults stay 0, because nothing flips a bit.
#[test]
fn register_file_with_parity_equals_verilog() {
    register_file::<8>(Protect::Parity);
}

#[test]
fn register_file_with_secded_equals_verilog() {
    register_file::<8>(Protect::Secded);
}

fn read<const LANES: usize>() {
    read_of::<LANES>(Capability::V1_0, Protect::None, Decoder::new());
    for last in [Capability::V1_2, Capability::V1_3] {
        read_of::<LANES>(last, Protect::None, Decoder::later(Capability::V1_1, last));
    }
}

fn read_of<const LANES: usize>(capability: Capability, protect: Protect, mut decoder: Decoder) {
    equal!(Read::<LANES>::new(capability, protect), 3000, |b: &mut Read<LANES>, r: &mut Random, _| {
        b.shared_rows.next = Bits::new(r.gen_range(1..3));
        b.begins.next = WarpBegin { valid: r.gen_bool(0.2), launch: launch(r) };
        b.r_issued.next = decoder.issued(r);
        b.r_active.next = any(r);
        for faults in &mut b.register_faults {
            faults.next = RegisterFaults {
                lower_1: sparse(r),
                upper_1: sparse(r),
                lower_2: sparse(r),
                upper_2: sparse(r),
                lower_3: sparse(r),
                upper_3: sparse(r),
            };
        }
        for faults in &mut b.shared_faults {
            faults.next = if r.gen_bool(0.3) { any(r) } else { Bits::default() };
        }
        b.r_codes.next = codes(r);
        b.uniform.word.next = any(r);
        b.r_constant_word.next = any(r);
        b.r_multiprocessor.next = any(r);
        b.r_clock.next = any(r);
        b.collected.query.next = MaskQuery {
            valid: r.gen_bool(0.2),
            warp: any(r),
            predicated: r.gen(),
            condition: any(r),
            condition_live: r.gen(),
        };
        for lane in 0..LANES {
            b.collected.gathered[lane].next = any(r);
            b.collected.address[lane].next = any(r);
            b.registers.data_1[lane].next = any(r);
            b.registers.data_2[lane].next = any(r);
            b.registers.data_3[lane].next = any(r);
        }
    });
}

#[test]
fn read_8_equals_verilog() {
    read::<8>();
}

#[test]
fn read_32_equals_verilog() {
    read::<32>();
}

#[test]
fn protected_read_equals_verilog() {
    read_of::<8>(Capability::V1_0, Protect::Secded, Decoder::new());
}

fn bank_select_of<const LANES: usize>() {
    equal!(BankSelect::<LANES>::default(), 5000, |b: &mut BankSelect<LANES>, r: &mut Random, _| {
        b.half_warp.next.pending = any(r);
        b.half_warp.next.odd = r.gen();
        b.indexing.next.scatters = r.gen();
        b.indexing.next.constant = r.gen_bool(0.2);
        b.indexing.next.access = any(r);
        b.base.next = any(r);
        b.capture.next = r.gen();
        // A few words of a few banks, or random addresses.
        let near = r.gen();
        for thread in 0..16 {
            b.address[thread].next = if near { Bits::new(r.gen_range(0..4) * 64 + r.gen_range(0..16)) } else { any(r) };
            b.data[thread].next = any(r);
        }
    });
}

#[test]
fn bank_select_equals_verilog() {
    bank_select_of::<8>();
    bank_select_of::<16>();
    bank_select_of::<32>();
}

fn warp_queue<const D: usize, const PAIR: usize, const LANES: usize>() {
    equal!(WarpQueue::<D, PAIR, LANES>::default(), 2000, |b: &mut WarpQueue<D, PAIR, LANES>, r: &mut Random, _| {
        let beat = Bits::new(r.gen_range(0..32 / LANES as u64));
        b.write.next = QueueWrite { enable: r.gen_bool(0.7), place: any(r), beat };
        for lane in 0..LANES {
            b.write_data[lane].next = any(r);
        }
        b.take.next = r.gen_bool(0.7);
        b.take_half.next = any(r);
    });
}

#[test]
fn warp_queues_equal_verilog() {
    warp_queue::<18, 36, 8>();
    warp_queue::<18, 36, 16>();
    warp_queue::<18, 36, 32>();
    warp_queue::<32, 64, 8>();
    warp_queue::<32, 64, 16>();
    warp_queue::<32, 64, 32>();
}

fn gather_buffer<const LANES: usize>(protected: bool) {
    equal!(GatherBuffer::<LANES>::new(protected), 2000, |b: &mut GatherBuffer<LANES>, r: &mut Random, _| {
        b.write.next = GatherStep {
            buffer: r.gen(),
            upper: r.gen(),
            odd: r.gen(),
            constant: r.gen_bool(0.3),
            access: any(r),
            threads: any(r),
        };
        b.constant_word.next = any(r);
        for thread in 0..16 {
            b.place[thread].next = any(r);
            b.word[thread].next = any(r);
        }
        b.read_buffer.next = r.gen();
        b.read_beat.next = Bits::new(r.gen_range(0..32 / LANES as u64));
        for faults in &mut b.faults {
            faults.next = bank_faults(r);
        }
    });
}

/// Uncorrectable bytes of few banks.
fn bank_faults(r: &mut Random) -> Bits<64> {
    Bits::new(1 << r.gen_range(0..64) | 1 << r.gen_range(0..64))
}

#[test]
fn gather_buffers_equal_verilog() {
    gather_buffer::<8>(false);
    gather_buffer::<16>(false);
    gather_buffer::<32>(false);
    gather_buffer::<8>(true);
    gather_buffer::<32>(true);
}

fn address_file<const LANES: usize>() {
    equal!(AddressFile::<LANES>::default(), 2000, |b: &mut AddressFile<LANES>, r: &mut Random, _| {
        let beats = 32 / LANES as u64;
        b.read_enable.next = r.gen_bool(0.8);
        let mut place = || AddressPlace {
            warp: Bits::new(r.gen_range(0..2) * 31),
            register: any(r),
            beat: Bits::new(r.gen_range(0..beats)),
        };
        b.read.next = place();
        b.write.place.next = place();
        b.write.lanes.next = any(r);
        for lane in 0..LANES {
            b.write.data[lane].next = any(r);
        }
    });
}

#[test]
fn address_files_equal_verilog() {
    address_file::<8>();
    address_file::<16>();
    address_file::<32>();
}

/// A random instruction for the collector: any use of the address file, mostly with valid addresses.
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
        offset: if rng.gen_bool(0.01) { any(rng) } else { Bits::new(rng.gen_range(0..64) * alignment) },
        post_increment: rng.gen_bool(0.2),
        increments: rng.gen_bool(0.3),
        register: any(rng),
        register_used: rng.gen_bool(0.9),
    };
    issued
}

fn operand_collector<const LANES: usize>(protect: Protect) {
    let make = || OperandCollector::<LANES>::new(Capability::V1_0, protect);
    equal!(make(), 4000, |b: &mut OperandCollector<LANES>, r: &mut Random, cycle| {
        b.c_clear.next = cycle == 0 || r.gen_bool(0.005);
        b.shared_rows.next = Bits::new(64);
        b.begins.next = WarpBegin { valid: r.gen_bool(0.05), launch: launch(r) };
        b.begins.next.launch.warp = Bits::new(r.gen_range(0..4));
        let takes = r.gen() && b.collect.slot.val() && b.collect.room.val();
        let issued = Issued { valid: takes, ..collected(r) };
        let indexing = issued.decoded.indexing;
        b.collect.issued.next = issued;
        b.collect.takes_place.next = takes && (indexing.gathers || indexing.scatters);
        b.collect.holds.next = takes && indexing.gathers;
        b.collected.executed.next = any(r);
        b.c_inject_ready.next = r.gen();
        b.collected.buffer.next = r.gen();
        b.collected.beat.next = Bits::new(r.gen_range(0..32 / LANES as u64));
        b.w_address.lanes.next = if r.gen_bool(0.3) { any(r) } else { Bits::default() };
        b.w_address.place.next = AddressPlace {
            warp: Bits::new(r.gen_range(0..4)),
            register: any(r),
            beat: Bits::new(r.gen_range(0..32 / LANES as u64)),
        };
        b.shared_busy.next = r.gen_bool(0.2);
        b.shared_init_busy.next = r.gen_bool(0.2);
        b.constant_busy.next = r.gen_bool(0.2);
        b.constant_word.next = any(r);
        for lane in 0..LANES {
            b.c_data[lane].next = any(r);
            // Close to each other, word-aligned.
            b.w_address.data[lane].next = Bits::new(r.gen_range(0..64) * 4);
        }
        for bank in 0..16 {
            b.banks.word[bank].next = any(r);
        }
        for faults in &mut b.bank_faults {
            faults.next = bank_faults(r);
        }
    });
}

#[test]
fn operand_collector_8_equals_verilog() {
    operand_collector::<8>(Protect::None);
}

#[test]
fn protected_operand_collector_equals_verilog() {
    operand_collector::<8>(Protect::Secded);
}

#[test]
fn operand_collector_16_equals_verilog() {
    operand_collector::<16>(Protect::None);
}

#[test]
fn operand_collector_32_equals_verilog() {
    operand_collector::<32>(Protect::None);
}
