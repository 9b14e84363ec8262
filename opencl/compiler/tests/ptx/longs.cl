// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o longs.ptx longs.cl
kernel void longs(global const ulong *a, global long *b, global uint *c) {
  int i = get_global_id(0);
  ulong x = a[i] * 7 + i;
  long y = (long)x >> 5;
  b[i] = y < b[i] ? y - b[i] : (long)(a[i + 1] << (i & 63)) | 0x123456789abcdefL;
  c[i] = (uint)(x >> 32) + (y == -1);
}
