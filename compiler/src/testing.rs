//! Small kernels for the tests of single passes.

use crate::ir::Function;
use crate::ptx::ast::Item;
use crate::ptx::parse;

/// The function of a kernel `k(out, n)` with this body; registers %r0 to %r19 and %p0 to %p9.
pub(crate) fn function(body: &str) -> Function {
    let text = format!(
        ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k(.param .u32 out, .param .u32 n) {{\n\
         .reg .pred %p<10>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n{body}\n}}\n"
    );
    let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let kernel = module.items.iter().find_map(|item| match item {
        Item::Function(function) => Some(function),
        _ => None,
    });
    let function =
        crate::ir::build::build(&module, kernel.expect("a kernel")).unwrap_or_else(|error| panic!("{error}"));
    crate::ir::verify::verify(&function).unwrap_or_else(|error| panic!("{error}"));
    function
}
