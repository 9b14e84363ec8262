//! Tests of control codes of 5.x and 6.x in `asm` and `disasm`, and of cubins that are converted to text and back.

use crate::commands::{printed, refused};
use crate::common::command;
use std::collections::BTreeSet;
use std::path::Path;

/// A 64-bit ELF cubin of these functions for an architecture, with sections around the code and a symbol for each
/// function, as in compilers' files.
fn cubin(architecture: u32, functions: &[(&str, &[u64])]) -> Vec<u8> {
    let (progbits, symtab, strtab) = (1, 2, 3);
    // Name, type, contents, alignment.
    let mut sections: Vec<(String, u32, Vec<u8>, u64)> = vec![(String::new(), 0, vec![], 0)];
    let (mut names, mut symbols) = (vec![0], vec![0; 24]);
    for (name, words) in functions {
        sections.push((format!(".nv.info.{name}"), progbits, vec![4, 10, 8, 0, 1, 2, 3], 4));
        sections.push((format!(".nv.constant0.{name}"), progbits, vec![7; 21], 4));
        // Symbol: offset of the name, a global function, the section, address 0, the size.
        symbols.extend((names.len() as u32).to_le_bytes());
        symbols.extend([0x12, 0]);
        symbols.extend((sections.len() as u16).to_le_bytes());
        symbols.extend([0, 8 * words.len() as u64].map(u64::to_le_bytes).concat());
        names.extend(name.bytes().chain([0]));
        let code = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        sections.push((format!(".text.{name}"), progbits, code, 32));
    }
    sections.push((".symtab".into(), symtab, symbols, 8));
    sections.push((".strtab".into(), strtab, names, 1));
    let mut names = vec![];
    let mut places: Vec<u32> = vec![];
    for name in sections.iter().map(|section| section.0.as_str()).chain([".shstrtab"]) {
        places.push(names.len() as u32);
        names.extend(name.bytes().chain([0]));
    }
    sections.push((".shstrtab".into(), strtab, names, 1));

    let count = sections.len() as u16;
    let (mut body, mut headers) = (vec![], vec![]);
    for ((_, kind, contents, align), place) in sections.iter().zip(places) {
        let at = (64 + body.len() as u64).next_multiple_of((*align).max(1));
        body.resize(at as usize - 64, 0);
        body.extend(contents);
        let (link, entry) = if *kind == symtab {
            (u32::from(count) - 2, 24)
        } else {
            (0, 0)
        };
        headers.extend([place, *kind].map(u32::to_le_bytes).concat());
        headers.extend([0, 0, at, contents.len() as u64].map(u64::to_le_bytes).concat());
        headers.extend([link, 1].map(u32::to_le_bytes).concat());
        headers.extend([*align, entry].map(u64::to_le_bytes).concat());
    }
    let mut file = b"\x7fELF\x02\x01\x01\x33".to_vec();
    file.resize(16, 0);
    file.extend([2_u16, 190].map(u16::to_le_bytes).concat());
    file.extend(1_u32.to_le_bytes());
    file.extend([0, 0, 64 + body.len() as u64].map(u64::to_le_bytes).concat());
    file.extend((architecture << 16 | architecture | 0x500).to_le_bytes());
    file.extend([64, 56, 0, 64, count, count - 1].map(u16::to_le_bytes).concat());
    [file, body, headers].concat()
}

/// Two groups of instructions with barriers, `.reuse`, a pair that is issued in one cycle, a branch and padding.
const CODE: [u64; 8] = [
    0x001c_4400_fe00_07f6,
    0x4c98_0780_0087_0001,
    0x4c98_0780_0507_0014,
    0xf0c8_0000_0217_0002,
    0x001f_bc00_fde2_07f1,
    0x3829_0000_01e7_0004,
    0xe300_0000_0007_000f,
    0xe240_0fff_ff07_000f,
];
const OTHER: [u64; 4] = [
    0x001f_bc00_fde0_07ef,
    0xe300_0000_0007_000f,
    0x50b0_0000_0007_0f00,
    0x50b0_0000_0007_0f00,
];

struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_string()
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.path().join(name), contents).unwrap();
        self.path(name)
    }
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn cubins_round_trip_through_text() {
    let odd = [0x8000_0000_0000_0000_u64, u64::MAX, 0, 0x1234];
    // For 2.x to 3.7, the words are the instructions that these sets decode from the same bits.
    for (architecture, set) in [
        (20, "sm20"),
        (30, "sm30"),
        (35, "sm35"),
        (37, "sm35"),
        (50, "sm50"),
        (52, "sm52"),
        (53, "sm52"),
        (60, "sm60"),
        (61, "sm60"),
        (62, "sm60"),
    ] {
        let files = Files::new();
        let bytes = cubin(architecture, &[("_Z1fPf", &CODE), ("g", &OTHER), ("odd", &odd)]);
        let old = files.write("old.cubin", &bytes);
        let (sass, new) = (files.path("k.sass"), files.path("new.cubin"));
        let notations: &[&str] = match architecture {
            50.. => &[
                "",
                "--control",
                "--control=lines",
                "--control=vendor",
                "--control=maxas",
                "--control=cuasm",
            ],
            _ => &["", "--control"],
        };
        for notation in notations {
            let mut disasm = vec!["disasm", "--isa", set, &old, "-o", &sass];
            disasm.extend(Some(notation).filter(|notation| !notation.is_empty()));
            let output = command(&disasm);
            assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
            let output = command(&["asm", "--isa", set, &sass, "--template", &old, "-o", &new]);
            assert!(
                output.status.success() && output.stderr.is_empty(),
                "{output:?}\n{}",
                read(&sass)
            );
            assert_eq!(
                std::fs::read(&new).unwrap(),
                bytes,
                "sm_{architecture} {notation}\n{}",
                read(&sass)
            );
        }
    }
}

#[test]
fn changed_text_changes_only_its_function() {
    let files = Files::new();
    let bytes = cubin(61, &[("f", &CODE), ("g", &OTHER)]);
    let old = files.write("old.cubin", &bytes);
    let new = files.path("new.cubin");
    let asm = |text: &str| {
        let sass = files.write("k.sass", text);
        command(&["asm", "--isa", "sm60", &sass, "--template", &old, "-o", &new])
    };
    let text = "// function g\n[B------:R-:W-:-:S15] NOP\n--:-:-:Y:0 NOP\n--:-:-:Y:0 NOP\n";
    assert!(asm(text).status.success());
    let mut expected = bytes.clone();
    let at = expected
        .windows(8)
        .position(|bytes| bytes == OTHER[1].to_le_bytes())
        .unwrap();
    let at = expected[at..]
        .windows(16)
        .position(|bytes| bytes[8..] == OTHER[2].to_le_bytes())
        .map(|more| at + more)
        .unwrap();
    let control = 0x7ff_u64 | 0x7e0 << 21 | 0x7e0 << 42;
    expected[at - 8..at].copy_from_slice(&control.to_le_bytes());
    expected[at..at + 8].copy_from_slice(&OTHER[2].to_le_bytes());
    assert_eq!(std::fs::read(&new).unwrap(), expected);
    std::fs::remove_file(&new).unwrap();
    for (text, place, says) in [
        (
            "// function g\nNOP\n",
            ":1:1: ",
            "the code of `g` has 16 bytes, which do not fit: expected 32",
        ),
        ("// function g\nNOP\nNOP\nNOP\nNOP\n", ":1:1: ", "has 48 bytes"),
        ("\nFunction : h\nNOP\n", ":2:1: ", "has no function `h`; it has f, g"),
        (
            "NOP\nNOP\nNOP\n",
            ":1:1: ",
            "has the functions f, g; expected `// function NAME`",
        ),
        ("// function g\nNOPE\n", ":2:1: ", "there is no instruction `NOPE`"),
    ] {
        let output = asm(text);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(place) && error.contains(says), "{error}");
        assert!(!Path::new(&new).exists(), "an incomplete file was written");
    }
    let sass = files.write("k.sass", "NOP\n");
    let error_of = |code, set, template: &str, output: &str| {
        refused(
            code,
            &["asm", "--isa", set, &sass, "--template", template, "-o", output],
        )
    };
    for (error, says) in [
        (error_of(1, "sm35", &old, &new), "is for sm_61; expected one for sm35"),
        (
            error_of(1, "sm60", "/no/such.cubin", &new),
            "/no/such.cubin: cannot read",
        ),
        (
            refused(1, &["asm", "--isa", "sm60", &sass, "-o", &new]),
            "expected `--template FILE.cubin`",
        ),
        (
            error_of(2, "sm60", &old, &files.path("k.bin")),
            "expected -o FILE.cubin",
        ),
        (error_of(2, "sm10", &old, &new), "needs no --template"),
    ] {
        assert!(error.contains(says), "{error}");
    }
    refused(2, &["asm", &sass, "--template", &old, "-o", &new]);
    refused(2, &["asm", "--isa", "sm60", &sass, "--template", &old]);
}

