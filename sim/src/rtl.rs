//! The circuits, natively: under the cycle engine, or as machine code.

use crate::bench::{self, Core, HostDrive, HostSample, MemoryRequest};
use crate::engine::{Engine, Observer, Options, RunError, RunReport, WaveFile};
use crate::events::Event;
use crate::host::local_layout;
use crate::machine_code;
use crate::ports::Ports;
use crate::wave_output::WaveOutput;
use flexgrip_hdl::big_stack::{self, BigStackError};
use flexgrip_hdl::tops::{machine, machine_with_kernels, Top, KERNEL_SIZES, SMS};
use flexgrip_model::{Configuration, Launch};
use hdlkit::waves::{self, Wave, WaveError, WaveOptions};
use hdlkit::{Circuit, CycleEngine, Structure};
use hdlkit_compiled::{port_places, Code, CompileError, MachineCode};
use std::sync::Arc;

/// Memory that addresses of 32 bits reach.
const MEMORY_BYTES: u64 = 1 << 32;

/// Global memory that the host can reach: the upper half of its address space.
const WINDOW_BYTES: u32 = 1 << 31;

/// The sizes that the circuits have, with `lanes` lanes and one SM. Only lanes, SMs (one of [`SMS`]) and the size of global
/// memory can be chosen.
pub fn configuration(lanes: u32, global_bytes: u32) -> Configuration {
    Configuration {
        lanes,
        global_bytes,
        ..Configuration::default()
    }
}

/// Refuses a machine that the circuits are not.
pub(crate) fn check(engine: &'static str, launch: &Launch, options: &Options) -> Result<(), RunError> {
    launch.check(&options.configuration)?;
    let Configuration {
        lanes,
        sms,
        global_bytes,
        ..
    } = options.configuration;
    if !SMS.contains(&sms) {
        let reason = format!("has 1, 2 or 4 SMs; asked for were {sms}");
        return Err(RunError::Unsupported { engine, reason });
    }
    let circuits = Configuration {
        sms,
        ..configuration(lanes, global_bytes)
    };
    if options.configuration != circuits {
        let reason = format!(
            "has the sizes of the circuits, {circuits:?}; asked for were {:?}",
            options.configuration
        );
        return Err(RunError::Unsupported { engine, reason });
    }
    if options.jobs.get() > 1 {
        let reason = "runs a grid on one thread; choose the model for several jobs".into();
        return Err(RunError::Unsupported { engine, reason });
    }
    if global_bytes > WINDOW_BYTES {
        let reason = format!(
            "loads global memory through the host's window of {WINDOW_BYTES} bytes; asked for were {global_bytes}"
        );
        return Err(RunError::Unsupported { engine, reason });
    }
    let end = local_layout(launch, &options.configuration).end;
    if end > MEMORY_BYTES {
        let reason = format!(
            "has memory for {MEMORY_BYTES} bytes; global memory and the local memories of all threads need {end}"
        );
        return Err(RunError::Unsupported { engine, reason });
    }
    Ok(())
}

/// Runs launches on the circuits, natively: as machine code, which is made at the start, once in a process. On a processor that
/// there is no machine code for, as [`KernelEngine`].
#[derive(Clone, Copy, Debug, Default)]
pub struct RtlEngine;

/// As [`RtlEngine`], but the circuits' kernels as they are, under the cycle engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct KernelEngine;

/// As [`RtlEngine`], and nothing but machine code.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompiledEngine;

/// What to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    Kernels,
    Code,
    CodeIfThereIs,
}

macro_rules! engine {
    ($engine:ty, $name:literal, $run:expr) => {
        impl Engine for $engine {
            fn name(&self) -> &'static str {
                $name
            }

            fn run(
                &mut self,
                launch: &Launch,
                options: &Options,
                observer: Option<&mut Observer>,
            ) -> Result<RunReport, RunError> {
                start(self.name(), $run, launch, options, observer)
            }
        }
    };
}

engine!(RtlEngine, "rtl", Run::CodeIfThereIs);
engine!(KernelEngine, "kernels", Run::Kernels);
engine!(CompiledEngine, "compiled", Run::Code);

fn start(
    engine: &'static str,
    run: Run,
    launch: &Launch,
    options: &Options,
    observer: Option<&mut Observer>,
) -> Result<RunReport, RunError> {
    check(engine, launch, options)?;
    on_big_stack(|| {
        let mut core = RtlCore::new(engine, run, options)?;
        let report = bench::run(&mut core, launch, options, observer)?;
        if let Some((wave, _)) = core.wave {
            wave.finish().map_err(wave_error)?.close()?;
        }
        Ok(report)
    })
}

/// Runs `work` on a thread with a big stack; a panic there is an error.
pub(crate) fn on_big_stack<T: Send>(work: impl FnOnce() -> Result<T, RunError> + Send) -> Result<T, RunError> {
    big_stack::on_big_stack(work).unwrap_or_else(|error| {
        Err(match error {
            BigStackError::Thread(error) => RunError::io("cannot start a thread")(error),
            BigStackError::Panic(_) => RunError::Bench(error.to_string()),
        })
    })
}

/// What steps the machine.
enum Stepper {
    Kernels {
        engine: CycleEngine<dyn Circuit>,
        /// Its ports.
        words: Vec<u64>,
    },
    Code(MachineCode),
}

impl Stepper {
    fn words(&self) -> &[u64] {
        match self {
            Stepper::Kernels { words, .. } => words,
            Stepper::Code(machine) => machine.ports(),
        }
    }
}

