//! Short programs, assembled and run on the model with every instruction that it can execute.

#![allow(dead_code, reason = "each test file uses its part")]

use flexgrip_isa::{assemble, Program};
use flexgrip_machine::{Configuration, Entry, EntryKind, ErrorKind, KernelError, Launch, Retire, StackOperation};
use flexgrip_model::Machine;

/// Limit of warp instructions, more than any program here executes.
pub const LIMIT: u64 = 100_000;

/// A program and its launch.
#[derive(Clone)]
pub struct ProgramLaunch {
    pub program: Program,
    pub launch: Launch,
}

/// A launch of one block with `threads` threads.
#[track_caller]
pub fn kernel(threads: u32, text: &str) -> ProgramLaunch {
    let program = assemble(text, "test").unwrap_or_else(|errors| {
        let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\n{text}", lines.join("\n"))
    });
    let launch = Launch {
        program: program.words.clone(),
        block: [threads, 1, 1],
        registers: 16,
        ..Launch::default()
    };
    ProgramLaunch { program, launch }
}

/// The results of a run.
pub struct Run {
    pub kernel: ProgramLaunch,
    pub machine: Machine,
    pub records: Vec<Retire>,
    pub result: Result<(), KernelError>,
}

impl ProgramLaunch {
    pub fn machine(&self) -> Machine {
        Machine::new(self.launch.clone(), Configuration::default()).expect("a launch that fits")
    }

    /// The byte address of a label.
    #[track_caller]
    pub fn at(&self, label: &str) -> u32 {
        *self.program.labels.get(label).expect("a label of the program")
    }

    /// Runs to the end or to an error.
    pub fn run(self) -> Run {
        let mut machine = self.machine();
        let mut records = Vec::new();
        let result = machine.run_observed(LIMIT, |record| records.push(record.clone()));
        Run {
            kernel: self,
            machine,
            records,
            result: result.map(|_| ()),
        }
    }

    /// Runs to the end.
    #[track_caller]
    pub fn finish(self) -> Run {
        let run = self.run();
        if let Err(error) = run.result {
            panic!("{error}");
        }
        assert!(run.machine.ended());
        run
    }

    /// Runs to an error: its kind, and the label where it occurs.
    #[track_caller]
    pub fn fails_at(self, label: &str) -> (ErrorKind, Option<u32>) {
        let run = self.run();
        let error = run.result.expect_err("an error");
        assert_eq!(
            format!("{:x}", error.pc),
            format!("{:x}", run.kernel.at(label)),
            "{error}"
        );
        assert_eq!(error.address.is_some(), error.kind.has_address());
        (error.kind, error.address)
    }
}

impl Run {
    /// The labels that warps passed, in order, with the active mask there.
    pub fn passes(&self) -> Vec<(&str, u32)> {
        self.visits().map(|(label, record)| (label, record.active)).collect()
    }

    /// The labels that warps passed, in order, with the warp.
    pub fn warps(&self) -> Vec<(&str, u32)> {
        self.visits()
            .map(|(label, record)| (label, record.warp_in_block))
            .collect()
    }

    fn visits(&self) -> impl Iterator<Item = (&str, &Retire)> {
        self.records.iter().filter_map(|record| {
            let labels = &self.kernel.program.labels;
            let (label, _) = labels.iter().find(|(_, &at)| at == record.pc)?;
            Some((label.as_str(), record))
        })
    }

    /// The first record of the instruction at a label.
    #[track_caller]
    pub fn record(&self, label: &str) -> &Retire {
        let at = self.kernel.at(label);
        self.records.iter().find(|record| record.pc == at).expect("a record")
    }

    /// The final value of a register in the first warp, according to its writes.
    pub fn register(&self, index: u8) -> [u32; 32] {
        let mut values = [0; 32];
        for record in self.records.iter().filter(|record| record.warp_in_block == 0) {
            let writes = record.destination.iter().chain(&record.further);
            for write in writes.filter(|write| write.register == index) {
                for lane in (0..32).filter(|lane| record.executed >> lane & 1 == 1) {
                    values[lane] = write.values[lane];
                }
            }
        }
        values
    }

    /// All stack operations in order.
    pub fn stack(&self) -> Vec<StackOperation> {
        self.records.iter().flat_map(|record| record.stack.clone()).collect()
    }
}

/// One value per lane.
pub fn by_lane(value: impl Fn(u32) -> u32) -> [u32; 32] {
    std::array::from_fn(|lane| value(lane as u32))
}

pub fn push(kind: EntryKind, mask: u32, pc: u32) -> StackOperation {
    StackOperation::Push(Entry { kind, mask, pc })
}

pub fn pop(kind: EntryKind, mask: u32, pc: u32) -> StackOperation {
    StackOperation::Pop(Entry { kind, mask, pc })
}
