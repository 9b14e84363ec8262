//! The answers to commands, and the command line.

use crate::debug::command::COMMANDS;
use crate::debug::session::Session;
use crate::debug::terminal::keys::{is_control, Motion};
use crate::debug::terminal::look::Role;
use crate::debug::terminal::panes::{draw_row, printable, Hit, Pane, Scene, Scroll};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

/// Maximum number of lines kept.
const MOST: usize = 5000;

/// The answers, the latest at the bottom.
#[derive(Default)]
pub struct OutputPane {
    lines: Vec<(Role, String)>,
    /// The sideways position of the text.
    scroll: Scroll,
    /// Lines below the visible ones.
    below: usize,
    shown: usize,
}

impl OutputPane {
    /// Adds a text, and shows its end.
    pub fn add(&mut self, role: Role, text: &str) {
        self.lines.extend(text.lines().map(|line| (role, printable(line))));
        let surplus = self.lines.len().saturating_sub(MOST);
        self.lines.drain(..surplus);
        self.below = 0;
    }

    /// The last line.
    pub fn last(&self) -> Option<(Role, &str)> {
        self.lines.last().map(|(role, line)| (*role, line.as_str()))
    }
}

impl Pane for OutputPane {
    fn title(&self, _: &Scene) -> String {
        "output".into()
    }

    fn draw(&mut self, scene: &Scene, area: Rect, buffer: &mut Buffer) -> Vec<(Rect, Hit)> {
        self.shown = area.height.into();
        self.below = self.below.min(self.lines.len().saturating_sub(self.shown));
        let end = self.lines.len() - self.below;
        let seen = &self.lines[end.saturating_sub(self.shown)..end];
        for (place, (role, line)) in seen.iter().enumerate() {
            draw_row(buffer, area, place, &scene.span(*role, self.scroll.cut(line)).into());
        }
        Vec::new()
    }

    fn motion(&mut self, _: &Session, motion: Motion) {
        let page = self.shown.saturating_sub(1).max(1);
        self.scroll.sideways(motion);
        self.below = match motion {
            Motion::Up => self.below + 1,
            Motion::Down => self.below.saturating_sub(1),
            Motion::PageUp => self.below + page,
            Motion::PageDown => self.below.saturating_sub(page),
            Motion::First => self.lines.len(),
            Motion::Last => 0,
            Motion::Left | Motion::Right => self.below,
        }
        .min(self.lines.len().saturating_sub(self.shown));
    }
}

/// The effect of a key on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// The line is still being written.
    Open,
    /// The line was abandoned.
    Closed,
    /// The line is complete, and is to be executed.
    Line(String),
}

/// The command line.
#[derive(Default)]
pub struct Prompt {
    /// The text, and the index of the character after the cursor.
    text: Vec<char>,
    at: usize,
    history: Vec<String>,
    /// The index of the line of the history that is shown; `history.len()` for a new line.
    recalled: usize,
}

impl Prompt {
    /// Begins with a text in the line.
    pub fn open(&mut self, text: &str) {
        self.text = text.chars().collect();
        self.at = self.text.len();
        self.recalled = self.history.len();
    }

    /// Inserts the first line of a text, for example a pasted one.
    pub fn insert(&mut self, text: &str) {
        let line = printable(text.lines().next().unwrap_or_default());
        for character in line.chars() {
            self.text.insert(self.at, character);
            self.at += 1;
        }
    }

    /// The text, and the cursor's index in it.
    pub fn shown(&self) -> (&[char], usize) {
        (&self.text, self.at)
    }

    fn recall(&mut self, index: usize) {
        let line = self.history.get(index).cloned().unwrap_or_default();
        self.open(&line);
        self.recalled = index.min(self.history.len());
    }

    /// Completes a command's name up to the next ambiguity.
    fn complete(&mut self) {
        let word: String = self.text[..self.at].iter().collect();
        let names = COMMANDS.iter().map(|entry| entry.name);
        let found: Vec<&str> = names.filter(|name| name.starts_with(&word)).collect();
        let Some(first) = found.first() else { return };
        let common = found.iter().fold(first.len(), |length, name| {
            let same = first.bytes().zip(name.bytes()).take_while(|(one, other)| one == other);
            length.min(same.count())
        });
        let rest = first[word.len()..common.max(word.len())].to_string();
        self.insert(&rest);
        if found.len() == 1 && self.at == self.text.len() {
            self.insert(" ");
        }
    }

