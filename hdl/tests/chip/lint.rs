//! Runs the kernel lint over the whole chip: it has no construct that simulates differently from its Verilog, no latch
//! and no unassigned signal.

use flexgrip_hdl::big_stack::on_big_stack;
use flexgrip_hdl::board::gpgpu_board::{Board, BoardSizes};
use flexgrip_hdl::board::lane_board::LaneBoard;
use flexgrip_hdl::bus::gpgpu_axi::GpgpuAxi;
use flexgrip_hdl::bus::gpgpu_wishbone::GpgpuWishbone;
use flexgrip_hdl::chip::gpgpu::Gpgpu;
use flexgrip_hdl::parameters::SmParameters;
use flexgrip_machine::{Capability, Protect};
use hdlkit::lint::{lint_with, LintOptions};
use hdlkit::Structure;

fn has_no_findings<B: Structure + 'static>(make: impl FnOnce() -> B + Send + 'static) {
    has_no_findings_with(LintOptions::default(), make);
}

fn has_no_findings_with<B: Structure + 'static>(options: LintOptions, make: impl FnOnce() -> B + Send + 'static) {
    let check = on_big_stack(move || {
        let chip = Box::new(make());
        let findings = lint_with(&*chip, &options);
        let lines: Vec<String> = findings.iter().map(|finding| finding.to_string()).collect();
        assert!(lines.is_empty(), "{} findings:\n{}", lines.len(), lines.join("\n"));
    });
    check.unwrap();
}

#[test]
fn the_chip_has_no_findings() {
    has_no_findings(Gpgpu::<8, 2>::new);
}

#[test]
fn later_chips_have_no_findings() {
    for capability in [Capability::V1_1, Capability::V1_2, Capability::V1_3] {
        // The product and the sum of doubles are wider than a word.
        let max_width = if capability >= Capability::V1_3 { 128 } else { LintOptions::default().max_width };
        let options = LintOptions { max_width, ..Default::default() };
        let parameters = SmParameters { capability, ..SmParameters::default() };
        has_no_findings_with(options, move || Gpgpu::<8, 2>::with(parameters));
    }
}

#[test]
fn protected_chips_have_no_findings() {
    for protect in [Protect::Parity, Protect::Full] {
        has_no_findings(move || Gpgpu::<8, 2>::with(SmParameters { protect, ..SmParameters::default() }));
    }
}

#[test]
fn the_chips_with_buses_have_no_findings() {
    for capability in [Capability::V1_0, Capability::V1_1] {
        let parameters = SmParameters { capability, ..SmParameters::default() };
        has_no_findings(move || GpgpuWishbone::<8, 2>::new(parameters));
        has_no_findings(move || GpgpuAxi::<8, 2>::new(parameters));
    }
}

#[test]
fn the_boards_have_no_findings() {
    has_no_findings(|| Board::<8>::new(BoardSizes::SMALL));
    has_no_findings(|| LaneBoard::new(12));
}
