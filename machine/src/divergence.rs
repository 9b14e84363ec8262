//! The divergence stack as records show it: pushes and pops.

use std::fmt;

/// The reason for an entry on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// Pushed by SSY: the threads that reconverge, and the address where.
    Join,
    /// Pushed by a divergent BRA: the threads that did not take it.
    Diverged,
    /// Pushed by CAL: the calling threads, and their return address.
    Call,
    /// Pushed by PBK: the threads that may break, and the address that they break to.
    Break,
}

impl EntryKind {
    /// All kinds.
    pub const ALL: [EntryKind; 4] = [EntryKind::Join, EntryKind::Diverged, EntryKind::Call, EntryKind::Break];

    /// The name used in traces.
    pub const fn name(self) -> &'static str {
        match self {
            EntryKind::Join => "join",
            EntryKind::Diverged => "diverged",
            EntryKind::Call => "call",
            EntryKind::Break => "break",
        }
    }
}

/// One entry of a divergence stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The reason for the push.
    pub kind: EntryKind,
    /// The entry's threads, bit = lane. Threads that have left since then are still in the mask.
    pub mask: u32,
    /// Byte address of the join instruction, or of the instruction where the threads continue.
    pub pc: u32,
}

/// One change of a divergence stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StackOperation {
    /// The entry was pushed.
    Push(Entry),
    /// The entry was popped.
    Pop(Entry),
}

impl fmt::Display for StackOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, Entry { kind, mask, pc }) = match self {
            StackOperation::Push(entry) => ("push", entry),
            StackOperation::Pop(entry) => ("pop", entry),
        };
        let kind = kind.name();
        write!(f, "{verb}({kind} {mask:08x} {pc:04x})")
    }
}
