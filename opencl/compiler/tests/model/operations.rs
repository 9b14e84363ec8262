//! Each instruction alone, with special values and random numbers.

use crate::harness::{execute, run, value, Case};
use crate::kernels::Random;
use flexgrip_compiler::Options;

/// Number of threads, each with its own operands.
const THREADS: u32 = 256;
/// Distance between the operands of two threads in bytes: a, b, c and d of 64 bits.
const STEP: u32 = 32;

/// Kinds of operands.
#[derive(Clone, Copy, PartialEq)]
enum Numbers {
    /// Integers of all sizes.
    Whole,
    /// Integers of all sizes, but b is neither 0 nor -1.
    Divisor,
    /// Floats of all kinds except NaN.
    Floats,
    /// Floats in the range of 64-bit integers, and special values.
    Large,
    /// Floats between 2^-10 and 2^10.
    Middle,
}

fn float(random: &mut Random, numbers: Numbers) -> u32 {
    const EDGES: [u32; 12] = [
        0,
        0x8000_0000,
        0x3f80_0000,
        0xbf80_0000,
        0x7f80_0000,
        0xff80_0000,
        0x4f00_0000,
        0x4f80_0000,
        0x5f00_0000,
        0x5f80_0000,
        0x3f00_0000,
        0xdf00_0000,
    ];
    let number = random.next();
    let kind = random.next();
    match numbers {
        Numbers::Middle => (number & 0x807f_ffff) | (117 + kind % 20) << 23,
        Numbers::Large if kind % 8 != 0 => (number & 0x807f_ffff) | (120 + kind / 8 % 75) << 23,
        Numbers::Large => EDGES[number as usize % EDGES.len()],
        _ if kind % 8 == 0 => EDGES[number as usize % EDGES.len()],
        _ if number & 0x7f80_0000 == 0x7f80_0000 => number & 0x8000_0000 | 0x7f80_0000,
        _ => number,
    }
}

fn memory(numbers: Numbers, seed: u32) -> Vec<u8> {
    let mut random = Random(0x2545_f491 ^ seed.wrapping_mul(0x9e37_79b9));
    let mut memory = Vec::new();
    for _ in 0..THREADS {
        for operand in 0..4 {
            let mut wide = match numbers {
                Numbers::Whole | Numbers::Divisor => match random.next() % 4 {
                    0 => u64::from(random.integer()),
                    1 => u64::from(random.integer()) << 32 | u64::from(random.integer()),
                    2 => (u64::from(random.next()) << 32 | u64::from(random.next())) >> (random.next() % 64),
                    _ => i64::from(random.integer() as i32) as u64,
                },
                _ => float(&mut random, numbers).into(),
            };
            if numbers == Numbers::Divisor && operand == 1 {
                // Instructions read 16, 32 or 64 bits: none of these may be 0 or -1.
                for bits in [16, 32, 64] {
                    let low = wide & (u64::MAX >> (64 - bits));
                    if low == 0 || low == u64::MAX >> (64 - bits) {
                        wide = wide & !0xffff | 0x2b;
                    }
                }
            }
            memory.extend(wide.to_le_bytes());
        }
    }
    memory.resize(memory.len() + 8 * THREADS as usize, 0);
    memory
}

/// Returns a kernel with the instruction. Its operands are `%Xa` to `%Xd` and the result is `%Xr`. X is `h` for 16
/// bits, `r` for 32, `rd` for 64, `f` for floats and `p` for predicates.
fn kernel(instruction: &str) -> String {
    let result = instruction
        .split([' ', ',', ';', '{', '}', '|', '\n'])
        .find(|word| word.starts_with('%') && word.trim_end_matches('r').len() < word.len())
        .expect("a result");
    let store = match result {
        "%pr" => "selp.b32 %rr, 17, 4, %pr;\nst.global.u32 [%out], %rr;",
        "%rdr" => "st.global.u64 [%out], %rdr;",
        "%hr" => "st.global.u16 [%out], %hr;",
        "%fr" => "st.global.f32 [%out], %fr;",
        _ => "st.global.u32 [%out], %rr;",
    };
    let mut loads = String::new();
    for (index, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let at = 8 * index;
        for (class, ty) in [("h", "u16"), ("r", "u32"), ("rd", "u64"), ("f", "f32")] {
            let register = format!("%{class}{name}");
            let used = instruction
                .split([' ', ',', ';', '{', '}', '!', '\n'])
                .any(|word| word == register);
            if used {
                loads += &format!("ld.global.{ty} {register}, [%in+{at}];\n");
            }
        }
    }
    format!(
        ".version 4.2\n.target sm_20\n.address_size 32\n.visible .entry k(.param .u32 in, .param .u32 out) {{\n\
         .reg .b16 %ha, %hb, %hc, %hd, %hr;\n.reg .b32 %ra, %rb, %rc, %rd, %rr, %in, %out, %id, %t;\n\
         .reg .b64 %rda, %rdb, %rdc, %rdd, %rdr;\n.reg .f32 %fa, %fb, %fc, %fd, %fr;\n.reg .pred %pa, %pb, %pr;\n\
         ld.param.u32 %in, [in];\nld.param.u32 %out, [out];\nmov.u32 %id, %ctaid.x;\nmov.u32 %t, %tid.x;\n\
         mad.lo.s32 %id, %id, 64, %t;\nmad.lo.s32 %in, %id, {STEP}, %in;\nmad.lo.s32 %out, %id, 8, %out;\n\
         {loads}{instruction}\n{store}\nret;\n}}\n"
    )
}

