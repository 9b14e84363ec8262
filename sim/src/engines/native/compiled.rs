//! The circuits as machine code, compiled from their kernels at the start.

use crate::big_stack::on_big_stack;
use crate::engines::engine::{Engine, Observer, Options};
use crate::engines::error::RunError;
use crate::engines::native::core::{NativeCore, Stepper};
use crate::engines::native::machine_code;
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

/// The error of circuits that cannot be compiled.
pub(super) fn failed(error: CompileError) -> RunError {
    RunError::Bench(format!("cannot compile {error}"))
}
