//! Tests files from users and editors: byte-order marks, bytes in comments that are not UTF-8, words with commas, and
//! programs in the formats of other tools.

use crate::common::{command, flexgrip, Folder};

const MARK: &[u8] = "\u{feff}".as_bytes();

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A kernel whose files all begin with these bytes and have a Latin-1 comment. It stores 7 at address 0, and reads
/// constants.
fn kernel(program: &str, contents: &[u8], head: &[u8]) -> Folder {
    let launch = format!(
        "name = \"t\" # gr\u{fc}n\nprogram = \"{program}\"\nregisters = 16\ngrid = [1, 1]\nblock = [1, 1, 1]\n\
         [[memory]]\nspace = \"global\"\nfile = \"global.hex\"\n[[expect]]\nspace = \"global\"\nfile = \"expected.txt\"\n"
    );
    let latin1 = |text: &str| text.chars().map(|letter| letter as u8).collect::<Vec<u8>>();
    let folder = Folder::new(&[]);
    let write = |name: &str, contents: &[u8]| {
        std::fs::write(folder.path().join(name), [head, contents].concat()).unwrap();
    };
    write("launch.toml", &latin1(&launch));
    write("global.hex", &latin1("1 # gr\u{fc}n\n2\n"));
    write("expected.txt", &latin1("# gr\u{fc}n\n0 7\n4 2\n"));
    write(program, contents);
    folder
}

const STORE: &str = "MVI R0, 0\nMVI R1, 7\nGST.U32 global14[R0], R1\nRET\n";

/// The program as words in a `.hex` file.
fn words() -> String {
    let folder = Folder::new(&[("k.sass", STORE)]);
    let path = folder.path().join("k.sass");
    text(&command(&["asm", path.to_str().unwrap()]).stdout)
}

#[test]
fn text_readers_accept_marks_and_latin1() {
    let sass = [b"// gr\xfcn\n", STORE.as_bytes()].concat();
    let hex = [b"# gr\xfcn\n", words().as_bytes()].concat();
    let folder = Folder::new(&[("k.sass", STORE)]);
    let vhdl = folder.path().join("k.vhd");
    let made = command(&[
        "asm",
        folder.path().join("k.sass").to_str().unwrap(),
        "-o",
        vhdl.to_str().unwrap(),
    ]);
    assert!(made.status.success(), "{made:?}");
    let vhdl = [b"-- gr\xfcn\n", std::fs::read(vhdl).unwrap().as_slice()].concat();
    for (program, contents) in [("k.sass", &sass), ("k.hex", &hex), ("k.vhd", &vhdl)] {
        for head in [&b""[..], MARK] {
            let folder = kernel(program, contents, head);
            let output = flexgrip(&["run", "--engine", "model"], folder.path());
            assert!(output.status.success(), "{program}: {output:?}");
            let path = folder.path().join(program);
            let output = command(&["disasm", path.to_str().unwrap()]);
            assert!(
                output.status.success() && text(&output.stdout).contains("RET"),
                "{output:?}"
            );
        }
    }
}

#[test]
fn listings_and_scripts_accept_a_mark() {
    let folder = Folder::new(&[("k.sass", STORE)]);
    let write = |name: &str, contents: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, contents).unwrap();
        path.to_str().unwrap().to_string()
    };
    let sass = write(
        "a.sass",
        b"\xef\xbb\xbf--:-:-:-:6 MOV R1, R2; // gr\xfcn\n/* gr\xfcn */\n",
    );
    let output = command(&["asm", "--isa", "sm60", &sass]);
    assert_eq!(
        text(&output.stdout),
        "001f8000fc0007f6\n5c98078000270001\n",
        "{output:?}"
    );
    let hex = write("a.hex", b"\xef\xbb\xbf9a85c4020200 # gr\xfcn\n");
    let output = command(&["disasm", "--isa", "g13", &hex]);
    assert!(text(&output.stdout).contains("fmul $r1, ^r2, 0.5"), "{output:?}");
    let kernel = kernel("k.sass", STORE.as_bytes(), b"");
    let script = write("script.txt", b"\xef\xbb\xbfstep\r\nquit\r\n");
    let output = command(&["debug", kernel.path().to_str().unwrap(), "--script", &script]);
    assert!(
        output.status.success() && text(&output.stdout).contains("> step\n"),
        "{output:?}"
    );
    // The same script from standard input.
    let run = format!(
        "'{}' debug '{}' < '{script}'",
        env!("CARGO_BIN_EXE_flexgrip"),
        kernel.path().display()
    );
    let output = std::process::Command::new("sh").args(["-c", &run]).output().unwrap();
    assert!(
        output.status.success() && text(&output.stdout).contains("> step\n"),
        "{output:?}"
    );
    let cubin = write("a.cubin", format!("\u{feff}{CUBIN}").as_bytes());
    let output = command(&["disasm", &cubin]);
    assert!(text(&output.stdout).contains("// kernel store"), "{output:?}");
}

