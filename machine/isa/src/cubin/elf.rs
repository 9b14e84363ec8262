//! Reads ELF cubins, 32-bit and 64-bit, little-endian.
//!
//! The `object` crate reads the ELF structures; this file interprets a cubin's sections. Sections that a program does
//! not need to run (debugging, attributes other than the parameters' size) are skipped. Relocations in loaded sections
//! are applied, or are an error.

use super::contents::{
    add_at, not_sm1x, Cubin, CubinError, CubinKernel, CubinSection, CubinSymbol, Globals, Reference, SymbolSpace,
    BANKS, HEADER_BYTES,
};
use super::layout::{self, relocation};
use crate::table::Capability;
use crate::text::assembler::ConstantBlock;
use object::elf;
use object::read::elf::{FileHeader, Rel, Rela, SectionHeader, Sym, SymbolTable};
use object::read::{SectionIndex, StringTable, SymbolIndex};
use object::Endianness;
use std::collections::BTreeMap;

/// True if a file has the ELF magic number.
pub(super) fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(&elf::ELFMAG)
}

/// Reads an ELF cubin.
pub(super) fn read(bytes: &[u8]) -> Result<Cubin, CubinError> {
    match bytes.get(4) {
        Some(&class) if class == elf::ELFCLASS32.0 => read_class::<elf::FileHeader32<Endianness>>(bytes),
        Some(&class) if class == elf::ELFCLASS64.0 => read_class::<elf::FileHeader64<Endianness>>(bytes),
        Some(class) => Err(CubinError::byte(
            4,
            format!("the ELF class is {class}; expected 1 (32 bits) or 2 (64 bits)"),
        )),
        None => Err(CubinError::byte(4, "the file ends inside its ELF header")),
    }
}

/// A file header's field, by its offset in ELF32 and in ELF64.
fn header_field<Elf: FileHeader>(header: &Elf, in_32: u64, in_64: u64) -> u64 {
    if header.is_type_64() {
        in_64
    } else {
        in_32
    }
}

fn read_class<Elf: FileHeader<Endian = Endianness>>(bytes: &[u8]) -> Result<Cubin, CubinError> {
    let header = Elf::parse(bytes).map_err(|_| {
        if bytes.len() < size_of::<Elf>() {
            CubinError::byte(bytes.len() as u64, "the file ends inside its ELF header")
        } else {
            CubinError::byte(
                5,
                "unknown data encoding or version in the ELF header; expected 1 and 1",
            )
        }
    })?;
    if !header.is_little_endian() {
        return Err(CubinError::byte(5, "the file is big-endian; expected little-endian"));
    }
    let endian = Endianness::Little;
    let machine = header.e_machine(endian);
    if machine != elf::EM_CUDA {
        let message = format!(
            "the ELF machine is {}; expected {} (EM_CUDA)",
            machine.0,
            elf::EM_CUDA.0
        );
        return Err(CubinError::byte(18, message));
    }
    let number = header.e_flags(endian).0 & layout::FLAGS_SM;
    let capability = Capability::from_number(number)
        .ok_or_else(|| CubinError::byte(header_field(header, 36, 48), not_sm1x(&format!("sm_{number}"))))?;

    let headers_at = header_field(header, 32, 40);
    let sections = header.section_headers(endian, bytes).map_err(|error| {
        CubinError::byte(
            headers_at,
            format!("the section headers are outside the file ({error})"),
        )
    })?;
    let names = header.section_strings(endian, bytes, sections).map_err(|error| {
        CubinError::byte(
            header_field(header, 50, 62),
            format!("the section names are outside the file ({error})"),
        )
    })?;
    let reader = Reader {
        bytes,
        endian,
        header,
        sections,
        names,
    };
    let mut loading = Loading {
        cubin: Cubin {
            capability,
            kernels: Vec::new(),
            constants: Vec::new(),
            globals: None,
            symbols: Vec::new(),
            not_to_run: None,
            references: Vec::new(),
        },
        kernels: BTreeMap::new(),
        places: BTreeMap::new(),
        global_offsets: BTreeMap::new(),
        room: bytes.len(),
    };
    reader.load_code(&mut loading)?;
    if loading.cubin.kernels.is_empty() {
        return Err(CubinError::byte(
            headers_at,
            "there is no kernel; expected a section `.text.KERNEL`",
        ));
    }
    reader.load_globals(&mut loading)?;
    reader.load_rest(&mut loading)?;
    if let Some((index, table)) = reader.symbols()? {
        reader.load_symbols(&mut loading, &table, index)?;
        reader.relocate(&mut loading, Some((index, &table)))?;
    } else {
        reader.relocate(&mut loading, None)?;
    }
    Ok(loading.cubin)
}

