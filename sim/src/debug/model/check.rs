//! Finds the next error in a kernel by running the launch again from its beginning, on a model with a checker.

use crate::debug::target::{Mistake, WarpId};
use flexgrip_machine::{Configuration, Launch};
use flexgrip_model::check::{Findings, Report};
use flexgrip_model::Stepped;

/// Steps between two checks for an interrupt by the user.
const PATIENCE: u64 = 4096;

/// The first mistake of a launch after `now`, see [`crate::debug::target::Target::next_mistake`].
pub(super) fn next_mistake(
    (launch, configuration): (&Launch, &Configuration),
    now: u64,
    place: &dyn Fn(u32) -> Option<String>,
    limit: u64,
    interrupted: &dyn Fn() -> bool,
) -> Result<Option<Mistake>, String> {
    let mut model = Stepped::new(launch.clone(), configuration.clone()).map_err(|error| error.to_string())?;
    model.check();
    let mut seen = 0;
    for time in 1.. {
        if time > now.saturating_add(limit) {
            return Err(format!("found no error in {limit} instructions"));
        }
        if time % PATIENCE == 0 && interrupted() {
            return Err("interrupted".into());
        }
        let step = model.step();
        let all = model
            .machine()
            .checker()
            .map_or(&[][..], |checker| checker.findings().all());
        let new = &all[seen.min(all.len())..];
        if let (true, Some(first)) = (time > now, new.first()) {
            let report = Report { launch, place };
            let mut these = Findings::default();
            new.iter().for_each(|finding| these.add(finding.clone()));
            return Ok(Some(Mistake {
                time,
                warp: WarpId {
                    block: first.thread.block,
                    warp: first.thread.warp,
                },
                lane: first.thread.lane as u8,
                text: these
                    .groups()
                    .iter()
                    .map(|group| report.group_text(group) + "\n")
                    .collect(),
            }));
        }
        seen = all.len();
        if !matches!(step, Ok(Some(_))) {
            break;
        }
    }
    Ok(None)
}
