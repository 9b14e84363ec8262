//! The circuits in a session, as machine code: a cycle per step.
//!
//! Between two steps the circuits are in the middle of a cycle: the inputs are set and all logic has settled, but the
//! clock edge has not happened. So every signal has the value that a waveform shows for this cycle.

mod probes;

use crate::debug::target::{
    Advance, Clock, Edit, Issue, Register, Registers, SignalValue, Space, Target, WarpId, WarpState,
};
use crate::debug::tracker::{Masks, Tracker};
use flexgrip_engines::circuits::host::{local_layout, LocalLayout};
use flexgrip_engines::circuits::sizes::check;
use flexgrip_engines::engine::Options;
use flexgrip_engines::error::RunError;
use flexgrip_engines::native::compiled::failed;
use flexgrip_engines::native::interface::{Core, HostDrive, HostSample, MemoryRequest};
use flexgrip_engines::native::machine_code;
use flexgrip_engines::native::ports::Ports;
use flexgrip_engines::native::surroundings::Surroundings;
use flexgrip_engines::native::test_bench::{ending, started};
use flexgrip_engines::trace::ending::Ending;
use flexgrip_engines::trace::records::Records;
use flexgrip_hdl::memory::write_bytes;
use flexgrip_hdl::tops::{machine, Top};
use flexgrip_machine::host_map::local_place;
use flexgrip_machine::sizes::{CONSTANT_BANKS, CONSTANT_BANK_BYTES};
use flexgrip_machine::trace::Event;
use flexgrip_machine::{Launch, Retire};
use hdlkit::kernel::shape::Shape;
use hdlkit_compiled::{port_places, Code, MachineCode};
use std::collections::BTreeMap;
use std::sync::Arc;

use probes::Probes;

/// The item with a name.
#[derive(Clone)]
enum Named {
    /// A visible signal: the indices of the signal and its field, the field's width, and an enum's variants,
    /// which other signals do not have.
    Signal {
        number: usize,
        field: usize,
        width: u32,
        variants: Arc<[String]>,
    },
    /// A field of a register.
    FlipFlop { number: usize, width: u32 },
    /// A memory, with an index for its elements.
    Memory { number: usize, elements: u32 },
}

/// The constants of a session, shared by all copies.
struct Fixed {
    launch: Launch,
    options: Options,
    lanes: u32,
    sms: u32,
    ports: Ports,
    probes: Probes,
    local: LocalLayout,
    names: BTreeMap<String, Named>,
}

/// The circuits as the core of a test bench.
#[derive(Clone)]
struct CodeCore {
    fixed: Arc<Fixed>,
    code: MachineCode,
}

impl Core for CodeCore {
    fn lanes(&self) -> u32 {
        self.fixed.lanes
    }

    fn sms(&self) -> u32 {
        self.fixed.sms
    }

    fn drive(&mut self, host: &HostDrive, response: Option<&[u32; 32]>) {
        self.fixed.ports.drive(self.code.ports_mut(), host, response);
    }

    fn settle(&mut self) {
        self.code.settle();
    }

    fn host(&self) -> HostSample {
        self.fixed.ports.host(self.code.ports())
    }

    fn request(&self) -> Option<MemoryRequest> {
        self.fixed.ports.request(self.code.ports())
    }

    fn events(&self, all: bool, sink: &mut dyn FnMut(u32, &Event)) {
        self.fixed.ports.events(self.code.ports(), all, sink);
    }

    fn tick(&mut self, _cycle: Option<u64>) -> Result<(), RunError> {
        self.code.tick();
        Ok(())
    }
}

/// The circuits.
#[derive(Clone)]
pub struct CircuitTarget {
    core: CodeCore,
    around: Surroundings,
    records: Records,
    tracker: Tracker,
    issues: Vec<Issue>,
    retired: Vec<Retire>,
    ending: Option<Ending>,
}

/// The names of all items that can be shown. A register's field has two names: its own path, and its output's.
fn names(code: &Code, paths: &[String]) -> BTreeMap<String, Named> {
    let mut names = BTreeMap::new();
    for (number, atom) in code.shown().enumerate() {
        let Some(shape) = code.shown_shape(number) else {
            continue;
        };
        // Fields without bits have no value in the code.
        let leaves = shape.leaves().into_iter().filter(|(.., leaf)| leaf.width() > 0);
        for (field, (name, _, leaf)) in leaves.enumerate() {
            let named = Named::Signal {
                number,
                field,
                width: leaf.width() as u32,
                variants: match leaf {
                    // Variants are shown without the name of the enum.
                    Shape::Enum(variants) => {
                        let short = |variant: &String| variant.rsplit("::").next().unwrap_or_default().to_string();
                        variants.iter().map(short).collect()
                    }
                    _ => Arc::default(),
                },
            };
            names.insert(format!("{}{name}", paths[atom]), named);
        }
    }
    for (number, flip_flop) in code.flip_flops().enumerate() {
        let width = flip_flop.width;
        names.insert(flip_flop.name, Named::FlipFlop { number, width });
    }
    for (number, memory) in code.memories().enumerate() {
        let elements = memory.elements;
        names.insert(memory.name.to_string(), Named::Memory { number, elements });
    }
    names
}

