//! Statistics of campaigns: sizes of samples, intervals, comparisons.
//!
//! Shares are always printed as an [`Interval`], such as `0 % (0 to 3.7 %)`: no error in a hundred faults is not the
//! same as no error in a million.

pub mod comparison;
mod confidence;
mod interval;
mod normal;
mod sample_size;
mod share;
mod strata;

pub use comparison::compare;
pub use confidence::Confidence;
pub use interval::{weighted, wilson, Interval, Weights};
pub use sample_size::{half_width, plan_text, sample_size};
pub use share::{faults, share, Population};
pub use strata::{stratified, Stratified, Stratum};
