//! Calls through the dispatch table, and objects that most tests use.

use flexgrip_opencl::abi::table::{clGetExtensionFunctionAddress, clIcdGetPlatformIDsKHR};
use flexgrip_opencl::build::binary::Binary;
use opencl_sys::cl_icd::cl_icd_dispatch;
use opencl_sys::*;
use std::ffi::{c_void, CString};
use std::process::{Command, Output};
use std::ptr::{null, null_mut};

/// Any handle of OpenCL.
pub type Handle = *mut c_void;

/// PTX that clang generated from `kernels.cl`.
pub const PTX: &str = include_str!("../kernels.ptx");

/// Two kernels in which each work-item stores a word: in the first one all of them different words to the same address,
/// which the checker reports, in the second one each its number to its own address.
pub const RACE: &str = "
.version 4.2
.target sm_20
.address_size 32
.entry race(.param .u32 .ptr .global .align 4 out)
{
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [out];
    mov.u32 %r2, %tid.x;
    add.u32 %r2, %r2, 7;
    .loc 1 3 12
    st.global.u32 [%r1], %r2;
    ret;
}
.entry right(.param .u32 .ptr .global .align 4 out)
{
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [out];
    mov.u32 %r2, %tid.x;
    shl.b32 %r3, %r2, 2;
    add.s32 %r3, %r1, %r3;
    .loc 1 8 12
    st.global.u32 [%r3], %r2;
    ret;
}
.file 1 \"program.cl\"
";

/// Runs one test of this program in another process with these environment variables, and returns its output.
pub fn run_again(test: &str, variables: &[(&str, &str)]) -> Output {
    let mut program = Command::new(std::env::current_exe().expect("this program"));
    program.args(["--exact", test, "--nocapture"]);
    program.envs(variables.iter().copied()).output().expect("this program")
}

/// The platform, found in the same way as by OpenCL's loader.
pub fn platform() -> Handle {
    let name = c"clIcdGetPlatformIDsKHR";
    // SAFETY: the name is a C string.
    let found = unsafe { clGetExtensionFunctionAddress(name.as_ptr()) };
    assert_eq!(found as usize, clIcdGetPlatformIDsKHR as *const () as usize);
    let (mut platform, mut count) = (null_mut(), 0);
    // SAFETY: there is space for one platform.
    assert_eq!(
        unsafe { clIcdGetPlatformIDsKHR(1, &mut platform, &mut count) },
        CL_SUCCESS
    );
    assert_eq!(count, 1);
    platform
}

/// The dispatch table that an object's handle points to.
pub fn table_of(object: Handle) -> &'static cl_icd_dispatch {
    // SAFETY: every object begins with a pointer to the table, which is static.
    unsafe { *object.cast::<&'static cl_icd_dispatch>() }
}

/// The platform's dispatch table.
pub fn table() -> &'static cl_icd_dispatch {
    table_of(platform())
}

/// Calls a function, and returns its result.
macro_rules! call {
    ($name:ident $(, $argument:expr)* $(,)?) => {
        // SAFETY: the tests pass valid arguments, or invalid ones that must be refused.
        unsafe { ($crate::driver::table().$name.expect("an entry"))($($argument),*) }
    };
}
pub(crate) use call;

/// Calls a function that must succeed.
macro_rules! ok {
    ($name:ident $(, $argument:expr)* $(,)?) => {
        assert_eq!($crate::call!($name $(, $argument)*), opencl_sys::CL_SUCCESS, stringify!($name))
    };
}
pub(crate) use ok;

/// Calls a function that must fail with an error code.
macro_rules! refused {
    ($code:expr, $name:ident $(, $argument:expr)* $(,)?) => {
        assert_eq!($crate::call!($name $(, $argument)*), $code, stringify!($name))
    };
}
pub(crate) use refused;

/// Calls a function that must return an object.
macro_rules! create {
    ($name:ident $(, $argument:expr)* $(,)?) => {{
        let mut code = 1;
        let object = $crate::call!($name $(, $argument)*, &mut code);
        assert_eq!(code, opencl_sys::CL_SUCCESS, stringify!($name));
        assert!(!object.is_null());
        object
    }};
}
pub(crate) use create;

/// Calls a function that must return a null object and an error code.
macro_rules! no_object {
    ($code:expr, $name:ident $(, $argument:expr)* $(,)?) => {{
        let mut code = 1;
        let object = $crate::call!($name $(, $argument)*, &mut code);
        assert_eq!((object.is_null(), code), (true, $code), stringify!($name));
    }};
}
pub(crate) use no_object;