impl CircuitTarget {
    /// A launch after its start, in cycle 1. Needs a big stack, because it builds the circuits.
    ///
    /// # Errors
    /// The launch does not fit, there is no machine of these sizes, or it cannot be compiled on this processor.
    pub fn new(launch: &Launch, options: &Options) -> Result<Self, RunError> {
        let parameters = check("rtl", launch, options)?;
        let chip = machine(parameters);
        let paths = machine_code::paths(parameters).map_err(failed)?;
        let shown = vec![true; paths.len()];
        let code = machine_code::showing(Top::Gpgpu, &*chip, parameters, &shown).map_err(failed)?;
        let lanes = parameters.lanes.count();
        let sms = options.configuration.sms;
        let fixed = Fixed {
            launch: launch.clone(),
            options: options.clone(),
            lanes,
            sms,
            ports: Ports::new(&port_places(&*chip), lanes, sms),
            probes: Probes::find(&code, lanes, sms).map_err(RunError::Bench)?,
            local: local_layout(launch, &options.configuration),
            names: names(&code, &paths),
        };
        let mut core = CodeCore {
            fixed: Arc::new(fixed),
            code: MachineCode::new(&*chip, code),
        };
        let around = started(&mut core, launch, options)?;
        let mut target = CircuitTarget {
            core,
            around,
            records: Records::new(lanes, sms, options.configuration.capability),
            tracker: Tracker::new(sms, launch.entry, options.configuration.capability),
            issues: Vec::new(),
            retired: Vec::new(),
            ending: None,
        };
        target.begin();
        Ok(target)
    }

    /// Begins the next cycle, up to the clock edge.
    fn begin(&mut self) {
        self.around.begin(&mut self.core);
        self.look();
    }

    /// Records the instructions that issue in this cycle.
    fn look(&mut self) {
        let (issues, tracker) = (&mut self.issues, &self.tracker);
        issues.clear();
        self.core.events(false, &mut |sm, event| {
            if let Event::Issue(issue) = event {
                issues.extend(tracker.issue(sm, issue));
            }
        });
    }

    /// The byte address, in external memory, of a byte of a thread's local memory.
    fn local_place(&self, (sm, slot): (u32, u32), lane: u8, address: u32) -> usize {
        let LocalLayout { base, shift, .. } = self.core.fixed.local;
        let warp = u64::from(sm << 5 | slot) << shift;
        (base + warp + local_place(address, lane.into())) as usize
    }

    fn external_byte(&self, place: usize) -> u8 {
        let word = self.around.memory.get(place / 4).copied().unwrap_or_default();
        (word >> (place % 4 * 8)) as u8
    }

    fn set_external_byte(&mut self, place: usize, byte: u8) {
        if let Some(word) = self.around.memory.get_mut(place / 4) {
            let at = place % 4;
            write_bytes(word, u32::from(byte) << (8 * at), 1 << at);
        }
    }

    fn named(&self, name: &str) -> Result<&Named, String> {
        let names = &self.core.fixed.names;
        if let Some(named) = names.get(name) {
            return Ok(named);
        }
        let last = name.rsplit('.').next().unwrap_or(name);
        let near: Vec<&str> = names
            .keys()
            .filter(|known| known.ends_with(last))
            .take(3)
            .map(String::as_str)
            .collect();
        let near = match near.as_slice() {
            [] => "`signals TEXT` lists the signals with TEXT in their path".to_string(),
            near => format!("did you mean {}?", near.join(" or ")),
        };
        Err(format!("there is no signal `{name}`; {near}"))
    }

    /// The memory, the element and the field of a name such as `top.x.memory[17]`, or `[17][1]` with the number of a field.
    fn field(&self, name: &str) -> Option<(usize, usize, usize)> {
        let (name, last) = name.strip_suffix(']')?.rsplit_once('[')?;
        let last: usize = last.parse().ok()?;
        if let Some(Named::Memory { number, .. }) = self.core.fixed.names.get(name) {
            return Some((*number, last, 0));
        }
        let (name, index) = name.strip_suffix(']')?.rsplit_once('[')?;
        let index: usize = index.parse().ok()?;
        match self.core.fixed.names.get(name) {
            Some(Named::Memory { number, .. }) => Some((*number, index, last)),
            _ => None,
        }
    }
}

