//! Tests of debugging sessions: as a library, from a script, on a full screen, and from an editor.

mod dap;
mod debugging;
mod debugging_verilog;
mod terminal;
