//! The kinds of breakpoints, and the exception filters, which stop a kernel without a breakpoint.

use serde_json::{json, Value};

/// An event that may stop a kernel without a breakpoint.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::debug::adapter) struct ExceptionFilter {
    /// The name in requests.
    pub id: &'static str,
    /// The name for people.
    pub label: &'static str,
    description: &'static str,
    /// The console's command; empty for an event that always stops.
    command: &'static str,
}

impl ExceptionFilter {
    /// The filter as described to the client.
    pub fn described(&self) -> Value {
        json!({
            "filter": self.id,
            "label": self.label,
            "description": self.description,
            "default": self.command.is_empty(),
            "supportsCondition": !self.command.is_empty(),
            "conditionDescription": "such as R5[*] > 3",
        })
    }
}

/// All exception filters.
pub(in crate::debug::adapter) const FILTERS: [ExceptionFilter; 3] = [
    ExceptionFilter {
        id: "divergence",
        label: "Divergent branch",
        description: "stop after a branch, BRK, RET or KIL that only some of a warp's threads take",
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
        label: "Kernel error",
        description: "the session always stops at an error of the kernel",
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
    /// The reason of a stop at such a breakpoint, in the protocol's words.
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

/// A breakpoint of the client, and its number in the session.
#[derive(Clone, Copy, Debug)]
pub(in crate::debug::adapter) struct Placed {
    pub kind: Kind,
    pub point: u32,
}
