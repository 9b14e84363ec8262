//! Concurrent fault simulation against whole machines, each with one fault: the same outputs and contents in every
//! cycle.

use hdlkit::prelude::*;
use hdlkit_compiled::{port_places, Code, Concurrent, Effect, MachineCode, MemoryUse, Next, Target};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
struct Entry {
    tag: Bits<5>,
    long: Bits<60>,
    flag: Bit,
}

/// Registers that hold, count, shift and clear, and memories of all kinds, including a memory that feeds another.
#[derive(LogicBlock, Cycle, Blank, Ports)]
struct Mixed {
    pub clock: Signal<In, Clock>,
    pub address: Signal<In, Bits<4>>,
    pub other: Signal<In, Bits<4>>,
    pub data: Signal<In, Bits<16>>,
    pub wide: Signal<In, WideBits<100>>,
    pub enable: Signal<In, Bits<2>>,
    pub read: Signal<Out, Bits<16>>,
    pub banks: Signal<Out, Bits<16>>,
    pub tag: Signal<Out, Bits<5>>,
    pub long: Signal<Out, Bits<60>>,
    pub wide_sum: Signal<Out, WideBits<100>>,
    pub less: Signal<Out, Bit>,
    pub shown: Signal<Out, Bits<16>>,
    pub seen_bits: Signal<Out, Bits<16>>,
    entries: LutRam<4, Entry>,
    block_ram: BlockRam<4, 16, 2>,
    bank: BlockRam3R<4, 16, 1>,
    held: DFF<Bits<16>>,
    counter: DFF<Bits<12>>,
    first: DFF<Bits<16>>,
    second: DFF<Bits<16>>,
    total: DFF<WideBits<100>>,
    unread: DFF<Bits<3>>,
    pointer: DFF<Bits<4>>,
    entry: DFF<Bits<4>>,
    caught: DFF<Bits<5>>,
    /// Mostly 0, so the logic that it gates is idle in the good machine.
    gate: DFF<Bits<16>>,
    seen: DFF<Bits<16>>,
    _activity: Activity,
}

impl Logic for Mixed {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held, counter, first, second, total, unread, pointer, entry, caught, gate, seen);
        clock!(self, clock, entries, block_ram, bank);
        if self.enable.val() == 3 {
            self.held.d.next = self.data.val();
        }
        if self.data.val().get_bits::<3>(0) == 0 {
            self.counter.d.next = self.counter.q.val() + 1;
        }
        self.first.d.next = self.held.q.val() ^ self.block_ram.read_data.val();
        self.second.d.next = self.first.q.val();
        if self.data.val().get_bits::<1>(5) == 1 {
            self.total.d.next = self.total.q.val() + self.wide.val();
        }
        if self.address.val() == 5 {
            self.total.d.next = self.wide.val();
        }
        self.unread.d.next = self.data.val().get_bits::<3>(4);
        if self.block_ram.read_data.val().get_bits::<2>(0) == 1 {
            self.pointer.d.next = self.other.val();
        }
        if self.address.val() == 15 && self.other.val() == 15 {
            self.gate.d.next = self.data.val() & self.held.q.val();
        }
        self.seen.d.next = self.seen.q.val() ^ (self.gate.q.val() & self.data.val());
        self.seen_bits.next = self.seen.q.val();
        if self.address.val() == 7 {
            self.entry.d.next = self.other.val();
        }
        self.entries.read_address.next = self.entry.q.val();
        self.entries.write_address.next = self.other.val();
        self.entries.write_data.next.tag = self.first.q.val().get_bits::<5>(3);
        self.entries.write_data.next.long = bit_cast_narrow::<60, 100>(self.total.q.val());
        self.entries.write_data.next.flag = self.data.val().xor();
        self.entries.write_enable.next = self.enable.val() == 1;
        self.block_ram.read_enable.next = self.enable.val() != 2;
        self.block_ram.read_address.next = self.address.val() ^ self.pointer.q.val();
        self.block_ram.write_address.next = self.other.val();
        self.block_ram.write_data.next = self.held.q.val();
        self.block_ram.write_enable.next = self.enable.val();
        self.bank.read_enable.next = self.enable.val() != 1;
        self.bank.read_address_1.next = self.address.val();
        self.bank.read_address_2.next = self.counter.q.val().get_bits::<4>(0);
        self.bank.read_address_3.next = self.address.val() ^ self.other.val();
        self.bank.write_address.next = self.other.val();
        self.bank.write_data.next = self.second.q.val();
        self.bank.write_enable.next = self.enable.val().get_bits::<1>(1);
        self.read.next = self.block_ram.read_data.val();
        self.banks.next = self.bank.read_data_1.val() ^ (self.bank.read_data_2.val() & self.bank.read_data_3.val());
        self.caught.d.next = self.entries.read_data.val().tag;
        self.tag.next = self.entries.read_data.val().tag ^ self.caught.q.val();
        self.long.next = self.entries.read_data.val().long;
        self.wide_sum.next = self.total.q.val() + bit_cast_wide::<100, 60>(self.entries.read_data.val().long);
        self.less.next = self.wide.val() < self.wide_sum.val() || self.entries.read_data.val().flag;
        self.shown.next = self.second.q.val();
    }
}

