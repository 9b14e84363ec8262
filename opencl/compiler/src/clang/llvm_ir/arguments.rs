//! Declarations of kernels' parameters. clang keeps them in LLVM IR but not in the PTX, where an image is an ordinary
//! pointer.
//!
//! They are added to the PTX as pragmas ([`crate::ir::declaration`]), which other compilers ignore.

use crate::ir::declaration::Declaration;

/// The kernels of a source, each with its parameters.
pub type Kernels = Vec<(String, Vec<Declaration>)>;

/// True if the parameters of a source can include images or samplers: it contains one of these words, an `#include`, or
/// words that macros concatenate.
pub fn may_be_needed(source: &str) -> bool {
    ["image", "sampler", "include", "import", "##"]
        .iter()
        .any(|word| source.contains(word))
}

/// Returns the declarations in the text of LLVM IR. Kernels without parameters are omitted.
pub fn declared(text: &str) -> Kernels {
    let kernels = text
        .lines()
        .filter(|line| line.starts_with("define "))
        .filter_map(|line| {
            let (_, rest) = line.split_once('@')?;
            let (name, _) = rest.split_once('(')?;
            // Since version 21, clang puts a kernel's body into a separate function.
            if name.starts_with("__clang_ocl_kern_imp_") {
                return None;
            }
            let node = |attachment: &str| {
                let (_, rest) = line.split_once(&format!("!kernel_arg_{attachment} !"))?;
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let head = format!("!{} = !{{", &rest[..end]);
                let values = text.lines().find_map(|line| line.strip_prefix(&head))?;
                Some(elements(values))
            };
            let spaces = node("addr_space")?;
            let (access, types) = (node("access_qual")?, node("type")?);
            let (bases, qualifiers) = (node("base_type")?, node("type_qual")?);
            let names = node("name");
            let parameter = |(index, space): (usize, &String)| {
                let of = |list: &[String]| list.get(index).cloned();
                let name = names.as_deref().map_or(Some(String::new()), of)?;
                let space = space.parse().ok()?;
                let words = [of(&access)?, of(&qualifiers)?, of(&bases)?, name, of(&types)?];
                Declaration::new(space, [&words[0], &words[1], &words[2], &words[3], &words[4]])
            };
            let parameters: Option<Vec<Declaration>> = spaces.iter().enumerate().map(parameter).collect();
            Some((name.trim_matches('"').to_string(), parameters?))
        });
    kernels.filter(|(_, parameters)| !parameters.is_empty()).collect()
}

/// Returns the elements of a metadata node, `!"a", !"b"}` or `i32 1, i32 0}`, without their types.
fn elements(text: &str) -> Vec<String> {
    let text = text.trim_end().trim_end_matches('}');
    match text.contains('"') {
        // Only strings are between quotation marks, commas, and exclamation marks.
        true => text.split('"').skip(1).step_by(2).map(str::to_string).collect(),
        false => text
            .split(',')
            .filter_map(|element| element.split_whitespace().last())
            .map(str::to_string)
            .collect(),
    }
}

/// Returns the PTX with these declarations. Line numbers do not change.
///
/// # Errors
/// A kernel does not exist in the PTX.
pub fn add(mut ptx: String, kernels: &Kernels) -> Result<String, String> {
    for (name, parameters) in kernels {
        let head = format!(".entry {name}(");
        let end = ptx.find(&head).and_then(|at| {
            let at = at + head.len();
            Some(at + ptx[at..].find(')')? + 1)
        });
        let end = end.ok_or_else(|| format!("its PTX has no kernel {name} with parameters"))?;
        let pragmas: String = parameters
            .iter()
            .enumerate()
            .map(|(index, declaration)| format!(" .pragma \"{}\";", declaration.pragma(index)))
            .collect();
        ptx.insert_str(end, &pragmas);
    }
    Ok(ptx)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LLVM: &str = "define dso_local ptx_kernel void @k(ptr addrspace(1) %0, ptr addrspace(4) %1, ptr %2) #0 !dbg !3 \
                        !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !8 \
                        !kernel_arg_type_qual !9 !kernel_arg_name !10 {\n}\n\
                        define void @f(i32 %0) {\n}\n\
                        define void @none() !kernel_arg_addr_space !11 !kernel_arg_access_qual !11 !kernel_arg_type !11 \
                        !kernel_arg_base_type !11 !kernel_arg_type_qual !11 {\n}\n\
                        !5 = !{i32 1, i32 0, i32 1}\n!6 = !{!\"write_only\", !\"none\", !\"none\"}\n\
                        !7 = !{!\"image2d_t\", !\"sampler_t\", !\"float4*\"}\n\
                        !8 = !{!\"image2d_t\", !\"sampler_t\", !\"float __attribute__((ext_vector_type(4)))*\"}\n\
                        !9 = !{!\"\", !\"\", !\"restrict const\"}\n!10 = !{!\"a\", !\"s\", !\"out\"}\n!11 = !{}\n";

    #[test]
    fn from_the_representation_into_the_ptx() {
        let kernels = declared(LLVM);
        let texts: Vec<String> = kernels[0].1.iter().map(Declaration::to_string).collect();
        assert_eq!((kernels.len(), kernels[0].0.as_str()), (1, "k"));
        assert_eq!(
            texts,
            [
                "global write_only none image2d_t a image2d_t",
                "private none none sampler_t s sampler_t",
                "global none const,restrict float out float4*"
            ]
        );
        let ptx = ".entry k(\n\t.param .u32 k_param_0\n)\n{\n}\n".to_string();
        let added = add(ptx.clone(), &vec![("k".into(), kernels[0].1[..1].to_vec())]).expect("a kernel");
        let pragma = " .pragma \"flexgrip argument 0 global write_only none image2d_t a image2d_t\";";
        assert_eq!(added, ptx.replace(")\n", &format!("){pragma}\n")));
        assert!(add("nothing".into(), &kernels)
            .expect_err("none")
            .contains("no kernel k"));
    }

    #[test]
    fn names_are_optional() {
        let kernels = declared(&LLVM.replace(" !kernel_arg_name !10", ""));
        assert!(kernels[0].1.iter().all(|declaration| declaration.name.is_none()));
    }

    #[test]
    fn only_sources_that_may_have_images_are_compiled_twice() {
        assert!(may_be_needed("kernel void k(read_only image2d_t a) {}"));
        assert!(may_be_needed("#include \"images.h\""));
        assert!(!may_be_needed("kernel void k(global float *a) { a[0] = 1; }"));
    }
}
