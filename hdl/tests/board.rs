//! The board's circuits, one by one: UART, frames, the serial host on a bus with random behaviour, block memory; and
//! each against its own Verilog.

use flexgrip_hdl::board::block_memory::{BlockMemory, LATENCY};
use flexgrip_hdl::board::checksum::Checksum;
use flexgrip_hdl::board::frame_reader::FrameReader;
use flexgrip_hdl::board::frame_writer::FrameWriter;
use flexgrip_hdl::board::lane_board::{LaneBoard, LANE_LIGHT_ANSWER, LANE_LIGHT_GARBLED, LANE_LIGHT_REQUEST};
use flexgrip_hdl::board::lane_host::{control_word, LaneHost};
use flexgrip_hdl::board::protocol::{self, Answer, AnswerReader, Identification, FLAG, MOST_WORDS};
use flexgrip_hdl::board::serial_host::SerialHost;
use flexgrip_hdl::board::uart_receiver::UartReceiver;
use flexgrip_hdl::board::uart_transmitter::UartTransmitter;
use flexgrip_testbench::axi_slave::BenchMemory;
use flexgrip_testbench::integer_cases::{random_case, Case, KINDS};
use hdlkit::lint::lint;
use hdlkit::prelude::*;
use hdlkit_compiled::cosim::cosim;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, VecDeque};

type Random = ChaCha8Rng;

fn random(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}

/// The output of a receiver.
#[derive(Debug, PartialEq)]
enum Found {
    Byte(u8),
    FramingError,
}

/// Runs a receiver of `clocks_per_bit` over a line with the given level in each cycle.
fn receive(clocks_per_bit: u32, line: impl Iterator<Item = bool>) -> Vec<Found> {
    let mut engine = CycleEngine::new(Box::new(UartReceiver::new(clocks_per_bit)));
    let mut found = vec![];
    for level in line {
        engine.block.uart_rx.next = level;
        engine.settle();
        if engine.block.byte_valid.val() {
            found.push(Found::Byte(engine.block.data.val().raw() as u8));
        }
        if engine.block.framing_error.val() {
            found.push(Found::FramingError);
        }
        assert!(!(engine.block.byte_valid.val() && engine.block.framing_error.val()));
        engine.tick();
    }
    found
}

/// The ten bits of a byte.
fn bits(byte: u8) -> Vec<bool> {
    let mut bits = vec![false];
    bits.extend((0..8).map(|bit| byte >> bit & 1 == 1));
    bits.push(true);
    bits
}

/// A line with these bits, each `clocks` cycles long, not necessarily a whole number.
fn line(bits: &[bool], clocks: f64) -> Vec<bool> {
    let cycles = (bits.len() as f64 * clocks) as usize;
    (0..cycles)
        .map(|cycle| bits[(cycle as f64 / clocks) as usize])
        .collect()
}

#[test]
fn bytes_are_received_at_speeds_a_little_off() {
    let mut rng = random(1);
    // The sampling point is accurate to one cycle: short bits leave less room.
    for (clocks_per_bit, tolerance) in [(4, 0.0), (8, 0.01), (16, 0.03), (434, 0.04), (5208, 0.04)] {
        for off in [-tolerance, 0.0, tolerance] {
            let count = 2000 / clocks_per_bit as usize + 20;
            let bytes: Vec<u8> = (0..count).map(|_| rng.gen()).collect();
            let stream: Vec<bool> = bytes.iter().flat_map(|byte| bits(*byte)).collect();
            // Idle before, and long enough afterwards.
            let mut levels = vec![true; 10];
            levels.extend(line(&stream, f64::from(clocks_per_bit) * (1.0 + off)));
            levels.extend(vec![true; 20 * clocks_per_bit as usize]);
            let want: Vec<Found> = bytes.into_iter().map(Found::Byte).collect();
            assert_eq!(
                receive(clocks_per_bit, levels.into_iter()),
                want,
                "{clocks_per_bit} cycles, {off}"
            );
        }
    }
}

#[test]
fn disturbances_of_the_line_are_no_bytes() {
    let rest = vec![true; 40];
    // A glitch shorter than half a bit.
    let glitch = [rest.clone(), vec![false; 6], rest.clone()].concat();
    assert_eq!(receive(16, glitch.into_iter()), []);
    // Low for long, then a good byte.
    let held = [
        rest.clone(),
        vec![false; 1000],
        rest.clone(),
        line(&bits(0x5a), 16.0),
        rest.clone(),
    ]
    .concat();
    assert_eq!(receive(16, held.into_iter()), [Found::FramingError, Found::Byte(0x5a)]);
    // At power-up all registers are 0 and the line is high.
    assert_eq!(receive(4, std::iter::repeat_n(true, 500)), []);
}

