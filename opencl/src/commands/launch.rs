//! Running kernels: index spaces, where buffers lie while a kernel runs, and what is said when one goes wrong.
//!
//! Buffers have no fixed addresses: each launch places those that it uses, one behind the other with a gap, and the
//! module's variables before them. OpenCL does not promise that an address stays from one kernel to the next. A kernel that
//! runs over the end of a buffer then meets the gap or the end of memory and, beyond the last buffer, is stopped.

use crate::abi::pointer::Pointer;
use crate::build::module::{Module, Needs};
use crate::engine::Stop;
use crate::error::{ensure, Code, Result};
use crate::interrupt::Registered;
use crate::objects::buffer::{Buffer, Storage};
use crate::objects::context::Context;
use crate::objects::device::{Device, ALIGNMENT, WORK_ITEMS};
use crate::objects::kernel::{Argument, Kernel};
use crate::objects::queue::{Failure, Order, Queue, Work};
use crate::registry::{self};
use flexgrip_compiler::ir::variables::ModuleVariables;
use flexgrip_compiler::launch::{Argument as Parameter, IndexSpace, Launches};
use flexgrip_compiler::Compiled;
use opencl_sys::*;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::Arc;

/// A pointer argument: which buffer, and where in its storage it begins.
struct Place {
    storage: Arc<Storage>,
    origin: usize,
}

/// What a launch needs, taken when it is enqueued: later changes of the arguments do not count.
struct Prepared {
    module: Arc<Module>,
    index: usize,
    arguments: Vec<Prepare>,
    space: IndexSpace,
}

enum Prepare {
    Ready(Parameter),
    Buffer(Place),
}

/// `clEnqueueNDRangeKernel`.
///
/// # Errors
/// The codes of OpenCL for index spaces, arguments and resources; a group that the SM cannot hold is
/// `CL_OUT_OF_RESOURCES`, with the reason to the context.
pub fn nd_range(
    queue: Pointer<c_void>,
    kernel: Pointer<c_void>,
    dimensions: cl_uint,
    (offset, global, local): (Pointer<usize>, Pointer<usize>, Pointer<usize>),
    order: Order,
) -> Result<()> {
    let queue = registry::find::<Queue>(queue)?;
    let kernel = registry::find::<Kernel>(kernel)?;
    ensure((1..=3).contains(&dimensions), CL_INVALID_WORK_DIMENSION)?;
    let sizes = |pointer: Pointer<usize>, rest: usize| {
        let mut sizes = [rest; 3];
        let read = pointer.read_all(dimensions as usize)?;
        sizes[..read.len()].copy_from_slice(&read);
        Some(sizes)
    };
    let global = sizes(global, 1).ok_or(Code(CL_INVALID_GLOBAL_WORK_SIZE))?;
    let offset = sizes(offset, 0).unwrap_or([0; 3]);
    let space = index_space(&kernel, dimensions, offset, global, sizes(local, 1))?;
    enqueue(&queue, &kernel, space, CL_COMMAND_NDRANGE_KERNEL, order)
}

/// `clEnqueueTask`: one work-item.
///
/// # Errors
/// As [`nd_range`].
pub fn task(queue: Pointer<c_void>, kernel: Pointer<c_void>, order: Order) -> Result<()> {
    let queue = registry::find::<Queue>(queue)?;
    let kernel = registry::find::<Kernel>(kernel)?;
    let space = index_space(&kernel, 1, [0; 3], [1; 3], Some([1; 3]))?;
    enqueue(&queue, &kernel, space, CL_COMMAND_TASK, order)
}

/// Checks an index space, and chooses the groups' size if the application does not.
fn index_space(
    kernel: &Kernel,
    dimensions: u32,
    offset: [usize; 3],
    global: [usize; 3],
    local: Option<[usize; 3]>,
) -> Result<IndexSpace> {
    let words = |sizes: [usize; 3], code| {
        let mut words = [0; 3];
        for (word, size) in words.iter_mut().zip(sizes) {
            *word = u32::try_from(size).map_err(|_| Code(code))?;
        }
        Ok(words)
    };
    let global_words = words(global, CL_INVALID_GLOBAL_WORK_SIZE)?;
    ensure(!global.contains(&0), CL_INVALID_GLOBAL_WORK_SIZE)?;
    let offset_words = words(offset, CL_INVALID_GLOBAL_OFFSET)?;
    for (offset, global) in offset_words.iter().zip(global_words) {
        ensure(offset.checked_add(global).is_some(), CL_INVALID_GLOBAL_OFFSET)?;
    }
    let required = kernel.code().required();
    let local = match (local, required) {
        (Some(local), Some(required)) => {
            ensure(local == required, CL_INVALID_WORK_GROUP_SIZE)?;
            local
        }
        (Some(local), None) | (None, Some(local)) => local,
        (None, None) => chosen(global, kernel.work_group()),
    };
    for (size, most) in local.iter().zip(WORK_ITEMS) {
        ensure(*size > 0, CL_INVALID_WORK_GROUP_SIZE)?;
        ensure(*size <= most, CL_INVALID_WORK_ITEM_SIZE)?;
    }
    ensure(
        local.iter().product::<usize>() <= kernel.work_group(),
        CL_INVALID_WORK_GROUP_SIZE,
    )?;
    for (global, local) in global.iter().zip(local) {
        ensure(global % local == 0, CL_INVALID_WORK_GROUP_SIZE)?;
    }
    Ok(IndexSpace {
        dimensions,
        offset: offset_words,
        global: global_words,
        local: words(local, CL_INVALID_WORK_GROUP_SIZE)?,
    })
}

