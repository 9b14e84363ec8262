//! Records of the comparisons made with the circuits, from which `docs/conformance.md` is generated.
//!
//! A test that compares a circuit ends with [`record`], which only has an effect under `make conformance`; that
//! collects the records in `baselines/conformance.toml`. Each record identifies the circuit by the hash of its Verilog,
//! so the page can mark checks that were made with an earlier circuit.

use crate::circuit::Unit;
use flexgrip_export::verilog::circuit_hash;
use flexgrip_hdl::execute::integer::IntegerLane;
use flexgrip_hdl::issue::decode::Decode;
use flexgrip_hdl::parameters::MachineParameters;
use hdlkit::gates::hash;
use hdlkit::output::write_atomically;
use hdlkit::prelude::*;
use hdlkit::verilog::{export, ExportOptions};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The environment variable that enables recording. Its value is today's date, such as 2026-11-25.
pub const RECORD: &str = "FLEXGRIP_RECORD";

/// A circuit under comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// The instruction decoder.
    Decode,
    /// The integer lane.
    IntegerLane,
    /// The float lane with its multiplier.
    FloatLane,
    /// The special function unit.
    SpecialFunctionUnit,
    /// The whole machine. Its hash is taken with 8 lanes and one SM, because other sizes consist of the same kernels.
    Machine,
}

impl Subject {
    /// All circuits.
    pub const ALL: [Subject; 5] = [
        Subject::Decode,
        Subject::IntegerLane,
        Subject::FloatLane,
        Subject::SpecialFunctionUnit,
        Subject::Machine,
    ];

    /// The hash of the circuit's Verilog.
    ///
    /// # Errors
    /// The circuit has no exact Verilog.
    pub fn hash(self) -> Result<String, String> {
        let verilog = match self {
            Subject::Decode => export(&*Box::new(Decode::blank()), &ExportOptions::new("decode")),
            Subject::IntegerLane => export(&*Box::new(IntegerLane::blank()), &ExportOptions::new("integer_lane")),
            Subject::FloatLane => Unit::Float.verilog(),
            Subject::SpecialFunctionUnit => Unit::Special.verilog(),
            Subject::Machine => return circuit_hash(MachineParameters::default()).map_err(|error| error.to_string()),
        };
        let verilog = verilog.map_err(|error| error.to_string())?;
        Ok(hash([verilog.as_str()]))
    }
}

/// A check that has passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The circuit that was compared.
    pub subject: Subject,
    /// The hash of its Verilog at that time.
    pub circuit: String,
    /// The date of the check.
    pub date: String,
    /// The number and kind of cases, as text.
    pub cases: String,
    /// The compared warp instructions of each unit, if whole programs ran.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub warp_instructions: BTreeMap<String, u64>,
}

/// The folder of the records before they are collected, with one file for each.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../build/conformance")
}

/// Records that the check `name` has compared the subject in these cases and found no difference. Does nothing unless
/// recording is enabled.
///
/// # Panics
/// The record cannot be written; continuing would hide that it is missing.
pub fn record(name: &str, subject: Subject, cases: &str) {
    let Ok(date) = std::env::var(RECORD) else { return };
    let record = Record {
        subject,
        circuit: subject.hash().unwrap_or_else(|error| panic!("{name}: {error}")),
        date,
        cases: cases.into(),
        warp_instructions: BTreeMap::new(),
    };
    let path = folder().join(format!("{name}.json"));
    let text = serde_json::to_string_pretty(&record).unwrap_or_else(|error| panic!("{name}: {error}"));
    write_atomically(&path, &(text + "\n")).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
