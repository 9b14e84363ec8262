//! Memories as blocks: what synthesis maps to block RAM or to distributed RAM, simulated over a `Vec`.
//!
//! rust-hdl's own memories sit in a `BTreeMap` and take their initial contents from it. These have true initial
//! contents (zero, or a given list), attributes for synthesis, and both of this workspace's simulations.
//!
//! | block | read | ports | for |
//! |---|---|---|---|
//! | [`BlockRam`] | next cycle | 1R1W, lanes of write enables, read enable | data memories, one lane's bank |
//! | [`BlockRam3R`] | next cycle | 3R1W, lanes of write enables, read enable | register files |
//! | [`LutRam`] | same cycle | 1R1W | small per-warp state |
//! | [`LutRam2R`] | same cycle | 2R1W | the same, looked at from two stages |
//!
//! A read in the cycle of a write to the same place gives the old contents. Addresses wrap at the depth. An FPGA's block
//! RAM does not promise the old contents, so synthesis adds a comparator and a bypass. A block RAM that is
//! `collision_free` goes without; with the macro [`POISON`] its Verilog reads garbage then, which shows whoever uses it.

use crate::bits::Bits;
use crate::cycle::Cycle;
use crate::primitive::{Kind, Primitive};
use crate::signal::Signal;
use crate::structure::Leaf;
use hdlkit_macros::Structure;
use rust_hdl_core::prelude::*;

/// Words above which a zero memory is zeroed in simulation only.
const LONG_LOOP: usize = 1024;

/// The text of `initial` for a memory `memory` of `depth` words: zero unless listed.
fn initial_contents<D: Synth>(contents: &[D], depth: usize) -> String {
    let mut text = format!(
        "integer i;\ninitial begin\n    for (i = 0; i < {depth}; i = i + 1)\n        memory[i] = {{{}{{1'b0}}}};\n",
        D::BITS
    );
    if depth > LONG_LOOP && contents.iter().all(|word| *word == D::default()) {
        // Synthesis unrolls loops, which takes minutes for tens of thousands of words.
        return format!(
            "// Zero at power-up, which block RAM is by itself; synthesis would unroll this loop.\n`ifndef SYNTHESIS\n{text}end\n`endif\n"
        );
    }
    for (address, word) in contents.iter().enumerate() {
        if *word != D::default() {
            text.push_str(&format!("    memory[{address}] = {:x};\n", word.verilog()));
        }
    }
    text.push_str("end\n");
    text
}

/// `[msb:0]` of an address into `depth` words, as a part select on `name`; nothing if the port is as wide as that.
fn select(name: &str, port_bits: usize, depth: usize) -> String {
    let bits = depth.trailing_zeros() as usize;
    if bits == port_bits {
        name.to_string()
    } else if bits == 1 {
        format!("{name}[0]")
    } else {
        format!("{name}[{}:0]", bits - 1)
    }
}

fn check_depth(depth: usize, address_bits: usize) {
    assert!(
        depth.is_power_of_two() && depth >= 2 && depth <= 1 << address_bits,
        "a memory's depth must be a power of two of at least 2 that its {address_bits} address bits reach, not {depth}"
    );
}

/// Words as plain numbers.
fn raw<const D: usize>(words: &[Bits<D>]) -> Vec<u64> {
    words.iter().map(|word| word.raw()).collect()
}

fn filled<D: Synth>(contents: Vec<D>, depth: usize) -> Vec<D> {
    let mut memory = contents;
    assert!(
        memory.len() <= depth,
        "{} initial words for a memory of {depth}",
        memory.len()
    );
    memory.resize(depth, D::default());
    memory
}

