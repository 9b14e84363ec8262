//! The memories of an SM.

use crate::stimulus::*;
use flexgrip_hdl::memory::constant::ConstantMemory;
use flexgrip_hdl::memory::instruction::InstructionMemory;
use flexgrip_hdl::memory::shared::SharedMemory;
use hdlkit::prelude::*;
use rand::Rng;

#[test]
fn instruction_memory() {
    equal!(InstructionMemory::default(), 2000, |b: &mut InstructionMemory, r: &mut Random, _| {
        b.instruction_enable.next = r.gen();
        b.instruction_address.next = Bits::new(r.gen_range(0..8));
        b.load_enable.next = r.gen();
        b.load_address.next = Bits::new(r.gen_range(0..16) * 4);
        b.load_data.next = any(r);
    });
}

#[test]
fn constant_memory() {
    equal!(ConstantMemory::default(), 2000, |b: &mut ConstantMemory, r: &mut Random, _| {
        b.read_enable.next = r.gen();
        b.read_address.next = Bits::new(r.gen_range(0..64));
        b.load_enable.next = r.gen();
        b.load_address.next = Bits::new(r.gen_range(0..16) * 4);
        b.load_data.next = any(r);
    });
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
