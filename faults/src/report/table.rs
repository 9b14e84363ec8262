//! Tables: one content, as CSV for programs and as HTML for the page.

use super::page::escape;
use crate::cells::push_line;
use crate::statistics::Interval;

/// A value of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    /// A name.
    Text(String),
    /// A count.
    Count(u64),
    /// A number; nothing if it is not known.
    Number(Option<f64>),
    /// A share with its limits, three columns in CSV; nothing without runs.
    Share(Option<Interval>),
    /// A share of this whole with its limits, as [`Cell::Share`].
    Part(Option<Interval>, f64),
}

/// A column: its name in CSV, and whether its values have limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    name: &'static str,
    limits: bool,
}

/// A column of names, counts or numbers.
pub(super) const fn column(name: &'static str) -> Column {
    Column { name, limits: false }
}

/// A column of [`Cell::Share`] or [`Cell::Part`].
pub(super) const fn estimate(name: &'static str) -> Column {
    Column { name, limits: true }
}

/// A table.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The name of the CSV file, without its extension.
    pub(super) name: &'static str,
    /// The columns.
    pub(super) columns: Vec<Column>,
    /// Lines, with a cell for each column.
    pub(super) lines: Vec<Vec<Cell>>,
}

impl Table {
    /// A table of counts by name.
    pub(super) fn of_counts(name: &'static str, of: &'static str, counts: &[(String, u64)]) -> Table {
        let line = |(name, count): &(String, u64)| vec![Cell::Text(name.clone()), Cell::Count(*count)];
        Table {
            name,
            columns: vec![column(of), column("runs")],
            lines: counts.iter().map(line).collect(),
        }
    }

    /// The table as CSV.
    pub(super) fn csv(&self) -> String {
        let mut header = Vec::new();
        for column in &self.columns {
            header.push(column.name.to_string());
            if column.limits {
                header.extend(["low", "high"].map(|limit| format!("{}_{limit}", column.name)));
            }
        }
        let mut text = String::new();
        push_line(&mut text, &header);
        for line in &self.lines {
            let values: Vec<String> = line.iter().flat_map(Cell::values).collect();
            push_line(&mut text, &values);
        }
        text
    }

    /// The table as HTML.
    pub(super) fn html(&self) -> String {
        let mut text = String::from("<div class=\"table\"><table>\n<tr>");
        for column in &self.columns {
            text += &format!("<th>{}</th>", escape(&column.name.replace('_', " ")));
        }
        text += "</tr>\n";
        for line in &self.lines {
            text += "<tr>";
            for cell in line {
                text += &match cell {
                    Cell::Text(name) => format!("<td>{}</td>", escape(name)),
                    Cell::Count(count) => format!("<td class=\"n\">{count}</td>"),
                    Cell::Number(number) => format!("<td class=\"n\">{}</td>", number.map_or("".into(), short)),
                    Cell::Share(Some(interval)) => format!("<td class=\"n\">{interval}</td>"),
                    Cell::Part(Some(interval), whole) => {
                        let [part, low, high] = parts(interval, *whole).map(short);
                        format!("<td class=\"n\">{part} ({low} to {high})</td>")
                    }
                    Cell::Share(None) | Cell::Part(None, _) => "<td class=\"n\">no runs</td>".to_string(),
                };
            }
            text += "</tr>\n";
        }
        text + "</table></div>\n"
    }
}

impl Cell {
    fn values(&self) -> Vec<String> {
        match self {
            Cell::Text(name) => vec![name.clone()],
            Cell::Count(count) => vec![count.to_string()],
            Cell::Number(number) => vec![number.map_or(String::new(), |number| number.to_string())],
            Cell::Share(Some(interval)) => parts(interval, 1.0).map(|share| share.to_string()).into(),
            Cell::Part(Some(interval), whole) => parts(interval, *whole).map(|part| part.to_string()).into(),
            Cell::Share(None) | Cell::Part(None, _) => vec![String::new(); 3],
        }
    }
}

/// Estimate and limits of the part of a whole.
fn parts(interval: &Interval, whole: f64) -> [f64; 3] {
    [interval.share, interval.low, interval.high].map(|share| share * whole)
}

/// A number with about three digits.
pub(super) fn short(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_string(),
        size if !(1e-3..1e6).contains(&size) => format!("{number:.2e}"),
        size if size >= 100.0 => format!("{number:.0}"),
        size if size >= 1.0 => format!("{number:.1}"),
        _ => format!("{number:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{wilson, Confidence};

    fn table() -> Table {
        Table {
            name: "t",
            columns: vec![column("the_name"), estimate("sdc"), estimate("fit")],
            lines: vec![
                vec![
                    Cell::Text("<a>, b".into()),
                    Cell::Share(wilson(1, 2, Some(2), Confidence::P95)),
                    Cell::Part(wilson(1, 2, Some(2), Confidence::P95), 24.5),
                ],
                vec![Cell::Text("c".into()), Cell::Share(None), Cell::Part(None, 24.5)],
            ],
        }
    }

    #[test]
    fn csv_has_the_limits() {
        assert_eq!(
            table().csv(),
            "the_name,sdc,sdc_low,sdc_high,fit,fit_low,fit_high\n\"<a>, b\",0.5,0.5,0.5,12.25,12.25,12.25\nc,,,,,,\n"
        );
    }

    #[test]
    fn html_is_escaped() {
        let html = table().html();
        assert!(html.contains("<th>the name</th><th>sdc</th>"), "{html}");
        assert!(
            html.contains(
                "<td>&lt;a&gt;, b</td><td class=\"n\">50 % (50 to 50 %)</td><td class=\"n\">12.2 (12.2 to 12.2)</td>"
            ),
            "{html}"
        );
        assert!(html.contains("<td class=\"n\">no runs</td>"), "{html}");
    }

    #[test]
    fn numbers_are_short() {
        for (number, expected) in [
            (0.0, "0"),
            (1.5e-9, "1.50e-9"),
            (0.0125, "0.0125"),
            (3.25, "3.2"),
            (16_590.4, "16590"),
            (2.5e7, "2.50e7"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(short(number), expected);
        }
    }
}
