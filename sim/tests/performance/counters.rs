//! Tests the counters defined in `docs/counters.md`: the issue account is complete on every kernel, and each counter
//! follows its definition.

use crate::common::{configuration, flexgrip, kernels_below, on_all_cores, root, Folder};
use flexgrip_isa::Operation;
use flexgrip_machine::host_map::SmCounter as C;
use flexgrip_machine::{Configuration, Retire};
use flexgrip_sim::engines::engine::{Coalescing, Engine, Options};
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::outcome::counters::{total, SmCounters};
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::performance::accesses::Accesses;
use flexgrip_sim::trace::ending::Ending;
use std::ops::ControlFlow;
use std::path::PathBuf;

fn run(kernel: &Kernel, lanes: u32, sms: u32, memory_latency: u32) -> RunReport {
    run_coalescing(kernel, lanes, sms, memory_latency, Coalescing::Segment)
}

/// Runs a kernel. The account must cover every cycle, and the records' accesses must be the requests that were counted.
fn run_coalescing(kernel: &Kernel, lanes: u32, sms: u32, memory_latency: u32, coalescing: Coalescing) -> RunReport {
    let options = Options {
        configuration: Configuration {
            sms,
            ..configuration(lanes, 1 << 20)
        },
        max_cycles: 1_000_000,
        memory_latency,
        coalescing,
        ..Options::default()
    };
    let mut accesses = Accesses::new(&options);
    let mut observer = |record: &Retire| {
        accesses.record(record);
        ControlFlow::Continue(())
    };
    let report = RtlEngine.run(&kernel.launch, &options, Some(&mut observer)).unwrap();
    if report.ending == Ending::Complete {
        let all = accesses.finish(None);
        assert_eq!(
            all.last().map(|all| all.machine.transactions),
            Some(total(&report.counters, C::MemoryTransactions)),
            "{}, {lanes} lanes, {sms} SMs, {coalescing:?}",
            kernel.launch.name
        );
    }
    for counters in &report.counters {
        assert_eq!(
            Some(counters.account().iter().sum::<u64>()),
            report.cycles,
            "{}, {lanes} lanes, {sms} SMs: the account does not cover every cycle: {counters:?}",
            kernel.launch.name
        );
    }
    report
}

/// The counters of a program of one block.
fn program(text: &str, threads: u32, lanes: u32) -> SmCounters {
    let launch =
        format!("name = \"t\"\nprogram = \"kernel.sass\"\nregisters = 16\ngrid = [1, 1]\nblock = [{threads}, 1, 1]\n");
    let kernel = Folder::new(&[("launch.toml", &launch), ("kernel.sass", text)]).kernel();
    let report = run(&kernel, lanes, 1, 20);
    assert_eq!(report.ending, Ending::Complete);
    report.counters[0]
}

/// True if a kernel has stores of 64 or 128 bits, which occupy the read stage once for each register.
fn stores_wide(kernel: &Kernel) -> bool {
    flexgrip_isa::instructions(&kernel.launch.program).any(|listed| {
        listed
            .instruction
            .is_ok_and(|instruction| match instruction.operation() {
                Operation::Gst { access, .. } | Operation::Lst { access } => access.bytes() > 4,
                _ => false,
            })
    })
}

#[test]
fn account_is_complete_on_every_kernel() {
    let kernels = kernels_below(&root().join("kernels"));
    assert!(kernels.len() >= 7, "only {} kernels", kernels.len());
    let kernels: Vec<(usize, PathBuf)> = kernels.into_iter().enumerate().collect();
    on_all_cores(&kernels, |(index, path)| {
        let kernel = Kernel::load(path).unwrap();
        let model = ModelEngine.run(&kernel.launch, &Options::default(), None).unwrap();
        assert!(model.counters.is_empty());
        let others = [(16, 1), (32, 1), (8, 2), (32, 4)];
        // In `make test`, only every second kernel runs on the other sizes, on one of them.
        let is_in_tier = |turn: &usize| cfg!(feature = "soak") || *turn == index % (2 * others.len());
        let others = (0..others.len()).filter(is_in_tier).map(|turn| others[turn]);
        for (lanes, sms) in std::iter::once((8, 1)).chain(others) {
            let coalescing = [Coalescing::Segment, Coalescing::G80][(index + sms as usize) % 2];
            let report = run_coalescing(&kernel, lanes, sms, 20, coalescing);
            assert_eq!(
                report.warp_instructions, model.warp_instructions,
                "{}",
                kernel.launch.name
            );
            assert_eq!(
                report.thread_instructions, model.thread_instructions,
                "{}",
                kernel.launch.name
            );
            assert_eq!(
                report.divergent_branches, model.divergent_branches,
                "{}",
                kernel.launch.name
            );
            if lanes == 32 && !stores_wide(&kernel) {
                assert!(report.counters.iter().all(|counters| counters.get(C::ReadSlot) == 0));
            }
        }
    });
}

