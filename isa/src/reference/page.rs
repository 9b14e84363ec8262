//! The ISA reference, made from the table: a page for each instruction with all its forms, as Markdown for the book
//! and as plain text for the terminal, and the pages that go with them.
//!
//! `make docs` writes the book's pages; a test compares what is committed with what this module makes.

use crate::instruction::{decode, encode, Instruction};
use crate::operation::Condition;
use crate::table::field::{Field, Kind};
use crate::table::ignored::{ignored_bits, ignored_by_hardware};
use crate::table::manual::{Section, MARKERS};
use crate::table::*;
use crate::text::layout::{columns, wrap};
use crate::text::statement::nearest;

/// Width of the text's lines, in characters.
const WIDTH: usize = 100;

/// What fields hold in an example, by name, so that it shows something plain; others hold 0.
const EXAMPLE_VALUES: &[(&str, u32)] = &[
    ("condition", 15),
    ("32-bit", 1),
    ("type", 1),
    ("comparison", 1),
    ("access", 6),
    ("global space", 14),
    ("condition code write", 0),
    ("destination", 2),
    ("source 1", 4),
    ("source 2", 6),
    ("source 3", 8),
    ("address register", 1),
    ("immediate", 0x10),
    ("shift count", 4),
    ("special register", 1),
    ("target", 0x10),
    ("thread mask", 0xfff),
    ("arrive", 1),
    ("wait", 1),
    ("components", 15),
    ("coordinates", 1),
];

/// A document in the making: Markdown or plain text.
struct Document {
    markdown: bool,
    text: String,
}

impl Document {
    fn new(markdown: bool) -> Self {
        Document {
            markdown,
            text: String::new(),
        }
    }

