//! The project itself: its packages and its documents.

mod architecture;
mod documents;
