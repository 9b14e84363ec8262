// Trigonometric and hyperbolic functions, and their inverses.
#define PI_HALF 0x1.921fb6p+0f
#define PI_HALF_LOW -0x1.777a5cp-25f
#define PI_4TH 0x1.921fb6p-1f

// x - k pi/2 for |x| >= 1024, by Payne and Hanek's method: 2/pi times a 32-bit significand. Only two bits
// before the point and 62 after it matter, so three words of 2/pi are enough; x's exponent selects them.
LOCAL float reduce_large(float x, private int *k) {
    uint bits = as_uint(x);
    uint significand = bits << 8 | 0x80000000;
    uint exponent = (bits >> 23 & 255) - 126;
    uint word = exponent >> 5, count = exponent & 31;
    // Words of 2/pi / 4. The word before the first one is 0. `word` is 0 to 4.
#define WORD(A, B, C, D, E) (word & 4 ? E : word & 2 ? (word & 1 ? D : C) : (word & 1 ? B : A))
    uint w0 = WORD(0, 0x28be60db, 0x9391054a, 0x7f09d5f4, 0x7d4d3770);
    uint w1 = WORD(0x28be60db, 0x9391054a, 0x7f09d5f4, 0x7d4d3770, 0x36d8a566);
    uint w2 = WORD(0x9391054a, 0x7f09d5f4, 0x7d4d3770, 0x36d8a566, 0x4f10e410);
    uint w3 = WORD(0x7f09d5f4, 0x7d4d3770, 0x36d8a566, 0x4f10e410, 0x7f9458ea);
#undef WORD
    // Two shifts, because a shift by 32 would not change the word.
    w0 = w0 << count | w1 >> 1 >> (31 - count);
    w1 = w1 << count | w2 >> 1 >> (31 - count);
    w2 = w2 << count | w3 >> 1 >> (31 - count);
    ulong product = (ulong)significand * w1 + mul_hi(significand, w2);
    product += (ulong)(significand * w0) << 32;
    // Rounds to the nearest quarter turn. From a half, the result is the negative distance to the next one.
    uint upper = (uint)(product >> 32);
    int quarters = upper >> 30;
    ulong size = product & 0x3ffffffffffffffful;
    bool above = upper & 0x20000000;
    if (above) {
        quarters++;
        size = 0x4000000000000000ul - size;
    }
    uint zeros = leading_zeros_long(size);
    uint first = (uint)(shifted_left(size, zeros & 63) >> 32);
    // The first 32 bits times pi/4, scaled to the exponent.
    float r = __nvvm_ui2f_rn(mul_hi(first, 0xc90fdaa2)) * as_float((127 - 29 - zeros) << 23);
    *k = (int)bits < 0 ? -quarters : quarters;
    return negate_if(r, (above ? SIGN : 0) ^ (bits & SIGN));
}
// Reduces x to -pi/4 .. pi/4, with k modulo 4. Below 1024, products of k (10 bits) and parts of pi/2 (14) are exact.
LOCAL float reduce(float x, private int *k) {
    if (fabs(x) >= 1024) {
        if (!(fabs(x) < INFINITY)) {
            *k = 0;
            return NOT_A_NUMBER;
        }
        return reduce_large(x, k);
    }
    float turns = rint(x * 0x1.45f306p-1f);
    *k = __nvvm_f2i_rn(turns);
    // A zero must keep its sign.
    return turns == 0 ? x : (((x - turns * 0x1.9218p+0f) - turns * 0x1.ed5p-14f) - turns * 0x1.10bp-30f) - turns * 0x1.18469ap-44f;
}
LOCAL float sine_near(float r) {
    float z = r * r;
    float p = FMAD(z, -0x1.993962p-13f, 0x1.11071cp-7f);
    p = FMAD(z, p, -0x1.555544p-3f);
    return r + r * z * p;
}
LOCAL float cosine_near(float r) {
    float z = r * r;
    float p = FMAD(z, 0x1.99e206p-16f, -0x1.6c0c12p-10f);
    p = FMAD(z, p, 0x1.55554ap-5f);
    return 1 - (0.5f * z - z * (z * p));
}
// Sine of r plus k quarter turns.
LOCAL float sine_of(float r, int k) {
    float value = k & 1 ? cosine_near(r) : sine_near(r);
    return negate_if(value, (uint)(k & 2) << 30);
}
LOCAL float sin_of(float x) {
    int k;
    float r = reduce(x, &k);
    return sine_of(r, k);
}
LOCAL float cos_of(float x) {
    int k;
    float r = reduce(x, &k);
    return sine_of(r, k + 1);
}
LOCAL float sincos_of(float x, private float *cosine) {
    int k;
    float r = reduce(x, &k);
    *cosine = sine_of(r, k + 1);
    return sine_of(r, k);
}
// Tangent of r plus k quarter turns.
LOCAL float tangent_of(float r, int k) {
    float s = sine_near(r), c = cosine_near(r);
    return k & 1 ? -quotient(c, s) : quotient(s, c);
}
LOCAL float tan_of(float x) {
    int k;
    float r = reduce(x, &k);
    return fabs(x) < 0x1p-12f ? x : tangent_of(r, k);
}
// Reduces pi x by subtracting the nearest multiple of 1/2 from x, exactly. From 2^24 all numbers are even.
LOCAL float reduce_pi(float x, private int *k) {
    float halves = rint(2 * x);
    // From 2^31 the conversion would saturate to an odd number.
    *k = fabs(x) < 0x1p24f ? __nvvm_f2i_rn(halves) : 0;
    float rest = fabs(x) < 0x1p24f ? x - 0.5f * halves : with_sign(0 * x, x);
    return rest * 0x1.921fb6p+1f;
}
LOCAL float sinpi_of(float x) {
    int k;
    float r = reduce_pi(x, &k);
    float result = sine_of(r, k);
    // For an integer, the zero has the sign of x.
    return result == 0 ? with_sign(result, x) : result;
}
LOCAL float cospi_of(float x) {
    int k;
    float r = reduce_pi(x, &k);
    float result = sine_of(r, k + 1);
    return result == 0 ? 0.0f : result;
}
LOCAL float tanpi_of(float x) {
    int k;
    float r = reduce_pi(x, &k);
    float result = k & 1 && r == 0 ? INFINITY : tangent_of(r, k);
    // At an integer n the sign is x's sign if n is even, otherwise the opposite sign; at n + 1/2 it is + if n is even.
    uint sign = (k & 1 ? 0 : as_uint(x)) ^ (uint)(k & 2) << 30;
    return r == 0 ? with_sign(result, as_float(sign)) : result;
}
FLOAT_1(sin, sin_of(x))
FLOAT_1(cos, cos_of(x))
FLOAT_1(tan, tan_of(x))
FLOAT_1(sinpi, sinpi_of(x))
FLOAT_1(cospi, cospi_of(x))
FLOAT_1(tanpi, tanpi_of(x))
SPLIT(float, sincos, sincos_of, float)

