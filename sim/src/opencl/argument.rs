//! A kernel's arguments as the command line has them, and where buffers lie.

use crate::files::error::FileError;
use crate::opencl::element::{Element, Scalar};
use crate::opencl::npy;
use flexgrip_compiler::ir::variables::ModuleVariables;
use flexgrip_compiler::launch::Argument;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::PathBuf;
use std::str::FromStr;

/// Where the first buffer lies, and what each is aligned to, in bytes. Address 0 stays free: it is the null pointer.
const ALIGNMENT: usize = 256;

/// What a buffer holds at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Zeros.
    Zero,
    /// Floats from 0 to 1, integers of all sizes; the same in every run.
    Random,
    /// 0, 1, 2 and so on.
    Range,
    /// Those of a `.npy` file.
    File(PathBuf),
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A buffer in global memory.
    Buffer {
        /// Its elements' type.
        element: Element,
        /// How many; `None`: as many as the file has.
        count: Option<usize>,
        /// Its contents at first.
        contents: Contents,
    },
    /// `__local` memory of so many bytes.
    Local(u32),
    /// A value: its bytes.
    Value(Vec<u8>),
}

impl FromStr for Given {
    type Err = String;

    /// `buffer:TYPE:COUNT=CONTENTS`, `local:BYTES`, `TYPE:VALUE`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, rest) = text.split_once(':').ok_or(
            "expected buffer:TYPE:COUNT=CONTENTS, local:BYTES or TYPE:VALUE, such as buffer:float:64=random or int:5",
        )?;
        match kind {
            "local" => rest
                .parse()
                .map(Given::Local)
                .map_err(|_| format!("`{rest}` is not a number of bytes")),
            "buffer" => {
                let (place, contents) = rest.split_once('=').unwrap_or((rest, "zero"));
                let (element, count) = match place.split_once(':') {
                    Some((element, count)) => {
                        let count: usize = count
                            .parse()
                            .map_err(|_| format!("`{count}` is not a number of elements"))?;
                        (element, Some(count))
                    }
                    None => (place, None),
                };
                let contents = match contents {
                    "zero" => Contents::Zero,
                    "random" => Contents::Random,
                    "range" => Contents::Range,
                    file if file.ends_with(".npy") => Contents::File(file.into()),
                    other => return Err(format!("`{other}`: expected random, range, zero or a .npy file")),
                };
                if count.is_none() && !matches!(contents, Contents::File(_)) {
                    return Err("how many elements? expected buffer:TYPE:COUNT=CONTENTS".into());
                }
                Ok(Given::Buffer {
                    element: element.parse()?,
                    count,
                    contents,
                })
            }
            ty => ty.parse::<Element>()?.parse(rest).map(Given::Value),
        }
    }
}

/// A buffer in global memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Which argument it is, from 0.
    pub argument: usize,
    /// Its elements' type.
    pub element: Element,
    /// Byte address.
    pub address: usize,
    /// Bytes.
    pub bytes: usize,
}

impl Buffer {
    /// Its contents in a global memory of words.
    #[must_use]
    pub fn read(&self, memory: &[u32]) -> Vec<u8> {
        let from = (self.address / 4).min(memory.len());
        let to = (self.address + self.bytes).div_ceil(4).clamp(from, memory.len());
        let mut bytes: Vec<u8> = memory[from..to].iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(self.bytes);
        bytes
    }
}

/// Arguments with their buffers placed.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Placed {
    /// As the compiler takes them.
    pub arguments: Vec<Argument>,
    /// The buffers in order.
    pub buffers: Vec<Buffer>,
    /// Global memory from address 0, in bytes.
    pub memory: Vec<u8>,
}

impl Placed {
    /// Places the module's variables behind the buffers. Returns their byte address.
    pub fn place_variables(&mut self, variables: &ModuleVariables) -> u32 {
        let alignment = ALIGNMENT.max(variables.alignment as usize);
        let address = self.memory.len().next_multiple_of(alignment);
        if !variables.bytes.is_empty() {
            self.memory.resize(address, 0);
            self.memory.extend(variables.placed_at(address as u32));
        }
        address as u32
    }
}

