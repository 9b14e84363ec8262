//! A kernel on disk: a folder with a `launch.toml` and the files it names.
//!
//! The launch file names the program, its grid, registers, parameters and memory contents, and the expected results.
//! Loading it gives a [`Launch`] for any engine and [`Expectation`]s to check the result against; [`LAUNCH_FORMAT`]
//! describes the format. Every error has file, line and column, and what was expected.

use crate::files::error::{io_reason, read_text, FileError};
use crate::files::expectation::{Comparison, Expectation};
use crate::files::hex::{read_addressed_words, read_words};
use crate::files::kernel_name;
use crate::files::program::{
    check_program_name, cubin_error, is_opencl_file, is_program_file, load_program, LoadedProgram, SourceLines,
};
use flexgrip_compiler::printf::records::Printing;
use flexgrip_isa::cubin::Cubin;
use flexgrip_isa::{needed_capability, Capability, ConstantBlock};
use flexgrip_machine::{Configuration, ImageSpace, Launch, LaunchError, MemoryImage};
use flexgrip_trace::extension::extension;
use serde::Deserialize;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The format, as shown in the command line's help.
pub const LAUNCH_FORMAT: &str = r#"A kernel is a folder with a launch.toml and the files that it names:

name = "vectoradd"
summary = "out[i] = a[i] + b[i]"
program = "kernel.sass"   # .sass: assembly text; .cubin: a compiler's kernels for sm_10 to sm_13, ELF or text;
                          # .hex: one 32-bit word a line, in hexadecimal; .vhd: FlexGripPlus's TP_instructions.vhd
capability = "1.3"        # compute capability whose instructions the program has, 1.0 to 1.3; if left out, what a .cubin
                          # needs, or 1.0
entry = 0                 # a kernel's name in a .sass or a .cubin, or the byte address of the first instruction; if left
                          # out, 0, or the program's only kernel
unaligned_code = false    # true: long instructions may begin at any multiple of 4, as on FlexGripPlus; false if left out
registers = 5             # per thread; may be left out for a .sass or a .cubin, which declare them
shared_bytes = 44         # shared memory of a block, header and parameters included; if left out, the program's, or 0
local_bytes = 0           # per thread; if left out, the program's, or 0
globals = 0x8000          # where in global memory a .cubin's variables are; needed if it has any, and only then
grid = [1, 1]             # blocks
block = [32, 1, 1]        # threads of a block
params = [0, 4096, 64]    # 32-bit words; none if left out

[[memory]]                # initial contents, as many as needed, over the program's own; all other words are 0
space = "global"          # or "constant" with bank = N
address = 0               # 0 if left out
file = "global.hex"       # one 32-bit word a line, from address up

[[expect]]                # expected contents at the end
space = "global"
file = "expected.txt"     # lines "ADDRESS WORD", in hexadecimal
exact = true              # words that no line names must be unchanged; false if left out
compare = "u32"           # or "f32" with ulp = N, the accepted distance in units in the last place, and
                          # absolute = X, the accepted difference; a word within either is correct; 0 if left out

