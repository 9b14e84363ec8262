//! Tests the debugger: runs backwards, on the model and on the circuits, and compares the displayed state with the
//! model.

pub mod points;

use crate::common::{flexgrip, kernels_below, root, Folder, LANES};
use flexgrip_machine::sizes::Lanes;
use flexgrip_sim::debug::code::Code;
use flexgrip_sim::debug::console::Console;
use flexgrip_sim::debug::open::{with_session, Machine};
use flexgrip_sim::debug::points::{Access, Trigger};
use flexgrip_sim::debug::session::{Session, StepExtent, Stop};
use flexgrip_sim::debug::target::{Edit, Issue, Register, Registers, Space, Target, Waits, WarpId, WarpState};
use flexgrip_sim::debug::value::SpaceName;
use flexgrip_sim::engines::circuits::sizes::configuration;
use flexgrip_sim::engines::engine::Options;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::trace::ending::Ending;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::path::Path;

/// The bytes of global memory, enough for all kernels here.
const GLOBAL_BYTES: u32 = 1 << 18;
/// The maximum number of steps of a kernel in the quick tier.
const QUICK: u64 = if cfg!(feature = "soak") { u64::MAX } else { 2_000 };
/// The number of cycles in each kernel in which registers are compared with the model.
const COMPARED: u64 = if cfg!(feature = "soak") { 20_000 } else { 2_000 };
/// The number of random walks on each machine.
const WALKS: u64 = if cfg!(feature = "soak") { 1_000 } else { 40 };

const MACHINES: [Machine; 2] = [Machine::Model, Machine::Circuits];

fn options(lanes: Lanes) -> Options {
    Options {
        configuration: configuration(lanes, GLOBAL_BYTES),
        ..Options::default()
    }
}

/// Opens a session on a kernel.
fn session<T: Send>(
    machine: Machine,
    kernel: &Kernel,
    lanes: Lanes,
    work: impl FnOnce(Session) -> Result<T, Error> + Send,
) -> T {
    let code = Code::of_kernel(kernel).unwrap();
    with_session(machine, &kernel.launch, code, &options(lanes), || false, work).unwrap()
}

/// The whole state of a machine that a session displays.
#[derive(PartialEq)]
struct State {
    time: u64,
    issues: Vec<Issue>,
    warps: Vec<WarpState>,
    registers: Vec<Result<Registers, String>>,
    global: Vec<u8>,
    shared: Vec<Vec<u8>>,
    signals: Vec<String>,
    ending: Option<Ending>,
}

fn state(target: &dyn Target, shared_bytes: u32) -> State {
    let warps = target.warps();
    let mut blocks: Vec<u32> = warps.iter().map(|warp| warp.id.block).collect();
    blocks.dedup();
    let shared = blocks
        .iter()
        .map(|block| target.read(Space::Shared(*block), 0, shared_bytes).unwrap());
    State {
        time: target.time(),
        issues: target.issues().to_vec(),
        registers: warps.iter().map(|warp| target.registers(warp.id)).collect(),
        global: target.read(Space::Global, 0, GLOBAL_BYTES).unwrap(),
        shared: shared.collect(),
        signals: target
            .signals()
            .iter()
            .map(|name| target.signal(name).unwrap().value)
            .collect(),
        ending: target.ending().copied(),
        warps,
    }
}

/// Compares states, and fails with the first part that differs instead of a megabyte of text.
fn assert_same(one: &State, other: &State, what: &str) {
    assert_eq!((one.time, &one.ending), (other.time, &other.ending), "{what}");
    assert_eq!(one.issues, other.issues, "{what}");
    for (one, other) in one.warps.iter().zip(&other.warps) {
        assert_eq!(one, other, "{what}");
    }
    assert!(one.registers == other.registers, "{what}: registers");
    assert!(one.global == other.global, "{what}: global memory");
    assert!(one.shared == other.shared, "{what}: shared memory");
    let different = one
        .signals
        .iter()
        .zip(&other.signals)
        .position(|(one, other)| one != other);
    assert_eq!(different, None, "{what}: a signal, by number");
    assert!(one == other, "{what}");
}

fn kernels() -> impl Iterator<Item = Kernel> {
    let folders = kernels_below(&root().join("kernels")).into_iter();
    folders.map(|path| Kernel::load(&path).unwrap())
}

fn shared_bytes(kernel: &Kernel) -> u32 {
    kernel.launch.block_shared_bytes() as u32
}

