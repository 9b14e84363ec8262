// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o bits.ptx bits.cl
kernel void bits(global uint *a, global int *b) {
  int i = get_global_id(0);
  uint x = a[i];
  a[i] = (x << 3 | x >> 29) ^ ~a[i + 1] & 0xf0f0f0f0u;
  a[i + 2] = __builtin_popcount(x) + __builtin_clz(x | 1) + __builtin_bitreverse32(x) + __builtin_bswap32(x);
  b[i] = b[i] >> (x & 31) | 010 | 0x1f;
}