#[test]
fn sent_bytes_have_ten_bits_each() {
    let mut rng = random(2);
    for clocks_per_bit in [4, 16, 100] {
        let bytes: Vec<u8> = (0..20).map(|_| rng.gen()).collect();
        let mut engine = CycleEngine::new(Box::new(UartTransmitter::new(clocks_per_bit)));
        let mut left: VecDeque<u8> = bytes.iter().copied().collect();
        let mut levels = vec![];
        let mut taken = vec![];
        for cycle in 0..(25 * 10 * u64::from(clocks_per_bit)) {
            engine.block.byte_valid.next = !left.is_empty();
            engine.block.data.next = Bits::new(left.front().copied().unwrap_or(0).into());
            engine.settle();
            levels.push(engine.block.uart_tx.val());
            if engine.block.byte_ready.val() && !left.is_empty() {
                left.pop_front();
                taken.push(cycle);
            }
            engine.tick();
        }
        // One byte every ten bits, plus the cycle in which it is accepted.
        let gap = 10 * u64::from(clocks_per_bit) + 1;
        assert_eq!(taken, (0..20).map(|byte| byte * gap).collect::<Vec<_>>());
        for (byte, at) in bytes.iter().zip(taken) {
            let start = at as usize + 1;
            let sent = &levels[start..start + 10 * clocks_per_bit as usize];
            assert_eq!(sent, line(&bits(*byte), clocks_per_bit.into()));
        }
        assert!(levels[levels.len() - 100..].iter().all(|level| *level), "at rest");
        let want: Vec<Found> = bytes.into_iter().map(Found::Byte).collect();
        assert_eq!(receive(clocks_per_bit, levels.into_iter()), want);
    }
}

#[test]
fn the_checksum_is_the_protocols() {
    let mut engine = CycleEngine::new(Box::new(Checksum::blank()));
    let mut rng = random(3);
    for _ in 0..100_000 {
        let (sum, byte): (u16, u8) = rng.gen();
        engine.block.sum_before.next = Bits::new(sum.into());
        engine.block.data.next = Bits::new(byte.into());
        engine.settle();
        let want = protocol::checksum_with(sum, byte);
        assert_eq!(
            engine.block.sum_after.val().raw(),
            u64::from(want),
            "{sum:#x}, {byte:#x}"
        );
    }
}

/// A serial host between two lines of bytes and a bus.
struct Host {
    engine: CycleEngine<SerialHost>,
    rng: Random,
    memory: BTreeMap<u32, u32>,
    /// Addresses that are rejected.
    bad: std::ops::Range<u32>,
    /// Cycles that the current access still takes.
    wait: u32,
    /// Number of writes and reads, including rejected ones.
    writes: u32,
    reads: u32,
    answers: AnswerReader,
}

const BOARD: Identification = Identification {
    instruction_bytes: 0x1234_5678,
    constant_bytes: 0x7d_7c7b,
    registers: 1 << 30,
    global_bytes: 0x9abc_def0,
};

impl Host {
    fn new(seed: u64) -> Self {
        Host {
            engine: CycleEngine::new(Box::new(SerialHost::new(BOARD))),
            rng: random(seed),
            memory: BTreeMap::new(),
            bad: 0..0,
            wait: 0,
            writes: 0,
            reads: 0,
            answers: AnswerReader::default(),
        }
    }

    /// Runs one cycle and returns its result.
    fn step(&mut self, received: Option<u8>, framing_error: bool) -> Option<Answer> {
        let block = &mut self.engine.block;
        block.received_valid.next = received.is_some();
        block.received.next = Bits::new(received.unwrap_or_else(|| self.rng.gen()).into());
        block.framing_error.next = framing_error;
        block.sent_ready.next = self.rng.gen_range(0..3) == 0;
        block.host_acknowledge.next = false;
        block.host_error.next = false;
        block.host_read_data.next = Bits::new(self.rng.gen::<u32>().into());
        self.engine.settle();
        let block = &mut self.engine.block;
        assert_eq!(block.host_cycle.val(), block.host_strobe.val());
        if block.host_strobe.val() {
            if self.wait > 0 {
                self.wait -= 1;
            } else {
                self.wait = self.rng.gen_range(0..4);
                let address = block.host_address.val().raw() as u32;
                let refused = self.bad.contains(&address);
                block.host_acknowledge.next = !refused;
                block.host_error.next = refused;
                if block.host_write.val() {
                    self.writes += 1;
                    if !refused {
                        self.memory.insert(address, block.host_write_data.val().raw() as u32);
                    }
                } else {
                    self.reads += 1;
                    let word = self.memory.get(&address).copied().unwrap_or(address ^ 0x55);
                    block.host_read_data.next = Bits::new(word.into());
                }
            }
        }
        self.engine.settle();
        let block = &self.engine.block;
        let sent = (block.sent_valid.val() && block.sent_ready.val()).then(|| block.sent.val().raw() as u8);
        self.engine.tick();
        let answer = sent.and_then(|byte| self.answers.push(byte))?;
        Some(answer.unwrap_or_else(|error| panic!("{error}")))
    }

