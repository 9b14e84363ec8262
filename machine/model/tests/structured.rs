//! Structured programs, thread by thread: with masks and stack, the model handles branches, loops, breaks, calls,
//! returns and exits exactly as each thread alone would.
//!
//! Programs are generated at random as trees of statements. A tree yields both the text that the model runs and the
//! input of an interpreter, which walks the tree with one thread and has neither masks nor a stack of entries. At the
//! end all registers of all threads are compared.

mod common;

use common::kernel;
use flexgrip_machine::{Configuration, EntryKind, Launch, RegisterPart, Retire, StackOperation};
use flexgrip_model::Machine;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::fmt::Write;

// ---- Programs ----

/// NE (`holds`) or EQ on a condition-code register.
#[derive(Clone, Copy, Debug)]
struct Condition {
    codes: usize,
    holds: bool,
}

#[derive(Clone, Copy, Debug)]
enum RegisterOperation {
    Set { d: usize, value: u32 },
    Add { d: usize, a: usize, c: usize },
    Xor { d: usize, a: usize, b: usize },
    Left { d: usize, a: usize, count: u32 },
    Right { d: usize, a: usize, count: u32 },
    ToAddress { address: usize, a: usize },
    AddAddress { address: usize, value: u16 },
    FromAddress { d: usize, address: usize },
    ToCodes { codes: usize, a: usize },
}

/// The instruction with `.S`, if it is not a NOP: every thread executes it once.
type Joining = Option<(RegisterOperation, Option<Condition>)>;

#[derive(Clone, Debug)]
enum Statement {
    Compute(RegisterOperation, Option<Condition>),
    /// Writes a condition-code register: S if the comparison holds, else Z.
    Compare {
        codes: usize,
        a: usize,
        b: usize,
        how: usize,
    },
    If {
        condition: Condition,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
        joining: Joining,
    },
    /// An if whose branch goes directly to the join.
    Unless {
        condition: Condition,
        body: Vec<Statement>,
        joining: Joining,
    },
    /// A loop that runs until a break, return or exit.
    Loop(Vec<Statement>),
    /// A loop that runs once, and again while the condition holds.
    Repeat(Vec<Statement>, Condition),
    Break(Option<Condition>),
    Return(Option<Condition>),
    /// KIL.
    Exit(Option<Condition>),
    /// An instruction with the exit marker.
    Last(RegisterOperation, Option<Condition>),
    Call(usize),
}

const COMPARISONS: [&str; 6] = ["LT", "EQ", "LE", "GT", "NE", "GE"];
/// Registers that programs compute with. R0 is the thread's number; others count iterations and calls.
const VALUES: std::ops::RangeInclusive<usize> = 2..=5;
const ONE: usize = 6;
const SCRATCH: usize = 7;
const FIRST_COUNTER: usize = 8;
const REGISTERS: usize = 128;

/// The first function is the kernel.
#[derive(Debug)]
struct Program {
    functions: Vec<Vec<Statement>>,
}

// ---- Generation ----

struct Generator {
    random: ChaCha8Rng,
    functions: usize,
    next_counter: usize,
    /// The condition-code register of the latest comparison.
    compared: usize,
}

/// The context of a statement.
#[derive(Clone, Copy)]
struct StatementContext {
    depth: u32,
    in_loop: bool,
    in_branch: bool,
}

impl Generator {
    fn value(&mut self) -> usize {
        self.random.gen_range(VALUES)
    }

    fn condition(&mut self) -> Condition {
        Condition {
            codes: if self.random.gen_bool(0.7) {
                self.compared
            } else {
                self.random.gen_range(0..4)
            },
            holds: self.random.gen(),
        }
    }

    /// Usually a condition: a path that always ends hides the code after it.
    fn perhaps(&mut self) -> Option<Condition> {
        let condition = self.condition();
        self.random.gen_bool(0.95).then_some(condition)
    }

