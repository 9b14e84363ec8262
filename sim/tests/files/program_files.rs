//! Tests programs in files other than .sass and .hex: the output of `asm` runs by kernel name with the same result, the
//! data of a cubin becomes the launch, and errors have a location.

use crate::common::{command, flexgrip, Folder};
use flexgrip_machine::{ImageSpace, MemoryImage};
use flexgrip_sim::files::launch::Kernel;
use std::path::{Path, PathBuf};

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn vectoradd() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/vectoradd")
}

/// Assembles a program into a file.
#[track_caller]
fn assemble(program: &Path, output: &Path) {
    let result = command(&["asm", program.to_str().unwrap(), "-o", output.to_str().unwrap()]);
    assert!(result.status.success(), "{}", text(&result.stderr));
}

/// The launch of kernels/vectoradd with its program assembled into another file, without the lines that begin with an
/// element of `without`.
fn vectoradd_as(program: &str, without: &[&str], more: &str) -> Folder {
    let launch = std::fs::read_to_string(vectoradd().join("launch.toml")).unwrap();
    let launch: String = launch
        .lines()
        .filter(|line| !without.iter().any(|start| line.starts_with(start)))
        .map(|line| match line.starts_with("program = ") {
            true => format!("program = \"{program}\"\n{more}"),
            false => format!("{line}\n"),
        })
        .collect();
    let read = |name: &str| std::fs::read_to_string(vectoradd().join(name)).unwrap();
    let folder = Folder::new(&[
        ("launch.toml", &launch),
        ("global.hex", &read("global.hex")),
        ("expected.txt", &read("expected.txt")),
    ]);
    assemble(&vectoradd().join("kernel.sass"), &folder.path().join(program));
    folder
}

#[track_caller]
fn assert_matches(folder: &Folder) {
    for engine in ["model", "rtl"] {
        let output = flexgrip(&["run", "--engine", engine, "--json"], folder.path());
        assert!(output.status.success(), "{engine}: {}", text(&output.stderr));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["match"], true, "{engine}: {json}");
    }
}

#[test]
fn cubin_runs_by_kernel_name() {
    let folder = vectoradd_as("x.cubin", &["registers", "shared_bytes"], "entry = \"vectoradd\"\n");
    let (cubin, sass) = (folder.kernel().launch, Kernel::load(&vectoradd()).unwrap().launch);
    // Everything that is omitted in the launch file is taken from the cubin.
    assert_eq!((cubin.registers, cubin.shared_bytes), (4, 32));
    assert_eq!((cubin.program, cubin.entry), (sass.program, sass.entry));
    assert_matches(&folder);
}

#[test]
fn instruction_memory_of_flexgripplus_runs() {
    assert_matches(&vectoradd_as("TP_instructions.vhd", &[], ""));
}

