//! The report of a campaign: one HTML page, and its tables as CSV.

mod groups;
mod histogram;
mod html;
mod options;
mod page;
mod pictures;
mod sections;
mod table;
mod vulnerability;

use crate::campaign::plan::Plan;
use crate::results::row::Row;
use crate::sites::list::Sites;
use crate::text::error::Error;
use page::Section;

pub use options::Options;
pub(crate) use pictures::curve;

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
