//! Faults: the command `flexgrip faults`; campaigns' shortcuts, which agree with whole machines; outcomes that follow
//! from the program.

mod campaign_command;
mod gate_faults;
mod gates_command;
mod grade_command;
mod grading;
mod instruction_faults;
mod known_flips;
mod passes;
mod protection;
mod pruning;
#[cfg(feature = "soak")]
mod verilog_faults;
