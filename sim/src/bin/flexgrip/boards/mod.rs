//! Subcommands for boards on a serial line.

use flexgrip_sim::files::output::note;

pub mod board;
pub mod lane_test;
pub mod simulated_board;

/// Prints a note if requests were repeated, because the line is then unreliable.
pub fn tell_repeated(repeated: u32) {
    if repeated > 0 {
        note(format_args!("note: noise on the line; repeated requests: {repeated}"));
    }
}
