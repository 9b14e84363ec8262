// Attributes for declarations of functions. All functions are inlined, because the machine has no stack for calls.
#define PURE __attribute__((overloadable, const, always_inline))
#define INLINE __attribute__((overloadable, always_inline))
// A convergent function is not moved into or out of branches in which threads diverge.
#define CONVERGENT __attribute__((overloadable, convergent, always_inline))
// For functions that are visible only in these files.
#define LOCAL static __attribute__((overloadable, always_inline))

// Applies M to each type, or to each length of a vector.
#define FOR_SIGNED(M) M(char) M(short) M(int) M(long)
#define FOR_UNSIGNED(M) M(uchar) M(ushort) M(uint) M(ulong)
#define FOR_INTEGERS(M) FOR_SIGNED(M) FOR_UNSIGNED(M)
#define FOR_TYPES(M) FOR_INTEGERS(M) M(float) M(double)
#define FOR_LENGTHS(M, ...) M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(8, __VA_ARGS__) M(16, __VA_ARGS__)

// Functions of vectors, computed element by element: result type R, name F, argument types A, B, C.
#define VECTOR_1(R, F, A)                                                                  \
    PURE R##2 F(A##2 a) { return (R##2)(F(a.s0), F(a.s1)); }                               \
    PURE R##3 F(A##3 a) { return (R##3)(F(a.s0), F(a.s1), F(a.s2)); }                      \
    PURE R##4 F(A##4 a) { return (R##4)(F(a.s0), F(a.s1), F(a.s2), F(a.s3)); }             \
    PURE R##8 F(A##8 a) { return (R##8)(F(a.lo), F(a.hi)); }                               \
    PURE R##16 F(A##16 a) { return (R##16)(F(a.lo), F(a.hi)); }
#define VECTOR_2(R, F, A, B)                                                               \
    PURE R##2 F(A##2 a, B##2 b) { return (R##2)(F(a.s0, b.s0), F(a.s1, b.s1)); }           \
    PURE R##3 F(A##3 a, B##3 b) { return (R##3)(F(a.s0, b.s0), F(a.s1, b.s1), F(a.s2, b.s2)); } \
    PURE R##4 F(A##4 a, B##4 b) { return (R##4)(F(a.lo, b.lo), F(a.hi, b.hi)); }           \
    PURE R##8 F(A##8 a, B##8 b) { return (R##8)(F(a.lo, b.lo), F(a.hi, b.hi)); }           \
    PURE R##16 F(A##16 a, B##16 b) { return (R##16)(F(a.lo, b.lo), F(a.hi, b.hi)); }
#define VECTOR_3(R, F, A, B, C)                                                            \
    PURE R##2 F(A##2 a, B##2 b, C##2 c) { return (R##2)(F(a.s0, b.s0, c.s0), F(a.s1, b.s1, c.s1)); } \
    PURE R##3 F(A##3 a, B##3 b, C##3 c) {                                                  \
        return (R##3)(F(a.s0, b.s0, c.s0), F(a.s1, b.s1, c.s1), F(a.s2, b.s2, c.s2));      \
    }                                                                                      \
    PURE R##4 F(A##4 a, B##4 b, C##4 c) { return (R##4)(F(a.lo, b.lo, c.lo), F(a.hi, b.hi, c.hi)); } \
    PURE R##8 F(A##8 a, B##8 b, C##8 c) { return (R##8)(F(a.lo, b.lo, c.lo), F(a.hi, b.hi, c.hi)); } \
    PURE R##16 F(A##16 a, B##16 b, C##16 c) { return (R##16)(F(a.lo, b.lo, c.lo), F(a.hi, b.hi, c.hi)); }
// The last argument may also be a scalar, which is used for all elements.
#define VECTOR_SCALAR_OF(N, R, F, A, B) PURE R##N F(A##N a, B b) { return F(a, (B##N)(b)); }
#define VECTOR_SCALAR(R, F, A, B) FOR_LENGTHS(VECTOR_SCALAR_OF, R, F, A, B)

// Defines a function of float and of all vectors of floats by an expression of x, of x and y, or of x, y and z.
#define FLOAT_1(F, E) PURE float F(float x) { return E; } VECTOR_1(float, F, float)
#define FLOAT_2(F, E) PURE float F(float x, float y) { return E; } VECTOR_2(float, F, float, float)
#define FLOAT_3(F, E) PURE float F(float x, float y, float z) { return E; } VECTOR_3(float, F, float, float, float)
#define DOUBLE_1(F, E) PURE double F(double x) { return E; } VECTOR_1(double, F, double)
#define DOUBLE_2(F, E) PURE double F(double x, double y) { return E; } VECTOR_2(double, F, double, double)
#define DOUBLE_3(F, E) PURE double F(double x, double y, double z) { return E; } VECTOR_3(double, F, double, double, double)
// Defines a function of both types, by an expression that is valid for both.
#define REAL_1(F, E) FLOAT_1(F, E) DOUBLE_1(F, E)
#define REAL_2(F, E) FLOAT_2(F, E) DOUBLE_2(F, E)
#define REAL_3(F, E) FLOAT_3(F, E) DOUBLE_3(F, E)
#define FOR_REALS(M, ...) M(float, __VA_ARGS__) M(double, __VA_ARGS__)
