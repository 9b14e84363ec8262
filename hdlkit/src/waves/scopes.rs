//! Paths of a circuit's scopes, and suggestions in place of one that does not exist.

use super::locals::{CircuitLocals, LocalSignal};
use crate::circuit::{Structure, Visitor};
use crate::kernel::syntax::source_text::pretty;
use rust_hdl_core::atom::Atom;
use std::collections::BTreeSet;
use std::fmt;

/// True if `path` is `chosen` or inside it.
pub(super) fn is_in(path: &str, chosen: &str) -> bool {
    path.strip_prefix(chosen)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// A scope that the design does not have, and suggestions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownScope {
    /// The requested scope.
    pub scope: String,
    /// The longest existing prefix; empty if there is none.
    pub known: String,
    /// The nearest matches in that prefix.
    pub nearest: Vec<String>,
}

impl UnknownScope {
    /// `paths`: all existing paths.
    pub(crate) fn new(scope: &str, paths: &[String]) -> Self {
        let holds = |known: &str| paths.iter().any(|path| path != known && is_in(path, known));
        let mut ends = scope.rmatch_indices(['.', '[']).map(|(at, _)| &scope[..at]);
        let known = ends.find(|known| holds(known));
        let known = known.unwrap_or_default();
        // The text after `known`, up to the next scope.
        let next = |path: &str| {
            let rest = &path[known.len()..];
            let rest = rest.strip_prefix('.').unwrap_or(rest);
            rest[..rest.find('.').unwrap_or(rest.len())].to_string()
        };
        let inside: BTreeSet<String> = paths
            .iter()
            .filter(|path| known.is_empty() || (is_in(path, known) && *path != known))
            .map(|path| next(path))
            .collect();
        let wanted = next(scope);
        let alike = |name: &String| name.chars().zip(wanted.chars()).take_while(|(a, b)| a == b).count();
        let most = inside.iter().map(alike).max().unwrap_or(0);
        UnknownScope {
            scope: scope.into(),
            known: known.into(),
            nearest: inside.into_iter().filter(|name| alike(name) == most).collect(),
        }
    }
}

impl fmt::Display for UnknownScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the design has no scope or signal `{}`; expected ", self.scope)?;
        let nearest = self.nearest.join(", ");
        match self.known.as_str() {
            "" => write!(f, "a path that begins with {nearest}"),
            known => write!(f, "something in `{known}` such as {nearest}"),
        }
    }
}

impl std::error::Error for UnknownScope {}

/// The paths of all signals, such as `top.sm[0].idle.q`, in visiting order, and then of all locals of kernels: the
/// order of `hdlkit_compiled::Code`.
pub fn paths(block: &dyn Structure) -> Vec<String> {
    let mut paths = Paths::default();
    block.visit("top", &mut paths);
    let locals = CircuitLocals::of(block, "top").signals;
    paths
        .found
        .into_iter()
        .chain(locals.iter().map(LocalSignal::path))
        .collect()
}

/// Collects the paths of all signals.
#[derive(Default)]
struct Paths {
    open: Vec<String>,
    found: Vec<String>,
}

impl Visitor for Paths {
    fn start_block(&mut self, name: &str, _block: &dyn Structure) {
        self.open.push(pretty(name));
    }
    fn start_bundle(&mut self, name: &str) {
        self.open.push(pretty(name));
    }
    fn atom(&mut self, name: &str, _atom: &dyn Atom) {
        self.found.push(format!("{}.{}", self.open.join("."), pretty(name)));
    }
    fn end_bundle(&mut self) {
        self.open.pop();
    }
    fn end_block(&mut self) {
        self.open.pop();
    }
}