fn check(instruction: &str, numbers: Numbers, same: impl Fn(u32, u32) -> bool) {
    let text = kernel(instruction);
    for seed in 0..2 {
        let memory = memory(numbers, seed);
        let outcome = run(&Case {
            text: &text,
            kernel: "k",
            options: Options::default(),
            grid: [THREADS / 64, 1, 1],
            block: [64, 1, 1],
            arguments: vec![value(0), value(STEP * THREADS)],
            memory,
        });
        outcome.compare(instruction, &same);
        if seed == 0 {
            println!("{instruction} {} instructions", outcome.compiled.places.len());
        }
    }
}

fn exact(numbers: Numbers, instructions: &[&str]) {
    for instruction in instructions {
        check(instruction, numbers, |found, wanted| {
            // All NaNs are equal.
            let nan = |word: u32| word & 0x7fff_ffff > 0x7f80_0000;
            let float = instruction.contains("%fr");
            found == wanted || float && nan(found) && nan(wanted)
        });
    }
}

#[test]
fn integers_of_32_bits_match_the_interpreter() {
    exact(
        Numbers::Whole,
        &[
            "add.s32 %rr, %ra, %rb;",
            "sub.s32 %rr, %ra, %rb;",
            "sub.s32 %rr, 77, %ra;",
            "mul.lo.s32 %rr, %ra, %rb;",
            "mul.lo.s32 %rr, %ra, 1000003;",
            "mul.lo.s32 %rr, %ra, -3;",
            "mul.hi.s32 %rr, %ra, %rb;",
            "mul.hi.u32 %rr, %ra, %rb;",
            "mul24.lo.s32 %rr, %ra, %rb;",
            "mul24.lo.u32 %rr, %ra, %rb;",
            "mul24.hi.s32 %rr, %ra, %rb;",
            "mul24.hi.u32 %rr, %ra, %rb;",
            "mad.lo.s32 %rr, %ra, %rb, %rc;",
            "mad.lo.s32 %rr, %ra, 12, %rc;",
            "mad.hi.u32 %rr, %ra, %rb, %rc;",
            "mad24.lo.u32 %rr, %ra, %rb, %rc;",
            "min.s32 %rr, %ra, %rb;",
            "max.u32 %rr, %ra, 1000;",
            "abs.s32 %rr, %ra;",
            "neg.s32 %rr, %ra;",
            "and.b32 %rr, %ra, %rb;",
            "or.b32 %rr, %ra, 255;",
            "xor.b32 %rr, %ra, %rb;",
            "not.b32 %rr, %ra;",
            "cnot.b32 %rr, %ra;",
            "shl.b32 %rr, %ra, %rb;",
            "shr.u32 %rr, %ra, %rb;",
            "shr.s32 %rr, %ra, %rb;",
            "shr.s32 %rr, %ra, 40;",
            "sad.s32 %rr, %ra, %rb, %rc;",
            "sad.u32 %rr, %ra, %rb, %rc;",
            "slct.b32.s32 %rr, %ra, %rb, %rc;",
            "set.lt.u32.s32 %rr, %ra, %rb;",
            "set.gt.f32.u32 %fr, %ra, %rb;",
        ],
    );
}

