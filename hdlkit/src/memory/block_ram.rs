//! Block RAM: a read takes one cycle; one or three read ports, write enables for parts of a word, or words of bundles.

use super::collision::{collision_free_read, BLOCK_COLLISION_FREE};
use super::contents::{check_depth, filled, initial_contents, select, write_port};
use crate::bits::Bits;
use crate::circuit::{Blank, Kind, Leaf, Primitive, Signal};
use hdlkit_macros::Leaf;
use rust_hdl_core::prelude::*;

/// Words as plain integers.
fn raw<const D: usize>(words: &[Bits<D>]) -> Vec<u64> {
    words.iter().map(|word| word.raw()).collect()
}

/// The attribute that makes synthesis use block RAM.
const BLOCK: &str = "(* ram_style = \"block\" *)";
fn block_attributes(collision_free: bool) -> &'static str {
    if collision_free {
        BLOCK_COLLISION_FREE
    } else {
        BLOCK
    }
}

/// A read port's always block: `data` receives the word at `address`.
fn read_port(bits: usize, collision_free: bool, data: &str, address: &str, write_address: &str) -> String {
    if collision_free {
        return collision_free_read(bits, data, "memory", address, "|write_enable", write_address);
    }
    format!(
        "initial {data} = {{{bits}{{1'b0}}}};\nalways @(posedge clock)\n    if (read_enable)\n        {data} <= memory[{address}];\n"
    )
}

/// A RAM with a synchronous read port and a write port. At most `A` address bits, words of `D` bits, `E` write enables
/// of `D / E` bits each (enable 0 is the lowest bits).
///
/// ```text
/// cycle        t            t+1
/// read_address a, enable    read_data = memory[a] of cycle t
/// write        w            visible to reads of cycle t+1
/// ```
/// With `read_enable` low, `read_data` keeps its value.
#[derive(Clone, Debug, LogicBlock, Leaf)]
#[leaf(memory)]
pub struct BlockRam<const A: usize, const D: usize, const E: usize> {
    /// The clock of both ports.
    pub clock: Signal<In, Clock>,
    /// 1 if `read_data` changes at the next edge.
    pub read_enable: Signal<In, Bit>,
    /// The address of the word to read at the next edge.
    pub read_address: Signal<In, Bits<A>>,
    /// The word read at the last edge with `read_enable`.
    pub read_data: Signal<Out, Bits<D>>,
    /// The address of the word to write at the next edge.
    pub write_address: Signal<In, Bits<A>>,
    /// Word to write.
    pub write_data: Signal<In, Bits<D>>,
    /// The parts of the word that are written at the next edge.
    pub write_enable: Signal<In, Bits<E>>,
    _memory: Vec<Bits<D>>,
    _collision_free: bool,
}

/// The enables in `enable` spread over the word: enable `e` covers bits `e*D/E ..`.
#[inline(always)]
fn enabled_bits<const D: usize, const E: usize>(enable: Bits<E>) -> Bits<D> {
    if E == 1 {
        return if enable.any() {
            !Bits::default()
        } else {
            Bits::default()
        };
    }
    // Words have at most 64 bits, like all signals, and here each enable covers at most half of a word.
    let lane = (1u64 << (D / E)) - 1;
    let mut mask = 0;
    for e in 0..E {
        if enable.get_bit(e) {
            mask |= lane << (e * (D / E));
        }
    }
    Bits::new(mask)
}

impl<const A: usize, const D: usize, const E: usize> BlockRam<A, D, E> {
    /// A RAM of `depth` words that starts with `contents`, the rest 0.
    ///
    /// # Panics
    /// If `depth` is not a power of two within A address bits, if `contents` is longer, or if E does not divide D.
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

    /// Declares that the data of a read in the cycle of a write to the same address is never used.
    #[must_use]
    pub fn collision_free(mut self) -> Self {
        self._collision_free = true;
        self
    }

    /// The contents, for tests and tools.
    pub fn contents(&self) -> &[Bits<D>] {
        &self._memory
    }

    fn primitive(&self) -> Primitive {
        Primitive(Kind::Registered(raw(&self._memory), vec![self.read_data.next.raw()]))
    }
}

impl<const A: usize, const D: usize, const E: usize> Leaf for BlockRam<A, D, E> {
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
    fn verilog(&self) -> String {
        let depth = self._memory.len();
        let write_address = select("write_address", A, depth);
        let read_address = select("read_address", A, depth);
        format!(
            "{}\nreg [{}:0] memory [0:{}];\n{}{}{}",
            block_attributes(self._collision_free),
            D - 1,
            depth - 1,
            initial_contents(&self._memory, depth),
            read_port(D, self._collision_free, "read_data", &read_address, &write_address),
            write_port(D, E, &write_address),
        )
    }
}

/// Like [`BlockRam`], of whole words of any type: bundles too. 2^A words.
#[derive(Clone, Debug, LogicBlock, Leaf)]
#[leaf(memory)]
pub struct BundleRam<const A: usize, D: Synth> {
    /// The clock of both ports.
    pub clock: Signal<In, Clock>,
    /// 1 if `read_data` changes at the next edge.
    pub read_enable: Signal<In, Bit>,
    /// The address of the word to read at the next edge.
    pub read_address: Signal<In, Bits<A>>,
    /// The word read at the last edge with `read_enable`.
    pub read_data: Signal<Out, D>,
    /// The address of the word to write at the next edge.
    pub write_address: Signal<In, Bits<A>>,
    /// Word to write.
    pub write_data: Signal<In, D>,
    /// 1 if the word is written at the next edge.
    pub write_enable: Signal<In, Bit>,
    _memory: Vec<D>,
    _collision_free: bool,
}

