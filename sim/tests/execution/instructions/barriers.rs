//! Tests of barriers: the order that they enforce, the release of their warps, and random barriers compared with the
//! model.

use crate::common::{launch, run, run_all, run_on, with_verilog, LANES};
use flexgrip_machine::{ErrorKind, KernelError, Retire};
use flexgrip_sim::trace::ending::Ending;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Makes a warp count R2 down before it continues. R1 is its number in the block.
const COUNT_DOWN: &str = "
wait:   IADD32I R2, R2, -1
        ISET.C0 o[0x7f], R2, R124, NE
        BRA C0.NE, wait
";

#[test]
fn barrier_orders_writes_before_later_reads() {
    // Every warp arrives at a different time, writes, and reads its neighbour's data, twice in opposite directions, in
    // more blocks than there are slots.
    const THREADS: u32 = 160;
    const BLOCKS: u32 = 11;
    let kernel = format!(
        "
        I2I.U32.U16 R4, g[6].U16       // ctaid.x
        SHR R1, R0, 5
        IADD R2, R1, R1
        IADD R2, R2, R4
        LOP32I.AND R2, R2, 7
        IADD32I R2, R2, 1
        {COUNT_DOWN}
        MVI R3, {THREADS}
        IMUL.U16.U16 R3, R4L, R3L
        IADD R5, R3, R0
        SHL R5, R5, 2                   // own word
        IADD32I R6, R5, 3
        GST.U32 global14[R5], R6
        BAR.ARV.WAIT b0, 0xfff
        IADD32I R7, R0, 32              // the next warp's, round the block
        MVI R8, {THREADS}
        ISET.C1 o[0x7f], R7, R8, GE
        IADD R7 (C1.NE), R7, -R8
        IADD R7, R3, R7
        SHL R7, R7, 2
        GLD.U32 R9, global14[R7]
        BAR.ARV.WAIT b0, 0xfff
        GST.U32 global14[R5], R9
        BAR.ARV.WAIT b0, 0xfff
        GLD.U32 R10, global14[R7]
        MVI R11, 0x4000
        IADD R11, R11, R5
        GST.U32 global14[R11], R10
        RET
        "
    );
    run_all(&launch(&kernel, BLOCKS, THREADS, vec![]), |global, context| {
        for block in 0..BLOCKS {
            for thread in 0..THREADS {
                let of = |steps: u32| 4 * (block * THREADS + (thread + 32 * steps) % THREADS) + 3;
                let own = (block * THREADS + thread) as usize;
                assert_eq!(global[own], of(1), "{context}, block {block}, thread {thread}");
                assert_eq!(global[0x1000 + own], of(2), "{context}, block {block}, thread {thread}");
            }
        }
    });
}

/// The cycles between a run's last BAR and each warp's next instruction.
fn latency(records: &[Retire]) -> Vec<u64> {
    let cycle = |record: &Retire| record.issue_cycle.unwrap();
    let is_bar = |record: &&Retire| record.word & 0xf000_0003 == 0x8000_0003;
    let last = records.iter().filter(is_bar).map(cycle).max().unwrap();
    let mut behind: Vec<u64> = (0..32)
        .filter_map(|warp| {
            let mut own = records.iter().filter(|record| record.warp_in_block == warp);
            own.find(is_bar)?;
            own.next().map(cycle)
        })
        .collect();
    behind.sort();
    behind.iter().map(|cycle| cycle - last).collect()
}

#[test]
fn released_warps_continue_soon() {
    let kernel = format!(
        "
        SHR R1, R0, 5
        SHL R2, R1, 3
        IADD32I R2, R2, 1
        {COUNT_DOWN}
        BAR.ARV.WAIT b5, 0xfff
        RET
        "
    );
    for lanes in LANES {
        for block in [32, 256] {
            let (report, records) = run(&launch(&kernel, 1, block, vec![]), lanes);
            assert_eq!(report.ending, Ending::Complete);
            let latency = latency(&records);
            println!("{lanes} lanes, {block} threads: {latency:?}");
            assert_eq!(latency.len() as u32, block / 32);
            assert!(latency[0] <= 10, "{lanes} lanes, {block} threads: {latency:?}");
        }
    }
}

