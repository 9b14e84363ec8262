//! A kernel on disk: a folder with a `launch.toml` and the files that it names.
//!
//! The launch file says what program to run, with which grid, registers, parameters and memory contents, and what must
//! hold afterwards. Loading gives a [`Launch`] for any engine and [`Expectation`]s to check the result with; the format is
//! described in [`LAUNCH_FORMAT`]. Every error names file, line and column, and says what was expected.

use crate::expectation::{Comparison, Expectation};
use crate::file_error::{io_reason, read_text, FileError};
use crate::hex_file::{read_addressed_words, read_words};
use crate::program::assemble_file;
use flexgrip_model::{Configuration, ImageSpace, Launch, LaunchError, MemoryImage};
use serde::Deserialize;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The format, as the command line's help shows it.
pub const LAUNCH_FORMAT: &str = r#"A kernel is a folder with a launch.toml and the files that it names:

name = "vectoradd"
summary = "out[i] = a[i] + b[i]"
program = "kernel.sass"   # .sass: assembly text; .hex: one 32-bit word a line, in hexadecimal
entry = 0                 # byte address of the first instruction, or in a .sass program a kernel's name; if left out,
                          # 0, or the program's only kernel
registers = 5             # per thread; may be left out for a .sass program, which knows
shared_bytes = 44         # shared memory of a block, header and parameters included; as registers, else 0
local_bytes = 0           # per thread; 0 if left out
grid = [1, 1]             # blocks
block = [32, 1, 1]        # threads of a block
params = [0, 4096, 64]    # 32-bit words; none if left out

[[memory]]                # initial contents, as many as needed; what none names is 0
space = "global"          # or "constant" with bank = N
address = 0               # 0 if left out
file = "global.hex"       # one 32-bit word a line, from address up

[[expect]]                # what must hold afterwards
space = "global"
file = "expected.txt"     # lines "ADDRESS WORD", in hexadecimal
exact = true              # words that no line names must be as they were; false if left out
compare = "u32"           # or "f32" with ulp = N: accepted distance in units in the last place

[reference]               # free-form notes: what others measured
"#;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LaunchToml {
    name: String,
    #[serde(default)]
    summary: String,
    program: Spanned<String>,
    entry: Option<Spanned<toml::Value>>,
    registers: Option<Spanned<u32>>,
    #[serde(default)]
    shared_bytes: Option<Spanned<u32>>,
    #[serde(default)]
    local_bytes: u32,
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
    /// What to run.
    pub launch: Launch,
    /// One line on what the kernel does.
    pub summary: String,
    /// What must hold afterwards; empty: there is nothing to check.
    pub expectations: Vec<Expectation>,
    /// What others measured on the same launch.
    pub reference: toml::Table,
    /// The launch file.
    pub path: PathBuf,
    text: String,
    places: HashMap<&'static str, Range<usize>>,
    image_places: Vec<Range<usize>>,
}

impl Kernel {
    /// Loads a kernel from its folder, or from its launch file in it.
    ///
    /// # Errors
    /// A file that is missing or malformed, with its place. Whether the launch fits a machine is asked by
    /// [`Kernel::check`].
    pub fn load(path: &Path) -> Result<Kernel, FileError> {
        let file = if path.is_dir() {
            path.join("launch.toml")
        } else {
            path.to_path_buf()
        };
        if !path.is_dir() && path.extension().is_none_or(|extension| extension != "toml") {
            let reason = match std::fs::metadata(path) {
                Err(error) => io_reason(&error),
                Ok(_) => "it is neither a folder nor a .toml file".into(),
            };
            let message = format!("cannot load a kernel from here: {reason}; expected a folder with a launch.toml");
            return Err(FileError::whole(path, message));
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
        }
        .build(parsed)
    }

