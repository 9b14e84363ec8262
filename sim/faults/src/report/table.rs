//! Tables, rendered as CSV for programs and as HTML for the page.

use super::histogram::Bin;
use super::html::escape;
use crate::results::outcome::Outcome;
use crate::statistics::Interval;
use crate::text::cells::push_line;
use hdlkit::output::grouped;

/// A value of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell {
    /// A name.
    Text(String),
    /// A name in CSV, and its wording on the page.
    Word(&'static str, &'static str),
    /// A count.
    Count(u64),
    /// A number; empty if unknown.
    Number(Option<f64>),
    /// A share with its limits, three columns in CSV; empty without faults.
    Share(Option<Interval>),
    /// A share with its limits, multiplied by this whole; otherwise like [`Cell::Share`].
    Part(Option<Interval>, f64),
}

/// A column: its name in CSV, its heading on the page, and a flag for values with limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    name: &'static str,
    heading: &'static str,
    limits: bool,
}

/// A column of names, counts or numbers; the heading is the name.
pub(super) const fn column(name: &'static str) -> Column {
    Column {
        name,
        heading: name,
        limits: false,
    }
}

/// The column of the number of faults. Users' scripts read it by the name `runs`.
pub(super) const FAULTS: Column = Column {
    name: "runs",
    heading: "faults",
    limits: false,
};

/// A column of [`Cell::Share`] or [`Cell::Part`].
pub(super) const fn estimate(name: &'static str, heading: &'static str) -> Column {
    Column {
        name,
        heading,
        limits: true,
    }
}

/// Creates a column for each outcome.
pub(super) fn outcome_columns() -> impl Iterator<Item = Column> {
    Outcome::ALL.iter().map(|outcome| column(outcome.name()))
}

/// A table.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The name of the CSV file, without its extension.
    pub(super) name: &'static str,
    pub(super) columns: Vec<Column>,
    /// The lines, with a cell for each column.
    pub(super) lines: Vec<Vec<Cell>>,
}

impl Table {
    /// A table of counts by name.
    pub(super) fn of_bins(name: &'static str, of: &'static str, bins: &[Bin]) -> Table {
        let line = |bin: &Bin| vec![Cell::Text(bin.label.clone()), Cell::Count(bin.count)];
        Table {
            name,
            columns: vec![column(of), FAULTS],
            lines: bins.iter().map(line).collect(),
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
            text += &format!("<th>{}</th>", escape(column.heading));
        }
        text += "</tr>\n";
        for line in &self.lines {
            text += "<tr>";
            for cell in line {
                text += &match cell {
                    Cell::Text(name) => format!("<td>{}</td>", escape(name)),
                    Cell::Word(_, word) => format!("<td>{}</td>", escape(word)),
                    Cell::Count(count) => format!("<td class=\"n\">{}</td>", grouped(*count)),
                    Cell::Number(number) => format!("<td class=\"n\">{}</td>", number.map_or("".into(), short)),
                    Cell::Share(Some(interval)) => format!("<td class=\"n\">{interval}</td>"),
                    Cell::Part(Some(interval), whole) => {
                        let [part, low, high] = parts(interval, *whole).map(short);
                        match interval.is_exact() {
                            true => format!("<td class=\"n\">{part}</td>"),
                            false => format!("<td class=\"n\">{part} ({low} to {high})</td>"),
                        }
                    }
                    Cell::Share(None) | Cell::Part(None, _) => "<td class=\"n\">no faults</td>".to_string(),
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
            Cell::Word(name, _) => vec![name.to_string()],
            Cell::Count(count) => vec![count.to_string()],
            Cell::Number(number) => vec![number.map_or(String::new(), |number| number.to_string())],
            Cell::Share(Some(interval)) => parts(interval, 1.0).map(|share| share.to_string()).into(),
            Cell::Part(Some(interval), whole) => parts(interval, *whole).map(|part| part.to_string()).into(),
            Cell::Share(None) | Cell::Part(None, _) => vec![String::new(); 3],
        }
    }
}

/// The estimate and limits of a part of a whole.
fn parts(interval: &Interval, whole: f64) -> [f64; 3] {
    [interval.share, interval.low, interval.high].map(|share| share * whole)
}

/// A number with about three digits, without trailing zeros.
pub(super) fn short(number: f64) -> String {
    let places = match number.abs() {
        0.0 => return "0".to_string(),
        size if !(1e-3..1e6).contains(&size) => return format!("{number:.2e}"),
        size if size >= 100.0 => return format!("{number:.0}"),
        size if size >= 1.0 => 1,
        _ => 4,
    };
    let text = format!("{number:.places$}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{wilson, Confidence};

    fn table() -> Table {
        Table {
            name: "t",
            columns: vec![column("the_name"), estimate("sdc", "SDC < 1"), estimate("fit", "FIT")],
            lines: vec![
                vec![
                    Cell::Text("<a>, b".into()),
                    Cell::Share(wilson(1, 2, Some(2), Confidence::P95)),
                    Cell::Part(wilson(1, 2, Some(2), Confidence::P95), 24.5),
                ],
                vec![Cell::Word("c", "C & D"), Cell::Share(None), Cell::Part(None, 24.5)],
                vec![
                    Cell::Count(12_345),
                    Cell::Share(wilson(1, 2, None, Confidence::P95)),
                    Cell::Part(wilson(1, 2, None, Confidence::P95), 2.0),
                ],
            ],
        }
    }

    #[test]
    fn csv_has_the_limits() {
        let csv = table().csv();
        assert!(
            csv.starts_with("the_name,sdc,sdc_low,sdc_high,fit,fit_low,fit_high\n\"<a>, b\",0.5,0.5,0.5,12.25,12.25,12.25\nc,,,,,,\n12345,"),
            "{csv}"
        );
    }

    #[test]
    fn html_is_escaped() {
        let html = table().html();
        for expected in [
            "<th>the_name</th><th>SDC &lt; 1</th><th>FIT</th>",
            // An exact share, without limits.
            "<td>&lt;a&gt;, b</td><td class=\"n\">50 %</td><td class=\"n\">12.2</td>",
            "<td>C &amp; D</td><td class=\"n\">no faults</td>",
            "<td class=\"n\">12,345</td><td class=\"n\">50 % (9.45 to 90.5 %)</td><td class=\"n\">1 (0.1891 to 1.8)</td>",
        ] {
            assert!(html.contains(expected), "{expected}: {html}");
        }
    }

    #[test]
    fn numbers_are_short() {
        for (number, expected) in [
            (0.0, "0"),
            (1.5e-9, "1.50e-9"),
            (0.0125, "0.0125"),
            (3.25, "3.2"),
            (95.0, "95"),
            (99.9, "99.9"),
            (0.5, "0.5"),
            (200.0, "200"),
            (16_590.4, "16590"),
            (2.5e7, "2.50e7"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(short(number), expected);
        }
    }
}
