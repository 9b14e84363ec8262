//! GTKWave save files for a waveform: which signals to show, in which order, and how.
//!
//! There is one for all stages of the pipeline, one for the warp scheduler and one for memory ([`VIEWS`]). The signals are
//! found in the waveform's own header, so a save file never names one that is not there; registers are shown by their
//! output, and the field `warp` of `s4` as `s4:warp`. Of several SMs the first is shown. In a waveform of the circuits'
//! Verilog, where a bundle is one vector, the save file takes it apart.
//!
//! Words of code are shown as instructions, and there numbers as the states of enums, by GTKWave's process filters
//! ([`crate::gtkwave_filter`]).

use crate::engine::{WaveFile, WaveFormat};
use crate::file_output::write_atomically;
use crate::gtkwave_filter::{COMMAND, INSTRUCTION};
use hdlkit::waves::{VerilogSignal, PERIOD};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A save file.
#[derive(Debug)]
pub struct View {
    /// What stands between the waveform's name and `.gtkw`; nothing for the main one.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
    groups: &'static [Group],
}

impl View {
    /// What its groups are called.
    pub fn titles(&self) -> impl Iterator<Item = &'static str> {
        self.groups.iter().map(|group| group.title)
    }
}

/// A group: its title, the end of its scope's path, and what is shown of it in this order: signals by their names as in
/// `hdl/src`, with all fields, or one field of a bundle (`s4.warp`), or all that begin alike (`s_*`).
#[derive(Debug)]
struct Group {
    title: &'static str,
    scope: &'static str,
    signals: &'static [&'static str],
}

/// All save files.
pub const VIEWS: &[View] = &[
    View {
        name: "",
        about: "a group for each stage of the pipeline",
        groups: STAGES,
    },
    View {
        name: "scheduler",
        about: "which warps may issue, which wait, and for what",
        groups: SCHEDULER,
    },
    View {
        name: "memory",
        about: "global, local, shared and constant memory: accesses, requests, answers",
        groups: MEMORY,
    },
];

/// Signals that hold one instruction.
const WORDS_OF_CODE: [&str; 6] = [
    "s1_word",
    "s2.word",
    "s3_word",
    "s4_word",
    "s_issued_word",
    "issue_word",
];

/// The stages, in the order in which an instruction meets them.
const STAGES: &[Group] = &[
    Group {
        title: "host",
        scope: "host",
        signals: &["host_*", "launch_start*", "grid_*", "interrupt*"],
    },
    Group {
        title: "block scheduler",
        scope: "block_scheduler",
        signals: &["launch_*", "init_*", "shared_init_*", "grid_*", "warp_ended*"],
    },
    Group {
        title: "fetch",
        scope: "sm[0].fetch",
        signals: &["f_*", "f0*", "f1*", "instruction_*"],
    },
    Group {
        title: "warp scheduler and decode",
        scope: "sm[0].scheduler",
        signals: &["s_*", "s0*", "s1*", "s2*", "s3*", "s4*", "taken*", "alive*", "waiting*"],
    },
    Group {
        title: "scoreboard",
        scope: "sm[0].scheduler.scoreboard",
        signals: &["s_*", "pending_*"],
    },
    Group {
        title: "read",
        scope: "sm[0].read",
        signals: &["r_*", "r0*", "r1*"],
    },
    Group {
        title: "operand collector",
        scope: "sm[0].collector",
        signals: &["c_*", "a0*", "a1*", "access_*"],
    },
    Group {
        title: "execute",
        scope: "sm[0].execute",
        signals: &["x_*", "x1_*", "x2*", "x3*", "x4*", "x5*", "x6*", "x7*", "w*"],
    },
    Group {
        title: "float units",
        scope: "sm[0].execute.floats",
        signals: &["x_*", "x2*", "x3*", "x4*", "x5*", "x6*", "x7*", "w_*"],
    },
    Group {
        title: "special function units",
        scope: "sm[0].special_functions",
        signals: &["x_*", "queued*", "run*", "pair*", "under_way*", "finished*", "sf_*"],
    },
    Group {
        title: "branch unit",
        scope: "sm[0].branch",
        signals: &["b_*", "popping*", "resolved*"],
    },
    Group {
        title: "barrier unit",
        scope: "sm[0].barriers",
        signals: &["bar_*"],
    },
    Group {
        title: "global memory unit",
        scope: "sm[0].memory",
        signals: &["m_*", "m1*", "m2*", "m3*", "l_*", "memory_*"],
    },
    Group {
        title: "writeback",
        scope: "sm[0].writeback",
        signals: &["w_*", "init_*", "sf_*", "l_*"],
    },
];

