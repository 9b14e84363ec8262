//! Results in Parquet: the columns of `results.csv` with types. A value that does not exist is null.

use super::row::{self, Cell, Row};
use crate::models::engine::Engine;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

/// Rows of a row group. All of them are in memory as text while the group is written.
const GROUP: usize = 1 << 16;

/// Writes results as a Parquet file; the [columns](row::columns) of all plans are the same in CSV.
///
/// # Errors
/// Parquet's limits: more than 32,767 groups of 65,536 rows, or a text of more than 2 GiB.
pub fn write(rows: &[Row], plan: &str, engine: Engine) -> Result<Vec<u8>> {
    let columns = row::columns(engine);
    let fields: String = columns
        .iter()
        .map(|(name, cell)| match cell {
            Cell::Text => format!("optional binary {name} (STRING);\n"),
            Cell::Number | Cell::Hexadecimal => format!("optional int64 {name} (INTEGER(64,false));\n"),
            Cell::Real => format!("optional double {name};\n"),
        })
        .collect();
    let schema = Arc::new(parse_message_type(&format!("message result {{\n{fields}}}"))?);
    let properties = WriterProperties::builder()
        .set_created_by(concat!("flexgrip ", env!("CARGO_PKG_VERSION")).to_string())
        .build();
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
    for rows in rows.chunks(GROUP) {
        let lines: Vec<Vec<String>> = rows.iter().map(|row| row.values(plan, engine)).collect();
        let mut group = file.next_row_group()?;
        for (number, (_, cell)) in columns.iter().enumerate() {
            let Some(mut column) = group.next_column()? else { break };
            let values = lines.iter().map(|line| line[number].as_str());
            match cell {
                Cell::Text => put::<ByteArrayType>(&mut column, values, |text| Some(ByteArray::from(text))),
                Cell::Number => put::<Int64Type>(&mut column, values, |text| Some(text.parse::<u64>().ok()? as i64)),
                Cell::Hexadecimal => put::<Int64Type>(&mut column, values, |text| {
                    Some(u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()? as i64)
                }),
                Cell::Real => put::<DoubleType>(&mut column, values, |text| text.parse().ok()),
            }?;
            column.close()?;
        }
        group.close()?;
    }
    file.into_inner()
}

/// Writes a column of a group.
fn put<'t, T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    values: impl Iterator<Item = &'t str> + Clone,
    value: impl Fn(&str) -> Option<T::T>,
) -> Result<()> {
    let exist: Vec<i16> = values.clone().map(|text| i16::from(!text.is_empty())).collect();
    let values: Option<Vec<T::T>> = values.filter(|text| !text.is_empty()).map(value).collect();
    let values = values.ok_or_else(|| ParquetError::General("a value does not have its column's type".into()))?;
    column.typed::<T>().write_batch(&values, Some(&exist), None)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{full_row, row};
    use crate::{Fault, FirstRecord};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    use std::io::Write;

    /// The file's rows, as fields of CSV lines.
    fn lines(file: Vec<u8>, engine: Engine) -> Vec<Vec<String>> {
        let mut stored = tempfile::tempfile().unwrap();
        stored.write_all(&file).unwrap();
        let reader = SerializedFileReader::new(stored).unwrap();
        let text = |(field, (name, cell)): (&Field, &(&str, Cell))| match (field, cell) {
            (Field::Null, _) => String::new(),
            (Field::Str(text), Cell::Text) => text.clone(),
            (Field::ULong(number), Cell::Number) => number.to_string(),
            (Field::ULong(number), Cell::Hexadecimal) => format!("{number:#x}"),
            (Field::Double(number), Cell::Real) => number.to_string(),
            (field, cell) => panic!("{name}: {field:?} for {cell:?}"),
        };
        let line = |row: parquet::errors::Result<parquet::record::Row>| {
            let row = row.unwrap();
            let names: Vec<&str> = row.get_column_iter().map(|(name, _)| name.as_str()).collect();
            let columns = row::columns(engine);
            assert_eq!(names, columns.iter().map(|(name, _)| *name).collect::<Vec<_>>());
            row.get_column_iter()
                .map(|(_, field)| field)
                .zip(&columns)
                .map(text)
                .collect()
        };
        reader.get_row_iter(None).unwrap().map(line).collect()
    }

    #[test]
    fn file_has_the_lines_of_the_csv() {
        let largest = Row {
            bit_positions: u32::MAX,
            corrupted_words: u64::MAX,
            relative_error: Some(f64::NAN),
            first_record: Some(FirstRecord {
                pc: u64::MAX,
                thread: None,
                ..full_row(2).first_record.unwrap()
            }),
            fault: Fault {
                parameters: crate::Parameters::read("warps=0x3").unwrap(),
                ..full_row(2).fault
            },
            ..full_row(2)
        };
        let rows = [row(0), full_row(1), largest];
        for engine in [Engine::Circuits, Engine::GoldenModel] {
            let expected: Vec<Vec<String>> = rows.iter().map(|row| row.values("p1", engine)).collect();
            assert_eq!(lines(write(&rows, "p1", engine).unwrap(), engine), expected);
        }
    }

    #[test]
    fn groups_are_continued() {
        let rows: Vec<Row> = (0..GROUP as u64 + 1).map(row).collect();
        let found = lines(write(&rows, "p", Engine::Circuits).unwrap(), Engine::Circuits);
        let ids: Vec<String> = found.into_iter().map(|mut line| line.swap_remove(1)).collect();
        assert_eq!(ids, (0..rows.len()).map(|id| id.to_string()).collect::<Vec<_>>());
    }

    #[test]
    fn no_rows_are_a_file_with_columns() {
        assert!(lines(write(&[], "p", Engine::Circuits).unwrap(), Engine::Circuits).is_empty());
    }
}
