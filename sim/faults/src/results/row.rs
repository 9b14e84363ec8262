//! Rows: one fault each, with its result.

use super::outcome::Outcome;
use crate::fault::{with_parameters, Fault, PARAMETERS, WEIGHT};
use crate::models::engine::Engine;
use crate::sites::list::Sites;
use crate::sites::site::Kind;
use crate::text::cells::{self, or_empty, push_line, quoted, Line, NUMBER};
use crate::text::error::Error;

/// The result of a fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The fault of this row.
    pub fault: Fault,
    /// The module of the site.
    pub module: String,
    /// The kind of the site.
    pub kind: Kind,
    /// The outcome of the run with the fault.
    pub outcome: Outcome,
    /// The name of the error code with which the machine stopped; not empty.
    pub code: Option<String>,
    /// Cycles of the run; `None` if it did not complete.
    pub cycles: Option<u64>,
    /// The number of words of the output that differ from the golden run.
    pub corrupted_words: u64,
    /// The number of bits of the output that differ from the golden run.
    pub corrupted_bits: u64,
    /// The bit positions that differ in any of these words.
    pub bit_positions: u32,
    /// The number of these words that are 0.
    pub zero_words: u64,
    /// The number of these words that are floats and NaNs.
    pub nan_words: u64,
    /// The number of threads that had stored these words last, in the golden run.
    pub corrupted_threads: u64,
    /// The number of warps of these threads.
    pub corrupted_warps: u64,
    /// The number of blocks of these threads.
    pub corrupted_blocks: u64,
    /// The largest |faulty - golden| / |golden| of the output's words, possibly NaN or infinite. `None` where it has no
    /// meaning.
    pub relative_error: Option<f64>,
    /// The arrangement of the corrupted words: `single`, `row`, `warp`, `scattered`; not empty.
    pub geometry: Option<String>,
    /// The first record that differs from the golden run.
    pub first_record: Option<FirstRecord>,
    /// The cycle of the first store to global memory that differs from the golden run.
    pub first_store: Option<u64>,
}

/// The first record of an executed instruction that differs from the golden run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FirstRecord {
    /// The cycle in which the record differed, not the cycle of the instruction's issue.
    pub cycle: u64,
    /// The streaming multiprocessor, from 0.
    pub sm: u32,
    /// The warp's slot in its SM.
    pub warp: u32,
    /// The byte address of the instruction.
    pub pc: u64,
    /// The disassembled instruction, such as `IADD R2, R2, R5`; for a word that is not an instruction, the reason in
    /// parentheses.
    pub instruction: String,
    /// The first thread of the warp with a difference, 0 to 31; `None` if the difference is not in a thread.
    pub thread: Option<u32>,
}

/// The type of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cell {
    /// Text that is not empty.
    Text,
    /// A whole number of 64 bits.
    Number,
    /// A hexadecimal number of 64 bits, with `0x` in front.
    Hexadecimal,
    /// A float of 64 bits, `NaN` and `inf` included.
    Real,
}

/// The columns of a file of results. Any change needs a new [version of plans](crate::campaign::plan::VERSION), because
/// users' scripts read these files.
const COLUMNS: &[(&str, Cell)] = &[
    ("plan", Cell::Text),
    ("id", Cell::Number),
    ("model", Cell::Text),
    ("site", Cell::Text),
    ("element", Cell::Number),
    ("bit", Cell::Number),
    ("bits", Cell::Number),
    ("cycle", Cell::Number),
    ("until", Cell::Number),
    ("module", Cell::Text),
    ("kind", Cell::Text),
    ("outcome", Cell::Text),
    ("code", Cell::Text),
    ("cycles", Cell::Number),
    ("corrupted_words", Cell::Number),
    ("corrupted_bits", Cell::Number),
    ("bit_positions", Cell::Hexadecimal),
    ("zero_words", Cell::Number),
    ("nan_words", Cell::Number),
    ("corrupted_threads", Cell::Number),
    ("corrupted_warps", Cell::Number),
    ("corrupted_blocks", Cell::Number),
    ("relative_error", Cell::Real),
    ("geometry", Cell::Text),
    ("record_cycle", Cell::Number),
    ("record_sm", Cell::Number),
    ("record_warp", Cell::Number),
    ("record_pc", Cell::Hexadecimal),
    ("record_instruction", Cell::Text),
    ("record_thread", Cell::Number),
    ("store_cycle", Cell::Number),
    (WEIGHT, Cell::Number),
];

