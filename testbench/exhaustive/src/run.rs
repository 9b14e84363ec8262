//! Checks the circuits' gates against the reference on all inputs of all modes, in pieces, on several threads.

use crate::cases::{Case, Control, Outcome};
use crate::circuit::Unit;
use crate::logic::{Graph, Literal};
use crate::netlist::Netlist;
use crate::plan::{Inputs, Mode, Operation, BATCH};
use crate::program::{counting, rows_of, transpose, Program, Wide, LANES, WORDS};
use crate::state::{reference_hash, Checked, State};
use hdlkit::gates::GatesError;
use serde::Serialize;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

/// The number of inputs in a piece; the state is written after each. Random pieces are smaller because they are slower.
const PIECE: u64 = 1 << 24;
const RANDOM_PIECE: u64 = 1 << 21;

/// The number of low bits in which operands that share a specialised program may differ. Logic that only depends on the
/// upper bits, such as a shift by an exponent, needs no gates then.
const BLOCK_BITS: u32 = 20;

/// The reason why a check failed to run.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The gates of a unit cannot be made.
    #[error(transparent)]
    Netlist(#[from] GatesError),
    /// The gates cannot be simulated.
    #[error("{mode}: {message}")]
    Circuit {
        /// The name of the mode.
        mode: String,
        /// The reason.
        message: String,
    },
    /// The state of the checks cannot be read or written.
    #[error("{}: {error}", .path.display())]
    State {
        /// The file of the state.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
}

/// Options of a check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of threads.
    pub jobs: usize,
    /// The range of operands to check; only used for operations with a single one.
    pub operands: Range<u64>,
    /// The folder for the state and the gates.
    pub folder: PathBuf,
    /// True to forget the earlier checks.
    pub restart: bool,
    /// For tests: an operand whose expected results are wrong.
    pub falsify: Option<u32>,
}

/// An input for which circuit and reference differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaseDifference {
    /// The number of the input.
    pub number: u64,
    /// The control and the operands.
    pub case: Case,
    /// The circuit's outcome.
    pub circuit: Outcome,
    /// The outcome of `flexgrip_arith`.
    pub reference: Outcome,
}

impl std::fmt::Display for CaseDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let show = |outcome: Outcome| match self.case.control {
            Control::Float(_) => format!("{:08x} with condition code {:x}", outcome as u32, outcome >> 32),
            Control::Special(_) => format!("{outcome:08x}"),
        };
        write!(
            f,
            "input {} ({}): the circuit gives {}, the reference {}",
            self.number,
            self.case,
            show(self.circuit),
            show(self.reference)
        )
    }
}

/// The result of an operation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OperationReport {
    /// The name of the operation, as in the option `--only`.
    pub operation: &'static str,
    /// The number of modes.
    pub modes: usize,
    /// The number of inputs to check.
    pub inputs: u64,
    /// The number of inputs checked so far.
    pub checked: u64,
    /// The number of inputs checked before this run.
    pub checked_before: u64,
    /// The number of differences. A mode stops at the end of the first piece with a difference.
    pub differences: u64,
    /// The first difference, with its mode.
    pub first_difference: Option<String>,
    /// The time of all checks in seconds, earlier runs included, summed over all threads.
    pub seconds: f64,
}

/// A mode in progress.
struct Task<'a> {
    mode: &'a Mode,
    netlist: &'a Netlist,
    circuit: OnceLock<Result<Circuit, String>>,
    range: Range<u64>,
    before: u64,
    progress: Mutex<Progress>,
}

#[derive(Default)]
struct Progress {
    checked: Checked,
    /// The number of inputs in pieces with a difference.
    faulty: u64,
    differences: u64,
    first: Option<CaseDifference>,
}

/// A poisoned mutex is used anyway: a thread that panics ends the run.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The first input numbers of `a`, `b`, `c` and the control; bit `n` has this number plus `n`.
const A: u32 = 0;
const B: u32 = 32;
const C: u32 = 64;
const CONTROL: u32 = 96;

/// The circuit of a mode, with the control bits fixed that the mode determines.
#[derive(Debug)]
pub struct Circuit {
    graph: Graph,
    outputs: Vec<Literal>,
}

