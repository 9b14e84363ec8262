//! Tests `flexgrip run` with OpenCL C: stores outside buffers, errors with their locations, sizes, and recognising
//! sources. Without clang, most of these tests print "skipped".

use super::{command, flexgrip, succeeds};
use crate::common::{clang, Folder};
use std::io::Write;
use std::process::Stdio;

const OUTSIDE: &str = "\
#include \"store.h\"
kernel void behind(global int *a, global int *b) { a[get_global_id(0) + 1] = 7; }
kernel void before(global int *a, global int *b) { b[(int)get_global_id(0) - 3] = 7; }
kernel void far(global int *a, global int *b) {
    a[get_global_id(0) * 1000] = 7;
}
kernel void copy(global int *a, global int *b) { b[get_global_id(0)] = a[get_global_id(0)]; }
kernel void odd(global char *a) { *(global int *)(a + 5) = 1; }
kernel void included(global char *a) { store(a); }
kernel void endless(global volatile int *a) { while (a[0] == 0) ; }
kernel void inside(global int *a, global int *b) { a[get_global_id(0)] = b[63 - get_global_id(0)] + 1; }
kernel void through(global int *a, global int *b) { b[get_global_id(0)] = 7; }
";

const STORE: &str = "inline static void store(global char *a) {\n    *(global short *)(a + 3) = 1;\n}\n";

const SUM: &str =
    "kernel void sum(global const float *a, global float *b) { b[get_global_id(0)] += a[get_global_id(0)]; }\n";

/// A folder with the sources; `None` without clang.
fn folder() -> Option<Folder> {
    clang().then(|| Folder::new(&[("k.cl", OUTSIDE), ("store.h", STORE), ("sum.cl", SUM)]))
}

/// The standard error of a command with this exit code.
#[track_caller]
fn refused(folder: &Folder, arguments: &str, code: i32) -> String {
    let output = flexgrip(folder, arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments}: {text}");
    text
}

/// Two buffers of 64 elements for 64 work-items.
const TWO: &str = "--global 64 --local 64 --arg buffer:int:64=range --arg buffer:int:64";

#[test]
fn stores_outside_buffers_are_errors() {
    let Some(folder) = folder() else { return };
    let more = "--global 80 --local 16 --arg buffer:int:64=range --arg buffer:int:64";
    for engine in ["model", "rtl"] {
        for (kernel, arguments, message) in [
            (
                "behind",
                TWO,
                "index 64 of argument 0, which has 64 elements; 4 bytes in all",
            ),
            (
                "before",
                TWO,
                "index -3 of argument 1, which has 64 elements; 12 bytes in all",
            ),
            // A load after a buffer reads the guard pattern there, and each buffer has a different one.
            (
                "copy",
                more,
                "index 64 of argument 1, which has 64 elements; 64 bytes in all",
            ),
            (
                "through",
                "--global 4 --arg buffer:int:4 --arg int:0",
                "address 0x0, through argument 1, a null pointer; 16 bytes in all",
            ),
        ] {
            let text = refused(
                &folder,
                &format!("run k.cl --kernel {kernel} {arguments} --engine {engine}"),
                1,
            );
            let whole = format!(
                "error: k.cl: kernel {kernel} has written outside its buffers: {message}; --check names the line"
            );
            assert!(text.starts_with(&whole), "{engine}: {text}");
        }
        let text = succeeds(&folder, &format!("run k.cl --kernel inside {TWO} --engine {engine}"));
        assert!(text.contains("argument 0, 64 of int: 1 1 1 1"), "{text}");
    }
    // The error is also in the JSON outcome, and with more memory than the buffers need.
    let run = format!("run k.cl --kernel behind {TWO} --engine model --json");
    for run in [run.clone(), run + " --global-size 1048576"] {
        let output = flexgrip(&folder, &run);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), &json["match"]), (Some(1), &false.into()));
        assert!(
            json["error"].as_str().unwrap().contains("index 64 of argument 0"),
            "{json}"
        );
    }
    let far = format!("run k.cl --kernel far {TWO} --engine model --global-size 1048576");
    let text = refused(&folder, &far, 1);
    assert!(
        text.contains("argument 0, which has 64 elements") || text.contains("argument 1"),
        "{text}"
    );
}

