//! Breakpoints of all kinds, as breakpoints of the session. Each request replaces all breakpoints of its kind.

use crate::debug::adapter::arguments::{
    BreakpointLocations, DataBreakpointInfo, Extras, SetBreakpoints, SetDataBreakpoints, SetExceptionBreakpoints,
    SetFunctionBreakpoints, SetInstructionBreakpoints,
};
use crate::debug::adapter::memory::{address_of, MemoryReference};
use crate::debug::adapter::state::kinds::{Kind, Placed, FILTERS};
use crate::debug::adapter::state::nodes::Node;
use crate::debug::adapter::state::{Adapter, Answer};
use crate::debug::adapter::variables::register_named;
use crate::debug::command::{parse, Command, Filter};
use crate::debug::points::Trigger;
use crate::debug::target::{Register, Space, WarpId};
use crate::debug::value::{SpaceName, Term};
use serde_json::{json, Value};
use std::collections::BTreeSet;

/// The filter in a condition's text: a comparison, or the console's `of WARP`, or both, such as `of 0.1 if R5 == 3`.
fn filter(extras: &Extras) -> Result<Filter, String> {
    let given = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
    if given(&extras.hit_condition) {
        return Err("hit-count conditions are not supported".into());
    }
    if given(&extras.log_message) {
        return Err("log messages are not supported".into());
    }
    match extras.condition.as_deref().map(str::trim) {
        None | Some("") => Ok(Filter::default()),
        Some(text) => match parse(&format!("stop-at-barrier {}", after_command(text)))? {
            Some(Command::StopAtBarrier(filter)) => Ok(filter),
            _ => Err(format!("`{text}` is not a condition")),
        },
    }
}

/// A condition in the form that follows a command.
fn after_command(text: &str) -> String {
    if text.starts_with("of ") || text.starts_with("if ") {
        text.into()
    } else {
        format!("if {text}")
    }
}

fn unverified(message: impl Into<String>) -> Value {
    json!({ "verified": false, "reason": "failed", "message": message.into() })
}

