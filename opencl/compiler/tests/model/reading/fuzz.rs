//! Damaged PTX is compiled or refused, without a panic.

use crate::kernels::Random;
use flexgrip_compiler::{compile, ptx, Options};
use std::path::Path;
use std::time::{Duration, Instant};

/// Returns the texts of all test modules.
fn texts() -> Vec<String> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut texts = Vec::new();
    for folder in ["kernels", "ptx"] {
        let folder = tests.join(folder);
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|extension| extension == "ptx") {
                texts
                    .push(std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
            }
        }
    }
    texts
}

/// Returns a single kernel of a module, with the text before the first kernel, but without functions in between.
fn one_kernel(text: &str, random: &mut Random) -> String {
    let mut pieces = text.split(".visible .entry");
    let head = pieces.next().unwrap_or_default();
    let kernels: Vec<&str> = pieces.collect();
    let kernel = kernels[random.next() as usize % kernels.len()];
    let kernel = kernel.split_once("\n}").map_or(kernel, |(kernel, _)| kernel);
    format!("{head}.visible .entry{kernel}\n}}\n")
}

fn damaged(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for _ in 0..1 + random.next() % 4 {
        let mut pick = |count: usize| random.next() as usize % count.max(1);
        let (from, to) = (pick(lines.len()), pick(lines.len()));
        match pick(5) {
            0 => {
                lines.remove(from);
            }
            1 => {
                let line = lines[from].clone();
                lines.insert(to, line);
            }
            2 => lines.swap(from, to),
            // Replaces a word by a word of another line.
            _ => {
                let words = |line: &str| line.split_whitespace().map(str::to_string).collect::<Vec<_>>();
                let (others, mut own) = (words(&lines[from]), words(&lines[to]));
                if !others.is_empty() && !own.is_empty() {
                    let at = pick(own.len());
                    own[at] = others[pick(others.len())].clone();
                    lines[to] = own.join(" ");
                }
            }
        }
    }
    lines.join("\n")
}

#[test]
fn damaged_modules_are_compiled_or_refused() {
    let texts = texts();
    let seconds = std::env::var("FLEXGRIP_FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(2));
    let mut random = Random(0x0bad_cafe);
    let (mut compiled, mut refused) = (0, 0);
    while Instant::now() < end || compiled == 0 || refused == 0 {
        let text = &texts[random.next() as usize % texts.len()];
        let text = damaged(&one_kernel(text, &mut random), &mut random);
        let Ok(module) = ptx::parse(&text) else {
            continue;
        };
        for kernel in module.kernels() {
            match compile(&module, kernel, &Options::default()) {
                Ok(_) => compiled += 1,
                Err(error) => {
                    assert!(!error.message.is_empty());
                    refused += 1;
                }
            }
        }
    }
    println!("{compiled} compiled, {refused} refused");
}
