//! Control codes of 5.x and 6.x in `asm` and `disasm`, and cubins through text.

use super::{printed, refused};
use crate::common::command;
use object::build::elf::{Builder, SectionData};
use object::{elf, Endianness};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A cubin of these functions for an architecture, with sections around the code, as compilers' files have them.
fn cubin(architecture: u32, functions: &[(&str, &[u64])]) -> Vec<u8> {
    let mut builder = Builder::new(Endianness::Little, true);
    builder.header.os_abi = elf::OsAbi(51);
    builder.header.e_type = elf::ET_EXEC;
    builder.header.e_machine = elf::EM_CUDA;
    builder.header.e_flags = elf::FileFlags(architecture << 16 | architecture | 0x500);
    let mut section = |name: String, kind, data: SectionData<'static>, align| {
        let section = builder.sections.add();
        section.name = name.into_bytes().into();
        section.sh_type = kind;
        section.sh_addralign = align;
        section.data = data;
        section.id()
    };
    section(".shstrtab".into(), elf::SHT_STRTAB, SectionData::SectionString, 1);
    section(".strtab".into(), elf::SHT_STRTAB, SectionData::String, 1);
    section(".symtab".into(), elf::SHT_SYMTAB, SectionData::Symbol, 8);
    let mut codes = Vec::new();
    for (name, words) in functions {
        let info = SectionData::Data(vec![4, 10, 8, 0, 1, 2, 3].into());
        section(format!(".nv.info.{name}"), elf::SHT_PROGBITS, info, 4);
        section(
            format!(".nv.constant0.{name}"),
            elf::SHT_PROGBITS,
            SectionData::Data(vec![7; 21].into()),
            4,
        );
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let size = code.len() as u64;
        let code = section(
            format!(".text.{name}"),
            elf::SHT_PROGBITS,
            SectionData::Data(code.into()),
            32,
        );
        codes.push((name, code, size));
    }
    for (name, code, size) in codes {
        let symbol = builder.symbols.add();
        symbol.name = name.as_bytes().to_vec().into();
        symbol.section = Some(code);
        symbol.st_info = elf::SymbolInfo::new(elf::STB_GLOBAL, elf::STT_FUNC);
        symbol.st_size = size;
    }
    let mut file = Vec::new();
    builder.write(&mut file).unwrap();
    file
}

/// Two groups of instructions with barriers, `.reuse`, a pair that is issued together, a branch and padding.
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
fn cubins_come_back_through_text() {
    let odd = [0x8000_0000_0000_0000_u64, u64::MAX, 0, 0x1234];
    // The words of 2.x to 3.7 are what these sets make of the same bits.
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
fn a_changed_text_changes_only_its_function() {
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
        ("// function g\nNOP\nNOP\nNOP\nNOP\n", ":1:1: ", "has 40 bytes"),
        ("\nFunction : h\nNOP\n", ":2:1: ", "has no function `h`; it has f, g"),
        (
            "NOP\nNOP\nNOP\n",
            ":1:1: ",
            "has the functions f, g; expected `// function NAME`",
        ),
        ("// function g\nNOPE\n", ":2:1: ", "no instruction is called `NOPE`"),
    ] {
        let output = asm(text);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(place) && error.contains(says), "{error}");
        assert!(!Path::new(&new).exists(), "half a file is written");
    }
    let sass = files.write("k.sass", "NOP\n");
    let error = refused(1, &["asm", "--isa", "sm35", &sass, "--template", &old, "-o", &new]);
    assert!(error.contains("is for sm_61; expected one for sm35"), "{error}");
    let error = refused(
        1,
        &[
            "asm",
            "--isa",
            "sm60",
            &sass,
            "--template",
            "/no/such.cubin",
            "-o",
            &new,
        ],
    );
    assert!(error.contains("/no/such.cubin: cannot read"), "{error}");
    let error = refused(1, &["asm", "--isa", "sm60", &sass, "-o", &new]);
    assert!(error.contains("expected `--template FILE.cubin`"), "{error}");
    let error = refused(
        2,
        &[
            "asm",
            "--isa",
            "sm60",
            &sass,
            "--template",
            &old,
            "-o",
            &files.path("k.bin"),
        ],
    );
    assert!(error.contains("expected -o FILE.cubin"), "{error}");
    let error = refused(2, &["asm", "--isa", "sm10", &sass, "--template", &old, "-o", &new]);
    assert!(error.contains("needs no --template"), "{error}");
    refused(2, &["asm", &sass, "--template", &old, "-o", &new]);
    refused(2, &["asm", "--isa", "sm60", &sass, "--template", &old]);
}

#[test]
fn listings_have_the_notation_of_other_tools() {
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
    // All words stand in one column.
    let columns: BTreeSet<usize> = lines.iter().filter_map(|line| line.find("/* 0x")).collect();
    assert_eq!(columns.len(), 1, "{vendor}");
    for text in [maxas, cuasm, vendor, listed("--control")] {
        let sass = files.write("k.sass", &text);
        assert_eq!(printed(&["asm", "--isa", "sm60", &sass]), digits, "{text}");
    }
    // Sets without such control words, and names that are none.
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
fn a_program_without_control_codes_is_assembled_with_one_warning() {
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
        error.contains(":1:1: this brace is never closed\n    { NOP ;\n    ^\n"),
        "{error}"
    );
}

/// The files that users sent, from `$FLEXGRIP_SHARED`.
#[test]
fn cases_of_users() {
    let root = std::env::var_os("FLEXGRIP_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
        PathBuf::from,
    );
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
            println!("skipped: {} is not there", path.display());
            continue;
        }
        let output = command(&["asm", "--isa", "sm52", path.to_str().unwrap()]);
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{name}");
    }
}
