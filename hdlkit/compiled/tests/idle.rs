//! Idle cycles: outputs and state are the same with and without skipped cycles. Cycles are only skipped if only
//! counters would change.

use hdlkit::prelude::*;
use hdlkit_compiled::{port_places, Code, MachineCode, PortPlaces};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::{Arc, OnceLock};

/// Counters of all kinds, and registers and memories that may depend on counters or change with them. Each is enabled
/// by an input.
#[circuit]
#[derive(Ports)]
struct Counting {
    pub clock: Signal<In, Clock>,
    pub run: Signal<In, Bit>,
    pub back: Signal<In, Bit>,
    pub mirror: Signal<In, Bit>,
    pub swap: Signal<In, Bit>,
    pub steps: Signal<In, Bit>,
    pub long: Signal<In, Bit>,
    pub place: Signal<In, Bits<2>>,
    pub roam: Signal<In, Bit>,
    pub gate: Signal<In, Bit>,
    pub copy: Signal<In, Bit>,
    pub guard: Signal<In, Bit>,
    pub show: Signal<In, Bit>,
    pub spin: Signal<In, Bit>,
    pub turn: Signal<In, Bit>,
    pub heap: Signal<In, Bit>,
    pub scan: Signal<In, Bit>,
    pub fill: Signal<In, Bit>,
    pub value: Signal<Out, Bits<64>>,
    pub alarm: Signal<Out, Bit>,
    pub ringing: Signal<Out, Bits<3>>,
    pub stored: Signal<Out, Bits<16>>,
    pub tail: Signal<Out, Bits<16>>,

    /// Counts up or down.
    count: DFF<Bits<64>>,
    /// Wraps often; or is subtracted from a constant.
    short: DFF<Bits<5>>,
    /// More than a word.
    wide: DFF<WideBits<100>>,
    /// Each counts, or takes the other's sum.
    left: DFF<Bits<16>>,
    right: DFF<Bits<16>>,
    /// Counts by `right`, or in some cycles only.
    sum: DFF<Bits<16>>,
    some: DFF<Bits<16>>,
    /// One word counts, or several words count, or a word takes `right`.
    counts: LutRam2R<2, Bits<16>>,
    long_counts: LutRam<1, WideBits<80>>,
    /// Set when `short` has a value while guarded.
    fired: DFF<Bit>,
    /// One bit moves in each: three cycles later, only the counters differ.
    ring: [DFF<Bit>; 3],
    wheel: LutRam<1, Bits<3>>,
    /// Too large to compare.
    large: LutRam<7, Bits<3>>,
    /// Read where `short` counts to; one element may differ from the others.
    block_ram: BlockRam<4, 16, 2>,
    /// Set by a register together with counters, without a multiplexer.
    followed: DFF<Bit>,
}

