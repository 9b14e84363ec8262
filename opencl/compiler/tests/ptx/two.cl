// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o two.ptx two.cl
kernel void saxpy(global float *y, global const float *x, float a) {
  int i = get_global_id(0);
  y[i] += a * x[i];
}
kernel void fill(global int *a, int value, uint count) {
  for (uint i = get_global_id(0); i < count; i += get_local_size(0) * get_num_groups(0)) a[i] = value;
}