    /// Handles a key.
    pub fn key(&mut self, key: &KeyEvent) -> Typed {
        let is_plain = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        match key.code {
            KeyCode::Esc => return Typed::Closed,
            _ if is_control(key, 'c') => return Typed::Closed,
            KeyCode::Enter => {
                let line: String = self.text.iter().collect();
                let line = line.trim().to_string();
                if line.is_empty() {
                    return Typed::Closed;
                }
                if self.history.last() != Some(&line) {
                    self.history.push(line.clone());
                }
                return Typed::Line(line);
            }
            KeyCode::Backspace if self.text.is_empty() => return Typed::Closed,
            KeyCode::Backspace if self.at > 0 => {
                self.at -= 1;
                self.text.remove(self.at);
            }
            KeyCode::Delete if self.at < self.text.len() => {
                self.text.remove(self.at);
            }
            _ if is_control(key, 'u') => {
                self.text.drain(..self.at);
                self.at = 0;
            }
            KeyCode::Left => self.at = self.at.saturating_sub(1),
            KeyCode::Right => self.at = (self.at + 1).min(self.text.len()),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = self.text.len(),
            KeyCode::Up => self.recall(self.recalled.saturating_sub(1)),
            KeyCode::Down => self.recall(self.recalled + 1),
            KeyCode::Tab => self.complete(),
            KeyCode::Char(character) if is_plain => {
                self.text.insert(self.at, character);
                self.at += 1;
            }
            _ => {}
        }
        Typed::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_in(prompt: &mut Prompt, text: &str) {
        for character in text.chars() {
            assert_eq!(prompt.key(&KeyCode::Char(character).into()), Typed::Open);
        }
    }

    fn text(prompt: &Prompt) -> String {
        prompt.shown().0.iter().collect()
    }

    fn enter(prompt: &mut Prompt) -> Typed {
        prompt.key(&KeyCode::Enter.into())
    }

    #[test]
    fn a_line_is_written_and_corrected() {
        let mut prompt = Prompt::default();
        type_in(&mut prompt, "stpe");
        for code in [KeyCode::Left, KeyCode::Backspace, KeyCode::End] {
            prompt.key(&code.into());
        }
        assert_eq!(text(&prompt), "ste");
        type_in(&mut prompt, "p 3 ");
        assert_eq!(enter(&mut prompt), Typed::Line("step 3".into()));
        prompt.open("");
        assert_eq!(
            prompt.key(&KeyCode::Backspace.into()),
            Typed::Closed,
            "nothing is left to delete"
        );
        prompt.insert("print\tR1\nnever");
        assert_eq!(text(&prompt), "print   R1");
        prompt.key(&KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
        assert_eq!(text(&prompt), "");
        assert_eq!(enter(&mut prompt), Typed::Closed);
        assert_eq!(prompt.key(&KeyCode::Esc.into()), Typed::Closed);
    }

    #[test]
    fn lines_come_back() {
        let mut prompt = Prompt::default();
        for line in ["first", "second", "second"] {
            prompt.open(line);
            enter(&mut prompt);
        }
        prompt.open("");
        let mut seen = Vec::new();
        for code in [
            KeyCode::Up,
            KeyCode::Up,
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::Down,
            KeyCode::Down,
        ] {
            prompt.key(&code.into());
            seen.push(text(&prompt));
        }
        assert_eq!(seen, ["second", "first", "first", "second", "", ""]);
    }

    #[test]
    fn names_are_completed() {
        for (typed, becomes) in [
            ("cont", "continue "),
            ("back-l", "back-line "),
            ("st", "st"),
            ("x", "x"),
            ("é", "é"),
        ] {
            let mut prompt = Prompt::default();
            prompt.open(typed);
            prompt.key(&KeyCode::Tab.into());
            assert_eq!(text(&prompt), becomes);
        }
    }
}
