//! The kernel lint over the whole chip: nothing that would simulate differently from its Verilog, no latch, no unassigned
//! signal.

use flexgrip_hdl::gpgpu::Gpgpu;
use hdlkit::lint::{lint, locate};

#[test]
fn the_chip_has_no_findings() {
    let stack = std::thread::Builder::new().stack_size(256 << 20);
    let check = stack.spawn(|| {
        let chip = Box::new(Gpgpu::<8, 2>::new());
        let mut findings = lint(&*chip);
        locate(&mut findings, concat!(env!("CARGO_MANIFEST_DIR"), "/src").as_ref()).unwrap();
        let lines: Vec<String> = findings.iter().map(|finding| finding.to_string()).collect();
        assert!(lines.is_empty(), "{} findings:\n{}", lines.len(), lines.join("\n"));
    });
    check.unwrap().join().unwrap();
}
