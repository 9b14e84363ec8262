//! The results of an instruction's lanes.

use super::context::{lanes_of, Lanes};
use flexgrip_arith::integer::Integer;
use flexgrip_arith::Flagged;

/// The integer type of a conversion; `None` for a size that no instruction encodes.
pub(crate) const fn integer(of: flexgrip_isa::IntegerType) -> Option<Integer> {
    Some(match (of.bits, of.signed) {
        (8, false) => Integer::U8,
        (16, false) => Integer::U16,
        (32, false) => Integer::U32,
        (8, true) => Integer::S8,
        (16, true) => Integer::S16,
        (32, true) => Integer::S32,
        _ => return None,
    })
}

/// The results of an instruction, lane by lane; lanes that it does not execute in stay 0.
#[derive(Default)]
pub(crate) struct Results {
    pub(super) values: Lanes,
    pub(super) codes: [u8; 32],
}

impl Results {
    pub fn fill(&mut self, executed: u32, operation: impl Fn(usize) -> Flagged) {
        for lane in lanes_of(executed) {
            let Flagged { value, cc } = operation(lane);
            self.values[lane] = value;
            self.codes[lane] = cc.bits();
        }
    }
}
