//! Cubins in text, of CUDA before 3.0.

use super::error;
use flexgrip_isa::cubin::{read_cubin, CubinKernel, CubinPlace, SymbolSpace};
use flexgrip_isa::{Capability, ConstantBlock};

/// In the style of decuda's `tests/sev1const.cubin` and of CUDA 2.3's files, with a second kernel.
const TEXT: &str = "\
architecture {sm_11}
abiversion   {1}
modname      {cubin}
consts  {
\tname = table
\tsegname = const
\tsegnum = 0
\toffset = 80
\tbytes = 56000
}
consts  {
\tname = bla
\tsegname = const
\tsegnum = 0
\toffset = 0
\tbytes = 6
\tmem  {
\t\t0x00000003 0000000000
\t}
}
sampler  {
\tname = ref2
\ttexunit = 1
}
code  {
\tname = my_kernel
\tlmem = 0
\tsmem = 32
\treg = 2
\tbar = 0
\tbincode  {
\t\t0x1100e804 0x1100ec00 0xd00e0001 0x80c00780
\t\t0x30800001 0x8c000780 0xd00e0201 0xa0c00781
\t}
}
code {
\tname = _Z3addPfS_
\tlmem = 16
\tsmem = 28
\treg  = 4
\tbar  = 1
\tparams_SMEM {
\t\tp = { 0 4 }
\t}
\tbincode {
\t\t0x861ffe03 0000000000 0x30000003 0x00000780
\t}
\tconst {
\t\t\tsegname = const
\t\t\tsegnum  = 1
\t\t\toffset  = 4
\t\t\tbytes   = 8
\t\tmem {
\t\t\t0x3f800000 0x7f
\t\t}
\t}
}
";

