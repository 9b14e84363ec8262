// Exponentials, logarithms, powers and roots of doubles.
#define WIDE_LOG2_E 0x1.71547652b82fep+0
#define WIDE_LOG2_E_LOW 0x1.777d0ffda0d24p-56
#define WIDE_LN2 0x1.62e42fefa39efp-1
#define WIDE_LN2_LOW 0x1.abc9e3b39803fp-56

// (e^r - 1 - r) / r^2 for |r| up to ln 2 / 2.
LOCAL double exponential_rest(double r) {
    double p = FUSED_3(r, 0x1.af632031bce6dp-26, 0x1.28917fa198d8fp-22, 0x1.71ddf6b996c71p-19, 0x1.a019b911d389dp-16);
    p = FUSED_3(r, p, 0x1.a01a01b00a2d3p-13, 0x1.6c16c1788ab56p-10, 0x1.111111110f808p-7);
    return FUSED_3(r, p, 0x1.5555555553d66p-5, 0x1.5555555555558p-3, 0x1.0000000000001p-1);
}
// 2^k e^r for k from -2000 to 2000. Only the last product may overflow or be denormal.
LOCAL double scaled_exponential(double r, int k) {
    double p = 1 + FUSED(r * r, exponential_rest(r), r);
    int part = k >> 1;
    return p * exact_power(part) * exact_power(k - part);
}
// e^(x + low) * 2^extra.
LOCAL double exponential(double x, double low, int extra) {
    double near = fmin(fmax(x, -800.0), 800.0);
    double k = rint(near * WIDE_LOG2_E);
    double r = FUSED(-k, WIDE_LN2_LOW, FUSED(-k, WIDE_LN2, near)) + (near == x ? low : 0.0);
    double result = scaled_exponential(r, (int)k + extra);
    return x == x ? result : x;
}
LOCAL double exp_of(double x) { return exponential(x, 0.0, 0); }
// 2^f = e^(f ln 2)
LOCAL double exp2_of(double x) {
    double near = fmin(fmax(x, -1200.0), 1200.0), k = rint(near), f = near - k, r = f * WIDE_LN2;
    r += FUSED(f, WIDE_LN2, -r) + f * WIDE_LN2_LOW;
    double result = scaled_exponential(r, (int)k);
    return x == x ? result : x;
}
// 10^x = 2^k 10^f
LOCAL double exp10_of(double x) {
    double near = fmin(fmax(x, -400.0), 400.0), k = rint(near * 0x1.a934f0979a371p+1);
    double f = FUSED(-k, -0x1.9dc1da994fd21p-59, FUSED(-k, 0x1.34413509f79ffp-2, near));
    double r = f * 0x1.26bb1bbb55516p+1;
    r += FUSED(f, 0x1.26bb1bbb55516p+1, -r) + f * -0x1.f48ad494ea3e9p-53;
    double result = scaled_exponential(r, (int)k);
    return x == x ? result : x;
}
// e^x - 1 = (2^k - 1) + 2^k (e^r - 1), with both terms halved.
LOCAL double expm1_of(double x) {
    double near = fmin(fmax(x, -100.0), 800.0), k = rint(near * WIDE_LOG2_E);
    double r = FUSED(-k, WIDE_LN2_LOW, FUSED(-k, WIDE_LN2, near));
    double p = FUSED(r * r, exponential_rest(r), r);
    double half_power = exact_power(min((int)k - 1, 1023));
    double result = k == 0 ? p : 2 * (half_power * p + (half_power - 0.5));
    result = x > 0x1.62e42fefa39efp+9 ? (double)INFINITY : result;
    // Near 0 the square of x underflows to 0.
    return x == x ? (fabs(x) < 0x1p-60 ? x : result) : x;
}

