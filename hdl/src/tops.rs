//! All circuits that can be exported. Only this file instantiates them for every number of lanes and SMs.
//!
//! Each size is a type with its own compiled kernels. Exporting or compiling a circuit needs no kernels, only
//! [`Structure`]. So a program contains the kernels of one size, 8 lanes and 1 SM, unless the feature `all-sizes` is
//! on: see [`KERNEL_SIZES`].

use crate::board::gpgpu_board::{Board, BoardSizes};
use crate::board::lane_board::LaneBoard;
use crate::bus::axi4_lite_slave::Axi4LiteSlave;
use crate::bus::axi4_master::Axi4Master;
use crate::bus::gpgpu_axi::GpgpuAxi;
use crate::bus::gpgpu_wishbone::GpgpuWishbone;
use crate::bus::wishbone_master::WishboneMaster;
use crate::chip::block_scheduler::BlockScheduler;
use crate::chip::gpgpu::Gpgpu;
use crate::execute::double::DoubleUnit;
use crate::execute::integer::IntegerLane;
use crate::memory::global::GlobalMemoryUnit;
use crate::memory::port_arbiter::PortArbiter;
use crate::memory::MemorySizes;
use crate::operands::register_file::RegisterFile;
use crate::parameters::MachineParameters;
use crate::streaming_multiprocessor::StreamingMultiprocessor;
use flexgrip_machine::sizes::{Lanes, Sms};
use hdlkit::prelude::*;
use hdlkit::Circuit;

/// The machine sizes with kernels in this program, as text.
pub const KERNEL_SIZES: &str = match cfg!(feature = "all-sizes") {
    true => "8, 16 or 32 lanes and 1, 2 or 4 SMs",
    false => "8 lanes and 1 SM",
};

