// A kernel for each image function. It reads the coordinates from a buffer, and writes the results to a buffer.
#define P_image1d_t(p) p.x
#define P_image1d_array_t(p) p.xy
#define P_image2d_t(p) p.xy
#define P_image2d_array_t(p) p
#define P_image3d_t(p) p
#define P_image1d_buffer_t(p) p.x

#define PLAIN(T, F, R)                                                                                  \
    kernel void F##_plain_##T(read_only T im, global const int4 *at, global R *out) {                   \
        size_t i = get_global_id(0);                                                                    \
        out[i] = read_image##F(im, P_##T(at[i]));                                                       \
    }
#define SAMPLED(T, F, R)                                                                                \
    kernel void F##_int_##T(read_only T im, sampler_t s, global const int4 *at, global R *out) {        \
        size_t i = get_global_id(0);                                                                    \
        out[i] = read_image##F(im, s, P_##T(at[i]));                                                    \
    }                                                                                                   \
    kernel void F##_float_##T(read_only T im, sampler_t s, global const float4 *at, global R *out) {    \
        size_t i = get_global_id(0);                                                                    \
        out[i] = read_image##F(im, s, P_##T(at[i]));                                                    \
    }
#define WRITTEN(T, F, R)                                                                                \
    kernel void F##_write_##T(write_only T im, global const int4 *at, global const R *in) {             \
        size_t i = get_global_id(0);                                                                    \
        write_image##F(im, P_##T(at[i]), in[i]);                                                        \
    }
#define TYPES(M, T) M(T, f, float4) M(T, i, int4) M(T, ui, uint4)
#ifdef READS
#define ALL(T) TYPES(PLAIN, T) TYPES(SAMPLED, T)
#elif defined(WRITES)
#define ALL(T) TYPES(WRITTEN, T)
#else
#define ALL(T)
#endif
ALL(image1d_t)
ALL(image1d_array_t)
ALL(image2d_t)
ALL(image2d_array_t)
ALL(image3d_t)
#ifdef READS
TYPES(PLAIN, image1d_buffer_t)
#endif
#ifdef WRITES
TYPES(WRITTEN, image1d_buffer_t)
#endif

#ifdef SIZES
#undef SIZES
#define HEAD(T, ACCESS, NAME, MORE)                                           \
    kernel void NAME(ACCESS T im, global int *out) {                          \
        out[0] = get_image_width(im);                                         \
        out[1] = get_image_channel_data_type(im);                             \
        out[2] = get_image_channel_order(im);                                 \
        MORE                                                                  \
    }
#define SIZES(T, MORE) HEAD(T, read_only, sizes_##T, MORE) HEAD(T, write_only, sizes_wo_##T, MORE)
#define DIM out[6] = get_image_dim(im).x; out[7] = get_image_dim(im).y;
SIZES(image1d_t, )
SIZES(image1d_buffer_t, )
SIZES(image1d_array_t, out[5] = get_image_array_size(im);)
SIZES(image2d_t, out[3] = get_image_height(im); DIM)
SIZES(image2d_array_t, out[3] = get_image_height(im); out[5] = get_image_array_size(im); DIM)
SIZES(image3d_t, out[3] = get_image_height(im); out[4] = get_image_depth(im); DIM out[8] = get_image_dim(im).z;)
#endif

#ifdef CONSTANTS
// Samplers in the source, which the compiler knows.
#define CONSTANT(N, WORD)                                                                              \
    constant sampler_t sampler_##N = WORD;                                                             \
    kernel void constant_##N(read_only image2d_t im, global const float4 *at, global float4 *out) {    \
        size_t i = get_global_id(0);                                                                   \
        out[i] = read_imagef(im, sampler_##N, at[i].xy);                                               \
    }
#define ADDRESSINGS(N, WORD)                                       \
    CONSTANT(N##0, WORD | CLK_ADDRESS_NONE)                        \
    CONSTANT(N##1, WORD | CLK_ADDRESS_CLAMP_TO_EDGE)               \
    CONSTANT(N##2, WORD | CLK_ADDRESS_CLAMP)                       \
    CONSTANT(N##3, WORD | CLK_ADDRESS_REPEAT)                      \
    CONSTANT(N##4, WORD | CLK_ADDRESS_MIRRORED_REPEAT)
ADDRESSINGS(0, CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST)
ADDRESSINGS(1, CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_LINEAR)
ADDRESSINGS(2, CLK_NORMALIZED_COORDS_TRUE | CLK_FILTER_NEAREST)
ADDRESSINGS(3, CLK_NORMALIZED_COORDS_TRUE | CLK_FILTER_LINEAR)
#endif
