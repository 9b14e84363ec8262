//! Names in messages: the ones that were expected, and the ones similar to what was found.

/// The values as listed in a message: `a, b or c`.
pub(crate) fn one_of<T: ToString>(values: &[T]) -> String {
    let names: Vec<String> = values.iter().map(ToString::to_string).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// The names most similar to `text`, the nearest first, at most three; only names that differ in at most half of the
/// characters of `text`.
pub(crate) fn near<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let most = text.chars().count().div_ceil(2);
    let mut near: Vec<(usize, &str)> = names
        // The distance is at least the difference of the lengths. Computing it takes time proportional to their
        // product.
        .filter(|name| name.len().abs_diff(text.len()) <= most)
        .map(|name| (strsim::levenshtein(text, name), name))
        .filter(|&(distance, _)| distance <= most)
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(3).map(|(_, name)| name.to_string()).collect()
}

/// The end of a message about an unknown name: empty without similar names.
pub(crate) fn did_you_mean(near: &[String]) -> String {
    match near {
        [] => String::new(),
        near => {
            let quoted: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
            format!("; did you mean {}?", one_of(&quoted))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_sorted_by_distance() {
        let names = ["fetch.pcs", "fetch.pc", "decode.word", "fetch.pce"];
        assert_eq!(
            near("fetch.px", names.into_iter()),
            ["fetch.pc", "fetch.pce", "fetch.pcs"]
        );
        assert!(near("zzzz", names.into_iter()).is_empty());
    }
}
