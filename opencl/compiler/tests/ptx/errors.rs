//! Errors with their complete text.

use flexgrip_compiler::ptx::{parse, ErrorKind};

fn message(text: &str) -> String {
    match parse(text) {
        Ok(module) => panic!("no error in `{text}`: {module}"),
        Err(error) => error.to_string(),
    }
}

/// Returns the first line of the error for a kernel with this body, which begins in line 2.
fn body(text: &str) -> String {
    let message = message(&format!(".entry k() {{\n{text}\n}}"));
    message.lines().next().unwrap_or("").to_string()
}

#[test]
fn the_line_is_underlined() {
    let text = ".version 4.2\n.target sm_20\n.visible .entry k()\n{\n\tadd.s32 \t%r1, %r2 %r3;\n}\n";
    let expected = "5:20: expected `,` or `;`, found `%r3`
     add.s32  %r1, %r2 %r3;
                       ^^^";
    assert_eq!(message(text), expected);
}

#[test]
fn the_column_counts_characters() {
    let expected = "1:16: expected a directive, a variable or a function, found `oops`
    /* \u{e4}\u{20ac}\u{1d11e} */      oops
                   ^^^^";
    assert_eq!(message("/* \u{e4}\u{20ac}\u{1d11e} */      oops"), expected);
}

#[test]
fn a_long_line_is_cut() {
    let numbers = "1, ".repeat(100_000);
    let text = format!(".const .b8 a[9] = {{{numbers}?, {numbers}}};");
    let error = parse(&text).unwrap_err();
    assert_eq!((error.span.line, error.span.column), (1, 300_020));
    assert_eq!(error.source_line.chars().count(), 100);
    assert_eq!(error.source_line.chars().nth(error.shown_column), Some('?'));
    let lines: Vec<String> = error.to_string().lines().map(str::to_string).collect();
    assert_eq!(lines[0], "1:300020: '?' is not a character of PTX");
    assert_eq!(lines[2].trim_start(), "^");
}

#[test]
fn errors_outside_of_functions_have_locations() {
    let cases = [
        (".version 4", "1:10: expected a version such as `4.2`, found `4`"),
        (
            ".version 0f40000000",
            "1:10: expected a version such as `4.2`, found `0f40000000`",
        ),
        (".target ;", "1:9: expected a target such as `sm_20`, found `;`"),
        (".address_size x", "1:15: expected 32 or 64, found `x`"),
        (
            ".visible .loc",
            "1:10: expected `.entry`, `.func` or the space of a variable, found `.loc`",
        ),
        (
            ".alias a, b;",
            "1:1: expected a directive, a variable or a function, found `.alias`",
        ),
        (
            ".global .align 3 .b8 a;",
            "1:16: expected an alignment: a power of two, found `3`",
        ),
        (".global .align 4 a;", "1:18: expected a type such as `.b32`, found `a`"),
        (".global .u23 a;", "1:9: expected a type such as `.b32`, found `.u23`"),
        (".global .u32 5;", "1:14: expected the name of a variable, found `5`"),
        (
            ".global .u32 a[x];",
            "1:16: expected a number of elements or `]`, found `x`",
        ),
        (".global .u32 a[4;", "1:17: expected `]`, found `;`"),
        (
            ".global .u32 a = ;",
            "1:18: expected an initial value: a number, a symbol or a list in braces, found `;`",
        ),
        (".global .u32 a = {1 2};", "1:21: expected `,` or `}`, found `2`"),
        (
            ".global .u32 a = 1",
            "1:19: expected `,` or `;`, found the end of the text",
        ),
        (
            ".global .u32 a",
            "1:15: expected `[`, `=`, `,` or `;`, found the end of the text",
        ),
        (".entry {", "1:8: expected the name of a function, found `{`"),
        (
            ".entry k(.u32 a)",
            "1:10: expected a parameter: `.param` or `.reg`, found `.u32`",
        ),
        (
            ".entry k(.param .u32 a .param",
            "1:24: expected `,` or `)`, found `.param`",
        ),
        (
            ".entry k() .maxntid 4, x {}",
            "1:24: expected a number or a string, found `x`",
        ),
        (
            ".entry k() .visible .entry",
            "1:12: expected `{` or `;`, found `.visible`",
        ),
        (
            ".entry k() {",
            "1:13: expected an instruction, a declaration, a label or `}`, found the end of the text",
        ),
        (".file 1 2", "1:9: expected the name of a file, found `2`"),
        (".file 4294967296 \"a\"", "1:7: `4294967296` does not fit in 32 bits"),
        (
            ".section .x { .b8 1",
            "1:20: expected `}` at the end of the section, found the end of the text",
        ),
        (".section { }", "1:10: expected the name of a section, found `{`"),
        ("/* x", "1:1: this comment never ends: `*/` is missing"),
        (
            ".file 1 \"x\n\"",
            "1:9: unterminated string: `\"` is missing on this line",
        ),
        (".pragma 1;", "1:10: expected a string, found `;`"),
    ];
    for (text, expected) in cases {
        assert_eq!(message(text).lines().next(), Some(expected), "`{text}`");
    }
}

