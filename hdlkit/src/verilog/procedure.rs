//! Verilog text of always blocks.

use super::lower::{is_last, Lowering};
use super::print::{broken, declarations, part_select, print, print_literal, Names};
use super::writer::Writer;
use crate::kernel::expression::Expr;
use crate::kernel::resolve::SigId;
use crate::kernel::statement::Stmt;
use num_bigint::BigUint;

/// The body of one always block.
pub(super) struct Procedure<'a, 'b> {
    pub writer: &'a mut Writer<'b>,
    pub lowering: Lowering<'b>,
    pub declared: String,
    pub defaults: String,
    pub base: SigId,
}

impl Procedure<'_, '_> {
    /// The text of `e`; assignments that must come first are added to `lines`.
    fn expression(&mut self, e: &Expr, indent: usize, outermost: bool, lines: &mut String) -> String {
        let before = self.lowering.temporaries.len();
        let e = self.lowering.lower(e.clone());
        self.temporaries(before, None, indent, outermost, lines);
        print(&e, self.writer)
    }

    /// Assigns the temporaries starting at `before`, the last one to `place` if given.
    fn temporaries(&mut self, before: usize, place: Option<&str>, indent: usize, outermost: bool, lines: &mut String) {
        if before == 0 {
            self.writer.temporaries.clear();
        }
        let base = self.writer.names[self.base].clone();
        let count = self.lowering.temporaries.len();
        for index in before..count {
            let temporary = self.lowering.temporaries[index].clone();
            let place = if index + 1 == count { place } else { None };
            let (left, declared) = self.writer.temporary_target(&base, place, &temporary);
            if !outermost {
                // The signal is assigned on some paths only, but never read on others: a default prevents a latch.
                for (name, width) in &declared {
                    let zero = print_literal(&BigUint::default(), *width);
                    self.defaults.push_str(&format!("        {name} = {zero};\n"));
                }
            }
            self.declared.push_str(&declarations("reg ", &declared));
            lines.push_str(&broken(
                indent,
                &format!("{left} = {};", print(&temporary.value, self.writer)),
            ));
        }
    }

    pub fn statements(&mut self, body: &[Stmt], indent: usize, outermost: bool, lines: &mut String) {
        for s in body {
            self.statement(s, indent, outermost, lines);
        }
    }

    fn statement(&mut self, s: &Stmt, indent: usize, outermost: bool, lines: &mut String) {
        let margin = " ".repeat(indent * 4);
        match s {
            Stmt::Comment(text) => {
                for line in text.lines() {
                    lines.push_str(&format!("{margin}// {}\n", line.trim()));
                }
            }
            Stmt::Assign { target, low, value } => {
                let whole = self.writer.signal_width(*target);
                let left = part_select(self.writer.signal(*target), whole, *low, value.width);
                let before = self.lowering.temporaries.len();
                let value = self.lowering.lower(value.clone());
                self.base = *target;
                if is_last(&value, &self.lowering.temporaries) {
                    self.temporaries(before, Some(&left), indent, outermost, lines);
                } else {
                    self.temporaries(before, None, indent, outermost, lines);
                    let value = print(&value, self.writer);
                    lines.push_str(&broken(indent, &format!("{left} = {value};")));
                }
            }
            Stmt::If { test, then, other } => {
                let mut test = self.expression(test, indent, outermost, lines);
                let (mut then, mut other) = (then, other);
                let mut head = margin.clone();
                loop {
                    let first = broken(indent, &format!("if ({test}) begin"));
                    lines.push_str(&head);
                    lines.push_str(first.trim_start());
                    self.statements(then, indent + 1, false, lines);
                    if other.is_empty() {
                        break;
                    }
                    if let [Stmt::If {
                        test: next,
                        then: next_then,
                        other: next_other,
                    }] = &other[..]
                    {
                        // A condition that needs temporaries cannot directly follow `else`.
                        let mut trial = Lowering::new(self.writer.table);
                        let next = trial.lower(next.clone());
                        if trial.temporaries.is_empty() {
                            head = format!("{margin}end else ");
                            test = print(&next, self.writer);
                            (then, other) = (next_then, next_other);
                            continue;
                        }
                    }
                    lines.push_str(&format!("{margin}end else begin\n"));
                    self.statements(other, indent + 1, false, lines);
                    break;
                }
                lines.push_str(&format!("{margin}end\n"));
            }
            Stmt::Case { subject, arms, default } => {
                let subject = self.expression(subject, indent, outermost, lines);
                lines.push_str(&format!("{margin}case ({subject})\n"));
                for (labels, body) in arms {
                    let labels: Vec<String> = labels.iter().map(|label| print(label, self.writer)).collect();
                    lines.push_str(&broken(indent + 1, &format!("{}: begin", labels.join(", "))));
                    self.statements(body, indent + 2, false, lines);
                    lines.push_str(&format!("{margin}    end\n"));
                }
                if let Some(body) = default {
                    lines.push_str(&format!("{margin}    default: begin\n"));
                    self.statements(body, indent + 2, false, lines);
                    lines.push_str(&format!("{margin}    end\n"));
                }
                lines.push_str(&format!("{margin}endcase\n"));
            }
        }
    }
}
