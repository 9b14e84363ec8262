// Section 6.11.3, integer functions.

// Type, unsigned type of this width, wider type for computations, bits.
#define NARROW(M) M(char, uchar, int, 8) M(uchar, uchar, int, 8) M(short, ushort, int, 16) M(ushort, ushort, int, 16)
#define UNSIGNED_OF_ALL(M) \
    M(char, uchar) M(uchar, uchar) M(short, ushort) M(ushort, ushort) M(int, uint) M(uint, uint) M(long, ulong) M(ulong, ulong)

#define ABSOLUTE(T, U)                                                       \
    PURE U abs(T x) { return x < 0 ? -(U)x : (U)x; }                         \
    VECTOR_1(U, abs, T)                                                      \
    PURE U abs_diff(T x, T y) { return x > y ? (U)x - (U)y : (U)y - (U)x; }  \
    VECTOR_2(U, abs_diff, T, T)
UNSIGNED_OF_ALL(ABSOLUTE)

// Halves of sums without overflow: the common bits, and half of the differing bits.
#define HALVES(T)                                                            \
    PURE T hadd(T x, T y) { return (x & y) + ((x ^ y) >> 1); }               \
    VECTOR_2(T, hadd, T, T)                                                  \
    PURE T rhadd(T x, T y) { return (x | y) - ((x ^ y) >> 1); }              \
    VECTOR_2(T, rhadd, T, T)                                                 \
    PURE T max(T x, T y) { return x > y ? x : y; }                           \
    VECTOR_2(T, max, T, T)                                                   \
    VECTOR_SCALAR(T, max, T, T)                                              \
    PURE T min(T x, T y) { return x < y ? x : y; }                           \
    VECTOR_2(T, min, T, T)                                                   \
    VECTOR_SCALAR(T, min, T, T)                                              \
    PURE T clamp(T x, T least, T most) { return min(max(x, least), most); }  \
    VECTOR_3(T, clamp, T, T, T)
FOR_INTEGERS(HALVES)
#define CLAMP_SCALAR_OF(N, T) PURE T##N clamp(T##N x, T least, T most) { return clamp(x, (T##N)(least), (T##N)(most)); }
#define CLAMP_SCALAR(T) FOR_LENGTHS(CLAMP_SCALAR_OF, T)
FOR_INTEGERS(CLAMP_SCALAR)

