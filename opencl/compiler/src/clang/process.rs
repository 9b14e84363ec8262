//! Command lines and processes of clang.

use super::error::ClangError;
use super::llvm_ir::{arguments, compares, group_size, tables, unwritten};
use super::options::BuildOptions;
use super::program::ClangProgram;
use super::source::{Ptx, Source};
use super::{extensions, messages, refused, text};
use crate::options::Options;
use flexgrip_isa::Capability;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// 32-bit PTX of the oldest target that all clangs know.
const TARGET: &[&str] = &["-target", "nvptx--nvcl", "-Xclang", "-target-cpu", "-Xclang", "sm_20"];

/// Flags of every run for a source.
const FLAGS: &[&str] = &["-x", "cl", "-fno-color-diagnostics", "-fno-crash-diagnostics"];

/// Further flags for kernels: source lines as `.loc`, without debug tables, which have paths and would make the text
/// depend on the folder.
const KERNEL_FLAGS: &[&str] = &[
    "-S",
    "-gline-directives-only",
    "-fdebug-compilation-dir=.",
    "-D__IMAGE_SUPPORT__=1",
];

/// Further flags for the builtins. They must not be contracted: FMAD truncates its product, which would break the exact
/// steps of argument reduction. They are optimised with the kernel that uses them: optimising all of them in advance
/// would take ten times as long as reading them, without making kernels compile faster.
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

/// The flags of the builtins' bitcode, which is for devices of every capability.
pub fn builtin_flags() -> Vec<String> {
    let flags = TARGET.iter().chain(FLAGS).chain(BUILTIN_FLAGS);
    let mut flags: Vec<String> = flags.map(ToString::to_string).collect();
    let all = Capability::ALL.iter().max().copied().unwrap_or_default();
    flags.extend(["-Xclang".into(), extensions::flag(all)]);
    flags
}

/// Compiles the builtins to bitcode.
pub fn bitcode(clang: &ClangProgram, text: &str) -> Result<Vec<u8>, ClangError> {
    let mut command = Command::new(clang.path());
    command.args(builtin_flags());
    let output = run(clang, command, text.as_bytes())?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(failed(
            clang,
            format!("it does not compile the builtins: {}", log(&output)),
        )),
    }
}

/// The command for a kernel's source.
fn of_source(clang: &ClangProgram, options: &BuildOptions, more: &[&str]) -> Command {
    let mut command = Command::new(clang.path());
    command
        .args(TARGET)
        .args(FLAGS)
        .args(KERNEL_FLAGS)
        .args(["-Xclang", &extensions::flag(options.capability())])
        .arg(extensions::version_flag(options.capability()))
        .args(options.flags())
        .args(more);
    command
}

/// The first version of clang with an option that an array at the end of a struct has its declared size.
const FLEXIBLE: u32 = 16;

/// A source for clang, and how to compile it.
struct Job<'a> {
    clang: &'a ClangProgram,
    options: &'a BuildOptions,
    bitcode: &'a Path,
    /// Further flags.
    more: Vec<&'static str>,
    text: Vec<u8>,
    /// True if LLVM IR may have work-group sizes or declarations of parameters that the PTX does not have.
    extended: bool,
}

