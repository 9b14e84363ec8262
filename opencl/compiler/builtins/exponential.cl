// Exponentials, logarithms, powers and roots.
#define LOG2_E 0x1.715476p+0f
// ln 2 and log10 2 in two parts. Products of the first part with a 9-bit integer are exact.
#define LN2_HIGH 0x1.62e4p-1f
#define LN2_LOW 0x1.7f7d1cp-20f
#define LOG10_2_HIGH 0x1.344p-2f
#define LOG10_2_LOW 0x1.3509f8p-18f

// e^(x + low) * 2^extra for x between the bounds: 2^k in the exponent, the other factor by the machine's power of two.
LOCAL float exponential(float x, float low, int extra, float least, float most) {
    float k = rint(x * LOG2_E);
    float rest = (x - k * LN2_HIGH) - k * LN2_LOW + low;
    float result = add_exponent(power_of_two(rest * LOG2_E), __nvvm_f2i_rn(k) + extra);
    result = x > most ? INFINITY : x < least ? 0.0f : result;
    return x == x ? result : x;
}
LOCAL float exp_of(float x) { return exponential(x, 0, 0, -0x1.5d589ep+6f, 0x1.62e42ep+6f); }
LOCAL float exp10_of(float x) {
    float k = rint(x * 0x1.a934fp+1f);
    float rest = (x - k * LOG10_2_HIGH) - k * LOG10_2_LOW;
    float result = add_exponent(power_of_two(rest * 0x1.a934fp+1f), __nvvm_f2i_rn(k));
    result = x > 0x1.344134p+5f ? INFINITY : x < -0x1.2f703p+5f ? 0.0f : result;
    return x == x ? result : x;
}
// e^x - 1 = (2^k - 1) + 2^k (e^r - 1), with both terms halved.
LOCAL float expm1_of(float x) {
    float k = rint(x * LOG2_E);
    float r = (x - k * LN2_HIGH) - k * LN2_LOW;
    float p = FMAD(r, 0x1.6bebdcp-10f, 0x1.1228e6p-7f);
    p = FMAD(r, p, 0x1.555676p-5f);
    p = FMAD(r, p, 0x1.5554aep-3f);
    p = FMAD(r, p, 0x1.fffffep-2f);
    p = r + r * r * p;
    float half_power = as_float((uint)(__nvvm_f2i_rn(k) + 126) << 23);
    float result = k == 0 ? p : 2 * (half_power * p + (half_power - 0.5f));
    result = x > 0x1.62e42ep+6f ? INFINITY : x < -18 ? -1.0f : result;
    return x == x ? result : x;
}

// x = 2^k (1 + f), with 1 + f between sqrt(1/2) and sqrt(2).
LOCAL float split_logarithm(float x, private float *f) {
    int k = (int)(as_uint(x) - 0x3f3504f3) >> 23;
    *f = add_exponent(x, -k) - 1;
    return (float)k;
}
// ln(1 + f) - f.
LOCAL float log1p_rest(float f) {
    float p = FMAD(f, 0x1.145df6p-4f, -0x1.de3ed2p-4f);
    p = FMAD(f, p, 0x1.e6ef22p-4f);
    p = FMAD(f, p, -0x1.fc218p-4f);
    p = FMAD(f, p, 0x1.233774p-3f);
    p = FMAD(f, p, -0x1.555c52p-3f);
    p = FMAD(f, p, 0x1.99a4b4p-3f);
    p = FMAD(f, p, -0x1.000006p-2f);
    p = FMAD(f, p, 0x1.555548p-2f);
    float square = f * f;
    return square * (f * p) - 0.5f * square;
}
// For zeros, negative numbers, infinity and NaN, the machine's logarithm is correct.
LOCAL bool has_logarithm(float x) { return x > 0 && x < INFINITY; }
LOCAL float log_of(float x) {
    float f, k = split_logarithm(x, &f);
    float rest = log1p_rest(f) + k * LN2_LOW;
    float result = (f + rest) + k * LN2_HIGH;
    return has_logarithm(x) ? result : __nvvm_lg2_approx_ftz_f(x);
}
// The logarithm times log2 e = 1 + 0.4427.
LOCAL float log2_of(float x) {
    float f, k = split_logarithm(x, &f);
    float rest = log1p_rest(f);
    float result = (((rest * 0x1.c551dap-2f + f * 0x1.c551dap-2f) + rest) + f) + k;
    return has_logarithm(x) ? result : __nvvm_lg2_approx_ftz_f(x);
}
// The logarithm times log10 e in two parts, the first with 11 bits.
LOCAL float log10_of(float x) {
    float f, k = split_logarithm(x, &f);
    float rest = log1p_rest(f);
    float high = first_bits(f);
    float low = (f - high) + rest;
    float result = (low * 0x1.bcb7b2p-2f + (high * -0x1.09d5b2p-15f + k * LOG10_2_LOW)) + high * 0x1.bccp-2f + k * LOG10_2_HIGH;
    return has_logarithm(x) ? result : __nvvm_lg2_approx_ftz_f(x);
}
LOCAL float log1p_of(float x) {
    float u = 1 + x, f, k = split_logarithm(u, &f);
    // The rounding error of the sum, relative to the sum.
    float lost = (x > 1 ? 1 - (u - x) : x - (u - 1)) * reciprocal(u);
    bool near = k == 0;
    f = near ? x : f;
    float rest = log1p_rest(f) + (near ? 0.0f : k * LN2_LOW + lost);
    float result = (f + rest) + k * LN2_HIGH;
    return has_logarithm(u) ? (fabs(x) < 0x1p-24f ? x : result) : __nvvm_lg2_approx_ftz_f(u);
}

