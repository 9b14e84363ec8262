//! The control table: the operation, operands and lines that each row of the ISA table requests from its unit.

use super::control::Line::{Bit, Number, Variant, When};
use super::control::{Control, Line, Reading};
use flexgrip_isa::reference::heading;
use flexgrip_isa::table::fields::*;
use flexgrip_isa::table::{Role, Row};
use flexgrip_isa::Operation;

// ---- Readings ---------------------------------------------------------------------------------------------------

type Lines = &'static [Line];
type Reads = &'static [Reading];

const SUM_LINES: Lines =
    &[When("integer.negate_last", &[1]), When("integer.negate_first", &[2]), When("integer.carry_in", &[3])];
const SUM: Reading = Reading::long("sum", ADD_KIND, SUM_LINES).or_short(ADD_KIND);
const PRODUCT_SUM: Reading = Reading::long("product_sum", MAD_ADD_KIND, SUM_LINES).or_short(ADD_KIND);

const CLAMP: Reading = Reading::long("clamp", SATURATE_59, &[Bit("integer.saturate")]).or_short(SATURATE_8);
const SIGN: Reading = Reading::long("sign", SIGNED_59, &[Bit("integer.is_signed")]).or_short(SIGNED_8);

const PRODUCT: Reading = Reading::long(
    "mul",
    MUL_KIND,
    &[
        When("integer.multiply_signed_a", &[2, 3, 6, 7]),
        When("integer.multiply_signed_b", &[1, 3, 6, 7]),
        When("integer.multiply_24", &[4, 5, 6, 7]),
        When("integer.multiply_high", &[5, 7]),
    ],
)
.or_short(MUL_KIND_SHORT);
const MAD: Reading = Reading::long(
    "mad",
    MAD_KIND,
    &[
        When("integer.multiply_signed_a", &[1, 2, 4, 5, 7]),
        When("integer.multiply_signed_b", &[1, 2, 4, 5, 7]),
        When("integer.multiply_24", &[3, 4, 5, 6, 7]),
        When("integer.multiply_high", &[6, 7]),
        When("integer.saturate", &[2, 5]),
    ],
);
/// Used for opcode 7, which only has 24-bit products.
const MAD_7: Reading = Reading::long(
    "mad_7",
    MAD_KIND_7,
    &[
        When("integer.multiply_signed_a", &[0]),
        When("integer.multiply_signed_b", &[0]),
        When("integer.multiply_high", &[0]),
        When("integer.saturate", &[0]),
    ],
);
const MAD_SHORT: Reading = Reading::short(
    "mad_short",
    MAD_KIND_SHORT,
    &[
        When("integer.multiply_signed_a", &[1, 2]),
        When("integer.multiply_signed_b", &[1, 2]),
        When("integer.multiply_24", &[3]),
        When("integer.saturate", &[2]),
    ],
);

const LOGIC_FUNCTION: Reading =
    Reading::long("logic_function", LOGIC, &[Number("integer.logic_function")]).or_short(LOGIC_SHORT);
const INVERT_A: Reading = Reading::long("invert_1", INVERT_1, &[Bit("integer.invert_a")]).or_short(INVERT_1_SHORT);
const INVERT_B: Reading = Reading::long("invert_2", INVERT_2, &[Bit("integer.invert_b")]);
const COMPARISON: Reading = Reading::long(
    "compare",
    COMPARE,
    &[
        When("integer.compare_less", &[1, 3, 5, 7]),
        When("integer.compare_equal", &[2, 3, 6, 7]),
        When("integer.compare_greater", &[4, 5, 6, 7]),
    ],
);

const SOURCE_TYPE: Reading = Reading::long(
    "source_type",
    CONVERT_FROM,
    &[
        Variant("integer.source_width", "IntegerWidth", CONVERT_FROM_WIDTHS),
        When("integer.source_signed", &[4, 5, 6, 7]),
        Variant("float.source_width", "IntegerWidth", CONVERT_FROM_WIDTHS),
        When("float.source_signed", &[4, 5, 6, 7]),
    ],
);
const CONVERT_FROM_WIDTHS: &[&str] = &["Half", "Word", "Byte", "Byte", "Half", "Word", "Byte", "Byte"];
const RESULT_TYPE: Reading = Reading::long(
    "result_type",
    CONVERT_TO,
    &[
        Variant(
            "integer.result_width",
            "IntegerWidth",
            &["Half", "Word", "Half", "Word", "Byte", "Byte", "Byte", "Byte"],
        ),
        When("integer.result_signed", &[2, 3, 6, 7]),
    ],
);
const INTEGER_RESULT: Reading = Reading::long(
    "integer_result",
    WIDE_SIGNED,
    &[When("float.result_narrow", &[0, 2]), When("float.result_signed", &[2, 3])],
);
const CONVERT_SIGN: Reading = Reading::long("negate_61", NEGATE_61, &[Bit("integer.negate"), Bit("float.negate_a")]);
const CONVERT_CLAMP: Reading = Reading::long("clamp_51", SATURATE_51, &[Bit("float.saturate")]);
const CONVERT_ROUNDING: Reading = Reading::long("rounding_49", ROUND_49, &[Number("float.rounding")]);
const ROUNDS_TO_INTEGRAL: Reading = Reading::long("rounds_to_integral", INTEGRAL, &[Bit("float.integral")]);

