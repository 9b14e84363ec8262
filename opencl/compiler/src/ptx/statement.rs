//! Parser of declarations, instructions and blocks.

use super::ast::{
    Block, Directive, Guard, Inlined, Instruction, Linkage, Location, Modifier, Name, Opcode, Operand, OperandKind,
    Parameter, Pointer, Prototype, RegisterName, Registers, Space, Span, Statement, Targets, Type, Variable,
};
use super::cursor::Cursor;
use super::error::Fault;
use super::lexer::TokenKind;
use super::names::vector;
use super::operand::{initialiser, operand, scalar};

/// The part of a declaration between space and name.
struct Shape {
    alignment: Option<u32>,
    ty: Type,
    vector: u8,
}

/// Reads `.align 4 .v2 .f32`.
fn shape(cursor: &mut Cursor<'_>) -> Result<Shape, Fault> {
    let mut alignment = None;
    let mut components = 1;
    loop {
        let word = cursor.dot();
        if let Some(ty) = word.and_then(Type::named) {
            cursor.advance();
            return Ok(Shape {
                alignment,
                ty,
                vector: components,
            });
        }
        if let Some(count) = word.and_then(vector) {
            cursor.advance();
            components = count;
        } else if cursor.eat_dot("align") {
            alignment = Some(power_of_two(cursor)?);
        } else {
            return Err(cursor.expected("a type such as `.b32`"));
        }
    }
}

/// Reads an alignment.
fn power_of_two(cursor: &mut Cursor<'_>) -> Result<u32, Fault> {
    let expected = "an alignment: a power of two";
    let fault = cursor.expected(expected);
    let alignment = cursor.small(expected)?;
    if alignment.is_power_of_two() {
        Ok(alignment)
    } else {
        Err(fault)
    }
}

/// Reads `[4][]`.
fn dimensions(cursor: &mut Cursor<'_>) -> Result<Vec<Option<u64>>, Fault> {
    let mut dimensions = Vec::new();
    while cursor.eat(b'[') {
        if cursor.eat(b']') {
            dimensions.push(None);
        } else {
            dimensions.push(Some(cursor.number("a number of elements or `]`")?));
            cursor.expect(b']', "`]`")?;
        }
    }
    Ok(dimensions)
}

/// Parses a declaration of variables from its space to its semicolon, and passes each variable to `each`.
pub(super) fn variables<'t>(
    cursor: &mut Cursor<'t>,
    start: Span,
    linkage: Linkage,
    space: Space,
    mut each: impl FnMut(Variable<'t>),
) -> Result<(), Fault> {
    cursor.advance();
    let Shape { alignment, ty, vector } = shape(cursor)?;
    loop {
        let name = cursor.name("the name of a variable")?;
        let dimensions = dimensions(cursor)?;
        let initialiser = if cursor.eat(b'=') {
            Some(initialiser(cursor)?)
        } else {
            None
        };
        let span = start.to(cursor.last);
        let complete = initialiser.is_some();
        each(Variable {
            span,
            linkage,
            space,
            alignment,
            ty,
            vector,
            name,
            dimensions,
            initialiser,
        });
        if cursor.eat(b',') {
            continue;
        }
        cursor.expect(b';', if complete { "`,` or `;`" } else { "`[`, `=`, `,` or `;`" })?;
        return Ok(());
    }
}

/// Parses parameters with their parentheses; none if there are no parentheses.
pub(super) fn parameters<'t>(cursor: &mut Cursor<'t>) -> Result<Vec<Parameter<'t>>, Fault> {
    let mut parameters = Vec::new();
    if !cursor.eat(b'(') || cursor.eat(b')') {
        return Ok(parameters);
    }
    loop {
        parameters.push(parameter(cursor)?);
        if cursor.eat(b',') {
            continue;
        }
        cursor.expect(b')', "`,` or `)`")?;
        return Ok(parameters);
    }
}

/// Reads `.param .u32 .ptr .global .align 4 name`.
fn parameter<'t>(cursor: &mut Cursor<'t>) -> Result<Parameter<'t>, Fault> {
    let start = cursor.token.span;
    let space = match cursor.dot() {
        Some("param") => Space::Param,
        Some("reg") => Space::Reg,
        _ => return Err(cursor.expected("a parameter: `.param` or `.reg`")),
    };
    cursor.advance();
    let Shape { alignment, ty, vector } = shape(cursor)?;
    let pointer = if cursor.eat_dot("ptr") {
        let space = cursor.dot().and_then(Space::named);
        if space.is_some() {
            cursor.advance();
        }
        let alignment = if cursor.eat_dot("align") {
            Some(power_of_two(cursor)?)
        } else {
            None
        };
        Some(Pointer { space, alignment })
    } else {
        None
    };
    let name = cursor.name("the name of a parameter")?;
    let dimensions = dimensions(cursor)?;
    let span = start.to(cursor.last);
    Ok(Parameter {
        span,
        space,
        alignment,
        ty,
        vector,
        pointer,
        name,
        dimensions,
    })
}

