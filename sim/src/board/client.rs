//! The host's end of the line: requests, answers, retries.
//!
//! The frames are defined in `hdl/src/board/protocol.rs`. A request with a missing or garbled answer is repeated with a
//! new tag; reading or writing the same words twice is harmless. The start of a grid is repeated only if the board
//! reports that it did not understand the request.

use crate::board::error::BoardError;
use crate::board::line::Line;
use flexgrip_hdl::board::protocol::{self, Answer, AnswerReader, GarbledAnswer, Identification};
use flexgrip_machine::host_map as map;
use flexgrip_machine::sizes::Lanes;
use flexgrip_machine::Configuration;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Attempts per request, after which the line has failed.
pub const ATTEMPTS: u32 = 3;
/// The default time limit of an answer, in seconds: the longest frame at 1,200 baud.
pub const ANSWER_SECONDS: f64 = 10.0;
/// The longest pause between two polls of a running grid.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// The reason why an attempt failed.
enum Failure {
    Silent(Option<usize>),
    Garbled(GarbledAnswer),
    NotUnderstood(&'static str),
}

/// A request to a board.
struct Request<'a> {
    opcode: u8,
    count: u8,
    address: u32,
    words: &'a [u32],
    /// Number of words in the answer.
    answer_words: usize,
    /// True if the request may be sent again.
    repeatable: bool,
}

impl std::fmt::Display for Request<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (count, address) = (self.count, self.address);
        match self.opcode {
            protocol::IDENTIFY => write!(f, "identify request"),
            protocol::READ => write!(f, "read of {count} words from {address:#010x}"),
            protocol::WRITE => write!(f, "write of {count} words from {address:#010x}"),
            protocol::EXECUTE => write!(f, "operation with the words {:08x?}", self.words),
            _ => write!(
                f,
                "fill of {} words from {address:#010x}",
                usize::from(count) * protocol::FILL_WORDS
            ),
        }
    }
}

/// The host's end of a line.
pub struct Client<L: Line> {
    line: L,
    reader: AnswerReader,
    tag: u8,
    answer_time: Duration,
    repeated: u32,
}

impl<L: Line> Client<L> {
    /// A client on this line. Answers must arrive within `answer_time`.
    pub fn new(line: L, answer_time: Duration) -> Self {
        Client {
            line,
            reader: AnswerReader::default(),
            tag: 0,
            answer_time,
            repeated: 0,
        }
    }

    /// Returns the line, for another client.
    pub fn into_line(self) -> L {
        self.line
    }

    /// Requests repeated so far, because of noise on the line.
    pub fn repeated(&self) -> u32 {
        self.repeated
    }

    /// Makes one attempt.
    fn attempt(&mut self, request: &Request) -> Result<Result<Answer, Failure>, BoardError> {
        self.tag = self.tag.wrapping_add(1);
        let Request {
            opcode,
            count,
            address,
            words,
            ..
        } = *request;
        self.line
            .send(&protocol::request(opcode, self.tag, count, address, words))?;
        let deadline = Instant::now() + self.answer_time;
        while let Some(byte) = self.line.receive(deadline)? {
            match self.reader.push(byte) {
                // An answer with another tag belongs to an abandoned request.
                Some(Ok(answer)) if answer.tag == self.tag => {
                    return Ok(match answer.status {
                        protocol::BAD_CHECKSUM => Err(Failure::NotUnderstood("its checksum was wrong")),
                        protocol::MALFORMED => Err(Failure::NotUnderstood("there is no such request")),
                        _ => Ok(answer),
                    });
                }
                Some(Err(garbled)) => return Ok(Err(Failure::Garbled(garbled))),
                Some(Ok(_)) | None => {}
            }
        }
        Ok(Err(Failure::Silent(self.reader.begun())))
    }

