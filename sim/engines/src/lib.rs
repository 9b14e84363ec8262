//! Runs SM 1.0 kernels: on the golden model, on the circuits, and on programs made from the circuits' Verilog.
//!
//! The modules, from the bottom up; each uses only modules above it in this list:
//!
//! - [`outside`]: errors of files and tools; [`big_stack`]: threads for circuits;
//! - [`files`]: kernels on disk, programs, expectations, dumps; [`check`]: what the model finds wrong in a kernel;
//! - [`progress`]: the progress line of a long run; [`reduce`]: the search for a smaller program;
//! - [`waves`]: every signal, for GTKWave;
//! - [`engine`]: the [`Engine`](engine::Engine) trait and a run's options. [`outcome`] is the result of a run,
//!   [`error`](mod@error) the reason why there is none;
//! - [`model`]; [`native`], the circuits in this process; and [`verilog`]: the engines. [`host`] has the writes by which
//!   any host launches a kernel on a machine with a clock; [`sizes`] checks launches and options against the circuits'
//!   sizes;
//! - [`lockstep`]: an engine and the model, compared in every record; [`trace`]: the records as text.

#![warn(missing_docs)]

pub mod big_stack;
pub mod check;
pub mod counters;
pub mod engine;
pub mod error;
pub mod files;
pub mod gate_level;
pub mod host;
mod known;
pub mod lockstep;
pub mod model;
pub mod native;
pub mod outcome;
pub mod outside;
pub mod progress;
mod recorder;
pub mod reduce;
pub mod sizes;
pub mod trace;
pub mod verilog;
pub mod waves;