impl Logic for Counting {
    #[hdl_gen]
    fn update(&mut self) {
        let one = bits::<1>(1);
        let count = self.count.q.val();
        let short = self.short.q.val();
        let (left, right) = (self.left.q.val(), self.right.q.val());
        if self.run.val() {
            self.count.d.next = if self.back.val() { count - 3 } else { count + 1 };
            self.short.d.next = if self.mirror.val() {
                bits::<5>(29) - short
            } else {
                short + 1
            };
            self.left.d.next = if self.swap.val() { right + 1 } else { left + 1 };
            self.right.d.next = if self.swap.val() { left + 1 } else { right + 2 };
            self.wide.d.next = self.wide.q.val() + one.widen::<100>();
        }
        if self.steps.val() {
            self.sum.d.next = self.sum.q.val() + right;
            if short.get_bit(0) {
                self.some.d.next = self.some.q.val() + 5;
            }
        }
        let long = self.long_counts.read(one);
        self.long_counts.write(self.long.val(), one, long + one.widen::<80>());

        let roaming: Bits<2> = short.low::<2>();
        let place = if self.roam.val() { roaming } else { self.place.val() };
        let old = self.counts.read_1(place);
        let enable = self.run.val() && (!self.gate.val() || short.get_bit(4));
        self.counts
            .write(enable, place, if self.copy.val() { right } else { old + 7 });
        self.tail.next = mask(self.scan.val(), self.counts.read_2(self.place.val() + 1));

        let rung = self.guard.val() && short == 17;
        self.fired.d.next = self.fired.q.val() ^ rung;
        self.alarm.next = self.fired.q.val();
        self.value.next = mask(self.show.val(), count);

        let mut ringing = bits::<3>(0);
        for i in 0..3 {
            ringing = ringing.replace_bit(i, self.ring[i].q.val());
            if self.spin.val() {
                self.ring[i].d.next = self.ring[(i + 2) % 3].q.val();
            }
        }
        if !ringing.any() {
            self.ring[0].d.next = true;
        }
        self.ringing.next = ringing;
        let wheel = self.wheel.read(bits::<1>(0));
        let turned: Bits<3> = wheel.low::<2>().concat(wheel.bits::<1>(2));
        self.wheel.write(
            self.turn.val(),
            bits::<1>(0),
            if wheel.any() { turned } else { bits::<3>(1) },
        );
        let large = self.large.read(bits::<7>(99));
        let moved: Bits<3> = large.low::<2>().concat(large.bits::<1>(2));
        self.large.write(
            self.heap.val(),
            bits::<7>(99),
            if large.any() { moved } else { bits::<3>(1) },
        );

        self.block_ram.read_enable.next = true;
        self.block_ram.read_address.next = if self.scan.val() {
            short.low::<4>()
        } else {
            bits::<4>(12)
        };
        self.block_ram.write_address.next = bits::<4>(12);
        self.block_ram.write_data.next = right;
        self.block_ram.write_enable.next = self.fill.val().fill::<2>();
        self.stored.next = self.block_ram.read_data.val();
        self.followed.d.next = self.back.val();
    }
}

const INPUTS: [&str; 17] = [
    "run", "back", "mirror", "swap", "steps", "long", "place", "roam", "gate", "copy", "guard", "show", "spin", "turn",
    "heap", "scan", "fill",
];

/// A machine with its ports by name.
#[derive(Clone)]
struct Named {
    machine: MachineCode,
    places: Arc<PortPlaces>,
}

impl Named {
    fn new() -> Self {
        static CODE: OnceLock<Arc<Code>> = OnceLock::new();
        let block = Box::<Counting>::default();
        let code = CODE.get_or_init(|| Arc::new(Code::compile(&*block).unwrap()));
        Named {
            machine: MachineCode::new(&*block, code.clone()),
            places: port_places(&*block).into(),
        }
    }

    /// A machine with these inputs set, after some cycles.
    fn with(inputs: &[&str]) -> Self {
        let mut named = Named::new();
        inputs.iter().for_each(|input| named.set(input, 1));
        (0..10).for_each(|_| named.cycle());
        named
    }

    fn set(&mut self, port: &str, value: u64) {
        self.machine.ports_mut()[self.places.place(port)] = value;
    }

    fn port(&self, port: &str) -> u64 {
        self.machine.ports()[self.places.place(port)]
    }

    fn cycle(&mut self) {
        self.machine.settle();
        self.machine.tick();
    }

    /// Executes a cycle. Returns the number of cycles that could be skipped after it, but does not skip them.
    fn idle(&mut self) -> u64 {
        self.cycle();
        let before = self.clone();
        let idle = self.machine.skip_idle(1000);
        if idle != 0 {
            *self = before;
        }
        idle
    }

    /// Simulates cycles, with skipping. Returns the number of skipped cycles.
    fn run(&mut self, cycles: u64) -> u64 {
        let (mut at, mut skipped) = (0, 0);
        while at < cycles {
            self.cycle();
            at += 1;
            let idle = self.machine.skip_idle(cycles - at);
            assert!(idle <= cycles - at);
            at += idle;
            skipped += idle;
        }
        skipped
    }

