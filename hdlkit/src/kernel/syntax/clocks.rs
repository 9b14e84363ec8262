//! The statements that `#[circuit]` implies: the contents of `dff_setup!` and `clock!`, for all parts with a clock.

use crate::circuit::Clocks;
use crate::kernel::syntax::{Block, Expression, Form, Statement};

/// Inserts the connections of the clock, and the default values of registers, before a kernel's first statement.
pub(crate) fn connect(clocks: &Clocks, kernel: &mut Block) {
    let signal = |name: String| Expression::Signal(name);
    let assign = |target: String, value: String| Statement {
        place: None,
        form: Form::Assign(signal(target), signal(value)),
    };
    let written = written(kernel);
    let pieces = clocks.parts.iter().filter_map(|part| {
        let name = &part.name;
        let mut piece = vec![assign(format!("{name}$clock$next"), clocks.clock.to_string())];
        if part.register {
            piece.push(assign(format!("{name}$d$next"), format!("{name}$q")));
        }
        piece.retain(|statement| !target(statement).is_some_and(|target| written.iter().any(|known| known == target)));
        // One piece for each part: the lint counts the statements of a piece.
        (!piece.is_empty()).then_some(Statement {
            place: None,
            form: Form::Piece(piece),
        })
    });
    let pieces: Block = pieces.collect();
    kernel.splice(0..0, pieces);
}

/// The signal on the left of an assignment.
fn target(statement: &Statement) -> Option<&str> {
    match &statement.form {
        Form::Assign(Expression::Signal(name), _) => Some(name),
        _ => None,
    }
}

/// The signals that `dff_setup!` and `clock!` at the kernel's beginning already assign: a block may still have them.
fn written(kernel: &Block) -> Vec<String> {
    let beginning = kernel.iter().map_while(|statement| match &statement.form {
        Form::Piece(piece) => Some(&piece[..]),
        Form::Comment(_) => Some(&[]),
        _ => None,
    });
    let targets = beginning.flatten().filter_map(target);
    targets.map(ToString::to_string).collect()
}