/// Each slice of the third dimension is checked.
#[test]
fn stores_outside_buffers_are_found_in_later_slices() {
    let Some(folder) = folder() else { return };
    let source = "kernel void k(global int *a) { a[get_global_id(2) * 4] = 1; }";
    std::fs::write(folder.path().join("slices.cl"), source).unwrap();
    let text = refused(
        &folder,
        "run slices.cl --global 1,1,4 --arg buffer:int:8 --engine model",
        1,
    );
    assert!(
        text.contains("index 8 of argument 0, which has 8 elements; 4 bytes in all"),
        "{text}"
    );
}

#[test]
fn errors_have_file_line_and_column() {
    let Some(folder) = folder() else { return };
    let one = "--global 1 --arg buffer:char:8";
    for engine in ["model", "rtl"] {
        for (kernel, arguments, place, words) in [
            (
                "far",
                TWO,
                "k.cl:5:",
                ["global access out of range at address 0x", "; memory ends after"],
            ),
            (
                "odd",
                one,
                "k.cl:8:",
                [
                    "misaligned global access",
                    "; this is byte 5 of argument 0, which has 8 bytes",
                ],
            ),
            (
                "included",
                one,
                "store.h:2:",
                ["misaligned global access", "; this is byte 3 of argument 0"],
            ),
            (
                "endless",
                "--global 1 --arg buffer:int:1 --max-cycles 2000",
                "k.cl:10:",
                ["did not end within 2000 steps", "; --max-cycles sets a higher limit"],
            ),
        ] {
            let text = refused(
                &folder,
                &format!("run k.cl --kernel {kernel} {arguments} --engine {engine}"),
                1,
            );
            assert!(text.starts_with(&format!("error: {place}")), "{engine}: {text}");
            assert!(text.contains(&format!(": kernel {kernel}: ")), "{engine}: {text}");
            assert!(words.iter().all(|word| text.contains(word)), "{engine}: {text}");
        }
    }
    // A line of an included file is not taken for a line of this file.
    let text = succeeds(&folder, "compile k.cl --kernel included --explain");
    assert!(
        text.contains("// store.h:2:") && !text.contains("kernel void behind"),
        "{text}"
    );
    let path = folder.path().join("k.cl");
    let text = refused(
        &folder,
        &format!("run {} --kernel odd {one} --engine model", path.display()),
        1,
    );
    assert!(text.starts_with(&format!("error: {}:8:", path.display())), "{text}");
}

#[test]
fn lockstep_accepts_sources() {
    let Some(folder) = folder() else { return };
    let text = succeeds(&folder, &format!("lockstep k.cl --kernel inside {TWO}"));
    assert!(text.starts_with("rtl and the model agree in "), "{text}");
    let text = refused(&folder, "lockstep k.cl --kernel odd --global 1 --arg buffer:char:8", 1);
    assert!(text.starts_with("error: k.cl:8:"), "{text}");
    for arguments in [
        "--global 1,1,2 --arg buffer:int:64 --arg buffer:int:64",
        "--arg buffer:int:64",
    ] {
        let text = refused(&folder, &format!("lockstep k.cl --kernel inside {arguments}"), 2);
        assert!(
            text.contains("expected one launch") || text.contains("needs --global"),
            "{text}"
        );
    }
    // Options that only apply to run are refused.
    refused(&folder, &format!("lockstep k.cl --kernel inside {TWO} --result 0"), 2);
    refused(&folder, &format!("debug k.cl --kernel inside {TWO} --compare cpu"), 2);
}

