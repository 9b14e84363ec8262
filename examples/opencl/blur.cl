// Converts a colour picture to grey, then blurs it with 1 2 1 in both directions. Integers only, so the result is
// exact.

__kernel void grey(__global const uchar4 *colour, __global uchar *grey)
{
    uint i = get_global_id(0);
    uchar4 c = colour[i];
    grey[i] = (77 * c.x + 150 * c.y + 29 * c.z) >> 8;
}

__kernel void blur(__global const uchar *in, __global uchar *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    uint sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int at = clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1);
            sum += in[at] << (2 - abs(dx) - abs(dy));
        }
    out[y * width + x] = (sum + 8) >> 4;
}
