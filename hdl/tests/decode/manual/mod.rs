//! Compares the circuit and the `isa` table with a third decoder, written from the manual (`read.rs`).
//!
//! The circuit's rows are generated from the table, so an error in the table is in both, but not in the manual's
//! decoder. So both are compared with it, word by word.

use crate::checker::{access_code, Checker};
use flexgrip_hdl::bundles::{self, Decoded, IntegerOperation, Source};
use flexgrip_hdl::execute::float::FloatOperation;
use flexgrip_hdl::execute::special_function::SpecialOperation;
use flexgrip_isa as isa;
use isa::Operation;
use rand::{Rng, SeedableRng};
use read::{read, Half, OperandLocation, Pointer, Reading, Result, Unit};

mod read;

/// Random words of each of the four layouts.
const RANDOM: usize = if cfg!(feature = "soak") { 1_000_000 } else { 200_000 };

fn unit(unit: isa::Unit) -> Unit {
    match unit {
        isa::Unit::Integer => Unit::Integer,
        isa::Unit::Float => Unit::Float,
        isa::Unit::SpecialFunction => Unit::SpecialFunction,
        isa::Unit::Memory => Unit::Memory,
        isa::Unit::Branch => Unit::Flow,
        isa::Unit::Texture | isa::Unit::Double => panic!("there is no {unit}"),
    }
}

fn half(part: isa::RegisterPart) -> Half {
    match part {
        isa::RegisterPart::Full => Half::Whole,
        isa::RegisterPart::Low => Half::Low,
        isa::RegisterPart::High => Half::High,
    }
}

/// The table's operand. `mask` selects the bits that a number keeps.
fn operand_location(operand: isa::Operand, mask: u32) -> OperandLocation {
    let bytes = |offset: i32| u32::from(offset as u16);
    let access = |access| access_code(access) as u32;
    let pointer = |indirect: Option<isa::Indirect>| {
        indirect.map_or(Pointer::default(), |indirect| Pointer {
            register: indirect.register.into(),
            steps: indirect.post_increment,
        })
    };
    match operand {
        isa::Operand::Register { index, part } => OperandLocation::Register(index.into(), half(part)),
        isa::Operand::Shared { offset, access: size, indirect } => {
            OperandLocation::Shared { offset: bytes(offset), access: access(size), pointer: pointer(indirect) }
        }
        isa::Operand::Constant { bank, offset, access: size, indirect } => OperandLocation::Constant {
            address: u32::from(bank) * 4096 + bytes(offset),
            access: access(size),
            pointer: pointer(indirect),
        },
        isa::Operand::Local { offset, indirect } => {
            OperandLocation::Local { offset: bytes(offset), pointer: pointer(indirect) }
        }
        isa::Operand::Immediate(number) => OperandLocation::Number(number & mask),
        isa::Operand::Address(register) => OperandLocation::Address(register.into()),
        isa::Operand::ConditionCode(register) => OperandLocation::Code(register.into()),
        isa::Operand::Special(register) => OperandLocation::Special(register.into()),
    }
}

/// A word decoded by the table, in the manual's terms.
fn of_table(word: u64) -> Option<Reading> {
    let instruction = isa::decode(word).ok().filter(|instruction| instruction.executed())?;
    let name = instruction.row().name;
    let family = match name {
        "MVI" => "MOV",
        "PMTRIG" => "NOP",
        name => name.trim_end_matches("32I").trim_end_matches("32"),
    };
    let narrow = match instruction.operation() {
        Operation::Mov { width } | Operation::Iadd { width, .. } => width == isa::Width::B16,
        Operation::Imul16 { .. } => true,
        Operation::Imad { product, .. } => {
            matches!(product, isa::Product::U16 | isa::Product::S16 | isa::Product::SatS16)
        }
        _ => false,
    };
    let mask = if narrow { 0xffff } else { u32::MAX };
    let mut sources: Vec<OperandLocation> =
        instruction.sources().into_iter().flatten().map(|source| operand_location(source, mask)).collect();
    match instruction.operation() {
        Operation::R2a { shift } => sources.push(OperandLocation::Number(shift.into())),
        Operation::Fswz { thread: None, .. } => sources.truncate(1),
        _ => {}
    }
    sources.sort();
    let mut writes_code = instruction.cc_write().map(u32::from);
    let result = match instruction.destination() {
        isa::Destination::Register { index, part } => Result::Register(index.into(), half(part)),
        isa::Destination::Address(register) => Result::Address(register.into()),
        isa::Destination::ConditionCode(register) => {
            writes_code = Some(register.into());
            Result::Nowhere
        }
        isa::Destination::None | isa::Destination::Discard => Result::Nowhere,
    };
    let predicate = instruction.predicate();
    let condition = match predicate.condition.code() {
        15 => None,
        0 => Some((0, 0)),
        code => Some((code, predicate.register.into())),
    };
    Some(Reading {
        family: isa::reference::instructions().into_iter().find(|known| *known == family).unwrap_or("?"),
        unit: unit(instruction.row().unit),
        condition,
        result,
        writes_code,
        sources,
    })
}

