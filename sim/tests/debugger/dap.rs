//! Tests `flexgrip dap` with sessions of an editor. The server runs in this process, at one end of a pair of sockets.

mod breakpoints;
mod faults;
mod looking;
mod program;
mod running;
#[cfg(target_os = "linux")]
mod verilog;

use crate::common::{configuration, root};
use flexgrip_sim::debug::adapter::{serve, Configuration, Loaded};
use flexgrip_sim::debug::code::Code;
use flexgrip_sim::debug::open::Machine;
use flexgrip_sim::engines::engine::Options;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::launch::Kernel;
use serde_json::{json, Value};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

/// The timeout, long enough for a loaded machine; a server that hangs fails the test.
const PATIENCE: Duration = Duration::from_secs(120);

/// An editor, the client of a session.
struct Editor {
    input: BufReader<Box<dyn Read + Send>>,
    output: Box<dyn Write + Send>,
    seq: i64,
    events: VecDeque<Value>,
}

/// A server in this process, with its result.
type Server = JoinHandle<Result<(), Error>>;

fn load(wanted: &Configuration) -> Result<Loaded, Error> {
    let kernel = Kernel::load(&wanted.kernel)?;
    let options = Options {
        configuration: configuration(8, 1 << 20),
        max_cycles: wanted.max_cycles.unwrap_or(1 << 40),
        ..Options::default()
    };
    kernel.check(&options.configuration)?;
    Ok(Loaded {
        machine: match wanted.engine.as_deref() {
            Some("rtl") => Machine::Circuits,
            _ => Machine::Model,
        },
        code: Code::of_kernel(&kernel)?,
        launch: kernel.launch,
        options,
    })
}

fn framed(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

impl Editor {
    fn new(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> Self {
        Editor {
            input: BufReader::new(Box::new(input)),
            output: Box::new(output),
            seq: 0,
            events: VecDeque::new(),
        }
    }

    /// An editor connected to a new server.
    fn with_server() -> (Self, Server) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        ours.set_read_timeout(Some(PATIENCE)).unwrap();
        let output = theirs.try_clone().unwrap();
        let server = std::thread::spawn(move || serve(theirs, output, load));
        (Editor::new(ours.try_clone().unwrap(), ours), server)
    }

    /// Like [`Editor::with_server`], with a kernel launched and stopped before its first instruction.
    fn launched(kernel: &Path, more: Value) -> (Self, Server) {
        let (mut editor, server) = Editor::with_server();
        editor.launch(kernel, more);
        editor.done("configurationDone", json!({}));
        assert_eq!(editor.stop()["reason"], "entry");
        (editor, server)
    }

    fn launch(&mut self, kernel: &Path, more: Value) {
        self.done(
            "initialize",
            json!({ "adapterID": "flexgrip", "supportsInvalidatedEvent": true }),
        );
        let mut arguments = json!({ "kernel": kernel, "stopOnEntry": true });
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        self.done("launch", arguments);
        self.event("initialized");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.input.read_line(&mut line).unwrap() > 0, "the server has gone");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(bytes) => length = bytes.parse().unwrap(),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.input.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    fn send(&mut self, command: &str, arguments: Value) -> i64 {
        self.seq += 1;
        let message = json!({ "seq": self.seq, "type": "request", "command": command, "arguments": arguments });
        self.output.write_all(&framed(&message.to_string())).unwrap();
        self.seq
    }

    /// The response to a request; earlier events are queued.
    fn response(&mut self, seq: i64) -> Value {
        loop {
            let message = self.receive();
            if message["type"] == "response" {
                assert_eq!(message["request_seq"], seq, "{message}");
                return message;
            }
            self.events.push_back(message);
        }
    }

    fn request(&mut self, command: &str, arguments: Value) -> Value {
        let seq = self.send(command, arguments);
        self.response(seq)
    }

    #[track_caller]
    fn done(&mut self, command: &str, arguments: Value) -> Value {
        let response = self.request(command, arguments);
        assert_eq!(response["success"], true, "{response}");
        response["body"].clone()
    }

    #[track_caller]
    fn refused(&mut self, command: &str, arguments: Value) -> String {
        let response = self.request(command, arguments);
        assert_eq!(response["success"], false, "{response}");
        assert!(response["body"]["error"]["format"].is_string(), "{response}");
        response["message"].as_str().unwrap().to_string()
    }

    /// The next event with this name.
    fn event(&mut self, name: &str) -> Value {
        loop {
            let message = match self.events.pop_front() {
                Some(event) => event,
                None => self.receive(),
            };
            if message["event"] == name {
                return message["body"].clone();
            }
        }
    }

    fn stop(&mut self) -> Value {
        self.event("stopped")
    }

    /// Resumes the kernel, and waits until it stops.
    #[track_caller]
    fn go(&mut self, command: &str, thread: &Value) -> Value {
        self.done(command, json!({ "threadId": thread }));
        self.stop()
    }

    fn frames(&mut self, thread: &Value) -> Vec<Value> {
        let body = self.done("stackTrace", json!({ "threadId": thread }));
        body["stackFrames"].as_array().unwrap().clone()
    }

    /// The variables of a scope in the thread's first frame.
    fn scope(&mut self, thread: &Value, name: &str) -> (i64, Vec<Value>) {
        let frame = self.frames(thread)[0]["id"].clone();
        let scopes = self.done("scopes", json!({ "frameId": frame }));
        let scopes = scopes["scopes"].as_array().unwrap();
        let scope = scopes.iter().find(|scope| scope["name"] == name).unwrap();
        let number = scope["variablesReference"].as_i64().unwrap();
        (number, self.inside(number))
    }

    fn inside(&mut self, number: i64) -> Vec<Value> {
        let body = self.done("variables", json!({ "variablesReference": number }));
        body["variables"].as_array().unwrap().clone()
    }

    fn console(&mut self, command: &str) -> String {
        let body = self.done("evaluate", json!({ "expression": command, "context": "repl" }));
        body["result"].as_str().unwrap().to_string()
    }

    fn disconnect(mut self, server: Server) {
        self.done("disconnect", json!({}));
        server.join().unwrap().unwrap();
    }
}

fn stencil() -> PathBuf {
    root().join("kernels/stencil_1d").canonicalize().unwrap()
}

/// The first line of a kernel's program that contains this text.
fn line_of(kernel: &Path, text: &str) -> i64 {
    let program = std::fs::read_to_string(kernel.join("kernel.sass")).unwrap();
    1 + program.lines().position(|line| line.contains(text)).unwrap() as i64
}

fn named<'v>(variables: &'v [Value], name: &str) -> &'v Value {
    let found = variables.iter().find(|variable| variable["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {variables:?}"))
}
