//! `printf` in kernels on the golden model: the records that they write, and the resulting text. Without clang, these
//! tests print "skipped".

mod frontend;

use flexgrip_compiler::launch::{Argument, IndexSpace, Places};
use flexgrip_compiler::placement::Placement;
use flexgrip_compiler::printf::records::{Extent, Printed, Printer};
use flexgrip_compiler::{Capability, Compiled};
use flexgrip_machine::{Configuration, ImageSpace, MemoryImage};
use flexgrip_model::Machine;
use frontend::{clang, Program};

/// Size of the buffer in bytes, except in tests of a full buffer.
const BYTES: u32 = 1 << 20;

/// Runs kernel `k`, and returns its output and the contents of its buffer of 64 words.
fn run(kernel: &Compiled, space: &IndexSpace, bytes: u32) -> (Printed, Vec<u32>) {
    let mut placement = Placement::new(space);
    let buffer = placement.add_buffer(0, 256, 4).expect("a place");
    let variables = placement.add_variables(&kernel.variables).expect("a place");
    let printf = placement.add_printf(kernel, space, bytes).expect("a place");
    let mut memory = vec![0u8; placement.memory_bytes().expect("a size") as usize];
    placement.fill(&mut memory);
    for word in 0..64u32 {
        let value = (word as f32) * 0.5 - 1.0;
        memory[(buffer + 4 * word) as usize..][..4].copy_from_slice(&value.to_le_bytes());
    }
    let initial = kernel.variables.placed_at(variables);
    memory[variables as usize..][..initial.len()].copy_from_slice(&initial);
    let arguments = [Argument::Value(buffer.to_le_bytes().to_vec())];
    let places = Places { variables, printf };
    let launches = kernel.launches(&arguments, space, places).expect("launches");
    let printing = kernel.printing(space, printf);
    let mut printer = printing.map(|printing| Printer::new(&printing).expect("formats"));
    for mut launch in launches {
        let extent = Extent::from(&launch);
        launch.memory.push(MemoryImage {
            space: ImageSpace::Global,
            address: 0,
            words: flexgrip_compiler::launch::words(&memory),
        });
        let configuration = Configuration {
            capability: kernel.program.capability,
            global_bytes: memory.len() as u32,
            ..Configuration::default()
        };
        let mut machine = Machine::new(launch, configuration).unwrap_or_else(|error| panic!("{error}"));
        machine.run(u64::MAX).unwrap_or_else(|error| panic!("{error}"));
        memory = machine.global().bytes().to_vec();
        assert_eq!(placement.overwritten(&memory), None);
        if let Some(printer) = &mut printer {
            let mut read = |at: u32, bytes: u32| Some(memory.get(at as usize..(at + bytes) as usize)?.to_vec());
            printer.collect(&extent, &mut read);
            let range = printer.range(&extent);
            memory[range.start as usize..range.end as usize].fill(0);
        }
    }
    let words = memory[buffer as usize..][..256].chunks(4);
    let words = words.map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
    (printer.map(Printer::finish).unwrap_or_default(), words.collect())
}

fn line(global: u32, local: u32) -> IndexSpace {
    IndexSpace {
        dimensions: 1,
        offset: [0; 3],
        global: [global, 1, 1],
        local: [local, 1, 1],
    }
}

/// Returns the output of a kernel with this body and the buffer `global float *a`; `None` without clang.
fn printed(body: &str, space: &IndexSpace) -> Option<String> {
    let kernel = Program::new(&clang()?, &source(body), "-w").kernel("k");
    let (printed, _) = run(&kernel, space, BYTES);
    assert!(!printed.lost.is_any(), "{}", printed.lost);
    Some(String::from_utf8(printed.text).expect("text"))
}

fn source(body: &str) -> String {
    format!("kernel void k(global float *a) {{\n  int i = get_global_id(0);\n{body}\n}}\n")
}

