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

/// Options of a report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The confidence level of all intervals.
    pub confidence: Confidence,
    /// The raw soft error rate of the technology, in FIT per 10^6 bits; without it, the report has no failure rates.
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

/// The report of a campaign.
pub struct Report {
    title: String,
    sections: Vec<Section>,
}

/// Creates the report of a campaign from results that may be incomplete.
///
/// # Errors
/// [`Error::Statistic`] for a raw rate that is negative or not finite; the errors of
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
    /// The report as one page without scripts or network accesses. It follows the reader's dark or light theme.
    pub fn html(&self) -> String {
        page::page(&self.title, &self.sections)
    }

    /// The name and the CSV text of each table. Shares are from 0 to 1, with columns for their limits. In each table
    /// with a column `runs`, the number of faults, the column adds up to all rows, except in `errors`.
    pub fn tables(&self) -> Vec<(&'static str, String)> {
        let tables = self.sections.iter().flat_map(|section| &section.tables);
        tables.map(|table| (table.name, table.csv())).collect()
    }
}

#[cfg(test)]
mod tests;