    /// Sends bytes and returns the host's answers until everything is idle.
    fn bytes(&mut self, bytes: &[u8]) -> Vec<Answer> {
        let mut found = vec![];
        for byte in bytes {
            found.extend(self.step(Some(*byte), false));
            for _ in 0..self.rng.gen_range(2..6) {
                found.extend(self.step(None, false));
            }
        }
        for _ in 0..20 {
            found.extend(self.step(None, false));
        }
        let mut cycles = 0;
        while found.is_empty() && cycles < 3000 {
            found.extend(self.step(None, false));
            cycles += 1;
        }
        for _ in 0..20 {
            found.extend(self.step(None, false));
        }
        found
    }

    /// Sends a request and returns its only answer.
    #[track_caller]
    fn ask(&mut self, opcode: u8, count: u8, address: u32, words: &[u32]) -> Answer {
        let tag = self.rng.gen();
        let mut bytes = protocol::request(opcode, tag, count, address, words);
        if opcode == protocol::FILL {
            // The answer takes long: it waits for all of its accesses.
            let mut answers = vec![];
            for byte in bytes.drain(..) {
                answers.extend(self.step(Some(byte), false));
                answers.extend(self.step(None, false));
            }
            for _ in 0..200_000 {
                answers.extend(self.step(None, false));
                if !answers.is_empty() {
                    break;
                }
            }
            assert_eq!(answers.len(), 1);
            assert_eq!(answers[0].tag, tag);
            return answers.remove(0);
        }
        let mut answers = self.bytes(&bytes);
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert_eq!(answers[0].tag, tag);
        assert!(!self.engine.block.busy.val());
        answers.remove(0)
    }
}

fn done(words: &[u32]) -> (u8, Vec<u32>) {
    (protocol::DONE, words.to_vec())
}

fn result(answer: Answer) -> (u8, Vec<u32>) {
    (answer.status, answer.words)
}

#[test]
fn requests_are_done_and_answered() {
    let mut host = Host::new(4);
    assert_eq!(result(host.ask(protocol::IDENTIFY, 0, 0, &[])), done(&BOARD.words()));
    for round in 0..60 {
        let count = match round {
            0 => 1,
            1 => MOST_WORDS,
            _ => host.rng.gen_range(1..=MOST_WORDS),
        };
        // Among them bytes that need escaping.
        let words: Vec<u32> = (0..count)
            .map(|_| match host.rng.gen_range(0..3) {
                0 => u32::from_le_bytes([FLAG, protocol::ESCAPE, FLAG ^ protocol::ESCAPED_BY, FLAG]),
                _ => host.rng.gen(),
            })
            .collect();
        let address = host.rng.gen::<u32>() & 0x7fff_fffc;
        assert_eq!(
            result(host.ask(protocol::WRITE, count as u8, address, &words)),
            done(&[])
        );
        assert_eq!(
            result(host.ask(protocol::READ, count as u8, address, &[])),
            done(&words)
        );
        let before: Vec<u32> = (1..=3).map(|place| (address - 4 * place) ^ 0x55).rev().collect();
        if address >= 12 && !host.memory.contains_key(&(address - 12)) {
            assert_eq!(result(host.ask(protocol::READ, 3, address - 12, &[])), done(&before));
        }
    }
    // A fill writes all of its words, and none after them.
    for units in [1, 3, 255] {
        host.memory.clear();
        let address = 0x8000_0000;
        assert_eq!(
            result(host.ask(protocol::FILL, units, address, &[0xdead_beef])),
            done(&[])
        );
        let want = u32::from(units) * 64;
        assert_eq!(host.memory.len() as u32, want);
        for word in 0..want {
            assert_eq!(host.memory[&(address + 4 * word)], 0xdead_beef);
        }
    }
}

#[test]
fn what_the_bus_refuses_is_told_with_its_address() {
    let mut host = Host::new(5);
    host.bad = 0x20..0x24;
    let words: Vec<u32> = (1..=16).collect();
    assert_eq!(
        result(host.ask(protocol::WRITE, 16, 0, &words)),
        (protocol::REFUSED, vec![0x20])
    );
    // The words before the error are written, those after it are not.
    assert_eq!(host.memory.values().copied().collect::<Vec<_>>(), words[..8]);
    assert_eq!(host.writes, 9);
    assert_eq!(
        result(host.ask(protocol::READ, 16, 0, &[])),
        (protocol::REFUSED, vec![0x20])
    );
    assert_eq!(
        result(host.ask(protocol::FILL, 2, 0, &[7])),
        (protocol::REFUSED, vec![0x20])
    );
    assert_eq!(
        result(host.ask(protocol::READ, 2, 0x1c, &[])),
        (protocol::REFUSED, vec![0x20])
    );
    assert_eq!(result(host.ask(protocol::READ, 1, 0x1c, &[])), done(&[7]));
}

