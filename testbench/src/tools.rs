//! Tools that tests need and that may not be installed.

pub use hdlkit::tools::{Tool, IVERILOG, VERILATOR, VVP, YOSYS};

/// Whether a tool is installed. If not, reports that a test is skipped.
///
/// # Panics
/// If it is not installed and tools are required.
#[track_caller]
pub fn found(tool: Tool) -> bool {
    let found = tool.is_there();
    if !found {
        flexgrip_skip::skip(format!("{} is not installed; `make tools` installs it", tool.name));
    }
    found
}
