//! Machine code for a design: the nodes of each [cluster](super::plan::activity::Cluster) in dependency order, guarded by a
//! test for changes of the values that the cluster reads, in functions of some hundred nodes each.
#![allow(unsafe_code, reason = "machine code is called by its address")]

use super::edge::Edge;
use super::emit::{ClusterPart, Emitter, Known};
use super::flags::{self, one_word, Flags};
use super::functions::{self, failed, Body, Outside};
use super::instructions::{begin_if, end_if, type_of};
use super::plan::activity::{clusters, Cluster, Item};
use super::plan::arms::Arms;
use super::plan::chunks::chunk;
use super::plan::groups::Sources;
use super::plan::layout::{families, lay_out, Kept, Layout, Port};
use super::plan::memo::Memo;
use super::plan::order::order;
use super::plan::packs::{self, Packs};
use crate::design::graph::{Id, Op};
use crate::design::Design;
use crate::error::CompileError;
use cranelift_codegen::ir::{types, AbiParam, InstBuilder, Signature, Value};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilder;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{default_libcall_names, FuncId, Linkage, Module};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The number of nodes per function. The time for register allocation grows faster than the size of a function.
const NODES: usize = 600;

/// A value is compared with its previous one if the clusters that need it have at least this many nodes. The
/// comparison costs about three nodes, but its branch takes time to compile.
const NODES_FOR_A_VALUE: usize = 10;

/// The cost of a memory's edge in nodes.
const MEMORY_NODES: usize = 30;

/// A compiled function. Its arguments are the state, the memories with the tables after them, and the opaque blocks.
pub(crate) type Function = unsafe extern "C" fn(*mut u8, *const *mut u64, *mut u8);

/// Parts of the code that compute otherwise than node by node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Vectors in a cycle that computes everything. Each has the values of four neighbours.
    pub vectors: usize,
    /// Words put together from the same bit of neighbours.
    pub bits: usize,
    /// Functions of few registers whose results are looked up in a table.
    pub tables: usize,
    /// Choices of which only the chosen arm is computed.
    pub branches: usize,
}

/// A register of the circuit.
pub(crate) struct Place {
    /// Its lowest bit in the state.
    pub bit: usize,
    /// Its group.
    pub group: u32,
    /// The cluster that computes its next value.
    pub cluster: u32,
}

/// Machine code and the layout of its state.
pub(crate) struct Program {
    pub layout: Layout,
    /// The registers of the circuit.
    pub registers: Vec<Place>,
    /// Computes the outputs.
    pub settle: Function,
    /// Computes everything else, and the clock edge.
    pub edge: Function,
    pub sources: Sources,
    /// For each group, the clusters that follow it: flags of the state's [`Layout::active`].
    pub followers: Vec<Flags>,
    pub counts: Counts,
    /// The words of the [tables](super::plan::memo) of memoised clusters.
    pub tables: usize,
    /// The owner of the code; `None` once it is freed.
    module: Option<JITModule>,
}

impl Program {
    /// The state words of [`Layout::active`].
    pub fn active(&self) -> Range<usize> {
        self.layout.active as usize / 8..self.layout.next as usize / 8
    }

    /// The state words of [`Layout::next`].
    pub fn next(&self) -> Range<usize> {
        let words = self.active();
        words.end..words.end + words.len()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the functions are reached only through this program, which is being dropped.
            unsafe { module.free_memory() }
        }
    }
}

// SAFETY: the code is immutable, and its functions have no state of their own.
unsafe impl Send for Program {}
// SAFETY: as above.
unsafe impl Sync for Program {}