/// Groups as large as possible that fill the index space, the first dimension first.
fn chosen(global: [usize; 3], most: usize) -> [usize; 3] {
    let mut left = most;
    let mut local = [1; 3];
    for (dimension, size) in local.iter_mut().enumerate() {
        let most = left.min(WORK_ITEMS[dimension]);
        *size = (1..=most).rev().find(|size| global[dimension] % size == 0).unwrap_or(1);
        left /= *size;
    }
    local
}

fn enqueue(queue: &Arc<Queue>, kernel: &Arc<Kernel>, space: IndexSpace, kind: cl_uint, order: Order) -> Result<()> {
    let context = queue.context();
    ensure(Arc::ptr_eq(context, kernel.context()), CL_INVALID_CONTEXT)?;
    let prepared = Prepared {
        module: kernel.module().clone(),
        index: kernel.index(),
        arguments: kernel
            .arguments()?
            .into_iter()
            .map(prepare)
            .collect::<Result<Vec<_>>>()?,
        space,
    };
    queue.wait_list(order)?;
    check(context, queue.device(), &prepared)?;
    let device = queue.device().clone();
    let work: Work = Box::new(move || prepared.run(&device));
    queue.enqueue(kind, false, order, work)
}

fn prepare(argument: Argument) -> Result<Prepare> {
    Ok(match argument {
        Argument::Buffer(buffer) => {
            let buffer: Arc<Buffer> = buffer.upgrade().ok_or(Code(CL_INVALID_MEM_OBJECT))?;
            Prepare::Buffer(Place {
                storage: buffer.storage().clone(),
                origin: buffer.origin(),
            })
        }
        Argument::Null => Prepare::Ready(Parameter::Value(vec![0; 4])),
        Argument::Value(bytes) => Prepare::Ready(Parameter::Value(bytes)),
        Argument::Local(bytes) => Prepare::Ready(Parameter::Local(bytes)),
    })
}

/// Refuses what the machine cannot take while the call can still say so.
fn check(context: &Context, device: &Device, prepared: &Prepared) -> Result<()> {
    let refuse = |reason: String| {
        let name = &prepared.module.kernels[prepared.index].name;
        context.report(&format!("kernel {name} cannot be launched: {reason}"));
        Err(Code(CL_OUT_OF_RESOURCES))
    };
    let layout = match prepared.layout() {
        Ok(layout) => layout,
        Err(reason) => return refuse(reason),
    };
    // One launch is as good as all: the others differ in words and in their number of groups.
    let launches = prepared.launches(&layout);
    match launches.map(|mut launches| {
        launches
            .next()
            .map(|launch| launch.check(&device.engine().machine(layout.end)))
    }) {
        Ok(Some(Ok(())) | None) => Ok(()),
        Ok(Some(Err(error))) => refuse(error.to_string()),
        Err(reason) => refuse(reason),
    }
}

/// Where everything lies in global memory during a launch, by byte addresses.
struct Layout {
    /// The module's variables.
    variables: u32,
    /// Storages, each once, in the order of their numbers, with their places.
    storages: Vec<(Arc<Storage>, u32)>,
    /// The size of memory.
    end: u32,
}

impl Prepared {
    fn layout(&self) -> std::result::Result<Layout, String> {
        let mut storages: Vec<&Arc<Storage>> = self
            .arguments
            .iter()
            .filter_map(|argument| match argument {
                Prepare::Buffer(place) => Some(&place.storage),
                Prepare::Ready(_) => None,
            })
            .collect();
        // By number, so that launches at the same time lock them in the same order.
        storages.sort_by_key(|storage| storage.number());
        storages.dedup_by_key(|storage| storage.number());
        // Address 0 is null: nothing lies there.
        let mut end = ALIGNMENT;
        let variables = end;
        end += self.variables().bytes.len().next_multiple_of(ALIGNMENT);
        let mut placed = Vec::new();
        for storage in storages {
            end += ALIGNMENT;
            placed.push((storage.clone(), address(end)?));
            end += storage.size().next_multiple_of(ALIGNMENT);
        }
        Ok(Layout {
            variables: address(variables)?,
            storages: placed,
            end: address(end)?,
        })
    }

