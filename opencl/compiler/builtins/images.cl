// Section 6.12.14, images and samplers. There are no texture units: an image is a pointer to its descriptor in global
// memory, and a sampler is a number from the program or the driver. Addresses and filters follow section 8.2,
// conversions section 8.3.

// The descriptor, which the driver writes: 64 bytes (`opencl/src/objects/image/descriptor.rs`).
struct image {
    uint texels;              // address of the first texel
    int width, height, depth; // in texels; the depth of an array is its number of layers; missing dimensions are 1
    uint row, slice;          // pitches of rows, and of slices or layers, in bytes
    uint order, type;         // channel order such as CLK_RGBA, data type such as CLK_FLOAT
    uint shift, bits;         // a texel has 2^shift bytes, a channel 8, 16 or 32 bits
    uint sign;                // bits above a signed channel in a word, 0 if unsigned
    int least, most;          // the range of an integer channel
    float read, write;        // factors for reading and for writing a normalised channel
};
typedef const global struct image *image;

// clang's image types are opaque pointers. These functions return the pointer: they are defined under the name that
// clang links for a call with its own type.
#define DESCRIPTOR(NAME, ACCESS, TYPE, MANGLED)                                              \
    PURE image descriptor(ACCESS TYPE);                                                      \
    __attribute__((const, always_inline)) image NAME(image) __asm("_Z10descriptor" MANGLED); \
    __attribute__((const, always_inline)) image NAME(image im) { return im; }
DESCRIPTOR(descriptor_1d_ro, read_only, image1d_t, "14ocl_image1d_ro")
DESCRIPTOR(descriptor_1d_wo, write_only, image1d_t, "14ocl_image1d_wo")
DESCRIPTOR(descriptor_1d_buffer_ro, read_only, image1d_buffer_t, "21ocl_image1d_buffer_ro")
DESCRIPTOR(descriptor_1d_buffer_wo, write_only, image1d_buffer_t, "21ocl_image1d_buffer_wo")
DESCRIPTOR(descriptor_1d_array_ro, read_only, image1d_array_t, "20ocl_image1d_array_ro")
DESCRIPTOR(descriptor_1d_array_wo, write_only, image1d_array_t, "20ocl_image1d_array_wo")
DESCRIPTOR(descriptor_2d_ro, read_only, image2d_t, "14ocl_image2d_ro")
DESCRIPTOR(descriptor_2d_wo, write_only, image2d_t, "14ocl_image2d_wo")
DESCRIPTOR(descriptor_2d_array_ro, read_only, image2d_array_t, "20ocl_image2d_array_ro")
DESCRIPTOR(descriptor_2d_array_wo, write_only, image2d_array_t, "20ocl_image2d_array_wo")
DESCRIPTOR(descriptor_3d_ro, read_only, image3d_t, "14ocl_image3d_ro")
DESCRIPTOR(descriptor_3d_wo, write_only, image3d_t, "14ocl_image3d_wo")

PURE uint word_of(sampler_t);
__attribute__((const, always_inline)) uint word_of_sampler(const constant void *) __asm("_Z7word_of11ocl_sampler");
__attribute__((const, always_inline)) uint word_of_sampler(const constant void *opaque) { return (uint)opaque; }
// clang calls this function for a sampler with a constant value.
__attribute__((const, always_inline)) const constant void *__translate_sampler_initializer(int value);
__attribute__((const, always_inline)) const constant void *__translate_sampler_initializer(int value) {
    return (const constant void *)value;
}

// Indices of a texel. `outside` selects the border colour of CLK_ADDRESS_CLAMP.
struct texel { int x, y, z; bool outside; };

// clang removes a multiplication by a constant 0.
LOCAL uint texel_address(image im, struct texel at) {
    uint row = __builtin_constant_p(at.y) ? at.y * im->row : mul24((uint)at.y, im->row);
    return im->texels + at.z * im->slice + row + ((uint)at.x << im->shift);
}

