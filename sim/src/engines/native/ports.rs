//! The chip's ports as the native test bench sees them, whatever steps the chip: words, each found once by its name.

use crate::engines::native::test_bench::{HostDrive, HostSample, MemoryRequest};
use crate::trace::events::{
    Event, IncrementEvent, IssueEvent, LaunchEvent, MaskEvent, MemoryEvent, NextEvent, SharedEvent, StackEvent,
    WriteEvent,
};
use hdlkit_compiled::PortPlaces;

/// Ports of a block or bundle, by their names there: the place of the first word.
macro_rules! ports {
    ($(#[$about:meta])* struct $name:ident { $($field:ident),* $(,)? }) => {
        $(#[$about])*
        struct $name {
            $($field: usize),*
        }
        impl $name {
            /// Those of the bundle `at`, which ends with a dot; of the block itself it is empty.
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
    /// Host and memory.
    struct ChipPorts {
        host_cycle, host_strobe, host_write, host_address, host_write_data, host_read_data, host_acknowledge, host_error,
        interrupt, memory_request_valid, memory_request_ready, memory_request_write, memory_request_address,
        memory_request_data, memory_request_enable, memory_response_valid, memory_response_data,
    }
}

ports! {
    /// An SM's trace.
    struct TracePorts {
        launch_valid, launch_warp, launch_block, launch_index, issue_valid, issue_tag, issue_warp, issue_pc,
        issue_word, mask_valid, mask_tag, mask_active, mask_executed, memory_valid, memory_tag, memory_beat,
        memory_store, memory_local, memory_size, memory_lanes, memory_address, memory_data, shared_valid, shared_tag,
        shared_upper, shared_access, shared_threads, shared_address, shared_data, increment_valid, increment_tag,
        increment_beat, increment_lanes, increment_register, increment_data, stack_valid, stack_tag, stack_push,
        stack_kind, stack_mask, stack_pc, write_valid, write_tag, write_beat, write_last, write_lanes, write_register,
        write_register_enable, write_halves, write_condition_register, write_condition_enable, write_address_register,
        write_address_enable, write_data, write_condition, next_valid, next_tag, next_ended, next_pc, next_active,
    }
}

/// The chip's ports.
pub(crate) struct Ports {
    lanes: usize,
    chip: ChipPorts,
    traces: Vec<TracePorts>,
}

/// The values of `count` words from a place on; 0 behind them.
fn values<const SPACE: usize>(words: &[u64], place: usize, count: usize) -> [u32; SPACE] {
    let mut values = [0; SPACE];
    for (value, word) in values.iter_mut().zip(&words[place..][..count]) {
        *value = *word as u32;
    }
    values
}

impl Ports {
    /// Of a chip whose ports are at `places`.
    ///
    /// # Panics
    /// If that is no chip with so many lanes and SMs.
    pub fn new(places: &PortPlaces, lanes: u32, sms: u32) -> Self {
        Ports {
            lanes: lanes as usize,
            chip: ChipPorts::find(places, ""),
            traces: (0..sms)
                .map(|sm| TracePorts::find(places, &format!("trace[{sm}].")))
                .collect(),
        }
    }

    /// Sets the inputs of this cycle; see [`Core::drive`](crate::engines::native::test_bench::Core::drive). Memory is always ready.
    pub fn drive(&self, words: &mut [u64], host: &HostDrive, response: Option<&[u32; 32]>) {
        let chip = &self.chip;
        words[chip.memory_request_ready] = 1;
        words[chip.host_cycle] = host.strobe.into();
        words[chip.host_strobe] = host.strobe.into();
        words[chip.host_write] = host.write.into();
        words[chip.host_address] = host.address.into();
        words[chip.host_write_data] = host.data.into();
        words[chip.memory_response_valid] = response.is_some().into();
        if let Some(data) = response {
            for (word, &data) in words[chip.memory_response_data..][..self.lanes].iter_mut().zip(data) {
                *word = data.into();
            }
        }
    }

    /// The host's outputs.
    pub fn host(&self, words: &[u64]) -> HostSample {
        let chip = &self.chip;
        HostSample {
            acknowledge: words[chip.host_acknowledge] != 0,
            error: words[chip.host_error] != 0,
            data: words[chip.host_read_data] as u32,
            interrupt: words[chip.interrupt] != 0,
        }
    }

    /// The memory port's request.
    pub fn request(&self, words: &[u64]) -> Option<MemoryRequest> {
        let chip = &self.chip;
        (words[chip.memory_request_valid] != 0).then(|| MemoryRequest {
            write: words[chip.memory_request_write] != 0,
            address: words[chip.memory_request_address] as u32,
            data: values(words, chip.memory_request_data, self.lanes),
            enable: values::<32>(words, chip.memory_request_enable, self.lanes).map(|enable| enable as u8),
        })
    }

    /// The trace events of this cycle; see [`Core::events`](crate::engines::native::test_bench::Core::events).
    pub fn events(&self, words: &[u64], all: bool, sink: &mut dyn FnMut(u32, &Event)) {
        for (sm, trace) in (0..).zip(&self.traces) {
            sm_events(trace, words, self.lanes, sm, all, sink);
        }
    }
}

fn sm_events(trace: &TracePorts, words: &[u64], lanes: usize, sm: u32, all: bool, sink: &mut dyn FnMut(u32, &Event)) {
    let number = |place: usize| words[place] as u32;
    let lane_words = |place: usize| values::<32>(words, place, lanes);
    if words[trace.launch_valid] != 0 {
        sink(
            sm,
            &Event::Launch(LaunchEvent {
                warp: number(trace.launch_warp),
                block: number(trace.launch_block),
                index: number(trace.launch_index),
            }),
        );
    }
    if words[trace.issue_valid] != 0 {
        sink(
            sm,
            &Event::Issue(IssueEvent {
                tag: number(trace.issue_tag) as u16,
                warp: number(trace.issue_warp),
                pc: number(trace.issue_pc),
                word: words[trace.issue_word],
            }),
        );
    }
    if !all {
        return;
    }
    if words[trace.mask_valid] != 0 {
        sink(
            sm,
            &Event::Mask(MaskEvent {
                tag: number(trace.mask_tag) as u16,
                active: number(trace.mask_active),
                executed: number(trace.mask_executed),
            }),
        );
    }
    if words[trace.memory_valid] != 0 {
        sink(
            sm,
            &Event::Memory(Box::new(MemoryEvent {
                tag: number(trace.memory_tag) as u16,
                beat: number(trace.memory_beat),
                store: (words[trace.memory_store] != 0),
                local: (words[trace.memory_local] != 0),
                size: number(trace.memory_size),
                lanes: number(trace.memory_lanes),
                address: lane_words(trace.memory_address),
                data: lane_words(trace.memory_data),
            })),
        );
    }
    if words[trace.shared_valid] != 0 {
        sink(
            sm,
            &Event::Shared(Box::new(SharedEvent {
                tag: number(trace.shared_tag) as u16,
                upper: (words[trace.shared_upper] != 0),
                access: number(trace.shared_access),
                threads: number(trace.shared_threads),
                address: values(words, trace.shared_address, 16),
                data: values(words, trace.shared_data, 16),
            })),
        );
    }
    if words[trace.increment_valid] != 0 {
        sink(
            sm,
            &Event::Increment(Box::new(IncrementEvent {
                tag: number(trace.increment_tag) as u16,
                beat: number(trace.increment_beat),
                lanes: number(trace.increment_lanes),
                register: number(trace.increment_register),
                data: lane_words(trace.increment_data),
            })),
        );
    }
    if words[trace.stack_valid] != 0 {
        sink(
            sm,
            &Event::Stack(StackEvent {
                tag: number(trace.stack_tag) as u16,
                push: (words[trace.stack_push] != 0),
                kind: number(trace.stack_kind),
                mask: number(trace.stack_mask),
                pc: number(trace.stack_pc),
            }),
        );
    }
    if words[trace.write_valid] != 0 {
        sink(
            sm,
            &Event::Write(Box::new(WriteEvent {
                tag: number(trace.write_tag) as u16,
                beat: number(trace.write_beat),
                last: (words[trace.write_last] != 0),
                lanes: number(trace.write_lanes),
                register: number(trace.write_register),
                register_enable: (words[trace.write_register_enable] != 0),
                halves: number(trace.write_halves),
                condition_register: number(trace.write_condition_register),
                condition_enable: (words[trace.write_condition_enable] != 0),
                address_register: number(trace.write_address_register),
                address_enable: (words[trace.write_address_enable] != 0),
                data: lane_words(trace.write_data),
                condition: lane_words(trace.write_condition).map(|code| code as u8),
            })),
        );
    }
    if words[trace.next_valid] != 0 {
        sink(
            sm,
            &Event::Next(NextEvent {
                tag: number(trace.next_tag) as u16,
                ended: (words[trace.next_ended] != 0),
                pc: number(trace.next_pc),
                active: number(trace.next_active),
            }),
        );
    }
}
