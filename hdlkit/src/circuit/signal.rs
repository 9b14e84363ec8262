//! Small signals, and the registers made of them.
//!
//! Simulation speed is bound by the memory that the signals take. rust-hdl's `Signal` keeps three copies of its value,
//! a number and a list of pin constraints: 40 bytes for a bit, 64 for a `Bits`. This one keeps only the state that
//! simulation needs. Like for [`Bits`](crate::bits::Bits), `#[hdl_gen]` and rust-hdl's derives only look at names and
//! accept it if it shadows rust-hdl's: `use hdlkit::prelude::*`.
//!
//! | signal | keeps | a bit | a `Bits` |
//! |---|---|---|---|
//! | `Signal<In, T>`, `Signal<Out, T>` | the written and the published value | 4 bytes | 24 |
//! | `Signal<Local, T>`, and `q` of [`DFF`] | the written value | 3 | 16 |
//!
//! Under rust-hdl's `Simulation` they behave like rust-hdl's. There are no bidirectional signals and no pin
//! constraints. A signal's number, which identifies it in rust-hdl's checks and waves, is its address: it stays the
//! same as long as the circuit stays in its box.

use rust_hdl_core::ast::{VerilogLink, VerilogLinkDetails};
use rust_hdl_core::prelude::*;
use std::fmt::Debug;

/// rust-hdl's own numbers, used for constants, are all lower than this.
const ADDRESS: usize = 1 << (usize::BITS - 1);

/// A signal's state, except the value last written.
pub trait Kept<T: Synth>: Clone + Debug + Default {
    /// Publishes `next`, and records whether it differs from the previous publication.
    fn publish(&mut self, next: T);
    /// The published value, if `next` was last written.
    fn published(&self, next: T) -> T;
    /// True if the last publication changed the value.
    fn changed(&self) -> bool;
    /// True if something drives the signal.
    fn driven(&self) -> bool;
    /// Records that the signal is driven.
    fn drive(&mut self);
}

/// A published value separate from the one last written.
#[derive(Clone, Debug, Default)]
pub struct Copied<T> {
    value: T,
    changed: bool,
    driven: bool,
}

impl<T: Synth> Kept<T> for Copied<T> {
    #[inline(always)]
    fn publish(&mut self, next: T) {
        self.changed = self.commit(next);
    }
    #[inline(always)]
    fn published(&self, _next: T) -> T {
        self.value
    }
    #[inline(always)]
    fn changed(&self) -> bool {
        self.changed
    }
    fn driven(&self) -> bool {
        self.driven
    }
    fn drive(&mut self) {
        self.driven = true;
    }
}

/// No separate value: a write is published at once.
#[derive(Clone, Debug, Default)]
pub struct Uncopied {
    /// True if a register has changed the value; always false for a local signal.
    changed: bool,
    driven: bool,
}

impl<T: Synth> Kept<T> for Uncopied {
    #[inline(always)]
    fn publish(&mut self, _next: T) {}
    #[inline(always)]
    fn published(&self, next: T) -> T {
        next
    }
    #[inline(always)]
    fn changed(&self) -> bool {
        self.changed
    }
    fn driven(&self) -> bool {
        self.driven
    }
    fn drive(&mut self) {
        self.driven = true;
    }
}

/// The direction of a register's `q`: an output with changes that only its register records.
#[derive(Clone, Debug, Default)]
pub struct Registered;

impl Direction for Registered {
    const KIND: AtomKind = AtomKind::OutputParameter;
}

/// A signal's direction: `In`, `Out`, `Local`, [`Registered`].
pub trait Directed: Direction + Debug {
    /// The state of a signal of this direction with values of type `T`.
    type Kept<T: Synth>: Kept<T>;
}

impl Directed for In {
    type Kept<T: Synth> = Copied<T>;
}

impl Directed for Out {
    type Kept<T: Synth> = Copied<T>;
}

/// A kernel writes its local signals before it reads them (rust-hdl's checks ensure that), so no kernel depends on
/// their changes.
impl Directed for Local {
    type Kept<T: Synth> = Uncopied;
}

impl Directed for Registered {
    type Kept<T: Synth> = Uncopied;
}

/// A signal of a circuit: rust-hdl's `Signal` in less memory.
#[derive(Clone, Debug)]
pub struct Signal<D: Directed, T: Synth> {
    /// The value that a kernel or a test bench writes.
    pub next: T,
    kept: D::Kept<T>,
}

impl<D: Directed, T: Synth> Default for Signal<D, T> {
    fn default() -> Self {
        Signal {
            next: T::default(),
            kept: Default::default(),
        }
    }
}

fn details(my_name: &str, owner_name: &str, other_name: &str) -> VerilogLinkDetails {
    VerilogLinkDetails {
        my_name: my_name.into(),
        owner_name: owner_name.into(),
        other_name: other_name.into(),
    }
}