// The bits of a texel's channels, each in a word. Missing channels are 0. The border colour is 0, except for an alpha
// that the order adds.
LOCAL uint4 load_texel(image im, struct texel at) {
    uint address = texel_address(im, at), shift = im->shift, bits = im->bits;
    uint4 raw = 0;
    if (shift == 4) raw = *(const global uint4 *)address;
    else if (shift == 3) raw.xy = *(const global uint2 *)address;
    else if (shift == 2) raw.x = *(const global uint *)address;
    else if (shift == 1) raw.x = *(const global ushort *)address;
    else raw.x = *(const global uchar *)address;
    if (at.outside) raw = 0;
    if (bits == 8) return (uint4)(raw.x & 0xff, raw.x >> 8 & 0xff, raw.x >> 16 & 0xff, raw.x >> 24);
    if (bits == 16) return (uint4)(raw.x & 0xffff, raw.x >> 16, raw.y & 0xffff, raw.y >> 16);
    return raw;
}
LOCAL void store_texel(image im, struct texel at, uint4 channels) {
    uint inside = ((uint)at.x < im->width) & ((uint)at.y < im->height) & ((uint)at.z < im->depth);
    if (!inside) return;
    uint address = texel_address(im, at), shift = im->shift, bits = im->bits;
    if (bits == 8) channels &= 0xff, channels.x |= channels.y << 8 | channels.z << 16 | channels.w << 24;
    if (bits == 16) channels &= 0xffff, channels.xy = channels.xz | channels.yw << 16;
    if (shift == 4) *(global uint4 *)address = channels;
    else if (shift == 3) *(global uint2 *)address = channels.xy;
    else if (shift == 2) *(global uint *)address = channels.x;
    else if (shift == 1) *(global ushort *)address = channels.x;
    else *(global uchar *)address = channels.x;
}

