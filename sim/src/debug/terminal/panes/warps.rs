//! The warps with their stall reasons, and the selected warp's divergence stack.

use crate::debug::session::Session;
use crate::debug::target::Waits;
use crate::debug::terminal::keys::Motion;
use crate::debug::terminal::look::Role;
use crate::debug::terminal::panes::{draw_row, row, Hit, Pane, Scene, Scroll};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Minimum width, in columns, at which a mask is also shown as one character per thread.
const WIDE: u16 = 62;

/// The warps.
#[derive(Default)]
pub struct WarpsPane {
    scroll: Scroll,
    /// True if the selected warp must be visible, until the user scrolls.
    follows: bool,
}

impl WarpsPane {
    /// Shows the selected warp.
    pub fn follow(&mut self) {
        self.follows = true;
    }
}

impl Pane for WarpsPane {
    fn title(&self, scene: &Scene) -> String {
        format!("warps: {}", scene.warps.len())
    }

    fn draw(&mut self, scene: &Scene, area: Rect, buffer: &mut Buffer) -> Vec<(Rect, Hit)> {
        let head = format!(
            "{:<6} {:>2} {:<7} {:<20} {}",
            "warp", "on", "SM:slot", "waits for", "next"
        );
        let head = format!(" {}", self.scroll.cut(&head));
        draw_row(buffer, area, 0, &scene.span(Role::Head, head).into());
        let inside = Rect {
            y: area.y.saturating_add(1),
            height: area.height.saturating_sub(1),
            ..area
        };
        self.scroll.fit(scene.warps.len(), inside.height.into());
        let chosen = scene
            .warps
            .iter()
            .position(|warp| Some(warp.id) == scene.session.warp());
        if let (Some(chosen), true) = (chosen, self.follows) {
            self.scroll.show(chosen);
        }
        let mut hits = Vec::new();
        let rows = scene.warps.iter().skip(self.scroll.top).take(inside.height.into());
        for (place, warp) in rows.enumerate() {
            let is_chosen = Some(warp.id) == scene.session.warp();
            let mark = if is_chosen { scene.look.current() } else { " " };
            let role = match warp.waits {
                Waits::Ended => Role::Dim,
                _ if is_chosen => Role::Current,
                _ => Role::Plain,
            };
            let waits = match warp.waits {
                Waits::Ended => "it has ended".to_string(),
                other => other.to_string(),
            };
            let next = warp
                .pc
                .map_or("-".into(), |pc| format!("{pc:04x} {}", scene.statement(pc)));
            let text = format!(
                "{:<6} {:>2} {:<7} {waits:<20} {next}",
                warp.id.to_string(),
                warp.active.count_ones(),
                format!("{}:{}", warp.sm, warp.slot),
            );
            let line = Line::from(vec![
                scene.span(Role::Current, mark),
                scene.span(role, self.scroll.cut(&text)),
            ]);
            draw_row(buffer, inside, place, &line);
            hits.push((row(inside, place), Hit::Warp(warp.id)));
        }
        if scene.warps.is_empty() {
            draw_row(buffer, inside, 0, &scene.span(Role::Dim, " no warp is resident").into());
        }
        hits
    }

    fn motion(&mut self, _: &Session, motion: Motion) {
        self.follows = false;
        self.scroll.motion(motion);
    }
}

/// The divergence stack.
#[derive(Default)]
pub struct StackPane {
    scroll: Scroll,
}

/// A mask: in hexadecimal, its number of threads, and if `wide` a sign for each thread, lane 0 first.
fn mask(scene: &Scene, bits: u32, wide: bool) -> String {
    let (one, none) = if scene.look.unicode { ('█', '·') } else { ('#', '.') };
    let mut text = format!("{bits:08x} {:>2}", bits.count_ones());
    if wide {
        text.push(' ');
        text.extend((0..32).map(|lane| if bits >> lane & 1 == 1 { one } else { none }));
    }
    text
}

impl Pane for StackPane {
    fn title(&self, scene: &Scene) -> String {
        match scene.session.warp() {
            Some(warp) => format!("stack of {warp}"),
            None => "stack".into(),
        }
    }

    fn draw(&mut self, scene: &Scene, area: Rect, buffer: &mut Buffer) -> Vec<(Rect, Hit)> {
        let Some(warp) = scene.chosen() else {
            draw_row(
                buffer,
                area,
                0,
                &scene.span(Role::Dim, " the warp is not resident").into(),
            );
            return Vec::new();
        };
        let wide = area.width >= WIDE;
        let entry = |role, bits, what: String| (role, format!("{}  {what}", mask(scene, bits, wide)));
        let mut rows = vec![entry(Role::Current, warp.active, "active".into())];
        for (depth, found) in warp.stack.iter().enumerate().rev() {
            let what = format!("{depth} {} {:04x}", found.kind.name(), found.pc);
            rows.push(entry(Role::Plain, found.mask, what));
        }
        rows.push(entry(Role::Dim, warp.threads, "began with".into()));
        self.scroll.fit(rows.len(), area.height.into());
        for (place, (role, text)) in rows.into_iter().skip(self.scroll.top).enumerate() {
            draw_row(buffer, area, place, &scene.span(role, self.scroll.cut(&text)).into());
        }
        Vec::new()
    }

    fn motion(&mut self, _: &Session, motion: Motion) {
        self.scroll.motion(motion);
    }
}
