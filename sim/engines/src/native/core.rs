//! The circuits and their waves as the test bench sees them, independent of how they are stepped.

use crate::engine::{Observer, Options};
use crate::error::RunError;
use crate::native::interface::{Core, HostDrive, HostSample, MemoryRequest};
use crate::native::ports::Ports;
use crate::native::snapshot::Snapshot;
use crate::native::test_bench::{self, Keep, Loading, Start};
use crate::outcome::RunReport;
use crate::trace::ending::Ending;
use crate::waves::error::WavesError;
use crate::waves::output::WaveOutput;
use flexgrip_machine::trace::Event;
use flexgrip_machine::{Configuration, Launch};
use hdlkit::waves::{Wave, WaveError};
use hdlkit_compiled::Concurrent;

/// A way to step the circuits.
pub trait Stepper {
    /// The circuits' ports.
    fn words(&self) -> &[u64];
    /// The circuits' ports, to set the inputs.
    fn words_mut(&mut self) -> &mut [u64];
    /// Settles combinational logic.
    fn settle(&mut self);
    /// Performs the clock edge.
    fn tick(&mut self);
    /// Skips idle cycles like [`MachineCode::skip_idle`](hdlkit_compiled::MachineCode::skip_idle). Returns 0 without
    /// machine code.
    fn skip_idle(&mut self, _most: u64) -> u64 {
        0
    }
    /// The state, as returned by [`MachineCode::save`](hdlkit_compiled::MachineCode::save), if the circuits run as
    /// machine code.
    fn save(&self) -> Option<Vec<u64>> {
        None
    }
    /// Restores a state like [`MachineCode::restore`](hdlkit_compiled::MachineCode::restore); false without machine
    /// code.
    fn restore(&mut self, _saved: &[u64]) -> bool {
        false
    }
    /// Writes a cycle to the waves.
    fn sample(&mut self, wave: &mut Wave<WaveOutput>, cycle: u64) -> Result<(), WaveError>;
}

impl Stepper for Concurrent {
    fn words(&self) -> &[u64] {
        self.ports()
    }

    fn words_mut(&mut self) -> &mut [u64] {
        self.ports_mut()
    }

    fn settle(&mut self) {
        Concurrent::settle(self);
    }

    fn tick(&mut self) {
        Concurrent::tick(self);
    }

    fn save(&self) -> Option<Vec<u64>> {
        Some(Concurrent::save(self))
    }

    fn restore(&mut self, saved: &[u64]) -> bool {
        Concurrent::restore(self, saved)
    }

    fn sample(&mut self, _: &mut Wave<WaveOutput>, _: u64) -> Result<(), WaveError> {
        Ok(())
    }
}

/// Waves being written, and the last cycle to write.
pub type Waves = Option<(Wave<WaveOutput>, u64)>;

/// The circuits as a core of the test bench.
pub struct NativeCore<S> {
    lanes: u32,
    sms: u32,
    ports: Ports,
    stepper: S,
    waves: Waves,
}

impl<S: Stepper> NativeCore<S> {
    /// A machine at rest.
    pub(super) fn new(machine: &Configuration, ports: Ports, stepper: S, waves: Waves) -> Self {
        NativeCore {
            lanes: machine.lanes.count(),
            sms: machine.sms,
            ports,
            stepper,
            waves,
        }
    }

    /// The same machine with a different stepper. `make` also gets the index of the interrupt's port word.
    pub(super) fn with_stepper<T>(self, make: impl FnOnce(S, usize) -> T) -> NativeCore<T> {
        NativeCore {
            lanes: self.lanes,
            sms: self.sms,
            stepper: make(self.stepper, self.ports.interrupt()),
            ports: self.ports,
            waves: self.waves,
        }
    }

    /// A machine with the same ports and a different stepper, without waves.
    pub(super) fn beside<T>(&self, stepper: T) -> NativeCore<T> {
        NativeCore {
            lanes: self.lanes,
            sms: self.sms,
            ports: self.ports.clone(),
            stepper,
            waves: None,
        }
    }

    /// The places of the ports.
    pub(super) fn ports(&self) -> &Ports {
        &self.ports
    }

    /// The circuits.
    pub fn stepper(&self) -> &S {
        &self.stepper
    }

    /// The places of the ports, and the circuits.
    pub fn parts(&mut self) -> (&Ports, &mut S) {
        (&self.ports, &mut self.stepper)
    }

    /// The circuits, for reading and changing their state.
    pub fn stepper_mut(&mut self) -> &mut S {
        &mut self.stepper
    }

    /// Restores a saved state of the circuits.
    ///
    /// # Errors
    /// The state is from a machine of other sizes, or these circuits have no snapshots.
    pub fn take(&mut self, circuits: &[u64]) -> Result<(), RunError> {
        match self.stepper.restore(circuits) {
            true => {
                // The ports still have the values of an earlier run.
                self.stepper.words_mut().fill(0);
                Ok(())
            }
            false => Err(RunError::Bench("the snapshot does not fit these circuits".into())),
        }
    }

    /// Completes the waves.
    pub(super) fn end_waves(self) -> Result<(), RunError> {
        if let Some((wave, _)) = self.waves {
            wave.finish().map_err(WavesError::from)?.close()?;
        }
        Ok(())
    }

    /// Runs a checked launch, with snapshots as the options request, and completes the waves.
    pub(super) fn run(
        mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        let from = options.from.as_deref();
        let from = from.map(|file| Snapshot::read(file, launch, options)).transpose()?;
        let start = match &from {
            None => Start::Load(Loading::Bus),
            Some(snapshot) => {
                self.take(&snapshot.circuits)?;
                Start::From(snapshot)
            }
        };
        let mut unsaved = options.save.as_ref();
        let mut keep = |snapshot: Snapshot| {
            let save = unsaved.take();
            save.map_or(Ok(()), |save| snapshot.write(&save.file, launch, options))
        };
        let save = options.save.as_ref().map(|save| (save.cycle, &mut keep as &mut Keep));
        let report = test_bench::run_from(&mut self, launch, options, observer, start, save)?;
        self.end_waves()?;
        match unsaved {
            // The error of a failed kernel is more useful than the missing snapshot.
            Some(save) if !matches!(report.ending, Ending::Failed(_)) => Err(save.missed(&report)),
            _ => Ok(report),
        }
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

    fn skip_idle(&mut self, most: u64) -> u64 {
        // Waves show every cycle.
        match self.waves {
            None => self.stepper.skip_idle(most),
            Some(_) => 0,
        }
    }

    fn save(&self) -> Option<Vec<u64>> {
        self.stepper.save()
    }
}
