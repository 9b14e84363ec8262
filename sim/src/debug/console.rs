//! A session controlled by commands in text, with text as answers.

use crate::debug::command::{parse, Command, Filter, COMMANDS};
use crate::debug::points::Trigger;
use crate::debug::session::{DebugError, Session, StepExtent, Stop};
use crate::debug::target::{no_signals, Edit, Register, Space, Waits, WarpState};
use crate::debug::value::{little_endian, Lane, SpaceName, Term, Type};
use flexgrip_engines::trace::ending::Ending;
use std::fmt::Write;

/// The number of instructions or lines shown before and after a location.
const AROUND: usize = 5;
/// The number of values in a row of registers or memory.
const ROW: usize = 4;
/// Maximum number of signals listed.
const MOST_SIGNALS: usize = 200;

/// The answer to a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The text to show, whose lines all end with a newline; may be empty.
    pub text: String,
    /// True if the session ends.
    pub quits: bool,
}

/// A session that executes commands.
pub struct Console {
    /// The session that the commands act on.
    pub session: Session,
}

/// Writes to a string, which does not fail.
macro_rules! line {
    ($text:expr, $($arguments:tt)*) => {
        let _ = writeln!($text, $($arguments)*);
    };
}

fn mask(bits: u32) -> String {
    match bits.count_ones() {
        32 => "all 32 threads".into(),
        1 => format!("{bits:08x}, 1 thread"),
        count => format!("{bits:08x}, {count} threads"),
    }
}

impl Console {
    /// Executes a command line.
    ///
    /// # Errors
    /// The command is wrong, or cannot be executed here.
    pub fn run(&mut self, line: &str) -> Result<Reply, DebugError> {
        let mut reply = Reply::default();
        let Some(command) = parse(line)? else {
            return Ok(reply);
        };
        reply.quits = matches!(command, Command::Quit);
        let answer = self.carry_out(command)?;
        reply.text = self.session.take_printed() + &answer;
        Ok(reply)
    }

    fn carry_out(&mut self, command: Command) -> Result<String, DebugError> {
        let session = &mut self.session;
        Ok(match command {
            Command::Forward(step, count) => return self.go(step, count, Session::forward),
            Command::Backward(step, count) => return self.go(step, count, Session::backward),
            Command::GoTo(time) => {
                let stop = session.go_to(time)?;
                self.reason(&stop) + &self.place()
            }
            Command::Break(place, filter) => {
                let places = session.code().resolve(&place)?;
                self.add(Trigger::Instruction(places, place), filter)?
            }
            Command::WatchRegister(register, filter) => self.add(Trigger::Register(register), filter)?,
            Command::WatchMemory(space, address, bytes, access, filter) => {
                self.add(Trigger::Memory(space, address, address + bytes, access), filter)?
            }
            Command::When(condition, only) => {
                let condition = Some(condition);
                self.add(Trigger::Holds, Filter { only, condition })?
            }
            Command::StopAtDivergence(filter) => self.add(Trigger::Divergence, filter)?,
            Command::StopAtBarrier(filter) => self.add(Trigger::Barrier, filter)?,
            Command::Check => match session.check()? {
                Some(text) => text + &self.place(),
                None => "found no further error of the kernel\n".into(),
            },
            Command::Points => self.points(),
            Command::Delete(number) => {
                session.remove_point(number)?;
                String::new()
            }
            Command::Where => self.place(),
            Command::Warps => self.warps(),
            Command::Warp(id) => {
                session.set_warp(id)?;
                self.place()
            }
            Command::Lane(lane) => {
                session.set_lane(lane)?;
                self.place()
            }
            Command::Registers(register, of) => self.registers(register, of)?,
            Command::Lanes(register, of) => self.lanes(register, of)?,
            Command::Stack => self.stack()?,
            Command::Memory(space, address, count, of) => self.memory(space, address, count, of)?,
            Command::Print(term) => self.print(&term)?,
            Command::Set(place, value) => self.set(&place, &value)?,
            Command::Flip(name, bit) => {
                session.change(Edit::Flip {
                    name: name.clone(),
                    bit,
                })?;
                self.print(&Term::Signal(name))?
            }
            Command::Signals(text) => self.signals(&text)?,
            Command::Pipeline => self.pipeline(),
            Command::Code(place) => self.code(place.as_deref())?,
            Command::List(place) => self.list(place.as_deref())?,
            Command::Edits => {
                let edits = session.edits().iter();
                let unit = session.target().clock().unit();
                edits.map(|(time, edit)| format!("{unit} {time}: {edit}\n")).collect()
            }
            Command::Golden => {
                let run = if session.exchange()? { "without" } else { "with" };
                format!("this is the run {run} the changes\n{}", self.place())
            }
            Command::Help => help(),
            Command::Quit => String::new(),
        })
    }

