//! Kernels in OpenCL C on this computer's processor, by the driver of another vendor, such as PoCL: what our own results are
//! compared with.
//!
//! OpenCL's loader is opened when the first [`Cpu`] is looked for. Without it, or without a driver for the processor, there
//! is an error that says what to install.

mod library;
mod objects;

use objects::{BuildFailure, Context, Kernel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// The vendor of our own driver, as its platform says it.
const OURS: &str = "flexgrip-rs";
/// How a driver for the processor is installed.
const INSTALL: &str = "install one, on Debian with `apt-get install pocl-opencl-icd`";

/// Why a kernel does not run on the processor.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HostError {
    /// There is no loader, or no driver for the processor; what there is instead.
    #[error("found no OpenCL driver for this computer's processor: {0}; {INSTALL}")]
    NotFound(String),
    /// The source has mistakes: the driver's log.
    #[error("{0}")]
    Build(String),
    /// Source, options, kernel or arguments that cannot be handed on.
    #[error("{0}")]
    Argument(String),
    /// A call of OpenCL failed.
    #[error("OpenCL on the processor: {call} failed with {code}")]
    Call {
        /// The function.
        call: &'static str,
        /// Its code, as OpenCL's headers have it.
        code: i32,
    },
}

/// PoCL 3.1 crashes now and then when two threads begin or compile at the same time, so there is one [`Cpu`] at a time.
static TURN: Mutex<()> = Mutex::new(());

/// The processor as an OpenCL device. A program has one at a time.
#[derive(Debug)]
pub struct Cpu {
    context: Context,
    name: String,
    /// Given back when all else is released: fields are dropped in their order.
    _turn: MutexGuard<'static, ()>,
}

/// An argument of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument<'a> {
    /// A buffer with these bytes at first, for a pointer to `__global` or `__constant` memory.
    Buffer(&'a [u8]),
    /// A value's bytes, little endian.
    Value(&'a [u8]),
    /// `__local` memory of so many bytes, for a pointer to it.
    Local(usize),
    /// An image that the kernel reads.
    Image(Image<'a>),
    /// A sampler: normalised coordinates, `CL_ADDRESS_REPEAT` and the like, `CL_FILTER_LINEAR` and the like.
    Sampler(bool, u32, u32),
}

/// An image with its texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Image<'a> {
    /// `CL_MEM_OBJECT_IMAGE2D` and the like, but from no buffer.
    pub kind: u32,
    /// Order and type of the channels: `CL_RGBA` and `CL_FLOAT`, and the like.
    pub format: (u32, u32),
    /// Width, height, and depth or layers; 1 for sizes that the image does not have.
    pub sizes: [usize; 3],
    /// The texels, without gaps.
    pub bytes: &'a [u8],
}

/// The work-items: one to three dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexSpace<'a> {
    /// The first index of each dimension.
    pub offset: &'a [usize],
    /// Work-items of each dimension.
    pub global: &'a [usize],
    /// Work-items of a group in each dimension.
    pub local: &'a [usize],
}

impl Cpu {
    /// The first processor of a platform that is not ours. Waits until another thread's is dropped; a thread that still has
    /// one waits for ever.
    ///
    /// # Errors
    /// No loader, no such platform, or a driver that does not work.
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

    /// Platform and processor.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Compiles a source.
    ///
    /// # Errors
    /// Mistakes in it, with the driver's log.
    pub fn build(&self, source: &str, options: &str) -> Result<Program<'_>, HostError> {
        // Arguments are checked by what the kernel says of itself.
        let options = format!("{options} -cl-kernel-arg-info");
        match objects::Program::new(&self.context, source, &options) {
            Ok(program) => Ok(Program { cpu: self, program }),
            Err(BuildFailure::Mistakes(log)) => Err(HostError::Build(log)),
            Err(BuildFailure::Other(error)) => Err(error),
        }
    }
}

/// A compiled source.
#[derive(Debug)]
pub struct Program<'a> {
    cpu: &'a Cpu,
    program: objects::Program,
}

impl Program<'_> {
    /// Runs a kernel to its end, and returns its buffers' bytes in their order.
    ///
    /// # Errors
    /// No such kernel, arguments that do not fit its parameters, an index space that the device does not take.
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
