//! The reference of each set from its table: an overview, and a page for each mnemonic with all its rows, as Markdown
//! for the book and for the terminal.

pub mod explain;

use crate::number;
use crate::set::{Case, Field, Piece, Row, Set};
use explain::{bit_ranges, field_bits, is_run};
use flexgrip_isa::reference::File;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Folder of the book's generated pages, relative to the project's root.
pub const BOOK_FOLDER: &str = "docs/book/src/gpu-isa";
/// Template of the book's summary, relative to the project's root.
pub const SUMMARY_TEMPLATE: &str = "docs/book/summary.md.in";

/// The bits of the row and of all of its pieces: the bits that the text of some word of the row shows.
pub fn bits_of(row: &'static Row) -> u128 {
    let mut bits = row.mask;
    row.each_piece(&mut |piece| {
        piece.each_field(&mut |field| bits |= field.mask());
        if let Piece::Cases(cases) | Piece::Silent(cases) = piece {
            bits |= cases.iter().fold(0, |mask, case| mask | case.mask);
        }
    });
    bits
}

/// The fields of a row, each once, in the order of the text.
fn fields(row: &'static Row) -> Vec<&'static Field> {
    let mut fields: Vec<&'static Field> = Vec::new();
    row.each_piece(&mut |piece| {
        piece.each_field(&mut |field| {
            if !fields.contains(&field) {
                fields.push(field);
            }
        });
    });
    fields
}

/// Length limit for lists in the text's form; longer lists are written below it.
const INLINE: usize = 32;

/// The form of a text, with references to the lists below it.
#[derive(Default)]
struct Syntax {
    /// The lists below the form: cases, or names.
    below: Vec<Vec<String>>,
}

impl Syntax {
    fn row(&mut self, row: &'static Row) -> String {
        let lead = self.pieces(row.lead);
        lead + row.mnemonic + &self.pieces(row.pieces)
    }

    fn pieces(&mut self, pieces: &'static [Piece]) -> String {
        let mut text = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(fixed) => text.push_str(fixed),
                Piece::Flag(_, _, shown) => {
                    let _ = write!(text, "[{shown}]");
                }
                Piece::Number(field, format) => {
                    let _ = write!(text, "<{}>", number::form(*format, field.name));
                }
                Piece::Names(field, names) => {
                    let shown: Vec<&str> = names.iter().flatten().copied().collect();
                    let all = shown.join("|");
                    if all.len() <= INLINE {
                        let _ = write!(text, "{{{all}}}");
                    } else {
                        let _ = write!(text, "{{{}}}", field.name);
                    }
                }
                Piece::Cases(cases) | Piece::Silent(cases) => text.push_str(&self.cases(cases)),
                Piece::Register(register) => {
                    let _ = write!(text, "<{}>", register.name);
                }
                Piece::Channels(channels) => {
                    let _ = write!(text, "[.{}]", channels.name);
                }
                Piece::Same(fields) => {
                    let same = self.pieces(fields.same);
                    let differ = self.pieces(fields.differ);
                    let _ = write!(text, "{{{}|{}}}", same.trim(), differ.trim());
                }
                Piece::Unseen(_) => {}
                Piece::Pieces(group) => text.push_str(&self.pieces(group)),
            }
        }
        text
    }

    fn cases(&mut self, cases: &'static [Case]) -> String {
        let mut options: Vec<(String, String)> = Vec::new();
        for case in cases {
            let condition = match case.mask {
                0 => "else".to_string(),
                mask => condition(mask, case.value),
            };
            options.push((condition, self.pieces(case.pieces)));
        }
        let mut texts: Vec<&str> = options.iter().map(|(_, text)| text.as_str()).collect();
        if !complete(cases) {
            // It is possible that no case matches.
            texts.push("");
        }
        texts.sort_unstable();
        texts.dedup();
        match texts.as_slice() {
            [""] => return String::new(),
            ["", one] if one.len() <= INLINE => return format!("[{one}]"),
            _ if texts.iter().map(|text| text.len() + 1).sum::<usize>() <= INLINE => {
                return format!("{{{}}}", texts.join("|"))
            }
            _ => {}
        }
        let list = options
            .into_iter()
            .map(|(condition, text)| match text.as_str() {
                "" => format!("{condition}: nothing"),
                text => format!("{condition}: `{}`", text.trim()),
            })
            .collect();
        let place = match self.below.iter().position(|other| *other == list) {
            Some(place) => place,
            None => {
                self.below.push(list);
                self.below.len() - 1
            }
        };
        format!("({})", place + 1)
    }
}

