//! yosys's synthesis script for an ECP5: the same for a module's area, a board's bitstream and the simulated gates.
//!
//! It differs from plain `synth_ecp5` in four ways. Functions of more than four inputs are mapped to four-input LUTs:
//! yosys assumes that a seven-input LUT, which consists of eight four-input LUTs, is as fast as one of them, and then
//! needs twice as many LUTs. Multiplexers of eight or sixteen inputs are extracted first: they cost four or eight LUTs
//! followed by the device's own multiplexers, instead of five or ten LUTs and the wires between them. ABC searches
//! longer for fewer LUTs. The address pins of small memories are not tied to constants.

use std::fmt::Write as _;

/// Multiplexers of eight and sixteen: LUTs that select one of two, then the multiplexers within a slice (`PFUMX`) and
/// across slices (`L6MUX21`). The names are yosys's own for such cells.
const MULTIPLEXERS: &str = r"module \$_MUX4_ (input A, B, C, D, S, T, output Y);
    wire y0, y1;
    LUT4 #(.INIT(16'hCACA)) l0 (.A(A), .B(B), .C(S), .D(1'b0), .Z(y0));
    LUT4 #(.INIT(16'hCACA)) l1 (.A(C), .B(D), .C(S), .D(1'b0), .Z(y1));
    PFUMX m (.ALUT(y1), .BLUT(y0), .C0(T), .Z(Y));
endmodule
module \$_MUX8_ (input A, B, C, D, E, F, G, H, S, T, U, output Y);
    wire y0, y1;
    \$_MUX4_ m0 (.A(A), .B(B), .C(C), .D(D), .S(S), .T(T), .Y(y0));
    \$_MUX4_ m1 (.A(E), .B(F), .C(G), .D(H), .S(S), .T(T), .Y(y1));
    L6MUX21 m (.D0(y0), .D1(y1), .SD(U), .Z(Y));
endmodule
module \$_MUX16_ (input A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, S, T, U, V, output Y);
    wire y0, y1;
    \$_MUX8_ m0 (.A(A), .B(B), .C(C), .D(D), .E(E), .F(F), .G(G), .H(H), .S(S), .T(T), .U(U), .Y(y0));
    \$_MUX8_ m1 (.A(I), .B(J), .C(K), .D(L), .E(M), .F(N), .G(O), .H(P), .S(S), .T(T), .U(U), .Y(y1));
    L6MUX21 m (.D0(y0), .D1(y1), .SD(V), .Z(Y));
endmodule
";

/// A distributed RAM of four or eight words has constant upper address bits, which would be a single wire to all of
/// these pins across the whole device. Here these pins get the lowest address bit instead, for reads and writes alike,
/// so each word still has its own location.
const SHALLOW_MEMORIES: &str = r#"(* techmap_celltype = "TRELLIS_DPR16X4" *)
module shallow_memory (input [3:0] DI, WAD, input WRE, WCK, input [3:0] RAD, output [3:0] DO);
    parameter WCKMUX = "WCK";
    parameter WREMUX = "WRE";
    parameter [63:0] INITVAL = 64'h0;
    parameter [3:0] _TECHMAP_CONSTMSK_RAD_ = 4'd0;
    parameter [3:0] _TECHMAP_CONSTVAL_RAD_ = 4'd0;
    parameter [3:0] _TECHMAP_CONSTMSK_WAD_ = 4'd0;
    parameter [3:0] _TECHMAP_CONSTVAL_WAD_ = 4'd0;
    localparam [3:0] same = _TECHMAP_CONSTMSK_RAD_ & _TECHMAP_CONSTMSK_WAD_ & ~(_TECHMAP_CONSTVAL_RAD_ ^ _TECHMAP_CONSTVAL_WAD_);
    // Not for memories with initial contents, which would be at other addresses.
    wire _TECHMAP_FAIL_ = ~|same || _TECHMAP_CONSTMSK_RAD_[0] || _TECHMAP_CONSTMSK_WAD_[0] || (|INITVAL) === 1'b1;
    wire [3:0] read, write;
    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin
            assign read[i] = same[i] === 1'b1 ? RAD[0] : RAD[i];
            assign write[i] = same[i] === 1'b1 ? WAD[0] : WAD[i];
        end
    endgenerate
    TRELLIS_DPR16X4 #(.WCKMUX(WCKMUX), .WREMUX(WREMUX), .INITVAL(INITVAL)) _TECHMAP_REPLACE_ (.DI(DI), .WAD(write), .WRE(WRE),
        .WCK(WCK), .RAD(read), .DO(DO));
endmodule
"#;

/// ABC's script: yosys's own commands for LUTs, but the final commands, which search for fewer LUTs of the same depth,
/// run three times. On a whole machine this saves 1.7 % of the LUTs.
fn to_luts() -> String {
    let round = "strash;dch,-f;if;mfs2;lutpack,-S,1";
    format!("+strash;ifraig;scorr;dc2;dretime;{}", [round; 3].join(";"))
}

/// The script: reads `verilog` (file names relative to yosys's folder), synthesises the module `top`, without hierarchy
/// if `flat`, and writes the netlist for nextpnr to `netlist` if that is given.
///
/// ```
/// let script = hdlkit::ecp5::script(&["counter.v"], "counter", true, Some("counter.json"));
/// assert!(script.contains("read_verilog counter.v\n"));
/// assert!(script.ends_with("-top counter -json counter.json -run map_cells:\n"));
/// ```
pub fn script(verilog: &[&str], top: &str, flat: bool, netlist: Option<&str>) -> String {
    let hierarchy = if flat { "" } else { " -noflatten" };
    let command = format!("synth_ecp5 -nowidelut{hierarchy} -top {top}");
    let json = netlist.map_or(String::new(), |file| format!(" -json {file}"));
    let mut script = String::new();
    // The multiplexers are flattened, because yosys, from about version 0.60, does not flatten nested modules when it
    // maps to them.
    let maps = [
        ("multiplexers", MULTIPLEXERS, "flatten\n"),
        ("shallow_memories", SHALLOW_MEMORIES, ""),
    ];
    for (name, modules, then) in maps {
        let _ = write!(
            script,
            "read_verilog <<END_OF_MAP\n{modules}END_OF_MAP\n{then}design -stash {name}\n"
        );
    }
    let _ = writeln!(script, "read_verilog {}", verilog.join(" "));
    let _ = writeln!(script, "{command} -run begin:map_luts");
    // Costs in hundredths of a two-way multiplexer, i.e. of a LUT.
    script += "muxcover -mux8=400 -mux16=800 -nopartial\n";
    for (name, ..) in maps {
        let _ = writeln!(script, "techmap -map %{name}");
    }
    let _ = writeln!(script, "abc -lut 4 -dress -script {}\nclean", to_luts());
    let _ = writeln!(script, "{command}{json} -run map_cells:");
    script
}
