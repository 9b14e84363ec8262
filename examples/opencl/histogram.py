"""A histogram in three ways: without atomics, with atomics on global memory, and with atomics on local memory."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

from common import check, cycles, device, picture

PIXELS, BINS = 128, 64
ITEMS, GROUP = 256, 64


def images():
    """An image with all levels, and one whose pixels are nearly all of one level."""
    y, x = np.mgrid[:PIXELS, :PIXELS]
    waves = 127.5 + 60 * np.sin(x / 9) * np.cos(y / 7) + 60 * np.sin((x + y) / 23)
    night = np.where((x * 7919 + y * 104729) % 97 == 0, 255, 3)
    return ("waves", waves.astype(np.uint8)), ("night", night.astype(np.uint8))


def counts(queue, program, image):
    """The counts and cycles of each way that the device supports."""
    pixels, count = cl_array.to_device(queue, image.ravel()), np.uint32(image.size)
    rows, bins = cl_array.empty(queue, ITEMS * BINS, np.uint32), cl_array.zeros(queue, BINS, np.uint32)
    first = cl.Kernel(program, "count_rows")(queue, (ITEMS,), (GROUP,), rows.data, pixels.data, count)
    second = cl.Kernel(program, "add_rows")(queue, (BINS,), (BINS,), bins.data, rows.data, np.uint32(ITEMS))
    yield "a row for each work-item", bins.get(), cycles(first) + cycles(second)
    for way, name, extension in [
        ("atomics on global memory", "count_global", "cl_khr_global_int32_base_atomics"),
        ("atomics on local memory", "count_local", "cl_khr_local_int32_base_atomics"),
    ]:
        if extension not in queue.device.extensions.split():
            print(f"{way}: this device does not have {extension}; FLEXGRIP_DEVICE=model does")
            continue
        bins = cl_array.zeros(queue, BINS, np.uint32)
        event = cl.Kernel(program, name)(queue, (ITEMS,), (GROUP,), bins.data, pixels.data, count)
        yield way, bins.get(), cycles(event)


def draw(bins):
    """The counts as bars."""
    heights = np.ceil(64 * bins / bins.max()).astype(int)
    bars = np.where(np.arange(64)[:, None] >= 64 - heights[None], 255, 32)
    return np.kron(bars, np.ones((2, 4))).astype(np.uint8)


def main():
    queue, program = device("histogram.cl")
    for name, image in images():
        expected = np.bincount(image.ravel() >> 2, minlength=BINS)
        for way, found, total in counts(queue, program, image):
            check(f"{name}, {way}", found, expected)
            print(f"  {total} cycles, {total / image.size:.2f} per pixel")
        picture(f"histogram_{name}.png", draw(expected))


main()