/// A RAM with a synchronous read port and a write port. `A` address bits at most, words of `D` bits, `E` write enables
/// of `D / E` bits each (enable 0 is the lowest bits).
///
/// ```text
/// cycle        t            t+1
/// read_address a, enable    read_data = memory[a] of cycle t
/// write        w            visible to reads of cycle t+1
/// ```
/// With `read_enable` low, `read_data` keeps its value.
#[derive(Clone, Debug, LogicBlock, Structure)]
#[leaf]
pub struct BlockRam<const A: usize, const D: usize, const E: usize> {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: Signal<Out, Bits<D>>,
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: Signal<In, Bits<D>>,
    pub write_enable: Signal<In, Bits<E>>,
    _memory: Vec<Bits<D>>,
    _collision_free: bool,
}

/// Bits of the enables in `enable` spread over the word: enable `e` covers bits `e*D/E ..`.
#[inline(always)]
fn enabled_bits<const D: usize, const E: usize>(enable: Bits<E>) -> Bits<D> {
    if E == 1 {
        return if enable.any() {
            !Bits::default()
        } else {
            Bits::default()
        };
    }
    // Words have at most 64 bits, as all signals, and here each enable covers at most half of them.
    let lane = (1u64 << (D / E)) - 1;
    let mut mask = 0;
    for e in 0..E {
        if enable.get_bit(e) {
            mask |= lane << (e * (D / E));
        }
    }
    Bits::new(mask)
}

/// The write port's always block for `E` enables.
fn write_port(bits: usize, enables: usize, address: &str) -> String {
    if enables == 1 {
        return format!("always @(posedge clock)\n    if (write_enable)\n        memory[{address}] <= write_data;\n");
    }
    let lane = bits / enables;
    let mut text = "always @(posedge clock) begin\n".to_string();
    for e in 0..enables {
        let range = if lane == 1 {
            format!("{e}")
        } else {
            format!("{}:{}", e * lane + lane - 1, e * lane)
        };
        text.push_str(&format!(
            "    if (write_enable[{e}])\n        memory[{address}][{range}] <= write_data[{range}];\n"
        ));
    }
    text.push_str("end\n");
    text
}

/// The Verilog macro with which a block RAM that is `collision_free` reads [`garbage`] from a place that is being written, as
/// in silicon.
pub const POISON: &str = "FLEXGRIP_POISON_COLLISIONS";

/// The Verilog of so many bits that nobody can make use of: another number at each clock edge, the same in each run.
///
/// Not unknown bits: to a simulator `a & (b | ~b)` is unknown if `b` is, while in silicon nothing of `b` is in it. Logic for
/// which an operand does not matter is full of that, and synthesis makes more.
pub fn garbage(bits: usize) -> String {
    match bits.div_ceil(32) {
        1 => "$random".into(),
        words => format!("{{{}}}", vec!["$random"; words].join(", ")),
    }
}

/// How synthesis is to make a memory: as block RAM; and as one that nobody reads where it is being written.
const BLOCK: &str = "(* ram_style = \"block\" *)";
/// See [`POISON`], which a memory with these attributes should know.
pub const BLOCK_COLLISION_FREE: &str = "(* ram_style = \"block\", no_rw_check *)";

fn block_attributes(collision_free: bool) -> &'static str {
    if collision_free {
        BLOCK_COLLISION_FREE
    } else {
        BLOCK
    }
}

/// A read port's always block: `data` gets what is at `address`.
fn read_port(bits: usize, collision_free: bool, data: &str, address: &str, write_address: &str) -> String {
    if collision_free {
        return collision_free_read(bits, data, "memory", address, "|write_enable", write_address);
    }
    format!(
        "initial {data} = {{{bits}{{1'b0}}}};\nalways @(posedge clock)\n    if (read_enable)\n        {data} <= memory[{address}];\n"
    )
}

/// The Verilog of the read port of a memory with the attributes [`BLOCK_COLLISION_FREE`]: with `read_enable`, the register
/// `data` of so many bits gets what is at `address`. See [`POISON`] for a cycle in which `written` is true and the write goes
/// there, too.
pub fn collision_free_read(
    bits: usize,
    data: &str,
    memory: &str,
    address: &str,
    written: &str,
    write_address: &str,
) -> String {
    format!(
        "\
initial {data} = {{{bits}{{1'b0}}}};
always @(posedge clock) begin
    if (read_enable)
        {data} <= {memory}[{address}];
`ifdef {POISON}
    if (read_enable && {written} && {address} == {write_address})
        {data} <= {garbage};
`endif
end
",
        garbage = garbage(bits)
    )
}

