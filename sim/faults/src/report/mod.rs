//! The report of a campaign: one HTML page, and its tables as CSV.

mod groups;
mod histogram;
mod page;
mod pictures;
mod sections;
mod table;
mod vulnerability;

use crate::error::Error;
use crate::plan::Plan;
use crate::row::Row;
use crate::sites::Sites;
use crate::statistics::Confidence;
use page::Section;

pub(crate) use pictures::curve;

/// Parameters of a report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The confidence of all intervals.
    pub confidence: Confidence,
    /// Soft errors of 10^6 bits in 10^9 hours, of the technology; without it the report has no failure rates.
    pub raw_fit_per_mbit: Option<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            confidence: Confidence::P95,
            raw_fit_per_mbit: None,
        }
    }
}

/// A report.
pub struct Report {
    title: String,
    sections: Vec<Section>,
}

/// The report of a campaign with these results, which need not be complete.
///
/// # Errors
/// [`Error::Statistic`] for a raw rate that is negative or not finite; those of
/// [`Sample::population`](crate::Sample::population) and [`Plan::id`].
pub fn report(plan: &Plan, rows: &[Row], sites: &Sites, options: Options) -> Result<Report, Error> {
    if let Some(rate) = options
        .raw_fit_per_mbit
        .filter(|rate| !(rate.is_finite() && *rate >= 0.0))
    {
        return Err(Error::Statistic {
            what: "raw rate",
            value: rate.to_string(),
            expected: "FIT per Mbit, a number from 0",
        });
    }
    Ok(Report {
        title: format!("Fault injection: {}", plan.kernel),
        sections: sections::sections(plan, rows, sites, options)?,
    })
}

impl Report {
    /// One page that needs no network and no scripts, in dark or light as the reader prefers.
    pub fn html(&self) -> String {
        page::page(&self.title, &self.sections)
    }

    /// The name and the CSV text of each table. Shares are from 0 to 1, with columns for their limits. In each table with a
    /// column `runs`, the number of faults, this column adds up to all rows, except in `errors`.
    pub fn tables(&self) -> Vec<(&'static str, String)> {
        let tables = self.sections.iter().flat_map(|section| &section.tables);
        tables.map(|table| (table.name, table.csv())).collect()
    }
}

#[cfg(test)]
mod tests;
