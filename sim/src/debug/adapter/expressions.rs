//! Evaluates the console's values, and executes its commands.

use crate::debug::adapter::arguments::{Completions, Evaluate, SetExpression};
use crate::debug::adapter::memory::MemoryReference;
use crate::debug::adapter::state::nodes::Node;
use crate::debug::adapter::state::{Adapter, Answer, Halt};
use crate::debug::command::{parse, Command, COMMANDS};
use crate::debug::target::WarpId;
use crate::debug::value::{Context, Lane, Term};
use serde_json::{json, Value};

impl Adapter<'_> {
    fn warp_of(&self, frame: Option<i64>) -> Result<Option<WarpId>, String> {
        match frame {
            Some(frame) => self.frame_warp(frame),
            None => Ok(None),
        }
    }

    /// Handles `evaluate`: a command or a value in the context `repl`, otherwise a value.
    ///
    /// # Errors
    /// The expression is neither, or its value does not exist now.
    pub(super) fn evaluate(&mut self, arguments: Evaluate) -> Answer {
        let warp = self.warp_of(arguments.frame_id);
        if arguments.context.as_deref() == Some("repl") {
            // If the frame is outdated, the command is for the selected warp.
            return self.command(&arguments.expression, warp.unwrap_or(None));
        }
        let warp = warp?;
        self.value(&arguments.expression, warp)
    }

    /// A value for the frame's warp and the selected lane.
    fn value(&mut self, text: &str, warp: Option<WarpId>) -> Answer {
        let session = self.session();
        let code = session.code();
        let term: Term = match text.parse() {
            Ok(term) => term,
            Err(error) => {
                let found = code.statements().find(|(pc, _)| code.label(*pc) == Some(text.trim()));
                let (pc, _) = found.ok_or(error)?;
                let place = format!("{pc:#06x}");
                return Ok(json!({ "result": place, "type": "label", "variablesReference": 0 }));
            }
        };
        let warp = warp.or(session.warp());
        let context = Context {
            warp,
            ..session.context()
        };
        if let Term::Register(register, Lane::Any, _) = term {
            let id = context.warp()?;
            let number = self.nodes.number(Node::LanesOf(id, register));
            return Ok(json!({
                "result": format!("{register} of warp {id}, 32 lanes"),
                "variablesReference": number,
                "indexedVariables": 32,
            }));
        }
        let result = match &term {
            // An enum's value has a name, but no number.
            Term::Signal(name) => session.target().signal(name)?.value,
            term => term.value(&context)?.to_string(),
        };
        let mut answer = json!({ "result": result, "variablesReference": 0 });
        if let Term::Memory(space, address, _) = term {
            let space = context.space(space)?;
            answer["memoryReference"] = MemoryReference { space, address }.to_string().into();
        }
        Ok(answer)
    }

    /// Executes a command of the console. Other text may be a value.
    fn command(&mut self, text: &str, warp: Option<WarpId>) -> Answer {
        // A frame of another warp selects that warp; otherwise a warp selected by a command stays selected.
        if let Some(warp) = warp.filter(|warp| self.focus != Some(*warp)) {
            self.focus = Some(warp);
            self.session_mut().set_warp(warp).map_err(|error| error.to_string())?;
        }
        let command = match parse(text) {
            Ok(command) => command,
            Err(error) if text.trim().parse::<Term>().is_ok() => {
                let warp = self.session().warp();
                return self.value(text.trim(), warp).map_err(|_| error);
            }
            Err(error) => return Err(error),
        };
        let moves = matches!(
            command,
            Some(Command::Forward(..) | Command::Backward(..) | Command::GoTo(_))
        );
        if moves && self.is_running {
            return Err("the kernel is running; pause it first".into());
        }
        if moves && !self.is_configured {
            return Err("the kernel cannot run before `configurationDone`".into());
        }
        if moves {
            self.exception = None;
            self.nodes.clear();
        }
        let reply = self.console.run(text);
        if moves {
            let body = self.stop_of("step", "stepped by a command");
            self.events.push(("stopped", body));
        } else if matches!(command, Some(Command::Set(..) | Command::Flip(..) | Command::Lane(_))) {
            self.changed();
        }
        let reply = reply.map_err(|error| error.to_string())?;
        if reply.quits {
            self.halts = Some(Halt::Terminate);
            self.events.push(("terminated", Value::Null));
        }
        Ok(json!({ "result": reply.text.trim_end(), "variablesReference": 0 }))
    }

    /// Handles `setExpression`: the console's `set`.
    ///
    /// # Errors
    /// The expression cannot be changed, or cannot have this value.
    pub(super) fn set_expression(&mut self, arguments: SetExpression) -> Answer {
        let frame = self.warp_of(arguments.frame_id)?;
        let before = self.session().warp();
        if let Some(warp) = frame {
            self.session_mut().set_warp(warp).map_err(|error| error.to_string())?;
        }
        let place: Result<Term, String> = arguments.expression.parse();
        let line = format!("set {} = {}", arguments.expression, arguments.value);
        let done = place.and_then(|_| self.console.run(&line).map_err(|error| error.to_string()));
        if let Some(before) = before.filter(|_| frame.is_some()) {
            // A warp that has ended cannot be selected again.
            let _ = self.session_mut().set_warp(before);
        }
        done?;
        self.changed();
        let value = self.value(&arguments.expression, frame)?;
        Ok(json!({ "value": value["result"] }))
    }

    /// Handles `completions`: the console's commands.
    pub(super) fn completions(&self, arguments: Completions) -> Value {
        let column = arguments
            .column
            .saturating_sub(self.facts.abilities.first_column as usize);
        let typed: String = arguments.text.chars().take(column).collect();
        let found = COMMANDS
            .iter()
            .filter(|entry| entry.name.starts_with(typed.trim_start()));
        let targets: Vec<Value> = found
            .map(|entry| {
                json!({
                    "label": entry.name,
                    "detail": format!("{}: {}", entry.arguments, entry.about).trim_start_matches(": "),
                    "type": "function",
                    "start": self.facts.abilities.first_column,
                    "length": typed.encode_utf16().count(),
                })
            })
            .collect();
        json!({ "targets": targets })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::adapter::state::tests::with_adapter;

    #[test]
    fn values_and_commands_are_distinguished() {
        with_adapter("here: MOV R1, R0\nRET\n", |mut adapter| {
            let mut evaluate = |text: &str, context: &str| {
                let arguments = Evaluate {
                    expression: text.into(),
                    frame_id: None,
                    context: Some(context.into()),
                };
                adapter
                    .evaluate(arguments)
                    .map(|answer| answer["result"].as_str().unwrap().to_string())
            };
            assert_eq!(evaluate("here", "hover"), Ok("0x0000".into()));
            assert_eq!(evaluate("R1[3]", "watch"), Ok("0".into()));
            assert_eq!(evaluate("set R1[3] = 5", "repl"), Ok("warp 0.0: R1[3] = 0x5".into()));
            assert_eq!(evaluate("R1[3]", "repl"), Ok("5".into()));
            assert!(evaluate("set R1[3] = 6", "watch")
                .unwrap_err()
                .contains("is not a value"));
            assert!(evaluate("step", "repl").unwrap_err().contains("configurationDone"));
            assert!(evaluate("", "repl").unwrap().is_empty());
        });
    }

    #[test]
    fn commands_are_completed() {
        with_adapter("RET\n", |adapter| {
            let complete = |text: &str, column| {
                let text = text.to_string();
                adapter.completions(Completions { text, column })["targets"]
                    .as_array()
                    .unwrap()
                    .len()
            };
            assert_eq!(complete("stop-at-", 9), 2);
            assert_eq!(complete("stop-at-", 1), COMMANDS.len());
            assert_eq!(complete("zz", 0), COMMANDS.len());
            assert_eq!(complete("zz", 3), 0);
        });
    }
}
