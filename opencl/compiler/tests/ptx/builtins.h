// The work-item and math functions of the test kernels that clang needs definitions for.
#define OVER __attribute__((overloadable, always_inline))
OVER uint get_local_id(uint d) { return d == 0 ? __nvvm_read_ptx_sreg_tid_x() : d == 1 ? __nvvm_read_ptx_sreg_tid_y() : __nvvm_read_ptx_sreg_tid_z(); }
OVER uint get_local_size(uint d) { return d == 0 ? __nvvm_read_ptx_sreg_ntid_x() : d == 1 ? __nvvm_read_ptx_sreg_ntid_y() : __nvvm_read_ptx_sreg_ntid_z(); }
OVER uint get_group_id(uint d) { return d == 0 ? __nvvm_read_ptx_sreg_ctaid_x() : __nvvm_read_ptx_sreg_ctaid_y(); }
OVER uint get_num_groups(uint d) { return d == 0 ? __nvvm_read_ptx_sreg_nctaid_x() : __nvvm_read_ptx_sreg_nctaid_y(); }
OVER uint get_global_id(uint d) { return get_group_id(d) * get_local_size(d) + get_local_id(d); }
__attribute__((overloadable, convergent, always_inline)) void barrier(uint flags) { __nvvm_bar_sync(0); }