    fn ask(&mut self, request: &Request) -> Result<Vec<u32>, BoardError> {
        let mut attempts = 0;
        loop {
            let result = self.attempt(request)?;
            attempts += 1;
            let failure = match result {
                Ok(Answer { status, words, .. }) => {
                    return match (status, words.as_slice()) {
                        (protocol::REFUSED, &[address]) => Err(BoardError::Refused {
                            request: request.to_string(),
                            address,
                        }),
                        (protocol::DONE, words) if words.len() == request.answer_words => Ok(words.to_vec()),
                        _ => Err(BoardError::WrongAnswer {
                            request: request.to_string(),
                            status,
                            words: words.len(),
                            expected: request.answer_words,
                        }),
                    };
                }
                Err(failure) => failure,
            };
            let understood = !matches!(failure, Failure::NotUnderstood(_));
            let name = request.to_string();
            let error = match failure {
                Failure::Silent(begun) => BoardError::NoAnswer {
                    request: name,
                    seconds: self.answer_time.as_secs_f64(),
                    attempts,
                    begun,
                },
                Failure::Garbled(garbled) => BoardError::Garbled {
                    request: name,
                    attempts,
                    garbled,
                },
                Failure::NotUnderstood(reason) => BoardError::NotUnderstood {
                    request: name,
                    attempts,
                    reason,
                },
            };
            if understood && !request.repeatable {
                return Err(BoardError::StartLost {
                    reason: error.to_string(),
                });
            }
            if attempts == ATTEMPTS {
                return Err(error);
            }
            self.repeated += 1;
        }
    }

    /// Identifies the board.
    ///
    /// # Errors
    /// No board answers.
    pub fn identify(&mut self) -> Result<Identification, BoardError> {
        let words = self.ask(&Request {
            opcode: protocol::IDENTIFY,
            count: 0,
            address: 0,
            words: &[],
            answer_words: protocol::IDENTIFICATION_WORDS,
            repeatable: true,
        })?;
        Identification::from_words(&words).ok_or(BoardError::NotABoard {
            got: words,
            expected: protocol::IDENTIFICATION,
        })
    }

    /// Checks that the board has only a lane.
    ///
    /// # Errors
    /// No board answers, or a board of another kind.
    pub fn identify_lane(&mut self) -> Result<(), BoardError> {
        let words = self.ask(&Request {
            opcode: protocol::IDENTIFY,
            count: 0,
            address: 0,
            words: &[],
            answer_words: protocol::IDENTIFICATION_WORDS,
            repeatable: true,
        })?;
        match words.as_slice() {
            [protocol::LANE_IDENTIFICATION, 0, 0, 0] => Ok(()),
            _ => Err(BoardError::NotALane {
                got: words,
                expected: protocol::LANE_IDENTIFICATION,
            }),
        }
    }

    /// Runs an operation on a board's lane; returns result and condition code.
    ///
    /// # Errors
    /// The line has failed.
    pub fn execute(
        &mut self,
        operation: &[u32; protocol::OPERATION_WORDS],
    ) -> Result<[u32; protocol::RESULT_WORDS], BoardError> {
        let words = self.ask(&Request {
            opcode: protocol::EXECUTE,
            count: protocol::OPERATION_WORDS as u8,
            address: 0,
            words: operation,
            answer_words: protocol::RESULT_WORDS,
            repeatable: true,
        })?;
        // `ask` returns as many words as requested.
        Ok(std::array::from_fn(|place| words[place]))
    }

    /// Reads `count` words.
    ///
    /// # Errors
    /// The bus refuses an address, or the line has failed.
    pub fn read(&mut self, address: u32, count: usize) -> Result<Vec<u32>, BoardError> {
        let mut words = Vec::with_capacity(count);
        while words.len() < count {
            let part = (count - words.len()).min(protocol::MOST_WORDS);
            words.extend(self.ask(&Request {
                opcode: protocol::READ,
                count: part as u8,
                address: address.wrapping_add(4 * words.len() as u32),
                words: &[],
                answer_words: part,
                repeatable: true,
            })?);
        }
        Ok(words)
    }

    /// Writes words.
    ///
    /// # Errors
    /// The errors of [`Client::read`].
    pub fn write(&mut self, address: u32, words: &[u32]) -> Result<(), BoardError> {
        for (part, words) in words.chunks(protocol::MOST_WORDS).enumerate() {
            self.ask(&Request {
                opcode: protocol::WRITE,
                count: words.len() as u8,
                address: address.wrapping_add((4 * protocol::MOST_WORDS * part) as u32),
                words,
                answer_words: 0,
                repeatable: true,
            })?;
        }
        Ok(())
    }

