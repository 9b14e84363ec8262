//! Launch planning: from a kernel's arguments and index space to the machine's launches.
//!
//! The kernel's own parameters are followed by *hidden* words: properties of the NDRange that are not in the machine's
//! header. Only words that the kernel reads are passed. The first 64 words are in shared memory, the others in constant
//! memory. A grid of SM 1.0 has two dimensions of at most 65,535 blocks. So a third dimension takes one launch for each
//! slice, and a larger dimension is split into parts with one launch each.

use crate::compiled::Compiled;
use crate::ir::build::HEADER_BYTES;
use crate::ir::declaration::ParameterKind;
use crate::ir::types::{own_bytes, Hidden, Parameter};
use crate::printf::buffer::PrintBuffer;
use flexgrip_machine::sizes::{MAX_GRID, MAX_PARAMETERS, PARAMETER_BANK, SHARED_BYTES_PER_SM};
use flexgrip_machine::{ImageSpace, Launch, MemoryImage, Region, RegionKind, WorkItems};

pub use crate::index_space::IndexSpace;
pub use crate::launch_error::{ArgumentError, WORK_GROUP, WORK_ITEMS};

/// Alignment of `__local` memory whose size the launch determines, in bytes. Every type is aligned sufficiently,
/// because the widest access to shared memory is 4 bytes.
const LOCAL_ALIGNMENT: u32 = 16;

/// An argument of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// The parameter's bytes, little endian. A pointer into global memory is its byte address, 4 bytes.
    Value(Vec<u8>),
    /// `__local` memory of this many bytes, for a pointer to it.
    Local(u32),
}

/// Places in global memory that the caller of [`Compiled::launches`] chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Places {
    /// Byte address of the module's variables.
    pub variables: u32,
    /// The buffer of `printf`, for a kernel that calls it. Its slices must be zero before each launch.
    pub printf: Option<PrintBuffer>,
}

impl From<u32> for Places {
    /// Returns places without a buffer of `printf`.
    fn from(variables: u32) -> Self {
        Places {
            variables,
            printf: None,
        }
    }
}

/// The launches that run a kernel, one after another.
#[derive(Debug, Clone)]
pub struct Launches<'k> {
    hidden: &'k [Hidden],
    template: Launch,
    space: IndexSpace,
    groups: [u32; 3],
    variables: u32,
    printf: PrintBuffer,
    /// The index of the next launch.
    next: usize,
    /// The number of launches.
    count: usize,
}

impl Launches<'_> {
    /// The number of launches for a dimension.
    fn parts(&self, dimension: usize) -> usize {
        match dimension {
            2 => self.groups[2] as usize,
            _ => self.groups[dimension].div_ceil(MAX_GRID) as usize,
        }
    }
}

impl Iterator for Launches<'_> {
    type Item = Launch;

    fn next(&mut self) -> Option<Launch> {
        if self.next == self.count {
            return None;
        }
        let (x, y) = (self.parts(0), self.parts(1));
        let part = [self.next % x, self.next / x % y, self.next / x / y];
        self.next += 1;
        let first = |dimension: usize| part[dimension] as u32 * MAX_GRID;
        let mut launch = self.template.clone();
        if let Some(items) = &mut launch.facts.work_items {
            items.first_group = [first(0), first(1), part[2] as u32];
        }
        launch.grid = [0, 1].map(|dimension| (self.groups[dimension] - first(dimension)).min(MAX_GRID));
        launch.params.extend(self.hidden.iter().map(|hidden| match hidden {
            Hidden::GlobalOffset(dimension) => self.space.offset[usize::from(*dimension)],
            Hidden::Dimensions => self.space.dimensions,
            Hidden::Slice => part[2] as u32,
            Hidden::Slices => self.groups[2],
            Hidden::FirstBlock(dimension) => first(usize::from(*dimension)),
            Hidden::Blocks(dimension) => self.groups[usize::from(*dimension)],
            Hidden::Variables => self.variables,
            Hidden::PrintBuffer => self.printf.address,
            Hidden::PrintSlice => self.printf.slice,
        }));
        let rest = launch.params.split_off(launch.params.len().min(MAX_PARAMETERS));
        if !rest.is_empty() {
            launch.memory.push(MemoryImage {
                space: ImageSpace::Constant {
                    bank: PARAMETER_BANK.into(),
                },
                address: 0,
                words: rest,
            });
        }
        Some(launch)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count - self.next, Some(self.count - self.next))
    }
}

impl ExactSizeIterator for Launches<'_> {}