/// Memory is as large as the buffers need, unless a size is given, which must be sufficient.
#[test]
fn memory_fits_buffers_of_any_size() {
    let Some(folder) = folder() else { return };
    let run = "run sum.cl --global 400000 --local 64 --arg buffer:float:400000=range --arg buffer:float:400000 --engine model";
    let text = succeeds(&folder, run);
    assert!(text.contains("argument 1, 400000 of float: 0 1 2 3"), "{text}");
    let text = refused(&folder, &format!("{run} --global-size 1048576"), 2);
    assert!(
        text.contains("the buffers need 32166") && text.contains("--global-size 1048576 is too small"),
        "{text}"
    );
    // Only some of the elements, to keep the run on the circuits short.
    let few = run.replace("--global 400000", "--global 64").replace("model", "rtl");
    succeeds(&folder, &few);
    for count in ["1073741824", "18446744073709551615"] {
        let text = refused(&folder, &run.replace("float:400000", &format!("float:{count}")), 1);
        assert!(text.contains("the buffers do not fit into the 4 GiB"), "{text}");
    }
}

#[test]
fn work_groups_have_one_limit() {
    let Some(folder) = folder() else { return };
    let run = "run sum.cl --arg buffer:float:1024 --arg buffer:float:1024 --engine model";
    succeeds(&folder, &format!("{run} --global 1024 --local 512"));
    for sizes in [
        "--global 1024 --local 1024",
        "--global 1024,2 --local 512,2",
        "--global 1,1,128 --local 1,1,128",
    ] {
        let text = refused(&folder, &format!("{run} {sizes}"), 2);
        assert!(text.contains("expected at most 512 in all"), "{text}");
    }
}

#[test]
fn groups_exceeding_an_sm_are_refused() {
    let Some(folder) = folder() else { return };
    let source = "kernel void wide(global float16 *a) {\n\
                  float16 x = a[0], y = a[1], z = a[2];\na[3] = x + y * z; a[4] = x * y + z; a[5] = x + y + z;\n}\n\
                  kernel void room(global int *a, local int *b) { b[get_local_id(0)] = 1; a[0] = b[0]; }\n";
    std::fs::write(folder.path().join("wide.cl"), source).unwrap();
    let wide = "run wide.cl --kernel wide --arg buffer:float16:6 --engine model --global 512";
    let text = refused(&folder, &format!("{wide} --local 512"), 1);
    assert!(text.contains("an SM has 16384; reduce --local"), "{text}");
    succeeds(&folder, &format!("{wide} --local 64"));
    let room = "run wide.cl --kernel room --arg buffer:int:1 --engine model --global 1";
    let text = refused(&folder, &format!("{room} --arg local:16388"), 1);
    assert!(text.contains("reduce --arg local:BYTES"), "{text}");
    succeeds(&folder, &format!("{room} --arg local:16000"));
}

