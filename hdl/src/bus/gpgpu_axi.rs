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
use crate::gpgpu::Gpgpu;
use crate::memory::MemorySizes;
use hdlkit::prelude::*;

/// The chip with SMS SMs (1 to 8) of LANES scalar processors (8, 16 or 32) on AXI buses.
#[derive(LogicBlock, Cycle, Blank)]
pub struct GpgpuAxi<const LANES: usize, const SMS: usize> {
    pub aclk: Signal<In, Clock>,
    pub aresetn: Signal<In, Bit>,
    // The host's registers and windows.
    pub s_axi_awvalid: Signal<In, Bit>,
    pub s_axi_awready: Signal<Out, Bit>,
    pub s_axi_awaddr: Signal<In, Bits<32>>,
    pub s_axi_wvalid: Signal<In, Bit>,
    pub s_axi_wready: Signal<Out, Bit>,
    pub s_axi_wdata: Signal<In, Bits<32>>,
    pub s_axi_wstrb: Signal<In, Bits<4>>,
    pub s_axi_bvalid: Signal<Out, Bit>,
    pub s_axi_bready: Signal<In, Bit>,
    pub s_axi_bresp: Signal<Out, Bits<2>>,
    pub s_axi_arvalid: Signal<In, Bit>,
    pub s_axi_arready: Signal<Out, Bit>,
    pub s_axi_araddr: Signal<In, Bits<32>>,
    pub s_axi_rvalid: Signal<Out, Bit>,
    pub s_axi_rready: Signal<In, Bit>,
    pub s_axi_rdata: Signal<Out, Bits<32>>,
    pub s_axi_rresp: Signal<Out, Bits<2>>,
    // Global memory.
    pub m_axi_awid: Signal<Out, Bits<1>>,
    pub m_axi_awaddr: Signal<Out, Bits<32>>,
    pub m_axi_awlen: Signal<Out, Bits<8>>,
    pub m_axi_awsize: Signal<Out, Bits<3>>,
    pub m_axi_awburst: Signal<Out, Bits<2>>,
    pub m_axi_awlock: Signal<Out, Bit>,
    pub m_axi_awcache: Signal<Out, Bits<4>>,
    pub m_axi_awprot: Signal<Out, Bits<3>>,
    pub m_axi_awvalid: Signal<Out, Bit>,
    pub m_axi_awready: Signal<In, Bit>,
    pub m_axi_wdata: Signal<Out, Bits<32>>,
    pub m_axi_wstrb: Signal<Out, Bits<4>>,
    pub m_axi_wlast: Signal<Out, Bit>,
    pub m_axi_wvalid: Signal<Out, Bit>,
    pub m_axi_wready: Signal<In, Bit>,
    pub m_axi_bid: Signal<In, Bits<1>>,
    pub m_axi_bresp: Signal<In, Bits<2>>,
    pub m_axi_bvalid: Signal<In, Bit>,
    pub m_axi_bready: Signal<Out, Bit>,
    pub m_axi_arid: Signal<Out, Bits<1>>,
    pub m_axi_araddr: Signal<Out, Bits<32>>,
    pub m_axi_arlen: Signal<Out, Bits<8>>,
    pub m_axi_arsize: Signal<Out, Bits<3>>,
    pub m_axi_arburst: Signal<Out, Bits<2>>,
    pub m_axi_arlock: Signal<Out, Bit>,
    pub m_axi_arcache: Signal<Out, Bits<4>>,
    pub m_axi_arprot: Signal<Out, Bits<3>>,
    pub m_axi_arvalid: Signal<Out, Bit>,
    pub m_axi_arready: Signal<In, Bit>,
    pub m_axi_rid: Signal<In, Bits<1>>,
    pub m_axi_rdata: Signal<In, Bits<32>>,
    pub m_axi_rresp: Signal<In, Bits<2>>,
    pub m_axi_rlast: Signal<In, Bit>,
    pub m_axi_rvalid: Signal<In, Bit>,
    pub m_axi_rready: Signal<Out, Bit>,
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
        self.slave.s_axi_awvalid.next = self.s_axi_awvalid.val();
        self.s_axi_awready.next = self.slave.s_axi_awready.val();
        self.slave.s_axi_awaddr.next = self.s_axi_awaddr.val();
        self.slave.s_axi_wvalid.next = self.s_axi_wvalid.val();
        self.s_axi_wready.next = self.slave.s_axi_wready.val();
        self.slave.s_axi_wdata.next = self.s_axi_wdata.val();
        self.slave.s_axi_wstrb.next = self.s_axi_wstrb.val();
        self.s_axi_bvalid.next = self.slave.s_axi_bvalid.val();
        self.slave.s_axi_bready.next = self.s_axi_bready.val();
        self.s_axi_bresp.next = self.slave.s_axi_bresp.val();
        self.slave.s_axi_arvalid.next = self.s_axi_arvalid.val();
        self.s_axi_arready.next = self.slave.s_axi_arready.val();
        self.slave.s_axi_araddr.next = self.s_axi_araddr.val();
        self.s_axi_rvalid.next = self.slave.s_axi_rvalid.val();
        self.slave.s_axi_rready.next = self.s_axi_rready.val();
        self.s_axi_rdata.next = self.slave.s_axi_rdata.val();
        self.s_axi_rresp.next = self.slave.s_axi_rresp.val();
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
        self.m_axi_awid.next = self.master.m_axi_awid.val();
        self.m_axi_awaddr.next = self.master.m_axi_awaddr.val();
        self.m_axi_awlen.next = self.master.m_axi_awlen.val();
        self.m_axi_awsize.next = self.master.m_axi_awsize.val();
        self.m_axi_awburst.next = self.master.m_axi_awburst.val();
        self.m_axi_awlock.next = self.master.m_axi_awlock.val();
        self.m_axi_awcache.next = self.master.m_axi_awcache.val();
        self.m_axi_awprot.next = self.master.m_axi_awprot.val();
        self.m_axi_awvalid.next = self.master.m_axi_awvalid.val();
        self.master.m_axi_awready.next = self.m_axi_awready.val();
        self.m_axi_wdata.next = self.master.m_axi_wdata.val();
        self.m_axi_wstrb.next = self.master.m_axi_wstrb.val();
        self.m_axi_wlast.next = self.master.m_axi_wlast.val();
        self.m_axi_wvalid.next = self.master.m_axi_wvalid.val();
        self.master.m_axi_wready.next = self.m_axi_wready.val();
        self.master.m_axi_bid.next = self.m_axi_bid.val();
        self.master.m_axi_bresp.next = self.m_axi_bresp.val();
        self.master.m_axi_bvalid.next = self.m_axi_bvalid.val();
        self.m_axi_bready.next = self.master.m_axi_bready.val();
        self.m_axi_arid.next = self.master.m_axi_arid.val();
        self.m_axi_araddr.next = self.master.m_axi_araddr.val();
        self.m_axi_arlen.next = self.master.m_axi_arlen.val();
        self.m_axi_arsize.next = self.master.m_axi_arsize.val();
        self.m_axi_arburst.next = self.master.m_axi_arburst.val();
        self.m_axi_arlock.next = self.master.m_axi_arlock.val();
        self.m_axi_arcache.next = self.master.m_axi_arcache.val();
        self.m_axi_arprot.next = self.master.m_axi_arprot.val();
        self.m_axi_arvalid.next = self.master.m_axi_arvalid.val();
        self.master.m_axi_arready.next = self.m_axi_arready.val();
        self.master.m_axi_rid.next = self.m_axi_rid.val();
        self.master.m_axi_rdata.next = self.m_axi_rdata.val();
        self.master.m_axi_rresp.next = self.m_axi_rresp.val();
        self.master.m_axi_rlast.next = self.m_axi_rlast.val();
        self.master.m_axi_rvalid.next = self.m_axi_rvalid.val();
        self.m_axi_rready.next = self.master.m_axi_rready.val();
    }
}
