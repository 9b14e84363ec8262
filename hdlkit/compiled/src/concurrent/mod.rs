//! Concurrent fault simulation: the good machine is computed once, and of each faulty one only what differs from it.
//!
//! ```text
//! good machine   settle ──────────────────────────────> edge
//!                  │ what has changed, what memories do   │
//!                  v                                      v
//! faulty ones    wake ──> what differs, and what          what differs at its end:
//!                         follows from that ───────────>  nothing? the fault is gone
//! ```
//!
//! A faulty machine is a list of the registers and words of memories that differ. In a cycle, only the nodes that follow
//! from these are computed; all others have the good machine's values. If it is the same after the edge as before, the
//! next cycle gives the same again, until something near it changes in the good machine: it sleeps until then.
//! Nothing is approximated: a test compares every fault with a whole machine that has it.

mod agenda;
mod difference;
mod good;
mod overlay;
mod tables;
mod watch;

use crate::design::graph::Op;
use crate::design::Design;
use crate::machine::{snapshot, Code};
use difference::{Difference, Edge, Place, Stuck};
use good::Good;
use overlay::Overlay;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tables::{Tables, NONE};
use watch::Watches;

/// Where a fault is, by the numbers of [`Code::flip_flops`] and [`Code::memories`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A register.
    FlipFlop(usize),
    /// A word of a memory.
    Memory {
        /// The memory.
        memory: usize,
        /// The word.
        word: usize,
    },
}

/// What a fault does to the bits of a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// They are inverted, once.
    Flip,
    /// They are 0 or 1 until [`Concurrent::release`].
    Stuck(bool),
}

/// What becomes of a faulty machine in the next cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It sleeps if nothing about it changes.
    Sleep,
    /// It is computed in any case: what is around it may change it.
    Stay,
    /// It ends: nothing of it is computed any more.
    End,
}

/// A faulty machine.
#[derive(Default)]
struct Machine {
    difference: Difference,
    stuck: Vec<Stuck>,
    state: State,
    /// The number of its present surroundings, from 1: entries in the watches with another one mean nothing.
    cone: u32,
    /// What these follow from: how many nodes differ, these, those that are computed, and memories.
    surroundings: Vec<u32>,
    /// Nodes in them whose watch has been used up.
    used: Vec<u32>,
}

impl Machine {
    /// One of which nothing is left.
    fn ended() -> Self {
        Machine {
            state: State::Ended,
            ..Machine::default()
        }
    }

    /// Wakes it; `awake`: the numbers of those that are awake.
    fn wake(&mut self, number: u32, awake: &mut Vec<u32>) {
        if self.state == State::Asleep {
            self.state = State::Awake;
            awake.push(number);
        }
    }

    /// Whether it has something of its own in the element of a memory that begins with a word.
    fn holds(&self, memory: u32, element: u32, stride: u32) -> bool {
        let words = &self.difference.memory;
        let from = words.partition_point(|(other, at, _)| (*other, *at) < (memory, element));
        let differs = words
            .get(from)
            .is_some_and(|(other, at, _)| *other == memory && *at < element + stride);
        let is_stuck = |stuck: &Stuck| match stuck.place {
            Place::Memory(other, at) => other == memory && (element..element + stride).contains(&at),
            Place::Lasting(_) => false,
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
    /// Faulty machines to compute in this cycle.
    awake: Vec<u32>,
    /// For places of outputs, the place that says when they count.
    guards: FxHashMap<u32, u32>,
}

/// A faulty machine in a cycle, settled.
pub struct Faulty<'a> {
    design: &'a Design,
    tables: &'a Tables,
    good: &'a Good,
    overlay: &'a Overlay,
    machine: &'a Machine,
    /// Its number.
    pub number: u32,
    /// The places of its outputs that differ from the good machine's, in no order.
    pub differing: &'a [u32],
    /// The nodes that were computed for it in this cycle.
    pub computed: usize,
}

impl Faulty<'_> {
    /// The word at a place of the ports.
    pub fn port(&self, place: usize) -> u64 {
        self.overlay.port(self.tables, self.good, place as u32)
    }

    /// What the faulty machine held at the beginning of the cycle, for [`MachineCode::restore`](crate::MachineCode::restore).
    pub fn state(&self) -> Vec<u64> {
        save(self.design, self.tables, self.good, &self.machine.difference)
    }
}

