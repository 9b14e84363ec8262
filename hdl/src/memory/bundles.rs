//! The bundles between the stages of the global memory unit.

use crate::bundles::*;
use hdlkit::prelude::*;

/// A beat in the queue, without its addresses, lanes and data.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct QueuedBeat {
    pub beat: MemoryBeat,
    pub store: Bit,
    /// log2 of the access size in bytes: 0 to 4.
    pub size: Bits<3>,
    /// Sign-extend a load of less than 32 bits.
    pub is_signed: Bit,
    /// The beat's lanes make illegal accesses.
    pub fault: Bit,
}

/// A lane of a beat in the queue: its address, and true if it accesses memory.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LaneAccess {
    /// A byte address in external memory; in a faulting beat, the thread's own address.
    pub address: Bits<32>,
    pub accesses: Bit,
}

/// State of the queue of beats.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BeatQueue {
    /// Entries of the next beat to enter and to leave; number of beats in the queue, 0 to 16.
    pub tail: Bits<4>,
    pub head: Bits<4>,
    pub waiting: Bits<5>,
    /// An instruction's last beat has been split, so the instruction's entries are free.
    pub dequeued: Bit,
}

/// The error, and the fields of the first faulting beat since `clear` that the error needs and the queue does not hold.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FirstFault {
    pub error: TaggedError,
    /// There has been a faulting beat; its instruction's PC; true if it accesses local memory.
    pub seen: Bit,
    pub pc: Bits<24>,
    pub local: Bit,
}

/// Pipeline register of m2: the beat that is split into requests. Its addresses are in `m2_address`.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SplitBeat {
    pub valid: Bit,
    pub queued: QueuedBeat,
    /// The beat's entry in the queue and in the store buffer.
    pub place: Bits<4>,
    /// Lanes that access; lanes that still wait; the address of the lowest waiting lane.
    pub lanes: Bits<32>,
    pub pending: Bits<32>,
    pub leader: Bits<32>,
    /// The second half of a store's data is read next.
    pub second: Bit,
    /// The strict rule has checked the next beat.
    pub followed: Bit,
    /// The beat's half-warps that break the strict rule; true if they are known.
    pub one_by_one: Bits<2>,
    pub settled: Bit,
}

/// Pipeline register between m2 and m3: the next request.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ChosenRequest {
    pub valid: Bit,
    pub queued: QueuedBeat,
    /// There are lanes to serve, so there is a request.
    pub request: Bit,
    /// The beat's last request.
    pub complete: Bit,
    /// Only the first half of a store's data is read; the request itself follows.
    pub partial: Bit,
    /// The second half of a store's data is read.
    pub second: Bit,
    /// Byte address of the segment; the lanes that the request serves.
    pub segment: Bits<32>,
    pub served: Bits<32>,
    /// All lanes of the beat that access.
    pub lanes: Bits<32>,
}

/// Pipeline register of m4: a request at the memory port, without its data.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct PendingRequest {
    pub valid: Bit,
    pub write: Bit,
    /// Byte address of the segment.
    pub address: Bits<32>,
}

/// A beat of a load, on its way to writeback.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LoadedBeat {
    /// Control of the next register to write back; valid when it has all of its data.
    pub control: WriteControl,
    /// Mask of the lanes that access memory.
    pub lanes: Bits<32>,
    /// Number of registers after it, 0 to 3; the other fields are defined in [`MemoryBeat`].
    pub parts: Bits<2>,
    pub further: Bits<3>,
    pub further_fill: Bits<3>,
}

/// The record of a load's request, or of a load's beat that makes no request. An atomic operation counts as a load.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LoadRecord {
    pub beat: MemoryBeat,
    /// Number of registers after the first.
    pub parts: Bits<2>,
    pub size: Bits<3>,
    pub is_signed: Bit,
    /// The beat's last request.
    pub complete: Bit,
    /// There was a request, so there will be a response.
    pub request: Bit,
}

/// State of a queue in block RAM, whose oldest word is read one cycle before its use.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ReadAhead {
    pub tail: Bits<6>,
    pub head: Bits<6>,
    /// Number of words not read yet.
    pub unread: Bits<7>,
    /// The oldest word has been read and not used yet.
    pub read: Bit,
}