/// True if one of the cases matches every word.
fn complete(cases: &[Case]) -> bool {
    let all = cases.iter().fold(0, |mask, case| mask | case.mask);
    // Enumerates the selecting bits, if they are few.
    let mut bits = all;
    loop {
        if cases.iter().all(|case| bits & case.mask != case.value) {
            return false;
        }
        if bits == 0 {
            return true;
        }
        if all.count_ones() > 12 {
            return cases.iter().any(|case| case.mask == 0);
        }
        bits = (bits - 1) & all;
    }
}

/// The short form of a text: for an operand in several forms only the name.
fn brief(pieces: &'static [Piece]) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(fixed) => text.push_str(fixed),
            Piece::Flag(_, _, shown) => {
                let _ = write!(text, "[{shown}]");
            }
            Piece::Number(field, _) => {
                let _ = write!(text, "<{}>", field.name);
            }
            Piece::Names(field, names) => {
                let shown: Vec<&str> = names.iter().flatten().copied().collect();
                let all = shown.join("|");
                let _ = match all.len() <= INLINE {
                    true => write!(text, "{{{all}}}"),
                    false => write!(text, "<{}>", field.name),
                };
            }
            Piece::Register(register) => {
                let _ = write!(text, "<{}>", register.name);
            }
            Piece::Channels(channels) => {
                let _ = write!(text, "[.{}]", channels.name);
            }
            Piece::Same(fields) => {
                let _ = write!(
                    text,
                    "{{{}|{}}}",
                    brief(fields.same).trim(),
                    brief(fields.differ).trim()
                );
            }
            Piece::Unseen(_) => {}
            Piece::Pieces(group) => text.push_str(&brief(group)),
            Piece::Cases(cases) | Piece::Silent(cases) => {
                let mut forms: Vec<String> = cases.iter().map(|case| brief(case.pieces)).collect();
                forms.sort_unstable();
                forms.dedup();
                let all = forms.join("|");
                let name = cases.iter().find_map(|case| first_name(case.pieces));
                match (forms.len(), name) {
                    (1, _) => text.push_str(&all),
                    (_, Some(name)) if all.len() > INLINE => {
                        let comma = if forms.iter().any(|form| form.starts_with(", ")) {
                            ", "
                        } else {
                            ""
                        };
                        let _ = write!(text, "{comma}<{name}>");
                    }
                    _ => {
                        let _ = write!(text, "{{{all}}}");
                    }
                }
            }
        }
    }
    text
}

/// The name of the first field.
fn first_name(pieces: &'static [Piece]) -> Option<&'static str> {
    pieces.iter().find_map(|piece| match piece {
        Piece::Cases(cases) => cases.iter().find_map(|case| first_name(case.pieces)),
        Piece::Pieces(group) => first_name(group),
        piece => {
            let mut first = None;
            piece.each_field(&mut |field| first = first.or(Some(field.name)));
            first
        }
    })
}

/// A case's condition: `25..22 = 0b1001`.
fn condition(mask: u128, value: u128) -> String {
    if is_run(mask) && mask.count_ones() <= 8 {
        let width = mask.count_ones() as usize;
        format!(
            "bits {} = {:0width$b}",
            bit_ranges(mask),
            value >> mask.trailing_zeros()
        )
    } else {
        format!("bits {} as in {value:#x}", bit_ranges(mask))
    }
}

/// Letters for fields in a diagram.
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

fn letter(number: usize) -> char {
    LETTERS.get(number).copied().map_or('*', char::from)
}

/// The row's bits, the highest first, in lines of 32: 0 and 1 where fixed, a field's letter, `#` where they only select
/// a form, a dot where unread. A bit in several fields has the letter of the first.
fn diagram(row: &'static Row, fields: &[&Field]) -> String {
    let mut out = String::new();
    let all = bits_of(row);
    let count = 8 * usize::from(row.bytes);
    let lines = count.div_ceil(32);
    for line in (0..lines).rev() {
        let (low, high) = (32 * line, count.min(32 * line + 32) - 1);
        let _ = write!(out, "{high:>3}..{low:<3}");
        for bit in (low..=high).rev() {
            if bit % 8 == 7 {
                out.push(' ');
            }
            out.push(if row.mask >> bit & 1 == 1 {
                if row.value >> bit & 1 == 1 {
                    '1'
                } else {
                    '0'
                }
            } else {
                match fields.iter().position(|field| field.mask() >> bit & 1 == 1) {
                    Some(number) => letter(number),
                    None if all >> bit & 1 == 1 => '#',
                    None => '.',
                }
            });
        }
        out.push('\n');
    }
    out
}

/// A text in a table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn values(field: &Field, piece: &'static Piece) -> String {
    match piece {
        Piece::Names(_, names) => {
            let shown = names.iter().enumerate().map(|(value, name)| match name.map(str::trim) {
                None => format!("{value} undefined"),
                Some("") => format!("{value} nothing"),
                Some(name) => format!("{value} `{name}`"),
            });
            let mut text = shown.collect::<Vec<_>>().join(", ");
            if (names.len() as u128) < 1 << field.width().min(64) {
                text.push_str(", others undefined");
            }
            text
        }
        Piece::Flag(_, value, text) => format!("{value} `{}`", text.trim()),
        Piece::Number(_, format) => number::range(*format, field.width()),
        Piece::Register(register) => register.values(field),
        Piece::Channels(channels) => channels.values(field),
        _ => String::new(),
    }
}

