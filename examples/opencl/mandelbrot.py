"""The Mandelbrot set: neighbouring points leave the loop at different times, so warps diverge."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

from common import check, cycles, device, picture

WIDTH, HEIGHT, MOST = 160, 96, 64
LEFT, TOP, STEP = np.float32(-2.125), np.float32(-0.9375), np.float32(0.01953125)


def expected():
    """The expected counts, computed with numpy in single precision."""
    f32 = np.float32
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(f32)
    cr, ci = LEFT + STEP * x, TOP + STEP * y
    zr, zi = np.zeros_like(cr), np.zeros_like(ci)
    rounds = np.zeros((HEIGHT, WIDTH), np.uint16)
    for _ in range(MOST):
        inside = zr * zr + zi * zi <= f32(4)
        rounds += inside
        next_r = np.where(inside, zr * zr - zi * zi + cr, zr)
        zi = np.where(inside, f32(2) * zr * zi + ci, zi)
        zr = next_r
    return rounds


def main():
    queue, program = device("mandelbrot.cl")
    wanted = expected()
    mandelbrot = cl.Kernel(program, "mandelbrot")
    for group in (32, 1), (8, 4):
        rounds = cl_array.zeros(queue, (HEIGHT, WIDTH), np.uint16)
        arguments = rounds.data, LEFT, TOP, STEP, np.int32(MOST)
        event = mandelbrot(queue, (WIDTH, HEIGHT), group, *arguments)
        check(f"groups of {group[0]} x {group[1]}", rounds.get(), wanted)
        print(f"  {cycles(event)} cycles, {cycles(event) / wanted.sum():.2f} per iteration of a point")
    picture("mandelbrot.png", (255 - wanted * (255 // MOST)).astype(np.uint8))


main()
