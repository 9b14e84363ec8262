//! Tests the debugger's full screen: each pane as text, at several sizes, with and without Unicode; random keys; a
//! session on a real terminal. `cargo xtask update screens` writes the screens in `terminal/screens/`, and the picture
//! in `docs/debugging.svg`.

mod picture;
#[cfg(target_os = "linux")]
mod real;

use crate::common::root;
use flexgrip_machine::Configuration;
use flexgrip_sim::debug::code::Code;
use flexgrip_sim::debug::model::ModelTarget;
use flexgrip_sim::debug::session::Session;
use flexgrip_sim::debug::terminal::app::App;
use flexgrip_sim::debug::terminal::layout::PaneName;
use flexgrip_sim::debug::terminal::look::Look;
use flexgrip_sim::files::launch::Kernel;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use std::path::{Path, PathBuf};

const UNICODE: Look = Look {
    unicode: true,
    colours: true,
};
const ASCII: Look = Look {
    unicode: false,
    colours: false,
};

/// The kernel of the screens: several warps, a barrier, threads that leave a loop early, shared memory.
fn kernel() -> PathBuf {
    root().join("kernels/reduction")
}

/// A session on the model, with source lines or only with words.
fn session(folder: &Path, has_lines: bool) -> Session {
    let kernel = Kernel::load(folder).unwrap();
    let code = match has_lines {
        true => Code::of_kernel(&kernel).unwrap(),
        false => Code::of_words(&kernel.launch.program, kernel.launch.capability),
    };
    let configuration = Configuration {
        global_bytes: 1 << 16,
        ..Configuration::default()
    };
    let target = ModelTarget::new(kernel.launch, configuration).unwrap();
    Session::new(Box::new(target), code, 20_000, Box::new(|| false))
}

/// A screen without a terminal.
struct Screen {
    app: App,
    terminal: Terminal<TestBackend>,
}

impl Screen {
    fn new(size: (u16, u16), look: Look) -> Self {
        Screen::of(session(&kernel(), true), size, look)
    }

    fn of(session: Session, (width, height): (u16, u16), look: Look) -> Self {
        let terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let app = App::new(session, look);
        let mut screen = Screen { app, terminal };
        screen.draw();
        screen
    }

    fn draw(&mut self) {
        self.terminal.draw(|frame| self.app.draw(frame)).unwrap();
    }

    fn event(&mut self, event: Event) {
        self.app.handle(&event);
        self.draw();
        if self.app.is_running() {
            self.app.run();
            self.draw();
        }
    }

    fn key(&mut self, code: KeyCode) {
        self.event(Event::Key(code.into()));
    }

    /// Types these characters.
    fn keys(&mut self, text: &str) {
        text.chars().for_each(|character| self.key(KeyCode::Char(character)));
    }

    /// Types a command.
    fn command(&mut self, text: &str) {
        self.keys(":");
        self.keys(text);
        self.key(KeyCode::Enter);
    }

    fn mouse(&mut self, kind: MouseEventKind, column: usize, row: usize) {
        self.event(Event::Mouse(MouseEvent {
            kind,
            column: column as u16,
            row: row as u16,
            modifiers: KeyModifiers::NONE,
        }));
    }

    fn resize(&mut self, width: u16, height: u16) {
        self.terminal.backend_mut().resize(width, height);
        self.event(Event::Resize(width, height));
    }

    fn focus(&mut self, pane: PaneName) {
        for _ in 0..PaneName::ALL.len() {
            if self.app.focus() != pane {
                self.key(KeyCode::Tab);
            }
        }
        assert_eq!(self.app.focus(), pane);
    }

    fn buffer(&self) -> &Buffer {
        self.terminal.backend().buffer()
    }

    fn text(&self) -> String {
        text(self.buffer())
    }

    /// The position of a text on the screen.
    fn find(&self, text: &str) -> (usize, usize) {
        let screen = self.text();
        let found = screen.lines().enumerate().find_map(|(row, line)| {
            let at = line.find(text)?;
            Some((line[..at].chars().count(), row))
        });
        found.unwrap_or_else(|| panic!("no `{text}` on\n{screen}"))
    }
}

