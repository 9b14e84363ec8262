//! Finds the first record in which a faulty machine differs, from the events of both machines in the same cycle.

use flexgrip_engines::files::program::instruction_text;
use flexgrip_faults::FirstRecord;
use flexgrip_machine::trace::Event;
use rustc_hash::FxHashMap;
use std::mem::discriminant;

/// An instruction in flight.
#[derive(Clone, Copy)]
struct Issued {
    warp: u32,
    pc: u32,
    word: u64,
}

/// Instructions in flight in the good machine, by SM and tag.
#[derive(Default)]
pub(super) struct InFlight {
    issued: FxHashMap<(u32, u16), Issued>,
}

/// The difference between the events of a cycle.
pub(super) enum EventDifference {
    /// The events are equal.
    None,
    /// One machine has an event that the other lacks, so later events no longer correspond.
    Time,
    /// An instruction has a different effect; `None` if the instruction is unknown.
    Record(Option<FirstRecord>),
}

impl InFlight {
    pub fn note(&mut self, events: &[(u32, Event)]) {
        for (sm, event) in events {
            if let Event::Issue(issue) = event {
                let issued = Issued {
                    warp: issue.warp,
                    pc: issue.pc,
                    word: issue.word,
                };
                self.issued.insert((*sm, issue.tag), issued);
            }
        }
    }

    /// Compares the events of a cycle.
    pub fn compare(&self, cycle: u64, lanes: u32, good: &[(u32, Event)], faulty: &[(u32, Event)]) -> EventDifference {
        if good == faulty {
            return EventDifference::None;
        }
        let is_same = |(a, b): (&(u32, Event), &(u32, Event))| a.0 == b.0 && discriminant(&a.1) == discriminant(&b.1);
        if good.len() != faulty.len() || !good.iter().zip(faulty).all(is_same) {
            return EventDifference::Time;
        }
        let pairs = good.iter().zip(faulty).filter(|(good, faulty)| good != faulty);
        let mut pairs = pairs.map(|((sm, good), (_, faulty))| (sm, significant(good), significant(faulty)));
        let Some((sm, good, faulty)) = pairs.find(|(_, good, faulty)| good != faulty) else {
            return EventDifference::None;
        };
        let place = place(&good, &faulty, lanes);
        EventDifference::Record(place.and_then(|(tag, thread)| {
            let issued = self.issued.get(&(*sm, tag))?;
            Some(FirstRecord {
                cycle,
                sm: *sm,
                warp: issued.warp,
                pc: issued.pc.into(),
                instruction: instruction_text(issued.word),
                thread,
            })
        }))
    }
}

/// Clears fields without a meaning: inactive lanes, and registers that are not written.
fn significant(event: &Event) -> Event {
    let mut event = event.clone();
    fn clear<T: Default + Copy>(values: &mut [T; 32], lanes: u32) {
        let unused = values.iter_mut().enumerate().filter(|(lane, _)| lanes >> lane & 1 == 0);
        unused.for_each(|(_, value)| *value = T::default());
    }
    match &mut event {
        Event::Write(write) => {
            clear(
                &mut write.data,
                if write.register_enable || write.address_enable {
                    write.lanes
                } else {
                    0
                },
            );
            clear(
                &mut write.condition,
                if write.condition_enable { write.lanes } else { 0 },
            );
            write.register = if write.register_enable { write.register } else { 0 };
        }
        Event::Memory(access) => {
            clear(&mut access.address, access.lanes);
            clear(&mut access.data, if access.store { access.lanes } else { 0 });
        }
        Event::Increment(increment) => clear(&mut increment.data, increment.lanes),
        _ => {}
    }
    event
}

/// The tag of the good machine's event, and the first thread with a difference.
fn place(good: &Event, faulty: &Event, lanes: u32) -> Option<(u16, Option<u32>)> {
    let thread = |beat: u32, differs: &dyn Fn(usize) -> bool| {
        let lane = (0..lanes).find(|lane| differs(*lane as usize));
        lane.map(|lane| beat * lanes + lane)
    };
    Some(match (good, faulty) {
        (Event::Mask(good), Event::Mask(faulty)) => {
            let differing = (good.executed ^ faulty.executed) | (good.active ^ faulty.active);
            (good.tag, (differing != 0).then(|| differing.trailing_zeros()))
        }
        (Event::Write(good), Event::Write(faulty)) => {
            let differs =
                |lane: usize| good.data[lane] != faulty.data[lane] || good.condition[lane] != faulty.condition[lane];
            (good.tag, thread(good.beat, &differs))
        }
        (Event::Memory(good), Event::Memory(faulty)) => {
            let differs =
                |lane: usize| good.address[lane] != faulty.address[lane] || good.data[lane] != faulty.data[lane];
            (good.tag, thread(good.beat, &differs))
        }
        (Event::Increment(good), Event::Increment(faulty)) => {
            let differs = |lane: usize| good.data[lane] != faulty.data[lane];
            (good.tag, thread(good.beat, &differs))
        }
        (Event::Issue(good), _) => (good.tag, None),
        (Event::Shared(good), _) => (good.tag, None),
        (Event::Stack(good), _) => (good.tag, None),
        (Event::Next(good), _) => (good.tag, None),
        _ => return None,
    })
}
