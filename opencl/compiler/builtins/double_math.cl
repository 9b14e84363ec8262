// Section 6.11.2 for doubles: common functions, and the exact math functions.
//
// The machine's doubles include denormals. FUSED rounds only once, so it computes the exact remainder of a product or
// quotient. A result that needs more than 53 bits is a sum of two numbers, the second much smaller. Coefficients are
// minimax polynomials; docs/builtins.md has the measured errors.
#define FUSED(a, b, c) __builtin_fma(a, b, c)
// Three steps of Horner's method.
#define FUSED_3(x, p, a, b, c) FUSED(x, FUSED(x, FUSED(x, p, a), b), c)
#define WIDE_SIGN 0x8000000000000000ul
#define WIDE_INFINITY 0x7ff0000000000000ul
#define WIDE_HIDDEN 0x0010000000000000ul
#define WIDE_NAN as_double(0x7ffffffffffffffful)

LOCAL ulong size_of(double x) { return as_ulong(x) & ~WIDE_SIGN; }
LOCAL uint upper_of(double x) { return (uint)(as_ulong(x) >> 32); }
LOCAL double with_sign(double size, double sign) { return __builtin_copysign(size, sign); }
LOCAL double negate_if(double x, uint sign) { return as_double(as_ulong(x) ^ (ulong)sign << 32); }
// x times 2^n. Both x and the result must be normal numbers.
LOCAL double add_exponent(double x, int n) { return as_double(as_ulong(x) + ((ulong)(uint)n << 52)); }
// 2^n, which must be a normal number.
LOCAL double exact_power(int n) { return as_double((ulong)(uint)(1023 + n) << 52); }
// Two steps of Newton's method, nearly exact. x must be in the range of normal floats.
LOCAL double reciprocal(double x) {
    double y = reciprocal((float)x);
    y = FUSED(FUSED(-x, y, 1.0), y, y);
    return FUSED(FUSED(-x, y, 1.0), y, y);
}

DOUBLE_1(fabs, __builtin_fabs(x))
DOUBLE_2(fmin, __builtin_fmin(x, y))
DOUBLE_2(fmax, __builtin_fmax(x, y))
VECTOR_SCALAR(double, fmin, double, double)
VECTOR_SCALAR(double, fmax, double, double)
DOUBLE_2(copysign, with_sign(x, y))
DOUBLE_2(fdim, x > y ? x - y : x <= y ? 0.0 : WIDE_NAN)
DOUBLE_2(maxmag, fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y))
DOUBLE_2(minmag, fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y))
DOUBLE_3(fma, FUSED(x, y, z))
DOUBLE_3(mad, FUSED(x, y, z))
PURE double nan(ulong code) { return as_double(0x7ff8000000000000ul | code); }
VECTOR_1(double, nan, ulong)
DOUBLE_1(sqrt, __builtin_sqrt(x))
DOUBLE_1(rsqrt, 1.0 / sqrt(x))

DOUBLE_1(ceil, __builtin_ceil(x))
DOUBLE_1(floor, __builtin_floor(x))
DOUBLE_1(rint, __builtin_rint(x))
DOUBLE_1(trunc, __builtin_trunc(x))
LOCAL double round_away(double x) {
    double whole = trunc(x);
    return with_sign(fabs(x - whole) >= 0.5 ? fabs(whole) + 1 : whole, x);
}
DOUBLE_1(round, round_away(x))

LOCAL double fract_of(double x, private double *whole) {
    *whole = floor(x);
    double rest = fmin(x - *whole, 0x1.fffffffffffffp-1);
    return x != x ? x : isinf(x) ? with_sign(0.0, x) : with_sign(rest, x < 0 ? rest : x);
}
SPLIT(double, fract, fract_of, double)
LOCAL double modf_of(double x, private double *whole) {
    *whole = trunc(x);
    return with_sign(isinf(x) ? 0.0 : x - *whole, x);
}
SPLIT(double, modf, modf_of, double)
// The significand as a 53-bit integer, normalised, and its exponent. x is neither 0 nor infinite.
LOCAL ulong significand_of(double x, private int *exponent) {
    ulong size = size_of(x);
    *exponent = (int)(size >> 52);
    ulong significand = (size & (WIDE_HIDDEN - 1)) | WIDE_HIDDEN;
    if (*exponent == 0) {
        int zeros = (int)leading_zeros_long(size) - 11;
        *exponent = 1 - zeros;
        significand = size << zeros;
    }
    return significand;
}
LOCAL bool is_nonzero(double x) { return size_of(x) - 1 < WIDE_INFINITY - 1; }
LOCAL double frexp_of(double x, private int *exponent) {
    *exponent = 0;
    if (!is_nonzero(x)) return x + x;
    int e;
    ulong significand = significand_of(x, &e);
    *exponent = e - 1022;
    return as_double((as_ulong(x) & WIDE_SIGN) | (significand ^ WIDE_HIDDEN) | 1022ul << 52);
}
SPLIT(double, frexp, frexp_of, int)

