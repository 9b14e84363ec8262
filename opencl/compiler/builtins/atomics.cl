// Section 6.11.11, and cl_khr_*_atomics of OpenCL 1.0. A thread's accesses take effect in program order.
#define UPDATE(S, T, NAME, OPERATION)                                                                                  \
    INLINE T atomic_##NAME(volatile S T *p, T value) { return OPERATION; }                                             \
    INLINE T atom_##NAME(volatile S T *p, T value) { return OPERATION; }
#define RELAXED __ATOMIC_RELAXED
#define ATOMICS(S, T)                                                                                                  \
    UPDATE(S, T, add, __atomic_fetch_add(p, value, RELAXED))                                                           \
    UPDATE(S, T, sub, __atomic_fetch_sub(p, value, RELAXED))                                                           \
    UPDATE(S, T, xchg, __atomic_exchange_n(p, value, RELAXED))                                                         \
    UPDATE(S, T, min, __atomic_fetch_min(p, value, RELAXED))                                                           \
    UPDATE(S, T, max, __atomic_fetch_max(p, value, RELAXED))                                                           \
    UPDATE(S, T, and, __atomic_fetch_and(p, value, RELAXED))                                                           \
    UPDATE(S, T, or, __atomic_fetch_or(p, value, RELAXED))                                                             \
    UPDATE(S, T, xor, __atomic_fetch_xor(p, value, RELAXED))                                                           \
    INLINE T atomic_inc(volatile S T *p) { return atomic_add(p, (T)1); }                                               \
    INLINE T atom_inc(volatile S T *p) { return atomic_add(p, (T)1); }                                                 \
    INLINE T atomic_dec(volatile S T *p) { return atomic_sub(p, (T)1); }                                               \
    INLINE T atom_dec(volatile S T *p) { return atomic_sub(p, (T)1); }                                                 \
    INLINE T atomic_cmpxchg(volatile S T *p, T expected, T value) {                                                    \
        __atomic_compare_exchange_n(p, &expected, value, false, RELAXED, RELAXED);                                     \
        return expected;                                                                                               \
    }                                                                                                                  \
    INLINE T atom_cmpxchg(volatile S T *p, T expected, T value) { return atomic_cmpxchg(p, expected, value); }
#define EXCHANGE(S)                                                                                                    \
    INLINE float atomic_xchg(volatile S float *p, float value) {                                                       \
        return as_float(atomic_xchg((volatile S int *)p, as_int(value)));                                              \
    }

// Inline PTX: for 64 bits, clang would expand all of these except the compare and swap to loops.
#define LONG_ATOMICS(S, SPACE, T)                                                                                      \
    INLINE T atom_add(volatile S T *p, T value) {                                                                      \
        T old;                                                                                                         \
        __asm__ volatile("atom." SPACE ".add.u64 %0, [%1], %2;" : "=l"(old) : "r"(p), "l"(value) : "memory");          \
        return old;                                                                                                    \
    }                                                                                                                  \
    INLINE T atom_xchg(volatile S T *p, T value) {                                                                     \
        T old;                                                                                                         \
        __asm__ volatile("atom." SPACE ".exch.b64 %0, [%1], %2;" : "=l"(old) : "r"(p), "l"(value) : "memory");         \
        return old;                                                                                                    \
    }                                                                                                                  \
    INLINE T atom_cmpxchg(volatile S T *p, T expected, T value) {                                                      \
        T old;                                                                                                         \
        __asm__ volatile("atom." SPACE ".cas.b64 %0, [%1], %2, %3;"                                                    \
                         : "=l"(old) : "r"(p), "l"(expected), "l"(value) : "memory");                                  \
        return old;                                                                                                    \
    }                                                                                                                  \
    INLINE T atom_sub(volatile S T *p, T value) { return atom_add(p, -value); }                                        \
    INLINE T atom_inc(volatile S T *p) { return atom_add(p, (T)1); }                                                   \
    INLINE T atom_dec(volatile S T *p) { return atom_add(p, (T)-1); }

#define SPACE_ATOMICS(S, SPACE)                                                                                        \
    ATOMICS(S, int)                                                                                                    \
    ATOMICS(S, uint)                                                                                                   \
    EXCHANGE(S)                                                                                                        \
    LONG_ATOMICS(S, SPACE, long)                                                                                       \
    LONG_ATOMICS(S, SPACE, ulong)
SPACE_ATOMICS(global, "global")
SPACE_ATOMICS(local, "shared")
