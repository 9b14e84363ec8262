//! A group of machines with one fault each, simulated together with the good machine: one bit for each machine.
//!
//! Each net has a word of the machines in which it differs from the good machine. A gate is only computed if it has a
//! fault or a difference at an input, and if a difference or the good value at its inputs has changed. Differences in
//! flip-flops are carried into the next cycle.

use super::golden::{bit, ones, Golden};
use super::tables::Tables;
use hdlkit::gates::{NetId, Pin, StuckPin};

/// The number of 64-bit words of a [`Wide`].
const WORDS: usize = 4;
/// The number of machines of a group.
pub(super) const MACHINES: usize = 64 * WORDS;

/// A set of machines, one bit for each.
type Wide = [u64; WORDS];

const NONE: Wide = [0; WORDS];

fn splat(value: bool) -> Wide {
    [if value { u64::MAX } else { 0 }; WORDS]
}

fn xor(a: Wide, b: Wide) -> Wide {
    std::array::from_fn(|word| a[word] ^ b[word])
}

/// Comparing the arrays with `==` would call a function.
#[inline(always)]
fn is_any(a: Wide) -> bool {
    a.iter().fold(0, |any, word| any | word) != 0
}

fn and_not(a: Wide, b: Wide) -> Wide {
    std::array::from_fn(|word| a[word] & !b[word])
}

/// Stuck-at values of a pin, with the machines in which they apply.
#[derive(Clone, Copy, Default)]
struct Forced {
    machines: Wide,
    values: Wide,
}

impl Forced {
    fn add(&mut self, machine: usize, value: bool) {
        self.machines[machine / 64] |= 1 << (machine % 64);
        self.values[machine / 64] |= u64::from(value) << (machine % 64);
    }

    fn force(&self, value: Wide) -> Wide {
        std::array::from_fn(|word| value[word] & !self.machines[word] | self.values[word])
    }

    /// Like [`Forced::force`], for differences from the good value.
    fn force_difference(&self, difference: Wide, good: bool) -> Wide {
        let good = splat(good);
        xor(self.force(xor(difference, good)), good)
    }
}

/// The forced pins of a gate.
#[derive(Clone, Copy, Default)]
struct Special {
    inputs: [Forced; 3],
    output: Forced,
}

/// The first difference of a machine at the unit's outputs in a window.
pub(super) struct Seen<'a> {
    /// The number of the machine in the group.
    pub machine: usize,
    pub window: usize,
    /// The cycle, from 0.
    pub cycle: usize,
    /// The bits of output ports that differ, ascending, indexed over all ports.
    pub bits: &'a [u32],
}

/// A range of cycles, from 0, both ends included.
pub type Window = (usize, usize);

/// The simulation of a group. Its memory is reused for the next group.
pub(super) struct Group<'a> {
    golden: &'a Golden<'a>,
    tables: &'a Tables,
    /// The good value of each net, packed.
    good: Vec<u64>,
    /// For each net, the machines in which it differs from the good machine.
    differences: Vec<Wide>,
    /// Gates that are still to be computed in this cycle, packed.
    pending: Vec<u64>,
    /// Gates with a difference at an input, or with a forced pin, packed.
    active: Vec<u64>,
    /// For each gate, one more than its index in `specials`; 0 without a forced pin.
    special_of: Vec<u32>,
    specials: Vec<(u32, Special)>,
    /// Input ports and flip-flop outputs that are forced, with the differences that they would have otherwise.
    sources: Vec<(NetId, Forced, Wide)>,
    /// For each net, one more than its index in `sources`; 0 if it is not forced.
    source_of: Vec<u32>,
    /// Flip-flop inputs that are forced.
    takers: Vec<(u32, Forced)>,
    /// Bits of output ports that are forced.
    outputs: Vec<(u32, Forced)>,
    /// Flip-flops with a change of the differences at D since the last clock edge.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// Space for the next differences of flip-flops, reused in every cycle.
    taken: Vec<(u32, Wide)>,
    /// Bits of output ports with a difference, packed.
    wrong: Vec<u64>,
    /// True if an output has changed since the outputs were last compared.
    has_news: bool,
    /// Machines that are still simulated.
    alive: Wide,
}