    fn go(
        &mut self,
        step: StepExtent,
        count: u64,
        go: fn(&mut Session, StepExtent) -> Result<Stop, DebugError>,
    ) -> Result<String, DebugError> {
        let mut stop = Stop::Done;
        for _ in 0..count {
            stop = go(&mut self.session, step)?;
            if stop == Stop::Done && count > 1 && self.session.is_interrupted() {
                stop = Stop::Interrupted;
            }
            if stop != Stop::Done {
                break;
            }
        }
        Ok(self.reason(&stop) + &self.place())
    }

    /// The reason why the session has stopped, in a line; empty for a completed step.
    pub fn reason(&self, stop: &Stop) -> String {
        let unit = self.session.target().clock().unit();
        match stop {
            Stop::Done | Stop::Ended => String::new(),
            Stop::Point(hit) => format!("breakpoint {}: {}\n", hit.point, hit.text),
            Stop::WarpEnded(warp) => format!("warp {warp} has ended\n"),
            Stop::Beginning => "at the beginning\n".into(),
            Stop::Limit(limit) => format!("stopped after {limit} {unit}s\n"),
            Stop::Interrupted => "interrupted\n".into(),
        }
    }

    fn add(&mut self, trigger: Trigger, filter: Filter) -> Result<String, DebugError> {
        self.session.add_point(trigger, filter.only, filter.condition)?;
        let point = self.session.points().last();
        Ok(point.map_or(String::new(), |point| format!("{point}\n")))
    }

    fn points(&self) -> String {
        let points = self.session.points().iter();
        let text = |hits| match hits {
            0 => "not reached yet".to_string(),
            1 => "reached once".into(),
            hits => format!("reached {hits} times"),
        };
        points.map(|point| format!("{point}; {}\n", text(point.hits))).collect()
    }

    /// Time, warp, next instruction and source line, as text.
    pub fn place(&self) -> String {
        let session = &self.session;
        let target = session.target();
        let mut text = format!("{} {}", target.clock().unit(), target.time());
        match target.ending() {
            Some(Ending::Failed(error)) => {
                line!(text, ": the kernel has failed: {error}");
                return text;
            }
            Some(_) => {
                line!(text, ": the grid has ended");
                return text;
            }
            None => {}
        }
        let Some(warp) = session.warp_state() else {
            line!(text, ": no warp is resident");
            return text;
        };
        let _ = write!(text, ", warp {}, lane {}", warp.id, session.lane());
        match warp.pc {
            Some(pc) => {
                line!(text, ": {}", self.instruction(pc));
                if let Some((line, source)) = self.source(pc) {
                    line!(text, "  line {line}: {source}");
                }
            }
            None => {
                line!(text, ": waits for {}", warp.waits);
            }
        }
        text
    }

    fn source(&self, pc: u32) -> Option<(u32, &str)> {
        let code = self.session.code();
        let line = code.line(pc)?;
        Some((line, code.text(line)?.trim()))
    }

    fn instruction(&self, pc: u32) -> String {
        let code = self.session.code();
        let statement = code.statement(pc).unwrap_or("no instruction here");
        match code.label(pc) {
            Some(label) => format!("{pc:#06x} {label}: {statement}"),
            None => format!("{pc:#06x}: {statement}"),
        }
    }

    fn warps(&self) -> String {
        let mut text = String::new();
        for warp in self.session.target().warps() {
            let sign = if Some(warp.id) == self.session.warp() { '*' } else { ' ' };
            let place = warp.pc.map_or("-".into(), |pc| self.instruction(pc));
            let _ = write!(text, "{sign} {} (SM {} slot {}): {place}", warp.id, warp.sm, warp.slot);
            if warp.waits != Waits::Turn {
                let _ = write!(text, "; waits for {}", warp.waits);
            }
            line!(text, "; {}", mask(warp.active));
        }
        text
    }