// atan(t) for 0 <= t <= 1.
LOCAL float arctangent(float t) {
    float z = t * t;
    float p = FMAD(z, -0x1.d62fe4p-10f, 0x1.65a646p-7f);
    p = FMAD(z, p, -0x1.fed13cp-6f);
    p = FMAD(z, p, 0x1.dac9cap-5f);
    p = FMAD(z, p, -0x1.583486p-4f);
    p = FMAD(z, p, 0x1.c099fap-4f);
    p = FMAD(z, p, -0x1.2421b4p-3f);
    p = FMAD(z, p, 0x1.9991fep-3f);
    p = FMAD(z, p, -0x1.55553ep-2f);
    return t + t * (z * p);
}
LOCAL float atan_of(float x) {
    float size = fabs(x);
    float near = arctangent(size > 1 ? reciprocal(size) : size);
    return x == x ? with_sign(size > 1 ? PI_HALF - (near - PI_HALF_LOW) : near, x) : x;
}
LOCAL float atan2_of(float y, float x) {
    float a = fabs(x), b = fabs(y);
    float most = fmax(a, b), least = fmin(a, b);
    float t = most == 0 ? 0.0f : least == INFINITY ? 1.0f : least / most;
    float angle = arctangent(t);
    angle = b > a ? PI_HALF - (angle - PI_HALF_LOW) : angle;
    angle = as_int(x) < 0 ? 2 * PI_HALF - (angle - 2 * PI_HALF_LOW) : angle;
    return isnan(x) | isnan(y) ? NOT_A_NUMBER : with_sign(angle, y);
}
// asin(s) - s, where z is the square of s and at most 1/4.
LOCAL float arcsine_rest(float s, float z) {
    float p = FMAD(z, 0x1.337066p-5f, 0x1.d8d73ep-7f);
    p = FMAD(z, p, 0x1.04962ep-5f);
    p = FMAD(z, p, 0x1.6cae4ep-5f);
    p = FMAD(z, p, 0x1.33388p-4f);
    p = FMAD(z, p, 0x1.55554cp-3f);
    return s * (z * p);
}
// Above 1/2 by half of acos(x), which has the sine root((1 - x) / 2).
LOCAL float asin_of(float x) {
    float size = fabs(x);
    bool far = size > 0.5f;
    float z = far ? 0.5f - 0.5f * size : x * x, s = far ? root(z) : size;
    float rest = arcsine_rest(s, z);
    float result = far ? PI_HALF - (2 * s + (2 * rest - PI_HALF_LOW)) : s + rest;
    return size <= 1 ? with_sign(result, x) : NOT_A_NUMBER;
}
LOCAL float acos_of(float x) {
    float size = fabs(x);
    bool far = size > 0.5f;
    float z = far ? 0.5f - 0.5f * size : x * x, s = far ? root(z) : x;
    float rest = arcsine_rest(s, z);
    float near = PI_HALF - (s + (rest - PI_HALF_LOW));
    float half_angle = 2 * (s + rest);
    float result = !far ? near : x > 0 ? half_angle : 2 * PI_HALF - (half_angle - 2 * PI_HALF_LOW);
    return size <= 1 ? result : NOT_A_NUMBER;
}
#define ONE_BY_PI 0x1.45f306p-2f
FLOAT_1(atan, atan_of(x))
FLOAT_1(atanpi, atan_of(x) * ONE_BY_PI)
FLOAT_2(atan2, atan2_of(x, y))
FLOAT_2(atan2pi, atan2_of(x, y) * ONE_BY_PI)
FLOAT_1(asin, asin_of(x))
FLOAT_1(asinpi, asin_of(x) * ONE_BY_PI)
FLOAT_1(acos, acos_of(x))
FLOAT_1(acospi, acos_of(x) * ONE_BY_PI)

