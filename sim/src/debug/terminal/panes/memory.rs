//! A memory, with a choice of space, address and type.

use crate::debug::session::Session;
use crate::debug::terminal::keys::Motion;
use crate::debug::terminal::look::Role;
use crate::debug::terminal::panes::lanes::next_type;
use crate::debug::terminal::panes::{draw_row, Hit, Pane, Scene};
use crate::debug::value::{little_endian, SpaceName, Type};
use flexgrip_machine::sizes::CONSTANT_BANKS;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// The memory.
pub struct MemoryPane {
    space: SpaceName,
    address: u32,
    of: Type,
    /// Bytes in a row and number of rows, at the last drawing.
    row: u32,
    rows: u32,
}

impl Default for MemoryPane {
    fn default() -> Self {
        MemoryPane {
            space: SpaceName::Global,
            address: 0,
            of: Type::Unsigned(4),
            row: 16,
            rows: 1,
        }
    }
}

fn can_read(session: &Session, space: SpaceName, address: u32, bytes: u32) -> Result<Vec<u8>, String> {
    session.target().read(session.context().space(space)?, address, bytes)
}

impl MemoryPane {
    /// Shows another address.
    pub fn go_to(&mut self, space: SpaceName, address: u32, of: Type) {
        (self.space, self.address, self.of) = (space, address, of);
    }

    /// The beginning of a command for an address in this memory.
    pub fn place(&self) -> String {
        format!("memory {}:0x", self.space)
    }

    /// Chooses the next type.
    pub fn next_type(&mut self) {
        self.of = next_type(self.of);
    }

    /// Chooses the next memory that exists: global, shared, local, then the constant banks.
    pub fn next_space(&mut self, session: &Session) {
        let spaces = [SpaceName::Global, SpaceName::Shared, SpaceName::Local];
        let spaces: Vec<SpaceName> = spaces
            .into_iter()
            .chain((0..CONSTANT_BANKS as u32).map(SpaceName::Constant))
            .collect();
        let here = spaces.iter().position(|space| *space == self.space).unwrap_or(0);
        let order = spaces.iter().cycle().skip(here + 1).take(spaces.len());
        let found = order.copied().find(|space| can_read(session, *space, 0, 1).is_ok());
        self.space = found.unwrap_or(self.space);
        self.address = 0;
    }
}

impl Pane for MemoryPane {
    fn title(&self, scene: &Scene) -> String {
        let of = self.of;
        match scene.session.context().space(self.space) {
            Ok(space) => format!("{space}, .{of}"),
            Err(_) => format!("{}, .{of}", self.space),
        }
    }

    fn draw(&mut self, scene: &Scene, area: Rect, buffer: &mut Buffer) -> Vec<(Rect, Hit)> {
        let size = self.of.bytes();
        let width = match self.of {
            Type::Unsigned(bytes) => 2 * bytes as usize,
            Type::Signed(1) => 4,
            Type::Signed(2) => 6,
            _ => 12,
        };
        let room = usize::from(area.width).saturating_sub(9) / (width + 1);
        let values = [16, 8, 4, 2, 1].into_iter().find(|values| *values <= room).unwrap_or(1) as u32;
        (self.row, self.rows) = (values * size, area.height.into());
        let read = |address, bytes| can_read(scene.session, self.space, address, bytes);
        let mut addresses = std::iter::successors(Some(self.address), |address| address.checked_add(self.row));
        for place in 0..usize::from(area.height) {
            let Some(address) = addresses.next() else { break };
            let mut line = vec![scene.span(Role::Dim, format!("{address:08x}"))];
            let mut missing = None;
            for index in 0..values {
                let at = address.checked_add(index * size);
                let bytes = at.ok_or_else(|| "no address".to_string()).and_then(|at| read(at, size));
                match bytes {
                    Ok(bytes) => {
                        let text = self.of.text(little_endian(&bytes));
                        line.push(scene.span(Role::Plain, format!(" {text:>width$}")));
                    }
                    Err(error) => {
                        missing = Some((index, error));
                        break;
                    }
                }
            }
            match missing {
                Some((0, error)) => {
                    let text = if place == 0 { error } else { "the end".into() };
                    draw_row(buffer, area, place, &scene.span(Role::Dim, text).into());
                    break;
                }
                _ => draw_row(buffer, area, place, &Line::from(line)),
            }
        }
        Vec::new()
    }

    fn motion(&mut self, session: &Session, motion: Motion) {
        let page = self.row.saturating_mul(self.rows.saturating_sub(1).max(1));
        let up = |bytes| self.address.saturating_sub(bytes);
        let down = |bytes| self.address.saturating_add(bytes);
        let address = match motion {
            Motion::Up => up(self.row),
            Motion::Down => down(self.row),
            Motion::Left => up(self.of.bytes()),
            Motion::Right => down(self.of.bytes()),
            Motion::PageUp => up(page),
            Motion::PageDown => down(page),
            Motion::First => 0,
            Motion::Last => {
                let extent = session
                    .context()
                    .space(self.space)
                    .and_then(|space| session.target().extent(space));
                let there = extent.unwrap_or(0).saturating_sub(1) / self.row.max(1);
                there.saturating_sub(self.rows.saturating_sub(2)) * self.row
            }
        };
        if address <= self.address || can_read(session, self.space, address, 1).is_ok() {
            self.address = address;
        }
    }
}
