//! Cubins: ELF files built here with `object::build` (not with the crate's own writer), text files in the style of real
//! ones, the errors in damaged ones, and the writer.

mod text;

use flexgrip_isa::cubin::{
    read_cubin, write_cubin, Cubin, CubinError, CubinKernel, CubinPlace, CubinSymbol, Globals, SymbolSpace,
};
use flexgrip_isa::{assemble, Capability, ConstantBlock};
use object::build::elf::{Builder, Relocation, SectionData, SectionId, SymbolId};
use object::{elf, Endianness};
use proptest::prelude::*;

/// A cubin under construction.
struct Elf {
    builder: Builder<'static>,
}

impl Elf {
    fn new(is_64: bool, flags: u32) -> Self {
        let mut builder = Builder::new(Endianness::Little, is_64);
        builder.header.os_abi = elf::OsAbi(51);
        builder.header.e_type = elf::ET_EXEC;
        builder.header.e_machine = elf::EM_CUDA;
        builder.header.e_flags = elf::FileFlags(flags);
        let mut elf = Elf { builder };
        for (name, kind, data) in [
            (".shstrtab", elf::SHT_STRTAB, SectionData::SectionString),
            (".strtab", elf::SHT_STRTAB, SectionData::String),
            (".symtab", elf::SHT_SYMTAB, SectionData::Symbol),
        ] {
            let section = elf.section(name, kind, data);
            elf.builder.sections.get_mut(section).sh_addralign = 4;
        }
        elf
    }

    fn section(&mut self, name: &str, kind: elf::SectionType, data: SectionData<'static>) -> SectionId {
        let section = self.builder.sections.add();
        section.name = name.to_string().into_bytes().into();
        section.sh_type = kind;
        section.sh_addralign = 4;
        section.data = data;
        section.id()
    }

    fn data(&mut self, name: &str, data: Vec<u8>) -> SectionId {
        self.section(name, elf::SHT_PROGBITS, SectionData::Data(data.into()))
    }

