//! Warps as threads, and their call stacks.

use crate::debug::adapter::arguments::{Source, StackTrace};
use crate::debug::adapter::state::nodes::Node;
use crate::debug::adapter::state::Adapter;
use crate::debug::target::{Waits, WarpId, WarpState};
use flexgrip_machine::EntryKind;
use serde_json::{json, Value};
use std::path::Path;

/// Thread numbers reserved for a block, enough for all of its warps.
const WARPS: i64 = 32;
/// The number of the thread that represents the grid when no warp is on an SM.
pub(super) const GRID: i64 = 1;
/// The number of the first warp's thread.
const FIRST: i64 = 2;

/// The thread number of a warp.
pub(super) fn thread(id: WarpId) -> i64 {
    FIRST + i64::from(id.block) * WARPS + i64::from(id.warp)
}

/// The warp of a thread number; `None` for the grid's.
///
/// # Errors
/// No warp can have this number.
pub(super) fn warp(thread: i64) -> Result<Option<WarpId>, String> {
    if thread == GRID {
        return Ok(None);
    }
    let number = thread.checked_sub(FIRST).filter(|number| *number >= 0);
    let block = number.and_then(|number| u32::try_from(number / WARPS).ok());
    let id = block.zip(number).map(|(block, number)| WarpId {
        block,
        warp: (number % WARPS) as u32,
    });
    id.map(Some).ok_or_else(|| format!("there is no thread {thread}"))
}

/// The byte address of a warp's next instruction, or of the instruction at which it waits.
fn place(warp: &WarpState) -> Option<u32> {
    match (warp.pc, warp.waits) {
        (Some(pc), _) => Some(pc),
        (None, Waits::Barrier { pc, .. } | Waits::Branch { pc } | Waits::Result { pc }) => Some(pc),
        (None, Waits::Turn | Waits::Ended) => None,
    }
}

/// The number of a warp's calls that have not returned.
pub(super) fn calls(warp: &WarpState) -> usize {
    warp.stack.iter().filter(|entry| entry.kind == EntryKind::Call).count()
}

impl Adapter<'_> {
    /// The warps that have not ended.
    pub(super) fn running(&self) -> Vec<WarpState> {
        let warps = self.session().target().warps().into_iter();
        warps.filter(|warp| warp.waits != Waits::Ended).collect()
    }

    /// The thread of a stop: the selected warp's, or else the first running warp's, or the grid's.
    pub(super) fn chosen_thread(&self) -> i64 {
        let running = self.running();
        let chosen = running.iter().find(|warp| Some(warp.id) == self.session().warp());
        chosen.or(running.first()).map_or(GRID, |warp| thread(warp.id))
    }

    /// Selects the warp of a thread.
    ///
    /// # Errors
    /// There is no such thread now.
    pub(super) fn choose(&mut self, thread: i64) -> Result<(), String> {
        if let Some(id) = warp(thread)? {
            self.session_mut().set_warp(id).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Handles `threads`.
    pub(super) fn threads(&self) -> Value {
        let mut threads: Vec<Value> = Vec::new();
        for warp in self.running() {
            let waits = match warp.waits {
                Waits::Turn => String::new(),
                waits => format!(", waits for {waits}"),
            };
            let name = format!("warp {} on SM {}{waits}", warp.id, warp.sm);
            threads.push(json!({ "id": thread(warp.id), "name": name }));
        }
        if threads.is_empty() {
            threads.push(json!({ "id": GRID, "name": self.grid() }));
        }
        json!({ "threads": threads })
    }

    /// The description of a grid without warps on SMs.
    fn grid(&self) -> &'static str {
        match self.session().target().ending() {
            Some(_) => "the grid has ended",
            None => "the grid: no warp is resident",
        }
    }

    /// Handles `stackTrace`.
    ///
    /// # Errors
    /// There is no such thread.
    pub(super) fn stack_trace(&mut self, arguments: StackTrace) -> Result<Value, String> {
        let frames = match warp(arguments.thread_id)? {
            None => vec![self.frame(None, 0, None)],
            Some(id) => {
                let warp = self.session().target().warp(id)?;
                let returns = warp.stack.iter().rev().filter(|entry| entry.kind == EntryKind::Call);
                let places = std::iter::once(place(&warp)).chain(returns.map(|entry| Some(entry.pc)));
                let places: Vec<_> = places.enumerate().collect();
                let mut frames = Vec::new();
                for (depth, pc) in places {
                    frames.push(self.frame(Some(id), depth, pc));
                }
                frames
            }
        };
        let count = match arguments.levels {
            0 => usize::MAX,
            levels => levels,
        };
        let total = frames.len();
        let frames: Vec<Value> = frames.into_iter().skip(arguments.start_frame).take(count).collect();
        Ok(json!({ "stackFrames": frames, "totalFrames": total }))
    }

    fn frame(&mut self, warp: Option<WarpId>, depth: usize, pc: Option<u32>) -> Value {
        let id = self.nodes.number(Node::Frame(warp, depth));
        let abilities = self.facts.abilities;
        let mut frame = json!({ "id": id, "line": 0, "column": 0 });
        let Some(pc) = pc else {
            frame["name"] = match warp {
                None => self.grid().into(),
                Some(warp) => format!("warp {warp} has ended").into(),
            };
            frame["presentationHint"] = "label".into();
            return frame;
        };
        frame["name"] = self.facts.symbols.name(pc).into();
        frame["instructionPointerReference"] = format!("{pc:#x}").into();
        let code = self.session().code();
        if let (Some(line), Some(source)) = (code.line(pc), &self.facts.source) {
            frame["line"] = self.facts.line_to_client(line);
            frame["column"] = abilities.first_column.into();
            frame["source"] = described(source);
        }
        frame
    }

    /// The warp of a frame; `None` for the grid's frame.
    ///
    /// # Errors
    /// There is no such frame now.
    pub(super) fn frame_warp(&self, frame: i64) -> Result<Option<WarpId>, String> {
        match self.nodes.get(frame)? {
            Node::Frame(warp, _) => Ok(warp),
            _ => Err(format!("{frame} is not a frame")),
        }
    }

    /// Checks that the source named by a client is the program's source.
    ///
    /// # Errors
    /// The program has a different source, or none. The message names it.
    pub(super) fn check_source(&self, source: &Source) -> Result<(), String> {
        let ours = self.facts.source.as_deref();
        let ours =
            ours.ok_or("the program has no line information: it was not assembled or compiled from source text")?;
        let Some(theirs) = &source.path else {
            let name = source.name.as_deref().unwrap_or_default();
            return Err(format!(
                "the source `{name}` has no path; the program's is {}",
                ours.display()
            ));
        };
        if same_file(ours, theirs) {
            return Ok(());
        }
        Err(format!(
            "{} is not the program's source, which is {}",
            theirs.display(),
            ours.display()
        ))
    }
}

/// True if two paths lead to the same file.
fn same_file(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path));
    match (whole(one), whole(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

/// A source as described to the client.
pub(super) fn described(path: &Path) -> Value {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    json!({ "name": name, "path": path.to_string_lossy() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_warps() {
        for id in [(0, 0), (0, 15), (7, 3), (u32::MAX, 31)] {
            let id = WarpId {
                block: id.0,
                warp: id.1,
            };
            assert_eq!(warp(thread(id)), Ok(Some(id)));
        }
        assert_eq!(warp(GRID), Ok(None));
        for number in [0, -1, i64::MIN, i64::MAX] {
            assert!(warp(number).is_err(), "{number}");
        }
    }
}
