//! A TextMate grammar of the assembly language, generated from the table: editors colour SASS text with it.

use crate::operation::Condition;
use crate::table::*;
use serde_json::json;
use std::collections::BTreeSet;

/// The grammar's path, relative to the project's root.
pub const PATH: &str = "sim/editors/sass.tmLanguage.json";

/// A regular expression of alternatives, longest first, so that none hides a longer one that starts with it.
fn alternatives(names: BTreeSet<String>) -> String {
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.join("|")
}

/// All parts of mnemonics after a dot.
fn suffixes() -> BTreeSet<String> {
    let mut all: BTreeSet<String> = ["S", "EXIT"].map(String::from).into();
    let mut add = |name: &str| {
        all.extend(name.split('.').filter(|part| !part.is_empty()).map(String::from));
    };
    for suffix in all_rows().flat_map(|row| row.suffixes) {
        match suffix {
            Suffix::Names(_, names) | Suffix::WithoutEffect(_, _, names) => {
                names.iter().flatten().for_each(|name| add(name))
            }
            Suffix::When(_, _, name) | Suffix::Fixed(name) => add(name),
            Suffix::Alias(names) => names.iter().for_each(|name| add(name)),
            Suffix::Carry(..) | Suffix::Carry0(_) => add("CARRY[0-3]"),
            Suffix::Code(_) => {}
        }
    }
    all
}

/// All operands that are names.
fn operand_names() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for slot in all_rows().flat_map(|row| row.slots) {
        if let Location::Named(_, names) = slot.location {
            all.extend(names.iter().flatten().map(|name| name.to_string()));
        }
    }
    all
}

/// The grammar, as JSON. Keys are in alphabetical order.
pub fn grammar() -> String {
    let mnemonics = alternatives(all_rows().map(|row| row.name.to_string()).collect());
    let suffixes = alternatives(suffixes());
    let conditions = alternatives(
        Condition::ALL
            .iter()
            .map(|condition| condition.text().to_string())
            .chain(["NUM".to_string()])
            .collect(),
    );
    let names = alternatives(operand_names());
    let grammar = json!({
        "fileTypes": ["sass"],
        "name": "SASS (SM 1.0)",
        "patterns": [
            { "match": "//.*$", "name": "comment.line.double-slash.sass" },
            { "begin": "/\\*", "end": "\\*/", "name": "comment.block.sass" },
            { "match": "(?<![\\w\\]])\\.[a-z_]+\\b", "name": "keyword.other.directive.sass" },
            { "match": "\\b[A-Za-z_]\\w*(?=\\s*:)", "name": "entity.name.label.sass" },
            {
                "captures": {
                    "1": { "name": "keyword.mnemonic.sass" },
                    "2": { "name": "storage.modifier.sass" }
                },
                "match": format!("(?i)\\b({mnemonics})((?:\\.(?:{suffixes}|C[0-3]))*)(?![\\w.])")
            },
            {
                "captures": {
                    "1": { "name": "variable.language.condition-code.sass" },
                    "2": { "name": "keyword.operator.condition.sass" }
                },
                "match": format!("(?i)\\b(C[0-3])\\s*\\.\\s*({conditions})\\b")
            },
            { "match": "(?i)\\bR(?:12[0-7]|1[01]\\d|\\d{1,2})[LH]?\\b", "name": "variable.language.register.sass" },
            { "match": "(?i)\\b(?:A[0-7]|C[0-3]|SR(?:1[0-5]|\\d)|b(?:1[0-5]|\\d))\\b", "name": "variable.language.special.sass" },
            { "match": "(?i)\\b(?:g|c|o|local|global(?:1[0-5]|\\d))(?=\\s*\\[)", "name": "support.type.memory.sass" },
            { "match": "(?i)(?<=\\])\\.(?:U8|U16|S16|U32)\\b", "name": "storage.modifier.sass" },
            { "match": format!("\\b(?:{names})\\b"), "name": "constant.language.sass" },
            { "match": "\\b(?:0[xX][0-9a-fA-F]+|\\d+(?:\\.\\d+)?)\\b", "name": "constant.numeric.sass" }
        ],
        "scopeName": "source.sass"
    });
    // Strings, lists and maps with string keys always serialize to JSON.
    let mut text = serde_json::to_string_pretty(&grammar).unwrap_or_default();
    text.push('\n');
    text
}