/// The positions of the inputs, and their widths.
const INPUTS: [(&str, u32); 6] = [
    ("address", 4),
    ("other", 4),
    ("data", 16),
    ("wide", 64),
    ("wide", 36),
    ("enable", 2),
];

/// A machine with a fault from the beginning.
struct Whole {
    machine: MachineCode,
    number: u32,
    target: Target,
    mask: u128,
    effect: Effect,
    /// The previous values of delayed bits, and the mask of the bits that should have changed at the last edge.
    late: Option<(u128, u128)>,
}

impl Whole {
    fn force(&mut self) {
        match self.effect {
            Effect::Flip => {}
            Effect::Stuck(one) => self.change(|value, mask| if one { value | mask } else { value & !mask }),
            Effect::Delayed => {
                let now = self.value() & self.mask;
                let (before, late) = self.late.unwrap_or((now, 0));
                let refused = (now ^ before) & !late;
                self.change(|value, _| value ^ refused);
                self.late = Some((now ^ refused, refused));
            }
        }
    }

    fn value(&self) -> u128 {
        match self.target {
            Target::FlipFlop(number) => self.machine.flip_flop(number).unwrap(),
            Target::Memory { memory, word } => self.machine.memory(memory).unwrap()[word].into(),
        }
    }

    fn change(&mut self, change: impl Fn(u128, u128) -> u128) {
        match self.target {
            Target::FlipFlop(number) => {
                let value = change(self.machine.flip_flop(number).unwrap(), self.mask);
                assert!(self.machine.set_flip_flop(number, value));
            }
            Target::Memory { memory, word } => {
                let value = change(self.machine.memory(memory).unwrap()[word].into(), self.mask);
                assert!(self.machine.set_memory(memory, word, value as u64));
            }
        }
    }
}

/// A random position with the bits that it has.
fn place(code: &Code, machine: &MachineCode, random: &mut ChaCha8Rng) -> (Target, u32) {
    let flip_flops: Vec<u32> = code.flip_flops().map(|flip_flop| flip_flop.width).collect();
    if random.gen_bool(0.6) {
        let number = random.gen_range(0..flip_flops.len());
        return (Target::FlipFlop(number), flip_flops[number]);
    }
    let memory = random.gen_range(0..code.memories().count());
    let word = random.gen_range(0..machine.memory(memory).unwrap().len());
    let widths = code.word_widths(memory).unwrap();
    let width = widths[word % widths.len()];
    (Target::Memory { memory, word }, width)
}

