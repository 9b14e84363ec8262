//! Kernel launches: index spaces, the placement of buffers, and reports of failed kernels.
//!
//! Buffers have no fixed addresses: each launch places the module's variables and then the buffers that it uses, with
//! guards between them. OpenCL does not guarantee that a buffer has the same address in the next kernel. A store past
//! the end of a buffer changes a guard, which is checked after each kernel. An access after the last guard stops the
//! kernel.

use crate::build::module::{Module, Needs};
use crate::commands::print::Output;
use crate::engine::check;
use crate::engine::device::Kind;
use crate::engine::stop::Stop;
use crate::error::{ensure, Code, Result};
use crate::interrupt::Registered;
use crate::native::pointer::Pointer;
use crate::objects::buffer::Buffer;
use crate::objects::contents::Ranges;
use crate::objects::context::Context;
use crate::objects::device::{Device, WORK_ITEMS};
use crate::objects::image::descriptor;
use crate::objects::kernel::{Argument, Kernel};
use crate::objects::queue::{Failure, Order, Queue, Work};
use crate::objects::storage::Storage;
use crate::registry::{self};
use flexgrip_compiler::ir::variables::ModuleVariables;
use flexgrip_compiler::launch::{Argument as Parameter, IndexSpace, Launches, Places};
use flexgrip_compiler::placement::{nearest, Placement, TooLarge};
use flexgrip_compiler::printf::buffer::{chosen_bytes, PrintBuffer};
use flexgrip_compiler::printf::records::Extent;
use flexgrip_compiler::Compiled;
use flexgrip_machine::{ErrorKind, LaunchError, Region, RegionKind};
use flexgrip_model::check::{Checker, Report};
use opencl_sys::*;
use std::ffi::c_void;
use std::sync::Arc;

/// The buffer of a pointer argument: its storage, first byte and size in bytes.
struct StorageRange {
    storage: Arc<Storage>,
    origin: usize,
    size: usize,
}

/// The state of a launch, captured when it is enqueued: later changes of the arguments have no effect.
struct Prepared {
    module: Arc<Module>,
    index: usize,
    arguments: Vec<Prepare>,
    space: IndexSpace,
    /// The context that receives a checker's findings.
    context: Arc<Context>,
}

enum Prepare {
    Ready(Parameter),
    Buffer(StorageRange),
    /// The storage of the descriptor, and the texels.
    Image(Arc<Storage>, StorageRange),
    Null,
}

/// `clEnqueueNDRangeKernel`.
///
/// # Errors
/// OpenCL's error codes for index spaces, arguments and resources. `CL_OUT_OF_RESOURCES` if a work-group does not fit
/// an SM, with the reason reported to the context.
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
/// The errors of [`nd_range`].
pub fn task(queue: Pointer<c_void>, kernel: Pointer<c_void>, order: Order) -> Result<()> {
    let queue = registry::find::<Queue>(queue)?;
    let kernel = registry::find::<Kernel>(kernel)?;
    let space = index_space(&kernel, 1, [0; 3], [1; 3], Some([1; 3]))?;
    enqueue(&queue, &kernel, space, CL_COMMAND_TASK, order)
}

/// Checks an index space, and selects the work-group size if the application does not specify it.
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

/// Selects the largest work-group that divides the index space, with the first dimension as large as possible.
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
        context: context.clone(),
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
            Prepare::Buffer(StorageRange {
                storage: buffer.storage().clone(),
                origin: buffer.origin(),
                size: buffer.size(),
            })
        }
        Argument::Image(image) => {
            let buffer: Arc<Buffer> = image.upgrade().ok_or(Code(CL_INVALID_MEM_OBJECT))?;
            let image = buffer.image().ok_or(Code(CL_INVALID_MEM_OBJECT))?;
            let texels = StorageRange {
                storage: buffer.storage().clone(),
                origin: buffer.origin(),
                size: buffer.size(),
            };
            Prepare::Image(image.descriptor.clone(), texels)
        }
        Argument::Null => Prepare::Null,
        Argument::Value(bytes) => Prepare::Ready(Parameter::Value(bytes)),
        Argument::Local(bytes) => Prepare::Ready(Parameter::Local(bytes)),
    })
}

