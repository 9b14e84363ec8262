//! A GTKWave save file for a waveform: one group a pipeline stage, in the order in which an instruction meets them.
//!
//! The groups are found in the waveform's own header, so a save file never names a signal that is not there. A stage's
//! signals carry its prefix, and its registers are shown by their output. Of several SMs the first is shown.

use crate::file_output::write_atomically;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// A group: its title, the end of its scope's path, and what the names in it start with.
struct Group {
    title: &'static str,
    scope: &'static str,
    prefixes: &'static [&'static str],
}

const GROUPS: &[Group] = &[
    Group {
        title: "host",
        scope: "host",
        prefixes: &["host_", "launch_start", "grid_", "interrupt"],
    },
    Group {
        title: "block scheduler",
        scope: "block_scheduler",
        prefixes: &["launch_", "init_", "shared_init_", "grid_", "warp_ended"],
    },
    Group {
        title: "fetch",
        scope: "sm[0].fetch",
        prefixes: &["f_", "f0", "f1", "instruction_"],
    },
    Group {
        title: "warp scheduler and decode",
        scope: "sm[0].scheduler",
        prefixes: &["s_", "s0", "s1", "s2", "alive", "waiting"],
    },
    Group {
        title: "scoreboard",
        scope: "sm[0].scheduler.scoreboard",
        prefixes: &["s_", "pending_"],
    },
    Group {
        title: "read",
        scope: "sm[0].read",
        prefixes: &["r_", "r0", "r1"],
    },
    Group {
        title: "operand collector",
        scope: "sm[0].collector",
        prefixes: &["c_", "a0", "a1", "access_"],
    },
    Group {
        title: "execute",
        scope: "sm[0].execute",
        prefixes: &["x_", "x1_", "x2", "x3", "x4", "x5", "x6", "w"],
    },
    Group {
        title: "float units",
        scope: "sm[0].execute.floats",
        prefixes: &["x_", "x2", "x3", "x4", "x5", "x6", "w_"],
    },
    Group {
        title: "special function units",
        scope: "sm[0].special_functions",
        prefixes: &["x_", "queued", "run", "pair", "under_way", "finished", "sf_"],
    },
    Group {
        title: "branch unit",
        scope: "sm[0].branch",
        prefixes: &["b_", "popping", "resolved"],
    },
    Group {
        title: "barrier unit",
        scope: "sm[0].barriers",
        prefixes: &["bar_"],
    },
    Group {
        title: "global memory unit",
        scope: "sm[0].memory",
        prefixes: &["m_", "m1", "m2", "l_", "memory_"],
    },
    Group {
        title: "writeback",
        scope: "sm[0].writeback",
        prefixes: &["w_", "init_", "sf_", "l_"],
    },
];

/// A variable of a VCD file as GTKWave names it.
#[derive(Debug, PartialEq, Eq)]
struct Variable {
    /// Scopes, then the name, with the bit range of a vector.
    path: String,
    bits: u32,
}

/// The variables that a VCD file's header declares.
fn variables(vcd: &str) -> Vec<Variable> {
    let mut scopes: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for line in vcd.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["$scope", _, name, ..] => scopes.push(name),
            ["$upscope", ..] => {
                scopes.pop();
            }
            ["$var", kind, bits, _, name, ref rest @ ..] => {
                let bits = bits.parse().unwrap_or(1);
                let range = match rest.first() {
                    Some(range) if range.starts_with('[') => (*range).to_string(),
                    _ if bits > 1 && kind != "string" => format!("[{}:0]", bits - 1),
                    _ => String::new(),
                };
                found.push(Variable {
                    path: format!("{}.{name}{range}", scopes.join(".")),
                    bits,
                });
            }
            ["$enddefinitions", ..] => break,
            _ => {}
        }
    }
    found
}

/// What of `path` lies below a scope whose path ends in `scope`.
fn below<'a>(path: &'a str, scope: &str) -> Option<&'a str> {
    let (at, _) = path.match_indices(scope).find(|(at, _)| {
        let starts = *at == 0 || path.as_bytes()[at - 1] == b'.';
        starts && path.as_bytes().get(at + scope.len()) == Some(&b'.')
    })?;
    Some(&path[at + scope.len() + 1..])
}

/// The save file for the waveform `vcd` (its text, or just its header) in the file `vcd_name`.
pub fn gtkwave_save(vcd: &str, vcd_name: &str) -> String {
    let variables = variables(vcd);
    let mut text =
        format!("[*] Written by flexgrip: a group for each stage of the pipeline.\n[dumpfile] \"{vcd_name}\"\n");
    text.push_str("[timestart] 0\n[size] 1600 1000\n[pos] -1 -1\n[sst_expanded] 1\n");
    for group in GROUPS {
        let members: Vec<&Variable> = variables
            .iter()
            .filter(|variable| {
                below(&variable.path, group.scope).is_some_and(|name| {
                    let parts: Vec<&str> = name.split(['.', '[']).collect();
                    let of_register = parts.contains(&"d") || parts.contains(&"clock");
                    group.prefixes.iter().any(|prefix| name.starts_with(prefix)) && !of_register
                })
            })
            .collect();
        if members.is_empty() {
            continue;
        }
        // 0x200 blank line, 0x800000 and 0x1000000 begin and end of a group; 0x22 hexadecimal, 0x28 binary.
        let _ = writeln!(text, "@800200\n-{}", group.title);
        for member in members {
            let _ = writeln!(text, "@{}\n{}", if member.bits == 1 { 28 } else { 22 }, member.path);
        }
        let _ = writeln!(text, "@1000200\n-{}", group.title);
    }
    text
}

/// Writes the save file beside the waveform, with `.gtkw` for its ending, and returns its path.
///
/// # Errors
/// The waveform cannot be read, or the save file not written.
pub fn write_gtkwave_save(wave: &Path) -> io::Result<PathBuf> {
    let mut header = String::new();
    for line in BufReader::new(File::open(wave)?).lines() {
        let line = line?;
        header.push_str(&line);
        header.push('\n');
        if line.starts_with("$enddefinitions") {
            break;
        }
    }
    let name = wave
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let save = wave.with_extension("gtkw");
    write_atomically(&save, &gtkwave_save(&header, &name))?;
    Ok(save)
}

#[cfg(test)]
mod tests {
    use super::*;

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
$upscope $end
$scope module fetch $end
$var wire 24 f f_restart_pc [23:0] $end
$upscope $end
$upscope $end
$upscope $end
$enddefinitions $end
$var wire 1 z r_late $end
";

    #[test]
    fn groups_are_the_stages_in_order() {
        let save = gtkwave_save(HEADER, "x.vcd");
        let signals: Vec<&str> = save.lines().skip_while(|line| !line.starts_with('@')).collect();
        let expected = [
            "@800200",
            "-fetch",
            "@22",
            "top.sm[0].fetch.f_restart_pc[23:0]",
            "@1000200",
            "-fetch",
            "@800200",
            "-read",
            "@22",
            "top.sm[0].read.r_beat[1:0]",
            "@28",
            "top.sm[0].read.r_slot",
            "@28",
            "top.sm[0].read.r0.q",
            "@1000200",
            "-read",
        ];
        assert_eq!(signals, expected);
        assert!(save.contains("[dumpfile] \"x.vcd\""));
    }
}
