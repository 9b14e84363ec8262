"""Shared by all examples: find the device, count cycles, compare results, write pictures."""

import pathlib
import sys

import numpy as np
import pyopencl as cl

FOLDER = pathlib.Path(__file__).parent


def device(source):
    """A queue with profiling on the default device, and the program from a file in this folder."""
    context = cl.create_some_context(interactive=False)
    profiling = cl.command_queue_properties.PROFILING_ENABLE
    queue = cl.CommandQueue(context, properties=profiling)
    print(f"device: {queue.device.name}")
    return queue, cl.Program(context, (FOLDER / source).read_text()).build()


def cycles(event):
    """The cycles of a command, from its time on the device's clock."""
    event.wait()
    nanoseconds = event.profile.end - event.profile.start
    return round(nanoseconds * event.command_queue.device.max_clock_frequency / 1000)


def check(name, found, expected, tolerance=0.0):
    """Ends the program with an error if results differ by more than a share of the largest value."""
    found, expected = np.asarray(found), np.asarray(expected)
    error = np.abs(found.astype(np.float64) - expected).max()
    allowed = tolerance * np.abs(expected).max()
    if not error <= allowed:
        sys.exit(f"{name}: differs by up to {error}; expected at most {allowed}")
    print(f"{name}: correct, error at most {error:.3g}")


def picture(name, pixels):
    """Writes a grey picture (bytes) as PNG to the folder given on the command line, if there is one."""
    if len(sys.argv) > 1:
        from PIL import Image

        path = pathlib.Path(sys.argv[1]) / name
        Image.fromarray(pixels).save(path)
        print(f"picture: {path}")
