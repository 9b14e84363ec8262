//! Random calls with valid, stale and wrong handles and sizes: every call must return, and none may end the process.
//!
//! They run for FLEXGRIP_API_FUZZ_SECONDS (default 1; `make test` sets 8, `make soak` 300), with the seed
//! FLEXGRIP_FUZZ_SEED (default 1). Only the application's memory is always valid, and its sizes are correct, because
//! OpenCL cannot check them. Two threads share the handles, so one may release objects that the other uses.

use crate::driver::{device, platform, run_again, Handle, Session, PTX};
use crate::{call, create, ok};
use flexgrip_opencl::build::binary::Binary;
use opencl_sys::*;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::time::{Duration, Instant};

/// Size of the application's memory in bytes. A size for it is at most this, or is refused before the memory is
/// accessed.
const ROOM: usize = 4096;
/// The maximum time of a call.
const HANG: Duration = Duration::from_secs(20);
/// The minimum number of calls, even on a slow computer.
const LEAST: u64 = 1000;
/// Names of the kernels that end.
const NAMES: [&std::ffi::CStr; 6] = [c"add", c"space", c"values", c"weigh", c"outside", c"fixed"];

fn variable(name: &str) -> u64 {
    match std::env::var(name) {
        Err(_) => 1,
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text}: not a number")),
    }
}

/// Handles that were returned, by kind, including released ones. The threads share them.
type Known = Mutex<[Vec<usize>; 7]>;

const CONTEXT: usize = 0;
const QUEUE: usize = 1;
const BUFFER: usize = 2;
const PROGRAM: usize = 3;
const KERNEL: usize = 4;
const EVENT: usize = 5;
const SAMPLER: usize = 6;
/// The number of kinds of objects.
const KINDS: usize = 7;

/// State of a thread.
struct Caller<'a> {
    rng: ChaCha8Rng,
    known: &'a Known,
    /// Never freed: when this thread ends, its last commands may still wait in their queues, even in queues that nobody
    /// has a handle of. They would write into freed memory, and so into memory of other tests.
    room: &'static mut [u8],
    binary: Vec<u8>,
}

impl<'a> Caller<'a> {
    fn new(seed: u64, known: &'a Known) -> Self {
        let binary = Binary {
            name: "program.cl".into(),
            contract: true,
            capability: 10,
            promoted: false,
            ptx: PTX.into(),
            code: None,
        };
        Caller {
            rng: ChaCha8Rng::seed_from_u64(seed),
            known,
            room: Box::leak(vec![0; ROOM].into_boxed_slice()),
            binary: binary.bytes(),
        }
    }

    /// Usually returns a handle of this kind, sometimes a handle of another kind, null or a random number.
    fn handle(&mut self, kind: usize) -> Handle {
        let kind = match self.rng.gen_range(0..30) {
            0 => return null_mut(),
            1 => return (self.rng.gen::<u32>() as usize) as Handle,
            2 => return device(),
            3 => self.rng.gen_range(0..KINDS),
            _ => kind,
        };
        let known = self.known.lock().expect("handles");
        known[kind].choose(&mut self.rng).copied().unwrap_or(0) as Handle
    }

    fn keep(&mut self, kind: usize, handle: Handle) {
        if handle.is_null() {
            return;
        }
        let mut known = self.known.lock().expect("handles");
        known[kind].push(handle as usize);
        // Old handles except the first are forgotten, or most would be stale. They are also released, because a minute
        // of calls creates ten thousand queues.
        if known[kind].len() > 9 {
            let at = self.rng.gen_range(1..8);
            let old = known[kind].swap_remove(at);
            drop(known);
            self.release(kind, old as Handle);
        }
    }

    /// A size: small, at a limit, or very large.
    fn size(&mut self) -> usize {
        match self.rng.gen_range(0..12) {
            0 => 0,
            1 => usize::MAX,
            2 => usize::MAX / 2 + 1,
            3 => 1 << 32,
            4 => (128 << 20) + 1,
            5 => 256,
            _ => self.rng.gen_range(1..128),
        }
    }

    /// A size that fits in the memory.
    fn room(&mut self) -> usize {
        self.size().min(ROOM / 2)
    }

    fn memory(&mut self) -> *mut c_void {
        match self.rng.gen_range(0..10) {
            0 => null_mut(),
            _ => self.room.as_mut_ptr().cast(),
        }
    }

