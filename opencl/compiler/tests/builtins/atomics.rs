//! Atomic functions of every type and memory, with contention. There must be a sequential order of the calls that
//! explains their results.

use crate::frontend::{self, findings, run_on, run_with, Program, GROUP};
use crate::{words, Integer, Random, ACCESS};
use flexgrip_compiler::{Capability, Compiled};
use flexgrip_isa::{listing_at, Style};
use std::collections::HashMap;
use std::fmt::Write;

/// Work-items in three groups, the calls of each, and the cells that they work on.
const ITEMS: usize = 3 * GROUP;
const CALLS: usize = 4;
const CELLS: usize = 8;

/// A function on a type in a memory.
#[derive(Clone, Copy, Debug)]
struct AtomicFunction {
    prefix: &'static str,
    operation: &'static str,
    ty: Integer,
    /// `float` for an exchange of floats.
    shown: &'static str,
    space: &'static str,
    /// True if the source drops the result.
    dropped: bool,
}

impl AtomicFunction {
    fn all() -> Vec<AtomicFunction> {
        let word = [
            "add", "sub", "xchg", "inc", "dec", "cmpxchg", "min", "max", "and", "or", "xor",
        ];
        let mut all = Vec::new();
        for space in ["global", "local"] {
            for dropped in [false, true] {
                for ty in Integer::ALL.into_iter().filter(|ty| ty.bits >= 32) {
                    let (prefixes, operations) = match ty.bits {
                        32 => (&["atom", "atomic"][..], &word[..]),
                        _ => (&["atom"][..], &word[..6]),
                    };
                    for prefix in prefixes {
                        all.extend(operations.iter().map(|operation| AtomicFunction {
                            prefix,
                            operation,
                            ty,
                            shown: ty.name,
                            space,
                            dropped,
                        }));
                    }
                }
                // `inc` and `dec` of PTX, which OpenCL's functions do not use.
                let wrapping = ["incto", "decto"].into_iter().filter(|_| !dropped);
                all.extend(wrapping.map(|operation| AtomicFunction {
                    prefix: "asm",
                    operation,
                    ty: Integer::ALL[5],
                    shown: "uint",
                    space,
                    dropped,
                }));
                all.push(AtomicFunction {
                    prefix: "atomic",
                    operation: "xchg",
                    ty: Integer::ALL[5],
                    shown: "float",
                    space,
                    dropped,
                });
            }
        }
        all
    }

    fn name(self) -> String {
        let AtomicFunction {
            prefix,
            operation,
            shown,
            space,
            dropped,
            ..
        } = self;
        let end = if dropped { "_dropped" } else { "" };
        format!("{prefix}_{operation}_{shown}_{space}{end}")
    }

    /// Returns the kernel, with `rounds` calls in each work-item. The final cells are at the end of `out`; for local
    /// memory, the cells of each group.
    fn kernel(self) -> String {
        let (name, ty, access, space) = (self.name(), self.shown, self.ty.access(), self.space);
        let arguments = match self.operation {
            "inc" | "dec" => "",
            "cmpxchg" => ", b, c",
            _ => ", b",
        };
        let value = |buffer: &str| match ty {
            "float" => format!("as_float((uint)READ({buffer}))"),
            _ => format!("({ty})READ{access}({buffer})"),
        };
        let call = format!("{}_{}(&cells[cell[i]]{arguments})", self.prefix, self.operation);
        let call = match (self.dropped, ty) {
            (true, _) => format!("{call};"),
            (false, "float") => format!("WRITE(out, i, as_uint({call}));"),
            (false, _) => format!("WRITE{access}(out, i, {call});"),
        };
        let cells = format!("((global {ty} *)(out + {}))", 2 * ITEMS * CALLS);
        let (before, after) = match space {
            "global" => (format!("global {ty} *cells = {cells};"), String::new()),
            _ => {
                let own = format!("{cells}[get_group_id(0) * {CELLS} + lid]");
                (
                    format!(
                        "local {ty} cells[{CELLS}]; if (lid < {CELLS}) cells[lid] = {own}; barrier(CLK_LOCAL_MEM_FENCE);"
                    ),
                    format!("barrier(CLK_LOCAL_MEM_FENCE); if (lid < {CELLS}) {own} = cells[lid];"),
                )
            }
        };
        format!(
            "kernel void {name}(global uint *out, global const uint *bs, global const uint *cs, global const uint *cell,\n\
             global const uint *rounds) {{\n\
             uint lid = get_local_id(0);\n{before}\n\
             for (uint r = 0, i = {CALLS} * get_global_id(0); r < rounds[get_global_id(0)]; r++, i++) {{\n\
             {ty} b = {}, c = {};\n{call}\n}}\n{after}\n}}\n",
            value("bs"),
            value("cs")
        )
    }

