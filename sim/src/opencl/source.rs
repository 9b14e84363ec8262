//! A compiled file of OpenCL C.

use crate::opencl::error::OpenClError;
use flexgrip_compiler::clang::{BuildOptions, Clang, Ptx, Source};
use flexgrip_compiler::ptx::ast::{File, Function, Module};
use flexgrip_compiler::{compile, ir, ptx, CompileError, Compiled, Options};
use flexgrip_engines::files::error::{io_reason, FileError};
use flexgrip_engines::files::input::{self, is_standard_input};
use flexgrip_engines::files::output::note;
use flexgrip_engines::files::program::SourceLines;
use flexgrip_isa::{instructions_at, listing_at, Program, Style};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The name of a source in messages.
fn shown(path: &Path) -> Cow<'_, str> {
    match is_standard_input(path) {
        true => "standard input".into(),
        false => path.to_string_lossy(),
    }
}

/// Reads a file of OpenCL C. It need not be UTF-8, because only comments and strings contain other characters than
/// ASCII.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn read_source(path: &Path) -> Result<Vec<u8>, FileError> {
    input::read(path).map_err(|error| FileError::whole(path, format!("cannot read the source: {}", io_reason(&error))))
}

/// A source compiled by clang.
#[derive(Debug)]
pub struct Built {
    path: PathBuf,
    text: Vec<u8>,
    /// The PTX that clang has generated.
    pub ptx: Ptx,
}

