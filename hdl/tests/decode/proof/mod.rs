//! A proof that the decode stage's Verilog and the `isa` table agree on all 2^64 words.
//!
//! # What is proven
//!
//! For every value of the 64 bits of `d_word`: `d_decoded.illegal` is set exactly if the table does not decode the
//! word, or decodes it to an instruction that this core does not execute. Otherwise every other bit of `d_decoded` that
//! matters for that instruction has the table's value. `reference` and [`crate::controls::Controls`] record the bits
//! that matter, which are the bits that later stages use. For example, a register's number does not matter without a
//! register, nor a comparison in a float addition.
//!
//! # Why it is a proof
//!
//! Nothing is sampled. Both sides become Boolean functions of the 64 bits, as ordered binary decision diagrams
//! ([`flexgrip_exhaustive::bdd`]), in which equal functions are the same node. If the sides differ in even a single
//! word, the nodes differ, and the diagram gives the word.
//!
//! - The circuit: yosys turns the exported Verilog into gates, optimizing only constants and duplicate gates.
//!   [`Netlist`] reads them and rejects loops and unknown gates. Every gate becomes a function of its inputs'
//!   functions. Undefined bits are additional variables, so the proof holds for all their values.
//! - The table: for each row of [`isa::table::ROWS`] the words that match it (pattern and form) with all fields
//!   defined, and under that condition the required value of each output. The location of an operand's bits follows
//!   from its [`isa::table::Location`]: a selection is one condition for each value of its field, and registers,
//!   offsets, banks and numbers are the field's bits in order. The control lines that an operation requires are
//!   computed by the row's own [`isa::Row::operation`] and `Controls::of`, which the neighbouring tests also use, for
//!   *every* value of [`isa::Row::operation_bits`]: `isa` passes no other bits to an operation, so there are no more
//!   cases. ([`isa::decode`] first clears meaningless fields, which makes no difference: the proof checks that no
//!   operation uses a field that another field makes meaningless.)
//! - All words are covered: the rows' words and the rest, which the circuit must reject, are counted and add up to
//!   2^64; no word is counted twice, and no output has two values.
//!
//! The proof assumes that the exporter and yosys translate faithfully (`tests/cosim`, `make gate`), and that it reads
//! the table's locations, suffixes and guards as `isa` does. [`reference_and_isa_reject_the_same_words`] checks the
//! latter, and so do the neighbouring tests: they compare the circuit, which is proven equal to the reference, with
//! [`isa::decode`] itself, word by word.
//!
//! Broken circuits show that the proof can fail: each bit of the word, and gates and statements of the current circuit,
//! are broken in turn (`broken.rs`).

use broken::Change;
use flexgrip_exhaustive::bdd::Function;
use flexgrip_exhaustive::conformance::{record, Subject};
use flexgrip_exhaustive::logic::{Graph, Literal};
use flexgrip_exhaustive::netlist::{Netlist, UNDEFINED};
use flexgrip_hdl::issue::decode::Decode;
use flexgrip_isa as isa;
use flexgrip_testbench::tools::{found, YOSYS};
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

/// A word for which circuit and table differ.
struct WordDifference {
    capability: isa::Capability,
    word: u64,
    output: String,
    expected: String,
    found: String,
}

impl fmt::Display for WordDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match isa::decode_at(self.word, self.capability) {
            Ok(instruction) if instruction.executed() => instruction.to_string(),
            Ok(instruction) => format!("{instruction}, which is not executed"),
            Err(error) => error.to_string(),
        };
        write!(f, "{:#018x} ({text}): {} is {}, by the table {}", self.word, self.output, self.found, self.expected)
    }
}

