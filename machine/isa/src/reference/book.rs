//! The files generated from the table: the book's pages and the editor grammar.

use super::document::{sentence, Document};
use super::names::{base, executed, full_name, heading, instructions, sections};
use super::page::page;
use crate::operation::Condition;
use crate::table::field::Field;
use crate::table::ignored::{ignored_bits, ignored_by_hardware};
use crate::table::manual::MARKERS;
use crate::table::*;
use crate::text::grammar;

/// A file of the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Path relative to the project's root, with `/`.
    pub path: String,
    /// Contents.
    pub text: String,
}

/// Folder of the book's generated pages, relative to the project's root.
pub const BOOK_FOLDER: &str = "docs/book/src/isa";

fn page_file(name: &str) -> String {
    format!("{}.md", name.to_ascii_lowercase())
}

/// The pages after the overview: title, file name and text.
fn chapters() -> Vec<(&'static str, String, String)> {
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
        "Words that are not instructions here",
        "absent.md".to_string(),
        absent_page(),
    ));
    chapters.push(("Bits without a meaning", "ignored.md".to_string(), ignored_page()));
    chapters.push(("Errors in the manual", "manual.md".to_string(), manual_page()));
    chapters
}

/// The pages as lines of the book's summary.
pub fn summary_list() -> String {
    let mut list = "- [The instructions](isa/overview.md)\n".to_string();
    for (title, file, _) in chapters() {
        list.push_str(&format!("  - [{title}](isa/{file})\n"));
    }
    list
}

/// All generated files: the book's ISA pages and the editor grammar.
pub fn files() -> Vec<File> {
    let mut all = vec![
        File {
            path: format!("{BOOK_FOLDER}/overview.md"),
            text: overview_page(),
        },
        File {
            path: grammar::PATH.into(),
            text: grammar::grammar(),
        },
    ];
    all.extend(chapters().into_iter().map(|(_, file, text)| File {
        path: format!("{BOOK_FOLDER}/{file}"),
        text,
    }));
    all
}

fn overview_page() -> String {
    let mut document = Document::new(true);
    document.heading(1, "The instructions");
    document.paragraph(&format!(
        "All instructions that a compute program of SM 1.0 to SM 1.3 can contain: {} instructions in {} forms, of which \
         {} are new in compute capability 1.1, 1.2 or 1.3 (`--capability`). These pages are \
         generated from the tables in `machine/isa/src/table/`, which also drive the decoder, the assembler and the \
         disassembler. `flexgrip isa IADD` prints a page; `flexgrip explain WORD` decodes a word.",
        instructions().len(),
        all_rows().count(),
        LATER_ROWS.len()
    ));
    let lines: Vec<Vec<String>> = all_rows()
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
        "The opcode is in bits 31..28; the sub-opcode, after the point, is in bits 63..61; x is a bit with another meaning.",
    );
    document.text
}

/// Bits `high` down to `low` of the row's pattern, with x for free ones; empty if all are free.
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
        "An instruction is a 32-bit word, or two words at an 8-byte boundary, the low word first. Bits 1..0 and \
         33..32 determine its form:",
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
                all_rows().filter(|row| row.form() == form).count().to_string(),
            ]
        })
        .collect();
    document.table(&["form", "bytes", "identified by", "rows of the table"], &lines);
    document.paragraph(
        "In the instruction diagrams a letter is a bit of a field, 0 and 1 are fixed bits, and a dot is an ignored bit. \
         Fields that share bits are shown one below the other; other fields select one of them. The bits of a split \
         field are listed from the highest bit of its value to the lowest. s[] is shared memory, written g[] in \
         assembly text.",
    );
    document.paragraph(
        "A long instruction has a marker in bits 33..32, written after the mnemonic: 0 is no marker; 1 is `.EXIT`: \
         the active threads exit after the instruction; 2 is `.S`: the instruction pops the divergence stack to \
         join. `.Cn` at the end of the mnemonic names the \
         condition-code register that receives the result's condition code.",
    );
    for form in forms {
        document.heading(2, &sentence(form.name()).replace('.', ""));
        let rows: Vec<&Row> = all_rows().filter(|row| row.form() == form).collect();
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
        document.table(&["bits", "field", "meaning", "rows with it"], &lines);
    }
    document.text
}

fn conditions_page() -> String {
    let mut document = Document::new(true);
    document.heading(1, "Conditions");
    document.paragraph(
        "A long or control instruction is executed by the threads for which its condition is true. The condition is \
         in bits 43..39 and tests the condition-code register in bits 45..44. It is written `(C0.NE)` after the \
         first operand, and `C0.NE,` before the operands of a control instruction; an omitted condition is always \
         true. The register holds z (bit 0: zero), s (1: \
         sign), c (2: carry) and o (3: signed overflow). NUM is another name for LEG. The codes 0x14 to 0x1b are undefined.",
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
    document.paragraph("The registers that [S2R](s2r.md) reads. All others are unknown. Source: envytools.");
    let lines: Vec<Vec<String>> = (0..)
        .zip(SPECIAL_REGISTERS)
        .map(|(number, (name, meaning))| vec![format!("SR{number}"), (*name).into(), (*meaning).into()])
        .collect();
    document.table(&["register", "name", "meaning"], &lines);
    document.text
}

fn absent_page() -> String {
    let mut document = Document::new(true);
    document.heading(1, "Words that are not instructions here");
    document.paragraph(
        "Graphics programs use the same encoding with additional instructions. Their words are \
         refused; `flexgrip explain` names them. So are instructions of a later compute capability than the machine's.",
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
    document.table(&["name", "form", "value", "mask", "reason", "source"], &lines);
    document.text
}

/// Bit numbers as ranges, highest first.
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
        "The bits of each instruction's words that this core does not read. The hardware is known to ignore some of \
         them, too: the public hardware tests of the G80 (envytools, hwtest) set these bits at random and expect the \
         same results as without them. Of the others it is only known that real code does not set them.",
    );
    document.paragraph(
        "Fields that only some of an instruction's words have, such as the bank of an absent constant, are on the \
         instruction's page. So are fields that are read but have no effect: SAT of FMUL, the mode of F2F between equal \
         types, and the sub-opcode of IMAD's second opcode.",
    );
    let lines: Vec<Vec<String>> = all_rows()
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
        &["instruction", "bits", "of these, known to be ignored by the hardware"],
        &lines,
    );
    document.text
}

fn manual_page() -> String {
    let mut document = Document::new(true);
    document.heading(1, "Errors in the manual");
    let all = sections(&ROWS.iter().collect::<Vec<_>>());
    let count: usize = all.iter().map(|section| section.errors.len()).sum();
    let markers = all.iter().filter(|section| section.errors.contains(&MARKERS)).count();
    document.paragraph(&format!(
        "The FlexGripPlus SM 1.0 programmer's manual describes the instructions in {} sections. Compared with real code, \
         its tables have {count} errors; each is listed on the page of the instruction that it concerns. One of them is in \
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
