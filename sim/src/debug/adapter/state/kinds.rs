//! The kinds of breakpoints, and what may stop a kernel without one.

use serde_json::{json, Value};

/// Something that may stop a kernel without a breakpoint.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::debug::adapter) struct ExceptionFilter {
    /// Its name in requests.
    pub id: &'static str,
    /// Its name for people.
    pub label: &'static str,
    description: &'static str,
    /// The console's command; empty for what always stops.
    command: &'static str,
}

impl ExceptionFilter {
    /// For the client.
    pub fn described(&self) -> Value {
        json!({
            "filter": self.id,
            "label": self.label,
            "description": self.description,
            "default": self.command.is_empty(),
            "supportsCondition": !self.command.is_empty(),
            "conditionDescription": "as R5[*] > 3",
        })
    }
}

/// All of them.
pub(in crate::debug::adapter) const FILTERS: [ExceptionFilter; 3] = [
    ExceptionFilter {
        id: "divergence",
        label: "Divergent branch",
        description: "stop after a branch, BRK, RET or KIL of a part of a warp's threads",
        command: "stop-at-divergence",
    },
    ExceptionFilter {
        id: "barrier",
        label: "Barrier",
        description: "stop after a barrier instruction",
        command: "stop-at-barrier",
    },
    ExceptionFilter {
        id: "error",
        label: "Error of the kernel",
        description: "a kernel that fails always stops",
        command: "",
    },
];

/// The kinds of breakpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::debug::adapter) enum Kind {
    Source,
    Instruction,
    Function,
    Data,
    Exception(&'static ExceptionFilter),
}

impl Kind {
    /// Why a session has stopped at one, as the protocol names it.
    pub fn reason(self) -> &'static str {
        match self {
            Kind::Source => "breakpoint",
            Kind::Instruction => "instruction breakpoint",
            Kind::Function => "function breakpoint",
            Kind::Data => "data breakpoint",
            Kind::Exception(_) => "exception",
        }
    }
}

/// A breakpoint of the client, and its point.
#[derive(Clone, Copy, Debug)]
pub(in crate::debug::adapter) struct Placed {
    pub kind: Kind,
    pub point: u32,
}
