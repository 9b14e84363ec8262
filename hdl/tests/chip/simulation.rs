//! Compares rust-hdl's own simulator with the cycle engine: both run the whole chip with the same stimulus, and every
//! output port must be equal in every cycle of a launch. Also runs rust-hdl's own checks of the whole chip.
//!
//! A host loads program, constants and data over the bus, starts the grid, and reads the results back. That exercises
//! the host interface, the block scheduler, the SM and both users of the memory port.

use flexgrip_hdl::big_stack::on_big_stack;
use flexgrip_hdl::chip::gpgpu::Gpgpu;
use flexgrip_machine::host_map as map;
use hdlkit::prelude::*;
use rust_hdl_core::atom::{Atom, AtomKind};
use rust_hdl_core::check_connected::check_connected;
use rust_hdl_core::check_error::CheckError;
use rust_hdl_core::check_logic_loops::check_logic_loops;
use rust_hdl_core::check_write_inputs::check_inputs_not_written;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const LANES: usize = 8;
type Chip = Gpgpu<LANES, 2>;

/// Time limit, far longer than the run takes, after which the simulator's threads count as deadlocked.
const DEADLOCK: Duration = Duration::from_secs(600);
/// Half a period of the clock, in rust-hdl's picoseconds.
const HALF_PERIOD: u64 = 5_000;
/// Maximum cycles of the run.
const CYCLE_LIMIT: u64 = 20_000;
/// Cycles from a read of global memory to its answer.
const LATENCY: u64 = 5;

/// Runs `work` on a big stack. A panic or a deadlock in it fails the test.
fn in_time(work: impl FnOnce() + Send + 'static) {
    let (done, wait) = channel();
    // The receiver is gone only if the test has already failed.
    std::thread::spawn(move || done.send(on_big_stack(work)));
    match wait.recv_timeout(DEADLOCK) {
        Ok(result) => result.expect("no panic"),
        Err(_) => panic!("deadlock: no end within {DEADLOCK:?}"),
    }
}

/// All output ports of the outermost block by name, in hexadecimal.
#[derive(Default)]
struct Outputs {
    depth: usize,
    ports: Vec<(String, String)>,
}

impl Probe for Outputs {
    fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth += 1;
    }
    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        if self.depth == 1 && signal.kind() == AtomKind::OutputParameter {
            self.ports.push((name.to_string(), format!("{:x}", signal.verilog())));
        }
    }
    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth -= 1;
    }
}

fn outputs(chip: &Chip) -> Vec<(String, String)> {
    let mut outputs = Outputs::default();
    chip.accept("chip", &mut outputs);
    outputs.ports
}

/// The chip's inputs in one cycle.
#[derive(Clone, Copy, Default)]
struct Inputs {
    /// The address, and for a write the data.
    transfer: Option<(u32, Option<u32>)>,
    ready: bool,
    response: Option<[u32; LANES]>,
}

impl Inputs {
    fn apply(&self, chip: &mut Chip) {
        let (address, data) = self.transfer.unwrap_or_default();
        chip.host.cycle.next = self.transfer.is_some();
        chip.host.strobe.next = self.transfer.is_some();
        chip.host.write.next = data.is_some();
        chip.host.address.next = u64::from(address).into();
        chip.host.write_data.next = u64::from(data.unwrap_or(0)).into();
        chip.memory.request_ready.next = self.ready;
        chip.memory.response_valid.next = self.response.is_some();
        for (signal, word) in chip.memory.response_data.iter_mut().zip(self.response.unwrap_or_default()) {
            signal.next = u64::from(word).into();
        }
    }
}

/// The host's next action.
#[derive(Clone, Copy)]
enum HostAction {
    Write(u32, u32),
    Read(u32),
    Interrupt,
}

/// A host with a list of steps, and global memory.
struct Bench {
    steps: VecDeque<HostAction>,
    read: Vec<u32>,
    memory: Vec<u32>,
    answers: VecDeque<(u64, [u32; LANES])>,
    cycle: u64,
    inputs: Inputs,
}

impl Bench {
    /// The inputs of this cycle; `None` when all steps are done.
    fn inputs(&mut self) -> Option<Inputs> {
        let transfer = match self.steps.front()? {
            HostAction::Write(address, data) => Some((*address, Some(*data))),
            HostAction::Read(address) => Some((*address, None)),
            HostAction::Interrupt => None,
        };
        let due = self.answers.front().is_some_and(|(cycle, _)| *cycle == self.cycle);
        self.inputs = Inputs {
            transfer,
            // Memory is not always ready, so some requests wait.
            ready: self.cycle % 5 != 0,
            response: if due { self.answers.pop_front().map(|(_, words)| words) } else { None },
        };
        Some(self.inputs)
    }

