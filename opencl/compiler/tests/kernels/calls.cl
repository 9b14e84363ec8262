#include "builtins.h"
// Functions that clang does not inline.
#define NOINLINE __attribute__((noinline))
typedef struct {
    float x;
    char c[3];
    short s;
} Pair;
typedef struct {
    uint list[6];
} Big;
NOINLINE uint twice(uint x) {
    if (x & 1)
        return x * 2 + 1;
    return x * 2;
}
NOINLINE uint deep(uint x, uint n) {
    uint s = 0;
    for (uint i = 0; i < n; i++)
        s += twice(x + i);
    return s;
}
NOINLINE Pair made(uint x, int n) {
    Pair p = {(float)(x & 255), {n, n + 1, x}, n * 3};
    return p;
}
NOINLINE uint sum(Pair p, ulong w) { return (uint)p.x + p.c[0] * 3 + p.c[1] * 5 + p.c[2] * 7 + p.s + (uint)(w >> 7); }
NOINLINE uint pick(Big b, uint i) { return b.list[i % 6]; }
NOINLINE void change(uint *p, uint i, uint v) {
    p[i & 7] += v;
    if (v > 100)
        return;
    p[(i + 1) & 7] ^= v;
}
NOINLINE void store(__global uint *o, __local uint *l, uint i, uint v) {
    o[i] = v + l[i & 31];
}
NOINLINE ulong wide(ulong x, long y) { return x * 3 - y; }
NOINLINE float4 scaled(float4 v, float f) { return v * f; }
__kernel void calls(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    o[i] = deep(a[i], b[i] & 7) + twice(i);
}
__kernel void structs(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    Pair p = made(a[i], b[i]);
    o[i] = sum(p, wide(a[i], (long)(int)b[i]));
}
__kernel void indexed(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    Big big;
    for (uint j = 0; j < 6; j++)
        big.list[j] = a[i] >> j;
    o[i] = pick(big, b[i]);
}
__kernel void pointers(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    __local uint l[32];
    uint i = get_global_id(0);
    uint t[8];
    l[get_local_id(0) & 31] = i & 31;
    for (uint j = 0; j < 8; j++)
        t[j] = a[i] + j;
    change(t, b[i], a[i] & 255);
    change(t, a[i], b[i] & 127);
    barrier(1);
    store(o, l, i, t[0] ^ t[1] ^ t[2] ^ t[3] + t[4] + t[5] * t[6] + t[7]);
}
__kernel void vectors(__global const float4 *a, __global const float *b, __global float4 *o, uint n) {
    uint i = get_global_id(0);
    o[i] = scaled(a[i], b[i]);
}