impl<const A: usize, const D: usize, const E: usize> BlockRam<A, D, E> {
    /// A RAM of `depth` words that starts with `contents`, the rest 0.
    ///
    /// # Panics
    /// If `depth` is not a power of two that A bits reach, if `contents` is longer, or if E does not divide D.
    pub fn new(depth: usize, contents: Vec<Bits<D>>) -> Self {
        check_depth(depth, A);
        assert!(D % E == 0, "{E} write enables do not divide {D} bits");
        BlockRam {
            clock: Default::default(),
            read_enable: Default::default(),
            read_address: Default::default(),
            read_data: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            write_enable: Default::default(),
            _memory: filled(contents, depth),
            _collision_free: false,
        }
    }

    /// Says that nobody uses what is read of a place in the cycle of a write to it.
    #[must_use]
    pub fn collision_free(mut self) -> Self {
        self._collision_free = true;
        self
    }

    /// The contents, for tests and tools.
    pub fn contents(&self) -> &[Bits<D>] {
        &self._memory
    }

    /// One rising edge; true if a later edge could see a difference.
    #[inline(always)]
    fn edge(&mut self) -> bool {
        let wrap = self._memory.len() - 1;
        let read = self.read_address.val().index() & wrap;
        let mut changed = false;
        if self.read_enable.val() {
            let data = self._memory[read];
            changed = self.read_data.next != data;
            self.read_data.next = data;
        }
        let enable = self.write_enable.val();
        if enable.any() {
            let write = self.write_address.val().index() & wrap;
            let mask = enabled_bits::<D, E>(enable);
            let word = (self._memory[write] & !mask) | (self.write_data.val() & mask);
            changed |= self._memory[write] != word;
            self._memory[write] = word;
        }
        changed
    }
}

impl<const A: usize, const D: usize, const E: usize> Logic for BlockRam<A, D, E> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.edge();
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let depth = self._memory.len();
        let write_address = select("write_address", A, depth);
        let read_address = select("read_address", A, depth);
        Verilog::Custom(format!(
            "{}\nreg [{}:0] memory [0:{}];\n{}{}{}",
            block_attributes(self._collision_free),
            D - 1,
            depth - 1,
            initial_contents(&self._memory, depth),
            read_port(D, self._collision_free, "read_data", &read_address, &write_address),
            write_port(D, E, &write_address),
        ))
    }
}

impl<const A: usize, const D: usize, const E: usize> Cycle for BlockRam<A, D, E> {
    #[inline(always)]
    fn tick(&mut self) -> bool {
        self.edge()
    }
    #[inline(always)]
    fn settle(&mut self) -> bool {
        self.read_enable.commit_in();
        self.read_address.commit_in();
        self.write_address.commit_in();
        self.write_data.commit_in();
        self.write_enable.commit_in();
        self.read_data.commit_out()
    }
}

impl<const A: usize, const D: usize, const E: usize> Leaf for BlockRam<A, D, E> {
    fn primitives(&self, found: &mut Vec<Primitive>) {
        let shown = vec![self.read_data.next.raw()];
        found.push(Primitive(Kind::Registered(raw(&self._memory), shown)));
    }
}

/// A RAM with three synchronous read ports that share an enable, and a write port: a register file bank. Synthesis
/// keeps three copies. Timing as [`BlockRam`].
#[derive(Clone, Debug, LogicBlock, Structure)]
#[leaf]
pub struct BlockRam3R<const A: usize, const D: usize, const E: usize> {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    pub read_address_1: Signal<In, Bits<A>>,
    pub read_address_2: Signal<In, Bits<A>>,
    pub read_address_3: Signal<In, Bits<A>>,
    pub read_data_1: Signal<Out, Bits<D>>,
    pub read_data_2: Signal<Out, Bits<D>>,
    pub read_data_3: Signal<Out, Bits<D>>,
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: Signal<In, Bits<D>>,
    pub write_enable: Signal<In, Bits<E>>,
    _memory: Vec<Bits<D>>,
    _collision_free: bool,
}

