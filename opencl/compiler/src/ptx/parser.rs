//! Parser of modules and functions.

use super::ast::{File, Function, Item, Linkage, Module, Section, Space, Span};
use super::cursor::Cursor;
use super::error::{Error, ErrorKind, Fault};
use super::lexer::TokenKind;
use super::statement::{block, directive, parameters, pragma, variables};

/// Parses PTX.
///
/// The time is linear in the text's length.
///
/// # Errors
/// The first syntax error in the text. Unknown mnemonics are not errors.
pub fn parse(text: &str) -> Result<Module<'_>, Error> {
    if u32::try_from(text.len()).is_err() {
        let span = Span {
            line: 1,
            column: 1,
            ..Span::default()
        };
        return Err(Fault::new(span, ErrorKind::Long).within(""));
    }
    let mut module = Module::default();
    let mut cursor = Cursor::new(text);
    while cursor.token.kind != TokenKind::End {
        item(&mut cursor, &mut module).map_err(|fault| fault.within(text))?;
    }
    Ok(module)
}

/// Parses a directive, a variable or a function.
fn item<'t>(cursor: &mut Cursor<'t>, module: &mut Module<'t>) -> Result<(), Fault> {
    let start = cursor.token.span;
    match cursor.dot() {
        Some("version") => {
            cursor.advance();
            module.version = Some(version(cursor)?);
        }
        Some("target") => {
            cursor.advance();
            module.target.push(cursor.name("a target such as `sm_20`")?);
            while cursor.eat(b',') {
                module.target.push(cursor.name("a target such as `sm_20`")?);
            }
        }
        Some("address_size") => {
            cursor.advance();
            module.address_size = Some(cursor.small("32 or 64")?);
        }
        Some("file") => module.files.push(file(cursor)?),
        Some("section") => module.sections.push(section(cursor)?),
        Some("pragma") => module.items.push(Item::Pragma(pragma(cursor)?)),
        _ => declaration(cursor, module, start)?,
    }
    Ok(())
}

/// Parses a variable or a function.
fn declaration<'t>(cursor: &mut Cursor<'t>, module: &mut Module<'t>, start: Span) -> Result<(), Fault> {
    let linkage = match cursor.token.kind {
        TokenKind::Dot => Linkage::named(cursor.token.text),
        _ => None,
    };
    if linkage.is_some() {
        cursor.advance();
    }
    let given = linkage.is_some();
    let linkage = linkage.unwrap_or_default();
    let word = cursor.dot();
    match (word, word.and_then(Space::named)) {
        (Some("entry"), _) => module
            .items
            .push(Item::Function(function(cursor, start, linkage, true)?)),
        (Some("func"), _) => module
            .items
            .push(Item::Function(function(cursor, start, linkage, false)?)),
        (_, Some(space @ (Space::Const | Space::Global | Space::Shared | Space::Local | Space::Tex))) => {
            variables(cursor, start, linkage, space, |variable| {
                module.items.push(Item::Variable(variable))
            })?;
        }
        _ if given => return Err(cursor.expected("`.entry`, `.func` or the space of a variable")),
        _ => return Err(cursor.expected("a directive, a variable or a function")),
    }
    Ok(())
}

/// Parses a version: two numbers with a dot between them.
fn version(cursor: &mut Cursor<'_>) -> Result<(u32, u32), Fault> {
    let number = match cursor.token.kind {
        TokenKind::Float(_) => cursor.token.text.split_once('.'),
        _ => None,
    };
    let number = number.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    let number = number.ok_or_else(|| cursor.expected("a version such as `4.2`"))?;
    cursor.advance();
    Ok(number)
}

/// Reads `.file 1 "directory" "name", time, size`.
fn file<'t>(cursor: &mut Cursor<'t>) -> Result<File<'t>, Fault> {
    let start = cursor.advance().span;
    let index = cursor.small("the index of a file")?;
    let first = cursor.string("the name of a file")?;
    let (directory, name) = match cursor.token.kind {
        TokenKind::String => (Some(first), cursor.string("the name of a file")?),
        _ => (None, first),
    };
    let time = if cursor.eat(b',') {
        Some(cursor.number("the time of the last change")?)
    } else {
        None
    };
    let size = if cursor.eat(b',') {
        Some(cursor.number("the length in bytes")?)
    } else {
        None
    };
    Ok(File {
        span: start.to(cursor.last),
        index,
        directory,
        name,
        time,
        size,
    })
}

/// Skips the contents of a section.
fn section<'t>(cursor: &mut Cursor<'t>) -> Result<Section<'t>, Fault> {
    let start = cursor.advance().span;
    if cursor.token.kind != TokenKind::Dot && !cursor.at_word() {
        return Err(cursor.expected("the name of a section"));
    }
    let name = cursor.advance().text;
    cursor.open("`{`")?;
    while !cursor.at(b'}') {
        match cursor.token.kind {
            TokenKind::End | TokenKind::Bad(_) | TokenKind::Punctuation(b'{') => {
                return Err(cursor.expected("`}` at the end of the section"));
            }
            _ => cursor.advance(),
        };
    }
    let end = cursor.close("`}`")?;
    Ok(Section {
        span: start.to(end),
        name,
    })
}

/// Parses a kernel or a function, from `.entry` or `.func` on.
fn function<'t>(cursor: &mut Cursor<'t>, start: Span, linkage: Linkage, entry: bool) -> Result<Function<'t>, Fault> {
    cursor.advance();
    let returns = if entry { Vec::new() } else { parameters(cursor)? };
    let name = cursor.name("the name of a function")?;
    let parameters = parameters(cursor)?;
    let mut directives = Vec::new();
    while let Some(word) = cursor.dot() {
        if word == "pragma" {
            directives.push(pragma(cursor)?);
        } else if begins_item(word) {
            break;
        } else {
            directives.push(directive(cursor)?);
        }
    }
    let span = start.to(cursor.last);
    let body = if cursor.at(b'{') {
        Some(block(cursor)?)
    } else {
        cursor.expect(b';', "`{` or `;`")?;
        None
    };
    Ok(Function {
        span,
        linkage,
        entry,
        name,
        returns,
        parameters,
        directives,
        body,
    })
}

/// True if this word with its dot begins an item, so that it cannot be a directive of the function before it.
fn begins_item(word: &str) -> bool {
    matches!(
        word,
        "version"
            | "target"
            | "address_size"
            | "file"
            | "section"
            | "visible"
            | "extern"
            | "weak"
            | "internal"
            | "common"
            | "entry"
            | "func"
    ) || Space::named(word).is_some()
}
