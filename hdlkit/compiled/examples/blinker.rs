//! A blinker: the smallest circuit with a register, used with all features of hdlkit.
//!
//! ```sh
//! cargo run -p hdlkit-compiled --example blinker
//! ```
//!
//! It is simulated natively, drawn as a waveform, run as machine code, linted and exported as Verilog; the Verilog then
//! runs in Icarus Verilog and is compared cycle by cycle. That last step needs `iverilog`.

use hdlkit::lint::lint;
use hdlkit::prelude::*;
use hdlkit::verilog::{export, ExportOptions};
use hdlkit::waves::{Wave, WaveOptions};
use hdlkit_compiled::cosim::{cosim, Rng};
use hdlkit_compiled::{port_places, Code, MachineCode};
use std::error::Error;
use std::sync::Arc;

/// Turns its light on and off.
///
/// `#[circuit]` makes the struct a circuit: hdlkit can simulate it cycle by cycle, its `Default` has only zeros, and
/// `clock` is connected to its registers. Public fields are the ports.
#[circuit]
pub struct Blinker {
    pub clock: Signal<In, Clock>,
    /// The light blinks only while this is high; otherwise it holds its value.
    pub enable: Signal<In, Bit>,
    pub light: Signal<Out, Bit>,
    /// The number of cycles between two changes of the light, minus one. A `Constant` is known when the circuit is
    /// built; in Verilog it is a localparam.
    last: Constant<Bits<8>>,
    count: DFF<Bits<8>>,
    is_lit: DFF<Bit>,
}

impl Blinker {
    /// A blinker whose light changes every `cycles` cycles.
    pub fn new(cycles: u64) -> Self {
        Blinker {
            last: Constant::new(Bits::from(cycles - 1)),
            ..Default::default()
        }
    }
}

impl Logic for Blinker {
    // The kernel. `hdl_gen` records its syntax for Verilog and machine code. Native simulation runs it as ordinary
    // Rust. Only a subset of Rust is allowed.
    #[hdl_gen]
    fn update(&mut self) {
        // A register holds its value unless its `d` is assigned.
        comment!("Counts up to the last cycle, then inverts the light and starts again");
        let is_last = self.count.q.val() == self.last.val();
        if self.enable.val() {
            self.count.d.next = if is_last { Bits::ZERO } else { self.count.q.val() + 1 };
            self.is_lit.d.next = self.is_lit.q.val() ^ is_last;
        }
        self.light.next = self.is_lit.q.val();
    }
}

/// Runs the cycle engine. Returns the light in the first `cycles` cycles, one letter per cycle, and the VCD file.
fn simulated(cycles: u64) -> Result<(String, Vec<u8>), Box<dyn Error>> {
    let mut engine = CycleEngine::new(Box::new(Blinker::new(3)));
    let mut wave = Wave::new(vec![], &*engine.block, WaveOptions::default())?;
    let mut seen = String::new();
    for cycle in 0..cycles {
        // One cycle: set the inputs, settle, read the outputs, tick.
        engine.block.enable.next = true;
        engine.settle();
        seen.push(if engine.block.light.val() { '#' } else { '.' });
        wave.sample(cycle, &*engine.block)?;
        engine.tick();
    }
    Ok((seen, wave.finish()?))
}

/// Runs the blinker as machine code, compiled in this process. Its ports are words, found by name.
fn run_as_machine_code(cycles: u64) -> Result<String, Box<dyn Error>> {
    let mut blinker = Blinker::new(3);
    blinker.settle();
    let places = port_places(&blinker);
    let (enable, light) = (places.place("enable"), places.place("light"));
    let mut machine = MachineCode::new(&blinker, Arc::new(Code::compile(&blinker)?));
    let mut seen = String::new();
    for _ in 0..cycles {
        machine.ports_mut()[enable] = 1;
        machine.settle();
        seen.push(if machine.ports()[light] != 0 { '#' } else { '.' });
        machine.tick();
    }
    Ok(seen)
}

/// Runs all steps. The error is the first unexpected result.
pub fn main() -> Result<(), Box<dyn Error>> {
    let (seen, wave) = simulated(12)?;
    println!("light          {seen}");
    assert_eq!(seen, "...###...###");
    println!(
        "waveform       {} bytes of VCD; to a file: Wave::new(File::create(..)?, ..)",
        wave.len()
    );

    assert_eq!(run_as_machine_code(12)?, seen);
    println!("machine code   {seen}");

    // A lint finding would run differently in Verilog, or not at all.
    let findings = lint(&Blinker::new(3));
    assert!(findings.is_empty(), "{findings:?}");
    println!("lint           nothing found");

    let verilog = export(&Blinker::new(3), &ExportOptions::new("blinker"))?;
    println!("\n{verilog}");

    // Compares native simulation with Verilog under a random stimulus with a fixed seed, every output in every cycle.
    let report = cosim(
        || Box::new(Blinker::new(3)),
        1000,
        1,
        |blinker, random, _cycle| blinker.enable.next = random.gen(),
    )?;
    println!(
        "co-simulated   {} cycles in Icarus Verilog, equal in all of them",
        report.cycles
    );
    Ok(())
}
