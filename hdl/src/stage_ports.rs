//! Ports between the stages of an SM, shared by circuits in several folders.

use crate::bundles::*;
use hdlkit::prelude::*;

/// Beats from the read stage, with the operands of all lanes. The control and operands of a unit change only for its
/// own beats.
#[interface(mirror = DispatchPort)]
pub struct LaneBeatPort<const LANES: usize> {
    pub beat: Signal<In, DispatchedBeat>,
    pub integer: Signal<In, IntegerControl>,
    pub float: Signal<In, FloatControl>,
    pub quad: Signal<In, QuadControl>,
    pub operands: [Signal<In, Operands>; LANES],
    pub float_operands: [Signal<In, Operands>; LANES],
}

/// Beats of results to writeback, from a unit that waits for a gap. A beat transfers in a cycle with valid and ready.
#[interface(mirror = ResultSinkPort)]
pub struct ResultPort<const LANES: usize> {
    pub valid: Signal<Out, Bit>,
    pub ready: Signal<In, Bit>,
    pub control: Signal<Out, WriteControl>,
    /// Mask of the lanes with a result; the data of other lanes are undefined.
    pub lanes: Signal<Out, Bits<32>>,
    pub data: [Signal<Out, Bits<32>>; LANES],
}
