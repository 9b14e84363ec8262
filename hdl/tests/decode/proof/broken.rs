//! Mutations of the Verilog, for the test that the proof detects them: of every statement, and of the rows.

use std::fmt;

/// A mutation of a line of the Verilog.
pub struct Change {
    /// The line's number, from 1.
    line: usize,
    from: String,
    to: String,
}

impl Change {
    /// The text with the change applied.
    pub fn of(&self, verilog: &str) -> String {
        let lines = verilog.lines().enumerate();
        let lines = lines.map(|(index, line)| if index + 1 == self.line { &self.to } else { line });
        lines.collect::<Vec<_>>().join("\n") + "\n"
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.from.trim(), self.to.trim());
        write!(f, "line {}, `{from}` made `{to}`", self.line)
    }
}

/// All mutations of a line.
fn variants(line: &str) -> Vec<String> {
    let mut found = vec![];
    // One token replaced by another, at each occurrence.
    for (from, to) in [
        // A condition missing, or added.
        (" && ", " || "),
        (" || ", " && "),
        (" == ", " != "),
        (" != ", " == "),
        (" < ", " <= "),
        ("(!", "("),
        (" !", " "),
        ("if (", "if (!"),
        // A flag not set, or not cleared.
        ("= 1'b1;", "= 1'b0;"),
        ("= 1'b0;", "= 1'b1;"),
        // A legality rule missing.
        ("exists = opcodes", "exists = 1'b1 || opcodes"),
        ("exists = subops", "exists = 1'b1 || subops"),
    ] {
        let whole = |at: &usize| !(from.ends_with('!') && line[at + from.len()..].starts_with('='));
        for at in line.match_indices(from).map(|(at, _)| at).filter(whole) {
            found.push(format!("{}{to}{}", &line[..at], &line[at + from.len()..]));
        }
    }
    // Another bit of the word; a narrower field, and the field next to it.
    const WORD: &str = "d_word[";
    for (at, _) in line.match_indices(WORD) {
        let from = at + WORD.len();
        let Some(length) = line[from..].find(']') else {
            continue;
        };
        let mut put = |range: String| found.push(format!("{}{range}{}", &line[..from], &line[from + length..]));
        let beside = |bit: u32| if bit < 63 { bit + 1 } else { bit - 1 };
        match line[from..from + length].split_once(':') {
            None => {
                if let Ok(bit) = line[from..from + length].parse() {
                    put(beside(bit).to_string());
                }
            }
            Some((high, low)) => {
                if let (Ok(high), Ok(low)) = (high.parse::<u32>(), low.parse::<u32>()) {
                    put(format!("{}:{low}", high - 1));
                    let up = high < 63;
                    put(if up { format!("{}:{}", high + 1, low + 1) } else { format!("{}:{}", high - 1, low - 1) });
                }
            }
        }
    }
    // Another constant.
    for (at, _) in line.match_indices("'d") {
        let digits: String = line[at + 2..].chars().take_while(char::is_ascii_digit).collect();
        let width: String = line[..at].chars().rev().take_while(char::is_ascii_digit).collect();
        let width: String = width.chars().rev().collect();
        if let (Ok(number), Ok(width)) = (digits.parse::<u64>(), width.parse::<u32>()) {
            let other = (number + 1) & (u64::MAX >> 64u32.saturating_sub(width).min(63));
            let end = at + 2 + digits.len();
            found.push(format!("{}'d{other}{}", &line[..at], &line[end..]));
        }
    }
    found
}

/// Each constant, such as a row, with each of its one bits cleared in turn.
fn constants(line: &str) -> Vec<String> {
    let mut found = vec![];
    for (at, mark) in line.match_indices("'h") {
        let start = at + mark.len();
        let digits = line[start..].char_indices().map_while(|(place, digit)| Some((place, digit.to_digit(16)?)));
        for (place, value) in digits {
            for bit in (0..4).filter(|bit| value >> bit & 1 == 1) {
                let (before, after) = (&line[..start + place], &line[start + place + 1..]);
                found.push(format!("{before}{:x}{after}", value ^ 1 << bit));
            }
        }
    }
    found
}

/// All changes to the modules' statements, and to the rows in them.
pub fn changes(verilog: &str) -> Vec<Change> {
    let statements = verilog.lines().enumerate().filter(|(_, line)| {
        let line = line.trim_start();
        !line.starts_with("//") && !line.contains("wire [") && !line.contains("reg [")
    });
    let changed = statements.flat_map(|(index, line)| {
        variants(line).into_iter().chain(constants(line)).map(move |to| Change {
            line: index + 1,
            from: line.to_owned(),
            to,
        })
    });
    changed.collect()
}
