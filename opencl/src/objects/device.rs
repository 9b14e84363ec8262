//! The platform and its devices.

use crate::build::compiler;
use crate::engine::device::Engine;
use crate::error::{ensure, say, Code, Result};
use crate::info::Reply;
use crate::native::pointer::Pointer;
use crate::registry::{self, Handle, Object};
use flexgrip_compiler::printf::buffer::{chosen_bytes, DEFAULT_BYTES};
use flexgrip_compiler::{clang, launch, placement, Capability};
use opencl_sys::*;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The clock of the devices in MHz, which the machine reaches on an FPGA after place and route (`docs/fpga.md`). It
/// converts simulated cycles to the nanoseconds of profiling events.
pub const CLOCK_MHZ: u64 = 40;
/// Global memory in bytes, for all buffers together.
pub const GLOBAL_BYTES: u64 = 512 << 20;
/// Limit for the size of a buffer in bytes: the minimum that OpenCL 1.0 permits.
pub const BUFFER_BYTES: u64 = 128 << 20;
/// Limit for the width and height of 2D images, and for the width of 1D images, in texels.
pub const IMAGE_SIZE_2D: usize = 8192;
/// Limit for the width, height and depth of 3D images, in texels.
pub const IMAGE_SIZE_3D: usize = 2048;
/// Limit for the number of layers of an image array.
pub const IMAGE_ARRAY_SIZE: usize = 2048;
/// Limit for the number of texels of an image in a buffer.
pub const IMAGE_BUFFER_TEXELS: usize = 65_536;
/// Limits for the numbers of images that a kernel reads and writes: the minimum of the full profile.
const IMAGE_ARGUMENTS: (u32, u32) = (128, 8);
/// Limit for the number of work-items of a work-group.
pub const WORK_GROUP: usize = launch::WORK_GROUP as usize;
/// Limits for the size of a work-group in each dimension.
pub const WORK_ITEMS: [usize; 3] = [
    launch::WORK_ITEMS[0] as usize,
    launch::WORK_ITEMS[1] as usize,
    launch::WORK_ITEMS[2] as usize,
];
/// Shared memory of an SM in bytes. A kernel can use all of it as `__local` memory.
const LOCAL_BYTES: u64 = flexgrip_machine::sizes::SHARED_BYTES_PER_SM as u64;
/// Limit for the size of a kernel's arguments in bytes. The compiler's limit, which also covers the words that a launch
/// adds, is 256 bytes larger.
const PARAMETER_BYTES: usize = flexgrip_machine::sizes::CONSTANT_BANK_BYTES as usize;
/// Alignment of buffers in the device's memory, and of sub-buffers, in bytes.
pub const ALIGNMENT: usize = placement::ALIGNMENT as usize;
/// The PCI vendor number of NVIDIA, which the G80 also has. There is no PCI bus.
const VENDOR_ID: u32 = 0x10de;

/// The version contains a hash of the compiler, because programs cache binaries by this version.
const DRIVER_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("FLEXGRIP_COMPILER"));
/// The properties of doubles, on devices that have them.
const DOUBLE_CONFIG: u64 =
    CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;
const NAME: &str = "FlexGrip";
const VENDOR: &str = "flexgrip-rs";
const PROFILE: &str = "FULL_PROFILE";

/// A device: an engine and its clock.
#[derive(Debug)]
pub struct Device {
    handle: Handle,
    engine: Engine,
    /// The time on the device's clock: nanoseconds since the start.
    clock: Mutex<u64>,
}

