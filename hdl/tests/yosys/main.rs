//! Tests of the exported Verilog in yosys: areas, flip-flops and proofs. Decode's proof is in `decode/proof`.

mod area;
mod flip_flops;
mod formal;
mod integer_proof;
mod synthesis;