/// Who is ready, who waits and why.
const SCHEDULER: &[Group] = &[
    Group {
        title: "issued",
        scope: "sm[0].trace",
        signals: &["issue_valid", "issue_warp", "issue_pc", "issue_word", "issue_tag"],
    },
    Group {
        title: "why none issued",
        scope: "sm[0].scheduler",
        signals: &["s_cause", "s_stop", "s_idle"],
    },
    Group {
        title: "warps",
        scope: "sm[0].scheduler",
        signals: &[
            "alive",
            "waiting",
            "barred",
            "f_available",
            "c_held",
            "taken",
            "s0_ready",
        ],
    },
    Group {
        title: "s1, the word",
        scope: "sm[0].scheduler",
        signals: &["s1", "s1_pc", "s1_word", "s1_moves", "s1_waits"],
    },
    Group {
        title: "s2, decode",
        scope: "sm[0].scheduler",
        signals: &["s2", "s2_moves"],
    },
    Group {
        title: "s3, what it is",
        scope: "sm[0].scheduler",
        signals: &["s3.valid", "s3.warp", "s3.pc", "s3_word", "s3_moves", "s3_asks"],
    },
    Group {
        title: "s4, the candidate",
        scope: "sm[0].scheduler",
        signals: &[
            "s4.valid",
            "s4.warp",
            "s4.pc",
            "s_issued_word",
            "s4.decoded.unit",
            "s4.decoded.control",
            "s4_may",
            "s4_path",
            "s4_issue",
            "s4_stays",
            "s4.bad",
            "s4.outside",
            "s4.misaligned",
            "s4_collector",
        ],
    },
    Group {
        title: "what it needs",
        scope: "sm[0].scheduler",
        signals: &[
            "s_slot",
            "s_hold",
            "port_busy",
            "memory_credits",
            "special_credits",
            "control_pending",
            "s_barrier_busy",
            "c_slot",
            "c_room",
            "c_storing",
            "c_incrementing",
            "c_injects",
            "c_injected",
            "address_writes",
        ],
    },
    Group {
        title: "scoreboard",
        scope: "sm[0].scheduler.scoreboard",
        signals: &["s_ask", "s_warp", "pending_*", "s_clear", "s_drained", "s_issue"],
    },
    Group {
        title: "scoreboard, released",
        scope: "sm[0].scheduler.scoreboard",
        signals: &["s_release*"],
    },
    Group {
        title: "branch unit",
        scope: "sm[0].scheduler",
        signals: &["s_resolved", "s_control_done"],
    },
    Group {
        title: "barriers",
        scope: "sm[0].scheduler",
        signals: &["s_barrier_release"],
    },
    Group {
        title: "warps begin",
        scope: "sm[0].scheduler",
        signals: &["s_launch", "s_launch_warp"],
    },
];

