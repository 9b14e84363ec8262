//! Parses the commands of a session.

use crate::debug::points::{Access, Whose};
use crate::debug::session::StepExtent;
use crate::debug::target::{Register, WarpId};
use crate::debug::value::{Condition, SpaceName, Term, Type};

/// A command.
#[derive(Clone, Debug)]
pub enum Command {
    /// Step forward this many times.
    Forward(StepExtent, u64),
    /// Step backward this many times.
    Backward(StepExtent, u64),
    /// Go to a time, forward or backward.
    GoTo(u64),
    /// Stop before the instruction at an address, a label or a line.
    Break(String, Filter),
    /// Stop after a write to a register.
    WatchRegister(Register, Filter),
    /// Stop after an access to memory: first address, number of bytes.
    WatchMemory(SpaceName, u32, u32, Access, Filter),
    /// Stop when a condition becomes true.
    When(Condition, Option<Whose>),
    /// Stop after a divergent branch.
    StopAtDivergence(Filter),
    /// Stop after a barrier instruction.
    StopAtBarrier(Filter),
    /// List the breakpoints and watchpoints.
    Points,
    /// Remove a breakpoint or watchpoint.
    Delete(u32),
    /// Show the current time, warp and instruction.
    Where,
    /// List the warps.
    Warps,
    /// Select a warp.
    Warp(WarpId),
    /// Select a lane.
    Lane(u8),
    /// Show the selected lane's registers, or one of them.
    Registers(Option<Register>, Type),
    /// Show a register in all lanes.
    Lanes(Register, Type),
    /// Show the selected warp's divergence stack.
    Stack,
    /// Show memory: first address, number of values, their type.
    Memory(SpaceName, u32, u32, Type),
    /// Show a value.
    Print(Term),
    /// Change a register or memory.
    Set(Term, Term),
    /// Invert a bit of a flip-flop or of a memory's word.
    Flip(String, u32),
    /// List the signals with this text in their path.
    Signals(String),
    /// Go to the kernel's next mistake.
    Check,
    /// Show the instructions in the pipeline.
    Pipeline,
    /// Show instructions around a location.
    Code(Option<String>),
    /// Show source lines around a location.
    List(Option<String>),
    /// List the changes made.
    Edits,
    /// Switch between the run with the changes and the run without them.
    Golden,
    /// List the commands.
    Help,
    /// End the session.
    Quit,
}

/// The filter of a breakpoint or watchpoint.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The scope; `None` for all threads.
    pub only: Option<Whose>,
    /// A condition that must hold at that moment.
    pub condition: Option<Condition>,
}

/// A command's name, short form, arguments and description.
pub struct Entry {
    /// The name of the command.
    pub name: &'static str,
    /// A short form; empty if there is none.
    pub short: &'static str,
    /// The arguments as shown in the help.
    pub arguments: &'static str,
    /// The description for the help, in one line.
    pub about: &'static str,
}

const fn entry(name: &'static str, short: &'static str, arguments: &'static str, about: &'static str) -> Entry {
    Entry {
        name,
        short,
        arguments,
        about,
    }
}

