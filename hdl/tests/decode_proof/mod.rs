//! A proof that the decode stage's Verilog and the `isa` table agree on all 2^64 words.
//!
//! # What is proven
//!
//! For every value of the 64 bits of `d_word`: `d_decoded.illegal` is set exactly if the table does not decode the word, or
//! decodes it to what this core does not execute; and else every other bit of `d_decoded` that has a say for that instruction
//! is what the table says. Which bits have a say is written down in `reference.rs` and in [`crate::Controls`]: those that the
//! stages behind decode look at. A register's number has none where there is no register, a comparison's none in an addition
//! of floats, and so on.
//!
//! # Why it is a proof
//!
//! Nothing is sampled. Both sides become Boolean functions of the 64 bits, as ordered decision diagrams
//! ([`flexgrip_exhaustive::bdd`]), in which equal functions are the same node; two sides that differ in a single word differ,
//! and that word is read off the diagram.
//!
//! - The circuit: yosys makes gates of the exported Verilog, without making anything smaller but for constants and gates that are
//!   there twice; [`Netlist`] reads them and refuses whatever is not a gate that it knows, and loops; every gate becomes the function of its inputs' functions. Bits that are
//!   undefined are further variables: what is proven holds whatever they are.
//! - The table: for each row of [`isa::table::ROWS`] the words that match it (pattern and form) with all fields defined, and under that
//!   condition what each output must be. Where an operand's bits are follows from its [`isa::table::Location`]: a selection is
//!   one condition for each value of its field, and registers, offsets, banks and numbers are the field's bits in their order.
//!   What an operation asks of the units is computed by the row's own [`isa::Row::operation`] and `Checker::controls`, the same
//!   that the tests beside this use, for *every* value of [`isa::Row::operation_bits`]: `isa` shows an operation no other bits,
//!   so there are no more cases. (That [`isa::decode`] clears fields without meaning first does not matter: it is checked that no
//!   operation looks at a field that another one makes meaningless.)
//! - No word is left out: the rows' words and the remainder, which the circuit must refuse, are counted, and are 2^64; no
//!   word is counted twice, and no output has two values.
//!
//! What is taken for granted: the exporter and yosys translate faithfully (`tests/cosim.rs`, `make gate`), and the table's
//! locations, suffixes and guards are read here as `isa` reads them. The latter is checked by
//! [`the_reference_refuses_what_isa_refuses`], and by the tests beside this: the circuit, which is now known to do what the
//! reference says, is compared with [`isa::decode`] itself, word by word.
//!
//! That the proof fails where it should is seen with circuits that are broken in every bit of the word, gate and statement,
//! whatever they are today (`broken.rs`).

use crate::tools::yosys;
use flexgrip_exhaustive::bdd::Function;
use flexgrip_exhaustive::conformance::{record, Subject};
use flexgrip_exhaustive::logic::{Graph, Literal};
use flexgrip_exhaustive::netlist::{Netlist, UNDEFINED};
use flexgrip_hdl::issue::decode::Decode;
use flexgrip_isa as isa;
use hdlkit::prelude::*;
use hdlkit::verilog::{export, ExportOptions};
use rand::{Rng, SeedableRng};
use reference::{Expected, Reference, BITS};
use std::fmt;
use std::path::Path;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

mod broken;
mod operations;
mod reference;

/// A word for which the circuit and the table differ.
struct Difference {
    word: u64,
    output: String,
    expected: String,
    found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match isa::decode(self.word) {
            Ok(instruction) if instruction.executed() => instruction.to_string(),
            Ok(instruction) => format!("{instruction}, which is not executed"),
            Err(error) => error.to_string(),
        };
        write!(
            f,
            "{:#018x} ({text}): {} is {}, by the table {}",
            self.word, self.output, self.found, self.expected
        )
    }
}

impl Reference {
    /// The word with these bits; those that have no say are 0.
    fn word_of(&self, values: &[(u32, bool)]) -> u64 {
        let bits = values.iter().filter(|(level, value)| *value && *level < BITS);
        bits.fold(0, |word, (level, _)| {
            let bit = self.levels.iter().position(|known| known == level);
            word | 1 << bit.expect("a bit of the word")
        })
    }

    fn value(&self, function: Function, word: u64) -> bool {
        let mut bits = [false; BITS as usize];
        for (bit, level) in self.levels.iter().enumerate() {
            bits[*level as usize] = word >> bit & 1 == 1;
        }
        self.diagrams
            .value(function, |level| bits.get(level as usize) == Some(&true))
    }

    /// The gates' outputs, as functions of the word's bits, of which `input` gives one, and of undefined bits.
    fn circuit(&mut self, gates: &Gates, input: impl Fn(&[Function], usize) -> Function) -> Vec<Function> {
        let word = &self.word;
        self.diagrams
            .of_gates(&gates.graph, &gates.outputs, |diagrams, bit| match bit < BITS {
                true => input(word, bit as usize),
                false => diagrams.variable(bit),
            })
    }

