//! Machine code: memories, called parts, takeover in the middle of a run, and rejected circuits. Every co-simulation
//! also runs machine code, and so checks every form of expression and statement.

use hdlkit::prelude::*;
use hdlkit_compiled::cosim::cosim;
use hdlkit_compiled::{Code, CompileError, MachineCode};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
struct Entry {
    tag: Bits<5>,
    long: Bits<60>,
    flag: Bit,
}

/// A part that is called, not compiled: a register, and an output that follows an input.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports, Blank)]
#[leaf(follows(mask))]
struct Doubler {
    pub clock: Signal<In, Clock>,
    pub value: Signal<In, Bits<16>>,
    pub mask: Signal<In, Bits<16>>,
    pub twice: Signal<Out, Bits<16>>,
    _held: Bits<16>,
    _stale: Stale,
}

impl Leaf for Doubler {
    fn edge(&mut self) -> bool {
        self._held = self.value.val() + self.value.val();
        true
    }
    fn follow(&mut self) {
        self.twice.next = self._held & self.mask.val();
    }
    fn verilog(&self) -> String {
        "reg [15:0] held;\ninitial held = 16'd0;\nassign twice = held & mask;\nalways @(posedge clock)\n    held <= value + value;\n"
            .into()
    }
}

/// Memories of all kinds, and a called part whose output feeds back into the cone of one of its inputs.
#[derive(LogicBlock, Cycle, Blank, Ports)]
struct Everything {
    pub clock: Signal<In, Clock>,
    pub address: Signal<In, Bits<4>>,
    pub other: Signal<In, Bits<4>>,
    pub data: Signal<In, Bits<16>>,
    pub wide: Signal<In, WideBits<100>>,
    pub enable: Signal<In, Bits<2>>,
    pub block: Signal<Out, Bits<16>>,
    pub banks: Signal<Out, Bits<48>>,
    pub entry_tag: Signal<Out, Bits<5>>,
    pub entry_long: Signal<Out, Bits<60>>,
    pub wide_sum: Signal<Out, WideBits<100>>,
    pub wide_less: Signal<Out, Bit>,
    pub entry_flag: Signal<Out, Bit>,
    pub doubled: Signal<Out, Bits<16>>,
    pub count: Signal<Out, Bits<12>>,
    entries: LutRam<4, Entry>,
    block_ram: BlockRam<4, 16, 2>,
    bank: BlockRam3R<4, 16, 1>,
    counter: DFF<Bits<12>>,
    doubler: Doubler,
    fresh: Signal<Local, Entry>,
    _activity: Activity,
}

impl Logic for Everything {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, counter);
        clock!(self, clock, entries, block_ram, bank, doubler);
        self.fresh.next.tag = self.data.val().get_bits::<5>(3);
        self.fresh.next.long = bit_cast_narrow::<60, 100>(self.wide.val());
        self.wide_sum.next = self.wide.val() + bit_cast_wide::<100, 60>(self.entries.read_data.val().long);
        self.wide_less.next = self.wide.val() < self.wide_sum.val();
        self.fresh.next.flag = self.data.val().xor();
        self.entries.read_address.next = self.address.val();
        self.entries.write_address.next = self.other.val();
        self.entries.write_data.next = self.fresh.val();
        self.entries.write_enable.next = self.enable.val().any();
        self.entry_tag.next = self.entries.read_data.val().tag;
        self.entry_long.next = self.entries.read_data.val().long;
        self.entry_flag.next = self.entries.read_data.val().flag;
        self.block_ram.read_enable.next = self.enable.val() != 2;
        self.block_ram.read_address.next = self.address.val();
        self.block_ram.write_address.next = self.other.val();
        self.block_ram.write_data.next = self.data.val();
        self.block_ram.write_enable.next = self.enable.val();
        self.block.next = self.block_ram.read_data.val();
        self.bank.read_enable.next = self.enable.val() != 1;
        self.bank.read_address_1.next = self.address.val();
        self.bank.read_address_2.next = self.other.val();
        self.bank.read_address_3.next = self.address.val() ^ self.other.val();
        self.bank.write_address.next = self.other.val();
        self.bank.write_data.next = self.data.val();
        self.bank.write_enable.next = self.enable.val().get_bits::<1>(1);
        self.banks.next = bit_cast::<48, 16>(self.bank.read_data_1.val());
        self.banks.next = self.banks.val() ^ (bit_cast::<48, 16>(self.bank.read_data_2.val()) << 16);
        self.banks.next = self.banks.val() ^ (bit_cast::<48, 16>(self.bank.read_data_3.val()) << 32);
        // The called part's mask is ready before its value, which its own output determines.
        self.doubler.mask.next = self.data.val();
        self.doubler.value.next = self.doubler.twice.val() ^ self.data.val();
        self.doubled.next = self.doubler.twice.val();
        self.counter.d.next = self.counter.q.val() + bit_cast::<12, 4>(self.address.val());
        self.count.next = self.counter.q.val();
    }
}

