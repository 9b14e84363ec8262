"""Reads a timeline with Perfetto's own classes: every field must be one of its schema, and every slice must end.

Prints the number of slices of each category.
"""

import collections
import sys

from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent


def check(message):
    unknown = UnknownFieldSet(message)
    if len(unknown):
        sys.exit(f"{message.DESCRIPTOR.name}: unknown fields {[field.field_number for field in unknown]}")
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in value if isinstance(value, collections.abc.Sequence) else [value]:
                check(inner)


trace = Trace()
with open(sys.argv[1], "rb") as file:
    trace.ParseFromString(file.read())
check(trace)

categories, names, arguments = {}, {}, {}
tracks, slices, open_slices = set(), collections.Counter(), collections.Counter()
for packet in trace.packet:
    data = packet.interned_data
    categories.update((entry.iid, entry.name) for entry in data.event_categories)
    names.update((entry.iid, entry.name) for entry in data.event_names)
    arguments.update((entry.iid, entry.name) for entry in data.debug_annotation_names)
    if packet.HasField("track_descriptor"):
        tracks.add(packet.track_descriptor.uuid)
    if not packet.HasField("track_event"):
        continue
    event = packet.track_event
    if event.track_uuid not in tracks:
        sys.exit(f"an event of the unknown track {event.track_uuid}")
    if event.type == TrackEvent.TYPE_SLICE_BEGIN:
        if not names[event.name_iid] or not all(arguments[a.name_iid] for a in event.debug_annotations):
            sys.exit(f"an event without a name: {event}")
        slices[categories[event.category_iids[0]]] += 1
        open_slices[event.track_uuid] += 1
    elif event.type == TrackEvent.TYPE_SLICE_END:
        open_slices[event.track_uuid] -= 1
    elif event.type != TrackEvent.TYPE_COUNTER:
        sys.exit(f"an event of the type {event.type}")
if any(open_slices.values()):
    sys.exit(f"slices without an end: {open_slices}")
for category, count in sorted(slices.items()):
    print(category, count)
