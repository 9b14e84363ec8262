//! Small kernels for the tests of single passes.

use crate::ir::Function;
use crate::lower::{lower, predicates};
use crate::machine_ir::Code;
use crate::ptx::ast::Item;
use crate::ptx::parse;

/// Builds a kernel `k(out, n)` with this body. It declares registers %r0 to %r19, %p0 to %p9, %rd0 to %rd8 and %f0 to
/// %f9.
pub(crate) fn function(body: &str) -> Function {
    let mut function = unresolved(body);
    crate::passes::spaces::resolve(&mut function).unwrap_or_else(|error| panic!("{error}"));
    function
}

/// Builds a kernel as [`function`], without address space inference. `out` is a pointer to global memory.
pub(crate) fn unresolved(body: &str) -> Function {
    let text = format!(
        ".version 4.2\n.target sm_20\n.address_size 32\n\
         .visible .entry k(.param .u32 .ptr .global .align 4 out, .param .u32 n) {{\n\
         .reg .pred %p<10>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<10>;\n{body}\n}}\n"
    );
    let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let kernel = module.items.iter().find_map(|item| match item {
        Item::Function(function) => Some(function),
        _ => None,
    });
    let layout = crate::ir::variables::layout(&module);
    let function = crate::ir::build::build(&module, kernel.expect("a kernel"), &layout, &crate::Options::default())
        .unwrap_or_else(|error| panic!("{error}"));
    crate::ir::verify::verify(&function).unwrap_or_else(|error| panic!("{error}"));
    function
}

/// Lowers such a kernel to machine IR, before register allocation.
pub(crate) fn code(body: &str) -> Code {
    let mut code = lower(&function(body)).unwrap_or_else(|error| panic!("{error}"));
    predicates::assign(&mut code);
    crate::registers::drop_dead(&mut code);
    code
}
