//! A built program: its kernels as machine code.

use crate::build::binary::Binary;
use flexgrip_compiler::clang::{BuildOptions, Clang, ClangError, Source};
use flexgrip_compiler::ptx::ast::{Function, Module as Ptx};
use flexgrip_compiler::{compile, compile_with, ir, ptx, CompileError, Compiled, Options, Place};
use std::sync::OnceLock;

/// A kernel of a module.
#[derive(Debug)]
pub struct ModuleKernel {
    /// Its name.
    pub name: String,
    /// The machine code and its interface.
    pub compiled: Compiled,
    /// The same for grids larger than the machine's, made when the first one comes.
    large: OnceLock<Result<Compiled, String>>,
}

impl ModuleKernel {
    /// The work-group size that the source requires with `reqd_work_group_size`.
    pub fn required(&self) -> Option<[usize; 3]> {
        self.compiled.required.map(|sizes| sizes.map(|size| size as usize))
    }
}

/// A built program.
#[derive(Debug)]
pub struct Module {
    /// Its kernels, in the order of the source.
    pub kernels: Vec<ModuleKernel>,
    /// What it was compiled from.
    pub binary: Binary,
    /// The sources' names, as places name them.
    files: Vec<(u32, String)>,
}

impl Module {
    /// The kernels' names.
    pub fn names(&self) -> Vec<&str> {
        self.kernels.iter().map(|kernel| kernel.name.as_str()).collect()
    }

    /// A kernel's code for grids larger than the machine's, or for others.
    ///
    /// # Errors
    /// Why there is none for large grids.
    pub fn code(&self, index: usize, large_grid: bool) -> Result<&Compiled, String> {
        let kernel = &self.kernels[index];
        if !large_grid {
            return Ok(&kernel.compiled);
        }
        let made = kernel.large.get_or_init(|| {
            let module = ptx::parse(&self.binary.ptx).map_err(|error| error.to_string())?;
            let function = module.kernels().nth(index).ok_or("the binary has changed")?;
            let options = Options {
                large_grid,
                ..options(&self.binary)
            };
            compile(&module, function, &options).map_err(|error| message(&self.files, &self.binary, function, &error))
        });
        made.as_ref().map_err(Clone::clone)
    }

    /// The place of an instruction in the source, as `program.cl:7:3`.
    pub fn place(&self, code: &Compiled, pc: u32) -> Option<String> {
        let places = &code.places;
        let at = places.partition_point(|(address, _)| *address <= pc).checked_sub(1)?;
        source_place(&self.files, &places[at].1)
    }
}

fn source_place(files: &[(u32, String)], place: &Place) -> Option<String> {
    let source = place.source?;
    let name = files.iter().find(|(index, _)| *index == source.file);
    let name = name.map_or("?", |(_, name)| name);
    Some(match source.column {
        0 => format!("{name}:{}", source.line),
        column => format!("{name}:{}:{column}", source.line),
    })
}

/// The sources that the PTX names.
fn files(module: &Ptx) -> Vec<(u32, String)> {
    let files = module.files.iter();
    files.map(|file| (file.index, file.name.to_string())).collect()
}

/// Builds a module from OpenCL C. Returns it with clang's warnings.
///
/// # Errors
/// The log with what is wrong: clang's messages, or what cannot be compiled, with the place in the source.
pub fn from_source(clang: &Clang, name: &str, text: &str, options: &BuildOptions) -> Result<(Module, String), String> {
    let made = clang
        .ptx(&Source { name, text }, options)
        .map_err(|error| match error {
            ClangError::Source { log } => log,
            error => error.to_string(),
        })?;
    let binary = Binary {
        name: name.into(),
        contract: made.options.contract,
        ptx: made.text,
    };
    match from_binary(&binary) {
        Ok((module, log)) => Ok((module, made.log + &log)),
        Err(log) => Err(made.log + &log),
    }
}

fn options(binary: &Binary) -> Options {
    Options {
        contract: binary.contract,
        ..Options::default()
    }
}

/// Builds a module from a binary.
///
/// # Errors
/// As [`from_source`].
pub fn from_binary(binary: &Binary) -> Result<(Module, String), String> {
    let module = ptx::parse(&binary.ptx).map_err(|error| format!("{} (PTX): error: {error}\n", binary.name))?;
    let files = files(&module);
    let options = options(binary);
    let layout = ir::variables::layout(&module);
    let (mut kernels, mut log) = (Vec::new(), String::new());
    // All kernels are tried, so that the log has all that is missing.
    for function in module.kernels() {
        match compile_with(&module, &layout, function, &options) {
            Ok(compiled) => kernels.push(ModuleKernel {
                name: function.name.text.to_string(),
                compiled,
                large: OnceLock::new(),
            }),
            Err(error) => log += &message(&files, binary, function, &error),
        }
    }
    match log.is_empty() {
        true => Ok((
            Module {
                kernels,
                binary: binary.clone(),
                files,
            },
            log,
        )),
        false => Err(log),
    }
}

/// An error as clang writes them.
fn message(files: &[(u32, String)], binary: &Binary, function: &Function, error: &CompileError) -> String {
    let place = source_place(files, &error.place);
    let place = place.unwrap_or_else(|| format!("{} (PTX {})", binary.name, error.place.span));
    format!("{place}: error: kernel {}: {}\n", function.name.text, error.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(body: &str) -> Result<(Module, String), String> {
        from_binary(&Binary {
            name: "program.cl".into(),
            contract: false,
            ptx: format!(
                ".version 3.2\n.target sm_20\n.address_size 32\n.entry k(.param .u32 .ptr .global .align 4 out)\n\
                 .reqntid 8, 2, 1\n{{ .reg .b32 %r<9>; ld.param.u32 %r0, [out];\n.loc 1 7 3\n{body}\nret; }}\n\
                 .file 1 \"program.cl\"\n"
            ),
        })
    }

    #[test]
    fn kernels_and_places() {
        let (module, log) = build("st.global.u32 [%r0], %r0;").expect("a module");
        assert_eq!((module.names(), log.as_str()), (vec!["k"], ""));
        let kernel = &module.kernels[0];
        assert_eq!(kernel.required(), Some([8, 2, 1]));
        let pc = kernel.compiled.places.last().expect("instructions").0;
        assert_eq!(module.place(&kernel.compiled, pc).as_deref(), Some("program.cl:7:3"));
    }

    #[test]
    fn what_is_missing_is_in_the_log() {
        let log = build("atom.global.add.u32 %r1, [%r0], 1;").expect_err("no atomics");
        assert!(log.starts_with("program.cl:7:3: error: kernel k: "), "{log}");
        let log = build("?").expect_err("no PTX");
        assert!(log.starts_with("program.cl (PTX): error: "), "{log}");
    }
}