#[test]
fn what_is_no_request_is_told_and_changes_nothing() {
    let mut host = Host::new(6);
    for (opcode, count) in [
        (0, 0),
        (5, 1),
        (0xff, 1),
        (protocol::IDENTIFY, 1),
        (protocol::READ, 0),
        (protocol::READ, 65),
        (protocol::WRITE, 0),
        (protocol::WRITE, 255),
        (protocol::FILL, 0),
    ] {
        assert_eq!(
            result(host.ask(opcode, count, 0, &[])),
            (protocol::MALFORMED, vec![]),
            "opcode {opcode}, count {count}"
        );
        assert!(host.engine.block.line_error.val());
    }
    assert_eq!((host.reads, host.writes), (0, 0));
    assert_eq!(result(host.ask(protocol::WRITE, 1, 0, &[1])), done(&[]));
    assert!(!host.engine.block.line_error.val());
}

/// Any flipped bit in a request: nothing happens on the bus, and the next request is understood.
#[test]
fn a_garbled_request_is_never_done() {
    let mut host = Host::new(7);
    let request = protocol::request(protocol::WRITE, 9, 2, 0x100, &[0x0102_0304, 0x7e05_0607]);
    let mut told = 0;
    for place in 0..request.len() {
        for bit in 0..8 {
            let mut garbled = request.clone();
            garbled[place] ^= 1 << bit;
            let answers = host.bytes(&garbled);
            assert!(answers.len() <= 1);
            for answer in answers {
                assert!(
                    [protocol::BAD_CHECKSUM, protocol::MALFORMED].contains(&answer.status),
                    "{answer:?}"
                );
                told += 1;
            }
            assert_eq!((host.writes, host.reads), (0, 0), "byte {place}, bit {bit}");
        }
        // A lost byte.
        let mut short = request.clone();
        short.remove(place);
        assert!(host.bytes(&short).iter().all(|answer| answer.status != protocol::DONE));
        assert_eq!((host.writes, host.reads), (0, 0), "byte {place} lost");
        assert_eq!(result(host.ask(protocol::IDENTIFY, 0, 0, &[])), done(&BOARD.words()));
    }
    assert!(told > 50, "only {told} of the garbled requests were told of");
}

#[test]
fn garbage_framing_errors_and_resets_leave_a_host_that_listens() {
    let mut host = Host::new(8);
    for round in 0..100 {
        let garbage: Vec<u8> = (0..round).map(|_| host.rng.gen_range(0..8)).collect();
        assert!(host.bytes(&garbage).is_empty(), "garbage without a flag is answered");
        // A request cut off at some point, then a line failure.
        let request = protocol::request(protocol::WRITE, 1, 3, 0, &[1, 2, 3]);
        let part = &request[..host.rng.gen_range(1..request.len())];
        assert!(host.bytes(part).is_empty());
        host.step(None, true);
        host.step(None, false);
        assert!(!host.engine.block.busy.val() && host.engine.block.line_error.val());
        assert!(host.bytes(&request[part.len()..]).is_empty());
        assert_eq!(host.writes, round);
        // A reset in the middle of a request.
        assert!(host.bytes(part).is_empty());
        host.engine.block.reset.next = true;
        host.step(None, false);
        host.engine.block.reset.next = false;
        host.step(None, false);
        assert!(!host.engine.block.busy.val() && !host.engine.block.line_error.val());
        assert_eq!(result(host.ask(protocol::WRITE, 1, 4, &[round])), done(&[]));
    }
}

/// Random requests to few lines, to force conflicts: answers come when they are due, with the data written before.
fn memory_requests<const LANES: usize>(seed: u64) {
    const BYTES: u32 = 1024;
    let mut rng = random(seed);
    let mut engine = CycleEngine::new(Box::new(BlockMemory::<LANES>::new(BYTES)));
    let mut reference = BenchMemory {
        words: vec![0; BYTES as usize / 4],
        ..Default::default()
    };
    // The answers due: their cycles and words.
    let mut due: VecDeque<(u64, Vec<Option<u32>>)> = VecDeque::new();
    let (mut writes, mut answered) = (0, 0);
    for cycle in 0..2000u64 {
        let valid = rng.gen_range(0..3) != 0;
        let write = rng.gen();
        let address = rng.gen_range(0..(BYTES / 4 / LANES as u32).min(5)) * LANES as u32 * 4;
        let block = &mut engine.block;
        block.request_valid.next = valid;
        block.request_write.next = write;
        block.request_address.next = Bits::new(address.into());
        let mut words = vec![];
        for i in 0..LANES {
            let (data, enable) = (rng.gen(), rng.gen_range(0..16));
            block.request_data[i].next = Bits::new(u32::into(data));
            block.request_enable[i].next = Bits::new(u8::into(enable));
            let place = address + 4 * i as u32;
            if valid {
                words.push(reference.access(place, write.then_some((data, enable))));
            }
        }
        engine.settle();
        let block = &engine.block;
        assert!(block.request_ready.val() && !block.memory_error.val() && !block.memory_busy.val());
        let answer = due.front().is_some_and(|(when, _)| *when == cycle);
        assert_eq!(block.response_valid.val(), answer);
        if answer {
            let got = block.response_data.each_ref().map(|word| Some(word.val().raw() as u32));
            assert_eq!(due.pop_front().map(|(_, words)| words).as_deref(), Some(&got[..]));
            answered += 1;
        }
        if valid && write {
            writes += 1;
        } else if valid {
            due.push_back((cycle + u64::from(LATENCY), words));
        }
        engine.tick();
    }
    assert!(writes > 300 && answered > 300, "{writes} writes, {answered} answers");
}