/// Queries a value of a fixed size with one of the `clGet...Info` functions.
macro_rules! info {
    ($type:ty, $name:ident, $object:expr, $question:expr) => {{
        let mut value = <$type>::default();
        let mut size = 0;
        let at: *mut $type = &mut value;
        let bytes = size_of::<$type>();
        $crate::ok!($name, $object, $question, bytes, at.cast(), &mut size);
        assert_eq!(size, bytes);
        value
    }};
}
pub(crate) use info;

/// Queries a text.
pub fn text(ask: impl Fn(usize, *mut c_void, *mut usize) -> cl_int) -> String {
    let mut size = 0;
    assert_eq!(ask(0, null_mut(), &mut size), CL_SUCCESS);
    let mut bytes = vec![0u8; size];
    assert_eq!(ask(size, bytes.as_mut_ptr().cast(), null_mut()), CL_SUCCESS);
    assert_eq!(bytes.pop(), Some(0), "a final zero");
    String::from_utf8(bytes).expect("text")
}

/// The first device of the platform.
pub fn device() -> Handle {
    let mut device = null_mut();
    ok!(
        clGetDeviceIDs,
        platform(),
        CL_DEVICE_TYPE_ALL,
        1,
        &mut device,
        null_mut()
    );
    device
}

/// A context with a queue. Both are released at the end.
pub struct Session {
    pub context: Handle,
    /// A queue with profiling.
    pub queue: Handle,
}

impl Session {
    /// Creates a context with a queue.
    pub fn new() -> Self {
        let device = device();
        let context = create!(clCreateContext, null(), 1, &device, None, null_mut());
        let queue = create!(clCreateCommandQueue, context, device, CL_QUEUE_PROFILING_ENABLE);
        Session { context, queue }
    }

    /// Creates a buffer with contents.
    pub fn buffer<T: Copy>(&self, contents: &[T]) -> Handle {
        let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
        let bytes = size_of_val(contents);
        create!(
            clCreateBuffer,
            self.context,
            flags,
            bytes,
            contents.as_ptr().cast_mut().cast()
        )
    }

    /// Reads the contents of a buffer after all enqueued commands.
    pub fn read<T: Copy + Default>(&self, buffer: Handle, count: usize) -> Vec<T> {
        let mut values = vec![T::default(); count];
        let at = values.as_mut_ptr().cast();
        let bytes = size_of_val(&values[..]);
        ok!(
            clEnqueueReadBuffer,
            self.queue,
            buffer,
            CL_TRUE,
            0,
            bytes,
            at,
            0,
            null(),
            null_mut()
        );
        values
    }

    /// Builds the program of `kernels.cl`.
    pub fn program(&self) -> Handle {
        let program = self.program_of(PTX);
        ok!(clBuildProgram, program, 0, null(), null(), None, null_mut());
        program
    }

    /// Creates a program from PTX, without building it.
    pub fn program_of(&self, ptx: &str) -> Handle {
        self.program_for(device(), ptx)
    }

    /// Creates a program from PTX for a device of the context, without building it.
    pub fn program_for(&self, device: Handle, ptx: &str) -> Handle {
        let binary = Binary {
            name: "program.cl".into(),
            contract: true,
            capability: 13,
            promoted: false,
            ptx: ptx.into(),
            code: None,
        };
        self.loaded(device, &binary.bytes())
    }

    /// Creates a program for a device of the context from a binary, without building it.
    pub fn loaded(&self, device: Handle, bytes: &[u8]) -> Handle {
        let (length, mut at, mut status) = (bytes.len(), bytes.as_ptr(), 1);
        let program = create!(
            clCreateProgramWithBinary,
            self.context,
            1,
            &device,
            &length,
            &mut at,
            &mut status
        );
        assert_eq!(status, CL_SUCCESS);
        program
    }

    /// Creates a kernel of `kernels.cl`, and sets its first arguments.
    pub fn kernel(&self, name: &str, buffers: &[Handle]) -> Handle {
        let program = self.program();
        let name = CString::new(name).expect("a name");
        let kernel = create!(clCreateKernel, program, name.as_ptr());
        ok!(clReleaseProgram, program);
        for (index, buffer) in buffers.iter().enumerate() {
            argument(kernel, index, buffer);
        }
        kernel
    }

    /// Runs a kernel in one dimension.
    pub fn run(&self, kernel: Handle, items: usize) -> cl_int {
        call!(
            clEnqueueNDRangeKernel,
            self.queue,
            kernel,
            1,
            null(),
            &items,
            null(),
            0,
            null(),
            null_mut()
        )
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            ok!(clReleaseCommandQueue, self.queue);
            ok!(clReleaseContext, self.context);
        }
    }
}

/// Sets an argument to a value, which may be a handle.
pub fn argument<T>(kernel: Handle, index: usize, value: &T) {
    let at: *const T = value;
    ok!(clSetKernelArg, kernel, index as u32, size_of::<T>(), at.cast());
}