impl<T: Synth> Signal<In, T> {
    /// The published value.
    #[inline(always)]
    pub fn val(&self) -> T {
        self.kept.value
    }
    /// Receives the value of another block's output; rust-hdl's derive does so for bundles.
    pub fn join(&mut self, other: &mut Signal<Out, T>) {
        self.next = other.val();
    }
    /// [`join`](Self::join) in Verilog.
    pub fn join_hdl(my_name: &str, owner_name: &str, other_name: &str) -> Vec<VerilogLink> {
        vec![VerilogLink::Backward(details(my_name, owner_name, other_name))]
    }
    /// Publishes the written value; true if it differs. For the cycle engine, which does not use `changed`.
    #[inline(always)]
    pub(crate) fn commit(&mut self) -> bool {
        self.kept.commit(self.next)
    }
}

impl<T: Synth> Signal<Out, T> {
    /// An output that starts with the value `init`.
    pub fn new_with_default(init: T) -> Self {
        Signal {
            next: init,
            kept: Copied {
                value: init,
                ..Default::default()
            },
        }
    }
    /// The value last written.
    #[inline(always)]
    pub fn val(&self) -> T {
        self.next
    }
    /// Sends the value to another block's input; rust-hdl's derive does so for bundles.
    pub fn join(&mut self, other: &mut Signal<In, T>) {
        other.next = self.val();
    }
    /// [`join`](Self::join) in Verilog.
    pub fn join_hdl(my_name: &str, owner_name: &str, other_name: &str) -> Vec<VerilogLink> {
        vec![VerilogLink::Forward(details(my_name, owner_name, other_name))]
    }
    /// Publishes the written value; true if it differs.
    #[inline(always)]
    pub(crate) fn commit(&mut self) -> bool {
        self.kept.commit(self.next)
    }
}

impl<T: Synth> Copied<T> {
    #[inline(always)]
    fn commit(&mut self, next: T) -> bool {
        let changed = self.value != next;
        if changed {
            self.value = next;
        }
        changed
    }
}

impl<T: Synth> Signal<Local, T> {
    /// The value last written.
    #[inline(always)]
    pub fn val(&self) -> T {
        self.next
    }
}

impl<T: Synth> Signal<Registered, T> {
    /// The present value of the register.
    #[inline(always)]
    pub fn val(&self) -> T {
        self.next
    }
    /// Sets the register's new value; `changed` reports it until the next one.
    #[inline(always)]
    fn take(&mut self, value: T) {
        self.kept.changed = self.next != value;
        if self.kept.changed {
            self.next = value;
        }
    }
}

impl Signal<In, Clock> {
    /// True if the last publication was the clock's rising edge.
    #[inline(always)]
    pub fn pos_edge(&self) -> bool {
        self.kept.changed && self.kept.value.clk
    }
    /// True if the last publication was the clock's falling edge.
    #[inline(always)]
    pub fn neg_edge(&self) -> bool {
        self.kept.changed && !self.kept.value.clk
    }
}

impl<T: Synth> LogicJoin for Signal<In, T> {
    fn join_connect(&mut self) {
        self.connect();
    }
}

impl<T: Synth> LogicJoin for Signal<Out, T> {
    fn join_connect(&mut self) {
        self.connect();
    }
}

/// Links the outer block's input to the inner one's.
impl<T: Synth> LogicLink for Signal<In, T> {
    #[inline(always)]
    fn link(&mut self, other: &mut Self) {
        other.next = self.val();
    }
    fn link_hdl(my_name: &str, owner_name: &str, other_name: &str) -> Vec<VerilogLink> {
        vec![VerilogLink::Forward(details(my_name, owner_name, other_name))]
    }
    fn link_connect_source(&mut self) {}
    fn link_connect_dest(&mut self) {
        self.connect();
    }
}

/// Links the inner block's output to the outer one's.
impl<T: Synth> LogicLink for Signal<Out, T> {
    #[inline(always)]
    fn link(&mut self, other: &mut Self) {
        self.next = other.val();
    }
    fn link_hdl(my_name: &str, owner_name: &str, other_name: &str) -> Vec<VerilogLink> {
        vec![VerilogLink::Backward(details(my_name, owner_name, other_name))]
    }
    fn link_connect_source(&mut self) {
        self.connect();
    }
    fn link_connect_dest(&mut self) {}
}

impl<D: Directed, T: Synth> Atom for Signal<D, T> {
    fn bits(&self) -> usize {
        T::BITS
    }
    fn connected(&self) -> bool {
        self.kept.driven()
    }
    fn changed(&self) -> bool {
        self.kept.changed()
    }
    fn kind(&self) -> AtomKind {
        D::KIND
    }
    fn descriptor(&self) -> TypeDescriptor {
        T::descriptor()
    }
    fn vcd(&self) -> VCDValue {
        self.kept.published(self.next).vcd()
    }
    fn id(&self) -> usize {
        std::ptr::from_ref(self) as usize | ADDRESS
    }
    fn verilog(&self) -> VerilogLiteral {
        self.kept.published(self.next).verilog()
    }
    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}