#[test]
fn bit_operations_match_the_interpreter() {
    exact(
        Numbers::Whole,
        &[
            "bfe.u32 %rr, %ra, %rb, %rc;",
            "bfe.s32 %rr, %ra, %rb, %rc;",
            "bfe.u32 %rr, %ra, 5, 9;",
            "bfe.s32 %rr, %ra, 5, 9;",
            "bfe.s32 %rr, %ra, 28, 9;",
            "and.b32 %rb, %rb, 31;\nand.b32 %rc, %rc, 15;\nbfe.s32 %rr, %ra, %rb, %rc;",
            "bfe.u64 %rdr, %rda, %rb, %rc;",
            "and.b32 %rb, %rb, 63;\nand.b32 %rc, %rc, 31;\nbfe.s64 %rdr, %rda, %rb, %rc;",
            "bfi.b32 %rr, %ra, %rb, %rc, %rd;",
            "and.b32 %rc, %rc, 31;\nand.b32 %rd, %rd, 15;\nbfi.b32 %rr, %ra, %rb, %rc, %rd;",
            "bfi.b32 %rr, %ra, %rb, 8, 8;",
            "bfi.b64 %rdr, %rda, %rdb, %rc, %rd;",
            "and.b32 %rd, %rd, 31;\nand.b32 %rc, %rc, 63;\nbfi.b64 %rdr, %rda, %rdb, %rc, %rd;",
            "popc.b32 %rr, %ra;",
            "popc.b64 %rr, %rda;",
            "clz.b32 %rr, %ra;",
            "clz.b64 %rr, %rda;",
            "brev.b32 %rr, %ra;",
            "brev.b64 %rdr, %rda;",
            "bfind.u32 %rr, %ra;",
            "bfind.s32 %rr, %ra;",
            "bfind.shiftamt.u32 %rr, %ra;",
            "bfind.s64 %rr, %rda;",
            "prmt.b32 %rr, %ra, %rb, %rc;",
            "prmt.b32 %rr, %ra, %rb, 0x1a6f;",
            "prmt.b32 %rr, %ra, 0, 0x0123;",
            // The count is reduced here, because clang's rotation reduces it modulo the width, and the shifts do not.
            "and.b32 %rb, %rb, 31;\n{\n.reg .b32 %lhs;\n.reg .b32 %rhs;\n.reg .b32 %amt2;\nshl.b32 %lhs, %ra, %rb;\n\
             sub.s32 %amt2, 32, %rb;\nshr.b32 %rhs, %ra, %amt2;\nadd.u32 %rr, %lhs, %rhs;\n}",
            "shf.l.wrap.b32 %rr, %ra, %rb, %rc;",
            "shf.r.wrap.b32 %rr, %ra, %rb, %rc;",
            "shf.l.clamp.b32 %rr, %ra, %rb, %rc;",
            "shf.r.clamp.b32 %rr, %ra, %rb, 13;",
        ],
    );
}

/// The compiler must treat this sequence as a rotation, which reduces the count modulo the width.
#[test]
fn rotations_count_modulo_the_width() {
    let [sequence, meaning] = [
        "{\n.reg .b32 %lhs;\n.reg .b32 %rhs;\n.reg .b32 %amt2;\nshl.b32 %lhs, %ra, %rb;\nsub.s32 %amt2, 32, %rb;\n\
         shr.b32 %rhs, %ra, %amt2;\nadd.u32 %rr, %lhs, %rhs;\n}",
        "shf.l.wrap.b32 %rr, %ra, %ra, %rb;",
    ]
    .map(|instruction| {
        let text = kernel(instruction);
        let case = Case {
            text: &text,
            kernel: "k",
            options: Options::default(),
            grid: [THREADS / 64, 1, 1],
            block: [64, 1, 1],
            arguments: vec![value(0), value(STEP * THREADS)],
            memory: memory(Numbers::Whole, 5),
        };
        execute(&case).unwrap_or_else(|error| panic!("{error}")).1
    });
    assert_eq!(sequence, meaning);
}

