//! Code that computes less than all nodes one by one: results looked up in tables, arms of choices, bits of neighbours
//! and inputs of their memories as vectors. Each is in the code, and gives the values of the kernels and their Verilog.

use hdlkit::prelude::*;
use hdlkit_compiled::cosim::cosim;
use hdlkit_compiled::Code;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// A large function of one register.
#[derive(LogicBlock, Cycle, Blank, Ports)]
struct Scrambler {
    pub clock: Signal<In, Clock>,
    pub word: Signal<In, Bits<32>>,
    pub other: Signal<In, Bits<32>>,
    pub scrambled: Signal<Out, Bits<32>>,
    pub mixed: Signal<Out, Bits<8>>,
    held: DFF<Bits<32>>,
    result: DFF<Bits<32>>,
    small: DFF<Bits<8>>,
    _activity: Activity,
}

impl Logic for Scrambler {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held, result, small);
        self.held.d.next = self.word.val();
        let mut value = self.held.q.val();
        for _j in 0..2 {
            for i in 0..24 {
                let turned = (value << 5) | (value >> 27);
                value = if value.get_bit(i) {
                    turned + 0x9e37
                } else {
                    turned ^ (value >> 3)
                };
            }
        }
        self.result.d.next = value ^ self.other.val();
        self.small.d.next = value.get_bits::<8>(9) + self.other.val().get_bits::<8>(3);
        self.scrambled.next = self.result.q.val();
        self.mixed.next = self.small.q.val();
    }
}

/// Few different words, so that the table has most of them, and more than its entries.
#[test]
fn results_of_a_large_function_are_looked_up() {
    let code = Code::compile(&Scrambler::default()).unwrap();
    assert_eq!(code.counts().tables, 1);
    let stimulus = |block: &mut Scrambler, random: &mut ChaCha8Rng, cycle: u64| {
        let few = if cycle < 1500 { 20 } else { 5000 };
        block.word.next = Bits::new((random.gen_range(0..few) * 0x0101_0107) & 0xffff_ffff);
        if random.gen_range(0..4) == 0 {
            block.other.next = Bits::new(random.gen::<u32>().into());
        }
    };
    let report = cosim(Box::<Scrambler>::default, 3000, 3, stimulus).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, 2);
}

/// A register that keeps its value, or takes that of a large function, which is a choice itself. Tests and arms depend on the
/// same registers: otherwise they would be computed apart.
#[derive(LogicBlock, Cycle, Blank, Ports)]
struct Chooser {
    pub clock: Signal<In, Clock>,
    pub a: Signal<In, Bits<16>>,
    pub b: Signal<In, Bits<16>>,
    pub value: Signal<Out, Bits<16>>,
    pub masked: Signal<Out, Bits<16>>,
    x_a: DFF<Bits<16>>,
    x_b: DFF<Bits<16>>,
    kept: DFF<Bits<16>>,
    mask: DFF<Bits<16>>,
    _activity: Activity,
}

impl Logic for Chooser {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x_a, x_b, kept, mask);
        // They are read in the arms, and change at the same edge.
        self.x_a.d.next = self.a.val() ^ self.x_b.q.val();
        self.x_b.d.next = self.b.val();
        let (a, b) = (self.x_a.q.val(), self.x_b.q.val());
        let mut left = a ^ self.kept.q.val();
        let mut right = b ^ self.kept.q.val();
        for i in 0..8 {
            left = (left << 1) + (left ^ (b >> i));
            right = (right + (a >> i)) ^ (right << 3);
        }
        let chosen = if a.get_bit(5) { left } else { right };
        self.kept.d.next = if b.get_bit(2) & b.get_bit(7) {
            chosen + a
        } else {
            self.kept.q.val()
        };
        let mut product = a + b;
        for i in 0..8 {
            product = (product << 2) ^ (product + (a >> i));
        }
        let keep: Bits<16> = b.get_bit(4).fill();
        self.mask.d.next = keep & product;
        self.value.next = self.kept.q.val();
        self.masked.next = self.mask.q.val();
    }
}

#[test]
fn only_the_chosen_arm_is_computed() {
    let code = Code::compile(&Chooser::default()).unwrap();
    // The register, the choice in its arm, and the mask.
    assert!(code.counts().branches >= 3, "{:?}", code.counts());
    let stimulus = |block: &mut Chooser, random: &mut ChaCha8Rng, _: u64| {
        if random.gen() {
            block.a.next = Bits::new(random.gen::<u16>().into());
        }
        if random.gen() {
            block.b.next = Bits::new(random.gen::<u16>().into());
        }
    };
    let report = cosim(Box::<Chooser>::default, 3000, 4, stimulus).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, 2);
}