impl<const A: usize, const D: usize, const E: usize> BlockRam3R<A, D, E> {
    /// A RAM of `depth` zero words.
    ///
    /// # Panics
    /// If `depth` is not a power of two that A bits reach, or if E does not divide D.
    pub fn new(depth: usize) -> Self {
        check_depth(depth, A);
        assert!(D % E == 0, "{E} write enables do not divide {D} bits");
        BlockRam3R {
            clock: Default::default(),
            read_enable: Default::default(),
            read_address_1: Default::default(),
            read_address_2: Default::default(),
            read_address_3: Default::default(),
            read_data_1: Default::default(),
            read_data_2: Default::default(),
            read_data_3: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            write_enable: Default::default(),
            _memory: filled(vec![], depth),
            _collision_free: false,
        }
    }

    /// Says that nobody uses what is read of a place in the cycle of a write to it.
    #[must_use]
    pub fn collision_free(mut self) -> Self {
        self._collision_free = true;
        self
    }

    #[inline(always)]
    fn edge(&mut self) -> bool {
        let wrap = self._memory.len() - 1;
        let mut changed = false;
        if self.read_enable.val() {
            let one = self._memory[self.read_address_1.val().index() & wrap];
            let two = self._memory[self.read_address_2.val().index() & wrap];
            let three = self._memory[self.read_address_3.val().index() & wrap];
            changed = self.read_data_1.next != one || self.read_data_2.next != two || self.read_data_3.next != three;
            self.read_data_1.next = one;
            self.read_data_2.next = two;
            self.read_data_3.next = three;
        }
        let enable = self.write_enable.val();
        if enable.any() {
            let write = self.write_address.val().index() & wrap;
            let mask = enabled_bits::<D, E>(enable);
            let word = (self._memory[write] & !mask) | (self.write_data.val() & mask);
            changed |= self._memory[write] != word;
            self._memory[write] = word;
        }
        changed
    }
}

impl<const A: usize, const D: usize, const E: usize> Logic for BlockRam3R<A, D, E> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.edge();
        }
    }
    fn connect(&mut self) {
        self.read_data_1.connect();
        self.read_data_2.connect();
        self.read_data_3.connect();
    }
    fn hdl(&self) -> Verilog {
        let depth = self._memory.len();
        let write_address = select("write_address", A, depth);
        let mut reads = String::new();
        for port in 1..=3 {
            let read_address = select(&format!("read_address_{port}"), A, depth);
            let data = format!("read_data_{port}");
            reads.push_str(&read_port(
                D,
                self._collision_free,
                &data,
                &read_address,
                &write_address,
            ));
        }
        Verilog::Custom(format!(
            "{}\nreg [{}:0] memory [0:{}];\n{}{reads}{}",
            block_attributes(self._collision_free),
            D - 1,
            depth - 1,
            initial_contents(&self._memory, depth),
            write_port(D, E, &write_address),
        ))
    }
}

impl<const A: usize, const D: usize, const E: usize> Cycle for BlockRam3R<A, D, E> {
    #[inline(always)]
    fn tick(&mut self) -> bool {
        self.edge()
    }
    #[inline(always)]
    fn settle(&mut self) -> bool {
        self.read_enable.commit_in();
        self.read_address_1.commit_in();
        self.read_address_2.commit_in();
        self.read_address_3.commit_in();
        self.write_address.commit_in();
        self.write_data.commit_in();
        self.write_enable.commit_in();
        self.read_data_1.commit_out() | self.read_data_2.commit_out() | self.read_data_3.commit_out()
    }
}

