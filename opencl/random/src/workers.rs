//! Worker processes that compare kernels, one for each core. They are separate processes because the CPU's driver
//! compiles one kernel at a time, and because it may crash.

use crate::compare::{Both, Outcome};
use crate::tree::Kernel;
use crate::{generate, report, shrink};
use anyhow::{Context, Result};
use indicatif::ProgressBar;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// The number of kernels in a source. clang and the CPU's driver start once for all of them.
const BATCH: u64 = 8;
/// Limit for the reductions of a kernel.
const TRIES: usize = 1500;
/// A worker without output for this time is regarded as hanging.
const PATIENCE: Duration = Duration::from_secs(600);

/// The kernels to run, and how to run them.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seed of the generator.
    pub seed: u64,
    /// Number of the first kernel.
    pub first: u64,
    /// Number of kernels.
    pub count: u64,
    /// Number of worker processes.
    pub jobs: u64,
    /// Folder for files of kernels with a difference.
    pub folder: PathBuf,
    /// True to compare only with the CPU driver's code without optimisation.
    pub plain: bool,
}

/// Results of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of kernels with equal results.
    pub same: u64,
    /// One line for each kernel in which the CPU driver's optimiser is at fault.
    pub contradictions: Vec<String>,
    /// One line for each other kernel with a difference or an error, or that crashes.
    pub findings: Vec<String>,
}

impl Summary {
    /// Number of kernels that have been compared.
    fn reported(&self) -> u64 {
        self.same + (self.contradictions.len() + self.findings.len()) as u64
    }
}

/// A line of a worker's output.
enum Said {
    Begin(u64),
    Same,
    Contradiction(String),
    Finding(String),
    End,
}

impl Said {
    fn of(line: &str) -> Option<Said> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "begin" => rest.parse().ok().map(Said::Begin),
            "same" => Some(Said::Same),
            "contradiction" => Some(Said::Contradiction(rest.into())),
            "finding" => Some(Said::Finding(rest.into())),
            "end" => Some(Said::End),
            _ => None,
        }
    }
}

/// Runs a worker: every `jobs`th batch of the plan from batch `job` on, without the batches that begin before kernel
/// `from`. Reports on standard output.
///
/// # Errors
/// clang or the CPU's driver is missing, or a file cannot be written.
pub fn work(plan: &Plan, job: u64, from: u64) -> Result<()> {
    let both = Both::find(plan.plain)?;
    let say = |text: &str| -> Result<()> {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{text}")?;
        Ok(out.flush()?)
    };
    let end = plan.first + plan.count;
    for batch in (job..plan.count.div_ceil(BATCH)).step_by(plan.jobs as usize) {
        let first = plan.first + batch * BATCH;
        if first < from {
            continue;
        }
        say(&format!("begin {first}"))?;
        let kernels: Vec<Kernel> = (first..end.min(first + BATCH))
            .map(|number| generate::kernel(plan.seed, number))
            .collect();
        let outcomes = both.compare(&kernels);
        for ((kernel, outcome), number) in kernels.into_iter().zip(outcomes).zip(first..) {
            if outcome == Outcome::Same {
                say("same")?;
                continue;
            }
            let path = report::write(&plan.folder, plan.seed, number, &outcome, &kernel)?;
            if matches!(outcome, Outcome::Contradicts(_)) {
                say(&format!("contradiction {number} {}", path.display()))?;
                continue;
            }
            let (outcome, kernel) = smaller(&both, kernel, outcome);
            let path_of_smaller = report::write(&plan.folder, plan.seed, number, &outcome, &kernel)?;
            debug_assert_eq!(path, path_of_smaller);
            say(&format!(
                "finding {number} {} {}",
                report::kind(&outcome),
                path.display()
            ))?;
        }
    }
    say("end")
}

/// Reduces a kernel while it shows the same kind of difference.
fn smaller(both: &Both, kernel: Kernel, outcome: Outcome) -> (Outcome, Kernel) {
    let mut last = outcome.clone();
    let kernel = shrink::shrink(kernel, TRIES, |kernel| {
        let [now] = &both.compare(std::slice::from_ref(kernel))[..] else {
            return false;
        };
        let same = alike(now, &outcome);
        if same {
            last = now.clone();
        }
        same
    });
    (last, kernel)
}

/// True if two outcomes probably have the same cause.
fn alike(one: &Outcome, other: &Outcome) -> bool {
    // The messages of one cause differ in positions and names.
    let message = |text: &str| -> String {
        let last = text.lines().next().and_then(|line| line.rsplit(": ").next());
        last.unwrap_or("").chars().filter(|c| !c.is_ascii_digit()).collect()
    };
    match (one, other) {
        (Outcome::Differs(_), Outcome::Differs(_)) => true,
        (Outcome::Refused(one), Outcome::Refused(other)) | (Outcome::Failed(one), Outcome::Failed(other)) => {
            message(one) == message(other)
        }
        _ => false,
    }
}

/// Runs a plan with workers: processes of `program` with arguments for the plan and for the worker.
///
/// # Errors
/// A worker cannot be started, or ends with an error before its first batch.
pub fn run(plan: &Plan, program: &Path) -> Result<Summary> {
    std::fs::create_dir_all(&plan.folder).with_context(|| format!("cannot create {}", plan.folder.display()))?;
    let bar = ProgressBar::new(plan.count);
    let summaries: Vec<Result<Summary>> = std::thread::scope(|scope| {
        let bar = &bar;
        let threads: Vec<_> = (0..plan.jobs)
            .map(|job| scope.spawn(move || supervise(plan, program, job, bar)))
            .collect();
        threads
            .into_iter()
            .map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|_| Err(anyhow::anyhow!("a thread failed")))
            })
            .collect()
    });
    bar.finish_and_clear();
    let mut all = Summary::default();
    for summary in summaries {
        let summary = summary?;
        all.same += summary.same;
        all.contradictions.extend(summary.contradictions);
        all.findings.extend(summary.findings);
    }
    all.contradictions.sort();
    all.findings.sort();
    Ok(all)
}

