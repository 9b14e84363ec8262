//! The chip with AXI on both sides: an AXI4-Lite slave for the host, and an AXI4 master to memory.
//!
//! ```text
//! s_axi ──> AXI4-Lite slave ── host bus ──> gpgpu ── memory port ──> AXI4 master ──> m_axi
//!                                             └────> interrupt
//! ```
//! `aresetn`, low for a cycle or longer and synchronous as all of AXI, stops everything: no VALID and no READY of the slave is
//! high in these cycles, a grid ends, registers have their power-up values. The slave takes accesses again at once, and
//! answers them when the chip has come to rest, which what is under way in the SMs takes. It may be tied high: without a reset
//! the chip starts at rest, by the registers' initial values.
//!
//! The interrupt rises when a grid has ended, by itself or by an error, SLVERR and DECERR of the memory included, and all of
//! its writes have their B.

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
    /// A grid has ended; until the next start.
    pub interrupt: Signal<Out, Bit>,

    gpgpu: Gpgpu<LANES, SMS>,
    slave: Axi4LiteSlave,
    master: Axi4Master<LANES>,
    reset: Signal<Local, Bit>,
    _activity: Activity,
}

impl<const LANES: usize, const SMS: usize> GpgpuAxi<LANES, SMS> {
    /// A chip at rest, memories zero and of the sizes of the host's map.
    ///
    /// # Panics
    /// If LANES is not 8, 16 or 32, or SMS not 1 to 8.
    pub fn new() -> Self {
        Self::with_memories(MemorySizes::MOST)
    }

    /// The same with memories of these sizes.
    ///
    /// # Panics
    /// If there are no such memories, or as [`GpgpuAxi::new`].
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
