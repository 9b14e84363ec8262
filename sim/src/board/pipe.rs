//! A line to a board over a command's standard input and output.

use crate::board::error::BoardError;
use crate::board::line::Line;
use crate::board::stream::read_aside;
use flexgrip_engines::outside::IoError;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Time limit for a command to end after its input is closed.
const COMMAND_END: Duration = Duration::from_secs(5);

/// A command's standard input and output.
pub struct PipeLine {
    command: String,
    child: Child,
    /// `None` after the input has been closed.
    input: Option<ChildStdin>,
    output: Receiver<io::Result<Vec<u8>>>,
    /// Received bytes in reverse order: `pop` returns the next one.
    received: Vec<u8>,
}

impl PipeLine {
    /// Runs a shell command.
    ///
    /// # Errors
    /// The command cannot be run.
    pub fn open(command: &str) -> Result<Self, BoardError> {
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
        let mut child = child.map_err(IoError::of(what.clone()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(IoError::of(what)(io::Error::other("it has no pipes")).into());
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
    /// Closes the input, which should end the command; kills its shell otherwise.
    fn drop(&mut self) {
        self.input = None;
        if self.end().is_none() {
            // The command may have ended just now.
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
