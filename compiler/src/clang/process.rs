//! Runs clang.

use super::{compares, group_size, tables, BuildOptions, Clang, ClangError, Ptx, Source};
use crate::Options;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// 32-bit PTX of the oldest target that all clangs know.
const TARGET: &[&str] = &["-target", "nvptx--nvcl", "-Xclang", "-target-cpu", "-Xclang", "sm_20"];

/// What every run for a source has: of the extensions only that of byte stores; no `double`, so that its literals are those of
/// `float`.
const FLAGS: &[&str] = &[
    "-x",
    "cl",
    "-Xclang",
    "-cl-ext=-all,+cl_khr_byte_addressable_store",
    "-cl-single-precision-constant",
    "-fno-color-diagnostics",
    "-fno-crash-diagnostics",
];

/// What a kernel has besides: lines of the source as `.loc`, without tables for a debugger, whose paths would also make
/// the text depend on the folder. clang leaves it to the driver to say the device's version.
const KERNEL_FLAGS: &[&str] = &[
    "-S",
    "-gline-directives-only",
    "-fdebug-compilation-dir=.",
    "-D__OPENCL_VERSION__=100",
];

/// What the builtins have besides. Nothing is contracted in them: FMAD cuts its product, which the exact steps of argument
/// reduction do not bear. They are optimised with the kernel that uses them: as a whole, before anybody uses them, that would
/// take ten times as long as reading them, and no kernel would compile faster.
const BUILTIN_FLAGS: &[&str] = &[
    "-c",
    "-emit-llvm",
    "-cl-std=CL1.2",
    "-O2",
    "-Xclang",
    "-disable-llvm-passes",
    "-ffp-contract=off",
    "-Werror",
];

/// The flags of the builtins' bitcode.
pub fn builtin_flags() -> impl Iterator<Item = &'static str> {
    TARGET.iter().chain(FLAGS).chain(BUILTIN_FLAGS).copied()
}

/// Compiles the builtins to bitcode.
pub fn bitcode(clang: &Clang, text: &str) -> Result<Vec<u8>, ClangError> {
    let mut command = Command::new(clang.path());
    command.args(builtin_flags());
    let output = run(clang, command, text)?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(failed(
            clang,
            format!("it does not compile the builtins: {}", log(&output)),
        )),
    }
}

/// The command for a kernel's source.
fn of_source(clang: &Clang, options: &BuildOptions) -> Command {
    let mut command = Command::new(clang.path());
    command
        .args(TARGET)
        .args(FLAGS)
        .args(KERNEL_FLAGS)
        .args(options.flags());
    command
}

/// Compiles a kernel's source to PTX.
pub fn ptx(clang: &Clang, source: &Source, options: &BuildOptions, bitcode: &Path) -> Result<Ptx, ClangError> {
    if source.name.contains(['\n', '\r', '\0']) {
        return Err(ClangError::Name(source.name.to_string()));
    }
    let name = source.name.replace('\\', "\\\\").replace('"', "\\\"");
    let source_text = format!("#line 1 \"{name}\"\n{}", source.text);
    let optimised = || {
        let mut command = of_source(clang, options);
        command
            .args(["-Xclang", "-mlink-builtin-bitcode", "-Xclang"])
            .arg(bitcode);
        command
    };
    let (output, sizes) = std::thread::scope(|scope| {
        let flags = options.flags();
        let mut places = flags
            .iter()
            .map(|flag| flag.to_string_lossy())
            .chain([source.text.into()]);
        let sizes = places
            .any(|text| group_size::may_be_required(&text))
            .then(|| scope.spawn(|| representation(clang, &source_text, options)));
        let output = run(clang, optimised(), &source_text);
        let sizes = sizes.map(|sizes| {
            sizes
                .join()
                .unwrap_or_else(|_| Err(failed(clang, "its thread failed".into())))
        });
        (output, sizes.unwrap_or(Ok(String::new())))
    });
    let mut output = output?;
    if !output.status.success() && compares::is_reason(&log(&output)) {
        output = by_element(clang, optimised(), &source_text, options)?;
    }
    let log = log(&output);
    if output.status.success() {
        let text = String::from_utf8(output.stdout).map_err(|_| failed(clang, "its PTX is not UTF-8".into()))?;
        let text = match tables::may_be_short(&text) {
            true => with_filled_tables(clang, text, optimised(), &source_text)?,
            false => text,
        };
        let text = group_size::add(text, &group_size::required(&sizes?)).map_err(|message| failed(clang, message))?;
        return Ok(Ptx {
            text,
            log,
            options: Options {
                contract: true,
                ..Options::default()
            },
        });
    }
    match output.status.code() {
        Some(1) => Err(ClangError::Source { log }),
        _ => Err(failed(clang, format!("{}: {log}", output.status))),
    }
}

