//! The engines of devices: the golden model and, with the feature `circuits`, the circuits and Verilator.

pub mod check;
#[cfg(feature = "circuits")]
mod circuits;
pub mod device;
mod model;
pub mod stop;

use device::{Engine, Kind};
use flexgrip_machine::{Launch, Watched};
use flexgrip_model::check::Checker;
use stop::Stop;

/// Number of steps after which a kernel is stopped, unless `FLEXGRIP_MAX_CYCLES` is set: some minutes on the model.
const MOST_STEPS: u64 = 2_000_000_000;

impl Engine {
    /// Runs a launch on global memory, whose size is a multiple of 64 bytes, and updates the memory. Returns the
    /// device's cycles. `watched` can stop the launch.
    ///
    /// # Errors
    /// The kernel failed, or the engine could not run it.
    pub fn run(
        self,
        launch: Launch,
        memory: &mut Vec<u8>,
        watched: Watched,
        check: bool,
    ) -> (Result<u64, Stop>, Option<Checker>) {
        let limit = match limit() {
            Ok(limit) => limit,
            Err(stop) => return (Err(stop), None),
        };
        match self.kind {
            Kind::Model => model::run(self, launch, memory, limit, watched, check),
            #[cfg(feature = "circuits")]
            Kind::Rtl | Kind::Verilator => (circuits::run(self, &launch, memory, limit, watched), None),
        }
    }
}

/// The limit of steps: warp instructions on the model, cycles on other engines.
fn limit() -> Result<u64, Stop> {
    match std::env::var("FLEXGRIP_MAX_CYCLES") {
        Err(_) => Ok(MOST_STEPS),
        Ok(text) => text
            .parse()
            .map_err(|_| Stop::Engine(format!("FLEXGRIP_MAX_CYCLES is `{text}`; expected a number"))),
    }
}
