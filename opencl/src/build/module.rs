//! A built program: its kernels as machine code.

use crate::build::binary::{Binary, Code, Refused};
use crate::engine::check;
use flexgrip_compiler::clang::{BuildOptions, Clang, ClangError, Source};
use flexgrip_compiler::launch::WORK_GROUP;
use flexgrip_compiler::ptx::ast::{Function, Module as Ptx};
use flexgrip_compiler::{compile, compile_with, ir, ptx, Capability, CompileError, Compiled, Options, SourceLocation};
use flexgrip_machine::sizes::{REGISTERS_PER_SM, WARP_THREADS};
use flexgrip_machine::WarpPlace;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A kernel of a module.
#[derive(Debug)]
pub struct ModuleKernel {
    /// The kernel's name.
    pub name: String,
    /// The machine code and its interface.
    pub compiled: Compiled,
    /// Variants for launches that need other code, compiled at the first such launch: grids larger than the machine's,
    /// and `__local` memory over all of shared memory.
    variants: [OnceLock<Result<Compiled, String>>; 3],
}

/// Requirements of a launch that the usual code does not meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// True for a grid larger than the machine's.
    pub large_grid: bool,
    /// True if `__local` memory takes all of shared memory.
    pub whole_shared: bool,
}

impl ModuleKernel {
    /// The maximum number of work-items of a group: limited by the registers of an SM, and by the device.
    pub fn work_group(&self) -> u32 {
        let registers = self.compiled.program.kernels[0].registers.max(1);
        let warps = REGISTERS_PER_SM / (registers * WARP_THREADS);
        WORK_GROUP.min(warps * WARP_THREADS)
    }

    /// The work-group size that the source requires with `reqd_work_group_size`.
    pub fn required(&self) -> Option<[usize; 3]> {
        self.compiled.required.map(|sizes| sizes.map(|size| size as usize))
    }
}

/// A built program.
#[derive(Debug)]
pub struct Module {
    /// The kernels, in the order of the source.
    pub kernels: Vec<ModuleKernel>,
    /// Kernels of the source that cannot be used.
    pub refused: Vec<Refused>,
    /// The program as a binary without machine code.
    source: Binary,
    /// The names of the sources, by the numbers in locations.
    files: Vec<(u32, String)>,
    /// The container, which is only created at the first query: most programs never query it.
    container: OnceLock<Vec<u8>>,
}

impl Module {
    /// The source's name in messages.
    pub fn source_name(&self) -> &str {
        &self.source.name
    }

    /// The kernels' names.
    pub fn names(&self) -> Vec<&str> {
        self.kernels.iter().map(|kernel| kernel.name.as_str()).collect()
    }

    /// The container of the program's binary.
    pub fn container(&self) -> &[u8] {
        self.container.get_or_init(|| {
            let kernels = self.kernels.iter();
            let kernels: Vec<(&str, &Compiled)> =
                kernels.map(|kernel| (kernel.name.as_str(), &kernel.compiled)).collect();
            let binary = Binary {
                code: Some(Code::new(&kernels, &self.refused, &self.files)),
                ..self.source.clone()
            };
            binary.bytes()
        })
    }

    /// A kernel's code for a launch.
    ///
    /// # Errors
    /// The reason why a variant cannot be compiled.
    pub fn code(&self, index: usize, needs: Needs) -> Result<&Compiled, String> {
        let kernel = &self.kernels[index];
        let Needs {
            large_grid,
            whole_shared,
        } = needs;
        let variant = match (large_grid, whole_shared) {
            (false, false) => return Ok(&kernel.compiled),
            (true, false) => 0,
            (false, true) => 1,
            (true, true) => 2,
        };
        let made = kernel.variants[variant].get_or_init(|| {
            let module = ptx::parse(&self.source.ptx).map_err(|error| error.to_string())?;
            let function = module.kernels().find(|function| function.name.text == kernel.name);
            let function = function.ok_or("the binary has changed")?;
            let options = Options {
                large_grid,
                whole_shared,
                // Groups may be as large as the limit that queries return to the application.
                registers: whole_shared.then(|| REGISTERS_PER_SM / kernel.work_group()),
                ..options(&self.source)
            };
            compile(&module, function, &options).map_err(|error| message(&self.files, &self.source, function, &error))
        });
        made.as_ref().map_err(Clone::clone)
    }

