//! Strict readers of both encodings of traces. Both replay the events in the order of time, as Perfetto does: the
//! slices of a track form a stack.

use serde_json::Value;
use std::collections::BTreeMap;

/// A slice.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    pub track: u64,
    pub begin: u64,
    pub end: u64,
    pub category: String,
    pub name: String,
    pub arguments: BTreeMap<String, String>,
    /// The number of slices of the track that contain it.
    pub depth: usize,
}

/// The contents that a viewer shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The names of processes, by number.
    pub processes: BTreeMap<u64, String>,
    /// The process and the name of each track.
    pub tracks: BTreeMap<u64, (u64, String)>,
    /// The slices in the order of their starts.
    pub slices: Vec<Slice>,
    /// The values of counters: process, counter, time, value.
    pub values: Vec<(u64, String, u64, f64)>,
    /// Each arrow by its number, as the indices of two slices.
    pub arrows: BTreeMap<u64, (usize, usize)>,
}

/// The state of replaying slices and arrows.
#[derive(Default)]
struct Player {
    trace: Trace,
    open: BTreeMap<u64, Vec<usize>>,
    starts: BTreeMap<u64, usize>,
}

impl Player {
    /// The innermost open slice.
    fn top(&self, track: u64) -> Option<usize> {
        self.open.get(&track).and_then(|open| open.last().copied())
    }

    fn push(&mut self, slice: Slice) -> usize {
        assert!(
            self.trace.tracks.contains_key(&slice.track),
            "an unknown track: {slice:?}"
        );
        let open = self.open.entry(slice.track).or_default();
        let at = self.trace.slices.len();
        let depth = open.len();
        open.push(at);
        self.trace.slices.push(Slice { depth, ..slice });
        at
    }

    fn pop(&mut self, track: u64, time: u64) {
        let at = self.open.get_mut(&track).and_then(Vec::pop).expect("an open slice");
        let slice = &mut self.trace.slices[at];
        assert!(slice.begin < time, "a slice without duration: {slice:?}");
        slice.end = time;
    }

    fn arrow_starts(&mut self, arrow: u64, at: usize) {
        assert_eq!(self.starts.insert(arrow, at), None, "arrow {arrow} starts twice");
    }

    fn arrow_ends(&mut self, arrow: u64, at: usize) {
        let start = *self.starts.get(&arrow).expect("an arrow's start");
        assert_eq!(
            self.trace.arrows.insert(arrow, (start, at)),
            None,
            "arrow {arrow} ends twice"
        );
    }

    fn finish(self) -> Trace {
        assert!(self.open.values().all(Vec::is_empty), "a slice that does not end");
        // Values of a counter must be in the order of time, and consecutive ones must differ.
        let mut last: BTreeMap<(u64, &str), (u64, f64)> = BTreeMap::new();
        for (process, name, time, value) in &self.trace.values {
            if let Some((before, old)) = last.insert((*process, name), (*time, *value)) {
                assert!(
                    before < *time && old != *value,
                    "{name}: {old} at {before}, {value} at {time}"
                );
            }
        }
        self.trace
    }
}

