//! OpenCL's objects, which release themselves, and operations on them.
//!
//! Every handle comes from the loader and stays valid while its object here exists. So all calls get valid handles, and
//! sizes that match the memory at their pointers.
#![allow(unsafe_code)]

use crate::error::HostError;
use crate::launch::{Argument, Image, IndexSpace};
use crate::library::Functions;
use opencl_sys::*;
use std::ffi::{c_void, CString};
use std::ptr;

type Result<T> = std::result::Result<T, HostError>;

/// Calls a function and evaluates to its result.
macro_rules! call {
    ($functions:expr, $name:ident($($argument:expr),* $(,)?)) => {
        match $functions.$name {
            // SAFETY: see the module's comment.
            Some(function) => unsafe { function($($argument),*) },
            // Unreachable: all functions are checked when the loader is opened.
            None => return Err(HostError::NotFound(stringify!($name).into())),
        }
    };
}

/// Calls a function that returns an error code.
macro_rules! checked {
    ($functions:expr, $name:ident($($argument:expr),* $(,)?)) => {
        match call!($functions, $name($($argument),*)) {
            CL_SUCCESS => Ok(()),
            code => Err(HostError::Call { call: stringify!($name), code }),
        }
    };
}

/// Calls a function that creates an object. Its last argument is a pointer to the error code.
macro_rules! made {
    ($functions:expr, $release:ident, $name:ident($($argument:expr),* $(,)?)) => {{
        let mut code = CL_SUCCESS;
        let handle = call!($functions, $name($($argument,)* &mut code));
        match code {
            CL_SUCCESS => Ok(Handle { handle, release: $functions.$release }),
            code => Err(HostError::Call { call: stringify!($name), code }),
        }
    }};
}

/// An object of OpenCL. All handles are pointers.
#[derive(Debug)]
struct Handle {
    handle: *mut c_void,
    release: Option<unsafe extern "C" fn(*mut c_void) -> cl_int>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the object was created, and is released once. An error cannot be reported from `drop`.
            let _ = unsafe { release(self.handle) };
        }
    }
}

/// Reads a string. `read` gets the buffer's size, the buffer, and a pointer for the string's size.
fn text(read: impl Fn(usize, *mut c_void, *mut usize) -> Result<()>) -> Result<String> {
    let mut size = 0;
    read(0, ptr::null_mut(), &mut size)?;
    let mut bytes = vec![0u8; size];
    read(size, bytes.as_mut_ptr().cast(), ptr::null_mut())?;
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Converts to a C string, which cannot contain zero bytes.
fn c_text(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| HostError::Argument("a zero byte in source, options or name".into()))
}

/// A platform, the driver of one vendor.
pub struct Platform {
    functions: &'static Functions,
    id: cl_platform_id,
}

/// Lists all platforms that the loader finds.
pub fn platforms(functions: &'static Functions) -> Result<Vec<Platform>> {
    let mut count = 0;
    // If there are no platforms, the loader returns an error.
    if checked!(functions, clGetPlatformIDs(0, ptr::null_mut(), &mut count)).is_err() {
        return Ok(Vec::new());
    }
    let mut ids = vec![ptr::null_mut(); count as usize];
    checked!(functions, clGetPlatformIDs(count, ids.as_mut_ptr(), ptr::null_mut()))?;
    Ok(ids.into_iter().map(|id| Platform { functions, id }).collect())
}

impl Platform {
    fn info(&self, what: cl_platform_info) -> Result<String> {
        text(|size, to, needed| checked!(self.functions, clGetPlatformInfo(self.id, what, size, to, needed)))
    }

    pub fn name(&self) -> Result<String> {
        self.info(CL_PLATFORM_NAME)
    }

    pub fn vendor(&self) -> Result<String> {
        self.info(CL_PLATFORM_VENDOR)
    }

    /// Returns the first CPU device; `None` if the platform has none, for which OpenCL defines an error.
    pub fn cpu(&self) -> Option<Device> {
        let first = || -> Result<cl_device_id> {
            let mut id = ptr::null_mut();
            let none = ptr::null_mut();
            checked!(
                self.functions,
                clGetDeviceIDs(self.id, CL_DEVICE_TYPE_CPU, 1, &mut id, none)
            )?;
            Ok(id)
        };
        let functions = self.functions;
        first().ok().map(|id| Device { functions, id })
    }
}

