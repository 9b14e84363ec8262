//! Memories that nobody reads where they are being written: their attributes, and Verilog that shows whoever does.

/// The Verilog macro with which a block RAM that is `collision_free` reads [`garbage`] from a place that is being written, as
/// in silicon.
pub const POISON: &str = "FLEXGRIP_POISON_COLLISIONS";

/// The Verilog of so many bits that nobody can make use of: another number at each clock edge, the same in each run.
///
/// Not unknown bits: to a simulator `a & (b | ~b)` is unknown if `b` is, while in silicon nothing of `b` is in it. Logic for
/// which an operand does not matter is full of that, and synthesis makes more.
pub fn garbage(bits: usize) -> String {
    match bits.div_ceil(32) {
        1 => "$random".into(),
        words => format!("{{{}}}", vec!["$random"; words].join(", ")),
    }
}

/// See [`POISON`], which a memory with these attributes should know.
pub const BLOCK_COLLISION_FREE: &str = "(* ram_style = \"block\", no_rw_check *)";

/// The Verilog of the read port of a memory with the attributes [`BLOCK_COLLISION_FREE`]: with `read_enable`, the register
/// `data` of so many bits gets what is at `address`. See [`POISON`] for a cycle in which `written` is true and the write goes
/// there, too.
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