    /// A blank line, unless this is the start.
    fn gap(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn heading(&mut self, level: usize, heading: &str) {
        self.gap();
        if self.markdown {
            self.line(&format!("{} {heading}", "#".repeat(level)));
        } else {
            self.line(heading);
            let underline = if level == 1 { "=" } else { "-" };
            self.line(&underline.repeat(heading.chars().count()));
        }
    }

    /// Prose may become HTML: what Markdown would take for a tag is escaped.
    fn prose(&self, text: &str) -> String {
        if self.markdown {
            text.replace('<', "&lt;")
        } else {
            text.to_string()
        }
    }

    fn paragraph(&mut self, text: &str) {
        self.gap();
        for line in wrap(&self.prose(text), WIDTH) {
            self.line(&line);
        }
    }

    fn list(&mut self, items: &[String]) {
        self.gap();
        for item in items {
            for (i, line) in wrap(&self.prose(item), WIDTH - 2).iter().enumerate() {
                self.line(&format!("{}{line}", if i == 0 { "- " } else { "  " }));
            }
        }
    }

    fn code(&mut self, code: &str) {
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

    fn table(&mut self, headings: &[&str], rows: &[Vec<String>]) {
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
    fn quoted(&self, code: &str) -> String {
        if self.markdown && !code.is_empty() {
            format!("`{code}`")
        } else {
            code.to_string()
        }
    }
}

/// The instruction that a mnemonic is a form of: `IADD` for `IADD32` and `IADD32I`.
fn base(name: &str) -> &str {
    name.strip_suffix("32I")
        .or_else(|| name.strip_suffix("32"))
        .filter(|base| ROWS.iter().any(|row| row.name == *base))
        .unwrap_or(name)
}

/// All instructions, in the table's order, each form's name cut down to the instruction's.
pub fn instructions() -> Vec<&'static str> {
    let mut all = Vec::new();
    for row in ROWS {
        let base = base(row.name);
        if !all.contains(&base) {
            all.push(base);
        }
    }
    all
}

/// The rows of an instruction, `name` being one of [`instructions`].
fn rows(name: &str) -> Vec<&'static Row> {
    ROWS.iter().filter(|row| base(row.name) == name).collect()
}

/// A mnemonic without an entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no instruction `{name}`{}", hint(.elsewhere, .suggestion))]
pub struct UnknownInstruction {
    /// What was asked for.
    pub name: String,
    /// A name of the table that is spelt nearly so.
    pub suggestion: Option<&'static str>,
    /// Why it is not in the table, if it is an instruction of other chips or programs.
    pub elsewhere: Option<&'static str>,
}

fn hint(elsewhere: &Option<&str>, suggestion: &Option<&str>) -> String {
    match (elsewhere, suggestion) {
        (Some(reason), _) => format!(": it is {reason}"),
        (None, Some(name)) => format!("; did you mean {name}?"),
        (None, None) => String::new(),
    }
}

/// The page of an instruction as plain text. Its name may be that of any form, in upper or lower case; suffixes after
/// a dot are left aside.
///
/// # Errors
/// No instruction has the name.
pub fn text_page(name: &str) -> Result<String, UnknownInstruction> {
    let mnemonic = name.trim().split('.').next().unwrap_or("").to_ascii_uppercase();
    if ROWS.iter().any(|row| row.name == mnemonic) {
        return Ok(page(base(&mnemonic), false));
    }
    Err(UnknownInstruction {
        name: name.to_string(),
        suggestion: nearest(&mnemonic, ROWS.iter().map(|row| row.name)),
        elsewhere: ABSENT
            .iter()
            .find(|absent| absent.name == mnemonic)
            .map(|absent| absent.reason),
    })
}

/// All rows of the table, one a line.
pub fn text_overview() -> String {
    let lines: Vec<Vec<String>> = ROWS
        .iter()
        .map(|row| {
            vec![
                full_name(row),
                row.form().name().into(),
                row.since.to_string(),
                executed(row).into(),
                row.semantics.into(),
            ]
        })
        .collect();
    columns(&["name", "form", "since", "executed", "means"], &lines)
}

/// The mnemonic with the suffixes that all words of the row have.
fn full_name(row: &Row) -> String {
    let mut name = row.name.to_string();
    for suffix in row.suffixes {
        if let Suffix::Fixed(fixed) = suffix {
            name.push('.');
            name.push_str(fixed);
        }
    }
    name
}

/// What a row's section is called: its full name and form, and if another row has the same, a fixed bit that is another there.
pub fn heading(row: &Row) -> String {
    let plain = |row: &Row| format!("{}, {}", full_name(row), row.form().name());
    let name = plain(row);
    let twins = ROWS
        .iter()
        .filter(|other| !std::ptr::eq(*other, row) && plain(other) == name);
    let differing = twins.fold(0, |bits, other| {
        bits | (row.pattern.value ^ other.pattern.value) & row.pattern.mask & other.pattern.mask
    });
    match differing.trailing_zeros() {
        64 => name,
        bit => format!("{name}, bit {bit} is {}", row.pattern.value >> bit & 1),
    }
}

fn executed(row: &Row) -> &'static str {
    match row.execution {
        Execution::Full => "yes",
        Execution::Only(_) => "in part",
        Execution::NotYet => "not yet",
    }
}

/// Short name of an operand in the syntax line.
fn symbol(slot: &Slot) -> String {
    match slot.role {
        Role::Destination => "dst".into(),
        Role::Source1 => "src1".into(),
        Role::Source2 => "src2".into(),
        Role::Source3 => "src3".into(),
        Role::Inherent => format!("<{}>", slot.name()),
    }
}