#[test]
fn every_kernel_runs_forward_and_back() {
    let mut run = 0;
    for kernel in kernels().filter(|kernel| kernel.check(&options(Lanes::default()).configuration).is_ok()) {
        for machine in MACHINES {
            let bytes = shared_bytes(&kernel);
            let name = format!("{} on {machine:?}", kernel.launch.name);
            run += session(machine, &kernel, Lanes::default(), |mut session| {
                let first = state(session.target(), bytes);
                let stop = session.forward(StepExtent::Ticks(QUICK))?;
                assert!(matches!(stop, Stop::Ended | Stop::Done), "{name}: {stop:?}");
                let last = state(session.target(), bytes);
                assert_eq!(session.backward(StepExtent::Continue)?, Stop::Beginning, "{name}");
                assert_same(&first, &state(session.target(), bytes), &name);
                session.go_to(last.time)?;
                assert_same(&last, &state(session.target(), bytes), &name);
                let middle = (first.time + last.time) / 2;
                session.go_to(middle)?;
                assert_eq!(session.target().time(), middle, "{name}");
                session.backward(StepExtent::Ticks(last.time))?;
                assert_same(&first, &state(session.target(), bytes), &name);
                Ok(1)
            });
        }
    }
    assert!(run > 40, "{run} runs");
}

/// A random change that is valid now.
fn random_edit(rng: &mut ChaCha8Rng, target: &dyn Target, kernel: &Kernel, flip_flops: &[String]) -> Option<Edit> {
    let warps = target.warps();
    let running: Vec<&WarpState> = warps.iter().filter(|warp| warp.waits != Waits::Ended).collect();
    let warp = running.get(rng.gen_range(0..running.len().max(1)))?.id;
    Some(match rng.gen_range(0..if flip_flops.is_empty() { 4 } else { 5 }) {
        0 => Edit::Register {
            warp,
            register: Register::General(rng.gen_range(0..kernel.launch.registers as u8)),
            lane: rng.gen_range(0..32),
            value: rng.gen(),
        },
        1 => Edit::Register {
            warp,
            register: Register::Condition(rng.gen_range(0..4)),
            lane: rng.gen_range(0..32),
            value: rng.gen_range(0..16),
        },
        2 => Edit::Memory {
            space: Space::Global,
            address: rng.gen_range(0..1 << 12),
            bytes: vec![rng.gen(), rng.gen()],
        },
        3 => Edit::Memory {
            space: Space::Shared(warp.block),
            address: rng.gen_range(16..shared_bytes(kernel)),
            bytes: vec![rng.gen()],
        },
        _ => Edit::Flip {
            name: flip_flops[rng.gen_range(0..flip_flops.len())].clone(),
            bit: 0,
        },
    })
}

/// Compares random steps, steps back and changes with a fresh machine at the same moment with the same changes. A
/// change may make the circuits violate their own rules; then the fresh machine must do the same.
fn walk(seed: u64, base: &dyn Target, kernel: &Kernel, flip_flops: &[String]) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let fresh = || {
        Session::new(
            base.copy().unwrap(),
            Code::of_words(&kernel.launch.program, kernel.launch.capability),
            20_000,
            Box::new(|| false),
        )
    };
    let mut session = fresh();
    let mut broken = false;
    for _ in 0..rng.gen_range(3..12) {
        let ticks = 1 << rng.gen_range(0..12);
        let result = match rng.gen_range(0..8) {
            0 => session.forward(StepExtent::Ticks(ticks)).map(drop),
            1 => session.forward(StepExtent::Instruction).map(drop),
            2 => session.backward(StepExtent::Ticks(ticks)).map(drop),
            3 => session.backward(StepExtent::Instruction).map(drop),
            4 => session.go_to(rng.gen_range(0..2_000)).map(drop),
            5 => session.forward(StepExtent::Barrier).map(drop),
            _ => {
                if let Some(edit) = random_edit(&mut rng, session.target(), kernel, flip_flops) {
                    session.change(edit).unwrap();
                }
                Ok(())
            }
        };
        if result.is_err() {
            broken = true;
            break;
        }
    }
    let (time, bytes) = (session.target().time(), shared_bytes(kernel));
    let mut other = fresh();
    let edits = session.edits().iter().filter(|(at, _)| *at <= time);
    for (at, edit) in edits {
        other.go_to(*at).unwrap();
        other.change(edit.clone()).unwrap();
    }
    if broken {
        // The violation is at most one command after the state that the session still shows.
        return;
    }
    other.go_to(time).unwrap();
    let what = format!("{} with seed {seed}, at {time}", kernel.launch.name);
    assert_same(&state(session.target(), bytes), &state(other.target(), bytes), &what);
}

