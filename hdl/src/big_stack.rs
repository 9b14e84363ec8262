//! Threads with 8 MiB of stack, as the main thread has: tests and libraries run in threads with less. Building the
//! largest machine, four SMs of 32 lanes, needs 2 MiB without optimisation.

use std::io;

/// The stack size, in bytes.
const STACK_BYTES: usize = 8 << 20;

/// The reason why `work` returned no result.
#[derive(Debug, thiserror::Error)]
pub enum BigStackError {
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
    /// The panic message, for example of a combinational loop.
    #[error("the circuits failed: {0}")]
    Panic(String),
}

/// Runs `work` on a thread with 8 MiB of stack.
///
/// # Errors
/// The thread cannot be started, or `work` panicked. In the `release` profile a panic aborts the program, so it is only
/// printed.
pub fn on_big_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, BigStackError> {
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().name("circuits".into()).stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        thread.join().map_err(|panic| {
            let message = panic.downcast_ref::<String>().map(String::as_str);
            let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
            BigStackError::Panic(message.unwrap_or("a panic").into())
        })
    })
}
