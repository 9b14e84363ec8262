//! The divergence stack of a warp.
//!
//! Where threads of a warp go different ways, one way runs and the other waits here. The rules are those of the machine's
//! contract (`docs/machine.md`, "Divergence"); this module is only the stack, the warp keeps its active mask and PC.

use std::fmt;

/// The number of entries that a warp's stack holds.
pub const DEPTH: usize = 32;

/// Why an entry waits on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// Pushed by SSY: the threads that meet again, and where.
    Join,
    /// Pushed by a divergent BRA: the threads that did not take it.
    Diverged,
}

/// One entry of a divergence stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Why it was pushed.
    pub kind: EntryKind,
    /// The threads it stands for, bit = lane. Threads that have exited since are still in it.
    pub mask: u32,
    /// Byte address: of the join instruction, or where the diverged threads go on.
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
        let kind = match kind {
            EntryKind::Join => "join",
            EntryKind::Diverged => "diverged",
        };
        write!(f, "{verb}({kind} {mask:08x} {pc:04x})")
    }
}

/// A push onto a full stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

/// Where a warp goes on after a pop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resume {
    /// The new active mask.
    pub active: u32,
    /// The new PC as a byte address; `None`: behind the instruction that popped.
    pub pc: Option<u32>,
}

/// A warp's divergence stack, at most [`DEPTH`] entries deep.
#[derive(Clone, Debug, Default)]
pub struct DivergenceStack {
    entries: Vec<Entry>,
}

impl DivergenceStack {
    /// An empty stack.
    pub fn new() -> Self {
        Self::default()
    }

    /// The entries, the top one last.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Puts `entry` on top.
    ///
    /// # Errors
    /// [`Overflow`] if the stack is full; it is unchanged then.
    pub fn push(&mut self, entry: Entry) -> Result<(), Overflow> {
        if self.entries.len() >= DEPTH {
            return Err(Overflow);
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Pops for joining: what a `.S` marker does after its instruction.
    ///
    /// `gone` holds the threads that have exited, `threads` all threads of the warp. Each popped entry goes to `popped`.
    pub fn pop_joining(&mut self, gone: u32, threads: u32, mut popped: impl FnMut(Entry)) -> Resume {
        while let Some(entry) = self.entries.pop() {
            popped(entry);
            let active = entry.mask & !gone;
            match entry.kind {
                EntryKind::Join => return Resume { active, pc: None },
                EntryKind::Diverged if active != 0 => {
                    return Resume {
                        active,
                        pc: Some(entry.pc),
                    }
                }
                EntryKind::Diverged => {}
            }
        }
        Resume {
            active: threads & !gone,
            pc: None,
        }
    }

    /// Pops because all threads of the current path have left. `None`: nothing waits, the warp has ended.
    ///
    /// `gone` holds the threads that have exited. Each popped entry goes to `popped`.
    pub fn pop_all_left(&mut self, gone: u32, mut popped: impl FnMut(Entry)) -> Option<Resume> {
        while let Some(entry) = self.entries.pop() {
            popped(entry);
            let active = entry.mask & !gone;
            if active == 0 {
                continue;
            }
            let pc = match entry.kind {
                EntryKind::Diverged => entry.pc,
                // The waiting threads have run the join instruction, a long one, already.
                EntryKind::Join => entry.pc.wrapping_add(8),
            };
            return Some(Resume { active, pc: Some(pc) });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn entry(kind: EntryKind, mask: u32, pc: u32) -> Entry {
        Entry { kind, mask, pc }
    }

    #[test]
    fn joining_takes_the_other_side_then_the_join() {
        let mut stack = DivergenceStack::new();
        stack.push(entry(EntryKind::Join, 0xff, 0x40)).unwrap();
        stack.push(entry(EntryKind::Diverged, 0x0f, 0x20)).unwrap();
        let mut popped = vec![];
        assert_eq!(
            stack.pop_joining(0, 0xffff, |e| popped.push(e)),
            Resume {
                active: 0x0f,
                pc: Some(0x20)
            }
        );
        assert_eq!(
            stack.pop_joining(0, 0xffff, |e| popped.push(e)),
            Resume { active: 0xff, pc: None }
        );
        assert_eq!(
            stack.pop_joining(0x1, 0xffff, |e| popped.push(e)),
            Resume {
                active: 0xfffe,
                pc: None
            }
        );
        assert_eq!(
            popped,
            [
                entry(EntryKind::Diverged, 0x0f, 0x20),
                entry(EntryKind::Join, 0xff, 0x40)
            ]
        );
    }

    #[test]
    fn joining_skips_sides_whose_threads_have_exited() {
        let mut stack = DivergenceStack::new();
        stack.push(entry(EntryKind::Join, 0xff, 0x40)).unwrap();
        stack.push(entry(EntryKind::Diverged, 0x0f, 0x20)).unwrap();
        let mut count = 0;
        assert_eq!(
            stack.pop_joining(0x0f, 0xff, |_| count += 1),
            Resume { active: 0xf0, pc: None }
        );
        assert_eq!(count, 2);
    }

    #[test]
    fn all_left_resumes_waiting_threads_behind_the_join() {
        let mut stack = DivergenceStack::new();
        stack.push(entry(EntryKind::Join, 0xff, 0x40)).unwrap();
        stack.push(entry(EntryKind::Diverged, 0x0f, 0x20)).unwrap();
        stack.push(entry(EntryKind::Diverged, 0x30, 0x28)).unwrap();
        assert_eq!(
            stack.pop_all_left(0x30, |_| {}),
            Some(Resume {
                active: 0x0f,
                pc: Some(0x20)
            })
        );
        assert_eq!(
            stack.pop_all_left(0x30, |_| {}),
            Some(Resume {
                active: 0xcf,
                pc: Some(0x48)
            })
        );
        assert_eq!(stack.pop_all_left(0xff, |_| {}), None);
        stack.push(entry(EntryKind::Join, 0xff, 0x40)).unwrap();
        assert_eq!(stack.pop_all_left(0xff, |_| {}), None);
    }

    #[test]
    fn the_thirty_third_push_fails() {
        let mut stack = DivergenceStack::new();
        for _ in 0..DEPTH {
            stack.push(entry(EntryKind::Join, 1, 0)).unwrap();
        }
        assert_eq!(stack.push(entry(EntryKind::Join, 1, 0)), Err(Overflow));
        assert_eq!(stack.entries().len(), DEPTH);
    }
}
