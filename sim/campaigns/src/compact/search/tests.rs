use super::*;
use std::collections::BTreeSet;
use std::convert::Infallible;

/// A program whose instructions take one cycle each. A fault is detected by the first of its detecting instructions in
/// the program, if all instructions that it depends on are also present.
struct Fake {
    /// For each fault: the instructions that detect it, and the instructions that it depends on.
    faults: Vec<(Vec<usize>, Vec<usize>)>,
    /// The program does not run without these instructions.
    needed: Vec<usize>,
    /// The program takes ten more cycles for each of these that is missing.
    fast: Vec<usize>,
    /// The programs that were tried, each with the number of simulated faults.
    tried: Vec<(Vec<usize>, usize)>,
    kept: Option<State>,
}

impl Fake {
    fn new(faults: &[(&[usize], &[usize])], needed: &[usize]) -> Self {
        let faults = faults.iter().map(|(by, with)| (by.to_vec(), with.to_vec()));
        Fake {
            faults: faults.collect(),
            needed: needed.to_vec(),
            fast: vec![],
            tried: vec![],
            kept: None,
        }
    }

    fn first(&self, kept: &[usize], fault: usize) -> Option<usize> {
        let (by, with) = &self.faults[fault];
        let is_there = |one: &usize| kept.contains(one);
        by.iter().copied().find(is_there).filter(|_| with.iter().all(is_there))
    }

    fn start(&self, instructions: usize) -> (u64, BTreeMap<usize, Option<usize>>) {
        let all: Vec<usize> = (0..instructions).collect();
        let first = |fault| Some((fault, Some(self.first(&all, fault)?)));
        (instructions as u64, (0..self.faults.len()).filter_map(first).collect())
    }

    fn search(&mut self, instructions: usize, limits: Limits, known: State) -> Found {
        let start = self.start(instructions);
        match Search::new(self, limits, start, known).run(instructions) {
            Ok(found) => found,
            Err(never) => match never {},
        }
    }
}

impl Judge for Fake {
    type Error = Infallible;

    fn judge(&mut self, kept: &[usize], faults: Faults, cycles: u64) -> Result<Trial, Infallible> {
        assert!(kept.is_sorted());
        let simulated: Vec<usize> = match faults {
            Faults::All => (0..self.faults.len()).collect(),
            Faults::These(faults) => faults.to_vec(),
        };
        self.tried.push((kept.to_vec(), simulated.len()));
        let runs = self.needed.iter().all(|one| kept.contains(one));
        let first = |fault: usize| Some((fault, Some(self.first(kept, fault)?)));
        let missing = self.fast.iter().filter(|one| !kept.contains(one)).count();
        let time = (kept.len() + 10 * missing) as u64;
        Ok(Trial {
            compiles: true,
            runs,
            cycles: runs.then_some(time),
            first: (runs && time <= cycles).then(|| simulated.into_iter().filter_map(first).collect()),
        })
    }

    fn line(&self, instruction: usize) -> usize {
        instruction + 1
    }

    fn weight(&self, fault: usize) -> u64 {
        // The last fault has a higher weight.
        if fault + 1 == self.faults.len() {
            10
        } else {
            1
        }
    }

    fn keep(&mut self, state: &State, _: bool) -> Result<(), Infallible> {
        self.kept = Some(state.clone());
        Ok(())
    }
}

const LIMITS: Limits = Limits {
    block: 4,
    passes: 4,
    loss: 0,
};

#[test]
fn instructions_without_detections_are_deleted() {
    let mut fake = Fake::new(&[(&[1], &[]), (&[5], &[])], &[9]);
    let found = fake.search(10, LIMITS, State::default());
    assert_eq!(found.kept, [1, 5, 9]);
    // Instructions without a first detection are deleted without simulating faults.
    assert_eq!(fake.tried[0], (vec![0, 1, 2, 3, 4, 5], 0));
    assert_eq!(found.state.log[0].verdict, Verdict::Restore);
    assert_eq!(
        (found.state.log[0].lsim_ok, found.state.log[0].fsim_ok),
        (Some(false), None)
    );
}

