//! Subcommands for boards on a serial line.

use flexgrip_sim::files::output::note;

pub mod board;
pub mod lane_test;
pub mod simulated_board;

/// Notes that requests were repeated, so the line is not quite reliable.
pub fn tell_repeated(repeated: u32) {
    if repeated > 0 {
        note(format_args!(
            "note: {repeated} requests had to be repeated: noise on the line"
        ));
    }
}