/// A CPU device. OpenCL does not count references to devices, so it is never released.
#[derive(Debug)]
pub struct Device {
    functions: &'static Functions,
    id: cl_device_id,
}

impl Device {
    pub fn name(&self) -> Result<String> {
        text(|size, to, needed| {
            checked!(
                self.functions,
                clGetDeviceInfo(self.id, CL_DEVICE_NAME, size, to, needed)
            )
        })
    }
}

/// A context, to which programs, buffers and queues of the device belong.
#[derive(Debug)]
pub struct Context {
    device: Device,
    handle: Handle,
}

impl Context {
    pub fn new(device: Device) -> Result<Context> {
        let none = ptr::null_mut();
        let handle = made!(
            device.functions,
            clReleaseContext,
            clCreateContext(ptr::null(), 1, &device.id, None, none)
        )?;
        Ok(Context { device, handle })
    }
}

/// A compiled program.
#[derive(Debug)]
pub struct Program {
    functions: &'static Functions,
    handle: Handle,
}

/// A reason why a source was not compiled.
pub enum BuildFailure {
    /// The source has errors; the text is the driver's log.
    Mistakes(String),
    /// Another call of OpenCL failed, or an argument was invalid.
    Other(HostError),
}

impl From<HostError> for BuildFailure {
    fn from(error: HostError) -> Self {
        BuildFailure::Other(error)
    }
}

impl Program {
    pub fn new(context: &Context, source: &str, options: &str) -> std::result::Result<Program, BuildFailure> {
        let functions = context.device.functions;
        let device = context.device.id;
        let options = c_text(options)?;
        let program = Program::of_source(context, source)?;
        let build = || -> Result<()> {
            checked!(
                functions,
                clBuildProgram(
                    program.handle.handle,
                    1,
                    &device,
                    options.as_ptr(),
                    None,
                    ptr::null_mut()
                )
            )
        };
        match build() {
            Ok(()) => Ok(program),
            Err(HostError::Call {
                code: CL_BUILD_PROGRAM_FAILURE,
                ..
            }) => Err(BuildFailure::Mistakes(text(|size, to, needed| {
                let handle = program.handle.handle;
                checked!(
                    functions,
                    clGetProgramBuildInfo(handle, device, CL_PROGRAM_BUILD_LOG, size, to, needed)
                )
            })?)),
            Err(error) => Err(error.into()),
        }
    }

    fn of_source(context: &Context, source: &str) -> Result<Program> {
        let functions = context.device.functions;
        let source = c_text(source)?;
        let mut text = source.as_ptr();
        let handle = made!(
            functions,
            clReleaseProgram,
            clCreateProgramWithSource(context.handle.handle, 1, &mut text, ptr::null())
        )?;
        Ok(Program { functions, handle })
    }
}

/// A kernel of a program.
#[derive(Debug)]
pub struct Kernel {
    functions: &'static Functions,
    handle: Handle,
}

/// The kind of argument that a parameter takes.
#[derive(PartialEq)]
enum ArgumentKind {
    Buffer,
    Local,
    Value,
    Image,
    Sampler,
}

impl Kernel {
    pub fn new(program: &Program, name: &str) -> Result<Kernel> {
        let functions = program.functions;
        let c_name = c_text(name)?;
        let handle = made!(
            functions,
            clReleaseKernel,
            clCreateKernel(program.handle.handle, c_name.as_ptr())
        );
        match handle {
            Ok(handle) => Ok(Kernel { functions, handle }),
            Err(HostError::Call {
                code: CL_INVALID_KERNEL_NAME,
                ..
            }) => Err(HostError::Argument(format!("the source has no kernel `{name}`"))),
            Err(error) => Err(error),
        }
    }

    /// Number of parameters.
    pub fn parameters(&self) -> Result<usize> {
        let mut count: cl_uint = 0;
        let size = size_of::<cl_uint>();
        checked!(
            self.functions,
            clGetKernelInfo(
                self.handle.handle,
                CL_KERNEL_NUM_ARGS,
                size,
                ptr::from_mut(&mut count).cast(),
                ptr::null_mut()
            )
        )?;
        Ok(count as usize)
    }