// Table 6.24: result components from the channels of an order. `channels_of` is the inverse, for writing.
#define ORDERED(T)                                                   \
    LOCAL T##4 ordered_##T(image im, T##4 v) {                       \
        switch (im->order) {                                         \
        case CLK_BGRA: return v.zyxw;                                \
        case CLK_ARGB: return v.yzwx;                                \
        case CLK_R: return (T##4)(v.x, 0, 0, 1);                     \
        case CLK_A: return (T##4)(0, 0, 0, v.x);                     \
        case CLK_RG: return (T##4)(v.x, v.y, 0, 1);                  \
        case CLK_RA: return (T##4)(v.x, 0, 0, v.y);                  \
        case CLK_INTENSITY: return v.x;                              \
        case CLK_LUMINANCE: return (T##4)(v.xxx, 1);                 \
        default: return v;                                           \
        }                                                            \
    }
ORDERED(int)
ORDERED(float)
LOCAL uint4 channels_of(image im, uint4 v) {
    switch (im->order) {
    case CLK_BGRA: return v.zyxw;
    case CLK_ARGB: return v.wxyz;
    case CLK_A: return v.wwww;
    case CLK_RA: return v.xwww;
    default: return v;
    }
}

LOCAL int4 signed_channels(image im, uint4 channels) { return as_int4(channels << im->sign) >> (int)im->sign; }
LOCAL int4 texel_int(image im, struct texel at) { return ordered_int(im, signed_channels(im, load_texel(im, at))); }
LOCAL float normalised(int channel, float factor) { return __nvvm_fmax_f(__nvvm_i2f_rn(channel) * factor, -1.0f); }
LOCAL float4 texel_float(image im, struct texel at) {
    uint4 channels = load_texel(im, at);
    float4 v;
    if (im->type == CLK_FLOAT) v = as_float4(channels);
    else if (im->type == CLK_HALF_FLOAT)
        v = (float4)(from_half(channels.x), from_half(channels.y), from_half(channels.z), from_half(channels.w));
    else {
        int4 i = signed_channels(im, channels);
        float f = im->read;
        v = (float4)(normalised(i.x, f), normalised(i.y, f), normalised(i.z, f), normalised(i.w, f));
    }
    return ordered_float(im, v);
}

LOCAL int to_normalised(image im, float x) { return clamp(__nvvm_f2i_rn(x * im->write), im->least, im->most); }
LOCAL void store_float(image im, struct texel at, float4 v) {
    uint4 channels;
    if (im->type == CLK_FLOAT) channels = as_uint4(v);
    else if (im->type == CLK_HALF_FLOAT) channels = (uint4)(to_half(v.x), to_half(v.y), to_half(v.z), to_half(v.w));
    else channels = as_uint4((int4)(to_normalised(im, v.x), to_normalised(im, v.y), to_normalised(im, v.z), to_normalised(im, v.w)));
    store_texel(im, at, channels_of(im, channels));
}
LOCAL void store_int(image im, struct texel at, int4 v) {
    store_texel(im, at, channels_of(im, as_uint4(clamp(v, im->least, im->most))));
}
LOCAL void store_uint(image im, struct texel at, uint4 v) {
    store_texel(im, at, channels_of(im, min(v, (uint)im->most)));
}

// An index in one dimension. Outside the image, CLK_ADDRESS_NONE is undefined; here it is CLK_ADDRESS_CLAMP_TO_EDGE,
// like repetition without normalised coordinates.
#define ADDRESSING(sampler) ((sampler) & 0xe)
LOCAL int clamped(uint sampler, int index, int size, bool *outside) {
    int inside = clamp(index, 0, size - 1);
    if (ADDRESSING(sampler) == CLK_ADDRESS_CLAMP) *outside |= index != inside;
    return inside;
}
LOCAL bool is_normalised(uint sampler) { return sampler & CLK_NORMALIZED_COORDS_TRUE; }
LOCAL bool is_repeated(uint sampler) { return is_normalised(sampler) && ADDRESSING(sampler) == CLK_ADDRESS_REPEAT; }
LOCAL bool is_mirrored(uint sampler) { return is_normalised(sampler) && ADDRESSING(sampler) == CLK_ADDRESS_MIRRORED_REPEAT; }
// The coordinate in texels.
LOCAL float scaled(uint sampler, float s, int size) {
    if (!is_normalised(sampler)) return s;
    if (is_repeated(sampler)) s -= floor(s);
    if (is_mirrored(sampler)) s = fabs(s - 2.0f * rint(0.5f * s));
    return s * __nvvm_i2f_rn(size);
}
LOCAL int nearest_index(uint sampler, float s, int size, bool *outside) {
    int index = __nvvm_f2i_rm(scaled(sampler, s, size));
    if (is_repeated(sampler)) return index > size - 1 ? index - size : index;
    if (is_mirrored(sampler)) return min(index, size - 1);
    return clamped(sampler, index, size, outside);
}
// The two neighbours of a coordinate, and the weight of the second one.
struct axis { int index[2]; bool outside[2]; float weight; };
LOCAL struct axis linear_axis(uint sampler, float s, int size) {
    struct axis axis = {{0, 0}, {false, false}, 0};
    float u = scaled(sampler, s, size) - 0.5f, below = floor(u);
    axis.weight = u - below;
    int first = __nvvm_f2i_rm(u);
    if (is_repeated(sampler)) {
        axis.index[0] = first < 0 ? first + size : first;
        axis.index[1] = first + 1 > size - 1 ? first + 1 - size : first + 1;
    } else if (is_mirrored(sampler)) {
        axis.index[0] = max(first, 0);
        axis.index[1] = min(first + 1, size - 1);
    } else {
        // The index of the second neighbour must not overflow.
        first = clamp(first, -2, size);
        axis.index[0] = clamped(sampler, first, size, &axis.outside[0]);
        axis.index[1] = clamped(sampler, first + 1, size, &axis.outside[1]);
    }
    return axis;
}

// The layer of an array: rounded to nearest, and limited to the array.
LOCAL int layer_of(image im, float layer) { return clamp(__nvvm_f2i_rn(layer), 0, im->depth - 1); }

// The texel nearest to float coordinates. The first 1 to 3 of x, y and z are sampled; `layer` is the index z of an
// array.
LOCAL struct texel nearest_texel(image im, uint sampler, int dimensions, float4 s, int layer) {
    struct texel at = {0, 0, layer, false};
    at.x = nearest_index(sampler, s.x, im->width, &at.outside);
    if (dimensions > 1) at.y = nearest_index(sampler, s.y, im->height, &at.outside);
    if (dimensions > 2) at.z = nearest_index(sampler, s.z, im->depth, &at.outside);
    return at;
}
// The texel at integer coordinates.
LOCAL struct texel texel_at(image im, uint sampler, int dimensions, int4 s, int layer) {
    struct texel at = {0, 0, layer, false};
    at.x = clamped(sampler, s.x, im->width, &at.outside);
    if (dimensions > 1) at.y = clamped(sampler, s.y, im->height, &at.outside);
    if (dimensions > 2) at.z = clamped(sampler, s.z, im->depth, &at.outside);
    return at;
}
// The weighted sum of 2, 4 or 8 neighbours, in the order of section 8.2. The loop keeps the code small.
LOCAL float4 linear_float(image im, uint sampler, int dimensions, float4 s, int layer) {
    struct axis x = linear_axis(sampler, s.x, im->width), y = x, z = x;
    if (dimensions > 1) y = linear_axis(sampler, s.y, im->height);
    if (dimensions > 2) z = linear_axis(sampler, s.z, im->depth);
    float4 sum = 0;
#pragma clang loop unroll(disable)
    for (int corner = 0; corner < 1 << dimensions; corner++) {
        bool right = corner & 1, lower = corner & 2, back = corner & 4;
        struct texel at = {x.index[0], 0, layer, x.outside[0]};
        float weight = 1 - x.weight;
        if (right) at.x = x.index[1], at.outside = x.outside[1], weight = x.weight;
        if (dimensions > 1) {
            at.y = lower ? y.index[1] : y.index[0];
            at.outside |= lower ? y.outside[1] : y.outside[0];
            weight *= lower ? y.weight : 1 - y.weight;
        }
        if (dimensions > 2) {
            at.z = back ? z.index[1] : z.index[0];
            at.outside |= back ? z.outside[1] : z.outside[0];
            weight *= back ? z.weight : 1 - z.weight;
        }
        sum += weight * texel_float(im, at);
    }
    return sum;
}

// The read functions of an image type. P expands the argument `s` to four coordinates, of which the first `DIMENSIONS`
// are sampled. `LAYER` is the index z.
#define READ __attribute__((overloadable, pure, always_inline))
#define READ_NEAREST(TYPE, F, R, FETCH, COORDINATE, DIMENSIONS, P, LAYER)                             \
    READ R F(read_only TYPE opaque, sampler_t sampler, COORDINATE s) {                                \
        image im = descriptor(opaque);                                                                \
        return FETCH(im, NEAREST_##COORDINATE(im, word_of(sampler), DIMENSIONS, P, LAYER));           \
    }
#define READ_PLAIN(TYPE, F, R, FETCH, COORDINATE, DIMENSIONS, P, LAYER)                               \
    READ R F(read_only TYPE opaque, COORDINATE s) {                                                   \
        image im = descriptor(opaque);                                                                \
        return FETCH(im, texel_at(im, CLK_ADDRESS_NONE, DIMENSIONS, P, LAYER));                       \
    }
#define NEAREST_int texel_at
#define NEAREST_int2 texel_at
#define NEAREST_int4 texel_at
#define NEAREST_float nearest_texel
#define NEAREST_float2 nearest_texel
#define NEAREST_float4 nearest_texel
#define READ_LINEAR(TYPE, COORDINATE, DIMENSIONS, P, LAYER)                                           \
    READ float4 read_imagef(read_only TYPE opaque, sampler_t sampler, COORDINATE s) {                 \
        image im = descriptor(opaque);                                                                \
        uint word = word_of(sampler);                                                                 \
        if (word & CLK_FILTER_LINEAR) return linear_float(im, word, DIMENSIONS, P, LAYER);            \
        return texel_float(im, nearest_texel(im, word, DIMENSIONS, P, LAYER));                        \
    }
#define TEXEL_UINT(im, at) as_uint4(texel_int(im, at))
#define READ_WITHOUT_SAMPLER(TYPE, INTS, DIMENSIONS, P, LAYER)                                        \
    READ_PLAIN(TYPE, read_imagef, float4, texel_float, INTS, DIMENSIONS, P, LAYER)                    \
    READ_PLAIN(TYPE, read_imagei, int4, texel_int, INTS, DIMENSIONS, P, LAYER)                        \
    READ_PLAIN(TYPE, read_imageui, uint4, TEXEL_UINT, INTS, DIMENSIONS, P, LAYER)
#define READ_IMAGE(TYPE, INTS, FLOATS, DIMENSIONS, PI, PF, LAYER_I, LAYER_F)                          \
    READ_WITHOUT_SAMPLER(TYPE, INTS, DIMENSIONS, PI, LAYER_I)                                         \
    READ_NEAREST(TYPE, read_imagef, float4, texel_float, INTS, DIMENSIONS, PI, LAYER_I)               \
    READ_NEAREST(TYPE, read_imagei, int4, texel_int, INTS, DIMENSIONS, PI, LAYER_I)                   \
    READ_NEAREST(TYPE, read_imageui, uint4, TEXEL_UINT, INTS, DIMENSIONS, PI, LAYER_I)                \
    READ_LINEAR(TYPE, FLOATS, DIMENSIONS, PF, LAYER_F)                                                \
    READ_NEAREST(TYPE, read_imagei, int4, texel_int, FLOATS, DIMENSIONS, PF, LAYER_F)                 \
    READ_NEAREST(TYPE, read_imageui, uint4, TEXEL_UINT, FLOATS, DIMENSIONS, PF, LAYER_F)
#define LAYER_INT(index) clamp(index, 0, im->depth - 1)
#define LAYER_FLOAT(s) layer_of(im, s)
READ_IMAGE(image1d_t, int, float, 1, (int4)(s, 0, 0, 0), (float4)(s, 0, 0, 0), 0, 0)
READ_IMAGE(image1d_array_t, int2, float2, 1, (int4)(s, 0, 0), (float4)(s, 0, 0), LAYER_INT(s.y), LAYER_FLOAT(s.y))
READ_IMAGE(image2d_t, int2, float2, 2, (int4)(s, 0, 0), (float4)(s, 0, 0), 0, 0)
READ_IMAGE(image2d_array_t, int4, float4, 2, s, s, LAYER_INT(s.z), LAYER_FLOAT(s.z))
READ_IMAGE(image3d_t, int4, float4, 3, s, s, 0, 0)
READ_WITHOUT_SAMPLER(image1d_buffer_t, int, 1, (int4)(s, 0, 0, 0), 0)

#define WRITE_IMAGE(TYPE, COORDINATE, X, Y, Z)                                                        \
    INLINE void write_imagef(write_only TYPE opaque, COORDINATE s, float4 colour) {                   \
        store_float(descriptor(opaque), (struct texel){X, Y, Z, false}, colour);                      \
    }                                                                                                 \
    INLINE void write_imagei(write_only TYPE opaque, COORDINATE s, int4 colour) {                     \
        store_int(descriptor(opaque), (struct texel){X, Y, Z, false}, colour);                        \
    }                                                                                                 \
    INLINE void write_imageui(write_only TYPE opaque, COORDINATE s, uint4 colour) {                   \
        store_uint(descriptor(opaque), (struct texel){X, Y, Z, false}, colour);                       \
    }
WRITE_IMAGE(image1d_t, int, s, 0, 0)
WRITE_IMAGE(image1d_buffer_t, int, s, 0, 0)
WRITE_IMAGE(image1d_array_t, int2, s.x, 0, s.y)
WRITE_IMAGE(image2d_t, int2, s.x, s.y, 0)
WRITE_IMAGE(image2d_array_t, int4, s.x, s.y, s.z)
WRITE_IMAGE(image3d_t, int4, s.x, s.y, s.z)

#define QUERY(F, R, E, TYPE)                                                     \
    READ R F(read_only TYPE opaque) { image im = descriptor(opaque); return E; } \
    READ R F(write_only TYPE opaque) { image im = descriptor(opaque); return E; }
#define QUERIES(TYPE)                                          \
    QUERY(get_image_width, int, im->width, TYPE)               \
    QUERY(get_image_channel_data_type, int, im->type, TYPE)    \
    QUERY(get_image_channel_order, int, im->order, TYPE)
QUERIES(image1d_t)
QUERIES(image1d_buffer_t)
QUERIES(image1d_array_t)
QUERIES(image2d_t)
QUERIES(image2d_array_t)
QUERIES(image3d_t)
QUERY(get_image_height, int, im->height, image2d_t)
QUERY(get_image_height, int, im->height, image2d_array_t)
QUERY(get_image_height, int, im->height, image3d_t)
QUERY(get_image_depth, int, im->depth, image3d_t)
#define SIZES (int2)(im->width, im->height)
QUERY(get_image_dim, int2, SIZES, image2d_t)
QUERY(get_image_dim, int2, SIZES, image2d_array_t)
QUERY(get_image_dim, int4, (int4)(im->width, im->height, im->depth, 0), image3d_t)
QUERY(get_image_array_size, size_t, im->depth, image1d_array_t)
QUERY(get_image_array_size, size_t, im->depth, image2d_array_t)
