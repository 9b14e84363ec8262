"""Bodies that attract each other, with a picture of their paths."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

from common import check, cycles, device, picture

BODIES, GROUP, STEPS = 128, 64, 12
DT, SOFTENING = np.float32(0.01), np.float32(0.01)
PIXELS = 256


def start():
    """A rotating disc."""
    random = np.random.default_rng(2)
    radius, angle = np.sqrt(random.uniform(0.02, 1, BODIES)), random.uniform(0, 2 * np.pi, BODIES)
    x, y = radius * np.cos(angle), radius * np.sin(angle)
    bodies = np.stack([x, y, 0.05 * random.normal(size=BODIES), np.full(BODIES, 1 / BODIES)], axis=-1)
    speed = np.stack([-y, x, 0 * x, 0 * x], axis=-1) * 0.8
    return bodies.astype(np.float32), speed.astype(np.float32)


def expected(bodies, speed):
    """A time step in numpy, in double precision."""
    place = bodies[:, :3]
    d = place[None] - place[:, None]
    near = (np.sum(d * d, axis=-1) + SOFTENING) ** -0.5
    speed = speed + DT * np.pad(np.sum(d * (bodies[None, :, 3] * near**3)[..., None], axis=1), ((0, 0), (0, 1)))
    return np.hstack([place + DT * speed[:, :3], bodies[:, 3:]]), speed


def draw(canvas, bodies):
    at = ((bodies[:, :2] + 1.25) / 2.5 * PIXELS).astype(int)
    inside = np.all((at >= 0) & (at < PIXELS), axis=1)
    np.add.at(canvas, (at[inside, 1], at[inside, 0]), 120)


def main():
    queue, program = device("n_body.cl")
    bodies, speed = start()
    model = bodies.astype(np.float64), speed.astype(np.float64)
    old, velocity = cl_array.to_device(queue, bodies), cl_array.to_device(queue, speed)
    now = cl_array.empty_like(old)
    canvas = np.zeros((PIXELS, PIXELS), np.uint32)
    total = 0
    step = cl.Kernel(program, "step")
    for _ in range(STEPS):
        room = cl.LocalMemory(GROUP * 16)
        arguments = old.data, now.data, velocity.data, room, DT, SOFTENING
        total += cycles(step(queue, (BODIES,), (GROUP,), *arguments))
        old, now = now, old
        model = expected(*model)
        draw(canvas, old.get())
    check("places", old.get(), model[0], tolerance=1e-5)
    check("speeds", velocity.get(), model[1], tolerance=1e-5)
    print(f"{BODIES} bodies, {STEPS} steps: {total} cycles, {total / STEPS / BODIES**2:.1f} per pair")
    picture("n_body.png", np.minimum(canvas, 255).astype(np.uint8))


main()
