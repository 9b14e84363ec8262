//! The divergence stack of a warp.
//!
//! When threads of a warp diverge, one path runs and the other waits here, as do callers of a subroutine and threads in
//! a loop with breaks. The rules are defined by the machine's contract (`docs/machine.md`, "Divergence"); this module
//! is only the stack, the warp keeps its active mask and PC.

use flexgrip_machine::sizes::STACK_ENTRIES;
use flexgrip_machine::{Entry, EntryKind};

/// A push onto a full stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

/// A thread broke without a break entry in its subroutine or in the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Underflow;

/// The threads that have left the warp's path, as masks with bit = lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gone {
    /// The threads that have exited.
    pub exited: u32,
    /// The threads that have returned to the caller of their subroutine.
    pub returned: u32,
    /// The threads that have broken out of a loop.
    pub broken: u32,
}

impl Gone {
    /// All of these threads.
    pub const fn threads(self) -> u32 {
        self.exited | self.returned | self.broken
    }
}

/// The state in which a warp continues after a pop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resume {
    /// The new active mask.
    pub active: u32,
    /// The new PC as a byte address; `None`: after the popping instruction.
    pub pc: Option<u32>,
}

/// A warp's divergence stack, at most [`STACK_ENTRIES`] entries deep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DivergenceStack {
    entries: Vec<Entry>,
    /// The number of call entries.
    calls: usize,
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

    /// The number of calls in progress.
    pub fn calls(&self) -> usize {
        self.calls
    }

    /// Pushes `entry`.
    ///
    /// # Errors
    /// [`Overflow`] if the stack is full; the stack is then unchanged.
    pub fn push(&mut self, entry: Entry) -> Result<(), Overflow> {
        if self.entries.len() >= STACK_ENTRIES {
            return Err(Overflow);
        }
        self.calls += usize::from(entry.kind == EntryKind::Call);
        self.entries.push(entry);
        Ok(())
    }

    /// Pops to reconverge: the effect of a `.S` marker after its instruction. A call or a break entry on top stays.
    ///
    /// `active` is the mask that the instruction ran with, `threads` all threads of the warp. Each popped entry is
    /// passed to `popped`.
    pub fn pop_joining(&mut self, gone: Gone, active: u32, threads: u32, mut popped: impl FnMut(Entry)) -> Resume {
        let gone = gone.threads();
        while let Some(&entry) = self.entries.last() {
            if matches!(entry.kind, EntryKind::Call | EntryKind::Break) {
                return Resume { active, pc: None };
            }
            self.entries.pop();
            popped(entry);
            let active = entry.mask & !gone;
            if entry.kind == EntryKind::Join {
                return Resume { active, pc: None };
            }
            if active != 0 {
                let pc = Some(entry.pc);
                return Resume { active, pc };
            }
        }
        Resume {
            active: threads & !gone,
            pc: None,
        }
    }

    /// Pops because all threads of the current path have left. Returns `None` if the stack is empty: the warp has
    /// ended.
    ///
    /// Threads with a popped call or break entry are removed from `gone`: they continue there. Each popped entry is
    /// passed to `popped`.
    ///
    /// # Errors
    /// [`Underflow`] if a thread broke and the pop reaches its call or the bottom before a break entry.
    pub fn pop_all_left(
        &mut self,
        gone: &mut Gone,
        mut popped: impl FnMut(Entry),
    ) -> Result<Option<Resume>, Underflow> {
        while let Some(entry) = self.entries.pop() {
            popped(entry);
            let pc = match entry.kind {
                EntryKind::Diverged => entry.pc,
                // The waiting threads have already run the join instruction, a long one.
                EntryKind::Join => entry.pc.wrapping_add(8),
                EntryKind::Break => {
                    gone.broken &= !entry.mask;
                    entry.pc
                }
                EntryKind::Call => {
                    if gone.broken & entry.mask != 0 {
                        return Err(Underflow);
                    }
                    gone.returned &= !entry.mask;
                    self.calls = self.calls.saturating_sub(1);
                    entry.pc
                }
            };
            let active = entry.mask & !gone.threads();
            if active != 0 {
                return Ok(Some(Resume { active, pc: Some(pc) }));
            }
        }
        if gone.broken != 0 {
            return Err(Underflow);
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn entry(kind: EntryKind, mask: u32, pc: u32) -> Entry {
        Entry { kind, mask, pc }
    }

    const fn exited(exited: u32) -> Gone {
        Gone {
            exited,
            returned: 0,
            broken: 0,
        }
    }

    #[test]
    fn join_runs_the_other_side_then_reconverges() {
        let mut stack = DivergenceStack::new();
        stack.push(entry(EntryKind::Join, 0xff, 0x40)).unwrap();
        stack.push(entry(EntryKind::Diverged, 0x0f, 0x20)).unwrap();
        let mut popped = vec![];
        assert_eq!(
            stack.pop_joining(Gone::default(), 0xf0, 0xffff, |e| popped.push(e)),
            Resume {
                active: 0x0f,
                pc: Some(0x20)
            }
        );
        assert_eq!(
            stack.pop_joining(Gone::default(), 0xf0, 0xffff, |e| popped.push(e)),
            Resume { active: 0xff, pc: None }
        );
        assert_eq!(
            stack.pop_joining(exited(0x1), 0xf0, 0xffff, |e| popped.push(e)),
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
            stack.pop_joining(exited(0x0f), 0xf0, 0xff, |_| count += 1),
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
            stack.pop_all_left(&mut exited(0x30), |_| {}),
            Ok(Some(Resume {
                active: 0x0f,
                pc: Some(0x20)
            }))
        );
        assert_eq!(
            stack.pop_all_left(&mut exited(0x30), |_| {}),
            Ok(Some(Resume {
                active: 0xcf,
                pc: Some(0x48)
            }))
        );
        assert_eq!(stack.pop_all_left(&mut exited(0xff), |_| {}), Ok(None));
        stack.push(entry(EntryKind::Join, 0xff, 0x40)).unwrap();
        assert_eq!(stack.pop_all_left(&mut exited(0xff), |_| {}), Ok(None));
    }

    #[test]
    fn joining_leaves_calls_and_breaks_where_they_are() {
        for kind in [EntryKind::Call, EntryKind::Break] {
            let mut stack = DivergenceStack::new();
            stack.push(entry(kind, 0xff, 0x40)).unwrap();
            // The waiting path has exited: the next entry decides.
            stack.push(entry(EntryKind::Diverged, 0x0f, 0x20)).unwrap();
            let mut popped = vec![];
            assert_eq!(
                stack.pop_joining(exited(0x0f), 0xf0, 0xffff, |e| popped.push(e.kind)),
                Resume { active: 0xf0, pc: None }
            );
            assert_eq!(popped, [EntryKind::Diverged]);
            assert_eq!(stack.entries(), [entry(kind, 0xff, 0x40)]);
        }
    }

    #[test]
    fn calls_and_breaks_resume_their_threads() {
        let mut stack = DivergenceStack::new();
        stack.push(entry(EntryKind::Call, 0xff, 0x40)).unwrap();
        stack.push(entry(EntryKind::Break, 0xff, 0x80)).unwrap();
        assert_eq!(stack.calls(), 1);
        let mut gone = Gone {
            exited: 0x01,
            returned: 0x06,
            broken: 0xf8,
        };
        let resume = stack.pop_all_left(&mut gone, |_| {});
        assert_eq!(
            resume,
            Ok(Some(Resume {
                active: 0xf8,
                pc: Some(0x80)
            }))
        );
        assert_eq!((gone.exited, gone.returned, gone.broken), (0x01, 0x06, 0));
        gone.returned = 0xfe;
        let resume = stack.pop_all_left(&mut gone, |_| {});
        assert_eq!(
            resume,
            Ok(Some(Resume {
                active: 0xfe,
                pc: Some(0x40)
            }))
        );
        assert_eq!((gone, stack.calls()), (exited(0x01), 0));
    }

    #[test]
    fn break_without_entry_is_detected() {
        let broken = Gone {
            broken: 2,
            ..Gone::default()
        };
        let mut stack = DivergenceStack::new();
        assert_eq!(stack.pop_all_left(&mut broken.clone(), |_| {}), Err(Underflow));
        stack.push(entry(EntryKind::Break, 3, 0x40)).unwrap();
        stack.push(entry(EntryKind::Call, 3, 0x20)).unwrap();
        assert_eq!(stack.pop_all_left(&mut broken.clone(), |_| {}), Err(Underflow));
    }

    #[test]
    fn the_thirty_third_push_fails() {
        let mut stack = DivergenceStack::new();
        for _ in 0..STACK_ENTRIES {
            stack.push(entry(EntryKind::Join, 1, 0)).unwrap();
        }
        assert_eq!(stack.push(entry(EntryKind::Join, 1, 0)), Err(Overflow));
        assert_eq!(stack.entries().len(), STACK_ENTRIES);
    }
}
