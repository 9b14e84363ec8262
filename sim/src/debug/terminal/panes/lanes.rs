//! The selected warp's registers, by lanes.

use crate::debug::session::Session;
use crate::debug::target::{Register, Registers, WarpId};
use crate::debug::terminal::keys::Motion;
use crate::debug::terminal::look::Role;
use crate::debug::terminal::panes::{draw_row, Hit, Pane, Scene, Scroll};
use crate::debug::value::Type;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Columns for a register's name.
const NAME: u16 = 5;

/// The registers.
pub struct LanesPane {
    scroll: Scroll,
    /// The first lane shown.
    first: u8,
    /// The type of the values.
    of: Type,
    /// The registers before the last command.
    pub before: Option<(WarpId, Registers)>,
}

impl Default for LanesPane {
    fn default() -> Self {
        LanesPane {
            scroll: Scroll::default(),
            first: 0,
            of: Type::Unsigned(4),
            before: None,
        }
    }
}

/// The type after `of` in the order unsigned, signed, float.
pub fn next_type(of: Type) -> Type {
    match of {
        Type::Unsigned(_) => Type::Signed(4),
        Type::Signed(_) => Type::Float,
        Type::Float => Type::Unsigned(4),
    }
}

/// A register's value as text.
fn text(register: Register, of: Type, value: u32) -> String {
    match register {
        Register::General(_) => of.text(value),
        Register::Condition(_) => flexgrip_arith::Cc::from_bits(value as u8).to_string(),
        Register::Address(_) => format!("{value:04x}"),
    }
}

impl LanesPane {
    /// Chooses the next type.
    pub fn next_type(&mut self) {
        self.of = next_type(self.of);
    }

    /// True if a value differs from its value before the last command.
    fn has_changed(&self, scene: &Scene, register: Register, lane: u8, value: u32) -> bool {
        let before = self
            .before
            .as_ref()
            .filter(|(warp, _)| Some(*warp) == scene.session.warp());
        before.is_some_and(|(_, registers)| registers.get(register, lane) != value)
    }
}

impl Pane for LanesPane {
    fn title(&self, scene: &Scene) -> String {
        let of = self.of;
        match scene.session.warp() {
            Some(warp) => format!("registers of {warp}, .{of}"),
            None => format!("registers, .{of}"),
        }
    }

    fn draw(&mut self, scene: &Scene, area: Rect, buffer: &mut Buffer) -> Vec<(Rect, Hit)> {
        let (Some(warp), Some(registers)) = (scene.chosen(), &scene.registers) else {
            draw_row(
                buffer,
                area,
                0,
                &scene.span(Role::Dim, " the warp is not resident").into(),
            );
            return Vec::new();
        };
        let width = match self.of {
            Type::Unsigned(_) => 8,
            _ => 12,
        };
        let chosen = scene.session.lane();
        let columns = (area.width.saturating_sub(NAME) / (width + 1)).clamp(1, 32) as u8;
        let least = (chosen + 1).saturating_sub(columns);
        self.first = self.first.clamp(least, chosen).min(32 - columns);
        let lanes = self.first..self.first + columns;
        let cell = usize::from(width);

        let mut hits = Vec::new();
        let mut head = vec![scene.span(Role::Head, "lane ")];
        for (column, lane) in lanes.clone().enumerate() {
            let is_active = warp.active >> lane & 1 == 1;
            let name = if is_active {
                lane.to_string()
            } else {
                format!("({lane})")
            };
            let mark = if lane == chosen { scene.look.current() } else { "" };
            let role = match lane == chosen {
                true => Role::Current,
                false if is_active => Role::Head,
                false => Role::Dim,
            };
            let name = format!("{mark}{name}");
            head.push(scene.span(role, format!("{name:>cell$} ")));
            let x = area.x + NAME + column as u16 * (width + 1);
            let place = Rect { x, width, ..area };
            hits.push((place.intersection(area), Hit::Lane(lane)));
        }
        draw_row(buffer, area, 0, &head.into());

        let general = (0..registers.general.len().min(128)).map(|number| Register::General(number as u8));
        let rest = (0..4).map(Register::Condition).chain((1..=4).map(Register::Address));
        let rows: Vec<Register> = general.chain(rest).collect();
        let inside = Rect {
            y: area.y.saturating_add(1),
            height: area.height.saturating_sub(1),
            ..area
        };
        self.scroll.fit(rows.len(), inside.height.into());
        let seen = rows.iter().skip(self.scroll.top).take(inside.height.into());
        for (place, register) in seen.enumerate() {
            let mut line = vec![scene.span(Role::Head, format!("{:<5}", register.to_string()))];
            for lane in lanes.clone() {
                let value = registers.get(*register, lane);
                let role = match warp.active >> lane & 1 {
                    1 if self.has_changed(scene, *register, lane, value) => Role::Changed,
                    1 => Role::Plain,
                    _ => Role::Dim,
                };
                let value = text(*register, self.of, value);
                line.push(scene.span(role, format!("{value:>cell$} ")));
            }
            draw_row(buffer, inside, place, &Line::from(line));
        }
        hits
    }

    fn motion(&mut self, _: &Session, motion: Motion) {
        self.scroll.motion(motion);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_come_in_turn() {
        let mut of = Type::Unsigned(4);
        let mut names = Vec::new();
        for _ in 0..3 {
            names.push(of.to_string());
            of = next_type(of);
        }
        assert_eq!(names, ["u", "s", "f"]);
        assert_eq!(of, Type::Unsigned(4));
        assert_eq!(Type::Unsigned(1).to_string(), "u8");
    }
}
