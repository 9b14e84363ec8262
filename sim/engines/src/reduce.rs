//! Deletes parts of a program while it passes a test: the loop shared by the reducer of random programs and the
//! compaction of self-tests.

/// A program that is being reduced.
pub struct Reducer<P> {
    program: P,
    /// The number of attempts left.
    attempts: usize,
}

impl<P> Reducer<P> {
    /// A reducer for a program that passes the test, with at most `attempts` attempts.
    pub fn new(program: P, attempts: usize) -> Self {
        Reducer { program, attempts }
    }

    /// The smallest program so far.
    pub fn program(&self) -> &P {
        &self.program
    }

    /// Replaces the program by a smaller one if that passes; false if it fails, or if no attempts are left.
    ///
    /// # Errors
    /// The errors of the test.
    pub fn attempt<E>(&mut self, smaller: P, test: impl FnOnce(&P) -> Result<bool, E>) -> Result<bool, E> {
        if self.attempts == 0 {
            return Ok(false);
        }
        self.attempts -= 1;
        let passes = test(&smaller)?;
        if passes {
            self.program = smaller;
        }
        Ok(passes)
    }

    /// Runs `round` until it returns false, because it has changed nothing.
    ///
    /// # Errors
    /// The errors of `round`.
    pub fn rounds<E>(mut self, mut round: impl FnMut(&mut Self) -> Result<bool, E>) -> Result<P, E> {
        while round(&mut self)? {}
        Ok(self.program)
    }
}

#[cfg(test)]
mod tests {
    use super::Reducer;
    use std::convert::Infallible;

    /// Removes one element at a time; a list passes if it contains 3.
    fn reduce(attempts: usize) -> Vec<u32> {
        let reducer = Reducer::new(vec![1, 2, 3, 4], attempts);
        let reduced = reducer.rounds(|reducer| {
            let mut has_changed = false;
            for at in (0..reducer.program().len()).rev() {
                let mut smaller = reducer.program().clone();
                smaller.remove(at);
                has_changed |= reducer.attempt(smaller, |list| Ok::<bool, Infallible>(list.contains(&3)))?;
            }
            Ok::<bool, Infallible>(has_changed)
        });
        reduced.unwrap_or_default()
    }

    #[test]
    fn reducer_keeps_what_the_test_needs() {
        assert_eq!(reduce(usize::MAX), [3]);
    }

    #[test]
    fn reducer_ends_without_attempts() {
        // 4 is removed, 3 is not.
        assert_eq!(reduce(2), [1, 2, 3]);
        assert_eq!(reduce(0), [1, 2, 3, 4]);
    }
}
