// Section 6.2.3, explicit conversions: convert_T, with optional saturation and rounding mode.

// The range of each type within int, uint, long and ulong, for saturation.
#define RANGES(M)                                                                \
    M(char, -128, 127, 127, -128, 127, 127)                                      \
    M(uchar, 0, 255, 255, 0, 255, 255)                                           \
    M(short, -32768, 32767, 32767, -32768, 32767, 32767)                         \
    M(ushort, 0, 65535, 65535, 0, 65535, 65535)                                  \
    M(int, INT_MIN, INT_MAX, INT_MAX, INT_MIN, INT_MAX, INT_MAX)                 \
    M(uint, 0, INT_MAX, UINT_MAX, 0, UINT_MAX, UINT_MAX)                         \
    M(long, INT_MIN, INT_MAX, UINT_MAX, LONG_MIN, LONG_MAX, LONG_MAX)            \
    M(ulong, 0, INT_MAX, UINT_MAX, 0, LONG_MAX, ULONG_MAX)
#define SATURATE(T, LEAST_INT, MOST_INT, MOST_UINT, LEAST_LONG, MOST_LONG, MOST_ULONG) \
    LOCAL T saturate_int_##T(int x) { return (T)clamp(x, LEAST_INT, MOST_INT); }       \
    LOCAL T saturate_uint_##T(uint x) { return (T)min(x, (uint)MOST_UINT); }           \
    LOCAL T saturate_long_##T(long x) { return (T)clamp(x, (long)LEAST_LONG, (long)MOST_LONG); } \
    LOCAL T saturate_ulong_##T(ulong x) { return (T)min(x, (ulong)MOST_ULONG); }
RANGES(SATURATE)

// Converts an integral float to 64 bits: shifts its significand.
LOCAL ulong magnitude_of(float x) {
    uint bits = as_uint(x) & 0x7fffffff, exponent = bits >> 23;
    uint significand = exponent == 0 ? 0 : (bits & 0x007fffff) | 0x00800000;
    return exponent < 150 ? significand >> min(150 - exponent, 31u) : shifted_left(significand, (exponent - 150) & 63);
}
LOCAL long integral_to_long(float x) {
    if (x >= 0x1p63f) return LONG_MAX;
    if (x < -0x1p63f) return LONG_MIN;
    ulong size = magnitude_of(x);
    return x == x ? (long)(x < 0 ? -size : size) : 0;
}
LOCAL ulong integral_to_ulong(float x) { return x >= 0x1p64f ? ULONG_MAX : x > 0 ? magnitude_of(x) : 0; }

// clang compiles a conversion toward zero as a conversion to nearest, so the sign selects rounding up or down instead.
LOCAL float uint_to_float_rn(uint x) { return __nvvm_ui2f_rn(x); }
LOCAL float uint_to_float_rz(uint x) { return __nvvm_ui2f_rm(x); }
LOCAL float uint_to_float_rp(uint x) { return __nvvm_ui2f_rp(x); }
LOCAL float uint_to_float_rm(uint x) { return __nvvm_ui2f_rm(x); }
LOCAL float int_to_float_rn(int x) { return __nvvm_i2f_rn(x); }
LOCAL float int_to_float_rz(int x) { return x < 0 ? __nvvm_i2f_rp(x) : __nvvm_i2f_rm(x); }
LOCAL float int_to_float_rp(int x) { return __nvvm_i2f_rp(x); }
LOCAL float int_to_float_rm(int x) { return __nvvm_i2f_rm(x); }

// Converts 64 bits to a float: the 32 bits from the first 1 on, with the last bit set if any bit below them is 1.
#define LONG_TO_FLOAT(MODE)                                                                      \
    LOCAL float ulong_to_float##MODE(ulong x) {                                                  \
        if (x >> 32 == 0) return uint_to_float##MODE((uint)x);                                     \
        uint zeros = leading_zeros((uint)(x >> 32));                                             \
        ulong first = shifted_left(x, zeros);                                                              \
        uint upper = (uint)(first >> 32) | ((uint)first != 0);                                   \
        return uint_to_float##MODE(upper) * as_float((127 + 32 - zeros) << 23);                    \
    }
