//! The top of a board: serial line, chip, block memory, lights. The parent module has the diagram.
//!
//! | light | lit |
//! |---|---|
//! | 0 | a grid runs |
//! | 1 | a grid has ended (DONE, the interrupt) |
//! | 2 | it has ended by an error, as last seen by the host: ERROR in the STATUS that it read last |
//! | 3 | global memory has refused an access since the last start |
//! | 4 | a request is being executed or answered |
//! | 5 | the last input on the line was garbled |
//! | 6 | the chip is coming to rest after a reset |
//! | 7 | always: the board is configured |
//!
//! `reset` is a button, high when pressed, synchronised by two registers. It may be tied low.

use super::block_memory::BlockMemory;
use super::protocol::Identification;
use super::serial_host::SerialHost;
use super::uart_receiver::UartReceiver;
use super::uart_transmitter::UartTransmitter;
use crate::chip::gpgpu::Gpgpu;
use crate::memory::MemorySizes;
use crate::ports::{HostSlavePort, MemoryMasterPort};
use flexgrip_machine::host_map::{CONTROL, CONTROL_START, STATUS, STATUS_ERROR};
use hdlkit::prelude::*;
use std::ops::RangeInclusive;

/// Bit of `leds`, see the table above: lit while a grid runs.
pub const LIGHT_GRID: u64 = 1 << 0;
/// Lit while a request is being executed or answered.
pub const LIGHT_REQUEST: u64 = 1 << 4;
/// Lit while the chip is coming to rest after a reset.
pub const LIGHT_RESET: u64 = 1 << 6;

/// Possible sizes of a board's global memory in bytes, for any number of lanes; a power of two.
pub const GLOBAL_BYTES: RangeInclusive<u32> = 256..=1 << 21;

/// The sizes of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardSizes {
    /// Clock cycles per bit on the serial line, one of [`super::CLOCKS_PER_BIT`].
    pub clocks_per_bit: u32,
    /// Memory sizes of the chip.
    pub memories: MemorySizes,
    /// Bytes of global memory, one of [`GLOBAL_BYTES`].
    pub global_bytes: u32,
}

impl BoardSizes {
    /// Sizes that fit into the FPGA of a small board: 16 KiB of instructions, 8 KiB of constants, the G80's 8,192
    /// registers, 64 KiB of global memory; 115,200 baud at 25 MHz.
    pub const SMALL: BoardSizes = BoardSizes {
        clocks_per_bit: 217,
        memories: MemorySizes {
            instructions: 16 << 10,
            constants: 8 << 10,
            registers: 8_192,
        },
        global_bytes: 64 << 10,
    };

    /// The identification that the host receives.
    pub const fn identification(&self) -> Identification {
        Identification {
            instruction_bytes: self.memories.instructions,
            constant_bytes: self.memories.constants,
            registers: self.memories.registers,
            global_bytes: self.global_bytes,
        }
    }
}

/// A board with one SM of LANES scalar processors (8, 16 or 32).
#[derive(LogicBlock, Cycle, Blank, Ports)]
pub struct Board<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// A button, high when pressed.
    pub reset: Signal<In, Bit>,
    /// From the host, high at rest.
    pub uart_rx: Signal<In, Bit>,
    /// To the host, high at rest.
    pub uart_tx: Signal<Out, Bit>,
    /// See the module.
    pub leds: Signal<Out, Bits<8>>,

    receiver: UartReceiver,
    transmitter: UartTransmitter,
    serial_host: SerialHost,
    gpgpu: Gpgpu<LANES, 1>,
    block_memory: BlockMemory<LANES>,
    pressed: DFF<Bit>,
    resets: DFF<Bit>,
    running: DFF<Bit>,
    failed: DFF<Bit>,
    refused: DFF<Bit>,

    control: Constant<Bits<32>>,
    control_start: Constant<Bits<32>>,
    status: Constant<Bits<32>>,
    status_error: Constant<Bits<32>>,
    starts: Signal<Local, Bit>,
    error_read: Signal<Local, Bits<32>>,
    lights: Signal<Local, Bits<8>>,
    _activity: Activity,
}