fn stimulus(block: &mut Everything, random: &mut ChaCha8Rng) {
    block.address.next = random.gen::<u64>().into_bits();
    block.other.next = random.gen::<u64>().into_bits();
    block.data.next = random.gen::<u64>().into_bits();
    block.wide.next = WideBits::from_wide(random.gen());
    block.enable.next = random.gen::<u64>().into_bits();
}

/// The low bits of a random number.
trait IntoBits {
    fn into_bits<const N: usize>(self) -> Bits<N>;
}

impl IntoBits for u64 {
    fn into_bits<const N: usize>(self) -> Bits<N> {
        Bits::new(self)
    }
}

#[test]
fn memories_and_called_parts_agree_on_all_engines() {
    let report = cosim(Box::<Everything>::default, 3000, 5, |b, r, _| stimulus(b, r)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

fn outputs(block: &Everything) -> [u64; 32] {
    let mut words = [0; 32];
    Ports::outputs(block, &mut &mut words[..]);
    words
}

#[test]
fn machine_code_takes_over_between_any_two_cycles() {
    let code = Arc::new(Code::compile(&Everything::default()).unwrap());
    for before in [0, 1, 2, 50] {
        let mut random = ChaCha8Rng::seed_from_u64(before);
        let (mut kernels, mut first) = (
            CycleEngine::new(Box::<Everything>::default()),
            CycleEngine::new(Box::<Everything>::default()),
        );
        for _ in 0..before {
            let mut same = random.clone();
            stimulus(&mut kernels.block, &mut random);
            stimulus(&mut first.block, &mut same);
            kernels.settle();
            first.settle();
            kernels.tick();
            first.tick();
        }
        first.settle();
        let mut compiled = Typed::new(first.block, code.clone());
        for cycle in 0..200 {
            let mut same = random.clone();
            stimulus(&mut kernels.block, &mut random);
            stimulus(&mut compiled.block, &mut same);
            kernels.settle();
            compiled.settle();
            assert_eq!(outputs(&compiled.block), outputs(&kernels.block), "{before}, {cycle}");
            kernels.tick();
            compiled.tick();
        }
    }
}

/// Inputs change rarely, and one at a time. Logic that depends on no changed input is skipped, and must still have the
/// right values.
#[test]
fn skipped_logic_keeps_the_right_values() {
    let code = Arc::new(Code::compile(&Everything::default()).unwrap());
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut kernels = CycleEngine::new(Box::<Everything>::default());
    kernels.settle();
    let mut compiled = Typed::new(Box::default(), code);
    let mut quiet = 0;
    for cycle in 0..20_000 {
        let moving = std::array::from_fn(|_| random.gen_bool(0.15));
        quiet += u32::from(moving == [false; 5]);
        let mut same = random.clone();
        for (block, random) in [(&mut kernels.block, &mut random), (&mut compiled.block, &mut same)] {
            let [address, other, data, wide, enable] = moving;
            if address {
                block.address.next = random.gen_range(0..3u64).into();
            }
            if other {
                block.other.next = random.gen_range(0..3u64).into();
            }
            if data {
                block.data.next = random.gen_range(0..0x1_0000u64).into();
            }
            if wide {
                block.wide.next = WideBits::from_wide(random.gen());
            }
            if enable {
                block.enable.next = random.gen_range(0..4u64).into();
            }
        }
        kernels.settle();
        compiled.settle();
        assert_eq!(outputs(&compiled.block), outputs(&kernels.block), "{cycle}");
        kernels.tick();
        compiled.tick();
    }
    assert!(quiet > 5_000, "{quiet}");
}

/// Two signals, each the inverse of the other.
#[derive(LogicBlock, Cycle, Blank)]
struct Loop {
    flag: Signal<In, Bit>,
    one: Signal<Out, Bit>,
    two: Signal<Local, Bit>,
    _activity: Activity,
}

impl Logic for Loop {
    #[hdl_gen]
    fn update(&mut self) {
        self.one.next = self.two.val() ^ self.flag.val();
        self.two.next = !self.one.val();
    }
}

/// A block with handwritten Verilog that offers the compiler no primitive.
#[derive(Clone, Debug, Default, LogicBlock, Structure)]
struct Silent {
    pub clock: Signal<In, Clock>,
    pub value: Signal<Out, Bit>,
}

impl Logic for Silent {
    fn update(&mut self) {}
    fn connect(&mut self) {
        self.value.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom("initial value = 1'b0;\n".into())
    }
}

/// Machine code with a block that has its ports.
struct Typed {
    block: Box<Everything>,
    machine: MachineCode,
}

impl Typed {
    fn new(block: Box<Everything>, code: Arc<Code>) -> Self {
        let machine = MachineCode::new(&*block, code);
        Typed { block, machine }
    }
    fn settle(&mut self) {
        self.block.inputs(&mut self.machine.ports_mut());
        self.machine.settle();
        self.block.set_outputs(&mut self.machine.ports());
    }
    fn tick(&mut self) {
        self.machine.tick();
    }
}

fn refusal(block: &dyn Structure) -> String {
    match Code::compile(block) {
        Ok(_) => panic!("compiled"),
        Err(error @ CompileError::Circuit { .. }) => error.to_string(),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn uncompilable_blocks_are_named() {
    let said = refusal(&Loop::default());
    assert!(
        said.contains("top.two: depends on itself within a cycle, through top.two"),
        "{said}"
    );
    let said = refusal(&Silent::default());
    assert!(
        said.contains("top: has neither a kernel nor `#[derive(Leaf)]`"),
        "{said}"
    );
}

/// Machine code of the circuit with every signal shown, and its inputs set at random in each cycle.
struct Running {
    code: MachineCode,
    block: Box<Everything>,
}

impl Running {
    fn new() -> Self {
        let block = Box::<Everything>::default();
        let shown = vec![true; hdlkit::waves::paths(&*block).len()];
        let code = Arc::new(Code::compile_showing(&*block, &shown).unwrap());
        Running {
            code: MachineCode::new(&*block, code),
            block,
        }
    }

    /// Sets the inputs of a cycle and settles, up to the clock edge.
    fn settle(&mut self, random: &mut ChaCha8Rng) {
        stimulus(&mut self.block, random);
        Ports::inputs(&*self.block, &mut &mut self.code.ports_mut()[..]);
        self.code.settle();
    }

    fn run(&mut self, cycles: usize, seed: u64) -> Vec<Vec<u64>> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let cycles = (0..cycles).map(|_| {
            self.settle(&mut random);
            let ports = self.code.ports().to_vec();
            self.code.tick();
            ports
        });
        cycles.collect()
    }
}

#[test]
fn copied_machine_runs_independently() {
    let mut running = Running::new();
    running.run(50, 1);
    let mut copy = running.code.clone();
    let first = running.run(50, 2);
    // Later steps of the original do not affect the copy.
    std::mem::swap(&mut running.code, &mut copy);
    assert_eq!(running.run(50, 2), first);
    running.code = copy;
    assert_ne!(running.run(50, 2), first);
}

#[test]
fn state_can_be_read_and_changed() {
    let mut running = Running::new();
    running.run(50, 1);
    let names: Vec<String> = running
        .code
        .code()
        .flip_flops()
        .map(|flip_flop| flip_flop.name)
        .collect();
    assert_eq!(names, ["top.counter"]);
    let memories: Vec<&str> = running.code.code().memories().map(|memory| memory.name).collect();
    assert_eq!(memories, ["top.entries", "top.block_ram", "top.bank"]);
    assert_eq!(running.code.code().called().collect::<Vec<_>>(), ["top.doubler"]);
    // A register, cut to its width.
    assert!(running.code.set_flip_flop(0, 0xf123));
    assert_eq!(running.code.flip_flop(0), Some(0x123));
    assert!(!running.code.set_flip_flop(1, 0) && running.code.flip_flop(1).is_none());
    // Every element of the memory that is read within the cycle: tag, long, flag.
    for (field, value) in [(0, 0xff), (1, u64::MAX), (2, 0xff)] {
        for element in 0..16 {
            assert!(running.code.set_memory_field(0, element, field, value));
        }
    }
    assert_eq!(running.code.code().word_widths(0), Some(vec![5, 61]));
    assert_eq!(running.code.memory(0), Some(&[0x1f, (1 << 61) - 1].repeat(16)[..]));
    assert!(running.code.set_memory_field(0, 2, 2, 0) && running.code.set_memory_field(0, 2, 1, 0x55));
    let fields = [0, 1, 2, 3].map(|field| running.code.memory_field(0, 2, field));
    assert_eq!(fields, [Some(0x1f), Some(0x55), Some(0), None]);
    assert!(running.code.set_memory(0, 5, u64::MAX));
    assert!(!running.code.set_memory(0, 32, 0) && !running.code.set_memory(3, 0, 0));
    let missing = [(0, 16, 0), (0, usize::MAX, 0), (3, 0, 0)];
    let field = |(memory, element, field)| running.code.memory_field(memory, element, field);
    assert_eq!(missing.map(field), [None; 3]);
    running.code.block_mut::<Doubler>(0).unwrap()._held = Bits::new(0x4321);
    assert!(running.code.block::<BlockRam<4, 16, 2>>(0).is_none());
    running.settle(&mut ChaCha8Rng::seed_from_u64(3));
    let paths = hdlkit::waves::paths(&*running.block);
    let signal = |name: &str, field: usize| {
        let mut shown = running.code.code().shown();
        let number = shown.position(|atom| paths[atom] == name).unwrap();
        running.code.signal(number, field).unwrap()
    };
    assert_eq!(signal("top.count", 0), 0x123);
    assert_eq!(signal("top.entries.read_data", 0), 0x1f);
    assert_eq!(signal("top.entries.read_data", 1), (1 << 60) - 1);
    assert_eq!(signal("top.entry_flag", 0), 1);
    assert_eq!(signal("top.doubled", 0), 0x4321 & signal("top.data", 0));
    assert!(signal("top.wide", 0) > u128::from(u64::MAX), "a signal of two words");
}

#[test]
fn registered_read_data_change_at_the_next_edge() {
    let mut running = Running::new();
    running.run(50, 1);
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let place = hdlkit_compiled::port_places(&*running.block).place("block");
    // A repeated read of the same address: no block is awake.
    stimulus(&mut running.block, &mut random);
    running.block.enable.next = Bits::new(0);
    let read = |running: &mut Running| {
        Ports::inputs(&*running.block, &mut &mut running.code.ports_mut()[..]);
        running.code.settle();
        running.code.tick();
        running.code.settle();
        running.code.ports()[place]
    };
    let before = (0..4).map(|_| read(&mut running)).last();
    let address = running.block.address.next.index();
    let old = running.code.memory(1).unwrap()[address];
    running.code.set_memory(1, address, old ^ 0xffff);
    assert_eq!((before, read(&mut running)), (Some(old), old ^ 0xffff));
}

/// A register that loads its input in every cycle.
#[circuit]
#[derive(Ports)]
struct Sample {
    pub clock: Signal<In, Clock>,
    pub value: Signal<In, Bits<8>>,
    pub sampled: Signal<Out, Bits<8>>,
    held: DFF<Bits<8>>,
}

impl Logic for Sample {
    #[hdl_gen]
    fn update(&mut self) {
        self.held.d.next = self.value.val();
        self.sampled.next = self.held.q.val();
    }
}

/// A register that is set between two cycles loads its input at the next edge, even if the input has not changed.
#[test]
fn set_registers_load_at_the_next_edge() {
    let mut engine = CycleEngine::new(Box::new(Sample::blank()));
    engine.settle();
    let code = Arc::new(Code::compile(&*engine.block).unwrap());
    let places = hdlkit_compiled::port_places(&*engine.block);
    let (value, sampled) = (places.place("value"), places.place("sampled"));
    let mut machine = MachineCode::new(&*engine.block, code);
    machine.ports_mut()[value] = 7;
    let cycle = |machine: &mut MachineCode| {
        machine.settle();
        let seen = machine.ports()[sampled];
        machine.tick();
        seen
    };
    let before: Vec<u64> = (0..4).map(|_| cycle(&mut machine)).collect();
    assert_eq!(before, [0, 7, 7, 7]);
    assert!(machine.set_flip_flop(0, 0x55));
    let after: Vec<u64> = (0..3).map(|_| cycle(&mut machine)).collect();
    assert_eq!(after, [0x55, 7, 7]);
}

/// Registers and memories, and nothing that is called.
#[circuit]
#[derive(Ports)]
struct Stored {
    pub clock: Signal<In, Clock>,
    pub address: Signal<In, Bits<4>>,
    pub data: Signal<In, Bits<16>>,
    pub tag: Signal<Out, Bits<5>>,
    pub long: Signal<Out, Bits<60>>,
    pub read: Signal<Out, Bits<16>>,
    pub sum: Signal<Out, Bits<16>>,
    entries: LutRam<4, Entry>,
    block_ram: BlockRam<4, 16, 2>,
    total: DFF<Bits<16>>,
    fresh: Signal<Local, Entry>,
}

impl Logic for Stored {
    #[hdl_gen]
    fn update(&mut self) {
        self.total.d.next = self.total.q.val() + self.data.val();
        self.sum.next = self.total.q.val();
        self.fresh.next.tag = self.data.val().get_bits::<5>(3);
        self.fresh.next.long = bit_cast::<60, 16>(self.data.val()) << 40;
        self.fresh.next.flag = self.data.val().xor();
        self.entries.read_address.next = self.total.q.val().get_bits::<4>(0);
        self.entries.write_address.next = self.address.val();
        self.entries.write_data.next = self.fresh.val();
        self.entries.write_enable.next = self.data.val().any();
        self.tag.next = self.entries.read_data.val().tag;
        self.long.next = self.entries.read_data.val().long;
        self.block_ram.read_enable.next = self.address.val() != 2;
        self.block_ram.read_address.next = self.total.q.val().get_bits::<4>(4);
        self.block_ram.write_address.next = self.address.val();
        self.block_ram.write_data.next = self.data.val();
        self.block_ram.write_enable.next = self.data.val().get_bits::<2>(0);
        self.read.next = self.block_ram.read_data.val();
    }
}

/// A saved state continues on a machine that shows other signals; excess bits of saved words are ignored.
#[test]
fn a_saved_state_is_taken_over() {
    let mut block = Box::new(Stored::blank());
    block.settle();
    let places = hdlkit_compiled::port_places(&*block);
    let (address, data) = (places.place("address"), places.place("data"));
    let run = |machine: &mut MachineCode, seed| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let cycles = (0..60).map(|_| {
            machine.ports_mut()[address] = random.gen_range(0..16);
            machine.ports_mut()[data] = random.gen_range(0..0x1_0000);
            machine.settle();
            let ports = machine.ports().to_vec();
            machine.tick();
            ports
        });
        cycles.collect::<Vec<_>>()
    };
    let mut machine = MachineCode::new(&*block, Arc::new(Code::compile(&*block).unwrap()));
    run(&mut machine, 1);
    let saved = machine.save().unwrap();
    // A register, a word of read data, 16 elements of two words, and 16 words.
    assert_eq!(saved.len(), 1 + 1 + 32 + 16);
    let expected = run(&mut machine, 2);
    let shown = vec![true; hdlkit::waves::paths(&*block).len()];
    let showing = Code::compile_showing(&*block, &shown).unwrap();
    let mut other = MachineCode::new(&*block, Arc::new(showing));
    run(&mut other, 3);
    assert!(other.restore(&saved));
    assert_eq!(other.save().unwrap(), saved);
    assert_eq!(run(&mut other, 2), expected);
    assert!(machine.restore(&saved));
    assert_eq!(run(&mut machine, 2), expected);
    let before = machine.save().unwrap();
    assert!(!machine.restore(&saved[1..]) && !machine.restore(&[&saved[..], &[0]].concat()));
    assert_eq!(machine.save().unwrap(), before);
    assert!(machine.restore(&vec![u64::MAX; saved.len()]));
    let full = machine.save().unwrap();
    assert_eq!(full[..4], [0xffff, 0xffff, 0x1f, (1 << 61) - 1]);
    // The state of a called part is unknown, so it is neither saved nor restored.
    let called = Box::<Everything>::default();
    let mut called = MachineCode::new(&*called, Arc::new(Code::compile(&*called).unwrap()));
    assert!(called.save().is_none() && !called.restore(&[]));
}