#[test]
fn values_of_all_types_are_printed() {
    let body = r#"
        printf("%d|%5i|%-4o|%u|%#x|%X\n", i - 7, 42, 8, 4000000000u, 255, 255);
        printf("%hhd %hd %ld %lu %lx\n", (char)200, (short)70000, -(long)(i + 1), 0xffffffffffffffffUL, (long)i << 33);
        printf("%f %.2e %g %a %G %F\n", a[3], a[4], a[5], a[6], 1e10f, -0.0f);
        printf("%c%c %s %5s|%-5s|%% %p\n", 'o', 'k', "text", "ab", "cd", (global float *)0);
        printf("%v4hhd %v2hd %v3hld %v2ld %v8hhx\n", (char4)(1, -2, 3, i), (short2)(4, -5), (int3)(6, 7, -8),
               (long2)(9, -10), (uchar8)(0xfe, 1, 2, 3, 4, 5, 6, 7));
        printf("%v3hhu %c %v4hlf %v2f %d\n", (uchar3)(1, 2, 3), 'x', vload4(0, a), (float2)(a[1], i), 5);
        printf("%v16hld %v3hd %v16hhd %v2hhd %v8hlg\n", (int16)(i), (short3)(1, 2, 3), (char16)(i - 1), (char2)(7, 8), vload8(0, a));
        printf("no arguments\n");"#;
    let Some(text) = printed(body, &line(1, 1)) else { return };
    let wanted = "-7|   42|10  |4000000000|0xff|FF\n\
        -56 4464 -1 18446744073709551615 0\n\
        0.500000 1.00e+00 1.5 0x1p+1 1E+10 -0.000000\n\
        ok text    ab|cd   |% (nil)\n\
        1,-2,3,0 4,-5 6,7,-8 9,-10 fe,1,2,3,4,5,6,7\n\
        1,2,3 x -1.000000,-0.500000,0.000000,0.500000 -0.500000,0.000000 5\n\
        0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 1,2,3 -1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1 7,8 -1,-0.5,0,0.5,1,1.5,2,2.5\n\
        no arguments\n";
    assert_eq!(text, wanted);
}

#[test]
fn the_order_is_by_group_item_and_call() {
    let body = r#"
        if (i % 3 == 0) printf("a%d ", i);
        for (int j = 0; j < i % 4; j++)
            printf("%d.%d ", i, j);
        if (i % 2) printf("z\n");"#;
    let Some(text) = printed(body, &line(120, 40)) else {
        return;
    };
    let mut wanted = String::new();
    for i in 0..120 {
        if i % 3 == 0 {
            wanted += &format!("a{i} ");
        }
        for j in 0..i % 4 {
            wanted += &format!("{i}.{j} ");
        }
        if i % 2 == 1 {
            wanted += "z\n";
        }
    }
    assert_eq!(text, wanted);
}

#[test]
fn three_dimensions_are_in_order() {
    let body = r#"printf("%d,%d,%d;", i, (int)get_global_id(1), (int)get_global_id(2));"#;
    let space = IndexSpace {
        dimensions: 3,
        offset: [1, 0, 0],
        global: [6, 4, 4],
        local: [3, 2, 2],
    };
    let Some(text) = printed(body, &space) else { return };
    let mut wanted = String::new();
    for group in 0..8 {
        for item in 0..12 {
            let x = 1 + group % 2 * 3 + item % 3;
            let y = group / 2 % 2 * 2 + item / 3 % 2;
            let z = group / 4 * 2 + item / 6;
            wanted += &format!("{x},{y},{z};");
        }
    }
    assert_eq!(text, wanted);
}

#[test]
fn literals_may_be_chosen_at_run_time() {
    let body = r#"
        printf(i & 1 ? "odd %d %s\n" : "even %d %s\n", i, a[i] > 0.0f ? "+" : "-");
        if (i == 1) printf("b %s\n", "x"); else printf("c %s %d\n", "y", i);"#;
    let Some(text) = printed(body, &line(4, 4)) else { return };
    let wanted = "even 0 -\nc y 0\nodd 1 -\nb x\neven 2 -\nc y 2\nodd 3 +\nc y 3\n";
    assert_eq!(text, wanted);
}