#[test]
fn another_instruction_may_detect_the_same_fault() {
    // 0 is essential at first, but 3 detects the same fault.
    let mut fake = Fake::new(&[(&[0, 3], &[]), (&[3], &[])], &[]);
    let found = fake.search(4, LIMITS, State::default());
    assert_eq!(found.kept, [3]);
    assert_eq!(found.state.first, BTreeMap::from([(0, Some(3)), (1, Some(3))]));
}

#[test]
fn lost_faults_are_found_when_all_are_simulated() {
    // 2 detects nothing, but 0 detects the first fault only together with it; likewise 5 and 1.
    let mut fake = Fake::new(&[(&[0], &[2]), (&[1], &[5])], &[]);
    let found = fake.search(8, LIMITS, State::default());
    assert_eq!(found.kept, [0, 1, 2, 5]);
    let restored = |attempt: &&Attempt| attempt.block == 0 && attempt.verdict == Verdict::Restore;
    assert!(found.state.log.iter().filter(restored).count() >= 2);
    let last = found.state.log.last().map(|attempt| attempt.detected);
    assert!(last.is_some());
}

#[test]
fn program_must_not_take_longer() {
    let mut fake = Fake::new(&[(&[1], &[])], &[]);
    fake.fast = vec![4];
    let found = fake.search(6, LIMITS, State::default());
    assert_eq!(found.kept, [1, 4]);
    let slow = found
        .state
        .log
        .iter()
        .find(|attempt| attempt.tat.is_some_and(|cycles| cycles > 6));
    let slow = slow.map(|attempt| (attempt.fsim_ok, attempt.verdict));
    assert_eq!(slow, Some((Some(false), Verdict::Restore)));
}

#[test]
fn allowed_losses_are_accepted() {
    // One of 12 detected faults may be lost, but not the one with weight 10.
    let faults: &[(&[usize], &[usize])] = &[(&[0], &[]), (&[1], &[]), (&[2], &[])];
    let limits = Limits { loss: 1, ..LIMITS };
    let found = Fake::new(faults, &[]).search(4, limits, State::default());
    assert_eq!(found.kept, [0, 2]);
    assert_eq!(
        Fake::new(faults, &[]).search(4, LIMITS, State::default()).kept,
        [0, 1, 2]
    );
}

#[test]
fn interrupted_search_resumes_to_the_same_result() {
    let faults: &[(&[usize], &[usize])] = &[(&[0, 3], &[]), (&[3], &[4]), (&[7, 9], &[]), (&[11], &[2])];
    let mut whole = Fake::new(faults, &[8]);
    let expected = whole.search(14, LIMITS, State::default());
    // Records the state after each attempt.
    struct Recorder(Fake, Vec<State>);
    impl Judge for Recorder {
        type Error = Infallible;
        fn judge(&mut self, kept: &[usize], faults: Faults, cycles: u64) -> Result<Trial, Infallible> {
            self.0.judge(kept, faults, cycles)
        }
        fn line(&self, instruction: usize) -> usize {
            self.0.line(instruction)
        }
        fn weight(&self, fault: usize) -> u64 {
            self.0.weight(fault)
        }
        fn keep(&mut self, state: &State, _: bool) -> Result<(), Infallible> {
            self.1.push(state.clone());
            Ok(())
        }
    }
    let mut recorder = Recorder(Fake::new(faults, &[8]), vec![]);
    let start = recorder.0.start(14);
    let recorded = Search::new(&mut recorder, LIMITS, start, State::default()).run(14);
    assert_eq!(recorded.as_ref(), Ok(&expected));
    let states: BTreeSet<usize> = recorder.1.iter().map(|state| state.log.len()).collect();
    assert!(states.len() > 8, "{states:?}");
    for state in recorder.1 {
        let mut fake = Fake::new(faults, &[8]);
        let done = state.log.len();
        assert_eq!(fake.search(14, LIMITS, state), expected);
        // Attempts in the log are not repeated.
        assert_eq!(fake.tried.len(), expected.state.log.len() - done);
    }
}

#[test]
fn log_of_another_search_is_not_used() {
    let mut fake = Fake::new(&[(&[1], &[])], &[]);
    let expected = fake.search(6, LIMITS, State::default());
    let mut known = expected.state.clone();
    known.log[0].removed = "99".into();
    assert_eq!(Fake::new(&[(&[1], &[])], &[]).search(6, LIMITS, known), expected);
}