impl<const A: usize, D: Synth> BundleRam<A, D> {
    /// Like [`BlockRam::collision_free`].
    #[must_use]
    pub fn collision_free(mut self) -> Self {
        self._collision_free = true;
        self
    }

    fn primitive(&self) -> Primitive {
        let words = self._memory.iter().map(|word| word.vcd()).collect();
        Primitive(Kind::Memory(words, vec![self.read_data.next.vcd()]))
    }
}

impl<const A: usize, D: Synth> Leaf for BundleRam<A, D> {
    #[inline(always)]
    fn edge(&mut self) -> bool {
        let mut changed = false;
        if self.read_enable.val() {
            let data = self._memory[self.read_address.val().index()];
            changed = self.read_data.next != data;
            self.read_data.next = data;
        }
        if self.write_enable.val() {
            let word = &mut self._memory[self.write_address.val().index()];
            changed |= *word != self.write_data.val();
            *word = self.write_data.val();
        }
        changed
    }
    fn verilog(&self) -> String {
        format!(
            "{}\nreg [{}:0] memory [0:{}];\n{}{}{}",
            block_attributes(self._collision_free),
            D::BITS - 1,
            self._memory.len() - 1,
            initial_contents(&self._memory, self._memory.len()),
            read_port(
                D::BITS,
                self._collision_free,
                "read_data",
                "read_address",
                "write_address"
            ),
            write_port(D::BITS, 1, "write_address"),
        )
    }
}

/// A RAM with three synchronous read ports that share an enable, and a write port: a register file bank. Synthesis
/// keeps three copies. The timing is the same as for [`BlockRam`].
#[derive(Clone, Debug, LogicBlock, Leaf)]
#[leaf(memory)]
pub struct BlockRam3R<const A: usize, const D: usize, const E: usize> {
    /// The clock of all ports.
    pub clock: Signal<In, Clock>,
    /// 1 if the read data change at the next edge.
    pub read_enable: Signal<In, Bit>,
    /// First read address.
    pub read_address_1: Signal<In, Bits<A>>,
    /// Second read address.
    pub read_address_2: Signal<In, Bits<A>>,
    /// Third read address.
    pub read_address_3: Signal<In, Bits<A>>,
    /// The first port's data.
    pub read_data_1: Signal<Out, Bits<D>>,
    /// The second port's data.
    pub read_data_2: Signal<Out, Bits<D>>,
    /// The third port's data.
    pub read_data_3: Signal<Out, Bits<D>>,
    /// The address of the word to write at the next edge.
    pub write_address: Signal<In, Bits<A>>,
    /// Word to write.
    pub write_data: Signal<In, Bits<D>>,
    /// The parts of the word that are written at the next edge.
    pub write_enable: Signal<In, Bits<E>>,
    _memory: Vec<Bits<D>>,
    _collision_free: bool,
}

impl<const A: usize, const D: usize, const E: usize> BlockRam3R<A, D, E> {
    /// A RAM of `depth` zero words.
    ///
    /// # Panics
    /// If `depth` is not a power of two within A address bits, or if E does not divide D.
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

    /// Declares that the data of a read in the cycle of a write to the same address is never used.
    #[must_use]
    pub fn collision_free(mut self) -> Self {
        self._collision_free = true;
        self
    }

    fn primitive(&self) -> Primitive {
        let shown = [&self.read_data_1, &self.read_data_2, &self.read_data_3].map(|port| port.next.raw());
        Primitive(Kind::Registered(raw(&self._memory), shown.to_vec()))
    }
}

impl<const A: usize, const D: usize, const E: usize> Leaf for BlockRam3R<A, D, E> {
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
    fn verilog(&self) -> String {
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
        format!(
            "{}\nreg [{}:0] memory [0:{}];\n{}{reads}{}",
            block_attributes(self._collision_free),
            D - 1,
            depth - 1,
            initial_contents(&self._memory, depth),
            write_port(D, E, &write_address),
        )
    }
}

/// Blank: all the words that A bits address.
impl<const A: usize, const D: usize, const E: usize> Blank for BlockRam<A, D, E> {
    fn blank() -> Self {
        BlockRam::new(1 << A, Vec::<Bits<D>>::new())
    }
}

/// Blank: all the words that A bits address.
impl<const A: usize, const D: usize, const E: usize> Blank for BlockRam3R<A, D, E> {
    fn blank() -> Self {
        BlockRam3R::new(1 << A)
    }
}

/// Blank: all words 0.
impl<const A: usize, D: Synth> Blank for BundleRam<A, D> {
    fn blank() -> Self {
        BundleRam {
            clock: Default::default(),
            read_enable: Default::default(),
            read_address: Default::default(),
            read_data: Default::default(),
            write_address: Default::default(),
            write_data: Default::default(),
            write_enable: Default::default(),
            _memory: filled(vec![], 1 << A),
            _collision_free: false,
        }
    }
}