/// The family of the circuit's operation, as far as the unit's operation identifies it: families that it does not
/// distinguish have one name.
fn circuit_family(decoded: &Decoded) -> String {
    match decoded.unit {
        bundles::Unit::Integer => format!("{:?}", decoded.integer.operation),
        bundles::Unit::Float => format!("{:?}", decoded.float.operation),
        bundles::Unit::SpecialFunction => format!("{:?}", decoded.special.operation),
        bundles::Unit::Memory => {
            format!("{}{}", if decoded.indexing.local { "L" } else { "G" }, if decoded.store { "ST" } else { "LD" })
        }
        bundles::Unit::Control => format!("{:?}", decoded.control),
    }
}

/// The corresponding name of the manual's family.
fn expected_family(reading: &Reading, decoded: &Decoded) -> String {
    let integer = |operation: IntegerOperation| format!("{operation:?}");
    let float = |operation: FloatOperation| format!("{operation:?}");
    let special = |operation: SpecialOperation| format!("{operation:?}");
    let control = |operation: bundles::ControlOperation| format!("{operation:?}");
    use bundles::ControlOperation as Flow;
    match reading.family {
        "MOV" | "MVC" | "R2G" | "A2R" | "C2R" | "S2R" | "NOP" => integer(IntegerOperation::Move),
        "R2A" | "SHL" | "SHR" => integer(IntegerOperation::Shift),
        "IADD" | "ADA" => integer(IntegerOperation::Add),
        "IMUL" | "IMAD" => integer(IntegerOperation::Multiply),
        "ISAD" => integer(IntegerOperation::SumDistance),
        "ISET" => integer(IntegerOperation::Set),
        "IMAX" | "IMIN" => integer(IntegerOperation::MinMax),
        "I2I" => integer(IntegerOperation::Convert),
        "LOP" => integer(IntegerOperation::Logic),
        "R2C" => integer(IntegerOperation::SetCode),
        "FADD" | "FSWZ" => float(FloatOperation::Add),
        "FMUL" => float(FloatOperation::Multiply),
        "FMAD" => float(FloatOperation::MultiplyAdd),
        "FSET" => float(FloatOperation::Set),
        "FMAX" | "FMIN" => float(FloatOperation::MinMax),
        "FSLCT" => float(FloatOperation::Select),
        "RRO" if decoded.float.operation == FloatOperation::ReducePower => float(FloatOperation::ReducePower),
        "RRO" => float(FloatOperation::ReduceSine),
        "I2F" => float(FloatOperation::FromInteger),
        "F2I" => float(FloatOperation::ToInteger),
        "F2F" => float(FloatOperation::ToFloat),
        "RCP" => special(SpecialOperation::Reciprocal),
        "RSQ" => special(SpecialOperation::ReciprocalRoot),
        "LG2" => special(SpecialOperation::Logarithm),
        "SIN" => special(SpecialOperation::Sine),
        "COS" => special(SpecialOperation::Cosine),
        "EX2" => special(SpecialOperation::Power),
        "KIL" => control(Flow::Kill),
        "BRA" => control(Flow::Branch),
        "CAL" => control(Flow::Call),
        "RET" => control(Flow::Return),
        "PBK" => control(Flow::PushBreak),
        "BRK" => control(Flow::Break),
        "BAR" => control(Flow::Barrier),
        "TRAP" => control(Flow::Trap),
        "SSY" => control(Flow::PushJoin),
        "BPT" => control(Flow::Breakpoint),
        memory => memory.into(),
    }
}

