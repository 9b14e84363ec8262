// Trigonometric and hyperbolic functions of doubles, and their inverses.
#define WIDE_PI_HALF 0x1.921fb54442d18p+0
#define WIDE_PI_HALF_LOW 0x1.1a62633145c07p-54

// 2/pi in words, after a word of zeros.
constant uint TWO_BY_PI[] = {
    0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
    0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5,
    0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff,
    0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7,
    0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20,
};

// x - k pi/2 as a sum of two numbers for |x| >= 2^27, by Payne and Hanek's method: 2/pi times the significand. Only two
// bits before the point and 126 after it matter, so 192 bits of 2/pi are enough; x's exponent selects them.
LOCAL double reduce_large(double x, private double *low, private int *k) {
    int exponent;
    ulong significand = significand_of(x, &exponent);
    // The index of the first bit, which has the weight 2 before the point. 2/pi has 32 zeros before it.
    uint place = (uint)(exponent - 1075 + 30), word = place >> 5, count = place & 31;
    // Two shifts, because a shift by 32 would not change the word.
#define WINDOW(i) (TWO_BY_PI[word + i] << count | TWO_BY_PI[word + i + 1] >> 1 >> (31 - count))
    ulong first = (ulong)WINDOW(0) << 32 | WINDOW(1);
    ulong second = (ulong)WINDOW(2) << 32 | WINDOW(3);
    ulong third = (ulong)WINDOW(4) << 32 | WINDOW(5);
#undef WINDOW
    ulong rest = significand * second, carried = mul_hi(significand, third), lower = rest + carried;
    ulong upper = significand * first + mul_hi(significand, second) + (lower < rest);
    // Rounds to the nearest quarter turn. From a half, the result is the negative distance to the next one.
    int quarters = (int)(upper >> 62);
    upper = upper << 2 | lower >> 62;
    lower <<= 2;
    uint above = (uint)(upper >> 63);
    if (above) {
        quarters++;
        lower = -lower;
        upper = ~upper + (lower == 0);
    }
    uint zeros = leading_zeros_long(upper);
    upper = upper << zeros | lower >> 1 >> (63 - zeros);
    lower <<= zeros;
    double scale = exact_power(-64 - (int)zeros);
    double high = (double)(upper & ~0x7fful) * scale;
    double small = (double)((upper & 0x7ff) << 53 | lower >> 11) * (scale * 0x1p-53);
    double r = high * WIDE_PI_HALF;
    uint sign = upper_of(x) & SIGN;
    *k = sign ? -quarters : quarters;
    uint turned = sign ^ above << 31;
    *low = negate_if(FUSED(high, WIDE_PI_HALF, -r) + (high * WIDE_PI_HALF_LOW + small * WIDE_PI_HALF), turned);
    return negate_if(r, turned);
}
// Reduces x to -pi/4 .. pi/4 as a sum of two numbers, with k modulo 4. Below 2^27, pi/2 has three parts, and the first
// difference is exact.
LOCAL double reduce(double x, private double *low, private int *k) {
    *k = 0;
    *low = 0;
    if (fabs(x) < 0x1.921fb54442d18p-1) return x;
    if (!(fabs(x) < INFINITY)) return WIDE_NAN;
    if (fabs(x) >= 0x1p27) return reduce_large(x, low, k);
    double turns = rint(x * 0x1.45f306dc9c883p-1);
    *k = (int)turns;
    double a = FUSED(-turns, WIDE_PI_HALF, x);
    double b = turns * WIDE_PI_HALF_LOW, b_low = FUSED(turns, WIDE_PI_HALF_LOW, -b);
    double r = a - b, part = r - a;
    *low = ((a - (r - part)) - (b + part)) - (b_low + turns * -0x1.f1976b7ed8fbcp-110);
    return r;
}
LOCAL double sine_near(double r, double low) {
    double z = r * r;
    double p = FUSED_3(z, 0x1.5d9326bb4448dp-33, -0x1.ae5e66e264377p-26, 0x1.71de3578cc818p-19, -0x1.a01a019c1338cp-13);
    p = FUSED(z, FUSED(z, p, 0x1.111111110f88bp-7), -0x1.5555555555549p-3);
    // A zero must keep its sign.
    return r == 0 ? r : r + FUSED(r * z, p, low - 0.5 * z * low);
}
LOCAL double cosine_near(double r, double low) {
    double z = r * r, half_square = 0.5 * z, w = 1 - half_square;
    double p = FUSED_3(z, -0x1.8faec6a773cadp-37, 0x1.1ee9ec3e02a5fp-29, -0x1.27e4f80a7517ep-22, 0x1.a01a019cb284ep-16);
    p = FUSED(z, FUSED(z, p, -0x1.6c16c16c15186p-10), 0x1.555555555554cp-5);
    return w + (((1 - w) - half_square) + FUSED(z * z, p, -r * low));
}
// Sine of r + low plus k quarter turns.
LOCAL double sine_of(double r, double low, int k) {
    double value = k & 1 ? cosine_near(r, low) : sine_near(r, low);
    return negate_if(value, (uint)(k & 2) << 30);
}
LOCAL double sin_of(double x) {
    int k;
    double low, r = reduce(x, &low, &k);
    return sine_of(r, low, k);
}
LOCAL double cos_of(double x) {
    int k;
    double low, r = reduce(x, &low, &k);
    return sine_of(r, low, k + 1);
}
LOCAL double sincos_of(double x, private double *cosine) {
    int k;
    double low, r = reduce(x, &low, &k);
    *cosine = sine_of(r, low, k + 1);
    return sine_of(r, low, k);
}
LOCAL double tangent_of(double r, double low, int k) {
    double s = sine_near(r, low), c = cosine_near(r, low);
    return k & 1 ? -c / s : s / c;
}
LOCAL double tan_of(double x) {
    int k;
    double low, r = reduce(x, &low, &k);
    return tangent_of(r, low, k);
}
// Reduces pi x by subtracting the nearest multiple of 1/2 from x, exactly. From 2^53 all numbers are even.
LOCAL double reduce_pi(double x, private double *low, private int *k) {
    double halves = rint(2 * x);
    *k = fabs(x) < 0x1p53 ? (int)((long)halves & 3) : 0;
    double rest = fabs(x) < 0x1p53 ? FUSED(-0.5, halves, x) : with_sign(0 * x, x);
    double r = rest * (2 * WIDE_PI_HALF);
    *low = FUSED(rest, 2 * WIDE_PI_HALF, -r) + rest * (2 * WIDE_PI_HALF_LOW);
    return r;
}
LOCAL double sinpi_of(double x) {
    int k;
    double low, r = reduce_pi(x, &low, &k), result = sine_of(r, low, k);
    // For an integer, the zero has the sign of x.
    return result == 0 ? with_sign(result, x) : result;
}
LOCAL double cospi_of(double x) {
    int k;
    double low, r = reduce_pi(x, &low, &k), result = sine_of(r, low, k + 1);
    return result == 0 ? 0.0 : result;
}
LOCAL double tanpi_of(double x) {
    int k;
    double low, r = reduce_pi(x, &low, &k), result = tangent_of(r, low, k);
    // A zero has x's sign at an even integer, otherwise the opposite sign.
    return r == 0 && !(k & 1) ? negate_if(with_sign(0.0, x), (uint)(k & 2) << 30)
           : r == 0           ? negate_if((double)INFINITY, (uint)(k & 2) << 30)
                              : result;
}
DOUBLE_1(sin, sin_of(x))
DOUBLE_1(cos, cos_of(x))
DOUBLE_1(tan, tan_of(x))
DOUBLE_1(sinpi, sinpi_of(x))
DOUBLE_1(cospi, cospi_of(x))
DOUBLE_1(tanpi, tanpi_of(x))
SPLIT(double, sincos, sincos_of, double)

