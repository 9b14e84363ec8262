//! The circuits' sizes, and the check of launches and options against them.

use crate::circuits::host::local_layout;
use crate::engine::Options;
use crate::error::RunError;
use crate::waves::file::WaveFile;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::{Configuration, Launch};

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

/// Rejects a launch and options that the circuits do not support; otherwise returns the circuits' parameters.
pub fn check(engine: &'static str, launch: &Launch, options: &Options) -> Result<MachineParameters, RunError> {
    launch.check(&options.configuration)?;
    options.wave.as_ref().map_or(Ok(()), WaveFile::check)?;
    let Configuration {
        lanes,
        sms,
        global_bytes,
        ..
    } = options.configuration;
    let capability = options.configuration.capability;
    let unsupported = |reason| RunError::Unsupported { engine, reason };
    let typed_sms =
        Sms::try_from(sms).map_err(|_| unsupported(format!("cannot run {sms} SMs; expected {}", Sms::possible())))?;
    let circuits = Configuration {
        capability,
        sms,
        ..configuration(lanes, global_bytes)
    };
    if options.configuration != circuits {
        let reason = format!(
            "cannot run a machine of {:?}; expected the circuits' sizes, {circuits:?}",
            options.configuration
        );
        return Err(unsupported(reason));
    }
    if options.jobs.get() > 1 {
        let reason = "runs a grid on one thread; choose the model for several jobs".into();
        return Err(unsupported(reason));
    }
    if options.from.is_some() && options.timeline.is_some() {
        let reason = "writes timelines only of whole runs, not of runs from a snapshot".into();
        return Err(unsupported(reason));
    }
    if global_bytes > WINDOW_BYTES {
        let reason = format!(
            "cannot load {global_bytes} bytes of global memory; expected at most {WINDOW_BYTES}, the host's window; \
             --engine model takes more"
        );
        return Err(unsupported(reason));
    }
    let end = local_layout(launch, &options.configuration).end;
    if end > MEMORY_BYTES {
        let reason = format!(
            "cannot address the {end} bytes of global memory and all threads' local memories; expected at most \
             {MEMORY_BYTES}; a smaller --global-size helps, or --engine model"
        );
        return Err(unsupported(reason));
    }
    Ok(MachineParameters {
        lanes,
        sms: typed_sms,
        capability,
        protect: options.protect,
    })
}
