//! The front end: OpenCL C through clang. Without clang, these tests print "skipped".

mod frontend;

use flexgrip_compiler::clang::{BuildOptions, ClangError, Ptx, Source};
use flexgrip_compiler::{compile, ptx};
use frontend::clang;

fn build(text: &(impl AsRef<[u8]> + ?Sized), options: &str) -> Option<Result<Ptx, ClangError>> {
    let options = BuildOptions::parse(options).expect("options");
    let source = Source {
        name: "my kernel.cl",
        text: text.as_ref(),
    };
    Some(clang()?.ptx(&source, &options))
}

fn built(text: &(impl AsRef<[u8]> + ?Sized), options: &str) -> Option<Ptx> {
    Some(build(text, options)?.unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn kernels_have_lines_and_offset() {
    let text = "kernel void k(global float *a, float x) {\n    uint i = get_global_id(0);\n    a[i] = a[i] * x;\n}\n";
    let Some(ptx) = built(text, "") else { return };
    assert_eq!(ptx.log, "");
    assert!(ptx.text.contains("my kernel.cl"), "{}", ptx.text);
    let module = ptx::parse(&ptx.text).unwrap_or_else(|error| panic!("{error}\n{}", ptx.text));
    let kernel = module.kernels().next().expect("a kernel");
    let compiled = compile(&module, kernel, &ptx.options).unwrap_or_else(|error| panic!("{error}\n{}", ptx.text));
    assert_eq!(compiled.hidden.len(), 1, "the global offset");
    let mut lines: Vec<u32> = compiled.program.lines.iter().map(|(_, line)| *line).collect();
    lines.sort_unstable();
    lines.dedup();
    // The return is part of the last instruction.
    assert_eq!(lines, [2, 3]);
}

#[test]
fn mistakes_have_the_users_names() {
    let text = "#define TWICE(x) 2 * x\nkernel void k(global int *a) {\n  a[0] = y;\n}\n";
    let Some(result) = build(text, "") else { return };
    let Err(ClangError::Source { log }) = result else {
        panic!("{result:?}")
    };
    assert!(
        log.starts_with("my kernel.cl:3:10: error: use of undeclared identifier 'y'"),
        "{log}"
    );
    let odd = Source {
        name: "a\nb",
        text: b"",
    };
    let Some(clang) = clang() else { return };
    let error = clang.ptx(&odd, &BuildOptions::default());
    assert_eq!(error, Err(ClangError::Name("a\nb".to_string())));
    for name in ["a\"b\\c.cl", "%n {}", "", "ä.cl"] {
        let source = Source {
            name,
            text: text.as_bytes(),
        };
        let Err(ClangError::Source { log }) = clang.ptx(&source, &BuildOptions::default()) else {
            panic!("{name} has no mistake")
        };
        assert!(
            log.starts_with(&format!("{name}:3:10: error:")) || name.is_empty(),
            "{log}"
        );
    }
}

#[test]
fn options_reach_clang() {
    let text = "kernel void k(global float *a) {\n  a[0] = N * 1.5 + __OPENCL_C_VERSION__ + __OPENCL_VERSION__;\n}\n";
    let Some(ptx) = built(text, "-DN=2 -cl-std=CL1.1") else {
        return;
    };
    assert_eq!(ptx.log, "", "a double literal is one of float");
    // 3 + 110 + 100
    assert!(ptx.text.contains(&format!("{}", 213.0f32.to_bits())), "{}", ptx.text);
    let warned = "#warning old\nkernel void k(global int *a) { a[0] = 1; }\n";
    let log = |options: &str| built(warned, options).expect("clang is there").log;
    assert!(log("").contains("my kernel.cl:1:2: warning: old"), "{}", log(""));
    assert_eq!(log("-w"), "");
    assert!(matches!(build(warned, "-Werror"), Some(Err(ClangError::Source { .. }))));
    let sum = "kernel void k(global float *a) { a[0] = a[1] * a[2] + a[3]; }";
    let fused = |options: &str| built(sum, options).expect("clang is there").text.contains("fma.");
    assert!(!fused("") && fused("-cl-mad-enable") && fused("-cl-fast-relaxed-math"));
}

#[test]
fn included_files_keep_their_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("part.h"), "#define BODY a[0] = 1;\n#error no\n").expect("written");
    let mut options = BuildOptions::default();
    options.include(folder.path());
    let Some(clang) = clang() else { return };
    let source = Source {
        name: "k.cl",
        text: b"#include \"part.h\"\n",
    };
    let Err(ClangError::Source { log }) = clang.ptx(&source, &options) else {
        panic!("the header has an error")
    };
    assert!(log.contains("part.h:2:2: error: no"), "{log}");
}

/// clang 19 leaves `reqd_work_group_size` out of its PTX. The sizes may depend on anything in the source, and on the
/// options.
#[test]
fn required_work_group_sizes() {
    let attribute = "__attribute__((reqd_work_group_size(N * 2, 2, 1)))";
    let sources = [
        (
            format!("kernel {attribute} void k(global int *a) {{ a[0] = 1; }}"),
            "-DN=4",
        ),
        (
            format!("#define N 4\n#define SIZED {attribute}\nkernel SIZED void k(global int *a) {{ a[0] = 1; }}"),
            "",
        ),
        (
            "kernel __attribute__((SIZED)) void k(global int *a) { a[0] = 1; }".to_string(),
            "-DSIZED=reqd_work_group_size(8,2,1)",
        ),
        (
            format!("enum {{ N = 4 }};\nkernel void other() {{}}\n{attribute} kernel void k() {{}}"),
            "",
        ),
    ];
    for (text, options) in sources {
        let Some(ptx) = built(&text, options) else { return };
        let module = ptx::parse(&ptx.text).unwrap_or_else(|error| panic!("{error}\n{}", ptx.text));
        for kernel in module.kernels() {
            let wanted = (kernel.name.text == "k").then_some([8, 2, 1]);
            let compiled = compile(&module, kernel, &ptx.options).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(compiled.required, wanted, "{text}\n{}", ptx.text);
        }
    }
    // The log contains the errors of a single run of clang.
    let Some(Err(ClangError::Source { log })) = build(
        "kernel __attribute__((reqd_work_group_size(0, 1, 1))) void k() { x; }",
        "",
    ) else {
        panic!("the source has an error")
    };
    assert_eq!(log.matches("undeclared identifier").count(), 1, "{log}");
}
