//! The order of all stages, from the syntax tree of a kernel to its program.

use crate::analysis::{divergence, regions, stack};
use crate::compiled::Compiled;
use crate::emit::{self, Emission};
use crate::error::{CompileError, SourceLocation};
use crate::ir::variables::{layout, Layout};
use crate::ir::{build, verify};
use crate::lower;
use crate::options::Options;
use crate::passes::{addresses, atomics, copies, fused, simplify, sink, spaces, structure, thread};
use crate::ptx;
use crate::registers::{self, numbers};
use flexgrip_isa::{needed_capability, ConstantBlock, KernelEntry, Program};
use flexgrip_machine::LaunchFacts;

/// The maximum number of rounds of jump threading. Two branches that lead to each other could be threaded endlessly.
const THREADINGS: usize = 16;

/// Compiles a kernel of a module.
///
/// # Errors
/// The first construct that cannot be compiled, with its place.
pub fn compile(
    module: &ptx::ast::Module,
    kernel: &ptx::ast::Function,
    options: &Options,
) -> Result<Compiled, CompileError> {
    compile_with(module, &layout(module), kernel, options)
}

/// Compiles a kernel with an existing layout of the module's variables, which is shared by the module's kernels.
///
/// # Errors
/// The errors of [`compile`].
pub fn compile_with<'a>(
    module: &'a ptx::ast::Module<'a>,
    layout: &'a Layout<'a>,
    kernel: &'a ptx::ast::Function<'a>,
    options: &Options,
) -> Result<Compiled, CompileError> {
    let mut function = build::build(module, kernel, layout, options)?;
    verify::verify(&function)?;
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
    verify::verify(&function)?;
    let mut divergent = divergence::divergence(&function).branches;
    let mut code = lower::lower(&function)?;
    if !function.whole_shared {
        lower::operands::fold(&mut code, function.shared_parameter_bytes());
    }
    lower::operands::fold_loads(&mut code);
    // All threads may execute loads from fixed addresses of shared memory, but a checker would report these accesses.
    let fixed = options.checked.then(|| function.shared_parameter_bytes());
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
    let words = function.shared_parameter_bytes() / 4;
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
