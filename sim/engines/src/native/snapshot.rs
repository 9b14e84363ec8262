//! Snapshots: the whole state of a run on the circuits as machine code, at the beginning of a cycle, to continue from.
//!
//! A file begins with a line of text, `flexgrip snapshot VERSION BYTES HASH`. BYTES bytes of JSON follow, whose SHA-256
//! in hexadecimal is HASH: the identity of machine and launch, and the snapshot.

use crate::circuits::host::launch_writes;
use crate::engine::{Coalescing, Options, SaveAt};
use crate::error::RunError;
use crate::files::error::{io_reason, FileError};
use crate::files::output::write_file;
use crate::native::surroundings::Surroundings;
use crate::outcome::RunReport;
use flexgrip_export::verilog::circuit_hash;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_machine::sizes::Sms;
use flexgrip_machine::trace::Event;
use flexgrip_machine::{Configuration, Launch, Protect};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::btree_map::{BTreeMap, Entry};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The beginning of every file.
const MAGIC: &[u8] = b"flexgrip snapshot ";

/// Version of the file format; changed with the contents or their meaning.
const VERSION: &str = "2";

/// The whole state of a run at the beginning of a cycle. [`CompiledMachine`](super::compiled::CompiledMachine) takes
/// snapshots and continues from them.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The contents of registers and memories.
    pub circuits: Vec<u64>,
    /// The test bench's memory and host.
    pub around: Surroundings,
    /// Events with their SMs that restore the places of the last issues.
    pub issues: Vec<(u32, Event)>,
    /// Events with their cycles and SMs that restore the incomplete records.
    pub in_flight: Vec<(u64, u32, Event)>,
}

/// The properties that must be equal for a run to continue from a snapshot.
#[derive(Serialize, Deserialize)]
struct Identity {
    kernel: String,
    lanes: u32,
    sms: u32,
    global_bytes: u32,
    memory_latency: u32,
    coalescing: String,
    /// Hash of the host's writes into the machine.
    launch: String,
}

#[derive(Serialize, Deserialize)]
struct Contents<'a> {
    of: Identity,
    /// Hash of the circuits.
    verilog: String,
    around: Cow<'a, Surroundings>,
    /// The events that restore the places of the last issues, as lines.
    issues: Vec<String>,
    in_flight: Vec<String>,
    circuits: Cow<'a, [u64]>,
}

/// The SHA-256 of some bytes, in hexadecimal.
pub fn hash(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hash of the circuits' Verilog, computed once for each machine: the export takes longer than most runs.
///
/// # Errors
/// There are no circuits of these sizes, or they cannot be exported.
pub fn verilog(configuration: &Configuration, protect: Protect) -> Result<String, RunError> {
    static HASHES: Mutex<BTreeMap<MachineParameters, String>> = Mutex::new(BTreeMap::new());
    let sms = Sms::try_from(configuration.sms).map_err(|_| RunError::Machine("unknown number of SMs".into()))?;
    let parameters = MachineParameters {
        lanes: configuration.lanes,
        sms,
        capability: configuration.capability,
        protect,
    };
    let mut hashes = HASHES.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(match hashes.entry(parameters) {
        Entry::Occupied(hash) => hash.get().clone(),
        Entry::Vacant(hash) => hash.insert(circuit_hash(parameters)?).clone(),
    })
}

impl Identity {
    fn of(launch: &Launch, options: &Options) -> Self {
        let configuration = &options.configuration;
        let writes = launch_writes(launch, options);
        let writes = writes.iter().flat_map(|write| [write.address, write.data]);
        let writes: Vec<u8> = writes.flat_map(u32::to_le_bytes).collect();
        let coalescing = match options.coalescing {
            Coalescing::Segment => "segment",
            Coalescing::G80 => "g80",
        };
        Identity {
            kernel: launch.name.clone(),
            lanes: configuration.lanes.count(),
            sms: configuration.sms,
            global_bytes: configuration.global_bytes,
            memory_latency: options.memory_latency,
            coalescing: coalescing.into(),
            launch: hash(writes),
        }
    }

    /// The reason why a run with `self` cannot continue from a snapshot with `found`, if there is one.
    fn difference(&self, found: &Identity) -> Option<String> {
        let number = |what, found: u32, expected: u32| (what, found.to_string(), expected.to_string());
        let options = [
            ("kernel", found.kernel.clone(), self.kernel.clone()),
            number("--lanes", found.lanes, self.lanes),
            number("--sms", found.sms, self.sms),
            number("--global-size", found.global_bytes, self.global_bytes),
            number("--memory-latency", found.memory_latency, self.memory_latency),
            ("--coalescing", found.coalescing.clone(), self.coalescing.clone()),
        ];
        let different = options.into_iter().find(|(_, found, expected)| found != expected);
        if let Some((what, found, expected)) = different {
            return Some(format!("the snapshot has {what} {found}; expected {expected}"));
        }
        let other = "the snapshot is of another program, grid or data; expected this run's";
        (found.launch != self.launch).then(|| other.into())
    }
}

/// Checks the first line, and returns the JSON after it.
fn json(bytes: &[u8]) -> Result<&[u8], String> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err("not a snapshot; expected a file that `flexgrip run --save-at` has written".into());
    };
    let short = || "the snapshot is truncated".to_string();
    let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(short)?;
    let (line, json) = (String::from_utf8_lossy(&rest[..end]), &rest[end + 1..]);
    let (version, line) = line.split_once(' ').ok_or("the snapshot has no version")?;
    if version != VERSION {
        return Err(format!(
            "the snapshot has version {version}; expected version {VERSION}"
        ));
    }
    let (length, expected) = line.split_once(' ').unwrap_or_default();
    match length.parse::<usize>() {
        Ok(length) if json.len() < length => Err(short()),
        Ok(length) if json.len() == length && hash(json) == expected => Ok(json),
        _ => Err("the snapshot is damaged: its hash does not match".into()),
    }
}

