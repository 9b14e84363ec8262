//! Arrays of signals in a `LogicInterface`. rust-hdl's derive links and joins single signals only; the methods here
//! have the names that its code calls.

use super::signal::Signal;
use rust_hdl_core::ast::VerilogLink;
use rust_hdl_core::prelude::*;

/// An array of signals that is a field of a `LogicInterface`.
pub trait SignalArray: Sized {
    /// The array of the opposite direction, which it can be joined with.
    type Opposite;
    /// Links a block's bundle to the bundle of a block inside it.
    fn link(&mut self, other: &mut Self);
    /// [`link`](Self::link) in Verilog.
    fn link_hdl(name: &str, this: &str, that: &str) -> Vec<VerilogLink>;
    /// Marks the signals of the outer block that [`link`](Self::link) drives.
    fn link_connect_source(&mut self);
    /// Marks the signals of the inner block that [`link`](Self::link) drives.
    fn link_connect_dest(&mut self);
    /// Joins bundles of two sibling blocks.
    fn join(&mut self, other: &mut Self::Opposite);
    /// [`join`](Self::join) in Verilog.
    fn join_hdl(name: &str, this: &str, that: &str) -> Vec<VerilogLink>;
    /// Marks the signals that [`join`](Self::join) drives.
    fn join_connect(&mut self);
}

/// The links of one element in Verilog, from its name, this bundle and that bundle.
type LinksOf = fn(&str, &str, &str) -> Vec<VerilogLink>;

/// The links of all `count` elements: `name[0]`, `name[1]`, ... Compiled once, not for every array.
fn each(count: usize, links: LinksOf, name: &str, this: &str, that: &str) -> Vec<VerilogLink> {
    let element = |index| links(&format!("{name}[{index}]"), this, that);
    (0..count).flat_map(element).collect()
}

macro_rules! signal_array {
    ($direction:ident, $opposite:ident) => {
        impl<D: Synth, const N: usize> SignalArray for [Signal<$direction, D>; N] {
            type Opposite = [Signal<$opposite, D>; N];
            fn link(&mut self, other: &mut Self) {
                for (outer, inner) in self.iter_mut().zip(other) {
                    outer.link(inner);
                }
            }
            fn link_hdl(name: &str, this: &str, that: &str) -> Vec<VerilogLink> {
                each(
                    N,
                    <Signal<$direction, D> as LogicLink>::link_hdl,
                    name,
                    this,
                    that,
                )
            }
            fn link_connect_source(&mut self) {
                self.iter_mut().for_each(LogicLink::link_connect_source);
            }
            fn link_connect_dest(&mut self) {
                self.iter_mut().for_each(LogicLink::link_connect_dest);
            }
            fn join(&mut self, other: &mut Self::Opposite) {
                for (this, that) in self.iter_mut().zip(other) {
                    this.join(that);
                }
            }
            fn join_hdl(name: &str, this: &str, that: &str) -> Vec<VerilogLink> {
                each(N, Signal::<$direction, D>::join_hdl, name, this, that)
            }
            fn join_connect(&mut self) {
                self.iter_mut().for_each(LogicJoin::join_connect);
            }
        }
    };
}

signal_array!(In, Out);
signal_array!(Out, In);
