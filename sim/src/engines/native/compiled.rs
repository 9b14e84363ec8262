//! The circuits as machine code, compiled from their kernels at the start.

use crate::big_stack::on_big_stack;
use crate::engines::engine::{Engine, Observer, Options};
use crate::engines::error::RunError;
use crate::engines::native::core::{NativeCore, Stepper};
use crate::engines::native::machine_code;
use crate::engines::native::ports::Ports;
use crate::engines::native::snapshot::Snapshot;
use crate::engines::native::test_bench::{run_from, saved, snapshot_at, Loading, Start};
use crate::engines::outcome::RunReport;
use crate::engines::sizes::check;
use crate::waves::error::WavesError;
use crate::waves::output::WaveOutput;
use flexgrip_hdl::tops::{machine, Top};
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::Launch;
use hdlkit::waves::{self, Wave, WaveError};
use hdlkit_compiled::{port_places, Code, CompileError, MachineCode, Target};
use std::sync::Arc;

/// Like [`RtlEngine`](crate::engines::native::rtl::RtlEngine), but only as machine code.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompiledEngine;

impl Engine for CompiledEngine {
    fn name(&self) -> &'static str {
        "compiled"
    }

    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        let sizes = check(self.name(), launch, options)?;
        on_big_stack(RunError::Bench, || {
            core(options, sizes)?.map_err(failed)?.run(launch, options, observer)
        })
    }
}

impl Stepper for MachineCode {
    fn words(&self) -> &[u64] {
        self.ports()
    }

    fn words_mut(&mut self) -> &mut [u64] {
        self.ports_mut()
    }

    fn settle(&mut self) {
        MachineCode::settle(self);
    }

    fn tick(&mut self) {
        MachineCode::tick(self);
    }

    fn save(&self) -> Option<Vec<u64>> {
        MachineCode::save(self)
    }

    fn restore(&mut self, saved: &[u64]) -> bool {
        MachineCode::restore(self, saved)
    }

    fn sample(&mut self, wave: &mut Wave<WaveOutput>, cycle: u64) -> Result<(), WaveError> {
        wave.sample_changes(cycle, |change| self.changes(change))
    }
}

/// Bits that have a value of their own while a machine runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Registers, or words of memories, each with its bits.
    pub targets: Vec<(Target, u128)>,
    /// Whether they are 1.
    pub one: bool,
    /// For how many cycles.
    pub cycles: u64,
}

impl Held {
    fn force(&self, machine: &mut MachineCode) {
        for (target, mask) in &self.targets {
            change(machine, *target, |value| match self.one {
                true => value | mask,
                false => value & !mask,
            });
        }
    }
}

/// Changes a register, or a word of a memory.
pub fn change(machine: &mut MachineCode, target: Target, change: impl FnOnce(u128) -> u128) {
    match target {
        Target::FlipFlop(number) => {
            let Some(old) = machine.flip_flop(number) else { return };
            let new = change(old);
            // What has not changed need not be computed.
            if new != old {
                machine.set_flip_flop(number, new);
            }
        }
        Target::Memory { memory, word } => {
            let Some(old) = machine.memory(memory).and_then(|words| words.get(word)) else {
                return;
            };
            let (old, new) = (*old, change((*old).into()) as u64);
            if new != old {
                machine.set_memory(memory, word, new);
            }
        }
    }
}

/// A machine with bits that are held, and a watch on its end.
pub(super) struct Holding {
    machine: MachineCode,
    held: Option<Held>,
    /// The place of its interrupt.
    interrupt: usize,
    cycles: u64,
    /// The cycles after which it had its interrupt for the first time.
    ended: Option<u64>,
}

impl Holding {
    fn new(machine: MachineCode, interrupt: usize) -> Self {
        Holding {
            machine,
            held: None,
            interrupt,
            cycles: 0,
            ended: None,
        }
    }

    /// Before the first cycle.
    fn begin(&mut self, change: impl FnOnce(&mut MachineCode), held: Option<Held>) {
        (self.cycles, self.ended) = (0, None);
        change(&mut self.machine);
        if let Some(held) = &held {
            held.force(&mut self.machine);
        }
        self.held = held;
    }
}

impl Stepper for Holding {
    fn words(&self) -> &[u64] {
        self.machine.words()
    }

    fn words_mut(&mut self) -> &mut [u64] {
        self.machine.words_mut()
    }

    fn settle(&mut self) {
        self.machine.settle();
        if self.ended.is_none() && self.machine.words()[self.interrupt] != 0 {
            self.ended = Some(self.cycles);
        }
    }

    fn tick(&mut self) {
        self.machine.tick();
        self.cycles += 1;
        if let Some(held) = &mut self.held {
            held.cycles -= 1;
            match held.cycles {
                0 => self.held = None,
                _ => held.force(&mut self.machine),
            }
        }
    }

