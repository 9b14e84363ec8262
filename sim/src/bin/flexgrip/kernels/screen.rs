//! The terminal of `flexgrip debug`: the full screen, its events, and restoring the terminal at the end.

use flexgrip_sim::debug::console::Console;
use flexgrip_sim::debug::session::Session;
use flexgrip_sim::debug::terminal::app::App;
use flexgrip_sim::debug::terminal::keys::interrupts;
use flexgrip_sim::debug::terminal::look::Look;
use flexgrip_sim::error::Error;
use flexgrip_sim::outside::IoError;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, Event, MouseEventKind,
};
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode, EnterAlternateScreen, LeaveAlternateScreen};
use ratatui::crossterm::{cursor, execute};
use ratatui::Terminal;
use std::collections::VecDeque;
use std::io::{self, BufWriter, IsTerminal, Stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Interval at which a running command polls for a key.
const PATIENCE: Duration = Duration::from_millis(20);

/// Timeout of a poll for a pending event. With a timeout of 0 crossterm does not poll; a long one would delay the
/// running command.
const LOOK: Duration = Duration::from_micros(100);

/// The reason why the terminal cannot show a full screen; `None` if it can.
pub fn unfit() -> Option<&'static str> {
    match std::env::var("TERM").as_deref() {
        _ if !io::stdout().is_terminal() => Some("standard output is not a terminal"),
        _ if cfg!(windows) => None,
        Ok("dumb") => Some("TERM=dumb"),
        Err(_) | Ok("") => Some("TERM is not set"),
        Ok(_) => None,
    }
}

/// Events of the terminal, including events that arrive while a command runs.
#[derive(Clone, Default)]
pub struct Events(Arc<Mutex<Early>>);

/// Events that arrived while a command was running.
#[derive(Default)]
struct Early {
    events: VecDeque<Event>,
    asked: Option<Instant>,
}

impl Events {
    /// True if a key has interrupted the running command. Other events are kept for later.
    pub fn interrupted(&self) -> bool {
        let Ok(mut early) = self.0.lock() else { return true };
        if early.asked.is_some_and(|asked| asked.elapsed() < PATIENCE) {
            return false;
        }
        early.asked = Some(Instant::now());
        loop {
            match event::poll(LOOK).and_then(|ready| ready.then(event::read).transpose()) {
                Ok(Some(event)) if interrupts(&event) => {
                    early.events.clear();
                    return true;
                }
                Ok(Some(event)) => early.events.push_back(event),
                Ok(None) => return false,
                // The terminal is gone; the session's next access to it reports the error.
                Err(_) => return true,
            }
        }
    }

    /// The next event; `None` if none arrives within this time.
    fn next(&self, within: Duration) -> io::Result<Option<Event>> {
        let early = self.0.lock().ok().and_then(|mut early| early.events.pop_front());
        if early.is_some() {
            return Ok(early);
        }
        event::poll(within)?.then(event::read).transpose()
    }
}

/// True while the full screen is open and the terminal must be restored.
static IS_OPEN: AtomicBool = AtomicBool::new(false);

/// Restores the terminal, once.
fn restore() {
    if IS_OPEN.swap(false, Ordering::SeqCst) {
        // An error means that the terminal is gone: there is nothing to restore.
        let _ = execute!(
            io::stdout(),
            DisableBracketedPaste,
            DisableMouseCapture,
            LeaveAlternateScreen,
            cursor::Show
        );
        let _ = disable_raw_mode();
    }
}

/// The terminal in full-screen mode, until this is dropped.
struct Screen(Terminal<CrosstermBackend<BufWriter<Stdout>>>);

impl Screen {
    fn open() -> io::Result<Self> {
        // A panic's message must not appear on the full screen, and a release build drops nothing after a panic.
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            before(panic);
        }));
        IS_OPEN.store(true, Ordering::SeqCst);
        let opened = enable_raw_mode()
            .and_then(|()| {
                execute!(
                    io::stdout(),
                    EnterAlternateScreen,
                    EnableMouseCapture,
                    EnableBracketedPaste
                )
            })
            .and_then(|()| Terminal::new(CrosstermBackend::new(BufWriter::new(io::stdout()))));
        opened.map(Screen).inspect_err(|_| restore())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Runs a session until the user ends it; returns its console.
pub fn run(session: Session, events: &Events) -> Result<Console, Error> {
    let mut app = App::new(session, Look::of_environment(|name| std::env::var(name).ok()));
    let shown = Screen::open().and_then(|mut screen| show(&mut app, &mut screen, events));
    shown.map_err(IoError::of("cannot use the terminal"))?;
    Ok(app.into_console())
}

/// True for mouse motion: such events are frequent and change nothing.
fn is_motion(event: &Event) -> bool {
    match event {
        Event::Mouse(mouse) => matches!(mouse.kind, MouseEventKind::Moved | MouseEventKind::Drag(_)),
        _ => false,
    }
}

fn show(app: &mut App, screen: &mut Screen, events: &Events) -> io::Result<()> {
    while !app.quits() {
        screen.0.draw(|frame| app.draw(frame))?;
        if app.is_running() {
            app.run();
            continue;
        }
        // Handle all pending events before drawing again.
        let mut wait = Duration::from_secs(3600);
        while let Some(event) = events.next(wait)? {
            if is_motion(&event) {
                continue;
            }
            app.handle(&event);
            if app.is_running() || app.quits() {
                break;
            }
            wait = LOOK;
        }
    }
    Ok(())
}
