//! The operations with which IOC replaces an operation.

use flexgrip_isa::{parse_instruction, Meaning, Operand, Operation};

/// The names of the operations, with an instruction for each. There are as many as in the published model.
const OPERATIONS: [(&str, &str); 36] = [
    ("IADD", "IADD R0, R0, R0"),
    ("ISUB", "IADD R0, R0, -R0"),
    ("IMUL.U24", "IMUL.U24.U24 R0, R0, R0"),
    ("IMUL.S24", "IMUL.S24.S24 R0, R0, R0"),
    ("IMUL.U16", "IMUL.U16.U16 R0, R0L, R0L"),
    ("IMUL.S16", "IMUL.S16.S16 R0, R0L, R0L"),
    ("IMAD.U24", "IMAD.U24 R0, R0, R0, R0"),
    ("IMAD.S24", "IMAD.S24 R0, R0, R0, R0"),
    ("IMAD.U16", "IMAD.U16 R0, R0L, R0L, R0"),
    ("ISAD", "ISAD R0, R0, R0, R0"),
    ("SHL", "SHL R0, R0, R0"),
    ("SHR", "SHR R0, R0, R0"),
    ("SHR.S32", "SHR.S32 R0, R0, R0"),
    ("LOP.AND", "LOP.AND R0, R0, R0"),
    ("LOP.OR", "LOP.OR R0, R0, R0"),
    ("LOP.XOR", "LOP.XOR R0, R0, R0"),
    ("ISET.S32", "ISET.S32 R0, R0, R0, LT"),
    ("IMIN", "IMIN R0, R0, R0"),
    ("IMIN.S32", "IMIN.S32 R0, R0, R0"),
    ("IMAX", "IMAX R0, R0, R0"),
    ("IMAX.S32", "IMAX.S32 R0, R0, R0"),
    ("FADD", "FADD R0, R0, R0"),
    ("FMUL", "FMUL R0, R0, R0"),
    ("FMAD", "FMAD R0, R0, R0, R0"),
    ("FSET", "FSET R0, R0, R0, LT"),
    ("FMIN", "FMIN R0, R0, R0"),
    ("FMAX", "FMAX R0, R0, R0"),
    ("FSLCT", "FSLCT R0, R0, R0, R0"),
    ("F2I.S32", "F2I.S32.F32 R0, R0"),
    ("I2F.S32", "I2F.F32.S32 R0, R0"),
    ("RCP", "RCP R0, R0"),
    ("RSQ", "RSQ R0, R0"),
    ("LG2", "LG2 R0, R0"),
    ("SIN", "SIN R0, R0"),
    ("COS", "COS R0, R0"),
    ("EX2", "EX2 R0, R0"),
];

/// The names of the operations.
pub fn names() -> impl Iterator<Item = &'static str> {
    OPERATIONS.iter().map(|(name, _)| *name)
}

/// The operation with this name.
pub fn operation(name: &str) -> Option<Operation> {
    let (_, text) = OPERATIONS.iter().find(|(known, _)| *known == name)?;
    Some(parse_instruction(text).ok()?.operation())
}

/// The instruction with a different operation on the same operands. Sums have sources 1 and 3, products 1 and 2: the
/// missing one is replaced by the other. Halves of registers and operands in memory are read unchanged.
pub fn with_operation(meaning: &Meaning, operation: Operation) -> Meaning {
    let [first, second, third] = meaning.sources;
    let missing = |operand: Option<Operand>, other: Option<Operand>| operand.or(other);
    Meaning {
        operation,
        sources: [first, missing(second, third), missing(third, second)],
        ..*meaning
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_operations() {
        let all: Vec<Operation> = names()
            .map(|name| operation(name).unwrap_or_else(|| panic!("{name}")))
            .collect();
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one), "{one:?}");
        }
        assert_eq!(operation("NOP"), None);
    }
}
