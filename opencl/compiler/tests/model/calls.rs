//! Functions that clang does not inline, private memory, tables and structs.

use crate::harness::{run, value, Case};
use crate::kernels::Random;
use flexgrip_compiler::launch::Argument;
use flexgrip_compiler::Options;

const CALLS: &str = include_str!("../kernels/calls.ptx");
const MEMORY: &str = include_str!("../kernels/memory.ptx");

fn case<'a>(text: &'a str, kernel: &'a str, last: Argument, input: fn(&mut Random) -> u32) -> Case<'a> {
    let mut random = Random(0x1234_5678);
    let mut memory = vec![0u8; 0x4000];
    for word in memory[..0x2000].chunks_exact_mut(4) {
        word.copy_from_slice(&input(&mut random).to_le_bytes());
    }
    Case {
        text,
        kernel,
        options: Options::default(),
        grid: [2, 1, 1],
        block: [64, 1, 1],
        arguments: vec![value(0), value(0x1000), value(0x2000), last],
        memory,
    }
}

fn check(text: &str, kernel: &str) {
    let outcome = run(&case(text, kernel, value(9), Random::integer));
    outcome.compare(kernel, |found, wanted| found == wanted);
    assert!(
        outcome.found[0x2000..].iter().any(|&byte| byte != 0),
        "{kernel} stores nothing"
    );
}

macro_rules! kernels {
    ($($text:ident: $($name:ident $kernel:literal)*;)*) => {
        $($(
            #[test]
            fn $name() {
                check($text, $kernel);
            }
        )*)*
    };
}

kernels! {
    MEMORY: constants "constants" private_array "array" private_bytes "small" private_vectors "vectors"
        private_pointers "pointers" structs_in_memory "records";
    CALLS: calls "calls" passed_structs "structs" passed_struct_at_an_index "indexed" passed_pointers "pointers";
}

#[test]
fn vectors_are_passed_to_functions() {
    let outcome = run(&case(CALLS, "vectors", value(0), Random::float));
    outcome.compare("vectors", |found, wanted| found == wanted);
}

#[test]
fn struct_argument_is_read_at_any_offset() {
    let mut random = Random(99);
    let bytes = (0..48).map(|_| random.next() as u8).collect();
    let outcome = run(&case(MEMORY, "by_value", Argument::Value(bytes), Random::integer));
    outcome.compare("by_value", |found, wanted| found == wanted);
}
