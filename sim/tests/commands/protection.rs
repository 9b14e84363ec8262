//! Tests of `--protect` of run and faults list: the circuits that it selects, and the engines that refuse it.

use super::{printed, refused};
use serde_json::Value;

#[test]
fn option_selects_circuits_and_excludes_the_model() {
    let kernel = concat!(env!("CARGO_MANIFEST_DIR"), "/../kernels/vectoradd");
    let run = |protect: &[&str]| -> Value {
        serde_json::from_str(&printed(&[&["run", kernel, "--json"], protect].concat())).unwrap()
    };
    let without = run(&[]);
    for (engine, protect) in [
        ("rtl", "parity"),
        ("rtl", "full"),
        ("kernels", "parity"),
        ("kernels", "full"),
    ] {
        let with = run(&["--engine", engine, "--protect", protect]);
        assert_eq!(with["match"], true, "{with}");
        assert!(with["cycles"].is_u64(), "{with}");
        assert_eq!(with["cycles"], without["cycles"], "{engine}, {protect}");
    }
    let error = refused(1, &["run", kernel, "--engine", "model", "--protect", "parity"]);
    assert!(
        error.contains("has no circuits to protect") && error.contains("--protect parity"),
        "{error}"
    );
    for (memory, check) in [
        ("register_file", ["check[7]", "2048 x 12 bits"]),
        ("shared_memory", ["check[15]", "256 x 20 bits"]),
    ] {
        let place = format!("sm[0].{memory}");
        let sites = printed(&["faults", "list", "--protect", "secded", "--where", &place]);
        assert!(check.iter().all(|text| sites.contains(text)), "{sites}");
    }
    let error = refused(1, &["faults", "list", kernel, "--protect", "secded"]);
    assert!(error.contains("has no circuits to protect"), "{error}");
}
