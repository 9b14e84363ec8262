//! The chip's ports as the native test bench sees them, whichever simulator steps the chip.

use crate::bench::{HostDrive, HostSample, MemoryRequest};
use crate::events::{Event, IssueEvent, LaunchEvent, MaskEvent, MemoryEvent, NextEvent, StackEvent, WriteEvent};
use flexgrip_hdl::gpgpu::Gpgpu;
use hdlkit::prelude::*;

/// A signal's value as a number.
fn number<const N: usize>(signal: &Signal<Out, Bits<N>>) -> u32 {
    signal.val().raw() as u32
}

/// The values of one signal a lane.
fn words<const N: usize, const LANES: usize>(signals: &[Signal<Out, Bits<N>>; LANES]) -> [u32; 32] {
    let mut words = [0; 32];
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
        enable: words(&gpgpu.memory_request_enable).map(|enable| enable as u8),
    })
}

/// The trace events of this cycle; see [`Core::events`](crate::bench::Core::events).
pub(crate) fn events<const LANES: usize>(gpgpu: &Gpgpu<LANES>, all: bool, sink: &mut dyn FnMut(&Event)) {
    if gpgpu.trace.launch_valid.val() {
        sink(&Event::Launch(LaunchEvent {
            warp: number(&gpgpu.trace.launch_warp),
            block: number(&gpgpu.trace.launch_block),
            index: number(&gpgpu.trace.launch_index),
        }));
    }
    if gpgpu.trace.issue_valid.val() {
        sink(&Event::Issue(IssueEvent {
            tag: number(&gpgpu.trace.issue_tag) as u8,
            warp: number(&gpgpu.trace.issue_warp),
            pc: number(&gpgpu.trace.issue_pc),
            word: gpgpu.trace.issue_word.val().raw(),
        }));
    }
    if !all {
        return;
    }
    if gpgpu.trace.mask_valid.val() {
        sink(&Event::Mask(MaskEvent {
            tag: number(&gpgpu.trace.mask_tag) as u8,
            active: number(&gpgpu.trace.mask_active),
            executed: number(&gpgpu.trace.mask_executed),
        }));
    }
    if gpgpu.trace.memory_valid.val() {
        sink(&Event::Memory(Box::new(MemoryEvent {
            tag: number(&gpgpu.trace.memory_tag) as u8,
            beat: number(&gpgpu.trace.memory_beat),
            store: gpgpu.trace.memory_store.val(),
            size: number(&gpgpu.trace.memory_size),
            lanes: number(&gpgpu.trace.memory_lanes),
            address: words(&gpgpu.trace.memory_address),
            data: words(&gpgpu.trace.memory_data),
        })));
    }
    if gpgpu.trace.stack_valid.val() {
        sink(&Event::Stack(StackEvent {
            tag: number(&gpgpu.trace.stack_tag) as u8,
            push: gpgpu.trace.stack_push.val(),
            kind: number(&gpgpu.trace.stack_kind),
            mask: number(&gpgpu.trace.stack_mask),
            pc: number(&gpgpu.trace.stack_pc),
        }));
    }
    if gpgpu.trace.write_valid.val() {
        sink(&Event::Write(Box::new(WriteEvent {
            tag: number(&gpgpu.trace.write_tag) as u8,
            beat: number(&gpgpu.trace.write_beat),
            last: gpgpu.trace.write_last.val(),
            lanes: number(&gpgpu.trace.write_lanes),
            register: number(&gpgpu.trace.write_register),
            register_enable: gpgpu.trace.write_register_enable.val(),
            halves: number(&gpgpu.trace.write_halves),
            condition_register: number(&gpgpu.trace.write_condition_register),
            condition_enable: gpgpu.trace.write_condition_enable.val(),
            data: words(&gpgpu.trace.write_data),
            condition: words(&gpgpu.trace.write_condition).map(|code| code as u8),
        })));
    }
    if gpgpu.trace.next_valid.val() {
        sink(&Event::Next(NextEvent {
            tag: number(&gpgpu.trace.next_tag) as u8,
            ended: gpgpu.trace.next_ended.val(),
            pc: number(&gpgpu.trace.next_pc),
            active: number(&gpgpu.trace.next_active),
        }));
    }
}
