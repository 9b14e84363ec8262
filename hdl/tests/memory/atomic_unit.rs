//! Tests the atomic unit. Ordinary requests and answers pass unchanged and in order. Operations have the results of
//! `flexgrip_arith::atomic`, and no other request is between their read and their write. Also compares the unit with
//! its Verilog.

use flexgrip_hdl::bundles::AtomicOperation;
use flexgrip_hdl::memory::atomic_unit::AtomicUnit;
use flexgrip_isa::{Atomic, Atomic32, Atomic64};
use hdlkit::lint::lint;
use hdlkit::prelude::*;
use hdlkit_compiled::cosim::{cosim, CosimError};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Words of memory: few, to make operations access the same word.
const WORDS: u32 = 64;
/// The numbers of operations of 32 bits.
const NUMBERS: [u32; 10] = [0, 1, 2, 4, 5, 6, 7, 10, 11, 12];

/// A request of an SM.
#[derive(Clone, Copy, Debug)]
enum Request {
    Read { segment: u32 },
    Write { segment: u32, word: u32, value: u32 },
    Atomic { number: u32, is_signed: bool, wide: bool, address: u32, b: u64, c: u64 },
}

fn value(rng: &mut ChaCha8Rng) -> u64 {
    match rng.gen_range(0..4) {
        0 => rng.gen_range(0..3),
        1 => u64::MAX - rng.gen_range(0..3),
        2 => 0x7fff_ffff_7fff_ffff + rng.gen_range(0..3),
        _ => rng.gen(),
    }
}

fn request(rng: &mut ChaCha8Rng, lanes: u32) -> Request {
    let segment = 4 * rng.gen_range(0..WORDS / lanes) * lanes;
    match rng.gen_range(0..4) {
        0 => Request::Read { segment },
        1 => Request::Write { segment, word: rng.gen_range(0..lanes), value: rng.gen() },
        _ => {
            let wide = rng.gen_bool(0.3);
            let is_signed = !wide && rng.gen_bool(0.3);
            let numbers: &[u32] = match (wide, is_signed) {
                (true, _) => &[0, 1, 2],
                (_, true) => &[0, 6, 7],
                _ => &NUMBERS,
            };
            let bytes = if wide { 8 } else { 4 };
            Request::Atomic {
                number: numbers[rng.gen_range(0..numbers.len())],
                is_signed,
                wide,
                address: bytes * rng.gen_range(0..4 * WORDS / bytes),
                b: value(rng),
                c: value(rng),
            }
        }
    }
}

/// The word, or the two words, at an address.
fn load(memory: &[u32], address: u32, wide: bool) -> u64 {
    let word = address as usize / 4;
    let high = if wide { memory[word + 1] } else { 0 };
    u64::from(high) << 32 | u64::from(memory[word])
}

/// Executes a request on a memory. Returns the old value if it is an atomic operation.
fn execute(memory: &mut [u32], request: Request) -> Option<u64> {
    match request {
        Request::Read { .. } => None,
        Request::Write { segment, word, value } => {
            memory[(segment / 4 + word) as usize] = value;
            None
        }
        Request::Atomic { number, is_signed, wide, address, b, c } => {
            let atomic = match wide {
                true => Atomic::Long(Atomic64::from_bits(number).unwrap()),
                false => Atomic::Word(Atomic32::from_bits(number, is_signed).unwrap()),
            };
            let old = load(memory, address, wide);
            let new = atomic.compute(old, b, c);
            memory[address as usize / 4] = new as u32;
            if wide {
                memory[address as usize / 4 + 1] = (new >> 32) as u32;
            }
            Some(old)
        }
    }
}

/// Drives the unit's request.
fn drive<const LANES: usize>(unit: &mut AtomicUnit<LANES>, request: Option<Request>, rng: &mut ChaCha8Rng) {
    unit.request_valid.next = request.is_some();
    // Without a request, the other inputs must not matter.
    unit.request_write.next = rng.gen();
    unit.request_atomic.next = AtomicOperation { valid: rng.gen(), ..Default::default() };
    match request {
        None => {}
        Some(Request::Read { segment }) => {
            unit.request_write.next = false;
            unit.request_atomic.next.valid = false;
            unit.request_address.next = Bits::new(segment.into());
        }
        Some(Request::Write { segment, .. }) => {
            unit.request_write.next = true;
            unit.request_atomic.next.valid = false;
            unit.request_address.next = Bits::new(segment.into());
        }
        Some(Request::Atomic { number, is_signed, wide, address, b, c }) => {
            unit.request_write.next = false;
            unit.request_atomic.next =
                AtomicOperation { valid: true, number: Bits::new(number.into()), is_signed, wide };
            unit.request_address.next = Bits::new(address.into());
            for (port, word) in unit.operand.iter_mut().zip([b, b >> 32, c, c >> 32]) {
                port.next = Bits::new(word & 0xffff_ffff);
            }
        }
    }
}

