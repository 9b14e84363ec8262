//! The circuits under rust-hdl's own `Simulation`: the baseline for measuring the cycle engine.
//!
//! `Simulation` passes the circuit between the threads of the clock and the test bench, and evaluates every block in
//! every pass of every clock edge between them. The test bench is the common one, connected through an endpoint.
//!
//! ```text
//! clock    ____/‾‾‾‾\____/‾‾‾‾\____
//! bench   settle tick drive settle tick
//! ```

use crate::big_stack::on_big_stack;
use crate::circuits::sizes::check;
use crate::engine::{Engine, Observer, Options};
use crate::error::RunError;
use crate::native::interface::{Core, HostDrive, HostSample, MemoryRequest};
use crate::native::ports;
use crate::native::test_bench::{run_loaded, Loading};
use crate::outcome::RunReport;
use flexgrip_hdl::chip::gpgpu::Gpgpu;
use flexgrip_hdl::parameters::{MachineParameters, SmParameters};
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::trace::Event;
use flexgrip_machine::Launch;
use hdlkit::prelude::*;
use hdlkit_compiled::port_places;

/// Half a clock period in `Simulation`'s picoseconds: 100 MHz.
const HALF_PERIOD: u64 = 5 * sim_time::ONE_NANOSECOND;

/// Runs launches under rust-hdl's `Simulation`. It is slow, so global memory is preset rather than loaded over the bus.
#[derive(Clone, Copy, Debug, Default)]
pub struct SimulationEngine;

impl Engine for SimulationEngine {
    fn name(&self) -> &'static str {
        "simulation"
    }

    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        let machine = check(self.name(), launch, options)?;
        let MachineParameters { lanes, sms, .. } = machine;
        let parameters = machine.of_sms();
        options.refuse_snapshots(self.name())?;
        if options.wave.is_some() {
            let reason = "does not write waves; choose rtl or verilator".into();
            return Err(RunError::Unsupported {
                engine: self.name(),
                reason,
            });
        }
        if sms != Sms::One {
            let reason = format!("is built for one SM, not {sms}; choose rtl or verilator");
            return Err(RunError::Unsupported {
                engine: self.name(),
                reason,
            });
        }
        on_big_stack(RunError::Bench, || match lanes {
            Lanes::Eight => run::<8>(parameters, launch, options, observer),
            Lanes::Sixteen => run::<16>(parameters, launch, options, observer),
            Lanes::ThirtyTwo => run::<32>(parameters, launch, options, observer),
        })
    }
}

fn run<const LANES: usize>(
    parameters: SmParameters,
    launch: &Launch,
    options: &Options,
    observer: Option<&mut Observer>,
) -> Result<RunReport, RunError> {
    let gpgpu = Box::new(Gpgpu::<LANES, 1>::with(parameters));
    let places = port_places(&*gpgpu);
    let mut simulation = Simulation::<Gpgpu<LANES, 1>>::new();
    simulation.add_clock(HALF_PERIOD, |gpgpu| gpgpu.clock.next = !gpgpu.clock.val());
    let endpoint = simulation.endpoint();
    std::thread::scope(|scope| {
        let bench = std::thread::Builder::new()
            .name("test bench".into())
            .spawn_scoped(scope, move || {
                let mut core = SimulationCore {
                    gpgpu: Some(endpoint.init().map_err(failed)?),
                    endpoint,
                    ports: ports::Ports::new(&places, LANES as u32, 1),
                    words: vec![0; places.words()],
                    failure: None,
                };
                let report = run_loaded(&mut core, launch, options, observer, Loading::Direct);
                // Without the circuit the test bench saw only zeros, so its own error is meaningless.
                core.failure.take().map_or(report, |failure| Err(failed(failure)))
            })
            .map_err(RunError::io("cannot start a thread"))?;
        let ended = simulation.run(gpgpu, u64::MAX);
        // Closes the channels; otherwise a test bench that waits for the circuit would wait forever.
        drop(simulation);
        let report = bench
            .join()
            .unwrap_or_else(|_| Err(RunError::Bench("a panic in the test bench under Simulation".into())));
        ended.map_err(failed)?;
        report
    })
}

fn failed(error: SimError) -> RunError {
    RunError::Bench(format!("rust-hdl's Simulation: {error:?}"))
}

/// The machine, which `Simulation` passes between threads.
struct SimulationCore<const LANES: usize> {
    ports: ports::Ports,
    /// The words of the machine's ports.
    words: Vec<u64>,
    endpoint: Sim<Gpgpu<LANES, 1>>,
    /// `None` only after a failure.
    gpgpu: Option<Box<Gpgpu<LANES, 1>>>,
    failure: Option<SimError>,
}

impl<const LANES: usize> SimulationCore<LANES> {
    /// Passes the circuit on until the clock has this level.
    fn wait(&mut self, level: bool) {
        let Some(gpgpu) = self.gpgpu.take() else {
            return;
        };
        match self.endpoint.watch(move |gpgpu| gpgpu.clock.val().clk == level, gpgpu) {
            Ok(gpgpu) => self.gpgpu = Some(gpgpu),
            Err(error) => self.failure = Some(error),
        }
    }
}

impl<const LANES: usize> Drop for SimulationCore<LANES> {
    /// Returns the circuit, for which the simulation waits.
    fn drop(&mut self) {
        if let Some(gpgpu) = self.gpgpu.take() {
            // Fails only if the simulation has ended.
            let _ = self.endpoint.done(gpgpu);
        }
    }
}

impl<const LANES: usize> Core for SimulationCore<LANES> {
    fn lanes(&self) -> u32 {
        LANES as u32
    }

    fn sms(&self) -> u32 {
        1
    }

    fn drive(&mut self, host: &HostDrive, response: Option<&[u32; 32]>) {
        self.ports.drive(&mut self.words, host, response);
        if let Some(gpgpu) = &mut self.gpgpu {
            // The clock is an input as well, but `Simulation` drives it.
            let clock = gpgpu.clock.next;
            gpgpu.set_inputs(&mut &self.words[..]);
            gpgpu.clock.next = clock;
        }
    }

    fn settle(&mut self) {
        self.wait(false);
        if let Some(gpgpu) = &self.gpgpu {
            gpgpu.outputs(&mut &mut self.words[..]);
        }
    }

    fn host(&self) -> HostSample {
        self.ports.host(&self.words)
    }

    fn request(&self) -> Option<MemoryRequest> {
        self.ports.request(&self.words)
    }

    fn events(&self, all: bool, sink: &mut dyn FnMut(u32, &Event)) {
        self.ports.events(&self.words, all, sink);
    }

    fn tick(&mut self, _cycle: Option<u64>) -> Result<(), RunError> {
        self.wait(true);
        self.failure.clone().map_or(Ok(()), |failure| Err(failed(failure)))
    }
}