    /// Checks that a machine can run the launch.
    ///
    /// # Errors
    /// The reason to refuse it, at the place in the launch file that asks for it.
    pub fn check(&self, configuration: &Configuration) -> Result<(), FileError> {
        let Err(error) = self.launch.check(configuration) else {
            return self.check_expectations(configuration);
        };
        let key = match &error {
            LaunchError::NoProgram | LaunchError::ProgramTooLong { .. } => "program",
            LaunchError::Entry { .. } => "entry",
            LaunchError::Registers { .. } | LaunchError::RegisterFile { .. } => "registers",
            LaunchError::Grid { .. } => "grid",
            LaunchError::Block { .. } | LaunchError::Warps { .. } => "block",
            LaunchError::Parameters { .. } => "params",
            LaunchError::Shared { .. } => "shared_bytes",
            LaunchError::Configuration { .. } | LaunchError::Image { .. } => "",
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
            Some(span) => FileError::span(&self.path, &self.text, span, error.to_string()),
            None => FileError::whole(&self.path, error.to_string()),
        })
    }

    fn check_expectations(&self, configuration: &Configuration) -> Result<(), FileError> {
        for expectation in &self.expectations {
            for entry in &expectation.words {
                if entry.address >= configuration.global_bytes {
                    let message = format!(
                        "the address {:#x} is outside of the global memory of {} bytes",
                        entry.address, configuration.global_bytes
                    );
                    return Err(FileError::at(&expectation.path, entry.line, 1, message));
                }
            }
        }
        Ok(())
    }
}

/// A program with what is known of it beside its words.
struct LoadedProgram {
    words: Vec<u32>,
    /// `None`: a program of words, without names.
    kernels: Option<Vec<flexgrip_isa::Kernel>>,
    constants: Vec<MemoryImage>,
}

/// Where a kernel begins, and what it says that it needs.
struct EntryPoint {
    entry: u32,
    registers: Option<u32>,
    shared_bytes: u32,
}

struct Loader<'a> {
    folder: &'a Path,
    file: &'a Path,
    text: &'a str,
}

