/* y = a x + y, one work-item for each element. */
__kernel void saxpy(float a, __global const float *x, __global float *y)
{
    size_t i = get_global_id(0);
    y[i] += a * x[i];
}
