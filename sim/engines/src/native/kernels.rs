//! The circuits' kernels under the cycle engine, without machine code.

use crate::big_stack::on_big_stack;
use crate::circuits::sizes::check;
use crate::engine::{Engine, Observer, Options};
use crate::error::RunError;
use crate::native::core::{NativeCore, Stepper};
use crate::native::ports::Ports;
use crate::outcome::RunReport;
use crate::waves::error::WavesError;
use crate::waves::output::WaveOutput;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_hdl::tops::{machine, machine_with_kernels, KERNEL_SIZES};
use flexgrip_machine::Launch;
use hdlkit::waves::{Wave, WaveError};
use hdlkit::{Circuit, CycleEngine};
use hdlkit_compiled::port_places;

/// Like [`RtlEngine`](crate::native::rtl::RtlEngine), but with the kernels, under the cycle engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct KernelEngine;

impl Engine for KernelEngine {
    fn name(&self) -> &'static str {
        "kernels"
    }

    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        let parameters = check(self.name(), launch, options)?;
        let name = self.name();
        on_big_stack(RunError::Bench, || {
            core(name, options, parameters, "")?.run(launch, options, observer)
        })
    }
}

/// Steps the kernels.
pub(super) struct Kernels {
    engine: CycleEngine<dyn Circuit>,
    /// The circuits' ports.
    words: Vec<u64>,
}

impl Stepper for Kernels {
    fn words(&self) -> &[u64] {
        &self.words
    }

    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    fn settle(&mut self) {
        self.engine.block.set_inputs(&mut &self.words[..]);
        self.engine.settle();
        self.engine.block.outputs(&mut &mut self.words[..]);
    }

    fn tick(&mut self) {
        self.engine.tick();
    }

    fn sample(&mut self, wave: &mut Wave<WaveOutput>, cycle: u64) -> Result<(), WaveError> {
        wave.sample(cycle, self.engine.block.as_structure())
    }
}

/// A machine at rest, for the engine of this name. `reason`: the lack of machine code, for the error if there are no
/// kernels of these sizes.
pub(super) fn core(
    engine: &'static str,
    options: &Options,
    parameters: MachineParameters,
    reason: &str,
) -> Result<NativeCore<Kernels>, RunError> {
    options.refuse_snapshots(engine)?;
    let chip = machine(parameters);
    let places = port_places(&*chip);
    let Some(kernels) = machine_with_kernels(parameters) else {
        let MachineParameters { lanes, sms, .. } = parameters;
        let reason = format!(
            "has no kernels for {lanes} lanes and --sms {sms} in this program, only for {KERNEL_SIZES}; choose rtl, or \
             build with `--features all-sizes`{reason}"
        );
        return Err(RunError::Unsupported { engine, reason });
    };
    let engine = CycleEngine::new(kernels);
    let waves = match &options.wave {
        None => None,
        Some(file) => {
            let options = file.options();
            options.check(&*chip).map_err(WavesError::from)?;
            let wave = Wave::new(WaveOutput::create(file)?, &*chip, options).map_err(WavesError::from)?;
            Some((wave, file.to))
        }
    };
    let words = vec![0; places.words()];
    let stepper = Kernels { engine, words };
    let ports = Ports::new(&places, parameters.lanes.count(), parameters.sms.count());
    Ok(NativeCore::new(&options.configuration, ports, stepper, waves))
}
