//! The driver's version names what makes machine code of OpenCL C: programs such as pyopencl keep binaries for as long as the
//! version stays, and binaries hold PTX and machine code.

use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::hash::{Hash, Hasher};
use std::path::Path;

/// The compiler's sources, and those of the instructions that it makes.
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
