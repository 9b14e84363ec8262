//! NVIDIA's control codes of 5.x and 6.x: the notations of cuobjdump, maxas and CuAssembler, assembled and
//! disassembled.
//!
//! The corpus is not part of the repository: `FLEXGRIP_SHARED` gives its location, by default `../shared` next to the
//! workspace.

use flexgrip_gpu_isa::set::Set;
use flexgrip_gpu_isa::sets::maxwell::{SM50, SM52, SM60};
use flexgrip_gpu_isa::{control_lines, Notation, ParseError};

const NOTATIONS: [Notation; 3] = [Notation::Vendor, Notation::Maxas, Notation::Cuasm];

fn words(set: &Set, source: &str) -> Vec<u64> {
    let bytes = set.assemble(source).unwrap_or_else(|errors| {
        let errors: Vec<String> = errors.iter().map(ParseError::to_string).collect();
        panic!("{source}\n{}", errors.join("\n"))
    });
    let chunks = bytes.chunks_exact(8);
    assert!(chunks.remainder().is_empty());
    chunks
        .map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")))
        .collect()
}

/// The first instruction's word and slot.
fn first(source: &str) -> (u64, u64) {
    let words = words(&SM60, source);
    (words[1], words[0] & 0x1f_ffff)
}

fn text(set: &Set, bytes: &[u8], notation: Notation) -> String {
    control_lines(set, &set.list(bytes), notation).join("\n") + "\n"
}

/// The only error: line, column, message.
fn error(source: &str) -> (usize, usize, String) {
    let errors = SM52.assemble(source).expect_err("an error");
    let [error] = errors.as_slice() else {
        panic!("{source}: {errors:?}")
    };
    (error.line, error.column, error.message.clone())
}

#[test]
fn corpus_round_trips_in_three_notations() {
    let root = flexgrip_skip::shared();
    let Ok(corpus) = std::fs::read_to_string(root.join("other-isa/corpus/nv_control.tsv")) else {
        println!("skipped: nv_control.tsv does not exist");
        return;
    };
    let (mut rows, mut listed) = (0, 0);
    for row in corpus.lines().skip(1) {
        let [word, control, cuasm, maxas, reuse, vendor] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        let hex = |digits| u64::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("{row}"));
        let (word, control) = (hex(word), hex(control));
        assert_eq!(control >> 17, reuse.parse::<u64>().expect("a number"), "{row}");
        // The corpus lists the two instructions of a pair separately.
        let plain = vendor.trim_matches(['{', '}', ' ']);
        for notation in [format!("[{cuasm}]"), maxas.to_string()] {
            for source in [
                format!("{notation} {plain}"),
                format!("  {notation}  /*0008*/  {plain}   /* {word:#018x} */ // a comment"),
            ] {
                let (found, slot) = first(&source);
                // Several words may have the same text; they differ only in bits without effect.
                assert_eq!(SM60.text_at(found.into(), 8), SM60.text_at(word.into(), 8), "{row}");
                assert_eq!(slot, control, "{row}");
            }
        }
        // NVIDIA's listing, with the control word before the instruction and the words in comments.
        let unused = 0x7e0 << 21 | 0x7e0 << 42;
        let source = format!(
            "/* {:#018x} */\n/*0008*/ {plain} /* {word:#018x} */\n",
            unused | control
        );
        assert_eq!(first(&source).1, control, "{row}");
        // Braces determine stall and yield of the first instruction.
        if vendor.starts_with('{') {
            assert_eq!(control & 0x1f, 0x10, "{row}");
            let source = format!("{vendor}\n STG.E [R2], R4 }}\n");
            assert_eq!(first(&source).1, 0x7f0 | control & 0xf << 17, "{row}");
        }
        // A listing assembles to the same bytes, and has the notation of the corpus.
        let mut bytes = (unused | control).to_le_bytes().to_vec();
        bytes.extend(word.to_le_bytes());
        for notation in NOTATIONS {
            let text = text(&SM60, &bytes, notation);
            assert_eq!(SM60.assemble(&text).as_ref(), Ok(&bytes), "{text}");
            let expected = match notation {
                Notation::Maxas => maxas.to_string(),
                Notation::Cuasm => format!("[{cuasm}]"),
                Notation::Vendor => format!("/* {word:#018x} */"),
            };
            assert!(text.contains(&expected), "{row}\n{text}");
            let marks = plain.matches(".reuse").count();
            assert_eq!(text.matches(".reuse").count(), marks, "{row}\n{text}");
            listed += 1;
        }
        rows += 1;
    }
    println!("{rows} rows, {listed} listings");
    assert!(rows >= 345);
}

