//! `reqd_work_group_size`: clang keeps it in LLVM IR, but before version 20 not in the PTX.
//!
//! A source that may have the attribute is also compiled to LLVM IR, in parallel. The sizes found there are added to
//! the PTX as the directive `.reqntid`.

/// The sizes that kernels require.
pub type Sizes = Vec<(String, [u32; 3])>;

/// True if a source can have the attribute: it contains the word, a part of it, or an `#include`.
pub fn may_be_required(source: &str) -> bool {
    // A macro may concatenate the word (`reqd_ ## work_group_size`), or may be defined in an included file.
    ["reqd", "work_group_size", "include", "import"]
        .iter()
        .any(|word| source.contains(word))
}

/// Returns the sizes in the text of LLVM IR.
pub fn required(text: &str) -> Sizes {
    let mut found = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("define ")) {
        let number = line.split_once("!reqd_work_group_size !").map(|(_, rest)| digits(rest));
        let name = line
            .split_once('@')
            .map(|(_, rest)| rest.split_once('(').map_or(rest, |(name, _)| name));
        if let (Some(number), Some(name)) = (number, name) {
            found.push((name.trim_matches('"').to_string(), number));
        }
    }
    let size = |number: &str| {
        let head = format!("!{number} = !{{");
        let line = text.lines().find_map(|line| line.strip_prefix(&head))?;
        let sizes: Vec<u32> = line
            .split("i32 ")
            .skip(1)
            .filter_map(|rest| digits(rest).parse().ok())
            .collect();
        <[u32; 3]>::try_from(sizes).ok()
    };
    let found = found.into_iter();
    found.filter_map(|(name, number)| Some((name, size(number)?))).collect()
}

fn digits(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    &text[..end]
}

/// Returns the PTX with `.reqntid` for these kernels, unless it already has the directive. Line numbers do not change.
///
/// # Errors
/// A kernel does not exist in the PTX.
pub fn add(mut ptx: String, sizes: &[(String, [u32; 3])]) -> Result<String, String> {
    for (name, [x, y, z]) in sizes {
        let head = format!(".entry {name}(");
        let parameters = ptx.find(&head).map(|at| at + head.len());
        let place = parameters.and_then(|at| Some((at + ptx[at..].find(')')? + 1, at + ptx[at..].find('{')?)));
        let Some((end, body)) = place.filter(|(end, body)| end <= body) else {
            return Err(format!(
                "its PTX has no kernel {name}, which requires a work-group size"
            ));
        };
        if !ptx[end..body].contains(".reqntid") {
            ptx.insert_str(end, &format!(" .reqntid {x}, {y}, {z}"));
        }
    }
    Ok(ptx)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LLVM: &str =
        "define dso_local ptx_kernel void @fixed(ptr noundef %out) #0 !dbg !9 !reqd_work_group_size !12 {\n\
                        ret void\n}\ndefine void @free(ptr %out) !dbg !5 {\n}\n\
                        define void @last() !reqd_work_group_size !7 !dbg !6 {\n}\n\
                        !7 = !{i32 64, i32 1, i32 1}\n!12 = !{i32 8, i32 2, i32 1}\n";

    #[test]
    fn from_the_representation_into_the_ptx() {
        let sizes = required(LLVM);
        assert_eq!(
            sizes,
            [("fixed".to_string(), [8, 2, 1]), ("last".to_string(), [64, 1, 1])]
        );
        let ptx = ".visible .entry fixed(\n\t.param .u32 .ptr .global .align 4 fixed_param_0\n)\n{\n}\n\
                   .visible .entry fixed2()\n{\n}\n.entry last()\n.reqntid 64, 1, 1\n{\n}\n";
        let added = add(ptx.to_string(), &sizes).expect("both are there");
        assert_eq!(added, ptx.replace("param_0\n)\n{", "param_0\n) .reqntid 8, 2, 1\n{"));
        assert!(add("nothing".to_string(), &sizes)
            .expect_err("none")
            .contains("no kernel fixed"));
    }

    #[test]
    fn only_sources_that_may_have_it_are_compiled_twice() {
        assert!(may_be_required("__attribute__((reqd_work_group_size(8, 1, 1)))"));
        assert!(may_be_required("#include \"sizes.h\""));
        assert!(!may_be_required(
            "__kernel void k(__global int *a) { *a = get_local_size(0); }"
        ));
    }
}