// atan(t) for t >= 0: uses t, (t - 1) / (t + 1) or -1 / t, of which one has a magnitude of at most tan(pi/8).
LOCAL double arctangent(double t) {
    bool middle = t > 0x1.a827999fcef33p-2, far = t > 0x1.3504f333f9de6p+1;
    double above = far ? -1.0 : middle ? t - 1 : t, below = far ? t : middle ? t + 1 : 1.0;
    double angle = far ? WIDE_PI_HALF : middle ? 0.5 * WIDE_PI_HALF : 0.0;
    double angle_low = far ? WIDE_PI_HALF_LOW : middle ? 0.5 * WIDE_PI_HALF_LOW : 0.0;
    double q = above / below, z = q * q;
    double p = FUSED_3(z, -0x1.25a1cabfaa64ep-6, 0x1.37ef47c143353p-5, -0x1.9cdcf001b8f83p-5, 0x1.df11934637bbap-5);
    p = FUSED_3(z, p, -0x1.10ebe08ed31bep-4, 0x1.3b111ca4f6c03p-4, -0x1.745cf90e9d994p-4);
    p = FUSED_3(z, p, 0x1.c71c70e7c0858p-4, -0x1.24924922b16b9p-3, 0x1.99999999958f7p-3);
    p = FUSED(z, p, -0x1.555555555553dp-2);
    double rest = FUSED(q * z, p, angle_low);
    return angle == 0 ? q + rest : angle + (q + rest);
}
LOCAL double atan_of(double x) { return x == x ? with_sign(arctangent(fabs(x)), x) : x; }
LOCAL double atan2_of(double y, double x) {
    double a = fabs(x), b = fabs(y);
    double angle = arctangent(b == 0 ? 0.0 : fmin(a, b) == INFINITY ? 1.0 : b / a);
    angle = as_long(x) < 0 ? 2 * WIDE_PI_HALF - (angle - 2 * WIDE_PI_HALF_LOW) : angle;
    return isnan(x) | isnan(y) ? WIDE_NAN : with_sign(angle, y);
}
// asin(s) - s, where z is the square of s and at most 1/4.
LOCAL double arcsine_rest(double s, double z) {
    double p = FUSED_3(z, 0x1.05cced44c5028p-5, -0x1.0af0663cdf7a7p-6, 0x1.40aedd6ebff92p-6, 0x1.aab86198d9f62p-8);
    p = FUSED_3(z, p, 0x1.8ee41188eff1ep-7, 0x1.c6f89607f7649p-7, 0x1.1c6c266d0c5b9p-6);
    p = FUSED_3(z, p, 0x1.6e89ef91d53e0p-6, 0x1.f1c72c6c3c5fcp-6, 0x1.6db6db41d76a1p-5);
    return s * (z * FUSED(z, FUSED(z, p, 0x1.333333336f82bp-4), 0x1.5555555555387p-3));
}
// Above 1/2 by half of acos(x), which has the sine sqrt((1 - x) / 2).
LOCAL double asin_of(double x) {
    double size = fabs(x);
    bool far = size > 0.5;
    double z = far ? 0.5 - 0.5 * size : x * x, s = far ? sqrt(z) : size;
    double rest = arcsine_rest(s, z);
    double result = far ? WIDE_PI_HALF - (2 * s + (2 * rest - WIDE_PI_HALF_LOW)) : s + rest;
    return size <= 1 ? with_sign(result, x) : WIDE_NAN;
}
LOCAL double acos_of(double x) {
    double size = fabs(x);
    bool far = size > 0.5;
    double z = far ? 0.5 - 0.5 * size : x * x, s = far ? sqrt(z) : x;
    double rest = arcsine_rest(s, z);
    double near = WIDE_PI_HALF - (s + (rest - WIDE_PI_HALF_LOW)), half_angle = 2 * (s + rest);
    double result = !far ? near : x > 0 ? half_angle : 2 * WIDE_PI_HALF - (half_angle - 2 * WIDE_PI_HALF_LOW);
    return size <= 1 ? result : WIDE_NAN;
}
#define WIDE_ONE_BY_PI 0x1.45f306dc9c883p-2
DOUBLE_1(atan, atan_of(x))
DOUBLE_1(atanpi, atan_of(x) * WIDE_ONE_BY_PI)
DOUBLE_2(atan2, atan2_of(x, y))
DOUBLE_2(atan2pi, atan2_of(x, y) * WIDE_ONE_BY_PI)
DOUBLE_1(asin, asin_of(x))
DOUBLE_1(asinpi, asin_of(x) * WIDE_ONE_BY_PI)
DOUBLE_1(acos, acos_of(x))
DOUBLE_1(acospi, acos_of(x) * WIDE_ONE_BY_PI)