    fn chosen(&self) -> Result<WarpState, DebugError> {
        let none = || DebugError::Request("no warp is resident".into());
        self.session.warp_state().ok_or_else(none)
    }

    fn registers(&self, register: Option<Register>, of: Type) -> Result<String, DebugError> {
        let warp = self.chosen()?;
        let lane = self.session.lane();
        let registers = self.session.target().registers(warp.id)?;
        if let Some(register) = register {
            return Ok(format!(
                "{register}[{lane}] = {}\n",
                of.text(registers.get(register, lane))
            ));
        }
        let mut text = String::new();
        for first in (0..registers.general.len()).step_by(ROW) {
            let row = first..(first + ROW).min(registers.general.len());
            let row = row.map(|number| {
                let value = registers.get(Register::General(number as u8), lane);
                format!("{:<4} {:<12}", format!("R{number}"), of.text(value))
            });
            line!(text, "{}", row.collect::<String>().trim_end());
        }
        let conditions = (0..4).map(|number| {
            let bits = registers.get(Register::Condition(number), lane) as u8;
            format!("C{number} {:<5}", flexgrip_arith::Cc::from_bits(bits).to_string())
        });
        let addresses = (1..=4).map(|number| {
            let value = registers.get(Register::Address(number), lane);
            format!("A{number} {value:04x} ")
        });
        line!(text, "{}", conditions.chain(addresses).collect::<String>().trim_end());
        Ok(text)
    }

    fn lanes(&self, register: Register, of: Type) -> Result<String, DebugError> {
        let warp = self.chosen()?;
        let lanes = self.session.target().lanes(warp.id, register)?;
        let mut text = format!("{register} of warp {}; inactive lanes are in brackets\n", warp.id);
        for first in (0..32).step_by(8) {
            let row = (first..first + 8).map(|lane: u8| {
                let value = of.text(lanes[usize::from(lane)]);
                match warp.active >> lane & 1 {
                    1 => format!(" {value:<10}"),
                    _ => format!("{:<11}", format!("({value})")),
                }
            });
            line!(text, "{first:>2}: {}", row.collect::<String>().trim_end());
        }
        Ok(text)
    }

    fn stack(&self) -> Result<String, DebugError> {
        let warp = self.chosen()?;
        let mut text = format!("active: {}\n", mask(warp.active));
        for (depth, entry) in warp.stack.iter().enumerate().rev() {
            let (kind, pc) = (entry.kind.name(), entry.pc);
            line!(text, "{depth:>2}: {kind} at {pc:#06x}, {}", mask(entry.mask));
        }
        if warp.stack.is_empty() {
            line!(text, "the divergence stack is empty");
        }
        Ok(text)
    }

    fn memory(&self, name: SpaceName, address: u32, count: u32, of: Type) -> Result<String, DebugError> {
        let space: Space = self.session.context().space(name)?;
        let size = of.bytes();
        let bytes = count
            .checked_mul(size)
            .ok_or_else(|| format!("{count} values are too many to show"))?;
        let bytes = self.session.target().read(space, address, bytes)?;
        let mut text = String::new();
        let mut at = address;
        for row in bytes.chunks(ROW * size as usize) {
            let values = row
                .chunks(size as usize)
                .map(|value| format!(" {:<10}", of.text(little_endian(value))));
            line!(text, "{at:08x}:{}", values.collect::<String>().trim_end());
            at = at.wrapping_add(row.len() as u32);
        }
        Ok(text)
    }

    fn print(&self, term: &Term) -> Result<String, DebugError> {
        if let Term::Signal(name) = term {
            let signal = self.session.target().signal(name)?;
            return Ok(format!("{} = {} ({} bits)\n", signal.name, signal.value, signal.width));
        }
        Ok(format!("{}\n", term.value(&self.session.context())?))
    }

    fn set(&mut self, place: &Term, value: &Term) -> Result<String, DebugError> {
        let context = self.session.context();
        let number = value.value(&context)?;
        let (_, of) = place.bits(&context)?;
        let bits = number.bits(of)?;
        let edit = match place {
            Term::Register(register, lane, _) => Edit::Register {
                warp: context.warp()?,
                register: *register,
                lane: match lane {
                    Lane::Number(lane) => *lane,
                    _ => context.lane,
                },
                value: bits,
            },
            Term::Memory(space, address, of) => Edit::Memory {
                space: context.space(*space)?,
                address: *address,
                bytes: bits.to_le_bytes()[..of.bytes() as usize].to_vec(),
            },
            _ => {
                return Err("expected a register or memory before `=`; nothing else can be set"
                    .to_string()
                    .into())
            }
        };
        let text = format!("{edit}\n");
        self.session.change(edit)?;
        Ok(text)
    }