    fn save(&self) -> Option<Vec<u64>> {
        self.machine.save()
    }

    fn restore(&mut self, saved: &[u64]) -> bool {
        self.machine.restore(saved)
    }

    fn sample(&mut self, wave: &mut Wave<WaveOutput>, cycle: u64) -> Result<(), WaveError> {
        Stepper::sample(&mut self.machine, wave, cycle)
    }
}

/// The machine at rest, unless it cannot be compiled to machine code.
pub(super) fn core(
    options: &Options,
    (lanes, sms): (Lanes, Sms),
) -> Result<Result<NativeCore<MachineCode>, CompileError>, RunError> {
    let chip = machine(lanes, sms);
    // Internal signals are visible only if the code was compiled to show them.
    let made = match (&options.wave, &options.gates) {
        (None, None) => machine_code::of(Top::Gpgpu, &*chip, lanes, sms),
        (None, Some(level)) => level.code(&*chip, lanes, sms),
        (Some(file), level) => {
            let shown = waves::shown(&*chip, &file.options()).map_err(WavesError::from)?;
            let gates = level
                .as_ref()
                .map_or(&[][..], |level| std::slice::from_ref(level.gates()));
            Code::compile_with_gates(&*chip, &shown, gates).map(Arc::new)
        }
    };
    let code = match made {
        Ok(code) => code,
        Err(error) => return Ok(Err(error)),
    };
    let waves = match &options.wave {
        None => None,
        Some(file) => {
            let wave = Wave::of_known(WaveOutput::create(file)?, &*chip, file.options(), code.shown());
            Some((wave.map_err(WavesError::from)?, file.to))
        }
    };
    let stepper = MachineCode::new(&*chip, code);
    let places = port_places(&*chip);
    Ok(Ok(NativeCore::new(&options.configuration, &places, stepper, waves)))
}

/// The circuits as machine code with a launch, which runs from snapshots as often as wanted: for fault campaigns.
pub struct CompiledMachine {
    core: NativeCore<Holding>,
    /// What the circuits hold after reset.
    at_rest: Vec<u64>,
    launch: Launch,
    options: Options,
}

impl CompiledMachine {
    /// Works with a machine for this launch, on a thread of its own. Files that the options ask for are neither written nor
    /// read.
    ///
    /// # Errors
    /// The launch does not fit, there is no machine of these sizes, it cannot be compiled on this processor, or as `work`.
    pub fn with<T: Send>(
        launch: &Launch,
        options: &Options,
        work: impl FnOnce(&mut CompiledMachine) -> Result<T, RunError> + Send,
    ) -> Result<T, RunError> {
        let options = Options {
            wave: None,
            timeline: None,
            save: None,
            from: None,
            ..options.clone()
        };
        let sizes = check("compiled", launch, &options)?;
        on_big_stack(RunError::Bench, || {
            let core = core(&options, sizes)?.map_err(failed)?;
            let core = core.with_stepper(Holding::new);
            work(&mut CompiledMachine {
                at_rest: saved(&core)?,
                core,
                launch: launch.clone(),
                options,
            })
        })
    }

    /// The circuits.
    pub fn code(&self) -> Arc<Code> {
        self.core.stepper().machine.shared_code()
    }

    /// What the circuits hold: after a run, at its end.
    ///
    /// # Errors
    /// That is not to be had.
    pub fn state(&self) -> Result<Vec<u64>, RunError> {
        saved(&self.core)
    }

    /// The cycles after which a run ends.
    pub fn limit(&self) -> u64 {
        self.options.max_cycles
    }

    /// The cycles of the last run, from the snapshot to the machine's interrupt, if it came to that: its own counter may
    /// have a fault.
    pub fn ended(&self) -> Option<u64> {
        self.core.stepper().ended
    }

    /// Ends runs after so many cycles.
    pub fn set_limit(&mut self, cycles: u64) {
        self.options.max_cycles = cycles;
    }

    /// Runs the launch from its start to the beginning of a cycle, numbered as in the trace, at least 1.
    ///
    /// # Errors
    /// The grid ends before, and as [`Engine::run`].
    pub fn snapshot(&mut self, cycle: u64) -> Result<Snapshot, RunError> {
        self.core.stepper_mut().held = None;
        self.core.take(&self.at_rest)?;
        snapshot_at(
            &mut self.core,
            &self.launch,
            &self.options,
            Start::Load(Loading::Bus),
            (cycle, true),
        )
    }

    /// Runs the launch from a snapshot to the beginning of a later cycle. `records`: a run from there can be observed; if it
    /// can be from the first snapshot.
    ///
    /// # Errors
    /// As [`CompiledMachine::snapshot`].
    pub fn snapshot_from(&mut self, from: &Snapshot, cycle: u64, records: bool) -> Result<Snapshot, RunError> {
        self.core.stepper_mut().held = None;
        self.core.take(&from.circuits)?;
        let start = Start::From(from);
        snapshot_at(&mut self.core, &self.launch, &self.options, start, (cycle, records))
    }