    /// Returns the new value of a cell.
    fn new_value(self, old: i128, b: i128, c: i128) -> i128 {
        self.ty.wrap(match self.operation {
            "add" => old + b,
            "sub" => old - b,
            "inc" => old + 1,
            "dec" => old - 1,
            "incto" if old >= b => 0,
            "incto" => old + 1,
            "decto" if old == 0 || old > b => b,
            "decto" => old - 1,
            "xchg" => b,
            "cmpxchg" if old == b => c,
            "cmpxchg" => old,
            "min" => old.min(b),
            "max" => old.max(b),
            "and" => old & b,
            "or" => old | b,
            "xor" => old ^ b,
            other => panic!("no operation {other}"),
        })
    }

    /// True if the final value depends on the order.
    fn is_ordered(self) -> bool {
        matches!(self.operation, "xchg" | "cmpxchg" | "incto" | "decto")
    }
}

/// The inputs of all calls.
struct Inputs {
    b: Vec<u64>,
    c: Vec<u64>,
    cell: Vec<u32>,
    rounds: Vec<u32>,
}

impl Inputs {
    /// Generates calls. `one`: all calls are on the same cell. `divergent`: work-items have different numbers of calls.
    fn new(random: &mut Random, small: bool, one: bool, divergent: bool) -> Self {
        let number = |random: &mut Random| match small {
            true => random.bits() % 3,
            false => random.number(),
        };
        let calls = ITEMS * CALLS;
        Inputs {
            b: (0..calls).map(|_| number(random)).collect(),
            c: (0..calls).map(|_| number(random)).collect(),
            cell: (0..calls)
                .map(|_| if one { 5 } else { random.bits() as u32 % CELLS as u32 })
                .collect(),
            rounds: (0..ITEMS)
                .map(|_| {
                    if divergent {
                        random.bits() as u32 % (CALLS as u32 + 1)
                    } else {
                        2
                    }
                })
                .collect(),
        }
    }

    /// Returns the calls on each cell. Cells of local memory are numbered by group.
    fn calls(&self, local: bool) -> HashMap<usize, Vec<usize>> {
        let mut calls: HashMap<usize, Vec<usize>> = HashMap::new();
        for (item, &rounds) in self.rounds.iter().enumerate() {
            for call in CALLS * item..CALLS * item + rounds as usize {
                let group = if local { item / GROUP } else { 0 };
                let cell = group * CELLS + self.cell[call] as usize;
                calls.entry(cell).or_default().push(call);
            }
        }
        calls
    }
}

