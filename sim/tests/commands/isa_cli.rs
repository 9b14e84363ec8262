//! Tests `flexgrip explain` and `flexgrip isa`: their output, and their errors for wrong arguments.

mod control_codes;
mod other_sets;

use super::printed;
use crate::common::command;

/// The single line of an error, with exit code 1.
#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let text = super::refused(1, arguments);
    assert_eq!(text.lines().count(), 1, "{text}");
    text.strip_prefix("error: ").unwrap().trim_end().to_string()
}

#[test]
fn words_are_explained_in_every_notation() {
    let text = printed(&["explain", "0x04000780a0000005"]);
    assert!(text.contains("\nI2I.U32.U16 R1, R0L\n"), "{text}");
    assert!(
        text.contains("\n51, 59, 58  destination type      0x1    001           32 bits, unsigned (.U32)\n"),
        "{text}"
    );
    assert!(text.contains("\nreads         R0L\n"), "{text}");
    for same in [
        &["explain", "a0000005", "04000780"][..],
        &["explain", "/* a0000005 04000780 */"],
        &["explain", "0x0400_0780_A000_0005"],
        &["explain", "04000780a0000005"],
    ] {
        assert_eq!(printed(same), text, "{same:?}");
    }
    let two = printed(&["explain", "10008000", "a0000005", "04000780"]);
    assert!(two.starts_with("0x10008000\n\nMOV32 R0, R0\n"), "{two}");
    assert!(two.ends_with(&text), "{two}");
    // A control code of zeros after the low half, as one compiler writes it.
    assert!(printed(&["explain", "0x00000000a0008003"]).contains("\nSSY 0x40\n"));
}

#[test]
fn undefined_words_are_explained() {
    let text = printed(&["explain", "0x6000000010000201"]);
    assert!(text.contains("is not an instruction"), "{text}");
    assert!(text.contains("VOTE needs 1.2 (--capability 1.2)"), "{text}");
    let text = printed(&["explain", "--capability", "1.2", "0x6000000010000201"]);
    assert!(
        text.contains("\nVOTE.ANY C0, C0.FALSE\n") && !text.contains("is not an instruction"),
        "{text}"
    );
    let text = printed(&["explain", "20000001", "00000a00"]);
    assert!(text.contains("IADD has no condition 0x14"), "{text}");
    assert!(text.contains("UNDEFINED: no condition has this code"), "{text}");
}

#[test]
fn wrong_words_are_refused() {
    for (arguments, message) in [
        (
            &["explain", "IADD"][..],
            "word 1, `IADD`: it is not all hexadecimal digits; ",
        ),
        (&["explain", "0x"], "word 1, `0x`: it has no digits; "),
        (&["explain", "--", "-1"], "word 1, `-1`: a word cannot have a sign; "),
        (
            &["explain", "0x104000780a0000005"],
            "word 1, `0x104000780a0000005`: it has more than 64 bits; ",
        ),
        (
            &["explain", "a0000005"],
            "word 1, `a0000005`: bit 0 is 1, so this is the low half ",
        ),
        (
            &["explain", "10008000", "a0000005"],
            "word 2, `a0000005`: bit 0 is 1, so this is the low half ",
        ),
        (
            &["explain", "a0000005", "0x04000780a0000005"],
            "word 2, `0x04000780a0000005`: the word before it is the low half ",
        ),
        (
            &["explain", "0x1000800010008000"],
            "word 1, `0x1000800010008000`: bit 0 is 0, so this is a short instruction",
        ),
        (&["explain", " "], "no instruction word; expected "),
    ] {
        let error = refused(arguments);
        assert!(error.starts_with(message), "{arguments:?}: {error}");
        assert!(
            error.contains("expected") || error.contains("another instruction"),
            "{error}"
        );
    }
}

#[test]
fn instructions_are_listed_and_described() {
    let all = printed(&["isa"]);
    assert_eq!(all.lines().count(), flexgrip_isa::table::all_rows().count() + 1);
    for name in ["IADD32I", "TEX.LB.CUBE", "FSLCT", "BPT32"] {
        assert!(all.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}");
    }
    let page = printed(&["isa", "IADD"]);
    for part in [
        "IADD[.S|.EXIT][.CARRYn][.SAT][.U16][.Cn] dst [(Cn.condition)]",
        "IADD32I, immediate",
        "In section IADD32:",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(printed(&["isa", "iadd32i"]), page);
    assert_eq!(
        refused(&["isa", "IADE"]),
        "there is no instruction `IADE`; did you mean IADD?"
    );
    assert_eq!(
        refused(&["isa", "IPA"]),
        "there is no instruction `IPA`: it is for graphics programs, meaningless in a compute kernel"
    );
    assert!(printed(&["isa", "G2R"]).contains("Since compute capability 1.1."));
}

#[test]
fn help_has_examples() {
    assert!(printed(&["explain", "--help"]).contains("flexgrip explain a0000005 04000780"));
    assert!(printed(&["isa", "--help"]).contains("flexgrip isa IADD"));
    assert_eq!(command(&["explain"]).status.code(), Some(2));
}
