//! The chip with Wishbone on both sides: the host's classic slave, and a pipelined master to memory.
//!
//! ```text
//! wbs ──> gpgpu ── memory port ──> wishbone master ──> wbm
//!           └────> interrupt
//! ```
//! `wb_rst_i`, high for at least one cycle, stops everything: both buses are quiet in the same cycle, a grid ends, and
//! registers get their power-up values. The slave answers again when everything in flight in the SMs has ended; until
//! then its transfers wait. Without a reset the registers' initial values start the chip at rest.
//!
//! The interrupt rises when a grid has ended, normally or by an error, including ERR of the memory, and all of its
//! writes are acknowledged.

use super::wishbone_master::WishboneMaster;
use crate::chip::gpgpu::Gpgpu;
use crate::parameters::SmParameters;
use crate::ports::{MemoryMasterPort, WishboneMasterPort};
use hdlkit::prelude::*;

/// The chip with SMS SMs (1 to 8) of LANES scalar processors (8, 16 or 32) on Wishbone buses.
#[circuit(clock = wb_clk_i)]
pub struct GpgpuWishbone<const LANES: usize, const SMS: usize> {
    pub wb_clk_i: Signal<In, Clock>,
    pub wb_rst_i: Signal<In, Bit>,
    // The host's registers and windows, classic, whole words.
    pub wbs_cyc_i: Signal<In, Bit>,
    pub wbs_stb_i: Signal<In, Bit>,
    pub wbs_we_i: Signal<In, Bit>,
    /// Byte address.
    pub wbs_adr_i: Signal<In, Bits<32>>,
    pub wbs_dat_i: Signal<In, Bits<32>>,
    pub wbs_dat_o: Signal<Out, Bits<32>>,
    pub wbs_ack_o: Signal<Out, Bit>,
    pub wbs_err_o: Signal<Out, Bit>,
    // Global memory, pipelined.
    pub wbm: WishboneMasterPort,
    /// A grid has ended; stays high until the next start.
    pub interrupt: Signal<Out, Bit>,

    gpgpu: Gpgpu<LANES, SMS>,
    master: WishboneMaster<LANES>,
    /// Atomic operations exist: from capability 1.1 on.
    has_atomics: Constant<Bit>,
}

impl<const LANES: usize, const SMS: usize> GpgpuWishbone<LANES, SMS> {
    /// A chip at rest, with zeroed memories, of SMs with these parameters.
    ///
    /// # Panics
    /// If memories of these sizes do not exist, LANES is not 8, 16 or 32, or SMS not 1 to 8.
    pub fn new(parameters: SmParameters) -> Self {
        GpgpuWishbone {
            gpgpu: Gpgpu::with(parameters),
            master: WishboneMaster::new(parameters.capability),
            has_atomics: Constant::new(parameters.capability.has_atomics()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize, const SMS: usize> Logic for GpgpuWishbone<LANES, SMS> {
    #[hdl_gen]
    fn update(&mut self) {
        self.gpgpu.reset.next = self.wb_rst_i.val();

        self.gpgpu.host.cycle.next = self.wbs_cyc_i.val();
        self.gpgpu.host.strobe.next = self.wbs_stb_i.val();
        self.gpgpu.host.write.next = self.wbs_we_i.val();
        self.gpgpu.host.address.next = self.wbs_adr_i.val();
        self.gpgpu.host.write_data.next = self.wbs_dat_i.val();
        self.wbs_dat_o.next = self.gpgpu.host.read_data.val();
        self.wbs_ack_o.next = self.gpgpu.host.acknowledge.val() && !self.wb_rst_i.val();
        self.wbs_err_o.next = self.gpgpu.host.error.val() && !self.wb_rst_i.val();
        self.interrupt.next = self.gpgpu.interrupt.val() && !self.wb_rst_i.val();

        self.master.discard.next = self.gpgpu.restarting.val();
        MemoryMasterPort::<LANES>::join(&mut self.gpgpu.memory, &mut self.master.memory);
        self.gpgpu.memory_error.next = self.master.error.val();
        self.gpgpu.memory_busy.next = self.master.busy.val();
        if self.has_atomics.val() {
            self.master.memory_locked[0].next = self.gpgpu.memory_locked[0].val();
            self.gpgpu.memory_failed[0].next = false;
        }

        WishboneMasterPort::link(&mut self.wbm, &mut self.master.wbm);
    }
}
