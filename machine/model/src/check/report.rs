//! Texts of findings.

use super::finding::{Accessed, BarrierFault, Fault, Finding, FindingGroup, Findings, Origin, Thread, Use};
use flexgrip_machine::{Launch, MemorySpace, Region, RegionKind};
use std::fmt::Write;

/// A formatter for the findings of a launch.
pub struct Report<'a> {
    /// The launch; its facts name regions and work-items.
    pub launch: &'a Launch,
    /// The source location of the instruction at a byte address, such as `k.cl:3:7`, if there is one.
    pub place: &'a dyn Fn(u32) -> Option<String>,
}

/// The maximum number of threads that are listed one by one; the rest is counted.
const LISTED: usize = 4;

impl Report<'_> {
    /// All findings by group, the first of each in full, and their number in the last line; empty if there are none.
    pub fn text(&self, findings: &Findings) -> String {
        let mut text = String::new();
        for group in findings.groups() {
            text += &self.group_text(group);
            text.push('\n');
        }
        let (mut errors, mut notes) = (0, 0);
        for group in findings.groups() {
            if group.first.is_note() {
                notes += 1;
            } else {
                errors += 1;
            }
        }
        let count = |count: usize, name: &str| match count {
            1 => format!("1 {name}"),
            count => format!("{count} {name}s"),
        };
        let all = findings.errors();
        match (errors, notes) {
            (0, 0) => {}
            (0, notes) => text += &format!("{}, no error\n", count(notes, "note")),
            (errors, 0) => text += &format!("{}, at {}\n", count(all as usize, "error"), count(errors, "place")),
            (errors, notes) => {
                text += &format!(
                    "{}, at {}; {}\n",
                    count(all as usize, "error"),
                    count(errors, "place"),
                    count(notes, "note")
                );
            }
        }
        text
    }

    /// The findings of one group: the first one in full, with the number of findings.
    pub fn group_text(&self, group: &FindingGroup) -> String {
        let finding = &group.first;
        let kind = if finding.is_note() { "note" } else { "error" };
        let mut text = format!(
            "{}: {kind}: {}\n    {}, PC {:#06x}",
            self.at(finding.pc),
            self.message(finding),
            self.thread(finding.thread),
            finding.pc
        );
        for detail in self.details(finding) {
            text += "\n    ";
            text += &detail;
        }
        if group.count > 1 {
            let _ = write!(text, "\n    {} times here", group.count);
        }
        text
    }

    /// The location of an instruction and the kernel's name.
    pub fn at(&self, pc: u32) -> String {
        let name = &self.launch.name;
        match (self.place)(pc) {
            Some(place) => format!("{place}: kernel {name}"),
            None => format!("kernel {name}, PC {pc:#06x}"),
        }
    }

    /// The location of an instruction alone.
    fn line(&self, pc: u32) -> String {
        match (self.place)(pc) {
            Some(place) => format!("{place} (PC {pc:#06x})"),
            None => format!("PC {pc:#06x}"),
        }
    }

    fn region(&self, accessed: &Accessed) -> Option<&Region> {
        self.launch.facts.regions.get(accessed.region?)
    }

    /// The mistake in one sentence.
    pub fn message(&self, finding: &Finding) -> String {
        match &finding.fault {
            Fault::OutOfBounds(accessed) => self.out_of_bounds(accessed),
            Fault::Misaligned(accessed) => format!(
                "misaligned {} of {} bytes at {}; expected a multiple of {}",
                verb(accessed.store),
                accessed.bytes,
                self.address(accessed),
                accessed.bytes
            ),
            Fault::Unwritten { used, access, origin } => {
                let what = match origin {
                    Origin::Memory { space, .. } => {
                        format!("an uninitialised value from {} memory", name(*space))
                    }
                    Origin::Register(index) => format!("R{index}, which was never written,"),
                    Origin::ConditionCode(index) => format!("C{index}, which was never written,"),
                    Origin::Address(index) => format!("A{index}, which was never written,"),
                };
                let use_of_it = match (used, access) {
                    (Use::Store, Some(access)) => format!("is stored to {}", self.address(access)),
                    (Use::Store, None) => "is stored".into(),
                    (Use::Address, _) => "is used as an address".into(),
                    (Use::Branch, _) => "controls a branch or a conditional access".into(),
                };
                format!("{what} {use_of_it}")
            }
            Fault::Race {
                access,
                other,
                store,
                lockstep,
                ..
            } => {
                let why = match (lockstep, other.block == finding.thread.block) {
                    (true, _) => "ordered only by the lockstep of their warp",
                    (false, true) => "no barrier orders them",
                    (false, false) => "work-groups are not ordered",
                };
                let with = if *store { "store" } else { "load" };
                format!(
                    "race: {} and {with} of {}; {why}",
                    verb(access.store),
                    self.address(access)
                )
            }
            Fault::Barrier { here, missing, fault } => {
                let all = self.launch.block_threads();
                match fault {
                    BarrierFault::Ended => format!(
                        "a barrier that {} of the group's {all} work-items do not reach: they have ended",
                        missing.len()
                    ),
                    BarrierFault::Elsewhere { pc } => format!(
                        "a barrier that {} reach, while {} are at {}",
                        self.threads(finding.thread.block, here),
                        self.threads(finding.thread.block, missing),
                        self.line(*pc)
                    ),
                }
            }
            Fault::DivisionByZero => "division of an integer by zero".into(),
            Fault::Trap => match self.launch.facts.work_items {
                Some(_) => "an index outside an array of known size".into(),
                None => "a trap instruction".into(),
            },
        }
    }

    /// Further lines with details.
    pub fn details(&self, finding: &Finding) -> Vec<String> {
        match &finding.fault {
            Fault::OutOfBounds(accessed) | Fault::Misaligned(accessed) => self.bounds(accessed).into_iter().collect(),
            Fault::Unwritten { origin, access, .. } => {
                let mut details = Vec::new();
                if let Origin::Memory { space, address, pc } = origin {
                    let from = self.nearest(*space, *address);
                    let named = Accessed {
                        space: *space,
                        store: false,
                        address: *address,
                        bytes: 1,
                        region: from,
                    };
                    details.push(format!("loaded from {} at {}", self.address(&named), self.line(*pc)));
                    details.extend(self.bounds(&named));
                } else {
                    details.push("the thread has not written this register".into());
                }
                if let Some(bounds) = access.as_ref().and_then(|access| self.bounds(access)) {
                    if !details.contains(&bounds) {
                        details.push(bounds);
                    }
                }
                details
            }
            Fault::Race { other, pc, store, .. } => vec![format!(
                "the {} is of {}, at {}",
                if *store { "other store" } else { "load" },
                self.thread(*other),
                self.line(*pc)
            )],
            Fault::Barrier {
                here,
                missing,
                fault: BarrierFault::Ended,
            } => vec![
                format!("at the barrier: {}", self.threads(finding.thread.block, here)),
                format!("ended: {}", self.threads(finding.thread.block, missing)),
            ],
            Fault::Barrier { .. } | Fault::DivisionByZero | Fault::Trap => Vec::new(),
        }
    }

    /// A short name of the kind, for programs.
    pub fn kind(&self, finding: &Finding) -> &'static str {
        match &finding.fault {
            Fault::OutOfBounds(_) => "out-of-bounds",
            Fault::Misaligned(_) => "misaligned",
            Fault::Unwritten { .. } => "unwritten",
            Fault::Race { lockstep: false, .. } => "race",
            Fault::Race { lockstep: true, .. } => "lockstep-race",
            Fault::Barrier { .. } => "barrier",
            Fault::DivisionByZero => "division-by-zero",
            Fault::Trap => match self.launch.facts.work_items {
                Some(_) => "out-of-bounds",
                None => "trap",
            },
        }
    }

    fn out_of_bounds(&self, accessed: &Accessed) -> String {
        let what = format!("{} of {} bytes", verb(accessed.store), accessed.bytes);
        let Some(region) = self.region(accessed) else {
            let space = name(accessed.space);
            return format!("{what} outside {space} memory, at address {:#x}", accessed.address);
        };
        let offset = i64::from(accessed.address) - i64::from(region.address);
        let element = i64::from(region.element.max(1));
        let index = offset.div_euclid(element);
        let count = i64::from(region.bytes) / element;
        let index = match element {
            1 => format!("byte {index} of {count}"),
            _ => format!("index {index} of {count}"),
        };
        let here = self.launch.facts.regions.iter().position(|other| {
            same_memory(other, region) && other.holds(accessed.address, 1) && !region.holds(accessed.address, 1)
        });
        let lands = match here.and_then(|index| self.launch.facts.regions.get(index)) {
            Some(other) => format!(", which is in {}", region_name(other)),
            None => String::new(),
        };
        format!("{what} outside {}: {index}{lands}", region_name(region))
    }

    /// The addresses of a region.
    fn bounds(&self, accessed: &Accessed) -> Option<String> {
        let region = self.region(accessed)?;
        let range = region.range();
        Some(format!(
            "{} has {} bytes, {:#x} to {:#x} of {} memory{}",
            region_name(region),
            region.bytes,
            range.start,
            range.end.saturating_sub(1),
            name(accessed.space),
            if region.holds(accessed.address, 1) {
                String::new()
            } else {
                format!("; the address is {:#x}", accessed.address)
            }
        ))
    }

    fn nearest(&self, space: MemorySpace, address: u32) -> Option<usize> {
        let regions = &self.launch.facts.regions;
        regions.iter().position(|region| {
            let same = match space {
                MemorySpace::Global => region.is_global(),
                MemorySpace::Shared => region.is_shared(),
                MemorySpace::Local => region.kind == RegionKind::PrivateVariable,
            };
            same && region.holds(address, 1)
        })
    }

    /// An address, by its region if it is inside.
    fn address(&self, accessed: &Accessed) -> String {
        let plain = format!("address {:#x} of {} memory", accessed.address, name(accessed.space));
        match self.region(accessed).filter(|region| region.holds(accessed.address, 1)) {
            None => plain,
            Some(region) => {
                let offset = accessed.address - region.address;
                match region.element {
                    0 | 1 => format!("{}, byte {offset}", region_name(region)),
                    element => format!("{}, index {}", region_name(region), offset / element),
                }
            }
        }
    }

    /// A thread or work-item.
    pub fn thread(&self, thread: Thread) -> String {
        let [x, y, _] = [
            thread.block % self.launch.grid[0].max(1),
            thread.block / self.launch.grid[0].max(1),
            0,
        ];
        let local = self.local(thread.in_block());
        let at = format!("warp {}, lane {}", thread.warp, thread.lane);
        match self.launch.facts.work_items {
            Some(facts) => {
                let group = [x + facts.first_group[0], y + facts.first_group[1], facts.first_group[2]];
                let global: [u32; 3] = std::array::from_fn(|dimension| {
                    let block = self.launch.block[dimension];
                    group[dimension]
                        .wrapping_mul(block)
                        .wrapping_add(local[dimension])
                        .wrapping_add(facts.offset[dimension])
                });
                format!("work-item {}, group {}, {at}", triple(global), triple(group))
            }
            None => format!("thread {} of block ({x}, {y}), {at}", triple(local)),
        }
    }

    fn local(&self, number: u32) -> [u32; 3] {
        let [x, y, _] = self.launch.block.map(|size| size.max(1));
        [number % x, number / x % y, number / (x * y)]
    }

    /// Threads of a block, by their local indices.
    fn threads(&self, _block: u32, numbers: &[u32]) -> String {
        let one = |number: u32| match self.launch.block {
            [_, 1, 1] => number.to_string(),
            _ => triple(self.local(number)),
        };
        let mut runs: Vec<(u32, u32)> = Vec::new();
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        for number in sorted {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => runs.push((number, number)),
            }
        }
        let listed: Vec<String> = runs
            .iter()
            .take(LISTED)
            .map(|&(first, last)| match first == last {
                true => one(first),
                false => format!("{} to {}", one(first), one(last)),
            })
            .collect();
        let more = if runs.len() > LISTED { ", .." } else { "" };
        let items = if self.launch.facts.work_items.is_some() {
            "work-items"
        } else {
            "threads"
        };
        format!("{} {items} ({}{more})", numbers.len(), listed.join(", "))
    }
}

