//! Proves the properties of `testbench/formal` with yosys: each holds for the exported module, and fails for copies
//! broken on purpose.

use flexgrip_hdl::bus::axi4_lite_slave::Axi4LiteSlave;
use flexgrip_hdl::bus::axi4_master::Axi4Master;
use flexgrip_hdl::bus::wishbone_master::WishboneMaster;
use flexgrip_hdl::memory::global::GlobalMemoryUnit;
use flexgrip_hdl::memory::port_arbiter::PortArbiter;
use flexgrip_machine::Capability;
use flexgrip_testbench::tools::{found, YOSYS};
use hdlkit::prelude::{Blank, Structure};
use hdlkit::verilog::{export, ExportOptions};
use std::path::Path;

/// The extent of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Proves the properties for all time, by temporal induction.
    Always,
    /// Proves the properties for this many cycles from power-up.
    Cycles(u32),
}

/// A module to prove properties of.
struct Design {
    name: &'static str,
    /// The file in `testbench/formal` with its properties, without extension.
    properties: &'static str,
    verilog: String,
    /// Modules inside with free outputs: the proof does not depend on them.
    cut: Vec<String>,
}

impl Design {
    fn new(name: &'static str, block: &dyn Structure) -> Self {
        let verilog = export(block, &ExportOptions::new(name)).unwrap();
        Design { name, properties: name, verilog, cut: vec![] }
    }

    /// A memory inside the module, as a separate design.
    fn memory(self, name: &'static str) -> Self {
        let mut parts = self.verilog.split("\nmodule ");
        let part = parts.find(|part| part.starts_with(&format!("{name} ")));
        let verilog = format!("module {}", part.expect("the memory's module"));
        Design { name, properties: "memory", verilog, ..self }
    }

    /// Like [`Design::new`], but all modules inside have free outputs, limited only by the properties' assumptions.
    fn alone(name: &'static str, block: &dyn Structure) -> Self {
        let whole = Design::new(name, block);
        let (mut verilog, mut cut) = (String::new(), vec![]);
        for (index, part) in whole.verilog.split("\nmodule ").enumerate() {
            let module = part.split_whitespace().next().unwrap_or_default();
            if index > 0 && module != name {
                let ports = part.find(");").expect("the end of the ports") + 2;
                verilog.push_str(&format!("\n(* blackbox *)\nmodule {}\nendmodule\n", &part[..ports]));
                cut.push(module.to_owned());
            } else if index > 0 {
                verilog.push_str(&format!("\nmodule {part}"));
            } else {
                verilog.push_str(part);
            }
        }
        Design { verilog, cut, ..whole }
    }

