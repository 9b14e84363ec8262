//! The messages of Perfetto's trace format that we write, with the field numbers of its `perfetto_trace.proto`.
//!
//! A slice takes two packets, so these are written field by field ([`packet`], [`track_event`], [`annotation`]);
//! everything else as a message.

use prost::Message;

/// Fields of a [`TracePacket`] that are not messages.
pub(super) mod packet {
    pub const TIMESTAMP: u32 = 8;
    pub const TRUSTED_PACKET_SEQUENCE_ID: u32 = 10;
    pub const TRACK_EVENT: u32 = 11;
    pub const INTERNED_DATA: u32 = 12;
    pub const SEQUENCE_FLAGS: u32 = 13;
}

/// Fields of a [`TrackEvent`] that is a slice. Repeated numbers are not packed: Perfetto's reader, unlike others,
/// accepts only the encoding in its schema, and would read packed ones as addresses.
pub(super) mod track_event {
    pub const CATEGORY_IIDS: u32 = 3;
    pub const DEBUG_ANNOTATIONS: u32 = 4;
    pub const TYPE: u32 = 9;
    pub const NAME_IID: u32 = 10;
    pub const TRACK_UUID: u32 = 11;
    /// Fixed 64 bits, like the next field.
    pub const FLOW_IDS: u32 = 47;
    pub const TERMINATING_FLOW_IDS: u32 = 48;
}

/// Fields of a `DebugAnnotation`, an argument of a slice.
pub(super) mod annotation {
    pub const NAME_IID: u32 = 1;
    pub const UINT_VALUE: u32 = 3;
    pub const STRING_VALUE: u32 = 6;
}

/// A packet of a trace.
#[derive(Clone, PartialEq, Message)]
pub(super) struct TracePacket {
    #[prost(uint64, optional, tag = "8")]
    pub timestamp: Option<u64>,
    #[prost(uint32, optional, tag = "10")]
    pub trusted_packet_sequence_id: Option<u32>,
    #[prost(message, optional, tag = "11")]
    pub track_event: Option<TrackEvent>,
    #[prost(message, optional, tag = "12")]
    pub interned_data: Option<InternedData>,
    #[prost(uint32, optional, tag = "13")]
    pub sequence_flags: Option<u32>,
    #[prost(message, optional, tag = "60")]
    pub track_descriptor: Option<TrackDescriptor>,
}

/// [`TracePacket::sequence_flags`]: earlier interned names are dropped.
pub(super) const INCREMENTAL_STATE_CLEARED: u32 = 1;
/// [`TracePacket::sequence_flags`]: the packet uses names of earlier ones.
pub(super) const NEEDS_INCREMENTAL_STATE: u32 = 2;

/// A counter's value; slices have fields of their own ([`track_event`]).
#[derive(Clone, PartialEq, Message)]
pub(super) struct TrackEvent {
    #[prost(enumeration = "EventType", optional, tag = "9")]
    pub r#type: Option<i32>,
    #[prost(uint64, optional, tag = "11")]
    pub track_uuid: Option<u64>,
    #[prost(double, optional, tag = "44")]
    pub double_counter_value: Option<f64>,
}

/// The type of a track event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub(super) enum EventType {
    Unspecified = 0,
    SliceBegin = 1,
    SliceEnd = 2,
    Counter = 4,
}

/// Names that this packet and later ones refer to by number.
#[derive(Clone, PartialEq, Message)]
pub(super) struct InternedData {
    #[prost(message, repeated, tag = "1")]
    pub event_categories: Vec<InternedName>,
    #[prost(message, repeated, tag = "2")]
    pub event_names: Vec<InternedName>,
    #[prost(message, repeated, tag = "3")]
    pub debug_annotation_names: Vec<InternedName>,
}

/// A name and its number: `EventCategory`, `EventName` and `DebugAnnotationName` have the same fields.
#[derive(Clone, PartialEq, Message)]
pub(super) struct InternedName {
    #[prost(uint64, optional, tag = "1")]
    pub iid: Option<u64>,
    #[prost(string, optional, tag = "2")]
    pub name: Option<String>,
}

/// A track.
#[derive(Clone, PartialEq, Message)]
pub(super) struct TrackDescriptor {
    #[prost(uint64, optional, tag = "1")]
    pub uuid: Option<u64>,
    #[prost(string, optional, tag = "2")]
    pub name: Option<String>,
    #[prost(message, optional, tag = "3")]
    pub process: Option<ProcessDescriptor>,
    #[prost(message, optional, tag = "4")]
    pub thread: Option<ThreadDescriptor>,
    #[prost(uint64, optional, tag = "5")]
    pub parent_uuid: Option<u64>,
    #[prost(message, optional, tag = "8")]
    pub counter: Option<CounterDescriptor>,
}

/// A track that is a process.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ProcessDescriptor {
    #[prost(int32, optional, tag = "1")]
    pub pid: Option<i32>,
    #[prost(string, optional, tag = "6")]
    pub process_name: Option<String>,
}

/// A track that is a thread.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ThreadDescriptor {
    #[prost(int32, optional, tag = "1")]
    pub pid: Option<i32>,
    #[prost(int64, optional, tag = "2")]
    pub tid: Option<i64>,
    #[prost(string, optional, tag = "5")]
    pub thread_name: Option<String>,
}

/// A track that is a counter.
#[derive(Clone, PartialEq, Message)]
pub(super) struct CounterDescriptor {
    #[prost(string, optional, tag = "6")]
    pub unit_name: Option<String>,
}
