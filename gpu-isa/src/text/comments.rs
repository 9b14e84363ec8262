//! The comments of the assembler's source: `//` to the end of the line, and `/*` to `*/` over several lines.

/// The line with its comments as spaces; `open` is true while a `/*` is open, before and after it.
pub(crate) fn without_comments(text: &str, open: &mut bool) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (kept, blank) = match (*open, rest.find("*/"), rest.find("/*"), rest.find("//")) {
            (true, Some(end), ..) => {
                *open = false;
                (0, end + 2)
            }
            (true, ..) => (0, rest.len()),
            (false, _, Some(begin), line) if line.is_none_or(|line| begin < line) => {
                *open = true;
                (begin, 2)
            }
            (false, _, _, Some(line)) => (line, rest.len() - line),
            (false, ..) => (rest.len(), 0),
        };
        code.push_str(&rest[..kept]);
        code.extend(rest[kept..kept + blank].chars().map(|_| ' '));
        rest = &rest[kept + blank..];
    }
    code
}