#[test]
fn random_walks_equal_fresh_runs() {
    let names = ["divergence", "reduction", "sort", "histogram", "vectoradd"];
    for machine in MACHINES {
        for (kernel, part) in kernels()
            .filter(|kernel| names.contains(&kernel.launch.name.as_str()))
            .zip(0..)
        {
            session(machine, &kernel, Lanes::default(), |session| {
                let base = session.target().copy().unwrap();
                let all = base.signals();
                // Data registers of the lanes, not control registers.
                let flip_flops: Vec<String> = all
                    .into_iter()
                    .filter(|name| {
                        name.starts_with("top.sm[0].execute.") && name.contains("augend") && !name.ends_with(".q")
                    })
                    .filter(|name| {
                        base.copy()
                            .unwrap()
                            .apply(&Edit::Flip {
                                name: name.clone(),
                                bit: 0,
                            })
                            .is_ok()
                    })
                    .take(40)
                    .collect();
                assert_eq!(flip_flops.is_empty(), machine == Machine::Model);
                for seed in (0..WALKS).filter(|seed| seed % names.len() as u64 == part) {
                    walk(seed, &*base, &kernel, &flip_flops);
                }
                Ok(())
            });
        }
    }
}

/// The circuits hold the same state as the model after the same instructions, for every warp without instructions in
/// flight.
#[test]
fn circuits_show_the_state_of_the_model() {
    let lanes = LANES.iter().filter(|lanes| cfg!(feature = "soak") || **lanes == 8);
    for lanes in lanes.map(|lanes| Lanes::try_from(*lanes).unwrap()) {
        let mut compared = 0;
        for kernel in kernels().filter(|kernel| kernel.check(&options(lanes).configuration).is_ok()) {
            let mut model = flexgrip_model::Machine::new(kernel.launch.clone(), options(lanes).configuration).unwrap();
            let name = kernel.launch.name.clone();
            compared += session(Machine::Circuits, &kernel, lanes, |mut session| {
                let mut compared = 0;
                // A warp that has not begun may still wait for R0 to be written.
                let mut begun = BTreeSet::new();
                for step in 0..COMPARED {
                    if session.forward(StepExtent::Ticks(1))? == Stop::Ended {
                        break;
                    }
                    let target = session.target();
                    for record in target.retired() {
                        model.follow(record).unwrap();
                        begun.insert((record.block, record.warp_in_block));
                    }
                    if step % 37 != 0 {
                        continue;
                    }
                    let idle = |warp: &&WarpState| warp.in_flight.is_empty() && warp.pc.is_some();
                    let has_begun = |warp: &&WarpState| begun.contains(&(warp.id.block, warp.id.warp));
                    for warp in target.warps().iter().filter(idle).filter(has_begun) {
                        compared += usize::from(compare(target, &model, warp, &name));
                    }
                }
                Ok(compared)
            });
        }
        assert!(compared > 500, "{compared} warps compared with {lanes} lanes");
    }
}

/// Compares a warp with the model; false if the model has not started it.
fn compare(target: &dyn Target, model: &flexgrip_model::Machine, warp: &WarpState, name: &str) -> bool {
    let Some(block) = model.block(warp.id.block) else {
        return false;
    };
    let expected = &block.warps[warp.id.warp as usize];
    let what = format!("{name}, cycle {}, warp {}", target.time(), warp.id);
    assert_eq!(warp.pc, Some(expected.pc), "{what}");
    assert_eq!(warp.active, expected.active, "{what}: active");
    assert_eq!(warp.threads, expected.threads, "{what}: threads");
    assert_eq!(warp.stack, expected.stack.entries(), "{what}: stack");
    let found = target.registers(warp.id).unwrap();
    for (number, (found, expected)) in found.general.iter().zip(&expected.registers).enumerate() {
        assert_eq!(found, expected, "{what}: R{number}");
    }
    assert_eq!(found.conditions, expected.cc, "{what}: condition codes");
    assert_eq!(found.addresses, expected.address, "{what}: address registers");
    true
}

/// A kernel with a loop, a divergent branch and a store.
const PROGRAM: &str = "\
.kernel t
.registers 8
    SHL R1, R0, 0x2;
    MVI R2, 0x0;
    MVI R3, 0x3;
loop:
    IADD R2, R2, R0;
    IADD32I R3, R3, -1;
    ISET.S32.C0 o[0x7f], R3, R124, GT;
    BRA C0.NE, loop;
    GST.U32 global14[R1], R2;
    RET;
