//! The result of a harness or test bench around the Verilog: ending, registers, counters.

use crate::circuits::host::{endless, HostStatus, IssuePlace};
use crate::engine::Options;
use crate::error::RunError;
use crate::outcome::counters::SmCounters;
use crate::outcome::RunReport;
use crate::trace::ending::Ending;
use flexgrip_machine::host_map::REGISTERS;
use flexgrip_machine::Launch;
use std::collections::HashMap;
use std::time::Duration;

/// The result file of a harness.
pub struct HarnessResult {
    endless: bool,
    status: HostStatus,
    counters: Vec<SmCounters>,
    last_issue: Option<IssuePlace>,
    wall: Duration,
}

impl HarnessResult {
    /// The run's report, with `global` as memory after the run.
    ///
    /// # Errors
    /// [`RunError::Bench`] if the status registers contradict themselves.
    pub fn report(self, launch: &Launch, options: &Options, global: Vec<u32>) -> Result<RunReport, RunError> {
        Ok(RunReport::of_machine(
            self.ending(launch, options)?,
            self.status.cycles,
            self.counters,
            global,
            self.wall,
        ))
    }

    /// The ending of the grid.
    ///
    /// # Errors
    /// The errors of [`HarnessResult::report`].
    pub fn ending(&self, launch: &Launch, options: &Options) -> Result<Ending, RunError> {
        if self.endless {
            return Ok(Ending::Failed(endless(launch, options.max_cycles, self.last_issue)));
        }
        let error = self.status.kernel_error(launch).map_err(RunError::Bench)?;
        Ok(error.map_or(Ending::Complete, Ending::Failed))
    }

    /// The trace cycle in which the harness saw the grid's end, or gave up.
    pub fn last_cycle(&self, options: &Options) -> u64 {
        if self.endless {
            options.max_cycles
        } else {
            // CYCLES counts up to the grid's end, which the host sees one cycle later.
            self.status.cycles + 1
        }
    }

    /// Parses the file's text, from a machine with `sms` SMs.
    pub fn parse(text: &str, sms: u32) -> Result<Self, String> {
        let values: HashMap<&str, &str> = text.lines().filter_map(|line| line.split_once(' ')).collect();
        let wide = |key: &str| -> Result<u64, String> {
            let value = values
                .get(key)
                .ok_or_else(|| format!("the harness's result has no {key}"))?;
            value
                .parse()
                .map_err(|_| format!("the harness's {key} is `{value}`; expected a number"))
        };
        let number = |key: &str| -> Result<u32, String> {
            u32::try_from(wide(key)?).map_err(|_| format!("the harness's {key} has more than 32 bits"))
        };
        let mut words = [0; HostStatus::REGISTERS.len()];
        for (word, address) in words.iter_mut().zip(HostStatus::REGISTERS) {
            let register = REGISTERS.iter().find(|register| register.address == address);
            *word = number(register.map_or("", |register| register.name))?;
        }
        let last_issue = if values.contains_key("last_issue_pc") {
            Some(IssuePlace {
                sm: number("last_issue_sm")?,
                block: number("last_issue_block")?,
                warp_in_block: number("last_issue_warp")?,
                pc: number("last_issue_pc")?,
            })
        } else {
            None
        };
        Ok(HarnessResult {
            endless: match values.get("ending") {
                Some(&"done") => false,
                Some(&"endless") => true,
                other => {
                    return Err(format!(
                        "the harness's ending is {other:?}; expected `done` or `endless`"
                    ))
                }
            },
            status: HostStatus::from_words(words),
            counters: (0..sms)
                .map(|sm| SmCounters::read(|counter| wide(&format!("SM{sm}_{}", counter.name()))))
                .collect::<Result<Vec<SmCounters>, String>>()?,
            last_issue,
            wall: Duration::from_nanos(wide("run_nanoseconds")?),
        })
    }
}