FLOAT_1(exp, exp_of(x))
FLOAT_1(exp2, power_of_two(x))
FLOAT_1(exp10, exp10_of(x))
FLOAT_1(expm1, expm1_of(x))
FLOAT_1(log, log_of(x))
FLOAT_1(log2, log2_of(x))
FLOAT_1(log10, log10_of(x))
FLOAT_1(log1p, log1p_of(x))
FLOAT_1(sqrt, __nvvm_sqrt_rn_f(x))
FLOAT_1(rsqrt, reciprocal_root(x))

// log2 of a normal number, as a sum with a small second part, together about 33 bits.
LOCAL float long_logarithm(float x, private float *low) {
    float u, k = split_logarithm(x, &u);
    // s = u / (2 + u) and its rounding error. ln(1 + u) = 2 (s + s^3 / 3 + s^5 / 5 ...).
    float v = u + 2, v_low = u - (v - 2);
    float r = reciprocal(v), s = first_bits(u * r);
    float v_first = first_bits(v);
    float s_low = ((u - s * v_first) - s * ((v - v_first) + v_low)) * r;
    float square = (s + s_low) * (s + s_low);
    float p = FMAD(square, 0x1.e2f9ap-4f, 0x1.2438c4p-3f);
    p = FMAD(square, p, 0x1.999a7ap-3f);
    p = FMAD(square, p, 0x1.555554p-2f);
    float rest = s_low + (s + s_low) * square * p;
    // 2 / ln 2 in two parts, the first with 11 bits.
    float product = s * 0x1.714p+1f;
    float product_low = s * 0x1.47652cp-11f + rest * 0x1.715476p+1f;
    float sum = k + product;
    *low = (product - (sum - k)) + product_low;
    return sum;
}
// 2^(y (l + l_low)), with y in two parts, the first with 12 bits.
LOCAL float power_of(float l, float l_low, float y, float y_low) {
    float l_first = first_bits(l);
    l_low += l - l_first;
    float high = y * l_first, low = y * l_low + y_low * (l_first + l_low);
    float total = high + low;
    float k = rint(total);
    float result = add_exponent(power_of_two((high - k) + low), __nvvm_f2i_rn(k));
    return total >= 128 ? INFINITY : total < -126 ? 0.0f : result;
}
// |x|^y, with y in two parts. Neither x nor y is NaN. If |y| is above 2^32, the result is the same as for infinity.
LOCAL float magnitude_power(float x, float y, float y_low) {
    float l_low, l = long_logarithm(x, &l_low);
    float result = power_of(l, l_low, y, y_low);
    result = x == 0 ? (y < 0 ? INFINITY : 0.0f) : x == INFINITY ? (y < 0 ? 0.0f : INFINITY) : result;
    return result;
}
LOCAL float clamped_power(float x, float y) {
    float near = fmin(fmax(y, -0x1p32f), 0x1p32f), first = first_bits(near);
    return magnitude_power(x, first, near - first);
}
LOCAL float pow_of(float x, float y) {
    float result = clamped_power(fabs(x), y);
    bool whole = trunc(y) == y;
    bool odd = whole && fabs(y) < 0x1p24f && (__nvvm_f2i_rn(y) & 1);
    if (odd) result = with_sign(result, x);
    if (x < 0 && !whole && x > -INFINITY) result = NOT_A_NUMBER;
    if (isnan(x) | isnan(y)) result = NOT_A_NUMBER;
    return x == 1 || y == 0 ? 1.0f : result;
}
FLOAT_2(pow, pow_of(x, y))
LOCAL float powr_of(float x, float y) {
    float result = clamped_power(x, y);
    bool none = !(x >= 0) || isnan(y) || (y == 0 && (x == 0 || x == INFINITY)) || (x == 1 && isinf(y));
    return none ? NOT_A_NUMBER : y == 0 || x == 1 ? 1.0f : result;
}
FLOAT_2(powr, powr_of(x, y))
LOCAL float pown_of(float x, int n) {
    float first = first_bits(__nvvm_i2f_rm(n));
    float result = magnitude_power(fabs(x), first, (float)(n - __nvvm_f2i_rn(first)));
    if (n & 1) result = with_sign(result, x);
    return n == 0 ? 1.0f : x == x ? result : x;
}
PURE float pown(float x, int n) { return pown_of(x, n); }
VECTOR_2(float, pown, float, int)
LOCAL float rootn_of(float x, int n) {
    // 1 / n and its rounding error.
    float of = (float)n, of_first = first_bits(of);
    float r = reciprocal(of), first = first_bits(r);
    float low = ((1 - of_first * first) - (of - of_first) * first) * r;
    float result = magnitude_power(fabs(x), first, low);
    if (n & 1) result = with_sign(result, x);
    return n == 0 || (x < 0 && !(n & 1)) ? NOT_A_NUMBER : x == x ? result : x;
}
PURE float rootn(float x, int n) { return rootn_of(x, n); }
VECTOR_2(float, rootn, float, int)

