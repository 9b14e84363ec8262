// Section 6.11.6, relational functions. A scalar's result is 1 or 0, a vector's -1 or 0.
#define COMPARE_OF(N, F, E) PURE int##N F(float##N x, float##N y) { return E; }
#define COMPARE(F, E) PURE int F(float x, float y) { return E; } FOR_LENGTHS(COMPARE_OF, F, E)
COMPARE(isequal, x == y)
COMPARE(isnotequal, x != y)
COMPARE(isgreater, x > y)
COMPARE(isgreaterequal, x >= y)
COMPARE(isless, x < y)
COMPARE(islessequal, x <= y)
COMPARE(islessgreater, (x < y) | (x > y))
COMPARE(isordered, (x == x) & (y == y))
COMPARE(isunordered, (x != x) | (y != y))

// The bits are tested, because arithmetic treats a denormal number as zero.
#define CLASSIFY(F, E)                                                                 \
    PURE int F(float x) {                                                              \
        uint bits = as_uint(x), size = bits & 0x7fffffff;                              \
        return E;                                                                      \
    }                                                                                  \
    PURE int2 F(float2 x) { return -(int2)(F(x.s0), F(x.s1)); }                        \
    PURE int3 F(float3 x) { return -(int3)(F(x.s0), F(x.s1), F(x.s2)); }               \
    PURE int4 F(float4 x) { return (int4)(F(x.lo), F(x.hi)); }                         \
    PURE int8 F(float8 x) { return (int8)(F(x.lo), F(x.hi)); }                         \
    PURE int16 F(float16 x) { return (int16)(F(x.lo), F(x.hi)); }
CLASSIFY(isfinite, size < 0x7f800000)
CLASSIFY(isinf, size == 0x7f800000)
CLASSIFY(isnan, size > 0x7f800000)
CLASSIFY(isnormal, size - 0x00800000 < 0x7f000000)
CLASSIFY(signbit, bits >> 31)

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
#define BITSELECT_FLOAT(N, T) \
    PURE float##N bitselect(float##N a, float##N b, float##N c) { \
        return as_float##N(bitselect(as_uint##N(a), as_uint##N(b), as_uint##N(c))); \
    }
BITSELECT_FLOAT(, float)
FOR_LENGTHS(BITSELECT_FLOAT, float)

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
#define PICK_FLOAT(N) \
    LOCAL float pick_float##N##_uint(float##N x, uint i) { return as_float(pick_uint##N##_uint(as_uint##N(x), i)); }
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
PICK_FLOAT(2) PICK_FLOAT(4) PICK_FLOAT(8) PICK_FLOAT(16)
UNSIGNED_OF_ALL(SHUFFLE)
SHUFFLE(float, uint)
