//! Messages of the Debug Adapter Protocol: framing, incoming requests, responses and events.

use serde::de::DeserializeOwned;
use serde_json::{json, Value};
use std::io::{self, BufRead, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{sync_channel, Receiver, TryRecvError};
use std::sync::Arc;
use thiserror::Error;

/// Maximum size of a message, in bytes.
const MOST_BYTES: usize = 64 << 20;
/// Maximum size of a header line, in bytes.
const MOST_HEADER: u64 = 4096;
/// Maximum number of requests that are read ahead.
const READ_AHEAD: usize = 4096;

/// The reason why no more messages can be read or sent.
#[derive(Debug, Error)]
pub enum Gone {
    /// The client has closed the connection without a `disconnect`.
    #[error("the client closed the connection without a `disconnect` request")]
    Vanished,
    /// The client has closed the connection within a message.
    #[error("the client closed the connection in the middle of a message")]
    Within,
    /// The client has sent a header that is not the protocol's, so the beginning of the next message is unknown.
    #[error("the client does not speak the Debug Adapter Protocol: {0}")]
    Header(String),
    /// The connection cannot be read or written.
    #[error("the connection to the client is broken: {0}")]
    Broken(#[from] io::Error),
}

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    /// The client's sequence number.
    pub seq: i64,
    /// The name of the request.
    pub command: String,
    /// The arguments; null if there are none.
    pub arguments: Value,
}

impl Request {
    /// The arguments in the type that the request needs.
    ///
    /// # Errors
    /// An argument is missing, or has the wrong type; the message names it.
    pub fn arguments<T: DeserializeOwned>(&self) -> Result<T, String> {
        let arguments = match &self.arguments {
            Value::Null => json!({}),
            Value::Object(_) => self.arguments.clone(),
            _ => return Err(format!("{}: the arguments are not an object", self.command)),
        };
        serde_json::from_value(arguments).map_err(|error| format!("{}: {error}", self.command))
    }
}

/// A message from the client, or its end.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A request.
    Request(Request),
    /// A message that is not a request, with the reason.
    Unusable(String),
    /// There are no more messages.
    Gone(Gone),
}

/// Reads a message's bytes. `None` if there are no more messages.
fn read_frame(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, Gone> {
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        input.by_ref().take(MOST_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() && is_first {
            return Ok(None);
        }
        if line.last() != Some(&b'\n') {
            let is_long = line.len() as u64 == MOST_HEADER;
            return Err(if is_long {
                Gone::Header(format!("a header line has more than {MOST_HEADER} bytes"))
            } else {
                Gone::Within
            });
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            break;
        }
        is_first = false;
        let field = line.split_once(':');
        let (name, value) = field.ok_or_else(|| Gone::Header(format!("`{line}` is not a header field")))?;
        if name.trim().eq_ignore_ascii_case("content-length") {
            let bytes: usize = value.trim().parse().map_err(|_| {
                let value = value.trim();
                Gone::Header(format!("Content-Length is `{value}`; expected a number of bytes"))
            })?;
            length = Some(bytes);
        }
    }
    let length = length.ok_or_else(|| Gone::Header("the header has no Content-Length".into()))?;
    if length > MOST_BYTES {
        let message = format!("a message has {length} bytes; expected at most {MOST_BYTES}");
        return Err(Gone::Header(message));
    }
    let mut body = Vec::new();
    input.by_ref().take(length as u64).read_to_end(&mut body)?;
    if body.len() < length {
        return Err(Gone::Within);
    }
    Ok(Some(body))
}

/// Parses the request in a message.
fn request(body: &[u8]) -> Result<Request, String> {
    let value: Value = serde_json::from_slice(body).map_err(|error| format!("a message is not JSON: {error}"))?;
    let field = |name: &str| value.get(name);
    match field("type").and_then(Value::as_str) {
        Some("request") => {}
        Some(kind) => return Err(format!("a message has the type `{kind}`; expected `request`")),
        None => return Err("a message has no type".into()),
    }
    let seq = field("seq").and_then(Value::as_i64).ok_or("a request has no seq")?;
    let command = field("command").and_then(Value::as_str);
    let command = command
        .ok_or_else(|| format!("request {seq} has no command"))?
        .to_string();
    let arguments = field("arguments").cloned().unwrap_or_default();
    Ok(Request {
        seq,
        command,
        arguments,
    })
}

fn next(input: &mut impl BufRead) -> Incoming {
    match read_frame(input) {
        Ok(Some(body)) => request(&body).map_or_else(Incoming::Unusable, Incoming::Request),
        Ok(None) => Incoming::Gone(Gone::Vanished),
        Err(gone) => Incoming::Gone(gone),
    }
}

/// True if a message should end a running step.
fn is_urgent(message: &Incoming) -> bool {
    match message {
        Incoming::Request(request) => {
            ["pause", "disconnect", "terminate", "restart"].contains(&request.command.as_str())
        }
        Incoming::Unusable(_) => false,
        Incoming::Gone(_) => true,
    }
}

/// The number of waiting messages.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    all: AtomicUsize,
    urgent: AtomicUsize,
    /// True if the current run can be interrupted and continued without visible effects: then any message may interrupt
    /// it.
    resumes: AtomicBool,
}

