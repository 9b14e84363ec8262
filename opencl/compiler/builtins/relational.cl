// Section 6.11.6, relational functions. A scalar's result is 1 or 0, a vector's -1 or 0.
#define COMPARE_OF(N, F, T, I, E) PURE I##N F(T##N x, T##N y) { return E; }
#define COMPARE_TYPE(F, T, I, E) PURE int F(T x, T y) { return E; } FOR_LENGTHS(COMPARE_OF, F, T, I, E)
#define COMPARE(F, E) COMPARE_TYPE(F, float, int, E) COMPARE_TYPE(F, double, long, E)
COMPARE(isequal, x == y)
COMPARE(isnotequal, x != y)
COMPARE(isgreater, x > y)
COMPARE(isgreaterequal, x >= y)
COMPARE(isless, x < y)
COMPARE(islessequal, x <= y)
COMPARE(islessgreater, (x < y) | (x > y))
COMPARE(isordered, (x == x) & (y == y))
COMPARE(isunordered, (x != x) | (y != y))

// The bits are tested, because arithmetic of floats treats a denormal number as zero.
#define CLASSIFY(F, T, I, U, E)                                                        \
    PURE int F(T x) {                                                                  \
        U bits = as_##U(x), size = bits & (U)-1 >> 1;                                  \
        return E;                                                                      \
    }                                                                                  \
    PURE I##2 F(T##2 x) { return -(I##2)(F(x.s0), F(x.s1)); }                          \
    PURE I##3 F(T##3 x) { return -(I##3)(F(x.s0), F(x.s1), F(x.s2)); }                 \
    PURE I##4 F(T##4 x) { return (I##4)(F(x.lo), F(x.hi)); }                           \
    PURE I##8 F(T##8 x) { return (I##8)(F(x.lo), F(x.hi)); }                           \
    PURE I##16 F(T##16 x) { return (I##16)(F(x.lo), F(x.hi)); }
#define CLASSES(T, I, U, INFINITE, LEAST)                                              \
    CLASSIFY(isfinite, T, I, U, size < INFINITE)                                       \
    CLASSIFY(isinf, T, I, U, size == INFINITE)                                         \
    CLASSIFY(isnan, T, I, U, size > INFINITE)                                          \
    CLASSIFY(isnormal, T, I, U, size - LEAST < INFINITE - LEAST)                       \
    CLASSIFY(signbit, T, I, U, bits >> (8 * sizeof(T) - 1))
CLASSES(float, int, uint, 0x7f800000, 0x00800000)
CLASSES(double, long, ulong, 0x7ff0000000000000ul, 0x0010000000000000ul)

