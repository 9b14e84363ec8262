//! Clang's messages for the user: errors before warnings, and unsupported features in the user's terms.

use super::refused::{is_atomic, is_of_half};
use crate::error::{needs, no_doubles, DOUBLES, NO_ATOMICS, NO_HALF, NO_IMAGES};
use flexgrip_isa::Capability;

/// A message with its context.
struct Message<'a> {
    /// The chain of `#include`s, then the message.
    head: Vec<&'a str>,
    /// The source line, and notes.
    rest: Vec<&'a str>,
}

impl Message<'_> {
    fn is(&self, kinds: &[&str]) -> bool {
        let line = self.head.last().copied().unwrap_or_default();
        kinds.iter().any(|kind| line.contains(kind))
    }
}

const ERRORS: &[&str] = &[": error: ", ": fatal error: "];
const WARNINGS: &[&str] = &[": warning: ", ": remark: "];

/// Splits a log into messages; text before the first message and the count at the end are dropped.
fn messages(log: &str) -> Vec<Message<'_>> {
    let mut found: Vec<Message> = Vec::new();
    let mut including = Vec::new();
    for line in log.lines() {
        if line.starts_with("In file included from ") || (line.starts_with("  ") && !including.is_empty()) {
            including.push(line);
        } else if ERRORS.iter().chain(WARNINGS).any(|kind| line.contains(kind)) {
            let mut head = std::mem::take(&mut including);
            head.push(line);
            found.push(Message { head, rest: Vec::new() });
        } else if let Some(last) = found.last_mut().filter(|_| !line.ends_with(" generated.")) {
            last.rest.append(&mut including);
            last.rest.push(line);
        }
    }
    found
}

fn text<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Returns only the warnings of a log.
pub fn warnings(log: &str) -> String {
    let found = messages(log);
    let kept = found.iter().filter(|message| message.is(WARNINGS));
    text(
        kept.flat_map(|message| message.head.iter().chain(&message.rest))
            .copied(),
    )
}

/// Returns the log with errors before warnings. Errors about features that a device of this capability does not have
/// are reworded for the user.
pub fn in_users_terms(log: &str, capability: Capability) -> String {
    let mut found = messages(log);
    if found.is_empty() {
        return log.to_string();
    }
    found.sort_by_key(|message| !message.is(ERRORS));
    let mut result = String::new();
    for Message { head, rest } in &found {
        let (own, before) = head.split_last().map_or(("", &[][..]), |(own, before)| (*own, before));
        result += &text(before.iter().copied());
        let split = ERRORS.iter().find_map(|kind| Some((own.split_once(kind)?, kind)));
        result += &match split
            .and_then(|((place, message), kind)| Some((place, kind, told(message, place, rest, capability)?)))
        {
            Some((place, kind, told)) => format!("{place}{kind}{told}\n"),
            None => format!("{own}\n"),
        };
        result += &text(rest.iter().copied());
    }
    result
}

/// Returns the message for an error, if its cause is a feature that the device does not have.
fn told(message: &str, place: &str, rest: &[&str], capability: Capability) -> Option<String> {
    let named = message.split('\'').nth(1).unwrap_or_default();
    let undeclared = ["undeclared", "unknown type", "implicit declaration"]
        .iter()
        .any(|word| message.contains(word));
    // `double4`, `convert_double4_rte`, `as_double`.
    let is_vector = |ty: &str| {
        let of = ["convert_", "as_"].iter().find_map(|start| named.strip_prefix(start));
        let count = of.unwrap_or(named).strip_prefix(ty);
        let rest = count.map(|count| count.trim_start_matches(|c: char| c.is_ascii_digit()));
        rest.is_some_and(|rest| rest.is_empty() || (of.is_some() && rest.starts_with('_')))
    };
    let of_doubles = message.contains("cl_khr_fp64") || (undeclared && is_vector("double"));
    if of_doubles && capability < DOUBLES {
        return Some(no_doubles(capability));
    }
    if message.contains("cl_khr_fp16") || is_of_half(message) || (undeclared && is_vector("half")) {
        return Some(NO_HALF.into());
    }
    let atomic = ["atom_", "atomic_", "memory_order", "memory_scope"];
    if undeclared && atomic.iter().any(|start| named.starts_with(start)) {
        let why = match is_atomic(named) && !capability.has_atomics() {
            true => needs("atomic operations", Capability::V1_1, capability),
            false => NO_ATOMICS.into(),
        };
        return Some(format!("`{named}`: {why}"));
    }
    if undeclared && named.starts_with("image") && named.ends_with("_t") {
        return Some(format!("`{named}`: {NO_IMAGES}"));
    }
    let there = word_at(place, rest);
    if there == Some("pipe") || message.contains("for pipe and image type") {
        return Some("pipes are not supported: they are a feature of OpenCL 2.0".into());
    }
    None
}