";

fn on_both(program: &str, work: impl Fn(Session) -> Result<(), Error> + Send + Sync) {
    let folder = Folder::sass(program);
    let kernel = folder.kernel();
    for machine in MACHINES {
        session(machine, &kernel, Lanes::default(), &work);
    }
}

#[test]
fn breakpoint_stops_before_its_instruction_both_ways() {
    on_both(PROGRAM, |mut session| {
        let places = session.code().resolve("loop").unwrap();
        let pc = *places.first().unwrap();
        session.add_point(Trigger::Instruction(places, "loop".into()), None, None)?;
        let mut times = vec![];
        for round in 0..3 {
            let stop = session.forward(StepExtent::Continue)?;
            assert!(matches!(&stop, Stop::Point(hit) if hit.point == 1), "{stop:?}");
            assert_eq!(session.target().issues()[0].pc, pc);
            times.push(session.target().time());
            let registers = session.target().registers(WarpId { block: 0, warp: 0 }).unwrap();
            assert_eq!(registers.get(Register::General(0), 5), 5);
            // The instruction itself has had no effect yet.
            assert!(registers.get(Register::General(2), 5) <= 5 * round, "round {round}");
        }
        assert_eq!(session.forward(StepExtent::Continue)?, Stop::Ended);
        for time in times.iter().rev() {
            session.backward(StepExtent::Continue)?;
            assert_eq!(session.target().time(), *time);
        }
        assert_eq!(session.backward(StepExtent::Continue)?, Stop::Beginning);
        assert_eq!(session.points()[0].hits, 6);
        Ok(())
    });
}

#[test]
fn watchpoints_stop_at_writes_and_values() {
    on_both(PROGRAM, |mut session| {
        let condition = "R2[5] == 10".parse().ok();
        session.add_point(Trigger::Register(Register::General(2)), None, condition)?;
        assert!(matches!(session.forward(StepExtent::Continue)?, Stop::Point(_)));
        let registers = session.target().registers(WarpId { block: 0, warp: 0 }).unwrap();
        assert_eq!(registers.get(Register::General(2), 5), 10);
        session.remove_point(1)?;
        session.add_point(Trigger::Memory(SpaceName::Global, 20, 24, Access::Write), None, None)?;
        let stop = session.forward(StepExtent::Continue)?;
        assert!(
            matches!(&stop, Stop::Point(hit) if hit.text.contains("GST")),
            "{stop:?}"
        );
        assert_eq!(session.target().read(Space::Global, 20, 4).unwrap(), [15, 0, 0, 0]);
        session.remove_point(2)?;
        session.add_point(Trigger::Holds, None, "R3[0] == 1".parse().ok())?;
        assert!(matches!(session.backward(StepExtent::Continue)?, Stop::Point(_)));
        let registers = session.target().registers(WarpId { block: 0, warp: 0 }).unwrap();
        assert_eq!(registers.get(Register::General(3), 0), 1);
        Ok(())
    });
}

#[test]
fn steps_are_lines_or_instructions() {
    on_both(PROGRAM, |mut session| {
        session.forward(StepExtent::Instruction)?;
        let line = |session: &Session| {
            let pc = session.warp_state().and_then(|warp| warp.pc);
            pc.and_then(|pc| session.code().line(pc))
        };
        while line(&session) != Some(7) {
            session.forward(StepExtent::Line)?;
        }
        let first = session.target().time();
        session.forward(StepExtent::Line)?;
        session.forward(StepExtent::Line)?;
        assert_eq!(line(&session), Some(9));
        session.backward(StepExtent::Line)?;
        assert_eq!(line(&session), Some(8));
        session.backward(StepExtent::Line)?;
        assert_eq!((line(&session), session.target().time()), (Some(7), first));
        Ok(())
    });
}

