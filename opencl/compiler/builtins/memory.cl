// Section 6.11.7, vectors in memory with only the alignment of their elements.
#define LOAD_OF(N, T, S) PURE_LOAD T##N vload##N(size_t offset, const S T *from) { return LOAD_##N(T, from + N * offset); }
#define PURE_LOAD __attribute__((overloadable, pure, always_inline))
#define LOAD_2(T, p) (T##2)((p)[0], (p)[1])
#define LOAD_3(T, p) (T##3)((p)[0], (p)[1], (p)[2])
#define LOAD_4(T, p) (T##4)((p)[0], (p)[1], (p)[2], (p)[3])
#define LOAD_8(T, p) (T##8)(LOAD_4(T, p), LOAD_4(T, (p) + 4))
#define LOAD_16(T, p) (T##16)(LOAD_8(T, p), LOAD_8(T, (p) + 8))
#define STORE_2(p, v) (p)[0] = (v).s0, (p)[1] = (v).s1
#define STORE_3(p, v) STORE_2(p, v), (p)[2] = (v).s2
#define STORE_4(p, v) STORE_3(p, v), (p)[3] = (v).s3
#define STORE_8(p, v) STORE_4(p, (v).lo), STORE_4((p) + 4, (v).hi)
#define STORE_16(p, v) STORE_8(p, (v).lo), STORE_8((p) + 8, (v).hi)
#define STORE_OF(N, T, S) INLINE void vstore##N(T##N value, size_t offset, S T *to) { to += N * offset, STORE_##N(to, value); }
#define VLOAD(T)                                                                         \
    FOR_LENGTHS(LOAD_OF, T, global) FOR_LENGTHS(LOAD_OF, T, local)                       \
    FOR_LENGTHS(LOAD_OF, T, constant) FOR_LENGTHS(LOAD_OF, T, private)                   \
    FOR_LENGTHS(STORE_OF, T, global) FOR_LENGTHS(STORE_OF, T, local) FOR_LENGTHS(STORE_OF, T, private)
FOR_TYPES(VLOAD)

// 16-bit floats. Their denormals are normal numbers as floats.
LOCAL float from_half(ushort half_bits) {
    uint size = half_bits & 0x7fff;
    uint bits = size < 0x0400   ? as_uint(__nvvm_ui2f_rn(size) * 0x1p-24f)
                : size < 0x7c00 ? (size << 13) + 0x38000000
                                : (size << 13) | 0x7f800000;
    return as_float((uint)(half_bits & 0x8000) << 16 | bits);
}

// Adds one unit to the truncated result if MORE is true. `rest` has the bits cut off, and `half_unit` is half a unit.
#define TO_HALF(MODE, MORE, LARGEST)                                                     \
    LOCAL ushort to_half##MODE(float x) {                                                \
        uint size = as_uint(x) & 0x7fffffff, negative = as_uint(x) >> 31;                \
        if (size >= 0x7f800000) return negative << 15 | (size == 0x7f800000 ? 0x7c00 : 0x7fff); \
        uint exponent = size >> 23;                                                      \
        /* Below 2^-14 the unit is 2^-24, above 2^-10 of the first bit. */               \
        uint cut = exponent < 113 ? min(126 - exponent, 31u) : 13;                       \
        uint whole = exponent < 113 ? (exponent == 0 ? 0 : (size & 0x007fffff) | 0x00800000) : size - 0x38000000; \
        uint result = whole >> cut, rest = whole & ((1u << cut) - 1), half_unit = 1u << (cut - 1); \
        result += MORE;                                                                  \
        return negative << 15 | min(result, (uint)(LARGEST));                            \
    }
TO_HALF(_rte, rest > half_unit || (rest == half_unit && (result & 1)), 0x7c00)
TO_HALF(_rtz, 0, 0x7bff)
TO_HALF(_rtp, rest != 0 && !negative, negative ? 0x7bff : 0x7c00)
TO_HALF(_rtn, rest != 0 && negative, negative ? 0x7c00 : 0x7bff)
LOCAL ushort to_half(float x) { return to_half_rte(x); }

// Converts a double to a float without rounding: if bits are cut off, or the number is too small for a float, the
// lowest bit is set. Only 11 of the 24 bits are used, so the second conversion is the only one that rounds.
LOCAL float unrounded(double x) {
    double size = __builtin_fabs(x);
    float cut = __nvvm_d2f_rm(size < 0x1p-120 && size != 0 ? 0x1p-120 : size);
    uint bits = as_uint(cut) | ((double)cut != size);
    return as_float((isinf(cut) | isnan(cut) ? as_uint(cut) : bits) | (uint)(as_ulong(x) >> 32 & 0x80000000));
}
#define TO_HALF_OF_DOUBLE(MODE) LOCAL ushort to_half##MODE(double x) { return to_half##MODE(unrounded(x)); }
TO_HALF_OF_DOUBLE() TO_HALF_OF_DOUBLE(_rte) TO_HALF_OF_DOUBLE(_rtz) TO_HALF_OF_DOUBLE(_rtp) TO_HALF_OF_DOUBLE(_rtn)

