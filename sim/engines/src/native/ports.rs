//! The chip's ports as the native test bench sees them, for any stepper: words, each located once by name.

use crate::native::interface::{HostDrive, HostSample, MemoryRequest};
use flexgrip_machine::trace::*;
use flexgrip_machine::trace_table;
use hdlkit_compiled::PortPlaces;

/// Defines a struct with the place of each port's first word. Its fields are named like the ports in their block or
/// bundle.
macro_rules! ports {
    ($(#[$about:meta])* struct $name:ident { $($field:ident),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone)]
        struct $name {
            $($field: usize),*
        }
        impl $name {
            /// The ports of the bundle `at`, which ends with a dot, or of the block itself if `at` is empty.
            ///
            /// # Panics
            /// If the circuits have no such port.
            fn find(places: &PortPlaces, at: &str) -> Self {
                $name { $($field: places.place(&format!("{at}{}", stringify!($field)))),* }
            }
        }
    };
}

ports! {
    /// The host bus.
    struct HostPorts { cycle, strobe, write, address, write_data, read_data, acknowledge, error }
}

ports! {
    /// The memory port.
    struct MemoryPorts {
        request_valid, request_ready, request_write, request_address, request_data, request_enable, response_valid,
        response_data,
    }
}

/// Reads a field of an event from the ports' words.
macro_rules! field {
    (bit $words:ident $place:expr, $lanes:expr, $rust:ty) => {
        $words[$place] != 0
    };
    (bits $words:ident $place:expr, $lanes:expr, $rust:ty) => {
        $words[$place] as $rust
    };
    (lanes $words:ident $place:expr, $lanes:expr, $rust:ty) => {
        values::<32>($words, $place, $lanes).map(|value| value as $rust)
    };
    (half $words:ident $place:expr, $lanes:expr, $rust:ty) => {
        values::<16>($words, $place, 16).map(|value| value as $rust)
    };
}

/// The number of words of an event's field.
macro_rules! words {
    (bit $lanes:ident) => {
        1
    };
    (bits $lanes:ident) => {
        1
    };
    (lanes $lanes:ident) => {
        $lanes
    };
    (half $lanes:ident) => {
        16
    };
}

/// Defines an SM's trace ports and the function that samples them, from the contract's table.
macro_rules! define_trace_ports {
    ($($(#[$about:meta])* $event:ident $type:ident $letter:literal $valid:ident {
        $($(#[$doc:meta])* $port:ident $field:ident $shape:ident $bits:literal $rust:ty;)*
    })*) => {
        ports! {
            /// An SM's trace.
            struct TracePorts { $($valid, $($port,)*)* }
        }

        /// Adds the words of an SM's events, each with the word of its `valid`.
        fn sm_guards(trace: &TracePorts, lanes: usize, guards: &mut Vec<(usize, usize)>) {
            $($(guards.extend((0..words!($shape lanes)).map(|word| (trace.$port + word, trace.$valid)));)*)*
        }

        /// The kinds of events.
        enum EventKind { $($event,)* }

        /// Passes an SM's events of this cycle to `sink`; only launches and issues unless `all`.
        fn sm_events(
            trace: &TracePorts,
            words: &[u64],
            lanes: usize,
            sm: u32,
            all: bool,
            sink: &mut dyn FnMut(u32, &Event),
        ) {
            $(
                // The test is constant for each event. Launches and issues are always needed: they give the places of
                // warps.
                if (all || matches!(EventKind::$event, EventKind::Launch | EventKind::Issue)) && words[trace.$valid] != 0 {
                    let event = Event::$event($type {
                        $($field: field!($shape words trace.$port, lanes, $rust),)*
                    });
                    sink(sm, &event);
                }
            )*
        }
    };
}

trace_table!(define_trace_ports);

/// The chip's ports.
#[derive(Clone)]
pub struct Ports {
    lanes: usize,
    host: HostPorts,
    interrupt: usize,
    memory: MemoryPorts,
    traces: Vec<TracePorts>,
}

/// Returns `count` words that begin at `place`, followed by zeros.
fn values<const SPACE: usize>(words: &[u64], place: usize, count: usize) -> [u32; SPACE] {
    let mut values = [0; SPACE];
    for (value, word) in values.iter_mut().zip(&words[place..][..count]) {
        *value = *word as u32;
    }
    values
}

impl Ports {
    /// The ports of a chip, at `places`.
    ///
    /// # Panics
    /// If it is not a chip with these lanes and SMs.
    pub fn new(places: &PortPlaces, lanes: u32, sms: u32) -> Self {
        Ports {
            lanes: lanes as usize,
            host: HostPorts::find(places, "host."),
            interrupt: places.place("interrupt"),
            memory: MemoryPorts::find(places, "memory."),
            traces: (0..sms)
                .map(|sm| TracePorts::find(places, &format!("trace[{sm}].")))
                .collect(),
        }
    }

    /// Sets the inputs of this cycle; see [`Core::drive`](crate::native::interface::Core::drive). Memory is
    /// always ready.
    pub fn drive(&self, words: &mut [u64], host: &HostDrive, response: Option<&[u32; 32]>) {
        let (bus, memory) = (&self.host, &self.memory);
        words[memory.request_ready] = 1;
        words[bus.cycle] = host.strobe.into();
        words[bus.strobe] = host.strobe.into();
        words[bus.write] = host.write.into();
        words[bus.address] = host.address.into();
        words[bus.write_data] = host.data.into();
        words[memory.response_valid] = response.is_some().into();
        if let Some(data) = response {
            for (word, &data) in words[memory.response_data..][..self.lanes].iter_mut().zip(data) {
                *word = data.into();
            }
        }
    }

    /// Output words that are valid only if another word is nonzero, each with that word.
    pub fn guards(&self) -> Vec<(usize, usize)> {
        let memory = &self.memory;
        let request = [memory.request_write, memory.request_address].into_iter();
        let data = memory.request_data..memory.request_data + self.lanes;
        let enables = memory.request_enable..memory.request_enable + self.lanes;
        let request = request.chain(data).chain(enables);
        let mut guards: Vec<_> = request.map(|word| (word, memory.request_valid)).collect();
        guards.push((self.host.read_data, self.host.acknowledge));
        for trace in &self.traces {
            sm_guards(trace, self.lanes, &mut guards);
        }
        guards
    }

    /// The port words of memory's answer, as [`Ports::drive`] sets them: first `response_valid`, then the data. Without
    /// an answer, `data` are the words that remain on the port.
    pub fn answer<'a>(&self, valid: bool, data: &'a [u32; 32]) -> impl Iterator<Item = (usize, u64)> + 'a {
        let first = self.memory.response_data;
        let words = data.iter().take(self.lanes).enumerate();
        let words = words.map(move |(lane, word)| (first + lane, u64::from(*word)));
        std::iter::once((self.memory.response_valid, u64::from(valid))).chain(words)
    }

    /// The index of the interrupt's port word.
    pub fn interrupt(&self) -> usize {
        self.interrupt
    }

    /// The host's outputs.
    pub fn host(&self, words: &[u64]) -> HostSample {
        let bus = &self.host;
        HostSample {
            acknowledge: words[bus.acknowledge] != 0,
            error: words[bus.error] != 0,
            data: words[bus.read_data] as u32,
            interrupt: words[self.interrupt] != 0,
        }
    }

    /// The memory port's request.
    pub fn request(&self, words: &[u64]) -> Option<MemoryRequest> {
        let memory = &self.memory;
        (words[memory.request_valid] != 0).then(|| MemoryRequest {
            write: words[memory.request_write] != 0,
            address: words[memory.request_address] as u32,
            data: values(words, memory.request_data, self.lanes),
            enable: values::<32>(words, memory.request_enable, self.lanes).map(|enable| enable as u8),
        })
    }

    /// The trace events of this cycle; see [`Core::events`](crate::native::interface::Core::events).
    pub fn events(&self, words: &[u64], all: bool, sink: &mut dyn FnMut(u32, &Event)) {
        for (sm, trace) in (0..).zip(&self.traces) {
            sm_events(trace, words, self.lanes, sm, all, sink);
        }
    }
}