    fn kind(&self, index: usize) -> Result<ArgumentKind> {
        let ty = text(|size, to, needed| {
            let handle = self.handle.handle;
            checked!(
                self.functions,
                clGetKernelArgInfo(handle, index as cl_uint, CL_KERNEL_ARG_TYPE_NAME, size, to, needed)
            )
        })?;
        // Only samplers and images have these type names: the name of a struct begins with `struct`.
        match ty.as_str() {
            "sampler_t" => return Ok(ArgumentKind::Sampler),
            name if name.starts_with("image") && name.ends_with("_t") => return Ok(ArgumentKind::Image),
            _ => {}
        }
        let mut space: cl_uint = 0;
        let size = size_of::<cl_uint>();
        checked!(
            self.functions,
            clGetKernelArgInfo(
                self.handle.handle,
                index as cl_uint,
                CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                size,
                ptr::from_mut(&mut space).cast(),
                ptr::null_mut()
            )
        )?;
        match space {
            CL_KERNEL_ARG_ADDRESS_GLOBAL | CL_KERNEL_ARG_ADDRESS_CONSTANT => Ok(ArgumentKind::Buffer),
            CL_KERNEL_ARG_ADDRESS_LOCAL => Ok(ArgumentKind::Local),
            CL_KERNEL_ARG_ADDRESS_PRIVATE => Ok(ArgumentKind::Value),
            _ => Err(HostError::Argument(format!("the kind of argument {index} is unknown"))),
        }
    }

    /// Sets the bytes of an argument, or only its size if `value` is null. The caller has checked the parameter's kind:
    /// the bytes of an object's handle must belong to a live object.
    fn set(&self, index: usize, size: usize, value: *const c_void) -> Result<()> {
        let set = checked!(
            self.functions,
            clSetKernelArg(self.handle.handle, index as cl_uint, size, value)
        );
        set.map_err(|error| HostError::Argument(format!("argument {index}: {error}")))
    }
}

/// A buffer of a context, and its size in bytes.
struct Buffer {
    handle: Handle,
    bytes: usize,
}

/// A command queue.
struct Queue {
    functions: &'static Functions,
    handle: Handle,
}

impl Queue {
    fn new(context: &Context) -> Result<Queue> {
        let functions = context.device.functions;
        let handle = made!(
            functions,
            clReleaseCommandQueue,
            clCreateCommandQueue(context.handle.handle, context.device.id, 0)
        )?;
        Ok(Queue { functions, handle })
    }

    /// Creates a buffer with these bytes.
    fn buffer(&self, context: &Context, bytes: &[u8]) -> Result<Buffer> {
        // OpenCL has no buffers of 0 bytes. The single byte is never written or read.
        let size = bytes.len().max(1);
        let handle = made!(
            self.functions,
            clReleaseMemObject,
            clCreateBuffer(context.handle.handle, CL_MEM_READ_WRITE, size, ptr::null_mut())
        )?;
        if !bytes.is_empty() {
            let from = bytes.as_ptr().cast();
            let (none, null) = (ptr::null(), ptr::null_mut());
            checked!(
                self.functions,
                clEnqueueWriteBuffer(
                    self.handle.handle,
                    handle.handle,
                    CL_TRUE,
                    0,
                    bytes.len(),
                    from,
                    0,
                    none,
                    null
                )
            )?;
        }
        Ok(Buffer {
            handle,
            bytes: bytes.len(),
        })
    }

    /// Creates an image with these texels. OpenCL checks the sizes only against the pitches, so both pitches are
    /// computed from the number of bytes.
    fn image(&self, context: &Context, image: &Image) -> Result<Handle> {
        let [width, height, depth] = image.sizes;
        let rows = height.checked_mul(depth).filter(|rows| *rows > 0);
        let whole = rows.filter(|rows| !image.bytes.is_empty() && image.bytes.len() % rows == 0);
        let Some(rows) = whole else {
            let message = format!(
                "an image of {} bytes cannot have {height} x {depth} rows",
                image.bytes.len()
            );
            return Err(HostError::Argument(message));
        };
        let row = image.bytes.len() / rows;
        let has_slices = !matches!(image.kind, CL_MEM_OBJECT_IMAGE1D | CL_MEM_OBJECT_IMAGE2D);
        let desc = cl_image_desc {
            image_type: image.kind,
            image_width: width,
            image_height: height,
            image_depth: depth,
            image_array_size: depth,
            image_row_pitch: row,
            image_slice_pitch: if has_slices { row * height } else { 0 },
            num_mip_levels: 0,
            num_samples: 0,
            buffer: ptr::null_mut(),
        };
        let format = cl_image_format {
            image_channel_order: image.format.0,
            image_channel_data_type: image.format.1,
        };
        let flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
        let bytes = image.bytes.as_ptr().cast_mut().cast();
        made!(
            self.functions,
            clReleaseMemObject,
            clCreateImage(context.handle.handle, flags, &format, &desc, bytes)
        )
    }