// With e = e^x - 1, sinh x = (e + e / (e + 1)) / 2. From 22 it is e^x / 2, computed halved, or it could overflow.
LOCAL double sinh_of(double x) {
    double size = fabs(x), e = expm1_of(fmin(size, 25.0));
    double result = size < 22 ? 0.5 * (e + e / (e + 1)) : exponential(size, 0.0, -1);
    return x == x ? with_sign(result, x) : x;
}
LOCAL double cosh_of(double x) {
    double e = exponential(fabs(x), 0.0, -1);
    return e + 0.25 / e;
}
LOCAL double tanh_of(double x) {
    double size = fabs(x), e = expm1_of(2 * fmin(size, 25.0));
    double result = size < 22 ? e / (e + 2) : 1.0;
    return x == x ? with_sign(result, x) : x;
}
// From 2^28 the 1 under the root is negligible.
LOCAL double asinh_of(double x) {
    double size = fabs(x), square = size * size;
    double near = log1p_of(size + square / (1 + sqrt(1 + square)));
    double result = size < 0x1p28 ? near : log_of(size) + WIDE_LN2;
    return size < 0x1p-28 || x != x ? x : with_sign(result, x);
}
LOCAL double acosh_of(double x) {
    double t = x - 1, near = log1p_of(t + sqrt(2 * t + t * t));
    return x < 0x1p28 ? (x >= 1 ? near : WIDE_NAN) : log_of(x) + WIDE_LN2;
}
LOCAL double atanh_of(double x) {
    double size = fabs(x), result = 0.5 * log1p_of(2 * size / (1 - size));
    return size < 0x1p-28 || x != x ? x : size <= 1 ? with_sign(result, x) : WIDE_NAN;
}
DOUBLE_1(sinh, sinh_of(x))
DOUBLE_1(cosh, cosh_of(x))
DOUBLE_1(tanh, tanh_of(x))
DOUBLE_1(asinh, asinh_of(x))
DOUBLE_1(acosh, acosh_of(x))
DOUBLE_1(atanh, atanh_of(x))