    fn step(&mut self) -> RegisterOperation {
        let (d, a) = (self.value(), self.value());
        // The thread's number is mixed in repeatedly, so that threads stay different.
        let b = if self.random.gen_bool(0.4) { 0 } else { self.value() };
        let count = self.random.gen_range(0..4);
        let address = self.random.gen_range(1..=4);
        match self.random.gen_range(0..10) {
            0..=2 => RegisterOperation::Add { d, a, c: b },
            3..=4 => RegisterOperation::Xor { d, a, b },
            5 => RegisterOperation::Left { d, a, count },
            6 => RegisterOperation::Right { d, a, count },
            7 => RegisterOperation::ToAddress { address, a },
            8 => RegisterOperation::AddAddress {
                address,
                value: self.random.gen(),
            },
            _ => match self.random.gen_range(0..3) {
                0 => RegisterOperation::ToCodes {
                    codes: self.random.gen_range(0..4),
                    a,
                },
                _ => RegisterOperation::FromAddress { d, address },
            },
        }
    }

    fn guarded(&mut self) -> (RegisterOperation, Option<Condition>) {
        let condition = self.condition();
        (self.step(), self.random.gen_bool(0.4).then_some(condition))
    }

    fn compare(&mut self) -> Statement {
        self.compared = self.random.gen_range(0..4);
        Statement::Compare {
            codes: self.compared,
            a: self.value(),
            b: if self.random.gen_bool(0.4) { 0 } else { self.value() },
            how: self.random.gen_range(0..COMPARISONS.len()),
        }
    }

    fn counter(&mut self) -> Option<usize> {
        (self.next_counter < REGISTERS).then(|| {
            self.next_counter += 1;
            self.next_counter - 1
        })
    }

    /// Adds one to a counter and compares it with a number from 0 to 3, chosen by the thread's value; the condition
    /// holds once the counter is above it.
    fn count(&mut self, counter: usize) -> (Vec<Statement>, Condition) {
        let (codes, a) = (self.random.gen_range(0..4), self.value());
        let count = |step| Statement::Compute(step, None);
        let statements = vec![
            count(RegisterOperation::Add {
                d: counter,
                a: counter,
                c: ONE,
            }),
            count(RegisterOperation::Left {
                d: SCRATCH,
                a,
                count: 30,
            }),
            count(RegisterOperation::Right {
                d: SCRATCH,
                a: SCRATCH,
                count: 30,
            }),
            Statement::Compare {
                codes,
                a: counter,
                b: SCRATCH,
                how: 3,
            },
        ];
        (statements, Condition { codes, holds: true })
    }

    fn block(&mut self, place: StatementContext) -> Vec<Statement> {
        let place = StatementContext {
            depth: place.depth + 1,
            ..place
        };
        let mut block = Vec::new();
        for _ in 0..self.random.gen_range(1..=4) {
            self.statement(place, &mut block);
        }
        block
    }

