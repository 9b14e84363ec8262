//! The state of the screen, and the handling of events.

use crate::debug::command::{parse, Command};
use crate::debug::console::Console;
use crate::debug::points::Trigger;
use crate::debug::session::Session;
use crate::debug::target::{Registers, WarpId};
use crate::debug::terminal::keys::{action, is_control, Action, Motion};
use crate::debug::terminal::layout::{PaneName, Places};
use crate::debug::terminal::look::{Look, Role};
use crate::debug::terminal::panes::lanes::LanesPane;
use crate::debug::terminal::panes::listings::{CodePane, SourcePane};
use crate::debug::terminal::panes::memory::MemoryPane;
use crate::debug::terminal::panes::output::{OutputPane, Prompt, Typed};
use crate::debug::terminal::panes::pipeline::PipelinePane;
use crate::debug::terminal::panes::warps::{StackPane, WarpsPane};
use crate::debug::terminal::panes::{Hit, Pane};
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

/// Rows per step of the mouse wheel.
const WHEEL: usize = 3;

/// The states of the panes.
#[derive(Default)]
pub(super) struct Panes {
    pub source: SourcePane,
    pub code: CodePane,
    pub warps: WarpsPane,
    pub stack: StackPane,
    pub lanes: LanesPane,
    pub memory: MemoryPane,
    pub pipeline: PipelinePane,
    pub output: OutputPane,
}

impl Panes {
    /// A pane by its name.
    pub fn get(&mut self, name: PaneName) -> &mut dyn Pane {
        match name {
            PaneName::Source => &mut self.source,
            PaneName::Code => &mut self.code,
            PaneName::Warps => &mut self.warps,
            PaneName::Stack => &mut self.stack,
            PaneName::Lanes => &mut self.lanes,
            PaneName::Memory => &mut self.memory,
            PaneName::Pipeline => &mut self.pipeline,
            PaneName::Output => &mut self.output,
        }
    }
}

/// A command to be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pending {
    pub line: String,
    /// True if it was typed: then the whole answer is shown. The effect of a key is visible in the panes.
    pub is_typed: bool,
}

/// A session on a screen. The caller draws it after each event, and executes the pending command after that, so that
/// the screen shows the running command:
///
/// ```text
/// loop { terminal.draw(|frame| app.draw(frame)); if app.is_running() { app.run() } else { app.handle(next event) } }
/// ```
pub struct App {
    pub(super) console: Console,
    pub(super) look: Look,
    pub(super) panes: Panes,
    pub(super) focus: PaneName,
    /// The first row of the help, while it is shown.
    pub(super) help: Option<usize>,
    pub(super) prompt: Prompt,
    pub(super) is_typing: bool,
    pub(super) pending: Option<Pending>,
    /// The areas of the last drawing.
    pub(super) places: Places,
    pub(super) hits: Vec<(Rect, Hit)>,
    quits: bool,
}

impl App {
    /// A session at its beginning.
    pub fn new(session: Session, look: Look) -> Self {
        let mut app = App {
            console: Console { session },
            look,
            panes: Panes::default(),
            focus: PaneName::Code,
            help: None,
            prompt: Prompt::default(),
            is_typing: false,
            pending: None,
            places: Places::default(),
            hits: Vec::new(),
            quits: false,
        };
        app.panes.code.go_to(app.console.session.code().entry);
        app.follow();
        let place = app.console.place();
        app.panes.output.add(Role::Plain, &place);
        app
    }

    /// The session, with its commands.
    pub fn console(&self) -> &Console {
        &self.console
    }

    /// The session with its commands, when the screen is no longer needed.
    pub fn into_console(self) -> Console {
        self.console
    }

    /// The pane with the keyboard focus.
    pub fn focus(&self) -> PaneName {
        self.focus
    }

    /// True if the user has requested to end the session.
    pub fn quits(&self) -> bool {
        self.quits
    }

    /// True if a command is pending for [`App::run`].
    pub fn is_running(&self) -> bool {
        self.pending.is_some()
    }

    /// True if the program has a source text to show.
    pub(super) fn has_source(&self) -> bool {
        self.console.session.code().source.is_some()
    }

    /// The selected warp's registers.
    fn registers(&self) -> Option<(WarpId, Registers)> {
        let session = &self.console.session;
        let warp = session.warp()?;
        Some((warp, session.target().registers(warp).ok()?))
    }

