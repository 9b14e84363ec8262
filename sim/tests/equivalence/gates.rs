//! Tests a whole SM as gates synthesised by yosys from its Verilog, like the gates on the FPGA.
//!
//! yosys takes minutes, so this test only runs if `FLEXGRIP_GATES` is set in the environment, as by `make gate`.

use crate::common::options;
use flexgrip_export::verilog::{verilog_with_memories, Top};
use flexgrip_hdl::memory::MemorySizes;
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_sim::engines::engine::Engine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::verilog::iverilog::run_under_iverilog;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::trace::ending::Ending;
use std::path::Path;

/// vectoradd, and floats at the limits of their range; each takes a few minutes.
const KERNELS: [&str; 2] = ["vectoradd", "float_pitfalls"];
/// The memory sizes of the boards.
const MEMORIES: MemorySizes = MemorySizes {
    instructions: 16 << 10,
    constants: 8 << 10,
    registers: 8_192,
};

#[test]
fn gates_run_kernels_as_the_circuits() {
    if std::env::var_os("FLEXGRIP_GATES").is_none() {
        println!("skipped: FLEXGRIP_GATES is not set; `make gate` sets it");
        return;
    }
    let verilog = verilog_with_memories(Top::Gpgpu, Lanes::Eight, Sms::One, MEMORIES).unwrap();
    let gates = hdlkit::ecp5::netlist(&verilog, "gpgpu", true).unwrap_or_else(|error| panic!("{error}"));
    for name in KERNELS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels").join(name);
        let kernel = Kernel::load(&folder).unwrap_or_else(|error| panic!("{error}"));
        let options = options(8);
        let native = RtlEngine.run(&kernel.launch, &options, None).unwrap();
        let gates = run_under_iverilog(&gates, 8, &kernel.launch, &options).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(native.ending, Ending::Complete, "{name}");
        assert_eq!(gates.ending, native.ending, "{name}");
        assert_eq!(gates.cycles, native.cycles, "{name}");
        assert_eq!(gates.counters, native.counters, "{name}");
        assert_eq!(gates.global, native.global, "{name}");
        println!(
            "{name}: {} cycles, counters and memory on the gates as on the circuits",
            native.cycles.unwrap()
        );
    }
}