#[test]
fn errors_inside_of_functions_have_locations() {
    let cases = [
        ("add.s32 %r1, %r2", "3:1: expected `,` or `;`, found `}`"),
        ("ret }", "2:5: expected an operand, found `}`"),
        ("%r1 = 3;", "2:1: expected the name of an instruction, found `%r1`"),
        ("@3 bra L;", "2:2: expected a predicate, found `3`"),
        ("@%p1;", "2:5: expected the name of an instruction, found `;`"),
        ("mov.u32 %r1, ;", "2:14: expected an operand, found `;`"),
        ("mov.u32 %r1+4, 0;", "2:12: expected `,` or `;`, found `+`"),
        ("mov.u32 %r1, -x;", "2:15: expected a number, found `x`"),
        ("mov.u32 %r1, !4;", "2:15: expected a predicate, found `4`"),
        ("setp.x %p|4, 0;", "2:11: expected the second of two registers, found `4`"),
        ("ld.u32 %r1, [%r2+%r3];", "2:18: expected a number of bytes, found `%r3`"),
        ("ld.u32 %r1, [%r2;", "2:17: expected `]`, or `+` and a number of bytes, found `;`"),
        ("ld.u32 %r1, [;", "2:14: expected an address: a register, a symbol or a number, found `;`"),
        ("ld.u32 %r1, [a+9223372036854775808];", "2:15: `9223372036854775808` does not fit in 64 bits"),
        ("st.v2 {%a, {%b}}, 0;", "2:12: expected a register, a symbol or a number, found `{`"),
        ("st.v2 {%a %b}, 0;", "2:11: expected `,` or `}`, found `%b`"),
        ("call f, (a b);", "2:12: expected `,` or `)`, found `b`"),
        ("call f, ([a]);", "2:10: expected an argument: a name or a number, found `[`"),
        (".reg .b32 %r<x>;", "2:14: expected a number of registers, found `x`"),
        (".reg .b32 %r<4;", "2:15: expected `>`, found `;`"),
        (".reg .b32 %r", "3:1: expected `<`, `,` or `;`, found `}`"),
        (".frob 3;", "2:1: expected an instruction, a declaration, a label or `}`, found `.frob`"),
        (".loc 1 2", "3:1: expected a column, found `}`"),
        (".loc 1 2 3, inlined_at 1 2 3", "2:13: expected `function_name`, found `inlined_at`"),
        ("L: .branchtargets a b;", "2:21: expected `,` or `;`, found `b`"),
        ("mov.u32 %r1, 0x;", "2:14: `0x` is not a number; numbers are 12, 0x1f, 017, 0b101, 1.5, 0f and 8 hexadecimal digits, 0d and 16 of them"),
        ("mov.u32 %r1, 18446744073709551616;", "2:14: `18446744073709551616` does not fit in 64 bits"),
        ("mov.u32 %r1, #4;", "2:14: '#' is not a character of PTX"),
        ("mov.u32 %r1, \u{20ac};", "2:14: '\u{20ac}' is not a character of PTX"),
    ];
    for (text, expected) in cases {
        assert_eq!(body(text), expected, "`{text}`");
    }
    for number in [
        "089",
        "0f3F80",
        "0f3F8000000",
        "0d3FF0",
        "0b12",
        "12x",
        "1.5.2f",
        "1e",
        "0xg",
        "1.5U",
    ] {
        let found = body(&format!("mov.u32 %r1, {number};"));
        assert!(
            found.contains("is not a number") || found.contains("expected `,` or `;`"),
            "{number}: {found}"
        );
        assert!(found.starts_with("2:"), "{number}: {found}");
    }
}

#[test]
fn depth_is_limited() {
    let nested = |depth: usize| format!(".entry k() {}{}", "{".repeat(depth), "}".repeat(depth));
    assert!(parse(&nested(64)).is_ok());
    assert_eq!(
        message(&nested(65)).lines().next(),
        Some("1:76: braces are nested deeper than 64")
    );
    for open in ["{", "(", "[", "!", "-", "@", "generic(", "{.b8 "] {
        let error = parse(&format!(".const .b8 a = {}", open.repeat(100_000))).unwrap_err();
        assert!(error.span.column < 100, "{open}: {error}");
        let error = parse(&format!(".entry k() {{ x {}", open.repeat(100_000))).unwrap_err();
        assert!(error.span.column < 100, "{open}: {error}");
    }
    let error = parse(&".entry k() {".replace('{', &"{".repeat(100_000))).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Deep(64));
}
