/* Errors of double-precision functions, against the C library's long double: 64 bits of significand or more. The function
   is the argument; standard input has records of three doubles, the arguments (the second may be unused) and the result.
   Standard output has the error of each in units in the last place, and the exact result rounded to a double. Exit code 3:
   long double has no more bits than double here. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef long double real;

static const real PI_ = 3.14159265358979323846264338327950288L;

/* sin(pi * halves / 2 + pi * rest), rest up to 1/4: the zeros are exact. */
static real sine(int quarter, real rest) {
    real value = quarter & 1 ? cosl(PI_ * rest) : sinl(PI_ * rest);
    return quarter & 2 ? -value : value;
}
static real by_halves(double x, int more, int tangent) {
    double r = fmod(x, 2), n = rint(2 * r);
    real rest = (real)r - (real)n / 2;
    int quarter = (int)n + more;
    if (!tangent) return rest == 0 && !(quarter & 1) ? copysignl(0, more ? 1 : x) : sine(quarter, rest);
    if (rest == 0 && quarter & 1) return quarter & 2 ? -INFINITY : INFINITY;
    return sine(quarter, rest) / sine(quarter + 1, rest);
}

static real f_sinpi(double x, double y) { return by_halves(x, 0, 0); }
static real f_cospi(double x, double y) { return by_halves(x, 1, 0); }
static real f_tanpi(double x, double y) { return by_halves(x, 0, 1); }
static real f_tgamma(double x, double y) {
    if (x == 0) return copysign(INFINITY, x);
    return x < 0 && trunc(x) == x ? NAN : tgammal(x);
}
static real f_exp10(double x, double y) { return powl(10, x); }
static real f_divide(double x, double y) { return (real)x / y; }
static real f_powr(double x, double y) {
    int none = !(x >= 0) || isnan(y) || (y == 0 && (x == 0 || isinf(x))) || (x == 1 && isinf(y));
    return none ? NAN : powl(fabs(x), y);
}
static real f_rootn(double x, double y) {
    int odd = fmod(y, 2) != 0;
    if (y == 0 || (x < 0 && !odd)) return NAN;
    real size = powl(fabs(x), 1 / (real)y);
    return odd ? copysignl(size, x) : size;
}

#define ONE(name, value) static real f_##name(double x, double y) { return value; }
ONE(acos, acosl(x)) ONE(acosh, acoshl(x)) ONE(acospi, acosl(x) / PI_) ONE(asin, asinl(x)) ONE(asinh, asinhl(x))
ONE(asinpi, asinl(x) / PI_) ONE(atan, atanl(x)) ONE(atanh, atanhl(x)) ONE(atanpi, atanl(x) / PI_)
ONE(atan2, atan2l(x, y)) ONE(atan2pi, atan2l(x, y) / PI_) ONE(cbrt, cbrtl(x)) ONE(cos, cosl(x)) ONE(cosh, coshl(x))
ONE(erf, erfl(x)) ONE(erfc, erfcl(x)) ONE(exp, expl(x)) ONE(exp2, exp2l(x)) ONE(expm1, expm1l(x))
ONE(hypot, hypotl(x, y)) ONE(log, logl(x)) ONE(log2, log2l(x)) ONE(log10, log10l(x)) ONE(log1p, log1pl(x))
ONE(pow, powl(x, y)) ONE(pown, powl(x, y)) ONE(rsqrt, 1 / sqrtl(x)) ONE(sin, sinl(x)) ONE(sinh, sinhl(x))
ONE(sqrt, sqrtl(x)) ONE(tan, tanl(x)) ONE(tanh, tanhl(x)) ONE(degrees, x * (180 / PI_)) ONE(radians, x * (PI_ / 180))

#define ROW(name) {#name, f_##name},
static const struct { const char *name; real (*f)(double, double); } ROWS[] = {
    ROW(acos) ROW(acosh) ROW(acospi) ROW(asin) ROW(asinh) ROW(asinpi) ROW(atan) ROW(atanh) ROW(atanpi) ROW(atan2)
    ROW(atan2pi) ROW(cbrt) ROW(cos) ROW(cosh) ROW(cospi) ROW(degrees) ROW(divide) ROW(erf) ROW(erfc) ROW(exp) ROW(exp2)
    ROW(exp10) ROW(expm1) ROW(hypot) ROW(log) ROW(log2) ROW(log10) ROW(log1p) ROW(pow) ROW(pown) ROW(powr)
    ROW(radians) ROW(rootn) ROW(rsqrt) ROW(sin) ROW(sinh) ROW(sinpi) ROW(sqrt) ROW(tan) ROW(tanh) ROW(tanpi) ROW(tgamma)
};

static double error(double found, real exact) {
    const real beyond = ldexpl(1, 1024);
    if (isnan(found) || isnan(exact)) return isnan(found) && isnan(exact) ? 0 : INFINITY;
    if (isinf(exact)) return found == exact ? 0 : INFINITY;
    /* From half a unit above the largest double on, infinity is the result; a bound of some units allows it before. */
    if (isinf(found) || fabsl(exact) >= beyond) {
        real size = isinf(found) ? beyond : fabs(found), wanted = fabsl(exact) < beyond ? fabsl(exact) : beyond;
        return !signbit(found) == !signbit(exact) ? fabsl(size - wanted) / ldexpl(1, 971) : INFINITY;
    }
    if (exact == 0) return found == 0 ? 0 : INFINITY;
    int exponent;
    frexpl(exact, &exponent);
    return fabsl(found - exact) / ldexpl(1, exponent < -1021 ? -1074 : exponent - 53);
}

int main(int count, char **arguments) {
    double record[3], answer[2];
    if (LDBL_MANT_DIG < 64) return 3;
    for (size_t at = 0; count == 2 && at < sizeof ROWS / sizeof *ROWS; at++) {
        if (strcmp(ROWS[at].name, arguments[1])) continue;
        while (fread(record, sizeof record, 1, stdin) == 1) {
            real exact = ROWS[at].f(record[0], record[1]);
            answer[0] = error(record[2], exact);
            answer[1] = exact;
            fwrite(answer, sizeof answer, 1, stdout);
        }
        return 0;
    }
    return 2;
}