/// A word decoded by the circuit, in the manual's terms.
fn of_circuit(decoded: &Decoded, family: &'static str) -> Option<Reading> {
    if decoded.illegal {
        return None;
    }
    let indexing = &decoded.indexing;
    let pointer = Pointer {
        register: if indexing.register_used { indexing.register.raw() as u32 + 1 } else { 0 },
        steps: indexing.post_increment,
    };
    let none = Pointer::default();
    let (offset, access) = (indexing.offset.raw() as u32, indexing.access.raw() as u32);
    let mut sources = vec![];
    if indexing.scatters {
        sources.push(OperandLocation::Shared { offset, access, pointer });
    }
    for operand in [decoded.a, decoded.b, decoded.c] {
        match operand.source {
            Source::Register if operand.register_used => {
                let half = match operand.part {
                    bundles::Part::Whole => Half::Whole,
                    bundles::Part::Low => Half::Low,
                    bundles::Part::High => Half::High,
                };
                sources.push(OperandLocation::Register(operand.register.raw() as u32, half));
            }
            Source::Register | Source::Quad => {}
            Source::Shared => sources.push(OperandLocation::Shared {
                offset: decoded.shared_offset.raw() as u32,
                access: decoded.shared_access.raw() as u32,
                pointer: none,
            }),
            Source::Constant => sources.push(OperandLocation::Constant {
                address: decoded.constant_address.raw() as u32,
                access: if decoded.constant_narrow { 1 } else { 3 },
                pointer: none,
            }),
            Source::Gathered if indexing.constant => sources.push(OperandLocation::Constant {
                address: indexing.bank.raw() as u32 * 4096 + offset,
                access,
                pointer,
            }),
            Source::Gathered => sources.push(OperandLocation::Shared { offset, access, pointer }),
            Source::Immediate => sources.push(OperandLocation::Number(decoded.immediate.raw() as u32)),
            Source::ConditionCode => sources.push(OperandLocation::Code(decoded.condition_source.raw() as u32)),
            Source::Address if indexing.local => sources.push(OperandLocation::Local { offset, pointer }),
            Source::Address => sources.push(OperandLocation::Address(pointer.register)),
            Source::Special => sources.push(OperandLocation::Special(operand.register.raw() as u32)),
            Source::Vote => panic!("capability 1.0 has no votes"),
        }
    }
    sources.sort();
    let result = if decoded.register_enable {
        let half = match decoded.halves.raw() {
            1 => Half::Low,
            2 => Half::High,
            3 => Half::Whole,
            other => panic!("halves {other}"),
        };
        Result::Register(decoded.register.raw() as u32, half)
    } else if decoded.address_enable {
        Result::Address(decoded.address_register.raw() as u32 + 1)
    } else {
        Result::Nowhere
    };
    let condition = decoded.predicated.then(|| match decoded.condition.raw() as u32 {
        0 => (0, 0),
        code => (code, decoded.condition_source.raw() as u32),
    });
    Some(Reading {
        family,
        unit: match decoded.unit {
            bundles::Unit::Integer => Unit::Integer,
            bundles::Unit::Float => Unit::Float,
            bundles::Unit::SpecialFunction => Unit::SpecialFunction,
            bundles::Unit::Memory => Unit::Memory,
            bundles::Unit::Control => Unit::Flow,
        },
        condition,
        result,
        writes_code: decoded.condition_enable.then(|| decoded.condition_register.raw() as u32),
        sources,
    })
}

/// Compares all three decoders; returns true if the word is an instruction.
fn compare(checker: &mut Checker, word: u64) -> bool {
    // The manual does not have the extensions, so its decoder must reject them.
    if isa::decode(word).is_ok_and(|instruction| instruction.row().is_extension()) {
        assert_eq!(read(word), None, "{word:#018x}: an extension, and the manual");
        return false;
    }
    let mut manual = read(word);
    if let Some(manual) = &mut manual {
        manual.sources.sort();
    }
    let table = of_table(word);
    assert_eq!(table, manual, "{word:#018x}: the table, and the manual");

    let decoded = checker.circuit(word);
    let Some(mut manual) = manual else {
        assert!(decoded.illegal, "{word:#018x}: an instruction for the circuit, none in the manual");
        return false;
    };
    assert_eq!(
        circuit_family(&decoded),
        expected_family(&manual, &decoded),
        "{word:#018x}: the circuit, and {manual:?}"
    );
    // A0 reads as 0 and is not written.
    if manual.result == Result::Address(0) {
        manual.result = Result::Nowhere;
    }
    let circuit = of_circuit(&decoded, manual.family);
    assert_eq!(circuit, Some(manual), "{word:#018x}: the circuit, and the manual");
    true
}

#[test]
fn corpus_and_its_bit_flips_match_the_manual() {
    let Some(words) = crate::corpus_words() else { return };
    let mut checker = Checker::new(isa::Capability::V1_0);
    let (mut compared, mut legal) = (0, 0);
    for word in words {
        assert!(
            compare(&mut checker, word) || isa::decode(word).is_err() || !isa::decode(word).is_ok_and(|i| i.executed())
        );
        for bit in 0..64 {
            compared += 1;
            legal += u32::from(compare(&mut checker, word ^ 1 << bit));
        }
    }
    println!("{compared} words in addition to the corpus, {legal} of them instructions");
    assert!(legal * 4 > compared, "only {legal} of {compared} are instructions");
}

/// Half of the words are fully random; in the other half the bits that make most words illegal are fixed.
#[test]
fn random_words_match_the_manual() {
    let mut checker = Checker::new(isa::Capability::V1_0);
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
    for (layout, fixed, mask) in
        [("short", 0, 1), ("long", 1, 3), ("immediate", 1 | 3 << 32, 3 | 3 << 32), ("control", 3, 3)]
    {
        let mut legal = 0;
        for index in 0..RANDOM {
            let mut word = rng.gen::<u64>() & !mask | fixed;
            if layout == "long" && word >> 32 & 3 == 3 {
                word ^= 1 << 32;
            }
            if index % 2 == 1 {
                // Condition "always", no output register, no address register above 3.
                word = word & !(0x1f << 39 | 1 << 35 | 1 << 34) | 0xf << 39;
                word = if layout == "immediate" { word | fixed } else { word };
            }
            legal += u32::from(compare(&mut checker, word));
        }
        println!("{layout}: {RANDOM} words, {legal} of them instructions");
        assert!(legal as usize * 8 > RANDOM, "{layout}: only {legal} instructions");
    }
}
