//! Perfetto's own format: packets of protocol buffers. A unit of the run is a nanosecond.

use crate::timeline::formats::format::About;
use crate::timeline::formats::messages::*;
use crate::timeline::formats::tracks::{Argument, Encoding, Name, Slice, Track};
use prost::encoding::{encode_key, encode_varint, encoded_len_varint, WireType};
use prost::Message;
use rustc_hash::FxHashMap;

/// The field of a packet in a trace, the trace's only field.
const PACKET: u32 = 1;
/// The sequence that all packets belong to.
const SEQUENCE: u32 = 1;

/// Interned names.
#[derive(Default)]
struct Names(FxHashMap<String, u64>);

impl Names {
    /// The name's number. A new name is added to `new`.
    fn number(&mut self, name: &str, new: &mut Vec<InternedName>) -> u64 {
        if let Some(number) = self.0.get(name) {
            return *number;
        }
        let number = self.0.len() as u64 + 1;
        self.0.insert(name.into(), number);
        new.push(InternedName {
            iid: Some(number),
            name: Some(name.into()),
        });
        number
    }
}

/// Interned names, about a dozen, for which a linear search is fastest.
#[derive(Default)]
struct FewNames(Vec<&'static str>);

impl FewNames {
    /// Returns the name's number like [`Names::number`].
    fn number(&mut self, name: &'static str, new: &mut Vec<InternedName>) -> u64 {
        if let Some(at) = self.0.iter().position(|known| *known == name) {
            return at as u64 + 1;
        }
        self.0.push(name);
        let number = self.0.len() as u64;
        new.push(InternedName {
            iid: Some(number),
            name: Some(name.into()),
        });
        number
    }
}

/// The encoder.
#[derive(Default)]
pub(in crate::timeline) struct Perfetto {
    begun: bool,
    categories: FewNames,
    names: Names,
    annotations: FewNames,
    /// The current event, kept to reuse its memory.
    event: Vec<u8>,
}

fn uuid(track: Track) -> u64 {
    track.id().into()
}

/// Appends a varint field.
fn number(out: &mut Vec<u8>, field: u32, value: u64) {
    encode_key(field, WireType::Varint, out);
    encode_varint(value, out);
}

/// Appends a fixed 64-bit field.
fn fixed(out: &mut Vec<u8>, field: u32, value: u64) {
    encode_key(field, WireType::SixtyFourBit, out);
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends a field with bytes: a message, or text.
fn bytes(out: &mut Vec<u8>, field: u32, value: &[u8]) {
    encode_key(field, WireType::LengthDelimited, out);
    encode_varint(value.len() as u64, out);
    out.extend_from_slice(value);
}

impl Perfetto {
    fn flags(&mut self) -> u32 {
        if std::mem::replace(&mut self.begun, true) {
            NEEDS_INCREMENTAL_STATE
        } else {
            INCREMENTAL_STATE_CLEARED | NEEDS_INCREMENTAL_STATE
        }
    }

    fn packet(&mut self, mut packet: TracePacket, out: &mut Vec<u8>) {
        packet.trusted_packet_sequence_id = Some(SEQUENCE);
        packet.sequence_flags = Some(self.flags());
        bytes(out, PACKET, &packet.encode_to_vec());
    }

    fn descriptor(&mut self, descriptor: TrackDescriptor, out: &mut Vec<u8>) {
        let packet = TracePacket {
            track_descriptor: Some(descriptor),
            ..TracePacket::default()
        };
        self.packet(packet, out);
    }

    /// Appends a packet with the event in `self.event`, and its new names.
    fn event(&mut self, time: u64, new: &InternedData, out: &mut Vec<u8>) {
        let flags = self.flags();
        // The keys of these fields have one byte.
        let field = |length: usize| 1 + encoded_len_varint(length as u64) + length;
        let new = (*new != InternedData::default()).then(|| new.encode_to_vec());
        let length = (1 + encoded_len_varint(time))
            + (1 + encoded_len_varint(SEQUENCE.into()))
            + field(self.event.len())
            + new.as_ref().map_or(0, |new| field(new.len()))
            + (1 + encoded_len_varint(flags.into()));
        encode_key(PACKET, WireType::LengthDelimited, out);
        encode_varint(length as u64, out);
        number(out, packet::TIMESTAMP, time);
        number(out, packet::TRUSTED_PACKET_SEQUENCE_ID, SEQUENCE.into());
        bytes(out, packet::TRACK_EVENT, &self.event);
        if let Some(new) = new {
            bytes(out, packet::INTERNED_DATA, &new);
        }
        number(out, packet::SEQUENCE_FLAGS, flags.into());
    }

    /// Appends an argument of a slice to `self.event`.
    fn annotate(&mut self, name: &Name, argument: &Argument, new: &mut InternedData) {
        let name = self.annotations.number(name.plain, &mut new.debug_annotation_names);
        let event = &mut self.event;
        encode_key(track_event::DEBUG_ANNOTATIONS, WireType::LengthDelimited, event);
        delimited(event, |event| {
            number(event, annotation::NAME_IID, name);
            if let Argument::Number(value) = *argument {
                number(event, annotation::UINT_VALUE, value);
            } else {
                encode_key(annotation::STRING_VALUE, WireType::LengthDelimited, event);
                delimited(event, |event| argument.write(event));
            }
        });
    }
}

/// Appends the output of `add` with its length before it.
fn delimited(out: &mut Vec<u8>, add: impl FnOnce(&mut Vec<u8>)) {
    // Most lengths have one byte.
    let at = out.len();
    out.push(0);
    add(out);
    let length = out.len() - at - 1;
    if length < 128 {
        out[at] = length as u8;
    } else {
        let mut longer = Vec::new();
        encode_varint(length as u64, &mut longer);
        out.splice(at..=at, longer);
    }
}

impl Encoding for Perfetto {
    fn begin(&mut self, _: &About, _: &mut Vec<u8>) {
        // The kernel and the unit of time are in the processes' names: the format has no title.
    }

    fn process(&mut self, process: u32, name: &str, out: &mut Vec<u8>) {
        let descriptor = TrackDescriptor {
            uuid: Some(process.into()),
            process: Some(ProcessDescriptor {
                pid: Some(process as i32),
                process_name: Some(name.into()),
            }),
            ..TrackDescriptor::default()
        };
        self.descriptor(descriptor, out);
    }

    fn track(&mut self, track: Track, name: &str, out: &mut Vec<u8>) {
        let descriptor = match track.parent() {
            None => TrackDescriptor {
                uuid: Some(uuid(track)),
                parent_uuid: Some(track.process().into()),
                thread: Some(ThreadDescriptor {
                    pid: Some(track.process() as i32),
                    tid: Some(track.id().into()),
                    thread_name: Some(name.into()),
                }),
                ..TrackDescriptor::default()
            },
            // Tracks with the same name are shown as one.
            Some(parent) => TrackDescriptor {
                uuid: Some(uuid(track)),
                parent_uuid: Some(uuid(parent)),
                name: Some(name.into()),
                ..TrackDescriptor::default()
            },
        };
        self.descriptor(descriptor, out);
    }

    fn counter(&mut self, track: Track, name: &str, unit: &'static str, out: &mut Vec<u8>) {
        let descriptor = TrackDescriptor {
            uuid: Some(uuid(track)),
            parent_uuid: Some(track.process().into()),
            name: Some(name.into()),
            counter: Some(CounterDescriptor {
                unit_name: Some(unit.into()),
            }),
            ..TrackDescriptor::default()
        };
        self.descriptor(descriptor, out);
    }

    fn slice(&mut self, slice: &Slice, out: &mut Vec<u8>) {
        let mut new = InternedData::default();
        self.event.clear();
        let category = self.categories.number(slice.category, &mut new.event_categories);
        number(&mut self.event, track_event::CATEGORY_IIDS, category);
        for (name, argument) in slice.arguments {
            self.annotate(name, argument, &mut new);
        }
        let name = self.names.number(slice.name, &mut new.event_names);
        let event = &mut self.event;
        number(event, track_event::TYPE, EventType::SliceBegin as u64);
        number(event, track_event::NAME_IID, name);
        number(event, track_event::TRACK_UUID, uuid(slice.track));
        if let Some(arrow) = slice.arrow {
            fixed(event, track_event::FLOW_IDS, arrow);
        }
        for &arrow in slice.arrows {
            fixed(event, track_event::TERMINATING_FLOW_IDS, arrow);
        }
        self.event(slice.begin, &new, out);
        self.event.clear();
        number(&mut self.event, track_event::TYPE, EventType::SliceEnd as u64);
        number(&mut self.event, track_event::TRACK_UUID, uuid(slice.track));
        self.event(slice.end, &InternedData::default(), out);
    }

    fn value(&mut self, track: Track, _: &str, _: &'static str, time: u64, value: f64, out: &mut Vec<u8>) {
        let event = TrackEvent {
            r#type: Some(EventType::Counter.into()),
            track_uuid: Some(uuid(track)),
            double_counter_value: Some(value),
        };
        let packet = TracePacket {
            timestamp: Some(time),
            track_event: Some(event),
            ..TracePacket::default()
        };
        self.packet(packet, out);
    }

    fn end(&mut self, _: &mut Vec<u8>) {}
}
