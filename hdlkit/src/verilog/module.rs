//! A module: its text, its requirements, and the outputs that follow inputs within a cycle.

use super::group::versions;
use super::handwritten::is_clocked;
use super::names::Namer;
use super::parts::ChildModule;
use super::writer::Writer;
use crate::kernel::resolve::Table;
use crate::kernel::scope::Scope;
use crate::kernel::unroll::{unroll, Problem, Unrolled};
use rust_hdl_core::ast::Verilog;
use rust_hdl_core::atom::AtomKind;
use std::collections::HashMap;

/// The message for a block without a kernel.
pub(crate) const NO_KERNEL: &str = "has no kernel: hdlkit's #[hdl_gen] or an hdl() of its own is missing";

/// A module's ports and body, without its name.
pub(crate) struct Body {
    /// `(\n ports \n);` and everything up to `endmodule`.
    pub text: String,
    /// Text of black boxes that this module needs.
    pub external: Vec<String>,
    /// Inputs and outputs (by key) with a path between them within a cycle; a superset.
    pub paths: Vec<(String, String)>,
}

/// The module of `scope`, given the modules of its children that are not registers. `own_registers`: as in
/// [`ExportOptions`](super::ExportOptions::own_registers).
pub(crate) fn body(
    scope: &Scope,
    parts: &HashMap<usize, ChildModule>,
    own_registers: bool,
) -> Result<Body, Vec<Problem>> {
    let mut table = Table::new(scope);
    let mut problems = vec![];
    let mut kernel = None;
    if let Some(code) = &scope.kernel {
        let Unrolled {
            statements,
            problems: found,
            ..
        } = unroll(scope, &mut table, code);
        problems = found;
        kernel = Some(versions(statements, &mut table));
    }
    let mut writer = Writer {
        scope,
        names: vec![],
        temporaries: vec![],
        variants: HashMap::new(),
        namer: Namer::default(),
        problems,
        paths: vec![],
        table: &table,
        own_registers,
    };
    let text = match &scope.hdl {
        _ if kernel.is_some() => writer.kernel(kernel.unwrap_or_default(), parts),
        Verilog::Custom(code) => writer.custom(code, false),
        Verilog::Wrapper(wrapper) => writer.custom(&wrapper.code, true),
        Verilog::Blackbox(_) => String::new(),
        Verilog::Empty | Verilog::Combinatorial(_) => {
            writer.problem("", NO_KERNEL);
            String::new()
        }
    };
    if !writer.problems.is_empty() {
        return Err(writer.problems);
    }
    let external = match &scope.hdl {
        Verilog::Wrapper(wrapper) => vec![wrapper.cores.clone()],
        Verilog::Blackbox(black_box) => vec![black_box.code.clone()],
        _ => vec![],
    };
    let paths = match &scope.hdl {
        _ if scope.kernel.is_some() => writer.paths,
        Verilog::Custom(code) if is_clocked(code) => vec![],
        _ => {
            let of = |kind: AtomKind| scope.atoms.iter().filter(move |a| a.kind == kind);
            let outputs = |from: &str| {
                of(AtomKind::OutputParameter)
                    .map(|to| (from.to_string(), to.key.clone()))
                    .collect::<Vec<_>>()
            };
            of(AtomKind::InputParameter)
                .filter(|from| !from.clock)
                .flat_map(|from| outputs(&from.key))
                .collect()
        }
    };
    Ok(Body { text, external, paths })
}