/// True if there is an order of the steps, each from an old to a new value, that leads from `first` to `last`: an
/// Eulerian path.
fn is_path(steps: &[(i128, i128)], first: i128, last: i128) -> bool {
    let mut balance: HashMap<i128, i32> = HashMap::from([(first, 0)]);
    *balance.entry(first).or_default() -= 1;
    *balance.entry(last).or_default() += 1;
    let mut reached = vec![first];
    let mut next: HashMap<i128, Vec<i128>> = HashMap::new();
    for &(old, new) in steps {
        *balance.entry(old).or_default() += 1;
        *balance.entry(new).or_default() -= 1;
        next.entry(old).or_default().push(new);
    }
    let mut known = Vec::new();
    while let Some(value) = reached.pop() {
        if !known.contains(&value) {
            known.push(value);
            reached.extend(next.get(&value).into_iter().flatten());
        }
    }
    balance.values().all(|&sum| sum == 0) && steps.iter().all(|(old, _)| known.contains(old))
}

#[test]
fn paths_are_found() {
    assert!(is_path(&[(1, 2), (0, 1), (1, 1)], 0, 2));
    assert!(is_path(&[], 3, 3));
    assert!(!is_path(&[(0, 1), (1, 3)], 0, 2), "another end");
    assert!(!is_path(&[(0, 1), (0, 1)], 0, 1), "an update is lost");
    assert!(!is_path(&[(0, 1), (5, 6), (6, 5)], 0, 1), "unreachable");
}

/// Runs a function. Returns a message if its results are wrong.
fn fault(function: AtomicFunction, kernel: &Compiled, inputs: &Inputs, random: &mut Random) -> Option<String> {
    let local = function.space == "local";
    let count = if local { CELLS * ITEMS / GROUP } else { CELLS };
    let wrap = |bits: u64| function.ty.wrap(bits.into());
    let first: Vec<u64> = (0..count)
        .map(|_| {
            if function.is_ordered() {
                random.bits() % 3
            } else {
                random.number()
            }
        })
        .collect();
    let mut memory = vec![0u32; 2 * ITEMS * CALLS];
    match function.ty.bits {
        64 => memory.extend(words(&first)),
        _ => memory.extend(first.iter().map(|&value| value as u32)),
    }
    let (b, c) = (words(&inputs.b), words(&inputs.c));
    let memory = run_on(kernel, ITEMS, memory, &[&b, &c, &inputs.cell, &inputs.rounds], &[]);
    let (olds, cells) = memory.split_at(2 * ITEMS * CALLS);
    let value = |words: &[u32], at: usize| wrap(u64::from(words[2 * at]) | u64::from(words[2 * at + 1]) << 32);
    let calls = inputs.calls(local);
    for (cell, &first) in first.iter().enumerate() {
        let calls = calls.get(&cell).map_or(&[][..], Vec::as_slice);
        let last = match function.ty.bits {
            64 => value(cells, cell),
            _ => wrap(cells[cell].into()),
        };
        let new = |old: i128, call: &usize| function.new_value(old, wrap(inputs.b[*call]), wrap(inputs.c[*call]));
        let right = match (function.dropped, function.is_ordered()) {
            (false, _) => {
                let step = |call: &usize| {
                    let old = value(olds, *call);
                    (old, new(old, call))
                };
                is_path(&calls.iter().map(step).collect::<Vec<_>>(), wrap(first), last)
            }
            (true, false) => last == calls.iter().fold(wrap(first), new),
            (true, true) => {
                let written = |call: &usize| match function.operation {
                    "xchg" => wrap(inputs.b[*call]),
                    _ => wrap(inputs.c[*call]),
                };
                let untouched = calls.is_empty() || function.operation == "cmpxchg";
                (untouched && last == wrap(first)) || calls.iter().any(|call| written(call) == last)
            }
        };
        if !right {
            return Some(format!("{}: cell {cell} from {first:#x} to {last:#x}", function.name()));
        }
    }
    None
}

/// `asm_incto` and `asm_decto`.
const WRAPPING: &str = r#"
#define WRAPPING(S, SPACE, N) \
    uint __attribute__((overloadable)) asm_##N##to(volatile S uint *p, uint b) { \
        uint old; \
        __asm__ volatile("atom." SPACE "." #N ".u32 %0, [%1], %2;" : "=r"(old) : "r"(p), "r"(b) : "memory"); \
        return old; \
    }
