//! How yosys is told to synthesise for an ECP5: the same for a module's area, a board's bitstream and the gates that are simulated.
//!
//! Two things are unlike `synth_ecp5` by itself. Functions of more than four inputs are left to LUTs of four: yosys counts a
//! LUT of seven inputs, which is eight of four, as fast as one of four, and takes twice the LUTs. But a choice among eight
//! or sixteen is four or eight LUTs with the device's own multiplexers behind them, where LUTs alone take five or ten and
//! wires between them: those are found first.

use std::fmt::Write as _;

/// A choice among eight and among sixteen, by LUTs that choose between two and the multiplexers of a slice (`PFUMX`) and of several
/// (`L6MUX21`). The names are those of yosys's own cells.
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

/// The script: reads `verilog`, files' names relative to yosys's folder, synthesises the module `top`, without hierarchy if
/// `flat`, and writes the netlist for nextpnr to `netlist` if that is given.
///
/// ```
/// let script = hdlkit::ecp5::script(&["counter.v"], "counter", true, Some("counter.json"));
/// assert!(script.contains("read_verilog counter.v\n"));
/// assert!(script.ends_with("-top counter -json counter.json -run map_luts:\n"));
/// ```
pub fn script(verilog: &[&str], top: &str, flat: bool, netlist: Option<&str>) -> String {
    let hierarchy = if flat { "" } else { " -noflatten" };
    let command = format!("synth_ecp5 -nowidelut{hierarchy} -top {top}");
    let json = netlist.map_or(String::new(), |file| format!(" -json {file}"));
    let mut script = format!("read_verilog <<END_OF_MULTIPLEXERS\n{MULTIPLEXERS}END_OF_MULTIPLEXERS\n");
    // Flat, since yosys from 0.60 or so on leaves modules in modules as they are when it maps to them.
    script += "flatten\ndesign -stash multiplexers\n";
    let _ = writeln!(script, "read_verilog {}", verilog.join(" "));
    let _ = writeln!(script, "{command} -run begin:map_luts");
    // What the choices cost is told in hundredths of a choice between two: LUTs that is.
    script += "muxcover -mux8=400 -mux16=800 -nopartial\n";
    script += "techmap -map %multiplexers\n";
    let _ = writeln!(script, "{command}{json} -run map_luts:");
    script
}
