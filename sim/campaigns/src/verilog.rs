//! Flips in the circuits' exported Verilog: the same faults by the same names, in another simulator, without any of the
//! shortcuts of a campaign.
//!
//! Verilator compiles the Verilog with its registers and memories as public signals. The harness changes a bit through
//! them and simulates the rest of the run; it is compared with a fault-free run of the same Verilog
//! (`testbench/verilator/faults.h`).

use super::error::CampaignError;
use super::setup::{limit, Setup};
use super::verdict::{Damage, Verdict, PROTOCOL};
use flexgrip_engines::circuits::sizes::check;
use flexgrip_engines::engine::Options;
use flexgrip_engines::error::RunError;
use flexgrip_engines::trace::ending::Ending;
use flexgrip_engines::verilog::harness::{Harness, Wanted};
use flexgrip_engines::verilog::result::HarnessResult;
use flexgrip_engines::verilog::verilator::{build, Extra};
use flexgrip_engines::waves::signals::machine_signals;
use flexgrip_export::verilog::verilog_with_registers;
use flexgrip_faults::{Fault, Model, Outcome, Site, Sites, Storage};
use flexgrip_hdl::parameters::MachineParameters;
use hdlkit::waves::VerilogSignal;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::num::NonZeroUsize;

/// The names in the Verilog of the circuits' signals.
pub struct VerilogNames {
    /// The signals by their path in the circuits, in the form of [`dotted`].
    signals: FxHashMap<String, VerilogSignal>,
    /// The modules of blocks, by the path of each in the circuits.
    modules: FxHashMap<String, String>,
}

/// A site in the Verilog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerilogSite {
    /// The module, such as `gpgpu.sm_0.fetch`.
    pub module: String,
    /// The signal in it.
    pub signal: String,
    /// The site's lowest bit in the signal: registers of a bundle are one vector.
    pub low: u32,
}

impl VerilogNames {
    /// The names in a machine of these sizes.
    ///
    /// # Errors
    /// The circuits could not be built.
    pub fn new(parameters: MachineParameters) -> Result<Self, RunError> {
        let found = machine_signals(parameters)?;
        let modules = found.iter().map(|signal| (signal.block.clone(), signal.module.clone()));
        Ok(VerilogNames {
            modules: modules.collect(),
            signals: found.into_iter().map(|signal| (dotted(&signal.path), signal)).collect(),
        })
    }

    /// A site in the Verilog; `None` if it is not there.
    pub fn verilog_site(&self, site: &Site) -> Option<VerilogSite> {
        match site.storage {
            Storage::Register => self.register(&site.name),
            Storage::Memory => Some(VerilogSite {
                module: self.modules.get(&format!("top.{}", site.name))?.clone(),
                signal: "memory".into(),
                low: 0,
            }),
            _ => None,
        }
    }

    /// A register, or a field of a bundle, whose path is the register's and then its own: `s2.word` is in `s2_q`.
    fn register(&self, name: &str) -> Option<VerilogSite> {
        let name = dotted(name);
        let ends = name.match_indices('.').map(|(at, _)| at).chain([name.len()]);
        ends.into_iter().find_map(|end| {
            let signal = self.signals.get(&format!("top.{}.q", &name[..end]))?;
            let field = name[end..].trim_start_matches('.');
            let field = signal.fields.iter().find(|other| dotted(&other.name) == field)?;
            Some(VerilogSite {
                module: signal.module.clone(),
                signal: signal.name.clone(),
                low: field.low as u32,
            })
        })
    }
}

/// Converts a name to the form of sites between a register and its field: `access_of.0.valid` for `access_of[0].valid`.
fn dotted(name: &str) -> String {
    name.replace('[', ".").replace(']', "")
}

/// Runs a kernel in Verilator once for each flip, `jobs` runs at a time. Returns the verdicts in the order of `faults`;
/// first records, first stores and the errors in values are not determined.
///
/// # Errors
/// Verilator is missing, a fault is not a flip of the circuits, the golden run takes a different number of cycles than
/// `golden`, or a run fails.
pub fn run(
    setup: &Setup,
    golden: u64,
    sites: &Sites,
    faults: &[&Fault],
    jobs: NonZeroUsize,
) -> Result<Vec<Verdict>, CampaignError> {
    let parameters = check("verilator", setup.launch, setup.options)?;
    let MachineParameters { lanes, sms, .. } = parameters;
    let text = flips(&VerilogNames::new(parameters)?, sites, golden, faults)?;
    let options = Options {
        max_cycles: limit(golden, setup.factor),
        ..setup.options.clone()
    };
    let verilog = verilog_with_registers(parameters).map_err(RunError::from)?;
    let program = build(&verilog, lanes, sms, Extra::Faults, &options.build, &options.progress)?;
    options.progress.begin("running the compiled Verilog", None);
    let wanted = Wanted {
        faults: Some((&text, jobs)),
        ..Wanted::default()
    };
    let result = Harness::start(&program, setup.launch, &options, &[], wanted)?.finish_text()?;
    let lines: FxHashMap<&str, &str> = result.lines().filter_map(|line| line.split_once(' ')).collect();
    let results = Results {
        setup,
        options: &options,
        sms: sms.count(),
        golden,
        lines,
    };
    results.verdicts(faults)
}