/// How the row's instructions are written: `[]` may be left out, `{}` is a choice.
fn syntax(row: &Row) -> String {
    let mut text = row.name.to_string();
    if row.form() == Form::Long {
        text.push_str("[.S|.EXIT]");
    }
    for suffix in row.suffixes {
        match suffix {
            Suffix::Names(_, names) => {
                let shown: Vec<String> = names
                    .iter()
                    .flatten()
                    .filter(|name| !name.is_empty())
                    .map(|name| format!(".{name}"))
                    .collect();
                let (open, close) = if names.contains(&Some("")) {
                    ('[', ']')
                } else {
                    ('{', '}')
                };
                text.push_str(&format!("{open}{}{close}", shown.join("|")));
            }
            Suffix::When(_, _, name) => text.push_str(&format!("[.{name}]")),
            Suffix::Fixed(name) => text.push_str(&format!(".{name}")),
            Suffix::Carry(..) => text.push_str("[.CARRYn]"),
            Suffix::Carry0(_) => text.push_str("[.CARRY0]"),
        }
    }
    if row.writes_cc {
        text.push_str("[.Cn]");
    }
    let conditional = row.guard == Guard::Conditional;
    let mut separator = " ";
    if conditional && row.form() == Form::Control {
        text.push_str(if row.slots.is_empty() {
            " [Cn.condition]"
        } else {
            " [Cn.condition,]"
        });
    }
    for (i, slot) in row.slots.iter().enumerate() {
        let mut operand = symbol(slot);
        for (mark, open, close) in [
            (Mark::Absolute, "[|]", "[|]"),
            (Mark::Invert, "[~]", ""),
            (Mark::Negate, "[-]", ""),
        ] {
            if slot.marks.iter().any(|entry| entry.0 == mark) {
                operand = format!("{open}{operand}{close}");
            }
        }
        if matches!(slot.location, Location::OptionalNumber(_)) {
            text.push_str(&format!("[{separator}{operand}]"));
        } else {
            text.push_str(separator);
            text.push_str(&operand);
        }
        separator = ", ";
        if i == 0 && conditional && row.form() != Form::Control {
            text.push_str(" [(Cn.condition)]");
        }
    }
    text
}

/// Letters by which a diagram names fields.
const KEYS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The field's letter in its row's diagram.
fn key(index: usize) -> char {
    KEYS.get(index).copied().map_or('?', char::from)
}

/// The row's bits as lines of text, high word first: a letter for each bit of a field, 0 and 1 where the word is
/// fixed, a dot where it is ignored. Fields that share bits stand below one another.
fn diagram(row: &Row, fields: &[Field]) -> String {
    let mut layers: Vec<[char; 64]> = Vec::new();
    let covered = fields.iter().fold(0, |mask, field| mask | field.mask());
    let mut first = [' '; 64];
    for (bit, place) in first.iter_mut().enumerate() {
        if row.pattern.mask >> bit & 1 == 1 {
            *place = if row.pattern.value >> bit & 1 == 1 { '1' } else { '0' };
        } else if covered >> bit & 1 == 0 {
            *place = '.';
        }
    }
    layers.push(first);
    for (index, field) in fields.iter().enumerate() {
        let bits: Vec<usize> = (0..64).filter(|bit| field.mask() >> bit & 1 == 1).collect();
        let free = layers
            .iter()
            .position(|layer| bits.iter().all(|&bit| layer[bit] == ' '));
        let layer = free.unwrap_or_else(|| {
            layers.push([' '; 64]);
            layers.len() - 1
        });
        for bit in bits {
            layers[layer][bit] = key(index);
        }
    }
    let words: &[(usize, &str)] = match row.form() {
        Form::Short => &[(0, "low ")],
        _ => &[(32, "high"), (0, "low ")],
    };
    let mut text = String::new();
    for &(low, name) in words {
        let mut ruler = "      ".to_string();
        for byte in (0..4).rev() {
            let at = low + 8 * byte;
            ruler.push_str(&format!("{:<7}{:>2} ", at + 7, at));
        }
        text.push_str(ruler.trim_end());
        text.push('\n');
        for (i, layer) in layers.iter().enumerate() {
            let mut line = format!("{:<6}", if i == 0 { name } else { "" });
            for byte in (0..4).rev() {
                for bit in (0..8).rev() {
                    line.push(layer[low + 8 * byte + bit]);
                }
                line.push_str("  ");
            }
            if i == 0 || !line.trim().is_empty() {
                text.push_str(line.trim_end());
                text.push('\n');
            }
        }
    }
    text
}

