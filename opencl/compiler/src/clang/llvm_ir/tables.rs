//! Padding of tables, such as `__constant float3 table[]`. clang's nvptx back end omits the padding between a table's
//! values, so the values after it have wrong offsets:
//!
//! - the fourth element of a vector of three, which has the size of a vector of four;
//! - the bytes after a pointer in a struct, up to the next member's boundary or the struct's end.
//!
//! LLVM IR has the right layout. So if a table in the PTX has fewer values than its size, the source is also compiled
//! to LLVM IR. There the tables' vectors of three become vectors of four, and pointers in structs become arrays of one
//! pointer, which are padded. The result is compiled to PTX, and its tables replace the first ones. Tables that end in
//! zeros, which PTX may omit, are compiled twice unnecessarily.

use super::representation;
use std::collections::{HashMap, HashSet};

/// Splits a table's declaration in PTX, `.const .align 16 .b8 name[64] = {1, 2};`, before its values.
fn table(line: &str) -> Option<(&str, &str)> {
    let (head, values) = line.split_once(" = {")?;
    (head.contains("const ") || head.contains("global ")).then_some((head, values))
}

/// True if a table of this PTX has fewer values than its size. Zeros at the end are ignored, because only some versions
/// of clang write them.
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

/// The suffix of names of padded tables, in LLVM IR and in PTX.
const FILLED: [&str; 2] = [".filled", "_$_filled"];

/// Returns a module with padded copies of the tables, with new names, and with declarations of the symbols in their
/// values. `None` if no table has padding that clang omits.
///
/// # Errors
/// A variable cannot be parsed.
pub fn filled(representation: &str) -> Result<Option<String>, String> {
    let types: HashMap<&str, &str> = representation
        .lines()
        .filter_map(|line| line.split_once(" = type "))
        .filter(|(name, _)| name.starts_with('%'))
        .collect();
    let mut text = String::new();
    let mut changed = false;
    for line in representation.lines() {
        if line.starts_with("target ") || line.starts_with('%') && line.contains(" = type ") {
            text += &format!("{line}\n");
        }
        if line.starts_with('@') && !line.starts_with("@llvm.") {
            let mut reader = Reader {
                rest: line,
                types: &types,
                inside: HashSet::new(),
            };
            let read = reader.variable();
            let variable = read.map_err(|expected| format!("expected {expected} at `{}` in `{line}`", reader.rest))?;
            changed |= variable.ty.has_gaps() && variable.value.is_some();
            text += &variable.declared();
            text += &variable.filled();
        }
    }
    Ok(changed.then_some(text))
}

/// A variable of LLVM IR, `NAME = SPACE KIND TYPE VALUE ALIGN`.
struct Variable<'a> {
    name: &'a str,
    /// `addrspace(4) `, or nothing.
    space: &'a str,
    /// `constant` or `global`.
    kind: &'a str,
    /// The type as written.
    original: &'a str,
    ty: Type,
    /// The value for the padded type, if the variable has one.
    value: Option<String>,
    /// `, align 4`, or nothing.
    align: String,
}

impl Variable<'_> {
    /// The variable as a declaration, without a value.
    fn declared(&self) -> String {
        format!(
            "{} = external {}{} {}\n",
            self.name, self.space, self.kind, self.original
        )
    }

    /// The padded table with its new name; empty if the variable has no value.
    fn filled(&self) -> String {
        let Some(value) = &self.value else {
            return String::new();
        };
        let name = match self.name.strip_suffix('"') {
            Some(open) => format!("{open}{}\"", FILLED[0]),
            None => self.name.to_owned() + FILLED[0],
        };
        let Variable { space, kind, align, .. } = self;
        format!("{name} = {space}{kind} {} {value}{align}\n", self.ty.filled())
    }
}

