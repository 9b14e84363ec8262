// A time step of a system of bodies that attract each other. Each has x, y, z and a mass.

__kernel void step(__global const float4 *old, __global float4 *now, __global float4 *speed,
                   __local float4 *others, float dt, float softening)
{
    uint i = get_global_id(0), count = get_global_size(0);
    uint l = get_local_id(0), group = get_local_size(0);
    float4 body = old[i];
    float3 pull = (float3)(0.0f);
    for (uint first = 0; first < count; first += group) {
        others[l] = old[first + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint j = 0; j < group; j++) {
            float3 d = others[j].xyz - body.xyz;
            float near = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + softening);
            pull += d * (others[j].w * near * near * near);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float4 v = speed[i];
    v.xyz += dt * pull;
    speed[i] = v;
    body.xyz += dt * v.xyz;
    now[i] = body;
}
