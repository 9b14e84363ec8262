//! Concurrent fault simulation: the good machine is simulated once, and each faulty machine only as its differences
//! from the good one.
//!
//! ```text
//! good machine   settle ──────────────────────────────> edge
//!                  │ changes, accesses of memories        │
//!                  v                                      v
//! faulty ones    wake ──> differences, and the            differences at its end:
//!                         nodes that they reach ───────>  none? the fault is gone
//! ```
//!
//! A faulty machine is a list of the registers and words of memories that differ. In a cycle, only the nodes that
//! depend on these are computed; all others have the good machine's values. If an edge does not change the list, later
//! edges do not change it either until a value near the differences changes in the good machine: the faulty machine
//! sleeps until then. The simulation is exact: a test compares every fault with a whole machine that has
//! it.

mod agenda;
mod difference;
mod edge;
mod good;
mod overlay;
mod watch;

use crate::design::graph::{Id, Op};
use crate::design::tables::{Tables, NONE};
use crate::design::{Design, Target};
use crate::machine::{snapshot, Code};
use difference::{Force, StateDifference, StateWord, Stuck};
use edge::Edge;
use good::{written, Good};
use overlay::Overlay;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use watch::Watches;

/// The effect of a fault on the bits of a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The bits are inverted, once.
    Flip,
    /// The bits are 0 or 1 until [`Concurrent::release`].
    Stuck(bool),
    /// Until [`Concurrent::release`], a clock edge that should change a bit does not change it, and the next edge has
    /// its normal effect: the bit changes one cycle late, or not at all.
    Delayed,
}

/// A read or write of an element of a memory by the good machine in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUse {
    /// The number of the memory.
    pub memory: usize,
    /// The index of the element.
    pub element: usize,
    /// The bits that the clock edge writes, the same in each word of the element; `None` for a read, before the edge or
    /// at it, which returns the old value.
    pub written: Option<u64>,
}

/// The state of a faulty machine in the next cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The machine sleeps unless a value near it changes.
    Sleep,
    /// The machine is computed in any case: a value near it may change.
    Stay,
    /// The machine ends: it is not simulated any longer.
    End,
}

/// A faulty machine.
#[derive(Default)]
struct Machine {
    difference: StateDifference,
    stuck: Vec<Stuck>,
    state: State,
    /// The number of its current cone, from 1: entries in the watches with another number are stale.
    cone: u32,
    /// The contents of the cone: the number of differing nodes, these, the computed nodes, and memories.
    surroundings: Vec<u32>,
    /// Nodes in the cone with a watch that has been used up.
    used: Vec<u32>,
}

impl Machine {
    /// A machine that has ended.
    fn ended() -> Self {
        Machine {
            state: State::Ended,
            ..Machine::default()
        }
    }

    /// Wakes the machine; `awake`: the numbers of the machines that are awake.
    fn wake(&mut self, number: u32, awake: &mut Vec<u32>) {
        if self.state == State::Asleep {
            self.state = State::Awake;
            awake.push(number);
        }
    }

    /// True if the machine differs in the memory element that begins with the word `element`.
    fn holds(&self, memory: u32, element: u32, stride: u32) -> bool {
        let words = &self.difference.memory;
        let from = words.partition_point(|(other, at, _)| (*other, *at) < (memory, element));
        let differs = words
            .get(from)
            .is_some_and(|(other, at, _)| *other == memory && *at < element + stride);
        let is_stuck = |stuck: &Stuck| match stuck.state {
            StateWord::Memory(other, at) => other == memory && (element..element + stride).contains(&at),
            StateWord::Lasting(_) => false,
        };
        differs || self.stuck.iter().any(is_stuck)
    }
}

#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    #[default]
    Awake,
    Asleep,
    Ended,
}

/// A good machine and any number of faulty ones, in the same cycle.
pub struct Concurrent {
    code: Arc<Code>,
    tables: Tables,
    good: Good,
    overlay: Overlay,
    watches: Watches,
    machines: Vec<Machine>,
    /// The faulty machines to compute in this cycle.
    awake: Vec<u32>,
    /// For the position of each guarded output, the position of its valid bit.
    guards: FxHashMap<u32, u32>,
}

/// A faulty machine in a cycle, after settling.
pub struct Faulty<'a> {
    design: &'a Design,
    tables: &'a Tables,
    good: &'a Good,
    overlay: &'a Overlay,
    machine: &'a Machine,
    /// The machine's number.
    pub number: u32,
    /// The positions of its outputs that differ from the good machine's, unordered.
    pub differing: &'a [u32],
    /// The number of nodes computed for it in this cycle; 0 if all of them have the good machine's values.
    pub computed: usize,
}