/// All commands, in the order of the help.
pub const COMMANDS: &[Entry] = &[
    entry("continue", "c", "", "to the next breakpoint or watchpoint, or the end"),
    entry(
        "back",
        "b",
        "",
        "back to the previous breakpoint or watchpoint, or the beginning",
    ),
    entry("step", "s", "[N]", "the selected warp's next instruction"),
    entry("back-step", "bs", "[N]", "its previous instruction"),
    entry("line", "l", "[N]", "its next source line"),
    entry(
        "back-line",
        "bl",
        "[N]",
        "the beginning of this line, or of the previous one",
    ),
    entry(
        "cycle",
        "y",
        "[N]",
        "one cycle; on the model one instruction of any warp",
    ),
    entry("back-cycle", "by", "[N]", "one cycle or instruction back"),
    entry("join", "j", "", "to where the warp's path reconverges with the others"),
    entry("back-join", "bj", "", "back to before it diverged"),
    entry("barrier", "", "", "the warp's next barrier instruction"),
    entry("back-barrier", "", "", "its previous barrier instruction"),
    entry(
        "goto",
        "g",
        "TIME",
        "to a time, forwards or backwards; 0 is the beginning",
    ),
    entry(
        "break",
        "",
        "LOCATION [of SCOPE] [if CONDITION]",
        "stop before an instruction: 0x48, a label, line 12, FILE:12",
    ),
    entry(
        "watch",
        "",
        "VALUE [+BYTES] [of SCOPE] [if CONDITION]",
        "stop after a write to R5, global:0x100, shared:8, local:0",
    ),
    entry(
        "watch-read",
        "",
        "VALUE [+BYTES] [of SCOPE] [if CONDITION]",
        "stop after a load from memory",
    ),
    entry(
        "watch-access",
        "",
        "VALUE [+BYTES] [of SCOPE] [if CONDITION]",
        "stop after either; SCOPE: block 3, warp 3.1, lane 3.1.5",
    ),
    entry(
        "when",
        "",
        "CONDITION [of SCOPE]",
        "stop when the condition becomes true; evaluated in every step",
    ),
    entry(
        "stop-at-divergence",
        "",
        "[of SCOPE] [if CONDITION]",
        "stop after a branch, BRK, RET or KIL that only some of a warp's threads take",
    ),
    entry(
        "stop-at-barrier",
        "",
        "[of SCOPE] [if CONDITION]",
        "stop after a barrier instruction",
    ),
    entry(
        "check",
        "",
        "",
        "to the next error of the kernel: bounds, uninitialised values, races, barriers",
    ),
    entry("points", "", "", "list breakpoints and watchpoints"),
    entry("delete", "d", "N", "delete a breakpoint or watchpoint"),
    entry("where", "w", "", "time, warp, instruction, source line"),
    entry("warps", "", "", "the resident warps, and what each waits for"),
    entry("warp", "", "BLOCK.WARP", "select a warp"),
    entry("lane", "", "N", "select a lane"),
    entry(
        "registers",
        "r",
        "[REGISTER][.TYPE]",
        "the lane's registers; types u, s, f",
    ),
    entry("lanes", "", "REGISTER[.TYPE]", "a register in all lanes"),
    entry("stack", "", "", "the divergence stack"),
    entry(
        "memory",
        "m",
        "SPACE:ADDRESS[.TYPE] [COUNT]",
        "memory: global, shared, local, const0 to const15",
    ),
    entry(
        "print",
        "p",
        "VALUE",
        "a value: R5.f[3], global:0x100, pc, active, time, a signal",
    ),
    entry(
        "set",
        "",
        "VALUE = VALUE",
        "change a register or memory; discards the recorded future",
    ),
    entry(
        "flip",
        "",
        "NAME BIT",
        "invert a bit of a flip-flop or memory word, such as top.sm[0].idle 0",
    ),
    entry(
        "signals",
        "",
        "[TEXT]",
        "the circuits' signals whose path contains TEXT",
    ),
    entry("pipeline", "", "", "the instructions in flight"),
    entry("code", "", "[LOCATION]", "instructions around a location"),
    entry("list", "", "[LOCATION]", "source lines around a location"),
    entry("edits", "", "", "the changes made so far"),
    entry(
        "golden",
        "",
        "",
        "switch to the run without the changes, at the same time; again: back",
    ),
    entry("help", "h", "", "this list"),
    entry("quit", "q", "", "end the session"),
];