/// The characters of a screen.
fn text(buffer: &Buffer) -> String {
    let rows = buffer.content.chunks(usize::from(buffer.area.width).max(1));
    let rows = rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>());
    rows.map(|row| row.trim_end().to_string() + "\n").collect()
}

fn updates() -> bool {
    std::env::var_os("FLEXGRIP_UPDATE").is_some()
}

/// Compares a text with a file of the project, or writes the file.
fn compare(path: &Path, found: &str) {
    if updates() {
        std::fs::write(path, found).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        expected == found,
        "{} differs; `cargo xtask update screens` writes it. Expected:\n{expected}\nFound:\n{found}",
        path.display()
    );
}

fn golden(name: &str) -> PathBuf {
    root()
        .join("sim/tests/debugger/terminal/screens")
        .join(format!("{name}.txt"))
}

fn compare_screen(name: &str, screen: &Screen) {
    compare(&golden(name), &screen.text());
}

/// Moves to a state in the loop, after some threads of the last warp have left it; with a breakpoint and an address in
/// shared memory.
fn in_the_middle(screen: &mut Screen) {
    screen.command("when active != 0xffffffff of 0.7");
    screen.keys("css");
    screen.command("break 0x58");
    screen.command("memory shared:0x10");
    screen.command("lane 9");
}

#[test]
fn all_panes_are_drawn() {
    for (name, look) in [("all-unicode", UNICODE), ("all-ascii", ASCII)] {
        let mut screen = Screen::new((100, 40), look);
        in_the_middle(&mut screen);
        compare_screen(name, &screen);
        assert_eq!(look.unicode, !screen.text().is_ascii());
    }
}

#[test]
fn beginning_and_end_are_drawn() {
    let mut screen = Screen::new((100, 40), ASCII);
    compare_screen("beginning", &screen);
    screen.keys("c");
    compare_screen("end", &screen);
    screen.keys("r");
    let beginning = screen.find("instruction 0, warp 0.0, lane 0: 0x0000");
    assert_eq!(beginning, (0, 0), "restarted");
}

#[test]
fn each_pane_is_drawn_alone() {
    for (name, look) in [("small-unicode", UNICODE), ("small-ascii", ASCII)] {
        let mut screen = Screen::new((20, 10), look);
        in_the_middle(&mut screen);
        let mut screens = String::new();
        for pane in PaneName::ALL {
            screen.focus(pane);
            screens += &screen.text();
        }
        compare(&golden(name), &screens);
    }
}

#[test]
fn help_shows_the_keys() {
    let mut screen = Screen::new((100, 40), UNICODE);
    screen.keys("?");
    compare_screen("help-unicode", &screen);
    screen.key(KeyCode::Esc);
    screen.find("? keys  q quit  s step");
    screen.resize(20, 10);
    screen.key(KeyCode::F(1));
    for _ in 0..50 {
        screen.key(KeyCode::Down);
    }
    compare_screen("help-small-end", &screen);
    screen.keys("x");
    screen.find("w0.0 l0 0000");
}

#[test]
fn programs_without_lines_fit_narrow_terminals() {
    let mut screen = Screen::of(session(&kernel(), false), (80, 24), ASCII);
    compare_screen("no-lines", &screen);
    screen.keys("n");
    screen.find("the program has no line information");
    for _ in 0..20 {
        screen.key(KeyCode::Tab);
        assert_ne!(screen.app.focus(), PaneName::Source);
    }
}

/// The number of characters with a colour; bold and dim do not count.
fn colours(buffer: &Buffer) -> usize {
    use ratatui::style::Color;
    let plain = |cell: &&ratatui::buffer::Cell| cell.fg == Color::Reset && cell.bg == Color::Reset;
    buffer.content.len() - buffer.content.iter().filter(plain).count()
}

#[test]
fn colours_are_optional() {
    for look in [UNICODE, ASCII] {
        let mut screen = Screen::new((100, 40), look);
        in_the_middle(&mut screen);
        screen.key(KeyCode::Tab);
        assert_eq!(colours(screen.buffer()) > 0, look.colours);
    }
}

