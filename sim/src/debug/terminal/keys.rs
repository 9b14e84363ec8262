//! The keys: one table for their actions, for the bottom line and for the help.

use crate::debug::command::{parse, Command};
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// A way to move in a pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Moves up by a row.
    Up,
    /// Moves down by a row.
    Down,
    /// Moves left by a column.
    Left,
    /// Moves right by a column.
    Right,
    /// Moves up by a page.
    PageUp,
    /// Moves down by a page.
    PageDown,
    /// Moves to the beginning.
    First,
    /// Moves to the end.
    Last,
}

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Executes a command of the console.
    Run(&'static str),
    /// Sets or removes a breakpoint at the cursor's instruction or line.
    Point,
    /// Selects another pane: 1 for the next, -1 for the previous.
    Pane(isize),
    /// Moves in the pane.
    Move(Motion),
    /// Selects another warp: 1 for the next, -1 for the previous.
    Warp(isize),
    /// Selects another lane: 1 for the next, -1 for the previous.
    Lane(isize),
    /// Selects the next type of values.
    Type,
    /// Selects the next memory.
    Space,
    /// Opens the command line for a memory's address.
    Address,
    /// Opens the command line.
    Prompt,
    /// Shows the keys.
    Help,
    /// Ends the session.
    Quit,
}

/// A key, or several with the same action.
pub struct Key {
    /// The keys that have this effect.
    pub codes: &'static [KeyCode],
    /// The name of the keys.
    pub name: &'static str,
    /// A word for the bottom line; empty for a key that is only in the help.
    pub short: &'static str,
    /// A line for the help.
    pub about: &'static str,
    /// The effect of the keys.
    pub action: Action,
}

impl Key {
    /// True for keys that only machines that go back support.
    pub fn goes_back(&self) -> bool {
        match self.action {
            Action::Run(command) => matches!(parse(command), Ok(Some(Command::Backward(..)))),
            _ => false,
        }
    }
}

const fn key(
    codes: &'static [KeyCode],
    name: &'static str,
    short: &'static str,
    about: &'static str,
    action: Action,
) -> Key {
    Key {
        codes,
        name,
        short,
        about,
        action,
    }
}

use KeyCode::Char;

/// All keys, the most important first.
pub const KEYS: &[Key] = &[
    key(
        &[KeyCode::F(1), Char('?')],
        "?",
        "keys",
        "this help; also F1",
        Action::Help,
    ),
    key(&[Char('q')], "q", "quit", "end the session", Action::Quit),
    key(
        &[Char('s')],
        "s",
        "step",
        "the warp's next instruction",
        Action::Run("step"),
    ),
    key(
        &[Char('S')],
        "S",
        "back",
        "its previous instruction",
        Action::Run("back-step"),
    ),
    key(&[Char('n')], "n", "line", "its next source line", Action::Run("line")),
    key(
        &[Char('N')],
        "N",
        "back",
        "its previous source line",
        Action::Run("back-line"),
    ),
    key(
        &[Char('c')],
        "c",
        "go",
        "to the next breakpoint or watchpoint, or the end",
        Action::Run("continue"),
    ),
    key(
        &[Char('C')],
        "C",
        "back",
        "back to the previous one",
        Action::Run("back"),
    ),
    key(
        &[Char('b')],
        "b",
        "break",
        "set or delete a breakpoint at the cursor",
        Action::Point,
    ),
    key(
        &[Char(':'), KeyCode::Enter],
        ":",
        "command",
        "enter a command; :help lists them; also Enter",
        Action::Prompt,
    ),
    key(&[KeyCode::Tab], "Tab", "pane", "the next pane", Action::Pane(1)),
    key(&[KeyCode::BackTab], "S-Tab", "", "the previous pane", Action::Pane(-1)),
    key(&[Char('w')], "w", "warp", "the next warp", Action::Warp(1)),
    key(&[Char('W')], "W", "", "the previous warp", Action::Warp(-1)),
    key(&[Char('l')], "l", "lane", "the next lane", Action::Lane(1)),
    key(&[Char('L')], "L", "", "the previous lane", Action::Lane(-1)),
    key(
        &[Char('t')],
        "t",
        "type",
        "unsigned, signed or float: memory pane, else registers",
        Action::Type,
    ),
    key(&[Char('m')], "m", "memory", "select another memory", Action::Space),
    key(
        &[Char('a')],
        "a",
        "address",
        "select an address in memory",
        Action::Address,
    ),
    key(
        &[Char('y')],
        "y",
        "cycle",
        "one cycle; on the model one instruction of any warp",
        Action::Run("cycle"),
    ),
    key(
        &[Char('Y')],
        "Y",
        "",
        "one cycle or instruction back",
        Action::Run("back-cycle"),
    ),
    key(
        &[Char('j')],
        "j",
        "join",
        "to where the warp's path reconverges",
        Action::Run("join"),
    ),
    key(
        &[Char('J')],
        "J",
        "",
        "back to before it diverged",
        Action::Run("back-join"),
    ),
    key(&[Char('r')], "r", "restart", "to the beginning", Action::Run("goto 0")),
    key(&[KeyCode::Up], "Up", "", "up in the pane", Action::Move(Motion::Up)),
    key(
        &[KeyCode::Down],
        "Down",
        "",
        "down in the pane",
        Action::Move(Motion::Down),
    ),
    key(
        &[KeyCode::Left],
        "Left",
        "",
        "left: lanes, long lines",
        Action::Move(Motion::Left),
    ),
    key(&[KeyCode::Right], "Right", "", "right", Action::Move(Motion::Right)),
    key(
        &[KeyCode::PageUp],
        "PgUp",
        "",
        "a page up",
        Action::Move(Motion::PageUp),
    ),
    key(
        &[KeyCode::PageDown],
        "PgDn",
        "",
        "a page down",
        Action::Move(Motion::PageDown),
    ),
    key(
        &[KeyCode::Home],
        "Home",
        "",
        "to the first row",
        Action::Move(Motion::First),
    ),
    key(
        &[KeyCode::End],
        "End",
        "",
        "to the last row",
        Action::Move(Motion::Last),
    ),
];

