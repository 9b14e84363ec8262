//! Tools that tests need, but that may not be installed.

pub use hdlkit::tools::{Tool, IVERILOG, VERILATOR, VVP, YOSYS};

/// True if a tool is installed; otherwise prints that a test is skipped.
///
/// # Panics
/// Panics if it is not installed and tools are required.
#[track_caller]
pub fn found(tool: Tool) -> bool {
    let found = tool.is_there();
    if !found {
        flexgrip_skip::skip(format!("{} is not installed; `make tools` installs it", tool.name));
    }
    found
}
