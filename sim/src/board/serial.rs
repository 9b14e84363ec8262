//! A line to a board over a serial device.

use crate::board::error::BoardError;
use crate::board::line::Line;
use std::io;
use std::time::{Duration, Instant};

/// A serial device.
pub(super) struct SerialLine {
    name: String,
    port: serial2::SerialPort,
    /// Received bytes in reverse order: `pop` returns the next one.
    received: Vec<u8>,
}

impl SerialLine {
    /// Opens the device at `baud` bits per second.
    pub(super) fn open(name: &str, baud: u32) -> Result<Self, BoardError> {
        let failed = |error| BoardError::Open {
            port: name.into(),
            error,
        };
        // 8N1 without flow control; bytes pass unchanged.
        let port = serial2::SerialPort::open(name, baud).map_err(failed)?;
        // Earlier bytes do not belong to any answer.
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
        // A timeout of zero would wait forever.
        let left = left.max(Duration::from_millis(1));
        self.port.set_read_timeout(left).map_err(self.failed("read from"))?;
        let mut buffer = [0; 512];
        match self.port.read(&mut buffer) {
            Ok(0) => {
                let error = io::Error::new(io::ErrorKind::UnexpectedEof, "the device is gone");
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
