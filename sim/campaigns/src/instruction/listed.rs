//! Lists the instructions of a kernel as sites, with their numbers of executions.

use super::bench::InstructionBench;
use super::draw::population;
use crate::error::CampaignError;
use flexgrip_engines::files::program::instruction_text;
use flexgrip_faults::{Kind, Model, Storage};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// An instruction of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedInstruction {
    /// The site, as mnemonic and address: `FADD.0x0048`.
    pub site: String,
    /// The kind of the instruction.
    pub kind: Kind,
    /// The text of the instruction.
    pub instruction: String,
    /// The number of warp instructions in the golden run.
    pub warp_instructions: u64,
    /// The number of thread instructions in the golden run that a fault of the model can hit; without a model, of all.
    pub thread_instructions: u64,
}

impl InstructionBench<'_> {
    /// The instructions that a pattern selects and to which a model applies, in the order of their addresses.
    ///
    /// # Errors
    /// The errors of [`Sites::matching`](flexgrip_faults::Sites::matching).
    pub fn listed(&self, pattern: &str, model: Option<Model>) -> Result<Vec<ListedInstruction>, CampaignError> {
        let matching = self.sites.matching(pattern)?.into_iter();
        let matching = matching.filter(|site| site.storage == Storage::Instruction);
        let chosen: BTreeSet<&str> = matching.map(|site| site.name.as_str()).collect();
        let mut executions: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for executed in &self.executed {
            let lanes = model.map_or(executed.lanes, |model| population(model, executed));
            let (warps, threads) = executions.entry(executed.pc).or_default();
            *warps += 1;
            *threads += u64::from(lanes.count_ones());
        }
        let instructions = self.code.iter().map(|info| (info, info.site()));
        let instructions = instructions.filter(|(info, site)| {
            let is_hit = model.is_none_or(|model| info.is_hit_by(model));
            is_hit && chosen.contains(site.name.as_str())
        });
        let listed = instructions.map(|(info, site)| {
            let (warp_instructions, thread_instructions) = executions.get(&info.pc).copied().unwrap_or_default();
            ListedInstruction {
                site: site.name,
                kind: site.kind,
                instruction: instruction_text(info.word),
                warp_instructions,
                thread_instructions,
            }
        });
        Ok(listed.collect())
    }
}
