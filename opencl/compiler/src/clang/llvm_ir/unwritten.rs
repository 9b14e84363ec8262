//! Uninitialised variables, for a checker. Clang may replace an uninitialised variable by any value, so optimised code
//! may not contain the read. Here each such variable is loaded from private memory that is never written, and the
//! checker tracks the undefined value.
//!
//! A barrier with the flag of only one memory gets a fence of that memory before it, because the machine's barrier
//! orders both.
//!
//! The pass rewrites LLVM IR before optimisation, where the start of a variable's lifetime makes it undefined. Arrays
//! and structs are not changed: most of them stay in private memory.

use std::collections::HashMap;
use std::fmt::Write;

/// Bytes of the memory that is never written: the size of the largest vector.
const BYTES: u32 = 128;

/// Returns the LLVM IR with these loads. Only functions with debug lines are the user's; the others are OpenCL's.
pub fn marked(representation: &str) -> String {
    let mut text = String::with_capacity(representation.len() + representation.len() / 8);
    // The scalar and vector variables of the function, if it is the user's.
    let mut types: Option<HashMap<&str, &str>> = None;
    let mut first = false;
    for (number, line) in representation.lines().enumerate() {
        if line.starts_with("define ") {
            first = line.contains(" !dbg !");
            types = first.then(HashMap::new);
        }
        let variables = types.as_mut();
        if let (Some(types), Some((name, ty))) = (variables, variable(line)) {
            if std::mem::take(&mut first) {
                text += "  %flexgrip.unwritten = alloca [";
                let _ = writeln!(text, "{BYTES} x i8], align 128");
            }
            if is_plain(ty) {
                types.insert(name, ty);
            }
        }
        if let (Some(_), Some(fence)) = (&types, fence(line)) {
            let notes = line.find(", !dbg !").map_or("", |at| &line[at..]);
            let _ = writeln!(text, "  call void asm sideeffect \"membar.{fence};\", \"\"(){notes}");
        }
        text += line;
        text.push('\n');
        let begins = types.as_ref().and_then(|types| {
            let name = begin(line)?;
            Some((name, types.get(name)?))
        });
        if let Some((name, ty)) = begins {
            let notes = line.find(", !dbg !").map_or("", |at| &line[at..]);
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "  %flexgrip.{number} = load volatile {ty}, ptr %flexgrip.unwritten, align 128{notes}\n  \
                 store {ty} %flexgrip.{number}, ptr {name}, align 4{notes}"
            );
        }
    }
    text
}

/// `NAME = alloca TYPE, ..`
fn variable(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.trim_start().split_once(" = alloca ")?;
    let (ty, _) = rest.split_once(", align")?;
    Some((name, ty))
}

/// Returns the variable of a start of lifetime: `call void @llvm.lifetime.start.p0(i64 SIZE, ptr NAME) ..`
fn begin(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("call void @llvm.lifetime.start.p0(i64 ")?;
    let (_, rest) = rest.split_once(", ptr ")?;
    rest.split(')').next()
}

/// Returns the fence for a barrier with one flag: `call .. @_Z7barrierj(i32 noundef FLAG) ..`
fn fence(line: &str) -> Option<&'static str> {
    let (before, rest) = line.split_once("@_Z7barrierj(")?;
    let flag = rest.split(')').next()?.rsplit(' ').next()?;
    match flag {
        _ if !before.contains("call ") => None,
        "1" => Some("cta"),
        "2" => Some("gl"),
        _ => None,
    }
}

/// True for numbers, pointers, and vectors of numbers.
fn is_plain(ty: &str) -> bool {
    let number = |ty: &str| {
        let bits = ty.strip_prefix('i').and_then(|bits| bits.parse::<u32>().ok());
        matches!(bits, Some(8 | 16 | 32 | 64)) || ty == "float"
    };
    let vector = ty
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>')?.split_once(" x "));
    number(ty) || ty == "ptr" || ty.starts_with("ptr addrspace(") || vector.is_some_and(|(_, element)| number(element))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_gets_a_value_where_its_scope_begins() {
        let text = "define void @k() !dbg !3 {\n  %x = alloca i32, align 4\n  %t = alloca [4 x i32], align 4\n  \
                    call void @llvm.lifetime.start.p0(i64 4, ptr %x) #3, !dbg !7\n  \
                    call void @llvm.lifetime.start.p0(i64 16, ptr %t) #3, !dbg !7\n  ret void\n}\n";
        let expected = "define void @k() !dbg !3 {\n  %flexgrip.unwritten = alloca [128 x i8], align 128\n  \
                        %x = alloca i32, align 4\n  %t = alloca [4 x i32], align 4\n  \
                        call void @llvm.lifetime.start.p0(i64 4, ptr %x) #3, !dbg !7\n  \
                        %flexgrip.3 = load volatile i32, ptr %flexgrip.unwritten, align 128, !dbg !7\n  \
                        store i32 %flexgrip.3, ptr %x, align 4, !dbg !7\n  \
                        call void @llvm.lifetime.start.p0(i64 16, ptr %t) #3, !dbg !7\n  ret void\n}\n";
        assert_eq!(marked(text), expected);
    }

    #[test]
    fn functions_without_lines_are_unchanged() {
        let text = "define void @sin() {\n  %x = alloca i32, align 4\n  \
                    call void @llvm.lifetime.start.p0(i64 4, ptr %x)\n}\n";
        assert_eq!(marked(text), text);
    }

    #[test]
    fn barriers_get_the_fence_of_their_memory() {
        let text =
            "define void @k(i32 %0) #0 !dbg !3 {\n  call spir_func void @_Z7barrierj(i32 noundef 2) #4, !dbg !9\n  \
                    call spir_func void @_Z7barrierj(i32 noundef 3) #4, !dbg !9\n";
        let expected = "define void @k(i32 %0) #0 !dbg !3 {\n  \
                        call void asm sideeffect \"membar.gl;\", \"\"(), !dbg !9\n  \
                        call spir_func void @_Z7barrierj(i32 noundef 2) #4, !dbg !9\n  \
                        call spir_func void @_Z7barrierj(i32 noundef 3) #4, !dbg !9\n";
        assert_eq!(marked(text), expected);
    }

    #[test]
    fn plain_types() {
        for ty in [
            "i8",
            "i64",
            "float",
            "ptr",
            "ptr addrspace(1)",
            "<4 x float>",
            "<16 x i16>",
        ] {
            assert!(is_plain(ty), "{ty}");
        }
        for ty in ["[4 x i32]", "%struct.S", "i1", "double", "{ i32, i32 }"] {
            assert!(!is_plain(ty), "{ty}");
        }
    }
}
