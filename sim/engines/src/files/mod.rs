//! Input and output files: kernels on disk, programs, expectations, results.
//!
//! Start reading at [`launch`]: a [`Kernel`](launch::Kernel) is a folder with a launch file. The files it names are
//! read by [`program`] (assembly text, cubins, [`hex`] words, [`vhdl`] of FlexGripPlus) and [`expectation`]. [`dump`]
//! writes a kernel's results; [`realign`] moves a program's code. Errors in files have a location: [`error`].

pub mod dump;
pub mod error;
pub mod expectation;
pub mod hex;
pub mod input;
pub mod kernel_name;
pub mod launch;
pub mod output;
pub mod program;
pub mod realign;
pub mod vhdl;
