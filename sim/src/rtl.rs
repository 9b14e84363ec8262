//! The circuits, natively: under the cycle engine, or as machine code.

use crate::bench::{self, Core, HostDrive, HostSample, MemoryRequest};
use crate::engine::{Engine, Observer, Options, RunError, RunReport, WaveFile};
use crate::events::Event;
use crate::host::local_layout;
use crate::ports;
use crate::wave_output::WaveOutput;
use flexgrip_hdl::gpgpu::Gpgpu;
use flexgrip_model::{Configuration, Launch};
use hdlkit::compiled::CompileError;
use hdlkit::prelude::*;
use hdlkit::wave::{Wave, WaveError, WaveOptions};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Stack of the thread that circuits are built and run on: they are large values, and built by value.
pub const STACK_BYTES: usize = 1 << 30;

/// Memory that addresses of 32 bits reach.
const MEMORY_BYTES: u64 = 1 << 32;

/// Global memory that the host can reach: the upper half of its address space.
const WINDOW_BYTES: u32 = 1 << 31;

/// Numbers of SMs that there are circuits of.
pub const SMS: [u32; 3] = [1, 2, 4];

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

/// Calls a function that is generic over LANES and SMS for the sizes of a checked configuration.
macro_rules! with_sizes {
    (($lanes:expr, $sms:expr), $function:ident $arguments:tt) => {
        match $lanes {
            8 => with_sizes!(@sms 8, $sms, $function $arguments),
            16 => with_sizes!(@sms 16, $sms, $function $arguments),
            _ => with_sizes!(@sms 32, $sms, $function $arguments),
        }
    };
    (@sms $lanes:literal, $sms:expr, $function:ident $arguments:tt) => {
        match $sms {
            1 => $function::<$lanes, 1> $arguments,
            2 => $function::<$lanes, 2> $arguments,
            _ => $function::<$lanes, 4> $arguments,
        }
    };
}
pub(crate) use with_sizes;

/// Cycles after which a run is compiled: about as long as compiling takes.
const COMPILE_AFTER: u64 = 10_000;

/// Runs launches on the circuits, natively: first their kernels as they are, under the cycle engine, then as machine code,
/// from the cycle on after which that pays, or at once if this process has the code already. With waves, kernels up to the
/// last cycle that they show: machine code has no signals inside.
#[derive(Clone, Copy, Debug, Default)]
pub struct RtlEngine;

/// As [`RtlEngine`], kernels only.
#[derive(Clone, Copy, Debug, Default)]
pub struct KernelEngine;

/// As [`RtlEngine`], machine code from the first cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompiledEngine;

/// When to go on as machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compile {
    Never,
    AtOnce,
    WhenItPays,
}

impl Engine for RtlEngine {
    fn name(&self) -> &'static str {
        "rtl"
    }

    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        start(self.name(), Compile::WhenItPays, launch, options, observer)
    }
}

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
        start(self.name(), Compile::Never, launch, options, observer)
    }
}

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
        if options.wave.is_some() {
            return Err(RunError::Unsupported {
                engine: self.name(),
                reason: "does not write waves; choose rtl, kernels or verilator".into(),
            });
        }
        start(self.name(), Compile::AtOnce, launch, options, observer)
    }
}

fn start(
    engine: &'static str,
    compile: Compile,
    launch: &Launch,
    options: &Options,
    observer: Option<&mut Observer>,
) -> Result<RunReport, RunError> {
    check(engine, launch, options)?;
    let Configuration { lanes, sms, .. } = options.configuration;
    on_big_stack(|| with_sizes!((lanes, sms), run(compile, launch, options, observer)))
}

/// The machine code of the chips that this process has compiled, by lanes and SMs.
static CODE: Mutex<BTreeMap<(usize, usize), Arc<Code>>> = Mutex::new(BTreeMap::new());

/// The machine code of a chip, if this process has it.
fn known_code(lanes: usize, sms: usize) -> Option<Arc<Code>> {
    let known = CODE.lock().unwrap_or_else(PoisonError::into_inner);
    known.get(&(lanes, sms)).cloned()
}

/// The machine code of a chip.
fn code<const LANES: usize, const SMS: usize>() -> Result<Arc<Code>, CompileError> {
    if let Some(code) = known_code(LANES, SMS) {
        return Ok(code);
    }
    // From a chip at rest: the text of its parts tells what registers hold, and not every bundle has a literal.
    let code = Arc::new(Code::compile(&*Box::new(Gpgpu::<LANES, SMS>::new()))?);
    let mut known = CODE.lock().unwrap_or_else(PoisonError::into_inner);
    known.insert((LANES, SMS), code.clone());
    Ok(code)
}

/// Runs `work` on a thread with a big stack. A panic there, such as that of a combinational loop, becomes an error.
pub(crate) fn on_big_stack<T: Send>(work: impl FnOnce() -> Result<T, RunError> + Send) -> Result<T, RunError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("circuits".into())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(RunError::io("cannot start a thread"))?;
        thread.join().unwrap_or_else(|panic| {
            let message = panic.downcast_ref::<String>().map(String::as_str);
            let message = message
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("a panic");
            Err(RunError::Bench(format!("the circuits failed: {message}")))
        })
    })
}

/// What steps the machine.
enum Stepper<const LANES: usize, const SMS: usize> {
    Kernels(CycleEngine<Gpgpu<LANES, SMS>>),
    Compiled(MachineCode<Gpgpu<LANES, SMS>>),
    /// Between the two.
    Changing,
}