    fn statement(&mut self, place: StatementContext, block: &mut Vec<Statement>) {
        let nested = place.depth < 4;
        match self.random.gen_range(0..27) {
            0..=5 => {
                let (step, guard) = self.guarded();
                block.push(Statement::Compute(step, guard));
            }
            6..=7 => block.push(self.compare()),
            8..=11 if nested => {
                block.push(self.compare());
                let inside = StatementContext {
                    in_branch: true,
                    ..place
                };
                let (step, guard) = self.guarded();
                let joining = self.random.gen_bool(0.4).then_some((step, guard));
                let condition = self.condition();
                let then = self.block(inside);
                block.push(if self.random.gen_bool(0.3) {
                    Statement::Unless {
                        condition,
                        body: then,
                        joining,
                    }
                } else {
                    Statement::If {
                        condition,
                        then,
                        otherwise: if self.random.gen_bool(0.7) {
                            self.block(inside)
                        } else {
                            Vec::new()
                        },
                        joining,
                    }
                });
            }
            12..=14 if nested => {
                let Some(counter) = self.counter() else { return };
                let (mut body, over) = self.count(counter);
                body.push(Statement::Break(Some(over)));
                body.extend(self.block(StatementContext { in_loop: true, ..place }));
                block.push(Statement::Compute(
                    RegisterOperation::Set { d: counter, value: 0 },
                    None,
                ));
                block.push(Statement::Loop(body));
            }
            15..=16 if nested => {
                let Some(counter) = self.counter() else { return };
                let mut body = self.block(StatementContext {
                    in_branch: true,
                    ..place
                });
                let (count, over) = self.count(counter);
                body.extend(count);
                let again = Condition { holds: false, ..over };
                block.push(Statement::Compute(
                    RegisterOperation::Set { d: counter, value: 0 },
                    None,
                ));
                block.push(Statement::Repeat(body, again));
            }
            17..=18 if place.in_loop => {
                block.push(self.compare());
                block.push(Statement::Break(self.perhaps()));
            }
            19 => {
                block.push(self.compare());
                block.push(Statement::Return(self.perhaps()));
            }
            20..=22 if place.in_branch => {
                block.push(self.compare());
                let condition = self.condition();
                block.push(match self.random.gen_range(0..12) {
                    0 => Statement::Exit(None),
                    1 => {
                        let (step, guard) = self.guarded();
                        Statement::Last(step, guard)
                    }
                    _ => Statement::Exit(Some(condition)),
                });
            }
            23.. if self.functions > 1 => block.push(Statement::Call(self.random.gen_range(1..self.functions))),
            _ => {
                let (step, guard) = self.guarded();
                block.push(Statement::Compute(step, guard));
            }
        }
    }

    fn program(seed: u64) -> Program {
        let mut generator = Generator {
            random: ChaCha8Rng::seed_from_u64(seed),
            functions: 0,
            next_counter: FIRST_COUNTER,
            compared: 0,
        };
        generator.functions = generator.random.gen_range(1..=4);
        let place = StatementContext {
            depth: 0,
            in_loop: false,
            in_branch: false,
        };
        let mut functions = Vec::new();
        for function in 0..generator.functions {
            let mut body = if function == 0 {
                let mut steps = vec![RegisterOperation::Set { d: ONE, value: 1 }];
                for d in VALUES {
                    // Small, so that comparisons differ between threads.
                    let value = generator.random.gen_range(0..64);
                    let count = generator.random.gen_range(0..3);
                    steps.extend([
                        RegisterOperation::Set { d: SCRATCH, value },
                        RegisterOperation::Left { d, a: 0, count },
                        RegisterOperation::Xor { d, a: d, b: SCRATCH },
                    ]);
                }
                steps.into_iter().map(|step| Statement::Compute(step, None)).collect()
            } else {
                // Any function may call any other: after about three calls they return at once.
                let counter = generator.counter().expect("the first counters");
                let (mut count, over) = generator.count(counter);
                count.push(Statement::Return(Some(over)));
                count
            };
            for _ in 0..if function == 0 { 5 } else { 2 } {
                body.extend(generator.block(place));
            }
            functions.push(body);
        }
        Program { functions }
    }
}

// ---- As text ----

#[derive(Default)]
struct Text {
    text: String,
    labels: usize,
}

fn guard(condition: Option<Condition>) -> String {
    condition.map_or(String::new(), |condition| format!(" ({})", shown(condition)))
}

fn shown(Condition { codes, holds }: Condition) -> String {
    format!("C{codes}.{}", if holds { "NE" } else { "EQ" })
}

