//! Clock distribution: connects the clock of a block to its parts, by calls that `#[circuit]` generates.

use super::signal::{Directed, Signal, DFF};
use rust_hdl_core::prelude::{Clock, Constant, Logic, Synth};

/// A field of a block, for the distribution of the block's clock. `derive(Cycle)`, `derive(Leaf)`, `derive(Structure)`
/// and `derive(CycleInterface)` implement it; a block has a clock if it has a field `clock: Signal<In, Clock>`.
pub trait Clocked {
    /// Connects the clock, if there is one; a register then keeps its value unless its `d` is assigned later.
    #[inline(always)]
    fn connect_clock(&mut self, _clock: Clock) {}
    /// Marks the signals that [`connect_clock`](Self::connect_clock) drives, for rust-hdl's checks.
    fn drive_clock(&mut self) {}
    /// Adds this field, named `name` in a kernel, or its elements, if it has a clock.
    fn find_clocks(&self, _name: &str, _found: &mut Vec<ClockedPart>) {}
}

/// A [`Clocked`] without a clock. A block without a clock may only contain such parts.
#[diagnostic::on_unimplemented(
    message = "a part has a clock, but the circuit around it has none",
    label = "`{Self}` has a clock",
    note = "the circuit needs a port `pub clock: Signal<In, Clock>`; if its port has another name: `#[circuit(clock = name)]`"
)]
pub trait Clockless {}

/// A part of a block, with a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockedPart {
    /// The name in a kernel: `lanes[3]`.
    pub name: String,
    /// True for a register.
    pub register: bool,
}

/// The clock of a block with `#[circuit]`, and the parts that it is connected to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// The name of the block's port.
    pub clock: &'static str,
    /// The parts that have a clock, in the order of the fields.
    pub parts: Vec<ClockedPart>,
}

/// Defaults for a block without `#[circuit]`, which connects its clocks itself; the code of `hdl_gen` calls them.
/// `#[circuit]` gives a struct methods of these names, which Rust prefers.
pub trait OwnClocks {
    /// Does nothing.
    #[inline(always)]
    fn __connect_clocks(&mut self) {}
    /// Does nothing.
    fn __drive_clocks(&mut self) {}
    /// Returns `None`.
    fn __clocks(&self) -> Option<Clocks> {
        None
    }
}

impl<T: ?Sized> OwnClocks for T {}

/// Compiles only for a field without a clock.
pub const fn without_clock<T: Clockless>() {}

impl<D: Directed, T: Synth> Clocked for Signal<D, T> {}
impl<D: Directed, T: Synth> Clockless for Signal<D, T> {}
impl<T: Synth> Clocked for Constant<T> {}
impl<T: Synth> Clockless for Constant<T> {}

impl<T: Synth> Clocked for DFF<T> {
    #[inline(always)]
    fn connect_clock(&mut self, clock: Clock) {
        self.clock.next = clock;
        self.d.next = self.q.val();
    }
    fn drive_clock(&mut self) {
        self.clock.connect();
        self.d.connect();
    }
    fn find_clocks(&self, name: &str, found: &mut Vec<ClockedPart>) {
        let name = name.to_string();
        found.push(ClockedPart { name, register: true });
    }
}

/// Finds the clocks of the elements of an array or a `Vec`, by index.
fn find_in<T: Clocked>(parts: &[T], name: &str, found: &mut Vec<ClockedPart>) {
    for (index, part) in parts.iter().enumerate() {
        part.find_clocks(&element_of(name, index), found);
    }
}

/// The name of an element in a kernel. Compiled once, not for every type.
fn element_of(array: &str, index: usize) -> String {
    format!("{array}[{index}]")
}

impl<T: Clocked, const N: usize> Clocked for [T; N] {
    #[inline(always)]
    fn connect_clock(&mut self, clock: Clock) {
        self.iter_mut().for_each(|part| part.connect_clock(clock));
    }
    fn drive_clock(&mut self) {
        self.iter_mut().for_each(T::drive_clock);
    }
    fn find_clocks(&self, name: &str, found: &mut Vec<ClockedPart>) {
        find_in(self, name, found);
    }
}

impl<T: Clocked> Clocked for Vec<T> {
    #[inline(always)]
    fn connect_clock(&mut self, clock: Clock) {
        self.iter_mut().for_each(|part| part.connect_clock(clock));
    }
    fn drive_clock(&mut self) {
        self.iter_mut().for_each(T::drive_clock);
    }
    fn find_clocks(&self, name: &str, found: &mut Vec<ClockedPart>) {
        find_in(self, name, found);
    }
}

impl<T: Clockless, const N: usize> Clockless for [T; N] {}
impl<T: Clockless> Clockless for Vec<T> {}
