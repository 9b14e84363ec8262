// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o division.ptx division.cl
kernel void division(global int *a, global uint *b, global short *c, global long *d) {
  int i = get_global_id(0);
  a[i] = a[i] / a[i + 1] + a[i] % 10;
  b[i] = b[i] / b[i + 1] + b[i] / 3;
  c[i] = c[i] % c[i + 1];
  d[i] = d[i] / d[i + 1];
}