/// Where accesses are on their way.
const MEMORY: &[Group] = &[
    Group {
        title: "accesses",
        scope: "sm[0].trace",
        signals: &[
            "memory_valid",
            "memory_tag",
            "memory_beat",
            "memory_store",
            "memory_local",
            "memory_size",
            "memory_lanes",
            "memory_address_*",
        ],
    },
    Group {
        title: "queue of beats",
        scope: "sm[0].memory",
        signals: &["m_enqueue", "m_mask", "waiting", "tail", "head", "m_dequeued", "m_idle"],
    },
    Group {
        title: "coalescer",
        scope: "sm[0].memory.coalescer",
        signals: &[
            "strict",
            "one_by_one",
            "pending",
            "leader",
            "segment",
            "served",
            "rest",
            "complete",
        ],
    },
    Group {
        title: "requests under way",
        scope: "sm[0].memory",
        signals: &["done", "m2", "m3"],
    },
    Group {
        title: "memory port of the SM",
        scope: "sm[0].memory",
        signals: &[
            "memory_request_valid",
            "memory_request_ready",
            "memory_request_write",
            "memory_request_address",
            "memory_request_enable_*",
            "memory_request_data_*",
            "memory_response_valid",
            "memory_response_data_*",
        ],
    },
    Group {
        title: "loads",
        scope: "sm[0].memory",
        signals: &[
            "awaited_count",
            "load_count",
            "load_complete",
            "l_valid",
            "l_ready",
            "l_mask",
            "l_data_*",
        ],
    },
    Group {
        title: "errors",
        scope: "sm[0].memory",
        signals: &["m_error", "m_error_tag"],
    },
    Group {
        title: "memory port of the chip",
        scope: "port_arbiter",
        signals: &[
            "request_valid*",
            "request_ready*",
            "request_write*",
            "chosen_sm",
            "response_valid*",
        ],
    },
    Group {
        title: "shared, a word for all threads",
        scope: "sm[0].shared_memory",
        signals: &["read_enable", "read_address", "read_word"],
    },
    Group {
        title: "shared, a word for each thread",
        scope: "sm[0].shared_memory",
        signals: &[
            "access_banks",
            "access_store",
            "access_row_*",
            "access_bytes_*",
            "access_word_*",
            "bank_word_*",
        ],
    },
    Group {
        title: "shared, bank conflicts",
        scope: "sm[0].collector",
        signals: &["c_conflict"],
    },
    Group {
        title: "shared, set up for a block",
        scope: "sm[0].shared_memory",
        signals: &["init_enable", "init_clear", "init_address", "init_data"],
    },
    Group {
        title: "constant memory",
        scope: "sm[0].constant_memory",
        signals: &["read_enable", "read_address", "read_word"],
    },
];

/// Something that a viewer can show as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    /// The signal's or field's path here, without a register's `q` and with `_3` for `[3]`.
    name: String,
    /// Its variable's path as GTKWave writes it, with the bit range of a vector.
    variable: String,
    /// Bits; 0 for a text.
    bits: u32,
    /// If it is a part of the variable: its lowest bit, and the variable's bits.
    part: Option<(u32, u32)>,
    /// The enum that the value is a number of.
    states: Option<String>,
}

/// A path with `_3` for `[3]`.
fn plain(path: &str) -> String {
    path.replace('[', "_").replace(']', "")
}

/// The name of a signal by its path and field, without a register's `q`; None for a register's other signals.
fn line_name(path: &str, field: &str) -> Option<String> {
    let mut parts: Vec<&str> = path
        .split('.')
        .chain(field.split('.').filter(|f| !f.is_empty()))
        .collect();
    if parts.contains(&"d") || parts.last() == Some(&"clock") {
        return None;
    }
    parts.retain(|part| *part != "q");
    Some(plain(&parts.join(".")))
}

/// What a waveform shows. `verilog`: the circuit's signals, if it is one of the circuit's Verilog.
fn lines(header: &[Variable], verilog: Option<&[VerilogSignal]>) -> Vec<Line> {
    let by_name: Option<HashMap<(&str, &str), &VerilogSignal>> = verilog.map(|signals| {
        let named = signals.iter().map(|signal| ((&*signal.module, &*signal.name), signal));
        named.collect()
    });
    let mut lines = Vec::new();
    for variable in header {
        let full = &variable.name;
        let bits = variable.bits;
        let range = match variable.range {
            Some((msb, lsb)) if bits > 1 => format!("[{msb}:{lsb}]"),
            None if bits > 1 => format!("[{}:0]", bits - 1),
            _ => String::new(),
        };
        let path = format!("{full}{range}");
        let Some(signals) = &by_name else {
            lines.extend(line_name(full, "").map(|name| Line {
                name,
                variable: path,
                bits,
                part: None,
                states: None,
            }));
            continue;
        };
        // Verilator puts everything into a scope of its own, and the top's ports there once more.
        let module = full.strip_prefix("TOP.").unwrap_or(full).rsplit_once('.');
        let Some(signal) = module.and_then(|key| signals.get(&key)) else {
            continue;
        };
        if signal.width != bits as usize {
            continue;
        }
        for field in &signal.fields {
            let Some(name) = line_name(&signal.path, &field.name) else {
                continue;
            };
            lines.push(Line {
                name,
                variable: path.clone(),
                bits: field.width as u32,
                part: (!field.name.is_empty()).then_some((field.low as u32, bits)),
                states: field.states.as_ref().map(|(name, _)| name.clone()),
            });
        }
    }
    lines
}

