//! Features of real OpenCL sources that a compiler must accept, or refuse with an error about the source. Without
//! clang, these tests print "skipped".

mod frontend;

use flexgrip_compiler::clang::{BuildOptions, Clang, ClangError, Ptx, Source};
use flexgrip_compiler::error::no_doubles;
use flexgrip_compiler::launch::{words, Argument, ArgumentError, IndexSpace};
use flexgrip_compiler::{compile, ptx, Capability, Compiled, Options};
use flexgrip_machine::{Configuration, ImageSpace, MemoryImage};
use flexgrip_model::Machine;
use frontend::clang;

fn made(clang: &Clang, text: &[u8], options: &str) -> Result<Ptx, String> {
    let options = BuildOptions::parse(options).expect("options");
    let source = Source { name: "k.cl", text };
    clang.ptx(&source, &options).map_err(|error| match error {
        ClangError::Source { log } => log,
        error => panic!("{error}"),
    })
}

/// Compiles each kernel: returns its name and its code, or `line:column: message`.
fn kernels(clang: &Clang, text: &[u8], options: &str, whole_shared: bool) -> Vec<(String, Result<Compiled, String>)> {
    let made = made(clang, text, options).unwrap_or_else(|log| panic!("{log}\n{}", String::from_utf8_lossy(text)));
    let module = ptx::parse(&made.text).unwrap_or_else(|error| panic!("{error}\n{}", made.text));
    let options = Options {
        whole_shared,
        ..made.options
    };
    let compiled = |kernel: &ptx::ast::Function| {
        let compiled = compile(&module, kernel, &options).map_err(|error| match error.place.source {
            Some(source) => format!("{}:{}: {}", source.line, source.column, error.message),
            None => format!("?: {}", error.message),
        });
        (kernel.name.text.to_string(), compiled)
    };
    module.kernels().map(compiled).collect()
}

fn kernel(clang: &Clang, text: &[u8]) -> Compiled {
    let (name, compiled) = kernels(clang, text, "", false).remove(0);
    compiled.unwrap_or_else(|error| panic!("{name}: {error}\n{}", String::from_utf8_lossy(text)))
}

/// Runs a single group. Its first argument is a buffer at address 256.
fn run(kernel: &Compiled, group: u32, buffer: &[u32], more: &[Argument]) -> Vec<u32> {
    let mut arguments = vec![Argument::Value(256u32.to_le_bytes().to_vec())];
    arguments.extend_from_slice(more);
    let space = IndexSpace {
        dimensions: 1,
        offset: [0; 3],
        global: [group, 1, 1],
        local: [group, 1, 1],
    };
    let mut launches = kernel.launches(&arguments, &space, 1 << 19).expect("launches");
    let mut launch = launches.next().expect("a launch");
    let variables = words(&kernel.variables.placed_at(1 << 19));
    for (address, words) in [(256, buffer), (1 << 19, &variables)] {
        launch.memory.push(MemoryImage {
            space: ImageSpace::Global,
            address,
            words: words.to_vec(),
        });
    }
    let mut machine = Machine::new(launch, Configuration::default()).unwrap_or_else(|error| panic!("{error}"));
    machine.run(u64::MAX).unwrap_or_else(|error| panic!("{error}"));
    machine.global().words().skip(64).take(buffer.len()).collect()
}

#[test]
fn byte_order_marks_and_encodings_are_accepted() {
    let Some(clang) = clang() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let header = "\u{feff}#define VALUE 7\n";
    std::fs::write(folder.path().join("marked.h"), header).expect("written");
    let include = format!("-I {}", folder.path().display());
    for text in [
        &b"\xef\xbb\xbfkernel void f(global int *a) { a[0] = 7; }\n"[..],
        b"\xef\xbb\xbf#include \"marked.h\"\nkernel void f(global int *a) { a[0] = VALUE; }\n",
        b"/* 5 \xb5m */ kernel void f(global int *a) { a[0] = 7; } // \xfcber\n",
        b"constant uchar s[] = \"\xb5\"; kernel void f(global int *a) { a[0] = s[0] == 0xb5 ? 7 : s[0]; }\n",
    ] {
        let (_, compiled) = kernels(&clang, text, &include, false).remove(0);
        let compiled = compiled.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(run(&compiled, 1, &[0], &[]), [7], "{}", String::from_utf8_lossy(text));
    }
    // Columns are the same as in an editor, which does not show the byte-order mark.
    let log = made(&clang, b"\xef\xbb\xbfkernel void f() { x; }\n", "").expect_err("a mistake");
    assert!(
        log.starts_with("k.cl:1:19: error: use of undeclared identifier 'x'"),
        "{log}"
    );
    let wide: Vec<u8> = "kernel void f() {}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for wide in [wide.clone(), [&b"\xff\xfe"[..], &wide].concat()] {
        let log = made(&clang, &wide, "").expect_err("not bytes");
        assert_eq!(log, "k.cl:1:1: error: the source is UTF-16 or UTF-32; expected UTF-8\n");
    }
}

