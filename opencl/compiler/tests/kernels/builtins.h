// The functions of OpenCL that these kernels use, as in the compiler's builtins: inlined, for SM 1.0.
#define OVERLOADED __attribute__((overloadable, const, always_inline))
OVERLOADED uint get_local_id(uint d) {
    return d == 0 ? __nvvm_read_ptx_sreg_tid_x() : d == 1 ? __nvvm_read_ptx_sreg_tid_y() : __nvvm_read_ptx_sreg_tid_z();
}
OVERLOADED uint get_local_size(uint d) {
    return d == 0   ? __nvvm_read_ptx_sreg_ntid_x()
           : d == 1 ? __nvvm_read_ptx_sreg_ntid_y()
                    : __nvvm_read_ptx_sreg_ntid_z();
}
OVERLOADED uint get_group_id(uint d) {
    return d == 0 ? __nvvm_read_ptx_sreg_ctaid_x() : d == 1 ? __nvvm_read_ptx_sreg_ctaid_y() : 0;
}
OVERLOADED uint get_num_groups(uint d) {
    return d == 0 ? __nvvm_read_ptx_sreg_nctaid_x() : d == 1 ? __nvvm_read_ptx_sreg_nctaid_y() : 1;
}
OVERLOADED uint get_global_id(uint d) { return get_group_id(d) * get_local_size(d) + get_local_id(d); }
OVERLOADED uint get_global_size(uint d) { return get_num_groups(d) * get_local_size(d); }
__attribute__((overloadable, convergent, always_inline)) void barrier(uint flags) { __nvvm_bar_sync(0); }
OVERLOADED int mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
OVERLOADED uint mul24(uint a, uint b) { return __nvvm_mul24_ui(a, b); }
OVERLOADED uint mul_hi(uint a, uint b) { return __nvvm_mulhi_ui(a, b); }
OVERLOADED int mul_hi(int a, int b) { return __nvvm_mulhi_i(a, b); }
OVERLOADED float sqrt(float x) { return __nvvm_sqrt_rn_f(x); }
OVERLOADED float native_recip(float x) { return __nvvm_rcp_approx_ftz_f(x); }
OVERLOADED float native_sqrt(float x) { return __nvvm_sqrt_approx_ftz_f(x); }
OVERLOADED float native_divide(float a, float b) { return __nvvm_div_approx_f(a, b); }
OVERLOADED float fabs(float x) { return __nvvm_fabs_f(x); }
OVERLOADED int min(int a, int b) { return a < b ? a : b; }
OVERLOADED int max(int a, int b) { return a > b ? a : b; }
OVERLOADED uint min(uint a, uint b) { return a < b ? a : b; }
OVERLOADED uint max(uint a, uint b) { return a > b ? a : b; }
OVERLOADED float fmin(float a, float b) { return __nvvm_fmin_f(a, b); }
OVERLOADED float fmax(float a, float b) { return __nvvm_fmax_f(a, b); }
OVERLOADED float native_rsqrt(float x) { return __nvvm_rsqrt_approx_ftz_f(x); }
OVERLOADED float native_exp2(float x) { return __nvvm_ex2_approx_ftz_f(x); }
OVERLOADED float native_log2(float x) { return __nvvm_lg2_approx_ftz_f(x); }
