//! Runs kernels in OpenCL C on this computer's CPU, with the driver of another vendor, such as PoCL. The results of
//! this project's driver are compared with the other driver's results.
//!
//! The first call of [`Cpu::find`] opens OpenCL's loader. Without the loader or a driver for the CPU, it returns an
//! error that says what to install.

#![warn(missing_docs, clippy::unwrap_used)]

mod error;
mod launch;
mod library;
mod objects;

pub use error::HostError;
pub use launch::{Argument, Image, IndexSpace};

use objects::{BuildFailure, Context, Kernel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The vendor name that this project's driver reports for its platform.
const OURS: &str = "flexgrip-rs";
/// PoCL 3.1 sometimes crashes if two threads initialise it or compile at the same time, so only one [`Cpu`] can exist.
static TURN: Mutex<()> = Mutex::new(());

/// The CPU as an OpenCL device. A process has at most one.
#[derive(Debug)]
pub struct Cpu {
    context: Context,
    name: String,
    /// Unlocked last, because fields are dropped in declaration order.
    _turn: MutexGuard<'static, ()>,
}

impl Cpu {
    /// Returns the first CPU device of a platform of another driver. Waits until no other [`Cpu`] exists, which is a
    /// deadlock if the calling thread owns one.
    ///
    /// # Errors
    /// The loader is missing, no other platform has a CPU device, or its driver fails.
    pub fn find() -> Result<Cpu, HostError> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let functions = library::functions().map_err(HostError::NotFound)?;
        let mut others = Vec::new();
        for platform in objects::platforms(functions)? {
            let name = platform.name()?;
            if platform.vendor()? != OURS {
                if let Some(device) = platform.cpu() {
                    let name = format!("{}, {}", name.trim(), device.name()?.trim());
                    let context = Context::new(device)?;
                    return Ok(Cpu {
                        context,
                        name,
                        _turn: turn,
                    });
                }
            }
            others.push(name);
        }
        Err(HostError::NotFound(match others.as_slice() {
            [] => "the loader finds no platform".into(),
            others => {
                let only = others.join(", ");
                let place = std::env::var_os("OCL_ICD_VENDORS").map_or("", |_| " in the folder of OCL_ICD_VENDORS");
                format!("the loader finds only {only}{place}")
            }
        }))
    }

    /// Names of the platform and of the CPU, separated by a comma.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Compiles OpenCL C.
    ///
    /// # Errors
    /// The source does not compile, source or options contain a zero byte, or a call of OpenCL fails.
    pub fn build(&self, source: &str, options: &str) -> Result<Program<'_>, HostError> {
        // `run` compares the arguments with the kernel's parameters. The driver keeps their types only with this
        // option.
        let options = format!("{options} -cl-kernel-arg-info");
        match objects::Program::new(&self.context, source, &options) {
            Ok(program) => Ok(Program { cpu: self, program }),
            Err(BuildFailure::Mistakes(log)) => Err(HostError::Build(log)),
            Err(BuildFailure::Other(error)) => Err(error),
        }
    }
}

/// A compiled program.
#[derive(Debug)]
pub struct Program<'a> {
    cpu: &'a Cpu,
    program: objects::Program,
}

impl Program<'_> {
    /// Runs a kernel to completion, and returns the contents of its buffers in the order of the arguments.
    ///
    /// # Errors
    /// The kernel does not exist, the arguments do not match its parameters, or the device rejects the index space.
    pub fn run(&self, kernel: &str, arguments: &[Argument], space: &IndexSpace) -> Result<Vec<Vec<u8>>, HostError> {
        let dimensions = space.global.len();
        if !(1..=3).contains(&dimensions) || space.offset.len() != dimensions || space.local.len() != dimensions {
            let message = "expected one to three dimensions, the same for offset, global and local size";
            return Err(HostError::Argument(message.into()));
        }
        let kernel = Kernel::new(&self.program, kernel)?;
        let count = kernel.parameters()?;
        if count != arguments.len() {
            let message = format!("the kernel takes {count} arguments; found {}", arguments.len());
            return Err(HostError::Argument(message));
        }
        objects::run(&self.cpu.context, &kernel, arguments, space)
    }
}