/// The error from loading a folder, without the path of the folder.
#[track_caller]
fn error(folder: &Folder) -> String {
    let error = Kernel::load(folder.path())
        .expect_err("this launch is wrong")
        .to_string();
    error.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn kernels_missing_in_a_cubin_are_refused() {
    let folder = vectoradd_as("x.cubin", &[], "entry = \"matmul\"\n");
    assert_eq!(
        error(&folder),
        "launch.toml:5:9: the program has no kernel `matmul`; expected one of: vectoradd"
    );
    let folder = vectoradd_as("x.cubin", &[], "entry = 8\n");
    assert_eq!(
        error(&folder),
        "launch.toml:5:9: the entry of a cubin is a kernel's name; expected one of: vectoradd"
    );
    // In the shared format, 0 means the only kernel of the file.
    assert_eq!(vectoradd_as("x.cubin", &[], "entry = 0\n").kernel().launch.entry, 0);
}

const TWO: &str = "\
.kernel first
.registers 9
    RET
.kernel second
.registers 3
.shared 100
.param a
    LOP.AND R2, R1, c[1][mask]
    BRA 0x0
.const 1, 8
mask: .word 7
";

/// A launch of a program with two kernels, in this file.
fn two(program: &str, more: &str) -> Folder {
    let launch =
        format!("name = \"t\"\nprogram = \"{program}\"\ngrid = [1, 1]\nblock = [32, 1, 1]\nparams = [1]\n{more}");
    let folder = Folder::new(&[("launch.toml", &launch), ("two.sass", TWO), ("bank.hex", "5\n6\n")]);
    if program != "two.sass" {
        assemble(&folder.path().join("two.sass"), &folder.path().join(program));
    }
    folder
}

#[test]
fn kernels_are_selected_by_name() {
    for program in ["two.sass", "two.cubin"] {
        let choice = error(&two(program, ""));
        assert!(
            choice.contains("several kernels; expected `entry = ` one of: first, second"),
            "{choice}"
        );
        let launch = two(program, "entry = \"second\"\n").kernel().launch;
        assert_eq!(
            (launch.entry, launch.registers, launch.shared_bytes),
            (8, 3, 100),
            "{program}"
        );
        assert_eq!(launch.program.len(), 6);
        let first = two(
            program,
            "entry = \"first\"\nregisters = 77\nshared_bytes = 88\nlocal_bytes = 12\n",
        );
        let launch = first.kernel().launch;
        assert_eq!(
            (launch.entry, launch.registers, launch.shared_bytes),
            (0, 77, 88),
            "{program}"
        );
        assert_eq!(launch.local_bytes, 12);
        let nobody = error(&two(program, "entry = \"third\"\n"));
        assert!(
            nobody.contains("no kernel `third`; expected one of: first, second"),
            "{nobody}"
        );
    }
}

#[test]
fn launch_file_memory_follows_the_cubin() {
    let more = "entry = \"first\"\n[[memory]]\nspace = \"constant\"\nbank = 1\naddress = 4\nfile = \"bank.hex\"\n";
    let image = |address, words: &[u32]| MemoryImage {
        space: ImageSpace::Constant { bank: 1 },
        address,
        words: words.to_vec(),
    };
    assert_eq!(
        two("two.cubin", more).kernel().launch.memory,
        [image(0, &[0, 0, 7]), image(4, &[5, 6])]
    );
}

/// All data of a text cubin reach the launch.
#[test]
fn text_cubin_becomes_a_launch() {
    let cubin = "architecture {sm_10}\nabiversion {0}\nmodname {cubin}\n\
        consts { name = c segname = const segnum = 0 offset = 8 bytes = 4 mem { 0x00000011 } }\n\
        code { name = k lmem = 20 smem = 52 reg = 6 bar = 0 bincode { 0x30000003 0x00000780 }\n\
        const { segname = const segnum = 1 offset = 0 bytes = 4 mem { 0x00000022 } } }\n";
    let launch = "name = \"t\"\nprogram = \"k.cubin\"\ngrid = [1, 1]\nblock = [32, 1, 1]\n";
    let folder = Folder::new(&[("launch.toml", launch), ("k.cubin", cubin)]);
    let launch = folder.kernel().launch;
    assert_eq!(launch.program, [0x3000_0003, 0x780]);
    assert_eq!((launch.registers, launch.shared_bytes, launch.local_bytes), (6, 52, 20));
    let image = |bank, address, word| MemoryImage {
        space: ImageSpace::Constant { bank },
        address,
        words: vec![word],
    };
    assert_eq!(launch.memory, [image(0, 8, 0x11), image(1, 0, 0x22)]);

    std::fs::write(folder.path().join("k.cubin"), cubin.replace("reg = 6", "reg = six")).unwrap();
    assert_eq!(error(&folder), "k.cubin:5:43: expected a 32-bit number, found `six`");
}

#[test]
fn global_variables_need_an_address() {
    let folder = two("two.cubin", "entry = \"first\"\n");
    // The constants' section, renamed.
    let path = folder.path().join("two.cubin");
    let mut cubin = std::fs::read(&path).unwrap();
    let name = b".nv.constant1\0";
    let at = cubin.windows(name.len()).position(|bytes| bytes == name).unwrap();
    cubin[at..at + name.len()].copy_from_slice(b".nv.global\0\0\0\0");
    std::fs::write(&path, &cubin).unwrap();
    assert_eq!(
        error(&folder),
        "launch.toml:2:11: the program has 12 bytes of variables in global memory; expected `globals`, their address"
    );

    let launch = std::fs::read_to_string(folder.path().join("launch.toml")).unwrap();
    let with = |globals: &str| {
        std::fs::write(
            folder.path().join("launch.toml"),
            format!("{launch}globals = {globals}\n"),
        )
        .unwrap();
    };
    with("0x1002");
    assert!(error(&folder).starts_with("launch.toml:7:11: the address 0x1002"));
    with("0x1000");
    assert_eq!(
        folder.kernel().launch.memory,
        [MemoryImage {
            space: ImageSpace::Global,
            address: 0x1000,
            words: vec![0, 0, 7],
        }]
    );
    // Other input takes the place of the launch file's contents, never of the program's variables.
    let input = folder.path().join("input.hex");
    std::fs::write(&input, "5\n6\n").unwrap();
    let refused = folder.kernel().with_input(&input).unwrap_err().to_string();
    assert!(refused.contains("no contents of global memory"), "{refused}");
    let images = "[[memory]]\nspace = \"global\"\naddress = 0x2000\nfile = \"input.hex\"\n";
    with(&format!("0x1000\n{images}"));
    std::fs::write(folder.path().join("other.hex"), "8\n").unwrap();
    let kernel = folder.kernel().with_input(&folder.path().join("other.hex")).unwrap();
    let words: Vec<_> = kernel
        .launch
        .memory
        .iter()
        .map(|image| (image.address, &image.words[..]))
        .collect();
    assert_eq!(words, [(0x1000, &[0, 0, 7][..]), (0x2000, &[8])]);
    for program in ["two.sass", "two.cubin"] {
        let needless = error(&two(program, "entry = \"first\"\nglobals = 0\n"));
        assert!(
            needless.starts_with("launch.toml:7:11: the program has no variables"),
            "{needless}"
        );
    }
}

#[test]
fn errors_in_cubins_have_a_location() {
    let folder = vectoradd_as("x.cubin", &[], "");
    let path = folder.path().join("x.cubin");
    let cubin = std::fs::read(&path).unwrap();
    std::fs::write(&path, &cubin[..cubin.len() - 1]).unwrap();
    let truncated = error(&folder);
    assert!(
        truncated.starts_with("x.cubin: byte 0x20: the section headers are outside the file"),
        "{truncated}"
    );
    let mut fermi = cubin;
    fermi[36] = 20;
    std::fs::write(&path, &fermi).unwrap();
    assert_eq!(
        error(&folder),
        "x.cubin: byte 0x24: this cubin is for sm_20; expected sm_10, sm_11, sm_12 or sm_13"
    );
}

#[test]
fn program_without_a_launch_is_refused() {
    let folder = two("two.cubin", "");
    let output = flexgrip(&["run"], &folder.path().join("two.cubin"));
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(
        message.contains("only a program, without grid, block, parameters") && message.contains("launch.toml"),
        "{message}"
    );
}

#[test]
fn asm_output_is_listed_by_disasm() {
    let folder = two("two.cubin", "");
    let at = |name: &str| folder.path().join(name);
    let shown = |name: &str| {
        let output = command(&["disasm", at(name).to_str().unwrap()]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    for name in ["two.hex", "two.vhd", "two.mif"] {
        assemble(&at("two.sass"), &at(name));
    }
    let listing = shown("two.sass");
    assert!(
        listing.starts_with("/*0000*/  RET; ") && listing.contains("/* 0x0000078030000003 */\n/*0008*/  "),
        "{listing}"
    );
    assert_eq!(shown("two.hex"), listing);
    assert_eq!(shown("two.vhd"), listing);
    assert_eq!(
        shown("two.cubin"),
        format!(
            "// kernel first: sm_10, 9 registers, shared memory 16 bytes, local memory 0 bytes, parameters 0 bytes\n\
             {listing}\n\
             // kernel second: sm_10, 3 registers, shared memory 100 bytes, local memory 0 bytes, parameters 4 bytes, \
             entry 0x8\n\
             {listing}\n\
             // c[0x1] from byte 0x0000: 00000000 00000000 00000007\n"
        )
    );
    let words = command(&["asm", at("two.sass").to_str().unwrap()]);
    assert_eq!(text(&words.stdout), std::fs::read_to_string(at("two.hex")).unwrap());

    let mif = std::fs::read_to_string(at("two.mif")).unwrap();
    let expected = "WIDTH = 32;\nDEPTH = 6;\nADDRESS_RADIX = HEX;\nDATA_RADIX = HEX;\n\nCONTENT BEGIN\n    \
                    0000 : 30000003;  -- 0000  RET\n    0001 : 00000780;\n";
    assert!(mif.starts_with(expected) && mif.ends_with(";\nEND;\n"), "{mif}");

    let output = command(&[
        "asm",
        at("two.sass").to_str().unwrap(),
        "-o",
        at("two.bin").to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains(".hex, .cubin, .mif or .vhd"),
        "{}",
        text(&output.stderr)
    );
    assert!(!at("two.bin").exists());
    let output = command(&["disasm", at("launch.toml").to_str().unwrap()]);
    assert!(text(&output.stderr).contains(".sass, .hex, .cubin or .vhd"));
}