/// Runs `cycles` cycles and keeps injecting faults. Returns the number of faults, and of faults that vanished.
fn compare(seed: u64, cycles: u32, held: bool) -> (usize, usize) {
    let block = Mixed::default();
    let code = Arc::new(Code::compile(&block).unwrap());
    let places = port_places(&block);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut good = MachineCode::new(&block, code.clone());
    let mut concurrent = Concurrent::new(code.clone(), []).unwrap();
    assert!(concurrent.restore(&good.save().unwrap()));
    let mut whole: Vec<Whole> = vec![];
    let mut vanished = 0;
    let inputs: Vec<(usize, u32)> = (0..)
        .zip(INPUTS)
        .map(|(index, (name, width))| (places.place(name) + usize::from(index == 4), width))
        .collect();
    for cycle in 0..cycles {
        for (place, width) in &inputs {
            // With inputs that rarely change, faulty machines can sleep.
            if !held || random.gen_bool(0.03) {
                let value = random.gen::<u64>() >> (64 - width);
                good.ports_mut()[*place] = value;
                concurrent.ports_mut()[*place] = value;
            }
        }
        for _ in 0..random.gen_range(0..3) {
            let (target, width) = place(&code, &good, &mut random);
            let mask = 1 << random.gen_range(0..width);
            let effects = [
                Effect::Flip,
                Effect::Flip,
                Effect::Stuck(false),
                Effect::Stuck(true),
                Effect::Delayed,
            ];
            let effect = effects[random.gen_range(0..effects.len())];
            let number = concurrent.inject(&[(target, mask)], effect).unwrap();
            let mut new = Whole {
                machine: good.clone(),
                number,
                target,
                mask,
                effect,
                late: None,
            };
            match effect {
                Effect::Flip => new.change(|value, mask| value ^ mask),
                _ => new.force(),
            }
            whole.push(new);
        }
        for one in &mut whole {
            for (place, _) in &inputs {
                one.machine.ports_mut()[*place] = good.ports()[*place];
            }
            if random.gen_bool(0.02) {
                let (place, width) = inputs[random.gen_range(0..inputs.len())];
                let value = random.gen::<u64>() >> (64 - width);
                one.machine.ports_mut()[place] = value;
                concurrent.set_input(one.number, place, value);
            }
            one.machine.settle();
        }
        good.settle();
        concurrent.settle();
        assert_eq!(good.ports(), concurrent.ports(), "cycle {cycle}");
        concurrent.settle_faulty(&mut |faulty| {
            let one = whole.iter().find(|one| one.number == faulty.number).unwrap();
            for (place, word) in one
                .machine
                .ports()
                .iter()
                .enumerate()
                .filter(|(at, _)| inputs.iter().all(|(i, _)| i != at))
            {
                assert_eq!(
                    faulty.port(place),
                    *word,
                    "cycle {cycle}, fault {}, port {place}: {:?} {:#x} {:?}",
                    faulty.number,
                    one.target,
                    one.mask,
                    one.effect
                );
                let differs = faulty.differing.contains(&(place as u32));
                assert!(
                    differs || *word == good.ports()[place],
                    "cycle {cycle}, port {place} differs unsaid"
                );
            }
            Next::Sleep
        });
        good.tick();
        concurrent.tick();
        assert!(concurrent.save() == good.save().unwrap(), "cycle {cycle}");
        whole.retain_mut(|one| {
            one.machine.tick();
            one.force();
            let about = || {
                format!(
                    "cycle {cycle}, fault {}: {:?} {:#x} {:?}",
                    one.number, one.target, one.mask, one.effect
                )
            };
            let state = one.machine.save().unwrap();
            assert!(concurrent.state(one.number) == state, "{}", about());
            let is_equal = Some(state) == good.save();
            assert_eq!(concurrent.is_equal(one.number), is_equal, "{}", about());
            let ends = is_equal && !concurrent.is_stuck(one.number);
            if ends {
                concurrent.end(one.number);
                vanished += 1;
            }
            !ends
        });
        // Limits the number of whole machines: removes one of the oldest.
        if whole.len() > 40 {
            let one = whole.remove(random.gen_range(0..20));
            concurrent.end(one.number);
        }
    }
    (whole.len() + vanished, vanished)
}

#[test]
fn every_fault_is_that_of_a_whole_machine() {
    let (faults, vanished) = compare(1, 1500, false);
    assert!(vanished > 100, "{vanished} of {faults}");
}

