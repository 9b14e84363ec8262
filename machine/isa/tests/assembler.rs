//! The assembler: layout, symbols, directives, and error messages.

use flexgrip_isa::{assemble, decode, encode, listing, parse_instruction, Diagnostic, Program, Style, FILLER};

fn program(text: &str) -> Program {
    assemble(text, "test.sass").unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn errors(text: &str) -> Vec<Diagnostic> {
    assemble(text, "test.sass").expect_err("this text is wrong")
}

/// The only error in a text.
fn error(text: &str) -> Diagnostic {
    let mut errors = errors(text);
    assert_eq!(errors.len(), 1, "{errors:#?}");
    errors.remove(0)
}

fn words(texts: &[&str]) -> Vec<u32> {
    let mut words = Vec::new();
    for text in texts {
        let instruction = parse_instruction(text).unwrap_or_else(|e| panic!("{e}"));
        let word = encode(&instruction);
        words.push(word as u32);
        if instruction.size() == 8 {
            words.push((word >> 32) as u32);
        }
    }
    words
}

#[test]
fn whole_programs_assemble() {
    let text = "\
.equ STRIDE, 4 * 32 /* bytes */
.kernel add // comment
.registers 9
.shared 64
.param a
.param n
    MOV32 R0, g[a]; MOV32 R1, g[n]
    ISET.S32.C0 o[0x7f], g[n], R124, LE
    RET C0.NE
loop:
    IADD32I R1, R1, -STRIDE
    LOP.AND R2, R1, c[1][mask]
    BRA C0.NE, loop
    GST.EXIT.U32 global14[R0], R1
.kernel other
.param b
    MOV.U16 R0L, g[b].U16
    CAL.NOINC add
    BRA end
end: RET
.const 1, 8
first: .word 1, -1
mask: .word STRIDE << 2 | 1, end
";
    let program = program(text);
    assert_eq!(
        program.words,
        words(&[
            "MOV32 R0, g[0x4]",
            "MOV32 R1, g[0x5]",
            "ISET.S32.C0 o[0x7f], g[0x5], R124, LE",
            "RET C0.NE",
            "IADD32I R1, R1, 0xffffff80",
            "LOP.AND R2, R1, c[0x1][0x4]",
            "BRA C0.NE, 0x18",
            "GST.EXIT.U32 global14[R0], R1",
            "MOV.U16 R0L, g[0x8].U16",
            "CAL.NOINC 0x0",
            "BRA 0x50",
            "RET",
        ])
    );
    assert_eq!(program.kernels.len(), 2);
    let add = program.kernel("add").unwrap();
    assert_eq!((add.entry, add.registers, add.shared_bytes), (0, 9, 64));
    assert_eq!(add.parameters, ["a", "n"]);
    let other = program.kernel("other").unwrap();
    // R0 to R2 are named (R124 means zero); header and one parameter.
    assert_eq!((other.entry, other.registers, other.shared_bytes), (0x38, 3, 20));
    assert_eq!(program.labels["loop"], 0x18);
    assert_eq!(program.labels["other"], 0x38);
    assert_eq!(program.constants.len(), 1);
    let block = &program.constants[0];
    assert_eq!((block.bank, block.offset), (1, 8));
    assert_eq!(block.words, [1, 0xffff_ffff, 0x201, 0x50]);
    assert_eq!(program.line(0), Some(7));
    assert_eq!(program.line(4), Some(7));
    assert_eq!(program.line(0x18), Some(11));
    assert_eq!(program.line(0x1c), None);
}

#[test]
fn long_instructions_are_aligned_and_labels_follow_them() {
    let program = program("MOV32 R1, R2\nhere: NOP\nMOV32 R1, R3\nMOV32 R1, R4\nRET\nMOV32 R2, R2\n.align 16\nend:");
    assert_eq!(program.words[1], FILLER);
    assert_eq!(program.labels["here"], 8);
    assert_eq!(program.words[2..4], words(&["NOP"]));
    assert_eq!(program.words.len(), 12);
    assert_eq!(program.words[9..], [FILLER; 3]);
    assert_eq!(program.labels["end"], 48);
    assert_eq!(program.kernels[0].name, "main");
    // Fillers have no source line.
    assert_eq!(program.line(4), None);
    assert_eq!(decode(FILLER.into()).unwrap().to_string(), "MOV32 R0, R0");
}

#[test]
fn text_may_be_written_freely() {
    for (free, canonical) in [
        ("iadd  r1 , R2,r3 ;", "IADD R1, R2, R3"),
        ("IADD32 R0, g [0x4], R2", "IADD32 R0, g[0x4], R2"),
        ("LOP.AND R0, R1, c [1] [2]", "LOP.AND R0, R1, c[0x1][0x2]"),
        ("ISET.C0 o [0x7f], R4, R3, ge", "ISET.C0 o[0x7f], R4, R3, GE"),
        ("IADD R0(C0.EQU), R1, R2", "IADD R0 (C0.EQU), R1, R2"),
        ("IADD R0 ( C1 . NUM ), R1, R2", "IADD R0 (C1.LEG), R1, R2"),
        ("MOV32 R1, g[A2]", "MOV32 R1, g[A2+0x0]"),
        ("FMAD R3, g [A1+++0x1], R6, R3", "FMAD R3, g[A1+++0x1], R6, R3"),
        ("IADD32I R0, R1, (1 + 2) * 4", "IADD32I R0, R1, 0xc"),
        ("IADD32I R0, R1, -1", "IADD32I R0, R1, 0xffffffff"),
        ("FADD32I R2, R2, -0.5", "FADD32I R2, R2, -0x41000000"),
        ("F2F.F32.F32 R0, - |R2|", "F2F.F32.F32 R0, -|R2|"),
        ("R2A A2, R11, 0", "R2A A2, R11"),
        ("IADD.CARRY1 R1 (C1.NE), R1, R124", "IADD.CARRY1 R1 (C1.NE), R1, R124"),
    ] {
        let instruction = parse_instruction(free).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(instruction.to_string(), canonical, "{free}");
    }
}

#[test]
fn mistakes_are_reported_at_their_position() {
    for (text, line, column, at, message, suggestion) in [
        ("\n  IAD R0, R1, R2", 2, 3, "IAD", "no instruction", Some("IADD")),
        (
            "IADD.U17 R0, R1, R2",
            1,
            6,
            "U17",
            "IADD does not take .U17",
            Some("did you mean .U16?"),
        ),
        (
            "IADD R0, R1",
            1,
            1,
            "IADD",
            "operand is missing",
            Some("IADD takes a register or o[0x7f], a register or g[], a register or c[][]"),
        ),
        (
            "IADD R0, R1, R2, R3",
            1,
            18,
            "R3",
            "no more operands",
            Some("IADD takes a register or o[0x7f], a register or g[], a register or c[][]"),
        ),
        (
            "IADD R0L, R1, R2",
            1,
            6,
            "R0L",
            "expected a register or o[0x7f]",
            Some("IADD takes a register or o[0x7f], a register or g[], a register or c[][]"),
        ),
        (
            "IADD R0, R1, R2, /* é */ x",
            1,
            26,
            "x",
            "no more operands",
            Some("IADD takes a register or o[0x7f], a register or g[], a register or c[][]"),
        ),
        ("IADD32 R64, R1, R2", 1, 8, "R64", "registers here go up to R63", None),
        (
            "IMUL32.U16.U16 R0, R32L, R2L",
            1,
            20,
            "R32L",
            "registers here go up to R31",
            None,
        ),
        (
            "IADD R0, R1, R128",
            1,
            14,
            "R128",
            "`R128` does not fit",
            Some("IADD takes"),
        ),
        (
            "IADD R0, g[0x20], R2",
            1,
            12,
            "0x20",
            "does not fit: it ranges from 0 to 31",
            None,
        ),
        (
            "IADD32 R0, g[0x1], c[0x0][0x0]",
            1,
            20,
            "c[0x0][0x0]",
            "expected a register",
            Some(" takes "),
        ),
        (
            "IMAD.U16 R0, R1L, c[0][0], c[0][0]",
            1,
            28,
            "c[0][0]",
            "expected a register",
            Some(" takes "),
        ),
        (
            "IADD R0, g[A1+1], c[0][A1+0]",
            1,
            19,
            "c[0][A1+0]",
            "cannot have an address",
            None,
        ),
        ("IADD R0, -R1, -R2", 1, 15, "-R2", "sign cannot be combined", None),
        ("IADD.CARRY1 R0 (C2.NE), R1, R2", 1, 1, "IADD", "same C register", None),
        ("MOV R0 (C0.NEE), R1", 1, 9, "C0.NEE", "no condition", Some("NE?")),
        ("BRA C0.EQU, nowhere", 1, 13, "nowhere", "not defined", None),
        ("BRA 0x2", 1, 5, "0x2", "multiple of 4", None),
        ("SHL R0, R1, 0x80", 1, 13, "0x80", "ranges from 0 to 127", None),
        ("SHL R0, R1, -1", 1, 13, "-1", "ranges from 0 to 127", None),
        (
            "ISET R0, R1, R2, LESS",
            1,
            18,
            "LESS",
            "one of FALSE LT",
            Some("ISET takes"),
        ),
        ("MVI R0, 1 / 0", 1, 9, "1 / 0", "division by zero", None),
        ("MVI R0, 0x100000000", 1, 9, "0x100000000", "does not fit", None),
        ("a: NOP; a: NOP", 1, 9, "a", "already defined", None),
        ("R1: NOP", 1, 1, "R1", "is a register", None),
        (".wrd 1", 1, 1, ".wrd", "no directive", Some(".word")),
        (".registers 4", 1, 1, ".registers 4", "belongs to a kernel", None),
        (".kernel k\n.registers 129", 2, 12, "129", "not between 1 and 128", None),
        (
            ".kernel k\n.param p\n.param q\nMOV R0, g[p].U8\nMVC R0, c[0][p]\nMVC R0, c[0][z]",
            6,
            14,
            "z",
            "not defined",
            None,
        ),
        (".const 1\nNOP", 2, 1, "NOP", "instruction among constants", None),
        (".const 1, 4092\n.word 1, 2", 2, 10, "2", "bank is full", None),
        ("NOP\n /* open", 2, 2, "/*", "not closed", Some("*/")),
        ("GLD.U32 R0, global14[4]", 1, 22, "4", "expected a register", None),
        ("R2A A5, R0", 1, 5, "A5", "A0 to A4", None),
        (
            "MOV R0, o[0x7f]",
            1,
            9,
            "o[0x7f]",
            "expected a register or g[]",
            Some("MOV takes"),
        ),
        ("MOV o[0x1], R0", 1, 5, "o[0x1]", "only o[]", None),
    ] {
        let error = error(text);
        assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
        assert_eq!(error.text, at, "{text}: {error}");
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.suggestion.is_some(), suggestion.is_some(), "{text}: {error}");
        if let (Some(found), Some(wanted)) = (&error.suggestion, suggestion) {
            assert!(found.contains(wanted), "{text}: {error}");
        }
        assert!(error.to_string().starts_with(&format!("test.sass:{line}:{column}: ")));
    }
}