#[test]
fn end_of_a_warp_opens_barriers() {
    // Warps 0 to 2 arrive at two barriers and wait at one; the last warp arrives at neither, and exits late.
    let kernel = format!(
        "
        SHR R1, R0, 5
        MVI R3, 3
        ISET.C1 o[0x7f], R1, R3, EQ
        BRA C1.NE, late
        BAR.ARV b7, 0xfff
        BAR.ARV.WAIT b2, 0xfff
        SHL R4, R0, 2
        GLD.U32 R5, global14[R124]
        GST.U32 global14[R4], R5
        RET
late:   MVI R2, 40
        {COUNT_DOWN}
        MVI R6, 77
        GST.U32 global14[R124], R6
        RET
        "
    );
    for lanes in LANES {
        let (report, records) = run(&launch(&kernel, 1, 128, vec![]), lanes);
        assert_eq!(report.ending, Ending::Complete);
        assert!(report.global[1..96].iter().all(|&word| word == 77), "{lanes} lanes");
        let end = records.iter().filter(|record| record.warp_in_block == 3);
        let end = end.filter_map(|record| record.issue_cycle).max().unwrap();
        let behind = records
            .iter()
            .filter(|record| record.warp_in_block != 3 && record.issue_cycle.unwrap() > end)
            .filter_map(|record| record.issue_cycle)
            .min()
            .unwrap();
        // The cycles of the branch unit, of the scan and of the scheduler's five stages: see `docs/pipeline.md`.
        assert!(
            behind - end <= 13,
            "{lanes} lanes: {} cycles from RET to the first released warp",
            behind - end
        );
    }
}

#[test]
fn partial_barriers_count_arrivals_without_waiting() {
    // Warps 1, 2 and 3 produce data and arrive without waiting; warp 0 waits for their 96 threads and its own (128). It
    // does not take part in barrier 1, at which only warps 1 and 2 meet (33 threads are two warps).
    let kernel = format!(
        "
        SHR R1, R0, 5
        IADD.C1 o[0x7f], R1, R124
        BRA C1.EQ, consumer
        SHL R2, R1, 3
        {COUNT_DOWN}
        SHL R4, R0, 2
        IADD32I R5, R0, 1000
        GST.U32 global14[R4], R5
        BAR.ARV b0, 128
        MVI R3, 3
        ISET.C1 o[0x7f], R1, R3, EQ
        BRA C1.NE, done
        BAR.ARV.WAIT b1, 33
        IADD32I R6, R4, 0x400
        GST.U32 global14[R6], R5
done:   RET
consumer:
        BAR.ARV.WAIT b0, 128
        SHL R4, R0, 2
        IADD32I R4, R4, 0x180           // warp 3's words
        GLD.U32 R5, global14[R4]
        IADD32I R4, R4, 0x680
        GST.U32 global14[R4], R5
        RET
        "
    );
    run_all(&launch(&kernel, 1, 128, vec![]), |global, context| {
        for thread in 0..32 {
            assert_eq!(
                global[0x200 + thread],
                1096 + thread as u32,
                "{context}, thread {thread}"
            );
        }
        for thread in 32..96 {
            assert_eq!(
                global[0x100 + thread],
                1000 + thread as u32,
                "{context}, thread {thread}"
            );
        }
    });
}

#[test]
fn warps_wait_without_arriving() {
    // Warps 1 and 2 only wait; warp 0 arrives for 32 threads and releases the barrier later.
    let kernel = format!(
        "
        SHR R1, R0, 5
        IADD.C1 o[0x7f], R1, R124
        BRA C1.EQ, opener
        BAR.WAIT b15, 32
        GLD.U32 R5, global14[R124]
        SHL R4, R0, 2
        GST.U32 global14[R4], R5
        RET
opener: MVI R2, 30
        {COUNT_DOWN}
        MVI R5, 5
        GST.U32 global14[R124], R5
        BAR.ARV b15, 32
        BAR b3, 0xfff
        BAR.ARV.WAIT b4, 32
        RET
        "
    );
    run_all(&launch(&kernel, 3, 96, vec![]), |global, context| {
        assert!(global[32..96].iter().all(|&word| word == 5), "{context}");
    });
}

