//! Writes 32-bit ELF cubins.
//!
//! The layout is the compilers', without the parts that a program does not need to run: for each kernel its code, its
//! attributes and the size of its shared memory; the constant banks; the symbols. The structures are written with the
//! `object` crate's ELF writer. (Its ready-made object files do not support this machine.)

use super::contents::{Cubin, CubinError, BANKS};
use super::layout;
use crate::text::assembler::{ConstantBlock, Program};
use object::elf;
use object::write::elf::{FileHeader, SectionHeader, SectionIndex, Sym, Writer};
use object::write::StringId;
use object::Endianness;
use std::collections::BTreeMap;

/// Writes a program as an ELF cubin of its capability. [`super::read_cubin`] reads it back as [`Cubin::from`] of the
/// program, except that constant blocks of one bank become one, with zeros in the gaps.
///
/// Every kernel's section has the whole code, because kernels from one source may share parts of it; the kernel's
/// symbol gives its start.
///
/// # Errors
/// Something in the program does not fit into a cubin, for example more than 65,535 bytes of parameters. The assembler
/// makes no constants that do not fit.
pub fn write_cubin(program: &Program) -> Result<Vec<u8>, CubinError> {
    let cubin = Cubin::from(program);
    let mut file = Vec::new();
    check(&cubin)
        .and_then(|()| write(&cubin, &mut file))
        .map_err(|reason| CubinError::byte(0, format!("cannot write the cubin: {reason}")))?;
    Ok(file)
}

/// A bank's size in the hardware's address space.
const BANK_BYTES: u64 = 1 << 16;

fn check(cubin: &Cubin) -> Result<(), String> {
    for kernel in &cubin.kernels {
        let name = &kernel.name;
        if name.is_empty() || name.contains('\0') {
            return Err(format!("{name:?} cannot be a kernel's name"));
        }
        if kernel.registers > 0xff {
            return Err(format!(
                "the kernel `{name}` has {} registers; expected up to 255",
                kernel.registers
            ));
        }
        if kernel.parameter_bytes > Some(0xffff) {
            return Err(format!("the kernel `{name}` has more than 65535 bytes of parameters"));
        }
    }
    for block in &cubin.constants {
        let end = u64::from(block.offset) + 4 * block.words.len() as u64;
        if block.bank >= BANKS || block.offset % 4 != 0 || end > BANK_BYTES {
            return Err(format!(
                "{} constant words do not fit at byte {} of bank {}",
                block.words.len(),
                block.offset,
                block.bank
            ));
        }
    }
    Ok(())
}

/// A section to be written.
struct Section {
    name: String,
    kind: elf::SectionType,
    flags: u64,
    info: u32,
    alignment: u64,
    /// Size in memory.
    size: u64,
    /// Contents; empty if it only has a size.
    data: Vec<u8>,
}

