#include "builtins.h"
__kernel void arithmetic(__global const float *a, __global const float *b, __global float *o, uint n) {
    uint i = get_global_id(0);
    float x = a[i], y = b[i];
    float r = x + y * 2.5f - (1.0f - x);
    r = x < y ? r : -r;
    r += fmin(x, y) + fmax(fabs(x), 0.25f);
    if (!(x > 3.0f))
        r *= y;
    o[i] = r;
}
__kernel void conversions(__global const float *a, __global const uint *b, __global float *o, uint n) {
    uint i = get_global_id(0);
    float x = a[i];
    int k = (int)x;
    uint u = (uint)fabs(x);
    short s = (short)(k & 0xff) - 100;
    o[i] = (float)k + (float)b[i] + (float)(int)b[i] + (float)u + (float)s + (float)(uchar)b[i];
}
__kernel void quotients(__global const float *a, __global const float *b, __global float *o, uint n) {
    uint i = get_global_id(0);
    o[i] = a[i] / b[i];
}
__kernel void roots(__global const float *a, __global const float *b, __global float *o, uint n) {
    uint i = get_global_id(0);
    o[i] = sqrt(fabs(a[i]));
}
__kernel void vectors(__global const float4 *a, __global const float2 *b, __global float4 *o, uint n) {
    uint i = get_global_id(0);
    float4 v = a[i];
    float2 w = b[i];
    o[i] = (float4)(v.w * w.x, v.z + w.y, v.x - v.y, v.y);
}
