//! Runs kernels in OpenCL C on this computer's CPU, with the driver of another vendor, such as PoCL. The results of
//! this project's driver are compared with its results.
//!
//! The first call of [`Cpu::find`] opens OpenCL's loader. Without the loader or a driver for the CPU, it returns an
//! error that says what to install.

#![warn(missing_docs)]

mod library;
mod objects;

use objects::{BuildFailure, Context, Kernel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// The vendor name that this project's driver reports for its platform.
const OURS: &str = "flexgrip-rs";
/// The part of the error message that says how to install a driver for the CPU.
const INSTALL: &str = "install one, on Debian with `apt-get install pocl-opencl-icd`";

/// Errors of running a kernel on the CPU.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HostError {
    /// The loader or a driver for the CPU is missing; the text is the reason.
    #[error("found no OpenCL driver for this computer's processor: {0}; {INSTALL}")]
    NotFound(String),
    /// The source does not compile; the text is the driver's log.
    #[error("{0}")]
    Build(String),
    /// Source, options, kernel name or arguments are invalid.
    #[error("{0}")]
    Argument(String),
    /// An OpenCL function returned an error code.
    #[error("OpenCL on the processor: {call} failed with {code}")]
    Call {
        /// Name of the function.
        call: &'static str,
        /// Error code, as defined in OpenCL's headers.
        code: i32,
    },
}

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

/// A kernel argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument<'a> {
    /// A buffer with these initial bytes, for a pointer to `__global` or `__constant` memory.
    Buffer(&'a [u8]),
    /// The bytes of a value, little endian.
    Value(&'a [u8]),
    /// `__local` memory of this many bytes, for a pointer to it.
    Local(usize),
    /// An image that the kernel reads.
    Image(Image<'a>),
    /// A sampler: true if coordinates are normalised, addressing mode such as `CL_ADDRESS_REPEAT`, filter such as
    /// `CL_FILTER_LINEAR`.
    Sampler(bool, u32, u32),
}

/// An image with its texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Image<'a> {
    /// Image type, such as `CL_MEM_OBJECT_IMAGE2D`. Images of buffers are not supported.
    pub kind: u32,
    /// Channel order and data type, such as `CL_RGBA` and `CL_FLOAT`.
    pub format: (u32, u32),
    /// Width, height, and depth or number of layers, in texels; 1 for dimensions that the image does not have.
    pub sizes: [usize; 3],
    /// The texels, without padding.
    pub bytes: &'a [u8],
}

/// The index space of a launch, with one to three dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexSpace<'a> {
    /// Global offset in each dimension.
    pub offset: &'a [usize],
    /// Number of work-items in each dimension.
    pub global: &'a [usize],
    /// Number of work-items of a work-group in each dimension.
    pub local: &'a [usize],
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