impl Object for Device {
    const INVALID: cl_int = CL_INVALID_DEVICE;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Device {
    /// The engine that executes its kernels.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// True if the device has doubles.
    fn has_doubles(&self) -> bool {
        clang::extensions(self.engine.capability).any(|name| name == "cl_khr_fp64")
    }

    /// The time on its clock in nanoseconds.
    pub fn now(&self) -> u64 {
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Advances the clock. Returns the times before and after in nanoseconds.
    pub fn pass(&self, cycles: u64) -> (u64, u64) {
        let mut clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        let start = *clock;
        *clock = start.saturating_add(cycles.saturating_mul(1000) / CLOCK_MHZ);
        (start, *clock)
    }
}

/// The only platform.
#[derive(Debug)]
pub struct Platform {
    handle: Handle,
    devices: Vec<Arc<Device>>,
}

impl Object for Platform {
    const INVALID: cl_int = CL_INVALID_PLATFORM;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

/// Returns the platform. Its devices are the engines in `FLEXGRIP_DEVICE` at the first call.
pub fn platform() -> &'static Arc<Platform> {
    static PLATFORM: OnceLock<Arc<Platform>> = OnceLock::new();
    PLATFORM.get_or_init(|| {
        let device = |engine| {
            registry::publish(|handle| Device {
                handle,
                engine,
                clock: Mutex::new(0),
            })
        };
        let devices = engines().into_iter().map(device).collect();
        registry::publish(|handle| Platform { handle, devices })
    })
}

/// Reads the engines from `FLEXGRIP_DEVICE`, such as `rtl:16` or `model,rtl:32`. If one of them does not exist, the
/// list is empty: a user who selects the circuits must not get the model.
fn engines() -> Vec<Engine> {
    let Ok(text) = std::env::var("FLEXGRIP_DEVICE") else {
        return Engine::all();
    };
    let chosen: std::result::Result<Vec<Engine>, _> = text.split(',').map(str::parse).collect();
    chosen.unwrap_or_else(|error| {
        say(&format!("FLEXGRIP_DEVICE is `{text}`: {error}"));
        Vec::new()
    })
}

/// The devices of a type.
///
/// # Errors
/// `CL_INVALID_DEVICE_TYPE` for an invalid type, `CL_DEVICE_NOT_FOUND` if there is no such device.
pub fn of_type(kind: cl_device_type) -> Result<Vec<Arc<Device>>> {
    let known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR;
    let known = known | CL_DEVICE_TYPE_CUSTOM;
    ensure(
        kind == CL_DEVICE_TYPE_ALL || (kind != 0 && kind & !known == 0),
        CL_INVALID_DEVICE_TYPE,
    )?;
    let devices = &platform().devices;
    let found = match kind {
        CL_DEVICE_TYPE_DEFAULT => devices.iter().take(1).cloned().collect(),
        _ if kind & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT) != 0 => devices.clone(),
        _ => Vec::new(),
    };
    ensure(!found.is_empty(), CL_DEVICE_NOT_FOUND)?;
    Ok(found)
}

/// The devices' handles as numbers, for replies to queries.
pub fn addresses(devices: &[Arc<Device>]) -> Vec<usize> {
    devices.iter().map(|device| device.handle.raw() as usize).collect()
}

/// `clGetPlatformIDs` and `clIcdGetPlatformIDsKHR`.
///
/// # Errors
/// `CL_INVALID_VALUE` if both pointers are null, or if there is a list with 0 entries.
pub fn platforms(entries: cl_uint, ids: Pointer<cl_platform_id>, count: Pointer<cl_uint>) -> Result<()> {
    ensure(
        (entries > 0 || ids.is_null()) && !(ids.is_null() && count.is_null()),
        CL_INVALID_VALUE,
    )?;
    ids.write(platform().handle.raw());
    count.write(1);
    Ok(())
}

/// `clGetDeviceIDs`.
///
/// # Errors
/// The errors of [`of_type`], and the `CL_INVALID_VALUE` of [`platforms`].
pub fn devices(
    id: Pointer<c_void>,
    kind: cl_device_type,
    entries: cl_uint,
    ids: Pointer<cl_device_id>,
    count: Pointer<cl_uint>,
) -> Result<()> {
    registry::find::<Platform>(id)?;
    ensure(
        (entries > 0 || ids.is_null()) && !(ids.is_null() && count.is_null()),
        CL_INVALID_VALUE,
    )?;
    let found = of_type(kind)?;
    let handles: Vec<_> = found.iter().map(|device| device.handle.raw()).collect();
    ids.write_all(&handles[..handles.len().min(entries as usize)]);
    count.write(handles.len() as u32);
    Ok(())
}

/// The version of a platform or device, in the form that OpenCL specifies.
fn version(capability: Capability) -> String {
    format!(
        "OpenCL {} flexgrip-rs {}",
        clang::version(capability),
        env!("CARGO_PKG_VERSION")
    )
}

/// `clGetPlatformInfo`.
///
/// # Errors
/// `CL_INVALID_VALUE` for an unknown query or too little space.
pub fn platform_info(id: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    registry::find::<Platform>(id)?;
    match name {
        CL_PLATFORM_PROFILE => reply.text(PROFILE),
        CL_PLATFORM_VERSION => {
            let capabilities = platform().devices.iter().map(|device| device.engine.capability);
            reply.text(version(capabilities.max().unwrap_or_default()))
        }
        CL_PLATFORM_NAME => reply.text(NAME),
        CL_PLATFORM_VENDOR => reply.text(VENDOR),
        CL_PLATFORM_EXTENSIONS => reply.text("cl_khr_icd"),
        CL_PLATFORM_ICD_SUFFIX_KHR => reply.text("FLEXGRIP"),
        _ => Err(Code(CL_INVALID_VALUE)),
    }
}

/// `clGetDeviceInfo`. Queries of later versions are answered if the answer is only "none", because programs send them.
///
/// # Errors
/// `CL_INVALID_VALUE` for an unknown query or too little space.
pub fn info(id: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    let device = registry::find::<Device>(id)?;
    match name {
        CL_DEVICE_TYPE => reply.long(match Arc::ptr_eq(&device, &platform().devices[0]) {
            true => CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT,
            false => CL_DEVICE_TYPE_GPU,
        }),
        CL_DEVICE_VENDOR_ID => reply.word(VENDOR_ID),
        CL_DEVICE_MAX_COMPUTE_UNITS => reply.word(device.engine.machine(64).sms),
        CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS => reply.word(3),
        CL_DEVICE_MAX_WORK_GROUP_SIZE => reply.size(WORK_GROUP),
        CL_DEVICE_MAX_WORK_ITEM_SIZES => reply.sizes(&WORK_ITEMS),
        // Registers are 32-bit scalars. Vectors are faster only in memory accesses.
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_INT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT => reply.word(1),
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE | CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE => {
            reply.word(u32::from(device.has_doubles()))
        }
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF | CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF => reply.word(0),
        CL_DEVICE_MAX_CLOCK_FREQUENCY => reply.word(CLOCK_MHZ as u32),
        CL_DEVICE_ADDRESS_BITS => reply.word(32),
        CL_DEVICE_MAX_MEM_ALLOC_SIZE => reply.long(BUFFER_BYTES),
        CL_DEVICE_IMAGE_SUPPORT => reply.word(CL_TRUE),
        CL_DEVICE_MAX_READ_IMAGE_ARGS => reply.word(IMAGE_ARGUMENTS.0),
        CL_DEVICE_MAX_WRITE_IMAGE_ARGS => reply.word(IMAGE_ARGUMENTS.1),
        CL_DEVICE_MAX_SAMPLERS => reply.word(16),
        CL_DEVICE_IMAGE2D_MAX_WIDTH | CL_DEVICE_IMAGE2D_MAX_HEIGHT => reply.size(IMAGE_SIZE_2D),
        CL_DEVICE_IMAGE3D_MAX_WIDTH | CL_DEVICE_IMAGE3D_MAX_HEIGHT | CL_DEVICE_IMAGE3D_MAX_DEPTH => {
            reply.size(IMAGE_SIZE_3D)
        }
        CL_DEVICE_IMAGE_MAX_BUFFER_SIZE => reply.size(IMAGE_BUFFER_TEXELS),
        CL_DEVICE_IMAGE_MAX_ARRAY_SIZE => reply.size(IMAGE_ARRAY_SIZE),
        CL_DEVICE_MAX_PARAMETER_SIZE => reply.size(PARAMETER_BYTES),
        CL_DEVICE_MEM_BASE_ADDR_ALIGN => reply.word(8 * ALIGNMENT as u32),
        CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE => reply.word(128),
        CL_DEVICE_SINGLE_FP_CONFIG => reply.long(CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN),
        CL_DEVICE_DOUBLE_FP_CONFIG => reply.long(match device.has_doubles() {
            true => DOUBLE_CONFIG,
            false => 0,
        }),
        CL_DEVICE_HALF_FP_CONFIG => reply.long(0),
        CL_DEVICE_GLOBAL_MEM_CACHE_TYPE => reply.word(CL_NONE),
        CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE => reply.word(0),
        CL_DEVICE_GLOBAL_MEM_CACHE_SIZE => reply.long(0),
        CL_DEVICE_GLOBAL_MEM_SIZE => reply.long(GLOBAL_BYTES),
        // `__constant` memory is a part of global memory.
        CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE => reply.long(64 << 10),
        CL_DEVICE_MAX_CONSTANT_ARGS => reply.word(8),
        CL_DEVICE_LOCAL_MEM_TYPE => reply.word(CL_LOCAL),
        CL_DEVICE_LOCAL_MEM_SIZE => reply.long(LOCAL_BYTES),
        CL_DEVICE_ERROR_CORRECTION_SUPPORT => reply.word(CL_FALSE),
        CL_DEVICE_HOST_UNIFIED_MEMORY => reply.word(CL_FALSE),
        CL_DEVICE_PROFILING_TIMER_RESOLUTION => reply.size((1000 / CLOCK_MHZ) as usize),
        CL_DEVICE_ENDIAN_LITTLE | CL_DEVICE_AVAILABLE => reply.word(CL_TRUE),
        CL_DEVICE_COMPILER_AVAILABLE => reply.word(u32::from(compiler::available())),
        CL_DEVICE_LINKER_AVAILABLE => reply.word(CL_FALSE),
        CL_DEVICE_EXECUTION_CAPABILITIES => reply.long(CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL),
        CL_DEVICE_QUEUE_PROPERTIES => reply.long(CL_QUEUE_PROFILING_ENABLE),
        CL_DEVICE_NAME => reply.text(format!("SM {}, {}", device.engine.capability, device.engine)),
        CL_DEVICE_VENDOR => reply.text(VENDOR),
        CL_DRIVER_VERSION => reply.text(DRIVER_VERSION),
        CL_DEVICE_PROFILE => reply.text(PROFILE),
        CL_DEVICE_VERSION => reply.text(version(device.engine.capability)),
        CL_DEVICE_OPENCL_C_VERSION => {
            reply.text(format!("OpenCL C {} clang", clang::version(device.engine.capability)))
        }
        CL_DEVICE_EXTENSIONS => {
            let names: Vec<&str> = clang::extensions(device.engine.capability).collect();
            reply.text(names.join(" "))
        }
        CL_DEVICE_BUILT_IN_KERNELS => reply.text(""),
        CL_DEVICE_PLATFORM => reply.handle(platform().handle.raw()),
        CL_DEVICE_REFERENCE_COUNT => reply.word(1),
        CL_DEVICE_PARENT_DEVICE => reply.handle(std::ptr::null_mut()),
        CL_DEVICE_PARTITION_MAX_SUB_DEVICES => reply.word(0),
        CL_DEVICE_PARTITION_PROPERTIES | CL_DEVICE_PARTITION_TYPE => reply.sizes(&[0]),
        CL_DEVICE_PARTITION_AFFINITY_DOMAIN => reply.long(0),
        // An invalid size is refused by the launch, which can report a message.
        CL_DEVICE_PRINTF_BUFFER_SIZE => reply.size(chosen_bytes().unwrap_or(DEFAULT_BYTES) as usize),
        CL_DEVICE_PREFERRED_INTEROP_USER_SYNC => reply.word(CL_TRUE),
        _ => Err(Code(CL_INVALID_VALUE)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_become_time() {
        let device = of_type(CL_DEVICE_TYPE_DEFAULT).expect("a device").remove(0);
        let (start, end) = device.pass(1_000 * CLOCK_MHZ);
        assert_eq!(end - start, 1_000_000);
        assert!(device.now() >= end);
    }

    #[test]
    fn types_select_devices() {
        assert!(of_type(CL_DEVICE_TYPE_ALL).is_ok() && of_type(CL_DEVICE_TYPE_GPU).is_ok());
        let none = [CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_ACCELERATOR];
        for kind in none {
            assert_eq!(of_type(kind).map(drop), Err(Code(CL_DEVICE_NOT_FOUND)));
        }
        assert_eq!(of_type(0).map(drop), Err(Code(CL_INVALID_DEVICE_TYPE)));
        assert_eq!(of_type(1 << 20).map(drop), Err(Code(CL_INVALID_DEVICE_TYPE)));
    }
}
