//! The interface of panes: the data that they draw, the areas that can be clicked, scrolling. The panes are:
//!
//! | file | contents |
//! |---|---|
//! | `listings.rs` | the source and the instructions |
//! | `warps.rs` | the warps, and the selected warp's divergence stack |
//! | `lanes.rs` | registers by lanes |
//! | `memory.rs` | a memory |
//! | `pipeline.rs` | instructions that issue, are in flight, or have retired |
//! | `output.rs` | the answers to commands; the command line with its history |

pub mod lanes;
pub mod listings;
pub mod memory;
pub mod output;
pub mod pipeline;
pub mod warps;

use crate::debug::session::Session;
use crate::debug::target::{Registers, WarpId, WarpState};
use crate::debug::terminal::keys::Motion;
use crate::debug::terminal::look::{Look, Role};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// Columns per step of Left and Right, and the maximum number of columns cut on the left.
const SIDEWAYS: usize = 8;
const WIDEST: usize = 240;

/// The data that the panes draw: a view of the session at one moment.
pub struct Scene<'a> {
    /// The session that the panes show.
    pub session: &'a Session,
    /// The look of the screen.
    pub look: Look,
    /// The warps on the SMs.
    pub warps: Vec<WarpState>,
    /// The selected warp's registers.
    pub registers: Option<Registers>,
}

impl<'a> Scene<'a> {
    /// A view of the session at this moment.
    pub fn new(session: &'a Session, look: Look) -> Self {
        Scene {
            session,
            look,
            warps: session.target().warps(),
            registers: session.warp().and_then(|warp| session.target().registers(warp).ok()),
        }
    }

    /// The selected warp, if it is on an SM.
    pub fn chosen(&self) -> Option<&WarpState> {
        self.warps.iter().find(|warp| Some(warp.id) == self.session.warp())
    }

    /// A piece of text in the style of its role.
    pub fn span<'b>(&self, role: Role, text: impl Into<std::borrow::Cow<'b, str>>) -> Span<'b> {
        Span::styled(text, self.look.style(role))
    }

    /// An instruction as text, or a note that no instruction begins there.
    pub fn statement(&self, pc: u32) -> &str {
        self.session.code().statement(pc).unwrap_or("no instruction here")
    }
}

/// An item that can be clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// The instruction at this byte address.
    Instruction(u32),
    /// This source line.
    Line(u32),
    /// A warp.
    Warp(WarpId),
    /// A lane.
    Lane(u8),
}

/// A pane.
pub trait Pane {
    /// The title in the border.
    fn title(&self, scene: &Scene) -> String;
    /// Draws the inside of the pane; returns the areas that can be clicked.
    fn draw(&mut self, scene: &Scene, area: Rect, buffer: &mut Buffer) -> Vec<(Rect, Hit)>;
    /// Moves in the pane.
    fn motion(&mut self, session: &Session, motion: Motion);
}

/// The scroll position of rows, of which only some are visible.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scroll {
    /// The first visible row.
    pub top: usize,
    /// Columns cut on the left.
    left: usize,
    /// The number of visible rows and of all rows, at the last drawing.
    shown: usize,
    count: usize,
}

impl Scroll {
    /// Adjusts the position to `count` rows, of which `shown` are visible.
    pub fn fit(&mut self, count: usize, shown: usize) {
        (self.count, self.shown) = (count, shown);
        self.top = self.top.min(count.saturating_sub(shown));
    }

    /// Scrolls as little as necessary to show a row.
    pub fn show(&mut self, row: usize) {
        let least = (row + 1).saturating_sub(self.shown.max(1));
        self.top = self.top.clamp(least.min(row), row);
    }

    /// The row after a motion from `row`.
    pub fn moved(&self, row: usize, motion: Motion) -> usize {
        let page = self.shown.saturating_sub(1).max(1);
        let row = match motion {
            Motion::Up => row.saturating_sub(1),
            Motion::Down => row + 1,
            Motion::PageUp => row.saturating_sub(page),
            Motion::PageDown => row + page,
            Motion::First => 0,
            Motion::Last => usize::MAX,
            Motion::Left | Motion::Right => row,
        };
        row.min(self.count.saturating_sub(1))
    }

    /// Moves the text sideways for Left and Right.
    pub fn sideways(&mut self, motion: Motion) {
        match motion {
            Motion::Left => self.left = self.left.saturating_sub(SIDEWAYS),
            Motion::Right => self.left = (self.left + SIDEWAYS).min(WIDEST),
            _ => {}
        }
    }

    /// The visible part of a text.
    pub fn cut(&self, text: &str) -> String {
        printable(text).chars().skip(self.left).collect()
    }

    /// Scrolls by a motion.
    pub fn motion(&mut self, motion: Motion) {
        self.sideways(motion);
        self.top = self.moved(self.top, motion).min(self.count.saturating_sub(self.shown));
    }
}

/// The area of a row inside a pane; empty if the row is below the pane's end.
pub fn row(area: Rect, index: usize) -> Rect {
    let y = u16::try_from(index).map_or(u16::MAX, |index| area.y.saturating_add(index));
    let below = y >= area.bottom();
    Rect {
        y: if below { area.y } else { y },
        height: u16::from(!below),
        ..area
    }
}

/// Draws a row inside a pane, cut at the pane's edge.
pub fn draw_row(buffer: &mut Buffer, area: Rect, index: usize, line: &Line) {
    let place = row(area, index);
    if !place.is_empty() {
        buffer.set_line(place.x, place.y, line, place.width);
    }
}

/// A text as a terminal shows it: a tab extends to the next multiple of four columns, other control characters are
/// blanks.
pub fn printable(text: &str) -> String {
    let mut shown = String::new();
    let mut column = 0;
    for character in text.chars() {
        let blanks = match character {
            '\t' => 4 - column % 4,
            _ if character.is_control() => 1,
            _ => 0,
        };
        match blanks {
            0 => shown.push(character),
            _ => shown.extend(std::iter::repeat_n(' ', blanks)),
        }
        column += blanks.max(1);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visible_rows_stay_inside_the_list() {
        let mut scroll = Scroll::default();
        scroll.motion(Motion::Last);
        scroll.fit(10, 4);
        scroll.motion(Motion::Last);
        assert_eq!(scroll.top, 6);
        scroll.motion(Motion::Down);
        assert_eq!(scroll.top, 6, "the last row stays at the bottom");
        scroll.motion(Motion::PageUp);
        assert_eq!(scroll.top, 3);
        scroll.show(9);
        assert_eq!(scroll.top, 6);
        scroll.show(2);
        assert_eq!(scroll.top, 2);
        scroll.fit(3, 4);
        assert_eq!(scroll.top, 0);
        scroll.fit(3, 0);
        scroll.show(2);
        assert_eq!(scroll.moved(2, Motion::Down), 2);
        assert_eq!(scroll.moved(2, Motion::First), 0);
        scroll.motion(Motion::Right);
        assert_eq!(scroll.cut("0123456789"), "89");
        scroll.motion(Motion::Left);
        scroll.motion(Motion::Left);
        assert_eq!(scroll.cut("0123456789"), "0123456789");
    }

    #[test]
    fn rows_below_the_end_are_empty() {
        let area = Rect::new(3, 4, 5, 2);
        assert_eq!(row(area, 1), Rect::new(3, 5, 5, 1));
        assert!(row(area, 2).is_empty() && row(area, usize::MAX).is_empty());
    }

    #[test]
    fn tabs_are_blanks() {
        assert_eq!(printable("a\tb\u{1b}[c"), "a   b [c");
    }
}