#[test]
fn integers_of_16_bits_match_the_interpreter() {
    exact(
        Numbers::Divisor,
        &[
            "add.s16 %hr, %ha, %hb;",
            "mul.lo.s16 %hr, %ha, %hb;",
            "mul.hi.s16 %hr, %ha, %hb;",
            "mul.hi.u16 %hr, %ha, %hb;",
            "mul.wide.s16 %rr, %ha, %hb;",
            "mul.wide.u16 %rr, %ha, %hb;",
            "mad.wide.s16 %rr, %ha, %hb, %rc;",
            "mad.lo.s16 %hr, %ha, %hb, %hc;",
            "div.s16 %hr, %ha, %hb;",
            "rem.u16 %hr, %ha, %hb;",
            "min.s16 %hr, %ha, %hb;",
            "max.u16 %hr, %ha, %hb;",
            "abs.s16 %hr, %ha;",
            "neg.s16 %hr, %ha;",
            "and.b16 %hr, %ha, %hb;",
            "not.b16 %hr, %ha;",
            "shl.b16 %hr, %ha, %rb;",
            "shr.s16 %hr, %ha, %rb;",
            "shr.u16 %hr, %ha, 3;",
            "setp.lt.s16 %pr, %ha, %hb;",
            "setp.hs.u16 %pr, %ha, %hb;",
            "mov.b32 %rr, {%ha, %hb};",
            "mov.b32 {%hb, %hr}, %ra;",
            "sad.s16 %hr, %ha, %hb, %hc;",
        ],
    );
}

#[test]
fn integers_of_64_bits_match_the_interpreter() {
    exact(
        Numbers::Whole,
        &[
            "add.s64 %rdr, %rda, %rdb;",
            "sub.s64 %rdr, %rda, 5000000000;",
            "mul.lo.s64 %rdr, %rda, %rdb;",
            "mul.lo.s64 %rdr, %rda, 12345678901;",
            "mul.hi.s64 %rdr, %rda, %rdb;",
            "mul.hi.u64 %rdr, %rda, %rdb;",
            "mad.lo.s64 %rdr, %rda, %rdb, %rdc;",
            "mul.wide.s32 %rdr, %ra, %rb;",
            "mul.wide.u32 %rdr, %ra, %rb;",
            "mad.wide.s32 %rdr, %ra, %rb, %rdc;",
            "mad.wide.u32 %rdr, %ra, 40, %rdc;",
            "min.s64 %rdr, %rda, %rdb;",
            "max.s64 %rdr, %rda, %rdb;",
            "min.u64 %rdr, %rda, %rdb;",
            "max.u64 %rdr, %rda, 7000000000;",
            "abs.s64 %rdr, %rda;",
            "neg.s64 %rdr, %rda;",
            "not.b64 %rdr, %rda;",
            "xor.b64 %rdr, %rda, %rdb;",
            "and.b32 %rb, %rb, 127;\nshl.b64 %rdr, %rda, %rb;",
            "and.b32 %rb, %rb, 127;\nshr.u64 %rdr, %rda, %rb;",
            "and.b32 %rb, %rb, 127;\nshr.s64 %rdr, %rda, %rb;",
            "shl.b64 %rdr, %rda, %rb;",
            "shr.s64 %rdr, %rda, %rb;",
            "shl.b64 %rdr, %rda, 0;",
            "shr.u64 %rdr, %rda, 32;",
            "shr.s64 %rdr, %rda, 45;",
            "shr.s64 %rdr, %rda, 64;",
            "setp.lt.s64 %pr, %rda, %rdb;",
            "setp.le.u64 %pr, %rda, %rdb;",
            "setp.eq.s64 %pr, %rda, %rdb;",
            "setp.ne.s64 %pr, %rda, %rdb;",
            "setp.gt.s64 %pr, %rda, -1;",
            "setp.gt.u64 %pr, 5000000000, %rda;",
            "setp.lt.s32 %pa, %ra, %rb;\nselp.b64 %rdr, %rda, %rdb, %pa;",
            "cnot.b64 %rdr, %rda;",
            "slct.s64.s32 %rdr, %rda, %rdb, %rc;",
            "mov.b64 %rdr, {%ra, %rb};",
            "mov.b64 {%rr, %rb}, %rda;",
            "mov.b64 {%rb, %rr}, %rda;",
            "mov.b64 %rdr, {%ha, %hb, %hc, %hd};",
        ],
    );
}

#[test]
fn divisions_match_the_interpreter() {
    exact(
        Numbers::Divisor,
        &[
            "div.u32 %rr, %ra, %rb;",
            "rem.u32 %rr, %ra, %rb;",
            "div.s32 %rr, %ra, %rb;",
            "rem.s32 %rr, %ra, %rb;",
            "div.u32 %rr, %ra, 10;",
            "div.u64 %rdr, %rda, %rdb;",
            "rem.u64 %rdr, %rda, %rdb;",
            "div.s64 %rdr, %rda, %rdb;",
            "rem.s64 %rdr, %rda, %rdb;",
            "div.u64 %rdr, %rda, 10;",
            "rem.s64 %rdr, %rda, -7;",
        ],
    );
}

