"""An image filter on a numpy array: grey, then blurred."""

import numpy as np
import pyopencl.array as cl_array

from common import check, cycles, device, picture

WIDTH, HEIGHT = 160, 96


def image():
    """A colour picture of rings, with noise."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    rings = 128 + 127 * np.sin(np.hypot(x - 60, y - 40) / 4)
    noise = np.random.default_rng(1).integers(0, 80, (HEIGHT, WIDTH))
    planes = [np.where(noise > 75, 255, rings), 255 * x / WIDTH, 255 * y / HEIGHT, 0 * x]
    return np.stack(planes, axis=-1).astype(np.uint8)


def expected(colour):
    """The expected picture, computed with numpy."""
    red, green, blue = (colour[..., plane].astype(np.uint32) for plane in range(3))
    grey = (77 * red + 150 * green + 29 * blue) >> 8
    padded = np.pad(grey, 1, mode="edge")
    rows = padded[:-2] + 2 * padded[1:-1] + padded[2:]
    return (rows[:, :-2] + 2 * rows[:, 1:-1] + rows[:, 2:] + 8) >> 4


def main():
    queue, program = device("blur.cl")
    colour = image()
    source = cl_array.to_device(queue, colour)
    grey = cl_array.zeros(queue, (HEIGHT, WIDTH), np.uint8)
    result = cl_array.empty_like(grey)
    first = program.grey(queue, (WIDTH * HEIGHT,), None, source.data, grey.data)
    size = np.int32(WIDTH), np.int32(HEIGHT)
    second = program.blur(queue, (WIDTH, HEIGHT), (32, 4), grey.data, result.data, *size)
    check("blur", result.get(), expected(colour))
    print(f"{WIDTH} x {HEIGHT} pixels: grey {cycles(first)} cycles, blur {cycles(second)}")
    picture("blur.png", np.hstack([grey.get(), result.get()]))


main()
