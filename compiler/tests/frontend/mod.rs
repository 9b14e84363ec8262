//! The clang that tests use.

use flexgrip_compiler::clang::Clang;

/// The clang, or `None` with a message if there is none and the tools are not required.
pub fn clang() -> Option<Clang> {
    match Clang::find() {
        Ok(clang) => Some(clang),
        Err(error) if std::env::var_os("FLEXGRIP_REQUIRE_TOOLS").is_some() => panic!("{error}"),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}
