//! Fault models: the effects of faults.

use super::engine::Engine;
use crate::text::named::named;

named! {
    /// The effect of a fault. Models before `flip-destination` change bits of the circuits; the others change
    /// instructions of the golden model.
    Model {
        /// The bits are inverted once, after the clock edge at which the cycle begins: a soft error.
        Flip "flip",
        /// The bits are 0 from this cycle onward.
        StuckAt0 "stuck-at-0",
        /// The bits are 1 from this cycle onward.
        StuckAt1 "stuck-at-1",
        /// From the cycle on, a clock edge that should change a bit does not change it, and the next edge has its
        /// normal effect: the bit changes one cycle late, or not at all.
        Delayed "delayed",
        /// Bits of a result are inverted: a register, a condition code or an address register.
        FlipDestination "flip-destination",
        /// Bits of a source are inverted while it is read: a register, a condition code or an address register.
        FlipSource "flip-source",
        /// Lanes of the execution mask are inverted.
        FlipMask "flip-mask",
        /// Bits of an immediate are inverted.
        FlipImmediate "flip-immediate",
        /// Bits of the instruction word are inverted, and the word is decoded again.
        FlipWord "flip-word",
        /// Like `flip-word`, for bits of the opcode.
        FlipOpcode "flip-opcode",
        /// Like `flip-word`, for bits of register numbers.
        FlipRegister "flip-register",
        /// The result is multiplied by a factor drawn from a power law.
        RelativeError "relative-error",
        /// Incorrect active thread: threads begin with a wrong index in their block.
        Iat "iat",
        /// Incorrect active warp: whole warps begin with wrong indices in their block, and read wrong indices of their
        /// block.
        Iaw "iaw",
        /// Incorrect active CTA: warps read wrong indices of their block.
        Iac "iac",
        /// Wrong control flow: bits of condition codes are stuck when they are written.
        Wv "wv",
        /// Incorrect register addressed: one operand's register number is wrong.
        Ira "ira",
        /// Incorrect memory source: bits of a source are inverted.
        Ims "ims",
        /// Incorrect memory destination: bits of the result are inverted, and the right result is written to another
        /// register.
        Imd "imd",
        /// Incorrect active lane: lanes do not execute although their condition holds, or execute although it does not.
        Ial "ial",
        /// Incorrect operation code: another operation is computed on the same operands.
        Ioc "ioc",
        /// Incorrect immediate operand: bits of the result of instructions with an immediate are inverted.
        Iio "iio",
    }
}

impl Model {
    /// The engine of this model's faults.
    pub fn engine(self) -> Engine {
        match self {
            Model::Flip | Model::StuckAt0 | Model::StuckAt1 | Model::Delayed => Engine::Circuits,
            _ => Engine::GoldenModel,
        }
    }

    /// True for the ten models of the literature, whose faults are permanent unless the user requests otherwise.
    pub fn is_permanent(self) -> bool {
        use Model::{Iac, Ial, Iat, Iaw, Iio, Imd, Ims, Ioc, Ira, Wv};
        matches!(self, Iat | Iaw | Iac | Wv | Ira | Ims | Imd | Ial | Ioc | Iio)
    }

    /// True for models whose faulty bits are given by the fields `bit` and `bits` of a fault.
    pub fn has_bits(self) -> bool {
        !matches!(
            self,
            Model::FlipMask | Model::RelativeError | Model::Ira | Model::Ial | Model::Ioc
        )
    }

    /// The models of an engine.
    pub fn of(engine: Engine) -> Vec<Model> {
        let models = Model::ALL.iter().copied();
        models.filter(|model| model.engine() == engine).collect()
    }
}
