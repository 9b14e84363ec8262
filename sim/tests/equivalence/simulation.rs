//! The engine on rust-hdl's `Simulation` gives the same records, cycles and memory as the native one.

use crate::common::configuration;
use flexgrip_machine::Retire;
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::native::simulation::SimulationEngine;
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::trace::ending::Ending;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

fn run(engine: &mut dyn Engine, max_cycles: u64, most: usize) -> (RunReport, Vec<Retire>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/vectoradd");
    let kernel = Kernel::load(&folder).unwrap();
    let options = Options {
        configuration: configuration(8, 1 << 20),
        max_cycles,
        ..Options::default()
    };
    let mut records = Vec::new();
    let mut observer = |record: &Retire| {
        records.push(record.clone());
        if records.len() < most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    let report = engine.run(&kernel.launch, &options, Some(&mut observer)).unwrap();
    let wall = Duration::ZERO;
    (RunReport { wall, ..report }, records)
}

#[test]
fn simulation_equals_the_native_engine() {
    let native = run(&mut RtlEngine, 100_000, usize::MAX);
    assert_eq!(native.0.ending, Ending::Complete);
    assert!(!native.1.is_empty());
    assert_eq!(run(&mut SimulationEngine, 100_000, usize::MAX), native);
}

#[test]
fn simulation_can_be_limited() {
    let native = run(&mut RtlEngine, 50, usize::MAX);
    assert!(matches!(native.0.ending, Ending::Failed(_)), "{:?}", native.0.ending);
    assert_eq!(run(&mut SimulationEngine, 50, usize::MAX), native);
    let native = run(&mut RtlEngine, 100_000, 7);
    assert_eq!((native.0.ending, native.1.len()), (Ending::Stopped, 7));
    assert_eq!(run(&mut SimulationEngine, 100_000, 7), native);
}