impl Circuit {
    /// Creates the circuit of a mode from the netlist of its unit.
    ///
    /// # Errors
    /// The netlist belongs to another unit.
    pub fn of(mode: &Mode, netlist: &Netlist) -> Result<Circuit, String> {
        let control = mode.control();
        let encoded = control.encode();
        let random = matches!(mode.inputs, Inputs::Random { .. });
        let mut graph = Graph::default();
        let mut strange = None;
        let outputs = netlist.add_to(&mut graph, |graph, port, bit| {
            let number = bit as u32;
            match port {
                "x_a" => graph.input(A + number),
                "x_b" if random => graph.input(B + number),
                "x_c" if random => graph.input(C + number),
                "x_b" | "x_c" => Literal::FALSE,
                "x_control" if random && number >= control.unit().operation_bits() => graph.input(CONTROL + number),
                "x_control" => Literal::constant(encoded >> number & 1 == 1),
                _ => {
                    strange = Some(port.to_owned());
                    Literal::FALSE
                }
            }
        });
        if let Some(port) = strange {
            return Err(format!("an unknown input `{port}`"));
        }
        let ports: &[(&str, usize)] = match control.unit() {
            Unit::Float => &[("x_result", 32), ("x_condition", 4)],
            Unit::Special => &[("x_result", 32)],
        };
        let mut bits = vec![];
        for (port, width) in ports {
            let found = outputs.get(*port).filter(|found| found.len() == *width);
            bits.extend(found.ok_or_else(|| format!("no output `{port}` of {width} bits"))?);
        }
        Ok(Circuit { graph, outputs: bits })
    }

    /// The code of the circuit.
    ///
    /// # Errors
    /// The circuit has too many live signals.
    pub fn program(&self) -> Result<Program, String> {
        Program::new(&self.graph, &self.outputs)
    }

    /// The code for operands whose bits above [`BLOCK_BITS`] equal `block`.
    fn program_of_block(&self, block: u32) -> Result<Program, String> {
        let fixed = |number: u32| {
            (A + BLOCK_BITS..B)
                .contains(&number)
                .then(|| block >> (number - A - BLOCK_BITS) & 1 == 1)
        };
        let (graph, outputs) = self.graph.with_fixed(&self.outputs, fixed);
        Program::new(&graph, &outputs)
    }
}

/// The circuit of a mode, with a memory for its runs.
pub struct Gates {
    program: Program,
    memory: Vec<Wide>,
}

impl Gates {
    /// Creates gates that run a program.
    pub fn new(program: Program) -> Self {
        Gates {
            memory: program.memory(),
            program,
        }
    }

    /// Runs the circuit on the present inputs. The outcome of input `n` is in word `n / 64` of row `n % 64`.
    fn outcomes(&mut self) -> [Wide; 64] {
        self.program.run(&mut self.memory);
        let mut rows = [Wide::of(false); 64];
        for (index, row) in rows.iter_mut().enumerate().take(self.program.outputs()) {
            *row = self.program.output(&self.memory, index);
        }
        transpose(&mut rows);
        rows
    }

    /// The outcomes of the operands starting at `base`, which must be a multiple of [`LANES`].
    fn operands(&mut self, base: u32) -> [Wide; 64] {
        self.program.set(&mut self.memory, |bit| counting(base, bit - A));
        self.outcomes()
    }

    /// The outcomes of up to [`LANES`] cases of a random mode.
    fn cases(&mut self, cases: &[Case]) -> [Wide; 64] {
        let lower = rows_of(cases.iter().map(|case| u64::from(case.a) | u64::from(case.b) << 32));
        let upper = rows_of(
            cases
                .iter()
                .map(|case| u64::from(case.c) | u64::from(case.control.encode()) << 32),
        );
        self.program.set(&mut self.memory, |number| match number {
            0..C => lower[number as usize],
            _ => upper[(number - C) as usize],
        });
        self.outcomes()
    }

    /// The outcomes of the circuit for the cases of a random mode.
    pub fn of(&mut self, cases: &[Case]) -> Vec<Outcome> {
        let mut all = vec![];
        for cases in cases.chunks(LANES) {
            let rows = self.cases(cases);
            all.extend((0..cases.len()).map(|lane| rows[lane % 64].0[lane / 64]));
        }
        all
    }
}

