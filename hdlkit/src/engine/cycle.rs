//! A clock cycle of a circuit: the two steps of [`Cycle`], and their meaning for signals and registers.

use crate::circuit::{Blank, Signal, DFF};
use rust_hdl_core::prelude::{Constant, In, Local, Out, Synth};

/// The number of passes after which a block is assumed to have a combinational loop.
pub const PASS_LIMIT: usize = 200;

/// The engine's record of a block's pending work. Every block that derives `Cycle` has it as the field `_activity`.
#[derive(Clone, Debug)]
pub struct Activity {
    /// The kernel has not run yet.
    pub fresh: bool,
    /// A part changed at the last tick, so the block must settle.
    pub dirty: bool,
    /// Neither the last tick nor anything since has changed a value, so the next tick will not change any.
    pub quiet: bool,
}

impl Default for Activity {
    fn default() -> Self {
        Activity {
            fresh: true,
            dirty: true,
            quiet: false,
        }
    }
}

impl Blank for Activity {
    fn blank() -> Self {
        Activity::default()
    }
}

/// A circuit that can be stepped by the clock cycle.
///
/// Protocol of one cycle, for the top block: set the inputs' `next`, [`settle`](Cycle::settle), read the outputs,
/// [`tick`](Cycle::tick).
pub trait Cycle {
    /// Commits the values written to the input signals; true if one changed.
    fn commit_in(&mut self) -> bool {
        false
    }
    /// Publishes the output signals; true if one changed.
    fn commit_out(&mut self) -> bool {
        false
    }
    /// The rising clock edge; true if any state changed.
    fn tick(&mut self) -> bool {
        false
    }
    /// Evaluates combinational logic to its fixed point; true if an output changed.
    ///
    /// # Panics
    /// After [`PASS_LIMIT`] passes, naming the block and its fields that keep changing: a combinational loop.
    fn settle(&mut self) -> bool {
        false
    }
}

impl<T: Synth> Cycle for Signal<In, T> {
    #[inline(always)]
    fn commit_in(&mut self) -> bool {
        self.commit()
    }
}

impl<T: Synth> Cycle for Signal<Out, T> {
    #[inline(always)]
    fn commit_out(&mut self) -> bool {
        self.commit()
    }
}

impl<T: Synth> Cycle for Signal<Local, T> {}
impl<T: Synth> Cycle for Constant<T> {}

// The loop is by index: a `fold` over an iterator is five times the code before optimisation, in four methods of every
// array.
macro_rules! any_of {
    ($parts:ident, $step:ident) => {{
        let (mut changed, mut index) = (false, 0);
        while index < $parts.len() {
            changed |= $parts[index].$step();
            index += 1;
        }
        changed
    }};
}

macro_rules! cycle_of_each {
    ($list:ty, $($generics:tt)*) => {
        impl<$($generics)*> Cycle for $list {
            #[inline(always)]
            fn commit_in(&mut self) -> bool {
                any_of!(self, commit_in)
            }
            #[inline(always)]
            fn commit_out(&mut self) -> bool {
                any_of!(self, commit_out)
            }
            #[inline(always)]
            fn tick(&mut self) -> bool {
                any_of!(self, tick)
            }
            #[inline(always)]
            fn settle(&mut self) -> bool {
                any_of!(self, settle)
            }
        }
    };
}
cycle_of_each!([T; N], T: Cycle, const N: usize);
cycle_of_each!(Vec<T>, T: Cycle);

/// A register. Its `d` is read once a cycle, at the edge. Kernels see `q` at once; from the edge to its publication,
/// `q` reports the change. So neither is compared in every pass.
impl<T: Synth> Cycle for DFF<T> {
    #[inline(always)]
    fn tick(&mut self) -> bool {
        self.edge()
    }
    #[inline(always)]
    fn settle(&mut self) -> bool {
        self.publish()
    }
}

/// Called by the derive's code when a block does not settle.
#[cold]
pub fn does_not_settle(block: &str, fields: &[(&str, bool)]) -> ! {
    let culprits: Vec<&str> = fields.iter().filter(|(_, c)| *c).map(|(name, _)| *name).collect();
    panic!(
        "combinational loop: {block} did not settle in {PASS_LIMIT} passes; still changing: {}",
        culprits.join(", ")
    );
}