/// The columns of an engine's results.
pub(crate) fn columns(engine: Engine) -> Vec<(&'static str, Cell)> {
    with_parameters(COLUMNS, (PARAMETERS, Cell::Text), engine)
}

fn names(engine: Engine) -> Vec<&'static str> {
    columns(engine).into_iter().map(|(name, _)| name).collect()
}

/// The columns of the first record.
const RECORD: [&str; 6] = [
    "record_cycle",
    "record_sm",
    "record_warp",
    "record_pc",
    "record_instruction",
    "record_thread",
];

impl Row {
    /// A row without the fields that only a faulty result has.
    ///
    /// # Errors
    /// [`Error::NoSite`] if the fault's site does not exist.
    pub fn new(fault: Fault, sites: &Sites, outcome: Outcome) -> Result<Row, Error> {
        let site = sites.find(&fault.site)?;
        Ok(Row {
            module: site.module.clone(),
            kind: site.kind,
            fault,
            outcome,
            code: None,
            cycles: None,
            corrupted_words: 0,
            corrupted_bits: 0,
            bit_positions: 0,
            zero_words: 0,
            nan_words: 0,
            corrupted_threads: 0,
            corrupted_warps: 0,
            corrupted_blocks: 0,
            relative_error: None,
            geometry: None,
            first_record: None,
            first_store: None,
        })
    }

    /// The cycle of the first difference that is visible outside the circuits, in a record or a store.
    pub fn first_difference(&self) -> Option<u64> {
        let record = self.first_record.as_ref().map(|record| record.cycle);
        record.into_iter().chain(self.first_store).min()
    }

    fn of_line(line: &Line, engine: Engine) -> Result<Row, Error> {
        let optional_text = |column| Some(line.text(column).to_string()).filter(|text| !text.is_empty());
        let number_or_nothing = "a whole number or nothing";
        Ok(Row {
            fault: Fault::of_line(line, engine)?,
            module: line.text("module").to_string(),
            kind: line.named("kind", Kind::ALL)?,
            outcome: line.named("outcome", Outcome::ALL)?,
            code: optional_text("code"),
            cycles: line.optional("cycles", number_or_nothing)?,
            corrupted_words: line.value("corrupted_words", NUMBER)?,
            corrupted_bits: line.value("corrupted_bits", NUMBER)?,
            bit_positions: hexadecimal(line, "bit_positions", "0x20000")?,
            zero_words: line.value("zero_words", NUMBER)?,
            nan_words: line.value("nan_words", NUMBER)?,
            corrupted_threads: line.value("corrupted_threads", NUMBER)?,
            corrupted_warps: line.value("corrupted_warps", NUMBER)?,
            corrupted_blocks: line.value("corrupted_blocks", NUMBER)?,
            relative_error: line.optional("relative_error", "a number, `NaN`, `inf` or nothing")?,
            geometry: optional_text("geometry"),
            first_record: FirstRecord::of_line(line)?,
            first_store: line.optional("store_cycle", number_or_nothing)?,
        })
    }

    /// The values of the [columns], empty where there is none.
    pub(crate) fn values(&self, plan: &str, engine: Engine) -> Vec<String> {
        let record = match &self.first_record {
            Some(record) => [
                record.cycle.to_string(),
                record.sm.to_string(),
                record.warp.to_string(),
                format!("{:#x}", record.pc),
                record.instruction.clone(),
                or_empty(record.thread),
            ],
            None => RECORD.map(|_| String::new()),
        };
        let after_fault = [
            self.module.clone(),
            self.kind.to_string(),
            self.outcome.to_string(),
            or_empty(self.code.as_deref()),
            or_empty(self.cycles),
            self.corrupted_words.to_string(),
            self.corrupted_bits.to_string(),
            format!("{:#x}", self.bit_positions),
            self.zero_words.to_string(),
            self.nan_words.to_string(),
            self.corrupted_threads.to_string(),
            self.corrupted_warps.to_string(),
            self.corrupted_blocks.to_string(),
            or_empty(self.relative_error),
            or_empty(self.geometry.as_deref()),
        ];
        let last = [or_empty(self.first_store), self.fault.weight.to_string()];
        let values = [plan.to_string()].into_iter().chain(self.fault.values());
        let parameters = (engine == Engine::GoldenModel).then(|| self.fault.parameters.to_string());
        let values = values.chain(after_fault).chain(record).chain(last);
        values.chain(parameters).collect()
    }
}

