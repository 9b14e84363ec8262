// Section 6.11.2: common functions, and the exact math functions.
//
// The machine's sums and products are rounded to nearest, without denormals. FMAD truncates its product to 24 bits: it
// is used where the product is small compared to the sum, and never in a step that must be exact. Coefficients are
// minimax polynomials; docs/builtins.md has the measured errors.
#define FMAD(a, b, c) __nvvm_fma_rn_ftz_f(a, b, c)
#define NOT_A_NUMBER as_float(0x7fffffff)
#define SIGN 0x80000000u

#if __clang_major__ < 15
// clang before version 15 has no other name for this instruction.
#define RECIPROCAL(x) __nvvm_rcp_rn_ftz_f(x)
#else
#define RECIPROCAL(x) __nvvm_rcp_approx_ftz_f(x)
#endif
LOCAL float reciprocal(float x) { return RECIPROCAL(x); }
LOCAL float reciprocal_root(float x) { return __nvvm_rsqrt_approx_ftz_f(x); }
LOCAL float power_of_two(float x) { return __nvvm_ex2_approx_ftz_f(x); }
// The first 12 bits of a significand: products of two such numbers are exact.
LOCAL float first_bits(float x) { return as_float(as_uint(x) & 0xfffff000); }
// The magnitude of `size` and the sign of `sign`.
LOCAL float with_sign(float size, float sign) { return as_float((as_uint(size) & ~SIGN) | (as_uint(sign) & SIGN)); }
LOCAL float negate_if(float x, uint sign) { return as_float(as_uint(x) ^ sign); }
// x times 2^n: changes only the exponent. The result must be a normal number, or one step above the largest.
LOCAL float add_exponent(float x, int n) { return as_float(as_uint(x) + ((uint)n << 23)); }

// The square root for x from 2^-80 to 2^100, correctly rounded except for a few arguments: one step of Newton's method
// with the exact remainder.
LOCAL float root(float x) {
    float reciprocal = reciprocal_root(x), s = x * reciprocal;
    float high = first_bits(s), low = s - high;
    float rest = ((x - high * high) - 2 * high * low) - low * low;
    return x == 0 ? x : s + rest * (0.5f * reciprocal);
}
// A quotient within one ulp, for operands of moderate size, by the same method.
LOCAL float quotient(float a, float b) {
    float r = reciprocal(b), q = a * r;
    float q_high = first_bits(q), q_low = q - q_high, b_high = first_bits(b), b_low = b - b_high;
    float rest = (((a - q_high * b_high) - q_high * b_low) - q_low * b_high) - q_low * b_low;
    return q + rest * r;
}

FLOAT_1(fabs, as_float(as_uint(x) & ~SIGN))
FLOAT_2(fmin, __nvvm_fmin_f(x, y))
FLOAT_2(fmax, __nvvm_fmax_f(x, y))
VECTOR_SCALAR(float, fmin, float, float)
VECTOR_SCALAR(float, fmax, float, float)
FLOAT_2(copysign, with_sign(x, y))
FLOAT_2(fdim, x > y ? x - y : x <= y ? 0.0f : NOT_A_NUMBER)
FLOAT_2(maxmag, fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y))
FLOAT_2(minmag, fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y))
FLOAT_3(mad, FMAD(x, y, z))
PURE float nan(uint code) { return as_float(0x7fc00000 | code); }
VECTOR_1(float, nan, uint)

FLOAT_1(ceil, __builtin_ceilf(x))
FLOAT_1(floor, __builtin_floorf(x))
FLOAT_1(rint, __builtin_rintf(x))
FLOAT_1(trunc, __builtin_truncf(x))
// Rounds halves away from zero.
LOCAL float round_away(float x) {
    float whole = trunc(x);
    return with_sign(fabs(x - whole) >= 0.5f ? fabs(whole) + 1 : whole, x);
}
FLOAT_1(round, round_away(x))

// Functions that return a second result through a pointer: one for each address space. Vectors are computed by element.
#define FOR_SPACES(M, ...) M(global, __VA_ARGS__) M(local, __VA_ARGS__) M(private, __VA_ARGS__)
#define SPLIT_SCALAR(S, R, F, OF, T)                         \
    INLINE R F(R x, S T *second) {                           \
        T other;                                             \
        R first = OF(x, &other);                             \
        *second = other;                                     \
        return first;                                        \
    }
#define SPLIT_VECTOR(N, S, R, F, OF, T)                                                  \
    INLINE R##N F(R##N x, S T##N *second) {                                              \
        T##N other;                                                                      \
        R##N first;                                                                      \
        UNROLLED for (int i = 0; i < LENGTH_##N; i++) {                                  \
            T part;                                                                      \
            first[i] = OF(x[i], &part);                                                  \
            other[i] = part;                                                             \
        }                                                                                \
        *second = other;                                                                 \
        return first;                                                                    \
    }
