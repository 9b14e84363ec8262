//! Events: what became of a command, when, and who waits for it.

use crate::abi::callback::{Callback, EventFunction};
use crate::abi::pointer::Pointer;
use crate::error::{ensure, Code, Result};
use crate::info::Reply;
use crate::objects::context::Context;
use crate::objects::queue::Queue;
use crate::registry::{self, Handle, Object};
use opencl_sys::{
    cl_event, cl_int, cl_uint, CL_COMMAND_USER, CL_COMPLETE, CL_EVENT_COMMAND_EXECUTION_STATUS, CL_EVENT_COMMAND_QUEUE,
    CL_EVENT_COMMAND_TYPE, CL_EVENT_CONTEXT, CL_EVENT_REFERENCE_COUNT, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
    CL_INVALID_CONTEXT, CL_INVALID_EVENT, CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_OPERATION, CL_INVALID_VALUE,
    CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_SUBMIT,
    CL_PROFILING_INFO_NOT_AVAILABLE, CL_RUNNING, CL_SUBMITTED,
};
use std::ffi::c_void;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Times of a command in nanoseconds of the device's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// When it was enqueued.
    pub queued: u64,
    /// When the queue took it up.
    pub submit: u64,
    /// When the device began.
    pub start: u64,
    /// When the device had ended.
    pub end: u64,
}

/// To be called at a status, with the event, which lives until then.
type Waiting = (cl_int, Arc<Event>, Callback<EventFunction>);

#[derive(Debug)]
struct State {
    status: cl_int,
    times: Times,
    callbacks: Vec<Waiting>,
}

/// The progress of a command, shared by its queue and its event.
#[derive(Debug)]
pub struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