    /// Executes the pending command. This may take long; the session regularly checks for an interrupt.
    pub fn run(&mut self) {
        let Some(Pending { line, is_typed }) = self.pending.take() else {
            return;
        };
        let (before, registers) = (self.console.session.target().time(), self.registers());
        if is_typed {
            self.panes.output.add(Role::Head, &format!("> {line}"));
        }
        match self.console.run(&line) {
            Ok(reply) => {
                self.quits = reply.quits;
                let place = self.console.place();
                let is_over = self.console.session.target().ending().is_some();
                let seen = reply.text.strip_suffix(&place).filter(|_| !is_typed && !is_over);
                self.panes.output.add(Role::Plain, seen.unwrap_or(&reply.text));
                // A small screen shows only one pane.
                if is_typed && self.places.panes.len() == 1 && reply.text.lines().count() > 1 {
                    self.focus = PaneName::Output;
                }
            }
            Err(error) => self.panes.output.add(Role::Wrong, &error.to_string()),
        }
        if let Ok(Some(Command::Memory(space, address, _, of))) = parse(&line) {
            self.panes.memory.go_to(space, address, of);
        }
        let session = &self.console.session;
        if session.target().time() != before {
            self.panes.pipeline.remember(session);
            self.panes.lanes.before = registers;
        } else if self.registers() != registers {
            self.panes.lanes.before = registers;
        }
        self.follow();
    }

    /// Moves the cursors to the selected warp's next instruction.
    fn follow(&mut self) {
        self.panes.warps.follow();
        let session = &self.console.session;
        let Some(pc) = session.warp_state().and_then(|warp| warp.pc) else {
            return;
        };
        self.panes.code.go_to(pc);
        if let Some(line) = session.code().line(pc) {
            self.panes.source.go_to(line);
        }
    }

    /// Makes a command pending.
    fn start(&mut self, line: impl Into<String>, is_typed: bool) {
        let line = line.into();
        self.pending = Some(Pending { line, is_typed });
    }