/// A value, a bit and a memory for each lane.
#[derive(LogicBlock, Cycle, Blank)]
struct Cell {
    pub clock: Signal<In, Clock>,
    pub data: Signal<In, Bits<20>>,
    pub part: Signal<In, Bits<3>>,
    pub enable: Signal<In, Bit>,
    pub address: Signal<In, Bits<3>>,
    pub common: Signal<In, Bit>,
    /// Wider than an element of a vector, and the same in all lanes.
    pub wide: Signal<In, Bits<40>>,
    pub stage: Signal<Out, Bits<20>>,
    pub enabled: Signal<Out, Bit>,
    pub moved: Signal<Out, Bits<20>>,
    pub read: Signal<Out, Bits<20>>,
    x_data: DFF<Bits<20>>,
    x_part: DFF<Bits<3>>,
    x_enable: DFF<Bit>,
    y_data: DFF<Bits<20>>,
    y_common: DFF<Bit>,
    x_wide: DFF<Bits<40>>,
    y_wide: DFF<Bits<40>>,
    memory: LutRam<3, Bits<20>>,
    _activity: Activity,
}

impl Logic for Cell {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x_data, x_part, x_enable, y_data, y_common, x_wide, y_wide);
        self.x_data.d.next = self.data.val() ^ self.x_data.q.val();
        self.x_part.d.next = self.part.val();
        self.x_enable.d.next = self.enable.val();
        // A move, as it is, and a value that is the same in all lanes.
        self.y_data.d.next = self.x_data.q.val();
        self.y_common.d.next = self.common.val();
        self.x_wide.d.next = self.wide.val();
        self.y_wide.d.next = self.x_wide.q.val();
        self.memory.clock.next = self.clock.val();
        self.memory.write_enable.next = self.x_enable.q.val() ^ self.y_common.q.val();
        self.memory.write_address.next = self.x_part.q.val();
        self.memory.write_data.next = (self.x_data.q.val() + 7) & self.y_data.q.val();
        self.memory.read_address.next = self.address.val();
        self.stage.next = self.x_data.q.val();
        self.enabled.next = self.x_enable.q.val();
        self.moved.next = self.y_data.q.val() ^ self.y_wide.q.val().get_bits::<20>(17);
        self.read.next = self.memory.read_data.val();
    }
}

#[derive(LogicBlock, Cycle, Blank)]
struct Row {
    pub clock: Signal<In, Clock>,
    pub data: Signal<In, Bits<20>>,
    pub mask: Signal<In, Bits<8>>,
    pub parts: Signal<In, Bits<24>>,
    pub address: Signal<In, Bits<3>>,
    pub which: Signal<In, Bits<3>>,
    pub thirds: Signal<Out, Bits<8>>,
    pub tops: Signal<Out, Bits<11>>,
    pub enables: Signal<Out, Bits<8>>,
    pub shown: Signal<Out, Bits<20>>,
    pub moved: Signal<Out, Bits<20>>,
    cell: [Cell; 8],
    x_mask: DFF<Bits<8>>,
    x_parts: DFF<Bits<24>>,
    thirds_of: DFF<Bits<8>>,
    tops_of: DFF<Bits<11>>,
    enables_of: DFF<Bits<8>>,
    _activity: Activity,
}

impl Logic for Row {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x_mask, x_parts, thirds_of, tops_of, enables_of);
        self.x_mask.d.next = self.mask.val();
        self.x_parts.d.next = self.parts.val();
        let mut thirds: Bits<8> = 0.into();
        let mut tops: Bits<11> = 5.into();
        let mut enables: Bits<8> = 0.into();
        let mut shown: Bits<20> = 0.into();
        let mut moved: Bits<20> = 0.into();
        for i in 0..8 {
            self.cell[i].clock.next = self.clock.val();
            self.cell[i].data.next = self.data.val() + i.to_bits();
            self.cell[i].part.next = self.x_parts.q.val().get_bits::<3>(3 * i);
            self.cell[i].enable.next = self.x_mask.q.val().get_bit(i);
            self.cell[i].address.next = self.address.val();
            self.cell[i].common.next = self.x_mask.q.val().get_bit(3);
            self.cell[i].wide.next = bit_cast::<40, 24>(self.x_parts.q.val()) << 13;
            thirds = thirds.replace_bit(i, self.cell[i].stage.val().get_bit(2));
            tops = tops.replace_bit(3 + i, (self.cell[i].stage.val() + 1).get_bit(19));
            enables = enables.replace_bit(i, self.cell[i].enabled.val());
            if self.which.val().index() == i {
                shown = self.cell[i].read.val();
                moved = self.cell[i].moved.val();
            }
        }
        self.thirds_of.d.next = thirds;
        self.tops_of.d.next = tops;
        self.enables_of.d.next = enables;
        self.thirds.next = self.thirds_of.q.val();
        self.tops.next = self.tops_of.q.val();
        self.enables.next = self.enables_of.q.val();
        self.shown.next = shown;
        self.moved.next = moved;
    }
}

/// The cells below the top share vectors: parts of the top block itself are whole machines.
#[derive(LogicBlock, Cycle, Blank, Ports)]
struct Rows {
    pub clock: Signal<In, Clock>,
    pub data: Signal<In, Bits<20>>,
    pub mask: Signal<In, Bits<8>>,
    pub parts: Signal<In, Bits<24>>,
    pub address: Signal<In, Bits<3>>,
    pub which: Signal<In, Bits<3>>,
    pub thirds: Signal<Out, Bits<8>>,
    pub tops: Signal<Out, Bits<11>>,
    pub enables: Signal<Out, Bits<8>>,
    pub shown: Signal<Out, Bits<20>>,
    pub moved: Signal<Out, Bits<20>>,
    row: Row,
    _activity: Activity,
}

