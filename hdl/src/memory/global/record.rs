//! What a load's response needs to know of the request, and queues in block RAM.

use crate::bundles::{MemoryBeat, WriteControl};
use crate::count::up_down;
use hdlkit::prelude::*;

/// A load's request, or a beat without any.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LoadRecord {
    pub beat: MemoryBeat,
    /// Number of registers after the first.
    pub parts: Bits<2>,
    pub size: Bits<3>,
    pub is_signed: Bit,
    /// The beat's last request.
    pub complete: Bit,
    /// There was a request, so a response comes.
    pub request: Bit,
}

/// Where the first register of a load's beat goes.
#[hdl_fn]
pub(super) fn first_write(beat: MemoryBeat) -> WriteControl {
    WriteControl {
        valid: true,
        tag: beat.tag,
        warp: beat.warp,
        beat: beat.beat,
        last: beat.last,
        row: beat.row,
        register: beat.register,
        halves: beat.halves,
        register_enable: true,
        fill: beat.fill,
        ..Default::default()
    }
}

/// A queue in block RAM, whose oldest word is read a cycle ahead of its use.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ReadAhead {
    pub tail: Bits<6>,
    pub head: Bits<6>,
    /// Words not read yet.
    pub unread: Bits<7>,
    /// The oldest word has been read, and not used yet.
    pub read: Bit,
}

/// Whether the next word is read: in the cycle in which the one before it is used, if that is still there.
#[hdl_fn]
pub(super) fn reads_ahead(queue: ReadAhead, used: Bit) -> Bit {
    queue.unread.any() && (!queue.read || used)
}

/// The queue after a cycle in which a word is written, the next one is read, and the one read before is used, or not.
#[hdl_fn]
pub(super) fn advanced(queue: ReadAhead, written: Bit, reads: Bit, used: Bit) -> ReadAhead {
    ReadAhead {
        tail: if written { queue.tail + 1 } else { queue.tail },
        head: if reads { queue.head + 1 } else { queue.head },
        unread: up_down::<7>(queue.unread, written, reads),
        read: reads || queue.read && !used,
    }
}