impl<'a> Group<'a> {
    pub fn new(golden: &'a Golden<'a>, tables: &'a Tables) -> Self {
        let packed = |bits: usize| vec![0; bits.div_ceil(64)];
        Group {
            golden,
            tables,
            good: packed(tables.nets),
            differences: vec![NONE; tables.nets],
            pending: packed(tables.steps.len()),
            active: packed(tables.steps.len()),
            special_of: vec![0; tables.steps.len()],
            specials: vec![],
            sources: vec![],
            source_of: vec![0; tables.nets],
            takers: vec![],
            outputs: vec![],
            touched: vec![],
            is_touched: vec![false; tables.registers.len()],
            taken: vec![],
            wrong: packed(tables.outputs.len()),
            has_news: false,
            alive: NONE,
        }
    }

    /// Simulates faults, at most [`MACHINES`], from the start of cycle `from`; no fault has an effect before it. Calls
    /// `seen` for each machine and window with a difference at an output. With `drops`, the simulation of a machine
    /// ends at its first difference.
    pub fn run(
        &mut self,
        faults: &[StuckPin],
        from: usize,
        windows: &[Window],
        drops: bool,
        seen: &mut dyn FnMut(Seen),
    ) {
        self.prepare(faults);
        // All good values are 0 before the first changes.
        for flips in &self.golden.flips[..from] {
            flips.iter().for_each(|(word, mask)| self.good[*word as usize] ^= mask);
        }
        self.pending.copy_from_slice(&self.active);
        let last = windows.iter().map(|window| window.1).max();
        let last = last.map_or(0, |last| (last + 1).min(self.golden.cycles()));
        let mut of_window = vec![NONE; windows.len()];
        for cycle in from..last {
            self.settle(cycle);
            let opens = windows.iter().any(|window| window.0 == cycle);
            if self.has_news || opens || !self.outputs.is_empty() {
                self.look(cycle, windows, &mut of_window, drops, seen);
            }
            if !is_any(self.alive) {
                break;
            }
            self.tick();
        }
    }

    /// Clears the state, and forces the pins.
    fn prepare(&mut self, faults: &[StuckPin]) {
        self.good.fill(0);
        self.differences.fill(NONE);
        self.pending.fill(0);
        self.active.fill(0);
        self.wrong.fill(0);
        for (gate, _) in self.specials.drain(..) {
            self.special_of[gate as usize] = 0;
        }
        for (net, ..) in self.sources.drain(..) {
            self.source_of[net as usize] = 0;
        }
        for register in self.touched.drain(..) {
            self.is_touched[register as usize] = false;
        }
        self.takers.clear();
        self.outputs.clear();
        self.has_news = false;
        self.alive = NONE;
        let unit = self.golden.unit;
        let mut first_bits = vec![0];
        for port in &unit.outputs {
            first_bits.push(first_bits[first_bits.len() - 1] + port.nets.len() as u32);
        }
        for (machine, fault) in faults.iter().enumerate() {
            let value = fault.value;
            self.alive[machine / 64] |= 1 << (machine % 64);
            match fault.pin {
                Pin::GateInput { gate, input } => self.special(gate).inputs[input as usize].add(machine, value),
                Pin::GateOutput { gate } => self.special(gate).output.add(machine, value),
                Pin::Input { .. } | Pin::RegisterOutput { .. } => {
                    let net = fault.pin.net(unit);
                    if self.source_of[net as usize] == 0 {
                        self.sources.push((net, Forced::default(), NONE));
                        self.source_of[net as usize] = self.sources.len() as u32;
                    }
                    let place = self.source_of[net as usize] as usize - 1;
                    self.sources[place].1.add(machine, value);
                }
                Pin::RegisterInput { register } => of_number(&mut self.takers, register).add(machine, value),
                Pin::Output { port, bit } => {
                    of_number(&mut self.outputs, first_bits[port as usize] + bit).add(machine, value);
                }
            }
        }
        for (gate, _) in &self.specials {
            self.active[*gate as usize / 64] |= 1 << (gate % 64);
        }
    }