// Saturating sums. The sums of types with less than 32 bits fit an int.
#define SATURATING_NARROW(T, U, W, BITS)                                             \
    PURE T add_sat(T x, T y) { return (T)clamp((W)x + (W)y, LEAST_##T, MOST_##T); }  \
    PURE T sub_sat(T x, T y) { return (T)clamp((W)x - (W)y, LEAST_##T, MOST_##T); }
#define LEAST_char -128
#define MOST_char 127
#define LEAST_uchar 0
#define MOST_uchar 255
#define LEAST_short -32768
#define MOST_short 32767
#define LEAST_ushort 0
#define MOST_ushort 65535
NARROW(SATURATING_NARROW)
// A sum overflows if its sign differs from both operands' signs; for a difference, the second operand is negated.
#define SATURATING_SIGNED(T, U, LEAST, MOST)                                         \
    PURE T add_sat(T x, T y) {                                                       \
        T sum = (T)((U)x + (U)y);                                                    \
        return ((x ^ sum) & (y ^ sum)) < 0 ? (x < 0 ? LEAST : MOST) : sum;           \
    }                                                                                \
    PURE T sub_sat(T x, T y) {                                                       \
        T difference = (T)((U)x - (U)y);                                             \
        return ((x ^ y) & (x ^ difference)) < 0 ? (x < 0 ? LEAST : MOST) : difference; \
    }
SATURATING_SIGNED(int, uint, INT_MIN, INT_MAX)
SATURATING_SIGNED(long, ulong, LONG_MIN, LONG_MAX)
#define SATURATING_UNSIGNED(T, MOST)                                                 \
    PURE T add_sat(T x, T y) { T sum = x + y; return sum < x ? MOST : sum; }         \
    PURE T sub_sat(T x, T y) { return x < y ? 0 : x - y; }
SATURATING_UNSIGNED(uint, UINT_MAX)
SATURATING_UNSIGNED(ulong, ULONG_MAX)
#define SATURATING_VECTORS(T) VECTOR_2(T, add_sat, T, T) VECTOR_2(T, sub_sat, T, T)
FOR_INTEGERS(SATURATING_VECTORS)

// Leading zeros, by the exponent of the number as a float that is rounded down. (clang would replace a conversion
// toward zero by a conversion to nearest.)
LOCAL uint leading_zeros(uint x) { return min(158 - (as_uint(__nvvm_ui2f_rm(x)) >> 23), 32u); }
LOCAL uint leading_zeros_long(ulong x) {
    uint high = (uint)(x >> 32);
    return high != 0 ? leading_zeros(high) : 32 + leading_zeros((uint)x);
}
// 64-bit shifts by 0 to 63, in words. The right shift sets the lowest bit if it drops any bit that is 1.
LOCAL ulong words(uint high, uint low) { return (ulong)high << 32 | low; }
LOCAL ulong shifted_left(ulong x, uint count) {
    uint high = (uint)(x >> 32), low = (uint)x;
    bool far = count & 32;
    high = far ? low : high;
    low = far ? 0 : low;
    count &= 31;
    return words(high << count | low >> 1 >> (31 - count), low << count);
}
LOCAL ulong shifted_right(ulong x, uint count) {
    uint high = (uint)(x >> 32), low = (uint)x;
    bool far = count & 32;
    uint lost = far ? low : 0;
    low = far ? high : low;
    high = far ? 0 : high;
    count &= 31;
    lost |= low & ((1u << count) - 1);
    return words(high >> count, low >> count | high << 1 << (31 - count) | (lost != 0));
}
PURE char clz(char x) { return leading_zeros((uchar)x) - 24; }
PURE uchar clz(uchar x) { return leading_zeros(x) - 24; }
PURE short clz(short x) { return leading_zeros((ushort)x) - 16; }
PURE ushort clz(ushort x) { return leading_zeros(x) - 16; }
PURE int clz(int x) { return leading_zeros((uint)x); }
PURE uint clz(uint x) { return leading_zeros(x); }
PURE long clz(long x) { return leading_zeros_long((ulong)x); }
PURE ulong clz(ulong x) { return leading_zeros_long(x); }

// Number of 1 bits, in pairs, nibbles and bytes. A multiplication for the last sum would take more instructions.
LOCAL uint bits_set(uint x) {
    x = x - ((x >> 1) & 0x55555555);
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f;
    x = x + (x >> 8);
    return (x + (x >> 16)) & 63;
}
#define POPCOUNT_NARROW(T, U) PURE T popcount(T x) { return (T)bits_set((U)x); }
POPCOUNT_NARROW(char, uchar)
POPCOUNT_NARROW(uchar, uchar)
POPCOUNT_NARROW(short, ushort)
POPCOUNT_NARROW(ushort, ushort)
POPCOUNT_NARROW(int, uint)
POPCOUNT_NARROW(uint, uint)
#define POPCOUNT_LONG(T) PURE T popcount(T x) { return bits_set((uint)x) + bits_set((uint)((ulong)x >> 32)); }
POPCOUNT_LONG(long)
POPCOUNT_LONG(ulong)

// The upper half of a product.
#define HIGH_NARROW(T, U, W, BITS) PURE T mul_hi(T x, T y) { return (T)((W)x * (W)y >> BITS); }
HIGH_NARROW(char, uchar, int, 8)
HIGH_NARROW(uchar, uchar, int, 8)
HIGH_NARROW(short, ushort, int, 16)
HIGH_NARROW(ushort, ushort, uint, 16)
PURE int mul_hi(int x, int y) { return __nvvm_mulhi_i(x, y); }
PURE uint mul_hi(uint x, uint y) { return __nvvm_mulhi_ui(x, y); }
PURE ulong mul_hi(ulong x, ulong y) {
    uint a = (uint)x, b = (uint)(x >> 32), c = (uint)y, d = (uint)(y >> 32);
    ulong middle = (ulong)b * c + mul_hi(a, c);
    ulong other = (ulong)a * d + (uint)middle;
    return (ulong)b * d + (middle >> 32) + (other >> 32);
}
// In the unsigned product, a negative factor is 2^64 too large.
PURE long mul_hi(long x, long y) {
    return (long)(mul_hi((ulong)x, (ulong)y) - (x < 0 ? (ulong)y : 0) - (y < 0 ? (ulong)x : 0));
}

// Multiplies, adds and saturates.
#define MAD_SAT_NARROW(T, U, W, BITS) \
    PURE T mad_sat(T x, T y, T z) { return (T)clamp((W)x * (W)y + (W)z, (W)LEAST_##T, (W)MOST_##T); }
MAD_SAT_NARROW(char, uchar, int, 8)
MAD_SAT_NARROW(uchar, uchar, int, 8)
MAD_SAT_NARROW(short, ushort, int, 16)
PURE ushort mad_sat(ushort x, ushort y, ushort z) { return (ushort)min((uint)x * y + z, 65535u); }
#define MAD_SAT_SIGNED(T, U, LEAST, MOST)                                            \
    PURE T mad_sat(T x, T y, T z) {                                                  \
        T high = mul_hi(x, y);                                                       \
        U low = (U)x * (U)y;                                                         \
        U sum = low + (U)z;                                                          \
        high += (sum < low) + (z < 0 ? -1 : 0);                                      \
        return high == ((T)sum < 0 ? -1 : 0) ? (T)sum : high < 0 ? LEAST : MOST;     \
    }
MAD_SAT_SIGNED(int, uint, INT_MIN, INT_MAX)
MAD_SAT_SIGNED(long, ulong, LONG_MIN, LONG_MAX)
#define MAD_SAT_UNSIGNED(T, MOST)                                                    \
    PURE T mad_sat(T x, T y, T z) {                                                  \
        T low = x * y;                                                               \
        T sum = low + z;                                                             \
        return mul_hi(x, y) != 0 || sum < low ? MOST : sum;                          \
    }
MAD_SAT_UNSIGNED(uint, UINT_MAX)
MAD_SAT_UNSIGNED(ulong, ULONG_MAX)

// Rotation. The right shift is in two parts, or clang would recognise a rotation, which it compiles wrongly for
// sm_20: it does not reduce the count.
#define ROTATE(T, U)                                                                       \
    PURE T rotate(T x, T count) {                                                          \
        uint bits = 8 * sizeof(T), left = (uint)count & (bits - 1);                        \
        return (T)(U)((U)x << left | (U)((U)x >> 1) >> (bits - 1 - left));                 \
    }
UNSIGNED_OF_ALL(ROTATE)

#define INTEGER_VECTORS(T)             \
    VECTOR_1(T, clz, T)                \
    VECTOR_1(T, popcount, T)           \
    VECTOR_2(T, mul_hi, T, T)          \
    VECTOR_2(T, rotate, T, T)          \
    VECTOR_3(T, mad_sat, T, T, T)      \
    PURE T mad_hi(T x, T y, T z) { return mul_hi(x, y) + z; } \
    VECTOR_3(T, mad_hi, T, T, T)
FOR_INTEGERS(INTEGER_VECTORS)

#define UPSAMPLE(R, T, U, BITS)                                                      \
    PURE R upsample(T high, U low) { return (R)((R)high << BITS | low); }            \
    VECTOR_2(R, upsample, T, U)
UPSAMPLE(short, char, uchar, 8)
UPSAMPLE(ushort, uchar, uchar, 8)
UPSAMPLE(int, short, ushort, 16)
UPSAMPLE(uint, ushort, ushort, 16)
UPSAMPLE(long, int, uint, 32)
UPSAMPLE(ulong, uint, uint, 32)

PURE int mul24(int x, int y) { return __nvvm_mul24_i(x, y); }
PURE uint mul24(uint x, uint y) { return __nvvm_mul24_ui(x, y); }
#define MUL24(T)                                                     \
    VECTOR_2(T, mul24, T, T)                                         \
    PURE T mad24(T x, T y, T z) { return mul24(x, y) + z; }          \
    VECTOR_3(T, mad24, T, T, T)
MUL24(int)
MUL24(uint)