#[test]
fn binary_data_is_refused_with_its_line() {
    let folder = Folder::new(&[]);
    let path = folder.path().join("k.sass");
    for (contents, place, says) in [
        (&b"\xff\xfeR\0E\0T\0"[..], ":1: ", ["UTF-16; expected UTF-8"; 2]),
        (b"EXIT\n\0", ":2: ", ["a byte is 0"; 2]),
        (b"NOP\n\xfcn\n", ":2:1: ", ["there is no instruction"; 2]),
    ] {
        std::fs::write(&path, contents).unwrap();
        for (set, says) in ["sm10", "sm60"].iter().zip(says) {
            let output = command(&["asm", "--isa", set, path.to_str().unwrap()]);
            let error = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{error}");
            assert!(error.contains(place) && error.contains(says), "{error}");
        }
    }
}

/// Tests words with `0x` and commas; all sets use the same reader.
#[test]
fn words_may_have_prefixes_and_commas() {
    let folder = Folder::new(&[
        (
            "k.hex",
            "0x10008000, /* a, b */ 0XE0000000\n0x00000780e0010a09, # long\n30000003 00000780\n",
        ),
        ("bad.hex", "1, 2,\n 3 0x4g\n"),
    ]);
    let path = folder.path().join("k.hex");
    let output = command(&["disasm", path.to_str().unwrap()]);
    let listing = text(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    for part in ["/*0008*/  FMAD R2, R5, R1, R0;", "/*0010*/  RET;"] {
        assert!(listing.contains(part), "{listing}");
    }
    let output = command(&["disasm", "--isa", "sm60", path.to_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    let path = folder.path().join("bad.hex");
    for set in ["sm10", "sm60"] {
        let output = command(&["disasm", "--isa", set, path.to_str().unwrap()]);
        let error = text(&output.stderr);
        let place = if set == "sm10" {
            "bad.hex:2:4: "
        } else {
            "bad.hex:1:1: "
        };
        assert!(output.status.code() == Some(1) && error.contains(place), "{error}");
    }
}

const CUBIN: &str = "architecture {sm_10}
abiversion {0}
modname {cubin}
reloc  {
	name = counter
	segname = reloc
	segnum = 14
	offset = 0
	bytes = 4
}
code  {
	name = store
	lmem = 0
	smem = 24
	reg = 2
	bar = 0
	bincode  {
		0x1000c801 0x0423c780 0x10168005 0x00012347
		0xd00e0005 0xa0c00781
	}
}
";

/// Code in a file with variables in global memory is listed. It cannot run, because the variables' addresses are
/// unknown.
#[test]
fn code_beside_variables_is_listed() {
    let launch = "name = \"t\"\nprogram = \"k.cubin\"\ngrid = [1, 1]\nblock = [1, 1, 1]\n";
    let folder = Folder::new(&[("launch.toml", launch), ("k.cubin", CUBIN)]);
    let path = folder.path().join("k.cubin");
    let output = command(&["disasm", path.to_str().unwrap()]);
    let listing = text(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    for part in [
        "// kernel store: sm_10, 2 registers",
        "MOV R0, g[0x4];",
        "GST.EXIT.U32 global14[R0], R1;",
        "// 4 bytes of variables",
    ] {
        assert!(listing.contains(part), "{listing}");
    }
    for globals in ["", "globals = 0\n"] {
        std::fs::write(
            folder.path().join("launch.toml"),
            launch.replacen("grid", &format!("{globals}grid"), 1),
        )
        .unwrap();
        let output = flexgrip(&["run", "--engine", "model"], folder.path());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(
            error.contains("k.cubin:4:1: a variable in global memory") && error.contains("ELF cubin"),
            "{error}"
        );
    }
}

/// ptxas's bits for `mad.rm`, `.rp` and `.rz` survive the conversion to text and back.
#[test]
fn fmad_keeps_the_requested_rounding() {
    let words = "e0010a09\n00000780\ne0010205\n00408780\ne0030a19\n00804780\ne0060619\n00c08780\n";
    let folder = Folder::new(&[("k.hex", words)]);
    let (hex, sass) = (folder.path().join("k.hex"), folder.path().join("k.sass"));
    let listing = command(&["disasm", hex.to_str().unwrap()]).stdout;
    for suffix in ["FMAD R2", "FMAD.FLOOR R1", "FMAD.CEIL R6", "FMAD.TRUNC R6"] {
        assert!(text(&listing).contains(suffix), "{}", text(&listing));
    }
    std::fs::write(&sass, listing).unwrap();
    assert_eq!(text(&command(&["asm", sass.to_str().unwrap()]).stdout), words);
    let explained = text(&command(&["explain", "e0030a19", "00804780"]).stdout);
    assert!(
        explained.contains("mad.rp: without effect (.CEIL)") && explained.contains("ptxas sets them"),
        "{explained}"
    );
}
