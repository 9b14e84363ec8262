//! The decoders of other instruction sets against their tables, with real and random words: natively, in machine code
//! and as Verilog in two simulators.
//!
//! The expected result is computed from the table's index and fields, not from the circuit's slices.

use flexgrip_gpu_circuits::sets::{
    table_circuit, Answer, FermiDecode, ForeignDecoder, G13Decode, KeplerDecode, MaxwellDecode, UsseDecode,
};
use flexgrip_gpu_isa::circuit::place;
use flexgrip_gpu_isa::Set;
use flexgrip_skip::shared;
use flexgrip_testbench::tools::{found, IVERILOG, VERILATOR};
use hdlkit_compiled::cosim::{cosim_in, Rng, Simulator};
use std::path::Path;

/// The number of random words of each set, in each simulator.
const RANDOM: usize = if cfg!(feature = "soak") { 100_000 } else { 1_000 };

/// The table's result for a word.
fn expected(set: &'static Set, word: u128) -> Answer {
    let row = set.find_number(word);
    let of_row = row.map(|row| set.all_rows()[row]);
    let operand = |operand| of_row.and_then(|row| place(row, operand)).map_or(0, |field| field.get(word) as u32);
    Answer { row, length: of_row.map_or(0, |row| row.length(word)), operands: set.ports.iter().map(operand).collect() }
}

/// A number in a file: for sets of words the most significant digit first, for others bytes in the order of memory.
fn number(set: &Set, text: &str) -> Option<u128> {
    let value = u128::from_str_radix(text, 16).ok().filter(|_| text.len() >= 4)?;
    let bytes = text.len() / 2;
    Some(if set.name != "g13" { value } else { value.swap_bytes() >> (128 - 8 * bytes) })
}

/// The words in the set's files in the shared folder; empty without the folder.
fn real_words(set: &'static Set) -> Vec<u128> {
    let folder = shared().join("other-isa/corpus");
    let files: &[&str] = match set.name {
        "g13" => &["g13_words.tsv"],
        "usse" => &["usse/gxp_words.tsv", "usse_words.tsv"],
        "sm50" | "sm52" => &["nv/sm52_opcode_space.tsv"],
        "sm60" => &["nv/sm60_nvdisasm_fields.tsv"],
        "sm35" => &["nv/sm35_opcode_space.tsv"],
        "sm30" => &["nv/sm30_listing.tsv"],
        "sm20" => &["nv/sm20_asfermi_opcodes.tsv"],
        _ => &[],
    };
    let words_of = |path: &Path| match std::fs::read_to_string(path) {
        Ok(text) => {
            // The word is in the first column that is a number of at least a byte.
            let lines = text
                .lines()
                .filter_map(|line| line.split('\t').filter(|text| text.len() < 30).find_map(|text| number(set, text)));
            lines.collect::<Vec<_>>()
        }
        Err(_) => {
            println!("skipped: {} does not exist", path.display());
            vec![]
        }
    };
    files.iter().flat_map(|file| words_of(&folder.join(file))).collect()
}

/// A random word: a quarter are arbitrary, the others match a row, some of them with one bit changed.
fn random_word(set: &'static Set, rng: &mut impl Rng) -> u128 {
    let any = rng.gen::<u128>() & ((1 << 96) - 1);
    if rng.gen_bool(0.25) {
        return any;
    }
    let rows = set.all_rows();
    let row = rows[rng.gen_range(0..rows.len())];
    let word = any & !row.mask | row.value;
    if rng.gen_bool(0.2) {
        word ^ 1 << rng.gen_range(0..u32::from(row.bytes) * 8)
    } else {
        word
    }
}

/// Compares the decoder of a set, in a simulator, with the table.
fn agrees_in<D: ForeignDecoder + 'static>(simulator: Simulator, name: &str) {
    let set = flexgrip_gpu_isa::set(name).unwrap();
    let real = real_words(set);
    let cycles = real.len() + RANDOM;
    let mut asked: Option<u128> = None;
    let (mut legal, mut operands) = (0, 0);
    let report = cosim_in(
        simulator,
        || Box::new(D::of(set, &table_circuit(set).unwrap()).unwrap()),
        cycles as u64,
        28,
        |block: &mut D, rng, cycle| {
            if let Some(word) = asked {
                let answer = block.answer();
                assert_eq!(answer, expected(set, word), "{name}: {word:024x}");
                legal += usize::from(answer.row.is_some());
                operands += answer.operands.iter().filter(|&&operand| operand != 0).count();
            }
            let word = real.get(cycle as usize).copied().unwrap_or_else(|| random_word(set, rng));
            block.set_word(word);
            asked = Some(word);
        },
    );
    let report = report.unwrap_or_else(|error| panic!("{name}: {error}"));
    println!(
        "{name}: {} real and {RANDOM} random words, {legal} legal, {operands} operands that are not 0",
        real.len()
    );
    assert!(legal * 2 > cycles && operands > cycles / 2, "{legal} legal words, {operands} operands");
    // If a set's rows cover all words, `legal` and `length` never change.
    let still = if legal + 1 == cycles { 2 } else { 0 };
    assert_eq!(report.outputs_that_changed + still, report.outputs, "some outputs never move");
}

fn agrees<D: ForeignDecoder + 'static>(name: &str) {
    if found(IVERILOG) {
        agrees_in::<D>(Simulator::Iverilog, name);
    }
    // Verilator takes much longer to build than to run.
    if cfg!(feature = "soak") && found(VERILATOR) {
        agrees_in::<D>(Simulator::Verilator, name);
    }
}

#[test]
fn g13_decoder_equals_its_table() {
    agrees::<G13Decode>("g13");
}

#[test]
fn usse_decoder_equals_its_table() {
    agrees::<UsseDecode>("usse");
}

#[test]
fn sm20_decoder_equals_its_table() {
    agrees::<FermiDecode>("sm20");
}

#[test]
fn sm30_decoder_equals_its_table() {
    agrees::<FermiDecode>("sm30");
}

#[test]
fn sm35_decoder_equals_its_table() {
    agrees::<KeplerDecode>("sm35");
}

#[test]
fn sm50_decoder_equals_its_table() {
    agrees::<MaxwellDecode>("sm50");
}

#[test]
fn sm52_decoder_equals_its_table() {
    agrees::<MaxwellDecode>("sm52");
}

#[test]
fn sm60_decoder_equals_its_table() {
    agrees::<MaxwellDecode>("sm60");
}
