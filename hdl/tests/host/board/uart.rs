//! Tests the UART's receiver and transmitter, bit by bit.

use super::cosim::equal;
use super::random;
use flexgrip_hdl::board::uart_receiver::UartReceiver;
use flexgrip_hdl::board::uart_transmitter::UartTransmitter;
use hdlkit::prelude::*;
use rand::Rng;
use std::collections::VecDeque;

/// An output of the receiver.
#[derive(Debug, PartialEq)]
pub enum Found {
    Byte(u8),
    FramingError,
}

/// Runs a receiver of `clocks_per_bit` over a line with the given level in each cycle.
pub fn receive(clocks_per_bit: u32, line: impl Iterator<Item = bool>) -> Vec<Found> {
    let mut engine = CycleEngine::new(Box::new(UartReceiver::new(clocks_per_bit)));
    let mut found = vec![];
    for level in line {
        engine.block.uart_rx.next = level;
        engine.settle();
        let received = engine.block.received.val();
        if received.valid {
            found.push(Found::Byte(received.byte.raw() as u8));
        }
        if received.framing_error {
            found.push(Found::FramingError);
        }
        assert!(!(received.valid && received.framing_error));
        engine.tick();
    }
    found
}

/// The ten bits of a byte.
pub fn bits(byte: u8) -> Vec<bool> {
    let mut bits = vec![false];
    bits.extend((0..8).map(|bit| byte >> bit & 1 == 1));
    bits.push(true);
    bits
}

/// The line's levels for these bits, each `clocks` cycles long, which may be fractional.
pub fn line(bits: &[bool], clocks: f64) -> Vec<bool> {
    let cycles = (bits.len() as f64 * clocks) as usize;
    (0..cycles).map(|cycle| bits[(cycle as f64 / clocks) as usize]).collect()
}

#[test]
fn receiver_tolerates_small_speed_errors() {
    let mut rng = random(1);
    // The sampling point is accurate to one cycle, so short bits tolerate less.
    for (clocks_per_bit, tolerance) in [(4, 0.0), (8, 0.01), (16, 0.03), (434, 0.04), (5208, 0.04)] {
        for off in [-tolerance, 0.0, tolerance] {
            let count = 2000 / clocks_per_bit as usize + 20;
            let bytes: Vec<u8> = (0..count).map(|_| rng.gen()).collect();
            let stream: Vec<bool> = bytes.iter().flat_map(|byte| bits(*byte)).collect();
            // The line is idle before, and long enough afterwards.
            let mut levels = vec![true; 10];
            levels.extend(line(&stream, f64::from(clocks_per_bit) * (1.0 + off)));
            levels.extend(vec![true; 20 * clocks_per_bit as usize]);
            let want: Vec<Found> = bytes.into_iter().map(Found::Byte).collect();
            assert_eq!(receive(clocks_per_bit, levels.into_iter()), want, "{clocks_per_bit} cycles, {off}");
        }
    }
}

#[test]
fn line_disturbances_give_no_bytes() {
    let rest = vec![true; 40];
    // A glitch shorter than half a bit.
    let glitch = [rest.clone(), vec![false; 6], rest.clone()].concat();
    assert_eq!(receive(16, glitch.into_iter()), []);
    // A line held low, then a good byte.
    let held = [rest.clone(), vec![false; 1000], rest.clone(), line(&bits(0x5a), 16.0), rest.clone()].concat();
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
            engine.block.sent.valid.next = !left.is_empty();
            engine.block.sent.byte.next = Bits::new(left.front().copied().unwrap_or(0).into());
            engine.settle();
            levels.push(engine.block.uart_tx.val());
            if engine.block.sent.ready.val() && !left.is_empty() {
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
fn uart_equals_its_verilog() {
    equal!(UartReceiver::new(5), 6000, |block: &mut UartReceiver, rng, cycle| {
        if cycle % 5 == 0 {
            block.uart_rx.next = rng.gen_range(0..3) != 0;
        }
    });
    equal!(UartTransmitter::new(7), 4000, |block: &mut UartTransmitter, rng, _| {
        block.sent.valid.next = rng.gen_range(0..40) == 0;
        block.sent.byte.next = Bits::new(rng.gen::<u8>().into());
    });
}

#[test]
#[should_panic(expected = "3 clock cycles per bit; expected 4 to 65,536")]
fn too_few_clocks_per_bit_panic() {
    UartReceiver::new(3);
}
