//! A board's host: loads a kernel over the serial line, starts it, reads back what it has left.
//!
//! The frames on the line are those of `hdl/src/board/protocol.rs`. What is written to the chip is what every host writes
//! ([`crate::host`]); a board may have run other kernels before, so its memories are filled with zeros first.
//!
//! ```text
//! kernel ──> launch_writes ──> bursts ──> Client: frames, answers, repetitions ──> Line: serial port, or a command's pipes
//! ```
//! A request that is not answered, or whose answer is garbled, is repeated with another tag: to read or write the same words
//! twice does no harm. The start of a grid is repeated only if the board says that it has not understood it.

use crate::counters::SmCounters;
use crate::dump::Dump;
use crate::engine::{Coalescing, Ending, RunError, RunReport};
use crate::expectation::initial_global;
use crate::host::{launch_writes, local_layout, HostStatus};
use crate::launch_file::Kernel;
use crate::simulated_board::read_aside;
use flexgrip_hdl::board::protocol::{self, Answer, AnswerReader, GarbledAnswer, Identification};
use flexgrip_hdl::host_map as map;
use flexgrip_model::{Configuration, ImageSpace, Launch, CONSTANT_BANK_BYTES};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::str::FromStr;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// How often a request is made before the line is given up.
pub const ATTEMPTS: u32 = 3;
/// Bits a second of the line unless the caller says otherwise: those of the boards that bitstreams are made for here.
pub const BAUD: u32 = 1_000_000;
/// Seconds within which an answer must come, unless the caller says otherwise: what the longest frame takes at 1,200 baud.
pub const ANSWER_SECONDS: f64 = 10.0;
/// Seconds that a grid may take unless the caller says otherwise.
pub const GRID_SECONDS: f64 = 600.0;
/// Global memory and what the threads' local memories take behind it.
const GLOBAL_AND_LOCAL: &str = "global memory and the threads' local memories";
/// The least global memory that a machine has.
const LEAST_GLOBAL_BYTES: u64 = 64;
/// Words that are read for nothing rather than asked for apart.
const WORTHWHILE_GAP: usize = 4;
/// The longest pause between two looks at a grid that runs.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);
/// How long a command may take to end when its input has.
const COMMAND_END: Duration = Duration::from_secs(5);

