//! Parallel compilation of a program's functions on all processors.

use crate::error::CompileError;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{
    ExtFuncData, ExternalName, FuncRef, Function, InstBuilder, Signature, UserExternalName, Value,
};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::{Context, FinalizedMachReloc};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Linkage, Module};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Emits a function's instructions except its return. The values are its arguments: state, memories, opaque blocks.
pub(super) type Body<'a> = Box<dyn Fn(&mut FunctionBuilder, [Value; 3]) + Sync + 'a>;

/// An external function that the program's functions call.
pub(super) struct Outside {
    pub id: FuncId,
    pub signature: Signature,
}

impl Outside {
    /// Like [`Module::declare_func_in_func`], which only one thread can call.
    pub fn import(&self, function: &mut Function) -> FuncRef {
        let signature = function.import_signature(self.signature.clone());
        let name = function.declare_imported_user_function(UserExternalName {
            namespace: 0,
            index: self.id.as_u32(),
        });
        function.import_function(ExtFuncData {
            name: ExternalName::user(name),
            signature,
            colocated: false,
        })
    }
}

/// Converts an error of Cranelift.
pub(super) fn failed(error: impl std::fmt::Display) -> CompileError {
    CompileError::new("machine code", error.to_string())
}

/// A function's machine code, position-independent except for `relocations`.
struct FunctionCode {
    alignment: u64,
    bytes: Vec<u8>,
    relocations: Vec<FinalizedMachReloc>,
    /// The function, if relocations refer to its contents.
    function: Function,
}

/// Compiles a function for each of `bodies`, all with this signature, and adds them to `module` in this order. `name`: the
/// beginning of their names.
pub(super) fn compile(
    module: &mut JITModule,
    name: &str,
    signature: &Signature,
    bodies: &[Body],
) -> Result<Vec<FuncId>, CompileError> {
    let (isa, next) = (module.isa(), AtomicUsize::new(0));
    let work = || {
        // One context for all functions of a thread: allocating contexts takes a seventh of the time.
        let (mut context, mut frontend) = (Context::new(), FunctionBuilderContext::new());
        let mut made = vec![];
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(body) = bodies.get(index) else {
                return made;
            };
            context.clear();
            context.func.signature = signature.clone();
            made.push((index, code(isa, body, &mut context, &mut frontend)));
        }
    };
    let workers = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(bodies.len());
    let mut made = thread::scope(|scope| {
        // If no other thread can be started, this one does all the work.
        let spawned = (1..workers).map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok());
        let others: Vec<_> = spawned.collect();
        let mut made = work();
        for other in others {
            made.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        made
    });
    made.sort_by_key(|(index, _)| *index);
    let add = |(index, code): (usize, Result<FunctionCode, CompileError>)| {
        let code = code?;
        let name = format!("{name}_{index}");
        let id = module
            .declare_function(&name, Linkage::Export, signature)
            .map_err(failed)?;
        module
            .define_function_bytes(id, &code.function, code.alignment, &code.bytes, &code.relocations)
            .map_err(failed)?;
        Ok(id)
    };
    made.into_iter().map(add).collect()
}

/// The code of a function with the instructions of `body` and a return; `context` has its signature.
fn code(
    isa: &dyn TargetIsa,
    body: &Body,
    context: &mut Context,
    frontend: &mut FunctionBuilderContext,
) -> Result<FunctionCode, CompileError> {
    let mut builder = FunctionBuilder::new(&mut context.func, frontend);
    let block = builder.create_block();
    builder.append_block_params_for_function_params(block);
    builder.switch_to_block(block);
    builder.seal_block(block);
    let parameters = builder.block_params(block);
    let parameters = [parameters[0], parameters[1], parameters[2]];
    body(&mut builder, parameters);
    builder.ins().return_(&[]);
    builder.finalize();
    let code = context.compile(isa, &mut ControlPlane::default());
    let code = code.map_err(|e| failed(e.inner))?;
    let (alignment, bytes) = (u64::from(code.buffer.alignment), code.code_buffer().to_vec());
    let relocations = code.buffer.relocs().to_vec();
    let function = match relocations.is_empty() {
        true => Function::new(),
        false => context.func.clone(),
    };
    Ok(FunctionCode {
        alignment,
        bytes,
        relocations,
        function,
    })
}
