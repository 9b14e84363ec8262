//! The atomic unit: executes atomic operations on global memory, between the SMs' requests and the memory port. A chip
//! of capability 1.0 has none.
//!
//! ```text
//! state    Idle                    Read               Wait                Compute   Write            Answer
//! port     requests pass           read of the        response of the     -         new words        end of the
//!          through; an atomic      segment            read                          in the segment   write
//!          one is kept
//! SMs      responses pass through ...............................                                    the old words
//! ```
//! One operation at a time, on one or two words of one lane. No other request enters from its arrival until its answer,
//! so the operation is indivisible for all SMs. Responses to earlier reads pass; the unit's own read is the last one that
//! awaits a response. Every operation is answered like a read, even if it has no destination.
//!
//! Other masters of the memory see `locked` from the read until the write is taken. The answer waits for the end of the
//! write, when `memory_busy` is low. If `memory_failed` is high then, another master has changed a word since the read
//! and the write was not done: the unit continues with Read.
//!
//! # Requests
//!
//! An atomic request is a read with a valid `atomic`. Its address is the byte address of the word, a multiple of 4, or
//! of 8 if it is `wide`. Its first four data words are the operands: b, the high word of b, c, the high word of c.

use crate::bundles::AtomicOperation;
use crate::count::up_down;
use flexgrip_machine::sizes::Lanes;
use hdlkit::prelude::*;

/// The state of the unit.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum AtomicState {
    /// Requests pass through.
    Idle,
    /// The read waits until the memory takes it.
    Read,
    /// The read has been taken; its response is awaited.
    Wait,
    /// The old words have arrived.
    Compute,
    /// The write waits until the memory takes it.
    Write,
    /// When the write is done, the SM gets the old words.
    Answer,
}

/// An operation with its operands, 64 bits wide. A 32-bit operation uses the low words.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct KeptRequest {
    pub operation: AtomicOperation,
    pub address: Bits<32>,
    pub b: Bits<64>,
    pub c: Bits<64>,
}

/// The unit of a chip with SMs of LANES lanes (8, 16 or 32).
#[circuit]
pub struct AtomicUnit<const LANES: usize> {
    pub clock: Signal<In, Clock>,

    // The chosen SM's request, and the response to it.
    pub request_valid: Signal<In, Bit>,
    /// Also high without a request.
    pub request_ready: Signal<Out, Bit>,
    pub request_write: Signal<In, Bit>,
    pub request_address: Signal<In, Bits<32>>,
    pub request_atomic: Signal<In, AtomicOperation>,
    /// The first four data words.
    pub operand: [Signal<In, Bits<32>>; 4],
    pub response_valid: Signal<Out, Bit>,
    /// The response is to the unit's own read. It has the old words, at even and at odd word addresses.
    pub answers: Signal<Out, Bit>,
    pub old_even: Signal<Out, Bits<32>>,
    pub old_odd: Signal<Out, Bits<32>>,

    // The request to the memory.
    pub memory_valid: Signal<Out, Bit>,
    pub memory_ready: Signal<In, Bit>,
    pub memory_write: Signal<Out, Bit>,
    pub memory_address: Signal<Out, Bits<32>>,
    /// The request is the unit's own: the words to write at even and at odd word addresses, and the words that it
    /// accesses.
    pub own: Signal<Out, Bit>,
    pub new_even: Signal<Out, Bits<32>>,
    pub new_odd: Signal<Out, Bits<32>>,
    pub words: Signal<Out, Bits<32>>,
    pub memory_response: Signal<In, Bit>,
    pub memory_data: [Signal<In, Bits<32>>; LANES],
    /// The write that was taken is not done yet.
    pub memory_busy: Signal<In, Bit>,
    /// The write was not done; valid while `memory_busy` is low.
    pub memory_failed: Signal<In, Bit>,
    /// From the read of an operation until its write has been taken.
    pub locked: Signal<Out, Bit>,

    /// True while an operation is not done.
    pub busy: Signal<Out, Bit>,

    state: DFF<AtomicState>,
    kept: DFF<KeptRequest>,
    /// The old value, and the new one.
    old: DFF<Bits<64>>,
    result: DFF<Bits<64>>,
    /// Number of reads that await a response.
    awaited: DFF<Bits<8>>,
}

