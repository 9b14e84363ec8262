//! A SIGINT handler that runs before the program's own handler while a call waits.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Number of SIGINTs that our handler has received.
static SIGNALS: AtomicU64 = AtomicU64::new(0);
/// The address of the program's handler while ours is installed, with a place for each of the two signatures: our
/// handler may still be running on another thread while the next one is installed. With one place for both, it could
/// call a handler with the wrong arguments.
static PLAIN: AtomicUsize = AtomicUsize::new(0);
static WITH_INFO: AtomicUsize = AtomicUsize::new(0);
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

/// The address of our handler for a signature.
fn own(with_info: bool) -> usize {
    match with_info {
        true => on_signal_with_info as extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) as usize,
        false => on_signal as extern "C" fn(c_int) as usize,
    }
}

fn is_own(handler: usize) -> bool {
    handler == own(false) || handler == own(true)
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
    let returns = ![libc::SIG_DFL, libc::SIG_IGN].contains(&handler) && !is_own(handler);
    if !returns || programs.sa_flags & libc::SA_RESETHAND != 0 {
        return None;
    }
    let with_info = programs.sa_flags & libc::SA_SIGINFO != 0;
    let place = if with_info { &WITH_INFO } else { &PLAIN };
    place.store(handler, Ordering::Relaxed);
    let mut action = programs;
    action.sa_sigaction = own(with_info);
    // SAFETY: the handler has the signature for these flags, and is async-signal-safe: it only executes atomic
    // operations and calls the program's handler. The mask and all flags are copied from the program's action.
    let result = unsafe { libc::sigaction(libc::SIGINT, &action, null_mut()) };
    (result == 0).then_some(programs)
}

/// Restores the program's handler, unless the program has installed another one in the meantime.
fn step_aside(programs: &libc::sigaction) {
    if present().is_some_and(|action| is_own(action.sa_sigaction)) {
        // SAFETY: this action of the program was installed before our action.
        unsafe { libc::sigaction(libc::SIGINT, programs, null_mut()) };
    }
}

extern "C" fn on_signal(signal: c_int) {
    SIGNALS.fetch_add(1, Ordering::Relaxed);
    let handler = PLAIN.load(Ordering::Relaxed);
    if handler != 0 {
        // SAFETY: this place is only for handlers that were installed without SA_SIGINFO, which have this signature.
        let handler: extern "C" fn(c_int) = unsafe { std::mem::transmute(handler) };
        handler(signal);
    }
}

extern "C" fn on_signal_with_info(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    SIGNALS.fetch_add(1, Ordering::Relaxed);
    let handler = WITH_INFO.load(Ordering::Relaxed);
    if handler != 0 {
        // SAFETY: this place is only for handlers that were installed with SA_SIGINFO, which have this signature.
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = unsafe { std::mem::transmute(handler) };
        handler(signal, info, context);
    }
}
