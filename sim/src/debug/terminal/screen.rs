//! Draws the whole screen: status, panes, command line, keys, and the help above them.

use crate::debug::terminal::app::App;
use crate::debug::terminal::keys::{Key, KEYS, MORE};
use crate::debug::terminal::layout::{places, PaneName};
use crate::debug::terminal::look::Role;
use crate::debug::terminal::panes::{draw_row, Scene};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};
use ratatui::Frame;

/// Minimum width, in columns, at which the status is a sentence.
const WIDE: u16 = 48;
/// Columns of the help.
const HELP: u16 = 66;

/// A pane's number in the order of Tab, for a screen that shows only one pane.
fn number(name: PaneName, has_source: bool) -> String {
    let skipped = usize::from(!has_source);
    let place = PaneName::ALL
        .iter()
        .position(|known| *known == name)
        .unwrap_or_default();
    format!("{}/{}", place + 1 - skipped.min(place), PaneName::ALL.len() - skipped)
}

impl App {
    /// Draws the screen.
    pub fn draw(&mut self, frame: &mut Frame) {
        let screen = frame.area();
        let has_source = self.has_source();
        self.places = places(screen, self.focus, has_source);
        self.hits.clear();
        let is_alone = self.places.panes.len() == 1;
        let scene = Scene::new(&self.console.session, self.look);
        let buffer = frame.buffer_mut();
        for (name, area) in &self.places.panes {
            let has_focus = *name == self.focus && !self.is_typing;
            let pane = self.panes.get(*name);
            let title = match is_alone {
                true => format!(" {} {} ", number(*name, has_source), pane.title(&scene)),
                false => format!(" {} ", pane.title(&scene)),
            };
            let role = if has_focus { Role::Focus } else { Role::Plain };
            let head = if has_focus { Role::Focus } else { Role::Head };
            let block = Block::bordered()
                .border_set(self.look.border(has_focus))
                .border_style(self.look.style(role))
                .title(scene.span(head, title));
            let inside = block.inner(*area);
            block.render(*area, buffer);
            self.hits.extend(pane.draw(&scene, inside, buffer));
        }
        draw_row(buffer, self.places.status, 0, &self.status());
        draw_row(buffer, self.places.keys, 0, &self.keys());
        let cursor = self.draw_prompt(is_alone, buffer);
        if let Some(first) = self.help {
            self.help = Some(self.draw_help(first, screen, buffer));
        }
        self.look.reduce(buffer);
        if let Some(cursor) = cursor.filter(|_| self.help.is_none()) {
            frame.set_cursor_position(cursor);
        }
    }

    /// The status line: time, warp, lane, next instruction; or the running command.
    fn status(&self) -> Line<'static> {
        if let Some(pending) = &self.pending {
            let text = format!("{}: running; Esc interrupts", pending.line);
            return Span::styled(text, self.look.style(Role::Changed)).into();
        }
        let session = &self.console.session;
        let is_wide = self.places.status.width >= WIDE || session.target().ending().is_some();
        let text = match session.warp_state() {
            Some(warp) if !is_wide => {
                let place = warp.pc.map_or("-".into(), |pc| format!("{pc:04x}"));
                format!("{} w{} l{} {place}", session.target().time(), warp.id, session.lane())
            }
            _ => self.console.place().lines().next().unwrap_or_default().to_string(),
        };
        Span::styled(text, self.look.style(Role::Current)).into()
    }

    /// The keys that this machine supports.
    fn offered(&self) -> impl Iterator<Item = &'static Key> {
        let goes_back = self.console.session.goes_back();
        KEYS.iter().filter(move |key| goes_back || !key.goes_back())
    }

    /// As many keys as fit in the line.
    fn keys(&self) -> Line<'static> {
        let mut line = Line::default();
        let room = usize::from(self.places.keys.width);
        for key in self.offered().filter(|key| !key.short.is_empty()) {
            let about = format!(" {}  ", key.short);
            // Blanks at the end of the line may be cut.
            if line.width() + key.name.len() + about.trim_end().len() > room {
                break;
            }
            line.push_span(Span::styled(key.name, self.look.style(Role::Key)));
            line.push_span(about);
        }
        line
    }

    /// Draws the command line while the user types, and returns the cursor's position. Otherwise draws the last answer
    /// if its pane is hidden.
    fn draw_prompt(&self, is_alone: bool, buffer: &mut Buffer) -> Option<Position> {
        let area = self.places.prompt;
        if !self.is_typing {
            let (role, text) = match self.panes.output.last() {
                Some(last) if is_alone => last,
                _ => (Role::Dim, ": for a command, ? for the keys"),
            };
            draw_row(buffer, area, 0, &Span::styled(text, self.look.style(role)).into());
            return None;
        }
        let (text, at) = self.prompt.shown();
        // The part around the cursor, if the text is longer than the line.
        let room = usize::from(area.width).saturating_sub(2).max(1);
        let first = at.saturating_sub(room);
        let seen: String = text.iter().skip(first).take(room + 1).collect();
        let line = Line::from(vec![Span::styled(":", self.look.style(Role::Key)), Span::raw(seen)]);
        draw_row(buffer, area, 0, &line);
        let before: String = text[first..at].iter().collect();
        let column = (1 + Span::raw(before).width()).min(usize::from(area.width.saturating_sub(1)));
        (!area.is_empty()).then(|| Position::new(area.x + column as u16, area.y))
    }

    /// Draws the help over the screen, beginning with row `first`; returns the first row drawn, limited so that the
    /// help fills its area.
    fn draw_help(&self, first: usize, screen: Rect, buffer: &mut Buffer) -> usize {
        let keys = self.offered().map(|key| (key.name, key.about));
        let rows: Vec<(&str, &str)> = keys.chain(MORE.iter().copied()).collect();
        let height = u16::try_from(rows.len() + 2).unwrap_or(u16::MAX).min(screen.height);
        let width = HELP.min(screen.width);
        let area = Rect {
            x: screen.x + (screen.width - width) / 2,
            y: screen.y + (screen.height - height) / 2,
            width,
            height,
        };
        Clear.render(area, buffer);
        let block = Block::bordered()
            .border_set(self.look.border(true))
            .border_style(self.look.style(Role::Focus))
            .title(" keys ");
        let inside = block.inner(area);
        block.render(area, buffer);
        let first = first.min(rows.len().saturating_sub(inside.height.into()));
        for (place, (name, about)) in rows.into_iter().skip(first).enumerate() {
            let line = Line::from(vec![
                Span::styled(format!("{name:<6}"), self.look.style(Role::Key)),
                Span::raw(about),
            ]);
            draw_row(buffer, inside, place, &line);
        }
        first
    }
}
