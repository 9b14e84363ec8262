//! Functions of all memories: depth, initial contents, and Verilog for writes.

use rust_hdl_core::prelude::{Synth, VerilogLiteral};

/// A zero memory with more words than this is cleared in simulation only.
const LONG_LOOP: usize = 1024;

/// The text of `initial` for a memory `memory` of `depth` words: zero unless listed.
pub(super) fn initial_contents<D: Synth>(contents: &[D], depth: usize) -> String {
    let listed = contents.iter().enumerate().filter(|(_, word)| **word != D::default());
    let listed = listed.map(|(address, word)| (address, word.verilog())).collect();
    initial(D::BITS, depth, listed)
}

/// The text for words of `bits` bits, `listed` with their addresses. Compiled once, not for every type of word.
fn initial(bits: usize, depth: usize, listed: Vec<(usize, VerilogLiteral)>) -> String {
    let zero = format!(
        "integer i;\ninitial begin\n    for (i = 0; i < {depth}; i = i + 1)\n        memory[i] = {{{bits}{{1'b0}}}};\n"
    );
    if depth > LONG_LOOP && listed.is_empty() {
        // Synthesis unrolls loops, which takes minutes for tens of thousands of words.
        return format!(
            "// Zero at power-up, which block RAM is by itself; synthesis would unroll this loop.\n`ifndef SYNTHESIS\n{zero}end\n`endif\n"
        );
    }
    let words: String = listed
        .iter()
        .map(|(address, word)| format!("    memory[{address}] = {word:x};\n"))
        .collect();
    format!("{zero}{words}end\n")
}

/// `[msb:0]` of an address into `depth` words, as a part select on `name`; empty if the port has exactly that width.
pub(super) fn select(name: &str, port_bits: usize, depth: usize) -> String {
    let bits = depth.trailing_zeros() as usize;
    if bits == port_bits {
        name.to_string()
    } else if bits == 1 {
        format!("{name}[0]")
    } else {
        format!("{name}[{}:0]", bits - 1)
    }
}

/// Checks a memory's depth.
///
/// # Panics
/// If the depth is not a power of two within the address bits.
pub(super) fn check_depth(depth: usize, address_bits: usize) {
    assert!(
        depth.is_power_of_two() && depth >= 2 && depth <= 1 << address_bits,
        "a memory's depth must be a power of two of at least 2 that its {address_bits} address bits reach, not {depth}"
    );
}

/// `contents`, padded with zeros to `depth` words.
///
/// # Panics
/// If `contents` is longer.
pub(super) fn filled<D: Synth>(contents: Vec<D>, depth: usize) -> Vec<D> {
    let mut memory = contents;
    assert!(
        memory.len() <= depth,
        "{} initial words for a memory of {depth} words",
        memory.len()
    );
    memory.resize(depth, D::default());
    memory
}

/// The write port's always block for `E` enables.
pub(super) fn write_port(bits: usize, enables: usize, address: &str) -> String {
    if enables == 1 {
        return format!("always @(posedge clock)\n    if (write_enable)\n        memory[{address}] <= write_data;\n");
    }
    let lane = bits / enables;
    let mut text = "always @(posedge clock) begin\n".to_string();
    for e in 0..enables {
        let range = if lane == 1 {
            format!("{e}")
        } else {
            format!("{}:{}", e * lane + lane - 1, e * lane)
        };
        text.push_str(&format!(
            "    if (write_enable[{e}])\n        memory[{address}][{range}] <= write_data[{range}];\n"
        ));
    }
    text.push_str("end\n");
    text
}
