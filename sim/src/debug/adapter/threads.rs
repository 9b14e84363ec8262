//! Warps as threads, their stacks, and the numbers of everything that a client refers to.

use crate::debug::adapter::arguments::{Source, StackTrace};
use crate::debug::adapter::requests::Adapter;
use crate::debug::target::{Register, Waits, WarpId, WarpState};
use flexgrip_machine::EntryKind;
use serde_json::{json, Value};
use std::collections::HashMap;
use std::path::Path;

/// Numbers of warps for a block: more than any block has.
const WARPS: i64 = 32;
/// The thread that stands for the grid when no warp is on an SM.
pub(super) const GRID: i64 = 1;
/// Number of the first warp's thread.
const FIRST: i64 = 2;

/// A warp's thread.
pub(super) fn thread(id: WarpId) -> i64 {
    FIRST + i64::from(id.block) * WARPS + i64::from(id.warp)
}

/// A thread's warp; `None` for the grid's.
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

/// Something that a client may look into.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// A frame: the warp, none for the grid's, and how many calls are above it.
    Frame(Option<WarpId>, usize),
    /// The registers of a lane.
    Lane(WarpId, u8),
    /// A register of a lane, in other types.
    Types(WarpId, u8, Register),
    /// All registers, each with its lanes.
    Lanes(WarpId),
    /// A register's lanes.
    LanesOf(WarpId, Register),
    /// The condition codes of a lane.
    Conditions(WarpId, u8),
    /// The address registers of a lane.
    Addresses(WarpId, u8),
    /// What a warp has besides.
    Warp(WarpId),
    /// Its divergence stack.
    Stack(WarpId),
    /// Its instructions under way.
    InFlight(WarpId),
    /// The memories that a lane sees.
    Memories(WarpId, u8),
    /// The signals whose path begins with this; all if it is empty.
    Signals(String),
}

/// Numbers of nodes. They are valid until the kernel runs on; then others take their place, so that an old one is known as
/// such.
#[derive(Debug)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    numbers: HashMap<Node, i64>,
    first: i64,
}

/// The protocol has numbers below 2^31; beyond this, they begin again.
const MOST_NUMBERS: i64 = 1 << 30;

impl Nodes {
    /// None yet.
    pub fn new() -> Self {
        Nodes {
            nodes: Vec::new(),
            numbers: HashMap::new(),
            first: 1,
        }
    }

    /// A node's number.
    pub fn number(&mut self, node: Node) -> i64 {
        let next = self.first + self.nodes.len() as i64;
        *self.numbers.entry(node).or_insert_with_key(|node| {
            self.nodes.push(node.clone());
            next
        })
    }

    /// The node of a number.
    ///
    /// # Errors
    /// There is none, or not any more.
    pub fn get(&self, number: i64) -> Result<Node, String> {
        let index = number
            .checked_sub(self.first)
            .and_then(|index| usize::try_from(index).ok());
        let node = index.and_then(|index| self.nodes.get(index));
        node.cloned()
            .ok_or_else(|| format!("{number} refers to nothing, or to something of before the kernel ran on"))
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.first += self.nodes.len() as i64;
        if self.first > MOST_NUMBERS {
            self.first = 1;
        }
        self.nodes.clear();
        self.numbers.clear();
    }
}

/// Where a warp is: its next instruction, or the one that it waits at.
fn place(warp: &WarpState) -> Option<u32> {
    match (warp.pc, warp.waits) {
        (Some(pc), _) => Some(pc),
        (None, Waits::Barrier { pc, .. } | Waits::Branch { pc } | Waits::Result { pc }) => Some(pc),
        (None, Waits::Turn | Waits::Ended) => None,
    }
}

/// How often a warp has called and not returned.
pub(super) fn calls(warp: &WarpState) -> usize {
    warp.stack.iter().filter(|entry| entry.kind == EntryKind::Call).count()
}

