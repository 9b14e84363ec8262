//! Parser of operands and initial values.

use super::ast::{Address, Base, Float, Initialiser, InitialiserKind, Integer, Name, Operand, OperandKind, Span};
use super::cursor::Cursor;
use super::error::Fault;
use super::lexer::TokenKind;
use super::names::{component, is_special};

/// A number with its sign.
enum Number {
    Integer(Integer),
    Float(Float),
}

impl Float {
    /// The float with the opposite sign.
    fn negated(self) -> Float {
        match self {
            Float::Single(bits) => Float::Single(bits ^ 1 << 31),
            Float::Double(bits) => Float::Double(bits ^ 1 << 63),
        }
    }
}

/// Reads a number that may have a sign.
fn number(cursor: &mut Cursor<'_>, expected: &'static str) -> Result<Number, Fault> {
    let negative = cursor.at(b'-');
    if negative || cursor.at(b'+') {
        cursor.advance();
    }
    let number = match cursor.token.kind {
        TokenKind::Integer(integer) => Number::Integer(Integer { negative, ..integer }),
        TokenKind::Float(float) => Number::Float(if negative { float.negated() } else { float }),
        _ => return Err(cursor.expected(expected)),
    };
    cursor.advance();
    Ok(number)
}

/// True if a number begins here.
fn at_number(cursor: &Cursor<'_>) -> bool {
    matches!(
        cursor.token.kind,
        TokenKind::Integer(_) | TokenKind::Float(_) | TokenKind::Punctuation(b'-' | b'+')
    )
}

/// Parses `+4`, `-4`, `+-4` if it is there.
fn offset(cursor: &mut Cursor<'_>) -> Result<i64, Fault> {
    if !cursor.at(b'+') && !cursor.at(b'-') {
        return Ok(0);
    }
    let start = cursor.token.span;
    let mut negative = cursor.at(b'-');
    cursor.advance();
    if cursor.eat(b'-') {
        negative = !negative;
    }
    absolute(cursor, start, negative, "a number of bytes")
}

/// Parses a number of bytes that fits 64 bits with its sign.
fn absolute(cursor: &mut Cursor<'_>, start: Span, negative: bool, expected: &'static str) -> Result<i64, Fault> {
    let text = cursor.token.text;
    let magnitude = i128::from(cursor.number(expected)?);
    let value = if negative { -magnitude } else { magnitude };
    i64::try_from(value).map_err(|_| cursor.large(text, start.to(cursor.last), 64))
}

/// Reads `(symbol+4)` after `generic`.
fn generic<'t>(cursor: &mut Cursor<'t>) -> Result<(Name<'t>, i64), Fault> {
    cursor.expect(b'(', "`(`")?;
    let symbol = cursor.name("the name of a variable")?;
    let inner = offset(cursor)?;
    cursor.expect(b')', "`)`")?;
    let outer = offset(cursor)?;
    Ok((symbol, inner.saturating_add(outer)))
}

/// Reads an operand.
pub(super) fn operand<'t>(cursor: &mut Cursor<'t>) -> Result<Operand<'t>, Fault> {
    let start = cursor.token.span;
    let kind = match cursor.token.kind {
        TokenKind::Punctuation(b'{') => {
            cursor.advance();
            OperandKind::Vector(list(cursor, b'}', "`,` or `}`")?)
        }
        TokenKind::Punctuation(b'[') => {
            cursor.advance();
            memory(cursor)?
        }
        _ => return scalar(cursor, "an operand"),
    };
    Ok(Operand {
        span: start.to(cursor.last),
        kind,
    })
}

/// Parses scalars with commas between them, to the closing bracket.
fn list<'t>(cursor: &mut Cursor<'t>, close: u8, expected: &'static str) -> Result<Vec<Operand<'t>>, Fault> {
    let mut operands = Vec::new();
    if cursor.eat(close) {
        return Ok(operands);
    }
    loop {
        operands.push(scalar(cursor, "a register, a symbol or a number")?);
        if cursor.eat(b',') {
            continue;
        }
        cursor.expect(close, expected)?;
        return Ok(operands);
    }
}

/// Parses an operand that is neither a vector nor an address.
pub(super) fn scalar<'t>(cursor: &mut Cursor<'t>, expected: &'static str) -> Result<Operand<'t>, Fault> {
    let start = cursor.token.span;
    if at_number(cursor) {
        let kind = match number(cursor, "a number")? {
            Number::Integer(integer) => OperandKind::Integer(integer),
            Number::Float(float) => OperandKind::Float(float),
        };
        return Ok(Operand {
            span: start.to(cursor.last),
            kind,
        });
    }
    let kind = word(cursor, expected)?;
    let first = Operand {
        span: start.to(cursor.last),
        kind,
    };
    if !cursor.eat(b'|') {
        return Ok(first);
    }
    let start_of_second = cursor.token.span;
    let kind = word(cursor, "the second of two registers")?;
    let second = Operand {
        span: start_of_second.to(cursor.last),
        kind,
    };
    Ok(Operand {
        span: start.to(cursor.last),
        kind: OperandKind::Pair(Box::new([first, second])),
    })
}

