//! The serial protocol between a board and its host: the single definition of its numbers, for the circuits and the
//! client.
//!
//! Bytes are 8N1. Data are sent in frames: a request from the host, then an answer from the board. All multi-byte
//! numbers are little endian, except the checksum.
//!
//! | request | opcode | tag | count | address | words | checksum |
//! |---|---|---|---|---|---|---|
//! | bytes | 1 | 1 | 1 | 4 | 4 each | 2 |
//! | identify | [`IDENTIFY`] | any | 0 | any | none | |
//! | read | [`READ`] | any | 1 to [`MOST_WORDS`] | of the first word | none | |
//! | write | [`WRITE`] | any | 1 to [`MOST_WORDS`] | of the first word | `count` | |
//! | fill | [`FILL`] | any | 1 to 255, in units of [`FILL_WORDS`] words | of the first word | one | |
//!
//! A board with a single lane ([`super::lane_board`]) accepts two requests, `identify` and
//!
//! | request | opcode | tag | count | address | words | checksum |
//! |---|---|---|---|---|---|---|
//! | execute | [`EXECUTE`] | any | [`OPERATION_WORDS`] | any | control, a, b, c, carry | |
//!
//! `control` is [`super::lane_host::control_word`]; the carry is bit 0 of its word.
//!
//! Addresses are byte addresses on the chip's host bus ([`flexgrip_machine::host_map`]); consecutive words have
//! consecutive addresses.
//!
//! | answer | status | tag | count | words | checksum |
//! |---|---|---|---|---|---|
//! | bytes | 1 | 1 | 1 | 4 each | 2 |
//! | done | [`DONE`] | the request's | of words | read: the words read; identify: [`Identification`], or of a lane board [`LANE_IDENTIFICATION`] and three zeros; execute: result and condition code (Z = bit 0, S, C, O) | |
//! | refused | [`REFUSED`] | the request's | 1 | the address that the bus answered with ERR | |
//! | checksum | [`BAD_CHECKSUM`] | as received | 0 | | |
//! | malformed | [`MALFORMED`] | as received | 0 | | |
//!
//! A frame starts with the byte [`FLAG`], and FLAG always starts a frame: it never occurs within one, because a byte of
//! the frame that is FLAG or [`ESCAPE`] is sent as ESCAPE followed by the byte XOR [`ESCAPED_BY`]. So the next frame is
//! understood after any loss or garbling. The count determines the end of a frame.
//!
//! The checksum is CRC-16 with polynomial 0x1021 and initial value 0xffff ("CCITT-FALSE", check value 0x29b1) over all
//! bytes from the opcode or status to the end, before they are escaped, high byte first; so the checksum of a whole
//! frame is 0. The board executes nothing before it has verified the request's checksum.
//!
//! The tag matches an answer to its request, so a late answer is recognised. A request that was not understood may be
//! sent again. Without an answer, the request may or may not have been executed.
//!
//! After REFUSED, the words before that address have been written.

use crate::memory::are_registers;
use flexgrip_machine::host_map::{CONSTANT_BYTES, GLOBAL_BYTES, INSTRUCTION_BYTES};

/// Begins a frame.
pub const FLAG: u8 = 0x7e;
/// The next byte has been XORed with [`ESCAPED_BY`].
pub const ESCAPE: u8 = 0x7d;
/// XORed with a byte that may not be sent unchanged.
pub const ESCAPED_BY: u8 = 0x20;

/// Request: identify the board.
pub const IDENTIFY: u8 = 1;
/// Request: read words.
pub const READ: u8 = 2;
/// Request: write words.
pub const WRITE: u8 = 3;
/// Request: write one word to many addresses.
pub const FILL: u8 = 4;
/// Request to a board with a single lane: execute an operation.
pub const EXECUTE: u8 = 5;

/// Answer: the request has been executed.
pub const DONE: u8 = 0;
/// Answer: the chip's bus has refused an access.
pub const REFUSED: u8 = 1;
/// Answer: the request was garbled; nothing was executed.
pub const BAD_CHECKSUM: u8 = 2;
/// Answer: there is no such request, or not with this count; nothing was executed.
pub const MALFORMED: u8 = 3;

/// Maximum words of a read or a write.
pub const MOST_WORDS: usize = 64;
/// Words per unit of a fill's count.
pub const FILL_WORDS: usize = 64;
/// Maximum units of [`FILL_WORDS`] words in a fill.
pub const MOST_FILLS: usize = 255;

/// Words of an operation: control, a, b, c, carry.
pub const OPERATION_WORDS: usize = 5;
/// Words of an operation's result: value, condition code.
pub const RESULT_WORDS: usize = 2;

/// Bytes of a request before its words.
pub const REQUEST_BYTES: usize = 7;
/// Bytes of an answer before its words.
pub const ANSWER_BYTES: usize = 3;
/// Bytes of a checksum.
pub const CHECKSUM_BYTES: usize = 2;

/// Version of this protocol.
pub const VERSION: u32 = 2;
/// First word of an identification: "FG" and the version.
pub const IDENTIFICATION: u32 = 0x4647_0000 | VERSION;
/// First word of the identification of a board with a single lane: "FL" and the version.
pub const LANE_IDENTIFICATION: u32 = 0x464c_0000 | VERSION;
/// Bit position of log2 of the registers in the word of the constants.
const REGISTERS_LOW: u32 = 24;
/// Words of an identification.
pub const IDENTIFICATION_WORDS: usize = 4;