impl Adapter<'_> {
    /// Removes all breakpoints of a kind.
    fn clear(&mut self, of: impl Fn(Kind) -> bool) {
        let points: Vec<u32> = self
            .placed
            .iter()
            .filter(|placed| of(placed.kind))
            .map(|placed| placed.point)
            .collect();
        self.placed.retain(|placed| !of(placed.kind));
        for point in points {
            // It may have been removed in the console.
            let _ = self.session_mut().remove_point(point);
        }
    }

    fn place(&mut self, kind: Kind, trigger: Trigger, filter: Filter) -> Answer {
        let added = self.session_mut().add_point(trigger, filter.only, filter.condition);
        let point = added.map_err(|error| error.to_string())?;
        self.placed.push(Placed { kind, point });
        Ok(json!({ "id": point, "verified": true }))
    }

    /// Rejects breakpoints in a run without debugging, where they have no effect.
    fn check_debugs(&self) -> Result<(), String> {
        match self.facts.wanted.no_debug {
            true => Err("the kernel runs without debugging (noDebug)".into()),
            false => Ok(()),
        }
    }

    /// The first line with instructions at or after `line`.
    fn line_from(&self, line: u32) -> Result<u32, String> {
        let code = self.session().code();
        let lines = code.statements().filter_map(|(pc, _)| code.line(pc));
        let next = lines.filter(|at| *at >= line).min();
        next.ok_or_else(|| format!("line {line} has no instructions, nor does any later line"))
    }

    /// Handles `setBreakpoints`.
    ///
    /// # Errors
    /// Never fails. An impossible breakpoint is returned as not verified.
    pub(super) fn set_breakpoints(&mut self, arguments: SetBreakpoints) -> Answer {
        let checked = self.check_debugs().and_then(|()| self.check_source(&arguments.source));
        if let Err(message) = checked {
            let all: Vec<Value> = arguments.breakpoints.iter().map(|_| unverified(&message)).collect();
            return Ok(json!({ "breakpoints": all }));
        }
        self.clear(|kind| kind == Kind::Source);
        let mut answers = Vec::new();
        for breakpoint in arguments.breakpoints {
            answers.push(match self.set_line(breakpoint.line, &breakpoint.extras) {
                Ok(answer) => answer,
                Err(message) => unverified(message),
            });
        }
        Ok(json!({ "breakpoints": answers }))
    }

    fn set_line(&mut self, line: i64, extras: &Extras) -> Answer {
        let filter = filter(extras)?;
        let wanted = self.facts.line_of_client(line)?;
        let line = self.line_from(wanted)?;
        let place = format!("line {line}");
        let places = self.session().code().resolve(&place)?;
        let first = places.first().copied();
        let mut answer = self.place(Kind::Source, Trigger::Instruction(places, place), filter)?;
        answer["line"] = self.facts.line_to_client(line);
        if let Some(first) = first {
            answer["instructionReference"] = format!("{first:#x}").into();
        }
        if line != wanted {
            // Messages are for people, so their lines start at 1.
            answer["message"] = format!("line {wanted} has no instructions; moved to line {line}").into();
        }
        Ok(answer)
    }

    /// Handles `setInstructionBreakpoints`.
    pub(super) fn set_instruction_breakpoints(&mut self, arguments: SetInstructionBreakpoints) -> Value {
        self.clear(|kind| kind == Kind::Instruction);
        let breakpoints = arguments.breakpoints.into_iter().map(|breakpoint| {
            let address = address_of(&breakpoint.instruction_reference)?;
            let address = i64::from(address).checked_add(breakpoint.offset);
            let address = address.and_then(|address| u32::try_from(address).ok());
            let address = address.ok_or("the address is outside the 32-bit range")?;
            Ok((format!("{address:#x}"), breakpoint.extras))
        });
        self.set_places(Kind::Instruction, breakpoints.collect())
    }

    /// Handles `setFunctionBreakpoints`: at labels, or at any other location that the console accepts.
    pub(super) fn set_function_breakpoints(&mut self, arguments: SetFunctionBreakpoints) -> Value {
        self.clear(|kind| kind == Kind::Function);
        let breakpoints = arguments.breakpoints.into_iter();
        let breakpoints = breakpoints.map(|breakpoint| Ok((breakpoint.name, breakpoint.extras)));
        self.set_places(Kind::Function, breakpoints.collect())
    }

    fn set_places(&mut self, kind: Kind, places: Vec<Result<(String, Extras), String>>) -> Value {
        let mut answers = Vec::new();
        for place in places {
            let answer = self.check_debugs().and(place).and_then(|(place, extras)| {
                let filter = filter(&extras)?;
                let places = self.session().code().resolve(&place)?;
                let first = places.first().copied().unwrap_or_default();
                let line = self.session().code().line(first);
                let mut answer = self.place(kind, Trigger::Instruction(places, place), filter)?;
                answer["instructionReference"] = format!("{first:#x}").into();
                if let Some(line) = line {
                    answer["line"] = self.facts.line_to_client(line);
                }
                Ok(answer)
            });
            answers.push(answer.unwrap_or_else(unverified));
        }
        json!({ "breakpoints": answers })
    }

    /// Handles `dataBreakpointInfo`. The identifier has the form of the arguments of the console's `watch`.
    ///
    /// # Errors
    /// The reference is outdated.
    pub(super) fn data_breakpoint_info(&mut self, arguments: DataBreakpointInfo) -> Answer {
        let found = match arguments.variables_reference {
            Some(number) if number > 0 => {
                let node = self.nodes.get(number)?;
                data_of_variable(&node, &arguments.name)
            }
            _ => {
                let warp = arguments
                    .frame_id
                    .map(|frame| self.frame_warp(frame))
                    .transpose()?
                    .flatten();
                data_of_text(&arguments, warp, self.session().lane())
            }
        };
        Ok(match found {
            Err(message) => json!({ "dataId": null, "description": message }),
            Ok((id, is_memory)) => {
                let accesses: &[&str] = if is_memory {
                    &["read", "write", "readWrite"]
                } else {
                    &["write"]
                };
                json!({ "dataId": id, "description": id, "accessTypes": accesses, "canPersist": true })
            }
        })
    }

    /// Handles `setDataBreakpoints`.
    pub(super) fn set_data_breakpoints(&mut self, arguments: SetDataBreakpoints) -> Value {
        self.clear(|kind| kind == Kind::Data);
        let mut answers = Vec::new();
        for breakpoint in arguments.breakpoints {
            let access = breakpoint.access_type.as_deref().unwrap_or("write");
            let answer = self.check_debugs().and_then(|()| {
                let (trigger, filter) = watched(&breakpoint.data_id, access, &breakpoint.extras)?;
                self.place(Kind::Data, trigger, filter)
            });
            answers.push(answer.unwrap_or_else(unverified));
        }
        json!({ "breakpoints": answers })
    }

    /// Handles `setExceptionBreakpoints`.
    pub(super) fn set_exception_breakpoints(&mut self, arguments: SetExceptionBreakpoints) -> Value {
        self.clear(|kind| matches!(kind, Kind::Exception(_)));
        let plain = arguments.filters.into_iter().map(|id| (id, Extras::default()));
        let with_options = arguments
            .filter_options
            .into_iter()
            .map(|option| (option.filter_id, option.extras));
        let mut answers = Vec::new();
        for (id, extras) in plain.chain(with_options).collect::<Vec<_>>() {
            let answer = self.check_debugs().and_then(|()| {
                let known = FILTERS.iter().find(|filter| filter.id == id);
                let known = known.ok_or_else(|| format!("there is no exception filter `{id}`"))?;
                let filter = filter(&extras)?;
                let trigger = match known.id {
                    "divergence" => Trigger::Divergence,
                    "barrier" => Trigger::Barrier,
                    _ if filter.condition.is_some() || filter.only.is_some() => {
                        return Err("the session always stops at an error; expected no condition".into());
                    }
                    _ => return Ok(json!({ "verified": true })),
                };
                self.place(Kind::Exception(known), trigger, filter)
            });
            answers.push(answer.unwrap_or_else(unverified));
        }
        json!({ "breakpoints": answers })
    }

    /// Handles `breakpointLocations`.
    ///
    /// # Errors
    /// The file is not the program's source, or there is no such line.
    pub(super) fn breakpoint_locations(&mut self, arguments: BreakpointLocations) -> Answer {
        self.check_source(&arguments.source)?;
        let from = self.facts.line_of_client(arguments.line)?;
        let to = self
            .facts
            .line_of_client(arguments.end_line.unwrap_or(arguments.line))?;
        let code = self.session().code();
        let lines: BTreeSet<u32> = code.statements().filter_map(|(pc, _)| code.line(pc)).collect();
        let lines = lines.into_iter().filter(|line| (from..=to).contains(line));
        let found: Vec<Value> = lines
            .map(|line| json!({ "line": self.facts.line_to_client(line) }))
            .collect();
        Ok(json!({ "breakpoints": found }))
    }
}

