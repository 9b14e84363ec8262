// Counts how often each of 64 brightness levels occurs in an image, in three ways.

#define BINS 64

// Without atomics: each work-item counts in its own row, then one work-item per level adds the rows.
__kernel void count_rows(__global uint *rows, __global const uchar *pixels, uint count)
{
    uint item = get_global_id(0);
    __global uint *row = rows + BINS * item;
    for (uint bin = 0; bin < BINS; bin++)
        row[bin] = 0;
    for (uint i = item; i < count; i += get_global_size(0))
        row[pixels[i] >> 2]++;
}

__kernel void add_rows(__global uint *bins, __global const uint *rows, uint items)
{
    uint bin = get_global_id(0), sum = 0;
    for (uint item = 0; item < items; item++)
        sum += rows[BINS * item + bin];
    bins[bin] = sum;
}

// Devices of compute capability 1.0 do not have atomics.
#ifdef cl_khr_global_int32_base_atomics
__kernel void count_global(__global uint *bins, __global const uchar *pixels, uint count)
{
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(&bins[pixels[i] >> 2]);
}
#endif

#ifdef cl_khr_local_int32_base_atomics
// Each group counts in local memory, and adds its counts to the result at the end.
__kernel void count_local(__global uint *bins, __global const uchar *pixels, uint count)
{
    __local uint own[BINS];
    for (uint bin = get_local_id(0); bin < BINS; bin += get_local_size(0))
        own[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(&own[pixels[i] >> 2]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = get_local_id(0); bin < BINS; bin += get_local_size(0))
        if (own[bin] != 0)
            atomic_add(&bins[bin], own[bin]);
}
#endif