/// What of `path` lies below a scope whose path ends in `scope`.
fn below<'a>(path: &'a str, scope: &str) -> Option<&'a str> {
    let (at, _) = path.match_indices(scope).find(|(at, _)| {
        let starts = *at == 0 || path.as_bytes()[at - 1] == b'.';
        starts && path.as_bytes().get(at + scope.len()) == Some(&b'.')
    })?;
    Some(&path[at + scope.len() + 1..])
}

/// Whether a group's `pattern` means the signal or field `name`.
fn means(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name
            .strip_prefix(pattern)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
    }
}

impl Group {
    /// What is shown, with its name in the group, each line once.
    fn members<'a>(&self, lines: &'a [Line]) -> Vec<(&'a str, &'a Line)> {
        let scope = plain(self.scope);
        let here: Vec<(&str, &Line)> = lines
            .iter()
            .filter_map(|line| Some((below(&line.name, &scope)?, line)))
            .collect();
        let mut shown = vec![false; here.len()];
        let mut members = Vec::new();
        for pattern in self.signals {
            for ((name, line), shown) in here.iter().zip(&mut shown) {
                if !*shown && means(pattern, name) {
                    *shown = true;
                    members.push((*name, *line));
                }
            }
        }
        members
    }
}

/// A line's flags in a save file: hexadecimal, binary, and through a process filter.
const HEXADECIMAL: u32 = 0x22;
const BINARY: u32 = 0x28;
const FILTERED: u32 = 0x4000;

/// A save file being written.
struct Save {
    text: String,
    /// How GTKWave calls the filter.
    program: String,
    /// The filters that the file has named, in the order of their numbers, from 1.
    filters: Vec<String>,
}

impl Save {
    /// From here on filtered lines go through the filter of `kind`.
    fn filter(&mut self, kind: &str) {
        let known = self.filters.iter().position(|known| known == kind);
        let number = known.unwrap_or_else(|| {
            self.filters.push(kind.to_string());
            self.filters.len() - 1
        });
        let kind = match kind {
            INSTRUCTION => String::new(),
            kind => format!(" --kind {kind}"),
        };
        let _ = writeln!(self.text, "^>{} {} {COMMAND}{kind}", number + 1, self.program);
    }

    /// A line that is called `name` in its group.
    fn line(&mut self, name: &str, line: &Line) {
        let kind = match &line.states {
            Some(states) => Some(states.as_str()),
            None => (line.bits == 64 && WORDS_OF_CODE.contains(&name)).then_some(INSTRUCTION),
        };
        let flags = match kind {
            Some(_) => HEXADECIMAL | FILTERED,
            None if line.bits == 1 => BINARY,
            None => HEXADECIMAL,
        };
        let _ = writeln!(self.text, "@{flags:x}");
        if let Some(kind) = kind {
            self.filter(kind);
        }
        let variable = &line.variable;
        // GTKWave shows what is behind the last dot: of a register that would be `q`.
        let range = match line.bits {
            0 | 1 => String::new(),
            bits => format!("[{}:0]", bits - 1),
        };
        let label = format!("{}{range}", name.replace('.', ":"));
        // Bits are counted from the left.
        let bit = |bit: u32, all: u32| format!("({}){variable}", all - 1 - bit);
        let _ = match line.part {
            None if variable.ends_with(&format!(".{label}")) => writeln!(self.text, "{variable}"),
            None => writeln!(self.text, "+{{{label}}} {variable}"),
            Some((low, all)) if line.bits == 1 => writeln!(self.text, "+{{{label}}} {}", bit(low, all)),
            Some((low, all)) => {
                let bits: Vec<String> = (low..low + line.bits).rev().map(|low| bit(low, all)).collect();
                writeln!(self.text, "#{{{label}}} {}", bits.join(" "))
            }
        };
    }
}