    /// Samples the settled outputs at the end of the cycle.
    fn sample(&mut self, chip: &Chip) {
        assert!(!chip.host.error.val(), "cycle {}: the bus refused a transfer", self.cycle);
        let acknowledge = chip.host.acknowledge.val();
        match self.steps.front() {
            Some(HostAction::Read(_)) if acknowledge => {
                self.read.push(chip.host.read_data.val().raw() as u32);
                self.steps.pop_front();
            }
            Some(HostAction::Write(..)) if acknowledge => {
                self.steps.pop_front();
            }
            Some(HostAction::Interrupt) if chip.interrupt.val() => {
                self.steps.pop_front();
            }
            _ => {}
        }
        if chip.memory.request_valid.val() && self.inputs.ready {
            let first = chip.memory.request_address.val().index() / 4;
            let line = &mut self.memory[first..first + LANES];
            if chip.memory.request_write.val() {
                for (i, word) in line.iter_mut().enumerate() {
                    let data = (chip.memory.request_data[i].val().raw() as u32).to_le_bytes();
                    let mut bytes = word.to_le_bytes();
                    for (b, byte) in bytes.iter_mut().enumerate() {
                        if chip.memory.request_enable[i].val().get_bit(b) {
                            *byte = data[b];
                        }
                    }
                    *word = u32::from_le_bytes(bytes);
                }
            } else {
                let words = std::array::from_fn(|i| line[i]);
                self.answers.push_back((self.cycle + LATENCY, words));
            }
        }
        self.cycle += 1;
    }
}

/// Each thread counts its word down to 0 and sums the odd numbers, and 1 for each even one: the threads of a warp
/// diverge in the loop's trip count and in the path through it. The result passes through shared memory.
const KERNEL: &str = "
.kernel countdown
.registers 8
.param data
    I2I.U32.U16 R1, R0L
    I2I.U32.U16 R2, g[1].U16
    I2I.U32.U16 R3, g[6].U16
    IMAD.U24 R1, R3, R2, R1
    SHL R2, R1, 2
    IADD R2, g[data], R2
    GLD.U32 R3, global14[R2]
    MVI R4, 0
    SSY done
again:
    ISET.C0 o[0x7f], R3, R124, EQ
    BRA C0.NE, done
        SSY join
        LOP.AND.C1 o[0x7f], R3, c[1][0]
        BRA C1.EQ, even
        IADD R4, R4, R3
        BRA join
    even:
        IADD32I R4, R4, 1
    join:
        NOP.S
    IADD32I R3, R3, -1
    BRA again
done:
    NOP.S
    R2A A1, R1, 2
    R2G.U32.U32 g[A1+0x10], R4
    IADD R4, g[A1+0x10], R124
    IADD R5, g[A1+++0x1], R124
    GST.U32 global14[R2], R4
    NOP.EXIT
";

const DATA: u32 = 0x80;
const BLOCK: u32 = 40;
const GRID: u32 = 2;

fn word_before(thread: u32) -> u32 {
    thread * 7 % 5
}

fn word_after(thread: u32) -> u32 {
    (1..=word_before(thread)).map(|n| if n % 2 == 1 { n } else { 1 }).sum()
}

fn bench() -> Bench {
    let program = flexgrip_isa::assemble(KERNEL, "countdown").unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut steps = VecDeque::from([HostAction::Read(map::ID)]);
    let mut write = |address, data| steps.push_back(HostAction::Write(address, data));
    for (index, &word) in (0..).zip(&program.words) {
        write(map::INSTRUCTION_BASE + 4 * index, word);
    }
    write(map::CONSTANT_BASE + 4096, 1);
    for thread in 0..GRID * BLOCK {
        write(map::GLOBAL_BASE + DATA + 4 * thread, word_before(thread));
    }
    for (address, data) in [
        (map::PARAMETER_BASE, DATA),
        (map::ENTRY, program.kernels[0].entry),
        (map::CODE_END, program.words.len() as u32 * 4),
        (map::REGISTER_COUNT, program.kernels[0].registers),
        (map::SHARED_ROWS, 16),
        (map::PARAMETER_COUNT, 1),
        (map::GRID_X, GRID),
        (map::GRID_Y, 1),
        (map::BLOCK_X, BLOCK),
        (map::BLOCK_Y, 1),
        (map::BLOCK_Z, 1),
        (map::BLOCK_THREADS, BLOCK),
        (map::BLOCKS_PER_SM, 2),
        (map::GLOBAL_END, 4096),
        (map::CONTROL, map::CONTROL_START),
    ] {
        write(address, data);
    }
    steps.push_back(HostAction::Interrupt);
    steps.push_back(HostAction::Read(map::STATUS));
    steps.push_back(HostAction::Read(map::ERROR_CODE));
    for thread in 0..GRID * BLOCK {
        steps.push_back(HostAction::Read(map::GLOBAL_BASE + DATA + 4 * thread));
    }
    Bench {
        steps,
        read: Vec::new(),
        memory: vec![0; 1024],
        answers: VecDeque::new(),
        cycle: 0,
        inputs: Inputs::default(),
    }
}

