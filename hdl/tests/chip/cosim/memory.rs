//! Tests of an SM's memories.

use super::stimulus::*;
use flexgrip_hdl::memory::constant::ConstantMemory;
use flexgrip_hdl::memory::instruction::InstructionMemory;
use flexgrip_hdl::memory::shared::{BankAccess, SharedInit, SharedMemory};
use flexgrip_hdl::memory::HostLoad;
use flexgrip_machine::Protect;
use hdlkit::prelude::*;
use rand::Rng;

fn load(r: &mut Random) -> HostLoad {
    HostLoad { valid: r.gen(), constant: r.gen(), address: Bits::new(r.gen_range(0..16) * 4), data: any(r) }
}

#[test]
fn instruction_memory_equals_verilog() {
    equal!(InstructionMemory::default(), 2000, |b: &mut InstructionMemory, r: &mut Random, _| {
        b.instruction.enable.next = r.gen();
        b.instruction.address.next = Bits::new(r.gen_range(0..8));
        b.load.next = load(r);
    });
}

#[test]
fn constant_memory_equals_verilog() {
    equal!(ConstantMemory::default(), 2000, |b: &mut ConstantMemory, r: &mut Random, _| {
        b.read_enable.next = r.gen();
        b.read_address.next = Bits::new(r.gen_range(0..64));
        b.load.next = load(r);
    });
}

// Reads during writes of the same row have words that no check bits belong to, so faults do occur.
#[test]
fn shared_memory_equals_verilog() {
    for protect in [Protect::None, Protect::Parity, Protect::Secded] {
        shared_memory(protect);
    }
}

fn shared_memory(protect: Protect) {
    equal!(SharedMemory::new(protect), 3000, |b: &mut SharedMemory, r: &mut Random, _| {
        b.uniform.enable.next = r.gen();
        b.uniform.address.next = Bits::new(r.gen_range(0..256));
        b.banks.enable.next = any(r);
        b.banks.store.next = r.gen();
        for bank in 0..16 {
            b.banks.access[bank].next = BankAccess { row: Bits::new(r.gen_range(0..4)), bytes: any(r), word: any(r) };
        }
        let address = Bits::new(r.gen_range(0..64) * 4);
        b.init.next = SharedInit { valid: r.gen(), clear: r.gen_bool(0.1), address, data: any(r) };
    });
}
