//! A board whose circuits are simulated natively, with its serial line on two byte streams: `flexgrip simulated-board`,
//! for clients without a board.
//!
//! The streams carry bytes; start and stop bits are added and removed here, at a few clock cycles per bit. Cycles are
//! simulated only during activity: bytes in transit, a request, a grid, a reset. Otherwise the simulation waits for
//! input. Once the input has ended and all of it is answered, the simulation ends, even if a grid still runs.

use crate::board::error::BoardError;
use crate::board::stream::read_aside;
use flexgrip_engines::big_stack::on_big_stack;
use flexgrip_engines::native::machine_code;
use flexgrip_engines::outside::IoError;
use flexgrip_hdl::board::gpgpu_board::{BoardSizes, LIGHT_GRID, LIGHT_REQUEST, LIGHT_RESET};
use flexgrip_hdl::board::lane_board::LANE_LIGHT_REQUEST;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_hdl::tops::Top;
use flexgrip_machine::sizes::{Lanes, Sms};
use hdlkit_compiled::{port_places, CompileError, MachineCode};
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, TryRecvError};

/// Clock cycles per bit: the fewest that the receiver accepts, because each is simulated.
pub const CLOCKS_PER_BIT: u32 = 4;

/// The sizes of the simulated board: the small board's, with a faster line.
pub const SIZES: BoardSizes = BoardSizes {
    clocks_per_bit: CLOCKS_PER_BIT,
    ..BoardSizes::SMALL
};

/// Cycles without a byte after which an answer has ended: two bits.
const SILENCE: u32 = 2 * CLOCKS_PER_BIT;

/// Cycles without a byte after which the line is idle: two bytes.
const REST: u32 = 20 * CLOCKS_PER_BIT;

/// The board's outputs in a cycle.
struct Seen {
    /// Level of the line from the board.
    level: bool,
    /// True while a request is processed or answered.
    request: bool,
    /// True during other work: a grid, a reset.
    at_work: bool,
}

/// A board: its circuits compiled to machine code.
struct Board {
    machine: MachineCode,
    /// Indices of the ports: the line to the board, the line from it, the lights.
    line: usize,
    answer: usize,
    lights: usize,
    /// Masks of the lights that are on during a request, and during a grid or a reset.
    request: u64,
    work: u64,
}

impl Board {
    /// A board at rest.
    ///
    /// # Errors
    /// There is no machine code for this processor.
    fn new(top: Top, lanes: Lanes, request: u64, work: u64) -> Result<Self, BoardError> {
        let circuit = top.circuit(lanes, Sms::One, SIZES);
        let failed = |error: CompileError| BoardError::Bench(format!("cannot compile the board: {error}"));
        let code = machine_code::of(top, &*circuit, MachineParameters::new(lanes, Sms::One)).map_err(failed)?;
        let places = port_places(&*circuit);
        let mut board = Board {
            machine: MachineCode::new(&*circuit, code),
            line: places.place("uart_rx"),
            answer: places.place("uart_tx"),
            lights: places.place("leds"),
            request,
            work,
        };
        // The line idles high.
        board.machine.ports_mut()[board.line] = 1;
        board.machine.settle();
        Ok(board)
    }

    /// Simulates a cycle with this level on the line to the board; returns its outputs.
    fn cycle(&mut self, level: bool) -> Seen {
        self.machine.ports_mut()[self.line] = level.into();
        self.machine.settle();
        let words = self.machine.ports();
        let lights = words[self.lights];
        let seen = Seen {
            level: words[self.answer] != 0,
            request: lights & self.request != 0,
            at_work: lights & self.work != 0,
        };
        self.machine.tick();
        seen
    }
}

/// The line to the board: bytes to levels.
#[derive(Default)]
struct ToBoard {
    bytes: VecDeque<u8>,
    /// The remaining bits of the current byte's frame, inverted, and their number.
    frame: u32,
    bits: u32,
    /// Cycles left of the current bit.
    cycles: u32,
}

impl ToBoard {
    fn idle(&self) -> bool {
        self.bytes.is_empty() && self.bits == 0
    }

    /// The level in the next cycle.
    fn level(&mut self) -> bool {
        if self.bits == 0 {
            let Some(byte) = self.bytes.pop_front() else {
                return true;
            };
            self.frame = u32::from(!byte) << 1 | 1;
            self.bits = 10;
            self.cycles = CLOCKS_PER_BIT;
        }
        let level = self.frame & 1 == 0;
        self.cycles -= 1;
        if self.cycles == 0 {
            self.frame >>= 1;
            self.bits -= 1;
            self.cycles = CLOCKS_PER_BIT;
        }
        level
    }
}

