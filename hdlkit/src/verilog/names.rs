//! Identifiers: legal, unique in their module, and the same in every run.

use std::collections::HashSet;

/// Reserved words of Verilog-2005, and the words of SystemVerilog that circuits tend to use.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "always", "and", "assign", "automatic", "begin", "buf", "bufif0", "bufif1", "case", "casex", "casez", "cell",
    "cmos", "config", "deassign", "default", "defparam", "design", "disable", "edge", "else", "end", "endcase",
    "endconfig", "endfunction", "endgenerate", "endmodule", "endprimitive", "endspecify", "endtable", "endtask",
    "event", "for", "force", "forever", "fork", "function", "generate", "genvar", "highz0", "highz1", "if", "ifnone",
    "incdir", "include", "initial", "inout", "input", "instance", "integer", "join", "large", "liblist", "library",
    "localparam", "macromodule", "medium", "module", "nand", "negedge", "nmos", "nor", "noshowcancelled", "not",
    "notif0", "notif1", "or", "output", "parameter", "pmos", "posedge", "primitive", "pull0", "pull1", "pulldown",
    "pullup", "pulsestyle_ondetect", "pulsestyle_onevent", "rcmos", "real", "realtime", "reg", "release", "repeat",
    "rnmos", "rpmos", "rtran", "rtranif0", "rtranif1", "scalared", "showcancelled", "signed", "small", "specify",
    "specparam", "strong0", "strong1", "supply0", "supply1", "table", "task", "time", "tran", "tranif0", "tranif1",
    "tri", "tri0", "tri1", "triand", "trior", "trireg", "unsigned", "use", "uwire", "vectored", "wait", "wand",
    "weak0", "weak1", "while", "wire", "wor", "xnor", "xor",
    "assert", "assume", "before", "bind", "bit", "break", "byte", "class", "clocking", "const", "constraint",
    "context", "continue", "cover", "do", "enum", "export", "expect", "extends", "extern", "final", "global", "iff",
    "import", "inside", "int", "interface", "local", "logic", "longint", "matches", "modport", "new", "null",
    "package", "packed", "priority", "program", "property", "protected", "pure", "rand", "ref", "return", "sequence",
    "shortint", "static", "string", "struct", "super", "tagged", "this", "type", "typedef", "union", "unique", "var",
    "virtual", "void", "with", "within",
];

/// True if Verilog or SystemVerilog reserves the word.
pub(crate) fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// The identifier for `wanted`, if it is free: `$` and illegal characters become `_`, a reserved word gets a `_`.
pub fn identifier(wanted: &str) -> String {
    let mut name: String = wanted
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if is_keyword(&name) {
        name.push('_');
    }
    name
}

/// Unique identifiers in one module (or, for module names, in one file).
#[derive(Default)]
pub struct Namer {
    taken: HashSet<String>,
}

impl Namer {
    /// The identifier for `wanted`, with a number if it is taken.
    pub fn name(&mut self, wanted: &str) -> String {
        let base = identifier(wanted);
        let mut name = base.clone();
        let mut number = 2;
        while self.taken.contains(&name) {
            name = format!("{base}_{number}");
            number += 1;
        }
        self.taken.insert(name.clone());
        name
    }
}

/// `CamelCase` or `snake_case` in upper case: `WaitForData` is `WAIT_FOR_DATA`.
pub(crate) fn capitals(name: &str) -> String {
    let mut text = String::new();
    let mut lower = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && lower {
            text.push('_');
        }
        lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        text.push(c.to_ascii_uppercase());
    }
    text
}

/// `CamelCase` in lower case: `WaitForData` is `wait_for_data`.
fn small(name: &str) -> String {
    capitals(name).to_ascii_lowercase()
}

/// The default name of a block's module: the name of its type. For a block that is named for its position: the name of
/// the surrounding module and the block's own name there, in the singular for an array.
pub(crate) fn module_name(type_name: &str, parent: &str, instance: &str) -> String {
    match type_name {
        "" => format!("{parent}_{}", singular(instance)),
        name => small(name),
    }
}

/// An instance's name, in the singular for an array: `lanes$3` is `lane`.
fn singular(instance: &str) -> String {
    let parts: Vec<&str> = instance.split('$').collect();
    let is_index = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let words: Vec<&str> = parts.iter().copied().filter(|p| !is_index(p)).collect();
    let mut name = words.join("_");
    if words.len() < parts.len() && name.len() > 2 && name.ends_with('s') && !name.ends_with("ss") {
        name.pop();
    }
    name
}
