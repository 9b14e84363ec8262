//! The machine code of ELF cubins for any architecture, as bytes; [`read_cubin`](super::read_cubin) reads cubins of
//! sm_1x in full.

use super::contents::CubinError;
use super::layout;
use object::elf;
use object::read::elf::{ElfFile, FileHeader};
use object::{Endianness, Object, ObjectSection};

/// The code of a cubin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CubinCode {
    /// The architecture's number: 35 for sm_35.
    pub architecture: u32,
    /// The functions in the file's order.
    pub functions: Vec<CubinFunction>,
}

/// A function of a cubin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CubinFunction {
    /// Name, as the compiler mangled it.
    pub name: String,
    /// Byte offset of the code in the file.
    pub offset: usize,
    /// The machine code.
    pub bytes: Vec<u8>,
}

/// The prefix of a function's section name.
const TEXT: &str = ".text.";

/// Reads the code of an ELF cubin.
///
/// # Errors
/// The file is not an ELF cubin, is damaged, or has no code. The error gives the location in the file.
pub fn read_cubin_code(bytes: &[u8]) -> Result<CubinCode, CubinError> {
    match bytes.get(4) {
        Some(&class) if super::elf::is_elf(bytes) && class == elf::ELFCLASS32.0 => {
            read_class::<elf::FileHeader32<Endianness>>(bytes)
        }
        Some(&class) if super::elf::is_elf(bytes) && class == elf::ELFCLASS64.0 => {
            read_class::<elf::FileHeader64<Endianness>>(bytes)
        }
        _ => Err(CubinError::byte(
            0,
            "this is not an ELF cubin; expected 7f 45 4c 46 and class 1 or 2",
        )),
    }
}

fn read_class<Elf: FileHeader<Endian = Endianness>>(bytes: &[u8]) -> Result<CubinCode, CubinError> {
    let file =
        ElfFile::<Elf>::parse(bytes).map_err(|error| CubinError::byte(0, format!("a damaged ELF file: {error}")))?;
    let (header, endian) = (file.elf_header(), file.endian());
    if !header.is_little_endian() {
        return Err(CubinError::byte(5, "the file is big endian; cubins are little endian"));
    }
    let machine = header.e_machine(endian);
    if machine != elf::EM_CUDA {
        let message = format!(
            "the ELF machine is {}; expected {} (EM_CUDA)",
            machine.0,
            elf::EM_CUDA.0
        );
        return Err(CubinError::byte(18, message));
    }
    let mut functions = Vec::new();
    for section in file.sections() {
        let place = section.file_range().map_or(0, |(start, _)| start);
        let damaged = |error: object::Error| CubinError::byte(place, format!("a damaged section: {error}"));
        let name = section.name().map_err(damaged)?;
        if let Some(function) = name.strip_prefix(TEXT) {
            functions.push(CubinFunction {
                name: function.to_string(),
                offset: place as usize,
                bytes: section.data().map_err(damaged)?.to_vec(),
            });
        }
    }
    if functions.is_empty() {
        return Err(CubinError::byte(
            0,
            format!("there is no code; expected a section `{TEXT}FUNCTION`"),
        ));
    }
    Ok(CubinCode {
        architecture: header.e_flags(endian).0 & layout::FLAGS_SM,
        functions,
    })
}