fn step_text(step: RegisterOperation, marker: &str, condition: Option<Condition>) -> String {
    let (m, g) = (marker, guard(condition));
    match step {
        // MVI has neither condition nor marker.
        RegisterOperation::Set { d, value } => format!("MVI R{d}, {value:#x}"),
        RegisterOperation::Add { d, a, c } => format!("IADD{m} R{d}{g}, R{a}, R{c}"),
        RegisterOperation::Xor { d, a, b } => format!("LOP{m}.XOR R{d}{g}, R{a}, R{b}"),
        RegisterOperation::Left { d, a, count } => format!("SHL{m} R{d}{g}, R{a}, {count}"),
        RegisterOperation::Right { d, a, count } => format!("SHR{m} R{d}{g}, R{a}, {count}"),
        RegisterOperation::ToAddress { address, a } => format!("R2A{m} A{address}{g}, R{a}, 1"),
        RegisterOperation::AddAddress { address, value } => format!("ADA{m} A{address}{g}, A{address}, {value:#x}"),
        RegisterOperation::FromAddress { d, address } => format!("A2R{m} R{d}{g}, A{address}"),
        RegisterOperation::ToCodes { codes, a } => format!("R2C{m} C{codes}{g}, R{a}"),
    }
}

impl Text {
    fn line(&mut self, line: impl AsRef<str>) {
        writeln!(self.text, "    {}", line.as_ref()).expect("a String takes all");
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("label{}", self.labels)
    }

    fn here(&mut self, label: &str) {
        writeln!(self.text, "{label}:").expect("a String takes all");
    }

    fn flow(&mut self, mnemonic: &str, condition: Option<Condition>) {
        let condition = condition.map_or(String::new(), shown);
        self.line(format!("{mnemonic} {condition}"));
    }

    fn block(&mut self, block: &[Statement]) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Compute(step, condition) => self.line(step_text(*step, "", *condition)),
            Statement::Compare { codes, a, b, how } => {
                self.line(format!("ISET.C{codes} o[0x7f], R{a}, R{b}, {}", COMPARISONS[*how]));
            }
            Statement::If {
                condition,
                then,
                otherwise,
                joining,
            } => {
                let (taken, join) = (self.label(), self.label());
                self.line(format!("SSY {join}"));
                self.line(format!("BRA {}, {taken}", shown(*condition)));
                self.block(otherwise);
                self.line(format!("BRA {join}"));
                self.here(&taken);
                self.block(then);
                self.here(&join);
                self.joining(*joining);
            }
            Statement::Unless {
                condition,
                body,
                joining,
            } => {
                let join = self.label();
                self.line(format!("SSY {join}"));
                self.line(format!("BRA {}, {join}", shown(*condition)));
                self.block(body);
                self.here(&join);
                self.joining(*joining);
            }
            Statement::Loop(body) => {
                let (again, out) = (self.label(), self.label());
                self.line(format!("PBK {out}"));
                self.here(&again);
                self.block(body);
                self.line(format!("BRA {again}"));
                self.here(&out);
            }
            Statement::Repeat(body, condition) => {
                let (again, join) = (self.label(), self.label());
                self.line(format!("SSY {join}"));
                self.here(&again);
                self.block(body);
                self.line(format!("BRA {}, {again}", shown(*condition)));
                self.here(&join);
                self.joining(None);
            }
            Statement::Break(condition) => self.flow("BRK", *condition),
            Statement::Return(condition) => self.flow("RET", *condition),
            Statement::Exit(condition) => self.flow("KIL", *condition),
            Statement::Last(step, condition) => self.line(step_text(*step, ".EXIT", *condition)),
            Statement::Call(function) => self.line(format!("CAL function{function}")),
        }
    }

    fn joining(&mut self, joining: Joining) {
        match joining {
            Some((step, condition)) => self.line(step_text(step, ".S", condition)),
            None => self.line("NOP.S"),
        }
    }
}

impl Program {
    fn text(&self) -> String {
        let mut text = Text::default();
        for (number, body) in self.functions.iter().enumerate() {
            text.here(&format!("function{number}"));
            text.block(body);
            text.line("RET");
        }
        text.text
    }
}

// ---- Thread by thread ----

/// The state of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Thread {
    registers: [u32; REGISTERS],
    codes: [u8; 4],
    /// A1 to A4.
    address: [u16; 4],
}

impl Thread {
    fn new(number: u32) -> Self {
        let mut registers = [0; REGISTERS];
        registers[0] = number;
        Thread {
            registers,
            codes: [0; 4],
            address: [0; 4],
        }
    }
}