    fn flags(&mut self) -> u64 {
        match self.rng.gen_range(0..4) {
            0 => self.rng.gen(),
            _ => 1 << self.rng.gen_range(0..7),
        }
    }

    /// A wait list of at most two events.
    fn list(&mut self) -> (u32, Vec<Handle>) {
        let count = [0, 0, 0, 1, 2][self.rng.gen_range(0..5)];
        (count, (0..count).map(|_| self.handle(EVENT)).collect())
    }

    fn sizes(&mut self) -> [usize; 3] {
        [0; 3].map(|_: usize| self.rng.gen_range(0..20) * if self.rng.gen_bool(0.02) { 1 << 40 } else { 1 })
    }

    /// Makes a random call, and returns its error code.
    fn call(&mut self) -> cl_int {
        let mut code = 0;
        let mut event: Handle = null_mut();
        let (count, list) = self.list();
        let wait = if list.is_empty() { null() } else { list.as_ptr() };
        let blocking = self.rng.gen_range(0..2);
        let kind = self.rng.gen_range(0..54);
        // The kinds of handles that each call requires.
        let [a, b, c] = match kind {
            4 => [BUFFER; 3],
            6..=11 => [PROGRAM; 3],
            12..=17 => [KERNEL, BUFFER, BUFFER],
            18..=22 => [QUEUE, KERNEL, BUFFER],
            23..=37 => [QUEUE, BUFFER, BUFFER],
            44..=46 => [CONTEXT; 3],
            47.. => [QUEUE, BUFFER, BUFFER],
            39.. => [0; 3].map(|_| self.rng.gen_range(0..KINDS)),
            _ => [CONTEXT; 3],
        };
        let object = a;
        let (a, b, c) = (self.handle(a), self.handle(b), self.handle(c));
        match kind {
            0 => {
                let made = call!(clCreateContext, null(), 1, &a, None, null_mut(), &mut code);
                self.keep(CONTEXT, made);
            }
            1 => {
                let made = call!(clCreateCommandQueue, a, device(), self.flags() & 3, &mut code);
                self.keep(QUEUE, made);
            }
            2 | 3 => {
                // With host memory, the size must be correct.
                let (flags, memory) = (self.flags(), self.memory());
                let size = if memory.is_null() { self.size() } else { self.room() };
                let size = if size > ROOM && size <= 128 << 20 { 64 } else { size };
                let made = call!(clCreateBuffer, a, flags & !CL_MEM_USE_HOST_PTR, size, memory, &mut code);
                self.keep(BUFFER, made);
            }
            4 => {
                let region = cl_buffer_region {
                    origin: self.size(),
                    size: self.size(),
                };
                let at: *const cl_buffer_region = &region;
                let made = call!(
                    clCreateSubBuffer,
                    a,
                    self.flags(),
                    CL_BUFFER_CREATE_TYPE_REGION,
                    at.cast(),
                    &mut code
                );
                self.keep(BUFFER, made);
            }
            5 => {
                let (length, mut at) = (self.binary.len(), self.binary.as_ptr());
                let device = device();
                let made = call!(
                    clCreateProgramWithBinary,
                    a,
                    1,
                    &device,
                    &length,
                    &mut at,
                    null_mut(),
                    &mut code
                );
                self.keep(PROGRAM, made);
            }
            6 => code = call!(clBuildProgram, a, 0, null(), null(), None, null_mut()),
            7..=10 => {
                let name = NAMES.choose(&mut self.rng).expect("a name");
                let made = call!(clCreateKernel, a, name.as_ptr(), &mut code);
                self.keep(KERNEL, made);
            }
            11 => {
                let mut kernels = [null_mut(); 16];
                let space = self.rng.gen_range(0..17);
                code = call!(clCreateKernelsInProgram, a, space, kernels.as_mut_ptr(), null_mut());
                for kernel in kernels {
                    self.keep(KERNEL, kernel);
                }
            }
            12..=17 => {
                let at: *const Handle = &b;
                let index = self.rng.gen_range(0..7);
                code = match self.rng.gen_range(0..4) {
                    0 => call!(clSetKernelArg, a, index, self.room(), self.memory()),
                    1 => call!(clSetKernelArg, a, index, self.size().min(1 << 20), null()),
                    _ => call!(clSetKernelArg, a, index, size_of::<Handle>(), at.cast()),
                };
            }
            18..=21 => {
                let (offset, global, local) = (self.sizes(), self.sizes(), self.sizes());
                let local = if blocking == 0 { null() } else { local.as_ptr() };
                let (dimensions, offset, global) = (self.rng.gen_range(0..4), offset.as_ptr(), global.as_ptr());
                code = call!(
                    clEnqueueNDRangeKernel,
                    a,
                    b,
                    dimensions,
                    offset,
                    global,
                    local,
                    count,
                    wait,
                    &mut event
                );
            }
            22 => code = call!(clEnqueueTask, a, b, count, wait, &mut event),
            23 | 24 => {
                let (offset, size, at) = (self.size(), self.room(), self.memory());
                code = call!(
                    clEnqueueReadBuffer,
                    a,
                    b,
                    blocking,
                    offset,
                    size,
                    at,
                    count,
                    wait,
                    &mut event
                );
            }
            25 | 26 => {
                let (offset, size, at) = (self.size(), self.room(), self.memory());
                code = call!(
                    clEnqueueWriteBuffer,
                    a,
                    b,
                    blocking,
                    offset,
                    size,
                    at,
                    count,
                    wait,
                    &mut event
                );
            }
            27 => {
                let (from, to, size) = (self.size(), self.size(), self.size());
                code = call!(clEnqueueCopyBuffer, a, b, c, from, to, size, count, wait, &mut event);
            }
            28 => {
                let (length, offset, size) = (self.room().min(256), self.size(), self.size());
                let at = self.memory();
                code = call!(
                    clEnqueueFillBuffer,
                    a,
                    b,
                    at,
                    length,
                    offset,
                    size,
                    count,
                    wait,
                    &mut event
                );
            }
            29 => {
                let (flags, offset, size) = (self.flags(), self.size(), self.size());
                let at = call!(
                    clEnqueueMapBuffer,
                    a,
                    b,
                    blocking,
                    flags,
                    offset,
                    size,
                    count,
                    wait,
                    &mut event,
                    &mut code
                );
                if !at.is_null() && blocking == 1 {
                    code = call!(clEnqueueUnmapMemObject, a, b, at, 0, null(), null_mut());
                }
            }
            30 => code = call!(clEnqueueUnmapMemObject, a, b, self.memory(), count, wait, &mut event),
            31 => {
                let (one, two, region) = (self.sizes(), self.sizes(), self.sizes());
                let (one, two, region) = (one.as_ptr(), two.as_ptr(), region.as_ptr());
                let (row, slice) = (self.size(), self.size());
                code = call!(
                    clEnqueueCopyBufferRect,
                    a,
                    b,
                    c,
                    one,
                    two,
                    region,
                    row,
                    slice,
                    0,
                    0,
                    count,
                    wait,
                    &mut event
                );
            }
            32 => code = call!(clEnqueueMarker, a, &mut event),
            33 => code = call!(clEnqueueBarrierWithWaitList, a, count, wait, &mut event),
            34 => code = call!(clEnqueueWaitForEvents, a, count, wait),
            35 => code = call!(clFlush, a),
            36 => code = call!(clFinish, a),
            37 => code = call!(clWaitForEvents, count, wait),
            38 => {
                // The event ends immediately. Otherwise a queue could correctly wait for it forever.
                let made = call!(clCreateUserEvent, a, &mut code);
                if !made.is_null() {
                    code = call!(clSetUserEventStatus, made, -self.rng.gen_range(0..3));
                }
                self.keep(EVENT, made);
            }
            39 | 40 => code = self.question(object, a),
            41 => code = self.retain(object, a),
            44.. => code = self.image_call(kind, [a, b, c], &mut event),
            _ => {
                code = self.release(object, a);
                // Some calls must use released objects, but not most: in a long run, the lists would contain
                // nothing else.
                if self.rng.gen_bool(0.75) {
                    let mut known = self.known.lock().expect("handles");
                    let first = known[object].first().copied();
                    known[object].retain(|handle| *handle != a as usize || Some(*handle) == first);
                }
            }
        }
        self.keep(EVENT, event);
        code
    }

