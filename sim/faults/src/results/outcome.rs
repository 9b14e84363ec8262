//! Outcomes of a fault.

use crate::text::named::named;

named! {
    /// The outcome of a run with a fault, compared with the golden run: the same kernel without it.
    Outcome {
        /// The fault changed no bit: a stuck-at fault in a bit that had this value in every cycle.
        NotExcited "not-excited",
        /// Bits changed, but output, cycles and final state equal the golden run's.
        Masked "masked",
        /// The output is right, but the run took a different number of cycles.
        MaskedOtherCycles "masked-other-cycles",
        /// Output and cycles equal the golden run's, but registers or memories differ at the end.
        Latent "latent",
        /// The run completed without an error, and its output is wrong.
        SilentCorruption "silent-corruption",
        /// The machine stopped with an error code, or the host saw a violation of the bus protocol.
        Detected "detected",
        /// The run did not complete within the limit of cycles.
        Hang "hang",
    }
}

impl Outcome {
    /// True for a silent data corruption (SDC).
    pub fn is_sdc(self) -> bool {
        self == Outcome::SilentCorruption
    }

    /// True for a detected, unrecoverable error (DUE): detected or a hang.
    pub fn is_due(self) -> bool {
        matches!(self, Outcome::Detected | Outcome::Hang)
    }

    /// True for an error that the user notices or suffers from: an SDC or a DUE.
    pub fn is_error(self) -> bool {
        self.is_sdc() || self.is_due()
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome;

    #[test]
    fn errors_are_the_last_three() {
        let errors: Vec<_> = Outcome::ALL.iter().filter(|outcome| outcome.is_error()).collect();
        assert_eq!(errors, [&Outcome::SilentCorruption, &Outcome::Detected, &Outcome::Hang]);
    }
}