#[test]
fn notations_match_the_specification() {
    assert_eq!(
        first("--:-:-:-:6      MOV R1, c[0x0][0x20];"),
        (0x4c98_0780_0087_0001, 0x7f6)
    );
    assert_eq!(first("20:-:1:Y:1      S2R R0, SR_TID.X").1, 0x1_0701);
    assert_eq!(first("[B-----5:R-:W0:Y:S01] S2R R0, SR_TID.X;").1, 0x1_0701);
    // Both in one program; an instruction without a control text gets the default.
    let mixed = words(&SM50, "--:-:-:-:6 EXIT\n[B------:R-:W-:Y:S15]\n  NOP;\nNOP");
    assert_eq!(mixed[0], 0x7f6 | 0x7ef << 21 | 0x7e0 << 42);
    // `.reuse` adds to the control text, and also works without it.
    assert_eq!(
        first("--:-:-:-:1 XMAD.CHI R14, R3.H1.reuse, R24, R10.reuse ;").1,
        0xa_07f1
    );
    assert_eq!(first("FADD R2, |R1.reuse|, -|R3|.reuse").1, 0x6_07e0);
    assert_eq!(first("TEXS.T.P RZ, R7, R9, R4, 0x56, 2D, R").1, 0x6_07e0);
    assert_eq!(
        first("TEXS.P.NODEP RZ, R7, R9, R4, 0x56, 2D, R"),
        first("TEXS.NODEP.P RZ, R7, R9, R4, 0x56, 2D, R")
    );
    assert_eq!(first("@P0 TEXS.T RZ, R7, R9, R4, 0x56, 2D, R").1, 0x2_07e0);
}

/// The first of two instructions in braces has stall 0 and yield 1, for any position of the braces.
#[test]
fn braces_pair_two_instructions() {
    let expected = words(&SM52, "--:-:-:-:0 XMAD R22, R7, c[0x0] [0x148], RZ\nSTG.E [R2], R4\n");
    for source in [
        "      { XMAD R22, R7, c[0x0] [0x148], RZ ;\n STG.E [R2], R4 }\n",
        "{\n XMAD R22, R7, c[0x0] [0x148], RZ\n STG.E [R2], R4 ;\n};\n",
        "--:-:-:-:0 { XMAD R22, R7, c[0x0] [0x148], RZ ;\n STG.E [R2], R4 ; }",
        "--:-:-:-:0 /*0008*/ { XMAD R22, R7, c[0x0] [0x148], RZ ; /* 0x4e007f8005270716 */\n STG.E [R2], R4 } ;",
        "--:-:-:-:0\n{ XMAD R22, R7, c[0x0] [0x148], RZ ;\n STG.E [R2], R4 }",
    ] {
        assert_eq!(words(&SM52, source), expected, "{source}");
    }
    // The pair spans a control word.
    let across = words(&SM52, "NOP\nNOP\n{ MOV R1, R2 ;\nMOV R3, R4 }\n");
    assert_eq!((across.len(), across[0] >> 42), (6, 0x7f0));
    // The braces of a set of barriers do not make a pair.
    let barriers = words(&SM52, "{ MOV R1, R2 ;\nDEPBAR {2,1} }\nDEPBAR.LE SB5, 0x1, {3} ;\n");
    assert_eq!(barriers.len(), 4);
    for (source, line, column, says) in [
        ("{ NOP ;\nNOP ;", 1, 1, "not closed"),
        ("{ NOP }", 1, 7, "expected two instructions between the braces, found 1"),
        ("{ NOP\nNOP\nNOP }", 3, 5, "found 3"),
        ("{ NOP\n{ NOP }", 2, 1, "cannot be nested"),
        ("NOP\nNOP }", 2, 5, "no open brace"),
        ("--:-:-:-:1 { NOP ;\nNOP }", 1, 12, "its control text differs"),
        ("--:-:-:Y:0 { NOP ;\nNOP }", 1, 12, "stall 0 and yield `-`"),
        (
            "/* 0x001fc000fe0007f1 */\n { NOP ;\nNOP }",
            2,
            2,
            "its control word differs",
        ),
    ] {
        let found = error(source);
        assert!(
            (found.0, found.1) == (line, column) && found.2.contains(says),
            "{source}: {found:?}"
        );
    }
}

