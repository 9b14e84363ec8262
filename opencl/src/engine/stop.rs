//! Reasons why a launch failed.

use flexgrip_compiler::placement::Overwritten;
use flexgrip_machine::KernelError;
use thiserror::Error;

/// The reason why a launch failed.
#[derive(Debug, Error)]
pub enum Stop {
    /// The kernel failed. Memory contains its stores until the failure.
    #[error(transparent)]
    Kernel(KernelError),
    /// The kernel stored outside its buffers.
    #[error("it {0}")]
    Overwritten(Overwritten),
    /// The engine could not run the kernel.
    #[error("{0}")]
    Engine(String),
}