/// Places buffers one behind the other.
///
/// # Errors
/// A `.npy` file that cannot be read or has other elements, or contents beyond 4 GiB.
pub fn place(given: &[Given]) -> Result<Placed, FileError> {
    let mut placed = Placed::default();
    for (index, argument) in given.iter().enumerate() {
        let (element, count, contents) = match argument {
            Given::Local(bytes) => {
                placed.arguments.push(Argument::Local(*bytes));
                continue;
            }
            Given::Value(bytes) => {
                placed.arguments.push(Argument::Value(bytes.clone()));
                continue;
            }
            Given::Buffer {
                element,
                count,
                contents,
            } => (*element, *count, contents),
        };
        let address = placed.memory.len().max(1).next_multiple_of(ALIGNMENT);
        let bytes = match contents {
            Contents::File(path) => npy::read(path, element, count)?,
            _ => filled(element, count.unwrap_or(0), contents, index),
        };
        placed.memory.resize(address, 0);
        placed.memory.extend_from_slice(&bytes);
        placed
            .arguments
            .push(Argument::Value((address as u32).to_le_bytes().to_vec()));
        placed.buffers.push(Buffer {
            argument: index,
            element,
            address,
            bytes: bytes.len(),
        });
    }
    Ok(placed)
}

fn filled(element: Element, count: usize, contents: &Contents, index: usize) -> Vec<u8> {
    let scalars = count * element.stride();
    match contents {
        Contents::Range => (0..scalars).flat_map(|at| element.scalar.of_index(at)).collect(),
        Contents::Random => {
            let mut random = ChaCha8Rng::seed_from_u64(index as u64);
            let mut bytes = vec![0; scalars * element.scalar.bytes()];
            if element.scalar == Scalar::Float {
                for float in bytes.chunks_exact_mut(4) {
                    float.copy_from_slice(&random.gen::<f32>().to_le_bytes());
                }
            } else {
                random.fill(bytes.as_mut_slice());
            }
            bytes
        }
        _ => vec![0; scalars * element.scalar.bytes()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_and_their_places() {
        let given: Vec<Given> = [
            "buffer:float:3=range",
            "int:7",
            "local:64",
            "buffer:uchar4:2",
            "float2:1,2",
        ]
        .iter()
        .map(|text| text.parse().unwrap())
        .collect();
        let placed = place(&given).unwrap();
        let value = |bytes: &[u8]| Argument::Value(bytes.to_vec());
        assert_eq!(placed.arguments[0], value(&[0, 1, 0, 0]));
        assert_eq!(placed.arguments[1], value(&[7, 0, 0, 0]));
        assert_eq!(placed.arguments[2], Argument::Local(64));
        assert_eq!(placed.arguments[3], value(&[0, 2, 0, 0]));
        assert_eq!(placed.memory.len(), 512 + 8);
        let words: Vec<u32> = placed
            .memory
            .chunks(4)
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect();
        assert_eq!(
            placed.buffers[0].read(&words),
            [0.0f32, 1.0, 2.0].map(f32::to_le_bytes).concat()
        );
        assert_eq!(placed.buffers[1].read(&words).len(), 8);
        assert!(placed.buffers[1].read(&[]).is_empty());
        let random: Given = "buffer:float:1000=random".parse().unwrap();
        let (one, again) = (place(std::slice::from_ref(&random)).unwrap(), place(&[random]).unwrap());
        assert_eq!(one, again);
        assert!(one.memory[256..]
            .chunks(4)
            .all(|float| (0.0..1.0).contains(&f32::from_le_bytes(float.try_into().unwrap()))));
    }

    #[test]
    fn wrong_ones() {
        for (text, message) in [
            ("5", "expected buffer:TYPE:COUNT=CONTENTS"),
            ("buffer:float", "how many elements?"),
            ("buffer:float:x", "`x` is not a number of elements"),
            (
                "buffer:float:4=ones",
                "`ones`: expected random, range, zero or a .npy file",
            ),
            ("buffer:double:4", "`double` is not a type"),
            ("int:5.5", "`5.5` is not a number of type int"),
            ("local:-1", "`-1` is not a number of bytes"),
        ] {
            let error = text.parse::<Given>().unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
