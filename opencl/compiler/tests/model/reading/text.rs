//! PTX that clang rarely or never generates: tables of branches, conditional calls and exits, shared memory whose size
//! the launch determines. The tests also launch grids larger than the machine's grid.

use crate::harness::{execute, run, value, words, Case};
use flexgrip_compiler::launch::{Argument, IndexSpace};
use flexgrip_compiler::{compile, ptx, Options};

const HEAD: &str = ".version 4.2\n.target sm_20\n.address_size 32\n";

fn case(text: &str) -> Case<'_> {
    Case {
        text,
        kernel: "k",
        options: Options::default(),
        grid: [2, 1, 1],
        block: [32, 1, 1],
        arguments: vec![value(0)],
        memory: vec![0; 256],
    }
}

/// Returns a kernel that stores `%r9`. The body computes it from `%r2`, the thread's index in the grid.
fn kernel(before: &str, body: &str) -> String {
    format!(
        "{HEAD}{before}\n.visible .entry k(.param .u32 out) {{\n.reg .pred %p<5>;\n.reg .b32 %r<20>;\n\
         mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmad.lo.s32 %r2, %r1, 32, %r0;\nld.param.u32 %r3, [out];\n\
         mad.lo.s32 %r3, %r2, 4, %r3;\nmov.u32 %r9, 77;\n{body}\nst.global.u32 [%r3], %r9;\nret;\n}}\n"
    )
}

fn check(before: &str, body: &str) {
    let text = kernel(before, body);
    let outcome = run(&case(&text));
    outcome.compare(body, |found, wanted| found == wanted);
    assert!(outcome.found.iter().any(|&byte| byte != 0));
}

#[test]
fn branches_by_a_table_compile() {
    let cases = "A:\nmov.u32 %r9, 5;\nbra.uni END;\nB:\nadd.s32 %r9, %r9, %r2;\nC:\nadd.s32 %r9, %r9, 1000;\nEND:";
    check(
        "",
        &format!("and.b32 %r4, %r2, 3;\nT: .branchtargets A, B, C, B;\nbrx.idx %r4, T;\n{cases}"),
    );
    check(
        "",
        &format!(
            "and.b32 %r4, %r2, 1;\nsetp.gt.u32 %p1, %r2, 20;\nT: .branchtargets A, C;\n@%p1 brx.idx %r4, T;\n\
             mov.u32 %r9, 3;\nbra.uni B;\n{cases}"
        ),
    );
}

#[test]
fn guarded_calls_exits_and_returns_compile() {
    let function = ".func (.param .b32 result) f(.param .b32 x) {\n.reg .b32 %r<4>;\n.reg .pred %p<2>;\n\
        ld.param.u32 %r1, [x];\nsetp.gt.u32 %p0, %r1, 50;\n@%p0 exit;\nsetp.gt.u32 %p1, %r1, 30;\nst.param.b32 [result], %r1;\n\
        @%p1 ret;\nmul.lo.s32 %r1, %r1, 3;\nst.param.b32 [result], %r1;\nret;\n}\n";
    let call =
        "setp.lt.u32 %p1, %r0, 20;\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r2;\nst.param.b32 [b], %r9;\n\
        @%p1 call (b), f, (a);\nld.param.u32 %r9, [b];";
    check(function, call);
}

/// Shared memory of a function is the same for all of its calls.
#[test]
fn calls_share_a_functions_shared_memory() {
    let function = ".func (.param .b32 result) f(.param .b32 x) {\n.reg .b32 %r<6>;\n.shared .align 4 .b8 room[128];\n\
        ld.param.u32 %r1, [x];\nmov.u32 %r2, %tid.x;\nshl.b32 %r2, %r2, 2;\nmov.u32 %r3, room;\nadd.s32 %r2, %r2, %r3;\n\
        ld.shared.u32 %r4, [%r2];\nadd.s32 %r4, %r4, %r1;\nst.shared.u32 [%r2], %r4;\nst.param.b32 [result], %r4;\nret;\n}\n";
    let call = |to: &str| {
        format!(
            "{{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r2;\ncall.uni (b), f, (a);\nld.param.u32 {to}, [b];\n}}\n"
        )
    };
    check(
        function,
        &(call("%r9") + &call("%r9") + &call("%r10") + "add.s32 %r9, %r9, %r10;"),
    );
}

#[test]
fn a_trap_stops_the_grid() {
    let text = kernel("", "setp.eq.u32 %p1, %r2, 40;\n@%p1 trap;");
    let error = execute(&case(&text)).expect_err("an error");
    assert!(error.contains("trap"), "{error}");
}