#[test]
fn inline_functions_have_bodies() {
    let Some(clang) = clang() else { return };
    // With this attribute, clang does not inline the functions. Recursion remains an error.
    let never = "__attribute__((noinline))";
    for words in [
        "inline",
        "static inline",
        "extern inline",
        "__inline__",
        "inline static",
        "extern __inline",
        "",
    ] {
        let text = format!(
            "{words} {never} int f(int x) {{ return 3 * x; }}\nkernel void k(global int *a) {{ a[0] = f(a[0]); }}\n"
        );
        assert_eq!(run(&kernel(&clang, text.as_bytes()), 1, &[5], &[]), [15], "{words}");
    }
    let text = format!(
        "inline {never} int f(int x);\ninline {never} int g(int x) {{ return f(x) + 1; }}\n\
         inline {never} int f(int x) {{ return 3 * x; }}\nkernel void k(global int *a) {{ a[0] = g(a[0]) + f(1); }}\n"
    );
    assert_eq!(run(&kernel(&clang, text.as_bytes()), 1, &[5], &[]), [19]);
    for (text, wanted) in [
        (
            "inline int f(int x) { return x < 2 ? 1 : x * f(x - 1) + f(x - 2); }\n\
             kernel void k(global int *a) { a[0] = f(a[0]); }\n",
            "`f` calls itself: recursion is not supported",
        ),
        (
            "inline int f(int x);\nkernel void k(global int *a) { a[0] = f(a[0]); }\n",
            "2:39: `f` is called, but is neither defined nor a built-in function",
        ),
    ] {
        let (_, refused) = kernels(&clang, text.as_bytes(), "", false).remove(0);
        let message = refused.expect_err(text);
        assert!(message.ends_with(wanted), "{message}");
    }
}

/// The message for atomic operations that a device of capability 1.0 does not have.
fn needs(what: &str, since: &str) -> String {
    format!(
        "atomic operations {what} need compute capability {since}, and this device has 1.0: choose another by \
         --capability, or for OpenCL programs by FLEXGRIP_DEVICE"
    )
}

#[test]
fn unsupported_features_are_errors_about_the_source() {
    let Some(clang) = clang() else { return };
    let [global, local, long] = [
        ("on global memory", "1.1"),
        ("on local memory", "1.2"),
        ("on 64 bits", "1.2"),
    ]
    .map(|(what, since)| format!("2:30: {}", needs(what, since)));
    let (global, local, long) = (global.as_str(), local.as_str(), long.as_str());
    let doubles = no_doubles(Capability::V1_0);
    let [first, second] = ["2:37", "2:41"].map(|place| format!("{place}: {doubles}"));
    let in_source = format!("k.cl:1:22: error: {doubles}");
    let pragma = "#pragma OPENCL EXTENSION cl_khr_local_int32_base_atomics : enable\n";
    for (text, wanted) in [
        ("atom_inc(a);", global),
        ("atomic_inc(a);", global),
        ("atomic_xchg((global float *)a, 1.0f);", global),
        ("atom_cmpxchg((global long *)a, 1, 2);", long),
        ("local int x; x = 0; atom_max(&x, a[0]);", local),
        (
            "atom_max((global long *)a, 1);",
            "2:30: `atom_max`: this atomic function is not supported: expected one of OpenCL 1.2; on 64 bits there are \
             atom_add, atom_sub, atom_inc, atom_dec, atom_xchg and atom_cmpxchg",
        ),
        (
            "printf(\"%y\\n\", a[0]);",
            "2:30: `%y` in the format of printf: OpenCL C has no such conversion",
        ),
        (
            "a[0] = a[1] * (double)a[2];",
            first.as_str(),
        ),
        (
            "a[0] = sin(*(global double *)a);",
            second.as_str(),
        ),
        (
            "half h = a[0]; a[1] = sin(h);",
            "2:52: `sin`: `half` arithmetic is not supported: use float, with vload_half and vstore_half for half \
             values in memory",
        ),
    ] {
        let text = format!(
            "{pragma}kernel void k(global int *a) {{ {text} }}\nkernel void fine(global int *a) {{ a[0] = 7; }}\n"
        );
        let text = text.replace("a) {  ", "a) { ");
        let mut found = kernels(&clang, text.as_bytes(), "", false);
        let (_, fine) = found.remove(1);
        let fine = fine.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(run(&fine, 1, &[0], &[]), [7]);
        let message = found.remove(0).1.expect_err(&text);
        let column = |text: &str| text.split_once(": ").map(|(_, message)| message.to_string());
        assert_eq!(column(&message), column(wanted), "{message}");
        assert!(message.starts_with("2:"), "{message}");
    }
    // Errors of clang are reported first, in the terms of the source.
    for (text, wanted) in [
        (
            "#warning old\nkernel void k(global int *a) { x; }\n",
            "k.cl:2:32: error: use of undeclared identifier 'x'",
        ),
        (
            "kernel void k(read_only pipe int p) {}\n",
            "k.cl:1:25: error: pipes are not supported: they are a feature of OpenCL 2.0",
        ),
        (
            "kernel void k(global int *a) { atomic_fetch_add(a, 1); y; }\n",
            "k.cl:1:32: error: `atomic_fetch_add`: this atomic function is not supported: expected one of OpenCL 1.2; on 64 \
             bits there are atom_add, atom_sub, atom_inc, atom_dec, atom_xchg and atom_cmpxchg",
        ),
        (
            "kernel void k(global double *a) { a[0] = y; }\n",
            in_source.as_str(),
        ),
    ] {
        let log = made(&clang, text.as_bytes(), "").expect_err(text);
        assert!(log.starts_with(wanted), "{log}");
    }
}

