//! Events, which show the progress of commands to the application.

use crate::error::{ensure, Code, Result};
use crate::info::Reply;
use crate::interrupt;
use crate::native::callback::{Callback, EventFunction};
use crate::native::pointer::Pointer;
use crate::objects::context::Context;
use crate::objects::progress::Progress;
use crate::registry::{self, Handle, Object};
use opencl_sys::{
    cl_event, cl_int, cl_uint, CL_COMMAND_USER, CL_COMPLETE, CL_EVENT_COMMAND_EXECUTION_STATUS, CL_EVENT_COMMAND_QUEUE,
    CL_EVENT_COMMAND_TYPE, CL_EVENT_CONTEXT, CL_EVENT_REFERENCE_COUNT, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
    CL_INVALID_CONTEXT, CL_INVALID_EVENT, CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_OPERATION, CL_INVALID_VALUE,
    CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_SUBMIT,
    CL_PROFILING_INFO_NOT_AVAILABLE, CL_RUNNING, CL_SUBMITTED,
};
use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;

/// The queue of an event's command.
pub struct EventQueue {
    /// The queue's handle.
    pub handle: usize,
    /// The queue, kept alive by the event.
    pub queue: Arc<dyn Any + Send + Sync>,
    /// True if the queue records times.
    pub profiled: bool,
}

/// An event, with the application's handle.
pub struct Event {
    handle: Handle,
    context: Arc<Context>,
    /// The command's queue; `None` for user events.
    source: Option<EventQueue>,
    kind: cl_uint,
    progress: Arc<Progress>,
}

impl Object for Event {
    const INVALID: cl_int = CL_INVALID_EVENT;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Drop for Event {
    /// A user event without a handle can never be completed, so commands that wait for it fail now.
    fn drop(&mut self) {
        if self.source.is_none() {
            self.progress.advance(CL_INVALID_EVENT, |_| ());
        }
    }
}

/// Creates an event for a command, and returns its handle.
pub fn publish(context: &Arc<Context>, source: EventQueue, kind: cl_uint, progress: &Arc<Progress>) -> cl_event {
    let event = registry::publish(|handle| Event {
        handle,
        context: context.clone(),
        source: Some(source),
        kind,
        progress: progress.clone(),
    });
    event.handle.raw()
}

/// The events of a wait list.
///
/// # Errors
/// `CL_INVALID_EVENT_WAIT_LIST` for an invalid list or event, `CL_INVALID_CONTEXT` for an event of another context.
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
/// An invalid list, events of different contexts, or a command that failed.
pub fn wait_for(count: cl_uint, events: Pointer<cl_event>) -> Result<()> {
    ensure(count > 0 && !events.is_null(), CL_INVALID_VALUE)?;
    let handles = events.read_all(count as usize).ok_or(Code(CL_INVALID_VALUE))?;
    let events = handles
        .into_iter()
        .map(registry::find_raw::<Event>)
        .collect::<Result<Vec<_>>>()?;
    let same = |event: &Arc<Event>| Arc::ptr_eq(&event.context, &events[0].context);
    ensure(events.iter().all(same), CL_INVALID_CONTEXT)?;
    let (mut failed, epoch) = (false, interrupt::epoch());
    for event in &events {
        failed |= event.progress.wait_interruptibly() != CL_COMPLETE;
        if epoch != interrupt::epoch() {
            break;
        }
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
        source: None,
        kind: CL_COMMAND_USER,
        progress: Progress::new(CL_SUBMITTED, 0),
    });
    Ok(event.handle.raw())
}

/// `clSetUserEventStatus`.
///
/// # Errors
/// `CL_INVALID_VALUE` for a status that does not end the event, `CL_INVALID_OPERATION` for an event that has ended.
pub fn set_user_status(event: Pointer<c_void>, status: cl_int) -> Result<()> {
    let event = registry::find::<Event>(event)?;
    ensure(event.source.is_none(), CL_INVALID_EVENT)?;
    ensure(status <= CL_COMPLETE, CL_INVALID_VALUE)?;
    ensure(event.progress.status() > CL_COMPLETE, CL_INVALID_OPERATION)?;
    event.progress.advance(status, |_| ());
    Ok(())
}

/// `clSetEventCallback`.
///
/// # Errors
/// `CL_INVALID_VALUE` if the function is null, or for a status without callbacks.
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
    let callback = Callback::new(function, data);
    // The callback keeps the event alive until it is called.
    progress.at(status, move |now| callback.call(event.handle.pointer(), now));
    Ok(())
}

/// `clGetEventInfo`.
///
/// # Errors
/// `CL_INVALID_VALUE` for an unknown query or too little space.
pub fn info(event: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    let event = registry::find::<Event>(event)?;
    match name {
        CL_EVENT_COMMAND_QUEUE => reply.size(event.source.as_ref().map_or(0, |source| source.handle)),
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
/// `CL_PROFILING_INFO_NOT_AVAILABLE` for a queue without profiling, or a command that has not ended successfully.
pub fn profiling(event: Pointer<c_void>, name: cl_uint, reply: Reply) -> Result<()> {
    let event = registry::find::<Event>(event)?;
    ensure(
        event.source.as_ref().is_some_and(|source| source.profiled) && event.progress.status() == CL_COMPLETE,
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