/// Reads a directive with numbers or strings, such as `.maxntid 64, 1, 1`.
pub(super) fn directive<'t>(cursor: &mut Cursor<'t>) -> Result<Directive<'t>, Fault> {
    let start = cursor.token.span;
    let Some(name) = cursor.dot() else {
        return Err(cursor.expected("a directive"));
    };
    cursor.advance();
    let mut directive = Directive {
        span: start,
        name,
        values: Vec::new(),
        strings: Vec::new(),
    };
    loop {
        match cursor.token.kind {
            TokenKind::Integer(_) => directive.values.push(cursor.number("a number")?),
            TokenKind::String => directive.strings.push(cursor.string("a string")?),
            _ if directive.values.is_empty() && directive.strings.is_empty() => break,
            _ => return Err(cursor.expected("a number or a string")),
        }
        if !cursor.eat(b',') {
            break;
        }
    }
    directive.span = start.to(cursor.last);
    Ok(directive)
}

/// Reads `.pragma "text";`
pub(super) fn pragma<'t>(cursor: &mut Cursor<'t>) -> Result<Directive<'t>, Fault> {
    let directive = directive(cursor)?;
    if directive.strings.is_empty() {
        return Err(cursor.expected("a string"));
    }
    cursor.expect(b';', "`;`")?;
    Ok(directive)
}

/// Reads a block with its braces.
pub(super) fn block<'t>(cursor: &mut Cursor<'t>) -> Result<Block<'t>, Fault> {
    let start = cursor.open("`{`")?;
    let mut statements = Vec::new();
    while !cursor.at(b'}') {
        statement(cursor, &mut statements)?;
    }
    let end = cursor.close("`}`")?;
    Ok(Block {
        span: start.to(end),
        statements,
    })
}

/// Parses a statement. A declaration of several names, or a call with labels inside, becomes several statements.
fn statement<'t>(cursor: &mut Cursor<'t>, statements: &mut Vec<Statement<'t>>) -> Result<(), Fault> {
    let expected = "an instruction, a declaration, a label or `}`";
    match cursor.token.kind {
        TokenKind::Punctuation(b';') => {
            cursor.advance();
        }
        TokenKind::Punctuation(b'{') => statements.push(Statement::Block(block(cursor)?)),
        TokenKind::Punctuation(b'@') => instruction(cursor, statements)?,
        TokenKind::Word if cursor.before(b':') => label(cursor, statements)?,
        TokenKind::Word => instruction(cursor, statements)?,
        TokenKind::Dot => {
            let start = cursor.token.span;
            let word = cursor.dot().unwrap_or("");
            match (word, Space::named(word)) {
                ("reg", _) => statements.push(Statement::Registers(registers(cursor)?)),
                ("loc", _) => statements.push(Statement::Location(location(cursor)?)),
                ("pragma", _) => statements.push(Statement::Pragma(pragma(cursor)?)),
                (_, Some(space)) => variables(cursor, start, Linkage::Internal, space, |variable| {
                    statements.push(Statement::Variable(variable));
                })?,
                _ => return Err(cursor.expected(expected)),
            }
        }
        _ => return Err(cursor.expected(expected)),
    }
    Ok(())
}

/// Reads `.reg .b32 %r<12>, %SP;`
fn registers<'t>(cursor: &mut Cursor<'t>) -> Result<Registers<'t>, Fault> {
    let start = cursor.advance().span;
    let Shape { ty, vector, .. } = shape(cursor)?;
    let mut names = Vec::new();
    loop {
        let name = cursor.name("the name of a register")?;
        let count = if cursor.eat(b'<') {
            let count = cursor.small("a number of registers")?;
            cursor.expect(b'>', "`>`")?;
            Some(count)
        } else {
            None
        };
        names.push(RegisterName { name, count });
        if cursor.eat(b',') {
            continue;
        }
        let expected = if count.is_some() {
            "`,` or `;`"
        } else {
            "`<`, `,` or `;`"
        };
        let end = cursor.expect(b';', expected)?;
        return Ok(Registers {
            span: start.to(end),
            ty,
            vector,
            names,
        });
    }
}

/// Parses a label, and the list after it, if there is one.
fn label<'t>(cursor: &mut Cursor<'t>, statements: &mut Vec<Statement<'t>>) -> Result<(), Fault> {
    let label = cursor.name("a label")?;
    cursor.expect(b':', "`:`")?;
    match cursor.dot() {
        Some("branchtargets") => statements.push(Statement::BranchTargets(targets(cursor, label)?)),
        Some("calltargets") => statements.push(Statement::CallTargets(targets(cursor, label)?)),
        Some("callprototype") => {
            cursor.advance();
            let returns = parameters(cursor)?;
            cursor.name("`_`")?;
            let parameters = parameters(cursor)?;
            let mut directives = Vec::new();
            while cursor.dot().is_some() {
                directives.push(directive(cursor)?);
            }
            let end = cursor.expect(b';', "`;`")?;
            let span = label.span.to(end);
            statements.push(Statement::CallPrototype(Prototype {
                span,
                label,
                returns,
                parameters,
                directives,
            }));
        }
        _ => statements.push(Statement::Label(label)),
    }
    Ok(())
}

