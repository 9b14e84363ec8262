//! The circuits under the native cycle engine.

use crate::bench::{self, Core, HostDrive, HostSample, MemoryRequest};
use crate::engine::{Engine, Observer, Options, RunError, RunReport};
use crate::events::Event;
use crate::ports;
use flexgrip_hdl::gpgpu::Gpgpu;
use flexgrip_model::{Configuration, Launch};
use hdlkit::prelude::*;
use hdlkit::verilog::{export, ExportOptions};
use hdlkit::wave::{Wave, WaveError, WaveOptions};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// Stack of the thread that circuits are built and run on: they are large values, and built by value.
pub const STACK_BYTES: usize = 1 << 30;

/// The sizes that the circuits have, with `lanes` lanes. Only lanes and the size of global memory can be chosen.
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
        lanes, global_bytes, ..
    } = options.configuration;
    if options.configuration != configuration(lanes, global_bytes) {
        let reason = format!(
            "has the sizes of the circuits, {:?}; asked for were {:?}",
            configuration(lanes, global_bytes),
            options.configuration
        );
        return Err(RunError::Unsupported { engine, reason });
    }
    Ok(())
}

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
        on_big_stack(|| match options.configuration.lanes {
            8 => run::<8>(launch, options, observer),
            16 => run::<16>(launch, options, observer),
            _ => run::<32>(launch, options, observer),
        })
    }
}

/// The Verilog of the whole machine with `lanes` lanes, 8, 16 or 32.
///
/// # Errors
/// The circuits have no exact Verilog.
pub fn gpgpu_verilog(lanes: u32) -> Result<String, RunError> {
    fn of<const LANES: usize>() -> Result<String, RunError> {
        let gpgpu = Box::new(Gpgpu::<LANES>::new());
        let mut options = ExportOptions::new("gpgpu");
        options.header = format!("FlexGrip: an open G80 GPU, {LANES} scalar processors, 1 streaming multiprocessor.");
        export(&*gpgpu, &options).map_err(|error| RunError::Bench(format!("Verilog export: {error}")))
    }
    on_big_stack(|| match lanes {
        8 => of::<8>(),
        16 => of::<16>(),
        32 => of::<32>(),
        _ => Err(RunError::Bench(format!(
            "there is no machine with {lanes} lanes, only with 8, 16 or 32"
        ))),
    })
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
struct RtlCore<const LANES: usize> {
    engine: CycleEngine<Gpgpu<LANES>>,
    wave: Option<Wave<BufWriter<File>>>,
}

impl<const LANES: usize> RtlCore<LANES> {
    /// At rest. `wave`: where to write waves, from the start of the grid.
    fn new(wave: Option<&Path>) -> Result<Self, RunError> {
        let mut gpgpu = Box::new(Gpgpu::<LANES>::new());
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

impl<const LANES: usize> Core for RtlCore<LANES> {
    fn lanes(&self) -> u32 {
        LANES as u32
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

    fn events(&self, all: bool, sink: &mut dyn FnMut(&Event)) {
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

fn run<const LANES: usize>(
    launch: &Launch,
    options: &Options,
    observer: Option<&mut Observer>,
) -> Result<RunReport, RunError> {
    let mut core = RtlCore::<LANES>::new(options.wave.as_deref())?;
    let report = bench::run(&mut core, launch, options, observer)?;
    if let Some(wave) = core.wave {
        wave.finish().map_err(wave_error)?;
    }
    Ok(report)
}