/// A source as bitcode's text, not optimised and without the builtins.
fn representation(clang: &Clang, source: &str, options: &BuildOptions) -> Result<String, ClangError> {
    let mut command = of_source(clang, options);
    command.args(["-emit-llvm", "-Xclang", "-disable-llvm-passes", "-w"]);
    text(clang, command, source)
}

/// A source's PTX with vectors of two compared by element, and the warnings. The command is that of its PTX.
fn by_element(clang: &Clang, mut command: Command, source: &str, options: &BuildOptions) -> Result<Output, ClangError> {
    command.arg("-emit-llvm");
    let mut output = run(clang, command, source)?;
    if output.status.success() {
        let representation = String::from_utf8_lossy(&output.stdout);
        let mut command = of_representation(clang);
        // What is only for the source's language has no effect.
        command.arg("-Qunused-arguments").args(options.flags());
        output.stdout = text(clang, command, &compares::by_element(&representation))?.into_bytes();
    }
    Ok(output)
}

/// The command from a representation to PTX, without optimising.
fn of_representation(clang: &Clang) -> Command {
    let mut command = Command::new(clang.path());
    command
        .args(["-x", "ir"])
        .args(TARGET)
        .args(["-S", "-fno-crash-diagnostics", "-Xclang", "-disable-llvm-passes"]);
    command
}

/// A source's PTX, its tables filled up. The command is that of its PTX.
fn with_filled_tables(clang: &Clang, ptx: String, mut command: Command, source: &str) -> Result<String, ClangError> {
    command.args(["-emit-llvm", "-w"]);
    let representation = text(clang, command, source)?;
    let Some(filled) = tables::filled(&representation).map_err(|message| failed(clang, message))? else {
        return Ok(ptx);
    };
    let other = text(clang, of_representation(clang), &filled)?;
    tables::with_tables(&ptx, &other).map_err(|message| failed(clang, message))
}

/// The text that clang writes; what is wrong with a source another run says.
fn text(clang: &Clang, command: Command, input: &str) -> Result<String, ClangError> {
    let output = run(clang, command, input)?;
    match output.status.success() {
        true => String::from_utf8(output.stdout).map_err(|_| failed(clang, "its text is not UTF-8".into())),
        false => Err(failed(clang, log(&output))),
    }
}

/// A source as bitcode's text, linked with the builtins but not optimised.
#[cfg(test)]
pub fn linked(clang: &Clang, text: &str, options: &BuildOptions, bitcode: &Path) -> Result<String, ClangError> {
    let mut command = Command::new(clang.path());
    command.args(TARGET).args(FLAGS).args(options.flags());
    command.args(["-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"]);
    command
        .args(["-Xclang", "-mlink-builtin-bitcode", "-Xclang"])
        .arg(bitcode);
    let output = run(clang, command, text)?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(ClangError::Source { log: log(&output) }),
    }
}

fn failed(clang: &Clang, message: String) -> ClangError {
    ClangError::Failed {
        program: clang.path().to_path_buf(),
        message,
    }
}

fn log(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs it with a text as its input.
fn run(clang: &Clang, mut command: Command, text: &str) -> Result<Output, ClangError> {
    let error = |error: std::io::Error| failed(clang, format!("it cannot be run: {error}"));
    command.args(["-o", "-", "-"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(error)?;
    let input = child.stdin.take();
    std::thread::scope(|scope| {
        // Beside reading, for neither side may wait for the other. If clang ends before it has read all, its exit code
        // and messages say why.
        scope.spawn(move || input.map(|mut input| input.write_all(text.as_bytes())));
        child.wait_with_output().map_err(error)
    })
}