impl Job<'_> {
    /// The command for the source's PTX.
    fn command(&self) -> Command {
        let mut command = of_source(self.clang, self.options, &self.more);
        command
            .args(["-Xclang", "-mlink-builtin-bitcode", "-Xclang"])
            .arg(self.bitcode);
        command
    }

    /// Runs clang. On success the output is PTX and clang's messages, otherwise only messages.
    fn run(&self) -> Result<Output, ClangError> {
        let (output, extension) = std::thread::scope(|scope| {
            let extension = self.extended.then(|| scope.spawn(|| self.representation()));
            let output = match self.options.is_checked() {
                true => self.marked(),
                false => run(self.clang, self.command(), &self.text),
            };
            let extension = extension.map(|extension| {
                extension
                    .join()
                    .unwrap_or_else(|_| Err(failed(self.clang, "its thread failed".into())))
            });
            (output, extension.unwrap_or(Ok(String::new())))
        });
        let mut output = output?;
        if !output.status.success() && compares::is_reason(&log(&output)) {
            output = self.by_element()?;
        }
        if !output.status.success() {
            return Ok(output);
        }
        let failed = |message: String| failed(self.clang, message);
        let ptx = String::from_utf8(output.stdout).map_err(|_| failed("its PTX is not UTF-8".into()))?;
        let ptx = match tables::may_be_short(&ptx) {
            true => self.with_filled_tables(ptx)?,
            false => ptx,
        };
        let representation = extension?;
        let ptx = arguments::add(ptx, &arguments::declared(&representation)).map_err(failed)?;
        let ptx = group_size::add(ptx, &group_size::required(&representation)).map_err(failed)?;
        output.stdout = ptx.into_bytes();
        Ok(output)
    }

    /// The source's PTX for a checker, and the warnings.
    fn marked(&self) -> Result<Output, ClangError> {
        let mut command = self.command();
        command.args(["-emit-llvm", "-Xclang", "-disable-llvm-passes"]);
        if self.clang.version().major >= FLEXIBLE {
            command.arg("-fstrict-flex-arrays=3");
        }
        let first = run(self.clang, command, &self.text)?;
        if !first.status.success() {
            return Ok(first);
        }
        let marked = unwritten::marked(&String::from_utf8_lossy(&first.stdout));
        let mut command = Command::new(self.clang.path());
        command
            .args(["-x", "ir"])
            .args(TARGET)
            .args(["-S", "-fno-crash-diagnostics", "-Qunused-arguments"])
            .args(self.options.flags());
        let mut output = run(self.clang, command, marked.as_bytes())?;
        output.stderr = [first.stderr, output.stderr].concat();
        Ok(output)
    }

    /// Returns the source as text of LLVM IR, not optimised and without the builtins.
    fn representation(&self) -> Result<String, ClangError> {
        let mut command = of_source(self.clang, self.options, &self.more);
        command.args(["-emit-llvm", "-Xclang", "-disable-llvm-passes", "-w"]);
        written(self.clang, command, &self.text)
    }

    /// The source's PTX with vectors of two compared by element, and the warnings.
    fn by_element(&self) -> Result<Output, ClangError> {
        let mut command = self.command();
        command.arg("-emit-llvm");
        let mut output = run(self.clang, command, &self.text)?;
        if output.status.success() {
            let representation = String::from_utf8_lossy(&output.stdout);
            let mut command = of_representation(self.clang);
            // The input is LLVM IR: without this flag, clang would warn that options of the source language are unused.
            command.arg("-Qunused-arguments").args(self.options.flags());
            let compared = compares::by_element(&representation);
            output.stdout = written(self.clang, command, compared.as_bytes())?.into_bytes();
        }
        Ok(output)
    }

    /// Returns the PTX with padded tables.
    fn with_filled_tables(&self, ptx: String) -> Result<String, ClangError> {
        let failed = |message: String| failed(self.clang, message);
        let mut command = self.command();
        command.args(["-emit-llvm", "-w"]);
        let representation = written(self.clang, command, &self.text)?;
        let Some(filled) = tables::filled(&representation).map_err(failed)? else {
            return Ok(ptx);
        };
        let other = written(self.clang, of_representation(self.clang), filled.as_bytes())?;
        tables::with_tables(&ptx, &other).map_err(failed)
    }
}