#[test]
fn conversions_of_integers_match_the_interpreter() {
    let mut instructions = Vec::new();
    let registers = [("8", "h"), ("16", "h"), ("32", "r"), ("64", "rd")];
    for (to, to_class) in registers {
        for (from, from_class) in registers {
            for (to_kind, from_kind) in [("u", "u"), ("s", "s"), ("u", "s"), ("s", "u")] {
                for saturate in ["", ".sat"] {
                    // A 16-bit register contains the extended result.
                    instructions.push(format!(
                        "cvt{saturate}.{to_kind}{to}.{from_kind}{from} %{to_class}r, %{from_class}a;"
                    ));
                }
            }
        }
    }
    for from in ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"] {
        let class = match &from[1..] {
            "64" => "rd",
            "32" => "r",
            _ => "h",
        };
        for mode in ["rn", "rz", "rm", "rp"] {
            instructions.push(format!("cvt.{mode}.f32.{from} %fr, %{class}a;"));
        }
    }
    instructions.push("cvt.s64.s8 %rdr, %rda;".to_string());
    instructions.push("cvt.u32.u16 %rr, %rda;".to_string());
    instructions.push("cvt.u16.u32 %rdr, %ra;".to_string());
    let instructions: Vec<&str> = instructions.iter().map(String::as_str).collect();
    exact(Numbers::Whole, &instructions);
}

#[test]
fn conversions_of_floats_match_the_interpreter() {
    let mut instructions = Vec::new();
    for to in ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"] {
        let class = match &to[1..] {
            "64" => "rd",
            "32" => "r",
            _ => "h",
        };
        for mode in ["rni", "rzi", "rmi", "rpi"] {
            instructions.push(format!("cvt.{mode}.{to}.f32 %{class}r, %fa;"));
        }
    }
    for mode in ["rni", "rzi", "rmi", "rpi", "sat", "rmi.sat"] {
        instructions.push(format!("cvt.{mode}.f32.f32 %fr, %fa;"));
    }
    for mode in ["rn", "rz"] {
        instructions.push(format!("cvt.{mode}.f16.f32 %hr, %fa;"));
    }
    let instructions: Vec<&str> = instructions.iter().map(String::as_str).collect();
    exact(Numbers::Large, &instructions);
    exact(Numbers::Middle, &instructions);
    exact(Numbers::Floats, &["cvt.f32.f16 %fr, %ha;", "cvt.rzi.s32.f16 %rr, %ha;"]);
}

