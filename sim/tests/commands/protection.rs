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
    for protect in ["parity", "secded"] {
        let with = run(&["--protect", protect]);
        assert_eq!(with["match"], true, "{with}");
        assert!(with["cycles"].is_u64(), "{with}");
        assert_eq!(with["cycles"], without["cycles"]);
    }
    let error = refused(1, &["run", kernel, "--engine", "model", "--protect", "parity"]);
    assert!(
        error.contains("has no check bits") && error.contains("--protect parity"),
        "{error}"
    );
    let sites = printed(&[
        "faults",
        "list",
        "--protect",
        "secded",
        "--where",
        "sm[0].register_file",
    ]);
    assert!(
        sites.contains("check[7]") && sites.contains("2048 x 12 bits"),
        "{sites}"
    );
    let error = refused(1, &["faults", "list", kernel, "--protect", "secded"]);
    assert!(error.contains("has no check bits"), "{error}");
}
