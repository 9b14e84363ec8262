//! A row for the decoder: flags, and the conditions that make a word of it undefined.

use super::control::Control;
use flexgrip_isa::table::{Role, Row, Slot};

/// The groups of flags, in the order of a row.
pub(super) const GROUPS: [&str; 6] = ["a", "b", "c", "result", "lines", "undefined"];

/// A condition that a word must meet to be an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Check {
    pub name: String,
    pub parts: Vec<(u32, u32)>,
    pub values: Vec<u32>,
}

/// A row for the decoder.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub row: &'static Row,
    /// The operation and lines that the row requests from its unit.
    pub control: Control,
    pub name: String,
    /// The flags by group.
    pub flags: [Vec<String>; GROUPS.len()],
    pub checks: Vec<Check>,
}

impl Entry {
    pub fn fail(&self, what: &str) -> ! {
        panic!("{}: the decoder has no way to {what}", self.row.name)
    }

    pub fn set(&mut self, group: &str, flag: &str) {
        let group = GROUPS.iter().position(|known| *known == group).unwrap_or_else(|| self.fail("group flags so"));
        if !self.flags[group].iter().any(|known| known == flag) {
            self.flags[group].push(flag.into());
        }
    }

    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().flatten().any(|known| known == flag)
    }

    pub fn slot(&self, role: Role) -> Option<&'static Slot> {
        self.row.slots.iter().find(|slot| slot.role == role)
    }
}