impl<const LANES: usize> Board<LANES> {
    /// A board at rest, with zeroed memories.
    ///
    /// # Panics
    /// If LANES is not 8, 16 or 32, or there is no board of these sizes.
    pub fn new(sizes: BoardSizes) -> Self {
        Board {
            receiver: UartReceiver::new(sizes.clocks_per_bit),
            transmitter: UartTransmitter::new(sizes.clocks_per_bit),
            serial_host: SerialHost::new(sizes.identification()),
            gpgpu: Gpgpu::with_memories(sizes.memories),
            block_memory: BlockMemory::new(sizes.global_bytes),
            control: Constant::new((CONTROL as u64).into()),
            control_start: Constant::new((CONTROL_START as u64).into()),
            status: Constant::new((STATUS as u64).into()),
            status_error: Constant::new((STATUS_ERROR as u64).into()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for Board<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, pressed, resets, running, failed, refused);
        clock!(self, clock, receiver, transmitter, serial_host, gpgpu, block_memory);
        self.pressed.d.next = self.reset.val();
        self.resets.d.next = self.pressed.q.val();
        self.gpgpu.reset.next = self.resets.q.val();
        self.serial_host.reset.next = self.resets.q.val();

        // The line.
        self.receiver.uart_rx.next = self.uart_rx.val();
        self.serial_host.received_valid.next = self.receiver.byte_valid.val();
        self.serial_host.received.next = self.receiver.data.val();
        self.serial_host.framing_error.next = self.receiver.framing_error.val();
        self.transmitter.byte_valid.next = self.serial_host.sent_valid.val();
        self.transmitter.data.next = self.serial_host.sent.val();
        self.serial_host.sent_ready.next = self.transmitter.byte_ready.val();
        self.uart_tx.next = self.transmitter.uart_tx.val();

        // The host bus.
        HostSlavePort::join(&mut self.gpgpu.host, &mut self.serial_host.host);

        // Global memory.
        MemoryMasterPort::<LANES>::join(&mut self.gpgpu.memory, &mut self.block_memory.memory);
        self.gpgpu.memory_error.next = self.block_memory.memory_error.val();
        self.gpgpu.memory_busy.next = self.block_memory.memory_busy.val();

        // The bus events that the lights show.
        self.starts.next = self.gpgpu.host.acknowledge.val()
            && self.serial_host.host.write.val()
            && (self.serial_host.host.address.val() == self.control.val())
            && (self.serial_host.host.write_data.val() == self.control_start.val());
        self.error_read.next = self.gpgpu.host.read_data.val() & self.status_error.val();
        if self.gpgpu.interrupt.val() {
            self.running.d.next = false;
        }
        if self.gpgpu.host.acknowledge.val()
            && !self.serial_host.host.write.val()
            && (self.serial_host.host.address.val() == self.status.val())
        {
            self.failed.d.next = self.error_read.val().any();
        }
        if self.block_memory.memory_error.val() {
            self.refused.d.next = true;
        }
        if self.starts.val() {
            self.running.d.next = true;
            self.failed.d.next = false;
            self.refused.d.next = false;
        }
        if self.resets.q.val() {
            self.running.d.next = false;
            self.failed.d.next = false;
            self.refused.d.next = false;
        }
        self.lights.next = 128.into();
        self.lights.next = self.lights.val().replace_bit(0, self.running.q.val());
        self.lights.next = self.lights.val().replace_bit(1, self.gpgpu.interrupt.val());
        self.lights.next = self.lights.val().replace_bit(2, self.failed.q.val());
        self.lights.next = self.lights.val().replace_bit(3, self.refused.q.val());
        self.lights.next = self.lights.val().replace_bit(4, self.serial_host.busy.val());
        self.lights.next = self.lights.val().replace_bit(5, self.serial_host.line_error.val());
        self.lights.next = self.lights.val().replace_bit(6, self.gpgpu.restarting.val());
        self.leds.next = self.lights.val();
    }
}