impl Logic for Rows {
    #[hdl_gen]
    fn update(&mut self) {
        self.row.clock.next = self.clock.val();
        self.row.data.next = self.data.val();
        self.row.mask.next = self.mask.val();
        self.row.parts.next = self.parts.val();
        self.row.address.next = self.address.val();
        self.row.which.next = self.which.val();
        self.thirds.next = self.row.thirds.val();
        self.tops.next = self.row.tops.val();
        self.enables.next = self.row.enables.val();
        self.shown.next = self.row.shown.val();
        self.moved.next = self.row.moved.val();
    }
}

#[test]
fn bits_and_memories_of_neighbours_are_vectors() {
    let code = Code::compile(&Rows::default()).unwrap();
    let counts = code.counts();
    // The lanes' third bits, their upper bits and their enables.
    assert!(counts.bits >= 3 && counts.vectors >= 2 * 6, "{counts:?}");
    let stimulus = |block: &mut Rows, random: &mut ChaCha8Rng, _: u64| {
        if random.gen_range(0..3) > 0 {
            block.data.next = Bits::new(random.gen::<u64>() & 0xf_ffff);
        }
        if random.gen() {
            block.mask.next = Bits::new(random.gen::<u8>().into());
        }
        if random.gen() {
            block.parts.next = Bits::new(random.gen::<u64>() & 0xff_ffff);
        }
        block.address.next = Bits::new(random.gen_range(0..8));
        block.which.next = Bits::new(random.gen_range(0..8));
    };
    let report = cosim(Box::<Rows>::default, 4000, 5, stimulus).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, 5);
}

/// Memories with an enable each, except that the last has the first one's.
#[derive(LogicBlock, Cycle, Blank)]
struct Memories {
    pub clock: Signal<In, Clock>,
    pub mask: Signal<In, Bits<11>>,
    pub address: Signal<In, Bits<2>>,
    pub data: Signal<In, Bits<8>>,
    pub which: Signal<In, Bits<4>>,
    pub read: Signal<Out, Bits<8>>,
    memory: [LutRam<2, Bits<8>>; 12],
    x_mask: DFF<Bits<11>>,
    x_address: DFF<Bits<2>>,
    x_data: DFF<Bits<8>>,
    _activity: Activity,
}

impl Logic for Memories {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x_mask, x_address, x_data);
        self.x_mask.d.next = self.mask.val();
        self.x_address.d.next = self.address.val();
        self.x_data.d.next = self.data.val();
        let mut read: Bits<8> = 0.into();
        for i in 0..12 {
            self.memory[i].clock.next = self.clock.val();
            self.memory[i].write_enable.next = self.x_mask.q.val().get_bit(0);
            self.memory[i].write_address.next = self.x_address.q.val();
            self.memory[i].write_data.next = self.x_data.q.val() + i.to_bits();
            self.memory[i].read_address.next = self.address.val();
            if self.which.val().index() == i {
                read = self.memory[i].read_data.val();
            }
        }
        for i in 0..11 {
            self.memory[i].write_enable.next = self.x_mask.q.val().get_bit(i);
        }
        self.read.next = read;
    }
}

#[derive(LogicBlock, Cycle, Blank, Ports)]
struct Enables {
    pub clock: Signal<In, Clock>,
    pub mask: Signal<In, Bits<11>>,
    pub address: Signal<In, Bits<2>>,
    pub data: Signal<In, Bits<8>>,
    pub which: Signal<In, Bits<4>>,
    pub read: Signal<Out, Bits<8>>,
    memories: Memories,
    _activity: Activity,
}

impl Logic for Enables {
    #[hdl_gen]
    fn update(&mut self) {
        self.memories.clock.next = self.clock.val();
        self.memories.mask.next = self.mask.val();
        self.memories.address.next = self.address.val();
        self.memories.data.next = self.data.val();
        self.memories.which.next = self.which.val();
        self.read.next = self.memories.read.val();
    }
}

/// The enables of neighbouring memories are tested together. The test once covered only those from the first memory's to
/// the last one's in the state.
#[test]
fn each_enable_of_neighbouring_memories_counts() {
    let stimulus = |block: &mut Enables, random: &mut ChaCha8Rng, _: u64| {
        block.mask.next = Bits::new(match random.gen_range(0..3) {
            0 => 1 << random.gen_range(0..11),
            1 => random.gen_range(0..1 << 11),
            _ => 0,
        });
        block.address.next = Bits::new(random.gen_range(0..4));
        block.data.next = Bits::new(random.gen::<u8>().into());
        block.which.next = Bits::new(random.gen_range(0..12));
    };
    let report = cosim(Box::<Enables>::default, 2000, 6, stimulus).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, 1);
}
