//! The chip with AXI on both sides: an AXI4-Lite slave for the host, and an AXI4 master to memory.
//!
//! ```text
//! s_axi ──> AXI4-Lite slave ── host bus ──> gpgpu ── memory port ──> AXI4 master ──> m_axi
//!                                             └────> interrupt
//! ```
//! `aresetn`, low for at least one cycle and synchronous like all of AXI, stops everything: meanwhile every VALID and
//! READY of the slave is low, a grid ends, registers get their power-up values. Afterwards the slave accepts accesses
//! at once, and answers them when the chip has come to rest, that is, when everything in flight in the SMs has ended.
//! `aresetn` may be tied high: without a reset the registers' initial values start the chip at rest.
//!
//! The interrupt rises when a grid has ended, normally or by an error, including SLVERR and DECERR of the memory, and
//! all of its writes have their B.

use super::axi4_lite_slave::Axi4LiteSlave;
use super::axi4_master::Axi4Master;
use super::ports::{AxiLitePort, AxiMasterPort};
use crate::chip::gpgpu::Gpgpu;
use crate::memory::MemorySizes;
use hdlkit::prelude::*;

/// The chip with SMS SMs (1 to 8) of LANES scalar processors (8, 16 or 32) on AXI buses.
#[derive(LogicBlock, Cycle, Blank)]
pub struct GpgpuAxi<const LANES: usize, const SMS: usize> {
    pub aclk: Signal<In, Clock>,
    pub aresetn: Signal<In, Bit>,
    // The host's registers and windows.
    pub s_axi: AxiLitePort,
    // Global memory.
    pub m_axi: AxiMasterPort,
    /// A grid has ended; stays high until the next start.
    pub interrupt: Signal<Out, Bit>,

    gpgpu: Gpgpu<LANES, SMS>,
    slave: Axi4LiteSlave,
    master: Axi4Master<LANES>,
    reset: Signal<Local, Bit>,
    _activity: Activity,
}

impl<const LANES: usize, const SMS: usize> GpgpuAxi<LANES, SMS> {
    /// A chip at rest, with zeroed memories of the sizes in the host's map.
    ///
    /// # Panics
    /// If LANES is not 8, 16 or 32, or SMS not 1 to 8.
    pub fn new() -> Self {
        Self::with_memories(MemorySizes::MOST)
    }

    /// The same with memories of these sizes.
    ///
    /// # Panics
    /// If memories of these sizes do not exist, or as [`GpgpuAxi::new`].
    pub fn with_memories(sizes: MemorySizes) -> Self {
        GpgpuAxi {
            gpgpu: Gpgpu::with_memories(sizes),
            master: Axi4Master::new(),
            ..Default::default()
        }
    }
}

impl<const LANES: usize, const SMS: usize> Logic for GpgpuAxi<LANES, SMS> {
    #[hdl_gen]
    fn update(&mut self) {
        self.gpgpu.clock.next = self.aclk.val();
        self.slave.clock.next = self.aclk.val();
        self.master.clock.next = self.aclk.val();
        self.reset.next = !self.aresetn.val();
        self.gpgpu.reset.next = self.reset.val();
        self.slave.reset.next = self.reset.val();
        self.interrupt.next = self.gpgpu.interrupt.val() && self.aresetn.val();

        // The host's side.
        AxiLitePort::link(&mut self.s_axi, &mut self.slave.s_axi);
        self.gpgpu.host_cycle.next = self.slave.host_cycle.val();
        self.gpgpu.host_strobe.next = self.slave.host_strobe.val();
        self.gpgpu.host_write.next = self.slave.host_write.val();
        self.gpgpu.host_address.next = self.slave.host_address.val();
        self.gpgpu.host_write_data.next = self.slave.host_write_data.val();
        self.slave.host_read_data.next = self.gpgpu.host_read_data.val();
        self.slave.host_acknowledge.next = self.gpgpu.host_acknowledge.val();
        self.slave.host_error.next = self.gpgpu.host_error.val();

        // The memory port.
        self.master.discard.next = self.gpgpu.restarting.val();
        self.master.request_valid.next = self.gpgpu.memory_request_valid.val();
        self.gpgpu.memory_request_ready.next = self.master.request_ready.val();
        self.master.request_write.next = self.gpgpu.memory_request_write.val();
        self.master.request_address.next = self.gpgpu.memory_request_address.val();
        self.gpgpu.memory_response_valid.next = self.master.response_valid.val();
        self.gpgpu.memory_error.next = self.master.error.val();
        self.gpgpu.memory_busy.next = self.master.busy.val();
        for i in 0..LANES {
            self.master.request_data[i].next = self.gpgpu.memory_request_data[i].val();
            self.master.request_enable[i].next = self.gpgpu.memory_request_enable[i].val();
            self.gpgpu.memory_response_data[i].next = self.master.response_data[i].val();
        }

        // The memory's side.
        AxiMasterPort::link(&mut self.m_axi, &mut self.master.m_axi);
    }
}
