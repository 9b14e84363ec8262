//! OpenCL's build options.

use crate::error::DOUBLES;
use flexgrip_isa::Capability;
use std::ffi::OsString;
use std::path::Path;
use thiserror::Error;

/// The version of OpenCL C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standard {
    /// OpenCL C 1.0.
    C10,
    /// OpenCL C 1.1.
    C11,
    /// OpenCL C 1.2, the default: its functions and syntax are a superset.
    C12,
}

/// The reason why an option is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    /// The word is not an option of OpenCL.
    #[error("unknown build option `{0}`")]
    Unknown(String),
    /// The option needs a value after it.
    #[error("the build option `{0}` needs an argument")]
    Argument(&'static str),
    /// This version of OpenCL C does not exist.
    #[error("`-cl-std={0}` is not supported; expected CL1.0, CL1.1 or CL1.2")]
    Standard(String),
    /// The machine does not support the option.
    #[error("the build option `{option}` is not supported: {reason}")]
    Unsupported {
        /// The option as given.
        option: &'static str,
        /// The reason, for the message.
        reason: &'static str,
    },
    /// A quotation mark without its closing one.
    #[error("the build options have an unclosed quotation mark or end in a backslash")]
    Quotes,
}

/// The options with which a source is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildOptions {
    /// `-D` and `-I` in their order, as clang's arguments.
    preprocessor: Vec<OsString>,
    /// `-cl-std=`.
    standard: Standard,
    /// `-w`: no warnings.
    quiet: bool,
    /// `-Werror`: a warning is an error.
    strict: bool,
    /// `-cl-single-precision-constant`: literals without a suffix are `float`.
    single: bool,
    /// `-cl-opt-disable`.
    unoptimised: bool,
    /// `-cl-mad-enable`: products and sums of one expression may become FMAD.
    contract: bool,
    /// `-cl-fast-relaxed-math`.
    relaxed: bool,
    /// `-cl-kernel-arg-info`: names and types of arguments are kept.
    argument_info: bool,
    /// True after [`BuildOptions::check`].
    checked: bool,
    /// The device's compute capability.
    capability: Capability,
}

impl Default for BuildOptions {
    fn default() -> Self {
        BuildOptions {
            preprocessor: Vec::new(),
            standard: Standard::C12,
            quiet: false,
            strict: false,
            single: false,
            unoptimised: false,
            contract: false,
            relaxed: false,
            argument_info: false,
            checked: false,
            capability: Capability::default(),
        }
    }
}