/// A word of the row that decodes and shows something plain, and the instruction that it is.
pub fn example(row: &'static Row) -> Option<Instruction> {
    let mut word = row.pattern.value;
    let mut settled = row.pattern.mask;
    let mut place = |word: &mut u64, field: Field, value: u32| {
        // Bits that an earlier field has set stay.
        let mask = field.mask() & !settled;
        let value = value & (u32::MAX >> (32 - field.width()));
        *word = *word & !mask | field.place(value) & mask;
        settled |= field.mask();
    };
    // Which fields there are depends on the values of others: those first, twice for those that they bring.
    for _ in 0..3 {
        for field in row.fields_of(word) {
            let value = EXAMPLE_VALUES
                .iter()
                .find(|(name, _)| *name == field.name)
                .map_or(0, |&(_, value)| value);
            place(&mut word, field, value);
        }
    }
    decode(word)
        .ok()
        .filter(|instruction| std::ptr::eq(instruction.row(), row))
}

/// Values with their texts and meanings: of choices, and of fields that the text names.
fn values(row: &Row, field: Field) -> Vec<Vec<String>> {
    // The text that a value puts into the instruction: none, or the empty one, if nothing.
    let texts: Vec<Option<&str>> = row
        .suffixes
        .iter()
        .find_map(|suffix| match *suffix {
            Suffix::Names(at, names) if at == field => Some(names.to_vec()),
            _ => None,
        })
        .or_else(|| {
            row.slots.iter().find_map(|slot| match slot.location {
                Location::Named(at, names) if at == field => Some(names.to_vec()),
                _ => None,
            })
        })
        .unwrap_or_default();
    let suffix = row
        .suffixes
        .iter()
        .any(|suffix| matches!(suffix, Suffix::Names(at, _) if *at == field));
    let words: Vec<&str> = match field.kind {
        Kind::Choice(words) => words.to_vec(),
        Kind::Flag if !texts.is_empty() => vec!["no", "yes"],
        _ => Vec::new(),
    };
    let count = words.len().max(texts.len());
    (0..count)
        .filter_map(|value| {
            let text = texts.get(value).copied().flatten();
            let mut text = match text {
                Some(text) if suffix && !text.is_empty() => format!(".{text}"),
                text => text.unwrap_or("").to_string(),
            };
            for other in row.suffixes {
                match *other {
                    Suffix::When(at, when, name) if at == field && when as usize == value => {
                        text = format!(".{name}");
                    }
                    Suffix::Carry(at, _) if at == field && value == 3 => text = ".CARRYn".into(),
                    Suffix::Carry0(at) if at == field && value == 3 => text = ".CARRY0".into(),
                    _ => {}
                }
            }
            let meaning = words.get(value).copied().unwrap_or("");
            if text.is_empty() && meaning.is_empty() {
                return None;
            }
            Some(vec![field.name.into(), value.to_string(), text, meaning.into()])
        })
        .collect()
}

