//! Numbers of lanes and SMs on command lines: only those that there are, and help that lists them.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use flexgrip_machine::sizes::{Lanes, Sms};

/// The numbers of lanes that there are.
pub fn lanes() -> impl TypedValueParser<Value = Lanes> {
    PossibleValuesParser::new(Lanes::NAMES).try_map(|name| name.parse())
}

/// The numbers of SMs that there are.
pub fn sms() -> impl TypedValueParser<Value = Sms> {
    PossibleValuesParser::new(Sms::NAMES).try_map(|name| name.parse())
}