impl Reference {
    /// The word with these bits; bits that do not matter are 0.
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
        self.diagrams.value(function, |level| bits.get(level as usize) == Some(&true))
    }

    /// The gates' outputs as functions of the word's bits, which `input` supplies, and of undefined bits.
    fn circuit(&mut self, gates: &Gates, input: impl Fn(&[Function], usize) -> Function) -> Vec<Function> {
        let word = &self.word;
        self.diagrams.of_gates(&gates.graph, &gates.outputs, |diagrams, bit| match bit < BITS {
            true => input(word, bit as usize),
            false => diagrams.variable(bit),
        })
    }

    /// The first difference, output by output; `None` if all words agree.
    fn compare(&mut self, circuit: &[Function]) -> Option<WordDifference> {
        assert_eq!(circuit.len(), self.expected.len());
        for output in 0..circuit.len() {
            let Expected { care, value } = self.expected[output];
            let differs = self.diagrams.xor(circuit[output], value);
            let differs = self.and(differs, care);
            let Some(values) = self.diagrams.example(differs) else {
                continue;
            };
            let word = self.word_of(&values);
            let field = self.fields.iter().find(|field| (field.low..field.low + field.width).contains(&output));
            let field = field.expect("a field of Decoded").clone();
            let text = |bit: &dyn Fn(usize) -> char| -> String {
                let bits = field.low..field.low + field.width;
                bits.rev().map(bit).collect()
            };
            let digit = |value: bool| if value { '1' } else { '0' };
            return Some(WordDifference {
                capability: self.capability(),
                word,
                output: field.name.clone(),
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

/// The gates of decode's Verilog, from yosys.
struct Gates {
    graph: Graph,
    outputs: Vec<Literal>,
}

impl Gates {
    /// The gates of the unmodified circuit of capability 1.0.
    fn new() -> Self {
        Gates::at(isa::Capability::V1_0)
    }

    /// The gates of the unmodified circuit of a capability.
    fn at(capability: isa::Capability) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("decode_proof_{}", capability.number()));
        Gates::of(&verilog(capability), &folder)
    }

    fn of(verilog: &str, folder: &Path) -> Self {
        let netlist = Netlist::of_verilog(NAME, verilog, folder).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(netlist.latency(), 0);
        let mut graph = Graph::default();
        let mut outputs = netlist.add_to(&mut graph, |graph, port, bit| match port {
            "d_word" => graph.input(bit as u32),
            // Additional variables: the proof holds for all their values.
            UNDEFINED => graph.input(BITS + bit as u32),
            port => panic!("an input {port}"),
        });
        let outputs = outputs.remove("d_decoded").expect("a port `d_decoded`");
        Gates { graph, outputs }
    }
}

/// The module's name.
const NAME: &str = "decode";

fn verilog(capability: isa::Capability) -> String {
    export(&Decode::new(capability), &ExportOptions::new(NAME)).unwrap_or_else(|error| panic!("{error}"))
}

/// The table's requirements at capability 1.0, shared by all tests: building them takes some seconds.
fn reference() -> MutexGuard<'static, Reference> {
    static REFERENCE: LazyLock<Mutex<Reference>> = LazyLock::new(|| Mutex::new(Reference::new(isa::Capability::V1_0)));
    // A panic cannot corrupt it: functions are only ever added.
    REFERENCE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn circuit_and_table_agree_on_all_words() {
    if !found(YOSYS) {
        return;
    }
    prove(&Gates::new(), &mut reference());
    record("decode-proof", Subject::Decode, "all 2^64 words, proven");
}

/// Proves the same for the circuits of later capabilities.
#[test]
fn later_circuits_and_tables_agree_on_all_words() {
    if !found(YOSYS) {
        return;
    }
    for capability in [isa::Capability::V1_1, isa::Capability::V1_2, isa::Capability::V1_3] {
        prove(&Gates::at(capability), &mut Reference::new(capability));
    }
}

/// Proves that a circuit agrees with the requirements.
fn prove(gates: &Gates, reference: &mut Reference) {
    let start = Instant::now();
    let circuit = reference.circuit(gates, |word, bit| word[bit]);
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
    // A word that matches two rows would be counted twice.
    assert_eq!(matched, diagrams.count(somewhere, BITS));
    let none = diagrams.count(!somewhere, BITS);
    assert_eq!(matched + none, 1 << BITS);
    assert_eq!(diagrams.count(reference.legal, BITS), legal);
    let cared = reference.expected.iter().filter(|expected| expected.care != Function::FALSE);
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
}

/// The reference reads the table as `isa` does: random words of each row are legal for both or for neither.
#[test]
fn reference_and_isa_reject_the_same_words() {
    let reference = reference();
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
    let mut legal = 0;
    for row in isa::table::ROWS {
        for _ in 0..3_000 {
            let word = row.pattern.value | (rng.gen::<u64>() & !row.pattern.mask);
            // Mostly with a defined condition and without address registers.
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

/// With any bit of the word stuck or replaced by another, the proof fails, except for bits that no row uses.
#[test]
fn broken_word_bits_fail_the_proof() {
    if !found(YOSYS) {
        return;
    }
    let counts = isa::table::ROWS
        .iter()
        .filter(|row| row.executes())
        .fold(0, |bits, row| row.fields().iter().fold(bits | row.pattern.mask, |bits, field| bits | field.mask()));
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
    println!("{} of 64 bits matter: stuck at 0, at 1 or swapped with the next, all are found", counts.count_ones());
}

/// Results for circuits broken on purpose.
#[derive(Default)]
struct Broken {
    /// The number of broken circuits for which the proof fails.
    found: u32,
    /// The number of broken circuits in which no output differs, because the change has no effect.
    same: u32,
    /// The changes that affect outputs only in words for which these outputs do not matter.
    no_say: Vec<String>,
}

impl Broken {
    /// Adds the result of a broken circuit, compared with the correct one, which is proven.
    fn add(&mut self, what: String, difference: Option<&WordDifference>, is_same: bool) {
        match difference {
            Some(_) => self.found += 1,
            None if is_same => self.same += 1,
            None => self.no_say.push(what),
        }
    }

    /// At least this number of broken circuits, and nearly all changes with an effect, must be found. The proof cannot
    /// decide for the others whether they should be found.
    fn check(&self, least: u32) {
        let no_say = self.no_say.len() as u32;
        println!(
            "{} broken circuits are found; {} have the same function; {no_say} differ where no output matters: {:?}",
            self.found, self.same, self.no_say
        );
        assert!(self.found >= least, "only {} broken circuits are found", self.found);
        assert!(no_say * 7 <= self.found, "{no_say} broken circuits are not found: {:?}", self.no_say);
    }
}

/// With a gate inverted, the proof fails.
#[test]
fn inverted_gates_fail_the_proof() {
    if !found(YOSYS) {
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
    broken.check(10);
}

/// With a statement of the Verilog changed, or a row's flag missing, the proof fails. FLEXGRIP_DECODE_CHANGES sets the
/// number of changes tried, at three seconds each; there are some two thousand.
#[test]
fn changed_statements_fail_the_proof() {
    if !found(YOSYS) {
        return;
    }
    let verilog = verilog(isa::Capability::V1_0);
    let changes = broken::changes(&verilog);
    let wanted = std::env::var("FLEXGRIP_DECODE_CHANGES").ok();
    let wanted = wanted.map(|text| text.parse().expect("FLEXGRIP_DECODE_CHANGES is a number"));
    let count: usize = wanted.unwrap_or(if cfg!(feature = "soak") { 150 } else { 6 });
    let right = reference().circuit(&Gates::new(), |word, bit| word[bit]);
    let tried: Vec<_> = changes.iter().step_by((changes.len() / count.max(1)).max(1)).collect();
    let try_change = |change: &Change| {
        let folder = tempfile::tempdir().expect("a folder");
        let gates = Gates::of(&change.of(&verilog), folder.path());
        let mut reference = reference();
        let circuit = reference.circuit(&gates, |word, bit| word[bit]);
        let difference = reference.compare(&circuit);
        if let Some(difference) = &difference {
            println!("{change}: {difference}");
        }
        (difference, circuit == right)
    };
    // Two threads, half each: one alone takes longer than all other tests of decode.
    let (first, second) = tried.split_at(tried.len() / 2);
    let all = |changes: &[&Change]| changes.iter().map(|change| try_change(change)).collect();
    let results: [Vec<_>; 2] = std::thread::scope(|scope| {
        let second = scope.spawn(|| all(second));
        [all(first), second.join().expect("no panic")]
    });
    let mut broken = Broken::default();
    for (change, (difference, is_same)) in tried.iter().zip(results.iter().flatten()) {
        broken.add(change.to_string(), difference.as_ref(), *is_same);
    }
    broken.check((tried.len() as u32 * 5 / 7).min(10));
}