#[test]
fn change_takes_effect_and_discards_the_future() {
    on_both(PROGRAM, |mut session| {
        let places = session.code().resolve("0x0").unwrap();
        session.add_point(Trigger::Instruction(places, "0x0".into()), None, None)?;
        if session.target().issues().is_empty() {
            session.forward(StepExtent::Continue)?;
        }
        session.remove_point(1)?;
        let time = session.target().time();
        let warp = WarpId { block: 0, warp: 0 };
        session.change(Edit::Register {
            warp,
            register: Register::General(0),
            lane: 7,
            value: 100,
        })?;
        assert_eq!(
            session.target().registers(warp).unwrap().get(Register::General(0), 7),
            100
        );
        assert_eq!(
            session.target().registers(warp).unwrap().get(Register::General(0), 8),
            8
        );
        session.forward(StepExtent::Continue)?;
        assert_eq!(
            session.target().read(Space::Global, 400, 4).unwrap(),
            300u32.to_le_bytes()
        );
        session.go_to(time)?;
        assert_eq!(
            session.target().registers(warp).unwrap().get(Register::General(0), 7),
            100
        );
        session.forward(StepExtent::Continue)?;
        assert_eq!(
            session.target().read(Space::Global, 400, 4).unwrap(),
            300u32.to_le_bytes()
        );
        Ok(())
    });
}

#[test]
fn failing_kernel_can_be_stepped_back() {
    on_both(
        &PROGRAM.replace("SHL R1, R0, 0x2", "MVI R1, 0x7ffffffc"),
        |mut session| {
            assert_eq!(session.forward(StepExtent::Continue)?, Stop::Ended);
            let Some(Ending::Failed(error)) = session.target().ending().copied() else {
                panic!("{:?}", session.target().ending());
            };
            assert_eq!(error.address, Some(0x7fff_fffc));
            session.backward(StepExtent::Instruction)?;
            // The circuits may have issued the next instruction before they detected the error.
            if session.target().issues()[0].pc != error.pc {
                session.backward(StepExtent::Instruction)?;
            }
            assert_eq!(session.target().ending(), None);
            assert_eq!(session.target().issues()[0].pc, error.pc);
            Ok(())
        },
    );
}

#[test]
fn goto_ends_at_the_limit_of_a_command() {
    let folder = Folder::sass("loop: IADD R1, R1, R0\nBRA loop\n");
    let kernel = folder.kernel();
    for machine in MACHINES {
        let options = Options {
            max_cycles: 300,
            ..options(Lanes::default())
        };
        let code = Code::of_kernel(&kernel).unwrap();
        let work = |session: Session| {
            let unit = session.target().clock().unit();
            let first = session.target().time();
            let mut console = Console { session };
            let limit = format!("stopped after 300 {unit}s\n{unit} {}, ", first + 300);
            let far = console.run("goto 1000000000000")?.text;
            assert!(far.starts_with(&limit), "{far}");
            assert!(console.run("continue")?.text.starts_with("stopped after 300"));
            // The limit does not apply to a range that was run before: neither backwards nor forwards from the nearest
            // snapshot.
            for _ in 0..10 {
                console.run("continue")?;
            }
            let last = console.session.target().time();
            assert_eq!(last, first + 12 * 300);
            assert_eq!(console.session.go_to(last - 500)?, Stop::Done);
            assert_eq!(console.session.go_to(first)?, Stop::Done);
            assert_eq!(console.session.go_to(300)?, Stop::Done);
            assert_eq!(console.session.target().time(), 300);
            assert_eq!(console.session.go_to(u64::MAX)?, Stop::Limit(300));
            Ok::<(), Error>(())
        };
        with_session(machine, &kernel.launch, code, &options, || false, work).unwrap();
    }
}

