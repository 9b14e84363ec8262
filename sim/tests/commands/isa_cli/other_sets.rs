//! Tests `disasm`, `asm`, `explain` and `isa` for the instruction sets of other GPUs: their output, their files, and
//! their errors.

use crate::commands::{printed, refused};
use crate::common::command;
use std::path::{Path, PathBuf};

/// A folder with a file.
fn file(name: &str, contents: impl AsRef<[u8]>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, contents).unwrap();
    (folder, path)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

const G13: &str = "\
/*0000*/ /*9a85c4020200*/     fmul $r1, ^r2, 0.5
/*0006*/ /*0e05420658020000*/ iadd r1, r1.sx, u64.sx
/*000e*/ /*7e01402a2400*/     bitop r0, r0, r1, a & ~b
";

#[test]
fn sets_are_listed_with_coverage_and_sources() {
    let list = printed(&["isa", "--list"]);
    for set in ["sm10", "g13", "usse", "sm20", "sm30", "sm35", "sm50", "sm52", "sm60"] {
        assert!(
            list.lines().any(|line| line.starts_with(&format!("{set:<6} "))),
            "{set}: {list}"
        );
    }
    assert_eq!(list.matches("% of all words").count(), 8, "{list}");
    assert!(list.matches("source: ").count() >= 8, "{list}");
    refused(2, &["isa", "--list", "IADD"]);
}

#[test]
fn bytes_round_trip_through_listings() {
    let (folder, hex) = file(
        "a.hex",
        "# three\n9a85c4020200\n0e 05 42 06 58 02 00 00 // by byte\n7e01402a2400\n",
    );
    let listing = printed(&["disasm", "--isa", "g13", text(&hex)]);
    assert_eq!(listing, G13);
    let sass = folder.path().join("a.sass");
    std::fs::write(&sass, &listing).unwrap();
    let digits = printed(&["asm", "--isa", "g13", text(&sass)]);
    assert_eq!(digits, "9a85c4020200\n0e05420658020000\n7e01402a2400\n");
    let bin = folder.path().join("a.bin");
    printed(&["asm", "--isa", "g13", text(&sass), "-o", text(&bin)]);
    assert_eq!(std::fs::read(&bin).unwrap()[..6], [0x9a, 0x85, 0xc4, 0x02, 0x02, 0x00]);
    assert_eq!(printed(&["disasm", "--isa", "g13", text(&bin)]), G13);
}

#[test]
fn control_words_are_at_their_positions() {
    let source = "MOV R1, R2;\nEXIT;\n";
    let (folder, sass) = file("a.sass", source);
    let bin = folder.path().join("a.bin");
    // A warning says that control words were filled in.
    let output = command(&["asm", "--isa", "sm60", text(&sass), "-o", text(&bin)]);
    assert!(output.status.success() && !output.stderr.is_empty(), "{output:?}");
    assert_eq!(
        std::fs::read(&bin).unwrap().len(),
        24,
        "a control word and two instructions"
    );
    let plain = printed(&["disasm", "--isa", "sm60", text(&bin)]);
    assert_eq!(plain.lines().count(), 2, "{plain}");
    assert!(plain.starts_with("/*0008*/ /*5c98078000270001*/ MOV R1, R2"), "{plain}");
    let all = printed(&["disasm", "--isa", "sm60", "--control", text(&bin)]);
    assert!(all.lines().count() == 3 && all.contains(".control"), "{all}");
    let again = folder.path().join("b.sass");
    std::fs::write(&again, all).unwrap();
    let bytes = printed(&["asm", "--isa", "sm60", text(&again)]);
    assert_eq!(bytes.lines().count(), 3);
    refused(2, &["disasm", "--control", text(&bin)]);
}

#[test]
fn undefined_words_are_counted_and_round_trip() {
    let (folder, hex) = file("a.hex", "5c98078000270001 0000000000000000\nffffffffffffffff");
    // The first of four words is a control word, in which all bits but one are fields.
    let output = command(&["disasm", "--isa", "sm60", "--control", text(&hex)]);
    let listing = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && listing.contains(".word 0xffffffffffffffff"),
        "{listing}"
    );
    let note = String::from_utf8(output.stderr).unwrap();
    assert!(note.contains("of 2 lines are not instructions of sm60"), "{note}");
    let sass = folder.path().join("a.sass");
    std::fs::write(&sass, listing).unwrap();
    let bytes = printed(&["asm", "--isa", "sm60", text(&sass)]);
    assert_eq!(bytes, "5c98078000270001\n0000000000000000\nffffffffffffffff\n");
}

