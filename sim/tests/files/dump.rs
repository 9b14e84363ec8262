//! Tests `flexgrip run --dump`: a kernel's picture as a file for viewers, and invalid ranges.

use crate::common::flexgrip;
use std::path::Path;

/// The numbers of a plain PGM (P2), without comments.
fn plain_numbers(text: &str) -> Vec<u32> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
    lines
        .flat_map(str::split_whitespace)
        .skip(1)
        .map(|number| number.parse().expect("a number"))
        .collect()
}

#[test]
fn picture_of_sobel_is_dumped() {
    let kernel = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/sobel");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sobel.pgm");
    let dump = format!("{}@6288+6160", path.display());
    let output = flexgrip(&["run", "--engine", "model", "--dump", &dump], &kernel);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let picture = std::fs::read(&path).unwrap();
    let expected = plain_numbers(&std::fs::read_to_string(kernel.join("expected.pgm")).unwrap());
    assert!(picture.starts_with(b"P5"));
    let header = String::from_utf8(picture[..16].to_vec()).unwrap();
    assert_eq!(plain_numbers(&header), expected[..3], "width, height and white");
    let pixels: Vec<u32> = picture[16..].iter().map(|&byte| byte.into()).collect();
    assert_eq!(pixels, expected[3..]);
}

#[test]
fn range_outside_memory_is_refused() {
    let kernel = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/sobel");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bytes");
    let dump = format!("{}@0xffff0+17", path.display());
    let output = flexgrip(&["run", "--engine", "model", "--dump", &dump], &kernel);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        error.contains("0xffff0 to 0x100000") && error.contains("0x100000"),
        "{error}"
    );
    assert!(!path.exists());
    let usage = flexgrip(&["run", "--dump", "bytes"], &kernel);
    assert_eq!(usage.status.code(), Some(2));
    assert!(String::from_utf8(usage.stderr).unwrap().contains("FILE@ADDRESS+BYTES"));
}