/// Compiles `design`, with vectors if `vectors` is true and this processor has them. `call` is the function that calls
/// an opaque block; its arguments: opaque blocks, state, number.
pub(crate) fn compile(design: &Design, call: *const u8, vectors: bool) -> Result<Program, CompileError> {
    if cfg!(target_endian = "big") {
        let reason = "the state is laid out with the lowest byte first";
        return Err(CompileError::Processor(reason.into()));
    }
    let families = Sources::families(design);
    let chunks = chunk(design, &families);
    let (sources, nodes) = Sources::of(&chunks.design, |index| {
        let first = &design.registers[chunks.first[index]];
        (first.family, families[first.next as usize].clone())
    });
    let design = &chunks.design;
    let mut layout = lay_out(design, &sources);
    let clusters = clusters(design, &layout, &sources, &nodes)?;
    let (mut clusters, in_place) = order(design, &sources, clusters, NODES);
    let waiting: Vec<(u32, u32)> = {
        let mut groups: Vec<u32> = clusters
            .iter()
            .flat_map(|cluster| cluster.registers.iter().copied())
            .collect();
        groups.retain(|group| !in_place[*group as usize]);
        groups.sort_unstable();
        groups.dedup();
        (0..).zip(groups).collect()
    };
    let memories = together(design, &clusters);
    layout.add_flags(clusters.len(), &memories, waiting.len());
    let waiting_flag = |(number, group): &(u32, u32)| (*group, Flags::of([layout.waiting + number]));
    let waiting_flags: FxHashMap<u32, Flags> = waiting.iter().map(waiting_flag).collect();
    let due_memories = |cluster: &Cluster| {
        let memories = cluster.memories.iter();
        let mut flags: Vec<u32> = memories.map(|memory| layout.due[*memory as usize]).collect();
        flags.sort_unstable();
        Flags::of(flags)
    };
    let due: Vec<Flags> = clusters.iter().map(due_memories).collect();
    let mut followers = vec![Flags::default(); sources.count as usize];
    let mut cluster_of_register = vec![0; design.registers.len()];
    for (number, cluster) in clusters.iter().enumerate() {
        for group in cluster.follows.iter() {
            followers[group as usize].insert(number as u32);
        }
        for item in &cluster.items {
            if let Item::Register(index) = item {
                cluster_of_register[*index] = number as u32;
            }
        }
    }
    let registers: FxHashMap<u32, usize> = design.registers.iter().enumerate().map(|(i, r)| (r.cell, i)).collect();
    let mut flags = settings::builder();
    // Equal nodes are merged and constants folded in the graph; Cranelift's own optimisation would cost more time than
    // it saves.
    for (name, value) in [("opt_level", "none"), ("is_pic", "false"), ("enable_verifier", "false")] {
        flags.set(name, value).map_err(failed)?;
    }
    let isa = cranelift_native::builder()
        .map_err(|e| CompileError::Processor(e.to_string()))?
        .finish(settings::Flags::new(flags))
        .map_err(failed)?;
    let mut features = isa.isa_flags().into_iter();
    let blends = features.any(|flag| flag.name == "has_sse41" && flag.as_bool() == Some(true));
    let mut packs = Packs::default();
    if vectors && (blends || cfg!(target_arch = "aarch64")) {
        let state = packs::State {
            design,
            layout: &layout,
            registers: &registers,
        };
        packs = packs::pack(state, &sources, &mut clusters);
    }
    let parts: Vec<ClusterPart> = clusters
        .iter()
        .enumerate()
        .flat_map(|(number, cluster)| {
            let (parts, count) = (cluster.items.chunks(NODES), cluster.items.len().div_ceil(NODES));
            parts.enumerate().map(move |(part, items)| ClusterPart {
                cluster: number,
                items,
                first: part == 0,
                last: part + 1 == count,
            })
        })
        .collect();

    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    builder.symbol("call_opaque", call);
    let mut module = JITModule::new(builder);
    let mut call_signature = module.make_signature();
    for kind in [types::I64, types::I64, types::I64] {
        call_signature.params.push(AbiParam::new(kind));
    }
    let call = module
        .declare_function("call_opaque", Linkage::Import, &call_signature)
        .map_err(failed)?;

    let call = Outside {
        id: call,
        signature: call_signature,
    };
    let arms = Arms::of(design, &packs, &clusters, NODES);
    let kept = keep(design, &packs, &parts, &mut layout);
    layout.bytes = layout.bytes.next_multiple_of(64);
    let state = packs::State {
        design,
        layout: &layout,
        registers: &registers,
    };
    let (mut memos, mut tables) = (FxHashMap::default(), 0);
    for (number, cluster) in clusters.iter().enumerate() {
        if let Some(memo) = Memo::of(state, &packs, &kept, cluster, tables) {
            tables += memo.bytes();
            memos.insert(number, memo);
        }
    }
    let counts = Counts {
        vectors: packs.count(),
        bits: packs.concatenations(),
        tables: memos.len(),
        branches: arms.branches(),
    };
    let (finished, followed) = (layout, followers);
    let (layout, followers) = (&finished, &followed);
    let numbered: Vec<(u32, Range<usize>)> = (0..).zip(memories).collect();
    let words = |group: u32| layout.groups[group as usize].len() + followers[group as usize].words().len();
    let settling = clusters.iter().filter(|cluster| cluster.settles).count();
    let (settled, late) = parts.split_at(parts.partition_point(|part| part.cluster < settling));
    // The flags of each function: it is called only if one of them is set. A machine's code is larger than the caches of
    // a processor, so functions that are not called save loads of code.
    let mut guards: Vec<Range<u32>> = vec![];
    let mut bodies: Vec<Body> = vec![];
    let runs_of = |parts| runs(parts, |part: &ClusterPart| part.items.len());
    let settles = runs_of(settled).count();
    for parts in runs_of(settled).chain(runs_of(late)) {
        let clusters = parts[0].cluster as u32..parts[parts.len() - 1].cluster as u32 + 1;
        guards.push(clusters);
        let (arms, kept, packs, memos, registers, call) = (&arms, &kept, &packs, &memos, &registers, &call);
        let (sources, waiting, due) = (&sources, &waiting_flags, &due);
        bodies.push(Box::new(move |builder, [state, memories, opaques]| {
            let mut emitter = Emitter {
                design,
                layout,
                sources,
                followers,
                waiting,
                due,
                kept,
                packs,
                arms,
                memos,
                blends,
                registers,
                builder,
                call,
                state,
                memories,
                opaques,
                known: Known::default(),
                changes: FxHashMap::default(),
                certain: vec![],
                loads: vec![],
            };
            let words = parts.chunk_by(|a, b| one_word(a.cluster as u32, b.cluster as u32));
            words.for_each(|parts| emitter.parts(parts));
        }));
    }
    let edge = |steps| at_edge(design, layout, &sources.memory, followers, steps);
    for run in runs(&waiting, |(_, group)| words(*group)) {
        guards.push(range(layout.waiting, run[0].0, run.len()));
        bodies.push(edge(Box::new(|edge| {
            let words = run.chunk_by(|a, b| one_word(a.0, b.0));
            words.for_each(|groups| edge.groups(groups));
        })));
    }
    for run in runs(&numbered, |(_, memories)| MEMORY_NODES * memories.len()) {
        guards.push(range(layout.memories, run[0].0, run.len()));
        bodies.push(edge(Box::new(|edge| {
            let words = run.chunk_by(|a, b| one_word(a.0, b.0));
            words.for_each(|families| edge.families(families));
        })));
    }
    let ids = functions::compile(&mut module, "step", &call.signature, &bodies)?;
    drop(bodies);
    let steps: Vec<(FuncId, Range<u32>)> = ids.into_iter().zip(guards).collect();
    let (settle, edge) = steps.split_at(settles);
    let signature = &call.signature;
    let calls = [settle, edge].map(|steps| -> Body {
        Box::new(move |builder, arguments| call_due(builder, arguments, layout.active, signature, steps))
    });
    let ids = functions::compile(&mut module, "all", signature, &calls)?;
    drop(calls);
    module.finalize_definitions().map_err(failed)?;
    let function = |id: FuncId| {
        let code = module.get_finalized_function(id);
        // SAFETY: this is a function just compiled, with the signature of `Function`.
        unsafe { std::mem::transmute::<*const u8, Function>(code) }
    };
    let (settle, edge) = (function(ids[0]), function(ids[1]));
    let place = |(register, low): &(usize, u32)| Place {
        bit: (finished.register[*register] * 8 + low) as usize,
        group: sources.register[*register],
        cluster: cluster_of_register[*register],
    };
    Ok(Program {
        settle,
        edge,
        registers: chunks.places.iter().map(place).collect(),
        sources,
        followers: followed,
        counts,
        tables: tables as usize / 8,
        layout: finished,
        module: Some(module),
    })
}