/// The line from the board: levels to bytes.
#[derive(Default)]
struct FromBoard {
    /// Cycles since the start bit began; `None` when idle.
    cycles: Option<u32>,
    byte: u8,
}

impl FromBoard {
    fn idle(&self) -> bool {
        self.cycles.is_none()
    }

    /// Processes the level of a cycle; returns a byte when it is complete.
    ///
    /// # Errors
    /// The byte has no stop bit.
    fn level(&mut self, level: bool) -> Result<Option<u8>, BoardError> {
        let cycles = match self.cycles {
            None if level => return Ok(None),
            None => 0,
            Some(cycles) => cycles + 1,
        };
        self.cycles = Some(cycles);
        if cycles % CLOCKS_PER_BIT != CLOCKS_PER_BIT / 2 {
            return Ok(None);
        }
        match cycles / CLOCKS_PER_BIT {
            0 => Ok(None),
            1..=8 => {
                self.byte = self.byte >> 1 | u8::from(level) << 7;
                Ok(None)
            }
            _ if level => {
                self.cycles = None;
                Ok(Some(self.byte))
            }
            _ => Err(BoardError::Bench("the board sent a byte without a stop bit".into())),
        }
    }
}

/// Simulates a board with `lanes` lanes until its input ends.
///
/// # Errors
/// The streams cannot be read or written, or the circuits violate the line's protocol.
pub fn serve(lanes: Lanes, input: impl Read + Send + 'static, output: impl Write + Send) -> Result<(), BoardError> {
    let bytes = read_aside(input)?;
    on_big_stack(BoardError::Bench, move || {
        run(
            Board::new(Top::Board, lanes, LIGHT_REQUEST, LIGHT_GRID | LIGHT_RESET)?,
            &bytes,
            output,
        )
    })
}

/// Simulates a board with only a lane until its input ends.
///
/// # Errors
/// The errors of [`serve`].
pub fn serve_lane(input: impl Read + Send + 'static, output: impl Write + Send) -> Result<(), BoardError> {
    let bytes = read_aside(input)?;
    on_big_stack(BoardError::Bench, move || {
        run(
            Board::new(Top::LaneBoard, Lanes::Eight, LANE_LIGHT_REQUEST, 0)?,
            &bytes,
            output,
        )
    })
}

fn run(mut board: Board, bytes: &Receiver<std::io::Result<Vec<u8>>>, mut output: impl Write) -> Result<(), BoardError> {
    let (mut to_board, mut from_board) = (ToBoard::default(), FromBoard::default());
    let mut sent = Vec::new();
    let mut open = true;
    let mut at_work = false;
    // Cycles since the last byte in either direction, or the last request.
    let mut silence = 0u32;
    loop {
        if silence > SILENCE && !sent.is_empty() {
            output
                .write_all(&sent)
                .and_then(|()| output.flush())
                .map_err(IoError::of("cannot write the board's output"))?;
            sent.clear();
        }
        if open && to_board.idle() {
            let part = if silence > REST && !at_work {
                bytes.recv().map_err(|_| TryRecvError::Disconnected)
            } else {
                bytes.try_recv()
            };
            match part {
                Ok(part) => to_board
                    .bytes
                    .extend(part.map_err(IoError::of("cannot read the board's input"))?),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => open = false,
            }
        }
        // A grid may still be running, but its host has gone.
        if !open && to_board.idle() && silence > REST {
            return Ok(());
        }
        let told = !to_board.idle();
        let seen = board.cycle(to_board.level());
        sent.extend(from_board.level(seen.level)?);
        at_work = seen.at_work;
        silence = if told || !from_board.idle() || seen.request {
            0
        } else {
            silence.saturating_add(1)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_levels_and_bytes_again() {
        let all: Vec<u8> = (0..=255).collect();
        let mut to_board = ToBoard::default();
        to_board.bytes.extend(&all);
        let mut from_board = FromBoard::default();
        let mut found = Vec::new();
        let mut cycles = 0;
        while !to_board.idle() {
            found.extend(from_board.level(to_board.level()).unwrap());
            cycles += 1;
        }
        assert_eq!(found, all);
        assert_eq!(cycles, 256 * 10 * CLOCKS_PER_BIT);
        assert!(to_board.level(), "the line rests high");
        // A line held low for longer than a byte.
        let held = (0..10 * CLOCKS_PER_BIT)
            .map(|_| from_board.level(false))
            .find_map(Result::err);
        assert!(held.is_some());
    }
}
