//! What runs kernels: the golden model, the circuits, and the circuits' Verilog.
//!
//! A reader starts at [`engine`]: the [`Engine`](engine::Engine) trait and how a run is asked for; [`outcome`] is what comes of
//! one, [`error`] why there is none. Each engine has a file: [`model`], in [`native`] the circuits in this process, in [`verilog`]
//! what is made of their Verilog. [`host`] is what any host does to launch a kernel on a machine with a clock, [`sizes`] what
//! machines there are. [`lockstep`] runs an engine with the model beside it.

pub mod counters;
pub mod engine;
pub mod error;
pub mod host;
pub mod lockstep;
pub mod model;
pub mod native;
pub mod outcome;
pub mod sizes;
pub mod verilog;
