// Kernels of the driver's tests. clang compiles them to kernels.ptx, which `programs.rs` compares and updates.

__constant float weights[4] = {1.0f, 2.0f, 3.0f, 4.0f};

typedef struct {
    int first;
    float second[2];
} pair;

__kernel void add(__global const float *a, __global const float *b, __global float *sum)
{
    size_t i = get_global_id(0);
    sum[i] = a[i] + b[i];
}

// Stores all values of the index space, for each work-item, in up to three dimensions.
__kernel void space(__global uint *out)
{
    size_t at = (get_global_id(2) - get_global_offset(2)) * get_global_size(1) * get_global_size(0)
        + (get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0);
    out[4 * at] = get_global_id(0) | get_global_id(1) << 8 | get_global_id(2) << 16 | get_work_dim() << 24;
    out[4 * at + 1] = get_local_id(0) | get_local_id(1) << 8 | get_local_id(2) << 16;
    out[4 * at + 2] = get_group_id(0) | get_group_id(1) << 8 | get_group_id(2) << 16;
    out[4 * at + 3] = get_num_groups(0) | get_num_groups(1) << 8 | get_num_groups(2) << 16;
}

// Parameters of several sizes, a struct, and a __local argument.
__kernel void values(__global float *out, char small, long large, pair both, float4 vector, __local float *room)
{
    size_t i = get_local_id(0);
    room[i] = vector.w + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = room[get_local_size(0) - 1 - i] + small + (int)(large >> 32) + both.first + both.second[1];
}

__kernel void weigh(__global float *out)
{
    out[get_global_id(0)] *= weights[get_global_id(0) & 3];
}

__kernel __attribute__((reqd_work_group_size(8, 2, 1))) void fixed(__global int *out)
{
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_id(1);
}

// Stores far outside any buffer.
__kernel void outside(__global int *out)
{
    out[get_global_id(0)] = 7;
    if (get_global_id(0) == 3)
        out[0x10000000] = 1;
}

__kernel void endless(__global volatile int *out)
{
    while (out[0] == 0)
        ;
}

__kernel void count(__global int *out, int rounds)
{
    int sum = 0;
    for (int i = 0; i < rounds; i++)
        sum = sum * 3 + i;
    out[get_global_id(0)] = sum;
}

// One work-item per group, in a grid of any size in one dimension. It is short because of the tests' limit of steps.
__kernel void place(__global uint *out)
{
    out[get_group_id(0) + get_group_id(1)] = get_num_groups(0) + get_num_groups(1);
}
