//! Timelines of a run, for two viewers: Perfetto (as Chrome's trace events in JSON, or in its own format) and Konata.
//!
//! A [`Timeline`](writer::Timeline) takes a run's records with their [`Times`](crate::trace::times::Times), brings
//! those of all SMs into one order, finds out what each warp waited for, and hands both to the format. Nothing is kept
//! longer than instructions are in flight, so a long run needs no more memory than a short one.
//!
//! | file | what |
//! |---|---|
//! | [`file`], `output` | the file asked for, and the one being written |
//! | `instruction`, `format` | what formats are given, and what they are |
//! | `code`, `requests`, `stages` | about one instruction: registers, requests to memory, stages |
//! | `warp` | what a warp waits for, and what depends on what |
//! | `counters` | requests, active lanes and resident warps over time |
//! | [`writer`] | puts these together |
//! | `formats` | the formats |
//!
//! `docs/timelines.md` says what each file shows and how waits are derived.

mod code;
mod counters;
pub mod error;
pub mod file;
mod format;
mod formats;
pub mod instruction;
mod output;
mod requests;
mod stages;
mod warp;
pub mod writer;