/// Refuses a launch that the machine cannot execute, while the call can still return an error.
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
    // The first launch is enough: the others differ only in parameter words and in the number of work-groups.
    let launches = prepared.launches(&layout);
    match launches.map(|mut launches| {
        launches
            .next()
            .map(|launch| launch.check(&device.engine().machine(layout.bytes)))
    }) {
        Ok(Some(Ok(())) | None) => Ok(()),
        Ok(Some(Err(LaunchError::Capability { needed, available }))) => {
            let reason = format!(
                "it needs compute capability {needed}, and the device has {available}; the program was built for another \
                 device"
            );
            refuse(reason).map_err(|_: Code| Code(CL_INVALID_PROGRAM_EXECUTABLE))
        }
        Ok(Some(Err(error))) => refuse(error.to_string()),
        Err(reason) => refuse(reason),
    }
}

/// The layout of global memory during a launch, in byte addresses.
struct Layout {
    /// The module's variables.
    variables: u32,
    /// The buffer of `printf`, if the kernel calls it.
    printf: Option<PrintBuffer>,
    /// The storages with their addresses, without duplicates, in ascending order of their numbers.
    storages: Vec<(Arc<Storage>, u32)>,
    /// The variables, the buffer of `printf` and the storages as regions with guards between them.
    placement: Placement,
    /// The size of memory, in bytes.
    bytes: u32,
}

impl Layout {
    /// The address of a storage; 0 if the launch does not use it.
    fn address(&self, storage: &Storage) -> u32 {
        let mut storages = self.storages.iter();
        let found = storages.find(|(other, _)| other.number() == storage.number());
        found.map_or(0, |(_, base)| *base)
    }
}

impl Prepared {
    fn layout(&self) -> std::result::Result<Layout, String> {
        let mut placement = Placement::new(&self.space);
        let mut storages: Vec<(&Arc<Storage>, usize)> = Vec::new();
        for (index, argument) in self.arguments.iter().enumerate() {
            match argument {
                Prepare::Null => placement.add_null(index),
                Prepare::Buffer(range) => storages.push((&range.storage, index)),
                Prepare::Image(descriptor, texels) => {
                    storages.extend([(descriptor, index), (&texels.storage, index)]);
                }
                Prepare::Ready(_) => {}
            }
        }
        // The storages are sorted by number, so that concurrent launches lock storages in the same order. Each is kept
        // with its first argument.
        storages.sort_by_key(|(storage, index)| (storage.number(), *index));
        storages.dedup_by_key(|(storage, _)| storage.number());
        let kernel = &self.module.kernels[self.index].compiled;
        let wanted = match kernel.prints.is_empty() {
            true => 0,
            false => chosen_bytes()?,
        };
        let place = || {
            let variables = placement.add_variables(self.variables())?;
            let mut placed = Vec::new();
            for (storage, index) in storages {
                placed.push((storage.clone(), placement.add_buffer(index, storage.size(), 1)?));
            }
            let printf = placement.add_printf(kernel, &self.space, wanted)?;
            Ok(Layout {
                variables,
                printf,
                storages: placed,
                bytes: placement.memory_bytes()?,
                placement,
            })
        };
        place().map_err(|error: TooLarge| error.to_string())
    }

    /// The initial values of the module's variables.
    fn variables(&self) -> &ModuleVariables {
        &self.module.kernels[self.index].compiled.variables
    }