    /// Returns a message about a kernel that has been running for a long time, with the locations of its warps.
    pub fn note(&self, index: usize, needs: Needs, warps: &[WarpPlace]) -> String {
        let places = self.code(index, needs).map_or(&[][..], |code| &code.places);
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for warp in warps {
            let place = self.place(places, warp.pc);
            let place = place.unwrap_or_else(|| format!("PC {:#06x}", warp.pc));
            *counts.entry(place).or_default() += 1;
        }
        let at: Vec<String> = counts
            .iter()
            .map(|(place, count)| format!("{count} at {place}"))
            .collect();
        let name = &self.kernels[index].name;
        let at = match at.is_empty() {
            true => String::new(),
            false => format!("; warps: {}", at.join(", ")),
        };
        format!("kernel {name} has been running for ten seconds{at}")
    }

    /// The source location of the instruction at `pc`, from a kernel's line table, as `program.cl:7:3`.
    pub fn place(&self, places: &[(u32, SourceLocation)], pc: u32) -> Option<String> {
        let at = places.partition_point(|(address, _)| *address <= pc).checked_sub(1)?;
        source_place(&self.files, &places[at].1)
    }
}

fn source_place(files: &[(u32, String)], place: &SourceLocation) -> Option<String> {
    let source = place.source?;
    let name = files.iter().find(|(index, _)| *index == source.file);
    let name = name.map_or("?", |(_, name)| name);
    Some(match source.column {
        0 => format!("{name}:{}", source.line),
        column => format!("{name}:{}:{column}", source.line),
    })
}

/// The sources in the PTX, by number.
fn files(module: &Ptx) -> Vec<(u32, String)> {
    let files = module.files.iter();
    files.map(|file| (file.index, file.name.to_string())).collect()
}

/// Builds a module from OpenCL C, for devices of the options' capability. Returns it with clang's warnings.
///
/// # Errors
/// The build log: clang's messages, or the constructs that cannot be compiled, with their locations in the source.
pub fn from_source(clang: &Clang, name: &str, text: &[u8], options: &BuildOptions) -> Result<(Module, String), String> {
    let made = clang
        .ptx(&Source { name, text }, options)
        .map_err(|error| match error {
            ClangError::Source { log } => log,
            error => error.to_string(),
        })?;
    let binary = Binary {
        name: name.into(),
        contract: made.options.contract,
        promoted: made.options.promoted,
        capability: options.capability().number(),
        ptx: made.text,
        code: None,
    };
    // The log has errors before warnings.
    match from_binary(&binary, options.capability()) {
        Ok((module, log)) if module.refused.is_empty() || !options.warnings_are_errors() => {
            Ok((module, log + &made.log))
        }
        Ok((_, log)) | Err(log) => Err(log + &made.log),
    }
}

fn options(binary: &Binary) -> Options {
    Options {
        contract: binary.contract,
        promoted: binary.promoted,
        checked: check::is_wanted(),
        // An unknown capability means that the binary is damaged.
        capability: Capability::from_number(binary.capability).unwrap_or_default(),
        ..Options::default()
    }
}

