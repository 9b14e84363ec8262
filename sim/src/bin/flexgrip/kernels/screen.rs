//! The terminal of `flexgrip debug`: the full screen, its events, and that it is afterwards as it was before.

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

/// How often a running command looks for a key.
const PATIENCE: Duration = Duration::from_millis(20);

/// How long to wait for an event that may be there already: crossterm does not look at all within no time, and what runs must not
/// wait for long.
const LOOK: Duration = Duration::from_micros(100);

/// Why there is no full screen, for a terminal that cannot have one; `None`: it can.
pub fn unfit() -> Option<&'static str> {
    match std::env::var("TERM").as_deref() {
        _ if !io::stdout().is_terminal() => Some("standard output is not a terminal"),
        _ if cfg!(windows) => None,
        Ok("dumb") => Some("TERM=dumb"),
        Err(_) | Ok("") => Some("TERM is not set"),
        Ok(_) => None,
    }
}

/// Events of the terminal, also those that come while a command runs.
#[derive(Clone, Default)]
pub struct Events(Arc<Mutex<Early>>);

/// What has come while a command ran.
#[derive(Default)]
struct Early {
    events: VecDeque<Event>,
    asked: Option<Instant>,
}

impl Events {
    /// Whether a key has interrupted what runs. Other events are kept for later.
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
                // The terminal is gone: the session's next look at it says so.
                Err(_) => return true,
            }
        }
    }

    /// The next event; `None` if there is none within this time.
    fn next(&self, within: Duration) -> io::Result<Option<Event>> {
        let early = self.0.lock().ok().and_then(|mut early| early.events.pop_front());
        if early.is_some() {
            return Ok(early);
        }
        event::poll(within)?.then(event::read).transpose()
    }
}

/// Whether the terminal has to be brought back.
static IS_OPEN: AtomicBool = AtomicBool::new(false);

/// Brings the terminal back, once.
fn restore() {
    if IS_OPEN.swap(false, Ordering::SeqCst) {
        // Nothing is left to do about a terminal that is gone.
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

/// The terminal in its other state, until this is dropped.
struct Screen(Terminal<CrosstermBackend<BufWriter<Stdout>>>);

impl Screen {
    fn open() -> io::Result<Self> {
        // A panic's message belongs on the terminal as it was, and in a release build nothing is dropped after one.
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

/// Runs a session until the user ends it; gives its console back.
pub fn run(session: Session, events: &Events) -> Result<Console, Error> {
    let mut app = App::new(session, Look::of_environment(|name| std::env::var(name).ok()));
    let shown = Screen::open().and_then(|mut screen| show(&mut app, &mut screen, events));
    shown.map_err(IoError::of("cannot use the terminal"))?;
    Ok(app.into_console())
}

/// Whether an event only says where the mouse is: there are many, and they change nothing.
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
        // Whatever else is there already needs no drawing of its own.
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
