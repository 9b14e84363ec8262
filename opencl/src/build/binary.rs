//! A program's binary: the PTX that clang made, in a container that only this driver reads.

use serde::{Deserialize, Serialize};

/// The first bytes of the container; the number is that of its format.
const HEAD: &[u8] = b"flexgrip OpenCL binary 1\n";

/// What a binary says. It is PTX, not machine code, so that a newer driver compiles it better.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binary {
    /// What messages call the source.
    pub name: String,
    /// Whether a fused multiply-add may be one that cuts its product.
    pub contract: bool,
    /// The PTX.
    pub ptx: String,
}

impl Binary {
    /// The container.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = HEAD.to_vec();
        // Text and a flag: there is nothing that JSON cannot say.
        bytes.extend(serde_json::to_vec(self).unwrap_or_default());
        bytes
    }

    /// Reads a container; `None` if it is none. Zeros at its end do no harm.
    pub fn parse(bytes: &[u8]) -> Option<Binary> {
        let text = bytes.strip_prefix(HEAD)?;
        let end = text.iter().rposition(|&byte| byte != 0)?;
        serde_json::from_slice(&text[..=end]).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_comes_back() {
        let binary = Binary {
            name: "a.cl".into(),
            contract: true,
            ptx: ".version 3.2\n// \"quoted\" \u{e9}\0".into(),
        };
        let mut bytes = binary.bytes();
        assert_eq!(Binary::parse(&bytes).as_ref(), Some(&binary));
        bytes.extend([0, 0]);
        assert_eq!(Binary::parse(&bytes), Some(binary));
    }

    #[test]
    fn anything_else_is_none() {
        for bytes in [
            &b""[..],
            b"SASS",
            HEAD,
            b"flexgrip OpenCL binary 1\n{}",
            b"flexgrip OpenCL binary 2\n{}",
        ] {
            assert_eq!(Binary::parse(bytes), None);
        }
    }
}