/// A number with `0x` in front; `example` is for messages.
fn hexadecimal<T: TryFrom<u64>>(line: &Line, column: &'static str, example: &str) -> Result<T, Error> {
    let text = line.text(column);
    let digits = text.strip_prefix("0x");
    let value = digits.and_then(|digits| T::try_from(u64::from_str_radix(digits, 16).ok()?).ok());
    value.ok_or_else(|| line.error(column, quoted(text), format!("a hexadecimal number such as {example}")))
}

impl FirstRecord {
    fn of_line(line: &Line) -> Result<Option<FirstRecord>, Error> {
        if RECORD.iter().all(|column| line.text(column).is_empty()) {
            return Ok(None);
        }
        Ok(Some(FirstRecord {
            cycle: line.value("record_cycle", NUMBER)?,
            sm: line.value("record_sm", NUMBER)?,
            warp: line.value("record_warp", NUMBER)?,
            pc: hexadecimal(line, "record_pc", "0x48")?,
            instruction: line.text("record_instruction").to_string(),
            thread: line.optional("record_thread", "a whole number or nothing")?,
        }))
    }

    /// The mnemonic with its modifiers, such as `GLD.U32`: without a preceding condition (`@C0.NE`), and without the
    /// condition register that it writes (`.C0`), which is an operand.
    pub fn mnemonic(&self) -> &str {
        mnemonic(&self.instruction)
    }
}

/// The mnemonic of an instruction's text, as defined by [`FirstRecord::mnemonic`].
pub fn mnemonic(instruction: &str) -> &str {
    let mut words = instruction.split_whitespace();
    match words.find(|word| !word.starts_with('@')) {
        Some(word) if !word.starts_with('(') => match word.rsplit_once('.') {
            Some((mnemonic, "C0" | "C1" | "C2" | "C3")) => mnemonic,
            _ => word,
        },
        _ => "(no instruction)",
    }
}

/// Reads results in CSV, all for the plan with this [identity](crate::Plan::id) and for this engine. `file` is only
/// used in messages.
///
/// # Errors
/// [`Error::Line`] or [`Error::Cell`] for the first line that is wrong, truncated, or of another plan.
pub fn read(text: &str, file: &str, plan: &str, engine: Engine) -> Result<Vec<Row>, Error> {
    cells::read(text, file, &names(engine), |line| {
        let found = line.text("plan");
        match found == plan {
            true => Row::of_line(line, engine),
            false => Err(line.error(
                "plan",
                quoted(found),
                format!("`{plan}`: the row belongs to another plan"),
            )),
        }
    })
}

