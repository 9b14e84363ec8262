//! From a kernel's arguments and index space to the machine's launches.
//!
//! Behind the kernel's own parameters lie *hidden* words, only those that it reads: what OpenCL asks of a launch and the
//! machine's header does not say. SM 1.0 has grids of two dimensions, so a third is one launch for each of its slices.

use crate::ir::{Hidden, Parameter, ParameterKind};
use crate::Compiled;
use flexgrip_machine::{ImageSpace, Launch, MemoryImage};
use thiserror::Error;

/// Alignment of `__local` memory that the launch sizes, in bytes: the largest that a type of OpenCL C needs in shared
/// memory, whose widest access is 4 bytes.
const LOCAL_ALIGNMENT: u32 = 16;

/// An argument of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// The parameter's bytes, little endian. A pointer into global memory is its byte address, 4 bytes.
    Value(Vec<u8>),
    /// `__local` memory of so many bytes, for a pointer to it.
    Local(u32),
}

/// What is run: an index space of work-items in work-groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexSpace {
    /// How many dimensions the user gave, 1 to 3. Those beyond have offset 0 and sizes of 1.
    pub dimensions: u32,
    /// The first global index.
    pub offset: [u32; 3],
    /// Work-items in all.
    pub global: [u32; 3],
    /// Work-items of a group.
    pub local: [u32; 3],
}

/// Why a kernel cannot be launched so.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArgumentError {
    /// Too few or too many arguments.
    #[error("the kernel {kernel} takes {expected} arguments; {found} are given")]
    Count {
        /// The kernel's name.
        kernel: String,
        /// Its parameters.
        expected: usize,
        /// What is given.
        found: usize,
    },
    /// An argument of another size.
    #[error("argument {index} ({name}) takes {expected} bytes; {found} are given")]
    Size {
        /// From 0.
        index: usize,
        /// The parameter's name.
        name: String,
        /// Its bytes.
        expected: u32,
        /// What is given.
        found: usize,
    },
    /// A value for a pointer to `__local` memory, or the other way round.
    #[error("argument {index} ({name}) {expected}")]
    Kind {
        /// From 0.
        index: usize,
        /// The parameter's name.
        name: String,
        /// What it takes.
        expected: &'static str,
    },
    /// The index space is not one.
    #[error("global size {global} in dimension {dimension} is not a multiple of the local size {local}, both from 1")]
    IndexSpace {
        /// From 0.
        dimension: usize,
        /// Work-items in all.
        global: u32,
        /// Work-items of a group.
        local: u32,
    },
    /// More `__local` memory than can be said in 32 bits; what an SM really has the launch checks.
    #[error("the __local arguments need more than 4 GiB")]
    Local,
}

impl Compiled {
    /// The launches that run the kernel, one after another: one, or one for each slice of a third dimension. They hold
    /// program and literals; global memory is the caller's, with the module's variables at byte address `variables`.
    ///
    /// # Errors
    /// Arguments that do not fit the parameters, or an index space whose groups do not fill it. Whether the machine can
    /// take such a launch at all its own check says.
    pub fn launches(
        &self,
        arguments: &[Argument],
        space: &IndexSpace,
        variables: u32,
    ) -> Result<Vec<Launch>, ArgumentError> {
        let (params, shared_bytes) = self.parameter_words(arguments)?;
        let mut groups = [1; 3];
        for (dimension, count) in groups.iter_mut().enumerate() {
            let (global, local) = (space.global[dimension], space.local[dimension]);
            if local == 0 || global == 0 || global % local != 0 {
                return Err(ArgumentError::IndexSpace {
                    dimension,
                    global,
                    local,
                });
            }
            *count = global / local;
        }
        let facts = &self.program.kernels[0];
        let template = Launch {
            name: facts.name.clone(),
            program: self.program.words.clone(),
            entry: facts.entry,
            registers: facts.registers,
            shared_bytes,
            local_bytes: self.local_bytes,
            grid: [groups[0], groups[1]],
            block: space.local,
            params,
            memory: self
                .program
                .constants
                .iter()
                .map(|constants| MemoryImage {
                    space: ImageSpace::Constant { bank: constants.bank },
                    address: constants.offset,
                    words: constants.words.clone(),
                })
                .collect(),
            ..Launch::default()
        };
        let slice = |z: u32| {
            let mut launch = template.clone();
            launch.params.extend(self.hidden.iter().map(|hidden| match hidden {
                Hidden::GlobalOffset(dimension) => space.offset[usize::from(*dimension)],
                Hidden::Dimensions => space.dimensions,
                Hidden::Slice => z,
                Hidden::Slices => groups[2],
                Hidden::Variables => variables,
            }));
            launch
        };
        Ok((0..groups[2]).map(slice).collect())
    }

