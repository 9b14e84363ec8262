"""A zoom into the Mandelbrot set, in single and double precision. Neighbouring points are equal in single precision."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

from common import check, cycles, device, picture

WIDTH, HEIGHT, MOST = 64, 48, 2000
CENTRE = -0.743643887037151, 0.131825904205330
STEPS = 3e-5, 3e-8, 3e-11


def corner(real, step):
    """The point at the upper left, and the step, as numbers of a type."""
    left, top = CENTRE[0] - step * (WIDTH // 2), CENTRE[1] - step * (HEIGHT // 2)
    return real(left), real(top), real(step)


def expected(real, step):
    """The expected counts, computed with numpy in the same precision."""
    left, top, step = corner(real, step)
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(real)
    cr, ci = left + step * x, top + step * y
    zr, zi = np.zeros_like(cr), np.zeros_like(ci)
    rounds = np.zeros((HEIGHT, WIDTH), np.uint16)
    for _ in range(MOST):
        inside = zr * zr + zi * zi <= real(4)
        rounds += inside
        next_r = np.where(inside, zr * zr - zi * zi + cr, zr)
        zi = np.where(inside, real(2) * zr * zi + ci, zi)
        zr = next_r
    return rounds


def shades(rounds, least, most):
    """Grey: darker for more iterations, by their logarithm."""
    part = np.log(np.clip(rounds, least, most) / least) / np.log(most / least)
    return (255 * (1 - part)).astype(np.uint8)


def main():
    queue, program = device("mandelbrot_zoom.cl")
    panels = {np.float32: [], np.float64: []}
    for step in STEPS:
        results = {}
        for real, name in (np.float32, "float"), (np.float64, "double"):
            rounds = cl_array.zeros(queue, (HEIGHT, WIDTH), np.uint16)
            kernel = cl.Kernel(program, f"zoom_{name}")
            event = kernel(queue, (WIDTH, HEIGHT), (8, 4), rounds.data, *corner(real, step), np.int32(MOST))
            wanted = expected(real, step)
            check(f"steps of {step:g}, {name}", rounds.get(), wanted)
            print(f"  {cycles(event)} cycles, {cycles(event) / wanted.sum():.2f} per iteration of a point")
            results[real] = wanted
        least, most = int(results[np.float64].min()), int(results[np.float64].max())
        for real, rounds in results.items():
            panels[real].append(shades(rounds, least, most))
        apart = (results[np.float32] != results[np.float64]).mean()
        print(f"steps of {step:g}: {apart:.0%} of the points differ")
    rows = [np.hstack(row) for row in panels.values()]
    picture("mandelbrot_zoom.png", np.kron(np.vstack(rows), np.ones((3, 3), np.uint8)))


main()
