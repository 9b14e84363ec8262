//! Perfetto's own format: packets of protocol buffers. A unit of the run is a nanosecond.

use crate::timeline::format::About;
use crate::timeline::formats::messages::*;
use crate::timeline::formats::tracks::{Encoding, Slice, Track};
use crate::timeline::output::Output;
use prost::Message;
use std::collections::HashMap;
use std::io::{self, Write};

/// The field of a packet in a trace, which is nothing but packets.
const PACKET: u8 = 1 << 3 | 2;
/// All packets are of one sequence.
const SEQUENCE: u32 = 1;

/// Names that have a number.
#[derive(Default)]
struct Names(HashMap<String, u64>);

impl Names {
    /// The name's number. A new one is added to `new`.
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

/// Names of arguments that have a number. There are a dozen, so they are looked through.
#[derive(Default)]
struct ArgumentNames(Vec<&'static str>);

impl ArgumentNames {
    /// As [`Names::number`].
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

/// Writes packets.
#[derive(Default)]
pub(in crate::timeline) struct Perfetto {
    begun: bool,
    categories: Names,
    names: Names,
    annotations: ArgumentNames,
    buffer: Vec<u8>,
}

fn uuid(track: Track) -> Option<u64> {
    Some(track.id().into())
}

impl Perfetto {
    fn packet(&mut self, mut packet: TracePacket, out: &mut Output) -> io::Result<()> {
        packet.trusted_packet_sequence_id = Some(SEQUENCE);
        packet.sequence_flags = Some(if self.begun {
            NEEDS_INCREMENTAL_STATE
        } else {
            INCREMENTAL_STATE_CLEARED | NEEDS_INCREMENTAL_STATE
        });
        self.begun = true;
        self.buffer.clear();
        self.buffer.push(PACKET);
        packet
            .encode_length_delimited(&mut self.buffer)
            .map_err(io::Error::other)?;
        out.write_all(&self.buffer)
    }

    fn descriptor(&mut self, descriptor: TrackDescriptor, out: &mut Output) -> io::Result<()> {
        let packet = TracePacket {
            track_descriptor: Some(descriptor),
            ..TracePacket::default()
        };
        self.packet(packet, out)
    }

    fn event(&mut self, time: u64, event: TrackEvent, new: InternedData, out: &mut Output) -> io::Result<()> {
        let packet = TracePacket {
            timestamp: Some(time),
            track_event: Some(event),
            interned_data: (new != InternedData::default()).then_some(new),
            ..TracePacket::default()
        };
        self.packet(packet, out)
    }
}

impl Encoding for Perfetto {
    fn begin(&mut self, _: &About, _: &mut Output) -> io::Result<()> {
        // What runs and the unit are in the processes' names: the format has no title.
        Ok(())
    }

    fn process(&mut self, process: u32, name: &str, out: &mut Output) -> io::Result<()> {
        let descriptor = TrackDescriptor {
            uuid: Some(process.into()),
            process: Some(ProcessDescriptor {
                pid: Some(process as i32),
                process_name: Some(name.into()),
            }),
            ..TrackDescriptor::default()
        };
        self.descriptor(descriptor, out)
    }

    fn track(&mut self, track: Track, name: &str, out: &mut Output) -> io::Result<()> {
        let descriptor = match track.parent() {
            None => TrackDescriptor {
                uuid: uuid(track),
                parent_uuid: Some(track.process().into()),
                thread: Some(ThreadDescriptor {
                    pid: Some(track.process() as i32),
                    tid: Some(track.id().into()),
                    thread_name: Some(name.into()),
                }),
                ..TrackDescriptor::default()
            },
            // Tracks of one name are shown as one.
            Some(parent) => TrackDescriptor {
                uuid: uuid(track),
                parent_uuid: uuid(parent),
                name: Some(name.into()),
                ..TrackDescriptor::default()
            },
        };
        self.descriptor(descriptor, out)
    }

    fn counter(&mut self, track: Track, name: &str, unit: &'static str, out: &mut Output) -> io::Result<()> {
        let descriptor = TrackDescriptor {
            uuid: uuid(track),
            parent_uuid: Some(track.process().into()),
            name: Some(name.into()),
            counter: Some(CounterDescriptor {
                unit_name: Some(unit.into()),
            }),
            ..TrackDescriptor::default()
        };
        self.descriptor(descriptor, out)
    }

    fn slice(&mut self, slice: &Slice, out: &mut Output) -> io::Result<()> {
        let mut new = InternedData::default();
        let mut annotations = Vec::with_capacity(slice.arguments.len());
        for (name, argument) in slice.arguments {
            let number = argument.number();
            annotations.push(DebugAnnotation {
                name_iid: Some(self.annotations.number(name, &mut new.debug_annotation_names)),
                uint_value: number,
                string_value: number.is_none().then(|| argument.to_string()),
            });
        }
        let begin = TrackEvent {
            category_iids: vec![self.categories.number(slice.category, &mut new.event_categories)],
            debug_annotations: annotations,
            r#type: Some(EventType::SliceBegin.into()),
            name_iid: Some(self.names.number(slice.name, &mut new.event_names)),
            track_uuid: uuid(slice.track),
            flow_ids: slice.arrow.into_iter().collect(),
            terminating_flow_ids: slice.arrows.to_vec(),
            ..TrackEvent::default()
        };
        self.event(slice.begin, begin, new, out)?;
        let end = TrackEvent {
            r#type: Some(EventType::SliceEnd.into()),
            track_uuid: uuid(slice.track),
            ..TrackEvent::default()
        };
        self.event(slice.end, end, InternedData::default(), out)
    }

    fn value(
        &mut self,
        track: Track,
        _: &str,
        _: &'static str,
        time: u64,
        value: f64,
        out: &mut Output,
    ) -> io::Result<()> {
        let event = TrackEvent {
            r#type: Some(EventType::Counter.into()),
            track_uuid: uuid(track),
            double_counter_value: Some(value),
            ..TrackEvent::default()
        };
        self.event(time, event, InternedData::default(), out)
    }

    fn end(&mut self, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
}
