//! A kernel's arguments as given on the command line, and the placement of its buffers.

use crate::opencl::element::{Element, Scalar};
use crate::opencl::error::OpenClError;
use crate::opencl::npy;
use flexgrip_compiler::ir::variables::ModuleVariables;
use flexgrip_compiler::launch::{Argument, IndexSpace};
use flexgrip_compiler::placement::Placement;
use flexgrip_compiler::printf::buffer::{chosen_bytes, PrintBuffer};
use flexgrip_compiler::Compiled;
use flexgrip_machine::Region;
use flexgrip_trace::extension::extension;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The initial contents of a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Zeros that count as uninitialised.
    None,
    /// Zeros that count as initialised.
    Zero,
    /// Random floats from 0 to 1, or random integers of all sizes; the same in every run with the same seed.
    Random,
    /// The numbers 0, 1, 2 and so on.
    Range,
    /// The contents of a `.npy` file.
    File(PathBuf),
}

/// An argument as given on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A buffer in global memory.
    Buffer {
        /// The type of the elements.
        element: Element,
        /// The number of elements; `None` for as many as the file has.
        count: Option<usize>,
        /// The initial contents.
        contents: Contents,
    },
    /// `__local` memory of this number of bytes.
    Local(u32),
    /// A value, as bytes.
    Value(Vec<u8>),
}

impl FromStr for Given {
    type Err = String;

    /// Parses `buffer:TYPE:COUNT=CONTENTS`, `local:BYTES` or `TYPE:VALUE`.
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
                let (place, contents) = rest.split_once('=').unwrap_or((rest, ""));
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
                    "" if !rest.contains('=') => Contents::None,
                    "zero" => Contents::Zero,
                    "random" => Contents::Random,
                    "range" => Contents::Range,
                    file if extension(Path::new(file)) == "npy" => Contents::File(file.into()),
                    other => return Err(format!("`{other}`: expected random, range, zero or a .npy file")),
                };
                if count.is_none() && !matches!(contents, Contents::File(_)) {
                    return Err("the number of elements is missing; expected buffer:TYPE:COUNT=CONTENTS".into());
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
    /// The index of the argument, from 0.
    pub argument: usize,
    /// The type of the elements.
    pub element: Element,
    /// The byte address.
    pub address: usize,
    /// The size in bytes.
    pub bytes: usize,
    /// True if the command line gives the initial contents; otherwise they are zeros and count as uninitialised.
    pub filled: bool,
}

impl Buffer {
    /// Reads the contents from a global memory of words.
    #[must_use]
    pub fn read(&self, memory: &[u32]) -> Vec<u8> {
        let from = (self.address / 4).min(memory.len());
        let to = (self.address + self.bytes).div_ceil(4).clamp(from, memory.len());
        let mut bytes: Vec<u8> = memory[from..to].iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(self.bytes);
        bytes
    }
}

/// Arguments with the addresses of their buffers.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Placed {
    /// The arguments in the compiler's form.
    pub arguments: Vec<Argument>,
    /// The buffers in order.
    pub buffers: Vec<Buffer>,
    /// The placement of the buffers and the source's variables.
    pub placement: Placement,
    /// The byte address of the source's variables.
    pub variables: u32,
    /// The buffer of `printf`, if the kernel calls it.
    pub printf: Option<PrintBuffer>,
    /// Global memory from address 0, in bytes.
    pub memory: Vec<u8>,
}

/// A kernel with its arguments.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The kernel's name.
    pub name: String,
    /// The work-items.
    pub space: IndexSpace,
    /// The arguments in global memory, with the buffers' initial contents.
    pub placed: Placed,
}

impl Placed {
    /// The region of an argument, marked as written if the command line gives its initial contents.
    #[must_use]
    pub fn written(&self, mut region: Region) -> Region {
        let buffer = self
            .buffers
            .iter()
            .find(|buffer| Some(buffer.argument as u32) == region.argument);
        if buffer.is_some_and(|buffer| buffer.filled) {
            region.written = vec![region.range()];
        }
        region
    }

    /// Refills the random buffers with the numbers of a seed; [`place`] uses seed 0. False if there are no random
    /// buffers.
    pub fn reseed(&mut self, given: &[Given], seed: u64) -> bool {
        let mut found = false;
        for buffer in &self.buffers {
            if let Some(Given::Buffer {
                contents: Contents::Random,
                ..
            }) = given.get(buffer.argument)
            {
                let bytes = random(buffer.element, buffer.bytes, buffer.argument, seed);
                self.memory[buffer.address..buffer.address + buffer.bytes].copy_from_slice(&bytes);
                found = true;
            }
        }
        found
    }

    /// Places the buffer of `printf` after everything else, for a kernel that calls it.
    ///
    /// # Errors
    /// The buffer does not fit into 4 GiB, or the variable with its size has none.
    pub fn add_printf(&mut self, kernel: &Compiled, space: &IndexSpace) -> Result<(), OpenClError> {
        if kernel.prints.is_empty() {
            return Ok(());
        }
        let wanted = chosen_bytes().map_err(OpenClError::Usage)?;
        self.printf = self.placement.add_printf(kernel, space, wanted)?;
        let bytes = self.placement.memory_bytes()? as usize;
        if let Some(buffer) = self.printf {
            self.memory.truncate(buffer.address as usize);
            self.memory.resize(bytes, 0);
            self.placement.fill(&mut self.memory);
        }
        Ok(())
    }

