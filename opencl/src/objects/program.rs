//! Programs, created from source or binaries, and built by clang and the compiler.

use crate::build::binary::Binary;
use crate::build::compiler;
use crate::build::module::{self, Module};
use crate::engine::check;
use crate::error::{ensure, Code, Result};
use crate::info::Reply;
use crate::native::callback::{Callback, ObjectFunction};
use crate::native::pointer::Pointer;
use crate::objects::context::Context;
use crate::objects::device;
use crate::registry::{self, Handle, Object};
use flexgrip_compiler::clang::BuildOptions;
use opencl_sys::*;
use std::ffi::{c_char, c_uchar, c_void};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of a program's source in messages: it has no file.
const SOURCE_NAME: &str = "program.cl";
/// Limit for the number of strings in a source. Longer lists are errors of the application.
const MOST_STRINGS: usize = 1 << 16;

/// The origin of a program.
#[derive(Debug)]
enum Origin {
    Source(Vec<u8>),
    Binary(Binary),
}

/// The state of a program's build.
#[derive(Debug)]
struct Build {
    status: cl_int,
    options: String,
    log: String,
    module: Option<Arc<Module>>,
    /// The number of kernel objects of the current module. The program cannot be built again while it is not 0.
    kernels: usize,
}

/// A program.
#[derive(Debug)]
pub struct Program {
    handle: Handle,
    context: Arc<Context>,
    origin: Origin,
    build: Mutex<Build>,
}