#[test]
fn float_operations_match_the_interpreter() {
    let instructions = [
        "add.rn.f32 %fr, %fa, %fb;",
        "sub.f32 %fr, %fa, %fb;",
        "sub.f32 %fr, 0f3F800000, %fb;",
        "mul.f32 %fr, %fa, %fb;",
        "neg.f32 %fr, %fa;",
        "abs.f32 %fr, %fa;",
        "copysign.f32 %fr, %fa, %fb;",
        "testp.finite.f32 %pr, %fa;",
        "testp.infinite.f32 %pr, %fa;",
        "testp.number.f32 %pr, %fa;",
        "testp.notanumber.f32 %pr, %fa;",
        "testp.normal.f32 %pr, %fa;",
        "testp.subnormal.f32 %pr, %fa;",
        "slct.b32.f32 %rr, %ra, %rb, %fc;",
        "set.le.u32.f32 %rr, %fa, %fb;",
    ];
    exact(Numbers::Middle, &instructions);
    exact(Numbers::Floats, &instructions);
    let mut comparisons = Vec::new();
    for name in [
        "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
    ] {
        comparisons.push(format!("setp.{name}.f32 %pr, %fa, %fb;"));
        comparisons.push(format!("setp.{name}.f32 %pr, 0f3F800000, %fb;"));
        // Infinity minus infinity is NaN.
        comparisons.push(format!("sub.f32 %fa, %fa, %fa;\nsetp.{name}.f32 %pr, %fa, %fb;"));
    }
    exact(
        Numbers::Floats,
        &comparisons.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

/// The fused multiply-add in software must be correctly rounded.
#[test]
fn fused_multiply_add() {
    let fma = "fma.rn.f32 %fr, %fa, %fb, %fc;";
    // Sums that cancel completely or nearly: the product's rounding error, and neighbours of the product.
    let cancels = "mul.f32 %fd, %fa, %fb;\nneg.f32 %fd, %fd;\nfma.rn.f32 %fr, %fa, %fb, %fd;";
    let nearly = "mul.f32 %fd, %fa, %fb;\nand.b32 %rc, %rc, 7;\nmov.b32 %rd, %fd;\nxor.b32 %rd, %rd, %rc;\n\
                  mov.b32 %fd, %rd;\nneg.f32 %fd, %fd;\nfma.rn.f32 %fr, %fa, %fb, %fd;";
    // Few bits, for ties and exact results.
    let ties = "and.b32 %ra, %ra, 0xfffff000;\nmov.b32 %fa, %ra;\nand.b32 %rb, %rb, 0xffff8000;\nmov.b32 %fb, %rb;\n\
                fma.rn.f32 %fr, %fa, %fb, %fc;";
    for instruction in [
        fma,
        cancels,
        nearly,
        ties,
        "fma.rn.f32 %fr, %fa, 0f40400000, 0fBF800000;",
    ] {
        exact(Numbers::Middle, &[instruction]);
        exact(Numbers::Floats, &[instruction]);
        exact(Numbers::Large, &[instruction]);
    }
}

#[test]
fn predicates_match_the_interpreter() {
    exact(
        Numbers::Whole,
        &[
            "setp.lt.s32 %pa, %ra, %rb;\nsetp.gt.and.u32 %pr, %ra, %rc, %pa;",
            "setp.lt.s32 %pa, %ra, %rb;\nsetp.gt.or.u32 %pr, %ra, %rc, !%pa;",
            "setp.lt.s32 %pa, %ra, %rb;\nsetp.gt.xor.u32 %pr, %ra, %rc, %pa;",
            "setp.lt.s32 %pa|%pb, %ra, %rb;\nxor.pred %pr, %pa, %pb;",
            "setp.lt.s32 %pa, %ra, %rb;\nsetp.gt.and.u32 %pr|%pb, %ra, %rc, %pa;\nor.pred %pr, %pr, %pb;",
            "setp.lt.s32 %pa, %ra, %rb;\nnot.pred %pr, %pa;",
            "setp.lt.s32 %pa, %ra, %rb;\nmov.u32 %rr, 5;\n@%pa add.s32 %rr, %ra, 1;\n@!%pa xor.b32 %rr, %rr, %rc;",
        ],
    );
}

/// OpenCL does not limit the error of native functions; these are the limits of the machine's instructions.
#[test]
fn approximate_functions_are_within_their_bounds() {
    let ulps = |most: u32| move |found: u32, wanted: u32| found.abs_diff(wanted) <= most;
    check("rcp.approx.ftz.f32 %fr, %fa;", Numbers::Middle, ulps(1));
    check("rcp.rn.f32 %fr, %fa;", Numbers::Middle, ulps(1));
    check("div.rn.f32 %fr, %fa, %fb;", Numbers::Middle, ulps(2));
    check("div.full.f32 %fr, %fa, %fb;", Numbers::Middle, ulps(2));
    check("div.approx.f32 %fr, %fa, %fb;", Numbers::Middle, ulps(2));
    let positive = "abs.f32 %fa, %fa;\n";
    check(
        &format!("{positive}sqrt.approx.f32 %fr, %fa;"),
        Numbers::Middle,
        ulps(3),
    );
    check(&format!("{positive}sqrt.rn.f32 %fr, %fa;"), Numbers::Middle, ulps(3));
    check(
        &format!("{positive}rsqrt.approx.f32 %fr, %fa;"),
        Numbers::Middle,
        ulps(2),
    );
    let near = |most: f32| {
        move |found: u32, wanted: u32| {
            let (found, wanted) = (f32::from_bits(found), f32::from_bits(wanted));
            found == wanted || (found - wanted).abs() <= most * wanted.abs().max(1.0)
        }
    };
    let small = "mul.f32 %fa, %fa, 0f3C800000;\n";
    check(&format!("{small}ex2.approx.f32 %fr, %fa;"), Numbers::Middle, near(1e-6));
    check(
        &format!("{positive}lg2.approx.f32 %fr, %fa;"),
        Numbers::Middle,
        near(1e-6),
    );
    check(&format!("{small}sin.approx.f32 %fr, %fa;"), Numbers::Middle, near(2e-6));
    check(&format!("{small}cos.approx.f32 %fr, %fa;"), Numbers::Middle, near(2e-6));
}
