//! CSV files with a header line and fixed columns.

use super::error::Error;
use super::names::one_of;
use hdlkit::output::counted;
use std::str::FromStr;

/// The columns of a file, in order.
pub(crate) type Columns<'c> = &'c [&'static str];

/// The description of a whole number in messages.
pub(crate) const NUMBER: &str = "a whole number";

/// A line with a value for each column.
pub(crate) struct Line<'t> {
    file: &'t str,
    columns: Columns<'t>,
    number: u64,
    record: &'t csv::StringRecord,
}

impl Line<'_> {
    /// The text of a column.
    pub(crate) fn text(&self, column: &'static str) -> &str {
        let at = self.columns.iter().position(|name| *name == column);
        at.and_then(|at| self.record.get(at)).unwrap_or_default()
    }

    /// True if the file has this column.
    pub(crate) fn has(&self, column: &'static str) -> bool {
        self.columns.contains(&column)
    }

    /// The value of a column.
    pub(crate) fn value<T: FromStr>(&self, column: &'static str, expected: &str) -> Result<T, Error> {
        let text = self.text(column);
        text.parse().map_err(|_| self.error(column, quoted(text), expected))
    }

    /// The value of a column, `None` if it is empty.
    pub(crate) fn optional<T: FromStr>(&self, column: &'static str, expected: &str) -> Result<Option<T>, Error> {
        match self.text(column) {
            "" => Ok(None),
            _ => self.value(column, expected).map(Some),
        }
    }

    /// The value of a column whose type is an enum with names.
    pub(crate) fn named<T: FromStr + ToString>(&self, column: &'static str, all: &[T]) -> Result<T, Error> {
        self.value(column, &one_of(all))
    }

    /// An error in a column of this line.
    pub(crate) fn error(&self, column: &'static str, wrong: String, expected: impl Into<String>) -> Error {
        Error::Cell {
            file: self.file.to_string(),
            line: self.number,
            column,
            wrong,
            expected: expected.into(),
        }
    }
}

/// A value of a file, in the form for messages.
pub(crate) fn quoted(text: &str) -> String {
    match text {
        "" => "it is empty".to_string(),
        text => format!("`{text}`"),
    }
}

/// Reads the lines after the header. `file` is only used in messages.
///
/// # Errors
/// The first error of `read`; [`Error::Line`] for other columns, for a line with more or fewer values, and for a last
/// line without a newline: the file was truncated, and so perhaps its last number.
pub(crate) fn read<T>(
    text: &str,
    file: &str,
    columns: Columns,
    mut read: impl FnMut(&Line) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let error = |line: u64, wrong: String| Error::Line {
        file: file.to_string(),
        line,
        wrong,
    };
    if !text.ends_with('\n') {
        let wrong = match text {
            "" => format!("the file is empty; expected the columns {}", columns.join(",")),
            _ => "the line is truncated; expected a newline at its end".to_string(),
        };
        return Err(error(text.lines().count().max(1) as u64, wrong));
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut record = csv::StringRecord::new();
    let mut values = Vec::new();
    let mut header = true;
    // The csv reader's line count is one too low after `\r\n`, and does not include empty lines before a record.
    let (mut number, mut read_to) = (1, 0);
    while reader
        .read_record(&mut record)
        .map_err(|problem| error(reader.position().line(), problem.to_string()))?
    {
        let at = record.position().map_or(0, csv::Position::byte) as usize;
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        let at = at + rest.iter().take_while(|byte| b"\r\n".contains(byte)).count();
        number += newlines(&text.as_bytes()[read_to..at]);
        read_to = at;
        if header {
            header = false;
            check_header(&record, columns).map_err(|wrong| error(number, wrong))?;
            continue;
        }
        if record.len() != columns.len() {
            let wrong = format!(
                "{}; expected {}, one for each column",
                counted(record.len() as u64, "value"),
                columns.len()
            );
            return Err(error(number, wrong));
        }
        values.push(read(&Line {
            file,
            columns,
            number,
            record: &record,
        })?);
    }
    Ok(values)
}

fn newlines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

fn check_header(record: &csv::StringRecord, columns: Columns) -> Result<(), String> {
    if record.iter().eq(columns.iter().copied()) {
        return Ok(());
    }
    let most = record.len().max(columns.len());
    let differs = (0..most).find(|&at| record.get(at) != columns.get(at).copied());
    let at = differs.unwrap_or(0);
    let name = |text: Option<&str>| text.map_or("no column".to_string(), |text| format!("column `{text}`"));
    Err(format!(
        "{} at position {}; expected {}: the columns are {}",
        name(record.get(at)),
        at + 1,
        name(columns.get(at).copied()),
        columns.join(",")
    ))
}

/// Appends a line of CSV.
pub(crate) fn push_line<S: AsRef<str>>(text: &mut String, values: &[S]) {
    for (number, value) in values.iter().enumerate() {
        if number > 0 {
            text.push(',');
        }
        let value = value.as_ref();
        if value.contains([',', '"', '\n', '\r']) {
            text.push('"');
            text.push_str(&value.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(value);
        }
    }
    text.push('\n');
}

/// An optional value as text; empty for `None`.
pub(crate) fn or_empty<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COLUMNS: Columns = &["a", "b"];

    fn pairs(text: &str) -> Result<Vec<(String, u32)>, String> {
        let pair = |line: &Line| Ok((line.text("a").to_string(), line.value("b", NUMBER)?));
        read(text, "f.csv", COLUMNS, pair).map_err(|error| error.to_string())
    }

    #[test]
    fn errors_name_line_and_column() {
        for (text, expected) in [
            ("", "f.csv:1: the file is empty; expected the columns a,b"),
            (
                "a,b\nx,1\ny,2",
                "f.csv:3: the line is truncated; expected a newline at its end",
            ),
            (
                "a,c\n",
                "f.csv:1: column `c` at position 2; expected column `b`: the columns are a,b",
            ),
            (
                "a\n",
                "f.csv:1: no column at position 2; expected column `b`: the columns are a,b",
            ),
            (
                "a,b,c\n",
                "f.csv:1: column `c` at position 3; expected no column: the columns are a,b",
            ),
            ("a,b\nx,1\ny\n", "f.csv:3: 1 value; expected 2, one for each column"),
            ("a,b\nx,1\ny,z\n", "f.csv:3: column b: `z`; expected a whole number"),
            (
                "a,b\r\nx,1\r\ny,\r\n",
                "f.csv:3: column b: it is empty; expected a whole number",
            ),
        ] {
            assert_eq!(pairs(text).unwrap_err(), expected, "{text:?}");
        }
    }

    #[test]
    fn header_alone_has_no_lines() {
        assert_eq!(pairs("a,b\n").unwrap(), []);
    }

    proptest! {
        #[test]
        fn any_text_is_read_back(values in prop::collection::vec(("\\PC*|[,\"\r\n]*", any::<u32>()), 0..5)) {
            let mut text = String::new();
            push_line(&mut text, COLUMNS);
            for (a, b) in &values {
                push_line(&mut text, &[a.clone(), b.to_string()]);
            }
            prop_assert_eq!(pairs(&text).unwrap(), values);
        }

        #[test]
        fn no_text_panics(text in "[ab1,\"\r\n]{0,30}") {
            let _ = pairs(&text);
        }
    }
}
