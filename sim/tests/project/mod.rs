//! The project itself: its packages and documents.

mod architecture;
mod documents;
