//! Deletes parts of a program and keeps what still passes a test: the loop that the reducer of random programs and the compaction
//! of self-tests share.

/// A program that gets smaller.
pub struct Reducer<P> {
    program: P,
    /// Attempts that are left.
    attempts: usize,
}

impl<P> Reducer<P> {
    /// Begins with a program that passes; it is tested so many times at most.
    pub fn new(program: P, attempts: usize) -> Self {
        Reducer { program, attempts }
    }

    /// The smallest program so far.
    pub fn program(&self) -> &P {
        &self.program
    }

    /// Takes a smaller program if it passes; false also if no attempts are left.
    ///
    /// # Errors
    /// Those of the test.
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

    /// Makes rounds of attempts until one of them, which says so, has changed nothing.
    ///
    /// # Errors
    /// Those of a round.
    pub fn rounds<E>(mut self, mut round: impl FnMut(&mut Self) -> Result<bool, E>) -> Result<P, E> {
        while round(&mut self)? {}
        Ok(self.program)
    }
}

#[cfg(test)]
mod tests {
    use super::Reducer;
    use std::convert::Infallible;

    /// Removes one element after the other; a list passes if it has 3.
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
