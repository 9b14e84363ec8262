//! Results of all instructions except branches and memory accesses.

use super::{mask, signed, Machine, Thread, LOCAL, SHARED};
use flexgrip_compiler::ptx::ast::*;

fn float(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn bits(value: f32) -> u64 {
    value.to_bits().into()
}

/// Replaces a denormal number by zero, as the machine does.
fn flushed(value: f32) -> f32 {
    if value.is_subnormal() {
        0f32.copysign(value)
    } else {
        value
    }
}

impl<'a> Machine<'a> {
    pub(super) fn compute(&self, thread: &mut Thread<'a>, instruction: &'a Instruction<'a>) {
        let opcode = &instruction.opcode;
        let types: Vec<Type> = opcode.types().collect();
        let words: Vec<&str> = opcode
            .modifiers
            .iter()
            .filter_map(|modifier| match modifier {
                Modifier::Word(word) => Some(*word),
                _ => None,
            })
            .collect();
        let ty = types[0];
        if let OperandKind::Pair(pair) = &instruction.operands[0].kind {
            // A comparison and its inverse, each combined with the same predicate.
            let operands = &instruction.operands;
            let [a, b] = [&operands[1], &operands[2]].map(|operand| mask(self.value(thread, operand), ty.bits));
            let order = if ty.kind == Kind::Signed {
                signed(a, ty.bits).cmp(&signed(b, ty.bits))
            } else {
                a.cmp(&b)
            };
            let value = holds(words[0], Some(order));
            let third = operands.get(3).map(|operand| self.value(thread, operand) != 0);
            for (operand, value) in pair.iter().zip([value, !value]) {
                let value = match (words.get(1), third) {
                    (Some(&"and"), Some(third)) => value & third,
                    (None, None) => value,
                    other => panic!("{other:?}"),
                };
                self.set(thread, operand, value.into());
            }
            return;
        }
        if let OperandKind::Vector(parts) = &instruction.operands[0].kind {
            let value = self.value(thread, &instruction.operands[1]);
            let width = u32::from(ty.bits) / parts.len() as u32;
            for (index, part) in parts.iter().enumerate() {
                self.set(thread, part, mask(value >> (width * index as u32), width as u8));
            }
            return;
        }
        let raw: Vec<u64> = instruction.operands[1..]
            .iter()
            .map(|operand| self.value(thread, operand))
            .collect();
        let source = if matches!(opcode.base, "cvt" | "set" | "slct") {
            types[1]
        } else {
            ty
        };
        let operand = if opcode.base == "slct" { ty } else { source };
        let a = mask(raw[0], operand.bits);
        let b = raw.get(1).map_or(0, |&b| mask(b, operand.bits));
        let c = raw.get(2).copied().unwrap_or(0);
        let (sa, sb) = (signed(a, operand.bits), signed(b, operand.bits));
        let is_signed = ty.kind == Kind::Signed;
        let is_float = ty.kind == Kind::Float;
        let (fa, fb, fc) = (float(a), float(b), float(c));
        let count = raw.get(1).map_or(0, |&count| count as u32 as u64);
        let all = if ty.bits == 64 { u64::MAX } else { (1 << ty.bits) - 1 };
        let wide = |x: i128| x as u64;
        let value = match opcode.base {
            "mov" => raw[0],
            "cvta" => {
                let to = words.contains(&"to");
                let base = match opcode.space() {
                    Some(Space::Shared) => SHARED,
                    Some(Space::Local) => LOCAL,
                    _ => 0,
                };
                if to {
                    raw[0].wrapping_sub(base)
                } else {
                    raw[0].wrapping_add(base)
                }
            }
            "add" | "sub" | "mul" if is_float => {
                let [fa, fb] = [fa, fb].map(flushed);
                let result = match opcode.base {
                    "add" => fa + fb,
                    "sub" => fa - fb,
                    _ => fa * fb,
                };
                bits(flushed(result))
            }
            "fma" => {
                let [fa, fb, fc] = [fa, fb, fc].map(flushed);
                bits(flushed(fa.mul_add(fb, fc)))
            }
            "div" if is_float => bits(fa / fb),
            "sqrt" => bits(fa.sqrt()),
            "rcp" => bits(1.0 / fa),
            "rsqrt" => bits((1.0 / f64::from(fa).sqrt()) as f32),
            "ex2" => bits(f64::from(fa).exp2() as f32),
            "lg2" => bits(f64::from(fa).log2() as f32),
            "sin" => bits(f64::from(fa).sin() as f32),
            "cos" => bits(f64::from(fa).cos() as f32),
            "neg" if is_float => a ^ 0x8000_0000,
            "abs" if is_float => a & 0x7fff_ffff,
            "min" if is_float => bits(fa.min(fb)),
            "max" if is_float => bits(fa.max(fb)),
            "copysign" => (a & 0x8000_0000) | (b & 0x7fff_ffff),
            "testp" => u64::from(match words[0] {
                "finite" => fa.is_finite(),
                "infinite" => fa.is_infinite(),
                "number" => !fa.is_nan(),
                "notanumber" => fa.is_nan(),
                "normal" => fa.is_normal(),
                "subnormal" => fa.is_subnormal(),
                other => panic!("{other}"),
            }),
            "add" => a.wrapping_add(b),
            "sub" => a.wrapping_sub(b),
            "neg" => a.wrapping_neg(),
            "abs" => sa.unsigned_abs(),
            "sad" => c.wrapping_add(if is_signed { sa.abs_diff(sb) } else { a.abs_diff(b) }),
            "mul" | "mad" => {
                let product = if is_signed {
                    i128::from(sa) * i128::from(sb)
                } else {
                    (u128::from(a) * u128::from(b)) as i128
                };
                let product = if !words.contains(&"hi") {
                    wide(product)
                } else if is_signed {
                    wide(product >> ty.bits)
                } else {
                    ((product as u128) >> ty.bits) as u64
                };
                if opcode.base == "mad" {
                    product.wrapping_add(c)
                } else {
                    product
                }
            }
            "mul24" | "mad24" => {
                let product = if is_signed {
                    (signed(a, 24) * signed(b, 24)) as u64
                } else {
                    mask(a, 24) * mask(b, 24)
                };
                let product = if words.contains(&"hi") { product >> 16 } else { product };
                if opcode.base == "mad24" {
                    product.wrapping_add(c)
                } else {
                    product
                }
            }
            // The result of a division by zero is undefined, so tests must not contain one.
            "div" | "rem" if b == 0 => panic!("{}: a division by zero", instruction.span),
            "div" if is_signed => sa.wrapping_div(sb) as u64,
            "rem" if is_signed => sa.wrapping_rem(sb) as u64,
            "div" => a / b,
            "rem" => a % b,
            "min" if is_signed => sa.min(sb) as u64,
            "max" if is_signed => sa.max(sb) as u64,
            "min" => a.min(b),
            "max" => a.max(b),
            "and" => raw[0] & raw[1],
            "or" => raw[0] | raw[1],
            "xor" if ty.kind == Kind::Predicate => u64::from((raw[0] != 0) != (raw[1] != 0)),
            "xor" => raw[0] ^ raw[1],
            "not" if ty.kind == Kind::Predicate => u64::from(raw[0] == 0),
            "not" => !raw[0],
            "cnot" => u64::from(a == 0),
            "shl" if count >= u64::from(ty.bits) => 0,
            "shl" => a << count,
            "shr" if is_signed => (sa >> count.min(63)) as u64,
            "shr" if count >= u64::from(ty.bits) => 0,
            "shr" => a >> count,
            "shf" => {
                let by = mask(c, 32);
                let by = if words.contains(&"wrap") { by % 32 } else { by.min(32) };
                let whole = b << 32 | a;
                if words.contains(&"l") {
                    whole.checked_shl(by as u32).unwrap_or(0) >> 32
                } else {
                    whole >> by
                }
            }
            "selp" => {
                if raw[2] != 0 {
                    raw[0]
                } else {
                    raw[1]
                }
            }
            "slct" => {
                let above = match types[1].kind {
                    Kind::Float => fc >= 0.0,
                    _ => signed(c, 32) >= 0,
                };
                if above {
                    a
                } else {
                    b
                }
            }
            "bfe" => {
                let (first, length) = (raw[1] & 0xff, raw[2] & 0xff);
                let top = u64::from(ty.bits) - 1;
                let fill = is_signed && length > 0 && a >> (first + length - 1).min(top) & 1 == 1;
                (0..u64::from(ty.bits)).fold(0, |value, bit| {
                    let set = if bit < length && first + bit <= top {
                        a >> (first + bit) & 1 == 1
                    } else {
                        fill
                    };
                    value | u64::from(set) << bit
                })
            }
            "bfi" => {
                let (first, length) = (raw[2] & 0xff, raw[3] & 0xff);
                (0..length).fold(b, |value, bit| {
                    let at = first + bit;
                    if at >= u64::from(ty.bits) {
                        return value;
                    }
                    value & !(1 << at) | (a >> bit & 1) << at
                })
            }
            "prmt" => {
                let all = a | mask(raw[1], 32) << 32;
                (0..4).fold(0, |value, byte| {
                    let choice = c >> (4 * byte);
                    let chosen = all >> (8 * (choice & 7)) & 0xff;
                    let chosen = match (choice & 8 != 0, chosen & 0x80 != 0) {
                        (false, _) => chosen,
                        (true, negative) => u64::from(negative) * 0xff,
                    };
                    value | chosen << (8 * byte)
                })
            }
            "popc" => a.count_ones().into(),
            "clz" => u64::from(a.leading_zeros()) - (64 - u64::from(ty.bits)),
            "brev" => a.reverse_bits() >> (64 - ty.bits),
            "bfind" => {
                let searched = if is_signed && sa < 0 { !a & all } else { a };
                match searched.checked_ilog2() {
                    None => u64::from(u32::MAX),
                    Some(bit) if words.contains(&"shiftamt") => u64::from(ty.bits) - 1 - u64::from(bit),
                    Some(bit) => bit.into(),
                }
            }
            "setp" | "set" => {
                let order = match source.kind {
                    Kind::Float => flushed(fa).partial_cmp(&flushed(fb)),
                    Kind::Signed => Some(sa.cmp(&sb)),
                    _ => Some(a.cmp(&b)),
                };
                let mut value = holds(words[0], order);
                let third = |thread: &Thread<'a>| self.value(thread, &instruction.operands[3]) != 0;
                for word in &words[1..] {
                    match *word {
                        "and" => value &= third(thread),
                        "or" => value |= third(thread),
                        "xor" => value ^= third(thread),
                        _ => {}
                    }
                }
                match (opcode.base, ty.kind) {
                    ("setp", _) => value.into(),
                    (_, Kind::Float) => bits(f32::from(u8::from(value))),
                    _ => u64::from(value) * u64::from(u32::MAX),
                }
            }
            "cvt" => convert(ty, source, a, &words),
            other => panic!("{other}: {}", opcode.text),
        };
        self.set(thread, &instruction.operands[0], value);
    }
}

/// Returns the next float above or below a float that is not zero.
fn beside(value: f32, up: bool) -> f32 {
    let away = up == (value > 0.0);
    f32::from_bits(if away { value.to_bits() + 1 } else { value.to_bits() - 1 })
}

fn holds(name: &str, order: Option<std::cmp::Ordering>) -> bool {
    let Some(order) = order else {
        return matches!(name, "equ" | "neu" | "ltu" | "leu" | "gtu" | "geu" | "nan");
    };
    match name {
        "eq" | "equ" => order.is_eq(),
        "ne" | "neu" => order.is_ne(),
        "lt" | "lo" | "ltu" => order.is_lt(),
        "le" | "ls" | "leu" => order.is_le(),
        "gt" | "hi" | "gtu" => order.is_gt(),
        "ge" | "hs" | "geu" => order.is_ge(),
        "num" => true,
        "nan" => false,
        _ => panic!("{name}"),
    }
}

fn integral(value: f64, words: &[&str]) -> f64 {
    let word = words
        .iter()
        .find(|word| matches!(**word, "rni" | "rzi" | "rmi" | "rpi"));
    match word {
        Some(&"rni") => value.round_ties_even(),
        Some(&"rzi") => value.trunc(),
        Some(&"rmi") => value.floor(),
        Some(&"rpi") => value.ceil(),
        _ => value,
    }
}

/// Converts a 16-bit float to 32 bits.
fn half(bits: u64) -> f32 {
    let (exponent, fraction) = (bits >> 10 & 31, (bits & 1023) as f32);
    let magnitude = match exponent {
        0 => fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + fraction) * 2f32.powi(exponent as i32 - 25),
    };
    if bits >> 15 & 1 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

/// Converts to the nearest 16-bit float.
fn to_half(value: f32, words: &[&str]) -> u64 {
    let sign = u64::from(value.is_sign_negative()) << 15;
    if value.is_nan() {
        return 0x7fff;
    }
    let magnitude = f64::from(value.abs());
    // The error is in units of the last place of the number's binade.
    let exponent = (magnitude.log2().floor() as i32).clamp(-14, 16);
    let units = magnitude * 2f64.powi(10 - exponent);
    let units = match words.iter().find(|word| matches!(**word, "rz" | "rm" | "rp")) {
        Some(&"rz") => units.trunc(),
        Some(&"rm") if sign == 0 => units.trunc(),
        Some(&"rp") if sign != 0 => units.trunc(),
        Some(_) => units.ceil(),
        None => units.round_ties_even(),
    };
    let rounded = (units * 2f64.powi(exponent - 10)) as f32;
    if rounded >= 65536.0 {
        let cut = words.contains(&"rz") && value.is_finite();
        return sign | if cut { 0x7bff } else { 0x7c00 };
    }
    let bits = (0..0x7c00u64).find(|&bits| half(bits) == rounded);
    sign | bits.expect("a 16-bit float")
}

fn convert(to: Type, from: Type, value: u64, words: &[&str]) -> u64 {
    let saturate = words.contains(&"sat");
    let range = |to: Type| -> (i128, i128) {
        match to.kind {
            Kind::Signed => (-(1 << (to.bits - 1)), (1 << (to.bits - 1)) - 1),
            _ => (0, (1 << to.bits) - 1),
        }
    };
    let integer = if from.kind == Kind::Signed {
        i128::from(signed(value, from.bits))
    } else {
        i128::from(value)
    };
    let extended = |number: i128| number as u64;
    match (to.kind == Kind::Float, from.kind == Kind::Float) {
        (false, false) => {
            let (least, most) = range(to);
            let number = if saturate { integer.clamp(least, most) } else { integer };
            let number = extended(number);
            if to.kind == Kind::Signed {
                signed(number, to.bits) as u64
            } else {
                mask(number, to.bits)
            }
        }
        (true, false) => {
            let near = integer as f32;
            let exact = near as i128;
            let word = words.iter().find(|word| matches!(**word, "rz" | "rm" | "rp"));
            let result = match word {
                Some(_) if exact == integer => near,
                Some(&"rz") if exact.abs() > integer.abs() => f32::from_bits(near.to_bits() - 1),
                Some(&"rm") if exact > integer => beside(near, false),
                Some(&"rp") if exact < integer => beside(near, true),
                _ => near,
            };
            bits(if saturate { result.clamp(0.0, 1.0) } else { result })
        }
        (false, true) => {
            let source = if from.bits == 16 {
                half(value)
            } else {
                flushed(float(value))
            };
            let whole = integral(f64::from(source), words);
            let (least, most) = range(to);
            let number = if whole.is_nan() {
                0
            } else {
                (whole as i128).clamp(least, most)
            };
            mask(extended(number), to.bits.max(32))
        }
        (true, true) if from.bits == 16 && to.bits == 32 => bits(half(value)),
        (true, true) if to.bits == 16 => to_half(float(value), words),
        (true, true) => {
            let result = flushed(integral(f64::from(flushed(float(value))), words) as f32);
            if saturate {
                // The machine keeps a NaN, and replaces -0 by 0.
                bits(match result {
                    nan if nan.is_nan() => nan,
                    positive if positive > 0.0 => positive.min(1.0),
                    _ => 0.0,
                })
            } else {
                bits(result)
            }
        }
    }
}