#define HALVES_1(p) from_half((p)[0])
#define HALVES_2(p) (float2)(from_half((p)[0]), from_half((p)[1]))
#define HALVES_3(p) (float3)(from_half((p)[0]), from_half((p)[1]), from_half((p)[2]))
#define HALVES_4(p) (float4)(HALVES_2(p), HALVES_2((p) + 2))
#define HALVES_8(p) (float8)(HALVES_4(p), HALVES_4((p) + 4))
#define HALVES_16(p) (float16)(HALVES_8(p), HALVES_8((p) + 8))
#define LOAD_HALF(N, STRIDE, LENGTH, NAME, S)                                            \
    PURE_LOAD float##N NAME##N(size_t offset, const S half *from) {                      \
        const S ushort *bits = (const S ushort *)from + STRIDE * offset;                 \
        return HALVES_##LENGTH(bits);                                                    \
    }
#define STORE_HALVES_1(MODE, p, v) (p)[0] = to_half##MODE(v)
#define STORE_HALVES_2(MODE, p, v) (p)[0] = to_half##MODE((v).s0), (p)[1] = to_half##MODE((v).s1)
#define STORE_HALVES_3(MODE, p, v) STORE_HALVES_2(MODE, p, v), (p)[2] = to_half##MODE((v).s2)
#define STORE_HALVES_4(MODE, p, v) STORE_HALVES_3(MODE, p, v), (p)[3] = to_half##MODE((v).s3)
#define STORE_HALVES_8(MODE, p, v) STORE_HALVES_4(MODE, p, (v).lo), STORE_HALVES_4(MODE, (p) + 4, (v).hi)
#define STORE_HALVES_16(MODE, p, v) STORE_HALVES_8(MODE, p, (v).lo), STORE_HALVES_8(MODE, (p) + 8, (v).hi)
#define STORE_HALF(N, STRIDE, LENGTH, NAME, MODE, S)                                     \
    STORE_HALF_OF(N, STRIDE, LENGTH, NAME, MODE, S, float)                               \
    STORE_HALF_OF(N, STRIDE, LENGTH, NAME, MODE, S, double)
#define STORE_HALF_OF(N, STRIDE, LENGTH, NAME, MODE, S, T)                               \
    INLINE void NAME##N##MODE(T##N value, size_t offset, S half *to) {                   \
        S ushort *bits = (S ushort *)to + STRIDE * offset;                               \
        STORE_HALVES_##LENGTH(MODE, bits, value);                                        \
    }
#define LOAD_HALVES(S)                                                                   \
    LOAD_HALF(, 1, 1, vload_half, S)                                                     \
    LOAD_HALF(2, 2, 2, vload_half, S) LOAD_HALF(3, 3, 3, vload_half, S) LOAD_HALF(4, 4, 4, vload_half, S) \
    LOAD_HALF(8, 8, 8, vload_half, S) LOAD_HALF(16, 16, 16, vload_half, S)               \
    LOAD_HALF(, 1, 1, vloada_half, S)                                                    \
    LOAD_HALF(2, 2, 2, vloada_half, S) LOAD_HALF(3, 4, 3, vloada_half, S) LOAD_HALF(4, 4, 4, vloada_half, S) \
    LOAD_HALF(8, 8, 8, vloada_half, S) LOAD_HALF(16, 16, 16, vloada_half, S)
#define STORE_HALVES_OF(MODE, S)                                                         \
    STORE_HALF(, 1, 1, vstore_half, MODE, S)                                             \
    STORE_HALF(2, 2, 2, vstore_half, MODE, S) STORE_HALF(3, 3, 3, vstore_half, MODE, S)  \
    STORE_HALF(4, 4, 4, vstore_half, MODE, S) STORE_HALF(8, 8, 8, vstore_half, MODE, S)  \
    STORE_HALF(16, 16, 16, vstore_half, MODE, S)                                         \
    STORE_HALF(, 1, 1, vstorea_half, MODE, S)                                            \
    STORE_HALF(2, 2, 2, vstorea_half, MODE, S) STORE_HALF(3, 4, 3, vstorea_half, MODE, S) \
    STORE_HALF(4, 4, 4, vstorea_half, MODE, S) STORE_HALF(8, 8, 8, vstorea_half, MODE, S) \
    STORE_HALF(16, 16, 16, vstorea_half, MODE, S)
#define STORE_HALVES(S)                                                                  \
    STORE_HALVES_OF(, S) STORE_HALVES_OF(_rte, S) STORE_HALVES_OF(_rtz, S)               \
    STORE_HALVES_OF(_rtp, S) STORE_HALVES_OF(_rtn, S)
LOAD_HALVES(global)
LOAD_HALVES(local)
LOAD_HALVES(constant)
LOAD_HALVES(private)
STORE_HALVES(global)
STORE_HALVES(local)
STORE_HALVES(private)