impl Section {
    fn contents(name: String, kind: elf::SectionType, data: Vec<u8>) -> Self {
        Section {
            name,
            kind,
            flags: elf::SHF_ALLOC.0,
            info: 0,
            alignment: 4,
            size: data.len() as u64,
            data,
        }
    }
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The contents of each bank, from its first byte.
fn banks(blocks: &[ConstantBlock]) -> BTreeMap<u32, Vec<u32>> {
    let mut banks: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for block in blocks {
        let bank = banks.entry(block.bank).or_default();
        let start = block.offset as usize / 4;
        if bank.len() < start + block.words.len() {
            bank.resize(start + block.words.len(), 0);
        }
        bank[start..start + block.words.len()].copy_from_slice(&block.words);
    }
    banks
}

/// A kernel's attributes: the total size of its parameters, then each parameter.
fn attributes(parameter_bytes: u32) -> Vec<u8> {
    let mut data = vec![layout::FORMAT_HALF, layout::ATTRIBUTE_SHARED_PARAMETERS];
    data.extend((parameter_bytes as u16).to_le_bytes());
    for ordinal in 0..parameter_bytes / 4 {
        data.extend([layout::FORMAT_SIZED, layout::ATTRIBUTE_PARAMETER]);
        data.extend((layout::PARAMETER_BYTES as u16).to_le_bytes());
        data.extend(0_u32.to_le_bytes());
        data.extend((ordinal as u16).to_le_bytes());
        data.extend((4 * ordinal as u16).to_le_bytes());
        data.extend((4_u32 << layout::PARAMETER_SIZE_SHIFT).to_le_bytes());
    }
    data
}

fn write(cubin: &Cubin, file: &mut Vec<u8>) -> Result<(), String> {
    let mut sections = Vec::new();
    for (index, kernel) in cubin.kernels.iter().enumerate() {
        let mut text = Section::contents(
            format!("{}{}", layout::TEXT, kernel.name),
            elf::SHT_PROGBITS,
            bytes(&kernel.words),
        );
        text.flags =
            elf::SHF_ALLOC.0 | elf::SHF_EXECINSTR.0 | u64::from(kernel.barriers) << layout::FLAGS_BARRIERS_SHIFT;
        // The kernels' symbols come first, after the null symbol.
        text.info = kernel.registers << layout::INFO_REGISTERS_SHIFT | (index as u32 + 1);
        sections.push(text);
    }
    for kernel in &cubin.kernels {
        let data = attributes(kernel.parameter_bytes.unwrap_or(0));
        let kind = elf::SectionType(layout::INFO_SECTION_TYPE);
        let mut info = Section::contents(format!("{}{}", layout::INFO, kernel.name), kind, data);
        info.flags = 0;
        sections.push(info);
        let mut shared = Section::contents(
            format!("{}{}", layout::SHARED, kernel.name),
            elf::SHT_NOBITS,
            Vec::new(),
        );
        shared.flags = elf::SHF_ALLOC.0 | elf::SHF_WRITE.0;
        shared.size = kernel.shared_bytes.into();
        sections.push(shared);
    }
    for (bank, words) in banks(&cubin.constants) {
        sections.push(Section::contents(
            format!("{}{bank}", layout::CONSTANT),
            elf::SHT_PROGBITS,
            bytes(&words),
        ));
    }

    let mut writer = Writer::new(Endianness::Little, false, file);
    // All numbers and offsets are reserved before anything is written.
    let names: Vec<StringId> = sections
        .iter()
        .map(|section| writer.add_section_name(section.name.as_bytes()))
        .collect();
    let symbols: Vec<StringId> = cubin
        .kernels
        .iter()
        .map(|kernel| writer.add_string(kernel.name.as_bytes()))
        .collect();
    writer.reserve_file_header();
    writer.reserve_null_section_index();
    writer.reserve_shstrtab_section_index();
    writer.reserve_strtab_section_index();
    writer.reserve_symtab_section_index();
    let indices: Vec<SectionIndex> = sections.iter().map(|_| writer.reserve_section_index()).collect();
    writer.reserve_null_symbol_index();
    for index in indices.iter().take(cubin.kernels.len()) {
        writer.reserve_symbol_index(Some(*index));
    }
    writer.reserve_shstrtab().map_err(|error| error.to_string())?;
    writer.reserve_strtab().map_err(|error| error.to_string())?;
    writer.reserve_symtab();
    let places: Vec<u64> = sections
        .iter()
        .map(|section| writer.reserve(section.data.len() as u64, section.alignment))
        .collect();
    writer.reserve_section_headers();

    let sm = cubin.capability.number();
    writer
        .write_file_header(&FileHeader {
            os_abi: elf::OsAbi(layout::OS_ABI),
            abi_version: 0,
            e_type: elf::ET_EXEC,
            e_machine: elf::EM_CUDA,
            e_entry: 0,
            e_flags: elf::FileFlags(sm | sm << layout::FLAGS_VIRTUAL_SM_SHIFT),
        })
        .map_err(|error| error.to_string())?;
    writer.write_shstrtab();
    writer.write_strtab();
    writer.write_null_symbol();
    for ((kernel, name), index) in cubin.kernels.iter().zip(&symbols).zip(&indices) {
        let st_name = writer.string_offset(Some(*name));
        let text_bytes = 4 * kernel.words.len() as u64;
        writer.write_symbol(&Sym {
            section: Some(index.0),
            st_name,
            st_info: elf::SymbolInfo::new(elf::STB_GLOBAL, elf::STT_FUNC),
            st_other: elf::SymbolOther(0),
            st_shndx: elf::SymbolSection(0),
            st_value: kernel.entry.into(),
            st_size: text_bytes.saturating_sub(kernel.entry.into()),
        });
    }
    for section in &sections {
        writer.write_align(section.alignment);
        writer.write(&section.data);
    }
    writer.write_null_section_header();
    writer.write_shstrtab_section_header();
    writer.write_strtab_section_header();
    // The null symbol is the only local one.
    writer.write_symtab_section_header(1);
    for ((section, name), place) in sections.iter().zip(&names).zip(&places) {
        let sh_name = writer.section_name_offset(Some(*name));
        writer.write_section_header(&SectionHeader {
            sh_name,
            sh_type: section.kind,
            sh_flags: elf::SectionFlags(section.flags),
            sh_addr: 0,
            sh_offset: *place,
            sh_size: section.size,
            sh_link: 0,
            sh_info: section.info,
            sh_addralign: section.alignment,
            sh_entsize: 0,
        });
    }
    Ok(())
}
