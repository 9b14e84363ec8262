//! Waves: every signal of a run, in a file for GTKWave, and how GTKWave is to show it.
//!
//! A reader starts at [`file`]: a [`WaveFile`](file::WaveFile) says what of a run is written, and where; `output` writes it. Beside
//! the waves lie save files ([`save`]): what they show is in [`views`], what there is to show in the waveform's `header`. GTKWave
//! shows numbers as words by [`gtkwave_filter`]. The circuits' [`signals`] have their names in the Verilog.

pub mod error;
pub mod file;
pub mod gtkwave_filter;
pub(crate) mod header;
mod lines;
pub(crate) mod output;
pub mod save;
pub mod signals;
pub mod views;
