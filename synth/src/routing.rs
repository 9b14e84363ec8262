//! Whether nextpnr's `router2` gets anywhere. It goes round by round, in each of which fewer wires should be overused, and
//! never gives up: of a placement that cannot be routed, the number grows again from some round on.

/// The router has stopped getting anywhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the placement of seed {seed} does not route: {least} wires are overused in round {best}, and no fewer in the {after} \
     rounds after it; another seed may route"
)]
pub struct NotRouted {
    /// Seed of the placement.
    pub seed: u32,
    /// The fewest wires that were overused in a round.
    pub least: u64,
    /// That round.
    pub best: u64,
    /// Rounds since then.
    pub after: u64,
}

/// Rounds without a new minimum after which there is no hope. Placements that routed had at most 14 in a row.
const PATIENCE: u64 = 40;

/// Overused wires in round N: `Info:     iter=9 wires=1142182 overused=11113 overuse=11236 archfail=NA`.
fn round(line: &str) -> Option<(u64, u64)> {
    let field = |name: &str| {
        let (_, rest) = line.split_once(name)?;
        rest.split(' ').next()?.parse().ok()
    };
    Some((field("iter=")?, field("overused=")?))
}

/// Judges the router by its log so far.
///
/// # Errors
/// The fewest overused wires were [`PATIENCE`] rounds ago.
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
        // The placer's rounds look alike, but have no wires.
        "Info: iter=99 steplen=112.180214 a=1.000000 penalty=[0.01]\n".to_string() + &lines.collect::<String>()
    }

    #[test]
    fn as_long_as_there_are_fewer_now_and_then() {
        assert_eq!(progress("", 1), Ok(()));
        assert_eq!(progress(&log((1..200).rev()), 1), Ok(()));
        // Up for 39 rounds, then down again.
        let rounds = (0..10).flat_map(|step| std::iter::once(1000 - step).chain(std::iter::repeat_n(2000, 39)));
        assert_eq!(progress(&log(rounds), 1), Ok(()));
    }

    #[test]
    fn a_placement_that_does_not_route() {
        // As seed 1 was once: 719 in round 69, then more and more.
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