impl Faulty<'_> {
    /// The word at a position of the ports.
    pub fn port(&self, place: usize) -> u64 {
        self.overlay.port(self.tables, self.good, place as u32)
    }

    /// The state of the faulty machine at the beginning of the cycle, for
    /// [`MachineCode::restore`](crate::MachineCode::restore).
    pub fn state(&self) -> Vec<u64> {
        save(self.design, self.tables, self.good, &self.machine.difference)
    }

    /// For each target of a delayed machine, in the order of injection, the bits whose change the last edge has
    /// delayed.
    pub fn delayed(&self) -> Vec<u128> {
        let late = |stuck: &Stuck| match stuck.force {
            Force::Late(bits) => Some(bits),
            Force::To(_) => None,
        };
        self.machine.stuck.iter().filter_map(late).collect()
    }
}

/// The saved state of a machine.
fn save(design: &Design, tables: &Tables, good: &Good, difference: &StateDifference) -> Vec<u64> {
    let mut words = Vec::new();
    let mut differing = difference.lasting.iter().peekable();
    for (number, value) in (0..).zip(&good.lasting) {
        let differs = differing.next_if(|(other, _)| *other == number);
        let value = differs.map_or(*value, |(_, value)| *value);
        let value = snapshot::kept(design, number, value);
        snapshot::push(&mut words, value, tables.lasting[number as usize].mask.count_ones());
    }
    let mut starts = vec![];
    for memory in &good.memories {
        starts.push(words.len());
        words.extend(memory);
    }
    for (memory, at, value) in &difference.memory {
        words[starts[*memory as usize] + *at as usize] = *value;
    }
    words
}

impl Concurrent {
    /// A simulation of a circuit, with all state 0 until [`Concurrent::restore`]. `guards` are pairs of the position of
    /// an output and the position of its valid bit: a sleeping machine with a different output wakes when the good
    /// machine's valid bit changes. `None` if the circuit has called blocks, which cannot be simulated here.
    pub fn new(code: Arc<Code>, guards: impl IntoIterator<Item = (usize, usize)>) -> Option<Self> {
        let design = &code.design;
        if !design.opaques.is_empty() {
            return None;
        }
        let tables = Tables::new(design);
        let words = design
            .memories
            .iter()
            .map(|memory| (memory.elements * memory.stride) as usize);
        Some(Concurrent {
            good: Good::new(&design.graph, &tables, words),
            overlay: Overlay::new(&tables),
            watches: Watches::new(&tables),
            machines: vec![],
            awake: vec![],
            guards: guards
                .into_iter()
                .map(|(place, guard)| (place as u32, guard as u32))
                .collect(),
            tables,
            code,
        })
    }

    /// Sets the good machine's state to a [saved](crate::MachineCode::save) one, and removes all faulty machines.
    /// Returns false, without a change, if there are too few words or too many.
    #[must_use]
    pub fn restore(&mut self, saved: &[u64]) -> bool {
        let design = &self.code.design;
        let Some((lasting, memories)) = snapshot::parts(design, saved) else {
            return false;
        };
        for (place, value) in self.good.lasting.iter_mut().zip(lasting) {
            *place = value;
        }
        snapshot::fill(design, &mut self.good.memories, memories);
        self.good.forget(&design.graph, &self.tables);
        self.machines.clear();
        self.awake.clear();
        self.watches = Watches::new(&self.tables);
        true
    }

    /// The good machine's state, in the format of [`MachineCode::save`](crate::MachineCode::save).
    pub fn save(&self) -> Vec<u64> {
        save(&self.code.design, &self.tables, &self.good, &StateDifference::default())
    }

    /// The state of a faulty machine, between two cycles.
    pub fn state(&self, number: u32) -> Vec<u64> {
        let difference = &self.machines[number as usize].difference;
        save(&self.code.design, &self.tables, &self.good, difference)
    }

    /// The good machine's ports.
    pub fn ports(&self) -> &[u64] {
        &self.good.ports
    }

    /// The good machine's ports, to set the inputs.
    pub fn ports_mut(&mut self) -> &mut [u64] {
        &mut self.good.ports
    }

