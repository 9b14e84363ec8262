//! Runs kernels on the golden model and on the CPU, and compares their buffers.

use crate::generate::PRELUDE;
use crate::tree::{Argument, Kernel, GROUP, ITEMS};
use anyhow::{anyhow, Context, Result};
use flexgrip_compiler::clang::{BuildOptions, Clang, Source};
use flexgrip_compiler::launch::{self, IndexSpace, Places};
use flexgrip_compiler::placement::Placement;
use flexgrip_compiler::printf::records::{Extent, Printer};
use flexgrip_compiler::{compile, ptx, Capability, Options};
use flexgrip_machine::{Configuration, ImageSpace, MemoryImage};
use flexgrip_model::Machine;
use flexgrip_opencl_host as host;
use std::io::{Read, Seek, SeekFrom, Write};

/// Warp instructions after which the model stops a kernel as endless: far more than its loops and work-items can need.
const MOST_INSTRUCTIONS: u64 = 100_000_000;
/// Size of the buffer of `printf` in bytes, more than a kernel can print.
const PRINTF_BYTES: u32 = 2 << 20;

/// Options of the CPU's driver. Random kernels cause many warnings.
const OPTIMISED: &str = "-w";
const PLAIN: &str = "-w -cl-opt-disable";

/// Result of the comparison of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Both runs leave the same contents in all buffers.
    Same,
    /// The buffers differ; the text names the parameter, the byte and both values.
    Differs(String),
    /// Only the CPU driver's optimised code differs from our results, not its unoptimised code: a defect of its
    /// optimiser. The text is the same as for `Differs`.
    Contradicts(String),
    /// Our compiler refuses the kernel, or the model stops it; the text is the reason.
    Refused(String),
    /// The CPU's driver refuses the kernel; the text is the reason.
    Failed(String),
}

/// Our compiler and the CPU's driver.
pub struct Both {
    clang: Clang,
    cpu: host::Cpu,
    /// Options of the CPU's driver.
    options: &'static str,
}

impl Both {
    /// Finds clang and the CPU's OpenCL driver. If `plain`, the driver does not optimise.
    ///
    /// # Errors
    /// One of the two is missing; the error says how to install it.
    pub fn find(plain: bool) -> Result<Both> {
        Ok(Both {
            clang: Clang::find()?,
            cpu: host::Cpu::find()?,
            options: if plain { PLAIN } else { OPTIMISED },
        })
    }

    /// Compares kernels, which are compiled as one source.
    pub fn compare(&self, kernels: &[Kernel]) -> Vec<Outcome> {
        let text = source(kernels);
        let ours = self.ours(kernels, &text);
        let theirs = self.cpu.build(&text, self.options);
        match (&ours, &theirs) {
            (Ok(ours), Ok(program)) => kernels
                .iter()
                .zip(ours)
                .map(|(kernel, ours)| match outcome(kernel, ours, program) {
                    Outcome::Differs(text) => self.once_more(kernel, ours, text),
                    outcome => outcome,
                })
                .collect(),
            // One kernel causes the error: each is compiled alone to find it.
            _ if kernels.len() > 1 => kernels
                .iter()
                .flat_map(|kernel| self.compare(std::slice::from_ref(kernel)))
                .collect(),
            (Err(error), _) => vec![Outcome::Refused(format!("{error:#}"))],
            (_, Err(error)) => vec![Outcome::Failed(error.to_string())],
        }
    }

    /// Compares a kernel that differs with the CPU driver's code without optimisation.
    fn once_more(&self, kernel: &Kernel, ours: &Result<Results>, differs: String) -> Outcome {
        let text = source(std::slice::from_ref(kernel));
        let plain = self.cpu.build(&text, PLAIN);
        match plain.map(|program| outcome(kernel, ours, &program)) {
            Ok(Outcome::Same) => Outcome::Contradicts(differs),
            _ => Outcome::Differs(differs),
        }
    }

    /// Runs each kernel on the golden model.
    fn ours(&self, kernels: &[Kernel], text: &str) -> Result<Vec<Result<Results>>> {
        let name = "random.cl";
        let mut options = BuildOptions::default();
        options.set_capability(Capability::V1_3);
        let ptx = self.clang.ptx(
            &Source {
                name,
                text: text.as_bytes(),
            },
            &options,
        )?;
        let module = ptx::parse(&ptx.text)?;
        Ok(kernels.iter().map(|kernel| run(&module, ptx.options, kernel)).collect())
    }
}

/// The source of several kernels.
#[must_use]
pub fn source(kernels: &[Kernel]) -> String {
    let texts = kernels.iter().map(Kernel::text);
    std::iter::once(PRELUDE.to_string()).chain(texts).collect()
}

/// The results of a kernel.
struct Results {
    /// The contents of the buffers, in the order of the parameters.
    buffers: Vec<Vec<u8>>,
    /// The lines that the kernel printed, by work-item.
    printed: Vec<String>,
}

