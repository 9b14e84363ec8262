//! The report as one HTML page, without scripts and network accesses.

use super::html::escape;
use super::table::Table;
use std::fmt::Write;

/// A section of the page.
pub(super) struct Section {
    /// The heading.
    pub(super) title: &'static str,
    /// Paragraphs, as plain text.
    pub(super) notes: Vec<String>,
    /// Pictures and tables as HTML, in order.
    pub(super) parts: Vec<String>,
    /// The tables, including those that the page only shows as a picture.
    pub(super) tables: Vec<Table>,
}

/// A section whose page shows its tables.
pub(super) fn with_tables(title: &'static str, notes: Vec<String>, tables: Vec<Table>) -> Section {
    Section {
        title,
        notes,
        parts: tables.iter().map(Table::html).collect(),
        tables,
    }
}

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; color: #222; background: #fff; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 2px 10px; border-bottom: 1px solid rgba(128, 128, 128, 0.3); text-align: left; white-space: nowrap; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
.table, .picture { overflow-x: auto; margin: 1em 0; }
.caption { font-size: 13px; margin-top: -0.5em; }
summary { cursor: pointer; margin: 1em 0; }
.legend span { display: inline-block; width: 0.9em; height: 0.9em; margin: 0 0.3em 0 1em; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #161616; } }
";

/// The page as HTML.
pub(super) fn page(title: &str, sections: &[Section]) -> String {
    let title = escape(title);
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    for section in sections {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "<h2>{}</h2>", escape(section.title));
        for note in &section.notes {
            let _ = writeln!(text, "<p>{}</p>", escape(note));
        }
        text.extend(section.parts.iter().map(String::as_str));
    }
    text + "</body>\n</html>\n"
}

#[cfg(test)]
mod tests {
    use super::super::html::{folded, legend};
    use super::*;

    #[test]
    fn titles_and_notes_are_escaped() {
        let section = Section {
            title: "A & B",
            notes: vec!["x < y".into()],
            parts: vec![legend([("<n>", "#123456")].into_iter()), folded("1 < 2", "<p>3</p>\n")],
            tables: Vec::new(),
        };
        let page = page("<script>", &[section]);
        assert!(!page.contains("<script"));
        for expected in [
            "<h1>&lt;script&gt;</h1>",
            "<h2>A &amp; B</h2>",
            "<p>x &lt; y</p>",
            "</span>&lt;n&gt;</p>",
            "<summary>1 &lt; 2</summary>\n<p>3</p>\n</details>",
        ] {
            assert!(page.contains(expected), "{expected}");
        }
    }
}
