//! Kernels: functions of a program, with their arguments.

use crate::build::module::{Module, ModuleKernel};
use crate::error::{ensure, Code, Result};
use crate::info::Reply;
use crate::native::pointer::Pointer;
use crate::objects::buffer::Buffer;
use crate::objects::context::Context;
use crate::objects::device::Device;
use crate::objects::image::sampler::Sampler;
use crate::objects::program::Program;
use crate::registry::{self, Handle, Object};
use flexgrip_compiler::ir::declaration::{Access, AddressSpace};
use flexgrip_compiler::ir::{Parameter, ParameterKind};
use flexgrip_machine::sizes::WARP_THREADS;
use opencl_sys::*;
use std::ffi::{c_char, c_void};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// The value of an argument.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A buffer. The kernel does not retain it: the application may release it after the last use.
    Buffer(Weak<Buffer>),
    /// An image, also not retained.
    Image(Weak<Buffer>),
    /// A null pointer to global memory.
    Null,
    /// The bytes of a value.
    Value(Vec<u8>),
    /// `__local` memory of this many bytes.
    Local(u32),
}

/// A kernel.
#[derive(Debug)]
pub struct Kernel {
    handle: Handle,
    program: Arc<Program>,
    module: Arc<Module>,
    /// The index in the module's kernels.
    index: usize,
    arguments: Mutex<Vec<Option<Argument>>>,
}

impl Object for Kernel {
    const INVALID: cl_int = CL_INVALID_KERNEL;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        self.program.detach();
    }
}

impl Kernel {
    /// The compiled kernel.
    pub fn code(&self) -> &ModuleKernel {
        &self.module.kernels[self.index]
    }