/// The versions of the set that have the row, as a sentence; empty for all versions.
fn versions(row: &Row) -> String {
    match row.versions {
        (0, u16::MAX) => String::new(),
        (since, u16::MAX) => format!("From version {since} on. "),
        (0, until) => format!("Up to version {until}. "),
        (since, until) => format!("Versions {since} to {until}. "),
    }
}

/// Writes the section of a row.
fn row_section(out: &mut String, row: &'static Row, rows: &[&'static Row], synonyms: &[&'static Set]) {
    let mut syntax = Syntax::default();
    let form = syntax.row(row);
    let _ = writeln!(out, "```text\n{}\n```\n", form.trim());
    for alias in row.also {
        let form = brief(alias.lead) + alias.mnemonic + &brief(alias.pieces);
        let _ = writeln!(out, "or `{}`\n", form.trim());
    }
    let mut about = versions(row);
    if !row.description.is_empty() {
        about.push_str(&sentence(row.description));
    }
    if let Some(short) = row.short {
        let _ = write!(
            about,
            " {} bytes, or {} with bit {} clear.",
            row.bytes, short.bytes, short.bit
        );
    }
    if !about.trim().is_empty() {
        let _ = writeln!(out, "{}\n", about.trim());
    }
    let fields = fields(row);
    let drawn = diagram(row, &fields);
    let _ = writeln!(out, "```text\n{drawn}```\n");
    if drawn.contains('#') {
        out.push_str("`#` only selects a form.\n\n");
    }
    if !fields.is_empty() {
        out.push_str("| | field | bits | values |\n|---|---|---|---|\n");
        for (number, field) in fields.iter().enumerate() {
            let mut texts: Vec<String> = Vec::new();
            row.each_piece(&mut |piece| {
                if piece.has(field) {
                    let text = values(field, piece);
                    if !texts.contains(&text) {
                        texts.push(text);
                    }
                }
            });
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} |",
                letter(number),
                cell(field.name),
                field_bits(field),
                cell(&texts.join("; "))
            );
        }
        out.push('\n');
    }
    for (number, list) in syntax.below.iter().enumerate() {
        let _ = writeln!(out, "({})\n", number + 1);
        for line in list {
            let _ = writeln!(out, "- {line}");
        }
        out.push('\n');
    }
    let meets = |other: &&'static Row| (other.value ^ row.value) & other.mask & row.mask == 0;
    let lower: BTreeSet<&str> = rows
        .iter()
        .filter(|other| other.rank < row.rank)
        .filter(|other| meets(other))
        .map(|other| other.mnemonic)
        .collect();
    if !lower.is_empty() {
        let lower: Vec<String> = lower.into_iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(
            out,
            "Some of its words also match {}; they are decoded as this row.\n",
            lower.join(", ")
        );
    }
    for other in synonyms {
        let names = in_code(
            other
                .all_rows()
                .iter()
                .copied()
                .filter(|other| meets(other))
                .map(|row| row.mnemonic),
        );
        if !names.is_empty() {
            let _ = writeln!(out, "In {}: {names}.\n", other.title);
        }
    }
    let _ = writeln!(out, "Source: {}.\n", row.source.trim_end_matches('.'));
    for note in row.notes {
        let _ = writeln!(out, "- {note}");
    }
    if !row.notes.is_empty() {
        out.push('\n');
    }
}