impl Object for Program {
    const INVALID: cl_int = CL_INVALID_PROGRAM;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Program {
    fn lock(&self) -> MutexGuard<'_, Build> {
        self.build.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The program's context.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Returns the built module, and counts the kernel that will use it.
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM_EXECUTABLE` if there is none.
    pub fn attach(&self) -> Result<Arc<Module>> {
        let mut build = self.lock();
        let module = build.module.clone().ok_or(Code(CL_INVALID_PROGRAM_EXECUTABLE))?;
        build.kernels += 1;
        Ok(module)
    }

    /// Subtracts a kernel from the count.
    pub fn detach(&self) {
        let mut build = self.lock();
        build.kernels = build.kernels.saturating_sub(1);
    }

    /// Builds the module for devices of the options' capability. Returns it with the log, or the error's code with the
    /// log.
    fn make(&self, options: &BuildOptions) -> std::result::Result<(Module, String), (cl_int, String)> {
        let failed = |log| (CL_BUILD_PROGRAM_FAILURE, log);
        match &self.origin {
            Origin::Source(text) => {
                let clang = compiler::clang().map_err(|error| (CL_COMPILER_NOT_AVAILABLE, error.to_string()))?;
                module::from_source(clang, SOURCE_NAME, text, options).map_err(failed)
            }
            Origin::Binary(binary) => module::from_binary(binary, options.capability()).map_err(failed),
        }
    }
}

/// Creates a program, and returns its handle.
fn publish(context: Arc<Context>, origin: Origin) -> cl_program {
    let program = registry::publish(|handle| Program {
        handle,
        context,
        origin,
        build: Mutex::new(Build {
            status: CL_BUILD_NONE,
            options: String::new(),
            log: String::new(),
            module: None,
            kernels: 0,
        }),
    });
    program.handle.raw()
}

/// `clCreateProgramWithSource`.
///
/// # Errors
/// `CL_INVALID_VALUE` for a list without strings, or with a null string.
pub fn create_with_source(
    context: Pointer<c_void>,
    count: cl_uint,
    strings: Pointer<*const c_char>,
    lengths: Pointer<usize>,
) -> Result<cl_program> {
    let context = registry::find::<Context>(context)?;
    ensure((1..=MOST_STRINGS).contains(&(count as usize)), CL_INVALID_VALUE)?;
    let strings = strings.pointers(count as usize).ok_or(Code(CL_INVALID_VALUE))?;
    let lengths = match lengths.is_null() {
        true => vec![0; strings.len()],
        false => lengths.read_all(count as usize).unwrap_or_default(),
    };
    let mut text = Vec::new();
    for (string, length) in strings.into_iter().zip(lengths) {
        ensure(!string.is_null(), CL_INVALID_VALUE)?;
        match length {
            0 => text.extend(string.string().unwrap_or_default()),
            length => {
                let at = text.len();
                text.resize(at + length, 0);
                string.cast::<c_void>().copy_to(&mut text[at..]);
            }
        }
    }
    // Some programs include the final zero in the length.
    while text.last() == Some(&0) {
        text.pop();
    }
    Ok(publish(context, Origin::Source(text)))
}

/// `clCreateProgramWithBinary`.
///
/// # Errors
/// `CL_INVALID_VALUE` for invalid lists, `CL_INVALID_BINARY` for a binary that this driver has not written, or for
/// binaries that differ between the devices, which all run the same code.
pub fn create_with_binary(
    context: Pointer<c_void>,
    count: cl_uint,
    devices: Pointer<cl_device_id>,
    lengths: Pointer<usize>,
    binaries: Pointer<*const c_uchar>,
    statuses: Pointer<cl_int>,
) -> Result<cl_program> {
    let context = registry::find::<Context>(context)?;
    ensure(count > 0 && !devices.is_null(), CL_INVALID_VALUE)?;
    let count = context.devices_of(count, devices)?.len();
    let lengths = lengths.read_all(count).ok_or(Code(CL_INVALID_VALUE))?;
    let places = binaries.pointers(count).ok_or(Code(CL_INVALID_VALUE))?;
    let mut found: Option<Binary> = None;
    let (mut result, mut read) = (Ok(()), Vec::new());
    for (place, length) in places.into_iter().zip(lengths) {
        let status = if place.is_null() || length == 0 {
            Err(CL_INVALID_VALUE)
        } else {
            let mut bytes = vec![0; length];
            place.cast::<c_void>().copy_to(&mut bytes);
            match (Binary::parse(&bytes), &found) {
                (Some(binary), Some(other)) if binary != *other => Err(CL_INVALID_BINARY),
                (Some(binary), _) => {
                    found = Some(binary);
                    Ok(())
                }
                (None, _) => Err(CL_INVALID_BINARY),
            }
        };
        read.push(status.err().unwrap_or(CL_SUCCESS));
        result = result.and(status.map_err(Code));
    }
    statuses.write_all(&read);
    result?;
    let binary = found.ok_or(Code(CL_INVALID_VALUE))?;
    Ok(publish(context, Origin::Binary(binary)))
}

/// `clBuildProgram`: builds before it returns, and calls `function` at the end unless it is null.
///
/// # Errors
/// Invalid options, `CL_INVALID_OPERATION` while the program is being built or has kernels, and errors that
/// `CL_PROGRAM_BUILD_LOG` explains: `CL_COMPILER_NOT_AVAILABLE`, `CL_BUILD_PROGRAM_FAILURE`.
pub fn build(
    program: Pointer<c_void>,
    count: cl_uint,
    devices: Pointer<cl_device_id>,
    options: Pointer<c_char>,
    function: Option<ObjectFunction>,
    data: Pointer<c_void>,
) -> Result<()> {
    let program = registry::find::<Program>(program)?;
    ensure(function.is_some() || data.is_null(), CL_INVALID_VALUE)?;
    let devices = program.context.devices_of(count, devices)?;
    // All devices run the same code.
    let lowest = devices.iter().map(|device| device.engine().capability).min();
    let text = options.string().unwrap_or_default();
    let text = String::from_utf8(text).map_err(|_| Code(CL_INVALID_BUILD_OPTIONS))?;
    {
        let mut build = program.lock();
        ensure(
            build.kernels == 0 && build.status != CL_BUILD_IN_PROGRESS,
            CL_INVALID_OPERATION,
        )?;
        build.module = None;
        build.options = text.clone();
        build.log.clear();
        build.status = CL_BUILD_IN_PROGRESS;
    }
    let mut guard = Unfinished(&program);
    let result = match BuildOptions::parse(&text) {
        Err(error) => Err((CL_INVALID_BUILD_OPTIONS, error.to_string())),
        Ok(mut options) => {
            options.set_capability(lowest.unwrap_or_default());
            if check::is_wanted() {
                options.check();
            }
            program.make(&options)
        }
    };
    let result = guard.finish(result);
    if let Some(function) = function {
        Callback::new(function, data).call(program.handle.pointer());
    }
    result
}

/// A running build. If a panic drops it, the build has failed.
struct Unfinished<'a>(&'a Program);

impl Unfinished<'_> {
    fn finish(&mut self, result: std::result::Result<(Module, String), (cl_int, String)>) -> Result<()> {
        let mut build = self.0.lock();
        match result {
            Ok((module, log)) => {
                build.module = Some(Arc::new(module));
                build.log = log;
                build.status = CL_BUILD_SUCCESS;
                Ok(())
            }
            Err((code, log)) => {
                build.log = log;
                build.status = CL_BUILD_ERROR;
                Err(Code(code))
            }
        }
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        let mut build = self.0.lock();
        if build.status == CL_BUILD_IN_PROGRESS {
            build.status = CL_BUILD_ERROR;
        }
    }
}

/// `clGetProgramInfo`.
///
/// # Errors
/// `CL_INVALID_VALUE` for an unknown query or too little space; `CL_INVALID_PROGRAM_EXECUTABLE` for a query of kernels
/// before they are built.
pub fn info(program: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    let program = registry::find::<Program>(program)?;
    let devices = program.context.devices();
    let module = || {
        let module = program.lock().module.clone();
        module.ok_or(Code(CL_INVALID_PROGRAM_EXECUTABLE))
    };
    match name {
        CL_PROGRAM_REFERENCE_COUNT => reply.word(registry::count(&*program)),
        CL_PROGRAM_CONTEXT => reply.handle(program.context.handle().raw()),
        CL_PROGRAM_NUM_DEVICES => reply.word(devices.len() as u32),
        CL_PROGRAM_DEVICES => reply.sizes(&device::addresses(devices)),
        CL_PROGRAM_SOURCE => reply.text(match &program.origin {
            Origin::Source(text) => text.as_slice(),
            Origin::Binary(_) => b"",
        }),
        CL_PROGRAM_BINARY_SIZES => reply.sizes(&vec![program.binary().len(); devices.len()]),
        CL_PROGRAM_BINARIES => binaries(&program.binary(), devices.len(), reply),
        CL_PROGRAM_NUM_KERNELS => reply.size(module()?.kernels.len()),
        CL_PROGRAM_KERNEL_NAMES => reply.text(module()?.names().join(";")),
        _ => Err(Code(CL_INVALID_VALUE)),
    }
}

impl Program {
    /// The container with machine code, or the binary from which the program was created; empty for a source that has
    /// not been built.
    fn binary(&self) -> Vec<u8> {
        match (&self.lock().module, &self.origin) {
            (Some(module), _) => module.container().to_vec(),
            (None, Origin::Binary(binary)) => binary.bytes(),
            (None, Origin::Source(_)) => Vec::new(),
        }
    }
}

/// Copies the binary to the application's list of pointers, one for each device.
fn binaries(binary: &[u8], devices: usize, reply: Reply) -> Result<()> {
    let bytes = devices * size_of::<*mut c_void>();
    reply.size_ret.write(bytes);
    if reply.value.is_null() {
        return Ok(());
    }
    ensure(reply.size >= bytes, CL_INVALID_VALUE)?;
    let places = reply.value.cast::<*const c_void>().pointers(devices);
    for place in places.unwrap_or_default() {
        if !place.is_null() {
            place.copy_from(binary);
        }
    }
    Ok(())
}

/// `clGetProgramBuildInfo`.
///
/// # Errors
/// `CL_INVALID_DEVICE` for a device outside the program's context; `CL_INVALID_VALUE` for an unknown query or too
/// little space.
pub fn build_info(program: Pointer<c_void>, device: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    let program = registry::find::<Program>(program)?;
    let device = registry::find(device)?;
    ensure(program.context.has(&device), CL_INVALID_DEVICE)?;
    let build = program.lock();
    match name {
        CL_PROGRAM_BUILD_STATUS => reply.word(build.status as u32),
        CL_PROGRAM_BUILD_OPTIONS => reply.text(&build.options),
        CL_PROGRAM_BUILD_LOG => reply.text(&build.log),
        CL_PROGRAM_BINARY_TYPE => reply.word(match build.module {
            Some(_) => CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
            None => CL_PROGRAM_BINARY_TYPE_NONE,
        }),
        _ => Err(Code(CL_INVALID_VALUE)),
    }
}
