//! A connection to a client: from `initialize` through a launch to its end.

use crate::debug::adapter::arguments::{configuration, Configuration, Initialize};
use crate::debug::adapter::protocol::{Client, Gone, Incoming, Queue, Request};
use crate::debug::adapter::requests::is_known;
use crate::debug::adapter::state::facts::{Abilities, Facts};
use crate::debug::adapter::state::kinds::FILTERS;
use crate::debug::adapter::state::Adapter;
use crate::debug::code::Code;
use crate::debug::open::{with_session, Machine};
use flexgrip_engines::engine::Options;
use flexgrip_engines::error::RunError;
use flexgrip_engines::outside::IoError;
use flexgrip_machine::Launch;
use serde_json::{json, Value};
use std::fmt::Display;
use std::io::{Read, Write};
use std::sync::Arc;

/// A kernel that is ready for debugging.
pub struct Loaded {
    /// The machine to run it on.
    pub machine: Machine,
    /// The launch to run.
    pub launch: Launch,
    /// The program.
    pub code: Code,
    /// The machine's sizes and limits.
    pub options: Options,
}

/// Serves a client until it disconnects. `load` loads the kernel of a launch configuration.
///
/// # Errors
/// The client closes the connection without a `disconnect`, or does not follow the protocol; or the machine can no
/// longer be stepped. An error within a request is returned as its answer.
pub fn serve<E: From<Gone> + From<RunError> + From<IoError> + Display + Send>(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    mut load: impl FnMut(&Configuration) -> Result<Loaded, E>,
) -> Result<(), E> {
    let mut queue = Queue::read(input).map_err(Gone::Broken)?;
    let mut client = Client::new(output);
    let mut abilities = None;
    loop {
        if let Some(gone) = client.failure() {
            return Err(gone.into());
        }
        let request = match queue.next() {
            Incoming::Request(request) => request,
            Incoming::Unusable(what) => {
                client.complain(&what);
                continue;
            }
            Incoming::Gone(gone) => {
                client.complain(&gone.to_string());
                return Err(gone.into());
            }
        };
        match (request.command.as_str(), abilities) {
            ("initialize", None) => match initialize(&request) {
                Ok(able) => {
                    abilities = Some(able);
                    client.respond(&request, Ok(capabilities()));
                }
                Err(error) => client.respond(&request, Err(error)),
            },
            ("initialize", Some(_)) => client.respond(&request, Err("the client is already initialized".into())),
            ("disconnect", _) => {
                client.respond(&request, Ok(Value::Null));
                return Ok(());
            }
            ("terminate", _) => {
                client.respond(&request, Ok(Value::Null));
                client.event("terminated", Value::Null);
            }
            ("launch", None) => client.respond(&request, Err("expected `initialize` before `launch`".into())),
            ("launch", Some(abilities)) => {
                if launch(&request, &mut client, &mut queue, abilities, &mut load)? {
                    return Ok(());
                }
            }
            ("attach", _) => {
                let message = "`attach` is not supported; expected \"request\": \"launch\"";
                client.respond(&request, Err(message.into()));
            }
            (command, _) => {
                let message = if is_known(command) {
                    format!("`{command}`: no kernel has been launched yet")
                } else {
                    format!("unknown request `{command}`")
                };
                client.respond(&request, Err(message));
            }
        }
    }
}

fn initialize(request: &Request) -> Result<Abilities, String> {
    let read: Initialize = request.arguments()?;
    if read.path_format != "path" {
        return Err(format!(
            "the path format `{}` is not supported; expected `path`",
            read.path_format
        ));
    }
    Ok(Abilities {
        first_line: read.lines_start_at_1.into(),
        first_column: read.columns_start_at_1.into(),
        invalidated: read.supports_invalidated_event,
    })
}