/// The way in which a thread leaves a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Next,
    Break,
    Return,
    Exit,
}

struct Interpreter<'a> {
    program: &'a Program,
    thread: Thread,
    /// Statements left, as a limit for programs that do not end.
    left: u32,
}

impl Interpreter<'_> {
    fn holds(&self, condition: Option<Condition>) -> bool {
        let Some(Condition { codes, holds }) = condition else {
            return true;
        };
        let (zero, sign) = (self.thread.codes[codes] & 1 != 0, self.thread.codes[codes] & 2 != 0);
        if holds {
            !zero
        } else {
            zero && !sign
        }
    }

    fn step(&mut self, step: RegisterOperation, condition: Option<Condition>) {
        if !self.holds(condition) {
            return;
        }
        let Thread {
            registers: r,
            codes: c,
            address: x,
        } = &mut self.thread;
        match step {
            RegisterOperation::Set { d, value } => r[d] = value,
            RegisterOperation::Add { d, a, c } => r[d] = r[a].wrapping_add(r[c]),
            RegisterOperation::Xor { d, a, b } => r[d] = r[a] ^ r[b],
            RegisterOperation::Left { d, a, count } => r[d] = r[a] << count,
            RegisterOperation::Right { d, a, count } => r[d] = r[a] >> count,
            RegisterOperation::ToAddress { address, a } => x[address - 1] = (r[a] << 1) as u16,
            RegisterOperation::AddAddress { address, value } => x[address - 1] = x[address - 1].wrapping_add(value),
            RegisterOperation::FromAddress { d, address } => r[d] = u32::from(x[address - 1]),
            RegisterOperation::ToCodes { codes, a } => c[codes] = (r[a] & 15) as u8,
        }
    }

    fn block(&mut self, block: &[Statement]) -> Flow {
        for statement in block {
            let flow = self.statement(statement);
            if flow != Flow::Next {
                return flow;
            }
        }
        Flow::Next
    }

    fn statement(&mut self, statement: &Statement) -> Flow {
        self.left = self.left.checked_sub(1).expect("a program that ends");
        let leaving = |holds, flow| if holds { flow } else { Flow::Next };
        match statement {
            Statement::Compute(step, condition) => {
                self.step(*step, *condition);
                Flow::Next
            }
            Statement::Compare { codes, a, b, how } => {
                let (a, b) = (self.thread.registers[*a], self.thread.registers[*b]);
                let truth = [a < b, a == b, a <= b, a > b, a != b, a >= b][*how];
                self.thread.codes[*codes] = if truth { 2 } else { 1 };
                Flow::Next
            }
            Statement::If {
                condition,
                then,
                otherwise,
                joining,
            } => {
                let side = if self.holds(Some(*condition)) { then } else { otherwise };
                self.branch(side, *joining)
            }
            Statement::Unless {
                condition,
                body,
                joining,
            } => {
                let side = if self.holds(Some(*condition)) { &[] } else { &body[..] };
                self.branch(side, *joining)
            }
            Statement::Loop(body) => loop {
                match self.block(body) {
                    Flow::Next => {}
                    Flow::Break => return Flow::Next,
                    flow => return flow,
                }
            },
            Statement::Repeat(body, condition) => loop {
                let flow = self.block(body);
                if flow != Flow::Next || !self.holds(Some(*condition)) {
                    return flow;
                }
            },
            Statement::Break(condition) => leaving(self.holds(*condition), Flow::Break),
            Statement::Return(condition) => leaving(self.holds(*condition), Flow::Return),
            Statement::Exit(condition) => leaving(self.holds(*condition), Flow::Exit),
            Statement::Last(step, condition) => {
                self.step(*step, *condition);
                Flow::Exit
            }
            Statement::Call(function) => match self.block(&self.program.functions[*function]) {
                Flow::Exit => Flow::Exit,
                Flow::Next | Flow::Return => Flow::Next,
                Flow::Break => panic!("a break out of a function"),
            },
        }
    }

    fn branch(&mut self, side: &[Statement], joining: Joining) -> Flow {
        let flow = self.block(side);
        if flow == Flow::Next {
            if let Some((step, condition)) = joining {
                self.step(step, condition);
            }
        }
        flow
    }
}