    /// The first difference, output by output; none: there is none in all words.
    fn compare(&mut self, circuit: &[Function]) -> Option<Difference> {
        assert_eq!(circuit.len(), self.expected.len());
        for output in 0..circuit.len() {
            let Expected { care, value } = self.expected[output];
            let differs = self.diagrams.xor(circuit[output], value);
            let differs = self.and(differs, care);
            let Some(values) = self.diagrams.example(differs) else {
                continue;
            };
            let word = self.word_of(&values);
            let place = self
                .places
                .iter()
                .find(|place| (place.low..place.low + place.width).contains(&output));
            let place = place.expect("a field of Decoded").clone();
            let text = |bit: &dyn Fn(usize) -> char| -> String {
                let bits = place.low..place.low + place.width;
                bits.rev().map(bit).collect()
            };
            let digit = |value: bool| if value { '1' } else { '0' };
            return Some(Difference {
                word,
                output: place.name.clone(),
                expected: text(&|bit| match self.value(self.expected[bit].care, word) {
                    true => digit(self.value(self.expected[bit].value, word)),
                    false => '-',
                }),
                found: text(&|bit| digit(self.value(circuit[bit], word))),
            });
        }
        None
    }
}

/// The gates that yosys makes of decode's Verilog.
struct Gates {
    graph: Graph,
    outputs: Vec<Literal>,
}

impl Gates {
    /// Those of the circuit as it is.
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("decode_proof");
        Gates::of(&verilog(), &folder)
    }

    fn of(verilog: &str, folder: &Path) -> Self {
        let netlist = Netlist::of_verilog(NAME, verilog, folder).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(netlist.latency(), 0);
        let mut graph = Graph::default();
        let mut outputs = netlist.add_to(&mut graph, |graph, port, bit| match port {
            "d_word" => graph.input(bit as u32),
            // Further variables: what is proven holds whatever they are.
            UNDEFINED => graph.input(BITS + bit as u32),
            port => panic!("an input {port}"),
        });
        let outputs = outputs.remove("d_decoded").expect("a port `d_decoded`");
        Gates { graph, outputs }
    }
}

/// The module.
const NAME: &str = "decode";

fn verilog() -> String {
    export(&Decode::blank(), &ExportOptions::new(NAME)).unwrap_or_else(|error| panic!("{error}"))
}

/// What the table says: it takes some seconds, and all tests need it.
fn reference() -> MutexGuard<'static, Reference> {
    static REFERENCE: LazyLock<Mutex<Reference>> = LazyLock::new(|| Mutex::new(Reference::new()));
    // Functions are only added.
    REFERENCE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn circuit_and_table_agree_on_all_words() {
    if !yosys() {
        return;
    }
    let start = Instant::now();
    let gates = Gates::new();
    let mut reference = reference();
    let reference = &mut *reference;
    let circuit = reference.circuit(&gates, |word, bit| word[bit]);
    if let Some(difference) = reference.compare(&circuit) {
        panic!("{difference}");
    }

    let diagrams = &mut reference.diagrams;
    let (mut matched, mut legal, mut executed, mut somewhere) = (0, 0, 0, Function::FALSE);
    for words in &reference.rows {
        matched += diagrams.count(words.matched, BITS);
        let own = diagrams.count(words.legal, BITS);
        legal += own;
        executed += usize::from(own > 0);
        somewhere = diagrams.or(somewhere, words.matched);
        assert_eq!(words.row.executes(), own > 0, "{}", words.row.name);
    }
    // Were a word of two rows, it would be counted twice.
    assert_eq!(matched, diagrams.count(somewhere, BITS));
    let none = diagrams.count(!somewhere, BITS);
    assert_eq!(matched + none, 1 << BITS);
    assert_eq!(diagrams.count(reference.legal, BITS), legal);
    let cared = reference
        .expected
        .iter()
        .filter(|expected| expected.care != Function::FALSE);
    println!(
        "proven for 2^64 = {} words: {legal} legal ones of {executed} rows, {} illegal ones of {} rows, {none} of no row; {} of \
         {} output bits, {} gates, {} nodes of decision diagrams, {:.1} s",
        1u128 << BITS,
        matched - legal,
        reference.rows.len(),
        cared.count(),
        reference.expected.len(),
        gates.graph.gates(&gates.outputs).len(),
        diagrams.nodes(),
        start.elapsed().as_secs_f64()
    );
    record("decode-proof", Subject::Decode, "all 2^64 words, proven");
}

/// The reference takes the table as `isa` does: rows' words, at random, are legal for both or for neither.
#[test]
fn the_reference_refuses_what_isa_refuses() {
    let reference = reference();
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
    let mut legal = 0;
    for row in isa::table::ROWS {
        for _ in 0..3_000 {
            let word = row.pattern.value | (rng.gen::<u64>() & !row.pattern.mask);
            // Mostly with a condition that is defined and without address registers.
            let tame = (word & !(0x1f << 39 | 1 << 34 | 1 << 35 | 0xf << 24)) | 0xf << 39 | row.pattern.value;
            for word in [word, tame] {
                let expected = isa::decode(word).is_ok_and(|instruction| instruction.executed());
                assert_eq!(reference.value(reference.legal, word), expected, "{word:#018x}");
                legal += u32::from(expected);
            }
        }
    }
    assert!(legal > 200_000, "only {legal} legal words");
}