#[test]
fn every_command_answers_on_both_machines() {
    on_both(PROGRAM, |session| {
        let has_signals = !session.target().signals().is_empty();
        let mut console = Console { session };
        let mut ask = |line: &str| console.run(line).unwrap().text;
        ask("cycle 40");
        ask("goto 0");
        ask("step");
        assert!(ask("where").contains("warp 0.0, lane 0: 0x"));
        assert!(ask("warps").starts_with("* 0.0 (SM 0 slot 0)"));
        assert!(ask("break loop if R0[*] > 30").starts_with("1: before loop (0x"));
        assert!(ask("continue").starts_with("breakpoint 1: warp 0.0 before loop"));
        // In the second round, the values set below have been written before.
        ask("continue");
        assert_eq!(ask("lane 9").lines().count(), 2);
        assert!(ask("registers R0").starts_with("R0[9] = 00000009"));
        assert!(ask("registers").contains("C0"));
        assert!(ask("lanes R0.u").contains(" 0000001f"));
        assert!(ask("stack").contains("the divergence stack is empty"));
        assert_eq!(ask("print R0[3]"), "3\n");
        assert_eq!(ask("print active"), format!("{} = {:#x}\n", u32::MAX, u32::MAX));
        assert_eq!(ask("set R3 = 1"), "warp 0.0: R3[9] = 0x1\n");
        assert!(ask("edits").contains("R3[9] = 0x1"));
        assert_eq!(
            ask("set global:0x40 = 258"),
            "4 bytes of global memory at 0x40 changed\n"
        );
        assert!(ask("memory global:0x40.u8 3").starts_with("00000040: 02         01         00"));
        assert!(ask("memory shared:0 4").starts_with("00000000:"));
        assert!(ask("code loop").contains("=> 0x"));
        assert!(ask("list").contains("=>    7  "));
        ask("pipeline");
        assert!(ask("points").contains("reached 2 times"));
        ask("delete 1");
        assert!(ask("continue").contains("the grid has ended"));
        assert_eq!(ask("memory global:0x24 1"), "00000024: 00000012\n");
        assert!(ask("goto 0").contains("warp 0.0") || has_signals);
        if has_signals {
            ask("cycle 60");
            assert!(ask("signals interrupt").contains("top.interrupt = 0x0"));
            assert!(ask("print top.sm[0].register_file.bank[3][0]").contains("64 bits"));
            let before = ask("print top.sm[0].idle");
            assert_ne!(ask("flip top.sm[0].idle 0"), before);
            let cause = "top.sm[0].scheduler.s_cause";
            ask("goto 1");
            ask(&format!("when {cause} == ReadSlot"));
            assert!(ask("continue").contains("ReadSlot"));
            assert!(ask(&format!("print {cause}")).contains("ReadSlot"));
            ask(&format!("when {cause} != ReadSlot"));
            assert!(ask("continue").contains("!= ReadSlot"));
            assert!(!ask(&format!("print {cause}")).contains("ReadSlot"));
        }
        for (line, says) in [
            ("warp 9.9", "is not resident now"),
            ("lane 32", "no lane 32"),
            ("break line 1", "the next line with instructions"),
            ("delete 7", "no breakpoint 7"),
            ("memory global:0x3fffc 2", "not all in global memory"),
            (
                "print top.nothing",
                if has_signals { "no signal" } else { "use --engine rtl" },
            ),
            ("set R100 = 1", "16 registers"),
            ("set R0.u8 = 300", "does not fit"),
            (
                "flip top.sm[0].idle 9",
                if has_signals { "no bit 9" } else { "no flip-flops" },
            ),
            ("join", "on one path"),
            (
                "when top.sm[0].scheduler.s_cause == Nonsense",
                if has_signals { "ReadSlot" } else { "use --engine rtl" },
            ),
            (
                "when top.sm[0].scheduler.s_cause == 3",
                if has_signals { "is an enum" } else { "use --engine rtl" },
            ),
            (
                "when top.sm[0].idle == ReadSlot",
                if has_signals {
                    "expected a number"
                } else {
                    "use --engine rtl"
                },
            ),
        ] {
            let error = console.run(line).unwrap_err().to_string();
            assert!(error.contains(says), "{line}: {error}");
        }
        Ok(())
    });
}

fn script(text: &str, arguments: &[&str]) -> (bool, String, String) {
    let folder = Folder::sass(PROGRAM);
    let path = folder.path().join("script.txt");
    std::fs::write(&path, text).unwrap();
    let mut all = vec!["debug", "--script", path.to_str().unwrap()];
    all.extend(arguments);
    let output = flexgrip(&all, folder.path());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn script_echoes_its_commands_and_ends() {
    for engine in ["model", "rtl"] {
        let commands = "# a comment\nbreak loop\ncontinue\nback\nbreak line 11\nquit\nnever read\n";
        let (success, shown, errors) = script(commands, &["--engine", engine]);
        assert!(success, "{errors}");
        assert!(
            shown.contains("> continue\nbreakpoint 1: warp 0.0 before loop\n"),
            "{shown}"
        );
        assert!(shown.contains("at the beginning"), "{shown}");
        assert!(
            shown.ends_with("note: never reached: breakpoint 2: before line 11 (0x0038)\n"),
            "{shown}"
        );
    }
}

#[test]
fn script_errors_have_their_line() {
    let (success, _, errors) = script("step\n\nstpe\n", &[]);
    assert!(!success);
    assert!(
        errors.contains("script.txt:3:1: unknown command `stpe`; did you mean `step`?"),
        "{errors}"
    );
    let output = flexgrip(&["debug", "--script", "/nowhere/script.txt"], Path::new("kernels/none"));
    assert_eq!(output.status.code(), Some(1));
    let (success, _, errors) = script("step\n", &["--trace", "-"]);
    assert!(!success && errors.contains("--trace are for run"), "{errors}");
}