/// Half is converted to float for each operation, and the result is converted back.
#[test]
fn half_that_is_converted() {
    let Some(clang) = clang() else { return };
    let text = b"kernel void k(global half *h) { h[0] = h[1] + h[2] * h[3]; }\n";
    // 1.5 + 2.0 * -0.25 = 1.0; twice the largest half, 65504, is infinity.
    for (words, wanted) in [
        ([0x3e00_0000, 0xb400_4000], 0x3c00),
        ([0x7bff_0000, 0x3c00_7bff], 0x7c00),
    ] {
        assert_eq!(run(&kernel(&clang, text), 1, &words, &[])[0] & 0xffff, wanted);
    }
}

/// Other compilers accept this sampler. The second one already has a `const`, which is not reported, and `b` is declared
/// without one.
#[test]
fn samplers_of_the_program_without_const() {
    let Some(clang) = clang() else { return };
    let text =
        b"sampler_t first = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\nconst sampler_t second = CLK_FILTER_LINEAR;\n\
        float4 at(read_only image2d_t image, sampler_t b) { return read_imagef(image, b, (float2)(0.5f, 0.5f)); }\n\
        kernel void f(global float4 *a, read_only image2d_t i) { a[0] = at(i, first) + at(i, second); }\n";
    let made = made(&clang, text, "-Werror").unwrap_or_else(|log| panic!("{log}"));
    assert_eq!(made.log, "");
    assert_eq!(kernel(&clang, text).parameters.len(), 2);
}

/// A table of vectors of three is compiled a second time, without the strings to which other tables point.
#[test]
fn tables_of_strings_next_to_padded_tables() {
    let Some(clang) = clang() else { return };
    let text = b"constant float3 rows[2] = {(float3)(1, 2, 3), (float3)(4, 5, 6)};\n\
        constant char *constant names[] = {\"ab\", \"cd\"};\n\
        kernel void f(global int *a) { int i = get_global_id(0);\n\
        a[i] = names[i & 1][i >> 1] + (int)rows[i & 1].z; }\n";
    let letters = [b'a' + 3, b'c' + 6, b'b' + 3, b'd' + 6].map(u32::from);
    assert_eq!(run(&kernel(&clang, text), 4, &[0; 4], &[]), letters);
}

