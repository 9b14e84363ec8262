// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o exits.ptx exits.cl
kernel void exits(global const uint *a, global uint *q, uint n) {
  int i = get_global_id(0);
  uint x = a[i], s = 0;
  for (uint j = 0; j < n; j++) {
    if ((x >> j) & 1) {
      if (s > 50) goto out;
      s += j;
      if ((x >> (j + 3)) & 1) continue;
      s *= 3;
    } else {
      for (uint k = 0; k < (x & 7); k++) {
        if (s == k) goto next;
        s += k;
      }
    }
    s ^= x;
  next:;
    if (s & 0x100) break;
  }
  s += 7;
out:
  q[i] = s;
}
