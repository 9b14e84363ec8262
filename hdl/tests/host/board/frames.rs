//! Tests of checksums and frames.

use super::cosim::equal;
use super::{random, Random};
use flexgrip_hdl::board::checksum::checksum_after;
use flexgrip_hdl::board::frame_reader::FrameReader;
use flexgrip_hdl::board::frame_writer::{FrameItem, FrameWriter};
use flexgrip_hdl::board::protocol::{self, FLAG};
use flexgrip_hdl::board::uart_receiver::ReceivedByte;
use hdlkit::prelude::*;
use rand::Rng;
use std::collections::VecDeque;

#[test]
fn circuit_and_protocol_compute_the_same_checksum() {
    let mut rng = random(3);
    for _ in 0..100_000 {
        let (sum, byte): (u16, u8) = rng.gen();
        let found = checksum_after(Bits::new(sum.into()), Bits::new(byte.into()));
        let want = protocol::checksum_with(sum, byte);
        assert_eq!(found.raw(), u64::from(want), "{sum:#x}, {byte:#x}");
    }
}

fn byte(rng: &mut Random) -> u8 {
    match rng.gen_range(0..4) {
        0 => FLAG,
        1 => protocol::ESCAPE,
        _ => rng.gen(),
    }
}

#[test]
fn frames_equal_their_verilog() {
    // Frames with checksums, some of them intact.
    let mut line: VecDeque<u8> = VecDeque::new();
    equal!(FrameReader::default(), 4000, |block: &mut FrameReader, rng, _| {
        if line.is_empty() {
            let bytes: Vec<u8> = (0..rng.gen_range(1..9)).map(|_| byte(rng)).collect();
            line.extend(protocol::frame(&bytes));
        }
        let valid = rng.gen_range(0..3) == 0;
        let byte = if valid { line.pop_front().unwrap_or(0) } else { byte(rng) };
        block.received.next = ReceivedByte { valid, byte: Bits::new(byte.into()), framing_error: false };
    });
    equal!(FrameWriter::default(), 4000, |block: &mut FrameWriter, rng, _| {
        block.item.next = FrameItem {
            valid: rng.gen(),
            flag: rng.gen_range(0..9) == 0,
            checksum: rng.gen_range(0..3) == 0,
            data: Bits::new(byte(rng).into()),
        };
        block.sent.ready.next = rng.gen();
    });
}
