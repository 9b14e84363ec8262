// How functions are declared. All are inlined: the machine has no stack for calls.
#define PURE __attribute__((overloadable, const, always_inline))
#define INLINE __attribute__((overloadable, always_inline))
// Not reordered with, or moved into, divergent branches.
#define CONVERGENT __attribute__((overloadable, convergent, always_inline))
