//! A SIGINT handler that runs before the program's own handler while a call waits.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Number of SIGINTs that our handler has received.
static SIGNALS: AtomicU64 = AtomicU64::new(0);
/// The address and the flags of the program's handler while our handler is installed.
static PROGRAMS: AtomicUsize = AtomicUsize::new(0);
static FLAGS: AtomicI32 = AtomicI32::new(0);
/// The number of waiting calls, and the program's action while our handler is installed.
static WAITING: Mutex<(usize, Option<libc::sigaction>)> = Mutex::new((0, None));

/// Counts SIGINTs until it is dropped.
pub struct Before {
    signals: u64,
}

impl Before {
    /// Starts counting.
    pub fn begin() -> Self {
        let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.0 == 0 {
            waiting.1 = stand_before();
        }
        waiting.0 += 1;
        Before {
            signals: SIGNALS.load(Ordering::Relaxed),
        }
    }

    /// True if a SIGINT has arrived since `begin`.
    pub fn is_called(&self) -> bool {
        SIGNALS.load(Ordering::Relaxed) != self.signals
    }
}

impl Drop for Before {
    fn drop(&mut self) {
        let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.0 -= 1;
        if waiting.0 == 0 {
            if let Some(programs) = waiting.1.take() {
                step_aside(&programs);
            }
        }
    }
}

fn own() -> usize {
    on_signal as extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) as usize
}

/// The current action.
fn present() -> Option<libc::sigaction> {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: the call only reads the action, into memory of its size.
    let result = unsafe { libc::sigaction(libc::SIGINT, null(), action.as_mut_ptr()) };
    // SAFETY: sigaction has written it; an action of zero bytes would also be valid.
    (result == 0).then(|| unsafe { action.assume_init() })
}

/// Installs our handler, and returns the program's action; `None` if the program's action would not return from the
/// signal: it ends the program, ignores the signal, or removes the handler.
fn stand_before() -> Option<libc::sigaction> {
    let programs = present()?;
    let handler = programs.sa_sigaction;
    let returns = ![libc::SIG_DFL, libc::SIG_IGN, own()].contains(&handler);
    if !returns || programs.sa_flags & libc::SA_RESETHAND != 0 {
        return None;
    }
    PROGRAMS.store(handler, Ordering::Relaxed);
    FLAGS.store(programs.sa_flags, Ordering::Relaxed);
    let mut action = programs;
    action.sa_sigaction = own();
    action.sa_flags |= libc::SA_SIGINFO;
    // SAFETY: the handler has the signature for SA_SIGINFO, and is async-signal-safe: it only executes atomic
    // operations and calls the program's handler. The mask and all other flags are copied from the program's action.
    let result = unsafe { libc::sigaction(libc::SIGINT, &action, null_mut()) };
    (result == 0).then_some(programs)
}

/// Restores the program's handler, unless the program has installed another one in the meantime.
fn step_aside(programs: &libc::sigaction) {
    if present().is_some_and(|action| action.sa_sigaction == own()) {
        // SAFETY: this action of the program was installed before our action.
        unsafe { libc::sigaction(libc::SIGINT, programs, null_mut()) };
    }
}

extern "C" fn on_signal(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    SIGNALS.fetch_add(1, Ordering::Relaxed);
    let handler = PROGRAMS.load(Ordering::Relaxed);
    if handler == 0 {
        return;
    }
    if FLAGS.load(Ordering::Relaxed) & libc::SA_SIGINFO != 0 {
        // SAFETY: a handler that was installed with SA_SIGINFO has this signature.
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = unsafe { std::mem::transmute(handler) };
        handler(signal, info, context);
    } else {
        // SAFETY: a handler that was installed without SA_SIGINFO has this signature.
        let handler: extern "C" fn(c_int) = unsafe { std::mem::transmute(handler) };
        handler(signal);
    }
}