    fn flip_flop(&self, name: &str) -> usize {
        let mut names = self.machine.code().flip_flops().map(|found| found.name);
        names.position(|found| found == name).unwrap()
    }

    /// The number of a memory.
    fn memory(&self, name: &str) -> usize {
        self.machine
            .code()
            .memories()
            .position(|found| found.name == name)
            .unwrap()
    }
}

/// Runs two machines with the same inputs for some cycles, the second one with skipping; returns the skipped cycles.
#[track_caller]
fn compare(all: &mut Named, some: &mut Named, cycles: u64) -> u64 {
    (0..cycles).for_each(|_| all.cycle());
    let skipped = some.run(cycles);
    assert_eq!(all.machine.save(), some.machine.save());
    // Values that depend on the skipped state are computed again.
    for named in [&mut *all, some] {
        named.machine.settle();
    }
    assert_eq!(all.machine.ports(), some.machine.ports());
    skipped
}

#[test]
fn skipped_cycles_equal_simulated_ones() {
    let (mut all, mut some) = (Named::new(), Named::new());
    let mut random = ChaCha8Rng::seed_from_u64(47);
    let (mut cycles, mut skipped) = (0, 0);
    for _ in 0..6000 {
        for input in INPUTS {
            let most = if input == "place" { 3 } else { 1 };
            let share = if input == "run" { 0.6 } else { 0.1 };
            let value = if random.gen_bool(share) {
                random.gen_range(1..=most)
            } else {
                0
            };
            for named in [&mut all, &mut some] {
                named.set(input, value);
            }
        }
        let short = random.gen();
        let period = random.gen_range(if short { 1..8 } else { 8..200 });
        skipped += compare(&mut all, &mut some, period);
        cycles += period;
    }
    assert!(
        skipped > cycles / 10 && skipped < cycles / 2,
        "{skipped} of {cycles} cycles skipped"
    );
}

/// Enables each input alone and with the counters, because other inputs could hide its effect.
#[test]
fn each_dependency_is_found_alone() {
    for input in INPUTS {
        for other in ["run", "long", "steps", "spin", "turn", "heap", "scan", "fill"] {
            let (mut all, mut some) = (Named::with(&["run", input, other]), Named::with(&["run", input, other]));
            compare(&mut all, &mut some, 500);
        }
    }
}

#[test]
fn counters_alone_are_idle() {
    for counting in [&["run"][..], &["run", "back"], &["long", "run"], &["run", "place"], &[]] {
        let mut named = Named::with(counting);
        let idle = (0..40).map(|_| named.idle()).max();
        // A memory's word of more than 64 bits is not followed.
        let expected = if counting.contains(&"long") { 0 } else { 1000 };
        assert_eq!(idle, Some(expected), "{counting:?}");
    }
}

#[test]
fn whole_periods_are_idle() {
    for (input, expected) in [("mirror", 1000), ("spin", 999), ("roam", 992), ("gate", 992)] {
        let mut named = Named::with(&["run", input]);
        assert_eq!((0..200).map(|_| named.idle()).max(), Some(expected), "{input}");
    }
}

#[test]
fn cycles_with_other_changes_are_not_idle() {
    for input in ["swap", "steps", "guard", "show", "turn", "heap", "fill", "copy"] {
        let mut named = Named::with(&["run", input]);
        assert!((0..100).all(|_| named.idle() == 0), "{input}");
    }
}

#[test]
fn idle_cycles_are_skipped_at_once() {
    let mut named = Named::new();
    named.set("run", 1);
    let mut rest: u64 = 1_000_000_000_000;
    for _ in 0..100 {
        named.cycle();
        rest -= 1;
        rest -= named.machine.skip_idle(rest);
        if rest == 0 {
            break;
        }
    }
    assert_eq!(rest, 0);
    named.set("show", 1);
    named.machine.settle();
    assert_eq!(named.port("value"), 1_000_000_000_000);
}