// Only the last product rounds a denormal result.
LOCAL double times_power(double x, int n) {
    if (!is_nonzero(x)) return x + x;
    int e;
    ulong significand = significand_of(x, &e);
    e += clamp(n, -4000, 4000);
    if (e > 2046) return with_sign((double)INFINITY, x);
    ulong bits = (as_ulong(x) & WIDE_SIGN) | (significand ^ WIDE_HIDDEN);
    if (e > 0) return as_double(bits | (ulong)e << 52);
    return as_double(bits | 100ul << 52) * exact_power(max(e, -60) - 100);
}
PURE double ldexp(double x, int n) { return times_power(x, n); }
VECTOR_2(double, ldexp, double, int)
VECTOR_SCALAR(double, ldexp, double, int)
LOCAL int exponent_of(double x) {
    if (!is_nonzero(x)) return x == 0 ? INT_MIN : INT_MAX;
    int e;
    significand_of(x, &e);
    return e - 1023;
}
PURE int ilogb(double x) { return exponent_of(x); }
VECTOR_1(int, ilogb, double)
DOUBLE_1(logb, x == 0 ? -(double)INFINITY : isfinite(x) ? (double)exponent_of(x) : x * x)

LOCAL double next(double x, double y) {
    if (isnan(x) | isnan(y)) return WIDE_NAN;
    long a = as_long(x), b = as_long(y);
    long from = a < 0 ? LONG_MIN - a : a, to = b < 0 ? LONG_MIN - b : b;
    long result = from == to ? from : from < to ? from + 1 : from - 1;
    return from == to ? y : as_double(result < 0 ? LONG_MIN - result : result == 0 && a < 0 ? LONG_MIN : result);
}
DOUBLE_2(nextafter, next(x, y))

// Exact remainders, as for floats.
LOCAL double remainder_of(double x, double y, bool nearest, private int *quotient) {
    *quotient = 0;
    if (size_of(x) >= WIDE_INFINITY || size_of(y) > WIDE_INFINITY || y == 0) return WIDE_NAN;
    if (x == 0 || size_of(y) == WIDE_INFINITY) return x;
    int ea, eb;
    ulong rest = significand_of(x, &ea), divisor = significand_of(y, &eb);
    uint count = 0;
    if (ea < eb - 1 || (!nearest && ea < eb)) return x;
    int exponent = eb;
    if (ea < eb) {
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
        ulong twice = rest << 1;
        if (twice > divisor || (twice == divisor && (count & 1))) {
            rest = divisor - rest;
            count++;
            negative = SIGN;
        }
    }
    count &= 127;
    uint sign = upper_of(x) & SIGN;
    *quotient = sign != (upper_of(y) & SIGN) ? -(int)count : (int)count;
    return negate_if(times_power((double)rest, exponent - 1075), sign ^ negative);
}
LOCAL double fmod_of(double x, double y) {
    int quotient;
    return remainder_of(x, y, false, &quotient);
}
DOUBLE_2(fmod, fmod_of(x, y))
LOCAL double ieee_remainder(double x, double y) {
    int quotient;
    return remainder_of(x, y, true, &quotient);
}
DOUBLE_2(remainder, ieee_remainder(x, y))
FOR_SPACES(REMQUO, double)

// The operands are scaled, so that their squares neither overflow nor underflow.
LOCAL double hypot_of(double x, double y) {
    double a = fabs(x), b = fabs(y), most = fmax(a, b), least = fmin(a, b);
    double scale = most > 0x1p500 ? 0x1p-600 : most < 0x1p-450 ? 0x1p600 : 1.0;
    double back = most > 0x1p500 ? 0x1p600 : most < 0x1p-450 ? 0x1p-600 : 1.0;
    double c = most * scale, d = least * scale;
    double result = sqrt(FUSED(c, c, d * d)) * back;
    return isinf(x) | isinf(y) ? (double)INFINITY : isnan(x) | isnan(y) ? WIDE_NAN : result;
}
DOUBLE_2(hypot, hypot_of(x, y))
