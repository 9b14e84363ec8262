//! What the maker of a launch knows about it beyond what the machine needs: the regions of its memories, how its
//! work-items are numbered, and which instructions read a divisor. A checker names them in its findings; engines ignore it.

use std::ops::Range;

/// What a region is, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegionKind {
    /// A buffer in global memory, an argument of the kernel.
    Buffer,
    /// Variables of the program in global memory.
    Variables,
    /// Shared memory whose size an argument of the kernel gives.
    LocalArgument,
    /// A variable in shared memory.
    LocalVariable,
    /// A variable in the local memory of each thread.
    PrivateVariable,
}

/// A region of memory that belongs together. Regions may overlap: two arguments can be the same buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The name of the parameter or variable; empty if nothing names it.
    pub name: String,
    /// What it is; this also says which memory it is in.
    pub kind: RegionKind,
    /// The index of the kernel's argument, from 0, if it is one.
    pub argument: Option<u32>,
    /// The index of the parameter word that holds its address, if one does. An address computed from this word belongs to
    /// this region.
    pub parameter: Option<u32>,
    /// Byte address of its first byte.
    pub address: u32,
    /// Bytes.
    pub bytes: u32,
    /// Bytes of an element, for indices in messages; 1 if that is not known.
    pub element: u32,
    /// The bytes that hold something before the launch, as sorted ranges of addresses.
    pub written: Vec<Range<u32>>,
}

impl Region {
    /// The addresses of its bytes.
    pub fn range(&self) -> Range<u32> {
        self.address..self.address.saturating_add(self.bytes)
    }

    /// True if an access of so many bytes lies entirely inside.
    pub fn holds(&self, address: u32, bytes: u32) -> bool {
        let offset = address.wrapping_sub(self.address);
        offset < self.bytes && self.bytes - offset >= bytes
    }

    /// True for a region of global memory.
    pub fn is_global(&self) -> bool {
        matches!(self.kind, RegionKind::Buffer | RegionKind::Variables)
    }

    /// True for a region of shared memory.
    pub fn is_shared(&self) -> bool {
        matches!(self.kind, RegionKind::LocalArgument | RegionKind::LocalVariable)
    }
}

/// How the work-items of an OpenCL kernel are numbered in a launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkItems {
    /// The first global index in each dimension.
    pub offset: [u32; 3],
    /// The work-group of the launch's first block.
    pub first_group: [u32; 3],
}

/// What is known about a launch. All of it may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchFacts {
    /// The regions of its memories. If none is in a memory, that memory is taken as one region.
    pub regions: Vec<Region>,
    /// Set for a kernel in OpenCL C.
    pub work_items: Option<WorkItems>,
    /// Byte addresses of the instructions whose source 1 is the divisor of an integer division, in rising order. A second
    /// address follows at once for a divisor of 64 bits: the instruction reads its other half.
    pub divisors: Vec<u32>,
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