#define SPLIT_SPACE(S, R, F, OF, T) SPLIT_SCALAR(S, R, F, OF, T) FOR_LENGTHS(SPLIT_VECTOR, S, R, F, OF, T)
#define SPLIT(R, F, OF, T) FOR_SPACES(SPLIT_SPACE, R, F, OF, T)
// An unrolled loop has constant indices. Otherwise the vector would be an array in memory.
#define UNROLLED _Pragma("clang loop unroll(full)")
#define LENGTH_2 2
#define LENGTH_3 3
#define LENGTH_4 4
#define LENGTH_8 8
#define LENGTH_16 16

LOCAL float fract_of(float x, private float *whole) {
    *whole = floor(x);
    float rest = fmin(x - *whole, 0x1.fffffep-1f);
    return x != x ? x : isinf(x) ? with_sign(0.0f, x) : with_sign(rest, x < 0 ? rest : x);
}
SPLIT(float, fract, fract_of, float)
LOCAL float modf_of(float x, private float *whole) {
    *whole = trunc(x);
    return with_sign(isinf(x) ? 0.0f : x - *whole, x);
}
SPLIT(float, modf, modf_of, float)
LOCAL float frexp_of(float x, private int *exponent) {
    uint size = as_uint(x) & ~SIGN;
    bool number = size >= 0x00800000 && size < 0x7f800000;
    *exponent = number ? (int)(size >> 23) - 126 : 0;
    return number ? as_float((as_uint(x) & 0x807fffff) | 0x3f000000) : x + x;
}
SPLIT(float, frexp, frexp_of, int)

// The product is computed in steps, because 2^n may be out of range. Beyond 2^-300 and 2^300 the result does not
// change.
LOCAL float times_power(float x, int n) {
    n = clamp(n, -300, 300);
    int third = n / 3, rest = n - 2 * third;
    float step = as_float((127 + third) << 23);
    return x * step * step * as_float((127 + rest) << 23);
}
PURE float ldexp(float x, int n) { return times_power(x, n); }
VECTOR_2(float, ldexp, float, int)
VECTOR_SCALAR(float, ldexp, float, int)
LOCAL int exponent_of(float x) {
    uint size = as_uint(x) & ~SIGN;
    return size < 0x00800000 ? INT_MIN : size >= 0x7f800000 ? INT_MAX : (int)(size >> 23) - 127;
}
PURE int ilogb(float x) { return exponent_of(x); }
VECTOR_1(int, ilogb, float)
FLOAT_1(logb, x == 0 ? -INFINITY : isfinite(x) ? (float)exponent_of(x) : x * x)

// Works on the bits, because arithmetic would treat denormals as zeros.
LOCAL float next(float x, float y) {
    if (isnan(x) | isnan(y)) return NOT_A_NUMBER;
    int a = as_int(x), b = as_int(y);
    int from = a < 0 ? INT_MIN - a : a, to = b < 0 ? INT_MIN - b : b;
    int result = from == to ? from : from < to ? from + 1 : from - 1;
    return from == to ? y : as_float(result < 0 ? INT_MIN - result : result == 0 && a < 0 ? INT_MIN : result);
}
FLOAT_2(nextafter, next(x, y))

