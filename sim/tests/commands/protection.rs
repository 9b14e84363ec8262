//! Tests of `--protect` of run and faults list: the circuits that it selects, and the engines that refuse it.

use super::{printed, refused};

#[test]
fn option_selects_circuits_and_is_refused_on_the_model() {
    let kernel = concat!(env!("CARGO_MANIFEST_DIR"), "/../kernels/vectoradd");
    let without = printed(&["run", kernel, "--json"]);
    for protect in ["parity", "secded"] {
        let with = printed(&["run", kernel, "--json", "--protect", protect]);
        let cycles = |text: &str| {
            text.split("\"cycles\":")
                .nth(1)
                .map(|rest| rest.split(',').next().unwrap().to_string())
        };
        assert!(with.contains("\"match\":true"), "{with}");
        assert_eq!(cycles(&with), cycles(&without));
        assert!(cycles(&with).is_some());
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
