//! Helpers for tests of OpenCL C: clang, and kernels on the golden model.

use flexgrip_compiler::clang::{BuildOptions, Clang, Source};
use flexgrip_compiler::launch::{Argument, IndexSpace};
use flexgrip_compiler::{compile, ptx, Capability, Compiled};
use flexgrip_machine::{Configuration, ImageSpace, MemoryImage};
use flexgrip_model::Machine;
use std::collections::HashMap;

/// Returns clang, or `None` with a message if there is none and the tools are not required.
pub fn clang() -> Option<Clang> {
    flexgrip_skip::found_or_skip(Clang::find())
}

/// A generator of test data (xorshift).
#[allow(dead_code)]
pub struct Random(pub u64);

#[allow(dead_code)]
impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Number of work-items of a group in [`Program::run`].
#[allow(dead_code)]
pub const GROUP: usize = 64;

/// The kernels of a source, as PTX.
#[allow(dead_code)]
pub struct Program {
    ptx: String,
    pub options: flexgrip_compiler::Options,
}

#[allow(dead_code)]
impl Program {
    /// Compiles a source; panics with clang's log if it has errors.
    pub fn new(clang: &Clang, text: &str, options: &str) -> Program {
        Program::of(clang, text, options, Capability::V1_0)
    }

    /// Compiles a source for a device of a compute capability; panics with clang's log if it has errors.
    pub fn of(clang: &Clang, text: &str, options: &str, capability: Capability) -> Program {
        let mut options = BuildOptions::parse(options).unwrap_or_else(|error| panic!("{error}"));
        options.set_capability(capability);
        let source = Source {
            name: "test.cl",
            text: text.as_bytes(),
        };
        let ptx = clang
            .ptx(&source, &options)
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        Program {
            ptx: ptx.text,
            options: ptx.options,
        }
    }

    /// Returns the machine code of each kernel, or the error.
    pub fn kernels(&self) -> HashMap<String, Result<Compiled, String>> {
        let module = ptx::parse(&self.ptx).unwrap_or_else(|error| panic!("{error}"));
        let kernel = |kernel: &ptx::ast::Function| {
            let name = kernel.name.text.to_string();
            let compiled = compile(&module, kernel, &self.options).map_err(|error| format!("{name}: {error}"));
            (name, compiled)
        };
        module.kernels().map(kernel).collect()
    }

    /// Returns the machine code of a kernel.
    pub fn kernel(&self, name: &str) -> Compiled {
        let kernel = self.kernels().remove(name).expect("a kernel of this name");
        kernel.unwrap_or_else(|error| panic!("{error}"))
    }
}

/// Runs a kernel whose parameters are buffers of words: first the results, with `results` words, then the inputs.
/// `items` is the number of work-items, a multiple of [`GROUP`].
#[allow(dead_code)]
pub fn run(kernel: &Compiled, items: usize, results: usize, inputs: &[&[u32]]) -> Vec<u32> {
    run_with(kernel, items, results, inputs, &[])
}

/// Runs a kernel like [`run`]. The bytes of further values are its last arguments.
#[allow(dead_code)]
pub fn run_with(kernel: &Compiled, items: usize, results: usize, inputs: &[&[u32]], values: &[&[u8]]) -> Vec<u32> {
    run_on(kernel, items, vec![0; results], inputs, values)
}

/// Runs a kernel like [`run_with`]. `memory` has the initial contents of the buffer of results.
#[allow(dead_code)]
pub fn run_on(kernel: &Compiled, items: usize, memory: Vec<u32>, inputs: &[&[u32]], values: &[&[u8]]) -> Vec<u32> {
    let results = memory.len();
    let machine = run_machine(kernel, items, memory, inputs, values, false);
    let words = machine.global().words().take(results);
    words.collect()
}

/// Runs a kernel like [`run_on`] with the checker. Returns its findings, one per line.
#[allow(dead_code)]
pub fn findings(kernel: &Compiled, items: usize, memory: Vec<u32>, inputs: &[&[u32]]) -> String {
    let machine = run_machine(kernel, items, memory, inputs, &[], true);
    let found = machine.checker().expect("a checker").findings();
    found.all().iter().map(|finding| format!("{finding:?}\n")).collect()
}

#[allow(dead_code)]
fn run_machine(
    kernel: &Compiled,
    items: usize,
    mut memory: Vec<u32>,
    inputs: &[&[u32]],
    values: &[&[u8]],
    check: bool,
) -> Machine {
    let mut addresses = vec![0u32];
    for input in inputs {
        memory.resize(memory.len().next_multiple_of(64), 0);
        addresses.push(4 * memory.len() as u32);
        memory.extend_from_slice(input);
    }
    let place = (memory.len().next_multiple_of(64) * 4) as u32;
    let variables = kernel.variables.placed_at(place);
    if !variables.is_empty() {
        memory.resize(place as usize / 4, 0);
        memory.extend(flexgrip_compiler::launch::words(&variables));
    }
    let arguments: Vec<Argument> = addresses
        .iter()
        .map(|address| Argument::Value(address.to_le_bytes().to_vec()))
        .chain(values.iter().map(|value| Argument::Value(value.to_vec())))
        .collect();
    let space = IndexSpace {
        dimensions: 1,
        offset: [0; 3],
        global: [items as u32, 1, 1],
        local: [GROUP as u32, 1, 1],
    };
    let configuration = Configuration {
        capability: kernel.program.capability,
        global_bytes: (4 * memory.len() as u32).next_multiple_of(1 << 16),
        ..Configuration::default()
    };
    let mut launches = kernel
        .launches(&arguments, &space, place)
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(launches.len(), 1);
    let mut launch = launches.next().expect("one launch");
    launch.memory.push(MemoryImage {
        space: ImageSpace::Global,
        address: 0,
        words: memory,
    });
    let name = launch.name.clone();
    let mut machine = Machine::new(launch, configuration).unwrap_or_else(|error| panic!("{name}: {error}"));
    if check {
        machine.check();
    }
    if let Err(error) = machine.run(u64::MAX) {
        panic!("{name}: {error}");
    }
    machine
}