/// Writes results as CSV. The first column of every row is the plan's identity, to tell rows of several plans apart
/// when they are copied into one file. Results of the golden model also have a column of parameters.
pub fn write<'r>(rows: impl IntoIterator<Item = &'r Row>, plan: &str, engine: Engine) -> String {
    let mut text = String::new();
    push_line(&mut text, &names(engine));
    for row in rows {
        push_line(&mut text, &row.values(plan, engine));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{full_row, row};
    use proptest::prelude::*;

    #[test]
    fn rows_are_written_in_fixed_columns() {
        let text = write(&[row(0), full_row(1)], "p1", Engine::Circuits);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], names(Engine::Circuits).join(","));
        assert_eq!(
            lines[1],
            "p1,0,flip,sm[0].fetch.pc,0,3,1,10,,sm[0].fetch,address,masked,,,0,0,0x0,0,0,0,0,0,,,,,,,,,,1"
        );
        assert_eq!(
            lines[2],
            "p1,1,flip,sm[0].fetch.pc,0,3,1,10,,sm[0].fetch,address,silent-corruption,\
             \"illegal instruction, \"\"quoted\"\"\",120,3,17,0x80ff,1,2,3,2,1,0.0015,row,14,1,2,0x48,\"IADD R1, R2, R3\",7,40,25"
        );
        assert_eq!(
            read(&text, "r.csv", "p1", Engine::Circuits).unwrap(),
            [row(0), full_row(1)]
        );
    }

    #[test]
    fn wrong_files_are_refused() {
        let good = write(&[full_row(1)], "p1", Engine::Circuits);
        for (from, to, expected) in [
            (
                "p1",
                "p2",
                "r.csv:2: column plan: `p2`; expected `p1`: the row belongs to another plan",
            ),
            (
                ",weight\n",
                "\n",
                "r.csv:1: no column at position 32; expected column `weight`",
            ),
            (
                ",25\n",
                ",2",
                "r.csv:2: the line is truncated; expected a newline at its end",
            ),
            (
                ",40,25\n",
                ",40\n",
                "r.csv:2: 31 values; expected 32, one for each column",
            ),
            (
                ",25\n",
                ",0\n",
                "r.csv:2: column weight: `0`; expected a whole number from 1",
            ),
            (
                ",25\n",
                ",2.5\n",
                "r.csv:2: column weight: `2.5`; expected a whole number from 1",
            ),
            (
                "0x48",
                "72",
                "r.csv:2: column record_pc: `72`; expected a hexadecimal number such as 0x48",
            ),
            (
                "0x80ff",
                "0x100000000",
                "r.csv:2: column bit_positions: `0x100000000`; expected a hexadecimal number such as 0x20000",
            ),
            (
                ",14,1,2,",
                ",,1,2,",
                "r.csv:2: column record_cycle: it is empty; expected a whole number",
            ),
            (
                "silent-corruption",
                "sdc",
                "r.csv:2: column outcome: `sdc`; expected not-excited, masked",
            ),
        ] {
            let message = read(&good.replace(from, to), "r.csv", "p1", Engine::Circuits)
                .unwrap_err()
                .to_string();
            assert!(message.starts_with(expected), "{message}");
        }
    }

    #[test]
    fn first_difference_is_the_earlier_one() {
        assert_eq!(row(0).first_difference(), None);
        assert_eq!(full_row(0).first_difference(), Some(14));
        let store = Row {
            first_store: Some(3),
            ..full_row(0)
        };
        assert_eq!(store.first_difference(), Some(3));
    }

    #[test]
    fn mnemonic_excludes_conditions() {
        for (instruction, expected) in [
            ("IADD R2, R2, R5", "IADD"),
            ("IADD R2 (C0.NE), g[A2+0x7], R2", "IADD"),
            ("@C0.NE GST.U32 global14[R3], R2", "GST.U32"),
            ("ISET.S32.C1 o[0x7f], R5, R6, GT", "ISET.S32"),
            ("IADD.CARRY0 R1, R2, R3", "IADD.CARRY0"),
            ("BRA C0.EQ, 0xa0", "BRA"),
            ("NOP.EXIT", "NOP.EXIT"),
            ("(no operation has this code)", "(no instruction)"),
            ("@C0.NE", "(no instruction)"),
            ("", "(no instruction)"),
        ] {
            let record = FirstRecord {
                instruction: instruction.into(),
                ..full_row(0).first_record.unwrap()
            };
            assert_eq!(record.mnemonic(), expected, "{instruction}");
        }
    }

    proptest! {
        #[test]
        fn any_row_is_read_back(
            code in prop::option::of("\\PC+"),
            instruction in "\\PC*",
            numbers in any::<(u64, u64, u64, u32, u32, Option<u64>, Option<u32>)>(),
            relative_error in prop::option::of(any::<f64>()),
            weight in 1_u64..,
            outcome in prop::sample::select(Outcome::ALL),
        ) {
            let (cycle, pc, words, sm, warp, cycles, thread) = numbers;
            let written = Row {
                code,
                first_record: Some(FirstRecord { cycle, sm, warp, pc, instruction, thread }),
                corrupted_words: words,
                cycles,
                relative_error,
                outcome,
                fault: Fault { weight, ..full_row(3).fault },
                ..full_row(3)
            };
            let text = write(std::slice::from_ref(&written), "p", Engine::Circuits);
            // The numbers are compared as text, because NaN is not equal to itself.
            let read = read(&text, "r.csv", "p", Engine::Circuits).unwrap();
            prop_assert_eq!(format!("{read:?}"), format!("{:?}", [written]));
        }
    }
}
