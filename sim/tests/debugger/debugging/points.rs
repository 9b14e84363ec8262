//! Tests of where a session stops: at the first instruction, at accesses of a block, warp or lane, and at divergence.

use super::{on_both, options, MACHINES, PROGRAM};
use crate::common::launch;
use flexgrip_machine::sizes::Lanes;
use flexgrip_machine::Launch;
use flexgrip_sim::debug::code::Code;
use flexgrip_sim::debug::console::Console;
use flexgrip_sim::debug::open::{with_session, Machine};
use flexgrip_sim::debug::session::{StepExtent, Stop};
use flexgrip_sim::debug::target::WarpId;
use flexgrip_sim::error::Error;

#[test]
fn breakpoint_at_first_instruction_stops_once() {
    on_both(PROGRAM, |session| {
        let mut console = Console { session };
        let mut ask = |line: &str| console.run(line).unwrap().text;
        ask("break t");
        assert!(ask("continue").starts_with("breakpoint 1: warp 0.0 before t\n"));
        let place = ask("where");
        assert!(place.contains(": 0x0000 t: "), "{place}");
        // It does not stop again at the same position, neither after an inspection nor after setting another
        // breakpoint.
        ask("break 0x0");
        assert!(ask("continue").contains("the grid has ended"));
        assert!(ask("back").starts_with("breakpoint 1: "));
        assert_eq!(ask("where"), place);
        assert!(ask("continue").contains("the grid has ended"));
        // Going back to the beginning is a new arrival.
        ask("goto 0");
        assert!(ask("continue").starts_with("breakpoint 1: "));
        assert_eq!(ask("where"), place);
        ask("goto 0");
        ask("delete 1");
        ask("delete 2");
        ask("break t if R0[5] == 6");
        assert!(ask("continue").contains("the grid has ended"));
        ask("back");
        // A step ends at the next instruction, wherever breakpoints are.
        ask("break t");
        ask("step");
        assert!(ask("points").contains("not reached yet"));
        Ok(())
    });
}

/// Every thread stores its block's number to the same addresses of shared memory, and its own number to local memory.
const PRIVATE: &str = "\
    MOV.U16 R1L, g[6].U16
    I2I.U32.U16 R1, R1L
    I2I.U32.U16 R2, R0L
    MVI R3, 0x0
    R2A A1, R3
    LST.U32 local[0x8], R2
    R2G.U32.U32 g[A1+0x4], R1
    RET
";

/// The console of a session at the beginning of a launch.
fn on<T: Send>(machine: Machine, launch: &Launch, work: impl FnOnce(Console) -> Result<T, Error> + Send) -> T {
    let (code, options) = (
        Code::of_words(&launch.program, launch.capability),
        options(Lanes::default()),
    );
    let work = |session| work(Console { session });
    with_session(machine, launch, code, &options, || false, work).unwrap()
}

