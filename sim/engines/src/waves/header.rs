//! A waveform's header: its variables. Read from VCD files, and from FST files through GTKWave's `fst2vcd`.

use crate::waves::file::{WaveFile, WaveFormat};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::process::{Command, Stdio};

/// A variable in a waveform's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The names of the scopes and of the variable, joined by dots; an array element as `a[3]`.
    pub name: String,
    /// Width in bits; 0 for a text, a real number, or an event.
    pub bits: u32,
    /// First and last index of a vector, if the header gives them.
    pub range: Option<(i64, i64)>,
}

/// The variables of a waveform, in the order of its header.
///
/// # Errors
/// The file cannot be read, or the tool that reads FST files is not installed.
pub fn read_wave_header(wave: &WaveFile) -> io::Result<Vec<Variable>> {
    match wave.format {
        WaveFormat::Vcd => read_vcd_header(BufReader::new(File::open(&wave.path)?)),
        WaveFormat::Fst => read_converted_header(Command::new(FST_READER).arg("--fstname").arg(&wave.path)),
    }
}

/// GTKWave's reader of FST files; its `vcd2fst` writes them.
const FST_READER: &str = "fst2vcd";

/// Reads the header of an FST file from its conversion by `command`, and not the rest, which may be gigabytes of VCD.
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
                    format!("{tool}, which reads FST files, is not installed; run `make tools`, or write a .vcd file")
                }
                _ => format!("{tool} cannot be run: {error}"),
            };
            io::Error::new(error.kind(), message)
        })?;
    let header = match child.stdout.take() {
        Some(output) => read_vcd_header(BufReader::new(output)),
        None => Err(io::Error::other("no output")),
    };
    // The rest is not needed. Killing fails if the tool has already ended, which is fine.
    let _ = child.kill();
    child.wait()?;
    header.map_err(|error| {
        let mut said = String::new();
        if let Some(mut stderr) = child.stderr.take() {
            // Used only in the message; may be missing.
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
/// The crate `vcd` is not used because it rejects SystemVerilog types (`$var logic`), which `fst2vcd` writes.
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
                    .map_err(|_| bad_header(&format!("`{bits}` is not a number of bits")))?;
                let (name, range) = vcd_reference(reference, bits);
                let mut path = scopes.clone();
                path.push(name);
                variables.push(Variable {
                    name: path.join("."),
                    bits: match kind.as_str() {
                        // Writers give these any number of bits.
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
            // Dates, versions and extensions of tools.
            _ => {}
        }
    }
}

/// A variable's name and range, from its reference: `f_word [23:0]` or only a name. Brackets that do not span `bits`
/// bits are part of the name.
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

/// The longest word accepted in a header: a file with a longer one is not text.
const LONGEST_WORD: usize = 1 << 16;

/// The next word of a VCD file, given as its bytes.
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
        format!("not a waveform's header: {message}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_other_tools_are_read() {
        // As written by Verilator and fst2vcd: comments, indentation, SystemVerilog types, arrays.
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
        // Surplus `$upscope`s do no harm.
        let header = "$upscope $end $var wire 1 ! a $end $enddefinitions $end";
        assert_eq!(read_vcd_header(header.as_bytes()).unwrap()[0].name, "a");
    }

    /// Reads the header from the output of a shell `script`.
    fn converted(script: &str) -> io::Result<Vec<Variable>> {
        read_converted_header(Command::new("sh").arg("-c").arg(script))
    }

    #[test]
    fn the_tool_for_fst_is_stopped_behind_the_header() {
        // These commands never end.
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
}