const ABSOLUTE_A: Reading =
    Reading::long("absolute_1", ABSOLUTE, &[Bit("integer.absolute"), Bit("float.absolute_a"), Bit("special.absolute")]);
const NEGATE_A: Reading =
    Reading::long("negate_1", NEGATE_58, &[Bit("float.negate_a"), Bit("special.negate")]).or_short(NEGATE_15);
const ABSOLUTE_B: Reading = Reading::long("absolute_2", ABSOLUTE_51, &[Bit("float.absolute_b")]);
const NEGATE_B: Reading = Reading::long("negate_2", NEGATE_59, &[Bit("float.negate_b")]).or_short(NEGATE_22);
const NEGATE_C: Reading = Reading::long("negate_3", NEGATE_59, &[Bit("float.negate_c")]).or_short(NEGATE_22);
const NEGATE_C_61: Reading = Reading::long("select_negate_3", NEGATE_61, &[Bit("float.negate_c")]);
const FLOAT_CLAMP: Reading = Reading::long("float_clamp", SATURATE_61, &[Bit("float.saturate")]).or_short(SATURATE_8);
const SUM_ROUNDING: Reading = Reading::long("rounding_16", ROUND_16, &[Number("float.rounding")]);
const PRODUCT_ROUNDING: Reading = Reading::long("rounding_46", ROUND_46, &[Number("float.rounding")]);
const FLOAT_COMPARISON: Reading = Reading::long(
    "compare_float",
    COMPARE_FLOAT,
    &[
        When("float.compare_less", &[1, 3, 5, 7, 9, 11, 13, 15]),
        When("float.compare_equal", &[2, 3, 6, 7, 10, 11, 14, 15]),
        When("float.compare_greater", &[4, 5, 6, 7, 12, 13, 14, 15]),
        When("float.compare_unordered", &[8, 9, 10, 11, 12, 13, 14, 15]),
    ],
);
const REDUCTION: Reading = Reading::long(
    "reduction",
    RRO_KIND,
    &[Variant("float.operation", "FloatOperation", &["ReduceSine", "ReducePower"])],
);
const SPECIAL_CLAMP: Reading = Reading::long("special_clamp", SATURATE_59, &[Bit("special.saturate")]);
const RCP_ABSOLUTE_SHORT: Reading = Reading::short("absolute_short", ABSOLUTE_15, &[Bit("special.absolute")]);
const RCP_NEGATE_SHORT: Reading = Reading::short("negate_short", NEGATE_22, &[Bit("special.negate")]);

const SIGNS_1: Reads = &[ABSOLUTE_A, NEGATE_A];
const SIGNS_1_AND_2: Reads = &[ABSOLUTE_A, NEGATE_A, ABSOLUTE_B, NEGATE_B];

/// F2F: the row selects the halves.
const F2F_READS: Reads = &[ABSOLUTE_A, CONVERT_SIGN, CONVERT_CLAMP];
const F2F_ROUNDED_READS: Reads = &[ABSOLUTE_A, CONVERT_SIGN, CONVERT_CLAMP, CONVERT_ROUNDING];
const F2I_READS: Reads = &[ABSOLUTE_A, CONVERT_SIGN, CONVERT_ROUNDING, INTEGER_RESULT];
const I2F_READS: Reads = &[ABSOLUTE_A, CONVERT_SIGN, CONVERT_ROUNDING, CONVERT_CLAMP, SOURCE_TYPE];

// ---- The table --------------------------------------------------------------------------------------------------

/// Source 3 is operand b: the second addend, or the stored value.
const B_IS_3: [Role; 3] = [Role::Source1, Role::Source3, Role::Source2];
const MULTIPLY: Control = Control::new("Multiply");
const TO_FLOAT: Control = Control::new("ToFloat");

