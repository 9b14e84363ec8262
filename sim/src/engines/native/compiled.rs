//! The circuits as machine code, compiled from their kernels at the start.

use crate::big_stack::on_big_stack;
use crate::engines::engine::{Engine, Observer, Options};
use crate::engines::error::RunError;
use crate::engines::native::core::{NativeCore, Stepper};
use crate::engines::native::machine_code;
use crate::engines::native::snapshot::Snapshot;
use crate::engines::native::test_bench::{run_from, saved, snapshot_at, Start};
use crate::engines::outcome::RunReport;
use crate::engines::sizes::check;
use crate::waves::error::WavesError;
use crate::waves::output::WaveOutput;
use flexgrip_hdl::tops::{machine, Top};
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::Launch;
use hdlkit::waves::{self, Wave, WaveError};
use hdlkit_compiled::{port_places, Code, CompileError, MachineCode};
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

/// The machine at rest, unless it cannot be compiled to machine code.
pub(super) fn core(
    options: &Options,
    (lanes, sms): (Lanes, Sms),
) -> Result<Result<NativeCore<MachineCode>, CompileError>, RunError> {
    let chip = machine(lanes, sms);
    // Internal signals are visible only if the code was compiled to show them.
    let made = match &options.wave {
        None => machine_code::of(Top::Gpgpu, &*chip, lanes, sms),
        Some(file) => {
            let shown = waves::shown(&*chip, &file.options()).map_err(WavesError::from)?;
            Code::compile_showing(&*chip, &shown).map(Arc::new)
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
    core: NativeCore<MachineCode>,
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
            work(&mut CompiledMachine {
                at_rest: saved(&core)?,
                core,
                launch: launch.clone(),
                options,
            })
        })
    }

    /// Runs the launch from its start to the beginning of a cycle, numbered as in the trace, at least 1.
    ///
    /// # Errors
    /// The grid ends before, and as [`Engine::run`].
    pub fn snapshot(&mut self, cycle: u64) -> Result<Snapshot, RunError> {
        self.core.take(&self.at_rest)?;
        snapshot_at(&mut self.core, &self.launch, &self.options, cycle)
    }

    /// Runs the launch from a snapshot to its end. `change` may change what the circuits hold, before the first cycle.
    ///
    /// # Errors
    /// The snapshot is of other sizes, and as [`Engine::run`].
    pub fn run(
        &mut self,
        from: &Snapshot,
        change: impl FnOnce(&mut MachineCode),
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        self.core.take(&from.circuits)?;
        change(self.core.stepper_mut());
        run_from(
            &mut self.core,
            &self.launch,
            &self.options,
            observer,
            Start::From(from),
            None,
        )
    }
}

/// The error of circuits that cannot be compiled.
pub(super) fn failed(error: CompileError) -> RunError {
    RunError::Bench(format!("cannot compile {error}"))
}
