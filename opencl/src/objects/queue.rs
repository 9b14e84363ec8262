//! In-order command queues. Each has a thread while it has commands.
//!
//! The threads are not permanent: a program that creates queues without releasing them would run out of memory for
//! their stacks, and crash.

use crate::error::{ensure, say, Code, Result};
use crate::info::Reply;
use crate::interrupt;
use crate::native::pointer::Pointer;
use crate::objects::context::Context;
use crate::objects::device::Device;
use crate::objects::event::{self, EventQueue};
use crate::objects::progress::Progress;
use crate::registry::{self, Handle, Object};
use opencl_sys::{
    cl_command_queue, cl_command_queue_properties, cl_event, cl_int, cl_uint, CL_COMMAND_BARRIER, CL_COMMAND_MARKER,
    CL_COMPLETE, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_COMMAND_QUEUE, CL_INVALID_DEVICE,
    CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_QUEUE_PROPERTIES, CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY,
    CL_OUT_OF_RESOURCES, CL_QUEUED, CL_QUEUE_CONTEXT, CL_QUEUE_DEVICE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
    CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_PROPERTIES, CL_QUEUE_REFERENCE_COUNT, CL_SUBMITTED,
};
use std::collections::VecDeque;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The reason why a command failed, after it was enqueued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The OpenCL error code.
    pub code: cl_int,
    /// The reason, for a report.
    pub message: String,
}

/// The function of a command. Returns the cycles that the device takes for it.
pub type Work = Box<dyn FnOnce() -> std::result::Result<u64, Failure> + Send>;

struct Command {
    work: Work,
    progress: Arc<Progress>,
    wait: Vec<Arc<Progress>>,
    /// The number of interrupts at the time of enqueueing.
    epoch: u64,
}

#[derive(Default)]
struct Pending {
    commands: VecDeque<Command>,
    /// The last command that was enqueued.
    last: Option<Arc<Progress>>,
    /// The first failure that no call has reported yet.
    failed: Option<cl_int>,
    /// True while a thread runs the commands; the thread ends when there are none.
    served: bool,
}

/// The number of threads of all queues.
static THREADS: AtomicUsize = AtomicUsize::new(0);
/// Limit for the number of threads. It is low enough for their stacks to fit the system's memory: the program would be
/// ended by a thread that cannot allocate its stack guard.
const MOST_THREADS: usize = 1024;

/// A count in [`THREADS`], which exists from before a thread's start to its end.
struct Counted;