#[test]
fn block_memory_keeps_what_is_written() {
    memory_requests::<8>(1);
    memory_requests::<16>(2);
    memory_requests::<32>(3);
}

/// Beyond the end: an error [`LATENCY`] cycles later, an answer to a read, nothing written.
#[test]
fn block_memory_refuses_what_it_does_not_have() {
    let mut engine = CycleEngine::new(Box::new(BlockMemory::<8>::new(1024)));
    let mut step = |request: Option<(bool, u32)>| {
        let block = &mut engine.block;
        block.request_valid.next = request.is_some();
        let (write, address) = request.unwrap_or_default();
        block.request_write.next = write;
        block.request_address.next = Bits::new(address.into());
        for i in 0..8 {
            block.request_data[i].next = Bits::new(0x77);
            block.request_enable[i].next = Bits::new(15);
        }
        engine.settle();
        let block = &engine.block;
        let seen = (
            block.response_valid.val(),
            block.memory_error.val(),
            block.memory_busy.val(),
            block.response_data[0].val().raw(),
        );
        engine.tick();
        seen
    };
    for address in [1024, 2048, 0x8000_0000 - 32, 0xffff_ffe0] {
        assert_eq!(step(Some((true, address))), (false, false, false, 0));
        let (response, error, busy, _) = step(Some((false, address)));
        assert_eq!((response, error, busy), (false, false, true));
        let (response, error, busy, _) = step(None);
        assert_eq!((response, error, busy), (false, false, true));
        let (response, error, busy, _) = step(None);
        assert_eq!((response, error, busy), (false, true, true));
        let (response, error, busy, _) = step(None);
        assert_eq!((response, error, busy), (true, true, true));
        assert!(!step(None).2);
        // It has not wrapped around to another address.
        step(Some((false, address & 1023)));
        step(None);
        step(None);
        assert_eq!(step(None), (true, false, false, 0));
    }
    step(Some((true, 1024 - 32)));
    step(Some((false, 1024 - 32)));
    step(None);
    step(None);
    assert_eq!(step(None), (true, false, false, 0x77));
}

/// Fails with the difference, and also if no output ever changed.
macro_rules! equal {
    ($make:expr, $cycles:literal, $stimulus:expr) => {
        equal!($make, $cycles, 0, $stimulus)
    };
    // With the number of constant outputs.
    ($make:expr, $cycles:literal, $constant:literal, $stimulus:expr) => {{
        let report = cosim(|| Box::new($make), $cycles, 1, $stimulus).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            report.outputs_that_changed + $constant,
            report.outputs,
            "an output never moves"
        );
        assert_eq!(lint(&$make), []);
    }};
}

#[test]
fn the_uart_is_its_verilog() {
    equal!(UartReceiver::new(5), 6000, |block: &mut UartReceiver, rng, cycle| {
        if cycle % 5 == 0 {
            block.uart_rx.next = rng.gen_range(0..3) != 0;
        }
    });
    equal!(UartTransmitter::new(7), 4000, |block: &mut UartTransmitter, rng, _| {
        block.byte_valid.next = rng.gen_range(0..40) == 0;
        block.data.next = Bits::new(rng.gen::<u8>().into());
    });
}

fn byte(rng: &mut Random) -> u8 {
    match rng.gen_range(0..4) {
        0 => FLAG,
        1 => protocol::ESCAPE,
        _ => rng.gen(),
    }
}

#[test]
fn frames_are_their_verilog() {
    equal!(Checksum::blank(), 2000, |block: &mut Checksum, rng, _| {
        block.sum_before.next = Bits::new(rng.gen::<u16>().into());
        block.data.next = Bits::new(rng.gen::<u8>().into());
    });
    // Frames with checksums, so that some are intact.
    let mut line: VecDeque<u8> = VecDeque::new();
    equal!(FrameReader::new(), 4000, |block: &mut FrameReader, rng, _| {
        if line.is_empty() {
            let bytes: Vec<u8> = (0..rng.gen_range(1..9)).map(|_| byte(rng)).collect();
            line.extend(protocol::frame(&bytes));
        }
        let valid = rng.gen_range(0..3) == 0;
        block.byte_valid.next = valid;
        block.received.next = Bits::new(byte(rng).into());
        if valid {
            block.received.next = Bits::new(line.pop_front().unwrap_or(0).into());
        }
    });
    equal!(FrameWriter::new(), 4000, |block: &mut FrameWriter, rng, _| {
        block.valid.next = rng.gen();
        block.flag_begins.next = rng.gen_range(0..9) == 0;
        block.checksum_ends.next = rng.gen_range(0..3) == 0;
        block.data.next = Bits::new(byte(rng).into());
        block.byte_ready.next = rng.gen();
    });
}