/// Uses all 16,384 bytes, even where the header and the parameters are at the start of a block.
#[test]
fn kernels_use_all_of_shared_memory() {
    let Some(clang) = clang() else { return };
    // Each work-item stores 32 words and loads 32 of its neighbour's. Arguments and sizes are read last.
    let body = "int n = get_local_size(0), l = get_local_id(0);\n\
                for (int i = 0; i < 4096 / n; i++) x[i * n + l] = 3 * (i * n + l) + 1;\n\
                barrier(CLK_LOCAL_MEM_FENCE);\n\
                int sum = 0;\n\
                for (int i = 0; i < 4096 / n; i++) sum += x[i * n + (l ^ 1)];\n\
                a[get_group_id(0) * n + l] = sum * y.b[a[0] & 1] + z + get_global_id(0);\n";
    let head = "typedef struct { int a; int b[2]; } S;\n";
    let own = format!("{head}kernel void k(global int *a, S y, int z) {{ local int x[4096];\n{body} }}\n");
    let given = format!("{head}kernel void k(global int *a, S y, int z, local int *x) {{\n{body} }}\n");
    let group = 128;
    let values = [
        Argument::Value([9, 5, 7].iter().flat_map(|word: &u32| word.to_le_bytes()).collect()),
        Argument::Value(100u32.to_le_bytes().to_vec()),
    ];
    let wanted: Vec<u32> = (0..group)
        .map(|l| (0..32).map(|i| 3 * (i * group + (l ^ 1)) + 1).sum::<u32>() * 5 + 100 + l)
        .collect();
    let compiled = kernel(&clang, own.as_bytes());
    assert!(compiled.whole_shared && compiled.local_variables() == 16_384);
    assert_eq!(run(&compiled, group, &vec![0; group as usize], &values), wanted);
    // All of local memory is an argument, or half of it is an argument and half a variable.
    for (text, bytes) in [
        (given.clone(), 16_384),
        (
            given
                .replace(
                    "local int *x) {",
                    "local int *w) { local int x[2048]; local int *v = w - 2048;",
                )
                .replace("x[i * n + l]", "(i * n + l < 2048 ? x : v)[i * n + l]")
                .replace(
                    "x[i * n + (l ^ 1)]",
                    "(i * n + (l ^ 1) < 2048 ? x : v)[i * n + (l ^ 1)]",
                ),
            8192,
        ),
    ] {
        let mut arguments = values.to_vec();
        arguments.push(Argument::Local(bytes));
        let mut all = vec![Argument::Value(vec![0; 4])];
        all.extend_from_slice(&arguments);
        let plain = kernel(&clang, text.as_bytes());
        assert!(!plain.whole_shared && plain.needs_whole_shared(&all));
        let (_, whole) = kernels(&clang, text.as_bytes(), "", true).remove(0);
        let whole = whole.unwrap_or_else(|error| panic!("{error}"));
        assert!(whole.whole_shared && !whole.needs_whole_shared(&all));
        assert_eq!(
            run(&whole, group, &vec![0; group as usize], &arguments),
            wanted,
            "{text}"
        );
    }
    let more = own.replace("4096];", "4097];");
    let (_, refused) = kernels(&clang, more.as_bytes(), "", false).remove(0);
    assert_eq!(
        refused.map(|_| ()).expect_err("too much"),
        "?: this does not fit in the 16384 bytes of shared memory"
    );
}

#[test]
fn groups_have_at_most_512_work_items() {
    let checked = |local: [u32; 3]| {
        let space = IndexSpace {
            dimensions: 3,
            offset: [0; 3],
            global: local,
            local,
        };
        space.check_group()
    };
    assert_eq!(checked([64, 4, 2]), Ok(()));
    for local in [[1024, 1, 1], [513, 1, 1], [1, 1, 65], [u32::MAX; 3]] {
        assert_eq!(checked(local), Err(ArgumentError::WorkGroup { local }));
    }
}

/// Third-party sources, if they are available: each compiles, or is refused with an error about the source.
#[test]
fn third_party_sources_compile_or_are_refused() {
    let Some(clang) = clang() else { return };
    let shared = flexgrip_skip::shared();
    let Ok(entries) = std::fs::read_dir(shared.join("cases")) else {
        return flexgrip_skip::skip("no folder of cases: set FLEXGRIP_SHARED");
    };
    let mut seen = 0;
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.extension().is_none_or(|extension| extension != "cl") {
            continue;
        }
        let text = std::fs::read(&path).expect("read");
        seen += 1;
        for (name, compiled) in kernels(&clang, &text, "", false) {
            let wanted = match path.file_stem().and_then(|stem| stem.to_str()) {
                Some("atom_inc") => Some(needs("on local memory", "1.2")),
                Some("double") => Some(no_doubles(Capability::V1_0)),
                _ => None,
            };
            match (compiled, wanted) {
                (Ok(_), None) => {}
                (Err(error), Some(wanted)) => {
                    assert_eq!(error.split_once(": ").map(|(_, message)| message), Some(&*wanted))
                }
                (Ok(_), Some(wanted)) => panic!("{}: {name} compiles; expected: {wanted}", path.display()),
                (Err(error), None) => panic!("{}: {name}: {error}", path.display()),
            }
        }
    }
    assert!(seen > 0, "the folder of cases has no source");
}