/// This many flags from number `number` on of those that begin with flag `first`.
fn range(first: u32, number: u32, count: usize) -> Range<u32> {
    first + number..first + number + count as u32
}

/// Emits calls of those functions of which a flag, of those at byte `active` of the state, is set.
fn call_due(
    builder: &mut FunctionBuilder,
    arguments: [Value; 3],
    active: u32,
    signature: &Signature,
    functions: &[(FuncId, Range<u32>)],
) {
    for (id, flags) in functions {
        let due = flags::load_any(builder, arguments[0], active, flags);
        let next = begin_if(builder, due);
        let signature = signature.clone();
        let function = Outside { id: *id, signature }.import(builder.func);
        builder.ins().call(function, &arguments);
        end_if(builder, next);
    }
}

/// Emits the body of a function of the clock edge.
type Steps<'a> = Box<dyn Fn(&mut Edge) + Sync + 'a>;

/// A function of the clock edge.
fn at_edge<'a>(
    design: &'a Design,
    layout: &'a Layout,
    groups: &'a [u32],
    followers: &'a [Flags],
    steps: Steps<'a>,
) -> Body<'a> {
    Box::new(move |builder, [state, memories, _]| {
        steps(&mut Edge {
            design,
            layout,
            groups,
            followers,
            builder,
            state,
            memories,
        });
    })
}