/// With any bit of the word stuck, or in the place of another, the proof fails; but for those that no row looks at.
#[test]
fn every_bit_of_a_word_counts() {
    if !yosys() {
        return;
    }
    let counts = isa::table::ROWS
        .iter()
        .filter(|row| row.executes())
        .fold(0, |bits, row| {
            row.fields()
                .iter()
                .fold(bits | row.pattern.mask, |bits, field| bits | field.mask())
        });
    let gates = Gates::new();
    let mut reference = reference();
    let mut broken = |what: &str, bits: &[usize], input: &dyn Fn(&[Function], usize) -> Function| {
        let circuit = reference.circuit(&gates, input);
        let fails = reference.compare(&circuit).is_some();
        let expected = bits.iter().any(|bit| counts >> bit & 1 == 1);
        assert_eq!(fails, expected, "the proof fails, bits {bits:?} {what}");
    };
    for bit in 0..BITS as usize {
        let next = (bit + 1) % BITS as usize;
        let of = |own: Function| move |word: &[Function], of: usize| if of == bit { own } else { word[of] };
        broken("always 0", &[bit], &of(Function::FALSE));
        broken("always 1", &[bit], &of(Function::TRUE));
        broken("swapped", &[bit, next], &|word, of| match of {
            _ if of == bit => word[next],
            _ if of == next => word[bit],
            _ => word[of],
        });
    }
    println!(
        "{} bits of 64 count: always 0, always 1 and swapped with the next, all are found",
        counts.count_ones()
    );
}

/// What became of circuits that are broken on purpose.
#[derive(Default)]
struct Broken {
    /// The proof fails.
    found: u32,
    /// Every output is what it was: what was changed has no effect.
    same: u32,
    /// Outputs are others, but only where they have no say.
    no_say: Vec<String>,
}

impl Broken {
    /// Adds a circuit beside the one that is right, which is proven.
    fn add(&mut self, what: String, difference: Option<&Difference>, is_same: bool) {
        match difference {
            Some(_) => self.found += 1,
            None if is_same => self.same += 1,
            None => self.no_say.push(what),
        }
    }

    /// Nearly all that has an effect must be found. The proof cannot be asked whether it should find the rest.
    fn check(&self) {
        let no_say = self.no_say.len() as u32;
        println!(
            "{} broken circuits are found; {} are what they were; {no_say} differ where outputs have no say: {:?}",
            self.found, self.same, self.no_say
        );
        assert!(self.found >= 10, "only {} broken circuits are found", self.found);
        assert!(
            no_say * 7 <= self.found,
            "{no_say} broken circuits are not found: {:?}",
            self.no_say
        );
    }
}

/// With a gate inverted the proof fails.
#[test]
fn every_gate_counts() {
    if !yosys() {
        return;
    }
    let gates = Gates::new();
    let mut reference = reference();
    let right = reference.circuit(&gates, |word, bit| word[bit]);
    let mut broken = Broken::default();
    for place in gates.graph.gates(&gates.outputs) {
        let (graph, outputs) = gates.graph.with_inverted(&gates.outputs, place);
        let circuit = reference.circuit(&Gates { graph, outputs }, |word, bit| word[bit]);
        let difference = reference.compare(&circuit);
        broken.add(format!("gate {place}"), difference.as_ref(), circuit == right);
    }
    broken.check();
}

/// With a statement of the Verilog changed, or a flag of a row missing, the proof fails. FLEXGRIP_DECODE_CHANGES says how many
/// changes are tried, a second each; there are some two thousand.
#[test]
fn every_statement_counts() {
    if !yosys() {
        return;
    }
    let verilog = verilog();
    let changes = broken::changes(&verilog);
    let wanted = std::env::var("FLEXGRIP_DECODE_CHANGES").ok();
    let wanted = wanted.map(|text| text.parse().expect("FLEXGRIP_DECODE_CHANGES is a number"));
    let count: usize = wanted.unwrap_or(if cfg!(feature = "soak") { 150 } else { 14 });
    let right = reference().circuit(&Gates::new(), |word, bit| word[bit]);
    let mut broken = Broken::default();
    for change in changes.iter().step_by((changes.len() / count.max(1)).max(1)) {
        let folder = tempfile::tempdir().expect("a folder");
        let gates = Gates::of(&change.of(&verilog), folder.path());
        let mut reference = reference();
        let circuit = reference.circuit(&gates, |word, bit| word[bit]);
        let difference = reference.compare(&circuit);
        if let Some(difference) = &difference {
            println!("{change}: {difference}");
        }
        broken.add(change.to_string(), difference.as_ref(), circuit == right);
    }
    broken.check();
}
