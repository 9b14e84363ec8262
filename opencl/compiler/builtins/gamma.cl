// Gamma and error functions.

// Gamma(2 + u) and ln Gamma(2 + u) for |u| <= 1/2.
LOCAL float gamma_near_2(float u) {
    float p = FMAD(u, 0x1.43e1c8p-11f, -0x1.215138p-10f);
    p = FMAD(u, p, 0x1.0de172p-9f);
    p = FMAD(u, p, -0x1.6fbdecp-9f);
    p = FMAD(u, p, 0x1.6dba34p-7f);
    p = FMAD(u, p, -0x1.1d4ac4p-12f);
    p = FMAD(u, p, 0x1.301f38p-4f);
    p = FMAD(u, p, 0x1.4e23d4p-4f);
    p = FMAD(u, p, 0x1.a5b97ap-2f);
    p = FMAD(u, p, 0x1.b0ee6p-2f);
    return 1 + u * p;
}
LOCAL float log_gamma_near_2(float u) {
    float p = FMAD(u, 0x1.010e12p-13f, -0x1.0a370ap-12f);
    p = FMAD(u, p, 0x1.06dd3cp-11f);
    p = FMAD(u, p, -0x1.36dcb2p-10f);
    p = FMAD(u, p, 0x1.7b0782p-9f);
    p = FMAD(u, p, -0x1.e40f6ep-8f);
    p = FMAD(u, p, 0x1.5131d8p-6f);
    p = FMAD(u, p, -0x1.13dffcp-4f);
    p = FMAD(u, p, 0x1.4a34ccp-2f);
    p = FMAD(u, p, 0x1.b0ee6p-2f);
    return u * p;
}
// Uses Gamma(x + 1) = x Gamma(x) to begin near 2. The factors are exact, or as accurate as x.
LOCAL float tgamma_of(float x) {
    if (!(fabs(x) < 64)) return x > 0 ? INFINITY : x < 0 && x > -INFINITY && trunc(x) != x ? 0.0f : NOT_A_NUMBER;
    if (x <= 0 && trunc(x) == x) return x == 0 ? with_sign(INFINITY, x) : NOT_A_NUMBER;
    // The largest products would overflow without the scale.
    float above = 0.5f, scale = x < -16 ? 0x1p-30f : 1.0f, below = scale, z = x;
    while (z > 2.5f) {
        z -= 1;
        above *= z;
    }
    while (z < 1.5f) {
        below *= z;
        z += 1;
    }
    return 2 * scale * ((gamma_near_2(z - 2) * above) / below);
}
FLOAT_1(tgamma, tgamma_of(x))

// ln Gamma for x >= 0.
LOCAL float log_gamma(float x) {
    if (x > 8) {
        // Stirling's series.
        float r = 1 / x, z = r * r;
        float series = r * FMAD(z, FMAD(z, 0x1.a01a02p-11f, -0x1.6c16c2p-9f), 0x1.555556p-4f);
        float l = log_of(x);
        return x < 0x1p30f ? (x - 0.5f) * (l - 1) + (0x1.acfe39p-2f + series) : x * (l - 1);
    }
    float factor = 1, z = x;
    while (z > 2.5f) {
        z -= 1;
        factor *= z;
    }
    if (x > 2.5f) return log_gamma_near_2(z - 2) + log_of(factor);
    if (x >= 1.5f) return log_gamma_near_2(x - 2);
    if (x >= 0.5f) return log_gamma_near_2(x - 1) - log1p_of(x - 1);
    return log_gamma_near_2(x) - (log_of(x) + log1p_of(x));
}
LOCAL float lgamma_r_of(float x, private int *sign) {
    float size = fabs(x);
    bool whole = trunc(x) == x;
    *sign = x == 0 ? (as_int(x) < 0 ? -1 : 1) : x < 0 && !whole && (__nvvm_f2i_rm(x) & 1) ? -1 : 1;
    float result = log_gamma(size);
    // Reflection formula. For x closer to 0, both sides are -ln |x|, and the square of x would be 0.
    if (x < -0x1p-30f) result = log_of(0x1.921fb6p+1f / (size * fabs(sinpi_of(x)))) - result;
    result = whole && x <= 0 ? INFINITY : result;
    return isinf(x) ? INFINITY : x == x ? result : x;
}
SPLIT(float, lgamma_r, lgamma_r_of, int)
LOCAL float lgamma_of(float x) {
    int sign;
    return lgamma_r_of(x, &sign);
}
FLOAT_1(lgamma, lgamma_of(x))

// erfc for x >= 1/2: e^(-x^2) / (1 + 2 x) times a polynomial of (x - 4) / (x + 4). The square has two
// parts, the first one exact.
LOCAL float erfc_far(float x) {
    x = fmin(x, 11.0f);
    float t = quotient(x - 4, x + 4);
    float p = FMAD(t, 0x1.59b5bcp-8f, -0x1.0f832p-6f);
    p = FMAD(t, p, 0x1.2f0be8p-5f);
    p = FMAD(t, p, -0x1.0f696p-4f);
    p = FMAD(t, p, 0x1.80128ap-4f);
    p = FMAD(t, p, -0x1.9de0a6p-4f);
    p = FMAD(t, p, 0x1.16ea52p-4f);
    p = FMAD(t, p, 0x1.f7f738p-7f);
    p = FMAD(t, p, -0x1.1df1a6p-3f);
    p = FMAD(t, p, 0x1.3ba592p+0f);
    float first = first_bits(x);
    float power = exponential(-(first * first), -((x - first) * (x + first)), 0, -0x1.5d589ep+6f, 0x1.62e42ep+6f);
    return power * quotient(p, 1 + 2 * x);
}
LOCAL float erf_near(float x) {
    float z = x * x;
    float p = FMAD(z, 0x1.496a3ep-14f, -0x1.a3f702p-11f);
    p = FMAD(z, p, 0x1.5405b2p-8f);
    p = FMAD(z, p, -0x1.b7f90cp-6f);
    p = FMAD(z, p, 0x1.ce2cf8p-4f);
    p = FMAD(z, p, -0x1.81273ep-2f);
    p = FMAD(z, p, 0x1.06eba8p-3f);
    return x * (1 + p);
}
LOCAL float erf_of(float x) {
    float size = fabs(x);
    float result = size < 1 ? erf_near(size) : 1 - erfc_far(size);
    return x == x ? with_sign(result, x) : x;
}
LOCAL float erfc_of(float x) {
    float far = erfc_far(fabs(x));
    float result = fabs(x) < 0.5f ? 1 - erf_near(x) : x < 0 ? 2 - far : far;
    return x == x ? result : x;
}
FLOAT_1(erf, erf_of(x))
FLOAT_1(erfc, erfc_of(x))