    /// The words of the kernel's own parameters, and shared memory with the `__local` arguments.
    fn parameter_words(&self, arguments: &[Argument]) -> Result<(Vec<u32>, u32), ArgumentError> {
        let facts = &self.program.kernels[0];
        if arguments.len() != self.parameters.len() {
            return Err(ArgumentError::Count {
                kernel: facts.name.clone(),
                expected: self.parameters.len(),
                found: arguments.len(),
            });
        }
        let mut words = Vec::new();
        let mut shared_bytes = facts.shared_bytes;
        for (index, (parameter, argument)) in self.parameters.iter().zip(arguments).enumerate() {
            let refused = |expected| ArgumentError::Kind {
                index,
                name: parameter.name.clone(),
                expected,
            };
            words.resize(parameter.offset as usize / 4, 0);
            match (parameter.kind, argument) {
                (ParameterKind::Local, Argument::Local(bytes)) => {
                    let at = shared_bytes.next_multiple_of(LOCAL_ALIGNMENT);
                    shared_bytes = at.checked_add(*bytes).ok_or(ArgumentError::Local)?;
                    words.push(at);
                }
                (ParameterKind::Local, Argument::Value(_)) => {
                    return Err(refused("is a pointer to __local memory and takes its size only"));
                }
                (_, Argument::Local(_)) => return Err(refused("is not a pointer to __local memory")),
                (_, Argument::Value(bytes)) => words.extend(value(index, parameter, bytes)?),
            }
        }
        words.resize((facts.parameters.len()).saturating_sub(self.hidden.len()), 0);
        Ok((words, shared_bytes))
    }
}

/// Bytes as words, little endian. A last word that is not whole is filled up with zeros.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    bytes.chunks(4).map(word).collect()
}

/// The words of a value.
fn value(index: usize, parameter: &Parameter, bytes: &[u8]) -> Result<Vec<u32>, ArgumentError> {
    if bytes.len() != parameter.bytes as usize {
        return Err(ArgumentError::Size {
            index,
            name: parameter.name.clone(),
            expected: parameter.bytes,
            found: bytes.len(),
        });
    }
    Ok(words(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{compile, ptx, Options};

    const PTX: &str = "
        .version 3.2
        .target sm_20
        .address_size 32
        .entry k(.param .u32 .ptr .global .align 4 out, .param .align 1 .b8 odd[3], .param .u32 .ptr .shared .align 4 room)
        {
            .reg .b32 %r<9>;
            ld.param.u32 %r0, [out];
            ld.param.u8 %r1, [odd+2];
            ld.param.u32 %r2, [room];
            mov.u32 %r3, %envreg1;
            mov.u32 %r4, %ctaid.z;
            mov.u32 %r5, %nctaid.z;
            add.s32 %r1, %r1, %r2;
            add.s32 %r3, %r3, %r4;
            add.s32 %r1, %r1, %r3;
            add.s32 %r1, %r1, %r5;
            st.global.u32 [%r0], %r1;
            ret;
        }";

    fn kernel() -> Compiled {
        let module = ptx::parse(PTX).expect("PTX");
        let kernel = module.kernels().next().expect("a kernel");
        compile(&module, kernel, &Options::default()).expect("compiled")
    }

    const SPACE: IndexSpace = IndexSpace {
        dimensions: 3,
        offset: [1, 5, 0],
        global: [8, 4, 3],
        local: [4, 2, 1],
    };

    #[test]
    fn words_slices_and_local_memory() {
        let kernel = kernel();
        let arguments = [
            Argument::Value(0x1234_u32.to_le_bytes().to_vec()),
            Argument::Value(vec![1, 2, 3]),
            Argument::Local(100),
        ];
        let launches = kernel.launches(&arguments, &SPACE, 0).expect("launches");
        assert_eq!(launches.len(), 3);
        // 16 bytes of header, three parameters, three hidden words: 40, rounded up to 48.
        assert_eq!(launches[0].shared_bytes, 148);
        for (z, launch) in launches.iter().enumerate() {
            assert_eq!(launch.params, [0x1234, 0x0003_0201, 48, 5, z as u32, 3]);
            assert_eq!((launch.grid, launch.block), ([2, 2], [4, 2, 1]));
        }
    }

    #[test]
    fn arguments_that_do_not_fit() {
        let kernel = kernel();
        let pointer = Argument::Value(vec![0; 4]);
        let odd = Argument::Value(vec![0; 3]);
        for (arguments, message) in [
            (vec![], "the kernel k takes 3 arguments; 0 are given"),
            (
                vec![odd.clone(), odd.clone(), Argument::Local(4)],
                "argument 0 (out) takes 4 bytes; 3 are given",
            ),
            (
                vec![Argument::Local(4), odd.clone(), Argument::Local(4)],
                "argument 0 (out) is not a pointer to __local memory",
            ),
            (
                vec![pointer.clone(), odd.clone(), pointer.clone()],
                "argument 2 (room) is a pointer to __local memory and takes its size only",
            ),
        ] {
            let error = kernel.launches(&arguments, &SPACE, 0).expect_err(message);
            assert_eq!(error.to_string(), message);
        }
        let uneven = IndexSpace {
            local: [3, 2, 1],
            ..SPACE
        };
        let error = kernel.launches(&[pointer, odd, Argument::Local(4)], &uneven, 0);
        assert!(matches!(error, Err(ArgumentError::IndexSpace { dimension: 0, .. })));
    }
}
