//! The rules of the machine's contract (`docs/machine.md`), one by one, on short programs.
//!
//! The words are assembled in `words` from the field positions, so that these tests do not depend on the assembler.

mod arbitrary_words;
mod blocks;
mod divergence;
mod ends;
mod lanes;
mod memory;
mod operands;
mod running;
mod threads_alone;
mod words;