/// Launches a kernel and serves until the session's end. False if it could not be launched: the client has been told,
/// and may try again.
fn launch<E: From<Gone> + From<RunError> + From<IoError> + Display + Send>(
    request: &Request,
    client: &mut Client,
    queue: &mut Queue,
    abilities: Abilities,
    load: &mut impl FnMut(&Configuration) -> Result<Loaded, E>,
) -> Result<bool, E> {
    let (wanted, notes) = match configuration(&request.arguments) {
        Ok(read) => read,
        Err(error) => {
            client.respond(request, Err(error));
            return Ok(false);
        }
    };
    for note in notes {
        client.note(&note);
    }
    let loaded = match load(&wanted) {
        Ok(loaded) => loaded,
        Err(error) => {
            client.respond(request, Err(error.to_string()));
            return Ok(false);
        }
    };
    let waiting = Arc::clone(queue.waiting());
    let interrupted = move || waiting.interrupts();
    let mut is_open = false;
    let mut end = Ok(());
    let facts = Facts::new(&loaded.launch, &loaded.code, wanted, abilities);
    let to_client = &mut *client;
    let result = with_session(
        loaded.machine,
        &loaded.launch,
        loaded.code,
        &loaded.options,
        interrupted,
        |session| {
            is_open = true;
            to_client.respond(request, Ok(Value::Null));
            if !session.goes_back() {
                to_client.event("capabilities", json!({ "capabilities": forwards_only() }));
            }
            to_client.event("initialized", Value::Null);
            end = Adapter::new(session, to_client, queue, facts).serve();
            Ok(())
        },
    );
    match result {
        Ok(()) => end.map(|()| true).map_err(Into::into),
        Err(error) if is_open => Err(error),
        Err(error) => {
            client.respond(request, Err(error.to_string()));
            Ok(false)
        }
    }
}

/// The capabilities of this server.
fn capabilities() -> Value {
    let filters: Vec<Value> = FILTERS.iter().map(|filter| filter.described()).collect();
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsInstructionBreakpoints": true,
        "supportsDataBreakpoints": true,
        "supportsDataBreakpointBytes": true,
        "supportsBreakpointLocationsRequest": true,
        "exceptionBreakpointFilters": filters,
        "supportsExceptionFilterOptions": true,
        "supportsExceptionInfoRequest": true,
        "supportsStepBack": true,
        "supportsSteppingGranularity": true,
        "supportsEvaluateForHovers": true,
        "supportsClipboardContext": true,
        "supportsSetVariable": true,
        "supportsSetExpression": true,
        "supportsCompletionsRequest": true,
        "supportsDisassembleRequest": true,
        "supportsReadMemoryRequest": true,
        "supportsWriteMemoryRequest": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "supportsLoadedSourcesRequest": true,
    })
}

/// Capabilities to withdraw for a machine that only runs forward. The client selects the machine after it has received
/// the other capabilities.
fn forwards_only() -> Value {
    json!({
        "supportsStepBack": false,
        "supportsSetVariable": false,
        "supportsSetExpression": false,
        "supportsWriteMemoryRequest": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conventions_of_the_client_are_read() {
        let request = |arguments: Value| Request {
            seq: 1,
            command: "initialize".into(),
            arguments,
        };
        let able = initialize(&request(Value::Null)).unwrap();
        assert_eq!((able.first_line, able.first_column, able.invalidated), (1, 1, false));
        let counting = json!({ "linesStartAt1": false, "columnsStartAt1": false, "supportsInvalidatedEvent": true });
        let able = initialize(&request(counting)).unwrap();
        assert_eq!((able.first_line, able.first_column, able.invalidated), (0, 0, true));
        assert!(initialize(&request(json!({ "pathFormat": "uri" })))
            .unwrap_err()
            .contains("expected `path`"));
        assert!(initialize(&request(json!({ "linesStartAt1": 5 }))).is_err());
    }

    #[test]
    fn filters_are_offered() {
        let filters = capabilities()["exceptionBreakpointFilters"].clone();
        let filters: Vec<&str> = filters
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|filter| filter["filter"].as_str())
            .collect();
        assert_eq!(filters, ["divergence", "barrier", "error"]);
    }
}
