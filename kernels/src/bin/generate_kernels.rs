//! Writes the launch files, inputs and expected results of the kernels, or lists the stale ones.

#![warn(clippy::unwrap_used)]

use anyhow::Result;
use clap::Parser;
use flexgrip_kernels::files;
use std::path::PathBuf;
use std::process::ExitCode;

/// Writes the launch files, inputs and expected results of the project's kernels.
#[derive(Parser)]
#[command(name = "generate-kernels")]
struct Arguments {
    /// Write nothing; list every file that would change, and exit with 1 if there is one
    #[arg(long)]
    check: bool,
    /// Folder that contains the kernels' folders
    #[arg(long, value_name = "FOLDER", default_value = env!("CARGO_MANIFEST_DIR"), hide_default_value = true)]
    root: PathBuf,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    if !arguments.check {
        files::write(&arguments.root)?;
        return Ok(ExitCode::SUCCESS);
    }
    let wrong = files::check(&arguments.root)?;
    for line in &wrong {
        println!("{line}");
    }
    if wrong.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!(
        "{} of the kernels' files are wrong; `cargo xtask update kernels` rewrites them",
        wrong.len()
    );
    Ok(ExitCode::FAILURE)
}
