//! Checksums and frames.

use crate::cosim::equal;
use crate::{random, Random};
use flexgrip_hdl::board::checksum::checksum_after;
use flexgrip_hdl::board::frame_reader::FrameReader;
use flexgrip_hdl::board::frame_writer::FrameWriter;
use flexgrip_hdl::board::protocol::{self, FLAG};
use hdlkit::prelude::*;
use rand::Rng;
use std::collections::VecDeque;

#[test]
fn the_checksum_is_the_protocols() {
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
fn frames_are_their_verilog() {
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