/// What a machine holds.
fn save(design: &Design, tables: &Tables, good: &Good, difference: &Difference) -> Vec<u64> {
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
    /// For a circuit, with everything 0 until [`Concurrent::restore`]. `guards`: for places of outputs, the place that says
    /// when they count, a bit: a sleeping machine whose output differs wakes when the good one's bit changes.
    /// `None` if the circuit has called blocks, of which nothing is known here.
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

    /// The good machine takes over what a machine held when it was [saved](crate::MachineCode::save), and there are no
    /// faulty ones. False, and nothing has changed, if there are too few words or too many.
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

    /// What the good machine holds, as [`MachineCode::save`](crate::MachineCode::save).
    pub fn save(&self) -> Vec<u64> {
        save(&self.code.design, &self.tables, &self.good, &Difference::default())
    }

    /// The same of a faulty machine, between two cycles.
    pub fn state(&self, number: u32) -> Vec<u64> {
        let difference = &self.machines[number as usize].difference;
        save(&self.code.design, &self.tables, &self.good, difference)
    }

    /// The good machine's ports.
    pub fn ports(&self) -> &[u64] {
        &self.good.ports
    }

    /// The same, to set the inputs.
    pub fn ports_mut(&mut self) -> &mut [u64] {
        &mut self.good.ports
    }

    /// Another faulty machine: the good one at the beginning of this cycle, with a fault in the bits of some masks, each of
    /// another target. Returns its number, counted from 0; `None` if there is no such place, or it has none of these bits.
    pub fn inject(&mut self, targets: &[(Target, u128)], effect: Effect) -> Option<u32> {
        let mut machine = Machine::default();
        let number = self.machines.len() as u32;
        for (target, mask) in targets {
            let (place, bits) = self.place(*target)?;
            let mask = mask & bits;
            if mask == 0 {
                return None;
            }
            match effect {
                Effect::Flip => machine.difference.change(&self.good, place, |value| value ^ mask),
                Effect::Stuck(one) => {
                    let value = if one { mask } else { 0 };
                    let stuck = Stuck { place, mask, value };
                    machine.difference.force(&self.good, &stuck);
                    machine.stuck.push(stuck);
                }
            }
            if let Place::Memory(memory, at) = place {
                let stride = self.tables.memories[memory as usize].stride;
                self.watches.element(memory, at / stride * stride, number);
            }
        }
        self.machines.push(machine);
        self.awake.push(number);
        Some(number)
    }

    /// A target's place, and the bits that it has.
    fn place(&self, target: Target) -> Option<(Place, u128)> {
        match target {
            Target::FlipFlop(number) => {
                let register = self
                    .tables
                    .lasting
                    .get(number)
                    .filter(|_| number < self.tables.next.len())?;
                Some((Place::Lasting(number as u32), register.mask))
            }
            Target::Memory { memory, word } => {
                let ports = self.tables.memories.get(memory)?;
                self.good.memories[memory].get(word)?;
                let mask = ports.masks[word % ports.stride as usize];
                Some((Place::Memory(memory as u32, word as u32), mask.into()))
            }
        }
    }

    /// A faulty machine's stuck bits are free again; they keep what they hold.
    pub fn release(&mut self, number: u32) {
        self.machines[number as usize].stuck.clear();
        self.wake(number);
    }

    /// A faulty machine is computed in this cycle.
    fn wake(&mut self, number: u32) {
        self.machines[number as usize].wake(number, &mut self.awake);
    }

    /// A faulty machine's input differs from the good one's in this cycle.
    pub fn set_input(&mut self, number: u32, place: usize, value: u64) {
        if self.good.ports[place] != value {
            self.machines[number as usize]
                .difference
                .inputs
                .push((place as u32, value));
            self.wake(number);
        }
    }

    /// The faulty machines that are computed in the next cycle, after [`Concurrent::settle_faulty`].
    pub fn awake(&self) -> &[u32] {
        &self.awake
    }

    /// Whether a faulty machine is the good one again, or was never another: it holds the same, and it has the same inputs
    /// in this cycle. Switches of gates' faults do not count.
    pub fn is_equal(&self, number: u32) -> bool {
        let counts = |number| !self.code.design.has_switches(number);
        self.machines[number as usize].difference.is_empty(counts)
    }

    /// Whether bits of a faulty machine are stuck.
    pub fn is_stuck(&self, number: u32) -> bool {
        !self.machines[number as usize].stuck.is_empty()
    }

    /// A faulty machine ends.
    pub fn end(&mut self, number: u32) {
        self.machines[number as usize] = Machine::ended();
    }

    /// The good machine's combinational logic, from its inputs to its outputs. Wakes the faulty ones that this concerns.
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

    /// Computes the faulty machines that are awake, up to what they hold after the edge. `see` sees each of them settled,
    /// and says what becomes of it.
    pub fn settle_faulty(&mut self, see: &mut dyn FnMut(&Faulty) -> Next) {
        let mut awake = std::mem::take(&mut self.awake);
        // In the order of their numbers, whatever has woken them.
        awake.sort_unstable();
        let mut outputs = vec![];
        let mut memories = vec![];
        let mut surroundings = vec![];
        let mut new = Difference::default();
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
                computed: self.overlay.computed.len(),
            });
            if next == Next::End {
                *machine = Machine::ended();
                return false;
            }
            let edge = Edge {
                tables,
                good,
                overlay: &self.overlay,
                stuck: &machine.stuck,
            };
            edge.memories(&machine.difference, &mut memories);
            let is_written = edge.take(&memories, &machine.difference, &mut new);
            let is_steady = next == Next::Sleep && !is_written && new == machine.difference;
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
                // All else is still watched.
                let sleeper = (*number, machine.cone);
                machine.used.drain(..).for_each(|id| self.watches.node(id, sleeper));
                return false;
            }
            machine.surroundings.clone_from(&surroundings);
            machine.used.clear();
            machine.cone += 1;
            let sleeper = (*number, machine.cone);
            // What differs and is not computed, a register or read data, changes in the good machine only after what it takes
            // has: by then the machine is awake, or holds the same as before.
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
                if let Place::Lasting(number) = stuck.place {
                    self.watches.node(tables.next[number as usize], sleeper);
                }
            }
            false
        });
        self.awake.append(&mut awake);
    }

    /// The clock edge, of all machines.
    pub fn tick(&mut self) {
        self.good.tick(&self.tables);
    }
}