/// One row: its syntax, bits, fields, operands and the rest.
fn form_section(document: &mut Document, row: &'static Row) {
    document.heading(2, &heading(row));
    document.code(&format!("{}\n", syntax(row)));
    document.paragraph(&sentence(row.semantics));

    let fields = row.fields();
    document.code(&diagram(row, &fields));
    let lines: Vec<Vec<String>> = fields
        .iter()
        .enumerate()
        .map(|(index, field)| {
            vec![
                document.quoted(&key(index).to_string()),
                field.bits(),
                field.name.into(),
                field.kind.description().into(),
            ]
        })
        .collect();
    document.table(&["", "bits", "field", "what it is"], &lines);

    let operands: Vec<Vec<String>> = row
        .slots
        .iter()
        .map(|slot| {
            let mut notations = Vec::new();
            for location in slot.location.alternatives() {
                if !notations.contains(&location.notation()) {
                    notations.push(location.notation());
                }
            }
            let signs: Vec<&str> = slot
                .marks
                .iter()
                .map(|(mark, ..)| match mark {
                    Mark::Negate => "negated",
                    Mark::Absolute => "absolute value",
                    Mark::Invert => "inverted",
                })
                .collect();
            vec![
                document.quoted(&symbol(slot)),
                slot.name().into(),
                document.quoted(&notations.join("  ")),
                signs.join(", "),
            ]
        })
        .collect();
    document.table(&["operand", "is", "may be", "and"], &operands);

    // The marker is the same everywhere: it has its place among the forms.
    let values: Vec<Vec<String>> = fields
        .iter()
        .filter(|field| **field != MARKER)
        .flat_map(|field| values(row, *field))
        .map(|mut line| {
            line[2] = document.quoted(&line[2]);
            line
        })
        .collect();
    document.table(&["field", "value", "text", "meaning"], &values);

    let mut facts = vec![
        format!("Reads: {}.", joined(&row.reads())),
        format!("Writes: {}.", joined(&row.writes())),
        format!("Unit: {}.", row.unit),
        format!("Executed by this core: {}.", restrictions(row)),
        format!("Since compute capability {}.", row.since),
        format!("Source: {}.", row.source),
    ];
    if let Some(instruction) = example(row) {
        let word = encode(&instruction);
        let words = match row.form() {
            Form::Short => format!("{word:08x}"),
            _ => format!("{:08x} {:08x}", word & 0xffff_ffff, word >> 32),
        };
        facts.push(format!(
            "Example: {} is {}.",
            document.quoted(&words),
            document.quoted(&instruction.to_string())
        ));
    }
    document.list(&facts);
    for note in row.notes {
        document.paragraph(note);
    }
}

/// As a sentence: a capital letter and a full stop, unless it starts with something that has its own spelling.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let start = match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect::<String>(),
        None => String::new(),
    };
    format!("{start}.")
}

fn joined(all: &[String]) -> String {
    if all.is_empty() {
        "nothing".into()
    } else {
        all.join("; ")
    }
}

fn restrictions(row: &Row) -> String {
    match row.execution {
        Execution::Full => "yes".into(),
        Execution::NotYet => "not yet; it stops a kernel as an illegal instruction".into(),
        Execution::Only(restrictions) => {
            let all: Vec<String> = restrictions
                .iter()
                .map(|(field, values)| {
                    let values: Vec<String> = values.iter().map(u32::to_string).collect();
                    format!("{} {}", field.name, values.join(" or "))
                })
                .collect();
            format!("with {} alone", all.join(" and "))
        }
    }
}