#[test]
fn machines_that_sleep_wake_in_time() {
    let (faults, vanished) = compare(2, 6000, true);
    assert!(vanished > 500, "{vanished} of {faults}");
}

/// Inverted bits of memories have no effect until the good machine reads them, and vanish when it writes them.
#[test]
fn inverted_memory_bits_matter_only_when_read() {
    let block = Mixed::default();
    let code = Arc::new(Code::compile(&block).unwrap());
    let places = port_places(&block);
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut good = MachineCode::new(&block, code.clone());
    let mut concurrent = Concurrent::new(code.clone(), []).unwrap();
    assert!(concurrent.restore(&good.save().unwrap()));
    let strides: Vec<usize> = code.memories().map(|memory| memory.stride).collect();
    // Machines with a bit that nothing has used so far.
    let mut whole: Vec<Whole> = vec![];
    let (mut read, mut overwritten, mut kept) = (0, 0, 0);
    for cycle in 0..3000 {
        for (index, (name, width)) in INPUTS.iter().enumerate() {
            let value = random.gen::<u64>() >> (64 - width);
            let place = places.place(name) + usize::from(index == 4);
            good.ports_mut()[place] = value;
            concurrent.ports_mut()[place] = value;
        }
        let (target, width) = place(&code, &good, &mut random);
        if matches!(target, Target::Memory { .. }) {
            let mut new = Whole {
                machine: good.clone(),
                number: 0,
                target,
                mask: 1 << random.gen_range(0..width),
                effect: Effect::Flip,
                late: None,
            };
            new.change(|value, mask| value ^ mask);
            whole.push(new);
        }
        for one in &mut whole {
            for (place, word) in one.machine.ports_mut().iter_mut().zip(good.ports()) {
                *place = *word;
            }
            one.machine.settle();
        }
        good.settle();
        concurrent.settle();
        let mut uses = vec![];
        concurrent.memory_uses(|used| uses.push(used));
        let ports = good.ports().to_vec();
        good.tick();
        concurrent.tick();
        whole.retain_mut(|one| {
            let Target::Memory { memory, word } = one.target else {
                return false;
            };
            let of_element = |used: &&MemoryUse| (used.memory, used.element) == (memory, word / strides[memory]);
            let used: Vec<&MemoryUse> = uses.iter().filter(of_element).collect();
            if used.iter().any(|used| used.written.is_none()) {
                read += 1;
                return false;
            }
            assert_eq!(one.machine.ports(), ports, "cycle {cycle}: {:?}", one.target);
            one.machine.tick();
            let is_written = used
                .iter()
                .any(|used| used.written.is_some_and(|written| one.mask & u128::from(written) != 0));
            if !is_written {
                // Writes to other bits of the word do not matter.
                kept += used.len();
                one.change(|value, mask| value ^ mask);
            }
            assert!(one.machine.save() == good.save(), "cycle {cycle}: {:?}", one.target);
            if is_written {
                overwritten += 1;
                return false;
            }
            one.change(|value, mask| value ^ mask);
            true
        });
    }
    assert!(
        read > 100 && overwritten > 100 && kept > 20,
        "{read} {overwritten} {kept}"
    );
}

#[test]
fn missing_bits_have_no_faults() {
    let code = Arc::new(Code::compile(&Mixed::default()).unwrap());
    let mut concurrent = Concurrent::new(code.clone(), []).unwrap();
    let registers = code.flip_flops().count();
    let memories = code.memories().count();
    for (target, mask) in [
        (Target::FlipFlop(registers), 1),
        (Target::FlipFlop(0), 1 << 127),
        (
            Target::Memory {
                memory: memories,
                word: 0,
            },
            1,
        ),
        (
            Target::Memory {
                memory: 0,
                word: 16 * 3,
            },
            1,
        ),
        (Target::Memory { memory: 0, word: 0 }, 1 << 5),
    ] {
        assert_eq!(concurrent.inject(&[(target, mask)], Effect::Flip), None, "{target:?}");
    }
    assert!(!concurrent.restore(&[0]));
}