    /// Makes a random call for images and samplers. All sizes of the application's memory are correct.
    fn image_call(&mut self, kind: u32, [a, b, c]: [Handle; 3], event: &mut Handle) -> cl_int {
        let mut code = 0;
        let texels = |rng: &mut ChaCha8Rng| [0; 3].map(|_: usize| rng.gen_range(0..9));
        let (from, to) = (self.sizes(), self.sizes());
        // A region of at most 8 x 8 x 8 texels of four bytes fits into the memory.
        let region = texels(&mut self.rng);
        let (from, to, region) = (from.as_ptr(), to.as_ptr(), region.as_ptr());
        let none = null();
        match kind {
            44 | 45 => {
                let orders = [CL_RGBA, CL_R, CL_BGRA, CL_RGB, 0];
                let kinds = [CL_UNORM_INT8, CL_SIGNED_INT8];
                let format = cl_image_format {
                    image_channel_order: *orders.choose(&mut self.rng).expect("an order"),
                    image_channel_data_type: *kinds.choose(&mut self.rng).expect("a type"),
                };
                let [width, height, depth] = texels(&mut self.rng);
                let desc = cl_image_desc {
                    image_type: CL_MEM_OBJECT_BUFFER + self.rng.gen_range(0..7),
                    image_width: if self.rng.gen_bool(0.05) { self.size() } else { width },
                    image_height: height,
                    image_depth: depth,
                    image_array_size: depth,
                    image_row_pitch: if self.rng.gen_bool(0.05) { self.size() } else { 0 },
                    image_slice_pitch: 0,
                    num_mip_levels: 0,
                    num_samples: 0,
                    buffer: if self.rng.gen_bool(0.2) {
                        self.handle(BUFFER)
                    } else {
                        null_mut()
                    },
                };
                let flags = self.flags() & !(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
                let made = call!(clCreateImage, a, flags, &format, &desc, null_mut(), &mut code);
                self.keep(BUFFER, made);
            }
            46 => {
                let [normalised, addressing, filter] = [0; 3].map(|_| self.rng.gen_range(0..6));
                let (addressing, filter) = (CL_ADDRESS_NONE + addressing, CL_FILTER_NEAREST + filter);
                let made = call!(clCreateSampler, a, normalised, addressing, filter, &mut code);
                self.keep(SAMPLER, made);
            }
            47 => {
                let at = self.memory();
                code = call!(
                    clEnqueueReadImage,
                    a,
                    b,
                    CL_FALSE,
                    from,
                    region,
                    0,
                    0,
                    at,
                    0,
                    none,
                    event
                );
            }
            48 => {
                let at = self.memory();
                code = call!(
                    clEnqueueWriteImage,
                    a,
                    b,
                    CL_FALSE,
                    from,
                    region,
                    0,
                    0,
                    at,
                    0,
                    none,
                    event
                );
            }
            49 => code = call!(clEnqueueCopyImage, a, b, c, from, to, region, 0, none, event),
            50 => {
                code = call!(
                    clEnqueueCopyImageToBuffer,
                    a,
                    b,
                    c,
                    from,
                    region,
                    self.size(),
                    0,
                    none,
                    event
                )
            }
            51 => {
                code = call!(
                    clEnqueueCopyBufferToImage,
                    a,
                    b,
                    c,
                    self.size(),
                    from,
                    region,
                    0,
                    none,
                    event
                )
            }
            52 => code = call!(clEnqueueFillImage, a, b, self.memory(), from, region, 0, none, event),
            _ => {
                let (mut row, mut slice, flags) = (0, 0, self.flags());
                let (row, slice) = (&mut row, &mut slice);
                let at = call!(
                    clEnqueueMapImage,
                    a,
                    b,
                    CL_TRUE,
                    flags,
                    from,
                    region,
                    row,
                    slice,
                    0,
                    none,
                    event,
                    &mut code
                );
                if !at.is_null() {
                    code = call!(clEnqueueUnmapMemObject, a, b, at, 0, none, null_mut());
                }
            }
        }
        code
    }

    /// Queries a random property of an object.
    fn question(&mut self, kind: usize, object: Handle) -> cl_int {
        let base = *[
            0x900, 0x1000, 0x1080, 0x1090, 0x1100, 0x1110, 0x1150, 0x1160, 0x1180, 0x1190, 0x11b0, 0x11d0, 0x1280,
        ]
        .choose(&mut self.rng)
        .expect("a base");
        let name = base + self.rng.gen_range(0..0x40);
        let size = self.room();
        // This excludes binaries: the value would be a list of pointers, and random ones would be written to.
        let value = if name == CL_PROGRAM_BINARIES {
            null_mut()
        } else {
            self.memory()
        };
        let mut size_ret = 0;
        let back = &mut size_ret;
        match kind {
            CONTEXT => call!(clGetContextInfo, object, name, size, value, back),
            QUEUE => call!(clGetCommandQueueInfo, object, name, size, value, back),
            BUFFER if self.rng.gen() => call!(clGetImageInfo, object, name, size, value, back),
            BUFFER => call!(clGetMemObjectInfo, object, name, size, value, back),
            SAMPLER => call!(clGetSamplerInfo, object, name, size, value, back),
            PROGRAM if self.rng.gen() => call!(clGetProgramInfo, object, name, size, value, back),
            PROGRAM => call!(clGetProgramBuildInfo, object, device(), name, size, value, back),
            KERNEL if self.rng.gen() => call!(clGetKernelInfo, object, name, size, value, back),
            KERNEL => call!(clGetKernelWorkGroupInfo, object, device(), name, size, value, back),
            _ => match self.rng.gen_range(0..4) {
                0 => call!(clGetPlatformInfo, platform(), name, size, value, back),
                1 => call!(clGetDeviceInfo, device(), name, size, value, back),
                2 => call!(clGetEventInfo, object, name, size, value, back),
                _ => call!(clGetEventProfilingInfo, object, name, size, value, back),
            },
        }
    }

    fn retain(&mut self, kind: usize, object: Handle) -> cl_int {
        match kind {
            CONTEXT => call!(clRetainContext, object),
            QUEUE => call!(clRetainCommandQueue, object),
            BUFFER => call!(clRetainMemObject, object),
            PROGRAM => call!(clRetainProgram, object),
            KERNEL => call!(clRetainKernel, object),
            SAMPLER => call!(clRetainSampler, object),
            _ => call!(clRetainEvent, object),
        }
    }

    fn release(&mut self, kind: usize, object: Handle) -> cl_int {
        match kind {
            CONTEXT => call!(clReleaseContext, object),
            QUEUE => call!(clReleaseCommandQueue, object),
            BUFFER => call!(clReleaseMemObject, object),
            PROGRAM => call!(clReleaseProgram, object),
            KERNEL => call!(clReleaseKernel, object),
            SAMPLER => call!(clReleaseSampler, object),
            _ => call!(clReleaseEvent, object),
        }
    }
}

/// Ends the process if calls stop returning, because a thread that hangs cannot be stopped.
fn watch(calls: std::sync::Weak<AtomicU64>, seed: u64) {
    std::thread::spawn(move || {
        let mut last = u64::MAX;
        while let Some(count) = calls.upgrade().map(|calls| calls.load(Ordering::Relaxed)) {
            if count == last {
                eprintln!("random calls, seed {seed}: a call did not return within {HANG:?}, after {count}");
                std::process::exit(1);
            }
            last = count;
            std::thread::sleep(HANG);
        }
    });
}

/// Runs this test again in another process, with a limit for kernels: the program has an endless kernel, which would
/// block a queue and its waiting callers for minutes. This process must not set the limit for itself: PoCL, which other
/// tests run here, reads and changes the environment without Rust's lock.
#[test]
fn random_calls_never_crash() {
    const LIMIT: &str = "FLEXGRIP_MAX_CYCLES";
    if std::env::var_os(LIMIT).is_some() {
        return make_random_calls();
    }
    let output = run_again("fuzz::random_calls_never_crash", &[(LIMIT, "1000000")]);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (text, errors) = (text(&output.stdout), text(&output.stderr));
    println!("{text}{errors}");
    assert!(
        output.status.success() && text.contains("1 passed"),
        "random calls: {}",
        output.status
    );
}

fn make_random_calls() {
    let seconds = variable("FLEXGRIP_API_FUZZ_SECONDS");
    let seed = variable("FLEXGRIP_FUZZ_SEED");
    let session = Session::new();
    let program = session.program();
    let known: Known = Mutex::new(Default::default());
    for (kind, handle) in [(CONTEXT, session.context), (QUEUE, session.queue), (PROGRAM, program)] {
        known.lock().expect("handles")[kind].push(handle as usize);
    }
    // The first handles must stay valid, so that calls always have valid objects. In five minutes, each is released
    // more than ten thousand times.
    for _ in 0..1_000_000 {
        ok!(clRetainContext, session.context);
        ok!(clRetainCommandQueue, session.queue);
        ok!(clRetainProgram, program);
    }
    let calls = Arc::new(AtomicU64::new(0));
    watch(Arc::downgrade(&calls), seed);
    let end = Instant::now() + Duration::from_secs(seconds);
    let good: u64 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2)
            .map(|thread| {
                let (known, calls) = (&known, &calls);
                scope.spawn(move || {
                    let mut caller = Caller::new(2 * seed + thread, known);
                    let mut good = 0;
                    while Instant::now() < end || calls.load(Ordering::Relaxed) < LEAST {
                        let code = caller.call();
                        assert!(code <= 0 && code > -1100, "the code {code}");
                        good += u64::from(code == CL_SUCCESS);
                        calls.fetch_add(1, Ordering::Relaxed);
                    }
                    good
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    });
    let calls = calls.load(Ordering::Relaxed);
    println!("{calls} calls from seed {seed}, {good} of them successful");
    // About a fifth of the calls are successful. Without this, all calls could be refused early, and test nothing.
    assert!(good > calls / 8, "{calls} calls, {good} successful");
    // Objects of another context are not affected.
    let after = Session::new();
    let buffers = [
        after.buffer(&[1f32; 8]),
        after.buffer(&[2f32; 8]),
        after.buffer(&[0f32; 8]),
    ];
    let kernel = after.kernel("add", &buffers);
    assert_eq!(after.run(kernel, 8), CL_SUCCESS);
    assert_eq!(after.read::<f32>(buffers[2], 8), [3.0; 8]);
}

/// A command that begins after its caller's thread has ended. It once wrote into memory that another thread had
/// allocated since then.
#[test]
fn commands_may_outlive_their_caller() {
    let session = Session::new();
    let buffer = session.buffer(&[7u8; ROOM]);
    let [start, gate] = [(); 2].map(|()| create!(clCreateUserEvent, session.context));
    // The queue's thread begins here, so that it has a heap of its own.
    let mut begun = null_mut();
    ok!(clEnqueueMarkerWithWaitList, session.queue, 1, &start, &mut begun);
    ok!(clEnqueueMarkerWithWaitList, session.queue, 1, &gate, null_mut());
    ok!(clSetUserEventStatus, start, CL_COMPLETE);
    ok!(clWaitForEvents, 1, &begun);
    let (queue, handle, wait) = (session.queue as usize, buffer as usize, gate as usize);
    let caller = std::thread::spawn(move || {
        let (queue, buffer, wait) = (queue as Handle, handle as Handle, wait as Handle);
        let known: Known = Mutex::new(Default::default());
        let at = Caller::new(1, &known).room.as_mut_ptr();
        ok!(
            clEnqueueReadBuffer,
            queue,
            buffer,
            CL_FALSE,
            0,
            ROOM,
            at.cast(),
            1,
            &wait,
            null_mut()
        );
        at as usize
    });
    let at = caller.join().expect("no panic");
    // One of several new threads uses the heap of the thread that has ended, and so its freed memory.
    let all = Barrier::new(8);
    let others: Vec<Vec<u8>> = std::thread::scope(|scope| {
        let allocate = || {
            let blocks = vec![vec![1u8; ROOM]; 8];
            all.wait();
            blocks
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(allocate)).collect();
        let blocks = threads.into_iter().map(|thread| thread.join().expect("no panic"));
        blocks.flatten().collect()
    });
    ok!(clSetUserEventStatus, gate, CL_COMPLETE);
    ok!(clFinish, session.queue);
    let changed = others.iter().flatten().filter(|&&byte| byte != 1).count();
    assert_eq!(changed, 0, "bytes of other memory");
    // SAFETY: the caller's memory is never freed.
    let read = unsafe { std::slice::from_raw_parts(at as *const u8, ROOM) };
    assert!(read.iter().all(|&byte| byte == 7));
    for event in [start, begun, gate] {
        ok!(clReleaseEvent, event);
    }
    ok!(clReleaseMemObject, buffer);
}