/// Parses a line. `None` if it is empty or only a comment after `#`.
///
/// # Errors
/// The command is unknown, or its arguments are wrong.
pub fn parse(line: &str) -> Result<Option<Command>, String> {
    let line = line.split('#').next().unwrap_or_default().trim();
    if line.is_empty() {
        return Ok(None);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let found = COMMANDS.iter().find(|entry| entry.name == word || entry.short == word);
    let entry = found.ok_or_else(|| unknown(word))?;
    if entry.arguments.is_empty() && !rest.is_empty() {
        return Err(format!("`{}` takes no arguments; found `{rest}`", entry.name));
    }
    let usage = |error: String| format!("{error}; usage: {} {}", entry.name, entry.arguments);
    command(entry.name, rest).map(Some).map_err(usage)
}

fn unknown(word: &str) -> String {
    let names = COMMANDS.iter().map(|entry| entry.name);
    match flexgrip_isa::nearest(word, names) {
        Some(near) => format!("unknown command `{word}`; did you mean `{near}`? `help` lists all commands"),
        None => format!("unknown command `{word}`; `help` lists all commands"),
    }
}

fn number<T: std::str::FromStr>(text: &str, missing: Option<T>) -> Result<T, String> {
    match missing {
        Some(missing) if text.is_empty() => Ok(missing),
        _ => text
            .parse()
            .map_err(|_| format!("`{text}` is not a number of the expected range")),
    }
}

fn command(name: &str, rest: &str) -> Result<Command, String> {
    let place = || (!rest.is_empty()).then(|| rest.to_string());
    Ok(match name {
        "continue" => Command::Forward(StepExtent::Continue, 1),
        "back" => Command::Backward(StepExtent::Continue, 1),
        "step" => Command::Forward(StepExtent::Instruction, number(rest, Some(1))?),
        "back-step" => Command::Backward(StepExtent::Instruction, number(rest, Some(1))?),
        "line" => Command::Forward(StepExtent::Line, number(rest, Some(1))?),
        "back-line" => Command::Backward(StepExtent::Line, number(rest, Some(1))?),
        "cycle" => Command::Forward(StepExtent::Ticks(number(rest, Some(1))?), 1),
        "back-cycle" => Command::Backward(StepExtent::Ticks(number(rest, Some(1))?), 1),
        "join" => Command::Forward(StepExtent::Join, 1),
        "back-join" => Command::Backward(StepExtent::Join, 1),
        "barrier" => Command::Forward(StepExtent::Barrier, 1),
        "back-barrier" => Command::Backward(StepExtent::Barrier, 1),
        "goto" => Command::GoTo(number(rest, None)?),
        "break" => {
            let (place, filter) = filtered(rest)?;
            if place.is_empty() {
                return Err("expected a location: an address such as 0x48, a label, `line 12` or FILE:12".into());
            }
            Command::Break(place.into(), filter)
        }
        "watch" => watch(rest, Access::Write)?,
        "watch-read" => watch(rest, Access::Read)?,
        "watch-access" => watch(rest, Access::Any)?,
        "when" => {
            let (condition, filter) = filtered(rest)?;
            Command::When(condition.parse()?, filter.only)
        }
        "stop-at-divergence" => Command::StopAtDivergence(only_filter(rest)?),
        "stop-at-barrier" => Command::StopAtBarrier(only_filter(rest)?),
        "check" => Command::Check,
        "points" => Command::Points,
        "delete" => Command::Delete(number(rest, None)?),
        "where" => Command::Where,
        "warps" => Command::Warps,
        "warp" => Command::Warp(rest.parse()?),
        "lane" => Command::Lane(number(rest, None)?),
        "registers" => match rest.strip_prefix('.') {
            Some(of) => Command::Registers(None, of.parse()?),
            None if rest.is_empty() => Command::Registers(None, Type::Unsigned(4)),
            None => {
                let (register, of) = register(rest)?;
                Command::Registers(Some(register), of)
            }
        },
        "lanes" => {
            let (register, of) = register(rest)?;
            Command::Lanes(register, of)
        }
        "stack" => Command::Stack,
        "memory" => {
            let (place, count) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let Term::Memory(space, address, of) = place.parse()? else {
                return Err(format!(
                    "`{place}` is not in memory; expected SPACE:ADDRESS, such as global:0x100"
                ));
            };
            Command::Memory(space, address, number(count.trim(), Some(16))?, of)
        }
        "print" => Command::Print(rest.parse()?),
        "set" => {
            let (place, value) = rest.split_once('=').ok_or("expected `VALUE = VALUE`")?;
            Command::Set(place.parse()?, value.parse()?)
        }
        "flip" => {
            let (name, bit) = rest
                .rsplit_once(char::is_whitespace)
                .ok_or("expected the name of a signal and a bit")?;
            Command::Flip(name.trim().into(), number(bit, None)?)
        }
        "signals" => Command::Signals(rest.into()),
        "pipeline" => Command::Pipeline,
        "code" => Command::Code(place()),
        "list" => Command::List(place()),
        "edits" => Command::Edits,
        "golden" => Command::Golden,
        "help" => Command::Help,
        _ => Command::Quit,
    })
}

/// Splits off `of SCOPE` and `if CONDITION` from the end.
fn filtered(text: &str) -> Result<(&str, Filter), String> {
    let padded = |word: &str| text.starts_with(&format!("{word} ")).then_some(0);
    let at = |word: &str| padded(word).or_else(|| text.find(&format!(" {word} ")).map(|at| at + 1));
    let (text_before, condition) = match at("if") {
        Some(at) => (&text[..at], Some(text[at + 3..].parse()?)),
        None => (text, None),
    };
    let before = text_before.trim();
    let (first, only) = match before
        .strip_prefix("of ")
        .map(|whose| ("", whose))
        .or_else(|| before.rsplit_once(" of "))
    {
        Some((first, whose)) => (first, Some(whose.trim().parse()?)),
        None => (before, None),
    };
    Ok((first.trim(), Filter { only, condition }))
}

fn only_filter(text: &str) -> Result<Filter, String> {
    match filtered(text)? {
        ("", filter) => Ok(filter),
        (rest, _) => Err(format!("expected `of SCOPE` or `if CONDITION`, found `{rest}`")),
    }
}

fn register(text: &str) -> Result<(Register, Type), String> {
    match text.parse()? {
        Term::Register(register, _, of) => Ok((register, of)),
        _ => Err(format!("`{text}` is not a register")),
    }
}

fn watch(text: &str, access: Access) -> Result<Command, String> {
    let (value, filter) = filtered(text)?;
    let (value, bytes) = match value.split_once('+') {
        Some((value, bytes)) => (value.trim(), Some(number(bytes.trim(), None)?)),
        None => (value, None),
    };
    match value.parse()? {
        Term::Register(register, ..) if access == Access::Write && bytes.is_none() => {
            Ok(Command::WatchRegister(register, filter))
        }
        Term::Register(..) => Err("a register can only be watched for writes, as a whole".into()),
        Term::Memory(SpaceName::Constant(_), ..) => Err("constant memory cannot be watched: it does not change".into()),
        Term::Memory(space, address, of) => {
            let bytes = bytes.unwrap_or(of.bytes());
            if bytes == 0 || address.checked_add(bytes).is_none() {
                return Err(format!("cannot watch {bytes} bytes from {address:#x}"));
            }
            Ok(Command::WatchMemory(space, address, bytes, access, filter))
        }
        _ => Err(format!(
            "`{value}` cannot be watched; `when CONDITION` stops when a condition becomes true"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_read() {
        for entry in COMMANDS {
            let example = match entry.name {
                "goto" | "delete" | "lane" => "3",
                "break" => "line 12 of 0.1 if R5[*] > 3",
                "watch" => "R5 of 1.0",
                "watch-read" => "global:0x100 +64 of 2",
                "watch-access" => "local:8 of 2.0.31",
                "when" => "R1 == 2 of 0.0",
                "stop-at-barrier" => "of 3",
                "warp" => "2.3",
                "lanes" => "R3.f",
                "memory" => "shared:0x10.u8 4",
                "print" => "R5.f[3]",
                "set" => "R5[3] = 1.5",
                "flip" => "top.sm[0].idle 0",
                _ => "",
            };
            for name in [entry.name, entry.short].into_iter().filter(|name| !name.is_empty()) {
                let line = format!("  {name} {example}  # a comment");
                assert!(matches!(parse(&line), Ok(Some(_))), "{line}: {:?}", parse(&line));
            }
            let names = COMMANDS.iter().flat_map(|entry| [entry.name, entry.short]);
            let same = names.filter(|name| *name == entry.name || (!entry.short.is_empty() && *name == entry.short));
            assert_eq!(same.count(), 1 + usize::from(!entry.short.is_empty()), "{}", entry.name);
        }
        assert!(matches!(parse(" # nothing"), Ok(None)));
    }

    #[test]
    fn parts_of_a_command_are_distinguished() {
        let Ok(Some(Command::Break(place, filter))) = parse("break line 12 of 0.1 if R5[*] > 3") else {
            panic!("not a break");
        };
        assert_eq!(place, "line 12");
        assert_eq!(filter.only, Some(WarpId { block: 0, warp: 1 }.into()));
        assert_eq!(filter.condition.unwrap().to_string(), "R5[*] > 3");
        let Ok(Some(Command::WatchMemory(SpaceName::Global, 256, 64, Access::Any, _))) =
            parse("watch-access global:0x100 +64")
        else {
            panic!("not a watch");
        };
        assert!(matches!(
            parse("step 5"),
            Ok(Some(Command::Forward(StepExtent::Instruction, 5)))
        ));
        assert!(matches!(
            parse("cycle 5"),
            Ok(Some(Command::Forward(StepExtent::Ticks(5), 1)))
        ));
    }

    #[test]
    fn mistakes_are_named() {
        for (line, says) in [
            ("stpe", "did you mean `step`?"),
            ("xyzzyxyzzy", "`help` lists all"),
            ("step x", "`x` is not a number of the expected range; usage: step [N]"),
            ("where now", "takes no arguments"),
            (
                "break",
                "expected a location: an address such as 0x48, a label, `line 12` or FILE:12",
            ),
            ("break 0x8 if R1", "VALUE == VALUE"),
            ("break 0x8 of x", "a warp (3.1)"),
            ("watch shared:8 of 0.1.32", "a lane (3.1.5)"),
            ("watch 5", "cannot be watched"),
            ("watch const1:0", "does not change"),
            ("watch-read R5", "watched for writes"),
            ("watch global:0 +0", "cannot watch 0 bytes"),
            ("stop-at-barrier now", "expected `of SCOPE`"),
            ("set R5", "expected `VALUE = VALUE`"),
            ("memory R5", "not in memory"),
            ("lanes global:0", "is not a register"),
            ("goto", "is not a number"),
            ("flip top.x", "a signal and a bit"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(says), "{line}: {error}");
        }
    }
}