fn triple(numbers: [u32; 3]) -> String {
    format!("({}, {}, {})", numbers[0], numbers[1], numbers[2])
}

fn verb(store: bool) -> &'static str {
    if store {
        "store"
    } else {
        "load"
    }
}

fn name(space: MemorySpace) -> &'static str {
    match space {
        MemorySpace::Global => "global",
        MemorySpace::Shared => "shared",
        MemorySpace::Local => "private",
    }
}

fn same_memory(a: &Region, b: &Region) -> bool {
    a.is_global() == b.is_global() && a.is_shared() == b.is_shared()
}

/// The name of a region in messages.
fn region_name(region: &Region) -> String {
    let name = match region.name.as_str() {
        "" => String::new(),
        name => format!(" ({name})"),
    };
    match (region.argument, region.kind) {
        (Some(argument), _) => format!("argument {argument}{name}"),
        (None, RegionKind::Buffer) => format!("the buffer{name}"),
        (None, RegionKind::Variables) => format!("the program's variables{name}"),
        (None, RegionKind::LocalArgument | RegionKind::LocalVariable) => format!("the __local variable{name}"),
        (None, RegionKind::Printf) => "the buffer of printf".to_string(),
        (None, RegionKind::PrivateVariable) => format!("the private variable{name}"),
    }
}