/// The machine.
struct RtlCore<const LANES: usize, const SMS: usize> {
    stepper: Stepper<LANES, SMS>,
    /// Cycles that kernels are still run for.
    kernel_cycles: u64,
    wave: Option<OpenWave>,
}

/// Waves being written.
struct OpenWave {
    wave: Wave<WaveOutput>,
    /// The last cycle that they show.
    last: u64,
    /// Cycles that kernels are run for from then on.
    then: u64,
}

impl<const LANES: usize, const SMS: usize> RtlCore<LANES, SMS> {
    /// At rest.
    fn new(compile: Compile, wave: Option<&WaveFile>) -> Result<Self, RunError> {
        let mut gpgpu = Box::new(Gpgpu::<LANES, SMS>::new());
        gpgpu.memory_request_ready.next = true;
        let engine = CycleEngine::new(gpgpu);
        let mut kernel_cycles = match compile {
            Compile::Never => u64::MAX,
            Compile::AtOnce => 0,
            Compile::WhenItPays if known_code(LANES, SMS).is_some() => 0,
            Compile::WhenItPays => COMPILE_AFTER,
        };
        let wave = match wave {
            None => None,
            Some(file) => {
                let options = wave_options(file);
                options.check(&*engine.block).map_err(wave_error)?;
                let output = WaveOutput::create(file)?;
                Some(OpenWave {
                    wave: Wave::new(output, &*engine.block, options).map_err(wave_error)?,
                    last: file.to,
                    then: std::mem::replace(&mut kernel_cycles, u64::MAX),
                })
            }
        };
        Ok(RtlCore {
            stepper: Stepper::Kernels(engine),
            kernel_cycles,
            wave,
        })
    }

    fn block(&self) -> &Gpgpu<LANES, SMS> {
        match &self.stepper {
            Stepper::Kernels(engine) => &engine.block,
            Stepper::Compiled(engine) => &engine.block,
            Stepper::Changing => unreachable!("only within `go_on_as_code`"),
        }
    }

    /// From the cycle engine, in which the machine has settled, to machine code. On a processor that there is none for,
    /// kernels go on.
    fn go_on_as_code(&mut self) {
        self.stepper = match std::mem::replace(&mut self.stepper, Stepper::Changing) {
            Stepper::Kernels(engine) => match code::<LANES, SMS>() {
                Ok(code) => Stepper::Compiled(MachineCode::new(engine.block, code)),
                Err(CompileError::Processor(_)) => Stepper::Kernels(engine),
                Err(error) => panic!("cannot compile {error}"),
            },
            other => other,
        };
        self.kernel_cycles = u64::MAX;
    }
}

impl<const LANES: usize, const SMS: usize> Core for RtlCore<LANES, SMS> {
    fn lanes(&self) -> u32 {
        LANES as u32
    }

    fn sms(&self) -> u32 {
        SMS as u32
    }

    fn drive(&mut self, host: &HostDrive, response: Option<&[u32; 32]>) {
        let gpgpu = match &mut self.stepper {
            Stepper::Kernels(engine) => &mut engine.block,
            Stepper::Compiled(engine) => &mut engine.block,
            Stepper::Changing => unreachable!("only within `go_on_as_code`"),
        };
        ports::drive(gpgpu, host, response);
    }

    fn settle(&mut self) {
        match &mut self.stepper {
            Stepper::Kernels(engine) => {
                engine.settle();
                if self.kernel_cycles == 0 {
                    self.go_on_as_code();
                    self.settle();
                }
            }
            Stepper::Compiled(engine) => engine.settle(),
            Stepper::Changing => unreachable!("only within `go_on_as_code`"),
        }
    }

    fn host(&self) -> HostSample {
        ports::host(self.block())
    }

    fn request(&self) -> Option<MemoryRequest> {
        ports::request(self.block())
    }

    fn events(&self, all: bool, sink: &mut dyn FnMut(u32, &Event)) {
        ports::events(self.block(), all, sink);
    }

    fn tick(&mut self, cycle: Option<u64>) -> Result<(), RunError> {
        if let (Some(open), Some(cycle), Stepper::Kernels(engine)) = (&mut self.wave, cycle, &self.stepper) {
            open.wave.sample(cycle, &*engine.block).map_err(wave_error)?;
            if cycle == open.last {
                // This cycle's edge counts as one of them.
                self.kernel_cycles = open.then.saturating_add(1);
            }
        }
        match &mut self.stepper {
            Stepper::Kernels(engine) => {
                engine.tick();
                self.kernel_cycles -= 1;
            }
            Stepper::Compiled(engine) => engine.tick(),
            Stepper::Changing => unreachable!("only within `go_on_as_code`"),
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
    look: impl FnOnce(&dyn Block) -> Result<T, RunError> + Send,
) -> Result<T, RunError> {
    fn of_sizes<const LANES: usize, const SMS: usize>() -> Box<dyn Block> {
        Box::new(Gpgpu::<LANES, SMS>::new())
    }
    on_big_stack(|| look(&*with_sizes!((lanes, sms), of_sizes())))
}

fn run<const LANES: usize, const SMS: usize>(
    compile: Compile,
    launch: &Launch,
    options: &Options,
    observer: Option<&mut Observer>,
) -> Result<RunReport, RunError> {
    let mut core = RtlCore::<LANES, SMS>::new(compile, options.wave.as_ref())?;
    let report = bench::run(&mut core, launch, options, observer)?;
    if let Some(open) = core.wave {
        open.wave.finish().map_err(wave_error)?.close()?;
    }
    Ok(report)
}
