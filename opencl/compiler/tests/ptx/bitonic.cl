// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o bitonic.ptx bitonic.cl
kernel void bitonic(global int *a, local int *t) {
  uint i = get_local_id(0), n = get_local_size(0);
  t[i] = a[i];
  for (uint k = 2; k <= n; k *= 2)
    for (uint j = k / 2; j > 0; j /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint other = i ^ j;
      if (other > i && (i & k ? t[i] < t[other] : t[i] > t[other])) {
        int swap = t[i];
        t[i] = t[other];
        t[other] = swap;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = t[i];
}
