//! The circuits as machine code, compiled in this process.

use crate::big_stack::on_big_stack;
use crate::circuits::sizes::check;
use crate::engine::{Engine, Observer, Options};
use crate::error::RunError;
use crate::native::core::{NativeCore, Stepper};
use crate::native::machine_code;
use crate::native::ports::Ports;
use crate::native::snapshot::Snapshot;
use crate::native::test_bench::{run_from, saved, snapshot_at, Loading, Start};
use crate::outcome::RunReport;
use crate::waves::error::WavesError;
use crate::waves::output::WaveOutput;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_hdl::tops::{machine, Top};
use flexgrip_machine::Launch;
use hdlkit::waves::{self, Wave, WaveError};
use hdlkit_compiled::{port_places, Code, CompileError, MachineCode, Target};
use std::sync::Arc;

/// Like [`RtlEngine`](crate::native::rtl::RtlEngine), but without falling back to kernels.
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
        let parameters = check(self.name(), launch, options)?;
        on_big_stack(RunError::Bench, || {
            core(options, parameters)?
                .map_err(failed)?
                .run(launch, options, observer)
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

    fn skip_idle(&mut self, most: u64) -> u64 {
        MachineCode::skip_idle(self, most)
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

/// Bits that are stuck or delayed while a machine runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Registers or words of memories, each with a mask of the bits.
    pub targets: Vec<(Target, u128)>,
    /// The effect on these bits.
    pub how: Holds,
    /// The number of cycles, at least 1.
    pub cycles: u64,
}

/// The effect on held bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holds {
    /// The bits are 0.
    Zero,
    /// The bits are 1.
    One,
    /// The bits change one cycle late, like [`Effect::Delayed`](hdlkit_compiled::Effect::Delayed). For each target, a
    /// mask of the bits that the last edge should have changed; a missing mask is 0.
    Late(Vec<u128>),
}

impl Held {
    /// Changes the bits of a machine after an edge, before which the targets had these values, or at the beginning.
    /// Returns their values.
    fn force(&mut self, machine: &mut MachineCode, before: Option<&[u128]>) -> Vec<u128> {
        let mut values = vec![];
        if let Holds::Late(late) = &mut self.how {
            late.resize(self.targets.len(), 0);
        }
        for (index, (target, mask)) in self.targets.iter().enumerate() {
            change(machine, *target, |value| {
                let new = match (&mut self.how, before) {
                    (Holds::One, _) => value | mask,
                    (Holds::Zero, _) => value & !mask,
                    (Holds::Late(_), None) => value,
                    (Holds::Late(late), Some(before)) => {
                        late[index] = (value ^ before[index]) & mask & !late[index];
                        value ^ late[index]
                    }
                };
                values.push(new);
                new
            });
        }
        values
    }
}

/// Changes the value of a register, or of a word of a memory.
pub fn change(machine: &mut MachineCode, target: Target, change: impl FnOnce(u128) -> u128) {
    match target {
        Target::FlipFlop(number) => {
            let Some(old) = machine.flip_flop(number) else { return };
            let new = change(old);
            // An unchanged register needs no new evaluation.
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

/// A machine with forced bits that counts the cycles until its interrupt.
pub(super) struct Holding {
    machine: MachineCode,
    held: Option<Held>,
    /// The values of its targets.
    values: Vec<u128>,
    /// The index of the interrupt's port word.
    interrupt: usize,
    cycles: u64,
    /// The value of `cycles` at the first interrupt.
    ended: Option<u64>,
}

impl Holding {
    fn new(machine: MachineCode, interrupt: usize) -> Self {
        Holding {
            machine,
            held: None,
            values: vec![],
            interrupt,
            cycles: 0,
            ended: None,
        }
    }

    /// Prepares a run: restarts the count, changes the state and forces bits.
    fn begin(&mut self, change: impl FnOnce(&mut MachineCode), mut held: Option<Held>) {
        (self.cycles, self.ended) = (0, None);
        change(&mut self.machine);
        if let Some(held) = &mut held {
            self.values = held.force(&mut self.machine, None);
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
                _ => self.values = held.force(&mut self.machine, Some(&self.values)),
            }
        }
    }

    fn skip_idle(&mut self, most: u64) -> u64 {
        // The edge changes forced bits, so cycles with forced bits are not idle.
        let skipped = match self.held {
            None => self.machine.skip_idle(most),
            Some(_) => 0,
        };
        self.cycles += skipped;
        skipped
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

/// A machine at rest, or the reason why there is no machine code for it.
pub(super) fn core(
    options: &Options,
    parameters: MachineParameters,
) -> Result<Result<NativeCore<MachineCode>, CompileError>, RunError> {
    if options.wave.is_none() && options.gates.is_none() {
        let at_rest = machine_code::at_rest(parameters);
        return Ok(at_rest.map(|(machine, ports)| NativeCore::new(&options.configuration, ports, machine, None)));
    }
    let chip = machine(parameters);
    // Only signals selected at compile time are visible.
    let made = match (&options.wave, &options.gates) {
        (None, None) => machine_code::of(Top::Gpgpu, &*chip, parameters),
        (None, Some(level)) => level.code(&*chip, parameters),
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
    let ports = Ports::new(&port_places(&*chip), parameters.lanes.count(), parameters.sms.count());
    Ok(Ok(NativeCore::new(&options.configuration, ports, stepper, waves)))
}

/// The circuits as machine code with a launch, which can be run from snapshots any number of times, for fault
/// campaigns.
pub struct CompiledMachine {
    core: NativeCore<Holding>,
    /// The state of the circuits after reset.
    at_rest: Vec<u64>,
    launch: Launch,
    options: Options,
}

impl CompiledMachine {
    /// Calls `work` with a machine for this launch, on a separate thread. Options for waves, timelines and snapshots
    /// are ignored.
    ///
    /// # Errors
    /// The launch does not fit, there is no machine of these sizes, it cannot be compiled on this processor, or an
    /// error of `work`.
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
        let parameters = check("compiled", launch, &options)?;
        on_big_stack(RunError::Bench, || {
            let core = core(&options, parameters)?.map_err(failed)?;
            let core = core.with_stepper(Holding::new);
            work(&mut CompiledMachine {
                at_rest: saved(&core)?,
                core,
                launch: launch.clone(),
                options,
            })
        })
    }

    /// The circuits' machine code.
    pub fn code(&self) -> Arc<Code> {
        self.core.stepper().machine.shared_code()
    }

    /// The state of the circuits: after a run, the state at its end.
    ///
    /// # Errors
    /// The state cannot be saved.
    pub fn state(&self) -> Result<Vec<u64>, RunError> {
        saved(&self.core)
    }

    /// The cycle limit of a run.
    pub fn limit(&self) -> u64 {
        self.options.max_cycles
    }

    /// Cycles of the last run, from the snapshot to the first interrupt, if there was one. The machine's own cycle
    /// counter may be faulty.
    pub fn ended(&self) -> Option<u64> {
        self.core.stepper().ended
    }

    /// Sets the cycle limit of further runs.
    pub fn set_limit(&mut self, cycles: u64) {
        self.options.max_cycles = cycles;
    }

    /// Runs the launch from its start to the beginning of a cycle, numbered as in the trace, at least 1.
    ///
    /// # Errors
    /// The errors of [`Engine::run`], or the grid ends before that cycle.
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

    /// Runs the launch from a snapshot to the beginning of a later cycle. `records`: keep the records in flight, so
    /// that a run from the new snapshot can be observed; this requires that `from` has them.
    ///
    /// # Errors
    /// The errors of [`CompiledMachine::snapshot`].
    pub fn snapshot_from(&mut self, from: &Snapshot, cycle: u64, records: bool) -> Result<Snapshot, RunError> {
        self.core.stepper_mut().held = None;
        self.core.take(&from.circuits)?;
        let start = Start::From(from);
        snapshot_at(&mut self.core, &self.launch, &self.options, start, (cycle, records))
    }

    /// Runs the launch from a snapshot to its end. `change` may change the circuits' state before the first cycle;
    /// `held` forces bits.
    ///
    /// # Errors
    /// The snapshot is from a machine of other sizes, or the errors of [`Engine::run`].
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

    /// A machine with the same ports and a different stepper.
    pub fn beside<S: Stepper>(&self, stepper: S) -> NativeCore<S> {
        self.core.beside(stepper)
    }

    /// The places of the ports.
    pub fn ports(&self) -> &Ports {
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

/// Runs a launch from a snapshot to its end like [`CompiledMachine::run`], with waves if requested by the options.
///
/// # Errors
/// The launch or the snapshot does not fit, or the errors of [`Engine::run`].
pub fn run_once(
    launch: &Launch,
    options: &Options,
    from: &Snapshot,
    change: impl FnOnce(&mut MachineCode) + Send,
    held: Option<Held>,
    observer: Option<&mut Observer>,
) -> Result<RunReport, RunError> {
    let parameters = check("compiled", launch, options)?;
    on_big_stack(RunError::Bench, || {
        let core = core(options, parameters)?.map_err(failed)?;
        let mut core = core.with_stepper(Holding::new);
        let report = run_held(&mut core, launch, options, from, change, held, observer)?;
        core.end_waves()?;
        Ok(report)
    })
}

/// A machine with a callback in each cycle.
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

/// Runs a launch from its start to its end. `shown` selects the visible signals, in the order of [`waves::paths`].
/// `each` gets the settled machine in every cycle from the grid's first one, and also in the cycles after the end in
/// which the host reads registers.
///
/// # Errors
/// The launch does not fit, or the errors of [`Engine::run`].
pub fn watch(
    launch: &Launch,
    options: &Options,
    shown: impl FnOnce(&[String]) -> Vec<bool> + Send,
    observer: Option<&mut Observer>,
    each: &mut (dyn FnMut(&MachineCode) + Send),
) -> Result<RunReport, RunError> {
    let parameters = check("compiled", launch, options)?;
    on_big_stack(RunError::Bench, || {
        let (machine, ports) = machine_code::watched(parameters, shown).map_err(failed)?;
        let stepper = Watching { machine, each: None };
        let mut core = NativeCore::new(&options.configuration, ports, stepper, None);
        let start = snapshot_at(&mut core, launch, options, Start::Load(Loading::Bus), (1, true))?;
        core.stepper_mut().each = Some(each);
        run_from(&mut core, launch, options, observer, Start::From(&start), None)
    })
}

/// The error of circuits that cannot be compiled.
pub fn failed(error: CompileError) -> RunError {
    RunError::Bench(format!("cannot compile {error}"))
}