    /// Runs the launch from a snapshot to its end. `change` may change what the circuits hold, before the first cycle; some
    /// bits are held if that is wanted.
    ///
    /// # Errors
    /// The snapshot is of other sizes, and as [`Engine::run`].
    pub fn run(
        &mut self,
        from: &Snapshot,
        change: impl FnOnce(&mut MachineCode),
        held: Option<Held>,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        run_held(
            &mut self.core,
            &self.launch,
            &self.options,
            from,
            change,
            held,
            observer,
        )
    }

    /// A machine with these ports, stepped otherwise.
    pub(crate) fn beside<S: Stepper>(&self, stepper: S) -> NativeCore<S> {
        self.core.beside(stepper)
    }

    /// Where the ports are.
    pub(crate) fn ports(&self) -> &Ports {
        self.core.ports()
    }
}

fn run_held(
    core: &mut NativeCore<Holding>,
    launch: &Launch,
    options: &Options,
    from: &Snapshot,
    change: impl FnOnce(&mut MachineCode),
    held: Option<Held>,
    observer: Option<&mut Observer>,
) -> Result<RunReport, RunError> {
    core.take(&from.circuits)?;
    core.stepper_mut().begin(change, held);
    run_from(core, launch, options, observer, Start::From(from), None)
}

/// Runs a launch from a snapshot to its end, with waves if the options ask for them; as [`CompiledMachine::run`] otherwise.
///
/// # Errors
/// The launch or the snapshot does not fit, and as [`Engine::run`].
pub fn run_once(
    launch: &Launch,
    options: &Options,
    from: &Snapshot,
    change: impl FnOnce(&mut MachineCode) + Send,
    held: Option<Held>,
    observer: Option<&mut Observer>,
) -> Result<RunReport, RunError> {
    let sizes = check("compiled", launch, options)?;
    on_big_stack(RunError::Bench, || {
        let core = core(options, sizes)?.map_err(failed)?;
        let mut core = core.with_stepper(Holding::new);
        let report = run_held(&mut core, launch, options, from, change, held, observer)?;
        core.end_waves()?;
        Ok(report)
    })
}

/// A machine of which somebody looks at some signals in each cycle.
struct Watching<'a> {
    machine: MachineCode,
    /// `None` before the grid's first cycle.
    each: Option<&'a mut dyn FnMut(&MachineCode)>,
}

impl Stepper for Watching<'_> {
    fn words(&self) -> &[u64] {
        self.machine.ports()
    }

    fn words_mut(&mut self) -> &mut [u64] {
        self.machine.ports_mut()
    }

    fn settle(&mut self) {
        self.machine.settle();
    }

    fn tick(&mut self) {
        if let Some(each) = &mut self.each {
            each(&self.machine);
        }
        self.machine.tick();
    }

    fn save(&self) -> Option<Vec<u64>> {
        self.machine.save()
    }

    fn restore(&mut self, saved: &[u64]) -> bool {
        self.machine.restore(saved)
    }

    fn sample(&mut self, _: &mut Wave<WaveOutput>, _: u64) -> Result<(), WaveError> {
        Ok(())
    }
}

/// Runs a launch from its start to its end. `shown` says for each of the circuits' signals, in the order of
/// [`waves::paths`], whether it can be seen; `each` sees the machine in every cycle from the grid's first one on, when
/// all has settled, and in those in which the host reads registers afterwards.
///
/// # Errors
/// The launch does not fit, and as [`Engine::run`].
pub fn watch(
    launch: &Launch,
    options: &Options,
    shown: impl FnOnce(&[String]) -> Vec<bool> + Send,
    observer: Option<&mut Observer>,
    each: &mut (dyn FnMut(&MachineCode) + Send),
) -> Result<RunReport, RunError> {
    let sizes = check("compiled", launch, options)?;
    on_big_stack(RunError::Bench, || {
        let chip = machine(sizes.0, sizes.1);
        let shown = shown(&waves::paths(&*chip));
        let code = machine_code::watched(&*chip, sizes.0, sizes.1, shown).map_err(failed)?;
        let machine = MachineCode::new(&*chip, code);
        let stepper = Watching { machine, each: None };
        let mut core = NativeCore::new(&options.configuration, &port_places(&*chip), stepper, None);
        let start = snapshot_at(&mut core, launch, options, Start::Load(Loading::Bus), (1, true))?;
        core.stepper_mut().each = Some(each);
        run_from(&mut core, launch, options, observer, Start::From(&start), None)
    })
}

/// The error of circuits that cannot be compiled.
pub(crate) fn failed(error: CompileError) -> RunError {
    RunError::Bench(format!("cannot compile {error}"))
}
