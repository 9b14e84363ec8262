//! Facts about a launch that the machine does not need: the regions of its memories, the numbering of work-items, and
//! the instructions that read a divisor. A checker names them in its findings; engines ignore them.

use std::ops::Range;

/// The kind of a region, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegionKind {
    /// A buffer in global memory, an argument of the kernel.
    Buffer,
    /// Variables of the program in global memory.
    Variables,
    /// Shared memory of a size that an argument of the kernel gives.
    LocalArgument,
    /// A variable in shared memory.
    LocalVariable,
    /// A variable in the local memory of each thread.
    PrivateVariable,
    /// The buffer in global memory that the program prints to. Only the compiler's own code uses it.
    Printf,
}

/// A contiguous region of memory. Regions may overlap: two arguments can be the same buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The name of the parameter or variable; empty if there is none.
    pub name: String,
    /// The kind, which also determines the memory.
    pub kind: RegionKind,
    /// The index of the kernel's argument, from 0, if the region is one.
    pub argument: Option<u32>,
    /// The index of the parameter word with its address, if there is one. An address computed from this word belongs to
    /// this region. Words from [`MAX_PARAMETERS`](crate::sizes::MAX_PARAMETERS) on are in the constant bank
    /// [`PARAMETER_BANK`](crate::sizes::PARAMETER_BANK).
    pub parameter: Option<u32>,
    /// Byte address of its first byte.
    pub address: u32,
    /// The size in bytes.
    pub bytes: u32,
    /// The size of an element in bytes, for indices in messages; 1 if unknown.
    pub element: u32,
    /// The bytes with initial contents, as sorted ranges of addresses.
    pub written: Vec<Range<u32>>,
}

impl Region {
    /// The addresses of its bytes.
    pub fn range(&self) -> Range<u32> {
        self.address..self.address.saturating_add(self.bytes)
    }

    /// True if an access of `bytes` bytes lies entirely inside.
    pub fn holds(&self, address: u32, bytes: u32) -> bool {
        let offset = address.wrapping_sub(self.address);
        offset < self.bytes && self.bytes - offset >= bytes
    }

    /// True for a region of global memory.
    pub fn is_global(&self) -> bool {
        matches!(
            self.kind,
            RegionKind::Buffer | RegionKind::Variables | RegionKind::Printf
        )
    }

    /// True for a region of shared memory.
    pub fn is_shared(&self) -> bool {
        matches!(self.kind, RegionKind::LocalArgument | RegionKind::LocalVariable)
    }
}

/// The memories that a barrier orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fence {
    /// Global memory.
    pub global: bool,
    /// The block's shared memory.
    pub shared: bool,
}

impl Fence {
    /// Both memories.
    pub const ALL: Fence = Fence {
        global: true,
        shared: true,
    };
}

/// The numbering of the work-items of an OpenCL kernel in a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkItems {
    /// The first global index in each dimension.
    pub offset: [u32; 3],
    /// The work-group of the launch's first block.
    pub first_group: [u32; 3],
}

/// Optional facts about a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchFacts {
    /// The regions of its memories. A memory without regions counts as one region.
    pub regions: Vec<Region>,
    /// The numbering of work-items, for a kernel in OpenCL C.
    pub work_items: Option<WorkItems>,
    /// Byte addresses of the instructions that read the divisor of an integer division: it is zero if all of their
    /// sources are.
    pub divisors: Vec<u32>,
    /// Byte addresses of barriers that the source requires to order only one memory, with that memory. The machine
    /// orders both memories.
    pub fences: Vec<(u32, Fence)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_holds_whole_accesses_only() {
        let region = Region {
            name: "a".into(),
            kind: RegionKind::Buffer,
            argument: Some(0),
            parameter: None,
            address: 256,
            bytes: 10,
            element: 4,
            written: Vec::new(),
        };
        assert!(region.holds(256, 4) && region.holds(264, 2));
        assert!(!region.holds(264, 4) && !region.holds(255, 1) && !region.holds(266, 1));
        assert_eq!(region.range(), 256..266);
    }
}