    /// Adds a faulty machine: the good machine at the beginning of this cycle, with a fault in the masked bits of each
    /// target; the targets differ. Returns its number, counted from 0; `None` if a target does not exist, or has none
    /// of these bits.
    pub fn inject(&mut self, targets: &[(Target, u128)], effect: Effect) -> Option<u32> {
        let mut machine = Machine::default();
        let number = self.machines.len() as u32;
        for (target, mask) in targets {
            let (state, bits) = self.state_of(*target)?;
            let mask = mask & bits;
            if mask == 0 {
                return None;
            }
            let force = match effect {
                Effect::Flip => {
                    machine.difference.change(&self.good, state, |value| value ^ mask);
                    None
                }
                Effect::Stuck(one) => Some(Force::To(if one { mask } else { 0 })),
                Effect::Delayed => Some(Force::Late(0)),
            };
            if let Some(force) = force {
                let stuck = Stuck { state, mask, force };
                machine.difference.force(&self.good, &stuck);
                machine.stuck.push(stuck);
            }
            if let StateWord::Memory(memory, at) = state {
                let stride = self.tables.memories[memory as usize].stride;
                self.watches.element(memory, at / stride * stride, number);
            }
        }
        self.machines.push(machine);
        self.awake.push(number);
        Some(number)
    }

    /// The state of a target, and the bits of the mask that exist.
    fn state_of(&self, target: Target) -> Option<(StateWord, u128)> {
        match target {
            Target::FlipFlop(number) => {
                let register = self
                    .tables
                    .lasting
                    .get(number)
                    .filter(|_| number < self.tables.next.len())?;
                Some((StateWord::Lasting(number as u32), register.mask))
            }
            Target::Memory { memory, word } => {
                let ports = self.tables.memories.get(memory)?;
                self.good.memories[memory].get(word)?;
                let mask = ports.masks[word % ports.stride as usize];
                Some((StateWord::Memory(memory as u32, word as u32), mask.into()))
            }
        }
    }

    /// Releases a faulty machine's stuck or delayed bits; they keep their current values.
    pub fn release(&mut self, number: u32) {
        self.machines[number as usize].stuck.clear();
        self.wake(number);
    }

    /// Wakes a faulty machine for this cycle.
    fn wake(&mut self, number: u32) {
        self.machines[number as usize].wake(number, &mut self.awake);
    }

    /// Sets a faulty machine's input, which may differ from the good one's, for this cycle.
    pub fn set_input(&mut self, number: u32, place: usize, value: u64) {
        if self.good.ports[place] != value {
            self.machines[number as usize]
                .difference
                .inputs
                .push((place as u32, value));
            self.wake(number);
        }
    }

    /// Calls `see` for each access of the good machine to its memories in this cycle, once it has settled: for each
    /// memory the reads, then the write. A read counts even if its data are not used.
    pub fn memory_uses(&self, mut see: impl FnMut(MemoryUse)) {
        let value = |id: Id| self.good.values[id as usize];
        for (memory, ports) in self.tables.memories.iter().enumerate() {
            let element = |address: Id| ports.element(value(address)) / ports.stride as usize;
            let mut used = |address: Id, written: Option<u64>| {
                see(MemoryUse {
                    memory,
                    element: element(address),
                    written,
                });
            };
            if ports.registered && value(ports.read_enable) != 0 {
                ports.read_addresses.iter().for_each(|address| used(*address, None));
            }
            for read in &ports.reads {
                if let Op::Read { address, .. } = self.code.design.graph.nodes[*read as usize].op {
                    used(address, None);
                }
            }
            let enable = value(ports.write_enable);
            if enable != 0 {
                used(ports.write_address, Some(written(0, u64::MAX, enable, ports.part)));
            }
        }
    }

    /// The faulty machines that are computed in the next cycle, after [`Concurrent::settle_faulty`].
    pub fn awake(&self) -> &[u32] {
        &self.awake
    }

    /// True if a faulty machine equals the good one: it has the same state, and the same inputs in this cycle. Switches
    /// of gates' faults are ignored.
    pub fn is_equal(&self, number: u32) -> bool {
        let counts = |number| !self.code.design.has_switches(number);
        self.machines[number as usize].difference.is_empty(counts)
    }

    /// True if bits of a faulty machine are stuck or delayed.
    pub fn is_stuck(&self, number: u32) -> bool {
        !self.machines[number as usize].stuck.is_empty()
    }

    /// Ends a faulty machine.
    pub fn end(&mut self, number: u32) {
        self.machines[number as usize] = Machine::ended();
    }