/// Parses an operand that is a name.
fn word<'t>(cursor: &mut Cursor<'t>, expected: &'static str) -> Result<OperandKind<'t>, Fault> {
    let negated = cursor.eat(b'!');
    let name = cursor.name(if negated { "a predicate" } else { expected })?.text;
    if name.starts_with('%') {
        return Ok(if is_special(name) && !negated {
            OperandKind::Special(name)
        } else if let (Some((name, index)), false) = (component(name), negated) {
            OperandKind::Component { name, index }
        } else {
            OperandKind::Register { name, negated }
        });
    }
    if negated {
        return Ok(OperandKind::Symbol {
            name,
            offset: 0,
            negated,
        });
    }
    if name == "_" {
        return Ok(OperandKind::Sink);
    }
    if name == "generic" && cursor.at(b'(') {
        let (symbol, offset) = generic(cursor)?;
        return Ok(OperandKind::Generic {
            name: symbol.text,
            offset,
        });
    }
    if let Some((name, index)) = component(name) {
        return Ok(OperandKind::Component { name, index });
    }
    let offset = offset(cursor)?;
    Ok(OperandKind::Symbol { name, offset, negated })
}

/// Parses an address in square brackets, from after the opening one.
fn memory<'t>(cursor: &mut Cursor<'t>) -> Result<OperandKind<'t>, Fault> {
    let start = cursor.token.span;
    let address = if at_number(cursor) {
        let negative = cursor.at(b'-');
        if negative || cursor.at(b'+') {
            cursor.advance();
        }
        let offset = absolute(cursor, start, negative, "an address")?;
        Address {
            base: Base::None,
            offset,
        }
    } else {
        let name = cursor.name("an address: a register, a symbol or a number")?.text;
        let base = if name.starts_with('%') {
            Base::Register(name)
        } else {
            Base::Symbol(name)
        };
        Address {
            base,
            offset: offset(cursor)?,
        }
    };
    if cursor.eat(b']') {
        return Ok(OperandKind::Address(address));
    }
    if !cursor.at(b',') {
        return Err(cursor.expected("`]`, or `+` and a number of bytes"));
    }
    let kind = OperandKind::Address(address);
    let mut operands = vec![Operand {
        span: start.to(cursor.last),
        kind,
    }];
    while cursor.eat(b',') {
        let start = cursor.token.span;
        if cursor.eat(b'{') {
            let kind = OperandKind::Vector(list(cursor, b'}', "`,` or `}`")?);
            operands.push(Operand {
                span: start.to(cursor.last),
                kind,
            });
        } else {
            operands.push(scalar(cursor, "a sampler or coordinates in braces")?);
        }
    }
    cursor.expect(b']', "`,` or `]`")?;
    Ok(OperandKind::AddressList(operands))
}

/// Reads an initial value.
pub(super) fn initialiser<'t>(cursor: &mut Cursor<'t>) -> Result<Initialiser<'t>, Fault> {
    let start = cursor.token.span;
    let kind = if cursor.at(b'{') {
        cursor.open("`{`")?;
        let mut values = Vec::new();
        while !cursor.at(b'}') {
            values.push(initialiser(cursor)?);
            if !cursor.eat(b',') {
                break;
            }
        }
        cursor.close("`,` or `}`")?;
        InitialiserKind::List(values)
    } else if at_number(cursor) {
        match number(cursor, "a number")? {
            Number::Integer(mask) if cursor.at(b'(') && !mask.negative => {
                cursor.advance();
                let mut kind = symbol(cursor)?;
                cursor.expect(b')', "`)`")?;
                if let InitialiserKind::Address { mask: masked, .. } = &mut kind {
                    *masked = Some(mask.magnitude);
                }
                kind
            }
            Number::Integer(integer) => InitialiserKind::Integer(integer),
            Number::Float(float) => InitialiserKind::Float(float),
        }
    } else {
        symbol(cursor)?
    };
    Ok(Initialiser {
        span: start.to(cursor.last),
        kind,
    })
}

/// Reads a variable's address as an initial value.
fn symbol<'t>(cursor: &mut Cursor<'t>) -> Result<InitialiserKind<'t>, Fault> {
    let symbol = cursor.name("an initial value: a number, a symbol or a list in braces")?;
    let generic_address = symbol.text == "generic" && cursor.at(b'(');
    let (symbol, offset) = if generic_address {
        generic(cursor)?
    } else {
        (symbol, offset(cursor)?)
    };
    Ok(InitialiserKind::Address {
        symbol,
        offset,
        generic: generic_address,
        mask: None,
    })
}