/// A word in a comment is a control word at the address of one, and otherwise a plain comment.
#[test]
fn words_in_comments_are_control_words() {
    let source = "\
\tcode for sm_52
\t\tFunction : f
\t.headerflags    @\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"
                                                                                  /* 0x001c4400fe0007f6 */
        /*0008*/                   MOV R1, c[0x0][0x20] ;                         /* 0x4c98078000870001 */
        /*0010*/         {         MOV R20, c[0x0][0x140] ;                       /* 0x4c98078005070014 */
        /*0018*/                   S2R R2, SR_TID.X         }
                                                                                  /* 0xf0c8000002170002 */
                                                                                  /* 0x001fbc00fde007ef */
        /*0028*/                   NOP;                                           /* 0x50b0000000070f00 */
        /*0030*/                   NOP                                            /* 0x50b0000000070f00 */
        /*0038*/                   EXIT ;                                         /* 0xe30000000007000f */
\t\t..........
";
    let control = 0x001c_4400_fe00_07f6;
    let found = words(&SM52, source);
    assert_eq!(
        found,
        [
            control,
            0x4c98_0780_0087_0001,
            0x4c98_0780_0507_0014,
            0xf0c8_0000_0217_0002,
            0x001f_bc00_fde0_07ef,
            0x50b0_0000_0007_0f00,
            0x50b0_0000_0007_0f00,
            0xe300_0000_0007_000f
        ]
    );
    // Equal control texts are accepted, different ones are errors.
    let both = "/* 0x001fc000fe0007f6 */\n--:-:-:-:6 NOP\n";
    assert_eq!(words(&SM52, both)[0], 0x001f_c000_fe00_07f6);
    let (line, column, message) = error("/* 0x001fc000fe0007f6 */\n  --:-:-:-:5 NOP\n");
    assert!(
        (line, column) == (2, 3) && message.contains("differs: --:-:-:-:6"),
        "{message}"
    );
    let (line, column, message) = error("/* 0x001fc000fe0007f6 */\nSHL R2, R3.reuse, 0x1\n");
    assert!(
        (line, column) == (2, 11) && message.contains("does not have this flag"),
        "{message}"
    );
    let (line, column, message) = error("NOP\n.control stall 0 yield 0 write 7 read 7 wait 0x0 reuse 0x0, stall 0 yield 0 write 7 read 7 wait 0x0 reuse 0x0, stall 0 yield 0 write 7 read 7 wait 0x0 reuse 0x0\n");
    assert!(
        (line, column) == (2, 1) && message.contains("multiple of 32 bytes; this is 0x10"),
        "{message}"
    );
    // A word at another address is a plain comment.
    assert_eq!(words(&SM52, "NOP\n/* 0x4c98078000870001 */\nNOP\n").len(), 3);
}

#[test]
fn syntax_of_other_assemblers_is_refused_by_name() {
    for (source, column, name) in [
        ("# Kernel: sgemm", 1, "`#` is a header of maxas"),
        ("<REGISTER_MAPPING>", 1, "`<REGISTER_MAPPING>` is a block of maxas"),
        (" <SCHEDULE_BLOCK>", 2, "`<SCHEDULE_BLOCK>`"),
        ("</SCHEDULE_BLOCK>", 1, "`</SCHEDULE_BLOCK>`"),
        (
            "--:-:-:-:1 XMAD.LO R1, R2, R3, R4;",
            12,
            "`XMAD.LO` is a macro of maxas",
        ),
        ("XMAD.LO2C R1, R2, R3, R4;", 1, "`XMAD.LO2C`"),
        (
            "[B------:R-:W-:-:S01] MOV32I R1, 32@lo(fun) ;",
            34,
            "`32@lo(fun)` is an address of CuAssembler",
        ),
        ("MOV32I R1, 32@hi(fun) ;", 12, "`32@hi(fun)`"),
        ("BRA `(.L_x_1) ;", 5, "``(.L_x_1)` is a label of CuAssembler"),
        (".L_x_1:", 1, "`.L_x_1:` is a label"),
        ("main:", 1, "`main:` is a label"),
        (
            ".section .text.f,\"ax\",@progbits",
            1,
            "`.section` is a directive of CuAssembler",
        ),
        ("--:-:-:-:g NOP", 10, "expected the stall count"),
        ("[B------:R-:W-:-:S16] NOP", 19, "up to 15"),
        ("SHL R2.reuse, R3, 0x1", 7, "not a source"),
        ("MOV.reuse R1, R2", 4, "expected `.reuse` after a register"),
        ("TEXS RZ, R7.reuse, R9, R4, 0x56, 2D, R", 12, "`.T` and `.P`"),
        ("--:-:-:-:1 --:-:-:-:1 NOP", 12, "expected one control text"),
        ("--:-:-:-:1", 1, "expected an instruction after this control text"),
        ("/* ü */ ü:", 9, "`ü:` is a label"),
    ] {
        let found = error(source);
        assert!(found.1 == column && found.2.contains(name), "{source}: {found:?}");
    }
    // The whole line is shown, with unchanged columns.
    let errors = SM52
        .assemble("/*0008*/ --:-:-:-:1 MOW R1, R2; /* ü */")
        .expect_err("no MOW");
    assert_eq!(errors[0].text, "/*0008*/ --:-:-:-:1 MOW R1, R2; /* ü */");
    assert_eq!((errors[0].column, errors[0].width), (21, 3));
}

