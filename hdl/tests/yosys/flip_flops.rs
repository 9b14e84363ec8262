//! Every flip-flop of the exported circuits is a named register of the compiled machine: for each module of the
//! Verilog, yosys's count equals the bits of registers in the machine code's state. A debugger cannot read a flip-flop
//! without a register, and a fault campaign cannot flip it.

use flexgrip_hdl::big_stack::on_big_stack;
use flexgrip_hdl::board::gpgpu_board::BoardSizes;
use flexgrip_hdl::tops::Top;
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_testbench::tools::{found, YOSYS};
use hdlkit::verilog::{export, ExportOptions};
use hdlkit_compiled::Code;
use std::collections::BTreeMap;

/// The parts of each module of the Verilog: the names and the modules of their instances.
fn parts(verilog: &str) -> BTreeMap<&str, BTreeMap<&str, &str>> {
    let mut modules = BTreeMap::<&str, BTreeMap<&str, &str>>::new();
    let mut module = "";
    for line in verilog.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["module", name, "("] => {
                module = name;
                modules.entry(module).or_default();
            }
            [of, instance, "("] if line.starts_with("    ") => {
                modules.entry(module).or_default().insert(instance, of);
            }
            _ => {}
        }
    }
    modules
}

/// Bits of flip-flops in one instance of each module, as yosys counts them, without a memory's words and outputs.
fn counted(verilog: &str, top: &str) -> BTreeMap<String, u64> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("top.v"), verilog).expect("the Verilog");
    let script = format!(
        "read_verilog -DSYNTHESIS top.v; hierarchy -top {top}; proc -norom -noopt; simplemap t:$dff t:$adff t:$dffe t:$sdff; tee -o count.txt stat"
    );
    let output = YOSYS.command().args(["-q", "-p", &script]).current_dir(folder.path()).output().expect("yosys");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(folder.path().join("count.txt")).expect("yosys's count");
    let mut found = BTreeMap::new();
    let (mut module, mut bits) = (String::new(), 0);
    for line in text.lines().chain(["=== end ==="]) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["===", name, ..] => {
                found.insert(std::mem::take(&mut module), bits);
                (module, bits) = (name.to_string(), 0);
            }
            [cell, count] if cell.starts_with("$_DFF") => bits += count.parse::<u64>().expect(line),
            _ => {}
        }
    }
    let is_memory = |text: &&str| text.lines().any(|line| line.contains("reg ") && line.contains(" [0:"));
    for memory in verilog.split("\nmodule ").filter(is_memory) {
        found.remove(memory.split_whitespace().next().unwrap_or_default());
    }
    found
}

/// Bits of registers in the state of the machine code, in all instances of each module.
fn compiled(code: &Code, top: &str, parts: &BTreeMap<&str, BTreeMap<&str, &str>>) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    for register in code.flip_flops() {
        let mut module = top;
        for name in register.name.split('.').skip(1) {
            // `lane[3]` is `lane_3` in Verilog.
            let instance = name.replace('[', "_").replace(']', "");
            let part = |name: &str| parts.get(module)?.get(name).copied();
            match part(&instance).or_else(|| part(&format!("{instance}_"))) {
                Some(part) => module = part,
                None => break,
            }
        }
        *found.entry(module.to_string()).or_default() += u64::from(register.width);
    }
    found
}

/// Together, these tops contain all modules.
const TOPS: [Top; 5] = [Top::Board, Top::LaneBoard, Top::WishboneMaster, Top::Axi4Master, Top::Axi4LiteSlave];

#[test]
fn flip_flops_are_registers_of_the_compiled_machine() {
    if !found(YOSYS) {
        return;
    }
    for top in TOPS {
        let (verilog, code) = on_big_stack(|| {
            let circuit = top.circuit(Lanes::Eight, Sms::One, BoardSizes::SMALL);
            let verilog = export(&*circuit, &ExportOptions::new(top.name())).expect("the Verilog");
            (verilog, Code::compile(&*circuit).expect("the machine code"))
        })
        .expect("both");
        let parts = parts(&verilog);
        let mut instances = BTreeMap::<&str, u64>::new();
        let mut open = vec![top.name()];
        while let Some(module) = open.pop() {
            *instances.entry(module).or_default() += 1;
            open.extend(parts[module].values());
        }
        let mut wanted = counted(&verilog, top.name());
        for (module, bits) in &mut wanted {
            *bits *= instances.get(&module[..]).copied().unwrap_or(0);
        }
        wanted.retain(|_, bits| *bits > 0);
        let found = compiled(&code, top.name(), &parts);
        assert_eq!(found, wanted, "bits of flip-flops of {}", top.name());
    }
}
