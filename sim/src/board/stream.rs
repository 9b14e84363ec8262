//! A stream of bytes, read on a thread of its own.

use crate::outside::IoError;
use std::io::Read;
use std::sync::mpsc::{self, Receiver};

/// Reads a stream on a thread of its own, which ends with the stream.
pub(crate) fn read_aside(mut input: impl Read + Send + 'static) -> Result<Receiver<std::io::Result<Vec<u8>>>, IoError> {
    let (sender, receiver) = mpsc::channel();
    let work = move || {
        let mut buffer = [0; 4096];
        loop {
            let part = match input.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) => Ok(buffer[..count].to_vec()),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let failed = part.is_err();
            // Nobody listens any more, or there is no more.
            if sender.send(part).is_err() || failed {
                return;
            }
        }
    };
    std::thread::Builder::new()
        .name("line".into())
        .spawn(work)
        .map(|_| receiver)
        .map_err(IoError::of("cannot start a thread"))
}
