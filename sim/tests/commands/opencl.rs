//! Tests `flexgrip compile`, and `flexgrip run` with a .cl file. Without clang, these tests print "skipped".

mod files;
mod printf;

use crate::common::{clang, Folder};
use std::process::{Command, Output};

const SAXPY: &str = "\
kernel void saxpy(float a, global const float *x, global float *y) {
    uint i = get_global_id(0);
    y[i] = a * x[i] + N;
}
kernel void where(global uint *out) {
    uint at = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
    out[at] = at + 100 * get_group_id(2);
}
kernel void quotients(global const float *x, global float *y, global int *bits) {
    uint i = get_global_id(0);
    y[i] = x[i] / 3.0f;
    bits[i] = N * as_int(y[i]);
}
constant float TABLE[4] = {1, 10, 100, 1000};
kernel void table(global float *out) {
    out[get_global_id(0)] = TABLE[get_global_id(0) & 3];
}
constant float3 THREES[2] = {(float3)(1, 2, 3), (float3)(4, 5, 6)};
typedef struct { long3 wide; char tag; uchar3 narrow; } pack;
constant pack PACKS[2] = {{(long3)(7, 8, 9), 10, (uchar3)(11, 12, 13)}, {(long3)(14, 15, 16), 17, (uchar3)(18, 19, 20)}};
constant int NUMBERS[4] = {31, 32, 33, 34};
typedef struct { constant int *led; long wide; float3 three; constant int *last; } led;
constant led LED[2] = {{NUMBERS, 35, (float3)(36, 37, 38), 0}, {NUMBERS + 1, 39, (float3)(40, 41, 42), NUMBERS + 3}};
kernel void tables(global int *out, int one) {
    int3 own[3] = {(int3)(21, 22, 23), (int3)(24, 25, 26), (int3)(27, 28, 29)};
    uint i = get_global_id(0);
    constant pack *of = &PACKS[i & one];
    constant led *to = &LED[i & one];
    int values[] = {(int)THREES[i & one].x, (int)THREES[i & one].z, (int)of->wide.y, of->tag, of->narrow.z, own[i + one].y,
                    *to->led, (int)to->wide, (int)to->three.z, to->last ? *to->last : 0};
    for (int at = 0; at < 10; at++)
        out[i * 10 + at] = values[at];
}
kernel void compares(global int *out, global short2 *of) {
    uint i = get_global_id(0);
    short2 a = of[i], b = of[i + 1] - (short2)(2, 4 * i), differs = a != b;
    ushort2 less = as_ushort2(as_ushort2(a) < as_ushort2(b));
    int values[] = {differs.x, differs.y, less.x, less.y, any(convert_int2(a) > convert_int2(b))};
    for (int at = 0; at < 5; at++)
        out[i * 5 + at] = values[at];
}
";

/// A folder with the source; `None` without clang.
fn folder() -> Option<Folder> {
    clang().then(|| Folder::new(&[("k.cl", SAXPY), ("bad.cl", "kernel void k() {\n  x = 1;\n}\n")]))
}

/// The program with these arguments, in a folder.
fn command(folder: &Folder, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flexgrip"));
    command.args(arguments.split_whitespace()).current_dir(folder.path());
    command
}

fn flexgrip(folder: &Folder, arguments: &str) -> Output {
    command(folder, arguments).output().unwrap()
}

