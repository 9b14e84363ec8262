//! `flexgrip help`: topics, or the program's own help.

use crate::output::print;
use clap::{Args, Command};
use flexgrip_sim::error::Error;
use flexgrip_sim::files::launch::LAUNCH_FORMAT;

/// Arguments of the subcommand.
#[derive(Args)]
pub struct HelpArguments {
    #[arg(value_parser = ["format"])]
    topic: Option<String>,
}

/// Describes the topic, or `program` if there is none.
pub fn run(arguments: &HelpArguments, mut program: Command) -> Result<bool, Error> {
    match &arguments.topic {
        Some(_) => print(LAUNCH_FORMAT)?,
        None => print(&program.render_help().to_string())?,
    }
    Ok(true)
}
