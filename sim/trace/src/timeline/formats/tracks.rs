//! Timelines as tracks with slices, for viewers of traces such as Perfetto.
//!
//! ```text
//! process    SM
//! track        warp slot: an instruction from its issue to the next one's, with the warp's waits inside
//! track        warp slot, in flight: an instruction from its issue to its end; several tracks, since they overlap
//! counter      memory requests, active lanes, resident warps
//! arrow        from a load to the first instruction that uses its result
//! ```
//! An [`Encoding`] writes tracks, slices and counter values.

use crate::timeline::formats::format::{About, Format};
use crate::timeline::formats::text::{hex, number};
use crate::timeline::instruction::{Counter, Instruction, Need, Sample, Stay, Unit, Wait};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of a track in a file: for a counter, a warp slot, or one of its further tracks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::timeline) struct Track {
    pub sm: u32,
    /// The warp slot, 0 to 31; counters follow.
    slot: u32,
    /// 0, or the number of a track of instructions in flight.
    lane: u32,
}

/// The number of warp slots of an SM.
const SLOTS: u32 = 32;

impl Track {
    fn of_warp(sm: u32, warp: u32, lane: u32) -> Self {
        Track {
            sm,
            slot: warp % SLOTS,
            lane,
        }
    }

    fn of_counter(sm: u32, counter: Counter) -> Self {
        Track {
            sm,
            slot: SLOTS + counter as u32,
            lane: 0,
        }
    }

    /// The number of the process: 1 for the first SM.
    pub(super) fn process(self) -> u32 {
        self.sm + 1
    }

    /// A number that differs between all tracks and processes.
    pub(super) fn id(self) -> u32 {
        (self.sm + 1) << 18 | self.slot << 12 | self.lane.min(4095)
    }

    /// The track of the same warp that this one is shown under.
    pub(super) fn parent(self) -> Option<Track> {
        (self.lane > 0).then_some(Track { lane: 0, ..self })
    }
}

/// The name of an argument.
pub(in crate::timeline) struct Name {
    pub plain: &'static str,
    /// The name as JSON, with a comma before it and a colon after it.
    pub json: &'static str,
}

/// A [`Name`] from a text without escapes.
macro_rules! name {
    ($text:literal) => {
        Name {
            plain: $text,
            json: concat!(",\"", $text, "\":"),
        }
    };
}

/// An argument of a slice.
pub(in crate::timeline) enum Argument<'a> {
    Number(u64),
    Text(&'a str),
    /// A mask of 32 bits.
    Mask(u32),
    /// A byte address of the program.
    Address(u32),
}

impl Argument<'_> {
    /// Appends the argument as text.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let (value, digits) = match *self {
            Argument::Number(value) => return number(out, value),
            Argument::Text(text) => return out.extend_from_slice(text.as_bytes()),
            Argument::Mask(mask) => (mask, 8),
            Argument::Address(address) => (address, 4),
        };
        out.extend_from_slice(b"0x");
        hex(out, value, digits);
    }
}

/// A slice of a track.
pub(in crate::timeline) struct Slice<'a> {
    pub track: Track,
    pub begin: u64,
    pub end: u64,
    pub category: &'static str,
    pub name: &'a str,
    pub arguments: &'a [(Name, Argument<'a>)],
    /// The number of an arrow that begins at the slice.
    pub arrow: Option<u64>,
    /// The numbers of arrows that end at the slice.
    pub arrows: &'a [u64],
}

