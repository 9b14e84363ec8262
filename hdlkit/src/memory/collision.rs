//! Memories without collisions: their users never need a word in the cycle in which it is written. Attributes, and
//! Verilog that exposes violations.

/// The Verilog macro that makes a `collision_free` block RAM read [`garbage`] from an address that is being written, as
/// in silicon.
pub const POISON: &str = "FLEXGRIP_POISON_COLLISIONS";

/// Verilog for `bits` pseudorandom bits: a new number at each clock edge, the same in each run.
///
/// Not X: simulators propagate X through `a & (b | ~b)`, which in silicon does not depend on `b`. Logic with don't-care
/// operands has many such terms, and synthesis adds more.
pub fn garbage(bits: usize) -> String {
    match bits.div_ceil(32) {
        1 => "$random".into(),
        words => format!("{{{}}}", vec!["$random"; words].join(", ")),
    }
}

/// Attributes of a memory that obeys [`POISON`].
pub const BLOCK_COLLISION_FREE: &str = "(* ram_style = \"block\", no_rw_check *)";

/// The Verilog of the read port of a memory with the attributes [`BLOCK_COLLISION_FREE`]: with `read_enable`, the
/// register `data` of `bits` bits receives the word at `address`. See [`POISON`] for a cycle in which `written` is true
/// and the write has the same address.
pub fn collision_free_read(
    bits: usize,
    data: &str,
    memory: &str,
    address: &str,
    written: &str,
    write_address: &str,
) -> String {
    format!(
        "\
initial {data} = {{{bits}{{1'b0}}}};
always @(posedge clock) begin
    if (read_enable)
        {data} <= {memory}[{address}];
`ifdef {POISON}
    if (read_enable && {written} && {address} == {write_address})
        {data} <= {garbage};
`endif
end
",
        garbage = garbage(bits)
    )
}
