//! The chip's ports as the native test bench sees them, whichever simulator steps the chip.

use crate::bench::{HostDrive, HostSample, MemoryRequest};
use crate::events::{
    Event, IncrementEvent, IssueEvent, LaunchEvent, MaskEvent, MemoryEvent, NextEvent, SharedEvent, StackEvent,
    WriteEvent,
};
use flexgrip_hdl::gpgpu::Gpgpu;
use flexgrip_hdl::trace::Trace;
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
pub(crate) fn drive<const LANES: usize, const SMS: usize>(
    gpgpu: &mut Gpgpu<LANES, SMS>,
    host: &HostDrive,
    response: Option<&[u32; 32]>,
) {
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
pub(crate) fn host<const LANES: usize, const SMS: usize>(gpgpu: &Gpgpu<LANES, SMS>) -> HostSample {
    HostSample {
        acknowledge: gpgpu.host_acknowledge.val(),
        error: gpgpu.host_error.val(),
        data: number(&gpgpu.host_read_data),
        interrupt: gpgpu.interrupt.val(),
    }
}

/// The memory port's request.
pub(crate) fn request<const LANES: usize, const SMS: usize>(gpgpu: &Gpgpu<LANES, SMS>) -> Option<MemoryRequest> {
    gpgpu.memory_request_valid.val().then(|| MemoryRequest {
        write: gpgpu.memory_request_write.val(),
        address: number(&gpgpu.memory_request_address),
        data: words(&gpgpu.memory_request_data),
        enable: words::<4, LANES, 32>(&gpgpu.memory_request_enable).map(|enable| enable as u8),
    })
}

/// The trace events of this cycle; see [`Core::events`](crate::bench::Core::events).
pub(crate) fn events<const LANES: usize, const SMS: usize>(
    gpgpu: &Gpgpu<LANES, SMS>,
    all: bool,
    sink: &mut dyn FnMut(u32, &Event),
) {
    for (sm, trace) in (0..).zip(&gpgpu.trace) {
        sm_events(trace, sm, all, sink);
    }
}

fn sm_events<const LANES: usize>(trace: &Trace<LANES>, sm: u32, all: bool, sink: &mut dyn FnMut(u32, &Event)) {
    if trace.launch_valid.val() {
        sink(
            sm,
            &Event::Launch(LaunchEvent {
                warp: number(&trace.launch_warp),
                block: number(&trace.launch_block),
                index: number(&trace.launch_index),
            }),
        );
    }
    if trace.issue_valid.val() {
        sink(
            sm,
            &Event::Issue(IssueEvent {
                tag: number(&trace.issue_tag) as u16,
                warp: number(&trace.issue_warp),
                pc: number(&trace.issue_pc),
                word: trace.issue_word.val().raw(),
            }),
        );
    }
    if !all {
        return;
    }
    if trace.mask_valid.val() {
        sink(
            sm,
            &Event::Mask(MaskEvent {
                tag: number(&trace.mask_tag) as u16,
                active: number(&trace.mask_active),
                executed: number(&trace.mask_executed),
            }),
        );
    }
    if trace.memory_valid.val() {
        sink(
            sm,
            &Event::Memory(Box::new(MemoryEvent {
                tag: number(&trace.memory_tag) as u16,
                beat: number(&trace.memory_beat),
                store: trace.memory_store.val(),
                local: trace.memory_local.val(),
                size: number(&trace.memory_size),
                lanes: number(&trace.memory_lanes),
                address: words(&trace.memory_address),
                data: words(&trace.memory_data),
            })),
        );
    }
    if trace.shared_valid.val() {
        sink(
            sm,
            &Event::Shared(Box::new(SharedEvent {
                tag: number(&trace.shared_tag) as u16,
                upper: trace.shared_upper.val(),
                access: number(&trace.shared_access),
                threads: number(&trace.shared_threads),
                address: words(&trace.shared_address),
                data: words(&trace.shared_data),
            })),
        );
    }
    if trace.increment_valid.val() {
        sink(
            sm,
            &Event::Increment(Box::new(IncrementEvent {
                tag: number(&trace.increment_tag) as u16,
                beat: number(&trace.increment_beat),
                lanes: number(&trace.increment_lanes),
                register: number(&trace.increment_register),
                data: words(&trace.increment_data),
            })),
        );
    }
    if trace.stack_valid.val() {
        sink(
            sm,
            &Event::Stack(StackEvent {
                tag: number(&trace.stack_tag) as u16,
                push: trace.stack_push.val(),
                kind: number(&trace.stack_kind),
                mask: number(&trace.stack_mask),
                pc: number(&trace.stack_pc),
            }),
        );
    }
    if trace.write_valid.val() {
        sink(
            sm,
            &Event::Write(Box::new(WriteEvent {
                tag: number(&trace.write_tag) as u16,
                beat: number(&trace.write_beat),
                last: trace.write_last.val(),
                lanes: number(&trace.write_lanes),
                register: number(&trace.write_register),
                register_enable: trace.write_register_enable.val(),
                halves: number(&trace.write_halves),
                condition_register: number(&trace.write_condition_register),
                condition_enable: trace.write_condition_enable.val(),
                address_register: number(&trace.write_address_register),
                address_enable: trace.write_address_enable.val(),
                data: words(&trace.write_data),
                condition: words::<4, LANES, 32>(&trace.write_condition).map(|code| code as u8),
            })),
        );
    }
    if trace.next_valid.val() {
        sink(
            sm,
            &Event::Next(NextEvent {
                tag: number(&trace.next_tag) as u16,
                ended: trace.next_ended.val(),
                pc: number(&trace.next_pc),
                active: number(&trace.next_active),
            }),
        );
    }
}