LONG_TO_FLOAT(_rn)
LONG_TO_FLOAT(_rz)
LONG_TO_FLOAT(_rp)
LONG_TO_FLOAT(_rm)
#define SIGNED_TO_FLOAT(MODE, OPPOSITE)                                                          \
    LOCAL float long_to_float##MODE(long x) {                                                    \
        return x < 0 ? -ulong_to_float##OPPOSITE(-(ulong)x) : ulong_to_float##MODE((ulong)x);    \
    }
SIGNED_TO_FLOAT(_rn, _rn)
SIGNED_TO_FLOAT(_rz, _rz)
SIGNED_TO_FLOAT(_rp, _rm)
SIGNED_TO_FLOAT(_rm, _rp)

LOCAL float integral_rn(float x) { return __builtin_rintf(x); }
LOCAL float integral_rz(float x) { return __builtin_truncf(x); }
LOCAL float integral_rp(float x) { return __builtin_ceilf(x); }
LOCAL float integral_rm(float x) { return __builtin_floorf(x); }

LOCAL double integral_rn(double x) { return __builtin_rint(x); }
LOCAL double integral_rz(double x) { return __builtin_trunc(x); }
LOCAL double integral_rp(double x) { return __builtin_ceil(x); }
LOCAL double integral_rm(double x) { return __builtin_floor(x); }
LOCAL long integral_to_long(double x) {
    return x >= 0x1p63 ? LONG_MAX : x < -0x1p63 ? LONG_MIN : x == x ? (long)x : 0;
}
LOCAL ulong integral_to_ulong(double x) { return x >= 0x1p64 ? ULONG_MAX : x > 0 ? (ulong)x : 0; }

#define CONVERT_VECTORS(T, S, MODE)                                                              \
    PURE T##2 convert_##T##2##MODE(S##2 x) { return (T##2)(convert_##T##MODE(x.s0), convert_##T##MODE(x.s1)); } \
    PURE T##3 convert_##T##3##MODE(S##3 x) {                                                     \
        return (T##3)(convert_##T##MODE(x.s0), convert_##T##MODE(x.s1), convert_##T##MODE(x.s2)); \
    }                                                                                            \
    PURE T##4 convert_##T##4##MODE(S##4 x) { return (T##4)(convert_##T##2##MODE(x.lo), convert_##T##2##MODE(x.hi)); } \
    PURE T##8 convert_##T##8##MODE(S##8 x) { return (T##8)(convert_##T##4##MODE(x.lo), convert_##T##4##MODE(x.hi)); } \
    PURE T##16 convert_##T##16##MODE(S##16 x) { return (T##16)(convert_##T##8##MODE(x.lo), convert_##T##8##MODE(x.hi)); }
#define CONVERT(T, S, MODE, E)                                   \
    PURE T convert_##T##MODE(S x) { return E; }                  \
    CONVERT_VECTORS(T, S, MODE)