fn hexadecimal(value: u128, width: u32) -> String {
    format!("0x{value:0digits$x}", digits = width.div_ceil(4) as usize)
}

impl Target for CircuitTarget {
    fn name(&self) -> &'static str {
        "rtl"
    }

    fn clock(&self) -> Clock {
        Clock::Cycles
    }

    fn time(&self) -> u64 {
        self.around.trace_cycle()
    }

    fn step(&mut self) -> Result<Advance, RunError> {
        self.retired.clear();
        if self.ending.is_some() {
            return Ok(Advance::Done);
        }
        let cycle = self.time();
        self.tracker.clear_ended();
        let interrupt = self.core.host().interrupt;
        self.around.serve(&self.core)?;
        let (records, tracker) = (&mut self.records, &mut self.tracker);
        let mut result = Ok(());
        self.core.events(true, &mut |sm, event| {
            if result.is_ok() {
                result = records.event(cycle, sm, event);
                tracker.event(cycle, sm, event);
            }
        });
        result?;
        while let Some(timed) = self.records.next_record() {
            self.tracker.retire(&timed.record);
            self.retired.push(timed.record);
        }
        self.around.end(&mut self.core)?;
        if interrupt {
            let Fixed { launch, options, .. } = &*self.core.fixed;
            let remaining = self.records.remaining().into_iter();
            self.retired.extend(remaining.map(|timed| timed.record));
            self.ending = Some(ending(&mut self.core.clone(), self.around.clone(), launch, options)?);
        }
        self.begin();
        if self.ending.is_some() {
            self.issues.clear();
        }
        Ok(Advance::Done)
    }

    fn issues(&self) -> &[Issue] {
        &self.issues
    }

    fn retired(&self) -> &[Retire] {
        &self.retired
    }

    fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    fn copy(&self) -> Option<Box<dyn Target>> {
        Some(Box::new(self.clone()))
    }

    fn size(&self) -> usize {
        let memories = self.core.code.code().memories().count();
        let memories = (0..memories).filter_map(|number| self.core.code.memory(number));
        // The state of the logic and of the trace takes some megabytes.
        (4 << 20) + self.around.memory.len() * 4 + memories.map(|words| words.len() * 8).sum::<usize>()
    }

    fn warps(&self) -> Vec<WarpState> {
        let Fixed { probes, launch, .. } = &*self.core.fixed;
        let code = &self.core.code;
        self.tracker.states(launch, |sm, slot, _| {
            let (active, threads) = probes.masks(code, sm, slot);
            let stack = probes.stack(code, sm, slot);
            Masks { active, threads, stack }
        })
    }

    fn registers(&self, warp: WarpId) -> Result<Registers, String> {
        let (sm, slot) = self.tracker.place(warp)?;
        let Fixed { probes, launch, .. } = &*self.core.fixed;
        Ok(probes.registers(&self.core.code, sm, slot, launch.registers))
    }

    fn lanes(&self, warp: WarpId, register: Register) -> Result<[u32; 32], String> {
        let (sm, slot) = self.tracker.place(warp)?;
        let Fixed { probes, launch, .. } = &*self.core.fixed;
        Ok(probes.lanes(&self.core.code, (sm, slot, launch.registers), register))
    }

    fn extent(&self, space: Space) -> Result<u32, String> {
        let Fixed { launch, options, .. } = &*self.core.fixed;
        match space {
            Space::Global => Ok(options.configuration.global_bytes),
            Space::Constant(bank) if bank < CONSTANT_BANKS as u32 => Ok(CONSTANT_BANK_BYTES),
            Space::Constant(_) => Err(format!("{space} does not exist")),
            Space::Shared(block) => {
                self.tracker.place_of_block(block)?;
                Ok(launch.block_shared_bytes() as u32)
            }
            Space::Local(id, _) => {
                self.tracker.place(id)?;
                Ok(launch.local_bytes)
            }
        }
    }

    fn read(&self, space: Space, address: u32, bytes: u32) -> Result<Vec<u8>, String> {
        self.check(space, address, bytes as usize)?;
        let Fixed { probes, .. } = &*self.core.fixed;
        let code = &self.core.code;
        let addresses = address..address + bytes;
        Ok(match space {
            Space::Global => addresses.map(|address| self.external_byte(address as usize)).collect(),
            Space::Constant(bank) => addresses.map(|address| probes.constant(code, bank, address)).collect(),
            Space::Shared(block) => {
                let (sm, slot) = self.tracker.place_of_block(block)?;
                addresses
                    .map(|address| probes.shared(code, sm, slot, address))
                    .collect()
            }
            Space::Local(id, lane) => {
                let place = self.tracker.place(id)?;
                let places = addresses.map(|address| self.local_place(place, lane, address));
                places.map(|place| self.external_byte(place)).collect()
            }
        })
    }

    fn apply(&mut self, edit: &Edit) -> Result<(), String> {
        match edit {
            Edit::Register {
                warp,
                register,
                lane,
                value,
            } => {
                let (sm, slot) = self.tracker.place(*warp)?;
                let fixed = self.core.fixed.clone();
                let place = (sm, slot, fixed.launch.registers);
                fixed
                    .probes
                    .set_register(&mut self.core.code, place, *register, *lane, *value)?;
            }
            Edit::Memory { space, address, bytes } => {
                self.check(*space, *address, bytes.len())?;
                let fixed = self.core.fixed.clone();
                for (byte, address) in bytes.iter().zip(*address..) {
                    match *space {
                        Space::Global => self.set_external_byte(address as usize, *byte),
                        Space::Constant(_) => return Err("constant memory cannot be changed while a grid runs".into()),
                        Space::Shared(block) => {
                            let (sm, slot) = self.tracker.place_of_block(block)?;
                            fixed.probes.set_shared(&mut self.core.code, sm, slot, address, *byte);
                        }
                        Space::Local(id, lane) => {
                            let place = self.local_place(self.tracker.place(id)?, lane, address);
                            self.set_external_byte(place, *byte);
                        }
                    }
                }
            }
            Edit::Flip { name, bit } => {
                let code = &mut self.core.code;
                match self.core.fixed.names.get(name) {
                    Some(Named::FlipFlop { number, width }) => {
                        if bit >= width {
                            return Err(format!("{name} has {width} bits; there is no bit {bit}"));
                        }
                        let value = code.flip_flop(*number).unwrap_or_default();
                        code.set_flip_flop(*number, value ^ 1 << bit);
                    }
                    Some(_) => {
                        return Err(format!(
                            "{name} is not a flip-flop; expected a flip-flop, or a word of a memory such as top.sm[0].register_file.bank[0][17]"
                        ))
                    }
                    None => self.flip_word(name, *bit)?,
                }
            }
        }
        self.core.code.settle();
        self.look();
        Ok(())
    }

    fn signals(&self) -> Vec<String> {
        let names = self.core.fixed.names.iter();
        let names = names.filter(|(_, named)| !matches!(named, Named::Memory { .. }));
        names.map(|(name, _)| name.clone()).collect()
    }

    fn signal(&self, name: &str) -> Result<SignalValue, String> {
        let code = &self.core.code;
        let number = |width: u32, value: u128| SignalValue {
            name: name.into(),
            width,
            value: hexadecimal(value, width),
            variants: Arc::default(),
        };
        if let Some((memory, element, field)) = self.field(name) {
            let value = code.memory_field(memory, element, field);
            let value = value.ok_or_else(|| format!("there is no memory word `{name}`"))?;
            return Ok(number(64, value.into()));
        }
        match self.named(name)? {
            Named::Signal {
                number: signal,
                field,
                width,
                variants,
            } => {
                let bits = code.signal(*signal, *field).unwrap_or_default();
                let mut value = number(*width, bits);
                if let Some(variant) = usize::try_from(bits).ok().and_then(|bits| variants.get(bits)) {
                    value.value.clone_from(variant);
                }
                value.variants = variants.clone();
                Ok(value)
            }
            Named::FlipFlop {
                number: flip_flop,
                width,
            } => Ok(number(*width, code.flip_flop(*flip_flop).unwrap_or_default())),
            Named::Memory { elements, .. } => Err(format!(
                "{name} is a memory of {elements} elements; expected one of them, such as {name}[0]"
            )),
        }
    }
}

impl CircuitTarget {
    fn flip_word(&mut self, name: &str, bit: u32) -> Result<(), String> {
        let Some((memory, element, field)) = self.field(name) else {
            self.named(name)?;
            return Err(format!("{name} cannot be changed"));
        };
        let code = &mut self.core.code;
        let value = code.memory_field(memory, element, field);
        let value = value.ok_or_else(|| format!("there is no memory word `{name}`"))?;
        let flipped = 1u64.checked_shl(bit).map(|bit| value ^ bit);
        let flipped = flipped.ok_or_else(|| format!("{name} has no bit {bit}"))?;
        code.set_memory_field(memory, element, field, flipped);
        if code.memory_field(memory, element, field) != Some(flipped) {
            return Err(format!("{name} has no bit {bit}"));
        }
        Ok(())
    }
}