/// The parts of a type that determine the offsets of its values.
enum Type {
    /// A number.
    Scalar(String),
    Pointer(String),
    /// A vector with its length.
    Vector(u64, Box<Type>),
    Array(u64, Box<Type>),
    /// A struct with its brackets.
    Struct([&'static str; 2], Vec<Type>),
}

impl Type {
    /// True if clang omits padding in this type.
    fn has_gaps(&self) -> bool {
        match self {
            Type::Scalar(_) | Type::Pointer(_) => false,
            Type::Vector(length, _) => *length == 3,
            Type::Array(_, element) => element.has_gaps(),
            Type::Struct(_, members) => members
                .iter()
                .any(|member| matches!(member, Type::Pointer(_)) || member.has_gaps()),
        }
    }

    /// The type of the same size without gaps.
    fn filled(&self) -> String {
        match self {
            Type::Scalar(name) | Type::Pointer(name) => name.clone(),
            Type::Vector(3, element) => format!("<4 x {}>", element.filled()),
            Type::Vector(length, element) => format!("<{length} x {}>", element.filled()),
            Type::Array(length, element) => format!("[{length} x {}]", element.filled()),
            Type::Struct([open, close], members) => {
                let members: Vec<String> = members.iter().map(Type::filled_member).collect();
                format!("{open} {} {close}", members.join(", "))
            }
        }
    }

    fn filled_member(&self) -> String {
        match self {
            Type::Pointer(name) => format!("[1 x {name}]"),
            other => other.filled(),
        }
    }
}

/// The length of an address space with its parentheses and spaces, if the text begins with one.
fn space_length(text: &str) -> usize {
    match text.find(')') {
        Some(end) if text.starts_with("addrspace(") => text.len() - text[end + 1..].trim_start().len(),
        _ => 0,
    }
}

/// Parses types and values. An error is the text of the missing syntax.
struct Reader<'a, 'b> {
    rest: &'a str,
    types: &'b HashMap<&'a str, &'a str>,
    /// The named types that are being expanded, to find recursion.
    inside: HashSet<&'a str>,
}

impl<'a> Reader<'a, '_> {
    /// Consumes this text, if it is next, and spaces after it.
    fn takes(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, text: &'static str) -> Result<(), &'static str> {
        self.takes(text).then_some(()).ok_or(text)
    }

    /// Consumes up to this many bytes, and spaces after them.
    fn take(&mut self, length: usize) -> &'a str {
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest.trim_start();
        text
    }

    /// The length of the next name, quoted or not, after its first character `%` or `@`.
    fn name_length(&self) -> usize {
        let behind = self.rest.get(1..).unwrap_or_default();
        1 + match behind.strip_prefix('"') {
            Some(quoted) => 1 + quoted.find('"').map_or(quoted.len(), |end| end + 1),
            None => behind
                .find(|c: char| !(c.is_ascii_alphanumeric() || "-$._".contains(c)))
                .unwrap_or(behind.len()),
        }
    }

    fn word(&mut self) -> &'a str {
        let end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
        self.take(self.rest.find(end).unwrap_or(self.rest.len()))
    }