/// What went wrong between a board and its host.
#[derive(Debug, Error)]
pub enum BoardError {
    /// The port cannot be opened.
    #[error("cannot open the port {port}: {error}")]
    Open {
        /// As it was given.
        port: String,
        /// Why.
        error: io::Error,
    },
    /// The port is open and fails.
    #[error("cannot {what} {port}: {error}")]
    Port {
        /// Read from, or write to.
        what: &'static str,
        /// As it was given.
        port: String,
        /// Why.
        error: io::Error,
    },
    /// The command behind a pipe has ended.
    #[error("the command `{command}` has ended ({}), while an answer of its board was expected", ended(.status))]
    CommandEnded {
        /// As it was given.
        command: String,
        /// How, if that is known.
        status: Option<ExitStatus>,
    },
    /// No answer came.
    #[error(
        "no answer to the {request} within {seconds} s{}, asked {attempts} times; expected a board's frame (is it on, is the \
         speed of the line right?)",
        begun_text(.begun)
    )]
    NoAnswer {
        /// What was asked for.
        request: String,
        /// How long it was waited for each time.
        seconds: f64,
        /// How often it was asked for.
        attempts: u32,
        /// Bytes of an answer that came without the rest.
        begun: Option<usize>,
    },
    /// Answers came, and none whole.
    #[error("the answer to the {request} was garbled, asked {attempts} times: {garbled}")]
    Garbled {
        /// What was asked for.
        request: String,
        /// How often.
        attempts: u32,
        /// The last one.
        garbled: GarbledAnswer,
    },
    /// The board did not understand.
    #[error("the board did not understand the {request}, asked {attempts} times: {reason}")]
    NotUnderstood {
        /// What was asked for.
        request: String,
        /// How often.
        attempts: u32,
        /// As it said.
        reason: &'static str,
    },
    /// An answer that answers something else.
    #[error(
        "the board answered the {request} with status {status} and {words} words, expected status 0 and {expected}"
    )]
    WrongAnswer {
        /// What was asked for.
        request: String,
        /// What came.
        status: u8,
        /// Words of it.
        words: usize,
        /// Words that should have come.
        expected: usize,
    },
    /// The chip's bus has refused an access.
    #[error("the chip's bus refused address {address:#010x} in the {request}")]
    Refused {
        /// What was asked for.
        request: String,
        /// The address, in bytes.
        address: u32,
    },
    /// Nobody knows whether the grid has been started.
    #[error("the line failed at the start of the grid ({reason}), which may run or not; run it again")]
    StartLost {
        /// How.
        reason: String,
    },
    /// What answers is no board.
    #[error("what answers is no board of this version: it says {got:08x?}, expected {expected:08x?} and the sizes of three \
         memories")]
    NotABoard {
        /// The words.
        got: Vec<u32>,
        /// The first one, as it should be.
        expected: u32,
    },
    /// What answers has no lane for its host.
    #[error("what answers is no board with a lane alone: it says {got:08x?}, expected {expected:08x} and zeros (a board with \
         the chip is for `flexgrip board`)")]
    NotALane {
        /// The words.
        got: Vec<u32>,
        /// The first one, as it should be.
        expected: u32,
    },
    /// The chip is another one.
    #[error("the board's chip says ID {id:#010x} and CONFIGURATION {configuration:#010x}: {reason}")]
    Chip {
        /// The ID register.
        id: u32,
        /// The CONFIGURATION register.
        configuration: u32,
        /// What was expected.
        reason: String,
    },
    /// The kernel is too large for the board.
    #[error("the kernel does not fit the board: {what} need {needed} bytes, the board has {available}")]
    TooLarge {
        /// What is too large, in the plural.
        what: &'static str,
        /// What it would need.
        needed: u64,
        /// What there is.
        available: u32,
    },
    /// A grid did not end.
    #[error("the grid did not end within {seconds} s; stopped after {cycles} cycles")]
    Endless {
        /// How long it was waited for.
        seconds: f64,
        /// The chip's count.
        cycles: u64,
    },
    /// A grid that is told to stop does not.
    #[error("a grid runs on the board and does not stop within {seconds} s; press its reset button")]
    NeverStops {
        /// How long it was waited for.
        seconds: f64,
    },
    /// The memory refused an access of the grid, without an instruction at fault.
    #[error("the board's global memory refused an access (STATUS {status:#x})")]
    Memory {
        /// STATUS.
        status: u32,
    },
}

fn ended(status: &Option<ExitStatus>) -> String {
    status.map_or("it has closed its output".into(), |status| status.to_string())
}

fn begun_text(begun: &Option<usize>) -> String {
    begun.map_or(String::new(), |bytes| format!(" ({bytes} bytes of one came)"))
}

/// Where a board is, as on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Port {
    /// A serial device, such as `/dev/ttyUSB0`.
    Serial(String),
    /// `pipe:COMMAND`: a command of the shell, which is run and talked to over its standard input and output.
    Pipe(String),
}

impl FromStr for Port {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("pipe:") {
            Some(command) if command.trim().is_empty() => Err("no command behind pipe:".into()),
            Some(command) => Ok(Port::Pipe(command.into())),
            None if text.is_empty() => Err("expected a serial device, or pipe:COMMAND".into()),
            None => Ok(Port::Serial(text.into())),
        }
    }
}

