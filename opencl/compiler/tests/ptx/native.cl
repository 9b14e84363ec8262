// clang-19 -x cl -target nvptx--nvidiacl -Xclang -target-cpu -Xclang sm_20 -cl-std=CL1.2 -Xclang -finclude-default-header -O2 -Xclang -cl-ext=-all,+cl_khr_byte_addressable_store -ffp-contract=off -include builtins.h -S -o native.ptx native.cl
kernel void native(global float *a) {
  int i = get_global_id(0);
  a[i] = __nvvm_sin_approx_ftz_f(a[i]) + __nvvm_cos_approx_ftz_f(a[i + 1]) + __nvvm_ex2_approx_ftz_f(a[i + 2]) +
         __nvvm_lg2_approx_ftz_f(a[i + 3]) + __nvvm_rsqrt_approx_ftz_f(a[i + 4]) + __nvvm_rcp_approx_ftz_f(a[i + 5]) +
         __nvvm_sqrt_approx_ftz_f(a[i + 6]) + __nvvm_div_approx_ftz_f(a[i + 7], a[i + 8]) + __nvvm_trunc_f(a[i + 9]) +
         __builtin_floorf(a[i + 10]) + __builtin_ceilf(a[i + 11]) + __builtin_rintf(a[i + 12]);
}