#[test]
fn a_program_without_control_codes_has_one_warning() {
    let warning = |source: &str| SM52.assemble_functions(source).expect("a program").warning;
    let text = warning("NOP\n{ MOV R1, R2.reuse ;\n EXIT }\n").expect("a warning");
    assert!(text.contains("the 3 instructions lack stall counts"), "{text}");
    assert!(warning("NOP").is_some_and(|text| text.contains("the 1 instruction lack")));
    for source in [
        "--:-:-:-:1 NOP\nNOP\n",
        "/* 0x001fc000fe0007f1 */\nNOP\n",
        "// nothing\n",
        ".word 0x00000000000007e0\nNOP",
    ] {
        assert_eq!(warning(source), None, "{source}");
    }
}

/// Each function begins at address 0 with its own control word.
#[test]
fn functions_begin_at_zero() {
    let source = "// function f\nNOP\n// function g\nBRA 0x8;\nNOP\nNOP\n\t\tFunction : h\nBRA 0x8\n";
    let assembled = SM52.assemble_functions(source).expect("functions");
    let names: Vec<_> = assembled
        .functions
        .iter()
        .map(|function| function.name.as_deref())
        .collect();
    assert_eq!(names, [Some("f"), Some("g"), Some("h")]);
    let [f, g, h] = assembled.functions.as_slice() else {
        panic!()
    };
    assert_eq!((f.bytes.len(), g.bytes.len(), h.line), (16, 32, 8));
    assert_eq!(g.bytes[8..16], h.bytes[8..16]);
    // A function without code has no bytes in the program.
    assert_eq!(words(&SM52, "// function f\nNOP\n// function g\n").len(), 2);
    let error = assembled
        .joined(&SM52)
        .expect_err("g would not begin with a control word");
    assert!(
        error.line == 3 && error.message.contains("`g` would begin at 0x10"),
        "{error}"
    );
}

/// A simple random number generator (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }
}

fn comes_back(set: &Set, bytes: &[u8]) -> [String; 3] {
    NOTATIONS.map(|notation| {
        let text = text(set, bytes, notation);
        match set.assemble(&text) {
            Ok(found) => assert!(found == bytes, "{}, {notation:?}:\n{text}", set.name),
            Err(errors) => panic!("{}, {notation:?}: {}\n{text}", set.name, errors[0]),
        }
        text
    })
}

/// Tests random words, and words of rows with control words that compilers could have written.
#[test]
fn random_programs_come_back() {
    let mut random = Random(45);
    let mut prefixed = 0;
    for times in 0..3_000 {
        let set = [&SM50, &SM52, &SM60][times % 3];
        let rows = set.all_rows();
        let count = if times % 4 == 1 {
            8
        } else {
            1 + random.next() as usize % 12
        };
        let mut bytes = Vec::new();
        for place in 0..count {
            let word = match (place % 4, times % 2) {
                (0, 0) => random.next(),
                // Stall counts, barriers, sometimes reuse bits.
                (0, _) => (0..3).fold(0, |word, slots| {
                    let noise = random.next();
                    let reuse = if noise >> 60 == 0 { noise >> 20 & 7 } else { 0 };
                    let barriers = 7 << (5 + 3 * (noise >> 8 & 1));
                    word | (noise & 0x1f | barriers | noise & 0x3f << 11 | reuse << 17) << (21 * slots)
                }),
                (_, 0) if random.next() % 4 == 0 => random.next(),
                _ => {
                    let row = rows[random.next() as usize % rows.len()];
                    let free = !row.mask as u64;
                    row.value as u64 | random.next() & free & 0x0007_ffff_fff0_ffff | 7 << 16 & free
                }
            };
            bytes.extend(word.to_le_bytes());
        }
        // A file can end anywhere.
        if times % 16 == 0 {
            bytes.truncate(bytes.len() - random.next() as usize % 8);
        }
        let [_, maxas, _] = comes_back(set, &bytes);
        prefixed += usize::from(maxas.contains(":-:") && !maxas.contains(".control"));
    }
    println!("{prefixed} programs have a control text before every instruction");
    assert!(prefixed > 50);
}