#[test]
fn error_leaves_a_complete_account() {
    for text in [
        "MVI R1, 2; GLD.U32 R2, global14[R1]; RET",
        "TRAP",
        "BAR.WAIT b0, 0xfff; RET",
    ] {
        let report = run(&Folder::sass(text).kernel(), 8, 1, 20);
        assert!(
            matches!(report.ending, Ending::Failed(_)),
            "{text}: {:?}",
            report.ending
        );
    }
}

#[test]
fn independent_instructions_keep_the_read_stage_busy() {
    let text: String = (0..64).map(|i| format!("MVI R{}, {i}\n", 1 + i % 8)).collect();
    let counters = program(&format!("{text}RET\n"), 32, 8);
    assert_eq!(counters.get(C::Issued), 65);
    // Four beats each.
    assert_eq!(counters.get(C::ReadSlot), 3 * 65);
    assert_eq!(counters.get(C::MemoryTransactions), 0);
    assert_eq!(counters.get(C::ThreadInstructions), 65 * 32);
}

#[test]
fn dependent_chain_waits_for_results() {
    let counters = program(&format!("{}RET\n", "IADD R1, R1, R0\n".repeat(40)), 32, 8);
    // The instructions issue every eight cycles: four are their beats, and in one the next instruction enters s4. The
    // RET also waits, because the warp may end.
    assert!(counters.get(C::Scoreboard) >= 3 * 39, "{counters:?}");
    assert!(counters.get(C::Scoreboard) <= 3 * 42, "{counters:?}");
    // With six warps, the same chain causes no waiting.
    let counters = program(&format!("{}RET\n", "IADD R1, R1, R0\n".repeat(40)), 192, 8);
    assert!(counters.get(C::Scoreboard) < 40, "{counters:?}");
}

#[test]
fn transactions_and_full_queues_are_counted() {
    let text = "SHL R1, R0, 2; GLD.U32 R2, global14[R1]; GST.U32 global14[R1], R2; RET";
    // Consecutive words: one request per beat.
    for (lanes, requests) in [(8, 4), (16, 2), (32, 1)] {
        let counters = program(text, 32, lanes);
        assert_eq!(counters.get(C::MemoryTransactions), 2 * requests, "{lanes} lanes");
    }
    // Each lane accesses a different segment; the loads of four warps fill the queue.
    let loads: String = (2..14).map(|r| format!("GLD.U32 R{r}, global14[R1];")).collect();
    let scattered = format!("SHL R1, R0, 7; {loads}RET");
    let counters = program(&scattered, 128, 8);
    assert_eq!(counters.get(C::MemoryTransactions), 4 * 12 * 32);
    assert!(counters.get(C::MemoryQueue) > 500, "{counters:?}");
}

#[test]
fn branches_and_divergence_are_counted() {
    let text = "
        MVI R2, 8; ISET.C0 o[0x7f], R0, R2, LT
        SSY join; BRA C0.NE, low; NOP; NOP; BRA join
        low: NOP
        join: NOP.S
        BRA on
        on: RET";
    // Neither the two branches that all threads take nor the one that a whole warp takes diverges.
    assert_eq!(program(text, 32, 8).get(C::DivergentBranches), 1);
    assert_eq!(program(text, 64, 8).get(C::DivergentBranches), 1);
    assert_eq!(program(text, 8, 8).get(C::DivergentBranches), 0);
    let counters = program("BRA next; next: NOP; RET", 32, 32);
    assert!(counters.get(C::Branch) > 0, "{counters:?}");
}

