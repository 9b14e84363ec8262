//! The formats of timelines: Konata's log, a picture, and two encodings of tracks with slices for Perfetto.

pub(super) mod chrome;
pub(super) mod format;
pub(super) mod kanata;
mod messages;
pub(super) mod perfetto;
pub(super) mod picture;
mod text;
pub(super) mod tracks;
