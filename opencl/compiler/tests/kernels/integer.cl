#include "builtins.h"
// Arithmetic: the parameters of every kernel are in(a), in(b), out, n.
__kernel void add(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    if (i < n)
        o[i] = a[i] + b[i];
}
__kernel void multiply(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    uint x = a[i], y = b[i];
    o[i] = x * y + mul_hi(x, y) + (uint)mul_hi((int)x, (int)y) * 3u + mul24(x, y) + (uint)mul24((int)x, (int)y) + x * 1000003u;
}
__kernel void divide(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    uint y = b[i] ? b[i] : 7;
    o[i] = (a[i] / y) * 5 + a[i] % y;
}
__kernel void divide_signed(__global const int *a, __global const int *b, __global int *o, uint n) {
    uint i = get_global_id(0);
    int y = (b[i] == 0 || b[i] == -1) ? 3 : b[i];
    o[i] = (a[i] / y) * 5 + a[i] % y;
}
__kernel void shifts(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    uint x = a[i], y = b[i] & 31;
    o[i] = (x << y) ^ (x >> y) ^ (uint)((int)x >> y) ^ (~x & 0xff00ff) ^ (x | 5) ^ -x;
}
__kernel void choose(__global const int *a, __global const int *b, __global int *o, uint n) {
    uint i = get_global_id(0);
    int x = a[i], y = b[i];
    int r = x < y ? x * 3 : y - 7;
    r += min(x, y) ^ max(x, 17);
    r ^= (int)min((uint)x, (uint)y);
    r += (x < 0 && y > 100) || x == y ? 1000 : 1;
    r += (x < 0 ? -x : x);
    o[i] = r;
}
__kernel void narrow(__global const uchar *a, __global const ushort *b, __global short *o, uint n) {
    uint i = get_global_id(0);
    char c = a[i];
    ushort s = b[i];
    short r = c * 7 + s;
    r >>= 2;
    r += (uchar)(c + 1) / (uchar)((s & 15) + 1);
    r ^= s > 1000 ? (short)(s << 3) : (short)-s;
    o[i] = r + (r > c);
}
__kernel void packed(__global const uchar4 *a, __global const ushort2 *b, __global uint4 *o, uint n) {
    uint i = get_global_id(0);
    uchar4 v = a[i];
    ushort2 w = b[i];
    o[i] = (uint4)(v.x + w.x, v.y * w.y, v.z - v.w, v.w << 4);
}
__kernel void longs(__global const uint *a, __global const uint *b, __global ulong *o, uint n) {
    uint i = get_global_id(0);
    ulong x = (ulong)a[i] * b[i] + i;
    long y = (long)x - (long)b[i];
    o[i] = x * 7 + (ulong)(y >> 3) + (y < (long)a[i] ? 1 : 2) + (x << 5);
}
