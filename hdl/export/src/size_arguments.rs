//! Numbers of lanes and SMs, capabilities and protections on command lines: only the available ones, listed in the help.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::{Capability, Protect};

/// The available numbers of lanes.
pub fn lanes() -> impl TypedValueParser<Value = Lanes> {
    PossibleValuesParser::new(Lanes::NAMES).try_map(|name| name.parse())
}

/// The available numbers of SMs.
pub fn sms() -> impl TypedValueParser<Value = Sms> {
    PossibleValuesParser::new(Sms::NAMES).try_map(|name| name.parse())
}

/// All compute capabilities, including those that the circuits do not have.
pub fn capability() -> impl TypedValueParser<Value = Capability> {
    let known = PossibleValuesParser::new(Capability::NAMES.iter().copied());
    known.try_map(|text| text.parse::<Capability>())
}

/// All protections of the circuits, with their meanings.
pub fn protect() -> impl TypedValueParser<Value = Protect> {
    let meaning = |protect: Protect| match protect {
        Protect::None => "no protection",
        Protect::Parity => "a parity bit in register files and shared memories detects one flipped bit",
        Protect::Secded => "a code in register files and shared memories corrects one flipped bit and detects two",
        Protect::Scheduler => "a second warp scheduler is compared with the first",
        Protect::Full => "secded and scheduler",
    };
    let known = Protect::ALL.map(|protect| PossibleValue::new(protect.name()).help(meaning(protect)));
    PossibleValuesParser::new(known).try_map(|name| name.parse::<Protect>())
}
