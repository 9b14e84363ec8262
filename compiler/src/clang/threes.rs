//! Tables of vectors of three, such as `__constant float3 table[]`: each of them takes the room of four, but clang writes
//! their values into PTX one after the other, without a fourth.
//!
//! LLVM's representation still has them as vectors. So a kernel whose PTX has a table with fewer values than its size is
//! compiled once more as far as that, where the tables' vectors become vectors of four, and from there to PTX, whose tables
//! then take the place of the first. Tables that just end in zeros, which PTX leaves out, are looked at without need.

use std::collections::HashMap;

/// A table's declaration in PTX, `.const .align 16 .b8 name[64] = {1, 2};`, up to the values; and the values.
fn table(line: &str) -> Option<(&str, &str)> {
    let (head, values) = line.split_once(" = {")?;
    (head.contains("const ") || head.contains("global ")).then_some((head, values))
}

/// Whether a table of this PTX has fewer values than its size, zeros at its end aside: some clangs write them, some do not.
pub fn may_be_short(ptx: &str) -> bool {
    ptx.lines().filter_map(table).any(|(head, values)| {
        let size = head
            .rsplit_once('[')
            .and_then(|(_, size)| size.trim_end_matches(']').parse().ok());
        let values: Vec<&str> = values.trim_end_matches(['}', ';']).split(", ").collect();
        let last = values.iter().rposition(|value| *value != "0");
        size.is_some_and(|size: usize| last.map_or(0, |last| last + 1) < size)
    })
}

/// The representation's variables alone, with vectors of four in all tables; `None` if no table has a vector of three. Without
/// functions, nothing uses a table by the type that it had; and all are visible, since those that nothing uses are dropped.
pub fn widened(representation: &str) -> Option<String> {
    let types: HashMap<&str, &str> = representation
        .lines()
        .filter_map(|line| line.split_once(" = type "))
        .filter(|(name, _)| name.starts_with('%'))
        .collect();
    let mut changed = false;
    let mut text = String::new();
    for line in representation.lines() {
        if line.starts_with("target ") || line.starts_with('%') && line.contains(" = type ") {
            text += &format!("{line}\n");
        }
        if line.starts_with('@') {
            let spelled = spelled_out(line, &types, &mut Vec::new());
            changed |= spelled.contains(THREE);
            let spelled = [" = private ", " = internal "]
                .iter()
                .fold(spelled, |line, linkage| line.replacen(linkage, " = ", 1));
            text += &format!("{}\n", of_four(&spelled));
        }
    }
    changed.then_some(text)
}

/// How the type of a vector of three begins.
const THREE: &str = "<3 x ";

/// A variable's line with each named type as what it stands for. A struct may have pointers to its own kind: what a pointer leads
/// to keeps its name, and so does a type inside of itself.
fn spelled_out<'a>(line: &'a str, types: &HashMap<&str, &'a str>, inside: &mut Vec<&'a str>) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['%', '"']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let quoted = rest.trim_start_matches('%').strip_prefix('"');
        let end = match quoted {
            Some(quoted) => rest.len() - quoted.len() + quoted.find('"').map_or(quoted.len(), |end| end + 1),
            None => {
                1 + rest[1..]
                    .find(|c: char| !(c.is_ascii_alphanumeric() || "-$._".contains(c)))
                    .unwrap_or(rest.len() - 1)
            }
        };
        let (name, behind) = rest.split_at(end);
        let space = behind.strip_prefix(" addrspace(").and_then(|rest| rest.split_once(')'));
        let is_led_to = space.map_or(behind, |(_, rest)| rest).starts_with('*');
        match types.get(name).filter(|_| !is_led_to && !inside.contains(&name)) {
            Some(meaning) => {
                inside.push(name);
                text.push_str(&spelled_out(meaning, types, inside));
                inside.pop();
            }
            None => text.push_str(name),
        }
        rest = behind;
    }
    text + rest
}

/// A line whose vectors of three are vectors of four, the last value 0.
fn of_four(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(THREE) {
        let from = at + THREE.len();
        let Some(length) = rest[from..].find('>') else { break };
        let element = &rest[from..from + length];
        text.push_str(&rest[..at]);
        text.push_str(&format!("<4 x {element}>"));
        rest = &rest[from + length + 1..];
        // The values, unless the type stands alone or they are all 0.
        if let Some(end) = rest.strip_prefix(" <").and_then(|values| values.find('>')) {
            text.push_str(&rest[..2 + end]);
            text.push_str(&format!(", {element} zeroinitializer>"));
            rest = &rest[2 + end + 1..];
        }
    }
    text + rest
}