/// Counts the simulator's passes over the circuit until it has settled. It gives up after 100 passes, a limit fixed in
/// `Simulation::dispatch`.
#[derive(Default)]
struct Passes {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Passes {
    fn pass(&self) {
        self.now.fetch_add(1, Ordering::Relaxed);
    }
    /// The circuit has settled.
    fn settled(&self) {
        let passes = self.now.swap(0, Ordering::Relaxed);
        self.most.fetch_max(passes, Ordering::Relaxed);
    }
}

/// The results of the test bench on the simulator's threads.
#[derive(Default)]
struct Outcome {
    cycles: u64,
    difference: Option<String>,
    /// Number of output ports, and how many of them took more than one value.
    ports: usize,
    moved: usize,
    read: Vec<u32>,
}

#[test]
fn rust_hdls_simulation_and_the_cycle_engine_agree() {
    in_time(|| {
        let native = Mutex::new(Some((CycleEngine::new(Box::new(Chip::new())), bench())));
        let outcome = Arc::new(Mutex::new(Outcome::default()));
        let passes = Arc::new(Passes::default());
        let result = {
            let outcome = outcome.clone();
            let mut simulation = Simulation::<Chip>::new();
            let counted = passes.clone();
            simulation.add_custom_logic(move |_| counted.pass());
            let counted = passes.clone();
            simulation.add_clock(HALF_PERIOD, move |chip| {
                counted.settled();
                chip.clock.next = !chip.clock.val();
            });
            let counted = passes.clone();
            simulation.add_testbench(move |mut sim: Sim<Chip>| {
                let (mut engine, mut bench) = native.lock().unwrap().take().expect("one test bench");
                let mut chip = sim.init()?;
                let mut first = Vec::new();
                let mut moved = Vec::new();
                // Inputs change while the clock is high and have settled when it falls; then outputs are compared.
                while let Some(inputs) = bench.inputs().filter(|_| bench.cycle < CYCLE_LIMIT) {
                    counted.settled();
                    inputs.apply(&mut engine.block);
                    inputs.apply(&mut chip);
                    engine.settle();
                    chip = sim.watch(|chip| !chip.clock.val().clk, chip)?;
                    counted.settled();
                    let (mine, theirs) = (outputs(&engine.block), outputs(&chip));
                    if first.is_empty() {
                        first = mine.clone();
                        moved = vec![false; first.len()];
                    }
                    for (moved, (now, first)) in moved.iter_mut().zip(mine.iter().zip(&first)) {
                        *moved |= now != first;
                    }
                    let difference = mine.iter().zip(&theirs).find(|(mine, theirs)| mine != theirs);
                    let mut outcome = outcome.lock().unwrap();
                    outcome.cycles = bench.cycle + 1;
                    if let Some(((port, mine), (_, theirs))) = difference {
                        outcome.difference = Some(format!(
                            "cycle {}: `{port}` is {mine} under the cycle engine and {theirs} under Simulation",
                            bench.cycle
                        ));
                        drop(outcome);
                        return sim.halt(chip);
                    }
                    drop(outcome);
                    bench.sample(&engine.block);
                    engine.tick();
                    chip = sim.watch(|chip| chip.clock.val().clk, chip)?;
                }
                let mut outcome = outcome.lock().unwrap();
                outcome.ports = moved.len();
                outcome.moved = moved.iter().filter(|&&moved| moved).count();
                outcome.read = bench.read;
                drop(outcome);
                sim.done(chip)
            });
            simulation.run(Box::new(Chip::new()), 2 * HALF_PERIOD * (CYCLE_LIMIT + 2))
        };
        let outcome = outcome.lock().unwrap();
        if let Some(difference) = &outcome.difference {
            panic!("{difference}");
        }
        if let Err(error) = result {
            panic!("Simulation fails after {} equal cycles: {error:?}", outcome.cycles);
        }
        let expected: Vec<u32> =
            [map::ID_VALUE, map::STATUS_DONE, 0].into_iter().chain((0..GRID * BLOCK).map(word_after)).collect();
        assert_eq!(outcome.read, expected, "the host reads the expected words in {} cycles", outcome.cycles);
        // A run with little activity would prove little.
        assert!(outcome.cycles > 500, "only {} cycles", outcome.cycles);
        assert!(outcome.moved * 10 > outcome.ports * 9, "{} of {} ports moved", outcome.moved, outcome.ports);
        println!(
            "{} output ports equal in {} cycles; {} of them took more than one value; at most {} passes to settle",
            outcome.ports,
            outcome.cycles,
            outcome.moved,
            passes.most.load(Ordering::Relaxed)
        );
    });
}

#[test]
fn rust_hdls_checks_accept_the_whole_chip() {
    on_big_stack(|| {
        let mut chip = Box::new(Chip::new());
        chip.connect_all();
        let mut complaints = Vec::new();
        for result in [check_connected(&*chip), check_logic_loops(&*chip), check_inputs_not_written(&*chip)] {
            let (what, signals) = match result {
                Ok(()) => continue,
                Err(CheckError::OpenSignal(signals)) => ("not driven", signals.into_values().collect()),
                Err(CheckError::LogicLoops(signals)) => ("read before it is written", signals),
                Err(CheckError::WritesToInputs(signals)) => ("the block writes its own input", signals),
            };
            complaints.extend(signals.iter().map(|signal| format!("{}:{} is {what}", signal.path, signal.name)));
        }
        complaints.sort();
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    })
    .expect("no panic");
}
