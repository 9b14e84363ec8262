//! The circuits as the test bench sees them, however they are stepped, and their waves.

use crate::engines::engine::{Observer, Options};
use crate::engines::error::RunError;
use crate::engines::native::ports::Ports;
use crate::engines::native::test_bench::{self, Core, HostDrive, HostSample, MemoryRequest};
use crate::engines::outcome::RunReport;
use crate::waves::error::WavesError;
use crate::waves::output::WaveOutput;
use flexgrip_machine::trace::Event;
use flexgrip_machine::{Configuration, Launch};
use hdlkit::waves::{Wave, WaveError};
use hdlkit_compiled::PortPlaces;

/// Steps the circuits.
pub(super) trait Stepper {
    /// The circuits' ports.
    fn words(&self) -> &[u64];
    /// The circuits' ports, to set the inputs.
    fn words_mut(&mut self) -> &mut [u64];
    /// Combinational logic.
    fn settle(&mut self);
    /// The clock edge.
    fn tick(&mut self);
    /// Writes a cycle to the waves.
    fn sample(&mut self, wave: &mut Wave<WaveOutput>, cycle: u64) -> Result<(), WaveError>;
}

/// Waves being written, and the last cycle to write.
pub(super) type Waves = Option<(Wave<WaveOutput>, u64)>;

/// The machine.
pub(super) struct NativeCore<S> {
    lanes: u32,
    sms: u32,
    ports: Ports,
    stepper: S,
    waves: Waves,
}

impl<S: Stepper> NativeCore<S> {
    /// A machine at rest.
    pub(super) fn new(machine: &Configuration, places: &PortPlaces, stepper: S, waves: Waves) -> Self {
        let Configuration { lanes, sms, .. } = *machine;
        let lanes = lanes.count();
        NativeCore {
            lanes,
            sms,
            ports: Ports::new(places, lanes, sms),
            stepper,
            waves,
        }
    }

    /// Runs a checked launch, and ends the waves.
    pub(super) fn run(
        mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        let report = test_bench::run(&mut self, launch, options, observer)?;
        if let Some((wave, _)) = self.waves {
            wave.finish().map_err(WavesError::from)?.close()?;
        }
        Ok(report)
    }
}

impl<S: Stepper> Core for NativeCore<S> {
    fn lanes(&self) -> u32 {
        self.lanes
    }

    fn sms(&self) -> u32 {
        self.sms
    }

    fn drive(&mut self, host: &HostDrive, response: Option<&[u32; 32]>) {
        self.ports.drive(self.stepper.words_mut(), host, response);
    }

    fn settle(&mut self) {
        self.stepper.settle();
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
        if let (Some((wave, last)), Some(cycle)) = (&mut self.waves, cycle) {
            if cycle <= *last {
                self.stepper.sample(wave, cycle).map_err(WavesError::from)?;
            }
        }
        self.stepper.tick();
        Ok(())
    }
}