/// The save file of `view`. `dump`: the waveform's file; `program`: how GTKWave calls this one; `from`: the time to begin at.
fn gtkwave_save(view: &View, lines: &[Line], dump: &str, program: &str, from: u64) -> String {
    let mut save = Save {
        text: format!("[*] Written by flexgrip: {}.\n[dumpfile] \"{dump}\"\n", view.about),
        program: program.into(),
        filters: Vec::new(),
    };
    let _ = writeln!(save.text, "[timestart] {from}\n[size] 1600 1000\n[pos] -1 -1");
    save.text.push_str(ZOOM);
    save.text.push_str("[sst_expanded] 1\n");
    for group in view.groups {
        let members = group.members(lines);
        if members.is_empty() {
            continue;
        }
        // 0x200 blank line, 0x800000 and 0x1000000 begin and end of a group.
        let _ = writeln!(save.text, "@800200\n-{}", group.title);
        for (name, line) in members {
            save.line(name, line);
        }
        let _ = writeln!(save.text, "@1000200\n-{}", group.title);
    }
    save.text
}

/// 2^5.5 ns for 200 pixels: about 25 cycles in a window of that size, room for an instruction in four of them. No marker.
const ZOOM: &str = "*-5.500000 -1\n";

/// How GTKWave calls this program: it splits at blanks, so one in a path that has some must be found in the PATH.
fn this_program() -> String {
    let path = std::env::current_exe()
        .ok()
        .and_then(|path| path.to_str().map(String::from));
    path.filter(|path| !path.contains(char::is_whitespace))
        .unwrap_or_else(|| "flexgrip".into())
}

/// Writes the save files beside the waveform, with `.gtkw`, `.scheduler.gtkw` and so on for its ending, and returns their
/// paths. `verilog`: the circuit's signals, if it is a waveform of the circuit's Verilog.
///
/// # Errors
/// The waveform cannot be read, or a save file not written.
pub fn write_gtkwave_saves(wave: &WaveFile, verilog: Option<&[VerilogSignal]>) -> io::Result<Vec<PathBuf>> {
    let lines = lines(&read_wave_header(wave)?, verilog);
    let dump = wave.path.canonicalize()?;
    let program = this_program();
    VIEWS
        .iter()
        .map(|view| {
            let ending = match view.name {
                "" => "gtkw".to_string(),
                name => format!("{name}.gtkw"),
            };
            let save = wave.path.with_extension(ending);
            let from = wave.from.max(1).saturating_mul(PERIOD);
            let text = gtkwave_save(view, &lines, &dump.to_string_lossy(), &program, from);
            write_atomically(&save, &text)?;
            Ok(save)
        })
        .collect()
}

/// A variable in a waveform's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    /// Its scopes' names and its own, with dots between; of an element of an array as `a[3]`.
    pub name: String,
    /// Bits; 0 for a text, a number with a point, or an event.
    pub bits: u32,
    /// First and last index of a vector, if the header gives them.
    pub range: Option<(i64, i64)>,
}

/// The variables of a waveform, in the order of its header.
///
/// # Errors
/// It cannot be read, or the tool that reads FST files is not installed.
pub(crate) fn read_wave_header(wave: &WaveFile) -> io::Result<Vec<Variable>> {
    match wave.format {
        WaveFormat::Vcd => read_vcd_header(BufReader::new(File::open(&wave.path)?)),
        WaveFormat::Fst => read_converted_header(Command::new(FST_READER).arg("--fstname").arg(&wave.path)),
    }
}

/// Comes with GTKWave, as does `vcd2fst`, which writes FST files.
const FST_READER: &str = "fst2vcd";

/// Reads what `command` makes of an FST file, as far as the header goes: all of it as VCD may be gigabytes.
fn read_converted_header(command: &mut Command) -> io::Result<Vec<Variable>> {
    let tool = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| {
            let message = match error.kind() {
                io::ErrorKind::NotFound => {
                    format!(
                        "{tool}, by which FST files are read, is not installed; run `make tools`, or write a .vcd file"
                    )
                }
                _ => format!("{tool} cannot be run: {error}"),
            };
            io::Error::new(error.kind(), message)
        })?;
    let header = match child.stdout.take() {
        Some(output) => read_vcd_header(BufReader::new(output)),
        None => Err(io::Error::other("no output")),
    };
    // What follows the header is of no use. A tool that has ended already cannot be killed, which is as well.
    let _ = child.kill();
    child.wait()?;
    header.map_err(|error| {
        let mut said = String::new();
        if let Some(mut stderr) = child.stderr.take() {
            // Only for the message.
            let _ = stderr.read_to_string(&mut said);
        }
        let message = match said.trim() {
            "" => error.to_string(),
            said => said.to_string(),
        };
        io::Error::new(error.kind(), format!("{tool}: {message}"))
    })
}

