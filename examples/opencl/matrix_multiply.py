"""Matrix multiplication in three ways, with the number of cycles of each."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array

from common import check, cycles, device

N = 64


def main():
    queue, program = device("matrix_multiply.cl")
    random = np.random.default_rng(3)
    a, b = (random.uniform(-1, 1, (N, N)).astype(np.float32) for _ in range(2))
    on_device = cl_array.to_device(queue, a), cl_array.to_device(queue, b)
    for name, size, group in [
        ("naive", (N, N), (16, 16)),
        ("tiled", (N, N), (16, 16)),
        ("vectorised", (N // 4, N), (16, 16)),
    ]:
        c = cl_array.zeros(queue, (N, N), np.float32)
        kernel = cl.Kernel(program, name)
        event = kernel(queue, size, group, on_device[0].data, on_device[1].data, c.data, np.int32(N))
        check(name, c.get(), a.astype(np.float64) @ b, tolerance=1e-6)
        print(f"  {cycles(event)} cycles, {cycles(event) / N**3:.2f} per product")


main()