/// The machine.
struct RtlCore {
    lanes: u32,
    sms: u32,
    ports: Ports,
    stepper: Stepper,
    /// Waves being written, and the last cycle that they show.
    wave: Option<(Wave<WaveOutput>, u64)>,
}

impl RtlCore {
    /// At rest.
    fn new(engine: &'static str, run: Run, options: &Options) -> Result<Self, RunError> {
        let Configuration { lanes, sms, .. } = options.configuration;
        let chip = machine(lanes, sms);
        let places = port_places(&*chip);
        let core = |stepper, wave| RtlCore {
            lanes,
            sms,
            ports: Ports::new(&places, lanes, sms),
            stepper,
            wave,
        };
        let mut reason = String::new();
        if run != Run::Kernels {
            // Signals inside are there only if the code was made to show them.
            let made = match &options.wave {
                None => machine_code::of(Top::Gpgpu, &*chip, lanes, sms),
                Some(file) => {
                    let shown = waves::shown(&*chip, &wave_options(file)).map_err(wave_error)?;
                    Code::compile_showing(&*chip, &shown).map(Arc::new)
                }
            };
            match made {
                Ok(code) => {
                    let wave = match &options.wave {
                        None => None,
                        Some(file) => {
                            let wave =
                                Wave::of_known(WaveOutput::create(file)?, &*chip, wave_options(file), code.shown());
                            Some((wave.map_err(wave_error)?, file.to))
                        }
                    };
                    return Ok(core(Stepper::Code(MachineCode::new(&*chip, code)), wave));
                }
                Err(CompileError::Processor(why)) if run == Run::CodeIfThereIs => {
                    reason = format!("; there is no machine code for this processor: {why}");
                }
                Err(error) => return Err(RunError::Bench(format!("cannot compile {error}"))),
            }
        }
        let Some(kernels) = machine_with_kernels(lanes, sms) else {
            let reason = format!(
                "has the kernels of {KERNEL_SIZES} in this program, asked for were {lanes} lanes and {sms} SM; choose rtl, \
                 or build with `--features all-sizes`{reason}"
            );
            return Err(RunError::Unsupported { engine, reason });
        };
        let engine = CycleEngine::new(kernels);
        let wave = match &options.wave {
            None => None,
            Some(file) => {
                let options = wave_options(file);
                options.check(&*chip).map_err(wave_error)?;
                let wave = Wave::new(WaveOutput::create(file)?, &*chip, options).map_err(wave_error)?;
                Some((wave, file.to))
            }
        };
        let words = vec![0; places.words()];
        Ok(core(Stepper::Kernels { engine, words }, wave))
    }
}

impl Core for RtlCore {
    fn lanes(&self) -> u32 {
        self.lanes
    }

    fn sms(&self) -> u32 {
        self.sms
    }

    fn drive(&mut self, host: &HostDrive, response: Option<&[u32; 32]>) {
        let words = match &mut self.stepper {
            Stepper::Kernels { words, .. } => words,
            Stepper::Code(machine) => machine.ports_mut(),
        };
        self.ports.drive(words, host, response);
    }

    fn settle(&mut self) {
        match &mut self.stepper {
            Stepper::Kernels { engine, words } => {
                engine.block.set_inputs(&mut &words[..]);
                engine.settle();
                engine.block.outputs(&mut &mut words[..]);
            }
            Stepper::Code(machine) => machine.settle(),
        }
    }

    fn host(&self) -> HostSample {
        self.ports.host(self.stepper.words())
    }

    fn request(&self) -> Option<MemoryRequest> {
        self.ports.request(self.stepper.words())
    }

    fn events(&self, all: bool, sink: &mut dyn FnMut(u32, &Event)) {
        self.ports.events(self.stepper.words(), all, sink);
    }

    fn tick(&mut self, cycle: Option<u64>) -> Result<(), RunError> {
        if let (Some((wave, last)), Some(cycle)) = (&mut self.wave, cycle) {
            if cycle <= *last {
                match &mut self.stepper {
                    Stepper::Kernels { engine, .. } => wave.sample(cycle, engine.block.as_structure()),
                    Stepper::Code(machine) => wave.sample_changes(cycle, |change| machine.changes(change)),
                }
                .map_err(wave_error)?;
            }
        }
        match &mut self.stepper {
            Stepper::Kernels { engine, .. } => engine.tick(),
            Stepper::Code(machine) => machine.tick(),
        }
        Ok(())
    }
}

/// What of a run goes to a file.
pub(crate) fn wave_options(file: &WaveFile) -> WaveOptions {
    WaveOptions {
        scopes: file.scopes.clone(),
        from: file.from,
        to: file.to,
    }
}

pub(crate) fn wave_error(error: WaveError) -> RunError {
    match error {
        WaveError::Io(error) => RunError::Io {
            what: "cannot write the waves".into(),
            error,
        },
        WaveError::UnknownScope(_) | WaveError::Window { .. } => RunError::Wave(error.to_string()),
        other => RunError::Bench(format!("waves: {other}")),
    }
}

/// Shows a chip at rest to `look`.
pub(crate) fn at_rest<T: Send>(
    lanes: u32,
    sms: u32,
    look: impl FnOnce(&dyn Structure) -> Result<T, RunError> + Send,
) -> Result<T, RunError> {
    on_big_stack(|| look(&*machine(lanes, sms)))
}