#[test]
fn the_serial_host_is_its_verilog() {
    let mut line: VecDeque<u8> = VecDeque::new();
    equal!(SerialHost::new(BOARD), 30_000, |block: &mut SerialHost, rng, _| {
        if line.is_empty() && !block.busy.val() {
            let opcode = rng.gen_range(0..5);
            let count = match opcode {
                protocol::IDENTIFY => rng.gen_range(0..4) / 3,
                protocol::FILL => rng.gen_range(0..3),
                _ => rng.gen_range(0..8),
            };
            let words: Vec<u32> = match opcode {
                protocol::WRITE => (0..count).map(|_| rng.gen()).collect(),
                protocol::FILL => vec![rng.gen()],
                _ => vec![],
            };
            line.extend(protocol::request(opcode, rng.gen(), count, rng.gen(), &words));
            if rng.gen_range(0..6) == 0 {
                line[6] ^= 1;
            }
        }
        let valid = rng.gen_range(0..3) == 0 && !line.is_empty();
        block.received_valid.next = valid;
        block.received.next = Bits::new(rng.gen::<u8>().into());
        if valid {
            block.received.next = Bits::new(line.pop_front().unwrap_or(0).into());
        }
        block.framing_error.next = rng.gen_range(0..500) == 0;
        block.reset.next = rng.gen_range(0..2000) == 0;
        block.sent_ready.next = rng.gen();
        let strobe = block.host_strobe.val();
        block.host_acknowledge.next = strobe && rng.gen();
        block.host_error.next = strobe && rng.gen_range(0..30) == 0;
        block.host_read_data.next = Bits::new(rng.gen::<u32>().into());
    });
}

/// The words of an operation request for a case; the bits above the carry are ignored.
fn operation(case: &Case, above: u32) -> [u32; protocol::OPERATION_WORDS] {
    let carry = above << 1 | u32::from(case.carry);
    [control_word(&case.control), case.a, case.b, case.c, carry]
}

/// The required result.
fn outcome(case: &Case) -> [u32; protocol::RESULT_WORDS] {
    [case.want.value, case.want.cc.bits().into()]
}

/// A lane's host between two lines of bytes.
struct Lane {
    engine: CycleEngine<LaneHost>,
    rng: Random,
    answers: AnswerReader,
    answered: u32,
}

impl Lane {
    fn new(seed: u64) -> Self {
        Lane {
            engine: CycleEngine::new(Box::new(LaneHost::new())),
            rng: random(seed),
            answers: AnswerReader::default(),
            answered: 0,
        }
    }

    /// Runs one cycle; returns the answer that ends in it.
    fn step(&mut self, received: Option<u8>, framing_error: bool) -> Option<Answer> {
        let block = &mut self.engine.block;
        block.received_valid.next = received.is_some();
        block.received.next = Bits::new(received.unwrap_or_else(|| self.rng.gen()).into());
        block.framing_error.next = framing_error;
        block.sent_ready.next = self.rng.gen_range(0..3) == 0;
        self.engine.settle();
        let block = &self.engine.block;
        let sent = (block.sent_valid.val() && block.sent_ready.val()).then(|| block.sent.val().raw() as u8);
        let answered = block.answered.val();
        self.engine.tick();
        let answer = sent.and_then(|byte| self.answers.push(byte));
        assert_eq!(answer.is_some(), answered, "the pulse is with an answer's last byte");
        self.answered += u32::from(answered);
        Some(answer?.unwrap_or_else(|error| panic!("{error}")))
    }

    /// Sends bytes and returns the answers until everything is idle.
    fn bytes(&mut self, bytes: &[u8]) -> Vec<Answer> {
        let mut found = vec![];
        for byte in bytes {
            found.extend(self.step(Some(*byte), false));
            for _ in 0..self.rng.gen_range(2..6) {
                found.extend(self.step(None, false));
            }
        }
        let mut quiet = 0;
        while quiet < 20 {
            found.extend(self.step(None, false));
            quiet = if self.engine.block.busy.val() { 0 } else { quiet + 1 };
        }
        found
    }

    /// Sends a request and returns its only answer.
    #[track_caller]
    fn ask(&mut self, opcode: u8, count: u8, words: &[u32]) -> (u8, Vec<u32>) {
        let (tag, address) = (self.rng.gen(), self.rng.gen());
        let mut answers = self.bytes(&protocol::request(opcode, tag, count, address, words));
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert_eq!(answers[0].tag, tag);
        result(answers.remove(0))
    }

