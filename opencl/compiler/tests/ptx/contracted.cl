// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -ffp-contract=fast -o contracted.ptx contracted.cl
kernel void contracted(global float *a) {
  int i = get_global_id(0);
  a[i] = a[i] * a[i + 1] + a[i + 2];
}
