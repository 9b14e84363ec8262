// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o floats.ptx floats.cl
kernel void floats(global float *a, global const float *b, global int *c) {
  int i = get_global_id(0);
  float x = a[i], y = b[i];
  a[i] = x / y + __nvvm_sqrt_rn_f(__nvvm_fabs_f(x)) - -y;
  c[i] = (x < y) + (x != y ? 2 : 0) + !(x >= 1e-3f) * 4 + (x != x);
  a[i + 1] = __builtin_fminf(x, y) + __builtin_fmaxf(x, 0.5f) + (float)NAN;
}
