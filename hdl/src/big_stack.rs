//! Threads with a large stack. A circuit is a large value, built by value: a usual thread stack is too small for a
//! chip.

use std::io;

/// The stack size. Pages that are never touched cost nothing.
const STACK_BYTES: usize = 1 << 30;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum BigStackError {
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
    /// The panic message, such as that of a combinational loop.
    #[error("the circuits failed: {0}")]
    Panic(String),
}

/// Runs `work` on a thread with a big stack.
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