impl BuildOptions {
    /// Parses a string as `clBuildProgram` takes it. Words are separated by spaces; quotation marks and backslashes
    /// quote as in a shell.
    ///
    /// # Errors
    /// An option that OpenCL 1.2 does not have, or that the machine does not support.
    pub fn parse(text: &str) -> Result<BuildOptions, OptionError> {
        let words = shlex::split(text).ok_or(OptionError::Quotes)?;
        let mut options = BuildOptions::default();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if let Some(option) = ["-D", "-I"].into_iter().find(|option| word.starts_with(option)) {
                let argument = match &word[option.len()..] {
                    "" => words.next().ok_or(OptionError::Argument(option))?,
                    joined => joined,
                };
                options.preprocessor(option, argument);
                continue;
            }
            match word {
                "-w" => options.quiet = true,
                "-Werror" => options.strict = true,
                "-cl-opt-disable" => options.optimise_less(),
                "-cl-mad-enable" | "-cl-unsafe-math-optimizations" => options.contract = true,
                "-cl-fast-relaxed-math" => options.relax(),
                "-cl-single-precision-constant" => options.single = true,
                // These permissions have no effect: denormals are always zero, and signed zeros and NaNs cost nothing.
                "-cl-denorms-are-zero" | "-cl-strict-aliasing" | "-cl-no-signed-zeros" | "-cl-finite-math-only" => {}
                "-cl-kernel-arg-info" => options.argument_info = true,
                "-cl-fp32-correctly-rounded-divide-sqrt" => {
                    return Err(OptionError::Unsupported {
                        option: "-cl-fp32-correctly-rounded-divide-sqrt",
                        reason: "quotients are within 2 units in the last place, roots within 3",
                    })
                }
                _ => match word.strip_prefix("-cl-std=") {
                    Some("CL1.0") => options.standard = Standard::C10,
                    Some("CL1.1") => options.standard = Standard::C11,
                    Some("CL1.2") => options.standard = Standard::C12,
                    Some(other) => return Err(OptionError::Standard(other.to_string())),
                    None => return Err(OptionError::Unknown(word.to_string())),
                },
            }
        }
        Ok(options)
    }

    /// `-Werror`.
    #[must_use]
    pub fn warnings_are_errors(&self) -> bool {
        self.strict
    }

    /// Adds a macro, `NAME` or `NAME=VALUE`.
    pub fn define(&mut self, definition: &str) {
        self.preprocessor("-D", definition);
    }

    /// Adds a folder to the search path of `#include`.
    pub fn include(&mut self, folder: &Path) {
        self.preprocessor.extend(["-I".into(), folder.into()]);
    }

    /// `-cl-opt-disable`.
    pub fn optimise_less(&mut self) {
        self.unoptimised = true;
    }

    /// Compiles for a checker: errors of the source are not optimised away. An index outside an array of known size
    /// becomes a trap.
    pub fn check(&mut self) {
        self.checked = true;
    }

    /// True after [`BuildOptions::check`].
    #[must_use]
    pub fn is_checked(&self) -> bool {
        self.checked
    }

    /// Sets the device's compute capability. The default is 1.0.
    pub fn set_capability(&mut self, capability: Capability) {
        self.capability = capability;
    }

    /// True if the device has doubles.
    pub(super) fn has_doubles(&self) -> bool {
        self.capability >= DOUBLES
    }

    /// The device's compute capability.
    #[must_use]
    pub fn capability(&self) -> Capability {
        self.capability
    }

    /// `-cl-fast-relaxed-math`: allows contraction. OpenCL's functions keep their accuracy; `native_` functions are the
    /// machine's instructions.
    pub fn relax(&mut self) {
        self.relaxed = true;
        self.contract = true;
    }

    /// `-cl-kernel-arg-info`.
    #[must_use]
    pub fn has_argument_info(&self) -> bool {
        self.argument_info
    }

    fn preprocessor(&mut self, option: &str, argument: &str) {
        self.preprocessor.extend([option.into(), argument.into()]);
    }

    /// Returns the flags for clang. Relaxations are omitted: clang would also apply them to the linked builtins, whose
    /// exact steps would break.
    pub(super) fn flags(&self) -> Vec<OsString> {
        let mut flags = self.preprocessor.clone();
        let mut add = |flag: &str| flags.push(flag.into());
        add(match self.standard {
            Standard::C10 => "-cl-std=CL1.0",
            Standard::C11 => "-cl-std=CL1.1",
            Standard::C12 => "-cl-std=CL1.2",
        });
        // At -O0 variables stay in memory at generic addresses, which the machine does not have.
        add(if self.unoptimised { "-O1" } else { "-O2" });
        // Without doubles, literals without a suffix must be `float`.
        if self.single || !self.has_doubles() {
            add("-cl-single-precision-constant");
        }
        // `fast` would also contract the builtins.
        add(if self.contract {
            "-ffp-contract=on"
        } else {
            "-ffp-contract=off"
        });
        if self.argument_info {
            add("-cl-kernel-arg-info");
        }
        if self.quiet {
            add("-w");
        }
        if self.strict {
            add("-Werror");
        }
        if self.checked {
            for word in ["-fsanitize=array-bounds", "-fsanitize-trap=array-bounds"] {
                // clang's driver refuses a sanitizer for this target; its compiler, -cc1, accepts it.
                add("-Xclang");
                add(word);
            }
        }
        if self.relaxed {
            add("-D__FAST_RELAXED_MATH__=1");
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(text: &str) -> Vec<String> {
        let options = BuildOptions::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let flags = options.flags();
        flags.iter().map(|flag| flag.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn the_preprocessor() {
        assert_eq!(
            flags("-DN=5 -D M -I src/inc -I\"my folder\" -D 'T=unsigned int'")[..10],
            [
                "-D",
                "N=5",
                "-D",
                "M",
                "-I",
                "src/inc",
                "-I",
                "my folder",
                "-D",
                "T=unsigned int"
            ]
        );
    }

    #[test]
    fn options_change_the_flags() {
        let single = "-cl-single-precision-constant";
        assert_eq!(flags(""), ["-cl-std=CL1.2", "-O2", single, "-ffp-contract=off"]);
        let of_doubles = |text: &str| {
            let mut options = BuildOptions::parse(text).expect("options");
            options.set_capability(DOUBLES);
            options.flags().iter().any(|flag| flag == single)
        };
        assert!(!of_doubles("") && of_doubles(single));
        assert_eq!(
            flags(" -cl-std=CL1.1  -cl-opt-disable -w -cl-no-signed-zeros"),
            ["-cl-std=CL1.1", "-O1", single, "-ffp-contract=off", "-w"]
        );
        assert_eq!(flags("-cl-mad-enable -Werror")[3..], ["-ffp-contract=on", "-Werror"]);
        assert_eq!(
            flags("-cl-fast-relaxed-math")[3..],
            ["-ffp-contract=on", "-D__FAST_RELAXED_MATH__=1"]
        );
    }

    #[test]
    fn invalid_options_are_errors() {
        for (text, message) in [
            ("-cl-mad", "unknown build option `-cl-mad`"),
            ("-O3", "unknown build option `-O3`"),
            ("kernel.cl", "unknown build option `kernel.cl`"),
            ("-x c", "unknown build option `-x`"),
            ("-D", "the build option `-D` needs an argument"),
            ("-w -I", "the build option `-I` needs an argument"),
            ("-cl-std=CL2.0", "`-cl-std=CL2.0` is not supported; expected CL1.0, CL1.1 or CL1.2"),
            (
                "-cl-fp32-correctly-rounded-divide-sqrt",
                "the build option `-cl-fp32-correctly-rounded-divide-sqrt` is not supported: quotients are within 2 units in \
                 the last place, roots within 3",
            ),
            (
                "-DX='1",
                "the build options have an unclosed quotation mark or end in a backslash",
            ),
        ] {
            let error = BuildOptions::parse(text).expect_err(text);
            assert_eq!(error.to_string(), message);
        }
    }
}