    fn signals(&self, part: &str) -> Result<String, DebugError> {
        let target = self.session.target();
        let names = target.signals();
        if names.is_empty() {
            return Err(no_signals(target.name()).into());
        }
        let found: Vec<&String> = names.iter().filter(|name| name.contains(part)).collect();
        let mut text = String::new();
        for name in found.iter().take(MOST_SIGNALS) {
            let value = target.signal(name)?.value;
            line!(text, "{name} = {value}");
        }
        match found.len() {
            0 => return Err(format!("none of the {} signals has `{part}` in its path", names.len()).into()),
            count if count > MOST_SIGNALS => {
                line!(text, "and {} more", count - MOST_SIGNALS);
            }
            _ => {}
        }
        Ok(text)
    }

    fn pipeline(&self) -> String {
        let mut text = String::new();
        let target = self.session.target();
        for issue in target.issues() {
            line!(text, "issues now: warp {} {}", issue.warp, self.instruction(issue.pc));
        }
        for warp in target.warps() {
            for flight in &warp.in_flight {
                let age = target.time().saturating_sub(flight.since);
                line!(
                    text,
                    "in flight for {age}: warp {} {}",
                    warp.id,
                    self.instruction(flight.pc)
                );
            }
        }
        for record in target.retired() {
            line!(
                text,
                "done: warp {}.{} {}",
                record.block,
                record.warp_in_block,
                self.instruction(record.pc)
            );
        }
        text
    }

    /// The address of a location; without a location, the selected warp's next instruction, or the kernel's first.
    fn at(&self, place: Option<&str>) -> Result<u32, DebugError> {
        let code = self.session.code();
        if let Some(place) = place {
            return Ok(code.resolve(place)?.first().copied().unwrap_or_default());
        }
        let pc = self.session.warp_state().and_then(|warp| warp.pc);
        Ok(pc.unwrap_or(code.entry))
    }

    fn code(&self, place: Option<&str>) -> Result<String, DebugError> {
        let pc = self.at(place)?;
        let next = self.session.warp_state().and_then(|warp| warp.pc);
        let statements: Vec<(u32, &str)> = self.session.code().statements().collect();
        let here = statements.partition_point(|(at, _)| *at < pc);
        let mut text = String::new();
        for (at, _) in statements.iter().skip(here.saturating_sub(AROUND)).take(2 * AROUND + 1) {
            let sign = if Some(*at) == next { "=>" } else { "  " };
            line!(text, "{sign} {}", self.instruction(*at));
        }
        Ok(text)
    }

    fn list(&self, place: Option<&str>) -> Result<String, DebugError> {
        let code = self.session.code();
        let source = code.source.as_ref();
        let source = source.ok_or_else(|| {
            "the program has no line information: it was not assembled or compiled from source text".to_string()
        })?;
        let pc = self.at(place)?;
        let here = code
            .line(pc)
            .ok_or_else(|| format!("the instruction at {pc:#x} has no source line"))? as usize;
        let next = self
            .session
            .warp_state()
            .and_then(|warp| warp.pc)
            .and_then(|pc| code.line(pc));
        let mut text = String::new();
        let from = here.saturating_sub(AROUND).max(1);
        for (line, content) in (from..).zip(source.lines.iter().skip(from - 1)).take(2 * AROUND + 1) {
            let sign = if next == Some(line as u32) { "=>" } else { "  " };
            line!(text, "{sign} {line:>4}  {}", content.trim_end());
        }
        Ok(text)
    }

    /// Notes for the end of a script: breakpoints and watchpoints that were never reached.
    pub fn never_reached(&self) -> String {
        let points = self.session.points().iter().filter(|point| point.hits == 0);
        points
            .map(|point| format!("note: never reached: breakpoint {point}\n"))
            .collect()
    }
}

fn help() -> String {
    let mut text = String::new();
    for entry in COMMANDS {
        let name = match entry.short {
            "" => entry.name.to_string(),
            short => format!("{}, {short}", entry.name),
        };
        let left = format!("{name} {}", entry.arguments);
        line!(text, "  {left:<58} {}", entry.about);
    }
    text
}
