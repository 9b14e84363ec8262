//! The leader of a coalescer: the lane that is served first, of all lanes that wait for memory. A small circuit with
//! the features of the kernel language: locals, expressions of any depth, loops over arrays, bit functions.
//!
//! ```sh
//! cargo run -p hdlkit-compiled --example leader
//! ```
//!
//! The last step needs `iverilog`.

use hdlkit::lint::lint;
use hdlkit::prelude::*;
use hdlkit::verilog::{export, ExportOptions};
use hdlkit_compiled::cosim::{cosim, Rng};
use std::error::Error;

/// Bits of an address within a line of memory.
const LINE_BITS: usize = 6;

/// The address of the lowest waiting lane, and the lanes whose addresses are in the same line of memory. Combinational.
#[circuit]
pub struct Leader<const LANES: usize> {
    /// The waiting lanes. Bits LANES and up are ignored.
    pub pending: Signal<In, Bits<32>>,
    pub address: [Signal<In, Bits<32>>; LANES],
    /// The leader's address; 0 if no lane waits.
    pub leader: Signal<Out, Bits<32>>,
    /// The lanes that the access serves.
    pub served: Signal<Out, Bits<32>>,
    /// The number of these lanes.
    pub count: Signal<Out, Bits<6>>,
}

impl<const LANES: usize> Logic for Leader<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("A sum of products takes less time than an index and a multiplexer");
        let lowest = self.pending.val().lowest_set();
        let mut leader = Bits::<32>::ZERO;
        for i in 0..LANES {
            leader = leader | mask(lowest.get_bit(i), self.address[i].val());
        }
        comment!("A lane is served if it waits for the leader's line");
        let mut served = Bits::<32>::ZERO;
        for i in 0..LANES {
            let same_line = self.address[i].val() >> (LINE_BITS as u64) == leader >> (LINE_BITS as u64);
            served = served.replace_bit(i, self.pending.val().get_bit(i) && same_line);
        }
        self.leader.next = leader;
        self.served.next = served;
        self.count.next = served.population_count();
    }
}

/// Computes the leader and the served lanes in plain Rust.
fn found(pending: u64, addresses: &[u64]) -> (u64, u64) {
    let waits = |lane: &usize| pending >> lane & 1 == 1;
    let Some(first) = (0..addresses.len()).find(waits) else {
        return (0, 0);
    };
    let leader = addresses[first];
    let same = |lane: &usize| addresses[*lane] >> LINE_BITS == leader >> LINE_BITS;
    let served = (0..addresses.len()).filter(waits).filter(same).map(|lane| 1 << lane);
    (leader, served.sum())
}

/// Runs all steps. The error is the first unexpected result.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut leader = Leader::<4>::blank();
    let addresses = [0x100, 0x204, 0x240, 0x208];
    for pending in 0..16 {
        leader.pending.next = Bits::new(pending);
        for (port, address) in leader.address.iter_mut().zip(addresses) {
            port.next = Bits::new(address);
        }
        leader.settle();
        let (address, served) = found(pending, &addresses);
        assert_eq!(leader.leader.val(), address, "pending {pending:b}");
        assert_eq!(leader.served.val(), served, "pending {pending:b}");
        assert_eq!(
            leader.count.val(),
            u64::from(served.count_ones()),
            "pending {pending:b}"
        );
    }
    println!("native         16 sets of waiting lanes, as in plain Rust");

    let findings = lint(&Leader::<4>::blank());
    assert!(findings.is_empty(), "{findings:?}");
    println!("lint           nothing found");

    println!("\n{}", export(&Leader::<4>::blank(), &ExportOptions::new("leader"))?);

    let report = cosim(
        || Box::new(Leader::<8>::blank()),
        2000,
        1,
        |leader, random, _cycle| {
            leader.pending.next = Bits::new(random.gen());
            // Lanes share lines, because there are only eight.
            let line = random.gen_range(0..8u64) << 10;
            for port in &mut leader.address {
                port.next = Bits::new(line + random.gen_range(0..256));
            }
        },
    )?;
    assert_eq!(report.outputs_that_changed, report.outputs);
    println!(
        "co-simulated   {} cycles of 8 lanes in Icarus Verilog and as machine code, equal in all of them",
        report.cycles
    );
    Ok(())
}