    /// What the module's variables hold at first.
    fn variables(&self) -> &ModuleVariables {
        &self.module.kernels[self.index].compiled.variables
    }

    /// The code for this index space and these arguments.
    fn code(&self) -> std::result::Result<&Compiled, String> {
        // Where buffers lie makes no difference.
        let arguments: Vec<Parameter> = self
            .arguments
            .iter()
            .map(|argument| match argument {
                Prepare::Ready(parameter) => parameter.clone(),
                Prepare::Buffer(_) => Parameter::Value(vec![0; 4]),
            })
            .collect();
        let plain = &self.module.kernels[self.index].compiled;
        let needs = Needs {
            large_grid: self.space.needs_large_grid(),
            whole_shared: plain.needs_whole_shared(&arguments),
        };
        self.module.code(self.index, needs)
    }

    /// Puts the kernel among those that run.
    fn registered(&self, code: &Compiled) -> Registered {
        let (module, places) = (self.module.clone(), code.places.clone());
        let name = module.kernels[self.index].name.clone();
        Registered::new(Box::new(move |warps| {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for warp in warps {
                let place = module.place(&places, warp.pc);
                *counts
                    .entry(place.unwrap_or_else(|| format!("PC {:#06x}", warp.pc)))
                    .or_default() += 1;
            }
            let at: Vec<String> = counts
                .iter()
                .map(|(place, count)| format!("{count} at {place}"))
                .collect();
            let at = match at.is_empty() {
                true => String::new(),
                false => format!("; warps: {}", at.join(", ")),
            };
            format!("kernel {name} has been running for ten seconds{at}")
        }))
    }

    fn launches(&self, layout: &Layout) -> std::result::Result<Launches<'_>, String> {
        let parameters = self.arguments.iter().map(|argument| match argument {
            Prepare::Ready(parameter) => Ok(parameter.clone()),
            Prepare::Buffer(place) => {
                let mut storages = layout.storages.iter();
                let found = storages.find(|(storage, _)| storage.number() == place.storage.number());
                let base = found.map_or(0, |(_, base)| *base) as usize;
                let address = address(base + place.origin)?;
                Ok(Parameter::Value(address.to_le_bytes().to_vec()))
            }
        });
        let parameters = parameters.collect::<std::result::Result<Vec<_>, String>>()?;
        self.code()?
            .launches(&parameters, &self.space, layout.variables)
            .map_err(|error| error.to_string())
    }

    /// Runs on a device, and returns its cycles. The buffers are locked meanwhile.
    fn run(self, device: &Device) -> std::result::Result<u64, Failure> {
        let failure = |message: String| Failure {
            code: CL_OUT_OF_RESOURCES,
            message,
        };
        let kernel = &self.module.kernels[self.index];
        let layout = self.layout().map_err(failure)?;
        let code = self.code().map_err(failure)?;
        let launches = self.launches(&layout).map_err(failure)?;
        let mut contents: Vec<_> = layout.storages.iter().map(|(storage, _)| storage.lock()).collect();
        let mut memory = vec![0; layout.end as usize];
        let at = layout.variables as usize;
        let variables = self.variables().placed_at(layout.variables);
        memory[at..at + variables.len()].copy_from_slice(&variables);
        for (bytes, (_, base)) in contents.iter().zip(&layout.storages) {
            let base = *base as usize;
            memory[base..base + bytes.len()].copy_from_slice(bytes);
        }
        let registered = self.registered(code);
        let mut cycles = 0u64;
        let mut stopped = None;
        for launch in launches {
            match device.engine().run(launch, &mut memory, registered.watched()) {
                Ok(needed) => cycles = cycles.saturating_add(needed),
                Err(stop) => {
                    stopped = Some(stop);
                    break;
                }
            }
        }
        // Also what a kernel has left that went wrong.
        for (bytes, (_, base)) in contents.iter_mut().zip(&layout.storages) {
            let base = *base as usize;
            let len = bytes.len();
            bytes.copy_from_slice(&memory[base..base + len]);
        }
        match stopped {
            None => Ok(cycles),
            Some(Stop::Engine(reason)) => Err(failure(format!("kernel {} did not run: {reason}", kernel.name))),
            Some(Stop::Kernel(error)) => {
                let place = self.module.place(&code.places, error.pc);
                let place = place.map_or(String::new(), |place| format!("{place}: "));
                Err(failure(format!("{place}kernel {}: {error}", kernel.name)))
            }
        }
    }
}

fn address(at: usize) -> std::result::Result<u32, String> {
    u32::try_from(at).map_err(|_| "the buffers do not fit into 4 GiB".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_fill_the_index_space() {
        assert_eq!(chosen([1024, 1, 1], 512), [512, 1, 1]);
        assert_eq!(chosen([96, 40, 2], 512), [96, 5, 1]);
        assert_eq!(chosen([1021, 6, 1], 512), [1, 6, 1]);
        assert_eq!(chosen([1, 1, 1000], 512), [1, 1, 50]);
    }
}
