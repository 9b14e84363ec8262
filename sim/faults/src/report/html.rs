//! Pieces of HTML.

use std::fmt::Write;

/// Escapes text for elements and attributes of HTML and SVG. Characters that XML forbids become replacement characters.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            _ if character.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// A picture as HTML.
pub(super) fn picture(svg: &str) -> String {
    format!("<div class=\"picture\">{svg}</div>\n")
}

/// A section of the page that is collapsed at first.
pub(super) fn folded(summary: &str, contents: &str) -> String {
    format!(
        "<details>\n<summary>{}</summary>\n{contents}</details>\n",
        escape(summary)
    )
}

/// The legend of a picture: colours with their names.
pub(super) fn legend<'n>(colours: impl Iterator<Item = (&'n str, &'n str)>) -> String {
    let mut text = String::from("<p class=\"legend\">");
    for (name, colour) in colours {
        let _ = write!(text, "<span style=\"background: {colour}\"></span>{}", escape(name));
    }
    text + "</p>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(
            escape("<a b='c' d=\"e\">&\u{0}\n"),
            "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;\u{fffd} "
        );
    }
}
