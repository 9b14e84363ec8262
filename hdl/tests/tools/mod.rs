//! What tests need that may not be installed.

use flexgrip_testbench::tools::{found, YOSYS};

/// Whether yosys is there; the tests say "skipped" without it, or fail where tools are required.
pub fn yosys() -> bool {
    found(YOSYS)
}
