//! The engines, which run kernels: the golden model, the circuits, and the circuits' Verilog.
//!
//! Start reading at [`engine`]: the [`Engine`](engine::Engine) trait and a run's options. [`outcome`] is the result of
//! a run, [`error`] the reason why there is none. The engines are [`model`]; [`native`], the circuits in this process;
//! and [`verilog`], programs made from the circuits' Verilog. [`host`] has the writes by which any host launches a
//! kernel on a machine with a clock; [`sizes`] checks launches and options against the circuits' sizes. [`lockstep`]
//! runs an engine in lockstep with the model.

pub mod counters;
pub mod engine;
pub mod error;
pub mod gate_level;
pub mod host;
mod known;
pub mod lockstep;
pub mod model;
pub mod native;
pub mod outcome;
mod recorder;
pub mod sizes;
pub mod verilog;