/// Rows with their control. The name of a row is its heading on the instruction's page ([`heading`]) or the part before
/// a comma: `IADD32`, or `IMAD, long, bit 28 is 0` if several rows share a mnemonic.
const CONTROLS: &[(&[&str], Control)] = &[
    // Integer lanes
    (&["MOV", "MOV32", "MVI", "MVC", "A2R", "C2R", "S2R", "NOP", "PMTRIG"], Control::new("Move")),
    (&["R2G"], Control::new("Move").operands(B_IS_3)),
    (&["R2A"], Control::new("Shift").operands([Role::Source1, Role::Inherent, Role::Source3])),
    (&["R2C"], Control::new("SetCode")),
    (&["I2I"], Control::new("Convert").reads(&[SOURCE_TYPE, RESULT_TYPE, ABSOLUTE_A, CONVERT_SIGN])),
    (&["IADD", "IADD32", "IADD32I"], Control::new("Add").operands(B_IS_3).reads(&[SUM, CLAMP])),
    (&["IMUL", "IMUL32", "IMUL32I"], MULTIPLY.reads(&[PRODUCT])),
    (&["IMAD, long, bit 28 is 0"], MULTIPLY.sets(&["integer.accumulate"]).reads(&[PRODUCT_SUM, MAD])),
    (
        &["IMAD, long, bit 28 is 1"],
        MULTIPLY.sets(&["integer.accumulate", "integer.multiply_24"]).reads(&[PRODUCT_SUM, MAD_7]),
    ),
    (&["IMAD32", "IMAD32I"], MULTIPLY.sets(&["integer.accumulate"]).reads(&[PRODUCT_SUM, MAD_SHORT])),
    (&["ISAD", "ISAD32"], Control::new("SumDistance").reads(&[SIGN])),
    (&["SHL"], Control::new("Shift")),
    (&["SHR"], Control::new("Shift").sets(&["integer.shift_right"]).reads(&[SIGN])),
    (&["LOP"], Control::new("Logic").reads(&[LOGIC_FUNCTION, INVERT_A, INVERT_B])),
    (&["LOP32I"], Control::new("Logic").reads(&[LOGIC_FUNCTION, INVERT_A])),
    (&["ISET"], Control::new("Set").reads(&[SIGN, COMPARISON])),
    (&["IMAX"], Control::new("MinMax").sets(&["integer.maximum"]).reads(&[SIGN])),
    (&["IMIN"], Control::new("MinMax").reads(&[SIGN])),
    // Branch unit
    (&["KIL"], Control::new("Kill")),
    (&["BRA"], Control::new("Branch")),
    (&["CAL"], Control::new("Call")),
    (&["RET"], Control::new("Return")),
    (&["PBK"], Control::new("PushBreak")),
    (&["BRK"], Control::new("Break")),
    (&["BAR"], Control::new("Barrier")),
    (&["TRAP", "TRAP32"], Control::new("Trap")),
    (&["BPT", "BPT32"], Control::new("Breakpoint")),
    (&["SSY"], Control::new("PushJoin")),
    // Load and store unit
    (&["GLD", "LLD"], Control::new("Load")),
    (&["GST", "LST"], Control::new("Store").operands(B_IS_3)),
    // Float lanes
    (&["FADD"], Control::new("Add").reads(&[NEGATE_A, NEGATE_C, FLOAT_CLAMP, SUM_ROUNDING])),
    (&["FADD32", "FADD32I"], Control::new("Add").reads(&[NEGATE_A, NEGATE_C, FLOAT_CLAMP])),
    (&["FMUL"], MULTIPLY.reads(&[NEGATE_A, NEGATE_B, PRODUCT_ROUNDING])),
    (&["FMUL32", "FMUL32I"], MULTIPLY.reads(&[NEGATE_A, NEGATE_B])),
    (&["FMAD", "FMAD32", "FMAD32I"], Control::new("MultiplyAdd").reads(&[NEGATE_A, NEGATE_C, FLOAT_CLAMP])),
    (&["FSET"], Control::new("Set").reads(&[ABSOLUTE_A, NEGATE_A, ABSOLUTE_B, NEGATE_B, FLOAT_COMPARISON])),
    (&["FMAX"], Control::new("MinMax").sets(&["float.maximum"]).reads(SIGNS_1_AND_2)),
    (&["FMIN"], Control::new("MinMax").reads(SIGNS_1_AND_2)),
    (&["FSLCT"], Control::new("Select").reads(&[NEGATE_C_61])),
    (&["FSWZ"], Control::new("Add").operands([Role::Source3, Role::Source1, Role::Source2]).sets(&["swizzles"])),
    (&["RRO"], Control::new("ReduceSine").reads(&[ABSOLUTE_A, NEGATE_A, REDUCTION])),
    (&["F2F.F32.F32, long, bit 59 is 0"], TO_FLOAT.reads(F2F_READS)),
    (&["F2F.F32.F32, long, bit 59 is 1"], TO_FLOAT.sets(&["float.integral"]).reads(F2F_ROUNDED_READS)),
    (&["F2F.F16.F16, long, bit 59 is 0"], TO_FLOAT.sets(&["float.source_half", "float.result_half"]).reads(F2F_READS)),
    (
        &["F2F.F16.F16, long, bit 59 is 1"],
        TO_FLOAT.sets(&["float.source_half", "float.result_half", "float.integral"]).reads(F2F_ROUNDED_READS),
    ),
    (
        &["F2F.F16.F32"],
        TO_FLOAT.sets(&["float.result_half"]).reads(&[
            ABSOLUTE_A,
            CONVERT_SIGN,
            CONVERT_CLAMP,
            CONVERT_ROUNDING,
            ROUNDS_TO_INTEGRAL,
        ]),
    ),
    (&["F2F.F32.F16, long, bit 59 is 0"], TO_FLOAT.sets(&["float.source_half"]).reads(F2F_READS)),
    (
        &["F2F.F32.F16, long, bit 59 is 1"],
        TO_FLOAT.sets(&["float.source_half", "float.integral"]).reads(F2F_ROUNDED_READS),
    ),
    (&["F2I.F32"], Control::new("ToInteger").reads(F2I_READS)),
    (&["F2I.F16"], Control::new("ToInteger").sets(&["float.source_half"]).reads(F2I_READS)),
    (&["I2F.F32"], Control::new("FromInteger").reads(I2F_READS)),
    (&["I2F.F16"], Control::new("FromInteger").sets(&["float.result_half"]).reads(I2F_READS)),
    // Special function unit
    (&["RCP"], Control::new("Reciprocal").reads(SIGNS_1)),
    (&["RCP32"], Control::new("Reciprocal").reads(&[RCP_ABSOLUTE_SHORT, RCP_NEGATE_SHORT])),
    (&["RSQ"], Control::new("ReciprocalRoot").reads(SIGNS_1)),
    (&["LG2"], Control::new("Logarithm").reads(SIGNS_1)),
    (&["SIN"], Control::new("Sine")),
    (&["COS"], Control::new("Cosine")),
    (&["EX2"], Control::new("Power").reads(&[SPECIAL_CLAMP])),
];

