//! Closed loop: the unit's gates in the whole machine, to the end of the run.

use crate::circuits::bench::FaultBench;
use crate::circuits::injection::Injection;
use crate::setup::Setup;
use crate::unit::error::UnitError;
use crate::unit::pins::GateFaults;
use crate::verdict::Verdict;
use flexgrip_engines::error::RunError;
use flexgrip_faults::Model;
use hdlkit_compiled::{Code, Effect};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The maximum number of faults in a pass, which share a golden run.
const PASS: usize = 1000;

/// The verdict on each fault. All must be prime faults of the gates.
pub(super) fn verdicts(
    setup: &Setup,
    gates: &GateFaults,
    faults: &[usize],
    jobs: NonZeroUsize,
) -> Result<Vec<Verdict>, UnitError> {
    let size = faults.len().div_ceil(4 * jobs.get()).clamp(1, PASS);
    let passes: Vec<&[usize]> = faults.chunks(size).collect();
    let next = AtomicUsize::new(0);
    let threads = jobs.get().min(passes.len());
    let of_threads: Vec<Result<Vec<(usize, Verdict)>, RunError>> = thread::scope(|scope| {
        let work = || FaultBench::with(setup, |bench| passes_of(bench, gates, &passes, &next));
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined
            .map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let mut verdicts: Vec<Option<Verdict>> = vec![None; faults.len()];
    for of_thread in of_threads {
        for (place, verdict) in of_thread? {
            verdicts[place] = Some(verdict);
        }
    }
    let verdicts: Option<Vec<Verdict>> = verdicts.into_iter().collect();
    verdicts.ok_or_else(|| RunError::Bench("a fault has no verdict: a defect of this program".into()).into())
}

/// A thread, which takes passes from a shared list. Returns verdicts with the indices of their faults.
fn passes_of(
    bench: &mut FaultBench,
    gates: &GateFaults,
    passes: &[&[usize]],
    next: &AtomicUsize,
) -> Result<Vec<(usize, Verdict)>, RunError> {
    let mut found = vec![];
    let size = passes.first().map_or(0, |pass| pass.len());
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(pass) = passes.get(number) else {
            return Ok(found);
        };
        let code = bench.code();
        let injections = pass.iter().map(|fault| injection(gates, *fault, &code));
        let injections: Vec<Injection> = injections.collect::<Result<_, _>>()?;
        bench.run(&injections, |place, verdict| {
            found.push((number * size + place, verdict));
            Ok(())
        })?;
    }
}

/// The injection of a fault for the whole run.
fn injection(gates: &GateFaults, fault: usize, code: &Code) -> Result<Injection, RunError> {
    let model = match gates.list().fault(fault).value {
        false => Model::StuckAt0,
        true => Model::StuckAt1,
    };
    let switch = gates.switch(fault as u32 / 2, model, code);
    let missing = || RunError::Bench(format!("fault {fault} has no switch: a defect of this program"));
    Ok(Injection {
        targets: vec![switch.ok_or_else(missing)?],
        // Sets the switch of the fault.
        effect: Effect::Stuck(true),
        cycle: 1,
        until: None,
    })
}
