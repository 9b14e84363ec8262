//! Features that a device may not have, for which clang refuses a whole source: atomics of OpenCL 1.0, `double` and
//! `half`.
//!
//! A source that uses one is compiled again with it declared. The back end then refuses the kernels that use it,
//! with their lines, and the other kernels of the source can be used. Samplers without `const` are also accepted by a
//! second run.

use std::fmt::Write;

/// Flags and declarations for the second run.
#[derive(Debug, PartialEq, Eq)]
pub struct Given {
    /// Further flags.
    pub flags: Vec<&'static str>,
    /// Text that clang reads before the source.
    pub prelude: String,
}

/// Flags that remove `inline` from the source: each function then has a body in the PTX, and the back end inlines it.
pub const NOT_INLINE: &[&str] = &["-Dinline=", "-D__inline=", "-D__inline__="];

/// Extensions that declare types, each with its types.
const EXTENSIONS: &[(&str, &[&str])] = &[
    ("cl_khr_fp64", &["-Xclang", "-cl-ext=+cl_khr_fp64"]),
    ("cl_khr_fp16", &["-Xclang", "-cl-ext=+cl_khr_fp16"]),
];

/// Flags for a sampler of the program without `const`, which other compilers accept: every `sampler_t` gets one, and
/// a second `const` causes no warning.
const CONSTANT_SAMPLERS: &[&str] = &["-Dsampler_t=const sampler_t", "-Wno-duplicate-decl-specifier"];

/// Atomic functions of OpenCL 1.0, with the number of operands after the pointer.
const ATOMICS: &[(&str, usize)] = &[
    ("inc", 0),
    ("dec", 0),
    ("add", 1),
    ("sub", 1),
    ("xchg", 1),
    ("min", 1),
    ("max", 1),
    ("and", 1),
    ("or", 1),
    ("xor", 1),
    ("cmpxchg", 2),
];

/// The flags and declarations for a second run, from clang's messages.
pub fn wanted(log: &str) -> Option<Given> {
    let (mut flags, mut prelude) = (Vec::new(), String::new());
    let errors = || log.lines().filter(|line| line.contains(": error: "));
    for (extension, flag) in EXTENSIONS {
        if errors().any(|line| line.contains(extension)) || (*extension == "cl_khr_fp16" && errors().any(is_of_half)) {
            flags.extend(*flag);
            // Writing to a string does not fail.
            let _ = writeln!(prelude, "#pragma OPENCL EXTENSION {extension} : enable");
        }
    }
    if errors().any(|line| line.contains("global sampler requires a const")) {
        flags.extend(CONSTANT_SAMPLERS);
    }
    if errors().any(|line| line.contains("'atom_")) {
        for (name, operands) in ATOMICS {
            for space in ["__global", "__local"] {
                for ty in ["int", "uint", "long", "ulong"] {
                    let more = format!(", {ty}").repeat(*operands);
                    let _ = writeln!(
                        prelude,
                        "{ty} __attribute__((overloadable)) atom_{name}(volatile {space} {ty} *{more});"
                    );
                }
            }
        }
        for space in ["__global", "__local"] {
            let _ = writeln!(
                prelude,
                "float __attribute__((overloadable)) atom_xchg(volatile {space} float *, float);"
            );
        }
    }
    (!(flags.is_empty() && prelude.is_empty())).then_some(Given { flags, prelude })
}

/// True for an atomic function of OpenCL 1.0.
pub fn is_atomic(name: &str) -> bool {
    let operation = name.strip_prefix("atom_");
    operation.is_some_and(|operation| ATOMICS.iter().any(|(name, _)| *name == operation))
}

/// True if a message is about `half` as a type of values. Not all of these messages name the extension.
pub fn is_of_half(message: &str) -> bool {
    let words = message.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    message.contains("is not allowed") && words.clone().any(|word| word == "half")
}

/// True if the PTX declares a function of the source without its body.
pub fn has_missing_bodies(ptx: &str) -> bool {
    ptx.split("\n.func").skip(1).any(|function| {
        let Some(end) = function
            .find([';', '{'])
            .filter(|end| function[*end..].starts_with(';'))
        else {
            return false;
        };
        // A declaration is `(results) name\n(parameters)`; the results are optional.
        let head = function[..end].trim_start();
        let head = match head.strip_prefix('(') {
            Some(results) => results.split_once(')').map_or("", |(_, head)| head.trim_start()),
            None => head,
        };
        let name = head
            .split(|c: char| c.is_whitespace() || c == '(')
            .next()
            .unwrap_or_default();
        // OpenCL's own functions are overloaded, so they have mangled names.
        !(name.starts_with("_Z") || name.starts_with("__translate_sampler") || name == "printf")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_determine_flags_and_declarations() {
        assert_eq!(wanted("k.cl:1:2: error: use of undeclared identifier 'x'"), None);
        assert_eq!(
            wanted("k.cl:1:2: warning: unsupported OpenCL extension 'cl_khr_fp64' - ignoring"),
            None
        );
        let double = wanted("k.cl:1:2: error: use of type 'double' requires cl_khr_fp64 support").expect("doubles");
        assert_eq!(double.flags, ["-Xclang", "-cl-ext=+cl_khr_fp64"]);
        let half = wanted("k.cl:1:2: error: declaring variable of type '__private half' is not allowed");
        assert_eq!(half.expect("halves").flags, ["-Xclang", "-cl-ext=+cl_khr_fp16"]);
        let atomics = wanted("k.cl:1:2: error: use of undeclared identifier 'atom_inc'").expect("atomics");
        assert!(atomics.flags.is_empty() && atomics.prelude.contains("atom_inc(volatile __local uint *);"));
    }

    #[test]
    fn functions_without_bodies() {
        let ptx = |head: &str| format!("// PTX\n.func  {head}\n\n.entry k()\n{{\n\tret;\n}}\n");
        for (head, missing) in [
            ("(.param .b32 func_retval0) un\n(\n\t.param .b32 un_param_0\n)\n;", true),
            ("un\n(\n\t.param .b32 un_param_0\n)\n;", true),
            ("un()\n;", true),
            (
                "(.param .b32 func_retval0) un(\n\t.param .b32 un_param_0\n)\n{\n\tret;\n}",
                false,
            ),
            (
                "(.param .b32 func_retval0) _Z4sqrtf\n(\n\t.param .b32 _Z4sqrtf_param_0\n)\n;",
                false,
            ),
            (
                "(.param .align 16 .b8 func_retval0[16]) _Z3foof\n(\n\t.param .b32 a\n)\n;",
                false,
            ),
            (
                "(.param .b32 func_retval0) printf\n(\n\t.param .b32 printf_param_0\n)\n;",
                false,
            ),
        ] {
            assert_eq!(has_missing_bodies(&ptx(head)), missing, "{head}");
        }
    }
}