/// Shared memory whose size the launch determines is placed after all other shared memory.
#[test]
fn shared_memory_of_open_size() {
    let before = ".extern .shared .align 4 .b8 room[];\n.shared .align 4 .b8 fixed[64];\n";
    let body = "mov.u32 %r4, room;\nmov.u32 %r5, fixed;\nst.shared.u32 [%r5+60], %r4;\nld.shared.u32 %r9, [fixed+60];";
    let text = kernel(before, body);
    let module = ptx::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let kernel = module.kernels().next().expect("a kernel");
    let compiled = compile(&module, kernel, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let end = compiled.program.kernels[0].shared_bytes;
    let (_, memory, ..) = execute(&case(&text)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(words(&memory)[0], end);
    assert_eq!(end % 16, 0);
    let both = format!("{HEAD}{before}.entry k(.param .u32 .ptr .shared .align 4 x) {{\n.reg .b32 %r<2>;\nmov.u32 %r1, room;\nret;\n}}\n");
    let module = ptx::parse(&both).unwrap_or_else(|error| panic!("{error}"));
    let kernel = module.kernels().next().expect("a kernel");
    let error = compile(&module, kernel, &Options::default()).expect_err("an error");
    assert!(error.message.contains("and `x`: expected at most one"), "{error}");
}

/// Each slice of the third dimension is a separate launch, and gets its index.
#[test]
fn slices_of_a_third_dimension_are_launches() {
    let text = format!(
        "{HEAD}.entry k(.param .u32 out) {{\n.reg .b32 %r<9>;\nld.param.u32 %r1, [out];\nmov.u32 %r2, %ctaid.z;\n\
         mov.u32 %r3, %nctaid.z;\nshl.b32 %r4, %r2, 2;\nadd.s32 %r1, %r1, %r4;\nmad.lo.s32 %r5, %r3, 100, %r2;\n\
         st.global.u32 [%r1], %r5;\nret;\n}}\n"
    );
    let outcome = run(&Case {
        grid: [1, 1, 3],
        block: [1, 1, 1],
        ..case(&text)
    });
    assert_eq!(words(&outcome.found)[..4], [300, 301, 302, 0]);
    assert_eq!(outcome.found, outcome.wanted);
    let module = ptx::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let kernel = module.kernels().next().expect("a kernel");
    let compiled = compile(&module, kernel, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let space = IndexSpace {
        dimensions: 3,
        offset: [0; 3],
        global: [1, 1, 3],
        local: [1; 3],
    };
    let launches = compiled.launches(&[Argument::Value(vec![0; 4])], &space, 0);
    assert_eq!(launches.map(|launches| launches.len()), Ok(3));
}

#[test]
fn calls_that_cannot_be_compiled_are_errors() {
    for (before, body, wanted) in [
        (
            ".func f() { call.uni f, (); ret; }",
            "call.uni f, ();",
            "`f` calls itself",
        ),
        (
            ".func g();\n.func f() { call.uni g, (); ret; }\n.func g() { call.uni f, (); ret; }",
            "call.uni f, ();",
            "`f` calls itself",
        ),
        (
            ".func f();",
            "call.uni f, ();",
            "neither defined nor a built-in function",
        ),
        ("", "call.uni nothing, ();", "neither defined nor a built-in function"),
        (
            ".func f() { ret; }",
            "mov.u32 %r4, f;",
            "function pointers are not supported",
        ),
        ("", "call.uni %r4, ();", "function pointers are not supported"),
        (
            ".func f(.param .b32 x) { ret; }",
            "call.uni f, ();",
            "the wrong number of parameters",
        ),
        (
            ".func f(.param .b64 x) { ret; }",
            "{ .param .b32 a; st.param.b32 [a], %r2; call.uni f, (a); }",
            "4 bytes are passed for `x`, which has 8",
        ),
    ] {
        let text = kernel(before, body);
        let error = execute(&case(&text)).expect_err("an error");
        assert!(error.contains(wanted), "{body}: {error}");
    }
}

/// Blocks outside the machine's grid are in separate launches, and get their indices.
#[test]
fn grids_larger_than_the_machine_are_split() {
    let text = ".version 3.2\n.target sm_20\n.address_size 32\n.entry k(.param .u32 out)\n{\n.reg .b32 %r<20>;\n\
                ld.param.u32 %r1, [out];\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n\
                mad.lo.s32 %r5, %r2, %r3, %r4;\nmov.u32 %r6, %ctaid.y;\nmov.u32 %r7, %nctaid.x;\n\
                mad.lo.s32 %r8, %r7, %r3, 0;\nmad.lo.s32 %r5, %r6, %r8, %r5;\nmov.u32 %r9, %nctaid.y;\n\
                xor.b32 %r10, %r5, %r9;\nshl.b32 %r11, %r5, 2;\nadd.s32 %r11, %r1, %r11;\n\
                st.global.u32 [%r11], %r10;\nret;\n}\n";
    for grid in [[65_540, 1, 1], [1, 65_537, 1]] {
        let block = [2, 1, 1];
        let threads = grid[0] * grid[1] * block[0];
        let case = Case {
            text,
            kernel: "k",
            options: Options {
                large_grid: true,
                ..Options::default()
            },
            grid,
            block,
            arguments: vec![value(0)],
            memory: vec![0; 4 * threads as usize],
        };
        let (_, found, _, _) = execute(&case).unwrap_or_else(|error| panic!("{error}"));
        let mut all = words(&found).into_iter().zip(0..);
        let wrong = all.find(|&(word, at): &(u32, u32)| at < threads && word != at ^ grid[1]);
        assert_eq!(wrong, None, "{grid:?}");
    }
}
