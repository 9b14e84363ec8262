//! Machine code for a design: the nodes of each [cluster](super::activity::Cluster) in the order in which they are
//! needed, guarded by a test whether the cluster follows anything that has changed, in functions of some thousand nodes
//! each.

use super::activity::{clusters, Item, Takers};
use super::emit::{type_of, Emitter, Part};
use super::layout::{lay_out, Layout};
use crate::design::graph::{Id, Op};
use crate::design::Design;
use crate::error::CompileError;
use cranelift_codegen::ir::{types, AbiParam, InstBuilder};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{default_libcall_names, Linkage, Module};
use std::collections::{HashMap, HashSet};

/// Nodes per function: the register allocator's time grows faster than its input.
const NODES: usize = 1500;

/// Compiled code; its arguments: state, memories, opaque blocks.
pub(crate) type Function = unsafe extern "C" fn(*mut u8, *const *const u64, *mut u8);

/// Machine code and the layout of its state.
pub(crate) struct Program {
    pub layout: Layout,
    pub functions: Vec<Function>,
    /// The takers of each cluster's values.
    pub takers: Vec<Takers>,
    /// State byte of the first of `takers`; they fill whole words.
    pub computed: u32,
    /// Owns the code. None once it is freed.
    module: Option<JITModule>,
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the functions are reached only through this program, which is being dropped.
            unsafe { module.free_memory() }
        }
    }
}

// SAFETY: the code does not change once made, and its functions have no state of their own.
unsafe impl Send for Program {}
// SAFETY: as above.
unsafe impl Sync for Program {}

/// Compiles `design`. `call` is the function that calls an opaque block; its arguments: opaque blocks, state, number.
pub(crate) fn compile(design: &Design, call: *const u8) -> Result<Program, CompileError> {
    if cfg!(target_endian = "big") {
        let reason = "the state is laid out with the lowest byte first";
        return Err(CompileError::Processor(reason.into()));
    }
    let mut layout = lay_out(design);
    let clusters = clusters(design, &layout)?;
    let computed = layout.bytes;
    layout.bytes += (clusters.len() as u32).next_multiple_of(8);
    let parts: Vec<Part> = clusters
        .iter()
        .enumerate()
        .flat_map(|(number, cluster)| {
            let parts = cluster.items.chunks(NODES).enumerate();
            parts.map(move |(part, items)| Part {
                cluster: number,
                first: part == 0,
                follows: &cluster.follows,
                items,
            })
        })
        .collect();

    let failed = |e: &dyn std::fmt::Display| CompileError::new("machine code", e.to_string());
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("enable_verifier", "false"),
    ] {
        flags.set(name, value).map_err(|e| failed(&e))?;
    }
    let isa = cranelift_native::builder()
        .map_err(|e| CompileError::Processor(e.to_string()))?
        .finish(settings::Flags::new(flags))
        .map_err(|e| failed(&e))?;
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    builder.symbol("call_opaque", call);
    let mut module = JITModule::new(builder);
    let mut call_signature = module.make_signature();
    for kind in [types::I64, types::I64, types::I64] {
        call_signature.params.push(AbiParam::new(kind));
    }
    let call = module
        .declare_function("call_opaque", Linkage::Import, &call_signature)
        .map_err(|e| failed(&e))?;

    let kept = keep(design, &parts, &mut layout);
    let registers: HashMap<u32, usize> = design.registers.iter().enumerate().map(|(i, r)| (r.cell, i)).collect();
    let mut context = module.make_context();
    let mut frontend = FunctionBuilderContext::new();
    let mut ids = vec![];
    let mut rest = &parts[..];
    while !rest.is_empty() {
        let mut nodes = 0;
        let parts = rest.iter().take_while(|part| {
            nodes += part.items.len();
            nodes <= NODES
        });
        let (parts, later) = rest.split_at(parts.count().max(1));
        rest = later;
        let id = module
            .declare_function(&format!("settle_{}", ids.len()), Linkage::Export, &call_signature)
            .map_err(|e| failed(&e))?;
        context.func.signature = call_signature.clone();
        let mut builder = FunctionBuilder::new(&mut context.func, &mut frontend);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        builder.seal_block(block);
        let parameters = builder.block_params(block).to_vec();
        let mut emitter = Emitter {
            design,
            layout: &layout,
            kept: &kept,
            registers: &registers,
            builder,
            module: &mut module,
            call,
            state: parameters[0],
            memories: parameters[1],
            opaques: parameters[2],
            values: HashMap::new(),
            bases: HashMap::new(),
        };
        for part in parts {
            emitter.part(part, computed);
        }
        emitter.builder.ins().return_(&[]);
        emitter.builder.finalize();
        module.define_function(id, &mut context).map_err(|e| failed(&e))?;
        module.clear_context(&mut context);
        ids.push(id);
    }
    module.finalize_definitions().map_err(|e| failed(&e))?;
    let functions = ids
        .into_iter()
        .map(|id| {
            let code = module.get_finalized_function(id);
            // SAFETY: this is the function just compiled, with the signature of `Function`.
            unsafe { std::mem::transmute::<*const u8, Function>(code) }
        })
        .collect();
    layout.bytes = layout.bytes.next_multiple_of(64);
    Ok(Program {
        layout,
        functions,
        takers: clusters.into_iter().map(|cluster| cluster.takers).collect(),
        computed,
        module: Some(module),
    })
}

/// State places for values that a later part needs.
fn keep(design: &Design, parts: &[Part], layout: &mut Layout) -> HashMap<Id, u32> {
    let mut made = HashMap::new();
    let mut kept = HashSet::new();
    for (number, part) in parts.iter().enumerate() {
        for item in part.items {
            let mut need = |id: Id| {
                let again = matches!(design.graph.op(id), Op::Constant(_) | Op::Cell(_) | Op::Call { .. });
                if !again && made.get(&id).is_some_and(|at| *at != number) {
                    kept.insert(id);
                }
            };
            match *item {
                Item::Node(id) => {
                    design.graph.op(id).operands(&mut need);
                    made.insert(id, number);
                }
                Item::Register(register) => need(design.registers[register].next),
                Item::Word { value, .. } => need(value),
                Item::Call(_) => {}
            }
        }
    }
    let bytes = |id: Id| type_of(design.graph.width(id)).bytes();
    let mut kept: Vec<Id> = kept.into_iter().collect();
    kept.sort_by_key(|id| (std::cmp::Reverse(bytes(*id)), *id));
    kept.into_iter()
        .map(|id| {
            let at = layout.bytes;
            layout.bytes += bytes(id);
            (id, at)
        })
        .collect()
}
