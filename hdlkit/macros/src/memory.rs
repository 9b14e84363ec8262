//! A memory's ports in a kernel: the calls that are replaced by assignments to them.

use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Block, Expr, ExprMethodCall, Ident, Stmt};

/// Replaces the calls in a kernel.
#[derive(Default)]
pub struct MemoryPorts {
    /// Assignments to insert before the current statement.
    before: Vec<Stmt>,
}

/// True for a call of a part, such as a memory, with this number of arguments: `self.part.call(..)`, not
/// `self.call(..)`.
fn is_of_part(call: &ExprMethodCall, arguments: usize) -> bool {
    fn begins_with_self(of: &Expr) -> bool {
        match of {
            Expr::Path(path) => path.path.is_ident("self"),
            Expr::Field(field) => begins_with_self(&field.base),
            Expr::Index(index) => begins_with_self(&index.expr),
            _ => false,
        }
    }
    let of_part = matches!(&*call.receiver, Expr::Field(_) | Expr::Index(_)) && begins_with_self(&call.receiver);
    of_part && call.args.len() == arguments
}

/// The assignments of a call that is a statement.
fn assignments(statement: &Stmt) -> Option<Vec<Stmt>> {
    let Stmt::Expr(Expr::MethodCall(call), Some(_)) = statement else {
        return None;
    };
    let ports: &[&str] = match call.method.to_string().as_str() {
        "write" => &["write_enable", "write_address", "write_data"],
        "fetch" => &["read_enable", "read_address"],
        _ => return None,
    };
    is_of_part(call, ports.len()).then(|| {
        let memory = &call.receiver;
        let assign = |(port, value): (&&str, &Expr)| -> Stmt {
            let port = Ident::new(port, call.method.span());
            parse_quote!(#memory.#port.next = #value;)
        };
        ports.iter().zip(&call.args).map(assign).collect()
    })
}

impl VisitMut for MemoryPorts {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let outer = std::mem::take(&mut self.before);
        for mut statement in std::mem::take(&mut block.stmts) {
            visit_mut::visit_stmt_mut(self, &mut statement);
            block.stmts.append(&mut self.before);
            match assignments(&statement) {
                Some(assignments) => block.stmts.extend(assignments),
                None => block.stmts.push(statement),
            }
        }
        self.before = outer;
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        let Expr::MethodCall(call) = expression else {
            return;
        };
        let name = call.method.to_string();
        let Some(port) = name.strip_prefix("read").filter(|port| ["", "_1", "_2"].contains(port)) else {
            return;
        };
        if is_of_part(call, 1) {
            let port = |of: &str| Ident::new(&format!("{of}{port}"), call.method.span());
            let (memory, place, address, data) =
                (&call.receiver, &call.args[0], port("read_address"), port("read_data"));
            self.before.push(parse_quote!(#memory.#address.next = #place;));
            *expression = parse_quote!(#memory.#data.val());
        }
    }
}