    /// An operation.
    #[track_caller]
    fn execute(&mut self, case: &Case) {
        let words = operation(case, self.rng.gen::<u32>() >> 1);
        let found = self.ask(protocol::EXECUTE, protocol::OPERATION_WORDS as u8, &words);
        assert_eq!(found, done(&outcome(case)), "{case}");
    }
}

#[test]
fn a_lane_does_all_operations_of_its_host() {
    let mut lane = Lane::new(10);
    let identification = [protocol::LANE_IDENTIFICATION, 0, 0, 0];
    assert_eq!(lane.ask(protocol::IDENTIFY, 0, &[]), done(&identification));
    let mut rng = random(11);
    for round in 0..3000 {
        lane.execute(&random_case(&mut rng, round % KINDS));
    }
    assert_eq!(lane.ask(protocol::IDENTIFY, 0, &[]), done(&identification));
    assert_eq!(lane.answered, 3002);
}

#[test]
fn a_lanes_host_understands_no_other_request() {
    let mut lane = Lane::new(12);
    let mut rng = random(13);
    for (opcode, count) in [
        (0, 0),
        (protocol::IDENTIFY, 1),
        (protocol::READ, 1),
        (protocol::WRITE, 1),
        (protocol::FILL, 1),
        (protocol::EXECUTE, 0),
        (protocol::EXECUTE, 4),
        (protocol::EXECUTE, 6),
        (protocol::EXECUTE, 0x25),
        (0x85, 5),
    ] {
        let found = lane.ask(opcode, count, &[1; 6]);
        assert_eq!(found, (protocol::MALFORMED, vec![]), "opcode {opcode}, count {count}");
        assert!(lane.engine.block.line_error.val());
    }
    lane.execute(&random_case(&mut rng, 1));
    assert!(!lane.engine.block.line_error.val());
}

/// Any flipped bit or lost byte in an operation: no result comes, and the next operation is understood.
#[test]
fn a_garbled_operation_has_no_result() {
    let mut lane = Lane::new(14);
    let mut rng = random(15);
    let case = random_case(&mut rng, 4);
    let request = protocol::request(protocol::EXECUTE, 9, 5, 0, &operation(&case, 0));
    let mut told = 0;
    for place in 0..request.len() {
        for bit in 0..8 {
            let mut garbled = request.clone();
            garbled[place] ^= 1 << bit;
            let answers = lane.bytes(&garbled);
            assert!(answers.len() <= 1);
            for answer in answers {
                let refused = [protocol::BAD_CHECKSUM, protocol::MALFORMED].contains(&answer.status);
                assert!(refused && answer.words.is_empty(), "{answer:?}");
                told += 1;
            }
        }
        let mut short = request.clone();
        short.remove(place);
        assert!(lane.bytes(&short).iter().all(|answer| answer.status != protocol::DONE));
        lane.execute(&random_case(&mut rng, place as u32 % KINDS));
    }
    assert!(told > 150, "only {told} of the garbled operations were told of");
    // The line fails in the middle of a request, or the button is pressed.
    for _ in 0..50 {
        let part = &request[..rng.gen_range(1..request.len())];
        assert!(lane.bytes(part).is_empty());
        lane.step(None, true);
        lane.step(None, false);
        assert!(lane.engine.block.line_error.val());
        assert!(lane.bytes(&request[part.len()..]).is_empty());
        lane.execute(&random_case(&mut rng, 2));
        assert!(lane.bytes(part).is_empty());
        lane.engine.block.reset.next = true;
        lane.step(None, false);
        lane.engine.block.reset.next = false;
        lane.step(None, false);
        assert!(!lane.engine.block.busy.val() && !lane.engine.block.line_error.val());
        assert!(lane.bytes(&request[part.len()..]).is_empty());
        lane.execute(&random_case(&mut rng, 3));
    }
}