// Exact remainder: long division of the significands, one quotient bit per round.
LOCAL float remainder_of(float x, float y, bool nearest, private int *quotient) {
    uint a = as_uint(x) & ~SIGN, b = as_uint(y) & ~SIGN;
    *quotient = 0;
    if (a >= 0x7f800000 || b > 0x7f800000 || b < 0x00800000) return NOT_A_NUMBER;
    if (a < 0x00800000 || b == 0x7f800000) return x;
    int ea = a >> 23, eb = b >> 23;
    uint rest = (a & 0x007fffff) | 0x00800000, divisor = (b & 0x007fffff) | 0x00800000, count = 0;
    if (ea < eb - 1 || (!nearest && ea < eb)) return x;
    int exponent = eb;
    if (ea < eb) {
        // x may be more than half the divisor. The divisor is converted to units of x.
        divisor <<= 1;
        exponent = ea;
    }
    for (int steps = max(ea - eb, 0);; steps--) {
        count <<= 1;
        if (rest >= divisor) {
            rest -= divisor;
            count |= 1;
        }
        if (steps == 0) break;
        rest <<= 1;
    }
    uint negative = 0;
    if (nearest) {
        uint twice = rest << 1;
        if (twice > divisor || (twice == divisor && (count & 1))) {
            rest = divisor - rest;
            count++;
            negative = SIGN;
        }
    }
    count &= 127;
    *quotient = (as_uint(x) ^ as_uint(y)) & SIGN ? -(int)count : (int)count;
    // A product or sum with a power of two is exact. Results below 2^-126 are zero.
    float size = (float)rest * as_float(max(exponent - 23, 1) << 23);
    size *= exponent < 24 ? as_float((127 - (24 - exponent)) << 23) : 1.0f;
    return negate_if(size, (as_uint(x) & SIGN) ^ negative);
}
LOCAL float fmod_of(float x, float y) {
    int quotient;
    return remainder_of(x, y, false, &quotient);
}
FLOAT_2(fmod, fmod_of(x, y))
LOCAL float ieee_remainder(float x, float y) {
    int quotient;
    return remainder_of(x, y, true, &quotient);
}
FLOAT_2(remainder, ieee_remainder(x, y))
#define REMQUO(S, R)                                                                     \
    INLINE R remquo(R x, R y, S int *quotient) {                                         \
        int count;                                                                       \
        R rest = remainder_of(x, y, true, &count);                                       \
        *quotient = count;                                                               \
        return rest;                                                                     \
    }                                                                                    \
    FOR_LENGTHS(REMQUO_VECTOR, S, R)
#define REMQUO_VECTOR(N, S, R)                                                           \
    INLINE R##N remquo(R##N x, R##N y, S int##N *quotient) {                             \
        int##N counts;                                                                   \
        R##N rest;                                                                       \
        UNROLLED for (int i = 0; i < LENGTH_##N; i++) {                                  \
            int count;                                                                   \
            rest[i] = remainder_of(x[i], y[i], true, &count);                            \
            counts[i] = count;                                                           \
        }                                                                                \
        *quotient = counts;                                                              \
        return rest;                                                                     \
    }
FOR_SPACES(REMQUO, float)

// x * y + z, rounded once. It is computed with integers, because the machine has no such instruction. The 48-bit
// product and z are 64-bit numbers with the highest bit at most bit 61. If bits are shifted out, the lowest bit is set.
LOCAL float fused(float x, float y, float z) {
    uint a = as_uint(x) & ~SIGN, b = as_uint(y) & ~SIGN, c = as_uint(z) & ~SIGN;
    uint sign = (as_uint(x) ^ as_uint(y)) & SIGN;
    // The result is an infinite z even if the finite product is too large for a float.
    if (c == 0x7f800000 && a < 0x7f800000 && b < 0x7f800000) return z;
    // For zeros, infinities and NaNs, the machine's own product and sum are correct.
    if (a < 0x00800000 || b < 0x00800000 || a >= 0x7f800000 || b >= 0x7f800000 || c >= 0x7f800000) return x * y + z;
    ulong product = (ulong)((a & 0x007fffff) | 0x00800000) * ((b & 0x007fffff) | 0x00800000) << 14;
    // The value is product * 2^(exponent - 164). Its highest bit is bit 60 or 61.
    int exponent = (int)(a >> 23) + (int)(b >> 23) - 150;
    ulong sum = product;
    if (c >= 0x00800000) {
        ulong addend = (ulong)((c & 0x007fffff) | 0x00800000) << 38;
        int other = (int)(c >> 23) - 24;
        int distance = exponent - other;
        uint differ = (sign ^ as_uint(z)) & SIGN;
        // The operand with the larger exponent is not shifted.
        if (distance < 0) {
            ulong swap = product;
            product = addend;
            addend = swap;
            exponent = other;
            distance = -distance;
            sign = as_uint(z) & SIGN;
        }
        addend = shifted_right(addend, min((uint)distance, 63u));
        sum = differ ? product - addend : product + addend;
        // The second operand can only be larger if the exponents are equal.
        if (differ && product < addend) {
            sum = addend - product;
            sign ^= SIGN;
        }
        if (sum == 0) return 0;
    }
    // Shifts the highest bit to bit 63. The upper word then has 24 bits and more, with a sticky bit for the rest.
    uint zeros = leading_zeros_long(sum);
    sum = shifted_left(sum, zeros);
    uint upper = (uint)(sum >> 32) | ((uint)sum != 0);
    // The conversion rounds to nearest. Its exponent is 158, or 159 after a carry.
    uint bits = as_uint(__nvvm_ui2f_rn(upper));
    int result = (int)(bits >> 23) + exponent - 132 - (int)zeros;
    if (result <= 0) return as_float(sign);
    return as_float(sign | (result >= 255 ? 0x7f800000 : ((uint)result << 23) | (bits & 0x007fffff)));
}
FLOAT_3(fma, fused(x, y, z))
