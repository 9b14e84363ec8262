//! Runs kernels on the golden model and on the CPU, and compares their buffers.

use crate::generate::PRELUDE;
use crate::tree::{Argument, Kernel, GROUP, ITEMS};
use anyhow::{anyhow, Context, Result};
use flexgrip_compiler::clang::{BuildOptions, Clang, Source};
use flexgrip_compiler::launch::{self, IndexSpace};
use flexgrip_compiler::{compile, ptx, Capability, Options};
use flexgrip_machine::{Configuration, ImageSpace, MemoryImage};
use flexgrip_model::Machine;
use flexgrip_opencl_host as host;

/// Warp instructions after which the model stops a kernel as endless: far more than its loops and work-items can need.
const MOST_INSTRUCTIONS: u64 = 100_000_000;
/// Alignment of buffers and address of the first one, in bytes.
const ALIGNMENT: usize = 256;

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
}

impl Both {
    /// Finds clang and the CPU's OpenCL driver.
    ///
    /// # Errors
    /// One of the two is missing; the error says how to install it.
    pub fn find() -> Result<Both> {
        Ok(Both {
            clang: Clang::find()?,
            cpu: host::Cpu::find()?,
        })
    }

    /// Compares kernels, which are compiled as one source.
    pub fn compare(&self, kernels: &[Kernel]) -> Vec<Outcome> {
        let text = source(kernels);
        let ours = self.ours(kernels, &text);
        // Random kernels cause many warnings.
        let theirs = self.cpu.build(&text, "-w");
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
    fn once_more(&self, kernel: &Kernel, ours: &Result<Vec<Vec<u8>>>, differs: String) -> Outcome {
        let text = source(std::slice::from_ref(kernel));
        let plain = self.cpu.build(&text, "-w -cl-opt-disable");
        match plain.map(|program| outcome(kernel, ours, &program)) {
            Ok(Outcome::Same) => Outcome::Contradicts(differs),
            _ => Outcome::Differs(differs),
        }
    }

    /// Runs each kernel on the golden model and returns its buffers.
    fn ours(&self, kernels: &[Kernel], text: &str) -> Result<Vec<Result<Vec<Vec<u8>>>>> {
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

/// Runs a kernel of a module on the golden model and returns its buffers.
fn run(module: &ptx::ast::Module, options: Options, kernel: &Kernel) -> Result<Vec<Vec<u8>>> {
    let function = module
        .kernels()
        .find(|function| function.name.text == kernel.name)
        .context("the kernel is not in the PTX")?;
    let compiled = compile(module, function, &options)?;
    let mut memory: Vec<u8> = Vec::new();
    let mut buffers = Vec::new();
    let mut arguments = Vec::new();
    for parameter in &kernel.parameters {
        arguments.push(match &parameter.argument {
            Argument::Local(bytes) => launch::Argument::Local(*bytes as u32),
            Argument::Value(bytes) => launch::Argument::Value(bytes.clone()),
            Argument::Buffer(bytes) => {
                // No buffer is at address 0, the null pointer.
                let address = memory.len().max(1).next_multiple_of(ALIGNMENT);
                memory.resize(address, 0);
                memory.extend_from_slice(bytes);
                buffers.push(address..address + bytes.len());
                launch::Argument::Value((address as u32).to_le_bytes().to_vec())
            }
        });
    }
    let variables = memory.len().next_multiple_of(ALIGNMENT);
    memory.resize(variables, 0);
    memory.extend(compiled.variables.placed_at(variables as u32));
    let space = IndexSpace {
        dimensions: 1,
        offset: [0; 3],
        global: [ITEMS as u32, 1, 1],
        local: [GROUP as u32, 1, 1],
    };
    let mut launches = compiled.launches(&arguments, &space, variables as u32)?;
    let (Some(mut launch), None) = (launches.next(), launches.next()) else {
        return Err(anyhow!("expected one launch for an index space of one dimension"));
    };
    launch.memory.push(MemoryImage {
        space: ImageSpace::Global,
        address: 0,
        words: launch::words(&memory),
    });
    let configuration = Configuration {
        capability: launch.capability,
        ..Configuration::default()
    };
    let mut machine = Machine::new(launch, configuration)?;
    machine.run(MOST_INSTRUCTIONS)?;
    let words = machine.global().words().take(memory.len().div_ceil(4));
    let after: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    Ok(buffers.into_iter().map(|buffer| after[buffer].to_vec()).collect())
}

/// Compares our results with the CPU's results.
fn outcome(kernel: &Kernel, ours: &Result<Vec<Vec<u8>>>, program: &host::Program) -> Outcome {
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
    let theirs = match program.run(&kernel.name, &arguments, &space) {
        Ok(theirs) => theirs,
        Err(error) => return Outcome::Failed(error.to_string()),
    };
    let named = kernel
        .parameters
        .iter()
        .filter(|parameter| matches!(parameter.argument, Argument::Buffer(_)));
    for ((parameter, ours), theirs) in named.zip(ours).zip(&theirs) {
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
    Outcome::Same
}
