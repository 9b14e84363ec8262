//! External tools: the program for each, and a check that it is installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program found through an environment variable, or else by its name on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The name, in messages and on the path.
    pub name: &'static str,
    /// An environment variable that names another program to run instead.
    pub variable: &'static str,
}

/// Synthesis: yosys.
pub const YOSYS: Tool = Tool {
    name: "yosys",
    variable: "YOSYS",
};
/// Icarus Verilog's compiler.
pub const IVERILOG: Tool = Tool {
    name: "iverilog",
    variable: "IVERILOG",
};
/// The runtime for the output of [`IVERILOG`].
pub const VVP: Tool = Tool {
    name: "vvp",
    variable: "VVP",
};
/// Verilator.
pub const VERILATOR: Tool = Tool {
    name: "verilator",
    variable: "VERILATOR",
};

/// True if a program with this name is on the path.
pub fn on_path(program: &Path) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

impl Tool {
    /// The program to run: the variable's value, else the name.
    pub fn program(&self) -> PathBuf {
        std::env::var_os(self.variable).map_or_else(|| self.name.into(), PathBuf::from)
    }

    /// A command that runs it without standard input.
    pub fn command(&self) -> Command {
        let mut command = Command::new(self.program());
        command.stdin(Stdio::null());
        command
    }

    /// True if the program exists and is executable.
    pub fn is_there(&self) -> bool {
        let program = self.program();
        program.is_file() || on_path(&program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_names_another_program() {
        let tool = Tool {
            name: "hdlkit-no-such-tool",
            variable: "HDLKIT_TEST_TOOL",
        };
        assert!(!tool.is_there());
        assert_eq!(tool.program(), Path::new("hdlkit-no-such-tool"));
        // No other test uses this variable.
        std::env::set_var(tool.variable, "sh");
        assert!(tool.is_there());
        assert_eq!(tool.program(), Path::new("sh"));
    }
}
