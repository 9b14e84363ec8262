//! Chrome's trace events: an object with a list of events in JSON, one a line. Times are in microseconds, so a unit of
//! the run, shown as a nanosecond, is 0.001.

use crate::timeline::format::About;
use crate::timeline::formats::tracks::{Argument, Encoding, Slice, Track};
use crate::timeline::output::Output;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::json;
use std::io::{self, Write};

/// Units of the run to a microsecond.
const PER_MICROSECOND: f64 = 1000.0;

/// The name of arrows, by which a viewer finds their two ends.
const ARROW: &str = "first use";

/// Writes the list.
#[derive(Default)]
pub(in crate::timeline) struct Chrome {
    /// There is an event before the next one.
    follows: bool,
}

/// A slice.
#[derive(Serialize)]
struct Complete<'a> {
    ph: &'static str,
    pid: u32,
    tid: u32,
    ts: f64,
    dur: f64,
    cat: &'static str,
    name: &'a str,
    args: Arguments<'a>,
}

/// An end of an arrow: it belongs to the slice around it.
#[derive(Serialize)]
struct ArrowEnd {
    ph: &'static str,
    bp: &'static str,
    id: u64,
    pid: u32,
    tid: u32,
    ts: f64,
    cat: &'static str,
    name: &'static str,
}

/// A slice's arguments as an object.
struct Arguments<'a>(&'a [(&'static str, Argument<'a>)]);

impl Serialize for Arguments<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, argument) in self.0 {
            map.serialize_entry(name, argument)?;
        }
        map.end()
    }
}

impl Serialize for Argument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.number() {
            Some(number) => serializer.serialize_u64(number),
            None => serializer.collect_str(self),
        }
    }
}

fn microseconds(time: u64) -> f64 {
    time as f64 / PER_MICROSECOND
}

impl Chrome {
    fn event(&mut self, event: &impl Serialize, out: &mut Output) -> io::Result<()> {
        out.write_all(if self.follows { b",\n" } else { b"" })?;
        self.follows = true;
        Ok(serde_json::to_writer(out, event)?)
    }

    /// Gives a process or a track a name, or another property.
    fn metadata(
        &mut self,
        what: &str,
        process: u32,
        track: u32,
        args: serde_json::Value,
        out: &mut Output,
    ) -> io::Result<()> {
        let event = json!({"ph": "M", "pid": process, "tid": track, "name": what, "args": args});
        self.event(&event, out)
    }

    fn arrow_end(&mut self, ph: &'static str, id: u64, slice: &Slice, out: &mut Output) -> io::Result<()> {
        let event = ArrowEnd {
            ph,
            bp: "e",
            id,
            pid: slice.track.process(),
            tid: slice.track.id(),
            ts: microseconds(slice.begin),
            cat: "arrow",
            name: ARROW,
        };
        self.event(&event, out)
    }
}

impl Encoding for Chrome {
    fn begin(&mut self, about: &About, out: &mut Output) -> io::Result<()> {
        let other = json!({
            "kernel": about.title,
            "machine": about.machine,
            "unit": format!("1 ns = 1 {}", about.unit),
        });
        writeln!(
            out,
            "{{\"displayTimeUnit\":\"ns\",\"otherData\":{other},\"traceEvents\":["
        )
    }

    fn process(&mut self, process: u32, name: &str, out: &mut Output) -> io::Result<()> {
        self.metadata("process_name", process, 0, json!({ "name": name }), out)?;
        self.metadata("process_sort_index", process, 0, json!({ "sort_index": process }), out)
    }

    fn track(&mut self, track: Track, name: &str, out: &mut Output) -> io::Result<()> {
        let (process, id) = (track.process(), track.id());
        self.metadata("thread_name", process, id, json!({ "name": name }), out)?;
        self.metadata("thread_sort_index", process, id, json!({ "sort_index": id }), out)
    }

    /// A counter is known by its name in the process.
    fn counter(&mut self, _: Track, _: &str, _: &'static str, _: &mut Output) -> io::Result<()> {
        Ok(())
    }

    fn slice(&mut self, slice: &Slice, out: &mut Output) -> io::Result<()> {
        let event = Complete {
            ph: "X",
            pid: slice.track.process(),
            tid: slice.track.id(),
            ts: microseconds(slice.begin),
            dur: microseconds(slice.end.saturating_sub(slice.begin)),
            cat: slice.category,
            name: slice.name,
            args: Arguments(slice.arguments),
        };
        self.event(&event, out)?;
        if let Some(arrow) = slice.arrow {
            self.arrow_end("s", arrow, slice, out)?;
        }
        for &arrow in slice.arrows {
            self.arrow_end("f", arrow, slice, out)?;
        }
        Ok(())
    }

    fn value(
        &mut self,
        track: Track,
        name: &str,
        unit: &'static str,
        time: u64,
        value: f64,
        out: &mut Output,
    ) -> io::Result<()> {
        let event = json!({
            "ph": "C", "pid": track.process(), "ts": microseconds(time), "name": name, "args": { unit: value },
        });
        self.event(&event, out)
    }

    fn end(&mut self, out: &mut Output) -> io::Result<()> {
        out.write_all(b"\n]}\n")
    }
}
