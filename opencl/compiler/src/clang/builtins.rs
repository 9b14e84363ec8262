//! OpenCL's functions for SM 1.0: OpenCL C in `opencl/compiler/builtins/`, compiled to bitcode once for each clang.
//!
//! The bitcode is kept in the user's cache folder under a name with a hash of text, flags and clang's version. It is
//! written to a temporary name and then renamed, because another process must not read an incomplete file. Without a
//! cache folder it is a temporary file.

use super::error::ClangError;
use super::process;
use super::program::ClangProgram;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::{NamedTempFile, TempPath};

/// The sources, in the order in which they are read.
pub const SOURCES: &[(&str, &str)] = &[
    ("macros.cl", include_str!("../../builtins/macros.cl")),
    ("work_items.cl", include_str!("../../builtins/work_items.cl")),
    ("synchronisation.cl", include_str!("../../builtins/synchronisation.cl")),
    ("atomics.cl", include_str!("../../builtins/atomics.cl")),
    ("integer.cl", include_str!("../../builtins/integer.cl")),
    ("relational.cl", include_str!("../../builtins/relational.cl")),
    ("math.cl", include_str!("../../builtins/math.cl")),
    ("exponential.cl", include_str!("../../builtins/exponential.cl")),
    ("trigonometric.cl", include_str!("../../builtins/trigonometric.cl")),
    ("gamma.cl", include_str!("../../builtins/gamma.cl")),
    ("double_math.cl", include_str!("../../builtins/double_math.cl")),
    (
        "double_exponential.cl",
        include_str!("../../builtins/double_exponential.cl"),
    ),
    (
        "double_trigonometric.cl",
        include_str!("../../builtins/double_trigonometric.cl"),
    ),
    ("double_gamma.cl", include_str!("../../builtins/double_gamma.cl")),
    ("common.cl", include_str!("../../builtins/common.cl")),
    ("memory.cl", include_str!("../../builtins/memory.cl")),
    ("conversions.cl", include_str!("../../builtins/conversions.cl")),
    ("images.cl", include_str!("../../builtins/images.cl")),
];

/// The file with the bitcode of the builtins.
#[derive(Debug, Clone)]
pub enum Bitcode {
    /// A file in the cache.
    Cached(PathBuf),
    /// A file that is deleted when its last user drops it.
    Temporary(Arc<TempPath>),
}

impl Bitcode {
    /// The path of the file.
    pub fn path(&self) -> &Path {
        match self {
            Bitcode::Cached(path) => path,
            Bitcode::Temporary(path) => path,
        }
    }
}

/// The bitcode of a clang, from the cache if it is there.
pub fn bitcode(clang: &ClangProgram) -> Result<Bitcode, ClangError> {
    bitcode_in(clang, cache_folder().as_deref())
}

/// True if the cache has the bitcode of a clang.
pub fn is_cached(clang: &ClangProgram) -> bool {
    cache_folder().is_some_and(|folder| folder.join(file_name(clang, &text())).is_file())
}

fn bitcode_in(clang: &ClangProgram, folder: Option<&Path>) -> Result<Bitcode, ClangError> {
    let text = text();
    let cached = folder.map(|folder| folder.join(file_name(clang, &text)));
    if let Some(path) = cached.as_ref().filter(|path| path.is_file()) {
        return Ok(Bitcode::Cached(path.clone()));
    }
    let contents = process::bitcode(clang, &text)?;
    // Without a cache the bitcode is compiled again by the next process.
    let stored = cached.and_then(|path| store(&path, &contents).ok().map(|()| path));
    if let Some(path) = stored {
        return Ok(Bitcode::Cached(path));
    }
    let failed = |error: std::io::Error| ClangError::Failed {
        program: clang.path().to_path_buf(),
        message: format!("its bitcode cannot be written to a temporary file: {error}"),
    };
    let mut file = NamedTempFile::new().map_err(failed)?;
    std::io::Write::write_all(&mut file, &contents).map_err(failed)?;
    Ok(Bitcode::Temporary(Arc::new(file.into_temp_path())))
}

/// Writes to a temporary name in the folder, then renames.
fn store(path: &Path, contents: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut file, contents)?;
    file.persist(path)?;
    Ok(())
}

/// Returns all sources as one text, with line markers that name the files in messages.
pub fn text() -> String {
    text_of(|_| true)
}

fn text_of(is_chosen: impl Fn(&str) -> bool) -> String {
    let chosen = SOURCES.iter().filter(|(name, _)| is_chosen(name));
    chosen
        .map(|(name, source)| format!("#line 1 \"{name}\"\n{source}\n"))
        .collect()
}

/// Returns a digest of the code of float functions, without comments. Files for images, atomics and doubles are
/// omitted.
pub fn digest() -> String {
    let text = text_of(|name| !["images.cl", "atomics.cl"].contains(&name) && !name.starts_with("double_"));
    let mut hash = Sha256::new();
    for line in text.lines() {
        let code = line.split_once("//").map_or(line, |(code, _)| code).trim();
        if !code.is_empty() && !code.starts_with("#line") {
            hash.update(code);
            hash.update("\n");
        }
    }
    hex(hash.finalize())
}

fn hex(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().map(|byte| format!("{byte:02x}")).collect()
}

fn file_name(clang: &ClangProgram, text: &str) -> String {
    format!("builtins-{}.bc", key(clang, text))
}

fn key(clang: &ClangProgram, text: &str) -> String {
    let mut hash = Sha256::new();
    for part in [clang.version().line.as_str(), &process::builtin_flags().join(" "), text] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex(hash.finalize())
}

/// The user's cache folder by the XDG base directory specification.
fn cache_folder() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let base = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("flexgrip"))
}
