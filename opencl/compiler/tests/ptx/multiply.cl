// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o multiply.ptx multiply.cl
kernel void multiply(global int *a, global uint *b) {
  int i = get_global_id(0);
  a[i] = a[i] * a[i + 1] + __nvvm_mul24_i(a[i + 2], a[i + 3]) + __nvvm_mulhi_i(a[i], a[i + 1]);
  b[i] = __nvvm_mul24_ui(b[i + 2], b[i + 3]) + __nvvm_mulhi_ui(b[i], b[i + 1]);
}