    /// Handles an event of the terminal.
    pub fn handle(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Paste(text) if self.is_typing => self.prompt.insert(text),
            _ => {}
        }
    }

    fn key(&mut self, key: &KeyEvent) {
        if self.help.is_some() {
            return self.key_in_help(key);
        }
        if self.is_typing {
            match self.prompt.key(key) {
                Typed::Open => {}
                Typed::Closed => self.is_typing = false,
                Typed::Line(line) => {
                    self.is_typing = false;
                    self.start(line, true);
                }
            }
            return;
        }
        if is_control(key, 'c') {
            self.panes
                .output
                .add(Role::Plain, "nothing is running; q ends the session");
        } else if let Some(action) = action(key) {
            self.act(action);
        }
    }

    fn key_in_help(&mut self, key: &KeyEvent) {
        let row = self.help.unwrap_or_default();
        self.help = match key.code {
            KeyCode::Up => Some(row.saturating_sub(1)),
            KeyCode::Down => Some(row + 1),
            KeyCode::PageUp => Some(row.saturating_sub(WHEEL)),
            KeyCode::PageDown => Some(row + WHEEL),
            _ => None,
        };
    }

    fn act(&mut self, action: Action) {
        let session = &self.console.session;
        match action {
            Action::Run(command) => self.start(command, false),
            Action::Point => match self.focus {
                PaneName::Source => self.toggle(&format!("line {}", self.panes.source.cursor)),
                _ => self.toggle(&format!("{:#x}", self.panes.code.cursor)),
            },
            Action::Pane(by) => {
                let has_source = self.has_source();
                let names = PaneName::ALL
                    .into_iter()
                    .filter(|name| has_source || *name != PaneName::Source);
                let names: Vec<PaneName> = names.collect();
                let here = names.iter().position(|name| *name == self.focus).unwrap_or(0);
                self.focus = names[after(here, by, names.len())];
            }
            Action::Move(motion) => self.motion(motion),
            Action::Warp(by) => {
                let warps = session.target().warps();
                let here = warps.iter().position(|warp| Some(warp.id) == session.warp());
                if let Some(warp) = warps.get(here.map_or(0, |here| after(here, by, warps.len()))) {
                    self.choose_warp(warp.id);
                }
            }
            Action::Lane(by) => self.choose_lane(after(session.lane().into(), by, 32) as u8),
            Action::Type if self.focus == PaneName::Memory => self.panes.memory.next_type(),
            Action::Type => self.panes.lanes.next_type(),
            Action::Space => self.panes.memory.next_space(session),
            Action::Address => {
                let place = self.panes.memory.place();
                self.prompt.open(&place);
                self.is_typing = true;
            }
            Action::Prompt => {
                self.prompt.open("");
                self.is_typing = true;
            }
            Action::Help => self.help = Some(0),
            Action::Quit => self.quits = true,
        }
    }

    fn motion(&mut self, motion: Motion) {
        match (self.focus, motion) {
            (PaneName::Lanes, Motion::Left) => self.act(Action::Lane(-1)),
            (PaneName::Lanes, Motion::Right) => self.act(Action::Lane(1)),
            _ => self.panes.get(self.focus).motion(&self.console.session, motion),
        }
    }

    fn choose_warp(&mut self, warp: WarpId) {
        match self.console.session.set_warp(warp) {
            Ok(()) => self.follow(),
            Err(error) => self.panes.output.add(Role::Wrong, &error.to_string()),
        }
    }

    fn choose_lane(&mut self, lane: u8) {
        if let Err(error) = self.console.session.set_lane(lane) {
            self.panes.output.add(Role::Wrong, &error.to_string());
        }
    }

    /// Sets a breakpoint at a location, or removes the breakpoints there.
    fn toggle(&mut self, place: &str) {
        let session = &mut self.console.session;
        let wanted = match session.code().resolve(place) {
            Ok(wanted) => wanted,
            Err(error) => return self.panes.output.add(Role::Wrong, &error),
        };
        let points = session.points().iter().filter(|point| match &point.trigger {
            Trigger::Instruction(places, _) => !places.is_disjoint(&wanted),
            _ => false,
        });
        let numbers: Vec<u32> = points.map(|point| point.number).collect();
        let command = match numbers.as_slice() {
            [] => format!("break {place}"),
            _ => String::new(),
        };
        for number in numbers {
            let text = match session.remove_point(number) {
                Ok(()) => format!("breakpoint {number} deleted"),
                Err(error) => error.to_string(),
            };
            self.panes.output.add(Role::Plain, &text);
        }
        match self.console.run(&command) {
            Ok(reply) => self.panes.output.add(Role::Point, &reply.text),
            Err(error) => self.panes.output.add(Role::Wrong, &error.to_string()),
        }
    }

    fn mouse(&mut self, mouse: &MouseEvent) {
        let at = Position::new(mouse.column, mouse.row);
        if self.help.is_some() {
            if matches!(mouse.kind, MouseEventKind::Down(_)) {
                self.help = None;
            }
            return;
        }
        let pane = self.places.panes.iter().find(|(_, area)| area.contains(at));
        let pane = pane.map(|(name, _)| *name);
        match (mouse.kind, pane) {
            (MouseEventKind::ScrollUp | MouseEventKind::ScrollDown, Some(pane)) => {
                let up = mouse.kind == MouseEventKind::ScrollUp;
                let motion = if up { Motion::Up } else { Motion::Down };
                for _ in 0..WHEEL {
                    self.panes.get(pane).motion(&self.console.session, motion);
                }
            }
            (MouseEventKind::Down(MouseButton::Left), Some(pane)) => {
                self.focus = pane;
                self.is_typing = false;
                let hit = self
                    .hits
                    .iter()
                    .find(|(area, _)| area.contains(at))
                    .map(|(_, hit)| *hit);
                match hit {
                    Some(Hit::Instruction(pc)) => {
                        self.panes.code.cursor = pc;
                        self.toggle(&format!("{pc:#x}"));
                    }
                    Some(Hit::Line(line)) => {
                        self.panes.source.cursor = line;
                        self.toggle(&format!("line {line}"));
                    }
                    Some(Hit::Warp(warp)) => self.choose_warp(warp),
                    Some(Hit::Lane(lane)) => self.choose_lane(lane),
                    None => {}
                }
            }
            (MouseEventKind::Down(MouseButton::Left), None) if self.places.prompt.contains(at) && !self.is_typing => {
                self.act(Action::Prompt);
            }
            _ => {}
        }
    }
}

/// The index `by` positions after `here`, in a ring of `count`.
fn after(here: usize, by: isize, count: usize) -> usize {
    (here as isize + by).rem_euclid(count.max(1) as isize) as usize
}