/// Runs random requests. The memory is ready in one of `slow` cycles, and after a unit's write stays busy for up to
/// `busy` cycles; then `fails` is the probability that another master has changed a word, and the write was not done.
fn executes<const LANES: usize>(seed: u64, slow: u32, busy: u32, fails: f64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut engine = CycleEngine::new(Box::new(AtomicUnit::<LANES>::new()));
    let mut memory: Vec<u32> = (0..WORDS).map(|_| rng.gen()).collect();
    // The memory after all requests that have been taken, executed at once.
    let mut expected = memory.clone();
    let mut waiting: Option<Request> = None;
    // The answers due: the segment's words for a read, the old value for an operation.
    let mut due: VecDeque<Result<Vec<u32>, (u32, bool, u64)>> = VecDeque::new();
    let mut reads: VecDeque<(u64, Vec<u32>)> = VecDeque::new();
    let (mut operations, mut answers, mut failures) = (0, 0, 0);
    // The operation in the unit, with the memory before it; then the cycles until its write is done, and if it failed.
    let mut inside: Option<(Request, Vec<u32>)> = None;
    let mut writing: Option<(u32, bool)> = None;
    let mut between = false;
    for cycle in 0..20_000 {
        if waiting.is_none() && due.len() < 16 && rng.gen_bool(0.7) {
            waiting = Some(request(&mut rng, LANES as u32));
        }
        drive(&mut engine.block, waiting, &mut rng);
        let ready = rng.gen_range(0..slow) == 0;
        let answer = match reads.front() {
            Some((at, _)) if *at <= cycle && rng.gen() => reads.pop_front(),
            _ => None,
        };
        let block = &mut engine.block;
        block.memory_ready.next = ready;
        // The memory's state matters only when the unit waits for its write.
        block.memory_busy.next = writing.map_or_else(|| rng.gen(), |(left, _)| left > 0);
        block.memory_failed.next = match writing {
            Some((0, failed)) => failed,
            _ => rng.gen(),
        };
        block.memory_response.next = answer.is_some();
        for (i, port) in block.memory_data.iter_mut().enumerate() {
            port.next = Bits::new(answer.as_ref().map_or_else(|| rng.gen::<u32>(), |(_, words)| words[i]).into());
        }
        engine.settle();

        let block = &engine.block;
        if block.response_valid.val() {
            answers += 1;
            match due.pop_front().expect("an answer is due") {
                Ok(words) => {
                    assert!(!block.answers.val(), "cycle {cycle}");
                    assert_eq!(Some(words), answer.map(|(_, words)| words), "cycle {cycle}");
                }
                Err((address, wide, old)) => {
                    assert!(block.answers.val(), "cycle {cycle}");
                    let words = [block.old_even.val().raw() as u32, block.old_odd.val().raw() as u32];
                    let low = words[(address / 4 % 2) as usize];
                    let high = if wide { words[1] } else { 0 };
                    assert_eq!(u64::from(high) << 32 | u64::from(low), old, "cycle {cycle}");
                }
            }
        }
        // From the operation's read until its write has been taken the memory is locked.
        assert!(block.locked.val() || !between, "cycle {cycle}");
        assert!(block.locked.val() || !(block.memory_valid.val() && block.own.val()), "cycle {cycle}");
        assert!(!block.locked.val() || inside.is_some(), "cycle {cycle}");
        writing = match writing {
            Some((0, failed)) => {
                if failed {
                    failures += 1;
                } else {
                    inside = None;
                }
                None
            }
            Some((left, failed)) => {
                assert!(!block.locked.val(), "cycle {cycle}");
                Some((left - 1, failed))
            }
            None => None,
        };
        // The memory's side: a request that is taken.
        if block.memory_valid.val() && ready {
            let address = block.memory_address.val().raw() as u32;
            let first = (address / 4) as usize;
            assert_eq!(first % LANES, 0, "cycle {cycle}: {address:#x}");
            match (block.memory_write.val(), block.own.val()) {
                (false, own) => {
                    between |= own;
                    let words = memory[first..first + LANES].to_vec();
                    reads.push_back((cycle + rng.gen_range(1..6), words));
                }
                (true, true) if rng.gen_bool(fails) => {
                    // Another master has changed a word before the operation: it is executed again.
                    between = false;
                    writing = Some((rng.gen_range(0..=busy), true));
                    let (operation, before) = inside.as_mut().expect("an operation");
                    let Request::Atomic { address, wide, .. } = *operation else {
                        panic!("cycle {cycle}: {operation:?}")
                    };
                    let word = address as usize / 4 + rng.gen_range(0..=usize::from(wide));
                    memory[word] = rng.gen();
                    before[word] = memory[word];
                    expected.clone_from(before);
                    let old = execute(&mut expected, *operation).unwrap();
                    *due.back_mut().expect("the operation's answer is due") = Err((address, wide, old));
                }
                (true, true) => {
                    between = false;
                    writing = Some((rng.gen_range(0..=busy), false));
                    let new = [block.new_even.val().raw() as u32, block.new_odd.val().raw() as u32];
                    for word in (0..LANES).filter(|word| block.words.val().get_bit(*word)) {
                        memory[first + word] = new[word % 2];
                    }
                    assert!(block.words.val().raw().count_ones() <= 2);
                }
                (true, false) => {
                    let Some(request @ Request::Write { .. }) = waiting else { panic!("cycle {cycle}: {waiting:?}") };
                    execute(&mut memory, request);
                }
            }
        }
        // The SMs' side.
        let taken = waiting.filter(|_| block.request_ready.val());
        if let Some(request) = taken {
            let before = expected.clone();
            let old = execute(&mut expected, request);
            match request {
                Request::Read { segment } => {
                    let first = (segment / 4) as usize;
                    due.push_back(Ok(expected[first..first + LANES].to_vec()));
                }
                Request::Write { .. } => {}
                Request::Atomic { address, wide, .. } => {
                    operations += 1;
                    inside = Some((request, before));
                    due.push_back(Err((address, wide, old.unwrap())));
                }
            }
            waiting = None;
        }
        if !block.busy.val() && !matches!(taken, Some(Request::Atomic { .. })) {
            assert_eq!(memory, expected, "cycle {cycle}");
        }
        engine.tick();
    }
    assert!(operations > 500 && answers > operations, "{operations} operations, {answers} answers");
    assert_eq!(failures > 100, fails > 0.0, "{failures} failures");
}

