//! A check, in tests only, that every function that clang declares for OpenCL C has a definition.

use super::options::BuildOptions;
use super::program::ClangProgram;
use super::{builtins, extensions, find, process};
use flexgrip_isa::Capability;
use std::fmt::Write;
use std::process::Command;

/// Declarations with one of these words are skipped.
const WITHOUT: &[&str] = &["printf", "shared", "reserve_id_t", "queue_t", "pipe"];

/// Returns the functions of a preprocessed header: result, name, parameters. Attributes are skipped.
fn declarations(text: &str) -> Vec<(String, String, String)> {
    let mut plain = String::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        plain.push_str(line);
        plain.push(' ');
    }
    let mut found = Vec::new();
    for statement in plain.split(';') {
        let mut statement = statement.to_string();
        while let Some(from) = statement.find("__attribute__((") {
            let Some(length) = statement[from..].find("))") else {
                break;
            };
            statement.replace_range(from..from + length + 2, "");
        }
        let Some((head, parameters)) = statement.split_once('(') else {
            continue;
        };
        let Some((parameters, "")) = parameters.rsplit_once(')').map(|(inside, rest)| (inside, rest.trim())) else {
            continue;
        };
        let mut words = head.split_whitespace();
        let Some(name) = words.next_back() else { continue };
        let result: Vec<&str> = words.collect();
        if result.is_empty() || result.contains(&"typedef") || head.contains(['{', '}', '=']) {
            continue;
        }
        found.push((result.join(" "), name.to_string(), parameters.to_string()));
    }
    found
}

/// True for a type: one of these, or a vector of one.
fn is_type(word: &str) -> bool {
    let scalar = word.trim_end_matches(|c: char| c.is_ascii_digit());
    [
        "char",
        "uchar",
        "short",
        "ushort",
        "int",
        "uint",
        "long",
        "ulong",
        "float",
        "double",
        "size_t",
        "event_t",
        "half",
        "cl_mem_fence_flags",
    ]
    .contains(&scalar)
}

/// A source that calls each function, and the number of calls.
fn calls(declarations: &[(String, String, String)]) -> (String, usize) {
    let mut text = String::new();
    let mut count = 0;
    for (result, name, parameters) in declarations {
        let whole = format!("{result} {name} {parameters}");
        let of_half = |word: &str| {
            let word = word.trim_start_matches('*');
            word.strip_prefix("half")
                .is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
        };
        let halves = !name.contains("_half") && whole.split_whitespace().any(of_half);
        if halves || WITHOUT.iter().any(|word| whole.contains(word)) {
            continue;
        }
        let (mut named, mut arguments) = (Vec::new(), Vec::new());
        let given = parameters
            .split(',')
            .map(str::trim)
            .filter(|parameter| !["", "void"].contains(parameter));
        for (at, parameter) in given.enumerate() {
            let last = parameter.rsplit([' ', '*']).next().unwrap_or_default();
            // Some parameters have no names.
            if last.is_empty() || is_type(last) || last.ends_with("_t") {
                named.push(format!("{parameter} p{at}"));
                arguments.push(format!("p{at}"));
            } else {
                named.push(parameter.to_string());
                arguments.push(last.to_string());
            }
        }
        let give = if result == "void" { "" } else { "return " };
        writeln!(
            text,
            "{result} test_{count}({}) {{ {give}{name}({}); }}",
            named.join(", "),
            arguments.join(", ")
        )
        .expect("a string takes all");
        count += 1;
    }
    (text, count)
}

/// Returns clang's header after the preprocessor.
fn header(clang: &ClangProgram) -> String {
    let folder = Command::new(clang.path())
        .arg("-print-resource-dir")
        .output()
        .expect("clang runs");
    let folder = String::from_utf8(folder.stdout).expect("a path");
    let output = Command::new(clang.path())
        .args([
            "-E",
            "-x",
            "cl",
            "-target",
            "nvptx--nvcl",
            "-cl-std=CL1.2",
            "-cl-no-stdinc",
        ])
        .args(["-Xclang", &extensions::flag(Capability::V1_3)])
        .arg("-include")
        .arg(format!("{}/include/opencl-c-base.h", folder.trim()))
        .arg(format!("{}/include/opencl-c.h", folder.trim()))
        .output()
        .expect("clang runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn every_declared_function_is_defined() {
    let found = find::find(std::env::var_os("FLEXGRIP_CLANG"), std::env::var_os("PATH"));
    let Some(clang) = flexgrip_skip::found_or_skip(found) else {
        return;
    };
    let (text, count) = calls(&declarations(&header(&clang)));
    assert!(count > 7000, "only {count} declarations were understood");
    let bitcode = builtins::bitcode(&clang).expect("bitcode");
    let mut options = BuildOptions::default();
    options.set_capability(Capability::V1_3);
    let linked = process::linked(&clang, &text, &options, bitcode.path()).expect("compiled");
    let missing: Vec<&str> = linked
        .lines()
        .filter(|line| line.starts_with("declare ") && !line.contains("@llvm."))
        .collect();
    assert!(
        missing.is_empty(),
        "{} of {count}:\n{}",
        missing.len(),
        missing.join("\n")
    );
}

#[test]
fn declarations_are_understood() {
    let text = "# 1 \"x.h\"\nfloat4 __attribute__((overloadable)) __attribute__((const)) fmin(float4 x,\n float4 y);\n\
                typedef unsigned int uint;\nvoid __attribute__((overloadable)) vstore2(char2 data, size_t offset, char *p);\n\
                double sin(double x);\nuint get_work_dim(void);";
    let found = declarations(text);
    let names: Vec<&str> = found.iter().map(|(_, name, _)| name.as_str()).collect();
    assert_eq!(names, ["fmin", "vstore2", "sin", "get_work_dim"]);
    let (text, count) = calls(&found);
    assert_eq!(count, 4);
    assert!(text.contains("void test_1(char2 data, size_t offset, char *p) { vstore2(data, offset, p); }"));
    assert!(text.ends_with("uint test_3() { return get_work_dim(); }\n"));
}
