//! Runs SM 1.0 kernels: on the golden model, on the circuits, and on programs made from the circuits' Verilog.
//!
//! The modules, from the bottom up; each uses only modules above it in this list:
//!
//! - [`outside`]: errors of files and tools; [`big_stack`]: threads for circuits;
//! - [`files`]: kernels on disk, programs, expectations, dumps; [`check`]: the errors that the model finds in a kernel;
//! - [`progress`]: the progress line of a long run; [`reduce`]: the search for a smaller program;
//! - [`waves`]: every signal, for GTKWave;
//! - [`engine`]: the [`Engine`](engine::Engine) trait and a run's options. [`outcome`] is the result of a run, with
//!   its counters, [`error`](mod@error) the reason why there is none;
//! - [`model`]; [`native`], the circuits in this process; and [`verilog`]: the engines. [`circuits`] has the
//!   writes by which any host launches a kernel on a machine with a clock, and checks launches against the circuits'
//!   sizes;
//! - [`lockstep`]: an engine and the model, compared in every record; [`trace`]: the records as text.

#![warn(missing_docs, clippy::unwrap_used)]

pub mod big_stack;
pub mod check;
pub mod circuits;
pub mod engine;
pub mod error;
pub mod files;
pub mod gate_level;
mod known;
pub mod lockstep;
pub mod model;
pub mod native;
pub mod outcome;
pub mod outside;
pub mod progress;
mod recorder;
pub mod reduce;
pub mod trace;
pub mod verilog;
pub mod waves;