/// PTX with the tables of another.
///
/// # Errors
/// The other lacks one of them.
pub fn with_tables(ptx: &str, other: &str) -> Result<String, String> {
    // clang gives only names that nobody else sees their form in PTX.
    let name = |head: &str| head.rsplit(' ').next().unwrap_or_default().replace('.', "_$_");
    let others: HashMap<String, &str> = other
        .lines()
        .filter_map(table)
        .map(|(head, values)| (name(head), values))
        .collect();
    let lines = ptx.split_inclusive('\n').map(|line| match table(line) {
        None => Ok(line.to_string()),
        Some((head, _)) => match others.get(&name(head)) {
            Some(values) => Ok(format!("{head} = {{{values}\n")),
            None => Err(format!("its PTX with vectors of four lacks `{head}`")),
        },
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_may_lack_values() {
        assert!(may_be_short(".visible .const .align 4 .b8 t[16] = {1, 254, 3, 255};\n"));
        assert!(may_be_short(
            ".visible .const .align 4 .b8 t[6] = {1, 254, 3, 255, 0, 0};\n"
        ));
        assert!(!may_be_short(".visible .const .align 4 .b8 t[4] = {1, 254, 3, 255};\n"));
        assert!(!may_be_short(
            ".visible .const .align 4 .u32 t = 5;\n.shared .align 4 .b8 t[16];\n"
        ));
    }

    #[test]
    fn vectors_of_three_become_vectors_of_four() {
        let text = "target triple = \"nvptx--nvcl\"\n%struct.S = type { <3 x float>, i32, %\"a b\" }\n\
                    %\"a b\" = type <{ <3 x i8>, i8 }>\n\
                    @s = constant [2 x %struct.S] [%struct.S { <3 x float> <float 1.0, float 2.0, float 3.0>, i32 4, \
                    %\"a b\" <{ <3 x i8> zeroinitializer, i8 7 }> }, %struct.S zeroinitializer], align 16\n\
                    @c = private constant [4 x i8] c\"%a<3\"\n\
                    define void @k() {\n  %v = load <3 x float>, ptr @s\n}\n";
        let four = "{ <4 x float>, i32, <{ <4 x i8>, i8 }> }";
        let expected = format!(
            "target triple = \"nvptx--nvcl\"\n%struct.S = type {{ <3 x float>, i32, %\"a b\" }}\n\
             %\"a b\" = type <{{ <3 x i8>, i8 }}>\n\
             @s = constant [2 x {four}] [{four} {{ <4 x float> <float 1.0, float 2.0, float 3.0, float zeroinitializer>, i32 4, \
             <{{ <4 x i8>, i8 }}> <{{ <4 x i8> zeroinitializer, i8 7 }}> }}, {four} zeroinitializer], align 16\n\
             @c = constant [4 x i8] c\"%a<3\"\n"
        );
        assert_eq!(widened(text), Some(expected));
        assert_eq!(
            widened("@c = constant [4 x i8] c\"%a<3\"\n  %v = load <3 x float>, ptr @s\n"),
            None
        );
    }

    #[test]
    fn a_struct_with_pointers_to_its_own_kind() {
        let text = "%struct.N = type { <3 x i8>, %struct.N* }\n@n = constant %struct.N { <3 x i8> zeroinitializer, %struct.N* @n }\n";
        let four = "{ <4 x i8>, %struct.N* }";
        let expected = format!(
            "%struct.N = type {{ <3 x i8>, %struct.N* }}\n@n = constant {four} {{ <4 x i8> zeroinitializer, %struct.N* @n }}\n"
        );
        assert_eq!(widened(text), Some(expected));
    }

    #[test]
    fn tables_take_the_place_of_others() {
        let ptx = ".file 1 \"a\"\n.const .b8 k_$_t[8] = {1, 2, 3};\ncode\n";
        let other = "other\n.visible .const .b8 k.t[8] = {1, 2, 3, 0, 4};\n";
        assert_eq!(
            with_tables(ptx, other),
            Ok(".file 1 \"a\"\n.const .b8 k_$_t[8] = {1, 2, 3, 0, 4};\ncode\n".to_string())
        );
        assert!(with_tables(ptx, "").is_err());
    }
}
