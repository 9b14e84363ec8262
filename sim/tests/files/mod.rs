//! What is read and written: programs, results, waves, timelines.

mod dump;
mod program_files;
mod text_files;
mod timelines;
mod waves;
