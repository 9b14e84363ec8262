//! Adapters from blocks that step by the cycle to the form that compiled code calls.

use super::cycle::Cycle;
use crate::circuit::{Called, Follows, Kind, Ports, Primitive};
use std::any::Any;

impl<B: Cycle + Ports + Clone + Send + 'static> Called for B {
    fn outputs(&self, words: &mut [u64]) {
        Ports::outputs(self, &mut &mut words[..]);
    }
    #[inline(always)]
    fn settle(&mut self, words: &mut [u64]) {
        self.set_inputs(&mut &words[..]);
        Cycle::settle(self);
        Ports::outputs(self, &mut &mut words[..]);
    }
    #[inline(always)]
    fn tick(&mut self, words: &mut [u64]) -> bool {
        self.set_inputs(&mut &words[..]);
        Cycle::settle(self);
        let changed = Cycle::tick(self);
        if changed {
            Cycle::settle(self);
            Ports::outputs(self, &mut &mut words[..]);
        }
        changed
    }
    fn copy(&self) -> Box<dyn Called + Send> {
        Box::new(self.clone())
    }
    fn block(&self) -> &dyn Any {
        self
    }
    fn block_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl Primitive {
    /// A copy of `block`, with its state. `followed`: the inputs that outputs follow within the cycle; arrays by the
    /// array's name.
    pub fn opaque<B: Cycle + Ports + Clone + Send + 'static>(
        block: &B,
        followed: &'static [&'static str],
    ) -> Primitive {
        Primitive(Kind::Opaque(Box::new(block.clone()), Follows::Only(followed)))
    }

    /// A copy of `block`, which has no state.
    pub fn combinational<B: Cycle + Ports + Clone + Send + 'static>(block: &B) -> Primitive {
        Primitive(Kind::Opaque(Box::new(block.clone()), Follows::All))
    }
}
