//! The checker of a launch.

use super::finding::Findings;
use super::shadow::gathering::Bar;
use super::shadow::races::{AccessTable, Races};
use super::shadow::written::Written;
use super::shadow::{BlockShadow, LaunchShadow, SharedShadow, WarpShadow};
use flexgrip_machine::{ImageSpace, Launch};
use std::collections::BTreeMap;
use std::ops::Range;

/// A checker of every instruction of a launch.
#[derive(Clone, Debug)]
pub struct Checker {
    pub(super) launch: LaunchShadow,
    pub(super) blocks: BTreeMap<u32, (BlockShadow, Vec<WarpShadow>)>,
    /// The BAR, if the current instruction is one.
    pub(super) bar: Option<Bar>,
}

impl Checker {
    /// A checker for a launch on a machine with `global_bytes` of global memory. The launch's facts name its regions;
    /// without regions in global memory, bytes without initial contents count as never written.
    pub fn new(launch: &Launch, global_bytes: u32) -> Self {
        let mut global = SharedShadow {
            written: Written::new(global_bytes as usize),
            races: Races::new(global_bytes as usize),
        };
        let has_global_regions = launch.facts.regions.iter().any(|region| region.is_global());
        if has_global_regions {
            for region in launch.facts.regions.iter().filter(|region| region.is_global()) {
                for range in &region.written {
                    global.written.mark(range.start as usize..range.end as usize);
                }
            }
        } else {
            for image in launch.memory.iter().filter(|image| image.space == ImageSpace::Global) {
                let start = image.address as usize;
                global.written.mark(start..start + 4 * image.words.len());
            }
        }
        let words = launch.facts.regions.iter().filter_map(|region| region.parameter);
        let mut owners = vec![0; words.max().map_or(0, |last| last as usize + 1)];
        for (index, region) in launch.facts.regions.iter().enumerate() {
            let place = region.parameter.and_then(|word| owners.get_mut(word as usize));
            if let (Some(place), Ok(owner @ ..=254)) = (place, u8::try_from(index + 1)) {
                *place = owner;
            }
        }
        let mut divisors = vec![false; launch.program.len()];
        for pc in &launch.facts.divisors {
            if let Some(place) = divisors.get_mut(*pc as usize / 4) {
                *place = true;
            }
        }
        let launch = LaunchShadow {
            divisors,
            fences: launch.facts.fences.iter().copied().collect(),
            owners,
            has_global_regions,
            has_shared_regions: launch.facts.regions.iter().any(|region| region.is_shared()),
            launch: Launch {
                memory: Vec::new(),
                ..launch.clone()
            },
            global,
            table: AccessTable::default(),
            findings: Findings::default(),
        };
        Checker {
            launch,
            blocks: BTreeMap::new(),
            bar: None,
        }
    }

    /// Without regions in global memory, its first `bytes` bytes count as written.
    pub(crate) fn carry_over(&mut self, bytes: usize) {
        if !self.launch.has_global_regions {
            self.launch.global.written.mark(0..bytes);
        }
    }

    /// The findings so far.
    pub fn findings(&self) -> &Findings {
        &self.launch.findings
    }

    /// The launch under check, without memory contents.
    pub fn launch(&self) -> &Launch {
        &self.launch.launch
    }

    /// The bytes of global memory in a range of addresses that were written, as sorted ranges.
    pub fn written(&self, range: Range<u32>) -> Vec<Range<u32>> {
        self.launch.global.written.ranges(range)
    }

    /// Drops the state of a block that has ended.
    pub(crate) fn end_block(&mut self, block: u32) {
        self.blocks.remove(&block);
    }
}