// ---- Compared ----

/// Replays a record into the state of a warp's threads.
fn replay(threads: &mut [Thread], record: &Retire) {
    let first = 32 * record.warp_in_block as usize;
    let lanes = (0..32).filter(|lane| record.executed >> lane & 1 == 1);
    for lane in lanes {
        let thread = &mut threads[first + lane];
        if let Some(write) = &record.destination {
            assert_eq!(write.part, RegisterPart::Full);
            thread.registers[usize::from(write.register)] = write.values[lane];
        }
        if let Some(write) = &record.cc {
            thread.codes[usize::from(write.register)] = write.values[lane];
        }
        if let Some(write) = &record.address {
            thread.address[usize::from(write.register) - 1] = write.values[lane];
        }
    }
}

/// Counts the events in the model, to show that they have been tested.
fn count(events: &mut BTreeMap<&'static str, u32>, record: &Retire, calls: bool) {
    let mut event = |name| *events.entry(name).or_default() += 1;
    for operation in &record.stack {
        event(match operation {
            StackOperation::Push(entry) => match entry.kind {
                EntryKind::Join => "push join",
                EntryKind::Diverged => "push diverged",
                EntryKind::Call => "push call",
                EntryKind::Break => "push break",
            },
            StackOperation::Pop(_) => "pop",
        });
    }
    let some = record.executed != 0 && record.executed != record.active;
    match (record.word as u32 >> 28, record.word & 3) {
        (0x3, 3) if some && calls => event("some return from a program with calls"),
        (0x5, 3) if some => event("some break"),
        (0x0, 3) if some => event("some exit"),
        _ => {}
    }
    if record.stack.len() > 2 && record.next.pc.is_some() {
        event("several entries popped at once");
    }
}

#[test]
fn warp_equals_its_threads_run_separately() {
    const PROGRAMS: u64 = 4000;
    let mut events = BTreeMap::new();
    for seed in 0..PROGRAMS {
        let program = Generator::program(seed);
        let text = program.text();
        // A full warp, a partial one, and a full one with a partial one.
        let number = [32, 7, 45, 1][seed as usize % 4];
        let launch = Launch {
            registers: REGISTERS as u32,
            ..kernel(number, &text).launch
        };
        let mut machine = Machine::new(launch, Configuration::default()).expect("a launch that fits");
        let mut threads: Vec<_> = (0..number).map(Thread::new).collect();
        machine
            .run_observed(1_000_000, |record| {
                replay(&mut threads, record);
                count(&mut events, record, program.functions.len() > 1);
            })
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        for (number, got) in (0..).zip(&threads) {
            let mut interpreter = Interpreter {
                program: &program,
                thread: Thread::new(number),
                left: 1_000_000,
            };
            let flow = interpreter.block(&program.functions[0]);
            assert_ne!(flow, Flow::Break);
            let want = &interpreter.thread;
            for (register, (want, got)) in want.registers.iter().zip(&got.registers).enumerate() {
                assert!(
                    want == got,
                    "seed {seed}, thread {number}: R{register} is {got:08x}, not {want:08x}\n{text}"
                );
            }
            assert!(
                (want.codes, want.address) == (got.codes, got.address),
                "seed {seed}, thread {number}: {got:?}, not {want:?}\n{text}"
            );
        }
    }
    println!("{PROGRAMS} programs: {events:?}");
    for (event, least) in [
        ("push join", 20_000),
        ("push diverged", 10_000),
        ("push call", 20_000),
        ("push break", 20_000),
        ("some return from a program with calls", 5_000),
        ("some break", 10_000),
        ("some exit", 500),
        ("several entries popped at once", 500),
    ] {
        assert!(
            events.get(event).is_some_and(|&count| count > least),
            "{event}: {events:?}"
        );
    }
}