/// The mouse, and keys without an action, for the help.
pub(super) const MORE: &[(&str, &str)] = &[
    ("Esc", "interrupt a long-running command; also Ctrl-C"),
    ("click", "select a pane, warp or lane; on code: set a breakpoint"),
    ("wheel", "scroll the pane under the pointer"),
];

/// The action of a key, if it has one.
pub fn action(event: &KeyEvent) -> Option<Action> {
    let shifted = event.modifiers.difference(KeyModifiers::SHIFT);
    if !shifted.is_empty() {
        return None;
    }
    let found = KEYS.iter().find(|key| key.codes.contains(&event.code));
    found.map(|key| key.action)
}

/// True if an event interrupts the running command.
pub fn interrupts(event: &Event) -> bool {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key.code == KeyCode::Esc || is_control(key, 'c'),
        _ => false,
    }
}

/// True for a letter with Ctrl.
pub(super) fn is_control(key: &KeyEvent, letter: char) -> bool {
    key.code == Char(letter) && key.modifiers == KeyModifiers::CONTROL
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_are_unique_and_every_command_exists() {
        let mut known = HashSet::new();
        for key in KEYS {
            assert!(!key.codes.is_empty() && !key.about.is_empty());
            for code in key.codes {
                assert!(known.insert(*code), "{code:?} twice");
                assert_eq!(action(&KeyEvent::from(*code)), Some(key.action));
            }
            if let Action::Run(command) = key.action {
                assert!(matches!(parse(command), Ok(Some(_))), "{command}");
            }
        }
    }

    #[test]
    fn capitals_of_steps_go_back() {
        let back = KEYS.iter().filter(|key| key.goes_back()).map(|key| key.name);
        assert_eq!(back.collect::<Vec<_>>(), ["S", "N", "C", "Y", "J"]);
    }

    #[test]
    fn control_is_another_key() {
        let control = |letter| KeyEvent::new(Char(letter), KeyModifiers::CONTROL);
        assert_eq!(action(&control('c')), None);
        assert_eq!(
            action(&KeyEvent::new(Char('S'), KeyModifiers::SHIFT)),
            Some(Action::Run("back-step"))
        );
        assert!(interrupts(&Event::Key(control('c'))) && interrupts(&Event::Key(KeyCode::Esc.into())));
        assert!(!interrupts(&Event::Key(Char('c').into())) && !interrupts(&Event::Resize(1, 1)));
    }
}