#[test]
fn listings_use_the_notation_of_other_tools() {
    let files = Files::new();
    let digits: String = CODE.iter().map(|word| format!("{word:016x}\n")).collect();
    let hex = files.write("k.hex", &digits);
    let listed = |notation: &str| printed(&["disasm", "--isa", "sm60", &hex, notation]);
    let maxas = listed("--control=maxas");
    assert!(
        maxas.starts_with("--:-:-:-:6  /*0008*/  MOV R1, c[0x0][0x20];\n--:-:-:-:0  /*0010*/  MOV"),
        "{maxas}"
    );
    assert!(maxas.contains("SHR R4, R0.reuse, 0x1e;\n"), "{maxas}");
    let cuasm = listed("--control=cuasm");
    assert!(
        cuasm.contains("[B------:R-:W0:-:S01]  /*0018*/  S2R R2, SR_TID.X;\n"),
        "{cuasm}"
    );
    let vendor = listed("--control=vendor");
    let lines: Vec<&str> = vendor.lines().collect();
    assert_eq!(lines[0].trim(), "/* 0x001c4400fe0007f6 */", "{vendor}");
    assert!(
        lines[2].starts_with("        /*0010*/         {         MOV R20, c[0x0][0x140] ;"),
        "{vendor}"
    );
    assert!(lines[3].ends_with("S2R R2, SR_TID.X         }"), "{vendor}");
    assert_eq!(lines[4].trim(), "/* 0xf0c8000002170002 */", "{vendor}");
    // All words are in a single column.
    let columns: BTreeSet<usize> = lines.iter().filter_map(|line| line.find("/* 0x")).collect();
    assert_eq!(columns.len(), 1, "{vendor}");
    for text in [maxas, cuasm, vendor, listed("--control")] {
        let sass = files.write("k.sass", &text);
        assert_eq!(printed(&["asm", "--isa", "sm60", &sass]), digits, "{text}");
    }
    // Sets without such control words, and names that do not exist.
    for arguments in [
        ["--isa", "sm35", "--control=maxas"],
        ["--isa", "g13", "--control=vendor"],
    ] {
        let error = refused(2, &[&["disasm", &hex], &arguments[..]].concat());
        assert!(error.contains("has no such control codes"), "{error}");
    }
    refused(2, &["disasm", "--isa", "sm60", "--control=nvdisasm", &hex]);
}

#[test]
fn missing_control_codes_give_a_single_warning() {
    let files = Files::new();
    for (text, count) in [
        ("NOP\nEXIT\n// function g\n", "2 instructions"),
        (
            "{ XMAD R22, R7.reuse, c[0x0] [0x148], RZ ;\n STG.E [R2], R4 }\n",
            "2 instructions",
        ),
    ] {
        let sass = files.write("k.sass", text);
        let output = command(&["asm", "--isa", "sm52", &sass]);
        let warning = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && !output.stdout.is_empty());
        assert_eq!(warning.lines().count(), 1, "{warning}");
        assert!(
            warning.starts_with("warning: ") && warning.contains(count) && warning.contains("stall counts"),
            "{warning}"
        );
    }
    let sass = files.write("k.sass", "--:-:-:-:6      MOV R1, c[0x0][0x20];\n");
    assert_eq!(
        printed(&["asm", "--isa", "sm52", &sass]),
        "001f8000fc0007f6\n4c98078000870001\n"
    );
    let sass = files.write("k.sass", "{ NOP ;\n--:-:-:-:1 NOP\n");
    let error = refused(1, &["asm", "--isa", "sm52", &sass]);
    assert!(
        error.contains(":1:1: this brace is not closed\n    { NOP ;\n    ^\n"),
        "{error}"
    );
}

/// Runs files from users, in `$FLEXGRIP_SHARED`.
#[test]
fn cubins_from_users_round_trip() {
    let root = flexgrip_skip::shared();
    for (name, expected) in [
        (
            "braces.sm52.sass",
            "001f8000fc0207f0\n4e007f8005270716\needc200000070204\n",
        ),
        ("maxas.sm52.sass", "001f8000fc0007f6\n4c98078000870001\n"),
        ("cuassembler.sm52.sass", "001f8000fc000711\n4c98078000870001\n"),
    ] {
        let path = root.join("cases").join(name);
        if !path.exists() {
            println!("skipped: {} does not exist", path.display());
            continue;
        }
        let output = command(&["asm", "--isa", "sm52", path.to_str().unwrap()]);
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{name}");
    }
}