/// The sections of the manual about these rows.
fn sections(rows: &[&'static Row]) -> Vec<&'static Section> {
    let mut all = Vec::new();
    for section in rows.iter().flat_map(|row| row.manual) {
        if !all.contains(section) {
            all.push(*section);
        }
    }
    all
}

/// The page of an instruction, one of [`instructions`].
fn page(name: &str, markdown: bool) -> String {
    let rows = rows(name);
    let mut document = Document::new(markdown);
    document.heading(1, name);
    for row in &rows {
        form_section(&mut document, row);
    }
    let wrong: Vec<_> = sections(&rows)
        .into_iter()
        .filter(|section| !section.errors.is_empty())
        .collect();
    if !wrong.is_empty() {
        document.heading(2, "What the manual prints wrongly");
        for section in wrong {
            document.paragraph(&format!("In its section {}:", section.name));
            let errors: Vec<String> = section
                .errors
                .iter()
                .map(|error| match (*error, markdown) {
                    (MARKERS, true) => "The marker's values are swapped, [as in most sections](manual.md).".into(),
                    (error, _) => error.to_string(),
                })
                .collect();
            document.list(&errors);
        }
    }
    document.text
}

/// A file of the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Path below the project's root, with `/`.
    pub path: String,
    /// Contents.
    pub text: String,
}

/// Folder of the book's generated pages, below the project's root.
pub const BOOK_FOLDER: &str = "docs/book/src/isa";

/// Template of the book's summary, below the project's root.
pub const SUMMARY_TEMPLATE: &str = "docs/book/summary.md.in";

fn page_file(name: &str) -> String {
    format!("{}.md", name.to_ascii_lowercase())
}

/// All generated files: the book's ISA pages, its summary, and the editor grammar. `summary` is what
/// [`SUMMARY_TEMPLATE`] says; in it the line `{{isa}}` stands for the list of pages.
pub fn files(summary: &str) -> Vec<File> {
    let mut chapters = vec![
        ("Instruction words", "forms.md".to_string(), forms_page()),
        ("Conditions", "conditions.md".to_string(), conditions_page()),
        (
            "Special registers",
            "special-registers.md".to_string(),
            special_registers_page(),
        ),
    ];
    for name in instructions() {
        chapters.push((name, page_file(name), page(name, true)));
    }
    chapters.push((
        "Words that are no instructions here",
        "absent.md".to_string(),
        absent_page(),
    ));
    chapters.push(("Bits without a meaning", "ignored.md".to_string(), ignored_page()));
    chapters.push(("Errors of the manual", "manual.md".to_string(), manual_page()));

    let mut list = "- [The instructions](isa/overview.md)\n".to_string();
    for (title, file, _) in &chapters {
        list.push_str(&format!("  - [{title}](isa/{file})\n"));
    }
    let mut all = vec![
        File {
            path: "docs/book/src/SUMMARY.md".into(),
            text: summary.replace("{{isa}}\n", &list),
        },
        File {
            path: format!("{BOOK_FOLDER}/overview.md"),
            text: overview_page(),
        },
        File {
            path: crate::text::grammar::PATH.into(),
            text: crate::text::grammar::grammar(),
        },
        File {
            path: crate::decoder::ROWS_PATH.into(),
            text: crate::decoder::rows_file(),
        },
        File {
            path: crate::decoder::LINES_PATH.into(),
            text: crate::decoder::lines_file(),
        },
    ];
    all.extend(chapters.into_iter().map(|(_, file, text)| File {
        path: format!("{BOOK_FOLDER}/{file}"),
        text,
    }));
    all
}

fn overview_page() -> String {
    let mut document = Document::new(true);
    document.heading(1, "The instructions");
    document.paragraph(&format!(
        "All of SM 1.0 that compute programs can have: {} instructions in {} forms. These pages are made from the table \
         in `isa/src/table/rows.rs`, from which the decoder, the assembler and the disassembler work as well. `flexgrip isa \
         IADD` prints a page, `flexgrip explain WORD` takes a word apart.",
        instructions().len(),
        ROWS.len()
    ));
    let lines: Vec<Vec<String>> = ROWS
        .iter()
        .map(|row| {
            vec![
                format!("[{}]({})", full_name(row), page_file(base(row.name))),
                row.form().name().into(),
                opcodes(row),
                row.unit.to_string(),
                executed(row).into(),
                row.since.to_string(),
                row.semantics.into(),
            ]
        })
        .collect();
    document.table(
        &["name", "form", "opcode", "unit", "executed", "since", "means"],
        &lines,
    );
    document.paragraph(
        "The opcode is in bits 31..28, the sub-opcode behind the point in bits 63..61; x is a bit that says something else.",
    );
    document.text
}

/// The bits from `high` to `low` of the row's pattern, free ones as x; nothing if all are.
fn fixed(row: &Row, high: u32, low: u32) -> String {
    let digits: String = (low..=high)
        .rev()
        .map(
            |bit| match (row.pattern.mask >> bit & 1, row.pattern.value >> bit & 1) {
                (0, _) => 'x',
                (_, 0) => '0',
                _ => '1',
            },
        )
        .collect();
    if digits.bytes().all(|digit| digit == b'x') {
        String::new()
    } else {
        digits
    }
}

fn opcodes(row: &Row) -> String {
    let (opcode, sub) = (fixed(row, 31, 28), fixed(row, 63, 61));
    if sub.is_empty() {
        opcode
    } else {
        format!("{opcode}.{sub}")
    }
}

fn forms_page() -> String {
    let mut document = Document::new(true);
    document.heading(1, "Instruction words");
    document.paragraph(
        "An instruction is a 32-bit word, or two on an 8-byte boundary, the low word first. Its form follows from bits 1..0 \
         and 33..32:",
    );
    let told = |form| match form {
        Form::Short => "bit 0 is 0",
        Form::Long => "bits 1..0 are 01, bits 33..32 are not 11",
        Form::Immediate => "bits 1..0 are 01, bits 33..32 are 11",
        Form::Control => "bits 1..0 are 11",
    };
    let forms = [Form::Short, Form::Long, Form::Immediate, Form::Control];
    let lines: Vec<Vec<String>> = forms
        .iter()
        .map(|&form| {
            vec![
                form.name().into(),
                form.size().to_string(),
                told(form).into(),
                ROWS.iter().filter(|row| row.form() == form).count().to_string(),
            ]
        })
        .collect();
    document.table(&["form", "bytes", "told by", "rows of the table"], &lines);
    document.paragraph(
        "In the instructions' diagrams a letter is a bit of a field, 0 and 1 are fixed, and a dot is ignored. Fields that \
         share bits stand below one another: others choose which of them a word has. Bits of a field in several pieces \
         are listed from the highest bit of its value down. s[] is shared memory, which the text writes g[].",
    );
    document.paragraph(
        "A long instruction has a marker in bits 33..32, written behind the mnemonic: 0 nothing; 1 `.EXIT`, the active \
         threads end after it; 2 `.S`, it pops the divergence stack for joining. `.Cn` at the mnemonic's end names the \
         condition-code register that the result's condition code is written to.",
    );
    for form in forms {
        document.heading(2, &sentence(form.name()).replace('.', ""));
        let rows: Vec<&Row> = ROWS.iter().filter(|row| row.form() == form).collect();
        let mut fields: Vec<(Field, usize)> = Vec::new();
        for field in rows.iter().flat_map(|row| row.fields()) {
            match fields.iter_mut().find(|(known, _)| *known == field) {
                Some((_, count)) => *count += 1,
                None => fields.push((field, 1)),
            }
        }
        fields.sort_by_key(|(field, _)| field.parts.iter().map(|&(low, _)| low).min());
        let lines: Vec<Vec<String>> = fields
            .iter()
            .map(|(field, count)| {
                vec![
                    field.bits(),
                    field.name.into(),
                    field.kind.description().into(),
                    count.to_string(),
                ]
            })
            .collect();
        document.table(&["bits", "field", "what it is", "rows that have it"], &lines);
    }
    document.text
}

fn conditions_page() -> String {
    let mut document = Document::new(true);
    document.heading(1, "Conditions");
    document.paragraph(
        "A long or control instruction is executed by the threads for which its condition holds: bits 43..39, on the \
         condition-code register in bits 45..44. Written `(C0.NE)` behind the first operand, `C0.NE,` before a control \
         instruction's; always true if left out. The register holds z (bit 0: zero), s (1: sign), c (2: carry) and o (3: \
         signed overflow). NUM is another name of LEG. The codes 0x14 to 0x1b are undefined.",
    );
    let lines: Vec<Vec<String>> = Condition::ALL
        .iter()
        .map(|condition| {
            let holds: String = (0..16u8)
                .map(|cc| if condition.holds(cc) { '1' } else { '.' })
                .collect();
            vec![
                format!("{:#04x}", condition.code()),
                condition.text().into(),
                condition.description().trim_end_matches('.').into(),
                document.quoted(condition.formula()),
                document.quoted(&holds),
            ]
        })
        .collect();
    document.table(
        &["code", "name", "meaning", "holds if", "for o c s z = 0000 to 1111"],
        &lines,
    );
    document.text
}

fn special_registers_page() -> String {
    let mut document = Document::new(true);
    document.heading(1, "Special registers");
    document.paragraph("What [S2R](s2r.md) reads. Registers that are not listed are unknown. Source: envytools.");
    let lines: Vec<Vec<String>> = (0..)
        .zip(SPECIAL_REGISTERS)
        .map(|(number, (name, meaning))| vec![format!("SR{number}"), (*name).into(), (*meaning).into()])
        .collect();
    document.table(&["register", "name", "meaning"], &lines);
    document.text
}

fn absent_page() -> String {
    let mut document = Document::new(true);
    document.heading(1, "Words that are no instructions here");
    document.paragraph(
        "The same encoding serves later chips and graphics programs. Their words are refused; `flexgrip explain` names \
         them.",
    );
    let lines: Vec<Vec<String>> = ABSENT
        .iter()
        .map(|absent| {
            vec![
                absent.name.into(),
                absent.pattern.form.name().into(),
                document.quoted(&format!("{:#x}", absent.pattern.value)),
                document.quoted(&format!("{:#x}", absent.pattern.mask)),
                absent.reason.into(),
                absent.source.into(),
            ]
        })
        .collect();
    document.table(&["name", "form", "value", "mask", "why not", "source"], &lines);
    document.text
}

/// Bit numbers as ranges, from the highest down.
fn bit_ranges(bits: u64) -> String {
    let mut ranges = Vec::new();
    let mut rest = bits;
    while rest != 0 {
        let high = 63 - rest.leading_zeros();
        let width = (!(rest << rest.leading_zeros())).leading_zeros().min(high + 1);
        let low = high + 1 - width;
        ranges.push(if width == 1 {
            high.to_string()
        } else {
            format!("{high}..{low}")
        });
        rest &= (1 << low) - 1;
    }
    if ranges.is_empty() {
        "-".into()
    } else {
        ranges.join(", ")
    }
}

fn ignored_page() -> String {
    let mut document = Document::new(true);
    document.heading(1, "Bits without a meaning");
    document.paragraph(
        "The bits of each instruction's words that this core does not read. For some of them it is known that the hardware \
         does not either: the public hardware tests of the G80 (envytools, hwtest) set them at random, and expect what they \
         expect without them. Of the others real code shows that it does not set them, and nothing more.",
    );
    document.paragraph(
        "Fields that only some of an instruction's words have, such as the bank of a constant that is not there, are on the \
         instruction's page. A field that is read and has no effect is not here either: SAT of FMUL, the mode of F2F between \
         equal types, and the sub-opcode of IMAD's second opcode are explained there, too.",
    );
    let lines: Vec<Vec<String>> = ROWS
        .iter()
        .filter(|row| row.executes())
        .map(|row| {
            vec![
                format!("[{}]({})", heading(row), page_file(base(row.name))),
                bit_ranges(ignored_bits(row)),
                bit_ranges(ignored_by_hardware(row)),
            ]
        })
        .collect();
    document.table(
        &["instruction", "bits", "of these, the hardware is known to ignore"],
        &lines,
    );
    document.text
}

fn manual_page() -> String {
    let mut document = Document::new(true);
    document.heading(1, "Errors of the manual");
    let all = sections(&ROWS.iter().collect::<Vec<_>>());
    let count: usize = all.iter().map(|section| section.errors.len()).sum();
    let markers = all.iter().filter(|section| section.errors.contains(&MARKERS)).count();
    document.paragraph(&format!(
        "The FlexGripPlus SM 1.0 programmer's manual describes the instructions in {} sections. Held against real code, \
         its tables have {count} errors; each is on the page of the instruction that it concerns. One of them is in \
         {markers} sections:",
        all.len()
    ));
    document.list(&[MARKERS.to_string()]);
    let lines: Vec<Vec<String>> = all
        .iter()
        .map(|section| {
            let mut pages: Vec<String> = Vec::new();
            for row in ROWS.iter().filter(|row| row.manual.contains(section)) {
                let link = format!("[{}]({})", base(row.name), page_file(base(row.name)));
                if !pages.contains(&link) {
                    pages.push(link);
                }
            }
            vec![section.name.into(), section.errors.len().to_string(), pages.join(", ")]
        })
        .collect();
    document.table(&["section", "errors", "page"], &lines);
    document.text
}
