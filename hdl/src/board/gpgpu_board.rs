//! The top of a board: serial line, chip, block memory, lights. The parent module has the diagram.
//!
//! | light | lit |
//! |---|---|
//! | 0 | a grid runs |
//! | 1 | a grid has ended (DONE, the interrupt) |
//! | 2 | the grid has ended with an error: ERROR was set in the last STATUS that the host read |
//! | 3 | global memory has refused an access since the last start |
//! | 4 | a request is being executed or answered |
//! | 5 | the last input on the line was garbled |
//! | 6 | from a reset until everything in flight has ended |
//! | 7 | always: the board is configured |
//!
//! `reset` is a button, high when pressed, synchronised by two registers. It may be tied low.

use super::block_memory::BlockMemory;
use super::protocol::Identification;
use super::serial_host::SerialHost;
use super::uart_receiver::UartReceiver;
use super::uart_transmitter::{SenderPort, UartTransmitter};
use crate::chip::gpgpu::Gpgpu;
use crate::memory::MemorySizes;
use crate::parameters::SmParameters;
use crate::ports::{HostSlavePort, MemoryMasterPort};
use flexgrip_machine::host_map::{CONTROL, CONTROL_START, STATUS, STATUS_ERROR};
use flexgrip_machine::{Capability, Protect};
use hdlkit::prelude::*;
use std::ops::RangeInclusive;

/// Bit of `leds`, see the table above: lit while a grid runs.
pub const LIGHT_GRID: u64 = 1 << 0;
/// Lit while a request is being executed or answered.
pub const LIGHT_REQUEST: u64 = 1 << 4;
/// Lit from a reset until everything in flight has ended.
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
    /// The chip's compute capability.
    pub capability: Capability,
    /// The chip's protection.
    pub protect: Protect,
    /// Bytes of global memory, one of [`GLOBAL_BYTES`].
    pub global_bytes: u32,
}

impl BoardSizes {
    /// Sizes that fit into the FPGA of a small board: 16 KiB of instructions, 8 KiB of constants, the G80's 8,192
    /// registers, 64 KiB of global memory; 115,200 baud at 25 MHz.
    pub const SMALL: BoardSizes = BoardSizes {
        clocks_per_bit: 217,
        memories: MemorySizes { instructions: 16 << 10, constants: 8 << 10, registers: 8_192 },
        capability: Capability::V1_0,
        protect: Protect::None,
        global_bytes: 64 << 10,
    };

    /// The parameters of the chip's SMs.
    pub const fn parameters(&self) -> SmParameters {
        SmParameters { memories: self.memories, capability: self.capability, protect: self.protect }
    }

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
#[circuit]
#[derive(Ports)]
pub struct Board<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// A button, high when pressed.
    pub reset: Signal<In, Bit>,
    /// Serial line from the host, high at rest.
    pub uart_rx: Signal<In, Bit>,
    /// Serial line to the host, high at rest.
    pub uart_tx: Signal<Out, Bit>,
    /// The lights, in the order of the table above.
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
    /// Atomic operations exist: from capability 1.1 on.
    has_atomics: Constant<Bit>,
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
            gpgpu: Gpgpu::with(sizes.parameters()),
            block_memory: BlockMemory::new(sizes.global_bytes),
            has_atomics: Constant::new(sizes.capability.has_atomics()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for Board<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        self.pressed.d.next = self.reset.val();
        self.resets.d.next = self.pressed.q.val();
        self.gpgpu.reset.next = self.resets.q.val();
        self.serial_host.line.reset.next = self.resets.q.val();

        // Connects the serial line.
        self.receiver.uart_rx.next = self.uart_rx.val();
        self.serial_host.line.received.next = self.receiver.received.val();
        SenderPort::join(&mut self.serial_host.line.sent, &mut self.transmitter.sent);
        self.uart_tx.next = self.transmitter.uart_tx.val();

        // Connects the host bus.
        HostSlavePort::join(&mut self.gpgpu.host, &mut self.serial_host.host);

        // Connects global memory.
        MemoryMasterPort::<LANES>::join(&mut self.gpgpu.memory, &mut self.block_memory.memory);
        self.gpgpu.memory_error.next = self.block_memory.memory_error.val();
        self.gpgpu.memory_busy.next = self.block_memory.memory_busy.val();
        if self.has_atomics.val() {
            self.gpgpu.memory_failed[0].next = false;
        }

        // The bus events that the lights show.
        let access = self.gpgpu.host.acknowledge.val();
        let write = self.serial_host.host.write.val();
        let address = self.serial_host.host.address.val();
        let starts = access
            && write
            && address == CONTROL as u64
            && self.serial_host.host.write_data.val() == CONTROL_START as u64;
        if self.resets.q.val() || starts {
            self.running.d.next = starts && !self.resets.q.val();
            self.failed.d.next = false;
            self.refused.d.next = false;
        } else {
            if self.gpgpu.interrupt.val() {
                self.running.d.next = false;
            }
            if access && !write && address == STATUS as u64 {
                self.failed.d.next = (self.gpgpu.host.read_data.val() & STATUS_ERROR as u64).any();
            }
            if self.block_memory.memory_error.val() {
                self.refused.d.next = true;
            }
        }
        self.leds.next = bits::<8>(128)
            .replace_bit(0, self.running.q.val())
            .replace_bit(1, self.gpgpu.interrupt.val())
            .replace_bit(2, self.failed.q.val())
            .replace_bit(3, self.refused.q.val())
            .replace_bit(4, self.serial_host.line.busy.val())
            .replace_bit(5, self.serial_host.line.error.val())
            .replace_bit(6, self.gpgpu.restarting.val());
    }
}
