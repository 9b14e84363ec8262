//! Waves: every signal of a run, in a file for GTKWave, and its presentation there.
//!
//! Start reading at [`file`]: a [`WaveFile`](file::WaveFile) is a file and the part of a run to write to it; `output`
//! writes it. Save files ([`save`]) are next to the waves: [`views`] has their contents, `header` the waveform's
//! signals. GTKWave shows numbers as words through [`gtkwave_filter`]. [`signals`] maps the circuits' signals to
//! Verilog names.

pub mod error;
pub mod file;
pub mod gtkwave_filter;
pub mod header;
mod lines;
pub mod output;
pub mod save;
pub mod signals;
pub mod views;