/// Reads a VCD file up to the end of its header.
///
/// Not with the crate `vcd`: it refuses the types of SystemVerilog (`$var logic`), which `fst2vcd` writes.
fn read_vcd_header(input: impl BufRead) -> io::Result<Vec<Variable>> {
    let mut bytes = input.bytes();
    let mut scopes: Vec<String> = Vec::new();
    let mut variables = Vec::new();
    loop {
        let command = vcd_word(&mut bytes)?;
        if !command.starts_with('$') {
            return Err(bad_header(&format!("expected a command, found `{command}`")));
        }
        let mut words = Vec::new();
        loop {
            match vcd_word(&mut bytes)? {
                word if word == "$end" => break,
                word => words.push(word),
            }
        }
        match (command.as_str(), &words[..]) {
            ("$scope", [_, name, ..]) => scopes.push(name.clone()),
            ("$upscope", []) => {
                scopes.pop();
            }
            ("$var", [kind, bits, _, reference @ ..]) if !reference.is_empty() => {
                let bits = bits
                    .parse()
                    .map_err(|_| bad_header(&format!("`{bits}` is no number of bits")))?;
                let (name, range) = vcd_reference(reference, bits);
                let mut path = scopes.clone();
                path.push(name);
                variables.push(Variable {
                    name: path.join("."),
                    bits: match kind.as_str() {
                        // Writers give them any number.
                        "string" | "real" | "realtime" | "real_parameter" | "shortreal" | "event" => 0,
                        _ => bits.max(1),
                    },
                    range,
                });
            }
            ("$enddefinitions", _) => return Ok(variables),
            ("$scope" | "$upscope" | "$var", words) => {
                return Err(bad_header(&format!(
                    "`{command} {}` is not understood",
                    words.join(" ")
                )));
            }
            // Dates, versions and whatever tools add.
            _ => {}
        }
    }
}

/// A variable's name and range, of what its definition calls it: `f_word [23:0]` or only a name. What is in brackets and
/// does not have as many bits is a part of the name.
fn vcd_reference(reference: &[String], bits: u32) -> (String, Option<(i64, i64)>) {
    if let [name @ .., last] = reference {
        let range = last.strip_prefix('[').and_then(|last| last.strip_suffix(']'));
        let range = range.and_then(|range| {
            let (msb, lsb) = range.split_once(':').unwrap_or((range, range));
            Some((msb.parse::<i64>().ok()?, lsb.parse::<i64>().ok()?))
        });
        let range = range.filter(|(msb, lsb)| msb.abs_diff(*lsb).checked_add(1) == Some(bits.into()));
        if range.is_some() && !name.is_empty() {
            return (name.join(" "), range);
        }
    }
    (reference.join(" "), None)
}

/// The longest word that a header may have: whatever has a longer one is not text.
const LONGEST_WORD: usize = 1 << 16;

/// The next word of a VCD file, of which these are the bytes.
fn vcd_word(bytes: &mut impl Iterator<Item = io::Result<u8>>) -> io::Result<String> {
    let mut word = Vec::new();
    for byte in bytes {
        let byte = byte?;
        match (byte.is_ascii_whitespace(), word.is_empty()) {
            (true, true) => {}
            (true, false) => return Ok(String::from_utf8_lossy(&word).into_owned()),
            (false, _) if word.len() == LONGEST_WORD => return Err(bad_header("a word without an end")),
            (false, _) => word.push(byte),
        }
    }
    if word.is_empty() {
        let message = "it ends before its header does";
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
    }
    Ok(String::from_utf8_lossy(&word).into_owned())
}

