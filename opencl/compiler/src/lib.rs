//! A compiler from OpenCL C to SM 1.0, through the PTX that clang emits.
//!
//! ```text
//! clang    OpenCL C ──> PTX, with OpenCL's functions in it
//! ptx      text ──> syntax tree
//! ir       ──> control-flow graph over virtual registers
//! passes   simplified graph, without copies and dead code
//! analysis divergence, reconvergence regions, loops, liveness, known bits
//! lower    ──> machine IR: operations on virtual words; predicates in condition codes
//! registers ──> register allocation, spilling
//! emit     ──> block layout, typed instructions, program
//! ```
//! A construct that cannot be compiled is a [`CompileError`] with its place. No input may cause a panic or wrong code.

#![warn(missing_docs)]

pub mod analysis;
pub mod clang;
pub mod emit;
pub mod error;
pub mod ir;
pub mod launch;
pub mod lower;
pub mod passes;
pub mod placement;
pub mod printf;
pub mod ptx;
pub mod registers;
#[cfg(test)]
mod testing;

pub use error::{CompileError, SourceLine, SourceLocation};
pub use flexgrip_isa::{Capability, ConstantBlock, KernelEntry, Program};

use analysis::{divergence, regions, stack};
use emit::Emission;
use flexgrip_isa::needed_capability;
use flexgrip_machine::LaunchFacts;
use passes::{addresses, atomics, copies, fused, simplify, sink, spaces, structure, thread};
use printf::records::Printing;
use registers::numbers;
use std::sync::Arc;

/// The maximum number of rounds of jump threading. Two branches that lead to each other could be threaded endlessly.
const THREADINGS: usize = 16;

/// Options of the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// A fused multiply-add may become a multiply-add that truncates the product, as `-cl-mad-enable` allows.
    pub contract: bool,
    /// The maximum number of registers of a thread, 1 to 124; `None` is 124. Further values are spilled to local
    /// memory.
    pub registers: Option<u32>,
    /// True if grids may be larger than the machine's in a dimension, which takes several launches. The kernel then
    /// adds the first block of its launch to block indices: one or two further instructions.
    /// [`launch::IndexSpace::needs_large_grid`] is true for index spaces that need this.
    pub large_grid: bool,
    /// True if `__local` memory may take all of shared memory. The kernel then reads its arguments at its entry, with a
    /// barrier after them. [`Compiled::needs_whole_shared`] is true for arguments that need this; a kernel with
    /// `__local` variables of that size is always compiled like this.
    pub whole_shared: bool,
    /// True if `float` arguments of `printf` are passed as `double`. clang does so if the source uses doubles.
    pub promoted: bool,
    /// The compute capability of the device: the instructions that the code may use.
    pub capability: Capability,
    /// True to compile for a checker: threads only make accesses of the source. Otherwise a thread may make a load with
    /// an unused result.
    pub checked: bool,
}

/// A compiled kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The program, with one kernel. Its line numbers refer to the OpenCL source. Its capability is the lowest that
    /// supports all of its instructions.
    pub program: Program,
    /// The kernel's parameters.
    pub parameters: Vec<ir::Parameter>,
    /// The words that the launch adds after the parameters.
    pub hidden: Vec<ir::Hidden>,
    /// The initial values of the module's `__constant` and `__global` variables, which all of its kernels share. The
    /// caller places the variables in global memory, at a multiple of 256 bytes. They keep their values between
    /// launches.
    pub variables: Arc<ir::variables::ModuleVariables>,
    /// The calls of `printf`, by their numbers in records, from 1.
    pub prints: Vec<printf::Site>,
    /// True if the kernel was compiled for large grids.
    pub large_grid: bool,
    /// True if `__local` memory begins at byte 0 of shared memory.
    pub whole_shared: bool,
    /// The work-group size that the source requires with `reqd_work_group_size`.
    pub required: Option<[u32; 3]>,
    /// Bytes of local memory per thread.
    pub local_bytes: u32,
    /// True if the kernel has a barrier.
    pub barrier: bool,
    /// Byte address and place of each instruction.
    pub places: Vec<(u32, SourceLocation)>,
    /// Facts for checkers: the variables in shared memory, and the instructions that read divisors.
    pub facts: LaunchFacts,
}

impl Compiled {
    /// Returns the calls of `printf` for a launch with a buffer.
    #[must_use]
    pub fn printing(
        &self,
        space: &launch::IndexSpace,
        buffer: Option<printf::buffer::PrintBuffer>,
    ) -> Option<Printing> {
        Some(Printing {
            sites: self.prints.clone(),
            buffer: buffer?,
            groups: space.groups().ok()?,
        })
    }
}

