//! The divergence stack as others see it: what is pushed and popped.

use std::fmt;

/// Why an entry waits on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// Pushed by SSY: the threads that meet again, and where.
    Join,
    /// Pushed by a divergent BRA: the threads that did not take it.
    Diverged,
    /// Pushed by CAL: the threads that called, and where they return to.
    Call,
    /// Pushed by PBK: the threads that may break, and where they break to.
    Break,
}

impl EntryKind {
    /// All of them.
    pub const ALL: [EntryKind; 4] = [EntryKind::Join, EntryKind::Diverged, EntryKind::Call, EntryKind::Break];

    /// As traces show it.
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
    /// Why it was pushed.
    pub kind: EntryKind,
    /// The threads it stands for, bit = lane. Threads that have left since are still in it.
    pub mask: u32,
    /// Byte address: of the join instruction, or where the threads go on.
    pub pc: u32,
}

/// One change of a divergence stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StackOperation {
    /// The entry came on top.
    Push(Entry),
    /// The entry left the top.
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
