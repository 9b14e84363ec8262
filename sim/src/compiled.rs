//! The circuits as machine code.

use crate::bench::{self, Core, HostDrive, HostSample, MemoryRequest};
use crate::engine::{Engine, Observer, Options, RunError, RunReport};
use crate::events::Event;
use crate::ports;
use crate::rtl::{check, on_big_stack, with_sizes};
use flexgrip_hdl::gpgpu::Gpgpu;
use flexgrip_model::{Configuration, Launch};
use hdlkit::prelude::*;

/// Runs launches on the circuits, compiled: for long runs, since compiling takes its time.
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
        check(self.name(), launch, options)?;
        if options.wave.is_some() {
            let reason = "does not write waves; choose rtl or verilator".into();
            return Err(RunError::Unsupported {
                engine: self.name(),
                reason,
            });
        }
        let Configuration { lanes, sms, .. } = options.configuration;
        on_big_stack(|| with_sizes!((lanes, sms), run(launch, options, observer)))
    }
}

/// The machine as compiled code.
struct CompiledCore<const LANES: usize, const SMS: usize> {
    engine: MachineCode<Gpgpu<LANES, SMS>>,
}

impl<const LANES: usize, const SMS: usize> Core for CompiledCore<LANES, SMS> {
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

    fn tick(&mut self, _cycle: Option<u64>) -> Result<(), RunError> {
        self.engine.tick();
        Ok(())
    }
}

fn run<const LANES: usize, const SMS: usize>(
    launch: &Launch,
    options: &Options,
    observer: Option<&mut Observer>,
) -> Result<RunReport, RunError> {
    let mut gpgpu = Box::new(Gpgpu::<LANES, SMS>::new());
    gpgpu.memory_request_ready.next = true;
    let start = std::time::Instant::now();
    let gpgpu = CycleEngine::new(gpgpu).block;
    let engine = MachineCode::new(gpgpu).map_err(|e| RunError::Bench(format!("cannot compile the circuits: {e}")))?;
    eprintln!("compiled in {:?}", start.elapsed());
    bench::run(&mut CompiledCore { engine }, launch, options, observer)
}
