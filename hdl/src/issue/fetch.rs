//! The fetch stage: keeps every warp's instruction buffer filled.
//!
//! Code is fetched as aligned 64-bit words: one long instruction or two short ones. Each warp has a buffer with two
//! entries of one word. Warps with a free entry take turns at the instruction memory, round robin, one word a cycle.
//!
//! ```text
//! cycle   f0                   f1                        f2
//!         choose a warp,       address to the memory,    word arrives,
//!         its next address     next address written      into the buffer            available from the cycle after f2
//! ```
//! A restart (launch, taken branch, end of a warp) flushes the warp's buffer and its fetches in flight. The cycle of
//! the restart is f0 of the new path's first word, which is available three cycles later. A warp in f1 is not chosen
//! again, because its next address is being written. Fetch may run past the program's end, which is checked at issue.
//!
//! The upper and lower halves of the words are in separate memories, so that one cycle can read halves of two words.
//! For an instruction that begins in the upper half of its word (`read_odd`), `lower` is read from the following word:
//! it is the high half of an unaligned long instruction, and a short instruction ignores it. `both` is high if the
//! following word has arrived. A word stays in the buffer until an instruction that begins or ends in its upper half
//! issues.

use crate::arbiter::RoundRobinArbiter;
use crate::bundles::WarpSelect;
use crate::memory::instruction::InstructionMasterPort;
use hdlkit::prelude::*;

/// Pipeline register of f1 and f2: a fetch in flight.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FetchUnderWay {
    pub valid: Bit,
    pub warp: Bits<5>,
    /// The warp, one-hot; 0 if a restart has dropped the word.
    pub mask: Bits<32>,
    /// The buffer entry for the word, 0 or 1.
    pub slot: Bit,
}

/// A restart: the warp continues at `pc`, or stops.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FetchRestart {
    pub valid: Bit,
    pub warp: Bits<5>,
    pub stop: Bit,
    pub pc: Bits<24>,
}

/// State of the instruction buffers, two entries for each warp. Bit w of each field belongs to warp w.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct InstructionBuffers {
    /// The warp has begun and not stopped.
    pub fetching: Bits<32>,
    /// Entry 0 (entry 1) holds a word, or is reserved for a fetch in flight.
    pub reserved_0: Bits<32>,
    pub reserved_1: Bits<32>,
    /// Entry 0 (entry 1) holds a word.
    pub valid_0: Bits<32>,
    pub valid_1: Bits<32>,
    /// The entry in which the next instruction begins, and the entry that the next fetch fills.
    pub head: Bits<32>,
    pub tail: Bits<32>,
}

/// The heads of the instruction buffers, read by the warp scheduler.
#[interface(mirror = BufferReaderPort)]
pub struct BufferPort {
    /// Warps with a word at the head of their buffer.
    pub available: Signal<Out, Bits<32>>,
    /// The warp whose head is read; `lower`, `upper` and `both` are valid in the same cycle.
    pub read_warp: Signal<In, Bits<5>>,
    /// The instruction begins in the upper half: `lower` belongs to the following word, and `both` is high if that has
    /// arrived.
    pub read_odd: Signal<In, Bit>,
    pub lower: Signal<Out, Bits<32>>,
    pub upper: Signal<Out, Bits<32>>,
    pub both: Signal<Out, Bit>,
    /// The warp whose head is removed.
    pub pop: Signal<In, WarpSelect>,
}

/// The fetch stage.
#[circuit]
pub struct Fetch {
    pub clock: Signal<In, Clock>,
    /// Start of a grid: empties all buffers and stops all warps.
    pub f_clear: Signal<In, Bit>,
    pub f_restart: Signal<In, FetchRestart>,
    pub instruction: InstructionMasterPort,
    pub heads: BufferPort,

    arbiter: RoundRobinArbiter,
    /// Index of the next 64-bit word to fetch, for each warp.
    next_word: LutRam<5, Bits<21>>,
    lower: LutRam<6, Bits<32>>,
    upper: LutRam<6, Bits<32>>,
    f1: DFF<FetchUnderWay>,
    /// Index of the word that f1 fetches.
    f1_word: DFF<Bits<21>>,
    f2: DFF<FetchUnderWay>,
    buffers: DFF<InstructionBuffers>,
}

impl Logic for Fetch {
    #[hdl_gen]
    fn update(&mut self) {
        let buffers = self.buffers.q.val();
        let restart = self.f_restart.val();
        let restarts = mask(restart.valid, restart.warp.one_hot::<32>());
        let begins = mask(!restart.stop, restarts);
        let f0_mask = self.choose_warp(buffers, restart, begins);
        self.ask_memory(!restarts);
        self.take_word();
        self.offer_heads(buffers);
        self.buffers.d.next = self.buffers_after(f0_mask, restarts, begins);
        if self.f_clear.val() {
            self.f1.d.next.valid = false;
            self.f1.d.next.mask = 0.into();
            self.f2.d.next.valid = false;
            self.f2.d.next.mask = 0.into();
            self.buffers.d.next = InstructionBuffers::default();
        }
    }
}