#[test]
fn a_new_input_is_not_skipped() {
    for input in INPUTS {
        let mut named = Named::with(&["run"]);
        assert!((0..4).any(|_| named.idle() != 0));
        assert_eq!(named.clone().machine.skip_idle(1000), 1000, "idle after this edge");
        let value = named.port(input) ^ 1;
        named.set(input, value);
        assert_eq!(named.clone().machine.skip_idle(1000), 0, "{input}, before settling");
        named.machine.settle();
        assert_eq!(named.machine.skip_idle(1000), 0, "{input}, before an edge");
    }
}

/// A change of the state turns a ring back after each edge, so only counters differ.
#[test]
fn changes_between_edges_are_not_skipped() {
    let named = Named::with(&["run", "spin", "turn"]);
    let ring: Vec<usize> = (0..3).map(|i| named.flip_flop(&format!("top.ring[{i}]"))).collect();
    let wheel = named.memory("top.wheel");
    let turn_ring = |named: &mut Named| {
        let values: Vec<u128> = ring
            .iter()
            .map(|ring| named.machine.flip_flop(*ring).unwrap())
            .collect();
        (0..3).for_each(|i| assert!(named.machine.set_flip_flop(ring[i], values[(i + 1) % 3])));
    };
    let turn_wheel = |named: &mut Named| {
        let value = named.machine.memory(wheel).unwrap()[0];
        assert!(named.machine.set_memory(wheel, 0, value >> 1 | (value & 1) << 2));
    };
    type Change<'a> = (&'a str, &'a dyn Fn(&mut Named));
    let changes: [Change; 2] = [("turn", &turn_ring), ("spin", &turn_wheel)];
    for (other, change) in changes {
        let mut named = named.clone();
        named.set(other, 0);
        for _ in 0..100 {
            named.cycle();
            change(&mut named);
            assert_eq!(named.machine.skip_idle(1000), 0);
        }
    }
}

/// If `skip_idle` is not called after each edge, a period may be longer than it seems.
#[test]
fn changes_between_calls_are_not_skipped() {
    for input in ["spin", "turn", "heap"] {
        let mut named = Named::with(&["run", input]);
        for calls in 2..40 {
            for _ in 0..200 {
                (0..calls).for_each(|_| named.cycle());
                assert_eq!(named.machine.skip_idle(1000), 0, "a call after each of {calls} edges");
            }
        }
    }
}

/// The third state differs from the second state only in counters, after an edge that turns both.
#[test]
fn restored_state_is_not_compared_with_earlier_states() {
    for input in ["spin", "turn", "heap"] {
        let mut named = Named::with(&["run", input]);
        let states: Vec<Vec<u64>> = (0..4)
            .map(|_| {
                let state = named.machine.save().unwrap();
                named.cycle();
                state
            })
            .collect();
        for state in [&states[0], &states[0], &states[3], &states[0]] {
            assert!(named.machine.restore(state));
            named.cycle();
            assert_eq!(named.machine.skip_idle(1000), 0, "{input}");
        }
    }
}

#[test]
fn changed_idle_machine_equals_a_simulated_machine() {
    for bit in 0..64 {
        let mut some = Named::with(&["run"]);
        some.run(100 + bit);
        let mut all = some.clone();
        for named in [&mut all, &mut some] {
            let numbers = named.machine.code().flip_flops().count();
            let number = bit as usize % numbers;
            let value = named.machine.flip_flop(number).unwrap();
            assert!(named.machine.set_flip_flop(number, value ^ 1));
        }
        compare(&mut all, &mut some, 100);
    }
}

#[test]
fn shown_signals_need_every_cycle() {
    let block = Box::<Counting>::default();
    let shown = vec![true; hdlkit::waves::paths(&*block).len()];
    let code = Arc::new(Code::compile_showing(&*block, &shown).unwrap());
    let mut machine = MachineCode::new(&*block, code);
    for _ in 0..100 {
        machine.settle();
        machine.tick();
        assert_eq!(machine.skip_idle(1000), 0);
    }
}
