//! The chip with AXI on both sides: an AXI4-Lite slave for the host, and an AXI4 master to memory.
//!
//! ```text
//! s_axi ──> AXI4-Lite slave ── host bus ──> gpgpu ── memory port ──> AXI4 master ──> m_axi
//!                                             └────> interrupt
//! ```
//! `aresetn`, low for at least one cycle and synchronous like all of AXI, stops everything. While it is low, every
//! VALID and READY of the slave is low, a grid ends, and registers get their power-up values. Afterwards the slave
//! accepts accesses at once, and answers them when everything in flight in the SMs has ended. `aresetn` may be tied
//! high: without a reset the registers' initial values start the chip at rest.
//!
//! The interrupt rises when a grid has ended, normally or by an error, including SLVERR and DECERR of the memory, and
//! all of its writes have their B.

use super::axi4_lite_slave::Axi4LiteSlave;
use super::axi4_master::Axi4Master;
use crate::chip::gpgpu::Gpgpu;
use crate::parameters::SmParameters;
use crate::ports::{AxiLitePort, AxiMasterPort, HostSlavePort, MemoryMasterPort};
use hdlkit::prelude::*;

/// The chip with SMS SMs (1 to 8) of LANES scalar processors (8, 16 or 32) on AXI buses.
#[circuit(clock = aclk)]
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
    /// Atomic operations exist: from capability 1.1 on.
    has_atomics: Constant<Bit>,
}

impl<const LANES: usize, const SMS: usize> GpgpuAxi<LANES, SMS> {
    /// A chip at rest, with zeroed memories, of SMs with these parameters.
    ///
    /// # Panics
    /// If memories of these sizes do not exist, LANES is not 8, 16 or 32, or SMS not 1 to 8.
    pub fn new(parameters: SmParameters) -> Self {
        GpgpuAxi {
            gpgpu: Gpgpu::with(parameters),
            master: Axi4Master::new(parameters.capability),
            has_atomics: Constant::new(parameters.capability.has_atomics()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize, const SMS: usize> Logic for GpgpuAxi<LANES, SMS> {
    #[hdl_gen]
    fn update(&mut self) {
        self.gpgpu.reset.next = !self.aresetn.val();
        self.slave.reset.next = !self.aresetn.val();
        self.interrupt.next = self.gpgpu.interrupt.val() && self.aresetn.val();

        // Connects the host's bus.
        AxiLitePort::link(&mut self.s_axi, &mut self.slave.s_axi);
        HostSlavePort::join(&mut self.gpgpu.host, &mut self.slave.host);

        // Connects the memory port.
        self.master.discard.next = self.gpgpu.restarting.val();
        MemoryMasterPort::<LANES>::join(&mut self.gpgpu.memory, &mut self.master.memory);
        self.gpgpu.memory_error.next = self.master.error.val();
        self.gpgpu.memory_busy.next = self.master.busy.val();
        if self.has_atomics.val() {
            self.master.memory_locked[0].next = self.gpgpu.memory_locked[0].val();
            self.gpgpu.memory_failed[0].next = self.master.memory_failed[0].val();
        }

        // Connects the memory's bus.
        AxiMasterPort::link(&mut self.m_axi, &mut self.master.m_axi);
    }
}