    fn words(&mut self, name: &str, words: &[u32]) -> SectionId {
        self.data(name, words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    fn size(&mut self, name: &str, bytes: u64) -> SectionId {
        self.section(name, elf::SHT_NOBITS, SectionData::UninitializedData(bytes))
    }

    /// Adds a kernel's code with its symbol.
    fn kernel(&mut self, name: &str, words: &[u32], registers: u32, barriers: u64) -> SectionId {
        let id = self.words(&format!(".text.{name}"), words);
        let section = self.builder.sections.get_mut(id);
        section.sh_info = registers << 24 | 5;
        section.sh_flags = elf::SectionFlags(barriers << 20);
        self.symbol(name, Some(id), elf::STT_FUNC, 0, 4 * words.len() as u64);
        id
    }

    fn symbol(
        &mut self,
        name: &str,
        section: Option<SectionId>,
        kind: elf::SymbolType,
        value: u64,
        size: u64,
    ) -> SymbolId {
        let symbol = self.builder.symbols.add();
        symbol.name = name.to_string().into_bytes().into();
        symbol.section = section;
        symbol.st_info = elf::SymbolInfo::new(elf::STB_GLOBAL, kind);
        symbol.st_value = value;
        symbol.st_size = size;
        symbol.id()
    }

    /// Adds relocations of a section: offset, type, symbol; with explicit addends, or with addends in the relocated
    /// word.
    fn relocations(&mut self, target: SectionId, addends: bool, entries: &[(u64, u32, SymbolId, i64)]) {
        let symbols = self
            .builder
            .sections
            .iter()
            .find(|section| section.sh_type == elf::SHT_SYMTAB)
            .unwrap()
            .id();
        let name = self.builder.sections.get(target).name.to_vec();
        let prefix = if addends { ".rela" } else { ".rel" };
        let name = format!("{prefix}{}", String::from_utf8(name).unwrap());
        let entries = entries.iter().map(|&(r_offset, r_type, symbol, r_addend)| Relocation {
            r_offset,
            symbol: Some(symbol),
            r_type: elf::RelocationType(r_type),
            r_addend,
        });
        let kind = if addends { elf::SHT_RELA } else { elf::SHT_REL };
        let id = self.section(&name, kind, SectionData::Relocation(entries.collect()));
        let section = self.builder.sections.get_mut(id);
        section.sh_link_section = Some(symbols);
        section.sh_info_section = Some(target);
    }

    fn write(self) -> Vec<u8> {
        let mut file = Vec::new();
        self.builder.write(&mut file).unwrap();
        file
    }
}

/// The attributes of a kernel with these parameters (offset, size), as nvcc for sm_13 wrote them.
fn attributes(parameters: &[(u16, u32)], total: Option<u16>) -> Vec<u8> {
    // One attribute without a value, one with a byte, one with words: all to be skipped.
    let mut data = vec![0x01, 0x04, 0, 0, 0x02, 0x05, 7, 0, 0x04, 0x0b, 4, 0, 0, 0, 0, 0];
    if let Some(total) = total {
        data.extend([0x03, 0x18]);
        data.extend(total.to_le_bytes());
    }
    for (ordinal, (offset, size)) in (0_u16..).zip(parameters) {
        data.extend([0x04, 0x17, 12, 0, 0, 0, 0, 0]);
        data.extend(ordinal.to_le_bytes());
        data.extend(offset.to_le_bytes());
        data.extend((size << 18 | 0x1f000).to_le_bytes());
    }
    data
}

const RET: [u32; 2] = [0x3000_0003, 0x780];

/// A file with most features.
fn large(is_64: bool) -> Vec<u8> {
    let mut elf = Elf::new(is_64, 13 << 16 | 13 | 0x100);
    let scale = elf.kernel("_Z5scalePfi", &[0x1000_8001, 3, RET[0], RET[1]], 7, 0);
    elf.kernel("sum", &RET, 10, 3);
    elf.data(".nv.info._Z5scalePfi", attributes(&[(0, 4), (4, 4)], Some(8)));
    elf.data(".nv.info.sum", attributes(&[(0, 4), (8, 16)], None));
    elf.size(".nv.shared.sum", 1064);
    elf.size(".nv.local._Z5scalePfi", 24);
    elf.words(".nv.constant1._Z5scalePfi", &[0x3f80_0000, 2]);
    elf.words(".nv.constant1.sum", &[5]);
    let table = elf.data(".nv.constant0", vec![1, 0, 0, 0, 2, 0]);
    let init = elf.words(".nv.global.init", &[11, 12, 100]);
    let global = elf.size(".nv.global", 40);
    elf.builder.sections.get_mut(global).sh_addralign = 16;
    // The addresses that kernels take from bank 14: with addends of 4, 0 and 8.
    let pointers = elf.words(".nv.constant14", &[4, 0, 8, 0]);
    elf.data(".debug_line", vec![1, 2, 3]);

    elf.symbol("table", Some(table), elf::STT_OBJECT, 2, 4);
    let counter = elf.symbol("counter", Some(init), elf::STT_OBJECT, 4, 4);
    let results = elf.symbol("results", Some(global), elf::STT_OBJECT, 8, 32);
    let offset = elf.symbol("", Some(table), elf::STT_SECTION, 0, 0);
    let two = elf.symbol("two", None, elf::STT_OBJECT, 0x2000, 0);
    elf.builder.symbols.get_mut(two).st_shndx = elf::SHN_ABS;
    elf.relocations(
        pointers,
        false,
        &[(0, 1, counter, 0), (8, 2, results, 0), (0, 0, two, 0)],
    );
    elf.relocations(init, true, &[(8, 3, results, 12), (0, 1, offset, 77)]);
    elf.relocations(scale, false, &[(4, 1, two, 0)]);
    elf.write()
}

#[test]
fn elf_cubins_with_banks_and_relocations_load() {
    for is_64 in [false, true] {
        let mut cubin = read_cubin(&large(is_64)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(cubin.capability, Capability::V1_3);
        let scale = CubinKernel {
            name: "_Z5scalePfi".into(),
            words: vec![0x1000_8001, 0x2003, RET[0], RET[1]],
            entry: 0,
            registers: 7,
            shared_bytes: 16 + 8,
            local_bytes: 24,
            barriers: 0,
            parameter_bytes: Some(8),
            constants: vec![ConstantBlock {
                bank: 1,
                offset: 0,
                words: vec![0x3f80_0000, 2],
            }],
        };
        let sum = CubinKernel {
            name: "sum".into(),
            words: RET.to_vec(),
            entry: 0,
            registers: 10,
            shared_bytes: 1064,
            local_bytes: 0,
            barriers: 3,
            parameter_bytes: Some(24),
            constants: vec![ConstantBlock {
                bank: 1,
                offset: 0,
                words: vec![5],
            }],
        };
        assert_eq!(cubin.kernels, [scale, sum]);
        assert_eq!(cubin.kernel("sum"), Some(&cubin.kernels[1]));
        assert_eq!(cubin.kernel("mus"), None);
        let symbol = |name: &str, space, offset, bytes| CubinSymbol {
            name: name.into(),
            space,
            offset,
            bytes,
        };
        assert_eq!(
            cubin.symbols,
            [
                symbol("table", SymbolSpace::Constant { bank: 0 }, 2, 4),
                symbol("counter", SymbolSpace::Global, 4, 4),
                symbol("results", SymbolSpace::Global, 16 + 8, 32),
            ]
        );
        // 12 bytes with values, the others at the next multiple of 16.
        assert_eq!(
            cubin.globals,
            Some(Globals {
                bytes: 16 + 40,
                alignment: 16,
                words: vec![77, 12, 16 + 8 + 12],
                address: None,
            })
        );
        let bank = |cubin: &Cubin, bank| {
            cubin
                .constants
                .iter()
                .find(|block| block.bank == bank)
                .unwrap()
                .words
                .clone()
        };
        assert_eq!(bank(&cubin, 0), [1, 2]);
        assert_eq!(bank(&cubin, 14), [4 + 4, 0, 16 + 8 + 8, 0]);

        assert!(cubin.place_globals(0x1008).unwrap_err().contains("multiple of 16"));
        assert!(cubin.place_globals(0xffff_fff0).unwrap_err().contains("do not fit"));
        cubin.place_globals(0x1000).unwrap();
        assert_eq!(bank(&cubin, 14), [0x1008, 0, 0x1020, 0]);
        let globals = cubin.globals.as_ref().unwrap();
        assert_eq!(
            (globals.address, globals.words.as_slice()),
            (Some(0x1000), &[77, 12, 0x1024][..])
        );
        // Everything that is not a global variable stays in place.
        assert_eq!(cubin.kernels[0].words[1], 0x2003);
    }
}

#[test]
fn the_entry_is_the_kernels_symbol() {
    let mut elf = Elf::new(false, 10 << 16 | 10);
    let text = elf.words(".text.k", &[RET[0], RET[1], RET[0], RET[1]]);
    elf.symbol("helper", Some(text), elf::STT_FUNC, 0, 8);
    elf.symbol("k", Some(text), elf::STT_FUNC, 8, 8);
    elf.size(".nv.global", 0);
    let cubin = read_cubin(&elf.write()).unwrap();
    assert_eq!(cubin.globals, None);
    assert_eq!(cubin.kernels[0].entry, 8);
    assert_eq!(cubin.capability, Capability::V1_0);
    // Without attributes and a shared-memory section, the header is still counted.
    assert_eq!(cubin.kernels[0].shared_bytes, 16);
    assert_eq!(cubin.kernels[0].parameter_bytes, None);
}

#[track_caller]
fn error(file: &[u8]) -> CubinError {
    read_cubin(file).expect_err("this cubin is wrong")
}

/// The error for a file with one kernel `k` and the additions of `add`.
#[track_caller]
fn elf_error(add: impl FnOnce(&mut Elf, SectionId)) -> String {
    let mut elf = Elf::new(false, 10 << 16 | 10);
    let text = elf.kernel("k", &RET, 4, 0);
    add(&mut elf, text);
    let file = elf.write();
    let error = error(&file);
    let CubinPlace::Byte(offset) = error.place else {
        panic!("{error}")
    };
    assert!(offset > 0 && offset < file.len() as u64, "{error}");
    error.to_string()
}

#[test]
fn elf_files_that_are_refused() {
    let undefined = |elf: &mut Elf| elf.symbol("nowhere", None, elf::STT_OBJECT, 0, 0);
    let cases: Vec<(String, &[&str])> = vec![
        (
            elf_error(|elf, _| {
                elf.kernel("k", &RET, 4, 0);
            }),
            &["two kernels `k`"],
        ),
        (
            elf_error(|elf, _| {
                elf.data(".text.half", vec![0; 6]);
            }),
            &["`half` has 6 bytes", "multiple of 4"],
        ),
        (
            elf_error(|elf, _| {
                elf.words(".text.", &RET);
            }),
            &["`.text.` does not name a kernel"],
        ),
        (
            elf_error(|elf, _| {
                elf.size(".nv.shared.other", 16);
            }),
            &["`.nv.shared.other` does not belong to a kernel"],
        ),
        (
            elf_error(|elf, _| {
                elf.words(".nv.constant16", &[0]);
            }),
            &["`.nv.constant16`", "0 to 15"],
        ),
        (
            elf_error(|elf, _| {
                elf.words(".nv.constant.k", &[0]);
            }),
            &["`.nv.constant.k`", "0 to 15"],
        ),
        (
            elf_error(|elf, _| {
                elf.data(".nv.info.k", vec![4, 0x17, 12, 0, 0]);
            }),
            &["attribute 0x17 of 12 bytes ends early"],
        ),
        (
            elf_error(|elf, _| {
                elf.data(".nv.info.k", vec![4, 0x17, 4, 0, 0, 0, 0, 0]);
            }),
            &["has 4 bytes; expected 12"],
        ),
        (
            elf_error(|elf, _| {
                elf.data(".nv.info.k", vec![9, 0x17, 4, 0]);
            }),
            &["format 9; expected 1 to 4"],
        ),
        (
            elf_error(|elf, _| {
                elf.data(".nv.info.k", vec![1, 2]);
            }),
            &["ends early; expected four bytes"],
        ),
        (
            elf_error(|elf, text| {
                let symbol = elf.symbol("x", Some(text), elf::STT_OBJECT, 0, 0);
                elf.relocations(text, false, &[(0, 1, symbol, 0), (4, 31, symbol, 0)]);
            }),
            &["relocation of `.text.k` at 0x4", "type 31 is unknown", "0 to 4"],
        ),
        (
            elf_error(|elf, text| {
                let symbol = elf.symbol("x", Some(text), elf::STT_OBJECT, 0, 0);
                elf.relocations(text, false, &[(8, 1, symbol, 0)]);
            }),
            &["relocation of `.text.k` at 0x8", "only 8 bytes"],
        ),
        (
            elf_error(|elf, text| {
                let symbol = elf.symbol("x", Some(text), elf::STT_OBJECT, 0, 0);
                elf.relocations(text, false, &[(4, 2, symbol, 0)]);
            }),
            &["relocation of `.text.k` at 0x4", "only 8 bytes"],
        ),
        (
            elf_error(|elf, text| {
                let symbol = elf.symbol("x", Some(text), elf::STT_OBJECT, 0, 0);
                elf.relocations(text, true, &[(2, 1, symbol, 0)]);
            }),
            &["at 0x2", "not a multiple of 4"],
        ),
        (
            elf_error(|elf, text| {
                let symbol = undefined(elf);
                elf.relocations(text, false, &[(4, 1, symbol, 0)]);
            }),
            &["`nowhere` is not defined"],
        ),
        (
            elf_error(|elf, text| {
                let shared = elf.size(".nv.shared.k", 64);
                let symbol = elf.symbol("tile", Some(shared), elf::STT_OBJECT, 32, 4);
                elf.relocations(text, false, &[(4, 1, symbol, 0)]);
            }),
            &["the address of symbol `tile` is unknown"],
        ),
        (
            elf_error(|elf, text| {
                let section = elf.builder.sections.get_mut(text);
                section.data = SectionData::Data(vec![].into());
                elf.size(".nv.global", 1 << 31);
                elf.size(".nv.global", 1 << 31);
            }),
            &["more than 4 GiB"],
        ),
        (
            elf_error(|elf, _| {
                let section = elf.size(".nv.global", 4);
                elf.builder.sections.get_mut(section).sh_addralign = 1 << 20;
            }),
            &["the alignment is 1048576"],
        ),
        (
            elf_error(|elf, _| {
                let text = elf.words(".text.late", &RET);
                elf.symbol("late", Some(text), elf::STT_FUNC, 8, 0);
            }),
            &["`late` begins at 0x8, outside its code"],
        ),
    ];
    for (error, words) in cases {
        for word in words {
            assert!(error.contains(word), "no `{word}` in: {error}");
        }
    }
}

#[test]
fn files_that_are_no_cubins_for_sm_1x() {
    let file = |is_64| {
        let mut elf = Elf::new(is_64, 10);
        elf.kernel("k", &RET, 4, 0);
        elf.write()
    };
    let small = file(false);
    assert!(read_cubin(&small).is_ok());
    for (is_64, byte, value, place, words) in [
        (false, 4, 3, 4, "the ELF class is 3"),
        (false, 5, 2, 5, "big-endian"),
        (false, 5, 9, 5, "data encoding"),
        (false, 18, 62, 18, "the ELF machine is 62; expected 190"),
        (false, 36, 20, 36, "for sm_20; expected sm_10"),
        (true, 48, 14, 48, "for sm_14; expected sm_10"),
        (false, 35, 0x7f, 32, "section headers are outside the file"),
        (false, 50, 99, 50, "the section names"),
    ] {
        let mut file = file(is_64);
        file[byte] = value;
        let error = error(&file);
        assert_eq!(error.place, CubinPlace::Byte(place), "{error}");
        assert!(error.message.contains(words), "{error}");
    }
    let no_kernel = error(&Elf::new(false, 10).write());
    assert!(no_kernel.message.contains("there is no kernel"), "{no_kernel}");
    for junk in [&[0xff, 0xfe][..], b"a\0b"] {
        assert!(error(junk).to_string().starts_with("byte 0x0: not a cubin"));
    }
}

/// A file cut off anywhere gives an error with a location inside the file.
#[test]
fn truncated_elf_files_are_refused() {
    for is_64 in [false, true] {
        let file = large(is_64);
        for length in 0..file.len() {
            let error = error(&file[..length]);
            match error.place {
                // The first four bytes make a file ELF; a shorter one is text.
                CubinPlace::Line(..) => assert!(length < 4, "{error}"),
                CubinPlace::Byte(offset) => assert!(offset <= file.len() as u64, "{error}"),
            }
        }
    }
}

/// Sections that each claim the whole of a small file cannot request more memory than it has bytes.
#[test]
fn overlapping_sections_need_little_memory() {
    let mut elf = Elf::new(false, 10);
    elf.kernel("k", &[0; 64], 4, 0);
    elf.words(".nv.constant1.k", &[1; 64]);
    let mut file = elf.write();
    let headers = u32::from_le_bytes(file[32..36].try_into().unwrap()) as usize;
    let count = usize::from(u16::from_le_bytes([file[48], file[49]]));
    let all = (file.len() as u32 & !3).to_le_bytes();
    for header in 0..count {
        let at = headers + 40 * header;
        // The sections with the data from above, found by their size.
        if file[at + 20..at + 24] == 256_u32.to_le_bytes() {
            file[at + 16..at + 20].copy_from_slice(&0_u32.to_le_bytes());
            file[at + 20..at + 24].copy_from_slice(&all);
        }
    }
    assert!(error(&file).message.contains("sections overlap"));
}

const PROGRAM: &str = "\
.kernel first
.registers 9
.shared 300
.param a
.param n
    MOV32 R0, g[a]
    BAR.ARV.WAIT b3, 0xfff
    BRA C0.NE, out
    LOP.AND R2, R1, c[1][mask]
out: RET
.kernel second
    BRA out
.const 1, 8
    .word 1, 2
mask: .word 3
.const 1, 0x40
    .word 9
.const 15
    .word 0xdeadbeef
";

#[test]
fn written_cubins_are_read_back() {
    let program = assemble(PROGRAM, "test").unwrap();
    let written = write_cubin(&program).unwrap();
    assert_eq!(written, write_cubin(&program).unwrap());
    let cubin = read_cubin(&written).unwrap_or_else(|error| panic!("{error}"));
    let mut expected = Cubin::from(&program);
    assert_eq!(expected.kernels[0].barriers, 4);
    assert_eq!(
        (expected.kernels[0].entry, expected.kernels[1].entry),
        (0, program.labels["second"])
    );
    assert_ne!(expected.kernels[1].entry, 0);
    // Blocks of one bank have become one.
    let mut bank_1 = vec![0; 17];
    bank_1[2..5].copy_from_slice(&[1, 2, 3]);
    bank_1[16] = 9;
    expected.constants = vec![
        ConstantBlock {
            bank: 1,
            offset: 0,
            words: bank_1,
        },
        ConstantBlock {
            bank: 15,
            offset: 0,
            words: vec![0xdead_beef],
        },
    ];
    assert_eq!(cubin, expected);
    assert_eq!(cubin.kernels[0].shared_bytes, 300);
    assert_eq!(cubin.kernels[0].parameter_bytes, Some(8));
    assert_eq!(cubin.kernels[1].shared_bytes, 16);
}

#[test]
fn impossible_cubins_are_errors() {
    let mut program = assemble(PROGRAM, "test").unwrap();
    program.kernels[0].parameters = vec!["p".to_string(); 16384];
    assert!(write_cubin(&program)
        .unwrap_err()
        .message
        .contains("65535 bytes of parameters"));
    program.kernels[0].parameters.clear();
    program.constants[0].offset = 0xffff_fffc;
    assert!(write_cubin(&program)
        .unwrap_err()
        .message
        .contains("3 constant words do not fit"));
    program.constants.clear();
    program.kernels[0].name = "a\0b".into();
    assert!(write_cubin(&program).unwrap_err().message.contains("a kernel's name"));
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_cubin(&bytes);
        let mut elf = b"\x7fELF\x01\x01\x01".to_vec();
        elf.extend(&bytes);
        prop_assert!(read_cubin(&elf).is_err());
    }

    #[test]
    fn random_texts_never_panic(words in prop::collection::vec(
        prop::sample::select(vec![
            "architecture {sm_10}", "code", "{", "}", "=", "name", "bincode", "const", "mem", "0x1", "7", "segnum",
            "offset", "bytes", "reg", "sampler", "é", "\n", "0x",
        ]), 0..40)) {
        let _ = read_cubin(words.join(" ").as_bytes());
    }

    /// A good file with random bytes changed is read or gives an error.
    #[test]
    fn damaged_files_never_panic(
        is_64: bool,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut file = large(is_64);
        for (index, value) in changes {
            let at = index.index(file.len());
            file[at] = value;
        }
        if let Ok(mut cubin) = read_cubin(&file) {
            let _ = cubin.place_globals(0x1000);
        }
    }
}