#define ANY_ALL(T)                                                         \
    PURE int any(T x) { return x < 0; }                                    \
    PURE int any(T##2 x) { return any((T)(x.s0 | x.s1)); }                 \
    PURE int any(T##3 x) { return any((T)(x.s0 | x.s1 | x.s2)); }          \
    PURE int any(T##4 x) { return any(x.lo | x.hi); }                      \
    PURE int any(T##8 x) { return any(x.lo | x.hi); }                      \
    PURE int any(T##16 x) { return any(x.lo | x.hi); }                     \
    PURE int all(T x) { return x < 0; }                                    \
    PURE int all(T##2 x) { return all((T)(x.s0 & x.s1)); }                 \
    PURE int all(T##3 x) { return all((T)(x.s0 & x.s1 & x.s2)); }          \
    PURE int all(T##4 x) { return all(x.lo & x.hi); }                      \
    PURE int all(T##8 x) { return all(x.lo & x.hi); }                      \
    PURE int all(T##16 x) { return all(x.lo & x.hi); }
FOR_SIGNED(ANY_ALL)

#define BITSELECT_OF(N, T) PURE T##N bitselect(T##N a, T##N b, T##N c) { return (a & ~c) | (b & c); }
#define BITSELECT(T) BITSELECT_OF(, T) FOR_LENGTHS(BITSELECT_OF, T)
FOR_INTEGERS(BITSELECT)
#define BITSELECT_REAL(N, T, U) \
    PURE T##N bitselect(T##N a, T##N b, T##N c) { \
        return as_##T##N(bitselect(as_##U##N(a), as_##U##N(b), as_##U##N(c))); \
    }
#define BITSELECTS(T, U) BITSELECT_REAL(, T, U) FOR_LENGTHS(BITSELECT_REAL, T, U)
BITSELECTS(float, uint)
BITSELECTS(double, ulong)

// A scalar's condition is true if it is not 0, the condition of a vector's element if its highest bit is set.
#define SELECT_OF(N, T, C, S) \
    PURE T##N select(T##N a, T##N b, C##N c) { return as_##S##N(c) < (S##N)(0) ? b : a; }
#define SELECT(T, C, S)                                        \
    PURE T select(T a, T b, C c) { return c ? b : a; }         \
    FOR_LENGTHS(SELECT_OF, T, C, S)
#define SELECT_BOTH(T, S, U) SELECT(T, S, S) SELECT(T, U, S)
SELECT_BOTH(char, char, uchar)
SELECT_BOTH(uchar, char, uchar)
SELECT_BOTH(short, short, ushort)
SELECT_BOTH(ushort, short, ushort)
SELECT_BOTH(int, int, uint)
SELECT_BOTH(uint, int, uint)
SELECT_BOTH(long, long, ulong)
SELECT_BOTH(ulong, long, ulong)
SELECT_BOTH(float, int, uint)
SELECT_BOTH(double, long, ulong)

// OpenCL 1.1: selects elements by a mask, whose upper bits are ignored. A tree of selections needs no array in memory;
// clang removes it if the mask is a constant.
// Selections use bit masks: clang would compile a conditional expression to an index into an array in memory.
#define CHOOSE(T, one, other, bit) ((T)((one) ^ (((one) ^ (other)) & (T)(0 - (T)((bit) != 0)))))
#define PICK(T, U)                                                                             \
    LOCAL T pick_##T##2_##U(T##2 x, U i) { return CHOOSE(T, x.s0, x.s1, i & 1); }              \
    LOCAL T pick_##T##4_##U(T##4 x, U i) {                                                     \
        return CHOOSE(T, pick_##T##2_##U(x.lo, i), pick_##T##2_##U(x.hi, i), i & 2);           \
    }                                                                                          \
    LOCAL T pick_##T##8_##U(T##8 x, U i) {                                                     \
        return CHOOSE(T, pick_##T##4_##U(x.lo, i), pick_##T##4_##U(x.hi, i), i & 4);           \
    }                                                                                          \
    LOCAL T pick_##T##16_##U(T##16 x, U i) {                                                   \
        return CHOOSE(T, pick_##T##8_##U(x.lo, i), pick_##T##8_##U(x.hi, i), i & 8);           \
    }
#define PICK_REAL(N, T, U) \
    LOCAL T pick_##T##N##_##U(T##N x, U i) { return as_##T(pick_##U##N##_##U(as_##U##N(x), i)); }
#define SHUFFLE_OF(M, T, U)                                                                    \
    PURE T##2 shuffle(T##M x, U##2 mask) {                                                     \
        return (T##2)(pick_##T##M##_##U(x, mask.s0), pick_##T##M##_##U(x, mask.s1));           \
    }                                                                                          \
    PURE T##4 shuffle(T##M x, U##4 mask) { return (T##4)(shuffle(x, mask.lo), shuffle(x, mask.hi)); } \
    PURE T##8 shuffle(T##M x, U##8 mask) { return (T##8)(shuffle(x, mask.lo), shuffle(x, mask.hi)); } \
    PURE T##16 shuffle(T##M x, U##16 mask) { return (T##16)(shuffle(x, mask.lo), shuffle(x, mask.hi)); }
#define SHUFFLE2_OF(M, T, U)                                                            \
    PURE T##2 shuffle2(T##M x, T##M y, U##2 mask) {                                            \
        return (T##2)(mask.s0 & M ? pick_##T##M##_##U(y, mask.s0) : pick_##T##M##_##U(x, mask.s0), \
                      mask.s1 & M ? pick_##T##M##_##U(y, mask.s1) : pick_##T##M##_##U(x, mask.s1)); \
    }                                                                                          \
    PURE T##4 shuffle2(T##M x, T##M y, U##4 mask) {                                            \
        return (T##4)(shuffle2(x, y, mask.lo), shuffle2(x, y, mask.hi));                       \
    }                                                                                          \
    PURE T##8 shuffle2(T##M x, T##M y, U##8 mask) {                                            \
        return (T##8)(shuffle2(x, y, mask.lo), shuffle2(x, y, mask.hi));                       \
    }                                                                                          \
    PURE T##16 shuffle2(T##M x, T##M y, U##16 mask) {                                          \
        return (T##16)(shuffle2(x, y, mask.lo), shuffle2(x, y, mask.hi));                      \
    }
#define SHUFFLE(T, U)                                                                          \
    SHUFFLE_OF(2, T, U) SHUFFLE_OF(4, T, U) SHUFFLE_OF(8, T, U) SHUFFLE_OF(16, T, U)           \
    SHUFFLE2_OF(2, T, U) SHUFFLE2_OF(4, T, U) SHUFFLE2_OF(8, T, U) SHUFFLE2_OF(16, T, U)
UNSIGNED_OF_ALL(PICK)
PICK_REAL(2, float, uint) PICK_REAL(4, float, uint) PICK_REAL(8, float, uint) PICK_REAL(16, float, uint)
PICK_REAL(2, double, ulong) PICK_REAL(4, double, ulong) PICK_REAL(8, double, ulong) PICK_REAL(16, double, ulong)
UNSIGNED_OF_ALL(SHUFFLE)
SHUFFLE(float, uint)
SHUFFLE(double, ulong)
