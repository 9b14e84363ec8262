//! PTX as it comes: of several clangs, of other hands, damaged.

mod clang;
mod fuzz;
mod text;