    /// The requirements of this index space and these arguments.
    fn needs(&self) -> Needs {
        // The requirements do not depend on addresses.
        let arguments: Vec<Parameter> = self
            .arguments
            .iter()
            .map(|argument| match argument {
                Prepare::Ready(parameter) => parameter.clone(),
                Prepare::Buffer(_) | Prepare::Image(..) | Prepare::Null => Parameter::Value(vec![0; 4]),
            })
            .collect();
        let plain = &self.module.kernels[self.index].compiled;
        Needs {
            large_grid: self.space.needs_large_grid(),
            whole_shared: plain.needs_whole_shared(&arguments),
        }
    }

    /// The code for this index space and these arguments.
    fn code(&self) -> std::result::Result<&Compiled, String> {
        self.module.code(self.index, self.needs())
    }

    /// Adds the kernel to the list of running kernels.
    fn registered(&self) -> Registered {
        let (module, index, needs) = (self.module.clone(), self.index, self.needs());
        Registered::new(Box::new(move |warps| module.note(index, needs, warps)))
    }

    fn launches(&self, layout: &Layout) -> std::result::Result<Launches<'_>, String> {
        let word = |word: u32| Parameter::Value(word.to_le_bytes().to_vec());
        let parameters = self.arguments.iter().map(|argument| match argument {
            Prepare::Ready(parameter) => parameter.clone(),
            Prepare::Null => Parameter::Value(vec![0; 4]),
            // The buffer may be a part of a storage, so its offset is added to the storage's address.
            Prepare::Buffer(range) => word(layout.address(&range.storage) + range.origin as u32),
            Prepare::Image(descriptor, _) => word(layout.address(descriptor)),
        });
        let parameters: Vec<Parameter> = parameters.collect();
        let places = Places {
            variables: layout.variables,
            printf: layout.printf,
        };
        self.code()?
            .launches(&parameters, &self.space, places)
            .map_err(|error| error.to_string())
    }

    /// The regions of global memory, for the checker: an argument's buffer may be only a part of its storage.
    fn regions(&self, code: &Compiled, layout: &Layout, written: &[Ranges]) -> Vec<Region> {
        let variables = layout
            .placement
            .regions()
            .iter()
            .filter(|region| region.argument.is_none());
        let mut regions: Vec<Region> = variables.cloned().collect();
        for (index, argument) in self.arguments.iter().enumerate() {
            let parts = match argument {
                Prepare::Buffer(range) => vec![(&range.storage, range.origin..range.origin + range.size)],
                // The kernel also reads the descriptor through this argument.
                Prepare::Image(descriptor, texels) if Arc::ptr_eq(descriptor, &texels.storage) => {
                    vec![(descriptor, 0..descriptor.size())]
                }
                Prepare::Image(descriptor, texels) => vec![
                    (descriptor, 0..descriptor.size()),
                    (&texels.storage, texels.origin..texels.origin + texels.size),
                ],
                Prepare::Ready(_) | Prepare::Null => Vec::new(),
            };
            for (storage, part) in parts {
                let mut found = layout.storages.iter().zip(written);
                let Some(((_, base), written)) = found.find(|((other, _), _)| other.number() == storage.number())
                else {
                    continue;
                };
                regions.push(Region {
                    name: String::new(),
                    kind: RegionKind::Buffer,
                    argument: u32::try_from(index).ok(),
                    parameter: None,
                    address: base + part.start as u32,
                    bytes: part.len() as u32,
                    element: 1,
                    written: written
                        .inside(&part)
                        .map(|range| base + range.start as u32..base + range.end as u32)
                        .collect(),
                });
            }
        }
        code.named(&regions).collect()
    }

    /// Writes the addresses of texels into the descriptors of images.
    fn set_addresses(&self, layout: &Layout, memory: &mut [u8]) {
        for argument in &self.arguments {
            if let Prepare::Image(descriptor, texels) = argument {
                let at = layout.address(descriptor) as usize;
                let address = layout.address(&texels.storage) + texels.origin as u32;
                descriptor::set_address(&mut memory[at..], address);
            }
        }
    }

    /// Reports the checker's findings.
    fn tell(&self, code: &Compiled, checker: &Checker) {
        let place = |pc| self.module.place(&code.places, pc);
        let report = Report {
            launch: checker.launch(),
            place: &place,
        };
        let text = report.text(checker.findings());
        if !text.is_empty() {
            self.context.report(text.trim_end());
        }
    }

    /// Runs the launches on a device, and returns the device's cycles. The buffers are locked until it returns.
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
        let mut memory = vec![0; layout.bytes as usize];
        layout.placement.fill(&mut memory);
        let at = layout.variables as usize;
        let variables = self.variables().placed_at(layout.variables);
        memory[at..at + variables.len()].copy_from_slice(&variables);
        for (bytes, (_, base)) in contents.iter().zip(&layout.storages) {
            let base = *base as usize;
            memory[base..base + bytes.len()].copy_from_slice(bytes);
        }
        self.set_addresses(&layout, &mut memory);
        let registered = self.registered();
        let mut cycles = 0u64;
        let mut stopped = None;
        let mut output = Output::new(code, layout.printf, &self.space).map_err(failure)?;
        let check = check::is_wanted() && device.engine().kind == Kind::Model;
        let mut written: Vec<Ranges> = contents.iter().map(|contents| contents.written().clone()).collect();
        for mut launch in launches {
            if check {
                launch.facts.regions.extend(self.regions(code, &layout, &written));
            }
            let extent = Extent::from(&launch);
            let (result, checker) = device.engine().run(launch, &mut memory, registered.watched(), check);
            let checked = checker.is_some();
            if let Some(checker) = checker {
                self.tell(code, &checker);
                for ((storage, base), written) in layout.storages.iter().zip(&mut written) {
                    *written = Ranges::default();
                    for range in checker.written(*base..*base + storage.size() as u32) {
                        written.add((range.start - base) as usize..(range.end - base) as usize);
                    }
                }
            }
            output.collect(&extent, &mut memory);
            match result {
                Ok(needed) => cycles = cycles.saturating_add(needed),
                Err(stop) => {
                    stopped = Some(stop);
                    break;
                }
            }
            // The checker has reported stores to guards, with their lines.
            if checked {
                continue;
            }
            if let Some(overwritten) = layout.placement.overwritten(&memory) {
                stopped = Some(Stop::Overwritten(overwritten));
                break;
            }
        }
        output.show(&self.context, &kernel.name);
        // The stores of a failed kernel are also kept.
        for ((bytes, (_, base)), written) in contents.iter_mut().zip(&layout.storages).zip(written) {
            let base = *base as usize;
            let len = bytes.len();
            bytes.replace(&memory[base..base + len], check.then_some(written));
        }
        match stopped {
            None => Ok(cycles),
            Some(Stop::Engine(reason)) => Err(failure(format!("kernel {} did not run: {reason}", kernel.name))),
            Some(Stop::Overwritten(overwritten)) => {
                let (file, name) = (self.module.source_name(), &kernel.name);
                let message = format!("{file}: kernel {name} {overwritten}; FLEXGRIP_CHECK=1 names the line");
                Err(failure(message))
            }
            Some(Stop::Kernel(error)) => {
                let place = self.module.place(&code.places, error.pc);
                let place = place.map_or(String::new(), |place| format!("{place}: "));
                let more = match (error.kind, error.address) {
                    (ErrorKind::Endless { .. }, _) => "; FLEXGRIP_MAX_CYCLES sets a higher limit".into(),
                    (ErrorKind::GlobalRange, _) => {
                        "; memory ends after the last buffer's guard; FLEXGRIP_CHECK=1 names the buffer that was meant"
                            .into()
                    }
                    (ErrorKind::GlobalMisaligned, Some(address)) => {
                        format!("; this is {}", nearest(layout.placement.regions(), address))
                    }
                    _ => String::new(),
                };
                Err(failure(format!("{place}kernel {}: {error}{more}", kernel.name)))
            }
        }
    }
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