impl Fetch {
    /// Stage f0: chooses the restarting warp, else a warp with a free entry. Returns the warp with the free entry,
    /// one-hot; 0 if there is none, or if a warp restarts.
    #[hdl_part]
    fn choose_warp(&mut self, buffers: InstructionBuffers, restart: FetchRestart, begins: Bits<32>) -> Bits<32> {
        let full = (buffers.reserved_0 & !buffers.tail) | (buffers.reserved_1 & buffers.tail);
        self.arbiter.request.next = buffers.fetching & !full & !self.f1.q.val().mask;
        let f0_take = self.arbiter.valid.val() && !restart.valid;
        self.arbiter.take.next = f0_take;
        let chosen = self.arbiter.index.val();
        let f0_mask = mask(f0_take, self.arbiter.grant.val());
        let slot = (buffers.tail & f0_mask).any();
        self.f1.d.next = if restart.valid {
            FetchUnderWay { valid: !restart.stop, warp: restart.warp, mask: begins, slot }
        } else {
            FetchUnderWay { valid: f0_take, warp: chosen, mask: f0_mask, slot }
        };
        let next_word = self.next_word.read(chosen);
        self.f1_word.d.next = if restart.valid { restart.pc.bits::<21>(3) } else { next_word };
        f0_mask
    }

    /// Stage f1: reads the memory. A word of a path that a restart abandons in this cycle is dropped.
    #[hdl_part]
    fn ask_memory(&mut self, keep: Bits<32>) {
        let asked = self.f1.q.val();
        self.instruction.enable.next = asked.valid;
        self.instruction.address.next = self.f1_word.q.val();
        self.next_word.write(asked.valid, asked.warp, self.f1_word.q.val() + 1);
        self.f2.d.next = FetchUnderWay { mask: asked.mask & keep, ..asked };
    }

    /// Stage f2: writes the word to the buffer.
    #[hdl_part]
    fn take_word(&mut self) {
        let arriving = self.f2.q.val();
        let slot: Bits<1> = arriving.slot.into();
        let place: Bits<6> = arriving.warp.concat(slot);
        self.lower.write(arriving.valid, place, self.instruction.data.val().low::<32>());
        self.upper.write(arriving.valid, place, self.instruction.data.val().bits::<32>(32));
    }

    /// Drives the heads of the buffers.
    #[hdl_part]
    fn offer_heads(&mut self, buffers: InstructionBuffers) {
        self.heads.available.next = (buffers.valid_0 & !buffers.head) | (buffers.valid_1 & buffers.head);
        let warp = self.heads.read_warp.val();
        let second = buffers.head.get_bit(warp.index());
        let upper: Bits<1> = second.into();
        let lower: Bits<1> = (second != self.heads.read_odd.val()).into();
        self.heads.lower.next = self.lower.read(warp.concat(lower));
        self.heads.upper.next = self.upper.read(warp.concat(upper));
        let following = if second { buffers.valid_0 } else { buffers.valid_1 };
        self.heads.both.next = following.get_bit(warp.index());
    }

    /// Returns the buffers' next state. A restart has priority: it empties the buffer, and reserves entry 0 for the
    /// first word of a new path.
    #[hdl_part]
    fn buffers_after(&mut self, f0_mask: Bits<32>, restarts: Bits<32>, begins: Bits<32>) -> InstructionBuffers {
        let now = self.buffers.q.val();
        let arriving = self.f2.q.val();
        let keep = !restarts;
        let pop = self.heads.pop.val();
        let pops = mask(pop.valid, pop.warp.one_hot::<32>());
        let kept_0 = !(pops & !now.head);
        let kept_1 = !(pops & now.head);
        InstructionBuffers {
            fetching: now.fetching & keep | begins,
            reserved_0: (now.reserved_0 & kept_0 | f0_mask & !now.tail) & keep | begins,
            reserved_1: (now.reserved_1 & kept_1 | f0_mask & now.tail) & keep,
            valid_0: (now.valid_0 & kept_0 | mask(!arriving.slot, arriving.mask)) & keep,
            valid_1: (now.valid_1 & kept_1 | mask(arriving.slot, arriving.mask)) & keep,
            head: (now.head ^ pops) & keep,
            tail: (now.tail ^ f0_mask) & keep | begins,
        }
    }
}