#[test]
fn functions_constants_and_barriers_print_too() {
    let Some(clang) = clang() else { return };
    let text = r#"
        constant char format[] = "%s %d\n";
        void both(constant char *name, int x) { printf(format, name, x); }
        __attribute__((noinline)) int twice(int x) { printf("in twice %d\n", x); return 2 * x; }
        kernel void k(global float *a) {
            local int shared[64];
            int i = get_local_id(0);
            shared[i] = i;
            both("before", i);
            barrier(CLK_LOCAL_MEM_FENCE);
            if (i == 40) both("after", twice(shared[63 - i]));
            a[i] = printf("");
        }"#;
    let kernel = Program::new(&clang, text, "-w").kernel("k");
    let (printed, words) = run(&kernel, &line(64, 64), BYTES);
    let mut wanted = String::new();
    for i in 0..64 {
        wanted += &format!("before {i}\n");
        if i == 40 {
            wanted += "in twice 23\nafter 46\n";
        }
    }
    assert_eq!(String::from_utf8_lossy(&printed.text), wanted);
    assert_eq!(words, [0; 64], "printf returns 0");
}

#[test]
fn a_kernel_with_all_of_shared_memory_prints() {
    let Some(clang) = clang() else { return };
    let text = "kernel void k(global float *a) { local int all[4096]; int i = get_local_id(0); all[i] = i;\n\
                barrier(CLK_LOCAL_MEM_FENCE); printf(\"%d \", all[31 - i]); }";
    let kernel = Program::new(&clang, text, "").kernel("k");
    assert!(kernel.whole_shared);
    let wanted: String = (0..32).rev().map(|i| format!("{i} ")).collect();
    let (printed, _) = run(&kernel, &line(32, 32), BYTES);
    assert_eq!(String::from_utf8_lossy(&printed.text), wanted);
}

#[test]
fn a_full_buffer_returns_minus_one_and_counts() {
    let Some(clang) = clang() else { return };
    let text = source(
        "  int all = 0;\n  for (int j = 0; j < 100; j++) all += printf(\"%d %d\\n\", i, j);\n  a[i] = as_float(all);",
    );
    let kernel = Program::new(&clang, &text, "").kernel("k");
    // There are two warps. Each has a header of 12 bytes and space for 42 records of 12 bytes.
    let (printed, words) = run(&kernel, &line(64, 32), 1032);
    assert_eq!(printed.text.iter().filter(|&&byte| byte == b'\n').count(), 84);
    assert_eq!((printed.lost.calls, printed.lost.bytes), (6400 - 84, 12 * (6400 - 84)));
    let lost: i32 = words.iter().map(|&word| word as i32).sum();
    assert_eq!(lost, 84 - 6400, "each lost call has returned -1");
    // Nothing is lost if the buffer is large enough.
    let (printed, words) = run(&kernel, &line(64, 32), BYTES);
    assert!(!printed.lost.is_any() && words == [0; 64]);
}

#[test]
fn formats_must_be_literals() {
    let Some(clang) = clang() else { return };
    for (parameters, call, message) in [
        (
            "constant char *s",
            "printf(s);",
            "the format of `printf` must be a string literal",
        ),
        (
            "constant char *s",
            "printf(\"%s\", s);",
            "argument 1 of `printf`: `%s` takes a string literal",
        ),
        (
            "global char *s",
            "printf(\"%d%s\", 1, s);",
            "argument 2 of `printf`: `%s` takes a string literal",
        ),
        (
            "int s",
            "printf(\"%v5d\", s);",
            "`%v5` in the format of printf: a vector has 2, 3, 4, 8 or 16 elements",
        ),
        (
            "int s",
            "printf(\"%*d\", s, s);",
            "`%*` in the format of printf: OpenCL C has no `*`",
        ),
        (
            "int s",
            "printf(\"%k\", s);",
            "`%k` in the format of printf: OpenCL C has no such conversion",
        ),
    ] {
        let text = format!("kernel void k({parameters}) {{\n  if (get_global_id(0) == 3)\n    {call}\n}}\n");
        let kernels = Program::new(&clang, &text, "-w").kernels();
        let error = kernels["k"].clone().expect_err(call);
        assert!(error.contains(message), "{error}");
        assert!(error.ends_with("(OpenCL line 3, column 5)"), "{error}");
    }
}