#[test]
fn sources_are_recognised_by_contents_and_options() {
    let Some(folder) = folder() else { return };
    let options = "--global 64 --local 32 --arg buffer:float:64=range --arg buffer:float:64 --engine model";
    for name in ["k.CL", "k.ocl", "k.OCL", "k.txt", "k"] {
        std::fs::write(folder.path().join(name), SUM).unwrap();
        let text = succeeds(&folder, &format!("run {name} {options}"));
        assert!(text.contains("argument 1, 64 of float: 0 1 2 3"), "{name}: {text}");
        let text = refused(&folder, &format!("run {name}"), 2);
        assert!(text.contains("OpenCL C needs --global"), "{name}: {text}");
    }
    let piped = |arguments: &str, text: &str| {
        let mut command = command(&folder, arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that refuses its arguments does not read its input.
        let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
        let output = child.wait_with_output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, text) = piped(&format!("run - {options}"), SUM);
    assert!(
        code == Some(0) && text.contains("argument 1, 64 of float: 0 1 2 3"),
        "{text}"
    );
    let (code, text) = piped("compile -", &SUM.replace("float *b", "flout *b"));
    assert!(code == Some(1) && text.contains("standard input:1:"), "{text}");
    let (code, text) = piped("compile - --explain", SUM);
    assert!(code == Some(0) && text.contains("//    1  kernel void sum"), "{text}");
    let (code, text) = piped(&format!("debug - {}", options.replace("--engine model", "")), SUM);
    assert!(code == Some(2) && text.contains("expected --script FILE"), "{text}");
    std::fs::write(folder.path().join("s.txt"), "continue\n").unwrap();
    let (code, text) = piped(&format!("debug - {options} --script s.txt"), SUM);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = piped("asm -", "RET\n");
    assert_eq!((code, text.as_str()), (Some(0), "30000003\n00000780\n"));
    std::fs::write(folder.path().join("notes.dat"), "the kernel, void of meaning").unwrap();
    let text = refused(&folder, "run notes.dat", 1);
    assert!(
        text.contains("expected a folder with a launch.toml, or a .cl or .ocl file"),
        "{text}"
    );
    std::fs::write(folder.path().join("k.hex"), "30000003\n").unwrap();
    let text = refused(&folder, "run k.hex --global 4", 2);
    assert!(
        text.contains("k.hex: ") && text.contains("a .cl or .ocl file, - for standard input"),
        "{text}"
    );
}

/// The same rule applies to all files of all commands.
#[test]
fn extensions_ignore_case() {
    let launch = "name = \"t\"\nprogram = \"K.SASS\"\nregisters = 4\ngrid = [1, 1]\nblock = [32, 1, 1]\n";
    let folder = Folder::new(&[
        ("T.TOML", launch),
        ("K.SASS", "RET\n"),
        ("K.HEX", "30000003\n00000780\n"),
    ]);
    succeeds(&folder, "run T.TOML --wave W.VCD --timeline T.JSON");
    for made in ["W.VCD", "T.JSON"] {
        assert!(folder.path().join(made).metadata().unwrap().len() > 0, "{made}");
    }
    succeeds(&folder, "lockstep T.TOML");
    succeeds(&folder, "asm K.SASS -o C.CUBIN");
    succeeds(&folder, "asm --isa sm60 K.SASS -o C.BIN");
    assert!(succeeds(&folder, "disasm C.CUBIN").contains("RET"));
    assert!(succeeds(&folder, "disasm K.HEX").contains("RET"));
    if !clang() {
        return;
    }
    std::fs::write(folder.path().join("S.CL"), SUM).unwrap();
    succeeds(&folder, "compile S.CL -o S.SASS");
    let run = "run S.CL --global 8 --arg buffer:float:8=range --arg buffer:float:8 --engine model";
    succeeds(&folder, &format!("{run} --result 1=B.NPY --result 1=B.CSV"));
    let text = succeeds(&folder, &run.replace("float:8=range", "float=B.NPY"));
    assert!(text.contains("argument 1, 8 of float: 0 1 2 3"), "{text}");
}

/// Without PoCL there is no reference, and the test in `opencl.rs` says so.
#[test]
fn relative_and_absolute_tolerances_are_applied() {
    let Some(folder) = folder() else { return };
    // Sums that cancel: only a rounding error near zero is left.
    let source = "kernel void k(global const float *a, global float *b) {\n\
                  uint i = get_global_id(0);\nb[i] = sin(a[i] * 6.0f) * 0.5f - 0.5f * sin(a[i] * 6.0f + 1e-7f);\n}\n";
    std::fs::write(folder.path().join("near.cl"), source).unwrap();
    let run = "run near.cl --global 64 --local 32 --arg buffer:float:64=random --arg buffer:float:64 --engine model";
    for (more, code) in [
        (" --rtol 1e-3", 2),
        (" --compare cpu --rtol -1", 2),
        (" --compare cpu --atol nan", 2),
        (" --compare cpu --atol inf", 2),
    ] {
        refused(&folder, &format!("{run}{more}"), code);
    }
    let output = flexgrip(
        &folder,
        &format!("{run} --compare cpu --json --tolerance 0 --atol 1e-5"),
    );
    if String::from_utf8_lossy(&output.stderr).contains("apt-get install pocl-opencl-icd") {
        return;
    }
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let comparison = &json["comparison"];
    assert_eq!(
        (output.status.code(), &comparison["within"]),
        (Some(0), &true.into()),
        "{json}"
    );
    assert_eq!(
        (&comparison["rtol"], &comparison["atol"]),
        (&0.0.into(), &1e-5.into()),
        "{json}"
    );
    assert!(comparison["buffers"][1]["different"].as_u64() > Some(0), "{json}");
    let text = succeeds(&folder, &format!("{run} --compare cpu --atol 1e-5 --rtol 0.5"));
    assert!(
        text.contains("within 16 ulp or 1e-5 + 5e-1 * |reference| of "),
        "{text}"
    );
    let output = flexgrip(&folder, &format!("{run} --compare cpu --tolerance 0"));
    assert_eq!(output.status.code(), Some(1));
}

/// A kernel's name refers to its folder in `kernels/`. For a wrong name, similar names are listed.
#[test]
fn kernels_are_found_by_name() {
    let folder = Folder::new(&[]);
    let kernels = folder.path().join("kernels");
    for name in ["divergence", "vectoradd", "sort"] {
        std::fs::create_dir_all(kernels.join(name)).unwrap();
        let launch = "name = \"t\"\nprogram = \"kernel.sass\"\nregisters = 4\ngrid = [1, 1]\nblock = [32, 1, 1]\n";
        std::fs::write(kernels.join(name).join("launch.toml"), launch).unwrap();
        std::fs::write(kernels.join(name).join("kernel.sass"), "MVI R1, 1\nRET\n").unwrap();
    }
    for command in ["run", "lockstep", "job"] {
        succeeds(&folder, &format!("{command} divergence"));
        let text = refused(&folder, &format!("{command} vector_add"), 1);
        assert!(
            text.contains("no such file") && text.contains("did you mean kernels/vectoradd?"),
            "{text}"
        );
    }
    let text = refused(&folder, "run kernels/sorted", 1);
    assert!(text.contains("did you mean kernels/sort?"), "{text}");
    let text = refused(&folder, "run mandelbrot", 1);
    assert!(!text.contains("did you mean"), "{text}");
    // An existing path takes precedence over a kernel's name.
    std::fs::create_dir(folder.path().join("sort")).unwrap();
    let text = refused(&folder, "run sort", 1);
    assert!(text.contains("sort/launch.toml: cannot read the launch file"), "{text}");
}

/// Messages about too little memory name the option that increases it.
#[test]
fn too_little_memory_names_the_option() {
    let launch = "name = \"t\"\nprogram = \"k.sass\"\nregisters = 4\ngrid = [1, 1]\nblock = [32, 1, 1]\n";
    let folder = Folder::new(&[
        ("launch.toml", launch),
        (
            "image.toml",
            &format!("{launch}[[memory]]\nspace = \"global\"\naddress = 0x100000\nfile = \"w.hex\"\n"),
        ),
        (
            "expect.toml",
            &format!("{launch}[[expect]]\nspace = \"global\"\nfile = \"e.txt\"\n"),
        ),
        ("k.sass", "RET\n"),
        ("w.hex", "1\n2\n"),
        ("e.txt", "120000 0\n"),
    ]);
    for (run, place, needed) in [
        ("run image.toml", "image.toml:8:11: ", "1048640"),
        ("run expect.toml", "e.txt:1:1: ", "1179712"),
        ("run launch.toml --dump d.bin@1048570+70", "d.bin: ", "1048640"),
    ] {
        let text = refused(&folder, run, 1);
        assert!(text.starts_with(&format!("error: {place}")), "{text}");
        assert!(
            text.contains(&format!("this needs --global-size {needed} or more")),
            "{text}"
        );
        succeeds(&folder, &format!("{run} --global-size {needed}"));
    }
}
