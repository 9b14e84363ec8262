//! The circuits' sizes, and the check of launches and options against them.

use crate::engines::engine::Options;
use crate::engines::error::RunError;
use crate::engines::host::local_layout;
use crate::waves::file::WaveFile;
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::{Capability, Configuration, Launch};

/// The compute capability of the circuits.
pub const CAPABILITY: Capability = Capability::V1_0;

/// Bytes of memory reachable with 32-bit addresses.
const MEMORY_BYTES: u64 = 1 << 32;

/// Bytes of global memory reachable by the host: the upper half of its address space.
const WINDOW_BYTES: u32 = 1 << 31;

/// The circuits' sizes, with `lanes` lanes and one SM. Only lanes, SMs ([`Sms`]) and the size of global memory are
/// configurable.
pub fn configuration(lanes: Lanes, global_bytes: u32) -> Configuration {
    Configuration {
        lanes,
        global_bytes,
        ..Configuration::default()
    }
}

/// Rejects a launch and options that the circuits do not support; otherwise returns the lanes and SMs.
pub(crate) fn check(engine: &'static str, launch: &Launch, options: &Options) -> Result<(Lanes, Sms), RunError> {
    launch.check(&options.configuration)?;
    options.wave.as_ref().map_or(Ok(()), WaveFile::check)?;
    let Configuration {
        lanes,
        sms,
        global_bytes,
        ..
    } = options.configuration;
    let capability = options.configuration.capability;
    if capability > CAPABILITY {
        let reason = format!(
            "the circuits have compute capability {CAPABILITY}, not {capability}; --engine model runs the instructions of 1.1 to 1.3"
        );
        return Err(RunError::Unsupported { engine, reason });
    }
    let typed_sms = Sms::try_from(sms).map_err(|_| RunError::Unsupported {
        engine,
        reason: format!("cannot run {sms} SMs; expected {}", Sms::possible()),
    })?;
    let circuits = Configuration {
        sms,
        ..configuration(lanes, global_bytes)
    };
    if options.configuration != circuits {
        let reason = format!(
            "cannot run a machine of {:?}; expected the circuits' sizes, {circuits:?}",
            options.configuration
        );
        return Err(RunError::Unsupported { engine, reason });
    }
    if options.jobs.get() > 1 {
        let reason = "runs a grid on one thread; choose the model for several jobs".into();
        return Err(RunError::Unsupported { engine, reason });
    }
    if options.from.is_some() && options.timeline.is_some() {
        let reason = "writes timelines of whole runs only, not from a snapshot on".into();
        return Err(RunError::Unsupported { engine, reason });
    }
    if global_bytes > WINDOW_BYTES {
        let reason = format!(
            "cannot load {global_bytes} bytes of global memory; expected at most {WINDOW_BYTES}, the host's window; \
             --engine model takes more"
        );
        return Err(RunError::Unsupported { engine, reason });
    }
    let end = local_layout(launch, &options.configuration).end;
    if end > MEMORY_BYTES {
        let reason = format!(
            "cannot address the {end} bytes of global memory and all threads' local memories; expected at most \
             {MEMORY_BYTES}; a smaller --global-size helps, or --engine model"
        );
        return Err(RunError::Unsupported { engine, reason });
    }
    Ok((lanes, typed_sms))
}