/// Returns the word of the source line at the column of a message.
fn word_at<'a>(place: &str, rest: &[&'a str]) -> Option<&'a str> {
    let column: usize = place.rsplit_once(':')?.1.parse().ok()?;
    // From version 18 on, the line number and a bar come before the source line.
    let line = rest.first()?;
    let line = line
        .split_once(" | ")
        .filter(|(number, _)| number.trim().parse::<u32>().is_ok())
        .map_or(*line, |(_, line)| line);
    let from = line.get(column.checked_sub(1)?..)?;
    let end = from.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    Some(&from[..end.unwrap_or(from.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_come_first() {
        let log = "In file included from k.cl:1:\na.h:2:1: warning: old\n    2 | x\n      | ^\n\
                   k.cl:3:3: error: bad\n    3 |   y\nk.cl:9:1: note: here\n1 warning and 1 error generated.\n";
        let wanted = "k.cl:3:3: error: bad\n    3 |   y\nk.cl:9:1: note: here\n\
                      In file included from k.cl:1:\na.h:2:1: warning: old\n    2 | x\n      | ^\n";
        let terms = |log: &str| in_users_terms(log, Capability::V1_0);
        assert_eq!(terms(log), wanted);
        let warning = "In file included from k.cl:1:\na.h:2:1: warning: old\n    2 | x\n      | ^\n";
        assert_eq!(warnings(log), warning);
        assert_eq!(terms("clang: no such target\n"), "clang: no such target\n");
        assert_eq!(terms(""), "");
    }

    #[test]
    fn unsupported_features_are_reworded() {
        let pipe = "    1 | kernel void a(read_only pipe int p) {}";
        for (message, wanted) in [
            (
                "use of type 'double' requires cl_khr_fp64 support",
                no_doubles(Capability::V1_0),
            ),
            (
                "use of undeclared identifier 'double2'; did you mean 'double'?",
                no_doubles(Capability::V1_0),
            ),
            (
                "use of undeclared identifier 'convert_double4_rte'",
                no_doubles(Capability::V1_0),
            ),
            (
                "declaring variable of type '__private half' is not allowed",
                NO_HALF.to_string(),
            ),
            ("unknown type name 'half4'", NO_HALF.to_string()),
            (
                "use of undeclared identifier 'atom_inc'",
                format!(
                    "`atom_inc`: {}",
                    needs("atomic operations", Capability::V1_1, Capability::V1_0)
                ),
            ),
            (
                "use of undeclared identifier 'atomic_fetch_add'",
                format!("`atomic_fetch_add`: {NO_ATOMICS}"),
            ),
            (
                "unknown type name 'image2d_msaa_t'",
                format!("`image2d_msaa_t`: {NO_IMAGES}"),
            ),
            (
                "type specifier missing",
                "pipes are not supported: they are a feature of OpenCL 2.0".to_string(),
            ),
            (
                "use of undeclared identifier 'half_life'",
                "use of undeclared identifier 'half_life'".to_string(),
            ),
            (
                "use of undeclared identifier 'doubled'",
                "use of undeclared identifier 'doubled'".to_string(),
            ),
        ] {
            let column = if wanted.starts_with("pipes") { 25 } else { 1 };
            let log = format!("k.cl:1:{column}: error: {message}\n{pipe}\n");
            let told = in_users_terms(&log, Capability::V1_0);
            assert_eq!(told, format!("k.cl:1:{column}: error: {wanted}\n{pipe}\n"));
        }
    }
}