impl<D: Directed, T: Synth> Logic for Signal<D, T> {
    fn update(&mut self) {}
    fn connect(&mut self) {
        self.kept.drive();
    }
}

impl<D: Directed, T: Synth> Block for Signal<D, T> {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {
        self.kept.publish(self.next);
    }
    fn has_changed(&self) -> bool {
        self.kept.changed()
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_atom(name, self);
    }
}

/// Connects registers' clocks, and lets them hold their value unless the kernel assigns one: like rust-hdl's.
#[macro_export]
macro_rules! dff_setup {
    ($block:ident, $clock:ident, $($register:ident),+) => {
        $($block.$register.clock.next = $block.$clock.val());+;
        $($block.$register.d.next = $block.$register.q.val());+;
    };
}

/// A D flip-flop: `q` is `d` as of the last rising clock edge, and `T`'s default before the first.
#[derive(Clone, Debug, LogicBlock)]
pub struct DFF<T: Synth> {
    /// The next value.
    pub d: Signal<In, T>,
    /// The current value.
    pub q: Signal<Registered, T>,
    /// The clock: `d` is loaded at its rising edge.
    pub clock: Signal<In, Clock>,
}

impl<T: Synth> Default for DFF<T> {
    fn default() -> Self {
        DFF {
            d: Default::default(),
            q: Default::default(),
            clock: Default::default(),
        }
    }
}

impl<T: Synth> Logic for DFF<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.take(self.d.val());
        } else {
            self.q.kept.changed = false;
        }
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        register_text(&T::default().verilog())
    }
    fn timing(&self) -> Vec<TimingInfo> {
        register_timing()
    }
}

/// A register's Verilog. This function and the next are compiled once, not for every type.
fn register_text(initial: &VerilogLiteral) -> Verilog {
    Verilog::Custom(format!(
        "initial begin\n   q = {initial:x};\nend\n\nalways @(posedge clock) begin\n   q <= d;\nend\n      "
    ))
}

fn register_timing() -> Vec<TimingInfo> {
    vec![TimingInfo {
        name: "dff".into(),
        clock: "clock".into(),
        inputs: vec!["d".into()],
        outputs: vec!["q".into()],
    }]
}

impl<T: Synth> DFF<T> {
    /// The rising edge, for the cycle engine; true if the value changed, which [`publish`](Self::publish) then reports.
    #[inline(always)]
    pub(crate) fn edge(&mut self) -> bool {
        let changed = self.q.next != self.d.next;
        if changed {
            self.q.next = self.d.next;
            self.q.kept.changed = true;
        }
        changed
    }
    /// True if the value changed at the last edge; reported once.
    #[inline(always)]
    pub(crate) fn publish(&mut self) -> bool {
        std::mem::take(&mut self.q.kept.changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Bits;

    #[test]
    fn sizes_are_as_documented() {
        use rust_hdl_core::prelude::Signal as Theirs;
        assert_eq!(
            (size_of::<Theirs<In, Bit>>(), size_of::<Theirs<Local, Bits<7>>>()),
            (40, 64)
        );
        assert_eq!(size_of::<rust_hdl_widgets::prelude::DFF<Bit>>(), 120);
        assert_eq!((size_of::<Signal<In, Bit>>(), size_of::<Signal<Out, Bit>>()), (4, 4));
        assert_eq!(
            (size_of::<Signal<In, Bits<7>>>(), size_of::<Signal<Out, Bits<64>>>()),
            (24, 24)
        );
        assert_eq!(
            (size_of::<Signal<Local, Bit>>(), size_of::<Signal<Local, Bits<7>>>()),
            (3, 16)
        );
        assert_eq!((size_of::<DFF<Bit>>(), size_of::<DFF<Bits<7>>>()), (11, 48));
    }

    #[test]
    fn edges_are_seen_once() {
        let mut clock = Signal::<In, Clock>::default();
        let mut edges = vec![];
        for level in [false, true, true, false, false] {
            clock.next = level.into();
            clock.update_all();
            edges.push((clock.pos_edge(), clock.neg_edge()));
        }
        let (none, rise, fall) = ((false, false), (true, false), (false, true));
        assert_eq!(edges, [none, rise, none, fall, none]);
    }

    #[test]
    fn a_registers_text_is_rust_hdls() {
        let text = |verilog: Verilog| match verilog {
            Verilog::Custom(text) => text,
            _ => panic!("no text"),
        };
        let theirs = text(rust_hdl_widgets::prelude::DFF::<Bits<9>>::default().hdl());
        assert_eq!(text(DFF::<Bits<9>>::default().hdl()), theirs);
    }

    #[test]
    fn outputs_may_have_an_initial_value() {
        let output = Signal::<Out, Bits<4>>::new_with_default(9.into());
        assert_eq!(output.val(), 9);
        assert_eq!(format!("{:x}", output.verilog()), "4'h9");
    }
}