/// In a source with doubles in one kernel, the other kernels' floats are passed to `printf` as doubles, which SM 1.0
/// does not have.
#[test]
fn floats_are_printed_beside_kernels_with_doubles() {
    let Some(clang) = clang() else { return };
    let text = "kernel void d(global double *a) { a[0] = a[0] * a[1]; }\n".to_string()
        + &source(
            r#"
        printf("%f %a %g %s\n", a[i], a[i] > 0.0f ? 1.5f : a[0], 2.5f, "x");
        printf("%v2hlf %d %e\n", (float2)(a[i], 7), i, a[i] * a[i]);
        printf("%f %f %f %f\n", 1e38f * (10 + i), -1e38f * (10 + i), 1e-38f / (10 + i), 0.1f + i);"#,
        );
    let program = Program::new(&clang, &text, "-w");
    let error = program.kernels().remove("d").expect("a kernel").expect_err("doubles");
    assert!(error.contains("doubles need compute capability 1.3"), "{error}");
    let kernel = program.kernel("k");
    assert!(kernel.prints.iter().all(|site| site.promoted));
    let (printed, _) = run(&kernel, &line(4, 4), BYTES);
    let mut wanted = String::new();
    for i in 0..4 {
        let value = f64::from(i) * 0.5 - 1.0;
        let chosen = if value > 0.0 { "0x1.8p+0" } else { "-0x1p+0" };
        wanted += &format!("{value:.6} {chosen} 2.5 x\n");
        wanted += &format!(
            "{value:.6},7.000000 {i} {}\n",
            ["1.000000e+00", "2.500000e-01", "0.000000e+00", "2.500000e-01"][i as usize]
        );
        wanted += &format!("inf -inf 0.000000 {:.6}\n", f64::from(0.1f32 + i as f32));
    }
    assert_eq!(String::from_utf8_lossy(&printed.text), wanted);
}

#[test]
fn doubles_are_printed() {
    let Some(clang) = clang() else { return };
    let text = source(
        r#"
        double x = 0.1 * (i + 1);
        printf("%.17g %f %v2lf\n", x, a[i], (double2)(x, -x));
        printf("%a %d %e %g\n", 1 / x, i, sqrt(x), 1e-310 * x);"#,
    );
    let kernel = Program::of(&clang, &text, "-w", Capability::V1_3).kernel("k");
    let (printed, _) = run(&kernel, &line(2, 2), BYTES);
    let wanted = "0.10000000000000001 -1.000000 0.100000,-0.100000\n0x1.4p+3 0 3.162278e-01 1e-311\n\
                  0.20000000000000001 -0.500000 0.200000,-0.200000\n0x1.4p+2 1 4.472136e-01 2e-311\n";
    assert_eq!(String::from_utf8_lossy(&printed.text), wanted);
}

#[test]
fn a_user_function_named_printf_is_called() {
    let Some(clang) = clang() else { return };
    let text = "int printf(int x);\nint printf(int x) { return x + 1; }\nkernel void k(global int *a) { a[0] = printf(a[1]); }";
    // Some versions of clang refuse this function, because it redeclares a built-in function.
    let options = flexgrip_compiler::clang::BuildOptions::default();
    let source = flexgrip_compiler::clang::Source {
        name: "test.cl",
        text: text.as_bytes(),
    };
    match clang.ptx(&source, &options) {
        Ok(_) => assert!(Program::new(&clang, text, "").kernel("k").prints.is_empty()),
        Err(error) => assert!(error.to_string().contains("printf"), "{error}"),
    }
}

#[test]
fn kernels_that_print_nothing_need_no_buffer() {
    let Some(clang) = clang() else { return };
    let text = "kernel void k(global int *a) { a[0] = 1; }\nkernel void p(global int *a) { printf(\"%d\", a[0]); }";
    let program = Program::new(&clang, text, "");
    let (silent, prints) = (program.kernel("k"), program.kernel("p"));
    assert!(silent.hidden.is_empty() && silent.prints.is_empty());
    let mut placement = Placement::new(&line(1, 1));
    assert_eq!(placement.add_printf(&silent, &line(1, 1), BYTES), Ok(None));
    assert!(placement.regions().is_empty());
    let arguments = [Argument::Value(vec![0; 4])];
    let error = prints
        .launches(&arguments, &line(1, 1), 0)
        .map(|launches| launches.len());
    let error = error.expect_err("no buffer").to_string();
    assert_eq!(error, "the kernel calls printf; expected a buffer for its output");
}