impl Adapter<'_> {
    /// The warps that have not ended.
    pub(super) fn running(&self) -> Vec<WarpState> {
        let warps = self.session().target().warps().into_iter();
        warps.filter(|warp| warp.waits != Waits::Ended).collect()
    }

    /// The thread that a stop is about: the chosen warp's, or that of the grid.
    pub(super) fn chosen_thread(&self) -> i64 {
        let running = self.running();
        let chosen = running.iter().find(|warp| Some(warp.id) == self.session().warp());
        chosen.or(running.first()).map_or(GRID, |warp| thread(warp.id))
    }

    /// Chooses the warp of a thread.
    ///
    /// # Errors
    /// There is no such thread now.
    pub(super) fn choose(&mut self, thread: i64) -> Result<(), String> {
        if let Some(id) = warp(thread)? {
            self.session_mut().set_warp(id).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// `threads`.
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

    /// What there is to say of a grid without warps.
    fn grid(&self) -> &'static str {
        match self.session().target().ending() {
            Some(_) => "the grid has ended",
            None => "the grid: no warp is on an SM",
        }
    }

    /// `stackTrace`.
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

    /// The warp of a frame; none for the grid's.
    ///
    /// # Errors
    /// There is no such frame now.
    pub(super) fn frame_warp(&self, frame: i64) -> Result<Option<WarpId>, String> {
        match self.nodes.get(frame)? {
            Node::Frame(warp, _) => Ok(warp),
            _ => Err(format!("{frame} is no frame")),
        }
    }

    /// Whether a client means the program's source.
    ///
    /// # Errors
    /// It does not; the message says what the source is.
    pub(super) fn check_source(&self, source: &Source) -> Result<(), String> {
        let ours = self.facts.source.as_deref();
        let ours = ours.ok_or("the program has no lines: it was not made from a text")?;
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

/// Whether two paths are those of one file.
fn same_file(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path));
    match (whole(one), whole(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

/// A source, for the client.
pub(super) fn described(path: &Path) -> Value {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    json!({ "name": name, "path": path.to_string_lossy() })
}

/// Labels by address.
#[derive(Debug, Default)]
pub(super) struct Symbols(Vec<(u32, String)>);

impl Symbols {
    /// Those of a program, in order.
    pub fn new(labels: impl Iterator<Item = (u32, String)>) -> Self {
        Symbols(labels.collect())
    }

    /// An address by the label before it: `loop`, `loop+0x8`; the address alone if there is none.
    pub fn name(&self, pc: u32) -> String {
        let before = self.0.partition_point(|(at, _)| *at <= pc);
        match before.checked_sub(1).and_then(|index| self.0.get(index)) {
            None => format!("{pc:#06x}"),
            Some((at, label)) if *at == pc => label.clone(),
            Some((at, label)) => format!("{label}+{:#x}", pc - at),
        }
    }
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

    #[test]
    fn old_numbers_are_known_as_such() {
        let mut nodes = Nodes::new();
        let id = WarpId { block: 0, warp: 0 };
        let number = nodes.number(Node::Lanes(id));
        assert_eq!(nodes.number(Node::Lanes(id)), number);
        let other = nodes.number(Node::Warp(id));
        assert_ne!(other, number);
        assert_eq!(nodes.get(other), Ok(Node::Warp(id)));
        nodes.clear();
        let later = nodes.number(Node::Stack(id));
        assert!(nodes.get(number).is_err() && nodes.get(other).is_err());
        assert_eq!(nodes.get(later), Ok(Node::Stack(id)));
        assert!(nodes.get(0).is_err() && nodes.get(i64::MIN).is_err() && nodes.get(i64::MAX).is_err());
    }

    #[test]
    fn places_have_the_label_before_them() {
        let symbols = Symbols::new([(8, "loop".to_string()), (24, "done".into())].into_iter());
        for (pc, name) in [
            (0, "0x0000"),
            (8, "loop"),
            (12, "loop+0x4"),
            (24, "done"),
            (400, "done+0x178"),
        ] {
            assert_eq!(symbols.name(pc), name);
        }
    }
}