/// Nanoseconds from a number of microseconds with at most three decimal places.
fn nanoseconds(value: &Value) -> u64 {
    let microseconds = value.as_f64().expect("a time");
    let time = (microseconds * 1000.0).round();
    assert!((microseconds * 1000.0 - time).abs() < 1e-3, "{value}");
    time as u64
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

/// Reads Chrome's trace events. Also returns the object that contains them.
#[track_caller]
pub fn chrome(bytes: &[u8]) -> (Trace, Value) {
    let mut file: Value = serde_json::from_slice(bytes).expect("JSON");
    let Value::Array(mut events) = file["traceEvents"].take() else {
        panic!("no traceEvents")
    };
    assert_eq!(file["displayTimeUnit"], "ns");
    let mut player = Player::default();
    events.retain(|event| {
        let (process, track) = (event["pid"].as_u64().unwrap(), event["tid"].as_u64());
        let name = || event["args"]["name"].as_str().unwrap().to_string();
        match (event["ph"].as_str().unwrap(), event["name"].as_str().unwrap()) {
            ("M", "process_name") => {
                assert_eq!(player.trace.processes.insert(process, name()), None);
            }
            ("M", "thread_name") => {
                let track = track.unwrap();
                assert!(player.trace.processes.contains_key(&process));
                assert_eq!(player.trace.tracks.insert(track, (process, name())), None);
            }
            ("M", "process_sort_index" | "thread_sort_index") => {}
            ("M", other) => panic!("metadata {other}"),
            _ => return true,
        }
        false
    });
    // A stable sort: events with the same time keep their order.
    events.sort_by_key(|event| nanoseconds(&event["ts"]));
    for event in &events {
        let time = nanoseconds(&event["ts"]);
        let process = event["pid"].as_u64().unwrap();
        if event["ph"] == "C" {
            let arguments = event["args"].as_object().unwrap();
            assert_eq!(arguments.len(), 1, "{event}");
            let value = arguments.values().next().and_then(Value::as_f64).unwrap();
            player.trace.values.push((process, text(&event["name"]), time, value));
            continue;
        }
        let track = event["tid"].as_u64().unwrap();
        assert_eq!(player.trace.tracks[&track].0, process, "{event}");
        while let Some(top) = player.top(track).filter(|&top| player.trace.slices[top].end <= time) {
            let end = player.trace.slices[top].end;
            player.pop(track, end);
        }
        match event["ph"].as_str().unwrap() {
            "X" => {
                let end = time + nanoseconds(&event["dur"]);
                if let Some(top) = player.top(track) {
                    let outer = &player.trace.slices[top];
                    assert!(end <= outer.end, "{event} is not within {outer:?}");
                }
                let arguments = event["args"].as_object().unwrap();
                player.push(Slice {
                    track,
                    begin: time,
                    end,
                    category: text(&event["cat"]),
                    name: text(&event["name"]),
                    arguments: arguments
                        .iter()
                        .map(|(name, value)| (name.clone(), text(value)))
                        .collect(),
                    depth: 0,
                });
            }
            ph @ ("s" | "f") => {
                assert_eq!((&event["bp"], &event["cat"]), (&"e".into(), &"arrow".into()));
                let around = player.top(track).expect("a slice around an arrow's end");
                let arrow = event["id"].as_u64().unwrap();
                match ph {
                    "s" => player.arrow_starts(arrow, around),
                    _ => player.arrow_ends(arrow, around),
                }
            }
            other => panic!("the event {other}"),
        }
    }
    let open: Vec<u64> = player.open.keys().copied().collect();
    for track in open {
        while let Some(top) = player.top(track) {
            let end = player.trace.slices[top].end;
            player.pop(track, end);
        }
    }
    (player.finish(), file)
}

/// A field of a protocol buffer.
#[derive(Clone, Copy, Debug)]
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Field<'a> {
    #[track_caller]
    fn number(self) -> u64 {
        match self {
            Field::Number(number) => number,
            Field::Bytes(_) => panic!("bytes for a number"),
        }
    }

    #[track_caller]
    fn bytes(self) -> &'a [u8] {
        match self {
            Field::Bytes(bytes) => bytes,
            Field::Number(_) => panic!("a number for bytes"),
        }
    }

    #[track_caller]
    fn text(self) -> String {
        String::from_utf8(self.bytes().to_vec()).unwrap()
    }
}

/// The fields of a message, by number.
struct Message<'a>(Vec<(u64, Field<'a>)>);

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first().expect("a number's end");
        *bytes = rest;
        value |= u64::from(byte & 127) << shift;
        if byte & 128 == 0 {
            return value;
        }
    }
    panic!("a number of more than 64 bits")
}

impl<'a> Message<'a> {
    fn read(mut bytes: &'a [u8]) -> Self {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let key = varint(&mut bytes);
            let field = match key & 7 {
                0 => Field::Number(varint(&mut bytes)),
                1 => {
                    let (number, rest) = bytes.split_at(8);
                    bytes = rest;
                    Field::Number(u64::from_le_bytes(number.try_into().unwrap()))
                }
                2 => {
                    let length = varint(&mut bytes) as usize;
                    let (inner, rest) = bytes.split_at(length);
                    bytes = rest;
                    Field::Bytes(inner)
                }
                other => panic!("the wire type {other}"),
            };
            fields.push((key >> 3, field));
        }
        Message(fields)
    }

    fn all(&self, number: u64) -> impl Iterator<Item = Field<'a>> + '_ {
        self.0
            .iter()
            .filter(move |(field, _)| *field == number)
            .map(|(_, value)| *value)
    }

    fn one(&self, number: u64) -> Option<Field<'a>> {
        let mut all = self.all(number);
        let first = all.next();
        assert!(all.next().is_none(), "field {number} twice");
        first
    }

    fn message(&self, number: u64) -> Option<Message<'a>> {
        self.one(number).map(|field| Message::read(field.bytes()))
    }

    fn number(&self, number: u64) -> Option<u64> {
        self.one(number).map(Field::number)
    }

    /// A repeated number. Perfetto's reader refuses packed numbers where its schema does not declare them.
    #[track_caller]
    fn numbers(&self, number: u64) -> impl Iterator<Item = u64> + '_ {
        self.all(number).map(Field::number)
    }
}

