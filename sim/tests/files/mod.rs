//! Tests of files that are read and written: programs, results, waves, timelines, snapshots.

mod dump;
mod program_files;
mod snapshots;
mod text_files;
mod timelines;
mod waves;