/// An encoding of tracks. A slice is passed before its parts; slices of different tracks in any order.
pub(in crate::timeline) trait Encoding {
    fn begin(&mut self, about: &About, out: &mut Vec<u8>);
    /// Writes a new process.
    fn process(&mut self, process: u32, name: &str, out: &mut Vec<u8>);
    /// Writes a new track of slices.
    fn track(&mut self, track: Track, name: &str, out: &mut Vec<u8>);
    /// Writes a new counter.
    fn counter(&mut self, track: Track, name: &str, unit: &'static str, out: &mut Vec<u8>);
    fn slice(&mut self, slice: &Slice, out: &mut Vec<u8>);
    /// Writes a value; the unit is the counter's.
    fn value(&mut self, track: Track, name: &str, unit: &'static str, time: u64, value: f64, out: &mut Vec<u8>);
    fn end(&mut self, out: &mut Vec<u8>);
}

/// A timeline with tracks.
pub(in crate::timeline) struct Tracks<E> {
    encoding: E,
    unit: Unit,
    process_name: String,
    /// Names and units of counters.
    counters: Vec<(String, &'static str)>,
    processes: FxHashSet<u32>,
    /// The slots and counters of each SM that already have a track, one bit each. Tracks of instructions in flight are
    /// identified by their index in `lanes`.
    known: Vec<u64>,
    /// The time from which each track of a warp slot's instructions in flight is free.
    lanes: FxHashMap<(u32, u32), Vec<u64>>,
}

impl<E: Encoding> Tracks<E> {
    pub(in crate::timeline) fn new(encoding: E, unit: Unit) -> Self {
        Tracks {
            encoding,
            unit,
            process_name: String::new(),
            counters: Vec::new(),
            processes: FxHashSet::default(),
            known: Vec::new(),
            lanes: FxHashMap::default(),
        }
    }

    fn process(&mut self, sm: u32, out: &mut Vec<u8>) {
        if self.processes.insert(sm) {
            let name = format!("SM {sm}: {}", self.process_name);
            self.encoding.process(sm + 1, &name, out);
        }
    }

    /// True if the track of a slot or a counter is new.
    fn is_new(&mut self, track: Track) -> bool {
        let sm = track.sm as usize;
        if self.known.len() <= sm {
            self.known.resize(sm + 1, 0);
        }
        let before = self.known[sm];
        self.known[sm] |= 1 << (track.slot & 63);
        self.known[sm] != before
    }

    /// The track of a slot, written at its first use.
    fn slot(&mut self, sm: u32, warp: u32, out: &mut Vec<u8>) -> Track {
        let track = Track::of_warp(sm, warp, 0);
        if self.is_new(track) {
            self.process(sm, out);
            self.encoding.track(track, &format!("warp {warp:02}"), out);
        }
        track
    }

    /// The first free track for an instruction in flight, from 1; and true if it is new.
    fn lane(&mut self, instruction: &Instruction) -> (u32, bool) {
        let lanes = self.lanes.entry((instruction.sm, instruction.warp)).or_default();
        let free = lanes.iter().position(|free| *free <= instruction.begin);
        let lane = free.unwrap_or(lanes.len());
        if free.is_none() {
            lanes.push(0);
        }
        lanes[lane] = instruction.end;
        (lane as u32 + 1, free.is_none())
    }

    fn wait(&mut self, track: Track, wait: &Wait, out: &mut Vec<u8>) {
        let arguments = wait.on.as_ref().map(|on| {
            [
                (name!("for"), Argument::Text(&on.what)),
                (name!("of instruction"), Argument::Number(on.producer)),
                (name!("at"), Argument::Address(on.pc)),
                (name!("text"), Argument::Text(&on.code.text)),
            ]
        });
        let slice = Slice {
            track,
            begin: wait.from,
            end: wait.to,
            category: "wait",
            name: wait.reason.name(),
            arguments: arguments.as_ref().map_or(&[], |arguments| arguments),
            arrow: None,
            arrows: &[],
        };
        self.encoding.slice(&slice, out);
    }

    /// True if instructions have tracks of their own from issue to end.
    fn shows_flights(&self) -> bool {
        self.unit == Unit::Cycles
    }
}

/// The number of arguments of an instruction in flight: the others are on the warp's track only.
const IN_FLIGHT: usize = 3;

/// Calls `then` with the arguments of an instruction.
fn with_arguments(instruction: &Instruction, then: impl FnOnce(&[(Name, Argument)])) {
    let place = instruction.code.place.as_deref();
    let arguments = [
        (name!("instruction"), Argument::Number(instruction.number)),
        (name!("pc"), Argument::Address(instruction.pc)),
        (
            name!("lanes"),
            Argument::Number(instruction.executed.count_ones().into()),
        ),
        (name!("block"), Argument::Number(instruction.block.into())),
        (
            name!("warp in block"),
            Argument::Number(instruction.warp_in_block.into()),
        ),
        (name!("active"), Argument::Mask(instruction.active)),
        (name!("executed"), Argument::Mask(instruction.executed)),
        (name!("source"), Argument::Text(place.unwrap_or_default())),
    ];
    let count = arguments.len() - usize::from(place.is_none());
    then(&arguments[..count]);
}

impl<E: Encoding> Format for Tracks<E> {
    fn begin(&mut self, about: &About, out: &mut Vec<u8>) {
        self.process_name = format!("{}, {}, 1 ns = 1 {}", about.title, about.machine, about.unit);
        self.counters = Counter::ALL
            .map(|counter| counter.name(about.interval, about.unit))
            .into();
        self.encoding.begin(about, out);
    }

    fn instruction(&mut self, instruction: &Instruction, _: &[Need], out: &mut Vec<u8>) {
        let Instruction { sm, warp, .. } = *instruction;
        // The slot's track precedes the tracks under it.
        self.slot(sm, warp, out);
        if !self.shows_flights() {
            return;
        }
        let (lane, new) = self.lane(instruction);
        let track = Track::of_warp(sm, warp, lane);
        if new {
            self.encoding.track(track, &format!("warp {warp:02} in flight"), out);
        }
        with_arguments(instruction, |arguments| {
            let slice = Slice {
                track,
                begin: instruction.begin,
                end: instruction.end,
                category: "flight",
                name: &instruction.code.text,
                arguments: &arguments[..IN_FLIGHT],
                arrow: instruction.code.kind.is_load().then_some(instruction.number),
                arrows: &[],
            };
            self.encoding.slice(&slice, out);
        });
    }

    fn stay(&mut self, stay: &Stay, out: &mut Vec<u8>) {
        let instruction = stay.instruction;
        let track = self.slot(instruction.sm, instruction.warp, out);
        let starts_arrow = instruction.code.kind.is_load() && !self.shows_flights();
        with_arguments(instruction, |arguments| {
            let slice = Slice {
                track,
                begin: instruction.begin,
                end: stay.until,
                category: "instruction",
                name: &instruction.code.text,
                arguments,
                arrow: starts_arrow.then_some(instruction.number),
                arrows: stay.first_uses,
            };
            self.encoding.slice(&slice, out);
        });
        for wait in stay.waits {
            self.wait(track, wait, out);
        }
    }

    fn sample(&mut self, sample: &Sample, out: &mut Vec<u8>) {
        let track = Track::of_counter(sample.sm, sample.counter);
        let new = self.is_new(track);
        if new {
            self.process(sample.sm, out);
        }
        let Some((name, unit)) = self.counters.get(sample.counter as usize) else {
            return;
        };
        if new {
            self.encoding.counter(track, name, unit, out);
        }
        self.encoding.value(track, name, unit, sample.time, sample.value, out);
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        self.encoding.end(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::instruction::tests::instruction;

    /// An encoding that writes nothing.
    struct Silent;

    impl Encoding for Silent {
        fn begin(&mut self, _: &About, _: &mut Vec<u8>) {}
        fn process(&mut self, _: u32, _: &str, _: &mut Vec<u8>) {}
        fn track(&mut self, _: Track, _: &str, _: &mut Vec<u8>) {}
        fn counter(&mut self, _: Track, _: &str, _: &'static str, _: &mut Vec<u8>) {}
        fn slice(&mut self, _: &Slice, _: &mut Vec<u8>) {}
        fn value(&mut self, _: Track, _: &str, _: &'static str, _: u64, _: f64, _: &mut Vec<u8>) {}
        fn end(&mut self, _: &mut Vec<u8>) {}
    }

    #[test]
    fn tracks_have_unique_numbers() {
        let tracks =
            (0..4).flat_map(|sm| (0..33).flat_map(move |slot| (0..3).map(move |lane| Track { sm, slot, lane })));
        let mut ids: Vec<u32> = tracks.map(Track::id).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        assert!(ids.iter().all(|id| *id > 1000), "no process has such a number");
        let counter = Track::of_counter(0, Counter::Warps);
        assert!(counter.slot >= SLOTS && counter.parent().is_none());
        assert_eq!(Track::of_warp(1, 2, 3).parent(), Some(Track::of_warp(1, 2, 0)));
    }

    #[test]
    fn sequential_instructions_share_a_track() {
        let mut tracks = Tracks::new(Silent, Unit::Cycles);
        let lanes: Vec<u32> = [(0, 10), (5, 12), (10, 20), (11, 13), (12, 30)]
            .into_iter()
            .map(|(begin, end)| tracks.lane(&instruction(0, "RET", begin, end)).0)
            .collect();
        assert_eq!(lanes, [1, 2, 1, 3, 2]);
    }
}