    /// An address space with its parentheses and a space, if there is one.
    fn space(&mut self) -> &'a str {
        let (space, rest) = self.rest.split_at(space_length(self.rest));
        self.rest = rest;
        space
    }

    fn variable(&mut self) -> Result<Variable<'a>, &'static str> {
        let name = self.take(self.name_length());
        self.expect("=")?;
        let (mut space, mut is_external) = ("", false);
        let kind = loop {
            if self.rest.starts_with("addrspace(") {
                space = self.space();
                continue;
            }
            match self.word() {
                word @ ("constant" | "global") => break word,
                "external" => is_external = true,
                "" => return Err("`constant` or `global`"),
                // A keyword such as `local_unnamed_addr`, or `thread_local(initialexec)`.
                _ => {
                    if self.rest.starts_with('(') {
                        self.take(self.rest.find(')').map_or(self.rest.len(), |end| end + 1));
                    }
                }
            }
        };
        let before = self.rest;
        let ty = self.ty()?;
        let original = before[..before.len() - self.rest.len()].trim_end();
        let value = (!is_external).then(|| self.value(&ty)).transpose()?;
        let align = match self.rest.split(", ").find(|part| part.starts_with("align ")) {
            Some(align) => format!(", {align}"),
            None => String::new(),
        };
        Ok(Variable {
            name,
            space,
            kind,
            original,
            ty,
            value,
            align,
        })
    }

    fn ty(&mut self) -> Result<Type, &'static str> {
        let before = self.rest;
        let mut ty = if self.rest.starts_with('%') {
            let name = self.take(self.name_length());
            if self.is_led_to() {
                Type::Scalar(name.to_owned())
            } else {
                self.meaning(name)?
            }
        } else if self.takes("<{") {
            Type::Struct(["<{", "}>"], self.list("}>", Self::ty)?)
        } else if self.takes("{") {
            Type::Struct(["{", "}"], self.list("}", Self::ty)?)
        } else if self.takes("<") {
            let (length, element) = self.elements(">")?;
            Type::Vector(length, element)
        } else if self.takes("[") {
            let (length, element) = self.elements("]")?;
            Type::Array(length, element)
        } else {
            match self.word() {
                "" => return Err("a type"),
                "ptr" => {
                    self.space();
                    Type::Pointer(before[..before.len() - self.rest.len()].trim_end().to_owned())
                }
                word => Type::Scalar(word.to_owned()),
            }
        };
        // Pointers of clang 14 have the type of their target; pointers to functions, their parameters.
        while self.rest.starts_with('(') || self.is_led_to() {
            if self.rest.starts_with('(') {
                self.take(representation::bracketed(self.rest)?);
            } else {
                self.space();
                self.expect("*")?;
                ty = Type::Pointer(before[..before.len() - self.rest.len()].trim_end().to_owned());
            }
        }
        Ok(ty)
    }

    /// True if the type that was just parsed is the target of a pointer.
    fn is_led_to(&self) -> bool {
        self.rest[space_length(self.rest)..].starts_with('*')
    }

    /// The definition of a named type.
    fn meaning(&mut self, name: &'a str) -> Result<Type, &'static str> {
        let meaning = *self.types.get(name).ok_or("a known type")?;
        if !self.inside.insert(name) {
            return Err("a type that is not inside of itself");
        }
        let behind = std::mem::replace(&mut self.rest, meaning);
        let ty = self.ty();
        self.inside.remove(name);
        self.rest = behind;
        ty
    }

    /// Parses a comma-separated list up to this bracket.
    fn list<T>(
        &mut self,
        close: &'static str,
        mut item: impl FnMut(&mut Self) -> Result<T, &'static str>,
    ) -> Result<Vec<T>, &'static str> {
        let mut items = Vec::new();
        while !self.takes(close) {
            items.push(item(self)?);
            self.takes(",");
        }
        Ok(items)
    }

    /// Parses the rest of a vector's or array's type: the number of elements and their type.
    fn elements(&mut self, close: &'static str) -> Result<(u64, Box<Type>), &'static str> {
        let length = self.word().parse().map_err(|_| "a number of elements")?;
        self.expect("x")?;
        let element = self.ty()?;
        self.expect(close)?;
        Ok((length, Box::new(element)))
    }

    /// Parses a value of this type, and returns it for the padded type.
    fn value(&mut self, ty: &Type) -> Result<String, &'static str> {
        match ty {
            Type::Vector(length, element) if self.takes("<") => {
                let mut values = self.list(">", Self::typed)?;
                if *length == 3 {
                    values.push(format!("{} zeroinitializer", element.filled()));
                }
                Ok(format!("<{}>", values.join(", ")))
            }
            Type::Array(..) if self.takes("[") => Ok(format!("[{}]", self.list("]", Self::typed)?.join(", "))),
            Type::Struct([open, close], _) if self.takes(open) => {
                let values = self.list(close, Self::member)?;
                Ok(format!("{open} {} {close}", values.join(", ")))
            }
            // A number, a name, a string or an expression.
            _ => match self.take(representation::value(self.rest)?).trim_end() {
                "" => Err("a value"),
                value => Ok(value.to_owned()),
            },
        }
    }

    /// A value with its type.
    fn typed(&mut self) -> Result<String, &'static str> {
        let ty = self.ty()?;
        let value = self.value(&ty)?;
        Ok(format!("{} {value}", ty.filled()))
    }

    /// A value of a struct's member, with its type.
    fn member(&mut self) -> Result<String, &'static str> {
        let ty = self.ty()?;
        let value = self.value(&ty)?;
        Ok(match &ty {
            Type::Pointer(name) => format!("{} [{name} {value}]", ty.filled_member()),
            _ => format!("{} {value}", ty.filled()),
        })
    }
}