#[test]
fn text_cubins_load() {
    let cubin = read_cubin(TEXT.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(cubin.capability, Capability::V1_1);
    assert_eq!(cubin.kernels.len(), 2);
    let first = &cubin.kernels[0];
    assert_eq!(
        (first.name.as_str(), first.registers, first.shared_bytes),
        ("my_kernel", 2, 32)
    );
    assert_eq!((first.words.len(), first.words[7]), (8, 0xa0c0_0781));
    assert_eq!(
        cubin.kernel("_Z3addPfS_").unwrap(),
        &CubinKernel {
            name: "_Z3addPfS_".into(),
            words: vec![0x861f_fe03, 0, 0x3000_0003, 0x780],
            entry: 0,
            registers: 4,
            shared_bytes: 28,
            local_bytes: 16,
            barriers: 1,
            parameter_bytes: None,
            constants: vec![ConstantBlock {
                bank: 1,
                offset: 4,
                words: vec![0x3f80_0000, 0x7f],
            }],
        }
    );
    // Only segments with contents become contents; both are variables.
    assert_eq!(
        cubin.constants,
        [ConstantBlock {
            bank: 0,
            offset: 0,
            words: vec![3, 0],
        }]
    );
    let symbols: Vec<_> = cubin
        .symbols
        .iter()
        .map(|symbol| (symbol.name.as_str(), symbol.offset, symbol.bytes))
        .collect();
    assert_eq!(symbols, [("table", 80, 56000), ("bla", 0, 6)]);
    assert_eq!(cubin.globals, None);
}

/// A text cubin with variables in global memory can only be listed, because it does not record which words hold their
/// addresses.
#[test]
fn text_cubins_with_variables_are_only_listed() {
    let variable = "reloc { name = counter segname = reloc segnum = 14 offset = 8 bytes = 4 }\ncode  {";
    let plain = read_cubin(TEXT.as_bytes()).unwrap();
    assert_eq!(plain.not_to_run, None);
    let cubin = read_cubin(TEXT.replacen("code  {", variable, 1).as_bytes()).unwrap();
    assert_eq!(cubin.kernels, plain.kernels);
    let counter = cubin
        .symbols
        .iter()
        .find(|symbol| symbol.space == SymbolSpace::Global)
        .unwrap();
    assert_eq!(
        (counter.name.as_str(), counter.offset, counter.bytes),
        ("counter", 8, 4)
    );
    let reason = cubin.not_to_run.unwrap();
    assert_eq!(reason.place, CubinPlace::Line(25, 1));
    assert!(reason.message.contains("a variable in global memory") && reason.message.contains("ELF"));
    for (from, to, line) in [
        ("params_SMEM {", "constrelocs {", Some(42)),
        ("\treg = 2\n", "\treg = 2 constrelocs { }\n", None),
    ] {
        let cubin = read_cubin(TEXT.replace(from, to).as_bytes()).unwrap();
        assert_eq!(cubin.kernels, plain.kernels, "{to}");
        assert_eq!(
            cubin.not_to_run.map(|reason| reason.place),
            line.map(|line| CubinPlace::Line(line, 2))
        );
    }
    let wrong = error(
        TEXT.replacen("code  {", "reloc { segname = const } code  {", 1)
            .as_bytes(),
    );
    assert!(wrong.message.contains("expected the segment `reloc`"), "{wrong}");
}

/// An editor may have put a byte-order mark before the text.
#[test]
fn text_cubins_may_have_a_byte_order_mark() {
    let marked = read_cubin(format!("\u{feff}{TEXT}").as_bytes()).unwrap();
    assert_eq!(marked, read_cubin(TEXT.as_bytes()).unwrap());
}

#[test]
fn text_cubins_that_are_refused() {
    assert!(read_cubin(TEXT.as_bytes()).is_ok());
    for (from, to, line, column, words) in [
        ("sm_11", "sm_20", 1, 15, "for `sm_20`; expected sm_10"),
        ("architecture {sm_11}\n", "", 56, 2, "no architecture"),
        ("abiversion   {1}", "abiversion 1", 2, 12, "expected `{`, found `1`"),
        ("sampler", "samples", 21, 1, "found `samples`"),
        ("\tname = my_kernel\n", "", 25, 1, "has no name"),
        ("_Z3addPfS_", "my_kernel", 36, 1, "two kernels `my_kernel`"),
        ("smem = 32", "mem = 32", 28, 2, "unknown entry `mem` of a kernel"),
        ("reg = 2", "reg = two", 29, 8, "expected a 32-bit number, found `two`"),
        ("reg = 2", "reg = 4294967296", 29, 8, "expected a 32-bit number"),
        ("reg = 2", "reg 2", 29, 2, "unknown entry `reg` of a kernel"),
        ("\treg = 2\n", "", 25, 1, "no registers"),
        ("0x80c00780", "80c00780", 32, 36, "expected a word, 0x"),
        ("0x80c00780", "0x080c00780", 32, 36, "expected a word, 0x"),
        ("0x80c00780", "=", 32, 36, "found `=`"),
        ("segnum  = 1", "segnum  = 16", 50, 14, "no constant bank 16"),
        ("segnum  = 1", "", 48, 2, "has no `segnum`"),
        ("bytes   = 8", "bytes   = 12", 48, 2, "has 12 bytes, but 2 words"),
        ("offset  = 4", "offset  = 2", 48, 2, "offset 2"),
        (
            "segname = const\n\t\t\tsegnum",
            "segname = local\n\t\t\tsegnum",
            49,
            14,
            "found `local`",
        ),
        ("params_SMEM {", "reloc {", 42, 2, "unknown entry `reloc` of a kernel"),
    ] {
        assert_eq!(TEXT.matches(from).count(), 1, "{from}");
        let error = error(TEXT.replace(from, to).as_bytes());
        assert_eq!(error.place, CubinPlace::Line(line, column), "{from}: {error}");
        assert!(error.message.contains(words), "{from}: {error}");
    }
    assert!(error(b"")
        .to_string()
        .starts_with("1:1: the file names no architecture"));
    assert!(error(b"architecture {sm_10}\nsampler { {")
        .to_string()
        .starts_with("2:9: this brace is not closed"));
    for length in 0..TEXT.len() - 1 {
        let file = &TEXT[..length];
        match read_cubin(file.as_bytes()) {
            // A cut between the two kernels leaves a complete file.
            Ok(cubin) => assert!(cubin.kernels.len() == 1 && file.trim_end().ends_with('}')),
            Err(error) => assert!(matches!(error.place, CubinPlace::Line(..)), "{error}"),
        }
    }
}