// The guess by a third of the exponent has an error of at most 1/30. Two steps of Halley's method follow, the second
// one from a guess of 8 bits, whose square is exact.
LOCAL float cbrt_of(float x) {
    bool large = fabs(x) >= 1;
    float size = fabs(x) * (large ? 0x1p-24f : 0x1p24f);
    float guess = as_float(as_uint(size) / 3 + 0x2a5137a0);
    float cube = guess * guess * guess;
    guess = guess * quotient(cube + 2 * size, 2 * cube + size);
    float t = as_float((as_uint(guess) + 0x8000) & 0xffff0000);
    float r = quotient(size, t * t);
    float result = t + t * ((r - t) * reciprocal(2 * t + r));
    return size == 0 || !(size < INFINITY) ? x : with_sign(result * (large ? 0x1p8f : 0x1p-8f), x);
}
FLOAT_1(cbrt, cbrt_of(x))

// The operands are scaled, so that their squares neither overflow nor underflow.
LOCAL float hypot_of(float x, float y) {
    float a = fabs(x), b = fabs(y), most = fmax(a, b), least = fmin(a, b);
    float scale = most > 0x1p50f ? 0x1p-80f : most < 0x1p-40f ? 0x1p86f : 1.0f;
    float back = most > 0x1p50f ? 0x1p80f : most < 0x1p-40f ? 0x1p-86f : 1.0f;
    float c = most * scale, d = least * scale;
    float c_first = first_bits(c), c_low = c - c_first;
    // The square of the larger operand is exact in two parts.
    float result = root(c_first * c_first + (c_low * (c + c_first) + d * d)) * back;
    return isinf(x) | isinf(y) ? INFINITY : isnan(x) | isnan(y) ? NOT_A_NUMBER : result;
}
FLOAT_2(hypot, hypot_of(x, y))

// The machine's own functions. The half_ functions have errors of at most 8192 units for all arguments.
FLOAT_1(native_exp2, power_of_two(x))
FLOAT_1(native_exp, power_of_two(x * LOG2_E))
FLOAT_1(native_exp10, power_of_two(x * 0x1.a934fp+1f))
FLOAT_1(native_log2, __nvvm_lg2_approx_ftz_f(x))
FLOAT_1(native_log, __nvvm_lg2_approx_ftz_f(x) * 0x1.62e43p-1f)
FLOAT_1(native_log10, __nvvm_lg2_approx_ftz_f(x) * 0x1.344136p-2f)
FLOAT_1(native_recip, reciprocal(x))
FLOAT_1(native_rsqrt, reciprocal_root(x))
FLOAT_1(native_sqrt, __nvvm_sqrt_approx_ftz_f(x))
FLOAT_2(native_divide, __nvvm_div_approx_ftz_f(x, y))
FLOAT_2(native_powr, power_of_two(y * __nvvm_lg2_approx_ftz_f(x)))
FLOAT_1(half_exp2, power_of_two(x))
FLOAT_1(half_exp, exp_of(x))
FLOAT_1(half_exp10, exp10_of(x))
FLOAT_1(half_log2, log2_of(x))
FLOAT_1(half_log, log_of(x))
FLOAT_1(half_log10, log10_of(x))
FLOAT_1(half_recip, 1.0f / x)
FLOAT_1(half_rsqrt, reciprocal_root(x))
FLOAT_1(half_sqrt, __nvvm_sqrt_rn_f(x))
FLOAT_2(half_divide, x / y)
FLOAT_2(half_powr, powr_of(x, y))