/// The data of a register that is shown as a variable.
fn data_of_variable(node: &Node, name: &str) -> Result<(String, bool), String> {
    let (warp, register) = match node {
        Node::Lane(warp, _) | Node::Lanes(warp) | Node::Conditions(warp, _) | Node::Addresses(warp, _) => {
            (*warp, register_named(name)?)
        }
        Node::Types(warp, _, register) | Node::LanesOf(warp, register) => (*warp, *register),
        _ => return Err(format!("`{name}` cannot be watched; expected a register or memory")),
    };
    Ok((watched_register(register, Some(warp)), false))
}

fn watched_register(register: Register, warp: Option<WarpId>) -> String {
    match warp {
        Some(warp) => format!("{register} of {warp}"),
        None => register.to_string(),
    }
}

/// The data in a text such as `R5`, `global:0x100` or `global:0x100 +64`, or at an address. In a frame, shared and
/// local memory belong to the frame's warp and the selected lane, like their values.
fn data_of_text(arguments: &DataBreakpointInfo, warp: Option<WarpId>, lane: u8) -> Result<(String, bool), String> {
    let name = arguments.name.trim();
    let bytes = arguments.bytes;
    if arguments.as_address {
        let MemoryReference { space, address } = name.parse()?;
        let (space, of) = match space {
            Space::Global => ("global", String::new()),
            Space::Shared(block) => ("shared", format!(" of {block}")),
            Space::Local(id, lane) => ("local", format!(" of {id}.{lane}")),
            Space::Constant(_) => return Err("constant memory cannot be watched: it does not change".into()),
        };
        return Ok((format!("{space}:{address:#x} +{}{of}", bytes.unwrap_or(4)), true));
    }
    let (value, _) = name.split_once(['+', ' ']).unwrap_or((name, ""));
    match value.trim().parse()? {
        Term::Register(register, ..) => Ok((watched_register(register, warp), false)),
        Term::Memory(space, ..) => {
            let bytes = bytes.filter(|_| !name.contains('+'));
            let bytes = bytes.map_or(String::new(), |bytes| format!(" +{bytes}"));
            let of = match (space, warp.filter(|_| !name.contains(" of "))) {
                (SpaceName::Shared, Some(id)) => format!(" of {}", id.block),
                (SpaceName::Local, Some(id)) => format!(" of {id}.{lane}"),
                _ => String::new(),
            };
            let id = match name.split_once(" of ") {
                Some((value, whose)) => format!("{value}{bytes} of {whose}"),
                None => format!("{name}{bytes}{of}"),
            };
            watched(&id, "write", &Extras::default())?;
            Ok((id, true))
        }
        _ => Err(format!("`{name}` cannot be watched; expected a register or memory")),
    }
}

