// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o conversions.ptx conversions.cl
kernel void conversions(global float *f, global int *i, global uint *u, global char *c, global ushort *s, global long *l) {
  int n = get_global_id(0);
  f[n] = (float)i[n] + (float)u[n] + (float)c[n] + (float)s[n] + (float)l[n];
  i[n] = (int)f[n + 1] + c[n];
  u[n] = (uint)f[n + 2];
  c[n] = (char)f[n + 3];
  s[n] = (ushort)i[n + 1];
  l[n] = (long)f[n + 4] + u[n + 1];
}
