//! PTX from several versions of clang, handwritten PTX, and damaged PTX.

mod clang;
mod fuzz;
mod text;
