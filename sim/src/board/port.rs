//! The location of a board: a serial device, or a command that serves as its line.

use crate::board::error::BoardError;
use crate::board::line::Line;
use crate::board::pipe::PipeLine;
use crate::board::serial::SerialLine;
use std::str::FromStr;

/// The default baud rate: the rate of this project's bitstreams.
pub const BAUD: u32 = 1_000_000;

/// The location of a board, as given on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Port {
    /// A serial device, such as `/dev/ttyUSB0`.
    Serial(String),
    /// `pipe:COMMAND`: a shell command, connected through its standard input and output.
    Pipe(String),
}

impl FromStr for Port {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("pipe:") {
            Some(command) if command.trim().is_empty() => Err("no command after pipe:".into()),
            Some(command) => Ok(Port::Pipe(command.into())),
            None if text.is_empty() => Err("expected a serial device, or pipe:COMMAND".into()),
            None => Ok(Port::Serial(text.into())),
        }
    }
}

impl Port {
    /// Opens the port; a serial device at `baud` bits per second.
    ///
    /// # Errors
    /// The port cannot be opened, or the command cannot be run.
    pub fn open(&self, baud: u32) -> Result<Box<dyn Line>, BoardError> {
        Ok(match self {
            Port::Serial(name) => Box::new(SerialLine::open(name, baud)?),
            Port::Pipe(command) => Box::new(PipeLine::open(command)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_parsed() {
        let port = |text: &str| text.parse::<Port>();
        assert_eq!(port("/dev/ttyUSB0"), Ok(Port::Serial("/dev/ttyUSB0".into())));
        assert_eq!(port("pipe:ssh lab x"), Ok(Port::Pipe("ssh lab x".into())));
        assert!(port("").is_err() && port("pipe: ").is_err());
    }
}
