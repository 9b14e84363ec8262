//! What goes wrong between a board and its host.

use crate::files::dump::DumpError;
use crate::files::error::FileError;
use crate::outside::IoError;
use crate::trace::ending::OutOfTime;
use flexgrip_hdl::board::protocol::GarbledAnswer;
use std::io;
use std::process::ExitStatus;
use thiserror::Error;

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
    /// A grid did not end in its time: for callers that take this as an error; a run reports it as
    /// [`Ending::OutOfTime`](crate::trace::ending::Ending).
    #[error(transparent)]
    OutOfTime(#[from] OutOfTime),
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
    /// The chip or its circuits do not keep to their interfaces: a defect in them, not in the kernel.
    #[error("test bench: {0}")]
    Bench(String),
    /// The kernel does not fit the machine.
    #[error(transparent)]
    File(#[from] FileError),
    /// Part of global memory cannot be shown as asked.
    #[error(transparent)]
    Dump(#[from] DumpError),
    /// A process or thread could not be started, or a stream failed.
    #[error(transparent)]
    Io(#[from] IoError),
}

fn ended(status: &Option<ExitStatus>) -> String {
    status.map_or("it has closed its output".into(), |status| status.to_string())
}

fn begun_text(begun: &Option<usize>) -> String {
    begun.map_or(String::new(), |bytes| format!(" ({bytes} bytes of one came)"))
}

impl BoardError {
    /// For `map_err`: an open port that fails.
    pub(super) fn of_port<'a>(port: &'a str, what: &'static str) -> impl FnOnce(io::Error) -> BoardError + 'a {
        move |error| BoardError::Port {
            what,
            port: port.into(),
            error,
        }
    }
}
