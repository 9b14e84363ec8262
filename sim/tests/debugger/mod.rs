//! Debugging sessions: as a library, in a script, on a full screen, by an editor.

mod dap;
mod debugging;
mod debugging_verilog;
mod terminal;
