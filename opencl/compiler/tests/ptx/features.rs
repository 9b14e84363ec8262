//! Features of PTX: a snippet for each, and checks of its tree.

use crate::{functions, module, round_trip};
use flexgrip_compiler::ptx::ast::{
    Address, Base, Float, Function, InitialiserKind, Instruction, Integer, Item, Kind, Linkage, Modifier, OperandKind,
    Pointer, Space, Statement, Type, Variable,
};
use flexgrip_compiler::ptx::{is_special, parse};

/// Passes the statements of a kernel with this body to `check`.
fn body(text: &str, check: impl FnOnce(&[Statement<'_>])) {
    let text = format!(".version 4.2\n.target sm_20\n.address_size 32\n.entry k()\n{{\n{text}\n}}\n");
    round_trip(&text);
    let module = module(&text);
    let kernel = functions(&module).next().expect("a kernel");
    check(&kernel.body.as_ref().expect("a body").statements);
}

/// Passes the only instruction of a text to `check`.
fn instruction(text: &str, check: impl FnOnce(&Instruction<'_>)) {
    body(text, |statements| match statements {
        [Statement::Instruction(instruction)] => check(instruction),
        _ => panic!("`{text}` is not one instruction: {statements:?}"),
    });
}

/// Passes the operands of the only instruction to `check`, without positions.
fn operands(text: &str, check: impl FnOnce(Vec<&OperandKind<'_>>)) {
    instruction(text, |instruction| {
        check(instruction.operands.iter().map(|operand| &operand.kind).collect())
    });
}

/// Passes the variables of a module to `check`.
fn variables(text: &str, check: impl FnOnce(Vec<&Variable<'_>>)) {
    round_trip(text);
    let module = module(text);
    let variables = module.items.iter().map(|item| match item {
        Item::Variable(variable) => variable,
        _ => panic!("no variable: {item:?}"),
    });
    check(variables.collect());
}

/// Passes the functions of a module to `check`.
fn signatures(text: &str, check: impl FnOnce(Vec<&Function<'_>>)) {
    round_trip(text);
    check(functions(&module(text)).collect());
}

fn integer(magnitude: u64) -> Integer {
    Integer {
        magnitude,
        negative: false,
        unsigned: false,
    }
}

const U32: Type = Type::new(Kind::Unsigned, 32);
const F32: Type = Type::new(Kind::Float, 32);

#[test]
fn head_of_a_module_is_parsed() {
    let text = ".version 4.2\n.target sm_20, debug\n.address_size 32\n.file 1 \"a dir\" \"a\\\"b\\\\c\\344\\266\\204.cl\"\n\
                .file 2 \"x.cl\", 1700000000, 123\n.section .debug_str { $L__a:\n .b8 1,2\n .b32 a-b }\n.pragma \"nounroll\";";
    round_trip(text);
    let module = module(text);
    assert_eq!(module.version, Some((4, 2)));
    assert_eq!(
        module.target.iter().map(|name| name.text).collect::<Vec<_>>(),
        ["sm_20", "debug"]
    );
    assert_eq!(module.address_size, Some(32));
    assert_eq!(module.files[0].directory.as_deref(), Some("a dir"));
    assert_eq!(module.files[0].name, "a\"b\\c\u{4d84}.cl");
    assert_eq!(
        (module.files[1].index, module.files[1].time, module.files[1].size),
        (2, Some(1_700_000_000), Some(123))
    );
    assert_eq!(module.sections[0].name, ".debug_str");
    assert!(matches!(&module.items[..], [Item::Pragma(pragma)] if pragma.strings == ["nounroll"]));
}

#[test]
fn variables_of_every_space_are_parsed() {
    let text = ".visible .const .align 4 .b8 a[6] = {1, 0x2, 03, 0b100};\n.extern .shared .align 16 .b8 b[];\n\
                .weak .global .v4 .f32 c, d = {0f3F800000, -1.5, 0d3FF0000000000000, 1e-3};\n.common .global .u64 e;\n\
                .internal .local .s16 f[2][3] = {{-1, 2U}, {}};\n.global .texref t;";
    variables(text, |all| {
        let [a, b, c, d, e, f, t] = all[..] else {
            panic!("{all:?}")
        };
        assert_eq!(
            (a.linkage, a.space, a.alignment),
            (Linkage::Visible, Space::Const, Some(4))
        );
        assert_eq!(
            (a.name.text, &a.dimensions[..], a.bytes()),
            ("a", &[Some(6)][..], Some(6))
        );
        let Some(InitialiserKind::List(values)) = a.initialiser.as_ref().map(|value| &value.kind) else {
            panic!("{a:?}")
        };
        let values: Vec<_> = values.iter().map(|value| &value.kind).collect();
        let expected = [1, 2, 3, 4].map(|value| InitialiserKind::Integer(integer(value)));
        assert_eq!(values, expected.iter().collect::<Vec<_>>());
        assert_eq!(
            (b.linkage, b.space, &b.dimensions[..], b.bytes()),
            (Linkage::Extern, Space::Shared, &[None][..], Some(0))
        );
        assert_eq!(
            (c.linkage, c.vector, c.ty, c.bytes()),
            (Linkage::Weak, 4, F32, Some(16))
        );
        assert_eq!((d.linkage, d.vector, d.name.text), (Linkage::Weak, 4, "d"));
        let Some(InitialiserKind::List(values)) = d.initialiser.as_ref().map(|value| &value.kind) else {
            panic!("{d:?}")
        };
        let floats = [
            Float::Single(0x3f80_0000),
            Float::Double((-1.5f64).to_bits()),
            Float::Double(1f64.to_bits()),
        ];
        for (value, float) in values
            .iter()
            .zip(floats.into_iter().chain([Float::Double(1e-3f64.to_bits())]))
        {
            assert_eq!(value.kind, InitialiserKind::Float(float));
        }
        assert_eq!((e.linkage, e.ty), (Linkage::Common, Type::new(Kind::Unsigned, 64)));
        assert_eq!(
            (f.space, &f.dimensions[..], f.bytes()),
            (Space::Local, &[Some(2), Some(3)][..], Some(12))
        );
        assert_eq!(t.ty.kind, Kind::Texture);
    });
}

#[test]
fn addresses_as_initial_values_are_parsed() {
    let text = ".const .u32 a[6] = {b, b+4, c-8, generic(d), generic(e)+12, 0xFF00(generic(f)+1)};";
    variables(text, |all| {
        let Some(InitialiserKind::List(values)) = all[0].initialiser.as_ref().map(|value| &value.kind) else {
            panic!()
        };
        let found: Vec<_> = values
            .iter()
            .map(|value| match &value.kind {
                InitialiserKind::Address {
                    symbol,
                    offset,
                    generic,
                    mask,
                } => (symbol.text, *offset, *generic, *mask),
                kind => panic!("{kind:?}"),
            })
            .collect();
        let expected = [
            ("b", 0, false, None),
            ("b", 4, false, None),
            ("c", -8, false, None),
            ("d", 0, true, None),
            ("e", 12, true, None),
            ("f", 1, true, Some(0xff00)),
        ];
        assert_eq!(found, expected);
    });
}

#[test]
fn functions_and_kernels_are_parsed() {
    let text =
        ".visible .entry k(.param .u32 .ptr .global .align 4 a, .param .align 8 .b8 b[12], .param .u64 .ptr c)\n\
                .maxntid 64, 2, 1 .minnctapersm 2 .pragma \"x\"; { ret; }\n\
                .func (.param .b32 r) f(.param .b32 _, .reg .f32 x) .noreturn;\n.extern .func g;\n.weak .func h() {}";
    signatures(text, |all| {
        let [k, f, g, h] = all[..] else { panic!("{all:?}") };
        assert_eq!(
            (k.linkage, k.entry, k.name.text, k.parameters.len()),
            (Linkage::Visible, true, "k", 3)
        );
        let pointer = Pointer {
            space: Some(Space::Global),
            alignment: Some(4),
        };
        assert_eq!(
            (k.parameters[0].pointer, k.parameters[0].ty, k.parameters[0].bytes()),
            (Some(pointer), U32, Some(4))
        );
        assert_eq!(
            (k.parameters[1].alignment, k.parameters[1].bytes()),
            (Some(8), Some(12))
        );
        assert_eq!(
            k.parameters[2].pointer,
            Some(Pointer {
                space: None,
                alignment: None
            })
        );
        assert_eq!(
            k.directive("maxntid").map(|directive| &directive.values[..]),
            Some(&[64, 2, 1][..])
        );
        assert_eq!(
            k.directive("minnctapersm").map(|directive| &directive.values[..]),
            Some(&[2][..])
        );
        assert_eq!(
            k.directive("pragma").map(|directive| directive.strings[0].as_ref()),
            Some("x")
        );
        assert_eq!(k.directive("maxnreg"), None);
        assert!(k.body.as_ref().is_some_and(|body| body.statements.len() == 1));
        assert_eq!(
            (f.entry, f.returns[0].name.text, f.parameters[0].name.text),
            (false, "r", "_")
        );
        assert_eq!((f.parameters[1].space, f.parameters[1].ty), (Space::Reg, F32));
        assert!(f.directive("noreturn").is_some() && f.body.is_none());
        assert_eq!(
            (g.linkage, g.parameters.len(), g.body.is_none()),
            (Linkage::Extern, 0, true)
        );
        assert!(h.body.as_ref().is_some_and(|body| body.statements.is_empty()));
    });
}

#[test]
fn registers_are_parsed() {
    body(
        ".reg .pred %p<3>;\n.reg .v2 .f32 %v, q<4>;\n.reg .b32 %SP;",
        |statements| {
            let found: Vec<_> = statements
                .iter()
                .flat_map(|statement| match statement {
                    Statement::Registers(all) => all
                        .names
                        .iter()
                        .map(|one| (all.ty.to_string(), all.vector, one.name.text, one.count))
                        .collect::<Vec<_>>(),
                    _ => panic!("{statement:?}"),
                })
                .collect();
            let one = |ty: &str, vector, name, count| (ty.to_string(), vector, name, count);
            let (p, v) = (one("pred", 1, "%p", Some(3)), one("f32", 2, "%v", None));
            assert_eq!(found, [p, v, one("f32", 2, "q", Some(4)), one("b32", 1, "%SP", None)]);
        },
    );
}

#[test]
fn opcodes_are_parsed() {
    instruction("ld.volatile.global.v4.f32 {%f1,%f2,%f3,%f4}, [%r1];", |one| {
        let opcode = &one.opcode;
        assert_eq!((opcode.base, opcode.text), ("ld", "ld.volatile.global.v4.f32"));
        let (global, v4) = (Modifier::Space(Space::Global), Modifier::Vector(4));
        assert_eq!(
            opcode.modifiers,
            [Modifier::Word("volatile"), global, v4, Modifier::Type(F32)]
        );
        assert_eq!(
            (opcode.space(), opcode.vector(), opcode.has("volatile")),
            (Some(Space::Global), 4, true)
        );
        assert!(!opcode.has("global"));
        assert_eq!(opcode.words().collect::<Vec<_>>(), ["volatile"]);
    });
    instruction("cvt.rn.f32.s16 %f1, %rs1;", |one| {
        assert_eq!(
            one.opcode.types().collect::<Vec<_>>(),
            [F32, Type::new(Kind::Signed, 16)]
        );
    });
    // The parser accepts instructions that no GPU has.
    instruction("frob.shared::cta.L1::no_allocate.x7.f16x2 ;", |one| {
        let words: Vec<_> = one.opcode.words().collect();
        assert_eq!(
            (one.opcode.base, &words[..]),
            ("frob", &["shared::cta", "L1::no_allocate", "x7"][..])
        );
        assert!(one.operands.is_empty());
    });
}

#[test]
fn guards_are_parsed() {
    for (text, negated) in [("@%p1 bra L;", false), ("@!%p1 bra L;", true), ("@ ! %p1 bra L;", true)] {
        instruction(text, |one| {
            let guard = one.guard.expect("a guard");
            assert_eq!((guard.predicate.text, guard.negated), ("%p1", negated));
            assert_eq!(
                one.operands[0].kind,
                OperandKind::Symbol {
                    name: "L",
                    offset: 0,
                    negated: false
                }
            );
        });
    }
}

#[test]
fn numbers_are_parsed() {
    let cases = [
        ("12", integer(12)),
        ("0", integer(0)),
        ("0x1F", integer(31)),
        ("0X1f", integer(31)),
        ("017", integer(15)),
        ("0b101", integer(5)),
        (
            "7U",
            Integer {
                unsigned: true,
                ..integer(7)
            },
        ),
        (
            "0xFFU",
            Integer {
                unsigned: true,
                ..integer(255)
            },
        ),
        (
            "-3",
            Integer {
                negative: true,
                ..integer(3)
            },
        ),
        (
            "- 9223372036854775808",
            Integer {
                negative: true,
                ..integer(1 << 63)
            },
        ),
        ("18446744073709551615", integer(u64::MAX)),
    ];
    for (text, value) in cases {
        operands(&format!("mov.b32 %r1, {text};"), |found| {
            assert_eq!(*found[1], OperandKind::Integer(value), "{text}")
        });
    }
    let floats = [
        ("0f3F800000", Float::Single(0x3f80_0000)),
        ("0F7fc00000", Float::Single(0x7fc0_0000)),
        ("-0f3F800000", Float::Single(0xbf80_0000)),
        ("0d3FF0000000000000", Float::Double(0x3ff0_0000_0000_0000)),
        ("2.5", Float::Double(2.5f64.to_bits())),
        ("1e5", Float::Double(1e5f64.to_bits())),
        ("-1.5E-3", Float::Double((-1.5e-3f64).to_bits())),
    ];
    for (text, value) in floats {
        operands(&format!("mov.f32 %f1, {text};"), |found| {
            assert_eq!(*found[1], OperandKind::Float(value), "{text}")
        });
    }
}

#[test]
fn numbers_in_few_bits_are_parsed() {
    let negative = |magnitude| Integer {
        negative: true,
        ..integer(magnitude)
    };
    let cases = [
        (integer(255), 8, Some(255)),
        (integer(256), 8, None),
        (negative(128), 8, Some(128)),
        (negative(129), 8, None),
        (negative(1), 32, Some(0xffff_ffff)),
        (integer(u64::MAX), 64, Some(u64::MAX)),
        (negative(1 << 63), 64, Some(1 << 63)),
        (negative((1 << 63) + 1), 64, None),
        (integer(1), 1, Some(1)),
    ];
    for (number, bits, value) in cases {
        assert_eq!(number.truncated(bits), value, "{number} in {bits} bits");
    }
    assert_eq!(negative(1).bits(), u64::MAX);
}

#[test]
fn operands_of_every_kind_are_parsed() {
    let symbol = |name, offset| OperandKind::Symbol {
        name,
        offset,
        negated: false,
    };
    let register = |name, negated| OperandKind::Register { name, negated };
    operands(
        "x %r1, !%p2, !q, sym, sym+4, sym-4, _, %tid.x, %laneid, %v.z, v.w, generic(g)+8;",
        |found| {
            let expected = [
                register("%r1", false),
                register("%p2", true),
                OperandKind::Symbol {
                    name: "q",
                    offset: 0,
                    negated: true,
                },
                symbol("sym", 0),
                symbol("sym", 4),
                symbol("sym", -4),
                OperandKind::Sink,
                OperandKind::Special("%tid.x"),
                OperandKind::Special("%laneid"),
                OperandKind::Component { name: "%v", index: 2 },
                OperandKind::Component { name: "v", index: 3 },
                OperandKind::Generic { name: "g", offset: 8 },
            ];
            assert_eq!(found, expected.iter().collect::<Vec<_>>());
        },
    );
    operands("setp.lt.s32 %p1|_, %r1, 3;", |found| {
        let OperandKind::Pair(pair) = found[0] else {
            panic!("{found:?}")
        };
        assert_eq!(
            (&pair[0].kind, &pair[1].kind),
            (&register("%p1", false), &OperandKind::Sink)
        );
    });
    operands("st.v2.f32 [%r1], {%f1, 0f00000000};", |found| {
        let OperandKind::Vector(parts) = found[1] else {
            panic!("{found:?}")
        };
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[1].kind, OperandKind::Float(Float::Single(0)));
    });
}

#[test]
fn addresses_are_parsed() {
    let cases = [
        ("[%r1]", Base::Register("%r1"), 0),
        ("[ %r1 + 4 ]", Base::Register("%r1"), 4),
        ("[%r1-4]", Base::Register("%r1"), -4),
        ("[%r1+-4]", Base::Register("%r1"), -4),
        ("[%r1+0x10]", Base::Register("%r1"), 16),
        ("[k_param_0+8]", Base::Symbol("k_param_0"), 8),
        ("[$x]", Base::Symbol("$x"), 0),
        ("[16]", Base::None, 16),
        ("[-16]", Base::None, -16),
        ("[x-9223372036854775808]", Base::Symbol("x"), i64::MIN),
    ];
    for (text, base, offset) in cases {
        let address = OperandKind::Address(Address { base, offset });
        operands(&format!("ld.u32 %r2, {text};"), |found| {
            assert_eq!(*found[1], address, "{text}")
        });
    }
    operands("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, s, {%f5, %f6}];", |found| {
        let OperandKind::AddressList(parts) = found[1] else {
            panic!("{found:?}")
        };
        assert_eq!(
            parts[0].kind,
            OperandKind::Address(Address {
                base: Base::Symbol("t"),
                offset: 0
            })
        );
        assert!(matches!(&parts[2].kind, OperandKind::Vector(coordinates) if coordinates.len() == 2));
    });
}

#[test]
fn special_registers_are_parsed() {
    for name in [
        "%tid",
        "%tid.x",
        "%nctaid.w",
        "%laneid",
        "%clock64",
        "%pm3",
        "%envreg31",
        "%lanemask_lt",
    ] {
        assert!(is_special(name), "{name}");
    }
    for name in [
        "%r1",
        "%tid.q",
        "%laneid.x",
        "%pm",
        "%envreg",
        "%p1",
        "tid.x",
        "%tidx",
        "%pmx",
    ] {
        assert!(!is_special(name), "{name}");
    }
}

/// Tests calls with line information, as generated by clang: the labels are inside the call.
#[test]
fn calls_are_parsed() {
    let text =
        "{ // callseq 0, 0\n.param .b32 param0;\nst.param.f32 [param0+0], %f5;\n.param .align 4 .b8 param1[12];\n\
                call.uni (retval0), \n$L__tmp3:\n\t.loc 1 2 3\n f, \n(\nparam0, \n$L__tmp4: param1\n);\n} // callseq 0";
    body(text, |statements| {
        let [Statement::Block(block)] = statements else {
            panic!("{statements:?}")
        };
        let labels: Vec<_> = block
            .statements
            .iter()
            .filter_map(|statement| match statement {
                Statement::Label(label) => Some(label.text),
                _ => None,
            })
            .collect();
        assert_eq!(labels, ["$L__tmp3", "$L__tmp4"]);
        assert!(matches!(&block.statements[0], Statement::Variable(one) if one.space == Space::Param));
        assert!(matches!(&block.statements[2], Statement::Variable(one) if one.bytes() == Some(12)));
        let Some(Statement::Instruction(call)) = block.statements.last() else {
            panic!("{block:?}")
        };
        assert_eq!(
            (call.opcode.base, call.opcode.has("uni"), call.operands.len()),
            ("call", true, 3)
        );
        let arguments = |at: usize| match &call.operands[at].kind {
            OperandKind::Arguments(all) => all.iter().map(ToString::to_string).collect::<Vec<_>>(),
            kind => panic!("{kind:?}"),
        };
        assert_eq!(
            (arguments(0), arguments(2)),
            (vec!["retval0".to_string()], vec!["param0".into(), "param1".into()])
        );
        assert_eq!(call.operands[1].to_string(), "f");
    });
    body("call f; call.uni f, (); call (r), %r1, (a, 3), proto;", |statements| {
        assert_eq!(statements.len(), 3)
    });
}

#[test]
fn indirect_calls_and_branches_are_parsed() {
    let text = "prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 4 .b8 _[8]) .noreturn;\n\
                $L_brx_0: .branchtargets a, b;\nc: .calltargets f;\nbrx.idx %r1, $L_brx_0;";
    body(text, |statements| {
        let [Statement::CallPrototype(prototype), Statement::BranchTargets(branches), Statement::CallTargets(calls), _] =
            statements
        else {
            panic!("{statements:?}")
        };
        assert_eq!(
            (
                prototype.label.text,
                prototype.returns.len(),
                prototype.parameters.len()
            ),
            ("prototype_0", 1, 2)
        );
        assert_eq!(prototype.directives[0].name, "noreturn");
        assert_eq!(branches.label.text, "$L_brx_0");
        assert_eq!(
            branches.targets.iter().map(|name| name.text).collect::<Vec<_>>(),
            ["a", "b"]
        );
        assert_eq!(calls.targets[0].text, "f");
    });
}

#[test]
fn source_locations_are_kept() {
    body(
        ".loc 1 5 3\n.loc 2 6 4, function_name $L__info_string0+8, inlined_at 1 9 7\nret;",
        |statements| {
            let [Statement::Location(plain), Statement::Location(inlined), _] = statements else {
                panic!("{statements:?}")
            };
            assert_eq!((plain.file, plain.line, plain.column, &plain.inlined), (1, 5, 3, &None));
            let place = inlined.inlined.as_ref().expect("inlined");
            assert_eq!((place.function.text, place.offset), ("$L__info_string0", 8));
            assert_eq!((place.file, place.line, place.column), (1, 9, 7));
        },
    );
}

#[test]
fn comments_blanks_and_empty_statements_are_parsed() {
    let text = "// begin inline asm\n\t{ .reg .b32 t; /* a ; } * / \u{e4} */ mov.b32 t, %r1;; }\n// end inline asm ; }\n;\r\n\t\
                l:m:\tret /**/ ; .pragma \"nounroll\"; .shared .align 4 .b8 s[4];";
    body(text, |statements| {
        let [Statement::Block(block), Statement::Label(l), Statement::Label(m), Statement::Instruction(ret), Statement::Pragma(_), Statement::Variable(_)] =
            statements
        else {
            panic!("{statements:?}")
        };
        assert_eq!(
            (block.statements.len(), l.text, m.text, ret.opcode.text),
            (2, "l", "m", "ret")
        );
        // After a character of two bytes, columns still count characters.
        let Statement::Instruction(mov) = &block.statements[1] else {
            panic!("{block:?}")
        };
        assert_eq!((mov.span.line, mov.span.column), (7, 35));
    });
}

/// Text without directives is a module without items.
#[test]
fn empty_text_is_a_module() {
    for text in ["", "\n", "// only this", "/* and this */"] {
        assert_eq!(parse(text).map(|module| module.items.len()), Ok(0), "`{text}`");
    }
}

#[test]
fn layout_of_clang_is_preserved() {
    let text = ".version 4.2\n.target sm_20\n.address_size 32\n\n.visible .entry k(\n\t.param .u32 k_param_0\n)\n{\n\t\
                .reg .b32 %r<3>;\n\tld.param.u32 %r1, [k_param_0];\n$L__BB0_1:\n\t@!%p1 bra $L__BB0_1;\n\tret;\n}\n";
    assert_eq!(module(text).to_string(), text);
}
