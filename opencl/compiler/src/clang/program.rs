//! A clang on this machine.

use std::path::{Path, PathBuf};

/// The oldest major version that works.
pub const OLDEST: u32 = 14;
/// A clang's version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The number before the first dot.
    pub major: u32,
    /// The whole first line of `clang --version`.
    pub line: String,
}

impl Version {
    /// Parses the output of `clang --version`.
    pub fn parse(text: &str) -> Option<Version> {
        let line = text.lines().next()?.trim();
        let (_, rest) = line.split_once("clang version ")?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Some(Version {
            major: digits.parse().ok()?,
            line: line.to_string(),
        })
    }
}

/// The program of a clang that works.
#[derive(Debug)]
pub struct ClangProgram {
    path: PathBuf,
    version: Version,
}

impl ClangProgram {
    /// A program with a version that is not too old.
    pub fn new(path: PathBuf, version: Version) -> Self {
        ClangProgram { path, version }
    }

    /// The path of the program.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The version of the program.
    pub fn version(&self) -> &Version {
        &self.version
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        let debian = Version::parse("Debian clang version 19.1.7 (3~deb12u1)\nTarget: x86_64-pc-linux-gnu\n");
        assert_eq!(debian.map(|version| version.major), Some(19));
        let plain = Version::parse("clang version 22.0.0git").expect("a version");
        assert_eq!((plain.major, plain.line.as_str()), (22, "clang version 22.0.0git"));
        assert_eq!(Version::parse("gcc (Debian 12.2.0) 12.2.0"), None);
        assert_eq!(Version::parse("clang version ?"), None);
        assert_eq!(Version::parse(""), None);
    }
}
