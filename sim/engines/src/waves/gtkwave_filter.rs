//! GTKWave's process filter: GTKWave sends a signal's values to a program, one per line, and shows the program's
//! answers.
//!
//! Words of code become instructions. In waves of the Verilog, where an enum is a number, numbers become the names of
//! states, which are taken from the circuits. Invalid values are echoed unchanged, so unknown bits and mistakes remain
//! visible.

use crate::trace::assembler::instruction_of;
use crate::waves::error::WavesError;
use crate::waves::signals::machine_signals;
use flexgrip_gpu_isa::Set;
use flexgrip_hdl::parameters::MachineParameters;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

/// The name of [`Kind::Instruction`].
pub const INSTRUCTION: &str = "instruction";

/// The name of the subcommand that runs [`serve`].
pub const COMMAND: &str = "gtkwave-filter";

/// The kind of the values to translate.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Words of code: 64 bits, or 32 for a short instruction.
    Instruction,
    /// Words of another instruction set's code.
    Words(&'static Set),
    /// An enum of the circuits, or the rows of a decoder: the names of its values, from 0.
    States(Vec<String>),
}

/// The suffix that selects port `row` of a set's decoder, as in `g13.row`.
const ROW: &str = ".row";

impl Kind {
    /// The kind with this name: `instruction`; another instruction set, such as `g13`, or its decoder's rows,
    /// `g13.row`; or an enum, such as `IssueCause`.
    ///
    /// # Errors
    /// [`WavesError::Asked`] with the known names.
    pub fn named(name: &str) -> Result<Kind, WavesError> {
        if name == INSTRUCTION {
            return Ok(Kind::Instruction);
        }
        if let Some(set) = flexgrip_gpu_isa::set(name) {
            return Ok(Kind::Words(set));
        }
        if let Some(set) = name.strip_suffix(ROW).and_then(flexgrip_gpu_isa::set) {
            let names = set.all_rows().iter().map(|row| row.mnemonic.to_string());
            return Ok(Kind::States(names.collect()));
        }
        let mut enums = enums()?;
        match enums.remove(name) {
            Some(states) => Ok(Kind::States(states)),
            None => {
                let names: Vec<String> = enums.into_keys().collect();
                Err(WavesError::Asked(format!(
                    "unknown kind of values `{name}`; expected {INSTRUCTION} or one of the circuits' enums, {}",
                    names.join(", ")
                )))
            }
        }
    }

    /// The text for a value in hexadecimal or binary (see [`number`]); `None` if it is invalid.
    pub fn text(&self, value: &str) -> Option<String> {
        match self {
            Kind::Instruction => Some(instruction_of(number(value)?)?.to_string()),
            Kind::Words(set) => set.text_at(wide_number(value, 24)?, 0),
            Kind::States(states) => states.get(usize::try_from(number(value)?).ok()?).cloned(),
        }
    }
}

/// The circuits' enums, with the names of their states, from 0.
///
/// # Errors
/// The circuits could not be built.
pub fn enums() -> Result<BTreeMap<String, Vec<String>>, WavesError> {
    // All sizes have the same enums.
    let fields = machine_signals(MachineParameters::default())?
        .into_iter()
        .flat_map(|signal| signal.fields);
    Ok(fields.filter_map(|field| field.states).collect())
}

/// A number of up to 64 bits as GTKWave writes it: hexadecimal (also with `$` or `0x`), or binary, if it has a `%`
/// prefix or more than 16 digits, all 0 or 1. (`0b` may also begin a hexadecimal number.)
pub fn number(text: &str) -> Option<u64> {
    wide_number(text, 16).and_then(|value| u64::try_from(value).ok())
}

/// Like [`number`], for a signal of up to `most_digits` hexadecimal digits.
fn wide_number(text: &str, most_digits: usize) -> Option<u128> {
    let hexadecimal = text.strip_prefix('$').or_else(|| text.strip_prefix("0x"));
    let (digits, radix) = match (hexadecimal, text.strip_prefix('%')) {
        (Some(digits), _) => (digits, 16),
        (None, Some(digits)) => (digits, 2),
        (None, None) if text.len() > most_digits => (text, 2),
        (None, None) => (text, 16),
    };
    // `from_str_radix` would accept a sign.
    let plain = digits.chars().all(|digit| digit.is_digit(radix));
    u128::from_str_radix(digits, radix).ok().filter(|_| plain)
}

/// Answers each line of `input` with a line of `output`, at once, until the input ends or the reader is gone.
///
/// # Errors
/// `input` cannot be read, or `output` cannot be written.
pub fn serve(kind: &Kind, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let value = line.strip_suffix(b"\n").unwrap_or(&line);
        let text = std::str::from_utf8(value)
            .ok()
            .and_then(|value| kind.text(value.trim()));
        let answer = text.as_ref().map_or(value, |text| text.as_bytes());
        let written = output
            .write_all(answer)
            .and_then(|()| output.write_all(b"\n"))
            .and_then(|()| output.flush());
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            other => other?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_gtkwave_writes_them() {
        assert_eq!(number("04000780a0000005"), Some(0x0400_0780_a000_0005));
        assert_eq!(number("$1F"), Some(0x1f));
        assert_eq!(number("0x1f"), Some(0x1f));
        assert_eq!(number("11"), Some(0x11));
        assert_eq!(number("%11"), Some(3));
        assert_eq!(number(&"1".repeat(64)), Some(u64::MAX));
        assert_eq!(number(&"0".repeat(32)), Some(0));
        assert_eq!(number("0b00"), Some(0xb00));
        for bad in [
            "",
            "xx",
            "0000000z",
            "-1",
            "+1",
            "$",
            "%2",
            "12345678901234567",
            "hello",
        ] {
            assert_eq!(number(bad), None, "{bad}");
        }
        assert_eq!(number(&"1".repeat(65)), None);
    }

    #[test]
    fn words_and_rows_of_other_sets() {
        let words = Kind::named("g13").unwrap();
        assert_eq!(words.text("0000000000000002c485_9a"), None);
        assert_eq!(words.text("00000000000000020 2c4859a"), None);
        assert_eq!(words.text("000202c4859a").unwrap(), "fmul $r1, ^r2, 0.5");
        assert_eq!(words.text("000000000000000202c4859a").unwrap(), "fmul $r1, ^r2, 0.5");
        // A decoder's input has 96 bits.
        let binary = format!("{:096b}", 0x0002_02c4_859a_u128);
        assert_eq!(words.text(&binary).unwrap(), "fmul $r1, ^r2, 0.5");
        let rows = Kind::named("g13.row").unwrap();
        let set = flexgrip_gpu_isa::set("g13").unwrap();
        assert_eq!(rows.text("00A").unwrap(), set.all_rows()[10].mnemonic);
        assert_eq!(rows.text("3ff"), None);
        assert!(Kind::named("sm99.row").is_err());
    }

    #[test]
    fn states_are_those_of_the_circuits() {
        let enums = enums().unwrap();
        assert_eq!(enums["IssueCause"][..2], ["Issued", "ReadSlot"]);
        assert!(
            enums.len() > 8 && enums.values().all(|states| states.len() > 1),
            "{enums:?}"
        );
        let Kind::States(causes) = Kind::named("IssueCause").unwrap() else {
            panic!("no states");
        };
        assert_eq!(causes, enums["IssueCause"]);
        let error = Kind::named("Cause").unwrap_err().to_string();
        assert!(error.contains("`Cause`") && error.contains("instruction") && error.contains("IssueCause"));
    }
}