[reference]               # free-form notes: what others measured
"#;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LaunchToml {
    name: String,
    #[serde(default)]
    summary: String,
    program: Spanned<String>,
    capability: Option<Spanned<String>>,
    #[serde(default)]
    unaligned_code: bool,
    entry: Option<Spanned<toml::Value>>,
    registers: Option<Spanned<u32>>,
    #[serde(default)]
    shared_bytes: Option<Spanned<u32>>,
    local_bytes: Option<u32>,
    globals: Option<Spanned<u32>>,
    grid: Spanned<[u32; 2]>,
    block: Spanned<[u32; 3]>,
    #[serde(default)]
    params: Option<Spanned<Vec<Spanned<i64>>>>,
    #[serde(default)]
    memory: Vec<MemoryToml>,
    #[serde(default)]
    expect: Vec<ExpectToml>,
    #[serde(default)]
    reference: toml::Table,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemoryToml {
    space: Spanned<SpaceToml>,
    bank: Option<Spanned<u32>>,
    #[serde(default)]
    address: Option<Spanned<u32>>,
    file: Spanned<String>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum SpaceToml {
    Global,
    Constant,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectToml {
    space: Spanned<SpaceToml>,
    file: Spanned<String>,
    #[serde(default)]
    exact: bool,
    #[serde(default)]
    compare: CompareToml,
    ulp: Option<Spanned<u32>>,
    absolute: Option<Spanned<f64>>,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum CompareToml {
    #[default]
    U32,
    F32,
}

/// A kernel as loaded from its folder.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The launch to run.
    pub launch: Launch,
    /// The purpose of the kernel, in one line.
    pub summary: String,
    /// The expected results; empty if there is nothing to check.
    pub expectations: Vec<Expectation>,
    /// The `[reference]` of the launch file: free-form notes.
    pub reference: toml::Table,
    /// Labels and lines of the program's source, if known.
    pub source: Option<SourceLines>,
    /// The calls of `printf`, of a kernel in OpenCL C that has any.
    pub printing: Option<Printing>,
    /// The launch file.
    pub path: PathBuf,
    text: String,
    places: HashMap<&'static str, Range<usize>>,
    image_places: Vec<Range<usize>>,
    /// The number of images, at the start of the launch's list, with the program's own constants and variables.
    program_images: usize,
}

impl Kernel {
    /// Loads a kernel like [`Kernel::load_at`], for a machine of capability 1.0, or of a later one that its files name.
    ///
    /// # Errors
    /// The errors of [`Kernel::load_at`].
    pub fn load(path: &Path) -> Result<Kernel, FileError> {
        Kernel::load_at(path, Capability::V1_0)
    }

    /// Loads a kernel from its folder, or from the launch file in it, or by the name of a folder in `kernels/`.
    /// Assembly text may have the instructions of `capability`, even if the launch file names an earlier one.
    ///
    /// # Errors
    /// A file is missing or malformed; the error has its location. [`Kernel::check`] checks that the launch fits a
    /// machine.
    pub fn load_at(path: &Path, capability: Capability) -> Result<Kernel, FileError> {
        let path = &kernel_name::find(path);
        let file = if path.is_dir() {
            path.join("launch.toml")
        } else {
            path.clone()
        };
        if !path.is_dir() && extension(path) != "toml" {
            return Err(FileError::whole(path, not_a_kernel(path)));
        }
        let text = read_text(&file, "launch file")?;
        let parsed: LaunchToml = toml::from_str(&text).map_err(|error| {
            let message = error.message().trim_end().replace('\n', "; ");
            match error.span() {
                Some(span) => FileError::span(&file, &text, &span, message),
                None => FileError::whole(&file, message),
            }
        })?;
        Loader {
            folder: file.parent().unwrap_or(Path::new(".")),
            file: &file,
            text: &text,
            capability,
        }
        .build(parsed)
    }

    /// The same launch with other input: the words of `file` replace its first contents of global memory, and the
    /// `.txt` file of the same name has the expected results, compared like the launch file's first ones. Without that
    /// file there is nothing to check.
    ///
    /// # Errors
    /// A file cannot be read, or the launch has no contents of global memory.
    pub fn with_input(&self, file: &Path) -> Result<Kernel, FileError> {
        let mut kernel = self.clone();
        let image = kernel
            .launch
            .memory
            .iter_mut()
            .skip(self.program_images)
            .find(|image| image.space == ImageSpace::Global);
        let Some(image) = image else {
            let message =
                "the launch has no contents of global memory that an input could replace; expected a [[memory]]";
            return Err(FileError::whole(&self.path, message));
        };
        image.words = read_words(file, "input")?;
        let expected = file.with_extension("txt");
        kernel.expectations.truncate(1);
        match kernel.expectations.first_mut() {
            Some(expectation) if expected.is_file() => {
                expectation.words = read_addressed_words(&expected, "expectation")?;
                expectation.path = expected;
            }
            None if expected.is_file() => kernel.expectations.push(Expectation {
                words: read_addressed_words(&expected, "expectation")?,
                path: expected,
                exact: false,
                comparison: Comparison::Exact,
            }),
            _ => kernel.expectations.clear(),
        }
        Ok(kernel)
    }

    /// A kernel for a launch that was not loaded from a launch file: `path` is its origin, for errors. It has no
    /// expectations.
    #[must_use]
    pub fn of_launch(path: &Path, launch: Launch) -> Kernel {
        Kernel {
            launch,
            summary: String::new(),
            expectations: Vec::new(),
            reference: toml::Table::new(),
            source: None,
            printing: None,
            path: path.to_path_buf(),
            text: String::new(),
            places: HashMap::new(),
            image_places: Vec::new(),
            program_images: 0,
        }
    }

    /// Checks that a machine can run the launch.
    ///
    /// # Errors
    /// The reason why the machine cannot run it, located at the responsible entry of the launch file.
    pub fn check(&self, configuration: &Configuration) -> Result<(), FileError> {
        let Err(error) = self.launch.check(configuration) else {
            self.check_boundaries()?;
            return self.check_expectations(configuration);
        };
        let key = match &error {
            LaunchError::Capability { .. } => "capability",
            LaunchError::NoProgram | LaunchError::ProgramTooLong { .. } => "program",
            LaunchError::Entry { .. } => "entry",
            LaunchError::Local { .. } => "local_bytes",
            LaunchError::Registers { .. } | LaunchError::RegisterFile { .. } => "registers",
            LaunchError::Grid { .. } => "grid",
            LaunchError::Block { .. } | LaunchError::Warps { .. } => "block",
            LaunchError::Parameters { .. } => "params",
            LaunchError::Shared { .. } => "shared_bytes",
            LaunchError::Configuration { .. } | LaunchError::Image { .. } => "",
        };
        let is_opencl = self.launch.facts.work_items.is_some();
        let message = match &error {
            LaunchError::Image {
                space: ImageSpace::Global,
                address,
                words,
                ..
            } if address % 4 == 0 => {
                let end = u64::from(*address) + 4 * *words as u64;
                format!(
                    "{error} of {} bytes; {}",
                    configuration.global_bytes,
                    larger_memory(end)
                )
            }
            LaunchError::RegisterFile { .. } if is_opencl => format!("{error}; reduce --local"),
            LaunchError::Shared { .. } if is_opencl => {
                format!("{error}, for __local variables, arguments and parameters; reduce --arg local:BYTES")
            }
            _ => error.to_string(),
        };
        let image = match &error {
            LaunchError::Image {
                space, address, words, ..
            } => self
                .launch
                .memory
                .iter()
                .position(|image| (image.space, image.address, image.words.len()) == (*space, *address, *words)),
            _ => None,
        };
        let place = image
            .and_then(|index| self.image_places.get(index))
            .or_else(|| self.places.get(key));
        Err(match place {
            Some(span) => FileError::span(&self.path, &self.text, span, message),
            None => FileError::whole(&self.path, message),
        })
    }

    /// Rejects code in which every warp reaches a long instruction off its 8-byte boundary.
    fn check_boundaries(&self) -> Result<(), FileError> {
        let Some(address) = self.launch.first_off_boundary() else {
            return Ok(());
        };
        let message = off_boundary(address);
        Err(match self.places.get("program") {
            Some(span) => FileError::span(&self.path, &self.text, span, message),
            None => FileError::whole(&self.path, message),
        })
    }

    fn check_expectations(&self, configuration: &Configuration) -> Result<(), FileError> {
        for expectation in &self.expectations {
            for entry in &expectation.words {
                if entry.address >= configuration.global_bytes {
                    let message = format!(
                        "the address {:#x} is outside the global memory of {} bytes; {}",
                        entry.address,
                        configuration.global_bytes,
                        larger_memory(u64::from(entry.address) + 4)
                    );
                    return Err(FileError::at(&expectation.path, entry.line, 1, message));
                }
            }
        }
        Ok(())
    }
}

/// The message that recommends the option for a kernel that needs `bytes` of global memory.
pub fn larger_memory(bytes: u64) -> String {
    match bytes.next_multiple_of(64) {
        bytes if bytes <= u64::from(u32::MAX) => format!("this needs --global-size {bytes} or more"),
        _ => "no machine has that much global memory".into(),
    }
}

/// The error message for a path without a launch, with kernels of similar names.
fn not_a_kernel(path: &Path) -> String {
    let reason = match std::fs::metadata(path) {
        Err(error) => io_reason(&error),
        Ok(_) if is_program_file(path) => {
            "it is only a program, without grid, block, parameters and memory contents".into()
        }
        Ok(_) if is_opencl_file(path, false) => "it is OpenCL C, which run, lockstep, debug and compile take".into(),
        Ok(_) => "it is neither a folder, nor a .toml file, nor OpenCL C".into(),
    };
    let near: Vec<String> = kernel_name::near(path)
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let proposal = match near.as_slice() {
        [] => String::new(),
        near => format!("; did you mean {}?", near.join(" or ")),
    };
    format!("cannot load a kernel from here: {reason}; expected a folder with a launch.toml, or a .cl or .ocl file for run, lockstep and debug{proposal}")
}

/// The error message for a long instruction off its 8-byte boundary, with the remedies.
pub fn off_boundary(address: u32) -> String {
    format!(
        "the long instruction at {address:#06x} is not on an 8-byte boundary, as the G80 requires; run it as FlexGripPlus \
         does, with --unaligned-code or `unaligned_code = true` in the launch file, or move the code to boundaries: \
         flexgrip asm --realign FILE.hex -o FILE.hex"
    )
}

/// The code to run, and its declared requirements.
struct EntryPoint {
    words: Vec<u32>,
    entry: u32,
    /// `None` if not declared.
    registers: Option<u32>,
    shared_bytes: u32,
    local_bytes: u32,
    /// Initial memory contents.
    memory: Vec<MemoryImage>,
}

/// Converts constants to memory contents.
fn images(blocks: Vec<ConstantBlock>) -> impl Iterator<Item = MemoryImage> {
    blocks.into_iter().map(|block| MemoryImage {
        space: ImageSpace::Constant { bank: block.bank },
        address: block.offset,
        words: block.words,
    })
}

struct Loader<'a> {
    folder: &'a Path,
    file: &'a Path,
    text: &'a str,
    /// The machine's capability, which assembly text may use.
    capability: Capability,
}

impl Loader<'_> {
    fn error(&self, span: &Range<usize>, message: impl Into<String>) -> FileError {
        FileError::span(self.file, self.text, span, message)
    }

    /// The path of a file named in the launch file, which must exist; an error is located at its name.
    fn named(&self, name: &Spanned<String>) -> Result<PathBuf, FileError> {
        let path = self.folder.join(name.as_ref());
        match std::fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => Ok(path),
            Ok(_) => Err(self.error(&name.span(), format!("`{}` is not a file", name.as_ref()))),
            Err(error) => Err(self.error(&name.span(), format!("`{}`: {}", name.as_ref(), io_reason(&error)))),
        }
    }

    fn build(self, parsed: LaunchToml) -> Result<Kernel, FileError> {
        let mut places = HashMap::from([
            ("program", parsed.program.span()),
            ("grid", parsed.grid.span()),
            ("block", parsed.block.span()),
        ]);
        if let Some(entry) = &parsed.entry {
            places.insert("entry", entry.span());
        }
        if let Some(registers) = &parsed.registers {
            places.insert("registers", registers.span());
        }
        if let Some(params) = &parsed.params {
            places.insert("params", params.span());
        }
        if let Some(shared) = &parsed.shared_bytes {
            places.insert("shared_bytes", shared.span());
        }

        let named = parsed.capability.as_ref().map(|text| {
            let capability = text.as_ref().parse::<Capability>();
            capability.map_err(|error| self.error(&text.span(), error.to_string()))
        });
        let named = named.transpose()?;
        if let Some(capability) = &parsed.capability {
            places.insert("capability", capability.span());
        }
        let program = self.program(&parsed, named.unwrap_or_default().max(self.capability))?;
        let needed = match &program {
            LoadedProgram::Cubin(cubin) => {
                let kernels = cubin.kernels.iter();
                let needed = kernels.map(|kernel| needed_capability(&kernel.words, cubin.capability));
                needed.max().unwrap_or_default()
            }
            LoadedProgram::Words(_) | LoadedProgram::Assembled(_) => Capability::V1_0,
        };
        let capability = named.unwrap_or(needed);
        let source = match &program {
            LoadedProgram::Assembled(program) => SourceLines::of(program, &self.named(&parsed.program)?),
            LoadedProgram::Words(_) | LoadedProgram::Cubin(_) => None,
        };
        let kernel = self.entry_point(program, parsed.entry.as_ref())?;
        let registers = match (&parsed.registers, kernel.registers) {
            (Some(registers), _) => *registers.as_ref(),
            (None, Some(registers)) => registers,
            (None, None) => {
                return Err(self.error(
                    &parsed.program.span(),
                    "a .hex or .vhd program needs `registers`, per thread",
                ))
            }
        };
        let params = parsed.params.map_or_else(Vec::new, Spanned::into_inner);
        let params = params.iter().map(|param| self.param(param)).collect::<Result<_, _>>()?;
        // The launch file's own images follow the program's constants, and may overwrite them.
        let mut memory = kernel.memory;
        let program_images = memory.len();
        let mut image_places = vec![parsed.program.span(); program_images];
        for image in &parsed.memory {
            memory.push(self.image(image)?);
            let place = image
                .bank
                .as_ref()
                .or(image.address.as_ref())
                .map_or(image.file.span(), Spanned::span);
            image_places.push(place);
        }
        let expectations = parsed
            .expect
            .iter()
            .map(|expect| self.expectation(expect))
            .collect::<Result<_, _>>()?;
        Ok(Kernel {
            launch: Launch {
                name: parsed.name,
                capability,
                program: kernel.words,
                unaligned_code: parsed.unaligned_code,
                entry: kernel.entry,
                registers,
                shared_bytes: parsed.shared_bytes.map_or(kernel.shared_bytes, Spanned::into_inner),
                local_bytes: parsed.local_bytes.unwrap_or(kernel.local_bytes),
                grid: parsed.grid.into_inner(),
                block: parsed.block.into_inner(),
                params,
                memory,
                ..Launch::default()
            },
            summary: parsed.summary,
            expectations,
            reference: parsed.reference,
            source,
            printing: None,
            path: self.file.to_path_buf(),
            text: self.text.to_owned(),
            places,
            image_places,
            program_images,
        })
    }

    /// Loads the program and places its variables in global memory.
    fn program(&self, parsed: &LaunchToml, capability: Capability) -> Result<LoadedProgram, FileError> {
        let name = &parsed.program;
        check_program_name(Path::new(name.as_ref())).map_err(|message| self.error(&name.span(), message))?;
        let path = self.named(name)?;
        let mut program = load_program(&path, capability)?;
        if let LoadedProgram::Cubin(Cubin {
            not_to_run: Some(reason),
            ..
        }) = &program
        {
            return Err(cubin_error(&path, reason));
        }
        let has_globals = matches!(&program, LoadedProgram::Cubin(Cubin { globals: Some(_), .. }));
        match (&mut program, &parsed.globals) {
            (LoadedProgram::Cubin(cubin), Some(address)) if has_globals => cubin
                .place_globals(*address.as_ref())
                .map_err(|message| self.error(&address.span(), message))?,
            (LoadedProgram::Cubin(cubin), None) if has_globals => {
                let bytes = cubin.globals.as_ref().map_or(0, |globals| globals.bytes);
                let message = format!(
                    "the program has {bytes} bytes of variables in global memory; expected `globals`, their address"
                );
                return Err(self.error(&name.span(), message));
            }
            (_, Some(address)) => {
                let message = "the program has no variables in global memory; expected no `globals`";
                return Err(self.error(&address.span(), message));
            }
            (_, None) => {}
        }
        Ok(program)
    }

    fn entry_point(
        &self,
        program: LoadedProgram,
        entry: Option<&Spanned<toml::Value>>,
    ) -> Result<EntryPoint, FileError> {
        match program {
            LoadedProgram::Words(words) => {
                let entry = match entry.map(|entry| (entry.span(), entry.as_ref())) {
                    None => 0,
                    Some((span, toml::Value::String(_))) => {
                        let message = "a .hex or .vhd program has no kernel names; expected a byte address";
                        return Err(self.error(&span, message));
                    }
                    Some((span, value)) => self.address(&span, value)?,
                };
                Ok(EntryPoint {
                    words,
                    entry,
                    registers: None,
                    shared_bytes: 0,
                    local_bytes: 0,
                    memory: Vec::new(),
                })
            }
            LoadedProgram::Assembled(program) => {
                let address = match entry.map(|entry| (entry.span(), entry.as_ref())) {
                    None | Some((_, toml::Value::String(_))) => None,
                    Some((span, value)) => Some(self.address(&span, value)?),
                };
                let kernel = match address {
                    Some(address) => program.kernels.iter().find(|kernel| kernel.entry == address),
                    None => {
                        let names: Vec<&str> = program.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
                        self.kernel_index(&names, entry)?
                            .and_then(|index| program.kernels.get(index))
                    }
                };
                Ok(EntryPoint {
                    entry: kernel.map(|kernel| kernel.entry).or(address).unwrap_or(0),
                    registers: kernel.map(|kernel| kernel.registers),
                    shared_bytes: kernel.map_or(0, |kernel| kernel.shared_bytes),
                    local_bytes: 0,
                    words: program.words,
                    memory: images(program.constants).collect(),
                })
            }
            LoadedProgram::Cubin(cubin) => {
                // Each kernel of a cubin has its own code, so an address alone selects nothing.
                let entry = entry.filter(|entry| cubin.kernels.len() > 1 || *entry.as_ref() != toml::Value::Integer(0));
                let names: Vec<&str> = cubin.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
                if let Some(entry) = entry.filter(|entry| entry.as_ref().as_str().is_none()) {
                    let message = format!(
                        "the entry of a cubin is a kernel's name; expected one of: {}",
                        names.join(", ")
                    );
                    return Err(self.error(&entry.span(), message));
                }
                let index = self.kernel_index(&names, entry)?;
                let kernel = index
                    .and_then(|index| cubin.kernels.into_iter().nth(index))
                    .ok_or_else(|| FileError::whole(self.file, "the program has no kernel"))?;
                let globals = cubin.globals.filter(|globals| !globals.words.is_empty());
                let globals = globals.and_then(|globals| {
                    Some(MemoryImage {
                        space: ImageSpace::Global,
                        address: globals.address?,
                        words: globals.words,
                    })
                });
                Ok(EntryPoint {
                    words: kernel.words,
                    entry: kernel.entry,
                    registers: Some(kernel.registers),
                    shared_bytes: kernel.shared_bytes,
                    local_bytes: kernel.local_bytes,
                    memory: globals
                        .into_iter()
                        .chain(images(cubin.constants))
                        .chain(images(kernel.constants))
                        .collect(),
                })
            }
        }
    }

    /// The entry as a byte address in the code.
    fn address(&self, span: &Range<usize>, value: &toml::Value) -> Result<u32, FileError> {
        let toml::Value::Integer(value) = value else {
            let message = format!("the entry is a {}; expected a byte address or a name", value.type_str());
            return Err(self.error(span, message));
        };
        u32::try_from(*value)
            .map_err(|_| self.error(span, format!("the entry is {value}; expected a 32-bit byte address")))
    }

    /// The index of the selected kernel: the one with the given name or, without a name, the only one. `None` if the
    /// program has no kernels.
    fn kernel_index(&self, names: &[&str], entry: Option<&Spanned<toml::Value>>) -> Result<Option<usize>, FileError> {
        let Some((span, name)) = entry.and_then(|entry| Some((entry.span(), entry.as_ref().as_str()?))) else {
            if names.len() > 1 {
                let message = format!(
                    "the program has several kernels; expected `entry = ` one of: {}",
                    names.join(", ")
                );
                return Err(FileError::whole(self.file, message));
            }
            return Ok(names.first().map(|_| 0));
        };
        match names.iter().position(|known| *known == name) {
            Some(index) => Ok(Some(index)),
            None => Err(self.error(
                &span,
                format!(
                    "the program has no kernel `{name}`; expected one of: {}",
                    names.join(", ")
                ),
            )),
        }
    }

    /// A parameter as a 32-bit word; a negative number is in two's complement.
    fn param(&self, param: &Spanned<i64>) -> Result<u32, FileError> {
        let value = *param.as_ref();
        let word = u32::try_from(value)
            .ok()
            .or_else(|| i32::try_from(value).ok().map(|value| value as u32));
        word.ok_or_else(|| self.error(&param.span(), format!("the parameter {value} does not fit in 32 bits")))
    }

    fn image(&self, image: &MemoryToml) -> Result<MemoryImage, FileError> {
        let space = match (image.space.as_ref(), &image.bank) {
            (SpaceToml::Global, None) => ImageSpace::Global,
            (SpaceToml::Constant, Some(bank)) => ImageSpace::Constant { bank: *bank.as_ref() },
            (SpaceToml::Global, Some(bank)) => {
                return Err(self.error(&bank.span(), "global memory has no banks; expected no `bank`"))
            }
            (SpaceToml::Constant, None) => {
                return Err(self.error(&image.space.span(), "constant memory needs a `bank`, 0 to 15"))
            }
        };
        let words = read_words(&self.named(&image.file)?, "memory image")?;
        Ok(MemoryImage {
            space,
            address: image.address.as_ref().map_or(0, |a| *a.as_ref()),
            words,
        })
    }

    /// The accepted difference, which must be finite and not negative.
    fn difference(&self, absolute: &Spanned<f64>) -> Result<f64, FileError> {
        let value = *absolute.as_ref();
        if value.is_finite() && value >= 0.0 {
            return Ok(value);
        }
        let message = format!("the accepted difference is {value}; expected a finite number, 0 or more");
        Err(self.error(&absolute.span(), message))
    }

    fn expectation(&self, expect: &ExpectToml) -> Result<Expectation, FileError> {
        if *expect.space.as_ref() != SpaceToml::Global {
            return Err(self.error(
                &expect.space.span(),
                "an expectation is for global memory; expected `space = \"global\"`",
            ));
        }
        let comparison = match (expect.compare, &expect.ulp, &expect.absolute) {
            (CompareToml::U32, None, None) => Comparison::Exact,
            (CompareToml::F32, ulp, absolute) => Comparison::Float {
                ulp: ulp.as_ref().map_or(0, |ulp| *ulp.as_ref()),
                absolute: absolute
                    .as_ref()
                    .map_or(Ok(0.0), |absolute| self.difference(absolute))?,
            },
            (CompareToml::U32, Some(ulp), _) => {
                return Err(self.error(&ulp.span(), "`ulp` is for `compare = \"f32\"`"));
            }
            (CompareToml::U32, None, Some(absolute)) => {
                return Err(self.error(&absolute.span(), "`absolute` is for `compare = \"f32\"`"));
            }
        };
        let path = self.named(&expect.file)?;
        let words = read_addressed_words(&path, "expectation")?;
        let mut seen = HashMap::new();
        for entry in &words {
            if let Some(line) = seen.insert(entry.address, entry.line) {
                let message = format!("the address {:#x} is already in line {line}", entry.address);
                return Err(FileError::at(&path, entry.line, 1, message));
            }
        }
        Ok(Expectation {
            path,
            words,
            exact: expect.exact,
            comparison,
        })
    }
}