#[test]
fn cubin_determines_its_set() {
    let (folder, sass) = file("a.sass", ".kernel f\nRET\n");
    let cubin = folder.path().join("a.cubin");
    printed(&["asm", text(&sass), "-o", text(&cubin)]);
    let mut bytes = std::fs::read(&cubin).unwrap();
    // The flags of a 32-bit ELF file; their low byte is the architecture.
    assert_eq!(bytes[36], 10);
    bytes[36] = 37;
    std::fs::write(&cubin, &bytes).unwrap();
    let listing = String::from_utf8(command(&["disasm", "--isa", "sm35", text(&cubin)]).stdout).unwrap();
    assert!(listing.starts_with("// function f\n/*0000*/"), "{listing}");
    let error = refused(1, &["disasm", "--isa", "sm60", text(&cubin)]);
    assert!(
        error.contains("is for sm_37; expected one for sm60; `--isa sm35` has"),
        "{error}"
    );
    let error = refused(1, &["disasm", text(&cubin)]);
    assert!(error.contains("sm_37") && error.contains("--isa sm35"), "{error}");
    std::fs::write(&cubin, &bytes[..100]).unwrap();
    refused(1, &["disasm", "--isa", "sm35", text(&cubin)]);
}

/// A compiled shader: a header, one instruction of the secondary program and two of the primary one.
fn shader() -> Vec<u8> {
    let mut file = vec![0; 0x50];
    let mut put = |at: usize, value: u32| file[at..at + 4].copy_from_slice(&value.to_le_bytes());
    put(0, u32::from_le_bytes(*b"GXP\0"));
    put(0x08, 0x68);
    put(0x3c, 2);
    put(0x40, 0x58 - 0x40);
    put(0x48, 0x50 - 0x48);
    put(0x4c, 0x58 - 0x4c);
    for word in [0x3880_0521_8308_0080u64, 0xfa44_0700_0000_0000, 0x4080_0d7e_f019_8002] {
        file.extend(word.to_le_bytes());
    }
    file
}

#[test]
fn both_programs_of_a_shader_are_listed() {
    let (folder, gxp) = file("a.gxp", shader());
    let listing = printed(&["disasm", "--isa", "usse", text(&gxp)]);
    let begin = "\
// vertex shader, primary program
/*0000*/ /*fa44070000000000*/ PHAS ?0x4070000000000
/*0008*/ /*40800d7ef0198002*/ VPCKF16F32 pa0.xyzw (sa0.xyzw sa2.xyzw) [noscale] ?0x80000000000000
// vertex shader, secondary program";
    assert!(listing.starts_with(begin), "{listing}");
    assert!(
        listing.contains("/*0000*/ /*3880052183080080*/ VMOV.f32 sa4.xy sa4.xy"),
        "{listing}"
    );
    assert_eq!(listing.lines().count(), 5, "{listing}");
    for set in ["g13", "sm60", "sm10"] {
        let error = refused(1, &["disasm", "--isa", set, text(&gxp)]);
        assert!(error.contains("--isa usse"), "{error}");
    }
    for (bytes, reason) in [
        (shader()[..0x60].to_vec(), "has 96 bytes; expected at least 104"),
        (b"GXP\0".to_vec(), "has 4 bytes; expected at least 80"),
        (b"PK".to_vec(), "is not a .gxp file"),
    ] {
        let path = folder.path().join("b.gxp");
        std::fs::write(&path, bytes).unwrap();
        let error = refused(1, &["disasm", "--isa", "usse", text(&path)]);
        assert!(error.contains(text(&path)) && error.contains(reason), "{error}");
    }
}

/// Names are spelled as in the document and as in existing tools; immediates are printed as stored.
#[test]
fn usse_words_have_several_texts() {
    let (folder, hex) = file("a.hex", "55210929ad91d3e6\n0000018000008064\n");
    let listing = printed(&["disasm", "--isa", "usse", text(&hex)]);
    assert!(listing.contains("!p0 OR o108.x pa39.x 0xFFF5C19F"), "{listing}");
    let sass = folder.path().join("a.sass");
    let stored = "!p0 OR o108.x pa39.x 0xa3e6, rol 4, not ?0x20000000000000\n";
    std::fs::write(&sass, listing + stored + "mul.f16 ?0x8000\n").unwrap();
    let digits = printed(&["asm", "--isa", "usse", text(&sass)]);
    assert_eq!(
        digits,
        "55210929ad91d3e6\n0000018000008064\n55210929ad91d3e6\n1000000000008000\n"
    );
    let explained = printed(&["explain", "--isa", "usse", "0x0000018000008064"]);
    assert!(explained.contains("In the USSE document\n  mad.f32"), "{explained}");
    assert!(printed(&["isa", "--isa", "usse", "mad"]).contains("VMAD2"));
}

#[test]
fn words_are_explained() {
    for word in ["9a85c4020200", "0x000202c4859a", "9a85_c402_0200"] {
        let text = printed(&["explain", "--isa", "g13", word]);
        assert!(
            text.contains("fmul $r1, ^r2, 0.5") && text.contains("Source: "),
            "{text}"
        );
    }
    let two = printed(&["explain", "--isa", "sm60", "5c98078000270001", "ffffffffffffffff"]);
    assert!(two.contains("MOV R1, R2"), "{two}");
    for (set, word, problem) in [
        ("g13", "9a85c402020", "in the middle of a byte"),
        ("g13", "9a85c4020200000000000000000", "longer than any instruction"),
        ("sm60", "5c98078000270001f", "longer than any instruction"),
        ("sm60", "hello", "`h` is not a hexadecimal digit"),
        ("usse", "0x", "no digits"),
    ] {
        let error = refused(1, &["explain", "--isa", set, word]);
        assert!(
            error.starts_with(&format!("error: word 1, `{word}`: ")) && error.contains(problem),
            "{error}"
        );
        assert!(error.contains("; expected "), "{error}");
    }
}