    /// Reads a buffer's contents.
    fn read(&self, buffer: &Buffer) -> Result<Vec<u8>> {
        let mut bytes = vec![0u8; buffer.bytes];
        if !bytes.is_empty() {
            let (size, to) = (bytes.len(), bytes.as_mut_ptr().cast());
            let (none, null) = (ptr::null(), ptr::null_mut());
            let handle = buffer.handle.handle;
            checked!(
                self.functions,
                clEnqueueReadBuffer(self.handle.handle, handle, CL_TRUE, 0, size, to, 0, none, null)
            )?;
        }
        Ok(bytes)
    }

    /// Runs a kernel to completion. All its arguments must be set. Like any native code, a kernel with a defect can
    /// crash this process.
    fn run(&self, kernel: &Kernel, space: &IndexSpace) -> Result<()> {
        let (none, null) = (ptr::null(), ptr::null_mut());
        let [offset, global, local] = [space.offset, space.global, space.local].map(<[usize]>::as_ptr);
        let (dimensions, handle) = (space.global.len() as cl_uint, kernel.handle.handle);
        checked!(
            self.functions,
            clEnqueueNDRangeKernel(
                self.handle.handle,
                handle,
                dimensions,
                offset,
                global,
                local,
                0,
                none,
                null
            )
        )?;
        checked!(self.functions, clFinish(self.handle.handle))
    }
}

/// Runs a kernel. There must be as many arguments as parameters, and all lists of the index space must have the same
/// length.
pub fn run(context: &Context, kernel: &Kernel, arguments: &[Argument], space: &IndexSpace) -> Result<Vec<Vec<u8>>> {
    let queue = Queue::new(context)?;
    let mut buffers = Vec::new();
    // Images and samplers live until the kernel has ended.
    let mut others: Vec<Handle> = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let (expected, given) = match argument {
            Argument::Buffer(_) => (ArgumentKind::Buffer, "a buffer"),
            Argument::Local(_) => (ArgumentKind::Local, "__local memory"),
            Argument::Value(_) => (ArgumentKind::Value, "a value"),
            Argument::Image(_) => (ArgumentKind::Image, "an image"),
            Argument::Sampler(..) => (ArgumentKind::Sampler, "a sampler"),
        };
        // The driver would take a value of eight bytes for a handle.
        if kernel.kind(index)? != expected {
            let message = format!("argument {index} does not accept {given}");
            return Err(HostError::Argument(message));
        }
        match argument {
            Argument::Buffer(bytes) => {
                let buffer = queue.buffer(context, bytes)?;
                let handle: cl_mem = buffer.handle.handle;
                kernel.set(index, size_of::<cl_mem>(), ptr::from_ref(&handle).cast())?;
                buffers.push(buffer);
            }
            Argument::Local(size) => kernel.set(index, *size, ptr::null())?,
            Argument::Value(bytes) => kernel.set(index, bytes.len(), bytes.as_ptr().cast())?,
            Argument::Image(image) => {
                let image = queue.image(context, image)?;
                kernel.set(index, size_of::<cl_mem>(), ptr::from_ref(&image.handle).cast())?;
                others.push(image);
            }
            Argument::Sampler(normalised, addressing, filter) => {
                let context = context.handle.handle;
                let sampler = made!(
                    queue.functions,
                    clReleaseSampler,
                    clCreateSampler(context, (*normalised).into(), *addressing, *filter)
                )?;
                kernel.set(index, size_of::<cl_sampler>(), ptr::from_ref(&sampler.handle).cast())?;
                others.push(sampler);
            }
        }
    }
    queue.run(kernel, space)?;
    drop(others);
    buffers.iter().map(|buffer| queue.read(buffer)).collect()
}