/// Compiles a kernel of a module.
///
/// # Errors
/// The first construct that cannot be compiled, with its place.
pub fn compile(
    module: &ptx::ast::Module,
    kernel: &ptx::ast::Function,
    options: &Options,
) -> Result<Compiled, CompileError> {
    compile_with(module, &ir::variables::layout(module), kernel, options)
}

/// Compiles a kernel with an existing layout of the module's variables, which is shared by the module's kernels.
///
/// # Errors
/// The errors of [`compile`].
pub fn compile_with<'a>(
    module: &'a ptx::ast::Module<'a>,
    layout: &'a ir::variables::Layout<'a>,
    kernel: &'a ptx::ast::Function<'a>,
    options: &Options,
) -> Result<Compiled, CompileError> {
    let mut function = ir::build::build(module, kernel, layout, options)?;
    ir::verify::verify(&function)?;
    spaces::resolve(&mut function)?;
    atomics::expand(&mut function)?;
    if !options.contract {
        fused::expand(&mut function);
    }
    simplify::simplify(&mut function);
    copies::clean(&mut function);
    for _ in 0..THREADINGS {
        if thread::thread(&mut function) == 0 {
            break;
        }
        simplify::simplify(&mut function);
        copies::clean(&mut function);
    }
    addresses::fold(&mut function);
    sink::sink(&mut function);
    copies::clean(&mut function);
    simplify::simplify(&mut function);
    if structure::structure(&mut function) > 0 {
        simplify::simplify(&mut function);
    }
    ir::verify::verify(&function)?;
    let mut divergent = divergence::divergence(&function).branches;
    let mut code = lower::lower(&function)?;
    if !function.whole_shared {
        lower::operands::fold(&mut code, function.parameter_bytes());
    }
    lower::operands::fold_loads(&mut code);
    // All threads may execute loads from fixed addresses of shared memory, but a checker would report these accesses.
    let fixed = options.checked.then(|| function.parameter_bytes());
    lower::conditional::convert(&mut code, &mut divergent, fixed);
    lower::predicates::assign(&mut code);
    registers::drop_dead(&mut code);
    let mut regions = regions::Regions::new(&code.successors(), &divergent);
    stack::fit(&code, &divergent, &mut regions)?;
    let limit = options.registers.map_or(registers::REGISTERS, |limit| limit as usize);
    let local_bytes = function.local_bytes;
    let (assignment, emitted) = loop {
        // The registers determine if a constant fits into an instruction, so the number of literals is only known after
        // emission.
        let kept = (numbers::count(&code) > numbers::LITERALS).then(|| code.clone());
        let assignment = registers::assign(&mut code, limit, &mut function.local_bytes)?;
        let literals = match emit::emit(&code, &regions, &divergent, &assignment)? {
            Emission::Whole(emitted) => break (assignment, emitted),
            Emission::Crowded(literals) => literals,
        };
        // Register allocation adds no constants, so all literals are constants of this code.
        let defect = || CompileError::new(SourceLocation::default(), "more literals than the code has numbers");
        code = kept.ok_or_else(defect)?;
        function.local_bytes = local_bytes;
        if numbers::into_registers(&mut code, &literals) == 0 {
            return Err(defect());
        }
    };
    let lines = emitted
        .places
        .iter()
        .filter_map(|(at, place)| place.source.map(|source| (*at, source.line)))
        .collect();
    let words = function.parameter_bytes() / 4;
    let program = Program {
        capability: needed_capability(&emitted.words, options.capability),
        words: emitted.words,
        kernels: vec![KernelEntry {
            name: function.name.clone(),
            entry: 0,
            registers: assignment.count,
            shared_bytes: function.shared_bytes,
            parameters: (0..words).map(|word| format!("p{word}")).collect(),
        }],
        constants: if emitted.literals.is_empty() {
            Vec::new()
        } else {
            vec![ConstantBlock {
                bank: emit::LITERAL_BANK.into(),
                offset: 0,
                words: emitted.literals,
            }]
        },
        lines,
        ..Program::default()
    };
    Ok(Compiled {
        program,
        parameters: function.parameters,
        hidden: function.hidden,
        prints: function.prints,
        variables: layout.variables.clone(),
        large_grid: options.large_grid,
        whole_shared: function.whole_shared,
        required: kernel.required_block(),
        local_bytes: function.local_bytes,
        barrier: code.barrier,
        places: emitted.places,
        facts: LaunchFacts {
            regions: function.shared_variables,
            work_items: None,
            divisors: emitted.divisors,
            fences: emitted.fences,
        },
    })
}
