//! A FIFO: a memory, registers and handshakes, checked against a queue in Rust and against its own Verilog.
//!
//! ```sh
//! cargo run -p hdlkit-compiled --example fifo
//! ```
//!
//! The last step needs `iverilog`.
//!
//! ```text
//!                     tail                    head
//!                       v                       v
//! push_data ──> words: write port         read port ──> pop_data
//! push ───────> if there is room          if there is a word <── pop
//! full <─────── no room                   no word ──> empty
//! ```

use hdlkit::lint::lint;
use hdlkit::prelude::*;
use hdlkit::verilog::{export, ExportOptions};
use hdlkit_compiled::cosim::{cosim, ChaCha8Rng, Rng, SeedableRng};
use std::collections::VecDeque;
use std::error::Error;

/// Capacity in words.
const WORDS: usize = 8;

/// A queue of eight bytes. A byte pushed in one cycle can be popped from the next cycle onward.
#[circuit]
pub struct Fifo {
    pub clock: Signal<In, Clock>,
    /// Pushes `push_data`, unless `full`. (Ports named `input` and `output` would clash with Verilog's reserved words,
    /// which the lint reports.)
    pub push: Signal<In, Bit>,
    pub push_data: Signal<In, Bits<8>>,
    pub full: Signal<Out, Bit>,
    /// Pops `pop_data`, unless `empty`.
    pub pop: Signal<In, Bit>,
    pub pop_data: Signal<Out, Bits<8>>,
    pub empty: Signal<Out, Bit>,
    /// Distributed RAM of 2^3 words: written at the clock edge, read within the cycle.
    words: LutRam<3, Bits<8>>,
    // Three address bits, and one more to distinguish a full queue from an empty one.
    head: DFF<Bits<4>>,
    tail: DFF<Bits<4>>,
}

impl Logic for Fifo {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("The number of words; the top bit is set for eight");
        let held = self.tail.q.val() - self.head.q.val();
        let is_full = held.get_bit(3);
        let is_empty = held == 0;
        let takes = self.push.val() && !is_full;
        let gives = self.pop.val() && !is_empty;

        self.words.write_address.next = self.tail.q.val().low();
        self.words.write_data.next = self.push_data.val();
        self.words.write_enable.next = takes;
        self.words.read_address.next = self.head.q.val().low();
        if takes {
            self.tail.d.next = self.tail.q.val() + 1;
        }
        if gives {
            self.head.d.next = self.head.q.val() + 1;
        }

        self.pop_data.next = self.words.read_data.val();
        self.full.next = is_full;
        self.empty.next = is_empty;
    }
}

/// Compares the FIFO natively with a golden queue in Rust. Returns the number of words popped.
fn against_a_queue(cycles: u64) -> usize {
    let mut engine = CycleEngine::new(Box::new(Fifo::default()));
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut queue = VecDeque::new();
    let mut through = 0;
    for cycle in 0..cycles {
        let fifo = &mut *engine.block;
        // Bursts of pushes and of pops fill and empty the queue.
        let filling = cycle / 20 % 2 == 0;
        fifo.push.next = random.gen_bool(if filling { 0.9 } else { 0.3 });
        fifo.pop.next = random.gen_bool(if filling { 0.3 } else { 0.9 });
        fifo.push_data.next = Bits::from(random.gen_range(0..256u64));
        engine.settle();

        let fifo = &*engine.block;
        assert_eq!(fifo.full.val(), queue.len() == WORDS, "cycle {cycle}");
        assert_eq!(fifo.empty.val(), queue.is_empty(), "cycle {cycle}");
        let (pushed, popped) = (fifo.push.val() && !fifo.full.val(), fifo.pop.val() && !fifo.empty.val());
        if popped {
            assert_eq!(Some(fifo.pop_data.val()), queue.pop_front(), "cycle {cycle}");
            through += 1;
        }
        if pushed {
            queue.push_back(fifo.push_data.val());
        }
        engine.tick();
    }
    through
}

/// Runs all steps. The error is the first unexpected result.
pub fn main() -> Result<(), Box<dyn Error>> {
    let through = against_a_queue(10_000);
    assert!(through > 1000, "{through} words");
    println!("native         {through} words in 10000 cycles, the same as from a queue");

    let findings = lint(&Fifo::default());
    assert!(findings.is_empty(), "{findings:?}");
    println!("lint           nothing found");

    // The FIFO is one module with its registers. The memory is another module, with a synthesis attribute. Its default
    // name would be `fifo_words`, from its position in the hierarchy.
    let options = ExportOptions {
        name_of: Box::new(|path| (path == "fifo.words").then(|| "fifo_memory".into())),
        ..ExportOptions::new("fifo")
    };
    let verilog = export(&Fifo::default(), &options)?;
    assert!(verilog.contains("module fifo_memory"));
    println!("\n{verilog}");

    // The stimulus sets the inputs at the start of each cycle; it may read the previous cycle's outputs.
    let report = cosim(
        || Box::new(Fifo::default()),
        2000,
        1,
        |fifo, random, cycle| {
            let filling = cycle / 20 % 2 == 0;
            fifo.push.next = random.gen_bool(if filling { 0.9 } else { 0.3 });
            fifo.pop.next = random.gen_bool(if filling { 0.3 } else { 0.9 });
            fifo.push_data.next = Bits::from(random.gen_range(0..256u64));
        },
    )?;
    // An output that never changes would prove little.
    assert_eq!(report.outputs_that_changed, report.outputs);
    println!(
        "co-simulated   {} cycles in Icarus Verilog, equal in all of them",
        report.cycles
    );
    Ok(())
}
