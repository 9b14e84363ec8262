// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o private.ptx private.cl
kernel void private_array(global int *a, int n) {
  int buffer[16];
  int i = get_global_id(0);
  for (int j = 0; j < 16; j++) buffer[j ^ n & 15] = a[i + j];
  for (int j = 0; j < n; j++) a[i] += buffer[(buffer[j & 15] + j) & 15];
}
