//! Runs work on a thread with a big stack, which building the circuits needs.

use crate::outside::IoError;
use flexgrip_hdl::big_stack::{self, BigStackError};

/// Runs `work` on a thread with a big stack. If `work` panics, `panicked` makes the error from the panic's text.
pub fn on_big_stack<T: Send, E: From<IoError> + Send>(
    panicked: impl FnOnce(String) -> E,
    work: impl FnOnce() -> Result<T, E> + Send,
) -> Result<T, E> {
    big_stack::on_big_stack(work).unwrap_or_else(|error| {
        Err(match error {
            BigStackError::Thread(error) => IoError::of("cannot start a thread")(error).into(),
            BigStackError::Panic(_) => panicked(error.to_string()),
        })
    })
}
