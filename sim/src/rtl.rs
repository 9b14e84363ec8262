//! The circuits under the native cycle engine.

use crate::bench::{self, Core, HostDrive, HostSample, MemoryRequest};
use crate::engine::{Engine, Observer, Options, RunError, RunReport};
use crate::events::Event;
use crate::host::local_layout;
use crate::ports;
use flexgrip_hdl::gpgpu::Gpgpu;
use flexgrip_model::{Configuration, Launch};
use hdlkit::prelude::*;
use hdlkit::wave::{Wave, WaveError, WaveOptions};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

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

/// Runs launches on the circuits, natively.
#[derive(Clone, Copy, Debug, Default)]
pub struct RtlEngine;

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
        check(self.name(), launch, options)?;
        let Configuration { lanes, sms, .. } = options.configuration;
        on_big_stack(|| with_sizes!((lanes, sms), run(launch, options, observer)))
    }
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

/// The machine under the cycle engine.
struct RtlCore<const LANES: usize, const SMS: usize> {
    engine: CycleEngine<Gpgpu<LANES, SMS>>,
    wave: Option<Wave<BufWriter<File>>>,
}

impl<const LANES: usize, const SMS: usize> RtlCore<LANES, SMS> {
    /// At rest. `wave`: where to write waves, from the start of the grid.
    fn new(wave: Option<&Path>) -> Result<Self, RunError> {
        let mut gpgpu = Box::new(Gpgpu::<LANES, SMS>::new());
        gpgpu.memory_request_ready.next = true;
        let engine = CycleEngine::new(gpgpu);
        let wave = match wave {
            None => None,
            Some(path) => {
                let file = File::create(path).map_err(RunError::io(format!("cannot write {}", path.display())))?;
                let wave = Wave::new(BufWriter::new(file), &*engine.block, WaveOptions::default());
                Some(wave.map_err(wave_error)?)
            }
        };
        Ok(RtlCore { engine, wave })
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
        ports::drive(&mut self.engine.block, host, response);
    }

    fn settle(&mut self) {
        self.engine.settle();
    }

    fn host(&self) -> HostSample {
        ports::host(&self.engine.block)
    }

    fn request(&self) -> Option<MemoryRequest> {
        ports::request(&self.engine.block)
    }

    fn events(&self, all: bool, sink: &mut dyn FnMut(u32, &Event)) {
        ports::events(&self.engine.block, all, sink);
    }

    fn tick(&mut self, cycle: Option<u64>) -> Result<(), RunError> {
        if let (Some(wave), Some(cycle)) = (&mut self.wave, cycle) {
            wave.sample(cycle, &*self.engine.block).map_err(wave_error)?;
        }
        self.engine.tick();
        Ok(())
    }
}

fn wave_error(error: WaveError) -> RunError {
    match error {
        WaveError::Io(error) => RunError::Io {
            what: "cannot write the waves".into(),
            error,
        },
        other => RunError::Bench(format!("waves: {other}")),
    }
}

fn run<const LANES: usize, const SMS: usize>(
    launch: &Launch,
    options: &Options,
    observer: Option<&mut Observer>,
) -> Result<RunReport, RunError> {
    let mut core = RtlCore::<LANES, SMS>::new(options.wave.as_deref())?;
    let report = bench::run(&mut core, launch, options, observer)?;
    if let Some(wave) = core.wave {
        wave.finish().map_err(wave_error)?;
    }
    Ok(report)
}