/// The board's identification: the sizes that the chip's registers do not report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identification {
    /// Bytes of the chip's instruction memory.
    pub instruction_bytes: u32,
    /// Bytes of the chip's constant memory.
    pub constant_bytes: u32,
    /// Number of 32-bit registers of an SM, a power of two.
    pub registers: u32,
    /// Bytes of global memory.
    pub global_bytes: u32,
}

impl Identification {
    /// The words that are sent: log2 of the registers is above the bytes of constants.
    pub const fn words(&self) -> [u32; IDENTIFICATION_WORDS] {
        [
            IDENTIFICATION,
            self.instruction_bytes,
            self.constant_bytes | self.registers.trailing_zeros() << REGISTERS_LOW,
            self.global_bytes,
        ]
    }

    /// Parses received words; `None` if they are not from a board, have another version of the protocol, or have
    /// memories larger than the host's map allows.
    pub fn from_words(words: &[u32]) -> Option<Self> {
        match *words {
            [IDENTIFICATION, instruction_bytes, constants, global_bytes] => {
                let constant_bytes = constants & ((1 << REGISTERS_LOW) - 1);
                let registers = 1u32.checked_shl(constants >> REGISTERS_LOW)?;
                (instruction_bytes <= INSTRUCTION_BYTES
                    && constant_bytes <= CONSTANT_BYTES
                    && are_registers(registers)
                    && global_bytes <= GLOBAL_BYTES)
                    .then_some(Identification { instruction_bytes, constant_bytes, registers, global_bytes })
            }
            _ => None,
        }
    }
}

/// The checksum of no bytes.
pub const CHECKSUM_START: u16 = 0xffff;

/// The checksum after one more byte.
pub const fn checksum_with(checksum: u16, byte: u8) -> u16 {
    let mut sum = checksum ^ (byte as u16) << 8;
    let mut bit = 0;
    while bit < 8 {
        sum = sum << 1 ^ if sum & 0x8000 != 0 { 0x1021 } else { 0 };
        bit += 1;
    }
    sum
}

/// The checksum of these bytes.
pub fn checksum(bytes: &[u8]) -> u16 {
    bytes.iter().fold(CHECKSUM_START, |sum, &byte| checksum_with(sum, byte))
}

/// A frame as sent on the line: flag, the bytes and their checksum, escaped.
pub fn frame(bytes: &[u8]) -> Vec<u8> {
    let mut line = vec![FLAG];
    for byte in bytes.iter().copied().chain(checksum(bytes).to_be_bytes()) {
        if byte == FLAG || byte == ESCAPE {
            line.extend([ESCAPE, byte ^ ESCAPED_BY]);
        } else {
            line.push(byte);
        }
    }
    line
}

/// The frame of a request, as sent on the line.
pub fn request(opcode: u8, tag: u8, count: u8, address: u32, words: &[u32]) -> Vec<u8> {
    let mut bytes = vec![opcode, tag, count];
    bytes.extend(address.to_le_bytes());
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    frame(&bytes)
}

/// An answer of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// [`DONE`], [`REFUSED`], [`BAD_CHECKSUM`] or [`MALFORMED`].
    pub status: u8,
    /// The request's tag.
    pub tag: u8,
    /// The requested words, or the address that was refused.
    pub words: Vec<u32>,
}

/// An answer with a wrong checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an answer of {bytes} bytes has the checksum {got:#06x}; expected {expected:#06x}")]
pub struct GarbledAnswer {
    /// The answer's length, without flag and checksum.
    pub bytes: usize,
    /// The checksum computed from the answer's bytes.
    pub expected: u16,
    /// The checksum received.
    pub got: u16,
}

/// Extracts answers from the bytes on the line.
#[derive(Clone, Debug, Default)]
pub struct AnswerReader {
    /// The answer's bytes so far; `None` before its flag.
    bytes: Option<Vec<u8>>,
    escaped: bool,
}

impl AnswerReader {
    /// Takes the next byte; returns the answer with its last byte.
    pub fn push(&mut self, byte: u8) -> Option<Result<Answer, GarbledAnswer>> {
        if byte == FLAG {
            (self.bytes, self.escaped) = (Some(Vec::new()), false);
            return None;
        }
        let bytes = self.bytes.as_mut()?;
        if byte == ESCAPE {
            self.escaped = true;
            return None;
        }
        bytes.push(if std::mem::take(&mut self.escaped) { byte ^ ESCAPED_BY } else { byte });
        let &[status, tag, count, ref rest @ ..] = bytes.as_slice() else {
            return None;
        };
        let words = 4 * usize::from(count);
        if rest.len() < words + CHECKSUM_BYTES {
            return None;
        }
        let (head, sum) = bytes.split_at(ANSWER_BYTES + words);
        let got = sum.iter().fold(0, |sum, &byte| sum << 8 | u16::from(byte));
        let expected = checksum(head);
        let result = if got == expected {
            let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
            Ok(Answer { status, tag, words: rest[..words].chunks(4).map(word).collect() })
        } else {
            let bytes = head.len();
            Err(GarbledAnswer { bytes, expected, got })
        };
        self.bytes = None;
        Some(result)
    }

    /// Number of bytes received of an unfinished answer.
    pub fn begun(&self) -> Option<usize> {
        self.bytes.as_ref().map(Vec::len)
    }
}