#[test]
fn watchpoints_have_block_warp_or_lane_scope() {
    let mut launch = launch(PRIVATE, 3, 64, vec![]);
    launch.local_bytes = 16;
    launch.shared_bytes = 128;
    for machine in MACHINES {
        let hits = |watch: &str| {
            on(machine, &launch, |mut console| {
                let shown = console.run(watch)?.text;
                let mut hits = Vec::new();
                loop {
                    match console.session.forward(StepExtent::Continue)? {
                        Stop::Point(hit) => hits.push(hit.warp.unwrap()),
                        stop => {
                            assert_eq!(stop, Stop::Ended);
                            hits.sort();
                            return Ok((shown, hits));
                        }
                    }
                }
            })
        };
        let of = |blocks: &[u32], warps: &[u32]| -> Vec<WarpId> {
            let ids = blocks.iter().flat_map(|block| warps.iter().map(|warp| (*block, *warp)));
            ids.map(|(block, warp)| WarpId { block, warp }).collect()
        };
        for (watch, shows, expected) in [
            ("watch shared:16", "write to shared:0x10+4\n", of(&[0, 1, 2], &[0, 1])),
            ("watch shared:16 of 1", "shared:0x10+4 of block 1\n", of(&[1], &[0, 1])),
            ("watch shared:16 of 1.0", "of warp 1.0\n", of(&[1], &[0])),
            ("watch shared:16 of 2 if R1 == 1", "of block 2 if R1 == 1\n", vec![]),
            ("watch shared:16 of 3", "of block 3\n", vec![]),
            ("watch shared:20 of 1", "of block 1\n", vec![]),
            ("watch local:8", "write to local:0x8+4\n", of(&[0, 1, 2], &[0, 1])),
            (
                "watch local:8 of 2.1.31",
                "local:0x8+4 of lane 31 of warp 2.1\n",
                of(&[2], &[1]),
            ),
            ("watch local:8 of 2.1.31 if R2 == 63", "if R2 == 63\n", of(&[2], &[1])),
            ("watch local:8 of 2.1.31 if R2 == 32", "if R2 == 32\n", vec![]),
            (
                "watch R3 of 0.1.9",
                "write to R3 of lane 9 of warp 0.1\n",
                of(&[0], &[1]),
            ),
            ("break 0x0 of 2", "of block 2\n", of(&[2], &[0, 1])),
        ] {
            let (shown, hits) = hits(watch);
            assert!(shown.ends_with(shows), "{watch}: {shown}");
            assert_eq!(hits, expected, "{watch} on {machine:?}");
        }
        let [broken, held, long] = on(machine, &launch, |mut console| {
            let mut refuse = |line: &str| console.run(line).unwrap_err().to_string();
            Ok([
                refuse("break 0x0 of 0.1.5"),
                refuse("when R1 == 3 of 0.1.5"),
                refuse("watch local:8 of 0.1.5.6"),
            ])
        });
        assert!(
            broken.contains("found lane 5 of warp 0.1") && held.contains("found lane 5"),
            "{broken}"
        );
        assert!(long.contains("expected a block (3)"), "{long}");
    }
}

/// Threads 16 to 31 break out of the loop in its second iteration; all but thread 0 return early from the subroutine;
/// threads 8 and up end before the others, by RET and then by KIL. A branch that all threads take, and one that no
/// thread takes, do not diverge.
pub const PARTING: &str = "\
    MVI R1, 0x0
    MVI R4, 0x10
    PBK out
loop:
    IADD32I R1, R1, 1
    MVI R2, 0x2
    ISET.S32.C0 o[0x7f], R1, R2, GE
    ISET.S32.C1 o[0x7f], R0, R4, GE
    BRA C0.EQ, loop
parting:
    BRK C1.NE
    MVI R3, 0x7
    BRK
out:
    CAL sub
    MVI R2, 0x8
    ISET.S32.C0 o[0x7f], R0, R2, GE
ending:
    RET C0.NE
    MVI R2, 0x4
    ISET.S32.C0 o[0x7f], R0, R2, GE
killed:
    KIL C0.NE
    RET
sub:
    ISET.S32.C0 o[0x7f], R0, R124, NE
returning:
    RET C0.NE
    MVI R3, 0x9
    RET
";

#[test]
fn break_return_and_end_count_as_divergence() {
    on_both(PARTING, |session| {
        let mut console = Console { session };
        let place = |name: &str| *console.session.code().resolve(name).unwrap().first().unwrap();
        let expected = ["parting", "returning", "ending", "killed"].map(place);
        console.run("stop-at-divergence")?;
        let mut found = Vec::new();
        while let Stop::Point(_) = console.session.forward(StepExtent::Continue)? {
            let retired = console.session.target().retired();
            found.extend(
                retired
                    .iter()
                    .filter(|record| record.executed != record.active)
                    .map(|record| record.pc),
            );
        }
        assert_eq!(found, expected);
        Ok(())
    });
}
