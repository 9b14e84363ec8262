//! Bank conflicts: selects the threads of a half-warp that the shared memory banks serve in a step, and drives the
//! banks.
//!
//! Loads follow the G80's rule: one word is broadcast to all threads that read it, and every other bank serves one
//! thread. Here the broadcast word is the lowest waiting thread's, and every other bank serves the lowest thread
//! waiting for it. So a half-warp takes one step if its threads all use different banks, or all read one word; n
//! different words in one bank take at least n steps.
//!
//! For stores, all threads with exactly the lowest waiting thread's address are served at once, and the highest of them
//! determines the stored data; every other bank stores for one thread. Constant memory has one bank, so a step serves
//! only the broadcast. So does a step under a lock (capability 1.2), which can look up the lock of only one word.
//!
//! ```text
//! cycle   h                                      b
//!         pending, addresses -> served, leader   banks, rows, bytes, words
//!         capture: the threads' accesses         of the last capture
//! ```
//! The served threads determine the next step, so they are needed in the same cycle. The path to the banks is long
//! enough for a cycle of its own.

use crate::bundles::{is_locked, Indexing};
use crate::memory::shared::BankAccess;
use hdlkit::prelude::*;

/// Pipeline register of h: the half-warp and its step. Its addresses are in `h_address`.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct HalfWarp {
    pub valid: Bit,
    /// Its instruction's entry in the collector; true for threads 16 to 31 of the warp.
    pub place: Bits<2>,
    pub upper: Bit,
    /// Executing threads; for the trace.
    pub threads: Bits<16>,
    /// A thread's access is illegal; `pending` then has the faulting threads.
    pub faulty: Bit,
    pub pending: Bits<16>,
    /// This is the first phase of the half-warp's first step; a step after the first; a step's second phase.
    pub first: Bit,
    pub again: Bit,
    pub odd: Bit,
}

/// A thread's access to its bank.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ThreadAccess {
    /// The thread accesses the bank, for itself or for all threads that the word is broadcast to.
    pub valid: Bit,
    pub bank: Bits<4>,
    pub access: BankAccess,
}

/// Selects the threads, and drives the banks one cycle later.
#[circuit]
pub struct BankSelect<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// The half-warp; its `pending` threads wait. With 8 lanes, the data path serves threads 0 to 7 in the first phase
    /// of a step and 8 to 15 in the second (`odd`). With more lanes it serves all at once.
    pub half_warp: Signal<In, HalfWarp>,
    /// The half-warp's access: a store if it scatters, else a load; from constant memory, which has one bank, or shared
    /// memory.
    pub indexing: Signal<In, Indexing>,
    /// Row of address 0.
    pub base: Signal<In, Bits<8>>,
    /// Byte addresses: bank in bits 5..2, row in bits 13..6.
    pub address: [Signal<In, Bits<16>>; 16],
    /// Store data, in the low bits.
    pub data: [Signal<In, Bits<32>>; 16],
    /// Threads that the step serves, in both phases together; valid in the same cycle.
    pub served: Signal<Out, Bits<16>>,
    /// Address of the lowest waiting thread (of thread 15 if none waits); valid in the same cycle.
    pub leader: Signal<Out, Bits<16>>,
    /// Captures the phase's accesses: the banks execute them from the next cycle until the next capture.
    pub capture: Signal<In, Bit>,
    /// Banks to access (none for constant memory), and the accesses. A bank without an access has `bytes` 0; its row
    /// and word are the first thread's and are meaningless.
    pub banks: Signal<Out, Bits<16>>,
    pub access_to: [Signal<Out, BankAccess>; 16],

    /// The captured accesses of a phase's threads.
    #[blank((0..Self::WIDTH).map(|_| DFF::default()).collect())]
    access_of: Vec<DFF<ThreadAccess>>,

    /// Accesses under a lock exist: capability 1.2.
    locks: Constant<Bit>,
}

/// Returns the access of a thread, which takes place if `valid`.
#[hdl_fn]
fn access_to_bank(valid: Bit, base: Bits<8>, address: Bits<16>, access: Bits<2>, data: Bits<32>) -> ThreadAccess {
    let byte = data.low::<8>();
    let half = data.low::<16>();
    let bytes: Bits<16> = byte.concat(byte);
    let (enable, word) = match access.index() {
        0 => (address.low::<2>().one_hot::<4>(), bytes.concat(bytes)),
        3 => (bits::<4>(15), data),
        _ => (if address.get_bit(1) { bits::<4>(12) } else { bits::<4>(3) }, half.concat(half)),
    };
    let row = base + address.bits::<8>(6);
    ThreadAccess { valid, bank: address.bits::<4>(2), access: BankAccess { row, bytes: enable, word } }
}