impl<const A: usize, const D: usize, const E: usize> Leaf for BlockRam3R<A, D, E> {
    fn primitives(&self, found: &mut Vec<Primitive>) {
        let shown = [&self.read_data_1, &self.read_data_2, &self.read_data_3].map(|port| port.next.raw());
        found.push(Primitive(Kind::Registered(raw(&self._memory), shown.to_vec())));
    }
}

macro_rules! lut_ram {
    ($(#[$doc:meta])* $name:ident, [$(($address:ident, $data:ident)),*]) => {
        $(#[$doc])*
        #[derive(Clone, Debug, LogicBlock, Structure)]
        #[leaf]
        pub struct $name<const A: usize, D: Synth> {
            pub clock: Signal<In, Clock>,
            $( pub $address: Signal<In, Bits<A>>, pub $data: Signal<Out, D>, )*
            pub write_address: Signal<In, Bits<A>>,
            pub write_data: Signal<In, D>,
            pub write_enable: Signal<In, Bit>,
            _memory: Vec<D>,
        }

        impl<const A: usize, D: Synth> Default for $name<A, D> {
            fn default() -> Self {
                Self::new(vec![])
            }
        }

        impl<const A: usize, D: Synth> $name<A, D> {
            /// A RAM of 2^A words that starts with `contents`, the rest 0.
            ///
            /// # Panics
            /// If `contents` is longer.
            pub fn new(contents: Vec<D>) -> Self {
                $name {
                    clock: Default::default(),
                    $( $address: Default::default(), $data: Default::default(), )*
                    write_address: Default::default(),
                    write_data: Default::default(),
                    write_enable: Default::default(),
                    _memory: filled(contents, 1 << A),
                }
            }

            #[inline(always)]
            fn write(&mut self) -> bool {
                if !self.write_enable.val() {
                    return false;
                }
                let write = self.write_address.val().index();
                let changed = self._memory[write] != self.write_data.val();
                self._memory[write] = self.write_data.val();
                changed && ($( self.$address.val().index() == write )||*)
            }
        }

        impl<const A: usize, D: Synth> Logic for $name<A, D> {
            fn update(&mut self) {
                if self.clock.pos_edge() {
                    self.write();
                }
                $( self.$data.next = self._memory[self.$address.val().index()]; )*
            }
            fn connect(&mut self) {
                $( self.$data.connect(); )*
            }
            fn hdl(&self) -> Verilog {
                let depth = self._memory.len();
                let mut reads = String::new();
                $( reads.push_str(&format!("assign {} = memory[{}];\n", stringify!($data), stringify!($address))); )*
                Verilog::Custom(format!(
                    "(* ram_style = \"distributed\" *)\nreg [{}:0] memory [0:{}];\n{}{reads}{}",
                    D::BITS - 1,
                    depth - 1,
                    initial_contents(&self._memory, depth),
                    write_port(D::BITS, 1, "write_address"),
                ))
            }
        }

        impl<const A: usize, D: Synth> Cycle for $name<A, D> {
            #[inline(always)]
            fn tick(&mut self) -> bool {
                self.write()
            }
            #[inline(always)]
            fn settle(&mut self) -> bool {
                self.write_address.commit_in();
                self.write_data.commit_in();
                self.write_enable.commit_in();
                let mut changed = false;
                $(
                    self.$address.commit_in();
                    self.$data.next = self._memory[self.$address.val().index()];
                    changed |= self.$data.commit_out();
                )*
                changed
            }
        }

        impl<const A: usize, D: Synth> Leaf for $name<A, D> {
            fn primitives(&self, found: &mut Vec<Primitive>) {
                found.push(Primitive(Kind::Memory(self._memory.iter().map(|word| word.vcd()).collect())));
            }
        }
    };
}

lut_ram!(
    /// A small RAM of 2^A words read in the same cycle, one read port and one write port. Maps to distributed RAM.
    LutRam, [(read_address, read_data)]
);
lut_ram!(
    /// As [`LutRam`] with two read ports.
    LutRam2R, [(read_address_1, read_data_1), (read_address_2, read_data_2)]
);
