//! Tests of a lane on a serial line: its host, and the whole board.

use super::cosim::equal;
use super::serial_host::{done, result};
use super::uart::{bits, line, receive, Found};
use super::{random, Random};
use flexgrip_hdl::board::lane_board::{LaneBoard, LANE_LIGHT_ANSWER, LANE_LIGHT_GARBLED, LANE_LIGHT_REQUEST};
use flexgrip_hdl::board::lane_host::{control_word, LaneHost};
use flexgrip_hdl::board::protocol::{self, Answer, AnswerReader};
use flexgrip_hdl::board::uart_receiver::ReceivedByte;
use flexgrip_testbench::integer_cases::{random_case, Case, KINDS};
use hdlkit::prelude::*;
use rand::Rng;
use std::collections::VecDeque;

/// The words of an execute request for a case. The board must ignore the bits above the carry.
fn operation(case: &Case, above: u32) -> [u32; protocol::OPERATION_WORDS] {
    let carry = above << 1 | u32::from(case.carry);
    [control_word(&case.control), case.a, case.b, case.c, carry]
}

/// The required words of the answer.
fn outcome(case: &Case) -> [u32; protocol::RESULT_WORDS] {
    [case.want.value, case.want.cc.bits().into()]
}

/// A lane host between two lines of bytes.
struct Lane {
    engine: CycleEngine<LaneHost>,
    rng: Random,
    answers: AnswerReader,
    answered: u32,
}

impl Lane {
    fn new(seed: u64) -> Self {
        Lane {
            engine: CycleEngine::new(Box::new(LaneHost::default())),
            rng: random(seed),
            answers: AnswerReader::default(),
            answered: 0,
        }
    }

    /// Runs one cycle; returns the answer that ends in it.
    fn step(&mut self, received: Option<u8>, framing_error: bool) -> Option<Answer> {
        let block = &mut self.engine.block;
        let byte = Bits::new(received.unwrap_or_else(|| self.rng.gen()).into());
        block.line.received.next = ReceivedByte { valid: received.is_some(), byte, framing_error };
        block.line.sent.ready.next = self.rng.gen_range(0..3) == 0;
        self.engine.settle();
        let block = &self.engine.block;
        let sent = (block.line.sent.valid.val() && block.line.sent.ready.val())
            .then(|| block.line.sent.byte.val().raw() as u8);
        let answered = block.line.answered.val();
        self.engine.tick();
        let answer = sent.and_then(|byte| self.answers.push(byte));
        assert_eq!(answer.is_some(), answered, "the pulse is with an answer's last byte");
        self.answered += u32::from(answered);
        Some(answer?.unwrap_or_else(|error| panic!("{error}")))
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
        let mut quiet = 0;
        while quiet < 20 {
            found.extend(self.step(None, false));
            quiet = if self.engine.block.line.busy.val() { 0 } else { quiet + 1 };
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

    /// Executes a case and checks its result.
    #[track_caller]
    fn execute(&mut self, case: &Case) {
        let words = operation(case, self.rng.gen::<u32>() >> 1);
        let found = self.ask(protocol::EXECUTE, protocol::OPERATION_WORDS as u8, &words);
        assert_eq!(found, done(&outcome(case)), "{case}");
    }
}

#[test]
fn lane_executes_all_operations_of_its_host() {
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
fn lane_host_rejects_other_requests() {
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
        assert!(lane.engine.block.line.error.val());
    }
    lane.execute(&random_case(&mut rng, 1));
    assert!(!lane.engine.block.line.error.val());
}

/// With any flipped bit or lost byte in an operation, there is no result, and the next operation is executed.
#[test]
fn garbled_operations_have_no_result() {
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
    assert!(told > 150, "only {told} of the garbled operations were reported");
    // A line failure in the middle of a request, or a press of the button.
    for _ in 0..50 {
        let part = &request[..rng.gen_range(1..request.len())];
        assert!(lane.bytes(part).is_empty());
        lane.step(None, true);
        lane.step(None, false);
        assert!(lane.engine.block.line.error.val());
        assert!(lane.bytes(&request[part.len()..]).is_empty());
        lane.execute(&random_case(&mut rng, 2));
        assert!(lane.bytes(part).is_empty());
        lane.engine.block.line.reset.next = true;
        lane.step(None, false);
        lane.engine.block.line.reset.next = false;
        lane.step(None, false);
        assert!(!lane.engine.block.line.busy.val() && !lane.engine.block.line.error.val());
        assert!(lane.bytes(&request[part.len()..]).is_empty());
        lane.execute(&random_case(&mut rng, 3));
    }
}

/// Simulates the whole board, bit by bit, and checks answers and lights.
#[test]
fn lane_board_answers_on_its_line() {
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
        // An answer is about 14 bytes; the last one is still in the transmitter when the host is idle.
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
fn lane_host_and_board_equal_their_verilog() {
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
    equal!(LaneHost::default(), 30_000, |block: &mut LaneHost, rng, _| {
        let valid = rng.gen_range(0..3) == 0 && !block.line.busy.val();
        let byte = if valid { next(&mut bytes, rng).unwrap_or(0) } else { rng.gen() };
        let framing_error = rng.gen_range(0..800) == 0;
        block.line.received.next = ReceivedByte { valid, byte: Bits::new(byte.into()), framing_error };
        block.line.reset.next = rng.gen_range(0..2000) == 0;
        block.line.sent.ready.next = rng.gen();
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