impl Compiled {
    /// Returns the launches that run the kernel, one after another: one for each slice of a third dimension, and for
    /// each part of a dimension that is larger than the machine's. They contain the program and the literals. The
    /// caller provides global memory, with the module's variables and the buffer of `printf` at these places.
    ///
    /// # Errors
    /// Arguments that do not match the parameters, an index space that is not a multiple of the work-group size, or one
    /// that the kernel was not compiled for. Limits of the machine are checked by the launch.
    pub fn launches(
        &self,
        arguments: &[Argument],
        space: &IndexSpace,
        places: impl Into<Places>,
    ) -> Result<Launches<'_>, ArgumentError> {
        let Places { variables, printf } = places.into();
        let printf = match printf {
            None if !self.prints.is_empty() => return Err(ArgumentError::Printf),
            buffer => buffer.unwrap_or(PrintBuffer { address: 0, slice: 0 }),
        };
        let mut facts = self.facts.clone();
        let (params, shared_bytes) = self.parameter_words(arguments, &mut facts.regions)?;
        facts.work_items = Some(WorkItems {
            offset: space.offset,
            first_group: [0; 3],
        });
        let groups = space.groups()?;
        if let Some(required) = self.required.filter(|required| *required != space.local) {
            return Err(ArgumentError::Required {
                required,
                found: space.local,
            });
        }
        if space.needs_large_grid() && !self.large_grid {
            return Err(ArgumentError::LargeGrid);
        }
        let kernel = &self.program.kernels[0];
        let template = Launch {
            name: kernel.name.clone(),
            capability: self.program.capability,
            program: self.program.words.clone(),
            entry: kernel.entry,
            registers: kernel.registers,
            shared_bytes,
            local_bytes: self.local_bytes,
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
            facts,
            ..Launch::default()
        };
        let mut launches = Launches {
            hidden: &self.hidden,
            template,
            space: *space,
            groups,
            variables,
            printf,
            next: 0,
            count: 0,
        };
        launches.count = (0..3)
            .map(|dimension| launches.parts(dimension))
            .fold(1, usize::saturating_mul);
        Ok(launches)
    }

    /// True if these arguments need a kernel that is compiled for all of shared memory
    /// ([`crate::Options::whole_shared`]).
    #[must_use]
    pub fn needs_whole_shared(&self, arguments: &[Argument]) -> bool {
        let shared = self
            .parameter_words(arguments, &mut Vec::new())
            .map(|(_, shared_bytes)| shared_bytes);
        !self.whole_shared && shared.is_ok_and(|bytes| bytes > SHARED_BYTES_PER_SM)
    }

    /// Returns the bytes of the kernel's `__local` variables.
    #[must_use]
    pub fn local_variables(&self) -> u32 {
        let facts = &self.program.kernels[0];
        match self.whole_shared {
            true => facts.shared_bytes,
            false => facts.shared_bytes - HEADER_BYTES - 4 * facts.parameters.len() as u32,
        }
    }

    /// Returns the regions of buffers and variables in global memory with the names for findings, for
    /// [`Launch::facts`].
    pub fn named<'a>(&'a self, regions: &'a [Region]) -> impl Iterator<Item = Region> + 'a {
        regions.iter().map(|region| {
            let mut region = region.clone();
            let hidden = match region.kind {
                RegionKind::Variables => Some(Hidden::Variables),
                RegionKind::Printf => Some(Hidden::PrintBuffer),
                _ => None,
            };
            if let Some(hidden) = hidden {
                let hidden = self.hidden.iter().position(|word| *word == hidden);
                region.parameter = hidden.and_then(|word| u32::try_from(self.own_words() + word).ok());
                region.written = vec![region.range()];
            }
            let index = region.argument.map(|argument| argument as usize);
            if let Some((index, parameter)) = index.and_then(|index| Some((index, self.parameters.get(index)?))) {
                region.name = self.argument_name(index);
                region.parameter = Some(parameter.offset / 4);
            }
            region
        })
    }

    /// Returns the name of an argument in the source; empty if clang did not keep it.
    fn argument_name(&self, index: usize) -> String {
        let name = self
            .parameters
            .get(index)
            .map_or("", |parameter| parameter.name.as_str());
        match name.ends_with(&format!("_param_{index}")) {
            true => String::new(),
            false => name.to_string(),
        }
    }

    /// Returns the words of the kernel's own parameters, and the bytes of shared memory, including `__local` arguments.
    fn parameter_words(
        &self,
        arguments: &[Argument],
        regions: &mut Vec<Region>,
    ) -> Result<(Vec<u32>, u32), ArgumentError> {
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
                    regions.push(Region {
                        name: self.argument_name(index),
                        kind: RegionKind::LocalArgument,
                        argument: u32::try_from(index).ok(),
                        parameter: Some(parameter.offset / 4),
                        address: at,
                        bytes: *bytes,
                        element: 1,
                        written: Vec::new(),
                    });
                }
                (ParameterKind::Local, Argument::Value(_)) => {
                    return Err(refused("is a pointer to __local memory: expected its size in bytes"));
                }
                (_, Argument::Local(_)) => return Err(refused("is not a pointer to __local memory")),
                (_, Argument::Value(bytes)) => words.extend(value(index, parameter, bytes)?),
            }
        }
        words.resize(self.own_words(), 0);
        Ok((words, shared_bytes))
    }

    /// Returns the number of words of all parameters, hidden ones too.
    #[must_use]
    pub fn words(&self) -> usize {
        self.own_words() + self.hidden.len()
    }

    /// The number of words of the kernel's own parameters.
    fn own_words(&self) -> usize {
        own_bytes(&self.parameters) as usize / 4
    }
}

