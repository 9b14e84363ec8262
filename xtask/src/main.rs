//! Work on the project itself, beyond what one cargo command does: installs tools, writes generated files, and runs
//! flows of several programs. The Makefile has a target for each flow that users start.

#![warn(clippy::unwrap_used)]

mod command;
mod flows;
mod opencl;
mod tools;
mod update;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::ffi::OsString;

const EXAMPLES: &str = "Examples:
  cargo xtask tools                    # what `make test` needs
  cargo xtask update baselines         # record today's cycles
  cargo xtask opencl suites --only pyopencl -- -k scan";

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what a fresh Debian 12 with Rust lacks for a flow (Debian packages, PyPI, npm, crates)
    Tools {
        #[arg(value_enum, default_value = "base")]
        sets: Vec<tools::Set>,
    },
    /// Regenerate files
    Update {
        #[arg(value_enum, required = true)]
        what: Vec<update::What>,
    },
    /// Run every kind of check once, as `make test`
    Test,
    /// Build the OpenCL driver, run its examples and third-party test suites
    #[command(subcommand)]
    Opencl(opencl::Opencl),
    /// Run a flow of several programs with the arguments; missing tools are installed first
    Flow {
        #[arg(value_enum)]
        flow: flows::Flow,
        #[arg(allow_hyphen_values = true, trailing_var_arg = true)]
        arguments: Vec<OsString>,
    },
    /// Build the book in build/book
    Book,
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Tools { sets } => sets.into_iter().try_for_each(tools::install),
        Task::Update { what } => what.into_iter().try_for_each(update::update),
        Task::Test => flows::test(),
        Task::Opencl(what) => opencl::opencl(&what),
        Task::Flow { flow, arguments } => flows::flow(flow, &arguments),
        Task::Book => {
            update::update(update::What::Reference)?;
            command::run(command::program(&tools::mdbook()?).args(["build", "docs/book"]))
        }
    }
}
