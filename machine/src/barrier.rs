//! The effect of a barrier instruction.

use std::fmt;

/// The effect of a BAR, for a record. The opening of a barrier is not recorded: it is only visible in the instructions
/// that warps execute afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarrierEffect {
    /// The barrier, 0 to 15.
    pub barrier: u8,
    /// True if the warp arrives.
    pub arrives: bool,
    /// True if the warp starts to wait, unless its own arrival opens the barrier.
    pub waits: bool,
}

impl fmt::Display for BarrierEffect {
    /// `barrier(0 arrives waits)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "barrier({}", self.barrier)?;
        if self.arrives {
            f.write_str(" arrives")?;
        }
        if self.waits {
            f.write_str(" waits")?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barrier_effect_is_printed_with_its_actions() {
        let mut effect = BarrierEffect {
            barrier: 3,
            arrives: true,
            waits: true,
        };
        assert_eq!(effect.to_string(), "barrier(3 arrives waits)");
        effect.waits = false;
        assert_eq!(effect.to_string(), "barrier(3 arrives)");
    }
}
