//! The circuits under the native cycle engine.

use crate::bench::{self, Core, HostDrive, HostSample, MemoryRequest};
use crate::engine::{Engine, Observer, Options, RunError, RunReport};
use crate::events::{Event, IssueEvent, LaunchEvent, MaskEvent, MemoryEvent, NextEvent, StackEvent, WriteEvent};
use flexgrip_hdl::gpgpu::Gpgpu;
use flexgrip_model::{Configuration, Launch};
use hdlkit::prelude::*;
use hdlkit::wave::{Wave, WaveError, WaveOptions};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// Stack of the thread that circuits are built and run on: they are large values, and built by value.
pub const STACK_BYTES: usize = 1 << 30;

/// Global memory that the host can reach: the upper half of its address space.
const WINDOW_BYTES: u32 = 1 << 31;

/// The sizes that the circuits have, with `lanes` lanes. Only lanes and the size of global memory can be chosen.
pub fn configuration(lanes: u32, global_bytes: u32) -> Configuration {
    Configuration {
        lanes,
        global_bytes,
        ..Configuration::default()
    }
}

/// Refuses a machine that the circuits are not.
pub(crate) fn check(engine: &'static str, launch: &Launch, options: &Options) -> Result<(), RunError> {
    launch.check(&options.configuration)?;
    let Configuration {
        lanes, global_bytes, ..
    } = options.configuration;
    if options.configuration != configuration(lanes, global_bytes) {
        let reason = format!(
            "has the sizes of the circuits, {:?}; asked for were {:?}",
            configuration(lanes, global_bytes),
            options.configuration
        );
        return Err(RunError::Unsupported { engine, reason });
    }
    if global_bytes > WINDOW_BYTES {
        let reason = format!(
            "loads global memory through the host's window of {WINDOW_BYTES} bytes; asked for were {global_bytes}"
        );
        return Err(RunError::Unsupported { engine, reason });
    }
    Ok(())
}

/// Runs launches on the circuits, natively.
#[derive(Clone, Copy, Debug, Default)]
pub struct RtlEngine;

impl Engine for RtlEngine {
    fn name(&self) -> &'static str {
        "rtl"
    }

    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        check(self.name(), launch, options)?;
        on_big_stack(|| match options.configuration.lanes {
            8 => run::<8>(launch, options, observer),
            16 => run::<16>(launch, options, observer),
            _ => run::<32>(launch, options, observer),
        })
    }
}

/// Runs `work` on a thread with a big stack. A panic there, such as that of a combinational loop, becomes an error.
pub(crate) fn on_big_stack<T: Send>(work: impl FnOnce() -> Result<T, RunError> + Send) -> Result<T, RunError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("circuits".into())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(RunError::io("cannot start a thread"))?;
        thread.join().unwrap_or_else(|panic| {
            let message = panic.downcast_ref::<String>().map(String::as_str);
            let message = message
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("a panic");
            Err(RunError::Bench(format!("the circuits failed: {message}")))
        })
    })
}

/// The machine under the cycle engine.
struct RtlCore<const LANES: usize> {
    engine: CycleEngine<Gpgpu<LANES>>,
    wave: Option<Wave<BufWriter<File>>>,
}

impl<const LANES: usize> RtlCore<LANES> {
    /// At rest. `wave`: where to write waves, from the start of the grid.
    fn new(wave: Option<&Path>) -> Result<Self, RunError> {
        let mut gpgpu = Box::new(Gpgpu::<LANES>::new());
        gpgpu.memory_request_ready.next = true;
        let engine = CycleEngine::new(gpgpu);
        let wave = match wave {
            None => None,
            Some(path) => {
                let file = File::create(path).map_err(RunError::io(format!("cannot write {}", path.display())))?;
                let wave = Wave::new(BufWriter::new(file), &*engine.block, WaveOptions::default());
                Some(wave.map_err(wave_error)?)
            }
        };
        Ok(RtlCore { engine, wave })
    }
}

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

impl<const LANES: usize> Core for RtlCore<LANES> {
    fn lanes(&self) -> u32 {
        LANES as u32
    }

    fn drive(&mut self, host: &HostDrive, response: Option<&[u32; 32]>) {
        let gpgpu = &mut *self.engine.block;
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

    fn settle(&mut self) {
        self.engine.settle();
    }

    fn host(&self) -> HostSample {
        let gpgpu = &*self.engine.block;
        HostSample {
            acknowledge: gpgpu.host_acknowledge.val(),
            error: gpgpu.host_error.val(),
            data: number(&gpgpu.host_read_data),
            interrupt: gpgpu.interrupt.val(),
        }
    }

    fn request(&self) -> Option<MemoryRequest> {
        let gpgpu = &*self.engine.block;
        gpgpu.memory_request_valid.val().then(|| MemoryRequest {
            write: gpgpu.memory_request_write.val(),
            address: number(&gpgpu.memory_request_address),
            data: words(&gpgpu.memory_request_data),
            enable: words(&gpgpu.memory_request_enable).map(|enable| enable as u8),
        })
    }

    fn events(&self, all: bool, sink: &mut dyn FnMut(&Event)) {
        let gpgpu = &*self.engine.block;
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
                data: words(&gpgpu.trace_write_data),
                condition: words(&gpgpu.trace_write_condition).map(|code| code as u8),
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

    fn tick(&mut self, cycle: Option<u64>) -> Result<(), RunError> {
        if let (Some(wave), Some(cycle)) = (&mut self.wave, cycle) {
            wave.sample(cycle, &*self.engine.block).map_err(wave_error)?;
        }
        self.engine.tick();
        Ok(())
    }
}

fn wave_error(error: WaveError) -> RunError {
    match error {
        WaveError::Io(error) => RunError::Io {
            what: "cannot write the waves".into(),
            error,
        },
        other => RunError::Bench(format!("waves: {other}")),
    }
}

fn run<const LANES: usize>(
    launch: &Launch,
    options: &Options,
    observer: Option<&mut Observer>,
) -> Result<RunReport, RunError> {
    let mut core = RtlCore::<LANES>::new(options.wave.as_deref())?;
    let report = bench::run(&mut core, launch, options, observer)?;
    if let Some(wave) = core.wave {
        wave.finish().map_err(wave_error)?;
    }
    Ok(report)
}