impl Port {
    /// Opens it; a serial device with `baud` bits a second.
    ///
    /// # Errors
    /// It cannot be opened, or the command not be run.
    pub fn open(&self, baud: u32) -> Result<Box<dyn Line>, RunError> {
        Ok(match self {
            Port::Serial(name) => Box::new(SerialLine::open(name, baud)?),
            Port::Pipe(command) => Box::new(PipeLine::open(command)?),
        })
    }
}

/// A line to a board: bytes there and back.
pub trait Line {
    /// Sends bytes.
    ///
    /// # Errors
    /// The line has failed.
    fn send(&mut self, bytes: &[u8]) -> Result<(), BoardError>;
    /// The next byte, if one comes before `deadline`.
    ///
    /// # Errors
    /// The line has failed.
    fn receive(&mut self, deadline: Instant) -> Result<Option<u8>, BoardError>;
}

impl Line for Box<dyn Line> {
    fn send(&mut self, bytes: &[u8]) -> Result<(), BoardError> {
        (**self).send(bytes)
    }

    fn receive(&mut self, deadline: Instant) -> Result<Option<u8>, BoardError> {
        (**self).receive(deadline)
    }
}

/// A serial device.
struct SerialLine {
    name: String,
    port: serial2::SerialPort,
    /// Bytes that have come, the next one last.
    received: Vec<u8>,
}

impl SerialLine {
    fn open(name: &str, baud: u32) -> Result<Self, BoardError> {
        let failed = |error| BoardError::Open {
            port: name.into(),
            error,
        };
        // 8N1 without flow control, every byte as it is.
        let port = serial2::SerialPort::open(name, baud).map_err(failed)?;
        // What came before is nobody's answer.
        port.discard_buffers().map_err(failed)?;
        Ok(SerialLine {
            name: name.into(),
            port,
            received: Vec::new(),
        })
    }

    fn failed(&self, what: &'static str) -> impl FnOnce(io::Error) -> BoardError + '_ {
        BoardError::of_port(&self.name, what)
    }
}

impl Line for SerialLine {
    fn send(&mut self, bytes: &[u8]) -> Result<(), BoardError> {
        self.port.write_all(bytes).map_err(self.failed("write to"))
    }

