// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o select.ptx select.cl
kernel void selects(global int *a, global float4 *f) {
  int i = get_global_id(0);
  int lower = a[i] < a[i + 1] ? a[i] : a[i + 1];
  uint u = a[i] > 7u ? a[i] : 7u;
  f[i] = f[i] > f[i + 1] ? f[i] : f[i + 1];
  a[i] = (lower > 3 && u < 9) || a[i + 2] == 5 ? lower : (int)u;
}