#[test]
fn keys_step_both_ways() {
    let mut screen = Screen::new((100, 40), ASCII);
    screen.keys("sssn");
    let there = screen.text();
    screen.keys("yjJYN");
    assert!(!screen.text().is_empty() && screen.app.console().session.target().time() > 0);
    screen.keys("r");
    screen.keys("sssn");
    let status = |text: &str| text.lines().next().map(str::to_string);
    assert_eq!(status(&screen.text()), status(&there));
    screen.keys("SSSSS");
    assert_eq!(screen.app.console().session.target().time(), 0);
    screen.find("at the beginning");
    screen.keys("q");
    assert!(screen.app.quits());
}

#[test]
fn breakpoints_are_set_by_key_and_mouse() {
    let mut screen = Screen::new((100, 40), ASCII);
    let points = |screen: &Screen| screen.app.console().session.points().len();
    let (column, row) = screen.find("0008  R2A");
    screen.mouse(MouseEventKind::Down(MouseButton::Left), column + 8, row);
    assert_eq!((screen.app.focus(), points(&screen)), (PaneName::Code, 1));
    screen.find("*0008  R2A");
    screen.keys("c");
    screen.find("breakpoint 1: ");
    screen.find(">*0008  R2A");
    screen.keys("b");
    assert_eq!(points(&screen), 0);
    screen.find("breakpoint 1 deleted");
    // In the source pane: for a line without instructions, the message names a line with some.
    screen.focus(PaneName::Source);
    screen.key(KeyCode::Up);
    screen.key(KeyCode::Up);
    screen.keys("b");
    screen.find("line 31 has no instructions");
    let (column, row) = screen.find("R2A A1, R1, 2");
    screen.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
    assert_eq!(points(&screen), 1);
    screen.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
    assert_eq!(points(&screen), 0);
}

#[test]
fn warps_and_lanes_are_selected() {
    let mut screen = Screen::new((100, 40), ASCII);
    let chosen = |screen: &Screen| {
        let session = &screen.app.console().session;
        (session.warp().unwrap().to_string(), session.lane())
    };
    screen.keys("wwWL");
    assert_eq!(chosen(&screen), ("0.1".into(), 31));
    let (column, row) = screen.find(" 0.3 ");
    screen.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
    assert_eq!((screen.app.focus(), chosen(&screen).0), (PaneName::Warps, "0.3".into()));
    screen.focus(PaneName::Lanes);
    screen.key(KeyCode::Right);
    assert_eq!(chosen(&screen).1, 0);
    let (column, row) = screen.find("lane  ");
    screen.mouse(MouseEventKind::Down(MouseButton::Left), column + 5 + 2 * 9, row);
    assert_eq!(chosen(&screen).1, 2);
    screen.keys("t");
    screen.find("registers of 0.3, .s");
    screen.keys("tt");
    screen.find("registers of 0.3, .u");
    // The right arrow key scrolls to the part that does not fit.
    screen.resize(20, 10);
    screen.focus(PaneName::Warps);
    screen.key(KeyCode::Right);
    screen.key(KeyCode::Right);
    screen.find("its turn");
}

#[test]
fn memories_are_selected_and_scrolled() {
    let mut screen = Screen::new((100, 40), ASCII);
    screen.focus(PaneName::Memory);
    screen.find("global memory, .u");
    screen.keys("t");
    screen.find("global memory, .s");
    screen.key(KeyCode::End);
    screen.find("the end");
    screen.key(KeyCode::Home);
    screen.find("00000000 ");
    screen.keys("m");
    screen.find("shared memory of block 0");
    screen.keys("a10.u8");
    screen.key(KeyCode::Enter);
    screen.find("shared memory of block 0, .u8");
    screen.find("00000010 ");
    let (column, row) = screen.find("00000010 ");
    screen.mouse(MouseEventKind::ScrollDown, column, row);
    assert!(!screen.text().contains("00000010 "), "scrolled");
    screen.keys("a99999999");
    screen.key(KeyCode::Enter);
    screen.find("are not all in");
}