#[track_caller]
fn succeeds(folder: &Folder, arguments: &str) -> String {
    let output = flexgrip(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const RUN: &str = "run k.cl -DN=1 --kernel saxpy --global 64 --local 32 --arg float:2 --arg buffer:float:64=range";

#[test]
fn results_are_equal_on_all_engines() {
    let Some(folder) = folder() else { return };
    for engine in ["model", "rtl"] {
        let text = succeeds(&folder, &format!("{RUN} --arg buffer:float:64 --engine {engine}"));
        let shown = "argument 2, 64 of float: 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 ...\n";
        assert!(text.contains(shown), "{engine}: {text}");
    }
    succeeds(
        &folder,
        &format!("{RUN} --arg buffer:float:64 --engine model --result 2=y.npy --result 2=y.csv"),
    );
    let csv = std::fs::read_to_string(folder.path().join("y.csv")).unwrap();
    assert!(csv.starts_with("1\n3\n5\n") && csv.lines().count() == 64, "{csv}");
    // The file as input: x is the previous y.
    let again = RUN.replace("buffer:float:64=range", "buffer:float=y.npy");
    let text = succeeds(&folder, &format!("{again} --arg buffer:float:64 --engine model"));
    assert!(text.contains("argument 2, 64 of float: 3 7 11 15"), "{text}");
}

/// Each slice of the third dimension is a launch that continues with the memory of the previous one.
#[test]
fn slices_are_consecutive_launches() {
    let Some(folder) = folder() else { return };
    let run =
        "run k.cl -DN=1 --kernel where --global 4,2,2 --local 2,2,1 --arg buffer:uint:16 --engine model --result 0";
    let text = succeeds(&folder, run);
    let shown = "argument 0, 16 of uint: 0 1 2 3 4 5 6 7 108 109 110 111 112 113 114 115\n";
    assert!(text.contains(shown), "{text}");
}

/// A grid of more groups than the machine supports is split into several launches.
#[test]
fn large_grid_is_split_into_launches() {
    let Some(folder) = folder() else { return };
    let text = "kernel void mark(global uint *a) { if (get_global_id(0) >= 65533) a[get_global_id(0) - 65533] = get_group_id(0) \
                + get_num_groups(0); }\n\
                kernel __attribute__((reqd_work_group_size(4, 1, 1))) void four(global uint *a) {\n\
                a[get_global_id(0)] = get_local_size(0) * 10 + get_group_id(0); }\n";
    std::fs::write(folder.path().join("large.cl"), text).unwrap();
    let run = "run large.cl --engine model --result 0 --arg buffer:uint:8";
    let text = succeeds(&folder, &format!("{run} --kernel mark --global 65538"));
    let shown = "argument 0, 8 of uint: 131071 131072 131073 131074 131075 0 0 0\n";
    assert!(text.contains(shown), "{text}");
    // Without --local, a group has the size that the source requires.
    let text = succeeds(&folder, &format!("{run} --kernel four --global 8"));
    assert!(
        text.contains("argument 0, 8 of uint: 40 40 40 40 41 41 41 41\n"),
        "{text}"
    );
    let output = flexgrip(&folder, &format!("{run} --kernel four --global 8 --local 2"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("reqd_work_group_size, [4, 1, 1]"), "{text}");
}

/// A timeline shows a single launch, with the lines of the source.
#[test]
fn timeline_names_source_lines() {
    let Some(folder) = folder() else { return };
    let run = format!("{RUN} --arg buffer:float:64 --engine model --timeline t.json");
    succeeds(&folder, &run);
    let text = std::fs::read_to_string(folder.path().join("t.json")).unwrap();
    assert!(text.contains("\"source\":\"k.cl:3\""), "{text}");
    let slices = "run k.cl -DN=1 --kernel where --global 4,2,2 --arg buffer:uint:16 --engine model --timeline u.json";
    let output = flexgrip(&folder, slices);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains("--timeline") && text.contains("apply to a single launch"),
        "{text}"
    );
    assert!(!folder.path().join("u.json").exists());
}

/// A table in the source is in global memory, which is only initialised in a launch of the source.
#[test]
fn module_variables_are_initialised() {
    let Some(folder) = folder() else { return };
    let run = "run k.cl -DN=1 --kernel table --global 6 --arg buffer:float:6 --engine";
    for engine in ["model", "rtl"] {
        let text = succeeds(&folder, &format!("{run} {engine} --result 0"));
        let shown = "argument 0, 6 of float: 1 10 100 1000 1 10\n";
        assert!(text.contains(shown), "{engine}: {text}");
    }
    let output = flexgrip(&folder, "compile k.cl -DN=1 --kernel table -o k.cubin");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("table reads "), "{text}");
    assert!(text.contains("the address of the module's variables"), "{text}");
}

/// Each vector of three in a table takes the space of four.
#[test]
fn tables_of_vectors_of_three_are_padded() {
    let Some(folder) = folder() else { return };
    let run = "run k.cl -DN=1 --kernel tables --global 2 --arg buffer:int:20 --arg int:1 --engine model --result 0";
    let text = succeeds(&folder, run);
    let shown = "argument 0, 20 of int: 1 3 8 10 13 25 31 35 38 0 4 6 15 17 20 28 32 39 42 34\n";
    assert!(text.contains(shown), "{text}");
}

/// clang 19 cannot compile comparisons of two `short2`.
#[test]
fn short2_comparisons_fail_in_clang() {
    let Some(folder) = folder() else { return };
    let run = "run k.cl -DN=1 --kernel compares --global 2 --arg buffer:int:10 --arg buffer:short:6=range --engine model --result 0";
    let text = succeeds(&folder, run);
    let shown = "argument 0, 10 of int: 0 -1 0 65535 0 0 -1 0 0 1\n";
    assert!(text.contains(shown), "{text}");
}

/// The processor's own OpenCL is the reference; without it, the error explains how to install it.
#[test]
fn buffers_are_compared_with_the_processor() {
    let Some(folder) = folder() else { return };
    let run = format!("{RUN} --arg buffer:float:64 --engine model --compare cpu");
    let output = flexgrip(&folder, &run);
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("apt-get install pocl-opencl-icd") {
        assert_eq!(output.status.code(), Some(1), "{errors}");
        return flexgrip_skip::skip(errors);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{errors}");
    assert!(
        text.contains("argument 1, float: the same in all 64\nargument 2, float: the same in all 64\nthe same as on "),
        "{text}"
    );
    // Quotients are rounded differently, so integers converted from them differ.
    let quotients =
        "run k.cl -DN=1 --kernel quotients --global 64 --local 32 --arg buffer:float:64=random --engine model";
    let less = format!("{quotients} --arg buffer:float:64 --arg buffer:int:64 --compare cpu");
    let json: serde_json::Value = serde_json::from_slice(&flexgrip(&folder, &format!("{less} --json")).stdout).unwrap();
    let buffers = json["comparison"]["buffers"].as_array().unwrap();
    assert_eq!(json["comparison"]["tolerance"], 16);
    assert_eq!(
        (&buffers[0]["different"], &buffers[0]["within"]),
        (&0.into(), &true.into())
    );
    assert!(
        buffers[1]["worst"]["ulp"]
            .as_u64()
            .is_some_and(|ulp| (1..=2).contains(&ulp)),
        "{json}"
    );
    assert!(
        buffers[1]["worst"]["absolute"]
            .as_f64()
            .is_some_and(|absolute| absolute < 1e-6),
        "{json}"
    );
    assert_eq!(
        (&buffers[1]["within"], &buffers[2]["within"]),
        (&true.into(), &false.into()),
        "{json}"
    );
    for (arguments, code) in [
        (less.clone(), 1),
        (
            format!("{quotients} --arg buffer:float:64 --arg int:0 --compare cpu"),
            1,
        ),
        (less.replace("-DN=1", "-DN=0"), 0),
        (less.replace("-DN=1", "-DN=0") + " --tolerance 0", 1),
        (less.replace("--compare cpu", "--tolerance 3"), 2),
    ] {
        let output = flexgrip(&folder, &arguments);
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {text}");
    }
}

#[test]
fn compiled_programs_assemble_again() {
    let Some(folder) = folder() else { return };
    succeeds(&folder, "compile k.cl -D N=1 --kernel saxpy -o k.sass");
    succeeds(&folder, "compile k.cl -D N=1 --kernel saxpy -o k.hex");
    succeeds(&folder, "compile k.cl -D N=1 --kernel saxpy -o k.cubin");
    // The assembler produces the same words from the text.
    assert_eq!(
        succeeds(&folder, "asm k.sass"),
        std::fs::read_to_string(folder.path().join("k.hex")).unwrap()
    );
    assert!(succeeds(&folder, "disasm k.cubin").contains("saxpy"));
    let explained = succeeds(&folder, "compile k.cl -DN=1 --kernel saxpy --explain");
    assert!(
        explained.contains("//    3      y[i] = a * x[i] + N;\n/*"),
        "{explained}"
    );
    assert!(succeeds(&folder, "compile k.cl -DN=1 --kernel saxpy --emit ptx").contains(".entry saxpy"));
    assert!(succeeds(&folder, "compile k.cl -DN=1 --kernel saxpy --emit ir").starts_with("kernel saxpy:"));
    assert!(succeeds(&folder, "compile k.cl -DN=1 --kernel saxpy --fast-math").contains("FMAD"));
}

#[test]
fn errors_are_reported_with_their_location() {
    let Some(folder) = folder() else { return };
    for (arguments, code, message) in [
        (
            "compile bad.cl",
            1,
            "bad.cl:2:3: error: use of undeclared identifier 'x'",
        ),
        ("compile missing.cl", 1, "missing.cl: cannot read the source"),
        (
            "compile k.cl -DN=1",
            2,
            "there are several kernels; expected --kernel with one of saxpy, where, quotients, table",
        ),
        (
            "compile k.cl -DN=1 --kernel no",
            2,
            "there is no kernel `no`; expected one of saxpy, where, quotients, table",
        ),
        (
            "compile k.cl --options -cl-nothing",
            2,
            "unknown build option `-cl-nothing`",
        ),
        (
            "compile k.cl -DN=1 --kernel saxpy -o k.exe",
            1,
            "unknown kind of output; expected a .cubin, .sass,",
        ),
        ("run k.cl -DN=1 --kernel saxpy", 2, "OpenCL C needs --global"),
        (
            "run k.cl -DN=1 --kernel saxpy --global 64",
            2,
            "takes 3 arguments; found 0",
        ),
        (
            "run k.cl -DN=1 --kernel where --global 64 --local 7 --arg buffer:uint:64",
            2,
            "is not a multiple",
        ),
        (
            "run k.cl -DN=1 --kernel where --global 64 --arg int:5 --result 0",
            2,
            "argument 0 is not a buffer",
        ),
        (
            "run k.cl -DN=1 --kernel where --global 64 --arg buffer:what:5",
            2,
            "`what` is not a type",
        ),
        ("run . --global 64", 2, "are for OpenCL C"),
    ] {
        let output = flexgrip(&folder, arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(message), "{arguments}: {text}");
        assert_eq!(output.status.code(), Some(code), "{arguments}: {text}");
    }
}

/// Tests a byte-order mark, Latin-1, and plain `inline`. A warning is not printed before an error.
#[test]
fn unusual_source_files_are_accepted() {
    let Some(folder) = folder() else { return };
    let source = b"\xef\xbb\xbf// 5 \xb5m\ninline __attribute__((noinline)) int seven(void) { return 7; }\n\
                   kernel void k(global int *a) { a[get_global_id(0)] = seven(); }\n\
                   kernel void counts(global int *a) { atom_inc(a); }\n#warning old\n";
    std::fs::write(folder.path().join("old.cl"), source).unwrap();
    let run = "run old.cl --kernel k --global 2 --local 2 --arg buffer:int:2 --engine model";
    assert!(succeeds(&folder, run).contains("argument 0, 2 of int: 7 7\n"));
    let output = flexgrip(&folder, "compile old.cl --kernel counts");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        message.contains(
            "old.cl:4:37: atomic operations on global memory need compute capability 1.1, and this device has 1.0: choose \
             another by --capability"
        ),
        "{message}"
    );
    assert!(!message.contains("old\n"), "{message}");
}

/// Tests `--capability` of compile and run: atomic functions compile where the device has them.
#[test]
fn atomics_need_a_capability() {
    let Some(folder) = folder() else { return };
    let source = "kernel void counts(global int *a) { atomic_inc(a); }\n\
                  kernel void has(global int *a) {\n#ifdef cl_khr_local_int32_base_atomics\na[0] = 2;\n#endif\n}\n";
    std::fs::write(folder.path().join("count.cl"), source).unwrap();
    let run = "run count.cl --kernel counts --global 64 --local 32 --arg buffer:int:1=zero";
    for engine in ["", "--engine model", "--engine model --capability 1.1"] {
        assert!(succeeds(&folder, &format!("{run} {engine}")).contains("argument 0, 1 of int: 64\n"));
    }
    let needs =
        "count.cl:1:37: atomic operations on global memory need compute capability 1.1, and this device has 1.0";
    for arguments in [
        &format!("{run} --capability 1.0"),
        &format!("{run} --engine model --capability 1.0"),
        "compile count.cl --kernel counts",
    ] {
        let output = flexgrip(&folder, arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {message}");
        assert!(message.contains(needs), "{arguments}: {message}");
    }
    let text = succeeds(&folder, "compile count.cl --kernel counts --capability 1.3");
    assert!(text.contains("IADD.U32 global14[R"), "{text}");
    succeeds(
        &folder,
        "compile count.cl --kernel counts --capability 1.3 -o count.cubin",
    );
    assert!(succeeds(&folder, "disasm count.cubin").contains("IADD.U32 global14[R"));
    let has = "run count.cl --kernel has --global 1 --arg buffer:int:1=zero --engine model --capability";
    for (capability, is_defined) in [("1.1", false), ("1.2", true)] {
        let text = succeeds(&folder, &format!("{has} {capability}"));
        assert_eq!(
            text.contains("argument 0, 1 of int: 2\n"),
            is_defined,
            "{capability}: {text}"
        );
    }
}

/// Runs OpenCL C on the model and on circuits of every size; each must print these words.
#[track_caller]
fn prints_on_all_sizes(folder: &Folder, launch: &str, wanted: &str) {
    for engine in ["--engine model", "", "--lanes 16", "--lanes 32 --sms 2"] {
        let text = succeeds(folder, &format!("run {launch} {engine}"));
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(wanted), "{engine}: {text}");
    }
}

/// A histogram in local memory: its counters are locked, on circuits of every size and on the model.
#[test]
fn local_atomics_count_on_circuits() {
    let Some(folder) = folder() else { return };
    let source = "kernel void counts(global int *out) {\n\
                  local int h[5]; int l = get_local_id(0); if (l < 5) h[l] = 0; barrier(CLK_LOCAL_MEM_FENCE);\n\
                  atomic_add(&h[l * l % 5], l); atomic_inc(&h[l & 3]); barrier(CLK_LOCAL_MEM_FENCE);\n\
                  if (l < 5) out[5 * get_group_id(0) + l] = h[l]; }\n";
    std::fs::write(folder.path().join("local.cl"), source).unwrap();
    let counts = (0..5).map(|word| {
        let added: usize = (0..96).filter(|l| l * l % 5 == word).sum();
        (added + if word < 4 { 24 } else { 0 }).to_string()
    });
    let counts = counts.collect::<Vec<_>>().join(" ");
    let launch = "local.cl --kernel counts --global 288 --local 96 --arg buffer:int:15=zero";
    let wanted = format!("argument 0, 15 of int: {counts} {counts} {counts}");
    prints_on_all_sizes(&folder, launch, &wanted);
    succeeds(&folder, &format!("lockstep {launch}"));
}

/// Doubles on circuits of every size and on the model: each result is rounded as this processor rounds it.
#[test]
fn doubles_compute_on_circuits() {
    let Some(folder) = folder() else { return };
    let source = "kernel void d(global ulong *out) { int i = get_global_id(0);\n\
                  out[i] = as_ulong(sqrt(i / 3.0) + fma((double)i, 0.1, -1e-3)); }\n";
    std::fs::write(folder.path().join("d.cl"), source).unwrap();
    let value = |i: u32| (f64::from(i) / 3.0).sqrt() + f64::from(i).mul_add(0.1, -1e-3);
    let values: Vec<String> = (0..12).map(|i| value(i).to_bits().to_string()).collect();
    let wanted = format!("argument 0, 12 of ulong: {}", values.join(" "));
    let launch = "d.cl --global 12 --local 4 --arg buffer:ulong:12=zero";
    prints_on_all_sizes(&folder, launch, &wanted);
}

/// Uses the whole local memory, as a variable and as an argument, on the model and on the circuits.
#[test]
fn all_of_local_memory_can_be_used() {
    let Some(folder) = folder() else { return };
    let body = "int l = get_local_id(0); x[l] = l; x[4032 + l] = l; barrier(CLK_LOCAL_MEM_FENCE);\n\
                a[get_global_id(0)] = x[l ^ 1] + 100 * x[4032 + (l ^ 2)] + z; }\n";
    let source = format!(
        "kernel void own(global int *a, int z) {{ local int x[4096];\n{body}\
         kernel void given(global int *a, int z, local int *x) {{\n{body}"
    );
    std::fs::write(folder.path().join("all.cl"), source).unwrap();
    for engine in ["model", "rtl"] {
        for (kernel, more) in [("own", ""), ("given", "--arg local:16384")] {
            let printed = succeeds(
                &folder,
                &format!(
                    "run all.cl --kernel {kernel} --global 128 --local 64 --arg buffer:int:128 --arg int:5 {more} \
                     --engine {engine}"
                ),
            );
            assert!(printed.contains("argument 0, 128 of int: 206 305 8 107 "), "{printed}");
        }
    }
}

/// Ctrl-C ends the command, on every engine.
#[cfg(target_os = "linux")]
#[test]
fn interrupt_ends_a_run() {
    use std::time::{Duration, Instant};
    let Some(folder) = folder() else { return };
    let source = "kernel void spin(global volatile int *a) { while (a[0] == 0) a[1]++; }\n";
    std::fs::write(folder.path().join("spin.cl"), source).unwrap();
    for engine in ["model", "rtl"] {
        let arguments = [
            "run",
            "spin.cl",
            "--global",
            "64",
            "--local",
            "64",
            "--arg",
            "buffer:int:2",
            "--engine",
            engine,
        ];
        // A shell's background jobs ignore the signal, and then so do tests in them.
        let mut child = Command::new("env")
            .arg("--default-signal=INT")
            .arg(env!("CARGO_BIN_EXE_flexgrip"))
            .args(arguments)
            .current_dir(folder.path())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(1500));
        assert!(
            child.try_wait().unwrap().is_none(),
            "{engine}: it has ended uninterrupted"
        );
        let sent = Instant::now();
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(killed.unwrap().success());
        assert!(!child.wait().unwrap().success());
        assert!(
            sent.elapsed() < Duration::from_secs(1),
            "{engine}: {:?}",
            sent.elapsed()
        );
    }
}
