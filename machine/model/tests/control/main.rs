//! The rules of the machine's contract (`docs/machine.md`) for calls, breaks, exits and barriers, one by one.
//!
//! Most programs run with 8 threads, lanes 0 to 7. `low` sets a condition-code register for the threads below a number
//! (condition NE holds for them) and `odd` for the odd threads.

#[path = "../common/mod.rs"]
mod common;

mod barriers;
mod breaks;
mod calls;
mod exits;

use common::{kernel, ProgramLaunch};

/// NE holds on condition-code register `register` for threads below `limit`, EQ for the others.
fn low(register: u8, limit: u32) -> String {
    format!("MVI R15, {limit}; ISET.C{register} o[0x7f], R0, R15, LT\n")
}

/// NE holds for odd threads.
fn odd(register: u8) -> String {
    format!("MVI R15, 1; LOP.AND.C{register} o[0x7f], R0, R15\n")
}

#[track_caller]
fn eight(text: &str) -> ProgramLaunch {
    kernel(8, text)
}