/// The result of a piece.
#[derive(Default)]
struct Found {
    differences: u64,
    first: Option<CaseDifference>,
}

/// Compares outcomes with the reference.
struct Comparer {
    falsify: Option<u32>,
    found: Found,
}

impl Comparer {
    #[inline(always)]
    fn compare(&mut self, number: u64, circuit: Outcome, expected: Outcome, a: u32, case: impl Fn() -> Case) {
        let mut reference = expected;
        if self.falsify == Some(a) {
            reference ^= 1;
        }
        if circuit != reference {
            self.found.differences += 1;
            self.found.first.get_or_insert_with(|| CaseDifference {
                number,
                case: case(),
                circuit,
                reference,
            });
        }
    }

    /// Compares all operands from `from` up to `to`, exclusive. All must be in the block of the gates.
    fn every(&mut self, gates: &mut Gates, control: &Control, from: u64, to: u64) {
        let lanes = LANES as u64;
        let mut base = from / lanes * lanes;
        while base < to {
            let rows = gates.operands(base as u32);
            for word in 0..WORDS {
                for (bit, row) in rows.iter().enumerate() {
                    let number = base + (word * 64 + bit) as u64;
                    if number < from || number >= to {
                        continue;
                    }
                    let a = number as u32;
                    self.compare(number, row.0[word], control.expected(a, 0, 0), a, || Case {
                        control: *control,
                        a,
                        b: 0,
                        c: 0,
                    });
                }
            }
            base += lanes;
        }
    }

    /// Compares cases; the first one has the number `first`.
    fn cases(&mut self, gates: &mut Gates, cases: &[Case], first: u64) {
        for (part, cases) in cases.chunks(LANES).enumerate() {
            let rows = gates.cases(cases);
            for (lane, case) in cases.iter().enumerate() {
                let number = first + (part * LANES + lane) as u64;
                let circuit = rows[lane % 64].0[lane / 64];
                self.compare(number, circuit, case.expected(), case.a, || *case);
            }
        }
    }
}

/// Checks the inputs of a mode from number `from` up to `to`, exclusive.
fn check(mode: &Mode, circuit: &Circuit, from: u64, to: u64, falsify: Option<u32>) -> Result<Found, String> {
    let mut comparer = Comparer {
        falsify,
        found: Found::default(),
    };
    match &mode.inputs {
        Inputs::Every { control, .. } => {
            let mut from = from;
            while from < to {
                let block = from >> BLOCK_BITS;
                let end = to.min((block + 1) << BLOCK_BITS);
                let mut gates = Gates::new(circuit.program_of_block(block as u32)?);
                comparer.every(&mut gates, control, from, end);
                from = end;
            }
        }
        Inputs::Random { operation, .. } => {
            let mut gates = Gates::new(circuit.program()?);
            for number in from / BATCH..to.div_ceil(BATCH) {
                let cases: Vec<Case> = operation.batch(number).collect();
                comparer.cases(&mut gates, &cases, number * BATCH);
            }
        }
    }
    Ok(comparer.found)
}

/// The progress of a run, for an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// The number of inputs checked before this run.
    Before(u64),
    /// The name of a mode, and the number of its inputs that were checked now.
    Checked(&'a str, u64),
}