impl Waiting {
    /// True if the current run should stop for a message.
    pub fn interrupts(&self) -> bool {
        self.is_urgent() || self.resumes.load(Ordering::Relaxed) && self.all.load(Ordering::Relaxed) > 0
    }

    /// True if a message waits that ends the current run.
    pub fn is_urgent(&self) -> bool {
        self.urgent.load(Ordering::Relaxed) > 0
    }

    /// Sets whether the current run can be interrupted and continued without visible effects.
    pub fn set_resumes(&self, resumes: bool) {
        self.resumes.store(resumes, Ordering::Relaxed);
    }

    fn change(&self, message: &Incoming, add: bool) {
        let step = |counter: &AtomicUsize| {
            if add {
                counter.fetch_add(1, Ordering::Relaxed);
            } else {
                counter.fetch_sub(1, Ordering::Relaxed);
            }
        };
        step(&self.all);
        if is_urgent(message) {
            step(&self.urgent);
        }
    }
}

/// The messages read but not answered. They are read on a separate thread, so a client can interrupt a running kernel.
pub(super) struct Queue {
    messages: Receiver<Incoming>,
    waiting: Arc<Waiting>,
}

impl Queue {
    /// Starts the reader's thread. It ends with the input, or with its first message after the queue is dropped.
    pub fn read(input: impl Read + Send + 'static) -> io::Result<Self> {
        let (sender, messages) = sync_channel(READ_AHEAD);
        let waiting = Arc::new(Waiting::default());
        let counts = Arc::clone(&waiting);
        std::thread::Builder::new().name("requests".into()).spawn(move || {
            let mut input = io::BufReader::new(input);
            loop {
                let message = next(&mut input);
                let is_last = matches!(message, Incoming::Gone(_));
                counts.change(&message, true);
                if sender.send(message).is_err() || is_last {
                    return;
                }
            }
        })?;
        Ok(Queue { messages, waiting })
    }

    /// The counts, for code that must stop for messages.
    pub fn waiting(&self) -> &Arc<Waiting> {
        &self.waiting
    }

    /// The next message; waits if there is none.
    pub fn next(&self) -> Incoming {
        self.taken(self.messages.recv().ok())
    }

    /// The next message, if there is one.
    pub fn next_now(&self) -> Option<Incoming> {
        match self.messages.try_recv() {
            Ok(message) => Some(self.taken(Some(message))),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Incoming::Gone(Gone::Vanished)),
        }
    }

    fn taken(&self, message: Option<Incoming>) -> Incoming {
        // The reader's thread ends only after the last message.
        let Some(message) = message else {
            return Incoming::Gone(Gone::Vanished);
        };
        self.waiting.change(&message, false);
        message
    }
}

/// The connection for messages to the client.
pub(super) struct Client {
    output: Box<dyn Write + Send>,
    seq: i64,
    /// The first error of sending, after which the connection is broken.
    failed: Option<io::Error>,
}

impl Client {
    /// A client that reads from `output`.
    pub fn new(output: impl Write + Send + 'static) -> Self {
        Client {
            output: Box::new(output),
            seq: 0,
            failed: None,
        }
    }

    /// The error after which no message can be sent, if sending has failed.
    pub fn failure(&mut self) -> Option<Gone> {
        self.failed.take().map(Gone::Broken)
    }

    fn send(&mut self, mut message: Value) {
        self.seq += 1;
        message["seq"] = self.seq.into();
        let text = message.to_string();
        let header = format!("Content-Length: {}\r\n\r\n", text.len());
        let sent = self.output.write_all((header + &text).as_bytes());
        if let Err(error) = sent.and_then(|()| self.output.flush()) {
            self.failed.get_or_insert(error);
        }
    }