WRAPPING(global, "global", inc) WRAPPING(global, "global", dec)
WRAPPING(local, "shared", inc) WRAPPING(local, "shared", dec)
"#;

fn source(functions: &[AtomicFunction]) -> String {
    let mut text = ACCESS.to_string() + WRAPPING;
    for function in functions {
        write!(text, "{}", function.kernel()).expect("a string takes all");
    }
    text
}

#[test]
fn results_have_an_order() {
    let Some(clang) = frontend::clang() else { return };
    let functions = AtomicFunction::all();
    let kernels = Program::of(&clang, &source(&functions), "", Capability::V1_3).kernels();
    let mut random = Random(0x0bad_5eed_1234_5677);
    let mut faults = Vec::new();
    for &function in &functions {
        let kernel = match &kernels[&function.name()] {
            Ok(kernel) => kernel,
            Err(error) => {
                faults.push(error.clone());
                continue;
            }
        };
        for (one, divergent) in [(true, false), (true, true), (false, false), (false, true)] {
            let inputs = Inputs::new(&mut random, function.is_ordered(), one, divergent);
            faults.extend(fault(function, kernel, &inputs, &mut random));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Each function compiles to instructions of the lowest capability that supports it.
#[test]
fn functions_compile_for_the_lowest_capability() {
    let Some(clang) = frontend::clang() else { return };
    let functions = AtomicFunction::all();
    let kernels = Program::of(&clang, &source(&functions), "", Capability::V1_3).kernels();
    for &function in &functions {
        let kernel = kernels[&function.name()]
            .as_ref()
            .unwrap_or_else(|error| panic!("{error}"));
        let capability = kernel.program.capability;
        let text = listing_at(&kernel.program.words, Style::Plain, capability);
        let has = |name: &str| text.contains(name);
        let name = function.name();
        let global = function.space == "global";
        let reduces = global && function.dropped && !function.is_ordered();
        assert_eq!(has("GRED."), reduces, "{name}\n{text}");
        assert_eq!(has("GATOM."), global && !reduces, "{name}\n{text}");
        assert_eq!((has("G2R.LCK"), has("R2G.UNL")), (!global, !global), "{name}\n{text}");
        let wanted = match (global, function.ty.bits) {
            (true, 32) => Capability::V1_1,
            _ => Capability::V1_2,
        };
        assert_eq!(capability, wanted, "{name}");
    }
    let plain = "kernel void plain(global uint *out) { out[get_global_id(0)] = 3 * get_local_id(0); }\n\
                 kernel void product(global float *out) { out[get_global_id(0)] *= 1.5f; }";
    for (name, kernel) in Program::of(&clang, plain, "", Capability::V1_3).kernels() {
        let kernel = kernel.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(kernel.program.capability, Capability::V1_0, "{name}");
    }
}

/// Compiles the kernels of the example, on two images.
#[test]
fn three_histograms_are_equal() {
    let Some(clang) = frontend::clang() else { return };
    let text = include_str!("../../../../examples/opencl/histogram.cl");
    let program = Program::of(&clang, text, "", Capability::V1_3);
    let mut random = Random(0x1234_5678_9abc_def1);
    let spread: Vec<u32> = (0..512).map(|_| random.bits() as u32).collect();
    for image in [spread, vec![0x0505_0506; 512]] {
        let mut wanted = vec![0u32; 64];
        let pixels: Vec<u8> = image.iter().flat_map(|word| word.to_le_bytes()).collect();
        for pixel in &pixels {
            wanted[usize::from(pixel >> 2)] += 1;
        }
        let count = (pixels.len() as u32).to_le_bytes();
        let rows = run_with(
            &program.kernel("count_rows"),
            2 * GROUP,
            2 * GROUP * 64,
            &[&image],
            &[&count],
        );
        let items = (2 * GROUP as u32).to_le_bytes();
        let kernel = program.kernel("add_rows");
        assert_eq!(run_with(&kernel, 64, 64, &[&rows], &[&items]), wanted);
        for name in ["count_global", "count_local"] {
            let found = run_with(&program.kernel(name), 2 * GROUP, 64, &[&image], &[&count]);
            assert_eq!(found, wanted, "{name}");
        }
    }
}

/// The checker finds no race between atomic functions, with contention.
#[test]
fn atomics_do_not_race() {
    let Some(clang) = frontend::clang() else { return };
    let functions = AtomicFunction::all();
    let kernels = Program::of(&clang, &source(&functions), "", Capability::V1_3).kernels();
    let mut random = Random(0x5eed_1234_5677_0bad);
    for &function in &functions {
        let kernel = kernels[&function.name()]
            .as_ref()
            .unwrap_or_else(|error| panic!("{error}"));
        let one = random.bits() % 2 == 0;
        let inputs = Inputs::new(&mut random, true, one, true);
        let (b, c) = (words(&inputs.b), words(&inputs.c));
        let memory = vec![0u32; 2 * ITEMS * CALLS + 2 * CELLS * ITEMS / GROUP];
        let found = findings(kernel, ITEMS, memory, &[&b, &c, &inputs.cell, &inputs.rounds]);
        assert!(found.is_empty(), "{}: {found}", function.name());
    }
}

/// Tests a lock loop at the end of a kernel, and in loops that threads leave one by one.
#[test]
fn locks_work_in_loops_and_at_the_end() {
    let Some(clang) = frontend::clang() else { return };
    let text = "kernel void k(global uint *out) {
        local uint cells[2];
        uint lid = get_local_id(0), sum = 0;
        if (lid < 2) cells[lid] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < (lid & 7); i++) {
            if ((lid + i) % 3 == 0) continue;
            uint old = atomic_add(&cells[lid & 1], i + 1);
            if (old > 500) break;
            while (old % 5 != 0) { old = atomic_inc(&cells[1]); sum++; }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = cells[0] * 1000 + sum;
        if (lid % 2) return;
        atomic_max(&cells[1], lid);
    }";
    let kernel = Program::of(&clang, text, "", Capability::V1_3).kernel("k");
    let found = run_on(&kernel, 2 * GROUP, vec![0; 2 * GROUP], &[], &[]);
    // Only even work-items add to the first cell: i + 1 in each iteration except those with (lid + i) % 3 = 0.
    let even = (0..GROUP as u32).step_by(2);
    let sum: u32 = even
        .map(|lid| (0..lid & 7).filter(|i| (lid + i) % 3 != 0).map(|i| i + 1).sum::<u32>())
        .sum();
    assert!(sum <= 500, "no break changes the sum");
    assert!(found.iter().all(|word| word / 1000 == sum), "{found:?}");
}

/// The result of an operation on one address differs between the threads of a warp, so branches on it diverge. The
/// threads reconverge before the barrier.
#[test]
fn results_of_one_address_diverge() {
    let Some(clang) = frontend::clang() else { return };
    let text = "kernel void k(global uint *out) {
        uint rest = atomic_inc(&out[64]), ones = 0;
        local uint all[512];
        for (; rest != 0; rest >>= 1) if (rest & 1) ones++;
        all[get_local_id(0)] = ones;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = all[get_local_id(0) ^ 1];
    }";
    let kernel = Program::of(&clang, text, "", Capability::V1_1).kernel("k");
    let found = run_on(&kernel, GROUP, vec![0; GROUP + 1], &[], &[]);
    let mut ones: Vec<u32> = (0..GROUP as u32).map(u32::count_ones).collect();
    let mut given = found[..GROUP].to_vec();
    ones.sort_unstable();
    given.sort_unstable();
    assert_eq!((given, found[GROUP]), (ones, GROUP as u32));
}
