//! Tools that tests need and that may not be installed.

pub use hdlkit::tools::{Tool, IVERILOG, VERILATOR, VVP, YOSYS};

/// Set if tests must not be skipped: `make test` installs the tools first.
pub const REQUIRE_TOOLS: &str = "FLEXGRIP_REQUIRE_TOOLS";

/// Whether a tool is installed. If not, reports that a test is skipped.
///
/// # Panics
/// If it is not installed and [`REQUIRE_TOOLS`] is set.
pub fn found(tool: Tool) -> bool {
    let found = tool.is_there();
    if !found {
        let missing = format!("{} is not installed; `make tools` installs it", tool.name);
        assert!(std::env::var_os(REQUIRE_TOOLS).is_none(), "{missing}");
        println!("skipped: {missing}");
    }
    found
}