/// The event and the filter of a data breakpoint.
fn watched(data: &str, access: &str, extras: &Extras) -> Result<(Trigger, Filter), String> {
    let word = match access {
        "write" => "watch",
        "read" => "watch-read",
        "readWrite" => "watch-access",
        other => {
            return Err(format!(
                "unknown access type `{other}`; expected read, write or readWrite"
            ))
        }
    };
    let mut only = filter(extras)?;
    let (trigger, of) = match parse(&format!("{word} {data}"))? {
        Some(Command::WatchRegister(register, filter)) => (Trigger::Register(register), filter),
        Some(Command::WatchMemory(space, address, bytes, access, filter)) => {
            let to = address.checked_add(bytes).ok_or("the bytes reach beyond 4 GiB")?;
            (Trigger::Memory(space, address, to, access), filter)
        }
        _ => return Err(format!("`{data}` cannot be watched")),
    };
    if let (Some(one), Some(other)) = (of.only, only.only) {
        if one != other {
            return Err(format!(
                "the data breakpoint has the scope {one}, but its condition has the scope {other}"
            ));
        }
    }
    only.only = only.only.or(of.only);
    only.condition = only.condition.or(of.condition);
    Ok((trigger, only))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::points::Access;

    fn extras(condition: &str) -> Extras {
        Extras {
            condition: Some(condition.into()),
            ..Extras::default()
        }
    }

    #[test]
    fn conditions_are_those_of_the_console() {
        let of =
            |text| filter(&extras(text)).map(|filter| (filter.only, filter.condition.map(|found| found.to_string())));
        let warp = Some(WarpId { block: 0, warp: 1 }.into());
        assert_eq!(of("R5 == 3"), Ok((None, Some("R5 == 3".into()))));
        assert_eq!(of("of 0.1 if R5[*] > 3"), Ok((warp, Some("R5[*] > 3".into()))));
        assert_eq!(of("of 0.1"), Ok((warp, None)));
        assert_eq!(of("  "), Ok((None, None)));
        assert!(of("R5").unwrap_err().contains("VALUE == VALUE"));
        let hits = Extras {
            hit_condition: Some("3".into()),
            ..Extras::default()
        };
        assert!(filter(&hits).unwrap_err().contains("hit-count conditions"));
    }

    #[test]
    fn shared_and_local_memory_are_somebodys() {
        let warp = Some(WarpId { block: 2, warp: 1 });
        for (name, as_address, warp, expected) in [
            ("shared:2@0x40", true, None, "shared:0x40 +4 of 2"),
            ("local:2.1.31@0x8", true, None, "local:0x8 +4 of 2.1.31"),
            ("global@0x40", true, warp, "global:0x40 +4"),
            ("shared:8", false, None, "shared:8"),
            ("shared:8", false, warp, "shared:8 of 2"),
            ("shared:8 +2 of 3", false, warp, "shared:8 +2 of 3"),
            ("local:8.u8", false, warp, "local:8.u8 of 2.1.7"),
            ("global:8", false, warp, "global:8"),
            ("R5", false, warp, "R5 of 2.1"),
        ] {
            let arguments = DataBreakpointInfo {
                variables_reference: None,
                name: name.into(),
                frame_id: None,
                bytes: None,
                as_address,
            };
            let (id, _) = data_of_text(&arguments, warp, 7).unwrap();
            assert_eq!(id, expected, "{name}");
            watched(&id, "write", &Extras::default()).unwrap();
        }
    }

    #[test]
    fn registers_and_memory_can_be_watched() {
        let found = watched("global:0x100 +8", "readWrite", &Extras::default()).unwrap();
        assert!(matches!(
            found.0,
            Trigger::Memory(SpaceName::Global, 0x100, 0x108, Access::Any)
        ));
        let (trigger, filter) = watched("R5 of 0.1", "write", &extras("R5 > 3")).unwrap();
        assert!(matches!(trigger, Trigger::Register(Register::General(5))));
        assert_eq!(filter.only, Some(WarpId { block: 0, warp: 1 }.into()));
        assert!(filter.condition.is_some());
        for (data, access, condition, says) in [
            ("R5", "read", "", "watched for writes"),
            ("R5", "look", "", "unknown access type `look`"),
            ("pc", "write", "", "cannot be watched"),
            ("R5 of 0.1", "write", "of 0.2", "its condition has the scope warp 0.2"),
            ("global:0xffffffff +4", "write", "", "cannot watch"),
        ] {
            let error = watched(data, access, &extras(condition)).unwrap_err();
            assert!(error.contains(says), "{data}: {error}");
        }
    }
}