fn bad_header(message: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("no header of a waveform: {message}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdlkit::waves::VerilogField;

    const HEADER: &str = "\
$timescale 1ns $end
$scope module top $end
$var wire 1 ! clock $end
$scope module sm[0] $end
$scope module read $end
$var wire 1 ! clock $end
$var wire 2 a r_beat $end
$var wire 1 b r_slot $end
$var wire 9 c place $end
$scope module r0 $end
$var wire 1 d d $end
$var wire 1 e q $end
$upscope $end
$var wire 64 g s1_word $end
$upscope $end
$scope module fetch $end
$var wire 24 f f_restart_pc [23:0] $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
$var wire 1 z r_late $end
";

    const VIEW: View = View {
        name: "",
        about: "two stages",
        groups: &[
            Group {
                title: "fetch",
                scope: "sm[0].fetch",
                signals: &["f_*"],
            },
            Group {
                title: "read",
                scope: "sm[0].read",
                signals: &["r0", "r_*", "s1_word"],
            },
        ],
    };

    /// What is shown of a waveform with this header.
    fn shown(header: &str, verilog: Option<&[VerilogSignal]>) -> (String, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.vcd");
        std::fs::write(&path, header).unwrap();
        let wave = WaveFile::new(&path).unwrap();
        let lines = lines(&read_wave_header(&wave).unwrap(), verilog);
        let save = gtkwave_save(&VIEW, &lines, "x.vcd", "/bin/flexgrip", 10);
        let signals = save.lines().skip_while(|line| !line.starts_with('@'));
        let signals = signals.map(String::from).collect();
        (save, signals)
    }

    #[test]
    fn groups_are_in_order_and_registers_are_their_outputs() {
        let (save, signals) = shown(HEADER, None);
        let expected = [
            "@800200",
            "-fetch",
            "@22",
            "top.sm[0].fetch.f_restart_pc[23:0]",
            "@1000200",
            "-fetch",
            "@800200",
            "-read",
            "@28",
            "+{r0} top.sm[0].read.r0.q",
            "@22",
            "top.sm[0].read.r_beat[1:0]",
            "@28",
            "top.sm[0].read.r_slot",
            "@4022",
            "^>1 /bin/flexgrip gtkwave-filter",
            "top.sm[0].read.s1_word[63:0]",
            "@1000200",
            "-read",
        ];
        assert_eq!(signals, expected);
        assert!(save.contains("[dumpfile] \"x.vcd\""));
    }

    #[test]
    fn headers_of_other_tools_are_read() {
        // What Verilator and fst2vcd write: comments, indentation, types of SystemVerilog, arrays.
        let header = "\
$version Generated by VerilatedVcd $end
$date\n\tTue Nov 24\n\n$end
 $scope module TOP $end
  $var wire  1 v(! clock $end
  $scope module gpgpu $end
   $var logic 64 %# counts[0] [63:0] $end
   $var parameter 3 k! number [0:2] $end
   $var wire 1 a bit [7] $end
   $var wire 8 b byte [3] $end
   $var wire 4 c signed [-1:-4] $end
  $upscope $end
  $var string 0 $$ state $end
  $var real 64 r x $end
  $var reg 0 e empty $end
 $upscope $end
$var integer 32 i outside [31:0] $end
$attrbegin misc 02 x 1 $end
$enddefinitions $end
";
        let variable = |name: &str, bits, range| Variable {
            name: name.into(),
            bits,
            range,
        };
        let expected = [
            variable("TOP.clock", 1, None),
            variable("TOP.gpgpu.counts[0]", 64, Some((63, 0))),
            variable("TOP.gpgpu.number", 3, Some((0, 2))),
            variable("TOP.gpgpu.bit", 1, Some((7, 7))),
            variable("TOP.gpgpu.byte [3]", 8, None),
            variable("TOP.gpgpu.signed", 4, Some((-1, -4))),
            variable("TOP.state", 0, None),
            variable("TOP.x", 0, None),
            variable("TOP.empty", 1, None),
            variable("outside", 32, Some((31, 0))),
        ];
        assert_eq!(read_vcd_header(header.as_bytes()).unwrap(), expected);
    }

    #[test]
    fn what_is_no_header_is_an_error() {
        let long = "x".repeat(1 << 20);
        for (header, message) in [
            ("", "ends before"),
            ("$scope module top $end\n", "ends before"),
            ("$var wire 1 ! clock", "ends before"),
            ("$enddefinitions", "ends before"),
            ("#10\n1!\n", "found `#10`"),
            ("$var wire one ! clock $end\n", "`one`"),
            ("$var wire 1 ! $end\n", "`$var wire 1 !`"),
            ("$var wire 4294967296 ! clock $end\n", "`4294967296`"),
            ("$scope module $end\n", "`$scope module`"),
            ("\u{7f}\u{0}\u{fffd} ", "expected a command"),
            (&long, "without an end"),
        ] {
            let error = read_vcd_header(header.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(message), "{header:.40}: {error}");
        }
        // More closed than opened does no harm.
        let header = "$upscope $end $var wire 1 ! a $end $enddefinitions $end";
        assert_eq!(read_vcd_header(header.as_bytes()).unwrap()[0].name, "a");
    }

    /// What is read of what a shell's `script` writes.
    fn converted(script: &str) -> io::Result<Vec<Variable>> {
        read_converted_header(Command::new("sh").arg("-c").arg(script))
    }

    #[test]
    fn the_tool_for_fst_is_stopped_behind_the_header() {
        // These never end by themselves.
        let header = "echo '$var wire 1 ! a $end $enddefinitions $end'; exec yes '#1'";
        assert_eq!(converted(header).unwrap()[0].name, "a");
        assert!(converted("exec yes").unwrap_err().to_string().contains("found `y`"));
    }

    #[test]
    fn the_tool_for_fst_may_fail_or_be_missing() {
        let error = converted("echo 'cannot open x.fst' >&2; exit 255").unwrap_err();
        assert_eq!(error.to_string(), "sh: cannot open x.fst");
        let error = converted("exit 0").unwrap_err();
        assert_eq!(error.to_string(), "sh: it ends before its header does");
        let error = read_converted_header(&mut Command::new("/none/fst2vcd")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(
            error.to_string().contains("is not installed; run `make tools`"),
            "{error}"
        );
    }

    #[test]
    fn a_bundle_in_verilog_is_taken_apart() {
        let field = |name: &str, low, width, states: Option<&str>| VerilogField {
            name: name.into(),
            low,
            width,
            states: states.map(|name| (name.into(), vec!["A".into(), "B".into()])),
        };
        let signal = |path: &str, name: &str, width, fields| VerilogSignal {
            path: format!("top.sm[0].read.{path}"),
            block: "top.sm[0].read".into(),
            module: "gpgpu.sm_0.read".into(),
            name: name.into(),
            width,
            fields,
        };
        let bundle = vec![
            field("valid", 0, 1, None),
            field("unit", 1, 1, Some("Unit")),
            field("place", 2, 2, None),
        ];
        let signals = [
            signal("r0.q", "r0_q", 4, bundle.clone()),
            signal("r0.d", "r0_d", 4, bundle),
            signal("r_cause", "r_cause", 3, vec![field("", 0, 3, Some("Cause"))]),
        ];
        let header = "$scope module TOP $end\n$scope module gpgpu $end\n$scope module sm_0 $end\n\
            $scope module read $end\n$var wire 4 ! r0_q [3:0] $end\n$var wire 4 # r0_d [3:0] $end\n\
            $var wire 3 % r_cause [2:0] $end\n$upscope $end\n$upscope $end\n$upscope $end\n$upscope $end\n\
            $enddefinitions $end\n";
        let (_, lines) = shown(header, Some(&signals));
        let path = "TOP.gpgpu.sm_0.read";
        let expected = [
            "@800200".to_string(),
            "-read".into(),
            "@28".into(),
            format!("+{{r0:valid}} (3){path}.r0_q[3:0]"),
            "@4022".into(),
            "^>1 /bin/flexgrip gtkwave-filter --kind Unit".into(),
            format!("+{{r0:unit}} (2){path}.r0_q[3:0]"),
            "@22".into(),
            format!("#{{r0:place[1:0]}} (0){path}.r0_q[3:0] (1){path}.r0_q[3:0]"),
            "@4022".into(),
            "^>2 /bin/flexgrip gtkwave-filter --kind Cause".into(),
            format!("{path}.r_cause[2:0]"),
            "@1000200".into(),
            "-read".into(),
        ];
        assert_eq!(lines, expected);
    }
}