impl<const LANES: usize> BankSelect<LANES> {
    /// Number of threads of a phase.
    const WIDTH: usize = if LANES < 16 { LANES } else { 16 };

    /// Returns the circuit for accesses with or without locks.
    pub fn new(locks: bool) -> Self {
        BankSelect { locks: Constant::new(locks), ..Default::default() }
    }
}

impl<const LANES: usize> Logic for BankSelect<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let leader = self.find_leader();
        self.leader.next = leader;
        self.choose(leader);
        self.drive_banks();
    }
}

impl<const LANES: usize> BankSelect<LANES> {
    /// Returns the lowest waiting thread's address, by a binary tree of multiplexers.
    #[hdl_part]
    fn find_leader(&self) -> Bits<16> {
        let mut address = [Bits::<16>::ZERO; 16];
        for i in 0..16 {
            address[i] = self.address[i].val();
        }
        let mut waits = self.half_warp.val().pending;
        for level in 0..4 {
            for i in 0..8 {
                if i < 8 >> level {
                    let lower = waits.get_bit((2 * i) << level);
                    address[(2 * i) << level] =
                        if lower { address[(2 * i) << level] } else { address[(2 * i + 1) << level] };
                }
            }
            waits = waits | (waits >> (1u64 << level));
        }
        address[0]
    }

    /// Selects the threads that the step serves, and captures the accesses of the phase. In the leader's bank, the
    /// first waiting thread is the leader.
    #[hdl_part]
    fn choose(&mut self, leader: Bits<16>) {
        let pending = self.half_warp.val().pending;
        let mut with_leader = bits::<16>(0);
        let mut first = bits::<16>(0);
        for i in 0..16 {
            let address = self.address[i].val();
            let same_word = address.bits::<14>(2) == leader.bits::<14>(2);
            let same_byte = address.low::<2>() == leader.low::<2>();
            let with = pending.get_bit(i) && same_word && (!self.indexing.val().scatters || same_byte);
            let mut earlier = self.indexing.val().constant;
            if self.locks.val() {
                earlier = earlier || is_locked(self.indexing.val());
            }
            for j in 0..16 {
                if j < i {
                    let same_bank = self.address[j].val().bits::<4>(2) == address.bits::<4>(2);
                    earlier = earlier || pending.get_bit(j) && same_bank;
                }
            }
            with_leader = with_leader.replace_bit(i, with);
            first = first.replace_bit(i, pending.get_bit(i) && !earlier);
        }
        self.served.next = with_leader | first;

        // In each phase, the highest of the threads with the leader's word accesses its bank, for all of them.
        let highest = if LANES == 8 {
            with_leader.bits::<8>(8).highest_set().concat(with_leader.low::<8>().highest_set())
        } else {
            with_leader.highest_set()
        };
        let accesses = mask(!self.indexing.val().constant, highest | (first & !with_leader));
        let odd = LANES == 8 && self.half_warp.val().odd;
        for i in 0..Self::WIDTH {
            let valid = if odd { accesses.get_bit(i ^ 8) } else { accesses.get_bit(i) };
            let address = if odd { self.address[i ^ 8].val() } else { self.address[i].val() };
            let data = if odd { self.data[i ^ 8].val() } else { self.data[i].val() };
            if self.capture.val() {
                self.access_of[i].d.next =
                    access_to_bank(valid, self.base.val(), address, self.indexing.val().access, data);
            }
        }
    }

    /// Drives each bank with its thread's access.
    #[hdl_part]
    fn drive_banks(&mut self) {
        let mut banks = bits::<16>(0);
        for b in 0..16 {
            let mut used = false;
            let mut bytes = bits::<4>(0);
            let mut thread = bits::<4>(0);
            for i in 0..Self::WIDTH {
                let thread_access = self.access_of[i].q.val();
                let here = thread_access.valid && thread_access.bank == (b as u64);
                used = used || here;
                bytes = bytes | mask(here, thread_access.access.bytes);
                thread = thread | mask(here, bits(i as u64));
            }
            banks = banks.replace_bit(b, used);
            // At most one thread accesses the bank, so this is its number. Wide multiplexers cost less than a sum of
            // products.
            self.access_to[b].next = BankAccess { bytes, ..self.access_of[thread.index()].q.val().access };
        }
        self.banks.next = banks;
    }
}
