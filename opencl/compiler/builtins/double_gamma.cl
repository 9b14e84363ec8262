// Gamma and error functions of doubles.

// Gamma(2 + u) and ln Gamma(2 + u) for |u| <= 1/2.
LOCAL double gamma_near_2(double u) {
    double p = FUSED_3(u, 0x1.60a4cc5ac62fbp-19, -0x1.555ca74fd5003p-18, 0x1.e45a181c07ac1p-18, -0x1.ea05d197d8a10p-17);
    p = FUSED_3(u, p, 0x1.0079fe0914f43p-15, -0x1.ff57d44a30ed9p-15, 0x1.fe3f6381b6c4dp-14);
    p = FUSED_3(u, p, -0x1.f93d43f9c92cfp-13, 0x1.011b20bf030b1p-11, -0x1.e21f6655b9f85p-11);
    p = FUSED_3(u, p, 0x1.13c4488ff467ep-9, -0x1.75e6e81d13898p-9, 0x1.6d7eeacc94288p-7);
    p = FUSED_3(u, p, -0x1.17f3743d409b4p-12, 0x1.301fbb0f24549p-4, 0x1.4e23998465782p-4);
    p = FUSED(u, FUSED(u, p, 0x1.a5b978b96bec5p-2), 0x1.b0ee6072093cdp-2);
    return FUSED(u, p, 1.0);
}
LOCAL double log_gamma_near_2(double u) {
    double p = FUSED_3(u, 0x1.1a2edca134053p-24, -0x1.2019b1777ea90p-23, 0x1.af2c50e708b88p-23, -0x1.ce0e61f049dd7p-22);
    p = FUSED_3(u, p, 0x1.016df04948a94p-20, -0x1.127771822fa4fp-19, 0x1.2589de892ae09p-18);
    p = FUSED_3(u, p, -0x1.3cb3b5cc09b9cp-17, 0x1.580e424373bfap-16, -0x1.78de9b0656391p-15);
    p = FUSED_3(u, p, 0x1.a127ae93149dcp-14, -0x1.d3fd4b65e8c25p-13, 0x1.0b36af89fa545p-11);
    p = FUSED_3(u, p, -0x1.38ac5c2d4ac15p-10, 0x1.7add6eadb0318p-9, -0x1.e404fc218db6dp-8);
    p = FUSED_3(u, p, 0x1.51322ac7d84aep-6, -0x1.13e001a55760ap-4, 0x1.4a34cc4a60fa6p-2);
    p = FUSED(u, p, 0x1.b0ee6072093cep-2);
    return u * p;
}
// ln Gamma(x) as a sum of two numbers, for x >= 16: Stirling's series, (x - 1/2) ln x - x + ln(2 pi) / 2 + 1 / 12 x -
// ...
LOCAL double stirling(double x, private double *low) {
    double l_low, l = long_logarithm(x, &l_low), r = 1 / x, z = r * r;
    double p = FUSED_3(z, 0x1.a41a41a41a41ap-8, -0x1.f6ab0d9993c7dp-10, 0x1.b951e2b18ff23p-11, -0x1.3813813813814p-11);
    p = r * FUSED_3(z, p, 0x1.a01a01a01a01ap-11, -0x1.6c16c16c16c17p-9, 0x1.5555555555555p-4);
    double factor = x - 0.5, product = factor * l;
    double product_low = FUSED(factor, l, -product) + factor * l_low;
    double sum = product - x, part = sum - product;
    double rest = (product - (sum - part)) - (x + part) + product_low;
    double series = 0x1.d67f1c864beb5p-1 + p, total = sum + series;
    *low = (sum - total) + series + rest;
    return total;
}
LOCAL double tgamma_of(double x) {
    if (!(fabs(x) < 190)) {
        return x > 0 ? (double)INFINITY : x < 0 && x > -INFINITY && trunc(x) != x ? 0.0 : WIDE_NAN;
    }
    if (x <= 0 && trunc(x) == x) return x == 0 ? with_sign((double)INFINITY, x) : WIDE_NAN;
    double size = fabs(x);
    if (size >= 16) {
        double low, l = stirling(size, &low);
        if (x > 0) return exponential(l, low, 0);
        // Reflection formula. The last product rounds a denormal result.
        return -(exponential(-l, -low, 100) * (0x1.921fb54442d18p+1 / (size * sinpi_of(size)))) * 0x1p-100;
    }
    // Uses Gamma(x + 1) = x Gamma(x) to begin near 2.
    double above = 1, below = 1, z = x;
    while (z > 2.5) {
        z -= 1;
        above *= z;
    }
    while (z < 1.5) {
        below *= z;
        z += 1;
    }
    return gamma_near_2(z - 2) * above / below;
}
DOUBLE_1(tgamma, tgamma_of(x))

