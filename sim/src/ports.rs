//! The chip's ports as the native test bench sees them, whichever simulator steps the chip.

use crate::bench::{HostDrive, HostSample, MemoryRequest};
use crate::events::{
    Event, IncrementEvent, IssueEvent, LaunchEvent, MaskEvent, MemoryEvent, NextEvent, SharedEvent, StackEvent,
    WriteEvent,
};
use flexgrip_hdl::gpgpu::Gpgpu;
use hdlkit::prelude::*;

/// A signal's value as a number.
fn number<const N: usize>(signal: &Signal<Out, Bits<N>>) -> u32 {
    signal.val().raw() as u32
}

/// The values of one signal a lane.
fn words<const N: usize, const LANES: usize, const COUNT: usize>(
    signals: &[Signal<Out, Bits<N>>; LANES],
) -> [u32; COUNT] {
    let mut words = [0; COUNT];
    for (word, signal) in words.iter_mut().zip(signals) {
        *word = number(signal);
    }
    words
}

/// Sets the inputs of this cycle; see [`Core::drive`](crate::bench::Core::drive).
pub(crate) fn drive<const LANES: usize>(gpgpu: &mut Gpgpu<LANES>, host: &HostDrive, response: Option<&[u32; 32]>) {
    gpgpu.host_cycle.next = host.strobe;
    gpgpu.host_strobe.next = host.strobe;
    gpgpu.host_write.next = host.write;
    gpgpu.host_address.next = u64::from(host.address).into();
    gpgpu.host_write_data.next = u64::from(host.data).into();
    gpgpu.memory_response_valid.next = response.is_some();
    if let Some(words) = response {
        for (signal, &word) in gpgpu.memory_response_data.iter_mut().zip(words) {
            signal.next = u64::from(word).into();
        }
    }
}

/// The host's outputs.
pub(crate) fn host<const LANES: usize>(gpgpu: &Gpgpu<LANES>) -> HostSample {
    HostSample {
        acknowledge: gpgpu.host_acknowledge.val(),
        error: gpgpu.host_error.val(),
        data: number(&gpgpu.host_read_data),
        interrupt: gpgpu.interrupt.val(),
    }
}

/// The memory port's request.
pub(crate) fn request<const LANES: usize>(gpgpu: &Gpgpu<LANES>) -> Option<MemoryRequest> {
    gpgpu.memory_request_valid.val().then(|| MemoryRequest {
        write: gpgpu.memory_request_write.val(),
        address: number(&gpgpu.memory_request_address),
        data: words(&gpgpu.memory_request_data),
        enable: words::<4, LANES, 32>(&gpgpu.memory_request_enable).map(|enable| enable as u8),
    })
}

/// The trace events of this cycle; see [`Core::events`](crate::bench::Core::events).
pub(crate) fn events<const LANES: usize>(gpgpu: &Gpgpu<LANES>, all: bool, sink: &mut dyn FnMut(&Event)) {
    if gpgpu.trace_launch_valid.val() {
        sink(&Event::Launch(LaunchEvent {
            warp: number(&gpgpu.trace_launch_warp),
            block: number(&gpgpu.trace_launch_block),
            index: number(&gpgpu.trace_launch_index),
        }));
    }
    if gpgpu.trace_issue_valid.val() {
        sink(&Event::Issue(IssueEvent {
            tag: number(&gpgpu.trace_issue_tag) as u8,
            warp: number(&gpgpu.trace_issue_warp),
            pc: number(&gpgpu.trace_issue_pc),
            word: gpgpu.trace_issue_word.val().raw(),
        }));
    }
    if !all {
        return;
    }
    if gpgpu.trace_mask_valid.val() {
        sink(&Event::Mask(MaskEvent {
            tag: number(&gpgpu.trace_mask_tag) as u8,
            active: number(&gpgpu.trace_mask_active),
            executed: number(&gpgpu.trace_mask_executed),
        }));
    }
    if gpgpu.trace_memory_valid.val() {
        sink(&Event::Memory(Box::new(MemoryEvent {
            tag: number(&gpgpu.trace_memory_tag) as u8,
            beat: number(&gpgpu.trace_memory_beat),
            store: gpgpu.trace_memory_store.val(),
            size: number(&gpgpu.trace_memory_size),
            lanes: number(&gpgpu.trace_memory_lanes),
            address: words(&gpgpu.trace_memory_address),
            data: words(&gpgpu.trace_memory_data),
        })));
    }
    if gpgpu.trace_shared_valid.val() {
        sink(&Event::Shared(Box::new(SharedEvent {
            tag: number(&gpgpu.trace_shared_tag) as u8,
            upper: gpgpu.trace_shared_upper.val(),
            access: number(&gpgpu.trace_shared_access),
            threads: number(&gpgpu.trace_shared_threads),
            address: words(&gpgpu.trace_shared_address),
            data: words(&gpgpu.trace_shared_data),
        })));
    }
    if gpgpu.trace_increment_valid.val() {
        sink(&Event::Increment(Box::new(IncrementEvent {
            tag: number(&gpgpu.trace_increment_tag) as u8,
            beat: number(&gpgpu.trace_increment_beat),
            lanes: number(&gpgpu.trace_increment_lanes),
            register: number(&gpgpu.trace_increment_register),
            data: words(&gpgpu.trace_increment_data),
        })));
    }
    if gpgpu.trace_stack_valid.val() {
        sink(&Event::Stack(StackEvent {
            tag: number(&gpgpu.trace_stack_tag) as u8,
            push: gpgpu.trace_stack_push.val(),
            kind: number(&gpgpu.trace_stack_kind),
            mask: number(&gpgpu.trace_stack_mask),
            pc: number(&gpgpu.trace_stack_pc),
        }));
    }
    if gpgpu.trace_write_valid.val() {
        sink(&Event::Write(Box::new(WriteEvent {
            tag: number(&gpgpu.trace_write_tag) as u8,
            beat: number(&gpgpu.trace_write_beat),
            last: gpgpu.trace_write_last.val(),
            lanes: number(&gpgpu.trace_write_lanes),
            register: number(&gpgpu.trace_write_register),
            register_enable: gpgpu.trace_write_register_enable.val(),
            halves: number(&gpgpu.trace_write_halves),
            condition_register: number(&gpgpu.trace_write_condition_register),
            condition_enable: gpgpu.trace_write_condition_enable.val(),
            address_register: number(&gpgpu.trace_write_address_register),
            address_enable: gpgpu.trace_write_address_enable.val(),
            data: words(&gpgpu.trace_write_data),
            condition: words::<4, LANES, 32>(&gpgpu.trace_write_condition).map(|code| code as u8),
        })));
    }
    if gpgpu.trace_next_valid.val() {
        sink(&Event::Next(NextEvent {
            tag: number(&gpgpu.trace_next_tag) as u8,
            ended: gpgpu.trace_next_ended.val(),
            pc: number(&gpgpu.trace_next_pc),
            active: number(&gpgpu.trace_next_active),
        }));
    }
}
