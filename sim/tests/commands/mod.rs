//! Tests of the program `flexgrip`: its commands, their output, and their errors.

use crate::common::command;

mod bad_input;
mod batch;
mod capability;
mod checking;
mod first_steps;
mod isa_cli;
mod opencl;
mod protection;

/// The standard output of a success without other output.
#[track_caller]
pub fn printed(arguments: &[&str]) -> String {
    let output = command(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The error of a failure with this exit code and without other output.
#[track_caller]
pub fn refused(code: i32, arguments: &[&str]) -> String {
    let output = command(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}