#[test]
fn barriers_of_ended_blocks_are_reset() {
    // Each block leaves two of three arrivals at a barrier. If the next block in its slot kept them, warp 0 would not
    // wait for the other warps.
    let kernel = format!(
        "
        I2I.U32.U16 R8, g[6].U16
        SHR R1, R0, 5
        SHL R2, R1, 4
        IADD32I R2, R2, 1
        {COUNT_DOWN}
        MVI R3, 96
        IMUL.U16.U16 R3, R8L, R3L
        IADD R3, R3, R0
        SHL R4, R3, 2
        IADD32I R5, R3, 7
        GST.U32 global14[R4], R5
        BAR.ARV.WAIT b9, 96
        LOP32I.XOR R6, R4, 0x80
        MVI R7, 64
        ISET.C1 o[0x7f], R0, R7, LT
        GLD.U32 R9 (C1.NE), global14[R6]
        MVI R10, 0x4000
        IADD R10, R10, R4
        GST.U32 global14[R10] (C1.NE), R9
        BRA C1.NE, leave
        RET
leave:  BAR.ARV b9, 96
        RET
        "
    );
    // 96 threads of 4 bytes are 0x180 bytes: XOR 0x80 gives another warp of the block only in even blocks.
    run_all(&launch(&kernel, 20, 96, vec![]), |global, context| {
        for block in (0..20).step_by(2) {
            for thread in 0..64 {
                let own = block * 96 + thread;
                assert_eq!(
                    global[0x1000 + own] as usize,
                    (own ^ 32) + 7,
                    "{context}, block {block}, thread {thread}"
                );
            }
        }
    });
}

#[test]
fn arrivals_and_ends_count_in_issue_order() {
    // Warp 0 waits, and warp 1 arrives once without waiting; the exit of warp 2 releases the barrier for these two
    // arrivals. Warp 1 arrives again at this moment: this arrival belongs to the next use, and waits for warp 0's
    // second arrival.
    for delay in 1..12 {
        let kernel = format!(
            "
            SHR R1, R0, 5
            MVI R3, 1
            ISET.C1 o[0x7f], R1, R3, EQ
            ISET.C2 o[0x7f], R1, R3, GT
            BRA C1.NE, first
            BRA C2.NE, second
            BAR.ARV.WAIT b0, 0xfff
            BAR.ARV.WAIT b0, 0xfff
            RET
    first:  BAR.ARV b0, 0xfff
            MVI R2, 8
            {COUNT_DOWN}
            BAR.ARV.WAIT b0, 0xfff
            RET
    second: MVI R2, {delay}
    again:  IADD32I R2, R2, -1
            ISET.C0 o[0x7f], R2, R124, NE
            BRA C0.NE, again
            RET
            "
        );
        run_all(&launch(&kernel, 1, 96, vec![]), |_, _| ());
    }
}

/// A random program in which each of `warps` warps has its own BARs, with any thread counts, waiting or not.
fn random_barriers(rng: &mut ChaCha8Rng, warps: u32) -> String {
    let mut text = "SHR R1, R0, 5\n".to_string();
    for warp in 1..warps {
        text += &format!("MVI R3, {warp}\nISET.C1 o[0x7f], R1, R3, EQ\nBRA C1.NE, warp{warp}\n");
    }
    for warp in 0..warps {
        text += &format!("warp{warp}: NOP\n");
        for _ in 0..rng.gen_range(0..8) {
            text += &"MOV32 R4, R4\n".repeat(2 * rng.gen_range(0..4));
            let kind = [".ARV", ".ARV", ".ARV", ".ARV.WAIT", ".WAIT", ""][rng.gen_range(0..6)];
            let threads = if rng.gen() { 0xfff } else { rng.gen_range(0..32 * warps) };
            text += &format!("BAR{kind} b{}, {threads}\n", rng.gen_range(0..3));
        }
        text += "RET\n";
    }
    text
}

#[test]
fn random_barriers_open_as_in_the_model() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut complete, mut deadlocks) = (0, 0);
    for _ in 0..40 {
        let warps = rng.gen_range(1..=6);
        let launch = launch(&random_barriers(&mut rng, warps), 4, 32 * warps, vec![]);
        for lanes in LANES {
            match run(&launch, lanes).0.ending {
                Ending::Complete => complete += 1,
                Ending::Failed(KernelError {
                    kind: ErrorKind::BarrierDeadlock,
                    ..
                }) => deadlocks += 1,
                other => panic!("{other:?}"),
            }
        }
    }
    println!("{complete} runs to the end, {deadlocks} deadlocks");
    assert!(complete > 10 && deadlocks > 10);
}

#[test]
fn verilog_barriers_equal_the_circuits() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..10 {
        let launch = launch(&random_barriers(&mut rng, 4), 3, 128, vec![]);
        let Some((verilog, verilog_records)) = with_verilog(|engine| run_on(engine, &launch, 8)) else {
            return;
        };
        let (native, native_records) = run(&launch, 8);
        assert_eq!(native.ending, verilog.ending);
        assert_eq!(native_records, verilog_records);
    }
}
