//! GTKWave save files for a waveform: the signals to show, their order and their format.
//!
//! There is one for all stages of the pipeline, one for the warp scheduler and one for memory ([`VIEWS`]). The signals
//! are found in the waveform's own header, so a save file never names a missing one. A register is shown by its output,
//! and the field `warp` of `s4` as `s4:warp`. Only the first of several SMs is shown. In a waveform of the circuits'
//! Verilog, where a bundle is one vector, the save file splits it.
//!
//! GTKWave's process filters ([`crate::waves::gtkwave_filter`]) show words of code as instructions and, for the
//! Verilog, numbers as the states of enums.

use crate::files::output::write_atomically;
use crate::waves::file::WaveFile;
use crate::waves::gtkwave_filter::{COMMAND, INSTRUCTION};
use crate::waves::header::read_wave_header;
use crate::waves::lines::{lines, Line};
use crate::waves::views::{View, VIEWS, WORDS_OF_CODE};
use hdlkit::waves::{VerilogSignal, PERIOD};
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

/// A line's flags in a save file: hexadecimal, binary, and through a process filter.
const HEXADECIMAL: u32 = 0x22;
const BINARY: u32 = 0x28;
const FILTERED: u32 = 0x4000;

/// A save file being written.
struct Save {
    text: String,
    /// The program that GTKWave runs as the filter.
    program: String,
    /// The filters named in the file so far, by number from 1.
    filters: Vec<String>,
}

impl Save {
    /// Sends the following filtered lines through the filter of `kind`.
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

    /// Writes a line with the label `name` in its group.
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
        // By default, GTKWave shows the part after the last dot, which would be `q` for a register.
        let range = match line.bits {
            0 | 1 => String::new(),
            bits => format!("[{}:0]", bits - 1),
        };
        let label = format!("{}{range}", name.replace('.', ":"));
        // GTKWave counts bits from the left.
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

/// The text of the save file of `view`. `dump`: the waveform's file; `program`: the name of this program for GTKWave;
/// `from`: the initial time.
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

/// A zoom of 2^5.5 ns per 200 pixels, about 25 cycles in a window of that size, or six instructions. No marker.
const ZOOM: &str = "*-5.500000 -1\n";

/// The name of this program for GTKWave. GTKWave splits it at blanks, so a program with blanks in its path must be in
/// the PATH.
fn this_program() -> String {
    let path = std::env::current_exe()
        .ok()
        .and_then(|path| path.to_str().map(String::from));
    path.filter(|path| !path.contains(char::is_whitespace))
        .unwrap_or_else(|| "flexgrip".into())
}

/// Writes the save files next to the waveform, with the extensions `.gtkw`, `.scheduler.gtkw` and so on, and returns
/// their paths. `verilog`: the circuit's signals, if the waveform is from its Verilog.
///
/// # Errors
/// The waveform cannot be read, or a save file cannot be written.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::waves::views::Group;
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

    /// The save file of a waveform with this header, and its signal lines.
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
