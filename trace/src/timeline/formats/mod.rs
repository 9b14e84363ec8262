//! The formats of timelines: Konata's log, and two encodings of tracks with slices for Perfetto.

pub(super) mod chrome;
pub(super) mod format;
pub(super) mod kanata;
mod messages;
pub(super) mod perfetto;
mod text;
pub(super) mod tracks;