    /// Settles the good machine's combinational logic, from its inputs to its outputs. Wakes the faulty machines that
    /// the changes affect.
    pub fn settle(&mut self) {
        self.good.settle(&self.code.design.graph, &self.tables);
        let Concurrent {
            watches,
            machines,
            awake,
            tables,
            good,
            ..
        } = self;
        watches.sweep(|(number, cone)| machines[number as usize].cone == cone);
        watches.wake_followers(good, |id, (number, cone)| {
            let machine = &mut machines[number as usize];
            if machine.cone == cone {
                machine.used.push(id);
                machine.wake(number, awake);
            }
        });
        watches.wake_users(tables, good, |number, (memory, element)| {
            let machine = &mut machines[number as usize];
            let holds = machine.holds(memory, element, tables.memories[memory as usize].stride);
            if holds {
                machine.wake(number, awake);
            }
            holds
        });
    }

    /// Computes the faulty machines that are awake, up to their state after the edge. `see` is called with each of them
    /// after settling, and returns its next state.
    pub fn settle_faulty(&mut self, see: &mut dyn FnMut(&Faulty) -> Next) {
        let mut awake = std::mem::take(&mut self.awake);
        // The machines are sorted by number, so the order does not depend on what woke the machines.
        awake.sort_unstable();
        let mut outputs = vec![];
        let mut memories = vec![];
        let mut surroundings = vec![];
        let mut new = StateDifference::default();
        awake.retain(|number| {
            let machine = &mut self.machines[*number as usize];
            if machine.state == State::Ended {
                return false;
            }
            let graph = &self.code.design.graph;
            let (tables, good) = (&self.tables, &self.good);
            self.overlay.evaluate(graph, tables, good, &machine.difference);
            outputs.clear();
            let differing = self.overlay.differing.iter();
            outputs.extend(differing.flat_map(|id| tables.outputs_of.of(*id)));
            let next = see(&Faulty {
                design: &self.code.design,
                tables,
                good,
                overlay: &self.overlay,
                machine,
                number: *number,
                differing: &outputs,
                computed: match self.overlay.differing.is_empty() {
                    true => 0,
                    false => self.overlay.computed.len(),
                },
            });
            if next == Next::End {
                *machine = Machine::ended();
                return false;
            }
            let edge = Edge {
                tables,
                good,
                overlay: &self.overlay,
            };
            edge.memories(&machine.difference, &machine.stuck, &mut memories);
            let is_written = edge.take(&memories, &machine.difference, &mut new);
            let is_late = edge.stick(&mut machine.stuck, &machine.difference, &mut new);
            let is_steady = next == Next::Sleep && !is_written && !is_late && new == machine.difference;
            std::mem::swap(&mut machine.difference, &mut new);
            if machine.difference.memory != new.memory {
                self.watches.elements(tables, *number, &machine.difference);
            }
            if !is_steady {
                return true;
            }
            machine.state = State::Asleep;
            surroundings.clear();
            surroundings.push(self.overlay.differing.len() as u32);
            surroundings.extend_from_slice(&self.overlay.differing);
            surroundings.extend_from_slice(&self.overlay.computed);
            surroundings.extend_from_slice(&memories);
            if surroundings == machine.surroundings {
                // All other nodes are still watched.
                let sleeper = (*number, machine.cone);
                machine.used.drain(..).for_each(|id| self.watches.node(id, sleeper));
                return false;
            }
            machine.surroundings.clone_from(&surroundings);
            machine.used.clear();
            machine.cone += 1;
            let sleeper = (*number, machine.cone);
            // A differing value that is not computed, a register or read data, changes in the good machine only after
            // its input has: by then the machine is awake, or has the same state as before.
            for id in &self.overlay.computed {
                let op = graph.nodes[*id as usize].op;
                op.operands(&mut |operand| {
                    if graph.as_constant(operand).is_none() {
                        self.watches.node(operand, sleeper);
                    }
                });
                if let Op::Read { memory, .. } = op {
                    self.watches.node(tables.memories[memory as usize].followed, sleeper);
                }
            }
            for memory in &memories {
                let inputs = tables.memories[*memory as usize].inputs();
                inputs.for_each(|id| self.watches.node(id, sleeper));
            }
            for place in &outputs {
                if let Some((node, _)) = self.guards.get(place).map(|guard| tables.shown[*guard as usize]) {
                    if node != NONE {
                        self.watches.node(node, sleeper);
                    }
                }
            }
            for stuck in &machine.stuck {
                if let StateWord::Lasting(number) = stuck.state {
                    self.watches.node(tables.next[number as usize], sleeper);
                }
            }
            false
        });
        self.awake.append(&mut awake);
    }

    /// Simulates the rising edge of the clock for all machines.
    pub fn tick(&mut self) {
        self.good.tick(&self.tables);
    }
}
