//! Tests the serial host between two lines of bytes and a bus.

use super::cosim::equal;
use super::{random, Random};
use flexgrip_hdl::board::protocol::{self, Answer, AnswerReader, Identification, FLAG, MOST_WORDS};
use flexgrip_hdl::board::serial_host::SerialHost;
use flexgrip_hdl::board::uart_receiver::ReceivedByte;
use hdlkit::prelude::*;
use rand::Rng;
use std::collections::{BTreeMap, VecDeque};

/// A serial host between two lines of bytes and a bus.
struct Host {
    engine: CycleEngine<SerialHost>,
    rng: Random,
    memory: BTreeMap<u32, u32>,
    /// Addresses that are rejected.
    bad: std::ops::Range<u32>,
    /// Remaining cycles of the current access.
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

    /// Runs one cycle; returns the answer that ends in it.
    fn step(&mut self, received: Option<u8>, framing_error: bool) -> Option<Answer> {
        let block = &mut self.engine.block;
        let byte = Bits::new(received.unwrap_or_else(|| self.rng.gen()).into());
        block.line.received.next = ReceivedByte { valid: received.is_some(), byte, framing_error };
        block.line.sent.ready.next = self.rng.gen_range(0..3) == 0;
        block.host.acknowledge.next = false;
        block.host.error.next = false;
        block.host.read_data.next = Bits::new(self.rng.gen::<u32>().into());
        self.engine.settle();
        let block = &mut self.engine.block;
        assert_eq!(block.host.cycle.val(), block.host.strobe.val());
        if block.host.strobe.val() {
            if self.wait > 0 {
                self.wait -= 1;
            } else {
                self.wait = self.rng.gen_range(0..4);
                let address = block.host.address.val().raw() as u32;
                let refused = self.bad.contains(&address);
                block.host.acknowledge.next = !refused;
                block.host.error.next = refused;
                if block.host.write.val() {
                    self.writes += 1;
                    if !refused {
                        self.memory.insert(address, block.host.write_data.val().raw() as u32);
                    }
                } else {
                    self.reads += 1;
                    let word = self.memory.get(&address).copied().unwrap_or(address ^ 0x55);
                    block.host.read_data.next = Bits::new(word.into());
                }
            }
        }
        self.engine.settle();
        let block = &self.engine.block;
        let sent = (block.line.sent.valid.val() && block.line.sent.ready.val())
            .then(|| block.line.sent.byte.val().raw() as u8);
        self.engine.tick();
        let answer = sent.and_then(|byte| self.answers.push(byte))?;
        Some(answer.unwrap_or_else(|error| panic!("{error}")))
    }

    /// Sends bytes and runs until the host is idle. Returns the answers.
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
            // The answer arrives late, after all accesses of the fill.
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
        assert!(!self.engine.block.line.busy.val());
        answers.remove(0)
    }
}

pub fn done(words: &[u32]) -> (u8, Vec<u32>) {
    (protocol::DONE, words.to_vec())
}

pub fn result(answer: Answer) -> (u8, Vec<u32>) {
    (answer.status, answer.words)
}

#[test]
fn requests_are_executed_and_answered() {
    let mut host = Host::new(4);
    assert_eq!(result(host.ask(protocol::IDENTIFY, 0, 0, &[])), done(&BOARD.words()));
    for round in 0..60 {
        let count = match round {
            0 => 1,
            1 => MOST_WORDS,
            _ => host.rng.gen_range(1..=MOST_WORDS),
        };
        // Some of the bytes need escaping.
        let words: Vec<u32> = (0..count)
            .map(|_| match host.rng.gen_range(0..3) {
                0 => u32::from_le_bytes([FLAG, protocol::ESCAPE, FLAG ^ protocol::ESCAPED_BY, FLAG]),
                _ => host.rng.gen(),
            })
            .collect();
        let address = host.rng.gen::<u32>() & 0x7fff_fffc;
        assert_eq!(result(host.ask(protocol::WRITE, count as u8, address, &words)), done(&[]));
        assert_eq!(result(host.ask(protocol::READ, count as u8, address, &[])), done(&words));
        let before: Vec<u32> = (1..=3).map(|place| (address - 4 * place) ^ 0x55).rev().collect();
        if address >= 12 && !host.memory.contains_key(&(address - 12)) {
            assert_eq!(result(host.ask(protocol::READ, 3, address - 12, &[])), done(&before));
        }
    }
    // A fill writes exactly its words.
    for units in [1, 3, 255] {
        host.memory.clear();
        let address = 0x8000_0000;
        assert_eq!(result(host.ask(protocol::FILL, units, address, &[0xdead_beef])), done(&[]));
        let want = u32::from(units) * 64;
        assert_eq!(host.memory.len() as u32, want);
        for word in 0..want {
            assert_eq!(host.memory[&(address + 4 * word)], 0xdead_beef);
        }
    }
}