/// Parameters of every type among the first 64 words and after them, and hidden words after all parameters.
#[test]
fn parameters_after_the_first_64_words_are_in_constant_memory() {
    let Some(clang) = clang() else { return };
    let text = b"
        typedef struct { int a; char4 b; short c[6]; long d; float e; } Many;
        kernel void k(global int *out, int16 p0, int16 p1, int16 p2, long8 p3, char c, uchar d, short e, ushort f, long g,
                      Many s, char2 h, short4 i, global const int *in, local int *room, Many t, uint index) {
            uint l = get_local_id(0);
            room[l] = l * 3;
            barrier(CLK_LOCAL_MEM_FENCE);
            int list[] = {
                p0.s0, p2.sf, (int)p3.s0, (int)(p3.s7 >> 32), (int)p3.s6, c, d, e, f, (int)g, (int)(g >> 32),
                s.a, s.b.w, s.c[5], (int)s.d, (int)s.e, h.x, h.y, i.x, i.w, in[l + 1], room[l ^ 1],
                t.a, t.b.x, t.c[index + (l & 1)], (int)t.d, (int)(t.d >> 32), (int)t.e, (int)index,
                (int)get_global_offset(0), (int)get_work_dim(),
            };
            for (uint n = 0; n < sizeof(list) / 4; n++)
                out[l * 32 + n] = list[n];
        }";
    let many = |from: i32| {
        let mut bytes = from.to_le_bytes().to_vec();
        bytes.extend([from as u8, 2, 3, (-from) as u8]);
        (0..6).for_each(|at| bytes.extend((from as i16 * -3 + at).to_le_bytes()));
        bytes.resize(24, 0);
        bytes.extend((i64::from(from) << 33 | 7).to_le_bytes());
        bytes.extend((from as f32 * 2.0).to_le_bytes());
        bytes.resize(40, 0);
        bytes
    };
    let numbers =
        |count: usize, from: i32| -> Vec<u8> { (0..count as i32).flat_map(|at| (from + at).to_le_bytes()).collect() };
    let longs: Vec<u8> = (0..8i64).flat_map(|at| (at << 35 | (at + 50)).to_le_bytes()).collect();
    let value = |bytes: &[u8]| Argument::Value(bytes.to_vec());
    let arguments = [
        value(&numbers(16, 100)),
        value(&numbers(16, 200)),
        value(&numbers(16, 300)),
        value(&longs),
        value(&[-5i8 as u8]),
        value(&[251]),
        value(&(-700i16).to_le_bytes()),
        value(&64_836u16.to_le_bytes()),
        value(&(-8_000_000_000i64).to_le_bytes()),
        value(&many(21)),
        value(&[250, 9]),
        value(&numbers(2, 0x0004_ffff)),
        value(&(256u32 + 4 * 256).to_le_bytes()),
        Argument::Local(4 * 4),
        value(&many(-33)),
        value(&2u32.to_le_bytes()),
    ];
    for whole_shared in [false, true] {
        let (name, compiled) = kernels(&clang, text, "", whole_shared).remove(0);
        let kernel = compiled.unwrap_or_else(|error| panic!("{name}: {error}"));
        let buffer: Vec<u32> = (0..512).map(|word| 9000 + word).collect();
        let out = run(&kernel, 4, &buffer, &arguments);
        for l in 0..4i32 {
            let d = -33i64 << 33 | 7;
            let expected = [
                100,
                315,
                50,
                7 << 3,
                56,
                -5,
                251,
                -700,
                64_836,
                -8_000_000_000i64 as i32,
                -2,
                21,
                -21,
                -58,
                7,
                42,
                -6,
                9,
                -1,
                5,
                9000 + 256 + l + 1,
                (l ^ 1) * 3,
                -33,
                -33,
                99 + 2 + (l & 1),
                d as i32,
                (d >> 32) as i32,
                -66,
                2,
                0,
                1,
            ];
            let found: Vec<i32> = (0..expected.len()).map(|n| out[l as usize * 32 + n] as i32).collect();
            assert_eq!(found, expected, "work-item {l}, whole_shared {whole_shared}");
        }
    }
    let kernel = kernel(&clang, text);
    assert!(kernel.words() > 90);
    assert_eq!(kernel.program.kernels[0].parameters.len(), 64);
}