/// The role of a section.
#[derive(Clone, Copy)]
enum Role<'a> {
    Text(&'a str),
    Shared(&'a str),
    Local(&'a str),
    Info(&'a str),
    Constant { bank: u32, kernel: Option<&'a str> },
    Global,
    GlobalInit,
    Other,
}

/// A cubin being loaded.
struct Loading<'data> {
    cubin: Cubin,
    /// Kernels by name.
    kernels: BTreeMap<&'data str, usize>,
    /// The destination of each section's contents.
    places: BTreeMap<usize, CubinSection>,
    /// Offsets of the sections of global variables from the first of these.
    global_offsets: BTreeMap<usize, u32>,
    /// Bytes of the file that no section has claimed yet. Sections do not overlap. Without this limit, a small file
    /// with overlapping sections could require any amount of memory.
    room: usize,
}

struct Reader<'data, Elf: FileHeader<Endian = Endianness>> {
    bytes: &'data [u8],
    endian: Endianness,
    header: &'data Elf,
    sections: &'data [Elf::SectionHeader],
    names: StringTable<'data>,
}

impl<'data, Elf: FileHeader<Endian = Endianness>> Reader<'data, Elf> {
    /// The offset of a section's header in the file.
    fn header_at(&self, index: usize) -> u64 {
        let table: u64 = self.header.e_shoff(self.endian).into();
        table.saturating_add((index * size_of::<Elf::SectionHeader>()) as u64)
    }

    /// An error at the header of a section.
    fn error(&self, index: usize, message: impl Into<String>) -> CubinError {
        CubinError::byte(self.header_at(index), message)
    }

    fn name(&self, index: usize, section: &Elf::SectionHeader) -> Result<&'data str, CubinError> {
        let name = section
            .name(self.endian, self.names)
            .map_err(|error| self.error(index, format!("section {index}: {error}")))?;
        std::str::from_utf8(name).map_err(|_| self.error(index, format!("the name of section {index} is not UTF-8")))
    }

    /// All sections except the first, the null section.
    fn roles(&self) -> impl Iterator<Item = Result<(usize, &'data Elf::SectionHeader, Role<'data>), CubinError>> + '_ {
        self.sections
            .iter()
            .enumerate()
            .skip(1)
            .map(|(index, section)| Ok((index, section, self.role(index, section)?)))
    }

    fn role(&self, index: usize, section: &Elf::SectionHeader) -> Result<Role<'data>, CubinError> {
        let name = self.name(index, section)?;
        let of_kernel = |prefix, role: fn(&'data str) -> Role<'data>| name.strip_prefix(prefix).map(role);
        let role = of_kernel(layout::TEXT, Role::Text)
            .or_else(|| of_kernel(layout::SHARED, Role::Shared))
            .or_else(|| of_kernel(layout::LOCAL, Role::Local))
            .or_else(|| of_kernel(layout::INFO, Role::Info));
        match role {
            None => {}
            Some(Role::Text("")) => return Err(self.error(index, format!("section `{name}` does not name a kernel"))),
            Some(role) => return Ok(role),
        }
        if let Some(rest) = name.strip_prefix(layout::CONSTANT) {
            let (digits, kernel) = match rest.split_once('.') {
                Some((digits, kernel)) => (digits, Some(kernel)),
                None => (rest, None),
            };
            let number = !digits.is_empty() && digits.len() <= 3 && digits.bytes().all(|digit| digit.is_ascii_digit());
            let bank = if number { digits.parse().ok() } else { None };
            return match bank {
                Some(bank) if bank < BANKS => Ok(Role::Constant { bank, kernel }),
                _ => Err(self.error(
                    index,
                    format!("section `{name}` is not for a constant bank; expected bank 0 to 15"),
                )),
            };
        }
        Ok(match name {
            layout::GLOBAL => Role::Global,
            layout::GLOBAL_INIT => Role::GlobalInit,
            _ => Role::Other,
        })
    }

    /// The contents of a section; empty if it only has a size.
    fn data(&self, index: usize, section: &Elf::SectionHeader) -> Result<&'data [u8], CubinError> {
        section
            .data(self.endian, self.bytes)
            .map_err(|_| self.error(index, format!("the contents of section {index} are outside the file")))
    }

    /// The contents of a section as words; the last one is padded with zeros.
    fn words(
        &self,
        loading: &mut Loading<'data>,
        index: usize,
        section: &Elf::SectionHeader,
    ) -> Result<Vec<u32>, CubinError> {
        let data = self.data(index, section)?;
        loading.room = loading
            .room
            .checked_sub(data.len())
            .ok_or_else(|| self.error(index, "sections overlap: together they are larger than the file"))?;
        Ok(data
            .chunks(4)
            .map(|chunk| {
                let mut bytes = [0; 4];
                bytes[..chunk.len()].copy_from_slice(chunk);
                u32::from_le_bytes(bytes)
            })
            .collect())
    }

    /// The size of a section in memory.
    fn size(&self, index: usize, section: &Elf::SectionHeader) -> Result<u32, CubinError> {
        let size: u64 = section.sh_size(self.endian).into();
        u32::try_from(size).map_err(|_| {
            self.error(
                index,
                format!("section {index} has {size} bytes; expected less than 4 GiB"),
            )
        })
    }

    fn load_code(&self, loading: &mut Loading<'data>) -> Result<(), CubinError> {
        for section in self.roles() {
            let (index, section, Role::Text(name)) = section? else {
                continue;
            };
            if loading.kernels.contains_key(name) {
                return Err(self.error(index, format!("there are two kernels `{name}`")));
            }
            let size = self.data(index, section)?.len();
            if size % 4 != 0 {
                return Err(self.error(
                    index,
                    format!("the code of `{name}` has {size} bytes; expected a multiple of 4"),
                ));
            }
            let words = self.words(loading, index, section)?;
            let kernel = loading.cubin.kernels.len();
            loading.kernels.insert(name, kernel);
            loading.places.insert(index, CubinSection::Code { kernel });
            loading.cubin.kernels.push(CubinKernel {
                name: name.to_string(),
                words,
                entry: 0,
                registers: section.sh_info(self.endian) >> layout::INFO_REGISTERS_SHIFT,
                shared_bytes: HEADER_BYTES,
                local_bytes: 0,
                barriers: (section.sh_flags(self.endian).0 >> layout::FLAGS_BARRIERS_SHIFT
                    & layout::FLAGS_BARRIERS_MASK) as u32,
                parameter_bytes: None,
                constants: Vec::new(),
            });
        }
        Ok(())
    }

    /// Loads global variables: first those with initial values, then the others.
    fn load_globals(&self, loading: &mut Loading<'data>) -> Result<(), CubinError> {
        for with_values in [true, false] {
            for section in self.roles() {
                let (index, section, role) = section?;
                match (role, with_values) {
                    (Role::GlobalInit, true) | (Role::Global, false) => {}
                    _ => continue,
                }
                let alignment: u64 = section.sh_addralign(self.endian).into();
                let alignment = match u32::try_from(alignment) {
                    Ok(0) => 4,
                    Ok(alignment) if alignment.is_power_of_two() && alignment <= 1 << 16 => alignment.max(4),
                    _ => {
                        let message = format!("the alignment is {alignment}; expected a power of 2 up to 65536");
                        return Err(self.error(index, message));
                    }
                };
                let size = self.size(index, section)?;
                if size == 0 {
                    continue;
                }
                let words = self.words(loading, index, section)?;
                let globals = loading.cubin.globals.get_or_insert(Globals {
                    bytes: 0,
                    alignment,
                    words: Vec::new(),
                    address: None,
                });
                let (offset, end) = globals
                    .bytes
                    .checked_next_multiple_of(alignment)
                    .and_then(|offset| Some((offset, offset.checked_add(size)?)))
                    .ok_or_else(|| self.error(index, "the global variables take more than 4 GiB"))?;
                if !words.is_empty() {
                    if offset != 0 {
                        return Err(self.error(index, "there are two sections of initial values for global variables"));
                    }
                    globals.words = words;
                    loading.places.insert(index, CubinSection::Globals);
                }
                globals.bytes = end;
                globals.alignment = globals.alignment.max(alignment);
                loading.global_offsets.insert(index, offset);
            }
        }
        Ok(())
    }

    fn load_rest(&self, loading: &mut Loading<'data>) -> Result<(), CubinError> {
        for section in self.roles() {
            let (index, section, role) = section?;
            let owner = match role {
                Role::Shared(name) | Role::Local(name) | Role::Info(name) => Some(name),
                Role::Constant { kernel, .. } => kernel,
                Role::Text(_) | Role::Global | Role::GlobalInit | Role::Other => continue,
            };
            let kernel = match owner {
                None => None,
                Some(name) => Some(*loading.kernels.get(name).ok_or_else(|| {
                    let section = self.name(index, section).unwrap_or_default();
                    self.error(
                        index,
                        format!("section `{section}` does not belong to a kernel in this file"),
                    )
                })?),
            };
            if let Role::Constant { bank, .. } = role {
                let block = ConstantBlock {
                    bank,
                    offset: 0,
                    words: self.words(loading, index, section)?,
                };
                let place = match kernel {
                    Some(kernel) => CubinSection::KernelConstant {
                        kernel,
                        block: loading.cubin.kernels[kernel].constants.len(),
                    },
                    None => CubinSection::Constant {
                        block: loading.cubin.constants.len(),
                    },
                };
                loading.places.insert(index, place);
                match kernel {
                    Some(kernel) => loading.cubin.kernels[kernel].constants.push(block),
                    None => loading.cubin.constants.push(block),
                }
                continue;
            }
            let Some(kernel) = kernel else { continue };
            match role {
                Role::Shared(_) => {
                    let kernel = &mut loading.cubin.kernels[kernel];
                    kernel.shared_bytes = kernel.shared_bytes.max(self.size(index, section)?);
                }
                Role::Local(_) => loading.cubin.kernels[kernel].local_bytes = self.size(index, section)?,
                Role::Info(_) => {
                    let parameters = self.parameter_bytes(index, section)?;
                    let kernel = &mut loading.cubin.kernels[kernel];
                    kernel.parameter_bytes = parameters;
                    let parameters = parameters.unwrap_or(0);
                    kernel.shared_bytes = kernel.shared_bytes.max(HEADER_BYTES.saturating_add(parameters));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The size of a kernel's parameters, from its attributes.
    fn parameter_bytes(&self, index: usize, section: &Elf::SectionHeader) -> Result<Option<u32>, CubinError> {
        let data = self.data(index, section)?;
        let at: u64 = section.sh_offset(self.endian).into();
        let mut total = None;
        let mut end_of_last = None;
        let mut offset = 0;
        while let Some(rest) = data.get(offset..).filter(|rest| !rest.is_empty()) {
            let here = at.saturating_add(offset as u64);
            let error = |message: String| CubinError::byte(here, message);
            let &[format, attribute, low, high, ..] = rest else {
                return Err(error("an attribute ends early; expected four bytes".into()));
            };
            let half = u16::from_le_bytes([low, high]);
            offset += 4;
            match format {
                layout::FORMAT_NONE | layout::FORMAT_BYTE => {}
                layout::FORMAT_HALF if attribute == layout::ATTRIBUTE_SHARED_PARAMETERS => {
                    total = Some(u32::from(half));
                }
                layout::FORMAT_HALF => {}
                layout::FORMAT_SIZED => {
                    let value = rest
                        .get(4..4 + usize::from(half))
                        .ok_or_else(|| error(format!("the attribute {attribute:#x} of {half} bytes ends early")))?;
                    offset += value.len();
                    if attribute == layout::ATTRIBUTE_PARAMETER {
                        let parameter: &[u8; layout::PARAMETER_BYTES] = value.try_into().map_err(|_| {
                            error(format!(
                                "a parameter's description has {half} bytes; expected {}",
                                layout::PARAMETER_BYTES
                            ))
                        })?;
                        let start = u32::from(u16::from_le_bytes([parameter[6], parameter[7]]));
                        let size = u32::from_le_bytes([parameter[8], parameter[9], parameter[10], parameter[11]])
                            >> layout::PARAMETER_SIZE_SHIFT;
                        end_of_last = end_of_last.max(Some(start + size));
                    }
                }
                _ => {
                    return Err(error(format!(
                        "the attribute {attribute:#x} has the format {format}; expected 1 to 4"
                    )))
                }
            }
        }
        Ok(total.or(end_of_last))
    }

    /// The symbol table and its section.
    fn symbols(&self) -> Result<Option<(usize, SymbolTable<'data, Elf>)>, CubinError> {
        let table = object::read::elf::SectionTable::<Elf>::new(self.sections, self.names);
        for (index, section) in self.sections.iter().enumerate() {
            if section.sh_type(self.endian) == elf::SHT_SYMTAB {
                let symbols = section
                    .symbols(self.endian, self.bytes, &table, SectionIndex(index))
                    .map_err(|error| self.error(index, format!("the symbol table: {error}")))?;
                return Ok(symbols.map(|symbols| (index, symbols)));
            }
        }
        Ok(None)
    }

    /// The offset of a symbol in the file.
    fn symbol_at(&self, table: usize, index: usize) -> u64 {
        let start: u64 = self
            .sections
            .get(table)
            .map_or(0, |section| section.sh_offset(self.endian).into());
        start.saturating_add((index * size_of::<Elf::Sym>()) as u64)
    }

    fn load_symbols(
        &self,
        loading: &mut Loading<'data>,
        table: &SymbolTable<'data, Elf>,
        section: usize,
    ) -> Result<(), CubinError> {
        for (SymbolIndex(index), symbol) in table.enumerate() {
            let error = |message: String| CubinError::byte(self.symbol_at(section, index), message);
            let kind = symbol.st_type();
            if kind != elf::STT_FUNC && kind != elf::STT_OBJECT {
                continue;
            }
            let name = self.symbol_name(table, index, symbol).map_err(error)?;
            let place = table
                .symbol_section(self.endian, symbol, SymbolIndex(index))
                .map_err(|reason| error(format!("symbol `{name}`: {reason}")))?;
            let Some(SectionIndex(place)) = place else { continue };
            let (value, size): (u64, u64) = (symbol.st_value(self.endian).into(), symbol.st_size(self.endian).into());
            if let (true, Some(&CubinSection::Code { kernel })) = (kind == elf::STT_FUNC, loading.places.get(&place)) {
                // Other functions in a kernel's code are called only from within it.
                let kernel = &mut loading.cubin.kernels[kernel];
                if kernel.name == name {
                    kernel.entry = u32::try_from(value)
                        .ok()
                        .filter(|entry| entry % 4 == 0 && (*entry as usize) / 4 < kernel.words.len().max(1))
                        .ok_or_else(|| error(format!("the kernel `{name}` begins at {value:#x}, outside its code")))?;
                }
                continue;
            }
            let (space, base) = match (loading.places.get(&place), loading.global_offsets.get(&place)) {
                (_, Some(&offset)) => (SymbolSpace::Global, offset),
                (Some(&CubinSection::Constant { block }), _) => {
                    let bank = loading.cubin.constants[block].bank;
                    (SymbolSpace::Constant { bank }, 0)
                }
                _ => continue,
            };
            let too_large = || error(format!("the variable `{name}` reaches beyond 4 GiB"));
            loading.cubin.symbols.push(CubinSymbol {
                name: name.to_string(),
                space,
                offset: u32::try_from(value)
                    .ok()
                    .and_then(|value| value.checked_add(base))
                    .ok_or_else(too_large)?,
                bytes: u32::try_from(size).map_err(|_| too_large())?,
            });
        }
        Ok(())
    }

    fn symbol_name(
        &self,
        table: &SymbolTable<'data, Elf>,
        index: usize,
        symbol: &Elf::Sym,
    ) -> Result<&'data str, String> {
        let name = table
            .symbol_name(self.endian, symbol)
            .map_err(|error| format!("the name of symbol {index}: {error}"))?;
        std::str::from_utf8(name).map_err(|_| format!("the name of symbol {index} is not UTF-8"))
    }

    fn relocate(
        &self,
        loading: &mut Loading<'data>,
        symbols: Option<(usize, &SymbolTable<'data, Elf>)>,
    ) -> Result<(), CubinError> {
        for (index, section) in self.sections.iter().enumerate() {
            let invalid = |error| self.error(index, format!("section {index}: {error}"));
            let target = section.sh_info(self.endian) as usize;
            let entries = if let Some((entries, link)) = section.rel(self.endian, self.bytes).map_err(invalid)? {
                let entries = entries.iter().map(|entry| Relocation {
                    offset: entry.r_offset(self.endian).into(),
                    kind: entry.r_type(self.endian).0,
                    symbol: entry.r_sym(self.endian) as usize,
                    addend: None,
                });
                Some((entries.collect::<Vec<_>>(), link, size_of::<Elf::Rel>()))
            } else if let Some((entries, link)) = section.rela(self.endian, self.bytes).map_err(invalid)? {
                let entries = entries.iter().map(|entry| Relocation {
                    offset: entry.r_offset(self.endian).into(),
                    kind: entry.r_type(self.endian, false).0,
                    symbol: entry.r_sym(self.endian, false) as usize,
                    addend: Some(entry.r_addend(self.endian).into()),
                });
                Some((entries.collect(), link, size_of::<Elf::Rela>()))
            } else {
                None
            };
            let Some((entries, link, entry_bytes)) = entries else {
                continue;
            };
            // Sections that are not loaded, such as debug sections, need no addresses.
            let Some(&place) = loading.places.get(&target) else {
                continue;
            };
            let name = self
                .sections
                .get(target)
                .map_or(Ok(""), |section| self.name(target, section))?;
            let table = symbols.filter(|&(table, _)| SectionIndex(table) == link);
            let start: u64 = section.sh_offset(self.endian).into();
            for (number, entry) in entries.iter().enumerate() {
                self.relocate_one(loading, entry, place, table).map_err(|reason| {
                    CubinError::byte(
                        start.saturating_add((number * entry_bytes) as u64),
                        format!("relocation of `{name}` at {:#x}: {reason}", entry.offset),
                    )
                })?;
            }
        }
        Ok(())
    }

    fn relocate_one(
        &self,
        loading: &mut Loading<'data>,
        entry: &Relocation,
        place: CubinSection,
        table: Option<(usize, &SymbolTable<'data, Elf>)>,
    ) -> Result<(), String> {
        let width = match entry.kind {
            relocation::NONE => return Ok(()),
            relocation::ADDRESS_32 | relocation::GLOBAL_32 => 1,
            relocation::ADDRESS_64 | relocation::GLOBAL_64 => 2,
            kind => {
                return Err(format!(
                    "the type {kind} is unknown for SM 1.x; expected {} to {}",
                    relocation::NONE,
                    relocation::GLOBAL_64
                ))
            }
        };
        let (_, table) = table.ok_or("its symbol table is missing")?;
        let symbol = table
            .symbol(SymbolIndex(entry.symbol))
            .map_err(|_| format!("there is no symbol {}", entry.symbol))?;
        let name = self.symbol_name(table, entry.symbol, symbol)?;
        let value: u64 = symbol.st_value(self.endian).into();
        let section = table
            .symbol_section(self.endian, symbol, SymbolIndex(entry.symbol))
            .map_err(|error| format!("symbol `{name}`: {error}"))?;
        let (value, global) = match section {
            Some(SectionIndex(section)) => match (loading.global_offsets.get(&section), loading.places.get(&section)) {
                (Some(&offset), _) => (value.wrapping_add(offset.into()), true),
                // Constant banks and code begin at address 0.
                (None, Some(_)) => (value, false),
                (None, None) => {
                    return Err(format!(
                    "the address of symbol `{name}` is unknown: its section {section} is neither code nor constants \
                         nor global variables"
                ))
                }
            },
            None if symbol.st_shndx(self.endian) == elf::SHN_ABS => (value, false),
            None => return Err(format!("the symbol `{name}` is not defined in this file")),
        };
        if entry.offset % 4 != 0 {
            return Err("the offset is not a multiple of 4".into());
        }
        let words = loading.cubin.words_of(&place).ok_or("its section is not loaded")?;
        let range = usize::try_from(entry.offset / 4)
            .ok()
            .and_then(|first| Some(first..first.checked_add(width)?))
            .filter(|range| range.end <= words.len())
            .ok_or_else(|| format!("the section has only {} bytes", 4 * words.len()))?;
        if let Some(addend) = entry.addend {
            words[range.clone()].fill(0);
            add_at(words, &range, addend as u64);
        }
        add_at(words, &range, value);
        if global {
            loading.cubin.references.push(Reference { place, words: range });
        }
        Ok(())
    }
}

/// An entry of a relocation section.
struct Relocation {
    offset: u64,
    kind: u32,
    symbol: usize,
    /// `None` if the addend is in the relocated word itself.
    addend: Option<i64>,
}
