#include "builtins.h"
// Private arrays, constant tables, structs: the parameters of every kernel are in(a), in(b), out, n.
constant uint table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
constant uint other[4] = {10, 20, 30, 40};
constant uint *constant lists[3] = {table, other, table + 4};
constant struct {
    char c;
    short s[3];
    long l;
    float4 f;
} mixed = {-7, {1, -2, 3}, -5000000000L, {1, 2, 3, 4}};
typedef struct {
    int x;
    char bytes[7];
    short s;
    long wide;
    int list[5];
} Record;
__kernel void constants(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    uint x = a[i], y = b[i];
    constant uint *list = lists[x % 3];
    o[i] = table[y & 7] + list[y & 3] * 100 + mixed.c + mixed.s[x % 3] + (uint)(mixed.l >> (y & 7)) + (uint)((constant float *)&mixed.f)[x & 3];
}
__kernel void array(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    uint t[16];
    for (uint j = 0; j < 16; j++)
        t[(j * 5 + b[i]) & 15] = a[i] + j * j;
    uint s = 0;
    for (uint j = 0; j < n; j++) {
        s += t[(s + j) & 15];
        t[s & 15] ^= j;
    }
    o[i] = s;
}
__kernel void small(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    char c[32];
    short h[16];
    for (uint j = 0; j < 16; j++) {
        c[j * 2] = a[i] >> j;
        c[j * 2 + 1] = b[i] >> j;
        h[j] = a[i] * j;
    }
    int s = 0;
    for (uint j = 0; j < n; j++)
        s = s * 3 + c[(j * 7 + a[i]) & 31] + h[(j + b[i]) & 15] + ((ushort *)h)[j & 15];
    o[i] = s;
}
__kernel void vectors(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    uint4 v[4];
    ulong w[4];
    for (uint j = 0; j < 4; j++) {
        v[(j + a[i]) & 3] = (uint4)(a[i], b[i], j, i) * (j + 1);
        w[(j ^ b[i]) & 3] = (ulong)a[i] * (b[i] + j);
    }
    uint4 x = v[b[i] & 3] + v[n & 3].wzyx;
    ulong y = w[a[i] & 3] ^ w[1];
    o[i] = x.x + 3 * x.y + 5 * x.z + 7 * x.w + (uint)y + (uint)(y >> 32);
}
__kernel void pointers(__global const uint *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    uint p[8], q[8];
    uint *list[4] = {p, q, p + 4, q + 2};
    for (uint j = 0; j < 8; j++) {
        p[j] = a[i] + j;
        q[j] = b[i] * j;
    }
    uint *r = (a[i] & 1) ? p : q;
    r[b[i] & 7] = 99;
    uint s = 0;
    for (uint j = 0; j < n; j++)
        s += list[(a[i] + j) & 3][j & 3];
    o[i] = s;
}
__kernel void records(__global const Record *a, __global const uint *b, __global uint *o, uint n) {
    uint i = get_global_id(0);
    Record r = a[i & 15];
    r.list[b[i] % 5] += r.x;
    r.bytes[b[i] % 7] = i;
    uint s = r.s + (uint)r.wide;
    for (uint j = 0; j < 5; j++)
        s = s * 3 + r.list[j];
    for (uint j = 0; j < 7; j++)
        s = s * 5 + r.bytes[j];
    o[i] = s;
}
__kernel void by_value(__global const uint *a, __global const uint *b, __global uint *o, Record r) {
    uint i = get_global_id(0);
    o[i] = r.list[a[i] % 5] + r.bytes[b[i] % 7] + r.s + (uint)r.wide + (uint)(r.wide >> 32) + r.x;
}