impl Built {
    /// Compiles a file to PTX. `#include` also searches the folder of the file.
    ///
    /// # Errors
    /// The file cannot be read, has errors, or clang is missing.
    pub fn new(path: &Path, options: &BuildOptions) -> Result<Built, OpenClError> {
        let text = read_source(path)?;
        let mut options = options.clone();
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            options.include(folder);
        }
        let name = shown(path);
        let clang = Clang::find()?;
        if !clang.is_prepared() {
            note("compiling OpenCL's functions, once for this clang: one or two seconds");
        }
        let source = Source {
            name: &name,
            text: &text,
        };
        let ptx = clang.ptx(&source, &options)?;
        Ok(Built {
            path: path.to_path_buf(),
            text,
            ptx,
        })
    }

    fn module(&self) -> Result<Module<'_>, FileError> {
        ptx::parse(&self.ptx.text)
            .map_err(|error| FileError::whole(&self.path, format!("cannot read clang's PTX: {error}")))
    }

    /// The work-group size that a kernel requires. The kernel is chosen by the rules of [`Built::kernel`].
    ///
    /// # Errors
    /// There is no kernel with this name, or the source has several and none was named.
    pub fn required(&self, name: Option<&str>) -> Result<Option<[u32; 3]>, OpenClError> {
        let module = self.module()?;
        Ok(self.find(&module, name)?.required_block())
    }

    /// Compiles the kernel with this name, or the only one. `large_grid` is for grids larger than the machine's,
    /// `whole_shared` for `__local` arguments that take all of shared memory.
    ///
    /// # Errors
    /// There is no kernel with this name, or the source has several and none was named; or the kernel needs features
    /// that the machine does not have.
    pub fn kernel(&self, name: Option<&str>, large_grid: bool, whole_shared: bool) -> Result<Compiled, OpenClError> {
        let module = self.module()?;
        let kernel = self.find(&module, name)?;
        let options = Options {
            large_grid,
            whole_shared,
            ..self.ptx.options
        };
        Ok(compile(&module, kernel, &options).map_err(|error| self.located(&module, &error))?)
    }

    /// The source locations of a kernel's instructions: lines of this file, and full locations that include other
    /// files.
    ///
    /// # Errors
    /// The errors of [`Built::kernel`].
    pub fn lines(&self, kernel: &Compiled) -> Result<Option<SourceLines>, OpenClError> {
        let module = self.module()?;
        let files: BTreeMap<u32, PathBuf> = module.files.iter().map(|file| (file.index, self.file(file))).collect();
        let (mut lines, mut places) = (Vec::new(), Vec::new());
        for (pc, place) in &kernel.places {
            let Some(source) = place.source else { continue };
            let Some(file) = files.get(&source.file) else { continue };
            if *file == self.path {
                lines.push((*pc, source.line));
            }
            let column = match source.column {
                0 => String::new(),
                column => format!(":{column}"),
            };
            places.push((*pc, format!("{}:{}{column}", shown(file), source.line)));
        }
        let known = SourceLines::of(&kernel.program, &self.path);
        Ok(known.map(|known| SourceLines { lines, places, ..known }))
    }

    /// The path of a source as the user gave it. Clang splits the path of this file, and writes `./` before files in
    /// its folder.
    fn file(&self, file: &File) -> PathBuf {
        let name = Path::new(file.name.as_ref());
        let whole = Path::new(file.directory.as_deref().unwrap_or_default()).join(name);
        let own = std::path::absolute(&self.path);
        if name == Path::new(&*shown(&self.path)) || own.is_ok_and(|own| own == whole) {
            return self.path.clone();
        }
        name.strip_prefix(".").unwrap_or(name).to_path_buf()
    }

    /// The intermediate representation of a kernel, as text.
    ///
    /// # Errors
    /// The errors of [`Built::kernel`].
    pub fn representation(&self, name: Option<&str>) -> Result<String, OpenClError> {
        let module = self.module()?;
        let kernel = self.find(&module, name)?;
        let layout = ir::variables::layout(&module);
        let function = ir::build::build(&module, kernel, &layout, &self.ptx.options)
            .map_err(|error| self.located(&module, &error))?;
        Ok(function.to_string())
    }

    fn find<'a>(&self, module: &'a Module<'a>, name: Option<&str>) -> Result<&'a Function<'a>, OpenClError> {
        let kernels: Vec<&Function> = module.kernels().collect();
        let path = self.path.display();
        let names: Vec<&str> = kernels.iter().map(|kernel| kernel.name.text).collect();
        let names = names.join(", ");
        let found = match (name, kernels.as_slice()) {
            (_, []) => Err(format!("{path}: there is no kernel")),
            (None, [kernel]) => Ok(*kernel),
            (None, _) => Err(format!(
                "{path}: there are several kernels; expected --kernel with one of {names}"
            )),
            (Some(name), _) => kernels
                .iter()
                .find(|kernel| kernel.name.text == name)
                .copied()
                .ok_or_else(|| format!("{path}: there is no kernel `{name}`; expected one of {names}")),
        };
        found.map_err(OpenClError::Kernel)
    }

    /// The error with its location in the source, if known.
    fn located(&self, module: &Module, error: &CompileError) -> FileError {
        match error.place.source {
            Some(source) => {
                let file = module.files.iter().find(|file| file.index == source.file);
                let path = file.map_or_else(|| self.path.clone(), |file| self.file(file));
                FileError::at(
                    &path,
                    source.line as usize,
                    source.column as usize,
                    error.message.clone(),
                )
            }
            None => FileError::whole(&self.path, error.message.clone()),
        }
    }

    /// The listing of a kernel, with each line of the source before the instructions compiled from it.
    ///
    /// # Errors
    /// The errors of [`Built::kernel`].
    pub fn explained(&self, kernel: &Compiled) -> Result<String, OpenClError> {
        let text = String::from_utf8_lossy(&self.text);
        let sources: Vec<&str> = text.lines().collect();
        let lines = self.lines(kernel)?;
        let place = |pc| {
            let lines = lines.as_ref()?;
            match lines.lines.binary_search_by_key(&pc, |(pc, _)| *pc) {
                Ok(at) => {
                    let line = lines.lines[at].1;
                    let text = sources.get(line as usize - 1).unwrap_or(&"");
                    Some(format!("{line:>4}  {}", text.trim_end()))
                }
                Err(_) => lines
                    .places
                    .iter()
                    .find(|(at, _)| *at == pc)
                    .map(|(_, place)| place.clone()),
            }
        };
        let mut text = String::new();
        let mut last = None;
        for listed in instructions_at(&kernel.program.words, kernel.program.capability) {
            let place = place(listed.address as u32);
            if let Some(place) = place.filter(|place| last.as_ref() != Some(place)) {
                // Writing to a string does not fail.
                let _ = writeln!(text, "// {place}");
                last = Some(place);
            }
            let _ = writeln!(
                text,
                "/*{:04x}*/      {};",
                listed.address,
                listed.statement(Style::Plain)
            );
        }
        Ok(text)
    }
}

/// A kernel as assembly text that the assembler accepts.
#[must_use]
pub fn sass(program: &Program) -> String {
    let mut text = String::new();
    for kernel in &program.kernels {
        text.push_str(&format!(
            ".kernel {}\n.registers {}\n.shared {}\n",
            kernel.name, kernel.registers, kernel.shared_bytes
        ));
        for parameter in &kernel.parameters {
            text.push_str(&format!(".param {parameter}\n"));
        }
    }
    text.push_str(&listing_at(&program.words, Style::Plain, program.capability));
    for constants in &program.constants {
        text.push_str(&format!(".const {}, {}\n", constants.bank, constants.offset));
        for word in &constants.words {
            text.push_str(&format!(".word {word:#010x}\n"));
        }
    }
    text
}
