//! Tests the counters defined in `docs/counters.md`: the issue account is complete on every kernel, and each counter
//! follows its definition.

use crate::common::{configuration, flexgrip, kernels_below, on_all_cores, root, Folder};
use flexgrip_isa::Operation;
use flexgrip_machine::host_map::SmCounter as C;
use flexgrip_machine::Configuration;
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::outcome::counters::SmCounters;
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::trace::ending::Ending;
use std::path::PathBuf;

fn run(kernel: &Kernel, lanes: u32, sms: u32, memory_latency: u32) -> RunReport {
    let options = Options {
        configuration: Configuration {
            sms,
            ..configuration(lanes, 1 << 20)
        },
        max_cycles: 1_000_000,
        memory_latency,
        ..Options::default()
    };
    let report = RtlEngine.run(&kernel.launch, &options, None).unwrap();
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
            let report = run(&kernel, lanes, sms, 20);
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