#[test]
fn commands_are_typed_and_recalled() {
    let mut screen = Screen::new((100, 40), ASCII);
    screen.command("print R1");
    screen.command("stpe");
    screen.find("did you mean `step`?");
    screen.keys(":");
    screen.key(KeyCode::Up);
    screen.key(KeyCode::Up);
    screen.find(":print R1");
    screen.event(Event::Paste("23".into()));
    screen.find(":print R123");
    screen.key(KeyCode::Esc);
    screen.command("help");
    screen.focus(PaneName::Output);
    screen.key(KeyCode::PageUp);
    screen.key(KeyCode::Home);
    screen.find("> print R1");
    screen.command("quit");
    assert!(screen.app.quits());
}

/// A long command is shown as running before it ends.
#[test]
fn running_command_is_shown() {
    let mut screen = Screen::new((100, 40), ASCII);
    screen.app.handle(&Event::Key(KeyCode::Char('c').into()));
    assert!(screen.app.is_running());
    screen.draw();
    screen.find("continue: running; Esc interrupts");
}

const COMMANDS: &[&str] = &[
    "step 7",
    "line",
    "back-line",
    "join",
    "barrier",
    "goto 300",
    "goto 99999",
    "break next",
    "watch R2",
    "points",
    "delete 1",
    "warp 0.7",
    "warp 9.9",
    "lane 31",
    "registers",
    "lanes R5.f",
    "stack",
    "memory shared:0x1c.u8 9",
    "memory global:0xffffffff",
    "memory const3:0.s16",
    "memory local:0",
    "set R2 = 5",
    "set global:8 = 1.5",
    "flip x 1",
    "signals",
    "pipeline",
    "code",
    "list",
    "edits",
    "help",
    "where",
    "when R2 > 9",
    "stop-at-barrier",
    "print pc",
    "x",
];

/// Sends random events to screens of random sizes: no panic, and only ASCII characters if requested.
#[test]
fn random_events_cause_no_panic() {
    let rounds = if cfg!(feature = "soak") { 400 } else { 12 };
    for seed in 0..rounds {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let look = if seed % 2 == 0 { UNICODE } else { ASCII };
        let size = (random.gen_range(1..130), random.gen_range(1..50));
        let mut screen = Screen::of(session(&kernel(), seed % 3 > 0), size, look);
        for _ in 0..150 {
            let (width, height) = (screen.buffer().area.width, screen.buffer().area.height);
            match random.gen_range(0..20) {
                0 => screen.resize(random.gen_range(1..130), random.gen_range(1..50)),
                1 => screen.resize(20, 10),
                2..=4 => {
                    let kinds = [
                        MouseEventKind::Down(MouseButton::Left),
                        MouseEventKind::ScrollUp,
                        MouseEventKind::ScrollDown,
                        MouseEventKind::Moved,
                    ];
                    let (column, row) = (random.gen_range(0..width + 2), random.gen_range(0..height + 2));
                    screen.mouse(kinds[random.gen_range(0..4)], column.into(), row.into());
                }
                5..=7 => {
                    let command = COMMANDS[random.gen_range(0..COMMANDS.len())];
                    screen.event(Event::Key(KeyCode::Esc.into()));
                    screen.command(command);
                }
                8 => screen.event(Event::Paste("x\ty\u{1b}é漢\n".into())),
                9..=11 => {
                    let codes = [
                        KeyCode::Up,
                        KeyCode::Down,
                        KeyCode::Left,
                        KeyCode::Right,
                        KeyCode::Home,
                        KeyCode::End,
                        KeyCode::PageUp,
                        KeyCode::PageDown,
                        KeyCode::Tab,
                        KeyCode::BackTab,
                        KeyCode::Enter,
                        KeyCode::Backspace,
                        KeyCode::Delete,
                        KeyCode::Esc,
                        KeyCode::F(1),
                    ];
                    screen.key(codes[random.gen_range(0..codes.len())]);
                }
                12 => screen.event(Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL))),
                13 => screen.keys(["é", "漢", "\u{7f}", "\u{300}"][random.gen_range(0..4)]),
                _ => screen.keys(&char::from(random.gen_range(b' '..=b'~')).to_string()),
            }
            assert!(look.unicode || screen.text().is_ascii(), "seed {seed}");
        }
    }
}

#[test]
fn picture_equals_the_screen() {
    let mut screen = Screen::new((110, 38), UNICODE);
    in_the_middle(&mut screen);
    compare(&root().join("docs/debugging.svg"), &picture::svg(screen.buffer()));
}
