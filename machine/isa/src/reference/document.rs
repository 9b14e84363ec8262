//! A document under construction, as Markdown or as plain text.

use crate::text::layout::{columns, wrap};

/// Width of the text's lines, in characters.
const WIDTH: usize = 100;

/// A document under construction: Markdown or plain text.
pub(super) struct Document {
    pub markdown: bool,
    pub text: String,
}

impl Document {
    pub fn new(markdown: bool) -> Self {
        Document {
            markdown,
            text: String::new(),
        }
    }

    /// Adds a blank line, unless this is the start.
    pub fn gap(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub fn heading(&mut self, level: usize, heading: &str) {
        self.gap();
        if self.markdown {
            self.line(&format!("{} {heading}", "#".repeat(level)));
        } else {
            self.line(heading);
            let underline = if level == 1 { "=" } else { "-" };
            self.line(&underline.repeat(heading.chars().count()));
        }
    }

    /// Escapes characters that Markdown would take for a tag, because prose may become HTML.
    pub fn prose(&self, text: &str) -> String {
        if self.markdown {
            text.replace('<', "&lt;")
        } else {
            text.to_string()
        }
    }

    pub fn paragraph(&mut self, text: &str) {
        self.gap();
        for line in wrap(&self.prose(text), WIDTH) {
            self.line(&line);
        }
    }

    pub fn list(&mut self, items: &[String]) {
        self.gap();
        for item in items {
            for (i, line) in wrap(&self.prose(item), WIDTH - 2).iter().enumerate() {
                self.line(&format!("{}{line}", if i == 0 { "- " } else { "  " }));
            }
        }
    }

    pub fn code(&mut self, code: &str) {
        self.gap();
        if self.markdown {
            self.line("```text");
            self.text.push_str(code);
            self.line("```");
        } else {
            for line in code.lines() {
                self.line(format!("  {line}").trim_end());
            }
        }
    }

    pub fn table(&mut self, headings: &[&str], rows: &[Vec<String>]) {
        if rows.is_empty() {
            return;
        }
        self.gap();
        if !self.markdown {
            self.text.push_str(&columns(headings, rows));
            return;
        }
        self.line(&format!("| {} |", headings.join(" | ")));
        self.line(&format!("|{}", "---|".repeat(headings.len())));
        for row in rows {
            let cells: Vec<String> = row.iter().map(|cell| self.prose(cell).replace('|', "\\|")).collect();
            self.line(&format!("| {} |", cells.join(" | ")));
        }
    }

    /// Code in running text.
    pub fn quoted(&self, code: &str) -> String {
        if self.markdown && !code.is_empty() {
            format!("`{code}`")
        } else {
            code.to_string()
        }
    }
}

/// `text` as a sentence, with a capital letter and a full stop.
pub(super) fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let start = match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect::<String>(),
        None => String::new(),
    };
    format!("{start}.")
}

pub(super) fn joined(all: &[String]) -> String {
    if all.is_empty() {
        "nothing".into()
    } else {
        all.join("; ")
    }
}