/// Interned names by number, for categories, slices and arguments.
#[derive(Default)]
struct Interned([BTreeMap<u64, String>; 3]);

impl Interned {
    fn add(&mut self, data: &Message) {
        for (names, field) in self.0.iter_mut().zip(1..) {
            for name in data.all(field) {
                let name = Message::read(name.bytes());
                let new = names.insert(name.number(1).unwrap(), name.one(2).unwrap().text());
                assert_eq!(new, None, "a name's number is given twice");
            }
        }
    }
}

/// Reads Perfetto's packets.
#[track_caller]
pub fn perfetto(bytes: &[u8]) -> Trace {
    let mut player = Player::default();
    let mut counters: BTreeMap<u64, (u64, String)> = BTreeMap::new();
    let mut names = Interned::default();
    let mut events = Vec::new();
    for (packet, index) in Message::read(bytes).0.into_iter().zip(0..) {
        assert_eq!(packet.0, 1, "only packets");
        let packet = Message::read(packet.1.bytes());
        assert_eq!(packet.number(10), Some(1), "the sequence");
        assert_eq!(
            packet.number(13),
            Some(if index == 0 { 3 } else { 2 }),
            "the flags of packet {index}"
        );
        if let Some(data) = packet.message(12) {
            names.add(&data);
        }
        match (packet.message(60), packet.message(11)) {
            (Some(descriptor), None) => {
                describe(&descriptor, &mut player.trace, &mut counters);
            }
            (None, Some(event)) => events.push((packet.number(8).unwrap(), event)),
            _ => panic!("packet {index} is neither a track nor an event"),
        }
    }
    events.sort_by_key(|(time, _)| *time);
    for (time, event) in events {
        let track = event.number(11).unwrap();
        match event.number(9) {
            Some(1) => {
                let argument = |annotation: Field| {
                    let annotation = Message::read(annotation.bytes());
                    let value = match (annotation.number(3), annotation.one(6)) {
                        (Some(number), None) => number.to_string(),
                        (None, Some(text)) => text.text(),
                        _ => panic!("an argument without one value"),
                    };
                    (names.0[2][&annotation.number(1).unwrap()].clone(), value)
                };
                let category = event.number(3).unwrap();
                let at = player.push(Slice {
                    track,
                    begin: time,
                    end: time,
                    category: names.0[0][&category].clone(),
                    name: names.0[1][&event.number(10).unwrap()].clone(),
                    arguments: event.all(4).map(argument).collect(),
                    depth: 0,
                });
                event.numbers(47).for_each(|arrow| player.arrow_starts(arrow, at));
                event.numbers(48).for_each(|arrow| player.arrow_ends(arrow, at));
            }
            Some(2) => player.pop(track, time),
            Some(4) => {
                let (process, name) = counters[&track].clone();
                let value = f64::from_bits(event.number(44).unwrap());
                player.trace.values.push((process, name, time, value));
            }
            other => panic!("an event of the kind {other:?}"),
        }
    }
    player.finish()
}

/// Records a process, a track or a counter.
fn describe(descriptor: &Message, trace: &mut Trace, counters: &mut BTreeMap<u64, (u64, String)>) {
    let uuid = descriptor.number(1).unwrap();
    if let Some(process) = descriptor.message(3) {
        assert_eq!(process.number(1), Some(uuid));
        assert_eq!(trace.processes.insert(uuid, process.one(6).unwrap().text()), None);
        return;
    }
    let parent = descriptor.number(5).unwrap();
    if descriptor.message(8).is_some() {
        assert!(trace.processes.contains_key(&parent));
        let counter = (parent, descriptor.one(2).unwrap().text());
        assert_eq!(counters.insert(uuid, counter), None);
        return;
    }
    let (process, name) = match descriptor.message(4) {
        Some(thread) => {
            assert_eq!((thread.number(1), thread.number(2)), (Some(parent), Some(uuid)));
            (parent, thread.one(5).unwrap().text())
        }
        // A track below a warp's track.
        None => (trace.tracks[&parent].0, descriptor.one(2).unwrap().text()),
    };
    assert!(trace.processes.contains_key(&process));
    assert_eq!(trace.tracks.insert(uuid, (process, name)), None);
}
