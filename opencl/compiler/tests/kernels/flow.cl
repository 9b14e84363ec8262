#include "builtins.h"
__kernel void collatz(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    uint x = a[i], k = 0;
    while (x != 1 && k < 500) {
        if (x & 1)
            x = 3 * x + 1;
        else
            x >>= 1;
        k++;
        if (x > 1000000000u)
            break;
    }
    o[i] = k;
}
__kernel void unstructured(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    uint x = a[i], s = 0;
    for (uint j = 0; j < n; j++) {
        if ((x >> j) & 1) {
            if (s > 50)
                goto out;
            s += j;
            if ((x >> (j + 3)) & 1)
                continue;
            s *= 3;
        } else {
            for (uint k = 0; k < (x & 7); k++) {
                if (s == k)
                    goto next;
                s += k;
            }
        }
        s ^= x;
    next:;
        if (s & 0x100)
            break;
    }
    s += 7;
out:
    o[i] = s;
}
__kernel void nested(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    uint x = a[i], y = b[i], r = 0;
    for (uint j = 0; j < (x & 15); j++) {
        for (uint k = j; k < (y & 15); k++) {
            if ((x ^ k) & 1) {
                r += k * j;
                if (r > 200)
                    break;
            } else if (y & 2) {
                r ^= 0x55 + k;
            } else {
                r -= o[i] & 3;
                o[i] = r;
            }
        }
        if (r == 17)
            break;
    }
    o[i] = r + 1;
}
__kernel void early(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    uint x = a[i];
    if (x & 1) {
        if (x & 2)
            return;
        o[i] = x * 3;
        if (x & 4)
            return;
        x += 5;
    } else if (x & 8) {
        o[i] = x;
        for (uint k = 0; k < (x & 63); k++) {
            x = x * 5 + k;
            if ((x & 0xff) == 3)
                return;
        }
    }
    o[i] += x ^ 9;
}
__kernel void scan(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    __local uint t[64];
    __local ushort u[64];
    __local char c[64];
    uint l = get_local_id(0), g = get_global_id(0);
    t[l] = a[g];
    u[l] = b[g];
    c[63 - l] = b[g] >> 3;
    barrier(1);
    for (uint d = 1; d < 64; d <<= 1) {
        uint v = l >= d ? t[l - d] : 0;
        barrier(1);
        t[l] += v;
        barrier(1);
    }
    o[g] = t[l] + u[63 - l] + c[l];
}
__kernel void matrix(__global const float *a, __global const float *b, __global float *o, uint n) {
    __local float ta[8][8];
    __local float tb[8][8];
    uint x = get_local_id(0), y = get_local_id(1);
    uint column = get_global_id(0), row = get_global_id(1);
    float s = 0;
    for (uint k = 0; k < n; k += 8) {
        ta[y][x] = a[row * n + k + x];
        tb[y][x] = b[(k + y) * n + column];
        barrier(1);
        for (uint j = 0; j < 8; j++)
            s += ta[y][j] * tb[j][x];
        barrier(1);
    }
    o[row * n + column] = s;
}