    /// Answers a request.
    pub fn respond(&mut self, request: &Request, answer: Result<Value, String>) {
        let mut message = json!({
            "type": "response",
            "request_seq": request.seq,
            "command": request.command,
            "success": answer.is_ok(),
        });
        match answer {
            Ok(Value::Null) => {}
            Ok(body) => message["body"] = body,
            Err(text) => {
                // Braces in a format mark variables.
                let format = text.replace(['{', '}'], "'");
                message["body"] = json!({ "error": { "id": 1, "format": format, "showUser": true } });
                message["message"] = text.into();
            }
        }
        self.send(message);
    }

    /// Sends an event.
    pub fn event(&mut self, name: &str, body: Value) {
        let mut message = json!({ "type": "event", "event": name });
        if !body.is_null() {
            message["body"] = body;
        }
        self.send(message);
    }

    /// Shows a text that is not an error.
    pub fn note(&mut self, text: &str) {
        self.output("console", text);
    }

    /// Shows the kernel's own output.
    pub fn print(&mut self, text: &str) {
        self.output("stdout", text);
    }

    /// Shows an error that is not the answer to a request.
    pub fn complain(&mut self, text: &str) {
        self.output("stderr", text);
    }

    fn output(&mut self, category: &str, text: &str) {
        let text = text.trim_end();
        if !text.is_empty() {
            self.event("output", json!({ "category": category, "output": format!("{text}\n") }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &[u8]) -> Incoming {
        next(&mut &text[..])
    }

    fn framed(body: &str) -> Vec<u8> {
        format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
    }

    #[test]
    fn requests_are_read() {
        let body = r#"{"seq":3,"type":"request","command":"next","arguments":{"threadId":2}}"#;
        let mut text = b"content-type: x\r\n".to_vec();
        text.extend(framed(body));
        text.extend(framed(body));
        let mut input = &text[..];
        for _ in 0..2 {
            let Incoming::Request(request) = next(&mut input) else {
                panic!("no request");
            };
            assert_eq!((request.seq, request.command.as_str()), (3, "next"));
            assert_eq!(request.arguments["threadId"], 2);
        }
        assert!(matches!(next(&mut input), Incoming::Gone(Gone::Vanished)));
    }

    #[test]
    fn invalid_headers_end_the_connection() {
        for (text, says) in [
            ("hello\r\n\r\n", "`hello` is not a header field"),
            ("Content-Length: -1\r\n\r\n", "is `-1`; expected a number"),
            ("Content-Length: 99999999999\r\n\r\n", "at most"),
            ("Content-Type: x\r\n\r\n", "no Content-Length"),
            ("\r\n{}", "no Content-Length"),
            ("Content-Length: 10\r\n\r\n{}", "in the middle of a message"),
            ("Content-Le", "in the middle of a message"),
            (&"x".repeat(5000), "more than 4096 bytes"),
        ] {
            match first(text.as_bytes()) {
                Incoming::Gone(gone) => assert!(gone.to_string().contains(says), "{text}: {gone}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn other_messages_differ_from_broken_connections() {
        for (body, says) in [
            ("{", "not JSON"),
            ("[]", "no type"),
            (r#"{"type":"event"}"#, "the type `event`"),
            (r#"{"type":"request","command":"next"}"#, "no seq"),
            (r#"{"type":"request","seq":7}"#, "request 7 has no command"),
            ("\u{0}", "not JSON"),
        ] {
            match first(&framed(body)) {
                Incoming::Unusable(text) => assert!(text.contains(says), "{body}: {text}"),
                other => panic!("{body}: {other:?}"),
            }
        }
    }

    #[test]
    fn messages_that_wait_are_counted() {
        let mut text = framed(r#"{"seq":1,"type":"request","command":"threads"}"#);
        text.extend(framed(r#"{"seq":2,"type":"request","command":"pause"}"#));
        let queue = Queue::read(io::Cursor::new(text)).unwrap();
        assert!(matches!(queue.next(), Incoming::Request(request) if request.command == "threads"));
        while !queue.waiting().is_urgent() {
            std::thread::yield_now();
        }
        assert!(queue.waiting().interrupts());
        assert!(matches!(queue.next(), Incoming::Request(request) if request.command == "pause"));
        assert!(matches!(queue.next(), Incoming::Gone(Gone::Vanished)));
        assert!(!queue.waiting().interrupts());
        assert!(matches!(queue.next(), Incoming::Gone(Gone::Vanished)));
    }
}