/// The whole board, bit by bit: answers and lights.
#[test]
fn a_board_with_a_lane_answers_over_its_line() {
    const CLOCKS: u32 = 5;
    let mut rng = random(16);
    let mut engine = CycleEngine::new(Box::new(LaneBoard::new(CLOCKS)));
    let mut answered = 0;
    for round in 0..2 * KINDS {
        let case = random_case(&mut rng, round % KINDS);
        let mut request = protocol::request(protocol::EXECUTE, round as u8, 5, 0, &operation(&case, 0));
        let garbled = round == 7;
        if garbled {
            request[10] ^= 4;
        }
        let stream: Vec<bool> = request.iter().flat_map(|byte| bits(*byte)).collect();
        let mut levels = line(&stream, CLOCKS.into());
        levels.resize(levels.len() + 30 * 10 * CLOCKS as usize, true);
        let (mut sent, mut busy) = (vec![], 0);
        for level in levels {
            engine.block.uart_rx.next = level;
            engine.settle();
            sent.push(engine.block.uart_tx.val());
            busy += u32::from(engine.block.leds.val().raw() & LANE_LIGHT_REQUEST != 0);
            engine.tick();
        }
        engine.settle();
        let mut reader = AnswerReader::default();
        let answers: Vec<_> = receive(CLOCKS, sent.into_iter())
            .into_iter()
            .filter_map(|found| match found {
                Found::Byte(byte) => reader.push(byte),
                Found::FramingError => panic!("a byte without a stop bit"),
            })
            .collect();
        let [Ok(answer)] = &answers[..] else {
            panic!("{answers:?}");
        };
        assert_eq!(answer.tag, round as u8);
        answered += 1;
        let mut lights = answered % 2 * LANE_LIGHT_ANSWER;
        if garbled {
            assert_eq!(result(answer.clone()), (protocol::BAD_CHECKSUM, vec![]));
            lights |= LANE_LIGHT_GARBLED;
        } else {
            assert_eq!(result(answer.clone()), done(&outcome(&case)), "{case}");
        }
        assert_eq!(engine.block.leds.val().raw(), lights);
        // An answer is about 14 bytes; the last of them is in the transmitter when the host is idle.
        let bytes = if garbled { 5 } else { 13 };
        assert!(busy >= bytes * 10 * CLOCKS, "{busy}");
    }
    // The button clears the garbled request.
    engine.block.reset.next = true;
    for _ in 0..4 {
        engine.settle();
        engine.tick();
    }
    engine.settle();
    assert_eq!(engine.block.leds.val().raw() & LANE_LIGHT_GARBLED, 0);
}

#[test]
fn the_lanes_host_and_board_are_their_verilog() {
    let mut bytes: VecDeque<u8> = VecDeque::new();
    let next = |bytes: &mut VecDeque<u8>, rng: &mut Random| {
        if bytes.is_empty() {
            let mut frame = if rng.gen_range(0..6) == 0 {
                protocol::request(rng.gen_range(0..6), rng.gen(), rng.gen_range(0..2), rng.gen(), &[])
            } else {
                let kind = rng.gen_range(0..KINDS);
                let words = operation(&random_case(rng, kind), rng.gen());
                protocol::request(protocol::EXECUTE, rng.gen(), 5, rng.gen(), &words)
            };
            if rng.gen_range(0..6) == 0 {
                frame[6] ^= 1;
            }
            bytes.extend(frame);
        }
        bytes.pop_front()
    };
    equal!(LaneHost::new(), 30_000, |block: &mut LaneHost, rng, _| {
        let valid = rng.gen_range(0..3) == 0 && !block.busy.val();
        block.received_valid.next = valid;
        block.received.next = Bits::new(rng.gen::<u8>().into());
        if valid {
            block.received.next = Bits::new(next(&mut bytes, rng).unwrap_or(0).into());
        }
        block.framing_error.next = rng.gen_range(0..800) == 0;
        block.reset.next = rng.gen_range(0..2000) == 0;
        block.sent_ready.next = rng.gen();
    });
    let mut line: VecDeque<bool> = VecDeque::new();
    let mut bytes: VecDeque<u8> = VecDeque::new();
    equal!(LaneBoard::new(4), 40_000, |block: &mut LaneBoard, rng, cycle| {
        if line.is_empty() && block.leds.val().raw() & LANE_LIGHT_REQUEST == 0 {
            let frame = next(&mut bytes, rng).unwrap_or(0);
            line.extend(bits(frame).into_iter().flat_map(|bit| [bit; 4]));
            // A pause, one byte long, between frames.
            line.extend([true; 40].into_iter().take(if bytes.is_empty() { 40 } else { 0 }));
        }
        block.uart_rx.next = line.pop_front().unwrap_or(true);
        block.reset.next = cycle % 9000 == 5000;
    });
}

#[test]
fn block_memory_is_its_verilog() {
    fn check<const LANES: usize>() {
        // `request_ready` is always high.
        equal!(
            BlockMemory::<LANES>::new(1024),
            2000,
            1,
            |block: &mut BlockMemory<LANES>, rng, _| {
                block.request_valid.next = rng.gen();
                block.request_write.next = rng.gen();
                let line = rng.gen_range(0..1024 / LANES as u64 / 4 + 1);
                block.request_address.next = Bits::new(line * LANES as u64 * 4);
                for i in 0..LANES {
                    block.request_data[i].next = Bits::new(rng.gen::<u32>().into());
                    block.request_enable[i].next = Bits::new(rng.gen_range(0..16));
                }
            }
        );
    }
    check::<8>();
    check::<32>();
}

#[test]
#[should_panic(expected = "3 clock cycles per bit; expected 4 to 65,536")]
fn bits_too_short() {
    UartReceiver::new(3);
}

#[test]
#[should_panic(expected = "a memory of 1000 bytes; expected a power of two")]
fn memory_of_no_power_of_two() {
    BlockMemory::<8>::new(1000);
}