/// Reads `.branchtargets a, b;`
fn targets<'t>(cursor: &mut Cursor<'t>, label: Name<'t>) -> Result<Targets<'t>, Fault> {
    cursor.advance();
    let mut targets = Vec::new();
    loop {
        targets.push(cursor.name("a name")?);
        if cursor.eat(b',') {
            continue;
        }
        let end = cursor.expect(b';', "`,` or `;`")?;
        return Ok(Targets {
            span: label.span.to(end),
            label,
            targets,
        });
    }
}

/// Reads `.loc 1 5 3, function_name name+4, inlined_at 1 9 4`.
fn location<'t>(cursor: &mut Cursor<'t>) -> Result<Location<'t>, Fault> {
    let start = cursor.advance().span;
    let [file, line, column] = place(cursor)?;
    let inlined = if cursor.at(b',') {
        cursor.advance();
        keyword(cursor, "function_name", "`function_name`")?;
        let function = cursor.name("the label of a function's name")?;
        let offset = if cursor.eat(b'+') {
            i64::from(cursor.small("a number of bytes")?)
        } else {
            0
        };
        cursor.expect(b',', "`,`")?;
        keyword(cursor, "inlined_at", "`inlined_at`")?;
        let [file, line, column] = place(cursor)?;
        Some(Inlined {
            function,
            offset,
            file,
            line,
            column,
        })
    } else {
        None
    };
    Ok(Location {
        span: start.to(cursor.last),
        file,
        line,
        column,
        inlined,
    })
}

/// Reads a file's index, a line and a column.
fn place(cursor: &mut Cursor<'_>) -> Result<[u32; 3], Fault> {
    Ok([
        cursor.small("the index of a file")?,
        cursor.small("a line")?,
        cursor.small("a column")?,
    ])
}

/// Consumes this word.
fn keyword(cursor: &mut Cursor<'_>, word: &str, expected: &'static str) -> Result<(), Fault> {
    if cursor.token.text != word {
        return Err(cursor.expected(expected));
    }
    cursor.advance();
    Ok(())
}

/// Reads an instruction to its semicolon.
fn instruction<'t>(cursor: &mut Cursor<'t>, statements: &mut Vec<Statement<'t>>) -> Result<(), Fault> {
    let start = cursor.token.span;
    let guard = if cursor.eat(b'@') {
        let negated = cursor.eat(b'!');
        Some(Guard {
            predicate: cursor.name("a predicate")?,
            negated,
        })
    } else {
        None
    };
    let opcode = opcode(cursor)?;
    let mut operands = Vec::new();
    strays(cursor, statements)?;
    if !cursor.at(b';') {
        loop {
            operands.push(if cursor.at(b'(') {
                arguments(cursor, statements)?
            } else {
                operand(cursor)?
            });
            strays(cursor, statements)?;
            if !cursor.eat(b',') {
                break;
            }
            strays(cursor, statements)?;
        }
    }
    let end = cursor.expect(
        b';',
        if operands.is_empty() {
            "an operand or `;`"
        } else {
            "`,` or `;`"
        },
    )?;
    statements.push(Statement::Instruction(Instruction {
        span: start.to(end),
        guard,
        opcode,
        operands,
    }));
    Ok(())
}

/// Reads a mnemonic with its modifiers.
fn opcode<'t>(cursor: &mut Cursor<'t>) -> Result<Opcode<'t>, Fault> {
    let text = cursor.token.text;
    if !cursor.at_word() || !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Err(cursor.expected("the name of an instruction"));
    }
    let span = cursor.advance().span;
    let mut words = text.split('.');
    let base = words.next().unwrap_or(text);
    Ok(Opcode {
        span,
        text,
        base,
        modifiers: words.map(Modifier::named).collect(),
    })
}

/// Parses labels and `.loc` that clang writes into the middle of a call.
fn strays<'t>(cursor: &mut Cursor<'t>, statements: &mut Vec<Statement<'t>>) -> Result<(), Fault> {
    loop {
        if cursor.at_label() {
            statements.push(Statement::Label(cursor.name("a label")?));
            cursor.advance();
        } else if cursor.dot() == Some("loc") {
            statements.push(Statement::Location(location(cursor)?));
        } else {
            return Ok(());
        }
    }
}

/// Reads a call's list in parentheses.
fn arguments<'t>(cursor: &mut Cursor<'t>, statements: &mut Vec<Statement<'t>>) -> Result<Operand<'t>, Fault> {
    let start = cursor.expect(b'(', "`(`")?;
    let mut operands = Vec::new();
    strays(cursor, statements)?;
    if !cursor.at(b')') {
        loop {
            operands.push(scalar(cursor, "an argument: a name or a number")?);
            strays(cursor, statements)?;
            if !cursor.eat(b',') {
                break;
            }
            strays(cursor, statements)?;
        }
    }
    let end = cursor.expect(
        b')',
        if operands.is_empty() {
            "an argument or `)`"
        } else {
            "`,` or `)`"
        },
    )?;
    Ok(Operand {
        span: start.to(end),
        kind: OperandKind::Arguments(operands),
    })
}