// A polynomial below 1, otherwise (e^x -+ e^-x) / 2. The first term is computed halved, or it could overflow.
LOCAL float sinh_of(float x) {
    float size = fabs(x), z = x * x;
    float p = FMAD(z, 0x1.7a15b6p-19f, 0x1.9ffe92p-13f);
    p = FMAD(z, p, 0x1.111134p-7f);
    p = FMAD(z, p, 0x1.555556p-3f);
    float e = exponential(size, 0, -1, 0, 0x1.65a9f8p+6f);
    float result = size < 1 ? size + size * (z * p) : e - 0.25f * reciprocal(e);
    return x == x ? with_sign(result, x) : x;
}
LOCAL float cosh_of(float x) {
    float e = exponential(fabs(x), 0, -1, 0, 0x1.65a9f8p+6f);
    return e + 0.25f * reciprocal(e);
}
LOCAL float tanh_of(float x) {
    float size = fabs(x), z = x * x;
    float p = FMAD(z, -0x1.75e45ep-8f, 0x1.522728p-6f);
    p = FMAD(z, p, -0x1.b83c6ep-5f);
    p = FMAD(z, p, 0x1.110728p-3f);
    p = FMAD(z, p, -0x1.555532p-2f);
    float e = exponential(2 * size, 0, 0, 0, 88);
    float result = size < 0.625f ? size + size * (z * p) : 1 - 2 * reciprocal(e + 1);
    return x == x ? with_sign(result, x) : x;
}
LOCAL float asinh_of(float x) {
    float size = fabs(x);
    // From 2^12 the 1 under the root is negligible.
    float square = size * size;
    float near = size < 0x1p12f ? size + quotient(square, 1 + root(1 + square)) : size;
    float result = log1p_of(near);
    result = size < 0x1p12f ? result : log_of(size) + 0x1.62e43p-1f;
    return size < 0x1p-12f || x != x ? x : with_sign(result, x);
}
LOCAL float acosh_of(float x) {
    float t = x - 1;
    float near = log1p_of(t + root(2 * t + t * t));
    return x < 0x1p12f ? (x >= 1 ? near : NOT_A_NUMBER) : log_of(x) + 0x1.62e43p-1f;
}
LOCAL float atanh_of(float x) {
    float size = fabs(x);
    float result = 0.5f * log1p_of(quotient(2 * size, 1 - size));
    result = size == 1 ? INFINITY : size < 1 ? result : NOT_A_NUMBER;
    return size < 0x1p-12f ? x : with_sign(result, x);
}
FLOAT_1(sinh, sinh_of(x))
FLOAT_1(cosh, cosh_of(x))
FLOAT_1(tanh, tanh_of(x))
FLOAT_1(asinh, asinh_of(x))
FLOAT_1(acosh, acosh_of(x))
FLOAT_1(atanh, atanh_of(x))

FLOAT_1(native_sin, __nvvm_sin_approx_ftz_f(x))
FLOAT_1(native_cos, __nvvm_cos_approx_ftz_f(x))
FLOAT_1(native_tan, __nvvm_sin_approx_ftz_f(x) * reciprocal(__nvvm_cos_approx_ftz_f(x)))
FLOAT_1(half_sin, sin_of(x))
FLOAT_1(half_cos, cos_of(x))
FLOAT_1(half_tan, tan_of(x))
