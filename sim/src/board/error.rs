//! Errors between a board and its host.

use flexgrip_engines::files::dump::DumpError;
use flexgrip_engines::files::error::FileError;
use flexgrip_engines::outside::IoError;
use flexgrip_engines::trace::ending::OutOfTime;
use flexgrip_hdl::board::protocol::GarbledAnswer;
use std::io;
use std::process::ExitStatus;
use thiserror::Error;

/// An error between a board and its host.
#[derive(Debug, Error)]
pub enum BoardError {
    /// The port cannot be opened.
    #[error("cannot open the port {port}: {error}")]
    Open {
        /// The port, as given.
        port: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The open port failed.
    #[error("cannot {what} {port}: {error}")]
    Port {
        /// `read from` or `write to`.
        what: &'static str,
        /// The port, as given.
        port: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The command at the other end of a pipe has ended.
    #[error("the command `{command}` ended ({}) before its board answered", ended(.status))]
    CommandEnded {
        /// The command, as given.
        command: String,
        /// The exit status of the command, if known.
        status: Option<ExitStatus>,
    },
    /// No answer arrived within the time limit.
    #[error(
        "no answer to the {request} within {seconds} s{}, in {attempts} attempts; expected a board's frame (is the board on, \
         is the line's speed right?)",
        begun_text(.begun)
    )]
    NoAnswer {
        /// The request, for the message.
        request: String,
        /// Seconds waited each time.
        seconds: f64,
        /// Number of attempts.
        attempts: u32,
        /// Bytes received of an incomplete answer.
        begun: Option<usize>,
    },
    /// Answers arrived, but none was intact.
    #[error("the answer to the {request} was garbled, in {attempts} attempts: {garbled}")]
    Garbled {
        /// The request, for the message.
        request: String,
        /// Number of attempts.
        attempts: u32,
        /// The last answer.
        garbled: GarbledAnswer,
    },
    /// The board did not understand the request.
    #[error("the board did not understand the {request}, in {attempts} attempts: {reason}")]
    NotUnderstood {
        /// The request, for the message.
        request: String,
        /// Number of attempts.
        attempts: u32,
        /// The reason that the board gave.
        reason: &'static str,
    },
    /// The answer does not fit the request.
    #[error(
        "the board answered the {request} with status {status} and {words} words; expected status 0 and {expected}"
    )]
    WrongAnswer {
        /// The request, for the message.
        request: String,
        /// The status received.
        status: u8,
        /// Words received.
        words: usize,
        /// Words expected.
        expected: usize,
    },
    /// The chip's bus refused an access.
    #[error("the chip's bus refused address {address:#010x} in the {request}")]
    Refused {
        /// The request, for the message.
        request: String,
        /// The address, in bytes.
        address: u32,
    },
    /// It is unknown whether the grid has started.
    #[error(
        "the serial line failed at the start of the grid ({reason}); the grid may or may not be running: run it again"
    )]
    StartLost {
        /// The failure of the line.
        reason: String,
    },
    /// The other end is not a board.
    #[error(
        "not a board of this version: it answers {got:08x?}; expected {expected:08x?} and the sizes of three memories"
    )]
    NotABoard {
        /// The words received.
        got: Vec<u32>,
        /// The first word expected.
        expected: u32,
    },
    /// The other end is not a board with only a lane.
    #[error("not a board with a single lane: it answers {got:08x?}; expected {expected:08x} and zeros (a board with the chip \
         is for `flexgrip board`)")]
    NotALane {
        /// The words received.
        got: Vec<u32>,
        /// The first word expected.
        expected: u32,
    },
    /// The chip is of another kind.
    #[error("the board's chip has ID {id:#010x} and CONFIGURATION {configuration:#010x}; {reason}")]
    Chip {
        /// The ID register.
        id: u32,
        /// The CONFIGURATION register.
        configuration: u32,
        /// The expected value.
        reason: String,
    },
    /// The kernel is too large for the board.
    #[error("the kernel does not fit the board: {what} need {needed} bytes, the board has {available}")]
    TooLarge {
        /// The contents that are too large, in the plural.
        what: &'static str,
        /// Bytes needed.
        needed: u64,
        /// Bytes available.
        available: u32,
    },
    /// A grid did not end in time. For callers that treat this as an error; a run reports it as
    /// [`Ending::OutOfTime`](flexgrip_engines::trace::ending::Ending).
    #[error(transparent)]
    OutOfTime(#[from] OutOfTime),
    /// A grid was told to stop and did not.
    #[error("the grid running on the board did not stop within {seconds} s; press the board's reset button")]
    NeverStops {
        /// Seconds waited.
        seconds: f64,
    },
    /// The memory refused an access of the grid, and no instruction is at fault.
    #[error("the board's global memory refused an access (STATUS {status:#x})")]
    Memory {
        /// The STATUS register.
        status: u32,
    },
    /// The chip or its circuits broke the rules of their interfaces: a defect in them, not in the kernel.
    #[error("test bench: {0}")]
    Bench(String),
    /// The kernel does not fit the machine.
    #[error(transparent)]
    File(#[from] FileError),
    /// Part of global memory cannot be shown as requested.
    #[error(transparent)]
    Dump(#[from] DumpError),
    /// A process or thread could not be started, or a stream failed.
    #[error(transparent)]
    Io(#[from] IoError),
}

fn ended(status: &Option<ExitStatus>) -> String {
    status.map_or("it closed its output".into(), |status| status.to_string())
}

fn begun_text(begun: &Option<usize>) -> String {
    begun.map_or(String::new(), |bytes| format!(" ({bytes} bytes of one arrived)"))
}

impl BoardError {
    /// An error of an open port, for `map_err`.
    pub(super) fn of_port<'a>(port: &'a str, what: &'static str) -> impl FnOnce(io::Error) -> BoardError + 'a {
        move |error| BoardError::Port {
            what,
            port: port.into(),
            error,
        }
    }
}