#[test]
fn a_mistake_is_shown_underlined() {
    let error = error("NOP\n\tIADD R0, /* é */ R1, g[4], R2 // sum");
    let lines: Vec<String> = error.to_string().lines().map(str::to_string).collect();
    assert_eq!(
        lines,
        [
            "test.sass:2:23: `g[4]` does not fit: expected a register or c[][]; IADD takes a register or o[0x7f], a \
             register or g[], a register or c[][]",
            "     IADD R0, /* é */ R1, g[4], R2 // sum",
            "                          ^^^^",
        ]
    );
}

#[test]
fn short_forms_are_selected_on_request() {
    let text = "\
.param_free: IADD R1, R2, R3
.short
IADD R1, R2, R3
MOV R4, R5
IADD.C0 R1, R2, R3
MOV R4 (C0.NE), R5
IADD R1, R2, R64
MOV R4, g[n]
BRA end
IADD R1, R2, later
IMAD.U16 R1, R2L, R3L, R1
IMAD.U16 R1, R2L, R3L, R4
.long
MOV R4, R5
end: NOP
.const 1
later: .word 1
";
    let text = text
        .replace(".param_free:", ".kernel k\n.param n\n")
        .replace(", later", ", c[1][later]");
    assert_eq!(
        program(&text).words,
        words(&[
            "IADD R1, R2, R3",
            "IADD32 R1, R2, R3",
            "MOV32 R4, R5",
            "IADD.C0 R1, R2, R3",
            "MOV R4 (C0.NE), R5",
            "IADD R1, R2, R64",
            "MOV32 R4, g[0x4]",
            "MOV32 R0, R0",
            "BRA 0x58",
            "IADD R1, R2, c[0x1][0x0]",
            "IMAD32.U16 R1, R2L, R3L, R1",
            "MOV32 R0, R0",
            "IMAD.U16 R1, R2L, R3L, R4",
            "MOV R4, R5",
            "NOP",
        ])
    );
}

