// c = a b for square matrices, in three ways.

#define TILE 16

// Each element separately, with its whole row and column read from global memory.
__kernel void naive(__global const float *a, __global const float *b, __global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

// A group loads tiles of both matrices into shared memory, and uses each element 16 times.
__kernel void tiled(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float ta[TILE][TILE], tb[TILE][TILE];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    float sum = 0.0f;
    for (int first = 0; first < n; first += TILE) {
        ta[ly][lx] = a[y * n + first + lx];
        tb[ly][lx] = b[(first + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += ta[ly][k] * tb[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}

// Each work-item computes four adjacent elements: an element of a is loaded once for four products.
__kernel void vectorised(__global const float *a, __global const float4 *b, __global float4 *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1), row = n / 4;
    float4 sum = (float4)(0.0f);
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * row + x];
    c[y * row + x] = sum;
}