/// Runs a kernel of a module on the golden model.
fn run(module: &ptx::ast::Module, options: Options, kernel: &Kernel) -> Result<Results> {
    let function = module
        .kernels()
        .find(|function| function.name.text == kernel.name)
        .context("the kernel is not in the PTX")?;
    let compiled = compile(module, function, &options)?;
    let space = IndexSpace {
        dimensions: 1,
        offset: [0; 3],
        global: [ITEMS as u32, 1, 1],
        local: [GROUP as u32, 1, 1],
    };
    let mut placement = Placement::new(&space);
    let mut buffers = Vec::new();
    let mut arguments = Vec::new();
    for (index, parameter) in kernel.parameters.iter().enumerate() {
        arguments.push(match &parameter.argument {
            Argument::Local(bytes) => launch::Argument::Local(*bytes as u32),
            Argument::Value(bytes) => launch::Argument::Value(bytes.clone()),
            Argument::Buffer(bytes) => {
                let address = placement.add_buffer(index, bytes.len(), 1)?;
                buffers.push((address as usize, bytes));
                launch::Argument::Value(address.to_le_bytes().to_vec())
            }
        });
    }
    let variables = placement.add_variables(&compiled.variables)?;
    let printf = placement.add_printf(&compiled, &space, PRINTF_BYTES)?;
    let mut memory = vec![0; placement.memory_bytes()? as usize];
    placement.fill(&mut memory);
    for (address, bytes) in &buffers {
        memory[*address..][..bytes.len()].copy_from_slice(bytes);
    }
    let initial = compiled.variables.placed_at(variables);
    memory[variables as usize..][..initial.len()].copy_from_slice(&initial);
    let mut launches = compiled.launches(&arguments, &space, Places { variables, printf })?;
    let (Some(mut launch), None) = (launches.next(), launches.next()) else {
        return Err(anyhow!("expected one launch for an index space of one dimension"));
    };
    let extent = Extent::from(&launch);
    launch.memory.push(MemoryImage {
        space: ImageSpace::Global,
        address: 0,
        words: launch::words(&memory),
    });
    let configuration = Configuration {
        capability: launch.capability,
        global_bytes: memory.len() as u32,
        ..Configuration::default()
    };
    let mut machine = Machine::new(launch, configuration)?;
    machine.run(MOST_INSTRUCTIONS)?;
    let words = machine.global().words().take(memory.len().div_ceil(4));
    let after: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    if let Some(overwritten) = placement.overwritten(&after) {
        return Err(anyhow!("{overwritten}"));
    }
    let mut printed = Vec::new();
    if let Some(printing) = compiled.printing(&space, printf) {
        let mut printer = Printer::new(&printing).map_err(|error| anyhow!("{error}"))?;
        let mut read = |at: u32, bytes: u32| Some(after.get(at as usize..(at + bytes) as usize)?.to_vec());
        printer.collect(&extent, &mut read);
        let all = printer.finish();
        anyhow::ensure!(!all.lost.is_any(), "{}", all.lost);
        printed = all.text;
    }
    let contents = |(address, bytes): (usize, &Vec<u8>)| after[address..][..bytes.len()].to_vec();
    Ok(Results {
        buffers: buffers.into_iter().map(contents).collect(),
        printed: by_item(&printed),
    })
}

/// The lines of an output, sorted by the numbers of the work-items, with which they begin. The lines of a work-item
/// keep their order.
fn by_item(printed: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(printed);
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let item = |line: &String| line.split(' ').next().and_then(|number| number.parse::<u32>().ok());
    lines.sort_by_key(item);
    lines
}

/// Compares our results with the CPU's results.
fn outcome(kernel: &Kernel, ours: &Result<Results>, program: &host::Program) -> Outcome {
    let ours = match ours {
        Ok(ours) => ours,
        Err(error) => return Outcome::Refused(format!("{error:#}")),
    };
    let arguments: Vec<host::Argument> = kernel
        .parameters
        .iter()
        .map(|parameter| match &parameter.argument {
            Argument::Buffer(bytes) => host::Argument::Buffer(bytes),
            Argument::Value(bytes) => host::Argument::Value(bytes),
            Argument::Local(bytes) => host::Argument::Local(*bytes),
        })
        .collect();
    let space = host::IndexSpace {
        offset: &[0],
        global: &[ITEMS],
        local: &[GROUP],
    };
    let (theirs, printed) = match captured(|| program.run(&kernel.name, &arguments, &space)) {
        Ok((Ok(theirs), printed)) => (theirs, by_item(&printed)),
        Ok((Err(error), _)) => return Outcome::Failed(error.to_string()),
        Err(error) => return Outcome::Failed(format!("cannot read the processor's output: {error}")),
    };
    let named = kernel
        .parameters
        .iter()
        .filter(|parameter| matches!(parameter.argument, Argument::Buffer(_)));
    for ((parameter, ours), theirs) in named.zip(&ours.buffers).zip(&theirs) {
        if let Some(at) = (0..ours.len()).find(|at| ours.get(*at) != theirs.get(*at)) {
            let from = at / 8 * 8;
            let word = |bytes: &[u8]| {
                bytes[from..(from + 8).min(bytes.len())]
                    .iter()
                    .rev()
                    .fold(String::from("0x"), |text, byte| text + &format!("{byte:02x}"))
            };
            return Outcome::Differs(format!(
                "{}: byte {from} of {}: ours {}, the processor's {}",
                parameter.name,
                ours.len(),
                word(ours),
                word(theirs)
            ));
        }
    }
    let lines = ours.printed.len().max(printed.len());
    if let Some(at) = (0..lines).find(|at| ours.printed.get(*at) != printed.get(*at)) {
        let line = |of: &[String]| of.get(at).map_or("nothing".to_string(), |line| format!("{line:?}"));
        return Outcome::Differs(format!(
            "line {at} of {lines} printed: ours {}, the processor's {}",
            line(&ours.printed),
            line(&printed)
        ));
    }
    Outcome::Same
}

/// Calls a function, and returns what the process has written to standard output meanwhile.
fn captured<T>(call: impl FnOnce() -> T) -> std::io::Result<(T, Vec<u8>)> {
    let mut file = tempfile::tempfile()?;
    std::io::stdout().flush()?;
    let before = rustix::io::dup(rustix::stdio::stdout())?;
    rustix::stdio::dup2_stdout(&file)?;
    let result = call();
    rustix::stdio::dup2_stdout(&before)?;
    let mut printed = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut printed)?;
    Ok((result, printed))
}
