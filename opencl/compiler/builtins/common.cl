// Section 6.11.4, common functions, and section 6.11.5, geometric functions.
REAL_3(clamp, fmin(fmax(x, y), z))
FLOAT_1(degrees, x * 0x1.ca5dc2p+5f)
FLOAT_1(radians, x * 0x1.1df46ap-6f)
DOUBLE_1(degrees, x * 0x1.ca5dc1a63c1f8p+5)
DOUBLE_1(radians, x * 0x1.1df46a2529d39p-6)
REAL_2(max, x < y ? y : x)
REAL_2(min, y < x ? y : x)
REAL_3(mix, x + (y - x) * z)
FLOAT_2(step, y < x ? 0.0f : 1.0f)
DOUBLE_2(step, y < x ? 0.0 : 1.0)
// All comparisons with NaN are false.
FLOAT_1(sign, x > 0 ? 1.0f : x < 0 ? -1.0f : x == 0 ? x : 0.0f)
DOUBLE_1(sign, x > 0 ? 1.0 : x < 0 ? -1.0 : x == 0 ? x : 0.0)
#define SMOOTHSTEP(T, _)                                           \
    PURE T smoothstep(T from, T to, T x) {                         \
        T t = clamp((x - from) / (to - from), (T)0, (T)1);         \
        return t * t * (3 - 2 * t);                                \
    }                                                              \
    VECTOR_3(T, smoothstep, T, T, T)                               \
    VECTOR_SCALAR(T, max, T, T)                                    \
    VECTOR_SCALAR(T, min, T, T)                                    \
    FOR_LENGTHS(COMMON_SCALARS, T)
#define COMMON_SCALARS(N, T)                                                                       \
    PURE T##N clamp(T##N x, T least, T most) { return clamp(x, (T##N)(least), (T##N)(most)); }     \
    PURE T##N mix(T##N x, T##N y, T a) { return mix(x, y, (T##N)(a)); }                            \
    PURE T##N step(T edge, T##N x) { return step((T##N)(edge), x); }                               \
    PURE T##N smoothstep(T from, T to, T##N x) { return smoothstep((T##N)(from), (T##N)(to), x); }
FOR_REALS(SMOOTHSTEP, )

#define PRODUCTS(T, _)                                                                             \
    PURE T##3 cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }                      \
    PURE T##4 cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), (T)0); }                     \
    PURE T dot(T a, T b) { return a * b; }                                                         \
    PURE T dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; }                                   \
    PURE T dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                       \
    PURE T dot(T##4 a, T##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }           \
    LOCAL T largest2(T##2 a) { return fmax(fabs(a.x), fabs(a.y)); }                                \
    LOCAL T largest3(T##3 a) { return fmax(largest2(a.xy), fabs(a.z)); }                           \
    LOCAL T largest4(T##4 a) { return fmax(largest2(a.xy), largest2(a.zw)); }
FOR_REALS(PRODUCTS, )

// A power of two that scales the elements, so that their squares neither overflow nor underflow.
LOCAL float scale_for(float largest) { return largest > 0x1p60f ? 0x1p-66f : largest < 0x1p-40f ? 0x1p66f : 1.0f; }
LOCAL float scale_back(float scale) { return scale == 1 ? 1.0f : scale < 1 ? 0x1p66f : 0x1p-66f; }
LOCAL double scale_for(double largest) { return largest > 0x1p500 ? 0x1p-600 : largest < 0x1p-450 ? 0x1p600 : 1.0; }
LOCAL double scale_back(double scale) { return scale == 1 ? 1.0 : scale < 1 ? 0x1p600 : 0x1p-600; }

#define LENGTHS_OF(T, N)                                                                   \
    PURE T length(T##N a) {                                                                \
        T scale = scale_for(largest##N(a));                                                \
        a *= scale;                                                                        \
        return sqrt(dot(a, a)) * scale_back(scale);                                        \
    }                                                                                      \
    PURE T##N normalize(T##N a) {                                                          \
        a *= scale_for(largest##N(a));                                                     \
        T square = dot(a, a);                                                              \
        return square == 0 ? a : a * rsqrt(square);                                        \
    }
#define FAST_LENGTHS_OF(N)                                                                 \
    PURE float fast_length(float##N a) { return native_sqrt(dot(a, a)); }                  \
    PURE float##N fast_normalize(float##N a) {                                             \
        float square = dot(a, a);                                                          \
        return square == 0 ? a : a * native_rsqrt(square);                                 \
    }
#define LENGTHS(T, _)                                                                      \
    PURE T length(T a) { return fabs(a); }                                                 \
    PURE T normalize(T a) { return sign(a) + (a - a); }                                    \
    LENGTHS_OF(T, 2) LENGTHS_OF(T, 3) LENGTHS_OF(T, 4)                                     \
    PURE T distance(T a, T b) { return length(a - b); }                                    \
    PURE T distance(T##2 a, T##2 b) { return length(a - b); }                              \
    PURE T distance(T##3 a, T##3 b) { return length(a - b); }                              \
    PURE T distance(T##4 a, T##4 b) { return length(a - b); }
FOR_REALS(LENGTHS, )
PURE float fast_length(float a) { return fabs(a); }
PURE float fast_normalize(float a) { return sign(a); }
FAST_LENGTHS_OF(2)
FAST_LENGTHS_OF(3)
FAST_LENGTHS_OF(4)
#define FAST_DISTANCE(T) PURE float fast_distance(T a, T b) { return fast_length(a - b); }
FAST_DISTANCE(float)
FAST_DISTANCE(float2)
FAST_DISTANCE(float3)
FAST_DISTANCE(float4)