/// Compiles a kernel's source to PTX.
///
/// If clang reports unsupported features that [`refused`] can declare, the source is compiled again with these
/// declarations: then the kernels that do not use the features are accepted.
pub fn ptx(clang: &ClangProgram, source: &Source, options: &BuildOptions, bitcode: &Path) -> Result<Ptx, ClangError> {
    if source.name.contains(['\n', '\r', '\0']) {
        return Err(ClangError::Name(source.name.to_string()));
    }
    let plain = text::plain(source.text).map_err(|message| ClangError::Source {
        log: format!("{}:1:1: error: {message}\n", source.name),
    })?;
    let flags = options.flags();
    let extended = flags
        .iter()
        .map(|flag| flag.to_string_lossy())
        .chain([String::from_utf8_lossy(plain)])
        .any(|text| group_size::may_be_required(&text) || arguments::may_be_needed(&text));
    let mut job = Job {
        clang,
        options,
        bitcode,
        more: Vec::new(),
        text: text::named(source.name, "", plain),
        extended: extended || options.has_argument_info(),
    };
    let mut output = job.run()?;
    let first = log(&output);
    if let Some(given) = refused::wanted(&first).filter(|_| output.status.code() == Some(1)) {
        job.more.extend(given.flags);
        job.text = text::named(source.name, &given.prelude, plain);
        // If the source has other errors, the user sees the messages of the first run.
        let other = job.run()?;
        if other.status.success() {
            output = other;
        }
    }
    if output.status.success() && refused::has_missing_bodies(&String::from_utf8_lossy(&output.stdout)) {
        // In C99, an `inline` function that is not inlined needs a definition in another file, which OpenCL does not
        // have.
        job.more.extend(refused::NOT_INLINE);
        let other = job.run()?;
        if other.status.success() {
            output = other;
        }
    }
    match output.status.code() {
        Some(0) => Ok(Ptx {
            text: String::from_utf8(output.stdout).map_err(|_| failed(clang, "its PTX is not UTF-8".into()))?,
            // The first run has no added declarations, which could cause warnings.
            log: messages::in_users_terms(&messages::warnings(&first), options.capability()),
            options: Options {
                contract: true,
                promoted: options.has_doubles() || job.more.iter().any(|flag| flag.contains("+cl_khr_fp64")),
                checked: options.is_checked(),
                capability: options.capability(),
                ..Options::default()
            },
        }),
        Some(1) => Err(ClangError::Source {
            log: messages::in_users_terms(&first, options.capability()),
        }),
        _ => Err(failed(clang, format!("{}: {first}", output.status))),
    }
}

/// The command that compiles LLVM IR to PTX, without optimising.
fn of_representation(clang: &ClangProgram) -> Command {
    let mut command = Command::new(clang.path());
    command
        .args(["-x", "ir"])
        .args(TARGET)
        .args(["-S", "-fno-crash-diagnostics", "-Xclang", "-disable-llvm-passes"]);
    command
}

/// Returns the output of clang. A failure is an error of clang, because another run reports errors in the source.
fn written(clang: &ClangProgram, command: Command, input: &[u8]) -> Result<String, ClangError> {
    let output = run(clang, command, input)?;
    match output.status.success() {
        true => String::from_utf8(output.stdout).map_err(|_| failed(clang, "its text is not UTF-8".into())),
        false => Err(failed(clang, log(&output))),
    }
}

/// Returns a source as text of LLVM IR, linked with the builtins but not optimised.
#[cfg(test)]
pub fn linked(clang: &ClangProgram, text: &str, options: &BuildOptions, bitcode: &Path) -> Result<String, ClangError> {
    let mut command = Command::new(clang.path());
    command.args(TARGET).args(FLAGS).args(options.flags());
    command.args(["-Xclang", &extensions::flag(options.capability())]);
    command.args(["-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes"]);
    command
        .args(["-Xclang", "-mlink-builtin-bitcode", "-Xclang"])
        .arg(bitcode);
    let output = run(clang, command, text.as_bytes())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(ClangError::Source { log: log(&output) }),
    }
}

fn failed(clang: &ClangProgram, message: String) -> ClangError {
    ClangError::Failed {
        program: clang.path().to_path_buf(),
        message,
    }
}

fn log(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs a command with a text as its standard input.
fn run(clang: &ClangProgram, mut command: Command, text: &[u8]) -> Result<Output, ClangError> {
    let error = |error: std::io::Error| failed(clang, format!("it cannot be run: {error}"));
    command.args(["-o", "-", "-"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(error)?;
    let input = child.stdin.take();
    std::thread::scope(|scope| {
        // A separate thread writes the input: otherwise both processes could wait for each other with full pipes. If
        // clang ends before it has read all input, its exit code and messages give the reason.
        scope.spawn(move || input.map(|mut input| input.write_all(text)));
        child.wait_with_output().map_err(error)
    })
}