// Conversions between integers do not round, so all modes are the same.
#define CONVERT_ALL_MODES(T, S, PREFIX, E)                                                       \
    CONVERT(T, S, PREFIX, E) CONVERT(T, S, PREFIX##_rte, E) CONVERT(T, S, PREFIX##_rtz, E)       \
    CONVERT(T, S, PREFIX##_rtp, E) CONVERT(T, S, PREFIX##_rtn, E)
// W is the wide type from which the value is saturated.
#define CONVERT_INTEGER(T, S, W)                                 \
    CONVERT_ALL_MODES(T, S, , (T)x)                              \
    CONVERT_ALL_MODES(T, S, _sat, saturate_##W##_##T(x))
#define FROM_REAL_MODE(T, S, MODE, E, SATURATED) CONVERT(T, S, MODE, E) CONVERT(T, S, _sat##MODE, SATURATED)
// Without a mode, a conversion to an integer rounds toward zero.
#define FROM_REAL(T, S, E, SATURATED)                                                            \
    FROM_REAL_MODE(T, S, , E(T, _rz), SATURATED(T, _rz))                                           \
    FROM_REAL_MODE(T, S, _rte, E(T, _rn), SATURATED(T, _rn))                                       \
    FROM_REAL_MODE(T, S, _rtz, E(T, _rz), SATURATED(T, _rz))                                       \
    FROM_REAL_MODE(T, S, _rtp, E(T, _rp), SATURATED(T, _rp))                                       \
    FROM_REAL_MODE(T, S, _rtn, E(T, _rm), SATURATED(T, _rm))
#define FLOAT_TO_INT(T, MODE) ((T)__nvvm_f2i##MODE(x))
#define FLOAT_TO_UINT(T, MODE) ((T)__nvvm_f2ui##MODE(x))
// The machine's conversion saturates to 32 bits and converts a NaN to 0. clang would compile a conversion toward zero
// as a plain one, which is undefined beyond the range. So the value is truncated first, then converted to nearest.
#define TO_INT_rn(x) __nvvm_f2i_rn(x)
#define TO_INT_rz(x) __nvvm_f2i_rn(integral_rz(x))
#define TO_INT_rp(x) __nvvm_f2i_rp(x)
#define TO_INT_rm(x) __nvvm_f2i_rm(x)
#define TO_UINT_rn(x) __nvvm_f2ui_rn(x)
#define TO_UINT_rz(x) __nvvm_f2ui_rn(integral_rz(x))
#define TO_UINT_rp(x) __nvvm_f2ui_rp(x)
#define TO_UINT_rm(x) __nvvm_f2ui_rm(x)
#define FLOAT_TO_INT_SATURATED(T, MODE) saturate_int_##T(TO_INT##MODE(x))
#define FLOAT_TO_UINT_SATURATED(T, MODE) saturate_uint_##T(TO_UINT##MODE(x))
// The same for doubles, but the machine converts a NaN to 2^31 or 2^63. A saturated NaN is 0, as for floats.
#define WIDE_INT_rn(x) __nvvm_d2i_rn(x)
#define WIDE_INT_rz(x) __nvvm_d2i_rn(trunc(x))
#define WIDE_INT_rp(x) __nvvm_d2i_rp(x)
#define WIDE_INT_rm(x) __nvvm_d2i_rm(x)
#define WIDE_UINT_rn(x) __nvvm_d2ui_rn(x)
#define WIDE_UINT_rz(x) __nvvm_d2ui_rn(trunc(x))
#define WIDE_UINT_rp(x) __nvvm_d2ui_rp(x)
#define WIDE_UINT_rm(x) __nvvm_d2ui_rm(x)
#define DOUBLE_TO_INT(T, MODE) ((T)WIDE_INT##MODE(x))
#define DOUBLE_TO_UINT(T, MODE) ((T)WIDE_UINT##MODE(x))
// clang's 64-bit functions cannot be used: clang takes their type to have 128 bits.
#define DOUBLE_TO_LONG(T, MODE) integral_to_long(integral##MODE(x))
#define DOUBLE_TO_ULONG(T, MODE) integral_to_ulong(integral##MODE(x))
#define DOUBLE_TO_INT_SATURATED(T, MODE) (x == x ? saturate_int_##T(WIDE_INT##MODE(x)) : (T)0)
#define DOUBLE_TO_UINT_SATURATED(T, MODE) (x == x ? saturate_uint_##T(WIDE_UINT##MODE(x)) : (T)0)
#define DOUBLE_TO_LONG_SATURATED DOUBLE_TO_LONG
#define DOUBLE_TO_ULONG_SATURATED DOUBLE_TO_ULONG
#define FLOAT_TO_LONG(T, MODE) integral_to_long(integral##MODE(x))
#define FLOAT_TO_ULONG(T, MODE) integral_to_ulong(integral##MODE(x))
#define TO_FLOAT(S, FUNCTION)                                                                    \
    CONVERT(float, S, , FUNCTION##_rn(x)) CONVERT(float, S, _rte, FUNCTION##_rn(x))              \
    CONVERT(float, S, _rtz, FUNCTION##_rz(x)) CONVERT(float, S, _rtp, FUNCTION##_rp(x))          \
    CONVERT(float, S, _rtn, FUNCTION##_rm(x))

#define CONVERT_TO(T)                                                                            \
    CONVERT_INTEGER(T, char, int) CONVERT_INTEGER(T, uchar, uint) CONVERT_INTEGER(T, short, int) \
    CONVERT_INTEGER(T, ushort, uint) CONVERT_INTEGER(T, int, int) CONVERT_INTEGER(T, uint, uint) \
    CONVERT_INTEGER(T, long, long) CONVERT_INTEGER(T, ulong, ulong)
FOR_INTEGERS(CONVERT_TO)
FROM_REAL(char, float, FLOAT_TO_INT, FLOAT_TO_INT_SATURATED)
FROM_REAL(uchar, float, FLOAT_TO_UINT, FLOAT_TO_UINT_SATURATED)
FROM_REAL(short, float, FLOAT_TO_INT, FLOAT_TO_INT_SATURATED)
FROM_REAL(ushort, float, FLOAT_TO_UINT, FLOAT_TO_UINT_SATURATED)
FROM_REAL(int, float, FLOAT_TO_INT, FLOAT_TO_INT_SATURATED)
FROM_REAL(uint, float, FLOAT_TO_UINT, FLOAT_TO_UINT_SATURATED)
FROM_REAL(long, float, FLOAT_TO_LONG, FLOAT_TO_LONG)
FROM_REAL(ulong, float, FLOAT_TO_ULONG, FLOAT_TO_ULONG)
TO_FLOAT(char, int_to_float)
TO_FLOAT(uchar, uint_to_float)
TO_FLOAT(short, int_to_float)
TO_FLOAT(ushort, uint_to_float)
TO_FLOAT(int, int_to_float)
TO_FLOAT(uint, uint_to_float)
TO_FLOAT(long, long_to_float)
TO_FLOAT(ulong, ulong_to_float)
CONVERT_ALL_MODES(float, float, , x)

#define FROM_DOUBLE(T, KIND) FROM_REAL(T, double, DOUBLE_TO_##KIND, DOUBLE_TO_##KIND##_SATURATED)
FROM_DOUBLE(char, INT) FROM_DOUBLE(uchar, UINT) FROM_DOUBLE(short, INT) FROM_DOUBLE(ushort, UINT)
FROM_DOUBLE(int, INT) FROM_DOUBLE(uint, UINT) FROM_DOUBLE(long, LONG) FROM_DOUBLE(ulong, ULONG)
// Floats and integers of up to 32 bits are converted exactly.
#define EXACT_TO_DOUBLE(T) CONVERT_ALL_MODES(double, T, , (double)x)
EXACT_TO_DOUBLE(char) EXACT_TO_DOUBLE(uchar) EXACT_TO_DOUBLE(short) EXACT_TO_DOUBLE(ushort)
EXACT_TO_DOUBLE(int) EXACT_TO_DOUBLE(uint) EXACT_TO_DOUBLE(float) EXACT_TO_DOUBLE(double)
// Upper half times 2^32 plus lower half, rounded once.
LOCAL double wide_to_double_rn(long x) { return (double)x; }
LOCAL double wide_to_double_rn(ulong x) { return (double)x; }
#define WIDE_TO_DOUBLE(MODE)                                                                     \
    LOCAL double wide_to_double##MODE(long x) {                                                  \
        return __nvvm_fma##MODE##_d((double)(int)(x >> 32), 0x1p32, (double)(uint)x);            \
    }                                                                                            \
    LOCAL double wide_to_double##MODE(ulong x) {                                                 \
        return __nvvm_fma##MODE##_d((double)(uint)(x >> 32), 0x1p32, (double)(uint)x);           \
    }
WIDE_TO_DOUBLE(_rz) WIDE_TO_DOUBLE(_rp) WIDE_TO_DOUBLE(_rm)
// clang compiles a conversion toward zero as a plain conversion, so the sign selects rounding up or down instead.
LOCAL float double_to_float_rn(double x) { return __nvvm_d2f_rn(x); }
LOCAL float double_to_float_rz(double x) { return x < 0 ? __nvvm_d2f_rp(x) : __nvvm_d2f_rm(x); }
LOCAL float double_to_float_rp(double x) { return __nvvm_d2f_rp(x); }
LOCAL float double_to_float_rm(double x) { return __nvvm_d2f_rm(x); }
#define ROUNDED(T, S, F)                                                                         \
    CONVERT(T, S, , F##_rn(x)) CONVERT(T, S, _rte, F##_rn(x)) CONVERT(T, S, _rtz, F##_rz(x))     \
    CONVERT(T, S, _rtp, F##_rp(x)) CONVERT(T, S, _rtn, F##_rm(x))
ROUNDED(double, long, wide_to_double)
ROUNDED(double, ulong, wide_to_double)
ROUNDED(float, double, double_to_float)