/// Runs a worker. After a crash or a hang, the kernels of the batch that caused it run one by one, and another worker
/// continues with the next batch.
fn supervise(plan: &Plan, program: &Path, job: u64, bar: &ProgressBar) -> Result<Summary> {
    let mut summary = Summary::default();
    let mut from = plan.first;
    let end = plan.first + plan.count;
    loop {
        let Some(batch) = watch(start(plan, program, job, from)?, bar, &mut summary)? else {
            return Ok(summary);
        };
        // The first kernels may have been reported before the crash.
        for number in batch.first + batch.reported..end.min(batch.first + BATCH) {
            alone(plan, program, number, bar, &mut summary)?;
        }
        from = batch.first + 1;
    }
}

/// Runs a kernel alone. If it crashes or hangs, the CPU's driver compiles it again without optimisation: if the results
/// are then the same, the optimiser is at fault.
fn alone(plan: &Plan, program: &Path, number: u64, bar: &ProgressBar, summary: &mut Summary) -> Result<()> {
    let of = |plain| Plan {
        first: number,
        count: 1,
        jobs: 1,
        plain,
        ..plan.clone()
    };
    let Some(failed) = watch(start(&of(plan.plain), program, 0, number)?, bar, summary)? else {
        return Ok(());
    };
    let (what, status) = (failed.what, failed.status);
    let mut plain = Summary::default();
    let ended = watch(
        start(&of(true), program, 0, number)?,
        &ProgressBar::hidden(),
        &mut plain,
    )?
    .is_none();
    bar.inc(1);
    if ended && plain.same == 1 {
        let outcome = Outcome::Contradicts(format!("the CPU driver's optimised code {what}, {status}"));
        let path = report::write(
            &plan.folder,
            plan.seed,
            number,
            &outcome,
            &generate::kernel(plan.seed, number),
        )?;
        summary.contradictions.push(format!("{number} {}", path.display()));
    } else {
        summary.findings.push(format!("{number} {what}, {status}"));
    }
    Ok(())
}

/// A worker's batch that was not completed.
struct Batch {
    /// Number of its first kernel.
    first: u64,
    /// Number of its kernels that were reported.
    reported: u64,
    /// `crashes` or `hangs`.
    what: &'static str,
    status: ExitStatus,
}

/// Adds what a worker reports to the summary. Returns the batch in which it crashed or hung.
fn watch(mut child: Child, bar: &ProgressBar, summary: &mut Summary) -> Result<Option<Batch>> {
    let output = child.stdout.take().context("cannot read a worker's output")?;
    let (sender, receiver) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let mut at = None;
    let mut ended = false;
    let mut what = "crashes";
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(line) => match Said::of(&line) {
                Some(Said::Begin(first)) => at = Some((first, summary.reported())),
                Some(Said::Same) => {
                    summary.same += 1;
                    bar.inc(1);
                }
                Some(Said::Contradiction(text)) => {
                    bar.inc(1);
                    summary.contradictions.push(text);
                }
                Some(Said::Finding(text)) => {
                    bar.inc(1);
                    bar.suspend(|| eprintln!("{text}"));
                    summary.findings.push(text);
                }
                Some(Said::End) => ended = true,
                // Output of the CPU's driver.
                None => bar.suspend(|| eprintln!("{line}")),
            },
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                what = "hangs";
                child.kill().context("cannot stop a worker that hangs")?;
                break;
            }
        }
    }
    let status = child.wait().context("cannot wait for a worker")?;
    // The reader ends at the end of the worker's output.
    let _ = reader.join();
    if ended && status.success() {
        return Ok(None);
    }
    let Some((first, before)) = at else {
        anyhow::bail!("a worker ended before its first kernel: {status}");
    };
    Ok(Some(Batch {
        first,
        reported: summary.reported() - before,
        what,
        status,
    }))
}

fn start(plan: &Plan, program: &Path, job: u64, from: u64) -> Result<Child> {
    let number = |value: u64| value.to_string();
    let mut command = Command::new(program);
    if plan.plain {
        command.arg("--plain");
    }
    command
        .args(["--seed", &number(plan.seed), "--first", &number(plan.first)])
        .args(["--count", &number(plan.count), "--jobs", &number(plan.jobs)])
        .arg("--folder")
        .arg(&plan.folder)
        .args(["--worker", &number(job), "--from", &number(from)])
        // PoCL does not cache kernels, because none is compiled twice, and each worker uses one core.
        .env("POCL_KERNEL_CACHE", "0")
        .env("POCL_CACHE_DIR", plan.folder.join("pocl"))
        .env("POCL_MAX_PTHREAD_COUNT", "1")
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", program.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defects_are_distinguished() {
        let refused = |text: &str| Outcome::Refused(text.into());
        let differs = |text: &str| Outcome::Differs(text.into());
        assert!(alike(&differs("a"), &differs("b")));
        assert!(!alike(&differs("a"), &refused("a")));
        assert!(alike(
            &refused("random.cl:5:3: too large"),
            &refused("random.cl:15:31: too large")
        ));
        assert!(!alike(
            &refused("random.cl:5:3: too large"),
            &refused("random.cl:5:3: too small")
        ));
    }
}