#[test]
fn barrier_waits_are_counted() {
    // Two warps: the first waits at a barrier for the second, which counts down first.
    let text = "
        MVI R2, 32; ISET.C0 o[0x7f], R0, R2, GE; BRA C0.EQ, meet
        MVI R3, 50
        down: IADD32I R3, R3, -1; ISET.C1 o[0x7f], R3, R124, NE; BRA C1.NE, down
        meet: BAR.ARV.WAIT b0, 0xfff
        RET";
    let counters = program(text, 64, 8);
    assert_eq!(counters.get(C::BarrierWaits), 1);
    assert!(counters.get(C::BarrierWaitCycles) > 50 * 15, "{counters:?}");
    // While the second warp can issue or waits for other reasons, those reasons count.
    assert!(counters.get(C::Barrier) < 20, "{counters:?}");
    // A single warp does not wait for others, but for the latency of the barrier unit.
    let counters = program("BAR.ARV.WAIT b0, 0xfff; BAR.ARV.WAIT b0, 0xfff; RET", 32, 32);
    assert_eq!(
        (counters.get(C::BarrierWaits), counters.get(C::BarrierWaitCycles)),
        (0, 0)
    );
    assert!(counters.get(C::Barrier) > 0, "{counters:?}");
    assert_eq!(counters.get(C::BankConflictCycles), 0);
}

#[test]
fn command_line_prints_the_counters() {
    let folder = Folder::sass("NOP\nRET\n");
    let output = flexgrip(&["run", "--json", "--sms", "2"], folder.path());
    assert!(output.status.success(), "{output:?}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let cycles = json["cycles"].as_u64().unwrap();
    assert_eq!((&json["sms"], &json["divergent_branches"]), (&2.into(), &0.into()));
    assert_eq!(json["counters"][0]["issued"], 2);
    assert_eq!(json["counters"][1]["no_warp"], cycles);
    let output = flexgrip(&["run", "--stats", "--sms", "2"], folder.path());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("counter") && text.contains("SM 1") && text.contains("no warp"),
        "{text}"
    );
    assert!(text.contains("100.0 %"), "{text}");
    let output = flexgrip(&["run", "--stats", "--engine", "model"], folder.path());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("divergent branches 0") && !text.contains("SM 0"),
        "{text}"
    );
    let output = flexgrip(&["run", "--sms", "3"], folder.path());
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn accesses_are_shown_by_instruction() {
    // A load in order, a load shifted by one word, a store backwards by half-warps.
    let program = "SHL R1, R0, 2
        GLD.U32 R2, global14[R1]
        IADD32I R3, R1, 4
        GLD.U32 R2, global14[R3]
        LOP32I.XOR R1, R1, 60
        GST.U32 global14[R1], R2
        RET
    ";
    let folder = Folder::sass(program);
    let run = |more: &[&str]| {
        let output = flexgrip(&[&["run", "--accesses"], more].concat(), folder.path());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let rows = "
accesses to global, local memory         this machine      1.0, 1.1 (G80)    1.2, 1.3 (GT200)
    PC        warps         bytes     requests   used transactions   used transactions   used  instruction
0x0008            1           128            4  100 %            2  100 %            2  100 %  GLD.U32 R2, global14[R1]  kernel.sass:2
0x0018            1           128            8   50 %           32   12 %            3   57 %  GLD.U32 R2, global14[R3]  kernel.sass:4
0x0028            1           128            4  100 %           32   12 %            2  100 %  GST.U32 global14[R1], R2  kernel.sass:6
                  3           384           16   75 %           66   18 %            7   80 %  all
";
    for engine in ["rtl", "model"] {
        let text = run(&["--engine", engine]);
        assert!(text.starts_with(rows), "{engine}: {text}");
    }
    let json: serde_json::Value = serde_json::from_str(&run(&["--json", "--coalescing", "g80"])).unwrap();
    let transfers = |row: usize, of: &str| {
        let transfers = &json["accesses"][row][of];
        (transfers["transactions"].as_u64(), transfers["bytes"].as_u64())
    };
    assert_eq!(transfers(1, "machine"), (Some(32), Some(1024)));
    assert_eq!(transfers(1, "g80"), (Some(32), Some(1024)));
    assert_eq!(transfers(1, "gt200"), (Some(3), Some(224)));
    assert_eq!(json["accesses"][1]["place"], "kernel.sass:4");
    assert_eq!(json["accesses"][3]["pc"], serde_json::Value::Null);
    let output = flexgrip(&["run", "--accesses", "--batch", "kernel.hex"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("--accesses is for a single run"), "{error}");
}