/// Returns the new value of memory: 64 bits for `wide` operations, else the low 32 bits.
#[hdl_fn]
pub fn atomic_result(operation: AtomicOperation, memory: Bits<64>, b: Bits<64>, c: Bits<64>) -> Bits<64> {
    let word = memory.low::<32>();
    let b_word = b.low::<32>();
    let flip = mask(operation.is_signed, bits::<32>(0x8000_0000));
    let less = (word ^ flip) < (b_word ^ flip);
    let above = word > b_word;
    let below = word < b_word;
    let equal = if operation.wide { memory == b } else { word == b_word };
    match operation.number.index() {
        0 => memory + b,
        1 => b,
        2 => {
            if equal {
                c
            } else {
                memory
            }
        }
        4 => mask(below, word + 1).resize::<64>(),
        5 => {
            if !word.any() || above {
                b
            } else {
                (word - 1).resize::<64>()
            }
        }
        6 => {
            if less {
                b
            } else {
                memory
            }
        }
        7 => {
            if less {
                memory
            } else {
                b
            }
        }
        10 => memory & b,
        11 => memory | b,
        _ => memory ^ b,
    }
}

impl<const LANES: usize> AtomicUnit<LANES> {
    /// A unit at rest.
    pub fn new() -> Self {
        const { Lanes::assert(LANES) };
        Self::default()
    }
}

impl<const LANES: usize> Logic for AtomicUnit<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let state = self.state.q.val();
        let kept = self.kept.q.val();
        let idle = state == AtomicState::Idle;
        let atomic = self.request_atomic.val();
        let ready = self.memory_ready.val();
        let enters = idle && self.request_valid.val() && atomic.valid;
        let passes = idle && self.request_valid.val() && !atomic.valid;

        // The requests to the memory: the SMs' or the unit's own.
        let reads = state == AtomicState::Read;
        let writes = state == AtomicState::Write;
        let sends = passes || reads || writes;
        let sends_write = if idle { self.request_write.val() } else { writes };
        self.own.next = reads || writes;
        self.memory_valid.next = sends;
        self.memory_write.next = sends_write;
        let segment = kept.address & !(4 * LANES as u64 - 1);
        self.memory_address.next = if idle { self.request_address.val() } else { segment };
        self.request_ready.next = idle && (ready || atomic.valid);

        // The words of the segment: one, or two neighbours.
        let place = kept.address.bits::<5>(2) & (LANES as u64 - 1);
        let pair = mask(kept.operation.wide, place.one_hot::<32>() << 1);
        self.words.next = place.one_hot::<32>() | pair;
        let result = self.result.q.val();
        let old = self.old.q.val();
        self.new_even.next = result.low::<32>();
        self.new_odd.next = if kept.operation.wide { result.bits::<32>(32) } else { result.low::<32>() };
        self.old_even.next = old.low::<32>();
        self.old_odd.next = if kept.operation.wide { old.bits::<32>(32) } else { old.low::<32>() };

        // The responses. The unit's own read is the last one that awaits a response.
        let response = self.memory_response.val();
        let awaited = self.awaited.q.val();
        let own_response = response && state == AtomicState::Wait && awaited == 1;
        self.awaited.d.next = up_down::<8>(awaited, sends && ready && !sends_write, response && awaited.any());
        let write_ended = state == AtomicState::Answer && !self.memory_busy.val();
        let answers = write_ended && !self.memory_failed.val();
        self.answers.next = answers;
        self.response_valid.next = response && !own_response || answers;
        let mut low = bits::<32>(0);
        let mut high = bits::<32>(0);
        for i in 0..LANES {
            if place == i as u64 {
                low = self.memory_data[i].val();
            }
        }
        for i in 0..LANES / 2 {
            if place == 2 * i as u64 {
                high = self.memory_data[2 * i + 1].val();
            }
        }
        if own_response {
            self.old.d.next = high.concat(low);
        }
        self.result.d.next = atomic_result(kept.operation, old, kept.b, kept.c);

        if enters {
            self.kept.d.next = KeptRequest {
                operation: atomic,
                address: self.request_address.val(),
                b: self.operand[1].val().concat(self.operand[0].val()),
                c: self.operand[3].val().concat(self.operand[2].val()),
            };
        }
        self.state.d.next = match state {
            AtomicState::Idle => {
                if enters {
                    AtomicState::Read
                } else {
                    AtomicState::Idle
                }
            }
            AtomicState::Read => {
                if ready {
                    AtomicState::Wait
                } else {
                    AtomicState::Read
                }
            }
            AtomicState::Wait => {
                if own_response {
                    AtomicState::Compute
                } else {
                    AtomicState::Wait
                }
            }
            AtomicState::Compute => AtomicState::Write,
            AtomicState::Write => {
                if ready {
                    AtomicState::Answer
                } else {
                    AtomicState::Write
                }
            }
            AtomicState::Answer => {
                if answers {
                    AtomicState::Idle
                } else if write_ended {
                    AtomicState::Read
                } else {
                    AtomicState::Answer
                }
            }
        };
        self.busy.next = !idle;
        self.locked.next = !idle && state != AtomicState::Answer;
    }
}
