//! Adds a hash of the compiler's sources to the driver's version: programs such as pyopencl cache binaries until the
//! version changes, and binaries contain PTX and machine code.

use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::hash::{Hash, Hasher};
use std::path::Path;

/// Sources of the compiler, and of the instruction set that it generates.
const FOLDERS: [&str; 3] = ["compiler/src", "compiler/builtins", "../machine/isa/src"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut hasher = DefaultHasher::new();
    for folder in FOLDERS {
        println!("cargo:rerun-if-changed={folder}");
        hash(Path::new(folder), &mut hasher)?;
    }
    println!("cargo:rustc-env=FLEXGRIP_COMPILER={:08x}", hasher.finish() as u32);
    Ok(())
}

fn hash(folder: &Path, hasher: &mut DefaultHasher) -> Result<(), Box<dyn Error>> {
    let entries: Result<Vec<_>, _> = std::fs::read_dir(folder)?.collect();
    let mut paths: Vec<_> = entries?.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        match path.is_dir() {
            true => hash(&path, hasher)?,
            false => std::fs::read(path)?.hash(hasher),
        }
    }
    Ok(())
}