#[test]
fn instruction_pages_are_printed() {
    assert!(printed(&["isa", "--isa", "sm60"]).contains("XMAD"));
    assert!(printed(&["isa", "--isa", "sm60", "xmad"]).contains("XMAD"));
    let error = refused(1, &["isa", "--isa", "sm60", "XMADD"]);
    assert_eq!(error, "error: sm60 has no instruction `XMADD`; did you mean XMAD?\n");
    // SM 1.0 is listed like the other sets.
    assert_eq!(printed(&["isa", "--isa", "sm10", "IADD"]), printed(&["isa", "IADD"]));
    let error = refused(2, &["isa", "--isa", "sm70"]);
    assert!(
        error.contains("expected sm10, g13, usse") && error.contains("isa --list"),
        "{error}"
    );
}

#[test]
fn errors_in_a_program_are_underlined() {
    let (folder, sass) = file("a.sass", "fmul $r1, ^r2, 0.5\nfmull r1\nfmul $r1, ^r2 0.5\n");
    let output = folder.path().join("a.bin");
    let error = refused(1, &["asm", "--isa", "g13", text(&sass), "-o", text(&output)]);
    let path = text(&sass);
    let expected = format!(
        "error: {path}:2:1: there is no instruction `fmull`; did you mean `fmul`?\n    fmull r1\n    ^^^^^\n{path}:3:15: expected "
    );
    assert!(error.starts_with(&expected), "{error}");
    assert!(
        error.ends_with("    fmul $r1, ^r2 0.5\n                  ^\n"),
        "{error}"
    );
    assert!(!output.exists(), "an incomplete file was written");
}

#[test]
fn files_without_code_are_refused() {
    for (name, contents, place, reason) in [
        (
            "a.hex",
            "9a85c4020200\n9a85c\n",
            ":2:1: ",
            "expected bytes of 2 hexadecimal digits each, found `9a85c`",
        ),
        ("a.hex", "9a 8g\n", ":1:4: ", "found `8g`"),
        ("a.vhd", "", ": ", "expected a .bin, a .hex or a .cubin file"),
        ("a.cubin", "not an ELF", ": ", "this is not an ELF cubin"),
    ] {
        let (_folder, path) = file(name, contents);
        let error = refused(1, &["disasm", "--isa", "g13", text(&path)]);
        assert!(
            error.contains(&format!("{}{place}", text(&path))) && error.contains(reason),
            "{error}"
        );
    }
    let (_folder, path) = file("a.hex", "5c98\n");
    let error = refused(1, &["disasm", "--isa", "sm60", text(&path)]);
    assert!(
        error.contains("expected a byte of 2, or a word of 8 or 16 hexadecimal digits"),
        "{error}"
    );
    let (folder, sass) = file("a.sass", "MOV R1, R2\n");
    let vhd = folder.path().join("a.vhd");
    let error = refused(1, &["asm", "--isa", "sm60", text(&sass), "-o", text(&vhd)]);
    assert!(
        error.contains("expected a .bin or a .hex file") && !vhd.exists(),
        "{error}"
    );
    refused(1, &["disasm", "--isa", "sm60", "/no/such.bin"]);
    refused(2, &["asm", "--isa", "sm60", "--realign", text(&sass)]);
}

/// Tests SM 1.0 through the trait that all sets implement.
#[test]
fn sm10_implements_the_common_trait() {
    use flexgrip_sim::instruction_sets::Choice;
    let set = Choice::named("sm10").unwrap().set();
    assert_eq!(set.text(0x0400_0780_a000_0005).unwrap(), "I2I.U32.U16 R1, R0L");
    assert_eq!(set.text(1 << 64), None);
    let source = "IADD R1, R2, R3\nMOV32 R0, R0\nMOV32 R1, R0\n";
    let bytes = set.assemble(source).unwrap();
    let listed = set.list(&bytes);
    assert_eq!(listed.plain(), source);
    assert_eq!(set.assemble(&listed.source()).unwrap(), bytes);
    // Half of a long instruction is listed as data.
    let cut = set.list(&bytes[..4]);
    assert_eq!(cut.count(flexgrip_gpu_isa::Kind::Data), 1);
    let word = set.parse("IADD R1, R2, R3").unwrap();
    assert_eq!(
        (word.bytes, set.text(word.word).unwrap()),
        (8, "IADD R1, R2, R3".to_string())
    );
    let error = set.parse("IAD R1, R2, R3").unwrap_err();
    assert_eq!((error.line, error.column, error.width), (1, 1, 3), "{error}");
    assert!(set.parse("").is_err() && set.parse("// nothing").is_err());
    assert!(set.explain(0x0400_0780_a000_0005).contains("I2I"));
    assert!(set.overview().contains("IADD") && set.page("IADD").is_some() && set.page("NONE").is_none());
}
