// Rotates and shrinks a picture, surrounds it with mirrored copies, and sharpens the result: images and samplers.

// A sampler of the program, which the compiler sees; the other is an argument.
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void turn(read_only image2d_t in, write_only image2d_t out, sampler_t mirrored, float4 matrix)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    // From -0.5 to 0.5, at the centres of texels.
    float2 s = (convert_float2(p) + 0.5f) / convert_float2(get_image_dim(out)) - 0.5f;
    float2 from = (float2)(dot(matrix.xy, s), dot(matrix.zw, s)) + 0.5f;
    write_imagef(out, p, read_imagef(in, mirrored, from));
}

__kernel void sharpen(read_only image2d_t in, write_only image2d_t out)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += read_imagef(in, edge, p + (int2)(dx, dy)) * (float)(1 << (2 - abs(dx) - abs(dy)));
    float4 colour = read_imagef(in, edge, p);
    // Results below 0 and above 1 are saturated by the conversion.
    write_imagef(out, p, (float4)((2 * colour - sum / 16).xyz, 1));
}
