//! What comes from files and goes to files: kernels on disk, programs, expectations, results.
//!
//! A reader starts at [`launch`]: a [`Kernel`](launch::Kernel) is a folder with a launch file. What that names is read by
//! [`program`] (assembly text, cubins, [`hex`] words, [`vhdl`] of FlexGripPlus) and checked by [`expectation`]. [`dump`] writes
//! what a kernel has left, [`realign`] moves a program's code. What is wrong in a file has a place: [`error`].

pub mod dump;
pub mod error;
pub mod expectation;
pub mod hex;
pub mod launch;
pub mod output;
pub mod program;
pub mod realign;
pub mod vhdl;
