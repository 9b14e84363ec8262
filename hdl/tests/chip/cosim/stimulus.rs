//! Random inputs of circuits, and the comparison of a circuit with its Verilog.

use flexgrip_hdl::bundles::*;
use flexgrip_hdl::issue::decode::Decode;
use flexgrip_isa::Capability;
use hdlkit::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub type Random = ChaCha8Rng;

/// Random bits; all zeros or all ones one time in four.
pub fn any<const N: usize>(rng: &mut Random) -> Bits<N> {
    match rng.gen_range(0..8) {
        0 => Bits::default(),
        1 => !Bits::default(),
        _ => Bits::from_wide(rng.gen()),
    }
}

/// A random release from writeback to the scoreboard, of one of these warps.
pub fn release(rng: &mut Random, warps: std::ops::Range<u64>) -> Release {
    Release {
        valid: rng.gen(),
        warp: Bits::new(rng.gen_range(warps)),
        register_enable: rng.gen(),
        register: any(rng),
        condition_enable: rng.gen(),
        condition: any(rng),
        address_enable: rng.gen(),
        address: any(rng),
    }
}

/// Random bits, about one in four set.
pub fn sparse<const N: usize>(rng: &mut Random) -> Bits<N> {
    Bits::from_wide(rng.gen::<u128>() & rng.gen::<u128>())
}

/// Random instruction words, mostly legal ones.
pub fn word(rng: &mut Random) -> u64 {
    let rows = flexgrip_isa::table::ROWS;
    let pattern = rows[rng.gen_range(0..rows.len())].pattern;
    word_of(pattern, rng)
}

/// Random instruction words of the rows that capabilities from `first` to `last` add, mostly legal ones.
pub fn later_word(first: Capability, last: Capability, rng: &mut Random) -> u64 {
    let rows = flexgrip_isa::table::rows_at(last).filter(|row| row.since >= first);
    let rows: Vec<_> = rows.collect();
    word_of(rows[rng.gen_range(0..rows.len())].pattern, rng)
}

/// A word of a row, mostly a legal one.
fn word_of(pattern: flexgrip_isa::table::Pattern, rng: &mut Random) -> u64 {
    let word = pattern.value | (rng.gen::<u64>() & !pattern.mask);
    if rng.gen_bool(0.5) {
        // A defined condition, no address register, no output register.
        (word & !(0x1f << 39 | 0xf << 24 | 1 << 34 | 1 << 35)) | 0xf << 39 | (pattern.value & (0xf << 24))
    } else {
        word
    }
}

/// Instructions in the form of the decode stage's output.
pub struct Decoder(CycleEngine<Decode>, Box<dyn Fn(&mut Random) -> u64>);

impl Decoder {
    pub fn new() -> Self {
        Decoder(CycleEngine::new(Box::default()), Box::new(word))
    }
    /// Instructions that capabilities from `first` to `last` add, in a decode stage of `last`.
    pub fn later(first: Capability, last: Capability) -> Self {
        let decode = CycleEngine::new(Box::new(Decode::new(last)));
        Decoder(decode, Box::new(move |rng| later_word(first, last, rng)))
    }
    pub fn decoded(&mut self, rng: &mut Random) -> Decoded {
        self.0.block.d_word.next = Bits::new((self.1)(rng));
        self.0.settle();
        self.0.block.d_decoded.val()
    }
    pub fn issued(&mut self, rng: &mut Random) -> Issued {
        Issued {
            valid: rng.gen_bool(0.6),
            tag: any(rng),
            warp: any(rng),
            pc: any(rng),
            decoded: self.decoded(rng),
            a_live: rng.gen(),
            b_live: rng.gen(),
            c_live: rng.gen(),
            condition_live: rng.gen(),
            fill: rng.gen(),
            condition_fill: rng.gen(),
            b_further_live: any(rng),
            further: any(rng),
            further_fill: any(rng),
            address_live: rng.gen(),
            address_fill: rng.gen(),
            buffer: rng.gen(),
        }
    }
}

pub fn launch(rng: &mut Random) -> WarpLaunch {
    WarpLaunch {
        warp: any(rng),
        mask: any(rng),
        row: any(rng),
        shared_row: any(rng),
        block: any(rng),
        index: any(rng),
        slot: any(rng),
        block_warps: any(rng),
    }
}

pub fn write_control(rng: &mut Random) -> WriteControl {
    WriteControl {
        valid: rng.gen(),
        tag: any(rng),
        warp: any(rng),
        beat: any(rng),
        last: rng.gen(),
        row: any(rng),
        register: any(rng),
        halves: any(rng),
        register_enable: rng.gen(),
        fill: rng.gen(),
        condition_register: any(rng),
        condition_enable: rng.gen(),
        condition_fill: rng.gen(),
        address_register: any(rng),
        address_enable: rng.gen(),
        address_fill: rng.gen(),
        elsewhere: rng.gen(),
    }
}

pub fn resolved(rng: &mut Random) -> Resolved {
    Resolved {
        valid: rng.gen_bool(0.3),
        tag: any(rng),
        warp: any(rng),
        ended: rng.gen_bool(0.2),
        redirected: rng.gen(),
        pc: any(rng),
        active: any(rng),
    }
}

/// Fails with the difference, and also if fewer than half of the outputs change.
macro_rules! equal {
    ($make:expr, $cycles:literal, $stimulus:expr) => {{
        // Only the soak tier runs all cycles.
        let cycles = if cfg!(feature = "soak") { $cycles } else { $cycles / 4 };
        let report = match hdlkit_compiled::cosim::cosim(|| Box::new($make), cycles, 1, $stimulus) {
            Ok(report) => report,
            Err(error) => panic!("{error}"),
        };
        assert!(
            report.outputs_that_changed * 2 > report.outputs,
            "the stimulus changes only {} of {} outputs",
            report.outputs_that_changed,
            report.outputs
        );
    }};
}

pub(crate) use equal;

#[test]
fn stimulus_is_repeatable() {
    let mut first = Random::seed_from_u64(7);
    let mut second = Random::seed_from_u64(7);
    assert!((0..100).all(|_| word(&mut first) == word(&mut second)));
}
