//! Idle cycles: while the state of a circuit is periodic except for counters, whole periods are skipped and the
//! counters are advanced.
//!
//! Let C be a set of registers and words of memories (the counters), and let the inputs be constant. Assume that all
//! other registers and words have the same values in cycles n and n + P, and that for these values, in each cycle
//! between them,
//!
//! - every next value of a member of C is its present value plus a constant, modulo its width,
//! - every other next value, every write and every output is independent of the values in C.
//!
//! Then each period after cycle n + P is the same as the first: it adds the same constants to C and changes nothing
//! else. `Watch` finds P and C by comparing the states of successive cycles without values that may be counters.
//! [`proof`] verifies the two conditions in each cycle of a second period, on the graph from which the machine code is
//! generated. The second condition fails for a counter that is compared, unless the result is not used in this state.

mod proof;

use super::code::Code;
use super::period::tables::{CountedValue, IdleTables};
use super::period::watch::{Second, Values, FIRST};
use super::state::{value_in, Machine};
use std::sync::atomic::Ordering;

/// The minimum number of cycles to skip: for fewer cycles, a search for a period is not worthwhile.
const FEWEST: u64 = 48;
/// The longest period, in cycles.
const LONGEST: u64 = 64;
/// The number of cycles without another attempt after a failed proof.
const PAUSE: u64 = 64;
/// The number of nodes whose tables are generated in the time of an idle cycle.
const NODES_OF_CYCLE: u64 = 10;
/// For circuits with fewer nodes, the tables are generated immediately.
const FEW_NODES: u64 = 4096;

impl Code {
    /// Returns the tables. They are generated when the idle cycles so far have taken about the same time, so short runs
    /// do not generate them.
    fn idle(&self) -> Option<&IdleTables> {
        let nodes = self.design.graph.nodes.len() as u64;
        let pays = || nodes < FEW_NODES || self.waited.fetch_add(1, Ordering::Relaxed) > nodes / NODES_OF_CYCLE;
        let wanted = self.idle.get().is_some() || pays();
        wanted.then(|| self.idle.get_or_init(|| IdleTables::new(&self.design, &self.program)))
    }
}

impl Machine {
    /// See `MachineCode::skip_idle`.
    pub fn skip_idle(&mut self, most: u64) -> u64 {
        let code = self.code.clone();
        // A called block may change at any edge, and every cycle of a shown signal is needed.
        if most < FEWEST || !code.design.opaques.is_empty() || !code.design.shown.is_empty() {
            return 0;
        }
        let Some(tables) = code.idle() else { return 0 };
        let edges = self.watch.edges;
        let is_next = std::mem::replace(&mut self.watch.called, edges) + 1 == edges;
        if edges < self.watch.rest {
            return 0;
        }
        if !is_next || !self.inputs_stay() || tables.enables.iter().any(|(word, bits)| self.state[*word] & bits != 0) {
            self.watch.forget();
        }
        match self.watch.second.take() {
            Some(second) => self.second_period(tables, second, most),
            None => {
                self.first_period(tables);
                0
            }
        }
    }

    /// Searches for the end of the first period.
    fn first_period(&mut self, tables: &IdleTables) {
        let edges = self.watch.edges;
        let Some((values, since)) = self.watch.first.take() else {
            self.watch.first = Some((self.values(tables), edges));
            return;
        };
        let period = edges - since;
        if self.repeats(tables, &values) {
            let counters = self.changed(tables, &values);
            self.watch.second = Some(Second {
                values,
                from: edges,
                period,
                sums: vec![0; counters.len()],
                counters,
            });
            self.prove(tables);
        } else if period >= self.watch.patience {
            self.watch.patience = (self.watch.patience * 2).clamp(FIRST, LONGEST);
            self.watch.first = Some((self.values(tables), edges));
        } else {
            self.watch.first = Some((values, since));
        }
    }

