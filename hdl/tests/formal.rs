//! The proofs of `testbench/formal`, by yosys: each holds for the module as it is exported, and fails for copies that are
//! broken on purpose.

use flexgrip_hdl::bus::axi4_lite_slave::Axi4LiteSlave;
use flexgrip_hdl::bus::axi4_master::Axi4Master;
use flexgrip_hdl::bus::wishbone_master::WishboneMaster;
use flexgrip_hdl::memory::global::GlobalMemoryUnit;
use flexgrip_hdl::memory::port_arbiter::PortArbiter;
use hdlkit::prelude::{Blank, Block};
use hdlkit::verilog::{export, ExportOptions};
use std::path::Path;
use std::process::Command;

/// Whether yosys is there; the tests say "skipped" without it, or fail where tools are required.
fn yosys() -> bool {
    let found = Command::new("yosys").arg("-V").output().is_ok();
    if !found {
        assert!(
            std::env::var_os("FLEXGRIP_REQUIRE_TOOLS").is_none(),
            "yosys is not installed; `make tools` installs it"
        );
        println!("skipped: yosys is not installed");
    }
    found
}

/// How far a proof goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// All time, by temporal induction.
    Always,
    /// So many cycles from power-up.
    Cycles(u32),
}

/// A module with its properties in it.
struct Design {
    name: &'static str,
    verilog: String,
}

impl Design {
    fn new(name: &'static str, block: &dyn Block) -> Self {
        let verilog = export(block, &ExportOptions::new(name)).unwrap();
        Design { name, verilog }
    }

    /// The module with its properties, and with a part of its text replaced in all of its places.
    fn text(&self, broken: Option<(&str, &str)>) -> String {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../testbench/formal/{}.vh", self.name));
        let properties = std::fs::read_to_string(path).unwrap();
        let start = self
            .verilog
            .find(&format!("module {} ", self.name))
            .expect("the module");
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

    /// Whether the proof succeeds, and what yosys says.
    fn prove(&self, reach: Reach, broken: Option<(&str, &str)>) -> (bool, String) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("design.v");
        std::fs::write(&file, self.text(broken)).unwrap();
        let (define, how) = match reach {
            Reach::Always => (String::new(), "-tempinduct -maxsteps 4".to_owned()),
            Reach::Cycles(cycles) => (
                "-DBOUNDED ".to_owned(),
                format!("-seq 1 -tempinduct-baseonly -maxsteps {cycles}"),
            ),
        };
        // Outputs that no property looks at, and what only they need, go.
        let script = format!(
            "read_verilog -formal {define}{}; hierarchy -check -top {top}; proc; flatten; memory -nordff; opt; \
             delete -port {top}/o:*; opt_clean -purge; \
             sat -verify -prove-asserts -set-assumes {how} {top}",
            file.display(),
            top = self.name
        );
        let output = Command::new("yosys").args(["-p", &script]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.success(), said)
    }

    /// Proves it, and that it fails with each of the changes.
    fn check(&self, reach: Reach, broken: &[(&str, &str)]) {
        let (holds, said) = self.prove(reach, None);
        let tail = |said: &str| {
            said.lines()
                .rev()
                .take(60)
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert!(holds, "{}, {reach:?}:\n{}", self.name, tail(&said));
        for change in broken {
            let (holds, said) = self.prove(reach, Some(*change));
            assert!(!holds, "{}, {reach:?}: still proven with {change:?}", self.name);
            // It fails for the right reason, not because yosys does not take the text.
            assert!(
                said.contains("proof did fail"),
                "{}, {change:?}:\n{}",
                self.name,
                tail(&said)
            );
        }
    }
}

#[test]
fn wishbone_master() {
    if !yosys() {
        return;
    }
    let design = Design::new("wishbone_master", &WishboneMaster::<8>::new());
    design.check(Reach::Always, &[]);
    design.check(Reach::Cycles(12), &[]);
}

#[test]
fn axi4_master() {
    if !yosys() {
        return;
    }
    let design = Design::new("axi4_master", &Axi4Master::<8>::new());
    design.check(Reach::Always, &[]);
    design.check(Reach::Cycles(10), &[]);
}

#[test]
fn axi4_lite_slave() {
    if !yosys() {
        return;
    }
    let design = Design::new("axi4_lite_slave", &Axi4LiteSlave::blank());
    design.check(Reach::Always, &[]);
}

#[test]
fn port_arbiter() {
    if !yosys() {
        return;
    }
    let design = Design::new("port_arbiter", &PortArbiter::<2>::new());
    design.check(Reach::Always, &[]);
    design.check(Reach::Cycles(12), &[]);
}

#[test]
fn global_memory_unit() {
    if !yosys() {
        return;
    }
    let design = Design::new("global_memory_unit", &GlobalMemoryUnit::<8>::new());
    design.check(Reach::Always, &[]);
}

/// For working on the proofs: writes the modules as they are exported to FLEXGRIP_FORMAL_FOLDER, if it is set.
#[test]
fn write_modules() {
    let Some(folder) = std::env::var_os("FLEXGRIP_FORMAL_FOLDER") else {
        return;
    };
    for design in [
        Design::new("wishbone_master", &WishboneMaster::<8>::new()),
        Design::new("axi4_master", &Axi4Master::<8>::new()),
        Design::new("axi4_lite_slave", &Axi4LiteSlave::blank()),
        Design::new("port_arbiter", &PortArbiter::<2>::new()),
        Design::new("global_memory_unit", &GlobalMemoryUnit::<8>::new()),
    ] {
        let path = Path::new(&folder).join(format!("{}.v", design.name));
        std::fs::write(path, &design.verilog).unwrap();
    }
}
