//! Detects that nextpnr's `router2` makes no progress. The router works in rounds, each of which should leave fewer
//! overused wires, and never gives up: with a placement that cannot be routed, the number increases again after some
//! rounds.

/// The router no longer makes progress.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the placement of seed {seed} does not route: {least} wires are overused in round {best}, and no fewer in the {after} \
     rounds after it; another seed may route"
)]
pub struct NotRouted {
    /// The seed of the placement.
    pub seed: u32,
    /// The smallest number of overused wires in any round.
    pub least: u64,
    /// The number of this round.
    pub best: u64,
    /// The number of rounds since then.
    pub after: u64,
}

/// The number of rounds without a new minimum after which routing is given up. Placements that routed had at most 14 in
/// a row.
const PATIENCE: u64 = 40;

/// The round and the overused wires of a log line such as `Info:     iter=9 wires=1142182 overused=11113 overuse=11236
/// archfail=NA`.
fn round(line: &str) -> Option<(u64, u64)> {
    let field = |name: &str| {
        let (_, rest) = line.split_once(name)?;
        rest.split(' ').next()?.parse().ok()
    };
    Some((field("iter=")?, field("overused=")?))
}

/// Judges the progress of the router by its log so far.
///
/// # Errors
/// The smallest number of overused wires was [`PATIENCE`] rounds ago.
pub fn progress(log: &str, seed: u32) -> Result<(), NotRouted> {
    let rounds: Vec<(u64, u64)> = log.lines().filter_map(round).collect();
    let (Some(&(last, _)), Some(&(best, least))) = (rounds.last(), rounds.iter().min_by_key(|(_, overused)| overused))
    else {
        return Ok(());
    };
    let after = last - best.min(last);
    if after < PATIENCE {
        return Ok(());
    }
    Err(NotRouted {
        seed,
        least,
        best,
        after,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(overused: impl Iterator<Item = u64>) -> String {
        let lines = overused.zip(1..).map(|(overused, round)| {
            format!("Info:     iter={round} wires=1142182 overused={overused} overuse=9 archfail=NA\n")
        });
        // The rounds of the placer look similar, but have no wires.
        "Info: iter=99 steplen=112.180214 a=1.000000 penalty=[0.01]\n".to_string() + &lines.collect::<String>()
    }

    #[test]
    fn occasional_progress_is_enough() {
        assert_eq!(progress("", 1), Ok(()));
        assert_eq!(progress(&log((1..200).rev()), 1), Ok(()));
        // The number of wires rises for 39 rounds, then falls again.
        let rounds = (0..10).flat_map(|step| std::iter::once(1000 - step).chain(std::iter::repeat_n(2000, 39)));
        assert_eq!(progress(&log(rounds), 1), Ok(()));
    }

    #[test]
    fn unroutable_placement_is_given_up() {
        // The numbers are from a real run with seed 1: 719 in round 69, then more and more.
        let rounds = (0..69)
            .map(|round| 719 + 100 * (68 - round))
            .chain((0..40).map(|more| 800 + more));
        let error = progress(&log(rounds), 1).unwrap_err();
        assert_eq!((error.least, error.best, error.after), (719, 69, 40));
        assert!(
            error.to_string().contains("seed 1 does not route: 719 wires"),
            "{error}"
        );
    }
}
