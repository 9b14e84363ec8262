//! Runs SM 1.0 kernels: on the golden model, on the circuits, and on the circuits' Verilog.
//!
//! A [`Kernel`] is a folder with a launch file. An [`Engine`] runs its launch under [`Options`] and returns a
//! [`RunReport`]. A [`Summary`] presents that report to people and checks it against the kernel's expectations. All
//! engines emit the same records, so [`lockstep`] can check any of them against the model.
//!
//! ```
//! use flexgrip_sim::{lockstep, Engine, Kernel, ModelEngine, Options, RtlEngine, Summary};
//! use std::path::Path;
//!
//! let kernel = Kernel::load(Path::new("../kernels/vectoradd"))?;
//! let options = Options::default();
//! kernel.check(&options.configuration)?;
//!
//! // The golden model has no clock; the circuits have one.
//! let model = ModelEngine.run(&kernel.launch, &options, None)?;
//! let circuits = RtlEngine.run(&kernel.launch, &options, None)?;
//! assert_eq!((model.cycles, circuits.cycles), (None, Some(484)));
//! assert_eq!(model.global, circuits.global);
//! let summary = Summary::new(&kernel, "rtl", 8, 1, &circuits);
//! assert_eq!(summary.verdict(), "result matches");
//!
//! // Both in lockstep, instruction by instruction.
//! let (report, equal, difference) = lockstep::run(&mut RtlEngine, &kernel.launch, &options, |_record| {})?;
//! assert_eq!((equal, difference), (report.warp_instructions, None));
//! # Ok::<(), flexgrip_sim::Error>(())
//! ```
//!
//! The engines, with kernels' files, traces and waves, are the package [`flexgrip_engines`]; [`faults`] is the package
//! [`flexgrip_campaigns`]; both are re-exported. The modules here, from the bottom up; each uses only modules above it
//! in this list:
//!
//! - [`in_order`]: results of several threads in order; [`instruction_sets`]: instructions as text;
//! - [`debug`]: runs that step backwards; [`performance`]: a kernel's time and its causes; [`board`]: the host of a
//!   board on a serial line; [`fuzz`]: random programs; [`opencl`]: kernels in OpenCL C;
//! - [`report`]: a run's outcome; [`error`](mod@error): the errors programs print; [`job`]: a kernel's launches, from
//!   plan to report.

#![warn(missing_docs, clippy::unwrap_used)]

pub mod board;
pub mod debug;
pub mod error;
pub mod fuzz;
pub mod in_order;
pub mod instruction_sets;
pub mod job;
pub mod opencl;
pub mod performance;
pub mod report;

pub use flexgrip_campaigns as faults;
pub use flexgrip_engines::{self as engines, files, outside, progress, trace, waves};
pub use flexgrip_trace::timeline;

pub use engines::circuits::sizes::configuration;
pub use engines::engine::{Coalescing, Engine, Observer, Options};
pub use engines::error::RunError;
pub use engines::lockstep;
pub use engines::model::ModelEngine;
pub use engines::native::compiled::CompiledEngine;
pub use engines::native::kernels::KernelEngine;
pub use engines::native::rtl::RtlEngine;
#[cfg(feature = "simulation")]
pub use engines::native::simulation::SimulationEngine;
pub use engines::outcome::RunReport;
pub use engines::verilog::iverilog::IverilogEngine;
pub use engines::verilog::verilator::VerilatorEngine;
pub use error::Error;
pub use files::launch::Kernel;
pub use report::Summary;
pub use timeline::file::TimelineFile;
pub use trace::ending::Ending;
pub use waves::file::WaveFile;
