//! Runs a kernel on the model and on the reference.

use crate::reference;
pub use flexgrip_compiler::launch::words;
use flexgrip_compiler::launch::{Argument, IndexSpace};
use flexgrip_compiler::ptx::ast::{Function, Module};
use flexgrip_compiler::{compile, ir, ptx, Compiled, Options};
use flexgrip_machine::{Configuration, ImageSpace, MemoryImage};
use flexgrip_model::Machine;

const LIMIT: u64 = 50_000_000;

/// Number of random programs: `quick`, or more with the feature `soak`.
pub fn cases(quick: u32) -> u32 {
    if cfg!(feature = "soak") {
        50 * quick
    } else {
        quick
    }
}

/// A kernel with its launch.
pub struct Case<'a> {
    pub text: &'a str,
    pub kernel: &'a str,
    pub options: Options,
    /// Number of blocks.
    pub grid: [u32; 3],
    /// Number of threads of a block.
    pub block: [u32; 3],
    pub arguments: Vec<Argument>,
    /// Initial global memory. The module's variables are placed after it.
    pub memory: Vec<u8>,
}

impl<'a> Case<'a> {
    /// Creates a launch of kernel `k` in one warp, with 128 bytes of memory at address 0: a word for each thread.
    pub fn of_warp(text: &'a str) -> Self {
        Case {
            text,
            kernel: "k",
            options: Options::default(),
            grid: [1; 3],
            block: [32, 1, 1],
            arguments: vec![value(0)],
            memory: vec![0; 128],
        }
    }
}

/// The results of both runs.
pub struct Outcome {
    pub compiled: Compiled,
    /// Global memory on the model, without the module's variables.
    pub found: Vec<u8>,
    /// Global memory on the reference.
    pub wanted: Vec<u8>,
    pub warp_instructions: u64,
}

pub fn find<'a>(module: &'a Module<'a>, name: &str) -> &'a Function<'a> {
    let mut kernels = module.kernels();
    kernels.find(|kernel| kernel.name.text == name).expect("the kernel")
}

pub fn value(number: u32) -> Argument {
    Argument::Value(number.to_le_bytes().to_vec())
}

impl Outcome {
    pub fn listing(&self) -> String {
        flexgrip_isa::listing(&self.compiled.program.words, flexgrip_isa::Style::default())
    }

    /// Checks that `same` is true for each word of both memories.
    pub fn compare(&self, name: &str, same: impl Fn(u32, u32) -> bool) {
        for (at, (found, wanted)) in words(&self.found).into_iter().zip(words(&self.wanted)).enumerate() {
            assert!(
                same(found, wanted),
                "{name}: {found:#010x} at {:#x}; expected {wanted:#010x}\n{}",
                4 * at,
                self.listing()
            );
        }
    }
}

/// Runs a kernel only on the model. Returns the kernel, global memory with the module's variables, their address, and
/// the number of executed warp instructions.
pub fn execute(case: &Case) -> Result<(Compiled, Vec<u8>, u32, u64), String> {
    let module = ptx::parse(case.text).map_err(|error| error.to_string())?;
    let kernel = find(&module, case.kernel);
    let compiled = compile(&module, kernel, &case.options).map_err(|error| error.to_string())?;
    let place = (case.memory.len() as u32).next_multiple_of(256);
    let mut bytes = case.memory.clone();
    bytes.resize(place as usize, 0);
    bytes.extend(compiled.variables.placed_at(place));
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let space = IndexSpace {
        dimensions: 3,
        offset: [0; 3],
        global: std::array::from_fn(|dimension| case.grid[dimension] * case.block[dimension]),
        local: case.block,
    };
    let launches = compiled
        .launches(&case.arguments, &space, place)
        .map_err(|error| error.to_string())?;
    let mut executed = 0;
    for mut launch in launches {
        launch.memory.push(MemoryImage {
            space: ImageSpace::Global,
            address: 0,
            words: words(&bytes),
        });
        let mut machine = Machine::new(launch, Configuration::default()).map_err(|error| error.to_string())?;
        executed += machine
            .run(LIMIT)
            .map_err(|error| {
                let listing = flexgrip_isa::listing(&compiled.program.words, flexgrip_isa::Style::default());
                format!("{}: {error}\n{listing}", case.kernel)
            })?
            .warp_instructions;
        bytes = machine.global().bytes()[..bytes.len()].to_vec();
    }
    Ok((compiled, bytes, place, executed))
}

/// Runs a kernel on the model and on the reference.
pub fn run(case: &Case) -> Outcome {
    let (compiled, found, place, warp_instructions) = execute(case).unwrap_or_else(|error| panic!("{error}"));
    let module = ptx::parse(case.text).unwrap_or_else(|error| panic!("{error}"));
    let layout = ir::variables::layout(&module);
    let mut wanted = case.memory.clone();
    wanted.resize(place as usize, 0);
    wanted.extend(compiled.variables.placed_at(place));
    let parameters = case.arguments.iter().flat_map(|argument| match argument {
        Argument::Value(bytes) => {
            let mut bytes = bytes.clone();
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            bytes
        }
        Argument::Local(_) => panic!("`__local` arguments are not supported"),
    });
    reference::run(
        &reference::Launch {
            module: &module,
            kernel: find(&module, case.kernel),
            grid: case.grid,
            block: case.block,
            parameters: parameters.collect(),
            variables: layout
                .places
                .iter()
                .filter_map(|(name, at)| Some((name.to_string(), place + at.clone().ok()?)))
                .collect(),
        },
        &mut wanted,
    );
    let end = case.memory.len();
    Outcome {
        compiled,
        found: found[..end].to_vec(),
        wanted: wanted[..end].to_vec(),
        warp_instructions,
    }
}