/// Declares the tops, each with its module's name.
macro_rules! declare_tops {
    ($($(#[$about:meta])* $top:ident $name:literal,)*) => {
        /// A circuit that can be exported as a top module.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Top {
            $($(#[$about])* $top,)*
        }

        impl Top {
            /// All tops.
            pub const ALL: [Top; [$($name),*].len()] = [$(Top::$top),*];

            /// The name of the Verilog module.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Top::$top => $name,)*
                }
            }
        }
    };
}

declare_tops! {
    /// The whole machine: host interface, block scheduler, streaming multiprocessors.
    Gpgpu "gpgpu",
    /// The whole machine on Wishbone buses.
    GpgpuWishbone "gpgpu_wishbone",
    /// The whole machine on AXI buses.
    GpgpuAxi "gpgpu_axi",
    /// The whole machine with one SM, a serial line to its host, and global memory in block RAM.
    Board "board",
    /// One integer lane with a serial line to its host; the same for every number of lanes.
    LaneBoard "lane_board",
    /// The bridge from the memory port to a Wishbone pipelined master.
    WishboneMaster "wishbone_master",
    /// The bridge from the memory port to an AXI4 master.
    Axi4Master "axi4_master",
    /// The bridge from an AXI4-Lite slave to the host bus; the same for every size.
    Axi4LiteSlave "axi4_lite_slave",
    /// One streaming multiprocessor.
    StreamingMultiprocessor "streaming_multiprocessor",
    /// The unit that dispatches blocks to the streaming multiprocessors.
    BlockScheduler "block_scheduler",
    /// The arbiter between the streaming multiprocessors' requests and the one memory port.
    PortArbiter "port_arbiter",
    /// The unit between the lanes and the global memory port.
    GlobalMemoryUnit "global_memory_unit",
    /// The register file of a streaming multiprocessor.
    RegisterFile "register_file",
    /// The integer unit of one scalar processor; the same for every number of lanes.
    IntegerLane "integer_lane",
    /// The double-precision unit of machines of capability 1.3.
    DoubleUnit "double_unit",
}

/// Calls another macro with the machine's numbers of lanes and SMs as literals, because types need constants.
macro_rules! of_size {
    ($lanes:expr, $sms:expr, $call:ident!) => {
        match ($lanes, $sms) {
            (Lanes::Eight, Sms::One) => $call!(8, 1),
            (Lanes::Eight, Sms::Two) => $call!(8, 2),
            (Lanes::Eight, Sms::Four) => $call!(8, 4),
            (Lanes::Sixteen, Sms::One) => $call!(16, 1),
            (Lanes::Sixteen, Sms::Two) => $call!(16, 2),
            (Lanes::Sixteen, Sms::Four) => $call!(16, 4),
            (Lanes::ThirtyTwo, Sms::One) => $call!(32, 1),
            (Lanes::ThirtyTwo, Sms::Two) => $call!(32, 2),
            (Lanes::ThirtyTwo, Sms::Four) => $call!(32, 4),
        }
    };
}

impl Top {
    /// True if the top has a serial line.
    pub const fn has_line(self) -> bool {
        matches!(self, Top::Board | Top::LaneBoard)
    }

    /// True if the top may have several SMs, or a part for each SM.
    pub const fn has_sms(self) -> bool {
        matches!(self, Top::Gpgpu | Top::GpgpuWishbone | Top::GpgpuAxi | Top::BlockScheduler | Top::PortArbiter)
    }

    /// True if the top has a register file.
    pub const fn has_registers(self) -> bool {
        matches!(
            self,
            Top::Gpgpu
                | Top::GpgpuWishbone
                | Top::GpgpuAxi
                | Top::Board
                | Top::StreamingMultiprocessor
                | Top::RegisterFile
        )
    }

    /// The default memory sizes of the top.
    pub const fn memories(self) -> MemorySizes {
        match self {
            Top::Board => BoardSizes::SMALL.memories,
            _ => MemorySizes::MOST,
        }
    }

    /// The circuit at rest, for machines with `lanes` lanes in each of `sms` SMs. `sizes` is ignored by circuits
    /// without memories, instructions or a serial line.
    pub fn circuit(self, lanes: Lanes, sms: Sms, sizes: BoardSizes) -> Box<dyn Structure> {
        macro_rules! circuit {
            ($lanes:literal, $sms:literal) => {
                self.of_sizes::<$lanes, $sms>(sizes)
            };
        }
        of_size!(lanes, sms, circuit!)
    }

    fn of_sizes<const LANES: usize, const SMS: usize>(self, sizes: BoardSizes) -> Box<dyn Structure> {
        let (memories, parameters) = (sizes.memories, sizes.parameters());
        match self {
            Top::Gpgpu => Box::new(Gpgpu::<LANES, SMS>::with(parameters)),
            Top::GpgpuWishbone => Box::new(GpgpuWishbone::<LANES, SMS>::new(parameters)),
            Top::GpgpuAxi => Box::new(GpgpuAxi::<LANES, SMS>::new(parameters)),
            Top::Board => Box::new(Board::<LANES>::new(sizes)),
            Top::LaneBoard => Box::new(LaneBoard::new(sizes.clocks_per_bit)),
            Top::WishboneMaster => Box::new(WishboneMaster::<LANES>::new(parameters.capability)),
            Top::Axi4Master => Box::new(Axi4Master::<LANES>::new(parameters.capability)),
            Top::Axi4LiteSlave => Box::new(Axi4LiteSlave::blank()),
            Top::StreamingMultiprocessor => Box::new(StreamingMultiprocessor::<LANES>::new(parameters)),
            Top::BlockScheduler => Box::new(BlockScheduler::<LANES, SMS>::default()),
            Top::PortArbiter => Box::new(PortArbiter::<SMS>::default()),
            Top::GlobalMemoryUnit => Box::new(GlobalMemoryUnit::<LANES>::new(parameters.capability)),
            Top::RegisterFile => Box::new(RegisterFile::<LANES>::new(memories.registers, parameters.protect)),
            Top::IntegerLane => Box::new(IntegerLane::blank()),
            Top::DoubleUnit => Box::new(DoubleUnit::blank()),
        }
    }
}

/// The whole machine, at rest, with the largest memories; see [`Top::circuit`].
pub fn machine(parameters: MachineParameters) -> Box<dyn Structure> {
    let MachineParameters { lanes, sms, capability, protect } = parameters;
    let sizes = BoardSizes { memories: MemorySizes::MOST, capability, protect, ..BoardSizes::SMALL };
    Top::Gpgpu.circuit(lanes, sms, sizes)
}

/// The whole machine with its kernels, at rest, for the cycle engine. `None` if this program has no kernels of this
/// size: see [`KERNEL_SIZES`].
pub fn machine_with_kernels(parameters: MachineParameters) -> Option<Box<dyn Circuit>> {
    let MachineParameters { lanes, sms, .. } = parameters;
    let parameters = parameters.of_sms();
    #[cfg(feature = "all-sizes")]
    {
        macro_rules! kernels {
            ($lanes:literal, $sms:literal) => {
                Some(Box::new(Gpgpu::<$lanes, $sms>::with(parameters)))
            };
        }
        of_size!(lanes, sms, kernels!)
    }
    #[cfg(not(feature = "all-sizes"))]
    match (lanes, sms) {
        (Lanes::Eight, Sms::One) => Some(Box::new(Gpgpu::<8, 1>::with(parameters))),
        _ => None,
    }
}
