//! Comparisons of two-element vectors, which clang 19's nvptx back end cannot always compile: "Cannot select: v2i16 =
//! setcc". It generates this node for `short2`, and for `int2` values that are converted from or to `short2`.
//!
//! Each comparison in LLVM IR is replaced by comparisons of the two elements, which the back end does not vectorise
//! again.

use super::representation;
use std::fmt::Write;

/// True if a log of clang has this error.
pub fn is_reason(log: &str) -> bool {
    log.contains("Cannot select: ") && log.contains("v2i16 = setcc")
}

/// Returns the LLVM IR with vectors of two compared element by element.
pub fn by_element(representation: &str) -> String {
    let mut text = String::new();
    for (number, line) in representation.lines().enumerate() {
        match compare(line) {
            Some(compare) => compare.write(&mut text, &format!("%compare.{number}")),
            None => {
                text += line;
                text.push('\n');
            }
        }
    }
    text
}

/// A comparison in LLVM's text: `RESULT = icmp PREDICATE <2 x ELEMENT> A, B, NOTES`
struct Compare<'a> {
    result: &'a str,
    predicate: &'a str,
    element: &'a str,
    operands: [&'a str; 2],
    /// Metadata, with the comma before it, such as `, !dbg !5`.
    notes: &'a str,
}

fn compare(line: &str) -> Option<Compare<'_>> {
    let (result, rest) = line.trim_start().split_once(" = icmp ")?;
    let (predicate, rest) = rest.split_once(" <2 x ")?;
    let (element, rest) = rest.split_once("> ")?;
    let first = representation::value(rest).ok()?;
    let behind = rest[first..].strip_prefix(", ")?;
    let second = representation::value(behind).ok()?;
    Some(Compare {
        result,
        predicate,
        element,
        operands: [&rest[..first], &behind[..second]],
        notes: &behind[second..],
    })
}

impl Compare<'_> {
    /// Appends the comparison of each element. Names of intermediate results begin with `name`.
    fn write(&self, text: &mut String, name: &str) {
        let Compare {
            result,
            predicate,
            element,
            operands,
            notes,
        } = self;
        let mut line = |line: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {line}{notes}");
        };
        for index in 0..2 {
            for (side, operand) in ["a", "b"].into_iter().zip(operands) {
                line(format!(
                    "{name}.{side}{index} = extractelement <2 x {element}> {operand}, i32 {index}"
                ));
            }
            line(format!(
                "{name}.{index} = icmp {predicate} {element} {name}.a{index}, {name}.b{index}"
            ));
        }
        line(format!("{name}.v = insertelement <2 x i1> undef, i1 {name}.0, i32 0"));
        line(format!(
            "{result} = insertelement <2 x i1> {name}.v, i1 {name}.1, i32 1"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_is_compared() {
        let text = "define void @k() {\n  %7 = icmp slt <2 x i16> %4, <i16 1, i16 2>, !dbg !23\n  ret void\n";
        let expected = "define void @k() {\n  \
                        %compare.1.a0 = extractelement <2 x i16> %4, i32 0, !dbg !23\n  \
                        %compare.1.b0 = extractelement <2 x i16> <i16 1, i16 2>, i32 0, !dbg !23\n  \
                        %compare.1.0 = icmp slt i16 %compare.1.a0, %compare.1.b0, !dbg !23\n  \
                        %compare.1.a1 = extractelement <2 x i16> %4, i32 1, !dbg !23\n  \
                        %compare.1.b1 = extractelement <2 x i16> <i16 1, i16 2>, i32 1, !dbg !23\n  \
                        %compare.1.1 = icmp slt i16 %compare.1.a1, %compare.1.b1, !dbg !23\n  \
                        %compare.1.v = insertelement <2 x i1> undef, i1 %compare.1.0, i32 0, !dbg !23\n  \
                        %7 = insertelement <2 x i1> %compare.1.v, i1 %compare.1.1, i32 1, !dbg !23\n  \
                        ret void\n";
        assert_eq!(by_element(text), expected);
    }

    #[test]
    fn nothing_else_changes() {
        let text = "  %a = icmp eq i16 %b, %c\n  %d = icmp ne <4 x i16> %e, zeroinitializer\n  %f = fcmp oeq <2 x float> %g, %h\n";
        assert_eq!(by_element(text), text);
    }
}
