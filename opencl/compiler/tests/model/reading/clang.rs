//! Every module of `tests/ptx`, from clang 14, 19 and 22: each kernel compiles, or is refused for the listed reason.

use flexgrip_compiler::{compile, ptx, Options};
use std::path::Path;

/// Name of the file up to its first dot, and the text of the error.
const REFUSED: [(&str, &str); 4] = [
    (
        "atomics",
        "atomic operations on global memory need compute capability 1.1",
    ),
    ("doubles", "doubles need compute capability 1.3"),
    ("image", "`read_imagef`: this type of image is not supported"),
    ("recursion", "recursion is not supported"),
];

#[test]
fn kernels_compile_or_are_refused_with_a_reason() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx");
    let mut kernels = 0;
    let mut faults = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "ptx") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let module = ptx::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let file = path.file_name().expect("a name").to_string_lossy().to_string();
        let name = file.split('.').next().unwrap_or_default();
        let reason = REFUSED.iter().find(|(refused, _)| *refused == name);
        for kernel in module.kernels() {
            kernels += 1;
            let found = compile(&module, kernel, &Options::default());
            match (found, reason) {
                (Ok(_), None) => {}
                (Err(error), Some((_, reason))) if error.message.contains(reason) => {
                    assert!(error.place.span.line > 0, "{file}: {error}");
                }
                (Err(error), _) => faults.push(format!("{file}: {error}")),
                (Ok(_), Some(_)) => faults.push(format!("{file}: {} compiles", kernel.name.text)),
            }
        }
    }
    assert!(kernels > 40, "{kernels}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
