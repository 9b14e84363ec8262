//! The panes, and their areas on a screen of any size.

use ratatui::layout::{Constraint, Layout, Rect};

/// A pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaneName {
    /// The source text.
    Source,
    /// The instructions.
    Code,
    /// The warps on the SMs.
    Warps,
    /// The selected warp's divergence stack.
    Stack,
    /// The selected warp's registers, by lanes.
    Lanes,
    /// A memory.
    Memory,
    /// Instructions in the pipeline.
    Pipeline,
    /// The answers to commands.
    Output,
}

impl PaneName {
    /// All panes, in the order of Tab.
    pub const ALL: [PaneName; 8] = [
        PaneName::Source,
        PaneName::Code,
        PaneName::Warps,
        PaneName::Stack,
        PaneName::Lanes,
        PaneName::Memory,
        PaneName::Pipeline,
        PaneName::Output,
    ];
}

/// Minimum columns and rows for all panes to be shown at once.
pub const ALL_PANES: (u16, u16) = (72, 24);

/// The areas of all parts of the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The status line: time, warp, instruction.
    pub status: Rect,
    /// The visible panes.
    pub panes: Vec<(PaneName, Rect)>,
    /// The command line.
    pub prompt: Rect,
    /// The line that shows the most important keys.
    pub keys: Rect,
}

/// The areas of a screen. A small screen has only the pane `focus`; a program without lines has no source pane.
pub fn places(screen: Rect, focus: PaneName, has_source: bool) -> Places {
    let [status, body, prompt, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(screen);
    let mut places = Places {
        status,
        panes: vec![(focus, body)],
        prompt,
        keys,
    };
    if screen.width < ALL_PANES.0 || screen.height < ALL_PANES.1 {
        return places;
    }
    let [code, middle, low, output] = Layout::vertical([
        Constraint::Fill(10),
        Constraint::Fill(8),
        Constraint::Fill(9),
        Constraint::Fill(6),
    ])
    .areas(body);
    let halves = |area: Rect| Layout::horizontal([Constraint::Percentage(56), Constraint::Fill(1)]).areas(area);
    let [warps, stack] = halves(middle);
    let [lanes, memory] = halves(low);
    let [answers, pipeline] = halves(output);
    places.panes = vec![
        (PaneName::Warps, warps),
        (PaneName::Stack, stack),
        (PaneName::Lanes, lanes),
        (PaneName::Memory, memory),
        (PaneName::Output, answers),
        (PaneName::Pipeline, pipeline),
    ];
    if has_source {
        let [source, instructions] = halves(code);
        places.panes.push((PaneName::Source, source));
        places.panes.push((PaneName::Code, instructions));
    } else {
        places.panes.push((PaneName::Code, code));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_cover_the_screen_without_overlap() {
        for (width, height) in [(72, 24), (80, 24), (100, 40), (237, 81)] {
            for has_source in [false, true] {
                let screen = Rect::new(0, 0, width, height);
                let places = places(screen, PaneName::Warps, has_source);
                assert_eq!(places.panes.len(), if has_source { 8 } else { 7 });
                let area: u32 = places.panes.iter().map(|(_, area)| area.area()).sum();
                assert_eq!(area, u32::from(width) * u32::from(height - 3));
                for (name, area) in &places.panes {
                    assert!(
                        area.height >= 3 && area.width >= 20,
                        "{name:?} at {width}x{height}: {area}"
                    );
                    let others = places.panes.iter().filter(|(other, _)| other != name);
                    assert!(others
                        .into_iter()
                        .all(|(_, other)| area.intersection(*other).is_empty()));
                }
            }
        }
    }

    #[test]
    fn a_small_screen_shows_one_pane() {
        for (width, height) in [(20, 10), (71, 50), (100, 23), (1, 1), (0, 0)] {
            let screen = Rect::new(0, 0, width, height);
            let places = places(screen, PaneName::Lanes, true);
            assert_eq!(places.panes.len(), 1);
            let (name, area) = places.panes[0];
            assert_eq!((name, area.height), (PaneName::Lanes, height.saturating_sub(3)));
            assert_eq!(area.intersection(screen), area);
        }
    }
}
