//! Timelines of a run, for two viewers: Perfetto (as Chrome's trace events in JSON, or in its own format) and Konata.
//!
//! A [`Timeline`](run::Timeline) receives a run's records with their [`Times`](crate::times::Times), and sends them to
//! a thread that merges the records of all SMs into one order, derives the waits of each warp, and passes both to the
//! format. Data is kept only while instructions are in flight, so a long run needs no more memory than a short one.
//!
//! | file | what |
//! |---|---|
//! | [`file`], `output` | the requested file, and the file being written |
//! | [`run`], `batch` | the run's thread, and the batches that it passes on |
//! | [`writer`] | the thread that writes the file |
//! | `instruction` | the data of an instruction that formats get |
//! | `code`, `stages` | facts about one instruction: registers, stages |
//! | `warp` | a warp's waits, and the dependencies between its instructions |
//! | `counters` | requests, active lanes and resident warps over time |
//! | `formats` | the formats |
//!
//! `docs/timelines.md` describes what each file shows and how waits are derived.

mod batch;
mod code;
mod counters;
pub mod file;
mod formats;
pub mod instruction;
mod output;
pub mod run;
mod stages;
mod warp;
pub mod writer;