#[test]
fn refused_accesses_are_reported_with_their_address() {
    let mut host = Host::new(5);
    host.bad = 0x20..0x24;
    let words: Vec<u32> = (1..=16).collect();
    assert_eq!(result(host.ask(protocol::WRITE, 16, 0, &words)), (protocol::REFUSED, vec![0x20]));
    // The words before the error are written, later words are not.
    assert_eq!(host.memory.values().copied().collect::<Vec<_>>(), words[..8]);
    assert_eq!(host.writes, 9);
    assert_eq!(result(host.ask(protocol::READ, 16, 0, &[])), (protocol::REFUSED, vec![0x20]));
    assert_eq!(result(host.ask(protocol::FILL, 2, 0, &[7])), (protocol::REFUSED, vec![0x20]));
    assert_eq!(result(host.ask(protocol::READ, 2, 0x1c, &[])), (protocol::REFUSED, vec![0x20]));
    assert_eq!(result(host.ask(protocol::READ, 1, 0x1c, &[])), done(&[7]));
}

#[test]
fn malformed_requests_are_reported_and_change_nothing() {
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
        assert!(host.engine.block.line.error.val());
    }
    assert_eq!((host.reads, host.writes), (0, 0));
    assert_eq!(result(host.ask(protocol::WRITE, 1, 0, &[1])), done(&[]));
    assert!(!host.engine.block.line.error.val());
}

/// With any flipped bit in a request, nothing happens on the bus, and the next request is executed.
#[test]
fn garbled_requests_are_never_executed() {
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
                assert!([protocol::BAD_CHECKSUM, protocol::MALFORMED].contains(&answer.status), "{answer:?}");
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
    assert!(told > 50, "only {told} of the garbled requests were reported");
}

#[test]
fn host_recovers_from_garbage_framing_errors_and_resets() {
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
        assert!(!host.engine.block.line.busy.val() && host.engine.block.line.error.val());
        assert!(host.bytes(&request[part.len()..]).is_empty());
        assert_eq!(host.writes, round);
        // A reset in the middle of a request.
        assert!(host.bytes(part).is_empty());
        host.engine.block.line.reset.next = true;
        host.step(None, false);
        host.engine.block.line.reset.next = false;
        host.step(None, false);
        assert!(!host.engine.block.line.busy.val() && !host.engine.block.line.error.val());
        assert_eq!(result(host.ask(protocol::WRITE, 1, 4, &[round])), done(&[]));
    }
}

#[test]
fn serial_host_equals_its_verilog() {
    let mut line: VecDeque<u8> = VecDeque::new();
    equal!(SerialHost::new(BOARD), 30_000, |block: &mut SerialHost, rng, _| {
        if line.is_empty() && !block.line.busy.val() {
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
        let byte = if valid { line.pop_front().unwrap_or(0) } else { rng.gen() };
        let framing_error = rng.gen_range(0..500) == 0;
        block.line.received.next = ReceivedByte { valid, byte: Bits::new(byte.into()), framing_error };
        block.line.reset.next = rng.gen_range(0..2000) == 0;
        block.line.sent.ready.next = rng.gen();
        let strobe = block.host.strobe.val();
        block.host.acknowledge.next = strobe && rng.gen();
        block.host.error.next = strobe && rng.gen_range(0..30) == 0;
        block.host.read_data.next = Bits::new(rng.gen::<u32>().into());
    });
}