/// Converts bytes to words, little endian. The last word is padded with zeros.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    let last = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    let word = |chunk: &[u8]| chunk.try_into().map_or_else(|_| last(chunk), u32::from_le_bytes);
    bytes.chunks(4).map(word).collect()
}

/// Returns the words of an argument with a value.
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

    fn compiled(text: &str, large_grid: bool) -> Compiled {
        let module = ptx::parse(text).expect("PTX");
        let kernel = module.kernels().next().expect("a kernel");
        let options = Options {
            large_grid,
            ..Options::default()
        };
        compile(&module, kernel, &options).expect("compiled")
    }

    fn kernel() -> Compiled {
        compiled(PTX, false)
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
        let launches: Vec<Launch> = kernel.launches(&arguments, &SPACE, 0).expect("launches").collect();
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
            (vec![], "the kernel k takes 3 arguments; found 0"),
            (
                vec![odd.clone(), odd.clone(), Argument::Local(4)],
                "argument 0 (out) takes 4 bytes; found 3",
            ),
            (
                vec![Argument::Local(4), odd.clone(), Argument::Local(4)],
                "argument 0 (out) is not a pointer to __local memory",
            ),
            (
                vec![pointer.clone(), odd.clone(), pointer.clone()],
                "argument 2 (room) is a pointer to __local memory: expected its size in bytes",
            ),
        ] {
            let error = kernel
                .launches(&arguments, &SPACE, 0)
                .map(|launches| launches.len())
                .expect_err(message);
            assert_eq!(error.to_string(), message);
        }
        let uneven = IndexSpace {
            local: [3, 2, 1],
            ..SPACE
        };
        let error = kernel.launches(&[pointer, odd, Argument::Local(4)], &uneven, 0);
        assert!(matches!(error, Err(ArgumentError::IndexSpace { dimension: 0, .. })));
    }
    #[test]
    fn parts_of_a_large_grid() {
        let text =
            ".version 3.2\n.target sm_20\n.address_size 32\n.entry k(.param .u32 .ptr .global .align 4 out)\n{\n\
                    .reg .b32 %r<9>;\nld.param.u32 %r0, [out];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %nctaid.x;\n\
                    mov.u32 %r3, %ctaid.z;\nadd.s32 %r1, %r1, %r2;\nadd.s32 %r1, %r1, %r3;\n\
                    st.global.u32 [%r0], %r1;\nret;\n}";
        let space = IndexSpace {
            dimensions: 3,
            offset: [0; 3],
            global: [140_002, 65_536, 2],
            local: [2, 1, 1],
        };
        let pointer = [Argument::Value(vec![0; 4])];
        let error = compiled(text, false)
            .launches(&pointer, &space, 0)
            .map(|launches| launches.len());
        assert_eq!(error, Err(ArgumentError::LargeGrid));
        let kernel = compiled(text, true);
        let launches: Vec<Launch> = kernel.launches(&pointer, &space, 0).expect("launches").collect();
        let found: Vec<([u32; 2], Vec<u32>)> = launches
            .into_iter()
            .map(|launch| (launch.grid, launch.params[1..].to_vec()))
            .collect();
        let mut wanted = Vec::new();
        for z in 0..2 {
            for height in [65_535, 1] {
                wanted.push(([65_535, height], vec![0, 70_001, z]));
                wanted.push(([4_466, height], vec![65_535, 70_001, z]));
            }
        }
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_size_that_the_source_requires() {
        let kernel = compiled(&PTX.replace("room)", "room)\n.reqntid 4, 2"), false);
        assert_eq!(kernel.required, Some([4, 2, 1]));
        let arguments = [
            Argument::Value(vec![0; 4]),
            Argument::Value(vec![0; 3]),
            Argument::Local(4),
        ];
        assert!(kernel.launches(&arguments, &SPACE, 0).is_ok());
        let other = IndexSpace {
            local: [2, 2, 1],
            ..SPACE
        };
        let error = kernel
            .launches(&arguments, &other, 0)
            .map(|launches| launches.len())
            .expect_err("another size");
        assert_eq!(
            error.to_string(),
            "a work-group of [2, 2, 1] work-items; expected the kernel's reqd_work_group_size, [4, 2, 1]"
        );
    }
}
