//! The driver's version names what makes PTX of OpenCL C: programs such as pyopencl keep binaries for as long as the version
//! stays, and binaries hold PTX.

use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::hash::{Hash, Hasher};

/// The front end's sources.
const FOLDERS: [&str; 2] = ["../compiler/src/clang", "../compiler/builtins"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut hasher = DefaultHasher::new();
    for folder in FOLDERS {
        println!("cargo:rerun-if-changed={folder}");
        let entries: Result<Vec<_>, _> = std::fs::read_dir(folder)?.collect();
        let mut files: Vec<_> = entries?.into_iter().map(|entry| entry.path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.is_file()) {
            std::fs::read(file)?.hash(&mut hasher);
        }
    }
    println!("cargo:rustc-env=FLEXGRIP_FRONT_END={:08x}", hasher.finish() as u32);
    Ok(())
}