/// Names in code, each once, in order; `mov.f32/2` is the same name as `mov.f32/1`.
fn in_code(names: impl Iterator<Item = &'static str>) -> String {
    let names: BTreeSet<&str> = names.map(|name| name.split('/').next().unwrap_or(name)).collect();
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The names of a set's rows that share words with a row of another table.
fn own_names(set: &Set, other: &Row) -> String {
    let rows = set.all_rows().iter();
    let meets = rows.filter(|row| (row.value ^ other.value) & row.mask & other.mask == 0);
    in_code(meets.map(|row| row.stem()))
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters
        .next()
        .map(|letter| letter.to_uppercase().collect())
        .unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

impl Set {
    /// The rows, followed by the rows of control words.
    fn with_control(&self) -> impl Iterator<Item = &'static Row> + '_ {
        let control = self.control.map_or(&[][..], |control| control.rows);
        self.all_rows().iter().copied().chain(control)
    }

    /// The mnemonics' stems, each a page, in the table's order; the stem of control words is last.
    pub fn stems(&self) -> Vec<&'static str> {
        let mut stems = Vec::new();
        for stem in self.with_control().map(Row::stem) {
            if !stems.contains(&stem) {
                stems.push(stem);
            }
        }
        stems
    }

    /// The page of a mnemonic, in its own or another notation; case is ignored, and so is a suffix after a dot.
    pub fn page(&self, name: &str) -> Option<String> {
        let wanted = name.trim_start_matches('.');
        let wanted = wanted.split(['.', '/']).next().unwrap_or(wanted);
        let stems = self.stems();
        let called = |row: &&&'static Row| row.also.iter().any(|alias| alias.mnemonic.eq_ignore_ascii_case(name));
        let stem = stems
            .into_iter()
            .find(|stem| stem.eq_ignore_ascii_case(wanted))
            .or_else(|| self.all_rows().iter().find(called).map(|row| row.stem()));
        let Some(stem) = stem else {
            return self.synonym_page(wanted);
        };
        let rows = self.with_control().filter(|row| row.stem() == stem);
        let mut out = format!("# {stem}\n\n{}\n\n", self.title);
        // Rows without any field go into one table.
        let (plain, full): (Vec<&'static Row>, Vec<_>) =
            rows.partition(|row| row.short.is_none() && fields(row).is_empty());
        for row in full {
            row_section(&mut out, row, self.all_rows(), self.synonyms);
        }
        if !plain.is_empty() {
            out.push_str("| text | fixed bits | value | what |\n|---|---|---|---|\n");
            let mut sources: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
            for row in plain {
                let text = Syntax::default().row(row);
                let about = cell(row.description);
                let _ = writeln!(
                    out,
                    "| `{}` | {:#x} | {:#x} | {about} |",
                    cell(&text),
                    row.mask,
                    row.value
                );
                sources.entry(row.source).or_default().extend(row.notes);
            }
            out.push('\n');
            for (source, notes) in sources {
                let _ = writeln!(out, "Source: {source}.\n");
                for note in &notes {
                    let _ = writeln!(out, "- {note}");
                }
                if !notes.is_empty() {
                    out.push('\n');
                }
            }
        }
        Some(out.trim_end().to_string() + "\n")
    }

    /// The page of a mnemonic that only a synonymous table has, with its names here.
    fn synonym_page(&self, wanted: &str) -> Option<String> {
        for other in self.synonyms {
            let rows: Vec<_> = other
                .all_rows()
                .iter()
                .filter(|row| row.stem().eq_ignore_ascii_case(wanted))
                .collect();
            let Some(first) = rows.first() else { continue };
            let mut out = format!(
                "# {}\n\n{}\n\n| text | fixed bits | value | here |\n|---|---|---|---|\n",
                first.stem(),
                other.title
            );
            for row in rows {
                let text = cell(&Syntax::default().row(row));
                let names = own_names(self, row);
                let _ = writeln!(out, "| `{text}` | {:#x} | {:#x} | {names} |", row.mask, row.value);
            }
            return Some(out);
        }
        None
    }

    /// The overview: contents of the set, coverage of the word space, sources, open questions.
    pub fn overview(&self) -> String {
        let mut out = format!("# {}\n\n", self.title);
        let rows = self.all_rows();
        let share = self.coverage();
        let _ = writeln!(
            out,
            "{} rows, {} mnemonics. They cover {} of 2^{} words, {:.2} %.\n",
            rows.len(),
            self.stems().len(),
            share.words,
            share.bits,
            100.0 * share.fraction()
        );
        let lists = [
            (None, self.notes),
            (Some("Open questions, and errors in the sources"), self.open),
        ];
        for (heading, notes) in lists {
            if let Some(heading) = heading.filter(|_| !notes.is_empty()) {
                let _ = writeln!(out, "## {heading}\n");
            }
            for note in notes {
                let _ = writeln!(out, "- {note}");
            }
            if !notes.is_empty() {
                out.push('\n');
            }
        }
        if !self.dropped.is_empty() {
            let list: Vec<String> = self.dropped.iter().map(|text| format!("`{text}`")).collect();
            let _ = writeln!(out, "The assembler accepts and drops {}.\n", list.join(", "));
        }
        if !self.sources.is_empty() {
            out.push_str("## Sources\n\n");
            for source in self.sources {
                let _ = writeln!(out, "- {}: {}.", source.name, source.about.trim_end_matches('.'));
            }
            out.push('\n');
        }
        out.push_str("## Instructions\n\n| name | rows | what |\n|---|---|---|\n");
        for stem in self.stems() {
            let of_stem: Vec<_> = self.with_control().filter(|row| row.stem() == stem).collect();
            let about = of_stem
                .iter()
                .map(|row| row.description)
                .find(|about| !about.is_empty());
            let _ = writeln!(out, "| {stem} | {} | {} |", of_stem.len(), cell(about.unwrap_or("")));
        }
        for other in self.synonyms {
            let _ = writeln!(
                out,
                "\n## Names in {}\n\nThe assembler also accepts these texts.\n\n| name | here |\n|---|---|",
                other.title
            );
            for stem in other.stems() {
                let rows = other.all_rows().iter().filter(|row| row.stem() == stem);
                let own = rows.flat_map(|other| {
                    let rows = self.all_rows().iter();
                    rows.filter(|row| (row.value ^ other.value) & row.mask & other.mask == 0)
                });
                let _ = writeln!(out, "| `{stem}` | {} |", in_code(own.map(|row| row.stem())));
            }
        }
        out
    }
}

fn file_name(stem: &str) -> String {
    format!("{}.md", stem.to_ascii_lowercase())
}

/// A page for the book: outside of code, `<` and `[` are escaped because they would be markup.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut fence = false;
    for line in text.lines() {
        if line.starts_with("```") {
            fence = !fence;
        }
        if fence {
            out.push_str(line);
        } else {
            let mut code = false;
            for letter in line.chars() {
                code ^= letter == '`';
                match letter {
                    '<' if !code => out.push_str("&lt;"),
                    '*' | '_' if !code => {
                        out.push('\\');
                        out.push(letter);
                    }
                    _ => out.push(letter),
                }
            }
        }
        out.push('\n');
    }
    out
}

/// The chapters: one for each set. Versions of a table share the chapter of the last version, unless only some of them
/// have control words.
fn chapters(sets: &'static [&'static Set]) -> Vec<(&'static Set, Vec<&'static Set>)> {
    let mut chapters: Vec<(&'static Set, Vec<&'static Set>)> = Vec::new();
    for &set in sets {
        let alike =
            |other: &Set| std::ptr::eq(other.rows, set.rows) && other.control.is_some() == set.control.is_some();
        match chapters.iter_mut().find(|(other, _)| alike(other)) {
            Some((last, all)) => {
                *last = set;
                all.push(set);
            }
            None => chapters.push((set, vec![set])),
        }
    }
    chapters
}