impl Loader<'_> {
    fn error(&self, span: &Range<usize>, message: impl Into<String>) -> FileError {
        FileError::span(self.file, self.text, span, message)
    }

    /// A named file that must exist; the error is at the place that names it.
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

        let program = self.program(&parsed.program)?;
        let kernel = self.kernel(&program, parsed.entry.as_ref())?;
        let registers = match (&parsed.registers, kernel.registers) {
            (Some(registers), _) => *registers.as_ref(),
            (None, Some(registers)) => registers,
            (None, None) => {
                return Err(self.error(
                    &parsed.program.span(),
                    "a program of words needs `registers`, per thread",
                ))
            }
        };
        let params = parsed.params.map_or_else(Vec::new, Spanned::into_inner);
        let params = params.iter().map(|param| self.param(param)).collect::<Result<_, _>>()?;
        // The launch file's own images come behind the program's constants, and may overwrite them.
        let mut memory = program.constants;
        let mut image_places = vec![parsed.program.span(); memory.len()];
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
                program: program.words,
                entry: kernel.entry,
                registers,
                shared_bytes: parsed.shared_bytes.map_or(kernel.shared_bytes, Spanned::into_inner),
                local_bytes: parsed.local_bytes,
                grid: parsed.grid.into_inner(),
                block: parsed.block.into_inner(),
                params,
                memory,
            },
            summary: parsed.summary,
            expectations,
            reference: parsed.reference,
            path: self.file.to_path_buf(),
            text: self.text.to_owned(),
            places,
            image_places,
        })
    }

    fn program(&self, name: &Spanned<String>) -> Result<LoadedProgram, FileError> {
        let extension = Path::new(name.as_ref())
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or("");
        match extension {
            "hex" => {
                let words = read_words(&self.named(name)?, "program")?;
                Ok(LoadedProgram {
                    words,
                    kernels: None,
                    constants: Vec::new(),
                })
            }
            "sass" => {
                let program = assemble_file(&self.named(name)?)?;
                let constants = program.constants.into_iter().map(|block| MemoryImage {
                    space: ImageSpace::Constant { bank: block.bank },
                    address: block.offset,
                    words: block.words,
                });
                let constants = constants.collect();
                Ok(LoadedProgram {
                    words: program.words,
                    kernels: Some(program.kernels),
                    constants,
                })
            }
            "cubin" => {
                let message = "programs in cubin files are not supported yet; expected a .hex or a .sass file";
                Err(self.error(&name.span(), message))
            }
            _ => Err(self.error(
                &name.span(),
                format!(
                    "`{}`: a program is a .hex or a .sass file, by its extension",
                    name.as_ref()
                ),
            )),
        }
    }

    fn kernel(&self, program: &LoadedProgram, entry: Option<&Spanned<toml::Value>>) -> Result<EntryPoint, FileError> {
        let of_kernel = |kernel: &flexgrip_isa::Kernel| EntryPoint {
            entry: kernel.entry,
            registers: Some(kernel.registers),
            shared_bytes: kernel.shared_bytes,
        };
        let kernels = program.kernels.as_deref().unwrap_or(&[]);
        let names = || {
            kernels
                .iter()
                .map(|kernel| kernel.name.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let Some(entry) = entry else {
            return match kernels {
                [] => Ok(EntryPoint {
                    entry: 0,
                    registers: None,
                    shared_bytes: 0,
                }),
                [kernel] => Ok(of_kernel(kernel)),
                _ => {
                    let message = format!(
                        "the program has several kernels; expected `entry = ` one of: {}",
                        names()
                    );
                    Err(FileError::whole(self.file, message))
                }
            };
        };
        let span = entry.span();
        match entry.as_ref() {
            toml::Value::Integer(value) => {
                let address = u32::try_from(*value)
                    .map_err(|_| self.error(&span, format!("the entry {value} is not a 32-bit byte address")))?;
                let kernel = kernels.iter().find(|kernel| kernel.entry == address).map(of_kernel);
                Ok(kernel.unwrap_or(EntryPoint {
                    entry: address,
                    registers: None,
                    shared_bytes: 0,
                }))
            }
            toml::Value::String(_) if program.kernels.is_none() => {
                Err(self.error(&span, "a program of words has no kernel names; expected a byte address"))
            }
            toml::Value::String(name) => {
                let kernel = kernels.iter().find(|kernel| kernel.name == *name).map(of_kernel);
                kernel.ok_or_else(|| {
                    self.error(
                        &span,
                        format!("the program has no kernel `{name}`; it has: {}", names()),
                    )
                })
            }
            other => {
                let message = format!("the entry is a {}; expected a byte address or a name", other.type_str());
                Err(self.error(&span, message))
            }
        }
    }

    /// A parameter is a 32-bit word; a negative number stands for its two's complement.
    fn param(&self, param: &Spanned<i64>) -> Result<u32, FileError> {
        let value = *param.as_ref();
        let word = u32::try_from(value)
            .ok()
            .or_else(|| i32::try_from(value).ok().map(|value| value as u32));
        word.ok_or_else(|| {
            self.error(
                &param.span(),
                format!("the parameter {value} does not fit into 32 bits"),
            )
        })
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

    fn expectation(&self, expect: &ExpectToml) -> Result<Expectation, FileError> {
        if *expect.space.as_ref() != SpaceToml::Global {
            return Err(self.error(
                &expect.space.span(),
                "only global memory can be expected to hold something",
            ));
        }
        let comparison = match (expect.compare, &expect.ulp) {
            (CompareToml::U32, None) => Comparison::Exact,
            (CompareToml::F32, ulp) => Comparison::Float {
                ulp: ulp.as_ref().map_or(0, |ulp| *ulp.as_ref()),
            },
            (CompareToml::U32, Some(ulp)) => {
                return Err(self.error(&ulp.span(), "`ulp` is for `compare = \"f32\"`"));
            }
        };
        let path = self.named(&expect.file)?;
        let words = read_addressed_words(&path, "expectation")?;
        let mut seen = HashMap::new();
        for entry in &words {
            if let Some(line) = seen.insert(entry.address, entry.line) {
                let message = format!("the address {:#x} is in line {line} already", entry.address);
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
