//! PTX as clang writes it, and as it may be written: parsed, printed and parsed again.
//!
//! Each `ptx/NAME.cl` begins with the command that made `NAME.ptx` of it, run in that folder. `NAME.clang14.ptx` and
//! `NAME.clang22.ptx` are made by the same command of clang 14 and 22.

use flexgrip_compiler::ptx::ast::{Block, Function, Item, Module, Statement};
use flexgrip_compiler::ptx::parse;
use std::path::{Path, PathBuf};

mod ptx {
    mod errors;
    mod features;
    mod fuzz;
}

/// The module, or a panic with the error.
fn module(text: &str) -> Module<'_> {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The tree as text, without places.
fn shape(module: &Module<'_>) -> String {
    let debug = format!("{module:?}");
    let mut shape = String::with_capacity(debug.len());
    let mut rest = debug.as_str();
    while let Some((before, after)) = rest.split_once("span: @") {
        shape.push_str(before);
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ':' | '+'));
    }
    shape + rest
}

/// Parsing the printed text gives the same tree and the same text.
fn round_trip(text: &str) {
    let first = module(text);
    let printed = first.to_string();
    let second = parse(&printed).unwrap_or_else(|error| panic!("{error}\nin what was printed:\n{printed}"));
    assert_eq!(shape(&first), shape(&second), "{printed}");
    assert_eq!(printed, second.to_string());
}

/// Files of clang's output, with their contents.
fn files() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ptx"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

fn functions<'a, 't>(module: &'a Module<'t>) -> impl Iterator<Item = &'a Function<'t>> {
    module.items.iter().filter_map(|item| match item {
        Item::Function(function) => Some(function),
        _ => None,
    })
}

/// Instructions and labels, with those of blocks within.
fn count(block: &Block<'_>) -> (usize, usize) {
    block
        .statements
        .iter()
        .fold((0, 0), |(instructions, labels), statement| match statement {
            Statement::Instruction(_) => (instructions + 1, labels),
            Statement::Label(_) => (instructions, labels + 1),
            Statement::Block(block) => {
                let (inner, inner_labels) = count(block);
                (instructions + inner, labels + inner_labels)
            }
            _ => (instructions, labels),
        })
}

/// Instructions and labels of clang's output, counted without a parser: lines of functions that end in `;` or `:`. A call
/// may have its semicolon and labels in later lines, inline assembly several instructions in a line.
fn counted(text: &str) -> (usize, usize) {
    let (mut instructions, mut labels, mut inside) = (0, 0, false);
    for whole in text.lines() {
        let line = whole.split("//").next().unwrap_or("").trim();
        match line {
            "{" if whole == "{" => inside = true,
            // That of a function is in the first column.
            "}" if whole == "}" => inside = false,
            _ if line.starts_with('.') => {}
            // `{ .reg .b32 t; mov.b64 {t, %r1}, %rd1; }`
            _ if inside && line.starts_with('{') => {
                let pieces = line.trim_matches(['{', '}', ' ']).split(';').map(str::trim);
                instructions += pieces
                    .filter(|piece| !piece.is_empty() && !piece.starts_with(".reg"))
                    .count();
            }
            _ if inside && line.ends_with(';') => instructions += 1,
            _ if inside && line.ends_with(':') => labels += 1,
            _ => {}
        }
    }
    (instructions, labels)
}

#[test]
fn what_clang_writes() {
    let files = files();
    assert!(files.len() >= 36, "{} files", files.len());
    for (path, text) in &files {
        let module = parse(text).unwrap_or_else(|error| panic!("{}:{error}", path.display()));
        assert_eq!(module.address_size, Some(32), "{}", path.display());
        assert_eq!(
            module.target.first().map(|name| name.text),
            Some("sm_20"),
            "{}",
            path.display()
        );
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        let kernels = functions(&module).filter(|function| function.entry).count();
        assert_eq!(kernels, text.matches(".entry ").count(), "{name}");
        assert!(kernels > 0, "{name}");
        let nested = name.starts_with("call") || name.starts_with("recursion") || name.contains("clang22");
        if !nested && name != "assembly.ptx" && name != "image.ptx" {
            let bodies = functions(&module).filter_map(|function| function.body.as_ref());
            let found = bodies
                .map(count)
                .fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
            assert_eq!(found, counted(text), "{name}");
        }
        round_trip(text);
    }
}

/// Every span is the text that it claims, by line and column.
#[test]
fn spans_are_places() {
    for (path, text) in &files() {
        let lines: Vec<&str> = text.split('\n').collect();
        for function in functions(&module(text)) {
            let name = function.name;
            let at = lines[name.span.line as usize - 1]
                .chars()
                .skip(name.span.column as usize - 1);
            let found: String = at.take(name.span.length as usize).collect();
            assert_eq!(found, name.text, "{}", path.display());
            for statement in function.body.iter().flat_map(|body| &body.statements) {
                let Statement::Instruction(instruction) = statement else {
                    continue;
                };
                let span = instruction.span;
                let written = &text[span.offset as usize..(span.offset + span.length) as usize];
                assert!(
                    written.ends_with(';') && written.contains(instruction.opcode.text),
                    "`{written}`"
                );
                let line = lines[instruction.opcode.span.line as usize - 1];
                let column = instruction.opcode.span.column as usize - 1;
                assert!(
                    line[column..].starts_with(instruction.opcode.text),
                    "{}: `{line}`",
                    path.display()
                );
                for operand in &instruction.operands {
                    let span = operand.span;
                    let written = &text[span.offset as usize..(span.offset + span.length) as usize];
                    assert_eq!(written, written.trim(), "{}", path.display());
                    assert!(!written.is_empty() && !written.contains(';'), "`{written}`");
                }
            }
        }
    }
}

/// A debugger's tables are skipped, the files that `.loc` names are not.
#[test]
fn lines_of_the_source() {
    let (_, text) = files()
        .into_iter()
        .find(|(path, _)| path.ends_with("matrix.ptx"))
        .expect("matrix.ptx");
    let module = module(&text);
    assert_eq!(module.files.len(), 2);
    assert!(module.files.iter().any(|file| file.name == "matrix.cl"));
    assert!(module.sections.iter().any(|section| section.name == ".debug_info"));
    let kernel = functions(&module).find(|function| function.entry).expect("a kernel");
    let statements = kernel.body.iter().flat_map(|body| &body.statements);
    let lines: Vec<u32> = statements
        .filter_map(|statement| match statement {
            Statement::Location(location) => Some(location.line),
            _ => None,
        })
        .collect();
    // The kernel is in lines 2 to 8 of its file.
    assert!(
        (2..=8).all(|line| line == 4 || line == 5 || lines.contains(&line)),
        "{lines:?}"
    );
}
