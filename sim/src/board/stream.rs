//! A byte stream, read on its own thread.

use flexgrip_engines::outside::IoError;
use std::io::Read;
use std::sync::mpsc::{self, Receiver};

/// Reads a stream on its own thread, which ends with the stream.
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
            // The receiver is gone, or the stream has failed.
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
