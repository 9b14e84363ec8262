// The number of iterations until a point leaves the circle of radius 2. Products are rounded separately, as in numpy.
#pragma OPENCL FP_CONTRACT OFF

__kernel void mandelbrot(__global ushort *rounds, float left, float top, float step, int most)
{
    int x = get_global_id(0), y = get_global_id(1);
    float cr = left + step * x, ci = top + step * y;
    float zr = 0.0f, zi = 0.0f;
    int n = 0;
    while (n < most && zr * zr + zi * zi <= 4.0f) {
        float next = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = next;
        n++;
    }
    rounds[y * get_global_size(0) + x] = n;
}