impl Progress {
    /// Of a command that has this status.
    pub fn new(status: cl_int, queued: u64) -> Arc<Self> {
        Arc::new(Progress {
            state: Mutex::new(State {
                status,
                times: Times {
                    queued,
                    submit: queued,
                    ..Times::default()
                },
                callbacks: Vec::new(),
            }),
            changed: Condvar::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on to a status, unless it has ended already, and tells who waits for it.
    pub fn advance(&self, status: cl_int, change: impl FnOnce(&mut Times)) {
        let mut state = self.lock();
        if state.status <= CL_COMPLETE {
            return;
        }
        state.status = status;
        change(&mut state.times);
        let (due, later) = std::mem::take(&mut state.callbacks)
            .into_iter()
            .partition(|(at, ..)| status <= *at);
        state.callbacks = later;
        drop(state);
        self.changed.notify_all();
        tell(due, status);
    }

    /// Waits for the end. Returns `CL_COMPLETE`, or the error that ended it.
    pub fn wait(&self) -> cl_int {
        let mut state = self.lock();
        while state.status > CL_COMPLETE {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.status
    }

    /// The present status.
    pub fn status(&self) -> cl_int {
        self.lock().status
    }

    /// The times so far.
    pub fn times(&self) -> Times {
        self.lock().times
    }

    fn call_at(&self, status: cl_int, event: Arc<Event>, callback: Callback<EventFunction>) {
        let mut state = self.lock();
        let waiting = (status, event, callback);
        if state.status <= status {
            let now = state.status;
            drop(state);
            tell(vec![waiting], now);
        } else {
            state.callbacks.push(waiting);
        }
    }
}

/// An error is told as it is; otherwise the status for which the callback was asked.
fn tell(due: Vec<Waiting>, status: cl_int) {
    for (at, event, callback) in due {
        callback.call(&event.handle, if status < 0 { status } else { at });
    }
}

/// An event as the application has it.
#[derive(Debug)]
pub struct Event {
    handle: Handle,
    context: Arc<Context>,
    /// `None` for the application's own events.
    queue: Option<Arc<Queue>>,
    kind: cl_uint,
    profiled: bool,
    progress: Arc<Progress>,
}

impl Object for Event {
    const INVALID: cl_int = CL_INVALID_EVENT;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Drop for Event {
    /// Nobody can end an event of the application that has no handle any more, so what waits for it fails now.
    fn drop(&mut self) {
        if self.queue.is_none() {
            self.progress.advance(CL_INVALID_EVENT, |_| ());
        }
    }
}

/// Gives the application an event for a command.
pub fn publish(queue: &Arc<Queue>, kind: cl_uint, progress: &Arc<Progress>) -> cl_event {
    let event = registry::publish(|handle| Event {
        handle,
        context: queue.context().clone(),
        queue: Some(queue.clone()),
        kind,
        profiled: queue.profiled(),
        progress: progress.clone(),
    });
    event.handle.raw()
}

/// The events of a wait list.
///
/// # Errors
/// `CL_INVALID_EVENT_WAIT_LIST` for a list or an event that is none, `CL_INVALID_CONTEXT` for one of another context.
pub fn wait_list(context: &Arc<Context>, count: cl_uint, events: Pointer<cl_event>) -> Result<Vec<Arc<Progress>>> {
    ensure((count == 0) == events.is_null(), CL_INVALID_EVENT_WAIT_LIST)?;
    let handles = events
        .read_all(count as usize)
        .ok_or(Code(CL_INVALID_EVENT_WAIT_LIST))?;
    handles
        .into_iter()
        .map(|handle| {
            let event = registry::find_raw::<Event>(handle).map_err(|_| Code(CL_INVALID_EVENT_WAIT_LIST))?;
            ensure(Arc::ptr_eq(&event.context, context), CL_INVALID_CONTEXT)?;
            Ok(event.progress.clone())
        })
        .collect()
}

/// `clWaitForEvents`.
///
/// # Errors
/// A list that is none, events of different contexts, or a command that failed.
pub fn wait_for(count: cl_uint, events: Pointer<cl_event>) -> Result<()> {
    ensure(count > 0 && !events.is_null(), CL_INVALID_VALUE)?;
    let handles = events.read_all(count as usize).ok_or(Code(CL_INVALID_VALUE))?;
    let events = handles
        .into_iter()
        .map(registry::find_raw::<Event>)
        .collect::<Result<Vec<_>>>()?;
    let same = |event: &Arc<Event>| Arc::ptr_eq(&event.context, &events[0].context);
    ensure(events.iter().all(same), CL_INVALID_CONTEXT)?;
    let mut failed = false;
    for event in &events {
        failed |= event.progress.wait() != CL_COMPLETE;
    }
    ensure(!failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
}

/// `clCreateUserEvent`.
///
/// # Errors
/// `CL_INVALID_CONTEXT`.
pub fn create_user(context: Pointer<c_void>) -> Result<cl_event> {
    let context = registry::find::<Context>(context)?;
    let event = registry::publish(|handle| Event {
        handle,
        context,
        queue: None,
        kind: CL_COMMAND_USER,
        profiled: false,
        progress: Progress::new(CL_SUBMITTED, 0),
    });
    Ok(event.handle.raw())
}

/// `clSetUserEventStatus`.
///
/// # Errors
/// `CL_INVALID_VALUE` for a status that ends nothing, `CL_INVALID_OPERATION` if it has been set before.
pub fn set_user_status(event: Pointer<c_void>, status: cl_int) -> Result<()> {
    let event = registry::find::<Event>(event)?;
    ensure(event.queue.is_none(), CL_INVALID_EVENT)?;
    ensure(status <= CL_COMPLETE, CL_INVALID_VALUE)?;
    ensure(event.progress.status() > CL_COMPLETE, CL_INVALID_OPERATION)?;
    event.progress.advance(status, |_| ());
    Ok(())
}

/// `clSetEventCallback`.
///
/// # Errors
/// `CL_INVALID_VALUE` without a function, or for a status at which none is called.
pub fn set_callback(
    event: Pointer<c_void>,
    status: cl_int,
    function: Option<EventFunction>,
    data: Pointer<c_void>,
) -> Result<()> {
    let event = registry::find::<Event>(event)?;
    ensure(
        [CL_COMPLETE, CL_RUNNING, CL_SUBMITTED].contains(&status),
        CL_INVALID_VALUE,
    )?;
    let function = function.ok_or(Code(CL_INVALID_VALUE))?;
    let progress = event.progress.clone();
    progress.call_at(status, event, Callback::new(function, data));
    Ok(())
}

/// `clGetEventInfo`.
///
/// # Errors
/// `CL_INVALID_VALUE` for an unknown question or too little space.
pub fn info(event: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    let event = registry::find::<Event>(event)?;
    match name {
        CL_EVENT_COMMAND_QUEUE => reply.handle(
            event
                .queue
                .as_ref()
                .map_or(std::ptr::null_mut(), |queue| queue.handle().raw()),
        ),
        CL_EVENT_CONTEXT => reply.handle(event.context.handle().raw()),
        CL_EVENT_COMMAND_TYPE => reply.word(event.kind),
        CL_EVENT_COMMAND_EXECUTION_STATUS => reply.word(event.progress.status() as u32),
        CL_EVENT_REFERENCE_COUNT => reply.word(registry::count(&*event)),
        _ => Err(Code(CL_INVALID_VALUE)),
    }
}

/// `clGetEventProfilingInfo`: nanoseconds of the device's clock.
///
/// # Errors
/// `CL_PROFILING_INFO_NOT_AVAILABLE` for a queue without profiling and a command that has not ended.
pub fn profiling(event: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    let event = registry::find::<Event>(event)?;
    ensure(
        event.profiled && event.progress.status() == CL_COMPLETE,
        CL_PROFILING_INFO_NOT_AVAILABLE,
    )?;
    let times = event.progress.times();
    reply.long(match name {
        CL_PROFILING_COMMAND_QUEUED => times.queued,
        CL_PROFILING_COMMAND_SUBMIT => times.submit,
        CL_PROFILING_COMMAND_START => times.start,
        CL_PROFILING_COMMAND_END => times.end,
        _ => return Err(Code(CL_INVALID_VALUE)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use opencl_sys::CL_QUEUED;

    #[test]
    fn progress_ends_once() {
        let progress = Progress::new(CL_QUEUED, 7);
        progress.advance(CL_RUNNING, |times| times.start = 9);
        progress.advance(CL_COMPLETE, |times| times.end = 11);
        progress.advance(-5, |times| times.end = 0);
        assert_eq!((progress.wait(), progress.status()), (CL_COMPLETE, CL_COMPLETE));
        let times = Times {
            queued: 7,
            submit: 7,
            start: 9,
            end: 11,
        };
        assert_eq!(progress.times(), times);
    }

    #[test]
    fn waiting_sees_the_end_on_another_thread() {
        let progress = Progress::new(CL_QUEUED, 0);
        let other = progress.clone();
        let thread = std::thread::spawn(move || other.wait());
        progress.advance(-5, |_| ());
        assert_eq!(thread.join().expect("the thread"), -5);
    }
}
