//! Tools that tests need and that may not be installed.

use flexgrip_testbench::tools::{found, YOSYS};

/// Whether yosys is available; without it the tests say "skipped", or fail where tools are required.
pub fn yosys() -> bool {
    found(YOSYS)
}