    /// The module that the kernel is in.
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }

    /// The index in the module's kernels.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The kernel's context.
    pub fn context(&self) -> &Arc<Context> {
        self.program.context()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<Argument>>> {
        self.arguments.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The current arguments.
    ///
    /// # Errors
    /// `CL_INVALID_KERNEL_ARGS` if one has not been set.
    pub fn arguments(&self) -> Result<Vec<Argument>> {
        let arguments = self.lock().iter().cloned().collect();
        Option::<Vec<Argument>>::ok_or(arguments, Code(CL_INVALID_KERNEL_ARGS))
    }

    /// Limit for the number of work-items of a work-group, by the kernel's registers and the device.
    pub fn work_group(&self) -> usize {
        self.code().work_group() as usize
    }

    /// Bytes of `__local` variables and arguments. Parameters in shared memory are not counted: a kernel gets their
    /// bytes if it needs them for `__local` memory.
    fn local_bytes(&self) -> u64 {
        let arguments = self.lock();
        let local = arguments.iter().flatten().map(|argument| match argument {
            Argument::Local(bytes) => u64::from(bytes.next_multiple_of(16)),
            _ => 0,
        });
        u64::from(self.code().compiled.local_variables()) + local.sum::<u64>()
    }
}

fn publish(program: &Arc<Program>, module: Arc<Module>, index: usize) -> cl_kernel {
    let parameters = module.kernels[index].compiled.parameters.len();
    let kernel = registry::publish(|handle| Kernel {
        handle,
        program: program.clone(),
        module,
        index,
        arguments: Mutex::new(vec![None; parameters]),
    });
    kernel.handle.raw()
}

/// `clCreateKernel`.
///
/// # Errors
/// `CL_INVALID_PROGRAM_EXECUTABLE` for a program that is not built, `CL_INVALID_KERNEL_NAME`;
/// `CL_INVALID_KERNEL_DEFINITION` for a kernel that cannot be compiled, with the reason reported to the context.
pub fn create(program: Pointer<c_void>, name: Pointer<c_char>) -> Result<cl_kernel> {
    let program = registry::find::<Program>(program)?;
    let name = name.string().ok_or(Code(CL_INVALID_VALUE))?;
    let module = program.attach()?;
    match module.kernels.iter().position(|kernel| kernel.name.as_bytes() == name) {
        Some(index) => Ok(publish(&program, module, index)),
        None => {
            program.detach();
            match module.refused.iter().find(|refused| refused.name.as_bytes() == name) {
                Some(refused) => {
                    program.context().report(refused.reason.trim_end());
                    Err(Code(CL_INVALID_KERNEL_DEFINITION))
                }
                None => Err(Code(CL_INVALID_KERNEL_NAME)),
            }
        }
    }
}

/// `clCreateKernelsInProgram`.
///
/// # Errors
/// `CL_INVALID_VALUE` if there is not enough space for all kernels.
pub fn create_all(
    program: Pointer<c_void>,
    space: cl_uint,
    kernels: Pointer<cl_kernel>,
    count: Pointer<cl_uint>,
) -> Result<()> {
    let program = registry::find::<Program>(program)?;
    let module = program.attach()?;
    program.detach();
    let all = module.kernels.len();
    if !kernels.is_null() {
        ensure(space as usize >= all, CL_INVALID_VALUE)?;
        let made = (0..all).map(|index| Ok(publish(&program, program.attach()?, index)));
        kernels.write_all(&made.collect::<Result<Vec<_>>>()?);
    }
    count.write(all as u32);
    Ok(())
}

/// `clSetKernelArg`.
///
/// # Errors
/// `CL_INVALID_ARG_INDEX`, `CL_INVALID_ARG_SIZE`, `CL_INVALID_ARG_VALUE`, `CL_INVALID_MEM_OBJECT`,
/// `CL_INVALID_SAMPLER`.
pub fn set_argument(kernel: Pointer<c_void>, index: cl_uint, size: usize, value: Pointer<c_void>) -> Result<()> {
    let kernel = registry::find::<Kernel>(kernel)?;
    let parameter = kernel.code().compiled.parameters.get(index as usize);
    let parameter = parameter.ok_or(Code(CL_INVALID_ARG_INDEX))?;
    let argument = argument(kernel.context(), parameter, size, value)?;
    let mut arguments = kernel.lock();
    let slot = arguments.get_mut(index as usize).ok_or(Code(CL_INVALID_ARG_INDEX))?;
    *slot = Some(argument);
    Ok(())
}

fn argument(context: &Arc<Context>, parameter: &Parameter, size: usize, value: Pointer<c_void>) -> Result<Argument> {
    match parameter.kind {
        ParameterKind::Local => {
            ensure(value.is_null(), CL_INVALID_ARG_VALUE)?;
            let bytes = u32::try_from(size).map_err(|_| Code(CL_INVALID_ARG_SIZE))?;
            ensure(bytes > 0, CL_INVALID_ARG_SIZE)?;
            Ok(Argument::Local(bytes))
        }
        ParameterKind::Global => {
            ensure(size == size_of::<cl_mem>(), CL_INVALID_ARG_SIZE)?;
            let handle = value.cast::<cl_mem>().read().unwrap_or(std::ptr::null_mut());
            if handle.is_null() {
                return Ok(Argument::Null);
            }
            let buffer = registry::find_raw::<Buffer>(handle)?;
            ensure(buffer.image().is_none(), CL_INVALID_MEM_OBJECT)?;
            ensure(Arc::ptr_eq(buffer.context(), context), CL_INVALID_MEM_OBJECT)?;
            Ok(Argument::Buffer(Arc::downgrade(&buffer)))
        }
        ParameterKind::Image { shape, access } => {
            ensure(size == size_of::<cl_mem>(), CL_INVALID_ARG_SIZE)?;
            let handle = value.cast::<cl_mem>().read().ok_or(Code(CL_INVALID_ARG_VALUE))?;
            let buffer = registry::find_raw::<Buffer>(handle)?;
            let fits = buffer.image().is_some_and(|image| image.shape == shape);
            ensure(fits && Arc::ptr_eq(buffer.context(), context), CL_INVALID_MEM_OBJECT)?;
            let allowed = match access {
                Access::WriteOnly => buffer.is_writable(),
                Access::ReadWrite => buffer.is_readable() && buffer.is_writable(),
                Access::ReadOnly | Access::None => buffer.is_readable(),
            };
            ensure(allowed, CL_INVALID_ARG_VALUE)?;
            Ok(Argument::Image(Arc::downgrade(&buffer)))
        }
        ParameterKind::Sampler => {
            ensure(size == size_of::<cl_sampler>(), CL_INVALID_ARG_SIZE)?;
            let handle = value.cast::<cl_sampler>().read().ok_or(Code(CL_INVALID_ARG_VALUE))?;
            let sampler = registry::find_raw::<Sampler>(handle)?;
            ensure(Arc::ptr_eq(sampler.context(), context), CL_INVALID_SAMPLER)?;
            Ok(Argument::Value(sampler.word().to_le_bytes().to_vec()))
        }
        ParameterKind::Value => {
            ensure(size == parameter.bytes as usize, CL_INVALID_ARG_SIZE)?;
            ensure(!value.is_null(), CL_INVALID_ARG_VALUE)?;
            let mut bytes = vec![0; size];
            value.copy_to(&mut bytes);
            Ok(Argument::Value(bytes))
        }
    }
}

/// `clGetKernelInfo`.
///
/// # Errors
/// `CL_INVALID_VALUE` for an unknown query or too little space.
pub fn info(kernel: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    let kernel = registry::find::<Kernel>(kernel)?;
    match name {
        CL_KERNEL_FUNCTION_NAME => reply.text(&kernel.code().name),
        CL_KERNEL_NUM_ARGS => reply.word(kernel.code().compiled.parameters.len() as u32),
        CL_KERNEL_REFERENCE_COUNT => reply.word(registry::count(&*kernel)),
        CL_KERNEL_CONTEXT => reply.handle(kernel.context().handle().raw()),
        CL_KERNEL_PROGRAM => reply.handle(kernel.program.handle().raw()),
        CL_KERNEL_ATTRIBUTES => reply.text(""),
        _ => Err(Code(CL_INVALID_VALUE)),
    }
}

/// `clGetKernelWorkGroupInfo`.
///
/// # Errors
/// `CL_INVALID_DEVICE` for a device outside the kernel's context; `CL_INVALID_VALUE` for an unknown query or too little
/// space.
pub fn work_group_info(kernel: Pointer<c_void>, device: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    let kernel = registry::find::<Kernel>(kernel)?;
    if device.is_null() {
        ensure(kernel.context().devices().len() == 1, CL_INVALID_DEVICE)?;
    } else {
        let device = registry::find::<Device>(device)?;
        ensure(kernel.context().has(&device), CL_INVALID_DEVICE)?;
    }
    match name {
        CL_KERNEL_WORK_GROUP_SIZE => reply.size(kernel.work_group()),
        CL_KERNEL_COMPILE_WORK_GROUP_SIZE => reply.sizes(&kernel.code().required().unwrap_or([0; 3])),
        CL_KERNEL_LOCAL_MEM_SIZE => reply.long(kernel.local_bytes()),
        CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => reply.size(WARP_THREADS as usize),
        CL_KERNEL_PRIVATE_MEM_SIZE => reply.long(u64::from(kernel.code().compiled.local_bytes)),
        _ => Err(Code(CL_INVALID_VALUE)),
    }
}

/// `clGetKernelArgInfo`, for programs from source that were built with `-cl-kernel-arg-info`, and for their binaries.
///
/// # Errors
/// `CL_INVALID_ARG_INDEX`; `CL_KERNEL_ARG_INFO_NOT_AVAILABLE` without the build option; `CL_INVALID_VALUE` for an
/// unknown query or too little space.
pub fn argument_info(kernel: Pointer<c_void>, index: cl_uint, name: cl_uint, reply: Reply) -> Result<()> {
    let kernel = registry::find::<Kernel>(kernel)?;
    let parameter = kernel.code().compiled.parameters.get(index as usize);
    let parameter = parameter.ok_or(Code(CL_INVALID_ARG_INDEX))?;
    let missing = Code(CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    // Programs with images have declarations even without the option, but no names in them.
    let declaration = parameter.declaration.as_ref().ok_or(missing)?;
    let argument = declaration.name.as_ref().ok_or(missing)?;
    match name {
        CL_KERNEL_ARG_ADDRESS_QUALIFIER => reply.word(match declaration.space {
            AddressSpace::Private => CL_KERNEL_ARG_ADDRESS_PRIVATE,
            AddressSpace::Global => CL_KERNEL_ARG_ADDRESS_GLOBAL,
            AddressSpace::Constant => CL_KERNEL_ARG_ADDRESS_CONSTANT,
            AddressSpace::Local => CL_KERNEL_ARG_ADDRESS_LOCAL,
        }),
        CL_KERNEL_ARG_ACCESS_QUALIFIER => reply.word(match declaration.access {
            Access::None => CL_KERNEL_ARG_ACCESS_NONE,
            Access::ReadOnly => CL_KERNEL_ARG_ACCESS_READ_ONLY,
            Access::WriteOnly => CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
            Access::ReadWrite => CL_KERNEL_ARG_ACCESS_READ_WRITE,
        }),
        CL_KERNEL_ARG_TYPE_NAME => reply.text(&declaration.ty),
        CL_KERNEL_ARG_TYPE_QUALIFIER => {
            let qualifiers = declaration.qualifiers;
            let bit = |has: bool, bit: cl_kernel_arg_type_qualifier| if has { bit } else { CL_KERNEL_ARG_TYPE_NONE };
            let bits = bit(qualifiers.constant, CL_KERNEL_ARG_TYPE_CONST)
                | bit(qualifiers.restrict, CL_KERNEL_ARG_TYPE_RESTRICT)
                | bit(qualifiers.volatile, CL_KERNEL_ARG_TYPE_VOLATILE);
            reply.long(bits.into())
        }
        CL_KERNEL_ARG_NAME => reply.text(argument),
        _ => Err(Code(CL_INVALID_VALUE)),
    }
}
