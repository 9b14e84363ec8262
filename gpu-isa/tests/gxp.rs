//! Compiled shaders of the PS Vita: both programs of a file, and damaged files.

use flexgrip_gpu_isa::gxp::{Gxp, GxpError};

/// A file with `primary` and `secondary` instructions, the secondary ones first, as compilers lay them out.
fn file(primary: &[u64], secondary: &[u64]) -> Vec<u8> {
    let mut file = vec![0; 0xb0];
    file[..4].copy_from_slice(b"GXP\0");
    let mut put = |at: usize, value: usize| file[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes());
    let end = 0xb0 + 8 * secondary.len();
    put(0x08, end + 8 * primary.len());
    put(0x14, 0x18_0001);
    put(0x3c, primary.len());
    put(0x40, end - 0x40);
    put(0x44, secondary.len());
    put(0x48, 0xb0 - 0x48);
    put(0x4c, end - 0x4c);
    for word in secondary.iter().chain(primary) {
        file.extend(word.to_le_bytes());
    }
    file
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

const PRIMARY: &[u64] = &[0xfa44_0700_0000_0000, 0x4080_0d7e_f019_8002];
const SECONDARY: &[u64] = &[0x3880_0d21_830c_0080];

#[test]
fn both_programs_of_a_file_are_read() {
    let gxp = Gxp::read(&file(PRIMARY, SECONDARY)).unwrap();
    assert!(gxp.fragment);
    assert_eq!(gxp.primary, bytes(PRIMARY));
    assert_eq!(gxp.secondary, bytes(SECONDARY));
    // The file may have padding after its own bytes.
    let mut padded = file(PRIMARY, &[]);
    padded.extend([0; 5]);
    let gxp = Gxp::read(&padded).unwrap();
    assert_eq!((gxp.primary, gxp.secondary), (bytes(PRIMARY), vec![]));
}

#[test]
fn damaged_files_are_refused() {
    let whole = file(PRIMARY, SECONDARY);
    assert_eq!(Gxp::read(b""), Err(GxpError::Magic));
    assert_eq!(Gxp::read(b"GXP"), Err(GxpError::Magic));
    let short = GxpError::Short {
        bytes: 4,
        expected: 0x50,
    };
    assert_eq!(Gxp::read(b"GXP\0"), Err(short));
    for length in 4..whole.len() {
        assert!(
            matches!(Gxp::read(&whole[..length]), Err(GxpError::Short { .. })),
            "{length}"
        );
    }
    let with = |at: usize, value: u32| {
        let mut file = whole.clone();
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
        Gxp::read(&file)
    };
    assert!(matches!(
        with(0x3c, 3),
        Err(GxpError::Outside { program: "primary", .. })
    ));
    assert!(matches!(with(0x3c, u32::MAX), Err(GxpError::Outside { .. })));
    assert!(matches!(with(0x40, u32::MAX), Err(GxpError::Outside { .. })));
    assert!(matches!(
        with(0x48, u32::MAX),
        Err(GxpError::Uneven {
            program: "secondary",
            ..
        })
    ));
    assert!(matches!(with(0x4c, 0), Err(GxpError::Uneven { .. })));
    assert!(matches!(with(0x4c, 0x6b), Err(GxpError::Uneven { .. })));
    // Changed bytes of the header do not make the reader panic.
    for at in 0..0x50 {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut file = whole.clone();
            file[at] = value;
            let _ = Gxp::read(&file).map(|gxp| gxp.primary.len());
        }
    }
}

/// The secondary program's text has `sa` as the name of its register files.
#[test]
fn register_files_have_one_name() {
    use flexgrip_gpu_isa::text::print::row_text_with;
    let usse = flexgrip_gpu_isa::set("usse").unwrap();
    for (word, primary, secondary) in [
        (0x3880_0d21_830c_0080, "VMOV.f32 o6.xy pa4.xy", "VMOV.f32 sa6.xy sa4.xy"),
        (0x3880_0d20_83f0_0000, "VMOV.f32 i0.xy pa0.xy", "VMOV.f32 i0.xy sa0.xy"),
        (
            0x3886_050a_4334_0040,
            "VMOV.f32 pa26.xy c1.yy",
            "VMOV.f32 sa26.xy c1.yy",
        ),
        (0x08c2_4181_8012_103c, "VADD o0.xy 0 i0.xy", "VADD sa0.xy 0 i0.xy"),
    ] {
        let row = usse.find(word).unwrap();
        let text = |files| row_text_with(row, word, 0, files);
        assert_eq!(text(None).split(" ?").next(), Some(primary));
        assert_eq!(text(Some("sa")).split(" ?").next(), Some(secondary));
    }
}
