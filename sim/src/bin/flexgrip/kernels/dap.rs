//! `flexgrip dap`: a kernel in an editor, by the Debug Adapter Protocol.

use crate::kernels::debug::{load, DebugArguments};
use crate::output::print;
use clap::{Args, Parser};
use flexgrip_sim::debug::adapter::{serve, Configuration, Loaded, Sizes};
use flexgrip_sim::error::Error;
use flexgrip_sim::opencl::error::OpenClError;
use flexgrip_sim::outside::IoError;
use std::ffi::OsString;
use std::io;
use std::net::{Ipv4Addr, Shutdown, TcpListener};

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip dap                 an editor starts this, and talks to it over standard input and output
  flexgrip dap --port 4711     an editor connects to port 4711 of this computer
  flexgrip dap --port 0        to a free port, which is printed

A launch configuration has kernel, and optionally engine (model, rtl, verilator), lanes, sms, stopOnEntry, unalignedCode,
maxCycles, cwd; for OpenCL C kernelName, global, local, offset, args, options. docs/debugging.md has some for VS Code, Neovim, Helix
and Emacs.

Exit code 0: the editor has disconnected; 1: its connection ended without that, or a protocol error; 2: wrong usage.";

/// Arguments of the subcommand.
#[derive(Args)]
pub struct DapArguments {
    /// Wait for an editor to connect to this port of 127.0.0.1, and end when it disconnects; 0: a free port
    #[arg(long, value_name = "N")]
    port: Option<u16>,
}

/// A parser for the arguments of `flexgrip debug`, without the names of program and subcommand.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Words {
    #[command(flatten)]
    debug: DebugArguments,
}

/// Serves one editor.
pub fn run(arguments: &DapArguments) -> Result<bool, Error> {
    let Some(port) = arguments.port else {
        serve(io::stdin(), io::stdout(), prepare)?;
        return Ok(true);
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener = listener.map_err(IoError::of(format!("cannot listen on port {port} of 127.0.0.1")))?;
    let address = listener
        .local_addr()
        .map_err(IoError::of("cannot determine the port"))?;
    print(&format!("listening on {address}\n"))?;
    let (stream, _) = listener.accept().map_err(IoError::of("cannot accept a connection"))?;
    // One editor only: further connections are refused.
    drop(listener);
    let other = stream.try_clone().map_err(IoError::of("cannot use the connection"))?;
    let input = stream.try_clone().map_err(IoError::of("cannot use the connection"))?;
    let result = serve(input, other, prepare);
    // The thread that reads the connection may still use it.
    let _ = stream.shutdown(Shutdown::Both);
    result.map(|()| true)
}

/// Makes a kernel ready as `flexgrip debug` does, from the same arguments.
fn prepare(configuration: &Configuration) -> Result<Loaded, Error> {
    if let Some(folder) = &configuration.cwd {
        let what = format!("cannot work in {}", folder.display());
        std::env::set_current_dir(folder).map_err(IoError::of(what))?;
    }
    let words = Words::try_parse_from(words(configuration));
    let arguments = words
        .map_err(|error| OpenClError::Usage(message(&error.to_string())))?
        .debug;
    let (job, code) = load(&arguments)?;
    Ok(Loaded {
        machine: arguments.machine(),
        launch: job.single()?.launch.clone(),
        code,
        options: job.options,
    })
}

/// Converts a launch configuration to arguments of `flexgrip debug`.
fn words(configuration: &Configuration) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut option = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            words.push(format!("--{name}={value}").into());
        }
    };
    let number = |number: Option<u32>| number.map(|number| number.to_string());
    let sizes = |sizes: &Sizes| {
        let sizes: Vec<String> = sizes.each().iter().map(u32::to_string).collect();
        (!sizes.is_empty()).then(|| sizes.join(","))
    };
    option("engine", configuration.engine.clone());
    option("lanes", number(configuration.lanes));
    option("sms", number(configuration.sms));
    option("kernel", configuration.kernel_name.clone());
    option("global", sizes(&configuration.global));
    option("local", sizes(&configuration.local));
    option("offset", sizes(&configuration.offset));
    option("options", configuration.options.clone());
    option("max-cycles", configuration.max_cycles.map(|cycles| cycles.to_string()));
    for argument in &configuration.args {
        option("arg", Some(argument.clone()));
    }
    if configuration.unaligned_code {
        words.push("--unaligned-code".into());
    }
    words.push("--".into());
    words.push(configuration.kernel.clone().into_os_string());
    words
}

/// The message of an error in the arguments, without the hints for a command line.
fn message(text: &str) -> String {
    let text = text.split("\n\n").next().unwrap_or_default();
    let text = text.trim_start_matches("error: ").trim_end();
    format!("launch configuration: {text}")
}