// ln x as a sum of two numbers, for x > 0. With x = 2^k m, m between sqrt(1/2) and sqrt(2), and s = (m - 1) / (m + 1),
// ln m = 2 (s + s^3 / 3 + s^5 / 5 ...). The terms from s^5 / 5 on are one double, the others sums of two doubles. The
// result has more than 64 bits.
LOCAL double long_logarithm(double x, private double *low) {
    int k = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        k = -54;
    }
    int more = (int)(upper_of(x) - 0x3fe6a09e) >> 20;
    k += more;
    double f = add_exponent(x, -more) - 1;
    double v = f + 2, v_low = f - (v - 2), r = reciprocal(v);
    double s = f * r, s_low = (FUSED(-s, v, f) - s * v_low) * r;
    double z = s * s, z_low = FUSED(s, s, -z) + 2 * s * s_low;
    double p = FUSED_3(z, 0x1.0e452115dd62fp-4, 0x1.0f7fa9dd7e9c6p-4, 0x1.3b1eee983bf62p-4, 0x1.745ce9d648f94p-4);
    p = z * FUSED_3(z, p, 0x1.c71c722d89299p-4, 0x1.2492492457bf7p-3, 0x1.9999999999b31p-3);
    double t = 0x1.5555555555555p-2 + p, t_low = (0x1.5555555555555p-2 - t) + p + 0x1.5555555555555p-56;
    double w = z * t, w_low = FUSED(z, t, -w) + (z * t_low + z_low * t);
    double q = s * w, q_low = FUSED(s, w, -q) + (s * w_low + s_low * w);
    double a = s + q, a_low = ((s - a) + q) + (q_low + s_low);
    // The product of k with the first 42 bits of ln 2 is exact.
    double high = k * 0x1.62e42fefa3800p-1, sum = high + 2 * a;
    *low = ((high - sum) + 2 * a) + (2 * a_low + k * 0x1.ef35793c76730p-45);
    return sum;
}
// For zeros, negative numbers, infinity and NaN, `no_logarithm` has the result.
LOCAL bool has_logarithm(double x) { return x > 0 && x < INFINITY; }
LOCAL double no_logarithm(double x) { return x == 0 ? -(double)INFINITY : x > 0 ? x : WIDE_NAN; }
LOCAL double log_of(double x) {
    double low, high = long_logarithm(x, &low);
    return has_logarithm(x) ? high + low : no_logarithm(x);
}
LOCAL double log_times(double x, double factor, double factor_low) {
    double low, high = long_logarithm(x, &low), product = high * factor;
    double rest = FUSED(high, factor, -product) + (high * factor_low + low * factor);
    return has_logarithm(x) ? product + rest : no_logarithm(x);
}
LOCAL double log2_of(double x) { return log_times(x, WIDE_LOG2_E, WIDE_LOG2_E_LOW); }
LOCAL double log10_of(double x) { return log_times(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57); }
LOCAL double log1p_of(double x) {
    double u = 1 + x;
    // The rounding error of the sum, relative to the sum.
    double lost = (x > 1 ? 1 - (u - x) : x - (u - 1)) / u;
    double low, high = long_logarithm(u, &low);
    return !has_logarithm(u) ? no_logarithm(u) : fabs(x) < 0x1p-54 ? x : high + (low + lost);
}

DOUBLE_1(exp, exp_of(x))
DOUBLE_1(exp2, exp2_of(x))
DOUBLE_1(exp10, exp10_of(x))
DOUBLE_1(expm1, expm1_of(x))
DOUBLE_1(log, log_of(x))
DOUBLE_1(log2, log2_of(x))
DOUBLE_1(log10, log10_of(x))
DOUBLE_1(log1p, log1p_of(x))

// |x|^(y + y_low), for |y| up to 2^64. Neither x nor y is NaN.
LOCAL double magnitude_power(double x, double y, double y_low) {
    double l_low, l = long_logarithm(x, &l_low), product = y * l;
    double low = FUSED(y, l, -product) + (y * l_low + y_low * l);
    double result = exponential(product, low, 0);
    return x == 0 ? (y < 0 ? (double)INFINITY : 0.0) : x == INFINITY ? (y < 0 ? 0.0 : (double)INFINITY) : result;
}
LOCAL double clamped_power(double x, double y) { return magnitude_power(x, fmin(fmax(y, -0x1p64), 0x1p64), 0.0); }
LOCAL double pow_of(double x, double y) {
    double result = clamped_power(fabs(x), y);
    bool whole = trunc(y) == y;
    bool odd = whole && fabs(y) < 0x1p53 && ((long)y & 1);
    if (odd) result = with_sign(result, x);
    if (x < 0 && !whole && x > -INFINITY) result = WIDE_NAN;
    if (isnan(x) | isnan(y)) result = WIDE_NAN;
    return x == 1 || y == 0 ? 1.0 : result;
}
DOUBLE_2(pow, pow_of(x, y))
LOCAL double powr_of(double x, double y) {
    double result = clamped_power(x, y);
    bool none = !(x >= 0) || isnan(y) || (y == 0 && (x == 0 || x == INFINITY)) || (x == 1 && isinf(y));
    return none ? WIDE_NAN : y == 0 || x == 1 ? 1.0 : result;
}
DOUBLE_2(powr, powr_of(x, y))
LOCAL double pown_of(double x, int n) {
    double result = magnitude_power(fabs(x), (double)n, 0.0);
    if (n & 1) result = with_sign(result, x);
    return n == 0 ? 1.0 : x == x ? result : x;
}
PURE double pown(double x, int n) { return pown_of(x, n); }
VECTOR_2(double, pown, double, int)
LOCAL double rootn_of(double x, int n) {
    double of = (double)n, r = 1 / of, low = n == 0 ? 0.0 : FUSED(-of, r, 1.0) * r;
    double result = magnitude_power(fabs(x), r, low);
    if (n & 1) result = with_sign(result, x);
    return n == 0 || (x < 0 && !(n & 1)) ? WIDE_NAN : x == x ? result : x;
}
PURE double rootn(double x, int n) { return rootn_of(x, n); }
VECTOR_2(double, rootn, double, int)
// The power 1/3, then a step of Newton's method, so that the root of a cube is exact.
LOCAL double cbrt_of(double x) {
    double size = fabs(x), t = magnitude_power(size, 0x1.5555555555555p-2, 0x1.5555555555555p-56);
    double square = t * t, rest = FUSED(-t, square, size) - t * FUSED(t, t, -square);
    t += rest / (3 * square);
    return size == 0 || !(size < INFINITY) ? x : with_sign(t, x);
}
DOUBLE_1(cbrt, cbrt_of(x))
