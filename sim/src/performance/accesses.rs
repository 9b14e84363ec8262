//! Reports how the accesses of a kernel to global and local memory coalesce, by instruction: into requests of this
//! machine, and into transactions of the GPUs of compute capability 1.0 to 1.3. `docs/performance.md` explains the
//! table.

use flexgrip_engines::engine::{Coalescing, Options};
use flexgrip_engines::files::program::SourceLines;
use flexgrip_isa::decode_at;
use flexgrip_machine::{Capability, Retire};
use flexgrip_trace::coalescing::{requests, transactions, Access, Gpu, Port};
use hdlkit::output::grouped;
use serde::Serialize;
use std::collections::BTreeMap;

/// Transfers between a GPU and its memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Transfers {
    /// The number of transfers.
    pub transactions: u64,
    /// The bytes of these transactions.
    pub bytes: u64,
}

impl Transfers {
    fn add(&mut self, transactions: u64, bytes: u64) {
        self.transactions += transactions;
        self.bytes += bytes;
    }
}

/// The accesses of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct InstructionAccesses {
    /// Byte address of the instruction; `null` for the sum of all instructions.
    pub pc: Option<u32>,
    /// The instruction as assembly text.
    pub instruction: String,
    /// File and line of the source, if known.
    pub place: Option<String>,
    /// The number of times that a warp executed it and accessed memory.
    pub warps: u64,
    /// Accesses of threads.
    pub threads: u64,
    /// The bytes that the threads accessed. Bytes that several threads accessed count several times.
    pub bytes: u64,
    /// Requests of this machine, each of LANES words.
    pub machine: Transfers,
    /// Transactions by the rule of compute capability 1.0 and 1.1.
    pub g80: Transfers,
    /// Transactions by the rule of compute capability 1.2 and 1.3.
    pub gt200: Transfers,
}

/// Collects the accesses of a run.
#[derive(Clone, Debug)]
pub struct Accesses {
    port: Port,
    capability: Capability,
    by_pc: BTreeMap<u32, InstructionAccesses>,
    /// Kept to reuse its memory.
    of_record: Vec<Access>,
}

impl Accesses {
    /// Begins a run with these options.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Accesses {
            port: Port {
                lanes: options.configuration.lanes.count(),
                strict: options.coalescing == Coalescing::G80,
            },
            capability: options.configuration.capability,
            by_pc: BTreeMap::new(),
            of_record: Vec::new(),
        }
    }

    /// Adds the accesses of a warp instruction.
    pub fn record(&mut self, record: &Retire) {
        self.of_record.clear();
        self.of_record.extend(Access::of(record));
        if self.of_record.is_empty() {
            return;
        }
        let of = self.by_pc.entry(record.pc).or_insert_with(|| InstructionAccesses {
            pc: Some(record.pc),
            instruction: match decode_at(record.word, self.capability) {
                Ok(instruction) => instruction.to_string(),
                Err(_) => format!("{:#018x}", record.word),
            },
            ..InstructionAccesses::default()
        });
        of.warps += 1;
        of.threads += self.of_record.len() as u64;
        of.bytes += self.of_record.iter().map(|access| u64::from(access.bytes)).sum::<u64>();
        let count = requests(&self.of_record, self.port).iter().sum::<u32>().into();
        of.machine.add(count, count * u64::from(4 * self.port.lanes));
        for (gpu, transfers) in [(Gpu::G80, &mut of.g80), (Gpu::Gt200, &mut of.gt200)] {
            let all = transactions(&self.of_record, gpu);
            transfers.add(all.len() as u64, all.iter().map(|one| one.bytes).sum());
        }
    }

    /// The instructions that accessed memory, in the order of their addresses, and at the end their sum.
    #[must_use]
    pub fn finish(self, source: Option<&SourceLines>) -> Vec<InstructionAccesses> {
        let mut all: Vec<InstructionAccesses> = self.by_pc.into_values().collect();
        let mut sum = InstructionAccesses {
            instruction: "all".into(),
            ..InstructionAccesses::default()
        };
        for one in &mut all {
            one.place = one.pc.and_then(|pc| source?.place(pc));
            sum.warps += one.warps;
            sum.threads += one.threads;
            sum.bytes += one.bytes;
            for (sum, of) in [
                (&mut sum.machine, one.machine),
                (&mut sum.g80, one.g80),
                (&mut sum.gt200, one.gt200),
            ] {
                sum.add(of.transactions, of.bytes);
            }
        }
        all.push(sum);
        all
    }
}

/// A table with a row for each instruction. `used` is the part of the transferred bytes that threads accessed.
#[must_use]
pub fn table(all: &[InstructionAccesses]) -> String {
    let mut text = format!(
        "\n{:<33} {:>19} {:>19} {:>19}\n{:>6} {:>12} {:>13}",
        "accesses to global, local memory",
        "this machine",
        "1.0, 1.1 (G80)",
        "1.2, 1.3 (GT200)",
        "PC",
        "warps",
        "bytes"
    );
    for what in ["requests", "transactions", "transactions"] {
        text += &format!(" {what:>12} {:>6}", "used");
    }
    text += "  instruction\n";
    for one in all {
        let pc = one.pc.map_or(String::new(), |pc| format!("{pc:#06x}"));
        text += &format!("{pc:>6} {:>12} {:>13}", grouped(one.warps), grouped(one.bytes));
        for of in [one.machine, one.g80, one.gt200] {
            let used = match of.bytes {
                0 => String::new(),
                bytes => format!("{:.0} %", one.bytes as f64 * 100.0 / bytes as f64),
            };
            text += &format!(" {:>12} {used:>6}", grouped(of.transactions));
        }
        let place = one.place.as_ref().map_or(String::new(), |place| format!("  {place}"));
        text += &format!("  {}{place}\n", one.instruction);
    }
    text + "\n"
}