/// The rows that a version of a table adds to the previous version, and the rows that it drops.
fn difference(one: &'static Set, last: &'static Set) -> String {
    let lacks = |set: &'static Set, from: &'static Set| {
        let has = |row: &&'static Row| set.all_rows().iter().any(|own| std::ptr::eq(*own, *row));
        let rows = from.all_rows().iter().copied().filter(|row| !has(row));
        rows.map(|row| escaped(row.mnemonic).trim_end().to_string())
            .collect::<BTreeSet<_>>()
    };
    let list = |begin: &str, names: BTreeSet<String>| match names.is_empty() {
        true => String::new(),
        false => format!("; {begin} {}", names.into_iter().collect::<Vec<_>>().join(", ")),
    };
    list("without rows of", lacks(one, last)) + &list("with rows of its own of", lacks(last, one))
}

/// The pages as lines of the book's summary.
fn summary_list(sets: &'static [&'static Set]) -> String {
    let mut list = "- [Other instruction sets](gpu-isa/overview.md)\n".to_string();
    for (set, _) in chapters(sets) {
        let _ = writeln!(list, "  - [{}](gpu-isa/{}/overview.md)", set.title, set.name);
        for stem in set.stems() {
            let _ = writeln!(list, "    - [{stem}](gpu-isa/{}/{})", set.name, file_name(stem));
        }
    }
    list
}

