//! Bundles of ports that several circuits share. A circuit links its bundle to the bundle of a circuit inside it, or
//! joins a master's to a slave's; `mirror` names the bundle of the other side. In Verilog a port has the bundle's name
//! as a prefix: `m_axi_awvalid`, `host_strobe`, `memory_request_valid`.

use hdlkit::prelude::*;

/// The host bus of the chip, as a slave: Wishbone B4 classic, whole words. See `host_interface/` for its timing.
#[interface(mirror = HostMasterPort)]
pub struct HostSlavePort {
    /// CYC
    pub cycle: Signal<In, Bit>,
    /// STB
    pub strobe: Signal<In, Bit>,
    /// WE
    pub write: Signal<In, Bit>,
    /// ADR, a byte address.
    pub address: Signal<In, Bits<32>>,
    /// DAT from the host.
    pub write_data: Signal<In, Bits<32>>,
    /// DAT to the host, valid with ACK.
    pub read_data: Signal<Out, Bits<32>>,
    /// ACK
    pub acknowledge: Signal<Out, Bit>,
    /// ERR
    pub error: Signal<Out, Bit>,
}

/// The port to global memory, LANES words wide, on the chip's side.
///
/// A request transfers in a cycle with valid and ready and is stable until then. Each read has one response, in request
/// order, at least a cycle after its transfer. A response cannot be stalled; a write has none.
#[interface(mirror = MemorySlavePort)]
pub struct MemoryMasterPort<const LANES: usize> {
    pub request_valid: Signal<Out, Bit>,
    pub request_ready: Signal<In, Bit>,
    pub request_write: Signal<Out, Bit>,
    /// A byte address, a multiple of the segment size, LANES * 4.
    pub request_address: Signal<Out, Bits<32>>,
    /// Word i is for the address + 4 * i.
    pub request_data: [Signal<Out, Bits<32>>; LANES],
    /// Byte enables of each word to write, bit 0 for bits 7..0; for a read, not 0 if the word is requested.
    pub request_enable: [Signal<Out, Bits<4>>; LANES],
    pub response_valid: Signal<In, Bit>,
    /// Undefined in words that were not requested.
    pub response_data: [Signal<In, Bits<32>>; LANES],
}

/// An AXI4-Lite slave of 32-bit words, without PROT. Addresses are of bytes.
#[interface]
pub struct AxiLitePort {
    pub awvalid: Signal<In, Bit>,
    pub awready: Signal<Out, Bit>,
    pub awaddr: Signal<In, Bits<32>>,
    pub wvalid: Signal<In, Bit>,
    pub wready: Signal<Out, Bit>,
    pub wdata: Signal<In, Bits<32>>,
    /// A write of less than the whole word is refused with SLVERR.
    pub wstrb: Signal<In, Bits<4>>,
    pub bvalid: Signal<Out, Bit>,
    pub bready: Signal<In, Bit>,
    /// 0 OKAY, 2 SLVERR.
    pub bresp: Signal<Out, Bits<2>>,
    pub arvalid: Signal<In, Bit>,
    pub arready: Signal<Out, Bit>,
    pub araddr: Signal<In, Bits<32>>,
    pub rvalid: Signal<Out, Bit>,
    pub rready: Signal<In, Bit>,
    pub rdata: Signal<Out, Bits<32>>,
    /// 0 OKAY, 2 SLVERR.
    pub rresp: Signal<Out, Bits<2>>,
}

/// An AXI4 master of 32-bit words with IDs of one bit. Bursts are INCR, of 1 to LANES words. ID and PROT are 0, SIZE is
/// 2 (4 bytes), CACHE is 3 (bufferable). LOCK is 0 but for accesses of atomic operations, whose CACHE is 2.
#[interface]
pub struct AxiMasterPort {
    pub awid: Signal<Out, Bits<1>>,
    pub awaddr: Signal<Out, Bits<32>>,
    /// Words of the burst - 1.
    pub awlen: Signal<Out, Bits<8>>,
    pub awsize: Signal<Out, Bits<3>>,
    pub awburst: Signal<Out, Bits<2>>,
    pub awlock: Signal<Out, Bit>,
    pub awcache: Signal<Out, Bits<4>>,
    pub awprot: Signal<Out, Bits<3>>,
    pub awvalid: Signal<Out, Bit>,
    pub awready: Signal<In, Bit>,
    pub wdata: Signal<Out, Bits<32>>,
    pub wstrb: Signal<Out, Bits<4>>,
    pub wlast: Signal<Out, Bit>,
    pub wvalid: Signal<Out, Bit>,
    pub wready: Signal<In, Bit>,
    pub bid: Signal<In, Bits<1>>,
    pub bresp: Signal<In, Bits<2>>,
    pub bvalid: Signal<In, Bit>,
    pub bready: Signal<Out, Bit>,
    pub arid: Signal<Out, Bits<1>>,
    pub araddr: Signal<Out, Bits<32>>,
    /// Words of the burst - 1.
    pub arlen: Signal<Out, Bits<8>>,
    pub arsize: Signal<Out, Bits<3>>,
    pub arburst: Signal<Out, Bits<2>>,
    pub arlock: Signal<Out, Bit>,
    pub arcache: Signal<Out, Bits<4>>,
    pub arprot: Signal<Out, Bits<3>>,
    pub arvalid: Signal<Out, Bit>,
    pub arready: Signal<In, Bit>,
    pub rid: Signal<In, Bits<1>>,
    pub rdata: Signal<In, Bits<32>>,
    pub rresp: Signal<In, Bits<2>>,
    /// Ignored by this chip's master, which counts the words of its requests.
    pub rlast: Signal<In, Bit>,
    pub rvalid: Signal<In, Bit>,
    pub rready: Signal<Out, Bit>,
}

/// A Wishbone B4 pipelined master of 32-bit words.
#[interface]
pub struct WishboneMasterPort {
    pub cyc_o: Signal<Out, Bit>,
    pub stb_o: Signal<Out, Bit>,
    pub we_o: Signal<Out, Bit>,
    /// A byte address, a multiple of 4.
    pub adr_o: Signal<Out, Bits<32>>,
    /// Byte enables of a write; 0xf for a read.
    pub sel_o: Signal<Out, Bits<4>>,
    pub dat_o: Signal<Out, Bits<32>>,
    pub stall_i: Signal<In, Bit>,
    pub ack_i: Signal<In, Bit>,
    /// An error answer, which ends an access like `ack_i`.
    pub err_i: Signal<In, Bit>,
    pub dat_i: Signal<In, Bits<32>>,
}
