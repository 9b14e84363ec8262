// Section 6.11.4, common functions, and section 6.11.5, geometric functions.
FLOAT_3(clamp, fmin(fmax(x, y), z))
FLOAT_1(degrees, x * 0x1.ca5dc2p+5f)
FLOAT_1(radians, x * 0x1.1df46ap-6f)
FLOAT_2(max, x < y ? y : x)
FLOAT_2(min, y < x ? y : x)
FLOAT_3(mix, x + (y - x) * z)
FLOAT_2(step, y < x ? 0.0f : 1.0f)
// All comparisons with NaN are false.
FLOAT_1(sign, x > 0 ? 1.0f : x < 0 ? -1.0f : x == 0 ? x : 0.0f)
PURE float smoothstep(float from, float to, float x) {
    float t = clamp((x - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}
VECTOR_3(float, smoothstep, float, float, float)

VECTOR_SCALAR(float, max, float, float)
VECTOR_SCALAR(float, min, float, float)
#define COMMON_SCALARS(N, T)                                                                       \
    PURE T##N clamp(T##N x, T least, T most) { return clamp(x, (T##N)(least), (T##N)(most)); }     \
    PURE T##N mix(T##N x, T##N y, T a) { return mix(x, y, (T##N)(a)); }                            \
    PURE T##N step(T edge, T##N x) { return step((T##N)(edge), x); }                               \
    PURE T##N smoothstep(T from, T to, T##N x) { return smoothstep((T##N)(from), (T##N)(to), x); }
FOR_LENGTHS(COMMON_SCALARS, float)

PURE float3 cross(float3 a, float3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }
PURE float4 cross(float4 a, float4 b) { return (float4)(cross(a.xyz, b.xyz), 0.0f); }
PURE float dot(float a, float b) { return a * b; }
PURE float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
PURE float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
PURE float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

LOCAL float largest1(float a) { return fabs(a); }
LOCAL float largest2(float2 a) { return fmax(fabs(a.x), fabs(a.y)); }
LOCAL float largest3(float3 a) { return fmax(largest2(a.xy), fabs(a.z)); }
LOCAL float largest4(float4 a) { return fmax(largest2(a.xy), largest2(a.zw)); }
// A power of two by which the elements are scaled, so that their squares neither overflow nor underflow.
LOCAL float scale_for(float largest) { return largest > 0x1p60f ? 0x1p-66f : largest < 0x1p-40f ? 0x1p66f : 1.0f; }

PURE float length(float a) { return fabs(a); }
PURE float fast_length(float a) { return fabs(a); }
PURE float normalize(float a) { return sign(a) + (a - a); }
PURE float fast_normalize(float a) { return sign(a); }
#define GEOMETRIC(N)                                                                       \
    PURE float length(float##N a) {                                                        \
        float scale = scale_for(largest##N(a));                                            \
        a *= scale;                                                                        \
        return sqrt(dot(a, a)) * (scale == 1 ? 1.0f : scale < 1 ? 0x1p66f : 0x1p-66f);     \
    }                                                                                      \
    PURE float fast_length(float##N a) { return native_sqrt(dot(a, a)); }                  \
    PURE float##N normalize(float##N a) {                                                  \
        a *= scale_for(largest##N(a));                                                     \
        float square = dot(a, a);                                                          \
        return square == 0 ? a : a * rsqrt(square);                                        \
    }                                                                                      \
    PURE float##N fast_normalize(float##N a) {                                             \
        float square = dot(a, a);                                                          \
        return square == 0 ? a : a * native_rsqrt(square);                                 \
    }
GEOMETRIC(2)
GEOMETRIC(3)
GEOMETRIC(4)
#define DISTANCE(T)                                                        \
    PURE float distance(T a, T b) { return length(a - b); }                \
    PURE float fast_distance(T a, T b) { return fast_length(a - b); }
DISTANCE(float)
DISTANCE(float2)
DISTANCE(float3)
DISTANCE(float4)