/// True if `name` is the whole heading, or its part before a comma.
fn names(name: &str, heading: &str) -> bool {
    heading.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
}

/// The control of a row. An operation that is defined by its name alone ([`Operation::Plain`]) is the unit's operation
/// with this name: its row needs no entry. An error names the row that has no entry or several.
pub(crate) fn control_of(row: &Row) -> Result<Control, String> {
    let heading = heading(row);
    let mut entries = CONTROLS.iter().filter(|(rows, _)| rows.iter().any(|name| names(name, &heading)));
    match (entries.next(), entries.next(), (row.operation)(row.pattern.value)) {
        (Some((_, control)), None, _) => Ok(*control),
        (None, _, Operation::Plain(plain)) => Ok(Control::new(plain.name())),
        (None, ..) => Err(format!("{heading}: no entry in CONTROLS, hdl/decode/src/table.rs")),
        _ => Err(format!("{heading}: several entries in CONTROLS, hdl/decode/src/table.rs")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flexgrip_isa::table::ROWS;

    /// An entry for a row that was renamed or removed would do nothing.
    #[test]
    fn every_name_is_of_an_executed_row() {
        let headings: Vec<String> = ROWS.iter().filter(|row| row.executes()).map(heading).collect();
        for name in CONTROLS.iter().flat_map(|(rows, _)| *rows) {
            assert!(headings.iter().any(|heading| names(name, heading)), "{name}: no executed row has this name");
        }
    }

    #[test]
    fn every_executed_row_has_one_control() {
        let errors: Vec<String> =
            ROWS.iter().filter(|row| row.executes()).filter_map(|row| control_of(row).err()).collect();
        assert!(errors.is_empty(), "{}", errors.join("\n"));
    }
}