/// Returns the PTX with the tables of `other`.
///
/// # Errors
/// The other PTX lacks one of the tables.
pub fn with_tables(ptx: &str, other: &str) -> Result<String, String> {
    // clang replaces dots only in names with internal linkage. The other PTX declares these symbols as external, such as
    // a string `.str`, so its values need the same names. Numbers in values have no dots.
    let internal = |text: &str| text.replace('.', "_$_");
    let name = |head: &str| internal(head.rsplit(' ').next().unwrap_or_default());
    let others: HashMap<String, &str> = other
        .lines()
        .filter_map(table)
        .map(|(head, values)| (name(head).replacen(FILLED[1], "", 1), values))
        .collect();
    let lines = ptx.split_inclusive('\n').map(|line| match table(line) {
        None => Ok(line.to_string()),
        Some((head, _)) => match others.get(&name(head)) {
            Some(values) => Ok(format!("{head} = {{{}\n", internal(values))),
            None => Err(format!("its PTX with filled padding lacks `{head}`")),
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

    /// The line of the table in a module that declares it.
    fn table_of(module: &str) -> Option<String> {
        let filled = filled(module).unwrap()?;
        let line = filled.lines().find(|line| line.starts_with("@t.filled = "));
        line.map(str::to_owned)
    }

    #[test]
    fn vectors_of_three_become_vectors_of_four() {
        let text = "target triple = \"nvptx--nvcl\"\n%struct.S = type { <3 x float>, i32, %\"a b\" }\n\
                    %\"a b\" = type <{ <3 x i8>, i8 }>\n\
                    @s = dso_local addrspace(4) constant [2 x %struct.S] [%struct.S { <3 x float> <float 1.0, float 2.0, float \
                    3.0>, i32 4, %\"a b\" <{ <3 x i8> zeroinitializer, i8 7 }> }, %struct.S zeroinitializer], align 16, !dbg !5\n\
                    @\"c\" = private constant [4 x i8] c\"%a<3\"\n@l = internal addrspace(3) global i32 undef, align 4\n\
                    @x = external constant i8\n@llvm.used = appending global [1 x ptr] [ptr @s], section \"llvm.metadata\"\n\
                    define void @k() {\n  %v = load <3 x float>, ptr @s\n}\n";
        let four = "{ <4 x float>, i32, <{ <4 x i8>, i8 }> }";
        let expected = format!(
            "target triple = \"nvptx--nvcl\"\n%struct.S = type {{ <3 x float>, i32, %\"a b\" }}\n\
             %\"a b\" = type <{{ <3 x i8>, i8 }}>\n\
             @s = external addrspace(4) constant [2 x %struct.S]\n\
             @s.filled = addrspace(4) constant [2 x {four}] [{four} {{ <4 x float> <float 1.0, float 2.0, float 3.0, float \
             zeroinitializer>, i32 4, <{{ <4 x i8>, i8 }}> <{{ <4 x i8> zeroinitializer, i8 7 }}> }}, {four} zeroinitializer], \
             align 16\n\
             @\"c\" = external constant [4 x i8]\n@\"c.filled\" = constant [4 x i8] c\"%a<3\"\n\
             @l = external addrspace(3) global i32\n@l.filled = addrspace(3) global i32 undef, align 4\n\
             @x = external constant i8\n"
        );
        assert_eq!(filled(text), Ok(Some(expected)));
    }

    #[test]
    fn pointers_in_structs_become_arrays() {
        let table = table_of(
            "%struct.S = type { ptr addrspace(4), i64 }\n@t = constant [2 x %struct.S] [%struct.S { ptr addrspace(4) \
             getelementptr (i8, ptr addrspace(4) @d, i64 4), i64 5 }, %struct.S { ptr addrspace(4) null, i64 6 }]\n",
        );
        let s = "{ [1 x ptr addrspace(4)], i64 }";
        let expected = format!(
            "@t.filled = constant [2 x {s}] [{s} {{ [1 x ptr addrspace(4)] [ptr addrspace(4) getelementptr (i8, ptr \
             addrspace(4) @d, i64 4)], i64 5 }}, {s} {{ [1 x ptr addrspace(4)] [ptr addrspace(4) null], i64 6 }}]"
        );
        assert_eq!(table, Some(expected));
    }

    #[test]
    fn pointers_of_clang_14() {
        let module = "%struct.N = type { <3 x i8>, %struct.N addrspace(4)*, void (i32)* }\n@t = constant %struct.N { <3 x i8> \
                      zeroinitializer, %struct.N addrspace(4)* @t, void (i32)* bitcast (i8* @\"a,(\" to void (i32)*) }\n";
        let expected = "@t.filled = constant { <4 x i8>, [1 x %struct.N addrspace(4)*], [1 x void (i32)*] } { <4 x i8> \
                        zeroinitializer, [1 x %struct.N addrspace(4)*] [%struct.N addrspace(4)* @t], [1 x void (i32)*] [void \
                        (i32)* bitcast (i8* @\"a,(\" to void (i32)*)] }";
        assert_eq!(table_of(module).as_deref(), Some(expected));
    }

    #[test]
    fn tables_without_padding_are_unchanged() {
        for table in [
            "[2 x ptr] [ptr @t, ptr null]",
            "<4 x i8> zeroinitializer",
            "{ i8, [2 x i64] } undef",
        ] {
            let module = format!("@t = constant {table}\ndefine void @k() {{\n  %v = load <3 x float>, ptr @t\n");
            assert_eq!(filled(&module), Ok(None), "{table}");
        }
    }

    #[test]
    fn invalid_tables_are_errors() {
        for (module, message) in [
            ("@t = 5", "expected `constant` or `global` at `` in `@t = 5`"),
            ("@t = constant [2 of i8] c\"ab\"", "expected x at `of i8] c\"ab\"` in"),
            ("@t = constant %a zeroinitializer", "expected a known type at"),
            (
                "%a = type { %a }\n@t = constant %a zeroinitializer",
                "expected a type that is not inside of itself at",
            ),
            ("@t = constant [1 x i8] [i8 ", "expected a value at `` in"),
            ("@t = constant {", "expected a type at `` in"),
        ] {
            let error = filled(module).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn padded_tables_replace_the_originals() {
        let ptx = ".file 1 \"a\"\n.const .b8 k_$_t[8] = {1, 2, 3};\ncode\n";
        let other = "other\n.visible .const .b8 k_$_t_$_filled[8] = {1, 2, 3, 0, 4};\n";
        assert_eq!(
            with_tables(ptx, other),
            Ok(".file 1 \"a\"\n.const .b8 k_$_t[8] = {1, 2, 3, 0, 4};\ncode\n".to_string())
        );
        assert!(with_tables(ptx, "").is_err());
    }
}