/// The flips for the harness, a line each.
fn flips(names: &VerilogNames, sites: &Sites, golden: u64, faults: &[&Fault]) -> Result<String, CampaignError> {
    let mut text = String::new();
    for (number, fault) in faults.iter().enumerate() {
        fault.check(sites, golden)?;
        let site = sites.find(&fault.site)?;
        let found = names.verilog_site(site).filter(|_| fault.model == Model::Flip);
        let VerilogSite { module, signal, low } = found.ok_or(CampaignError::NoSuch { id: fault.id })?;
        let Fault {
            cycle,
            element,
            bit,
            bits,
            ..
        } = fault;
        let _ = writeln!(
            text,
            "{number} {cycle} {module} {signal} {element} {} {bits}",
            low + bit
        );
    }
    Ok(text)
}

/// The parsed output of the harness.
struct Results<'a> {
    setup: &'a Setup<'a>,
    options: &'a Options,
    sms: u32,
    /// Cycles of the golden run.
    golden: u64,
    /// The line of each fault by its number; `golden` for the golden run.
    lines: FxHashMap<&'a str, &'a str>,
}

/// The end of a run.
struct Run {
    /// Cycles to the interrupt.
    cycles: u64,
    words: u64,
    bits: u64,
    /// True if a register or memory differs at the end of the run.
    differs: bool,
    ending: Ending,
}

impl Results<'_> {
    fn verdicts(&self, faults: &[&Fault]) -> Result<Vec<Verdict>, CampaignError> {
        let golden = self.parse(self.line("golden")?).map_err(RunError::Bench)?;
        // The host sees the grid's end one cycle later.
        if golden.cycles != self.golden + 1 {
            return Err(CampaignError::Other {
                what: "cycles of the golden run",
                planned: self.golden.to_string(),
                found: format!("{} in Verilator", golden.cycles.saturating_sub(1)),
            });
        }
        let verdict = |number: usize| -> Result<Verdict, CampaignError> {
            let line = self.line(&number.to_string())?;
            if line.starts_with("broken ") {
                return Ok(Verdict::detected(PROTOCOL));
            }
            if line == "endless" {
                return Ok(Verdict::new(Outcome::Hang));
            }
            match self.parse(line) {
                Ok(run) => Ok(self.verdict(run)?),
                // Registers that contradict themselves, as on any other engine.
                Err(_) => Ok(Verdict::detected(PROTOCOL)),
            }
        };
        (0..faults.len()).map(verdict).collect()
    }

    fn line(&self, id: &str) -> Result<&str, RunError> {
        let missing = || RunError::Bench(format!("the harness has no result of run {id}"));
        self.lines.get(id).copied().ok_or_else(missing)
    }

    fn verdict(&self, run: Run) -> Result<Verdict, RunError> {
        if let Ending::Failed(error) = run.ending {
            return Verdict::failed(error);
        }
        let cycles = run.cycles.saturating_sub(1);
        let outcome = match run.words {
            0 if cycles != self.golden => Outcome::MaskedOtherCycles,
            0 if run.differs => Outcome::Latent,
            0 => Outcome::Masked,
            _ => Outcome::SilentCorruption,
        };
        Ok(Verdict {
            cycles: Some(cycles),
            damage: Damage {
                words: run.words,
                bits: run.bits,
                ..Damage::default()
            },
            ..Verdict::new(outcome)
        })
    }

    /// `done CYCLES WORDS BITS DIFFERS`, then names and values of registers.
    fn parse(&self, line: &str) -> Result<Run, String> {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |index: usize| -> Result<u64, String> {
            let word = words.get(index).copied().unwrap_or_default();
            let wrong = |_| format!("the harness wrote `{line}`; expected a number as value {index}");
            word.parse().map_err(wrong)
        };
        let registers = words.get(5..).unwrap_or_default().chunks(2);
        let mut text = format!("ending {}\nrun_nanoseconds 0\n", words[0]);
        registers.for_each(|register| text += &(register.join(" ") + "\n"));
        let result = HarnessResult::parse(&text, self.sms)?;
        let ending = result.ending(self.setup.launch, self.options);
        Ok(Run {
            cycles: number(1)?,
            words: number(2)?,
            bits: number(3)?,
            differs: number(4)? != 0,
            ending: ending.map_err(|error| error.to_string())?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuits::sites::sites_of;
    use std::collections::BTreeSet;

    #[test]
    fn every_site_has_a_separate_location() {
        let sites = sites_of(MachineParameters::default(), None).unwrap();
        let names = VerilogNames::new(MachineParameters::default()).unwrap();
        let mut sites_seen = BTreeSet::new();
        for site in sites.matching("*").unwrap() {
            let found = names
                .verilog_site(site)
                .unwrap_or_else(|| panic!("{} is nowhere", site.name));
            let is_new = sites_seen.insert((found.module, found.signal, found.low));
            assert!(is_new, "{} has the Verilog name of another site", site.name);
        }
        assert!(sites_seen.len() > 3_000);
        let word = names
            .verilog_site(sites.find("sm[0].scheduler.s2.word").unwrap())
            .unwrap();
        assert_eq!(
            (word.module.as_str(), word.signal.as_str()),
            ("gpgpu.sm_0.scheduler", "s2_q")
        );
    }
}