/// The book's summary: in the template the lines `{{isa}}` and `{{gpu-isa}}` are replaced by the pages of SM 1.0 and of
/// the sets.
pub fn book_summary(sets: &'static [&'static Set], template: &str) -> File {
    let text = template.replace("{{isa}}\n", &flexgrip_isa::reference::summary_list());
    File {
        path: "docs/book/src/SUMMARY.md".to_string(),
        text: text.replace("{{gpu-isa}}\n", &summary_list(sets)),
    }
}

/// The book's pages of all sets.
pub fn files(sets: &'static [&'static Set]) -> Vec<File> {
    let mut files = Vec::new();
    let mut index = "# Other instruction sets\n\n\
        Machine code of other GPUs, each from one table: decoder, encoder, assembler, disassembler, these pages and the \
        decode circuit. None of these sets is executed. `flexgrip disasm --isa NAME`, `asm --isa`, `explain --isa` and `isa \
        --isa` work with them.\n\n\
        `flexgrip disasm --isa sm60 old.cubin -o code.sass` converts a cubin for 2.0 to 6.2 to text, and \
        `flexgrip asm --isa sm60 code.sass --template old.cubin -o new.cubin` converts it back: the template provides \
        everything but the code, whose length must not change. For 5.0 to 6.2 `--control=vendor`, `maxas` and `cuasm` write control codes as \
        cuobjdump, maxas and CuAssembler show them, and the assembler reads all three.\n\n| set | name | rows | of the word space |\n|---|---|---|---|\n"
        .to_string();
    for (set, all) in chapters(sets) {
        let folder = format!("{BOOK_FOLDER}/{}", set.name);
        for one in &all {
            let _ = writeln!(
                index,
                "| [{}]({}/overview.md) | `{}` | {} | {:.2} % |",
                one.title,
                set.name,
                one.name,
                one.all_rows().len(),
                100.0 * one.coverage().fraction()
            );
        }
        let mut overview = escaped(&set.overview());
        for stem in set.stems() {
            let Some(page) = set.page(stem) else { continue };
            let name = file_name(stem);
            let plain = format!("| {} |", escaped(stem).trim_end());
            overview = overview.replacen(&plain, &format!("| [{}]({name}) |", escaped(stem).trim_end()), 1);
            files.push(File {
                path: format!("{folder}/{name}"),
                text: escaped(&page),
            });
        }
        if all.len() > 1 {
            overview.push_str("\n## Versions\n\n");
            for one in &all {
                let _ = writeln!(
                    overview,
                    "- `{}`, {}: {} rows{}.",
                    one.name,
                    one.title,
                    one.all_rows().len(),
                    difference(one, set)
                );
            }
        }
        files.push(File {
            path: format!("{folder}/overview.md"),
            text: overview,
        });
    }
    files.push(File {
        path: format!("{BOOK_FOLDER}/overview.md"),
        text: index,
    });
    files
}