    fn special(&mut self, gate: u32) -> &mut Special {
        if self.special_of[gate as usize] == 0 {
            self.specials.push((gate, Special::default()));
            self.special_of[gate as usize] = self.specials.len() as u32;
        }
        &mut self.specials[self.special_of[gate as usize] as usize - 1].1
    }

    /// Propagates changes through the combinational logic.
    fn settle(&mut self, cycle: usize) {
        for (word, mask) in &self.golden.flips[cycle] {
            self.good[*word as usize] ^= mask;
        }
        for place in 0..self.sources.len() {
            let (net, forced, carried) = self.sources[place];
            let difference = forced.force_difference(carried, bit(&self.good, net as usize));
            self.set(net, std::array::from_fn(|word| difference[word] & self.alive[word]));
        }
        for (word, mask) in &self.golden.stirred[cycle] {
            self.pending[*word as usize] |= mask & self.active[*word as usize];
        }
        for word in 0..self.pending.len() {
            // Computing a gate may add its readers, perhaps in the same word.
            while self.pending[word] != 0 {
                let place = self.pending[word].trailing_zeros() as usize;
                self.pending[word] &= self.pending[word] - 1;
                self.compute(64 * word + place);
            }
        }
    }

    fn compute(&mut self, gate: usize) {
        let step = self.tables.steps[gate];
        let good = step.inputs.map(|net| bit(&self.good, net as usize));
        let differences = step.inputs.map(|net| self.differences[net as usize]);
        let mut inputs = [NONE; 3];
        for input in 0..3 {
            inputs[input] = xor(differences[input], splat(good[input]));
        }
        let special = self.special_of[gate];
        if special != 0 {
            let special = &self.specials[special as usize - 1].1;
            for (value, forced) in inputs.iter_mut().zip(&special.inputs) {
                *value = forced.force(*value);
            }
        }
        let [a, b, s] = inputs;
        let mut output: Wide = std::array::from_fn(|word| step.value(a[word], b[word], s[word]));
        if special != 0 {
            output = self.specials[special as usize - 1].1.output.force(output);
        }
        let difference = xor(output, splat(bit(&self.good, step.output as usize)));
        let difference = std::array::from_fn(|word| difference[word] & self.alive[word]);
        let is_active = special != 0 || differences.iter().any(|difference| is_any(*difference));
        let (word, mask) = (gate / 64, 1 << (gate % 64));
        match is_active {
            true => self.active[word] |= mask,
            false => self.active[word] &= !mask,
        }
        self.set(step.output, difference);
    }

    /// Sets the differences of a net.
    fn set(&mut self, net: NetId, difference: Wide) {
        let known = &mut self.differences[net as usize];
        if !is_any(xor(*known, difference)) {
            return;
        }
        *known = difference;
        for gate in self.tables.gates.gates(net as usize) {
            self.pending[*gate as usize / 64] |= 1 << (gate % 64);
        }
        for register in &self.tables.takers[net as usize] {
            if !std::mem::replace(&mut self.is_touched[*register as usize], true) {
                self.touched.push(*register);
            }
        }
        for output in &self.tables.driven[net as usize] {
            self.has_news = true;
            let (word, mask) = (*output as usize / 64, 1 << (output % 64));
            match is_any(difference) {
                true => self.wrong[word] |= mask,
                false => self.wrong[word] &= !mask,
            }
        }
    }