    /// Enlarges global memory up to this number of bytes. The added bytes belong to no buffer.
    pub fn grow(&mut self, bytes: usize) {
        self.memory.resize(bytes.max(self.memory.len()), 0);
        self.placement.fill(&mut self.memory);
    }
}

/// Places the buffers and the source's variables one after the other, with guards between them.
///
/// # Errors
/// A `.npy` file cannot be read or has other elements, or the contents exceed 4 GiB.
pub fn place(given: &[Given], space: &IndexSpace, variables: &ModuleVariables) -> Result<Placed, OpenClError> {
    let mut placed = Placed {
        placement: Placement::new(space),
        ..Placed::default()
    };
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
        let read = match contents {
            Contents::File(path) => Some(npy::read(path, element, count)?),
            _ => None,
        };
        let size = match &read {
            Some(bytes) => bytes.len(),
            None => count.unwrap_or(0).saturating_mul(element.bytes()),
        };
        // The sizes are added first, to reject a buffer that is too large before its memory is allocated.
        let address = placed.placement.add_buffer(index, size, element.bytes())?;
        let bytes = read.unwrap_or_else(|| filled(element, count.unwrap_or(0), contents, index));
        placed.memory.resize(address as usize, 0);
        placed.memory.extend_from_slice(&bytes);
        placed.arguments.push(Argument::Value(address.to_le_bytes().to_vec()));
        placed.buffers.push(Buffer {
            argument: index,
            element,
            address: address as usize,
            bytes: bytes.len(),
            filled: *contents != Contents::None,
        });
    }
    placed.variables = placed.placement.add_variables(variables)?;
    if !variables.bytes.is_empty() {
        placed.memory.resize(placed.variables as usize, 0);
        placed.memory.extend(variables.placed_at(placed.variables));
    }
    placed.grow(placed.placement.memory_bytes()? as usize);
    Ok(placed)
}

fn filled(element: Element, count: usize, contents: &Contents, index: usize) -> Vec<u8> {
    let scalars = count * element.stride();
    match contents {
        Contents::Range => (0..scalars).flat_map(|at| element.scalar.of_index(at)).collect(),
        Contents::Random => random(element, scalars * element.scalar.bytes(), index, 0),
        _ => vec![0; scalars * element.scalar.bytes()],
    }
}

/// Random elements for an argument, of this number of bytes.
fn random(element: Element, bytes: usize, argument: usize, seed: u64) -> Vec<u8> {
    let mut random = ChaCha8Rng::seed_from_u64(argument as u64);
    random.set_stream(seed);
    let mut bytes = vec![0; bytes];
    match element.scalar {
        Scalar::Float => {
            for float in bytes.chunks_exact_mut(4) {
                float.copy_from_slice(&random.gen::<f32>().to_le_bytes());
            }
        }
        Scalar::Double => {
            for double in bytes.chunks_exact_mut(8) {
                double.copy_from_slice(&random.gen::<f64>().to_le_bytes());
            }
        }
        _ => random.fill(bytes.as_mut_slice()),
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACE: IndexSpace = IndexSpace {
        dimensions: 1,
        offset: [0; 3],
        global: [64, 1, 1],
        local: [64, 1, 1],
    };
    const GUARD: u32 = 64 * 16;

    #[test]
    fn arguments_are_parsed_and_placed() {
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
        let place = |given: &[Given]| super::place(given, &SPACE, &ModuleVariables::default());
        let placed = place(&given).unwrap();
        let value = |bytes: &[u8]| Argument::Value(bytes.to_vec());
        assert_eq!(placed.arguments[0], value(&[0, 1, 0, 0]));
        assert_eq!(placed.arguments[1], value(&[7, 0, 0, 0]));
        assert_eq!(placed.arguments[2], Argument::Local(64));
        let second = (256 + 12 + GUARD).next_multiple_of(256);
        assert_eq!(placed.arguments[3], value(&second.to_le_bytes()));
        assert_eq!(placed.memory.len() as u32, (second + 8 + GUARD).next_multiple_of(64));
        assert_eq!(placed.placement.overwritten(&placed.memory), None);
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
        assert!(one.memory[256..][..4000]
            .chunks(4)
            .all(|float| (0.0..1.0).contains(&f32::from_le_bytes(float.try_into().unwrap()))));
    }

    #[test]
    fn buffers_beyond_the_address_range_are_refused() {
        for text in ["buffer:int:1073741824", "buffer:float4:18446744073709551615=range"] {
            let given: Given = text.parse().unwrap();
            let error = place(&[given], &SPACE, &ModuleVariables::default())
                .unwrap_err()
                .to_string();
            assert!(error.contains("do not fit into the 4 GiB"), "{error}");
        }
    }

    #[test]
    fn wrong_arguments_are_refused() {
        for (text, message) in [
            ("5", "expected buffer:TYPE:COUNT=CONTENTS"),
            ("buffer:float", "the number of elements is missing"),
            ("buffer:float:x", "`x` is not a number of elements"),
            (
                "buffer:float:4=ones",
                "`ones`: expected random, range, zero or a .npy file",
            ),
            ("buffer:half:4", "`half` is not a type"),
            ("int:5.5", "`5.5` is not a number of type int"),
            ("local:-1", "`-1` is not a number of bytes"),
        ] {
            let error = text.parse::<Given>().unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