/// Ranges of neighbouring memories of one family with inputs from the same clusters: all of them are due, or none.
fn together(design: &Design, clusters: &[Cluster]) -> Vec<Range<usize>> {
    let mut computed_by = vec![vec![]; design.memories.len()];
    for (number, cluster) in clusters.iter().enumerate() {
        let memories = cluster.memories.iter();
        memories.for_each(|memory| computed_by[*memory as usize].push(number));
    }
    let mut start = 0;
    let mut ranges = vec![];
    for family in families(&design.memories) {
        let memories: Vec<usize> = (start..start + family.len()).collect();
        start += family.len();
        for same in memories.chunk_by(|a, b| computed_by[*a] == computed_by[*b]) {
            // No function is too large.
            let parts = same.chunks(NODES / MEMORY_NODES);
            ranges.extend(parts.map(|part| part[0]..part[0] + part.len()));
        }
    }
    ranges
}

/// Slices of at most [`NODES`] nodes each, or of one item that has more.
fn runs<'a, T>(all: &'a [T], nodes: impl Fn(&T) -> usize + 'a) -> impl Iterator<Item = &'a [T]> + 'a {
    let mut rest = all;
    std::iter::from_fn(move || {
        let mut sum = 0;
        let fitting = rest.iter().take_while(|one| {
            sum += nodes(one);
            sum <= NODES
        });
        let (run, later) = rest.split_at(fitting.count().max(1).min(rest.len()));
        rest = later;
        (!run.is_empty()).then_some(run)
    })
}

/// State positions for values that a later part needs, with the clusters that need them.
fn keep(design: &Design, packs: &Packs, parts: &[ClusterPart], layout: &mut Layout) -> FxHashMap<Id, Kept> {
    // The part and the cluster that compute each value.
    let mut made = FxHashMap::default();
    let mut kept: FxHashMap<Id, Flags> = FxHashMap::default();
    for (number, part) in parts.iter().enumerate() {
        for item in part.items {
            let mut need = |id: Id| {
                let again = matches!(design.graph.op(id), Op::Constant(_) | Op::Cell(_) | Op::Call { .. });
                let Some((_, cluster)) = made.get(&id).filter(|(at, _)| !again && *at != number) else {
                    return;
                };
                // A pack is stored as a whole.
                let id = packs.of(id).map_or(id, |(pack, _)| packs.get(pack).nodes[0]);
                let users = kept.entry(id).or_default();
                if *cluster != part.cluster {
                    users.insert(part.cluster as u32);
                }
            };
            packs.needs(design, *item, &mut need);
            match *item {
                Item::Node(id) => {
                    made.insert(id, (number, part.cluster));
                }
                Item::Pack(pack) => made.extend(packs.get(pack).nodes.map(|id| (id, (number, part.cluster)))),
                Item::Register(_) | Item::Registers(_) | Item::Word { .. } | Item::Words(_) | Item::Call(_) => {}
            }
        }
    }
    let mut sizes = vec![];
    for part in parts {
        sizes.resize(part.cluster + 1, 0);
        sizes[part.cluster] += part.items.len();
    }
    // Values of one cluster with the same users share one comparison.
    let mut together: FxHashMap<(usize, &Flags), usize> = FxHashMap::default();
    for (id, users) in &kept {
        *together.entry((made[id].1, users)).or_default() += 1;
    }
    let pays = |id: Id, users: &Flags| {
        let size: usize = users.numbers().map(|cluster| sizes[cluster as usize]).sum();
        size >= NODES_FOR_A_VALUE * together[&(made[&id].1, users)]
    };
    let bytes = |id: Id| match packs.of(id) {
        Some(_) => 16,
        None => type_of(design.graph.width(id)).bytes(),
    };
    let mut kept: Vec<(Id, &Flags)> = kept.iter().map(|(id, users)| (*id, users)).collect();
    kept.sort_by_key(|(id, _)| (std::cmp::Reverse(bytes(*id)), *id));
    kept.into_iter()
        .map(|(id, users)| {
            let place = Port {
                at: layout.bytes,
                bytes: bytes(id),
            };
            layout.bytes += place.bytes;
            let kept = Kept {
                place,
                compared: pays(id, users),
                users: users.clone(),
            };
            (id, kept)
        })
        .collect()
}
