//! Progress of a command: its status, its times, and the callbacks and threads that wait for it.

use crate::interrupt::{InterruptibleWait, TURN};
use opencl_sys::{cl_int, CL_COMPLETE, CL_OUT_OF_RESOURCES, CL_RUNNING};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Times of a command in nanoseconds of the device's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// The time when the command was enqueued.
    pub queued: u64,
    /// The time when the queue submitted it to the device.
    pub submit: u64,
    /// The time when the device began.
    pub start: u64,
    /// The time when the device ended.
    pub end: u64,
}

/// A status, and the action that waits for it. The action receives this status, or the error that ended the command.
type Waiting = (cl_int, Box<dyn FnOnce(cl_int) + Send>);

struct State {
    status: cl_int,
    times: Times,
    waiting: Vec<Waiting>,
    /// True if the command must not begin any more.
    withdrawn: bool,
}

/// The progress of a command, shared by its queue and its event.
pub struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

impl Progress {
    /// Creates the progress of a command with this status.
    pub fn new(status: cl_int, queued: u64) -> Arc<Self> {
        Arc::new(Progress {
            state: Mutex::new(State {
                status,
                times: Times {
                    queued,
                    submit: queued,
                    ..Times::default()
                },
                waiting: Vec::new(),
                withdrawn: false,
            }),
            changed: Condvar::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Advances to a status, unless the command has ended, and calls the actions for it.
    pub fn advance(&self, status: cl_int, change: impl FnOnce(&mut Times)) {
        self.reach(self.lock(), status, change);
    }

    fn reach(&self, mut state: MutexGuard<'_, State>, status: cl_int, change: impl FnOnce(&mut Times)) {
        if state.status <= CL_COMPLETE {
            return;
        }
        state.status = status;
        change(&mut state.times);
        let (due, later) = std::mem::take(&mut state.waiting)
            .into_iter()
            .partition(|(at, _)| status <= *at);
        state.waiting = later;
        drop(state);
        self.changed.notify_all();
        tell(due, status);
    }

    /// Advances to `CL_RUNNING`. Returns false if the command was withdrawn.
    pub fn begin(&self) -> bool {
        let state = self.lock();
        let may = !state.withdrawn;
        if may {
            self.reach(state, CL_RUNNING, |_| ());
        }
        may
    }

    /// Withdraws the command: it will not begin. Returns false if it has already begun.
    fn withdraw(&self) -> bool {
        let mut state = self.lock();
        state.withdrawn = state.status > CL_RUNNING;
        state.withdrawn
    }

    /// Waits for the end of a command that uses the application's memory. After Ctrl-C, the command is withdrawn, but if
    /// it has begun, this waits for it: the application may free its memory when the call returns.
    pub fn wait_for_memory(&self) -> cl_int {
        loop {
            self.wait_interruptibly();
            if self.withdraw() {
                return CL_OUT_OF_RESOURCES;
            }
            let status = self.status();
            if status <= CL_COMPLETE {
                return status;
            }
        }
    }

    /// Waits for the end on behalf of the application: Ctrl-C stops the command. Returns `CL_COMPLETE` or the command's
    /// error.
    pub fn wait_interruptibly(&self) -> cl_int {
        let mut state = self.lock();
        if state.status <= CL_COMPLETE {
            return state.status;
        }
        let mut waiting = InterruptibleWait::begin();
        while state.status > CL_COMPLETE {
            let turn = self.changed.wait_timeout(state, TURN);
            state = turn.unwrap_or_else(PoisonError::into_inner).0;
            if state.status <= CL_COMPLETE {
                break;
            }
            drop(state);
            if waiting.turn() {
                return CL_OUT_OF_RESOURCES;
            }
            state = self.lock();
        }
        state.status
    }

    /// Waits for the end. Returns `CL_COMPLETE` or the command's error.
    pub fn wait(&self) -> cl_int {
        let mut state = self.lock();
        while state.status > CL_COMPLETE {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.status
    }

    /// The current status.
    pub fn status(&self) -> cl_int {
        self.lock().status
    }

    /// The times so far.
    pub fn times(&self) -> Times {
        self.lock().times
    }

    /// Runs an action when the status is reached, or now if it has been reached.
    pub fn at(&self, status: cl_int, act: impl FnOnce(cl_int) + Send + 'static) {
        let mut state = self.lock();
        let waiting: Waiting = (status, Box::new(act));
        if state.status <= status {
            let now = state.status;
            drop(state);
            tell(vec![waiting], now);
        } else {
            state.waiting.push(waiting);
        }
    }
}

fn tell(due: Vec<Waiting>, status: cl_int) {
    for (at, act) in due {
        act(if status < 0 { status } else { at });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use opencl_sys::{CL_QUEUED, CL_SUBMITTED};

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
    fn withdrawn_command_never_begins() {
        for status in [CL_QUEUED, CL_SUBMITTED] {
            let progress = Progress::new(status, 0);
            assert!(progress.withdraw());
            // Its queue ends it, after the commands before it.
            assert!(!progress.begin());
            assert_eq!(progress.status(), status);
        }
        let running = Progress::new(CL_QUEUED, 0);
        assert!(running.begin());
        assert!(!running.withdraw());
        assert_eq!(running.status(), CL_RUNNING);
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
