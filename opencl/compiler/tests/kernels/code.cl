#include "builtins.h"
#define DRIFT 0.065f // r + v * v / 2
#define DISCOUNT -0.0288539008f // -r * log2(e)
// Ten of the project's handwritten kernels in OpenCL C, with the same algorithms and parameters.
__kernel void vectoradd(__global const uint *a, __global const uint *b, __global uint *c, uint n) {
    uint i = get_global_id(0);
    if (i < n)
        c[i] = a[i] + b[i];
}
__kernel void saxpy(uint n, float a, __global const float *x, __global float *y) {
    uint i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}
__kernel void sgemm_naive(__global const float *a, __global const float *b, __global float *c) {
    uint column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint k = 0; k < 32; k++)
        sum = a[row * 32 + k] * b[k * 32 + column] + sum;
    c[row * 32 + column] = sum;
}
__kernel void sgemm_tiled(__global const float *a, __global const float *b, __global float *c) {
    __local float ta[32][32];
    __local float tb[32][32];
    uint x = get_local_id(0), y = get_local_id(1);
    ta[y][x] = a[y * 32 + x];
    tb[y][x] = b[y * 32 + x];
    barrier(1);
    float sum = 0;
    for (uint k = 0; k < 32; k++)
        sum = ta[y][k] * tb[k][x] + sum;
    c[y * 32 + x] = sum;
}
__kernel void transpose(__global const uint *input, __global uint *output) {
    __local uint tile[16][17];
    uint x = get_local_id(0), y = get_local_id(1);
    uint column = get_group_id(0) * 16, row = get_group_id(1) * 16;
    tile[y][x] = input[(row + y) * 64 + column + x];
    barrier(1);
    output[(column + y) * 64 + row + x] = tile[x][y];
}
__kernel void reduction(__global const uint *input, uint n, __global uint *output) {
    __local uint sums[256];
    uint t = get_local_id(0);
    uint sum = 0;
    for (uint i = t; i < n; i += 256)
        sum += input[i];
    sums[t] = sum;
    for (uint distance = 128; distance != 0; distance >>= 1) {
        barrier(1);
        if (t < distance) {
            sum += sums[t + distance];
            sums[t] = sum;
        }
    }
    if (t == 0)
        *output = sum;
}
__kernel void mandelbrot(float left, float top, float step, __global uchar *pixels) {
    uint column = get_group_id(0) * 16 + get_local_id(0), row = get_group_id(1) * 8 + get_local_id(1);
    float cr = step * column + left, ci = step * row + top;
    float re = 0, im = 0;
    uint steps = 0;
    do {
        float rr = re * re, ii = im * im;
        if (rr + ii > 4.0f)
            break;
        float twice = re + re;
        im = twice * im + ci;
        re = rr - ii;
        re = re + cr;
        steps++;
    } while (steps != 32);
    pixels[row * 48 + column] = steps;
}
__kernel void n_body(__global float4 *places, __global float4 *speeds, float softening, float dt) {
    __local float4 all[64];
    uint t = get_local_id(0);
    float4 place = places[t], speed = speeds[t];
    for (uint step = 0; step < 2; step++) {
        all[t] = place;
        barrier(1);
        float ax = 0, ay = 0, az = 0;
        for (uint j = 0; j < 64; j++) {
            float dx = all[j].x - place.x, dy = all[j].y - place.y, dz = all[j].z - place.z;
            float squared = dx * dx + softening;
            squared = dy * dy + squared;
            squared = dz * dz + squared;
            float root = native_rsqrt(squared);
            float force = all[j].w * (root * root * root);
            ax = dx * force + ax;
            ay = dy * force + ay;
            az = dz * force + az;
        }
        speed.x = dt * ax + speed.x;
        speed.y = dt * ay + speed.y;
        speed.z = dt * az + speed.z;
        place.x = dt * speed.x + place.x;
        place.y = dt * speed.y + place.y;
        place.z = dt * speed.z + place.z;
        barrier(1);
    }
    places[t] = place;
    speeds[t] = speed;
}
static float normal(float d) {
    float k = native_recip(fabs(d) * 0.2316419f + 1.0f);
    float n = 1.330274429f * 0.3989422804f;
    n = n * k + -1.821255978f * 0.3989422804f;
    n = n * k + 1.781477937f * 0.3989422804f;
    n = n * k + -0.356563782f * 0.3989422804f;
    n = n * k + 0.319381530f * 0.3989422804f;
    n = n * k;
    n = n * native_exp2(d * d * -0.72134752f);
    return d < 0 ? n : 1.0f - n;
}
__kernel void black_scholes(__global const float *shares, __global const float *strikes, __global const float *times, __global float *calls, __global float *puts, float volatility) {
    uint i = get_global_id(0);
    float s = shares[i], x = strikes[i], t = times[i];
    float spread = volatility * (t * native_rsqrt(t));
    float d1 = (t * DRIFT + native_log2(s * native_recip(x)) * 0.69314718f) * native_recip(spread);
    float d2 = d1 - spread;
    x = x * native_exp2(t * DISCOUNT);
    float call = s * normal(d1) - x * normal(d2);
    calls[i] = call;
    puts[i] = call - s + x;
}
__kernel void histogram(__global const uint *input, uint parts, __global uint *output) {
    __local union {
        uchar bytes[64 * 68];
        uint words[16 * 68];
    } counters;
    uint t = get_local_id(0);
    for (uint part = get_group_id(0); part < parts; part += get_num_groups(0)) {
        for (uint i = 0; i < 16; i++)
            counters.words[t * 17 + i] = 0;
        barrier(1);
        for (uint i = 0; i < 4; i++) {
            uint word = input[part * 256 + i * 64 + t];
            for (uint j = 0; j < 4; j++) {
                counters.bytes[(word & 0xfc) * 17 + t]++;
                word >>= 8;
            }
        }
        barrier(1);
        uint sum = 0;
        for (uint i = 0; i < 64; i++)
            sum += counters.bytes[t * 68 + i];
        output[part * 64 + t] = sum;
    }
}