/// Builds a module from a binary, for devices of this capability.
///
/// # Errors
/// The errors of [`from_source`].
pub fn from_binary(binary: &Binary, available: Capability) -> Result<(Module, String), String> {
    let source = Binary {
        capability: binary.capability.min(available.number()),
        ..binary.without_code()
    };
    if let Some(module) = binary.code.as_ref().and_then(|code| from_code(&source, code)) {
        // Code for a later capability is compiled again, so that the log has the lines of the kernels that are refused.
        let needed = |kernel: &ModuleKernel| kernel.compiled.program.capability;
        if module.kernels.iter().map(needed).max() <= Some(available) {
            let log = log(&module.refused);
            return Ok((module, log));
        }
    }
    let module = ptx::parse(&binary.ptx).map_err(|error| format!("{} (PTX): error: {error}\n", binary.name))?;
    let files = files(&module);
    let options = options(&source);
    let layout = ir::variables::layout(&module);
    let (mut kernels, mut refused) = (Vec::new(), Vec::new());
    for function in module.kernels() {
        match compile_with(&module, &layout, function, &options) {
            Ok(compiled) => kernels.push(ModuleKernel {
                name: function.name.text.to_string(),
                compiled,
                variants: Default::default(),
            }),
            Err(error) => refused.push(Refused {
                name: function.name.text.to_string(),
                reason: message(&files, binary, function, &error),
            }),
        }
    }
    let log = log(&refused);
    // A program with at least one usable kernel is built; the log lists the others.
    if kernels.is_empty() && !refused.is_empty() {
        return Err(log);
    }
    let module = Module {
        source,
        kernels,
        refused,
        files,
        container: OnceLock::new(),
    };
    Ok((module, log))
}

/// A module from a binary's machine code.
fn from_code(source: &Binary, code: &Code) -> Option<Module> {
    let kernels = code.kernels()?.into_iter().map(|(name, compiled)| ModuleKernel {
        name,
        compiled,
        variants: Default::default(),
    });
    Some(Module {
        kernels: kernels.collect(),
        refused: code.refused(),
        source: source.clone(),
        files: code.files.clone(),
        container: OnceLock::new(),
    })
}

fn log(refused: &[Refused]) -> String {
    refused.iter().map(|refused| refused.reason.as_str()).collect()
}

/// An error in clang's format.
fn message(files: &[(u32, String)], binary: &Binary, function: &Function, error: &CompileError) -> String {
    let place = source_place(files, &error.place);
    let place = place.unwrap_or_else(|| format!("{} (PTX {})", binary.name, error.place.span));
    format!("{place}: error: kernel {}: {}\n", function.name.text, error.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(body: &str) -> Result<(Module, String), String> {
        let binary = Binary {
            name: "program.cl".into(),
            contract: false,
            promoted: false,
            capability: 13,
            ptx: format!(
                ".version 3.2\n.target sm_20\n.address_size 32\n.entry k(.param .u32 .ptr .global .align 4 out)\n\
                 .reqntid 8, 2, 1\n{{ .reg .b32 %r<9>; ld.param.u32 %r0, [out];\n.loc 1 7 3\n{body}\nret; }}\n\
                 .file 1 \"program.cl\"\n"
            ),
            code: None,
        };
        from_binary(&binary, Capability::V1_3)
    }

    #[test]
    fn kernels_have_source_locations() {
        let (module, log) = build("st.global.u32 [%r0], %r0;").expect("a module");
        assert_eq!((module.names(), log.as_str()), (vec!["k"], ""));
        let kernel = &module.kernels[0];
        assert_eq!(kernel.required(), Some([8, 2, 1]));
        let pc = kernel.compiled.places.last().expect("instructions").0;
        assert_eq!(
            module.place(&kernel.compiled.places, pc).as_deref(),
            Some("program.cl:7:3")
        );
    }

    #[test]
    fn note_gives_the_locations_of_warps() {
        let (module, _) = build("st.global.u32 [%r0], %r0;").expect("a module");
        let pc = module.kernels[0].compiled.places.last().expect("instructions").0;
        let place = |warp_in_block: u32, pc: u32| WarpPlace {
            sm: 0,
            block: 0,
            warp_in_block,
            pc,
        };
        let note = |warps: &[WarpPlace]| module.note(0, Needs::default(), warps);
        assert_eq!(note(&[]), "kernel k has been running for ten seconds");
        assert_eq!(
            note(&[place(0, pc), place(1, pc)]),
            "kernel k has been running for ten seconds; warps: 2 at program.cl:7:3"
        );
    }

    #[test]
    fn missing_features_are_in_the_log() {
        let log = build("atom.global.min.u64 %r1, [%r0], 1;").expect_err("no such operation");
        assert!(log.starts_with("program.cl:7:3: error: kernel k: "), "{log}");
        let log = build("?").expect_err("no PTX");
        assert!(log.starts_with("program.cl (PTX): error: "), "{log}");
    }
}
