// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o early.ptx early.cl
kernel void early(global int *a, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  while (a[i] != 1) {
    a[i] = a[i] & 1 ? 3 * a[i] + 1 : a[i] >> 1;
    if (a[i] > 1000000) return;
  }
  a[i] = -1;
}