/// Checks all modes of the operations, except for inputs that were checked before. Calls `observe` for each mode at the
/// start, then after every piece.
///
/// # Errors
/// The gates cannot be made, or the state cannot be read or written. A difference is not an error, but part of the
/// report.
pub fn run(
    operations: &[Operation],
    options: &Options,
    observe: &(dyn Fn(Event) + Sync),
) -> Result<Vec<OperationReport>, CheckError> {
    let path = options.folder.join("state.json");
    let on_state = |error| CheckError::State {
        path: path.clone(),
        error,
    };
    let state = if options.restart {
        State::default()
    } else {
        State::read(&path).map_err(on_state)?
    };
    let reference = reference_hash();
    let netlists: Vec<(Unit, Netlist)> = Unit::ALL
        .into_iter()
        .filter(|unit| all_modes(operations).any(|mode| mode.control().unit() == *unit))
        .map(|unit| Ok((unit, Netlist::of(unit, &options.folder)?)))
        .collect::<Result<_, GatesError>>()?;

    let mut tasks = vec![];
    for mode in all_modes(operations) {
        let unit = mode.control().unit();
        // The netlist of every unit in use was read above.
        let Some((_, netlist)) = netlists.iter().find(|(of, _)| *of == unit) else {
            continue;
        };
        let range = match mode.inputs {
            Inputs::Every { .. } => options.operands.start.min(mode.count())..options.operands.end.min(mode.count()),
            Inputs::Random { .. } => 0..mode.count(),
        };
        let kept = state.of(&mode.name, netlist.verilog_hash(), &reference);
        let before = kept.count(range.start, range.end);
        observe(Event::Before(before));
        tasks.push(Task {
            mode,
            netlist,
            circuit: OnceLock::new(),
            range,
            before,
            progress: Mutex::new(Progress {
                checked: kept,
                ..Progress::default()
            }),
        });
    }
    let pieces: Vec<(&Task, u64, u64)> = tasks
        .iter()
        .flat_map(|task| {
            let size = match task.mode.inputs {
                Inputs::Every { .. } => PIECE,
                Inputs::Random { .. } => RANDOM_PIECE,
            };
            let left = lock(&task.progress)
                .checked
                .left(task.range.start, task.range.end, size);
            left.into_iter().map(move |(from, to)| (task, from, to))
        })
        .collect();

    let pieces = Mutex::new(pieces.into_iter());
    let state = Mutex::new(state);
    let next = || lock(&pieces).next();
    let work = || -> Result<(), CheckError> {
        while let Some((task, from, to)) = next() {
            if lock(&task.progress).first.is_some() {
                continue;
            }
            let on_circuit = |message| CheckError::Circuit {
                mode: task.mode.name.clone(),
                message,
            };
            let circuit = task.circuit.get_or_init(|| Circuit::of(task.mode, task.netlist));
            let circuit = circuit.as_ref().map_err(|message| on_circuit(message.clone()))?;
            let start = Instant::now();
            let found = check(task.mode, circuit, from, to, options.falsify).map_err(on_circuit)?;
            let mut progress = lock(&task.progress);
            progress.checked.seconds += start.elapsed().as_secs_f64();
            progress.differences += found.differences;
            if let Some(difference) = found.first {
                progress.faulty += to - from;
                // Pieces end in any order.
                let earlier = progress.first.is_some_and(|first| first.number < difference.number);
                if !earlier {
                    progress.first = Some(difference);
                }
            } else {
                progress.checked.add(from, to);
                let mut state = lock(&state);
                state.0.insert(task.mode.name.clone(), progress.checked.clone());
                state.write(&path).map_err(on_state)?;
            }
            drop(progress);
            observe(Event::Checked(&task.mode.name, to - from));
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..options.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect::<Result<Vec<()>, CheckError>>()
    })?;

    let mut tasks = tasks.into_iter();
    let reports = operations.iter().map(|operation| {
        let mut report = OperationReport {
            operation: operation.name,
            modes: operation.modes.len(),
            inputs: 0,
            checked: 0,
            checked_before: 0,
            differences: 0,
            first_difference: None,
            seconds: 0.0,
        };
        for task in tasks.by_ref().take(operation.modes.len()) {
            let progress = task.progress.into_inner().unwrap_or_else(PoisonError::into_inner);
            report.inputs += task.range.end - task.range.start;
            report.checked += progress.checked.count(task.range.start, task.range.end) + progress.faulty;
            report.checked_before += task.before;
            report.differences += progress.differences;
            report.seconds += progress.checked.seconds;
            if let (None, Some(first)) = (&report.first_difference, progress.first) {
                report.first_difference = Some(format!("{}: {first}", task.mode.name));
            }
        }
        report
    });
    Ok(reports.collect())
}

fn all_modes(operations: &[Operation]) -> impl Iterator<Item = &Mode> {
    operations.iter().flat_map(|operation| &operation.modes)
}
