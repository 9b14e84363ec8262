//! The table of absolute cycles in `docs/pipeline.md`: for each kind of instruction, the cycles in which it passes the
//! stages, from the fetch of its word to the release of its result, measured in the waves of a run of one warp at 8
//! lanes. Machines of 1.0 and of the latest capability must agree in the instructions that both have.

use super::pipeline_bars::Files;
use crate::common::{configuration, launch, root, Folder};
use flexgrip_isa::{assemble_at, Capability};
use flexgrip_machine::{Configuration, Launch, Retire};
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::timeline::file::TimelineFile;
use flexgrip_sim::trace::ending::Ending;
use flexgrip_sim::waves::file::WaveFile;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

/// A kind of instruction: its name, the instructions before it that produce its operands or the situation, and an
/// instruction of this kind.
type InstructionKind = (&'static str, &'static [&'static str], &'static str);

/// The kinds of 1.0; the last one ends the program.
const KINDS: [InstructionKind; 14] = [
    ("integer", &[], "IADD R1, R0, R0"),
    (
        "integer after a float, on the long path",
        &["FADD R1, R0, R0"],
        "IADD R2, R0, R0",
    ),
    ("float", &[], "FMAD R1, R0, R0, R0"),
    ("special function", &[], "RCP R1, R0"),
    (
        "load of 32 bits, coalesced",
        &["SHL R1, R0, 2"],
        "GLD.U32 R1, global14[R1]",
    ),
    (
        "load of 128 bits, coalesced",
        &["SHL R4, R0, 4"],
        "GLD.S128 R4, global14[R4]",
    ),
    (
        "store of 32 bits, coalesced",
        &["SHL R1, R0, 2"],
        "GST.U32 global14[R1], R0",
    ),
    (
        "operand in shared memory, the same for all threads",
        &[],
        "IADD R1, g[0x10], R0",
    ),
    (
        "operand in shared memory, per thread",
        &["R2A A1, R0, 2"],
        "IADD R1, g[A1+0x10], R0",
    ),
    ("store to shared memory", &[], "R2G.U32.U32 g[0x20], R0"),
    ("condition code", &[], "ISET.C0 R1, R0, R0, LT"),
    ("branch, taken", &[], "BRA next"),
    ("barrier that opens at once", &[], "BAR.ARV.WAIT b0, 0xfff"),
    ("return", &[], "RET"),
];

/// The kinds of later capabilities.
const LATER: [InstructionKind; 2] = [
    ("warp vote (1.2)", &["ISET.C0 R1, R0, R0, LT"], "VOTE.ANY C1, C0.NE"),
    ("double precision (1.3)", &[], "DADD R2, R4, R6"),
];

/// Completes all work of a kind before the next kind, which is fetched anew after a taken branch.
const DRAIN: [&str; 4] = ["RCP R9, R9", "RCP R9, R9", "IADD R9, R9, R9", "BRA next"];

/// The signals in the waves of a run. Names are relative to `top.sm[0]`.
struct Waves {
    /// For each signal, its values with the cycles from which they hold.
    changes: BTreeMap<String, Vec<(u64, u64)>>,
    last: u64,
}

/// The time units of a cycle.
const CYCLE: u64 = 10;

impl Waves {
    fn read(path: &Path) -> Self {
        let mut waves = wellen::simple::read(path).unwrap();
        let hierarchy = waves.hierarchy();
        let names: Vec<_> = hierarchy
            .iter_vars()
            .map(|variable| (variable.full_name(hierarchy), variable.signal_ref()))
            .collect();
        let signals: Vec<_> = names.iter().map(|(_, signal)| *signal).collect();
        waves.load_signals(&signals);
        let times = waves.time_table().to_vec();
        let value = |bits: String| u64::from_str_radix(&bits, 2).unwrap_or(0);
        let changes = names.into_iter().map(|(name, signal)| {
            let found = waves.get_signal(signal).unwrap();
            let changes = found
                .iter_changes()
                .map(|(at, bits)| (times[at as usize] / CYCLE, value(bits.to_string())));
            (name, changes.collect())
        });
        Waves {
            changes: changes.collect(),
            last: times.last().unwrap() / CYCLE,
        }
    }

    /// The value of a signal in a cycle; the last one if it has several.
    fn value(&self, name: &str, cycle: u64) -> u64 {
        let name = format!("top.sm[0].{name}");
        let changes = self.changes.get(&name).unwrap_or_else(|| panic!("no signal {name}"));
        let next = changes.partition_point(|(at, _)| *at <= cycle);
        next.checked_sub(1).map_or(0, |index| changes[index].1)
    }

    /// The cycles in which all of these signals have these values.
    fn cycles(&self, wanted: &[(&str, u64)]) -> Vec<u64> {
        let all = |cycle: &u64| wanted.iter().all(|(name, value)| self.value(name, *cycle) == *value);
        (1..=self.last).filter(all).collect()
    }
}

/// The table row of the instruction that issues in this cycle. Its word is the last one fetched before it.
fn row(waves: &Waves, name: &str, pc: u32, issue: u64) -> String {
    let fetched = waves.cycles(&[
        ("fetch.instruction.enable", 1),
        ("fetch.instruction.address", u64::from(pc / 8)),
    ]);
    // The request to memory is made in f1.
    let fetch = fetched.iter().filter(|cycle| **cycle < issue).max().expect(name) - 1;
    let tag = waves.value("trace.issue_tag", issue);
    let of = |event: &str| {
        waves.cycles(&[
            (&format!("trace.{event}_valid"), 1),
            (&format!("trace.{event}_tag"), tag),
        ])
    };
    let span = |cycles: &[u64]| match cycles {
        [] => String::new(),
        [one] => (one - fetch).to_string(),
        [first, .., last] => format!("{} to {}", first - fetch, last - fetch),
    };
    let written = of("write");
    let releases = |cycle: &u64| waves.value("writeback.w_release.valid", *cycle) == 1;
    let released: Vec<u64> = written.iter().copied().filter(releases).collect();
    let executed = waves.cycles(&[("execute.x.beat.write.valid", 1), ("execute.x.beat.write.tag", tag)]);
    let stages = [
        of("issue"),
        of("mask"),
        executed,
        of("memory"),
        written,
        released,
        of("next"),
    ];
    let stages = stages.map(|cycles| span(&cycles));
    format!("| {name} | {} |\n", stages.join(" | "))
}

/// The rows of the table for these kinds, on a machine of a capability.
fn rows(kinds: &[InstructionKind], capability: Capability) -> Vec<String> {
    let mut program = String::new();
    let mut places = vec![];
    let mut count = 0;
    for (number, (_, before, line)) in kinds.iter().enumerate() {
        let here = before.iter().chain([line]).chain(&DRAIN);
        let lines: Vec<String> = here
            .map(|line| line.replace("next", &format!("next_{number}")))
            .collect();
        program += &format!("{}\nNOP\nNOP\nnext_{number}: ", lines.join("\n"));
        places.push(count + before.len());
        // A taken branch skips the instructions after it.
        count += before.len() + if *line == "BRA next" { 1 } else { 1 + DRAIN.len() };
    }
    program += "NOP\n";
    let folder = Folder::sass("RET\n");
    let file = folder.path().join("t.vcd");
    let mut wave = WaveFile::new(&file).unwrap();
    wave.scopes = ["trace", "fetch", "writeback.w_release", "execute.x"]
        .map(|scope| format!("top.sm[0].{scope}"))
        .into();
    let options = Options {
        configuration: Configuration {
            capability,
            ..configuration(8, 1 << 20)
        },
        wave: Some(wave),
        ..crate::common::options(8)
    };
    let mut records = vec![];
    let mut observer = |record: &Retire| {
        records.push((record.pc, record.issue_cycle.unwrap()));
        ControlFlow::Continue(())
    };
    let program = assemble_at(&program, "table", capability).unwrap_or_else(|errors| panic!("{errors:?}"));
    let launch = Launch {
        program: program.words,
        capability,
        shared_bytes: 256,
        ..launch("RET", 1, 32, vec![0; 256])
    };
    let report = RtlEngine.run(&launch, &options, Some(&mut observer)).unwrap();
    assert_eq!(report.ending, Ending::Complete);
    records.sort_by_key(|(_, issue)| *issue);

    let waves = Waves::read(&file);
    let places = kinds.iter().zip(places);
    places
        .map(|((name, ..), place)| row(&waves, name, records[place].0, records[place].1))
        .collect()
}

#[test]
fn cycle_table_matches_the_waves() {
    let first = rows(&KINDS, Capability::V1_0);
    let latest = rows(&[&LATER[..], &KINDS].concat(), Capability::LATEST);
    let (later, same) = latest.split_at(LATER.len());
    assert_eq!(first, same, "the machine of 1.0, and the latest one");
    let table = format!(
        "| instruction | issue (s4) | mask (r0) | lanes (x1) | memory unit | write (w) | release | next PC |\n\
         |---|---|---|---|---|---|---|---|\n{}{}",
        first.concat(),
        later.concat()
    );
    let mut files = Files::default();
    files.part("docs/pipeline.md", "the table of cycles", &table);
    assert!(
        files.differ.is_empty(),
        "the table in docs/pipeline.md differs; if the change is intended: cargo xtask update baselines\n{table}"
    );
}

/// Draws the picture at the top of the README: `vectoradd` in the pipeline with 8 lanes.
#[test]
fn pipeline_picture_is_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipeline.svg");
    let options = Options {
        configuration: configuration(8, 1 << 20),
        timeline: Some(TimelineFile {
            title: "vectoradd".into(),
            ..TimelineFile::new(&path).unwrap()
        }),
        ..Options::default()
    };
    let kernel = Kernel::load(&root().join("kernels/vectoradd")).unwrap();
    RtlEngine.run(&kernel.launch, &options, None).unwrap();
    let mut files = Files::default();
    files.file("docs/pipeline.svg", &std::fs::read_to_string(&path).unwrap());
    assert!(
        files.differ.is_empty(),
        "docs/pipeline.svg differs; if the change is intended: cargo xtask update baselines"
    );
}