    /// The differences of a bit of an output port.
    fn at_output(&self, output: u32) -> Wide {
        let net = self.tables.outputs[output as usize] as usize;
        let difference = self.differences[net];
        match self.outputs.iter().find(|(number, _)| *number == output) {
            None => difference,
            Some((_, forced)) => {
                let forced = forced.force_difference(difference, bit(&self.good, net));
                std::array::from_fn(|word| forced[word] & self.alive[word])
            }
        }
    }

    /// Reports machines whose outputs differ for the first time in a window.
    fn look(
        &mut self,
        cycle: usize,
        windows: &[Window],
        of_window: &mut [Wide],
        drops: bool,
        seen: &mut dyn FnMut(Seen),
    ) {
        self.has_news = false;
        let open = (0..windows.len()).filter(|place| (windows[*place].0..=windows[*place].1).contains(&cycle));
        let open: Vec<usize> = open.collect();
        if open.is_empty() {
            return;
        }
        let mut places: Vec<u32> = vec![];
        for (word, bits) in self.wrong.iter().enumerate() {
            places.extend(ones(*bits).map(|bit| (64 * word + bit) as u32));
        }
        places.extend(self.outputs.iter().map(|(output, _)| *output));
        places.sort_unstable();
        places.dedup();
        let wrong: Vec<(u32, Wide)> = places.iter().map(|output| (*output, self.at_output(*output))).collect();
        let any = wrong.iter().fold(NONE, |any, (_, difference)| {
            std::array::from_fn(|word| any[word] | difference[word])
        });
        let mut bits = vec![];
        let mut found = NONE;
        for window in open {
            let new = and_not(any, of_window[window]);
            of_window[window] = std::array::from_fn(|word| of_window[window][word] | new[word]);
            for word in 0..WORDS {
                found[word] |= new[word];
                for place in ones(new[word]) {
                    bits.clear();
                    let of_machine = wrong
                        .iter()
                        .filter(|(_, difference)| difference[word] >> place & 1 == 1);
                    bits.extend(of_machine.map(|(output, _)| *output));
                    seen(Seen {
                        machine: 64 * word + place,
                        window,
                        cycle,
                        bits: &bits,
                    });
                }
            }
        }
        if drops && is_any(found) {
            self.drop(found);
        }
    }

    /// Ends the simulation of these machines.
    fn drop(&mut self, machines: Wide) {
        self.alive = and_not(self.alive, machines);
        for net in 0..self.differences.len() {
            if is_any(self.differences[net]) {
                let left = and_not(self.differences[net], machines);
                // Inactive gates are removed from `active` when they are computed.
                self.set(net as NetId, left);
            }
        }
        for (_, _, carried) in &mut self.sources {
            *carried = and_not(*carried, machines);
        }
        // Nothing has to be computed: the differences of these machines were removed from all nets.
        self.pending.fill(0);
    }

    /// Simulates the clock edge.
    fn tick(&mut self) {
        let mut taken = std::mem::take(&mut self.taken);
        for register in self.touched.drain(..) {
            self.is_touched[register as usize] = false;
            let d = self.tables.registers[register as usize].0;
            taken.push((register, self.differences[d as usize]));
        }
        for (register, forced) in &self.takers {
            let d = self.tables.registers[*register as usize].0;
            let good = bit(&self.good, d as usize);
            let difference = forced.force_difference(self.differences[d as usize], good);
            taken.push((
                *register,
                std::array::from_fn(|word| difference[word] & self.alive[word]),
            ));
        }
        for (register, difference) in taken.drain(..) {
            let q = self.tables.registers[register as usize].1;
            match self.source_of[q as usize] {
                0 => self.set(q, difference),
                // The value is forced in the next cycle.
                place => self.sources[place as usize - 1].2 = difference,
            }
        }
        self.taken = taken;
    }
}

/// The entry with this number, added if it is missing.
fn of_number(list: &mut Vec<(u32, Forced)>, number: u32) -> &mut Forced {
    let place = list.iter().position(|(known, _)| *known == number);
    let place = place.unwrap_or_else(|| {
        list.push((number, Forced::default()));
        list.len() - 1
    });
    &mut list[place].1
}
