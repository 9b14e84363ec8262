//! Chrome's trace events: an object with a list of events in JSON, one per line. Times are in microseconds, so a unit
//! of the run, shown as a nanosecond, is 0.001.

use crate::timeline::formats::format::About;
use crate::timeline::formats::text::number;
use crate::timeline::formats::tracks::{Argument, Encoding, Slice, Track};
use serde_json::{json, Value};
use std::fmt::Display;

/// Units of the run in a microsecond.
const PER_MICROSECOND: u64 = 1000;

/// The encoder.
#[derive(Default)]
pub(in crate::timeline) struct Chrome {
    /// True after the first event: the next one needs a comma.
    follows: bool,
}

/// Appends a time in microseconds with the fewest digits.
fn microseconds(out: &mut Vec<u8>, time: u64) {
    number(out, time / PER_MICROSECOND);
    let [a, b, c] = [time / 100 % 10, time / 10 % 10, time % 10].map(|digit| b'0' + digit as u8);
    let digits = [b'.', a, b, c];
    let count = if c != b'0' {
        4
    } else if b != b'0' {
        3
    } else {
        2
    };
    out.extend_from_slice(&digits[..count]);
}

/// Appends a text as a JSON string. Our texts rarely need an escape.
fn text(out: &mut Vec<u8>, text: &str) {
    let plain = |byte: u8| (byte >= b' ') & (byte != b'"') & (byte != b'\\');
    // All bytes are checked: a loop without an early exit is vectorised.
    if text.bytes().fold(true, |all, byte| all & plain(byte)) {
        quoted(out, text);
    } else {
        added(out, Value::from(text));
    }
}

/// Appends a text that needs no escape.
fn quoted(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// Appends a value that is too rare to need a fast path.
fn added(out: &mut Vec<u8>, value: impl Display) {
    out.extend_from_slice(value.to_string().as_bytes());
}

impl Argument<'_> {
    fn json(&self, out: &mut Vec<u8>) {
        match self {
            Argument::Number(value) => number(out, *value),
            Argument::Text(value) => text(out, value),
            Argument::Mask(_) | Argument::Address(_) => {
                out.push(b'"');
                self.write(out);
                out.push(b'"');
            }
        }
    }
}

impl Chrome {
    fn next(&mut self, out: &mut Vec<u8>) {
        if self.follows {
            out.extend_from_slice(b",\n");
        }
        self.follows = true;
    }

    fn event(&mut self, event: Value, out: &mut Vec<u8>) {
        self.next(out);
        added(out, event);
    }

    /// Appends the name, or another property, of a process or a track.
    fn metadata(&mut self, what: &str, process: u32, track: u32, args: Value, out: &mut Vec<u8>) {
        let event = json!({"ph": "M", "pid": process, "tid": track, "name": what, "args": args});
        self.event(event, out);
    }

    /// Appends an end of an arrow, which is bound to the slice around it.
    fn arrow_end(&mut self, phase: u8, id: u64, slice: &Slice, out: &mut Vec<u8>) {
        self.next(out);
        out.extend_from_slice(b"{\"ph\":\"");
        out.push(phase);
        out.extend_from_slice(b"\",\"bp\":\"e\",\"id\":");
        number(out, id);
        place(out, slice);
        // Viewers match the two ends of an arrow by name and number.
        out.extend_from_slice(b",\"cat\":\"arrow\",\"name\":\"first use\"}");
    }
}

/// Appends a slice's track and its beginning.
fn place(out: &mut Vec<u8>, slice: &Slice) {
    out.extend_from_slice(b",\"pid\":");
    number(out, slice.track.process().into());
    out.extend_from_slice(b",\"tid\":");
    number(out, slice.track.id().into());
    out.extend_from_slice(b",\"ts\":");
    microseconds(out, slice.begin);
}

impl Encoding for Chrome {
    fn begin(&mut self, about: &About, out: &mut Vec<u8>) {
        let other = json!({
            "kernel": about.title,
            "machine": about.machine,
            "unit": format!("1 ns = 1 {}", about.unit),
        });
        let head = format!("{{\"displayTimeUnit\":\"ns\",\"otherData\":{other},\"traceEvents\":[\n");
        out.extend_from_slice(head.as_bytes());
    }

    fn process(&mut self, process: u32, name: &str, out: &mut Vec<u8>) {
        self.metadata("process_name", process, 0, json!({ "name": name }), out);
        self.metadata("process_sort_index", process, 0, json!({ "sort_index": process }), out);
    }

    fn track(&mut self, track: Track, name: &str, out: &mut Vec<u8>) {
        let (process, id) = (track.process(), track.id());
        self.metadata("thread_name", process, id, json!({ "name": name }), out);
        self.metadata("thread_sort_index", process, id, json!({ "sort_index": id }), out);
    }

    /// Writes nothing: a counter is identified by its name in the process.
    fn counter(&mut self, _: Track, _: &str, _: &'static str, _: &mut Vec<u8>) {}

    fn slice(&mut self, slice: &Slice, out: &mut Vec<u8>) {
        self.next(out);
        out.extend_from_slice(b"{\"ph\":\"X\"");
        place(out, slice);
        out.extend_from_slice(b",\"dur\":");
        microseconds(out, slice.end.saturating_sub(slice.begin));
        out.extend_from_slice(b",\"cat\":");
        quoted(out, slice.category);
        out.extend_from_slice(b",\"name\":");
        text(out, slice.name);
        out.extend_from_slice(b",\"args\":{");
        let mut names = slice.arguments.iter();
        // The first name has no comma before it.
        if let Some((name, argument)) = names.next() {
            out.extend_from_slice(&name.json.as_bytes()[1..]);
            argument.json(out);
        }
        for (name, argument) in names {
            out.extend_from_slice(name.json.as_bytes());
            argument.json(out);
        }
        out.extend_from_slice(b"}}");
        if let Some(arrow) = slice.arrow {
            self.arrow_end(b's', arrow, slice, out);
        }
        for &arrow in slice.arrows {
            self.arrow_end(b'f', arrow, slice, out);
        }
    }

    fn value(&mut self, track: Track, name: &str, unit: &'static str, time: u64, value: f64, out: &mut Vec<u8>) {
        let microseconds = time as f64 / PER_MICROSECOND as f64;
        let event = json!({
            "ph": "C", "pid": track.process(), "ts": microseconds, "name": name, "args": { unit: value },
        });
        self.event(event, out);
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\n]}\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_the_shortest_numbers() {
        for time in [
            0,
            1,
            10,
            12,
            100,
            120,
            123,
            999,
            1000,
            1001,
            1010,
            1100,
            64_969,
            1 << 40,
        ] {
            let mut out = Vec::new();
            microseconds(&mut out, time);
            let expected = Value::from(time as f64 / 1000.0).to_string();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn texts_are_escaped_where_they_must_be() {
        for value in ["", "IADD R1, R2", "a \"b\"", "a\\b", "a\nb", "\u{7f}\u{e9}"] {
            let mut out = Vec::new();
            text(&mut out, value);
            assert_eq!(String::from_utf8(out).unwrap(), Value::from(value).to_string());
        }
    }
}
