//! The program `flexgrip`: its commands, what it prints, how it refuses.

mod bad_input;
mod first_steps;
mod isa_cli;
mod opencl;
mod other_sets;