    fn properties(&self) -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../testbench/formal/{}.vh", self.properties));
        std::fs::read_to_string(path).unwrap()
    }

    /// Commands that connect the properties' wires to signals of parts: `wire [7:0] name; // part.signal`.
    fn inside(&self) -> String {
        let properties = self.properties();
        let named = properties.lines().filter_map(|line| {
            let (wire, signal) = line.trim().strip_prefix("wire ")?.split_once("; // ")?;
            let name = wire.rsplit(' ').next()?;
            Some(format!("connect -set \\{name} \\{signal}; "))
        });
        named.collect()
    }

    /// The module with its properties; with `broken`, all occurrences of the first text in it are replaced by the
    /// second.
    fn text(&self, broken: Option<(&str, &str)>) -> String {
        let properties = self.properties();
        let start = self.verilog.find(&format!("module {} ", self.name)).expect("the module");
        let end = start + self.verilog[start..].find("endmodule").expect("its end");
        let (before, module, after) = (&self.verilog[..start], &self.verilog[start..end], &self.verilog[end..]);
        let module = match broken {
            None => module.to_owned(),
            Some((from, to)) => {
                assert!(module.contains(from), "{} has no `{from}`:\n{module}", self.name);
                module.replace(from, to)
            }
        };
        format!("{before}{module}\n{properties}{after}")
    }

    /// Runs the proof; returns true if it succeeds, with yosys's output.
    fn prove(&self, reach: Reach, broken: Option<(&str, &str)>) -> (bool, String) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("design.v");
        std::fs::write(&file, self.text(broken)).unwrap();
        let (define, how) = match reach {
            Reach::Always => (String::new(), "-tempinduct -maxsteps 4".to_owned()),
            Reach::Cycles(cycles) => {
                ("-DBOUNDED ".to_owned(), format!("-seq 1 -tempinduct-baseonly -maxsteps {cycles}"))
            }
        };
        // Outputs that no property uses are removed, with their logic.
        let cut: String = self.cut.iter().map(|module| format!(" t:{module}")).collect();
        let (cut, cut_define) = if cut.is_empty() { (cut, "") } else { (format!("cutpoint{cut}; "), "-DCUT ") };
        let atomics = if self.verilog.contains("memory_locked_0") { "-DATOMICS " } else { "" };
        let inside = self.inside();
        let script = format!(
            "read_verilog -formal {define}{cut_define}{atomics}{}; hierarchy -check -top {top}; proc; {cut}flatten; {inside}memory -nordff; opt; \
             delete -port {top}/o:*; opt_clean -purge; \
             sat -verify -prove-asserts -set-assumes {how} {top}",
            file.display(),
            top = self.name
        );
        let output = YOSYS.command().args(["-p", &script]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.success(), said)
    }

    /// Proves the properties, and checks that the proof fails with each of the changes; in the quick tier, with the first
    /// two.
    fn check(&self, reach: Reach, broken: &[(&str, &str)]) {
        let (holds, said) = self.prove(reach, None);
        let tail = |said: &str| {
            said.lines().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("\n")
        };
        assert!(holds, "{}, {reach:?}:\n{}", self.name, tail(&said));
        let tried = if cfg!(feature = "soak") { broken.len() } else { 2 };
        for change in broken.iter().take(tried) {
            let (holds, said) = self.prove(reach, Some(*change));
            assert!(!holds, "{}, {reach:?}: still proven with {change:?}", self.name);
            // The proof must fail because of the property, not because yosys rejects the text.
            assert!(said.contains("proof did fail"), "{}, {change:?}:\n{}", self.name, tail(&said));
        }
    }
}

/// Number of cycles of the bounded proofs; FLEXGRIP_FORMAL_CYCLES overrides it.
fn cycles() -> Reach {
    let wanted = std::env::var("FLEXGRIP_FORMAL_CYCLES").ok();
    Reach::Cycles(wanted.map_or(6, |text| text.parse().expect("FLEXGRIP_FORMAL_CYCLES is a number")))
}

#[test]
fn wishbone_master_has_its_properties() {
    if !found(YOSYS) {
        return;
    }
    let bridge = WishboneMaster::<8>::new(Capability::V1_0);
    let alone = Design::alone("wishbone_master", &bridge);
    alone.check(
        Reach::Always,
        &[
            // More accesses than entries; an unstable STB; CYC that does not wait; a queue that skips an entry.
            ("(|left) && !due_q[6] && !discard_2", "(|left) && !discard_2"),
            ("(|left) && !due_q[6] && !discard_2", "(|left) && !due_q[6] && !discard_2 && wbm_dat_i[0]"),
            ("((|left) || !nothing_due) && !discard_2", "(|left) && !discard_2"),
            ("tail_d = tail_q + 6'd1", "tail_d = tail_q + 6'd2"),
            // A read of no words without a response; a response to each write; a response to each word of a read; none
            // to a word that is answered at once.
            ("(skipped && !wbm_we_o) || (read_answered", "(read_answered"),
            ("answered && awaited_2[5]", "answered"),
            ("(read_answered && awaited_2[6])", "read_answered"),
            ("nothing_due ? asked : awaited_read_data", "awaited_read_data"),
        ],
    );
    let design = Design::new("wishbone_master", &bridge);
    // A response after the bridge has reported that it is idle.
    design.check(cycles(), &[("!nothing_due || memory_response_valid || error", "!nothing_due || error")]);
    // CYC that falls in an atomic operation.
    let locked = Design::alone("wishbone_master", &WishboneMaster::<8>::new(Capability::V1_1));
    locked.check(Reach::Always, &[("|| memory_locked_0", "")]);
    design.memory("wishbone_master_awaited").check(Reach::Always, &[("memory[read_address]", "memory[write_address]")]);
}