impl Snapshot {
    /// Writes the snapshot to a file, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, file: &Path, launch: &Launch, options: &Options) -> Result<(), RunError> {
        let lanes = options.configuration.lanes.count();
        let issues = self.issues.iter();
        let in_flight = self.in_flight.iter();
        let contents = Contents {
            of: Identity::of(launch, options),
            verilog: verilog(&options.configuration, options.protect)?,
            around: Cow::Borrowed(&self.around),
            issues: issues.map(|(sm, event)| event.line(0, *sm, lanes)).collect(),
            in_flight: in_flight
                .map(|(cycle, sm, event)| event.line(*cycle, *sm, lanes))
                .collect(),
            circuits: Cow::Borrowed(&self.circuits),
        };
        let what = format!("cannot write {}", file.display());
        let json = serde_json::to_vec(&contents).map_err(|error| RunError::io(what)(error.into()))?;
        let line = format!("{VERSION} {} {}\n", json.len(), hash(&json));
        Ok(write_file(file, &[MAGIC, line.as_bytes(), &json].concat())?)
    }

    /// Reads a snapshot from a file.
    ///
    /// # Errors
    /// The file cannot be read, is not a snapshot, is damaged, or is of another format version, other circuits, another
    /// launch, or a run with other options.
    pub fn read(file: &Path, launch: &Launch, options: &Options) -> Result<Self, RunError> {
        let wrong = |reason: String| RunError::File(FileError::whole(file, reason));
        let bytes =
            std::fs::read(file).map_err(|error| wrong(format!("cannot read the snapshot: {}", io_reason(&error))))?;
        let json = json(&bytes).map_err(wrong)?;
        let contents: Contents = serde_json::from_slice(json)
            .map_err(|error| wrong(format!("the snapshot's contents cannot be read: {error}")))?;
        if let Some(difference) = Identity::of(launch, options).difference(&contents.of) {
            return Err(wrong(difference));
        }
        if contents.verilog != verilog(&options.configuration, options.protect)? {
            let other =
                "the snapshot is of other circuits; expected this program's circuits: save it again with this program";
            return Err(wrong(other.into()));
        }
        let lanes = options.configuration.lanes.count();
        let events = |lines: &[String]| {
            let events = lines.iter().map(|line| Event::parse(line, lanes));
            events
                .collect::<Result<Vec<_>, String>>()
                .map_err(|reason| wrong(format!("the snapshot has an invalid event: {reason}")))
        };
        let issues = events(&contents.issues)?.into_iter();
        Ok(Snapshot {
            issues: issues.map(|(_, sm, event)| (sm, event)).collect(),
            in_flight: events(&contents.in_flight)?,
            circuits: contents.circuits.into_owned(),
            around: contents.around.into_owned(),
        })
    }
}

impl SaveAt {
    /// The error of a run that does not contain the cycle.
    pub(super) fn missed(&self, report: &RunReport) -> RunError {
        let (first, cycle) = (report.skipped + 1, self.cycle);
        let last = report.cycles.unwrap_or_default();
        let reason = format!("not written: cycle {cycle} is not in the run, which has cycles {first} to {last}");
        RunError::File(FileError::whole(&self.file, reason))
    }
}
