// The Mandelbrot set around a point, in single and in double precision. Products are rounded separately, as in numpy.
#pragma OPENCL FP_CONTRACT OFF
#ifndef cl_khr_fp64
#error "this example needs doubles: FLEXGRIP_DEVICE=model"
#endif

#define ZOOM(REAL)                                                                                              \
    __kernel void zoom_##REAL(__global ushort *rounds, REAL left, REAL top, REAL step, int most)                \
    {                                                                                                           \
        int x = get_global_id(0), y = get_global_id(1);                                                         \
        REAL cr = left + step * x, ci = top + step * y;                                                         \
        REAL zr = 0, zi = 0;                                                                                    \
        int n = 0;                                                                                              \
        while (n < most && zr * zr + zi * zi <= 4) {                                                            \
            REAL next = zr * zr - zi * zi + cr;                                                                 \
            zi = 2 * zr * zi + ci;                                                                              \
            zr = next;                                                                                          \
            n++;                                                                                                \
        }                                                                                                       \
        rounds[y * get_global_size(0) + x] = n;                                                                 \
    }
ZOOM(float)
ZOOM(double)
