//! What tests need that may not be installed.

use std::process::Command;
use std::sync::OnceLock;

/// Whether yosys is there; the tests say "skipped" without it, or fail where tools are required.
pub fn yosys() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    let found = *FOUND.get_or_init(|| Command::new("yosys").arg("-V").output().is_ok());
    if !found {
        assert!(
            std::env::var_os("FLEXGRIP_REQUIRE_TOOLS").is_none(),
            "yosys is not installed; `make tools` installs it"
        );
        println!("skipped: yosys is not installed");
    }
    found
}