    /// Fills `bytes` bytes, a multiple of 256, with copies of `word`.
    ///
    /// # Errors
    /// The errors of [`Client::read`].
    pub fn fill(&mut self, address: u32, bytes: u32, word: u32) -> Result<(), BoardError> {
        let unit = 4 * protocol::FILL_WORDS as u32;
        let mut done = 0;
        while done < bytes / unit {
            let part = (bytes / unit - done).min(protocol::MOST_FILLS as u32);
            self.ask(&Request {
                opcode: protocol::FILL,
                count: part as u8,
                address: address.wrapping_add(done * unit),
                words: &[word],
                answer_words: 0,
                repeatable: true,
            })?;
            done += part;
        }
        Ok(())
    }

    /// Starts the grid.
    ///
    /// # Errors
    /// The errors of [`Client::read`], and [`BoardError::StartLost`].
    pub fn start(&mut self) -> Result<(), BoardError> {
        self.ask(&Request {
            opcode: protocol::WRITE,
            count: 1,
            address: map::CONTROL,
            words: &[map::CONTROL_START],
            answer_words: 0,
            repeatable: false,
        })?;
        Ok(())
    }

    /// Stops the grid and waits until it has stopped; returns STATUS.
    pub(super) fn abort(&mut self) -> Result<u32, BoardError> {
        self.write(map::CONTROL, &[map::CONTROL_ABORT])?;
        match self.wait(self.answer_time)? {
            Some(status) => Ok(status),
            None => Err(BoardError::NeverStops {
                seconds: self.answer_time.as_secs_f64(),
            }),
        }
    }

    /// Waits up to `time` for the grid to end; returns STATUS, or `None` if the grid still runs.
    pub(super) fn wait(&mut self, time: Duration) -> Result<Option<u32>, BoardError> {
        let begin = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            let status = self.read(map::STATUS, 1)?[0];
            if status & map::STATUS_RUNNING == 0 {
                return Ok(Some(status));
            }
            if begin.elapsed() > time {
                return Ok(None);
            }
            std::thread::sleep(pause);
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
    }

    /// Reads registers; consecutive addresses are read in one request.
    pub(super) fn registers<const N: usize>(&mut self, addresses: [u32; N]) -> Result<[u32; N], BoardError> {
        let mut found = BTreeMap::new();
        for (first, count) in runs(addresses.iter().map(|address| *address as usize / 4), 0) {
            let words = self.read(4 * first as u32, count)?;
            found.extend((4 * first as u32..).step_by(4).zip(words));
        }
        Ok(addresses.map(|address| found[&address]))
    }

    /// The chip's configuration, with the given registers per SM and global memory.
    pub(super) fn machine(&mut self, registers_per_sm: u32, global_bytes: u32) -> Result<Configuration, BoardError> {
        let [id, sizes] = self.registers([map::ID, map::CONFIGURATION])?;
        let wrong = |reason: String| BoardError::Chip {
            id,
            configuration: sizes,
            reason,
        };
        if id != map::ID_VALUE {
            return Err(wrong(format!("expected ID {:#010x}", map::ID_VALUE)));
        }
        let field = |name| {
            let field = map::field(map::CONFIGURATION, name);
            (sizes & field.mask()) >> field.low
        };
        let configuration = Configuration {
            lanes: Lanes::try_from(field("LANES")).map_err(|error| wrong(error.to_string()))?,
            sms: field("SMS"),
            registers_per_sm,
            global_bytes,
            ..Configuration::default()
        };
        if field("WARPS") != configuration.warps_per_sm {
            return Err(wrong(format!("expected {} warps", configuration.warps_per_sm)));
        }
        Ok(configuration)
    }
}

/// Sorts numbers into runs (first, length), which span gaps of at most `gap` numbers.
pub(super) fn runs(numbers: impl IntoIterator<Item = usize>, gap: usize) -> Vec<(usize, usize)> {
    let numbers: BTreeSet<usize> = numbers.into_iter().collect();
    let mut found: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match found.last_mut() {
            Some((first, length)) if number <= *first + *length + gap => *length = number - *first + 1,
            _ => found.push((number, 1)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_near_each_other_are_read_together() {
        assert_eq!(runs([9, 2, 1, 5, 2], 0), [(1, 2), (5, 1), (9, 1)]);
        assert_eq!(runs([9, 2, 1, 5, 2], 2), [(1, 5), (9, 1)]);
        assert_eq!(runs([], 2), []);
    }
}
