//! Instructions that issue, are in flight, or have retired.

use crate::debug::session::Session;
use crate::debug::target::WarpId;
use crate::debug::terminal::keys::Motion;
use crate::debug::terminal::look::Role;
use crate::debug::terminal::panes::{draw_row, Hit, Pane, Scene, Scroll};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Maximum number of retired instructions kept.
const MOST: usize = 64;

/// The pipeline.
#[derive(Default)]
pub struct PipelinePane {
    scroll: Scroll,
    /// Instructions that had retired at the session's last stops, the latest last: time, warp, byte address.
    ended: Vec<(u64, WarpId, u32)>,
}

impl PipelinePane {
    /// Adds the instructions that retired in the last step, and drops instructions of later times if the session has
    /// gone back.
    pub fn remember(&mut self, session: &Session) {
        let now = session.target().time();
        self.ended.retain(|(time, ..)| *time < now);
        self.ended.extend(session.target().retired().iter().map(|record| {
            let (block, warp) = (record.block, record.warp_in_block);
            (now, WarpId { block, warp }, record.pc)
        }));
        let surplus = self.ended.len().saturating_sub(MOST);
        self.ended.drain(..surplus);
    }
}

impl Pane for PipelinePane {
    fn title(&self, _: &Scene) -> String {
        "pipeline".into()
    }

    fn draw(&mut self, scene: &Scene, area: Rect, buffer: &mut Buffer) -> Vec<(Rect, Hit)> {
        let target = scene.session.target();
        let now = target.time();
        let text = |warp: WarpId, pc: u32| format!("{:<6} {pc:04x} {}", warp.to_string(), scene.statement(pc));
        let mut rows = Vec::new();
        for issue in target.issues() {
            rows.push((Role::Current, "issues".to_string(), text(issue.warp, issue.pc)));
        }
        for warp in &scene.warps {
            for flight in &warp.in_flight {
                let age = format!("for {}", now.saturating_sub(flight.since));
                rows.push((Role::Plain, age, text(warp.id, flight.pc)));
            }
        }
        for (time, warp, pc) in self.ended.iter().rev() {
            let (role, head) = match now.saturating_sub(*time) {
                0 => (Role::Head, "done".to_string()),
                before => (Role::Dim, format!("{before} ago")),
            };
            rows.push((role, head, text(*warp, *pc)));
        }
        self.scroll.fit(rows.len(), area.height.into());
        for (place, (role, head, text)) in rows.into_iter().skip(self.scroll.top).enumerate() {
            let line = Line::from(vec![
                scene.span(role, format!("{head:<7} ")),
                scene.span(role, self.scroll.cut(&text)),
            ]);
            draw_row(buffer, area, place, &line);
        }
        Vec::new()
    }

    fn motion(&mut self, _: &Session, motion: Motion) {
        self.scroll.motion(motion);
    }
}