impl Counted {
    /// Returns `None` if there are already [`MOST_THREADS`].
    fn new() -> Option<Self> {
        let before = THREADS.fetch_add(1, Ordering::Relaxed);
        let counted = Counted;
        (before < MOST_THREADS).then_some(counted)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        THREADS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The state shared by a queue and its thread.
struct Shared {
    context: Arc<Context>,
    device: Arc<Device>,
    pending: Mutex<Pending>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a command, and starts a thread if the queue has none.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY` if a thread cannot be started. Then the command is not added.
    fn add(self: &Arc<Self>, command: Command) -> Result<()> {
        let mut pending = self.lock();
        if !pending.served {
            self.start()?;
            pending.served = true;
        }
        pending.last = Some(command.progress.clone());
        pending.commands.push_back(command);
        Ok(())
    }

    fn start(self: &Arc<Self>) -> Result<()> {
        let refused = |reason: String| {
            say(&format!("cannot start a thread for a queue: {reason}"));
            Code(CL_OUT_OF_HOST_MEMORY)
        };
        let counted =
            Counted::new().ok_or_else(|| refused(format!("{MOST_THREADS} queues have unfinished commands")))?;
        let shared = self.clone();
        let thread = std::thread::Builder::new().name("flexgrip queue".into());
        let started = thread.spawn(move || {
            let _counted = counted;
            shared.serve();
        });
        started.map(drop).map_err(|error| refused(error.to_string()))
    }

    /// Runs commands until there are none.
    fn serve(&self) {
        loop {
            let mut pending = self.lock();
            let Some(command) = pending.commands.pop_front() else {
                pending.served = false;
                return;
            };
            drop(pending);
            self.execute(command);
        }
    }

    fn execute(&self, command: Command) {
        let Command {
            work,
            progress,
            wait,
            epoch,
        } = command;
        let submit = self.device.now();
        progress.advance(CL_SUBMITTED, |times| times.submit = submit);
        let mut status = CL_COMPLETE;
        for event in wait {
            if event.wait() != CL_COMPLETE {
                status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
            }
        }
        if epoch != interrupt::epoch() {
            status = CL_OUT_OF_RESOURCES;
        }
        // A command that its call has withdrawn must not begin: the application's memory may be gone.
        if status == CL_COMPLETE && !progress.begin() {
            status = CL_OUT_OF_RESOURCES;
        }
        let mut cycles = 0;
        if status == CL_COMPLETE {
            match catch_unwind(AssertUnwindSafe(work)) {
                Ok(Ok(needed)) => cycles = needed,
                Ok(Err(failure)) => {
                    status = failure.code;
                    self.context.report(&failure.message);
                }
                Err(_) => {
                    status = CL_OUT_OF_HOST_MEMORY;
                    self.context
                        .report("a command panicked: this is a defect of the driver; please report it");
                }
            }
        }
        if status != CL_COMPLETE {
            self.lock().failed.get_or_insert(status);
        }
        let (start, end) = self.device.pass(cycles);
        progress.advance(status, |times| {
            times.start = start;
            times.end = end;
        });
    }
}

/// A command queue.
pub struct Queue {
    handle: Handle,
    shared: Arc<Shared>,
    profiled: AtomicBool,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Queue").field(&self.handle).finish()
    }
}

impl Object for Queue {
    const INVALID: cl_int = CL_INVALID_COMMAND_QUEUE;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

/// The event arguments of an enqueueing call.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// The number of events in the list.
    pub count: cl_uint,
    /// The wait list.
    pub events: Pointer<cl_event>,
    /// The memory for the command's event, or null.
    pub event: Pointer<cl_event>,
}

impl Queue {
    /// The queue's context.
    pub fn context(&self) -> &Arc<Context> {
        &self.shared.context
    }

    /// The queue's device.
    pub fn device(&self) -> &Arc<Device> {
        &self.shared.device
    }

    /// True if the queue's events have times.
    pub fn profiled(&self) -> bool {
        self.profiled.load(Ordering::Relaxed)
    }

    /// Resolves the wait list of a call, before the call has any effect.
    ///
    /// # Errors
    /// The errors of [`event::wait_list`].
    pub fn wait_list(&self, order: Order) -> Result<Vec<Arc<Progress>>> {
        event::wait_list(self.context(), order.count, order.events)
    }

    /// Enqueues a command of a kind (`CL_COMMAND_...`), and waits for its end if the call is blocking.
    ///
    /// # Errors
    /// An invalid wait list; no memory for a thread; if blocking, a failure of the command, or an unreported failure of
    /// a command before it.
    pub fn enqueue(self: &Arc<Self>, kind: cl_uint, blocking: bool, order: Order, work: Work) -> Result<()> {
        let wait = self.wait_list(order)?;
        let progress = Progress::new(CL_QUEUED, self.device().now());
        self.shared.add(Command {
            work,
            progress: progress.clone(),
            wait,
            epoch: interrupt::epoch(),
        })?;
        if !order.event.is_null() {
            let source = EventQueue {
                handle: self.handle.raw() as usize,
                queue: self.clone(),
                profiled: self.profiled(),
            };
            order
                .event
                .write(event::publish(self.context(), source, kind, &progress));
        }
        if blocking {
            let status = progress.wait_for_memory();
            self.unreported()?;
            // `unreported` does not return the failure if the command was withdrawn, or another call has returned it.
            ensure(status == CL_COMPLETE, status)?;
        }
        Ok(())
    }

    /// Waits until all commands have ended.
    ///
    /// # Errors
    /// The first failure of a command that no call has reported yet.
    pub fn finish(&self) -> Result<()> {
        let last = self.shared.lock().last.clone();
        if let Some(last) = last {
            let status = last.wait_interruptibly();
            self.unreported()?;
            // The wait was interrupted.
            ensure(last.status() <= CL_COMPLETE, status)?;
        }
        self.unreported()
    }

    fn unreported(&self) -> Result<()> {
        match self.shared.lock().failed.take() {
            Some(code) => Err(Code(code)),
            None => Ok(()),
        }
    }
}

/// Checks the properties of a queue.
fn properties_possible(properties: cl_command_queue_properties) -> Result<()> {
    let known = CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    ensure(properties & !known == 0, CL_INVALID_VALUE)?;
    ensure(
        properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0,
        CL_INVALID_QUEUE_PROPERTIES,
    )
}

/// `clCreateCommandQueue`.
///
/// # Errors
/// A device outside the context, or an out-of-order queue.
pub fn create(
    context: Pointer<c_void>,
    device: Pointer<c_void>,
    properties: cl_command_queue_properties,
) -> Result<cl_command_queue> {
    let context = registry::find::<Context>(context)?;
    let device = registry::find::<Device>(device)?;
    ensure(context.has(&device), CL_INVALID_DEVICE)?;
    properties_possible(properties)?;
    let shared = Arc::new(Shared {
        context,
        device,
        pending: Mutex::default(),
    });
    let queue = registry::publish(|handle| Queue {
        handle,
        shared,
        profiled: AtomicBool::new(properties & CL_QUEUE_PROFILING_ENABLE != 0),
    });
    Ok(queue.handle.raw())
}

/// `clGetCommandQueueInfo`.
///
/// # Errors
/// `CL_INVALID_VALUE` for an unknown query or too little space.
pub fn info(queue: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    let queue = registry::find::<Queue>(queue)?;
    match name {
        CL_QUEUE_CONTEXT => reply.handle(queue.context().handle().raw()),
        CL_QUEUE_DEVICE => reply.handle(queue.device().handle().raw()),
        CL_QUEUE_REFERENCE_COUNT => reply.word(registry::count(&*queue)),
        CL_QUEUE_PROPERTIES => reply.long(queue.properties()),
        _ => Err(Code(CL_INVALID_VALUE)),
    }
}

impl Queue {
    fn properties(&self) -> cl_command_queue_properties {
        match self.profiled() {
            true => CL_QUEUE_PROFILING_ENABLE,
            false => 0,
        }
    }
}

/// `clSetCommandQueueProperty`, which only OpenCL 1.0 has.
///
/// # Errors
/// The errors of [`create`].
pub fn set_property(
    queue: Pointer<c_void>,
    properties: cl_command_queue_properties,
    enable: bool,
    old: Pointer<cl_command_queue_properties>,
) -> Result<()> {
    let queue = registry::find::<Queue>(queue)?;
    properties_possible(properties)?;
    old.write(queue.properties());
    if properties & CL_QUEUE_PROFILING_ENABLE != 0 {
        queue.profiled.store(enable, Ordering::Relaxed);
    }
    Ok(())
}

/// `clFlush`: no-op, because commands start at once.
///
/// # Errors
/// `CL_INVALID_COMMAND_QUEUE`.
pub fn flush(queue: Pointer<c_void>) -> Result<()> {
    registry::find::<Queue>(queue).map(drop)
}

/// `clFinish`.
///
/// # Errors
/// The errors of [`Queue::finish`].
pub fn finish(queue: Pointer<c_void>) -> Result<()> {
    registry::find::<Queue>(queue)?.finish()
}

/// `clEnqueueMarker` and `clEnqueueMarkerWithWaitList`: in an in-order queue, a command that does nothing.
///
/// # Errors
/// An invalid wait list.
pub fn marker(queue: Pointer<c_void>, order: Order) -> Result<()> {
    let queue = registry::find::<Queue>(queue)?;
    queue.enqueue(CL_COMMAND_MARKER, false, order, Box::new(|| Ok(0)))
}

/// `clEnqueueBarrier` and `clEnqueueBarrierWithWaitList`: in an in-order queue, a command that does nothing.
///
/// # Errors
/// An invalid wait list.
pub fn barrier(queue: Pointer<c_void>, order: Order) -> Result<()> {
    let queue = registry::find::<Queue>(queue)?;
    queue.enqueue(CL_COMMAND_BARRIER, false, order, Box::new(|| Ok(0)))
}

/// `clEnqueueWaitForEvents`.
///
/// # Errors
/// An empty list; an invalid event, or an event of another context.
pub fn wait_for_events(queue: Pointer<c_void>, count: cl_uint, events: Pointer<cl_event>) -> Result<()> {
    let queue = registry::find::<Queue>(queue)?;
    ensure(count > 0 && !events.is_null(), CL_INVALID_VALUE)?;
    let order = Order {
        count,
        events,
        event: Pointer::null(),
    };
    let event_code = |code: Code| match code.0 {
        // OpenCL 1.0 specifies another code here.
        CL_INVALID_EVENT_WAIT_LIST => Code(opencl_sys::CL_INVALID_EVENT),
        _ => code,
    };
    queue
        .enqueue(CL_COMMAND_BARRIER, false, order, Box::new(|| Ok(0)))
        .map_err(event_code)
}
