//! Kernels in OpenCL C for an SM 1.0 GPU, by way of the PTX that clang emits.
//!
//! ```text
//! clang    OpenCL C ──> PTX, with OpenCL's functions in it
//! ptx      text ──> syntax tree
//! ir       ──> control-flow graph over virtual registers
//! passes   simplified graph, without copies and dead code
//! analysis divergence, regions of reconvergence, loops, live and known values
//! lower    ──> machine operations on virtual words; predicates into condition codes
//! registers ──> registers
//! emit     ──> typed instructions, program
//! ```
//! Whatever cannot be compiled is a [`CompileError`] with its place; nothing panics, and nothing is compiled wrongly in
//! silence.

pub mod analysis;
pub mod clang;
pub mod emit;
pub mod error;
pub mod ir;
pub mod launch;
pub mod lower;
pub mod passes;
pub mod placement;
pub mod ptx;
pub mod registers;
#[cfg(test)]
mod testing;

pub use error::{CompileError, Place, SourceLine};
pub use flexgrip_isa::{ConstantBlock, Kernel, Program};

use analysis::{divergence, regions, stack};
use emit::Emission;
use flexgrip_machine::LaunchFacts;
use passes::{addresses, copies, fused, simplify, sink, spaces, structure, thread};
use registers::numbers;
use std::sync::Arc;

/// How often branches are threaded. Two that lead to each other for ever could be threaded for ever.
const THREADINGS: usize = 16;

/// What may be done to a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// A fused multiply-add may be a multiply-add that cuts the product, as `-cl-mad-enable` allows.
    pub contract: bool,
    /// Registers that a thread may have, 1 to 124; `None` is 124. Values beyond them are kept in local memory.
    pub registers: Option<u32>,
    /// Whether grids may be larger than the machine's in a dimension, so that they take several launches. Then the kernel
    /// reads where its launch begins, which costs an instruction or two. [`launch::IndexSpace::needs_large_grid`] says
    /// which index spaces need it.
    pub large_grid: bool,
    /// Whether `__local` memory may take all of shared memory: then the kernel reads its arguments at its entry, and has a barrier
    /// there. [`Compiled::needs_whole_shared`] says which arguments need it; a kernel whose own variables do is always so.
    pub whole_shared: bool,
    /// For a checker: threads make no access that the source does not make, though its result would not matter.
    pub checked: bool,
}

/// A compiled kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiled {
    /// The program, with one kernel; its lines are those of the OpenCL source.
    pub program: Program,
    /// The kernel's parameters.
    pub parameters: Vec<ir::Parameter>,
    /// Words that the launch adds behind them.
    pub hidden: Vec<ir::Hidden>,
    /// What the module's `__constant` and `__global` variables hold at first, the same for each of its kernels. They lie
    /// anywhere in global memory, at a multiple of 256 bytes, and keep what kernels write.
    pub variables: Arc<ir::variables::ModuleVariables>,
    /// Whether it was compiled for large grids.
    pub large_grid: bool,
    /// Whether its `__local` memory begins at byte 0 of shared memory.
    pub whole_shared: bool,
    /// The work-group size that the source requires with `reqd_work_group_size`.
    pub required: Option<[u32; 3]>,
    /// Bytes of local memory per thread.
    pub local_bytes: u32,
    /// Whether the kernel has a barrier.
    pub barrier: bool,
    /// Byte address and place of each instruction.
    pub places: Vec<(u32, Place)>,
    /// What checkers can know of a launch: the variables in shared memory, and where divisors are read.
    pub facts: LaunchFacts,
}

/// Compiles a kernel of a module.
///
/// # Errors
/// What cannot be compiled, with its place.
pub fn compile(
    module: &ptx::ast::Module,
    kernel: &ptx::ast::Function,
    options: &Options,
) -> Result<Compiled, CompileError> {
    compile_with(module, &ir::variables::layout(module), kernel, options)
}

/// The same for one of many kernels: the module's variables are laid out once.
///
/// # Errors
/// As [`compile`].
pub fn compile_with<'a>(
    module: &'a ptx::ast::Module<'a>,
    layout: &'a ir::variables::Layout<'a>,
    kernel: &'a ptx::ast::Function<'a>,
    options: &Options,
) -> Result<Compiled, CompileError> {
    let mut function = ir::build::build(module, kernel, layout, options.large_grid, options.whole_shared)?;
    ir::verify::verify(&function)?;
    spaces::resolve(&mut function)?;
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
    // Loads at fixed places of shared memory are harmless, but a checker would see them.
    let fixed = options.checked.then(|| function.parameter_bytes());
    lower::conditional::convert(&mut code, &mut divergent, fixed);
    lower::predicates::assign(&mut code);
    registers::drop_dead(&mut code);
    let mut regions = regions::Regions::new(&code.successors(), &divergent);
    stack::fit(&code, &divergent, &mut regions)?;
    let limit = options.registers.map_or(registers::REGISTERS, |limit| limit as usize);
    let local_bytes = function.local_bytes;
    let (assignment, emitted) = loop {
        // Most numbers find room in instructions, depending on the registers there: which do not shows with the code.
        let kept = (numbers::count(&code) > numbers::LITERALS).then(|| code.clone());
        let assignment = registers::assign(&mut code, limit, &mut function.local_bytes)?;
        let literals = match emit::emit(&code, &regions, &divergent, &assignment)? {
            Emission::Whole(emitted) => break (assignment, emitted),
            Emission::Crowded(literals) => literals,
        };
        // Registers and spills bring no numbers of their own, so these are the code's.
        let defect = || CompileError::new(Place::default(), "more literals than the code has numbers");
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
        words: emitted.words,
        kernels: vec![Kernel {
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