// ln Gamma for x >= 0.
LOCAL double log_gamma(double x) {
    if (x >= 16) {
        double low, l = stirling(fmin(x, 0x1p1000), &low);
        return x < 0x1p60 ? l + low : x * (log_of(x) - 1);
    }
    double factor = 1, z = x;
    while (z > 2.5) {
        z -= 1;
        factor *= z;
    }
    if (x > 2.5) return log_gamma_near_2(z - 2) + log_of(factor);
    if (x >= 1.5) return log_gamma_near_2(x - 2);
    if (x >= 0.5) return log_gamma_near_2(x - 1) - log1p_of(x - 1);
    return log_gamma_near_2(x) - (log_of(x) + log1p_of(x));
}
LOCAL double lgamma_r_of(double x, private int *sign) {
    double size = fabs(x);
    bool whole = trunc(x) == x;
    // From 2^53 all numbers are integers.
    *sign = x == 0 ? (as_long(x) < 0 ? -1 : 1) : x < 0 && !whole && ((long)floor(x) & 1) ? -1 : 1;
    double result = log_gamma(size);
    // Reflection formula. For x closer to 0, both sides are -ln |x|, and the square of x would be 0.
    if (x < -0x1p-60) result = log_of(0x1.921fb54442d18p+1 / (size * fabs(sinpi_of(x)))) - result;
    result = whole && x <= 0 ? (double)INFINITY : result;
    return isinf(x) ? (double)INFINITY : x == x ? result : x;
}
SPLIT(double, lgamma_r, lgamma_r_of, int)
LOCAL double lgamma_of(double x) {
    int sign;
    return lgamma_r_of(x, &sign);
}
DOUBLE_1(lgamma, lgamma_of(x))

// erfc for x >= 1/2: e^(-x^2) / (1 + 2 x) times a polynomial of (x - 4) / (x + 4). The square is a sum of two numbers.
LOCAL double erfc_far(double x) {
    x = fmin(x, 28.0);
    double t = (x - 4) / (x + 4);
    double p = FUSED_3(t, 0x1.15e70f4804750p-29, -0x1.49a061c9e3e15p-27, -0x1.3e6d5ade68ce0p-26, 0x1.bac6d7e9e3087p-24);
    p = FUSED_3(t, p, 0x1.446fb77f1945ep-24, -0x1.b7dd5d9166b25p-21, 0x1.3aab923f44940p-22);
    p = FUSED_3(t, p, 0x1.7ef2967095c80p-18, -0x1.78893abd41789p-17, -0x1.9954a191e5d5bp-16);
    p = FUSED_3(t, p, 0x1.3be054c43c848p-13, -0x1.a1df46a8d9b7cp-13, -0x1.8d4a9b17d2131p-11);
    p = FUSED_3(t, p, 0x1.49c672ac5ab09p-8, -0x1.09623883e4ff8p-6, 0x1.3079edf617862p-5);
    p = FUSED_3(t, p, -0x1.0fb06dfe4ea4fp-4, 0x1.7fee004e14f08p-4, -0x1.9ddb23c3e8dbbp-4);
    p = FUSED_3(t, p, 0x1.16ecefcfa52a5p-4, 0x1.f7f5df66fd763p-7, -0x1.1df1ad154a28dp-3);
    p = FUSED(t, p, 0x1.3ba5916e9fd7fp+0);
    double square = x * x, low = FUSED(x, x, -square);
    return exponential(-square, -low, 0) * (p / (1 + 2 * x));
}
LOCAL double erf_near(double x) {
    double z = x * x;
    double p = FUSED_3(z, -0x1.acdff90b8ebd8p-31, 0x1.d784936618cc2p-27, -0x1.5c16e30fb0d45p-23, 0x1.b9827b1885f9bp-20);
    p = FUSED_3(z, p, -0x1.f4ca94990cb86p-17, 0x1.f9a2bf73f0c68p-14, -0x1.c02db072f3fe0p-11);
    p = FUSED_3(z, p, 0x1.565bccfa9a825p-8, -0x1.b82ce312062bcp-6, 0x1.ce2f21a041018p-4);
    p = FUSED(z, FUSED(z, p, -0x1.812746b0379c2p-2), 0x1.06eba8214db68p-3);
    return FUSED(x, p, x);
}
LOCAL double erf_of(double x) {
    double size = fabs(x);
    double result = size < 1 ? erf_near(size) : 1 - erfc_far(size);
    return x == x ? with_sign(result, x) : x;
}
LOCAL double erfc_of(double x) {
    double far = erfc_far(fabs(x));
    double result = fabs(x) < 0.5 ? 1 - erf_near(x) : x < 0 ? 2 - far : far;
    return x == x ? result : x;
}
DOUBLE_1(erf, erf_of(x))
DOUBLE_1(erfc, erfc_of(x))
