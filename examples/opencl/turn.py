"""An image filter with samplers: rotates a picture, surrounds it with mirrored copies, and sharpens the result."""

import numpy as np
import pyopencl as cl

from common import check, cycles, device, picture

WIDTH, HEIGHT = 160, 96
# Rotation by half a radian and reduction, in texture coordinates: the picture is wider than high.
SCALE, ANGLE = 2.5, 0.5
COS, SIN = SCALE * np.cos(ANGLE), SCALE * np.sin(ANGLE)
MATRIX = np.array([COS, -SIN * HEIGHT / WIDTH, SIN * WIDTH / HEIGHT, COS], np.float32)


def image():
    """A colour picture: a chequerboard, a disc and a ramp."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    board = 255 * ((x // 16 + y // 16) % 2)
    disc = np.where(np.hypot(x - 50, y - 48) < 30, 230, 40)
    planes = [board, disc, 255 * x / WIDTH, 0 * x + 255]
    return np.stack(planes, axis=-1).astype(np.uint8)


def texture(context, flags, pixels=None):
    """An image on the device. pyopencl's own function requires an OpenCL 1.2 platform; a descriptor does not."""
    form = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNORM_INT8)
    descriptor = cl.ImageDescriptor()
    descriptor.image_type = cl.mem_object_type.IMAGE2D
    descriptor.shape = (WIDTH, HEIGHT)
    descriptor.pitches = (0, 0)
    descriptor.num_mip_levels = descriptor.num_samples = 0
    descriptor.buffer = None
    return cl.Image(context, flags, form, desc=descriptor, hostbuf=pixels)


def neighbours(s, size):
    """Indices and weight of CLK_ADDRESS_MIRRORED_REPEAT with CLK_FILTER_LINEAR, by section 8.2 of the standard."""
    u = np.abs(s - 2 * np.rint(s / 2)) * size - np.float32(0.5)
    first = np.floor(u).astype(int)
    return np.maximum(first, 0), np.minimum(first + 1, size - 1), (u - np.floor(u))[..., None]


def turned(colour):
    """The rotated picture, computed with numpy."""
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    s, t = (x + 0.5) / WIDTH - 0.5, (y + 0.5) / HEIGHT - 0.5
    i0, i1, a = neighbours(MATRIX[0] * s + MATRIX[1] * t + 0.5, WIDTH)
    j0, j1, b = neighbours(MATRIX[2] * s + MATRIX[3] * t + 0.5, HEIGHT)
    colour = colour.astype(np.float64)
    upper = (1 - a) * colour[j0, i0] + a * colour[j0, i1]
    lower = (1 - a) * colour[j1, i0] + a * colour[j1, i1]
    return (1 - b) * upper + b * lower


def sharpened(colour):
    """The sharpened picture, computed with numpy."""
    colour = colour.astype(np.float64)
    padded = np.pad(colour, [(1, 1), (1, 1), (0, 0)], mode="edge")
    rows = padded[:-2] + 2 * padded[1:-1] + padded[2:]
    blurred = (rows[:, :-2] + 2 * rows[:, 1:-1] + rows[:, 2:]) / 16
    result = np.clip(2 * colour - blurred, 0, 255)
    result[..., 3] = 255
    return result


def main():
    queue, program = device("turn.cl")
    context = queue.context
    colour = image()
    flags = cl.mem_flags
    size = (WIDTH, HEIGHT)
    source = texture(context, flags.READ_ONLY | flags.COPY_HOST_PTR, colour)
    between = texture(context, flags.READ_WRITE)
    target = texture(context, flags.WRITE_ONLY)
    mirrored = cl.Sampler(context, True, cl.addressing_mode.MIRRORED_REPEAT, cl.filter_mode.LINEAR)
    first = program.turn(queue, size, None, source, between, mirrored, MATRIX)
    second = program.sharpen(queue, size, None, between, target)
    found = [np.empty_like(colour) for _ in range(2)]
    for pixels, of in zip(found, [between, target]):
        cl.enqueue_copy(queue, pixels, of, origin=(0, 0), region=size)
    # A result halfway between two bytes may be rounded either way.
    check("turn", found[0], turned(colour), 1 / 255)
    check("sharpen", found[1], sharpened(found[0]), 1 / 255)
    print(f"{WIDTH} x {HEIGHT} texels: turn {cycles(first)} cycles, sharpen {cycles(second)}")
    picture("turn.png", np.hstack([colour, *found])[..., :3])


main()