#[test]
fn axi4_master_has_its_properties() {
    if !found(YOSYS) {
        return;
    }
    let changes = [
        // More writes than entries; a write alongside a read of its line; a read alongside a write to its line.
        ("active && write_q && writes_room", "active && write_q"),
        ("writes_room && !reads_in_flight", "writes_room"),
        ("reads_room && !writes_in_flight", "reads_room"),
        // A read without a response; a bridge that is idle before the last one.
        ("read_done || (skipped && !write_q)", "read_done"),
        ("|| memory_response_valid ||", "||"),
    ];
    Design::new("axi4_master", &Axi4Master::<8>::new(Capability::V1_0)).check(Reach::Always, &changes);
    // With atomic operations; LOCK that follows the memory's answers while AWVALID waits.
    let design = Design::new("axi4_master", &Axi4Master::<8>::new(Capability::V1_1));
    design.check(Reach::Always, &[("m_axi_awlock = exclusive", "m_axi_awlock = m_axi_bresp[0]")]);
}

#[test]
fn axi4_lite_slave_has_its_properties() {
    if !found(YOSYS) {
        return;
    }
    let design = Design::new("axi4_lite_slave", &Axi4LiteSlave::blank());
    design.check(
        Reach::Always,
        &[
            // Answers that do not wait; a second read before the answer to the first; VALID during a reset.
            ("if (s_axi_bready)", "if (1'b1)"),
            ("read_address_held_q && !read_answered_q", "read_address_held_q"),
            ("read_answered_q && !reset", "read_answered_q"),
        ],
    );
}

#[test]
fn port_arbiter_has_its_properties() {
    if !found(YOSYS) {
        return;
    }
    let arbiter = PortArbiter::<2>::default();
    let alone = Design::alone("port_arbiter", &arbiter);
    alone.check(
        Reach::Always,
        &[
            // A request withdrawn from the port; two at once; a queue that skips an entry.
            ("pool = waiting_q", "pool = requests"),
            ("pool & ~below", "pool"),
            ("owners_tail_q + 7'd1", "owners_tail_q + 7'd2"),
            // Responses also to an SM that has not made a request.
            ("memory_response_valid && owner[1]", "memory_response_valid"),
        ],
    );
    let design = Design::new("port_arbiter", &arbiter);
    // Responses to every SM that makes a request.
    design.check(cycles(), &[(".write_data(chosen)", ".write_data(requests)")]);
    design.memory("port_arbiter_owners").check(Reach::Always, &[("memory[read_address]", "memory[write_address]")]);
}

#[test]
fn global_memory_unit_has_its_properties() {
    if !found(YOSYS) {
        return;
    }
    let design = Design::alone("global_memory_unit", &GlobalMemoryUnit::<8>::default());
    design.check(
        Reach::Always,
        &[
            // More requests than entries; a beat that counts twice; a request that is replaced before it is accepted.
            ("!awaited_q[4] && !record_queue_q[17]", "!record_queue_q[17]"),
            ("beats_d[12:8] = now + 5'd1", "beats_d[12:8] = now + 5'd2"),
            ("!request[0] || ready", "1'b1"),
            // More records than entries; a record that is read twice.
            ("!awaited_q[4] && !record_queue_q[17]", "!awaited_q[4]"),
            ("records_2[11:6] + 6'd1", "records_2[11:6]"),
        ],
    );
}