#[test]
fn operations_are_indivisible_and_answered_in_order() {
    for (seed, slow, busy) in [(1, 1, 0), (2, 3, 5)] {
        executes::<8>(seed, slow, busy, 0.0);
        executes::<16>(seed, slow, busy, 0.0);
        executes::<32>(seed, slow, busy, 0.0);
    }
}

#[test]
fn operations_start_again_until_their_write_is_done() {
    for (seed, slow, busy) in [(3, 1, 0), (4, 2, 5)] {
        executes::<8>(seed, slow, busy, 0.4);
        executes::<32>(seed, slow, busy, 0.4);
    }
}

#[test]
fn unit_has_no_findings() {
    let findings = lint(&AtomicUnit::<8>::new());
    let lines: Vec<String> = findings.iter().map(|finding| finding.to_string()).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

#[test]
fn unit_equals_its_verilog() {
    let mut awaited = 0u32;
    let stimulus = |unit: &mut AtomicUnit<8>, rng: &mut ChaCha8Rng, _: u64| {
        if unit.memory_valid.val() && !unit.memory_write.val() && unit.memory_ready.next {
            awaited += 1;
        }
        let next = rng.gen_bool(0.8).then(|| request(rng, 8));
        drive(unit, next, rng);
        unit.memory_ready.next = rng.gen_bool(0.7);
        unit.memory_response.next = awaited > 0 && rng.gen();
        unit.memory_busy.next = rng.gen();
        unit.memory_failed.next = rng.gen();
        awaited -= u32::from(unit.memory_response.next);
        for port in &mut unit.memory_data {
            port.next = Bits::new(value(rng) & 0xffff_ffff);
        }
    };
    match cosim(|| Box::new(AtomicUnit::<8>::new()), 5000, 3, stimulus) {
        Ok(report) => assert_eq!(report.outputs_that_changed, report.outputs, "{report:?}"),
        Err(CosimError::Missing { tool, .. }) => println!("skipped: no {tool}"),
        Err(error) => panic!("{error}"),
    }
}