    fn receive(&mut self, deadline: Instant) -> Result<Option<u8>, BoardError> {
        if let Some(byte) = self.received.pop() {
            return Ok(Some(byte));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        // No time at all would mean to wait for ever.
        let left = left.max(Duration::from_millis(1));
        self.port.set_read_timeout(left).map_err(self.failed("read from"))?;
        let mut buffer = [0; 512];
        match self.port.read(&mut buffer) {
            Ok(0) => {
                let error = io::Error::new(io::ErrorKind::UnexpectedEof, "the device has gone");
                Err(self.failed("read from")(error))
            }
            Ok(count) => {
                self.received.extend(buffer[..count].iter().rev());
                Ok(self.received.pop())
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            Err(error) => Err(self.failed("read from")(error)),
        }
    }
}

impl BoardError {
    fn of_port<'a>(port: &'a str, what: &'static str) -> impl FnOnce(io::Error) -> BoardError + 'a {
        move |error| BoardError::Port {
            what,
            port: port.into(),
            error,
        }
    }
}

/// A command's standard input and output.
pub struct PipeLine {
    command: String,
    child: Child,
    /// Gone when the line is.
    input: Option<ChildStdin>,
    output: Receiver<io::Result<Vec<u8>>>,
    /// Bytes that have come, the next one last.
    received: Vec<u8>,
}

impl PipeLine {
    /// Runs a command of the shell.
    ///
    /// # Errors
    /// It cannot be run.
    pub fn open(command: &str) -> Result<Self, RunError> {
        let mut shell = if cfg!(windows) {
            let mut shell = Command::new("cmd");
            shell.arg("/C");
            shell
        } else {
            let mut shell = Command::new("sh");
            shell.arg("-c");
            shell
        };
        let what = format!("cannot run the command `{command}`");
        let child = shell.arg(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(RunError::io(what.clone()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(RunError::io(what)(io::Error::other("it has no pipes")));
        };
        Ok(PipeLine {
            command: command.into(),
            child,
            input: Some(input),
            output: read_aside(output)?,
            received: Vec::new(),
        })
    }

    /// Waits for the command to end.
    fn end(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + COMMAND_END;
        while Instant::now() < deadline {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(5)),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
        None
    }

    fn ended(&mut self) -> BoardError {
        BoardError::CommandEnded {
            command: self.command.clone(),
            status: self.end(),
        }
    }
}

impl Drop for PipeLine {
    /// The command ends with its input; if it does not, its shell is ended.
    fn drop(&mut self) {
        self.input = None;
        if self.end().is_none() {
            // It may have ended just now.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

impl Line for PipeLine {
    fn send(&mut self, bytes: &[u8]) -> Result<(), BoardError> {
        let Some(input) = &mut self.input else {
            return Err(self.ended());
        };
        match input.write_all(bytes).and_then(|()| input.flush()) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(self.ended()),
            Err(error) => Err(BoardError::of_port(&self.command, "write to")(error)),
        }
    }

    fn receive(&mut self, deadline: Instant) -> Result<Option<u8>, BoardError> {
        if let Some(byte) = self.received.pop() {
            return Ok(Some(byte));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(left) {
            Ok(Ok(part)) => {
                self.received = part;
                self.received.reverse();
                Ok(self.received.pop())
            }
            Ok(Err(error)) => Err(BoardError::of_port(&self.command, "read from")(error)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }
}

/// How an attempt went wrong.
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
    /// Words of its answer.
    answer_words: usize,
    /// To do it twice does what doing it once does.
    repeatable: bool,
}

impl std::fmt::Display for Request<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (count, address) = (self.count, self.address);
        match self.opcode {
            protocol::IDENTIFY => write!(f, "question who is there"),
            protocol::READ => write!(f, "read of {count} words from {address:#010x} on"),
            protocol::WRITE => write!(f, "write of {count} words from {address:#010x} on"),
            protocol::EXECUTE => write!(f, "operation with the words {:08x?}", self.words),
            _ => write!(
                f,
                "fill of {} words from {address:#010x} on",
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
    /// On this line, where an answer must come within `answer_time`.
    pub fn new(line: L, answer_time: Duration) -> Self {
        Client {
            line,
            reader: AnswerReader::default(),
            tag: 0,
            answer_time,
            repeated: 0,
        }
    }

    /// The line, for another client.
    pub fn into_line(self) -> L {
        self.line
    }

    /// Requests that had to be made again so far: noise on the line.
    pub fn repeated(&self) -> u32 {
        self.repeated
    }

    /// One attempt.
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
                // One with another tag answers what was given up.
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

    /// What the board is.
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

    /// That the board is one with a lane alone.
    ///
    /// # Errors
    /// No board answers, or another one.
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

    /// Has a board's lane do an operation: its result and condition code.
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
        // As many as were asked for.
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
    /// As [`Client::read`].
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

    /// Writes a word to all of `bytes`, a multiple of 256.
    ///
    /// # Errors
    /// As [`Client::read`].
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
    /// As [`Client::read`], and [`BoardError::StartLost`].
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

    /// Stops a grid, and waits until it has. Its STATUS then.
    fn abort(&mut self) -> Result<u32, BoardError> {
        self.write(map::CONTROL, &[map::CONTROL_ABORT])?;
        match self.wait(self.answer_time)? {
            Some(status) => Ok(status),
            None => Err(BoardError::NeverStops {
                seconds: self.answer_time.as_secs_f64(),
            }),
        }
    }

    /// STATUS when no grid runs any more, if that is within `time`.
    fn wait(&mut self, time: Duration) -> Result<Option<u32>, BoardError> {
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

    /// Registers, those with consecutive addresses at once.
    fn registers<const N: usize>(&mut self, addresses: [u32; N]) -> Result<[u32; N], BoardError> {
        let mut found = BTreeMap::new();
        for (first, count) in runs(addresses.iter().map(|address| *address as usize / 4), 0) {
            let words = self.read(4 * first as u32, count)?;
            found.extend((4 * first as u32..).step_by(4).zip(words));
        }
        Ok(addresses.map(|address| found[&address]))
    }

    /// The chip's sizes, with so many registers and this much global memory.
    fn machine(&mut self, registers_per_sm: u32, global_bytes: u32) -> Result<Configuration, BoardError> {
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
            lanes: field("LANES"),
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

/// Ascending numbers as runs: first and length. Those that are at most `gap` apart are one run, with what is between.
fn runs(numbers: impl IntoIterator<Item = usize>, gap: usize) -> Vec<(usize, usize)> {
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

/// How to run on a board.
#[derive(Clone, Debug)]
pub struct BoardOptions {
    /// How global accesses become requests.
    pub coalescing: Coalescing,
    /// Bytes of global memory that the kernel has; `None` for all that there is.
    pub global_bytes: Option<u32>,
    /// How long the grid may take.
    pub grid_time: Duration,
}

impl Default for BoardOptions {
    fn default() -> Self {
        BoardOptions {
            coalescing: Coalescing::Segment,
            global_bytes: None,
            grid_time: Duration::from_secs_f64(GRID_SECONDS),
        }
    }
}

/// What does not fit, with the bytes that it needs and those that there are.
fn fits(what: &'static str, needed: u64, available: u32) -> Result<(), BoardError> {
    if needed > u64::from(available) {
        return Err(BoardError::TooLarge {
            what,
            needed,
            available,
        });
    }
    Ok(())
}

/// The most global memory that a checked launch can have on a machine whose memory of `bytes` holds the threads' local memories,
/// too.
fn global_room(launch: &Launch, configuration: &Configuration, bytes: u32) -> Result<u32, BoardError> {
    let whole = Configuration {
        global_bytes: bytes,
        ..configuration.clone()
    };
    let local = local_layout(launch, &whole).end - u64::from(bytes);
    fits(GLOBAL_AND_LOCAL, local + LEAST_GLOBAL_BYTES, bytes)?;
    Ok(bytes - local as u32)
}

/// The memories of a board must have room for a checked launch.
fn check_room(launch: &Launch, board: &Identification, configuration: &Configuration) -> Result<(), BoardError> {
    let instructions = 4 * launch.program.len() as u64;
    fits("its instructions", instructions, board.instruction_bytes)?;
    for image in &launch.memory {
        let end = u64::from(image.address) + 4 * image.words.len() as u64;
        match image.space {
            ImageSpace::Constant { bank } => {
                let start = u64::from(bank) * u64::from(CONSTANT_BANK_BYTES);
                fits("its constants", start + end, board.constant_bytes)?;
            }
            ImageSpace::Global => fits("its global memory's contents", end, board.global_bytes)?,
        }
    }
    fits(
        GLOBAL_AND_LOCAL,
        local_layout(launch, configuration).end,
        board.global_bytes,
    )
}

/// Runs a kernel on the board at the other end of a line. Of global memory, the report has what the kernel's expectations and
/// `dumps` name, and all of it if an expectation is about all of it; the rest is as it was before the run.
///
/// # Errors
/// The line or the board fails, or the kernel does not fit. A kernel that goes wrong is no error here.
pub fn run<L: Line>(
    client: &mut Client<L>,
    kernel: &Kernel,
    dumps: &[Dump],
    options: &BoardOptions,
) -> Result<(RunReport, Configuration), RunError> {
    let launch = &kernel.launch;
    let board = client.identify()?;
    let mut configuration = client.machine(board.registers, map::GLOBAL_BYTES)?;
    // What no machine runs, whatever its memory; the layout of memory is for checked launches only.
    kernel.check(&configuration)?;
    configuration.global_bytes = match options.global_bytes {
        Some(bytes) => bytes,
        None => global_room(launch, &configuration, board.global_bytes)?,
    };
    check_room(launch, &board, &configuration)?;
    kernel.check(&configuration)?;
    dumps
        .iter()
        .try_for_each(|dump| dump.check(configuration.global_bytes))?;

    // Whatever ran is of no interest any more.
    client.abort()?;
    client.fill(map::CONSTANT_BASE, board.constant_bytes, 0)?;
    client.fill(map::GLOBAL_BASE, board.global_bytes, 0)?;
    let mut burst: (u32, Vec<u32>) = (0, Vec::new());
    for write in launch_writes(launch, &configuration, options.coalescing) {
        if write.address != burst.0.wrapping_add(4 * burst.1.len() as u32) {
            client.write(burst.0, &burst.1)?;
            burst = (write.address, Vec::new());
        }
        burst.1.push(write.data);
    }
    client.write(burst.0, &burst.1)?;

    let clock = Instant::now();
    client.start()?;
    let in_time = client.wait(options.grid_time)?.is_some();
    let wall = clock.elapsed();
    if !in_time {
        client.abort()?;
    }
    let status = HostStatus::from_words(client.registers(HostStatus::REGISTERS)?);
    if !in_time {
        return Err(RunError::Board(BoardError::Endless {
            seconds: options.grid_time.as_secs_f64(),
            cycles: status.cycles,
        }));
    }
    let counters = (0..configuration.sms)
        .map(|sm| {
            let words = client.read(map::COUNTER_BASE + sm * map::COUNTER_STRIDE, 2 * map::SM_COUNTERS)?;
            SmCounters::read(|counter| {
                let place = 2 * counter as usize;
                Ok(u64::from(words[place + 1]) << 32 | u64::from(words[place]))
            })
        })
        .collect::<Result<Vec<SmCounters>, BoardError>>()?;
    let ending = match status.kernel_error(launch).map_err(RunError::Bench)? {
        Some(error) => Ending::Failed(error),
        None => Ending::Complete,
    };
    if ending == Ending::Complete && status.status & map::STATUS_BUS_ERROR != 0 {
        return Err(RunError::Board(BoardError::Memory { status: status.status }));
    }
    let mut global = initial_global(launch, configuration.global_bytes as usize / 4);
    for (first, count) in wanted(kernel, dumps, global.len()) {
        let words = client.read(map::GLOBAL_BASE + 4 * first as u32, count)?;
        global[first..first + count].copy_from_slice(&words);
    }
    let report = RunReport::of_machine(ending, status.cycles, counters, global, wall);
    Ok((report, configuration))
}

/// The words of global memory that somebody will look at.
fn wanted(kernel: &Kernel, dumps: &[Dump], words: usize) -> Vec<(usize, usize)> {
    if kernel.expectations.iter().any(|expectation| expectation.exact) {
        return vec![(0, words)];
    }
    let expected = kernel.expectations.iter().flat_map(|expectation| &expectation.words);
    let expected = expected.map(|entry| entry.address as usize / 4);
    let dumped = dumps.iter().flat_map(|dump| {
        let end = dump.address as usize + dump.bytes as usize;
        dump.address as usize / 4..end.div_ceil(4)
    });
    runs(expected.chain(dumped).filter(|word| *word < words), WORTHWHILE_GAP)
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

    #[test]
    fn ports() {
        let port = |text: &str| text.parse::<Port>();
        assert_eq!(port("/dev/ttyUSB0"), Ok(Port::Serial("/dev/ttyUSB0".into())));
        assert_eq!(port("pipe:ssh lab x"), Ok(Port::Pipe("ssh lab x".into())));
        assert!(port("").is_err() && port("pipe: ").is_err());
    }
}