    /// Continues the second period. At its end, advances the counters by whole periods, and returns the skipped cycles.
    fn second_period(&mut self, tables: &IdleTables, second: Second, most: u64) -> u64 {
        let edges = self.watch.edges;
        if edges - second.from < second.period {
            self.watch.second = Some(second);
            self.prove(tables);
            return 0;
        }
        let changed = self.changed(tables, &second.values);
        let counted =
            self.repeats(tables, &second.values) && changed.iter().all(|source| second.counters.contains(source));
        self.watch.forget();
        if !counted {
            self.watch.rest = edges + PAUSE;
            return 0;
        }
        let periods = most / second.period;
        for (source, sum) in second.counters.into_iter().zip(second.sums) {
            self.advance(source, sum.wrapping_mul(periods.into()));
        }
        periods * second.period
    }

    /// Proves the conditions for the next cycle. If the proof fails, the search is restarted or continued with fewer
    /// counters.
    fn prove(&mut self, tables: &IdleTables) {
        let Some(mut second) = self.watch.second.take() else {
            return;
        };
        let mut scratch = std::mem::take(&mut self.watch.scratch);
        let mut steps = |counters: &[CountedValue]| proof::steps(self, tables, counters, &mut scratch);
        let (found, mut others) = (steps(&second.counters), Vec::<CountedValue>::new());
        if found.is_none() {
            others.extend(second.counters.iter().filter(|counter| steps(&[**counter]).is_none()));
        }
        self.watch.scratch = scratch;
        match found {
            Some(steps) => {
                for (counter, sum) in second.counters.iter().zip(&mut second.sums) {
                    let step = steps.iter().find(|step| step.source == *counter);
                    *sum = sum.wrapping_add(step.map_or(0, |step| step.step));
                }
                self.watch.second = Some(second);
            }
            // There may be a longer period in which these elements also recur.
            None if !others.is_empty() => self.watch.others.extend(others),
            None => {
                self.watch.forget();
                self.watch.rest = self.watch.edges + PAUSE;
            }
        }
    }

    fn values(&self, tables: &IdleTables) -> Values {
        let registers = self.code.program.layout.registers as usize / 8;
        let mut data = vec![];
        for words in &tables.data {
            data.extend_from_slice(&self.state[words.clone()]);
        }
        let memories = tables.memories.iter().map(|number| &self.memories[*number as usize]);
        Values {
            registers: self.state[..registers].to_vec(),
            data,
            memories: memories.cloned().collect(),
        }
    }

    /// True if all elements except counters have these values.
    fn repeats(&self, tables: &IdleTables, values: &Values) -> bool {
        let mut registers = values.registers.iter().zip(&self.state).zip(&tables.bits);
        let data = tables.data.iter().flat_map(|words| &self.state[words.clone()]);
        registers.all(|((old, new), counters)| (old ^ new) & !counters == 0)
            && data.eq(&values.data)
            && (self.watch.others.is_empty()
                || !self
                    .changed(tables, values)
                    .iter()
                    .any(|it| self.watch.others.contains(it)))
    }

    /// Returns the elements that may be counters and do not have these values.
    fn changed(&self, tables: &IdleTables, values: &Values) -> Vec<CountedValue> {
        let mut changed = vec![];
        for &number in &tables.registers {
            let place = self.register(number as usize);
            if place.is_some_and(|(at, width)| value_in(&values.registers, at, width) != self.value(at, width)) {
                changed.push(CountedValue::Register(number));
            }
        }
        for (memory, old) in tables.memories.iter().zip(&values.memories) {
            for (word, (old, new)) in (0..).zip(old.iter().zip(&self.memories[*memory as usize])) {
                if old != new {
                    changed.push(CountedValue::Word { memory: *memory, word });
                }
            }
        }
        changed
    }

    /// Adds to a counter, modulo its width.
    fn advance(&mut self, source: CountedValue, sum: u128) {
        match source {
            CountedValue::Register(number) => {
                if let Some((at, width)) = self.register(number as usize) {
                    self.set_register(number as usize, self.value(at, width).wrapping_add(sum));
                }
            }
            CountedValue::Word { memory, word } => {
                let (number, word) = (memory as usize, word as usize);
                let value = self.memories[number][word].wrapping_add(sum as u64);
                self.set_memory_word(number, word, value);
            }
        }
    }
}