#[test]
fn every_wrong_line_is_reported() {
    let errors = errors("FOO R1\nNOP\nBAR2 b0\nIADD R0, R1, x\n");
    let lines: Vec<u32> = errors.iter().map(|error| error.line).collect();
    assert_eq!(lines, [1, 3, 4]);
}

#[test]
fn a_listing_holds_everything_and_assembles_back() {
    // A short instruction, a long one off its boundary, a word that is not an instruction, a long one, half of a long
    // one.
    let words = [
        0x1000_8000,
        0x2000_0409,
        0x8000_0000,
        0x1000_8204,
        0x2000_0409,
        0x0400_0780,
        0x3000_0003,
    ];
    let text = listing(&words, Style::Plain);
    assert_eq!(text.lines().count(), 6);
    assert!(text.contains("/*0010*/  IADD R2, R2, R0; "), "{text}");
    assert!(text.contains("not an instruction"), "{text}");
    assert_eq!(program(&text).words, words, "{text}");
}

#[test]
fn instructions_know_their_text() {
    let text = "/* é */ a: b: MOV R1, R2 ; RET // end\n.word 7\r\nc:\n  IADD32 R1, R1, R2\n";
    let program = program(text);
    let found: Vec<(u32, &str)> = program
        .instructions
        .iter()
        .map(|(pc, place)| (*pc, &text[place.clone()]))
        .collect();
    assert_eq!(found, [(0, "MOV R1, R2"), (8, "RET"), (20, "IADD32 R1, R1, R2")]);
}
